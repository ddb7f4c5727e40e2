//! Everything about a verification as one JSON document.

use super::Row;
use super::behaviours::line;
use crate::saved::Saved;
use crate::verify::cell::{Answer, Covered};
use crate::verify::plan::Subject;
use engines::explore::Because;
use engines::verification::Property;
use execution::statistics::{Graphs, Statistics};
use execution::verdict::{self, Counterexample};
use report::counterexample::Counterexample as Story;
use report::json::{Established, Loop, Reason, Waits, Warning};
use report::words;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Serialize)]
struct Document<'a> {
    fencepost: &'static str,
    programs: Vec<Program<'a>>,
    /// Files that are not programs to verify.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Error<'a>>,
}

#[derive(Serialize)]
struct Error<'a> {
    file: String,
    error: &'a str,
}

#[derive(Serialize)]
struct Program<'a> {
    file: String,
    models: Vec<Model<'a>>,
}

#[derive(Serialize)]
struct Model<'a> {
    model: &'a str,
    seconds: f64,
    statistics: &'a Statistics,
    properties: Vec<Verdict<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    behaviours: Option<Behaviours<'a>>,
}

#[derive(Serialize)]
struct Behaviours<'a> {
    /// Whether there are no others.
    complete: bool,
    /// Why there is no answer to that.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Reason>,
    /// What is known if that is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    established: Option<Established<'a>>,
    /// Why runs were explored for this although that was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    explored_because: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<Vec<Goal>>,
    /// How many executions there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    executions: Option<Graphs>,
}

#[derive(Serialize)]
struct Goal {
    goal: String,
    /// `true`, `false`, `case 2`, `default` or, of an assertion, `reached`.
    direction: String,
    location: String,
    reached: bool,
}

#[derive(Serialize)]
struct Verdict<'a> {
    property: Property,
    verdict: &'static str,
    /// The engine that says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    answered_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bounds: Vec<Loop<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    established: Option<Established<'a>>,
    /// Why runs were explored for it although that was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    explored_because: Option<String>,
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

/// A file that is not a program to verify.
pub struct Refused {
    /// The file.
    pub file: PathBuf,
    /// Why, as it is printed.
    pub text: String,
}

/// The document.
pub fn document(subjects: &[Subject], rows: &[Row], refused: &[Refused]) -> String {
    let programs = subjects.iter().zip(rows).map(|(subject, row)| program(subject, row)).collect();
    let errors = refused.iter().map(|Refused { file, text }| {
        let file = file.display().to_string();
        Error { file, error: text.trim_end() }
    });
    let errors = errors.collect();
    let document = Document { fencepost: env!("CARGO_PKG_VERSION"), programs, errors };
    serde_json::to_string_pretty(&document).expect("plain data without maps") + "\n"
}

fn program<'a>(subject: &'a Subject, row: &'a Row) -> Program<'a> {
    let models = row.iter().enumerate().map(|(index, answer)| model(subject, index, answer));
    Program { file: subject.path.display().to_string(), models: models.collect() }
}

fn model<'a>(subject: &'a Subject, index: usize, answer: &'a Answer) -> Model<'a> {
    let Answer { outcomes, statistics, seconds, answered_by, .. } = answer;
    let properties = outcomes.iter().map(|(property, outcome)| {
        let violation =
            outcome.violation().map(|found| violation(subject, *property, index, found));
        let outcome = &outcome.verdict;
        Verdict {
            property: *property,
            verdict: words::name(outcome),
            answered_by: answered_by.get(property).copied(),
            bounds: Loop::of(outcome),
            reason: Reason::of(outcome),
            established: Established::of(outcome),
            explored_because: answer.explored.get(&Some(*property)).map(Because::to_string),
            warning: Warning::of(outcome),
            violation,
        }
    });
    let properties = properties.collect();
    let behaviours = answer.about_behaviours.then(|| behaviours(answer, subject.request.count));
    let seconds = *seconds;
    Model { model: &subject.models[index].name, seconds, statistics, properties, behaviours }
}

fn behaviours(answer: &Answer, count: bool) -> Behaviours<'_> {
    let goal = |covered: &Covered| Goal {
        goal: covered.name.clone(),
        direction: covered.direction.clone(),
        location: covered.location.to_string(),
        reached: covered.witness.is_some(),
    };
    let outcomes = answer.observed.as_ref().map(|all| all.iter().map(line).collect());
    let coverage = answer.covered.as_ref().map(|all| all.iter().map(goal).collect());
    let rest = &answer.rest.verdict;
    let complete = matches!(rest, verdict::Verdict::Holds);
    let (reason, established) = (Reason::of(rest), Established::of(rest));
    let executions = count.then_some(answer.statistics.graphs);
    let explored_because = answer.explored.get(&None).map(Because::to_string);
    Behaviours { complete, reason, established, explored_because, outcomes, coverage, executions }
}

fn violation(
    subject: &Subject,
    property: Property,
    model: usize,
    (counterexample, story): (&Counterexample, &Story),
) -> Violation {
    let style = report::Style::Plain;
    Violation {
        summary: words::brief(story),
        text: report::counterexample::text::render(story, &subject.sources, style),
        waiting: Waits::of(&story.problem),
        counterexample: Saved::program(subject, property, model, counterexample),
    }
}
