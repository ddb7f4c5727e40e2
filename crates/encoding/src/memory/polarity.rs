//! Which literals are asked for, and in which direction.
//!
//! A check reads only some pairs of its relation (those on possible cycles, the diagonal), these
//! only some pairs of the operands, and so on down. It also needs one direction only
//! (Plaisted, Greenbaum, "A structure-preserving clause form translation", 1986): that a pair
//! which is related has a true literal, or that a true literal's pair is related. A negation turns
//! the direction round.
//!
//! A pair that is missing here would be taken as unrelated, and executions would be wrongly allowed
//! or lost; one too many only costs clauses.

use super::bounds::{Bound, Bounds, Frame};
use super::path::{Path, Side, path};
use execution::relation::{EventSet, Relation};
use models::algebra::{Term, TermId, Terms};
use std::collections::HashMap;

/// Which direction of "the pair is related if and only if its literal is true" is needed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// A related pair has a true literal.
    Covers,
    /// A true literal's pair is related.
    Within,
}

impl Direction {
    /// The other one.
    pub fn opposite(self) -> Self {
        match self {
            Self::Covers => Self::Within,
            Self::Within => Self::Covers,
        }
    }
}

/// The open pairs of each term that are needed.
pub struct Needs<'a> {
    terms: &'a Terms,
    bounds: &'a Bounds<'a>,
    frame: &'a Frame,
    of: HashMap<(TermId, Direction), Relation>,
    sides: HashMap<(TermId, Direction), Side>,
    changed: bool,
}

impl<'a> Needs<'a> {
    /// Nothing is needed.
    pub fn new(terms: &'a Terms, bounds: &'a Bounds<'a>, frame: &'a Frame) -> Self {
        let (of, sides) = (HashMap::new(), HashMap::new());
        Self { terms, bounds, frame, of, sides, changed: false }
    }

    /// Needs the open ones among these pairs.
    pub fn add(&mut self, id: TermId, direction: Direction, pairs: &Relation) {
        let bound = self.bounds.of(id);
        if bound.is_exact() {
            return;
        }
        let pairs = pairs.intersection(&bound.open());
        if pairs.is_empty() {
            return;
        }
        let size = self.frame.size;
        let known = self.of.entry((id, direction)).or_insert_with(|| Relation::empty(size));
        let all = known.union(&pairs);
        if all != *known {
            *known = all;
            self.changed = true;
        }
    }

    /// The pairs of a term that are needed; `None` if there are none.
    pub fn of(&self, id: TermId, direction: Direction) -> Option<&Relation> {
        self.of.get(&(id, direction))
    }

    /// At which end a path is to be followed.
    pub fn side(&self, id: TermId, direction: Direction) -> Side {
        self.sides.get(&(id, direction)).copied().unwrap_or(Side::StepFirst)
    }

    /// Adds what is needed for what is needed. `needed` are all terms, in order.
    pub fn propagate(&mut self, needed: &[TermId]) {
        loop {
            self.changed = false;
            for &id in needed.iter().rev() {
                for direction in [Direction::Covers, Direction::Within] {
                    if let Some(pairs) = self.of.get(&(id, direction)) {
                        let pairs = pairs.clone();
                        self.operands(id, direction, &pairs);
                    }
                }
            }
            if !self.changed {
                return;
            }
        }
    }

    fn operands(&mut self, id: TermId, direction: Direction, pairs: &Relation) {
        let bounds = self.bounds;
        if let Some(path) = path(self.terms, bounds, id) {
            return self.follow(id, path, direction, pairs);
        }
        let of = |id: TermId| bounds.of(id);
        match self.terms.node(id).term {
            Term::Empty(_)
            | Term::Universe
            | Term::Identity
            | Term::Base(..)
            | Term::Events(_)
            | Term::Pairs(_)
            | Term::Plus(_) => {}
            Term::Union(a, b) | Term::Intersection(a, b) => {
                self.add(a, direction, pairs);
                self.add(b, direction, pairs);
            }
            Term::Difference(a, b) => {
                self.add(a, direction, pairs);
                self.add(b, direction.opposite(), pairs);
            }
            Term::Complement(a) => self.add(a, direction.opposite(), pairs),
            Term::Product(s, t) => {
                self.add(s, direction, &pairs.domain().identity());
                self.add(t, direction, &pairs.range().identity());
            }
            Term::IdentityOn(a) | Term::Optional(a) | Term::DifferentValues(a) => {
                self.add(a, direction, pairs);
            }
            Term::RestrictDomain(s, r) => {
                self.add(s, direction, &pairs.domain().identity());
                self.add(r, direction, pairs);
            }
            Term::RestrictRange(r, s) => {
                self.add(r, direction, pairs);
                self.add(s, direction, &pairs.range().identity());
            }
            Term::Sequence(r, s) => {
                self.add(r, direction, &firsts(pairs, &of(r).may, &of(s).may));
                self.add(s, direction, &seconds(pairs, &of(r).may, &of(s).may));
            }
            Term::Inverse(r) => self.add(r, direction, &pairs.inverse()),
            Term::Domain(r) => {
                let all = EventSet::full(self.frame.size);
                self.add(r, direction, &pairs.domain().product(&all));
            }
            Term::Range(r) => {
                let all = EventSet::full(self.frame.size);
                self.add(r, direction, &all.product(&pairs.domain()));
            }
            Term::Variable(group, index) => {
                self.add(self.terms.group(group).bodies[index], direction, pairs);
            }
            Term::Fixpoint(group, index) => {
                self.add(self.terms.variable(group, index), direction, pairs);
            }
        }
    }

    /// A path also needs itself for all that is left after a step; if it can be followed from
    /// either side, it is from the one from which that is less.
    fn follow(&mut self, id: TermId, path: Path, direction: Direction, pairs: &Relation) {
        let (step, whole) = (self.bounds.of(path.step), self.bounds.of(id));
        let back = step.may.inverse();
        let rests = |side: Side| rests(side, pairs, &back, whole);
        let side = path.side.or(self.sides.get(&(id, direction)).copied()).unwrap_or_else(|| {
            let (first, last) = (rests(Side::StepFirst), rests(Side::StepLast));
            if first.count() <= last.count() { Side::StepFirst } else { Side::StepLast }
        });
        self.sides.insert((id, direction), side);
        let all = rests(side);
        let steps = match side {
            Side::StepFirst => firsts(&all, &step.may, &whole.may),
            Side::StepLast => seconds(&all, &whole.may, &step.may),
        };
        self.add(id, direction, &all);
        self.add(path.seed, direction, &all);
        self.add(path.step, direction, &steps);
    }
}

/// `pairs` and the open pairs of the whole that are left after steps from one side.
fn rests(side: Side, pairs: &Relation, back: &Relation, whole: &Bound) -> Relation {
    let open = whole.open();
    let mut all = pairs.clone();
    loop {
        let rest = match side {
            Side::StepFirst => back.compose(&all),
            Side::StepLast => all.compose(back),
        };
        let more = all.union(&rest.intersection(&open));
        if more == all {
            return all;
        }
        all = more;
    }
}

/// The pairs of `r` that can take part in `r; s` at `pairs`.
fn firsts(pairs: &Relation, r: &Relation, s: &Relation) -> Relation {
    r.intersection(&pairs.compose(&s.inverse()))
}

/// The pairs of `s` that can take part in `r; s` at `pairs`.
fn seconds(pairs: &Relation, r: &Relation, s: &Relation) -> Relation {
    s.intersection(&r.inverse().compose(pairs))
}
