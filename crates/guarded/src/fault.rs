//! What can go wrong while code is executed, and where.

use crate::model::SiteId;
use execution::span::Span;
use std::sync::Arc;

/// What went wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultKind {
    /// An `assert` is false.
    Assertion,
    /// An `assume` is false: the successor is left out.
    Assumption,
    /// An `error` statement is executed.
    Error,
    /// An undefined value is read.
    Undefined,
    /// A value is outside its type, or an index outside its array.
    Range,
    /// A division by zero.
    Division,
    /// An element is added to a multiset without room.
    Full,
    /// A loop depends on the order of a scalarset's members, so that these cannot be permuted.
    Order,
    /// The code depends on a member that is not considered.
    Untracked,
    /// A value is read that has not been chosen yet.
    Unchosen,
    /// A loop or recursion is longer than is executed: nothing is known.
    Endless,
}

/// A place in the code at which something can go wrong.
#[derive(Clone, Debug)]
pub struct Site {
    /// Where it is.
    pub span: Span,
    /// The text of an assertion or an error, if it has one.
    pub text: Option<Arc<str>>,
}

/// Something went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// Where.
    pub site: SiteId,
}
