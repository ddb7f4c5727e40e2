//! What the documentation shows is what happens: its commands are run and their output compared.
//!
//! In every Markdown file of `docs/`, a fenced block that is marked `console` holds commands (lines
//! that begin with `$ `), each followed by what it prints; a line `...` stands for any number of
//! lines. A block marked `title=FILE` is a file that the commands of the same page find in their
//! folder, beside the repository's `examples`. In the README, `cargo run --release --` is how one
//! says `fencepost` before it is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A fenced block of a Markdown file.
struct Fence {
    line: usize,
    info: String,
    text: String,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn fences(markdown: &str) -> Vec<Fence> {
    let mut fences = Vec::new();
    let mut open: Option<Fence> = None;
    for (index, line) in markdown.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                open = Some(Fence { line: index + 1, info: info.to_string(), text: String::new() });
            }
            (Some(_), Some(_)) => fences.extend(open.take()),
            (Some(fence), None) => fence.text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fenced block has no end");
    fences
}

/// Commands with the output that is shown for them.
fn commands(console: &str) -> Vec<(&str, Vec<&str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in console.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, Vec::new())),
            (None, Some((_, output))) => output.push(line),
            (None, None) => panic!("output before the first command: {line}"),
        }
    }
    commands
}

/// Whether lines match a pattern in which `...` stands for any number of lines.
fn matches(pattern: &[&str], lines: &[&str]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|skip| matches(rest, &lines[skip..])),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, lines)| first == line && matches(rest, lines))
        }
    }
}

/// Runs a command after one that ended with `status`; gives its output and status.
fn run(command: &str, folder: &Path, status: i32) -> (String, i32) {
    let binary = Path::new(env!("CARGO_BIN_EXE_fencepost")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("exec 2>&1; (exit {status}); {command}"))
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder)
        .env("PATH", format!("{}:{path}", binary.display()))
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text, output.status.code().unwrap_or(-1))
}

fn check_page(page: &Path, failures: &mut Vec<String>) -> usize {
    let markdown = fs::read_to_string(page).expect("a page");
    let folder = tempfile::tempdir().expect("a folder");
    let examples = repository().join("examples");
    std::os::unix::fs::symlink(examples, folder.path().join("examples")).expect("a link");
    let mut count = 0;
    for fence in fences(&markdown) {
        let title = fence.info.split_whitespace().find_map(|word| word.strip_prefix("title="));
        if let Some(title) = title {
            fs::write(folder.path().join(title), &fence.text).expect("written");
        }
        if fence.info != "console" {
            continue;
        }
        let mut status = 0;
        for (command, expected) in commands(&fence.text) {
            if command.starts_with("cargo test") {
                continue;
            }
            let command = &command.replace("cargo run --release --", "fencepost");
            let (output, new_status) = run(command, folder.path(), status);
            status = new_status;
            count += 1;
            let lines: Vec<&str> = output.trim_end().lines().map(str::trim_end).collect();
            if !matches(&expected, &lines) {
                let place = format!("{}:{}", page.display(), fence.line);
                failures.push(format!("{place}: `{command}` prints\n{output}"));
            }
        }
    }
    count
}

#[test]
fn commands_in_the_documentation_do_what_is_shown() {
    let mut pages: Vec<PathBuf> = fs::read_dir(repository().join("docs"))
        .expect("the folder of the documentation")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages.push(repository().join("README.md"));
    let mut failures = Vec::new();
    let count: usize = pages.iter().map(|page| check_page(page, &mut failures)).sum();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count > 0, "the documentation shows no command");
}

#[test]
fn every_page_is_in_the_summary_and_every_link_leads_somewhere() {
    let docs = repository().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).expect("the summary");
    for entry in fs::read_dir(&docs).expect("the folder of the documentation") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_string();
        if !name.ends_with(".md") {
            continue;
        }
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name}");
        let text = fs::read_to_string(&path).expect("a page");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            let outside = target.starts_with("http");
            assert!(outside || file.is_empty() || docs.join(file).exists(), "{name}: {target}");
        }
    }
}
