//! The values of a term, from those of its operands, element by element.

use super::set::Set;
use super::shape::Shape;
use super::transfer;
use crate::term::Term;
use ir::op::{BinaryOp, CastOp};
use ir::program::Width;
use ir::value::Value;

/// How many values are kept separate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// In one set.
    pub values: usize,
    /// Pairs of operands of one operation.
    pub pairs: usize,
}

/// `a op b` as a term has it: a quotient that does not exist is undefined.
pub fn binary(op: BinaryOp, a: Value, b: Value) -> Value {
    let width = if op.is_comparison() { Width::BOOL } else { a.width };
    a.binary(op, b).unwrap_or(Value::undef(width))
}

/// The set of a term that is neither constant nor input; `operand` gives the sets of others.
pub fn term<'s>(
    term: &Term,
    operand: impl Fn(crate::term::TermId) -> &'s Set,
    limits: Limits,
) -> Set {
    match *term {
        Term::Const(value) => Set::one(value),
        Term::Input(_) => unreachable!("inputs have no operands"),
        Term::Unary(op, a) => map(operand(a), |a| a.unary(op), |a| transfer::unary(op, a), limits),
        Term::Cast(op, width, a) => {
            map(operand(a), |a| a.cast(op, width), |a| transfer::cast(op, width, a), limits)
        }
        // The two operands are always equal.
        Term::Binary(op, a, b) if a == b => {
            map(operand(a), |a| binary(op, a, a), |a| transfer::with_itself(op, a), limits)
        }
        Term::Binary(op, a, b) => pairs(
            (operand(a), operand(b)),
            |a, b| binary(op, a, b),
            |a, b| transfer::binary(op, a, b),
            limits,
        ),
        Term::Select(cond, a, b) => select(operand(cond), operand(a), operand(b), limits),
        Term::Ite(_, a, b) => operand(a).union(operand(b), limits.values),
        Term::Below(a, end) => below(operand(a), end, limits),
    }
}

/// The bytes of values from one on.
pub fn part(a: &Set, byte: u64, width: Width, limits: Limits) -> Set {
    let Some(whole) = a.shape().map(|shape| shape.width) else { return Set::empty() };
    let amount = Set::one(Value::int(whole, u128::from(byte) * 8));
    let shifted = operation(BinaryOp::LShr, a, &amount, limits);
    map(
        &shifted,
        |a| a.cast(CastOp::Truncate, width),
        |a| transfer::cast(CastOp::Truncate, width, a),
        limits,
    )
}

/// Values that are put together from parts, each with the byte where it begins.
pub fn together(parts: &[(u64, Set)], width: Width, limits: Limits) -> Set {
    let mut whole = Set::one(Value::int(width, 0));
    for (byte, part) in parts {
        let wide = map(
            part,
            |a| a.cast(CastOp::ZeroExtend, width),
            |a| transfer::cast(CastOp::ZeroExtend, width, a),
            limits,
        );
        let amount = Set::one(Value::int(width, u128::from(*byte) * 8));
        let shifted = operation(BinaryOp::Shl, &wide, &amount, limits);
        whole = operation(BinaryOp::Or, &whole, &shifted, limits);
    }
    whole
}

fn operation(op: BinaryOp, a: &Set, b: &Set, limits: Limits) -> Set {
    pairs((a, b), |a, b| binary(op, a, b), |a, b| transfer::binary(op, a, b), limits)
}

/// The values below an end, and those that are not known.
fn below(a: &Set, end: u64, limits: Limits) -> Set {
    let may_be = |value: &&Value| is_below(value, end);
    match a {
        Set::Few(values) => Set::of(values.iter().filter(may_be).copied().collect(), limits.values),
        Set::Many(shape) if shape.is_number() && end <= limits.values as u64 => {
            let all = (0..end).map(|number| Value::int(shape.width, u128::from(number)));
            Set::of(all.filter(|value| shape.contains(value)).collect(), limits.values)
        }
        Set::Many(_) => a.clone(),
    }
}

/// Whether a value is less than an end, as far as is known.
pub fn is_below(value: &Value, end: u64) -> bool {
    !value.is_defined() || value.bits < u128::from(end)
}

fn map(
    a: &Set,
    exact: impl Fn(Value) -> Value,
    shape: impl Fn(&Shape) -> Shape,
    limits: Limits,
) -> Set {
    match a {
        Set::Few(values) => Set::of(values.iter().map(|&v| exact(v)).collect(), limits.values),
        Set::Many(a) => Set::Many(shape(a)).settled(),
    }
}

fn pairs(
    (a, b): (&Set, &Set),
    exact: impl Fn(Value, Value) -> Value,
    shape: impl Fn(&Shape, &Shape) -> Shape,
    limits: Limits,
) -> Set {
    match (a, b) {
        (Set::Few(x), Set::Few(y)) if x.len() * y.len() <= limits.pairs => {
            let all = x.iter().flat_map(|&x| y.iter().map(move |&y| (x, y)));
            Set::of(all.map(|(x, y)| exact(x, y)).collect(), limits.values)
        }
        _ => match (a.shape(), b.shape()) {
            (Some(a), Some(b)) => Set::Many(shape(&a, &b)).settled(),
            _ => Set::empty(),
        },
    }
}

fn select(cond: &Set, a: &Set, b: &Set, limits: Limits) -> Set {
    let may = |test: fn(&Value) -> bool| cond.few().is_none_or(|values| values.iter().any(test));
    let mut result = Set::empty();
    if may(|c| c.is_defined() && c.bits != 0) {
        result = result.union(a, limits.values);
    }
    if may(|c| c.is_defined() && c.bits == 0) {
        result = result.union(b, limits.values);
    }
    if may(|c| !c.is_defined()) {
        let undecided = Value::undef(Width::BOOL);
        let mixed = pairs(
            (a, b),
            |a, b| undecided.select(a, b),
            |a, b| transfer::select(true, a, b),
            limits,
        );
        result = result.union(&mixed, limits.values);
    }
    result
}
