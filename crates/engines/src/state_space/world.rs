//! What a running thread meets: memory, other threads, choices.
//!
//! Under sequential consistency a store changes memory at once. With store buffers (Owens, Sarkar,
//! Sewell, "A better x86 memory model: x86-TSO", TPHOLs 2009) a store waits in its thread's buffer,
//! its own thread reads it from there, and fences, locked instructions, starting and awaiting a
//! thread wait until the buffer is empty. A compare-and-swap that fails is a load.

use super::layout::{Layout, Object};
use super::record::Record;
use super::state::{Kind, Life, Made, Shared};
use encoding::bounded::Goal;
use execution::event::ThreadId;
use execution::ids::Id;
use ir::layout::LayoutId;
use ir::op::{BinaryOp, RmwOp};
use ir::order::{Directions, Fence, Order};
use ir::program::{FuncId, GlobalId, SlotId, Width};
use ir::step::finding::{FindingKind, Verb};
use ir::step::memory::{
    Alternatives, Fault, Loaded, Memory, ResolvedAccess, ResolvedMcasWord, Site, Stream,
};
use ir::step::sc::LARGEST_HEAP;
use ir::step::sc::contents::Contents;
use ir::step::taint::Dependencies;
use ir::step::thread::Ending;
use ir::value::Value;
use std::sync::Arc;

/// Why a thread stopped.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    /// It comes to something that others may notice, and it has had its turn.
    Pause,
    /// It cannot go on now.
    Wait,
    /// It asks for one of these values.
    Ask(Vec<Value>),
    /// An assumption fails.
    Discard,
    /// Something is wrong.
    Wrong(FindingKind),
    /// Something is not supported here.
    Unsupported(String),
}

/// A thread that is to be started.
#[derive(Clone, Debug)]
pub(super) struct Spawned {
    pub function: FuncId,
    pub args: Vec<Value>,
}

/// With more threads than this, there are too many states anyway.
pub(super) const MOST_THREADS: usize = 64;
/// Up to this many values of one choice are tried.
const MOST_CHOICES: u64 = 256;

/// What was read, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub object: Object,
    pub offset: u64,
    pub value: Value,
}

/// A thread is awaited that is like others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Join {
    /// The number that its handle stands for.
    pub handle: usize,
    /// The thread that is taken for it; nothing if it is none of those that have ended.
    pub taken: Option<usize>,
    /// Whether it could have been otherwise.
    pub chosen: bool,
}

/// What a running thread meets.
#[derive(Clone)]
pub(super) struct World<'a> {
    pub layout: &'a Layout<'a>,
    /// Copied when it changes first.
    pub shared: Arc<Shared>,
    /// The thread that runs.
    pub running: usize,
    /// How many more times it may do what others may notice.
    pub turns: u32,
    pub answer: Option<Value>,
    /// Whether it has chosen something in this step.
    asked: bool,
    pub spawned: Vec<Spawned>,
    pub observed: Vec<(String, Value)>,
    /// What the thread came to.
    pub goals: Vec<Goal>,
    pub record: Option<Box<Record>>,
    /// What the thread has read of what others may change.
    pub reads: Vec<Seen>,
    /// Which of like threads it has awaited.
    pub joins: Vec<Join>,
    /// The last access.
    pub last: Option<super::access::Place>,
    section: Option<Section>,
}

/// What an atomic section has done.
#[derive(Clone, Copy, Default)]
struct Section {
    reads: bool,
    writes: bool,
}

impl<'a> World<'a> {
    pub(super) fn new(
        layout: &'a Layout<'a>,
        shared: Arc<Shared>,
        running: usize,
        turns: u32,
    ) -> Self {
        Self {
            layout,
            shared,
            running,
            turns,
            answer: None,
            asked: false,
            spawned: Vec::new(),
            observed: Vec::new(),
            goals: Vec::new(),
            record: None,
            reads: Vec::new(),
            joins: Vec::new(),
            last: None,
            section: None,
        }
    }

    /// Memory, to be changed.
    pub(super) fn change(&mut self) -> &mut Shared {
        Arc::make_mut(&mut self.shared)
    }

    pub(super) fn thread(&self, site: Site<'_>) -> usize {
        site.thread.index()
    }

    /// Does something that others may notice: once in a step, or in a section as often as it likes.
    pub(super) fn take_turn(&mut self) -> Result<(), Stop> {
        if self.section.is_some() {
            return Ok(());
        }
        self.turns = self.turns.checked_sub(1).ok_or(Stop::Pause)?;
        Ok(())
    }

