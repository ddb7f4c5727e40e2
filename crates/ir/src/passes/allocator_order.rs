//! What an allocator orders: an allocation that reuses a block is ordered after its `free`.
//!
//! Soundness S-052 (check, verify; weak; misses): The allocator is taken for a full fence before
//! each `free` and after each allocation. Test:
//! crates/ir/src/passes/allocator_order.rs::there_is_a_fence_after_an_allocation_and_before_a_free.

use crate::op::{Inst, Op};
use crate::order::{Fence, Order};
use crate::program::Program;

/// The program with a full fence before each `free` and after each allocation, as the locks inside
/// an allocator provide. It matters where blocks are used again.
pub(crate) fn allocator_order(mut program: Program) -> Program {
    let fence = |place| Inst { op: Op::Fence(Fence::C11(Order::SeqCst)), place };
    for block in program.functions.iter_mut().flat_map(|function| function.blocks.iter_mut()) {
        let insts = std::mem::take(&mut block.insts);
        for inst in insts {
            let place = inst.place;
            let (before, after) =
                (matches!(inst.op, Op::Free { .. }), matches!(inst.op, Op::Alloc { .. }));
            block.insts.extend(before.then(|| fence(place)));
            block.insts.push(inst);
            block.insts.extend(after.then(|| fence(place)));
        }
    }
    program
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;
    use execution::ids::Id;
    use execution::span::FileId;

    #[test]
    fn there_is_a_fence_after_an_allocation_and_before_a_free() {
        let program = r#"fpir 1
entry main

fn main() -> i32 {
  reg %p: i64
b0:
  %p = alloc 8 align 8
  free %p
  return i32 0
}
"#;
        let program = text::parse(FileId::new(0), program).expect("a program").program;
        let ordered = allocator_order(program);
        let blocks = ordered.functions.iter().flat_map(|function| function.blocks.iter());
        let is_fence = |inst: &Inst| matches!(inst.op, Op::Fence(Fence::C11(Order::SeqCst)));
        let fences: Vec<bool> = blocks.flat_map(|block| &block.insts).map(is_fence).collect();
        assert_eq!(fences, [false, true, true, false]);
    }
}
