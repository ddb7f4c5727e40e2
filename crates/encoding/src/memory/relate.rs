//! From terms to literals: every operator of the algebra as clauses over its operands' literals.
//!
//! Terms are done in order, operands first. A pair is a disjunction of *ways* in which it can come
//! about, each a conjunction of literals; a single way of a single literal is that literal,
//! anything else gets a new one, with clauses in the direction that is needed (see
//! [`polarity`](super::polarity)). Recursive definitions need nothing special where related pairs
//! must have true literals: every solution contains the least fixpoint, and the least fixpoint is a
//! solution. In the other direction a true literal must be derived without circles, which
//! [`support`](super::support) demands.
//!
//! Alglave, Kroening, Tautschnig, "Partial orders for efficient bounded model checking of
//! concurrent software", CAV 2013, do this by hand for the relations of their models; here it is
//! done for whatever the cat text says.

use super::base::Base;
use super::bounds::{Bounds, Frame};
use super::coherence::Coherence;
use super::matrix::Matrix;
use super::path::{Path, Side, closed_before, closed_behind, in_closure, path};
use super::polarity::{Direction, Needs};
use super::prune::Forbidden;
use super::strict::Ends;
use super::support::Support;
use super::way::{Way, Ways};
use super::{Result, in_time};
use crate::graph::Graph;
use execution::event::EventId;
use execution::ids::Id;
use execution::relation::Relation;
use models::algebra::{GroupId, Term, TermId, Terms};
use sat::{Formula, Lit};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// All that is known when literals are made.
pub struct Relate<'a> {
    pub formula: &'a mut Formula,
    pub graph: &'a Graph,
    pub frame: &'a Frame,
    pub terms: &'a Terms,
    pub base: &'a Base<'a>,
    pub bounds: &'a Bounds<'a>,
    pub needs: &'a Needs<'a>,
    pub forbidden: &'a Forbidden,
    pub strict: &'a [Ends],
    pub co: &'a Coherence,
    /// Relations that the axioms keep acyclic.
    pub acyclic: Vec<TermId>,
    /// What derived literals rest on, where that may not go in circles.
    pub support: Support,
    matrices: HashMap<(TermId, Direction), Rc<Matrix>>,
    tied: HashSet<(GroupId, Direction)>,
}

/// A term in one direction.
#[derive(Clone, Copy)]
struct Goal<'b> {
    id: TermId,
    direction: Direction,
    /// The pairs that are needed, all open.
    pairs: &'b Relation,
}

