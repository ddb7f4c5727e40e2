//! Locks that are held in the end.

use super::check::{Whole, value_of};
use super::run::Attempt;
use execution::event::EventId;
use ir::locks::is_lock_word;
use ir::step::describe::stack;

/// The last write to a lock that is not free after it; only what is a lock for sure is looked at.
pub fn held(attempt: &Attempt<'_, '_>, whole: &Whole<'_>) -> Option<EventId> {
    let is_word = |&event: &EventId| {
        let Some((index, position)) = whole.skeleton.position(event) else { return false };
        let Some(note) = attempt.runs[index].state.notes.get(position) else { return false };
        let stack = stack(attempt.code.program, &note.stack);
        let file = stack.first().and_then(|entry| entry.location.as_ref()).map(|at| &*at.file);
        file.zip(note.path.as_deref()).is_some_and(|(file, path)| is_lock_word(file, path))
    };
    let is_held = |event: &EventId| {
        let value = value_of(&attempt.world, whole.skeleton, *event);
        value.is_some_and(|value| !attempt.world.value_of(value).is_zero())
    };
    let locks = whole.orders.iter().filter(|order| order.iter().any(is_word));
    let last = locks.filter_map(|order| order.last().copied());
    last.filter(|event| whole.skeleton.position(*event).is_some()).find(is_held)
}
