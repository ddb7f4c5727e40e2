//! Drops blocks that cannot be reached and joins blocks that always follow one another.
//!
//! Branches stay, also those on constants and those with two equal targets: they are control
//! dependencies of the program as written.

use crate::cfg::{predecessors, reverse_postorder};
use crate::op::Terminator;
use crate::program::{BlockId, Function};
use execution::ids::{Id, IdVec};

/// The function without the blocks that cannot be reached; the others keep their order.
pub fn reachable_only(function: &Function) -> Function {
    let mut keep = vec![false; function.blocks.len()];
    for block in reverse_postorder(function) {
        keep[block.index()] = true;
    }
    keep_blocks(function.clone(), &keep)
}

/// The function with straight-line chains of blocks joined, and without unreachable blocks.
///
/// A block is joined to the one before it if that one ends in a jump to it and nothing else leads
/// to it. The first block is never joined to another.
pub fn simplify_cfg(function: &Function) -> Function {
    let mut function = reachable_only(function);
    let mut preds = predecessors(&function);
    let mut keep = vec![true; function.blocks.len()];
    for block in function.blocks.ids() {
        while keep[block.index()]
            && let Terminator::Jump(next) = function.blocks[block].terminator
            && next != function.entry()
            && next != block
            && preds[next].len() == 1
        {
            let absorbed = function.blocks[next].clone();
            let target = &mut function.blocks[block];
            target.insts.extend(absorbed.insts);
            target.terminator = absorbed.terminator;
            target.place = absorbed.place;
            keep[next.index()] = false;
            for successor in function.blocks[block].terminator.successors() {
                for pred in &mut preds[successor] {
                    if *pred == next {
                        *pred = block;
                    }
                }
            }
        }
    }
    keep_blocks(function, &keep)
}

/// Drops the blocks that are not to be kept, to which no kept block may lead, and renumbers.
fn keep_blocks(function: Function, keep: &[bool]) -> Function {
    let mut next = 0;
    let renumber: IdVec<BlockId, BlockId> = keep
        .iter()
        .map(|&kept| {
            let id = BlockId::new(next);
            next += usize::from(kept);
            id
        })
        .collect();
    let kept = function.blocks.into_iter().zip(keep).filter(|&(_, &kept)| kept);
    let blocks = kept
        .map(|(mut block, _)| {
            block.terminator.map_targets(|target| renumber[target]);
            block
        })
        .collect();
    Function { blocks, ..function }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::FunctionBuilder;
    use crate::op::{Op, Operand};
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
        let simple = simplify_cfg(&chain());
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
        assert_eq!(simplify_cfg(&f), f);
    }

    #[test]
    fn an_endless_loop_stays() {
        let mut f = FunctionBuilder::new("f", None, None);
        let head = f.new_block();
        f.terminate(Terminator::Jump(head), None);
        f.switch_to(head);
        f.emit(Op::Yield, None);
        f.terminate(Terminator::Jump(head), None);
        let simple = simplify_cfg(&f.finish());
        assert_eq!(simple.blocks.len(), 2);
    }
}
