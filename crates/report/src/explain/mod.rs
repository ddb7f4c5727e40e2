//! Explains a replayed execution: in which order to show it, which accesses were reordered, which
//! fence would forbid it, and which operations matter.
//!
//! - [`story`]: the whole explanation, as a [`Counterexample`](crate::counterexample::Counterexample).
//! - [`blame`]: the order of the steps, and the fence that would forbid the execution.
//! - [`relevance`]: the operations that matter.

pub mod blame;
pub mod relevance;
pub mod story;

use execution::operation::Instances;

/// The threads of an execution.
#[derive(Clone, Copy)]
pub struct Threads<'a> {
    /// How many there are; of a test, the initial sequence (thread 0) included.
    pub columns: usize,
    /// The operations of a test; those of a whole program are none.
    pub instances: &'a Instances,
}
