//! Checks whole programs: from a C file with `main` to a verdict for each property and model, with
//! every violation rechecked.
//!
//! - [`plan`]: what is to be checked: the files and models, read and compiled.
//! - [`cell`]: one program on one model.
//! - [`table`], [`behaviours`], [`json`], [`page`], [`save`]: the answers as a table in text, as a
//!   document, as a page and as files.
//! - [`schedule`]: what a saved execution shows, to be found again.

pub mod behaviours;
pub mod cell;
pub mod json;
pub mod page;
pub mod plan;
pub mod save;
pub mod schedule;
pub mod table;

/// The answers for a program, by model.
pub type Row = Vec<cell::Answer>;
