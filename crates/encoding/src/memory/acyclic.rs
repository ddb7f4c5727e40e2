//! The demand that a relation has no cycle, as a graph for the ordering layer.
//!
//! An event that is not executed must not lead from one to another: in general the way over it
//! needs its `exec` literal, by splitting the node in two. Most events can do without, because
//! whatever they lead from and to is related anyway (program order is like that) and all other
//! edges at them are only there if they are executed.
//!
//! An edge that is forgotten allows too much; a way that is there although its event is not
//! executed forbids too much.

use super::polarity::Direction;
use super::relate::Relate;
use super::strict::Ends;
use execution::event::EventId;
use execution::ids::Id;
use execution::relation::Relation;
use models::algebra::TermId;
use sat::order::{Strategy, acyclic};
use sat::{Formula, Lit};
use std::collections::BTreeSet;

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
    /// No edges, between these nodes.
    pub fn new(classes: &[EventId]) -> Self {
        let none = Relation::empty(classes.len());
        let loose = [none.clone(), none.clone()];
        Self { classes: classes.to_vec(), must: none, open: BTreeSet::new(), loose }
    }

    /// Adds the pairs of a term.
    pub fn add_term(&mut self, relate: &Relate<'_>, term: TermId) {
        let literals = relate.literals(term, Direction::Covers);
        self.must = self.must.union(&literals.must);
        for (a, b, lit) in literals.open() {
            self.add(a, b, lit, relate.strict[term.index()]);
        }
    }

    /// Adds a pair; the literal may imply that its events are executed.
    pub fn add(&mut self, a: EventId, b: EventId, lit: Lit, strict: Ends) {
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
    pub fn demand(&self, relate: &mut Relate<'_>, condition: Lit, strategy: Option<Strategy>) {
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
        demand(relate.formula, 3 * size, edges, strategy);
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

/// Demands that a graph has no cycle, in the way that suits its size unless one is given.
pub fn demand(
    formula: &mut Formula,
    nodes: usize,
    mut edges: Vec<(u32, u32, Lit)>,
    strategy: Option<Strategy>,
) {
    let mut numbers = vec![None; nodes];
    let mut count = 0;
    for end in edges.iter_mut().flat_map(|edge| [&mut edge.0, &mut edge.1]) {
        *end = *numbers[*end as usize].get_or_insert_with(|| {
            count += 1;
            count - 1
        });
    }
    let nodes = count as usize;
    acyclic(formula, nodes, &edges, strategy.unwrap_or_default());
}
