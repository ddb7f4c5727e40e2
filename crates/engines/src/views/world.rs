//! What a running thread meets: the objects of its view, its locks, its store buffer.
//!
//! One step is one access that other threads may notice, and all local work after it. Local are:
//! accesses to objects that have not escaped; reads of bytes that never change after they have
//! escaped; releases of locks, which are left-movers, and acquisitions, which are right-movers and
//! therefore belong to the step after them (R. J. Lipton, "Reduction", CACM 18(12), 1975). A lock in
//! an object that may be freed is memory like any other here: an access to it can go wrong.

use super::heap::{Body, INFERRED, Life, Lock, Object, Own, Pending, Shared, What};
use super::history::HIDDEN;
use super::machine::{Locks, MOST_NUMBERS, Machine, Word};
use super::parts::Seen;
use execution::finding::{FindingKind, Verb};
use execution::ids::Id;
use ir::locks::LockView;
use ir::op::BinaryOp;
use ir::program::{LocId, Storage, Width};
use ir::step::memory::{ResolvedAccess, Site};
use ir::step::sc::contents::Contents;
use ir::value::{RegionId, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Addresses below this are reported as null.
const NULL_PAGE: u64 = 4096;
/// This many stores may wait in a buffer.
const LONGEST_BUFFER: usize = 16;

/// The word of a lock while the tracked thread holds it, and while another one does.
const ME: u128 = 1;
const OTHER: u128 = 2;

/// Why a thread does not go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The step is over.
    Pause,
    /// It waits for other threads.
    Wait,
    /// An assumption does not hold.
    Discard,
    /// It goes on with each of these values.
    Ask(Vec<Value>),
    /// Something is wrong.
    Wrong(FindingKind),
    /// This has no meaning in views.
    Refused(String),
    /// It reads what was cut off.
    Cut,
    /// The data type is prepared; threads start.
    Prepared,
}

/// Whether other threads run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Company {
    /// Operations run one after the other; all locks are free.
    Alone,
    /// Any number of threads run.
    Others,
}

/// A change that other threads may notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    Write { region: RegionId, offset: u32, width: Width },
    End { region: RegionId },
}

/// What is done in an atomic section.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Section {
    /// Whether it has done what other threads may notice.
    turn: bool,
    reads: bool,
    writes: bool,
    /// Whether it acquires a lock, or waits for one.
    pub wants_lock: bool,
}

impl Section {
    /// One that has taken its turn.
    pub fn whole() -> Self {
        Self { turn: true, reads: true, writes: true, wants_lock: false }
    }
}

/// Where an access is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub region: RegionId,
    pub offset: u64,
    pub bytes: u64,
    pub what: What,
    pub escaped: bool,
}

impl Place {
    pub fn lock(&self) -> Lock {
        (self.region, self.offset as u32)
    }

    /// The same, for a word that is taken for a lock.
    fn inferred(&self) -> Lock {
        (self.region, self.offset as u32 | INFERRED)
    }
}

/// What a running thread meets.
#[derive(Clone)]
pub(super) struct World<'m> {
    pub machine: &'m Machine<'m>,
    pub company: Company,
    pub globals: Vec<Arc<Object>>,
    /// All heap objects: first those of the shared part, as it was when the step began.
    pub objects: Vec<Arc<Object>>,
    /// How many of them are of the shared part.
    pub shared: usize,
    pub mine: Vec<Lock>,
    pub buffer: Vec<Pending>,
    /// How often it has done what other threads may notice.
    pub turns: u32,
    pub section: Option<Section>,
    pub answer: Option<Value>,
    /// What it chooses, in order, if that is given.
    pub script: Option<Vec<Value>>,
    pub chosen: Vec<Value>,
    /// Whether the operation may still choose: it has not accessed what others know.
    pub may_choose: bool,
    pub observed: Vec<(String, Value)>,
    pub changes: Vec<Change>,
    /// The locks that it held when it did what others may notice.
    pub held: Vec<Lock>,
    pub seen: Vec<Seen>,
    /// The tokens that this thread has taken, or that no thread has any more.
    pub tokens: Vec<Lock>,
    /// Whether a number was computed from the address of an object.
    pub revealed: bool,
    /// The descriptors of operations that were made.
    pub made: Vec<RegionId>,
    /// Objects that were written, overwritten or published.
    pub touched: Vec<RegionId>,
    /// Whether a commit point was passed.
    pub committed: bool,
    /// Whether it has read a lock that another thread holds, and anything else that others change.
    pub reads_lock: bool,
    pub reads_other: bool,
    /// What it has read that other threads know and, as far as is known, never change.
    pub fixed: Vec<(What, u64, u64)>,
}

