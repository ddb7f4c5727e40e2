//! Beginnings: of all choices that `init` and the initial sequence of a test may make, some that
//! lead to every state in which the threads may start.
//!
//! `a a a ( r | r c )`, with two keys to choose from, has eight beginnings, but its threads find one
//! of three sets. What threads do from a state, and what serial executions show from there, does not
//! depend on how it came about: so one beginning is enough for each state. States are the same
//! if memory has the same shape, as in [`mine`](super::mine()).
//!
//! Which way errors would go: a data type that looks at the numbers of addresses may do something
//! else after another beginning, and that would be missed. And it is the program's own serial
//! executions that do not depend on the beginning; those of a reference may.

use super::mine::Options;
use super::run::{Goal, Limits, Outcome, State, run};
use crate::test::compose::Composed;
use ir::step::thread::Code;
use ir::value::Value;
use std::collections::BTreeMap;

/// What is chosen in each of the beginnings, in order; of those that lead to the same state, the
/// shortest. `None` if some beginning does not come to the start of the threads.
pub fn beginnings(composed: &Composed, options: &Options<'_>) -> Option<Vec<Vec<Value>>> {
    let code = Code::new(&composed.program);
    let Options { steps, failures, choices, ways, .. } = *options;
    let limits = Limits { steps, failures, choices, ways };
    let first = State { chosen: Some(Vec::new()), ..State::first(&code) };
    let mut known: BTreeMap<Vec<u64>, (u64, Vec<Value>)> = BTreeMap::new();
    for outcome in run(&code, first, Goal::Join, limits) {
        let state = match outcome {
            Outcome::Reached(state) => state,
            Outcome::Discarded => continue,
            _ => return None,
        };
        let length = state.thread.executed();
        let shape = state.world.memory.shape([]);
        let shortest = known.entry(shape).or_insert((u64::MAX, Vec::new()));
        if length < shortest.0 {
            *shortest = (length, state.chosen.unwrap_or_default());
        }
    }
    Some(known.into_values().map(|(_, chosen)| chosen).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::composed;

    /// A set of two numbers.
    const SET: &str = r#"
        #include <fencepost.h>
        static _Bool in[2];
        void init(void) { in[0] = in[1] = 0; }
        void a(void) { int k = fp_choose(0, 1); fp_observe("k", k); in[k] = 1; }
        void r(void) { int k = fp_choose(0, 1); fp_observe("k", k); in[k] = 0; }
    "#;

    fn chosen(test: &str) -> Vec<Vec<u64>> {
        let found = beginnings(&composed(SET, test), &Options::default()).expect("beginnings");
        let mut found: Vec<Vec<u64>> =
            found.iter().map(|list| list.iter().map(Value::low).collect()).collect();
        found.sort();
        found
    }

    #[test]
    fn there_is_one_beginning_for_each_state() {
        assert_eq!(chosen("( a | r )"), [[0; 0]]);
        assert_eq!(chosen("a ( a | r )"), [[0], [1]]);
        assert_eq!(chosen("a a a ( r | r )").len(), 3, "{{0}}, {{1}}, {{0, 1}}");
        assert_eq!(chosen("a a r ( r | r )").len(), 3, "{{}}, {{0}}, {{1}}");
    }

    #[test]
    fn a_beginning_that_goes_wrong_is_no_beginning() {
        let code = SET.replace("in[k] = 0", "in[2 * k] = 0");
        assert_eq!(beginnings(&composed(&code, "r ( a | a )"), &Options::default()), None);
    }
}
