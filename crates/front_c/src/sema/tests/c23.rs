//! What C23 brought: claims that gcc 15 accepts, and C11 texts that keep their meaning.

use super::{accepted, messages};

/// That an expression has a type.
fn is(expression: &str, ty: &str) -> String {
    format!("_Static_assert(_Generic({expression}, {ty}: 1, default: 0), \"{expression}\");")
}

#[test]
fn auto_without_a_type_stands_for_the_type_of_the_value() {
    let local = |declaration: &str, ty: &str| {
        accepted(&format!(
            "struct s {{ char c; unsigned bits:3; }} s; int g(void) {{ return 0; }} const int fixed = 1;
             int f(int n) {{ {declaration} {} return 0; }}",
            is("&x", ty)
        ));
    };
    local("auto x = 4L;", "long *");
    local("auto x = 1LL << 40;", "long long *");
    local("const auto x = 1u;", "const unsigned int *");
    local("auto const volatile x = 1;", "const volatile int *");
    local("static auto x = 4L;", "long *");
    local("auto static x = 4L;", "long *");
    local("auto x = s.c;", "char *");
    local("auto x = s;", "struct s *");
    local("auto x = fixed;", "int *");
    local("auto x = \"text\";", "char **");
    local("auto x = g;", "int (**)(void)");
    local("auto x [[maybe_unused]] = 1.5;", "double *");
    accepted(&format!(
        "auto x = 4L; static auto y = 1u; {} {}",
        is("x", "long"),
        is("y", "unsigned")
    ));
    accepted("int f(void) { for (auto i = 0ul; i < 3; i++) { auto j = i; (void)j; } return 0; }");
}

#[test]
fn auto_with_a_type_is_a_storage_class() {
    accepted(&format!(
        "int f(void) {{ auto int x = 4L; int auto y = 4L; {} {} return x + y; }}",
        is("x", "int"),
        is("y", "int")
    ));
    let old = "a declaration without a type";
    assert_eq!(messages("int f(void) { auto x; x = 1; return x; }"), [old]);
    let file_scope = "this storage class is only allowed inside a function";
    assert_eq!(messages("auto int x = 4;"), [file_scope]);
    assert_eq!(messages("static auto int x = 4;"), ["more than one storage class"]);
    assert_eq!(messages("int x; auto *p = &x;"), ["`auto` stands for the whole type"]);
    assert_eq!(
        messages("int f(void) { auto x = {1}; return x; }"),
        ["`auto` needs a value to take its type from"]
    );
}

#[test]
fn the_new_words_need_no_header() {
    accepted(
        "constexpr int N = 2; int a[N]; static_assert(sizeof a == 8); static_assert(1, \"x\");
         alignas(64) static char c; static_assert(alignof(long) == 8);
         static thread_local int t; const int k = 1;
         int f(int, void *) { typeof_unqual(k) y = 1; y++; constexpr auto M = 3; int b[M] = {};
             return y + b[0] + c + t; }
         int main(void) { bool ok = true; int *p = nullptr; nullptr_t n = nullptr;
             static_assert(sizeof(true) == 1 && !false);
             if (p != nullptr || !ok) unreachable();
             return f(1, n) - 1'000 + 0xf'f; }\n#if 1'0 != 10\n#error\n#endif",
    );
    assert_eq!(messages("_BitInt(7) x;"), ["`_BitInt` is not supported"]);
    assert_eq!(messages("#embed \"x\"\n"), ["`#embed` is not supported"]);
}

#[test]
fn older_texts_keep_their_own_meaning_of_the_new_words() {
    accepted("typedef enum { false, true } bool; _Static_assert(sizeof(bool) == 4, \"\");");
    accepted("typedef unsigned long bool; bool x; _Static_assert(sizeof x == 8, \"\");");
    accepted("int f(int nullptr) { int true = 5; int bool = 3; return nullptr + true + bool; }");
    accepted("static int alignof(int x) { return x; } int f(void) { return alignof(1); }");
    accepted(
        "int thread_local; int constexpr = 1; int f(void) { return thread_local + constexpr; }",
    );
    accepted("void static_assert(int x) { (void)x; } void f(void) { static_assert(0); }");
    accepted("void unreachable(void) {} void f(void) { unreachable(); }");
}