impl<'m> World<'m> {
    pub fn new(machine: &'m Machine<'m>, company: Company, shared: &Shared, own: &Own) -> Self {
        let objects = shared.objects.iter().chain(&own.objects).cloned().collect();
        Self {
            machine,
            company,
            globals: shared.globals.clone(),
            objects,
            shared: shared.objects.len(),
            mine: own.mine.clone(),
            buffer: own.buffer.clone(),
            turns: 0,
            section: None,
            answer: None,
            script: None,
            chosen: Vec::new(),
            may_choose: false,
            observed: Vec::new(),
            changes: Vec::new(),
            held: Vec::new(),
            seen: Vec::new(),
            tokens: Vec::new(),
            revealed: false,
            made: Vec::new(),
            touched: Vec::new(),
            committed: false,
            reads_lock: false,
            reads_other: false,
            fixed: Vec::new(),
        }
    }

    pub fn body(&self, region: RegionId) -> Option<&Body> {
        let regions = &self.machine.regions;
        match regions.heap(region) {
            Some(number) => self.objects.get(number).map(|object| object.body()),
            None => {
                let global = regions.global(region)?;
                Some(self.globals[global.index()].body())
            }
        }
    }

    /// Changes an object.
    pub fn change(&mut self, region: RegionId, change: impl FnOnce(&mut Body)) -> Result<(), Stop> {
        let regions = &self.machine.regions;
        let object = match regions.heap(region) {
            Some(number) => &mut self.objects[number],
            None => match regions.global(region) {
                Some(global) => &mut self.globals[global.index()],
                None => return Err(Stop::Wrong(FindingKind::FunctionAsData)),
            },
        };
        let mut body = object.body().clone();
        change(&mut body);
        *object = Object::new(regions, body).map_err(|_| odd_pointer())?;
        Ok(())
    }

    /// Where an access is, if it is right; takes the turn that it needs.
    pub fn locate(
        &mut self,
        site: Site<'_>,
        access: &ResolvedAccess<'_>,
        verb: Verb,
    ) -> Result<Place, Stop> {
        let place = self.find(access, verb)?;
        self.take_turn_for(site, access, place, verb)?;
        match self.body(place.region).map(|body| body.life) {
            Some(Life::Freed) => Err(Stop::Wrong(FindingKind::UseAfterFree)),
            Some(Life::Over) => Err(Stop::Wrong(FindingKind::UseAfterReturn)),
            Some(Life::Cut) => Err(Stop::Cut),
            _ => {
                if place.escaped {
                    let path = access.path.map(str::to_owned);
                    self.seen.push(Seen { verb, path, place: site.place });
                }
                Ok(place)
            }
        }
    }

    fn find(&self, access: &ResolvedAccess<'_>, verb: Verb) -> Result<Place, Stop> {
        let address = access.address.low();
        let Some(region) = access.address.provenance else {
            return Err(Stop::Wrong(match address < NULL_PAGE {
                true => FindingKind::Null,
                false => FindingKind::Wild { address },
            }));
        };
        let regions = &self.machine.regions;
        if regions.function(region).is_some() {
            return Err(Stop::Wrong(FindingKind::FunctionAsData));
        }
        let constant = regions.global(region).and_then(|global| {
            let global = &self.machine.program().globals[global];
            (global.storage == Storage::Constant).then_some(global.size)
        });
        let Some(body) = self.body(region) else { return Err(Stop::Cut) };
        if body.life == Life::Cut {
            return Err(Stop::Cut);
        }
        let size = constant.unwrap_or_else(|| self.machine.size(body));
        let offset = address.wrapping_sub(regions.base(region));
        let bytes = access.width.bytes();
        // What is wrong with an object that has ended is that it has ended.
        if body.life == Life::Alive && (bytes > size || offset > size - bytes) {
            return Err(Stop::Wrong(FindingKind::OutOfBounds));
        }
        if let Some(misaligned) = access.alignment(verb).wrong(address) {
            return Err(Stop::Wrong(misaligned));
        }
        if constant.is_some() && verb != Verb::Read {
            return Err(Stop::Wrong(FindingKind::WriteToConstant));
        }
        let escaped = body.escaped && constant.is_none();
        Ok(Place { region, offset, bytes, what: body.what, escaped })
    }

