//! The same programs under random schedules: what a run under sequential consistency finds must be
//! expected under `sc`, and what is expected should be found by some run.

use super::expectation::{Expected, Program};
use execution::finding::DivisionError;
use execution::finding::FindingKind;
use fencepost::compile::{COptions, compile_file};
use fencepost::run::{RunOptions, run_many};
use report::Style;

/// The properties that a run can see.
const SEEN: [&str; 3] = ["assert", "memory", "deadlock"];

/// Runs a program under a number of schedules; what is not as expected. Whether something that
/// should be found is found is asked only if `must_find`: a few schedules may miss it.
pub fn check(program: &Program, schedules: u64, must_find: bool) -> Result<(), String> {
    let compiled = compile_file(&program.path, &COptions::default()).map_err(|rejected| {
        report::diagnostics::render_all(&rejected.diagnostics, &rejected.sources, Style::Plain)
    })?;
    let Some(expected) = program.models.get("sc") else { return Ok(()) };
    let run = |max_steps| {
        let options = RunOptions { max_steps, ..RunOptions::default() };
        run_many(&compiled.program, &options, schedules, |_| true)
    };
    let mut summary = run(20_000);
    if summary.stuck.is_some() && expected.fails("liveness") == Some(false) {
        // A schedule may let a thread poll for long.
        summary = run(500_000);
    }
    match &summary.finding {
        Some((seed, finding)) => match property(&finding.kind).map(|it| expected.fails(it)) {
            Some(Some(false)) => Err(format!("{} (seed {seed})", finding.kind.name())),
            _ => Ok(()),
        },
        None if summary.stuck.is_some() && expected.fails("liveness") == Some(false) => {
            Err("does not end".to_string())
        }
        None if must_find && summary.discarded < summary.runs => found_nothing(expected),
        None => Ok(()),
    }
}

fn found_nothing(expected: &Expected) -> Result<(), String> {
    match SEEN.into_iter().find(|property| expected.fails.contains(*property)) {
        Some(property) => Err(format!("no schedule violates {property}")),
        None => Ok(()),
    }
}

/// The property that a finding of a run violates; none where nothing is wrong with the program.
fn property(kind: &FindingKind) -> Option<&'static str> {
    Some(match kind {
        FindingKind::NotSupported(_) => return None,
        FindingKind::Deadlock => "deadlock",
        FindingKind::Overflow(_) | FindingKind::Division(DivisionError::Overflow) => "overflow",
        FindingKind::AssertionFailed(_)
        | FindingKind::Misuse(_)
        | FindingKind::Trap(_)
        | FindingKind::Division(_)
        | FindingKind::BadJoin
        | FindingKind::UnbalancedAtomicSection => "assert",
        _ => "memory",
    })
}
