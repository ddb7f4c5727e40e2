//! The memory of a C program as one of its threads meets it: where accesses go, and recording
//! what they do.
//!
//! Objects that are not shared (see [`execution::witness::Object::private`]), and all objects while
//! `main` runs alone, are plain memory here: no events, and what is read is what was written.

use super::answers::{Answers, Stop, Wrong};
use super::state::{Local, Note, State};
use crate::events::record::{Part, Scribe};
use crate::events::trace::{Filling, Flow, Pairing};
use crate::memory::objects::{Life, owner};
use crate::memory::world::{CellId, freed};
use execution::finding::{AccessInfo, FindingKind, Verb};
use execution::ids::Id;
use ir::op::BinaryOp;
use ir::program::Width;
use ir::step::frame::trace;
use ir::step::memory::{Loaded, ResolvedAccess, Site};
use ir::step::sc::contents::Contents;
use ir::step::taint::{Dependencies, Taint};
use ir::value::{RegionId, Value};

/// Numbers from here on stand for what was read from objects that are not shared.
pub const PASSED: u32 = 1 << 31;

/// The memory as a thread meets it.
pub struct Shared<'g, 'p, A> {
    /// Writes down the events. Its recorder is that of the state while the thread runs.
    pub scribe: Scribe<'g, 'p>,
    /// What the thread has done.
    pub state: State,
    /// The state before the instruction that asks.
    pub before: State,
    /// Who answers.
    pub answers: A,
    /// The sets that the strongest fence is in.
    pub full_fence: &'g [&'static str],
}

/// An answer, or why there is none.
pub type Answer<V> = Result<V, Stop>;

/// Where an access goes.
pub enum Target {
    /// To an object that is not shared.
    Local(RegionId, u64),
    /// To a cell.
    Cell(CellId),
}

impl<A: Answers> Shared<'_, '_, A> {
    /// A request of an instruction starts.
    pub fn begin(&mut self, site: Site<'_>) {
        if self.state.asking == Some(site.instruction) {
            return;
        }
        self.state.asking = Some(site.instruction);
        self.state.decided.clear();
        self.state.used = 0;
        if A::FORKS {
            self.save();
        }
    }

    /// Remembers the state as it is.
    pub fn save(&mut self) {
        std::mem::swap(&mut self.state.recorder, &mut self.scribe.recorder);
        self.before = self.state.clone();
        std::mem::swap(&mut self.state.recorder, &mut self.scribe.recorder);
    }

    pub fn wrong<V>(&self, kind: FindingKind) -> Answer<V> {
        Err(Stop::Wrong(Box::new(Wrong::new(kind))))
    }

    pub fn wrong_access<V>(
        &self,
        kind: FindingKind,
        access: &ResolvedAccess<'_>,
        verb: Verb,
    ) -> Answer<V> {
        let path = access.path.map(str::to_owned);
        let info = AccessInfo { verb, size: access.width.bytes(), path };
        let objects = self.scribe.world.objects();
        let object = access.address.provenance.map(|region| {
            let base = objects.get(region).base;
            (region, access.address.low().wrapping_sub(base) as i64)
        });
        Err(Stop::Wrong(Box::new(Wrong { kind, access: Some(info), object })))
    }

    /// A shared object is to be accessed, which must not have been gone before threads started.
    pub fn reach(
        &mut self,
        site: Site<'_>,
        region: RegionId,
        access: &ResolvedAccess<'_>,
        verb: Verb,
    ) -> Answer<()> {
        let objects = self.scribe.world.objects();
        if objects.get(region).life == Life::Over {
            return self.wrong_access(objects.used_after_end(region), access, verb);
        }
        let own = owner(&objects.get(region).kind);
        let stranger = own.is_some_and(|own| own != site.thread.index() as u32);
        if stranger || self.state.left.contains(&region) {
            self.answers.outlives(self.scribe.world, region);
        }
        Ok(())
    }

    /// An access that finds that its object is gone.
    pub fn used_after_end<V>(
        &self,
        cell: CellId,
        access: &ResolvedAccess<'_>,
        verb: Verb,
    ) -> Answer<V> {
        let region = self.scribe.world.cells[cell.index()].region;
        let kind = self.scribe.world.objects().used_after_end(region);
        self.wrong_access(kind, access, verb)
    }

