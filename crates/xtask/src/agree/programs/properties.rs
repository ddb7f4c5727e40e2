//! The verdicts of `fencepost verify` for a C program, beside what the oracle's executions show.

use engines::verification::Property;
use execution::span::SourceMap;
use execution::witness::End;
use fencepost::check::cell::{Outcome, Violated, Why};
use fencepost::evidence::Wanted;
use fencepost::verify::cell::{Context, verify};
use fencepost::verify::plan::{Request, Subject};
use ir::program::Program;
use models::Model;
use oracle::program::Outcomes;
use sat::Interrupter;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The properties that executions of the oracle show.
const SHOWN: [&str; 4] = ["assert", "memory", "race", "deadlock"];

/// Compares the verdicts; what differs, one line each.
pub fn compare(
    program: &Program,
    model: &Arc<Model>,
    outcomes: &Outcomes,
    limit: Duration,
) -> Vec<String> {
    let properties: Vec<Property> =
        Property::ALL.into_iter().filter(|property| SHOWN.contains(&property.name())).collect();
    let subject = Subject {
        path: PathBuf::from("program.c"),
        request: Request { properties, time_limit: Some(limit), ..Request::default() },
        sources: SourceMap::default(),
        warnings: Vec::new(),
        program: program.clone(),
        models: vec![model.clone()],
        model_names: vec![model.name.clone()],
    };
    let (interrupter, evidence) = (Interrupter::default(), Wanted::default());
    let context = Context { interrupter: &interrupter, evidence: &evidence, progress: &|_| {} };
    let answer = verify(&subject, model, context);
    let differences = answer.outcomes.iter().filter_map(|(property, outcome)| {
        Some((property, difference(*property, outcome, outcomes)?))
    });
    differences.map(|(property, what)| format!("verify, {property}: {what}")).collect()
}

fn difference(property: Property, outcome: &Outcome, outcomes: &Outcomes) -> Option<String> {
    match outcome {
        Outcome::Inconclusive(Why::Mismatch(what), _) => Some(format!("our mistake: {what}")),
        Outcome::Inconclusive(..) => None,
        // The oracle may have cut off the execution that shows it.
        Outcome::Violated(_) if outcomes.bounded => None,
        // It does not look for races in executions in which something else goes wrong.
        _ if property == Property::Race && flawed(outcomes) => None,
        // It looks for races in executions that all threads end only; verify shows another one if
        // there is none of these, as where an assumption fails in every execution.
        Outcome::Violated(violated) if property == Property::Race && !is_complete(violated) => None,
        Outcome::Violated(_) => {
            (!shows(property, outcomes)).then(|| "only the solver finds a violation".to_string())
        }
        Outcome::Holds | Outcome::HoldsWithinBounds(_) | Outcome::Vacuous(..) => {
            shows(property, outcomes).then(|| "only the oracle finds a violation".to_string())
        }
    }
}

fn is_complete(violated: &Violated) -> bool {
    let mut threads = violated.witness.iter().flat_map(|witness| &witness.threads);
    threads.all(|thread| thread.end == End::Completed)
}

fn flawed(outcomes: &Outcomes) -> bool {
    outcomes.all.iter().any(|outcome| outcome.finding.is_some())
}

/// Whether some execution violates the property.
fn shows(property: Property, outcomes: &Outcomes) -> bool {
    outcomes.all.iter().any(|outcome| match (property, &outcome.finding) {
        (Property::Race, None) => !outcome.flags.is_empty(),
        (Property::Race, Some(_)) => false,
        (_, Some(flawed)) => Property::of(&flawed.kind) == property,
        (_, None) => false,
    })
}
