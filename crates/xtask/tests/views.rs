//! The machine with views observes what the text of the model allows, and each of its rules matters.

use engines::explicit::Rules;
use fencepost::litmus::model;
use xtask::views::{Count, add, is_unchanged, reduced, refusal, sketch};

/// For each rule, a program that shows it.
const SHAPES: [(&str, &str); 11] = [
    ("synchronise", "Wx.rlx Wy.rel | Ry.acq Rx.rlx"),
    ("sequences", "Wx.rlx Wy.rel | Uy.rlx | Ry.acq Rx.rlx"),
    ("own_sequences", "Wx.rlx Wy.rel Wy.rlx | Ry.acq Rx.rlx"),
    ("whole", "Ux.rlx | Ux.rlx"),
    ("release_fences", "Wx.rlx F.rel Wy.rlx | Ry.acq Rx.rlx"),
    ("acquire_fences", "Wx.rlx Wy.rel | Ry.rlx F.acq Rx.rlx"),
    ("sc_fences", "Wx.rlx F.sc Ry.rlx | Wy.rlx F.sc Rx.rlx"),
    // The third thread keeps the first value: what no thread can read is dropped.
    ("coherent", "Wx.rlx | Rx.rlx Rx.rlx | Rx.rlx"),
    ("between", "Wx.rlx Wy.rlx | Wy.rlx Wx.rlx"),
    ("stale", "Wx.rlx Ry.rlx | Wy.rlx Rx.rlx"),
    ("chains", "Wx.rlx F.sc Wy.rlx | Ry.rlx Wz.rlx | Rz.rlx F.sc Rx.rlx"),
];

fn compared(text: &str, rules: Rules) -> Count {
    let rc11 = model("rc11").unwrap_or_else(|_| panic!("no rc11"));
    let mut count = Count::default();
    add(&sketch::parse(text), &rc11, rules, &mut count);
    count
}

#[test]
fn each_rule_of_the_machine_matters() {
    let without = Rules::without_one();
    assert_eq!(without.len(), SHAPES.len());
    for (name, rules) in without {
        let (_, text) = SHAPES.iter().find(|shape| shape.0 == name).expect("a program");
        let count = compared(text, reduced());
        assert!(count.differ.is_empty() && count.refused == 0, "{text}: {count:?}");
        let mutant = Rules { training: 0, ..rules };
        let count = compared(text, mutant);
        assert!(!count.differ.is_empty(), "without {name}: {text} shows nothing");
    }
}

#[test]
fn known_shapes_have_the_outcomes_of_the_model() {
    for text in [
        "Wx.sc Ry.sc | Wy.sc Rx.sc",
        "Wx.na Wy.rel | Ry.acq Rx.na",
        "Wx.na Wy.rlx | Ry.rlx Rx.na",
        "Wx.rlx | Wx.rlx | Rx.rlx Rx.rlx",
        "Wx.rel Ux.rlx | Ux.acq Rx.rlx",
        "Wx.rlx Wx.rel | Rx.acq Wx.rlx Rx.rlx",
    ] {
        let count = compared(text, reduced());
        assert!(count.differ.is_empty() && count.refused == 0, "{text}: {count:?}");
    }
}

#[test]
fn a_sample_of_all_small_programs_has_the_outcomes_of_the_model() {
    let rc11 = model("rc11").unwrap_or_else(|_| panic!("no rc11"));
    let mut count = Count::default();
    let numbers = (0..sketch::all()).step_by(40_009);
    for sketch in numbers.filter_map(sketch::numbered) {
        add(&sketch, &rc11, reduced(), &mut count);
    }
    assert!(count.differ.is_empty(), "{:#?}", count.differ);
    assert!(count.same > 20 && count.outcomes > 40, "{count:?}");
}

#[test]
fn reductions_change_nothing() {
    let rc11 = model("rc11").unwrap_or_else(|_| panic!("no rc11"));
    let mut compared = 0;
    for seed in 0..40 {
        let sketch = sketch::random(seed, seed % 2 == 0);
        let Some(same) = is_unchanged(&sketch, &rc11) else { continue };
        assert!(same, "{}", sketch::text(&sketch));
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn blocks_that_are_allocated_while_threads_run_are_refused() {
    let file = xtask::root().join("corpus/verify/memory/calloc_published_relaxed.c");
    let text = std::fs::read_to_string(file).expect("a program of the corpus");
    let rc11 = model("rc11").unwrap_or_else(|_| panic!("no rc11"));
    let refused = refusal(&text, &rc11).expect("a refusal");
    assert!(refused.contains("allocated while threads run"), "{refused}");
}
