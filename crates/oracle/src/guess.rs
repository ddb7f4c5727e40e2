//! The memory that guesses: answers each read with every value its cell may hold, and records the
//! events of the thread.
//!
//! Where there are several answers, the request is refused with [`Stop::Fork`]; the driver copies
//! the thread and its recorder once per answer and asks again with the answer decided.

use crate::control::Regions;
use crate::trace::{CONFIRMED, Event, Flow, MAX_EVENTS, Pairing, Side, Trace};
use crate::world::{CellId, SYMBOLIC, SetId, ValueId, World};
use crate::{Language, Options};
use execution::event::{EventKind, ThreadId};
use ir::layout::LayoutId;
use ir::op::RmwOp;
use ir::order::{Fence, Order};
use ir::program::{BlockId, FuncId, GlobalId, LocId, SlotId, Width};
use ir::step::memory::{
    Alternatives, Fault, Loaded, Memory, ResolvedAccess, ResolvedMcasWord, Site, Stream,
};
use ir::step::taint::Dependencies;
use ir::value::Value;
use std::collections::HashMap;

/// Why a thread was stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// There are this many answers.
    Fork(usize),
    /// This is no execution: an assumption failed.
    Discard,
    /// This is no execution: what is accessed is no address.
    NoAddress,
    /// A loop ran more often than the bound.
    Bounded,
    /// The oracle does not do this.
    Unsupported(String),
}

/// What has been recorded of a thread so far.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// The answer to the next question.
    decided: Option<usize>,
    events: Vec<Event>,
    values: Vec<Option<ValueId>>,
    observations: Vec<(String, ValueId)>,
    /// The load-exclusives that the next store-exclusive may pair with.
    reserved: Vec<u32>,
    /// Events that read the symbolic value.
    symbolic: u128,
    /// Branches whose arms we may be in, and what they were decided by.
    branches: Vec<(FuncId, BlockId, Flow)>,
    /// How often each branch was decided by what was read.
    taken: HashMap<(FuncId, BlockId), u32>,
    instruction: u32,
    last_place: Option<(Option<LocId>, BlockId, u32)>,
    sections: u32,
    section: Option<u32>,
    operations: u32,
    operation: Option<u32>,
}

impl Recorder {
    /// With the answer to the next question.
    pub fn answered(self, answer: usize) -> Self {
        Self { decided: Some(answer), ..self }
    }

    /// What was recorded.
    pub fn finish(self) -> Trace {
        Trace { events: self.events, values: self.values, observations: self.observations }
    }
}

/// The guessing memory.
pub struct Guess<'g, 'p> {
    /// Cells and values.
    pub world: &'g mut World<'p>,
    /// What has been recorded of the running thread.
    pub recorder: Recorder,
    /// Where the arms of branches are.
    pub regions: &'g Regions,
    /// How to enumerate.
    pub options: &'g Options,
}

/// Which event of an access a tag is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Read,
    Write,
}

/// What the tags of an access say about one of its events.
#[derive(Default)]
struct Marks {
    sets: Vec<SetId>,
    sides: Vec<Side>,
}

/// An event to be recorded.
struct New {
    kind: EventKind,
    cell: Option<CellId>,
    value: Option<ValueId>,
    marks: Marks,
    address: Flow,
    data: Flow,
    control: Flow,
    read: Option<(u32, Pairing)>,
}

impl Guess<'_, '_> {
    /// The answer to a question that has `count` answers.
    fn decide(&mut self, count: usize) -> Result<usize, Stop> {
        match (self.recorder.decided.take(), count) {
            (Some(answer), _) => Ok(answer),
            (None, 0) => Err(Stop::Discard),
            (None, 1) => Ok(0),
            (None, _) => Err(Stop::Fork(count)),
        }
    }

    fn cell(&mut self, access: &ResolvedAccess<'_>) -> Result<CellId, Stop> {
        self.world.cell_at(access.address, access.width.bytes()).ok_or(Stop::NoAddress)
    }

