//! The stepper: executes one thread, one shared-memory step at a time, against an abstract memory.
//!
//! A [`thread::Thread`] holds registers and a call stack. Whatever touches the world outside goes
//! through [`memory::Memory`], which a driver implements: sequential consistency for `run`, a
//! guesser of read values for the oracle, a scheduler for exploration. Given the answers of the
//! memory, a thread is fully deterministic.

pub mod alignment;
mod atomic_update;
mod choice;
mod control;
pub mod describe;
mod effects;
mod execute;
pub mod frame;
mod heap;
pub mod held;
pub mod machine;
pub mod memory;
pub mod origin;
mod print;
mod print_float;
pub mod random;
pub mod sc;
pub mod shown;
pub mod taint;
pub mod thread;
mod threads;
pub mod world;

pub use control::mismatch;
