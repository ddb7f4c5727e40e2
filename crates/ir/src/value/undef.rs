//! Which bits of a result are undefined, given the undefined bits of the operands.
//!
//! After the shadow-value rules of memcheck (Seward and Nethercote, "Using Valgrind to detect
//! undefined value errors with bit-precision", USENIX 2005). A rule may call a bit undefined that
//! is the same for every filling of the undefined operand bits (it may cry wolf), never the other
//! way round: a bit reported as defined does not depend on undefined bits.
//!
//! Soundness S-007 (run, check, verify; all; cries wolf): One undefined bit makes the whole result
//! of a multiplication, division or ordering undefined, so a program that computes a defined result
//! from undefined operands in this way is reported. Test:
//! crates/ir/src/value/ops/tests.rs::and_or_xor_call_a_bit_undefined_only_where_fillings_differ.

use super::Value;
use crate::op::{BinaryOp, UnaryOp};
use crate::program::Width;

/// The undefined bits of `op a`.
pub fn unary(op: UnaryOp, a: &Value) -> u128 {
    let all = a.width.mask();
    match op {
        UnaryOp::Not => a.undef,
        UnaryOp::Neg => from_lowest(a.undef, all),
        // Decided where a defined one comes before every undefined bit.
        UnaryOp::CountLeadingZeros => all_unless(a.bits > a.undef, all),
        UnaryOp::CountTrailingZeros => {
            all_unless(a.bits.trailing_zeros() < a.undef.trailing_zeros(), all)
        }
        UnaryOp::PopCount => all,
        UnaryOp::DefinedOrZero | UnaryOp::Members => 0,
        UnaryOp::ByteSwap => super::ops::byte_swap(a.undef, a.width),
        UnaryOp::Float(_) => all,
    }
}

/// The undefined bits of `a op b`, of which at least one has some; for division, `b` has none.
pub fn binary(op: BinaryOp, a: &Value, b: &Value) -> u128 {
    use BinaryOp::*;
    let all = a.width.mask();
    match op {
        And => (a.undef & (b.undef | b.bits)) | (b.undef & a.bits),
        Or => (a.undef & !b.bits) | (b.undef & !a.bits),
        Xor => a.undef | b.undef,
        Add | Sub => from_lowest(a.undef | b.undef, all),
        Mul => product(a, b) & all,
        UDiv if b.bits.is_power_of_two() => a.undef >> b.bits.trailing_zeros(),
        URem if b.bits.is_power_of_two() => a.undef & (b.bits - 1),
        UDiv | SDiv | URem | SRem => all,
        Shl | LShr | AShr => shift(op, a, b),
        Eq | Ne => {
            let known = !(a.undef | b.undef);
            all_unless((a.bits ^ b.bits) & known != 0, Width::BOOL.mask())
        }
        Ult => comparison(range(a), range(b), false),
        Ule => comparison(range(a), range(b), true),
        Slt => comparison(signed_range(a), signed_range(b), false),
        Sle => comparison(signed_range(a), signed_range(b), true),
        Float(_) if op.is_comparison() => Width::BOOL.mask(),
        Float(_) => all,
    }
}

fn shift(op: BinaryOp, a: &Value, amount: &Value) -> u128 {
    if !amount.is_defined() {
        return a.width.mask();
    }
    // Moving the mask as if it were the value: an undefined sign bit fills with undefined bits.
    let mask = Value::int(a.width, a.undef);
    super::ops::defined_bits(op, &mask, amount)
}

/// A carry can come from any undefined bit further down.
fn from_lowest(undef: u128, all: u128) -> u128 {
    (undef | undef.wrapping_neg()) & all
}

fn all_unless(known: bool, all: u128) -> u128 {
    if known { 0 } else { all }
}

/// With `a = a0 + e`, `e` a multiple of `2^l`, and `b` a multiple of `2^t`, the product differs
/// from `a0 * b` by a multiple of `2^(l + t)`.
fn product(a: &Value, b: &Value) -> u128 {
    let zeros = |v: &Value| (v.bits | v.undef).trailing_zeros();
    let from = |undef: u128, other: &Value| match undef {
        0 => 0,
        _ => u128::MAX.checked_shl(undef.trailing_zeros() + zeros(other)).unwrap_or(0),
    };
    from(a.undef, b) | from(b.undef, a)
}

/// The least and greatest value over all fillings.
fn range(v: &Value) -> (u128, u128) {
    (v.bits, v.bits | v.undef)
}

/// The same in an order-preserving unsigned form of signed numbers (the sign bit flipped).
fn signed_range(v: &Value) -> (u128, u128) {
    let sign = 1 << (v.width.bits() - 1);
    let least = (v.bits ^ sign) & !v.undef;
    (least, least | v.undef)
}

fn comparison(a: (u128, u128), b: (u128, u128), or_equal: bool) -> u128 {
    let less = |x: u128, y: u128| x < y || (or_equal && x == y);
    let always = less(a.1, b.0);
    let never = !less(a.0, b.1);
    u128::from(!always && !never)
}
