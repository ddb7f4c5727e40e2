//! Pure operations on values.
//!
//! Soundness S-006 (run, check, verify; all; misses): Signed overflow wraps and shift amounts are
//! taken modulo the width; both are reported only by `run --overflow` and under the property
//! `overflow`. Test: crates/ir/src/step/machine/tests.rs::overflow_is_found_only_where_asked_for,
//! crates/fencepost/tests/ends.rs::arithmetic_that_overflows_goes_on.

use super::{Value, WORDS, float, provenance, undef};
use crate::op::{BinaryOp, CastOp, RmwOp, UnaryOp};
use crate::program::Width;
use execution::finding::DivisionError;

impl Value {
    /// `op self`.
    #[inline]
    pub fn unary(self, op: UnaryOp) -> Value {
        let width = self.width;
        let bits = match op {
            UnaryOp::Neg => self.bits.wrapping_neg(),
            UnaryOp::Not => !self.bits,
            UnaryOp::CountLeadingZeros => leading_zeros(self.bits, width),
            UnaryOp::CountTrailingZeros => u128::from(self.bits.trailing_zeros().min(width.bits())),
            UnaryOp::PopCount => u128::from(self.bits.count_ones()),
            UnaryOp::ByteSwap => byte_swap(self.bits, width),
            UnaryOp::DefinedOrZero if self.undef != 0 => 0,
            UnaryOp::DefinedOrZero => self.bits,
            UnaryOp::Members => WORDS,
            UnaryOp::Float(op) => float::unary(op, width, self.bits),
        };
        let undef = if self.undef == 0 { 0 } else { undef::unary(op, &self) };
        let (provenance, high) = match op {
            UnaryOp::Not | UnaryOp::DefinedOrZero => (self.provenance, self.high),
            _ => (None, None),
        };
        Value { bits: bits & width.mask() & !undef, undef, provenance, high, width }
    }

    /// `self op b`; both have the same width.
    #[inline]
    pub fn binary(self, op: BinaryOp, b: Value) -> Result<Value, DivisionError> {
        use BinaryOp::*;
        if matches!(op, UDiv | SDiv | URem | SRem) {
            check_division(op, &self, &b)?;
        }
        let width = if op.is_comparison() { Width::BOOL } else { self.width };
        let bits = defined_bits(op, &self, &b);
        let undef = if self.undef | b.undef == 0 { 0 } else { undef::binary(op, &self, &b) };
        let pointers = self.has_provenance() || b.has_provenance();
        let (provenance, high) =
            if pointers { provenance::binary(op, &self, &b) } else { (None, None) };
        Ok(Value { bits: bits & !undef, undef, provenance, high, width })
    }

    /// `self` in another width, or as another kind of number; undefined if it is none of those.
    #[inline]
    pub fn cast(self, op: CastOp, width: Width) -> Value {
        let (bits, undef) = match op {
            CastOp::ZeroExtend | CastOp::Truncate => (self.bits, self.undef),
            CastOp::SignExtend => {
                (sign_extend(self.bits, self.width), sign_extend(self.undef, self.width))
            }
            CastOp::Float(op) => {
                let number = match self.is_defined() {
                    true => float::cast(op, &self, width),
                    false => None,
                };
                return number.map_or(Value::undef(width), |bits| Value::int(width, bits));
            }
        };
        let high = if width > Width::I64 { self.high } else { None };
        let mask = width.mask();
        Value { bits: bits & mask, undef: undef & mask, provenance: self.provenance, high, width }
    }

    /// `self ? a : b`. Where it is not known which, the bits that differ are undefined.
    pub fn select(self, a: Value, b: Value) -> Value {
        if self.is_defined() {
            return if self.bits != 0 { a } else { b };
        }
        let undef = a.undef | b.undef | (a.bits ^ b.bits);
        Value {
            bits: a.bits & !undef,
            undef,
            provenance: provenance::one_or_same(a.provenance, b.provenance),
            high: provenance::one_or_same(a.high, b.high),
            width: a.width,
        }
    }

    /// What a read-modify-write stores over `self`.
    pub fn rmw(self, op: RmwOp, operand: Value) -> Value {
        let binary = |op: BinaryOp| self.binary(op, operand).expect("not a division");
        match op {
            RmwOp::Exchange => operand,
            RmwOp::Add => binary(BinaryOp::Add),
            RmwOp::Sub => binary(BinaryOp::Sub),
            RmwOp::And => binary(BinaryOp::And),
            RmwOp::Or => binary(BinaryOp::Or),
            RmwOp::Xor => binary(BinaryOp::Xor),
            RmwOp::Nand => binary(BinaryOp::And).unary(UnaryOp::Not),
            RmwOp::Max => binary(BinaryOp::Slt).select(operand, self),
            RmwOp::Min => binary(BinaryOp::Slt).select(self, operand),
            RmwOp::UMax => binary(BinaryOp::Ult).select(operand, self),
            RmwOp::UMin => binary(BinaryOp::Ult).select(self, operand),
        }
    }

