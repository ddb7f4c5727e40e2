//! What the transfer of shapes claims: no value that an operation can give is left out.

use super::*;
use crate::values::evaluate;
use execution::ids::Id;
use proptest::prelude::*;

const BINARY: [BinaryOp; 19] = {
    use BinaryOp::*;
    [
        Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, Ne, Ult, Ule,
        Slt, Sle,
    ]
};

/// A value, often with undefined bits or a provenance.
fn value(width: Width) -> impl Strategy<Value = Value> {
    let numbers = prop_oneof![any::<u128>(), (0u128..5), Just(u128::MAX), Just(1 << 31)];
    let undefs = prop_oneof![4 => Just(0u128), 1 => any::<u128>(), 1 => Just(u128::MAX)];
    let regions =
        prop_oneof![2 => Just(None), 1 => (0usize..3).prop_map(|r| Some(RegionId::new(r)))];
    (numbers, undefs, regions.clone(), regions).prop_map(move |(bits, undef, provenance, high)| {
        let undef = undef & width.mask();
        let high = high.filter(|_| width > Width::I64);
        Value { bits: bits & width.mask() & !undef, undef, provenance, high, width }
    })
}

fn operands() -> impl Strategy<Value = (Vec<Value>, Vec<Value>)> {
    prop_oneof![Just(1u32), Just(8), Just(12), Just(32), Just(64), Just(128)].prop_flat_map(
        |bits| {
            let width = Width::from_bits(bits).unwrap();
            let some = || proptest::collection::vec(value(width), 1..4);
            (some(), some())
        },
    )
}

#[test]
fn the_shape_of_a_floating_point_result_has_every_result() {
    use ir::op::{FloatBinary, FloatUnary};
    let numbers = [0.0, -0.0, 1.5, -7.25, 1e300, f64::NAN, f64::INFINITY];
    let mut values = numbers.map(|number| Value::int(Width::I64, number.to_bits().into())).to_vec();
    values.push(Value { undef: 1, ..values[2] });
    let shapes: Vec<Shape> = values.iter().map(Shape::of_value).collect();
    for (a, x) in values.iter().zip(&shapes) {
        let floor = UnaryOp::Float(FloatUnary::Floor);
        assert!(unary(floor, x).contains(&a.unary(floor)), "{a:?}");
        for op in [FloatCast::ToSigned, FloatCast::ToUnsigned, FloatCast::Resize] {
            let op = CastOp::Float(op);
            assert!(cast(op, Width::I32, x).contains(&a.cast(op, Width::I32)), "{op:?} {a:?}");
        }
        for (b, y) in values.iter().zip(&shapes) {
            for op in [FloatBinary::Add, FloatBinary::Div, FloatBinary::Eq, FloatBinary::Lt] {
                let op = BinaryOp::Float(op);
                let result = evaluate::binary(op, *a, *b);
                assert!(binary(op, x, y).contains(&result), "{a:?} {op:?} {b:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn the_shape_of_the_result_has_every_result((a, b) in operands(), to in 1u32..=128) {
        let (x, y) = (Shape::of_values(&a).unwrap(), Shape::of_values(&b).unwrap());
        let width = a[0].width;
        let to = Width::from_bits(to).unwrap();
        for &v in &a {
            use UnaryOp::*;
            let counts = [CountLeadingZeros, CountTrailingZeros, PopCount];
            for op in [Neg, Not, ByteSwap, DefinedOrZero].into_iter().chain(counts) {
                if op != ByteSwap || width.bits().is_multiple_of(8) {
                    prop_assert!(unary(op, &x).contains(&v.unary(op)), "{op:?} {v:?}");
                }
            }
            for op in [CastOp::ZeroExtend, CastOp::SignExtend, CastOp::Truncate] {
                if (op == CastOp::Truncate) == (to < width) {
                    prop_assert!(cast(op, to, &x).contains(&v.cast(op, to)), "{op:?} {v:?}");
                }
            }
            for op in BINARY {
                let result = evaluate::binary(op, v, v);
                prop_assert!(with_itself(op, &x).contains(&result), "{v:?} {op:?} itself");
            }
            for &w in &b {
                for op in BINARY {
                    let result = evaluate::binary(op, v, w);
                    let shape = binary(op, &x, &y);
                    prop_assert!(shape.contains(&result), "{v:?} {op:?} {w:?} {result:?} {shape:?}");
                }
                let undecided = Value::undef(Width::BOOL).select(v, w);
                prop_assert!(select(true, &x, &y).contains(&undecided));
                prop_assert!(select(false, &x, &y).contains(&v));
            }
        }
    }
}
