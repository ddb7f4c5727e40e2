//! Equal states look equal: what no thread can tell is forgotten.
//!
//! - Messages that no running thread can read any more are dropped, and positions count from the
//!   first one that is left: `now` only grows, also by what is acquired, so nobody comes back.
//! - A list with one message that has nothing to show is what memory holds.

use super::{Fences, Seeing, Weak};
use crate::explicit::machine::state::{Part, Threads, bit};
use crate::explicit::machine::weak::view::{Cell, View};
use execution::event::ThreadId;

/// Which threads matter how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alive {
    /// Those that run.
    pub running: Threads,
    /// Those that have ended and that may still be awaited.
    pub ended: Threads,
    /// Whether the program has acquire fences, so that it matters what these would see.
    pub acquire_fences: bool,
}

impl Weak {
    /// Forgets what no thread can tell; says of which cell it drops which message.
    pub(crate) fn normalise(&mut self, alive: Alive, mut dropped: impl FnMut(Cell, usize)) {
        for thread in self.threads.ids() {
            let matters = (alive.running | alive.ended) & bit(thread) != 0;
            let own = self.threads[thread].get();
            if !matters && *own != Seeing::default() {
                self.threads[thread] = Part::new(Seeing::default());
            } else if matters && !alive.acquire_fences && !own.acquired.is_empty() {
                self.threads[thread].change(|own| own.acquired.clear());
            }
        }
        let cells: Vec<Cell> = self.lists.iter().map(|list| list.0).collect();
        for cell in cells {
            self.drop_old(cell, alive.running, &mut dropped);
        }
        self.forget_blocks(alive.running);
        self.lists.retain(|(_, list)| {
            let [only] = list.get().as_slice() else { return true };
            !only.view.is_empty() || only.fences != Fences::default()
        });
    }

    fn running(&self, running: Threads) -> impl Iterator<Item = &View> {
        let is_running = move |thread: &ThreadId| running & bit(*thread) != 0;
        self.threads.ids().filter(is_running).map(|thread| &self.threads[thread].get().now)
    }

    /// Drops what nobody can read any more.
    fn drop_old(
        &mut self,
        cell: Cell,
        running: Threads,
        dropped: &mut impl FnMut(Cell, usize),
    ) {
        let last = self.list(cell).map_or(0, |list| list.len() - 1) as u16;
        let first = self.running(running).map(|now| now.get(cell)).min().unwrap_or(last);
        if first > 0 {
            let index = self.lists.binary_search_by_key(&cell, |list| list.0).expect("a list");
            (0..first).for_each(|_| dropped(cell, 0));
            self.lists[index].1.change(|list| drop(list.drain(..usize::from(first))));
            self.renumber(cell, |at| at.saturating_sub(first));
        }
    }

    /// Forgets the blocks that all know.
    fn forget_blocks(&mut self, running: Threads) {
        let blocks = std::mem::take(&mut self.blocks);
        for block in blocks {
            if self.running(running).all(|now| now.get(block) > 0) {
                self.renumber(block, |_| 0);
            } else {
                self.blocks.push(block);
            }
        }
    }
}
