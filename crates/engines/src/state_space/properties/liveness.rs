//! Threads that iterate for ever although nothing will change any more.
//!
//! If the scheduler is fair, an execution that does not end comes to states that it never leaves for
//! good: a set of states from each of which the others can be reached, and no more (a bottom
//! strongly connected component). If nothing changes in memory there, whoever still makes steps
//! waits for ever. (R. Tarjan, "Depth-first search and linear graph algorithms", 1972.)

/// Where executions stay that come to no end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Waiting {
    /// From these states on, nothing changes any more.
    pub silent: Vec<u32>,
    /// Sets of states that are never left, and in which memory goes on changing.
    pub busy: Vec<Vec<u32>>,
}

/// Steps between states.
pub(crate) struct Steps {
    /// Where the steps from each state start in the list below.
    starts: Vec<u32>,
    to: Vec<u32>,
}

impl Steps {
    /// The steps of so many states.
    pub(crate) fn new(states: usize, steps: &[(u32, u32)]) -> Self {
        let mut starts = vec![0; states + 1];
        for &(from, _) in steps {
            starts[from as usize + 1] += 1;
        }
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let mut next = starts.clone();
        let mut to = vec![0; steps.len()];
        for &(from, after) in steps {
            let place = &mut next[from as usize];
            to[*place as usize] = after;
            *place += 1;
        }
        Self { starts, to }
    }

    /// The strongly connected components.
    pub(crate) fn strongly_connected(&self) -> Vec<Vec<u32>> {
        const NEW: u32 = u32::MAX;
        let states = self.starts.len() - 1;
        let (mut numbers, mut low) = (vec![NEW; states], vec![NEW; states]);
        let (mut next, mut stack, mut components) = (0, Vec::new(), Vec::new());
        let mut done = vec![false; states];
        for root in 0..states as u32 {
            let mut way = if numbers[root as usize] == NEW { vec![(root, 0)] } else { Vec::new() };
            while let Some((state, step)) = way.last_mut() {
                let (state, index) = (*state, *state as usize);
                if numbers[index] == NEW {
                    (numbers[index], low[index]) = (next, next);
                    next += 1;
                    stack.push(state);
                }
                let to = self.from(state).get(*step).copied();
                *step += 1;
                match to.map(|to| (to, to as usize)) {
                    Some((to, at)) if numbers[at] == NEW => way.push((to, 0)),
                    Some((_, at)) if !done[at] => low[index] = low[index].min(low[at]),
                    Some(_) => {}
                    None => {
                        way.pop();
                        if let Some(&(before, _)) = way.last() {
                            let before = before as usize;
                            low[before] = low[before].min(low[index]);
                        }
                        if low[index] == numbers[index] {
                            let start = stack.iter().rposition(|&other| other == state);
                            let component = stack.split_off(start.unwrap_or(0));
                            component.iter().for_each(|&state| done[state as usize] = true);
                            components.push(component);
                        }
                    }
                }
            }
        }
        components
    }

    /// The number of the first step from a state; the others from there follow.
    pub(crate) fn first(&self, state: u32) -> usize {
        self.starts[state as usize] as usize
    }

    /// Where the steps from a state lead.
    pub(crate) fn from(&self, state: u32) -> &[u32] {
        let [start, end] = [state, state + 1].map(|index| self.starts[index as usize] as usize);
        &self.to[start..end]
    }
}

/// Looks for states that lead to no end. `ends` says which states are ends; `memory` numbers what
/// is in memory, and says how much is to be written there yet.
pub(crate) fn waiting(
    steps: &[(u32, u32)],
    ends: &[bool],
    mut memory: impl FnMut(u32) -> (u32, usize),
) -> Waiting {
    let backwards: Vec<(u32, u32)> = steps.iter().map(|&(from, to)| (to, from)).collect();
    let backwards = Steps::new(ends.len(), &backwards);
    let mut good = ends.to_vec();
    let mut open: Vec<u32> = (0..ends.len() as u32).filter(|&s| ends[s as usize]).collect();
    while let Some(state) = open.pop() {
        for &before in backwards.from(state) {
            if !std::mem::replace(&mut good[before as usize], true) {
                open.push(before);
            }
        }
    }
    let forwards = Steps::new(ends.len(), steps);
    let mut waiting = Waiting::default();
    // From each state that leads to no end, a way into a component that is never left; those that
    // were looked at before lead to one that was.
    let mut seen = vec![false; ends.len()];
    for first in 0..ends.len() as u32 {
        if good[first as usize] || seen[first as usize] {
            continue;
        }
        let component = bottom(&forwards, first);
        if component.iter().any(|&state| seen[state as usize]) {
            seen[first as usize] = true;
            continue;
        }
        component.iter().for_each(|&state| seen[state as usize] = true);
        seen[first as usize] = true;
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
fn bottom(steps: &Steps, first: u32) -> Vec<u32> {
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
    const STEPS: [(u32, u32); 6] = [(0, 1), (1, 2), (1, 5), (5, 3), (3, 4), (4, 3)];
    const ENDS: [bool; 6] = [false, false, true, false, false, false];

    #[test]
    fn states_that_are_never_left_are_found() {
        let found = waiting(&STEPS, &ENDS, |_| (0, 0));
        assert!(matches!(found.silent[..], [3 | 4]) && found.busy.is_empty());
        let found = waiting(&STEPS, &ENDS, |state| (state, 0));
        assert_eq!(found, Waiting { silent: Vec::new(), busy: vec![vec![3, 4]] });
    }

    #[test]
    fn components_are_as_large_as_they_can_be() {
        let found = Steps::new(6, &STEPS).strongly_connected();
        let mut found: Vec<Vec<u32>> = found
            .into_iter()
            .map(|mut states| {
                states.sort();
                states
            })
            .collect();
        found.sort();
        assert_eq!(found, [vec![0], vec![1], vec![2], vec![3, 4], vec![5]]);
    }

    #[test]
    fn what_leads_to_an_end_does_not_wait() {
        assert_eq!(waiting(&[(0, 1), (1, 0), (1, 2)], &ENDS[..3], |_| (0, 0)), Waiting::default());
    }
}
