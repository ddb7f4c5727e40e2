//! Parts of values and of accesses: where accesses of several extents overlap, each is made in parts
//! that any other access has all of or nothing of.
//!
//! A part is an event of its own, at a cell of its own; the parts of one access are related by
//! `same-access`, and the model says what that means.

use crate::events::shape::Shape;
use crate::events::trace::{Event, Flow};
use crate::memory::world::{CellId, ValueId, World, freed};
use execution::event::EventKind;
use execution::ids::Id;
use ir::program::Width;
use ir::step::sc::contents::Contents;
use ir::value::{RegionId, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Some bytes of a value, as memory that holds the value would give them.
pub fn part(value: Value, byte: u64, width: Width) -> Value {
    if value == freed() || byte == 0 && value.width == width {
        return value;
    }
    let mut contents = Contents::undefined(value.width.bytes() as usize);
    contents.write(0, value);
    contents.read(byte as usize, width)
}

/// A value that is put together from what overlaps with it.
pub struct Assembly {
    contents: Contents,
    width: Width,
    /// By byte.
    freed: Vec<bool>,
}

impl Assembly {
    /// Starts with a value.
    pub fn new(value: Value, width: Width) -> Self {
        let bytes = width.bytes() as usize;
        let mut assembly =
            Self { contents: Contents::undefined(bytes), width, freed: vec![false; bytes] };
        assembly.put(0, value, width);
        assembly
    }

    /// Puts a value there that begins this number of bytes after this one, or before it.
    pub fn put(&mut self, at: i64, value: Value, width: Width) {
        let gone = value == freed();
        for byte in 0..width.bytes() {
            let to = at + byte as i64;
            if !(0..self.width.bytes() as i64).contains(&to) {
                continue;
            }
            self.freed[to as usize] = gone;
            if !gone {
                self.contents.write(to as usize, part(value, byte, Width::I8));
            }
        }
    }

    /// The value. If a part of it is gone, all of it is.
    pub fn finish(&self) -> Value {
        let gone = self.freed.contains(&true);
        if gone { freed() } else { self.contents.read(0, self.width) }
    }
}

/// What a cell holds where it and these cells hold what is given, and it what it held at first
/// otherwise.
pub fn put_together(
    world: &World<'_>,
    cell: CellId,
    values: impl Iterator<Item = (CellId, ValueId)>,
) -> Value {
    let whole = &world.cells[cell.index()];
    let initial = world.value_of(whole.initial);
    let Some(width) = Width::from_bytes(whole.bytes) else { return initial };
    let mut assembly = Assembly::new(initial, width);
    for (part, value) in values {
        let part = &world.cells[part.index()];
        let starts_before_end = part.offset < whole.offset + whole.bytes;
        if part.region == whole.region
            && starts_before_end
            && part.offset + part.bytes > whole.offset
        {
            let at = part.offset as i64 - whole.offset as i64;
            let width = Width::from_bytes(part.bytes).unwrap_or(Width::I8);
            assembly.put(at, world.value_of(value), width);
        }
    }
    assembly.finish()
}

/// Where accesses are divided.
#[derive(Debug, Default)]
pub struct Cuts {
    /// By object, the offsets at which accesses begin and end.
    offsets: BTreeMap<RegionId, BTreeSet<u64>>,
}

impl Cuts {
    /// Where these cells begin and end.
    pub fn of(world: &World<'_>, cells: impl Iterator<Item = CellId>) -> Self {
        let mut cuts = Self::default();
        for cell in cells {
            let cell = &world.cells[cell.index()];
            cuts.add(cell.region, cell.offset);
            cuts.add(cell.region, cell.offset + cell.bytes);
        }
        cuts
    }

    /// Divides accesses at this offset, too.
    pub fn add(&mut self, region: RegionId, offset: u64) {
        self.offsets.entry(region).or_default().insert(offset);
    }

    /// The parts of these bytes of an object, as offsets and widths.
    pub fn parts(&self, region: RegionId, offset: u64, bytes: u64) -> Vec<(u64, Width)> {
        let end = offset + bytes;
        let inside = self.offsets.get(&region).into_iter().flat_map(|all| all.range(offset..end));
        let mut starts: BTreeSet<u64> = inside.copied().collect();
        starts.insert(offset);
        let ends = starts.iter().skip(1).copied().chain([end]);
        let mut parts = Vec::new();
        for (mut start, end) in starts.iter().copied().zip(ends) {
            // The widths of values are powers of two.
            while start < end {
                let bytes = 1 << (end - start).ilog2();
                let width =
                    Width::from_bytes(bytes).expect("a power of two, no wider than a value");
                parts.push((start, width));
                start += bytes;
            }
        }
        parts
    }

    /// The cells of the parts of a cell; itself, if it is not divided.
    fn cells(&self, world: &mut World<'_>, cell: CellId) -> Vec<(u64, CellId)> {
        let whole = world.cells[cell.index()].clone();
        let parts = self.parts(whole.region, whole.offset, whole.bytes);
        if parts.len() == 1 {
            return vec![(0, cell)];
        }
        let part = |(offset, width): (u64, Width)| {
            let cell = world.part_cell(whole.region, offset, width, whole.place);
            (offset - whole.offset, cell)
        };
        parts.into_iter().map(part).collect()
    }
}

/// The shapes with the accesses in parts that are to be divided. The first part takes the place of
/// the access, the others stand at the end; all have the number of its instruction.
pub fn divide(world: &mut World<'_>, shapes: &[&Shape], cuts: &Cuts) -> Vec<Shape> {
    shapes.iter().map(|shape| divide_one(world, shape, cuts)).collect()
}

fn divide_one(world: &mut World<'_>, shape: &Shape, cuts: &Cuts) -> Shape {
    let (mut events, mut values) = (shape.events.clone(), shape.values.clone());
    // By position of an access that is divided, the positions of its parts.
    let mut divided: HashMap<usize, Vec<usize>> = HashMap::new();
    for (position, event) in shape.events.iter().enumerate() {
        let (EventKind::Read | EventKind::Write, Some(cell)) = (event.kind, event.cell) else {
            continue;
        };
        let parts = cuts.cells(world, cell);
        if parts.len() == 1 {
            continue;
        }
        let mut positions = Vec::new();
        for (byte, cell) in parts {
            let access = Some(position as u32);
            let part = Event { cell: Some(cell), access, ..event.clone() };
            let of = &shape.values[position];
            let own = of.iter().map(|value| value.map(|id| value_part(world, id, byte, cell)));
            let own: Vec<Option<ValueId>> = own.collect();
            let at = if byte == 0 { position } else { events.len() };
            positions.push(at);
            match byte {
                0 => (events[at], values[at]) = (part, own),
                _ => {
                    events.push(part);
                    values.push(own);
                }
            }
        }
        divided.insert(position, positions);
    }
    if !divided.is_empty() {
        let cells: Vec<Option<CellId>> = events.iter().map(|event| event.cell).collect();
        for event in &mut events {
            for flow in [&mut event.address, &mut event.data, &mut event.control] {
                spread(flow, &divided);
            }
            // Each part of a write belongs to the part of the read that is at the same bytes.
            if let Some((read, _)) = &mut event.read
                && let Some(parts) = divided.get(&(*read as usize))
                && let Some(&part) = parts.iter().find(|&&part| cells[part] == event.cell)
            {
                *read = part as u32;
            }
        }
    }
    Shape { stray: shape.stray, events, values, observations: shape.observations.clone() }
}

fn value_part(world: &mut World<'_>, id: ValueId, byte: u64, cell: CellId) -> ValueId {
    let width = Width::from_bytes(world.cells[cell.index()].bytes).unwrap_or(Width::I8);
    let value = part(world.value_of(id), byte, width);
    world.value(value)
}

/// What depends on an access depends on all of its parts.
fn spread(flow: &mut Flow, divided: &HashMap<usize, Vec<usize>>) {
    for mask in [&mut flow.plain, &mut flow.pick] {
        let found = divided.iter().filter(|(access, _)| mask.contains(**access));
        let more: Vec<usize> = found.flat_map(|(_, parts)| parts.iter().copied()).collect();
        more.into_iter().for_each(|part| mask.insert(part));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_pointer_are_put_together_again() {
        let pointer = Value::pointer(RegionId::new(3), 0x1234_5678_9abc);
        let low = part(pointer, 0, Width::I32);
        let high = part(pointer, 4, Width::I32);
        let mut whole = Assembly::new(Value::undef(Width::I64), Width::I64);
        whole.put(0, low, Width::I32);
        whole.put(4, high, Width::I32);
        assert_eq!(whole.finish(), pointer);
        // With other bytes, it still points to the object.
        whole.put(0, Value::int(Width::I8, 1), Width::I8);
        assert_eq!(whole.finish(), Value::pointer(RegionId::new(3), 0x1234_5678_9a01));
        whole.put(-3, Value::int(Width::I32, 0xff00_0000), Width::I32);
        assert_eq!(whole.finish(), Value::pointer(RegionId::new(3), 0x1234_5678_9aff));
        whole.put(4, freed(), Width::I32);
        assert_eq!(whole.finish(), freed());
        whole.put(4, Value::int(Width::I32, 0), Width::I32);
        assert_eq!(whole.finish(), Value::pointer(RegionId::new(3), 0x5678_9aff));
    }

    #[test]
    fn accesses_are_divided_where_others_begin_and_end() {
        let region = RegionId::new(0);
        let mut cuts = Cuts::default();
        for offset in [0, 1, 5, 8, 16] {
            cuts.add(region, offset);
        }
        let widths = [(0, Width::I8), (1, Width::I32), (5, Width::I16), (7, Width::I8)];
        assert_eq!(cuts.parts(region, 0, 8), widths);
        assert_eq!(cuts.parts(region, 1, 4), widths[1..2]);
        assert_eq!(cuts.parts(region, 8, 8), [(8, Width::I64)]);
        assert_eq!(cuts.parts(RegionId::new(1), 0, 8), [(0, Width::I64)]);
    }
}
