//! Locks that are still held when all threads have come to their ends.
//!
//! Only what is a lock for sure is looked at ([`ir::locks`]), and only if a thread accesses it.

use super::outcomes::Last;
use super::{Cell, Encoding, Source};
use crate::bounded::{Action, ActionKind, Origin};
use crate::values::places::Addresses;
use execution::event::ThreadId;
use execution::ids::Id;
use ir::locks::is_lock_word;
use ir::value::{RegionId, Value};
use sat::Lit;
use std::collections::{BTreeMap, BTreeSet};

/// A lock that may be held in the end.
#[derive(Clone, Debug)]
pub struct Held {
    /// True in complete executions in which it is held in the end, because of what happens here.
    pub lit: Lit,
    /// Where it was changed last.
    pub origin: Origin,
}

impl Encoding<'_> {
    /// The locks that may be held in the end, by the writes that leave them so; only those that
    /// `several` threads may access, if so wanted.
    pub fn held_locks(&mut self, several: bool) -> Vec<Held> {
        let mut held = Vec::new();
        let mut words = self.lock_words();
        if several && !words.is_empty() {
            let shared = self.shared_regions();
            let bounded = self.bounded.clone();
            let region = |cell: &Cell| bounded.region_at(cell.address);
            words.retain(|cell| region(cell).is_some_and(|region| shared.contains(&region)));
        }
        for cell in words {
            let zero = Value::int(cell.width, 0);
            for Last { event, value, last } in self.last_writes(cell) {
                let (Some(value), Source::Action(id)) = (value, self.sources[event.index()]) else {
                    continue;
                };
                let free = self.values.is(&mut self.formula, value, &zero);
                let lit = self.formula.and(&[last, !free]);
                if lit != Lit::FALSE {
                    held.push(Held { lit, origin: self.bounded.actions[id].origin.clone() });
                }
            }
        }
        held
    }

    /// The objects that more than one thread may access.
    fn shared_regions(&mut self) -> BTreeSet<RegionId> {
        let bounded = self.bounded.clone();
        let mut first: BTreeMap<RegionId, ThreadId> = BTreeMap::new();
        let mut shared = BTreeSet::new();
        for action in bounded.actions.iter() {
            let (ActionKind::Read { access, .. } | ActionKind::Write { access, .. }) = &action.kind
            else {
                continue;
            };
            // What may be anywhere may be everywhere.
            let Some(values) = self.values.elements(access.address) else {
                return bounded.regions.ids().collect();
            };
            for region in values.iter().filter_map(|value| value.provenance) {
                if *first.entry(region).or_insert(action.thread) != action.thread {
                    shared.insert(region);
                }
            }
        }
        shared
    }

    /// The words of all locks that threads may write.
    fn lock_words(&mut self) -> Vec<Cell> {
        let bounded = self.bounded.clone();
        let file = |action: &Action| {
            let place = action.origin.place?;
            Some(&self.program.places[place].location.file)
        };
        let mut addresses = BTreeSet::new();
        for (id, action) in bounded.actions.enumerate() {
            let ActionKind::Write { access, .. } = &action.kind else { continue };
            let (Some(file), Some(path)) = (file(action), &access.path) else { continue };
            let places = self.values.sets().places(id).filter(|_| is_lock_word(file, path));
            // An access of which less is known is refused.
            if let Some(Addresses::These(list)) = places.map(|places| &places.right) {
                addresses.extend(list.iter().copied());
            }
        }
        self.initial.keys().filter(|cell| addresses.contains(&cell.address)).copied().collect()
    }
}
