//! What a solution says: the execution that it is, its outcome, and one that is easier to follow.

pub(crate) mod final_observations;
pub(crate) mod outcomes;
pub(crate) mod simplify;
pub(crate) mod witness;
