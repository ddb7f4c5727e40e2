//! The usual case of pure operations: defined numbers without provenance, of at most 64 bits.
//!
//! Nothing here adds meaning: where a result is given it is the one of [`Value::binary`] and
//! [`Value::cast`], as the tests claim. It exists because a stepper spends its time here.

use super::Value;
use crate::op::{BinaryOp, CastOp};
use crate::program::Width;

impl Value {
    /// The bits of a defined number without provenance, if it has at most 64.
    #[inline(always)]
    pub fn plain(&self) -> Option<u64> {
        let plain = self.undef == 0
            && self.provenance.is_none()
            && self.width <= Width::I64
            && self.high.is_none();
        plain.then_some(self.bits as u64)
    }

    #[inline(always)]
    fn from_plain(width: Width, bits: u64) -> Value {
        Value { bits: bits.into(), undef: 0, provenance: None, high: None, width }
    }
}

/// `x op y` in a width of at most 64 bits, or nothing where it takes more thought.
#[inline(always)]
pub fn binary(op: BinaryOp, width: Width, x: u64, y: u64) -> Option<Value> {
    use BinaryOp::*;
    let bits = width.bits();
    let mask = u64::MAX >> (64 - bits);
    let signed = |n: u64| ((n << (64 - bits)) as i64) >> (64 - bits);
    let number = match op {
        Add => x.wrapping_add(y) & mask,
        Sub => x.wrapping_sub(y) & mask,
        Mul => x.wrapping_mul(y) & mask,
        And => x & y,
        Or => x | y,
        Xor => x ^ y,
        Shl if y < u64::from(bits) => (x << y) & mask,
        LShr if y < u64::from(bits) => x >> y,
        AShr if y < u64::from(bits) => (signed(x) >> y) as u64 & mask,
        Eq => return Some(Value::from_plain(Width::BOOL, (x == y).into())),
        Ne => return Some(Value::from_plain(Width::BOOL, (x != y).into())),
        Ult => return Some(Value::from_plain(Width::BOOL, (x < y).into())),
        Ule => return Some(Value::from_plain(Width::BOOL, (x <= y).into())),
        Slt => return Some(Value::from_plain(Width::BOOL, (signed(x) < signed(y)).into())),
        Sle => return Some(Value::from_plain(Width::BOOL, (signed(x) <= signed(y)).into())),
        Shl | LShr | AShr | UDiv | SDiv | URem | SRem | Float(_) => return None,
    };
    Some(Value::from_plain(width, number))
}

/// `x` of width `from` in another width, or nothing where it takes more thought; both have at most
/// 64 bits.
#[inline(always)]
pub fn cast(op: CastOp, from: Width, to: Width, x: u64) -> Option<Value> {
    let shift = 64 - from.bits();
    let number = match op {
        CastOp::ZeroExtend | CastOp::Truncate => x,
        CastOp::SignExtend => (((x << shift) as i64) >> shift) as u64,
        CastOp::Float(_) => return None,
    };
    Some(Value::from_plain(to, number & (u64::MAX >> (64 - to.bits()))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quick_results_are_the_results(
            from in 1u32..=64, to in 1u32..=64, x: u64, y: u64, small in 0u64..70,
        ) {
            use BinaryOp::*;
            let width = Width::from_bits(from).unwrap();
            let a = Value::int(width, x.into());
            for b in [Value::int(width, y.into()), Value::int(width, small.into())] {
                for op in [
                    Add, Sub, Mul, And, Or, Xor, Shl, LShr, AShr, Eq, Ne, Ult, Ule, Slt, Sle, UDiv,
                    SDiv, URem, SRem,
                ] {
                    if let Some(quick) = binary(op, width, a.low(), b.low()) {
                        prop_assert_eq!(Ok(quick), a.binary(op, b));
                    }
                }
            }
            let target = Width::from_bits(to).unwrap();
            for op in [CastOp::ZeroExtend, CastOp::SignExtend, CastOp::Truncate] {
                prop_assert_eq!(cast(op, width, target, a.low()), Some(a.cast(op, target)));
            }
        }
    }
}
