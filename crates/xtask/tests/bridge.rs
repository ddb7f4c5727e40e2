//! Data types as Murphi models: what `fencepost murphi` says about the model is what the exploration
//! of so many threads says about the C file.
//!
//! `cargo run --release -p xtask -- bridge` asks Rumur, too.

use engines::views::Explored;
use fencepost::murphi::{self, Deadlock, Verdict};
use fencepost::prove::emit::{emit, explore};
use xtask::bridge::cases::{CASES, Case};
use xtask::root;

/// Whether `fencepost murphi` and the exploration find a case right, with so many threads.
fn verdicts(case: &Case, threads: u32) -> (bool, Explored) {
    let subject = case.subject(&root());
    let text = emit(&subject, case.size(threads)).unwrap_or_else(|rejected| {
        panic!("{}: {:?}", case.name, rejected.diagnostics);
    });
    let model = murphi::Subject::of_text("emitted.m", &text).unwrap_or_else(|rejected| {
        panic!("{}: {:?}", case.name, rejected.diagnostics);
    });
    let options = murphi::Options { deadlock: Deadlock::Stuck, ..Default::default() };
    let answer = murphi::check(&model, &options, &|_| {});
    let holds = match answer.verdict {
        Verdict::Holds => true,
        Verdict::Violated(_) => false,
        other => panic!("{}: {other:?}", case.name),
    };
    let explored = explore(&subject, threads as usize, 20_000, &Default::default());
    (holds, explored.unwrap_or_else(|rejected| panic!("{:?}", rejected.diagnostics)))
}

fn agree(cases: &[Case], threads: u32) {
    for case in cases {
        let (holds, explored) = verdicts(case, threads);
        let expected = case.holds(threads);
        assert_eq!(holds, expected, "{} with {threads} threads, as a model", case.name);
        match explored {
            Explored::Right(_) => assert!(expected, "{} with {threads} threads", case.name),
            // Deadlocks are found in the model alone.
            Explored::Wrong => assert!(!expected, "{} with {threads} threads", case.name),
            Explored::Unknown => {}
        }
    }
}

#[test]
fn one_thread_is_right_if_the_data_type_is_its_own_specification() {
    agree(CASES, 1);
}

#[test]
fn models_of_two_threads_say_what_their_exploration_says() {
    agree(CASES, 2);
}

#[test]
fn what_has_no_counterpart_is_refused_at_its_line() {
    let case = Case::plain("ticket-lock", "ticket-lock/ticket_lock.c").of("x");
    let refused = emit(&case.subject(&root()), case.size(2)).expect_err("a counter");
    let message = &refused.diagnostics[0].message;
    assert!(message.contains("ticket_lock.c:"), "{message}");
}
