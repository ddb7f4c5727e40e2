//! An observation set as a minimal deterministic automaton, for encodings.
//!
//! "This execution's observation is not in the set" would be a clause for each observation. Here
//! equal suffixes of observations share their states, so the size of the question grows with the
//! automaton, which is much smaller: one level for each operation, and edges labelled with what
//! the operation showed. The automaton is that of a finite language whose words all have one
//! length, so merging states with the same edges from the last level up makes it minimal.

use execution::id;
use execution::ids::{Id, IdVec};
use execution::observation::{ObservationSet, Seen};
use std::collections::HashMap;

id! {
    /// A state of an automaton.
    pub struct StateId("s");
}

id! {
    /// A list of values that an operation can show.
    pub struct ListId("list");
}

/// A minimal deterministic automaton that accepts exactly the observations of a set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The labels of edges.
    pub lists: IdVec<ListId, Vec<Seen>>,
    /// The states, those of later levels first. The first one is where accepted observations end.
    pub states: IdVec<StateId, State>,
    /// Where observations start; none if nothing is accepted.
    pub start: Option<StateId>,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// How many operations lie before it: edges from here are labelled with what the operation
    /// of this number showed.
    pub level: usize,
    /// The edges, by ascending label.
    pub edges: Vec<(ListId, StateId)>,
}

impl Automaton {
    /// The automaton of a set.
    pub fn new(set: &ObservationSet) -> Automaton {
        let levels = set.operations().len();
        let mut builder = Builder { states: IdVec::new(), known: HashMap::new(), levels };
        let last = State { level: levels, edges: Vec::new() };
        builder.state(last);
        let start = (!set.is_empty()).then(|| builder.below(set.rows(), 0));
        Automaton { lists: set.lists().iter().cloned().collect(), states: builder.states, start }
    }

    /// Where accepted observations end.
    pub fn accepting(&self) -> StateId {
        StateId::new(0)
    }

    /// Whether an observation is accepted.
    pub fn accepts(&self, observation: &[Vec<Seen>]) -> bool {
        let step = |state: StateId, seen: &Vec<Seen>| {
            let edges = &self.states[state].edges;
            edges.iter().find(|(list, _)| self.lists[*list] == *seen).map(|&(_, to)| to)
        };
        let end = self.start.and_then(|start| observation.iter().try_fold(start, step));
        end == Some(self.accepting())
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.states.iter().map(|state| state.edges.len()).sum()
    }
}

struct Builder {
    states: IdVec<StateId, State>,
    known: HashMap<State, StateId>,
    levels: usize,
}

impl Builder {
    fn state(&mut self, state: State) -> StateId {
        let states = &mut self.states;
        *self.known.entry(state).or_insert_with_key(|state| states.push(state.clone()))
    }

    /// The state that accepts the ends, from `level` on, of these rows. They are sorted and have
    /// the same prefix.
    fn below(&mut self, rows: &[Vec<u32>], level: usize) -> StateId {
        if level == self.levels {
            return StateId::new(0);
        }
        let groups = rows.chunk_by(|a, b| a[level] == b[level]);
        let edge = |group: &[Vec<u32>]| {
            (ListId::new(group[0][level] as usize), self.below(group, level + 1))
        };
        let edges = groups.map(edge).collect();
        self.state(State { level, edges })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::observation::Observation;

    fn words(words: &[&str]) -> (ObservationSet, Automaton) {
        let letter = |c: char| vec![Seen { label: "x".into(), value: c as i128 }];
        let word = |word: &&str| -> Observation { word.chars().map(letter).collect() };
        let length = words.first().map_or(2, |word| word.len());
        let operations = (0..length).map(|i| format!("o{i}")).collect();
        let set = ObservationSet::new(operations, words.iter().map(word));
        let automaton = Automaton::new(&set);
        (set, automaton)
    }

    #[test]
    fn it_accepts_the_set_and_nothing_else() {
        let (set, automaton) = words(&["abc", "abd", "bbd", "cad"]);
        for first in "abcd".chars() {
            for second in "abcd".chars() {
                for third in "abcd".chars() {
                    let letter = |c| vec![Seen { label: "x".into(), value: c as i128 }];
                    let word = [letter(first), letter(second), letter(third)];
                    assert_eq!(automaton.accepts(&word), set.contains(&word));
                }
            }
        }
        assert!(!automaton.accepts(&[]));
    }

    #[test]
    fn equal_suffixes_are_shared() {
        // All words of a length over two letters: one state for each level.
        let all: Vec<String> = (0..16u32)
            .map(|n| (0..4).map(|i| if n >> i & 1 == 0 { 'a' } else { 'b' }).collect())
            .collect();
        let (_, automaton) = words(&all.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!((automaton.states.len(), automaton.edge_count()), (5, 8));
        // Equal letters twice: the second level remembers the letter.
        let (_, automaton) = words(&["aa", "bb"]);
        assert_eq!((automaton.states.len(), automaton.edge_count()), (4, 4));
    }

    #[test]
    fn of_nothing_it_accepts_nothing() {
        let (_, automaton) = words(&[]);
        assert_eq!((automaton.start, automaton.states.len()), (None, 1));
        assert!(!automaton.accepts(&[]));
    }
}
