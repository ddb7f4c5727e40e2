//! What a thread of a C program asks of the world outside, answered.

use super::answers::{Answers, Stop, Wanted, Wrong};
use super::shared::{Answer, PASSED, Shared, Target, compare};
use super::state::{Joined, Local, Seen, Spawned};
use crate::events::record::{Part, ends_block};
use crate::events::trace::{Filling, Flow, Pairing};
use crate::memory::objects::Life;
use crate::memory::world::freed;
use execution::event::ThreadId;
use execution::finding::{FindingKind, Verb};
use execution::ids::Id;
use ir::layout::LayoutId;
use ir::op::RmwOp;
use ir::order::{Fence, Order};
use ir::program::{FuncId, GlobalId, SlotId, Storage, Width};
use ir::step::frame::trace;
use ir::step::memory::{
    Alternatives, Fault, Loaded, Memory, ResolvedAccess, ResolvedMcasWord, Site, Stream,
};
use ir::step::sc::LARGEST_HEAP;
use ir::step::shown::Costly;
use ir::step::taint::{Dependencies, Taint};
use ir::value::{RegionId, Value};

impl<A: Answers> Memory<Flow> for Shared<'_, '_, A> {
    type Stop = Stop;

    fn goes(&mut self, site: Site<'_>, arm: usize) {
        self.answers.goes(site, arm);
    }

    fn asserts(&mut self, site: Site<'_>, index: u32) {
        self.answers.asserts(site, index);
    }

    fn watches_arithmetic(&self) -> bool {
        true
    }

    fn computes(&mut self, site: Site<'_>, what: Costly<'_>, operands: &[Value]) {
        self.answers.computes(site, what, operands);
    }

    fn checks_overflow(&self) -> bool {
        self.answers.checks_overflow()
    }

    fn taint(&self, event: u32) -> Flow {
        match event.checked_sub(PASSED) {
            Some(number) => self.state.passed[number as usize].clone(),
            None => Flow::read(event),
        }
    }

    fn load(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        exclusive: bool,
        dependencies: Dependencies<Flow>,
    ) -> Answer<Loaded> {
        let cell = match self.target(site, &access, Verb::Read)? {
            Target::Local(region, offset) => {
                return Ok(self.read_local(region, offset, access.width, &dependencies.address));
            }
            Target::Cell(cell) => cell,
        };
        let loaded = match self.read_cell(site, (cell, &access), Verb::Read, &dependencies) {
            // The thread goes on with an undefined value: what follows may have happened before.
            Err(Stop::Wrong(wrong)) if wrong.kind.is_use_after_end() => {
                let event = self.scribe.recorder.events.len() - 1;
                self.state.freed_read.get_or_insert((event, wrong));
                Loaded { value: Value::undef(access.width), event: event as u32 }
            }
            loaded => loaded?,
        };
        if exclusive {
            self.scribe.recorder.events[loaded.event as usize].exclusive = true;
            self.scribe.recorder.reserved = vec![loaded.event];
        }
        Ok(loaded)
    }

    fn store(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        value: Value,
        dependencies: Dependencies<Flow>,
    ) -> Answer<()> {
        match self.target(site, &access, Verb::Write)? {
            Target::Local(region, offset) => {
                self.write_local(site, &access, (region, offset), value, &dependencies)
            }
            Target::Cell(cell) => {
                self.write_cell(site, (cell, &access), value, &dependencies, None).map(|_| ())
            }
        }
    }

    /// Succeeds or fails, whatever the values are; a store without a load-exclusive of the same
    /// cell before it fails.
    fn store_exclusive(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        value: Value,
        dependencies: Dependencies<Flow>,
    ) -> Answer<(bool, Option<u32>)> {
        let cell = match self.target(site, &access, Verb::Write)? {
            Target::Local(region, offset) => {
                self.write_local(site, &access, (region, offset), value, &dependencies)?;
                return Ok((true, None));
            }
            Target::Cell(cell) => cell,
        };
        let events = &self.scribe.recorder.events;
        let reserved = std::mem::take(&mut self.scribe.recorder.reserved);
        let matching = |&load: &u32| events[load as usize].cell == Some(cell);
        let mut load = reserved.into_iter().find(matching);
        if load.is_some() {
            let stores = self.answers.stores(&mut self.state)?;
            self.state.log.exclusives.push(stores);
            if let Some((_, chose)) = &mut self.state.section {
                // It need not fail the next time.
                *chose |= !stores;
            }
            load = load.filter(|_| stores);
        }
        let Some(load) = load else {
            self.no_access();
            return Ok((false, None));
        };
        let pairing = Some((load, Pairing::Exclusive));
        let event = self.write_cell(site, (cell, &access), value, &dependencies, pairing)?;
        let carries = self.scribe.options.language == crate::language::Language::RiscV;
        Ok((true, Some(event).filter(|_| carries)))
    }

