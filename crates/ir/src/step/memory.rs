//! The world outside a thread: memory, other threads, choices, output.

use super::alignment::Alignment;
use super::frame::Frame;
use super::shown::Costly;
use super::taint::{Dependencies, Taint};
use crate::layout::LayoutId;
use crate::locks::Purpose;
use crate::op::{Claim, RmwOp, Terminator};
use crate::order::{Fence, Order};
use crate::program::{BlockId, FuncId, GlobalId, LocId, Program, SlotId, Width};
use crate::tag::Tag;
use crate::value::Value;
use execution::event::ThreadId;
use execution::finding::DivisionError;
use execution::finding::Verb;
use execution::ids::Id;

/// Where in the program a request comes from.
#[derive(Clone, Copy, Debug)]
pub struct Site<'p> {
    /// The program.
    pub program: &'p Program,
    /// The running thread.
    pub thread: ThreadId,
    /// The function that the instruction is in.
    pub function: FuncId,
    /// The block that the instruction is in (where control dependencies end at joins, a driver
    /// needs to know).
    pub block: BlockId,
    /// The source place of the instruction.
    pub place: Option<LocId>,
    /// How many instructions the thread had executed before this one: events of one instruction
    /// share this number.
    pub instruction: u64,
    /// The calls that are active, outermost first; see [`super::frame::trace`].
    pub frames: &'p [Frame],
}

impl Site<'_> {
    /// Whether the thread is about to return from `main`, which ends the whole program: there is no
    /// moment at which the objects of `main` are gone and others still run.
    pub fn ends_program(&self) -> bool {
        let block = &self.program.functions[self.function].blocks[self.block];
        self.thread.index() == 0
            && self.frames.len() == 1
            && matches!(block.terminator, Terminator::Return(_))
    }
}

/// A memory access with its address computed.
#[derive(Clone, Copy, Debug)]
pub struct ResolvedAccess<'p> {
    /// The address; fully defined. Its provenance is what it may access.
    pub address: Value,
    /// How wide.
    pub width: Width,
    /// What the source language wants the address to be a multiple of.
    pub align: u64,
    /// In what order.
    pub order: Order,
    /// What the source calls the place.
    pub path: Option<&'p str>,
    /// What the access is for.
    pub purpose: Purpose,
    /// Further annotations.
    pub tags: &'p [Tag],
}

impl ResolvedAccess<'_> {
    /// What the address must be a multiple of.
    #[inline]
    pub fn alignment(&self, verb: Verb) -> Alignment {
        Alignment::of(self.width, self.order.is_atomic() || verb == Verb::Update, self.align)
    }
}

/// A value that was read, and the number of the read event (see [`super::taint::Taint::read`]).
#[derive(Clone, Copy, Debug)]
pub struct Loaded {
    /// The value.
    pub value: Value,
    /// The event; any number where dependencies are not tracked.
    pub event: u32,
}

/// One word of a multi-word compare-and-swap, computed.
#[derive(Clone, Debug)]
pub struct ResolvedMcasWord<'p, T> {
    /// The word.
    pub access: ResolvedAccess<'p>,
    /// What it must hold.
    pub expected: Value,
    /// What is written if all match.
    pub desired: Value,
    /// What this word's address and new value depend on.
    pub dependencies: Dependencies<T>,
}

/// What a nondeterministic choice is made from.
#[derive(Clone, Debug)]
pub enum Alternatives {
    /// Signed numbers from the first to the second.
    Range(i128, i128),
    /// One of these.
    Set(Vec<Value>),
    /// Any value of the width.
    Any,
}

/// Where printed text goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// What a driver of the stepper provides. `T` is the taint that its threads carry.
///
/// A method that returns `Err` leaves the thread exactly where it was, before the instruction:
/// the driver may step it again later (a join of a thread that still runs), or give it up.
pub trait Memory<T> {
    /// Why a request was not answered: a finding, a wait, a missing guess.
    type Stop;

    /// Whether [`Memory::reveals`] is to be called.
    const ASKS_FOR_NUMBERS: bool = false;

    /// A number was computed that depends on the object's address, and has no provenance.
    fn reveals(&mut self, _address: Value) {}

    /// Whether [`Memory::computes`] is to be called.
    #[inline(always)]
    fn watches_arithmetic(&self) -> bool {
        false
    }

