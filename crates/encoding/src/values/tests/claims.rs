//! Claims about single literals and constraints.

use super::random::{Builder, Numbers};
use crate::bounded::Alternatives;
use crate::guard::Guard;
use crate::term::TermId;
use crate::values::{ValueOptions, Values, analyse};
use execution::ids::Id;
use ir::op::BinaryOp;
use ir::program::Width;
use ir::value::{RegionId, Value};
use sat::{Answer, BackendKind, Formula, Lit};
use std::sync::Arc;

fn literals(builder: Builder, options: ValueOptions) -> (Formula, Values) {
    let bounded = Arc::new(builder.bounded);
    let sets = analyse(&bounded, &options);
    (Formula::new(BackendKind::Batsat), Values::new(bounded, sets))
}

/// Whether a term can have a value.
fn can_be(f: &mut Formula, values: &mut Values, term: TermId, value: Value) -> bool {
    let is = values.is(f, term, &value);
    f.solve(&[is]) == Answer::Sat
}

#[test]
fn a_wide_choice_stays_within_its_range() {
    let mut builder = Builder::new(1);
    builder.thread();
    let chosen = builder.choice(Width::I32, Alternatives::Range(-3, 1000));
    let (mut f, mut values) = literals(builder, ValueOptions::default());
    assert!(values.elements(chosen).is_none());
    let numbers = [-4, -3, 0, 1000, 1001, i128::from(i32::MIN)];
    let possible =
        numbers.map(|n| can_be(&mut f, &mut values, chosen, Value::signed(Width::I32, n)));
    assert_eq!(possible, [false, true, true, true, false, false]);
}

#[test]
fn a_choice_among_terms_is_one_of_them() {
    for limit in [1, 256] {
        let mut builder = Builder::new(1);
        builder.thread();
        let bit = builder.choice(Width::I8, Alternatives::Range(0, 1));
        let four = builder.number(Width::I8, 4);
        let sum = builder.bounded.terms.binary(BinaryOp::Add, bit, four);
        let seven = builder.number(Width::I8, 7);
        let chosen = builder.choice(Width::I8, Alternatives::Terms(vec![sum, seven]));
        let (mut f, mut values) =
            literals(builder, ValueOptions { limit, ..ValueOptions::default() });
        let zero = values.is(&mut f, bit, &Value::int(Width::I8, 0));
        let possible = [4, 5, 6, 7].map(|n| {
            let is = values.is(&mut f, chosen, &Value::int(Width::I8, n));
            f.solve(&[zero, is]) == Answer::Sat
        });
        assert_eq!(possible, [true, false, false, true]);
    }
}

/// A read of a place that some constants are written to.
fn one_of(builder: &mut Builder, region: usize, from: &[Value]) -> TermId {
    let address = builder.pointer(region, 0);
    for &value in from {
        let value = builder.bounded.terms.value(value);
        builder.write(address, value, Guard::TRUE);
    }
    builder.read(address, Guard::TRUE)
}

fn some_values(numbers: &mut Numbers) -> Vec<Value> {
    let pointer = Value::pointer(RegionId::new(0), 0x1000);
    let half = Value { undef: 0xff00, ..Value::int(Width::I64, 0x12) };
    let all = [1, 2, 3].map(|n| Value::int(Width::I64, n));
    let all = [all[0], all[1], all[2], pointer, pointer.without_provenance(), half];
    (0..5).map(|_| numbers.pick(&all)).collect()
}

#[test]
fn what_a_read_sees_is_what_was_written() {
    for seed in 1..60 {
        let mut numbers = Numbers(seed * 7919);
        let mut builder = Builder::new(4);
        builder.thread();
        let lists = [some_values(&mut numbers), some_values(&mut numbers)];
        let a = one_of(&mut builder, 0, &lists[0]);
        let b = one_of(&mut builder, 2, &lists[1]);
        let (limit, value_sets) = (numbers.pick(&[2, 4, 256]), numbers.chance(70));
        let options = ValueOptions { limit, value_sets, ..ValueOptions::default() };
        let (mut f, mut values) = literals(builder, options);
        let cond = f.fresh();
        values.equal_if(&mut f, cond, a, b);
        for x in lists.iter().flatten() {
            for y in lists.iter().flatten() {
                let pair = [values.is(&mut f, a, x), values.is(&mut f, b, y)];
                let free = f.solve(&pair) == Answer::Sat;
                let bound = f.solve(&[pair[0], pair[1], cond]) == Answer::Sat;
                assert_eq!(bound, free && x == y, "{x:?} {y:?}");
            }
        }
    }
}

#[test]
fn a_constant_needs_no_literals() {
    let mut builder = Builder::new(1);
    let (a, b) = (builder.pointer(0, 0), builder.pointer(0, 8));
    let (mut f, mut values) = literals(builder, ValueOptions::default());
    let before = f.stats().clauses;
    assert_eq!(values.same_address(&mut f, a, b), Lit::FALSE);
    assert_eq!(values.same_address(&mut f, a, a), Lit::TRUE);
    assert_eq!(values.undefined(&mut f, a), Lit::FALSE);
    assert_eq!(f.stats().clauses, before);
}

#[test]
fn the_address_of_a_member_costs_nothing_once_the_pointer_has_literals() {
    let mut builder = Builder::new(4);
    builder.thread();
    let nodes =
        [0, 2].map(|i| Value::pointer(RegionId::new(i), super::random::BASE + 0x100 * i as u64));
    let pointer = one_of(&mut builder, 0, &nodes);
    let eight = builder.number(Width::I64, 8);
    let member = builder.bounded.terms.binary(BinaryOp::Add, pointer, eight);
    let (mut f, mut values) = literals(builder, ValueOptions::default());
    let is = values.is(&mut f, pointer, &nodes[1]);
    let before = f.stats().clauses;
    assert_eq!(values.is(&mut f, member, &nodes[1].offset(8)), is);
    assert_eq!(f.stats().clauses, before);
}

#[test]
fn without_value_sets_there_are_bits_but_the_same_values() {
    let mut builder = Builder::new(2);
    builder.thread();
    let read = one_of(&mut builder, 0, &[3, 5].map(|n| Value::int(Width::I64, n)));
    let (mut f, mut values) =
        literals(builder, ValueOptions { value_sets: false, ..ValueOptions::default() });
    let possible =
        [0, 1, 3, 5, 7].map(|n| can_be(&mut f, &mut values, read, Value::int(Width::I64, n)));
    assert_eq!(possible, [true, false, true, true, false]);
    assert!(f.stats().variables >= 64);
}
