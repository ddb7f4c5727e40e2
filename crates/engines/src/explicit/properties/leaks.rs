//! What is left in the end: blocks that nothing points to, and locks that are held.

use crate::explicit::machine::layout::{Layout, MadeId, Object};
use crate::explicit::machine::state::{Kind, Life, Lock, Part, Shared, is_held};
use execution::ids::Id;
use ir::locks::LockWord;
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

/// Whether a lock is held that several threads may use, or whose word says that another thread than
/// the one that ended the whole program holds it.
pub(crate) fn holds_a_lock(layout: &Layout<'_>, shared: &Shared) -> bool {
    let sharing = layout.sharing.borrow();
    let is_kept = |contents: &Contents, (offset, width, word): Lock| {
        let owner = word.owner(contents.read(offset as usize, width));
        !owner.is_some_and(|owner| shared.has_ended_the_program(owner))
    };
    let several = shared.endings.len() > 1;
    let counts = |kind: Kind, (_, _, word): Lock| {
        let outlives = matches!(kind, Kind::Global(_) | Kind::Heap(..));
        sharing.is_shared_object(kind) || several && outlives && word == LockWord::Owner
    };
    let in_globals = sharing.locks().any(|(id, lock)| {
        let contents = shared.globals[id].get();
        counts(Kind::Global(id), lock) && is_held(contents, lock) && is_kept(contents, lock)
    });
    let in_made = shared.made.iter().flatten().map(Part::get).any(|made| {
        // What an object that is gone held is not known.
        let mut held = made.held();
        let is_left = |lock| {
            counts(made.kind, lock) && (made.life == Life::Over || is_kept(&made.contents, lock))
        };
        made.life != Life::Freed && held.any(is_left)
    });
    in_globals || in_made
}