    /// What the branches that govern an event at this site depend on.
    fn control(&self, site: Site<'_>, whole: Flow) -> Flow {
        if !self.options.language.is_structured() {
            return whole;
        }
        let mut control = Flow::default();
        for &(function, block, taint) in &self.recorder.branches {
            if function != site.function || self.regions.governs(function, block, site.block) {
                control.plain |= taint.plain;
                control.pick |= taint.pick;
            }
        }
        control
    }

    /// Starts an instruction: machine instructions may make several requests from one place.
    fn start_instruction(&mut self, site: Site<'_>) {
        let next = site.frames.last().map_or(0, |frame| frame.next);
        let here = (site.place, site.block, next);
        let same = !self.options.language.is_structured()
            && self.recorder.last_place.is_some_and(|(place, block, last)| {
                place.is_some() && place == site.place && block == site.block && last < next
            });
        if !same {
            self.recorder.instruction += 1;
        }
        self.recorder.last_place = Some(here);
    }

    fn push(&mut self, site: Site<'_>, new: New) -> Result<u32, Stop> {
        let recorder = &mut self.recorder;
        let number = recorder.events.len();
        if number >= MAX_EVENTS {
            let message = format!("a thread has more than {MAX_EVENTS} events");
            return Err(Stop::Unsupported(message));
        }
        recorder.events.push(Event {
            kind: new.kind,
            cell: new.cell,
            sets: new.marks.sets,
            instruction: recorder.instruction,
            address: new.address,
            data: new.data,
            control: new.control,
            read: new.read,
            sides: new.marks.sides,
            exclusive: matches!(new.read, Some((_, Pairing::Exclusive))),
            section: recorder.section,
            operation: recorder.operation,
            place: site.place,
        });
        recorder.values.push(new.value);
        Ok(number as u32)
    }

    /// The sets of an event of an access: its tags, and in C11 its memory order.
    fn marks(&mut self, access: &ResolvedAccess<'_>, part: Part, pair: Option<bool>) -> Marks {
        let (mut sets, mut sides) = (Vec::new(), Vec::new());
        for tag in access.tags {
            let name = match tag.split_once('.') {
                Some(("R", name)) if part == Part::Read => name,
                Some(("W", name)) if part == Part::Write => name,
                Some(("S", name)) if part == Part::Read && pair != Some(false) => name,
                Some(("N", name)) if part == Part::Read && pair == Some(false) => name,
                Some(("seq", side)) => {
                    sides.extend(parse_side(side));
                    continue;
                }
                Some(("R" | "W" | "S" | "N" | "F", _)) => continue,
                _ if tag == "mark" => continue,
                _ => tag,
            };
            sets.push(self.world.set(name));
        }
        if self.options.language == Language::C11 {
            self.order_sets(access.order, &mut sets);
        }
        sets.sort_unstable();
        Marks { sets, sides }
    }

    fn order_sets(&mut self, order: Order, sets: &mut Vec<SetId>) {
        let name = match order {
            Order::NonAtomic | Order::Volatile => "NA",
            Order::Relaxed => "RLX",
            Order::Consume => "CON",
            Order::Acquire | Order::AcquirePc => "ACQ",
            Order::Release => "REL",
            Order::AcqRel => "ACQ_REL",
            Order::SeqCst => "SC",
        };
        sets.push(self.world.set(name));
        if order.is_atomic() {
            sets.push(self.world.set("A"));
        }
    }

    /// Records the read of a value that is already chosen.
    fn read(
        &mut self,
        site: Site<'_>,
        cell: CellId,
        value: ValueId,
        marks: Marks,
        dependencies: &Dependencies<Flow>,
    ) -> Result<u32, Stop> {
        let control = self.control(site, dependencies.control);
        let new = New {
            kind: EventKind::Read,
            cell: Some(cell),
            value: Some(value),
            marks,
            address: dependencies.address,
            data: Flow::default(),
            control,
            read: None,
        };
        let event = self.push(site, new)?;
        if self.world.is_symbolic(value) {
            self.recorder.symbolic |= 1 << event;
        }
        Ok(event)
    }

