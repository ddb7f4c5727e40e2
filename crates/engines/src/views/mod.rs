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
//! Soundness S-240 (prove; sc, tso; misses): A proof is for the values that operations choose from
//! and for as many objects as the answer names. Test:
//! crates/engines/src/views/tests.rs::the_views_of_threads_with_a_queue_or_a_stack_are_in_the_fixpoint.
//!
//! Soundness S-241 (prove; sc, tso; misses): A freed block is not given again, so an ABA problem that
//! needs the allocator shows as a use after free or not at all; the answer says so. Test:
//! crates/fencepost/tests/prove.rs::a_proof_says_that_freed_blocks_are_not_given_again.
//!
//! Soundness S-242 (prove; tso; misses): An operation has ended when its stores are visible to all
//! threads; leaks, data races and signed overflow are not asked about. Test:
//! crates/engines/src/views/tests.rs::the_views_of_threads_with_store_buffers_are_in_the_fixpoint.
//!
//! Soundness S-243 (prove; sc, tso; refuses): Refused at their lines: threads that an operation starts
//! or awaits, the number of a thread, thread-local objects, exclusive accesses, readers-writer locks,
//! words with more than 64 values (counters without a bound, tickets), numbers computed from
//! addresses, recursion deeper than 256 calls, choices after an operation's first shared access, and
//! more than 16 stores in a store buffer. Test:
//! crates/fencepost/tests/prove.rs::what_has_no_meaning_is_refused_at_its_line.
//!
//! Soundness S-244 (prove; sc, tso; refuses): Operations that other threads complete (descriptors,
//! elimination) and locks that are handed from one thread to the next (MCS, CLH) are `?`: a view has
//! one tracked thread. Test:
//! crates/fencepost/tests/prove.rs::what_other_operations_complete_is_open_with_the_steps.
//!
//! Soundness S-245 (prove; sc, tso; refuses): The abstract state is read off a snapshot of the memory,
//! in which no thread holds a lock, so a data type whose critical sections leave memories that show no
//! state of it, like two words that are equal outside of them, is `?`. Test:
//! crates/fencepost/tests/prove.rs::critical_sections_that_pass_through_no_state_are_open.
//!
//! Soundness S-246 (prove; sc, tso; refuses): The tests that show a violation run with the values of
//! the program, so what goes wrong only with more values, by `--values`, is `?`. Test:
//! crates/fencepost/tests/prove.rs::what_needs_more_values_than_the_program_has_is_open.
//!
//! - [`machine`]: what is the same in all views; [`heap`]: objects and the one form of a view.
//! - [`world`], [`memory`], [`step`]: one step of the tracked thread.
//! - [`effect`]: what other threads notice of it. [`search`]: the fixpoint.
//! - [`concrete`], [`explore`]: two or three threads and no more.
//! - [`spec`]: the abstract type; [`kind`]: which well-known one it is. [`order`]: absence of deadlock.
//! - [`ladder`]: which abstraction is tried when. [`trace`]: executions for people.

mod concrete;
mod effect;
mod explore;
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

pub use explore::{Exploration, explore};
pub use kind::{Shape, shape_named};
pub use ladder::{Cost, Doubt, Open, Options, Proof, Proved, Verdict, prove};
pub use machine::{Locks, Rung};
pub use order::Deadlock;
pub use trace::{TestShape, TraceAccess, TraceStep};
