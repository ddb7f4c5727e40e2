//! How fast litmus tests are answered, in processor time on one core: tests a second for each
//! folder of a corpus, under the tests' own model and under sc.

use crate::root;
use fencepost::litmus::files::collect;
use fencepost::litmus::{Engine, Limits, default_model, load, model, run as answer};
use sat::cpu::Stopwatch;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A test that takes longer is given up and reported.
const LIMIT: Duration = Duration::from_secs(60);

/// Measures the tests of each folder (of our own corpus, if none is given) and prints a table; says
/// whether every test that could be read got an answer.
pub fn run(folders: &[PathBuf]) -> bool {
    let mut folders = folders.to_vec();
    if folders.is_empty() {
        let entries = std::fs::read_dir(root().join("corpus/litmus")).into_iter().flatten();
        folders =
            entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        folders.sort();
    }
    println!(
        "{:<12} {:<7} {:>7} {:>9} {:>10} {:>14} {:>14}",
        "folder", "model", "tests", "seconds", "tests/s", "s/200 tests", "slowest ms"
    );
    let mut good = true;
    for folder in folders {
        for sequential in [false, true] {
            good &= measure(&folder, sequential);
        }
    }
    good
}

/// Reads and answers every test of a folder.
fn measure(folder: &Path, sequential: bool) -> bool {
    let Ok(files) = collect(&[folder.display().to_string()]) else { return false };
    let limits =
        Limits { time: Some(LIMIT), unroll: 2, engine: Engine::Oracle, ..Limits::default() };
    let (mut tests, mut slowest, mut good) = (0, Duration::ZERO, true);
    let mut models = std::collections::BTreeMap::new();
    let mut used = String::new();
    let watch = Stopwatch::start();
    for file in &files {
        let single = Stopwatch::start();
        let Ok(test) = load(file).test else { continue };
        let name = if sequential { "sc" } else { default_model(&test) };
        if !models.contains_key(name) {
            let Ok(model) = model(name) else { return false };
            models.insert(name, model);
        }
        let outcomes = answer(&test, &[models[name].clone()], &limits, false);
        good &= outcomes.iter().all(|outcome| outcome.answer.is_ok());
        tests += 1;
        slowest = slowest.max(single.elapsed());
        used = name.to_string();
    }
    if tests == 0 {
        return true;
    }
    let seconds = watch.elapsed().as_secs_f64();
    let folder = folder.file_name().unwrap_or_default().to_string_lossy();
    println!(
        "{folder:<12} {used:<7} {tests:>7} {seconds:>9.3} {:>10.0} {:>14.3} {:>14.1}",
        f64::from(tests) / seconds,
        seconds * 200.0 / f64::from(tests),
        slowest.as_secs_f64() * 1e3
    );
    good
}
