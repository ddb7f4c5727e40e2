//! The table of tests and models, the remarks below it, and the counterexamples.

use super::Row;
use crate::check::cell::{Answer, Bound, Outcome, Violated, Why};
use crate::check::plan::{Prepared, Subject};
use report::Style;
use report::counterexample::text::render;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The widest entry of a column, with a gap.
const CELL: usize = 11;

/// A table of one file.
pub struct Table<'s> {
    subject: &'s Subject,
    /// How wide the names of tests are, and their notations.
    widths: (usize, usize),
}

impl<'s> Table<'s> {
    /// The table of a file.
    pub fn new(subject: &'s Subject) -> Self {
        let widest = |text: &dyn Fn(&Prepared) -> usize| {
            subject.tests.iter().map(text).max().unwrap_or_default()
        };
        let names = widest(&|test| test.name.as_ref().map_or(0, |name| name.chars().count()));
        let notations = widest(&|test| test.notation.chars().count());
        let names = if names == 0 { 0 } else { names + 2 };
        Self { subject, widths: (names, notations.max(4) + 3) }
    }

    /// The file and the names of the columns.
    pub fn head(&self) -> String {
        let (names, notations) = self.widths;
        let mut line = format!("{:width$}", "", width = names + notations);
        for model in &self.subject.models {
            let _ = write!(line, "{:<width$}", model.name, width = self.column(&model.name));
        }
        format!("{}\n{}\n", self.subject.path.display(), line.trim_end())
    }

    fn column(&self, model: &str) -> usize {
        CELL.max(model.chars().count() + 3)
    }

    /// A test and its answers.
    pub fn row(&self, test: usize, row: &Row) -> String {
        let (names, notations) = self.widths;
        let test = &self.subject.tests[test];
        let name = test.name.as_deref().unwrap_or("");
        let mut line = format!("{name:<names$}{:<notations$}", test.notation);
        for (answer, model) in row.iter().zip(&self.subject.models) {
            let cell = answer.as_ref().map_or("", cell);
            let _ = write!(line, "{cell:<width$}", width = self.column(&model.name));
        }
        format!("{}\n", line.trim_end())
    }

    fn answers<'r>(
        &self,
        rows: &'r [Row],
    ) -> impl Iterator<Item = (&'s Prepared, &'s str, &'r Answer)> {
        let subject = self.subject;
        subject.tests.iter().zip(rows).flat_map(move |(test, row)| {
            let answers = subject.models.iter().zip(row);
            answers.filter_map(move |(model, answer)| {
                answer.as_ref().map(|answer| (test, model.name.as_str(), answer))
            })
        })
    }

    /// What there is to say about answers that are none, or not the last word; the same remark is
    /// made once.
    pub fn footnotes(&self, rows: &[Row]) -> String {
        let mut remarks: Vec<(String, Vec<String>)> = Vec::new();
        for (test, model, answer) in self.answers(rows) {
            let Some(remark) = remark(answer) else { continue };
            let place = format!("{} on {model}", test.title());
            match remarks.iter_mut().find(|(known, _)| *known == remark) {
                Some((_, places)) => places.push(place),
                None => remarks.push((remark, vec![place])),
            }
        }
        let mut out = String::new();
        for (remark, places) in remarks {
            let _ = writeln!(out, "\n{}: {remark}", places.join(", "));
        }
        out
    }

    /// The counterexample of the smallest test on each model, and one line about each other.
    pub fn counterexamples(&self, rows: &[Row], style: Style) -> String {
        let mut shown: BTreeMap<&str, &Prepared> = BTreeMap::new();
        let (mut out, mut rest) = (String::new(), String::new());
        for (test, model, answer) in self.answers(rows) {
            let Outcome::Violated(violated) = &answer.outcome else { continue };
            // A serial execution is the same on every model.
            let model_of = if violated.problem.is_some() { model } else { "" };
            if shown.contains_key(model_of) {
                let _ = writeln!(rest, "  {} on {model}: {}", test.title(), brief(violated));
                continue;
            }
            shown.insert(model_of, test);
            let story = render(&violated.story, &self.subject.sources, style);
            let _ = write!(out, "\n{story}");
        }
        if !rest.is_empty() {
            let _ = write!(out, "\nAlso violated (--test shows one by itself):\n{rest}");
        }
        out
    }
}

fn cell(answer: &Answer) -> &'static str {
    match &answer.outcome {
        Outcome::Holds => "holds",
        Outcome::HoldsWithinBounds(_) => "holds*",
        Outcome::Violated(_) => "VIOLATED",
        Outcome::Inconclusive(Why::OutOfTime) => "? time",
        Outcome::Inconclusive(Why::OutOfMemory) => "? memory",
        Outcome::Inconclusive(Why::Interrupted) => "? stopped",
        Outcome::Inconclusive(Why::Unsupported { .. }) => "? cannot",
        Outcome::Inconclusive(Why::Mismatch(_)) => "? our bug",
    }
}

/// What there is to say below the table.
fn remark(answer: &Answer) -> Option<String> {
    match &answer.outcome {
        Outcome::Holds | Outcome::Violated(_) => None,
        Outcome::HoldsWithinBounds(bounds) => {
            let loops: Vec<String> = bounds.iter().map(bound).collect();
            Some(format!(
                "* holds as far as loops were followed; executions can go on in {} (--max-unroll)",
                loops.join(", ")
            ))
        }
        Outcome::Inconclusive(why) => Some(reason(why)),
    }
}

fn bound(bound: &Bound) -> String {
    let Bound { location, function, iterations } = bound;
    let place = match location {
        Some(location) => format!("at {}:{}", location.file, location.line),
        None => "without a place in the source".to_string(),
    };
    let times = if *iterations == 1 { "iteration" } else { "iterations" };
    match function.is_empty() {
        true => format!("the loop {place} ({iterations} {times})"),
        false => format!("the loop {place} in `{function}` ({iterations} {times})"),
    }
}

/// Why there is no answer, in words.
pub fn reason(why: &Why) -> String {
    match why {
        Why::OutOfTime => "? no answer within --time-limit".to_string(),
        Why::OutOfMemory => "? no answer within --memory-limit".to_string(),
        Why::Interrupted => "? interrupted".to_string(),
        Why::Unsupported { what, location: Some(location) } => {
            format!("? not supported: {what}, at {}:{}", location.file, location.line)
        }
        Why::Unsupported { what, location: None } => format!("? not supported: {what}"),
        Why::Mismatch(what) => format!(
            "? MISTAKE IN FENCEPOST: a violation was found that its replay does not confirm \
             ({what}). Please report this, with the program and the test; the answer is unknown"
        ),
    }
}

/// A violation in a line.
pub fn brief(violated: &Violated) -> String {
    use report::counterexample::{Problem, Shown};
    match &violated.story.problem {
        Problem::Observation { seen, .. } | Problem::CommitPoints { seen, .. } => {
            let one = |shown: &Shown| format!("{}: {}", shown.operation, shown.seen);
            seen.iter().map(one).collect::<Vec<_>>().join("; ")
        }
        Problem::Finding(finding) => report::finding::title(finding),
        Problem::Serial { finding, .. } => {
            format!("{}, already in a serial execution", report::finding::title(finding))
        }
        Problem::Flag { name, .. } => name.clone(),
    }
}
