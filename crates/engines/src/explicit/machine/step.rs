//! One step of a thread: what others may notice at most once, and everything up to the next such
//! thing; in every way that the program leaves open.
//!
//! Soundness S-137 (verify; sc, tso; misses): What an atomic section did before it failed is not
//! seen by other threads (it is for the solver and the oracle). Test: untested.

use crate::explicit::counterexamples::record::Record;
use crate::explicit::machine::layout::{Layout, Object};
use crate::explicit::machine::lifetimes::comes_too_late;
use crate::explicit::machine::refusal::Refusal;
use crate::explicit::machine::state::{Local, Lock, Shared, Threads, bit};
use crate::explicit::machine::weak::view::Cell;
use crate::explicit::machine::world::{Awaited, Did, Join, Seen, Spawned, Stop, World};
use crate::explicit::search::Stopped;
use encoding::bounded::Goal;
use execution::event::ThreadId;
use execution::finding::FindingKind;
use execution::ids::Id;
use ir::program::LocId;
use ir::step::thread::{Code, Ending, Step, Thread};
use std::sync::Arc;

/// More instructions than this in one step, and we give up; `main` alone may need more before it
/// starts a thread.
const FUEL: u64 = 1_000_000;
const FUEL_ALONE: u64 = 20_000_000;
/// After so many instructions, and after so many ways of a step, the limits are polled.
const POLL_INTERVAL: u64 = 1 << 16;
const POLL_INTERVAL_WAYS: usize = 64;

/// A step that can come to more than this is too many.
const MOST_WAYS: usize = 10_000;
/// So many choices may be made in one step, unless it goes on to the end of its thread.
const MOST_ASKS: u32 = 8;
const MOST_ASKS_AT_ONCE: u32 = 1_000;

/// What a step came to.
pub(crate) struct StepOutcome {
    pub after: After,
    /// The branches and assertions that the thread came to.
    pub goals: Vec<Goal>,
    /// What the thread has read of what others may change.
    pub reads: Vec<Seen>,
    /// Which of like threads the thread has awaited.
    pub joins: Vec<Join>,
    /// Whether it did nothing that others may notice before they await the thread, and came to the
    /// thread's end or to where it waits.
    pub quiet: bool,
    /// Whether it may be taken before all steps of other threads, if those may not write a cell:
    /// it commutes with them, and goes forwards.
    pub early: Option<Option<Cell>>,
    /// Whether all that it read was the latest.
    pub latest: bool,
    /// The record, if there is to be one.
    pub record: Option<Box<Record>>,
}

/// What is there after a step.
pub(crate) enum After {
    /// Another state.
    Next { local: Box<Local>, shared: Arc<Shared>, spawned: Vec<Local> },
    /// Something is wrong.
    Wrong { kind: FindingKind, place: Option<LocId> },
}

/// Why there are no steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unsupported {
    pub what: Refusal,
    pub place: Option<LocId>,
}

