//! The locks that a run has changed, and which of them are held.
//!
//! Only definite locks are tracked ([`crate::locks`]).

use super::frame::trace;
use super::memory::{ResolvedAccess, Site};
use super::sc::ScMemory;
use super::sc::region::Origin;
use crate::locks::Holders;
use crate::program::Width;
use crate::value::{RegionId, Value};
use std::rc::Rc;

/// This many calls are remembered of the place of a change.
const TRACE: usize = 8;

/// The words of locks that were written, each with who holds it.
#[derive(Clone, Debug, Default)]
pub struct Locks {
    words: Vec<Word>,
    /// The lock that the running section read last.
    wanted: Option<(RegionId, u64)>,
}

#[derive(Clone, Debug)]
struct Word {
    region: RegionId,
    address: u64,
    width: Width,
    holders: Holders<Rc<Origin>>,
}

impl Locks {
    /// Notes a write if it changes a lock.
    pub(super) fn note(&mut self, site: Site<'_>, access: &ResolvedAccess<'_>, value: Value) {
        let Some(region) = lock(access) else { return };
        let address = access.address.low();
        let mut index = self.words.iter().position(|word| word.address == address);
        if index.is_some_and(|index| self.words[index].holders.list().is_empty()) {
            // Those that are held stand in the order in which they were taken.
            index.take().map(|index| self.words.remove(index));
        }
        let index = index.unwrap_or_else(|| {
            let (width, holders) = (access.width, Holders::default());
            self.words.push(Word { region, address, width, holders });
            self.words.len() - 1
        });
        let trace = trace(site.program, site.frames, site.place, TRACE);
        let taken = Rc::new(Origin { thread: site.thread, trace });
        self.words[index].holders.write(site.thread, value, taken);
    }

    /// Notes a read in a section if it reads a lock.
    pub(super) fn look(&mut self, access: &ResolvedAccess<'_>) {
        if let Some(region) = lock(access) {
            self.wanted = Some((region, access.address.low()));
        }
    }

    /// A section begins.
    pub(super) fn begin(&mut self) {
        self.wanted = None;
    }

    /// Nothing has happened in the section that waits, except that it has read a lock.
    pub(super) fn undo(&mut self, before: Locks) {
        *self = Locks { wanted: self.wanted, ..before };
    }

    /// A lock that is held: who took it, and where. The first that was taken, of several.
    pub fn held(&self, memory: &ScMemory) -> Option<&Origin> {
        let mut held = self.words(memory).filter_map(|word| word.holders.list().last());
        held.next().map(|(_, taken)| &**taken)
    }

    /// The objects of locks that are held.
    pub fn held_in(&self, memory: &ScMemory) -> impl Iterator<Item = RegionId> {
        self.words(memory).map(|word| word.region)
    }

    /// The lock that a section has waited for, if that is what stopped the thread that ran last:
    /// where it is, and who holds it.
    pub fn wanted(&self) -> Option<(RegionId, u64, Vec<&Origin>)> {
        let (region, address) = self.wanted?;
        let word = self.words.iter().find(|word| word.address == address);
        let holders = word.map_or(&[][..], |word| word.holders.list());
        Some((region, address, holders.iter().map(|(_, taken)| &**taken).collect()))
    }

    fn words(&self, memory: &ScMemory) -> impl Iterator<Item = &Word> {
        self.words.iter().filter(|word| {
            let value = memory.peek(word.region, word.address, word.width);
            value.is_some_and(|value| !value.is_zero())
        })
    }
}

/// The object of the lock whose word an access is to.
fn lock(access: &ResolvedAccess<'_>) -> Option<RegionId> {
    access.address.provenance.filter(|_| access.purpose.is_lock_word())
}
