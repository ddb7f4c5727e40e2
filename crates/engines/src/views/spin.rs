//! Threads that wait in a loop while they hold a lock.
//!
//! Who waits for the lock then waits for what the loop waits for, which the order of the locks does
//! not show. Such a loop comes back to the same view, if no other thread does anything; so a cycle of
//! steps of one thread that change nothing others know is one. A cycle that is found may be harmless:
//! then it is not known whether there is a deadlock.

use super::search::ViewId;
use ir::program::LocId;
use std::collections::HashMap;

/// A step of a thread that holds a lock, after which others know what they knew before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    pub from: ViewId,
    pub to: ViewId,
    pub place: Option<LocId>,
}

/// The place of a step on a cycle, or of one between two cycles, if there is any.
pub(super) fn cycle(steps: &[Stay]) -> Option<Option<LocId>> {
    let mut left: HashMap<ViewId, usize> = HashMap::new();
    let mut out: HashMap<ViewId, Vec<ViewId>> = HashMap::new();
    for step in steps {
        *left.entry(step.to).or_default() += 1;
        left.entry(step.from).or_default();
        out.entry(step.from).or_default().push(step.to);
    }
    // What nothing leads to is on no cycle, and neither is what only such views lead to.
    let free = left.iter().filter(|(_, count)| **count == 0);
    let mut open: Vec<ViewId> = free.map(|(view, _)| *view).collect();
    while let Some(view) = open.pop() {
        left.remove(&view);
        for to in out.remove(&view).unwrap_or_default() {
            if let Some(count) = left.get_mut(&to) {
                *count -= 1;
                if *count == 0 {
                    open.push(to);
                }
            }
        }
    }
    let is_left = |step: &&Stay| left.contains_key(&step.from) && left.contains_key(&step.to);
    steps.iter().find(is_left).map(|step| step.place)
}
