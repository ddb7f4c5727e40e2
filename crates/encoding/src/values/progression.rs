//! Addresses of elements: one of a few numbers, plus any multiple of a step.
//!
//! The shape of `&a[i].field` with an `i` of many values knows only the trailing zeros of the size
//! of an element. The term says more: every address is that of a field plus a multiple of the
//! size, so that different fields stay apart. An index counts only if it was made from at most 32
//! bits; then no product is so large that it wraps around.

use super::set::Set;
use crate::term::{Term, TermId, Terms};
use execution::ids::IdVec;
use ir::op::{BinaryOp, CastOp};
use ir::program::Width;

/// More starting points than this are not followed.
const MOST: usize = 64;
/// Sizes of elements up to this are known not to wrap around.
const LARGEST_STEP: u64 = 1 << 24;

/// `start + n * step` for some start and any `n`, of which there are fewer than 2^32 each way.
pub struct Progression {
    starts: Vec<u64>,
    step: u64,
}

impl Progression {
    /// What a term of 64 bits is known to be.
    pub fn of(terms: &Terms, sets: &IdVec<TermId, Set>, id: TermId) -> Option<Progression> {
        if let Some(values) = sets[id].few() {
            let starts: Vec<u64> = values.iter().map(|value| value.low()).collect();
            let defined = values.iter().all(|value| value.is_defined());
            return (defined && starts.len() <= MOST).then_some(Progression { starts, step: 0 });
        }
        match *terms.term(id) {
            Term::Binary(BinaryOp::Add, a, b) => {
                let (a, b) = (Self::of(terms, sets, a)?, Self::of(terms, sets, b)?);
                if a.starts.len() * b.starts.len() > MOST {
                    return None;
                }
                let sums = |&a: &u64| b.starts.iter().map(move |b| a.wrapping_add(*b));
                let starts = a.starts.iter().flat_map(sums).collect();
                Some(Progression { starts, step: gcd(a.step, b.step) })
            }
            Term::Binary(BinaryOp::Mul, a, b) => {
                let (index, size) = match constant(sets, b) {
                    Some(size) => (a, size),
                    None => (b, constant(sets, a)?),
                };
                Self::multiple(terms, index, size)
            }
            Term::Binary(BinaryOp::Shl, a, by) => {
                Self::multiple(terms, a, 1u64.checked_shl(constant(sets, by)?.try_into().ok()?)?)
            }
            Term::Cast(..) | Term::Below(..) => Self::multiple(terms, id, 1),
            _ => None,
        }
    }

    fn multiple(terms: &Terms, index: TermId, size: u64) -> Option<Progression> {
        let apart = stay_apart(terms, index, size);
        apart.then(|| Progression { starts: vec![0], step: size })
    }

    /// Whether it has this number.
    pub fn contains(&self, number: u64) -> bool {
        let apart = |start: &u64| number.wrapping_sub(*start) as i64;
        self.starts.iter().any(|start| match self.step {
            0 => *start == number,
            step => apart(start) % step as i64 == 0,
        })
    }
}

fn constant(sets: &IdVec<TermId, Set>, id: TermId) -> Option<u64> {
    match sets[id].few()? {
        [value] if value.is_defined() => Some(value.low()),
        _ => None,
    }
}

/// Whether the multiples of a size by an index are too few to wrap around.
pub fn stay_apart(terms: &Terms, index: TermId, size: u64) -> bool {
    let index = match *terms.term(index) {
        Term::Below(index, _) => index,
        _ => index,
    };
    let Term::Cast(op, _, narrow) = *terms.term(index) else { return false };
    let widens = matches!(op, CastOp::SignExtend | CastOp::ZeroExtend);
    let small = terms.width(narrow) <= Width::I32;
    widens && small && (1..=LARGEST_STEP).contains(&size)
}

/// The greatest common divisor; of a number and zero, the number.
pub fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::Progression;

    #[test]
    fn elements_are_a_whole_number_of_steps_away() {
        let fields = Progression { starts: vec![1000, 1008], step: 24 };
        for (number, is) in [(1000, true), (1024, true), (1032, true), (976, true), (1016, false)] {
            assert_eq!(fields.contains(number), is, "{number}");
        }
        let one = Progression { starts: vec![8], step: 0 };
        assert!(one.contains(8) && !one.contains(16));
    }
}
