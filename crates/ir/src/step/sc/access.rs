//! Reading and writing: which accesses are right, and what is wrong with the others.
//!
//! Soundness S-011 (run, check, verify; all; misses): An access through a pointer that leaves a
//! member but stays inside its object is not a finding; one by subscript is, unless the array
//! stands at the end of a struct and has one element or none there. Test:
//! crates/front_c/src/lower/tests.rs::an_array_inside_of_an_object_ends_where_its_type_says,
//! corpus/verify/memory/flexible_end.c.

use super::journal::Undo;
use super::region::{Life, RegionKind};
use super::{Checked, NULL_PAGE, ScMemory, Violation};
use crate::step::memory::ResolvedAccess;
use crate::value::{RegionId, Value};
use execution::event::ThreadId;
use execution::finding::{AccessInfo, FindingKind, Verb};
use execution::ids::Id;

impl ScMemory {
    /// Reads.
    #[inline]
    pub fn read(&self, access: &ResolvedAccess<'_>) -> Checked<Value> {
        let (id, offset) = self.locate(access, Verb::Read)?;
        Ok(self.regions[id].contents.read(offset, access.width))
    }

    /// Writes.
    #[inline]
    pub fn write(
        &mut self,
        thread: ThreadId,
        access: &ResolvedAccess<'_>,
        value: Value,
    ) -> Checked<()> {
        let (id, offset) = self.locate(access, Verb::Write)?;
        self.put(thread, id, offset, value);
        Ok(())
    }

    /// Whether an access is right.
    pub fn check(&self, access: &ResolvedAccess<'_>, verb: Verb) -> Checked<()> {
        self.locate(access, verb).map(|_| ())
    }

    /// Reads what an update is about to replace: both must be allowed.
    pub fn read_for_update(&self, access: &ResolvedAccess<'_>) -> Checked<Value> {
        let (id, offset) = self.locate(access, Verb::Update)?;
        Ok(self.regions[id].contents.read(offset, access.width))
    }

    fn put(&mut self, thread: ThreadId, id: RegionId, offset: usize, value: Value) {
        let region = &mut self.regions[id];
        if let Some(journal) = &mut self.journal {
            let part = region.contents.part(offset, value.width.bytes() as usize);
            journal.push(Undo::Part { region: id, offset, part });
        }
        region.contents.write(offset, value);
        self.version += 1;
        let (start, end) = (offset as u64, offset as u64 + value.width.bytes());
        for (other, area) in self.areas.iter_mut().enumerate() {
            let Some((region, offset, size)) = area.reservation else { continue };
            if other != thread.index() && region == id && offset < end && start < offset + size {
                area.reservation = None;
            }
        }
    }

    /// Remembers what an exclusive load read.
    pub fn reserve(&mut self, thread: ThreadId, access: &ResolvedAccess<'_>) {
        let reservation = access
            .address
            .provenance
            .map(|id| (id, self.offset(id, access.address) as u64, access.width.bytes()));
        self.area(thread).reservation = reservation;
    }

    /// Whether an exclusive store finds its reservation; either way it is used up.
    pub fn take_reservation(&mut self, thread: ThreadId, access: &ResolvedAccess<'_>) -> bool {
        let wanted = access
            .address
            .provenance
            .map(|id| (id, self.offset(id, access.address) as u64, access.width.bytes()));
        let reserved = self.area(thread).reservation.take();
        reserved.is_some() && reserved == wanted
    }

    /// The object of an access and where in it, if the access is right.
    #[inline]
    fn locate(&self, access: &ResolvedAccess<'_>, verb: Verb) -> Checked<(RegionId, usize)> {
        if let Some(id) = access.address.provenance {
            let region = &self.regions[id];
            let offset = access.address.low().wrapping_sub(region.base);
            let size = access.width.bytes();
            let inside = size <= region.size && offset <= region.size - size;
            let writable = verb == Verb::Read || !matches!(region.kind, RegionKind::Constant(_));
            let missed = access.alignment(verb).is_missed_at(access.address.low());
            if inside && writable && region.is_alive() && !missed {
                return Ok((id, offset as usize));
            }
        }
        Err(self.explain(access, verb))
    }

    /// What is wrong with an access.
    #[cold]
    fn explain(&self, access: &ResolvedAccess<'_>, verb: Verb) -> Box<Violation> {
        let address = access.address.low();
        let path = access.path.map(str::to_owned);
        let info = AccessInfo { verb, size: access.width.bytes(), path };
        let Some(id) = access.address.provenance else {
            let kind = match address {
                address if address < NULL_PAGE => FindingKind::Null,
                address => FindingKind::Wild { address },
            };
            return Box::new(Violation { kind, access: Some(info), object: None, origin: None });
        };
        let region = &self.regions[id];
        let offset = self.offset(id, access.address);
        let inside = offset >= 0 && (offset as u64).saturating_add(info.size) <= region.size;
        let kind = match (&region.life, region.kind) {
            (_, RegionKind::Function(_)) => FindingKind::FunctionAsData,
            (Life::Freed(_), _) => FindingKind::UseAfterFree,
            (Life::Over, RegionKind::ThreadLocal(..)) => FindingKind::UseAfterThread,
            (Life::Over, _) => FindingKind::UseAfterReturn,
            (Life::Alive, _) if !inside => FindingKind::OutOfBounds,
            (Life::Alive, _) => {
                let misaligned = access.alignment(verb).wrong(address);
                misaligned.unwrap_or(FindingKind::WriteToConstant)
            }
        };
        Box::new(Violation { kind, access: Some(info), object: Some((id, offset)), origin: None })
    }
}
