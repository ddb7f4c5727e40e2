//! The trusted base: runs a witness again, step by step, and believes nothing in it: the independent
//! recheck of a counterexample.
//!
//! The threads are executed by the stepper, each on its own, with the witness's answers where the
//! world outside must answer. Then every read must have returned what the write that it is said to
//! read from wrote at that location, coherence must be a total order of exactly the writes of each
//! location, and the execution that results is put to the model's evaluator. Nothing here knows
//! how the witness was found.
//!
//! A thread is run in [`thread`], on objects and cells of [`memory`], and what it does is recorded in
//! [`events`]. The oracle, which guesses what a witness decides, uses the same.

mod confirm;
pub mod events;
pub mod flaws;
pub mod language;
pub mod memory;
pub mod observation;
pub mod order;
pub mod target;
pub mod thread;
mod witness;

pub use confirm::{Unconfirmed, Under, confirm};

use execution::event::{EventId, Execution, ThreadId};
use execution::finding::{Finding, FindingClass, StackEntry};
use execution::ids::IdVec;
use execution::witness::{End, Witness};
use ir::locks::Purpose;
use ir::program::Program;
use ir::step::shown::Shown;
use limits::Limits;
use models::{Failure, Flag, Model};
use observation::Observation;

/// A confirmed witness, with everything that describes its execution.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The execution, which the model allows.
    pub execution: Execution,
    /// More about each event.
    pub details: IdVec<EventId, Detail>,
    /// The events in an order in which they can be shown: each read after the write that it sees,
    /// writes in coherence order, and program order wherever that leaves a choice.
    pub order: Vec<EventId>,
    /// The threads, by number.
    pub threads: Vec<ThreadSummary>,
    /// What the client saw.
    pub observation: Observation,
    /// What is wrong with the program, if anything is.
    pub finding: Option<Finding>,
    /// What the model remarks: data races and the like.
    pub flags: Vec<Flag>,
}

/// More about an event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Detail {
    /// Its thread; `None` for an initial write.
    pub thread: Option<ThreadId>,
    /// Where the thread was, innermost call first; calls that were inlined are shown as calls.
    pub stack: Vec<StackEntry>,
    /// What the source calls the place that is accessed: `queue->tail`.
    pub path: Option<String>,
    /// What the access is for; of a part of one, for data.
    pub purpose: Purpose,
    /// The place that is accessed, by the object's name: `node1.next`.
    pub location: Option<String>,
    /// The value that is read or written: `1`, `&node1`, `undefined`, `freed`.
    pub value: Option<String>,
    /// The operation it belongs to: its number in the thread, from zero, and its name.
    pub operation: Option<(u32, String)>,
    /// Whether its operation takes effect here: the last access before its last commit point.
    pub commits: bool,
    /// Whether it is a block's allocation that writes.
    pub allocates: bool,
    /// Where it stands in [`Replayed::order`].
    pub position: usize,
}

/// A thread of the execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadSummary {
    /// The function it starts with; nothing if it is not started.
    pub function: String,
    /// How far it came.
    pub end: End,
    /// The names of its operations, in order.
    pub operations: Vec<String>,
}

/// Why a witness is rejected. That is always an error of the engine that made it, or of this code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// The objects or addresses do not fit the program.
    Objects(String),
    /// A thread does not do what the witness says.
    Thread {
        /// The thread.
        thread: u32,
        /// What differs.
        what: String,
        /// Where the thread was, innermost call first.
        stack: Vec<StackEntry>,
    },
    /// A read did not return what the write wrote, or not at that location.
    ReadsFrom {
        /// The thread that reads.
        thread: u32,
        /// Which of its reads.
        read: u32,
        /// What differs.
        what: String,
    },
    /// The coherence order of a location is not one.
    Coherence {
        /// The location.
        location: String,
        /// What differs.
        what: String,
    },
    /// The model forbids the execution.
    Forbidden(Failure),
    /// The program does what is not supported.
    Unsupported(String),
    /// A limit was reached, which says nothing about the witness.
    GaveUp,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Mismatch::Objects(what) | Mismatch::Unsupported(what) => f.write_str(what),
            Mismatch::Thread { thread, what, stack } => {
                write!(f, "thread {thread}: {what}")?;
                match stack.first().and_then(|entry| entry.location.as_ref()) {
                    Some(location) => write!(f, " (at {location})"),
                    None => Ok(()),
                }
            }
            Mismatch::ReadsFrom { thread, read, what } => {
                write!(f, "read {read} of thread {thread}: {what}")
            }
            Mismatch::Coherence { location, what } => {
                write!(f, "coherence of {location}: {what}")
            }
            Mismatch::GaveUp => f.write_str("a limit was reached"),
            Mismatch::Forbidden(failure) => {
                write!(f, "the model forbids this execution: {} fails", failure.axiom)
            }
        }
    }
}

/// Runs a witness of a program under a model again.
///
/// The program must be the one that the witness was made for, with everything done to it that was
/// done then (C11 atomics compiled for the model's architecture, operations inlined).
pub fn replay(program: &Program, model: &Model, witness: &Witness) -> Result<Replayed, Mismatch> {
    replay_expecting(program, model, witness, Expected::default())
}

/// What a witness is about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expected {
    /// The class of the finding. Overflow, leaks and held locks are findings only where
    /// they are expected; where there are several errors, this one is reported.
    pub class: Option<FindingClass>,
    /// Threads may stop although nothing is wrong: the witness shows how something is reached.
    pub unfinished: bool,
}

impl Expected {
    /// Whether a witness is about a finding of this class.
    pub(crate) fn is(&self, class: FindingClass) -> bool {
        self.class == Some(class)
    }
}

/// The same, for a witness that is about more than what is always wrong.
pub fn replay_expecting(
    program: &Program,
    model: &Model,
    witness: &Witness,
    expected: Expected,
) -> Result<Replayed, Mismatch> {
    replay_within(program, model, witness, expected, &Limits::default())
}

/// The same, unless a limit is reached.
pub fn replay_within(
    program: &Program,
    model: &Model,
    witness: &Witness,
    expected: Expected,
    limits: &Limits,
) -> Result<Replayed, Mismatch> {
    witness::run::replay(program, model, witness, expected, limits)
}

/// Runs a witness as far as it can be followed, without asking the model; gives what that shows of
/// the program, and whether something goes wrong. For engines that learn from runs: this confirms
/// nothing.
pub fn follow(
    program: &Program,
    model: &Model,
    witness: &Witness,
    limits: &Limits,
) -> (Shown, bool) {
    witness::run::follow(program, model, witness, limits)
}
