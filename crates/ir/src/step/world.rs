//! What the threads of one run share: memory under sequential consistency, output, and choices.

use super::frame::{TraceEntry, trace};
use super::held::Locks;
use super::memory::{
    Alternatives, Fault, Loaded, Memory, ResolvedAccess, ResolvedMcasWord, Site, Stream,
};
use super::origin::{Origin, UndefinedReads};
use super::random::Random;
use super::sc::region::RegionKind;
use super::sc::{ScMemory, Violation};
use super::shown::Costly;
use super::taint::{Dependencies, Taint};
use super::thread::Ending;
use crate::layout::LayoutId;
use crate::op::{BinaryOp, RmwOp};
use crate::order::{Fence, Order};
use crate::program::{FuncId, GlobalId, SlotId, Width};
use crate::value::Value;
use execution::event::ThreadId;
use execution::finding::{FindingKind, Verb};
use execution::ids::Id;

/// Where printed text goes.
pub trait Output {
    /// Takes some text.
    fn write(&mut self, stream: Stream, text: &[u8]);

    /// Whether [`Output::computes`] is to be called.
    #[inline(always)]
    fn watches_arithmetic(&self) -> bool {
        false
    }

    /// A branch goes this way; for who wants to know what a run shows.
    #[inline(always)]
    fn goes(&mut self, _site: Site<'_>, _arm: usize) {}

    /// The same of [`Memory::computes`].
    fn computes(&mut self, _site: Site<'_>, _what: Costly<'_>, _operands: &[Value]) {}
}

impl<O: Output + ?Sized> Output for &mut O {
    fn write(&mut self, stream: Stream, text: &[u8]) {
        (**self).write(stream, text);
    }

    fn goes(&mut self, site: Site<'_>, arm: usize) {
        (**self).goes(site, arm);
    }

    fn watches_arithmetic(&self) -> bool {
        (**self).watches_arithmetic()
    }

    fn computes(&mut self, site: Site<'_>, what: Costly<'_>, operands: &[Value]) {
        (**self).computes(site, what, operands);
    }
}

/// Keeps the text of both streams together, in the order of printing.
impl Output for Vec<u8> {
    fn write(&mut self, _: Stream, text: &[u8]) {
        self.extend_from_slice(text);
    }
}

/// What a client of a data type saw, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The thread.
    pub thread: ThreadId,
    /// What happened.
    pub what: Recorded,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// A value was observed.
    Observed(String, Value),
    /// An operation took effect.
    Committed(String),
    /// An operation started, with these arguments.
    Began(String, Vec<Value>),
    /// The operation that started last ended, with this result.
    Ended(Option<Value>),
}

/// What a program leaves open.
#[derive(Clone, Debug)]
pub enum Question {
    /// Which of these values; of this width.
    Choice(Width, Alternatives),
    /// Whether a weak compare-and-swap or an exclusive store fails for no reason: one bit.
    Failure,
    /// Which of these freed blocks an allocation gives; a null pointer for a fresh one.
    Block(Vec<Value>),
}

/// Why a thread stopped.
#[derive(Clone, Debug)]
pub enum Stop {
    /// It asks, in a world in which the driver answers ([`World::answer`]).
    Undecided(Question),
    /// It waits for a change; for a join, for the end of this thread.
    Wait(Option<ThreadId>),
    /// An assumption does not hold.
    Discard,
    /// Something is wrong.
    Wrong(Box<Violation>),
}

impl From<Box<Violation>> for Stop {
    fn from(violation: Box<Violation>) -> Self {
        Stop::Wrong(violation)
    }
}

/// A thread that is to be started.
#[derive(Clone, Debug)]
pub struct Spawned {
    /// Its function.
    pub function: FuncId,
    /// The arguments.
    pub args: Vec<Value>,
}

/// What a thread does while it is watched.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// What it reads.
    pub reads: Vec<WatchedRead>,
    /// Whether it changes something that others can see: its stack is its own.
    pub changes: bool,
}

