//! Data types with any number of threads: proofs by views, and executions of a few threads where
//! there is no proof.

pub mod answer;
pub mod emit;
pub mod json;
mod operations;
pub mod plan;
pub mod text;
