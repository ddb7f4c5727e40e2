//! What operations make of shapes.
//!
//! Each rule covers the rule of [`ir::value`] for every pair of values of the operands' shapes.

use super::shape::{Provenances, Shape};
use ir::op::{BinaryOp, CastOp, FloatCast, UnaryOp};
use ir::program::Width;
use ir::value::provenance::one_or_same;
use ir::value::{RegionId, Value};

/// The shape of `op a`.
pub fn unary(op: UnaryOp, a: &Shape) -> Shape {
    let (width, all) = (a.width, a.width.mask());
    match op {
        UnaryOp::Neg => {
            let undef = upwards(a.undef) & all;
            Shape { undef, ..Shape::number(width, upwards(a.ones | a.undef)) }
        }
        UnaryOp::Not => Shape { ones: all & !a.fixed, fixed: 0, ..a.clone() },
        UnaryOp::CountLeadingZeros | UnaryOp::CountTrailingZeros | UnaryOp::PopCount => {
            let undef = if a.undef == 0 { 0 } else { all };
            Shape { undef, ..Shape::number(width, downwards(u128::from(width.bits()))) }
        }
        UnaryOp::ByteSwap => {
            let swap = |bits| Value::int(width, bits).unary(UnaryOp::ByteSwap).bits;
            Shape {
                undef: swap(a.undef),
                fixed: swap(a.fixed),
                ..Shape::number(width, swap(a.ones))
            }
        }
        UnaryOp::DefinedOrZero => {
            let fixed = if a.undef == 0 { a.fixed } else { 0 };
            Shape { undef: 0, fixed, ..a.clone() }
        }
        UnaryOp::Members => unreachable!("a pass has decided it"),
        UnaryOp::Float(_) => float(width, a.undef != 0),
    }
}

/// The shape of floating-point numbers, or of what they were turned into.
fn float(width: Width, may_be_undefined: bool) -> Shape {
    let undef = if may_be_undefined { width.mask() } else { 0 };
    Shape { undef, ..Shape::any(width) }
}

/// The shape of `a op b`.
pub fn binary(op: BinaryOp, a: &Shape, b: &Shape) -> Shape {
    use BinaryOp::*;
    let (width, all) = (a.width, a.width.mask());
    let may = |s: &Shape| s.ones | s.undef;
    let number =
        |ones: u128, undef: u128| Shape { undef: undef & all, ..Shape::number(width, ones) };
    let shape = match op {
        And => Shape {
            fixed: a.fixed & b.fixed,
            ..number(a.ones & b.ones, (a.undef & may(b)) | (b.undef & a.ones))
        },
        Or => Shape {
            fixed: a.fixed | b.fixed,
            ..number(a.ones | b.ones, (a.undef & !b.fixed) | (b.undef & !a.fixed))
        },
        Xor => number(a.ones | b.ones, a.undef | b.undef),
        Add | Sub => number(upwards(may(a) | may(b)), upwards(a.undef | b.undef)),
        Mul => {
            let zeros = may(a).trailing_zeros() + may(b).trailing_zeros();
            number(all.checked_shl(zeros).unwrap_or(0) & all, upwards(a.undef | b.undef))
        }
        UDiv | SDiv | URem | SRem => number(all, if may_fail(op, a, b) { all } else { 0 }),
        Shl | LShr | AShr => shift(op, a, b),
        Eq | Ne | Ult | Ule | Slt | Sle => {
            let undef = u128::from(a.undef | b.undef != 0);
            return Shape { undef, ..Shape::any(Width::BOOL) };
        }
        Float(_) => {
            let width = if op.is_comparison() { Width::BOOL } else { width };
            return float(width, a.undef | b.undef != 0);
        }
    };
    with_provenance(op, a, b, shape)
}

/// The shape of `a op a`.
pub fn with_itself(op: BinaryOp, a: &Shape) -> Shape {
    use BinaryOp::*;
    match op {
        Xor | Sub if a.undef == 0 => Shape::number(a.width, 0),
        Ne | Ult | Slt if a.undef == 0 => Shape::of_value(&Value::bool(false)),
        Eq | Ule | Sle if a.undef == 0 => Shape::of_value(&Value::bool(true)),
        _ => binary(op, a, a),
    }
}

