//! What the steps of a thread do to the state: the memory that the stepper asks.

use super::views::Swap;
use super::{
    MOST_CHOICES, MOST_THREADS, SAMPLES, Section, Spawned, Stop, World, handle,
    orders_stores_before_loads,
};
use crate::explicit::Machine;
use crate::explicit::machine::access::without_object;
use crate::explicit::machine::layout::{MadeId, Object};
use crate::explicit::machine::state::{Kind, Life, Made, bit};
use encoding::bounded::Goal;
use execution::event::ThreadId;
use execution::finding::{FindingKind, Verb};
use execution::ids::Id;
use ir::layout::LayoutId;
use ir::op::RmwOp;
use ir::order::{Fence, Order};
use ir::program::{FuncId, GlobalId, SlotId, Width};
use ir::step::memory::{
    Alternatives, Fault, Loaded, Memory, ResolvedAccess, ResolvedMcasWord, Site, Stream,
};
use ir::step::sc::LARGEST_HEAP;
use ir::step::sc::contents::Contents;
use ir::step::taint::Dependencies;
use ir::step::thread::Ending;
use ir::value::Value;

impl Memory<()> for World<'_> {
    type Stop = Stop;

    const ASKS_FOR_NUMBERS: bool = true;

    fn reveals(&mut self, address: Value) {
        let regions = address.provenance.into_iter().chain(address.high);
        let mut objects = regions.map(|region| self.layout.object(region));
        if objects.any(|object| matches!(object, Object::Made(..))) {
            self.layout.sharing.borrow_mut().reveal();
        }
    }

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
            return Err(Stop::Unsupported("an exclusive load".into()));
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
        let turns = self.turns;
        let place = self.locate(site, &access, Verb::Write)?;
        if self.is_viewed(place) {
            self.view_store((site, place), &access, value, turns)?;
        } else if let Some(section) = &mut self.section {
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
        Err(Stop::Unsupported("an exclusive store".into()))
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
        let turns = self.turns;
        let place = self.locate(site, &access, Verb::Update)?;
        let value = if self.is_viewed(place) {
            self.view_rmw((site, place), &access, (op, operand), turns)?
        } else {
            let value = self.read(place, &access);
            self.note_read(site, place, value);
            self.write_now(site, place, value.rmw(op, operand))?;
            value
        };
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
        failure: Order,
        weak: bool,
        _: Dependencies<()>,
    ) -> Result<(Loaded, bool), Stop> {
        // Like every locked instruction, and whether it succeeds or not.
        self.drain()?;
        let turns = self.turns;
        let place = self.locate(site, &access, Verb::Update)?;
        if self.is_viewed(place) {
            let swap = Swap { expected: expected.0, desired, failure, weak };
            let (value, done) = self.view_cas((site, place), &access, swap, turns)?;
            self.note_access(site, place.kind);
            return Ok((Loaded { value, event: 0 }, done));
        }
        let value = self.read(place, &access);
        let equal = Self::matches(value, expected.0)?;
        let may_fail = equal && weak;
        let both = || Some([0, 1].map(|bit| Value::int(Width::BOOL, bit)).to_vec());
        let fails = may_fail
            && match self.ask(both) {
                Ok(answer) => !answer.is_zero(),
                Err(stop) => {
                    // The turn is taken when the answer is there.
                    if self.section.is_none() {
                        self.turns = turns;
                    }
                    return Err(stop);
                }
            };
        let done = equal && !fails;
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
        if self.layout.machine != Machine::Interleaving {
            return Err(Stop::Unsupported("a compare-and-swap of several words".into()));
        }
        self.take_turn()?;
        let outer = self.section.replace(Section { turn: true, ..Section::default() });
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
        if self.layout.machine.has_views() {
            return self.view_fence(fence);
        }
        if !self.layout.machine.has_buffers() {
            return Ok(());
        }
        match orders_stores_before_loads(fence) {
            Some(true) => self.drain(),
            Some(false) => Ok(()),
            None => Err(Stop::Unsupported(format!("the fence {fence:?}").into())),
        }
    }

    fn atomic_begin(&mut self, _: Site<'_>) -> Result<(), Stop> {
        self.section = Some(Section::default());
        Ok(())
    }

    fn atomic_end(&mut self, _: Site<'_>) -> Result<(), Stop> {
        let section = self.section.take().unwrap_or_default();
        if self.layout.machine.has_buffers() && section.writes && !section.reads {
            let what = "an atomic section that only writes, with store buffers";
            return Err(Stop::Unsupported(what.into()));
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
            let id = MadeId { thread, number };
            return Ok(self.layout.made(id, self.shared.object(id).base));
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

    fn enter(&mut self, site: Site<'_>, slot: Value) -> Result<(), Stop> {
        let object = slot.provenance.map(|region| self.layout.object(region));
        let Some(Object::Made(id)) = object else { return Ok(()) };
        let made = self.shared.object(id);
        let (kind, base, size) = (made.kind, made.base, made.size);
        if made.entered && self.layout.sharing.borrow().is_shared(kind, 0, size) {
            return Err(Stop::Unsupported("a shared stack object that starts again".into()));
        }
        if made.entered {
            let by = self.thread(site);
            if let Some(record) = &mut self.record {
                record.restart(by, kind, (base, size));
            }
        }
        self.change().object_mut(id).change(|made| {
            made.entered = true;
            made.contents.reset(made.size as usize);
        });
        Ok(())
    }

    fn leave(&mut self, _: Site<'_>, slots: &[Value], result: Option<Value>) -> Result<(), Stop> {
        let objects = self.objects(slots);
        self.leave_objects(&objects)?;
        self.end_objects(&objects, result);
        Ok(())
    }

    fn leave_thread(
        &mut self,
        site: Site<'_>,
        slots: &[Value],
        result: Option<Value>,
    ) -> Result<(), Stop> {
        let mut objects = self.objects(slots);
        objects.extend(self.thread_locals());
        if site.ends_program() {
            self.leave_program(&objects);
            return Ok(());
        }
        self.leave_objects(&objects)?;
        self.end_objects(&objects, result);
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
            return Ok(Value::NULL);
        }
        let contents = match zeroed {
            true => Contents::zeroed(size as usize),
            false => Contents::undefined(size as usize),
        };
        let kind = Kind::Heap(site.place, thread);
        let block = self.make(thread, (size, align), kind, contents)?;
        if self.shared.is_alone() {
            return Ok(block);
        }
        if zeroed {
            self.layout.sharing.borrow_mut().zeroes(kind);
        }
        self.view_alloc(block)?;
        if let Some(record) = &mut self.record {
            let writes = zeroed || self.layout.allocations;
            record.allocate(thread, kind, (block.low(), size), writes);
        }
        Ok(block)
    }

    fn free(&mut self, site: Site<'_>, address: Value, _: ()) -> Result<(), Stop> {
        if address.is_zero() && address.provenance.is_none() {
            return Ok(());
        }
        let Some(region) = address.provenance else {
            return Err(Stop::Wrong(without_object(address.low())));
        };
        let Object::Made(id) = self.layout.object(region) else {
            return Err(Stop::Wrong(FindingKind::FreeOfNonHeap));
        };
        self.view_object(id)?;
        let made = self.shared.object(id);
        let (kind, base, size, life) = (made.kind, made.base, made.size, made.life);
        if !matches!(kind, Kind::Heap(..)) {
            return Err(Stop::Wrong(FindingKind::FreeOfNonHeap));
        }
        if address.low() != base {
            return Err(Stop::Wrong(FindingKind::FreeInsideBlock));
        }
        let thread = self.thread(site);
        let mut shared = false;
        if !self.shared.is_alone() {
            let beside = self.beside(thread);
            let mut sharing = self.layout.sharing.borrow_mut();
            sharing.touch((thread, beside), (kind, 0, size), Verb::Write);
            if sharing.is_passed(kind, 0, size) {
                sharing.notice(thread);
            }
            shared = sharing.is_shared(kind, 0, size);
        }
        let region = address.provenance.filter(|_| shared && self.is_buffered());
        if shared {
            self.view_end()?;
            match region {
                Some(_) if self.section.is_some() => {
                    self.drain()?;
                    self.take_turn()?;
                }
                // When it enters the buffer, nobody notices.
                Some(_) => {}
                None => self.take_turn()?,
            }
        }
        let waits = region.filter(|_| self.section.is_none());
        if !self.shared.is_alone()
            && let Some(record) = &mut self.record
        {
            record.free(thread, kind, (base, size), waits.is_some());
        }
        if life != Life::Alive || region.is_some_and(|region| self.ends_soon(region)) {
            return Err(Stop::Wrong(FindingKind::DoubleFree));
        }
        match waits {
            Some(region) => self.end_later(region),
            None => self.change().object_mut(id).change(Made::end),
        }
        if let Some(section) = &mut self.section {
            section.writes |= shared;
        }
        Ok(())
    }

    fn block_size(&mut self, _: Site<'_>, address: Value) -> Result<u64, Stop> {
        let object = address.provenance.map(|region| self.layout.object(region));
        if let Some(Object::Made(id)) = object {
            let made = self.shared.object(id);
            if matches!(made.kind, Kind::Heap(..)) && made.base == address.low() {
                return Ok(made.size);
            }
        }
        Err(Stop::Unsupported("the size of something that is not a block".into()))
    }

    fn spawn(&mut self, site: Site<'_>, function: FuncId, args: Vec<Value>) -> Result<Value, Stop> {
        if self.section.is_some() {
            return Err(Stop::Unsupported("starting a thread in an atomic section".into()));
        }
        self.drain()?;
        if self.shared.endings.len() >= MOST_THREADS {
            let what = "(if they are started in a loop or by each other, give that an end)";
            let what = format!("more than {MOST_THREADS} threads {what}");
            return Err(Stop::Unsupported(what.into()));
        }
        if self.running != ThreadId::MAIN {
            self.noticed();
            self.told_apart(self.running);
        }
        args.iter().filter_map(|value| value.provenance).for_each(|region| self.expose(region));
        let fence = self.view_link()?;
        let thread = self.change().add_thread();
        self.view_start(thread, fence);
        let mut sharing = self.layout.sharing.borrow_mut();
        sharing.threads = sharing.threads.max(thread.index() + 1);
        sharing.starts(self.running, thread);
        drop(sharing);
        if let Some(record) = &mut self.record {
            record.spawn(site.thread, thread);
        }
        self.spawned.push(Spawned { function, args });
        self.others_first();
        Ok(handle(thread))
    }

    fn join(&mut self, _: Site<'_>, thread: Value) -> Result<Value, Stop> {
        let index = thread.low().checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let target = index.filter(|&index| index < self.shared.endings.len()).map(ThreadId::new);
        let Some(index) = target else { return Err(Stop::Wrong(FindingKind::BadJoin)) };
        if self.shared.alike.has_others(index) {
            if self.running == ThreadId::MAIN && !self.links_matter() {
                return self.join_one_of(index);
            }
            self.told_apart(index);
        }
        if self.shared.endings[index].1 {
            return Err(Stop::Unsupported("a thread that is awaited twice".into()));
        }
        self.noticed();
        self.layout.sharing.borrow_mut().awaits(self.running, index);
        self.drain()?;
        let Some(ending) = self.shared.endings[index].0 else {
            self.awaits = bit(index);
            return Err(Stop::Wait);
        };
        if !self.shared.buffers[index].is_empty() {
            return Err(Stop::Wait);
        }
        let fence = self.view_link()?;
        match ending {
            Ending::Returned(value) | Ending::ThreadExit(value) => {
                self.change().endings[index].1 = true;
                self.view_await(index, fence);
                Ok(value.unwrap_or(Value::int(Width::I64, 0)))
            }
            // Nobody goes on after the end of the program.
            Ending::Exit(_) => Err(Stop::Wait),
        }
    }

    fn detach(&mut self, _: Site<'_>, thread: Value) -> Result<(), Stop> {
        let index = thread.low().checked_sub(1).and_then(|index| usize::try_from(index).ok());
        if let Some(index) = index.filter(|&index| index < self.shared.endings.len()) {
            let thread = ThreadId::new(index);
            // Where it waits for ever, it matters whether it is detached.
            self.told_apart(thread);
            self.layout.sharing.borrow_mut().notice(thread);
            self.change().detached |= bit(thread);
        }
        Ok(())
    }

    fn handle(&self, thread: ThreadId) -> Value {
        // Who knows its own number can be told apart.
        self.told_apart(thread);
        handle(thread)
    }

    fn yield_now(&mut self, _: Site<'_>) -> Result<(), Stop> {
        Ok(())
    }

    fn choose(&mut self, _: Site<'_>, width: Width, from: Alternatives) -> Result<Value, Stop> {
        let samples = self.layout.samples;
        let value = self.ask(|| match from {
            Alternatives::Set(values) => Some(values),
            Alternatives::Range(low, high) => {
                let count = u64::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?;
                (count <= MOST_CHOICES)
                    .then(|| (low..=high).map(|number| Value::signed(width, number)).collect())
            }
            Alternatives::Any => {
                let count = 1u64.checked_shl(width.bits())?;
                match count <= MOST_CHOICES {
                    true => Some((0..count).map(|bits| Value::int(width, bits.into())).collect()),
                    false if samples => {
                        Some(SAMPLES.map(|number| Value::signed(width, number)).to_vec())
                    }
                    false => None,
                }
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
        self.comes_to(Goal::Branch { function, block, arm });
    }

    fn asserts(&mut self, site: Site<'_>, index: u32) {
        self.comes_to(Goal::Assertion { function: site.function, block: site.block, index });
    }

    fn fault(&mut self, _: Site<'_>, fault: Fault) -> Stop {
        Stop::Wrong(match fault {
            Fault::AssumptionFailed { waits: true } => return Stop::Wait,
            Fault::AssumptionFailed { waits: false } => return Stop::Discard,
            Fault::ClaimFailed(claim, message) => claim.fails(&message),
            Fault::Trap(message) => FindingKind::Trap(message),
            Fault::UndefinedUse(what) => FindingKind::UndefinedUse(what.into()),
            Fault::Index(length) => FindingKind::IndexOutOfBounds { length },
            Fault::Division(error) => FindingKind::Division(error),
            Fault::Overflow(what) => FindingKind::Overflow(what.into()),
            Fault::BadCall(message) => FindingKind::BadCall(message),
            Fault::UnbalancedAtomicSection => FindingKind::UnbalancedAtomicSection,
            Fault::StackOverflow => return Stop::Unsupported("very deep recursion".into()),
            Fault::TooLongToPrint => return Stop::Unsupported("very long text".into()),
        })
    }
}
