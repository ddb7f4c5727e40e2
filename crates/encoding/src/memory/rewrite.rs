//! Rewrites a model's algebra into equal terms that are cheaper to encode.
//!
//! What is expensive is composing with a closure. The rules make closures stand at the end of
//! compositions, where they are followed step by step (see [`path`](super::path)):
//!
//! - `(b; r*)+` is `b; (r | b)*`, and `b; r*` if `b` is in `r+`
//! - `x; (b; r*)` is `(x; b); r*`, and `x; (b; r*)?` is `x | (x; b); r*`
//! - `(x | y); z` is `x; z | y; z` if `x` or `y` ends with a closure
//! - `(x; r*); r*` is `x; r*`
//! - `(x | y) \ z` is `x \ z | y \ z`, so that orders can be split
//!
//! and, because `co` is a total order of the writes to each location and a read sees one write,
//!
//! - `(rf | co | fr)+` is `rf | co | fr | co; rf | fr; rf`
//!
//! The names, roles and places of the checks stay.

use super::path::{in_closure, star};
use models::algebra::{GroupId, Sort, Term, TermId, Terms};
use models::{Axiom, Compiled, World};
use std::collections::HashMap;

/// A model in terms that are cheap to encode.
pub struct Rewritten {
    pub terms: Terms,
    pub world: World,
    /// The term `co`.
    pub co: Option<TermId>,
}

/// Rewrites one world of a model.
pub fn rewrite(compiled: &Compiled, world: &World) -> Rewritten {
    let old = &compiled.terms;
    let checks = || world.axioms.iter().chain(&world.flags);
    let roots: Vec<TermId> = checks().map(|axiom| axiom.term).chain(compiled.co).collect();
    let mut rewriter = Rewriter {
        old,
        terms: Terms::default(),
        of: HashMap::new(),
        groups: HashMap::new(),
        fixpoints: HashMap::new(),
    };
    for id in old.reachable(&roots) {
        let new = rewriter.term(id);
        rewriter.of.insert(id, new);
    }
    let moved = |axiom: &Axiom| Axiom { term: rewriter.of[&axiom.term], ..axiom.clone() };
    let world = World {
        axioms: world.axioms.iter().map(moved).collect(),
        flags: world.flags.iter().map(moved).collect(),
        shows: Vec::new(),
    };
    let co = compiled.co.map(|co| rewriter.of[&co]);
    Rewritten { terms: rewriter.terms, world, co }
}

struct Rewriter<'a> {
    old: &'a Terms,
    terms: Terms,
    of: HashMap<TermId, TermId>,
    /// New groups, with their variables.
    groups: HashMap<GroupId, (GroupId, Vec<TermId>)>,
    fixpoints: HashMap<GroupId, Vec<TermId>>,
}

