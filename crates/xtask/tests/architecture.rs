//! What ARCHITECTURE.md promises about the source tree: the direction of dependencies between
//! crates, the stages of passes, and that every source file opens with its purpose and stays readable
//! in size.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A source file past this many lines wants splitting.
const LONGEST_FILE: usize = 800;

/// The position of each crate in the table "Crates, and what each may not know"; crates that share
/// a row share a position.
fn layers() -> HashMap<String, usize> {
    let text = std::fs::read_to_string(xtask::root().join("ARCHITECTURE.md")).unwrap();
    let rows = text
        .lines()
        .skip_while(|line| !line.starts_with("| Crate |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let mut layers = HashMap::new();
    for (position, row) in rows.enumerate() {
        let crates = row.split('|').nth(1).unwrap();
        for name in crates.split('`').skip(1).step_by(2) {
            layers.insert(name.to_string(), position);
        }
    }
    layers
}

/// The rows of the table "Stage | When | Passes": the names in their first and third columns.
fn stages() -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(xtask::root().join("ARCHITECTURE.md")).unwrap();
    let rows = text.lines().skip_while(|line| !line.starts_with("| Stage |")).skip(2);
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(String::from).collect();
    rows.take_while(|line| line.starts_with('|'))
        .map(|row| {
            let cells: Vec<&str> = row.split('|').collect();
            let (stages, passes): (Vec<String>, Vec<String>) = (names(cells[1]), names(cells[3]));
            (stages.concat(), passes)
        })
        .collect()
}

#[test]
fn the_table_of_stages_is_the_list_of_passes() {
    let owned = |(stage, passes): (&str, Vec<&str>)| {
        (stage.to_string(), passes.into_iter().map(String::from).collect())
    };
    let listed: Vec<(String, Vec<String>)> = ir::prepare::stages().into_iter().map(owned).collect();
    assert_eq!(stages(), listed);
}

fn packages() -> Vec<serde_json::Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(xtask::root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

#[test]
fn dependencies_point_down_the_table_of_crates() {
    let layers = layers();
    assert!(layers.len() >= 10, "the table of crates was not found: {layers:?}");
    let mut wrong = Vec::new();
    for package in packages() {
        let name = package["name"].as_str().unwrap();
        if name == "xtask" {
            continue;
        }
        let Some(&from) = layers.get(name) else {
            wrong.push(format!("`{name}` is missing in the table of ARCHITECTURE.md"));
            continue;
        };
        for dependency in package["dependencies"].as_array().unwrap() {
            // The kind of a normal dependency is null; tests may depend on anything.
            if dependency["path"].is_null() || dependency["kind"] == "dev" {
                continue;
            }
            let target = dependency["name"].as_str().unwrap();
            if layers.get(target).is_none_or(|&to| to <= from) {
                wrong.push(format!("`{name}` depends on `{target}`, which is not below it"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn files_open_with_their_purpose_and_are_not_too_long() {
    let mut files = Vec::new();
    sources(&xtask::root().join("crates"), &mut files);
    assert!(files.len() > 100, "only {} source files were found", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let purpose = text.lines().next().and_then(|line| line.strip_prefix("//!"));
        if purpose.is_none_or(|purpose| purpose.trim().is_empty()) {
            wrong.push(format!("{} does not open with a `//!` line", file.display()));
        }
        let lines = text.lines().count();
        if lines > LONGEST_FILE {
            wrong.push(format!("{} has {lines} lines", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Words of the glossary's left column in CONTRIBUTING.md that have no other use in this tree.
const PRIVATE_WORDS: [&str; 9] = [
    "whoever",
    "nobody",
    "somebody",
    "mended",
    "go round",
    "goes round",
    "gone round",
    "comes to its end",
    "come to an end",
];

/// Folders in which some are left.
const STILL_PRIVATE: [&str; 4] =
    ["crates/api", "crates/encoding", "crates/engines/src/explicit", "crates/fencepost"];

/// Whether a line uses one of the words; the path of a test in another file is that file's affair.
fn private_word(line: &str) -> Option<&'static str> {
    let line = line.to_lowercase();
    if line.starts_with("//! crates/") || line.contains(" test: crates/") {
        return None;
    }
    let line = line.replace('_', " ");
    let is_whole = |at: usize, word: &str| {
        let letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
        !letter(line[..at].chars().next_back()) && !letter(line[at + word.len()..].chars().next())
    };
    let used = |word: &&&str| line.match_indices(**word).any(|(at, _)| is_whole(at, word));
    PRIVATE_WORDS.iter().find(used).copied()
}

#[test]
fn sources_use_the_words_of_the_field() {
    assert_eq!(private_word("// Nobody reads it."), Some("nobody"));
    assert_eq!(private_word("fn a_loop_goes_round_again() {"), Some("goes round"));
    assert_eq!(private_word("let mendeds = 1;"), None);
    let root = xtask::root();
    let mut files = Vec::new();
    sources(&root.join("crates"), &mut files);
    let this = root.join("crates/xtask/tests/architecture.rs");
    files.retain(|file| {
        *file != this && !STILL_PRIVATE.iter().any(|folder| file.starts_with(root.join(folder)))
    });
    assert!(files.len() > 300, "only {} source files were found", files.len());
    let mut found = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            if let Some(word) = private_word(line) {
                found.push(format!("{}:{}: `{word}`", file.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "see the glossary in CONTRIBUTING.md:\n{}", found.join("\n"));
}
