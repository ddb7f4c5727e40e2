//! Programs made to be hard: deep, long, or checked twice at every level. Each ends soon, with a
//! program or with a message.

use execution::span::SourceMap;
use front_c::pp::{COptions, MemoryLoader};

/// Compiles a text; the messages if it is refused.
fn compile(text: &str) -> Result<(), Vec<String>> {
    let loader = MemoryLoader::new().with("hostile.c", text);
    let mut map = SourceMap::new();
    match front_c::compile("hostile.c".as_ref(), &COptions::default(), &loader, &mut map) {
        Ok(_) => Ok(()),
        Err(diagnostics) => Err(diagnostics.into_iter().map(|d| d.message).collect()),
    }
}

/// `main` that returns `inner` inside `depth` times `open … close`.
fn nested(depth: usize, open: &str, inner: &str, close: &str) -> String {
    let (open, close) = (open.repeat(depth), close.repeat(depth));
    format!(
        "#include <stdlib.h>\n#include <stdio.h>\nint a[3], x; struct s {{ int m; }};\n\
         int main(int c, char **v) {{ return {open}{inner}{close}; }}"
    )
}

#[test]
fn nothing_is_checked_twice_at_every_level() {
    for (open, inner, close) in [
        ("({ __auto_type y = ", "c", "; y; })"),
        ("(int)(long)malloc(sizeof(", "int", "))"),
        ("(int)(long)malloc(2 * sizeof(", "c", "))"),
        ("_Generic((", "1", "), int: 1, default: 2)"),
        ("_Generic(1, int: ", "1", ", default: 2)"),
        ("__builtin_choose_expr(1, ", "1", ", 2)"),
        ("__builtin_constant_p(", "1", ")"),
        ("__atomic_fetch_add(&x, ", "1", ", 5)"),
        ("__atomic_load_n(&x + ", "0", ", 5)"),
        ("(c ?: ", "0", ")"),
        ("(struct s){ ", "1", " }.m"),
        ("sizeof(", "c", ")"),
        ("a[", "c", "]"),
        ("(x += ", "c", ")"),
        ("__builtin_add_overflow(1, ", "c", ", &x)"),
        ("printf(\"%d\", ", "c", ")"),
        ("({ int y = ", "c", "; y; })"),
    ] {
        let text = nested(40, open, inner, close);
        assert_eq!(compile(&text), Ok(()), "{open}");
    }
}

#[test]
fn what_is_nested_as_deep_as_allowed_fits_on_the_stack() {
    for (depth, open, inner, close) in [
        (240, "(", "c", ")"),
        (240, "-", " c", ""),
        (240, "(int)", "c", ""),
        (120, "a[", "c", "]"),
        (80, "({ int y = ", "c", "; y; })"),
        (240, "c ? c : ", "c", ""),
        (240, "x = ", "c", ""),
        (990, "c + ", "c", ""),
        (990, "c && ", "c", ""),
        (40, "({ if (c) { ", "c", "; } c; })"),
    ] {
        let text = nested(depth, &open.replace('-', "- "), inner, close);
        assert_eq!(compile(&text), Ok(()), "{open}");
    }
    for (depth, open, close) in [
        (120, "{", "}"),
        (120, "if (c) ", ";"),
        (900, "if (c) ; else ", ";"),
        (120, "while (c) ", ";"),
        (60, "switch (c) { default: ", "; }"),
    ] {
        let close =
            if close == ";" { ";".to_string() } else { format!(";{}", close.repeat(depth)) };
        let text =
            format!("int main(int c, char **v) {{ {}{close} return 0; }}", open.repeat(depth));
        assert_eq!(compile(&text), Ok(()), "{open}");
    }
}

#[test]
fn long_programs_take_time_in_proportion() {
    let many = |piece: fn(usize) -> String| (0..2_000).map(piece).collect::<String>();
    let body = |text: String| format!("int main(int c, char **v) {{ {text} return 0; }}");
    for text in [
        body(many(|i| format!("c += {i}; "))),
        body(many(|i| format!("int v{i} = c; "))),
        body(many(|i| format!("if (c == {i}) goto l{i}; l{i}: c++; "))),
        body(many(|_| "while (c) c--; ".into())),
        body(format!("switch (c) {{ {} }}", many(|i| format!("case {i}: c++; break; ")))),
        many(|i| format!("int f{i}(int x) {{ return x + {i}; }} ")),
        many(|i| format!("struct s{i} {{ int x; }}; struct s{i} v{i} = {{ {i} }}; ")),
        format!("int a[] = {{ {} }};", many(|i| format!("[{i}] = {i}, "))),
        format!("char *s = {};", many(|_| "\"abcdefgh\" ".into())),
        "typedef int t0; ".to_string() + &many(|i| format!("typedef t{i} *t{}; ", i + 1)),
        "typedef int t0; ".to_string() + &many(|i| format!("typedef t{i} t{}[1]; ", i + 1)),
        "struct s0 { int x; }; ".to_string()
            + &many(|i| format!("struct s{} {{ struct s{i} x; }}; ", i + 1)),
    ] {
        assert_eq!(compile(&text), Ok(()), "{}", &text[..40]);
    }
}

#[test]
fn objects_that_no_machine_holds_are_refused() {
    for text in [
        "int a[1L << 61];",
        "int a[1000][1000][1000][1000][1000][1000][1000];",
        "int a[1 << 28] = { [0 ... (1 << 28) - 1] = 1 };",
        "struct s { char a[1L << 62]; char b[1L << 62]; char c[1L << 62]; } x;",
    ] {
        let messages = compile(text).expect_err(text);
        assert!(messages.iter().any(|m| m.contains("too large")), "{text}: {messages:?}");
    }
}
