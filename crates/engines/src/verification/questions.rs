//! What is to be found out about a program.

use super::outcomes::Asked;
use super::{Interleavings, Property};
use std::sync::Arc;

/// By which engines a program is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineChoice {
    /// Its states are visited if they are not too many; what is left is for the solver.
    #[default]
    Either,
    /// Its states are visited, however many they are.
    States,
    /// The solver.
    Solver,
}

/// What is to be found out about a program.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// The properties to check.
    pub properties: Vec<Property>,
    /// What of all that can be observed is to be found.
    pub outcomes: Asked,
    /// Whether to find what executions reach.
    pub coverage: bool,
    /// By which engine.
    pub engine: EngineChoice,
    /// Whether to find out if undefined values are used, since the properties do not say it.
    pub undefined: bool,
    /// What the first interleavings show, which those who ask about other models may know.
    pub interleavings: Arc<Interleavings>,
}

impl Questions {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty() && !self.outcomes.is_some() && !self.coverage
    }
}
