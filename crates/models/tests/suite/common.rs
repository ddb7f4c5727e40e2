//! Builds small executions by hand.

use execution::event::{Event, EventId, EventKind, Execution, ThreadId};
use execution::ids::Id;
use execution::relation::{EventSet, Relation};
use std::sync::Arc;

/// A memory access or fence of a thread, as the tests write it.
#[derive(Clone, Debug)]
pub enum Op {
    Read(&'static str, Vec<&'static str>),
    Write(&'static str, Vec<&'static str>),
    Fence(&'static str),
    /// An atomic exchange: a read and a write of one instruction.
    Exchange(&'static str),
    /// One single-copy atomic read of several locations: an event for each.
    WideRead(Vec<&'static str>),
    /// The same, a write.
    WideWrite(Vec<&'static str>),
    /// The same, an atomic exchange.
    WideExchange(Vec<&'static str>),
}

/// An execution of these threads with initial writes of every location, in the order of
/// `locations`, as events `0..locations.len()`; program order is filled in, rf and co are empty.
pub fn skeleton(locations: &[&'static str], threads: &[Vec<Op>]) -> Execution {
    let mut execution = Execution::default();
    let mut sets: Vec<(&'static str, EventId)> = Vec::new();
    for &location in locations {
        let event = event(None, EventKind::Write, Some(location), 0);
        let id = execution.events.push(event);
        sets.extend([("W", id), ("IW", id)]);
    }
    let mut po = Vec::new();
    let mut rmw = Vec::new();
    let mut parts = Vec::new();
    for (thread, ops) in threads.iter().enumerate() {
        let thread = Some(ThreadId::new(thread));
        let mut earlier: Vec<EventId> = Vec::new();
        for (index, op) in ops.iter().enumerate() {
            let mut add = |kind, location, names: &[&'static str]| {
                let id = execution.events.push(event(thread, kind, location, index as u32));
                sets.extend(names.iter().map(|&name| (name, id)));
                id
            };
            let ids = match op {
                Op::Read(x, marks) => {
                    vec![add(EventKind::Read, Some(x), &[&["R"], &marks[..]].concat())]
                }
                Op::Write(x, marks) => {
                    vec![add(EventKind::Write, Some(x), &[&["W"], &marks[..]].concat())]
                }
                Op::Fence(name) => vec![add(EventKind::Fence, None, &["F", name])],
                Op::Exchange(x) => {
                    let read = add(EventKind::Read, Some(x), &["R", "RMW", "AMO", "A", "X"]);
                    let write = add(EventKind::Write, Some(x), &["W", "RMW", "AMO", "A", "X"]);
                    rmw.push((read, write));
                    vec![read, write]
                }
                Op::WideRead(all) => {
                    let reads = all.iter().map(|x| add(EventKind::Read, Some(x), &["R"]));
                    let reads: Vec<EventId> = reads.collect();
                    parts.push(reads.clone());
                    reads
                }
                Op::WideWrite(all) => {
                    let writes = all.iter().map(|x| add(EventKind::Write, Some(x), &["W"]));
                    let writes: Vec<EventId> = writes.collect();
                    parts.push(writes.clone());
                    writes
                }
                Op::WideExchange(all) => {
                    let mut half = |kind, letter| {
                        let names = [letter, "RMW", "AMO", "A", "X"];
                        let half = all.iter().map(|x| add(kind, Some(x), &names));
                        let half: Vec<EventId> = half.collect();
                        parts.push(half.clone());
                        half
                    };
                    let (reads, writes) = (half(EventKind::Read, "R"), half(EventKind::Write, "W"));
                    rmw.extend(reads.iter().copied().zip(writes.iter().copied()));
                    [reads, writes].concat()
                }
            };
            for &id in &ids {
                po.extend(earlier.iter().map(|&before| (before, id)));
            }
            earlier.extend(ids);
        }
    }
    let size = execution.events.len();
    for (name, id) in sets {
        execution.sets.entry(name.into()).or_insert_with(|| EventSet::empty(size)).insert(id);
    }
    relate(&mut execution, "po", &po);
    relate(&mut execution, "rmw", &rmw);
    relate(&mut execution, "amo", &rmw);
    for access in parts {
        let pairs = access.iter().flat_map(|&a| access.iter().map(move |&b| (a, b)));
        relate(&mut execution, "same-access", &pairs.collect::<Vec<_>>());
    }
    execution
}

fn event(
    thread: Option<ThreadId>,
    kind: EventKind,
    location: Option<&'static str>,
    instruction: u32,
) -> Event {
    let location = location.map(Arc::from);
    Event { thread, kind, location, value: None, label: String::new(), instruction, source: None }
}

/// Adds pairs to a relation of the execution.
pub fn relate(execution: &mut Execution, name: &str, pairs: &[(EventId, EventId)]) {
    let size = execution.events.len();
    let relation = execution.relations.entry(name.into()).or_insert_with(|| Relation::empty(size));
    for &(a, b) in pairs {
        relation.insert(a, b);
    }
}

/// Every choice of reads-from and coherence.
pub fn choices(execution: &Execution) -> Vec<(Relation, Relation)> {
    let size = execution.events.len();
    let of_kind = |kind| {
        let ids = execution.events.enumerate().filter(move |(_, e)| e.kind == kind);
        ids.map(|(id, _)| id).collect::<Vec<_>>()
    };
    let (reads, writes) = (of_kind(EventKind::Read), of_kind(EventKind::Write));
    let location = |id: EventId| execution.events[id].location.clone();
    let mut rfs = vec![Relation::empty(size)];
    for &read in &reads {
        let mut next = Vec::new();
        for rf in &rfs {
            for &write in writes.iter().filter(|&&write| location(write) == location(read)) {
                let mut rf = rf.clone();
                rf.insert(write, read);
                next.push(rf);
            }
        }
        rfs = next;
    }
    let mut cos = vec![Relation::empty(size)];
    let initial: Vec<EventId> =
        writes.iter().copied().filter(|&w| execution.events[w].thread.is_none()).collect();
    for &first in &initial {
        let others: Vec<EventId> = writes
            .iter()
            .copied()
            .filter(|&w| w != first && location(w) == location(first))
            .collect();
        let mut next = Vec::new();
        for order in permutations(&others) {
            for co in &cos {
                let mut co = co.clone();
                let whole: Vec<EventId> = std::iter::once(first).chain(order.clone()).collect();
                for (i, &a) in whole.iter().enumerate() {
                    whole[i + 1..].iter().for_each(|&b| co.insert(a, b));
                }
                next.push(co);
            }
        }
        cos = next;
    }
    rfs.iter().flat_map(|rf| cos.iter().map(move |co| (rf.clone(), co.clone()))).collect()
}

fn permutations(items: &[EventId]) -> Vec<Vec<EventId>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (i, &first) in items.iter().enumerate() {
        let mut rest = items.to_vec();
        rest.remove(i);
        for mut order in permutations(&rest) {
            order.insert(0, first);
            all.push(order);
        }
    }
    all
}
