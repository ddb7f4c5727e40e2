//! Plain data shared by every part of Fencepost; this crate knows of the others
//! only when to give up (`limits`).
//!
//! - [`ids`]: typed dense ids and the vectors they index.
//! - [`span`]: byte spans in source files, macro expansions, and resolved [`span::Location`]s.
//! - [`diagnostic`]: what is wrong with a user's input, as a value.
//! - [`relation`]: sets of events and relations between them, as dense bit matrices.
//! - [`event`]: the events of one execution, with its base sets and relations.
//! - [`finding`]: what is wrong with an execution.
//! - [`input`]: files as they are read, up to a size.
//! - [`observation`]: what the clients of a data type see.
//! - [`operation`]: the operations of a test.
//! - [`printable`]: text of others, safe to show.
//! - [`question`]: the questions about all executions.
//! - [`verdict`]: what is answered; [`statistics`]: what that cost.
//! - [`witness`]: every decision of one execution, so that it can be run again.

pub mod diagnostic;
pub mod event;
pub mod finding;
pub mod ids;
pub mod input;
pub mod observation;
pub mod operation;
pub mod printable;
pub mod question;
pub mod relation;
pub mod span;
pub mod statistics;
pub mod verdict;
pub mod witness;
