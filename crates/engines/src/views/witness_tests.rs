//! Abstract states that users write as functions or mark by commit points, and operations that
//! other threads complete.

use super::concrete::Explorer;
use super::ladder::{Doubt, Options, Proof, Verdict, prove};
use super::machine::{Facts, Locks, Machine, Prepared, Rung, Witness};
use super::search::{Assumptions, Ended, Search};
use super::spec::{self, Spec};
use super::tests::{example, is_known, view};
use crate::fixture::composed;
use crate::test::compose::Composed;
use sat::Limits;

fn proof(composed: &Composed, abstraction: Option<&str>) -> Proof {
    let abstraction = abstraction.map(String::from);
    prove(composed, None, &Options { abstraction, ..Options::default() }, &|_| {})
}

/// How many views of the states of some threads were compared with the fixpoint of a rung, and whether
/// all of them are in it; nothing if the search did not end with a proof.
fn compare(
    composed: &Composed,
    rung: Rung,
    learns_help: bool,
    threads: usize,
) -> Option<(usize, bool)> {
    let prepared = Prepared::new(composed, None);
    let limits = Limits::default();
    let settings = (false, Some(1));
    let mut facts = Facts::default();
    loop {
        facts.begin();
        let machine = Machine::new(&prepared, rung, settings, facts);
        let initial = spec::initial(&machine).ok()?;
        let spec = Spec::of(&machine, &initial, None, &limits).ok()?;
        let spec = spec.witnessed(&machine, &initial, &limits).ok()?;
        machine.facts.borrow_mut().begin();
        let assumptions = Assumptions { common_objects: true };
        let mut search = Search::new(&machine, &spec, &limits, assumptions);
        search.learns_help = learns_help;
        match search.run(&initial, &|_| {}) {
            Ended::Proved => {}
            Ended::Learnt => {
                drop(search);
                facts = machine.facts.take();
                continue;
            }
            _ => return None,
        }
        let known = machine.facts.borrow().clone();
        let whole = Rung { depth: usize::MAX, ..rung };
        let concrete = Machine::new(&prepared, whole, settings, known);
        let mut explorer = Explorer::new(&concrete, &spec);
        explorer.run(&initial, threads, 4000, &limits);
        assert_eq!(explorer.wrong, [], "what was proved is wrong");
        let mut count = 0;
        for state in &explorer.states {
            for thread in 0..threads {
                count += 1;
                let (shared, tracked) = view(&machine, state, thread);
                if !is_known(&machine, &search, &shared, &tracked) {
                    return Some((count, false));
                }
            }
        }
        return Some((count, true));
    }
}

/// The views of several threads are in the fixpoint where operations are completed by other threads,
/// and not if the thread whose operation it is does not learn of it.
#[test]
fn the_views_of_threads_that_help_are_in_the_fixpoint() {
    let counter = example("announced-counter/announced_counter.c", "( a | g )");
    let Proof { rungs, .. } = proof(&counter, None);
    let rung = *rungs.last().expect("a rung");
    assert!(rung.helping.is_some());
    for threads in [2, 3] {
        let (count, all) = compare(&counter, rung, true, threads).expect("a proof");
        assert!(all && count > 1000, "{threads} {count}");
    }
    let without = compare(&counter, rung, false, 2);
    assert!(without.is_none_or(|(_, all)| !all), "{without:?}");
}

#[test]
fn the_views_of_threads_with_commit_points_are_in_the_fixpoint() {
    let cell = composed(&format!("{COMMITS}{CELL}"), "( s | g )");
    let witness = Witness::CommitPoints;
    let rung = Rung { witness, ..Rung::new(Locks::Exact, 2) };
    for threads in [2, 3] {
        let (count, all) = compare(&cell, rung, true, threads).expect("a proof");
        assert!(all && count > 50, "{threads} {count}");
    }
}

/// A cell under a lock whose word is never zero, so that nothing takes it for a lock: what runs alone
/// while it is held waits for ever.
const CELL: &str = "
    #include <stdatomic.h>
    #include <fencepost.h>
    static atomic_int held, cell;
    void init(void) { atomic_init(&held, 1); atomic_init(&cell, 0); }
    static void enter(void) {
        int free = 1;
        while (!atomic_compare_exchange_strong(&held, &free, 2)) free = 1;
    }
    static void leave(void) { atomic_exchange(&held, 1); }
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
fn commit_points_without_an_access_are_refused() {
    let refused = |code: &str, buffers: bool| {
        let options = Options { buffers, ..Options::default() };
        let cell = composed(&format!("{COMMITS}{code}"), "( s | g )");
        let Proof { verdict, rungs, .. } = prove(&cell, None, &options, &|_| {});
        assert!(rungs.iter().any(|rung| rung.witness == Witness::CommitPoints));
        assert!(!matches!(verdict, Verdict::Proved(_)), "{verdict:?}");
    };
    let early =
        CELL.replace("enter();\n        atomic_store", "COMMIT(\"early\"); enter(); atomic_store");
    assert_ne!(early, CELL);
    refused(&early.replace("COMMIT(\"set\");", ""), false);
    let relaxed = CELL.replace(
        "atomic_store(&cell, value)",
        "atomic_store_explicit(&cell, value, memory_order_relaxed)",
    );
    assert_ne!(relaxed, CELL);
    refused(&relaxed, true);
}