    /// Something happened after which others may come first: no turn is left in this step.
    pub(super) fn others_first(&mut self) {
        if self.turns == 1 {
            self.turns = 0;
        }
    }

    /// An access to a freed block.
    pub(super) fn used_after_free(
        &mut self,
        site: Site<'_>,
        place: super::access::Place,
        verb: Verb,
    ) -> Stop {
        let thread = self.thread(site);
        if let Some(record) = &mut self.record {
            record.after_free(thread, place, verb);
        }
        Stop::Wrong(FindingKind::UseAfterFree)
    }

    /// Reads for a load or an update that changes nothing.
    fn load_from(&mut self, site: Site<'_>, access: &ResolvedAccess<'_>) -> Result<Value, Stop> {
        let place = self.locate(site, access, Verb::Read)?;
        let pending = self.pending(place)?;
        let value = pending.unwrap_or_else(|| self.read(place, access));
        self.note_read(site, place, value);
        let of_others = matches!(place.object, Object::Made(owner, _) if owner != self.running);
        if place.shared || of_others {
            self.reads.push(Seen { object: place.object, offset: place.offset, value });
        }
        if let Some(section) = &mut self.section {
            section.reads = true;
        }
        Ok(value)
    }

    fn note_read(&mut self, site: Site<'_>, place: super::access::Place, value: Value) {
        let thread = self.thread(site);
        let bits = self.bits(value);
        if !self.shared.is_alone()
            && let Some(record) = &mut self.record
        {
            record.read(thread, place, bits);
        }
    }

    fn note_access(&mut self, site: Site<'_>, kind: Kind) {
        let thread = self.thread(site);
        if !self.shared.is_alone()
            && let Some(record) = &mut self.record
        {
            record.access(thread, kind);
        }
    }

    fn note_write(&mut self, site: Site<'_>, place: super::access::Place) {
        let thread = self.thread(site);
        let waits = place.shared && self.is_buffered() && self.section.is_none();
        if !self.shared.is_alone()
            && let Some(record) = &mut self.record
        {
            record.write(thread, place, waits);
        }
    }

    pub(super) fn bits(&self, value: Value) -> execution::witness::Bits {
        let base = |region| self.layout.base(&self.shared, region);
        execution::witness::Bits {
            bits: value.bits,
            undef: value.undef,
            object: value.provenance.map(base),
            high: value.high.map(base),
        }
    }

    /// A write that takes place at once: of an update, or in an atomic section.
    fn write_now(
        &mut self,
        site: Site<'_>,
        place: super::access::Place,
        value: Value,
    ) -> Result<(), Stop> {
        self.drain()?;
        self.write(place.object, place.offset, value);
        let thread = self.thread(site);
        if !self.shared.is_alone()
            && let Some(record) = &mut self.record
        {
            record.write(thread, place, false);
        }
        Ok(())
    }

    /// Whether what was read is what was expected.
    fn matches(old: Value, expected: Value) -> Result<bool, Stop> {
        let equal = old.binary(BinaryOp::Eq, expected).expect("not a division");
        match equal.is_defined() {
            true => Ok(equal.bits != 0),
            false => {
                Err(Stop::Wrong(FindingKind::UndefinedUse("the comparison of a compare-and-swap")))
            }
        }
    }

    pub(super) fn ask(
        &mut self,
        values: impl FnOnce() -> Option<Vec<Value>>,
    ) -> Result<Value, Stop> {
        if let Some(answer) = self.answer.take() {
            self.asked = true;
            return Ok(answer);
        }
        self.ask_once()?;
        match values() {
            Some(values) => Err(Stop::Ask(values)),
            None => Err(Stop::Unsupported("a choice among many values".to_string())),
        }
    }

    /// One choice in a step, so that different ways can come to the same state.
    fn ask_once(&self) -> Result<(), Stop> {
        match self.asked && self.section.is_none() && self.turns <= 1 {
            true => Err(Stop::Pause),
            false => Ok(()),
        }
    }

    /// The same, where the answer is known.
    pub(super) fn answered(&mut self) -> Result<(), Stop> {
        self.ask_once()?;
        self.asked = true;
        Ok(())
    }

    /// A thread can be told apart from those like it.
    pub(super) fn told_apart(&self, thread: usize) {
        self.layout.sharing.borrow_mut().tell_apart(thread);
    }

    /// Others may notice this thread.
    pub(super) fn noticed(&self) {
        self.layout.sharing.borrow_mut().notice(self.running);
    }
}