    fn rmw(
        &mut self,
        site: Site<'_>,
        access: ResolvedAccess<'_>,
        op: RmwOp,
        operand: Value,
        _returns: bool,
        dependencies: Dependencies<Flow>,
    ) -> Answer<Loaded> {
        let cell = match self.target(site, &access, Verb::Update)? {
            Target::Local(region, offset) => {
                let old = self.read_local(region, offset, access.width, &dependencies.address);
                let mut flow = dependencies.clone();
                flow.data.join(&self.taint(old.event));
                let new = old.value.rmw(op, operand);
                self.write_local(site, &access, (region, offset), new, &flow)?;
                return Ok(old);
            }
            Target::Cell(cell) => cell,
        };
        self.scribe.surround(site, &access, &dependencies.control);
        let place = (cell, &access);
        let old = self.read_cell(site, place, Verb::Update, &dependencies)?;
        let computed = op != RmwOp::Exchange;
        let pairing = Some((old.event, Pairing::Single { computed, compared: false }));
        self.write_cell(site, place, old.value.rmw(op, operand), &dependencies, pairing)?;
        self.scribe.surround(site, &access, &dependencies.control);
        self.note(site, None);
        Ok(old)
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
    ) -> Answer<(Loaded, bool)> {
        let cell = match self.target(site, &access, Verb::Update)? {
            Target::Local(region, offset) => {
                let old = self.read_local(region, offset, access.width, &dependencies.address);
                let mut succeeds = compare(old.value, expected.0)?;
                if succeeds && weak {
                    let fails = self.answers.fails(&mut self.state)?;
                    self.state.log.spurious.push(fails);
                    succeeds = !fails;
                }
                if succeeds {
                    self.write_local(site, &access, (region, offset), desired, &dependencies)?;
                }
                return Ok((old, succeeds));
            }
            Target::Cell(cell) => cell,
        };
        let id = self.answers.read(self.scribe.world, &mut self.state, cell, access.width)?;
        let old = self.scribe.world.value_of(id);
        let equal = if old == freed() { Ok(false) } else { compare(old, expected.0) };
        let mut succeeds = matches!(equal, Ok(true));
        if succeeds && weak {
            let fails = self.answers.fails(&mut self.state)?;
            self.state.log.spurious.push(fails);
            succeeds = !fails;
        }
        if succeeds {
            self.scribe.surround(site, &access, &dependencies.control);
        }
        let order = if succeeds { access.order } else { failure };
        let marks =
            self.scribe.marks(&ResolvedAccess { order, ..access }, Part::Read, Some(succeeds));
        let event = self.scribe.read(site, cell, id, marks, &dependencies);
        self.note(site, Some(&access));
        if old == freed() {
            return self.used_after_end(cell, &access, Verb::Update);
        }
        equal?;
        if succeeds {
            let pairing = Some((event, Pairing::Single { computed: false, compared: true }));
            let mut picked = dependencies.clone();
            picked.data.pick.join(&expected.1.pick);
            self.write_cell(site, (cell, &access), desired, &picked, pairing)?;
            self.scribe.surround(site, &access, &dependencies.control);
            self.note(site, None);
        }
        let event = self.scribe.swapped(event, succeeds);
        Ok((Loaded { value: old, event }, succeeds))
    }

