//! When to give up: time, memory, and somebody who interrupts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// When a solver gives up.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub deadline: Option<Instant>,
    /// Conflicts allowed in one call.
    pub conflicts: Option<u64>,
    pub memory: Option<MemoryLimit>,
    pub interrupter: Interrupter,
}

impl Limits {
    /// Whether it is time to give up, conflicts aside. Once it is, it stays so, unless the
    /// interrupter is reset.
    pub fn expired(&self) -> bool {
        self.interrupter.is_interrupted()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.memory.as_ref().is_some_and(MemoryLimit::is_exceeded)
    }
}

/// How much memory the process may use.
#[derive(Clone, Debug)]
pub struct MemoryLimit(Arc<Usage>);

#[derive(Debug)]
struct Usage {
    bytes: u64,
    started: Instant,
    /// When to measure next, in milliseconds from the start.
    next: AtomicU64,
    exceeded: AtomicBool,
}

/// Measuring costs more than a propagation: it is done only so often, in milliseconds.
const BETWEEN_MEASUREMENTS: u64 = 50;

impl MemoryLimit {
    /// A limit for everything that the process uses.
    pub fn new(bytes: u64) -> Self {
        Self(Arc::new(Usage {
            bytes,
            started: Instant::now(),
            next: AtomicU64::new(0),
            exceeded: AtomicBool::new(false),
        }))
    }

    /// A limit of half as much.
    pub fn half(&self) -> Self {
        Self::new(self.0.bytes / 2)
    }

    /// A limit for a process that nobody has limited: most of the memory that the machine has left,
    /// where that can be found out.
    pub fn of_machine() -> Option<Self> {
        let told = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(Self::new(kibibytes / 8 * 7 * 1024))
    }

    /// Whether more was used at some time that was looked at. Where usage cannot be measured, no.
    pub fn is_exceeded(&self) -> bool {
        let usage = &*self.0;
        let now = usage.started.elapsed().as_millis() as u64;
        if now >= usage.next.load(Ordering::Relaxed) {
            usage.next.store(now + BETWEEN_MEASUREMENTS, Ordering::Relaxed);
            let used = memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64);
            if used > usage.bytes {
                usage.exceeded.store(true, Ordering::Relaxed);
            }
        }
        usage.exceeded.load(Ordering::Relaxed)
    }
}

/// Stops the solvers that know it, from any thread and for good: later calls give up at once.
#[derive(Clone, Debug, Default)]
pub struct Interrupter(Arc<AtomicBool>);

impl Interrupter {
    /// Stops running and later calls of every formula that shares this interrupter.
    pub fn interrupt(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets later calls run again.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether it was asked to stop.
    pub fn is_interrupted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_uses_more_than_a_byte_and_less_than_an_exabyte() {
        assert!(MemoryLimit::new(1).is_exceeded());
        assert!(!MemoryLimit::new(1 << 60).is_exceeded());
        let limits = Limits { memory: Some(MemoryLimit::new(1)), ..Limits::default() };
        assert!(limits.expired() && !Limits::default().expired());
    }
}
