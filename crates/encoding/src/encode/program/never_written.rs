//! Cells that no thread writes while threads run.
//!
//! A driver calls its functions through a table that it fills once. If what is read there is not
//! known, any function may be called. So in programs in which memory decides what is called, cells
//! are taken for unwritten until a write is found that may be to them, and the program is unrolled
//! again with what is known by then. What is read from the others is what is there before the
//! threads start. That these are reads, for the model to order, does not change.
//!
//! Why nothing is lost: take an execution in which such a cell is written after all, and of all
//! these writes one that does not depend (by control, address or data, and through what reads
//! see) on another. Then all that it depends on returns what it returns here, and it is
//! found. This needs a model in which nothing depends on itself; on others nothing is assumed.
//! That an object's lifetime ends is such a write to all of it, unless no thread reads it any more.
//!
//! Soundness S-087 (verify; all; misses): Where memory decides which function is called, cells for
//! which no write is found while threads run are taken to keep their contents; an error in that
//! argument would lose executions. Test: corpus/verify/styles/driver_table_changed.c,
//! corpus/verify/styles/driver_table.c.

use super::outlived::{may_be_later, pointed_to};
use crate::bounded::{ActionKind, Bounded, ObjectEnd};
use crate::unroll::{self, Calls};
use crate::values::Sets;
use crate::values::places::Addresses;
use ir::value::RegionId;
use std::collections::BTreeSet;

/// How to begin: where cells may be taken for unwritten, by asking whether that is of any use.
pub(crate) fn at_first(options: &unroll::UnrollOptions) -> Calls {
    match options.by_text || options.reuse_blocks {
        true => Calls::Any,
        false => Calls::Reported,
    }
}

/// Learns from an unrolled program what threads write; whether that is news.
pub(crate) fn learn(bounded: &mut Bounded, sets: &Sets, known: &mut BTreeSet<(u64, u64)>) -> bool {
    let before = known.len();
    known.extend(written(bounded, sets));
    known.len() > before
}

/// The cells that a thread may write, or whose lifetimes may end; all of those of objects that
/// are private to a thread, of which nothing is known here.
fn written(bounded: &mut Bounded, sets: &Sets) -> BTreeSet<(u64, u64)> {
    let gone = read_too_late(bounded, sets);
    let whole = |id: RegionId| {
        let region = &bounded.regions[id];
        (region.base, region.base + region.size)
    };
    let mut written = BTreeSet::new();
    for (id, action) in bounded.actions.enumerate() {
        let ActionKind::Write { access, .. } = &action.kind else { continue };
        match sets.places(id).map(|places| &places.right) {
            Some(Addresses::These(list)) => {
                let cell = |&address: &u64| (address, address + access.width.bytes());
                written.extend(list.iter().map(cell));
            }
            Some(Addresses::Within(regions)) => {
                written.extend(regions.iter().copied().map(whole));
            }
            None => {}
        }
    }
    written.extend(gone.into_iter().map(whole));
    let own = bounded.regions.enumerate().filter(|(_, region)| region.private);
    written.extend(own.map(|(id, _)| whole(id)));
    written.retain(|&(from, _)| from < bounded.before_threads);
    written
}

/// The objects that a thread may read after their lifetimes.
fn read_too_late(bounded: &mut Bounded, sets: &Sets) -> BTreeSet<RegionId> {
    let mut ends = bounded.ends.clone();
    let mut reads = Vec::new();
    for (before, action) in bounded.actions.enumerate() {
        let regions = match &action.kind {
            ActionKind::Read { access, .. } => {
                reads.push((before, pointed_to(sets, bounded, access.address)));
                continue;
            }
            ActionKind::Free { address, .. } => pointed_to(sets, bounded, *address),
            ActionKind::End(region) => BTreeSet::from([*region]),
            _ => continue,
        };
        let (thread, guard) = (action.thread, action.guard);
        let end = |region| ObjectEnd { region, thread, guard, before };
        ends.extend(regions.into_iter().map(end));
    }
    ends.retain(|end| {
        let mut reads = reads.iter().filter(|(_, regions)| regions.contains(&end.region));
        reads.any(|&(read, _)| may_be_later(bounded, end, read))
    });
    ends.into_iter().map(|end| end.region).collect()
}
