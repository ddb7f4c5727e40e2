//! What can be said about a graph before any encoding: edges that the static ones decide, and the
//! strongly connected components, outside of which no edge is on a cycle.

use super::bits::BitMatrix;
use super::{Edge, Graph};
use crate::Lit;

/// A demand of acyclicity without what is decided.
pub(super) struct Reduced {
    /// Literals that must be false. Contains [`Lit::TRUE`] if the static edges have a cycle.
    pub(super) impossible: Vec<Lit>,
    pub(super) graphs: Vec<Graph>,
}

/// Reduces a graph to what is undecided.
pub(super) fn reduce(nodes: usize, edges: &[(u32, u32, Lit)]) -> Reduced {
    let edges: Vec<Edge> = edges
        .iter()
        .filter(|edge| edge.2 != Lit::FALSE)
        .map(|&(from, to, lit)| Edge { from: from as usize, to: to as usize, lit })
        .collect();
    assert!(edges.iter().all(|e| e.from < nodes && e.to < nodes), "an edge between unknown nodes");
    let (fixed, open): (Vec<Edge>, Vec<Edge>) = edges.iter().partition(|e| e.lit == Lit::TRUE);
    let Some(closure) = closure(nodes, &fixed) else {
        return Reduced { impossible: vec![Lit::TRUE], graphs: Vec::new() };
    };
    let mut impossible = Vec::new();
    let mut undecided = Vec::new();
    for edge in open {
        if edge.from == edge.to || closure.get(edge.to, edge.from) {
            impossible.push(edge.lit);
        } else if !closure.get(edge.from, edge.to) {
            undecided.push(edge);
        }
    }
    let component = components(nodes, fixed.iter().chain(&undecided));
    Reduced { impossible, graphs: split(&closure, &undecided, &component) }
}

/// Reachability by edges without a cycle; none if they have one.
fn closure(nodes: usize, edges: &[Edge]) -> Option<BitMatrix> {
    let component = components(nodes, edges.iter());
    let mut direct = BitMatrix::new(nodes);
    for edge in edges {
        if component[edge.from] == component[edge.to] {
            return None;
        }
        direct.set(edge.from, edge.to);
    }
    // Components are numbered targets first.
    let mut order: Vec<usize> = (0..nodes).collect();
    order.sort_unstable_by_key(|&node| component[node]);
    let mut closure = direct.clone();
    for node in order {
        for next in direct.row(node) {
            closure.add_row(node, next);
        }
    }
    Some(closure)
}

/// The graph of every strongly connected component that has undecided edges.
fn split(closure: &BitMatrix, edges: &[Edge], component: &[usize]) -> Vec<Graph> {
    let count = component.iter().max().map_or(0, |&last| last + 1);
    let mut members = vec![Vec::new(); count];
    let mut local = vec![0; component.len()];
    for (node, &c) in component.iter().enumerate() {
        local[node] = members[c].len();
        members[c].push(node);
    }
    let mut graphs: Vec<Graph> = members
        .iter()
        .map(|members| {
            let mut fixed = BitMatrix::new(members.len());
            for (i, &from) in members.iter().enumerate() {
                for to in closure.row(from).filter(|&to| component[to] == component[from]) {
                    fixed.set(i, local[to]);
                }
            }
            Graph::new(fixed)
        })
        .collect();
    for edge in edges.iter().filter(|e| component[e.from] == component[e.to]) {
        graphs[component[edge.from]].edges.push(Edge {
            from: local[edge.from],
            to: local[edge.to],
            lit: edge.lit,
        });
    }
    graphs.retain(|graph| !graph.edges.is_empty());
    graphs
}

/// The strongly connected component of every node; an edge between two leads to the lower number.
///
/// R. Tarjan, "Depth-first search and linear graph algorithms" (1972), with a stack of our own.
fn components<'a>(nodes: usize, edges: impl Iterator<Item = &'a Edge>) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let mut next = vec![Vec::new(); nodes];
    for edge in edges {
        next[edge.from].push(edge.to);
    }
    let (mut found, mut lowest) = (vec![UNSEEN; nodes], vec![UNSEEN; nodes]);
    let mut component = vec![UNSEEN; nodes];
    let (mut open, mut seen, mut components) = (Vec::new(), 0, 0);
    for root in 0..nodes {
        let mut path = Vec::new();
        if found[root] == UNSEEN {
            path.push((root, 0));
        }
        while let Some((node, at)) = path.pop() {
            if at == 0 {
                (found[node], lowest[node]) = (seen, seen);
                seen += 1;
                open.push(node);
            } else {
                lowest[node] = lowest[node].min(lowest[next[node][at - 1]]);
            }
            // A node whose component is known does not lead back.
            let step = (at..next[node].len()).find(|&i| component[next[node][i]] == UNSEEN);
            match step {
                Some(i) if found[next[node][i]] == UNSEEN => {
                    path.push((node, i + 1));
                    path.push((next[node][i], 0));
                }
                Some(i) => {
                    path.push((node, i + 1));
                }
                None if lowest[node] == found[node] => {
                    while let Some(member) = open.pop() {
                        component[member] = components;
                        if member == node {
                            break;
                        }
                    }
                    components += 1;
                }
                None => {}
            }
        }
    }
    component
}
