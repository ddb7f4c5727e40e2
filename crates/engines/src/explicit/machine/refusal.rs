//! Why the states of a program are not visited.

use std::borrow::Cow;
use std::fmt;

/// What a program does that is not supported here. Only what the search acts on has a case of its
/// own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// A choice among more values than are tried one by one. Some of them may still be tried.
    ManyValues,
    /// Anything else, for people.
    Other(Cow<'static, str>),
}

impl From<&'static str> for Refusal {
    fn from(what: &'static str) -> Self {
        Refusal::Other(what.into())
    }
}

impl From<String> for Refusal {
    fn from(what: String) -> Self {
        Refusal::Other(what.into())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::ManyValues => f.write_str("a choice among many values"),
            Refusal::Other(what) => f.write_str(what),
        }
    }
}
