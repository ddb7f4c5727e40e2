//! Which executions go beyond a bound, and which are complete.

use super::threads::Lives;
use crate::encode::clauses::Clauses;
use sat::Lit;

/// The literals of the bounds: whether each is gone beyond.
pub(crate) fn bound_hits(clauses: &mut Clauses, lives: &Lives) -> Vec<Lit> {
    let mut hits = Vec::new();
    for index in 0..clauses.bounded.bounds.len() {
        let moment = clauses.bounded.bounds[index].moment;
        let guard = clauses.guard(moment.guard);
        let hit = clauses.formula.and(&[guard, lives.at(&moment)]);
        if !clauses.scope.is_every() {
            clauses.formula.clause(&[!hit]);
        }
        hits.push(hit);
    }
    hits
}

/// Where operations are units, nothing goes wrong after one that has gone beyond a bound.
pub(crate) fn one_unfinished_operation(clauses: &mut Clauses, bounds: &[Lit]) {
    if !clauses.whole_operations || !clauses.scope.is_every() {
        return;
    }
    for finding in &clauses.findings {
        for &hit in bounds {
            clauses.formula.clause(&[!finding.wrong, !hit]);
        }
    }
}

/// The literal that is true iff every thread terminates and nothing is wrong.
pub(crate) fn completeness(clauses: &mut Clauses, lives: &Lives, bounds: &[Lit]) -> Lit {
    let wrong = clauses.findings.iter().map(|finding| !finding.wrong);
    let all: Vec<Lit> =
        lives.go.iter().copied().chain(bounds.iter().map(|&b| !b)).chain(wrong).collect();
    clauses.formula.and(&all)
}
