//! Whether an order of the events of an execution is one that the model allows, event by event.
//!
//! A counterexample is shown as a list. The list claims that each of its events can take effect
//! where it stands; this is the check of that claim. It is independent of how the list was made: it
//! evaluates the model's text again and compares positions.

use execution::event::{EventId, Execution};
use execution::ids::Id;
use execution::relation::Relation;
use models::Model;

/// The relations that a model wants acyclic, as they are in an execution that it allows.
pub struct MemoryOrders {
    /// Those that order memory. Those that put each read after the write that it sees come first:
    /// where not all have an order in common, this is what an order must respect.
    pub global: Vec<Relation>,
    /// Those that relate accesses of one location only.
    pub local: Vec<Relation>,
}

/// The relations that a model wants acyclic. There are none where the model has nothing to say.
pub fn memory_orders(model: &Model, execution: &Execution) -> MemoryOrders {
    let mut found = MemoryOrders { global: Vec::new(), local: Vec::new() };
    let Ok(mut evaluator) = model.prepare(execution) else { return found };
    evaluator.set_rf(&relation(execution, "rf"));
    evaluator.set_co(&relation(execution, "co"));
    let location = |id: EventId| &execution.events[id].location;
    for order in evaluator.orders() {
        let is_local =
            order.iter().all(|(a, b)| location(a).is_some() && location(a) == location(b));
        match is_local {
            true => found.local.push(order),
            false => found.global.push(order),
        }
    }
    let rf = relation(execution, "rf");
    let thread = |id: EventId| execution.events[id].thread;
    let from_others = |order: &Relation| {
        rf.iter().filter(|&(a, b)| thread(a) != thread(b)).all(|(a, b)| order.contains(a, b))
    };
    found.global.sort_by_key(|order| !from_others(order));
    found
}

/// For each event, how many of its thread come before it in the program. Parts of one access have
/// the same number, wherever they stand in the list of events.
pub fn program_order(execution: &Execution) -> Vec<usize> {
    let before = relation(execution, "po").inverse();
    let thread = |id: EventId| execution.events[id].thread;
    let own = |id: EventId| before.successors(id).filter(|&a| thread(a) == thread(id)).count();
    execution.events.ids().map(own).collect()
}

/// What comes after what because of what was read and written: reads-from, coherence, from-reads.
pub fn communication(execution: &Execution) -> Relation {
    let (rf, co) = (relation(execution, "rf"), relation(execution, "co"));
    let fr = rf.inverse().compose(&co);
    rf.union(&co).union(&fr)
}

/// A relation of an execution; the empty one, if it has none of this name.
pub fn relation(execution: &Execution, name: &str) -> Relation {
    let known = execution.relations.get(name).cloned();
    known.unwrap_or_else(|| Relation::empty(execution.events.len()))
}

/// Why an order is not one that the model allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misplaced {
    /// It is not an order of all events.
    NotAll,
    /// The model wants the second before the first, or within one thread the values do.
    Against(EventId, EventId),
    /// Something comes between the parts of an atomic section or access.
    Interrupted(EventId, EventId),
}

/// Checks that the model allows each event at its place in an order of all of them.
///
/// All orders of memory together must be respected if they have an order in common, as they do
/// on every model with one memory; otherwise as many of them as have, the first ones first. Nothing
/// may stand between the events of an atomic section if the model takes sections as points.
pub fn check_order(
    model: &Model,
    execution: &Execution,
    order: &[EventId],
) -> Result<(), Misplaced> {
    let size = execution.events.len();
    let mut position = vec![usize::MAX; size];
    for (place, id) in order.iter().enumerate() {
        position[id.index()] = place;
    }
    if order.len() != size || position.contains(&usize::MAX) {
        return Err(Misplaced::NotAll);
    }
    let mut joined = Relation::empty(size);
    for memory in memory_orders(model, execution).global {
        let more = joined.union(&memory);
        if more.topological_order().is_some() {
            joined = more;
        }
    }
    let place = |id: EventId| position[id.index()];
    if let Some((a, b)) = joined.iter().find(|&(a, b)| place(a) > place(b)) {
        return Err(Misplaced::Against(a, b));
    }
    if model.knows_atomic_sections() {
        let section = relation(execution, "same-atomic");
        let parts = |id: EventId| section.successors(id).chain([id]);
        for id in execution.events.ids().filter(|&id| section.successors(id).next().is_some()) {
            let first = parts(id).map(place).min().unwrap_or(0);
            let last = parts(id).map(place).max().unwrap_or(0);
            let stranger = |&other: &EventId| {
                let event = &execution.events[other];
                let takes_effect = event.location.is_some() && event.thread.is_some();
                other != id && takes_effect && !section.contains(id, other)
            };
            if let Some(&other) = order[first..=last].iter().find(|other| stranger(other)) {
                return Err(Misplaced::Interrupted(id, other));
            }
        }
    }
    Ok(())
}