/// What a thread read while it was watched.
#[derive(Clone, Debug)]
pub struct WatchedRead {
    /// The address.
    pub address: Value,
    /// What was there.
    pub value: Value,
    /// Where the thread was, innermost call first.
    pub trace: Vec<TraceEntry>,
}

/// What the threads of one run share.
#[derive(Clone, Debug)]
pub struct World<O> {
    /// The memory.
    pub memory: ScMemory,
    /// Where printed text goes.
    pub output: O,
    /// What the client saw.
    pub records: Vec<Record>,
    /// What the running thread does, if it is watched.
    pub watched: Option<Watched>,
    /// All threads but the first ones, in the order of their start; the machine runs them.
    pub(super) spawned: Vec<Spawned>,
    /// How each thread ended, and whether its end was awaited.
    pub(super) endings: Vec<(Option<Ending>, bool)>,
    /// The locks that were taken, in a world in which the driver answers.
    pub locks: Locks,
    /// The same before the running section.
    locks_before: Option<Locks>,
    undefined_reads: UndefinedReads,
    pub(super) random: Random,
    /// Whether the driver answers what the program leaves open, and its next answer.
    asks: bool,
    answer: Option<Value>,
    /// Whether allocations may give freed blocks again.
    reuse: bool,
    pub(super) overflow: bool,
    pub(super) spurious_failures: bool,
    /// Whether the running section made a choice: then another try may come out differently.
    pub(super) chose: bool,
    /// Whether the thread that ran last yielded to others.
    pub(super) yielded: bool,
    /// What the running section has printed.
    section: Option<Vec<(Stream, Vec<u8>)>>,
}

impl<O: Output> World<O> {
    /// The world before the first step.
    pub fn new(memory: ScMemory, output: O, seed: u64) -> Self {
        Self {
            memory,
            output,
            records: Vec::new(),
            watched: None,
            spawned: Vec::new(),
            endings: Vec::new(),
            locks: Locks::default(),
            locks_before: None,
            undefined_reads: UndefinedReads::default(),
            random: Random::new(seed),
            asks: false,
            answer: None,
            reuse: false,
            overflow: false,
            spurious_failures: true,
            chose: false,
            yielded: false,
            section: None,
        }
    }

    /// A world in which the driver answers what the program leaves open.
    pub fn asking(memory: ScMemory, output: O) -> Self {
        Self { asks: true, ..Self::new(memory, output, 0) }
    }

    /// The same, where allocations may give freed blocks again if `reuse`.
    pub fn reusing(self, reuse: bool) -> Self {
        Self { reuse, ..self }
    }

    /// Answers the question with which a thread stopped; the thread is to be stepped again.
    pub fn answer(&mut self, value: Value) {
        self.answer = Some(value);
    }

    /// Adds a thread that no other one starts.
    pub fn add_thread(&mut self) -> ThreadId {
        self.endings.push((None, false));
        ThreadId::new(self.endings.len() - 1)
    }

    /// The threads that were started since this was last asked, in order.
    pub fn take_spawned(&mut self) -> Vec<Spawned> {
        std::mem::take(&mut self.spawned)
    }

    /// Undoes what the running section did to memory and output.
    pub(super) fn roll_back(&mut self) {
        self.memory.roll_back();
        self.section = None;
    }

    /// Passes on what the running section has printed.
    pub(super) fn flush(&mut self) {
        for (stream, text) in self.section.take().unwrap_or_default() {
            self.output.write(stream, &text);
        }
    }

    fn record(&mut self, site: Site<'_>, what: Recorded) {
        self.records.push(Record { thread: site.thread, what });
    }

    /// Writes, and records changes of locks where they are tracked.
    #[inline]
    fn write(
        &mut self,
        site: Site<'_>,
        access: &ResolvedAccess<'_>,
        value: Value,
    ) -> Result<(), Stop> {
        if let Some(watched) = &mut self.watched {
            let region = access.address.provenance;
            let own = |id| matches!(self.memory.region(id).kind, RegionKind::Stack(..));
            let old =
                region.and_then(|id| self.memory.peek(id, access.address.low(), access.width));
            watched.changes |= !region.is_some_and(own) && old != Some(value);
        }
        self.memory.write(site.thread, access, value)?;
        if self.asks {
            self.locks.note(site, access, value);
        }
        Ok(())
    }

