//! The choice of coherence: a literal for each way of ordering two writes that may meet.
//!
//! Two writes that surely are executed at one location have one variable, true for one order and
//! false for the other. If they may not meet, each order has its own, which is true only if they
//! do. That the order is transitive is left to the code that demands that it has no cycle.

use super::bounds::Bound;
use crate::graph::{Edges, Graph};
use execution::event::{EventId, EventKind};
use execution::ids::Id;
use sat::{Formula, Lit};

/// The literals of `co`, given that both events are executed.
#[derive(Clone, Debug, Default)]
pub struct Coherence {
    lits: Edges,
}

impl Coherence {
    /// Makes the literals within `bound` and demands an order wherever two writes meet.
    pub fn new(formula: &mut Formula, graph: &Graph, bound: &Bound) -> Self {
        let mut coherence = Self::default();
        for (&(a, b), &loc) in &graph.loc {
            let (first, second) = (&graph.nodes[a], &graph.nodes[b]);
            let writes = first.kind == EventKind::Write && second.kind == EventKind::Write;
            let initial = first.thread.is_none() && second.thread.is_none();
            if !writes || initial || a >= b || loc == Lit::FALSE || graph.excludes.contains(a, b) {
                continue;
            }
            let forward = bound.may.contains(a, b);
            let backward = bound.may.contains(b, a);
            let meet = [loc, first.exec, second.exec];
            let [ab, ba] = match (forward, backward) {
                (false, false) => [Lit::FALSE; 2],
                (true, false) => [alone(formula, meet), Lit::FALSE],
                (false, true) => [Lit::FALSE, alone(formula, meet)],
                (true, true) => either(formula, meet),
            };
            formula.clause(&[ab, ba, !loc, !first.exec, !second.exec]);
            coherence.insert(a, b, ab);
            coherence.insert(b, a, ba);
        }
        coherence
    }

    fn insert(&mut self, a: EventId, b: EventId, lit: Lit) {
        if lit != Lit::FALSE {
            self.lits.insert((a, b), lit);
        }
    }

    /// The literal of a pair.
    pub fn lit(&self, a: EventId, b: EventId) -> Lit {
        self.lits.get(&(a, b)).copied().unwrap_or(Lit::FALSE)
    }

    /// All literals.
    pub fn into_edges(self) -> Edges {
        self.lits
    }
}

/// The literal of the only possible order: whether the writes meet.
fn alone(formula: &mut Formula, meet: [Lit; 3]) -> Lit {
    formula.and(&meet)
}

fn either(formula: &mut Formula, meet: [Lit; 3]) -> [Lit; 2] {
    let ab = formula.fresh();
    if meet == [Lit::TRUE; 3] {
        return [ab, !ab];
    }
    let ba = formula.fresh();
    formula.clause(&[!ab, !ba]);
    for lit in meet {
        formula.clause(&[!ab, lit]);
        formula.clause(&[!ba, lit]);
    }
    [ab, ba]
}

/// What follows for coherence when a read sees a write: any other write that meets the read meets
/// that write, so the two are ordered. This follows from the other clauses, but a solver
/// would see it only after it has found out by itself that the writes meet. (Where they are known
/// to meet nothing is added: totality and the definition of from-reads propagate as well.)
pub fn redundant(formula: &mut Formula, graph: &Graph, rf: &Bound, co: &Coherence) {
    for (write, read) in rf.may.iter() {
        let seen = graph.rf[&(write, read)];
        let first = (read, EventId::new(0));
        let at_read = graph.loc.range(first..).take_while(|entry| entry.0.0 == read);
        for (&(_, other), &meets) in at_read {
            let node = &graph.nodes[other];
            let open = |loc: &Lit| !loc.is_constant();
            if node.kind == EventKind::Write && graph.loc.get(&(write, other)).is_some_and(open) {
                let orders = [co.lit(write, other), co.lit(other, write)];
                formula.implies_any(&[seen, meets, node.exec], &orders);
            }
        }
    }
}

/// What follows for coherence where a write comes next after what a read sees ([`Graph::next`]):
/// the two are on the same side of every other write.
pub fn next(formula: &mut Formula, graph: &Graph, rf: &Bound, co: &Coherence) {
    let back = rf.may.inverse();
    for &(read, write) in &graph.next {
        for before in back.successors(read) {
            let seen = [graph.rf[&(before, read)], graph.nodes[write].exec];
            let first = (write, EventId::new(0));
            let at_write = graph.loc.range(first..).take_while(|entry| entry.0.0 == write);
            for (&(_, other), &loc) in at_write {
                let node = &graph.nodes[other];
                if node.kind != EventKind::Write || other == before {
                    continue;
                }
                let both = [seen[0], seen[1], node.exec, loc];
                let mut implied = |a: Lit, b: Lit| {
                    formula.implies_any(&[both[0], both[1], both[2], both[3], a], &[b]);
                };
                implied(co.lit(before, other), co.lit(write, other));
                implied(co.lit(other, write), co.lit(other, before));
            }
        }
    }
}
