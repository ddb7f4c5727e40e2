//! Explains a replayed execution: in which order to show it, which accesses were reordered, which
//! fence would forbid it, and which operations matter.
//!
//! - [`story`]: the whole explanation, as a [`Counterexample`](crate::counterexample::Counterexample).
//! - [`kept`]: what the model keeps in order.
//! - [`arrange`]: the order of the steps.
//! - [`blame`]: whether one thread out of order explains it, and the fence that would forbid it.
//! - [`advice`]: the weakest change after which the model forbids the execution.
//! - [`relevance`]: the operations that matter.
//! - `wrappers`: the functions that only make an access for their callers.

pub mod advice;
pub mod arrange;
pub mod blame;
pub mod kept;
pub mod relevance;
pub mod story;
mod wrappers;

use execution::operation::Instances;

/// The threads of an execution.
#[derive(Clone, Copy)]
pub struct Threads<'a> {
    /// How many there are; of a test, the initial sequence (thread 0) included.
    pub columns: usize,
    /// The operations of a test; those of a whole program are none.
    pub instances: &'a Instances,
}
