//! Threads that wait for ever although others go on.
//!
//! Where executions stay for good ([`liveness`](super::liveness)) and memory does not change, all
//! threads wait. Where it goes on changing, a thread waits for ever if it can make a step in none
//! of these states. An execution shows that if it comes to threads that wait for locks which only
//! they themselves, or threads that have ended, hold: then nobody else has to be looked at. That
//! other threads go on waiting, for a condition perhaps, is not shown by an execution that ends.
//!
//! Soundness S-138 (verify; sc, tso; refuses): `deadlock` has no answer where threads wait, next to
//! others that never terminate, for anything but mutexes and spinlocks of `<pthread.h>` that no
//! running thread holds, or for each other's ends. Test:
//! crates/fencepost/tests/state_space/busy.rs::threads_that_wait_beside_busy_ones_are_found_or_left_open.
//!
//! Soundness S-139 (verify; sc, tso; cries wolf): A program that overwrites a mutex which is held
//! is taken for one that does not. Test: untested.

use crate::explicit::machine::state::{
    Life, Lock, Numbered, Shared, Threads, bit, first_threads, is_held,
};
use crate::explicit::machine::step::awaited;
use crate::explicit::machine::world::Awaited;
use crate::explicit::properties::liveness::waiting;
use crate::explicit::search::ids::StateId;
use crate::explicit::search::{Numbers, Search, Stopped, Way, at, threads};
use crate::verdict::Violation;
use crate::verification::Property;
use execution::event::ThreadId;
use execution::finding::FindingKind;
use ir::step::sc::contents::Contents;
use ir::value::Value;
use std::collections::BTreeSet;

