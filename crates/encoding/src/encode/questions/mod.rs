//! What can be asked of executions, as literals.

pub(crate) mod commits;
pub(crate) mod coverage;
pub(crate) mod findings;
pub(crate) mod leaks;
pub(crate) mod locks;
pub(crate) mod observations;
pub(crate) mod past_bound;
pub(crate) mod read_values;
pub(crate) mod stuck;
pub(crate) mod thin_air;
