//! Processor time of the whole process, which other processes on the machine disturb less than time
//! on the clock.

use sat::Interrupter;
use std::time::Duration;

/// The ticks of a second in `/proc/self/stat` (Linux).
const TICKS: u64 = 100;
/// How much longer than its limit a process may take to end by itself.
const PATIENCE: f64 = 1.2;

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
    seconds_from(11)
}

/// The processor time of the processes that this one has started and awaited (Linux).
pub fn children_seconds() -> f64 {
    seconds_from(13).unwrap_or_default()
}

/// The sum of two fields of `/proc/self/stat` after the name of the program.
fn seconds_from(field: usize) -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, in parentheses, may hold blanks.
    let mut fields = text.rsplit(')').next()?.split_whitespace().skip(field);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some((user + system) as f64 / TICKS as f64)
}
