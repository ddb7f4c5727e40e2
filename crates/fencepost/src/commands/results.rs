//! Parts of answers that every JSON document words alike.

use super::wording;
use engines::inclusion::Progress;
use execution::finding::{StackEntry, ThreadName, ThreadPosition, WantedLock};
use execution::span::Location;
use fencepost::check::cell::{Bound, BoundKind, Outcome, Unfinished, Why};
use fencepost::check::established;
use report::counterexample::Problem;
use report::finding::{thread, user_place};
use serde::Serialize;

/// A loop that was followed only so far.
#[derive(Serialize)]
pub struct Loop<'a> {
    function: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    iterations: u32,
    /// Whether it is no loop, but a function that calls itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    recursion: bool,
    /// Whether it is an allocation, of which so many sizes were looked at.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    allocation: bool,
}

/// Why there is no answer.
#[derive(Serialize)]
pub struct Reason {
    /// What kind of reason.
    pub kind: &'static str,
    /// In words.
    pub text: String,
}

/// What is known where there is no answer.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Established<'a> {
    /// How many observations the serial executions show.
    #[serde(skip_serializing_if = "Option::is_none")]
    serial_observations: Option<usize>,
    /// How many states were visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<usize>,
    /// The questions that were answered with no.
    answered: Vec<Answered<'a>>,
    /// The one that was asked last.
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<&'static str>,
}

#[derive(Serialize)]
struct Answered<'a> {
    question: &'static str,
    /// The loops that were followed only so far.
    loops: Vec<Followed<'a>>,
}

#[derive(Serialize)]
struct Followed<'a> {
    function: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    least: u32,
    most: u32,
}

impl<'a> Established<'a> {
    /// What is known, if there is no answer.
    pub fn of(outcome: &'a Outcome) -> Option<Self> {
        let Outcome::Inconclusive(_, known) = outcome else { return None };
        let followed = |one: &'a established::Loop| Followed {
            function: &one.function,
            location: one.location.as_ref().map(Location::to_string),
            least: one.iterations.0,
            most: one.iterations.1,
        };
        let answered = known.answered.iter().map(|(question, loops)| Answered {
            question: question.name(),
            loops: loops.iter().map(followed).collect(),
        });
        Some(Established {
            serial_observations: known.observations,
            states: known.states,
            answered: answered.collect(),
            open: known.open.map(Progress::name),
        })
    }
}

/// A thread that waits for ever.
#[derive(Serialize)]
pub struct Waits {
    thread: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    /// The thread whose end it awaits.
    #[serde(skip_serializing_if = "Option::is_none")]
    joins: Option<String>,
    /// What it reads again and again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reads: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lock: Option<Wanted>,
}

/// The lock that a thread waits for.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Wanted {
    name: String,
    held_by: Vec<Holder>,
}

#[derive(Serialize)]
struct Holder {
    thread: String,
    /// Where it took the lock.
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
}

impl Waits {
    /// The threads that wait for ever in a counterexample.
    pub fn of(problem: &Problem) -> Vec<Self> {
        let (Problem::Finding(finding) | Problem::Serial { finding, .. }) = problem else {
            return Vec::new();
        };
        let place = |stack: &[StackEntry]| user_place(stack).map(Location::to_string);
        let holder = |(name, stack): &(ThreadName, Vec<StackEntry>)| Holder {
            thread: thread(name),
            location: place(stack),
        };
        let wanted = |lock: &WantedLock| Wanted {
            name: lock.name.clone(),
            held_by: lock.holders.iter().map(holder).collect(),
        };
        let waits = |position: &ThreadPosition| Waits {
            thread: thread(&position.thread),
            location: place(&position.stack),
            joins: position.joins.as_ref().map(thread),
            reads: position.reads.clone(),
            lock: position.lock.as_ref().map(wanted),
        };
        finding.waiting.iter().map(waits).collect()
    }
}

/// That a test has no executions.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Warning {
    kind: &'static str,
    text: String,
    /// The threads that never come to their ends.
    never_end: Vec<usize>,
}

impl Warning {
    /// What the user must know about an answer.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        let Outcome::Vacuous(bounds, unfinished) = outcome else { return None };
        let never_end = match unfinished {
            Unfinished::Never(threads) => threads.iter().map(|(number, _)| *number).collect(),
            Unfinished::NotTogether | Unfinished::Discarded => Vec::new(),
        };
        let text = wording::vacuous(bounds, unfinished).trim_start_matches("! ").to_string();
        Some(Warning { kind: "vacuous", text, never_end })
    }
}

impl<'a> Loop<'a> {
    /// The loops that an answer depends on.
    pub fn of(outcome: &'a Outcome) -> Vec<Self> {
        let (Outcome::HoldsWithinBounds(bounds) | Outcome::Vacuous(bounds, _)) = outcome else {
            return Vec::new();
        };
        let one = |bound: &'a Bound| {
            let location = bound.location.as_ref().map(Location::to_string);
            let Bound { function, iterations, kind, .. } = bound;
            let (recursion, allocation) =
                (*kind == BoundKind::Recursion, *kind == BoundKind::Allocation);
            Loop { function, location, iterations: *iterations, recursion, allocation }
        };
        bounds.iter().map(one).collect()
    }
}

impl Reason {
    /// Why an answer is none, if it is none.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        let Outcome::Inconclusive(why, _) = outcome else { return None };
        let kind = match why {
            Why::OutOfTime => "time",
            Why::OutOfMemory => "memory",
            Why::Interrupted => "interrupted",
            Why::Unsupported { .. } => "unsupported",
            Why::Cut { .. } => "cut",
            Why::Input(_) => "input",
            Why::Mismatch(_) => "mistake-in-fencepost",
            Why::Internal(_) => "internal-error",
        };
        let text =
            wording::reason(why).trim_start_matches("? ").trim_start_matches("! ").to_string();
        Some(Reason { kind, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_without_an_answer_is_data_too() {
        let one = established::Loop {
            location: None,
            function: "f".into(),
            iterations: (1, 2),
            kind: BoundKind::Loop,
        };
        let known = established::Established {
            observations: Some(12),
            answered: vec![(Progress::Findings, vec![one])],
            open: Some(Progress::Bounds),
            ..established::Established::nothing()
        };
        let outcome = Outcome::Inconclusive(Why::OutOfMemory, known);
        let json = serde_json::to_value(Established::of(&outcome)).expect("plain data");
        let loops = serde_json::json!([{ "function": "f", "least": 1, "most": 2 }]);
        let expected = serde_json::json!({
            "serial-observations": 12,
            "answered": [{ "question": "findings", "loops": loops }],
            "open": "bounds",
        });
        assert_eq!(json, expected);
        assert!(Established::of(&Outcome::Holds).is_none());
    }
}
