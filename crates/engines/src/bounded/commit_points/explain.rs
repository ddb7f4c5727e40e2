//! "The operations, in the order of their commit points, show something else", through the graph
//! of the serial executions.
//!
//! A literal for each state says that the serial execution comes there and has shown the same so
//! far. Only one direction is stated: a state is reached if the state before is, the operation of
//! the step is the first of those that are to come, and it shows the label of the step. So an
//! execution that its serial one explains forces the last state, which the question forbids. An
//! order of the operations that is none has no first one somewhere, and gets stuck there.

use super::Before;
use crate::serial::Orders;
use crate::serial::automaton::{ListId, StateId};
use crate::test::compose::InstanceId;
use encoding::encode::{Encoding, Observations};
use sat::Lit;
use std::collections::HashMap;

/// A literal that, in complete executions, can be true only if the serial execution in the order
/// of the commit points shows something else, or does not exist.
pub(super) fn unexplained(
    encoding: &mut Encoding<'_>,
    orders: &Orders,
    before: &Before<'_>,
) -> Lit {
    let unexplained = encoding.formula.fresh();
    let mut known = Known { before, observations: Observations::default(), shows: HashMap::new() };
    let mut reached: HashMap<StateId, Lit> =
        orders.starts.iter().map(|&start| (start, Lit::TRUE)).collect();
    let mut first: HashMap<(&[InstanceId], InstanceId), Lit> = HashMap::new();
    // States with fewer operations to come have smaller ids.
    for id in orders.states.ids().rev() {
        let Some(&here) = reached.get(&id) else { continue };
        let state = &orders.states[id];
        for step in &state.steps {
            let next = *first
                .entry((&state.to_come, step.operation))
                .or_insert_with(|| known.is_first(encoding, step.operation, &state.to_come));
            if next == Lit::FALSE {
                continue;
            }
            let shows = known.shows(encoding, orders, step.operation, step.list);
            let there = *reached.entry(step.to).or_insert_with(|| encoding.formula.fresh());
            encoding.formula.clause(&[!here, !next, !shows, there]);
        }
    }
    let explained = reached.get(&orders.end()).copied().unwrap_or(Lit::FALSE);
    encoding.formula.clause(&[!unexplained, !explained]);
    unexplained
}

struct Known<'a> {
    before: &'a Before<'a>,
    observations: Observations,
    shows: HashMap<(InstanceId, ListId), Lit>,
}

impl Known<'_> {
    /// Whether an operation comes before all others that are to come.
    fn is_first(
        &self,
        encoding: &mut Encoding<'_>,
        operation: InstanceId,
        to_come: &[InstanceId],
    ) -> Lit {
        let others = to_come.iter().filter(|&&other| other != operation);
        let all: Vec<Lit> =
            others.map(|&other| self.before.lit(encoding, operation, other)).collect();
        encoding.formula.and(&all)
    }

    /// Whether an operation shows this.
    fn shows(
        &mut self,
        encoding: &mut Encoding<'_>,
        orders: &Orders,
        operation: InstanceId,
        list: ListId,
    ) -> Lit {
        *self.shows.entry((operation, list)).or_insert_with(|| {
            let list = orders.lists[list].iter();
            let seen: Vec<(&str, i128)> =
                list.map(|seen| (seen.label.as_str(), seen.value)).collect();
            match self.before.numbers[operation] {
                Some(number) => encoding.observes(&mut self.observations, number, &seen),
                None => Lit::constant(seen.is_empty()),
            }
        })
    }
}
