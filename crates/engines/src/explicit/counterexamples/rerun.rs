//! A path through the states, run again and written down.

use crate::explicit::counterexamples::record::Record;
use crate::explicit::machine::layout::{Layout, Map, Object};
use crate::explicit::machine::lifetimes::comes_too_late;
use crate::explicit::machine::state::{Local, Made, Pending, Shared, bit, first_threads};
use crate::explicit::machine::step::{After, StepOutcome, Unsupported, steps};
use crate::explicit::machine::world::{Join, MOST_THREADS};
use crate::explicit::reductions::symmetry::{
    numbers, reordered, reordered_locals, reordered_memory,
};
use crate::explicit::search::{FLUSH, Search, Stopped, Way};
use execution::event::ThreadId;
use execution::finding::FindingKind;
use execution::ids::IdVec;
use execution::witness::{End, Witness};
use std::sync::Arc;

/// The execution that ends with the last step of a path, which may be wrong. Threads that nobody
/// notices, not even by awaiting them, are left out.
pub(crate) fn along(search: &Search<'_>, path: &[Way], wrong: bool) -> Result<Witness, Stopped> {
    let Moves { mut all, joins, .. } = moves(search, path)?;
    let mut run = Rerun::of(search, &all)?;
    let last = all.last().map(|last| last.thread);
    let matters = |one: &Move| {
        !search.is_at_once(one.thread)
            || run.shared.endings[one.thread].1
            || last == Some(one.thread)
    };
    if !joins && !all.iter().all(matters) {
        all.retain(matters);
        run = Rerun::of(search, &all)?;
    }
    let end = |thread: ThreadId, record: &Record| match wrong && last == Some(thread) {
        true if record.out_of_order => record.cut(thread),
        true => End::Finding,
        false if run.locals[thread].thread.is_none() && !run.locals[thread].discarded => {
            End::Completed
        }
        false => record.cut(thread),
    };
    let ends: Vec<End> = run.locals.ids().map(|thread| end(thread, &run.record)).collect();
    told(run.record, &ends)
}

/// The execution that follows a path, with what becomes of the threads that have not ended, by
/// where they are in the state; those of which nothing is said stop where they are.
pub(crate) fn to_state(
    search: &Search<'_>,
    path: &[Way],
    rest: impl Fn(ThreadId) -> Option<End>,
) -> Result<Witness, Stopped> {
    let Moves { all, places, .. } = moves(search, path)?;
    let run = Rerun::of(search, &all)?;
    let end = |local: &Local| match local.thread.is_none() {
        true => End::Completed,
        false => rest(places[local.index]).unwrap_or_else(|| run.record.cut(local.index)),
    };
    let ends: Vec<End> = run.locals.iter().map(end).collect();
    told(run.record, &ends)
}

/// The execution that follows a path and then makes the steps of a round again and again; all
/// threads are told apart.
pub(crate) fn again_and_again(
    search: &Search<'_>,
    path: &[Way],
    round: &[Way],
) -> Result<Witness, Stopped> {
    let Moves { all, .. } = moves(search, path)?;
    let Moves { all: again, .. } = moves(search, round)?;
    let mut run = Rerun::of(search, &all)?;
    let before = run.record.clone();
    for one in &again {
        run.step(search, one)?;
    }
    let end = |local: &Local| {
        let acts = again.iter().any(|one| one.thread == local.index && one.step != FLUSH);
        match local.thread.is_none() {
            true => End::Completed,
            false if acts => before.until(&run.record, local.index),
            false => End::Waits,
        }
    };
    let ends: Vec<End> = run.locals.iter().map(end).collect();
    told(run.record, &ends)
}

/// A step of a thread, by its number in the execution that is written down.
#[derive(Clone, Copy)]
struct Move {
    thread: ThreadId,
    step: u16,
}

/// The steps of an execution.
struct Moves {
    all: Vec<Move>,
    /// For each thread, where it is in the last state.
    places: IdVec<ThreadId, ThreadId>,
    /// Whether threads were awaited that are like others.
    joins: bool,
}

