//! What the steps of a thread do to its view: the memory that the stepper asks.

use super::heap::{Body, Life, Object, STRIDE, What};
use super::history::HIDDEN;
use super::machine::Witness;
use super::world::{Company, Stop, World, odd_pointer};
use crate::explicit::orders_stores_before_loads;
use execution::finding::{FindingKind, Verb};
use ir::layout::LayoutId;
use ir::op::RmwOp;
use ir::order::{Fence, Order};
use ir::program::{FuncId, GlobalId, SlotId, Width};
use ir::step::memory::{
    Alternatives, Fault, Loaded, Memory, ResolvedAccess, ResolvedMcasWord, Site, Stream,
};
use ir::step::sc::contents::Contents;
use ir::step::taint::Dependencies;
use ir::value::{RegionId, Value};

/// An operation chooses among at most so many values.
const MOST_CHOICES: i128 = 64;

impl Memory<()> for World<'_> {
    type Stop = Stop;

    const ASKS_FOR_NUMBERS: bool = true;

    /// Reported where the next access would be: an engine for any number of threads cannot say
    /// which addresses there are.
    fn reveals(&mut self, address: Value) {
        let regions = &self.machine.regions;
        let heap = |region: RegionId| regions.heap(region).is_some();
        if address.provenance.is_some_and(heap) || address.high.is_some_and(heap) {
            self.revealed = true;
        }
    }

    fn load(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        _: bool,
        _: Dependencies<()>,
    ) -> Result<Loaded, Stop> {
        self.no_numbers()?;
        let turns = self.turns;
        let place = self.locate(site, &access, Verb::Read)?;
        let value = self.untaken_if_asking(turns, |world| world.read(site, &access, place))?;
        Ok(Loaded { value, event: 0 })
    }

    fn store(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        value: Value,
        _: Dependencies<()>,
    ) -> Result<(), Stop> {
        self.no_numbers()?;
        let place = self.locate(site, &access, Verb::Write)?;
        self.put(site, &access, place, value)
    }

    fn store_exclusive(
        &mut self,
        _: Site<'_>,
        _: ResolvedAccess<'_>,
        _: Value,
        _: Dependencies<()>,
    ) -> Result<(bool, Option<u32>), Stop> {
        Err(Stop::Refused("an exclusive store".into()))
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
        self.no_numbers()?;
        self.drain()?;
        let turns = self.turns;
        let place = self.locate(site, &access, Verb::Update)?;
        let value = self.untaken_if_asking(turns, |world| world.read(site, &access, place))?;
        // A lock that is held: what waits for it does not go on.
        if access.purpose.is_mutex_word() && !value.is_zero() {
            self.note_order(place, site.place);
            return match self.section.is_some() {
                true => Ok(Loaded { value, event: 0 }),
                false => Err(Stop::Refused("an exchange of a lock that is held".into())),
            };
        }
        self.write(&access, place, value.rmw(op, operand), site.place, true)?;
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
        self.no_numbers()?;
        self.drain()?;
        let turns = self.turns;
        let place = self.locate(site, &access, Verb::Update)?;
        let value = self.untaken_if_asking(turns, |world| world.read(site, &access, place))?;
        let equal = Self::matches(value, expected.0)?;
        let fails = equal && weak && self.may_fail() && {
            let both = || [0, 1].map(|bit| Value::int(Width::BOOL, bit)).to_vec();
            !self.untaken_if_asking(turns, |world| world.ask(both))?.is_zero()
        };
        let done = equal && !fails;
        if !equal && expected.0.is_zero() && self.is_lock(place) {
            self.note_order(place, site.place);
        }
        if done {
            self.write(&access, place, desired, site.place, true)?;
        }
        Ok((Loaded { value, event: 0 }, done))
    }

    fn mcas(&mut self, site: Site<'_>, words: Vec<ResolvedMcasWord<'_, ()>>) -> Result<bool, Stop> {
        self.no_numbers()?;
        self.take_turn()?;
        let outer = self.section.replace(super::world::Section::whole());
        let mut all = true;
        let mut places = Vec::new();
        for word in &words {
            let place = self.locate(site, &word.access, Verb::Update)?;
            let value = self.read(site, &word.access, place)?;
            all &= Self::matches(value, word.expected)?;
            places.push(place);
        }
        if all {
            for (word, &place) in words.iter().zip(&places) {
                self.write(&word.access, place, word.desired, site.place, true)?;
            }
        }
        self.section = outer;
        Ok(all)
    }

    fn fence(&mut self, _: Site<'_>, fence: &Fence, (): &()) -> Result<(), Stop> {
        if !self.machine.buffers {
            return Ok(());
        }
        match orders_stores_before_loads(fence) {
            Some(true) => self.drain(),
            Some(false) => Ok(()),
            None => Err(Stop::Refused(format!("the fence {fence:?}"))),
        }
    }

    fn atomic_begin(&mut self, _: Site<'_>) -> Result<(), Stop> {
        self.begin_section()
    }

    fn atomic_end(&mut self, _: Site<'_>) -> Result<(), Stop> {
        self.end_section()
    }

    fn global(&mut self, _: Site<'_>, global: GlobalId) -> Result<Value, Stop> {
        Ok(self.machine.regions.of_global(global))
    }

    fn function(&mut self, _: Site<'_>, function: FuncId) -> Result<Value, Stop> {
        Ok(self.machine.regions.of_function(function))
    }

    fn function_at(&mut self, _: Site<'_>, address: Value) -> Result<FuncId, Stop> {
        let regions = &self.machine.regions;
        let function = address.provenance.and_then(|region| regions.function(region));
        match function.filter(|&function| regions.of_function(function).low() == address.low()) {
            Some(function) => Ok(function),
            None => Err(Stop::Wrong(match address.low() {
                0 => FindingKind::CallOfNull,
                _ => FindingKind::CallOfNonFunction,
            })),
        }
    }

    fn slot(&mut self, _: Site<'_>, function: FuncId, slot: SlotId, _: u32) -> Result<Value, Stop> {
        if self.machine.is_promoted(function, slot) {
            return Ok(Value::NULL);
        }
        let size = self.machine.program().functions[function].slots[slot].size;
        self.make(What::Slot(function, slot), size, false)
    }

    fn enter(&mut self, _: Site<'_>, slot: Value) -> Result<(), Stop> {
        let Some(region) = slot.provenance else { return Ok(()) };
        if self.body(region).is_some_and(|body| body.escaped) {
            return Err(Stop::Refused("a shared local variable that starts again".into()));
        }
        let machine = self.machine;
        self.change(region, |body| {
            let hidden = machine.size(body) as usize;
            let is_hidden = hidden < body.contents.len();
            let kept = is_hidden.then(|| body.contents.read(hidden, Width::I64));
            body.contents = Contents::undefined(body.contents.len());
            if let Some(kept) = kept {
                body.contents.write(hidden, kept);
            }
        })
    }

    fn leave(&mut self, _: Site<'_>, slots: &[Value], _: Option<Value>) -> Result<(), Stop> {
        for region in slots.iter().filter_map(|slot| slot.provenance) {
            self.end(region, Life::Over)?;
        }
        Ok(())
    }

    fn alloc(
        &mut self,
        site: Site<'_>,
        size: u64,
        _: u64,
        zeroed: bool,
        _: Option<LayoutId>,
    ) -> Result<Value, Stop> {
        self.make(What::Heap(site.place), size, zeroed)
    }

    fn free(&mut self, _: Site<'_>, address: Value, (): ()) -> Result<(), Stop> {
        self.no_numbers()?;
        let regions = &self.machine.regions;
        let Some(region) = address.provenance else {
            return Err(Stop::Wrong(FindingKind::FreeOfNonHeap));
        };
        let Some(body) = self.body(region) else {
            return Err(Stop::Wrong(FindingKind::FreeOfNonHeap));
        };
        if !matches!(body.what, What::Heap(_)) {
            return Err(Stop::Wrong(FindingKind::FreeOfNonHeap));
        }
        if address.low() != regions.base(region) {
            return Err(Stop::Wrong(FindingKind::FreeInsideBlock));
        }
        match body.life {
            Life::Cut => return Err(Stop::Cut),
            Life::Alive => {}
            Life::Freed | Life::Over => {
                self.take_turn()?;
                return Err(Stop::Wrong(FindingKind::DoubleFree));
            }
        }
        self.end(region, Life::Freed)
    }

    fn block_size(&mut self, _: Site<'_>, address: Value) -> Result<u64, Stop> {
        let body = address.provenance.and_then(|region| self.body(region));
        match body {
            Some(body) if body.life == Life::Alive => Ok(self.machine.size(body)),
            _ => Err(Stop::Refused("the size of something that is not a block".into())),
        }
    }

    fn spawn(&mut self, _: Site<'_>, _: FuncId, _: Vec<Value>) -> Result<Value, Stop> {
        Err(Stop::Prepared)
    }

    fn join(&mut self, _: Site<'_>, _: Value) -> Result<Value, Stop> {
        Err(Stop::Refused("awaiting a thread".into()))
    }

    fn yield_now(&mut self, _: Site<'_>) -> Result<(), Stop> {
        Ok(())
    }

    fn choose(&mut self, _: Site<'_>, width: Width, from: Alternatives) -> Result<Value, Stop> {
        if !self.may_choose {
            let what = "a choice after the operation has accessed what other threads know";
            return Err(Stop::Refused(what.into()));
        }
        let value = match &self.script {
            Some(script) => match script.get(self.chosen.len()) {
                Some(value) => *value,
                None => return Err(Stop::Refused("choices that depend on other threads".into())),
            },
            None => {
                let values = self.alternatives(width, from)?;
                self.ask(|| values)?
            }
        };
        self.chosen.push(value);
        Ok(value)
    }

    fn observe(&mut self, _: Site<'_>, label: &str, value: Value) -> Result<(), Stop> {
        if value.provenance.is_some() {
            return Err(Stop::Refused("a client that observes an address".into()));
        }
        // A client sees a number, however wide the variable was that held it.
        let value = match value.is_defined() && value.width.bits() <= Width::I64.bits() {
            true => Value::signed(Width::I64, value.as_signed()),
            false => value,
        };
        self.observed.push((label.to_owned(), value));
        Ok(())
    }

    fn commit(&mut self, _: Site<'_>, _: &str) -> Result<(), Stop> {
        if self.machine.rung.witness != Witness::CommitPoints || self.company == Company::Alone {
            return Ok(());
        }
        if self.may_choose {
            let what = "a commit point before the operation's first shared access";
            return Err(Stop::Refused(what.into()));
        }
        if !self.buffer.is_empty() {
            let what = "a commit point while stores wait in the store buffer";
            return Err(Stop::Refused(what.into()));
        }
        self.committed = true;
        Ok(())
    }

    fn operation_begin(&mut self, _: Site<'_>, _: &str, _: &[Value]) -> Result<(), Stop> {
        Ok(())
    }

    /// An operation has ended when its stores are visible.
    fn operation_end(&mut self, _: Site<'_>, _: Option<Value>) -> Result<(), Stop> {
        self.no_numbers()?;
        self.drain()
    }

    fn print(&mut self, _: Site<'_>, _: Stream, _: &[u8]) -> Result<(), Stop> {
        Ok(())
    }

    fn fault(&mut self, site: Site<'_>, fault: Fault) -> Stop {
        Stop::Wrong(match fault {
            Fault::AssumptionFailed { waits: true } => {
                self.note_wait(site.place);
                return Stop::Wait;
            }
            Fault::AssumptionFailed { waits: false } => return Stop::Discard,
            Fault::ClaimFailed(claim, message) => claim.fails(&message),
            Fault::Trap(message) => FindingKind::Trap(message),
            Fault::UndefinedUse(what) => FindingKind::UndefinedUse(what.into()),
            Fault::Index(length) => FindingKind::IndexOutOfBounds { length },
            Fault::Division(error) => FindingKind::Division(error),
            Fault::Overflow(what) => FindingKind::Overflow(what.into()),
            Fault::BadCall(message) => FindingKind::BadCall(message),
            Fault::UnbalancedAtomicSection => FindingKind::UnbalancedAtomicSection,
            Fault::StackOverflow => return Stop::Refused("a recursion without a bound".into()),
            Fault::TooLongToPrint => return Stop::Refused("very long text".into()),
        })
    }
}

