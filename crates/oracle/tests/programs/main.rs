//! C programs under many models: what can come of them, and whether every execution that was
//! found can be replayed.

mod common;
mod corrupted;
mod endings;
mod lifetimes;
mod memory;
mod ordering;
mod widths;
