//! How much memory the process may use.
//!
//! Soundness S-163 (all; all; refuses): Where the system limits the address space (`ulimit -v`),
//! three quarters of it are a limit, too, and a single allocation past the rest ends the process.
//! Test:
//! crates/fencepost/tests/limits.rs::an_object_that_is_written_everywhere_is_out_of_memory_and_not_an_abort.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// A limit for everything that the process uses, and for its address space where the system limits
/// that (`ulimit -v`): there, an allocation that fails would end the process.
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

/// Measuring costs more than a propagation: this is the pause between two measurements, in milliseconds.
const BETWEEN_MEASUREMENTS: u64 = 50;

impl MemoryLimit {
    /// A limit in bytes.
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

    /// A limit for a process that has none: most of the memory that the machine has left, where
    /// that can be found out.
    pub fn of_machine() -> Option<Self> {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(Self::new(kibibytes / 8 * 7 * 1024))
    }

    /// Measures whether so much is used that all of it may be gone before anything is given up.
    pub fn is_far_exceeded(&self) -> bool {
        memory_stats::memory_stats().is_some_and(|used| {
            used.physical_mem as u64 > self.0.bytes / 4 * 5
                || most_address_space().is_some_and(|most| used.virtual_mem as u64 > most / 6 * 7)
        })
    }

    /// Whether more was used at some time that was measured. Where usage cannot be measured, no.
    pub fn is_exceeded(&self) -> bool {
        let usage = &*self.0;
        let now = usage.started.elapsed().as_millis() as u64;
        if now >= usage.next.load(Ordering::Relaxed) {
            usage.next.store(now + BETWEEN_MEASUREMENTS, Ordering::Relaxed);
            self.has_room(0);
        }
        usage.exceeded.load(Ordering::Relaxed)
    }

    /// Measures whether this many more bytes would be allowed; if not, the limit counts as exceeded.
    pub fn has_room(&self, bytes: u64) -> bool {
        let Some(used) = memory_stats::memory_stats() else { return true };
        let space = most_address_space();
        let has_room = (used.physical_mem as u64).saturating_add(bytes) <= self.0.bytes
            && space.is_none_or(|most| (used.virtual_mem as u64).saturating_add(bytes) <= most);
        if !has_room {
            self.0.exceeded.store(true, Ordering::Relaxed);
        }
        has_room
    }
}

/// How much address space to use, if the system limits it: three quarters, since tables grow by
/// doubling between two measurements.
fn most_address_space() -> Option<u64> {
    static MOST: OnceLock<Option<u64>> = OnceLock::new();
    *MOST.get_or_init(|| {
        let text = std::fs::read_to_string("/proc/self/limits").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
        let bytes: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(bytes / 4 * 3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_uses_more_than_a_byte_and_less_than_an_exabyte() {
        assert!(MemoryLimit::new(1).is_exceeded());
        assert!(!MemoryLimit::new(1 << 60).is_exceeded());
    }

    #[test]
    fn what_has_no_room_is_out_of_memory_from_then_on() {
        let limit = MemoryLimit::new(1 << 60);
        assert!(limit.has_room(1 << 40) && !limit.is_exceeded());
        assert!(!limit.has_room(1 << 60) && limit.is_exceeded());
    }
}
