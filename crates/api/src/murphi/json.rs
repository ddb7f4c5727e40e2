//! What a search says, as JSON.

use super::text::reason;
use super::{Answer, Subject, Unknown, Verdict, Violation};
use report::transitions::{Change, Transition};
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Document<'a> {
    fencepost: &'static str,
    file: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    states: u64,
    rules: u64,
    depth: u32,
    symmetry: bool,
    seconds: f64,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<JsonStep<'a>>,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    rule: &'a str,
    line: u32,
    fails: bool,
    changes: Vec<JsonChange<'a>>,
}

#[derive(Serialize)]
struct JsonChange<'a> {
    variable: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<&'a str>,
    after: &'a str,
}

/// An answer as a document.
pub fn document(file: &Path, subject: &Subject, answer: &Answer, seconds: f64) -> String {
    let (verdict, violation, reason) = match &answer.verdict {
        Verdict::Holds => ("holds", None, None),
        Verdict::Violated(violation) => ("violated", Some(violation), None),
        Verdict::Unknown(unknown) => {
            let violation = match unknown {
                Unknown::Endless(violation) => Some(violation),
                _ => None,
            };
            ("unknown", violation, Some(reason(unknown)))
        }
    };
    let style = report::Style::Plain;
    let message = violation
        .map(|found| report::diagnostics::render(&found.diagnostic, &subject.sources, style));
    let document = Document {
        fencepost: env!("CARGO_PKG_VERSION"),
        file: file.display().to_string(),
        verdict,
        kind: violation.map(|violation| violation.kind.name()),
        reason,
        states: answer.counts.states,
        rules: answer.counts.rules,
        depth: answer.counts.depth,
        symmetry: answer.symmetric,
        seconds,
        notes: &answer.notes,
        message,
        steps: violation.map(|violation| json_steps(violation)).unwrap_or_default(),
    };
    serde_json::to_string_pretty(&document).expect("plain data without maps") + "\n"
}

fn json_steps(violation: &Violation) -> Vec<JsonStep<'_>> {
    violation.steps.iter().map(JsonStep::of).collect()
}

impl<'a> JsonStep<'a> {
    fn of(step: &'a Transition) -> Self {
        let changes = step.changes.iter().map(JsonChange::of).collect();
        Self { rule: &step.rule, line: step.line, fails: step.fails, changes }
    }
}

impl<'a> JsonChange<'a> {
    fn of(change: &'a Change) -> Self {
        let before = change.before.as_deref();
        Self { variable: &change.name, before, after: &change.after }
    }
}
