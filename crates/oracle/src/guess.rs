//! The memory that guesses: answers each read with every value its cell may hold.
//!
//! Where there are several answers, the request is refused with [`Stop::Fork`]; the driver copies
//! the thread and its recorder once per answer and asks again with the answer decided.

use execution::event::ThreadId;
use execution::ids::Id;
use ir::layout::LayoutId;
use ir::op::RmwOp;
use ir::order::{Fence, Order};
use ir::program::{FuncId, GlobalId, SlotId, Width};
use ir::step::memory::{
    Alternatives, Fault, Loaded, Memory, ResolvedAccess, ResolvedMcasWord, Site, Stream,
};
use ir::step::taint::Dependencies;
use ir::value::{RegionId, Value};
use replay::events::record::{Part, Scribe, is_mark};
use replay::events::trace::{Flow, Pairing};
use replay::language::Language;
use replay::memory::world::{CellId, SYMBOLIC, ValueId, World};

/// Why a thread was stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// There are this many answers.
    Fork(usize),
    /// This is not an execution: an assumption failed.
    Discard,
    /// This is not an execution: what is accessed is not an address, or not aligned.
    NoAddress,
    /// A loop ran more often than the bound.
    Bounded,
    /// The oracle does not do this.
    Unsupported(String),
}

/// The guessing memory.
pub struct Guess<'g, 'p> {
    /// Writes down the events.
    pub scribe: Scribe<'g, 'p>,
}

impl Guess<'_, '_> {
    /// The answer to a question that has `count` answers.
    fn decide(&mut self, count: usize) -> Result<usize, Stop> {
        match (self.scribe.recorder.decided.take(), count) {
            (Some(answer), _) => Ok(answer),
            (None, 0) => Err(Stop::Discard),
            (None, 1) => Ok(0),
            (None, _) => Err(Stop::Fork(count)),
        }
    }

    /// The cell of an access.
    fn cell(&mut self, site: Site<'_>, access: &ResolvedAccess<'_>) -> Result<CellId, Stop> {
        let world = &mut *self.scribe.world;
        let (global, offset) = world.target(access.address).ok_or(Stop::NoAddress)?;
        // An access that is not aligned need not be atomic, or even possible.
        if !offset.is_multiple_of(access.width.bytes()) {
            return Err(Stop::NoAddress);
        }
        Ok(world.object_cell(RegionId::new(global.index()), offset, access.width, site.place))
    }

