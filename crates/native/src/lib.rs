//! Calls functions of shared libraries, in a process of their own.
//!
//! [`host`] is the side that asks: it starts the other process, gives it a limited time for each call,
//! and says what happened if there is no answer. [`helper`] is the side that answers: it does nothing
//! but load the libraries that it is asked for and call them ([`foreign`]), with limited memory. So
//! whatever a library does, it does not do it to the process that asks.

mod foreign;
pub mod helper;
pub mod host;
mod protocol;

pub use helper::serve;
pub use host::Host;
