//! What is known of a set or relation before solving: a part that is always there, and a whole
//! that it never leaves.
//!
//! A pair is in `must` if it is related in every execution of the graph in which both events are
//! executed, and outside `may` if it is in none; only the pairs between need literals. This is the
//! relation analysis of Gavrilenko, Ponce-de-León, Furbach, Heljanko, Meyer, "BMC for weak
//! memory models: relation analysis for compact SMT encodings", CAV 2019, with one addition:
//! an event in the middle of a composition counts for `must` only if it is executed whenever
//! both ends are. A set is kept as the identity on it.
//!
//! An error that makes `must` too large or `may` too small loses executions or allows wrong ones;
//! the other way round it only costs literals.

use super::base::Base;
use super::{Result, Unsupported, in_time};
use execution::event::EventId;
use execution::ids::Id;
use execution::relation::Relation;
use models::algebra::{GroupId, Sort, Term, TermId, Terms};
use sat::Limits;
use std::collections::HashSet;
use std::rc::Rc;

/// What is known of one set or relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Nothing else is ever in it.
    pub may: Rc<Relation>,
    /// Part of `may`: in it whenever both events are executed.
    pub must: Rc<Relation>,
}

impl Bound {
    /// A relation that is known.
    pub fn exact(relation: Relation) -> Self {
        let may = Rc::new(relation);
        Self { must: may.clone(), may }
    }

    /// A relation between two others.
    pub fn between(must: Relation, may: Relation) -> Self {
        Self { may: Rc::new(may), must: Rc::new(must) }
    }

    /// Whether nothing is left open.
    pub fn is_exact(&self) -> bool {
        Rc::ptr_eq(&self.may, &self.must) || self.may == self.must
    }

    /// The pairs that are left open.
    pub fn open(&self) -> Relation {
        self.may.difference(&self.must)
    }

    fn zip(&self, other: &Self, f: impl Fn(&Relation, &Relation) -> Relation) -> Self {
        if self.is_exact() && other.is_exact() {
            return Self::exact(f(&self.may, &other.may));
        }
        Self::between(f(&self.must, &other.must), f(&self.may, &other.may))
    }
}

/// What executions of the graph have in common, whatever the model.
#[derive(Clone, Debug)]
pub struct Frame {
    /// How many events there are.
    pub size: usize,
    /// (a, b): not known to exclude each other.
    pub together: Relation,
    /// (a, b): whenever a is executed, so is b.
    pub implies: Relation,
    /// Its inverse.
    pub implied: Relation,
}

impl Frame {
    /// Pairs with a certain path over an event that is executed because an end is.
    pub fn must_compose(&self, r: &Relation, s: &Relation) -> Relation {
        let because_of_start = r.intersection(&self.implies).compose(s);
        let because_of_end = r.compose(&s.intersection(&self.implied));
        because_of_start.union(&because_of_end).intersection(&self.together)
    }

    /// Pairs with a possible path.
    pub fn may_compose(&self, r: &Relation, s: &Relation) -> Relation {
        r.compose(s).intersection(&self.together)
    }

    /// Whether `middle` is executed whenever both ends are.
    pub fn between(&self, from: EventId, middle: EventId, to: EventId) -> bool {
        self.implies.contains(from, middle) || self.implies.contains(to, middle)
    }

    fn closure(
        &self,
        r: &Relation,
        compose: impl Fn(&Relation, &Relation) -> Relation,
    ) -> Relation {
        let mut closed = r.clone();
        loop {
            let longer = closed.union(&compose(&closed, &closed));
            if longer == closed {
                return closed;
            }
            closed = longer;
        }
    }

    /// Pairs with a certain path of any length.
    pub fn must_closure(&self, r: &Relation) -> Relation {
        self.closure(r, |r, s| self.must_compose(r, s))
    }

    fn plus(&self, r: &Bound) -> Bound {
        let must = self.must_closure(&r.must);
        Bound::between(must, self.closure(&r.may, |r, s| self.may_compose(r, s)))
    }

