//! Operations on values as bits.
//!
//! Exactly the operations of [`ir::value`]: the number by a [`circuit`], with undefined bits taken
//! as zeros; the undefined bits by the rules of memcheck as `ir::value` states them; and the
//! provenance. The tests compare the three with `ir::value`.

use super::bits::{Bits, Pointing, choose, combine, nowhere};
use crate::values::circuit::{self, Number, divide, shift};
use ir::op::{BinaryOp, CastOp, UnaryOp};
use ir::program::Width;
use ir::value::provenance::one_or_same;
use sat::{Formula, Lit};

/// `op a`.
pub fn unary(f: &mut Formula, op: UnaryOp, a: &Bits) -> Bits {
    let width = a.ones.len();
    let undefined = a.any_undefined(f);
    let all = |lit: Lit| vec![lit; width];
    match op {
        UnaryOp::Not => {
            let ones = circuit::not(&a.ones);
            Bits {
                provenance: a.provenance.clone(),
                high: a.high.clone(),
                ..masked(f, ones, a.undef.clone())
            }
        }
        UnaryOp::Neg => {
            let (ones, undef) = (circuit::neg(f, &a.ones), circuit::upwards(f, &a.undef));
            masked(f, ones, undef)
        }
        UnaryOp::PopCount => {
            let ones = circuit::count(f, &a.ones);
            masked(f, ones, all(undefined))
        }
        UnaryOp::CountLeadingZeros => {
            let seen = circuit::downwards(f, &a.ones);
            let ones = circuit::count(f, &circuit::not(&seen));
            let decided = circuit::less(f, &a.undef, &a.ones);
            let undefined = f.and(&[undefined, !decided]);
            masked(f, ones, all(undefined))
        }
        UnaryOp::CountTrailingZeros => {
            let seen = circuit::upwards(f, &a.ones);
            let unknown = circuit::upwards(f, &a.undef);
            let ones = circuit::count(f, &circuit::not(&seen));
            let first = circuit::zip(f, &seen, &unknown, |f, one, undef| f.and(&[one, !undef]));
            let decided = f.or(&first);
            let undefined = f.and(&[undefined, !decided]);
            masked(f, ones, all(undefined))
        }
        UnaryOp::ByteSwap => {
            let swap = |n: &Number| n.chunks(8).rev().flatten().copied().collect::<Number>();
            masked(f, swap(&a.ones), swap(&a.undef))
        }
        UnaryOp::DefinedOrZero => {
            let ones = a.ones.iter().map(|&one| f.and(&[one, !undefined])).collect();
            Bits { ones, undef: all(Lit::FALSE), ..a.clone() }
        }
        UnaryOp::Members => unreachable!("a pass has decided it"),
        UnaryOp::Float(_) => unreachable!("{TABLES}"),
    }
}

/// What is not reached.
const TABLES: &str = "operations on floating-point numbers are tables";

/// `a op b`; a quotient that does not exist is undefined.
pub fn binary(f: &mut Formula, op: BinaryOp, a: &Bits, b: &Bits) -> Bits {
    use BinaryOp::*;
    match op {
        And | Or | Xor => bitwise(f, op, a, b),
        Add | Sub => {
            let ones = match op {
                Add => circuit::add(f, &a.ones, &b.ones, Lit::FALSE).0,
                _ => circuit::sub(f, &a.ones, &b.ones).0,
            };
            let either = circuit::zip(f, &a.undef, &b.undef, |f, a, b| f.or(&[a, b]));
            let undef = circuit::upwards(f, &either);
            let rule = if op == Add { only_one } else { left_only };
            let provenance = combine(f, &a.provenance, &b.provenance, rule);
            let high = combine(f, &a.high, &b.high, rule);
            Bits { provenance, high, ..masked(f, ones, undef) }
        }
        Mul => {
            let ones = circuit::mul(f, &a.ones, &b.ones);
            let (x, y) = (undefined_product(f, a, b), undefined_product(f, b, a));
            let undef = circuit::zip(f, &x, &y, |f, a, b| f.or(&[a, b]));
            masked(f, ones, undef)
        }
        UDiv | SDiv | URem | SRem => quotient(f, op, a, b),
        Shl | LShr | AShr => shifted(f, op, a, b),
        Eq | Ne => equality(f, op, a, b),
        Ult | Ule | Slt | Sle => comparison(f, op, a, b),
        Float(_) => unreachable!("{TABLES}"),
    }
}

