//! The observation of a run of a composed test, from what its threads recorded.

use crate::test::compose::{Composed, InstanceId};
use execution::event::ThreadId;
use execution::ids::Id;
use execution::observation::{Observation, Seen};
use ir::step::world::{Record, Recorded};
use std::collections::HashMap;

/// The observation of a run of a composed test, from what its threads recorded. Operations that
/// the run did not reach have shown nothing.
pub fn observed(composed: &Composed, records: &[Record]) -> Observation {
    let mut observation = vec![Vec::new(); composed.instances.len()];
    let mut running: HashMap<ThreadId, InstanceId> = HashMap::new();
    for Record { thread, what } in records {
        match what {
            Recorded::Began(name, _) => {
                running.extend(composed.instance_named(name).map(|operation| (*thread, operation)));
            }
            Recorded::Observed(label, value) => {
                if let Some(operation) = running.get(thread) {
                    let seen = Seen { label: label.clone(), value: value.as_signed() };
                    observation[operation.index()].push(seen);
                }
            }
            Recorded::Ended(_) => {
                running.remove(thread);
            }
            Recorded::Committed(_) => {}
        }
    }
    observation
}
