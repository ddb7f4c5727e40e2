//! Between which numbers a term lies, as far as its own operations tell.
//!
//! Intervals as in compilers: what is extended from fewer bits, masked or divided is small, so sums
//! and products of it do not overflow, and the solver need not be asked. Nothing is assumed of what
//! memory holds. Where a term is defined, it is what it would be with any numbers in the place of
//! undefined bits (see `ir::value`), so undefined operands need no care.
//!
//! An interval that is too small would miss an overflow.

use crate::term::{Term, TermId, Terms};
use ir::op::{BinaryOp, CastOp};
use ir::program::Width;
use rustc_hash::FxHashMap;

/// Operands of operands are looked at so far.
const DEEPEST: u32 = 64;

/// The least and the greatest number, with a sign.
pub type Range = (i128, i128);

/// The intervals that were asked for.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    known: FxHashMap<TermId, Range>,
}

impl Ranges {
    /// Between which numbers a term lies, if it is defined.
    pub fn of(&mut self, terms: &Terms, term: TermId) -> Range {
        self.within(terms, term, DEEPEST)
    }

    /// Whether the exact result of an operation always has the width of its operands, which are
    /// numbers with a sign.
    pub fn fits(&mut self, terms: &Terms, op: BinaryOp, a: TermId, b: TermId) -> bool {
        let (x, y) = (self.of(terms, a), self.of(terms, b));
        let width = terms.width(a);
        match op {
            BinaryOp::Shl => {
                let (low, high) = (x.0 >= 0 && y.0 >= 0, all(width).1);
                low && y.1 < i128::from(width.bits()) && x.1 <= high >> y.1
            }
            _ => exact(op, x, y).is_some_and(|range| is_inside(range, all(width))),
        }
    }

    fn within(&mut self, terms: &Terms, term: TermId, depth: u32) -> Range {
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        let width = terms.width(term);
        let range = match depth {
            0 => all(width),
            _ => self.computed(terms, term, depth - 1),
        };
        let range = if is_inside(range, all(width)) { range } else { all(width) };
        self.known.insert(term, range);
        range
    }

    fn computed(&mut self, terms: &Terms, term: TermId, depth: u32) -> Range {
        let width = terms.width(term);
        let range = match *terms.term(term) {
            Term::Const(value) if value.is_defined() => {
                Some((value.as_signed(), value.as_signed()))
            }
            Term::Cast(CastOp::SignExtend | CastOp::Truncate, _, a) => {
                Some(self.within(terms, a, depth))
            }
            Term::Cast(CastOp::ZeroExtend, _, a) => Some(match self.within(terms, a, depth) {
                range if range.0 >= 0 => range,
                _ => (0, terms.width(a).mask() as i128),
            }),
            Term::Ite(_, a, b) | Term::Select(_, a, b) => {
                let (x, y) = (self.within(terms, a, depth), self.within(terms, b, depth));
                Some((x.0.min(y.0), x.1.max(y.1)))
            }
            Term::Binary(op, a, b) if !op.is_comparison() => {
                let (x, y) = (self.within(terms, a, depth), self.within(terms, b, depth));
                match op {
                    BinaryOp::And => masked(x, y),
                    BinaryOp::LShr => shifted(width, x, y),
                    BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem => {
                        divided(op, x, y)
                    }
                    _ => exact(op, x, y),
                }
            }
            _ => None,
        };
        range.unwrap_or(all(width))
    }
}

/// All numbers of a width.
fn all(width: Width) -> Range {
    let greatest = (width.mask() >> 1) as i128;
    (-greatest - 1, greatest)
}

fn is_inside(range: Range, other: Range) -> bool {
    other.0 <= range.0 && range.1 <= other.1
}

/// Sums, differences and products, if they are numbers at all.
fn exact(op: BinaryOp, x: Range, y: Range) -> Option<Range> {
    match op {
        BinaryOp::Add => Some((x.0.checked_add(y.0)?, x.1.checked_add(y.1)?)),
        BinaryOp::Sub => Some((x.0.checked_sub(y.1)?, x.1.checked_sub(y.0)?)),
        BinaryOp::Mul => {
            let corner = |a: i128, b: i128| a.checked_mul(b);
            let corners =
                [corner(x.0, y.0)?, corner(x.0, y.1)?, corner(x.1, y.0)?, corner(x.1, y.1)?];
            let least = corners.into_iter().min()?;
            Some((least, corners.into_iter().max()?))
        }
        _ => None,
    }
}

/// The bits that two numbers have in common are no more than either, if that has no sign.
fn masked(x: Range, y: Range) -> Option<Range> {
    match (x.0 >= 0, y.0 >= 0) {
        (true, true) => Some((0, x.1.min(y.1))),
        (true, false) => Some((0, x.1)),
        (false, true) => Some((0, y.1)),
        (false, false) => None,
    }
}

