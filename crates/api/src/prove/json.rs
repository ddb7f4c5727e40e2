//! Everything about proofs as one JSON document.

use super::answer::{Answer, Outcome, Reply};
use super::plan::Subject;
use super::text::{at, bounds, cell, limit, reason, rung};
use crate::saved::Saved;
use engines::views::Deadlock;
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    fencepost: &'static str,
    file: String,
    operations: &'a [String],
    results: Vec<Result<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Result<'a> {
    model: &'a str,
    linearizable: &'static str,
    memory: &'static str,
    deadlock: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rung: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<&'a str>,
    /// What `fencepost replay` reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<Saved>,
    views: usize,
    memories: usize,
    effects: usize,
    seconds: f64,
}

/// The document.
pub fn document(subject: &Subject, replies: &[Reply]) -> String {
    let models = subject.test.models.iter().zip(replies);
    let document = Document {
        fencepost: env!("CARGO_PKG_VERSION"),
        file: subject.test.path.display().to_string(),
        operations: &subject.operations,
        results: models.map(|(model, reply)| result(&model.name, reply)).collect(),
    };
    serde_json::to_string_pretty(&document).expect("plain data without maps") + "\n"
}

fn result<'a>(model: &'a str, reply: &'a Reply) -> Result<'a> {
    let name = |row| match cell(reply, row) {
        "VIOLATED" => "violated",
        "?" => "unknown",
        "-" => "not-asked",
        other => other,
    };
    let mut result = Result {
        model,
        linearizable: name(0),
        memory: name(1),
        deadlock: name(2),
        bounds: None,
        shape: None,
        rung: None,
        reason: None,
        test: None,
        counterexample: None,
        views: 0,
        memories: 0,
        effects: 0,
        seconds: 0.0,
    };
    let answer = match reply {
        Ok(answer) => answer,
        Err(why) => {
            result.reason = Some(limit(*why).into());
            return result;
        }
    };
    let Answer { outcome, cost, seconds, program, .. } = answer;
    (result.views, result.memories, result.effects) = (cost.views, cost.shared, cost.effects);
    result.seconds = *seconds;
    match outcome {
        Outcome::Proved(proved) => {
            result.bounds = Some(bounds(proved));
            result.shape = proved.shape.map(|shape| shape.name());
            result.rung = Some(rung(model, answer));
            if let Deadlock::Unknown(place) | Deadlock::Spins(place) = proved.deadlock {
                result.reason = Some(format!("a thread may wait{}", at(program, place)));
            }
        }
        Outcome::Violated(violated) => {
            result.test = Some(&violated.notation);
            let (test, found) = (&violated.test, violated.answer.outcome.violation());
            result.counterexample =
                found.map(|(found, _)| Saved::test(test, &test.tests[0], 0, found));
        }
        Outcome::Open(open) => {
            result.reason = Some(format!("{}{}", reason(answer, open), at(program, open.place)));
        }
        Outcome::Refused { what, place } => {
            result.reason = Some(format!("not supported: {what}{}", at(program, *place)));
        }
        Outcome::Limit(why) => result.reason = Some(limit(*why).into()),
    }
    result
}
