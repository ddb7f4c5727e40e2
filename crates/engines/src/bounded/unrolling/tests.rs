//! What unrolling drops, what it says of tests without executions, and what is known without an
//! answer.

use super::CheckOptions;
use crate::bounded::inclusion;
use crate::fixture::{composed, on_model};
use crate::serial::{self, Mined, ObservationSet, SerialOptions};
use crate::test::compose::Composed;
use crate::verdict::{Reason, Unfinished, Verdict, Violation};
use encoding::unroll::{UnrollOptions, unroll};
use execution::finding::FindingKind;
use execution::question::Question;
use execution::verdict::Column;
use execution::witness::End;
use models::Model;
use sat::Exceeded;

/// How many loops exceed one iteration in two threads that each set a bit with a loop that
/// does this at each attempt.
fn exceeding(at_each_attempt: &str) -> usize {
    let code = format!(
        "#include <checkfence.h>
         int bits, data;
         static void attempt(int bit, int *seen) {{
             for (;;) {{
                 int old = bits;
                 {at_each_attempt}
                 if (cas(&bits, old, old | bit)) return;
             }}
         }}
         void init(void) {{ bits = 0; }}
         void a(void) {{ int seen = 0; attempt(1, &seen); fp_observe(\"a\", seen); }}
         void b(void) {{ int seen = 0; attempt(2, &seen); fp_observe(\"b\", seen); }}"
    );
    let composed = composed(&code, "( a | b )");
    unroll(&composed.program, &UnrollOptions::default()).expect("it can be unrolled").bounds.len()
}

#[test]
fn an_attempt_that_leaves_only_what_the_next_overwrites_is_dropped() {
    assert_eq!(exceeding(""), 0);
    assert_eq!(exceeding("*seen = data;"), 0);
}

#[test]
fn an_attempt_whose_trace_is_read_later_is_kept() {
    assert_eq!(exceeding("*seen = *seen + 1;"), 2);
    assert_eq!(exceeding("if (old & 4) *seen = data;"), 2);
    assert_eq!(exceeding("data = bit;"), 2);
}

/// What serial executions show.
fn observations(composed: &Composed) -> ObservationSet {
    match serial::mine(composed, &SerialOptions::default()) {
        Ok(Mined::Observations(set)) => set,
        other => panic!("{other:#?}"),
    }
}

/// The verdict on sc, with a limit of conflicts for each query.
fn check(composed: &Composed, conflicts: Option<u64>) -> Verdict {
    check_on("sc", composed, conflicts)
}

fn check_on(model: &str, composed: &Composed, conflicts: Option<u64>) -> Verdict {
    let mut encoding = encoding::encode::EncodeOptions::default();
    encoding.limits.conflicts = conflicts;
    let options = CheckOptions { max_unroll: 8, encoding, progress: &|_| {} };
    let model = Model::named(model).expect("a model of the library");
    let compiled = on_model(composed, &model);
    inclusion::check(&compiled, &observations(composed), &model, &options).0
}

/// A loop that iterates only if a store after it has been read elsewhere.
fn store_after_a_loop(most: &str, written: &str) -> Composed {
    let code = format!(
        "#include <checkfence.h>
         int x, y;
         void init(void) {{ x = y = 0; }}
         void d(void) {{
             int n = 0;
             while ({most} && x == 1) n++;
             y = {written};
             fp_observe(\"many\", n > 2);
         }}
         void e(void) {{ int seen = y; x = seen; }}"
    );
    composed(&code, "( d | e )")
}

#[test]
fn a_store_after_a_loop_can_justify_another_iteration() {
    for written in ["1", "n > 3"] {
        let verdict = check_on("relaxed", &store_after_a_loop("n < 5", written), None);
        assert!(matches!(verdict, Verdict::Violated(_)), "{written}: {verdict:?}");
    }
    let test = store_after_a_loop("n < 5", "1");
    for model in ["sc", "tso", "armv8", "power"] {
        let verdict = check_on(model, &test, None);
        assert!(matches!(verdict, Verdict::Holds), "{model}: {verdict:?}");
    }
}

#[test]
fn a_store_after_a_loop_that_may_justify_iterations_past_the_bound_is_left_open() {
    // At most eight iterations are explored, and more than nine are needed.
    let verdict = check_on("relaxed", &store_after_a_loop("n < 10", "n > 9"), None);
    let Verdict::HoldsWithinBounds(bounds) = verdict else { panic!("{verdict:?}") };
    assert_eq!(bounds.len(), 1);
}

/// A counter: `t` counts until it has counted something else than the first, `b` counts once.
const COUNTER: &str = r#"
#include <checkfence.h>
int count;
void init(void) { count = 0; }
void t(void) {
    for (;;) {
        int old = count;
        if (cas(&count, old, old + 1) && old > 0) break;
    }
}
void b(void) {
    for (;;) {
        int old = count;
        if (cas(&count, old, old + 1)) { fp_observe("old", old); return; }
    }
}
"#;

#[test]
fn an_operation_that_never_ends_in_one_iteration_makes_its_test_vacuous() {
    let Verdict::Vacuous(bounds, unfinished) = check(&composed(COUNTER, "( t' )"), None) else {
        panic!("it is said to hold")
    };
    let never = Column { number: 1, operations: vec!["t".to_string()] };
    assert_eq!((bounds, unfinished), (vec![], Unfinished::Never(vec![never])));
    let verdict = check(&composed(COUNTER, "( b' | t' | b' )"), None);
    assert!(matches!(verdict, Verdict::Holds), "{verdict:?}");
}

#[test]
fn operations_that_end_but_not_together_make_their_test_vacuous() {
    let Verdict::Vacuous(_, unfinished) = check(&composed(COUNTER, "( t' | t' )"), None) else {
        panic!("it is said to hold")
    };
    assert_eq!(unfinished, Unfinished::NotTogether);
    let verdict = check(&composed(COUNTER, "( t | t )"), None);
    assert!(matches!(verdict, Verdict::Holds), "{verdict:?}");
}

/// Two locks that are made of loops, taken in both orders.
fn locks(take: &str) -> String {
    format!(
        "#include <stdatomic.h>
         static atomic_int a, b;
         void init(void) {{ a = b = 0; }}
         static void take(atomic_int *l) {{ {take} }}
         void ab(void) {{ take(&a); take(&b); b = 0; a = 0; }}
         void ba(void) {{ take(&b); take(&a); a = 0; b = 0; }}"
    )
}

#[test]
fn a_lock_that_is_made_of_a_loop_and_is_never_given_back_is_a_deadlock() {
    for take in [
        "while (atomic_exchange(l, 1)) { }",
        "do { while (atomic_load(l)) { } } while (atomic_exchange(l, 1));",
        "int f = 0; while (!atomic_compare_exchange_strong(l, &f, 1)) f = 0;",
        "int f = 0; while (!atomic_compare_exchange_weak(l, &f, 1)) f = 0;",
    ] {
        let Verdict::Violated(found) = check(&composed(&locks(take), "( ab | ba )"), None) else {
            panic!("nothing is found: {take}")
        };
        let is_deadlock =
            matches!(found.violation, Violation::Finding { kind: FindingKind::Deadlock, .. });
        assert!(is_deadlock, "{take}: {:?}", found.violation);
        let threads = found.witness.expect("an execution").threads;
        assert!(threads[1..].iter().all(|thread| thread.end == End::Spins), "{take}");
        let verdict = check(&composed(&locks(take), "( ab | ab )"), None);
        assert!(matches!(verdict, Verdict::Holds), "{take}: {verdict:?}");
    }
}

/// Who fails because another one has succeeded is not in a deadlock: it does not fail again.
#[test]
fn an_attempt_that_would_succeed_when_all_others_are_over_is_not_a_deadlock() {
    let code = "
        #include <stdatomic.h>
        static atomic_int n, turn;
        void init(void) { n = turn = 0; }
        void up(void) { int old = n; while (!atomic_compare_exchange_weak(&n, &old, old + 1)); }
        void first(void) { turn = 1; }
        void second(void) { while (turn != 1) { } turn = 2; }";
    for test in ["( up | up | up )", "( first | second )", "( second up | up first )"] {
        let verdict = check(&composed(code, test), None);
        assert!(matches!(verdict, Verdict::Holds), "{test}: {verdict:?}");
    }
}

#[test]
fn without_an_answer_it_is_known_what_was_answered_before() {
    let test = composed(COUNTER, "( t t | t t | t )");
    let mut most = 0;
    for conflicts in 0.. {
        let Verdict::Inconclusive(reason, known) = check(&test, Some(conflicts)) else { break };
        assert_eq!(reason, Reason::Limit(Exceeded::Time));
        assert_eq!(known.observations, Some(observations(&test).len()));
        assert!(known.open.is_some(), "{known:?}");
        let answered = |question| known.answered.iter().find(|a| a.question == question);
        if let Some(found) = answered(Question::Observations) {
            let first = answered(Question::Findings).expect("this is asked first");
            assert_eq!(found.loops, first.loops, "both are about the same bounds");
            assert!(found.loops.iter().all(|l| l.place.is_some() && l.least <= l.most));
        }
        most = most.max(known.answered.len());
    }
    assert!(most >= 2, "only {most} questions were ever answered before the end");
}

#[test]
fn a_thread_that_does_not_matter_for_a_finding_stops_at_once() {
    let code = "
        #include <checkfence.h>
        int n, m;
        void init(void) { n = m = 0; }
        void x(void) { n = 1; n = 2; }
        void y(void) { int first = m; fp_assert(first == m); }
        void z(void) { m = 1; n = 3; }";
    let Verdict::Violated(found) = check(&composed(code, "( x | y | z )"), None) else {
        panic!("nothing is found")
    };
    let threads = found.witness.expect("an execution").threads;
    let ends: Vec<End> = threads[1..].iter().map(|thread| thread.end).collect();
    assert_eq!(ends, [End::Cut { accesses: 0 }, End::Finding, End::Cut { accesses: 1 }]);
}

/// The verdict on sc with all initial sequences, and with one for each initial state.
fn both_ways(code: &str, test: &str) -> [Verdict; 2] {
    let composed = composed(code, test);
    let found =
        serial::initial_states(&composed, &SerialOptions::default()).expect("initial states");
    [Vec::new(), found].map(|initial_states| {
        let encoding = encoding::encode::EncodeOptions { initial_states, ..Default::default() };
        let options = CheckOptions { max_unroll: 8, encoding, progress: &|_| {} };
        let model = Model::named("sc").expect("a model of the library");
        let compiled = on_model(&composed, &model);
        inclusion::check(&compiled, &observations(&composed), &model, &options).0
    })
}

#[test]
fn initial_sequences_that_show_less_hide_no_violation_that_others_show() {
    // 0: x is 0, which is not shown; 1: x is 0, which is shown; 2: x is 1, which is not shown.
    let code = "
        #include <checkfence.h>
        static int x, y;
        void init(void) { x = y = 0; }
        void a(void) { int k = fp_choose(0, 2); x = k == 2; if (k == 1) fp_observe(\"k\", 1); }
        void w(void) { y = 1; y = 0; }
        void r(void) { fp_observe(\"r\", y | x); }";
    for verdict in both_ways(code, "a ( w | r )") {
        assert!(matches!(verdict, Verdict::Violated(_)), "{verdict:?}");
    }
}

#[test]
fn an_initial_sequence_past_the_bounds_does_not_stand_for_one_within() {
    let code = "
        #include <checkfence.h>
        static int x, y, z;
        void init(void) { x = 1; y = z = 0; }
        void a(void) {
            int k = fp_choose(0, 2);
            fp_observe(\"k\", k);
            for (int i = k == 0 ? 0 : 40; i < 40; i++) x++;
            volatile int d = 0;
            if (k == 1) for (int j = 0; j < 4; j++) { d++; d++; d++; d++; d++; d++; d++; d++; d++;
                d++; d++; d++; d++; d++; d++; d++; d++; d++; d++; d++; d++; d++; d++; d++; d++; }
            x = 2, z = k == 2;
        }
        void w(void) { if (!z) { y = 1; y = 0; } }
        void r(void) { fp_observe(\"r\", y); }";
    for verdict in both_ways(code, "a ( w | r )") {
        assert!(matches!(verdict, Verdict::Violated(_)), "{verdict:?}");
    }
}

#[test]
fn one_initial_sequence_for_each_state_is_enough() {
    // A set of the numbers 0 to 3 whose operations are wrong together if it has these numbers.
    let code = |wrong: &str, choice: &str| {
        format!(
            "#include <checkfence.h>
             int in, seen;
             void init(void) {{ in = 0; }}
             void a(void) {{ {choice} fp_observe(\"k\", k); in |= 1 << k; }}
             void x(void) {{ if (in == {wrong}) seen = 1; }}
             void y(void) {{ int s = seen; fp_observe(\"same\", s == seen); }}"
        )
    };
    let once = "int k = fp_choose(0, 3);";
    // Not the same number of choices each time.
    let again = "int k = fp_choose(0, 3); if (k == 2) k = fp_choose(0, 1);";
    for (choice, wrong, holds) in [
        (once, "1", false),
        (once, "12", false),
        (once, "10", false),
        (once, "7", true),
        (again, "3", false),
        (again, "10", false),
        (again, "6", true),
    ] {
        let [all, some] = both_ways(&code(wrong, choice), "a a ( x | y )");
        let held = |verdict: &Verdict| matches!(verdict, Verdict::Holds);
        let violated = |verdict: &Verdict| matches!(verdict, Verdict::Violated(_));
        for verdict in [all, some] {
            assert!(
                if holds { held(&verdict) } else { violated(&verdict) },
                "{wrong}: {verdict:?}"
            );
        }
    }
}

#[test]
fn a_loop_that_may_free_something_is_asked_like_others() {
    let code = "
        #include <stdatomic.h>
        #include <stdlib.h>
        static _Atomic(int *) p;
        static atomic_int l;
        void init(void) { p = malloc(4); *p = 0; l = 0; }
        void t(void) {
            for (;;) {
                int *old = atomic_exchange(&p, 0);
                if (old) free(old);
                if (!atomic_exchange(&l, 1)) return;
            }
        }";
    let verdict = check(&composed(code, "( t )"), None);
    assert!(matches!(verdict, Verdict::Holds), "{verdict:?}");
    let set = observations(&composed(code, "( t )"));
    let encoding = encoding::encode::EncodeOptions::default();
    let options = CheckOptions { max_unroll: 8, encoding, progress: &|_| {} };
    let model = Model::named("sc").expect("a model of the library");
    let twice = on_model(&composed(code, "( t | t )"), &model);
    let Verdict::Violated(found) = inclusion::check(&twice, &set, &model, &options).0 else {
        panic!("nothing is found")
    };
    let kind = FindingKind::Deadlock;
    assert!(matches!(found.violation, Violation::Finding { kind: k, .. } if k == kind));
}
