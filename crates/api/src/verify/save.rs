//! Writes counterexamples to files: for `fencepost replay`, and for a browser.
//!
//! Soundness S-420 (verify, replay; all; cries wolf): Whether a schedule still shows what it is named by
//! is asked of the branch or assertion with the same number in the function of the same name: after a
//! change, that may be another one. Test:
//! crates/fencepost/tests/schedules.rs::schedules_that_no_longer_show_what_they_are_named_by_do_not_fit.

use super::{Row, behaviours, page};
use crate::files::write_into;
use crate::names;
use crate::saved::{Reached, Saved};
use crate::verify::cell::Covered;
use crate::verify::plan::Subject;
use crate::verify::schedule::Shows;
use encoding::bounded::Goal;
use engines::verification::Property;
use report::counterexample::html;
use std::path::{Path, PathBuf};

/// What the files about a property on a model are called.
pub fn name(subject: &Subject, property: Property, model: usize) -> String {
    subject.names.answer(property.name(), model)
}

/// Writes every counterexample of a program to a folder, as JSON and, if asked, as a page, with a
/// page for the whole table; gives the files that were written.
pub fn save(
    folder: &Path,
    pages: bool,
    subject: &Subject,
    row: &Row,
) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for (model, answer) in row.iter().enumerate() {
        for (property, outcome) in &answer.outcomes {
            let Some((counterexample, story)) = outcome.violation() else { continue };
            let name = name(subject, *property, model);
            let json = Saved::program(subject, *property, model, counterexample).to_json();
            files.push(write_into(folder, &format!("{name}.json"), json)?);
            if pages {
                let page = html::page(story, &subject.sources);
                files.push(write_into(folder, &format!("{name}.html"), page)?);
            }
        }
    }
    if pages {
        let name = format!("{}.html", subject.names.file);
        files.push(write_into(folder, &name, page::page(subject, row))?);
    }
    Ok(files)
}

fn plain_parts(name: &str) -> String {
    name.split('.').map(names::plain).collect::<Vec<_>>().join(".")
}

/// What the list of schedules in a folder is called, for a program of this name.
fn index(subject: &Subject) -> String {
    format!("{}.schedules.txt", subject.names.file)
}

/// Writes an execution for each branch and assertion that is reached, for each result of an operation
/// that is known from runs alone, and for each outcome, and a list of what each of them shows; gives how
/// many.
pub fn schedules(folder: &Path, subject: &Subject, row: &Row) -> Result<usize, String> {
    let mut count = 0;
    let mut list =
        format!("Schedules of {}: `fencepost replay` runs them again.\n", subject.names.file);
    for (model, answer) in row.iter().enumerate() {
        let covered: Vec<&Covered> =
            answer.covered.iter().flatten().chain(&answer.results).collect();
        let names = names::distinct(covered.iter().map(|covered| plain_parts(&covered.name)));
        for (covered, name) in covered.into_iter().zip(names) {
            let Some(witness) = &covered.witness else { continue };
            let (what, more) = match covered.goal {
                Goal::Result { .. } => (&covered.direction, String::new()),
                _ => (&covered.name, format!(" ({})", covered.direction)),
            };
            let what = format!("{what} at {}", covered.location);
            let name = format!("{}.{name}.json", subject.names.model(model));
            list += &format!("{name}: {what}{more}\n");
            let reached = Reached { what, shows: covered.shows.clone(), witness };
            write_into(folder, &name, Saved::schedule(subject, model, reached).to_json())?;
            count += 1;
        }
        let outcomes = answer.observed.iter().flatten().zip(&answer.shown_by);
        for (number, (observed, witness)) in outcomes.enumerate() {
            let what = format!("outcome {}", behaviours::line(observed));
            let name = format!("{}.outcome{}.json", subject.names.model(model), number + 1);
            list += &format!("{name}: {what}\n");
            let reached = Reached { what, shows: Shows::Outcome(observed.clone()), witness };
            write_into(folder, &name, Saved::schedule(subject, model, reached).to_json())?;
            count += 1;
        }
    }
    write_into(folder, &index(subject), list)?;
    Ok(count)
}
