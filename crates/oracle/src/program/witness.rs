//! Writes down an execution that was found as a witness.

use super::combine::Combination;
use super::guesser::Tasks;
use super::run::{Extra, Group, RunEnd};
use execution::event::{EventId, EventKind};
use execution::ids::Id;
use execution::witness::{
    Coherence, End, Object, ObjectKind, Parent, PartRead, Read, ThreadWitness, Witness, WriteRef,
};
use ir::value::RegionId;
use replay::memory::world::{World, bits};
use std::collections::BTreeSet;

/// The witness of an execution. Threads keep their numbers; those that the execution does not
/// start are left out, so these must be the last ones.
pub fn witness(combination: &Combination<'_, '_, '_>, tasks: &Tasks) -> Witness {
    let world = combination.found.world;
    let parts = combination.parts.iter().enumerate();
    let threads = parts.map(|(position, &(task, group))| {
        let parent = tasks.parents[tasks.list[task].thread.index()];
        let parent = parent.map(|(thread, spawn)| Parent { thread: thread.index() as u32, spawn });
        ThreadWitness { parent, ..thread(combination, tasks, position, group) }
    });
    let threads = threads.collect();
    Witness {
        objects: objects(world, combination),
        threads,
        co: coherence(combination, tasks),
        splits: Vec::new(),
    }
}

fn extra<'c>(combination: &Combination<'c, '_, '_>, position: usize) -> &'c Extra {
    let execution = combination.found.executions[position];
    &combination.parts[position].1.extras[execution]
}

fn objects(world: &World<'_>, combination: &Combination<'_, '_, '_>) -> Vec<Object> {
    let mut made: BTreeSet<RegionId> = BTreeSet::new();
    for position in 0..combination.parts.len() {
        let log = &extra(combination, position).log;
        made.extend(log.allocations.iter().flatten());
        made.extend(&log.objects);
    }
    let is_static =
        |kind: &ObjectKind| matches!(kind, ObjectKind::Global { .. } | ObjectKind::Function { .. });
    let used =
        world.objects().all().filter(|(id, object)| is_static(&object.kind) || made.contains(id));
    used.map(|(_, object)| Object {
        kind: object.kind.clone(),
        base: object.base,
        size: object.size,
        private: object.private,
        ends: object.ends && !object.private,
    })
    .collect()
}

fn thread(
    combination: &Combination<'_, '_, '_>,
    tasks: &Tasks,
    position: usize,
    group: &Group,
) -> ThreadWitness {
    let (found, extra) = (&combination.found, extra(combination, position));
    let world = found.world;
    let (mut reads, mut parts) = (Vec::new(), Vec::new());
    for (at, event) in group.shape.events.iter().enumerate() {
        if event.kind != EventKind::Read {
            continue;
        }
        let value = group.shape.values[at][found.executions[position]];
        let value = value.map_or(Default::default(), |value| bits(world, world.value_of(value)));
        let from = |part: usize| {
            let id = found.skeleton.event(position, part);
            let writes = found.skeleton.cells.iter().flat_map(|cell| &cell.writes);
            let mut from = writes.copied().filter(|&write| found.rf.contains(write, id));
            from.next().and_then(|write| reference(combination, tasks, write))
        };
        let read = reads.len() as u32;
        let first = from(at);
        reads.push(Read { value, from: first });
        let events = &found.skeleton.shapes[position].events;
        let offset = |at: usize| events[at].cell.map_or(0, |c| world.cells[c.index()].offset);
        let mut last = first;
        for part in replay::events::skeleton::parts(events, at).into_iter().skip(1) {
            let (byte, from) = ((offset(part) - offset(at)) as u32, from(part));
            if from != last {
                parts.push(PartRead { read, byte, from });
                last = from;
            }
        }
    }
    let end = match &group.end {
        RunEnd::Complete(_) => End::Completed,
        RunEnd::Wrong(..) if !extra.cut => End::Finding,
        RunEnd::Waits(_) | RunEnd::WaitsFor(_) => End::Waits,
        RunEnd::Spins(..) => End::Spins,
        RunEnd::Wrong(..) | RunEnd::Partial | RunEnd::Suspect(..) => {
            End::Cut { accesses: extra.log.accesses.last().copied().unwrap_or(0) }
        }
    };
    let allocations = extra.log.allocations.iter();
    let base = |region: &Option<RegionId>| region.map_or(0, |id| world.objects().get(id).base);
    ThreadWitness {
        parent: None,
        reads,
        parts,
        exclusives: extra.log.exclusives.clone(),
        spurious: extra.log.spurious.clone(),
        choices: extra.log.choices.iter().map(|value| bits(world, *value)).collect(),
        allocations: allocations.map(base).collect(),
        end,
    }
}

/// A write as a witness names it.
fn reference(
    combination: &Combination<'_, '_, '_>,
    tasks: &Tasks,
    write: EventId,
) -> Option<WriteRef> {
    let (position, at) = combination.found.skeleton.position(write)?;
    let (task, group) = combination.parts[position];
    let numbers = &extra(combination, position).write_numbers;
    // Writes to the further cells of an object stand at the end, and further parts of accesses.
    let events = &combination.found.skeleton.shapes[position].events;
    let at = match events[at].access {
        Some(first) => first as usize,
        None if at < group.shape.events.len() => at,
        None => events.iter().position(|e| e.instruction == events[at].instruction)?,
    };
    let thread = tasks.list[task].thread.index() as u32;
    Some(WriteRef { thread, index: *numbers.get(&at)? })
}

fn coherence(combination: &Combination<'_, '_, '_>, tasks: &Tasks) -> Vec<Coherence> {
    let world = combination.found.world;
    let cells = combination.found.skeleton.cells.iter().zip(combination.orders());
    cells
        .filter(|(_, order)| order.len() > 1)
        .map(|(events, order)| {
            let cell = &world.cells[events.cell.index()];
            let writes = order[1..].iter();
            Coherence {
                address: world.objects().get(cell.region).base + cell.offset,
                bytes: cell.bytes as u32,
                writes: writes.filter_map(|&id| reference(combination, tasks, id)).collect(),
            }
        })
        .collect()
}