    /// A section that reads all words, in order, and then writes all of them if all matched.
    fn mcas(&mut self, site: Site<'_>, words: Vec<ResolvedMcasWord<'_, Flow>>) -> Answer<bool> {
        let alone = !self.scribe.recorder.in_section();
        let mut targets = Vec::new();
        let mut counted = false;
        for word in &words {
            self.begin(site);
            let located = self.scribe.world.objects().locate(&word.access, Verb::Update);
            let (region, offset) = match located {
                Ok(found) => found,
                Err(kind) => return self.wrong_access(kind, &word.access, Verb::Update),
            };
            if self.is_local(region) {
                targets.push(self.target(site, &word.access, Verb::Update)?);
                continue;
            }
            self.reach(site, region, &word.access, Verb::Update)?;
            if !std::mem::replace(&mut counted, true) {
                self.access()?;
            }
            let cell = self.scribe.world.object_cell(region, offset, word.access.width, site.place);
            targets.push(Target::Cell(cell));
        }
        if alone {
            self.scribe.recorder.begin_section();
        }
        let mut all = true;
        for (word, target) in words.iter().zip(&targets) {
            let old = match *target {
                Target::Local(region, offset) => {
                    self.local(region).read(offset, word.access.width).0
                }
                Target::Cell(cell) => {
                    self.scribe.recorder.instruction += 1;
                    let place = (cell, &word.access);
                    self.read_cell(site, place, Verb::Update, &word.dependencies)?.value
                }
            };
            all &= compare(old, word.expected)?;
        }
        for (word, target) in words.iter().zip(&targets).filter(|_| all) {
            match *target {
                Target::Local(region, offset) => {
                    let place = (region, offset);
                    let flow = &word.dependencies;
                    self.write_local(site, &word.access, place, word.desired, flow)?;
                }
                Target::Cell(cell) => {
                    self.scribe.recorder.instruction += 1;
                    let place = (cell, &word.access);
                    self.write_cell(site, place, word.desired, &word.dependencies, None)?;
                }
            }
        }
        if alone {
            self.scribe.recorder.end_section();
        }
        Ok(all)
    }

    fn fence(&mut self, site: Site<'_>, fence: &Fence, control: &Flow) -> Answer<()> {
        self.begin(site);
        if !self.state.prefix {
            self.scribe.recorder.instruction += 1;
            self.scribe.fence(site, fence, control);
            self.note(site, None);
        }
        Ok(())
    }

    fn branch(&mut self, site: Site<'_>, taint: &Flow) -> Answer<()> {
        self.begin(site);
        let outer = site.frames.len().saturating_sub(1);
        let calls = site.frames[..outer].iter().map(|f| (f.function, f.block, f.next)).collect();
        if !taint.pick.is_empty() && ends_block(site) {
            let key = (calls, site.function, site.block);
            let taken = self.state.taken.entry(key).or_default();
            *taken += 1;
            if *taken > self.scribe.options.loop_bound {
                return Err(Stop::Bounded);
            }
        }
        self.scribe.remember_branch(site, taint);
        self.state.control.join(taint);
        Ok(())
    }

    fn atomic_begin(&mut self, site: Site<'_>) -> Answer<()> {
        self.begin(site);
        if !self.state.prefix {
            self.scribe.recorder.begin_section();
            self.state.section = Some((self.scribe.recorder.events.len(), false));
        }
        Ok(())
    }

    fn atomic_end(&mut self, site: Site<'_>) -> Answer<()> {
        self.begin(site);
        self.scribe.recorder.end_section();
        self.state.section = None;
        Ok(())
    }

    fn global(&mut self, site: Site<'_>, global: GlobalId) -> Answer<Value> {
        let thread = site.thread.index() as u32;
        let made = self.scribe.world.objects_mut().global(site.program, thread, global);
        let address = self.object(made)?;
        let local = site.program.globals[global].storage == Storage::ThreadLocal;
        if let Some(region) = address.provenance.filter(|_| local)
            && !self.state.log.objects.contains(&region)
        {
            self.state.log.objects.push(region);
        }
        Ok(address)
    }

    fn function(&mut self, _site: Site<'_>, function: FuncId) -> Answer<Value> {
        Ok(self.scribe.world.objects().function(function))
    }

    fn function_at(&mut self, site: Site<'_>, address: Value) -> Answer<FuncId> {
        self.begin(site);
        match self.scribe.world.objects().function_at(address) {
            Ok(function) => Ok(function),
            Err(kind) => self.wrong(kind),
        }
    }

