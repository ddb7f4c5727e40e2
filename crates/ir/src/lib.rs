//! The load-store language: what every front end lowers into and every engine reads.
//!
//! - [`program`]: programs, functions, blocks, globals.
//! - [`op`]: instructions, terminators, operands.
//! - [`tag`]: what models know about an access besides its order.
//! - [`locks`]: what an access is for, and who holds a lock.
//! - [`native`]: functions of shared libraries.
//! - [`order`]: memory orders and fences.
//! - [`layout`]: sizes and names of what is in memory.
//! - [`build`]: builders with which front ends make programs.
//! - [`cfg`]: dominators and loops.
//! - [`passes`]: functions from IR to IR, and [`prepare`]: the one list that says which run when.
//! - [`points_to`]: what addresses may point into, and which objects threads may share.
//! - [`site`]: places as the user knows them.
//! - [`text`]: the stable text form.
//! - [`verify`]: the contract of the language, and the checker of it.
//! - [`visit`]: the parts of instructions.
//! - [`value`]: bit-vectors with undefined bits and pointer provenance, and pure operations on them.

pub mod build;
pub mod cfg;
pub mod layout;
pub mod locks;
pub mod machine;
pub mod native;
pub mod op;
pub mod order;
pub mod passes;
pub mod points_to;
pub mod prepare;
pub mod program;
mod site;
pub mod step;
pub mod tag;
pub mod text;
pub mod value;
pub mod verify;
pub mod visit;

pub use site::site;
