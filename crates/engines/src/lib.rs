//! The methods of Fencepost, one folder each; they know no files, no source languages, no printing.
//!
//! - [`engine`]: what an engine is; [`portfolio`]: which engine is asked when.
//! - [`explicit`]: all states of a program, on machines that do what a model says, and the first
//!   interleavings on any model.
//! - [`explore`]: concrete runs, which a solver directs until nothing is left that none has shown.
//! - [`bounded`]: formulas for all executions within bounds, and the questions about them.
//! - [`graphs`]: each consistent execution graph once.
//! - [`guarded`]: all states of a model of guarded commands, up to symmetry.
//! - [`serial`]: what a data type does when its operations run one after the other.
//! - [`test`]: tests of data types: their notation, suites of them, and the program that a test and
//!   a data type make together.
//! - [`verification`]: what can be asked of a whole program.
//! - [`views`]: proofs for any number of threads.

pub mod bounded;
pub mod engine;
pub mod explicit;
pub mod explore;
#[cfg(test)]
mod fixture;
pub mod graphs;
pub mod guarded;
pub mod portfolio;
pub mod serial;
pub mod test;
pub mod verdict;
pub mod verification;
pub mod views;
