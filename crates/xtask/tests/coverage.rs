//! A sample of the comparison of `verify --coverage` with brute force.

use std::time::Duration;
use xtask::coverage::{Comparison, compare};

/// Programs whose schedules are few enough to run all of them.
const PROGRAMS: [&str; 4] = [
    "litmus/sb_relaxed",
    "litmus/mp_relaxed",
    "litmus/compare_exchange_once",
    "threads/pthread_exit",
];

#[test]
fn coverage_is_what_brute_force_reaches() {
    let mut same = 0;
    for name in PROGRAMS {
        let path = xtask::root().join(format!("corpus/verify/{name}.c"));
        for model in ["sc", "tso"] {
            match compare(&path, model, Duration::from_secs(5)) {
                Comparison::Different(what) => panic!("{name} on {model}: {what}"),
                Comparison::Same(..) => same += 1,
                Comparison::Within(_) | Comparison::Unknown(_) => {}
            }
        }
    }
    assert!(same >= 2, "only {same} were compared in both directions");
}
