//! What an engine answers.

use crate::serial::{Observation, SerialViolation};
use crate::test::compose::InstanceId;
use crate::unrolling::Progress;
use execution::finding::FindingKind;
use execution::witness::Witness;
use ir::program::LocId;
use serde::{Deserialize, Serialize};

/// The answer.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Proved for the program as given: no execution leaves the bounds that were needed.
    Holds,
    /// Nothing is wrong with the executions within bounds; these loops may go on beyond theirs.
    HoldsWithinBounds(Vec<Bound>),
    /// No execution comes to its end, within these bounds if there are any: nothing is wrong only
    /// because there is nothing to look at.
    Vacuous(Vec<Bound>, Unfinished),
    /// Something is wrong.
    Violated(Box<Counterexample>),
    /// There is no answer; what was found out before.
    Inconclusive(Reason, Established),
}

/// Why no execution comes to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// These columns of the test never do, whatever the others do.
    Never(Vec<usize>),
    /// Each of them can, but not all of them together.
    NotTogether,
    /// Of a whole program: assumptions fail in every execution.
    Discarded,
}

/// What was found out before there was no answer. A question is in here only if the answer was no.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Established {
    /// How many observations the serial executions show, if these are known.
    pub observations: Option<usize>,
    /// How many states were visited, if they were.
    pub states: Option<usize>,
    /// What was asked and answered, and how far loops were followed then.
    pub answered: Vec<Answered>,
    /// What was asked last, without an answer.
    pub open: Option<Progress>,
}

/// A question that was answered with no.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered {
    /// Which: can something go wrong, can an execution leave the bounds, and so on.
    pub question: Progress,
    /// The loops that were followed only so far. Executions that go on are not among those that
    /// were looked at.
    pub loops: Vec<Followed>,
}

/// A loop at one place, in all threads together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Followed {
    /// Where it is.
    pub place: Option<LocId>,
    /// How many iterations were looked at where it was followed least.
    pub least: u32,
    /// And where it was followed most.
    pub most: u32,
}

impl Established {
    /// Notes an answer, which counts more than an earlier one to the same question.
    pub(crate) fn note(&mut self, question: Progress, loops: Vec<Followed>) {
        self.answered.retain(|known| known.question != question);
        self.answered.push(Answered { question, loops });
        self.open = None;
    }
}

/// A loop (or recursion) that was followed only so far, or an allocation of which only some sizes
/// were looked at.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Bound {
    /// Where the loop is.
    pub place: Option<LocId>,
    /// How many iterations, or sizes, were looked at.
    pub iterations: u32,
    /// Whether it is never followed further, however many iterations are allowed.
    pub fixed: bool,
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
    /// The orders of memory that the model has may disagree about the order in which operations
    /// take effect. Nothing is wrong with the executions in which they agree.
    NoOrder,
    /// Executions end where the language gives no meaning to going on, so what lies past that is
    /// not known.
    Cut(Cut),
}

/// A finding past which no execution goes on: a memory error, or the use of an undefined value. (A
/// failed assertion ends the program: nothing lies past it. Arithmetic that overflows goes on.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    /// What.
    pub kind: FindingKind,
    /// Where.
    pub place: Option<LocId>,
    /// Whether no execution terminates in another way.
    pub every: bool,
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
    /// Instructions of the unrolled program, in the last round.
    #[serde(default)]
    pub instructions: usize,
    /// Those of them that read shared memory.
    pub loads: usize,
    /// Those of them that write it.
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
    /// CPU seconds in the solver before the last round.
    #[serde(default)]
    pub earlier_solver_seconds: f64,
    /// CPU seconds outside it before the last round.
    #[serde(default)]
    pub earlier_encoding_seconds: f64,
    /// How many serial observations there are.
    pub observations: usize,
    /// How many states were visited.
    #[serde(default)]
    pub states: usize,
}

impl Statistics {
    /// Loops were extended: what was spent until now was spent before the last round.
    pub(crate) fn next_round(&mut self) {
        self.rounds += 1;
        self.earlier_solver_seconds = self.solver_seconds;
        self.earlier_encoding_seconds = self.encoding_seconds;
    }

    /// What was spent in vain, and then on an answer.
    pub(crate) fn and(self, again: Self) -> Self {
        Self {
            rounds: self.rounds + again.rounds,
            conflicts: self.conflicts + again.conflicts,
            solver_seconds: self.solver_seconds + again.solver_seconds,
            encoding_seconds: self.encoding_seconds + again.encoding_seconds,
            earlier_solver_seconds: self.solver_seconds + again.earlier_solver_seconds,
            earlier_encoding_seconds: self.encoding_seconds + again.earlier_encoding_seconds,
            ..again
        }
    }
}