    fn slot(
        &mut self,
        site: Site<'_>,
        function: FuncId,
        slot: SlotId,
        _depth: u32,
    ) -> Answer<Value> {
        self.begin(site);
        let calls = self.state.calls.entry(function).or_default();
        if slot.index() == 0 {
            *calls += 1;
        }
        let call = *calls - 1;
        let thread = site.thread.index() as u32;
        let objects = self.scribe.world.objects_mut();
        let made = objects.slot(site.program, thread, (function, slot), call);
        let region = self.object(made)?;
        self.state.log.objects.push(region);
        // What the call does next must not take this back.
        self.state.asking = None;
        Ok(self.scribe.world.objects().address(region))
    }

    fn enter(&mut self, site: Site<'_>, slot: Value) -> Answer<()> {
        self.begin(site);
        let Some(region) = slot.provenance else { return Ok(()) };
        let first = self.state.entered.insert(region);
        if self.is_local(region) {
            let size = self.scribe.world.objects().get(region).size;
            self.local(region).reset(size);
        } else if !first {
            self.fill(site, region, Filling::Undefined, Flow::default());
        }
        Ok(())
    }

    fn returns(&mut self, site: Site<'_>) {
        self.scribe.returns(site);
    }

    fn leave(&mut self, site: Site<'_>, slots: &[Value], _: Option<Value>) -> Answer<()> {
        self.begin(site);
        let mut shared = Vec::new();
        for region in slots.iter().filter_map(|slot| slot.provenance) {
            match self.is_local(region) {
                true => self.local(region).end(Life::Over),
                false => shared.push(region),
            }
        }
        self.end(site, &shared)
    }

    fn leave_thread(
        &mut self,
        site: Site<'_>,
        slots: &[Value],
        result: Option<Value>,
    ) -> Answer<()> {
        if site.ends_program() {
            return Ok(());
        }
        self.leave(site, slots, result)?;
        for region in self.scribe.world.objects().private_locals(site.thread.index() as u32) {
            self.local(region).end(Life::Over);
        }
        let locals = self.scribe.world.objects().ending(site.thread.index() as u32);
        // Of an enumeration, other executions of the thread may have made more of them.
        let own = |region: &RegionId| !A::FORKS || self.state.log.objects.contains(region);
        let locals: Vec<RegionId> = locals.into_iter().filter(own).collect();
        self.end(site, &locals)
    }

    fn alloc(
        &mut self,
        site: Site<'_>,
        size: u64,
        align: u64,
        zeroed: bool,
        layout: Option<LayoutId>,
    ) -> Answer<Value> {
        self.begin(site);
        if size > LARGEST_HEAP {
            return Ok(Value::NULL);
        }
        let who = (site.thread.index() as u32, self.state.allocations);
        let wanted = Wanted { who, room: (size, align), zeroed, layout };
        let found = self.answers.allocate(self.scribe.world, &mut self.state, &wanted)?;
        self.state.allocations += 1;
        self.state.log.allocations.push(found.map(|(region, _)| region));
        let Some((region, reused)) = found else { return Ok(Value::NULL) };
        if !A::FORKS {
            let stack = trace(site.program, site.frames, site.place, usize::MAX);
            self.state.made.insert(region, stack);
        }
        if reused && self.is_local(region) {
            let mut fresh = Local::new(self.scribe.world.objects(), region);
            fresh.life = Life::Alive;
            if !zeroed {
                fresh.reset(size);
            }
            self.state.local.insert(region, fresh);
        } else if reused {
            let filling = if zeroed { Filling::Zero } else { Filling::Undefined };
            self.fill(site, region, filling, Flow::default());
        } else if !self.is_local(region) {
            self.made(site, region, zeroed);
        }
        Ok(self.scribe.world.objects().address(region))
    }

    fn free(&mut self, site: Site<'_>, address: Value, taint: Flow) -> Answer<()> {
        self.begin(site);
        let region = match self.scribe.world.objects().block(address) {
            Ok(region) => region,
            Err(kind) => return self.wrong(kind),
        };
        if self.is_local(region) {
            let local = self.local(region);
            if local.life != Life::Alive {
                return self.wrong(FindingKind::DoubleFree);
            }
            local.end(Life::Freed);
            return Ok(());
        }
        // Whether a thread has freed the block since, coherence shows.
        if self.scribe.world.objects().get(region).life == Life::Freed {
            return self.wrong(FindingKind::DoubleFree);
        }
        self.access()?;
        self.fill(site, region, Filling::Freed, taint);
        Ok(())
    }

