//! Passes: functions from IR to IR.
//!
//! None of them folds or simplifies arithmetic: address, data and control dependencies are those
//! of the program as written.

mod simplify_cfg;

pub use simplify_cfg::{reachable_only, simplify_cfg};
