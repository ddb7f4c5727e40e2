//! Abstract states that users write as functions or mark by commit points, and operations that
//! other threads complete.

use super::ladder::{Doubt, Options, Proof, Verdict, prove};
use super::machine::Witness;
use super::tests::example;
use crate::fixture::composed;
use crate::test::compose::Composed;

fn proof(composed: &Composed, abstraction: Option<&str>) -> Proof {
    let abstraction = abstraction.map(String::from);
    prove(composed, None, &Options { abstraction, ..Options::default() }, &|_| {})
}

/// A cell under a lock that is released by an exchange, so that nothing takes it for a lock: what
/// runs alone while it is held waits for ever.
const CELL: &str = "
    #include <stdatomic.h>
    #include <fencepost.h>
    static atomic_int held, cell;
    void init(void) { atomic_init(&held, 0); atomic_init(&cell, 0); }
    static void enter(void) {
        int free = 0;
        while (!atomic_compare_exchange_strong(&held, &free, 1)) free = 0;
    }
    static void leave(void) { atomic_exchange(&held, 0); }
    void s(void) {
        int value = fp_choose(0, 2);
        fp_observe(\"to\", value);
        enter();
        atomic_store(&cell, value);
        COMMIT(\"set\");
        leave();
    }
    void g(void) {
        enter();
        int value = atomic_load(&cell);
        COMMIT(\"get\");
        leave();
        fp_observe(\"value\", value);
    }
";

const NO_COMMITS: &str = "#define COMMIT(label)\n";
const COMMITS: &str = "#define COMMIT(label) fp_commit(label)\n";
const SHOWN: &str = "void fp_abstract(void) { fp_observe(\"cell\", atomic_load(&cell)); }\n";

#[test]
fn without_a_way_to_find_the_abstract_state_it_is_not_proved() {
    let cell = composed(&format!("{NO_COMMITS}{CELL}"), "( s | g )");
    let Verdict::Open(open) = proof(&cell, None).verdict else { panic!("a proof") };
    assert_eq!(open.doubt, Doubt::NoAbstractState);
}

#[test]
fn a_function_shows_the_abstract_state() {
    let cell = composed(&format!("{NO_COMMITS}{CELL}{SHOWN}"), "( s | g | fp_abstract )");
    let Proof { verdict, rungs, .. } = proof(&cell, Some("fp_abstract"));
    let Verdict::Proved(proved) = verdict else { panic!("{verdict:?}") };
    assert_eq!(proved.states, 3);
    assert!(rungs.iter().all(|rung| rung.witness == Witness::Function));
}

#[test]
fn a_function_that_writes_or_shows_too_little_is_refused() {
    let refused = |function: &str| {
        let cell = composed(&format!("{NO_COMMITS}{CELL}{function}"), "( s | g | fp_abstract )");
        match proof(&cell, Some("fp_abstract")).verdict {
            Verdict::Refused { what, place } => (what, place.is_some()),
            other => panic!("{other:?}"),
        }
    };
    let writes = "void fp_abstract(void) { fp_observe(\"cell\", atomic_fetch_add(&cell, 0)); }";
    let (what, has_place) = refused(writes);
    assert!(what.contains("changes memory") && has_place, "{what}");
    let (what, has_place) =
        refused("void fp_abstract(void) { fp_observe(\"positive\", atomic_load(&cell) > 0); }");
    assert!(what.contains("the same for states") && has_place, "{what}");
}

#[test]
fn commit_points_show_when_operations_take_effect() {
    let cell = composed(&format!("{COMMITS}{CELL}"), "( s | g )");
    let Proof { verdict, rungs, .. } = proof(&cell, None);
    assert!(matches!(verdict, Verdict::Proved(_)), "{verdict:?}");
    assert_eq!(rungs.last().expect("a rung").witness, Witness::CommitPoints);
}

#[test]
fn commit_points_at_the_wrong_access_prove_nothing() {
    let early = CELL.replace("enter();\n", "enter(); COMMIT(\"early\");\n");
    let early = early.replace("COMMIT(\"set\");", "").replace("COMMIT(\"get\");", "");
    let lock = early.replace("COMMIT(\"early\")", "fp_commit(\"early\")");
    // With the lock, the moment at which it is acquired is right, if two threads are tracked; without
    // it, it is wrong.
    let free = lock.replace(
        "while (!atomic_compare_exchange_strong(&held, &free, 1)) free = 0;",
        "atomic_load(&held);",
    );
    let cell = composed(&format!("{NO_COMMITS}{free}"), "( s | g )");
    let Proof { verdict, .. } = proof(&cell, None);
    // It is right, but not by these commit points: operations of one access each.
    assert!(matches!(verdict, Verdict::Proved(_)), "{verdict:?}");
}

/// A counter that loses increments, with commit points.
const LOST: &str = "
    #include <stdatomic.h>
    #include <fencepost.h>
    static atomic_int counter;
    void init(void) { atomic_init(&counter, 0); }
    void i(void) {
        int value = atomic_load(&counter);
        atomic_store(&counter, (value + 1) % 3);
        fp_commit(\"increment\");
        fp_observe(\"before\", value);
    }
    void g(void) {
        int value = atomic_load(&counter);
        fp_commit(\"get\");
        fp_observe(\"value\", value);
    }
";

#[test]
fn what_is_wrong_is_not_proved_by_commit_points() {
    let Verdict::Open(open) = proof(&composed(LOST, "( i | g )"), None).verdict else {
        panic!("a proof")
    };
    assert!(!open.tests.is_empty());
}

#[test]
fn operations_that_are_completed_by_other_threads_are_proved() {
    let counter = example("announced-counter/announced_counter.c", "( a | g )");
    let Proof { verdict, rungs, cost } = proof(&counter, None);
    println!("{cost:?}");
    assert!(matches!(verdict, Verdict::Proved(_)), "{verdict:?}");
    assert!(rungs.last().expect("a rung").helping.is_some());
}

#[test]
fn a_late_helper_is_not_proved() {
    let counter = example("announced-counter/announced_counter_late.c", "( a | g )");
    let Verdict::Open(open) = proof(&counter, None).verdict else { panic!("a proof") };
    println!("{:?} {:?}", open.doubt, open.tests);
    assert!(!open.tests.is_empty(), "{:?}", open.doubt);
}