    /// Whether a compare-and-swap finds what it expects; it must not depend on undefined bits.
    fn matches(&self, old: &Loaded, expected: (Value, Origin)) -> Result<bool, Stop> {
        let equal = old.value.binary(BinaryOp::Eq, expected.0).expect("not a division");
        if !equal.is_defined() {
            let mut origin = Origin::read(old.event);
            origin.join(&expected.1);
            let what = "the comparison of a compare-and-swap";
            return Err(self.undefined_use(what, origin));
        }
        Ok(equal.bits != 0)
    }

    fn undefined_use(&self, what: &'static str, origin: Origin) -> Stop {
        let mut violation: Box<Violation> = FindingKind::UndefinedUse(what.into()).into();
        violation.origin = self.undefined_reads.of(origin).cloned();
        Stop::Wrong(violation)
    }

    /// What was read, with the number of the read if it gave undefined bits.
    #[inline]
    fn loaded(&mut self, site: Site<'_>, access: &ResolvedAccess<'_>, value: Value) -> Loaded {
        if self.locks_before.is_some() {
            self.locks.look(access);
        }
        if let Some(watched) = &mut self.watched {
            let trace = trace(site.program, site.frames, site.place, usize::MAX);
            watched.reads.push(WatchedRead { address: access.address, value, trace });
        }
        let event = match value.undef {
            0 => 0,
            _ => self.undefined_reads.note(site, &self.memory, access),
        };
        Loaded { value, event }
    }

    fn fails_spuriously(&mut self) -> Result<bool, Stop> {
        self.chose |= self.spurious_failures;
        if !self.spurious_failures {
            return Ok(false);
        }
        Ok(match self.asks {
            true => !self.asked(|| Question::Failure)?.is_zero(),
            false => self.random.one_in(8),
        })
    }

    /// The driver's answer.
    fn asked(&mut self, question: impl FnOnce() -> Question) -> Result<Value, Stop> {
        self.answer.take().ok_or_else(|| Stop::Undecided(question()))
    }
}

impl<O: Output> Memory<Origin> for World<O> {
    type Stop = Stop;

    fn checks_overflow(&self) -> bool {
        self.overflow
    }

    #[inline(always)]
    fn watches_arithmetic(&self) -> bool {
        self.output.watches_arithmetic()
    }

    #[inline(always)]
    fn goes(&mut self, site: Site<'_>, arm: usize) {
        self.output.goes(site, arm);
    }

    fn computes(&mut self, site: Site<'_>, what: Costly<'_>, operands: &[Value]) {
        self.output.computes(site, what, operands);
    }

    #[inline]
    fn load(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        exclusive: bool,
        _: Dependencies<Origin>,
    ) -> Result<Loaded, Stop> {
        let value = self.memory.read(&access)?;
        if exclusive {
            self.memory.reserve(site.thread, &access);
        }
        Ok(self.loaded(site, &access, value))
    }

    #[inline]
    fn store(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        value: Value,
        _: Dependencies<Origin>,
    ) -> Result<(), Stop> {
        self.write(site, &access, value)
    }

    fn store_exclusive(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        value: Value,
        _: Dependencies<Origin>,
    ) -> Result<(bool, Option<u32>), Stop> {
        self.memory.check(&access, Verb::Write)?;
        // Asked first: a question leaves the reservation as it was.
        let fails = self.fails_spuriously()?;
        let good = self.memory.take_reservation(site.thread, &access);
        if !good || fails {
            return Ok((false, None));
        }
        self.write(site, &access, value)?;
        Ok((true, None))
    }

    fn rmw(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        op: RmwOp,
        operand: Value,
        _: bool,
        _: Dependencies<Origin>,
    ) -> Result<Loaded, Stop> {
        let old = self.memory.read_for_update(&access)?;
        self.write(site, &access, old.rmw(op, operand))?;
        Ok(self.loaded(site, &access, old))
    }

