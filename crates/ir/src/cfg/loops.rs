//! Natural loops and how they nest.
//!
//! An edge to a block that dominates its source is a back edge; the natural loop of a header is
//! the header and every block from which a back edge to it can be reached without passing it.
//! Flow is reducible if every edge that goes backwards in a depth-first search is a back edge
//! (Hecht and Ullman, "Characterizations of Reducible Flow Graphs", JACM 1974); natural loops of
//! such a graph are nested or disjoint. Any other cycle has two entries, and no header: loops are
//! unrolled by header, so such flow is refused ([`prepare::lowered`](crate::prepare::lowered) gives it one entry).

use super::{Dominators, predecessors};
use crate::program::{BlockId, Function, LocId};
use execution::id;
use execution::ids::{Id, IdVec};

id! {
    /// A loop of a function.
    pub struct LoopId("loop");
}

/// An edge of the control-flow graph, from a block to a block.
pub type Edge = (BlockId, BlockId);

/// A natural loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The block through which it is entered.
    pub header: BlockId,
    /// Its blocks, those of inner loops included, in reverse postorder; the header is first.
    pub blocks: Vec<BlockId>,
    /// The smallest loop around it.
    pub parent: Option<LoopId>,
    /// How many loops a block of it is in, this one included.
    pub depth: u32,
    /// The edges from its blocks to its header.
    pub back_edges: Vec<Edge>,
    /// The edges from its blocks to blocks outside.
    pub exits: Vec<Edge>,
}

/// The loops of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopForest {
    /// The loops; an outer loop comes before its inner loops.
    pub loops: IdVec<LoopId, Loop>,
    innermost: IdVec<BlockId, Option<LoopId>>,
}

/// A cycle that can be entered at two blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Irreducible {
    /// An edge that closes the cycle.
    pub edge: Edge,
    /// Where that edge's jump comes from.
    pub place: Option<LocId>,
    /// The edges by which the cycle is entered from outside, with the places of their jumps.
    /// They lead to at least two blocks; one of them is the `goto` to blame.
    pub entries: Vec<(Edge, Option<LocId>)>,
}

impl LoopForest {
    /// Finds the loops of a function.
    pub fn new(function: &Function) -> Result<LoopForest, Irreducible> {
        let dominators = Dominators::new(function);
        let preds = predecessors(function);
        let mut forest = LoopForest {
            loops: IdVec::new(),
            innermost: function.blocks.ids().map(|_| None).collect(),
        };
        for (position, &header) in dominators.order().iter().enumerate() {
            let backwards = preds[header]
                .iter()
                .filter(|&&from| dominators.position(from).is_some_and(|p| p >= position));
            let mut back_edges = Vec::new();
            for &from in backwards {
                if !dominators.dominates(header, from) {
                    return Err(irreducible(function, &dominators, (from, header)));
                }
                back_edges.push((from, header));
            }
            if !back_edges.is_empty() {
                forest.add(function, &dominators, &preds, header, back_edges);
            }
        }
        Ok(forest)
    }

    /// Adds the loop of a header; outer loops have been added before, since an outer header
    /// dominates the inner ones and comes earlier in reverse postorder.
    fn add(
        &mut self,
        function: &Function,
        dominators: &Dominators,
        preds: &IdVec<BlockId, Vec<BlockId>>,
        header: BlockId,
        back_edges: Vec<Edge>,
    ) {
        let mut inside = vec![false; function.blocks.len()];
        inside[header.index()] = true;
        let mut blocks = vec![header];
        let mut work: Vec<BlockId> = back_edges.iter().map(|&(from, _)| from).collect();
        while let Some(block) = work.pop() {
            if dominators.position(block).is_some()
                && !std::mem::replace(&mut inside[block.index()], true)
            {
                blocks.push(block);
                work.extend(&preds[block]);
            }
        }
        blocks.sort_by_key(|&block| dominators.position(block));
        let mut exits = Vec::new();
        for &block in &blocks {
            for successor in function.blocks[block].terminator.successors() {
                if !inside[successor.index()] && !exits.contains(&(block, successor)) {
                    exits.push((block, successor));
                }
            }
        }
        let parent = self.innermost[header];
        let depth = 1 + parent.map_or(0, |parent| self.loops[parent].depth);
        let id = self.loops.next_id();
        for &block in &blocks {
            self.innermost[block] = Some(id);
        }
        self.loops.push(Loop { header, blocks, parent, depth, back_edges, exits });
    }

    /// The smallest loop that a block is in.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block]
    }

    /// How many loops a block is in.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.innermost[block].map_or(0, |id| self.loops[id].depth)
    }

    /// The loop of which a block is the header.
    pub fn headed_by(&self, block: BlockId) -> Option<LoopId> {
        // Inner loops' headers are other blocks, so a header's innermost loop is its own.
        self.innermost[block].filter(|&id| self.loops[id].header == block)
    }
}

