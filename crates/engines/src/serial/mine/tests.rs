//! Claims about serial executions.

use super::*;
use crate::fixture::{Fixture, composed};
use crate::serial::automaton::Automaton;
use crate::test::compose::Operations;
use execution::finding::FindingKind;

/// A queue that is right because it does nothing at the same time as anything else.
const REFERENCE: &str = r#"
#include <checkfence.h>
static int values[16], first, last;
void init(void) { first = last = 0; }
void e(void) { int value = fp_choose(0, 1); fp_observe("value", value); values[last++] = value; }
void d(void) { fp_observe("taken", first == last ? -1 : values[first++]); }
"#;

/// A queue as a list of blocks.
const LIST: &str = r#"
#include <checkfence.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *first, **end;
void init(void) { first = NULL; end = &first; }
void e(void) {
    struct node *node = malloc(sizeof *node);
    node->value = fp_choose(0, 1);
    fp_observe("value", node->value);
    node->next = NULL;
    *end = node;
    end = &node->next;
}
void d(void) {
    struct node *node = first;
    if (!node) { fp_observe("taken", -1); return; }
    fp_observe("taken", node->value);
    first = node->next;
    if (!first) end = &first;
    free(node);
}
"#;

fn observations(code: &str, test: &str) -> ObservationSet {
    with_options(code, test, &SerialOptions::default())
}

fn with_options(code: &str, test: &str, options: &SerialOptions) -> ObservationSet {
    match mine(&composed(code, test), options) {
        Ok(Mined::Observations(set)) => set,
        other => panic!("{other:#?}"),
    }
}

/// What the user sees when a test cannot be mined.
fn refused(code: &str, test: &str) -> String {
    let fixture = Fixture::new(code, &Operations::default(), test);
    let composed = fixture.composed.as_ref().expect("composed");
    match mine(composed, &SerialOptions { steps: 100_000, ways: 1000, ..SerialOptions::default() })
    {
        Err(Failure::Input(error)) => fixture.shown(&error),
        other => panic!("{other:#?}"),
    }
}

fn violation(code: &str, test: &str) -> SerialViolation {
    match mine(&composed(code, test), &SerialOptions::default()) {
        Ok(Mined::Violated(violation)) => *violation,
        other => panic!("{other:#?}"),
    }
}

