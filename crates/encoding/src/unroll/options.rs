//! How far to unroll a program, and what to record.

use super::{Language, ObjectKey};
use crate::bounded::InstanceKey;
use crate::known::Known;
use execution::event::ThreadId;
use sat::Limits;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// How far to unroll, and what to record.
#[derive(Clone, Debug)]
pub struct UnrollOptions {
    /// How many iterations a loop instance has, and how deep a function calls itself, where
    /// `bounds` does not say otherwise.
    pub default_bound: u32,
    /// The bounds of single instances.
    pub bounds: HashMap<InstanceKey, u32>,
    /// The least bounds of loops in all iterations of the loops around them
    /// ([`in_all_iterations`](crate::bounded::in_all_iterations)).
    pub shared_bounds: HashMap<InstanceKey, u32>,
    /// The sizes of blocks that single instances of allocations are known to ask for, where that is
    /// not known beforehand.
    pub sizes: HashMap<InstanceKey, BTreeSet<u64>>,
    /// The threads that continue after loops whose bounds they have reached. What they do there is
    /// nothing that the program does; so this can only show that no bound is reached.
    pub go_on: BTreeSet<ThreadId>,
    /// The loops, in all iterations of those around them, in which a number that is changed while
    /// they wait is any number: what is unrolled then does more than the program.
    pub any_counts: BTreeSet<InstanceKey>,
    /// Operations whose loops have one iteration; executions that need more are not looked at.
    pub restricted: HashSet<String>,
    /// Whether to track what depends on what.
    pub dependencies: bool,
    /// The kind of language, which decides what depends on what.
    pub language: Language,
    /// Whether this is a litmus test: there is no part before the threads.
    pub litmus: bool,
    /// Whether accesses that one place makes one after the other belong to one machine instruction.
    pub merges: bool,
    /// Whether to record commit points. An iteration that passes one then leaves a trace.
    pub commits: bool,
    /// Whether loops that only wait are reduced to their last iteration.
    pub reduce_spin_loops: bool,
    /// Whether an iteration only waits, too, that takes mutexes and gives them back. A caller that
    /// asks for this looks whether they are mutexes
    /// ([`Bounded::polled`](crate::bounded::Bounded::polled)).
    pub reduce_polling: bool,
    /// Whether races are looked for.
    pub races: bool,
    /// Whether an object that no two threads access concurrently while several run, or that no
    /// thread writes then, is its threads' own: accesses to it are no actions. Stack objects always
    /// are.
    pub own_objects: bool,
    /// Whether read-modify-writes, accesses with annotations and atomic sections order what is
    /// around them, so that with `own_objects` they keep their objects in memory.
    pub ordered_own_objects: bool,
    /// Whether the same is true of plain accesses next to a fence that orders stores before loads
    /// and not all pairs.
    pub fenced_own_objects: bool,
    /// Whether a write may come before the reads that control depends on, so that the text of the
    /// program decides which objects are shared.
    pub by_text: bool,
    /// Whether to record where branches and assertions are reached.
    pub goals: bool,
    /// Whether to record where operations have results that are known from runs alone, too.
    pub results: bool,
    /// Whether signed overflow, left shifts included, and shifts by the width or more are wrong.
    pub overflow: bool,
    /// Whether an allocation may give a block that was freed.
    pub reuse_blocks: bool,
    /// The objects of threads whose ends are actions.
    pub outlived: BTreeSet<ObjectKey>,
    /// What happens where what memory holds decides which function is called.
    pub calls: Calls,
    /// What runs have shown: only that is unrolled, and the rest is a bound. Everything, if nothing
    /// is given.
    pub known: Option<Arc<Known>>,
    /// How many actions a program may have.
    pub max_actions: usize,
    /// When to give up.
    pub limits: Limits,
}

impl Default for UnrollOptions {
    fn default() -> Self {
        Self {
            default_bound: 1,
            bounds: HashMap::new(),
            shared_bounds: HashMap::new(),
            sizes: HashMap::new(),
            go_on: BTreeSet::new(),
            any_counts: BTreeSet::new(),
            restricted: HashSet::new(),
            dependencies: true,
            language: Language::default(),
            litmus: false,
            merges: false,
            commits: false,
            reduce_spin_loops: true,
            reduce_polling: false,
            races: false,
            own_objects: false,
            ordered_own_objects: false,
            fenced_own_objects: false,
            by_text: false,
            goals: false,
            results: false,
            overflow: false,
            reuse_blocks: false,
            outlived: BTreeSet::new(),
            calls: Calls::default(),
            known: None,
            max_actions: 20_000,
            limits: Limits::default(),
        }
    }
}

/// What happens where what memory holds decides which function is called.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Calls {
    /// Any function may be called whose address may come there by the text of the program.
    #[default]
    Any,
    /// Nothing: [`Bounded::calls_any`](crate::bounded::Bounded::calls_any) reports it, and what is
    /// unrolled is of no use.
    Reported,
    /// Any function, but what is read from objects that were there before the threads, outside of
    /// these cells (from, to), is what was there before. A caller that asks for this looks whether
    /// a thread writes elsewhere.
    NeverWritten(BTreeSet<(u64, u64)>),
}
