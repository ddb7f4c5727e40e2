//! History variables: what is known of an operation while it runs, and what a step of it means for
//! the abstract state.
//!
//! A step that changes the abstract state is the stepping thread's own operation, which has then
//! taken effect, or it completes an operation that another thread has published: *helping*. Whose
//! operation it is has to be the same for all who know of the step, so it is a function of what the
//! stepping thread knows: each operation has at most one *descriptor*, an object that it makes, in
//! whose last word, which the program cannot see, stands which operation it is until that has taken
//! effect or ended. A step completes the one operation whose descriptor it can reach and that
//! changes the abstract state as the step does; the thread that made the descriptor then has its
//! result.
//!
//! In the middle of a critical section, memory may show no abstract state or a wrong one. So, on a
//! rung of its own, the abstract state is a word that the program cannot see, and is asked for only
//! where a thread that has changed something holds no lock.
//!
//! Where operations say themselves when they take effect, the abstract state is a word that the
//! program cannot see. The access before the last `fp_commit` of an operation changes it. Whether
//! a commit point is the last is guessed, and an operation that was guessed wrong is dropped when
//! that shows: every operation has one right guess, so all executions are covered.
//!
//! A mistake here would take a wrong data type for right.
//!
//! Soundness S-251 (prove; sc, tso; refuses): An operation that publishes several descriptors is
//! refused; a step that could complete several operations, or none whose descriptor it can reach, is
//! `?`, and so are steps that complete operations where two threads have to be tracked. Test:
//! crates/engines/src/views/witness_tests.rs::an_operation_that_publishes_two_descriptors_is_not_proved,
//! crates/fencepost/tests/prove_ladder.rs::operations_that_others_complete_under_a_lock_that_is_handed_on_are_refused_by_name.
//!
//! Soundness S-253 (prove; sc, tso; refuses): A commit point before the first shared access of its
//! operation is refused, and so is one while stores of the thread wait in its store buffer. Test:
//! crates/engines/src/views/witness_tests.rs::commit_points_without_an_access_are_refused.

use super::heap::{Body, Life, MADE, NO_LOCK, canonical};
use super::machine::Machine;
use super::several::odd_pointer;
use super::spec::{AbstractId, InvocationId, Next, Observed, OutcomeId, Spec};
use super::step::Ran;
use super::world::{Change, World};
use execution::finding::FindingKind;
use execution::ids::Id;
use ir::program::{GlobalId, Width};
use ir::value::{RegionId, Value};
use std::sync::Arc;

/// The operation that a thread is in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Running {
    pub invocation: InvocationId,
    pub observed: Arc<Observed>,
    /// Its outcome, once it has taken effect.
    pub done: Option<OutcomeId>,
    /// What it could have returned so far without changing anything, in order.
    pub possible: Vec<OutcomeId>,
    /// Whether it has passed a commit point that was guessed not to be its last.
    pub passed: bool,
}

impl Running {
    /// An operation that begins.
    pub fn of(invocation: InvocationId) -> Self {
        let (observed, possible) = (Arc::default(), Vec::new());
        Self { invocation, observed, done: None, possible, passed: false }
    }

    /// Remembers what the client has observed in a step.
    fn observe(&mut self, observed: &Observed) {
        if !observed.is_empty() {
            Arc::make_mut(&mut self.observed).extend(observed.iter().cloned());
        }
    }

    /// Remembers what the operation could return if it took effect now, without changing anything.
    pub fn could_return(&mut self, spec: &Spec, shown: AbstractId) {
        if self.done.is_none()
            && !spec.has_commits()
            && let Some(outcome) = spec.unchanged(shown, self.invocation)
            && let Err(at) = self.possible.binary_search(&outcome)
        {
            self.possible.insert(at, outcome);
        }
    }

    /// The operation has taken effect.
    fn is_done(&mut self, outcome: OutcomeId) {
        self.done = Some(outcome);
        self.possible.clear();
    }

    /// Another thread has completed the operation.
    pub fn is_helped(&mut self, outcome: OutcomeId) -> Result<(), Alarming> {
        match self.done {
            None => {
                self.is_done(outcome);
                Ok(())
            }
            Some(_) => Err(Alarming::WrongChange),
        }
    }

