//! Acyclicity of a graph whose edges are literals, by one of several strategies.
//!
//! All strategies first reduce the graph to its strongly connected components and draw the
//! consequences of the edges that are always there ([`reduce`]); they give the same answers.

mod bits;
mod chordal;
mod closure;
pub(crate) mod lazy;
mod pairs;
mod reduce;
mod theory;

use crate::{Cnf, Formula, Lit};
use bits::BitMatrix;
use std::rc::Rc;
pub(crate) use theory::Theory;

/// How acyclicity is demanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// A variable for every pair of nodes and two clauses for every three: a reference, and good
    /// for small graphs.
    AllPairs,
    /// Variables for the pairs that the edges mention and that eliminating nodes adds.
    Chordal,
    /// A theory inside the solver's search: no clauses at all.
    Theory,
    /// Ask, look for cycles, exclude them, repeat.
    Lazy,
}

impl Strategy {
    /// A good choice for a graph of this size.
    pub fn for_size(_nodes: usize, _edges: usize) -> Self {
        Self::Chordal
    }
}

/// Makes the graph of the edges whose literals are true acyclic.
///
/// Edges are (from, to, literal), with nodes numbered from 0; the same pair may have several.
///
/// # Panics
/// If an edge has a node that is not below `nodes`.
pub fn acyclic(formula: &mut Formula, nodes: usize, edges: &[(u32, u32, Lit)], strategy: Strategy) {
    let reduced = reduce::reduce(nodes, edges);
    for lit in reduced.impossible {
        formula.clause(&[!lit]);
    }
    for graph in reduced.graphs {
        match strategy {
            Strategy::AllPairs => pairs::encode(&mut formula.cnf, &graph),
            Strategy::Chordal => graph.encode(&mut formula.cnf),
            Strategy::Theory => formula.watch(graph),
            Strategy::Lazy => formula.lazy.push(Rc::new(graph)),
        }
    }
}

/// A strongly connected graph of edges that are not decided by the static ones.
pub struct Graph {
    /// What the static edges lead to, transitively; acyclic.
    fixed: BitMatrix,
    /// Edges between nodes that `fixed` does not relate, no literal constant.
    pub(crate) edges: Vec<Edge>,
}

/// An edge that is there if its literal is true.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) lit: Lit,
}

impl Graph {
    fn nodes(&self) -> usize {
        self.fixed.size()
    }

    /// Demands acyclicity by clauses, the way that is best for them.
    pub(crate) fn encode(&self, cnf: &mut Cnf) {
        chordal::encode(cnf, self);
    }

    /// The fewest static edges that lead wherever all of them do.
    fn fixed_steps(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.nodes()).flat_map(move |from| {
            self.fixed
                .row(from)
                .filter(move |&to| !self.fixed.row(from).any(|between| self.fixed.get(between, to)))
                .map(move |to| (from, to))
        })
    }
}