    /// Takes the turn that an access needs.
    fn take_turn_for(
        &mut self,
        site: Site<'_>,
        access: &ResolvedAccess<'_>,
        place: Place,
        verb: Verb,
    ) -> Result<(), Stop> {
        if !place.escaped {
            return Ok(());
        }
        let facts = self.machine.facts.borrow();
        let movable = access.purpose.is_mutex_word() && !facts.may_end(place.what);
        let fixed = verb == Verb::Read && !facts.may_change(place.what, place.offset, place.bytes);
        drop(facts);
        if fixed {
            let read = (place.what, place.offset, place.bytes);
            if self.company == Company::Others && !self.fixed.contains(&read) {
                self.fixed.push(read);
            }
            return Ok(());
        }
        if movable && (self.recognises_own_only(site) || self.section.is_some()) {
            return match verb {
                Verb::Update if self.turns > 0 => Err(Stop::Pause),
                // What comes after a release is another step: other threads may be faster.
                Verb::Write => {
                    self.close_step();
                    Ok(())
                }
                _ => Ok(()),
            };
        }
        // When a store enters its buffer, no other thread notices.
        if verb == Verb::Write && self.machine.buffers && self.section.is_none() {
            self.may_choose = false;
            return Ok(());
        }
        self.take_turn()
    }

    /// Whether the running function does the same for a lock that is free and for one that
    /// another thread holds.
    fn recognises_own_only(&self, site: Site<'_>) -> bool {
        let function = &self.machine.program().functions[site.function];
        function.lock_view == LockView::OwnHolderOnly
    }

    /// Does something that other threads may notice.
    pub fn take_turn(&mut self) -> Result<(), Stop> {
        self.may_choose = false;
        if let Some(section) = &mut self.section {
            if section.turn {
                return Ok(());
            }
            section.turn = true;
        }
        if self.company == Company::Alone {
            return Ok(());
        }
        if self.turns > 0 {
            return Err(Stop::Pause);
        }
        self.turns += 1;
        self.held = self.mine.clone();
        Ok(())
    }

    /// Nothing that others may notice belongs to this step any more.
    fn close_step(&mut self) {
        if self.turns == 0 && self.company == Company::Others {
            self.turns = 1;
            self.held = self.mine.clone();
        }
    }

    /// The start of an atomic section.
    pub fn begin_section(&mut self) -> Result<(), Stop> {
        if self.turns > 0 {
            return Err(Stop::Pause);
        }
        self.section = Some(Section::default());
        Ok(())
    }

    pub fn end_section(&mut self) -> Result<(), Stop> {
        let section = self.section.take().unwrap_or_default();
        if self.machine.buffers && section.writes && !section.reads {
            let what = "an atomic section that only writes, with store buffers";
            return Err(Stop::Refused(what.into()));
        }
        Ok(())
    }

    /// What is in memory, for the running thread.
    pub fn read(
        &mut self,
        site: Site<'_>,
        access: &ResolvedAccess<'_>,
        place: Place,
    ) -> Result<Value, Stop> {
        if let Some(section) = &mut self.section {
            section.reads = true;
        }
        if let Some(value) = self.pending(place)? {
            return Ok(value);
        }
        let global = self.machine.regions.global(place.region);
        let constant = global.and_then(|global| self.machine.constant(global));
        let contents = match constant {
            Some(contents) => contents,
            None => match self.body(place.region) {
                Some(body) => &body.contents,
                None => return Err(Stop::Cut),
            },
        };
        let value = contents.read(place.offset as usize, access.width);
        if place.escaped && constant.is_none() {
            let held = access.purpose.is_mutex_word() || self.is_lock(place) && !value.is_zero();
            self.reads_lock |= held;
            self.reads_other |=
                !held && !self.fixed.contains(&(place.what, place.offset, place.bytes));
        }
        if access.purpose.is_mutex_word() && value.is_defined() {
            return self.owner(site, place, value);
        }
        if access.purpose.is_lock_word() && !access.purpose.is_mutex_word() {
            let what = "a lock that several threads can hold (a readers-writer lock)";
            return Err(Stop::Refused(what.into()));
        }
        Ok(value)
    }

