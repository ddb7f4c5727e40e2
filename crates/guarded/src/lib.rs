//! Guarded commands: a model of rules over a finite state, how it is executed, packed and shown.
//!
//! A front end makes a [`model::Model`]; [`instance`] makes the rules of each choice of parameters
//! out of it, with everything folded that the choice decides; a [`machine::Machine`] executes them
//! on a state of cells, and [`pack`] makes a few words of a state.
//!
//! - [`model`]: types, variables, rules, properties. [`code`]: expressions and statements.
//! - [`fault`]: what can go wrong while a rule is executed.
//! - [`instance`], [`fold`]: one guard and body for each choice of a rule's parameters.
//! - [`order`]: which scalarsets may be permuted. [`modular`]: whether a few members can be
//!   considered without the others.
//! - [`reduction`]: a few members, and all others as one.
//! - [`machine`]: executes them. [`pack`]: states as words. [`show`]: states as text.

pub mod code;
pub mod fault;
pub mod fold;
pub mod instance;
pub mod machine;
pub mod model;
pub mod modular;
pub mod order;
pub mod pack;
pub mod reduction;
pub mod show;
