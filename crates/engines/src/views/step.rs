//! One step of the tracked thread, in every way that the program leaves open; and whole operations
//! that run alone.

use super::heap::{Frozen, INFERRED, NO_LOCK, Own, Shared};
use super::machine::Machine;
use super::world::{Company, Stop, World};
use execution::finding::FindingKind;
use execution::ids::Id;
use ir::program::{FuncId, LocId};
use ir::step::thread::{Code, Ending, Step, Thread};
use ir::value::Value;

/// More instructions than this in one step are taken for a loop without an end.
const FUEL: u64 = 200_000;
/// A step that can be made in more ways than this is refused.
const MOST_WAYS: usize = 4096;

/// What a step came to.
pub(super) enum Went<'m> {
    To(Box<Ran<'m>>),
    /// Something is wrong.
    Wrong {
        kind: FindingKind,
        place: Option<LocId>,
    },
    /// Something has no meaning in views.
    Refused {
        what: String,
        place: Option<LocId>,
    },
    /// It reads what was cut off.
    Cut,
}

/// What is there after a step; objects are numbered as before it.
#[derive(Clone)]
pub(super) struct Ran<'m> {
    pub world: World<'m>,
    /// Nothing if the operation has ended.
    pub thread: Option<Thread<()>>,
    /// Where the thread is, for people.
    pub place: Option<LocId>,
}

impl Ran<'_> {
    /// Where the step was, in the user's own code if it was there at all.
    pub fn last_place(&self) -> Option<LocId> {
        let places = &self.world.machine.program().places;
        let seen = || self.world.seen.iter().rev().filter_map(|seen| seen.place);
        let is_users = |place: &LocId| !places[*place].location.is_library();
        seen().find(is_users).or(self.place).or(seen().next())
    }

    /// Whether the operation can pass another commit point.
    pub fn may_commit(&self) -> bool {
        let Some(thread) = &self.thread else { return false };
        self.world.machine.prepared.commits.may_follow(thread)
    }

    /// Whether the operation can end without passing another commit point.
    pub fn may_end_without_commit(&self) -> bool {
        let Some(thread) = &self.thread else { return true };
        self.world.machine.prepared.commits.may_be_avoided(thread)
    }

    /// The shared part and the thread's own, not yet in their one form.
    pub fn parts(&self) -> (Shared, Own) {
        let world = &self.world;
        let (shared, private) = world.objects.split_at(world.shared);
        let shared = Shared { globals: world.globals.clone(), objects: shared.to_vec() };
        let thread = self.thread.clone();
        let own = match thread {
            // What only the operation led to is gone with it.
            None => Own { objects: private.to_vec(), ..Own::default() },
            Some(thread) => Own {
                thread: Some(Frozen::new(thread)),
                objects: private.to_vec(),
                mine: world.mine.clone(),
                buffer: world.buffer.clone(),
            },
        };
        (shared, own)
    }
}

/// The next steps of a thread that is in an operation.
pub(super) fn steps<'m>(machine: &'m Machine<'m>, shared: &Shared, own: &Own) -> Vec<Went<'m>> {
    let Some(thread) = own.thread.as_ref().map(|frozen| frozen.thread()) else {
        return Vec::new();
    };
    let world = World::new(machine, Company::Others, shared, own);
    let mut all = run(machine, thread.clone(), world);
    if !own.buffer.is_empty() {
        all.push(flushed(machine, thread, shared, own));
    }
    all
}

/// The first store of the thread's buffer becomes visible.
fn flushed<'m>(
    machine: &'m Machine<'m>,
    thread: &Thread<()>,
    shared: &Shared,
    own: &Own,
) -> Went<'m> {
    let mut world = World::new(machine, Company::Others, shared, own);
    let place = own.buffer[0].place;
    match world.flush() {
        Ok(()) => Went::To(Box::new(Ran { world, thread: Some(thread.clone()), place })),
        Err(stop) => stopped(stop, place),
    }
}

/// A thread begins an operation: all local work before its first access that others may notice.
pub(super) fn begin<'m>(
    machine: &'m Machine<'m>,
    shared: &Shared,
    own: &Own,
    function: FuncId,
) -> Vec<Went<'m>> {
    let mut world = World::new(machine, Company::Others, shared, own);
    // The first access is a step of its own.
    world.turns = 1;
    world.may_choose = true;
    run(machine, thread(machine, function), world)
}

/// An operation runs alone, with these choices, or with all.
pub(super) fn alone<'m>(
    machine: &'m Machine<'m>,
    shared: &Shared,
    function: FuncId,
    script: Option<&[Value]>,
) -> Vec<Went<'m>> {
    let mut world = World::new(machine, Company::Alone, shared, &Own::default());
    world.may_choose = true;
    world.script = script.map(<[Value]>::to_vec);
    run(machine, thread(machine, function), world)
}

/// Prepares the data type: runs `main` until it starts a thread.
pub(super) fn prepared<'m>(machine: &'m Machine<'m>, shared: &Shared) -> Vec<Went<'m>> {
    let mut world = World::new(machine, Company::Alone, shared, &Own::default());
    world.may_choose = true;
    run(machine, thread(machine, machine.prepared.main), world)
}

