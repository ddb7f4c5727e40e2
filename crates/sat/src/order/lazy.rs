//! Cycles of a model, as clauses that exclude them.

use super::Graph;
use crate::Lit;
use std::collections::VecDeque;

/// More cycles than this of one model rarely say more.
const CYCLES_PER_MODEL: usize = 64;

/// Adds a clause for each of several short cycles of the edges that hold; none if there is none.
pub(crate) fn cycles(graph: &Graph, holds: impl Fn(Lit) -> bool, clauses: &mut Vec<Vec<Lit>>) {
    let mut next: Vec<Vec<(usize, Lit)>> = vec![Vec::new(); graph.nodes()];
    for &(from, to) in &graph.steps {
        next[from].push((to, Lit::TRUE));
    }
    let present: Vec<_> = graph.edges.iter().filter(|edge| holds(edge.lit)).collect();
    for edge in &present {
        next[edge.from].push((edge.to, edge.lit));
    }
    let mut found: Vec<Vec<Lit>> = Vec::new();
    for edge in present {
        if found.len() >= CYCLES_PER_MODEL {
            break;
        }
        // A cycle through an edge that another cycle has would often say the same.
        if found.iter().any(|clause| clause.contains(&!edge.lit)) {
            continue;
        }
        if let Some(mut clause) = shortest_path(&next, edge.to, edge.from) {
            clause.push(!edge.lit);
            found.push(clause);
        }
    }
    clauses.append(&mut found);
}

/// The negated literals of a path with as few edges as possible.
fn shortest_path(next: &[Vec<(usize, Lit)>], from: usize, to: usize) -> Option<Vec<Lit>> {
    let mut came: Vec<Option<(usize, Lit)>> = vec![None; next.len()];
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        if node == to {
            let mut clause = Vec::new();
            let mut at = to;
            while at != from {
                let (before, lit) = came[at]?;
                clause.push(!lit);
                at = before;
            }
            return Some(clause);
        }
        for &(other, lit) in &next[node] {
            if other != from && came[other].is_none() {
                came[other] = Some((node, lit));
                queue.push_back(other);
            }
        }
    }
    None
}
