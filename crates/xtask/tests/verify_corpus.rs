//! Every program of `corpus/verify` compiles, says what is expected of it, and does nothing else
//! under a few random schedules; and a sample of the verdicts of `fencepost verify` is as expected.

use libtest_mimic::{Arguments, Failed, Trial};
use std::time::Duration;
use xtask::verify_corpus::expectation::Program;
use xtask::verify_corpus::verdicts::{Comparison, check};
use xtask::verify_corpus::{programs, schedules};

/// A few, so that all programs together take seconds; `xtask verify-corpus` runs more.
const SCHEDULES: u64 = 20;
/// One in so many programs on models is verified.
const SAMPLE: usize = 7;
/// What a slow machine may need for one of them; who needs more is not looked at.
const LIMIT: Duration = Duration::from_secs(20);

fn main() {
    let programs = programs().expect("the corpus can be read");
    assert!(programs.len() >= 150, "only {} programs", programs.len());
    let cells = programs.iter().flat_map(|program| {
        program.models.keys().map(move |model| (program.clone(), model.clone()))
    });
    let sample = cells.enumerate().filter(|(index, _)| index % SAMPLE == 0).map(|(_, cell)| cell);
    let verdicts = sample.map(|(program, model)| {
        let name = format!("verdicts/{}/{model}", program.name);
        Trial::test(name, move || as_expected(&program, &model))
    });
    let schedules = programs.iter().cloned().map(|program| {
        Trial::test(format!("schedules/{}", program.name), move || {
            schedules::check(&program, SCHEDULES, false).map_err(Into::into)
        })
    });
    let trials = schedules.chain(verdicts).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// What is refused or takes too long is no contradiction; `xtask verify-corpus` counts it.
fn as_expected(program: &Program, model: &str) -> Result<(), Failed> {
    for verdict in check(program, model, LIMIT) {
        if let Comparison::Different(what) = verdict.comparison {
            return Err(format!("{}: {what}", verdict.about[2]).into());
        }
    }
    Ok(())
}
