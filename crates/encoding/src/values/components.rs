//! Reads that depend on each other's values, as strongly connected components (Tarjan 1972),
//! those that others depend on first.

use super::flow::Flow;
use super::operands;
use crate::bounded::{Bounded, Input};
use crate::term::{Term, TermId};
use execution::ids::{Id, IdVec};

/// The components of the reads of a program.
pub fn components(bounded: &Bounded, flow: &Flow<'_>) -> Vec<Vec<usize>> {
    let support = support(bounded, flow);
    let edges: Vec<Vec<usize>> = flow
        .reads
        .iter()
        .map(|read| {
            let mut sources = support[read.access.address].clone();
            for &write in &read.candidates {
                let write = &flow.writes[write];
                sources.add(&support[write.access.address]);
                sources.add(&support[write.value]);
            }
            sources.members().collect()
        })
        .collect();
    Tarjan::run(&edges)
}

/// The reads that each term is computed from.
fn support(bounded: &Bounded, flow: &Flow<'_>) -> IdVec<TermId, BitSet> {
    let mut numbers = vec![None; bounded.terms.len()];
    for (number, read) in flow.reads.iter().enumerate() {
        numbers[read.term.index()] = Some(number);
    }
    let mut support: IdVec<TermId, BitSet> =
        bounded.terms.ids().map(|_| BitSet::new(flow.reads.len())).collect();
    for id in bounded.terms.ids() {
        let mut own = BitSet::new(flow.reads.len());
        match bounded.terms.term(id) {
            Term::Input(input) if matches!(bounded.inputs.get(*input), Some(Input::Read(_))) => {
                numbers[id.index()].into_iter().for_each(|number| own.insert(number));
            }
            _ => operands(bounded, id).for_each(|operand| own.add(&support[operand])),
        }
        support[id] = own;
    }
    support
}

#[derive(Clone)]
struct BitSet(Vec<u64>);

impl BitSet {
    fn new(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    fn insert(&mut self, member: usize) {
        self.0[member / 64] |= 1 << (member % 64);
    }

    fn add(&mut self, other: &BitSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    fn members(&self) -> impl Iterator<Item = usize> {
        let bits = self.0.iter().enumerate();
        bits.flat_map(|(i, word)| {
            (0..64).filter(move |b| word >> b & 1 == 1).map(move |b| i * 64 + b)
        })
    }
}

/// The search, without recursion: chains of reads may be long.
struct Tarjan<'e> {
    edges: &'e [Vec<usize>],
    /// When each node was met, counted from one; zero for never.
    met: Vec<usize>,
    /// The earliest node on the stack that each one reaches.
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    count: usize,
    found: Vec<Vec<usize>>,
}

impl<'e> Tarjan<'e> {
    fn run(edges: &'e [Vec<usize>]) -> Vec<Vec<usize>> {
        let n = edges.len();
        let (met, low, on_stack) = (vec![0; n], vec![0; n], vec![false; n]);
        let mut search =
            Tarjan { edges, met, low, on_stack, stack: Vec::new(), count: 0, found: Vec::new() };
        for node in 0..n {
            if search.met[node] == 0 {
                search.visit(node);
            }
        }
        search.found
    }

    fn visit(&mut self, root: usize) {
        let mut path = vec![(root, 0)];
        self.meet(root);
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if let Some(&target) = self.edges[node].get(*next) {
                *next += 1;
                if self.met[target] == 0 {
                    self.meet(target);
                    path.push((target, 0));
                } else if self.on_stack[target] {
                    self.low[node] = self.low[node].min(self.met[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            if self.low[node] == self.met[node] {
                self.close(node);
            }
        }
    }

    fn meet(&mut self, node: usize) {
        self.count += 1;
        self.met[node] = self.count;
        self.low[node] = self.count;
        self.on_stack[node] = true;
        self.stack.push(node);
    }

    fn close(&mut self, node: usize) {
        let start = self.stack.iter().rposition(|&n| n == node).expect("it is on the stack");
        let component = self.stack.split_off(start);
        component.iter().for_each(|&member| self.on_stack[member] = false);
        self.found.push(component);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_after_what_they_depend_on() {
        let edges = [vec![1], vec![2, 3], vec![1], vec![], vec![0, 4]];
        let mut found = Tarjan::run(&edges);
        found.iter_mut().for_each(|component| component.sort_unstable());
        assert_eq!(found, [vec![3], vec![1, 2], vec![0], vec![4]]);
    }
}
