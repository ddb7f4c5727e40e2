//! In which order to tell an execution, and which fence would forbid it.
//!
//! An execution that keeps program order is told as an interleaving. Any other is told with the
//! accesses of one thread out of order, if that is enough, and of all if it is not. Which thread to
//! choose is asked of the model: a full fence is put between two neighbouring accesses of a thread,
//! and if the model then forbids the execution, that is where it went wrong. So nothing here knows
//! what a model keeps in order.

use execution::event::{Event, EventId, EventKind, Execution, ThreadId};
use execution::ids::{Id, IdVec};
use execution::relation::{EventSet, Relation};
use models::{Model, check_execution};
use oracle::replay::Replayed;

/// How to tell an execution.
pub struct Told {
    /// The events in order.
    pub order: Vec<EventId>,
    /// Accesses, each of a thread, behind which a full fence makes the model forbid the execution.
    pub fences: Vec<EventId>,
}

/// Finds out how to tell a replayed execution.
pub fn tell(model: &Model, replayed: &Replayed) -> Told {
    let execution = &replayed.execution;
    let teller =
        Teller { execution, po: relation(execution, "po"), seen: communication(execution) };
    if let Some(order) = teller.order(&|_| false) {
        return Told { order, fences: Vec::new() };
    }
    let fences = teller.fences(model);
    let mut threads: Vec<ThreadId> = Vec::new();
    let blamed = fences.iter().filter_map(|&id| execution.events[id].thread);
    let others = execution.events.iter().filter_map(|event| event.thread);
    for thread in blamed.chain(others) {
        if !threads.contains(&thread) {
            threads.push(thread);
        }
    }
    let alone = threads.iter().find_map(|&thread| teller.order(&|other| other == thread));
    Told { order: alone.unwrap_or_else(|| replayed.order.clone()), fences }
}

/// What comes after what because of what was read and written: reads-from, coherence, from-reads.
pub fn communication(execution: &Execution) -> Relation {
    let (rf, co) = (relation(execution, "rf"), relation(execution, "co"));
    let fr = rf.inverse().compose(&co);
    rf.union(&co).union(&fr)
}

fn relation(execution: &Execution, name: &str) -> Relation {
    let known = execution.relations.get(name).cloned();
    known.unwrap_or_else(|| Relation::empty(execution.events.len()))
}

struct Teller<'a> {
    execution: &'a Execution,
    po: Relation,
    seen: Relation,
}

impl Teller<'_> {
    /// An order that keeps what is seen, and program order but inside the threads that may leave
    /// it; those leave it as late as they can. A thread goes on as long as it can.
    fn order(&self, may_leave: &dyn Fn(ThreadId) -> bool) -> Option<Vec<EventId>> {
        let events = &self.execution.events;
        let leaves = |a: EventId, b: EventId| {
            events[a].thread == events[b].thread && events[b].thread.is_some_and(may_leave)
        };
        let mut left: Vec<EventId> = events.ids().collect();
        let mut order: Vec<EventId> = Vec::new();
        while !left.is_empty() {
            let free = |id: EventId, soft: bool| {
                !left.iter().any(|&other| {
                    let po = self.po.contains(other, id) && (soft || !leaves(other, id));
                    other != id && (po || self.seen.contains(other, id))
                })
            };
            let last = order.last().map(|&id| events[id].thread);
            let rank = |&id: &EventId| {
                let switches = last.is_some_and(|thread| thread != events[id].thread);
                (events[id].thread.is_some(), !free(id, true), switches, id)
            };
            let next = left.iter().copied().filter(|&id| free(id, false)).min_by_key(rank)?;
            left.retain(|&id| id != next);
            order.push(next);
        }
        Some(order)
    }

    /// The accesses behind which a full fence forbids the execution.
    fn fences(&self, model: &Model) -> Vec<EventId> {
        if model.full_fence().is_empty() {
            return Vec::new();
        }
        // Nothing can stand inside a read-modify-write or an atomic section.
        let inside =
            relation(self.execution, "rmw").union(&relation(self.execution, "same-atomic"));
        let inside = inside.intersection(&self.po);
        let is_access = |id: &EventId| {
            let event = &self.execution.events[*id];
            let access = matches!(event.kind, EventKind::Read | EventKind::Write);
            access && event.thread.is_some() && inside.successors(*id).next().is_none()
        };
        let accesses = self.execution.events.ids().filter(is_access);
        let forbids = |&id: &EventId| {
            let fenced = self.with_fence(id, model.full_fence());
            check_execution(model, &fenced).is_ok_and(|outcome| outcome.failed.is_some())
        };
        accesses.filter(forbids).collect()
    }

    /// The execution with a full fence behind an event.
    fn with_fence(&self, after: EventId, names: &[&str]) -> Execution {
        let size = self.execution.events.len() + 1;
        let fence = EventId::new(size - 1);
        let mut events: IdVec<EventId, Event> = self.execution.events.clone();
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
        for (name, set) in &self.execution.sets {
            fenced.sets.insert(name.clone(), larger(set));
        }
        for name in names.iter().copied().chain(["F"]) {
            let set = fenced.sets.entry(name.into()).or_insert_with(|| EventSet::empty(size));
            set.insert(fence);
        }
        for (name, relation) in &self.execution.relations {
            let mut larger = Relation::empty(size);
            relation.iter().for_each(|(from, to)| larger.insert(from, to));
            fenced.relations.insert(name.clone(), larger);
        }
        let po = fenced.relations.entry("po".into()).or_insert_with(|| Relation::empty(size));
        po.insert(after, fence);
        for id in self.execution.events.ids() {
            if self.po.contains(id, after) {
                po.insert(id, fence);
            }
            if self.po.contains(after, id) {
                po.insert(fence, id);
            }
        }
        fenced
    }
}
