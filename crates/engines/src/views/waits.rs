//! What a running thread waits for: locks, in which order, and whatever loops read.

use super::heap::{INFERRED, Lock, NO_LOCK, What};
use super::machine::{Facts, LockName, LockOrder};
use super::world::{Company, Place, World};
use ir::program::{LocId, Width};
use ir::value::RegionId;

impl World<'_> {
    /// Whether all that it has read and others may change are locks that other threads hold.
    pub fn waits_for_lock(&self) -> bool {
        self.reads_lock && !self.reads_other
    }

    /// A loop does not end that reads what no thread was seen to change: it waits for other threads,
    /// so each of these reads is a step. Whether there are any.
    pub fn waits_for_what_is_fixed(&self) -> bool {
        let mut facts = self.machine.facts.borrow_mut();
        for &(what, offset, bytes) in &self.fixed {
            facts.write(what, offset, bytes);
        }
        !self.fixed.is_empty()
    }

    /// Remembers that a thread waits for something that is no lock.
    pub fn note_wait(&self, place: Option<LocId>) {
        let waits_for_lock = self.section.is_some_and(|section| section.wants_lock);
        if !waits_for_lock && self.company == Company::Others {
            self.machine.facts.borrow_mut().waits.get_or_insert(place);
        }
    }

    /// Remembers which locks are held while another one is wanted.
    pub fn note_order(&mut self, wanted: Place, place: Option<LocId>) {
        if let Some(section) = &mut self.section {
            section.wants_lock = true;
        }
        if self.company == Company::Others {
            self.remember_order(wanted, place);
        }
    }

    fn remember_order(&self, wanted: Place, place: Option<LocId>) {
        let mut facts = self.machine.facts.borrow_mut();
        let named = |(region, offset): Lock| self.lock_name(&facts, region, offset & !INFERRED);
        let wanted = named(wanted.lock());
        let locks = self.mine.iter().filter(|(_, offset)| offset & NO_LOCK == 0);
        let held: Vec<LockName> = locks.map(|&lock| named(lock)).collect();
        for held in held {
            facts.order.insert(LockOrder { held, wanted: wanted.clone(), place });
        }
    }

    fn lock_name(&self, facts: &Facts, region: RegionId, offset: u32) -> LockName {
        let Some(body) = self.body(region) else {
            return LockName { object: What::Heap(None), offset, single: false, numbers: vec![] };
        };
        let mut numbers = Vec::new();
        for at in (0..body.contents.len() as u64).step_by(4) {
            let fits = at + 4 <= body.contents.len() as u64;
            if fits && !facts.is_written(body.what, at, 4) {
                let value = body.contents.read(at as usize, Width::I32);
                if value.is_defined() && value.provenance.is_none() {
                    numbers.push((at as u32, value.as_signed()));
                }
            }
        }
        let single = matches!(body.what, What::Global(_));
        LockName { object: body.what, offset, single, numbers }
    }
}