/// The shape of `a` in another width.
pub fn cast(op: CastOp, width: Width, a: &Shape) -> Shape {
    if let CastOp::Float(op) = op {
        let may_not_fit = matches!(op, FloatCast::ToSigned | FloatCast::ToUnsigned);
        return float(width, may_not_fit || a.undef != 0);
    }
    let resize = |bits: u128| Value::int(a.width, bits).cast(op, width).bits;
    Shape {
        width,
        ones: resize(a.ones),
        fixed: resize(a.fixed),
        undef: resize(a.undef),
        provenance: a.provenance.clone(),
        high: if width > Width::I64 { a.high.clone() } else { vec![None] },
    }
}

/// The shape of a value that is one of two, or, if it is not known which, what they share.
pub fn select(undecided: bool, a: &Shape, b: &Shape) -> Shape {
    let mut joined = a.join(b);
    if undecided {
        joined.undef |= (a.ones | b.ones) & !(a.fixed & b.fixed);
        joined.fixed = 0;
        joined.provenance.extend(pairs(&a.provenance, &b.provenance, one_or_same));
        joined.high.extend(pairs(&a.high, &b.high, one_or_same));
    }
    joined.sorted()
}

/// Whether the quotient may not exist, or have undefined bits.
fn may_fail(op: BinaryOp, a: &Shape, b: &Shape) -> bool {
    let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
    let may_overflow = signed && b.ones == b.width.mask();
    b.fixed == 0 || a.undef | b.undef != 0 || may_overflow
}

fn shift(op: BinaryOp, a: &Shape, amount: &Shape) -> Shape {
    let (width, all) = (a.width, a.width.mask());
    if let Some(by) = amount.constant().filter(Value::is_defined) {
        let moved = |bits| Value::int(width, bits).binary(op, by).map_or(all, |v| v.bits);
        let fixed = moved(a.fixed);
        return Shape { fixed, undef: moved(a.undef), ..Shape::number(width, moved(a.ones)) };
    }
    let spread: fn(u128) -> u128 = if op == BinaryOp::Shl { upwards } else { downwards };
    let undef = if amount.undef == 0 { spread(a.undef) & all } else { all };
    Shape { undef, ..Shape::number(width, spread(a.ones)) }
}

fn with_provenance(op: BinaryOp, a: &Shape, b: &Shape, mut shape: Shape) -> Shape {
    use BinaryOp::*;
    if op == And {
        shape.provenance = masked(a, b, &a.provenance, &b.provenance, 0);
        shape.high = masked(a, b, &a.high, &b.high, 64);
        return shape.sorted();
    }
    let rule: fn(Option<RegionId>, Option<RegionId>) -> Option<RegionId> = match op {
        Add | Xor => |a, b| if a.is_some() && b.is_some() { None } else { a.or(b) },
        Sub => |a, b| if b.is_none() { a } else { None },
        Or => one_or_same,
        Shl | LShr | AShr => |a, _| a,
        _ => return shape,
    };
    shape.provenance = pairs(&a.provenance, &b.provenance, rule);
    shape.high = pairs(&a.high, &b.high, rule);
    if matches!(op, Shl | LShr | AShr) && a.width > Width::I64 {
        let both = a.provenance.iter().chain(&a.high).copied().chain([None]);
        let both: Provenances = both.collect();
        shape.provenance.extend(&both);
        shape.high.extend(both);
    }
    shape.sorted()
}

/// The provenances of one half of `a & b`: a number that surely masks an address away leaves none.
fn masked(a: &Shape, b: &Shape, x: &Provenances, y: &Provenances, half: u32) -> Provenances {
    let upper = match a.width {
        width if width >= Width::I64 => 0xffff << 32,
        width => 1 << (width.bits() - 1),
    };
    let may_keep = |mask: &Shape| (mask.ones | mask.undef) >> half & upper == upper;
    let (a_keeps, b_keeps) = (may_keep(a), may_keep(b));
    let kept = |region: Option<RegionId>, keeps: bool| [None, region.filter(|_| keeps)];
    let combined = x.iter().flat_map(|&x| y.iter().map(move |&y| (x, y)));
    combined
        .flat_map(|(x, y)| match (x, y) {
            (Some(_), Some(_)) => [x.filter(|_| x == y); 2],
            (Some(_), None) => kept(x, b_keeps),
            (None, _) => kept(y, a_keeps),
        })
        .collect()
}

fn pairs(
    a: &Provenances,
    b: &Provenances,
    rule: fn(Option<RegionId>, Option<RegionId>) -> Option<RegionId>,
) -> Provenances {
    a.iter().flat_map(|&a| b.iter().map(move |&b| rule(a, b))).collect()
}

/// From the lowest of these bits on.
fn upwards(bits: u128) -> u128 {
    bits | bits.wrapping_neg()
}

/// From the highest of these bits down.
fn downwards(bits: u128) -> u128 {
    u128::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
