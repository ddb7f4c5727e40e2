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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Elimination, or the theory where elimination would more than double the formula: for each
    /// graph what was best at its size (`benchmarks/ordering.md`).
    #[default]
    BySize,
}

/// With more nodes or edges, the clauses of elimination are not even counted.
const NODES_FOR_CLAUSES: usize = 500;
const EDGES_FOR_CLAUSES: usize = 100_000;

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
            Strategy::BySize => by_size(formula, graph),
            Strategy::Theory => formula.watch(graph),
            Strategy::Lazy => formula.lazy.push(Rc::new(graph)),
        }
    }
}

/// Makes a graph acyclic in the way that suits its size.
fn by_size(formula: &mut Formula, graph: Graph) {
    let large = graph.nodes() > NODES_FOR_CLAUSES || graph.edges.len() > EDGES_FOR_CLAUSES;
    let plan = (!large).then(|| chordal::Plan::new(&graph));
    match plan.filter(|plan| plan.clauses() <= formula.cnf.clauses()) {
        Some(plan) => plan.encode(&mut formula.cnf, &graph),
        None => formula.watch(graph),
    }
}

/// A strongly connected graph of edges that are not decided by the static ones.
pub struct Graph {
    /// What the static edges lead to, transitively; acyclic.
    fixed: BitMatrix,
    /// The fewest static edges that lead wherever all of them do.
    steps: Vec<(usize, usize)>,
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
    fn new(fixed: BitMatrix) -> Self {
        let steps = (0..fixed.size())
            .flat_map(|from| fixed.row(from).map(move |to| (from, to)))
            .filter(|&(from, to)| !fixed.row(from).any(|between| fixed.get(between, to)))
            .collect();
        Self { fixed, steps, edges: Vec::new() }
    }

    fn nodes(&self) -> usize {
        self.fixed.size()
    }

    /// Demands acyclicity by clauses, the way that is best for them.
    pub(crate) fn encode(&self, cnf: &mut Cnf) {
        chordal::Plan::new(self).encode(cnf, self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, BackendKind, Stats};

    const STRATEGIES: [Strategy; 5] =
        [Strategy::AllPairs, Strategy::Chordal, Strategy::Theory, Strategy::Lazy, Strategy::BySize];

    /// A formula with these edges, where `None` is a static one; the literals of the others.
    fn demand(
        strategy: Strategy,
        nodes: usize,
        edges: &[(u32, u32, Option<usize>)],
    ) -> (Formula, Vec<Lit>) {
        let mut formula = Formula::new(BackendKind::Cadical);
        let count = edges.iter().filter_map(|edge| edge.2).max().map_or(0, |last| last + 1);
        let lits: Vec<Lit> = (0..count).map(|_| formula.fresh()).collect();
        let edges: Vec<_> =
            edges.iter().map(|&(a, b, l)| (a, b, l.map_or(Lit::TRUE, |l| lits[l]))).collect();
        acyclic(&mut formula, nodes, &edges, strategy);
        (formula, lits)
    }

    fn size(stats: Stats) -> (u64, u64) {
        (stats.variables, stats.clauses)
    }

    #[test]
    fn an_edge_on_no_cycle_costs_nothing() {
        for strategy in STRATEGIES {
            let edges = [(0, 1, None), (1, 2, Some(0)), (0, 2, Some(1)), (3, 2, Some(2))];
            let (formula, _) = demand(strategy, 4, &edges);
            assert_eq!(size(formula.stats()), (4, 1), "{strategy:?}");
        }
    }

    #[test]
    fn what_static_edges_decide_costs_a_unit_or_nothing() {
        for strategy in STRATEGIES {
            let chain = [(0, 1, None), (1, 2, None), (2, 0, Some(0)), (0, 2, Some(1))];
            let (mut formula, lits) = demand(strategy, 3, &chain);
            assert_eq!(size(formula.stats()), (3, 2), "{strategy:?}");
            assert_eq!(formula.solve(&[lits[0]]), Answer::Unsat);
            assert_eq!(formula.solve(&[lits[1]]), Answer::Sat);
        }
    }

    #[test]
    fn a_loop_is_excluded_and_a_static_cycle_is_a_contradiction() {
        for strategy in STRATEGIES {
            let (mut formula, lits) = demand(strategy, 1, &[(0, 0, Some(0))]);
            assert_eq!(formula.solve(&[lits[0]]), Answer::Unsat);
            assert_eq!(formula.solve(&[]), Answer::Sat);
            let (mut formula, _) = demand(strategy, 2, &[(0, 1, None), (1, 0, None)]);
            assert_eq!(formula.solve(&[]), Answer::Unsat);
        }
    }

    #[test]
    fn a_long_ring_is_sparse_for_elimination_and_not_for_all_pairs() {
        let ring: Vec<(u32, u32, Option<usize>)> =
            (0..60).map(|a| (a, (a + 1) % 60, Some(a as usize))).collect();
        let clauses = |strategy| demand(strategy, 60, &ring).0.stats().clauses;
        assert!(clauses(Strategy::Chordal) <= 60);
        assert!(clauses(Strategy::AllPairs) > 60_000);
    }
}
