//! So many threads and no more: all states of the most general client, one thread for each column.
//!
//! It takes the same steps as the views and forgets nothing. An alarm here is an execution, which
//! says what test of the data type to run; and in tests, the views of all states that are visited
//! here must be among those of the fixpoint.

use super::heap::{Own, Quick, Shared, arrange};
use super::machine::Machine;
use super::search::{Alarming, Running};
use super::spec::{AbstractId, Spec};
use super::step::{Ran, Went, begin, steps};
use hashbrown::HashMap;
use sat::{Limits, Poll};
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

/// What happened in an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Happened {
    /// A thread began an operation.
    Began { thread: usize, operation: usize },
    /// A thread made a step.
    Stepped { thread: usize },
    /// A thread ended its operation.
    Ended { thread: usize },
}

/// An execution in which something is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Execution {
    pub what: Alarming,
    pub happened: Vec<Happened>,
}

pub(super) struct Explorer<'m, 'a> {
    machine: &'m Machine<'m>,
    spec: &'a Spec,
    pub states: Vec<Arc<State>>,
    origins: Vec<Option<(usize, Happened)>>,
    numbers: HashMap<Arc<State>, usize, Quick>,
    shown: HashMap<Shared, Option<AbstractId>, Quick>,
    /// The executions in which something is wrong that were found.
    pub wrong: Vec<Execution>,
    /// Whether a step was left out, because it has no meaning here.
    left_out: bool,
}

/// At most so many wrong executions are of interest.
const MOST_WRONG: usize = 12;

impl<'m, 'a> Explorer<'m, 'a> {
    pub fn new(machine: &'m Machine<'m>, spec: &'a Spec) -> Self {
        let states = Vec::new();
        let (origins, numbers, shown) = (Vec::new(), HashMap::default(), HashMap::default());
        let (wrong, left_out) = (Vec::new(), false);
        Self { machine, spec, states, origins, numbers, shown, wrong, left_out }
    }

    /// Visits all states of so many threads, breadth-first, up to `most`; says whether that were all.
    pub fn run(&mut self, initial: &Shared, threads: usize, most: usize, limits: &Limits) -> bool {
        let poll = Poll::new(limits, 64);
        let first = State {
            shared: initial.clone(),
            private: Vec::new(),
            threads: vec![Own::default(); threads],
            running: vec![None; threads],
        };
        self.add(first, None);
        let mut at = 0;
        while at < self.states.len() {
            if poll.expired() || self.states.len() > most || self.wrong.len() >= MOST_WRONG {
                return false;
            }
            for thread in 0..threads {
                self.step(at, thread);
            }
            at += 1;
        }
        !self.left_out
    }

    fn add(&mut self, state: State, origin: Option<(usize, Happened)>) {
        if self.numbers.contains_key(&state) {
            return;
        }
        let state = Arc::new(state);
        self.numbers.insert(state.clone(), self.states.len());
        self.states.push(state);
        self.origins.push(origin);
    }

    /// All steps of one thread.
    fn step(&mut self, at: usize, thread: usize) {
        let state = self.states[at].clone();
        let own = Own { objects: state.private.clone(), ..state.threads[thread].clone() };
        match &state.running[thread] {
            None => {
                for (number, operation) in self.machine.prepared.operations.iter().enumerate() {
                    let happened = Happened::Began { thread, operation: number };
                    for went in begin(self.machine, &state.shared, &own, operation.function) {
                        self.went(at, thread, None, happened, went);
                    }
                }
            }
            Some(running) => {
                for went in steps(self.machine, &state.shared, &own) {
                    let happened = Happened::Stepped { thread };
                    self.went(at, thread, Some(running), happened, went);
                }
            }
        }
    }

    fn went(
        &mut self,
        at: usize,
        thread: usize,
        running: Option<&Running>,
        happened: Happened,
        went: Went<'_>,
    ) {
        let ran = match went {
            Went::To(ran) => ran,
            Went::Wrong { kind, .. } => {
                return self.wrong(at, happened, Alarming::Finding(kind));
            }
            Went::Refused { .. } | Went::Cut => {
                self.left_out = true;
                return;
            }
        };
        let before = self.shown(&self.states[at].shared.clone());
        let running = match (running, happened) {
            (Some(running), _) => Some(running.clone()),
            (None, Happened::Began { operation, .. }) => {
                let invocation = self.spec.invocation(operation, &ran.world.chosen);
                self.left_out |= invocation.is_none();
                invocation.map(|invocation| {
                    let mut running = Running::of(invocation);
                    if let Some(shown) = before {
                        running.could_return(self.spec, shown);
                    }
                    running
                })
            }
            _ => None,
        };
        if let (Some(mut running), Some(before)) = (running, before)
            && let Some(state) = self.after(at, thread, &ran, &mut running, before, happened)
        {
            let happened = match (&ran.thread, happened) {
                (None, Happened::Stepped { thread }) => Happened::Ended { thread },
                _ => happened,
            };
            self.add(state, Some((at, happened)));
        }
    }

    /// The state after a step, if the step is right.
    fn after(
        &mut self,
        at: usize,
        thread: usize,
        ran: &Ran<'_>,
        running: &mut Running,
        before: AbstractId,
        happened: Happened,
    ) -> Option<State> {
        let state = self.states[at].clone();
        let (shared, own) = ran.parts();
        let mut threads = state.threads.clone();
        threads[thread] = Own { objects: Vec::new(), ..own.clone() };
        let others = threads.iter_mut().enumerate().filter(|(other, _)| *other != thread);
        for (_, own) in others {
            own.mine.retain(|token| !ran.world.tokens.contains(token));
        }
        let arranged =
            arrange(&self.machine.regions, shared, own.objects, &mut threads, usize::MAX);
        let Ok((shared, private)) = arranged else {
            self.left_out = true;
            return None;
        };
        let Some(shown) = self.shown(&shared) else {
            self.wrong(at, happened, Alarming::NoAbstractState);
            return None;
        };
        running.observe(&ran.world.observed);
        match running.step(self.spec, before, shown) {
            Ok(()) => {}
            Err(Some(what)) => {
                self.wrong(at, happened, what);
                return None;
            }
            Err(None) => return None,
        }
        let mut all = state.running.clone();
        all[thread] = match ran.thread {
            Some(_) => Some(running.clone()),
            None => {
                if let Err(what) = running.result(self.spec) {
                    self.wrong(at, happened, what);
                    return None;
                }
                None
            }
        };
        for (other, running) in all.iter_mut().enumerate() {
            if let Some(running) = running.as_mut().filter(|_| other != thread) {
                running.could_return(self.spec, shown);
            }
        }
        Some(State { shared, private, threads, running: all })
    }

    fn shown(&mut self, shared: &Shared) -> Option<AbstractId> {
        if let Some(shown) = self.shown.get(shared) {
            return *shown;
        }
        let shown = self.spec.shown(self.machine, shared);
        self.shown.insert(shared.clone(), shown);
        shown
    }

    fn wrong(&mut self, at: usize, last: Happened, what: Alarming) {
        let mut happened = vec![last];
        let mut state = at;
        while let Some((before, step)) = self.origins[state] {
            happened.push(step);
            state = before;
        }
        happened.reverse();
        self.wrong.push(Execution { what, happened });
    }
}
