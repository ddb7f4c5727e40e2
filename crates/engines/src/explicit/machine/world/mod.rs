//! What a running thread meets: memory, other threads, choices.
//!
//! Under sequential consistency a store changes memory at once. With store buffers (Owens, Sarkar,
//! Sewell, "A better x86 memory model: x86-TSO", TPHOLs 2009) a store waits in its thread's buffer,
//! its own thread reads it from there, and fences, locked instructions, starting and awaiting a
//! thread wait until the buffer is empty. A compare-and-swap that fails is a load.

mod memory;
mod views;

use crate::explicit::counterexamples::record::Record;
use crate::explicit::machine::layout::{Layout, Object};
use crate::explicit::machine::refusal::Refusal;
use crate::explicit::machine::state::{Kind, Lock, Shared, Threads};
use encoding::bounded::Goal;
use execution::event::ThreadId;
use execution::finding::{FindingKind, Verb};
use execution::ids::Id;
use ir::op::BinaryOp;
use ir::order::{Directions, Fence, Order};
use ir::program::{FuncId, Width};
use ir::step::memory::{ResolvedAccess, Site};
use ir::step::sc::contents::Contents;
use ir::value::Value;
use std::sync::Arc;

/// Why a thread stopped.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
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
    Unsupported(Refusal),
}

/// A thread that is to be started.
#[derive(Clone, Debug)]
pub(crate) struct Spawned {
    pub function: FuncId,
    pub args: Vec<Value>,
}

/// With more threads than this, there are too many states anyway.
pub(crate) const MOST_THREADS: usize = Threads::BITS as usize;
/// Up to this many values of one choice are tried.
const MOST_CHOICES: u64 = 256;
/// Some of very many numbers.
const SAMPLES: [i128; 5] = [0, 1, 2, 3, -1];

/// Of what a step reads, no more is remembered than tells whether it is more than one value.
const MOST_READS: usize = 2;

/// What was read, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub object: Object,
    pub offset: u64,
    pub value: Value,
}

/// A thread is awaited that is like others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Join {
    /// The number that its handle stands for.
    pub handle: ThreadId,
    /// The thread that is taken for it; nothing if it is none of those that have ended.
    pub taken: Option<ThreadId>,
    /// Whether it could have been otherwise.
    pub chosen: bool,
}

/// What a step does that others may notice, on a machine with views.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Did {
    /// It stores.
    Store,
    /// It reads a cell, and writes it perhaps.
    Read(crate::explicit::machine::weak::view::Cell),
}

/// What a thread waits for that can make no step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Awaited {
    /// The end of one of these threads.
    Threads(Threads),
    /// A mutex or spinlock that a thread holds.
    Owner(ThreadId),
    /// Something else.
    Other,
}

/// What a running thread meets.
#[derive(Clone)]
pub(crate) struct World<'a> {
    pub layout: &'a Layout<'a>,
    /// Copied when it changes first.
    pub shared: Arc<Shared>,
    /// The thread that runs.
    pub running: ThreadId,
    /// How many more times it may do what others may notice.
    pub turns: u32,
    pub answer: Option<Value>,
    /// Whether it has chosen something in this step.
    asked: bool,
    /// Whether it has done what others would notice, if there were others.
    pub skipped: bool,
    pub spawned: Vec<Spawned>,
    pub observed: Vec<(String, Value)>,
    /// What the thread came to.
    pub goals: Vec<Goal>,
    pub record: Option<Box<Record>>,
    /// What the thread has read of what others may change.
    pub reads: Vec<Seen>,
    /// Which of like threads it has awaited.
    pub joins: Vec<Join>,
    /// Some cells that were written in this step.
    pub written: Vec<(crate::explicit::machine::state::Kind, u64)>,
    /// The last read of a cell that was not written, or an access if there was none.
    pub last: Option<crate::explicit::machine::access::Place>,
    /// The word of the mutex or spinlock that it has tried to take last.
    pub word: Option<(Object, Lock)>,
    /// The threads whose end it waits for, one of them.
    pub awaits: Threads,
    pub(crate) section: Option<Section>,
    /// What it has done, on a machine with views.
    pub did: Option<Did>,
    /// Whether it has read what is not the latest there.
    pub stale: bool,
}

/// What an atomic section has done.
#[derive(Clone, Copy, Default)]
pub(crate) struct Section {
    pub reads: bool,
    pub writes: bool,
    /// Something that others may notice: it has taken the turn that this needs.
    pub turn: bool,
    /// How many accesses it has made of memory that is seen by way of views.
    pub accesses: u32,
}

impl<'a> World<'a> {
    pub(crate) fn new(
        layout: &'a Layout<'a>,
        shared: Arc<Shared>,
        running: ThreadId,
        turns: u32,
    ) -> Self {
        Self {
            layout,
            shared,
            running,
            turns,
            answer: None,
            asked: false,
            skipped: false,
            spawned: Vec::new(),
            observed: Vec::new(),
            goals: Vec::new(),
            record: None,
            reads: Vec::new(),
            joins: Vec::new(),
            written: Vec::new(),
            last: None,
            word: None,
            awaits: 0,
            section: None,
            did: None,
            stale: false,
        }
    }

    /// Memory, to be changed.
    pub(crate) fn change(&mut self) -> &mut Shared {
        Arc::make_mut(&mut self.shared)
    }

