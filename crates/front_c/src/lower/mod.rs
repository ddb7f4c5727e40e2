//! Lowering: the typed program into the load-store language.

pub mod asm;
pub mod format;
