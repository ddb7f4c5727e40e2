//! The load-store language of every program that we have, C or litmus, prints and parses back to itself.

use execution::span::SourceMap;
use fencepost::compile::{COptions, compile_file};
use ir::program::Program;
use ir::text::{parse, print};
use ir::verify::verify;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// All programs below a folder.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(programs(&path));
        } else if path
            .extension()
            .is_some_and(|extension| extension == "c" || extension == "litmus")
        {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// How a file fared.
enum Fate {
    Fine,
    Refused,
    Wrong(String),
}

fn fate(path: &Path) -> Fate {
    match compile_file(path, &COptions::default()) {
        Ok(compiled) => problem(&compiled.program).map_or(Fate::Fine, Fate::Wrong),
        Err(_) => Fate::Refused,
    }
}

/// What is wrong with the language of a program, if anything is.
fn problem(program: &Program) -> Option<String> {
    if let Some(violation) = verify(program).first() {
        return Some(violation.describe(program));
    }
    let text = print(program);
    if text.lines().any(|line| line.starts_with("place #")) {
        return Some("its places are not in the order of its text".to_string());
    }
    let file = SourceMap::new().add_file("printed.fpir", &*text);
    match parse(file, &text) {
        Ok(parsed) if parsed.program == *program => None,
        Ok(_) => Some("parses back to another program".to_string()),
        Err(errors) => Some(format!("does not parse back: {}", errors[0].message)),
    }
}

/// Checks all files of some folders and gives those that were refused.
fn check(folders: &[&str]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        folders.iter().flat_map(|folder| programs(&repository().join(folder))).collect();
    assert!(!files.is_empty());
    let mut problems = Vec::new();
    files.retain(|path| match fate(path) {
        Fate::Fine => false,
        Fate::Refused => true,
        Fate::Wrong(problem) => {
            problems.push(format!("{}: {problem}", path.display()));
            false
        }
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    files
}

#[test]
fn examples_print_and_parse_back_to_themselves() {
    assert_eq!(check(&["examples"]), [] as [PathBuf; 0]);
}

#[test]
fn feature_programs_print_and_parse_back_to_themselves() {
    assert_eq!(check(&["corpus/c", "corpus/findings"]), [] as [PathBuf; 0]);
}

#[test]
fn litmus_tests_print_and_parse_back_to_themselves() {
    assert_eq!(check(&["corpus/litmus"]), [] as [PathBuf; 0]);
}
