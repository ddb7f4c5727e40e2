//! What the parser says about wrong programs, and that it never falls over.

use super::{accept, refuse, run};

#[test]
fn a_missing_semicolon_is_shown_after_the_token_before_it() {
    assert_eq!(
        refuse("void f(void) {\n  x = 1\n  y = 2;\n}"),
        ["2:8 expected `;` after expression"]
    );
    assert_eq!(refuse("int x\nint y;"), ["1:6 expected `;` after declaration"]);
    assert_eq!(
        refuse("struct s { int a; }\nint main(void) { return 0; }"),
        ["1:20 expected `;` after the definition of a type"]
    );
    assert_eq!(refuse("void f(void) { return }"), ["1:22 expected `;` after `return`"]);
}

#[test]
fn a_type_that_is_hidden_by_a_variable_is_not_offered_as_its_own_correction() {
    let (_, diagnostics, _) = run("typedef int T; void f(void) { T T; T x; }");
    let shown: Vec<_> = diagnostics.iter().map(|d| (&*d.message, d.notes.join("; "))).collect();
    let note = "`T` is a variable or function here".to_string();
    assert_eq!(shown, [("unknown type name `T`", note)]);
}

#[test]
fn unknown_types_are_named_once_and_hinted_at() {
    let (_, diagnostics, _) = run("uint32_t x; uint32_t *y; struct node { int v; }; node *n;");
    let shown: Vec<_> = diagnostics.iter().map(|d| (&*d.message, d.notes.join("; "))).collect();
    assert_eq!(
        shown,
        [
            (
                "unknown type name `uint32_t`",
                "`uint32_t` is defined in <stdint.h>; include it".into()
            ),
            ("unknown type name `node`", "write `struct node`".to_string()),
        ]
    );
    assert_eq!(
        refuse("void f(void) { foo_t *x; foo_t y = 1; }"),
        ["1:16 unknown type name `foo_t`"]
    );
    assert_eq!(refuse("void f(foo_t x, int y);"), ["1:8 unknown type name `foo_t`"]);
    assert_eq!(refuse("void f(foo_t);"), ["1:8 unknown type name `foo_t`"]);
    assert_eq!(refuse("static foo_t x;"), ["1:8 unknown type name `foo_t`"]);
    assert_eq!(
        refuse("int f(void *p) { return *(foo_t *)p; }"),
        ["1:27 unknown type name `foo_t`"]
    );
    assert_eq!(
        refuse("struct s { foo_t a; int b };"),
        ["1:12 unknown type name `foo_t`", "1:26 expected `;` after member"]
    );
}

#[test]
fn a_declaration_is_not_a_statement() {
    let messages = ["1:39 expected a statement, found a declaration"];
    assert_eq!(refuse("typedef int T; void f(int x) { if (x) T y; }"), messages);
}

#[test]
fn old_c_is_read_with_a_warning() {
    accept("int f(a, b) int a, b; { return a; }");
    for text in ["main() { return 0; }", "static x;"] {
        accept(text);
        let (_, diagnostics, _) = run(text);
        assert_eq!(diagnostics[0].message, "a declaration without a type", "{text}");
    }
    assert_eq!(
        refuse("int f(a) int b; { return a; }"),
        ["1:14 the function has no parameter of this name"]
    );
    assert_eq!(refuse("x;"), ["1:1 a declaration needs a type"]);
}

#[test]
fn brackets_that_do_not_match_show_where_they_opened() {
    let (_, diagnostics, map) = run("int f(void) {\n  if (x) {\n    y();\n  return 0;\n}\n");
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].message, "expected `}` before the end of the file");
    assert_eq!(map.location(diagnostics[0].secondary[0].span).line, 1);
    assert_eq!(refuse("int f(void) { return (1 + 2; }"), ["1:28 expected `)`, found `;`"]);
    assert_eq!(refuse("int a[3;"), ["1:8 expected `]`, found `;`"]);
    assert_eq!(refuse("}"), ["1:1 unexpected closing brace `}` outside any function"]);
}

#[test]
fn independent_errors_are_all_reported() {
    let text =
        "int f(void) { int x = ; if (a b) { c d; } for (int i = 0 i < 3; i++) { e) } return 1 }
                int g(void) { return 1 + ; }
                int h(int,) { }";
    assert_eq!(
        refuse(text),
        [
            "1:23 expected an expression, found `;`",
            "1:30 expected `)`, found `b`",
            "1:36 unknown type name `c`",
            "1:57 expected `;` after declaration",
            "1:73 expected `;` after expression",
            "1:85 expected `;` after `return`",
            "2:42 expected an expression, found `;`",
            "3:27 expected a type, found `)`",
        ]
    );
}

#[test]
fn errors_stop_at_a_bound() {
    let text = "int f(void) { return 1 + ; }\n".repeat(50);
    let messages = refuse(&text);
    assert_eq!(messages.len(), 21);
    assert_eq!(messages[20], "- too many errors; the rest is not shown");
}

#[test]
fn nesting_is_bounded_everywhere() {
    let n = 100_000;
    for text in [
        format!("int x = {}1{};", "(".repeat(n), ")".repeat(n)),
        format!("int x = {}1;", "-".repeat(n).replace("--", "- -")),
        format!("int x = {}1;", "(int)".repeat(n)),
        format!("int x = {}1;", "sizeof ".repeat(n)),
        format!("int x = 1{};", " + 1".repeat(n)),
        format!("int x = a{};", "[0]".repeat(n)),
        format!("int x = a{};", " = a".repeat(n)),
        format!("int x = a{};", " ? a : a".repeat(n)),
        format!("int x = {}a{};", "a ? ".repeat(n), " : a".repeat(n)),
        format!("int x = {}1{};", "{".repeat(n), "}".repeat(n)),
        format!("int {}x;", "*".repeat(n)),
        format!("int {}x{};", "(".repeat(n), ")".repeat(n)),
        format!("int x{};", "[1]".repeat(n)),
        format!("int f{};", "(int x".repeat(n)),
        "struct { ".repeat(n),
        format!("void f(void) {}", "{".repeat(n)),
        format!("void f(void) {{ {} }}", "if (1) ".repeat(n)),
        format!("void f(void) {{ {} }}", "if (1) ; else ".repeat(n)),
        format!("void f(void) {{ {} }}", "case 1: ".repeat(n)),
        format!("void f(void) {{ {} }}", "l: ".repeat(n)),
        format!("int x = {}", "({ ".repeat(n)),
        format!("int x = {}", "f(".repeat(n)),
        format!("{} x;", "_Atomic(".repeat(n)),
        format!("int x = {}1{};", "(".repeat(200), " + 1 + 1 + 1 + 1 + 1 + 1)".repeat(200)),
        format!("void f(void) {}", "{ int g(void) ".repeat(n)),
    ] {
        let start: String = text.chars().take(40).collect();

        let messages = refuse(&text);
        assert_eq!(messages.len(), 1, "{start}: {messages:?}");
        assert!(messages[0].contains("too"), "{start}: {messages:?}");
    }
}

#[test]
fn reasonable_nesting_is_accepted() {
    accept(&format!("int x = {}1{};", "(".repeat(100), ")".repeat(100)));
    accept(&format!("int x = 1{};", " + 1".repeat(900)));
    accept(&format!("int x[] = {{ {} }};", "1 + 1,".repeat(5000)));
    accept(&format!("void f(void) {{ {} }}", "if (1) ; else ".repeat(400) + ";"));
    accept(&format!("void f(int x) {{ switch (x) {{ {} ; }} }}", "case 1: ".repeat(600)));
}
