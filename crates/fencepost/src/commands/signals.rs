//! Signals that ask the process to end, and one that would end it for a full disk.
//!
//! `SIGINT` (Ctrl-C), `SIGTERM` (`timeout`, a scheduler) and `SIGHUP` (a terminal that goes away)
//! are the same to us: the first lets a command end in good order, with what is known so far; the
//! second ends the process at once.

pub use unix::{keep_errors, on_termination};

#[cfg(unix)]
mod unix {
    use super::super::exit;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// A write past a limit on the size of files gives an error, as every other write does that is
    /// not possible, instead of ending the process.
    pub fn keep_errors() {
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }

    /// Calls `stop` at the first signal, from another thread; the second ends the process.
    pub fn on_termination(stop: impl Fn() + Send + 'static) {
        let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
        // Without a handler a signal still ends the process, only without last words.
        let Ok(mut signals) = Signals::new(signals) else { return };
        let wait = move || {
            let mut arrived = signals.forever();
            if arrived.next().is_some() {
                stop();
            }
            if let Some(signal) = arrived.next() {
                std::process::exit(i32::from(exit::SIGNAL) + signal);
            }
        };
        let _ = std::thread::Builder::new().name("signals".into()).spawn(wait);
    }

    /// Whether the parent process wants this one to survive the signal, as `nohup` does.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }
}

#[cfg(not(unix))]
mod unix {
    /// Nothing to do.
    pub fn keep_errors() {}

    /// Signals end the process, without last words.
    pub fn on_termination(_: impl Fn() + Send + 'static) {}
}
