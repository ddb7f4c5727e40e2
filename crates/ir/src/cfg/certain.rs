//! What every execution of a program comes through: blocks on every path of a function to its end,
//! in functions that such blocks call.
//!
//! A block counts only if leaving it out leaves no way to the end of its function, nor into a loop
//! without an end, so an answer never names what some execution avoids; calls through pointers are
//! not followed, and a loop that does not terminate may keep an execution from a block that is named.

use crate::cfg::reverse_postorder;
use crate::op::{Callee, Op};
use crate::program::{BlockId, FuncId, Function, Program};
use execution::ids::IdVec;
use std::collections::BTreeSet;

/// The blocks that every execution visits, in the order in which the calls lead to them.
pub fn certain(program: &Program) -> Vec<(FuncId, BlockId)> {
    let mut open: Vec<FuncId> = program.entry.iter().rev().copied().collect();
    let mut seen: BTreeSet<FuncId> = open.iter().copied().collect();
    let mut found = Vec::new();
    while let Some(id) = open.pop() {
        let function = &program.functions[id];
        let mut called = Vec::new();
        for block in certain_blocks(function) {
            found.push((id, block));
            called.extend(function.blocks[block].insts.iter().filter_map(|inst| match inst.op {
                Op::Call { callee: Callee::Direct(id), .. }
                | Op::Spawn { callee: Callee::Direct(id), .. } => Some(id),
                _ => None,
            }));
        }
        open.extend(called.into_iter().rev().filter(|&id| seen.insert(id)));
    }
    found
}

/// The blocks on every path of a function from its entry to its end, first to last.
fn certain_blocks(function: &Function) -> Vec<BlockId> {
    let order = reverse_postorder(function);
    let leaves = ends(function, &order);
    let avoidable = |without: &BlockId| {
        let mut seen: BTreeSet<BlockId> = BTreeSet::new();
        let mut open = vec![function.entry()];
        while let Some(block) = open.pop() {
            if block == *without || !seen.insert(block) {
                continue;
            }
            let trapped =
                leaves[block] && !function.blocks[block].terminator.successors().is_empty();
            if leaves[block] && (!trapped || iterates(function, block, *without)) {
                return true;
            }
            open.extend(function.blocks[block].terminator.successors());
        }
        false
    };
    order.into_iter().filter(|block| !avoidable(block)).collect()
}

/// Whether control may come back to a block without visiting another one.
fn iterates(function: &Function, block: BlockId, without: BlockId) -> bool {
    let mut seen: BTreeSet<BlockId> = BTreeSet::new();
    let mut open = function.blocks[block].terminator.successors();
    while let Some(next) = open.pop() {
        if next == block {
            return true;
        }
        if next != without && seen.insert(next) {
            open.extend(function.blocks[next].terminator.successors());
        }
    }
    false
}

/// The blocks at which a function ends, or from which it does not get to an end.
fn ends(function: &Function, order: &[BlockId]) -> IdVec<BlockId, bool> {
    let mut reaches: IdVec<BlockId, bool> = function.blocks.ids().map(|_| false).collect();
    loop {
        let mut changed = false;
        for &block in order.iter().rev().filter(|block| !reaches[**block]).collect::<Vec<_>>() {
            let next = function.blocks[block].terminator.successors();
            if next.is_empty() || next.iter().any(|next| reaches[*next]) {
                reaches[block] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let end = |id: BlockId| function.blocks[id].terminator.successors().is_empty() || !reaches[id];
    function.blocks.ids().map(end).collect()
}

#[cfg(test)]
mod tests {
    use super::certain_blocks;
    use crate::cfg::tests::graph;
    use execution::ids::Id;

    fn certain(edges: &[&[usize]]) -> Vec<usize> {
        certain_blocks(&graph(edges)).into_iter().map(Id::index).collect()
    }

    #[test]
    fn blocks_on_every_path_are_certain() {
        assert_eq!(certain(&[&[1, 2], &[3], &[3], &[]]), [0, 3]);
        // A loop may be left before its body is reached.
        assert_eq!(certain(&[&[1], &[2, 3], &[1], &[]]), [0, 1, 3]);
    }

    #[test]
    fn a_loop_without_an_end_may_avoid_what_is_in_it() {
        assert_eq!(certain(&[&[1], &[2, 1], &[1]]), [0, 1]);
        assert_eq!(certain(&[&[1, 2], &[1], &[]]), [0]);
    }

    #[test]
    fn what_follows_one_of_two_ends_is_not_certain() {
        assert_eq!(certain(&[&[1, 2], &[], &[3], &[]]), [0]);
    }
}
