//! The register of approximations in SOUNDNESS.md, generated from the heads of the files that make
//! them.
//!
//! An entry is a paragraph of a head comment (`//!` in Rust, any comment in the embedded C headers
//! and the cat library):
//!
//! ```text
//! Soundness S-NNN (verify; sc, tso; misses): One sentence. Test: crates/x/tests/y.rs::name.
//! ```
//!
//! In parentheses stand the commands, the models and the directions in which an answer errs:
//! `misses` (a bug may not be reported), `cries wolf` (a report may be false) and `refuses` (no
//! verdict). A test is a function, a folder or file of `corpus` or `examples` whose expectations
//! tests compare, or the word `untested`. Entries with one id, or without one of these parts, are
//! errors.

use crate::papers::write::replaced_between;
use crate::root;
use clap::Args;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

/// What to do with the register.
#[derive(Args)]
pub struct SoundnessOptions {
    /// Write the register into SOUNDNESS.md instead of comparing it
    #[arg(long)]
    write: bool,
}

const BEGIN: &str = "<!-- written by `cargo run -p xtask -- soundness --write`: -->";
const END: &str = "<!-- end of what is written -->";
const COMMANDS: &[&str] = &[
    "all",
    "check",
    "cycles",
    "instrument",
    "litmus",
    "models",
    "murphi",
    "prove",
    "replay",
    "run",
    "verify",
];
const DIRECTIONS: &[&str] = &["misses", "cries wolf", "refuses"];

/// Groups of models that an entry may name besides models of the library.
const GROUPS: &[&str] = &["all", "languages", "machines", "own", "weak"];

/// One approximation, bound or refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number: `S-017` is 17.
    pub id: u32,
    /// The commands whose answers it concerns.
    pub commands: Vec<String>,
    /// The models, or groups of models, on which it does.
    pub models: Vec<String>,
    /// In which directions an answer may err.
    pub directions: Vec<String>,
    /// What is approximated.
    pub sentence: String,
    /// The tests that show it; none if it says `untested`.
    pub tests: Vec<String>,
    /// The file that has it, from the root of the repository.
    pub file: String,
}

/// Writes or compares the register in SOUNDNESS.md; whether there is nothing to complain about.
pub fn run(options: &SoundnessOptions) -> bool {
    let (entries, mut errors) = collect(&root());
    let path = root().join("SOUNDNESS.md");
    match (std::fs::read_to_string(&path), options.write) {
        (Err(error), _) => errors.push(format!("SOUNDNESS.md: {error}")),
        (Ok(text), true) => match page(&text, &entries) {
            Ok(new) => {
                let written = std::fs::write(&path, new);
                errors.extend(written.err().map(|error| format!("SOUNDNESS.md: {error}")));
            }
            Err(error) => errors.push(error),
        },
        (Ok(text), false) => errors.extend(difference(&text, &entries)),
    }
    for error in &errors {
        eprintln!("{error}");
    }
    println!("{}", summary(&entries));
    errors.is_empty()
}

/// All entries of the source tree in the order of their ids, and what is wrong with them.
pub fn collect(root: &Path) -> (Vec<Entry>, Vec<String>) {
    let (mut entries, mut errors) = (Vec::new(), Vec::new());
    let mut files = Vec::new();
    sources(&root.join("crates"), &mut files);
    for path in files {
        let name = path.strip_prefix(root).expect("a file below the root").display().to_string();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                errors.push(format!("{name}: {error}"));
                continue;
            }
        };
        for paragraph in paragraphs(&text, name.ends_with(".rs")) {
            match parse(&paragraph, &name) {
                Ok(entry) => entries.push(entry),
                Err(error) => errors.push(format!("{name}: {error}: {paragraph}")),
            }
        }
    }
    entries.sort_by_key(|entry| entry.id);
    let mut owners = HashMap::new();
    let mut texts = HashMap::new();
    for entry in &entries {
        let (id, file) = (entry.id, &entry.file);
        if let Some(other) = owners.insert(id, file) {
            errors.push(format!("{file}: S-{id:03} is also an entry of {other}"));
        }
        for model in &entry.models {
            let cat = root.join("crates/models/library").join(format!("{model}.cat"));
            if !GROUPS.contains(&model.as_str()) && !cat.exists() {
                errors.push(format!("{file}: S-{id:03} names the unknown model `{model}`"));
            }
        }
        for test in &entry.tests {
            if let Err(error) = find_test(root, test, &mut texts) {
                errors.push(format!("{file}: S-{id:03}: {error}"));
            }
        }
    }
    (entries, errors)
}

