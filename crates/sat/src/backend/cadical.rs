//! CaDiCaL behind our trait.

use super::cadical_theory::Shared;
use crate::order::Graph;
use crate::{Answer, Backend, Effort, Limits, Lit, ProofError, ProofFormat};
use cadical_sys::{CaDiCal, Status, Terminator};
use std::cell::Cell;
use std::panic::resume_unwind;
use std::path::Path;
use std::rc::Rc;

/// CaDiCaL with its default options but a few.
pub(crate) struct Cadical {
    solver: CaDiCal,
    /// Connected when the first graph comes.
    propagator: Option<Shared>,
    /// A proof must be on disk when an answer is given.
    proof: bool,
}

impl Cadical {
    pub(crate) fn new() -> Self {
        let mut solver = CaDiCal::new();
        // A model guessed at first sight would not respect the phases that were asked for.
        solver.set("lucky", 0);
        // Many short queries: looking again at the whole formula as often as usual takes a tenth of
        // the time and saves few conflicts (`benchmarks/harris.md`).
        solver.set("inprobeint", 1000);
        // A tenth of the conflicts less (`benchmarks/harris.md`).
        solver.set("chrono", 0);
        Self { solver, propagator: None, proof: false }
    }
}

/// Solves a DIMACS file and writes a proof. Read from a file, clauses have in an LRAT proof the
/// numbers that they have in the file.
pub(crate) fn prove(
    formula: &Path,
    proof: &Path,
    format: ProofFormat,
    limits: &Limits,
) -> Result<Answer, ProofError> {
    let mut solver = Cadical::new();
    solver.log_proof(proof, format)?;
    let unreadable = || ProofError::Unwritable(formula.to_owned());
    let path = formula.to_str().ok_or_else(unreadable)?;
    solver.solver.read_dimacs2(path, &mut 0, 2).map_err(|_| unreadable())?;
    Ok(solver.solve(&[], limits))
}

/// CaDiCaL asks this regularly.
struct Expiry {
    limits: Limits,
    stop: Rc<Cell<bool>>,
}

impl Terminator for Expiry {
    fn terminated(&mut self) -> bool {
        self.stop.get() || self.limits.expired()
    }
}

impl Backend for Cadical {
    fn reserve(&mut self, variables: u32) {
        self.solver.resize(Lit::positive(variables).dimacs());
    }

    fn add_clause(&mut self, clause: &[i32]) {
        for &number in clause {
            self.solver.add(number);
        }
        self.solver.add(0);
    }

    fn watch(&mut self, graph: Rc<Graph>) {
        if self.propagator.is_none() {
            let shared = Shared::default();
            self.solver.connect_external_propagator(shared.clone());
            self.propagator = Some(shared);
        }
        for edge in &graph.edges {
            self.solver.add_observed_var(Lit::positive(edge.lit.variable()).dimacs());
        }
        if let Some(shared) = &self.propagator {
            shared.borrow_mut().watch(graph);
        }
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Answer {
        for lit in assumptions {
            self.solver.assume(lit.dimacs());
        }
        if let Some(conflicts) = limits.conflicts {
            self.solver.limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
        }
        let stop = self.propagator.as_ref().map(|shared| shared.borrow().stop_flag());
        let expiry = Expiry { limits: limits.clone(), stop: stop.unwrap_or_default() };
        self.solver.connect_terminator(expiry);
        let status = self.solver.solve();
        self.solver.disconnect_terminator();
        if let Some(panic) = self.propagator.as_ref().and_then(|p| p.borrow_mut().take_panic()) {
            resume_unwind(panic);
        }
        if self.proof {
            self.solver.flush_proof_trace(false);
        }
        match status {
            Status::SATISFIABLE => Answer::Sat,
            Status::UNSATISFIABLE => Answer::Unsat,
            Status::UNKNOWN => Answer::Unknown,
        }
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.solver.val(lit.dimacs()) > 0
    }

    fn failed(&mut self, assumption: Lit) -> bool {
        self.solver.failed(assumption.dimacs())
    }

    fn set_phase(&mut self, lit: Lit) {
        self.solver.phase(lit.dimacs());
    }

    fn effort(&self) -> Effort {
        let count = |name| u64::try_from(self.solver.get_statistic_value(name)).unwrap_or(0);
        Effort {
            conflicts: count("conflicts"),
            decisions: count("decisions"),
            propagations: count("propagations"),
        }
    }

    fn log_proof(&mut self, path: &Path, format: ProofFormat) -> Result<(), ProofError> {
        let text = path.to_str().ok_or_else(|| ProofError::Unwritable(path.to_owned()))?;
        self.solver.set("binary", 0);
        self.solver.set("lrat", i32::from(format == ProofFormat::Lrat));
        if !self.solver.trace_proof2(text) {
            return Err(ProofError::Unwritable(path.to_owned()));
        }
        self.proof = true;
        Ok(())
    }
}