    /// A step of the operation: it changes the abstract state as the operation does, if at all.
    fn step(&mut self, spec: &Spec, before: AbstractId, after: AbstractId) -> Result<(), Rejected> {
        if before != after {
            if self.done.is_some() {
                return Err(Rejected::Alarm(Alarming::WrongChange));
            }
            match spec.next(before, self.invocation) {
                Next::To(outcome, to) if to == after => self.is_done(outcome),
                Next::Past => return Err(Rejected::Past),
                Next::To(..) => return Err(Rejected::Alarm(Alarming::WrongChange)),
            }
        }
        if spec.past[after.index()] {
            return Err(Rejected::Past);
        }
        self.could_return(spec, after);
        Ok(())
    }

    /// Checks what the operation has shown when it ends.
    fn result(&self, spec: &Spec) -> Result<(), Alarming> {
        let outcome = spec.outcome(&self.observed);
        let right = match (self.done, outcome) {
            (Some(done), Some(outcome)) => done == outcome,
            (None, Some(outcome)) => self.possible.contains(&outcome),
            (_, None) => false,
        };
        match right {
            true => Ok(()),
            false => Err(Alarming::WrongResult((*self.observed).clone())),
        }
    }
}

/// What is wrong with a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Alarming {
    Finding(FindingKind),
    /// The memory shows no state of the abstract type.
    NoAbstractState,
    /// The abstract state changes, and not as the thread's own operation changes it.
    WrongChange,
    /// An operation returns what it does at no moment while it runs.
    WrongResult(Observed),
    /// It depends on what was cut off.
    Cut,
}

/// Why a step leads to no state.
pub(super) enum Rejected {
    Alarm(Alarming),
    Refused(String),
    /// The data type is larger than the bound.
    Past,
    /// It was guessed wrong which commit point is the last.
    Guessed,
}

/// An operation that a step has completed for another thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Helped {
    /// Its descriptor.
    pub region: RegionId,
    pub outcome: OutcomeId,
}

/// A step that is right so far.
pub(super) struct Settled<'m> {
    pub ran: Ran<'m>,
    /// Nothing if the operation has ended.
    pub running: Option<Running>,
    pub helped: Option<Helped>,
    /// Whether words changed that the program cannot see.
    pub changed: bool,
}

/// The abstract state after a step.
pub(super) type Shows<'a, 'm> = dyn FnMut(&Ran<'m>) -> Result<AbstractId, Rejected> + 'a;

/// What a step of an operation means, in every way in which it may be taken. `before` is the
/// abstract state before it.
pub(super) fn settle<'m>(
    spec: &Spec,
    before: AbstractId,
    mut running: Running,
    mut ran: Ran<'m>,
    shown: &mut Shows<'_, 'm>,
) -> Vec<Result<Settled<'m>, Rejected>> {
    running.observe(&ran.world.observed);
    if let Err(refused) = adopt(&mut ran.world, &running) {
        return vec![Err(refused)];
    }
    match (spec.history(), spec.remembered()) {
        (Some(history), _) => by_commits((spec, history), before, running, ran),
        (None, Some(word)) => vec![by_answers((spec, word), before, running, ran)],
        (None, None) => vec![by_memory(spec, before, running, ran, shown)],
    }
}

/// The abstract state is asked for only where the stepping thread has changed something and holds
/// no lock.
fn by_answers<'m>(
    (spec, word): (&Spec, GlobalId),
    before: AbstractId,
    mut running: Running,
    mut ran: Ran<'m>,
) -> Result<Settled<'m>, Rejected> {
    let machine = ran.world.machine;
    let holds_lock = ran.world.mine.iter().any(|(_, kind)| kind & NO_LOCK == 0);
    let after = match holds_lock || ran.world.changes.is_empty() {
        true => before,
        false => {
            let (memory, own) = ran.parts();
            let formed = canonical(&machine.regions, memory, own, usize::MAX);
            let (memory, _) = formed.map_err(|_| odd_pointer())?;
            let shown = spec.answered(machine, &memory);
            shown.ok_or(Rejected::Alarm(Alarming::NoAbstractState))?
        }
    };
    running.step(spec, before, after)?;
    if before != after {
        set_history(&mut ran.world, word, after)?;
    }
    let mut settled = ended(spec, running, ran, None)?;
    settled.changed |= before != after;
    Ok(settled)
}

