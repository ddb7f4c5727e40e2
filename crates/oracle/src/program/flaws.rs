//! What is wrong with an execution as a whole: writes to blocks that were freed, second frees.

use crate::skeleton::Skeleton;
use crate::trace::Filling;
use crate::world::World;
use execution::event::{EventId, EventKind};
use execution::ids::Id;
use ir::value::RegionId;
use std::collections::HashMap;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// This write comes after the free of its block.
    WriteAfterFree(EventId),
    /// This is the second free of a block.
    DoubleFree(EventId),
    /// A block is used again that was not freed.
    Reused(RegionId),
}

/// What a write does to the life of its cell.
fn filling(skeleton: &Skeleton<'_>, event: EventId) -> Option<(RegionId, Filling)> {
    let (thread, position) = skeleton.position(event)?;
    skeleton.shapes[thread].events[position].whole
}

/// What is wrong with the order in which objects were written and freed; `orders` holds the writes
/// of each cell of the skeleton in coherence order, the initial one first.
pub fn of_objects(
    world: &World<'_>,
    skeleton: &Skeleton<'_>,
    orders: &[Vec<EventId>],
) -> Option<Flaw> {
    for (cell, order) in skeleton.cells.iter().zip(orders) {
        let cell = &world.cells[cell.cell.index()];
        let mut alive = world.value_of(cell.initial) != crate::world::freed();
        let heap = |region: RegionId| {
            let kind = &world.objects().get(region).kind;
            matches!(kind, execution::witness::ObjectKind::Heap { .. })
        };
        for &write in &order[1..] {
            match (filling(skeleton, write), alive) {
                (Some((_, Filling::Freed)), true) => alive = false,
                (Some((_, Filling::Freed)), false) => return Some(Flaw::DoubleFree(write)),
                (Some((region, _)), true) if heap(region) => return Some(Flaw::Reused(region)),
                (Some(_), _) => alive = true,
                (None, true) => {}
                (None, false) => return Some(Flaw::WriteAfterFree(write)),
            }
        }
    }
    untouched(skeleton)
}

/// A block of which no cell is touched, and that was freed more often than used again.
fn untouched(skeleton: &Skeleton<'_>) -> Option<Flaw> {
    let mut freed: HashMap<RegionId, (i32, EventId)> = HashMap::new();
    for (thread, shape) in skeleton.shapes.iter().enumerate() {
        for (position, event) in shape.events.iter().enumerate() {
            let (EventKind::Other, Some((region, filling))) = (event.kind, event.whole) else {
                continue;
            };
            let id = skeleton.event(thread, position);
            let entry = freed.entry(region).or_insert((0, id));
            entry.0 += if filling == Filling::Freed { 1 } else { -1 };
            if filling == Filling::Freed {
                entry.1 = id;
            }
        }
    }
    let twice = freed.into_values().filter(|(count, _)| *count > 1);
    twice.map(|(_, event)| event).min().map(Flaw::DoubleFree)
}
