//! What is to be found out about a program.

use super::Property;
use super::outcomes::Asked;

/// What is to be found out about a program.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// The properties to check.
    pub properties: Vec<Property>,
    /// What of all that can be observed is to be found.
    pub outcomes: Asked,
    /// Whether to find what executions reach.
    pub coverage: bool,
    /// Whether to find an execution for each result of an operation that is known from runs alone, too.
    pub results: bool,
    /// Whether to count executions.
    pub count: bool,
    /// Whether to find out if undefined values are used, since the properties do not say it.
    pub undefined: bool,
}

impl Questions {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty() && !self.asks_for_behaviours()
    }

    /// Whether something but properties is asked.
    pub fn asks_for_behaviours(&self) -> bool {
        self.outcomes.is_some() || self.coverage || self.count
    }
}