impl<'a> Relate<'a> {
    /// Makes no literals yet.
    pub fn new(
        formula: &'a mut Formula,
        graph: &'a Graph,
        (frame, terms): (&'a Frame, &'a Terms),
        (base, co): (&'a Base<'a>, &'a Coherence),
        (bounds, needs): (&'a Bounds<'a>, &'a Needs<'a>),
        (forbidden, strict): (&'a Forbidden, &'a [Ends]),
    ) -> Self {
        let (support, matrices) = (Support::default(), HashMap::new());
        let acyclic = Vec::new();
        Self {
            formula,
            graph,
            frame,
            terms,
            base,
            bounds,
            needs,
            forbidden,
            strict,
            co,
            acyclic,
            support,
            matrices,
            tied: HashSet::new(),
        }
    }

    /// The literals of a term. Only those that are needed are right.
    pub fn literals(&self, id: TermId, direction: Direction) -> Rc<Matrix> {
        match self.matrices.get(&(id, direction)) {
            Some(matrix) => matrix.clone(),
            None => Rc::new(Matrix::new(self.bounds.of(id).must.clone(), [])),
        }
    }

    /// Makes all literals that are needed of `needed`, the terms in order.
    pub fn all(&mut self, needed: &[TermId]) -> Result<()> {
        let needs = self.needs;
        for &id in needed {
            for direction in [Direction::Covers, Direction::Within] {
                if let Some(pairs) = needs.of(id, direction) {
                    in_time(self.formula.limits())?;
                    let matrix = self.term(Goal { id, direction, pairs });
                    self.matrices.insert((id, direction), Rc::new(matrix));
                }
            }
        }
        Ok(())
    }

    fn term(&mut self, goal: Goal<'_>) -> Matrix {
        if let Some(path) = path(self.terms, self.bounds, goal.id) {
            return self.follow(goal, path);
        }
        let same = |this: &Self, id: TermId| this.literals(id, goal.direction);
        let opposite = |this: &Self, id: TermId| this.literals(id, goal.direction.opposite());
        match self.terms.node(goal.id).term {
            // The first ones are known; paths are done.
            Term::Empty(_)
            | Term::Universe
            | Term::Identity
            | Term::Events(_)
            | Term::Pairs(_)
            | Term::Plus(_) => Matrix::new(self.bounds.of(goal.id).must.clone(), []),
            Term::Base(ref name, sort) => {
                let literals = self.base.literals(name, sort, self.co);
                self.pairwise(goal, |a, b| one(literals.get(a, b)))
            }
            Term::Union(x, y) => {
                let (x, y) = (same(self, x), same(self, y));
                self.pairwise(goal, |a, b| Ways::from([[x.get(a, b)], [y.get(a, b)]]))
            }
            Term::Intersection(x, y) => {
                let (x, y) = (same(self, x), same(self, y));
                self.pairwise(goal, |a, b| Ways::from([[x.get(a, b), y.get(a, b)]]))
            }
            Term::Difference(x, y) => {
                let (x, y) = (same(self, x), opposite(self, y));
                self.pairwise(goal, |a, b| Ways::from([[x.get(a, b), !y.get(a, b)]]))
            }
            Term::Complement(x) => {
                let x = opposite(self, x);
                self.pairwise(goal, |a, b| one(!x.get(a, b)))
            }
            Term::Product(s, t) => {
                let (s, t) = (same(self, s), same(self, t));
                self.pairwise(goal, |a, b| Ways::from([[s.get(a, a), t.get(b, b)]]))
            }
            Term::IdentityOn(x) | Term::Optional(x) => {
                let x = same(self, x);
                self.pairwise(goal, |a, b| one(x.get(a, b)))
            }
            Term::RestrictDomain(s, r) => {
                let (s, r) = (same(self, s), same(self, r));
                self.pairwise(goal, |a, b| Ways::from([[s.get(a, a), r.get(a, b)]]))
            }
            Term::RestrictRange(r, s) => {
                let (r, s) = (same(self, r), same(self, s));
                self.pairwise(goal, |a, b| Ways::from([[r.get(a, b), s.get(b, b)]]))
            }
            Term::DifferentValues(r) => {
                let (r, differ) = (same(self, r), self.base.differ_literals());
                self.pairwise(goal, |a, b| Ways::from([[r.get(a, b), differ.get(a, b)]]))
            }
            Term::Inverse(r) => {
                let r = same(self, r).inverse();
                self.pairwise(goal, |a, b| one(r.get(a, b)))
            }
            // What is filtered out is not open.
            Term::Sequence(r, s) if self.bounds.is_filter(r) => {
                let s = same(self, s);
                self.pairwise(goal, |a, b| one(s.get(a, b)))
            }
            Term::Sequence(r, s) if self.bounds.is_filter(s) => {
                let r = same(self, r);
                self.pairwise(goal, |a, b| one(r.get(a, b)))
            }
            Term::Sequence(r, s) => self.sequence(goal, r, s),
            Term::Domain(r) => {
                let literals = same(self, r);
                self.domain(goal, &literals, self.strict[r.index()][1])
            }
            Term::Range(r) => {
                let literals = same(self, r).inverse();
                self.domain(goal, &literals, self.strict[r.index()][0])
            }
            Term::Variable(..) => self.variable(goal),
            Term::Fixpoint(group, index) => {
                self.fixpoint(goal.direction, group);
                (*self.literals(self.terms.variable(group, index), goal.direction)).clone()
            }
        }
    }

    fn pairwise(&mut self, goal: Goal<'_>, ways: impl Fn(EventId, EventId) -> Ways) -> Matrix {
        let lits: Vec<_> =
            goal.pairs.iter().map(|(a, b)| (a, b, self.define(goal, a, b, ways(a, b)))).collect();
        Matrix::new(self.bounds.of(goal.id).must.clone(), lits)
    }

    /// `domain(r)`, or `range(r)` from the inverse. `strict`: whether literals of `r` imply that
    /// its second event is executed.
    fn domain(&mut self, goal: Goal<'_>, r: &Matrix, strict: bool) -> Matrix {
        let mut lits = Vec::new();
        for a in goal.pairs.domain().iter() {
            let mut ways = Ways::default();
            for b in r.must.successors(a) {
                ways.push(Way::new([self.passing(a, b)]));
            }
            for &(b, lit) in r.row(a) {
                let executed = if strict { Lit::TRUE } else { self.passing(a, b) };
                ways.push(Way::new([lit, executed]));
            }
            lits.push((a, a, self.define(goal, a, a, ways)));
        }
        Matrix::new(self.bounds.of(goal.id).must.clone(), lits)
    }

    /// Whether `b` is executed, given that `a` is.
    fn passing(&self, a: EventId, b: EventId) -> Lit {
        if self.frame.implies.contains(a, b) { Lit::TRUE } else { self.graph.nodes[b].exec }
    }

    fn sequence(&mut self, goal: Goal<'_>, r: TermId, s: TermId) -> Matrix {
        let ends = [self.strict[r.index()], self.strict[s.index()]];
        let (first, second) = self.operands(goal, r, s);
        let mut lits = Vec::new();
        for a in goal.pairs.domain().iter() {
            let mut row = Row::new(a, goal, self.frame.size);
            for (b, lit) in entries(&first, a) {
                self.through(&mut row, b, lit, &second, ends);
            }
            self.finish(goal, row, &mut lits);
        }
        Matrix::new(self.bounds.of(goal.id).must.clone(), lits)
    }

    /// The operands of `r; s`. If `p; s` is in `s`, a certain pair of `r` makes those needless that
    /// are made of it and a certain pair of `p`: what goes on from there can go on from here. The
    /// same the other way round, but not both at once, since that could go in circles.
    fn operands(&self, goal: Goal<'_>, r: TermId, s: TermId) -> (Rc<Matrix>, Rc<Matrix>) {
        let (first, second) = (self.literals(r, goal.direction), self.literals(s, goal.direction));
        let must = |id: TermId| &self.bounds.of(id).must;
        let usable = |id: &TermId| {
            let closed = self.terms.node(*id).open.is_empty();
            closed && !must(*id).is_empty() && must(*id).topological_order().is_some()
        };
        if let Some(p) = closed_before(self.terms, s).filter(usable) {
            let needless = self.frame.must_compose(&first.must, must(p));
            (Rc::new(first.without(&needless)), second)
        } else if let Some(p) = closed_behind(self.terms, r).filter(usable) {
            let needless = self.frame.must_compose(must(p), &second.must);
            (first, Rc::new(second.without(&needless)))
        } else {
            (first, second)
        }
    }

    /// Adds to a row the ways over `b`, which is reached by `first`, along `s`.
    fn through(&self, row: &mut Row<'_>, b: EventId, first: Lit, s: &Matrix, ends: [Ends; 2]) {
        let (from, wanted) = (row.from, row.goal.pairs);
        for c in s.must.successors(b).filter(|&c| wanted.contains(from, c)) {
            let way = self.way([from, b, c], [first, Lit::TRUE], ends);
            row.push(c, way);
        }
        for &(c, second) in s.row(b) {
            if wanted.contains(from, c) {
                let way = self.way([from, b, c], [first, second], ends);
                row.push(c, way);
            }
        }
    }

    /// The way from `a` over `b` to `c` by two literals: `b` must be executed. If open pairs of
    /// the operands imply that the outer events are, so does the result (see
    /// [`strict`](super::strict)).
    fn way(&self, [a, b, c]: [EventId; 3], [first, second]: [Lit; 2], ends: [Ends; 2]) -> Way {
        let [from, to] = [first, second].map(|lit| lit != Lit::TRUE);
        // Executed because of the literals.
        let sure = [from && ends[0][0], from && ends[0][1] || to && ends[1][0], to && ends[1][1]];
        let events = [a, b, c];
        let follows = |event: EventId| {
            let because = |i: usize| sure[i] && self.frame.implies.contains(events[i], event);
            self.graph.nodes[event].exec == Lit::TRUE || (0..3).any(because)
        };
        let mut way = Way::new([first, second]);
        for (event, wanted) in [(a, ends[0][0]), (c, ends[1][1])] {
            if wanted && !follows(event) {
                way.push(self.graph.nodes[event].exec);
            }
        }
        if !follows(b) && !self.frame.between(a, b, c) {
            way.push(self.graph.nodes[b].exec);
        }
        way
    }

    /// Defines the literals of a row.
    fn finish(
        &mut self,
        goal: Goal<'_>,
        mut row: Row<'_>,
        lits: &mut Vec<(EventId, EventId, Lit)>,
    ) {
        let from = row.from;
        for c in goal.pairs.successors(from) {
            let ways = row.take(c);
            lits.push((from, c, self.define(goal, from, c, ways)));
        }
    }

    /// Follows a path step by step. Steps that are certain can be followed one by one, so those
    /// that are made of shorter ones are left out.
    fn follow(&mut self, goal: Goal<'_>, path: Path) -> Matrix {
        let whole = self.variable(goal);
        let seed = self.literals(path.seed, goal.direction);
        let steps = self.literals(path.step, goal.direction);
        let steps = Matrix::new(shortest(self.frame, &steps.must), steps.open());
        let [step, rest] = [path.step, goal.id].map(|id| self.strict[id.index()]);
        for a in goal.pairs.domain().iter() {
            let mut row = Row::new(a, goal, self.frame.size);
            for &(c, lit) in seed.row(a) {
                row.push(c, Way::new([lit]));
            }
            match self.needs.side(goal.id, goal.direction) {
                Side::StepFirst => {
                    for (b, first) in entries(&steps, a) {
                        self.through(&mut row, b, first, &whole, [step, rest]);
                    }
                }
                Side::StepLast => {
                    for (b, first) in entries(&whole, a) {
                        self.through(&mut row, b, first, &steps, [rest, step]);
                    }
                }
            }
            for c in goal.pairs.successors(a) {
                let ways = row.take(c);
                self.equate(goal, a, c, whole.get(a, c), ways);
            }
        }
        whole
    }

    /// New literals for what is defined in terms of itself.
    fn variable(&mut self, goal: Goal<'_>) -> Matrix {
        let mut lits = Vec::new();
        for (a, b) in goal.pairs.iter() {
            let lit = if self.is_forbidden(goal, a, b) { Lit::FALSE } else { self.formula.fresh() };
            lits.push((a, b, lit));
        }
        Matrix::new(self.bounds.of(goal.id).must.clone(), lits)
    }

    /// Ties the names of a group to their definitions, unless that has been done: also those that
    /// are not asked for from outside.
    fn fixpoint(&mut self, direction: Direction, group: GroupId) {
        if !self.tied.insert((group, direction)) {
            return;
        }
        let (terms, needs) = (self.terms, self.needs);
        let group = terms.group(group);
        for (&variable, &body) in group.variables.iter().zip(&group.bodies) {
            let Some(pairs) = needs.of(variable, direction) else { continue };
            let goal = Goal { id: variable, direction, pairs };
            let names = self.literals(variable, direction);
            let bodies = self.literals(body, direction);
            for (a, b) in pairs.iter() {
                self.equate(goal, a, b, names.get(a, b), one(bodies.get(a, b)));
            }
        }
    }

    fn is_forbidden(&self, goal: Goal<'_>, a: EventId, b: EventId) -> bool {
        let covers = goal.direction == Direction::Covers;
        covers && self.forbidden.of(goal.id).is_some_and(|pairs| pairs.contains(a, b))
    }

    /// The literal of a pair that comes about in these ways.
    fn define(&mut self, goal: Goal<'_>, a: EventId, b: EventId, mut ways: Ways) -> Lit {
        ways.simplify();
        if self.is_forbidden(goal, a, b) {
            self.forbid(goal.id, a, b, &ways);
            return Lit::FALSE;
        }
        if let Some(lit) = ways.single() {
            return lit;
        }
        let lit = self.formula.fresh();
        self.tie(goal, lit, &ways);
        lit
    }

    /// As [`define`](Self::define), for a literal that exists.
    fn equate(&mut self, goal: Goal<'_>, a: EventId, b: EventId, lit: Lit, mut ways: Ways) {
        ways.simplify();
        if self.is_forbidden(goal, a, b) {
            self.forbid(goal.id, a, b, &ways);
        } else {
            self.tie(goal, lit, &ways);
        }
    }

    /// No way may be taken if both events are executed.
    fn forbid(&mut self, id: TermId, a: EventId, b: EventId, ways: &Ways) {
        let strict = self.strict[id.index()];
        let ends = [(a, strict[0]), (b, strict[1])];
        for way in ways.iter() {
            let mut clause: Vec<Lit> = way.lits().map(|lit| !lit).collect();
            clause
                .extend(ends.iter().filter(|end| !end.1).map(|end| !self.graph.nodes[end.0].exec));
            self.formula.clause(&clause);
        }
    }

    /// Whether pairs of a term could justify each other: those of a recursive definition, and of a
    /// path unless an axiom keeps its steps from going in circles.
    fn may_circle(&self, id: TermId) -> bool {
        let straight = |path: Path| {
            let acyclic = |&whole: &TermId| in_closure(self.terms, path.step, whole);
            self.acyclic.iter().any(acyclic)
        };
        let path = path(self.terms, self.bounds, id);
        !self.terms.node(id).open.is_empty() || path.is_some_and(|path| !straight(path))
    }

    fn tie(&mut self, goal: Goal<'_>, lit: Lit, ways: &Ways) {
        match goal.direction {
            Direction::Covers => {
                for way in ways.iter() {
                    let clause: Vec<Lit> = way.lits().map(|lit| !lit).chain([lit]).collect();
                    self.formula.clause(&clause);
                }
            }
            Direction::Within => {
                let recursive = self.may_circle(goal.id);
                self.support.demand(self.formula, lit, ways, recursive);
            }
        }
    }
}

fn one(lit: Lit) -> Ways {
    Ways::from([[lit]])
}

/// The pairs of one event, known and open.
fn entries(r: &Matrix, a: EventId) -> impl Iterator<Item = (EventId, Lit)> + '_ {
    r.must.successors(a).map(|b| (b, Lit::TRUE)).chain(r.row(a).iter().copied())
}

/// Without the pairs that are made of two others over an event that is executed if the ends are.
/// All of `r` if that could go in circles.
fn shortest(frame: &Frame, r: &Rc<Relation>) -> Rc<Relation> {
    if r.topological_order().is_none() {
        return r.clone();
    }
    Rc::new(r.difference(&frame.must_compose(r, r)))
}

/// The ways of one row while they are collected, by their last event.
struct Row<'b> {
    from: EventId,
    goal: Goal<'b>,
    ways: Vec<Ways>,
}

impl<'b> Row<'b> {
    fn new(from: EventId, goal: Goal<'b>, size: usize) -> Self {
        Self { from, goal, ways: vec![Ways::default(); size] }
    }

    fn push(&mut self, to: EventId, way: Way) {
        if self.goal.pairs.contains(self.from, to) {
            self.ways[to.index()].push(way);
        }
    }

    fn take(&mut self, to: EventId) -> Ways {
        std::mem::take(&mut self.ways[to.index()])
    }
}
