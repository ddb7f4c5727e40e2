//! Call frames, and the call stack as a list of source places.

use crate::program::{BlockId, FuncId, LocId, Program, Reg};

/// An active call of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// The function.
    pub function: FuncId,
    /// The block.
    pub block: BlockId,
    /// The instruction of the block that comes next; past the last one for the terminator.
    pub next: u32,
    /// Where its registers start among the thread's.
    pub(super) regs: u32,
    /// Where its stack objects start among the thread's.
    pub(super) slots: u32,
    /// The caller's register for the result.
    pub(super) result: Option<Reg>,
}

impl Frame {
    /// The place of the instruction that comes next.
    pub fn next_place(&self, program: &Program) -> Option<LocId> {
        let block = &program.functions[self.function].blocks[self.block];
        block.insts.get(self.next as usize).map_or(block.place, |inst| inst.place)
    }

    /// The place of the call that this frame waits for.
    pub fn call_place(&self, program: &Program) -> Option<LocId> {
        let block = &program.functions[self.function].blocks[self.block];
        let index = (self.next as usize).checked_sub(1)?;
        block.insts.get(index).and_then(|inst| inst.place)
    }
}

/// A function and the place in it where a thread was.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TraceEntry {
    /// The function.
    pub function: FuncId,
    /// The place, if it is known.
    pub place: Option<LocId>,
}

/// The innermost `limit` calls of a call stack, innermost first; `place` is where the innermost
/// one is.
pub fn trace(
    program: &Program,
    frames: &[Frame],
    place: Option<LocId>,
    limit: usize,
) -> Vec<TraceEntry> {
    let innermost = frames.len().saturating_sub(1);
    let entry = |(depth, frame): (usize, &Frame)| TraceEntry {
        function: frame.function,
        place: if depth == innermost { place } else { frame.call_place(program) },
    };
    frames.iter().enumerate().rev().take(limit).map(entry).collect()
}
