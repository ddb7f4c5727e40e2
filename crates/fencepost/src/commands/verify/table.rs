//! The table of properties and models, the remarks below it, and the counterexamples.

use super::{Row, behaviours};
use crate::check::cell::Outcome;
use crate::commands::wording;
use crate::verify::plan::Subject;
use engines::verification::Property;
use report::Style;
use report::counterexample::text::render;
use std::fmt::Write;

/// The widest name of a property, with a gap.
const NAMES: usize = 12;
/// The widest entry of a column, with a gap.
const CELL: usize = 11;

/// Everything about a program.
pub fn table(subject: &Subject, row: &Row, style: Style) -> String {
    let mut out = format!("{}\n", subject.path.display());
    if subject.request.properties.is_empty() {
        return out + &behaviours::render(subject, row);
    }
    let column = |model: usize| CELL.max(subject.models[model].name.chars().count() + 3);
    let mut line = " ".repeat(NAMES);
    for (index, model) in subject.models.iter().enumerate() {
        let _ = write!(line, "{:<width$}", model.name, width = column(index));
    }
    let _ = writeln!(out, "{}", line.trim_end());
    for property in &subject.request.properties {
        let mut line = format!("{:<NAMES$}", property.name());
        for (index, answer) in row.iter().enumerate() {
            let cell = answer.outcome(*property).map_or("-", wording::cell);
            let _ = write!(line, "{cell:<width$}", width = column(index));
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out += &footnotes(subject, row);
    out += &behaviours::render(subject, row);
    out += &counterexamples(subject, row, style);
    out
}

fn outcomes<'r>(
    subject: &'r Subject,
    row: &'r Row,
) -> impl Iterator<Item = (Property, &'r str, &'r Outcome)> {
    let properties = subject.request.properties.iter();
    properties.flat_map(move |&property| {
        let answers = subject.models.iter().zip(row);
        answers.filter_map(move |(model, answer)| {
            Some((property, model.name.as_str(), answer.outcome(property)?))
        })
    })
}

fn footnotes(subject: &Subject, row: &Row) -> String {
    wording::footnotes(
        outcomes(subject, row)
            .map(|(property, model, outcome)| (format!("{property} on {model}"), outcome)),
    )
}

/// The counterexample to each property on the first model that has one, and a line about each
/// other.
fn counterexamples(subject: &Subject, row: &Row, style: Style) -> String {
    let (mut out, mut rest) = (String::new(), String::new());
    let mut shown: Vec<Property> = Vec::new();
    for (property, model, outcome) in outcomes(subject, row) {
        let Outcome::Violated(violated) = outcome else { continue };
        if shown.contains(&property) {
            let _ = writeln!(rest, "  {property} on {model}: {}", wording::brief(violated));
            continue;
        }
        shown.push(property);
        let _ = write!(out, "\n{}", render(&violated.story, &subject.sources, style));
    }
    if !rest.is_empty() {
        let _ = write!(out, "\nAlso violated (--model shows one by itself):\n{rest}");
    }
    out
}
