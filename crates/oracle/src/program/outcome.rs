//! What can come of a C program.

use execution::finding::FindingKind;
use execution::span::Location;
use replay::observation::Observation;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// What can come of a program: one execution as others see it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct ProgramOutcome {
    /// What the cells of globals hold in the end, as far as some execution touches them; nothing
    /// where there is a finding.
    pub finals: BTreeMap<String, String>,
    /// What was observed; nothing where there is a finding.
    pub observation: Observation,
    /// What is wrong with the program, if anything is.
    pub finding: Option<Flawed>,
    /// What the model remarks: data races and the like.
    pub flags: BTreeSet<String>,
}

/// Something wrong with a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flawed {
    /// What is wrong.
    pub kind: FindingKind,
    /// The thread.
    pub thread: u32,
    /// Where.
    pub location: Option<Location>,
}

impl ProgramOutcome {
    /// Something wrong that is about no single thread.
    pub(super) fn of_all(kind: FindingKind) -> Self {
        let finding = Some(Flawed { kind, thread: 0, location: None });
        Self { finding, ..Self::default() }
    }
}

impl Flawed {
    fn key(&self) -> (String, u32, &Option<Location>) {
        (format!("{:?}", self.kind), self.thread, &self.location)
    }
}

impl PartialOrd for Flawed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Flawed {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl std::fmt::Display for ProgramOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(Flawed { kind, thread, location }) = &self.finding {
            write!(f, "{} in thread {thread}", kind.name())?;
            if let Some(location) = location {
                write!(f, " at line {}", location.line)?;
            }
            return Ok(());
        }
        for (name, value) in &self.finals {
            write!(f, "{name}={value}; ")?;
        }
        write!(f, "{}", self.observation)?;
        for flag in &self.flags {
            write!(f, " ({flag})")?;
        }
        Ok(())
    }
}
