//! Pure operations against plain arithmetic, and against brute force over undefined bits.

use super::*;
use crate::value::RegionId;
use execution::ids::Id;
use proptest::prelude::*;

const BINARY: [BinaryOp; 19] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::UDiv,
    BinaryOp::SDiv,
    BinaryOp::URem,
    BinaryOp::SRem,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Shl,
    BinaryOp::LShr,
    BinaryOp::AShr,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Ult,
    BinaryOp::Ule,
    BinaryOp::Slt,
    BinaryOp::Sle,
];

const UNARY: [UnaryOp; 6] = [
    UnaryOp::Neg,
    UnaryOp::Not,
    UnaryOp::CountLeadingZeros,
    UnaryOp::CountTrailingZeros,
    UnaryOp::PopCount,
    UnaryOp::ByteSwap,
];

fn width(bits: u32) -> Width {
    Width::from_bits(bits).unwrap()
}

/// What the operation means, in wide arithmetic without any masks but the last.
fn reference(op: BinaryOp, bits: u32, x: u128, y: u128) -> Option<u128> {
    let modulus = 1i128 << bits;
    let signed = |v: u128| if v as i128 >= modulus / 2 { v as i128 - modulus } else { v as i128 };
    let (sx, sy) = (signed(x), signed(y));
    let (ux, uy) = (x as i128, y as i128);
    let shift = y % u128::from(bits);
    let result = match op {
        BinaryOp::Add => ux + uy,
        BinaryOp::Sub => ux - uy,
        BinaryOp::Mul => ux * uy,
        BinaryOp::UDiv => ux.checked_div(uy)?,
        BinaryOp::URem => ux.checked_rem(uy)?,
        BinaryOp::SDiv => sx.checked_div(sy).filter(|&q| q < modulus / 2)?,
        BinaryOp::SRem => sx.checked_rem(sy).filter(|_| !(sx == -modulus / 2 && sy == -1))?,
        BinaryOp::And => ux & uy,
        BinaryOp::Or => ux | uy,
        BinaryOp::Xor => ux ^ uy,
        BinaryOp::Shl => ux << shift,
        BinaryOp::LShr => ux >> shift,
        BinaryOp::AShr => sx >> shift,
        BinaryOp::Eq => i128::from(ux == uy),
        BinaryOp::Ne => i128::from(ux != uy),
        BinaryOp::Ult => i128::from(ux < uy),
        BinaryOp::Ule => i128::from(ux <= uy),
        BinaryOp::Slt => i128::from(sx < sy),
        BinaryOp::Sle => i128::from(sx <= sy),
        BinaryOp::Float(_) => return None,
    };
    Some(result.rem_euclid(modulus) as u128)
}

/// All numbers that a value with undefined bits may stand for.
fn fillings(v: Value) -> impl Iterator<Item = Value> {
    (0..=v.width.mask())
        .filter(move |filling| filling & !v.undef == 0)
        .map(move |filling| Value::int(v.width, v.bits | filling))
}

fn partial(bits: u32) -> impl Strategy<Value = Value> {
    let mask = width(bits).mask();
    (0..=mask, 0..=mask)
        .prop_map(move |(value, undef)| Value { undef, ..Value::int(width(bits), value & !undef) })
}

fn claims_no_more_than_holds(result: Value, actual: Value) -> Result<(), TestCaseError> {
    prop_assert_eq!(result.bits & result.undef, 0);
    prop_assert_eq!(result.undef & !result.width.mask(), 0);
    prop_assert_eq!(result.width, actual.width);
    prop_assert_eq!(result.bits, actual.bits & !result.undef);
    Ok(())
}

