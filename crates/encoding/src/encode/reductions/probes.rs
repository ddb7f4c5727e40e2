//! What a model says about the smallest executions, and so about all that contain them: an axiom
//! that fails there and is monotone fails in these too.
//!
//! Soundness S-079 (check, verify; all; misses): A read from a later store of its own thread is
//! left out if an axiom that fails in every larger execution forbids it in the smallest one. Test:
//! crates/encoding/src/encode/reductions/probes.rs::most_models_of_the_library_are_coherent,
//! crates/encoding/tests/memory_models/main.rs::solutions_are_the_allowed_executions_of_any_model.

use execution::event::{Event, EventId, EventKind, Execution, ThreadId};
use execution::ids::{Id, IdVec};
use execution::relation::{EventSet, Relation};
use models::Model;

/// An execution over one location, whose initial write is event 0.
struct Small<'a> {
    /// The thread of each further event, and whether it writes.
    events: &'a [(usize, bool)],
    /// Of each thread the events in order.
    po: &'a [(usize, usize)],
    rmw: &'a [(usize, usize)],
    rf: &'a [(usize, usize)],
    co: &'a [(usize, usize)],
}

/// Whether the model forbids a read to see a write that comes after it in program order.
pub(crate) fn forbids_reading_from_later(model: &Model) -> bool {
    let later = Small {
        events: &[(0, false), (0, true)],
        po: &[(1, 2)],
        rmw: &[],
        rf: &[(2, 1)],
        co: &[(0, 2)],
    };
    forbids(model, &later)
}

/// Whether the model keeps every location coherent, and lets no other thread's write come between
/// the two halves of a read-modify-write.
pub(crate) fn is_coherent(model: &Model) -> bool {
    let writes_in_order = Small {
        events: &[(0, true), (0, true)],
        po: &[(1, 2)],
        rmw: &[],
        rf: &[],
        co: &[(0, 1), (0, 2), (2, 1)],
    };
    let reads_own_or_later = Small {
        events: &[(0, true), (0, false)],
        po: &[(1, 2)],
        rmw: &[],
        rf: &[(0, 2)],
        co: &[(0, 1)],
    };
    let reads_nothing_behind = Small {
        events: &[(0, false), (0, true), (1, true)],
        po: &[(1, 2)],
        rmw: &[],
        rf: &[(3, 1)],
        co: &[(0, 2), (0, 3), (2, 3)],
    };
    let updates_in_one_piece = Small {
        events: &[(0, false), (0, true), (1, true)],
        po: &[(1, 2)],
        rmw: &[(1, 2)],
        rf: &[(0, 1)],
        co: &[(0, 2), (0, 3), (3, 2)],
    };
    let all = [writes_in_order, reads_own_or_later, reads_nothing_behind, updates_in_one_piece];
    forbids_reading_from_later(model) && all.iter().all(|small| forbids(model, small))
}

fn forbids(model: &Model, small: &Small<'_>) -> bool {
    let size = small.events.len() + 1;
    let make = |thread: Option<usize>, writes, instruction| Event {
        thread: thread.map(ThreadId::new),
        kind: if writes { EventKind::Write } else { EventKind::Read },
        location: Some("x".into()),
        value: None,
        label: String::new(),
        instruction,
        source: None,
    };
    let mut events: IdVec<EventId, Event> = IdVec::new();
    events.push(make(None, true, 0));
    let mut sets = [("R", false), ("W", true)].map(|(name, _)| (name, EventSet::empty(size)));
    sets[1].1.insert(EventId::new(0));
    for (&(thread, writes), number) in small.events.iter().zip(1..) {
        // The two halves of a read-modify-write are one instruction.
        let half = small.rmw.iter().find(|pair| pair.1 == number);
        let event = events.push(make(Some(thread), writes, half.map_or(number, |p| p.0) as u32));
        sets[usize::from(writes)].1.insert(event);
    }
    let mut execution = Execution { events, ..Execution::default() };
    let mut initial = EventSet::empty(size);
    initial.insert(EventId::new(0));
    for (name, set) in sets.into_iter().chain([("IW", initial)]) {
        execution.sets.insert(name.into(), set);
    }
    let relation = |pairs: &[(usize, usize)]| {
        let mut relation = Relation::empty(size);
        pairs.iter().for_each(|&(a, b)| relation.insert(EventId::new(a), EventId::new(b)));
        relation
    };
    execution.relations.insert("po".into(), relation(small.po));
    execution.relations.insert("rmw".into(), relation(small.rmw));
    let Ok(mut evaluator) = model.prepare(&execution) else { return false };
    evaluator.set_rf(&relation(small.rf));
    evaluator.set_co(&relation(small.co));
    evaluator.forbidden_already()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_models_of_the_library_are_coherent() {
        let mut others = Vec::new();
        for entry in models::library::ENTRIES {
            let model = Model::from_text(entry.name, entry.text).expect("it can be read");
            if !is_coherent(&model) {
                others.push(entry.name);
            }
        }
        // These are about operations, and about accesses that are atomic by their sets.
        assert_eq!(others, ["serial", "c11", "c11-no-thin-air", "c11-simp"]);
    }
}
