//! So many threads and no more: all states of the most general client, one thread for each column.
//!
//! It takes the same steps as the views and forgets nothing. An alarm here is an execution, which
//! says what test of the data type to run; and in tests, the views of all states that are visited
//! here must be among those of the fixpoint.

use super::heap::{Own, Quick, Shared};
use super::history::{Alarming, Rejected};
use super::machine::Machine;
use super::several::{State, successors};
use super::spec::{AbstractId, Spec};
use hashbrown::HashMap;
use sat::{Limits, Poll};
use std::sync::Arc;

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
        let Self { machine, spec, shown, .. } = self;
        let (machine, spec) = (*machine, *spec);
        let mut look = |shared: &Shared| {
            let known = shown.get(shared).copied();
            let found = known.unwrap_or_else(|| {
                let found = spec.shown(machine, shared);
                shown.insert(shared.clone(), found);
                found
            });
            found.ok_or(Rejected::Alarm(Alarming::NoAbstractState))
        };
        for successor in successors((machine, spec), &state, thread, &mut look) {
            let happened = match (successor.began, successor.ended) {
                (Some(operation), _) => Happened::Began { thread, operation },
                (None, true) => Happened::Ended { thread },
                (None, false) => Happened::Stepped { thread },
            };
            match successor.to {
                Ok(state) => self.add(state, Some((at, happened))),
                // It has no meaning here.
                Err(Rejected::Alarm(Alarming::Cut) | Rejected::Refused(_)) => self.left_out = true,
                Err(Rejected::Alarm(what)) => self.wrong(at, happened, what),
                Err(Rejected::Past | Rejected::Guessed) => {}
            }
        }
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