    /// Something costly is computed, of these operands.
    fn computes(&mut self, _site: Site<'_>, _what: Costly<'_>, _operands: &[Value]) {}

    /// Whether signed overflow in checked arithmetic is a fault.
    fn checks_overflow(&self) -> bool {
        false
    }

    /// The taint of what was read by the event of this number. A driver for which some objects
    /// are not shared memory may hand on the taint of what was stored there.
    #[inline(always)]
    fn taint(&self, event: u32) -> T
    where
        T: Taint,
    {
        T::read(event)
    }

    /// Reads.
    fn load(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        exclusive: bool,
        dependencies: Dependencies<T>,
    ) -> Result<Loaded, Self::Stop>;

    /// Writes.
    fn store(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        value: Value,
        dependencies: Dependencies<T>,
    ) -> Result<(), Self::Stop>;

    /// Writes if the exclusive load before it is still good, and says whether it did; the number
    /// is the event that the success flag depends on, if any.
    fn store_exclusive(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        value: Value,
        dependencies: Dependencies<T>,
    ) -> Result<(bool, Option<u32>), Self::Stop>;

    /// Reads, computes and writes; gives the old value. `returns` is whether the program uses it.
    fn rmw(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        op: RmwOp,
        operand: Value,
        returns: bool,
        dependencies: Dependencies<T>,
    ) -> Result<Loaded, Self::Stop>;

    /// Compares and swaps; gives the old value and whether the new one was written.
    #[allow(clippy::too_many_arguments)]
    fn cas(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        expected: (Value, T),
        desired: Value,
        failure: Order,
        weak: bool,
        dependencies: Dependencies<T>,
    ) -> Result<(Loaded, bool), Self::Stop>;

    /// Compares and swaps several words; says whether the new values were written.
    fn mcas(
        &mut self,
        site: Site<'_>,
        words: Vec<ResolvedMcasWord<'_, T>>,
    ) -> Result<bool, Self::Stop>;

