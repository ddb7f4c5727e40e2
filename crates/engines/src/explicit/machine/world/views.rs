//! Accesses of shared memory on a machine with views.
//!
//! An allocation is a write of its whole block. A thread that accesses or frees a block has to come
//! after it in happens-before, whether or not any thread else accesses the block: otherwise the
//! allocation may come later, for this thread, and the program is refused. (What the model has there
//! is mostly a race, or a read of what is not there yet.)
//!
//! Soundness S-503 (verify; rc11; refuses): Accesses that do not come after the allocation of their
//! block, the ends of blocks and locals that other threads access, compare-and-swaps of several words,
//! and fences that are not those of C11 are left to the solver. Test:
//! crates/xtask/tests/views.rs::an_access_that_does_not_come_after_an_allocation_is_noticed.
//!
//! Where all atomic accesses are SC and there is no race, there are only sequentially consistent
//! executions (O. Lahav, V. Vafeiadis, J. Kang, C.-K. Hur, D. Dreyer, "Repairing sequential
//! consistency in C/C++11", PLDI 2017, theorem 4), so the latest write is read and none comes before
//! another one. That is assumed until an access breaks it.
//!
//! Soundness S-504 (verify; rc11; cries wolf): Beside others, SC accesses are acquiring and releasing
//! ones, which allows more than the model does; what is found is shown only if its replay confirms it,
//! and the solver is asked otherwise. Test:
//! crates/xtask/tests/views.rs::known_shapes_have_the_outcomes_of_the_model.

use super::{Did, Stop, World};
use crate::explicit::machine::access::Place;
use crate::explicit::machine::layout::MadeId;
use crate::explicit::machine::state::{Local, Threads, bit};
use crate::explicit::machine::weak::At;
use crate::explicit::machine::weak::cells::reader;
use crate::explicit::machine::weak::future::Futures;
use crate::explicit::machine::weak::normal::Alive;
use crate::explicit::machine::weak::rules::Rules;
use execution::event::ThreadId;
use execution::finding::Verb;
use execution::ids::Id;
use ir::op::RmwOp;
use ir::order::{Fence, Order};
use ir::program::Width;
use ir::step::memory::{ResolvedAccess, Site};
use ir::step::thread::Thread;
use ir::value::Value;

/// More messages than this are too many to be distinguished.
const LONGEST_LIST: usize = 4_000;

/// What a compare-and-swap compares and writes.
pub(crate) struct Swap {
    pub expected: Value,
    pub desired: Value,
    /// The order if it fails.
    pub failure: Order,
    pub weak: bool,
}

