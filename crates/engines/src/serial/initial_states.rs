//! Initial states: of all choices that `init` and the initial sequence of a test may make, some that
//! lead to every state in which the threads may start.
//!
//! `a a a ( r | r c )`, with two keys to choose from, has eight initial sequences, but its threads
//! find one of three sets. What threads do from a state does not depend on how it was reached. What
//! is correct does: clients know what the initial operations showed, and thus which states are
//! possible. So one initial sequence is enough for a state if what it shows leads there only: what
//! is correct after it is correct after all others that lead to the same state. For a state without
//! such a sequence, one is kept for everything that may be shown on the way to it. States are the
//! same if memory has the same shape, as in [`mine`](super::mine()).
//!
//! Which way errors would go: a data type that uses the numbers of addresses may do something
//! else after another initial sequence, and that would be missed. And it is the program's own
//! serial executions that do not depend on the initial sequence; those of a reference may. The
//! caller must ask again without this reduction if executions exceed their bounds: a sequence that
//! is left out might not.
//!
//! Soundness S-067 (check; all; misses): Of the choices of `init` and the initial sequence, one
//! list for each initial state is checked (all with `--spec`, `--reuse-memory`, primes there, or
//! bounds left in the end), which is not enough for a data type that computes with the numbers of
//! addresses. Test:
//! crates/engines/src/bounded/unrolling/tests.rs::one_initial_sequence_for_each_state_is_enough,
//! crates/engines/src/bounded/unrolling/tests.rs::initial_sequences_that_show_less_hide_no_violation_that_others_show.

use super::mine::SerialOptions;
use super::run::{Goal, Limits, RunOutcome, State, run};
use crate::test::compose::Composed;
use ir::step::thread::Code;
use ir::step::world::Recorded;
use ir::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What is chosen on the way to each of the initial states, in order; of several possible ones,
/// the shortest.
/// `None` if some initial sequence does not reach the start of the threads, or is restricted by a
/// prime, and if a limit is reached.
pub fn initial_states(composed: &Composed, options: &SerialOptions) -> Option<Vec<Vec<Value>>> {
    if composed.instances.iter().any(|instance| instance.column == 0 && instance.restricted) {
        return None;
    }
    let code = Code::new(&composed.program);
    let limits = Limits::of(options);
    let first = State { chosen: Some(Vec::new()), ..State::first(&code, options.reuse) };
    let mut known: BTreeMap<(Shape, Shown), InitialSequence> = BTreeMap::new();
    for outcome in run(&code, first, Goal::Join, limits).ok()? {
        let state = match outcome {
            RunOutcome::Reached(state) => state,
            RunOutcome::Discarded => continue,
            _ => return None,
        };
        let key = (shape(&state), shown(&state));
        let length = state.thread.executed();
        let sequence = InitialSequence { length, chosen: state.chosen.unwrap_or_default() };
        let shortest = known.entry(key).or_insert_with(|| sequence.clone());
        if length < shortest.length {
            *shortest = sequence;
        }
    }
    let mut states: BTreeMap<Shown, usize> = BTreeMap::new();
    for (_, shown) in known.keys() {
        *states.entry(shown.clone()).or_default() += 1;
    }
    let mut by_state: BTreeMap<Shape, [Vec<InitialSequence>; 2]> = BTreeMap::new();
    for ((shape, shown), sequence) in known {
        let [alone, others] = by_state.entry(shape).or_default();
        if states[&shown] == 1 { alone } else { others }.push(sequence);
    }
    let mut kept = Vec::new();
    for [alone, others] in by_state.into_values() {
        match alone.into_iter().min_by_key(|sequence| sequence.length) {
            Some(enough) => kept.push(enough.chosen),
            None => kept.extend(others.into_iter().map(|sequence| sequence.chosen)),
        }
    }
    Some(kept)
}

/// What memory looks like where the threads start.
type Shape = Vec<u64>;
/// What clients have seen before.
type Shown = Vec<String>;

/// One way to get there.
#[derive(Clone)]
struct InitialSequence {
    length: u64,
    chosen: Vec<Value>,
}

/// The shape of memory, seen from globals and from the locks that are held.
fn shape(state: &State) -> Shape {
    let memory = &state.world.memory;
    memory.shape(state.world.locks.held_in(memory).collect::<BTreeSet<_>>())
}

/// What clients have seen.
fn shown(state: &State) -> Shown {
    let shown = |what: &Recorded| match what {
        Recorded::Began(name, _) => Some(name.clone()),
        Recorded::Observed(label, value) => Some(format!("{label}={value:?}")),
        Recorded::Committed(_) | Recorded::Ended(_) => None,
    };
    state.world.records.iter().filter_map(|record| shown(&record.what)).collect()
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
        let found = initial_states(&composed(SET, test), &SerialOptions::default())
            .expect("initial states");
        let mut found: Vec<Vec<u64>> =
            found.iter().map(|list| list.iter().map(Value::low).collect()).collect();
        found.sort();
        found
    }

    #[test]
    fn there_is_one_initial_sequence_for_each_state() {
        assert_eq!(chosen("( a | r )"), [[0; 0]]);
        assert_eq!(chosen("a ( a | r )"), [[0], [1]]);
        assert_eq!(chosen("a a a ( r | r )").len(), 3, "{{0}}, {{1}}, {{0, 1}}");
        assert_eq!(chosen("a a r ( r | r )").len(), 3, "{{}}, {{0}}, {{1}}");
    }

    #[test]
    fn a_state_that_observations_do_not_determine_needs_all_of_them() {
        // The number is shown only if it is 1; otherwise it may be anything else.
        let code = SET.replace(
            "fp_observe(\"k\", k); in[k] = 1;",
            "int s = fp_choose(0, 1); if (s && k) fp_observe(\"k\", k); in[k] = 1;",
        );
        let found = initial_states(&composed(&code, "a ( r | r )"), &SerialOptions::default());
        // {1} differs from {0} only if it is shown; {0} never is, so no observation determines it.
        let found: Vec<Vec<u64>> = found
            .expect("initial states")
            .iter()
            .map(|list| list.iter().map(Value::low).collect())
            .collect();
        assert!(found.contains(&vec![1, 1]), "{found:?}");
        assert!(!found.contains(&vec![1, 0]), "{found:?}");
    }

    #[test]
    fn an_unreachable_lock_that_is_held_counts() {
        let code = SET.replace(
            "in[k] = 1;",
            "if (k) { pthread_mutex_t *m = calloc(1, sizeof *m); pthread_mutex_lock(m); }",
        );
        let code = format!("#include <pthread.h>\n#include <stdlib.h>\n{code}");
        let found = initial_states(&composed(&code, "a ( r | r )"), &SerialOptions::default());
        assert_eq!(found.expect("initial states").len(), 2);
    }

    #[test]
    fn primes_and_initial_states_do_not_go_together() {
        assert_eq!(initial_states(&composed(SET, "a' ( r | r )"), &SerialOptions::default()), None);
    }

    #[test]
    fn an_initial_sequence_with_a_finding_is_not_used() {
        let code = SET.replace("in[k] = 0", "in[2 * k] = 0");
        assert_eq!(
            initial_states(&composed(&code, "r ( a | a )"), &SerialOptions::default()),
            None
        );
    }
}
