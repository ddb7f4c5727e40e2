//! Parts of answers that all JSON documents have in common.

use crate::counterexample::Problem;
use crate::finding::{thread, user_place};
use crate::words;
use execution::finding::{StackEntry, ThreadName, ThreadPosition, WantedLock};
use execution::question::Question;
use execution::span::Location;
use execution::statistics::Explored;
use execution::verdict::{self, Bound, Construct, Site, Unfinished, Verdict};
use limits::Exceeded;
use serde::Serialize;

/// A loop that was followed only so far.
#[derive(Serialize)]
pub struct Loop<'a> {
    function: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    iterations: u32,
    /// Whether it is not a loop, but a function that calls itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    recursion: bool,
    /// Whether it is an allocation, of which this many sizes were explored.
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
    /// What concrete runs have shown.
    #[serde(skip_serializing_if = "Explored::is_nothing")]
    explored: Explored,
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
    pub fn of(verdict: &'a Verdict) -> Option<Self> {
        let Verdict::Inconclusive(_, known) = verdict else { return None };
        let followed = |verdict::Followed { place, least, most }: &'a verdict::Followed| Followed {
            function: function(place),
            location: location(place),
            least: *least,
            most: *most,
        };
        let answered = known.answered.iter().map(|one| Answered {
            question: one.question.name(),
            loops: one.loops.iter().map(followed).collect(),
        });
        Some(Established {
            serial_observations: known.observations,
            states: known.states,
            explored: known.explored,
            answered: answered.collect(),
            open: known.open.map(Question::name),
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
    /// The threads that never terminate.
    never_end: Vec<usize>,
}

impl Warning {
    /// What the user must know about an answer.
    pub fn of(verdict: &Verdict) -> Option<Self> {
        let Verdict::Vacuous(bounds, unfinished) = verdict else { return None };
        let never_end = match unfinished {
            Unfinished::Never(threads) => threads.iter().map(|thread| thread.number).collect(),
            Unfinished::NotTogether | Unfinished::Discarded => Vec::new(),
        };
        let text = words::vacuous(bounds, unfinished).trim_start_matches("! ").to_string();
        Some(Warning { kind: "vacuous", text, never_end })
    }
}

impl<'a> Loop<'a> {
    /// The loops that an answer depends on.
    pub fn of(verdict: &'a Verdict) -> Vec<Self> {
        let (Verdict::HoldsWithinBounds(bounds) | Verdict::Vacuous(bounds, _)) = verdict else {
            return Vec::new();
        };
        let one = |Bound { place, iterations, .. }: &'a Bound| {
            let construct = place.as_ref().map(|site| site.construct);
            Loop {
                function: function(place),
                location: location(place),
                iterations: *iterations,
                recursion: construct == Some(Construct::Recursion),
                allocation: construct == Some(Construct::Allocation),
            }
        };
        bounds.iter().map(one).collect()
    }
}

fn function(place: &Option<Site>) -> &str {
    place.as_ref().map_or("", |site| &site.function)
}

fn location(place: &Option<Site>) -> Option<String> {
    place.as_ref().map(|site| site.location.to_string())
}

impl Reason {
    /// Why an answer is none, if it is none.
    pub fn of(verdict: &Verdict) -> Option<Self> {
        use verdict::Reason as Why;
        let Verdict::Inconclusive(reason, _) = verdict else { return None };
        let kind = match reason {
            Why::Limit(Exceeded::Time) => "time",
            Why::Limit(Exceeded::Memory) => "memory",
            Why::Limit(Exceeded::Interrupted) => "interrupted",
            Why::Unsupported { .. } => "unsupported",
            Why::Cut(_) => "cut",
            Why::Input(_) => "input",
            Why::Mismatch(_) => "mistake-in-fencepost",
            Why::Internal(_) => "internal-error",
        };
        let text =
            words::reason(reason).trim_start_matches("? ").trim_start_matches("! ").to_string();
        Some(Reason { kind, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::span::Origin;

    #[test]
    fn what_is_known_without_an_answer_is_data_too() {
        let location = Location {
            file: "a.c".into(),
            origin: Origin::User,
            line: 3,
            column: 1,
            end_column: 2,
        };
        let place = Site { location, function: "f".into(), construct: Construct::Loop };
        let one = verdict::Followed { place: Some(place), least: 1, most: 2 };
        let known = verdict::Established {
            observations: Some(12),
            answered: vec![verdict::Answered { question: Question::Findings, loops: vec![one] }],
            open: Some(Question::Bounds),
            ..verdict::Established::of_test()
        };
        let outcome = Verdict::Inconclusive(verdict::Reason::Limit(Exceeded::Memory), known);
        let json = serde_json::to_value(Established::of(&outcome)).expect("plain data");
        let loops =
            serde_json::json!([{ "function": "f", "location": "a.c:3:1", "least": 1, "most": 2 }]);
        let expected = serde_json::json!({
            "serial-observations": 12,
            "answered": [{ "question": "findings", "loops": loops }],
            "open": "bounds",
        });
        assert_eq!(json, expected);
        assert!(Established::of(&Verdict::Holds).is_none());
    }
}
