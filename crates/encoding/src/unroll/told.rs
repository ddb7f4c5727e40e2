//! What comparisons with constants tell about the values that were compared.
//!
//! A loop that waits often keeps what it has read in a variable that its condition looks at:
//! `while (seen == 0) seen = flag;`. An iteration that comes back has found in `seen` the value that
//! was there before, but another read of it. So values are compared here, not where they come from.
//! (What depends on the earlier read instead of the later one is ordered less.)
//!
//! To take different values for the same would drop iterations that matter, which could miss a
//! violation.

use crate::guard::Guard;
use crate::term::{Term, TermId, Terms};
use ir::op::{BinaryOp, UnaryOp};
use ir::value::Value;

/// On these paths a term has this value.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    paths: Guard,
    term: TermId,
    value: Value,
}

impl Told {
    /// What a condition tells, on the paths on which it decides so.
    pub fn by(terms: &mut Terms, condition: TermId) -> Option<Self> {
        let compared = match *terms.term(condition) {
            Term::Unary(UnaryOp::Not, inner) => inner,
            _ => condition,
        };
        let Term::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) = *terms.term(compared) else {
            return None;
        };
        let (term, value) = match (terms.constant(a), terms.constant(b)) {
            (None, Some(value)) => solved(terms, a, value)?,
            (Some(value), None) => solved(terms, b, value)?,
            _ => return None,
        };
        let holds = terms.truth(compared);
        let paths = if op == BinaryOp::Eq { holds } else { terms.guards.not(holds) };
        is_number(value).then_some(Self { paths, term, value })
    }
}

/// What the term is that `term` is computed from by adding or subtracting a constant, if `term` is
/// `value`.
fn solved(terms: &Terms, mut term: TermId, mut value: Value) -> Option<(TermId, Value)> {
    while let Term::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) = *terms.term(term) {
        (term, value) = match (op, terms.constant(a), terms.constant(b)) {
            (BinaryOp::Add, None, Some(other)) => (a, value.binary(BinaryOp::Sub, other).ok()?),
            (BinaryOp::Add, Some(other), None) => (b, value.binary(BinaryOp::Sub, other).ok()?),
            (BinaryOp::Sub, None, Some(other)) => (a, value.binary(BinaryOp::Add, other).ok()?),
            (BinaryOp::Sub, Some(other), None) => (b, other.binary(BinaryOp::Sub, value).ok()?),
            _ => break,
        };
    }
    Some((term, value))
}

/// The number that a term is on all paths of a guard.
pub fn known(terms: &mut Terms, term: TermId, (told, guard): (&[Told], Guard)) -> Option<Value> {
    if let Some(value) = terms.constant(term) {
        return is_number(value).then_some(value);
    }
    let about = told.iter().rev().filter(|told| told.term == term);
    about.copied().find(|told| terms.guards.implies(guard, told.paths)).map(|told| told.value)
}

/// The paths on which a term is surely this number.
pub fn holds(terms: &mut Terms, term: TermId, value: Value) -> Guard {
    let constant = terms.value(value);
    let equal = terms.binary(BinaryOp::Eq, term, constant);
    let holds = terms.truth(equal);
    if matches!(terms.term(equal), Term::Binary(..)) {
        return holds;
    }
    // The opposite of an undefined bit is true as a guard; a comparison with itself is not.
    let itself = terms.binary(BinaryOp::Eq, term, term);
    let is_defined = terms.truth(itself);
    terms.guards.and(holds, is_defined)
}

/// Whether a value is defined and no address.
fn is_number(value: Value) -> bool {
    value.is_defined() && value.provenance.is_none() && value.high.is_none()
}