    /// The word of a lock, for the running thread.
    fn owner(&mut self, site: Site<'_>, place: Place, raw: Value) -> Result<Value, Stop> {
        let number = |bits| Value::int(raw.width, bits);
        if self.mine.contains(&place.lock()) {
            return Ok(number(ME));
        }
        if self.company == Company::Alone || !place.escaped {
            return Ok(number(0));
        }
        let exact = self.machine.rung.locks > Locks::Coarse;
        if exact && !raw.is_zero() {
            return Ok(raw);
        }
        if self.recognises_own_only(site) || self.section.is_some() {
            return Ok(number(0));
        }
        // Another thread may hold it between two accesses that are one step here.
        self.ask(|| vec![number(0), number(OTHER)])
    }

    /// The value of the newest own store to a place that waits in the buffer.
    fn pending(&self, place: Place) -> Result<Option<Value>, Stop> {
        let (from, to) = (place.offset, place.offset + place.bytes);
        for pending in self.buffer.iter().rev() {
            let (start, bytes) = (u64::from(pending.offset), pending.value.width.bytes());
            if pending.region == place.region && start < to && from < start + bytes {
                return match start == from && bytes == place.bytes {
                    true => Ok(Some(pending.value)),
                    false => Err(Stop::Refused(
                        "a read of a part of what waits in the store buffer".into(),
                    )),
                };
            }
        }
        Ok(None)
    }

    /// Stores, by way of the buffer where there is one.
    pub fn put(
        &mut self,
        site: Site<'_>,
        access: &ResolvedAccess<'_>,
        place: Place,
        value: Value,
    ) -> Result<(), Stop> {
        let releases = self.holds(place) && value.is_zero();
        let buffered = self.machine.buffers
            && self.company == Company::Others
            && (place.escaped || self.is_about_to_escape());
        if !buffered || self.section.is_some() {
            if self.section.is_some() && self.machine.buffers {
                self.drain()?;
            }
            // What an atomic section reads and writes, it updates.
            return self.write(access, place, value, site.place, self.section.is_some());
        }
        if self.buffer.len() >= LONGEST_BUFFER {
            let what = format!("more than {LONGEST_BUFFER} stores in a store buffer");
            return Err(Stop::Refused(what));
        }
        // It may become visible before the next access, which is another step.
        self.close_step();
        let (region, offset) = (place.region, place.offset as u32);
        self.buffer.push(Pending { region, offset, value, releases, place: site.place });
        Ok(())
    }

    /// Whether a pointer to an object that has not escaped waits in the buffer.
    fn is_about_to_escape(&self) -> bool {
        let pointed = self.buffer.iter().flat_map(|it| [it.value.provenance, it.value.high]);
        let mut bodies = pointed.flatten().filter_map(|region| self.body(region));
        bodies.any(|body| !body.escaped)
    }

    /// Waits until all own stores are visible.
    pub fn drain(&self) -> Result<(), Stop> {
        match self.buffer.is_empty() {
            true => Ok(()),
            false => Err(Stop::Wait),
        }
    }

    /// The first store of the buffer becomes visible.
    pub fn flush(&mut self) -> Result<(), Stop> {
        let pending = self.buffer.remove(0);
        let Some(body) = self.body(pending.region) else { return Err(Stop::Cut) };
        match body.life {
            // The variable of a call that has returned, which only its thread knew.
            Life::Over | Life::Freed if !body.escaped => return Ok(()),
            Life::Alive => {}
            Life::Freed => return Err(Stop::Wrong(FindingKind::UseAfterFree)),
            Life::Over => return Err(Stop::Wrong(FindingKind::UseAfterReturn)),
            Life::Cut => return Err(Stop::Cut),
        }
        let place = Place {
            region: pending.region,
            offset: pending.offset.into(),
            bytes: pending.value.width.bytes(),
            what: body.what,
            escaped: body.escaped,
        };
        self.turns += 1;
        self.held = self.mine.clone();
        if pending.releases {
            return self.release(place, pending.value);
        }
        self.store_word(place, pending.value, pending.place, false)
    }