    /// The life of shared objects of the running thread ends: those of them for which that is a
    /// write are written to.
    pub fn end(&mut self, site: Site<'_>, regions: &[RegionId]) -> Answer<()> {
        for &region in regions {
            self.state.left.insert(region);
            if self.scribe.world.objects().get(region).ends {
                self.access()?;
                self.fill(site, region, Filling::Freed, Flow::default());
            }
        }
        Ok(())
    }

    pub fn is_local(&self, region: RegionId) -> bool {
        self.state.prefix || self.scribe.world.objects().get(region).private
    }

    /// Where an access goes, if it is right.
    pub fn target(
        &mut self,
        site: Site<'_>,
        access: &ResolvedAccess<'_>,
        verb: Verb,
    ) -> Answer<Target> {
        self.begin(site);
        let located = self.scribe.world.objects().locate(access, verb);
        let (region, offset) = match located {
            Ok(found) => found,
            Err(kind) => return self.wrong_access(kind, access, verb),
        };
        if !self.is_local(region) {
            self.reach(site, region, access, verb)?;
            self.access()?;
            self.scribe.recorder.instruction += 1;
            let cell = self.scribe.world.object_cell(region, offset, access.width, site.place);
            return Ok(Target::Cell(cell));
        }
        if !self.state.prefix {
            let writes = verb != Verb::Read;
            self.answers.touches(self.scribe.world, region, site.thread, writes)?;
        }
        match self.local(region).life {
            Life::Alive => Ok(Target::Local(region, offset)),
            Life::Freed => self.wrong_access(FindingKind::UseAfterFree, access, verb),
            Life::Over => {
                let kind = self.scribe.world.objects().used_after_end(region);
                self.wrong_access(kind, access, verb)
            }
        }
    }

    pub fn local(&mut self, region: RegionId) -> &mut Local {
        let objects = self.scribe.world.objects();
        self.state.local.entry(region).or_insert_with(|| Local::new(objects, region))
    }

    pub fn read_local(
        &mut self,
        region: RegionId,
        offset: u64,
        width: Width,
        address: &Flow,
    ) -> Loaded {
        let (value, mut flow) = self.local(region).read(offset, width);
        flow.join(address);
        self.state.passed.push(flow);
        Loaded { value, event: PASSED + self.state.passed.len() as u32 - 1 }
    }

    pub fn write_local(
        &mut self,
        site: Site<'_>,
        access: &ResolvedAccess<'_>,
        (region, offset): (RegionId, u64),
        value: Value,
        dependencies: &Dependencies<Flow>,
    ) -> Answer<()> {
        // While `main` runs alone, every object is plain memory, but some will be shared.
        if !self.scribe.world.objects().get(region).private {
            self.publish(value)?;
        }
        if self.state.prefix {
            self.note_word(access, (region, offset));
        }
        if !A::FORKS && self.state.prefix && !value.is_zero() && access.purpose.is_lock_word() {
            let stack = trace(site.program, site.frames, site.place, usize::MAX);
            self.state.locked.insert((region, offset, access.width), stack);
        }
        let mut flow = dependencies.data.clone();
        flow.join(&dependencies.address);
        self.local(region).write(offset, value, &flow);
        Ok(())
    }

    /// A value goes where others can see it.
    pub fn publish(&mut self, value: Value) -> Answer<()> {
        for region in [value.provenance, value.high].into_iter().flatten() {
            if self.scribe.world.objects().get(region).private {
                self.answers.escapes(self.scribe.world, region)?;
            }
        }
        Ok(())
    }

