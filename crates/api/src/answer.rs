//! What is common to the answers about tests and about programs: a verdict that was confirmed, what
//! is being done, and how limits apply.

use execution::question::{Question, Step};
use execution::statistics::Explored;
use execution::verdict::{Counterexample, Reason, Verdict};
use ir::program::{LocId, Program};
use replay::Unconfirmed;
use report::counterexample::Counterexample as Story;
use sat::{Limits, MemoryLimit};
use std::time::Duration;

/// A verdict. If it is a violation, the replay has confirmed it, and there is a story to show.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// The verdict.
    pub verdict: Verdict,
    /// What happens in the counterexample, if there is one.
    pub story: Option<Box<Story>>,
}

impl Confirmed {
    /// A verdict that is not a violation.
    pub fn verdict(verdict: Verdict) -> Self {
        debug_assert!(!matches!(verdict, Verdict::Violated(_)), "a violation has a story");
        Self { verdict, story: None }
    }

    /// There is no answer, and nothing is known.
    pub fn unknown(reason: Reason) -> Self {
        Self::verdict(Verdict::unknown(reason))
    }

    /// A violation that the replay has confirmed.
    pub fn violated(counterexample: Counterexample, story: Story) -> Self {
        let verdict = Verdict::Violated(Box::new(counterexample));
        Self { verdict, story: Some(Box::new(story)) }
    }

    /// The counterexample and its story.
    pub fn violation(&self) -> Option<(&Counterexample, &Story)> {
        match (&self.verdict, &self.story) {
            (Verdict::Violated(counterexample), Some(story)) => Some((counterexample, story)),
            _ => None,
        }
    }

    /// Why there is no answer, if there is none.
    pub fn reason(&self) -> Option<&Reason> {
        match &self.verdict {
            Verdict::Inconclusive(reason, _) => Some(reason),
            _ => None,
        }
    }
}

/// What is being done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Doing {
    /// Running the operations one after the other.
    Mining,
    /// Asking a question of all executions.
    Checking(Question),
    /// Running the program; what runs have shown until now, and how many properties they violate.
    Exploring(Explored, usize),
    /// Replaying a counterexample.
    Replaying,
    /// Going on after this violation was found and replayed.
    Found(String),
}

impl From<Step> for Doing {
    fn from(step: Step) -> Self {
        match step {
            Step::Asking(question) => Doing::Checking(question),
            Step::Exploring(explored, violated) => Doing::Exploring(explored, violated),
        }
    }
}

/// When the time is over, what was found is still replayed for this long.
pub const AFTERWARDS: Duration = Duration::from_millis(500);

/// How much memory the process may use, in bytes, if the user says so; otherwise what the machine
/// has.
pub fn memory_limit(bytes: Option<u64>) -> Option<MemoryLimit> {
    bytes.map(MemoryLimit::new).or_else(MemoryLimit::of_machine)
}

/// Why an execution that was found is not shown; it was run again within these limits.
pub(crate) fn unconfirmed(unconfirmed: Unconfirmed, limits: &Limits) -> Reason {
    match unconfirmed {
        Unconfirmed::Mismatch(what) => Reason::Mismatch(what),
        Unconfirmed::GaveUp => Reason::limit(limits),
    }
}

/// A verdict of an engine about a program, with places as the user knows them.
pub(crate) fn located(verdict: Verdict<LocId>, program: &Program) -> Verdict {
    verdict.locate(&|place| ir::site(program, place))
}
