//! Turns diagnostics, verdicts and witnesses into what people read.
//!
//! - [`explain`]: what happens in a replayed execution, and why.
//! - [`message`]: a titled message with places in source files, notes and further sections.
//! - [`counterexample`]: erroneous executions, step by step.
//! - [`diagnostics`]: [`execution::diagnostic::Diagnostic`]s as messages, with macro expansions.
//! - [`picture`]: one execution, as text and as SVG.
//! - [`printable`]: text of others, safe to show.
//! - [`transitions`]: a way through the states of a model.
//! - [`words`]: verdicts in words; [`json`]: parts of verdicts in JSON documents; [`page`]: tables of
//!   verdicts as pages.
//! - [`finding`]: what an execution showed to be wrong, with call stacks and the object's history.

pub mod counterexample;
pub mod diagnostics;
pub mod explain;
pub mod finding;
pub mod json;
pub mod message;
pub mod page;
pub mod picture;
pub mod printable;
pub mod transitions;
pub mod words;

/// Whether text goes to something that shows colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Plain text.
    #[default]
    Plain,
    /// With ANSI colours.
    Coloured,
}