/// A shift to the right that brings zeros.
fn shifted(width: Width, x: Range, y: Range) -> Option<Range> {
    if y.0 < 0 || y.1 >= i128::from(width.bits()) {
        return None;
    }
    if x.0 >= 0 {
        return Some((0, x.1 >> y.0));
    }
    (y.0 > 0).then(|| (0, (width.mask() >> y.0) as i128))
}

/// Quotients and remainders of what is not negative by what is positive.
fn divided(op: BinaryOp, x: Range, y: Range) -> Option<Range> {
    if x.0 < 0 || y.0 <= 0 {
        let signed = op == BinaryOp::SRem && y.0 > 0;
        return signed.then(|| (-(y.1 - 1), y.1 - 1));
    }
    match op {
        BinaryOp::SDiv | BinaryOp::UDiv => Some((x.0 / y.1, x.1 / y.0)),
        _ => Some((0, x.1.min(y.1 - 1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::value::Value;

    const OPS: [BinaryOp; 9] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::And,
        BinaryOp::LShr,
        BinaryOp::SDiv,
        BinaryOp::UDiv,
        BinaryOp::SRem,
        BinaryOp::URem,
    ];

    /// Numbers of eight bits between some limits.
    fn operands() -> Vec<(Range, Vec<i128>)> {
        let limits = [-128, -100, -3, -1, 0, 1, 2, 7, 11, 100, 127];
        let pairs = limits.iter().flat_map(|&low| limits.iter().map(move |&high| (low, high)));
        let pairs = pairs.filter(|(low, high)| low <= high);
        pairs.map(|(low, high)| ((low, high), (low..=high).collect())).collect()
    }

    #[test]
    fn every_result_is_in_the_interval() {
        let eight = |number: i128| Value::signed(Width::I8, number);
        for (x, first) in operands() {
            for (y, second) in operands() {
                for op in OPS {
                    let range = match op {
                        BinaryOp::And => masked(x, y),
                        BinaryOp::LShr => shifted(Width::I8, x, y),
                        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => exact(op, x, y),
                        _ => divided(op, x, y),
                    };
                    let range = range.filter(|&range| is_inside(range, all(Width::I8)));
                    let range = range.unwrap_or(all(Width::I8));
                    let ends = |list: &[i128]| {
                        let wide = list.iter().copied().step_by(1 + list.len() / 4);
                        wide.chain(list.last().copied()).collect::<Vec<_>>()
                    };
                    for a in ends(&first) {
                        for b in ends(&second) {
                            let Ok(result) = eight(a).binary(op, eight(b)) else { continue };
                            let number = result.as_signed();
                            let inside = range.0 <= number && number <= range.1;
                            assert!(inside || !result.is_defined(), "{a} {op:?} {b} in {range:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_extended_is_small() {
        let mut terms = Terms::default();
        let mut ranges = Ranges::default();
        let (_, short) = terms.input(Width::I16);
        let signed = terms.cast(CastOp::SignExtend, Width::I32, short);
        let unsigned = terms.cast(CastOp::ZeroExtend, Width::I32, short);
        assert_eq!(ranges.of(&terms, signed), (-32768, 32767));
        assert_eq!(ranges.of(&terms, unsigned), (0, 65535));
        assert!(ranges.fits(&terms, BinaryOp::Mul, signed, signed));
        assert!(!ranges.fits(&terms, BinaryOp::Mul, unsigned, unsigned));
        assert!(ranges.fits(&terms, BinaryOp::Mul, signed, unsigned));
        let product = terms.binary(BinaryOp::Mul, signed, signed);
        assert!(!ranges.fits(&terms, BinaryOp::Add, product, product));
        let fifteen = terms.value(Value::int(Width::I32, 15));
        assert!(ranges.fits(&terms, BinaryOp::Shl, unsigned, fifteen));
        let sixteen = terms.value(Value::int(Width::I32, 16));
        assert!(!ranges.fits(&terms, BinaryOp::Shl, unsigned, sixteen));
        let narrow = terms.cast(CastOp::Truncate, Width::I8, signed);
        assert_eq!(ranges.of(&terms, narrow), (-128, 127));
    }

    #[test]
    fn a_bit_is_zero_or_one_where_it_is_extended() {
        let mut terms = Terms::default();
        let mut ranges = Ranges::default();
        let (_, bit) = terms.input(Width::BOOL);
        let wide = terms.cast(CastOp::ZeroExtend, Width::I32, bit);
        assert_eq!(ranges.of(&terms, wide), (0, 1));
    }
}