    fn cas(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        expected: (Value, Origin),
        desired: Value,
        _: Order,
        weak: bool,
        _: Dependencies<Origin>,
    ) -> Result<(Loaded, bool), Stop> {
        let old = self.memory.read_for_update(&access)?;
        let loaded = self.loaded(site, &access, old);
        let equal = self.matches(&loaded, expected)?;
        if !equal || (weak && self.fails_spuriously()?) {
            return Ok((loaded, false));
        }
        self.write(site, &access, desired)?;
        Ok((loaded, true))
    }

    fn mcas(
        &mut self,
        site: Site<'_>,
        words: Vec<ResolvedMcasWord<'_, Origin>>,
    ) -> Result<bool, Stop> {
        let mut all = true;
        for word in &words {
            let old = self.memory.read_for_update(&word.access)?;
            let loaded = self.loaded(site, &word.access, old);
            all &= self.matches(&loaded, (word.expected, Origin::default()))?;
        }
        if all {
            for word in &words {
                self.write(site, &word.access, word.desired)?;
            }
        }
        Ok(all)
    }

    fn fence(&mut self, _: Site<'_>, _: &Fence, _: &Origin) -> Result<(), Stop> {
        Ok(())
    }

    fn atomic_begin(&mut self, _: Site<'_>) -> Result<(), Stop> {
        self.memory.begin();
        self.section = Some(Vec::new());
        if self.asks {
            self.locks.begin();
            self.locks_before = Some(self.locks.clone());
        }
        self.chose = false;
        Ok(())
    }

    fn atomic_end(&mut self, _: Site<'_>) -> Result<(), Stop> {
        self.memory.commit();
        self.locks_before = None;
        self.flush();
        Ok(())
    }

    #[inline]
    fn global(&mut self, site: Site<'_>, global: GlobalId) -> Result<Value, Stop> {
        Ok(self.memory.global(site, global))
    }

    fn function(&mut self, _: Site<'_>, function: FuncId) -> Result<Value, Stop> {
        Ok(self.memory.function(function))
    }

    fn function_at(&mut self, _: Site<'_>, address: Value) -> Result<FuncId, Stop> {
        Ok(self.memory.function_at(address)?)
    }

    fn slot(
        &mut self,
        site: Site<'_>,
        function: FuncId,
        slot: SlotId,
        _: u32,
    ) -> Result<Value, Stop> {
        Ok(self.memory.slot(site, function, slot)?)
    }

    fn enter(&mut self, _: Site<'_>, slot: Value) -> Result<(), Stop> {
        self.memory.enter(slot);
        Ok(())
    }

    fn leave(&mut self, _: Site<'_>, slots: &[Value], _: Option<Value>) -> Result<(), Stop> {
        self.memory.leave(slots);
        Ok(())
    }

    fn alloc(
        &mut self,
        site: Site<'_>,
        size: u64,
        align: u64,
        zeroed: bool,
        layout: Option<LayoutId>,
    ) -> Result<Value, Stop> {
        if self.reuse {
            let freed = self.memory.reusable(size, align, zeroed);
            if !freed.is_empty() {
                self.chose = true;
                let block = self.asked(|| Question::Block(freed))?;
                if !block.is_zero() {
                    self.memory.alloc_again(site, block);
                    return Ok(block);
                }
            }
        }
        Ok(self.memory.alloc(site, size, align, zeroed, layout))
    }

    fn free(&mut self, site: Site<'_>, address: Value, _: Origin) -> Result<(), Stop> {
        self.watched.iter_mut().for_each(|watched| watched.changes = true);
        Ok(self.memory.free(site, address)?)
    }

    fn block_size(&mut self, _: Site<'_>, address: Value) -> Result<u64, Stop> {
        Ok(self.memory.block_size(address)?)
    }

    fn spawn(&mut self, _: Site<'_>, function: FuncId, args: Vec<Value>) -> Result<Value, Stop> {
        let thread = ThreadId::new(self.endings.len());
        self.endings.push((None, false));
        self.spawned.push(Spawned { function, args });
        Ok(self.handle(thread))
    }

