//! Writes counterexamples to files: for `fencepost replay`, and for a browser.

use super::{Row, page};
use crate::check::plan::Subject;
use crate::files::write_into;
use crate::saved::Saved;
use report::counterexample::html;
use std::path::{Path, PathBuf};

/// What the files about a test on a model are called, by their positions.
pub fn name(subject: &Subject, test: usize, model: usize) -> String {
    subject.names.answer(&subject.names.tests[test], model)
}

/// Writes every counterexample of a file to a folder, as JSON and, if asked, as a page, with a page
/// for the whole table; gives the files that were written.
pub fn save(
    folder: &Path,
    pages: bool,
    subject: &Subject,
    rows: &[Row],
) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for (index, (test, row)) in subject.tests.iter().zip(rows).enumerate() {
        for (model, answer) in row.iter().enumerate() {
            let Some((counterexample, story)) = answer.as_ref().and_then(|a| a.outcome.violation())
            else {
                continue;
            };
            let name = name(subject, index, model);
            let json = Saved::test(subject, test, model, counterexample).to_json();
            files.push(write_into(folder, &format!("{name}.json"), json)?);
            if pages {
                let page = html::page(story, &subject.sources);
                files.push(write_into(folder, &format!("{name}.html"), page)?);
            }
        }
    }
    if pages {
        let name = format!("{}.html", subject.names.file);
        files.push(write_into(folder, &name, page::page(subject, rows))?);
    }
    Ok(files)
}
