//! Declarations and declarators, in the words of `cdecl`.

use super::{accept, dump, refuse};
use crate::ast::Item;

/// The last declaration of the text.
fn english(text: &str) -> String {
    match accept(text).items.last() {
        Some(Item::Declaration(declaration)) => dump::declaration(declaration),
        other => panic!("no declaration: {other:?}"),
    }
}

#[test]
fn declarators_read_inside_out() {
    for (text, expected) in [
        ("int *a[3];", "(a is array of 3 pointer to int)"),
        ("int (*a)[3];", "(a is pointer to array of 3 int)"),
        ("int *f(void);", "(f is function() returning pointer to int)"),
        ("int (*f)(int);", "(f is pointer to function(int) returning int)"),
        ("char *const *p;", "(p is pointer to const pointer to char)"),
        (
            "int (*(*f(int x))[2])(char *);",
            "(f is function(x is int) returning pointer to array of 2 pointer to \
             function(pointer to char) returning int)",
        ),
        (
            "void (*signal(int, void (*)(int)))(int);",
            "(signal is function(int, pointer to function(int) returning void) returning \
             pointer to function(int) returning void)",
        ),
        ("int f();", "(f is function(?) returning int)"),
        (
            "int f(const char *s, ...);",
            "(f is function(s is pointer to const char, ...) returning int)",
        ),
        ("int m[2][3];", "(m is array of 2 array of 3 int)"),
        ("int a[], b, *c;", "(a is array of int) (b is int) (c is pointer to int)"),
        (
            "void f(int n, int a[static const 3]);",
            "(f is function(n is int, a is array of 3 int) returning void)",
        ),
        ("void f(int a[*]);", "(f is function(a is array of int) returning void)"),
        ("_Atomic(int *) p;", "(p is atomic(pointer to int))"),
        ("int *_Atomic p;", "(p is atomic pointer to int)"),
        ("_Atomic int *volatile p;", "(p is volatile pointer to atomic int)"),
        ("int (x);", "(x is int)"),
    ] {
        assert_eq!(english(text), expected, "{text}");
    }
}

#[test]
fn type_words_come_in_any_order() {
    for (text, expected) in [
        ("long unsigned int long x;", "unsigned long long"),
        ("char unsigned x;", "unsigned char"),
        ("signed x;", "int"),
        ("__signed__ char x;", "signed char"),
        ("short int unsigned x;", "unsigned short"),
        ("unsigned __int128 x;", "unsigned int128"),
        ("__uint128_t x;", "unsigned int128"),
        ("long double x;", "long double"),
        ("const int static x;", "static const int"),
        ("__const__ __volatile__ int x;", "const volatile int"),
        ("static __thread int x;", "static thread int"),
        ("extern _Thread_local int x;", "extern thread int"),
        ("_Alignas(16) _Alignas(long) char x;", "alignas(16) alignas(long) char"),
        ("__typeof__(1 + 2) x;", "typeof((Add 1 2))"),
        ("typeof(int *) x;", "typeof(pointer to int)"),
        ("_Bool x;", "bool"),
    ] {
        assert_eq!(english(text), format!("(x is {expected})"), "{text}");
    }
}

#[test]
fn words_that_do_not_go_together_are_refused() {
    for text in [
        "long char x;",
        "unsigned signed x;",
        "short long x;",
        "long long long x;",
        "unsigned void x;",
    ] {
        assert_eq!(refuse(text).len(), 1, "{text}: {:?}", refuse(text));
    }
}

#[test]
fn typedef_names_follow_the_scopes() {
    assert_eq!(english("typedef int T; T *x;"), "(x is pointer to T)");
    assert_eq!(english("typedef int T; unsigned T;"), "(T is unsigned int)");
    assert_eq!(english("typedef int T; int f(T);"), "(f is function(T) returning int)");
    assert_eq!(
        english("typedef int T; int f(int (T));"),
        "(f is function(function(T) returning int) returning int)"
    );
    assert_eq!(english("typedef int T; struct T { T T; } x;"), "(x is struct T{(T is T)})");
    accept("typedef int T; void f(void) { T T = 1; T * 2; { T: T = 3; } }");
    accept("typedef int T; void f(int T) { T * 2; } T x;");
    accept("typedef int T; void f(void) { enum { T }; int a = T * 2; } T x;");
    accept("typedef int T; void f(void) { for (int T = 0; T < 3; T++) T * 1; T x; }");
    accept("typedef struct T T; struct T { T *T; }; int g(T *t) { return t->T == 0; }");
}

