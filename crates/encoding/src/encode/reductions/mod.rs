//! Executions that need not be explored because others show the same, and what is known of mutexes.

pub(crate) mod initial_states;
pub(crate) mod mutexes;
pub(crate) mod polling;
pub(crate) mod probes;
pub(crate) mod symmetry;
