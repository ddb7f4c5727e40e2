//! The verdicts of `fencepost verify` compared with those that a program expects.

use super::expectation::{Expected, Program};
use encoding::encode::Mutexes;
use engines::verification::{EngineChoice, Property};
use execution::verdict::{Reason, Verdict};
use fencepost::answer::Confirmed;
use fencepost::verify::cell::verify_quietly;
use fencepost::verify::plan::{Request, plan};
use report::Style;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// A property of a program on a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The program, the model and the property.
    pub about: [String; 3],
    /// How it compares.
    pub comparison: Comparison,
}

/// How a verdict compares with what is expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// As expected.
    Same,
    /// It holds within bounds, and is expected to hold (or the solver is asked alone whether a loop
    /// ends).
    Bounded,
    /// No answer in time.
    OutOfTime,
    /// The program is refused; why.
    Refused(String),
    /// Another one than expected, or a mistake of ours; what is said.
    Different(String),
}

/// How to verify.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// How long a program may take on one model.
    pub limit: Duration,
    /// By which engine.
    pub engine: EngineChoice,
    /// How the solver encodes mutexes.
    pub mutexes: Mutexes,
}

/// Verifies a program on a model and compares each property with what is expected.
pub fn check(program: &Program, model: &str, how: &How) -> Vec<Compared> {
    let Some(expected) = program.models.get(model) else { return Vec::new() };
    let about = |property: &str| [&program.name, model, property].map(str::to_string);
    let answer = catch_unwind(AssertUnwindSafe(|| ask(program, model, how)));
    let outcomes = match answer {
        Ok(Ok(outcomes)) => outcomes,
        Ok(Err(text)) => {
            let comparison = Comparison::Different(text);
            return vec![Compared { about: about("-"), comparison }];
        }
        Err(_) => {
            let comparison = Comparison::Different("it panics".to_string());
            return vec![Compared { about: about("-"), comparison }];
        }
    };
    outcomes
        .into_iter()
        .filter_map(|(property, outcome)| {
            let comparison = match (how.engine, property, &outcome.verdict) {
                // By itself the solver may name a loop that never ends as a bound.
                (
                    EngineChoice::Solver | EngineChoice::Explore,
                    Property::Liveness,
                    Verdict::HoldsWithinBounds(_),
                ) => Comparison::Bounded,
                _ => compare(expected, property, &outcome.verdict)?,
            };
            Some(Compared { about: about(property.name()), comparison })
        })
        .collect()
}

/// What `fencepost verify` says.
fn ask(program: &Program, model: &str, how: &How) -> Result<Vec<(Property, Confirmed)>, String> {
    let request = Request {
        models: vec![model.to_string()],
        properties: Property::ALL.to_vec(),
        time_limit: Some(how.limit),
        engine: how.engine,
        mutexes: how.mutexes,
        ..Request::default()
    };
    let subject = plan(&program.path, &request).map_err(|rejected| {
        report::diagnostics::render_all(&rejected.diagnostics, &rejected.sources, Style::Plain)
    })?;
    Ok(verify_quietly(&subject, &subject.models[0]).outcomes)
}

fn compare(expected: &Expected, property: Property, outcome: &Verdict) -> Option<Comparison> {
    let fails = expected.fails(property.name())?;
    if expected.cut.contains(property.name()) {
        return Some(match outcome {
            Verdict::Inconclusive(Reason::Cut(_), _) => Comparison::Same,
            Verdict::Inconclusive(Reason::Limit(_), _) => Comparison::OutOfTime,
            Verdict::Inconclusive(Reason::Unsupported { what, .. }, _) => {
                Comparison::Refused(what.clone())
            }
            _ => Comparison::Different("is not cut".to_string()),
        });
    }
    Some(match (outcome, fails) {
        (Verdict::Holds, false) | (Verdict::Violated(_), true) => Comparison::Same,
        (Verdict::HoldsWithinBounds(_), false) => Comparison::Bounded,
        (Verdict::Holds, true) => Comparison::Different("holds".to_string()),
        (Verdict::HoldsWithinBounds(_), true) => {
            Comparison::Different("holds within bounds".to_string())
        }
        (Verdict::Vacuous(..), _) => Comparison::Different("has no executions".to_string()),
        (Verdict::Violated(found), false) => {
            Comparison::Different(format!("violated: {:?}", found.violation))
        }
        (Verdict::Inconclusive(why, _), _) => match why {
            Reason::Unsupported { what, .. } => Comparison::Refused(what.clone()),
            Reason::Cut(cut) => Comparison::Different(format!("is cut: {}", cut.kind.name())),
            Reason::Input(mistake) => Comparison::Refused(mistake.error.message.clone()),
            Reason::Limit(_) => Comparison::OutOfTime,
            Reason::Mismatch(what) | Reason::Internal(what) => {
                Comparison::Different(format!("our mistake: {what}"))
            }
        },
    })
}
