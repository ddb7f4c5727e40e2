//! What goes wrong, and what is come to, when accesses are simply executed one after the other.
//!
//! Most bugs show without any reordering, and most models allow everything that an interleaving
//! does. Visiting the first states of a program is cheap beside a formula for a weak model, so it
//! comes first. Whether what is found there is an execution of the model is not taken for granted:
//! the caller replays it, and what the model does not allow is forgotten.

use super::coverage::Coverage;
use super::{Engine, Property, Questions};
use crate::state_space::{self, Machine, Wanted};
use crate::unrolling::{CheckOptions, Progress};
use crate::verdict::Counterexample;
use execution::witness::Witness;
use ir::program::Program;
use std::collections::BTreeMap;

/// What an execution is to show.
#[derive(Clone, Copy, Debug)]
pub enum Claim<'a> {
    /// Something is wrong in it.
    Violation(&'a Counterexample),
    /// It comes to a branch or an assertion.
    Branch(&'a Witness),
}

/// Whether a replay finds an execution to be one of the model, and to show what it should.
pub type Confirm<'a> = &'a dyn Fn(Claim<'_>) -> bool;

/// So many states are visited: a fraction of a second.
const STATES: usize = 60_000;

/// What the first interleavings show.
#[derive(Default)]
pub(super) struct Seen {
    pub violations: BTreeMap<Property, Counterexample>,
    pub coverage: Coverage,
    /// How many states were visited.
    pub states: usize,
}

/// What the first interleavings show that the model allows, too; `language` says whether that is one
/// of a language.
pub(super) fn look(
    program: &Program,
    language: bool,
    questions: &Questions,
    options: &CheckOptions<'_>,
    confirm: Confirm<'_>,
) -> Seen {
    let known = questions.properties.iter().copied().filter(|&p| state_space::knows(p));
    let wanted = Wanted {
        properties: known.collect(),
        overflow: options.encoding.unroll.overflow,
        coverage: questions.coverage,
        samples: true,
        allocations: language,
        briefly: true,
        told_apart: !options.encoding.symmetry,
        ..Wanted::default()
    };
    let is_asked = questions.engine == Engine::Either && options.encoding.journal.is_none();
    let nothing = wanted.properties.is_empty() && !wanted.coverage;
    if !is_asked || nothing || program.entry.len() != 1 {
        return Seen::default();
    }
    (options.progress)(Progress::States);
    let (machine, limits) = (Machine::Interleaving, &options.encoding.limits);
    let Ok(mut visited) = state_space::visit(program, machine, &wanted, limits, STATES) else {
        return Seen::default();
    };
    visited.violations.retain(|_, counterexample| confirm(Claim::Violation(counterexample)));
    let coverage =
        visited.coverage.filtered(|witness| !limits.expired() && confirm(Claim::Branch(witness)));
    Seen { violations: visited.violations, coverage, states: visited.states }
}