#[test]
fn commit_points_at_the_wrong_access_prove_nothing() {
    // An operation that reads before its commit point what it shows after it.
    let wrong = "
        #include <stdatomic.h>
        #include <fencepost.h>
        static atomic_int held, cell, other;
        void init(void) { atomic_init(&held, 1); atomic_init(&cell, 0); }
        static void enter(void) {
            int free = 1;
            while (!atomic_compare_exchange_strong(&held, &free, 2)) free = 1;
        }
        static void leave(void) { atomic_exchange(&held, 1); }
        void s(void) {
            int value = fp_choose(0, 2);
            fp_observe(\"to\", value);
            enter();
            atomic_store(&cell, value);
            leave();
            atomic_load(&other);
            fp_commit(\"set\");
        }
        void g(void) {
            enter();
            int value = atomic_load(&cell);
            fp_commit(\"get\");
            leave();
            fp_observe(\"value\", value);
        }
    ";
    let Proof { verdict, rungs, .. } = proof(&composed(wrong, "( s | g )"), None);
    assert!(rungs.iter().any(|rung| rung.witness == Witness::CommitPoints));
    assert!(matches!(verdict, Verdict::Open(_)), "{verdict:?}");
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

#[test]
fn an_operation_that_publishes_two_descriptors_is_not_proved() {
    let text = announced();
    // Each attempt to announce an operation makes a descriptor of its own, and the first is published
    // elsewhere.
    let text = text.replace(
        "static int add(int amount) {\n    struct operation *op = malloc(sizeof *op);",
        "static _Atomic(struct operation *) seen;\n\
         static int add(int amount) {\n    struct operation *op = NULL;\n    \
         for (int i = 0; i < 2; i++) {\n op = malloc(sizeof *op);\n op->amount = amount;\n \
         atomic_store(&seen, op);\n }",
    );
    assert!(text.contains("&seen"));
    let Proof { verdict, .. } = proof(&composed(&text, "( a | g )"), None);
    assert!(!matches!(verdict, Verdict::Proved(_)), "{verdict:?}");
}

/// The counter whose additions are completed by any thread, as a text.
fn announced() -> String {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/announced-counter/announced_counter.c"
    );
    let text = std::fs::read_to_string(file).expect("the example");
    text.replace("../clients/operations.h", "fencepost.h")
}

#[test]
fn no_wrong_way_of_completing_operations_is_proved() {
    let text = announced();
    let verdict = |text: &str| proof(&composed(text, "( a | g )"), None).verdict;
    assert!(matches!(verdict(&text), Verdict::Proved(_)));
    for (right, wrong) in [
        // Other threads may find the operation complete before its result is written.
        (
            "    atomic_store(&op->before, state->before);\n    \
             atomic_compare_exchange_strong(&announced, &op, NULL);",
            "    struct operation *own = op;\n    \
             atomic_compare_exchange_strong(&announced, &op, NULL);\n    \
             atomic_store(&own->before, state->before);",
        ),
        // Two threads may complete it.
        (
            "if (atomic_compare_exchange_strong(&current, &state, next)) state = next;",
            "atomic_store(&current, next); state = next;",
        ),
        // It is announced over another one.
        (
            "atomic_compare_exchange_strong(&announced, &other, op)",
            "(atomic_store(&announced, op), 1)",
        ),
        // A late helper writes the result of another operation.
        ("        if (state->last != op) return;\n", ""),
    ] {
        let changed = text.replace(right, wrong);
        assert_ne!(changed, text, "{right}");
        let verdict = verdict(&changed);
        assert!(!matches!(verdict, Verdict::Proved(_)), "{wrong}: {verdict:?}");
    }
}

/// Two words that a critical section writes one after the other.
const TWO_WORDS: &str = "
    #include <pthread.h>
    #include <fencepost.h>
    static pthread_mutex_t mutex;
    static int first, second;
    void init(void) { pthread_mutex_init(&mutex, 0); }
    void s(void) {
        int value = fp_choose(1, 2);
        fp_observe(\"to\", value);
        pthread_mutex_lock(&mutex);
        first = value;
        second = value;
        pthread_mutex_unlock(&mutex);
    }
    void g(void) {
        pthread_mutex_lock(&mutex);
        int one = first, two = second;
        pthread_mutex_unlock(&mutex);
        fp_observe(\"first\", one);
        fp_observe(\"second\", two);
    }
";

#[test]
fn critical_sections_of_several_writes_are_proved() {
    let words = composed(TWO_WORDS, "( s | g )");
    let Proof { verdict, rungs, .. } = proof(&words, None);
    assert!(matches!(verdict, Verdict::Proved(_)), "{verdict:?}");
    let rung = *rungs.last().expect("a rung");
    assert_eq!(rung.witness, Witness::Remembered);
    for threads in [2, 3] {
        let (count, all) = compare(&words, rung, true, threads).expect("a proof");
        assert!(all && count > 50, "{threads} {count}");
    }
    // One of the words is written outside.
    let wrong = TWO_WORDS.replace(
        "second = value;\n        pthread_mutex_unlock(&mutex);",
        "pthread_mutex_unlock(&mutex);\n        second = value;",
    );
    assert_ne!(wrong, TWO_WORDS);
    let Proof { verdict, .. } = proof(&composed(&wrong, "( s | g )"), None);
    assert!(matches!(verdict, Verdict::Open(_)), "{verdict:?}");
}
