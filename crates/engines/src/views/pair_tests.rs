//! Views of two tracked threads: what they prove, and that the pairs of threads of all states of two
//! and three threads are among them.

use super::concrete::Explorer;
use super::ladder::{Options, Verdict, prove};
use super::machine::{Descriptor, Facts, Locks, Machine, Prepared, Rung};
use super::order::{Deadlock, deadlock};
use super::pairs::{Pairs, PairsEnded};
use super::search::{Ended, kinds};
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
    /// Whether each thread has a store buffer.
    buffers: bool,
}

const CHECKED: Question =
    Question { checked: true, common_objects: true, depth: 2, buffers: false };

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
    let settings = (question.buffers, Some(1));
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

/// What the rung on which it is known which operations go on says of a lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Waits {
    /// The threads that wait are in no deadlock.
    End,
    /// That is not known, but all else is proved.
    Open,
    /// All else is not proved.
    Wrong,
}

/// The kinds of objects that one thread makes and publishes; none if it does not end.
fn published(composed: &Composed) -> Vec<Descriptor> {
    let prepared = Prepared::new(composed, None);
    let rung = Rung::new(Locks::Exact, usize::MAX);
    let machine = Machine::new(&prepared, rung, (false, Some(1)), Facts::default());
    let initial = spec::initial(&machine).expect("it can be prepared");
    let Ok(spec) = Spec::of_anything(&machine, &initial) else { return Vec::new() };
    let mut explorer = Explorer::new(&machine, &spec);
    explorer.run(&initial, 1, 1000, &Limits::default());
    let objects = explorer.states.iter().flat_map(|it| it.shared.objects.iter().chain(&it.private));
    kinds(objects)
}

/// The best that any kind of descriptor gives.
fn waits(composed: &Composed, buffers: bool) -> Waits {
    let prepared = Prepared::new(composed, None);
    let limits = Limits::default();
    let with = |makers: Descriptor| {
        let mut facts = Facts::default();
        loop {
            facts.begin();
            let rung = Rung { tracked: 2, makers: Some(makers), ..Rung::new(Locks::Exact, 1) };
            let machine = Machine::new(&prepared, rung, (buffers, None), facts);
            let initial = spec::initial(&machine).expect("it can be prepared");
            let Ok(spec) = Spec::of(&machine, &initial, None, &limits) else { return Waits::Wrong };
            machine.facts.borrow_mut().begin();
            let mut search = Pairs::new(&machine, &spec, &limits);
            match search.run(&initial, &|_| {}) {
                PairsEnded::Else(Ended::Proved) => {
                    return match deadlock(&machine.facts.borrow(), false).is_open() {
                        true => Waits::Open,
                        false => Waits::End,
                    };
                }
                PairsEnded::Else(Ended::Learnt) => {
                    drop(search);
                    facts = machine.facts.take();
                }
                _ => return Waits::Wrong,
            }
        }
    };
    published(composed).into_iter().map(with).min().unwrap_or(Waits::Wrong)
}

/// With these changes, threads of a lock wait for ever: that they do not is never proved.
fn never_proved(text: &str, changes: &[(&str, &str)], buffers: bool) {
    assert_eq!(waits(&composed(text, "( y )"), buffers), Waits::End);
    for (right, wrong) in changes {
        let changed = text.replacen(right, wrong, 1);
        assert_ne!(changed, text, "{right}");
        assert_ne!(waits(&composed(&changed, "( y )"), buffers), Waits::End, "{wrong}");
    }
}

/// The lock of Craig, Landin and Hagersten, with a kind of descriptor and a second lock.
const TWO_LOCKS: &str = "
#include <fencepost.h>
#include <stdatomic.h>
#include <sched.h>
#include <stdlib.h>
struct first { atomic_int busy; };
struct second { atomic_int busy; };
static struct first a0;
static struct second b0;
static _Atomic(struct first *) a;
static _Atomic(struct second *) b;
void init(void) { atomic_init(&a, &a0); atomic_init(&b, &b0); }
static void in_a(struct first *mine) {
    atomic_init(&mine->busy, 1);
    struct first *before = atomic_exchange(&a, mine);
    while (atomic_load(&before->busy)) sched_yield();
}
static void in_b(struct second *mine) {
    atomic_init(&mine->busy, 1);
    struct second *before = atomic_exchange(&b, mine);
    while (atomic_load(&before->busy)) sched_yield();
}
void y(void) {
    struct first *mine = malloc(sizeof *mine);
    struct second *other = malloc(sizeof *other);
    if (fp_choose(0, 1)) { FIRST } else { SECOND }
    atomic_store(&other->busy, 0);
    atomic_store(&mine->busy, 0);
}
";

