//! All executions of a bounded program under a memory model, as clauses.
//!
//! The encoding has two halves that meet at the [`graph`] of events. The first is what each
//! thread can do, given what its reads return: [`unroll`] executes the threads symbolically, with
//! loops up to their bounds, which leaves a [`bounded`] program: guarded events whose addresses and
//! values are [`term`]s. The second is the memory model over these events, from its cat text.
//! Neither knows any model by name.

pub mod bounded;
pub mod bytes;
pub mod encode;
pub mod graph;
pub mod guard;
pub mod known;
pub mod memory;
pub mod parts;
mod range;
pub mod term;
pub mod unroll;
pub mod values;
