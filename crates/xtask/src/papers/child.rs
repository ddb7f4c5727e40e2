//! Each cell in a process of its own, so that its memory can be measured and its time limited.

use super::cell::{Answer, Cell, Measured, check};
use crate::timing::limit_process;
use sat::Interrupter;
use std::process::{Command, Stdio};

/// Checks a cell in a child process, for a number of processor seconds at most.
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
    limit_process(limit, interrupter.clone(), || {
        print(without_figures(Answer::OutOfTime));
    });
    match check(&cell, &interrupter) {
        Ok(measured) => print(measured),
        Err(error) => {
            eprintln!("{error}");
            false
        }
    }
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
        instructions: 0,
        accesses: (0, 0),
        formula: (0, 0),
        conflicts: 0,
        rounds: 0,
        observations: 0,
        solver: 0.0,
        outside: 0.0,
        earlier: (0.0, 0.0),
        memory: None,
    }
}

/// The most memory that this process has had, in MiB (Linux).
fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes.div_ceil(1024))
}
