//! The table of tests and models, the remarks below it, and the counterexamples.

use super::Row;
use crate::check::cell::Answer;
use crate::check::plan::{Prepared, Subject};
use execution::verdict::{Mistake, Verdict};
use report::counterexample::text::render;
use report::printable::shown;
use report::words;
use report::{Style, diagnostics};
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
        format!("{}\n{}\n", shown(&self.subject.path), line.trim_end())
    }

    fn column(&self, model: &str) -> usize {
        CELL.max(model.chars().count() + 3)
    }

    /// A test and its answers.
    pub fn row(&self, test: usize, row: &Row, style: Style) -> String {
        let (names, notations) = self.widths;
        let test = &self.subject.tests[test];
        let name = test.name.as_deref().unwrap_or("");
        let mut line = format!("{name:<names$}{:<notations$}", test.notation);
        for (answer, model) in row.iter().zip(&self.subject.models) {
            let width = self.column(&model.name);
            line += &match answer {
                Some(answer) => words::painted_cell(&answer.outcome.verdict, width, style),
                None => " ".repeat(width),
            };
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
        words::footnotes(self.outcomes(rows))
    }

    /// The mistakes in the input that only execution shows.
    pub fn errors(&self, rows: &[Row], style: Style) -> String {
        let render = |mistake: &Mistake| {
            let text = diagnostics::render(&mistake.error, self.subject.sources_of(mistake), style);
            format!("\n{}\n", text.trim_end())
        };
        words::errors(self.outcomes(rows)).iter().map(render).collect()
    }

    fn outcomes<'r>(&self, rows: &'r [Row]) -> impl Iterator<Item = (String, &'r Verdict)> {
        self.answers(rows).map(|(test, model, answer)| {
            (format!("{} on {model}", test.title()), &answer.outcome.verdict)
        })
    }

    /// The counterexample of the smallest test on each model, and one line about each other.
    pub fn counterexamples(&self, rows: &[Row], style: Style) -> String {
        let mut shown: BTreeMap<&str, &Prepared> = BTreeMap::new();
        let (mut out, mut rest) = (String::new(), String::new());
        for (test, model, answer) in self.answers(rows) {
            let Some((counterexample, story)) = answer.outcome.violation() else { continue };
            // A serial execution is the same on every model.
            let model_of = if counterexample.witness.is_some() { model } else { "" };
            if shown.contains_key(model_of) {
                let _ = writeln!(rest, "  {} on {model}: {}", test.title(), words::brief(story));
                continue;
            }
            shown.insert(model_of, test);
            let story = render(story, &self.subject.sources, style);
            let _ = write!(out, "\n{story}");
        }
        if !rest.is_empty() {
            let _ = write!(out, "\nAlso violated (--test shows one by itself):\n{rest}");
        }
        out
    }
}
