//! Which terms of a model are empty on a skeleton whatever is chosen.
//!
//! A program without plain accesses has no races, one without grace periods no RCU order; most of
//! a large model says nothing about a small test. What is empty for such a reason is found once
//! per skeleton, from the terms that depend on no choice, and then neither computed nor anything
//! that only it needs. Emptiness is derived from the operators alone: a sequence is empty if one
//! of its parts is, a fixpoint if its bodies are for empty variables (the first round of the
//! iteration is then the last).

use crate::algebra::{GroupId, Term, TermId, Terms};
use execution::ids::Id;

/// What is known to be empty.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    empty: Vec<bool>,
}

impl Live {
    /// Finds what is empty, given which of the terms that depend on no choice are.
    pub(crate) fn new(terms: &Terms, fixed_empty: impl Fn(TermId) -> Option<bool>) -> Self {
        let mut live = Self { empty: vec![false; terms.len()] };
        // Empty until a body says otherwise: the least fixpoint of emptiness of variables.
        let mut empty_groups = vec![true; terms.group_count()];
        loop {
            for index in 0..terms.len() {
                let id = TermId::new(index);
                live.empty[index] =
                    fixed_empty(id).unwrap_or_else(|| live.follows(terms, id, &empty_groups));
            }
            let mut changed = false;
            for (index, empty) in empty_groups.iter_mut().enumerate() {
                let group = terms.group(GroupId::new(index));
                if *empty && !group.bodies.iter().all(|&body| live.is_empty(body)) {
                    *empty = false;
                    changed = true;
                }
            }
            if !changed {
                return live;
            }
        }
    }

    /// Whether a term is empty whatever is chosen.
    pub(crate) fn is_empty(&self, id: TermId) -> bool {
        self.empty[id.index()]
    }

    fn follows(&self, terms: &Terms, id: TermId, empty_groups: &[bool]) -> bool {
        let empty = |id: TermId| self.is_empty(id);
        match terms.node(id).term {
            Term::Empty(_) => true,
            Term::Universe | Term::Identity | Term::Base(..) | Term::Events(_) | Term::Pairs(_) => {
                false
            }
            Term::Complement(_) | Term::Optional(_) => false,
            Term::Union(a, b) => empty(a) && empty(b),
            Term::Difference(a, _)
            | Term::IdentityOn(a)
            | Term::Inverse(a)
            | Term::Plus(a)
            | Term::Domain(a)
            | Term::Range(a)
            | Term::DifferentValues(a) => empty(a),
            Term::Intersection(a, b)
            | Term::Product(a, b)
            | Term::RestrictDomain(a, b)
            | Term::RestrictRange(a, b)
            | Term::Sequence(a, b) => empty(a) || empty(b),
            Term::Variable(group, _) | Term::Fixpoint(group, _) => empty_groups[group.index()],
        }
    }

    /// The terms of a schedule that are needed for a root: reached from it through no empty term.
    pub(crate) fn needed(&self, terms: &Terms, root: TermId, schedule: &[TermId]) -> Vec<TermId> {
        let mut seen = vec![false; terms.len()];
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if !self.is_empty(id) && !std::mem::replace(&mut seen[id.index()], true) {
                terms.for_each_operand(id, |operand| stack.push(operand));
            }
        }
        schedule.iter().copied().filter(|id| seen[id.index()]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Sort;

    #[test]
    fn emptiness_passes_through_operators_and_fixpoints() {
        let mut terms = Terms::default();
        let grace = terms.add(Term::Base("Sync-rcu".into(), Sort::Set));
        let rf = terms.add(Term::Base("rf".into(), Sort::Relation));
        let order = terms.add(Term::RestrictDomain(grace, rf));
        let either = terms.add(Term::Union(order, rf));
        let mut closure = |base: TermId| {
            let (group, variables) = terms.open_group(vec![Sort::Relation]);
            let twice = terms.add(Term::Sequence(variables[0], variables[0]));
            let body = terms.add(Term::Union(base, twice));
            terms.close_group(group, vec![body])[0]
        };
        let (nothing, something) = (closure(order), closure(either));
        let without = Live::new(&terms, |id| (id == grace).then_some(true));
        assert!(without.is_empty(order) && without.is_empty(nothing));
        assert!(!without.is_empty(either) && !without.is_empty(something));
        assert_eq!(without.needed(&terms, nothing, &[rf, order, nothing]), []);
        assert_eq!(without.needed(&terms, something, &[rf, order, either]), [rf, either]);
        let with = Live::new(&terms, |id| (id == grace).then_some(false));
        assert!(!with.is_empty(order) && !with.is_empty(nothing));
    }
}
