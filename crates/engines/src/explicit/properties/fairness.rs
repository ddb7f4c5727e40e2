//! Fair executions that never end, although memory goes on changing.
//!
//! # Fairness
//!
//! This is the one place where it is defined; everything that speaks of liveness means this.
//!
//! - *Threads*: a thread that can make a step again and again makes one again and again (strong
//!   fairness; of a lock that is free again and again, no waiter is passed over for ever).
//! - *Memory*: a store that waits in a buffer takes place at some time.
//! - *Choices*: whatever a thread chooses at random again and again (a nondeterministic value,
//!   whether a weak compare-and-swap fails for no reason, whether a timed wait is over), it
//!   chooses in every way again and again.
//!
//! Nothing else is promised: which of several threads comes first, and when, is up to the scheduler,
//! also for ever. So a loop that looks for a value which comes and goes may miss it every time.
//!
//! # The search
//!
//! Threads and buffers are agents; what an agent can do in a state, with all outcomes of its
//! choices, is an action. An execution that does not end stays in an *end component*: a set of
//! states and actions that no outcome leaves and in which each state leads to each (L. de Alfaro,
//! "Formal Verification of Probabilistic Systems", 1997). It can be fair there if each agent that can
//! do something in one of the states does something in the component; otherwise it must avoid the
//! states in which that agent can, and smaller components are left (E. A. Emerson, C. L. Lei,
//! "Modalities for model checking", 1987, for Streett conditions).
//!
//! An error here may miss a thread that never ends; it cannot invent one, since the replay follows
//! the execution.
//!
//! Soundness S-140 (verify; all; cries wolf): Fairness promises that a thread which can make a step
//! again and again does so, that stores become visible, and that choices turn out in every way; not
//! that a loop sees a value that comes and goes, nor that a compare-and-swap ever succeeds against
//! a thread that goes on. Test: corpus/verify/liveness/passing_value.c,
//! corpus/verify/liveness/retries_beside_an_endless_toggle.c,
//! crates/engines/src/explicit/properties/fairness.rs::choices_are_made_in_every_way.
//!
//! Soundness S-141 (verify; sc, tso; refuses): `liveness` has no answer from states where threads go
//! on changing memory in loops without an exit and no thread awaits their ends, nor if there are too
//! many states or the replay cannot be given what is repeated. Test:
//! crates/fencepost/tests/verify.rs::threads_that_never_terminate_are_checked_without_bounds,
//! corpus/verify/liveness/awaits_an_endless_toggle.c.

use crate::explicit::properties::liveness::Steps;
use crate::explicit::search::ids::StateId;
use execution::ids::{Id, IdVec};
use std::collections::{BTreeMap, BTreeSet};

/// What an agent can do in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Action {
    pub from: StateId,
    pub agent: u16,
    /// Where it may lead.
    pub to: Vec<StateId>,
    /// Whether it may lead to the end of everything, too.
    pub ends: bool,
}

/// States that are never left, and what is done there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Component {
    pub states: BTreeSet<StateId>,
    /// Numbers of actions.
    pub actions: Vec<usize>,
}

/// The largest components in which executions can be fair, of these states.
pub(crate) fn components(states: usize, actions: &[Action], ends: &[bool]) -> Vec<Component> {
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); states];
    for (number, action) in actions.iter().enumerate() {
        from[action.from.index()].push(number);
    }
    let all = (0..states).map(StateId::new).filter(|state| !ends[state.index()]).collect();
    let mut open: Vec<BTreeSet<StateId>> = vec![all];
    let mut found = Vec::new();
    while let Some(set) = open.pop() {
        let stays = |number: &usize| {
            let action = &actions[*number];
            !action.ends && action.to.iter().all(|to| set.contains(to))
        };
        let inside: Vec<usize> =
            set.iter().flat_map(|state| &from[state.index()]).copied().filter(stays).collect();
        if inside.is_empty() {
            continue;
        }
        let parts = strongly_connected(&set, inside.iter().map(|&number| &actions[number]));
        if let [one] = &parts[..]
            && one.len() == set.len()
        {
            match unfair(&set, &inside, actions, &from) {
                None => found.push(Component { states: set, actions: inside }),
                Some(agent) => {
                    let acts = |state: &StateId| {
                        from[state.index()].iter().any(|&number| actions[number].agent == agent)
                    };
                    open.push(set.into_iter().filter(|state| !acts(state)).collect());
                }
            }
            continue;
        }
        open.extend(parts);
    }
    found
}

/// An agent that could do something in these states, but does nothing there.
fn unfair(
    set: &BTreeSet<StateId>,
    inside: &[usize],
    actions: &[Action],
    from: &[Vec<usize>],
) -> Option<u16> {
    let acts: BTreeSet<u16> = inside.iter().map(|&number| actions[number].agent).collect();
    let could = set.iter().flat_map(|state| &from[state.index()]);
    could.map(|&number| actions[number].agent).find(|agent| !acts.contains(agent))
}

execution::id! {
    /// A state of a set of states: its position in the set.
    pub struct Part("p");
}