    fn write(
        &mut self,
        site: Site<'_>,
        cell: CellId,
        value: Value,
        marks: Marks,
        dependencies: &Dependencies<Flow>,
        read: Option<(u32, Pairing)>,
    ) -> Result<u32, Stop> {
        let control = self.control(site, dependencies.control);
        let next = site.frames.last().map_or(0, |frame| frame.next);
        self.world.writers.insert((site.function, site.block, next));
        let value = self.world.value(value);
        let new = New {
            kind: EventKind::Write,
            cell: Some(cell),
            value: Some(value),
            marks,
            address: dependencies.address,
            data: dependencies.data,
            control,
            read,
        };
        self.push(site, new)
    }

    /// The fences around a read-modify-write that writes.
    fn surround(
        &mut self,
        site: Site<'_>,
        access: &ResolvedAccess<'_>,
        control: Flow,
    ) -> Result<(), Stop> {
        for tag in access.tags {
            if let Some(name) = tag.strip_prefix("F.") {
                let set = self.world.set(name);
                self.recorder.instruction += 1;
                self.fence_event(site, vec![set], control)?;
                self.recorder.instruction += 1;
            }
        }
        Ok(())
    }

    fn fence_event(&mut self, site: Site<'_>, sets: Vec<SetId>, control: Flow) -> Result<(), Stop> {
        let control = self.control(site, control);
        let (address, data) = (Flow::default(), Flow::default());
        let kind = EventKind::Fence;
        let marks = Marks { sets, sides: Vec::new() };
        let new = New { kind, cell: None, value: None, marks, address, data, control, read: None };
        self.push(site, new).map(|_| ())
    }

    /// A mark: an event that is neither read nor write, through which a value may flow.
    fn mark(
        &mut self,
        site: Site<'_>,
        access: &ResolvedAccess<'_>,
        dependencies: &Dependencies<Flow>,
    ) -> Result<u32, Stop> {
        let cell = self.cell(access)?;
        self.start_instruction(site);
        let marks = self.marks(access, Part::Read, None);
        let control = self.control(site, dependencies.control);
        let new = New {
            kind: EventKind::Other,
            cell: Some(cell),
            value: None,
            marks,
            address: dependencies.address,
            data: dependencies.data,
            control,
            read: None,
        };
        self.push(site, new)
    }

    fn unsupported<T>(&self, what: &str) -> Result<T, Stop> {
        Err(Stop::Unsupported(format!("the oracle does not know {what}")))
    }
}

/// `3.a` is the left side of the third operator.
fn parse_side(text: &str) -> Option<Side> {
    let (operator, letter) = text.split_once('.')?;
    Some(Side { operator: operator.parse().ok()?, left: letter == "a" })
}

fn is_mark(access: &ResolvedAccess<'_>) -> bool {
    access.tags.iter().any(|tag| tag == "mark")
}

impl Memory<Flow> for Guess<'_, '_> {
    type Stop = Stop;

    fn load(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        exclusive: bool,
        dependencies: Dependencies<Flow>,
    ) -> Result<Loaded, Stop> {
        if is_mark(&access) {
            let event = self.mark(site, &access, &dependencies)?;
            return Ok(Loaded { value: Value::int(access.width, 0), event });
        }
        let cell = self.cell(&access)?;
        let count = self.world.cells[execution::ids::Id::index(cell)].possible.len();
        let answer = self.decide(count)?;
        let value = self.world.cells[execution::ids::Id::index(cell)].possible[answer];
        let instruction = self.recorder.instruction;
        self.start_instruction(site);
        let marks = self.marks(&access, Part::Read, None);
        let event = self.read(site, cell, value, marks, &dependencies)?;
        if exclusive {
            self.recorder.events[event as usize].exclusive = true;
            if instruction != self.recorder.instruction {
                self.recorder.reserved.clear();
            }
            self.recorder.reserved.push(event);
        }
        Ok(Loaded { value: self.world.value_as(value, access.width), event })
    }

