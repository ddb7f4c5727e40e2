//! Checks whole programs: from a C file with `main` to a verdict for each property and model, with
//! every violation rechecked.
//!
//! - [`plan`]: what is to be checked: the files and models, read and compiled.
//! - [`cell`]: one program on one model.

pub mod cell;
pub mod plan;