#[test]
fn the_pairs_of_threads_that_wait_are_in_the_fixpoint() {
    let text = lock("clh-lock/clh_lock.c");
    let composed = composed(&text, "( y )");
    for buffers in [false, true] {
        let makers = published(&composed);
        assert_eq!(makers.len(), 1);
        for threads in [2, 3] {
            let question = Question { depth: 1, buffers, ..CHECKED };
            let (count, all) =
                compare_with(&composed, threads, question, Some(makers[0])).expect("a proof");
            assert!(all && count > 20, "{threads} {count}");
        }
    }
}

/// The same for the lock of Mellor-Crummey and Scott, whose pairs are many.
#[test]
#[ignore = "half a minute"]
fn the_pairs_of_waiters_of_mellor_crummey_and_scott_are_in_the_fixpoint() {
    let composed = composed(&lock("mcs-lock/mcs_lock.c"), "( y )");
    let makers = published(&composed);
    for (threads, buffers) in [(2, false), (3, false), (2, true)] {
        let question = Question { depth: 1, buffers, ..CHECKED };
        let (count, all) =
            compare_with(&composed, threads, question, Some(makers[0])).expect("a proof");
        assert!(all && count > 20, "{threads} {count}");
    }
}

#[test]
fn two_locks_in_one_order_end_and_in_two_orders_are_not_said_to() {
    let (ab, ba) = ("in_a(mine); in_b(other);", "in_b(other); in_a(mine);");
    let with = |first, second| {
        let text = TWO_LOCKS.replace("FIRST", first).replace("SECOND", second);
        waits(&composed(&text, "( y )"), false)
    };
    assert_eq!(with(ab, ab), Waits::End);
    assert_eq!(with(ab, ba), Waits::Open);
}

#[test]
fn threads_that_wait_for_their_predecessor_are_in_no_deadlock() {
    let (ends, makers) = handed_on(&lock("clh-lock/clh_lock.c"));
    assert!(ends && makers.is_some());
}

/// Of the lock of Craig, Landin and Hagersten.
const LEAVES: &str = "    leave(mine);\n    if (before";
const FORGETS: [(&str, &str); 6] = [
    // The last thread of the queue alone says that it is free.
    (LEAVES, "    if (atomic_load(&tail) == mine) leave(mine);\n    if (before"),
    // It says so if it had not waited.
    (
        LEAVES,
        "    if (before == &nodes[CLIENT_THREADS] || atomic_load(&tail) == mine) leave(mine);\n    if (before",
    ),
    // It waits for a later one before it says so.
    (
        LEAVES,
        "    while (atomic_load(&tail) != mine && atomic_load(&mine->busy)) sched_yield();\n    leave(mine);\n    if (before",
    ),
    // It waits until no thread waits for it.
    (
        LEAVES,
        "    while (atomic_load(&tail) != mine) sched_yield();\n    leave(mine);\n    if (before",
    ),
    // It waits for itself.
    ("atomic_load_explicit(&before->busy", "atomic_load_explicit(&mine->busy"),
    // No thread says that it is free.
    (LEAVES, "    if (before"),
];

#[test]
fn threads_that_are_not_woken_are_in_a_deadlock() {
    let text = lock("clh-lock/clh_lock.c");
    never_proved(&text, &FORGETS, false);
    never_proved(&text, &FORGETS[..3], true);
    let changed = text.replacen(FORGETS[0].0, FORGETS[0].1, 1);
    let (ends, makers) = handed_on(&changed);
    assert!(!ends && makers.is_none());
}

/// The same for the lock of Mellor-Crummey and Scott.
#[test]
#[ignore = "a minute"]
fn waiters_that_are_not_woken_are_in_a_deadlock() {
    let says = "    atomic_store_explicit(&before->next, mine, memory_order_release);\n";
    let waits = "    atomic_store_explicit(&mine->waiting, true, memory_order_relaxed);\n";
    let wakes = "    atomic_store_explicit(&next->waiting, false, memory_order_release);\n";
    let text = lock("mcs-lock/mcs_lock.c");
    let swapped = text.replacen(waits, "", 1).replacen(says, &format!("{says}{waits}"), 1);
    assert_ne!(self::waits(&composed(&swapped, "( y )"), false), Waits::End);
    let changes = [
        // It does not say who it is.
        (says, ""),
        // It wakes no thread.
        (wakes, ""),
        // It wakes one that waits behind the next one only.
        (wakes, "    if (atomic_load(&tail) != next) atomic_store(&next->waiting, false);\n"),
        // It waits until it is the last of the queue.
        (
            wakes,
            "    while (atomic_load(&tail) != mine) sched_yield();\n    atomic_store(&next->waiting, false);\n",
        ),
    ];
    never_proved(&text, &changes, false);
    never_proved(&text, &changes[..1], true);
}
