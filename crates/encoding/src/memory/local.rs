//! Which relations hold only between accesses of one location, by their terms.
//!
//! A demand that such a relation has no cycle is about each location by itself: it says what a
//! thread sees of its own writes, not in which order memory is accessed.

use models::algebra::{Sort, Term, TermId, Terms};
use std::collections::HashSet;

/// Whether a relation holds only between accesses of one location. May say no although it does.
pub fn is_local(terms: &Terms, id: TermId) -> bool {
    Search { terms, open: HashSet::new() }.is_local(id)
}

struct Search<'a> {
    terms: &'a Terms,
    /// Recursive names that are being looked into: local unless something else says no.
    open: HashSet<TermId>,
}

impl Search<'_> {
    fn is_local(&mut self, id: TermId) -> bool {
        match self.terms.node(id).term {
            Term::Empty(_) | Term::Identity | Term::IdentityOn(_) => true,
            Term::Base(ref name, Sort::Relation) => {
                matches!(&**name, "loc" | "rf" | "co" | "rmw" | "amo")
            }
            Term::Union(a, b) | Term::Sequence(a, b) => self.is_local(a) && self.is_local(b),
            Term::Intersection(a, b) => self.is_local(a) || self.is_local(b),
            Term::Difference(a, _)
            | Term::RestrictDomain(_, a)
            | Term::RestrictRange(a, _)
            | Term::Inverse(a)
            | Term::Optional(a)
            | Term::Plus(a)
            | Term::DifferentValues(a) => self.is_local(a),
            Term::Variable(group, index) => {
                !self.open.insert(id) || self.is_local(self.terms.group(group).bodies[index])
            }
            Term::Fixpoint(group, index) => self.is_local(self.terms.variable(group, index)),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_local;
    use models::ast::Test;

    /// The acyclic axioms of a model, and whether each is about one location.
    fn acyclic(model: &str) -> Vec<(String, bool)> {
        let entry = models::library::find(model).expect("a model of the library");
        let model = models::Model::from_text(entry.name, entry.text).expect("it can be read");
        let compiled = model.compiled().expect("it is the same for all executions");
        let axioms = compiled.worlds[0].axioms.iter();
        axioms
            .filter(|axiom| axiom.test == Test::Acyclic)
            .map(|axiom| (axiom.name.to_string(), is_local(&compiled.terms, axiom.term)))
            .collect()
    }

    #[test]
    fn coherence_is_about_one_location_and_the_memory_order_is_not() {
        let expected = |axioms: &[(&str, bool)]| -> Vec<(String, bool)> {
            axioms.iter().map(|&(name, local)| (name.to_string(), local)).collect()
        };
        assert_eq!(acyclic("sc"), expected(&[("sc", false)]));
        assert_eq!(acyclic("tso"), expected(&[("coherence", true), ("tso", false)]));
        assert_eq!(acyclic("relaxed"), expected(&[("forwarding", true), ("relaxed", false)]));
        assert_eq!(acyclic("rmo"), expected(&[("coherence-but-load-load", true), ("rmo", false)]));
    }
}
