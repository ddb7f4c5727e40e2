//! Counterexamples: erroneous executions, step by step.
//!
//! They are plain data; nothing here depends on how they were found.
//!
//! - [`text`]: for a terminal.
//! - [`html`]: for a browser; [`timeline`] is the picture of the steps.
//! - [`reorder`]: which accesses took effect against program order.

pub mod html;
pub mod reorder;
pub mod text;
mod timeline;

use execution::event::{EventId, EventKind, Execution};
use execution::finding::Finding;
use execution::span::Location;

/// A counterexample.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The file that was checked.
    pub file: String,
    /// The test: its name, if it has one, and its notation.
    pub test: String,
    /// The memory model.
    pub model: String,
    /// What is wrong.
    pub problem: Problem,
    /// The threads that do something.
    pub columns: Vec<Column>,
    /// What they do, in an order in which it takes effect.
    pub steps: Vec<Step>,
    /// Whether the model was asked about this order, and allows it event by event. Otherwise the
    /// steps of one thread follow those of another.
    pub is_in_order: bool,
    /// Accesses that took effect against program order.
    pub reordered: Vec<Reordered>,
    /// A change of the program after which the model forbids this execution.
    pub advice: Option<Advice>,
    /// The operations whose steps are left out, because they do not matter.
    pub left_out: Vec<String>,
    /// The events through which threads communicate, as a graph.
    pub execution: Execution,
}

/// What is wrong.
#[derive(Clone, Debug)]
pub enum Problem {
    /// The clients see what no serial execution shows.
    Observation {
        /// What each operation showed.
        seen: Vec<Shown>,
        /// What serial executions show that comes closest.
        nearest: Vec<Vec<Shown>>,
        /// The operations, by their positions, that show together what no serial execution shows,
        /// whatever the others show.
        impossible: Vec<usize>,
    },
    /// In the order of their commit points, the operations show something else.
    CommitPoints {
        /// What each operation showed.
        seen: Vec<Shown>,
        /// The same in the order of the commit points; `None` if that is no serial order.
        order: Option<Vec<Shown>>,
        /// What the operations show one after the other in this order; `None` if they cannot run
        /// like this.
        serial: Option<Vec<Shown>>,
    },
    /// Something went wrong.
    Finding(Box<Finding>),
    /// The model flags the execution: between these steps, if it says so.
    Flag {
        /// What the model calls it.
        name: String,
        /// The steps.
        steps: Vec<usize>,
    },
    /// Nothing: the execution shows how something is reached.
    Reached(String),
    /// Something went wrong although the operations ran one after the other.
    Serial {
        /// What went wrong.
        finding: Box<Finding>,
        /// The operations that ran before, in order, and the one that went wrong.
        operations: Vec<Shown>,
    },
}

/// What an operation showed to its client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The operation.
    pub operation: String,
    /// Labels and values: `value=1`.
    pub seen: String,
}

/// A thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// What it is called.
    pub title: String,
    /// Its operations.
    pub operations: Vec<Shown>,
}

/// An access or a fence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The thread: a position in [`Counterexample::columns`].
    pub column: usize,
    /// The operation: a position in the thread's operations.
    pub operation: Option<usize>,
    /// What it does.
    pub kind: EventKind,
    /// What the source calls the place, or the fence.
    pub place: String,
    /// The place by the name of its object, which is the same for everybody: `node1.next`.
    pub location: Option<String>,
    /// The value read or written.
    pub value: Option<String>,
    /// Where a read's value comes from.
    pub from: Option<Source>,
    /// A step before it that writes what a read does not see, although it follows what it does
    /// see in the coherence order; of a write, a step before it that follows it there.
    pub unseen: Option<usize>,
    /// Where it stands in the source: the call, if it stands in a wrapper.
    pub source: Option<Location>,
    /// Where it stands in the wrapper: a function that makes a single access for its callers.
    pub wrapper: Option<Location>,
    /// Its event in the replayed execution, if it is one.
    pub id: Option<EventId>,
    /// Whether the operation takes effect here, according to its commit points.
    pub commits: bool,
    /// Whether it is a block's allocation that writes.
    pub allocates: bool,
    /// Its event in the graph, if it is drawn there.
    pub event: Option<EventId>,
    /// Whether this is where the execution goes wrong. It is no event, then.
    pub fails: bool,
}

/// Where a read's value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// It was there before the threads started.
    Initial,
    /// This step wrote it.
    Step(usize),
}

/// Two accesses of one thread that took effect against program order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reordered {
    /// The one that comes first in the program, and took effect last.
    pub first: usize,
    /// The one that comes second in the program, and took effect first.
    pub second: usize,
    /// What a full fence would do.
    pub fence: Fence,
}

/// What a full fence would do about an execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fence {
    /// With one between the two accesses, the model forbids the execution.
    Forbids,
    /// No single one, wherever it stands, makes the model forbid it.
    NotAlone,
    /// Nor does that, but one between the two accesses and one after this step do together.
    Together(usize),
    /// That was not found out.
    Unknown,
}

/// Changes that make the model forbid an execution together, the weakest that were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The changes.
    pub changes: Vec<Change>,
}

/// A change of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The step that it is about.
    pub step: usize,
    /// Whether something is put after it; otherwise it becomes something else.
    pub after: bool,
    /// What is put there, or what it becomes, in the words of the source.
    pub words: String,
}

impl Counterexample {
    /// What sort of pair was reordered, in the words of fences: `store-store`.
    pub fn kind(&self, pair: Reordered) -> String {
        let name = |step: usize| match self.steps[step].kind {
            EventKind::Write => "store",
            _ => "load",
        };
        format!("{}-{}", name(pair.first), name(pair.second))
    }
}
