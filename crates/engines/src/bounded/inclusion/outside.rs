//! "This observation is not in the set", through the automaton of the set.
//!
//! A literal for each state says that the observation leads there. Only one direction is stated:
//! a state is reached if the state before is and the operation shows the label of the edge. So an
//! observation of the set forces the accepting state, which the question forbids; any other
//! leaves the literals free to be false.

use crate::serial::Automaton;
use encoding::encode::{Encoding, Observations};
use sat::Lit;
use std::collections::HashMap;

/// A literal that, in complete executions, can be true only if the observation is not in the set.
pub(super) fn outside(
    encoding: &mut Encoding<'_>,
    automaton: &Automaton,
    operations: &[Option<u32>],
    symmetric: &[(usize, usize)],
) -> Lit {
    let outside = encoding.formula.fresh();
    let Some(start) = automaton.start else { return outside };
    let mut known = Observations::default();
    let mut shows: HashMap<(usize, usize), Lit> = HashMap::new();
    let mut reached: HashMap<_, Lit> = HashMap::from([(start, Lit::TRUE)]);
    // States of later levels have smaller ids.
    for id in automaton.states.ids().rev() {
        let Some(&here) = reached.get(&id) else { continue };
        let state = &automaton.states[id];
        for &(list, next) in &state.edges {
            let index = execution::ids::Id::index(list);
            let label = *shows.entry((state.level, index)).or_insert_with(|| {
                let seen: Vec<(&str, i128)> =
                    automaton.lists[list].iter().map(|s| (s.label.as_str(), s.value)).collect();
                match operations[state.level] {
                    Some(operation) => encoding.observes(&mut known, operation, &seen),
                    None => Lit::constant(seen.is_empty()),
                }
            });
            let there = *reached.entry(next).or_insert_with(|| encoding.formula.fresh());
            encoding.formula.clause(&[!here, !label, there]);
        }
    }
    for &(first, second) in symmetric {
        ordered(encoding, outside, (first, second), &shows);
    }
    let accepted = reached.get(&automaton.accepting()).copied().unwrap_or(Lit::FALSE);
    encoding.formula.clause(&[!outside, !accepted]);
    outside
}

/// Of two operations that could be exchanged, the first shows the smaller list. Lists that no
/// serial execution shows are not compared: they count as larger than all others.
fn ordered(
    encoding: &mut Encoding<'_>,
    outside: Lit,
    (first, second): (usize, usize),
    shows: &HashMap<(usize, usize), Lit>,
) {
    let mut lists: Vec<usize> =
        shows.keys().filter(|(level, _)| *level == first).map(|&(_, list)| list).collect();
    lists.sort_unstable();
    // Whether the first shows this list or a larger one.
    let mut larger = Lit::FALSE;
    for list in lists.into_iter().rev() {
        if let Some(&smaller) = shows.get(&(second, list)) {
            encoding.formula.clause(&[!outside, !smaller, !larger]);
        }
        larger = encoding.formula.or(&[larger, shows[&(first, list)]]);
    }
}