/// `a` in another width.
pub fn cast(op: CastOp, width: Width, a: &Bits) -> Bits {
    assert!(!matches!(op, CastOp::Float(_)), "{TABLES}");
    let resize = |n: &Number| {
        let fill = match (op, n.last()) {
            (CastOp::SignExtend, Some(&sign)) => sign,
            _ => Lit::FALSE,
        };
        let mut n = n.clone();
        n.resize(width.bits() as usize, fill);
        n
    };
    let high = if width > Width::I64 { a.high.clone() } else { nowhere() };
    Bits { ones: resize(&a.ones), undef: resize(&a.undef), provenance: a.provenance.clone(), high }
}

/// `cond ? a : b`; where it is not known which, the bits that differ are undefined.
pub fn select(f: &mut Formula, cond: &Bits, a: &Bits, b: &Bits) -> Bits {
    let decided = Bits::choose(f, cond.ones[0], a, b);
    if cond.undef[0] == Lit::FALSE {
        return decided;
    }
    let differ = circuit::zip(f, &a.ones, &b.ones, Formula::xor2);
    let undef = circuit::zip(f, &a.undef, &b.undef, |f, a, b| f.or(&[a, b]));
    let undef = circuit::zip(f, &undef, &differ, |f, a, b| f.or(&[a, b]));
    let provenance = combine(f, &a.provenance, &b.provenance, one_or_same);
    let high = combine(f, &a.high, &b.high, one_or_same);
    let mixed = Bits { provenance, high, ..masked(f, a.ones.clone(), undef) };
    Bits::choose(f, cond.undef[0], &mixed, &decided)
}

/// The literal that `a op b` has no quotient.
pub fn division_fails(f: &mut Formula, op: BinaryOp, a: &Bits, b: &Bits) -> Lit {
    let width = a.ones.len();
    let unknown = b.any_undefined(f);
    let not_zero = f.or(&b.ones);
    let overflow = match op {
        BinaryOp::SDiv | BinaryOp::SRem => {
            let least = circuit::constant(width, 1 << (width - 1));
            let least = circuit::equal(f, &a.ones, &least);
            let minus_one = f.and(&b.ones);
            let known = !a.any_undefined(f);
            f.and(&[known, least, minus_one])
        }
        _ => Lit::FALSE,
    };
    f.or(&[unknown, !not_zero, overflow])
}

/// A number with these bits undefined.
fn masked(f: &mut Formula, ones: Number, undef: Number) -> Bits {
    let ones = circuit::zip(f, &ones, &undef, |f, one, undef| f.and(&[one, !undef]));
    Bits { undef, ..Bits::number(ones) }
}

