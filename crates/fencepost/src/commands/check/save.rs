//! Writes counterexamples to files: for `fencepost replay`, and for a browser.

use super::Row;
use crate::check::cell::Outcome;
use crate::check::file::Saved;
use crate::check::plan::Subject;
use crate::commands::files::write;
use crate::evidence::plain;
use report::counterexample::html;
use std::path::{Path, PathBuf};

/// Writes every counterexample of a file to a folder, as JSON and, if asked, as a page; gives the
/// files that were written.
pub fn save(
    folder: &Path,
    pages: bool,
    subject: &Subject,
    rows: &[Row],
) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for (test, row) in subject.tests.iter().zip(rows) {
        for (model, answer) in row.iter().enumerate() {
            let Some(Outcome::Violated(violated)) = answer.as_ref().map(|a| &a.outcome) else {
                continue;
            };
            let stem = subject.path.file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("{stem}.{}.{}", test.title(), subject.models[model].name);
            let name = plain(&name);
            let saved = Saved::new(subject, test, model, violated);
            let json = serde_json::to_string_pretty(&saved).expect("plain data");
            files.push(write(folder, &format!("{name}.json"), json)?);
            if pages {
                let page = html::page(&violated.story, &subject.sources);
                files.push(write(folder, &format!("{name}.html"), page)?);
            }
        }
    }
    Ok(files)
}
