//! Properties that are asked of the graph of states, not of single steps.
//!
//! - [`leaks`]: what is left in the end.
//! - [`liveness`], [`last_thread`]: threads that wait although nothing changes any more.
//! - [`fairness`], [`livelock`]: fair executions that never end although memory goes on changing.
//! - [`blocked`]: threads that wait for ever although others go on.
//! - [`settled`]: whether all threads terminate on a machine with views.

pub mod blocked;
pub mod fairness;
pub mod last_thread;
pub mod leaks;
pub mod livelock;
pub mod liveness;
pub mod settled;
