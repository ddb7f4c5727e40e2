//! Proofs for any number of threads: thread-modular views of a data type.
//!
//! The idea: a *view* is what one thread, the tracked one, knows of a state: everything that the
//! globals lead to, its own registers and what only they lead to, and which locks it holds. How many
//! other threads there are, and where they are, is forgotten. What they can do is the set of
//! *effects*: the changes that a thread in any known view makes to what others know. A fixpoint of
//! the tracked thread's own steps and of all effects contains the views of every reachable state of
//! any number of threads. After P. A. Abdulla, F. Haziza, L. Holík, "All for the price of few"
//! (VMCAI 2013), and C. Flanagan, S. Qadeer, "Thread-modular model checking" (SPIN 2003); the effects
//! are the actions of Other in the CMP method of C.-T. Chou, P. K. Mannava, S. Park, "A simple method
//! for parameterized verification of cache coherence protocols" (FMCAD 2004), with the strongest
//! lemma computed instead of mined.
//!
//! Linearizability is checked without linearisation points: each shared part shows an abstract state
//! ([`spec`]), and a step may change it only as the stepping thread's own operation does, once. What
//! an operation could return without changing anything is collected while it runs.
//!
//! A mistake here would say `proved` of a data type that is wrong; what cannot be excluded is never
//! said to be a bug.
//!
//! - [`machine`]: what is the same in all views; [`heap`]: objects and the one form of a view.
//! - [`world`], [`memory`], [`step`]: one step of the tracked thread.
//! - [`effect`]: what other threads notice of it. [`search`]: the fixpoint.
//! - [`concrete`]: two or three threads and no more.
//! - [`spec`]: the abstract type; [`kind`]: which well-known one it is. [`order`]: absence of deadlock.
//! - [`ladder`]: which abstraction is tried when. [`trace`]: executions for people.

mod concrete;
mod effect;
mod heap;
mod kind;
mod ladder;
mod machine;
mod memory;
mod order;
mod search;
mod spec;
mod step;
#[cfg(test)]
mod tests;
mod trace;
mod world;

pub use kind::{Shape, shape_named};
pub use ladder::{Cost, Doubt, Open, Options, Proof, Proved, Verdict, prove};
pub use machine::{Locks, Rung};
pub use order::Deadlock;
pub use trace::{TestShape, TraceAccess, TraceStep};