impl World<'_> {
    /// Whether what a place holds is seen by way of views.
    pub(crate) fn is_viewed(&self, place: Place) -> bool {
        self.layout.machine.has_views() && place.shared && !self.shared.is_alone()
    }

    /// The cell of an access, if the machine knows what it does there.
    fn cell(
        &mut self,
        site: Site<'_>,
        place: Place,
        access: &ResolvedAccess<'_>,
        verb: Verb,
    ) -> Result<At, Stop> {
        if access.order == Order::AcquirePc || !access.tags.is_empty() {
            return Err(Stop::Unsupported("an annotated access, with views".into()));
        }
        if self.section.is_some_and(|section| section.accesses > 0) {
            let what = "an atomic section of several accesses, with views";
            return Err(Stop::Unsupported(what.into()));
        }
        let watched = self.is_watched();
        let mut sharing = self.layout.sharing.borrow_mut();
        let Some(cell) = sharing.cells.at(place.region, place.offset, place.bytes) else {
            let what = "accesses of different sizes to the same memory, with views";
            return Err(Stop::Unsupported(what.into()));
        };
        let point = (site.function, site.block, site.place);
        let new = sharing.accesses.note(point, cell, verb != Verb::Read);
        sharing.learnt |= new && !self.layout.training.get();
        let is_sc = access.order == Order::SeqCst;
        if access.order.is_atomic() || !self.layout.rules.data {
            sharing.list(cell);
        }
        let is_data = !sharing.is_listed(cell);
        if !is_data && !access.order.is_atomic() && watched {
            self.layout.races.set(true);
        }
        if !is_data && !is_sc && watched || !self.layout.rules.sequential {
            sharing.see_apart();
        }
        let apart = sharing.may_see_apart();
        drop(sharing);
        if apart && is_sc {
            self.layout.generous.set(true);
        }
        if apart && !is_data {
            self.did = Some(match verb {
                Verb::Write => Did::Store,
                _ => Did::Read(cell),
            });
        }
        let held = self.read(place, access);
        Ok(At { thread: self.running, cell, held })
    }

    /// The rules for an access, which are stricter where all is sequentially consistent.
    fn rules(&self) -> Rules {
        let rules = self.layout.rules;
        let apart = self.layout.sharing.borrow().may_see_apart();
        Rules { stale: rules.stale && apart, between: rules.between && apart, ..rules }
    }

    /// Whether an access is to memory without atomic accesses and races, as far as is known.
    pub(crate) fn is_data(&self, place: Place, access: &ResolvedAccess<'_>) -> bool {
        if !self.is_viewed(place) || access.order.is_atomic() || !self.layout.rules.data {
            return false;
        }
        let mut sharing = self.layout.sharing.borrow_mut();
        let cell = sharing.cells.at(place.region, place.offset, place.bytes);
        cell.is_some_and(|cell| !sharing.is_listed(cell))
    }

    /// A read or write of such memory. A race is learnt, and the search begins again.
    fn access_data(&mut self, at: At, write: bool) -> Result<(), Stop> {
        if let Some(section) = &mut self.section {
            section.accesses += 1;
        }
        let mark = reader(at.cell, at.thread);
        let weak = &mut self.change().weak;
        let is_ordered = match write {
            true => weak.write_data(at.thread, at.cell),
            false => weak.read_data(at.thread, at.cell, mark),
        };
        if !is_ordered {
            self.layout.sharing.borrow_mut().list(at.cell);
        }
        Ok(())
    }

    /// One of several, where the turn that was taken is given back while that is open.
    fn pick(&mut self, count: usize, turns: u32) -> Result<usize, Stop> {
        let all = || Some((0..count).map(|n| Value::int(Width::I64, n as u128)).collect());
        let picked = match count {
            0 => return Err(Stop::Wait),
            1 => 0,
            _ => match self.ask(all) {
                Ok(answer) => answer.low() as usize,
                Err(stop) => {
                    if self.section.is_none() {
                        self.turns = turns;
                    }
                    return Err(stop);
                }
            },
        };
        if let Some(section) = &mut self.section {
            section.accesses += 1;
        }
        Ok(picked)
    }

    /// A load; `turns` are those that were left before it.
    pub(crate) fn view_load(
        &mut self,
        (site, place): (Site<'_>, Place),
        access: &ResolvedAccess<'_>,
        turns: u32,
    ) -> Result<Value, Stop> {
        let is_data = self.is_data(place, access);
        let at = self.cell(site, place, access, Verb::Read)?;
        if is_data {
            self.access_data(at, false)?;
            self.note_read(site, place, at.held);
            return Ok(at.held);
        }
        let rules = self.rules();
        let all = self.shared.weak.readable(at, rules);
        let (position, value, _) = all[self.pick(all.len(), turns)?];
        self.view_read((place, at), (position, value), access.order);
        Ok(value)
    }

    /// Reads what is at a position.
    fn view_read(
        &mut self,
        (place, at): (Place, At),
        (position, value): (u16, Value),
        order: Order,
    ) {
        let rules = self.rules();
        let messages = self.shared.weak.list(at.cell).map_or(1, <[_]>::len);
        self.stale |= usize::from(position) + 1 < messages;
        self.change().weak.read(at, position, order, rules);
        let bits = self.bits(value);
        if let Some(record) = &mut self.record {
            record.read_at(at.thread, place, bits, (at.cell, position.into()));
        }
    }

    /// A store.
    pub(crate) fn view_store(
        &mut self,
        (site, place): (Site<'_>, Place),
        access: &ResolvedAccess<'_>,
        value: Value,
        turns: u32,
    ) -> Result<(), Stop> {
        let is_data = self.is_data(place, access);
        let at = self.cell(site, place, access, Verb::Write)?;
        if is_data {
            self.access_data(at, true)?;
            self.write(place.object, place.offset, value);
            self.note_write(site, place);
            return Ok(());
        }
        let all = self.shared.weak.writable(at, self.rules());
        let after = all[self.pick(all.len(), turns)?];
        self.view_write(place, at, value, (after, false), access.order)
    }

    fn view_write(
        &mut self,
        place: Place,
        at: At,
        value: Value,
        (after, update): (u16, bool),
        order: Order,
    ) -> Result<(), Stop> {
        let rules = self.layout.rules;
        let last = self.change().weak.write(at, value, (after, update), order, rules);
        if self.shared.weak.longest() > LONGEST_LIST {
            return Err(Stop::Unsupported("very many writes of a cell".into()));
        }
        match last {
            true => self.write(place.object, place.offset, value),
            false => self.stored(place.object, value),
        }
        if let Some(record) = &mut self.record {
            record.write_at(at.thread, place, (at.cell, usize::from(after) + 1));
        }
        Ok(())
    }

    /// A read-modify-write; gives what it reads.
    pub(crate) fn view_rmw(
        &mut self,
        (site, place): (Site<'_>, Place),
        access: &ResolvedAccess<'_>,
        (op, operand): (RmwOp, Value),
        turns: u32,
    ) -> Result<Value, Stop> {
        let at = self.cell(site, place, access, Verb::Update)?;
        let rules = self.rules();
        let mut all = self.shared.weak.readable(at, rules);
        all.retain(|it| it.2);
        let (position, value, _) = all[self.pick(all.len(), turns)?];
        self.view_read((place, at), (position, value), access.order);
        self.view_write(place, at, value.rmw(op, operand), (position, true), access.order)?;
        Ok(value)
    }

    /// A compare-and-swap; gives what it reads, and whether it succeeds.
    pub(crate) fn view_cas(
        &mut self,
        (site, place): (Site<'_>, Place),
        access: &ResolvedAccess<'_>,
        swap: Swap,
        turns: u32,
    ) -> Result<(Value, bool), Stop> {
        let at = self.cell(site, place, access, Verb::Update)?;
        if swap.failure != Order::SeqCst {
            self.layout.sharing.borrow_mut().see_apart();
        }
        let rules = self.rules();
        // What is read, and whether it writes.
        let mut ways = Vec::new();
        for (position, value, open) in self.shared.weak.readable(at, rules) {
            match Self::matches(value, swap.expected) {
                Ok(true) => {
                    ways.extend(open.then_some((position, value, Ok((true, swap.weak)))));
                    ways.extend(swap.weak.then_some((position, value, Ok((false, true)))));
                }
                Ok(false) => ways.push((position, value, Ok((false, false)))),
                Err(stop) => ways.push((position, value, Err(stop))),
            }
        }
        let (position, value, way) = ways[self.pick(ways.len(), turns)?].clone();
        let (done, may_fail) = way?;
        if may_fail && let Some(record) = self.record.as_mut() {
            record.spurious(at.thread, !done);
        }
        let order = if done { access.order } else { swap.failure };
        self.view_read((place, at), (position, value), order);
        if done {
            self.view_write(place, at, swap.desired, (position, true), access.order)?;
        }
        Ok((value, done))
    }

    /// A fence.
    pub(crate) fn view_fence(&mut self, fence: &Fence) -> Result<(), Stop> {
        let order = match fence {
            Fence::C11(order) => *order,
            Fence::Compiler => return Ok(()),
            Fence::Directed(_) | Fence::Named(_) => {
                return Err(Stop::Unsupported(format!("the fence {fence:?}, with views").into()));
            }
        };
        if self.shared.is_alone() {
            return Ok(());
        }
        if order == Order::SeqCst {
            self.take_turn()?;
        }
        self.fence_now(order);
        Ok(())
    }

    fn fence_now(&mut self, order: Order) {
        let (running, rules) = (self.running, self.layout.rules);
        let exact = self.change().weak.fence(running, order, rules);
        if !exact && self.layout.sharing.borrow().may_see_apart() {
            self.layout.generous.set(true);
        }
    }

    /// Starting and awaiting threads are SC fences, too, which matters where there are others.
    /// Gives whether it is one; takes the turn that it needs.
    pub(crate) fn view_link(&mut self) -> Result<bool, Stop> {
        if !self.layout.machine.has_views() || self.shared.is_alone() {
            return Ok(false);
        }
        if self.running != ThreadId::MAIN {
            self.layout.sharing.borrow_mut().nest();
        }
        let matters = self.links_matter();
        if matters {
            self.take_turn()?;
        }
        Ok(matters)
    }

    /// Whether it matters when threads are started and awaited.
    pub(crate) fn links_matter(&self) -> bool {
        let nested = self.layout.sharing.borrow().is_nested();
        self.layout.machine.has_views() && (self.layout.sc_fences || nested)
    }

    /// A block is allocated.
    pub(crate) fn view_alloc(&mut self, block: Value) -> Result<(), Stop> {
        let Some(region) = block.provenance.filter(|_| self.layout.machine.has_views()) else {
            return Ok(());
        };
        let cell = self.layout.sharing.borrow_mut().cells.block(region);
        let Some(cell) = cell else {
            return Err(Stop::Unsupported("very many cells of memory".into()));
        };
        let running = self.running;
        self.change().weak.allocate(running, cell);
        Ok(())
    }

    /// An object is accessed or freed. Its allocation is a write, which has to come before, also where
    /// the thread that allocates it never accesses it again.
    pub(crate) fn view_object(&self, id: MadeId) -> Result<(), Stop> {
        let own = id.thread == self.running || !self.layout.rules.allocations;
        if own || !self.layout.machine.has_views() || self.shared.is_alone() {
            return Ok(());
        }
        let region = self.layout.made(id, 0).provenance;
        let cells = &self.layout.sharing.borrow().cells;
        let block = region.and_then(|region| cells.known_block(region));
        match block.is_none_or(|block| self.shared.weak.knows(self.running, block)) {
            true => Ok(()),
            false => {
                let what = "an access that does not come after the allocation of its memory";
                Err(Stop::Unsupported(what.into()))
            }
        }
    }

    /// Something that other threads may access ends.
    pub(crate) fn view_end(&self) -> Result<(), Stop> {
        match self.layout.machine.has_views() {
            true => Err(Stop::Unsupported("the end of an object that threads share".into())),
            false => Ok(()),
        }
    }

    /// Brings memory into its normal form, when a step is over after which the thread is here, and
    /// others have started.
    pub(crate) fn normalise(&mut self, thread: Option<&Thread<()>>, spawned: &[Local]) {
        if !self.layout.machine.has_views() || self.shared.is_alone() {
            return;
        }
        let endings = &self.shared.endings;
        let of = |keep: fn(bool, bool) -> bool| -> Threads {
            let kept = endings.enumerate().filter(|(_, it)| keep(it.0.is_some(), it.1));
            kept.fold(0, |bits, (thread, _)| bits | bit(thread))
        };
        let alive = Alive {
            running: of(|ended, _| !ended),
            ended: of(|ended, awaited| ended && !awaited) & !self.shared.detached,
            acquire_fences: self.layout.acquire_fences,
            passed_on: self.layout.sc_fences || self.layout.sharing.borrow().is_nested(),
            sequential: !self.layout.sharing.borrow().may_see_apart(),
        };
        let (layout, running) = (self.layout, self.running);
        let awaits = self.awaits;
        let awaits =
            (awaits.count_ones() == 1).then(|| ThreadId::new(awaits.trailing_zeros() as usize));
        let is_known = layout.rules.reduce && !layout.training.get();
        let future = |thread: &Thread<()>| match is_known {
            true => layout.futures.of(layout.program(), thread),
            false => Futures::ANYTHING,
        };
        let weak = &mut self.change().weak;
        if let Some(thread) = thread {
            weak.goes_on(running, future(thread), awaits);
        }
        for local in spawned {
            if let Some(thread) = &local.thread {
                weak.goes_on(local.index, future(thread), None);
            }
        }
        let mut record = self.record.take();
        self.change().weak.normalise(alive, &layout.futures, |cell, index| {
            if let Some(record) = &mut record {
                record.drop_at(cell, index);
            }
        });
        self.record = record;
    }

    /// A thread is started.
    pub(crate) fn view_start(&mut self, other: ThreadId, fence: bool) {
        if fence {
            self.fence_now(Order::SeqCst);
        }
        let running = self.running;
        self.change().weak.start(running, other);
    }

    /// A thread is awaited.
    pub(crate) fn view_await(&mut self, other: ThreadId, fence: bool) {
        if !self.layout.machine.has_views() {
            return;
        }
        let running = self.running;
        self.change().weak.await_thread(running, other);
        if fence {
            self.fence_now(Order::SeqCst);
        }
    }
}
