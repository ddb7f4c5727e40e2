//! A sample of the comparison of `verify --coverage` with brute force.

use engines::verification::EngineChoice;
use std::time::Duration;
use xtask::coverage::{Comparison, compare};

/// Programs whose schedules are few enough to run all of them.
const PROGRAMS: [&str; 4] = [
    "litmus/sb_relaxed",
    "litmus/mp_relaxed",
    "litmus/compare_exchange_once",
    "threads/pthread_exit",
];

/// How many programs and models are compared in both directions; none differs.
fn compared(engine: EngineChoice, models: &[&str]) -> usize {
    let mut same = 0;
    for name in PROGRAMS {
        let path = xtask::root().join(format!("corpus/verify/{name}.c"));
        for model in models {
            match compare(&path, model, (engine, Duration::from_secs(2))) {
                Comparison::Different(what) => panic!("{name} on {model}: {what}"),
                Comparison::Same(..) => same += 1,
                Comparison::Within(_) | Comparison::Unknown(_) => {}
            }
        }
    }
    same
}

#[test]
fn coverage_is_what_brute_force_reaches() {
    let same = compared(EngineChoice::Either, &["sc", "tso"]);
    assert!(same >= 2, "only {same} were compared in both directions");
}

#[test]
fn explored_coverage_is_what_brute_force_and_the_other_engines_reach() {
    let same = compared(EngineChoice::Explore, &["sc", "tso", "armv8"]);
    assert!(same >= 3, "only {same} were compared in both directions");
}
