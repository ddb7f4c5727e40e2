//! Arithmetic of IEEE 754 binary32 and binary64 on bit patterns, rounded to nearest, ties to even.
//!
//! The one evaluator of floating point: the stepper, the front ends' constants and the tables of
//! the encoding all come here. A result that is not a number is the positive quiet NaN without a
//! payload, whichever NaNs it was computed from, so that results do not depend on the machine.
//!
//! Soundness S-009 (run, check, verify; all; misses, cries wolf): Every NaN that an operation or a
//! conversion yields is the positive quiet one without a payload, where hardware keeps the
//! operand's and yields a negative one for `0.0 / 0.0`; rounding is to nearest always. Test:
//! crates/ir/src/value/float.rs::every_nan_result_is_the_same.

use super::Value;
use crate::op::{FloatBinary, FloatCast, FloatUnary};
use crate::program::Width;

/// The numbers of one format.
trait Format: Copy + PartialOrd + Into<f64> {
    const NAN: u128;
    fn from_bits(bits: u128) -> Self;
    fn to_bits(self) -> u128;
    fn from_double(number: f64) -> Self;
    fn unary(self, op: FloatUnary) -> Self;
    /// An operation that is not a comparison.
    fn compute(self, op: FloatBinary, other: Self) -> Self;

    /// The bits of a result.
    fn result(self) -> u128 {
        if Into::<f64>::into(self).is_nan() { Self::NAN } else { self.to_bits() }
    }
}

macro_rules! implement_format {
    ($float:ty, $bits:ty, $nan:expr) => {
        impl Format for $float {
            const NAN: u128 = $nan;

            fn from_bits(bits: u128) -> Self {
                <$float>::from_bits(bits as $bits)
            }

            fn to_bits(self) -> u128 {
                <$float>::to_bits(self).into()
            }

            fn from_double(number: f64) -> Self {
                number as $float
            }

            fn unary(self, op: FloatUnary) -> Self {
                match op {
                    FloatUnary::Sqrt => self.sqrt(),
                    FloatUnary::Floor => self.floor(),
                    FloatUnary::Ceil => self.ceil(),
                    FloatUnary::Round => self.round(),
                    FloatUnary::RoundEven => self.round_ties_even(),
                    FloatUnary::Trunc => self.trunc(),
                }
            }

            fn compute(self, op: FloatBinary, other: Self) -> Self {
                match op {
                    FloatBinary::Add => self + other,
                    FloatBinary::Sub => self - other,
                    FloatBinary::Mul => self * other,
                    FloatBinary::Div => self / other,
                    FloatBinary::Rem => self % other,
                    FloatBinary::Eq | FloatBinary::Lt | FloatBinary::Le => {
                        unreachable!("comparisons give a bit")
                    }
                }
            }
        }
    };
}

implement_format!(f32, u32, 0x7fc0_0000);
implement_format!(f64, u64, 0x7ff8_0000_0000_0000);

/// The bits of `op a`.
pub fn unary(op: FloatUnary, width: Width, a: u128) -> u128 {
    fn of<F: Format>(op: FloatUnary, a: u128) -> u128 {
        F::from_bits(a).unary(op).result()
    }
    if width == Width::I32 { of::<f32>(op, a) } else { of::<f64>(op, a) }
}

/// The bits of `a op b`; one bit for a comparison.
pub fn binary(op: FloatBinary, width: Width, a: u128, b: u128) -> u128 {
    fn of<F: Format>(op: FloatBinary, a: u128, b: u128) -> u128 {
        let (x, y) = (F::from_bits(a), F::from_bits(b));
        match op {
            FloatBinary::Eq => u128::from(x == y),
            FloatBinary::Lt => u128::from(x < y),
            FloatBinary::Le => u128::from(x <= y),
            op => x.compute(op, y).result(),
        }
    }
    if width == Width::I32 { of::<f32>(op, a, b) } else { of::<f64>(op, a, b) }
}

