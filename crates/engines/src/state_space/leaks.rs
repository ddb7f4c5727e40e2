//! What is left in the end: blocks that nothing points to, and locks that are held.

use super::layout::{Layout, Object};
use super::state::{Kind, Life, Shared};
use execution::ids::Id;
use ir::program::Width;
use ir::step::sc::contents::Contents;
use ir::value::RegionId;
use std::collections::HashSet;

/// Whether a block is left that cannot be reached from the globals.
pub(super) fn loses_a_block(layout: &Layout<'_>, shared: &Shared) -> bool {
    let mut seen: HashSet<RegionId> = HashSet::new();
    let mut open: Vec<RegionId> = Vec::new();
    for (id, contents) in shared.globals.iter().enumerate() {
        scan(contents.get(), &mut open);
        scan(layout.constant(Id::new(id)), &mut open);
    }
    while let Some(region) = open.pop() {
        if !seen.insert(region) {
            continue;
        }
        if let Object::Made(thread, number) = layout.object(region) {
            let made = shared.made[thread][number].get();
            if made.life == Life::Alive {
                scan(&made.contents, &mut open);
            }
        }
    }
    shared.made.iter().enumerate().any(|(thread, own)| {
        own.iter().enumerate().any(|(number, made)| {
            let made = made.get();
            let region = layout.made(thread, number, made.base).provenance;
            matches!(made.kind, Kind::Heap(..))
                && made.life == Life::Alive
                && region.is_some_and(|region| !seen.contains(&region))
        })
    })
}

/// Whether a lock is held.
pub(super) fn holds_a_lock(layout: &Layout<'_>, shared: &Shared) -> bool {
    layout.sharing.borrow().locks().any(|(region, offset, width)| {
        let value = match layout.object(region) {
            Object::Global(id) => shared.globals[id.index()].get().read(offset as usize, width),
            Object::Made(thread, number) => {
                let made = shared.made.get(thread).and_then(|own| own.get(number));
                let Some(made) = made.map(|made| made.get()).filter(|m| m.life == Life::Alive)
                else {
                    return false;
                };
                made.contents.read(offset as usize, width)
            }
            Object::Function(_) => return false,
        };
        value.bits != 0
    })
}

/// The objects that pointers in here are to.
fn scan(contents: &Contents, found: &mut Vec<RegionId>) {
    for offset in (0..contents.len().saturating_sub(7)).step_by(8) {
        let value = contents.read(offset, Width::PTR);
        found.extend(value.provenance.into_iter().chain(value.high));
    }
}
