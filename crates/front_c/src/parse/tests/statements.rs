//! Statements, labels and assembly.

use super::{accept, body};
use crate::ast::Item;

#[test]
fn every_statement_of_c() {
    for (text, expected) in [
        ("if (a) b; else if (c) d; else e;", "(if a b (if c d e))"),
        ("if (a) if (b) c; else d;", "(if a (if b c d))"),
        ("while (a) { b; }", "(while a {b})"),
        ("do a; while (b);", "(do a b)"),
        ("for (;;) ;", "(for () () () ())"),
        (
            "for (int i = 0, j; i < 3; i++) j;",
            "(for (i is int = 0) (j is int) (Lt i 3) (post++ i) j)",
        ),
        ("for (a; b; c) continue;", "(for a b c (continue))"),
        (
            "switch (a) { case 1: case 2 ... 4: b; break; default: c; }",
            "(switch a {(case 1 (case 2...4 b)) (break) (default c)})",
        ),
        ("again: a; goto again;", "(again: a) (goto again)"),
        ("goto *p;", "(goto* p)"),
        ("return;", "(return)"),
        ("return a;", "(return a)"),
        ("_Static_assert(1);", "(assert 1)"),
        ("int g(void) { return 1; }", "(nested {(return 1)})"),
        ("__fp_atomic { a; }", "(atomic {a})"),
        (
            "switch (a) { case 1: __attribute__((fallthrough)); case 2: }",
            "(switch a {(case 1 ()) (case 2 ())})",
        ),
        ("l: int x;", "(l: ()) (x is int)"),
        ("__auto_type x = 1;", "(x is auto = 1)"),
    ] {
        assert_eq!(
            body(&format!("void f(void) {{ {text} }}")),
            format!("{{{expected}}}"),
            "{text}"
        );
    }
}

#[test]
fn assembly_keeps_its_parts() {
    for (text, expected) in [
        ("asm(\"nop\");", "(asm \"nop\" [] [] [])"),
        ("__asm__ __volatile__(\"\" ::: \"memory\");", "(asm volatile \"\" [] [] [\"memory\"])"),
        (
            "asm volatile inline(\"a\" \"b\" : [out] \"=r\"(x), \"+m\"(*p) : \"0\"(y) : \"cc\", \"memory\");",
            "(asm volatile \"ab\" [\"=r\"(x) \"+m\"((* p))] [\"0\"(y)] [\"cc\" \"memory\"])",
        ),
        ("asm goto(\"\" : : \"r\"(x) : : out);", "(asm goto \"\" [] [\"r\"(x)] [])"),
    ] {
        assert_eq!(
            body(&format!("void f(void) {{ {text} }}")),
            format!("{{{expected}}}"),
            "{text}"
        );
    }
    assert!(matches!(accept("asm(\".globl f\");").items[..], [Item::Asm(_)]));
}

#[test]
fn local_labels_are_local_to_their_block() {
    let text =
        "void f(void) { { __label__ l; goto l; l: ; } { __label__ l; l: goto l; } l: goto l; }";
    assert_eq!(body(text), "{{(goto l.1) (l.1: ())} {(l.2: (goto l.2))} (l: (goto l))}");
}
