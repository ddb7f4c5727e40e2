//! The figures as a table, and the file in which they are kept.

use super::{FuzzOptions, Report};
use crate::papers::write::{replaced_between, today};
use crate::root;
use std::fmt::Write;

/// The marks around the figures in the file.
const BEGIN: &str = "<!-- written by `cargo run --release -p xtask -- fuzz --write`: -->";
const END: &str = "<!-- end of what is written -->";

/// A row for each target.
pub fn table(report: &Report) -> String {
    let mut out =
        String::from("| Target | Inputs | Accepted | Failed |\n| --- | ---: | ---: | ---: |\n");
    for (name, count) in &report.counts {
        let share = 100.0 * count.accepted as f64 / count.inputs.max(1) as f64;
        let _ = writeln!(out, "| {name} | {} | {share:.0}% | {} |", count.inputs, count.failed);
    }
    out
}

/// Puts the table into `benchmarks/fuzzing.md`.
pub fn benchmarks(options: &FuzzOptions, report: &Report, table: &str) -> Result<(), String> {
    let path = root().join("benchmarks/fuzzing.md");
    let failed = |what: String| format!("{}: {what}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|e| failed(e.to_string()))?;
    let said = format!(
        "{}: {} inputs from number {} on, each with {} MiB of address space and {} processor \
         seconds; {} failed.\n\n{table}",
        today(),
        report.inputs(),
        options.seed,
        options.memory,
        options.seconds,
        report.failures.len()
    );
    let text = replaced_between(&text, (BEGIN, END), &said)
        .ok_or_else(|| failed("has no place for the figures".to_string()))?;
    std::fs::write(&path, text).map_err(|e| failed(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_a_place_for_the_figures() {
        let text = std::fs::read_to_string(root().join("benchmarks/fuzzing.md")).unwrap();
        assert!(replaced_between(&text, (BEGIN, END), "").is_some());
    }
}
