//! Tests of data types: which operations run one after the other, and which at the same time.
//!
//! - [`parse`]: the notation of the papers.
//! - [`suite`]: many tests of one data type, in a file next to it.
//! - [`compose`]: the one program that a data type and a test make.

pub mod compose;
pub mod parse;
pub mod suite;

use execution::span::Span;
use std::fmt;

/// A symbolic test (Burckhardt, Alur, Martin, CAV 2006): operations that run first, one after the
/// other, and then threads of operations that run at the same time. Arguments are left open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    /// What runs before the threads start.
    pub initial: Vec<Invocation>,
    /// The threads; each has at least one operation.
    pub threads: Vec<Vec<Invocation>>,
}

/// One operation in a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invocation {
    /// The operation's name in the test.
    pub operation: String,
    /// Whether it is primed: its loops run at most once.
    pub restricted: bool,
    /// Where it stands in the test; repetitions share their place.
    pub span: Span,
}

impl Test {
    /// The initial sequence as column 0, then the threads: the columns by which instances of
    /// operations are numbered.
    pub fn columns(&self) -> impl Iterator<Item = &[Invocation]> {
        std::iter::once(&self.initial).chain(&self.threads).map(Vec::as_slice)
    }

    /// How many operations run.
    pub fn len(&self) -> usize {
        self.columns().map(<[_]>::len).sum()
    }

    /// Whether nothing runs; no test that was parsed is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The notation, with repetitions written with `^` and single blanks.
impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sequence(f, &self.initial)?;
        f.write_str(if self.initial.is_empty() { "(" } else { " (" })?;
        for (i, thread) in self.threads.iter().enumerate() {
            f.write_str(if i == 0 { " " } else { " | " })?;
            sequence(f, thread)?;
        }
        f.write_str(" )")
    }
}

/// Operations one after the other; from three equal ones on, as a repetition.
fn sequence(f: &mut fmt::Formatter<'_>, calls: &[Invocation]) -> fmt::Result {
    let same = |a: &Invocation, b: &Invocation| {
        (&a.operation, a.restricted) == (&b.operation, b.restricted)
    };
    for (i, run) in calls.chunk_by(same).enumerate() {
        let name = format!("{}{}", run[0].operation, if run[0].restricted { "'" } else { "" });
        f.write_str(if i == 0 { "" } else { " " })?;
        match run.len() {
            1 => f.write_str(&name)?,
            2 => write!(f, "{name} {name}")?,
            count => write!(f, "{name}^{count}")?,
        }
    }
    Ok(())
}
