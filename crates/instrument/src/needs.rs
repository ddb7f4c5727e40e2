//! What a program needs of the runtime.

use std::collections::BTreeSet;

/// The functions of mutexes that the runtime has.
pub(crate) const MUTEXES: [&str; 5] = [
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
];

/// What a program needs of the runtime.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    /// Whether `main` has parameters.
    pub arguments: bool,
    /// Whether its text has `_GNU_SOURCE`.
    pub names_gnu_source: bool,
    /// Whether its text has `asm` without underscores.
    pub writes_asm: bool,
    /// Whether it has fences.
    pub fences: bool,
    /// Whether some are `atomic_thread_fence`.
    pub thread_fences: bool,
    /// Whether it frees blocks that must be rewritten.
    pub frees: bool,
    /// Whether its mutexes are on cycles.
    pub mutexes: bool,
    /// The macros for loads and stores.
    pub forms: BTreeSet<String>,
    /// The atomic operations, by the program's names of them.
    pub operations: BTreeSet<String>,
    /// The functions of the library that it mentions.
    pub functions: BTreeSet<String>,
}