fn by_memory<'m>(
    spec: &Spec,
    before: AbstractId,
    mut running: Running,
    mut ran: Ran<'m>,
    shown: &mut Shows<'_, 'm>,
) -> Result<Settled<'m>, Rejected> {
    let after = shown(&ran)?;
    let helped = match before == after {
        true => None,
        false => helped(spec, (before, after), &running, &ran.world),
    };
    match helped {
        Some(helped) => {
            if spec.past[after.index()] {
                return Err(Rejected::Past);
            }
            set_operation(&mut ran.world, helped.region, None)?;
            running.could_return(spec, after);
        }
        None => running.step(spec, before, after)?,
    }
    ended(spec, running, ran, helped)
}

/// Checks the result of an operation that has ended. One that has taken effect or ended is no longer
/// to be completed.
fn ended<'m>(
    spec: &Spec,
    running: Running,
    mut ran: Ran<'m>,
    helped: Option<Helped>,
) -> Result<Settled<'m>, Rejected> {
    let has_ended = ran.thread.is_none();
    if has_ended {
        running.result(spec).map_err(Rejected::Alarm)?;
    }
    let mut changed = helped.is_some();
    let is_over = running.done.is_some() && ran.world.machine.rung.makers.is_none();
    if has_ended || is_over {
        while let Some(made) = made_by(&ran.world) {
            ran.world.mine.retain(|&lock| lock != (made, MADE));
            set_operation(&mut ran.world, made, None)?;
            changed = true;
        }
    }
    let running = (!has_ended).then_some(running);
    Ok(Settled { ran, running, helped, changed })
}

/// The step changes the abstract state if a commit point after it is the operation's last.
fn by_commits<'m>(
    (spec, history): (&Spec, GlobalId),
    before: AbstractId,
    running: Running,
    ran: Ran<'m>,
) -> Vec<Result<Settled<'m>, Rejected>> {
    let mut ways = Vec::new();
    let mut unchanged = running.clone();
    if ran.world.committed {
        if running.done.is_some() {
            return vec![Err(Rejected::Guessed)];
        }
        if ran.may_end_without_commit() {
            ways.push(commit((spec, history), before, running, ran.clone()));
        }
        unchanged.passed = true;
    }
    ways.push(match (&ran.thread, unchanged.done) {
        (None, None) if unchanged.passed => Err(Rejected::Guessed),
        (None, None) => Err(Rejected::Refused("an operation that ends without fp_commit".into())),
        (Some(_), None) if !ran.may_commit() && unchanged.passed => Err(Rejected::Guessed),
        _ => ended(spec, unchanged, ran, None),
    });
    ways
}

fn commit<'m>(
    (spec, history): (&Spec, GlobalId),
    before: AbstractId,
    mut running: Running,
    mut ran: Ran<'m>,
) -> Result<Settled<'m>, Rejected> {
    let Next::To(outcome, after) = spec.next(before, running.invocation) else {
        return Err(Rejected::Past);
    };
    running.is_done(outcome);
    if spec.past[after.index()] {
        return Err(Rejected::Past);
    }
    if before != after {
        set_history(&mut ran.world, history, after)?;
    }
    let mut settled = ended(spec, running, ran, None)?;
    settled.changed |= before != after;
    Ok(settled)
}

/// Writes the abstract state into the word that is made for it.
fn set_history(world: &mut World<'_>, history: GlobalId, to: AbstractId) -> Result<(), Rejected> {
    let region = world.machine.regions.of_global(history).provenance.expect("a region");
    set_word(world, region, 0, to.index() as u128)
}

/// What the word says that is made for the abstract state.
pub(super) fn history_of(shared: &super::heap::Shared, history: GlobalId) -> AbstractId {
    let contents = &shared.globals[history.index()].body().contents;
    AbstractId::new(contents.read(0, Width::I64).bits as usize)
}

