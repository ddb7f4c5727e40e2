//! Groups the executions of a thread by shape.

use replay::events::shape::Shape;
use replay::events::trace::{Event, Trace};
use std::collections::HashMap;

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
