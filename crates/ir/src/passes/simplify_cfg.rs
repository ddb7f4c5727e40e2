//! Simplifies control flow: no unreachable blocks, no blocks that only jump on, no two blocks
//! where one would do, and an order of blocks that can be read from top to bottom.
//!
//! Branches stay, also those on constants and those with two equal targets: they are control
//! dependencies of the program as written.

use super::reachable_only::{reachable_only, with_blocks};
use crate::cfg::{predecessors, reverse_postorder};
use crate::op::Terminator;
use crate::program::{BlockId, Function};
use execution::ids::{Id, IdVec};

/// The function in its simplest form. The first block stays the first.
pub(crate) fn simplify_cfg(mut function: Function) -> Function {
    skip_empty_blocks(&mut function);
    let mut function = reachable_only(function);
    join_chains(&mut function);
    let order = reverse_postorder(&function);
    with_blocks(function, &order)
}

/// Lets jumps to a block that only jumps on go where that one goes.
fn skip_empty_blocks(function: &mut Function) {
    let next: IdVec<BlockId, Option<BlockId>> = function
        .blocks
        .iter()
        .map(|block| match block.terminator {
            Terminator::Jump(target) if block.insts.is_empty() => Some(target),
            _ => None,
        })
        .collect();
    let end_of = |start: BlockId| {
        let mut end = start;
        // A cycle of empty blocks has no end: an endless loop stays one, at its first block.
        for _ in 0..next.len() {
            match next[end] {
                Some(further) => end = further,
                None => return end,
            }
        }
        start
    };
    for block in function.blocks.iter_mut() {
        block.terminator.map_targets(end_of);
    }
}

/// Joins a block to the one before it if that one ends in a jump to it and nothing else leads to
/// it. The first block is never joined to another.
fn join_chains(function: &mut Function) {
    let mut preds = predecessors(function);
    let mut joined = vec![false; function.blocks.len()];
    for block in function.blocks.ids() {
        while !joined[block.index()]
            && let Terminator::Jump(next) = function.blocks[block].terminator
            && next != function.entry()
            && next != block
            && preds[next].len() == 1
        {
            // What is left of `next` can no longer be reached.
            let rest = function.blocks[next].clone();
            let whole = &mut function.blocks[block];
            whole.insts.extend(rest.insts);
            whole.terminator = rest.terminator;
            whole.place = rest.place;
            joined[next.index()] = true;
            for successor in function.blocks[block].terminator.successors() {
                for pred in preds[successor].iter_mut().filter(|pred| **pred == next) {
                    *pred = block;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::FunctionBuilder;
    use crate::cfg::tests::graph;
    use crate::op::{Inst, Op, Operand};
    use crate::program::Width;

    /// b0 -> b1 -> b2 (dead: b3 -> b2), each with one `yield`.
    fn chain() -> Function {
        let mut f = FunctionBuilder::new("f", None, None);
        let (b1, b2) = (f.new_block(), f.new_block());
        f.emit(Op::Yield, None);
        f.terminate(Terminator::Jump(b1), None);
        f.emit(Op::Yield, None);
        f.terminate(Terminator::Jump(b2), None);
        f.switch_to(b1);
        f.emit(Op::Yield, None);
        f.terminate(Terminator::Jump(b2), None);
        f.switch_to(b2);
        f.emit(Op::Yield, None);
        f.terminate(Terminator::Return(None), None);
        f.finish()
    }

    #[test]
    fn dead_code_after_a_terminator_is_dropped() {
        assert_eq!(chain().blocks.len(), 3);
    }

    #[test]
    fn straight_line_blocks_are_joined() {
        let simple = simplify_cfg(chain());
        assert_eq!(simple.blocks.len(), 1);
        assert_eq!(simple.blocks[simple.entry()].insts.len(), 3);
        assert_eq!(simple.blocks[simple.entry()].terminator, Terminator::Return(None));
    }

    #[test]
    fn branches_with_equal_targets_stay() {
        let mut f = FunctionBuilder::new("f", None, None);
        let cond = f.reg(Width::BOOL, None);
        let end = f.new_block();
        let branch = Terminator::Branch { cond: Operand::Reg(cond), then: end, otherwise: end };
        f.terminate(branch, None);
        f.switch_to(end);
        f.terminate(Terminator::Return(None), None);
        let f = f.finish();
        assert_eq!(simplify_cfg(f.clone()), f);
    }

    #[test]
    fn blocks_that_only_jump_on_are_skipped_and_the_rest_is_in_reading_order() {
        // b0 -> {b3, b1}; b1 -> b2 -> b4; b3 (yields) -> b4; b4 -> {b4, b5}
        let mut f = graph(&[&[3, 1], &[2], &[4], &[4], &[4, 5], &[]]);
        f.blocks[BlockId::new(3)].insts.push(Inst { op: Op::Yield, place: None });
        let simple = simplify_cfg(f);
        let targets: Vec<Vec<usize>> = simple
            .blocks
            .iter()
            .map(|block| block.terminator.successors().into_iter().map(Id::index).collect())
            .collect();
        assert_eq!(targets, [vec![1, 2], vec![2], vec![2, 3], vec![]]);
    }

    #[test]
    fn a_cycle_of_empty_blocks_stays_an_endless_loop() {
        let simple = simplify_cfg(graph(&[&[1], &[2], &[1]]));
        assert!(simple.blocks.iter().all(|block| !block.terminator.successors().is_empty()));
        assert!(simple.blocks.len() <= 2);
    }

    #[test]
    fn an_endless_loop_stays() {
        let mut f = FunctionBuilder::new("f", None, None);
        let head = f.new_block();
        f.terminate(Terminator::Jump(head), None);
        f.switch_to(head);
        f.emit(Op::Yield, None);
        f.terminate(Terminator::Jump(head), None);
        let simple = simplify_cfg(f.finish());
        assert_eq!(simple.blocks.len(), 2);
    }
}
