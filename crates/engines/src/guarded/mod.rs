//! Models of guarded commands: all reachable states, breadth first.
//!
//! - [`search`]: visits the states. [`store`]: keeps them. [`symmetry`]: one of each orbit.
//! - [`any_number`]: proofs for any number of members of a scalarset.
//! - [`cmp`]: the same by data type reduction and lemmas that are mined.
//! - [`trace`]: the shortest way to a violation, executed again by code without folds.
//!
//! Soundness S-203 (murphi; all; refuses): Symmetry is not used for a scalarset whose members a
//! loop may visit with an effect that depends on their order, nor where it depends on the order of
//! members whether a quantifier reads an undefined value; a note says so. Test:
//! crates/engines/tests/murphi_corpus.rs::loops_that_depend_on_order_switch_symmetry_off,
//! crates/engines/tests/murphi_corpus.rs::quantifiers_that_depend_on_order_switch_symmetry_off.

pub mod any_number;
pub mod cmp;
pub mod search;
pub mod store;
pub mod symmetry;
pub mod trace;
mod worker;

use guarded::fault::Fault;
use guarded::model::{PropertyId, RuleId};
use limits::{Exceeded, Limits};

/// What counts as a deadlock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Deadlock {
    /// A state in which every enabled rule leads back to the state itself.
    #[default]
    Stuttering,
    /// A state in which no rule is enabled.
    Stuck,
    /// No state.
    Off,
}

/// How to search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// What counts as a deadlock.
    pub deadlock: Deadlock,
    /// Whether states that differ by a permutation of scalarsets are visited once.
    pub symmetry: bool,
    /// How many threads to use.
    pub threads: usize,
    /// When to give up.
    pub limits: Limits,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            deadlock: Deadlock::default(),
            symmetry: true,
            threads: 1,
            limits: Limits::default(),
        }
    }
}

/// What is wrong with a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// An invariant is false.
    Invariant(PropertyId),
    /// No state satisfies a cover property.
    Cover(PropertyId),
    /// Code cannot be executed, or an assertion fails.
    Fault(Fault),
    /// No progress is possible.
    Deadlock,
}

/// How a state is reached from the one before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Which rule; of the first step, which start state.
    pub rule: RuleId,
    /// The values of its parameters, in order.
    pub values: Vec<i64>,
    /// The state that it leads to; `None` for one that fails.
    pub state: Option<Vec<u32>>,
}

/// What is wrong and how it comes about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What is wrong.
    pub wrong: Wrong,
    /// From a start state on; empty for what no state satisfies.
    pub steps: Vec<Step>,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchVerdict {
    /// Nothing is wrong with any reachable state.
    Holds,
    /// Something is wrong.
    Violated(Violation),
    /// A limit was reached before all states were visited.
    Limit(Exceeded),
    /// Code does not end within what is executed; the way to it.
    Endless(Violation),
    /// There are more instances of rules than are executed.
    TooManyInstances,
    /// No start state satisfies the assumptions.
    Vacuous,
}

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchCounts {
    /// States that were reached.
    pub states: u64,
    /// Rules that were fired.
    pub rules: u64,
    /// The number of steps from a start state to the states reached last.
    pub depth: u32,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchAnswer {
    /// What was found.
    pub verdict: SearchVerdict,
    /// How much was visited.
    pub counts: SearchCounts,
    /// Whether states that differ by a permutation were visited once.
    pub symmetric: bool,
}
