//! One program, form, model and N, verified in a process of its own, so that its processor time
//! can be limited.

use crate::root;
use engines::verification::Property;
use execution::verdict::{Reason, Verdict};
use fencepost::evidence::Wanted;
use fencepost::verify::cell::{Context, verify};
use fencepost::verify::plan::{Request, plan};
use sat::Interrupter;
use serde::{Deserialize, Serialize};
use std::process::{Command, Stdio};
use std::time::Duration;

/// What to verify.
#[derive(Serialize, Deserialize)]
pub struct Cell {
    /// The program, by name.
    pub program: String,
    /// Macros.
    pub defines: Vec<String>,
    /// Whether to ask for coverage, and not for assertions.
    pub coverage: bool,
    /// The size.
    pub n: u32,
    /// The model.
    pub model: String,
}

/// What came of it.
#[derive(Default, Serialize, Deserialize)]
pub struct Measured {
    /// `holds`, `violated`, `complete` (for coverage), or why there is neither.
    pub verdict: String,
    /// Processor seconds in total.
    pub seconds: f64,
    /// States that were visited; where these answer, the solver is not asked.
    pub states: usize,
    /// Conflicts of the solver.
    pub conflicts: u64,
    /// Variables of the last formula.
    pub variables: u64,
    /// Clauses of the last formula.
    pub clauses: u64,
    /// Accesses to shared memory.
    pub accesses: usize,
}

impl Measured {
    fn without_figures(verdict: String) -> Self {
        Self { verdict, ..Self::default() }
    }
}

/// Verifies in a child process, for a number of processor seconds at most.
pub fn measure(cell: &Cell, limit: u64) -> Measured {
    attempt(cell, limit).unwrap_or_else(Measured::without_figures)
}

fn attempt(cell: &Cell, limit: u64) -> Result<Measured, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let text = serde_json::to_string(cell).map_err(|e| e.to_string())?;
    let output = Command::new(program)
        .args(["satcheck-cell", &text, &limit.to_string()])
        .stdin(Stdio::null())
        .output()
        .map_err(|e| e.to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let errors = String::from_utf8_lossy(&output.stderr);
        let line = errors.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        format!("ended with {}: {line}", output.status)
    })
}

/// What a child process does: verifies and prints what came of it.
pub fn child(cell: &str, limit: u64) -> bool {
    let interrupter = Interrupter::default();
    crate::timing::limit_process(limit, interrupter.clone(), || {
        print(&Measured::without_figures("out of time".to_string()));
    });
    let measured = match serde_json::from_str(cell) {
        Ok(cell) => ask(&cell, &interrupter).unwrap_or_else(Measured::without_figures),
        Err(error) => Measured::without_figures(error.to_string()),
    };
    print(&measured)
}

fn print(measured: &Measured) -> bool {
    match serde_json::to_string(measured) {
        Ok(text) => {
            println!("{text}");
            true
        }
        Err(_) => false,
    }
}

fn ask(cell: &Cell, interrupter: &Interrupter) -> Result<Measured, String> {
    let mut defines = cell.defines.clone();
    defines.push(format!("N={}", cell.n));
    let request = Request {
        models: vec![cell.model.clone()],
        properties: if cell.coverage { Vec::new() } else { vec![Property::Assert] },
        coverage: cell.coverage,
        c: fencepost::compile::COptions { defines, ..Default::default() },
        // The loops of the programs run N times.
        max_unroll: Some(cell.n.max(16) + 1),
        time_limit: Some(Duration::from_secs(24 * 3600)),
        ..Request::default()
    };
    let path = root().join(format!("benchmarks/satcheck/{}.c", cell.program));
    let subject = plan(&path, &request).map_err(|_| "it does not compile".to_string())?;
    let context = Context {
        interrupter,
        evidence: &Wanted::default(),
        name: "",
        progress: &|_| {},
        publish: &|_| {},
    };
    let answer = verify(&subject, &subject.models[0], context);
    let outcome = match cell.coverage {
        true => Some(&answer.rest.verdict),
        false => answer.outcomes.first().map(|(_, outcome)| &outcome.verdict),
    };
    let verdict = match outcome {
        Some(Verdict::Holds) if cell.coverage => "complete".to_string(),
        Some(outcome) => verdict(outcome),
        None => "no answer".to_string(),
    };
    let statistics = &answer.statistics;
    Ok(Measured {
        verdict,
        seconds: crate::timing::process_seconds().unwrap_or(answer.seconds),
        states: statistics.states,
        conflicts: statistics.conflicts,
        variables: statistics.variables,
        clauses: statistics.clauses,
        accesses: statistics.loads + statistics.stores,
    })
}

fn verdict(outcome: &Verdict) -> String {
    match outcome {
        Verdict::Holds => "holds".to_string(),
        Verdict::HoldsWithinBounds(_) => "holds within bounds".to_string(),
        Verdict::Vacuous(..) => "has no executions".to_string(),
        Verdict::Violated(_) => "violated".to_string(),
        Verdict::Inconclusive(Reason::Unsupported { what, .. }, _) => format!("refused: {what}"),
        Verdict::Inconclusive(Reason::Mismatch(what), _) => {
            // The program's path on this machine is left out.
            format!("our mistake: {}", what.split(" (at ").next().unwrap_or_default())
        }
        Verdict::Inconclusive(..) => "out of time".to_string(),
    }
}
