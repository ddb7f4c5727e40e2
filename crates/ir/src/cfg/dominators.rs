//! Dominators: block `a` dominates block `b` if every path from the entry to `b` passes `a`.
//!
//! The iterative method over reverse postorder of Cooper, Harvey and Kennedy, "A Simple, Fast
//! Dominance Algorithm" (Rice University, 2001): each block's immediate dominator is the meet of
//! its processed predecessors in the tree found so far, repeated until nothing changes.

use super::{predecessors, reverse_postorder};
use crate::program::{BlockId, Function};
use execution::ids::IdVec;

/// The dominator tree of a function's reachable blocks.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// The reachable blocks, in reverse postorder.
    order: Vec<BlockId>,
    /// The position of each block in `order`; `None` for an unreachable one.
    position: IdVec<BlockId, Option<usize>>,
    /// For each position in `order`, the position of the immediate dominator; the entry's is
    /// itself.
    parent: Vec<usize>,
}

impl Dominators {
    /// Finds the dominators.
    pub fn new(function: &Function) -> Self {
        let order = reverse_postorder(function);
        let mut position: IdVec<BlockId, Option<usize>> =
            function.blocks.ids().map(|_| None).collect();
        for (i, &block) in order.iter().enumerate() {
            position[block] = Some(i);
        }
        let preds = predecessors(function);
        let mut parent: Vec<Option<usize>> = vec![None; order.len()];
        if let Some(entry) = parent.first_mut() {
            *entry = Some(0);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (i, block) in order.iter().enumerate().skip(1) {
                let processed = preds[*block].iter().filter_map(|&pred| position[pred]);
                let processed = processed.filter(|&pred| parent[pred].is_some());
                let best = processed.reduce(|a, b| meet(&parent, a, b));
                changed |= parent[i] != best;
                parent[i] = best;
            }
        }
        // In reverse postorder every block has a predecessor before it, so all have a parent.
        let parent = parent.into_iter().map(|parent| parent.unwrap_or(0)).collect();
        Self { order, position, parent }
    }

    /// The reachable blocks in reverse postorder.
    pub fn order(&self) -> &[BlockId] {
        &self.order
    }

    /// The position of a block in [`order`](Self::order), if it can be reached.
    pub fn position(&self, block: BlockId) -> Option<usize> {
        self.position[block]
    }

    /// The closest other block that dominates `block`; none for the entry and for unreachable
    /// blocks.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        let position = self.position[block]?;
        (position != 0).then(|| self.order[self.parent[position]])
    }

    /// Whether `a` dominates `b` (every reachable block dominates itself).
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (Some(a), Some(mut b)) = (self.position[a], self.position[b]) else { return false };
        // A dominator comes earlier in reverse postorder.
        while b > a {
            b = self.parent[b];
        }
        a == b
    }
}

/// The closest common ancestor of two positions in the tree found so far.
fn meet(parent: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        // Both are processed, hence so are their ancestors.
        b = parent[b].unwrap_or(0);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::super::tests::graph;
    use super::*;
    use execution::ids::Id;

    fn immediate(edges: &[&[usize]]) -> Vec<Option<usize>> {
        let f = graph(edges);
        let dominators = Dominators::new(&f);
        f.blocks.ids().map(|block| dominators.immediate(block).map(Id::index)).collect()
    }

    #[test]
    fn a_join_is_dominated_by_the_fork() {
        assert_eq!(immediate(&[&[1, 2], &[3], &[3], &[]]), [None, Some(0), Some(0), Some(0)]);
    }

    #[test]
    fn a_loop_body_is_dominated_by_its_header() {
        assert_eq!(immediate(&[&[1], &[2, 3], &[1], &[]]), [None, Some(0), Some(1), Some(1)]);
    }

    #[test]
    fn the_irreducible_example_of_the_paper() {
        // Figure 4 of the paper, its nodes 6 5 4 1 2 3 being blocks 0 to 5.
        let edges: &[&[usize]] = &[&[1, 2], &[3], &[4, 5], &[4], &[3, 5], &[4]];
        assert_eq!(immediate(edges), [None, Some(0), Some(0), Some(0), Some(0), Some(0)]);
    }

    #[test]
    fn unreachable_blocks_have_no_part_in_it() {
        assert_eq!(immediate(&[&[1], &[], &[1]]), [None, Some(0), None]);
    }

    #[test]
    fn dominance_agrees_with_deleting_the_block() {
        // Every graph with 4 blocks of at most 2 successors out of 4, sampled by a fixed stride.
        for code in (0..16u32.pow(4)).step_by(7) {
            let targets = |i: u32| [(code >> (4 * i)) & 3, (code >> (4 * i + 2)) & 3];
            let lists: Vec<Vec<usize>> = (0..4)
                .map(|i| {
                    targets(i).iter().map(|&t| t as usize).take(1 + (i % 2) as usize).collect()
                })
                .collect();
            let lists: Vec<&[usize]> = lists.iter().map(Vec::as_slice).collect();
            let f = graph(&lists);
            let dominators = Dominators::new(&f);
            let reached = reach(&lists, None);
            for a in 0..4 {
                let without = reach(&lists, Some(a));
                for b in 0..4 {
                    let expected = reached[a] && reached[b] && !without[b];
                    let found = dominators.dominates(BlockId::new(a), BlockId::new(b));
                    assert_eq!(found, expected, "{lists:?} {a} {b}");
                }
            }
        }
    }

    fn reach(edges: &[&[usize]], deleted: Option<usize>) -> Vec<bool> {
        let mut seen = vec![false; edges.len()];
        let mut work = vec![0];
        while let Some(block) = work.pop() {
            if Some(block) != deleted && !std::mem::replace(&mut seen[block], true) {
                work.extend(edges[block]);
            }
        }
        seen
    }
}