impl Search<'_> {
    /// Looks for threads that wait for ever: in loops, or for a lock while others go on.
    pub(crate) fn wait(&mut self) -> Result<(), Stopped> {
        if !self.is_open(Property::Liveness) && !self.is_open(Property::Deadlock) {
            return Ok(());
        }
        self.ends.resize(self.states(), false);
        if self.is_open(Property::Liveness) {
            self.found.oscillates |= self.memory_oscillates();
        }
        let mut contents = Numbered::new();
        let found = waiting(&self.edges, &self.ends, |state| {
            let shared = self.shareds.get(self.list(state)[0]);
            (contents.number(self.but_for_locks(shared)), self.under_way(shared))
        });
        let mut silent = found.silent;
        let mut busy = found.busy;
        for states in std::mem::take(&mut busy) {
            match self.is_alone(&states)? {
                true => silent.push(self.quietest(&states)),
                false => busy.push(states),
            }
        }
        for state in silent {
            let violation = Violation::Finding { kind: FindingKind::Livelock, place: None };
            let found = (violation, Way::new(state, ThreadId::MAIN, 0));
            if self.is_open(Property::Liveness) {
                self.violations.insert(Property::Liveness, found.clone());
            }
            if self.is_open(Property::Deadlock) && self.waits_at_a_section(state)? {
                self.violations.insert(Property::Deadlock, found);
            }
        }
        for states in busy {
            self.found.busy |= self.only_reads(&states)?;
            self.look_for_blocked(&states)?;
        }
        Ok(())
    }

    /// What is in memory but for mutexes and spinlocks, which come back to whoever takes them. What
    /// waits in a buffer is not there yet.
    fn but_for_locks(&self, shared: &Shared) -> Shared {
        let mut seen = shared.clone();
        seen.buffers.iter_mut().for_each(Vec::clear);
        for (global, lock) in self.layout.sharing.borrow().locks() {
            seen.globals[global].change(|contents| release(contents, lock));
        }
        for made in seen.made.iter_mut().flatten() {
            if made.get().life == Life::Alive {
                for lock in made.get().locks.clone() {
                    made.change(|made| release(&mut made.contents, lock));
                }
            }
        }
        seen
    }

    /// The state of these in which least is on its way.
    fn quietest(&self, states: &[StateId]) -> StateId {
        let under_way = |&&state: &&StateId| self.under_way(self.shareds.get(self.list(state)[0]));
        states.iter().min_by_key(under_way).copied().unwrap_or(states[0])
    }

    /// How much is on its way: what waits in buffers, and locks that are held.
    fn under_way(&self, shared: &Shared) -> usize {
        let sharing = self.layout.sharing.borrow();
        let held =
            sharing.locks().filter(|&(global, lock)| is_held(shared.globals[global].get(), lock));
        let in_made = shared.made.iter().flatten().flat_map(|made| made.get().held());
        shared.buffers.iter().map(Vec::len).sum::<usize>() + held.count() + in_made.count()
    }

    /// Looks for threads that can make a step in none of these states, which are never left.
    fn look_for_blocked(&mut self, states: &[StateId]) -> Result<(), Stopped> {
        let (still, others) = self.never_move(states)?;
        let list = self.list(states[0]).to_vec();
        let shared = self.shareds.get(list[0]).clone();
        let waits: Vec<(ThreadId, Awaited)> = first_threads(list.len() - 1)
            .filter(|&thread| still & bit(thread) != 0)
            .map(|thread| {
                let local = self.locals.get(list[at(thread)]);
                (thread, awaited(self.layout, local, &shared))
            })
            .collect();
        // Who awaits a thread that goes on does what he should.
        let ended = |thread: ThreadId| shared.endings[thread].0.is_some();
        let blocked = closed(still, &waits, |blocked, awaited| match awaited {
            Awaited::Owner(owner) => blocked & bit(owner) != 0 || ended(owner),
            Awaited::Threads(_) => true,
            Awaited::Other => false,
        });
        if blocked != 0 && self.is_open(Property::Deadlock) {
            let violation = Violation::Finding { kind: FindingKind::Deadlock, place: None };
            let way = Way::new(states[0], ThreadId::MAIN, 0);
            self.violations.insert(Property::Deadlock, (violation, way));
            self.blocked = Some(blocked);
        }
        let starved = others || closed(still, &waits, |_, _| true) != 0;
        self.found.starved |= starved;
        // Those that go on may do so because they wait for those that do not.
        self.found.busy |= starved;
        Ok(())
    }

    /// The threads that have not ended and can make a step in none of these states, a bit for each;
    /// and whether in each of them one of several like threads waits, which may be another one each
    /// time.
    fn never_move(&mut self, states: &[StateId]) -> Result<(Threads, bool), Stopped> {
        let mut still = Threads::MAX;
        let mut groups: Option<BTreeSet<u8>> = None;
        for &state in states {
            let list = self.list(state).to_vec();
            let shared = self.shareds.get(list[0]).clone();
            let mut waiting = BTreeSet::new();
            let mut here = 0;
            for (thread, local) in threads(&list) {
                let waits = self.locals.get(local).thread.is_some()
                    && shared.buffers[thread].is_empty()
                    && self.steps(thread, local, list[0])?.is_empty();
                match shared.alike.has_others(thread) {
                    true if waits => {
                        waiting.insert(shared.alike.first[thread]);
                    }
                    false if waits => here |= bit(thread),
                    _ => {}
                }
            }
            still &= here;
            groups = Some(match groups {
                Some(groups) => &groups & &waiting,
                None => waiting,
            });
        }
        Ok((still, groups.is_some_and(|groups| !groups.is_empty())))
    }

    /// Whether a thread goes on for ever in these states and never changes memory. (Which thread
    /// is which is not known where some are alike.)
    fn only_reads(&mut self, states: &[StateId]) -> Result<bool, Stopped> {
        if self.layout.sharing.borrow().has_like_threads() {
            return Ok(true);
        }
        let (mut runs, mut writes) = (BTreeSet::new(), BTreeSet::new());
        for &state in states {
            let list = self.list(state).to_vec();
            for (thread, local) in threads(&list) {
                for step in self.steps(thread, local, list[0])?.iter() {
                    runs.insert(thread);
                    if matches!(step, Numbers::Next { shared, .. } if *shared != list[0]) {
                        writes.insert(thread);
                    }
                }
            }
        }
        Ok(runs != writes)
    }

    /// Whether a thread can make no step, and is before an atomic section.
    fn waits_at_a_section(&mut self, state: StateId) -> Result<bool, Stopped> {
        let list = self.list(state).to_vec();
        for (index, local) in threads(&list) {
            let thread = self.locals.get(local).thread.as_ref();
            if thread.is_some_and(|thread| thread.at_section(&self.layout.code))
                && self.steps(index, local, list[0])?.is_empty()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Gives a lock back.
fn release(contents: &mut Contents, (offset, width, _): Lock) {
    contents.write(offset as usize, Value::int(width, 0));
}

/// The largest set of these threads in which each waits for what `stays` says, given the set, and
/// awaits only threads of the set.
fn closed(
    mut set: Threads,
    waits: &[(ThreadId, Awaited)],
    stays: impl Fn(Threads, Awaited) -> bool,
) -> Threads {
    loop {
        let before = set;
        for &(thread, awaited) in waits {
            let inside = !matches!(awaited, Awaited::Threads(threads) if threads & !set != 0);
            if !inside || !stays(set, awaited) {
                set &= !bit(thread);
            }
        }
        if set == before {
            return set;
        }
    }
}
