//! What an engine asks of all executions, one question at a time.

use crate::statistics::Explored;
use serde::{Deserialize, Serialize};

/// What an engine is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// It asks a question.
    Asking(Question),
    /// It runs the program; what runs have shown until now, and how many properties they violate.
    Exploring(Explored, usize),
}

impl From<Question> for Step {
    fn from(question: Question) -> Self {
        Step::Asking(question)
    }
}

/// A question about all executions; most are answered with no if nothing is wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// Are there states that were not visited?
    States,
    /// Does something go wrong?
    Findings,
    /// Is there an observation that is not serial?
    Observations,
    /// Does an execution leave the bounds?
    Bounds,
    /// Does an execution terminate?
    Ends,
    /// Do threads wait for ever?
    Waiting,
    /// Are blocks leaked?
    Leaks,
    /// Are other branches reachable?
    Coverage,
    /// Are there other outcomes?
    Outcomes,
}

impl Question {
    /// All questions, in the order in which they are reported.
    pub const ALL: [Question; 9] = [
        Question::States,
        Question::Findings,
        Question::Observations,
        Question::Bounds,
        Question::Ends,
        Question::Waiting,
        Question::Leaks,
        Question::Coverage,
        Question::Outcomes,
    ];

    /// A short name that does not change: for data files.
    pub fn name(self) -> &'static str {
        match self {
            Self::States => "states",
            Self::Findings => "findings",
            Self::Observations => "observations",
            Self::Bounds => "bounds",
            Self::Ends => "ends",
            Self::Waiting => "waiting",
            Self::Leaks => "leaks",
            Self::Coverage => "coverage",
            Self::Outcomes => "outcomes",
        }
    }
}
