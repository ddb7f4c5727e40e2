//! What is wrong with an execution as a whole: writes to objects that are gone, second frees.

use crate::events::skeleton::Skeleton;
use crate::events::trace::Filling;
use crate::memory::world::World;
use execution::event::{EventId, EventKind};
use execution::ids::Id;
use ir::value::RegionId;
use std::collections::BTreeMap;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// This write comes after the end of the object that it is to.
    WriteAfterEnd(EventId, RegionId),
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

/// All that is wrong with the order in which objects were written and freed; `orders` holds the
/// writes of each cell of the skeleton in coherence order, the initial one first.
pub fn of_objects(
    world: &World<'_>,
    skeleton: &Skeleton<'_>,
    orders: &[Vec<EventId>],
) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    for (cell, order) in skeleton.cells.iter().zip(orders) {
        let cell = &world.cells[cell.cell.index()];
        let mut alive = world.value_of(cell.initial) != crate::memory::world::freed();
        let heap = |region: RegionId| {
            let kind = &world.objects().get(region).kind;
            matches!(kind, execution::witness::ObjectKind::Heap { .. })
        };
        for &write in &order[1..] {
            match (filling(skeleton, write), alive) {
                (Some((_, Filling::Freed)), true) => alive = false,
                (Some((_, Filling::Freed)), false) => flaws.push(Flaw::DoubleFree(write)),
                (Some((_, Filling::Made { .. })), true)
                | (Some((_, Filling::Made { zeroed: false })), false) => {}
                (Some((region, Filling::Made { zeroed: true })), false) => {
                    flaws.push(Flaw::WriteAfterEnd(write, region));
                }
                (Some((region, _)), true) if heap(region) => flaws.push(Flaw::Reused(region)),
                (Some(_), _) => alive = true,
                (None, true) => {}
                (None, false) => flaws.push(Flaw::WriteAfterEnd(write, cell.region)),
            }
        }
    }
    untouched(skeleton, &mut flaws);
    flaws
}

/// Blocks of which no cell is touched, and that were freed more often than used again. Of the frees
/// of different threads any may be the later one.
fn untouched(skeleton: &Skeleton<'_>, flaws: &mut Vec<Flaw>) {
    let mut freed: BTreeMap<RegionId, (i32, Vec<EventId>)> = BTreeMap::new();
    for (thread, shape) in skeleton.shapes.iter().enumerate() {
        for (position, event) in shape.events.iter().enumerate() {
            let (EventKind::Other, Some((region, filling))) = (event.kind, event.whole) else {
                continue;
            };
            let entry = freed.entry(region).or_default();
            match filling {
                Filling::Freed => {
                    entry.0 += 1;
                    entry.1.push(skeleton.event(thread, position));
                }
                Filling::Undefined | Filling::Zero => entry.0 -= 1,
                Filling::Made { .. } => {}
            }
        }
    }
    let thread = |event: &EventId| skeleton.position(*event).map(|(thread, _)| thread);
    for (_, mut events) in freed.into_values().filter(|(count, _)| *count > 1) {
        if events.iter().all(|event| thread(event) == thread(&events[0])) {
            events.remove(0);
        }
        flaws.extend(events.into_iter().map(Flaw::DoubleFree));
    }
}
