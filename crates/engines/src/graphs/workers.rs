//! Visits graphs on all cores: who has nothing left to visit is given some of what another one has
//! open, the oldest first, of which most is left to be seen.

use super::ahead::{Names, Refusal, Runner};
use super::judge::Judge;
use super::leaf::{Found, Wanted};
use super::search::{Open, Search, Stop};
use limits::Limits;
use replay::memory::objects::Passed;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// What is needed to visit graphs.
pub struct Crew<'e, 'p> {
    /// Runs threads.
    pub runner: &'e Runner<'e, 'p>,
    /// Asks the model.
    pub judge: &'e Judge<'e>,
    /// When to give up.
    pub limits: &'e Limits,
    /// What is looked for.
    pub wanted: &'e Wanted,
    /// The local objects that are shared, as far as is known.
    pub passed: &'e Passed,
}

/// What came of visiting all graphs that grow out of one.
pub struct Done {
    /// What was found.
    pub found: Found,
    /// Whether all of them were visited, or need not be.
    pub all: bool,
    /// Local objects that turned out to be shared: then nothing that was found counts.
    pub passed: Option<Passed>,
}

/// What workers share.
struct Pool<'p> {
    state: Mutex<State<'p>>,
    changed: Condvar,
    /// How many have nothing to do.
    idle: AtomicUsize,
}

struct State<'p> {
    jobs: Vec<(Names<'p>, Vec<Open>)>,
    /// How many are visiting graphs.
    busy: usize,
    /// Whether all are to stop.
    over: bool,
    done: Done,
    refused: Option<Refusal>,
}

impl<'p> Pool<'p> {
    fn state(&self) -> MutexGuard<'_, State<'p>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something to visit, once there is something; nothing if all is done.
    fn next(&self) -> Option<(Names<'p>, Vec<Open>)> {
        let mut state = self.state();
        self.idle.fetch_add(1, Ordering::Relaxed);
        loop {
            if state.over || state.jobs.is_empty() && state.busy == 0 {
                self.changed.notify_all();
                return None;
            }
            if let Some(job) = state.jobs.pop() {
                state.busy += 1;
                self.idle.fetch_sub(1, Ordering::Relaxed);
                return Some(job);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// If one worker panics, the others do not wait for what it was visiting.
struct Panics<'a, 'p> {
    pool: &'a Pool<'p>,
}

impl Drop for Panics<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.pool.state().over = true;
            self.pool.changed.notify_all();
        }
    }
}

impl<'p> Crew<'_, 'p> {
    /// Visits a graph and all that grow out of it.
    pub fn visit(&self, names: Names<'p>, open: Open, jobs: usize) -> Result<Done, Refusal> {
        let done = Done { found: Found::new(self.wanted.clone()), all: true, passed: None };
        let jobs_open = vec![(names, vec![open])];
        let state = State { jobs: jobs_open, busy: 0, over: false, done, refused: None };
        let (changed, idle) = (Condvar::new(), AtomicUsize::new(0));
        let pool = Pool { state: Mutex::new(state), changed, idle };
        match jobs {
            1 => self.work(&pool),
            _ => thread::scope(|scope| {
                for _ in 0..jobs {
                    scope.spawn(|| self.work(&pool));
                }
            }),
        }
        let state = pool.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.refused.map_or(Ok(state.done), Err)
    }

    fn work(&self, pool: &Pool<'p>) {
        while let Some((names, open)) = pool.next() {
            let found = Found::new(self.wanted.clone());
            let mut search = Search::new(self.runner, self.judge, names, found);
            search.open = open;
            let panics = Panics { pool };
            let stop = self.visit_open(&mut search, pool);
            drop(panics);
            let mut state = pool.state();
            state.busy -= 1;
            state.done.found.append(search.found);
            if !search.names.passed.is_within(self.passed) {
                let passed = state.done.passed.get_or_insert_default();
                passed.append(&mut search.names.passed);
                state.over = true;
            }
            state.over |= stop.is_some();
            match stop {
                Some(Stop::GaveUp) => state.done.all = false,
                Some(Stop::Refused(refusal)) => state.refused = Some(refusal),
                Some(Stop::Known) | None => {}
            }
            pool.changed.notify_all();
        }
    }

    /// Visits what is open, and gives some of it to those that have nothing to do.
    fn visit_open(&self, search: &mut Search<'_, 'p>, pool: &Pool<'p>) -> Option<Stop> {
        while let Some(open) = search.open.pop() {
            if self.limits.expired() {
                return Some(Stop::GaveUp);
            }
            if let Err(stop) = search.visit(open) {
                return Some(stop);
            }
            if !search.names.passed.is_within(self.passed) {
                return None;
            }
            if search.open.len() > 1 && pool.idle.load(Ordering::Relaxed) > 0 {
                let given: Vec<Open> = search.open.drain(..search.open.len() / 2).collect();
                let mut state = pool.state();
                if state.over {
                    return None;
                }
                state.jobs.push((search.names.clone(), given));
                pool.changed.notify_one();
            }
        }
        None
    }
}
