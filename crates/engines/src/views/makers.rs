//! Threads that wait in loops for other threads, one of which goes on: absence of deadlock for locks
//! that one thread hands to the next.
//!
//! A deadlock is a state in which some threads run and none of them can leave its loop by steps of
//! its own. That what a thread waits for will be done takes another thread, and a pair of threads does
//! not say that there is one. So each operation has an object that it makes, its *descriptor* (a
//! node or a waiter of a queue), and a word in it, which the program cannot see, says whether that
//! operation goes on. If a thread that waits knows an object whose operation goes on, then there is a
//! thread that runs it, both are a known pair, and that pair says what the other thread can do. Where
//! it waits, too, it must be known not to wait for ever, and so on. This ends if
//! - what the other thread waits for has been shown to end before, or
//! - each thread waits for one whose object was published *earlier*: a thread remembers the object
//!   that its own replaced when it was published (the tail of the queue). Of the finitely many threads
//!   of a state, one was first.
//!
//! So: let a deadlock be given. Each of its threads is in the fixpoint, in a pair with each other one,
//! and cannot leave its loop there. If for some object that a thread knows, whose operation goes on,
//! no pair of the fixpoint with the thread that made it has both of them in loops, there is no such
//! deadlock; the pairs in which the other thread is known not to be in any deadlock do not count. A
//! set of threads of which each one has an earlier one, in that set or in no deadlock, would have to
//! be infinite.
//!
//! A mistake here would overlook a deadlock.
//!
//! Soundness S-400 (prove; sc, tso; refuses): That a wait for something else than a lock ends is
//! proved only if an operation has one object that it makes and publishes, if no mutexes are used,
//! and if the thread it waits for, or a later one, is found by that object; else `no deadlock` is `?`.
//! Test: crates/fencepost/tests/prove_waits.rs::a_queue_lock_whose_waiters_cannot_be_followed_is_open.

use super::heap::{Body, Life, MADE, REPLACED};
use super::machine::Machine;
use super::world::{Company, Place, World};
use ir::program::Width;
use ir::value::{RegionId, Value};

impl World<'_> {
    /// The object that a store takes out of a place where others find it.
    pub fn replaced(&self, place: Place, value: Value) -> Option<RegionId> {
        self.machine.rung.makers?;
        if !place.escaped || self.company == Company::Alone || value.width != Width::PTR {
            return None;
        }
        let contents = &self.body(place.region)?.contents;
        let old = contents.read(place.offset as usize, value.width).provenance?;
        self.machine.regions.heap(old).map(|_| old)
    }

    /// The descriptor of the running operation, while no other thread can know it.
    pub fn hidden_descriptor(&self) -> Option<RegionId> {
        self.machine.rung.makers?;
        let made = self.mine.iter().find(|(_, kind)| *kind == MADE)?.0;
        self.body(made).is_some_and(|body| !body.escaped).then_some(made)
    }

    /// Remembers what the descriptor replaced, if it has just been published.
    pub fn keep_replaced(&mut self, hidden: Option<RegionId>, replaced: Option<RegionId>) {
        let (Some(hidden), Some(replaced)) = (hidden, replaced) else { return };
        if self.body(hidden).is_some_and(|body| body.escaped) {
            self.mine.push((replaced, REPLACED));
        }
    }
}

impl Machine<'_> {
    /// Whether an object is known to belong to an operation that goes on.
    pub fn goes_on(&self, body: &Body) -> bool {
        body.life == Life::Alive && self.operation_of(body).is_some()
    }
}

/// An object whose operation goes on, which is not the thread's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    /// Its number for the thread.
    pub object: usize,
    /// Whether it was published before the thread's own was.
    pub earlier: bool,
}

/// A thread that waits in a pair with another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// What each of the two knows, by number.
    pub waits: usize,
    pub other: usize,
    /// The object that the other one's operation made, by its number for the thread that waits.
    pub made: Option<usize>,
    /// Whether the other one waits, too.
    pub both: bool,
}

