//! A path through the states, run again and written down.

use super::layout::{Layout, Object};
use super::record::Record;
use super::search::{FLUSH, Search, Stopped, Way};
use super::state::{Life, Local, Pending, Shared};
use super::step::{After, Outcome, Unsupported, steps};
use execution::witness::{End, Witness};
use std::sync::Arc;

/// The execution that ends with the last step of a path, in which something may be wrong with one
/// thread. Threads that nobody notices, not even by awaiting them, are left out.
pub(super) fn along(
    search: &Search<'_>,
    path: &[Way],
    wrong: Option<usize>,
) -> Result<Witness, Stopped> {
    let mut run = Rerun::of(search, path)?;
    let last = path.last().map(|way| way.thread);
    let matters = |way: &&Way| {
        let thread = way.thread as usize;
        !search.is_at_once(thread) || run.shared.endings[thread].1 || last == Some(way.thread)
    };
    if !path.iter().all(|way| matters(&way)) {
        let path: Vec<Way> = path.iter().filter(matters).copied().collect();
        run = Rerun::of(search, &path)?;
    }
    let end = |thread: usize, record: &Record| match wrong == Some(thread) {
        true if record.out_of_order => record.cut(thread),
        true => End::Finding,
        false if run.locals[thread].thread.is_none() && !run.locals[thread].discarded => {
            End::Completed
        }
        false => record.cut(thread),
    };
    let ends: Vec<End> = (0..run.locals.len()).map(|t| end(t, &run.record)).collect();
    told(run.record, &ends)
}

/// The execution that follows a path, with what becomes of the threads that have not ended.
pub(super) fn to_state(
    search: &Search<'_>,
    path: &[Way],
    rest: impl Fn(usize) -> End,
) -> Result<Witness, Stopped> {
    let run = Rerun::of(search, path)?;
    let end = |local: &Local| match local.thread.is_none() {
        true => End::Completed,
        false => rest(local.index),
    };
    let ends: Vec<End> = run.locals.iter().map(end).collect();
    told(run.record, &ends)
}

/// The witness of a record, if it can be told.
fn told(record: Record, ends: &[End]) -> Result<Witness, Stopped> {
    match record.problem {
        Some(what) => Err(Unsupported { what: what.to_string(), place: None }.into()),
        None => Ok(record.witness(ends)),
    }
}

/// A path that is run again and written down.
struct Rerun {
    locals: Vec<Local>,
    shared: Arc<Shared>,
    record: Record,
}

impl Rerun {
    fn of(search: &Search<'_>, path: &[Way]) -> Result<Self, Stopped> {
        let layout = search.layout;
        let (local, shared) = initial(layout);
        let kinds = layout.sharing.borrow().shared_objects();
        let record = Record::new(layout, kinds.into_iter());
        let mut run = Rerun { locals: vec![local], shared: Arc::new(shared), record };
        for way in path {
            run.step(search, way)?;
        }
        Ok(run)
    }

    fn step(&mut self, search: &Search<'_>, way: &Way) -> Result<(), Stopped> {
        let thread = way.thread as usize;
        if way.step == FLUSH {
            flush(search.layout, Arc::make_mut(&mut self.shared), thread)?;
            self.record.flush(thread);
            return Ok(());
        }
        let (local, at_once) = (&self.locals[thread], search.is_at_once(thread));
        let ways = steps(search.layout, local, &self.shared, at_once, Some(&self.record))?;
        let Some(Outcome { after, record: Some(record), .. }) =
            ways.into_iter().nth(way.step.into())
        else {
            return Err(Stopped::Learnt);
        };
        self.record = *record;
        if let After::Next { local, shared, spawned } = after {
            self.locals[thread] = *local;
            self.locals.extend(spawned);
            self.shared = shared;
        }
        Ok(())
    }
}

/// The oldest store of a buffer takes place.
pub(super) fn flush(
    layout: &Layout<'_>,
    shared: &mut Shared,
    thread: usize,
) -> Result<(), Unsupported> {
    let Pending { region, offset, value } = shared.buffers[thread].remove(0);
    let offset = offset as usize;
    match layout.object(region) {
        Object::Function(_) => {}
        Object::Global(id) => {
            let index = execution::ids::Id::index(id);
            shared.globals[index].change(|contents| contents.write(offset, value));
        }
        Object::Made(owner, number) => {
            let made = &mut shared.made[owner][number];
            if made.get().life != Life::Alive {
                let what = "a store that is seen when its object is gone".to_string();
                return Err(Unsupported { what, place: None });
            }
            made.change(|made| made.contents.write(offset, value));
        }
    }
    Ok(())
}

/// The first state.
pub(super) fn initial(layout: &Layout<'_>) -> (Local, Shared) {
    let id = execution::ids::Id::new(0);
    let main = layout.program().entry[0];
    let thread = ir::step::thread::Thread::new(&layout.code, id, main, &[]);
    let local = Local { thread: Some(thread), ..Local::default() };
    (local, layout.initial())
}
