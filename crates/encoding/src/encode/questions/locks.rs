//! Locks that are still held when all threads have terminated.
//!
//! Only what is a lock for sure is looked at ([`ir::locks`]).
//!
//! Soundness S-230 (verify; all; cries wolf): A mutex or spinlock with which its holder ends the
//! whole program is not left held, since it keeps no thread from anything; a readers-writer lock
//! is, because its word does not say who holds it. The replay confirms that a lock is held, not by
//! whom. Test: corpus/verify/approximations/main_returns_with_a_rwlock.c,
//! corpus/verify/deadlock/main_returns_with_a_lock.c.

use crate::bounded::{Action, ActionKind, Origin, RegionKind, Taken};
use crate::encode::answers::outcomes::Last;
use crate::encode::structure::sources::Source;
use crate::encode::{Encoding, MemoryCell};
use crate::term::TermId;
use crate::values::places::Addresses;
use execution::event::ThreadId;
use execution::ids::Id;
use ir::locks::LockWord;
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
    /// The locks that may be held in the end, by the writes that leave them so. If there are
    /// `several` threads, those with which a thread ends the whole program keep none from anything
    /// and do not count; where only one thread accesses a lock, its word has to say who holds it.
    pub fn held_locks(&mut self, several: bool) -> Vec<Held> {
        let bounded = self.bounded.clone();
        let words = self.lock_words();
        let shared = several.then(|| self.shared_regions());
        let owned = self.owner_words();
        let counts = |address: u64| {
            let Some(shared) = &shared else { return true };
            let Some(region) = bounded.region_at(address) else { return false };
            let kind = bounded.regions[region].kind;
            let outlives = matches!(kind, RegionKind::Global { .. } | RegionKind::Heap(_));
            shared.contains(&region)
                || bounded.threads.len() > 1 && outlives && owned.contains(&address)
        };
        let mut held = Vec::new();
        for cell in words.into_iter().filter(|cell| counts(cell.address)) {
            for Last { event, value, last } in self.last_writes(cell) {
                let Some(value) = value else { continue };
                let (there, origin) = match self.events.sources.of(event) {
                    Source::Action(id) | Source::Part(id, _) => {
                        let kept = self.is_kept(&bounded.actions[id], several);
                        (self.formula.and(&[last, kept]), bounded.actions[id].origin.clone())
                    }
                    Source::Initial(_) => match self.taken(cell.address, several) {
                        Some((taken, origin)) => (self.formula.and(&[last, taken]), origin),
                        None => continue,
                    },
                    Source::Freed(..) | Source::Filled(..) => continue,
                };
                self.hold(&mut held, there, value, origin);
            }
        }
        let accessed: BTreeSet<u64> = self.unrolled.cells.keys().map(|cell| cell.address).collect();
        let before = bounded.initial.iter().filter(|(address, _)| counts(**address));
        for (&address, cell) in before.filter(|(address, _)| !accessed.contains(address)) {
            let Some((taken, origin)) = self.taken(address, several) else { continue };
            let freed = bounded.region_at(address).map(|region| self.is_freed(region));
            let there = self.formula.and(&[taken, !freed.unwrap_or(Lit::FALSE)]);
            self.hold(&mut held, there, cell.value, origin);
        }
        held
    }

    /// Adds a lock that is held where this is `there` in the end, unless it says that it is free.
    fn hold(&mut self, held: &mut Vec<Held>, there: Lit, value: TermId, origin: Origin) {
        let zero = Value::int(self.bounded.terms.width(value), 0);
        let free = self.values.is(&mut self.formula, value, &zero);
        let lit = self.formula.and(&[there, !free]);
        if lit != Lit::FALSE {
            held.push(Held { lit, origin });
        }
    }

    /// When and where a lock was taken before the threads started.
    fn taken(&mut self, address: u64, several: bool) -> Option<(Lit, Origin)> {
        let Taken { guard, origin, word } = self.bounded.taken.get(&address)?.clone();
        let taken = self.values.guard(&mut self.formula, guard);
        let kept = match word {
            LockWord::Owner if several => !self.ends_program(ThreadId::new(0)),
            _ => Lit::TRUE,
        };
        Some((self.formula.and(&[taken, kept]), origin))
    }

    /// Whether the thread that writes the word of a lock does not end the program as its holder.
    fn is_kept(&mut self, write: &Action, several: bool) -> Lit {
        match &write.kind {
            ActionKind::Write { access, .. } if several && access.purpose.is_mutex_word() => {
                !self.ends_program(write.thread)
            }
            _ => Lit::TRUE,
        }
    }

    /// The objects that more than one thread may access, and one may write.
    fn shared_regions(&mut self) -> BTreeSet<RegionId> {
        let bounded = self.bounded.clone();
        let mut first: BTreeMap<RegionId, ThreadId> = BTreeMap::new();
        let (mut several, mut written) = (BTreeSet::new(), BTreeSet::new());
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
                    several.insert(region);
                }
                if matches!(action.kind, ActionKind::Write { .. }) {
                    written.insert(region);
                }
            }
        }
        &several & &written
    }

    /// The words of locks that say who holds them.
    fn owner_words(&self) -> BTreeSet<u64> {
        let taken = self.bounded.taken.iter();
        let before = taken.filter(|(_, taken)| taken.word == LockWord::Owner);
        let mut owned: BTreeSet<u64> = before.map(|(&address, _)| address).collect();
        for (id, action) in self.bounded.actions.enumerate() {
            let ActionKind::Write { access, .. } = &action.kind else { continue };
            let places = self.values.sets().places(id).filter(|_| access.purpose.is_mutex_word());
            if let Some(Addresses::These(list)) = places.map(|places| &places.right) {
                owned.extend(list.iter().copied());
            }
        }
        owned
    }

    /// The words of all locks that threads may access: those that some thread may write, and those
    /// that were taken before the threads started.
    fn lock_words(&mut self) -> Vec<MemoryCell> {
        let bounded = self.bounded.clone();
        let mut addresses: BTreeSet<u64> = bounded.taken.keys().copied().collect();
        for (id, action) in bounded.actions.enumerate() {
            let ActionKind::Write { access, .. } = &action.kind else { continue };
            let is_word = access.purpose.is_lock_word();
            let places = self.values.sets().places(id).filter(|_| is_word);
            // An access of which less is known is refused.
            if let Some(Addresses::These(list)) = places.map(|places| &places.right) {
                addresses.extend(list.iter().copied());
            }
        }
        self.unrolled
            .cells
            .keys()
            .filter(|cell| addresses.contains(&cell.address))
            .copied()
            .collect()
    }
}