    fn store(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        value: Value,
        dependencies: Dependencies<Flow>,
    ) -> Result<(), Stop> {
        if is_mark(&access) {
            return self.mark(site, &access, &dependencies).map(|_| ());
        }
        let cell = self.cell(&access)?;
        self.start_instruction(site);
        let marks = self.marks(&access, Part::Write, None);
        self.write(site, cell, value, marks, &dependencies, None).map(|_| ())
    }

    /// Succeeds or fails, whatever the values are; a store without a load-exclusive of the same
    /// cell before it fails.
    fn store_exclusive(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        value: Value,
        dependencies: Dependencies<Flow>,
    ) -> Result<(bool, Option<u32>), Stop> {
        let cell = self.cell(&access)?;
        let events = &self.recorder.events;
        let reserved = self.recorder.reserved.iter().copied();
        let load = reserved.rev().find(|&load| events[load as usize].cell == Some(cell));
        let Some(load) = load else {
            self.recorder.reserved.clear();
            return Ok((false, None));
        };
        let fails = self.decide(2)? == 1;
        self.start_instruction(site);
        self.recorder.reserved.retain(|&other| other != load);
        if fails {
            return Ok((false, None));
        }
        let marks = self.marks(&access, Part::Write, None);
        let pairing = Some((load, Pairing::Exclusive));
        let event = self.write(site, cell, value, marks, &dependencies, pairing)?;
        Ok((true, Some(event).filter(|_| self.options.language == Language::RiscV)))
    }

    fn rmw(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        op: RmwOp,
        operand: Value,
        _returns: bool,
        dependencies: Dependencies<Flow>,
    ) -> Result<Loaded, Stop> {
        let cell = self.cell(&access)?;
        let count = self.world.cells[execution::ids::Id::index(cell)].possible.len();
        let answer = self.decide(count)?;
        let old_id = self.world.cells[execution::ids::Id::index(cell)].possible[answer];
        let old = self.world.value_as(old_id, access.width);
        self.start_instruction(site);
        self.surround(site, &access, dependencies.control)?;
        let marks = self.marks(&access, Part::Read, Some(true));
        let event = self.read(site, cell, old_id, marks, &dependencies)?;
        let marks = self.marks(&access, Part::Write, Some(true));
        let computed = op != RmwOp::Exchange;
        let pairing = Some((event, Pairing::Single { computed, compared: false }));
        self.write(site, cell, old.rmw(op, operand), marks, &dependencies, pairing)?;
        self.surround(site, &access, dependencies.control)?;
        Ok(Loaded { value: old, event })
    }

