//! What every execution consists of, as clauses: how far threads come, their events, how these are
//! ordered, and the lifetimes of objects.

pub(crate) mod ends;
pub(crate) mod events;
pub(crate) mod lifetimes;
pub(crate) mod order;
pub(crate) mod reuse;
pub(crate) mod sources;
pub(crate) mod threads;
