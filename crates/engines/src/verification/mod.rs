//! What can be asked of a whole program, and what is observed of it.
//!
//! - [`Property`]: groups of things that go wrong, each with a verdict of its own.
//! - [`Questions`]: what is asked together.
//! - [`coverage`]: the branches and assertions that are reached.
//! - [`outcomes`]: what can be observed.

pub mod coverage;
pub mod outcomes;
mod property;
mod questions;

pub use crate::engine::{Claim, Confirm, Report};
pub use crate::explicit::interleavings::Interleavings;
pub use crate::portfolio::{EngineChoice, Portfolio, verify, verify_confirmed_by};
pub use property::Property;
pub use questions::Questions;
