//! Stack cells whose contents do not matter when a loop begins again, found out by trying.
//!
//! A loop may leave something in a local object that is not read again: `*right = …` in an attempt
//! that fails and is made again. Such an attempt waits like any other (see [`flow`](super::flow)).
//! A cell that an otherwise idle iteration changed is *assumed* to be dead at the loop's start, and
//! the program is unrolled again with the cell marked there: if a mark is ever read, the assumption
//! is *refuted* and the run is made once more without it.
//!
//! A mark that is not noticed would drop iterations that matter, which could miss a violation.
//!
//! Soundness S-080 (check, verify; all; misses): An iteration that writes, chooses, allocates and
//! observes nothing and leaves every live register and local cell as it was is dropped; an error in
//! what is live would drop iterations that matter. Test:
//! crates/engines/src/bounded/unrolling/tests.rs::an_attempt_that_leaves_only_what_the_next_overwrites_is_dropped,
//! crates/engines/src/bounded/unrolling/tests.rs::an_attempt_whose_trace_is_read_later_is_kept.

use super::Unroller;
use super::store::Past;
use super::unchanged::Knowledge;
use crate::bounded::InstanceKey;
use crate::guard::Guard;
use ir::program::Width;
use std::collections::BTreeSet;

/// A loop instance and a cell.
type LoopCell = (InstanceKey, (u64, Width));

/// How often a program is unrolled to try further cells.
const MOST_TRIALS: u32 = 8;

/// What is known, or assumed, about cells at the start of loops.
#[derive(Clone, Debug, Default)]
pub(super) struct Dead {
    assumed: BTreeSet<LoopCell>,
    refuted: BTreeSet<LoopCell>,
    /// Cells that would let an iteration be idle.
    candidates: BTreeSet<LoopCell>,
    trials: u32,
}

impl Dead {
    /// Learns from a run in which the marks at these addresses were read: what to assume in the
    /// next run; `None` if this run may stay.
    pub(super) fn next(mut self, read: &BTreeSet<u64>) -> Option<Self> {
        let wrong: Vec<LoopCell> =
            self.assumed.iter().filter(|(_, cell)| read.contains(&cell.0)).cloned().collect();
        for pair in &wrong {
            self.assumed.remove(pair);
        }
        let refuted = !wrong.is_empty();
        self.refuted.extend(wrong);
        let candidates = std::mem::take(&mut self.candidates);
        let new: Vec<_> = candidates.into_iter().filter(|c| !self.refuted.contains(c)).collect();
        let more = !new.is_empty() && self.trials < MOST_TRIALS;
        if more {
            self.assumed.extend(new);
            self.trials += 1;
        }
        (refuted || more).then_some(self)
    }

    /// The cells that are assumed to be dead when this loop begins.
    fn at(&self, key: &InstanceKey) -> BTreeSet<(u64, Width)> {
        let own = self.assumed.iter().filter(|(other, _)| other == key);
        own.map(|&(_, cell)| cell).collect()
    }
}

impl Unroller<'_> {
    /// Marks the cells that are assumed to be dead when a loop begins.
    pub(super) fn mark_dead(&mut self, key: &InstanceKey, guard: Guard) {
        for cell in self.assumed.dead.at(key) {
            self.store.mark(&mut self.out.terms, guard, cell);
        }
    }

    /// The paths of an idle iteration on which it changed the store so that it matters.
    pub(super) fn store_changed(
        &mut self,
        key: &InstanceKey,
        before: (Past, usize),
        idle: Guard,
    ) -> Guard {
        let dead = self.assumed.dead.at(key);
        let mut all = Guard::FALSE;
        for (cell, here) in self.changed_cells(before, idle) {
            if dead.contains(&cell) {
                continue;
            }
            all = self.out.terms.guards.or(all, here);
            if self.concurrent {
                self.assumed.dead.candidates.insert((key.clone(), cell));
            }
        }
        all
    }

    /// Whether nothing in the store has changed on the paths of a guard.
    pub(super) fn store_unchanged(&mut self, before: (Past, usize), guard: Guard) -> bool {
        self.changed_cells(before, guard).is_empty()
    }

    /// What has changed in the store, and on which paths.
    pub(super) fn changed_cells(
        &mut self,
        (before, comparisons): (Past, usize),
        guard: Guard,
    ) -> Vec<((u64, Width), Guard)> {
        let mut changed = Vec::new();
        let comparisons = &self.running.comparisons[comparisons..];
        let (terms, knowledge) = Knowledge::of(&mut self.out, comparisons, self.options);
        for (cell, paths) in self.store.changed(before, terms, (knowledge, guard)) {
            let gone = self.out.region_at(cell.0).map(|region| self.out.regions[region].freed);
            let terms = &mut self.out.terms;
            let there = terms.guards.not(gone.unwrap_or(Guard::FALSE));
            let here = terms.guards.and(paths, guard);
            // No access is made to the stack objects of calls that have returned.
            let here = terms.guards.and(here, there);
            if here != Guard::FALSE {
                changed.push((cell, here));
            }
        }
        changed
    }
}