/// The bits of a defined value as another kind of number; `None` for a floating-point number that
/// does not fit the integers of the width, or is none.
pub fn cast(op: FloatCast, a: &Value, width: Width) -> Option<u128> {
    let single = width == Width::I32;
    match op {
        FloatCast::FromSigned if single => Some((a.as_signed() as f32).result()),
        FloatCast::FromSigned => Some((a.as_signed() as f64).result()),
        FloatCast::FromUnsigned if single => Some((a.bits as f32).result()),
        FloatCast::FromUnsigned => Some((a.bits as f64).result()),
        FloatCast::Resize if single => Some(f32::from_double(number(a)).result()),
        FloatCast::Resize => Some(number(a).result()),
        FloatCast::ToSigned => {
            let (whole, limit) = (number(a).trunc(), 2f64.powi(width.bits() as i32 - 1));
            (-limit <= whole && whole < limit).then_some(whole as i128 as u128 & width.mask())
        }
        FloatCast::ToUnsigned => {
            let (whole, limit) = (number(a).trunc(), 2f64.powi(width.bits() as i32));
            (0.0 <= whole && whole < limit).then_some(whole as u128)
        }
    }
}

/// The number that the bits of a floating-point value stand for.
pub fn number(value: &Value) -> f64 {
    match value.width {
        Width::I32 => f64::from(f32::from_bits(value.bits as u32)),
        _ => f64::from_bits(value.bits as u64),
    }
}

