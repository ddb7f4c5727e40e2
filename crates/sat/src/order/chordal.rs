//! Acyclicity by eliminating nodes: only pairs of neighbours are ordered.
//!
//! Nodes are taken away one by one, the cheapest first. When a node goes, every way in and every
//! way out of it are joined: if both are there, so is the edge between their far ends. A cycle thus
//! shrinks until its last two edges contradict each other. The pairs form a chordal graph, as in
//! R. E. Bryant and M. N. Velev, "Boolean satisfiability with transitivity constraints" (2002);
//! that directions which cannot occur need nothing is from M. F. Rankooh and J. Rintanen,
//! "Propositional encodings of acyclicity and reachability by using vertex elimination" (2022).
//!
//! Where a pair can be ordered both ways, one variable says which, so that order is total there,
//! which does no harm, because every acyclic graph is part of a total order. Static edges are
//! known to lead further by their closure: what they imply needs no clause, what they contradict
//! needs a shorter one.

use super::Graph;
use super::bits::BitMatrix;
use crate::{Cnf, Lit};
use std::collections::HashMap;

/// Taking away the nodes one by one, on paper.
struct Elimination<'a> {
    fixed: &'a BitMatrix,
    left: Vec<usize>,
    /// Edges between nodes that are left; the static ones of them without shortcuts.
    out: BitMatrix,
    into: BitMatrix,
    plan: Plan,
}

/// What elimination has to say in clauses.
pub(super) struct Plan {
    /// Pairs that may become ordered this way.
    possible: BitMatrix,
    /// Those of them that can follow from other edges.
    derived: BitMatrix,
    /// Three nodes: first before second before third implies first before third.
    joins: Vec<(usize, usize, usize)>,
}

impl Plan {
    /// As little as a quick look finds.
    pub(super) fn new(graph: &Graph) -> Self {
        Elimination::new(graph).run()
    }

    /// About how many clauses it takes.
    pub(super) fn clauses(&self) -> usize {
        self.joins.len()
    }

    /// Demands acyclicity.
    pub(super) fn encode(&self, cnf: &mut Cnf, graph: &Graph) {
        let mut pairs = Pairs { plan: self, edges: by_pair(graph), known: HashMap::new() };
        for &(a, b, c) in &self.joins {
            let (first, second) = (pairs.before(cnf, graph, a, b), pairs.before(cnf, graph, b, c));
            let joined = pairs.before(cnf, graph, a, c);
            cnf.clause(&[!first, !second, joined]);
        }
        // A pair that no join mentions can still have edges both ways.
        for edge in graph.edges.iter().filter(|edge| self.possible.get(edge.to, edge.from)) {
            pairs.before(cnf, graph, edge.from, edge.to);
        }
    }
}

impl<'a> Elimination<'a> {
    fn new(graph: &'a Graph) -> Self {
        let nodes = graph.nodes();
        let mut start = Self {
            fixed: &graph.fixed,
            left: (0..nodes).collect(),
            out: BitMatrix::new(nodes),
            into: BitMatrix::new(nodes),
            plan: Plan {
                possible: BitMatrix::new(nodes),
                derived: BitMatrix::new(nodes),
                joins: Vec::new(),
            },
        };
        for &(from, to) in &graph.steps {
            start.add(from, to);
        }
        for edge in &graph.edges {
            start.add(edge.from, edge.to);
        }
        start
    }

    fn run(mut self) -> Plan {
        while let Some(cheapest) = (0..self.left.len()).min_by_key(|&i| self.cost(self.left[i])) {
            let node = self.left.swap_remove(cheapest);
            self.eliminate(node);
        }
        self.plan
    }

    /// How many joins eliminating a node takes.
    fn cost(&self, node: usize) -> (usize, usize) {
        (self.into.count(node) * self.out.count(node), node)
    }

    fn add(&mut self, from: usize, to: usize) {
        self.out.set(from, to);
        self.into.set(to, from);
        self.plan.possible.set(from, to);
    }

    fn eliminate(&mut self, node: usize) {
        let into: Vec<usize> = self.into.row(node).collect();
        let out: Vec<usize> = self.out.row(node).collect();
        for &from in &into {
            self.out.clear(from, node);
        }
        for &to in &out {
            self.into.clear(to, node);
        }
        for &from in &into {
            for &to in out.iter().filter(|&&to| to != from) {
                self.join(from, node, to);
            }
        }
    }

    fn join(&mut self, from: usize, node: usize, to: usize) {
        let fixed = self.fixed;
        if fixed.get(from, to) {
            // Nodes that are left must stay connected by static edges as they were.
            let last_way = fixed.get(from, node)
                && fixed.get(node, to)
                && !self.left.iter().any(|&other| fixed.get(from, other) && fixed.get(other, to));
            if last_way {
                self.add(from, to);
            }
            return;
        }
        self.plan.joins.push((from, node, to));
        if !fixed.get(to, from) {
            self.plan.derived.set(from, to);
            self.add(from, to);
        }
    }
}

/// The literals of the edges between each two nodes.
fn by_pair(graph: &Graph) -> HashMap<(usize, usize), Vec<Lit>> {
    let mut edges: HashMap<(usize, usize), Vec<Lit>> = HashMap::new();
    for edge in &graph.edges {
        let lits = edges.entry((edge.from, edge.to)).or_default();
        if !lits.contains(&edge.lit) {
            lits.push(edge.lit);
        }
    }
    edges
}

/// The literals that order pairs of nodes.
struct Pairs<'a> {
    plan: &'a Plan,
    edges: HashMap<(usize, usize), Vec<Lit>>,
    known: HashMap<(usize, usize), Lit>,
}

impl Pairs<'_> {
    /// The literal that holds if `a` is before `b`.
    fn before(&mut self, cnf: &mut Cnf, graph: &Graph, a: usize, b: usize) -> Lit {
        if graph.fixed.get(a, b) || graph.fixed.get(b, a) {
            return Lit::constant(graph.fixed.get(a, b));
        }
        if let Some(&lit) = self.known.get(&(a, b)) {
            return lit;
        }
        let there = self.edges.get(&(a, b)).map_or(&[][..], Vec::as_slice);
        let back = self.edges.get(&(b, a)).map_or(&[][..], Vec::as_slice);
        let both_ways = self.plan.possible.get(b, a);
        let derived = self.plan.derived.get(a, b) || self.plan.derived.get(b, a);
        let lit = match (there, back) {
            (&[edge], []) if !both_ways && !derived => edge,
            (&[edge], &[reverse]) if !derived => {
                cnf.clause(&[!edge, !reverse]);
                self.known.insert((a, b), edge);
                self.known.insert((b, a), reverse);
                return edge;
            }
            // Where one edge is the negation of the other, they order the pair.
            _ => there
                .iter()
                .copied()
                .find(|&lit| back.contains(&!lit))
                .unwrap_or_else(|| cnf.fresh()),
        };
        for &edge in there {
            cnf.clause(&[!edge, lit]);
        }
        for &edge in back {
            cnf.clause(&[!edge, !lit]);
        }
        self.known.insert((a, b), lit);
        if both_ways {
            self.known.insert((b, a), !lit);
        }
        lit
    }
}
