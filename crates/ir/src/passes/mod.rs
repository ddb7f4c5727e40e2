//! Passes: functions from IR to IR, one file each. [`prepare`](crate::prepare) lists them in the
//! order in which they run, and no other code calls them.
//!
//! None of them folds or simplifies arithmetic: address, data and control dependencies are those
//! of the program as written.

pub(crate) mod allocator_order;
pub(crate) mod few_choices;
pub(crate) mod filled_at_once;
pub(crate) mod in_one_order;
pub(crate) mod in_pieces;
pub mod mapping;
pub(crate) mod members;
pub(crate) mod observing;
pub(crate) mod one_entry;
pub(crate) mod promote;
pub(crate) mod prune;
pub(crate) mod reachable_only;
pub(crate) mod renumber_places;
pub(crate) mod silent;
pub(crate) mod simplify_cfg;
pub(crate) mod without_fence;
pub(crate) mod without_parameters;
