//! Every program of `corpus/verify` compiles, says what is expected of it, and does nothing else
//! under a few random schedules.

use libtest_mimic::{Arguments, Trial};
use xtask::verify_corpus::{programs, schedules};

/// A few, so that all programs together take seconds; `xtask verify-corpus` runs more.
const SCHEDULES: u64 = 20;

fn main() {
    let programs = programs().expect("the corpus can be read");
    assert!(programs.len() >= 150, "only {} programs", programs.len());
    let trials = programs.into_iter().map(|program| {
        Trial::test(format!("schedules/{}", program.name), move || {
            schedules::check(&program, SCHEDULES, false).map_err(Into::into)
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}
