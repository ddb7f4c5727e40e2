//! Arbitrary text: the reader ends, without a panic, in a model or in a message with a place.

use models::{Model, library};
use proptest::prelude::*;

const WORDS: &[&str] = &[
    "let",
    "rec",
    "and",
    "in",
    "fun",
    "match",
    "with",
    "end",
    "if",
    "then",
    "else",
    "try",
    "acyclic",
    "empty",
    "irreflexive",
    "flag",
    "show",
    "as",
    "include",
    "procedure",
    "call",
    "enum",
    "instructions",
    "forall",
    "do",
    "from",
    "not",
    "po",
    "rf",
    "co",
    "W",
    "R",
    "x",
    "y",
    "f",
    "'a",
    "\"s\"",
    "\"cos.cat\"",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    "||",
    "&",
    "\\",
    ";",
    "*",
    "+",
    "++",
    "?",
    "^-1",
    "~",
    "->",
    "=",
    ",",
    "0",
    "_",
    "domain",
    "linearisations",
    "map",
];

fn read(text: &str) {
    if let Err(error) = Model::from_text("fuzz.cat", text) {
        let place = error.diagnostic.primary.expect("a place").span;
        assert!(error.sources.file(place.file).text.len() >= place.start as usize);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text(text in "\\PC{0,60}") {
        read(&text);
    }

    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        read(&words.join(" "));
    }

    /// Library models with parts cut out, doubled or swapped.
    #[test]
    fn damaged_models(
        entry in prop::sample::select(library::ENTRIES),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..30), 1..4),
        insert in prop::sample::select(WORDS),
    ) {
        let mut chars: Vec<char> = entry.text.chars().collect();
        for (at, length) in cuts {
            let at = at.index(chars.len());
            let end = (at + length).min(chars.len());
            chars.splice(at..end, insert.chars());
        }
        read(&chars.into_iter().collect::<String>());
    }
}

#[test]
fn deep_nesting_is_refused() {
    for unit in ["(", "[", "~", "fun x -> ", "let x = ", "if \"a\" then ", "{", "match "] {
        read(&format!("let r = {}", unit.repeat(100_000)));
    }
    read(&format!("let r = po{}", "?".repeat(100_000)));
    read(&format!("let r = po{}", " | po".repeat(100_000)));
    read(&format!("let r = po{}", "; (po)".repeat(20_000)));
    read(&"(*".repeat(100_000));
    read(&"procedure p(x) = ".repeat(10_000));
    read(&"let f x = x\n".repeat(20_000));
}
