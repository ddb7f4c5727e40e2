//! The analysis against executions, and the literals against evaluation.

mod analysis;
mod claims;
mod execute;
mod literals;
pub mod random;
mod size;