    fn cas(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        expected: (Value, Flow),
        desired: Value,
        failure: Order,
        weak: bool,
        dependencies: Dependencies<Flow>,
    ) -> Result<(Loaded, bool), Stop> {
        let cell = self.cell(&access)?;
        let index = execution::ids::Id::index(cell);
        let count = self.world.cells[index].possible.len();
        let answer = self.decide(if weak { 2 * count } else { count })?;
        let old_id = self.world.cells[index].possible[answer % count];
        let old = self.world.value_as(old_id, access.width);
        let equal = old.bits == expected.0.bits;
        let symbolic = self.recorder.symbolic;
        if self.world.is_symbolic(old_id) || expected.1.pick & symbolic != 0 {
            return Err(Stop::Discard);
        }
        let succeeds = equal && answer < count;
        if answer >= count && !equal {
            return Err(Stop::Discard);
        }
        self.start_instruction(site);
        if succeeds {
            self.surround(site, &access, dependencies.control)?;
        }
        let order = if succeeds { access.order } else { failure };
        let halves = ResolvedAccess { order, ..access };
        let marks = self.marks(&halves, Part::Read, Some(succeeds));
        let event = self.read(site, cell, old_id, marks, &dependencies)?;
        if succeeds {
            let marks = self.marks(&access, Part::Write, Some(true));
            let pairing = Some((event, Pairing::Single { computed: false, compared: true }));
            let mut picked = dependencies.clone();
            picked.data.pick |= expected.1.pick;
            self.write(site, cell, desired, marks, &picked, pairing)?;
            self.surround(site, &access, dependencies.control)?;
        }
        let confirmed = succeeds && self.options.language == Language::Machine;
        let event = if confirmed { event + CONFIRMED } else { event };
        Ok((Loaded { value: old, event }, succeeds))
    }

    fn mcas(
        &mut self,
        _site: Site<'_>,
        _words: Vec<ResolvedMcasWord<'_, Flow>>,
    ) -> Result<bool, Stop> {
        self.unsupported("multi-word compare-and-swap")
    }

    fn fence(&mut self, site: Site<'_>, fence: &Fence, control: &Flow) -> Result<(), Stop> {
        let mut sets = Vec::new();
        match fence {
            Fence::Compiler => return Ok(()),
            Fence::Named(name) => sets.push(self.world.set(name)),
            Fence::C11(order) => {
                self.order_sets(*order, &mut sets);
                let atomic = self.world.set("A");
                sets.retain(|set| *set != atomic);
            }
            Fence::Directed(directions) => {
                for (on, name) in [
                    (directions.load_load, "LoadLoad"),
                    (directions.load_store, "LoadStore"),
                    (directions.store_load, "StoreLoad"),
                    (directions.store_store, "StoreStore"),
                ] {
                    if on {
                        sets.push(self.world.set(name));
                    }
                }
            }
        }
        self.start_instruction(site);
        self.fence_event(site, sets, *control)
    }

    fn branch(&mut self, site: Site<'_>, taint: &Flow) -> Result<(), Stop> {
        if taint.pick & self.recorder.symbolic != 0 {
            return Err(Stop::Discard);
        }
        // Assumptions come here too; only the end of a block is a branch.
        let function = &site.program.functions[site.function];
        let insts = function.blocks[site.block].insts.len();
        if site.frames.last().is_some_and(|frame| (frame.next as usize) < insts) {
            return Ok(());
        }
        let key = (site.function, site.block);
        // A loop that no read decides ends by itself, or runs out of fuel.
        if taint.pick != 0 {
            let taken = self.recorder.taken.entry(key).or_default();
            *taken += 1;
            if *taken > self.options.loop_bound {
                return Err(Stop::Bounded);
            }
        }
        self.recorder.branches.retain(|&(function, block, _)| (function, block) != key);
        self.recorder.branches.push((site.function, site.block, *taint));
        Ok(())
    }

    fn atomic_begin(&mut self, _site: Site<'_>) -> Result<(), Stop> {
        self.recorder.sections += 1;
        self.recorder.section = Some(self.recorder.sections);
        Ok(())
    }

    fn atomic_end(&mut self, _site: Site<'_>) -> Result<(), Stop> {
        self.recorder.section = None;
        Ok(())
    }

    fn global(&mut self, _site: Site<'_>, global: GlobalId) -> Result<Value, Stop> {
        Ok(World::address(global))
    }

    fn function(&mut self, _site: Site<'_>, _function: FuncId) -> Result<Value, Stop> {
        self.unsupported("pointers to functions")
    }

    fn function_at(&mut self, _site: Site<'_>, _address: Value) -> Result<FuncId, Stop> {
        self.unsupported("pointers to functions")
    }