    fn unsupported<T>(&self, what: &str) -> Result<T, Stop> {
        Err(Stop::Unsupported(format!("the oracle does not know {what}")))
    }
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
        let cell = self.cell(site, &access)?;
        if is_mark(&access) {
            let event = self.scribe.mark(site, &access, cell, &dependencies);
            return Ok(Loaded { value: Value::int(access.width, 0), event });
        }
        let count = self.scribe.world.cells[cell.index()].possible.len();
        let answer = self.decide(count)?;
        let value = self.scribe.world.cells[cell.index()].possible[answer];
        let instruction = self.scribe.recorder.instruction;
        self.scribe.start_instruction(site);
        let marks = self.scribe.marks(&access, Part::Read, None);
        let event = self.scribe.read(site, cell, value, marks, &dependencies);
        if exclusive {
            self.scribe.recorder.events[event as usize].exclusive = true;
            if instruction != self.scribe.recorder.instruction {
                self.scribe.recorder.reserved.clear();
            }
            self.scribe.recorder.reserved.push(event);
        }
        Ok(Loaded { value: self.scribe.world.value_as(value, access.width), event })
    }

    fn store(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        value: Value,
        dependencies: Dependencies<Flow>,
    ) -> Result<(), Stop> {
        let cell = self.cell(site, &access)?;
        if is_mark(&access) {
            self.scribe.mark(site, &access, cell, &dependencies);
            return Ok(());
        }
        self.scribe.start_instruction(site);
        let marks = self.scribe.marks(&access, Part::Write, None);
        self.scribe.write(site, cell, value, marks, &dependencies, None);
        Ok(())
    }

    /// Succeeds or fails, whatever the values are; a store without a load-exclusive of the same
    /// cell before it fails, and so accesses nothing, be it an address or not.
    fn store_exclusive(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        value: Value,
        dependencies: Dependencies<Flow>,
    ) -> Result<(bool, Option<u32>), Stop> {
        let cell = match self.cell(site, &access) {
            Ok(cell) => Some(cell),
            Err(Stop::NoAddress) => None,
            Err(other) => return Err(other),
        };
        let events = &self.scribe.recorder.events;
        let mut reserved = self.scribe.recorder.reserved.iter().copied().rev();
        let load = reserved.clone().find(|&load| events[load as usize].cell == cell);
        let loaded = |load: u32| events[load as usize].cell;
        let meets = |(a, b)| a != b && self.scribe.world.meet(a, b);
        if reserved.any(|load| loaded(load).zip(cell).is_some_and(meets)) {
            let place = site.place.map(|place| &site.program.places[place].location);
            let place = place.map_or(String::new(), |location| format!("{location}: "));
            let what = "a store-exclusive has another size than its load-exclusive";
            return Err(Stop::Unsupported(format!("{place}{what}")));
        }
        let (Some(cell), Some(load)) = (cell, load) else {
            self.scribe.recorder.reserved.clear();
            return Ok((false, None));
        };
        let fails = self.decide(2)? == 1;
        self.scribe.start_instruction(site);
        self.scribe.recorder.reserved.retain(|&other| other != load);
        if fails {
            return Ok((false, None));
        }
        let marks = self.scribe.marks(&access, Part::Write, None);
        let pairing = Some((load, Pairing::Exclusive));
        let event = self.scribe.write(site, cell, value, marks, &dependencies, pairing);
        Ok((true, Some(event).filter(|_| self.scribe.options.language == Language::RiscV)))
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
        let cell = self.cell(site, &access)?;
        let count = self.scribe.world.cells[cell.index()].possible.len();
        let answer = self.decide(count)?;
        let old_id = self.scribe.world.cells[cell.index()].possible[answer];
        let old = self.scribe.world.value_as(old_id, access.width);
        self.scribe.start_instruction(site);
        self.scribe.surround(site, &access, &dependencies.control);
        let marks = self.scribe.marks(&access, Part::Read, Some(true));
        let event = self.scribe.read(site, cell, old_id, marks, &dependencies);
        let marks = self.scribe.marks(&access, Part::Write, Some(true));
        let computed = op != RmwOp::Exchange;
        let pairing = Some((event, Pairing::Single { computed, compared: false }));
        self.scribe.write(site, cell, old.rmw(op, operand), marks, &dependencies, pairing);
        self.scribe.surround(site, &access, &dependencies.control);
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
        let cell = self.cell(site, &access)?;
        let index = cell.index();
        let count = self.scribe.world.cells[index].possible.len();
        let answer = self.decide(if weak { 2 * count } else { count })?;
        let old_id = self.scribe.world.cells[index].possible[answer % count];
        let old = self.scribe.world.value_as(old_id, access.width);
        let equal = old.bits == expected.0.bits;
        let symbolic = &self.scribe.recorder.symbolic;
        if self.scribe.world.is_symbolic(old_id) || expected.1.pick.meets(symbolic) {
            return Err(Stop::Discard);
        }
        let succeeds = equal && answer < count;
        if answer >= count && !equal {
            return Err(Stop::Discard);
        }
        self.scribe.start_instruction(site);
        if succeeds {
            self.scribe.surround(site, &access, &dependencies.control);
        }
        let order = if succeeds { access.order } else { failure };
        let halves = ResolvedAccess { order, ..access };
        let marks = self.scribe.marks(&halves, Part::Read, Some(succeeds));
        let event = self.scribe.read(site, cell, old_id, marks, &dependencies);
        if succeeds {
            let marks = self.scribe.marks(&access, Part::Write, Some(true));
            let pairing = Some((event, Pairing::Single { computed: false, compared: true }));
            let mut picked = dependencies.clone();
            picked.data.pick.join(&expected.1.pick);
            self.scribe.write(site, cell, desired, marks, &picked, pairing);
            self.scribe.surround(site, &access, &dependencies.control);
        }
        let event = self.scribe.swapped(event, succeeds);
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
        if *fence != Fence::Compiler {
            self.scribe.start_instruction(site);
        }
        self.scribe.fence(site, fence, control);
        Ok(())
    }

    fn branch(&mut self, site: Site<'_>, taint: &Flow) -> Result<(), Stop> {
        if taint.pick.meets(&self.scribe.recorder.symbolic) {
            return Err(Stop::Discard);
        }
        if self.scribe.branch(site, taint) { Err(Stop::Bounded) } else { Ok(()) }
    }

    fn atomic_begin(&mut self, _site: Site<'_>) -> Result<(), Stop> {
        self.scribe.recorder.begin_section();
        Ok(())
    }

    fn atomic_end(&mut self, _site: Site<'_>) -> Result<(), Stop> {
        self.scribe.recorder.end_section();
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

    fn leave(
        &mut self,
        _site: Site<'_>,
        _slots: &[Value],
        _result: Option<Value>,
    ) -> Result<(), Stop> {
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

    fn free(&mut self, _site: Site<'_>, _address: Value, _taint: Flow) -> Result<(), Stop> {
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
        Value::int(Width::I64, thread.index() as u128 + 1)
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
        let value = self.scribe.world.value(value);
        self.scribe.recorder.observations.push((label.to_string(), value));
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
        self.scribe.recorder.begin_operation();
        Ok(())
    }

    fn operation_end(&mut self, _site: Site<'_>, _result: Option<Value>) -> Result<(), Stop> {
        self.scribe.recorder.end_operation();
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