#[test]
fn records_and_enums() {
    for (text, expected) in [
        (
            "struct s { int a : 3, : 0, b; char c[]; };",
            "(struct s{(a is int :3) (int :0) (b is int) (c is array of char)})",
        ),
        (
            "struct { struct { int x; }; union { int y; } u; };",
            "(struct {(struct {(x is int)}) (u is union {(y is int)})})",
        ),
        (
            "struct __attribute__((packed)) s { int a; } __attribute__((aligned(8)));",
            "(struct @packed @aligned(8) s{(a is int)})",
        ),
        (
            "struct s { int a __attribute__((aligned(16))), b; };",
            "(struct s{(@aligned(16) a is int) (b is int)})",
        ),
        ("struct s {};", "(struct s{})"),
        ("struct s { _Static_assert(1, \"x\"); int a; };", "(struct s{(assert 1) (a is int)})"),
        ("enum e { A, B = 2, C, };", "(enum e{A B=2 C})"),
        ("union u;", "(union u)"),
        ("struct s { int a; ; };", "(struct s{(a is int)})"),
        ("struct s { __extension__ union { int a; }; };", "(struct s{(union {(a is int)})})"),
    ] {
        assert_eq!(english(text), expected, "{text}");
    }
}

#[test]
fn pragma_pack_reaches_the_definitions_in_its_range() {
    let text =
        "#pragma pack(push, 1)\nstruct a { int x; };\n#pragma pack(pop)\nstruct b { int x; };";
    let unit = accept(text);
    let shown = unit.items.iter().map(|item| match item {
        Item::Declaration(declaration) => dump::declaration(declaration),
        other => panic!("{other:?}"),
    });
    let shown: Vec<_> = shown.collect();
    assert_eq!(shown, ["(struct pack(1) a{(x is int)})", "(struct b{(x is int)})"]);
}

#[test]
fn attributes_stand_in_all_the_usual_places() {
    accept(
        "__attribute__((noinline)) static int f(int x __attribute__((unused))) __attribute__((pure, const));",
    );
    accept("int x __asm__(\"y\") __attribute__((section(\"a\"), used));");
    accept("int *__attribute__((aligned(8))) p, __attribute__((unused)) q;");
    accept("typedef int T __attribute__((aligned(64)));");
    accept("void f(void) __attribute__((__format__(__printf__, 1, 2), , noreturn));");
    accept("void (__attribute__((noreturn)) *f)(void);");
    accept("enum e { A __attribute__((deprecated)), B } __attribute__((packed));");
    accept("void f(void) { __attribute__((unused)) int x; l: __attribute__((unused)); }");
    assert_eq!(
        english("__attribute__((__noreturn__)) void f(void);"),
        "(f is function() returning noreturn @noreturn void)"
    );
}

#[test]
fn initialisers_and_designators() {
    for (text, expected) in [
        ("int a[] = {1, 2, 3,};", "(a is array of int = [1 2 3])"),
        (
            "int a[9] = {[2] = 1, [4 ... 6] = 2, [0] 3};",
            "(a is array of 9 int = [[2]=1 [4...6]=2 [0]=3])",
        ),
        ("struct s x = {.a = 1, .b.c[2] = {}, d: 4};", "(x is struct s = [.a=1 .b.c[2]=[] .d=4])"),
        ("char *s = \"a\" \"b\";", "(s is pointer to char = \"ab\")"),
    ] {
        assert_eq!(english(text), expected, "{text}");
    }
}

#[test]
fn old_c_libraries_may_declare_the_types_that_newer_compilers_know() {
    accept("typedef float _Float32; typedef long double _Float64x;");
    assert_eq!(refuse("float _Float32;").len(), 1);
}
