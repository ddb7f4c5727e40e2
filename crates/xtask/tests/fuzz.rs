//! A fixed sample of mutated inputs for every command.

use std::path::{Path, PathBuf};
use xtask::fuzz::{FuzzOptions, check};

#[test]
fn no_command_fails_on_mutated_inputs() {
    let keep = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    let options = FuzzOptions::sample(300, 1, keep);
    let executable = Path::new(env!("CARGO_BIN_EXE_xtask"));
    let report = check(&options, executable, &|line| println!("{line}")).unwrap();
    assert!(report.failures.is_empty(), "{} inputs fail", report.failures.len());
    assert_eq!(report.below_floor(), Vec::<&str>::new());
    assert_eq!(report.inputs(), 300);
    assert!(report.counts.len() > 10, "only {} targets have inputs", report.counts.len());
}
