//! Views of two tracked threads: what they prove, and that the pairs of threads of all states of two
//! and three threads are among them.

use super::concrete::Explorer;
use super::ladder::{Options, Verdict, prove};
use super::machine::{Descriptor, Facts, Locks, Machine, Prepared, Rung};
use super::order::Deadlock;
use super::pairs::{Pairs, PairsEnded};
use super::search::Ended;
use super::spec::{self, Spec};
use super::tests::{CELL, example};
use crate::fixture::composed;
use crate::test::compose::Composed;
use sat::Limits;

/// What is asked about a data type.
#[derive(Clone, Copy)]
struct Question {
    /// Whether operations have to be those of the serial executions.
    checked: bool,
    common_objects: bool,
    depth: usize,
}

const CHECKED: Question = Question { checked: true, common_objects: true, depth: 2 };

/// How many pairs of threads of the states of some threads were compared with the fixpoint, and
/// whether all of them are in it; nothing if the search did not end with a proof.
fn compare(composed: &Composed, threads: usize, question: Question) -> Option<(usize, bool)> {
    compare_with(composed, threads, question, None)
}

/// The same where it is known which operations go on, by objects of this kind.
fn compare_with(
    composed: &Composed,
    threads: usize,
    question: Question,
    makers: Option<Descriptor>,
) -> Option<(usize, bool)> {
    let prepared = Prepared::new(composed, None);
    let limits = Limits::default();
    let settings = (false, Some(1));
    let common_objects = question.common_objects;
    let mut facts = Facts::default();
    loop {
        facts.begin();
        let rung = Rung { tracked: 2, makers, ..Rung::new(Locks::Exact, question.depth) };
        let machine = Machine::new(&prepared, rung, settings, facts);
        let initial = spec::initial(&machine).ok()?;
        let spec = match question.checked {
            true => Spec::of(&machine, &initial, Some(1), &limits).ok()?,
            false => Spec::of_anything(&machine, &initial).ok()?,
        };
        machine.facts.borrow_mut().begin();
        let mut search = Pairs::new(&machine, &spec, &limits);
        search.common_objects = common_objects;
        match search.run(&initial, &|_| {}) {
            PairsEnded::Else(Ended::Proved) => {}
            PairsEnded::Else(Ended::Learnt) => {
                drop(search);
                facts = machine.facts.take();
                continue;
            }
            _ => return None,
        }
        let known = machine.facts.borrow().clone();
        let rung = Rung { makers, ..Rung::new(Locks::Exact, usize::MAX) };
        let concrete = Machine::new(&prepared, rung, settings, known);
        let mut explorer = Explorer::new(&concrete, &spec);
        explorer.run(&initial, threads, 3000, &limits);
        assert_eq!(explorer.wrong, [], "what was proved is wrong");
        search.common_objects = true;
        let mut count = 0;
        for state in &explorer.states {
            for first in 0..threads {
                for second in first + 1..threads {
                    count += 1;
                    if !search.contains(state, [first, second]) {
                        return Some((count, false));
                    }
                }
            }
        }
        return Some((count, true));
    }
}

/// Which objects two threads have in common is known.
#[test]
fn without_common_objects_pairs_are_missing() {
    let cell = composed(CELL, "( w | r )");
    let with = Question { checked: false, ..CHECKED };
    let without = Question { common_objects: false, ..with };
    let all = |question| compare(&cell, 2, question).map(|(_, all)| all);
    assert_eq!(all(with), Some(true));
    assert_eq!(all(without), Some(false));
}

fn proved(composed: &Composed) -> (Verdict, Vec<Rung>) {
    let options = Options { values: Some(1), ..Options::default() };
    let proof = prove(composed, None, &options, &|_| {});
    println!("{:?}", proof.cost);
    (proof.verdict, proof.rungs)
}

#[test]
fn locks_that_are_handed_on_are_proved_with_two_tracked_threads() {
    for file in ["mcs-lock/mcs_lock.c", "clh-lock/clh_lock.c"] {
        let (verdict, rungs) = proved(&example(file, "( y )"));
        assert!(matches!(verdict, Verdict::Proved(_)), "{file} {verdict:?}");
        assert_eq!(rungs.last().expect("a rung").tracked, 2, "{file}");
    }
}

#[test]
fn the_pairs_of_two_and_three_threads_are_in_the_fixpoint() {
    for (file, operations, depth) in [
        ("mcs-lock/mcs_lock.c", "( y )", 1),
        ("clh-lock/clh_lock.c", "( y )", 1),
        ("spinlock/spinlock.c", "( x )", 1),
        ("treiber/treiber.c", "( u | o )", 2),
    ] {
        for threads in [2, 3] {
            let composed = example(file, operations);
            let (count, all) =
                compare(&composed, threads, Question { depth, ..CHECKED }).expect("a proof");
            assert!(all && count > 20, "{file} {threads} {count}");
        }
    }
}

/// The text of an example that is a lock, with the client that it includes.
fn lock(file: &str) -> String {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/");
    let read = |file: &str| std::fs::read_to_string(format!("{examples}{file}")).expect("a file");
    let client =
        read("clients/lock.h").replace("#include \"operations.h\"", "#include <fencepost.h>");
    read(file).replace("#include \"../clients/lock.h\"", &client)
}

