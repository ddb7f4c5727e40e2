//! Pairs that the axioms rule out before any search.
//!
//! An edge that closes a cycle with edges that are always there cannot be in an acyclic relation;
//! nothing can be in an empty one. Such a pair is followed down the term: if it can only come about
//! through one open pair, that one is ruled out too. What arrives at `rf` and `co` is never
//! given a literal, and the bounds are computed again, until nothing new is found. So, for instance,
//! no read sees a write that its own thread has overwritten. Pairs that are ruled out on the way
//! have no literal either: what would make them true becomes a clause.
//!
//! An error here loses executions.

use super::bounds::{Bounds, Frame};
use execution::ids::Id;
use execution::relation::Relation;
use models::algebra::{Term, TermId, Terms};
use models::ast::{Role, Test};
use models::{Axiom, World};

/// For each term, open pairs that are unrelated in every allowed execution in which both events
/// are executed; `None` for none.
pub struct Forbidden {
    of: Vec<Option<Relation>>,
}

impl Forbidden {
    /// Nothing is ruled out.
    pub fn nothing(terms: &Terms) -> Self {
        Self { of: vec![None; terms.len()] }
    }

    /// What the axioms of a world rule out. `needed` are all terms, in order.
    pub fn new(
        terms: &Terms,
        bounds: &Bounds<'_>,
        frame: &Frame,
        world: &World,
        needed: &[TermId],
    ) -> Self {
        let mut search = Search { terms, bounds, frame, of: vec![None; terms.len()], grown: false };
        for axiom in &world.axioms {
            search.axiom(axiom);
        }
        loop {
            search.grown = false;
            for &id in needed.iter().rev() {
                if let Some(pairs) = search.of[id.index()].clone() {
                    search.operands(id, &pairs);
                }
            }
            if !search.grown {
                return Self { of: search.of };
            }
        }
    }

    /// The pairs of a term that are ruled out.
    pub fn of(&self, id: TermId) -> Option<&Relation> {
        self.of[id.index()].as_ref()
    }
}

struct Search<'a> {
    terms: &'a Terms,
    bounds: &'a Bounds<'a>,
    frame: &'a Frame,
    of: Vec<Option<Relation>>,
    grown: bool,
}

impl Search<'_> {
    fn axiom(&mut self, axiom: &Axiom) {
        if axiom.negated || axiom.role != Role::Axiom {
            return;
        }
        let bound = self.bounds.of(axiom.term);
        let pairs = match axiom.test {
            Test::Empty => (*bound.may).clone(),
            Test::Irreflexive => Relation::identity(self.frame.size),
            Test::Acyclic => self.frame.must_closure(&bound.must).inverse().reflexive(),
        };
        self.add(axiom.term, &pairs);
    }

    fn add(&mut self, id: TermId, pairs: &Relation) {
        let pairs = pairs.intersection(&self.bounds.of(id).open());
        if pairs.is_empty() {
            return;
        }
        match &mut self.of[id.index()] {
            Some(known) => {
                let all = known.union(&pairs);
                self.grown |= all != *known;
                *known = all;
            }
            none => {
                *none = Some(pairs);
                self.grown = true;
            }
        }
    }

    fn operands(&mut self, id: TermId, pairs: &Relation) {
        let bounds = self.bounds;
        let must = |id: TermId| &*bounds.of(id).must;
        match self.terms.node(id).term {
            Term::Union(a, b) => {
                self.add(a, pairs);
                self.add(b, pairs);
            }
            Term::Intersection(a, b) => {
                self.add(a, &pairs.intersection(must(b)));
                self.add(b, &pairs.intersection(must(a)));
            }
            Term::Difference(a, b) => self.add(a, &pairs.difference(&bounds.of(b).may)),
            Term::IdentityOn(a) | Term::Optional(a) | Term::Plus(a) => self.add(a, pairs),
            Term::RestrictDomain(s, r) => self.add(r, &must(s).compose(pairs)),
            Term::RestrictRange(r, s) => self.add(r, &pairs.compose(must(s))),
            Term::Inverse(r) => self.add(r, &pairs.inverse()),
            Term::Sequence(r, s) => {
                let (first, second) = self.sequence(pairs, must(r), must(s));
                self.add(r, &first);
                self.add(s, &second);
            }
            Term::Variable(group, index) => {
                self.add(self.terms.group(group).bodies[index], pairs);
            }
            Term::Fixpoint(group, index) => {
                self.add(self.terms.variable(group, index), pairs);
            }
            _ => {}
        }
    }

    /// The pairs that would certainly make a pair of `r; s`, whose other end is executed when
    /// theirs are.
    fn sequence(&self, pairs: &Relation, r: &Relation, s: &Relation) -> (Relation, Relation) {
        let Frame { implies, implied, .. } = self.frame;
        let end_by_start = pairs.intersection(implies).compose(&s.inverse());
        let end_by_middle = pairs.compose(&s.intersection(implies).inverse());
        let start_by_middle = r.intersection(implied).inverse().compose(pairs);
        let start_by_end = r.inverse().compose(&pairs.intersection(implied));
        (end_by_start.union(&end_by_middle), start_by_middle.union(&start_by_end))
    }
}
