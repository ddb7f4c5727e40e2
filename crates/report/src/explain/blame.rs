//! In which order to show an execution, and which fence would forbid it.
//!
//! An execution that keeps program order is shown as an interleaving. Any other is shown with the
//! accesses of one thread out of order, if that is enough, and of all if it is not; what the model
//! keeps in order is never shown otherwise. Which thread to choose is asked of the model: a full
//! fence is put between two neighbouring accesses of a thread, and if the model then forbids the
//! execution, these two matter. So nothing here knows what a model keeps in order.

use super::arrange::Arranger;
use super::kept::Kept;
use execution::event::{Event, EventId, EventKind, Execution, ThreadId};
use execution::ids::{Id, IdVec};
use execution::relation::{EventSet, Relation};
use models::{Model, check_execution};
use replay::Replayed;
use replay::order::{check_order, program_order, relation};

/// How to show an execution.
pub struct Presentation {
    /// The events in order.
    pub order: Vec<EventId>,
    /// Whether the order is one that the model allows event by event. Otherwise it says nothing:
    /// the events of each thread follow those of another.
    pub is_checked: bool,
    /// What the model keeps in order.
    pub kept: Kept,
    /// Whether it is an execution of some interleaving.
    pub is_interleaving: bool,
    /// Accesses, each of a thread, after which a full fence makes the model forbid the execution.
    pub fences: Vec<EventId>,
}

/// Finds out how to show a replayed execution. These events are shown in this order, if that is
/// possible.
pub fn present(model: &Model, replayed: &Replayed, in_order: &[EventId]) -> Presentation {
    let execution = &replayed.execution;
    let kept = Kept::new(model, execution, in_order);
    let arranger = Arranger::new(execution, &kept);
    // Fewer switches are worth nothing if the order is not the model's.
    let checked = |order: Vec<EventId>| {
        let allowed = |order: &Vec<EventId>| check_order(model, execution, order).is_ok();
        Some(arranger.fewest_switches(order.clone()))
            .filter(allowed)
            .or(Some(order).filter(allowed))
    };
    if let Some(order) = arranger.order(&|_| false).and_then(checked) {
        let is_interleaving = kept.all_seen;
        let fences = match is_interleaving {
            true => Vec::new(),
            false => fences(model, execution),
        };
        return Presentation { order, is_checked: true, kept, is_interleaving, fences };
    }
    let fences = fences(model, execution);
    let mut threads: Vec<ThreadId> = Vec::new();
    let blamed = fences.iter().filter_map(|&id| execution.events[id].thread);
    let others = execution.events.iter().filter_map(|event| event.thread);
    for thread in blamed.chain(others) {
        if !threads.contains(&thread) {
            threads.push(thread);
        }
    }
    let alone = || threads.iter().find_map(|&thread| arranger.order(&|other| other == thread));
    let order = alone().and_then(checked);
    let order = order.or_else(|| arranger.order(&|_| true).and_then(checked));
    let order = order.or_else(|| checked(arranger.plain_order()));
    let is_checked = order.is_some();
    let order = order.unwrap_or_else(|| thread_by_thread(execution));
    Presentation { order, is_checked, kept, is_interleaving: false, fences }
}

/// The events of one thread after those of another: a list that claims nothing of their order.
fn thread_by_thread(execution: &Execution) -> Vec<EventId> {
    let rank = program_order(execution);
    let mut order: Vec<EventId> = execution.events.ids().collect();
    order.sort_by_key(|&id| (execution.events[id].thread, rank[id.index()], id));
    order
}

/// The accesses after which a full fence forbids the execution.
fn fences(model: &Model, execution: &Execution) -> Vec<EventId> {
    let names = model.full_fence();
    if names.is_empty() {
        return Vec::new();
    }
    let po = relation(execution, "po");
    let forbids = |&id: &EventId| {
        let fenced = with_fence(execution, &po, id, names);
        check_execution(model, &fenced).is_ok_and(|outcome| outcome.failed.is_some())
    };
    places(execution).into_iter().filter(forbids).collect()
}

/// What belongs to one read-modify-write or atomic section.
fn inside(execution: &Execution) -> Relation {
    relation(execution, "rmw").union(&relation(execution, "same-atomic"))
}

/// The accesses after which a fence can stand: not inside a read-modify-write or an atomic section.
fn places(execution: &Execution) -> Vec<EventId> {
    let (inside, po) = (inside(execution), relation(execution, "po"));
    let events = &execution.events;
    let goes_on = |id: EventId| {
        let mut later = po.successors(id);
        later.any(|other| inside.contains(id, other) || inside.contains(other, id))
    };
    let is_place = |id: &EventId| {
        let access = matches!(events[*id].kind, EventKind::Read | EventKind::Write);
        access && events[*id].thread.is_some() && !goes_on(*id)
    };
    events.ids().filter(is_place).collect()
}

/// An access of another thread after which a full fence, together with one between these two
/// accesses, makes the model forbid an execution that no single fence forbids.
pub fn together(
    model: &Model,
    execution: &Execution,
    first: EventId,
    second: EventId,
) -> Option<EventId> {
    let names = model.full_fence();
    if names.is_empty() {
        return None;
    }
    let po = relation(execution, "po");
    let places = places(execution);
    let thread = |id: EventId| execution.events[id].thread;
    let between =
        |&id: &EventId| (id == first || po.contains(first, id)) && po.contains(id, second);
    let rank = program_order(execution);
    let own = places.iter().copied().filter(between).max_by_key(|id| (rank[id.index()], *id))?;
    let fenced = with_fence(execution, &po, own, names);
    let po = relation(&fenced, "po");
    let forbids = |id: &EventId| {
        let both = with_fence(&fenced, &po, *id, names);
        check_execution(model, &both).is_ok_and(|outcome| outcome.failed.is_some())
    };
    places.into_iter().filter(|&id| thread(id) != thread(first)).find(forbids)
}

/// An execution with a fence of these names after an event.
pub fn with_fence(
    execution: &Execution,
    order: &Relation,
    after: EventId,
    names: &[&str],
) -> Execution {
    let size = execution.events.len() + 1;
    let fence = EventId::new(size - 1);
    let mut events: IdVec<EventId, Event> = execution.events.clone();
    let thread = events[after].thread;
    events.push(Event {
        thread,
        kind: EventKind::Fence,
        location: None,
        value: None,
        label: String::new(),
        instruction: u32::MAX,
        source: None,
    });
    let larger = |set: &EventSet| {
        let mut larger = EventSet::empty(size);
        set.iter().for_each(|id| larger.insert(id));
        larger
    };
    let mut fenced = Execution { events, ..Execution::default() };
    for (name, set) in &execution.sets {
        fenced.sets.insert(name.clone(), larger(set));
    }
    for name in names.iter().copied().chain(["F"]) {
        let set = fenced.sets.entry(name.into()).or_insert_with(|| EventSet::empty(size));
        set.insert(fence);
    }
    for (name, relation) in &execution.relations {
        let mut larger = Relation::empty(size);
        relation.iter().for_each(|(from, to)| larger.insert(from, to));
        fenced.relations.insert(name.clone(), larger);
    }
    let po = fenced.relations.entry("po".into()).or_insert_with(|| Relation::empty(size));
    po.insert(after, fence);
    for id in execution.events.ids() {
        if order.contains(id, after) {
            po.insert(id, fence);
        }
        if order.contains(after, id) {
            po.insert(fence, id);
        }
    }
    fenced
}
