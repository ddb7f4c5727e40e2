//! The shape of executions of a thread: the same events at the same cells with the same dependencies,
//! differing in values only. A model that does not use values depends on the shape only.

use crate::events::trace::Event;
use crate::memory::world::ValueId;

/// Executions of one thread that differ in values only.
#[derive(Debug)]
pub struct Shape {
    /// The events.
    pub events: Vec<Event>,
    /// For each event, its value in each execution.
    pub values: Vec<Vec<Option<ValueId>>>,
    /// What each execution observed.
    pub observations: Vec<Vec<(String, ValueId)>>,
    /// Whether they ended early, before an access of something that is no address.
    pub stray: bool,
}

impl Shape {
    /// How many executions have this shape.
    pub fn count(&self) -> usize {
        self.observations.len()
    }
}
