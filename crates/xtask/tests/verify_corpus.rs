//! Every program of `corpus/verify` compiles, says what is expected of it, and does nothing else
//! under a few random schedules; and a sample of the verdicts of `fencepost verify` is as expected.

use encoding::encode::Mutexes;
use engines::verification::EngineChoice;
use libtest_mimic::{Arguments, Failed, Trial};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use xtask::verify_corpus::expectation::Program;
use xtask::verify_corpus::verdicts::{Comparison, How, check};
use xtask::verify_corpus::{programs, schedules};

/// Few schedules, so that all programs together take seconds; `xtask verify-corpus` runs more.
const SCHEDULES: u64 = 20;
/// One in this many programs on models is verified.
const SAMPLE: usize = 7;
/// One in this many programs with mutexes on models is verified in both ways of encoding these.
const LOCKS: usize = 29;
/// One in this many programs on models is verified by exploring runs, too.
const EXPLORED: usize = 23;
/// A guard against hanging: each takes seconds, and one that needs more than this is left open.
const LIMIT: Duration = Duration::from_secs(300);
/// Of a hundred verdicts, this many must be given: to refuse and to run out of time is not to pass.
const FLOOR: usize = 95;

/// So many verdicts a whole run gives at least: a corpus that is not found gives none.
const LEAST: usize = 3_000;

/// How many verdicts were given as expected, and how many were refused or out of time.
static GIVEN: AtomicUsize = AtomicUsize::new(0);
static OPEN: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let programs = programs().expect("the corpus can be read");
    assert!(programs.len() >= 150, "only {} programs", programs.len());
    let sample =
        cells(&programs).enumerate().filter(|(index, _)| index % SAMPLE == 0).map(|(_, cell)| cell);
    let verdicts = sample.map(|(program, model)| {
        let name = format!("verdicts/{}/{model}", program.name);
        Trial::test(name, move || as_expected(&program, &model, &USUAL))
    });
    // Programs with mutexes, as if these were any memory.
    let locks = cells(&programs).filter(|(program, _)| has_mutexes(program));
    let sample = locks.enumerate().filter(|(index, _)| index % LOCKS == 0).map(|(_, cell)| cell);
    let atomics = sample.map(|(program, model)| {
        let how = How { mutexes: Mutexes::Atomics, engine: EngineChoice::Solver, ..USUAL };
        let name = format!("mutexes/{}/{model}", program.name);
        Trial::test(name, move || {
            as_expected(&program, &model, &how)?;
            as_expected(&program, &model, &How { mutexes: Mutexes::Direct, ..how })
        })
    });
    let sample = cells(&programs).enumerate().filter(|(index, _)| index % EXPLORED == 3);
    let explored = sample.map(|(_, (program, model))| {
        let how = How { engine: EngineChoice::Explore, ..USUAL };
        Trial::test(format!("explored/{}/{model}", program.name), move || {
            as_expected(&program, &model, &how)
        })
    });
    let schedules = programs.iter().cloned().map(|program| {
        Trial::test(format!("schedules/{}", program.name), move || {
            schedules::check(&program, SCHEDULES, false).map_err(Into::into)
        })
    });
    let trials = schedules.chain(verdicts).chain(atomics).chain(explored).collect();
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    let (given, open) = (GIVEN.load(Ordering::Relaxed), OPEN.load(Ordering::Relaxed));
    println!("{given} verdicts as expected, {open} refused or out of time");
    assert!(given * 100 >= FLOOR * (given + open), "too few verdicts");
    // A run that names single trials is not the whole sample.
    let whole = conclusion.num_filtered_out == 0;
    assert!(!whole || given > LEAST, "only {given} verdicts");
    conclusion.exit();
}

fn cells(programs: &[Program]) -> impl Iterator<Item = (Program, String)> {
    programs.iter().flat_map(|program| {
        program.models.keys().map(move |model| (program.clone(), model.clone()))
    })
}

fn has_mutexes(program: &Program) -> bool {
    let text = std::fs::read_to_string(&program.path).unwrap_or_default();
    ["pthread_mutex_", "mtx_", "pthread_spin_"].iter().any(|name| text.contains(name))
}

/// How it is verified by default.
const USUAL: How = How { limit: LIMIT, engine: EngineChoice::Either, mutexes: Mutexes::Direct };

/// What is refused or takes too long does not contradict, but is counted ([`FLOOR`]).
fn as_expected(program: &Program, model: &str, how: &How) -> Result<(), Failed> {
    for verdict in check(program, model, how) {
        match verdict.comparison {
            Comparison::Different(what) => {
                return Err(format!("{}: {what}", verdict.about[2]).into());
            }
            Comparison::Same | Comparison::Bounded => GIVEN.fetch_add(1, Ordering::Relaxed),
            Comparison::Refused(_) | Comparison::OutOfTime => OPEN.fetch_add(1, Ordering::Relaxed),
        };
    }
    Ok(())
}
