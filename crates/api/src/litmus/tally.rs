//! What came of many litmus tests: how many, and how they compare with recorded answers.

use super::expect;
use models::Model;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// What the summary counts.
#[derive(Clone, Default)]
pub struct Tally {
    /// Tests.
    pub tests: usize,
    /// Tests that could not be read.
    pub refused: usize,
    /// Rows without an answer.
    pub inconclusive: usize,
    /// Tests that could not be run, by mistakes of ours.
    pub panicked: usize,
    /// Pictures that could not be written.
    pub unwritten: usize,
    /// Rows that are inconclusive because loops were cut off at their bound.
    pub bounded: usize,
    /// By model: rows that were not compared.
    pub skipped: BTreeMap<String, usize>,
    /// By model: rows that agree, and rows that were compared.
    pub compared: BTreeMap<String, (usize, usize)>,
}

impl Tally {
    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &Tally) {
        self.tests += other.tests;
        self.refused += other.refused;
        self.inconclusive += other.inconclusive;
        self.bounded += other.bounded;
        self.unwritten += other.unwritten;
        self.panicked += other.panicked;
        for (model, rows) in &other.skipped {
            *self.skipped.entry(model.clone()).or_default() += rows;
        }
        for (model, (agree, all)) in &other.compared {
            let entry = self.compared.entry(model.clone()).or_default();
            entry.0 += agree;
            entry.1 += all;
        }
    }

    /// What was compared, of this many recorded rows; `asked` are the models that the user gave.
    pub fn summary(&self, asked: &[Arc<Model>], rows: usize) -> String {
        let inconclusive = self.inconclusive + self.bounded;
        let mut text = format!(
            "{} tests, {} refused, {inconclusive} rows inconclusive\n",
            self.tests, self.refused
        );
        if self.bounded > 0 {
            let bounded = self.bounded;
            let _ = writeln!(text, "{bounded} of these because loops were cut off (--unroll)");
        }
        let compared: usize = self.compared.values().map(|(_, all)| all).sum();
        let skipped: usize = self.skipped.values().sum();
        let lost = rows.saturating_sub(compared + inconclusive + skipped);
        if lost > 0 {
            let _ = writeln!(text, "{lost} rows of tests that were refused or not given");
        }
        for (model, rows) in &self.skipped {
            let why = match expect::our_model(model) {
                Some(ours) => format!("neither it nor {ours} is given with --model"),
                None if asked.is_empty() => "the library has no model for it".to_string(),
                None => "it is not given with --model".to_string(),
            };
            let _ = writeln!(text, "{model}: {rows} rows not compared: {why}");
        }
        for (model, (agree, all)) in &self.compared {
            let given = asked.iter().any(|asked| asked.name == *model);
            let ours = expect::our_model(model).filter(|_| !given);
            let ours = ours.map_or(String::new(), |name| format!(" as {name}"));
            let _ = writeln!(text, "{model}{ours}: {agree} of {all} agree");
        }
        text.truncate(text.trim_end().len());
        text
    }
}
