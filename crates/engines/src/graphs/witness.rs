//! Writes down a graph as a witness.

use super::ahead::{Ahead, Blocked, Names, Pause};
use super::graph::{At, Graph, Kind, Next, Part};
use super::judge::{Judge, Seen};
use execution::event::EventId;
use execution::ids::Id;
use execution::witness::{
    Coherence, End, Object, ObjectKind, Parent, Read, ThreadWitness, Witness, WriteRef,
};
use ir::value::RegionId;
use replay::memory::world::bits;
use std::collections::BTreeSet;

/// The witness of a graph.
pub fn witness(judge: &Judge<'_>, names: &mut Names<'_>, graph: &Graph) -> Witness {
    judge.seen(names, graph, |names, seen| {
        let thread = |number: usize| match graph.parts.get(number).and_then(Option::as_ref) {
            Some(part) => ThreadWitness {
                parent: names.parents[number]
                    .map(|(thread, spawn)| Parent { thread: thread.index() as u32, spawn }),
                ..of_thread(names, graph, part)
            },
            None => ThreadWitness::NEVER,
        };
        Witness {
            objects: objects(names, graph),
            threads: (0..graph.parts.len()).map(thread).collect(),
            co: coherence(names, graph, seen),
            splits: Vec::new(),
        }
    })
}

fn objects(names: &Names<'_>, graph: &Graph) -> Vec<Object> {
    let mut made: BTreeSet<RegionId> = BTreeSet::new();
    for (_, part) in graph.threads() {
        let log = &part.run().state.log;
        made.extend(log.allocations.iter().flatten());
        made.extend(&log.objects);
    }
    let is_static =
        |kind: &ObjectKind| matches!(kind, ObjectKind::Global { .. } | ObjectKind::Function { .. });
    let all = names.world.objects().all();
    all.filter(|(id, object)| is_static(&object.kind) || made.contains(id))
        .map(|(_, object)| Object {
            kind: object.kind.clone(),
            base: object.base,
            size: object.size,
            private: object.private,
            ends: object.ends && !object.private,
        })
        .collect()
}

fn of_thread(names: &Names<'_>, graph: &Graph, part: &Part) -> ThreadWitness {
    let (run, world) = (part.run(), &names.world);
    let (state, mut reads) = (&run.state, Vec::new());
    for item in &part.items {
        let (Kind::Read { from, .. }, Some(event)) = (&item.kind, item.event()) else { continue };
        let value = state.recorder.values[event].map(|value| bits(world, world.value_of(value)));
        let from = from.and_then(|from| reference(graph, from));
        reads.push(Read { value: value.unwrap_or_default(), from });
    }
    let log = &state.log;
    let base = |region: &Option<RegionId>| region.map_or(0, |id| world.objects().get(id).base);
    ThreadWitness {
        parent: None,
        reads,
        parts: Vec::new(),
        exclusives: log.exclusives.clone(),
        spurious: log.spurious.clone(),
        choices: log.choices.iter().map(|value| bits(world, *value)).collect(),
        allocations: log.allocations.iter().map(base).collect(),
        end: end(run, part),
    }
}

/// How far a thread came.
fn end(run: &Ahead, part: &Part) -> End {
    match (part.next(), &run.pause) {
        (Next::Pause(_), Pause::Ended(_)) => End::Completed,
        (Next::Pause(_), Pause::Wrong(..)) if run.state.freed_read.is_none() => End::Finding,
        (Next::Pause(_), Pause::Blocked(Blocked::Waits) | Pause::Join(_)) => End::Waits,
        (Next::Pause(_), Pause::Blocked(Blocked::Spins)) => End::Spins,
        _ => cut(part),
    }
}

/// A thread stands where it is in the graph.
pub fn cut(part: &Part) -> End {
    let (state, count) = (&part.run().state, part.events());
    let known = count.checked_sub(1).map(|last| state.log.accesses.get(last).copied());
    // The number is noted with the next access.
    let accesses = known.map_or(0, |known| known.unwrap_or(state.accesses));
    End::Cut { accesses }
}

/// A write as a witness names it.
fn reference(graph: &Graph, write: At) -> Option<WriteRef> {
    let state = &graph.part(write.thread).run().state;
    let event = graph.item(write).event()?;
    Some(WriteRef { thread: write.thread, index: *state.write_numbers.get(&event)? })
}

fn coherence(names: &Names<'_>, graph: &Graph, seen: &Seen<'_, '_>) -> Vec<Coherence> {
    let cells = seen.skeleton.cells.iter().zip(&seen.orders);
    cells
        .filter(|(_, order)| order.len() > 1)
        .map(|(events, order)| {
            let cell = &names.world.cells[events.cell.index()];
            let write = |&event: &EventId| reference(graph, seen.at(event)?);
            Coherence {
                address: names.world.objects().get(cell.region).base + cell.offset,
                bytes: cell.bytes as u32,
                writes: order[1..].iter().filter_map(write).collect(),
            }
        })
        .collect()
}

/// Whether the last read of a thread that waits or spins sees what is last: then it stays there.
pub fn stays(graph: &Graph, part: &Part) -> bool {
    let mut items = part.items.iter().rev().map(|item| &item.kind);
    let last = items.find(|kind| **kind != Kind::Plain);
    match (&part.run().pause, last) {
        (Pause::Blocked(_), Some(Kind::Read { cell, from, .. })) => {
            graph.co.get(cell).and_then(|order| order.last()).copied() == *from
        }
        _ => true,
    }
}
