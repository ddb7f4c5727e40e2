//! In which order to show an execution, and which fence would forbid it.
//!
//! An execution that keeps program order is shown as an interleaving. Any other is shown with the
//! accesses of one thread out of order, if that is enough, and of all if it is not. Which thread to
//! choose is asked of the model: a full fence is put between two neighbouring accesses of a thread,
//! and if the model then forbids the execution, these two were reordered. So nothing here knows
//! what a model keeps in order.

use execution::event::{Event, EventId, EventKind, Execution, ThreadId};
use execution::ids::{Id, IdVec};
use execution::relation::{EventSet, Relation};
use models::{Model, check_execution};
use replay::Replayed;
use std::collections::{HashMap, VecDeque};

/// States that the search for an order with few context switches visits at most.
const MOST_PLACES: usize = 50_000;

/// How to show an execution.
pub struct Presentation {
    /// The events in order.
    pub order: Vec<EventId>,
    /// Accesses, each of a thread, after which a full fence makes the model forbid the execution.
    pub fences: Vec<EventId>,
}

/// Finds out how to show a replayed execution. These events are shown in this order, if that is
/// possible.
pub fn present(model: &Model, replayed: &Replayed, in_order: &[EventId]) -> Presentation {
    let execution = &replayed.execution;
    let mut teller =
        Teller { execution, po: relation(execution, "po"), seen: communication(execution) };
    let seen = teller.seen.clone();
    for pair in in_order.windows(2) {
        teller.seen.insert(pair[0], pair[1]);
    }
    if teller.order(&|_| true).is_none() {
        teller.seen = seen;
    }
    if let Some(order) = teller.order(&|_| false) {
        return Presentation { order: teller.fewest_switches(order), fences: Vec::new() };
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
    let order = alone.unwrap_or_else(|| replayed.order.clone());
    Presentation { order: teller.fewest_switches(order), fences }
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

/// What belongs to one read-modify-write or atomic section.
fn inside(execution: &Execution) -> Relation {
    relation(execution, "rmw").union(&relation(execution, "same-atomic"))
}

struct Teller<'a> {
    execution: &'a Execution,
    po: Relation,
    seen: Relation,
}

impl Teller<'_> {
    /// An order that keeps what is seen, and program order but inside the threads that may leave
    /// it; those leave it as late as they can. A thread goes on as long as it can. The parts of a
    /// read-modify-write and of an atomic section come together, if that is possible.
    fn order(&self, may_leave: &dyn Fn(ThreadId) -> bool) -> Option<Vec<EventId>> {
        self.order_of(may_leave, &self.units()).or_else(|| {
            let alone: Vec<Vec<EventId>> = self.execution.events.ids().map(|id| vec![id]).collect();
            self.order_of(may_leave, &alone)
        })
    }

    /// The events that take effect together, in program order.
    fn units(&self) -> Vec<Vec<EventId>> {
        let inside = inside(self.execution);
        let mut units: Vec<Vec<EventId>> = Vec::new();
        for id in self.execution.events.ids() {
            let related =
                |&other: &EventId| inside.contains(other, id) || inside.contains(id, other);
            match units.iter_mut().find(|unit| unit.iter().any(related)) {
                Some(unit) => unit.push(id),
                None => units.push(vec![id]),
            }
        }
        units
    }

    fn order_of(
        &self,
        may_leave: &dyn Fn(ThreadId) -> bool,
        units: &[Vec<EventId>],
    ) -> Option<Vec<EventId>> {
        let events = &self.execution.events;
        let leaves = |a: EventId, b: EventId| {
            events[a].thread == events[b].thread && events[b].thread.is_some_and(may_leave)
        };
        let mut unit_of: HashMap<EventId, usize> = HashMap::new();
        for (number, unit) in units.iter().enumerate() {
            unit_of.extend(unit.iter().map(|&id| (id, number)));
        }
        // The pairs of events between units; for each unit, those that hold it up, and those that do
        // so even where a thread may leave its order.
        let mut pairs: Vec<Vec<(usize, bool)>> = vec![Vec::new(); units.len()];
        let mut awaited = vec![[0usize; 2]; units.len()];
        for (from, to) in self.po.union(&self.seen).iter() {
            if let (Some(&before), Some(&after)) = (unit_of.get(&from), unit_of.get(&to))
                && before != after
            {
                let hard = self.seen.contains(from, to) || !leaves(from, to);
                pairs[before].push((after, hard));
                awaited[after][0] += 1;
                awaited[after][1] += usize::from(hard);
            }
        }
        let mut left: Vec<usize> = (0..units.len()).collect();
        let mut order: Vec<EventId> = Vec::new();
        while !left.is_empty() {
            let last = order.last().map(|&id| events[id].thread);
            let rank = |&unit: &usize| {
                let thread = events[units[unit][0]].thread;
                let switches = last.is_some_and(|last| last != thread);
                (thread.is_some(), awaited[unit][0] > 0, switches, units[unit][0])
            };
            let free = left.iter().copied().filter(|&unit| awaited[unit][1] == 0);
            let next = free.min_by_key(rank)?;
            order.extend(&units[next]);
            left.retain(|&unit| unit != next);
            for &(after, hard) in &pairs[next] {
                awaited[after][0] -= 1;
                awaited[after][1] -= usize::from(hard);
            }
        }
        Some(order)
    }

    /// The same events, each thread's in the same order, with the fewest changes from one thread to
    /// another.
    ///
    /// To let a thread go on for as long as it can never hurts, since what has happened hinders
    /// nothing. So all that is to be chosen is which thread comes next, and places in the threads
    /// that can be reached with few switches are visited first.
    fn fewest_switches(&self, order: Vec<EventId>) -> Vec<EventId> {
        let events = &self.execution.events;
        let (initial, rest): (Vec<EventId>, Vec<EventId>) =
            order.iter().copied().partition(|&id| events[id].thread.is_none());
        let mut lanes: Vec<Vec<EventId>> = Vec::new();
        for &id in &rest {
            let same = |lane: &&mut Vec<EventId>| events[lane[0]].thread == events[id].thread;
            match lanes.iter_mut().find(same) {
                Some(lane) => lane.push(id),
                None => lanes.push(vec![id]),
            }
        }
        let mut place: HashMap<EventId, (usize, usize)> = HashMap::new();
        for (number, lane) in lanes.iter().enumerate() {
            place.extend(lane.iter().enumerate().map(|(index, &id)| (id, (number, index))));
        }
        for units in [true, false] {
            if let Some(order) = self.interleave(&lanes, &place, units) {
                return initial.into_iter().chain(order).collect();
            }
        }
        order
    }

    /// An interleaving of threads with the fewest changes from one to another; with `units`, one in
    /// which nothing comes between the parts of a read-modify-write or of an atomic section.
    fn interleave(
        &self,
        lanes: &[Vec<EventId>],
        place: &HashMap<EventId, (usize, usize)>,
        units: bool,
    ) -> Option<Vec<EventId>> {
        let inside = inside(self.execution);
        // Whether the event at a place of a lane goes on with what the one before began.
        let goes_on = |lane: usize, index: usize| {
            let (a, b) = (lanes[lane][index - 1], lanes[lane][index]);
            units && (inside.contains(a, b) || inside.contains(b, a))
        };
        // What other threads must have done before an event.
        let mut needs: Vec<Vec<Vec<(usize, usize)>>> =
            lanes.iter().map(|lane| vec![Vec::new(); lane.len()]).collect();
        for (from, to) in self.seen.iter().chain(self.po.iter()) {
            if let (Some(&from), Some(&to)) = (place.get(&from), place.get(&to))
                && from.0 != to.0
            {
                needs[to.0][to.1].push(from);
            }
        }
        // How far a thread can go without a switch; nowhere, if it must wait.
        let stretch = |done: &[usize], lane: usize| {
            let start = done[lane];
            let end = (start + 1..=lanes[lane].len())
                .find(|&end| end == lanes[lane].len() || !goes_on(lane, end))?;
            let before = |&(other, index): &(usize, usize)| done[other] > index;
            needs[lane][start..end].iter().flatten().all(before).then_some(end)
        };
        let start = vec![0; lanes.len()];
        let goal: Vec<usize> = lanes.iter().map(Vec::len).collect();
        let mut before: HashMap<Vec<usize>, (Vec<usize>, usize)> = HashMap::new();
        let mut open = VecDeque::from([start.clone()]);
        while let Some(done) = open.pop_front() {
            if done == goal {
                break;
            }
            if before.len() > MOST_PLACES {
                return None;
            }
            for lane in 0..lanes.len() {
                let mut next = done.clone();
                while let Some(end) = stretch(&next, lane) {
                    next[lane] = end;
                }
                if next != done && next != start && !before.contains_key(&next) {
                    before.insert(next.clone(), (done.clone(), lane));
                    open.push_back(next);
                }
            }
        }
        let mut parts: Vec<&[EventId]> = Vec::new();
        let mut at = goal;
        while at != start {
            let (earlier, lane) = before.get(&at)?;
            parts.push(&lanes[*lane][earlier[*lane]..at[*lane]]);
            at = earlier.clone();
        }
        Some(parts.into_iter().rev().flatten().copied().collect())
    }

    /// The accesses after which a full fence forbids the execution.
    fn fences(&self, model: &Model) -> Vec<EventId> {
        if model.full_fence().is_empty() {
            return Vec::new();
        }
        let accesses = places(self.execution).into_iter();
        let forbids = |&id: &EventId| {
            let fenced = self.with_fence(id, model.full_fence());
            check_execution(model, &fenced).is_ok_and(|outcome| outcome.failed.is_some())
        };
        accesses.filter(forbids).collect()
    }

    /// The execution with a full fence after an event.
    fn with_fence(&self, after: EventId, names: &[&str]) -> Execution {
        with_fence(self.execution, &self.po, after, names)
    }
}

/// The accesses after which a fence can stand: not inside a read-modify-write or an atomic section.
fn places(execution: &Execution) -> Vec<EventId> {
    let inside = inside(execution);
    let events = &execution.events;
    let goes_on = |id: EventId| {
        let mut later = events.ids().filter(|&other| other > id);
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
    let between = |&id: &EventId| thread(id) == thread(first) && first <= id && id < second;
    let own = places.iter().copied().filter(between).max()?;
    let fenced = with_fence(execution, &po, own, names);
    let po = relation(&fenced, "po");
    let forbids = |id: &EventId| {
        let both = with_fence(&fenced, &po, *id, names);
        check_execution(model, &both).is_ok_and(|outcome| outcome.failed.is_some())
    };
    places.into_iter().filter(|&id| thread(id) != thread(first)).find(forbids)
}

/// An execution with a full fence after an event.
fn with_fence(
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
