//! Checks data types: from files and tests to verdicts, with every violation rechecked.
//!
//! - [`plan`]: what is to be checked: files, tests and models, read and composed.
//! - [`cell`]: one test on one model.
//! - [`serial`]: the serial executions of a test, run once for all models.
//! - [`recheck`]: a counterexample is run again by other code before anybody sees it.
//! - [`cache`]: answers that are known already.
//! - [`table`], [`json`], [`page`], [`save`]: the answers as a table in text, as a document, as a page
//!   and as files.

pub mod cache;
pub mod cell;
pub mod json;
pub mod page;
pub mod plan;
pub mod recheck;
pub mod save;
pub mod serial;
pub mod table;

/// The answers of a test, by column; `None` where the test is not asked on that model.
pub type Row = Vec<Option<cell::Answer>>;