impl Memory<()> for World<'_> {
    type Stop = Stop;

    fn checks_overflow(&self) -> bool {
        self.layout.overflow
    }

    fn load(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        exclusive: bool,
        _: Dependencies<()>,
    ) -> Result<Loaded, Stop> {
        if exclusive {
            return Err(Stop::Unsupported("an exclusive load".to_string()));
        }
        let (kind, value) = (self.kind_of(&access), self.load_from(site, &access)?);
        if let Some(kind) = kind {
            self.note_access(site, kind);
        }
        Ok(Loaded { value, event: 0 })
    }

    fn store(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        value: Value,
        _: Dependencies<()>,
    ) -> Result<(), Stop> {
        let place = self.locate(site, &access, Verb::Write)?;
        if let Some(section) = &mut self.section {
            section.writes = true;
            self.write_now(site, place, value)?;
        } else {
            self.put(place, value)?;
            self.note_write(site, place);
        }
        self.note_access(site, place.kind);
        Ok(())
    }

    fn store_exclusive(
        &mut self,
        _: Site<'_>,
        _: ResolvedAccess<'_>,
        _: Value,
        _: Dependencies<()>,
    ) -> Result<(bool, Option<u32>), Stop> {
        Err(Stop::Unsupported("an exclusive store".to_string()))
    }

    fn rmw(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        op: RmwOp,
        operand: Value,
        _: bool,
        _: Dependencies<()>,
    ) -> Result<Loaded, Stop> {
        self.drain()?;
        let place = self.locate(site, &access, Verb::Update)?;
        let value = self.read(place, &access);
        self.note_read(site, place, value);
        self.write_now(site, place, value.rmw(op, operand))?;
        self.note_access(site, place.kind);
        if let Some(section) = &mut self.section {
            (section.reads, section.writes) = (true, true);
        }
        Ok(Loaded { value, event: 0 })
    }

    fn cas(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        expected: (Value, ()),
        desired: Value,
        _: Order,
        weak: bool,
        _: Dependencies<()>,
    ) -> Result<(Loaded, bool), Stop> {
        let place = self.locate(site, &access, Verb::Update)?;
        let value = self.pending(place)?.unwrap_or_else(|| self.read(place, &access));
        let equal = Self::matches(value, expected.0)?;
        let may_fail = equal && weak && !self.shared.is_alone();
        let both = || Some([0, 1].map(|bit| Value::int(Width::BOOL, bit)).to_vec());
        let fails = may_fail
            && match self.ask(both) {
                Ok(answer) => !answer.is_zero(),
                Err(stop) => {
                    // The turn is taken when the answer is there.
                    self.turns += u32::from(place.shared && self.section.is_none());
                    return Err(stop);
                }
            };
        let done = equal && !fails;
        if done {
            self.drain()?;
        }
        if may_fail && let Some(record) = self.record.as_mut() {
            record.spurious(self.running, fails);
        }
        self.note_read(site, place, value);
        if done {
            self.write_now(site, place, desired)?;
        }
        self.note_access(site, place.kind);
        if let Some(section) = &mut self.section {
            section.reads = true;
            section.writes |= done;
        }
        Ok((Loaded { value, event: 0 }, done))
    }

    fn mcas(&mut self, site: Site<'_>, words: Vec<ResolvedMcasWord<'_, ()>>) -> Result<bool, Stop> {
        if self.layout.machine.has_buffers() {
            return Err(Stop::Unsupported("a compare-and-swap of several words".to_string()));
        }
        self.take_turn()?;
        let outer = self.section.replace(Section::default());
        let mut all = true;
        let mut places = Vec::new();
        for word in &words {
            let place = self.locate(site, &word.access, Verb::Update)?;
            let value = self.read(place, &word.access);
            self.note_read(site, place, value);
            all &= Self::matches(value, word.expected)?;
            places.push(place);
        }
        if all {
            for (word, &place) in words.iter().zip(&places) {
                self.write_now(site, place, word.desired)?;
            }
        }
        if let Some(place) = places.first() {
            self.note_access(site, place.kind);
        }
        self.section = outer;
        Ok(all)
    }

    fn fence(&mut self, _: Site<'_>, fence: &Fence, (): &()) -> Result<(), Stop> {
        if !self.layout.machine.has_buffers() {
            return Ok(());
        }
        match orders_stores_before_loads(fence) {
            Some(true) => self.drain(),
            Some(false) => Ok(()),
            None => Err(Stop::Unsupported(format!("the fence {fence:?}"))),
        }
    }

    fn atomic_begin(&mut self, _: Site<'_>) -> Result<(), Stop> {
        self.take_turn()?;
        self.section = Some(Section::default());
        Ok(())
    }

    fn atomic_end(&mut self, _: Site<'_>) -> Result<(), Stop> {
        let section = self.section.take().unwrap_or_default();
        if self.layout.machine.has_buffers() && section.writes && !section.reads {
            let what = "an atomic section that only writes, with store buffers";
            return Err(Stop::Unsupported(what.to_string()));
        }
        Ok(())
    }

    fn global(&mut self, site: Site<'_>, global: GlobalId) -> Result<Value, Stop> {
        let info = &self.layout.program().globals[global];
        if info.storage != ir::program::Storage::ThreadLocal {
            return Ok(self.layout.global(global));
        }
        let thread = self.thread(site);
        let own = self.shared.made[thread].iter();
        let known =
            own.map(|made| made.get()).position(|made| made.kind == Kind::Local(global, thread));
        if let Some(number) = known {
            let base = self.shared.made[thread][number].get().base;
            return Ok(self.layout.made(thread, number, base));
        }
        let (contents, room) = (self.layout.contents(info), (info.size, info.align));
        self.make(thread, room, Kind::Local(global, thread), contents)
    }

    fn function(&mut self, _: Site<'_>, function: FuncId) -> Result<Value, Stop> {
        Ok(self.layout.function(function))
    }

    fn function_at(&mut self, _: Site<'_>, address: Value) -> Result<FuncId, Stop> {
        let region = address.provenance.map(|region| self.layout.object(region));
        match region {
            Some(Object::Function(function))
                if self.layout.function(function).low() == address.low() =>
            {
                Ok(function)
            }
            _ => Err(Stop::Wrong(match address.low() {
                0 => FindingKind::CallOfNull,
                _ => FindingKind::CallOfNonFunction,
            })),
        }
    }

    fn slot(
        &mut self,
        site: Site<'_>,
        function: FuncId,
        slot: SlotId,
        _: u32,
    ) -> Result<Value, Stop> {
        let thread = self.thread(site);
        if let Some(record) = &mut self.record {
            record.call(thread, function, slot);
        }
        if self.layout.promoted.contains(&(function, slot)) {
            return Ok(Value::NULL);
        }
        let info = &self.layout.program().functions[function].slots[slot];
        let contents = Contents::undefined(info.size as usize);
        let kind = Kind::Slot(function, slot, thread);
        self.make(thread, (info.size, info.align), kind, contents)
    }

    fn enter(&mut self, _: Site<'_>, slot: Value) -> Result<(), Stop> {
        let object = slot.provenance.map(|region| self.layout.object(region));
        let Some(Object::Made(thread, number)) = object else { return Ok(()) };
        let made = self.shared.made[thread][number].clone();
        let (kind, size) = (made.get().kind, made.get().size);
        if made.get().entered && self.layout.sharing.borrow().is_shared(kind, 0, size) {
            return Err(Stop::Unsupported("a shared stack object that starts again".into()));
        }
        self.change().made[thread][number].change(|made| {
            made.entered = true;
            made.contents.reset(made.size as usize);
        });
        Ok(())
    }

    fn leave(&mut self, _: Site<'_>, slots: &[Value], result: Option<Value>) -> Result<(), Stop> {
        let returned = result.and_then(|value| value.provenance);
        if let Some(region) = returned.filter(|_| slots.iter().any(|s| s.provenance == returned)) {
            self.expose(region);
        }
        for region in slots.iter().filter_map(|slot| slot.provenance) {
            let Object::Made(thread, number) = self.layout.object(region) else { continue };
            self.change().made[thread][number].change(Made::end);
        }
        self.forget_dead();
        Ok(())
    }

    fn alloc(
        &mut self,
        site: Site<'_>,
        size: u64,
        align: u64,
        zeroed: bool,
        _: Option<LayoutId>,
    ) -> Result<Value, Stop> {
        let thread = self.thread(site);
        if size > LARGEST_HEAP {
            return Err(Stop::Unsupported("an allocation of very much memory".into()));
        }
        let contents = match zeroed {
            true => Contents::zeroed(size as usize),
            false => Contents::undefined(size as usize),
        };
        self.make(thread, (size, align), Kind::Heap(site.place, thread), contents)
    }

    fn free(&mut self, site: Site<'_>, address: Value) -> Result<(), Stop> {
        if address.is_zero() && address.provenance.is_none() {
            return Ok(());
        }
        if self.layout.machine.has_buffers() {
            return Err(Stop::Unsupported("a `free`, with store buffers".to_string()));
        }
        let object = address.provenance.map(|region| self.layout.object(region));
        let Some(Object::Made(owner, number)) = object else {
            return Err(Stop::Wrong(FindingKind::FreeOfNonHeap));
        };
        let made = self.shared.made[owner][number].get().clone();
        if !matches!(made.kind, Kind::Heap(..)) {
            return Err(Stop::Wrong(FindingKind::FreeOfNonHeap));
        }
        if address.low() != made.base {
            return Err(Stop::Wrong(FindingKind::FreeInsideBlock));
        }
        let thread = self.thread(site);
        if !self.shared.is_alone() {
            let mut sharing = self.layout.sharing.borrow_mut();
            sharing.touch(thread, (made.kind, 0, made.size), Verb::Write);
            if sharing.is_shared(made.kind, 0, made.size) {
                sharing.notice(thread);
                drop(sharing);
                self.take_turn()?;
            }
        }
        if !self.shared.is_alone()
            && let Some(record) = &mut self.record
        {
            record.free(thread, made.kind, (made.base, made.size));
        }
        if made.life != Life::Alive {
            return Err(Stop::Wrong(FindingKind::DoubleFree));
        }
        self.change().made[owner][number].change(|made| {
            made.life = Life::Freed;
            made.contents = Contents::default();
        });
        Ok(())
    }

    fn block_size(&mut self, _: Site<'_>, address: Value) -> Result<u64, Stop> {
        let object = address.provenance.map(|region| self.layout.object(region));
        if let Some(Object::Made(owner, number)) = object {
            let made = self.shared.made[owner][number].get();
            if matches!(made.kind, Kind::Heap(..)) && made.base == address.low() {
                return Ok(made.size);
            }
        }
        Err(Stop::Unsupported("the size of what is no block".to_string()))
    }

    fn spawn(&mut self, site: Site<'_>, function: FuncId, args: Vec<Value>) -> Result<Value, Stop> {
        if self.section.is_some() {
            return Err(Stop::Unsupported("starting a thread in an atomic section".into()));
        }
        self.drain()?;
        if self.shared.endings.len() >= MOST_THREADS {
            return Err(Stop::Unsupported(format!("more than {MOST_THREADS} threads")));
        }
        if self.running != 0 {
            self.noticed();
            self.told_apart(self.running);
        }
        args.iter().filter_map(|value| value.provenance).for_each(|region| self.expose(region));
        let thread = self.change().add_thread();
        let mut sharing = self.layout.sharing.borrow_mut();
        sharing.threads = sharing.threads.max(thread + 1);
        drop(sharing);
        if let Some(record) = &mut self.record {
            record.spawn(site.thread.index(), thread);
        }
        self.spawned.push(Spawned { function, args });
        self.others_first();
        Ok(handle(thread))
    }

    fn join(&mut self, _: Site<'_>, thread: Value) -> Result<Value, Stop> {
        let index = thread.low().checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let target = index.filter(|&index| index < self.shared.endings.len());
        let Some(index) = target else { return Err(Stop::Wrong(FindingKind::BadJoin)) };
        if self.shared.alike.has_others(index) {
            if self.running == 0 {
                return self.join_one_of(index);
            }
            self.told_apart(index);
        }
        if self.shared.endings[index].1 {
            return Err(Stop::Unsupported("a thread that is awaited twice".to_string()));
        }
        self.noticed();
        self.drain()?;
        let Some(ending) = self.shared.endings[index].0 else {
            return Err(Stop::Wait);
        };
        if !self.shared.buffers[index].is_empty() {
            return Err(Stop::Wait);
        }
        match ending {
            Ending::Returned(value) | Ending::ThreadExit(value) => {
                self.change().endings[index].1 = true;
                Ok(value.unwrap_or(Value::int(Width::I64, 0)))
            }
            // Nobody goes on after the end of the program.
            Ending::Exit(_) => Err(Stop::Wait),
        }
    }

    fn handle(&self, thread: ThreadId) -> Value {
        // Who knows its own number can be told apart.
        self.told_apart(thread.index());
        handle(thread.index())
    }

    fn yield_now(&mut self, _: Site<'_>) -> Result<(), Stop> {
        Ok(())
    }

    fn choose(&mut self, _: Site<'_>, width: Width, from: Alternatives) -> Result<Value, Stop> {
        let value = self.ask(|| match from {
            Alternatives::Set(values) => Some(values),
            Alternatives::Range(low, high) => {
                let count = u64::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?;
                (count <= MOST_CHOICES)
                    .then(|| (low..=high).map(|number| Value::signed(width, number)).collect())
            }
            Alternatives::Any => {
                let count = 1u64.checked_shl(width.bits())?;
                (count <= MOST_CHOICES)
                    .then(|| (0..count).map(|bits| Value::int(width, bits.into())).collect())
            }
        })?;
        let bits = self.bits(value);
        if let Some(record) = &mut self.record {
            record.choice(self.running, bits);
        }
        Ok(value)
    }

    fn observe(&mut self, _: Site<'_>, label: &str, value: Value) -> Result<(), Stop> {
        self.told_apart(self.running);
        self.observed.push((label.to_owned(), value));
        Ok(())
    }

    fn commit(&mut self, _: Site<'_>, _: &str) -> Result<(), Stop> {
        Ok(())
    }

    fn operation_begin(&mut self, _: Site<'_>, _: &str, _: &[Value]) -> Result<(), Stop> {
        Ok(())
    }

    fn operation_end(&mut self, _: Site<'_>, _: Option<Value>) -> Result<(), Stop> {
        Ok(())
    }

    fn print(&mut self, _: Site<'_>, _: Stream, _: &[u8]) -> Result<(), Stop> {
        Ok(())
    }

    fn goes(&mut self, site: Site<'_>, arm: usize) {
        let (function, block, arm) = (site.function, site.block, arm as u32);
        self.goals.push(Goal::Branch { function, block, arm });
    }

    fn asserts(&mut self, site: Site<'_>, index: u32) {
        self.goals.push(Goal::Assertion { function: site.function, block: site.block, index });
    }

    fn fault(&mut self, _: Site<'_>, fault: Fault) -> Stop {
        Stop::Wrong(match fault {
            Fault::AssumptionFailed { in_section: true } => return Stop::Wait,
            Fault::AssumptionFailed { in_section: false } => return Stop::Discard,
            Fault::AssertionFailed(message) => FindingKind::AssertionFailed(message),
            Fault::Trap(message) => FindingKind::Trap(message),
            Fault::UndefinedUse(what) => FindingKind::UndefinedUse(what),
            Fault::Division(error) => FindingKind::Division(error),
            Fault::Overflow(what) => FindingKind::Overflow(what),
            Fault::BadCall(message) => FindingKind::BadCall(message),
            Fault::UnbalancedAtomicSection => FindingKind::UnbalancedAtomicSection,
            Fault::StackOverflow => return Stop::Unsupported("very deep recursion".into()),
            Fault::TooLongToPrint => return Stop::Unsupported("very long text".into()),
        })
    }
}

