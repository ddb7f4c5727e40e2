//! What an engine answers.

use crate::serial::{Observation, SerialViolation};
use crate::test::compose::InstanceId;
use execution::witness::Witness;
use ir::program::LocId;
use ir::step::finding::FindingKind;
use serde::{Deserialize, Serialize};

/// The answer.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Proved for the program as given: no execution leaves the bounds that were needed.
    Holds,
    /// Nothing is wrong with the executions within bounds; these loops may go on beyond theirs.
    HoldsWithinBounds(Vec<Bound>),
    /// Something is wrong.
    Violated(Box<Counterexample>),
    /// There is no answer.
    Inconclusive(Reason),
}

/// A loop (or recursion) that was followed only so far.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Bound {
    /// Where the loop is.
    pub place: Option<LocId>,
    /// How many iterations were looked at.
    pub iterations: u32,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time was over, or somebody interrupted.
    OutOfTime,
    /// The program or the model has something that the encoding does not do.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        place: Option<LocId>,
    },
    /// An operation can come to its end without a commit point, or with none that follows an
    /// access to shared memory: then nobody knows where it takes effect.
    NoCommitPoint(InstanceId),
}

/// An execution with which something is wrong.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// What is wrong.
    pub violation: Violation,
    /// The execution; `None` for a serial one, which the violation tells.
    pub witness: Option<Witness>,
}

/// What is wrong with an execution.
#[derive(Clone, Debug)]
pub enum Violation {
    /// The clients saw what no serial execution shows.
    Observation {
        /// What they saw.
        seen: Observation,
        /// What serial executions show that comes closest.
        nearest: Vec<Observation>,
    },
    /// The operations do not take effect where they say: one after the other, in the order of
    /// their commit points, they show something else.
    CommitPoints {
        /// What the clients saw.
        seen: Observation,
        /// The operations in the order of their commit points; `None` if no order of whole
        /// operations follows these and keeps that of each thread.
        order: Option<Vec<InstanceId>>,
        /// What the clients see if the operations run in this order, with the same arguments;
        /// `None` if there is no order, or if they cannot.
        serial: Option<Observation>,
    },
    /// Something went wrong in an execution.
    Finding {
        /// What.
        kind: FindingKind,
        /// Where.
        place: Option<LocId>,
    },
    /// The model flags the execution: a data race.
    Flag(String),
    /// Something went wrong in a serial execution.
    Serial(Box<SerialViolation>),
}

/// What an answer cost.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// How often the program was unrolled.
    pub rounds: u32,
    /// Instructions that access shared memory, in the last round.
    pub loads: usize,
    /// The same for those that write it.
    pub stores: usize,
    /// Variables of the last formula.
    pub variables: u64,
    /// Clauses of the last formula.
    pub clauses: u64,
    /// Conflicts in all rounds.
    pub conflicts: u64,
    /// CPU seconds in the solver, all rounds.
    pub solver_seconds: f64,
    /// CPU seconds outside it: unrolling and encoding.
    pub encoding_seconds: f64,
    /// How many serial observations there are.
    pub observations: usize,
}