/// Describes the cycle that `edge` closes without its target dominating its source.
fn irreducible(function: &Function, dominators: &Dominators, edge: Edge) -> Irreducible {
    let (from, to) = edge;
    // The cycle lies below the closest common dominator of both ends, which is neither of them.
    let mut top = to;
    while !dominators.dominates(top, from) {
        match dominators.immediate(top) {
            Some(above) => top = above,
            None => break,
        }
    }
    let below = |block: BlockId| block != top && dominators.dominates(top, block);
    let forward = reach(function, to, |block| {
        function.blocks[block].terminator.successors().into_iter().filter(|&b| below(b)).collect()
    });
    let preds = predecessors(function);
    let backward =
        reach(function, to, |block| preds[block].iter().copied().filter(|&b| below(b)).collect());
    let in_cycle = |block: BlockId| forward[block.index()] && backward[block.index()];
    let mut entries = Vec::new();
    for block in function.blocks.ids().filter(|&block| in_cycle(block)) {
        for &pred in &preds[block] {
            if dominators.position(pred).is_some() && !in_cycle(pred) {
                entries.push(((pred, block), function.blocks[pred].place));
            }
        }
    }
    Irreducible { edge, place: function.blocks[from].place, entries }
}

/// The blocks that can be reached from `start` by steps of `next`.
fn reach(function: &Function, start: BlockId, next: impl Fn(BlockId) -> Vec<BlockId>) -> Vec<bool> {
    let mut seen = vec![false; function.blocks.len()];
    let mut work = vec![start];
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut seen[block.index()], true) {
            work.extend(next(block));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::super::tests::graph;
    use super::*;

    fn numbers(blocks: &[BlockId]) -> Vec<usize> {
        blocks.iter().map(|block| block.index()).collect()
    }

    #[test]
    fn straight_code_has_no_loops() {
        let forest = LoopForest::new(&graph(&[&[1, 2], &[2], &[]])).expect("reducible");
        assert!(forest.loops.is_empty());
    }

    #[test]
    fn nested_loops_are_found_with_their_exits() {
        // 0 -> 1 (outer header) -> 2 (inner header) -> 3 -> 2; 2 -> 4 -> 1; 1 -> 5; 3 -> 5 (break out)
        let f = graph(&[&[1], &[2, 5], &[3, 4], &[2, 5], &[1], &[]]);
        let forest = LoopForest::new(&f).expect("reducible");
        let loops = forest.loops.as_slice();
        assert_eq!(loops.len(), 2);
        let (outer, inner) = (&loops[0], &loops[1]);
        assert_eq!(numbers(&outer.blocks), [1, 2, 3, 4]);
        assert_eq!(numbers(&inner.blocks), [2, 3]);
        assert_eq!(inner.parent, Some(LoopId::new(0)));
        assert_eq!((outer.depth, inner.depth), (1, 2));
        let edge = |a, b| (BlockId::new(a), BlockId::new(b));
        assert_eq!(inner.exits, [edge(2, 4), edge(3, 5)]);
        assert_eq!(outer.exits, [edge(1, 5), edge(3, 5)]);
        assert_eq!(inner.back_edges, [edge(3, 2)]);
        assert_eq!(forest.depth(BlockId::new(3)), 2);
        assert_eq!(forest.headed_by(BlockId::new(2)), Some(LoopId::new(1)));
        assert_eq!(forest.headed_by(BlockId::new(3)), None);
    }

    #[test]
    fn two_back_edges_to_one_header_make_one_loop() {
        let forest = LoopForest::new(&graph(&[&[1], &[2, 3], &[1, 3], &[1, 4], &[]]));
        let forest = forest.expect("reducible");
        assert_eq!(forest.loops.len(), 1);
        assert_eq!(forest.loops.as_slice()[0].back_edges.len(), 2);
    }

    #[test]
    fn a_block_that_jumps_to_itself_is_a_loop() {
        let forest = LoopForest::new(&graph(&[&[0, 1], &[]])).expect("reducible");
        assert_eq!(numbers(&forest.loops.as_slice()[0].blocks), [0]);
    }

    #[test]
    fn a_cycle_with_two_entries_is_refused_with_its_entries() {
        // An outer loop 1..4 around the cycle 2 <-> 3, which is entered at both.
        let error = LoopForest::new(&graph(&[&[1], &[2, 3], &[3, 4], &[2], &[1, 5], &[]]));
        let error = error.expect_err("irreducible");
        let entries: Vec<(usize, usize)> =
            error.entries.iter().map(|((a, b), _)| (a.index(), b.index())).collect();
        assert_eq!(entries, [(1, 2), (1, 3)]);
        assert!([(2, 3), (3, 2)].contains(&(error.edge.0.index(), error.edge.1.index())));
    }

    #[test]
    fn unreachable_cycles_do_not_matter() {
        let forest = LoopForest::new(&graph(&[&[1], &[], &[1, 3], &[2, 1]])).expect("reducible");
        assert!(forest.loops.is_empty());
    }
}
