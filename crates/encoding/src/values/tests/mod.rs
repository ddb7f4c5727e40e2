//! The analysis against executions, and the literals against evaluation.

mod analysis;
mod execute;
mod literals;
mod random;