    /// Reads a cell and records that; reading what was freed is wrong.
    pub fn read_cell(
        &mut self,
        site: Site<'_>,
        (cell, access): (CellId, &ResolvedAccess<'_>),
        verb: Verb,
        dependencies: &Dependencies<Flow>,
    ) -> Answer<Loaded> {
        let id = self.answers.read(self.scribe.world, &mut self.state, cell, access.width)?;
        let value = self.scribe.world.value_of(id);
        let pair = (verb == Verb::Update).then_some(true);
        let marks = self.scribe.marks(access, Part::Read, pair);
        let event = self.scribe.read(site, cell, id, marks, dependencies);
        self.note(site, Some(access));
        if value == freed() {
            return self.used_after_end(cell, access, verb);
        }
        Ok(Loaded { value, event })
    }

    pub fn write_cell(
        &mut self,
        site: Site<'_>,
        (cell, access): (CellId, &ResolvedAccess<'_>),
        value: Value,
        dependencies: &Dependencies<Flow>,
        pairing: Option<(u32, Pairing)>,
    ) -> Answer<u32> {
        self.publish(value)?;
        let pair = pairing.map(|_| true);
        let marks = self.scribe.marks(access, Part::Write, pair);
        let event = self.scribe.write(site, cell, value, marks, dependencies, pairing);
        self.count_write(event as usize);
        let word = &self.scribe.world.cells[cell.index()];
        self.note_word(access, (word.region, word.offset));
        self.answers.wrote(cell, self.scribe.recorder.values.last().copied().flatten());
        self.note(site, Some(access));
        Ok(event)
    }

    /// A shared object is about to be accessed.
    pub fn access(&mut self) -> Answer<()> {
        self.answers.access()?;
        self.log_accesses();
        self.state.accesses += 1;
        Ok(())
    }

    /// What was about to be accessed was not: a store-exclusive failed.
    pub fn no_access(&mut self) {
        self.answers.no_access();
        self.state.accesses -= 1;
    }

    /// Remembers how many accesses there had been when the latest events were recorded.
    pub fn log_accesses(&mut self) {
        let events = self.scribe.recorder.events.len();
        self.state.log.accesses.resize(events, self.state.accesses);
    }

    /// Remembers where the latest events come from.
    pub fn note(&mut self, site: Site<'_>, access: Option<&ResolvedAccess<'_>>) {
        while !A::FORKS && self.state.notes.len() < self.scribe.recorder.events.len() {
            let stack = trace(site.program, site.frames, site.place, usize::MAX);
            let path = access.and_then(|access| access.path).map(str::to_owned);
            let purpose = access.map(|access| access.purpose).unwrap_or_default();
            self.state.notes.push(Note { stack, path, purpose });
        }
    }

    /// Remembers that the word of a lock was written, if it was.
    fn note_word(&mut self, access: &ResolvedAccess<'_>, at: (RegionId, u64)) {
        if self.scribe.options.endings
            && let Some(word) = access.purpose.lock_word()
        {
            self.state.words.insert((at.0, at.1, access.width, word));
        }
    }

    pub fn count_write(&mut self, event: usize) {
        self.state.write_numbers.insert(event, self.state.writes);
        self.state.writes += 1;
    }

    pub fn fill(&mut self, site: Site<'_>, region: RegionId, filling: Filling, address: Flow) {
        self.scribe.recorder.instruction += 1;
        self.scribe.fill(site, (region, filling), address, &self.state.control);
        self.count_write(self.scribe.recorder.events.len() - 1);
        self.note(site, None);
    }

    /// A block that is not the thread's own is allocated. That writes zeros to it, if these are asked
    /// for; and under models of languages what is undefined, so that an access which is not ordered
    /// after the allocation races with it.
    pub fn made(&mut self, site: Site<'_>, region: RegionId, zeroed: bool) {
        let object = self.scribe.world.objects_mut().get_mut(region);
        object.contents = Contents::undefined(object.size as usize);
        match zeroed || self.scribe.options.language.is_structured() {
            true => self.fill(site, region, Filling::Made { zeroed }, Flow::default()),
            // It counts as a write on every model.
            false => self.state.writes += 1,
        }
    }

    pub fn full_fence(&mut self, site: Site<'_>) {
        self.scribe.recorder.instruction += 1;
        if !self.full_fence.is_empty() {
            let sets = self.full_fence.iter().map(|name| self.scribe.world.set(name)).collect();
            self.scribe.fence_event(site, sets, &Flow::default());
            self.note(site, None);
        }
    }

    pub fn object<V>(&self, made: Result<V, String>) -> Answer<V> {
        made.map_err(Stop::Mismatch)
    }
}

/// Whether a compare-and-swap finds what it expects; it must not depend on undefined bits.
pub fn compare(old: Value, expected: Value) -> Answer<bool> {
    let equal = old.binary(BinaryOp::Eq, expected).expect("not a division");
    if equal.is_defined() {
        return Ok(equal.bits != 0);
    }
    let kind = FindingKind::UndefinedUse("the comparison of a compare-and-swap".into());
    Err(Stop::Wrong(Box::new(Wrong::new(kind))))
}