impl World<'_> {
    /// Makes an object of the running thread.
    fn make(&mut self, what: What, size: u64, zeroed: bool) -> Result<Value, Stop> {
        if size > STRIDE / 2 {
            return Err(Stop::Refused("a very large object".into()));
        }
        let hidden = self.machine.is_descriptor(what);
        let size = size as usize + if hidden { HIDDEN as usize } else { 0 };
        let mut contents = match zeroed {
            true => Contents::zeroed(size),
            false => Contents::undefined(size),
        };
        if hidden {
            contents.write(size - HIDDEN as usize, Value::int(Width::I64, 0));
        }
        let body = Body { what, life: Life::Alive, escaped: false, contents };
        let object = Object::new(&self.machine.regions, body).map_err(|_| odd_pointer())?;
        self.objects.push(object);
        let number = self.objects.len() - 1;
        if hidden && self.company == Company::Others {
            self.made.push(self.machine.regions.of_heap(number));
        }
        Ok(self.machine.regions.to_heap(number))
    }

    /// The values of a choice.
    fn alternatives(&self, width: Width, from: Alternatives) -> Result<Vec<Value>, Stop> {
        let (low, high) = match from {
            Alternatives::Set(values) => return Ok(values),
            Alternatives::Range(low, high) => (low, high),
            Alternatives::Any => (0, 1i128.checked_shl(width.bits()).map_or(i128::MAX, |n| n - 1)),
        };
        let high = match self.machine.values {
            Some(values) if high > low => low.saturating_add(i128::from(values) - 1),
            _ => high,
        };
        match high.saturating_sub(low) < MOST_CHOICES {
            true => Ok((low..=high).map(|number| Value::signed(width, number)).collect()),
            false => Err(Stop::Refused("a choice among many values (see --values)".into())),
        }
    }

    /// Whether a weak compare-and-swap may fail for no reason: with other threads.
    fn may_fail(&self) -> bool {
        self.company == Company::Others
    }

    /// Something that may have to ask first: the turn is taken when the answer is there.
    fn untaken_if_asking<T>(
        &mut self,
        turns: u32,
        ask: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let result = ask(self);
        if matches!(result, Err(Stop::Ask(_))) {
            if self.section.is_none() {
                self.turns = turns;
            }
            self.seen.pop();
        }
        result
    }

    /// Refuses a number that was computed from an address.
    fn no_numbers(&self) -> Result<(), Stop> {
        match self.revealed {
            true => Err(Stop::Refused(
                "a number computed from an address: a hash, a difference or an order of pointers"
                    .into(),
            )),
            false => Ok(()),
        }
    }
}
