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
//! Soundness S-244 (prove; sc, tso; refuses): What needs more than two tracked threads is `?`, and so
//! are operations that meet in an elimination array. Test:
//! crates/engines/src/views/witness_tests.rs::without_a_way_to_find_the_abstract_state_it_is_not_proved.
//!
//! Soundness S-245 (prove; sc, tso; refuses): The abstract state is read off a snapshot of the memory,
//! in which no thread holds a lock: after each step, or after those of a thread that has changed
//! something and holds no lock. So a data type is `?` if its critical sections pass through memories
//! that show no state of it while other threads change it, too, like two words that are equal outside
//! of them and a third one with a lock of its own. Test:
//! crates/fencepost/tests/prove.rs::critical_sections_that_pass_through_no_state_are_open.
//!
//! Soundness S-246 (prove; sc, tso; refuses): The tests that show a violation run with the values of
//! the program, so what goes wrong only with more values, by `--values`, is `?`. Test:
//! crates/fencepost/tests/prove.rs::what_needs_more_values_than_the_program_has_is_open.
//!
//! Soundness S-254 (prove; sc, tso; misses, refuses): That threads do not wait for each other for ever
//! is proved where they wait for mutexes, for words that change like locks, and for threads that are
//! known to go on (S-400); where a thread waits in a loop for anything else, or while it holds a lock,
//! it is `?`, unless a small test shows a deadlock. A deadlock is a state whose running threads all
//! wait; that each single thread is served in the end is not asked about, nor are threads that change
//! memory for ever without an end of an operation. Test:
//! crates/fencepost/tests/prove_waits.rs::a_lock_that_is_handed_on_is_proved,
//! crates/fencepost/tests/prove_waits.rs::threads_that_wait_for_each_other_without_locks_are_a_deadlock.
//!
//! - [`machine`]: what is the same in all views; [`heap`]: objects and the one form of a view.
//! - [`world`], [`memory`], [`waits`], [`step`]: one step of the tracked thread.
//! - [`effect`]: what other threads notice of it. [`search`]: the fixpoint of views of one thread.
//! - [`several`]: states of several threads. [`pairs`]: the fixpoint of views of two;
//!   [`concrete`], [`explore`]: two or three threads and no more; [`instance`]: a data type as plain
//!   data, for other tools. [`parts`]: what views have in common.
//! - [`spec`]: the abstract type; [`kind`]: which well-known one it is. [`history`]: what a step means
//!   for the abstract state; [`commits`]: commit points to come. [`order`], [`spin`],
//!   [`makers`]: absence of deadlock.
//! - [`ladder`]: which abstraction is tried when. [`trace`]: executions for people.

mod commits;
mod concrete;
mod effect;
mod explore;
mod heap;
mod history;
mod instance;
mod kind;
mod ladder;
mod machine;
mod makers;
mod memory;
mod order;
#[cfg(test)]
mod pair_tests;
mod pairs;
mod parts;
mod search;
mod several;
mod spec;
mod spin;
mod step;
#[cfg(test)]
mod tests;
mod trace;
mod waits;
#[cfg(test)]
mod witness_tests;
mod world;

pub use explore::{Exploration, explore};
pub use instance::{Explored, Instance, NoInstance, Target, explore_instance, instance};
pub use kind::{Shape, shape_named};
pub use ladder::{Cost, Doubt, Open, Options, Proof, Proved, Verdict, prove};
pub use machine::{Descriptor, Locks, Rung, Witness};
pub use order::Deadlock;
pub use trace::{TestShape, TraceAccess, TraceStep, Who};
