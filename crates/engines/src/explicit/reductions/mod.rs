//! Reductions: what need not be told apart, so that there are fewer states to visit.
//!
//! - [`sharing`]: accesses that no other thread can notice, which makes for larger steps.
//! - [`independent`], [`view`]: a thread that does not interfere with the others, explored
//!   separately, and what it can see of them.
//! - [`symmetry`]: symmetric threads.

pub mod independent;
pub mod sharing;
pub mod symmetry;
pub mod view;
