//! One thread of a C program in the stepper: what it asks, who answers, and what it has done.

pub mod answers;
pub mod loops;
mod memory;
pub mod shared;
pub mod spot;
pub mod state;