#[test]
fn the_new_headers_have_their_functions() {
    accepted(
        "#include <stdckdint.h>\n#include <stdbit.h>\n#include <string.h>\n#include <stdarg.h>\n
         int f(...) { va_list l; va_start(l); int r = va_arg(l, int); va_end(l); return r; }
         int main(void) { int r; char a[4]; memset_explicit(a, 0, 4);
             if (ckd_add(&r, 1, 2) || ckd_mul(&r, r, 3)) return 1;
             return f(0) + stdc_count_ones(3u) + stdc_leading_zeros((unsigned char)1) + a[0]; }",
    );
    for argument in ["-1", "(unsigned __int128)1", "(bool)1"] {
        let text =
            format!("#include <stdbit.h>\nint f(void) {{ return stdc_count_ones({argument}); }}");
        let refusal = messages(&text).concat();
        assert!(refusal.starts_with("no association of `_Generic` fits"), "{refusal}");
    }
}

#[test]
fn conditions_know_true() {
    accepted("#if !true || false\n#error\n#endif\n#define ON true\n#if ON != 1\n#error\n#endif\n");
    accepted("#define true 0\n#if true\n#error\n#endif\n#ifdef false\n#error\n#endif\n");
}

#[test]
fn enums_have_the_type_that_they_are_declared_with() {
    accepted(
        "enum e : unsigned char { A, B = 255 }; enum e x = B; static_assert(sizeof(enum e) == 1);
         static_assert(sizeof A == 1 && sizeof x == 1 && B + 1 == 256);
         typedef short small; enum : small { C = -1 }; static_assert(C < 0 && sizeof C == 2);
         enum later : long; enum later y; static_assert(sizeof y == 8); enum later : long { D };
         enum big : unsigned long { E = 0xffff'ffff'ffff'fffful }; static_assert(E > 0);
         struct s { enum e bits : 3; enum e : 2; enum e rest; };
         int f(enum e v) { enum e : int { A = 70000 }; static_assert(sizeof A == 4);
             switch (v) { case B: return A; default: return C; } }",
    );
    accepted(&format!("enum e : unsigned char {{ A }}; {}", is("A", "enum e")));
    let one = |text: &str| messages(text).concat();
    assert_eq!(one("enum e : unsigned char { A = 256 };"), "256 does not fit `unsigned char`");
    assert_eq!(one("enum e : signed char { A = 127, B };"), "128 does not fit `signed char`");
    let other = "this enum was declared with another underlying type";
    assert_eq!(one("enum e : int; enum e : long { A };"), other);
    assert_eq!(one("enum e : int; enum e { A };"), other);
    assert_eq!(one("enum e { A }; enum e : long;"), other);
    let twice = "this enum is defined twice";
    assert_eq!(one("enum e : int { A }; enum e : int { B };"), twice);
    let integer = "the underlying type of an enum must be an integer type";
    assert_eq!(one("enum e : float { A };"), integer);
    assert_eq!(one("enum e : bool { A };"), "an enum of `bool` is not supported");
}

#[test]
fn compound_literals_have_storage_classes() {
    accepted(
        "struct s { int a, b; }; const struct s *p = &(static const struct s){1, 2};
         int *f(void) { return &(static int){1}; }
         int *g(void) { return (static thread_local int[]){1, 2}; }
         int h(void) { register int *q = (register int[]){1}; int n = (constexpr int){4};
             return q[0] + n + (int)sizeof(static int[3]){}; }
         const int *file = &(constexpr int){3};",
    );
    let part = "a storage class cannot be part of a type name";
    for wrong in [
        "int f(void) { return (static int)1; }",
        "int f(void) { return (extern int){1}; }",
        "int f(void) { return sizeof(_Thread_local int); }",
    ] {
        assert_eq!(messages(wrong), [part], "{wrong}");
    }
    let thread_local = "a thread-local literal in a function must be `static`";
    assert_eq!(messages("int f(void) { return (thread_local int){1}; }"), [thread_local]);
    assert_eq!(
        messages("int f(int n) { return (static int){n}; }"),
        messages("int f(int n) { static int x = n; return x; }")
    );
}
