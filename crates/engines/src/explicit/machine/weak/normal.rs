//! Equal states look equal: what no thread can tell is forgotten.
//!
//! Views only grow, and a thread that is started or that awaits another one sees what that one sees.
//! So, with what each thread may still access ([`future`](super::future)):
//!
//! - Old: a message before all positions from which a thread may still access the cell is read by no
//!   thread, and nothing is written there. It is dropped, and positions count from the first message
//!   that is left. For a thread that waits for the end of another one, what that one sees counts, too.
//! - Frozen: between two messages nothing can be written any more if they belong together, or no
//!   thread that may still write the cell has a view before the second one. A message with such places
//!   on both sides is dropped if an earlier one has the same value and shows no more, and no view lies
//!   between the two: a thread that could read it can read the other one, sees less, and can do
//!   whatever it could have done. (With less in its view, a thread has no fewer messages to read and
//!   no fewer places to write.)
//! - Dead: what a thread has seen of cells that neither it nor any thread that may learn of it
//!   accesses any more, its release writes to cells that none of these writes, what its last release
//!   fence saw if none of them writes, and what an acquire fence would see if there is none.
//! - A list with one message that has nothing to show is what memory holds.
//!
//! Soundness S-505 (verify; rc11; misses): The reductions of the machine with views rest on the
//! arguments in the heads of the files about normal forms, futures and the search. Test:
//! crates/xtask/tests/views.rs::reductions_change_nothing.

use super::future::{Future, Futures};
use super::{Fences, Message, Seeing, Weak};
use crate::explicit::machine::state::{Part, Threads, bit};
use crate::explicit::machine::weak::view::{Cell, View};
use execution::event::ThreadId;
use std::rc::Rc;

/// Which threads matter how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alive {
    /// Those that run.
    pub running: Threads,
    /// Those that have ended and that may still be awaited.
    pub ended: Threads,
    /// Whether the program has acquire fences, so that it matters what these would see.
    pub acquire_fences: bool,
    /// Whether what a thread has seen reaches others by SC fences, or by the end of a thread that
    /// another one than `main` awaits.
    pub passed_on: bool,
    /// Whether only the latest write is ever read.
    pub sequential: bool,
}

/// A running thread, with what it sees before it does something, and what it may do.
pub(super) struct Runs {
    pub now: View,
    pub future: Rc<Future>,
}

impl Weak {
    /// Forgets what no thread can tell; says of which cell it drops which message.
    pub(crate) fn normalise(
        &mut self,
        alive: Alive,
        futures: &Futures,
        mut dropped: impl FnMut(Cell, usize),
    ) {
        let going = self.threads.ids().filter(|&thread| alive.running & bit(thread) != 0);
        let going = going.map(|thread| (thread, futures.get(self.threads[thread].get().future)));
        let going: Vec<(ThreadId, Rc<Future>)> = going.collect();
        for thread in self.threads.ids() {
            self.forget_dead(thread, alive, &going);
        }
        let running = self.running(alive.running, futures);
        let mut index = 0;
        while index < self.lists.len() {
            let cell = self.lists[index].0;
            let some = running.iter().map(|it| &it.1);
            let some: Vec<&Runs> = some.filter(|it| it.future.accesses(cell)).collect();
            self.drop_old(index, if alive.sequential { &[] } else { &some }, &mut dropped);
            self.drop_frozen(index, &some, &mut dropped);
            let [only] = self.lists[index].1.get().as_slice() else {
                index += 1;
                continue;
            };
            if some.is_empty() || only.view.is_empty() && only.fences == Fences::default() {
                self.lists.remove(index);
            } else {
                index += 1;
            }
        }
        self.forget_data(&running);
        let blocks = std::mem::take(&mut self.blocks);
        for block in blocks {
            match running.iter().all(|it| it.1.now.get(block) > 0) {
                true => self.renumber(block, |_| 0),
                false => self.blocks.push(block),
            }
        }
    }

