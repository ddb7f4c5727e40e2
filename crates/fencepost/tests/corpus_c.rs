//! Every program of `corpus/c` does in the stepper what it does when gcc compiles it.
//!
//! A program's recorded output stands beside it: what it prints, then its status as `[exit N]`.
//! With gcc on the machine the program is also compiled and run afresh, and both the stepper and
//! the record must agree with that. The programs in `fencepost/` use our own headers, which gcc
//! does not have; they have only their record. With `RECORD=1` in the environment what gcc's
//! programs print is recorded instead of compared.

use fencepost::compile::{COptions, compile_file};
use fencepost::run::{Output, RunEnd, RunOptions, Stream, run};
use libtest_mimic::{Arguments, Failed, Trial};
use report::{Style, diagnostics};
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c");
    let has_gcc = Command::new("gcc").arg("--version").output().is_ok();
    let trials = programs(&root)
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap_or(&path).with_extension("");
            let with_gcc = has_gcc && !name.starts_with("fencepost");
            Trial::test(name.display().to_string(), move || check(&path, with_gcc))
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn programs(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(directory).expect("the corpus is there");
    for path in entries.map(|entry| entry.expect("a readable entry").path()) {
        if path.is_dir() {
            found.extend(programs(&path));
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn check(path: &Path, with_gcc: bool) -> Result<(), Failed> {
    let record = path.with_extension("expected");
    if with_gcc && std::env::var_os("RECORD").is_some() {
        std::fs::write(&record, by_gcc(path)?)?;
    }
    let recorded = std::fs::read_to_string(&record)?;
    if with_gcc {
        agree("gcc", &by_gcc(path)?, "the record", &recorded)?;
    }
    agree("the stepper", &by_stepper(path)?, "the record", &recorded)
}

fn agree(name: &str, text: &str, other_name: &str, other: &str) -> Result<(), Failed> {
    if text == other {
        return Ok(());
    }
    let mut lines = text.lines().zip(other.lines()).enumerate();
    let first = lines.find(|(_, (a, b))| a != b);
    let (line, (a, b)) = first.unwrap_or((text.lines().count(), ("the end", "more lines")));
    Err(format!("line {}: {name} says `{a}`, {other_name} says `{b}`", line + 1).into())
}

/// What is recorded of a run.
fn record(mut output: String, status: i32) -> String {
    if !output.is_empty() && !output.ends_with('\n') {
        output.push('\n');
    }
    output + &format!("[exit {status}]\n")
}

/// Keeps what a program prints to its standard output.
#[derive(Default)]
struct Standard(Vec<u8>);

impl Output for Standard {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        if stream == Stream::Stdout {
            self.0.extend_from_slice(bytes);
        }
    }
}

fn by_stepper(path: &Path) -> Result<String, Failed> {
    let compiled = compile_file(path, &COptions::default()).map_err(|rejected| {
        diagnostics::render_all(&rejected.diagnostics, &rejected.sources, Style::Plain)
    })?;
    let options = RunOptions { args: vec![path.display().to_string()], ..RunOptions::default() };
    let mut output = Standard::default();
    let outcome = run(&compiled.program, &options, &mut output);
    let text = String::from_utf8_lossy(&output.0).into_owned();
    match outcome {
        RunEnd::Exited(status) => Ok(record(text, status & 0xff)),
        other => Err(format!("after printing\n{text}\n{other:#?}").into()),
    }
}

fn by_gcc(path: &Path) -> Result<String, Failed> {
    let directory = tempfile::tempdir()?;
    let binary = directory.path().join("program");
    let built = Command::new("gcc")
        .args(["-std=gnu11", "-pthread", "-w", "-o"])
        .args([&binary, path])
        .args(["-latomic", "-lm"])
        .output()?;
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into_owned().into());
    }
    let ran = Command::new(&binary).output()?;
    let status = ran.status.code().ok_or("a signal ended the program")?;
    Ok(record(String::from_utf8_lossy(&ran.stdout).into_owned(), status))
}
