//! The machine with views observes what the text of the model allows, and each of its rules matters.

use engines::explicit::{Rules, Wanted};
use engines::verification::Property;
use fencepost::litmus::model;
use xtask::views::{Count, add, is_unchanged, reduced, said, said_to, sketch};

/// For each rule, a program that shows it.
const SHAPES: [(&str, &str); 11] = [
    ("synchronise", "Wx.rlx Wy.rel | Ry.acq Rx.rlx"),
    ("sequences", "Wx.rlx Wy.rel | Uy.rlx | Ry.acq Rx.rlx"),
    ("own_sequences", "Wx.rlx Wy.rel Wy.rlx | Ry.acq Rx.rlx"),
    ("whole", "Ux.rlx | Ux.rlx"),
    ("release_fences", "Wx.rlx F.rel Wy.rlx | Ry.acq Rx.rlx"),
    ("acquire_fences", "Wx.rlx Wy.rel | Ry.rlx F.acq Rx.rlx"),
    ("sc_fences", "Wx.rlx F.sc Ry.rlx | Wy.rlx F.sc Rx.rlx"),
    // The first thread keeps the first value: what no thread can read is dropped.
    ("coherent", "Rx.rlx | Wx.rlx | Rx.rlx Rx.rlx"),
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

fn of_corpus(name: &str) -> String {
    let file = xtask::root().join("corpus/verify").join(name);
    std::fs::read_to_string(file).expect("a program of the corpus")
}

#[test]
fn an_access_that_does_not_come_after_an_allocation_is_noticed() {
    let rc11 = model("rc11").unwrap_or_else(|_| panic!("no rc11"));
    let mutant = Rules { allocations: false, ..Rules::default() };
    for name in ["calloc_published_relaxed", "calloc_of_atomics", "calloc_freed_by_reader"] {
        let text = of_corpus(&format!("memory/{name}.c"));
        let refused = said(&text, &rc11, Rules::default()).expect_err("a refusal");
        assert!(refused.contains("does not come after the allocation"), "{name}: {refused}");
        let wrong = said(&text, &rc11, mutant).expect("what the mutant says");
        let found = wrong.violations.contains_key(&Property::Memory);
        assert!(wrong.all && !found, "{name}: the rule does not matter");
    }
    let text = of_corpus("memory/calloc_published_release.c");
    let right = said(&text, &rc11, Rules::default()).expect("an answer");
    assert!(right.all && right.violations.is_empty() && !right.races && right.terminates);
}

#[test]
fn threads_that_wait_for_ever_are_not_overlooked() {
    let rc11 = model("rc11").unwrap_or_else(|_| panic!("no rc11"));
    let of = |first: &str, second: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x, stop;\n\
             static void set(int n) {{ atomic_store_explicit(&x, n, memory_order_relaxed); }}\n\
             static int x_is(int n) {{ return atomic_load_explicit(&x, memory_order_relaxed) == n; }}\n\
             static void *first(void *unused) {{ {first} return unused; }}\n\
             static void *second(void *unused) {{ {second} return unused; }}\n\
             int main(void) {{ pthread_t a, b; pthread_create(&a, 0, first, 0);\n\
             pthread_create(&b, 0, second, 0); pthread_join(a, 0); pthread_join(b, 0); }}\n"
        )
    };
    let twice = "set(1); set(2);";
    for (first, second, terminates) in [
        (twice, "while (!x_is(2)) {}", true),
        (twice, "while (x_is(0)) {}", true),
        // The value is there for a while, and may be missed.
        (twice, "while (!x_is(1)) {}", false),
        (twice, "while (!x_is(3)) {}", false),
        // Memory goes back and forth.
        ("while (!stop) { set(1); set(0); }", "while (!x_is(1)) {} stop = 1;", false),
    ] {
        let visited = said(&of(first, second), &rc11, Rules::default()).expect("an answer");
        assert!(visited.all, "{first} {second}");
        assert_eq!(visited.terminates, terminates, "{first} {second}");
    }
}

#[test]
fn races_are_not_overlooked() {
    let rc11 = model("rc11").unwrap_or_else(|_| panic!("no rc11"));
    for (text, races) in [
        ("Wx.na Wy.rel | Ry.acq", false),
        ("Wx.na Wy.rel | Ry.acq Rx.na", true),
        ("Wx.na | Rx.rlx", true),
        ("Wx.rlx | Rx.na", true),
        ("Rx.na | Rx.na Wy.rlx", false),
    ] {
        let program = sketch::program(&sketch::parse(text));
        let visited = said(&program, &rc11, Rules::default()).expect("an answer");
        assert!(visited.all && visited.races == races, "{text}");
    }
    for (name, races) in [("malloc_published_release", false), ("plain_counter", true)] {
        let text = of_corpus(&format!("races/{name}.c"));
        let visited = said(&text, &rc11, Rules::default()).expect("an answer");
        assert!(visited.all && visited.races == races, "{name}");
    }
}

#[test]
fn symmetry_of_threads_changes_nothing() {
    let rc11 = model("rc11").unwrap_or_else(|_| panic!("no rc11"));
    let file = xtask::root().join("benchmarks/engines/ttas.c");
    let lock = std::fs::read_to_string(file).expect("a benchmark").replace("N 4", "N 3");
    let relaxed = lock.replace("memory_order_acquire", "memory_order_relaxed");
    let twice = lock.replace("inside == N", "inside == N - 1");
    // The data of the relaxed lock race, and are lists then.
    for (text, violated, races) in
        [(&lock, false, false), (&relaxed, true, true), (&twice, true, false)]
    {
        let [with, without] = [false, true].map(|no_symmetry| {
            said_to(Wanted { no_symmetry, ..Wanted::default() }, text, &rc11).expect("an answer")
        });
        for said in [&with, &without] {
            assert!(said.all && said.races == races && said.terminates, "{text}");
            assert_eq!(said.violations.contains_key(&Property::Assert), violated, "{text}");
        }
    }
    // Four threads are enough for fewer states.
    let four = lock.replace("N 3", "N 4");
    let [with, without] = [false, true].map(|no_symmetry| {
        said_to(Wanted { no_symmetry, ..Wanted::default() }, &four, &rc11).expect("an answer")
    });
    assert!(with.states < without.states, "{} and {}", with.states, without.states);
}