    pub(crate) fn thread(&self, site: Site<'_>) -> ThreadId {
        site.thread
    }

    /// Does something that others may notice: once in a step, or in a section as often as it likes. A
    /// section that comes too late for that takes place in the next step.
    pub(crate) fn take_turn(&mut self) -> Result<(), Stop> {
        if self.section.is_some_and(|section| section.turn) {
            return Ok(());
        }
        if self.turns <= 1 && self.is_last() {
            self.skipped = true;
            return Ok(());
        }
        self.turns = self.turns.checked_sub(1).ok_or(Stop::Pause)?;
        if let Some(section) = &mut self.section {
            section.turn = true;
        }
        Ok(())
    }

    /// Whether nobody else is there any more, so that nobody notices anything.
    pub(crate) fn is_last(&self) -> bool {
        self.layout.sharing.borrow().may_be_last()
            && !self.is_watched()
            && self.shared.buffers[self.running].is_empty()
    }

    /// Something happened after which others may come first: no turn is left in this step.
    pub(crate) fn others_first(&mut self) {
        if self.turns == 1 {
            self.turns = 0;
        }
    }

    /// An access to an object that is gone.
    pub(crate) fn used_after_end(
        &mut self,
        site: Site<'_>,
        place: crate::explicit::machine::access::Place,
        verb: Verb,
    ) -> Stop {
        let thread = self.thread(site);
        if let Some(record) = &mut self.record {
            record.after_end(thread, place, verb);
        }
        Stop::Wrong(place.kind.used_after_end())
    }

    /// Reads for a load or an update that changes nothing.
    fn load_from(&mut self, site: Site<'_>, access: &ResolvedAccess<'_>) -> Result<Value, Stop> {
        let turns = self.turns;
        let place = self.locate(site, access, Verb::Read)?;
        let value = match self.is_viewed(place) {
            true => self.view_load((site, place), access, turns)?,
            false => {
                let pending = self.pending(place)?;
                let value = pending.unwrap_or_else(|| self.read(place, access));
                self.note_read(site, place, value);
                value
            }
        };
        let of_others = matches!(place.object, Object::Made(id) if id.thread != self.running);
        if (place.shared || of_others) && self.reads.len() < MOST_READS {
            self.reads.push(Seen { object: place.object, offset: place.offset, value });
        }
        if let Some(section) = &mut self.section {
            section.reads = true;
        }
        Ok(value)
    }

    fn note_read(
        &mut self,
        site: Site<'_>,
        place: crate::explicit::machine::access::Place,
        value: Value,
    ) {
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

    fn note_write(&mut self, site: Site<'_>, place: crate::explicit::machine::access::Place) {
        let thread = self.thread(site);
        let waits = place.shared && self.is_buffered() && self.section.is_none();
        if !self.shared.is_alone()
            && let Some(record) = &mut self.record
        {
            record.write(thread, place, waits);
        }
    }

    pub(crate) fn bits(&self, value: Value) -> execution::witness::Bits {
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
        place: crate::explicit::machine::access::Place,
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
            false => Err(Stop::Wrong(FindingKind::UndefinedUse(
                "the comparison of a compare-and-swap".into(),
            ))),
        }
    }

    pub(crate) fn ask(
        &mut self,
        values: impl FnOnce() -> Option<Vec<Value>>,
    ) -> Result<Value, Stop> {
        if let Some(answer) = self.answer.take() {
            self.asked = true;
            return Ok(answer);
        }
        self.ask_once()?;
        if self.skipped {
            self.layout.sharing.borrow_mut().never_last();
        }
        match values() {
            Some(values) => Err(Stop::Ask(values)),
            None => Err(Stop::Unsupported(Refusal::ManyValues)),
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
    pub(crate) fn answered(&mut self) -> Result<(), Stop> {
        self.ask_once()?;
        self.asked = true;
        Ok(())
    }

    /// The thread comes to a branch or an assertion, which a step remembers once, however often it
    /// goes round.
    fn comes_to(&mut self, goal: Goal) {
        if !self.goals.contains(&goal) {
            self.goals.push(goal);
        }
    }

    /// A thread can be told apart from those like it.
    pub(crate) fn told_apart(&self, thread: ThreadId) {
        self.layout.sharing.borrow_mut().tell_apart(thread);
    }

    /// Others may notice this thread.
    pub(crate) fn noticed(&self) {
        self.layout.sharing.borrow_mut().notice(self.running);
    }
}

impl World<'_> {
    fn make(
        &mut self,
        thread: ThreadId,
        room: (u64, u64),
        kind: Kind,
        contents: Contents,
    ) -> Result<Value, Stop> {
        self.told_apart(thread);
        let made = self.layout.make(Arc::make_mut(&mut self.shared), thread, room, kind, contents);
        let Some(value) = made else {
            return Err(Stop::Unsupported("very many or very large objects".into()));
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
            Object::Made(id) => Some(self.shared.object(id).kind),
        }
    }
}

/// The handle of a thread: handles count from one, so that none of them is zero.
fn handle(thread: ThreadId) -> Value {
    Value::int(Width::I64, thread.index() as u128 + 1)
}

/// Whether a fence makes later loads wait for earlier stores; nothing if nobody here knows.
pub(crate) fn orders_stores_before_loads(fence: &Fence) -> Option<bool> {
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
