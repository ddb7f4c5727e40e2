//! When to give up: time, memory and interruption, in one type that every long loop polls.
//!
//! A poll costs a few dozen nanoseconds: a load, a read of the clock, and every
//! [`BETWEEN_MEASUREMENTS`] milliseconds a measurement of memory. Loops whose bodies are shorter
//! than that poll through a [`Poll`].
//!
//! Soundness S-162 (all; all; refuses): `--time-limit` and `--memory-limit` are polled, and a
//! thread that does not poll is abandoned; what was found and not replayed in time is `?`. Test:
//! crates/fencepost/tests/limits.rs::a_long_execution_that_was_found_is_replayed_within_the_limit,
//! crates/api/src/watch.rs::work_that_keeps_no_limit_is_ended_with_what_it_published.

mod memory;

pub use memory::MemoryLimit;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// When to give up.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub deadline: Option<Instant>,
    /// Conflicts allowed in one call of a solver.
    pub conflicts: Option<u64>,
    pub memory: Option<MemoryLimit>,
    pub interrupter: Interrupter,
}

/// Which limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exceeded {
    Time,
    Memory,
    Interrupted,
}

impl Limits {
    /// Whether it is time to give up, conflicts aside. Once it is, it stays so, unless the
    /// interrupter is reset.
    pub fn expired(&self) -> bool {
        self.interrupter.is_interrupted()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.memory.as_ref().is_some_and(MemoryLimit::is_exceeded)
    }

    /// Which limit is reached, if one is.
    pub fn exceeded(&self) -> Option<Exceeded> {
        if self.interrupter.is_interrupted() {
            return Some(Exceeded::Interrupted);
        }
        if self.memory.as_ref().is_some_and(MemoryLimit::is_exceeded) {
            return Some(Exceeded::Memory);
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        late.then_some(Exceeded::Time)
    }

    /// Limits for finishing what was found within these: so much longer, from now on if a limit is
    /// reached already.
    pub fn afterwards(&self, by: Duration) -> Self {
        let now = Instant::now();
        match self.exceeded() {
            None => Self {
                deadline: self.deadline.map(|deadline| deadline.max(now) + by),
                memory: self.memory.clone(),
                ..Self::default()
            },
            Some(_) => Self { deadline: Some(now + by), ..Self::default() },
        }
    }

    /// Whether this many more bytes would stay within the limit of memory; if not, the limit counts
    /// as exceeded from now on. To be asked before a large allocation.
    pub fn has_room(&self, bytes: u64) -> bool {
        self.memory.as_ref().is_none_or(|memory| memory.has_room(bytes))
    }
}

/// Polls limits in a short loop: only once every `interval` calls, and for the first time at once.
pub struct Poll<'l> {
    limits: &'l Limits,
    interval: u32,
    left: Cell<u32>,
}

impl<'l> Poll<'l> {
    /// Polls these limits.
    pub fn new(limits: &'l Limits, interval: u32) -> Self {
        Self { limits, interval, left: Cell::new(1) }
    }

    /// The limits.
    pub fn limits(&self) -> &'l Limits {
        self.limits
    }

    /// Whether a limit was reached when it was last checked.
    #[inline]
    pub fn expired(&self) -> bool {
        let left = self.left.get() - 1;
        if left > 0 {
            self.left.set(left);
            return false;
        }
        match self.limits.expired() {
            // Asked again, it says so again.
            true => self.left.set(1),
            false => self.left.set(self.interval),
        }
        self.left.get() == 1
    }
}

/// Stops everything that knows it, from any thread and for good: later calls give up at once.
///
/// It counts how often it may still be polled: [`NEVER`] is not counted down, and zero means stop.
#[derive(Clone, Debug)]
pub struct Interrupter(Arc<AtomicU64>);

/// Polls are not counted.
const NEVER: u64 = u64::MAX;

impl Default for Interrupter {
    fn default() -> Self {
        Self::after(NEVER)
    }
}

impl Interrupter {
    /// One that stops by itself at the poll after so many: work is cut short at the same place each
    /// time, however fast the machine is.
    pub fn after(polls: u64) -> Self {
        Self(Arc::new(AtomicU64::new(polls)))
    }

    /// Stops running and later calls of everything that shares this interrupter.
    pub fn interrupt(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Lets later calls run again.
    pub fn reset(&self) {
        self.0.store(NEVER, Ordering::Relaxed);
    }

    /// Whether it was asked to stop.
    pub fn is_interrupted(&self) -> bool {
        match self.0.load(Ordering::Relaxed) {
            0 => true,
            NEVER => false,
            left => {
                // Another thread may poll or interrupt at the same time: zero stays zero.
                let next = left - 1;
                let _ = self.0.compare_exchange(left, next, Ordering::Relaxed, Ordering::Relaxed);
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_says_which_it_is() {
        assert_eq!(Limits::default().exceeded(), None);
        let memory = Limits { memory: Some(MemoryLimit::new(1)), ..Limits::default() };
        assert_eq!((memory.expired(), memory.exceeded()), (true, Some(Exceeded::Memory)));
        let late = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        assert_eq!((late.expired(), late.exceeded()), (true, Some(Exceeded::Time)));
        late.interrupter.interrupt();
        assert_eq!(late.exceeded(), Some(Exceeded::Interrupted));
        for limits in [late, memory] {
            assert_eq!(limits.afterwards(Duration::from_secs(1000)).exceeded(), None);
            let over = limits.afterwards(Duration::ZERO);
            assert_eq!(over.exceeded(), Some(Exceeded::Time));
        }
        assert_eq!(Limits::default().afterwards(Duration::ZERO).exceeded(), None);
    }

    #[test]
    fn an_interrupter_that_counts_stops_after_so_many_polls() {
        let interrupter = Interrupter::after(2);
        let shared = interrupter.clone();
        assert!(!interrupter.is_interrupted() && !shared.is_interrupted());
        assert!(interrupter.is_interrupted() && shared.is_interrupted());
        interrupter.reset();
        assert!(!shared.is_interrupted());
    }

    #[test]
    fn a_poll_measures_first_and_then_once_per_interval() {
        let limits = Limits::default();
        let poll = Poll::new(&limits, 3);
        assert!(!poll.expired());
        limits.interrupter.interrupt();
        let answers: Vec<bool> = (0..4).map(|_| poll.expired()).collect();
        assert_eq!(answers, [false, false, true, true]);
    }
}
