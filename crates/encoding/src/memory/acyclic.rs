//! The demand that a relation has no cycle, as a graph for the ordering layer.
//!
//! The relation's union is taken apart, and every part gives its own edges. Two things keep the
//! graph small. First, `e; r; e` with an equivalence `e` (the operations of a data type, atomic
//! sections) has a cycle iff `r` has one between the classes, so a class is one node. Second, an
//! event that is not executed must not lead from one to another: in general the way over it
//! needs its `exec` literal, by splitting the node in two. Most events can do without, because
//! whatever they lead from and to is related anyway (program order is like that) and all other
//! edges at them are only there if they are executed.
//!
//! An edge that is forgotten allows too much; a way that is there although its event is not
//! executed forbids too much.

use super::bounds::{Bound, Bounds};
use super::need::{Direction, Needs};
use super::relate::Relate;
use super::strict::Ends;
use execution::event::EventId;
use execution::ids::Id;
use execution::relation::Relation;
use models::algebra::{Term, TermId, Terms};
use sat::Lit;
use std::collections::BTreeSet;

/// A relation that must have no cycle.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its parts.
    parts: Vec<TermId>,
    /// The node of each event: the first event of its class.
    classes: Vec<EventId>,
}

impl Plan {
    /// How the cycles of `term` are looked for.
    pub fn new(terms: &Terms, bounds: &Bounds<'_>, term: TermId) -> Self {
        let size = bounds.of(term).may.size();
        if let Some((inner, classes)) = quotient(terms, bounds, term) {
            return Self { parts: parts(terms, bounds, inner), classes };
        }
        let classes = (0..size).map(EventId::new).collect();
        Self { parts: parts(terms, bounds, term), classes }
    }

    /// Asks for the literals that can be on a cycle.
    pub fn need(&self, bounds: &Bounds<'_>, needs: &mut Needs<'_>) {
        let size = self.classes.len();
        let mut whole = Relation::empty(size);
        for &part in &self.parts {
            for (a, b) in bounds.of(part).may.iter() {
                whole.insert(self.classes[a.index()], self.classes[b.index()]);
            }
        }
        let back = whole.transitive_closure().inverse();
        let mut cyclic = Relation::empty(size);
        for &part in &self.parts {
            for (a, b) in bounds.of(part).may.iter() {
                if back.contains(self.classes[a.index()], self.classes[b.index()]) {
                    cyclic.insert(a, b);
                }
            }
        }
        for &part in &self.parts {
            needs.add(part, Direction::Covers, &cyclic);
        }
    }

    /// The edges, once there are literals.
    pub fn edges(&self, relate: &Relate<'_>) -> Edges {
        let size = self.classes.len();
        let mut edges = Edges {
            classes: self.classes.clone(),
            must: Relation::empty(size),
            loose: [Relation::empty(size), Relation::empty(size)],
            open: BTreeSet::new(),
        };
        for &part in &self.parts {
            let literals = relate.literals(part, Direction::Covers);
            edges.must = edges.must.union(&literals.must);
            for (a, b, lit) in literals.open() {
                edges.add(a, b, lit, relate.strict[part.index()]);
            }
        }
        edges
    }
}

/// The operands of a union; a composition with a known identity is what is composed.
fn parts(terms: &Terms, bounds: &Bounds<'_>, term: TermId) -> Vec<TermId> {
    let identity = |id: TermId| {
        let bound: &Bound = bounds.of(id);
        bound.is_exact() && bound.may.count() == bound.may.size() && bounds.is_filter(id)
    };
    let mut found = Vec::new();
    let mut stack = vec![term];
    while let Some(id) = stack.pop() {
        match terms.node(id).term {
            Term::Union(a, b) => stack.extend([b, a]),
            // Many steps of a cycle are steps of it.
            Term::Plus(r) => stack.push(r),
            Term::Sequence(a, b) if identity(b) => stack.push(a),
            Term::Sequence(a, b) if identity(a) => stack.push(b),
            _ if found.contains(&id) => {}
            _ => found.push(id),
        }
    }
    found
}

