//! BatSat, the MiniSat in Rust, behind our trait.

use super::batsat_theory::Propagator;
use crate::order::Graph;
use crate::{Answer, Backend, Effort, Limits, Lit};
use ::batsat::{Callbacks, ClauseKind, Solver, SolverInterface, SolverOpts, Var, lbool};
use std::cell::Cell;
use std::rc::Rc;

/// BatSat with its default options.
pub(crate) struct Batsat {
    solver: Solver<Expiry>,
    propagator: Propagator,
}

impl Batsat {
    pub(crate) fn new() -> Self {
        Self {
            solver: Solver::new(SolverOpts::default(), Expiry::default()),
            propagator: Propagator::default(),
        }
    }
}

/// BatSat asks this at every decision.
#[derive(Default)]
struct Expiry {
    limits: Limits,
    conflicts: u64,
    asked: Cell<u32>,
    /// BatSat asks again before it gives up: once expired, always expired.
    expired: Cell<bool>,
}

/// Reading the clock costs more than a decision, so it is read once per this many.
const DECISIONS_PER_LOOK: u32 = 64;

impl Callbacks for Expiry {
    fn on_new_clause(&mut self, _: &[::batsat::Lit], kind: ClauseKind) {
        self.conflicts += u64::from(kind == ClauseKind::Learnt);
    }

    fn stop(&self) -> bool {
        self.asked.set(self.asked.get().wrapping_add(1));
        if self.asked.get().is_multiple_of(DECISIONS_PER_LOOK) && self.limits.expired() {
            self.expired.set(true);
        }
        self.expired.get() || self.limits.conflicts.is_some_and(|limit| self.conflicts >= limit)
    }
}

pub(super) fn translated(number: i32) -> ::batsat::Lit {
    ::batsat::Lit::new(Var::unsafe_from_idx(number.unsigned_abs() - 1), number > 0)
}

impl Backend for Batsat {
    fn reserve(&mut self, variables: u32) {
        self.solver.var_of_int(variables - 1);
    }

    fn add_clause(&mut self, clause: &[i32]) {
        let mut clause: Vec<_> = clause.iter().copied().map(translated).collect();
        self.solver.add_clause_reuse(&mut clause);
    }

    fn watch(&mut self, graph: Rc<Graph>) {
        self.propagator.watch(graph);
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Answer {
        *self.solver.cb_mut() = Expiry { limits: limits.clone(), ..Expiry::default() };
        let assumptions: Vec<_> = assumptions.iter().map(|lit| translated(lit.dimacs())).collect();
        match self.solver.solve_limited_th(&mut self.propagator, &assumptions) {
            answer if answer == lbool::TRUE => Answer::Sat,
            answer if answer == lbool::FALSE => Answer::Unsat,
            _ => Answer::Unknown,
        }
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.solver.value_lit(translated(lit.dimacs())) == lbool::TRUE
    }

    /// BatSat keeps, as MiniSat does, the clause that the assumptions violate.
    fn failed(&mut self, assumption: Lit) -> bool {
        self.solver.unsat_core_contains_lit(translated((!assumption).dimacs()))
    }

    /// BatSat takes a phase only when a variable is made: the hint is ignored.
    fn set_phase(&mut self, _: Lit) {}

    fn effort(&self) -> Effort {
        Effort {
            conflicts: self.solver.num_conflicts(),
            decisions: self.solver.num_decisions(),
            propagations: self.solver.num_propagations(),
        }
    }
}