    fn block_size(&mut self, site: Site<'_>, address: Value) -> Answer<u64> {
        self.begin(site);
        match self.scribe.world.objects().block(address) {
            Ok(region) => Ok(self.scribe.world.objects().get(region).size),
            Err(kind) => self.wrong(kind),
        }
    }

    fn spawn(&mut self, site: Site<'_>, function: FuncId, args: Vec<Value>) -> Answer<Value> {
        self.begin(site);
        for &arg in &args {
            self.publish(arg)?;
        }
        if self.state.prefix {
            return Err(Stop::FirstSpawn);
        }
        if self.scribe.recorder.in_section() {
            return Err(Stop::Unsupported("a thread that is started in an atomic section".into()));
        }
        let number = self.state.spawned.len() as u32;
        let thread = self.answers.spawn(site.thread, number)?;
        self.full_fence(site);
        let after = self.scribe.recorder.instruction;
        self.state.spawned.push(Spawned { after, thread, function, args });
        if !A::FORKS {
            self.state.handed.push((thread, self.state.hand_over()));
        }
        Ok(Memory::<Flow>::handle(self, thread))
    }

    fn join(&mut self, site: Site<'_>, handle: Value) -> Answer<Value> {
        self.begin(site);
        let index = handle.low().checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let Some(index) = index.filter(|index| *index < u32::MAX as usize) else {
            return self.wrong(FindingKind::BadJoin);
        };
        let thread = ThreadId::new(index);
        let again = self.state.joined.iter().any(|joined| joined.thread == thread);
        if again || thread == site.thread || self.state.prefix {
            return self.wrong(FindingKind::BadJoin);
        }
        let result = self.answers.join(&mut self.state, thread)?;
        if let Some(left) = self.answers.left_by(thread) {
            self.state.take_over(left);
        }
        let after = self.scribe.recorder.instruction;
        self.state.joined.push(Joined { after, thread, result });
        self.full_fence(site);
        Ok(result)
    }

    fn detach(&mut self, site: Site<'_>, handle: Value) -> Answer<()> {
        self.begin(site);
        let index = handle.low().checked_sub(1).and_then(|index| u32::try_from(index).ok());
        self.state.detached.extend(index.map(|index| ThreadId::new(index as usize)));
        Ok(())
    }

    fn yield_now(&mut self, _site: Site<'_>) -> Answer<()> {
        Ok(())
    }

    fn choose(&mut self, site: Site<'_>, width: Width, from: Alternatives) -> Answer<Value> {
        self.begin(site);
        if let Some((_, chose)) = &mut self.state.section {
            *chose = true;
        }
        let value = self.answers.choose(self.scribe.world, &mut self.state, width, &from)?;
        self.state.log.choices.push(value);
        Ok(value)
    }

    fn observe(&mut self, site: Site<'_>, label: &str, value: Value) -> Answer<()> {
        self.begin(site);
        let operation = self.scribe.recorder.operation().map(|number| number - 1);
        self.state.seen.push(Seen { operation, label: label.to_string(), value });
        Ok(())
    }

    fn commit(&mut self, _site: Site<'_>, _label: &str) -> Answer<()> {
        if let Some(number) = self.scribe.recorder.operation() {
            let events = self.scribe.recorder.events.len();
            self.state.commits.insert(number - 1, events);
        }
        Ok(())
    }

    fn operation_begin(&mut self, site: Site<'_>, name: &str, _args: &[Value]) -> Answer<()> {
        self.begin(site);
        self.scribe.recorder.begin_operation();
        self.state.operations.push(name.to_string());
        Ok(())
    }

    fn operation_end(&mut self, site: Site<'_>, _result: Option<Value>) -> Answer<()> {
        self.begin(site);
        self.scribe.recorder.end_operation();
        Ok(())
    }

    fn print(&mut self, _site: Site<'_>, _stream: Stream, _text: &[u8]) -> Answer<()> {
        Ok(())
    }

    fn fault(&mut self, _site: Site<'_>, fault: Fault) -> Stop {
        let kind = match fault {
            Fault::AssumptionFailed { waits: true } => return Stop::Waits,
            Fault::AssumptionFailed { waits: false } => return Stop::Discard,
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
        Stop::Wrong(Box::new(Wrong::new(kind)))
    }
}
