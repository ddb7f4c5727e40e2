//! Threads that iterate for ever although nothing will change any more.
//!
//! If the scheduler is fair, an execution that does not end comes to states that it never leaves for
//! good: a set of states from each of which the others can be reached, and no more (a bottom
//! strongly connected component). If nothing changes in memory there, whoever still makes steps
//! waits for ever. (R. Tarjan, "Depth-first search and linear graph algorithms", 1972.)

use crate::explicit::search::ids::StateId;
use execution::ids::Id;

/// Where executions stay that come to no end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Waiting {
    /// From these states on, nothing changes any more.
    pub silent: Vec<StateId>,
    /// Sets of states that are never left, and in which memory goes on changing.
    pub busy: Vec<Vec<StateId>>,
}

/// Steps between states, those of the program or of a part of it.
pub(crate) struct Steps<I> {
    /// Where the steps from each state start in the list below.
    starts: Vec<u32>,
    to: Vec<I>,
}

impl<I: Id> Steps<I> {
    /// The steps of so many states.
    pub(crate) fn new(states: usize, steps: &[(I, I)]) -> Self {
        let mut starts = vec![0; states + 1];
        for &(from, _) in steps {
            starts[from.index() + 1] += 1;
        }
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let mut next = starts.clone();
        let mut to = vec![I::new(0); steps.len()];
        for &(from, after) in steps {
            let place: &mut u32 = &mut next[from.index()];
            to[*place as usize] = after;
            *place += 1;
        }
        Self { starts, to }
    }

    /// The strongly connected components.
    pub(crate) fn strongly_connected(&self) -> Vec<Vec<I>> {
        const NEW: u32 = u32::MAX;
        let states = self.starts.len() - 1;
        let (mut numbers, mut low) = (vec![NEW; states], vec![NEW; states]);
        let (mut next, mut stack, mut components) = (0, Vec::new(), Vec::new());
        let mut done = vec![false; states];
        for root in (0..states).map(I::new) {
            let mut way = if numbers[root.index()] == NEW { vec![(root, 0)] } else { Vec::new() };
            while let Some((state, step)) = way.last_mut() {
                let (state, index) = (*state, state.index());
                if numbers[index] == NEW {
                    (numbers[index], low[index]) = (next, next);
                    next += 1;
                    stack.push(state);
                }
                let to = self.from(state).get(*step).copied();
                *step += 1;
                match to.map(|to| (to, to.index())) {
                    Some((to, at)) if numbers[at] == NEW => way.push((to, 0)),
                    Some((_, at)) if !done[at] => low[index] = low[index].min(low[at]),
                    Some(_) => {}
                    None => {
                        way.pop();
                        if let Some(&(before, _)) = way.last() {
                            let before = before.index();
                            low[before] = low[before].min(low[index]);
                        }
                        if low[index] == numbers[index] {
                            let start = stack.iter().rposition(|&other| other == state);
                            let component = stack.split_off(start.unwrap_or(0));
                            component.iter().for_each(|state| done[state.index()] = true);
                            components.push(component);
                        }
                    }
                }
            }
        }
        components
    }

    /// The number of the first step from a state; the others from there follow.
    pub(crate) fn first(&self, state: I) -> usize {
        self.starts[state.index()] as usize
    }

    /// Where the steps from a state lead.
    pub(crate) fn from(&self, state: I) -> &[I] {
        let state = state.index();
        let [start, end] = [state, state + 1].map(|index| self.starts[index] as usize);
        &self.to[start..end]
    }
}

