//! The state of the thread that is being executed: its calls, and what others could see of it.

use super::ObjectKey;
use super::guarded::Guarded;
use super::sym::Sym;
use super::unchanged::Comparison;
use crate::bounded::{ActionId, Origin, Taint};
use crate::guard::Guard;
use crate::term::TermId;
use execution::event::ThreadId;
use execution::ids::IdVec;
use ir::program::{BlockId, FuncId, LocId};
use ir::value::{RegionId, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The thread that runs.
pub(super) struct Running {
    pub(super) thread: ThreadId,
    pub(super) instruction: u32,
    pub(super) sections: u32,
    /// When each section began.
    pub(super) section_starts: Vec<u32>,
    /// The section and how deeply nested.
    pub(super) section: Guarded<(Option<u32>, u32)>,
    pub(super) operation: Guarded<Option<u32>>,
    /// The load-exclusive that a store-exclusive is paired with.
    pub(super) reserved: Guarded<Option<ActionId>>,
    pub(super) control: Taint,
    /// In structured languages: what decided each branch of the running call.
    pub(super) branches: BTreeMap<BlockId, Taint>,
    /// In structured languages: what decided the branches around the running call.
    pub(super) around: Taint,
    /// Where the latest access was made: place, block, and index of the instruction there.
    pub(super) last_place: Option<(LocId, BlockId, usize)>,
    /// The calls that are running, for recursion.
    pub(super) active: Vec<Active>,
    /// The stack objects of the calls that are running, outermost first.
    pub(super) stack: Vec<RegionId>,
    /// What others could see of it, for finding loops that only wait.
    pub(super) effects: Vec<Effect>,
    /// What comparisons with constants have shown.
    pub(super) comparisons: Vec<Comparison>,
    /// How often the innermost loop around has gone back because something decided so.
    pub(super) repeated: u32,
    /// Whether a fence has ordered earlier accesses before later loads, but not before later
    /// stores.
    pub(super) loads_fenced: bool,
    /// The thread's own objects that it has written while others run.
    pub(super) written: BTreeSet<ObjectKey>,
    /// On which paths the thread ended.
    pub(super) ended: Guard,
}

/// A call that is running.
pub(super) struct Active {
    pub(super) function: FuncId,
    /// The paths on which it was made.
    pub(super) guard: Guard,
    /// How many of the calls of this function, from the outermost one to this one, something
    /// decided about.
    pub(super) decided: u32,
    /// How many actions and calls there were before the outermost one.
    pub(super) before: (usize, usize),
}

impl Running {
    pub(super) fn new(thread: ThreadId) -> Self {
        Self {
            thread,
            instruction: 0,
            sections: 0,
            section_starts: vec![0],
            section: Guarded::new((None, 0)),
            operation: Guarded::new(None),
            reserved: Guarded::new(None),
            control: Taint::default(),
            branches: BTreeMap::new(),
            around: Taint::default(),
            last_place: None,
            active: Vec::new(),
            stack: Vec::new(),
            effects: Vec::new(),
            comparisons: Vec::new(),
            repeated: 0,
            loads_fenced: false,
            written: BTreeSet::new(),
            ended: Guard::FALSE,
        }
    }
}

/// Something that others could see.
pub(super) struct Effect {
    /// On which paths.
    pub(super) guard: Guard,
    pub(super) kind: EffectKind,
}

pub(super) enum EffectKind {
    /// They can.
    Seen,
    /// A read-modify-write: no thread can see it if the old and the new value are equal.
    Update { old: TermId, new: TermId },
    /// A mutex is taken or given back: no thread can see it once both have happened.
    Lock { address: TermId, takes: bool, action: ActionId },
}

impl Effect {
    pub(super) fn seen(guard: Guard) -> Self {
        Self { guard, kind: EffectKind::Seen }
    }
}

/// A call that is being executed.
pub(super) struct Frame {
    pub(super) function: FuncId,
    /// The block that is being executed, and the index of the instruction.
    pub(super) block: BlockId,
    pub(super) next: usize,
    pub(super) regs: Vec<Guarded<Sym>>,
    pub(super) slots: Vec<Value>,
    /// The guards under which control reaches blocks that are still to be executed.
    pub(super) pending: IdVec<BlockId, Guard>,
    pub(super) result: Option<Guarded<Sym>>,
    pub(super) returned: Guard,
    pub(super) calls: Arc<[(FuncId, Option<LocId>)]>,
    /// The calls and iterations that lead here.
    pub(super) context: Vec<u32>,
}

impl Frame {
    pub(super) fn origin(&self, place: Option<LocId>) -> Origin {
        Origin { place, calls: self.calls.clone() }
    }
}
