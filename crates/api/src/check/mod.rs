//! Checks data types: from files and tests to verdicts, with every violation rechecked.
//!
//! - [`plan`]: what is to be checked: files, tests and models, read and composed.
//! - [`cell`]: one test on one model.
//! - [`established`]: what is known where there is no answer.
//! - [`serial`]: the serial executions of a test, run once for all models.
//! - [`recheck`]: a counterexample is run again by other code before anybody sees it.
//! - [`story`]: a rechecked counterexample as the reporter wants it.
//! - [`blame`]: in which order to tell it, and which fence would forbid it.
//! - [`relevance`]: which operations need not be told.
//! - [`file`]: counterexamples as files, which can be run again.
//! - [`saved_path`]: the paths in them.
//! - [`cache`]: answers that are known already.

pub mod blame;
pub mod cache;
pub mod cell;
pub mod established;
pub mod file;
pub(crate) mod hash;
pub mod plan;
pub mod recheck;
pub mod relevance;
pub mod saved_path;
pub mod serial;
pub mod story;
