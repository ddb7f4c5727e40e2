//! The control-flow graph of a function: successors, predecessors, and an order to visit it in.
//!
//! - [`bystanders`](mod@bystanders): registers that loops change and that decide nothing there.
//! - [`certain`](mod@certain): blocks that every execution visits.
//! - [`counted`]: loops that end by themselves.
//! - [`dominators`]: which blocks lie on every path to a block.
//! - [`joins`](mod@joins): where the arms of branches join.
//! - [`liveness`]: which registers may still be read.
//! - [`loops`]: natural loops and how they nest; flow that has none is irreducible.

pub mod bystanders;
pub mod certain;
pub mod counted;
pub mod dominators;
pub mod joins;
pub mod liveness;
pub mod loops;

use crate::op::Terminator;
use crate::program::{BlockId, Function};
use execution::ids::{Id, IdVec};

pub use bystanders::bystanders;
pub use certain::certain;
pub use dominators::Dominators;
pub use joins::joins;
pub use liveness::Liveness;
pub use loops::{Irreducible, Loop, LoopForest, LoopId};

impl Terminator {
    /// The blocks that may come next, in the order in which they are written; a block that is
    /// written twice comes twice.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Terminator::Jump(target) => vec![*target],
            Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|case| case.target).chain([*default]).collect()
            }
            Terminator::Return(_)
            | Terminator::ThreadExit(_)
            | Terminator::Exit(_)
            | Terminator::Trap(_) => Vec::new(),
        }
    }

    /// Replaces every target.
    pub fn map_targets(&mut self, mut map: impl FnMut(BlockId) -> BlockId) {
        match self {
            Terminator::Jump(target) => *target = map(*target),
            Terminator::Branch { then, otherwise, .. } => {
                *then = map(*then);
                *otherwise = map(*otherwise);
            }
            Terminator::Switch { cases, default, .. } => {
                for case in cases {
                    case.target = map(case.target);
                }
                *default = map(*default);
            }
            Terminator::Return(_)
            | Terminator::ThreadExit(_)
            | Terminator::Exit(_)
            | Terminator::Trap(_) => {}
        }
    }
}

/// The blocks that may come before each block, each once, in ascending order.
pub fn predecessors(function: &Function) -> IdVec<BlockId, Vec<BlockId>> {
    let mut preds: IdVec<BlockId, Vec<BlockId>> =
        function.blocks.ids().map(|_| Vec::new()).collect();
    for (id, block) in function.blocks.enumerate() {
        for successor in block.terminator.successors() {
            if preds[successor].last() != Some(&id) {
                preds[successor].push(id);
            }
        }
    }
    preds
}

/// The blocks that can be reached from the entry, in reverse postorder of a depth-first search:
/// outside of loops, a block comes after all its predecessors.
pub fn reverse_postorder(function: &Function) -> Vec<BlockId> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::with_capacity(function.blocks.len());
    if function.blocks.is_empty() {
        return order;
    }
    // Successors are visited last to first, so that in the reversed order the first comes first.
    let mut stack =
        vec![(function.entry(), function.blocks[function.entry()].terminator.successors())];
    seen[function.entry().index()] = true;
    while let Some((block, pending)) = stack.last_mut() {
        match pending.pop() {
            Some(next) if seen[next.index()] => {}
            Some(next) => {
                seen[next.index()] = true;
                stack.push((next, function.blocks[next].terminator.successors()));
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::locks::LockView;
    use crate::op::{Operand, SwitchCase};
    use crate::program::{Block, Width};

    /// A function whose block `i` leads to the blocks `edges[i]`.
    pub(crate) fn graph(edges: &[&[usize]]) -> Function {
        let value = Operand::int(Width::I32, 0);
        let block = |targets: &&[usize]| {
            let terminator = match **targets {
                [] => Terminator::Return(None),
                [target] => Terminator::Jump(BlockId::new(target)),
                [ref rest @ .., last] => {
                    let case = |(i, &target): (usize, &usize)| {
                        let (low, target) = (i as u128, BlockId::new(target));
                        SwitchCase { low, high: low, target }
                    };
                    let cases = rest.iter().enumerate().map(case).collect();
                    Terminator::Switch { value, cases, default: BlockId::new(last) }
                }
            };
            Block { insts: Vec::new(), terminator, place: None }
        };
        Function {
            name: "f".to_string(),
            params: Vec::new(),
            result: None,
            regs: IdVec::new(),
            slots: IdVec::new(),
            blocks: edges.iter().map(block).collect(),
            lock_view: LockView::default(),
            place: None,
        }
    }

    #[test]
    fn reverse_postorder_puts_a_join_after_both_arms_and_skips_dead_blocks() {
        let f = graph(&[&[1, 2], &[3], &[3], &[], &[3]]);
        let order: Vec<usize> = reverse_postorder(&f).into_iter().map(Id::index).collect();
        assert_eq!(order, [0, 1, 2, 3]);
    }

    #[test]
    fn predecessors_are_listed_once() {
        let f = graph(&[&[1, 1], &[0]]);
        assert_eq!(predecessors(&f)[BlockId::new(1)], [BlockId::new(0)]);
    }
}
