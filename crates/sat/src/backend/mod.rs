//! What a solver has to offer.

mod batsat;
mod batsat_theory;
pub(crate) mod cadical;
mod cadical_theory;
pub(crate) mod trace;

use crate::order::Graph;
use crate::{Limits, Lit};
use std::rc::Rc;

/// What a solver says about a formula under assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// A limit or an interrupt came first.
    Unknown,
}

/// The solvers there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BackendKind {
    /// CaDiCaL 3: preprocessing, proofs, an ordering theory.
    #[default]
    Cadical,
    /// BatSat, a MiniSat in Rust: slower, without proofs, but builds without a C++ compiler.
    Batsat,
}

/// A solver without clauses.
pub(crate) fn new(kind: BackendKind) -> Box<dyn Backend> {
    match kind {
        BackendKind::Cadical => Box::new(cadical::Cadical::new()),
        BackendKind::Batsat => Box::new(batsat::Batsat::new()),
    }
}

/// What a solver has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
}

/// An incremental solver. [`crate::Formula`] is what everybody else uses.
pub trait Backend {
    /// Makes the variables up to this number known.
    fn reserve(&mut self, variables: u32);

    /// Adds a clause of DIMACS numbers, none of them zero.
    fn add_clause(&mut self, clause: &[i32]);

    /// Keeps a graph acyclic. Its variables must be reserved, and newer than the last query.
    fn watch(&mut self, graph: Rc<Graph>);

    /// Looks for a model in which the assumptions hold.
    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Answer;

    /// The value of a literal in the model just found.
    fn value(&mut self, lit: Lit) -> bool;

    /// Whether this assumption was needed for the last [`Answer::Unsat`].
    fn failed(&mut self, assumption: Lit) -> bool;

    /// The value to try first when a variable is decided; a hint that may be ignored.
    fn set_phase(&mut self, lit: Lit);

    /// Work done since the start.
    fn effort(&self) -> Effort;
}
