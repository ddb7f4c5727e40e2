//! How to encode, and which executions.

use crate::unroll::{Language, UnrollOptions};
use crate::values::ValueOptions;
use ir::value::Value;
use sat::{BackendKind, Journal, Limits};

/// How to encode.
#[derive(Clone, Debug, Default)]
pub struct EncodeOptions {
    /// Which executions to encode.
    pub scope: Scope,
    /// How far to unroll.
    pub unroll: UnrollOptions,
    /// The language of the program (the one among the options above is not looked at); that of
    /// programs for the model, if not given.
    pub language: Option<Language>,
    /// How to look at values.
    pub values: ValueOptions,
    /// How to look at mutexes.
    pub mutexes: Mutexes,
    /// Whether to look at one of the executions that differ only in which of several threads that
    /// are symmetric does what.
    pub symmetry: bool,
    /// Whether what goes wrong after a read from a freed block is told as well, though it may be a
    /// consequence of that. The formula is easier.
    pub consequences: bool,
    /// How to keep relations acyclic; by size if not given.
    pub strategy: Option<sat::order::Strategy>,
    /// Which solver.
    pub backend: BackendKind,
    /// When to give up, here and in the solver.
    pub limits: Limits,
    /// The choices of the first thread, one list for each initial state that is to be explored;
    /// anything, if there is none.
    pub initial_states: Vec<Vec<Value>>,
    /// Told every query.
    pub journal: Option<Journal>,
}

/// How mutexes are encoded. The executions are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mutexes {
    /// What is known about critical sections is said.
    #[default]
    Direct,
    /// Their words are memory like any other.
    Atomics,
}

/// Which executions are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// All: threads may stop anywhere, go wrong, and go beyond bounds.
    #[default]
    Every,
    /// Those in which every thread terminates within the bounds and nothing is wrong. The
    /// formula is smaller, and the solver sees more of it from the start.
    Complete,
    /// Those in which every thread terminates within the bounds, or waits there for ever,
    /// and nothing else is wrong.
    Waiting,
}

impl Scope {
    /// Whether threads may stop anywhere, go wrong, and go beyond bounds.
    pub(crate) fn is_every(self) -> bool {
        self == Scope::Every
    }
}
