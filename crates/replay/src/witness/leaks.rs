//! Blocks that are left in the end although nothing points to them.
//!
//! Soundness S-108 (verify; all; cries wolf): A pointer keeps its block if its number is an address
//! in the block or one past its end, with tags in the lowest four or highest 16 bits, or shifted by
//! up to 16 bits left or 12 right; a program that encodes it otherwise is reported to leak. Test:
//! corpus/verify/memory/leak_pointer_changed.c, corpus/verify/memory/no_leak_by_tagged_pointers.c.

use super::run::Attempt;
use crate::events::trace::{Event, Filling};
use crate::memory::objects::{Life, owner};
use crate::memory::world::{CellId, ValueId};
use execution::ids::Id;
use execution::witness::ObjectKind;
use ir::value::RegionId;
use std::collections::HashSet;

/// A block that is left and cannot be reached from the globals; `last` gives the last value of a
/// cell.
pub fn lost(
    attempt: &Attempt<'_, '_>,
    last: &dyn Fn(CellId) -> Option<ValueId>,
) -> Option<RegionId> {
    let objects = attempt.world.objects();
    let mut seen: HashSet<RegionId> = HashSet::new();
    let globals = objects.all().filter(|(_, o)| matches!(o.kind, ObjectKind::Global { .. }));
    let mut open: Vec<RegionId> = globals.map(|(region, _)| region).collect();
    // Local objects are gone in the end.
    let lasts = |kind: &ObjectKind| owner(kind).is_none();
    while let Some(region) = open.pop() {
        let there = lasts(&objects.get(region).kind) && life(attempt, region) == Life::Alive;
        if seen.insert(region) && there {
            open.extend(pointers(attempt, region, last));
        }
    }
    let left = |&(region, object): &(RegionId, &crate::memory::objects::Object)| {
        matches!(object.kind, ObjectKind::Heap { .. })
            && object.made
            && life(attempt, region) == Life::Alive
            && !seen.contains(&region)
    };
    objects.all().find(left).map(|(region, _)| region)
}

pub(super) fn life(attempt: &Attempt<'_, '_>, region: RegionId) -> Life {
    let object = attempt.world.objects().get(region);
    let mut own = attempt.runs.iter().filter_map(|run| run.state.local.get(&region));
    let frees = |event: &Event| event.whole == Some((region, Filling::Freed));
    let mut events = attempt.runs.iter().flat_map(|run| &run.state.recorder.events);
    let freed = !object.ends && events.any(frees);
    match (freed, own.find(|local| local.life != Life::Alive)) {
        (true, _) => Life::Freed,
        (false, Some(local)) => local.life,
        (false, None) => object.life,
    }
}

/// What an object points to in the end.
fn pointers(
    attempt: &Attempt<'_, '_>,
    region: RegionId,
    last: &dyn Fn(CellId) -> Option<ValueId>,
) -> Vec<RegionId> {
    let object = attempt.world.objects().get(region);
    let mut contents =
        attempt.newest(region).map_or(&object.contents, |local| &local.contents).clone();
    for (index, cell) in attempt.world.cells.iter().enumerate() {
        if cell.region == region
            && let Some(value) = last(CellId::new(index))
        {
            contents.write(cell.offset as usize, attempt.world.value_of(value));
        }
    }
    let objects = attempt.world.objects();
    contents.leads_to(|region| (objects.get(region).base, objects.get(region).size))
}
