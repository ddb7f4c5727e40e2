//! Starts `fencepost` so that it listens to signals, and sends them once it is ready.

use std::fs;
use std::process::{Child, Command};
use std::time::Duration;

/// How long a machine may take to start a process, in polls of ten milliseconds: two minutes.
const POLLS: usize = 12_000;

/// `SIGINT`, as its bit in the mask of the signals that a process handles.
const INTERRUPT: u64 = 1 << 1;
/// `SIGTERM`, likewise.
const TERMINATE: u64 = 1 << 14;

/// The program, deaf to no signal: what a shell starts in the background ignores `SIGINT`, which its
/// children inherit, the tests among them.
pub fn fencepost() -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=INT,HUP", env!("CARGO_BIN_EXE_fencepost")]);
    command
}

/// Waits until the process has its handlers for signals; one that has none would be killed.
pub fn await_handlers(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    for _ in 0..POLLS {
        let text = fs::read_to_string(&status).expect("it runs");
        let mask = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a mask");
        let mask = u64::from_str_radix(mask.trim(), 16).expect("hexadecimal");
        if mask & INTERRUPT != 0 && mask & TERMINATE != 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the process has no handlers for signals");
}

/// Sends a signal, such as `-TERM`.
pub fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill starts").success());
}