fn thread(machine: &Machine<'_>, function: FuncId) -> Thread<()> {
    Thread::new(&machine.code, Id::new(0), function, &[])
}

/// Runs a thread until its step is over, in every way.
fn run<'m>(machine: &'m Machine<'m>, thread: Thread<()>, world: World<'m>) -> Vec<Went<'m>> {
    let mut open = vec![(thread, world)];
    let mut all = Vec::new();
    while let Some((thread, world)) = open.pop() {
        match advance(machine, thread, world) {
            Advanced::Went(went) => all.push(went),
            Advanced::Nowhere => {}
            Advanced::Asks(thread, world, values) => {
                for value in values.into_iter().rev() {
                    let mut world = (*world).clone();
                    world.answer = Some(value);
                    open.push(((*thread).clone(), world));
                }
            }
        }
        if all.len() + open.len() > MOST_WAYS {
            let what = "very many choices at once".to_string();
            return vec![Went::Refused { what, place: None }];
        }
    }
    all
}

enum Advanced<'m> {
    Went(Went<'m>),
    Nowhere,
    Asks(Box<Thread<()>>, Box<World<'m>>, Vec<Value>),
}

fn advance<'m>(
    machine: &'m Machine<'m>,
    mut thread: Thread<()>,
    mut world: World<'m>,
) -> Advanced<'m> {
    let start = thread.executed();
    let code = &machine.code;
    loop {
        let fuel = FUEL.saturating_sub(thread.executed() - start);
        let at = |thread: &Thread<()>| place(code, thread);
        let stop = match thread.run(code, &mut world, u64::MAX, fuel) {
            Step::Ran => continue,
            Step::Finished(Ending::Returned(_)) => {
                return ended(world);
            }
            Step::Finished(_) => {
                let what = "an operation that ends its thread or the program".to_string();
                return Advanced::Went(Went::Refused { what, place: at(&thread) });
            }
            Step::OutOfFuel if world.waits_for_what_is_fixed() => return Advanced::Nowhere,
            Step::OutOfFuel => {
                let what = "a loop in which other threads notice nothing goes on and on";
                let place = at(&thread);
                return Advanced::Went(Went::Refused { what: what.into(), place });
            }
            Step::Stopped(stop) => stop,
        };
        return match stop {
            Stop::Pause => {
                // A step that ends in an atomic section has not entered it.
                let place = at(&thread);
                thread.forget(code, machine.alive());
                let ran = Ran { world, thread: Some(thread), place };
                Advanced::Went(Went::To(Box::new(ran)))
            }
            Stop::Prepared => {
                let ran = Ran { world, thread: None, place: None };
                Advanced::Went(Went::To(Box::new(ran)))
            }
            Stop::Wait if waits_later(&world, &thread) => {
                let place = at(&thread);
                thread.forget(code, machine.alive());
                let ran = Ran { world, thread: Some(thread), place };
                Advanced::Went(Went::To(Box::new(ran)))
            }
            Stop::Wait | Stop::Discard => Advanced::Nowhere,
            Stop::Ask(values) => Advanced::Asks(Box::new(thread), Box::new(world), values),
            stop => Advanced::Went(stopped(stop, at(&thread))),
        };
    }
}

/// Whether a thread that waits has made a step before: it waits in the state after it.
fn waits_later(world: &World<'_>, thread: &Thread<()>) -> bool {
    world.company == Company::Others && world.turns > 0 && !thread.in_section()
}

fn stopped<'m>(stop: Stop, place: Option<LocId>) -> Went<'m> {
    match stop {
        Stop::Wrong(kind) => Went::Wrong { kind, place },
        Stop::Cut => Went::Cut,
        Stop::Refused(what) => Went::Refused { what, place },
        stop => Went::Refused { what: format!("{stop:?} where no thread runs"), place },
    }
}

/// The operation has ended.
fn ended(world: World<'_>) -> Advanced<'_> {
    for &(region, offset) in world.mine.iter().filter(|(_, offset)| offset & INFERRED != 0) {
        if let Some(body) = world.body(region) {
            world.machine.facts.borrow_mut().is_no_lock(body.what, offset & !INFERRED);
        }
    }
    if world.mine.iter().any(|(_, offset)| offset & (NO_LOCK | INFERRED) == 0) {
        return Advanced::Went(Went::Wrong { kind: FindingKind::LockHeld, place: None });
    }
    Advanced::Went(Went::To(Box::new(Ran { world, thread: None, place: None })))
}

/// Where a thread is, in the user's own code if it is there at all.
pub(super) fn place(code: &Code<'_>, thread: &Thread<()>) -> Option<LocId> {
    let places = thread.frames().iter().rev().map(|frame| frame.next_place(code.program));
    let is_users = |place: &LocId| !code.program.places[*place].location.is_library();
    places.clone().flatten().find(is_users).or(places.flatten().next())
}