/// All that matters of threads that wait.
#[derive(Debug)]
pub(super) struct Waiting {
    /// What each thread knows, by number.
    pub knows: Vec<Vec<Candidate>>,
    pub meetings: Vec<Meeting>,
}

impl Waiting {
    /// Whether no thread that waits is in a deadlock.
    pub fn ends(&self) -> bool {
        let mut by_waiter: Vec<Vec<Meeting>> = vec![Vec::new(); self.knows.len()];
        for meeting in &self.meetings {
            by_waiter[meeting.waits].push(*meeting);
        }
        let mut open: Vec<bool> = by_waiter.iter().map(|meetings| !meetings.is_empty()).collect();
        loop {
            let before = open.iter().filter(|open| **open).count();
            if before == 0 {
                return true;
            }
            for waits in 0..open.len() {
                let ends = |candidate: &Candidate| {
                    let mut with = by_waiter[waits].iter().filter(|it| it.is_with(candidate));
                    with.all(|meeting| !meeting.both || !open[meeting.other])
                };
                if open[waits] && self.knows[waits].iter().any(ends) {
                    open[waits] = false;
                }
            }
            let descending = self.descending(&by_waiter, &open);
            for (open, descends) in open.iter_mut().zip(descending) {
                *open &= !descends;
            }
            if open.iter().filter(|open| **open).count() == before {
                return false;
            }
        }
    }

    /// The largest set of threads in which each one waits for an earlier one, of the set or not open.
    fn descending(&self, by_waiter: &[Vec<Meeting>], open: &[bool]) -> Vec<bool> {
        let mut set = open.to_vec();
        loop {
            let mut grew_smaller = false;
            for waits in 0..set.len() {
                let stays = |candidate: &Candidate| {
                    let mut with = by_waiter[waits].iter().filter(|it| it.is_with(candidate));
                    candidate.earlier && with.all(|it| !it.both || !open[it.other] || set[it.other])
                };
                if set[waits] && !self.knows[waits].iter().any(stays) {
                    set[waits] = false;
                    grew_smaller = true;
                }
            }
            if !grew_smaller {
                return set;
            }
        }
    }
}

impl Meeting {
    fn is_with(&self, candidate: &Candidate) -> bool {
        self.made == Some(candidate.object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads that know one object each, which may be earlier than their own, and whose makers they
    /// meet while these wait.
    fn ends(knows: &[Option<bool>], meetings: &[(usize, usize)]) -> bool {
        let candidate = |earlier: &bool| Candidate { object: 7, earlier: *earlier };
        let knows = knows.iter().map(|known| known.iter().map(candidate).collect()).collect();
        let meeting =
            |&(waits, other)| Meeting { waits, other, made: Some(7), both: waits != other };
        Waiting { knows, meetings: meetings.iter().map(meeting).collect() }.ends()
    }

    #[test]
    fn threads_that_each_wait_for_an_earlier_one_are_in_no_deadlock() {
        assert!(ends(&[Some(true), Some(true)], &[(0, 1), (1, 0)]));
        assert!(!ends(&[Some(false), Some(false)], &[(0, 1), (1, 0)]), "each for the other");
        assert!(
            !ends(&[Some(true), Some(false)], &[(0, 1), (1, 0)]),
            "only one for an earlier one"
        );
    }

    #[test]
    fn a_thread_that_waits_for_one_in_no_deadlock_is_in_none() {
        // The last of these meets itself, but not in a loop.
        assert!(ends(&[Some(false), Some(false), Some(false)], &[(0, 1), (1, 2), (2, 2)]));
        assert!(!ends(&[Some(false), Some(false), None], &[(0, 1), (1, 2), (2, 2)]));
    }

    #[test]
    fn a_thread_that_waits_alone_is_in_a_deadlock() {
        assert!(!ends(&[None], &[(0, 0)]));
        assert!(ends(&[], &[]));
    }
}