    /// Changes memory.
    pub fn write(
        &mut self,
        access: &ResolvedAccess<'_>,
        place: Place,
        value: Value,
        at: Option<LocId>,
        updates: bool,
    ) -> Result<(), Stop> {
        if let Some(section) = &mut self.section {
            section.writes = true;
        }
        if access.purpose.is_mutex_word() {
            return self.write_owner(access, place, value, at);
        }
        if self.holds(place) && value.is_zero() {
            return self.release(place, value);
        }
        self.store_word(place, value, at, updates)
    }

    /// Changes the word of a lock of the library.
    fn write_owner(
        &mut self,
        access: &ResolvedAccess<'_>,
        place: Place,
        value: Value,
        at: Option<LocId>,
    ) -> Result<(), Stop> {
        let held = self.mine.contains(&place.lock());
        if value.is_zero() {
            return match held {
                true => self.release(place, value),
                false if !place.escaped || self.company == Company::Alone => {
                    self.store(place, value)
                }
                false => {
                    Err(Stop::Refused("a lock that is initialised while others know it".into()))
                }
            };
        }
        if held {
            return Err(Stop::Wait);
        }
        self.note_order(place, at);
        self.mine.push(place.lock());
        let exact = self.machine.rung.locks > Locks::Coarse;
        match exact && self.company == Company::Others {
            true => self.store(place, Value::int(access.width, OTHER)),
            false => Ok(()),
        }
    }

    fn holds(&self, place: Place) -> bool {
        self.mine.iter().any(|&lock| lock == place.lock() || lock == place.inferred())
    }

    /// A lock is released.
    fn release(&mut self, place: Place, value: Value) -> Result<(), Stop> {
        self.mine.retain(|&lock| lock != place.lock() && lock != place.inferred());
        self.store(place, value)
    }

    /// Changes a word that is no lock of the library.
    fn store_word(
        &mut self,
        place: Place,
        value: Value,
        at: Option<LocId>,
        updates: bool,
    ) -> Result<(), Stop> {
        if place.escaped {
            let old = self
                .body(place.region)
                .map(|body| body.contents.read(place.offset as usize, value.width));
            self.note_word(place, old, value, updates)?;
            let was_free = old.is_none_or(|old| old.is_zero());
            let is_lock = self.is_lock(place);
            if is_lock && value.is_zero() && !was_free && self.company == Company::Others {
                // Then it is no lock: the search begins again without taking it for one.
                self.machine.facts.borrow_mut().is_no_lock(place.what, place.offset as u32);
                return Err(Stop::Refused("a lock that another thread releases".into()));
            }
            if is_lock && updates && was_free && !value.is_zero() {
                self.note_order(place, at);
                self.mine.push(place.inferred());
            }
        }
        self.store(place, value)
    }

    fn note_word(
        &self,
        place: Place,
        old: Option<Value>,
        value: Value,
        updates: bool,
    ) -> Result<(), Stop> {
        let mut facts = self.machine.facts.borrow_mut();
        facts.write(place.what, place.offset, place.bytes);
        let fresh = Word {
            width: value.width,
            unlike_a_lock: false,
            taken: false,
            numbers: BTreeSet::new(),
        };
        let word = facts.words.entry((place.what, place.offset as u32)).or_insert(fresh);
        let taken = updates && old.is_some_and(|old| old.is_zero());
        let is_number = value.provenance.is_none();
        word.taken |= taken && is_number;
        let unlike = !(value.is_zero() || taken && is_number || old == Some(value));
        let differs = unlike && !word.unlike_a_lock && word.taken;
        word.unlike_a_lock |= unlike;
        if is_number && word.numbers.len() <= MOST_NUMBERS {
            word.numbers.insert(value.bits);
        }
        let many = word.numbers.len() > MOST_NUMBERS;
        facts.grown |= differs && self.machine.rung.locks == Locks::Inferred;
        match many {
            true => Err(Stop::Refused(format!(
                "a word that takes more than {MOST_NUMBERS} values, like a counter without a bound"
            ))),
            false => Ok(()),
        }
    }

    /// Writes and remembers that other threads may notice.
    fn store(&mut self, place: Place, value: Value) -> Result<(), Stop> {
        let offset = place.offset as usize;
        if place.escaped && self.company == Company::Others {
            self.touch(place, value);
            self.move_token(place, value);
        }
        let replaced = self.replaced(place, value);
        self.change(place.region, |body| body.contents.write(offset, value))?;
        if place.escaped {
            let hidden = self.hidden_descriptor();
            self.publish(value)?;
            self.keep_replaced(hidden, replaced);
            let (region, offset, width) = (place.region, place.offset as u32, value.width);
            self.changes.push(Change::Write { region, offset, width });
        }
        Ok(())
    }