    /// Whether a shift is by the width or more.
    pub fn shifts_too_far(self, op: BinaryOp, b: Value) -> bool {
        op.is_shift()
            && self.is_defined()
            && b.is_defined()
            && b.bits >= u128::from(self.width.bits())
    }

    /// Whether the exact result of signed `self op b` does not fit the width, or a negative number
    /// is shifted to the left (by less than the width); false for operations that cannot overflow.
    pub fn overflows(self, op: BinaryOp, b: Value) -> bool {
        if !self.is_defined() || !b.is_defined() {
            return false;
        }
        let (x, y) = (self.as_signed(), b.as_signed());
        let exact = match op {
            BinaryOp::Add => x.checked_add(y),
            BinaryOp::Sub => x.checked_sub(y),
            BinaryOp::Mul => x.checked_mul(y),
            BinaryOp::Shl => {
                let amount = b.bits.min(127) as u32;
                return self.bits > (self.width.mask() >> 1) >> amount;
            }
            _ => return false,
        };
        exact.is_none_or(|exact| Value::signed(self.width, exact).as_signed() != exact)
    }

    /// Whether a floating-point number has no counterpart among the integers of a width.
    pub fn does_not_fit(self, op: CastOp, width: Width) -> bool {
        match op {
            CastOp::Float(op) => self.is_defined() && float::cast(op, &self, width).is_none(),
            _ => false,
        }
    }

    fn has_provenance(&self) -> bool {
        self.provenance.is_some() || self.high.is_some()
    }
}

fn check_division(op: BinaryOp, a: &Value, b: &Value) -> Result<(), DivisionError> {
    if !b.is_defined() {
        return Err(DivisionError::Undefined);
    }
    if b.bits == 0 {
        return Err(DivisionError::ByZero);
    }
    let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
    let least = 1 << (a.width.bits() - 1);
    if signed && a.is_defined() && a.bits == least && b.bits == b.width.mask() {
        return Err(DivisionError::Overflow);
    }
    Ok(())
}

/// The bits of `a op b`, taking undefined bits as zeros. Divisors are not zero.
#[inline]
pub(super) fn defined_bits(op: BinaryOp, a: &Value, b: &Value) -> u128 {
    use BinaryOp::*;
    let mask = a.width.mask();
    let (x, y) = (a.bits, b.bits);
    let amount = || match y as u32 {
        amount if y < u128::from(a.width.bits()) => amount,
        _ => (y % u128::from(a.width.bits())) as u32,
    };
    match op {
        Add => x.wrapping_add(y) & mask,
        Sub => x.wrapping_sub(y) & mask,
        Mul => x.wrapping_mul(y) & mask,
        UDiv => match (u64::try_from(x), u64::try_from(y)) {
            (Ok(x), Ok(y)) => u128::from(x / y),
            _ => x / y,
        },
        URem => match (u64::try_from(x), u64::try_from(y)) {
            (Ok(x), Ok(y)) => u128::from(x % y),
            _ => x % y,
        },
        SDiv => a.as_signed().wrapping_div(b.as_signed()) as u128 & mask,
        SRem => a.as_signed().wrapping_rem(b.as_signed()) as u128 & mask,
        And => x & y,
        Or => x | y,
        Xor => x ^ y,
        Shl => (x << amount()) & mask,
        LShr => x >> amount(),
        AShr => (a.as_signed() >> amount()) as u128 & mask,
        Eq => u128::from(x == y),
        Ne => u128::from(x != y),
        Ult => u128::from(x < y),
        Ule => u128::from(x <= y),
        Slt => u128::from(a.as_signed() < b.as_signed()),
        Sle => u128::from(a.as_signed() <= b.as_signed()),
        Float(op) => float::binary(op, a.width, x, y),
    }
}

fn leading_zeros(bits: u128, width: Width) -> u128 {
    u128::from(bits.leading_zeros() - (128 - width.bits()))
}

fn sign_extend(bits: u128, width: Width) -> u128 {
    Value::int(width, bits).as_signed() as u128
}

/// The bytes in the opposite order, of a width of whole bytes.
pub(super) fn byte_swap(bits: u128, width: Width) -> u128 {
    bits.swap_bytes() >> (128 - width.bytes() as u32 * 8)
}

#[cfg(test)]
mod tests;