/// The shortest decimal number that is nearest to a floating-point value: `0.5`, `2.0`, `1e16`.
pub fn text(value: &Value) -> String {
    match value.width {
        Width::I32 => format!("{:?}", f32::from_bits(value.bits as u32)),
        _ => format!("{:?}", f64::from_bits(value.bits as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::{BinaryOp, CastOp, UnaryOp};

    fn double(number: f64) -> Value {
        Value::int(Width::I64, number.to_bits().into())
    }

    fn single(number: f32) -> Value {
        Value::int(Width::I32, number.to_bits().into())
    }

    fn op(a: Value, op: FloatBinary, b: Value) -> Value {
        a.binary(BinaryOp::Float(op), b).expect("not a division of integers")
    }

    fn to(a: Value, op: FloatCast, width: Width) -> Value {
        a.cast(CastOp::Float(op), width)
    }

    #[test]
    fn sums_are_rounded_to_nearest_in_their_own_format() {
        let sum = op(double(0.1), FloatBinary::Add, double(0.2));
        assert_eq!(sum.bits, 0x3fd3_3333_3333_3334);
        let sum = op(single(16_777_216.0), FloatBinary::Add, single(1.0));
        assert_eq!(sum, single(16_777_216.0), "2^24 + 1 is a tie, and 2^24 is even");
        let third = op(single(1.0), FloatBinary::Div, single(3.0));
        assert_eq!(third.bits, 0x3eaa_aaab);
        assert_eq!(op(double(1.0), FloatBinary::Div, double(-0.0)), double(f64::NEG_INFINITY));
        assert_eq!(op(double(-7.5), FloatBinary::Rem, double(2.0)), double(-1.5));
    }

    #[test]
    fn every_nan_result_is_the_same() {
        let odd = Value::int(Width::I64, 0xfff0_0000_0000_0001);
        let quiet = Value::int(Width::I64, 0x7ff8_0000_0000_0000);
        assert_eq!(op(odd, FloatBinary::Add, double(1.0)), quiet);
        assert_eq!(op(double(0.0), FloatBinary::Div, double(0.0)), quiet);
        assert_eq!(double(-1.0).unary(UnaryOp::Float(FloatUnary::Sqrt)), quiet);
        assert_eq!(to(odd, FloatCast::Resize, Width::I32).bits, 0x7fc0_0000);
    }

    #[test]
    fn nothing_is_equal_to_or_less_than_a_nan_and_zeros_are_equal() {
        let nan = double(f64::NAN);
        for (a, b) in [(nan, nan), (nan, double(1.0)), (double(1.0), nan)] {
            for comparison in [FloatBinary::Eq, FloatBinary::Lt, FloatBinary::Le] {
                assert_eq!(op(a, comparison, b), Value::bool(false));
            }
        }
        assert_eq!(op(double(0.0), FloatBinary::Eq, double(-0.0)), Value::bool(true));
        assert_eq!(op(double(-1.0), FloatBinary::Lt, double(0.5)), Value::bool(true));
    }

    #[test]
    fn numbers_become_integers_if_their_whole_part_fits() {
        let fits = |number: f64, cast, width| {
            let value = double(number);
            let result = to(value, cast, width);
            assert_eq!(value.does_not_fit(CastOp::Float(cast), width), !result.is_defined());
            result.is_defined().then(|| result.as_signed())
        };
        use FloatCast::{ToSigned, ToUnsigned};
        assert_eq!(fits(-2_147_483_648.9, ToSigned, Width::I32), Some(i32::MIN.into()));
        assert_eq!(fits(2_147_483_647.9, ToSigned, Width::I32), Some(i32::MAX.into()));
        assert_eq!(fits(2_147_483_648.0, ToSigned, Width::I32), None);
        assert_eq!(fits(9.3e18, ToSigned, Width::I64), None);
        assert_eq!(fits(-0.9, ToUnsigned, Width::I32), Some(0));
        assert_eq!(fits(-1.0, ToUnsigned, Width::I32), None);
        assert_eq!(fits(4_294_967_296.0, ToUnsigned, Width::I32), None);
        assert_eq!(fits(f64::NAN, ToSigned, Width::I64), None);
        assert_eq!(fits(f64::INFINITY, ToUnsigned, Width::I64), None);
        assert_eq!(fits(300.0, ToSigned, Width::I8), None);
    }

    #[test]
    fn integers_become_the_nearest_numbers() {
        let large = Value::int(Width::I64, u64::MAX.into());
        assert_eq!(to(large, FloatCast::FromUnsigned, Width::I64), double(2f64.powi(64)));
        assert_eq!(to(large, FloatCast::FromSigned, Width::I64), double(-1.0));
        let odd = Value::int(Width::I32, (1 << 24) + 1);
        assert_eq!(to(odd, FloatCast::FromSigned, Width::I32), single(16_777_216.0));
        assert_eq!(to(single(0.1), FloatCast::Resize, Width::I64), double(0.1f32.into()));
    }

    #[test]
    fn an_undefined_bit_leaves_nothing_defined() {
        let vague = Value { undef: 1, ..double(1.0) };
        assert_eq!(op(vague, FloatBinary::Add, double(1.0)), Value::undef(Width::I64));
        assert_eq!(op(double(1.0), FloatBinary::Lt, vague), Value::undef(Width::BOOL));
        assert_eq!(to(vague, FloatCast::ToSigned, Width::I32), Value::undef(Width::I32));
        assert!(!vague.does_not_fit(CastOp::Float(FloatCast::ToSigned), Width::I32));
        assert_eq!(vague.unary(UnaryOp::Float(FloatUnary::Floor)), Value::undef(Width::I64));
    }

    #[test]
    fn numbers_are_shown_as_short_as_they_can_be_read_back() {
        let doubles = [0.5, 2.0, 0.1, 1e16, -0.0].map(|number| text(&double(number)));
        assert_eq!(doubles, ["0.5", "2.0", "0.1", "1e16", "-0.0"]);
        assert_eq!(text(&single(0.1)), "0.1");
        assert_eq!(text(&double(f64::NAN)), "NaN");
    }

    #[test]
    fn whole_numbers_are_found_in_every_direction() {
        let all = [FloatUnary::Floor, FloatUnary::Ceil, FloatUnary::Round, FloatUnary::RoundEven];
        let rounded = |number: f64| all.map(|op| double(number).unary(UnaryOp::Float(op)));
        assert_eq!(rounded(2.5), [2.0, 3.0, 3.0, 2.0].map(double));
        assert_eq!(rounded(-2.5), [-3.0, -2.0, -3.0, -2.0].map(double));
        assert_eq!(double(-2.5).unary(UnaryOp::Float(FloatUnary::Trunc)), double(-2.0));
    }
}
