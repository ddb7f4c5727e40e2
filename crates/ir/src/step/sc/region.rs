//! Objects in memory: where they are, how large, alive or dead, and where they came from.
//!
//! Soundness S-005 (run; sc; misses): The address of a freed block is never used again, so an ABA
//! problem that needs the allocator shows as a use after free or not at all. Test:
//! corpus/findings/use_after_free.c.
//!
//! Soundness S-013 (run, check, verify; all; misses): Every object starts at a multiple of 16, so
//! an array of `char` that is used as one of numbers is aligned here, though C does not promise it.
//! Test: corpus/verify/memory/aligned_behind_a_byte.c,
//! corpus/verify/memory/misaligned_behind_a_byte.c.

use super::contents::Contents;
use crate::layout::LayoutId;
use crate::program::{FuncId, GlobalId, Program, SlotId};
use crate::step::frame::TraceEntry;
use execution::event::ThreadId;

/// An object in memory.
#[derive(Clone, Debug)]
pub struct Region {
    /// Its address.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
    /// What sort of object it is.
    pub kind: RegionKind,
    /// Whether it still exists.
    pub life: Life,
    /// Where a heap block was allocated.
    pub allocated: Option<Box<Origin>>,
    /// The alignment of a heap block, and whether it was to be zero.
    pub(super) asked: (u64, bool),
    /// What is in it; nothing once it is dead.
    pub(super) contents: Contents,
}

/// What sort of object a region is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionKind {
    /// A global.
    Global(GlobalId),
    /// A constant or string literal.
    Constant(GlobalId),
    /// A thread's copy of a thread-local.
    ThreadLocal(GlobalId, ThreadId),
    /// A stack object of a call.
    Stack(FuncId, SlotId, ThreadId),
    /// A heap block.
    Heap(Option<LayoutId>),
    /// A function.
    Function(FuncId),
    /// An argument of `main`, or the list of them.
    Argument,
}

/// Whether an object exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Life {
    /// It does.
    Alive,
    /// A heap block that was freed.
    Freed(Box<Origin>),
    /// A stack object whose call has returned, or a thread-local whose thread has ended.
    Over,
}

/// Who did something to an object, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The thread.
    pub thread: ThreadId,
    /// Where it was, innermost call first.
    pub trace: Vec<TraceEntry>,
}

impl Region {
    /// A living object.
    pub fn new(base: u64, kind: RegionKind, contents: Contents, size: u64) -> Self {
        Self { base, size, kind, life: Life::Alive, allocated: None, asked: (0, false), contents }
    }

    /// Whether it exists.
    pub fn is_alive(&self) -> bool {
        self.life == Life::Alive
    }

    /// Its layout, where it is known.
    pub fn layout(&self, program: &Program) -> Option<LayoutId> {
        match self.kind {
            RegionKind::Global(global)
            | RegionKind::Constant(global)
            | RegionKind::ThreadLocal(global, _) => program.globals[global].layout,
            RegionKind::Stack(function, slot, _) => program.functions[function].slots[slot].layout,
            RegionKind::Heap(layout) => layout,
            RegionKind::Function(_) | RegionKind::Argument => None,
        }
    }
}
