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
