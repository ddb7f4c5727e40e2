//! Everything about a check as one JSON document.

use super::Row;
use crate::check::cell::Answer;
use crate::check::plan::{Prepared, Subject};
use crate::saved::Saved;
use execution::statistics::Statistics;
use execution::verdict::{self, Counterexample};
use report::Style;
use report::counterexample::Counterexample as Story;
use report::json::{Established, Loop, Reason, Waits, Warning};
use report::words;
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    fencepost: &'static str,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    file: String,
    tests: Vec<Test<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Test<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    test: &'a str,
    operations: Vec<&'a str>,
    results: Vec<Result<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Result<'a> {
    model: &'a str,
    verdict: &'static str,
    seconds: f64,
    cached: bool,
    statistics: &'a Statistics,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bounds: Vec<Loop<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    established: Option<Established<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<Warning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<Violation>,
}

#[derive(Serialize)]
struct Violation {
    summary: String,
    text: String,
    /// The threads that wait for ever.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waiting: Vec<Waits>,
    /// What `fencepost replay` reads.
    counterexample: Saved,
}

/// The document.
pub fn document(subjects: &[Subject], rows: &[Vec<Row>]) -> String {
    let files = subjects.iter().zip(rows).map(|(subject, rows)| file(subject, rows)).collect();
    let document = Document { fencepost: env!("CARGO_PKG_VERSION"), files };
    serde_json::to_string_pretty(&document).expect("plain data without maps") + "\n"
}

fn file<'a>(subject: &'a Subject, rows: &'a [Row]) -> File<'a> {
    File {
        file: subject.path.display().to_string(),
        tests: subject.tests.iter().zip(rows).map(|(t, row)| test(subject, t, row)).collect(),
    }
}

fn test<'a>(subject: &'a Subject, test: &'a Prepared, row: &'a Row) -> Test<'a> {
    let results = row.iter().enumerate().filter_map(|(model, answer)| {
        answer.as_ref().map(|answer| result(subject, test, model, answer))
    });
    Test {
        name: test.name.as_deref(),
        test: &test.notation,
        operations: test.composed.instances.iter().map(|i| i.name.as_str()).collect(),
        results: results.collect(),
    }
}

fn result<'a>(
    subject: &'a Subject,
    test: &'a Prepared,
    model: usize,
    answer: &'a Answer,
) -> Result<'a> {
    let Answer { outcome, statistics, seconds, cached, .. } = answer;
    let violation = outcome.violation().map(|found| violation(subject, test, model, found));
    let verdict = &outcome.verdict;
    // With the lines of the source, as people see it.
    let reason = match outcome.reason() {
        Some(verdict::Reason::Input(mistake)) => {
            let sources = subject.sources_of(mistake);
            let text = report::diagnostics::render(&mistake.error, sources, Style::Plain);
            Some(Reason { kind: "input", text })
        }
        _ => Reason::of(verdict),
    };
    Result {
        model: &subject.models[model].name,
        verdict: words::name(verdict),
        seconds: *seconds,
        cached: *cached,
        statistics,
        bounds: Loop::of(verdict),
        reason,
        established: Established::of(verdict),
        warning: Warning::of(verdict),
        violation,
    }
}

fn violation(
    subject: &Subject,
    test: &Prepared,
    model: usize,
    (counterexample, story): (&Counterexample, &Story),
) -> Violation {
    let style = report::Style::Plain;
    Violation {
        summary: words::brief(story),
        text: report::counterexample::text::render(story, &subject.sources, style),
        waiting: Waits::of(&story.problem),
        counterexample: Saved::test(subject, test, model, counterexample),
    }
}
