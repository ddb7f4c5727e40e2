//! Writes to whole objects (a free, an allocation) become one write for each cell of the object that
//! the execution touches, and accesses that overlap are made in parts.

use crate::events::shape::Shape;
use crate::events::trace::{Event, Filling};
use crate::memory::parts::{Cuts, divide};
use crate::memory::world::{CellId, ValueId, World, freed};
use execution::event::EventKind;
use execution::ids::Id;
use ir::program::Width;
use ir::value::{RegionId, Value};
use std::collections::BTreeSet;

/// The cells that some event reads or writes.
fn touched<'s>(shapes: impl Iterator<Item = &'s Shape>) -> BTreeSet<CellId> {
    shapes.flat_map(|shape| &shape.events).filter_map(|event| event.cell).collect()
}

/// The shapes with accesses divided where others begin and end, or where `more` says so, and with
/// writes to whole objects spelled out. Of these, the first cell takes the place of the event, the
/// others stand at the end; all have the number of its instruction. What touches no cell is an event
/// of no kind.
pub fn expand(
    world: &mut World<'_>,
    shapes: &[&Shape],
    more: impl Iterator<Item = (RegionId, u64)>,
) -> Vec<Shape> {
    let mut cuts = Cuts::of(world, touched(shapes.iter().copied()).into_iter());
    more.for_each(|(region, offset)| cuts.add(region, offset));
    let shapes = divide(world, shapes, &cuts);
    let cells = touched(shapes.iter());
    shapes.iter().map(|shape| expand_one(world, &cells, shape)).collect()
}

fn expand_one(world: &mut World<'_>, cells: &BTreeSet<CellId>, shape: &Shape) -> Shape {
    let (mut events, mut values) = (shape.events.clone(), shape.values.clone());
    let count = shape.count();
    for (position, event) in shape.events.iter().enumerate() {
        let Some((region, filling)) = event.whole else { continue };
        let mut inside = cells_of(world, cells, region).into_iter();
        let Some(first) = inside.next() else {
            events[position] = Event { kind: EventKind::Other, sets: Vec::new(), ..event.clone() };
            continue;
        };
        events[position].cell = Some(first);
        values[position] = vec![Some(value(world, first, filling)); count];
        for cell in inside {
            events.push(Event { cell: Some(cell), ..event.clone() });
            values.push(vec![Some(value(world, cell, filling)); count]);
        }
    }
    Shape { stray: false, events, values, observations: shape.observations.clone() }
}

/// The cells of an object, in the order of their addresses.
fn cells_of(world: &World<'_>, cells: &BTreeSet<CellId>, region: RegionId) -> Vec<CellId> {
    let cell = |id: &CellId| &world.cells[id.index()];
    let own = cells.iter().copied().filter(|id| cell(id).region == region);
    let mut own: Vec<CellId> = own.collect();
    own.sort_by_key(|id| (cell(id).offset, cell(id).bytes));
    own
}

/// What a cell of a filled object holds.
pub fn value(world: &mut World<'_>, cell: CellId, filling: Filling) -> ValueId {
    let width = Width::from_bytes(world.cells[cell.index()].bytes).unwrap_or(Width::I8);
    world.value(match filling {
        Filling::Freed => freed(),
        Filling::Undefined | Filling::Made { zeroed: false } => Value::undef(width),
        Filling::Zero | Filling::Made { zeroed: true } => Value::int(width, 0),
    })
}
