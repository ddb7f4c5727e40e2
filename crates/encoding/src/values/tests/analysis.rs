//! Claims about the analysis.

use super::execute;
use super::random::{self, Builder, Numbers};
use crate::bounded::Bounded;
use crate::guard::Guard;
use crate::term::TermId;
use crate::values::{ValueOptions, analyse};
use ir::op::BinaryOp;
use ir::program::Width;
use proptest::prelude::*;

/// The numbers that a term may be.
fn numbers(bounded: &Bounded, options: ValueOptions, term: TermId) -> Vec<u128> {
    let sets = analyse(bounded, &options);
    let set = sets.of(bounded, term).into_owned();
    set.few().expect("few values").iter().map(|v| v.bits).collect()
}

/// `x = x + 1` in each of this many threads, then what a last thread reads.
fn increments(threads: usize) -> (Builder, TermId) {
    let mut builder = Builder::new(1);
    let (x, one) = (builder.pointer(0, 0), builder.number(Width::I64, 1));
    for _ in 0..threads {
        builder.thread();
        let old = builder.read(x, Guard::TRUE);
        let new = builder.bounded.terms.binary(BinaryOp::Add, old, one);
        builder.write(x, new, Guard::TRUE);
    }
    builder.thread();
    let seen = builder.read(x, Guard::TRUE);
    (builder, seen)
}

#[test]
fn a_counter_grows_no_further_than_it_is_incremented() {
    let (builder, seen) = increments(5);
    assert_eq!(numbers(&builder.bounded, ValueOptions::default(), seen), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn increments_on_paths_that_exclude_each_other_count_once() {
    let mut builder = Builder::new(1);
    let (x, one) = (builder.pointer(0, 0), builder.number(Width::I64, 1));
    builder.thread();
    let bit = builder.choice(Width::BOOL, crate::bounded::Alternatives::Any);
    let guard = builder.bounded.terms.truth(bit);
    let other = builder.bounded.terms.guards.not(guard);
    for guard in [guard, other] {
        let old = builder.read(x, guard);
        let new = builder.bounded.terms.binary(BinaryOp::Add, old, one);
        builder.write(x, new, guard);
    }
    let seen = builder.read(x, Guard::TRUE);
    assert_eq!(numbers(&builder.bounded, ValueOptions::default(), seen), [0, 1]);
}

#[test]
fn a_read_before_all_writes_of_its_thread_sees_none_of_them_if_the_model_says_so() {
    let mut builder = Builder::new(1);
    let (x, one) = (builder.pointer(0, 0), builder.number(Width::I64, 1));
    builder.thread();
    let seen = builder.read(x, Guard::TRUE);
    builder.write(x, one, Guard::TRUE);
    let bounded = builder.bounded;
    assert_eq!(numbers(&bounded, ValueOptions::default(), seen), [0, 1]);
    let options = ValueOptions { reads_from_later_own_writes: false, ..ValueOptions::default() };
    assert_eq!(numbers(&bounded, options, seen), [0]);
}

#[test]
fn pointers_are_followed_and_null_is_not() {
    let mut builder = Builder::new(3);
    let (head, node) = (builder.pointer(0, 0), builder.pointer(2, 0));
    let seven = builder.number(Width::I64, 7);
    builder.thread();
    builder.write(node, seven, Guard::TRUE);
    builder.write(head, node, Guard::TRUE);
    builder.thread();
    let found = builder.read(head, Guard::TRUE);
    let seen = builder.read(found, Guard::TRUE);
    assert_eq!(numbers(&builder.bounded, ValueOptions::default(), seen), [0, 7]);
    let sets = analyse(&builder.bounded, &ValueOptions::default());
    let reads = &builder.bounded.threads.as_slice()[1].actions;
    let writes = &builder.bounded.threads.as_slice()[0].actions;
    assert!(sets.places(reads[1]).unwrap().may_be_wrong);
    assert!(
        sets.must_alias(writes[0], reads[1])
            && !sets.may_alias(&builder.bounded, writes[1], reads[1])
    );
}

#[test]
fn a_list_is_followed_to_its_end() {
    let mut builder = Builder::new(5);
    let nodes: Vec<TermId> = (0..5).map(|i| builder.pointer(i, 0)).collect();
    builder.thread();
    for pair in nodes.windows(2) {
        builder.write(pair[0], pair[1], Guard::TRUE);
    }
    builder.thread();
    let last = (0..4).fold(nodes[0], |node, _| builder.read(node, Guard::TRUE));
    let end = builder.bounded.terms.constant(nodes[4]).unwrap().bits;
    assert!(numbers(&builder.bounded, ValueOptions::default(), last).contains(&end));
}

#[test]
fn a_dependency_without_effect_lets_a_value_come_round() {
    let mut builder = Builder::new(1);
    let [x, y] = [0, 8].map(|offset| builder.pointer(0, offset));
    let [zero, value] = [0, 42].map(|n| builder.number(Width::I64, n));
    builder.thread();
    let first = builder.read(x, Guard::TRUE);
    let nothing = builder.bounded.terms.binary(BinaryOp::And, first, zero);
    let written = builder.bounded.terms.binary(BinaryOp::Or, nothing, value);
    builder.write(y, written, Guard::TRUE);
    builder.thread();
    let second = builder.read(y, Guard::TRUE);
    builder.write(x, second, Guard::TRUE);
    assert_eq!(numbers(&builder.bounded, ValueOptions::default(), first), [0, 42]);
}

#[test]
fn a_constant_on_a_branch_counts_whatever_the_branch_depends_on() {
    let mut builder = Builder::new(2);
    let cells = [builder.pointer(0, 0), builder.pointer(0, 8)];
    let value = builder.number(Width::I64, 42);
    let mut seen = Vec::new();
    for (from, to) in [(0, 1), (1, 0)] {
        builder.thread();
        let read = builder.read(cells[from], Guard::TRUE);
        let bit = builder.bounded.terms.binary(BinaryOp::Eq, read, value);
        let guard = builder.bounded.terms.truth(bit);
        builder.write(cells[to], value, guard);
        seen.push(read);
    }
    assert_eq!(numbers(&builder.bounded, ValueOptions::default(), seen[0]), [0, 42]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn the_sets_have_every_value_of_every_execution(seed in 1u64.., small in any::<bool>()) {
        let mut source = Numbers(seed);
        let bounded = random::program(&mut source);
        let limit = if small { 3 } else { 256 };
        let options =
            ValueOptions { limit, reads_from_later_own_writes: false, ..ValueOptions::default() };
        let sets = analyse(&bounded, &options);
        for _ in 0..12 {
            let inputs = execute::run(&bounded, &mut source);
            for id in bounded.terms.ids() {
                if let Some(value) = execute::value(&bounded.terms, &inputs, id) {
                    let set = sets.of(&bounded, id);
                    prop_assert!(set.contains(&value), "{id:?}: {value:?} is not in {set:?}");
                }
            }
        }
    }
}