fn bitwise(f: &mut Formula, op: BinaryOp, a: &Bits, b: &Bits) -> Bits {
    let ones = circuit::zip(f, &a.ones, &b.ones, |f, a, b| match op {
        BinaryOp::And => f.and(&[a, b]),
        BinaryOp::Or => f.or(&[a, b]),
        _ => f.xor2(a, b),
    });
    let pairs = a.ones.iter().zip(&a.undef).zip(b.ones.iter().zip(&b.undef));
    let undef: Number = pairs
        .map(|((&x, &u), (&y, &v))| match op {
            // Undefined where the other bit does not decide.
            BinaryOp::And => {
                let (may, left) = (f.or(&[v, y]), f.and(&[v, x]));
                let right = f.and(&[u, may]);
                f.or(&[left, right])
            }
            BinaryOp::Or => {
                let (left, right) = (f.and(&[u, !y]), f.and(&[v, !x]));
                f.or(&[left, right])
            }
            _ => f.or(&[u, v]),
        })
        .collect();
    let (provenance, high) = match op {
        BinaryOp::And => (and_provenance(f, a, b, 0), and_provenance(f, a, b, 64)),
        BinaryOp::Or => (
            combine(f, &a.provenance, &b.provenance, one_or_same),
            combine(f, &a.high, &b.high, one_or_same),
        ),
        _ => (
            combine(f, &a.provenance, &b.provenance, only_one),
            combine(f, &a.high, &b.high, only_one),
        ),
    };
    Bits { provenance, high, ..masked(f, ones, undef) }
}

/// The provenance of one half of `a & b`: a mask that leaves only low bits of an address makes it
/// a number (see [`ir::value::provenance`]).
fn and_provenance(f: &mut Formula, a: &Bits, b: &Bits, from: usize) -> Pointing {
    let half = |bits: &Bits| if from == 0 { bits.provenance.clone() } else { bits.high.clone() };
    let (x, y) = (half(a), half(b));
    if x.iter().chain(&y).all(|(region, _)| region.is_none()) {
        return nowhere();
    }
    let width = a.ones.len();
    let upper = if width >= 64 { from + 32..from + 48 } else { width - 1..width };
    let mut keeps = |mask: &Bits| {
        let bits: Vec<Lit> = upper
            .clone()
            .map(|i| match mask.ones.get(i) {
                Some(&one) => f.or(&[one, mask.undef[i]]),
                None => Lit::FALSE,
            })
            .collect();
        f.and(&bits)
    };
    let (a_keeps, b_keeps) = (keeps(a), keeps(b));
    // A number's mask decides; two pointers are compared.
    let (lost, kept) = (nowhere(), combine(f, &x, &y, one_or_same));
    let number = |p: &Pointing| p.iter().find(|(k, _)| k.is_none()).map_or(Lit::FALSE, |(_, l)| *l);
    let (a_number, b_number) = (number(&x), number(&y));
    let lost_by_a = f.and(&[a_number, !a_keeps]);
    let lost_by_b = f.and(&[b_number, !b_keeps]);
    let both = f.or(&[lost_by_a, lost_by_b]);
    choose(f, both, &lost, &kept)
}

/// The undefined bits of a product that come from those of `a`: from the lowest one times the
/// lowest bit that `b` may have.
fn undefined_product(f: &mut Formula, a: &Bits, b: &Bits) -> Number {
    let width = a.ones.len();
    if a.undef.iter().all(|&bit| bit == Lit::FALSE) {
        return circuit::constant(width, 0);
    }
    let from = circuit::upwards(f, &a.undef);
    let may = circuit::zip(f, &b.ones, &b.undef, |f, a, b| f.or(&[a, b]));
    let may = circuit::upwards(f, &may);
    (0..width)
        .map(|k| {
            let pairs: Vec<Lit> = (0..=k).map(|i| f.and(&[from[i], may[k - i]])).collect();
            f.or(&pairs)
        })
        .collect()
}

