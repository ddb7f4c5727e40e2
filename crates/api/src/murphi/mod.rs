//! Models in Murphi: from a text to an answer.
//!
//! ```
//! use fencepost::murphi::{Options, Subject, Verdict, check};
//!
//! let text = "var x: 0..3; startstate begin x := 0; end;
//!     rule x < 3 ==> x := x + 1; end; rule x = 3 ==> x := 0; end;
//!     invariant \"small\" x < 3;";
//! let subject = Subject::of_text("count.m", text).unwrap();
//! let answer = check(&subject, &Options::default(), &|_| {});
//! let Verdict::Violated(violation) = answer.verdict else { panic!("x becomes 3") };
//! assert_eq!(violation.kind.name(), "invariant");
//! assert_eq!(violation.steps.len(), 4);
//! ```

pub mod any_number;
pub mod json;
pub mod text;
mod words;

pub use engines::guarded::{Deadlock, SearchCounts as Counts, SearchOptions as Options};

use crate::compile::Rejected;
use engines::guarded::search::search;
use engines::guarded::{SearchVerdict, Violation as Found, Wrong};
use execution::diagnostic::Diagnostic;
use execution::printable::shown;
use execution::span::SourceMap;
use guarded::fault::FaultKind;
use guarded::model::Model;
use limits::Exceeded;
use report::transitions::Transition;
use std::path::Path;

/// A model that was read.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its text.
    pub sources: SourceMap,
    /// What it says.
    pub model: Model,
}

impl Subject {
    /// Reads a model from a file.
    pub fn of_file(path: &Path) -> Result<Self, Box<Rejected>> {
        match execution::input::read(path) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                Self::of_text(&path.display().to_string(), &text)
            }
            Err(error) => {
                let message = format!("cannot read `{}`: {error}", shown(path));
                let diagnostics = vec![Diagnostic::general(message)];
                Err(Box::new(Rejected { sources: SourceMap::new(), diagnostics }))
            }
        }
    }

    /// Reads a model from a text; `name` is what messages call it.
    pub fn of_text(name: &str, text: &str) -> Result<Self, Box<Rejected>> {
        let mut sources = SourceMap::new();
        let file = sources.add_file(name, text);
        match front_murphi::compile(&sources, file) {
            Ok(model) => Ok(Self { sources, model }),
            Err(diagnostics) => Err(Box::new(Rejected { sources, diagnostics })),
        }
    }
}

/// What is wrong with a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An invariant is false.
    Invariant,
    /// A cover property is true of no state.
    Cover,
    /// No rule leads to another state.
    Deadlock,
    /// Code fails.
    Fault(FaultKind),
}

impl Kind {
    /// The word for it in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Invariant => "invariant",
            Self::Cover => "cover",
            Self::Deadlock => "deadlock",
            Self::Fault(FaultKind::Assertion) => "assertion",
            Self::Fault(FaultKind::Error) => "error",
            Self::Fault(FaultKind::Undefined) => "undefined",
            Self::Fault(FaultKind::Range) => "range",
            Self::Fault(FaultKind::Division) => "division",
            Self::Fault(FaultKind::Full) => "full",
            Self::Fault(FaultKind::Untracked | FaultKind::Unchosen) => "untracked",
            Self::Fault(FaultKind::Assumption | FaultKind::Order | FaultKind::Endless) => "endless",
        }
    }
}

/// Something wrong, and the shortest way to it.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What kind of thing.
    pub kind: Kind,
    /// What, and where.
    pub diagnostic: Diagnostic,
    /// From a start state on.
    pub steps: Vec<Transition>,
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Unknown {
    /// A limit was reached.
    Limit(Exceeded),
    /// A loop or recursion is longer than is executed.
    Endless(Box<Violation>),
    /// There are more choices of parameters of rules than are executed.
    TooManyInstances,
    /// The assumptions leave no start state.
    Vacuous,
}

/// The answer to whether a model does what it says.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// All reachable states were visited, and nothing is wrong.
    Holds,
    /// Something is wrong.
    Violated(Box<Violation>),
    /// There is no answer.
    Unknown(Unknown),
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// How much was visited.
    pub counts: Counts,
    /// Whether states that differ by a permutation of scalarsets were visited once.
    pub symmetric: bool,
    /// What else the user will want to know.
    pub notes: Vec<String>,
}

/// Visits all reachable states of a model; `progress` hears how far it is.
pub fn check(subject: &Subject, options: &Options, progress: &(dyn Fn(Counts) + Sync)) -> Answer {
    let found = search(&subject.model, options, progress);
    let violation = |found: &Found| Box::new(words::violation(subject, found, options.deadlock));
    let verdict = match &found.verdict {
        SearchVerdict::Holds => Verdict::Holds,
        SearchVerdict::Violated(wrong) => Verdict::Violated(violation(wrong)),
        SearchVerdict::Limit(exceeded) => Verdict::Unknown(Unknown::Limit(*exceeded)),
        SearchVerdict::Endless(wrong) => Verdict::Unknown(Unknown::Endless(violation(wrong))),
        SearchVerdict::TooManyInstances => Verdict::Unknown(Unknown::TooManyInstances),
        SearchVerdict::Vacuous => Verdict::Unknown(Unknown::Vacuous),
    };
    let notes = words::notes(&subject.model, options, found.symmetric);
    Answer { verdict, counts: found.counts, symmetric: found.symmetric, notes }
}

/// What kind of thing is wrong.
fn kind(wrong: Wrong) -> Kind {
    match wrong {
        Wrong::Invariant(_) => Kind::Invariant,
        Wrong::Cover(_) => Kind::Cover,
        Wrong::Deadlock => Kind::Deadlock,
        Wrong::Fault(fault) => Kind::Fault(fault.kind),
    }
}