    /// The events of `r` related to something that is executed when they are, as an identity.
    fn domain(&self, r: &Bound) -> Bound {
        let must = r.must.intersection(&self.implies).domain().identity();
        Bound::between(must, r.may.domain().identity())
    }
}

/// The bounds of all terms that a model needs.
pub struct Bounds<'a> {
    terms: &'a Terms,
    frame: &'a Frame,
    base: &'a Base<'a>,
    of: Vec<Bound>,
    closed_groups: HashSet<GroupId>,
    limits: &'a Limits,
}

impl<'a> Bounds<'a> {
    /// Computes the bounds of `needed`, which must be in order and hold all operands.
    pub fn new(
        terms: &'a Terms,
        frame: &'a Frame,
        base: &'a Base<'a>,
        needed: &[TermId],
        limits: &'a Limits,
    ) -> Result<Self> {
        let empty = Bound::exact(Relation::empty(frame.size));
        let of = vec![empty; terms.len()];
        let mut bounds = Self { terms, frame, base, of, closed_groups: HashSet::new(), limits };
        for &id in needed {
            if terms.node(id).open.is_empty() {
                bounds.update(id)?;
            }
        }
        Ok(bounds)
    }

    /// The bounds of a term.
    pub fn of(&self, id: TermId) -> &Bound {
        &self.of[id.index()]
    }

    /// Whether the term is a known part of the identity, so that composing with it only filters.
    pub fn is_filter(&self, id: TermId) -> bool {
        let bound = self.of(id);
        bound.is_exact() && bound.may.iter().all(|(a, b)| a == b)
    }

    fn update(&mut self, id: TermId) -> Result<()> {
        in_time(self.limits)?;
        if let Term::Fixpoint(group, index) = self.terms.node(id).term {
            self.iterate(group)?;
            let variable = self.terms.variable(group, index);
            self.of[id.index()] = self.of(variable).clone();
        } else if !matches!(self.terms.node(id).term, Term::Variable(..)) {
            self.of[id.index()] = self.compute(id);
        }
        Ok(())
    }

    fn compute(&self, id: TermId) -> Bound {
        let frame = self.frame;
        let of = |id: TermId| self.of(id);
        match &self.terms.node(id).term {
            Term::Empty(_) | Term::Variable(..) | Term::Fixpoint(..) => of(id).clone(),
            Term::Universe | Term::Identity => Bound::exact(Relation::identity(frame.size)),
            Term::Base(name, sort) => self.base.bound(name, *sort),
            Term::Events(set) => Bound::exact(set.identity()),
            Term::Pairs(r) => Bound::exact(r.intersection(&frame.together)),
            &Term::Union(a, b) => of(a).zip(of(b), Relation::union),
            &Term::Intersection(a, b) => of(a).zip(of(b), Relation::intersection),
            &Term::Difference(a, b) => self.minus(of(a), of(b)),
            &Term::Complement(a) => match self.terms.sort(a) {
                Sort::Set => self.minus(&Bound::exact(Relation::identity(frame.size)), of(a)),
                Sort::Relation => self.minus(&Bound::exact(frame.together.clone()), of(a)),
            },
            &Term::Product(s, t) => of(s)
                .zip(of(t), |s, t| s.domain().product(&t.domain()).intersection(&frame.together)),
            &Term::IdentityOn(s) => of(s).clone(),
            &Term::RestrictDomain(s, r) => of(s).zip(of(r), Relation::compose),
            &Term::RestrictRange(r, s) => of(r).zip(of(s), |r, s| {
                let all = execution::relation::EventSet::full(frame.size);
                r.intersection(&all.product(&s.domain()))
            }),
            &Term::Sequence(r, s) => Bound::between(
                frame.must_compose(&of(r).must, &of(s).must),
                frame.may_compose(&of(r).may, &of(s).may),
            ),
            &Term::Inverse(r) => self.inverse(of(r)),
            &Term::Optional(r) => {
                let r = of(r);
                if r.is_exact() {
                    Bound::exact(r.may.reflexive())
                } else {
                    Bound::between(r.must.reflexive(), r.may.reflexive())
                }
            }
            &Term::Plus(r) => frame.plus(of(r)),
            &Term::Domain(r) => frame.domain(of(r)),
            &Term::Range(r) => frame.domain(&self.inverse(of(r))),
            &Term::DifferentValues(r) => of(r).zip(&self.base.differ(), Relation::intersection),
        }
    }

