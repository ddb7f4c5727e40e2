//! Each cell in a process of its own, so that its memory can be measured and its time limited.

use super::cell::{Answer, Cell, Measured, check};
use sat::Interrupter;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The ticks of a second in `/proc/self/stat` (Linux).
const TICKS: u64 = 100;
/// How much longer than its limit a process may take to come to an end by itself.
const PATIENCE: f64 = 1.2;

/// Checks a cell in a child process, for so many processor seconds at most.
pub fn measure(cell: &Cell, limit: u64) -> Measured {
    match attempt(cell, limit) {
        Ok(measured) => measured,
        Err(error) => without_figures(Answer::Bug(error)),
    }
}

fn attempt(cell: &Cell, limit: u64) -> Result<Measured, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let text = serde_json::to_string(cell).map_err(|e| e.to_string())?;
    let output = Command::new(program)
        .args(["papers-cell", &text, &limit.to_string()])
        .stdin(Stdio::null())
        .output()
        .map_err(|e| e.to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let errors = String::from_utf8_lossy(&output.stderr);
        let last = errors.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        format!("the check ended with {}: {last}", output.status)
    })
}

/// What a child process does: checks the cell and prints what came of it.
pub fn run(cell: &str, limit: u64) -> bool {
    let cell: Cell = match serde_json::from_str(cell) {
        Ok(cell) => cell,
        Err(error) => {
            eprintln!("{error}");
            return false;
        }
    };
    let interrupter = Interrupter::default();
    watch(interrupter.clone(), limit);
    match check(&cell, &interrupter) {
        Ok(measured) => print(measured),
        Err(error) => {
            eprintln!("{error}");
            false
        }
    }
}

/// Interrupts the check when the time is over; ends the process if that does not help.
fn watch(interrupter: Interrupter, limit: u64) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(50));
            let spent = processor_seconds().unwrap_or_default();
            if spent > limit as f64 {
                interrupter.interrupt();
            }
            if spent > limit as f64 * PATIENCE {
                print(without_figures(Answer::OutOfTime));
                std::process::exit(0);
            }
        }
    });
}

fn print(measured: Measured) -> bool {
    let measured = Measured { memory: peak_memory(), ..measured };
    match serde_json::to_string(&measured) {
        Ok(text) => {
            println!("{text}");
            true
        }
        Err(_) => false,
    }
}

fn without_figures(answer: Answer) -> Measured {
    Measured {
        answer,
        accesses: (0, 0),
        formula: (0, 0),
        conflicts: 0,
        rounds: 0,
        observations: 0,
        solver: 0.0,
        outside: 0.0,
        memory: None,
    }
}

/// The processor time of this process (Linux).
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may hold blanks.
    let mut fields = text.rsplit(')').next()?.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some((user + system) as f64 / TICKS as f64)
}

/// The most memory that this process has had, in MiB (Linux).
fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes.div_ceil(1024))
}