/// Looks for states that lead to no end. `ends` says which states are ends; `memory` numbers what
/// is in memory, and says how much is to be written there yet.
pub(crate) fn waiting(
    steps: &[(StateId, StateId)],
    ends: &[bool],
    mut memory: impl FnMut(StateId) -> (u32, usize),
) -> Waiting {
    let backwards: Vec<(StateId, StateId)> = steps.iter().map(|&(from, to)| (to, from)).collect();
    let backwards = Steps::new(ends.len(), &backwards);
    let mut good = ends.to_vec();
    let all = || (0..ends.len()).map(StateId::new);
    let mut open: Vec<StateId> = all().filter(|state| ends[state.index()]).collect();
    while let Some(state) = open.pop() {
        for &before in backwards.from(state) {
            if !std::mem::replace(&mut good[before.index()], true) {
                open.push(before);
            }
        }
    }
    let forwards = Steps::new(ends.len(), steps);
    let mut waiting = Waiting::default();
    // From each state that leads to no end, a way into a component that is never left; those that
    // were looked at before lead to one that was.
    let mut seen = vec![false; ends.len()];
    for first in all() {
        if good[first.index()] || seen[first.index()] {
            continue;
        }
        let component = bottom(&forwards, first);
        if component.iter().any(|state| seen[state.index()]) {
            seen[first.index()] = true;
            continue;
        }
        component.iter().for_each(|state| seen[state.index()] = true);
        seen[first.index()] = true;
        let all: Vec<(u32, usize)> = component.iter().map(|&state| memory(state)).collect();
        let quietest = (0..component.len()).min_by_key(|&index| all[index].1).unwrap_or(0);
        match all.iter().all(|(number, _)| *number == all[0].0) {
            true => waiting.silent.push(component[quietest]),
            false => waiting.busy.push(component),
        }
    }
    waiting
}

/// The first component that is finished on the way from a state, and that thus is never left.
fn bottom(steps: &Steps<StateId>, first: StateId) -> Vec<StateId> {
    let mut numbers = std::collections::HashMap::from([(first, 0usize)]);
    let mut stack = vec![first];
    // For each state on the way: itself, its next step, and the earliest that it leads back to.
    let mut way = vec![(first, 0usize, 0usize)];
    while let Some(&mut (state, ref mut next, ref mut low)) = way.last_mut() {
        if let Some(&to) = steps.from(state).get(*next) {
            *next += 1;
            match numbers.get(&to) {
                Some(&number) => *low = (*low).min(number),
                None => {
                    let number = numbers.len();
                    numbers.insert(to, number);
                    stack.push(to);
                    way.push((to, 0, number));
                }
            }
            continue;
        }
        let low = *low;
        if low == numbers[&state] {
            let start = stack.iter().position(|&other| other == state).unwrap_or(0);
            return stack.split_off(start);
        }
        way.pop();
        if let Some((_, _, before)) = way.last_mut() {
            *before = (*before).min(low);
        }
    }
    stack
}

#[cfg(test)]
mod tests {
    use super::*;

    /// State 2 ends; 3 and 4 lead to each other; 5 leads to them.
    const STEPS: [(usize, usize); 6] = [(0, 1), (1, 2), (1, 5), (5, 3), (3, 4), (4, 3)];
    const ENDS: [bool; 6] = [false, false, true, false, false, false];

    fn state(number: usize) -> StateId {
        StateId::new(number)
    }

    fn steps(all: &[(usize, usize)]) -> Vec<(StateId, StateId)> {
        all.iter().map(|&(from, to)| (state(from), state(to))).collect()
    }

    #[test]
    fn states_that_are_never_left_are_found() {
        let found = waiting(&steps(&STEPS), &ENDS, |_| (0, 0));
        assert!(matches!(found.silent[..], [one] if [3, 4].contains(&one.index())));
        assert!(found.busy.is_empty());
        let found = waiting(&steps(&STEPS), &ENDS, |state| (state.index() as u32, 0));
        assert_eq!(found, Waiting { silent: Vec::new(), busy: vec![vec![state(3), state(4)]] });
    }

    #[test]
    fn components_are_as_large_as_they_can_be() {
        let found = Steps::new(6, &steps(&STEPS)).strongly_connected();
        let mut found: Vec<Vec<usize>> = found
            .into_iter()
            .map(|states| {
                let mut states: Vec<usize> = states.into_iter().map(Id::index).collect();
                states.sort();
                states
            })
            .collect();
        found.sort();
        assert_eq!(found, [vec![0], vec![1], vec![2], vec![3, 4], vec![5]]);
    }

    #[test]
    fn what_leads_to_an_end_does_not_wait() {
        let steps = steps(&[(0, 1), (1, 0), (1, 2)]);
        assert_eq!(waiting(&steps, &ENDS[..3], |_| (0, 0)), Waiting::default());
    }
}
