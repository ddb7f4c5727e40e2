//! Every example runs, and under a few schedules shows nothing that it should not. The long form
//! is `cargo run --release -p xtask -- examples`.

use rayon::prelude::*;
use std::collections::BTreeSet;
use xtask::examples::{check, expected};

#[test]
fn a_few_schedules_of_each_example_are_as_expected() {
    let bad: Vec<String> = expected()
        .unwrap()
        .par_iter()
        .map(|example| (example, check(example, 10, false)))
        .filter(|(_, verdict)| !verdict.good)
        .map(|(example, verdict)| format!("{}: {}", example.path, verdict.text))
        .collect();
    assert!(bad.is_empty(), "{}", bad.join("\n\n"));
}

#[test]
fn every_example_is_listed() {
    let folder = xtask::root().join("examples");
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let entry = entry.unwrap();
        if !entry.file_type().unwrap().is_dir() {
            continue;
        }
        for file in std::fs::read_dir(entry.path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "c") {
                let relative = path.strip_prefix(&folder).unwrap();
                found.insert(relative.to_string_lossy().into_owned());
            }
        }
    }
    let listed: BTreeSet<String> = expected().unwrap().into_iter().map(|e| e.path).collect();
    assert_eq!(found, listed);
}
