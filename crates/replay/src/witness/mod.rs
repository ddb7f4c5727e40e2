//! Runs the threads of a witness, puts them together, and compares all with what the witness says.

mod check;
mod decided;
mod describe;
mod last;
mod leaks;
mod locks;
mod repeat;
pub mod run;
mod sources;