    /// Orders other accesses.
    fn fence(&mut self, site: Site<'_>, fence: &Fence, control: &T) -> Result<(), Self::Stop>;

    /// A branch was decided by a value with this taint.
    fn branch(&mut self, _site: Site<'_>, _taint: &T) -> Result<(), Self::Stop> {
        Ok(())
    }

    /// A branch goes this way: the number of the arm, in the order of the text form.
    #[inline(always)]
    fn goes(&mut self, _site: Site<'_>, _arm: usize) {}

    /// The innermost call returns; the outermost one of a thread does not.
    #[inline(always)]
    fn returns(&mut self, _site: Site<'_>) {}

    /// An assertion is reached: the number of the instruction in its block.
    #[inline(always)]
    fn asserts(&mut self, _site: Site<'_>, _index: u32) {}

    /// An outermost atomic section starts.
    fn atomic_begin(&mut self, site: Site<'_>) -> Result<(), Self::Stop>;
    /// The outermost atomic section ends.
    fn atomic_end(&mut self, site: Site<'_>) -> Result<(), Self::Stop>;

    /// The address of a global (the running thread's, for a thread-local).
    fn global(&mut self, site: Site<'_>, global: GlobalId) -> Result<Value, Self::Stop>;
    /// The address of a function.
    fn function(&mut self, site: Site<'_>, function: FuncId) -> Result<Value, Self::Stop>;
    /// The function at an address; a finding if there is none.
    fn function_at(&mut self, site: Site<'_>, address: Value) -> Result<FuncId, Self::Stop>;
    /// Makes a call's stack object, at call depth `depth`, with undefined contents.
    fn slot(
        &mut self,
        site: Site<'_>,
        function: FuncId,
        slot: SlotId,
        depth: u32,
    ) -> Result<Value, Self::Stop>;
    /// Makes the contents of a stack object undefined again.
    fn enter(&mut self, site: Site<'_>, slot: Value) -> Result<(), Self::Stop>;
    /// Ends the lifetime of a returning call's stack objects; the call gives this result.
    fn leave(
        &mut self,
        site: Site<'_>,
        slots: &[Value],
        result: Option<Value>,
    ) -> Result<(), Self::Stop>;
    /// The same for a thread that is about to end, with the stack objects of all its calls; its
    /// thread-local objects end, too.
    fn leave_thread(
        &mut self,
        site: Site<'_>,
        slots: &[Value],
        result: Option<Value>,
    ) -> Result<(), Self::Stop> {
        self.leave(site, slots, result)
    }
    /// Allocates a heap block.
    fn alloc(
        &mut self,
        site: Site<'_>,
        size: u64,
        align: u64,
        zeroed: bool,
        layout: Option<LayoutId>,
    ) -> Result<Value, Self::Stop>;
    /// Frees a heap block, whose address depends on these events.
    fn free(&mut self, site: Site<'_>, address: Value, taint: T) -> Result<(), Self::Stop>;
    /// The size of the heap block that starts at an address.
    fn block_size(&mut self, site: Site<'_>, address: Value) -> Result<u64, Self::Stop>;

    /// Starts a thread; gives its handle.
    fn spawn(
        &mut self,
        site: Site<'_>,
        function: FuncId,
        args: Vec<Value>,
    ) -> Result<Value, Self::Stop>;
    /// The result of a thread that has ended; a wait if it still runs.
    fn join(&mut self, site: Site<'_>, thread: Value) -> Result<Value, Self::Stop>;
    /// No thread awaits a thread any more, and the program may end while it still runs.
    fn detach(&mut self, site: Site<'_>, thread: Value) -> Result<(), Self::Stop> {
        let _ = (site, thread);
        Ok(())
    }
    /// The handle by which a thread is joined; pure.
    fn handle(&self, thread: ThreadId) -> Value {
        // Handles count from one, so that none of them is zero.
        Value::int(Width::I64, thread.index() as u128 + 1)
    }
    /// The running thread waits for others.
    fn yield_now(&mut self, site: Site<'_>) -> Result<(), Self::Stop>;

    /// Resolves a nondeterministic choice.
    fn choose(
        &mut self,
        site: Site<'_>,
        width: Width,
        from: Alternatives,
    ) -> Result<Value, Self::Stop>;
    /// The client sees a value.
    fn observe(&mut self, site: Site<'_>, label: &str, value: Value) -> Result<(), Self::Stop>;
    /// The running operation takes effect.
    fn commit(&mut self, site: Site<'_>, label: &str) -> Result<(), Self::Stop>;
    /// An operation starts.
    fn operation_begin(
        &mut self,
        site: Site<'_>,
        name: &str,
        args: &[Value],
    ) -> Result<(), Self::Stop>;
    /// An operation ends.
    fn operation_end(&mut self, site: Site<'_>, result: Option<Value>) -> Result<(), Self::Stop>;
    /// Prints bytes. Printing to memory is done with [`Memory::store`].
    fn print(&mut self, site: Site<'_>, stream: Stream, text: &[u8]) -> Result<(), Self::Stop>;

    /// A value with undefined bits is used as `what`; `origin` is its taint.
    fn undefined(&mut self, site: Site<'_>, what: &'static str, origin: &T) -> Self::Stop {
        let _ = origin;
        self.fault(site, Fault::UndefinedUse(what))
    }

    /// Something is wrong with the program at this point.
    fn fault(&mut self, site: Site<'_>, fault: Fault) -> Self::Stop;
}

/// What a thread itself finds wrong (wrong accesses are found by the memory).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An assertion does not hold; whose claim it is, and its message.
    ClaimFailed(Claim, String),
    /// An assumption does not hold, or there is nothing to choose from: this execution is
    /// discarded.
    AssumptionFailed {
        /// The thread waits instead: it is in an atomic section.
        waits: bool,
    },
    /// A trap was reached; its message.
    Trap(String),
    /// An undefined value was used: as what ("the condition of a branch").
    UndefinedUse(&'static str),
    /// An index is not less than this length.
    Index(u64),
    /// Division by zero, or a quotient that does not fit.
    Division(DivisionError),
    /// Signed overflow or a shift that is too large, where the driver asked for them.
    Overflow(&'static str),
    /// An indirect call with other arguments than the function takes.
    BadCall(String),
    /// The call stack grew past its bound.
    StackOverflow,
    /// An atomic section ended that had not begun, or a thread ended inside one.
    UnbalancedAtomicSection,
    /// What is to be printed is longer than the stepper prints.
    TooLongToPrint,
}
