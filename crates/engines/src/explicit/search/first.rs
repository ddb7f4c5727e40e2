//! Which thread need not wait for the others: its steps commute with all of theirs.
//!
//! On a machine with views a store is such a step: what others can read stays, and so do the places
//! where they can write. What reads a cell commutes with threads that may not write it any more.
//! These steps are taken first only if they go forwards in the program, so no round of states
//! consists of them alone, and no thread is left out for ever.

use super::{Numbers, Search, Stopped};
use crate::explicit::machine::weak::view::Cell;
use execution::event::ThreadId;

impl Search<'_> {
    /// Whether no other thread has to be visited before a thread has run: it terminates, and runs
    /// at once, noticed by no thread; or it terminates, or reaches where it waits, without anything
    /// that others may notice before they await it. (These are steps that commute with all of
    /// others; the idea is that of P. Godefroid's persistent sets. No thread makes two such steps
    /// in a row without an end, so no thread is left out for ever.)
    pub(super) fn comes_first(
        &mut self,
        thread: ThreadId,
        local: u32,
        shared: u32,
    ) -> Result<bool, Stopped> {
        let at_once = self.is_at_once(thread);
        if self.is_still(thread) || self.locals.get(local).thread.is_none() {
            return Ok(false);
        }
        let steps = self.steps(thread, local, shared)?;
        let memory = self.shareds.get(shared);
        let may_be_early = |cell: Option<Cell>| {
            !self.layout.training.get()
                && cell.is_none_or(|cell| {
                    let futures = &self.layout.futures;
                    !memory.weak.may_be_written(cell, thread, memory.running(), futures)
                })
        };
        let ends = |step: &Numbers| match step {
            Numbers::Next { local, shared, quiet, spawned, early, .. } => {
                let local = self.locals.get(*local);
                let goes_on = !local.discarded && !self.shareds.get(*shared).is_over();
                let quiet = *quiet && !at_once && spawned.is_empty() && goes_on;
                let early = goes_on && early.is_some_and(&may_be_early);
                quiet || early || at_once && local.thread.is_none()
            }
            Numbers::Wrong { .. } => false,
        };
        Ok(!steps.is_empty() && steps.iter().all(ends))
    }
}
