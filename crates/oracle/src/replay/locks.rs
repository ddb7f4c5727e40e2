//! Locks that are held in the end.
//!
//! Only what is a lock for sure is looked at ([`ir::locks`]).

use super::check::{Whole, value_of};
use super::leaks::life;
use super::run::Attempt;
use crate::objects::Life;
use crate::world::{CellId, freed};
use execution::event::EventId;
use execution::ids::Id;
use ir::locks::is_lock_word;
use ir::program::Width;
use ir::step::describe::stack;
use ir::step::finding::StackEntry;
use ir::value::RegionId;

/// A lock that is held.
pub struct Held {
    /// Who took it, by its position among the threads that ran.
    pub thread: usize,
    /// Where, innermost call first.
    pub stack: Vec<StackEntry>,
}

/// A lock that is held in the end: one that threads use, if there is one.
pub fn held(attempt: &Attempt<'_, '_>, whole: &Whole<'_>) -> Option<Held> {
    let orders = whole.skeleton.cells.iter().zip(&whole.orders);
    let mut used = orders.filter_map(|(cell, order)| {
        let &last = order.last()?;
        let value = attempt.world.value_of(value_of(&attempt.world, whole.skeleton, last)?);
        match whole.skeleton.position(last) {
            _ if value.is_zero() || value == freed() => None,
            None => taken(attempt, cell.cell),
            Some(_) if order.iter().any(|&event| is_word(attempt, whole, event)) => {
                by(attempt, whole, last)
            }
            Some(_) => taken(attempt, cell.cell).and(by(attempt, whole, last)),
        }
    });
    used.next().or_else(|| untouched(attempt, whole))
}

/// Who made a write, and where.
fn by(attempt: &Attempt<'_, '_>, whole: &Whole<'_>, event: EventId) -> Option<Held> {
    let (thread, position) = whole.skeleton.position(event)?;
    let note = attempt.runs[thread].state.notes.get(position)?;
    Some(Held { thread, stack: stack(attempt.code.program, &note.stack) })
}

/// Whether an access is one of the word of a lock.
fn is_word(attempt: &Attempt<'_, '_>, whole: &Whole<'_>, event: EventId) -> bool {
    let Some((index, position)) = whole.skeleton.position(event) else { return false };
    let Some(note) = attempt.runs[index].state.notes.get(position) else { return false };
    let stack = stack(attempt.code.program, &note.stack);
    let file = stack.first().and_then(|entry| entry.location.as_ref()).map(|at| &*at.file);
    file.zip(note.path.as_deref()).is_some_and(|(file, path)| is_lock_word(file, path))
}

/// Where the lock of a cell was taken before the threads started, if it was.
fn taken(attempt: &Attempt<'_, '_>, cell: CellId) -> Option<Held> {
    let cell = &attempt.world.cells[cell.index()];
    let width = Width::from_bytes(cell.bytes)?;
    let trace = attempt.runs[0].state.locked.get(&(cell.region, cell.offset, width))?;
    Some(Held { thread: 0, stack: stack(attempt.code.program, trace) })
}

/// A lock that was taken before the threads started, none of which touches it.
fn untouched(attempt: &Attempt<'_, '_>, whole: &Whole<'_>) -> Option<Held> {
    let touched = |region: RegionId, offset: u64| {
        let mut cells = whole.skeleton.cells.iter().map(|c| &attempt.world.cells[c.cell.index()]);
        cells.any(|cell| (cell.region, cell.offset) == (region, offset))
    };
    let is_held = |(region, offset, width): (RegionId, u64, Width)| {
        let own = attempt.runs.iter().rev().find_map(|run| run.state.local.get(&region));
        let left = &attempt.world.objects().get(region).contents;
        let contents = own.map_or(left, |local| &local.contents);
        life(attempt, region) == Life::Alive
            && !touched(region, offset)
            && !contents.read(offset as usize, width).is_zero()
    };
    let mut all = attempt.runs[0].state.locked.iter();
    let (_, trace) = all.find(|(word, _)| is_held(**word))?;
    Some(Held { thread: 0, stack: stack(attempt.code.program, trace) })
}
