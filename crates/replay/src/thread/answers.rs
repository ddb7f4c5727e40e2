//! Who answers a thread of a C program where its own code does not, and what may stop it.

use super::state::{Locals, State};
use crate::memory::world::{CellId, ValueId, World};
use execution::event::ThreadId;
use execution::finding::{AccessInfo, FindingKind};
use ir::layout::LayoutId;
use ir::op::CastOp;
use ir::program::Width;
use ir::step::memory::{Alternatives, Site};
use ir::step::shown::Costly;
use ir::value::{RegionId, Value};

/// Why a thread was stopped.
#[derive(Clone, Debug)]
pub enum Stop {
    /// There are this many answers.
    Fork(usize),
    /// This is not an execution: an assumption failed.
    Discard,
    /// An assumption failed in an atomic section.
    Waits,
    /// The thread loops for ever.
    Spins,
    /// The thread is at the start of what it repeats.
    Repeats,
    /// The end of this thread is awaited, and it does not end.
    WaitsFor(ThreadId),
    /// `main` is about to start a thread for the first time.
    FirstSpawn,
    /// A loop ran more often than the bound.
    Bounded,
    /// The thread is to go no further.
    Cut,
    /// Something is wrong with the program.
    Wrong(Box<Wrong>),
    /// This is not supported.
    Unsupported(String),
    /// What the witness says cannot be.
    Mismatch(String),
}

/// What is wrong with the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// What is wrong.
    pub kind: FindingKind,
    /// The access.
    pub access: Option<AccessInfo>,
    /// The object, and where in it the access begins.
    pub object: Option<(RegionId, i64)>,
}

impl Wrong {
    /// Something that is about no access.
    pub fn new(kind: FindingKind) -> Self {
        Self { kind, access: None, object: None }
    }

    /// `main` returns a value that is undefined.
    pub fn undefined_result() -> Self {
        Self::new(FindingKind::UndefinedUse("the result of `main`".into()))
    }
}

/// Who says what happens where that does not follow from the thread itself.
pub trait Answers {
    /// Whether answers may be taken back.
    const FORKS: bool;

    /// The thread is about to access a shared object.
    fn access(&mut self) -> Result<(), Stop>;
    /// It did not: a store-exclusive failed.
    fn no_access(&mut self) {}
    /// What a read of a cell returns.
    fn read(
        &mut self,
        world: &mut World<'_>,
        asks: &mut State,
        cell: CellId,
        width: Width,
    ) -> Result<ValueId, Stop>;
    /// The thread has written to a cell.
    fn wrote(&mut self, _cell: CellId, _value: Option<ValueId>) {}
    /// Whether a store-exclusive succeeds.
    fn stores(&mut self, asks: &mut State) -> Result<bool, Stop>;
    /// Whether a weak compare-and-swap fails although it could succeed.
    fn fails(&mut self, asks: &mut State) -> Result<bool, Stop>;
    /// What a choice gives.
    fn choose(
        &mut self,
        world: &World<'_>,
        asks: &mut State,
        width: Width,
        from: &Alternatives,
    ) -> Result<Value, Stop>;
    /// The block that an allocation gives, and whether it was freed before; `None` for null.
    fn allocate(
        &mut self,
        world: &mut World<'_>,
        asks: &mut State,
        wanted: &Wanted,
    ) -> Result<Option<(RegionId, bool)>, Stop>;
    /// The number of a thread that is started.
    fn spawn(&mut self, parent: ThreadId, number: u32) -> Result<ThreadId, Stop>;
    /// The result of a thread that is awaited.
    fn join(&mut self, asks: &mut State, thread: ThreadId) -> Result<Value, Stop>;
    /// What a thread that was awaited has left in objects that are not shared.
    fn left_by(&self, _thread: ThreadId) -> Option<&Locals> {
        None
    }
    /// The address of an object that is not shared was passed on.
    fn escapes(&mut self, world: &World<'_>, region: RegionId) -> Result<(), Stop>;
    /// A thread accesses a shared object of another thread, or one of its own after its end.
    fn outlives(&mut self, _world: &World<'_>, _region: RegionId) {}
    /// A branch goes this way.
    fn goes(&mut self, _site: Site<'_>, _arm: usize) {}
    /// An assertion is reached: the number of the instruction in its block.
    fn asserts(&mut self, _site: Site<'_>, _index: u32) {}
    /// A costly operation is computed.
    fn computes(&mut self, _site: Site<'_>, _what: Costly<'_>, _operands: &[Value]) {}
    /// Whether signed overflow is wrong.
    fn checks_overflow(&self) -> bool {
        false
    }
    /// Whether a thread may touch (or write to) an object that is not shared.
    fn touches(
        &mut self,
        world: &World<'_>,
        region: RegionId,
        thread: ThreadId,
        writes: bool,
    ) -> Result<(), Stop>;
}

/// An allocation.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The thread, and which of its allocations this is.
    pub who: (u32, u32),
    /// Size and alignment.
    pub room: (u64, u64),
    /// Whether it is to be zero.
    pub zeroed: bool,
    /// What is to be inside.
    pub layout: Option<LayoutId>,
}

/// A result as the thread that waits for it sees it.
pub fn result(value: Option<Value>) -> Value {
    let value = value.unwrap_or(Value::int(Width::I64, 0));
    if value.width < Width::I64 { value.cast(CastOp::ZeroExtend, Width::I64) } else { value }
}
