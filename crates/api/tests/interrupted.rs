//! What is known where work is cut short: at an event or after a number of polls, never by a clock.

use engines::verification::{EngineChoice, Property};
use execution::question::Question;
use execution::verdict::{Answered, Established, Reason, Verdict};
use fencepost::answer::Doing;
use fencepost::compile::Texts;
use fencepost::embed::{self, Answer, Budget};
use fencepost::evidence::Wanted;
use fencepost::verify::{cell, plan};
use limits::{Exceeded, Interrupter};
use std::cell::Cell;

/// What is established when a question is asked that stops everything.
fn known_when_asked<R>(stop: Question, ask: impl FnOnce(Budget<'_>) -> R) -> R {
    let interrupter = Interrupter::default();
    let asked = Cell::new(false);
    let progress = |doing: Doing| {
        if doing == Doing::Checking(stop) {
            asked.set(true);
            interrupter.interrupt();
        }
    };
    let budget =
        Budget { interrupter: Some(&interrupter), progress: Some(&progress), ..Budget::default() };
    let answer = ask(budget);
    assert!(asked.get(), "{stop:?} was never asked");
    answer
}

fn established(verdict: &Verdict) -> &Established {
    match verdict {
        Verdict::Inconclusive(Reason::Limit(Exceeded::Interrupted), known) => known,
        other => panic!("{other:?}"),
    }
}

/// A counter, incremented in loops that compare and exchange.
const COUNTER: &str = r#"
    #include <assert.h>
    #include <pthread.h>
    #include <stdatomic.h>
    static atomic_int count;
    static void add(void) {
        int old = count;
        while (!atomic_compare_exchange_strong(&count, &old, old + 1)) {}
    }
    static void *work(void *unused) { add(); return unused; }
    int main(void) {
        pthread_t threads[2];
        for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
        for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
        assert(count == 2);
        return 0;
    }
"#;

#[test]
fn a_program_that_is_interrupted_keeps_the_answers_within_bounds() {
    let answer = known_when_asked(Question::Bounds, |budget| {
        embed::verify("counter.c", COUNTER, Property::Assert, "rc11", budget)
    });
    let Answer { confirmed, .. } = answer.unwrap_or_else(|error| panic!("{error}"));
    let known = established(&confirmed.verdict);
    let [Answered { question: Question::Findings, loops }] = &known.answered[..] else {
        panic!("{known:?}");
    };
    let place = loops[0].place.as_ref().expect("a place");
    assert_eq!((place.location.line, place.function.as_str()), (14, "main"));
    assert_eq!(known.open, Some(Question::Bounds));
    let remark = report::words::remark(&confirmed.verdict).expect("a remark");
    assert!(remark.contains("Established: nothing goes wrong, within bounds: "), "{remark}");
    assert!(remark.contains("Not answered: does an execution leave the bounds"), "{remark}");
}

#[test]
fn a_test_that_is_interrupted_keeps_its_serial_executions() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/msn/msn_fenced.c");
    let source = std::fs::read_to_string(file).expect("an example");
    let answer = known_when_asked(Question::Findings, |budget| {
        embed::check(file, &source, "( e e e | e | d | d )", "power", budget)
    });
    let Answer { confirmed, .. } = answer.unwrap_or_else(|error| panic!("{error}"));
    let known = established(&confirmed.verdict);
    assert_eq!((known.observations, known.mining), (Some(100), false));
    assert_eq!((&known.answered[..], known.open), (&[][..], Some(Question::Findings)));
    assert_eq!(known.wanted, Established::<()>::OF_TESTS);
}

/// States without an end, of which an early one violates the assertion.
const ENDLESS: &str = r#"
    #include <assert.h>
    #include <pthread.h>
    static int a, b, c, d;
    static void *first(void *unused) { for (;;) { a++; b = a + c; } return unused; }
    static void *second(void *unused) { for (;;) { c++; d = c + b; } return unused; }
    int main(void) {
        pthread_t one, other;
        pthread_create(&one, 0, first, 0);
        pthread_create(&other, 0, second, 0);
        if (a > 2) d = 7; else assert(a != 1);
        if (a == 1000000) d = 8;
        for (;;) a = d;
    }
"#;

/// What is known of [`ENDLESS`] when its limits were polled so often.
fn after(polls: u64) -> cell::Answer {
    let request = plan::Request {
        models: vec!["sc".to_string()],
        properties: vec![Property::Assert, Property::Memory],
        coverage: true,
        engine: EngineChoice::States,
        texts: Texts::default().with("endless.c", ENDLESS),
        ..plan::Request::default()
    };
    let subject = plan::plan("endless.c".as_ref(), &request).expect("it compiles");
    let context = cell::Context {
        interrupter: &Interrupter::after(polls),
        evidence: &Wanted::default(),
        name: "",
        progress: &|_| {},
        publish: &|_| {},
    };
    cell::verify(&subject, &subject.models[0], context)
}

#[test]
fn states_that_were_visited_before_an_interrupt_are_known() {
    let answer = after(4_000);
    let verdict = |property| &answer.outcome(property).expect("it was asked").verdict;
    assert!(matches!(verdict(Property::Assert), Verdict::Violated(_)));
    let known = established(verdict(Property::Memory));
    assert!(known.states > Some(1_000), "{known:?}");
    assert_eq!(known.open, Some(Question::States));
    let reached = answer.covered.as_ref().expect("it was asked");
    let count = reached.iter().filter(|covered| covered.witness.is_some()).count();
    assert!(0 < count && count < 5 && reached.len() == 5, "{count} of {}", reached.len());
    assert_eq!(established(&answer.rest.verdict).states, known.states);
    // Cut short earlier, fewer states are known.
    let earlier = after(2_000);
    let earlier = &earlier.outcome(Property::Memory).expect("it was asked").verdict;
    assert!(established(earlier).states < known.states);
}

/// What every run of a thread adds is another number.
const NUMBERS: &str = r#"
    #include <assert.h>
    #include <pthread.h>
    #include <stdatomic.h>
    atomic_uint hash = 5381;
    static void mix(unsigned by) {
        unsigned old = atomic_load(&hash);
        while (!atomic_compare_exchange_strong(&hash, &old, (old ^ by) * 16777619u)) ;
    }
    void *other(void *p) { for (unsigned i = 1; i <= 12; i++) mix(2 * i); return 0; }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, other, 0);
        for (unsigned i = 1; i <= 12; i++) mix(2 * i + 1);
        pthread_join(t, 0);
        assert(hash != 7);
    }
"#;

#[test]
fn what_runs_have_shown_before_an_interrupt_is_known() {
    let request = plan::Request {
        models: vec!["sc".to_string()],
        properties: vec![Property::Assert],
        coverage: true,
        engine: EngineChoice::Explore,
        texts: Texts::default().with("numbers.c", NUMBERS),
        ..plan::Request::default()
    };
    let subject = plan::plan("numbers.c".as_ref(), &request).expect("it compiles");
    let context = cell::Context {
        interrupter: &Interrupter::after(20_000),
        evidence: &Wanted::default(),
        name: "",
        progress: &|_| {},
        publish: &|_| {},
    };
    let answer = cell::verify(&subject, &subject.models[0], context);
    let assert = answer.outcome(Property::Assert).expect("it was asked");
    let last = established(&assert.verdict).explored;
    assert!(last.runs > 8 && last.behaviours > 0 && last.wrong == 0, "{last:?}");
}