impl Rewriter<'_> {
    fn term(&mut self, id: TermId) -> TermId {
        let of = |id: &TermId| self.of[id];
        match &self.old.node(id).term {
            Term::Sequence(a, b) => {
                let (a, b) = (of(a), of(b));
                self.sequence(a, b)
            }
            Term::Plus(r) => {
                let r = of(r);
                self.plus(r)
            }
            Term::Optional(r) => {
                let r = of(r);
                self.terms.optional(r)
            }
            Term::Union(a, b) => {
                let (a, b) = (of(a), of(b));
                self.terms.union(a, b)
            }
            &Term::Variable(group, index) => self.group(group).1[index],
            &Term::Fixpoint(group, index) => self.fixpoint(group)[index],
            Term::Intersection(a, b) => self.terms.add(Term::Intersection(of(a), of(b))),
            Term::Difference(a, b) => {
                let (a, b) = (of(a), of(b));
                self.difference(a, b)
            }
            Term::Complement(a) => self.terms.add(Term::Complement(of(a))),
            Term::Product(a, b) => self.terms.add(Term::Product(of(a), of(b))),
            Term::IdentityOn(a) => self.terms.add(Term::IdentityOn(of(a))),
            Term::RestrictDomain(a, b) => self.terms.add(Term::RestrictDomain(of(a), of(b))),
            Term::RestrictRange(a, b) => self.terms.add(Term::RestrictRange(of(a), of(b))),
            Term::Inverse(a) => self.terms.add(Term::Inverse(of(a))),
            Term::Domain(a) => self.terms.add(Term::Domain(of(a))),
            Term::Range(a) => self.terms.add(Term::Range(of(a))),
            Term::DifferentValues(a) => self.terms.add(Term::DifferentValues(of(a))),
            term @ (Term::Empty(_)
            | Term::Universe
            | Term::Identity
            | Term::Base(..)
            | Term::Events(_)
            | Term::Pairs(_)) => self.terms.add(term.clone()),
        }
    }

    fn group(&mut self, group: GroupId) -> &(GroupId, Vec<TermId>) {
        let (old, terms) = (self.old, &mut self.terms);
        self.groups.entry(group).or_insert_with(|| terms.open_group(old.group(group).sorts.clone()))
    }

    /// All components of a group's fixpoint; its bodies have been rewritten.
    fn fixpoint(&mut self, group: GroupId) -> Vec<TermId> {
        if let Some(known) = self.fixpoints.get(&group) {
            return known.clone();
        }
        let new = self.group(group).0;
        let old = self.old.group(group);
        let bodies = old.bodies.iter().map(|body| self.of[body]).collect();
        self.terms.set_inflationary(new, old.inflationary.clone());
        let components = self.terms.close_group(new, bodies);
        self.fixpoints.insert(group, components.clone());
        components
    }

    /// `r+`
    fn plus(&mut self, r: TermId) -> TermId {
        if let Some([rf, co, fr]) = self.communication(r) {
            let (coherent, from_read) = (self.sequence(co, rf), self.sequence(fr, rf));
            let longer = self.terms.union(coherent, from_read);
            return self.terms.union(r, longer);
        }
        if let Term::Sequence(base, closure) = self.terms.node(r).term
            && let Some(step) = star(&self.terms, closure)
        {
            let steps = match in_closure(&self.terms, base, step) {
                true => step,
                false => self.terms.union(step, base),
            };
            let closure = self.terms.star(steps);
            return self.sequence(base, closure);
        }
        self.terms.plus(r)
    }

    /// `a \ b`
    fn difference(&mut self, a: TermId, b: TermId) -> TermId {
        if let Term::Union(x, y) = self.terms.node(a).term {
            let (x, y) = (self.difference(x, b), self.difference(y, b));
            return self.terms.union(x, y);
        }
        self.terms.difference(a, b)
    }

    /// Recognises `rf | co | fr`.
    fn communication(&self, id: TermId) -> Option<[TermId; 3]> {
        let operands = self.terms.union_operands(id);
        let find =
            |wanted: &dyn Fn(TermId) -> bool| operands.iter().copied().find(|&id| wanted(id));
        let is = |id: TermId, word: &str| match &self.terms.node(id).term {
            Term::Base(name, Sort::Relation) => &**name == word,
            _ => false,
        };
        let inverse = |id: TermId| match self.terms.node(id).term {
            Term::Inverse(r) => is(r, "rf"),
            _ => false,
        };
        let from_read = |id: TermId| match self.terms.node(id).term {
            Term::Sequence(a, b) => inverse(a) && is(b, "co"),
            _ => false,
        };
        // No event is both a read and a write, so nothing is taken away here.
        let without_identity = |id: TermId| match self.terms.node(id).term {
            Term::Difference(r, identity) => {
                from_read(r) && self.terms.node(identity).term == Term::Identity
            }
            _ => from_read(id),
        };
        let found =
            [find(&|id| is(id, "rf"))?, find(&|id| is(id, "co"))?, find(&without_identity)?];
        (operands.len() == 3).then_some(found)
    }

    /// Whether a term is, or ends with, a closure.
    fn ends_with_closure(&self, id: TermId) -> bool {
        match self.terms.node(id).term {
            Term::Sequence(_, last) => star(&self.terms, last).is_some(),
            Term::Union(a, b) => self.ends_with_closure(a) || self.ends_with_closure(b),
            _ => star(&self.terms, id).is_some(),
        }
    }

    /// `a; b`
    fn sequence(&mut self, a: TermId, b: TermId) -> TermId {
        if let Term::Union(x, y) = self.terms.node(a).term
            && self.ends_with_closure(a)
            && star(&self.terms, b).is_none()
        {
            let (x, y) = (self.sequence(x, b), self.sequence(y, b));
            return self.terms.union(x, y);
        }
        match (&self.terms.node(a).term, &self.terms.node(b).term) {
            (&Term::Sequence(_, last), _) if last == b && star(&self.terms, b).is_some() => a,
            (_, &Term::Sequence(base, closure)) if star(&self.terms, closure).is_some() => {
                let start = self.sequence(a, base);
                self.sequence(start, closure)
            }
            (_, &Term::Optional(inner)) => match self.terms.node(inner).term {
                Term::Sequence(_, closure) if star(&self.terms, closure).is_some() => {
                    let longer = self.sequence(a, inner);
                    self.terms.union(a, longer)
                }
                _ => self.terms.sequence(a, b),
            },
            _ => self.terms.sequence(a, b),
        }
    }
}
