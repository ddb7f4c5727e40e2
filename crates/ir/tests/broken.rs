//! Every file of `broken/` is refused for the rule, and with the sentence, that it states.

use execution::ids::Id;
use execution::span::FileId;
use ir::text::{parse, print};
use ir::verify::{Rule, verify};
use std::collections::BTreeSet;
use std::path::PathBuf;

fn files() -> Vec<(PathBuf, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/broken");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of broken files")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a text");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// What the comment line that begins with `key` says.
fn stated<'t>(text: &'t str, key: &str) -> &'t str {
    text.lines().find_map(|line| line.strip_prefix(key)).expect("a line that says what is wrong")
}

#[test]
fn each_file_breaks_the_stated_rule_and_no_other() {
    for (path, text) in files() {
        let parsed = parse(FileId::new(0), &text)
            .unwrap_or_else(|errors| panic!("{}: {errors:#?}", path.display()));
        let violations = verify(&parsed.program);
        let found: Vec<String> =
            violations.iter().map(|v| format!("{}: {}", v.rule, v.message)).collect();
        let expected = format!("{}: {}", stated(&text, "; rejects: "), stated(&text, "; says: "));
        assert_eq!(found, [expected], "{}", path.display());
        let diagnostic = violations[0].diagnostic(&parsed.spans);
        assert!(diagnostic.primary.is_some(), "{} has no caret", path.display());
    }
}

#[test]
fn every_rule_has_a_file() {
    let stated: BTreeSet<String> =
        files().iter().map(|(_, text)| stated(text, "; rejects: ").to_string()).collect();
    let all: BTreeSet<String> = (1..=Rule::COUNT).map(|n| Rule(n).to_string()).collect();
    assert_eq!(stated, all);
}

#[test]
fn the_documentation_states_every_rule() {
    let documentation = include_str!("../src/verify/mod.rs");
    for number in 1..=Rule::COUNT {
        assert!(documentation.contains(&format!("//! - **{}** ", Rule(number))), "W{number}");
    }
    assert!(!documentation.contains(&format!("**{}**", Rule(Rule::COUNT + 1))));
}

#[test]
fn broken_programs_print_back_too() {
    for (path, text) in files() {
        // Of two things with the same name, the text form can only refer to the first.
        let program = parse(FileId::new(0), &text).expect("a program").program;
        let again = parse(FileId::new(0), &print(&program)).expect("a program").program;
        assert_eq!(program, again, "{}", path.display());
    }
}
