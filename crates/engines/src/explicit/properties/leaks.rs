//! What is left in the end: blocks that nothing points to, and locks that are held.

use crate::explicit::machine::layout::{Layout, MadeId, Object};
use crate::explicit::machine::state::{Kind, Life, Lock, Part, Shared, is_held};
use execution::ids::Id;
use ir::step::sc::contents::Contents;
use ir::value::RegionId;
use std::collections::HashSet;

/// Whether a block is left that cannot be reached from the globals.
pub(crate) fn loses_a_block(layout: &Layout<'_>, shared: &Shared) -> bool {
    let mut seen: HashSet<RegionId> = HashSet::new();
    let mut open: Vec<RegionId> = Vec::new();
    let place = |region: RegionId| match layout.object(region) {
        Object::Made(id) => {
            let made = shared.object(id);
            (made.base, made.size)
        }
        // These are no blocks, and lead to none that is not found anyway.
        Object::Function(_) | Object::Global(_) => (0, 0),
    };
    for (id, contents) in shared.globals.iter().enumerate() {
        open.extend(contents.get().leads_to(place));
        open.extend(layout.constant(Id::new(id)).leads_to(place));
    }
    while let Some(region) = open.pop() {
        if !seen.insert(region) {
            continue;
        }
        if let Object::Made(id) = layout.object(region) {
            let made = shared.object(id);
            // Local objects are gone in the end.
            if made.life == Life::Alive && matches!(made.kind, Kind::Heap(..)) {
                open.extend(made.contents.leads_to(place));
            }
        }
    }
    shared.made.enumerate().any(|(thread, own)| {
        own.iter().enumerate().any(|(number, made)| {
            let made = made.get();
            let region = layout.made(MadeId { thread, number }, made.base).provenance;
            matches!(made.kind, Kind::Heap(..))
                && made.life == Life::Alive
                && region.is_some_and(|region| !seen.contains(&region))
        })
    })
}

/// Whether a lock is held that several threads may use, and not by a thread that has ended the whole
/// program with it.
pub(crate) fn holds_a_lock(layout: &Layout<'_>, shared: &Shared) -> bool {
    let sharing = layout.sharing.borrow();
    let is_kept = |contents: &Contents, (offset, width, word): Lock| {
        let owner = word.owner(contents.read(offset as usize, width));
        !owner.is_some_and(|owner| shared.has_ended_the_program(owner))
    };
    let in_globals = sharing.locks().any(|(id, lock)| {
        let contents = shared.globals[id].get();
        let is_shared = sharing.is_shared_object(Kind::Global(id));
        is_shared && is_held(contents, lock) && is_kept(contents, lock)
    });
    let in_made = shared.made.iter().flatten().map(Part::get).any(|made| {
        // What an object that is gone held is not known.
        let mut held = made.held();
        made.life != Life::Freed
            && sharing.is_shared_object(made.kind)
            && held.any(|lock| made.life == Life::Over || is_kept(&made.contents, lock))
    });
    in_globals || in_made
}
