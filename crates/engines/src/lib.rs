//! The methods of Fencepost, one folder each; they know no files, no source languages, no printing.
//!
//! - [`commit_points`]: do operations take effect where they say?
//! - [`inclusion`]: do clients see only what serial executions show?
//! - [`mining`]: what [`serial`] gives, by the solver, for comparison.
//! - [`serial`]: what a data type does when its operations run one after the other.
//! - [`state_space`]: all states of a program, on machines that do what a model says.
//! - [`test`]: tests of data types: their notation, suites of them, and the program that a test and
//!   a data type make together.
//! - [`verification`]: can anything go wrong in a whole program?

pub mod commit_points;
#[cfg(test)]
mod fixture;
pub mod inclusion;
pub mod mining;
pub mod serial;
pub mod state_space;
pub mod test;
pub mod unrolling;
pub mod verdict;
pub mod verification;
