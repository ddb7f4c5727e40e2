//! What operations show in each serial order: all serial executions of a test, as a graph.
//!
//! An observation set has forgotten in which order the operations ran. Here it is kept: a way
//! through the graph is a serial execution, its steps are labelled with an operation and what it
//! shows. States of memory from which the same can follow are one state, as in the minimal
//! [automaton](super::automaton) of a set.

use super::automaton::{ListId, StateId};
use crate::test::compose::InstanceId;
use execution::ids::{Id, IdVec};
use execution::observation::{Observation, Seen};
use std::collections::HashMap;

/// All serial executions of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Orders {
    /// What operations show.
    pub lists: IdVec<ListId, Vec<Seen>>,
    /// The states; those with fewer operations to come first. In the first, none is.
    pub states: IdVec<StateId, State>,
    /// Where executions start.
    pub starts: Vec<StateId>,
}

/// A state between operations.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// The operations that are still to come, ascending.
    pub to_come: Vec<InstanceId>,
    /// What can happen next, ascending.
    pub steps: Vec<Step>,
}

/// An operation that runs, and shows something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The operation.
    pub operation: InstanceId,
    /// What it shows.
    pub list: ListId,
    /// The state after it.
    pub to: StateId,
}

impl Orders {
    /// The same executions in the smallest graph; those that get stuck are left out.
    pub(super) fn minimal(
        lists: Vec<Vec<Seen>>,
        states: &IdVec<StateId, State>,
        starts: &[StateId],
    ) -> Orders {
        let mut by_level: Vec<StateId> = states.ids().collect();
        by_level.sort_by_key(|&id| states[id].to_come.len());
        let mut minimal: IdVec<StateId, State> = [State::default()].into_iter().collect();
        let mut known: HashMap<State, StateId> = HashMap::new();
        let mut moved: HashMap<StateId, StateId> = HashMap::new();
        for id in by_level {
            let State { to_come, steps } = &states[id];
            if to_come.is_empty() {
                moved.insert(id, StateId::new(0));
                continue;
            }
            let step = |step: &Step| Some(Step { to: *moved.get(&step.to)?, ..*step });
            let mut steps: Vec<Step> = steps.iter().filter_map(step).collect();
            steps.sort_unstable();
            steps.dedup();
            if steps.is_empty() {
                continue;
            }
            let state = State { to_come: to_come.clone(), steps };
            let new = *known.entry(state).or_insert_with_key(|state| minimal.push(state.clone()));
            moved.insert(id, new);
        }
        let mut starts: Vec<StateId> =
            starts.iter().filter_map(|id| moved.get(id).copied()).collect();
        starts.sort_unstable();
        starts.dedup();
        Orders { lists: lists.into_iter().collect(), states: minimal, starts }
    }

    /// Where executions end.
    pub fn end(&self) -> StateId {
        StateId::new(0)
    }

    /// What the operations show when they run in this order. If there are several ways, that is
    /// the one that agrees longest with `seen`: arguments are shown before results, so it is one
    /// with the same arguments. `None` if the operations cannot run in this order.
    pub fn in_order(&self, order: &[InstanceId], seen: &[Vec<Seen>]) -> Option<Observation> {
        let mut shown = vec![Vec::new(); seen.len()];
        let from = |&start: &StateId| self.go_on(start, order, seen, &mut shown.clone());
        let best = |shown: &Observation| {
            order
                .iter()
                .map(|id| agreement(&shown[id.index()], &seen[id.index()]))
                .collect::<Vec<_>>()
        };
        shown = self.starts.iter().filter_map(from).max_by_key(best)?;
        Some(shown)
    }

    fn go_on(
        &self,
        state: StateId,
        order: &[InstanceId],
        seen: &[Vec<Seen>],
        shown: &mut Observation,
    ) -> Option<Observation> {
        let Some((&next, rest)) = order.split_first() else {
            return (state == self.end()).then(|| shown.clone());
        };
        let of = |step: &&Step| agreement(&self.lists[step.list], &seen[next.index()]);
        let steps = self.states[state].steps.iter();
        let mut steps: Vec<&Step> = steps.filter(|step| step.operation == next).collect();
        steps.sort_by_key(|step| std::cmp::Reverse(of(step)));
        steps.into_iter().find_map(|step| {
            shown[next.index()].clone_from(&self.lists[step.list]);
            self.go_on(step.to, rest, seen, shown)
        })
    }
}

/// How far two lists agree, from the start.
fn agreement(a: &[Seen], b: &[Seen]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
