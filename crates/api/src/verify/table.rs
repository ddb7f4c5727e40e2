//! The table of properties and models, the remarks below it, and the counterexamples.

use super::{Row, behaviours};
use crate::answer::Confirmed;
use crate::verify::plan::Subject;
use engines::explore::Because;
use engines::verification::Property;
use report::Style;
use report::counterexample::text::render;
use report::printable::shown;
use report::words;
use std::fmt::Write;

/// The widest name of a property, with a gap.
const NAMES: usize = 12;
/// The widest entry of a column, with a gap.
const CELL: usize = 11;

/// Everything about a program.
pub fn table(subject: &Subject, row: &Row, style: Style) -> String {
    let mut out = format!("{}\n", shown(&subject.path));
    if subject.request.properties.is_empty() {
        return out + &explored(subject, row) + &behaviours::render(subject, row);
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
            let width = column(index);
            line += &match answer.outcome(*property) {
                Some(outcome) => words::painted_cell(&outcome.verdict, width, style),
                None => format!("{:<width$}", "-"),
            };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out += &footnotes(subject, row);
    out += &explored(subject, row);
    out += &answered_by(subject, row);
    out += &behaviours::render(subject, row);
    out += &counterexamples(subject, row, style);
    out
}

fn outcomes<'r>(
    subject: &'r Subject,
    row: &'r Row,
) -> impl Iterator<Item = (Property, &'r str, &'r Confirmed)> {
    let properties = subject.request.properties.iter();
    properties.flat_map(move |&property| {
        let answers = subject.models.iter().zip(row);
        answers.filter_map(move |(model, answer)| {
            Some((property, model.name.as_str(), answer.outcome(property)?))
        })
    })
}

/// Remarks about answers that are none, or not the last word; each once, for all that it is about.
fn footnotes(subject: &Subject, row: &Row) -> String {
    let mut remarks: Vec<(String, Vec<Place<'_>>)> = Vec::new();
    for (property, model, outcome) in outcomes(subject, row) {
        let Some(remark) = words::remark(&outcome.verdict) else { continue };
        match remarks.iter_mut().find(|(known, _)| *known == remark) {
            Some((_, places)) => places.push((property, model)),
            None => remarks.push((remark, vec![(property, model)])),
        }
    }
    let all: Vec<Place<'_>> = outcomes(subject, row).map(|(p, model, _)| (p, model)).collect();
    remarks.iter().map(|(remark, at)| format!("\n{}: {remark}\n", named(at, &all))).collect()
}

/// What was answered on which models by exploring runs although that was not asked for, and why.
fn explored(subject: &Subject, row: &Row) -> String {
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    for (model, answer) in subject.models.iter().zip(row) {
        let mut reasons: Vec<Because> = answer.explored.values().copied().collect();
        reasons.sort();
        reasons.dedup();
        for because in reasons {
            let by_runs =
                |what: Option<Property>| answer.explored.get(&what).is_some_and(|b| *b == because);
            let all = || answer.outcomes.iter().map(|(property, _)| *property);
            let own: Vec<String> =
                all().filter(|&it| by_runs(Some(it))).map(|it| it.to_string()).collect();
            // Behaviours need no name where they are all that is asked, or are answered with the rest.
            let what = match own.len() == all().count() || own.is_empty() {
                true => "answered".to_string(),
                false => format!("{} answered", listed(&own)),
            };
            let text = format!("{what} by exploring runs, because {because}");
            match lines.iter_mut().find(|(known, _)| *known == text) {
                Some((_, models)) => models.push(&model.name),
                None => lines.push((text, vec![&model.name])),
            }
        }
    }
    lines.iter().map(|(text, models)| format!("\non {}: {text}\n", listed(models))).collect()
}

/// Where engines have shared the work: which answered what. Violations say how they come about.
fn answered_by(subject: &Subject, row: &Row) -> String {
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    for (model, answer) in subject.models.iter().zip(row) {
        let mut engines: Vec<(&str, Vec<String>)> = Vec::new();
        for (property, engine) in &answer.answered_by {
            let property = property.to_string();
            match engines.iter_mut().find(|(known, _)| known == engine) {
                Some((_, properties)) => properties.push(property),
                None => engines.push((engine, vec![property])),
            }
        }
        if engines.len() < 2 {
            continue;
        }
        let named = engines.iter().map(|(engine, all)| format!("{} by {engine}", listed(all)));
        let line = named.collect::<Vec<_>>().join("; ");
        match lines.iter_mut().find(|(known, _)| *known == line) {
            Some((_, models)) => models.push(&model.name),
            None => lines.push((line, vec![&model.name])),
        }
    }
    let line = |(line, models): &(String, Vec<&str>)| {
        format!("\non {}: answered {line}\n", listed(models))
    };
    lines.iter().map(line).collect()
}

/// A property on a model.
type Place<'r> = (Property, &'r str);

/// `assert on sc and tso, leak on tso`; `all properties on sc` if these are all of many.
fn named(places: &[Place<'_>], all: &[Place<'_>]) -> String {
    let on = |model: &str, places: &[Place<'_>]| -> Vec<Property> {
        places.iter().filter(|place| place.1 == model).map(|place| place.0).collect()
    };
    // The models about which the same properties are told.
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for &(_, model) in places {
        if groups.iter().any(|(_, models)| models.contains(&model)) {
            continue;
        }
        let own = on(model, places);
        let what = match own.len() > 1 && own == on(model, all) {
            true => "all properties".to_string(),
            false => listed(&own.iter().map(Property::to_string).collect::<Vec<_>>()),
        };
        match groups.iter_mut().find(|(known, _)| *known == what) {
            Some((_, models)) => models.push(model),
            None => groups.push((what, vec![model])),
        }
    }
    let group = |(what, models): &(String, Vec<&str>)| format!("{what} on {}", listed(models));
    groups.iter().map(group).collect::<Vec<_>>().join(", ")
}

/// `a, b and c`.
fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_string(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// The counterexample to each property on the first model that has one, and a line about each
/// other.
fn counterexamples(subject: &Subject, row: &Row, style: Style) -> String {
    let (mut out, mut rest) = (String::new(), String::new());
    let mut shown: Vec<Property> = Vec::new();
    for (property, model, outcome) in outcomes(subject, row) {
        let Some((_, story)) = outcome.violation() else { continue };
        if shown.contains(&property) {
            let _ = writeln!(rest, "  {property} on {model}: {}", words::brief(story));
            continue;
        }
        shown.push(property);
        let _ = write!(out, "\n{}", render(story, &subject.sources, style));
    }
    if !rest.is_empty() {
        let _ = write!(out, "\nAlso violated (--model shows one by itself):\n{rest}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_names_properties_and_models_once() {
        let all = [Property::Assert, Property::Memory, Property::Leak];
        let all: Vec<Place<'_>> =
            all.iter().flat_map(|&property| [(property, "sc"), (property, "tso")]).collect();
        assert_eq!(named(&all, &all), "all properties on sc and tso");
        assert_eq!(named(&all[..1], &all), "assert on sc");
        assert_eq!(named(&all[..5], &all), "all properties on sc, assert and memory on tso");
    }
}
