//! A part of the papers' results that takes a few seconds: verdicts only, no times. The long form
//! is `cargo run --release -p xtask -- papers`.

use rayon::prelude::*;
use sat::Interrupter;
use xtask::papers::bugs::CLAIMS;
use xtask::papers::cell::{Answer, Cell, check};

fn cell(file: &str, notation: &str, model: &str) -> Cell {
    Cell {
        file: file.to_string(),
        test: notation.to_string(),
        notation: notation.to_string(),
        model: model.to_string(),
        without_fence: None,
        commit_points: false,
    }
}

fn answer(cell: &Cell) -> Answer {
    check(cell, &Interrupter::default()).expect("a cell that can be checked").answer
}

#[test]
fn the_bugs_of_the_papers_are_found_and_replayed() {
    let wrong: Vec<String> = CLAIMS
        .par_iter()
        .filter(|claim| claim.quick)
        .map(|claim| (claim, answer(&claim.cell())))
        .filter(|(claim, answer)| !claim.agrees(answer))
        .map(|(claim, answer)| format!("{} {}: {answer:?}", claim.what, claim.file))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn with_its_fences_everything_holds_and_without_them_only_on_strong_models() {
    let tests = [
        ("ms2/ms2", "( e | d )"),
        ("ms2/ms2", "( e e | d d )"),
        ("msn/msn", "( e | d )"),
        ("msn/msn", "( e e | d d )"),
        ("lazylist/lazylist", "( a | c )"),
        ("harris/harris", "( a | c )"),
    ];
    let cases = tests.iter().flat_map(|(name, test)| {
        [("fenced", "sc"), ("fenced", "relaxed"), ("unfenced", "sc"), ("unfenced", "tso")]
            .map(|(variant, model)| cell(&format!("{name}_{variant}.c"), test, model))
    });
    let cases: Vec<Cell> = cases.collect();
    let wrong: Vec<String> = cases
        .par_iter()
        .map(|cell| (cell, answer(cell)))
        .filter(|(_, answer)| *answer != Answer::Holds)
        .map(|(cell, answer)| format!("{cell:?}: {answer:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (name, test) in tests {
        let answer = answer(&cell(&format!("{name}_unfenced.c"), test, "relaxed"));
        assert!(answer.is_violated(), "{name} {test}: {answer:?}");
    }
}

#[test]
fn commit_points_are_measured_with_all_columns_of_the_paper() {
    let cell = Cell { commit_points: true, ..cell("ms2/ms2_fenced.c", "( e | d )", "relaxed") };
    let measured = check(&cell, &Interrupter::default()).expect("a cell that can be checked");
    assert_eq!(measured.answer, Answer::Holds);
    let (loads, stores) = measured.accesses;
    assert!(loads > 0 && stores > 0 && measured.instructions > loads + stores);
    // It holds because its commit points are right.
    let wrong = Cell { file: "ms2/ms2_commit_at_head.c".to_string(), ..cell };
    assert!(answer(&wrong).is_violated());
}

#[test]
fn what_is_spent_before_the_last_round_is_part_of_the_whole() {
    let cell = cell("msn/msn_fenced.c", "( e | d )", "relaxed");
    let measured = check(&cell, &Interrupter::default()).expect("a cell that can be checked");
    // In the last, threads continue after their loops.
    assert_eq!(measured.rounds, 3);
    let (solver, outside) = measured.earlier;
    assert!(outside > 0.0 && outside < measured.outside && solver <= measured.solver);
}
