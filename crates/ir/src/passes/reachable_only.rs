//! Drops the blocks of a function that control cannot reach.

use crate::cfg::reverse_postorder;
use crate::program::{BlockId, Function};
use execution::ids::{Id, IdVec};

/// The function without the blocks that cannot be reached; the others keep their order.
pub(crate) fn reachable_only(function: Function) -> Function {
    let mut order = reverse_postorder(&function);
    order.sort();
    with_blocks(function, &order)
}

/// The function with these blocks in this order; no jump may lead to another.
pub(super) fn with_blocks(mut function: Function, order: &[BlockId]) -> Function {
    let mut number: IdVec<BlockId, Option<BlockId>> = function.blocks.ids().map(|_| None).collect();
    for (position, &block) in order.iter().enumerate() {
        number[block] = Some(BlockId::new(position));
    }
    let mut blocks: IdVec<BlockId, _> = function.blocks.into_iter().map(Some).collect();
    let blocks = order.iter().filter_map(|&block| blocks[block].take());
    function.blocks = blocks
        .map(|mut block| {
            block.terminator.map_targets(|target| number[target].unwrap_or(target));
            block
        })
        .collect();
    function
}
