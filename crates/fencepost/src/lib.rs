//! The command line: options, what is printed, and how a run is stopped. Only this crate prints.
//!
//! - [`cli`]: the options.
//! - [`commands`]: what each command does with them.

pub mod cli;
pub mod commands;
