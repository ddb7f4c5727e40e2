//! Plain data shared by every part of Fencepost; this crate knows nothing of the others.
//!
//! - [`ids`]: typed dense ids and the vectors they index.
//! - [`span`]: byte spans in source files, macro expansions, and resolved [`span::Location`]s.
//! - [`diagnostic`]: what is wrong with a user's input, as a value.
//! - [`relation`]: sets of events and relations between them, as dense bit matrices.
//! - [`event`]: the events of one execution, with its base sets and relations.
//! - [`finding`]: what is wrong with an execution.
//! - [`input`]: files as they are read, up to a size.
//! - [`observation`]: what the clients of a data type see.
//! - [`printable`]: text of others, safe to show.
//! - [`witness`]: every decision of one execution, so that it can be run again.

pub mod diagnostic;
pub mod event;
pub mod finding;
pub mod ids;
pub mod input;
pub mod observation;
pub mod printable;
pub mod relation;
pub mod span;
pub mod witness;