    /// Forgets what a thread has seen and will never use, nor pass on.
    fn forget_dead(&mut self, thread: ThreadId, alive: Alive, going: &[(ThreadId, Rc<Future>)]) {
        let matters = (alive.running | alive.ended) & bit(thread) != 0;
        let own = self.threads[thread].get();
        if !matters {
            if *own != Seeing::default() {
                self.threads[thread] = Part::new(Seeing::default());
            }
            return;
        }
        // Those who use what it has seen: itself, the thread that awaits its end, and where these may
        // pass it on by a write or an SC fence, all.
        let first = || going.iter().filter(|it| [thread, ThreadId::MAIN].contains(&it.0));
        let passed_on = alive.passed_on || first().any(|heir| heir.1.writes_some());
        let heirs: Vec<&Future> = match passed_on {
            true => going.iter().map(|it| &*it.1).collect(),
            false => first().map(|it| &*it.1).collect(),
        };
        let accessed = |cell: Cell| heirs.iter().any(|heir| heir.accesses(cell));
        let written = |cell: Cell| heirs.iter().any(|heir| heir.writes(cell));
        let writes = heirs.iter().any(|heir| heir.writes_some());
        let is_dead = |cell: Cell| {
            (self.list(cell).is_some() || self.data(cell).is_some()) && !accessed(cell)
        };
        let mut after = own.clone();
        if !alive.acquire_fences {
            after.acquired.clear();
        }
        if !writes {
            after.released.clear();
        }
        after.heads.retain(|head| written(head.0));
        after.views().for_each(|view| view.retain(|cell| !is_dead(cell)));
        if after != *own {
            self.threads[thread] = Part::new(after);
        }
    }

    fn running(&self, running: Threads, futures: &Futures) -> Vec<(ThreadId, Runs)> {
        let is_running = |thread: &ThreadId| running & bit(*thread) != 0;
        let runs = |thread: ThreadId| {
            let own = self.threads[thread].get();
            let mut now = own.now.clone();
            let mut next = own.awaits;
            let mut count = 0;
            while let Some(other) = next.filter(|_| count < self.threads.len()) {
                let other = self.threads[other].get();
                now.join(&other.now);
                (next, count) = (other.awaits, count + 1);
            }
            (thread, Runs { now, future: futures.get(own.future) })
        };
        self.threads.ids().filter(is_running).map(runs).collect()
    }

    /// Drops what no thread can read any more; `some` may still access the cell.
    fn drop_old(&mut self, index: usize, some: &[&Runs], dropped: &mut impl FnMut(Cell, usize)) {
        let (cell, list) = &self.lists[index];
        let (cell, last) = (*cell, list.get().len() as u16 - 1);
        let first = some.iter().map(|it| it.now.get(cell)).min().unwrap_or(last);
        if first > 0 {
            (0..first).for_each(|_| dropped(cell, 0));
            self.lists[index].1.change(|list| drop(list.drain(..usize::from(first))));
            self.renumber(cell, |at| at.saturating_sub(first));
        }
    }

    /// Drops what an earlier message does as well, where nothing can be written.
    fn drop_frozen(&mut self, index: usize, some: &[&Runs], dropped: &mut impl FnMut(Cell, usize)) {
        let cell = self.lists[index].0;
        let first = self.lists[index].1.get();
        if first.len() < 2 {
            return;
        }
        let old = |at: u16| some.iter().map(|it| it.now.get(cell)).min().unwrap_or(0).min(at);
        let writers = some.iter().filter(|it| it.future.writes(cell));
        let from = writers.map(|it| it.now.get(cell).saturating_sub(old(u16::MAX))).min();
        let is_open = |list: &[Message], at: usize| {
            !list[at].closed && from.is_some_and(|from| usize::from(from) <= at)
        };
        let last = first.len() - 1;
        if (0..last).any(|at| first[at].closed == is_open(first, at)) {
            self.lists[index].1.change(|list| {
                for at in 0..last {
                    list[at].closed = !is_open(list, at);
                }
            });
        }
        let mut at = 1;
        while at + 1 < self.lists[index].1.get().len() {
            if self.is_frozen(index, at) {
                dropped(cell, at);
                self.lists[index].1.change(|list| drop(list.remove(at)));
                self.renumber(
                    cell,
                    |other| if usize::from(other) > at { other - 1 } else { other },
                );
            } else {
                at += 1;
            }
        }
    }

    fn is_frozen(&self, index: usize, at: usize) -> bool {
        let (cell, list) = &self.lists[index];
        let list = list.get();
        let this = &list[at];
        if !this.closed || !list[at - 1].closed {
            return false;
        }
        let shows_less = |other: &Message| {
            other.value == this.value
                && other.released == this.released
                && other.fences == this.fences
                && other.view.is_within(&this.view)
        };
        let Some(other) = (0..at).rev().find(|&other| shows_less(&list[other])) else {
            return false;
        };
        let between = |view: &View| (other + 1..=at).contains(&usize::from(view.get(*cell)));
        let of_threads = self.threads.iter().any(|seeing| {
            let own = seeing.get();
            [&own.now, &own.acquired, &own.released].into_iter().any(between)
                || own.heads.iter().any(|head| between(&head.1))
        });
        let messages = || self.lists.iter().flat_map(|list| list.1.get().iter());
        !of_threads && !between(&self.sc) && !messages().any(|message| between(&message.view))
    }
}
