//! Relations that are followed step by step: `r+`, `x; r*` and `r*; x`.
//!
//! Each is the least relation that contains a seed and is closed under taking one more step at one
//! end, so it needs neither the literals of `r*` nor a composition with them.

use super::bounds::Bounds;
use models::algebra::{Term, TermId, Terms};

/// At which end of a path the steps are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// A step, then the rest.
    StepFirst,
    /// The rest, then a step.
    StepLast,
}

/// Contains the seed, and with a pair also the pairs that are a step further on one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Path {
    /// Where it starts.
    pub seed: TermId,
    /// One step.
    pub step: TermId,
    /// At which end steps are taken; either will do if `None`.
    pub side: Option<Side>,
}

/// Recognises a term that is to be followed step by step.
pub fn path(terms: &Terms, bounds: &Bounds<'_>, id: TermId) -> Option<Path> {
    match terms.node(id).term {
        Term::Plus(step) => Some(Path { seed: step, step, side: None }),
        Term::Sequence(a, b) if !bounds.is_filter(a) && !bounds.is_filter(b) => {
            let last = star(terms, b).map(|step| (a, step, Side::StepLast));
            let first = star(terms, a).map(|step| (b, step, Side::StepFirst));
            let (seed, step, side) = last.or(first)?;
            Some(Path { seed, step, side: Some(side) })
        }
        _ => None,
    }
}

/// A relation that may be put before `id` without leaving it: `p` with `p; id` in `id`.
pub fn closed_before(terms: &Terms, id: TermId) -> Option<TermId> {
    match terms.node(id).term {
        Term::Plus(_) => Some(id),
        Term::Optional(plus) if matches!(terms.node(plus).term, Term::Plus(_)) => Some(plus),
        Term::Sequence(a, _) | Term::RestrictRange(a, _) => closed_before(terms, a),
        _ => None,
    }
}

/// A relation that may be put after `id` without leaving it: `p` with `id; p` in `id`.
pub fn closed_behind(terms: &Terms, id: TermId) -> Option<TermId> {
    match terms.node(id).term {
        Term::Plus(_) => Some(id),
        Term::Optional(plus) if matches!(terms.node(plus).term, Term::Plus(_)) => Some(plus),
        Term::Sequence(_, b) | Term::RestrictDomain(_, b) => closed_behind(terms, b),
        _ => None,
    }
}

/// The `r` of `r*`.
pub fn star(terms: &Terms, id: TermId) -> Option<TermId> {
    match terms.node(id).term {
        Term::Optional(plus) => match terms.node(plus).term {
            Term::Plus(step) => Some(step),
            _ => None,
        },
        _ => None,
    }
}

/// Whether `part` is in `whole+`, as far as one can see.
pub fn in_closure(terms: &Terms, part: TermId, whole: TermId) -> bool {
    if part == whole || steps(terms, whole).contains(&part) {
        return true;
    }
    let within = |id: TermId| in_closure(terms, id, whole);
    match terms.node(part).term {
        Term::Empty(_) => true,
        Term::Union(a, b) | Term::Sequence(a, b) => within(a) && within(b),
        Term::Intersection(a, b) => within(a) || within(b),
        Term::Plus(r)
        | Term::Difference(r, _)
        | Term::RestrictDomain(_, r)
        | Term::RestrictRange(r, _) => within(r),
        _ => false,
    }
}

/// The relations whose union has the same closure.
fn steps(terms: &Terms, id: TermId) -> Vec<TermId> {
    let mut found = vec![id];
    let mut next = 0;
    while let Some(&id) = found.get(next) {
        next += 1;
        match terms.node(id).term {
            Term::Union(a, b) => found.extend([a, b]),
            Term::Plus(r) => found.push(r),
            _ => {}
        }
    }
    found
}
