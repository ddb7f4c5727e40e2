//! Which literals of a relation can only be true if an end of the pair is executed.
//!
//! A literal means something only if both events are executed, so code that passes over an event
//! must in general ask whether it is. Reads-from and coherence imply it, and what is made of them
//! often does; knowing so saves literals in clauses and guards in orders. This is about the open
//! pairs: one that is always related says nothing of its ends, and code that composes with it adds
//! the literals (see [`relate`](super::relate)).

use super::bounds::Bounds;
use super::path::{Path, Side, path};
use execution::ids::Id;
use models::algebra::{Term, TermId, Terms};

/// Whether a literal implies that the first and the second event of its pair are executed.
pub type Ends = [bool; 2];

/// Computes the ends of all `needed` terms. Literals of recursive definitions are true only if
/// they can be derived, so the largest consistent answer is right.
pub fn strict(terms: &Terms, bounds: &Bounds<'_>, needed: &[TermId]) -> Vec<Ends> {
    let mut ends = vec![[true; 2]; terms.len()];
    loop {
        let mut changed = false;
        for &id in needed {
            let new = of(terms, bounds, &ends, id);
            changed |= std::mem::replace(&mut ends[id.index()], new) != new;
        }
        if !changed {
            return ends;
        }
    }
}

fn of(terms: &Terms, bounds: &Bounds<'_>, ends: &[Ends], id: TermId) -> Ends {
    let of = |id: TermId| ends[id.index()];
    let known = |id: TermId| bounds.of(id).is_exact();
    // An open pair of a combination has an open part, but it may be in either.
    let both = |a: Ends, b: Ends| [a[0] && b[0], a[1] && b[1]];
    match path(terms, bounds, id) {
        Some(Path { seed, step, side: Some(Side::StepFirst) }) => {
            return [of(seed)[0] && of(step)[0], of(seed)[1]];
        }
        Some(Path { seed, step, .. }) => return [of(seed)[0], of(seed)[1] && of(step)[1]],
        None => {}
    }
    match terms.node(id).term {
        Term::Base(ref name, _) => [matches!(&**name, "rf" | "co"); 2],
        Term::Union(a, b) if known(a) => of(b),
        Term::Union(a, b) if known(b) => of(a),
        Term::Union(a, b) => both(of(a), of(b)),
        Term::Intersection(a, b) if known(a) => of(b),
        Term::Intersection(a, b) if known(b) => of(a),
        Term::Intersection(a, b) => both(of(a), of(b)),
        Term::Difference(a, b) if known(b) => of(a),
        Term::RestrictDomain(s, r) if known(s) => of(r),
        Term::RestrictRange(r, s) if known(s) => of(r),
        Term::IdentityOn(s) => of(s),
        Term::Sequence(r, s) if bounds.is_filter(r) => of(s),
        Term::Sequence(r, s) if bounds.is_filter(s) => of(r),
        Term::Sequence(r, s) => [of(r)[0], of(s)[1]],
        Term::Inverse(r) => [of(r)[1], of(r)[0]],
        Term::Optional(r) => of(r),
        Term::Domain(r) => [of(r)[0]; 2],
        Term::Range(r) => [of(r)[1]; 2],
        Term::Variable(group, index) => of(terms.group(group).bodies[index]),
        Term::Fixpoint(group, index) => of(terms.variable(group, index)),
        _ => [false; 2],
    }
}
