//! The C front end: real concurrent C in, the load-store language out, no compiler needed.
//!
//! One folder per stage: `pp` (preprocessor) gives [`token`]s, `parse` an [`ast`], `sema` types
//! and layout, `lower` the IR.

pub mod ast;
pub mod headers;
pub mod hints;
pub mod lower;
pub mod parse;
pub mod pp;
pub mod sema;
pub mod token;
