//! Arithmetic on constants: two's complement of any width up to 128 bits.

use crate::ast::BinaryOp;

/// The bits of a width.
pub fn mask(width: u32) -> u128 {
    match width {
        0 => 0,
        1..128 => (1 << width) - 1,
        _ => u128::MAX,
    }
}

/// The number that bits of a width stand for.
pub fn signed(bits: u128, width: u32) -> i128 {
    let shift = 128 - width.clamp(1, 128);
    ((bits << shift) as i128) >> shift
}

/// The result of an operation: its bits, and whether it overflowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Computed {
    /// The bits.
    pub bits: u128,
    /// Whether the mathematical result is another one.
    pub overflow: bool,
}

/// Computes `a op b` on operands of a width; comparisons give 0 or 1. `None` where there is no
/// result (division by zero, a shift by the width or more).
pub fn binary(op: BinaryOp, a: u128, b: u128, width: u32, is_signed: bool) -> Option<Computed> {
    let (x, y) = (signed(a, width), signed(b, width));
    let exact = |bits: u128| Some(Computed { bits: bits & mask(width), overflow: false });
    let truth = |value: bool| Some(Computed { bits: u128::from(value), overflow: false });
    match op {
        BinaryOp::Add if is_signed => Some(fit(x.checked_add(y), x.wrapping_add(y), width)),
        BinaryOp::Sub if is_signed => Some(fit(x.checked_sub(y), x.wrapping_sub(y), width)),
        BinaryOp::Mul if is_signed => Some(fit(x.checked_mul(y), x.wrapping_mul(y), width)),
        BinaryOp::Add => exact(a.wrapping_add(b)),
        BinaryOp::Sub => exact(a.wrapping_sub(b)),
        BinaryOp::Mul => exact(a.wrapping_mul(b)),
        BinaryOp::Div | BinaryOp::Rem if b & mask(width) == 0 => None,
        BinaryOp::Div if is_signed => Some(fit(x.checked_div(y), x.wrapping_div(y), width)),
        BinaryOp::Rem if is_signed => {
            // C takes a remainder for as wrong as its quotient.
            let overflow = fit(x.checked_div(y), x.wrapping_div(y), width).overflow;
            Some(Computed { bits: x.wrapping_rem(y) as u128 & mask(width), overflow })
        }
        BinaryOp::Div => exact(a / b),
        BinaryOp::Rem => exact(a % b),
        BinaryOp::BitAnd => exact(a & b),
        BinaryOp::BitOr => exact(a | b),
        BinaryOp::BitXor => exact(a ^ b),
        BinaryOp::Shl | BinaryOp::Shr if b >= u128::from(width) => None,
        BinaryOp::Shl => {
            let overflow = is_signed && a > (mask(width) >> 1) >> b;
            Some(Computed { bits: a << b & mask(width), overflow })
        }
        BinaryOp::Shr if is_signed => exact((x >> b) as u128),
        BinaryOp::Shr => exact(a >> b),
        BinaryOp::Eq => truth(a == b),
        BinaryOp::Ne => truth(a != b),
        BinaryOp::Lt => truth(if is_signed { x < y } else { a < b }),
        BinaryOp::Gt => truth(if is_signed { x > y } else { a > b }),
        BinaryOp::Le => truth(if is_signed { x <= y } else { a <= b }),
        BinaryOp::Ge => truth(if is_signed { x >= y } else { a >= b }),
    }
}

fn fit(exact: Option<i128>, wrapped: i128, width: u32) -> Computed {
    let bits = wrapped as u128 & mask(width);
    Computed { bits, overflow: exact != Some(signed(bits, width)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_sums_wrap_and_say_so() {
        let max = i32::MAX as u128;
        let sum = binary(BinaryOp::Add, max, 1, 32, true);
        assert_eq!(sum, Some(Computed { bits: 0x8000_0000, overflow: true }));
        let sum = binary(BinaryOp::Add, 0xffff_ffff, 1, 32, false);
        assert_eq!(sum, Some(Computed { bits: 0, overflow: false }));
    }

    #[test]
    fn only_what_c_defines_does_not_overflow() {
        let overflows = |op, a: i32, b: i32, signed| {
            let bits = |n: i32| u128::from(n as u32);
            binary(op, bits(a), bits(b), 32, signed).map(|outcome| outcome.overflow)
        };
        for (op, a, b) in [
            (BinaryOp::Div, i32::MIN, -1),
            (BinaryOp::Rem, i32::MIN, -1),
            (BinaryOp::Shl, 1, 31),
            (BinaryOp::Shl, -1, 0),
        ] {
            assert_eq!(overflows(op, a, b, true), Some(true), "{op:?}");
            assert_eq!(overflows(op, a, b, false), Some(false), "{op:?}");
        }
        assert_eq!(overflows(BinaryOp::Shl, 1, 30, true), Some(false));
        assert_eq!(overflows(BinaryOp::Rem, i32::MIN, 1, true), Some(false));
        assert_eq!(overflows(BinaryOp::Shl, 1, 32, false), None);
    }

    #[test]
    fn quotients_truncate_towards_zero() {
        let minus_seven = (-7i32) as u32 as u128;
        let quotient = binary(BinaryOp::Div, minus_seven, 2, 32, true);
        assert_eq!(quotient.map(|outcome| signed(outcome.bits, 32)), Some(-3));
        assert_eq!(binary(BinaryOp::Div, 1, 0, 32, true), None);
    }
}
