//! All examples under many random schedules: the clean ones have no finding, the broken ones the
//! finding that `examples/expected.toml` states.

use crate::root;
use fencepost::compile::{COptions, Compiled, compile_file};
use fencepost::run::{RunOptions, Summary, run_many};
use rayon::prelude::*;
use report::Style;
use std::path::Path;

/// An example and what is expected of it: `clean`, the name of a finding, or `no main`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// The path below `examples/`.
    pub path: String,
    /// What some schedule finds.
    pub expected: String,
}

/// The examples that `examples/expected.toml` lists.
pub fn expected() -> Result<Vec<Example>, String> {
    let file = root().join("examples/expected.toml");
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            entry(line).ok_or_else(|| format!("expected.toml:{}: {line}", number + 1))
        })
        .collect()
}

/// Reads `"path" = "expected"`.
fn entry(line: &str) -> Option<Example> {
    let (path, expected) = line.split_once('=')?;
    let unquote = |text: &str| text.trim().strip_prefix('"')?.strip_suffix('"').map(str::to_owned);
    Some(Example { path: unquote(path)?, expected: unquote(expected)? })
}

/// What is expected of a file that has operations for tests only.
const NO_MAIN: &str = "no main";

/// What came of an example.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Whether it is as expected.
    pub good: bool,
    /// The report.
    pub text: String,
}

/// Runs an example under a number of schedules. Whether a broken one shows its finding is asked
/// only if `must_find`: a few schedules may miss it.
pub fn check(example: &Example, schedules: u64, must_find: bool) -> Verdict {
    let path = Path::new("examples").join(&example.path);
    let bad = |text: String| Verdict { good: false, text };
    let compiled = match compile_file(&root().join(&path), &COptions::default()) {
        Ok(compiled) => compiled,
        Err(rejected) => {
            let (all, map) = (&rejected.diagnostics, &rejected.sources);
            return bad(report::diagnostics::render_all(all, map, Style::Plain));
        }
    };
    if compiled.program.entry.is_empty() || example.expected == NO_MAIN {
        let good = compiled.program.entry.is_empty() && example.expected == NO_MAIN;
        let text = if good { "compiles" } else { "has a main, or should have one" };
        return Verdict { good, text: text.to_string() };
    }
    let options = RunOptions { max_steps: 10_000_000, ..RunOptions::default() };
    let summary = run_many(&compiled.program, &options, schedules, |_| true);
    judge(example, &compiled, &summary, must_find)
}

fn judge(example: &Example, compiled: &Compiled, summary: &Summary, must_find: bool) -> Verdict {
    let bad = |text: String| Verdict { good: false, text };
    if let Some((seed, finding)) = &summary.finding {
        let name = finding.kind.name();
        if name == example.expected {
            return Verdict { good: true, text: format!("{name} (seed {seed})") };
        }
        let message = report::finding::message(finding);
        let text = message.render(&compiled.sources, Style::Plain);
        return bad(format!("{name} (seed {seed}), not {}\n{text}", example.expected));
    }
    if let Some((seed, _)) = &summary.stuck {
        return bad(format!("does not end (seed {seed})"));
    }
    if let Some((status, (count, seed))) = summary.statuses.iter().find(|(status, _)| **status != 0)
    {
        return bad(format!("{count} runs end with status {status} (first: seed {seed})"));
    }
    if example.expected != "clean" && must_find {
        return bad(format!("no schedule of {} finds {}", summary.runs, example.expected));
    }
    let average = summary.instructions / summary.runs.max(1);
    Verdict { good: true, text: format!("clean, {average} instructions on average") }
}

/// Checks all examples and prints a line for each; says whether all are as expected.
pub fn run(schedules: u64, filter: Option<&str>) -> bool {
    let mut examples = match expected() {
        Ok(examples) => examples,
        Err(error) => {
            eprintln!("{error}");
            return false;
        }
    };
    examples.retain(|example| filter.is_none_or(|filter| example.path.contains(filter)));
    let verdicts: Vec<bool> = examples
        .par_iter()
        .map(|example| {
            let verdict = check(example, schedules, true);
            let mark = if verdict.good { "ok " } else { "BAD" };
            println!("{mark} {}: {}", example.path, verdict.text);
            verdict.good
        })
        .collect();
    let bad = verdicts.iter().filter(|good| !**good).count();
    println!("{} examples under {schedules} schedules each: {bad} not as expected", verdicts.len());
    bad == 0 && !verdicts.is_empty()
}
