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
}
