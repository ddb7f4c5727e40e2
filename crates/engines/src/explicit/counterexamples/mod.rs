//! Counterexamples: from a path through the states to a witness that others can run again.
//!
//! - [`rerun`]: a path, run again; [`record`]: what it did, written down as a witness.
//! - [`shorten`]: the same with fewer threads.

pub mod record;
pub mod rerun;
pub mod shorten;
