//! Livelock: from the states of a program to fair executions that never end
//! ([`fairness`](super::fairness)), and back to one execution that shows it.
//!
//! Where memory stops changing at some time, each thread that goes on waits in a loop for what does
//! not come, and that is found without this file ([`liveness`](super::liveness)): all threads read
//! what memory holds then, whichever comes first. So there is something to look for here only if
//! memory can go on changing.
//!
//! That threads never terminate is a violation if one of them is in a loop that could be left, or if
//! another thread awaits the end of one of them. If all are in loops without an exit, and no thread
//! awaits their ends, they may do what they were written for, and one of them may wait in an inner
//! loop all the same: there is no answer.

use crate::explicit::counterexamples::rerun::again_and_again;
use crate::explicit::machine::state::bit;
use crate::explicit::machine::step::awaited;
use crate::explicit::machine::world::Awaited;
use crate::explicit::properties::fairness::{Action, Component, components};
use crate::explicit::properties::liveness::Steps;
use crate::explicit::search::ids::StateId;
use crate::explicit::search::{Search, Stopped, Way, agent, threads};
use crate::verdict::{Counterexample, Violation};
use crate::verification::Property;
use execution::event::ThreadId;
use execution::finding::FindingKind;
use execution::ids::Id;
use std::collections::{BTreeMap, BTreeSet};

impl Search<'_> {
    /// Whether an execution can come back to a state after memory has changed.
    pub(crate) fn memory_oscillates(&self) -> bool {
        let steps = Steps::new(self.states(), &self.edges);
        let memory = |state: &StateId| self.list(*state)[0];
        let components = steps.strongly_connected();
        components.iter().any(|states| states.iter().any(|s| memory(s) != memory(&states[0])))
    }

    /// Looks for a fair execution that never ends, which is wrong or leaves the
    /// answer open.
    pub(crate) fn find_livelock(&mut self) -> Result<(), Stopped> {
        self.ends.resize(self.states(), false);
        let (actions, ways) = self.actions();
        for component in components(self.states(), &actions, &self.ends) {
            let states: Vec<StateId> = component.states.iter().copied().collect();
            let agents: BTreeSet<u16> =
                component.actions.iter().map(|&number| actions[number].agent).collect();
            let threads = agents.iter().filter(|agent| *agent % 2 == 0);
            let threads: Vec<ThreadId> =
                threads.map(|agent| ThreadId::new((agent / 2).into())).collect();
            let may_leave = threads.iter().any(|&thread| self.may_leave(&states, thread));
            if !may_leave && !self.is_awaited(states[0], &threads) {
                self.found.busy = true;
                continue;
            }
            match self.round(&component, &actions, &ways)? {
                Some(found) => {
                    self.found.violations.insert(Property::Liveness, found);
                    return Ok(());
                }
                None => self.found.busy = true,
            }
        }
        Ok(())
    }

    /// Whether another thread awaits the end of one of these, which are the only ones that act from
    /// here on.
    fn is_awaited(&self, state: StateId, acting: &[ThreadId]) -> bool {
        let list = self.list(state);
        let shared = self.shareds.get(list[0]);
        let acting_bits = acting.iter().fold(0, |all, &thread| all | bit(thread));
        threads(list).any(|(thread, local)| {
            let local = self.locals.get(local);
            !acting.contains(&thread)
                && matches!(awaited(self.layout, local, shared),
                    Awaited::Threads(others) if others & acting_bits != 0)
        })
    }

    /// What threads and buffers can do in each state, and by which steps.
    fn actions(&self) -> (Vec<Action>, Vec<Vec<Way>>) {
        let mut all: BTreeMap<(StateId, u16), Vec<(StateId, Way)>> = BTreeMap::new();
        for (&(from, to), way) in self.edges.iter().zip(&self.labels) {
            let outcomes = all.entry((from, agent(way))).or_default();
            if outcomes.iter().all(|(_, known)| known.step != way.step) {
                outcomes.push((to, *way));
            }
        }
        for &(from, agent) in &self.wrong {
            all.entry((from, agent)).or_default();
        }
        let one = |((from, agent), outcomes): ((StateId, u16), Vec<(StateId, Way)>)| {
            let ends = self.wrong.contains(&(from, agent));
            let (to, ways) = outcomes.into_iter().unzip();
            (Action { from, agent, to, ends }, ways)
        };
        all.into_iter().map(one).unzip()
    }

    /// An execution that stays in a component, if one can be told: it begins where every store has
    /// taken place.
    fn round(
        &self,
        component: &Component,
        actions: &[Action],
        ways: &[Vec<Way>],
    ) -> Result<Option<Counterexample>, Stopped> {
        let is_flushed = |state: &&StateId| {
            let memory = self.shareds.get(self.list(**state)[0]);
            memory.buffers.iter().all(Vec::is_empty)
        };
        let start = component.states.iter().find(is_flushed);
        let Some(round) = start.and_then(|&start| component.round(start, actions)) else {
            return Ok(None);
        };
        let round: Vec<Way> =
            round.into_iter().map(|(number, outcome)| ways[number][outcome]).collect();
        let path = start.map_or_else(Vec::new, |&start| self.path(start));
        self.layout.telling.set(true);
        let witness = again_and_again(self, &path, &round);
        self.layout.telling.set(false);
        match witness {
            Ok(witness) => {
                let violation = Violation::Finding { kind: FindingKind::Livelock, place: None };
                Ok(Some(Counterexample { violation, witness: Some(witness) }))
            }
            Err(Stopped::Unsupported(_)) => Ok(None),
            Err(stopped) => Err(stopped),
        }
    }
}