/// A way of running that has come so far.
#[derive(Clone)]
struct Path<'a> {
    thread: Thread<()>,
    world: World<'a>,
    /// Both as they were before the atomic section that was come to last.
    section: Option<Box<(Thread<()>, World<'a>)>>,
    /// How many threads it has started, and both as they were after the last of them.
    started: usize,
    start: Option<Box<(Thread<()>, World<'a>)>>,
    /// Both as they were when something was chosen last.
    asked: Option<Box<(Thread<()>, World<'a>)>>,
    /// How often something was chosen.
    asks: u32,
}

/// All steps that a thread can make; none if it waits. A thread that runs `at_once` goes on to its
/// end.
pub(crate) fn steps(
    layout: &Layout<'_>,
    local: &Local,
    shared: &Arc<Shared>,
    at_once: bool,
    record: Option<&Record>,
) -> Result<Vec<StepOutcome>, Stopped> {
    let Some(thread) = &local.thread else { return Ok(Vec::new()) };
    // Nobody goes on after what is wrong, and what waits in the buffer will be.
    if comes_too_late(layout, shared, &shared.buffers[local.index]).is_some() {
        return Ok(Vec::new());
    }
    let start = thread.executed();
    let stepping = Stepping { layout, local, thread, shared, record, start, at_once };
    let (first, world) = stepping.begin();
    let mut paths = vec![Path {
        thread: first,
        world,
        section: None,
        started: 0,
        start: None,
        asked: None,
        asks: 0,
    }];
    let mut outcomes: Vec<StepOutcome> = Vec::new();
    let mut waits = false;
    let mut gone = 0;
    while let Some(path) = paths.pop() {
        gone += 1;
        if gone % POLL_INTERVAL_WAYS == 0 && layout.is_too_late() {
            return Err(Stopped::Limit);
        }
        match stepping.go(path)? {
            Went::To(outcome) => outcomes.push(*outcome),
            Went::Nowhere => waits = true,
            Went::Asking(ways) => paths.extend(ways.into_iter().rev()),
        }
        // The search begins again, with what is known now.
        if layout.sharing.borrow().learnt {
            return Ok(Vec::new());
        }
        if paths.len() + outcomes.len() > MOST_WAYS {
            if !at_once {
                let place = place(&layout.code, thread);
                return Err(Unsupported { what: "very many choices at once".into(), place }.into());
            }
            layout.sharing.borrow_mut().notice(local.index);
            return Ok(Vec::new());
        }
    }
    // What it could choose, but has to wait for, it may do after others, or its own stores.
    if waits {
        outcomes.iter_mut().for_each(|outcome| outcome.quiet = false);
    }
    Ok(outcomes)
}

/// What a thread waits for that can make no step.
pub(crate) fn awaited(layout: &Layout<'_>, local: &Local, shared: &Arc<Shared>) -> Awaited {
    let Some(thread) = &local.thread else { return Awaited::Other };
    let start = thread.executed();
    let (record, at_once) = (None, false);
    let stepping = Stepping { layout, local, thread, shared, record, start, at_once };
    let (mut thread, mut world) = stepping.begin();
    loop {
        match thread.run(&layout.code, &mut world, u64::MAX, FUEL) {
            Step::Ran => {}
            Step::Stopped(Stop::Wait) => break,
            Step::OutOfFuel | Step::Finished(_) | Step::Stopped(_) => return Awaited::Other,
        }
    }
    match world.word.filter(|_| thread.in_section()) {
        _ if world.awaits != 0 => Awaited::Threads(world.awaits),
        // The word holds the handle of the thread that holds the lock.
        Some((object, lock)) => match owner(shared, object, lock) {
            Some(owner) => Awaited::Owner(owner),
            _ => Awaited::Other,
        },
        None => Awaited::Other,
    }
}

/// The thread that holds a mutex or a spinlock, if its word names one.
fn owner(shared: &Shared, object: Object, (offset, width, word): Lock) -> Option<ThreadId> {
    let contents = match object {
        Object::Global(id) => shared.globals[id].get(),
        Object::Made(id) => &shared.object(id).contents,
        Object::Function(_) => return None,
    };
    let owner = word.owner(contents.read(offset as usize, width));
    // A program may have written anything there.
    owner.filter(|owner| owner.index() < shared.endings.len())
}

/// Where a path leads.
enum Went<'a> {
    To(Box<StepOutcome>),
    Nowhere,
    Asking(Vec<Path<'a>>),
}

struct Stepping<'a, 'b> {
    layout: &'a Layout<'a>,
    local: &'b Local,
    thread: &'b Thread<()>,
    shared: &'b Arc<Shared>,
    record: Option<&'b Record>,
    start: u64,
    at_once: bool,
}

impl<'a> Stepping<'a, '_> {
    fn go(&self, mut path: Path<'a>) -> Result<Went<'a>, Stopped> {
        let code = &self.layout.code;
        loop {
            if path.thread.at_section(code) {
                path.section = Some(Box::new((path.thread.clone(), path.world.clone())));
            }
            // Yielding ends a run, but not a step.
            let (start, most) = match &path.start {
                Some(started) => (started.0.executed(), FUEL),
                None if self.shared.is_alone() => (self.start, FUEL_ALONE),
                None => (self.start, FUEL),
            };
            let fuel = most.saturating_sub(path.thread.executed() - start);
            let stop =
                match path.thread.run(code, &mut path.world, u64::MAX, fuel.min(POLL_INTERVAL)) {
                    Step::Ran => {
                        if path.world.spawned.len() > path.started {
                            path.started = path.world.spawned.len();
                            path.start = Some(Box::new((path.thread.clone(), path.world.clone())));
                        }
                        continue;
                    }
                    Step::OutOfFuel if fuel > POLL_INTERVAL => match self.layout.is_too_late() {
                        true => return Err(Stopped::Limit),
                        false => continue,
                    },
                    Step::OutOfFuel => return Ok(self.endless(path)?),
                    Step::Finished(ending) => return Ok(self.finish(path, ending)),
                    Step::Stopped(stop) => stop,
                };
            return match stop {
                Stop::Pause => {
                    leave_section(&mut path);
                    Ok(loud(self.paused(path, false)))
                }
                Stop::Discard => {
                    leave_section(&mut path);
                    Ok(loud(self.paused(path, true)))
                }
                Stop::Wait => Ok(self.wait(path)),
                // A loop that choices may repeat without an end comes to the same state again.
                Stop::Ask(_)
                    if path.asks >= MOST_ASKS && !self.at_once && !path.thread.in_section() =>
                {
                    Ok(loud(self.paused(path, false)))
                }
                Stop::Ask(_) if path.asks >= MOST_ASKS_AT_ONCE && self.at_once => {
                    self.layout.sharing.borrow_mut().notice(self.local.index);
                    Ok(Went::Nowhere)
                }
                Stop::Ask(values) => {
                    let way = |value| {
                        let mut path = path.clone();
                        path.world.answer = Some(value);
                        let asked = (path.thread.clone(), path.world.clone());
                        let asks = path.asks + 1;
                        Path { asked: Some(Box::new(asked)), asks, ..path }
                    };
                    Ok(Went::Asking(values.into_iter().map(way).collect()))
                }
                // What is wrong may be otherwise if the new threads run first.
                Stop::Wrong(_) if path.start.is_some() => {
                    if let Some(start) = path.start.take() {
                        (path.thread, path.world) = *start;
                    }
                    Ok(loud(self.paused(path, false)))
                }
                Stop::Wrong(kind) => {
                    let after = path.thread.executed();
                    Ok(self.wrong(path, kind, after))
                }
                // Knowing more, the search begins again, and it may be otherwise.
                Stop::Unsupported(_) if self.layout.sharing.borrow().learnt => Ok(Went::Nowhere),
                Stop::Unsupported(what) => {
                    Err(Unsupported { what, place: place(code, &path.thread) }.into())
                }
            };
        }
    }

    /// It takes very many steps.
    fn endless(&self, path: Path<'a>) -> Result<Went<'a>, Unsupported> {
        if self.at_once {
            self.layout.sharing.borrow_mut().notice(self.local.index);
            return Ok(Went::Nowhere);
        }
        if path.world.skipped {
            self.layout.sharing.borrow_mut().never_last();
            return Ok(Went::Nowhere);
        }
        // A loop that waits for what never comes: its states can be told apart if what it reads
        // is taken for shared.
        if let Some(last) = path.world.last
            && self.layout.sharing.borrow_mut().share((last.kind, last.offset, last.bytes))
        {
            return Ok(Went::Nowhere);
        }
        let what = "a loop in which others notice nothing goes on and on".into();
        Err(Unsupported { what, place: place(&self.layout.code, &path.thread) })
    }

    /// Something is wrong after so many instructions. Others may see what the thread did in this
    /// step and go on, so that it goes wrong is a step of its own, unless nobody notices it.
    fn wrong(&self, mut path: Path<'a>, kind: FindingKind, after: u64) -> Went<'a> {
        let code = &self.layout.code;
        let place = place(code, &path.thread);
        let section = path.section.take().filter(|_| path.thread.in_section());
        let after = section.as_ref().map_or(after, |before| before.0.executed());
        if after == self.start || self.at_once {
            return went(After::Wrong { kind, place }, path.world);
        }
        if let Some(before) = section {
            (path.thread, path.world) = *before;
            return loud(self.paused(path, false));
        }
        // Up to there once more, because what is wrong has left its traces.
        (path.thread, path.world) = match path.asked.take() {
            Some(asked) => *asked,
            None => self.begin(),
        };
        while path.thread.executed() < after {
            let fuel = after - path.thread.executed();
            if let Step::Stopped(_) | Step::Finished(_) =
                path.thread.run(code, &mut path.world, u64::MAX, fuel)
            {
                break;
            }
        }
        loud(self.paused(path, false))
    }

    /// The thread and what it meets when the step begins.
    fn begin(&self) -> (Thread<()>, World<'a>) {
        let turns = if self.at_once { u32::MAX } else { 1 };
        let mut world = World::new(self.layout, self.shared.clone(), self.local.index, turns);
        world.record = self.record.cloned().map(Box::new);
        (self.thread.clone(), world)
    }

    /// It waits: where it is, or before its section. That is a step if it came from elsewhere.
    fn wait(&self, mut path: Path<'a>) -> Went<'a> {
        if self.at_once {
            self.layout.sharing.borrow_mut().notice(self.local.index);
        }
        leave_section(&mut path);
        match path.thread.executed() == self.start {
            true => Went::Nowhere,
            false => self.paused(path, false),
        }
    }

    fn paused(&self, path: Path<'a>, discarded: bool) -> Went<'a> {
        if self.at_once && discarded {
            self.layout.sharing.borrow_mut().notice(self.local.index);
        }
        let mut thread = path.thread;
        thread.forget(&self.layout.code, self.layout.alive);
        self.next(path.world, (!discarded).then_some(thread), discarded)
    }

    fn finish(&self, mut path: Path<'a>, ending: Ending) -> Went<'a> {
        let index = self.local.index;
        if index == ThreadId::MAIN
            && let Ending::Returned(Some(value)) = ending
            && !value.is_defined()
        {
            let kind = FindingKind::UndefinedUse("the result of `main`".into());
            let after = path.thread.executed() - 1;
            return self.wrong(path, kind, after);
        }
        let shared = path.world.change();
        shared.endings[index].0 = Some(ending);
        self.layout.sharing.borrow_mut().ends(index, ending);
        self.next(path.world, None, false)
    }

    fn next(&self, mut world: World<'a>, thread: Option<Thread<()>>, discarded: bool) -> Went<'a> {
        let mut observed = self.local.observed.clone();
        observed.append(&mut world.observed);
        let spawned = std::mem::take(&mut world.spawned);
        let first = world.shared.endings.len() - spawned.len();
        self.compare(&mut world, first, &spawned);
        let Local { index: own, ref path, starts, .. } = *self.local;
        let start = |(number, spawned): (usize, Spawned)| {
            let id = ThreadId::new(first + number);
            let thread = Thread::new(&self.layout.code, id, spawned.function, &spawned.args);
            let path = path.iter().copied().chain([starts + number as u32]).collect();
            Local::started(id, thread, path)
        };
        let spawned: Vec<Local> = spawned.into_iter().enumerate().map(start).collect();
        world.normalise(thread.as_ref(), &spawned);
        let shared = world.shared.clone();
        let (path, starts) = (path.clone(), starts + spawned.len() as u32);
        let futures = &self.layout.futures;
        let goes_on = !discarded
            && spawned.is_empty()
            && thread.as_ref().is_none_or(|after| futures.is_forward(self.thread, after));
        let early =
            world.did.filter(|_| goes_on && self.layout.rules.reduce).map(|did| match did {
                Did::Store => None,
                Did::Read(cell) => Some(cell),
            });
        let local = Local { thread, index: own, path, starts, discarded, observed };
        let local = Box::new(local);
        match went(After::Next { local, shared, spawned }, world) {
            Went::To(outcome) => Went::To(Box::new(StepOutcome { early, ..*outcome })),
            other => other,
        }
    }
}

impl Stepping<'_, '_> {
    /// Finds out which of the threads that were started in one step are alike.
    fn compare(&self, world: &mut World<'_>, first: usize, spawned: &[Spawned]) {
        let detached = world.shared.detached;
        let new = |number: usize| ThreadId::new(first + number);
        let of = |index: usize| {
            let is_detached = detached & bit(new(index)) != 0;
            (spawned[index].function, &spawned[index].args, is_detached)
        };
        for (index, one) in spawned.iter().enumerate() {
            let like = (0..spawned.len()).filter(|&other| of(other) == of(index));
            let bits = like.clone().fold(0, |bits: Threads, other| bits | bit(new(other)));
            let mut sharing = self.layout.sharing.borrow_mut();
            let alike = sharing.start(one.function, bits) && self.local.index == ThreadId::MAIN;
            let single = sharing.single;
            drop(sharing);
            let mut like = like.map(new).filter(|&other| Some(other) != single);
            if alike
                && Some(new(index)) != single
                && let Some(other) = like.next()
            {
                world.change().alike.first[new(index)] = other.index() as u8;
            }
        }
    }
}

/// A thread that goes no further in an atomic section has not entered it.
fn leave_section(path: &mut Path<'_>) {
    if path.thread.in_section()
        && let Some(before) = path.section.take()
    {
        (path.thread, path.world) = *before;
    }
}

/// A step after which its thread could go on.
fn loud(mut went: Went<'_>) -> Went<'_> {
    if let Went::To(outcome) = &mut went {
        outcome.quiet = false;
    }
    went
}

fn went(after: After, world: World<'_>) -> Went<'_> {
    let quiet = world.turns > 0;
    let early = None;
    let latest = !world.stale;
    let World { goals, reads, joins, record, .. } = world;
    Went::To(Box::new(StepOutcome { after, goals, reads, joins, quiet, early, latest, record }))
}

/// Where a thread is, in the user's own code if it is there at all.
fn place(code: &Code<'_>, thread: &Thread<()>) -> Option<LocId> {
    let mut frames = thread.frames().iter().rev();
    let inner = frames.next().map(|frame| frame.next_place(code.program));
    let places = inner.into_iter().chain(frames.map(|frame| frame.call_place(code.program)));
    let is_users = |place: &LocId| !code.program.places[*place].location.is_library();
    places.clone().flatten().find(is_users).or(places.flatten().next())
}
