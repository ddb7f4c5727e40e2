//! Where undefined values come from: the read that gave them.
//!
//! The machine's threads carry, with every register, the number of a read of undefined memory
//! that the register was computed from, so that a finding can show what was never written.

use super::frame::{TraceEntry, trace};
use super::memory::{ResolvedAccess, Site};
use super::sc::ScMemory;
use super::taint::Taint;
use crate::program::LocId;
use crate::value::RegionId;
use execution::finding::AccessInfo;
use execution::finding::Verb;
use std::collections::HashMap;

/// A read of undefined memory, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Origin(u32);

impl Taint for Origin {
    fn read(event: u32) -> Self {
        Origin(event)
    }

    fn join(&mut self, other: &Self) {
        if self.0 == 0 {
            *self = *other;
        }
    }

    fn pick(cond: &Self, chosen: &Self) -> Self {
        if chosen.0 == 0 { *cond } else { *chosen }
    }
}

/// A read that gave undefined bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndefinedRead {
    /// Where the thread was, innermost call first.
    pub trace: Vec<TraceEntry>,
    /// The access.
    pub access: AccessInfo,
    /// The object, and where in it.
    pub object: (RegionId, i64),
}

/// The reads of undefined memory so far, one for each place and object.
#[derive(Clone, Debug, Default)]
pub struct UndefinedReads {
    reads: Vec<UndefinedRead>,
    known: HashMap<(Option<LocId>, RegionId), u32>,
}

/// More reads than this are not distinguished.
const MOST: usize = 1 << 16;
/// This many calls are remembered of the place of a read.
const TRACE: usize = 8;

impl UndefinedReads {
    /// The number of a read; zero where it is not remembered.
    #[cold]
    pub fn note(&mut self, site: Site<'_>, memory: &ScMemory, access: &ResolvedAccess<'_>) -> u32 {
        let Some(region) = access.address.provenance else { return 0 };
        let key = (site.place, region);
        if let Some(&number) = self.known.get(&key) {
            return number;
        }
        if self.reads.len() >= MOST {
            return 0;
        }
        let path = access.path.map(str::to_owned);
        let offset = access.address.low().wrapping_sub(memory.region(region).base) as i64;
        self.reads.push(UndefinedRead {
            trace: trace(site.program, site.frames, site.place, TRACE),
            access: AccessInfo { verb: Verb::Read, size: access.width.bytes(), path },
            object: (region, offset),
        });
        let number = self.reads.len() as u32;
        self.known.insert(key, number);
        number
    }

    /// The read that a value comes from.
    pub fn of(&self, origin: Origin) -> Option<&UndefinedRead> {
        self.reads.get((origin.0 as usize).checked_sub(1)?)
    }
}
