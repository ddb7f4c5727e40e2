//! The table of a check as a page for a browser.

use super::table::Table;
use super::{Row, save};
use crate::check::cell::Answer;
use crate::check::plan::Subject;
use report::Style;
use report::page::{self, Line};
use report::printable::shown;

/// The page.
pub fn page<'a>(subject: &'a Subject, rows: &'a [Row]) -> String {
    let tests = subject.tests.iter().zip(rows).enumerate();
    let lines = tests.map(|(index, (test, row))| {
        let answer = |(model, answer): (usize, &'a Option<Answer>)| {
            answer
                .as_ref()
                .map(|answer| (&answer.outcome.verdict, save::name(subject, index, model)))
        };
        Line {
            name: test.name.as_deref().unwrap_or(""),
            notation: &test.notation,
            title: test.title().to_string(),
            answers: row.iter().enumerate().map(answer).collect(),
        }
    });
    let models: Vec<&str> = subject.models.iter().map(|model| model.name.as_str()).collect();
    let errors = Table::new(subject).errors(rows, Style::Plain);
    page::page(&shown(&subject.path), &models, &lines.collect::<Vec<_>>(), &errors)
}
