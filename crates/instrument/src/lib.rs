//! Rewrites C programs with threads: what the result does under sequential consistency, the program
//! does on a weak memory model.
//!
//! **Idea.** A memory model with an operational form is a machine: a store waits in a buffer of its
//! thread and takes effect later ([`machine`]). A program in C can contain that machine. Each access
//! that matters becomes a call of a small runtime ([`runtime`]) in which the machine makes its
//! choices, and the text of the user stays as it is around it ([`sites`], [`rewrite`], [`edit`]).
//!
//! **Two kinds of machines.** On `tso` and `pso`, the states are memory and store buffers. On
//! `relaxed`, `rmo`, `armv8` and `power` loads may be late, and on `power` stores reach threads one by
//! one; there, the state is the execution so far: its events, what each load reads from, the coherence
//! order of each place, and what the model orders. A thread adds an event where it makes an access. A
//! load reads from any store of the execution, and a store takes any place in coherence order, such
//! that the model allows what results. A load may also be *late*: it takes a value that no store has
//! stored yet, and one that another thread makes because of it must store that value; the program
//! goes on with the value, but nothing that it does counts before that.
//!
//! **Papers.** Alglave, Kroening, Nimal, Tautschnig, "Software verification for weak memory via
//! program transformation", ESOP 2013. The machines with buffers: Owens, Sarkar, Sewell, "A better x86
//! memory model: x86-TSO", TPHOLs 2009; The SPARC Architecture Manual, Version 8, appendix K (PSO).
//! The machines with executions: the intermediate machine of Alglave, Maranget, Tautschnig, "Herding
//! cats", TOPLAS 2014, section 7, also takes its steps by asking the relations of the execution so far;
//! late loads are the promises of Pulte, Pichon-Pharabod, Kang, Lee, Hur, "Promising-ARM/RISC-V", PLDI
//! 2019, seen from the load. The models are those of the files in cat, with their sources.
//!
//! **Deviations.** The paper of 2013 has buffers for each variable, and threads that flush them. Here,
//! the buffers hold addresses, so that the heap and arrays need nothing special, and a store takes
//! effect when a thread is about to see memory: before a load, a fence or a read-modify-write, any of
//! the oldest stores of any threads take effect, in any order. That is every behaviour, because
//! a store that takes effect between two such moments could as well do so at the second.
//! The machine of "Herding cats" has steps for when an access is initiated and when it commits; here
//! an event is added in one step, in an order in which each load follows the store that it reads from,
//! unless that would be circular.
//!
//! **Obligations.** (1) The machine has the executions that the model's cat text allows. With buffers:
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
//! With executions, each axiom is a function of the runtime, and each event is checked when it is
//! added. The axioms forbid cycles, and relations only grow with an execution, so that what is allowed
//! in the end was allowed at each step (`models::prefixes`). Every execution without a cycle of `po`
//! and `rf` can be added in an order in which loads follow what they read from; in one with such a
//! cycle, some load of it is late.
//!
//! | axiom | runtime |
//! | --- | --- |
//! | `coherence`, `forwarding`, `internal` | `weak_not_before`, `weak_resolve` (`graph.c`, `graph_accesses.c`) |
//! | `atomic` | `weak_check_updates` |
//! | `relaxed`, `rmo`: `order`, with read-modify-writes as points | `weak_order`, `weak_point` (`order.c`, `communicate.c`), `kept_directed.c` |
//! | `armv8`: `external`, `lob` | the same, `kept_armv8.c` |
//! | `power`: `no-thin-air`, `ppo` | `weak_order`, `weak_preserve` (`kept_power.c`) |
//! | `power`: `observation`, `propagation`, `exclusives`, `reservations` | `propagation.c` |
//! | `addr`, `data`, `ctrl` | `cycles::sources`, exact or refused; the table in the result |
//! | memory orders of C11 | as `ir::passes::mapping` compiles them |
//! | starting and awaiting a thread | full fences, with program order through them |
//!
//! A load that repeats the one before it, of the same place and from the same store, is not another
//! event: the second stands for both, since the first could be directly before it. So loops that wait
//! have finitely many states.
//! (2) Accesses that are left alone do not matter: `cycles::involved` has the argument.
//! (3) The result says so where a run needs a larger buffer or more events: `weak_inconclusive`.
//! `xtask instrument` compares the results with the models.
//!
//! **Errors.** An access that is left alone and matters loses behaviour (may miss a bug), or lets a
//! thread miss its own store (may cry wolf).
//!
//! Soundness S-471 (instrument; all; misses): What is not instrumented is decided by the critical
//! cycles of the text, with all that `cycles` may miss; `--all-accesses` does not rest on cycles. Test:
//! crates/fencepost/tests/instrument.rs::a_cycle_that_is_hidden_is_noticed.
//!
//! Soundness S-472 (instrument; all; refuses): Accesses of several widths to one place, of which
//! one waits in a buffer or is an event, end a run as inconclusive, and so does one past `--buffer`. Test:
//! crates/fencepost/tests/instrument.rs::a_full_buffer_is_not_silent.

//! Soundness S-473 (instrument; relaxed, rmo, armv8, power; cries wolf): A late load's value is not known
//! to be stored when the program uses it. Assertions, `abort`, `exit` and the end of `main` wait until
//! it is; an index out of bounds, a division by zero or an overflow that only such a value leads to is
//! reported although it may never be. Test: untested.
//!
//! Soundness S-474 (instrument; relaxed, rmo; cries wolf): Loads of memory that is left alone are not
//! events, so they do not connect a store-load fence before them with a load-store fence after them.
//! Test: untested.
//!
//! Soundness S-475 (instrument; relaxed, rmo, armv8, power; refuses): Refused at their lines are accesses
//! of which it depends on the path what they depend on, loads that may be late and may find more than
//! a few values, or pointers, locks and other functions of the library on cycles, `free` there, claims
//! other than `assert`, `isync` and `isb`, and more than 63 places. Test:
//! crates/fencepost/tests/instrument_late.rs::what_late_loads_cannot_do_is_refused_at_its_line.

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
