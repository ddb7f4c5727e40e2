//! The events of an execution: recorded per thread with what they depend on, then put together.

pub mod control;
pub mod mask;
pub mod record;
pub mod shape;
pub mod skeleton;
pub mod trace;