fn set_word(
    world: &mut World<'_>,
    region: RegionId,
    offset: usize,
    bits: u128,
) -> Result<(), Rejected> {
    let value = Value::int(Width::I64, bits);
    let changed = world.change(region, |body| body.contents.write(offset, value));
    changed.map_err(|stop| Rejected::Refused(format!("{stop:?} in a word of history")))?;
    let is_known = world.body(region).is_some_and(|body| body.escaped);
    if is_known {
        let (offset, width) = (offset as u32, Width::I64);
        world.changes.push(Change::Write { region, offset, width });
    }
    Ok(())
}

/// The bytes at the end of a descriptor that the program cannot see.
pub(super) const HIDDEN: u64 = 8;

/// The descriptor of the running operation.
fn made_by(world: &World<'_>) -> Option<RegionId> {
    world.mine.iter().find(|(_, kind)| *kind == MADE).map(|(region, _)| *region)
}

/// The operation whose descriptor an object is, while that is to take effect.
fn operation_of(world: &World<'_>, region: RegionId) -> Option<InvocationId> {
    let body = world.body(region)?;
    world.machine.operation_of(body)
}

fn set_operation(
    world: &mut World<'_>,
    region: RegionId,
    operation: Option<InvocationId>,
) -> Result<(), Rejected> {
    if operation_of(world, region) == operation {
        return Ok(());
    }
    let Some(body) = world.body(region) else { return Ok(()) };
    let offset = body.contents.len() - HIDDEN as usize;
    set_word(world, region, offset, operation.map_or(0, |number| number.index() as u128 + 1))
}

/// The last descriptor that the operation has made is its own.
fn adopt(world: &mut World<'_>, running: &Running) -> Result<(), Rejected> {
    for region in std::mem::take(&mut world.made) {
        if running.done.is_some() && world.machine.rung.makers.is_none() {
            continue;
        }
        if let Some(before) = made_by(world) {
            if world.body(before).is_some_and(|body| body.escaped) {
                let what = "an operation that publishes several descriptors";
                return Err(Rejected::Refused(what.into()));
            }
            set_operation(world, before, None)?;
            world.mine.retain(|(_, kind)| *kind != MADE);
        }
        world.mine.push((region, MADE));
        set_operation(world, region, Some(running.invocation))?;
    }
    Ok(())
}

/// The operation of another thread that a step completes, if it does.
fn helped(
    spec: &Spec,
    (before, after): (AbstractId, AbstractId),
    running: &Running,
    world: &World<'_>,
) -> Option<Helped> {
    world.machine.rung.helping?;
    let changes = |region: RegionId| -> Option<Helped> {
        let invocation = operation_of(world, region)?;
        match spec.next(before, invocation) {
            Next::To(outcome, to) if to == after => Some(Helped { region, outcome }),
            _ => None,
        }
    };
    let own = made_by(world);
    let only = |regions: &mut dyn Iterator<Item = RegionId>| -> Vec<Helped> {
        let mut found: Vec<Helped> = regions.filter_map(changes).collect();
        found.sort_unstable_by_key(|helped| helped.region.index());
        found.dedup();
        found
    };
    // First of all, what the step has replaced, written or published.
    let mut found = only(&mut world.touched.iter().copied());
    if found.is_empty() {
        let is_own = running.done.is_none()
            && matches!(spec.next(before, running.invocation), Next::To(_, to) if to == after);
        if is_own {
            return None;
        }
        let all = (0..world.objects.len()).map(|number| world.machine.regions.of_heap(number));
        found = only(&mut all.into_iter());
    }
    match found.as_slice() {
        [one] if own != Some(one.region) => Some(*one),
        _ => None,
    }
}

impl Machine<'_> {
    /// Whether objects of this kind describe operations.
    pub fn is_descriptor(&self, what: super::heap::What) -> bool {
        let kind = self.rung.helping.or(self.rung.makers);
        kind.is_some_and(|descriptor| descriptor.0 == what)
    }

    /// The operation whose descriptor an object is: of those that wait for makers, until that ends.
    pub fn operation_of(&self, body: &Body) -> Option<InvocationId> {
        if !self.is_descriptor(body.what) || body.life != Life::Alive {
            return None;
        }
        let offset = body.contents.len() - HIDDEN as usize;
        let number = body.contents.read(offset, Width::I64).bits as usize;
        number.checked_sub(1).map(InvocationId::new)
    }
}