proptest! {
    #[test]
    fn binary_operations_are_arithmetic_modulo_the_width(
        bits in 1u32..=62, x: u64, y: u64, op in 0..BINARY.len(),
    ) {
        let (op, w) = (BINARY[op], width(bits));
        let (x, y) = (u128::from(x) & w.mask(), u128::from(y) & w.mask());
        let result = Value::int(w, x).binary(op, Value::int(w, y));
        let expected = reference(op, bits, x, y);
        if op.is_comparison() {
            prop_assert_eq!(result.unwrap(), Value::bool(expected.unwrap() != 0));
        } else {
            prop_assert_eq!(result.ok(), expected.map(|bits| Value::int(w, bits)));
        }
    }

    #[test]
    fn wide_sums_and_shifts_wrap(x: u128, y: u128, amount in 0u32..128) {
        let (a, b) = (Value::int(Width::I128, x), Value::int(Width::I128, y));
        let shift = Value::int(Width::I128, amount.into());
        let bits = |op, b| a.binary(op, b).unwrap().bits;
        prop_assert_eq!(bits(BinaryOp::Add, b), x.wrapping_add(y));
        prop_assert_eq!(bits(BinaryOp::Mul, b), x.wrapping_mul(y));
        prop_assert_eq!(bits(BinaryOp::Shl, shift), x << amount);
        prop_assert_eq!(bits(BinaryOp::AShr, shift), ((x as i128) >> amount) as u128);
        prop_assert_eq!(bits(BinaryOp::Slt, b), u128::from((x as i128) < y as i128));
    }

    #[test]
    fn a_defined_result_bit_is_the_same_for_all_fillings(
        a in partial(5), b in partial(5), op in 0..BINARY.len(),
    ) {
        let op = BINARY[op];
        let Ok(result) = a.binary(op, b) else { return Ok(()) };
        for x in fillings(a) {
            for y in fillings(b) {
                if let Ok(actual) = x.binary(op, y) {
                    claims_no_more_than_holds(result, actual)?;
                }
            }
        }
    }

    #[test]
    fn a_defined_result_bit_of_one_operand_is_the_same_for_all_fillings(
        a in partial(8), op in 0..UNARY.len(), to in 1u32..=16,
    ) {
        let result = a.unary(UNARY[op]);
        for x in fillings(a) {
            claims_no_more_than_holds(result, x.unary(UNARY[op]))?;
            for cast in [CastOp::ZeroExtend, CastOp::SignExtend, CastOp::Truncate] {
                let grows = to >= 8;
                if grows != (cast == CastOp::Truncate) {
                    claims_no_more_than_holds(a.cast(cast, width(to)), x.cast(cast, width(to)))?;
                }
            }
        }
    }

    #[test]
    fn selection_and_updates_are_sound_for_all_fillings(
        c in partial(1), a in partial(4), b in partial(4),
    ) {
        use RmwOp::*;
        for x in fillings(a) {
            for y in fillings(b) {
                for cond in fillings(c) {
                    claims_no_more_than_holds(c.select(a, b), cond.select(x, y))?;
                }
                for op in [Exchange, Add, Sub, And, Or, Xor, Nand, Max, Min, UMax, UMin] {
                    claims_no_more_than_holds(a.rmw(op, b), x.rmw(op, y))?;
                }
            }
        }
    }

    #[test]
    fn and_or_xor_call_a_bit_undefined_only_where_fillings_differ(
        a in partial(4), b in partial(4),
    ) {
        for op in [BinaryOp::And, BinaryOp::Or, BinaryOp::Xor] {
            let results: Vec<u128> = fillings(a)
                .flat_map(|x| fillings(b).map(move |y| x.binary(op, y).unwrap().bits))
                .collect();
            let differ = results.iter().fold(0, |d, r| d | (r ^ results[0]));
            prop_assert_eq!(a.binary(op, b).unwrap().undef, differ);
        }
    }

    #[test]
    fn overflow_is_a_result_outside_the_signed_range(
        bits in 2u32..=32, x: i32, y: i32, op in 0usize..3,
    ) {
        let w = width(bits);
        let (a, b) = (Value::signed(w, x.into()), Value::signed(w, y.into()));
        let (sx, sy) = (a.as_signed(), b.as_signed());
        let (op, exact) = [
            (BinaryOp::Add, sx + sy),
            (BinaryOp::Sub, sx - sy),
            (BinaryOp::Mul, sx * sy),
        ][op];
        let limit = 1i128 << (bits - 1);
        prop_assert_eq!(a.overflows(op, b), !(-limit..limit).contains(&exact));
    }
}

#[test]
fn left_shifts_of_signed_numbers_overflow_as_c_says() {
    let shift = |a: i32, by: i32| {
        let [a, by] = [a, by].map(|n| Value::signed(Width::I32, n.into()));
        (a.shifts_too_far(BinaryOp::Shl, by), a.overflows(BinaryOp::Shl, by))
    };
    for (a, by) in [(0, 31), (1, 30), (1, 0), (i32::MAX, 0), (0x3fff_ffff, 1)] {
        assert_eq!(shift(a, by), (false, false), "{a} << {by}");
    }
    for (a, by) in [(1, 31), (2, 30), (-1, 0), (-1, 1), (0x4000_0000, 1), (i32::MIN, 0)] {
        assert_eq!(shift(a, by), (false, true), "{a} << {by}");
    }
    assert!(shift(1, 32).0 && shift(1, -1).0);
    let one = Value::signed(Width::I32, 1);
    assert!(!one.overflows(BinaryOp::LShr, Value::signed(Width::I32, 31)));
    assert!(!one.shifts_too_far(BinaryOp::Shl, Value::undef(Width::I32)));
}

