//! What goes wrong when accesses are simply executed one after the other.
//!
//! Most bugs show without any reordering, and most models allow everything that an interleaving
//! does. Visiting the first states of a program is cheap beside a formula for a weak model, so it
//! comes first. Whether what is found there is an execution of the model is not taken for granted:
//! the caller replays it, and what the model does not allow is forgotten.

use super::{Engine, Property, Questions};
use crate::state_space::{self, Machine, Wanted};
use crate::unrolling::{Options, Progress};
use crate::verdict::Counterexample;
use ir::program::Program;
use std::collections::BTreeMap;

/// Whether a replay finds an execution to be one of the model, and to show the violation.
pub type Confirm<'a> = &'a dyn Fn(&Counterexample) -> bool;

/// So many states are visited: a fraction of a second.
const STATES: usize = 60_000;

/// Violations in the first interleavings that the model allows, too; and how many states were
/// visited.
pub(super) fn violations(
    program: &Program,
    questions: &Questions,
    options: &Options<'_>,
    confirm: Confirm<'_>,
) -> (BTreeMap<Property, Counterexample>, usize) {
    let known = questions.properties.iter().copied().filter(|&p| state_space::knows(p));
    let wanted = Wanted {
        properties: known.collect(),
        overflow: options.encoding.unroll.overflow,
        samples: true,
        briefly: true,
        told_apart: !options.encoding.symmetry,
        ..Wanted::default()
    };
    let is_asked = questions.engine == Engine::Either && options.encoding.journal.is_none();
    if !is_asked || wanted.properties.is_empty() || program.entry.len() != 1 {
        return Default::default();
    }
    (options.progress)(Progress::States);
    let (machine, limits) = (Machine::Interleaving, &options.encoding.limits);
    let Ok(mut visited) = state_space::visit(program, machine, &wanted, limits, STATES) else {
        return Default::default();
    };
    visited.violations.retain(|_, counterexample| confirm(counterexample));
    (visited.violations, visited.states)
}
