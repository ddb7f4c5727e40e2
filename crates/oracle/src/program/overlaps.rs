//! Accesses of several extents that overlap: what the wider ones may read.

use crate::Problem;
use execution::ids::Id;
use ir::program::Width;
use ir::value::Value;
use replay::memory::parts::{Cuts, part};
use replay::memory::world::{CellId, MemoryCell, World};
use std::collections::BTreeSet;

/// How many values a cell may be put together from its parts in.
const MOST: usize = 4096;

/// Adds to what cells may hold what overlapping ones may leave in their parts; says whether there is
/// anything new.
pub fn learn(world: &mut World<'_>) -> Result<bool, Problem> {
    if world.overlap().is_none() {
        return Ok(false);
    }
    let accessed: Vec<CellId> = (0..world.cells.len())
        .map(CellId::new)
        .filter(|cell| !world.cells[cell.index()].part)
        .collect();
    let cuts = Cuts::of(world, accessed.iter().copied());
    let mut new = false;
    for cell in accessed {
        let MemoryCell { region, offset, bytes, .. } = world.cells[cell.index()];
        let parts = cuts.parts(region, offset, bytes);
        let may_hold: Vec<Vec<Value>> = parts
            .iter()
            .map(|&(at, width)| held(world, &world.cells[cell.index()], at, width))
            .collect();
        let count = may_hold.iter().map(Vec::len).fold(1, usize::saturating_mul);
        if count > MOST {
            let name = &world.cells[cell.index()].name;
            return Err(Problem::TooLarge(format!("`{name}` may hold too many values")));
        }
        let Some(width) = Width::from_bytes(bytes) else { continue };
        for number in 0..count {
            let value = combination(&parts, &may_hold, number, (offset, width))?;
            let id = world.value(value);
            let possible = &mut world.cells[cell.index()].possible;
            if !possible.contains(&id) {
                possible.push(id);
                new = true;
            }
        }
    }
    Ok(new)
}

/// What a part of memory may hold.
fn held(world: &World<'_>, like: &MemoryCell, offset: u64, width: Width) -> Vec<Value> {
    let around = world.cells.iter().filter(|cell| {
        let inside = cell.offset <= offset && offset + width.bytes() <= cell.offset + cell.bytes;
        !cell.part && cell.region == like.region && inside
    });
    let mut found: Vec<Value> = Vec::new();
    let mut seen = BTreeSet::new();
    for cell in around {
        for &id in &cell.possible {
            let value = part(world.value_of(id), offset - cell.offset, width);
            let key = (value.bits, value.undef, value.provenance, value.high);
            if seen.insert(key) {
                found.push(value);
            }
        }
    }
    found
}

/// One way to put the parts together.
fn combination(
    parts: &[(u64, Width)],
    may_hold: &[Vec<Value>],
    mut number: usize,
    (offset, width): (u64, Width),
) -> Result<Value, Problem> {
    let mut whole = replay::memory::parts::Assembly::new(Value::undef(width), width);
    let mut chosen = Vec::new();
    for (&(at, part), values) in parts.iter().zip(may_hold) {
        let value = values[number % values.len()];
        number /= values.len();
        whole.put((at - offset) as i64, value, part);
        chosen.push((at - offset, value));
    }
    let value = whole.finish();
    let same = |(byte, own): &(u64, Value)| part(value, *byte, own.width) == *own;
    if value != replay::memory::world::freed() && !chosen.iter().all(same) {
        let what = "a value of which only some bytes are of one pointer";
        return Err(Problem::Unsupported(what.to_string()));
    }
    Ok(value)
}
