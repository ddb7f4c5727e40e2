//! Which operations of an execution matter for what is wrong with it.
//!
//! What clients see is often impossible already without what some operations show. Those that are
//! left, and every operation whose writes they read, directly or not, are shown; the others are
//! not. Of an execution with a finding, the operation that has it is where this starts; of
//! a deadlock, the operations that wait, and those that left the locks of the headers as they are.

use super::Threads;
use execution::event::{EventId, EventKind};
use execution::finding::{FindingKind, StackEntry};
use execution::ids::Id;
use execution::observation::{ObservationSet, Seen};
use execution::operation::Instance;
use execution::span::Location;
use execution::verdict::Violation;
use replay::{Detail, Replayed};
use std::collections::BTreeSet;

/// Whether an operation can contribute to a finding without being read from.
fn all_matter(kind: &FindingKind) -> bool {
    use FindingKind::{DoubleFree, Leak, Livelock, LockHeld, UseAfterFree};
    matches!(kind, Livelock | LockHeld | Leak | UseAfterFree | DoubleFree)
}

/// An operation: its thread, and its number there.
pub type Operation = (usize, usize);

/// The operations, by their positions in the test, that show together what no serial execution
/// shows, whatever the others show: as few as can be found by leaving out one after the other.
pub fn impossible(set: &ObservationSet, seen: &[Vec<Seen>]) -> Vec<usize> {
    let mut left: Vec<usize> = (0..seen.len()).collect();
    let all: Vec<_> = set.iter().collect();
    for candidate in 0..seen.len() {
        let fewer: Vec<usize> = left.iter().copied().filter(|&i| i != candidate).collect();
        let shown = all.iter().any(|serial| fewer.iter().all(|&i| serial[i] == seen[i]));
        if !shown {
            left = fewer;
        }
    }
    left
}

/// The operations that matter, among them those of the events that are `marked`; `None` if all may.
pub fn relevant(
    threads: Threads<'_>,
    set: &ObservationSet,
    violation: &Violation,
    replayed: &Replayed,
    marked: &[EventId],
) -> Option<BTreeSet<Operation>> {
    let mut open: Vec<Operation> = match violation {
        Violation::Observation { seen, .. } => {
            let instances: Vec<&Instance> = threads.instances.iter().collect();
            let place = |index: usize| (instances[index].column, instances[index].index);
            impossible(set, seen).into_iter().map(place).collect()
        }
        Violation::Finding { kind: FindingKind::Deadlock, .. } => waiting(replayed)?,
        Violation::Finding { kind, .. } if !all_matter(kind) => {
            vec![last_of(replayed, replayed.finding.as_ref()?.thread.id.index())?]
        }
        _ => return None,
    };
    open.extend(marked.iter().filter_map(|&id| operation(replayed, id)));
    let rf = replayed.execution.relations.get("rf")?;
    let mut found: BTreeSet<Operation> = BTreeSet::new();
    while let Some(next) = open.pop() {
        if found.insert(next) {
            let own = |&(_, read): &(EventId, EventId)| operation(replayed, read) == Some(next);
            open.extend(rf.iter().filter(own).filter_map(|(w, _)| operation(replayed, w)));
        }
    }
    Some(found)
}

/// The operations that wait for ever, and those that left what threads wait for as it is; `None` if
/// that is unknown, because a thread waits for something that is not a lock of a header.
fn waiting(replayed: &Replayed) -> Option<Vec<Operation>> {
    let waiting = &replayed.finding.as_ref()?.waiting;
    let in_header = |stack: &[StackEntry]| {
        let location = stack.first().and_then(|entry| entry.location.as_ref());
        location.is_some_and(Location::is_library)
    };
    let mut found = Vec::new();
    for position in waiting.iter().filter(|position| position.joins.is_none()) {
        if !in_header(&position.stack) || position.loops {
            return None;
        }
        // Its last accesses may be those of the operation before.
        let number = replayed.threads.get(position.thread.id.index())?.operations.len();
        found.push((position.thread.id.index(), number.checked_sub(1)?));
    }
    let co = replayed.execution.relations.get("co")?;
    let last = replayed.execution.events.enumerate().filter(|(id, event)| {
        event.kind == EventKind::Write && co.successors(*id).next().is_none()
    });
    for (id, _) in last {
        let Detail { stack, purpose, value, .. } = &replayed.details[id];
        let is_free = purpose.is_lock_word() && value.as_deref() == Some("0");
        if in_header(stack) && !is_free {
            found.extend(operation(replayed, id));
        }
    }
    Some(found)
}

/// The operation that an event belongs to.
pub fn operation(replayed: &Replayed, id: EventId) -> Option<Operation> {
    let thread = replayed.execution.events[id].thread?.index();
    let (number, _) = replayed.details[id].operation.as_ref()?;
    Some((thread, *number as usize))
}

/// The last operation of a thread that accesses anything.
fn last_of(replayed: &Replayed, thread: usize) -> Option<Operation> {
    let all = replayed.execution.events.ids().filter_map(|id| operation(replayed, id));
    all.filter(|operation| operation.0 == thread).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shows(value: i128) -> Vec<Seen> {
        vec![Seen { label: "value".to_string(), value }]
    }

    #[test]
    fn what_an_operation_shows_matters_only_if_it_is_needed_to_rule_out_all_serial_executions() {
        let names = ["e", "d", "d"].map(String::from).to_vec();
        let serial = [[1, 1, 0], [1, 0, 1], [0, 0, 0]];
        let rows = serial.map(|row| row.map(shows).to_vec()).to_vec();
        let set = ObservationSet::new(names, rows);
        // Two take what was put in once: the value does not matter.
        assert_eq!(impossible(&set, &[1, 1, 1].map(shows)), [1, 2]);
        assert_eq!(impossible(&set, &[0, 1, 0].map(shows)), [0, 1]);
    }
}
