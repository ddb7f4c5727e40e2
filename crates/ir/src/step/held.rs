//! The locks that a run has changed, and which of them are held.
//!
//! Only what is a lock for sure is looked at ([`crate::locks`]).

use super::frame::trace;
use super::memory::{ResolvedAccess, Site};
use super::sc::ScMemory;
use super::sc::region::Origin;
use crate::locks::is_lock_word;
use crate::program::Width;
use crate::value::{RegionId, Value};
use std::rc::Rc;

/// This many calls are remembered of the place of a change.
const TRACE: usize = 8;

/// The words of locks that were written, each with who took it last.
#[derive(Clone, Debug, Default)]
pub struct Locks(Vec<Word>);

#[derive(Clone, Debug)]
struct Word {
    region: RegionId,
    address: u64,
    width: Width,
    taken: Rc<Origin>,
}

impl Locks {
    /// Notes a write if it changes a lock.
    pub(super) fn note(&mut self, site: Site<'_>, access: &ResolvedAccess<'_>, value: Value) {
        let (Some(path), Some(place)) = (access.path, site.place) else { return };
        let Some(region) = access.address.provenance.filter(|_| !value.is_zero()) else { return };
        if !is_lock_word(&site.program.places[place].location.file, path) {
            return;
        }
        let address = access.address.low();
        self.0.retain(|word| word.address != address);
        let trace = trace(site.program, site.frames, site.place, TRACE);
        let taken = Rc::new(Origin { thread: site.thread, trace });
        self.0.push(Word { region, address, width: access.width, taken });
    }

    /// A lock that is held: who took it, and where. The first that was taken, of several.
    pub fn held(&self, memory: &ScMemory) -> Option<&Origin> {
        self.words(memory).next().map(|word| &*word.taken)
    }

    /// The objects of locks that are held.
    pub fn held_in(&self, memory: &ScMemory) -> impl Iterator<Item = RegionId> {
        self.words(memory).map(|word| word.region)
    }

    fn words(&self, memory: &ScMemory) -> impl Iterator<Item = &Word> {
        self.0.iter().filter(|word| {
            let value = memory.peek(word.region, word.address, word.width);
            value.is_some_and(|value| !value.is_zero())
        })
    }
}
