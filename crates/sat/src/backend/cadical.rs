//! CaDiCaL behind our trait.

use super::cadical_theory::Shared;
use super::trace::Trace;
use crate::order::Graph;
use crate::{Answer, Backend, Effort, Limits, Lit, ProofFormat};
use cadical_sys::{CaDiCal, Status, Terminator};
use std::cell::{Cell, RefCell};
use std::io;
use std::panic::resume_unwind;
use std::path::Path;
use std::rc::Rc;

/// CaDiCaL with its default options but a few.
pub(crate) struct Cadical {
    solver: CaDiCal,
    /// Connected when the first graph comes.
    propagator: Option<Shared>,
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
        Self { solver, propagator: None }
    }
}

/// Solves a DIMACS file and traces a proof. Read from a file, clauses have in an LRAT proof the
/// numbers that they have in the file.
pub(crate) fn prove(formula: &Path, trace: Trace, limits: &Limits) -> io::Result<(Answer, Trace)> {
    let mut solver = Cadical::new();
    let lrat = trace.format() == ProofFormat::Lrat;
    solver.solver.set("lrat", i32::from(lrat));
    let trace = Rc::new(RefCell::new(trace));
    solver.solver.connect_proof_tracer1(trace.clone(), lrat, false);
    let path = formula.to_str().ok_or_else(|| io::Error::other("its name is not UTF-8"))?;
    solver.solver.read_dimacs2(path, &mut 0, 2).map_err(io::Error::other)?;
    let answer = solver.solve(&[], limits);
    drop(solver);
    let trace = Rc::into_inner(trace).expect("the solver is gone, and with it its tracer");
    Ok((answer, trace.into_inner()))
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
}
