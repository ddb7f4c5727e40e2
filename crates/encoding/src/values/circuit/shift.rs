//! Shifts by an amount that is a number of literals.

use super::{Number, choose, constant, divide};
use ir::op::BinaryOp;
use sat::{Formula, Lit};

/// The amount modulo the width, in as few bits as hold it.
pub fn reduced(f: &mut Formula, amount: &[Lit]) -> Number {
    let width = amount.len();
    let bits = width.next_power_of_two().trailing_zeros() as usize;
    if width.is_power_of_two() {
        return amount[..bits].to_vec();
    }
    let (_, rest) = divide::unsigned(f, amount, &constant(width, width as u128));
    rest[..bits.min(width)].to_vec()
}

/// `a` shifted by an amount that is less than the width.
pub fn shift(f: &mut Formula, op: BinaryOp, a: &[Lit], amount: &[Lit]) -> Number {
    let mut result = a.to_vec();
    for (stage, &by) in amount.iter().enumerate() {
        let moved = by_constant(op, &result, 1 << stage);
        result = choose(f, by, &moved, &result);
    }
    result
}

/// `a` shifted by a constant; everything is out if that is the width or more.
pub fn by_constant(op: BinaryOp, a: &[Lit], amount: usize) -> Number {
    let width = a.len();
    let amount = amount.min(width);
    let fill = match (op, a.last()) {
        (BinaryOp::AShr, Some(&sign)) => sign,
        _ => Lit::FALSE,
    };
    let filled = std::iter::repeat_n(fill, amount);
    match op {
        BinaryOp::Shl => filled.chain(a[..width - amount].iter().copied()).collect(),
        _ => a[amount..].iter().copied().chain(filled).collect(),
    }
}