#[test]
fn divisions_that_have_no_result_say_why() {
    let w = Width::I32;
    let by_zero = Value::int(w, 7).binary(BinaryOp::SRem, Value::int(w, 0));
    assert_eq!(by_zero, Err(DivisionError::ByZero));
    let least = Value::signed(w, i32::MIN.into());
    let overflow = least.binary(BinaryOp::SDiv, Value::signed(w, -1));
    assert_eq!(overflow, Err(DivisionError::Overflow));
    let unknown = least.binary(BinaryOp::UDiv, Value::undef(w));
    assert_eq!(unknown, Err(DivisionError::Undefined));
}

#[test]
fn a_tagged_pointer_keeps_its_object_and_a_difference_is_a_number() {
    let (r, s) = (RegionId::new(0), RegionId::new(1));
    let (p, q) = (Value::pointer(r, 0x1000), Value::pointer(s, 0x2000));
    let one = Value::int(Width::PTR, 1);
    let op = |a: Value, op, b: Value| a.binary(op, b).unwrap().provenance;
    assert_eq!(op(p, BinaryOp::Or, one), Some(r));
    assert_eq!(op(p, BinaryOp::Or, p), Some(r));
    assert_eq!(op(one, BinaryOp::Add, p), Some(r));
    assert_eq!(op(p, BinaryOp::Sub, one), Some(r));
    assert_eq!(op(one, BinaryOp::Sub, p), None);
    assert_eq!(op(p, BinaryOp::Sub, p), None);
    assert_eq!(op(p, BinaryOp::Xor, q), None);
    assert_eq!(op(p, BinaryOp::Eq, p), None);
    assert_eq!(p.cast(CastOp::Truncate, Width::I8).provenance, Some(r));
}

#[test]
fn masks_that_leave_an_address_keep_its_object_and_others_make_numbers() {
    let r = RegionId::new(0);
    let p = Value::pointer(r, 0x1000_0000_1230);
    let and = |a: Value, mask: u64| {
        a.binary(BinaryOp::And, Value::int(a.width, mask.into())).unwrap().provenance
    };
    assert_eq!(and(p, !7), Some(r));
    assert_eq!(and(p, !0x1f_ffff), Some(r));
    assert_eq!(and(p, 0x0000_ffff_ffff_ffff), Some(r));
    assert_eq!(and(p, 63), None);
    assert_eq!(p.binary(BinaryOp::And, p).unwrap().provenance, Some(r));
    let byte = p.cast(CastOp::Truncate, Width::I8);
    assert_eq!(and(byte, 0xfe), Some(r));
    assert_eq!(and(byte, 0x01), None);
}

#[test]
fn what_is_undefined_in_part_counts_as_zero_where_that_is_asked_for() {
    let pointer = Value::pointer(RegionId::new(1), 0x1000);
    assert_eq!(pointer.unary(UnaryOp::DefinedOrZero), pointer);
    let partly = Value { undef: 1, ..Value::int(Width::I32, 6) };
    assert_eq!(partly.unary(UnaryOp::DefinedOrZero), Value::int(Width::I32, 0));
}

#[test]
fn two_pointers_packed_into_128_bits_come_out_again() {
    let (r, s) = (RegionId::new(0), RegionId::new(1));
    let wide = |v: Value| v.cast(CastOp::ZeroExtend, Width::I128);
    let shift = Value::int(Width::I128, 64);
    let high = wide(Value::pointer(s, 0x2000)).binary(BinaryOp::Shl, shift).unwrap();
    let both = wide(Value::pointer(r, 0x1000)).binary(BinaryOp::Or, high).unwrap();
    let low = both.cast(CastOp::Truncate, Width::I64);
    assert_eq!(low, Value::pointer(r, 0x1000));
    let upper = both.binary(BinaryOp::LShr, shift).unwrap().cast(CastOp::Truncate, Width::I64);
    assert_eq!(upper, Value::pointer(s, 0x2000));
}
