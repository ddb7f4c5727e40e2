//! A total order of all nodes: a variable for every pair, two clauses for every three nodes.

use super::Graph;
use crate::{Cnf, Lit};

/// Demands acyclicity by a total order that contains the edges.
pub(super) fn encode(cnf: &mut Cnf, graph: &Graph) {
    let nodes = graph.nodes();
    let rows: Vec<Vec<Lit>> =
        (0..nodes).map(|a| (0..a).map(|b| earlier(cnf, graph, a, b)).collect()).collect();
    let before = |a: usize, b: usize| if a > b { rows[a][b] } else { !rows[b][a] };
    for edge in &graph.edges {
        cnf.clause(&[!edge.lit, before(edge.from, edge.to)]);
    }
    for a in 0..nodes {
        for b in 0..a {
            for c in 0..b {
                cnf.clause(&[!before(a, b), !before(b, c), !before(c, a)]);
                cnf.clause(&[!before(a, c), !before(c, b), !before(b, a)]);
            }
        }
    }
}

/// A literal for "`a` is before `b`", constant where the static edges say so.
fn earlier(cnf: &mut Cnf, graph: &Graph, a: usize, b: usize) -> Lit {
    match (graph.fixed.get(a, b), graph.fixed.get(b, a)) {
        (false, false) => cnf.fresh(),
        (before, _) => Lit::constant(before),
    }
}