    fn join(&mut self, _: Site<'_>, thread: Value) -> Result<Value, Stop> {
        let index = thread.low().checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let target = index.filter(|&index| index < self.endings.len());
        let Some(index) = target.filter(|&index| !self.endings[index].1) else {
            return Err(Stop::Wrong(FindingKind::BadJoin.into()));
        };
        let Some(ending) = self.endings[index].0 else {
            return Err(Stop::Wait(Some(ThreadId::new(index))));
        };
        self.endings[index].1 = true;
        let (Ending::Returned(value) | Ending::ThreadExit(value)) = ending else {
            return Ok(Value::int(Width::I64, 0));
        };
        Ok(value.unwrap_or(Value::int(Width::I64, 0)))
    }

    fn yield_now(&mut self, _: Site<'_>) -> Result<(), Stop> {
        self.yielded = true;
        Ok(())
    }

    fn choose(&mut self, _: Site<'_>, width: Width, from: Alternatives) -> Result<Value, Stop> {
        self.chose = true;
        if self.asks {
            return self.asked(|| Question::Choice(width, from));
        }
        Ok(match from {
            Alternatives::Any => Value::int(width, self.random.wide()),
            Alternatives::Set(set) => set[self.random.below(set.len() as u64) as usize],
            Alternatives::Range(low, high) => {
                let span = high.wrapping_sub(low) as u128;
                let step = match u64::try_from(span).ok().and_then(|span| span.checked_add(1)) {
                    Some(count) => u128::from(self.random.below(count)),
                    None => self.random.wide() % span.saturating_add(1),
                };
                Value::signed(width, low.wrapping_add(step as i128))
            }
        })
    }

    fn observe(&mut self, site: Site<'_>, label: &str, value: Value) -> Result<(), Stop> {
        self.record(site, Recorded::Observed(label.to_owned(), value));
        Ok(())
    }

    fn commit(&mut self, site: Site<'_>, label: &str) -> Result<(), Stop> {
        self.record(site, Recorded::Committed(label.to_owned()));
        Ok(())
    }

    fn operation_begin(&mut self, site: Site<'_>, name: &str, args: &[Value]) -> Result<(), Stop> {
        self.record(site, Recorded::Began(name.to_owned(), args.to_vec()));
        Ok(())
    }

    fn operation_end(&mut self, site: Site<'_>, result: Option<Value>) -> Result<(), Stop> {
        self.record(site, Recorded::Ended(result));
        Ok(())
    }

    fn print(&mut self, _: Site<'_>, stream: Stream, text: &[u8]) -> Result<(), Stop> {
        match &mut self.section {
            Some(printed) => printed.push((stream, text.to_vec())),
            None => self.output.write(stream, text),
        }
        Ok(())
    }

    fn undefined(&mut self, _: Site<'_>, what: &'static str, origin: &Origin) -> Stop {
        self.undefined_use(what, *origin)
    }

    fn fault(&mut self, _: Site<'_>, fault: Fault) -> Stop {
        let kind = match fault {
            Fault::AssumptionFailed { waits } => {
                if let Some(before) = self.locks_before.take() {
                    self.locks.undo(before);
                }
                return if waits { Stop::Wait(None) } else { Stop::Discard };
            }
            Fault::ClaimFailed(claim, message) => claim.fails(&message),
            Fault::Trap(message) => FindingKind::Trap(message),
            Fault::UndefinedUse(what) => FindingKind::UndefinedUse(what.into()),
            Fault::Index(length) => FindingKind::IndexOutOfBounds { length },
            Fault::Division(error) => FindingKind::Division(error),
            Fault::Overflow(what) => FindingKind::Overflow(what.into()),
            Fault::BadCall(message) => FindingKind::BadCall(message),
            Fault::StackOverflow => FindingKind::StackOverflow,
            Fault::UnbalancedAtomicSection => FindingKind::UnbalancedAtomicSection,
            Fault::TooLongToPrint => FindingKind::TooLongToPrint,
        };
        Stop::Wrong(kind.into())
    }
}
