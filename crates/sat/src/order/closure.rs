//! One growing graph and what can be reached in it: edges are added and taken back in turn.
//!
//! The reachability relation is kept as rows of bits, so that adding an edge yields at once every
//! pair that becomes connected. G. F. Italiano, "Amortized efficiency of a path retrieval data
//! structure" (1986), keeps it the same way; ours goes back by saved rows.

use super::bits::BitMatrix;
use super::{Edge, Graph};
use crate::Lit;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// When an edge was added: static edges at zero, others at the times they were given.
pub(super) type Time = usize;

/// The edges of a graph that are there, and what they connect.
pub(super) struct Closure {
    reach: BitMatrix,
    next: Vec<Vec<Present>>,
    /// Edges by their ends.
    possible: FxHashMap<(usize, usize), Vec<usize>>,
    /// Where possible edges into a node come from.
    possible_into: BitMatrix,
    edges: Vec<Edge>,
    added: Vec<Added>,
    saved: Vec<(usize, Box<[u64]>)>,
}

#[derive(Clone, Copy)]
struct Present {
    to: usize,
    lit: Lit,
    since: Time,
}

/// How to take back an edge.
struct Added {
    from: usize,
    saved: usize,
}

impl Closure {
    pub(super) fn new(graph: &Graph) -> Self {
        let nodes = graph.nodes();
        let mut closure = Self {
            reach: graph.fixed.clone(),
            next: vec![Vec::new(); nodes],
            possible: FxHashMap::default(),
            possible_into: BitMatrix::new(nodes),
            edges: graph.edges.clone(),
            added: Vec::new(),
            saved: Vec::new(),
        };
        for &(from, to) in &graph.steps {
            closure.next[from].push(Present { to, lit: Lit::TRUE, since: 0 });
        }
        for (i, edge) in graph.edges.iter().enumerate() {
            closure.possible.entry((edge.from, edge.to)).or_default().push(i);
            closure.possible_into.set(edge.to, edge.from);
        }
        closure
    }

    pub(super) fn edge(&self, edge: usize) -> Edge {
        self.edges[edge]
    }

    /// Adds an edge and calls `excluded` with each possible edge that would now close a cycle.
    /// Refuses an edge that closes one itself.
    pub(super) fn add(
        &mut self,
        edge: usize,
        since: Time,
        mut excluded: impl FnMut(usize),
    ) -> Result<(), ()> {
        let Edge { from, to, lit } = self.edges[edge];
        if self.reach.get(to, from) {
            return Err(());
        }
        self.added.push(Added { from, saved: self.saved.len() });
        self.next[from].push(Present { to, lit, since });
        if self.reach.get(from, to) {
            return Ok(());
        }
        for before in 0..self.next.len() {
            if before != from && !self.reach.get(before, from) {
                continue;
            }
            let Some(old) = self.reach.extend(before, to) else { continue };
            for after in self.reach.gained(before, &old, &self.possible_into) {
                for &edge in &self.possible[&(after, before)] {
                    excluded(edge);
                }
            }
            self.saved.push((before, old));
        }
        Ok(())
    }

    /// Takes back the edge added last.
    pub(super) fn take_back(&mut self) {
        let Some(last) = self.added.pop() else { return };
        self.next[last.from].pop();
        for (node, row) in self.saved.drain(last.saved..).rev() {
            self.reach.restore(node, &row);
        }
    }

    /// The literals of a way that was there at a time, with as few of them as possible.
    pub(super) fn way(&self, from: usize, to: usize, at: Time) -> Option<Vec<Lit>> {
        let mut came: Vec<Option<(usize, Lit)>> = vec![None; self.next.len()];
        let mut settled = vec![false; self.next.len()];
        let mut cost = vec![usize::MAX; self.next.len()];
        cost[from] = 0;
        // Static edges cost nothing: they go to the front.
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            if std::mem::replace(&mut settled[node], true) {
                continue;
            }
            if node == to {
                return Some(back_along(&came, from, to));
            }
            for step in self.next[node].iter().filter(|step| step.since <= at) {
                let price = cost[node] + usize::from(step.lit != Lit::TRUE);
                let leads_on = step.to == to || self.reach.get(step.to, to);
                if !leads_on || price >= cost[step.to] {
                    continue;
                }
                cost[step.to] = price;
                came[step.to] = Some((node, step.lit));
                if step.lit == Lit::TRUE {
                    queue.push_front(step.to);
                } else {
                    queue.push_back(step.to);
                }
            }
        }
        None
    }
}

/// The literals on the way to a node, without those that always hold.
fn back_along(came: &[Option<(usize, Lit)>], from: usize, to: usize) -> Vec<Lit> {
    let mut lits = Vec::new();
    let mut at = to;
    while let Some((before, lit)) = came[at].filter(|_| at != from) {
        if lit != Lit::TRUE {
            lits.push(lit);
        }
        at = before;
    }
    lits
}
