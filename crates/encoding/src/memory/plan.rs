//! How the cycles of a relation are looked for.
//!
//! Its union is split, and every part gives its own edges. An equivalence `e` (the operations
//! of a data type, atomic sections) makes nodes of its classes: `e; r; e | s`, with `s` inside `e`,
//! has a cycle iff `r` has one between the classes or `s` has one, because a part of a cycle
//! inside a class can be left out.

use super::acyclic::Edges;
use super::bounds::{Bound, Bounds, Frame};
use super::polarity::{Direction, Needs};
use super::relate::Relate;
use crate::graph::Edges as Pairs;
use execution::event::EventId;
use execution::ids::Id;
use execution::relation::Relation;
use models::algebra::{Term, TermId, Terms};

/// Graphs that have no cycles iff a relation has none.
#[derive(Clone, Debug)]
pub struct Plan {
    graphs: Vec<Graph>,
}

#[derive(Clone, Debug)]
struct Graph {
    /// The terms whose pairs are its edges.
    parts: Vec<TermId>,
    /// The node of each event: the first event of its class.
    classes: Vec<EventId>,
    /// Pairs that are not in the relation but must cause no cycle either, if the literal is true,
    /// which implies that both events are executed.
    further: Pairs,
}

impl Plan {
    /// How the cycles of `term` are looked for.
    pub fn new(terms: &Terms, bounds: &Bounds<'_>, frame: &Frame, term: TermId) -> Self {
        let all = parts(terms, bounds, &[term]);
        let single = || (0..frame.size).map(EventId::new).collect();
        let classes = |e: TermId| classes(bounds.of(e), frame);
        let framed = all.iter().find_map(|&part| framed(terms, part).map(|(e, _)| e));
        if let Some(e) = framed
            && let Some(classes) = classes(e)
        {
            let inner = |part: &TermId| framed_by(terms, *part, e);
            let (between, inside): (Vec<_>, Vec<_>) =
                all.iter().copied().partition(|part| inner(part).is_some());
            let within = |part: &TermId| bounds.of(*part).may.difference(&bounds.of(e).may);
            if inside.iter().all(|part| within(part).is_empty()) {
                let between: Vec<TermId> = between.iter().filter_map(inner).collect();
                let between = parts(terms, bounds, &between);
                let graphs = vec![
                    Graph { parts: between, classes, further: Pairs::new() },
                    Graph { parts: inside, classes: single(), further: Pairs::new() },
                ];
                return Self { graphs };
            }
        }
        Self { graphs: vec![Graph { parts: all, classes: single(), further: Pairs::new() }] }
    }

    /// Adds pairs that must cause no cycle either; a literal that is true implies that both events
    /// are executed, and they are in different classes.
    pub fn add(&mut self, further: &Pairs) {
        // The first graph is the one between the classes.
        self.graphs[0].further.extend(further);
    }

    /// Asks for the literals that can be on a cycle.
    pub fn need(&self, bounds: &Bounds<'_>, needs: &mut Needs<'_>) {
        self.graphs.iter().for_each(|graph| graph.need(bounds, needs));
    }

    /// The edges of the graphs, once there are literals.
    pub fn edges(&self, relate: &Relate<'_>) -> Vec<Edges> {
        let of = |graph: &Graph| {
            let mut edges = Edges::new(&graph.classes);
            graph.parts.iter().for_each(|&part| edges.add_term(relate, part));
            graph.further.iter().for_each(|(&(a, b), &lit)| edges.add(a, b, lit, [true; 2]));
            edges
        };
        self.graphs.iter().map(of).collect()
    }
}

impl Graph {
    fn need(&self, bounds: &Bounds<'_>, needs: &mut Needs<'_>) {
        let size = self.classes.len();
        let mut whole = Relation::empty(size);
        for &part in &self.parts {
            for (a, b) in bounds.of(part).may.iter() {
                whole.insert(self.classes[a.index()], self.classes[b.index()]);
            }
        }
        for (a, b) in self.further.keys() {
            whole.insert(self.classes[a.index()], self.classes[b.index()]);
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
}

/// The operands of a union; a composition with a known identity is what is composed.
fn parts(terms: &Terms, bounds: &Bounds<'_>, of: &[TermId]) -> Vec<TermId> {
    let identity = |id: TermId| {
        let bound: &Bound = bounds.of(id);
        bound.is_exact() && bound.may.count() == bound.may.size() && bounds.is_filter(id)
    };
    let mut found = Vec::new();
    let mut stack = of.to_vec();
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

/// Recognises `e; r; e`: `e` and `r`.
fn framed(terms: &Terms, id: TermId) -> Option<(TermId, TermId)> {
    let sequence = |id: TermId| match terms.node(id).term {
        Term::Sequence(a, b) => Some((a, b)),
        _ => None,
    };
    let (first, second) = sequence(id)?;
    match (sequence(first), sequence(second)) {
        (Some((e, inner)), _) if e == second => Some((e, inner)),
        (_, Some((inner, e))) if e == first => Some((e, inner)),
        _ => None,
    }
}

fn framed_by(terms: &Terms, id: TermId, wanted: TermId) -> Option<TermId> {
    framed(terms, id).filter(|&(e, _)| e == wanted).map(|(_, inner)| inner)
}

/// The first event of each event's class, if the relation is known to be an equivalence between
/// the events of any one execution.
fn classes(bound: &Bound, frame: &Frame) -> Option<Vec<EventId>> {
    let r = &bound.may;
    let closed = r.transitive_closure();
    let equivalence = bound.is_exact()
        && **r == r.reflexive()
        && **r == r.inverse()
        && **r == closed.intersection(&frame.together);
    let events = (0..frame.size).map(EventId::new);
    let first = |event: EventId| closed.successors(event).next().unwrap_or(event);
    equivalence.then(|| events.map(first).collect())
}
