//! What an independent thread can see of the others.
//!
//! It sees memory change, and nothing else. So if it has been explored while the others changed
//! memory in some ways, a symmetric thread need not be explored while they change it in no other
//! ways. They may, if `main` awaits the two at different times.

use crate::explicit::machine::state::Shared;
use crate::explicit::properties::liveness::Steps;
use crate::explicit::search::ids::StateId;
use crate::explicit::search::{Search, at};
use execution::event::ThreadId;
use execution::ids::Id;
use std::collections::HashSet;
use std::sync::Arc;

/// How memory changes while a thread stands still.
pub(crate) struct View {
    memories: Vec<Arc<Shared>>,
    steps: Steps<StateId>,
    /// The states in which the thread has just been started.
    starts: Vec<StateId>,
}

impl View {
    /// The view of the thread that stands still in a search of all states of the others.
    pub(crate) fn new(search: &Search<'_>, thread: ThreadId) -> Self {
        let states = (0..search.states()).map(StateId::new);
        let is_there = |state: StateId| search.list(state).len() > at(thread);
        let starts = |&state: &StateId| is_there(state) && !is_there(search.way(state).from);
        let memory = |state: StateId| search.shareds.get(search.list(state)[0]).clone();
        View {
            memories: states.clone().map(memory).collect(),
            steps: Steps::new(search.states(), &search.edges),
            starts: states.filter(starts).collect(),
        }
    }

    /// Whether all that is seen in another view is seen in this one (a simulation: R. Milner, 1971),
    /// as far as is found by following the first way that fits.
    pub(crate) fn shows_all_of(&self, other: &View) -> bool {
        let mut open: Vec<(StateId, StateId)> = Vec::new();
        for &start in &other.starts {
            let same = |&&own: &&StateId| self.is_same(own, other, start);
            let Some(&own) = self.starts.iter().find(same) else { return false };
            open.push((own, start));
        }
        let mut seen: HashSet<(StateId, StateId)> = open.iter().copied().collect();
        while let Some((own, state)) = open.pop() {
            for &next in other.steps.from(state) {
                let Some(after) = self.follows(own, other, next) else { return false };
                if seen.insert((after, next)) {
                    open.push((after, next));
                }
            }
        }
        true
    }

    /// The state that shows what a state of another view shows: this one, or one that follows it
    /// without anything else being seen in between.
    fn follows(&self, own: StateId, other: &View, state: StateId) -> Option<StateId> {
        let (mut open, mut seen) = (vec![own], HashSet::from([own]));
        while let Some(before) = open.pop() {
            if self.is_same(before, other, state) {
                return Some(before);
            }
            if !sees_the_same(&self.memories[before.index()], &self.memories[own.index()]) {
                continue;
            }
            open.extend(self.steps.from(before).iter().copied().filter(|&next| seen.insert(next)));
        }
        None
    }

    fn is_same(&self, own: StateId, other: &View, state: StateId) -> bool {
        sees_the_same(&self.memories[own.index()], &other.memories[state.index()])
    }
}

/// Whether two memories are the same to a thread.
fn sees_the_same(one: &Shared, other: &Shared) -> bool {
    one.globals == other.globals && one.made == other.made
}