/// Recognises `e; r; e` for a known equivalence `e`: `r` and the classes.
fn quotient(terms: &Terms, bounds: &Bounds<'_>, term: TermId) -> Option<(TermId, Vec<EventId>)> {
    let sequence = |id: TermId| match terms.node(id).term {
        Term::Sequence(a, b) => Some((a, b)),
        _ => None,
    };
    let (first, second) = sequence(term)?;
    let (e, inner) = match (sequence(first), sequence(second)) {
        (Some((e, inner)), _) if e == second => (e, inner),
        (_, Some((inner, e))) if e == first => (e, inner),
        _ => return None,
    };
    let bound = bounds.of(e);
    let r = &bound.may;
    let equivalence = bound.is_exact()
        && **r == r.reflexive()
        && **r == r.inverse()
        && **r == r.transitive_closure();
    if !equivalence {
        return None;
    }
    let events = (0..r.size()).map(EventId::new);
    let classes = events.map(|event| r.successors(event).next().unwrap_or(event)).collect();
    Some((inner, classes))
}

/// The edges of a relation that must have no cycle.
#[derive(Clone, Debug)]
pub struct Edges {
    classes: Vec<EventId>,
    /// There if both events are executed.
    must: Relation,
    /// There if the literal is true and both events are executed.
    open: BTreeSet<(EventId, EventId, Lit)>,
    /// The open ones whose literals may be true although the first, the second event is not
    /// executed.
    loose: [Relation; 2],
}

impl Edges {
    fn add(&mut self, a: EventId, b: EventId, lit: Lit, strict: Ends) {
        if self.must.contains(a, b) || lit == Lit::FALSE {
            return;
        }
        self.open.insert((a, b, lit));
        for (loose, strict) in self.loose.iter_mut().zip(strict) {
            if !strict {
                loose.insert(a, b);
            }
        }
    }

    /// Whether the other relation has no cycle if this one has none.
    pub fn contains(&self, other: &Self) -> bool {
        let discrete = |edges: &Self| edges.classes.iter().enumerate().all(|(i, c)| c.index() == i);
        (other.classes == self.classes || discrete(other))
            && other.must.difference(&self.must).is_empty()
            && other
                .open
                .iter()
                .all(|edge| self.must.contains(edge.0, edge.1) || self.open.contains(edge))
    }

    /// Demands that there is no cycle if `condition` holds.
    pub fn demand(&self, relate: &mut Relate<'_>, condition: Lit, strategy: sat::order::Strategy) {
        let size = self.classes.len();
        let mut edges: Vec<(u32, u32, Lit)> = Vec::new();
        let number = |event: EventId| event.index() as u32;
        let class = |event: EventId| number(self.classes[event.index()]);
        let entry = |event: EventId| number(event) + size as u32;
        let exit = |event: EventId| number(event) + 2 * size as u32;
        let members = self.members();
        let alone = |event: EventId| members[class(event) as usize] == 1;
        let guarded = self.guarded(relate, &members);
        let is_guarded = |event: EventId| guarded[event.index()];
        for event in relate.graph.nodes.ids().filter(|&event| is_guarded(event)) {
            let exec = relate.graph.nodes[event].exec;
            if !alone(event) {
                edges.push((entry(event), class(event), exec));
            }
            edges.push((class(event), exit(event), exec));
        }
        let from = |event: EventId| if is_guarded(event) { exit(event) } else { class(event) };
        let to = |event: EventId| {
            if is_guarded(event) && !alone(event) { entry(event) } else { class(event) }
        };
        for (a, b) in self.must.iter() {
            edges.push((from(a), to(b), condition));
        }
        for &(a, b, lit) in &self.open {
            let lit = relate.formula.and(&[lit, condition]);
            edges.push((from(a), to(b), lit));
        }
        sat::order::acyclic(relate.formula, 3 * size, &edges, strategy);
    }

    /// How many events each node stands for.
    fn members(&self) -> Vec<u32> {
        let mut members = vec![0; self.classes.len()];
        for class in &self.classes {
            members[class.index()] += 1;
        }
        members
    }

    /// The events over which passing must be made to depend on their execution.
    fn guarded(&self, relate: &Relate<'_>, members: &[u32]) -> Vec<bool> {
        let (out, into) = (self.must.union(&self.loose[0]), self.must.union(&self.loose[1]));
        let back = into.inverse();
        let guard = |event: EventId| {
            let touched = |r: &Relation| r.successors(event).next().is_some();
            if relate.graph.nodes[event].exec == Lit::TRUE {
                return false;
            }
            if members[self.classes[event.index()].index()] > 1 {
                return touched(&out) || touched(&back);
            }
            // Cycles can be shortened over the event if whatever it leads from and to is related,
            // but they must not end at it.
            out.contains(event, event)
                || back.contains(event, event)
                || back.successors(event).any(|before| {
                    out.successors(event).any(|after| !self.must.contains(before, after))
                })
        };
        relate.graph.nodes.ids().map(guard).collect()
    }
}
