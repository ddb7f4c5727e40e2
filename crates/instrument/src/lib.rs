//! Rewrites C programs with threads: what the result does under sequential consistency, the program
//! does on a weak memory model.
//!
//! **Idea.** A memory model with an operational form is a machine: a store waits in a buffer of its
//! thread and takes effect later ([`machine`]). A program in C can contain that machine. Each access
//! that matters becomes a call of a small runtime ([`runtime`]) in which the machine makes its
//! choices, and the text of the user stays as it is around it ([`sites`], [`rewrite`], [`edit`]).
//!
//! **Papers.** Alglave, Kroening, Nimal, Tautschnig, "Software verification for weak memory via
//! program transformation", ESOP 2013. The machines: Owens, Sarkar, Sewell, "A better x86 memory
//! model: x86-TSO", TPHOLs 2009; The SPARC Architecture Manual, Version 8, appendix K (PSO).
//!
//! **Deviations.** The paper has buffers for each variable, and threads that flush them. Here, the
//! buffers hold addresses, so that the heap and arrays need nothing special, and a store takes effect
//! when a thread is about to see memory: before a load, a fence or a read-modify-write, any of the
//! oldest stores of any threads take effect, in any order. That is every behaviour, because
//! a store that takes effect between two such moments could as well do so at the second.
//!
//! **Obligations.** (1) The machine has the executions that the model's cat text allows:
//!
//! | machine | model (`tso.cat`, `pso.cat`) |
//! | --- | --- |
//! | loads are not late, and read the thread's own stores first | `R * M` in `ppo`; `rfi` not in `order` |
//! | tso: first in, first out | `W * W` in `ppo` |
//! | pso: first in, first out for each address, and between store-store fences | `po-loc & (M * W)`, `Orders-WW` |
//! | a fence that orders stores before loads empties the buffer | `Orders-WR` |
//! | tso: a read-modify-write empties the buffer, even if it fails | `implied` |
//! | pso: it empties it of stores to its address and before store-store fences, and is one moment | `transactions-as-points` |
//! | starting, awaiting and ending a thread empty it | what every engine takes these for |
//!
//! (2) Accesses that are left alone do not matter: `cycles::involved` has the argument.
//! (3) The result says so where a run needs a larger buffer: `weak_inconclusive`.
//! `xtask instrument` compares the results with the models.
//!
//! **Errors.** An access that is left alone and matters loses behaviour (may miss a bug), or lets a
//! thread miss its own store (may cry wolf).
//!
//! Soundness S-471 (instrument; tso, pso; misses): What is not instrumented is decided by the critical
//! cycles of the text, with all that `cycles` may miss; `--all-accesses` does not rest on cycles. Test:
//! crates/fencepost/tests/instrument.rs::a_cycle_that_is_hidden_is_noticed.
//!
//! Soundness S-472 (instrument; tso, pso; refuses): Accesses of several widths to one place, of which
//! one waits in a buffer, end a run as inconclusive, and so does a store past `--buffer`. Test:
//! crates/fencepost/tests/instrument.rs::a_full_buffer_is_not_silent.

pub mod edit;
pub mod expand;
pub mod machine;
mod names;
pub mod needs;
pub mod output;
mod rewrite;
pub mod runtime;
pub mod sites;
pub mod table;
