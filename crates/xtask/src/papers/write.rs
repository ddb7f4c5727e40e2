//! The files in which the tables are kept.

use crate::root;
use std::process::Command;

/// What stands around the table in the README.
const BEGIN: &str = "<!-- written by `cargo run --release -p xtask -- papers`: -->";
const END: &str = "<!-- end of what is written -->";

const HEAD: &str = "# The papers' results, reproduced

    cargo run --release -p xtask -- papers

runs what CAV 2006 (*Bounded Model Checking of Concurrent Data Types on Relaxed Memory Models: A
Case Study*) and PLDI 2007 (*CheckFence*) report, on our own versions of the five implementations
([examples/](../examples/README.md)), and writes this file. `--only NAME…` and `--quick` run parts
and write nothing; `--resume` goes on with a run that was broken off.

Of the papers' own figures we quote those of which we are certain: 886 seconds for Tpc6 and about
an hour for Dq, on the machines of 2007 and on smaller code. The rest of their tables is left out
rather than copied from memory.

Every execution that shows a failure is replayed by the stepper and accepted by the model's
evaluator before it counts. *Loads* and *stores* are the shared accesses of the unrolled test;
*rounds* is how often loops were extended; *solver* and *outside* are processor seconds in the SAT
solver (all rounds) and in everything else (serial executions, unrolling, encoding); MiB is the
most memory that the process had.
";

/// Writes `benchmarks/papers.md`.
pub fn benchmarks(parts: &[&str], limit: u64) -> Result<(), String> {
    let when = today();
    let text = format!(
        "{HEAD}\nMeasured on {when}, one run each, {limit} processor seconds for each cell, on two \
         virtual cores that other jobs shared.\n\n{}",
        parts.join("\n")
    );
    let path = root().join("benchmarks/papers.md");
    std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Puts the short table into the README.
pub fn readme(table: &str) -> Result<(), String> {
    let path = root().join("README.md");
    let failed = |what: String| format!("{}: {what}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|e| failed(e.to_string()))?;
    let text = replaced_between(&text, (BEGIN, END), table)
        .ok_or_else(|| failed("has no place for it".to_string()))?;
    std::fs::write(&path, text).map_err(|e| failed(e.to_string()))
}

/// A text with a table between two marks.
pub(crate) fn replaced_between(
    text: &str,
    (begin, end): (&str, &str),
    table: &str,
) -> Option<String> {
    let (before, rest) = text.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n\n{table}\n{end}{after}"))
}

/// The system's date.
pub(crate) fn today() -> String {
    let output = Command::new("date").args(["-u", "+%-d %B %Y"]).env("LC_ALL", "C").output();
    let text = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or_else(|| "an unknown day".to_string(), |text| text.trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_the_marks_is_replaced() {
        let text = format!("a\n{BEGIN}\nold\n{END}\nb\n");
        let new = replaced_between(&text, (BEGIN, END), "| new |\n").unwrap();
        assert_eq!(new, format!("a\n{BEGIN}\n\n| new |\n\n{END}\nb\n"));
        assert_eq!(replaced_between(&new, (BEGIN, END), "| new |\n").unwrap(), new);
        assert_eq!(replaced_between("nothing", (BEGIN, END), "x"), None);
    }

    #[test]
    fn the_readme_has_a_place_for_the_table() {
        let text = std::fs::read_to_string(root().join("README.md")).unwrap();
        assert!(replaced_between(&text, (BEGIN, END), "").is_some());
    }
}