/// Whether the fixpoint of pairs alone proves a lock, whatever executions of a few threads say.
fn pairs_prove(composed: &Composed) -> bool {
    let prepared = Prepared::new(composed, None);
    let limits = Limits::default();
    let mut facts = Facts::default();
    loop {
        facts.begin();
        let rung = Rung { tracked: 2, ..Rung::new(Locks::Exact, 1) };
        let machine = Machine::new(&prepared, rung, (false, None), facts);
        let initial = spec::initial(&machine).expect("it can be prepared");
        let Ok(spec) = Spec::of(&machine, &initial, None, &limits) else { return false };
        machine.facts.borrow_mut().begin();
        let mut search = Pairs::new(&machine, &spec, &limits);
        match search.run(&initial, &|_| {}) {
            PairsEnded::Else(Ended::Proved) => return true,
            PairsEnded::Else(Ended::Learnt) => {
                drop(search);
                facts = machine.facts.take();
            }
            _ => return false,
        }
    }
}

#[test]
fn locks_that_let_two_threads_in_are_not_proved() {
    let text = lock("clh-lock/clh_lock.c");
    assert!(pairs_prove(&composed(&text, "( y )")));
    for (right, wrong) in [
        // A node that looks free.
        ("atomic_store_explicit(&mine->busy, true", "atomic_store_explicit(&mine->busy, false"),
        // It does not wait.
        ("while (atomic_load_explicit(&before->busy, memory_order_acquire)) sched_yield();", ""),
        // It waits for one moment only.
        ("while (atomic_load_explicit(&before->busy", "if (atomic_load_explicit(&before->busy"),
        // It says that it is free before it is.
        (
            "    fp_assert(!inside);\n    inside = true;\n    inside = false;\n    leave(mine);",
            "    leave(mine);\n    fp_assert(!inside);\n    inside = true;\n    inside = false;",
        ),
        // It frees the node on which the next one waits.
        ("free(before)", "free(mine)"),
        // Joining the queue takes two steps.
        (
            "atomic_exchange_explicit(&tail, mine, memory_order_acq_rel)",
            "atomic_load(&tail); atomic_store(&tail, mine)",
        ),
    ] {
        let changed = text.replace(right, wrong);
        assert_ne!(changed, text, "{right}");
        assert!(!pairs_prove(&composed(&changed, "( y )")), "{wrong}");
    }
    let text = lock("mcs-lock/mcs_lock.c");
    for (right, wrong) in [
        (
            "atomic_store_explicit(&mine->waiting, true",
            "atomic_store_explicit(&mine->waiting, false",
        ),
        ("while (atomic_load_explicit(&mine->waiting, memory_order_acquire)) sched_yield();", ""),
        // It leaves the queue without a look at whether it is the last.
        (
            "atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_release,\n                                                    memory_order_relaxed)",
            "(atomic_store(&tail, NULL), 0)",
        ),
        // The waiter is gone when the next one says who it is.
        (
            "while (!(next = atomic_load_explicit(&mine->next, memory_order_acquire))) sched_yield();",
            "return;",
        ),
    ] {
        let changed = text.replace(right, wrong);
        assert_ne!(changed, text, "{right}");
        assert!(!pairs_prove(&composed(&changed, "( y )")), "{wrong}");
    }
}

/// Whether the threads of a lock that is handed on are proved to be in no deadlock, and the kind of
/// objects that says which operations go on.
fn handed_on(text: &str) -> (bool, Option<Descriptor>) {
    let (verdict, rungs) = proved(&composed(text, "( y )"));
    let Verdict::Proved(proved) = verdict else { panic!("{verdict:?}") };
    let makers = rungs.last().and_then(|rung| rung.makers);
    (proved.deadlock == Deadlock::Awaited, makers)
}

#[test]
fn threads_that_wait_for_their_predecessor_are_in_no_deadlock() {
    let text = lock("clh-lock/clh_lock.c");
    let (ends, makers) = handed_on(&text);
    assert!(ends && makers.is_some());
    for threads in [2, 3] {
        let question = Question { depth: 1, ..CHECKED };
        let (count, all) =
            compare_with(&composed(&text, "( y )"), threads, question, makers).expect("a proof");
        assert!(all && count > 20, "{threads} {count}");
    }
}

#[test]
fn threads_that_are_not_woken_are_in_a_deadlock() {
    let text = lock("clh-lock/clh_lock.c");
    for (right, wrong) in [
        // The last thread of the queue alone says that it is free.
        (
            "    leave(mine);\n    if (before",
            "    if (atomic_load(&tail) == mine) leave(mine);\n    if (before",
        ),
        // It says so if it had not waited.
        (
            "    leave(mine);\n    if (before",
            "    if (before == &nodes[CLIENT_THREADS] || atomic_load(&tail) == mine) leave(mine);\n    if (before",
        ),
        // It waits for a later one before it says so.
        (
            "    leave(mine);\n    if (before",
            "    while (atomic_load(&tail) != mine && atomic_load(&mine->busy)) sched_yield();\n    leave(mine);\n    if (before",
        ),
    ] {
        let changed = text.replace(right, wrong);
        assert_ne!(changed, text, "{right}");
        let (ends, makers) = handed_on(&changed);
        assert!(!ends && makers.is_none(), "{wrong}");
    }
}
