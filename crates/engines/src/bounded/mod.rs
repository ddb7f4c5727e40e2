//! Bounded methods: loops are unrolled as far as is needed, and all executions are one formula.
//!
//! - [`unrolling`]: how far loops are unrolled, and the questions that all methods ask.
//! - [`inclusion`]: do the clients of a data type see only what serial executions show?
//! - [`commit_points`]: do its operations take effect where they say?
//! - [`mining`]: what [`serial`](crate::serial) gives, by the solver, for comparison.
//! - [`final_states`]: what places hold at the end of executions, for litmus tests.
//! - [`solver`]: the engine for whole programs; [`splits`] are accesses of several widths, [`waiting`]
//!   threads that wait for ever.

pub mod commit_points;
pub mod final_states;
pub mod inclusion;
pub mod mining;
pub mod solver;
mod splits;
pub mod unrolling;
pub(crate) mod waiting;
pub mod wanted;
