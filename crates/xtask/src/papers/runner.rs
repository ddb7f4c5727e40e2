//! Measures cells one after the other or a few at a time, and remembers what came out.

use super::cell::{Answer, Cell, Measured};
use super::child::measure;
use crate::root;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

/// Measures cells, each once.
pub struct Runner {
    limit: u64,
    pool: rayon::ThreadPool,
    known: Mutex<HashMap<Cell, Measured>>,
}

/// A line of the file that keeps the figures of a run that was broken off.
#[derive(Serialize, Deserialize)]
struct Line {
    limit: u64,
    cell: Cell,
    measured: Measured,
}

impl Runner {
    /// A runner that gives each cell a number of processor seconds, `jobs` at a time. With
    /// `resume`, figures of an earlier run are taken as they are, unless they ran out of a shorter
    /// time.
    pub fn new(limit: u64, jobs: usize, resume: bool) -> Result<Runner, String> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.max(1)).build();
        let known = if resume { kept(limit) } else { HashMap::new() };
        if !resume {
            let _ = std::fs::remove_file(path());
        }
        Ok(Runner { limit, pool: pool.map_err(|e| e.to_string())?, known: Mutex::new(known) })
    }

    /// The figures of these cells.
    pub fn all(&self, cells: &[Cell]) -> Vec<Measured> {
        self.pool.install(|| cells.par_iter().with_max_len(1).map(|cell| self.one(cell)).collect())
    }

    /// The figures of a cell.
    pub fn one(&self, cell: &Cell) -> Measured {
        if let Some(measured) = self.known.lock().ok().and_then(|known| known.get(cell).cloned()) {
            return measured;
        }
        let measured = measure(cell, self.limit);
        let without = match cell.without_fence {
            Some(number) => format!(" without fence {number}"),
            None => String::new(),
        };
        let Cell { file, test, model, .. } = cell;
        let Measured { answer, solver, outside, .. } = &measured;
        let answer = answer.short();
        eprintln!("{file}{without} {test} {model}: {answer} ({solver:.1} + {outside:.1} s)");
        self.keep(cell, &measured);
        measured
    }

    fn keep(&self, cell: &Cell, measured: &Measured) {
        let Ok(mut known) = self.known.lock() else { return };
        known.insert(cell.clone(), measured.clone());
        let line = Line { limit: self.limit, cell: cell.clone(), measured: measured.clone() };
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path());
        if let (Ok(mut file), Ok(text)) = (file, serde_json::to_string(&line)) {
            let _ = writeln!(file, "{text}");
        }
    }
}

fn path() -> PathBuf {
    root().join("target/papers.jsonl")
}

fn kept(limit: u64) -> HashMap<Cell, Measured> {
    let text = std::fs::read_to_string(path()).unwrap_or_default();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
    let useful = |line: &Line| match line.measured.answer {
        Answer::OutOfTime => line.limit >= limit,
        Answer::Bug(_) | Answer::Unsupported(_) => false,
        _ => true,
    };
    lines.filter(useful).map(|line| (line.cell, line.measured)).collect()
}