/// Files that may have entries.
fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| ["rs", "h", "cat"].iter().any(|e| end == *e)) {
            found.push(path);
        }
    }
    found.sort();
}

/// The paragraphs of comments that begin like an entry, each on one line. An entry ends at an empty
/// line or where its comment ends.
fn paragraphs(text: &str, rust: bool) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let (content, last) = if rust {
            (line.strip_prefix("//!").unwrap_or_default().trim(), false)
        } else {
            let marks: &[_] = &['/', '*', '(', ')', ' '];
            let content = line.trim_start_matches(marks);
            let end = content.find("*/").or(content.find("*)"));
            (content[..end.unwrap_or(content.len())].trim(), end.is_some())
        };
        if is_entry(content) {
            found.push(content.to_string());
            open = true;
        } else if content.is_empty() {
            open = false;
        } else if open {
            let entry = found.last_mut().expect("the entry that is open");
            entry.push(' ');
            entry.push_str(content);
        }
        open &= !last;
    }
    found
}

fn is_entry(content: &str) -> bool {
    let digits = content.strip_prefix("Soundness S-");
    digits.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

/// Reads one entry.
fn parse(paragraph: &str, file: &str) -> Result<Entry, String> {
    let rest = paragraph.strip_prefix("Soundness S-").expect("the beginning of an entry");
    let (id, rest) = rest.split_once(" (").ok_or("`(` is missing after the id")?;
    let id = id.parse().map_err(|_| format!("`{id}` is not a number"))?;
    let (scope, rest) = rest.split_once("):").ok_or("`):` is missing after the directions")?;
    let parts: Vec<Vec<String>> = scope.split(';').map(list).collect();
    let [commands, models, directions] = <[_; 3]>::try_from(parts)
        .map_err(|_| "commands, models and directions are separated by `;`")?;
    let known = |words: &[String], known: &[&str], what: &str| {
        let unknown = words.iter().find(|word| !known.contains(&word.as_str()));
        match (words.is_empty(), unknown) {
            (true, _) => Err(format!("no {what} is named")),
            (_, Some(word)) => Err(format!("`{word}` is not a {what}")),
            _ => Ok(()),
        }
    };
    known(&commands, COMMANDS, "command")?;
    known(&directions, DIRECTIONS, "direction")?;
    if models.is_empty() {
        return Err("no model is named".to_string());
    }
    let (sentence, tests) = rest.rsplit_once("Test: ").ok_or("`Test:` is missing")?;
    let tests = list(tests.trim().trim_end_matches('.'));
    let untested = tests.iter().any(|test| test == "untested");
    if tests.is_empty() || untested && tests.len() > 1 {
        return Err("either tests or `untested` must be named".to_string());
    }
    let sentence = sentence.trim().to_string();
    if !sentence.ends_with('.') {
        return Err("the sentence does not end".to_string());
    }
    let tests = if untested { Vec::new() } else { tests };
    Ok(Entry { id, commands, models, directions, sentence, tests, file: file.to_string() })
}

fn list(text: &str) -> Vec<String> {
    text.split(',').map(|word| word.trim().to_string()).filter(|word| !word.is_empty()).collect()
}

/// Whether a test exists: a function in a file of Rust, or data that tests read.
fn find_test(root: &Path, test: &str, texts: &mut HashMap<String, String>) -> Result<(), String> {
    let Some((file, name)) = test.split_once("::") else {
        let data = ["corpus/", "examples/", "crates/ir/tests/broken/"];
        return match data.iter().any(|folder| test.starts_with(folder)) {
            false => Err(format!("`{test}` is neither a function nor data of a test")),
            true if root.join(test).exists() => Ok(()),
            true => Err(format!("`{test}` does not exist")),
        };
    };
    if !texts.contains_key(file) {
        let text = std::fs::read_to_string(root.join(file));
        texts.insert(file.to_string(), text.map_err(|error| format!("{file}: {error}"))?);
    }
    match texts[file].contains(&format!("fn {name}(")) {
        true => Ok(()),
        false => Err(format!("{file} has no function `{name}`")),
    }
}

/// The page with the register of these entries.
pub fn page(text: &str, entries: &[Entry]) -> Result<String, String> {
    let register = format!("{}\n\n{}", summary(entries), table(entries));
    replaced_between(text, (BEGIN, END), &register)
        .ok_or_else(|| "SOUNDNESS.md has no place for the register".to_string())
}

/// What to say of a page that is not as it would be generated.
pub fn difference(text: &str, entries: &[Entry]) -> Option<String> {
    match page(text, entries) {
        Ok(new) if new == text => None,
        Ok(_) => Some(
            "the register of SOUNDNESS.md is not that of the source files; run `cargo run -p xtask \
             -- soundness --write`"
                .to_string(),
        ),
        Err(error) => Some(error),
    }
}

fn summary(entries: &[Entry]) -> String {
    let count = |direction: &str| {
        entries.iter().filter(|entry| entry.directions.iter().any(|d| d == direction)).count()
    };
    let untested = entries.iter().filter(|entry| entry.tests.is_empty()).count();
    format!(
        "{} entries: {} may miss a bug, {} may cry wolf, {} give no verdict (an entry may do \
         several); {untested} untested.",
        entries.len(),
        count("misses"),
        count("cries wolf"),
        count("refuses"),
    )
}

/// A table for each set of commands, and below them where the files are. A row names files and tests
/// as shortly as they can be told apart, and models only if they are not all, so that it reads as one.
fn table(entries: &[Entry]) -> String {
    let mut files: Vec<&str> = entries.iter().map(|entry| entry.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let mut tests: Vec<&str> =
        entries.iter().flat_map(|entry| &entry.tests).map(String::as_str).collect();
    tests.sort_unstable();
    tests.dedup();
    let mut sections: Vec<(String, String)> = Vec::new();
    for entry in entries {
        let heading = match &entry.commands.join(", ")[..] {
            "all" => "All commands".to_string(),
            commands => format!("`{}`", commands.replace(", ", "`, `")),
        };
        let at = sections.iter().position(|(known, _)| *known == heading).unwrap_or_else(|| {
            sections.push((heading, String::new()));
            sections.len() - 1
        });
        sections[at].1 += &row(entry, &files, &tests);
    }
    let mut text = String::new();
    for (heading, rows) in sections {
        write!(
            text,
            "### {heading}\n\n| Id | What | Direction | Models | File | Test |\n\
             | --- | --- | --- | --- | --- | --- |\n{rows}\n"
        )
        .expect("a string can be written to");
    }
    for file in &files {
        writeln!(text, "[{}]: {file}", short(file, &files)).expect("a string can be written to");
    }
    text
}

fn row(entry: &Entry, files: &[&str], tests: &[&str]) -> String {
    let named: Vec<String> =
        entry.tests.iter().map(|test| format!("`{}`", short(test, tests))).collect();
    let named = if named.is_empty() { "**untested**".to_string() } else { named.join(", ") };
    let models = if entry.models == ["all"] { String::new() } else { entry.models.join(", ") };
    format!(
        "| S-{:03} | {} | {} | {models} | [{}] | {named} |\n",
        entry.id,
        entry.sentence.replace('|', "\\|"),
        entry.directions.join(", "),
        short(&entry.file, files),
    )
}

/// The shortest end of a path that no other of these has: the name of a function, or a file with as
/// many folders as it takes. What many files are called says nothing alone.
fn short<'t>(target: &'t str, all: &[&str]) -> &'t str {
    const SAYS_NOTHING: [&str; 4] = ["mod.rs", "lib.rs", "main.rs", "tests.rs"];
    let ends = target.rmatch_indices(['/', ':']).map(|(at, _)| &target[at + 1..]);
    let is_only = |end: &&str| {
        let mut others = all.iter().filter(|other| **other != target);
        let same =
            |other: &&str| other.strip_suffix(end).is_some_and(|rest| rest.ends_with(['/', ':']));
        !SAYS_NOTHING.contains(end) && !others.any(same)
    };
    let mut ends = ends.filter(|end| !end.is_empty() && !end.starts_with(':'));
    ends.find(is_only).unwrap_or(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "Soundness S-017 (verify, check; sc, tso; misses): Stops at `a | b`. Test: \
                         crates/x/tests/y.rs::name.";

    #[test]
    fn an_entry_is_read_from_the_comments_of_each_language() {
        let expected = [ENTRY.to_string()];
        let rust = "//! Purpose.\n//!\n//! Soundness S-017 (verify, check; sc, tso; misses): Stops at\n\
                    //! `a | b`. Test: crates/x/tests/y.rs::name.\n//!\n//! More.\nuse x;\n";
        assert_eq!(paragraphs(rust, true), expected);
        let c = "/* Soundness S-017 (verify, check; sc, tso; misses): Stops at `a | b`.\n * Test: \
                 crates/x/tests/y.rs::name. */\n\nint f(void);\n";
        assert_eq!(paragraphs(c, false), expected);
        let cat = "(* Soundness S-017 (verify, check; sc, tso; misses): Stops at `a | b`.\n   Test: \
                   crates/x/tests/y.rs::name. *)\n\nlet a = b\n";
        assert_eq!(paragraphs(cat, false), expected);
    }

    #[test]
    fn a_name_is_as_short_as_it_can_be_told_from_others() {
        let all = ["crates/a/src/x.rs", "crates/b/src/x.rs", "crates/a/src/y/mod.rs"];
        assert_eq!(all.map(|file| short(file, &all)), ["a/src/x.rs", "b/src/x.rs", "y/mod.rs"]);
        let tests = ["crates/a/x.rs::works", "crates/a/x.rs::fails", "crates/b/x.rs::works"];
        let expected = ["a/x.rs::works", "fails", "b/x.rs::works"];
        assert_eq!(tests.map(|test| short(test, &tests)), expected);
    }

    #[test]
    fn an_entry_has_all_its_parts() {
        let entry = parse(ENTRY, "crates/x/src/y.rs").unwrap();
        assert_eq!((entry.id, entry.commands.len(), entry.models.len()), (17, 2, 2));
        assert_eq!(entry.directions, ["misses"]);
        assert_eq!(entry.sentence, "Stops at `a | b`.");
        assert_eq!(entry.tests, ["crates/x/tests/y.rs::name"]);
        assert!(table(&[entry]).contains("| Stops at `a \\| b`. | misses | sc, tso |"));
        for (wrong, message) in [
            ("Soundness S-1 (verify; sc; ): A. Test: x::y.", "no direction is named"),
            ("Soundness S-1 (verify; sc; errs): A. Test: x::y.", "`errs` is not a direction"),
            ("Soundness S-1 (proof; sc; misses): A. Test: x::y.", "`proof` is not a command"),
            ("Soundness S-1 (verify; sc; misses): A.", "`Test:` is missing"),
            (
                "Soundness S-1 (verify; misses): A. Test: x::y.",
                "commands, models and directions are separated by `;`",
            ),
        ] {
            assert_eq!(parse(wrong, "y.rs").unwrap_err(), message);
        }
        let untested =
            parse("Soundness S-1 (run; sc; misses): A. Test: untested.", "y.rs").unwrap();
        assert!(table(&[untested]).contains("**untested**"));
    }
}
