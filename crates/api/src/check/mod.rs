//! Checks data types: from files and tests to verdicts, with every violation rechecked.
//!
//! - [`plan`]: what is to be checked: files, tests and models, read and composed.
//! - [`cell`]: one test on one model.
//! - [`serial`]: the serial executions of a test, run once for all models.
//! - [`recheck`]: a counterexample is run again by other code before anybody sees it.
//! - [`cache`]: answers that are known already.

pub mod cache;
pub mod cell;
pub mod plan;
pub mod recheck;
pub mod serial;
