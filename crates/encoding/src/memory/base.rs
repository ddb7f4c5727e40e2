//! The words that a model starts from, with their bounds and literals: those that the graph
//! provides, those that follow from the events, and the choices `rf` and `co`.

use super::bounds::{Bound, Frame};
use super::coherence::Coherence;
use super::matrix::Matrix;
use crate::graph::{Edges, Graph};
use execution::event::{EventId, EventKind};
use execution::relation::Relation;
use models::algebra::Sort;
use sat::Lit;

/// Base words over one graph.
pub struct Base<'a> {
    graph: &'a Graph,
    frame: &'a Frame,
    /// Pairs that cannot be in `rf`.
    pub not_rf: Relation,
    /// Pairs that cannot be in `co`.
    pub not_co: Relation,
}

/// What all executions of a graph have in common.
pub fn frame(graph: &Graph) -> Frame {
    let size = graph.nodes.len();
    let mut together = Relation::full(size).difference(&graph.excludes);
    let mut implies = graph.implies.union(&Relation::identity(size));
    for (a, first) in graph.nodes.enumerate() {
        together.insert(a, a);
        for (b, second) in graph.nodes.enumerate() {
            if second.exec == Lit::TRUE || first.exec == second.exec {
                implies.insert(a, b);
            }
        }
    }
    let implied = implies.inverse();
    Frame { size, together, implies, implied }
}

impl<'a> Base<'a> {
    /// The base words of `graph`.
    pub fn new(graph: &'a Graph, frame: &'a Frame) -> Self {
        let none = Relation::empty(frame.size);
        Self { graph, frame, not_rf: none.clone(), not_co: none }
    }

    /// The bounds of a word; nothing is related by one that the graph does not know.
    pub fn bound(&self, name: &str, sort: Sort) -> Bound {
        match (name, sort) {
            ("rf", Sort::Relation) => self.reads_from(),
            ("co", Sort::Relation) => self.coherence(),
            ("loc", Sort::Relation) => {
                let loc = self.edges(&self.graph.loc);
                let own = self.accesses();
                Bound::between(loc.must.union(&own), loc.may.union(&own))
            }
            ("int", Sort::Relation) => {
                self.same(|graph, a, b| graph.nodes[a].thread == graph.nodes[b].thread)
            }
            ("same-instr", Sort::Relation) => self.same(|graph, a, b| {
                let (first, second) = (&graph.nodes[a], &graph.nodes[b]);
                let own = first.thread.is_some() && first.thread == second.thread;
                a == b || own && first.instruction == second.instruction
            }),
            (_, Sort::Relation) => match self.graph.relations.get(name) {
                Some(edges) => self.edges(edges),
                None => Bound::exact(Relation::empty(self.frame.size)),
            },
            (_, Sort::Set) => {
                let mut must = Relation::empty(self.frame.size);
                let mut may = must.clone();
                for (&event, &lit) in self.graph.sets.get(name).into_iter().flatten() {
                    if lit != Lit::FALSE {
                        may.insert(event, event);
                    }
                    if lit == Lit::TRUE {
                        must.insert(event, event);
                    }
                }
                Bound::between(must, may)
            }
        }
    }

    /// The bounds of the pairs with different values.
    pub fn differ(&self) -> Bound {
        self.edges(&self.graph.differ)
    }

    /// The literals of a word for the pairs that its bounds leave open.
    pub fn literals(&self, name: &str, sort: Sort, co: &Coherence) -> Matrix {
        let bound = self.bound(name, sort);
        let open = bound.open();
        let lit = |a: EventId, b: EventId| match (name, sort) {
            ("rf", Sort::Relation) => self.graph.rf[&(a, b)],
            ("co", Sort::Relation) => co.lit(a, b),
            ("loc", Sort::Relation) => self.graph.loc[&(a, b)],
            (_, Sort::Relation) => self.graph.relations[name][&(a, b)],
            (_, Sort::Set) => self.graph.sets[name][&a],
        };
        Matrix::new(bound.must, open.iter().map(|(a, b)| (a, b, lit(a, b))))
    }

    /// The literals of the pairs with different values.
    pub fn differ_literals(&self) -> Matrix {
        let bound = self.differ();
        let open = bound.open();
        Matrix::new(bound.must, open.iter().map(|(a, b)| (a, b, self.graph.differ[&(a, b)])))
    }

    fn edges(&self, edges: &Edges) -> Bound {
        let mut must = Relation::empty(self.frame.size);
        let mut may = must.clone();
        for (&(a, b), &lit) in edges {
            if lit != Lit::FALSE && self.frame.together.contains(a, b) {
                may.insert(a, b);
                if lit == Lit::TRUE {
                    must.insert(a, b);
                }
            }
        }
        Bound::between(must, may)
    }

    fn same(&self, same: impl Fn(&Graph, EventId, EventId) -> bool) -> Bound {
        let mut relation = Relation::empty(self.frame.size);
        for a in self.graph.nodes.ids() {
            for b in self.graph.nodes.ids() {
                if same(self.graph, a, b) {
                    relation.insert(a, b);
                }
            }
        }
        Bound::exact(relation.intersection(&self.frame.together))
    }

    fn accesses(&self) -> Relation {
        let mut own = Relation::empty(self.frame.size);
        for (event, node) in self.graph.nodes.enumerate() {
            if matches!(node.kind, EventKind::Read | EventKind::Write) {
                own.insert(event, event);
            }
        }
        own
    }

    /// A read with a single write to read from reads from it.
    fn reads_from(&self) -> Bound {
        let may = self.edges(&self.graph.rf).may.difference(&self.not_rf);
        let mut must = Relation::empty(self.frame.size);
        let back = may.inverse();
        for read in self.graph.nodes.ids() {
            let mut writes = back.successors(read);
            if let (Some(write), None) = (writes.next(), writes.next()) {
                must.insert(write, read);
            }
        }
        Bound::between(must, may)
    }

    /// Initial writes come first; of two writes that cannot be ordered one way, the order is the
    /// other.
    fn coherence(&self) -> Bound {
        let loc = self.edges(&self.graph.loc);
        let mut may = Relation::empty(self.frame.size);
        for (a, b) in loc.may.difference(&self.not_co).iter() {
            let (first, second) = (&self.graph.nodes[a], &self.graph.nodes[b]);
            let writes = first.kind == EventKind::Write && second.kind == EventKind::Write;
            if a != b && writes && second.thread.is_some() {
                may.insert(a, b);
            }
        }
        let must = loc.must.intersection(&may).difference(&may.inverse());
        Bound::between(must, may)
    }
}
