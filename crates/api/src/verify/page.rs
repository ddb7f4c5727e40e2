//! The table of a verification, and what the program can do, as a page for a browser.

use super::{Row, behaviours, save};
use crate::verify::cell::Answer;
use crate::verify::plan::Subject;
use report::page::{self, Line};
use report::printable::shown;

/// The page.
pub fn page<'a>(subject: &'a Subject, row: &'a Row) -> String {
    let lines = subject.request.properties.iter().map(|&property| {
        let answer = |(model, answer): (usize, &'a Answer)| {
            let file = save::name(subject, property, model);
            answer.outcome(property).map(|outcome| (&outcome.verdict, file))
        };
        Line {
            name: property.name(),
            notation: "",
            title: property.name().to_string(),
            answers: row.iter().enumerate().map(answer).collect(),
        }
    });
    let models: Vec<&str> = subject.models.iter().map(|model| model.name.as_str()).collect();
    let title = shown(&subject.path);
    page::page(&title, &models, &lines.collect::<Vec<_>>(), &behaviours::render(subject, row))
}
