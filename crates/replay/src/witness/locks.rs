//! Locks that are held in the end, or that threads wait for.
//!
//! Only definite locks are tracked ([`ir::locks`]).

use super::check::{Whole, value_of};
use super::leaks::life;
use super::run::{Attempt, Run, Status};
use crate::memory::objects::Life;
use crate::memory::world::{CellId, freed};
use execution::event::{EventId, ThreadId};
use execution::finding::{StackEntry, ThreadName, WantedLock};
use execution::ids::Id;
use ir::locks::Holders;
use ir::program::Width;
use ir::step::describe::stack;
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
        let left = |event: EventId| {
            let value = value_of(&attempt.world, whole.skeleton, event)?;
            Some((event, attempt.world.value_of(value)))
        };
        // The end of a local object gives no lock back.
        let ends = attempt.world.objects().get(attempt.world.cells[cell.cell.index()].region).ends;
        let mut lefts = order.iter().rev().filter_map(|&event| left(event));
        let (last, value) = lefts.find(|(_, value)| !ends || *value != freed())?;
        match whole.skeleton.position(last) {
            _ if value.is_zero() || value == freed() => None,
            None => taken(attempt, cell.cell),
            Some(_) if order.iter().any(|&event| is_lock(attempt, whole, event)) => {
                by(attempt, whole, last)
            }
            Some(_) => taken(attempt, cell.cell).and(by(attempt, whole, last)),
        }
    });
    used.next().or_else(|| untouched(attempt, whole))
}

fn is_lock(attempt: &Attempt<'_, '_>, whole: &Whole<'_>, event: EventId) -> bool {
    let Some((index, position)) = whole.skeleton.position(event) else { return false };
    let note = attempt.runs[index].state.notes.get(position);
    note.is_some_and(|note| note.purpose.is_lock_word())
}

/// Who made a write, and where.
fn by(attempt: &Attempt<'_, '_>, whole: &Whole<'_>, event: EventId) -> Option<Held> {
    let (thread, position) = whole.skeleton.position(event)?;
    let note = attempt.runs[thread].state.notes.get(position)?;
    Some(Held { thread, stack: stack(attempt.code.program, &note.stack) })
}

/// The lock whose word a cell is, with those who hold it in the end.
pub fn wanted(
    attempt: &Attempt<'_, '_>,
    whole: &Whole<'_>,
    cell: CellId,
    name: impl Fn(usize) -> ThreadName,
) -> WantedLock {
    let world = &attempt.world;
    let mut holders: Holders<Vec<StackEntry>> = Holders::default();
    let initial = world.value_of(world.cells[cell.index()].initial);
    if let Some(Held { stack, .. }) = taken(attempt, cell) {
        holders.write(attempt.runs[0].id, initial, stack);
    }
    let mut cells = whole.skeleton.cells.iter().zip(&whole.orders);
    let order = cells.find(|(other, _)| other.cell == cell).map_or(&[][..], |(_, order)| order);
    for &event in order {
        let value = value_of(world, whole.skeleton, event).map(|value| world.value_of(value));
        if let (Some(Held { thread, stack }), Some(value)) = (by(attempt, whole, event), value) {
            holders.write(attempt.runs[thread].id, value, stack);
        }
    }
    let run = |id: ThreadId| attempt.runs.iter().position(|run| run.id == id);
    let held = |(id, stack): &(ThreadId, Vec<StackEntry>)| Some((name(run(*id)?), stack.clone()));
    let word = &world.cells[cell.index()];
    let program = attempt.code.program;
    WantedLock {
        name: world.objects().lock_name(program, word.region, word.offset),
        holders: holders.list().iter().filter_map(held).collect(),
    }
}

/// A thread that waits, but neither for a lock that a thread holds which waits or has ended, nor for
/// a thread that waits, nor for what no other thread accesses: others may still let it continue.
pub fn may_go_on(attempt: &Attempt<'_, '_>, whole: &Whole<'_>) -> Option<usize> {
    let run = |id: ThreadId| attempt.runs.iter().find(|run| run.id == id);
    let name = |index: usize| ThreadName { id: attempt.runs[index].id, function: String::new() };
    let never_goes_on = |id: ThreadId| {
        run(id).is_some_and(|run| matches!(run.status, Status::Ended) || attempt.waits(run))
    };
    let stays = |waiter: &Run| match &waiter.status {
        Status::Joins(thread) => run(*thread).is_some_and(|run| attempt.waits(run)),
        Status::Waits if waiter.alone => true,
        Status::Waits => waiter.wants.is_some_and(|cell| {
            wanted(attempt, whole, cell, name).holders.iter().any(|(by, _)| never_goes_on(by.id))
        }),
        _ => false,
    };
    attempt.runs.iter().position(|run| attempt.waits(run) && !stays(run))
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
        let left = &attempt.world.objects().get(region).contents;
        let contents = attempt.newest(region).map_or(left, |local| &local.contents);
        life(attempt, region) == Life::Alive
            && !touched(region, offset)
            && !contents.read(offset as usize, width).is_zero()
    };
    let mut all = attempt.runs[0].state.locked.iter();
    let (_, trace) = all.find(|(word, _)| is_held(**word))?;
    Some(Held { thread: 0, stack: stack(attempt.code.program, trace) })
}