impl World<'_> {
    fn make(
        &mut self,
        thread: usize,
        room: (u64, u64),
        kind: Kind,
        contents: Contents,
    ) -> Result<Value, Stop> {
        self.told_apart(thread);
        let made = self.layout.make(Arc::make_mut(&mut self.shared), thread, room, kind, contents);
        let Some(value) = made else {
            return Err(Stop::Unsupported("very many objects".to_string()));
        };
        if let Some(record) = &mut self.record {
            record.make(self.layout, thread, kind, (value.low(), room.0));
        }
        Ok(value)
    }

    fn kind_of(&self, access: &ResolvedAccess<'_>) -> Option<Kind> {
        match self.layout.object(access.address.provenance?) {
            Object::Function(_) => None,
            Object::Global(id) => Some(Kind::Global(id)),
            Object::Made(thread, number) => Some(self.shared.made[thread][number].get().kind),
        }
    }
}

/// The handle of a thread: handles count from one, so that none of them is zero.
fn handle(thread: usize) -> Value {
    Value::int(Width::I64, thread as u128 + 1)
}

/// Whether a fence makes later loads wait for earlier stores; nothing if nobody here knows.
fn orders_stores_before_loads(fence: &Fence) -> Option<bool> {
    match fence {
        Fence::Directed(Directions { store_load, .. }) => Some(*store_load),
        Fence::C11(order) => Some(*order == Order::SeqCst),
        Fence::Compiler => Some(false),
        Fence::Named(name) => match name.to_ascii_uppercase().as_str() {
            "MFENCE" => Some(true),
            "SFENCE" | "LFENCE" => Some(false),
            _ => None,
        },
    }
}
