//! Groups the executions of a thread by shape: the same events at the same cells with the same
//! dependencies, differing in values only. A model that does not look at values sees the shape.

use crate::trace::{Event, Trace};
use crate::world::ValueId;
use std::collections::HashMap;

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

/// Groups executions by shape.
pub fn shapes(traces: Vec<Trace>) -> Vec<Shape> {
    let mut found: Vec<Shape> = Vec::new();
    let mut index: HashMap<(Vec<Event>, bool), usize> = HashMap::new();
    for trace in traces {
        let key = (trace.events, trace.stray);
        let number = *index.entry(key).or_insert_with_key(|(events, stray)| {
            let values = vec![Vec::new(); events.len()];
            let (events, observations) = (events.clone(), Vec::new());
            found.push(Shape { events, values, observations, stray: *stray });
            found.len() - 1
        });
        let shape = &mut found[number];
        for (column, value) in shape.values.iter_mut().zip(trace.values) {
            column.push(value);
        }
        shape.observations.push(trace.observations);
    }
    found
}
