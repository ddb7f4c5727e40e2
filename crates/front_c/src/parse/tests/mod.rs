//! Tests of the parser, by the shape of the tree it makes and the errors it reports.

mod declarations;
mod dump;
mod errors;
mod expressions;
mod statements;
mod tokenizer;

use super::parse;
use crate::ast::{Item, Unit};
use execution::diagnostic::{Diagnostic, Severity};
use execution::span::SourceMap;

/// Parses text, errors or not.
fn run(text: &str) -> (Unit, Vec<Diagnostic>, SourceMap) {
    let mut map = SourceMap::new();
    let file = map.add_file("test.c", text);
    let (unit, diagnostics) = parse(tokenizer::tokens(file, text), &map);
    (unit, diagnostics, map)
}

/// Parses text that is right.
fn accept(text: &str) -> Unit {
    let (unit, diagnostics, _) = run(text);
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{text}\n{errors:#?}");
    unit
}

/// The messages for text that is wrong, each with line and column.
fn refuse(text: &str) -> Vec<String> {
    let (_, diagnostics, map) = run(text);
    let place = |d: &Diagnostic| match &d.primary {
        Some(label) => {
            let location = map.location(label.span);
            format!("{}:{}", location.line, location.column)
        }
        None => "-".into(),
    };
    diagnostics.iter().map(|d| format!("{} {}", place(d), d.message)).collect()
}

/// The body of the last function in the text, as an S-expression.
fn body(text: &str) -> String {
    match accept(text).items.last() {
        Some(Item::Function(function)) => dump::block(&function.body),
        other => panic!("no function: {other:?}"),
    }
}

/// An expression, in the body of a function.
fn expr(text: &str) -> String {
    let body = body(&format!("typedef int T; void f(void) {{ {text}; }}"));
    body.strip_prefix("{").and_then(|b| b.strip_suffix("}")).expect("one statement").into()
}
