//! The values of a bounded program's terms: which they may be, and terms and guards as literals.
//!
//! [`analyse`] finds for every term the few values that it may take, or a shape. [`Values`] gives
//! literals to what is asked for: a literal per value where there are few of them, bit-vectors
//! where there are many. So almost no address arithmetic reaches the solver.

mod analysis;
mod circuit;
mod components;
pub(crate) mod evaluate;
pub mod floats;
mod flow;
mod literals;
mod narrow;
mod parts;
pub mod places;
pub(crate) mod progression;
pub mod set;
mod sets;
pub mod shape;
mod transfer;

pub use analysis::{analyse, analyse_within};
pub use literals::Values;
pub use sets::Sets;

use crate::bounded::{Alternatives, Bounded, Input};
use crate::term::{Term, TermId};

/// How values are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueOptions {
    /// Whether literals are given to values. If not, every term that is neither constant nor one
    /// bit wide is a bit-vector; the sets say only which addresses there are and what reads may
    /// return at all, so that the executions are the same.
    pub value_sets: bool,
    /// Larger sets become bit-vectors.
    pub limit: usize,
    /// Whether a read may see a write that comes after it in program order.
    pub reads_from_later_own_writes: bool,
}

impl Default for ValueOptions {
    fn default() -> Self {
        Self { value_sets: true, limit: 256, reads_from_later_own_writes: true }
    }
}

/// The terms that a term's value is computed from (guards are not looked into).
pub(crate) fn operands(bounded: &Bounded, id: TermId) -> impl Iterator<Item = TermId> {
    let (few, many): ([Option<TermId>; 3], &[TermId]) = match bounded.terms.term(id) {
        Term::Const(_) => ([None; 3], &[]),
        Term::Input(input) => match bounded.inputs.get(*input) {
            Some(Input::Choice { from: Alternatives::Terms(terms), .. }) => ([None; 3], terms),
            _ => ([None; 3], &[]),
        },
        Term::Unary(_, a) | Term::Cast(_, _, a) | Term::Below(a, _) => {
            ([Some(*a), None, None], &[])
        }
        Term::Binary(_, a, b) | Term::Ite(_, a, b) => ([Some(*a), Some(*b), None], &[]),
        Term::Select(c, a, b) => ([Some(*c), Some(*a), Some(*b)], &[]),
    };
    few.into_iter().flatten().chain(many.iter().copied())
}

#[cfg(test)]
mod tests;
