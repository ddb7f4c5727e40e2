//! Turns diagnostics, verdicts and witnesses into what people read.
//!
//! - [`message`]: a titled message with places in source files, notes and further sections.
//! - [`counterexample`]: executions with which something is wrong, told step by step.
//! - [`diagnostics`]: [`execution::diagnostic::Diagnostic`]s as messages, with macro expansions.
//! - [`picture`]: one execution, as text and as SVG.
//! - [`printable`]: text of others, safe to show.
//! - [`finding`]: what an execution showed to be wrong, with call stacks and the object's history.

pub mod counterexample;
pub mod diagnostics;
pub mod finding;
pub mod message;
pub mod picture;
pub mod printable;

/// Whether text goes to something that shows colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Plain text.
    #[default]
    Plain,
    /// With ANSI colours.
    Coloured,
}