/// The strongly connected parts of these states, without those that lead nowhere.
fn strongly_connected<'a>(
    set: &BTreeSet<StateId>,
    actions: impl Iterator<Item = &'a Action>,
) -> Vec<BTreeSet<StateId>> {
    let names: IdVec<Part, StateId> = set.iter().copied().collect();
    let number: BTreeMap<StateId, Part> =
        names.enumerate().map(|(id, &state)| (state, id)).collect();
    let mut steps = Vec::new();
    for action in actions {
        steps.extend(action.to.iter().map(|to| (number[&action.from], number[to])));
    }
    let loops: BTreeSet<Part> = steps.iter().filter(|(a, b)| a == b).map(|&(a, _)| a).collect();
    let steps = Steps::new(names.len(), &steps);
    let parts = steps.strongly_connected().into_iter();
    let goes_on = |part: &Vec<Part>| part.len() > 1 || loops.contains(&part[0]);
    let named = |part: Vec<Part>| part.into_iter().map(|state| names[state]).collect();
    parts.filter(goes_on).map(named).collect()
}

impl Component {
    /// A way from a state through the component and back, on which each agent of the component does
    /// something: for each step the action and which of its outcomes.
    pub(crate) fn round(&self, start: StateId, actions: &[Action]) -> Option<Vec<(usize, usize)>> {
        let mut left: BTreeSet<u16> =
            self.actions.iter().map(|&number| actions[number].agent).collect();
        let (mut at, mut round) = (start, Vec::new());
        while !left.is_empty() {
            let wanted = |number: usize| left.contains(&actions[number].agent);
            let way = self.way(at, actions, |number, _| wanted(number))?;
            at = end(&way, actions)?;
            for &(number, _) in &way {
                left.remove(&actions[number].agent);
            }
            round.extend(way);
        }
        if at != start {
            round.extend(self.way(at, actions, |_, to| to == start)?);
        }
        Some(round)
    }

    /// The shortest way from a state whose last step is one of these.
    fn way(
        &self,
        start: StateId,
        actions: &[Action],
        is_last: impl Fn(usize, StateId) -> bool,
    ) -> Option<Vec<(usize, usize)>> {
        let mut from: BTreeMap<StateId, Vec<usize>> = BTreeMap::new();
        for &number in &self.actions {
            from.entry(actions[number].from).or_default().push(number);
        }
        let mut before: BTreeMap<StateId, (StateId, (usize, usize))> = BTreeMap::new();
        let mut open = std::collections::VecDeque::from([start]);
        while let Some(state) = open.pop_front() {
            for &number in from.get(&state).into_iter().flatten() {
                for (outcome, &to) in actions[number].to.iter().enumerate() {
                    if is_last(number, to) {
                        let mut way = vec![(number, outcome)];
                        let mut at = state;
                        while at != start {
                            let (earlier, step) = before[&at];
                            way.push(step);
                            at = earlier;
                        }
                        way.reverse();
                        return Some(way);
                    }
                    if to != start && !before.contains_key(&to) {
                        before.insert(to, (state, (number, outcome)));
                        open.push_back(to);
                    }
                }
            }
        }
        None
    }
}

/// Where a way leads.
fn end(way: &[(usize, usize)], actions: &[Action]) -> Option<StateId> {
    way.last().map(|&(number, outcome)| actions[number].to[outcome])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(from: usize, agent: u16, to: &[usize]) -> Action {
        let to = to.iter().copied().map(StateId::new).collect();
        Action { from: StateId::new(from), agent, to, ends: false }
    }

    #[test]
    fn each_agent_that_can_do_something_has_to() {
        // Agent 0 goes back and forth; agent 1 can leave at state 1 only.
        let actions = [action(0, 0, &[1]), action(1, 0, &[0]), action(1, 1, &[2])];
        assert_eq!(components(3, &actions, &[false; 3]), []);
        // If it can stay, too, there is a fair way.
        let actions = [&actions[..], &[action(0, 1, &[0])]].concat();
        let found = components(3, &actions, &[false; 3]);
        let [found] = &found[..] else { panic!("{found:?}") };
        assert_eq!(found.states, BTreeSet::from([0, 1].map(StateId::new)));
        let round = found.round(StateId::FIRST, &actions).expect("a way round");
        let agents: BTreeSet<u16> =
            round.iter().map(|&(number, _)| actions[number].agent).collect();
        assert_eq!(agents, BTreeSet::from([0, 1]));
    }

    #[test]
    fn states_in_which_an_agent_would_have_to_leave_are_avoided() {
        // Agent 1 can only leave, at state 2; agent 0 can stay away from there.
        let actions = [
            action(0, 0, &[1]),
            action(1, 0, &[0]),
            action(0, 2, &[2]),
            action(2, 0, &[0]),
            action(2, 1, &[3]),
        ];
        // But agent 2 can do something at state 0 only, and would lead there.
        assert_eq!(components(4, &actions, &[false; 4]), []);
        let actions = [&actions[..], &[action(1, 2, &[1])]].concat();
        let found = components(4, &actions, &[false; 4]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].states, BTreeSet::from([0, 1].map(StateId::new)));
    }

    #[test]
    fn choices_are_made_in_every_way() {
        let actions = [action(0, 0, &[0, 1])];
        assert_eq!(components(2, &actions, &[false, true]), []);
        let actions = [Action { ends: true, ..action(0, 0, &[0]) }];
        assert_eq!(components(1, &actions, &[false]), []);
    }
}
