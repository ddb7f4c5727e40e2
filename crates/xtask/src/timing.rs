//! Processor time, which other processes on the machine disturb less than time on the clock.

use sat::Interrupter;
use std::time::{Duration, Instant};

/// The ticks of a second in `/proc/self/stat` (Linux).
const TICKS: u64 = 100;
/// How much longer than its limit a process may take to come to an end by itself.
const PATIENCE: f64 = 1.2;

/// Measures what the running thread spends on a processor.
pub struct Stopwatch {
    processor: Option<Duration>,
    clock: Instant,
}

impl Stopwatch {
    /// Starts measuring.
    pub fn start() -> Self {
        Self { processor: processor_time(), clock: Instant::now() }
    }

    /// The time since the start; on the clock where the system does not tell processor time.
    pub fn elapsed(&self) -> Duration {
        match (self.processor, processor_time()) {
            (Some(start), Some(now)) => now.saturating_sub(start),
            _ => self.clock.elapsed(),
        }
    }
}

/// What the running thread has spent on a processor so far (Linux).
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Interrupts when this process has had its processor seconds; ends it, after `give_up`, if that
/// does not help.
pub fn limit_process(limit: u64, interrupter: Interrupter, give_up: impl Fn() + Send + 'static) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(50));
            let spent = process_seconds().unwrap_or_default();
            if spent > limit as f64 {
                interrupter.interrupt();
            }
            if spent > limit as f64 * PATIENCE {
                give_up();
                std::process::exit(0);
            }
        }
    });
}

/// The processor time of this process (Linux).
pub fn process_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may hold blanks.
    let mut fields = text.rsplit(')').next()?.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some((user + system) as f64 / TICKS as f64)
}
