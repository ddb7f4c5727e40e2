//! Fences: each by itself left out, and the smallest test that fails then.

use super::PapersOptions;
use super::cell::{Answer, Cell, line, program};
use super::plan::{IMPLEMENTATIONS, Implementation};
use super::runner::Runner;
use ir::prepare::directed_fences;
use std::fmt::Write;

/// The implementations whose fences are left out one by one, and their files.
const FENCED: [(&str, &str); 4] = [
    ("ms2", "ms2_fenced.c"),
    ("msn", "msn_fenced.c"),
    ("lazylist", "lazylist_fenced.c"),
    ("harris", "harris_fenced.c"),
];
/// Implementations without fences that are right where none is needed.
const UNFENCED: [(&str, &str); 5] = [
    ("ms2", "ms2_unfenced.c"),
    ("msn", "msn_unfenced.c"),
    ("lazylist", "lazylist_unfenced.c"),
    ("harris", "harris_unfenced.c"),
    ("snark", "snark_corrected_unfenced.c"),
];
/// Fences are left out of tests of at most this many operations.
const MOST_OPERATIONS: usize = 6;

/// A fence of an implementation.
struct Fence {
    /// Its number among all fences of the program.
    number: usize,
    /// `load-load` and the like.
    directions: String,
    /// File and line.
    place: String,
}

/// The table of fences; says also whether everything that finished is as expected.
pub fn fences(runner: &Runner, options: &PapersOptions) -> Result<(String, bool), String> {
    let mut text = String::from(
        "| Implementation | fence | what fails without it | how | tests that hold without it |\n\
         | --- | --- | --- | --- | --- |\n",
    );
    let mut good = true;
    let named = |folder: &str| IMPLEMENTATIONS.iter().find(move |i| i.folder == folder);
    for (folder, file) in FENCED {
        let Some(implementation) = named(folder) else { continue };
        let tests = tests(implementation, options, file, "relaxed", MOST_OPERATIONS)?;
        if tests.is_empty() {
            continue;
        }
        for fence in own_fences(&format!("{folder}/{file}"))? {
            good &= without(runner, &mut text, implementation.name, &fence, &tests);
        }
    }
    text += "\n| Without fences, on tso | hold | fail | no answer |\n| --- | --- | --- | --- |\n";
    for (folder, file) in UNFENCED {
        let Some(implementation) = named(folder) else { continue };
        let cells = tests(implementation, options, file, "tso", usize::MAX)?;
        if !cells.is_empty() {
            good &= on_tso(runner, &mut text, implementation.name, &cells);
        }
    }
    Ok((text, good))
}

/// The tests of an implementation, the smallest first.
fn tests(
    implementation: &Implementation,
    options: &PapersOptions,
    file: &str,
    model: &str,
    most: usize,
) -> Result<Vec<Cell>, String> {
    let mut tests = implementation.tests()?;
    tests.retain(|test| {
        test.2 <= most && options.wants(implementation.folder, file, &test.0, model)
    });
    tests.sort_by_key(|test| test.2);
    Ok(tests.iter().map(|test| implementation.cell(file, test, model)).collect())
}

/// The fences of a file that stand in the file itself, not in a header.
fn own_fences(file: &str) -> Result<Vec<Fence>, String> {
    let program = program(file, None)?.program;
    let all = directed_fences(&program).into_iter().enumerate();
    let own = all.filter(|(_, fence)| {
        fence.place.is_some_and(|place| !program.places[place].location.is_library())
    });
    let described = own.map(|(number, fence)| Fence {
        number,
        directions: fence.directions.to_string(),
        place: line(&program, fence.place),
    });
    Ok(described.collect())
}

/// Leaves a fence out, and looks for the smallest test that fails.
fn without(runner: &Runner, text: &mut String, name: &str, fence: &Fence, tests: &[Cell]) -> bool {
    let Fence { number, directions, place } = fence;
    let mut held = Vec::new();
    let (mut fails, mut how) = ("nothing".to_string(), String::new());
    let mut good = true;
    for test in tests {
        let cell = Cell { without_fence: Some(*number), ..test.clone() };
        let answer = runner.one(&cell).answer;
        match &answer {
            Answer::Violated { kind, text } => {
                fails = cell.test.clone();
                how = format!("{kind}: {text}");
                break;
            }
            Answer::Holds | Answer::HoldsWithinBounds(_) => held.push(cell.test.clone()),
            Answer::OutOfTime => held.push(format!("({}: out of time)", cell.test)),
            Answer::Unsupported(_) | Answer::Bug(_) => {
                good = false;
                held.push(format!("({}: {})", cell.test, answer.short()));
            }
        }
    }
    let held = held.join(" ");
    let _ = writeln!(text, "| {name} | {directions}, {place} | {fails} | {how} | {held} |");
    good
}

fn on_tso(runner: &Runner, text: &mut String, name: &str, cells: &[Cell]) -> bool {
    let measured = runner.all(cells);
    let names = |wanted: &dyn Fn(&Answer) -> bool| {
        let fit = cells.iter().zip(&measured).filter(|(_, measured)| wanted(&measured.answer));
        fit.map(|(cell, _)| cell.test.as_str()).collect::<Vec<_>>().join(" ")
    };
    let hold = names(&|answer| *answer == Answer::Holds);
    let open = names(&|answer| matches!(answer, Answer::OutOfTime | Answer::HoldsWithinBounds(_)));
    let fail = names(&|answer| {
        matches!(answer, Answer::Violated { .. } | Answer::Unsupported(_) | Answer::Bug(_))
    });
    let _ = writeln!(text, "| {name} | {hold} | {fail} | {open} |");
    fail.is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::cell::check;
    use super::*;
    use sat::Interrupter;

    #[test]
    fn the_non_blocking_queue_has_seven_fences_of_its_own() {
        let fences = own_fences("msn/msn_fenced.c").unwrap();
        let directions: Vec<&str> = fences.iter().map(|fence| fence.directions.as_str()).collect();
        assert_eq!(directions.iter().filter(|d| **d == "store-store").count(), 2);
        assert_eq!(directions.iter().filter(|d| **d == "load-load").count(), 5);
        assert!(fences.iter().all(|fence| fence.place.starts_with("msn_fenced.c:")));
        assert!(own_fences("msn/msn_unfenced.c").unwrap().is_empty());
    }

    #[test]
    fn every_fence_of_the_non_blocking_queue_is_needed() {
        let queue = IMPLEMENTATIONS.iter().find(|i| i.folder == "msn").unwrap();
        let tests = queue.tests().unwrap();
        let named = |name: &str| tests.iter().find(|test| test.0 == name).unwrap();
        let fails = ["T0", "Ti2", "T1", "T0", "T1", "T0", "T1"];
        let fences = own_fences("msn/msn_fenced.c").unwrap();
        for (fence, fails) in fences.iter().zip(fails) {
            let cell = queue.cell("msn_fenced.c", named(fails), "relaxed");
            let cell = Cell { without_fence: Some(fence.number), ..cell };
            let measured = check(&cell, &Interrupter::default()).unwrap();
            assert!(measured.answer.is_violated(), "{}: {:?}", fence.place, measured.answer);
        }
    }
}