    fn minus(&self, a: &Bound, b: &Bound) -> Bound {
        if a.is_exact() && b.is_exact() {
            return Bound::exact(a.may.difference(&b.may));
        }
        Bound::between(a.must.difference(&b.may), a.may.difference(&b.must))
    }

    fn inverse(&self, r: &Bound) -> Bound {
        if r.is_exact() {
            return Bound::exact(r.may.inverse());
        }
        Bound::between(r.must.inverse(), r.may.inverse())
    }

    /// Computes the bounds of a group's variables. For monotone definitions the least fixpoint of
    /// either bound bounds the least fixpoint.
    fn iterate(&mut self, id: GroupId) -> Result<()> {
        let terms = self.terms;
        let group = terms.group(id);
        if self.closed_groups.contains(&id) {
            return Ok(());
        }
        let growing: Vec<usize> =
            (0..group.variables.len()).filter(|&i| group.inflationary[i]).collect();
        if growing.is_empty() && negates_itself(terms, id) {
            return Err(Unsupported::new(
                "recursive definitions of which one uses another below a negation",
            ));
        }
        let others: Vec<usize> =
            (0..group.variables.len()).filter(|&i| !group.inflationary[i]).collect();
        let empty = Bound::exact(Relation::empty(self.frame.size));
        for &variable in &group.variables {
            self.of[variable.index()] = empty.clone();
        }
        loop {
            if !growing.is_empty() {
                for &i in &others {
                    self.of[group.variables[i].index()] = empty.clone();
                }
            }
            while self.round(id, &others)? {}
            if growing.is_empty() || !self.round(id, &growing)? {
                break;
            }
        }
        if !group.open {
            self.closed_groups.insert(id);
        }
        Ok(())
    }

    /// Evaluates the bodies once and updates these variables; whether one changed.
    fn round(&mut self, id: GroupId, updated: &[usize]) -> Result<bool> {
        let terms = self.terms;
        let group = terms.group(id);
        let exactly = group.inflationary.contains(&true);
        for &term in &group.rounds {
            self.update(term)?;
            if exactly && !self.of(term).is_exact() {
                return Err(Unsupported::new(
                    "a recursive definition that only grows (`r = r | …` with a negation) over \
                     events that are executed in some executions only",
                ));
            }
        }
        let mut changed = false;
        for &i in updated {
            let (variable, body) = (group.variables[i], group.bodies[i]);
            if self.of(variable) != self.of(body) {
                changed = true;
                self.of[variable.index()] = self.of(body).clone();
            }
        }
        Ok(changed)
    }
}

/// Whether a body of the group uses a variable of it below an odd number of negations.
fn negates_itself(terms: &Terms, group: GroupId) -> bool {
    let mut seen = HashSet::new();
    let mut stack: Vec<_> = terms.group(group).bodies.iter().map(|&body| (body, true)).collect();
    while let Some((id, positive)) = stack.pop() {
        if !terms.node(id).open.contains(&group) || !seen.insert((id, positive)) {
            continue;
        }
        match terms.node(id).term {
            Term::Variable(g, _) if g == group && !positive => return true,
            Term::Complement(a) => stack.push((a, !positive)),
            Term::Difference(a, b) => stack.extend([(a, positive), (b, !positive)]),
            _ => terms.for_each_operand(id, |operand| stack.push((operand, positive))),
        }
    }
    false
}
