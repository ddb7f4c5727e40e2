//! The preprocessor against gcc's: the same tokens for every program of the corpus.
//!
//! System headers are left out of the comparison, since ours are other files than gcc's. What
//! gcc writes is read back by our own lexer. Without gcc on the machine the test has nothing to
//! compare with, and says so.

use execution::diagnostic::Severity;
use execution::span::SourceMap;
use front_c::headers::embedded;
use front_c::pp::{COptions, DiskLoader, FileLoader, MemoryLoader, preprocess};
use front_c::token::TokenKind;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const MAIN: &str = "<stdin>";

/// One text under the name that gcc gives to its standard input, and all files on the disk.
struct Overlay<'t>(&'t str);

impl FileLoader for Overlay<'_> {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path == Path::new(MAIN) { Ok(self.0.into()) } else { DiskLoader.load(path) }
    }
}

fn programs(directory: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(directory).expect("the corpus is there");
    for path in entries.map(|entry| entry.expect("a readable entry").path()) {
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
    found.sort();
}

/// The text with its system includes made blank, so that line numbers stay.
fn without_system_headers(text: &str) -> String {
    let is_system = |line: &str| {
        let words: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let header = words.strip_prefix("#include").or(words.strip_prefix("%:include"));
        header
            .is_some_and(|name| name.starts_with('<') || embedded(name.trim_matches('"')).is_some())
    };
    text.lines()
        .map(|line| if is_system(line) { "\n".into() } else { format!("{line}\n") })
        .collect()
}

fn by_gcc(text: &str, directory: &Path) -> io::Result<String> {
    let mut gcc = Command::new("gcc")
        .args(["-std=gnu11", "-E", "-P", "-w", "-x", "c", "-iquote"])
        .arg(directory)
        .arg("-")
        .env("SOURCE_DATE_EPOCH", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    gcc.stdin.take().expect("piped").write_all(text.as_bytes())?;
    let output = gcc.wait_with_output()?;
    assert!(output.status.success(), "gcc refuses the program");
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn tokens(options: &COptions, loader: &dyn FileLoader) -> Vec<TokenKind> {
    let mut map = SourceMap::new();
    let (tokens, diagnostics) = preprocess(Path::new(MAIN), options, loader, &mut map);
    let is_error = |severity| severity == Severity::Error;
    let errors: Vec<_> = diagnostics.iter().filter(|it| is_error(it.severity)).collect();
    assert!(errors.is_empty(), "{errors:?}");
    tokens.into_iter().map(|token| token.kind).collect()
}

#[test]
fn every_program_of_the_corpus_expands_as_in_gcc() {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("no gcc here: nothing to compare with");
        return;
    }
    let mut found = Vec::new();
    programs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c"), &mut found);
    assert!(found.len() > 100);
    for path in found {
        let text = std::fs::read_to_string(&path).expect("a readable program");
        let text = without_system_headers(&text);
        let directory = path.parent().expect("a file has a directory");
        let options =
            COptions { include_dirs: vec![directory.to_path_buf()], ..COptions::default() };
        let ours = tokens(&options, &Overlay(&text));
        let expanded = by_gcc(&text, directory).expect("gcc runs");
        let theirs = tokens(&COptions::default(), &MemoryLoader::new().with(MAIN, expanded));
        let differs = ours.iter().zip(&theirs).position(|(a, b)| a != b);
        let differs = differs.or((ours.len() != theirs.len()).then_some(ours.len()));
        if let Some(at) = differs {
            let window = |tokens: &[TokenKind]| {
                tokens[at.saturating_sub(8).min(tokens.len())..(at + 8).min(tokens.len())].to_vec()
            };
            panic!("{}:\nours {:?}\ngcc {:?}", path.display(), window(&ours), window(&theirs));
        }
    }
}