/// The steps of a path, with the numbers that like threads have if each is awaited by its own
/// handle.
fn moves(search: &Search<'_>, path: &[Way]) -> Result<Moves, Stopped> {
    let layout = search.layout;
    let (local, shared) = initial(layout);
    let mut run = Walk::new(local, shared);
    if !layout.sharing.borrow().has_like_threads() {
        let one = |way: &Way| Move { thread: way.thread(), step: way.step };
        let places = first_threads(MOST_THREADS).collect();
        return Ok(Moves { all: path.iter().map(one).collect(), places, joins: false });
    }
    for way in path {
        run.step(search, way)?;
    }
    let numbers = run.numbers();
    let all = run.moves.iter().map(|one| Move { thread: numbers[one.thread], ..*one });
    let mut places = run.roles.clone();
    for (place, &role) in run.roles.enumerate() {
        places[numbers[role]] = place;
    }
    Ok(Moves { all: all.collect(), places, joins: !run.awaited.is_empty() || run.passes })
}

/// A path, followed as it was found. Like threads are told apart by the numbers with which they
/// were started: their roles.
struct Walk {
    locals: IdVec<ThreadId, Local>,
    shared: Arc<Shared>,
    /// Which thread each was when it was started.
    roles: IdVec<ThreadId, ThreadId>,
    moves: Vec<Move>,
    /// By which handles threads were awaited.
    awaited: Map<ThreadId, ThreadId>,
    /// Handles that are being awaited.
    pending: Vec<ThreadId>,
    /// Whether threads were passed over.
    passes: bool,
}

impl Walk {
    fn new(local: Local, shared: Shared) -> Self {
        Self {
            locals: vec![local].into(),
            shared: Arc::new(shared),
            roles: vec![ThreadId::MAIN].into(),
            moves: Vec::new(),
            awaited: Map::default(),
            pending: Vec::new(),
            passes: false,
        }
    }

    fn step(&mut self, search: &Search<'_>, way: &Way) -> Result<(), Stopped> {
        let thread = way.thread();
        let mut step = way.step;
        if step == FLUSH {
            // If that is wrong, it is the last step.
            let _ = flush(search.layout, Arc::make_mut(&mut self.shared), thread);
        } else {
            let (local, at_once) = (&self.locals[thread], search.is_at_once(thread));
            let ways = steps(search.layout, local, &self.shared, at_once, None)?;
            let Some(StepOutcome { after, joins, .. }) = ways.into_iter().nth(step.into()) else {
                return Err(lost(search));
            };
            for Join { handle, taken, chosen } in joins {
                match taken {
                    Some(taken) => {
                        self.awaited.insert(self.roles[taken], handle);
                        self.pending.retain(|&other| other != handle);
                        // The first way is that it is none of those that have ended.
                        step -= u16::from(chosen);
                    }
                    None => {
                        self.passes = true;
                        self.pending.push(handle);
                    }
                }
            }
            if let After::Next { local, shared, spawned } = after {
                self.locals[thread] = *local;
                for new in spawned {
                    self.roles.push(self.locals.next_id());
                    self.locals.push(new);
                }
                self.shared = shared;
            }
        }
        self.moves.push(Move { thread: self.roles[thread], step });
        if let Some(order) = search.orders.get(way.order) {
            self.locals = reordered_locals(&self.locals, order);
            self.shared = Arc::new(reordered_memory(&self.shared, order));
            self.roles = reordered(&self.roles, order);
        }
        Ok(())
    }