    /// Remembers what a write may complete.
    fn touch(&mut self, place: Place, value: Value) {
        if self.machine.rung.helping.is_none() {
            return;
        }
        let old = self
            .body(place.region)
            .map(|body| body.contents.read(place.offset as usize, value.width).provenance);
        let heap = |region: RegionId| self.machine.regions.heap(region);
        let new = value.provenance.and_then(heap).and_then(|number| self.objects.get(number));
        let links = new.into_iter().flat_map(|object| object.links()).map(|&(_, to)| to);
        let all = old.flatten().into_iter().chain([place.region]).chain(links);
        let touched: Vec<RegionId> = all.collect();
        self.touched.extend(touched);
    }

    /// The thread that overwrites a pointer to an object has the object's token; that of the object
    /// that is stored no thread has any more.
    fn move_token(&mut self, place: Place, value: Value) {
        let mut facts = self.machine.facts.borrow_mut();
        if !facts.has_tokens() {
            return;
        }
        let old = self
            .body(place.region)
            .map(|body| body.contents.read(place.offset as usize, value.width).provenance);
        let (old, new) = (old.flatten(), value.provenance);
        let is_heap = |region: &RegionId| self.machine.regions.heap(*region).is_some();
        if old == new {
            return;
        }
        let kind = facts.token(place.what, place.offset as u32);
        drop(facts);
        if let Some(new) = new.filter(is_heap) {
            self.mine.retain(|&token| token != (new, kind));
            self.tokens.push((new, kind));
        }
        if let Some(old) = old.filter(is_heap) {
            self.mine.push((old, kind));
            self.tokens.push((old, kind));
        }
    }

    /// Other threads may find what a value points to, and what that points to.
    pub fn publish(&mut self, value: Value) -> Result<(), Stop> {
        let mut open: Vec<RegionId> = value.provenance.into_iter().chain(value.high).collect();
        while let Some(region) = open.pop() {
            let Some(number) = self.machine.regions.heap(region) else { continue };
            let object = &self.objects[number];
            if !object.body().escaped {
                open.extend(object.links().iter().map(|&(_, to)| to));
                self.change(region, |body| body.escaped = true)?;
            }
        }
        Ok(())
    }

    /// An object ends: a block is freed, or a call returns.
    pub fn end(&mut self, region: RegionId, life: Life) -> Result<(), Stop> {
        let Some(body) = self.body(region) else { return Ok(()) };
        if body.escaped {
            self.machine.facts.borrow_mut().end(body.what);
            self.take_turn()?;
            if self.machine.buffers && self.company == Company::Others {
                self.drain()?;
            }
            self.changes.push(Change::End { region });
        }
        self.change(region, |body| {
            body.life = life;
            body.contents = Contents::default();
        })
    }

    /// Whether a word is taken for a lock on this rung.
    pub fn is_lock(&self, place: Place) -> bool {
        self.machine.rung.locks == Locks::Inferred
            && self.machine.facts.borrow().is_like_a_lock(place.what, place.offset)
    }

    /// Asks for one of several values.
    pub fn ask(&mut self, values: impl FnOnce() -> Vec<Value>) -> Result<Value, Stop> {
        match self.answer.take() {
            Some(answer) => Ok(answer),
            None => Err(Stop::Ask(values())),
        }
    }

    /// Whether what was read is what was expected.
    pub fn matches(old: Value, expected: Value) -> Result<bool, Stop> {
        match old.binary(BinaryOp::Eq, expected) {
            Ok(equal) if equal.is_defined() => Ok(equal.bits != 0),
            _ => Err(Stop::Wrong(FindingKind::UndefinedUse(
                "the comparison of a compare-and-swap".into(),
            ))),
        }
    }
}

impl Machine<'_> {
    /// How many bytes of an object the program can see.
    pub fn size(&self, body: &Body) -> u64 {
        let hidden = if self.is_descriptor(body.what) { HIDDEN } else { 0 };
        (body.contents.len() as u64).saturating_sub(hidden)
    }
}

/// The refusal of a pointer that cannot be rewritten.
pub(super) fn odd_pointer() -> Stop {
    Stop::Refused("a pointer in parts, shifted, or otherwise not an address".into())
}
