//! Lowering: the checked program into the load-store language.
//!
//! - [`unit`]: which functions and objects are emitted, and their static contents.
//! - [`layouts`]: layouts for names.
//! - [`function`]: one function; [`stmt`] its statements, [`expr`] and [`operator`] its values,
//!   [`place`] its lvalues, [`assign`] and [`update`] writes, [`copy`] structs, [`init`]
//!   initialisers, [`call`] calls, [`atomic`] and [`intrinsic`] built-ins.
//! - [`refused`]: what is not supported, and whether every execution reaches it.
//! - [`path`]: lvalues as the source spells them; [`alignment`]: what their addresses must be.
//! - [`dispatch`]: computed `goto`; [`endings`]: what runs before and after `main`; [`format`]:
//!   printf formats.
//!
//! Dependencies are those of the program as written: nothing but operations on constants is
//! simplified.

mod alignment;
mod assign;
mod atomic;
mod bulk;
mod call;
mod copy;
mod dispatch;
mod endings;
mod expr;
pub mod format;
mod function;
mod init;
mod intrinsic;
mod layouts;
mod native;
mod operator;
mod path;
mod place;
mod refused;
mod stmt;
#[cfg(test)]
mod tests;
mod unit;
mod update;

pub use unit::lower;