    /// The number of each role.
    fn numbers(&self) -> IdVec<ThreadId, ThreadId> {
        let mut all: IdVec<ThreadId, ThreadId> = self.roles.ids().collect();
        let alike = &self.shared.alike;
        let passed: Vec<ThreadId> = (self.roles.enumerate())
            .filter(|&(thread, _)| alike.passed & bit(thread) != 0)
            .map(|(_, &role)| role)
            .collect();
        for first in all.ids().filter(|&thread| alike.is_first(thread)) {
            // Roles have the numbers that threads have, and so are alike if these are.
            let like: Vec<ThreadId> = alike.like(first).collect();
            let pending = self.pending.iter().copied().find(|handle| like.contains(handle));
            for (role, number) in numbers(&like, &self.awaited, pending, &passed) {
                all[role] = number;
            }
        }
        all
    }
}

/// A path cannot be followed again.
fn lost(search: &Search<'_>) -> Stopped {
    match search.layout.sharing.borrow().learnt {
        true => Stopped::Learnt,
        false => {
            let what = "an execution that cannot be followed again".into();
            Unsupported { what, place: None }.into()
        }
    }
}

/// The witness of a record, if it can be told.
fn told(record: Record, ends: &[End]) -> Result<Witness, Stopped> {
    match record.problem {
        Some(what) => Err(Unsupported { what: what.into(), place: None }.into()),
        None => Ok(record.witness(ends)),
    }
}

/// A path that is run again and written down.
struct Rerun {
    locals: IdVec<ThreadId, Local>,
    shared: Arc<Shared>,
    record: Record,
}

impl Rerun {
    fn of(search: &Search<'_>, path: &[Move]) -> Result<Self, Stopped> {
        let layout = search.layout;
        let (local, shared) = initial(layout);
        let kinds = layout.sharing.borrow().shared_objects();
        let record = Record::new(layout, kinds.into_iter());
        let mut run = Rerun { locals: vec![local].into(), shared: Arc::new(shared), record };
        for one in path {
            run.step(search, one)?;
        }
        Ok(run)
    }

    fn step(&mut self, search: &Search<'_>, &Move { thread, step }: &Move) -> Result<(), Stopped> {
        if step == FLUSH {
            let flushed = flush(search.layout, Arc::make_mut(&mut self.shared), thread);
            self.record.flush(thread);
            self.record.out_of_order |= flushed.is_err();
            return Ok(());
        }
        let (local, at_once) = (&self.locals[thread], search.is_at_once(thread));
        let ways = steps(search.layout, local, &self.shared, at_once, Some(&self.record))?;
        let Some(StepOutcome { after, record: Some(record), .. }) =
            ways.into_iter().nth(step.into())
        else {
            return Err(lost(search));
        };
        self.record = *record;
        if let After::Next { local, shared, spawned } = after {
            self.locals[thread] = *local;
            for new in spawned {
                self.locals.push(new);
            }
            self.shared = shared;
        }
        Ok(())
    }
}

/// The oldest store of a buffer takes place; says what is wrong if its object is gone.
pub(crate) fn flush(
    layout: &Layout<'_>,
    shared: &mut Shared,
    thread: ThreadId,
) -> Result<(), FindingKind> {
    if let Some(kind) = comes_too_late(layout, shared, &shared.buffers[thread][..1]) {
        return Err(kind);
    }
    let Pending { region, offset, value } = shared.buffers[thread].remove(0);
    let offset = offset as usize;
    let Some(value) = value else {
        if let Object::Made(id) = layout.object(region) {
            shared.object_mut(id).change(Made::end);
        }
        return comes_too_late(layout, shared, shared.buffers.iter().flatten()).map_or(Ok(()), Err);
    };
    match layout.object(region) {
        Object::Function(_) => {}
        Object::Global(id) => {
            shared.globals[id].change(|contents| contents.write(offset, value));
        }
        Object::Made(id) => {
            shared.object_mut(id).change(|made| made.contents.write(offset, value));
        }
    }
    Ok(())
}

/// The first state.
pub(crate) fn initial(layout: &Layout<'_>) -> (Local, Shared) {
    let main = layout.program().entry[0];
    let thread = ir::step::thread::Thread::new(&layout.code, ThreadId::MAIN, main, &[]);
    (Local::started(ThreadId::MAIN, thread, Arc::default()), layout.initial())
}
