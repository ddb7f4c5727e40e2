//! States of several threads, and what each step of one of them makes of a state.

use super::effect::effect;
use super::heap::{Life, MADE, Own, Shared, arrange};
use super::history::{Alarming, Rejected, Running, Settled, settle};
use super::machine::Machine;
use super::parts::Seen;
use super::spec::{AbstractId, Spec};
use super::step::{Ran, Went, begin, steps};
use ir::program::LocId;
use std::sync::Arc;

/// A state of several threads.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct State {
    pub shared: Shared,
    /// The objects that only threads lead to.
    pub private: Vec<Arc<super::heap::Object>>,
    pub threads: Vec<Own>,
    pub running: Vec<Option<Running>>,
}

/// A step of one thread.
pub(super) struct Successor {
    /// The operation that the thread began with it.
    pub began: Option<usize>,
    /// Whether its operation ended.
    pub ended: bool,
    pub seen: Vec<Seen>,
    pub place: Option<LocId>,
    /// Whether all that it reads and others may change are locks that others hold.
    pub on_lock: bool,
    /// Whether other threads may notice it.
    pub acts: bool,
    pub to: Result<State, Rejected>,
}

/// The abstract state that what all share shows.
pub(super) type Shown<'a> = dyn FnMut(&Shared) -> Result<AbstractId, Rejected> + 'a;

/// All steps of a thread of this number.
pub(super) fn successors<'m>(
    (machine, spec): (&'m Machine<'m>, &Spec),
    state: &State,
    thread: usize,
    shown: &mut Shown<'_>,
) -> Vec<Successor> {
    let own = Own { objects: state.private.clone(), ..state.threads[thread].clone() };
    let Ok(before) = shown(&state.shared) else { return Vec::new() };
    let mut stepping = Stepping { machine, spec, state, thread, before, shown };
    let mut all = Vec::new();
    match &state.running[thread] {
        None => {
            for (number, operation) in machine.prepared.operations.iter().enumerate() {
                for went in begin(machine, &state.shared, &own, operation.function) {
                    stepping.went(Some(number), went, &mut all);
                }
            }
        }
        Some(_) => {
            for went in steps(machine, &state.shared, &own) {
                stepping.went(None, went, &mut all);
            }
        }
    }
    all
}

struct Stepping<'a, 'm, 's> {
    machine: &'m Machine<'m>,
    spec: &'a Spec,
    state: &'a State,
    thread: usize,
    before: AbstractId,
    shown: &'a mut Shown<'s>,
}

impl<'m> Stepping<'_, 'm, '_> {
    fn went(&mut self, began: Option<usize>, went: Went<'m>, all: &mut Vec<Successor>) {
        let rejected = |what, place| {
            let (ended, seen, on_lock, acts) = (false, Vec::new(), false, true);
            Successor { began, ended, seen, place, on_lock, acts, to: Err(what) }
        };
        let ran = match went {
            Went::To(ran) => *ran,
            Went::Wrong { kind, place } => {
                return all.push(rejected(Rejected::Alarm(Alarming::Finding(kind)), place));
            }
            Went::Cut => return all.push(rejected(Rejected::Alarm(Alarming::Cut), None)),
            Went::Refused { what, place } => {
                return all.push(rejected(Rejected::Refused(what), place));
            }
        };
        let seen = ran.world.seen.clone();
        let place = ran.last_place();
        let (ended, on_lock) = (ran.thread.is_none(), ran.world.waits_for_lock());
        let own = Own { objects: self.state.private.clone(), ..Own::default() };
        let acts = effect(&ran.world, &self.state.shared, &own, None).is_some();
        let running = match self.running(began, &ran) {
            Some(running) => running,
            None => {
                let what = "an operation that chooses otherwise than alone".to_string();
                return all.push(rejected(Rejected::Refused(what), ran.place));
            }
        };
        for to in self.settled(running, ran) {
            let seen = seen.clone();
            all.push(Successor { began, ended, seen, place, on_lock, acts, to });
        }
    }

    /// The operation of the stepping thread.
    fn running(&self, began: Option<usize>, ran: &Ran<'_>) -> Option<Running> {
        match began {
            None => self.state.running[self.thread].clone(),
            Some(operation) => {
                let invocation = self.spec.invocation(operation, &ran.world.chosen)?;
                let mut running = Running::of(invocation);
                running.could_return(self.spec, self.before);
                Some(running)
            }
        }
    }

    fn settled(&mut self, running: Running, ran: Ran<'m>) -> Vec<Result<State, Rejected>> {
        let (spec, before) = (self.spec, self.before);
        let ways = settle(spec, before, running, ran, &mut |ran| {
            let formed = self.formed(ran)?;
            self.after(&formed)
        });
        let state = |settled: Result<Settled<'m>, Rejected>| {
            let settled = settled?;
            let mut state = self.formed(&settled.ran)?;
            let after = self.after(&state)?;
            self.remember(settled, after, &mut state)?;
            Ok(state)
        };
        ways.into_iter().map(state).collect()
    }

    fn after(&mut self, state: &State) -> Result<AbstractId, Rejected> {
        if state.shared.objects.iter().any(|object| object.body().life == Life::Cut) {
            return Err(Rejected::Alarm(Alarming::Cut));
        }
        (self.shown)(&state.shared)
    }

    /// The state after a step, without what is known of operations.
    fn formed(&self, ran: &Ran<'m>) -> Result<State, Rejected> {
        let (shared, own) = ran.parts();
        let mut threads = self.state.threads.clone();
        threads[self.thread] = Own { objects: Vec::new(), ..own.clone() };
        let others = threads.iter_mut().enumerate().filter(|(other, _)| *other != self.thread);
        for (_, own) in others {
            own.mine.retain(|token| !ran.world.tokens.contains(token));
        }
        let regions = &self.machine.regions;
        let arranged = arrange(regions, shared, own.objects, &mut threads, usize::MAX);
        let (shared, private) = arranged.map_err(|_| odd_pointer())?;
        Ok(State { shared, private, threads, running: self.state.running.clone() })
    }

    /// What is known of the operations after a step.
    fn remember(
        &self,
        settled: Settled<'m>,
        after: AbstractId,
        state: &mut State,
    ) -> Result<(), Rejected> {
        state.running[self.thread] = settled.running;
        for other in (0..state.threads.len()).filter(|other| *other != self.thread) {
            let Some(running) = &mut state.running[other] else { continue };
            let made = |region| self.state.threads[other].mine.contains(&(region, MADE));
            match settled.helped.filter(|helped| made(helped.region)) {
                Some(helped) => {
                    running.is_helped(helped.outcome).map_err(Rejected::Alarm)?;
                    state.threads[other].mine.retain(|(_, kind)| *kind != MADE);
                }
                None => running.could_return(self.spec, after),
            }
        }
        Ok(())
    }
}

pub(super) fn odd_pointer() -> Rejected {
    Rejected::Refused("a pointer in parts, shifted, or otherwise not an address".into())
}