fn quotient(f: &mut Formula, op: BinaryOp, a: &Bits, b: &Bits) -> Bits {
    use BinaryOp::*;
    let width = a.ones.len();
    let (quotient, rest) = match op {
        SDiv | SRem => divide::signed(f, &a.ones, &b.ones),
        _ => divide::unsigned(f, &a.ones, &b.ones),
    };
    let ones = if matches!(op, UDiv | SDiv) { quotient } else { rest };
    let fails = division_fails(f, op, a, b);
    let vague = a.any_undefined(f);
    let mut undef = vec![vague; width];
    if vague != Lit::FALSE && matches!(op, UDiv | URem) {
        let above: Number = circuit::downwards(f, &b.ones);
        // A power of two shifts or masks.
        let power = {
            let rest = circuit::sub(f, &b.ones, &circuit::constant(width, 1)).0;
            let common = circuit::zip(f, &b.ones, &rest, |f, a, b| f.and(&[a, b]));
            !f.or(&common)
        };
        let exact: Number = (0..width)
            .map(|i| match op {
                UDiv => {
                    let moved: Vec<Lit> =
                        (i..width).map(|j| f.and(&[a.undef[j], b.ones[j - i]])).collect();
                    f.or(&moved)
                }
                _ => f.and(&[a.undef[i], above.get(i + 1).copied().unwrap_or(Lit::FALSE)]),
            })
            .collect();
        undef = circuit::choose(f, power, &exact, &undef);
    }
    let undef = undef.into_iter().map(|bit| f.or(&[bit, fails])).collect();
    masked(f, ones, undef)
}

fn shifted(f: &mut Formula, op: BinaryOp, a: &Bits, b: &Bits) -> Bits {
    let amount = shift::reduced(f, &b.ones);
    let ones = shift::shift(f, op, &a.ones, &amount);
    let unknown = b.any_undefined(f);
    let undef = shift::shift(f, op, &a.undef, &amount);
    let undef = undef.into_iter().map(|bit| f.or(&[bit, unknown])).collect();
    let (provenance, high) = if a.ones.len() <= 64 {
        (a.provenance.clone(), a.high.clone())
    } else {
        // By 64 or more: from one half to the other.
        let (low, high) = match op {
            BinaryOp::Shl => (nowhere(), a.provenance.clone()),
            _ => (a.high.clone(), nowhere()),
        };
        (choose(f, amount[6], &low, &a.provenance), choose(f, amount[6], &high, &a.high))
    };
    Bits { provenance, high, ..masked(f, ones, undef) }
}

fn equality(f: &mut Formula, op: BinaryOp, a: &Bits, b: &Bits) -> Bits {
    let differ = circuit::zip(f, &a.ones, &b.ones, Formula::xor2);
    let either = circuit::zip(f, &a.undef, &b.undef, |f, a, b| f.or(&[a, b]));
    let surely = circuit::zip(f, &differ, &either, |f, differ, undef| f.and(&[differ, !undef]));
    let surely = f.or(&surely);
    let unknown = f.or(&either);
    let unknown = f.and(&[unknown, !surely]);
    let differ = f.or(&differ);
    masked(f, vec![if op == BinaryOp::Eq { !differ } else { differ }], vec![unknown])
}

/// By the least and the greatest values over all fillings of the undefined bits.
fn comparison(f: &mut Formula, op: BinaryOp, a: &Bits, b: &Bits) -> Bits {
    let signed = matches!(op, BinaryOp::Slt | BinaryOp::Sle);
    let mut range = |bits: &Bits| {
        let mut least = bits.ones.clone();
        if let (true, Some(sign), Some(&undef)) = (signed, least.last_mut(), bits.undef.last()) {
            *sign = f.and(&[!*sign, !undef]);
        }
        let greatest = circuit::zip(f, &least, &bits.undef, |f, a, b| f.or(&[a, b]));
        (least, greatest)
    };
    let (a, b) = (range(a), range(b));
    let mut less = |x: &[Lit], y: &[Lit]| match op {
        BinaryOp::Ult | BinaryOp::Slt => circuit::less(f, x, y),
        _ => !circuit::less(f, y, x),
    };
    let (always, possibly) = (less(&a.1, &b.0), less(&a.0, &b.1));
    let unknown = f.and(&[possibly, !always]);
    masked(f, vec![always], vec![unknown])
}

fn only_one<T>(a: Option<T>, b: Option<T>) -> Option<T> {
    if a.is_some() && b.is_some() { None } else { a.or(b) }
}

fn left_only<T>(a: Option<T>, b: Option<T>) -> Option<T> {
    if b.is_none() { a } else { None }
}