#[test]
fn one_enqueue_and_one_dequeue() {
    let set = observations(REFERENCE, "( e | d )");
    insta::assert_snapshot!(set, @r"
    e: value=0; d: taken=-1
    e: value=0; d: taken=0
    e: value=1; d: taken=-1
    e: value=1; d: taken=1
    ");
}

#[test]
fn initial_operations_come_first() {
    let set = observations(REFERENCE, "e ( d | d )");
    insta::assert_snapshot!(set, @r"
    e: value=0; d#1: taken=-1; d#2: taken=0
    e: value=0; d#1: taken=0; d#2: taken=-1
    e: value=1; d#1: taken=-1; d#2: taken=1
    e: value=1; d#1: taken=1; d#2: taken=-1
    ");
}

#[test]
fn two_implementations_of_a_queue_show_the_same() {
    for test in ["( e | d )", "( e e | d d )", "e ( e d | d e )", "( e | e | d | d )"] {
        assert_eq!(observations(REFERENCE, test), observations(LIST, test), "{test}");
    }
}

#[test]
fn a_producer_and_a_consumer_show_every_pattern_of_empty_results() {
    for (n, test) in [(1, "( e | d )"), (2, "( e^2 | d^2 )"), (4, "( e^4 | d^4 )")] {
        // Every dequeue finds the next value or nothing, whatever the values are.
        assert_eq!(observations(LIST, test).len(), 1 << (2 * n));
    }
}

#[test]
fn merging_states_changes_nothing() {
    for code in [REFERENCE, LIST] {
        for test in ["( e d | d e )", "e ( e | d | d )", "( e e | d d )"] {
            let every_order = SerialOptions { merge: false, ..SerialOptions::default() };
            assert_eq!(observations(code, test), with_options(code, test, &every_order));
        }
    }
}

#[test]
fn the_automaton_accepts_what_was_mined() {
    let set = observations(LIST, "( e^3 | d^3 )");
    let automaton = Automaton::new(&set);
    assert!(set.iter().all(|observation| automaton.accepts(&observation)));
    assert_eq!(set.len(), 64);
    assert!(automaton.edge_count() < 64, "{}", automaton.edge_count());
}

#[test]
fn results_of_operations_are_observed() {
    let code = "static int n; void init(void) { n = 5; } int f(void) { return n++; }";
    assert_eq!(
        observations(code, "( f | f )").to_string(),
        "\
f#1: result=5; f#2: result=6
f#1: result=6; f#2: result=5
"
    );
}

#[test]
fn choices_in_init_and_assumptions_count() {
    let code = r#"
        #include <checkfence.h>
        static int n;
        void init(void) { n = fp_choose(0, 9); fp_assume(n % 4 == 1); }
        int f(void) { return n; }
    "#;
    let text = "f: result=1\nf: result=5\nf: result=9\n";
    assert_eq!(observations(code, "( f )").to_string(), text);
}

#[test]
fn weak_exchanges_may_fail_for_no_reason() {
    let code = r#"
        #include <stdatomic.h>
        static atomic_int n;
        void init(void) { n = 0; }
        int t(void) { int old = 0; return atomic_compare_exchange_weak(&n, &old, 1); }
        int l(void) { int old = 0; while (!atomic_compare_exchange_weak(&n, &old, 1)); return 7; }
    "#;
    assert_eq!(observations(code, "( t )").to_string(), "t: result=0\nt: result=1\n");
    assert_eq!(observations(code, "( l )").to_string(), "l: result=7\n");
}

#[test]
fn each_weak_exchange_may_fail_by_itself() {
    let code = r#"
        #include <stdatomic.h>
        static atomic_int n;
        void init(void) { n = 0; }
        static int one(void) { int old = 0; return atomic_compare_exchange_weak(&n, &old, 0); }
        int two(void) { int first = one(); return 2 * first + one(); }
        int tries(void) { int t = 0; while (t < 3 && !one()) t++; return t; }
        int counts(void) { int t = 0; while (!one()) t++; return t; }
    "#;
    let results = |test: &str| observations(code, test).len();
    assert_eq!(results("( two )"), 4);
    assert_eq!(results("( tries )"), 4);
    assert_eq!(results("( counts )"), 9, "after eight failures it does not fail any more");
}

/// Freed addresses are reused, in every way, only on request.
#[test]
fn freed_blocks_may_be_given_again() {
    let code = r#"
        #include <stdlib.h>
        static int *p;
        void init(void) { p = malloc(4); }
        int m(void) { int *o = p; free(o); p = malloc(4); *p = 1; return p == o; }
        int c(void) { int *o = p; free(o); p = calloc(1, 4); return p == o; }
        int l(void) { int *o = p; free(o); long *n = malloc(8); return (int *)n == o; }
        void f(void) { free(p); }
        int a(void) { int *n = malloc(4); return n == p; }
    "#;
    let reused = |test: &str| {
        let options = SerialOptions { reuse: true, ..SerialOptions::default() };
        with_options(code, test, &options).to_string()
    };
    assert_eq!(observations(code, "( m )").to_string(), "m: result=0\n");
    assert_eq!(reused("( m )"), "m: result=0\nm: result=1\n");
    assert_eq!(reused("( c )"), "c: result=0\n");
    assert_eq!(reused("( l )"), "l: result=0\n");
    let once = "f:; a#1: result=0; a#2: result=0\nf:; a#1: result=0; a#2: result=1\n\
                f:; a#1: result=1; a#2: result=0\n";
    assert_eq!(reused("f ( a | a )"), once);
}

/// A lock that is made of a loop is one to who waits for it.
#[test]
fn a_loop_that_waits_for_ever_is_a_deadlock() {
    let code = r#"
        #include <stdatomic.h>
        static atomic_int l;
        static atomic_int *volatile at = &l;
        void init(void) { l = 0; }
        static void take(void) { int f = 0; while (!atomic_compare_exchange_strong(at, &f, 1)) f = 0; }
        void leak(void) { take(); }
        void use(void) { take(); l = 0; }
        void give(void) { l = 0; }
    "#;
    let found = |test: &str| match mine(&composed(code, test), &SerialOptions::default()) {
        Ok(Mined::Violated(violation)) => violation,
        other => panic!("{other:#?}"),
    };
    for (test, before) in [("( leak | use )", 1), ("leak ( use )", 1), ("leak leak ( use )", 1)] {
        let SerialViolation { finding, before: steps, .. } = *found(test);
        assert_eq!(finding.kind, FindingKind::Deadlock, "{test}");
        let reads: BTreeSet<&str> = finding.waiting[0].reads.iter().map(String::as_str).collect();
        assert_eq!(reads, ["at = &l", "l = 1"].into(), "{test}");
        assert_eq!(steps.len(), before, "{test}");
    }
    assert_eq!(observations(code, "( leak give | use )").len(), 1);
}

#[test]
fn an_operation_that_waits_runs_when_it_can() {
    let lock = r#"
        #include <checkfence.h>
        static lock_t l;
        static int owner;
        void init(void) { init_lock(&l); }
        void a(void) { lock(&l); owner++; }
        int r(void) { int n = owner; unlock(&l); return n; }
    "#;
    let mutex = r#"
        #include <pthread.h>
        static pthread_mutex_t l;
        static int owner;
        void init(void) { pthread_mutex_init(&l, NULL); }
        void a(void) { pthread_mutex_lock(&l); owner++; }
        int r(void) { int n = owner; pthread_mutex_unlock(&l); return n; }
    "#;
    let text =
        "a#1:; r#1: result=1; a#2:; r#2: result=2\na#1:; r#1: result=2; a#2:; r#2: result=1\n";
    for code in [lock, mutex] {
        assert_eq!(observations(code, "( a r | a r )").to_string(), text);
        assert_eq!(violation(code, "( a | a )").finding.kind, FindingKind::Deadlock);
    }
}

#[test]
fn findings_in_serial_executions_are_violations() {
    let code = r#"
        #include <checkfence.h>
        #include <stdlib.h>
        static int *p;
        void init(void) { p = malloc(sizeof *p); }
        void w(void) { int v = fp_choose(3, 4); fp_observe("v", v); *p = v; }
        void f(void) { free(p); }
        int r(void) { return *p; }
    "#;
    let found = violation(code, "( w | f )");
    assert_eq!(found.finding.kind, FindingKind::UseAfterFree);
    assert_eq!(found.before.len(), 1);
    assert_eq!(found.operation.map(|id| id.index()), Some(0));
    assert_eq!(found.seen, [Seen { label: "v".into(), value: 3 }]);
    assert_eq!(found.finding.thread.function, "thread 1");
    let found = violation(code, "( r | w )");
    assert!(matches!(found.finding.kind, FindingKind::UndefinedUse(_)), "{found:?}");
    let found = violation(code, "f ( f )");
    assert_eq!(found.finding.kind, FindingKind::DoubleFree);
    assert_eq!(found.before.len(), 1);
    let found = violation(&code.replace("p = malloc", "*(int *)0 = 1; p = malloc"), "( w )");
    assert_eq!((found.finding.kind, found.operation), (FindingKind::Null, None));
}

#[test]
fn a_lock_that_is_held_after_all_operations_is_a_finding_in_a_serial_execution_too() {
    let code = r#"
        #include <checkfence.h>
        #include <pthread.h>
        #include <stdlib.h>
        struct box { int full; pthread_mutex_t mutex; } *box;
        static lock_t spin;
        void init(void) { box = malloc(sizeof *box); box->full = 0;
                          pthread_mutex_init(&box->mutex, NULL); init_lock(&spin); }
        void put(void) { pthread_mutex_lock(&box->mutex); if (box->full) return;
                         box->full = 1; pthread_mutex_unlock(&box->mutex); }
        void take(void) { lock(&spin); }
        void give(void) { unlock(&spin); }
    "#;
    // The second comes back too early.
    let found = violation(code, "( put | put )");
    assert_eq!((found.finding.kind, found.operation), (FindingKind::LockHeld, None));
    assert_eq!(found.before.len(), 2);
    assert_eq!(found.finding.stack[1].function, "put");
    // Already in the initial sequence, where no thread is near.
    assert_eq!(violation(code, "take ( put )").finding.kind, FindingKind::LockHeld);
    // What one operation takes another may give back.
    assert_eq!(observations(code, "take ( put | give )").len(), 1);
    assert_eq!(violation(code, "( put | take give take )").finding.kind, FindingKind::LockHeld);
    // A block that is gone has no lock.
    let gone = code.replace("void take", "void del(void) { free(box); }\nvoid take");
    assert_eq!(observations(&gone, "put ( del )").len(), 1);
}

/// States that no operation distinguishes differ if a lock is held in one of them.
#[test]
fn an_unreachable_lock_that_is_held_counts() {
    let code = r#"
        #include <checkfence.h>
        #include <pthread.h>
        #include <stdlib.h>
        void init(void) { }
        void a(void) {
            if (!fp_choose(0, 1)) return;
            pthread_mutex_t *m = calloc(1, sizeof *m);
            pthread_mutex_lock(m);
        }
    "#;
    for test in ["( a )", "a ( a )"] {
        assert_eq!(violation(code, test).finding.kind, FindingKind::LockHeld, "{test}");
    }
}

#[test]
fn what_cannot_be_mined_is_said_in_one_message() {
    let code = r#"
        #include <checkfence.h>
        #include <stdlib.h>
        static int n;
        void init(void) { n = 0; }
        void forever(void) { for (;;) fp_yield(); }
        void counting(void) { for (;;) n = (n + 1) & 0xffff; }
        void leaves(void) { exit(1); }
        void wide(void) { n = fp_any_u32(); }
        void again(void) { while (fp_choose(0, 2) == 1) n ^= 1; }
        void *address(void) { return &n; }
        void *null(void) { return NULL; }
        void nothing(void) { fp_assume(n == 1); }
    "#;
    let messages = [
        refused(code, "( forever )"),
        refused(code, "null ( null | counting )"),
        refused(code, "( leaves )"),
        refused(code, "( null | wide )"),
        refused(code, "( null | again )"),
        refused(code, "( address )"),
        refused(code, "( nothing )"),
        refused(&code.replace("n = 0", "for (;;) n++"), "( null )"),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn an_initial_sequence_with_many_ways_keeps_limits() {
    // Each of the first operations chooses: there are too many ways to enumerate.
    let composed = composed(REFERENCE, "e^12 ( d | d )");
    let options = SerialOptions { ways: usize::MAX, ..SerialOptions::default() };
    options.limits.interrupter.interrupt();
    assert!(matches!(mine(&composed, &options), Err(Failure::Interrupted(_))));
    assert!(matches!(explore(&composed, &options), Err(Failure::Interrupted(_))));
    assert_eq!(crate::serial::initial_states(&composed, &options), None);
}