    fn slot(
        &mut self,
        _site: Site<'_>,
        _function: FuncId,
        _slot: SlotId,
        _depth: u32,
    ) -> Result<Value, Stop> {
        self.unsupported("local objects in memory")
    }

    fn enter(&mut self, _site: Site<'_>, _slot: Value) -> Result<(), Stop> {
        self.unsupported("local objects in memory")
    }

    fn leave(&mut self, _site: Site<'_>, _slots: &[Value]) -> Result<(), Stop> {
        Ok(())
    }

    fn alloc(
        &mut self,
        _site: Site<'_>,
        _size: u64,
        _align: u64,
        _zeroed: bool,
        _layout: Option<LayoutId>,
    ) -> Result<Value, Stop> {
        self.unsupported("allocation")
    }

    fn free(&mut self, _site: Site<'_>, _address: Value) -> Result<(), Stop> {
        self.unsupported("allocation")
    }

    fn block_size(&mut self, _site: Site<'_>, _address: Value) -> Result<u64, Stop> {
        self.unsupported("allocation")
    }

    fn spawn(
        &mut self,
        _site: Site<'_>,
        _function: FuncId,
        _args: Vec<Value>,
    ) -> Result<Value, Stop> {
        self.unsupported("threads that start threads")
    }

    fn join(&mut self, _site: Site<'_>, _thread: Value) -> Result<Value, Stop> {
        self.unsupported("threads that wait for threads")
    }

    fn handle(&self, thread: ThreadId) -> Value {
        Value::int(Width::I64, execution::ids::Id::index(thread) as u128 + 1)
    }

    fn yield_now(&mut self, _site: Site<'_>) -> Result<(), Stop> {
        Ok(())
    }

    fn choose(&mut self, _site: Site<'_>, width: Width, from: Alternatives) -> Result<Value, Stop> {
        match from {
            Alternatives::Set(values) => {
                let answer = self.decide(values.len())?;
                Ok(values[answer])
            }
            Alternatives::Range(low, high) => {
                let count = usize::try_from(high - low + 1).unwrap_or(0);
                let answer = self.decide(count)?;
                Ok(Value::signed(width, low + answer as i128))
            }
            Alternatives::Any if width.bits() <= 8 => {
                let answer = self.decide(1 << width.bits())?;
                Ok(Value::int(width, answer as u128))
            }
            Alternatives::Any => self.unsupported("free choice of a wide value"),
        }
    }

    fn observe(&mut self, _site: Site<'_>, label: &str, value: Value) -> Result<(), Stop> {
        let value = self.world.value(value);
        self.recorder.observations.push((label.to_string(), value));
        Ok(())
    }

    fn commit(&mut self, _site: Site<'_>, _label: &str) -> Result<(), Stop> {
        Ok(())
    }

    fn operation_begin(
        &mut self,
        _site: Site<'_>,
        _name: &str,
        _args: &[Value],
    ) -> Result<(), Stop> {
        self.recorder.operations += 1;
        self.recorder.operation = Some(self.recorder.operations);
        Ok(())
    }

    fn operation_end(&mut self, _site: Site<'_>, _result: Option<Value>) -> Result<(), Stop> {
        self.recorder.operation = None;
        Ok(())
    }

    fn print(&mut self, _site: Site<'_>, _stream: Stream, _text: &[u8]) -> Result<(), Stop> {
        Ok(())
    }

    fn fault(&mut self, _site: Site<'_>, fault: Fault) -> Stop {
        match fault {
            Fault::AssumptionFailed { .. } => Stop::Discard,
            Fault::Division(_) => Stop::Unsupported("a division has no result".to_string()),
            other => Stop::Unsupported(format!("a thread went wrong: {other:?}")),
        }
    }
}

/// The symbolic value, as one that may be read.
pub fn symbolic(world: &mut World<'_>) -> ValueId {
    world.value(Value::int(Width::I64, SYMBOLIC))
}
