//! What a search says, in words.

use super::{Answer, Counts, Unknown, Verdict, Violation};
use execution::printable::shown;
use limits::Exceeded;
use std::path::Path;

/// How much was visited.
pub fn counted(counts: Counts) -> String {
    let Counts { states, rules, depth } = counts;
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    format!(
        "{states} state{}, {rules} rule{} fired, {depth} step{} deep",
        plural(states),
        plural(rules),
        plural(depth.into())
    )
}

/// The way to a violation.
pub fn steps(violation: &Violation) -> String {
    let head = match violation.steps.len() {
        0 => return String::new(),
        1 => "It is so in a start state:".to_string(),
        2 => "The shortest way to it, 1 step after a start state:".to_string(),
        count => format!("The shortest way to it, {} steps after a start state:", count - 1),
    };
    format!("{head}\n\n{}\n", report::transitions::render(&violation.steps))
}

/// Why there is no answer, in words.
pub(super) fn reason(unknown: &Unknown) -> &'static str {
    match unknown {
        Unknown::Limit(Exceeded::Time) => "the time limit was reached",
        Unknown::Limit(Exceeded::Memory) => "the memory limit was reached",
        Unknown::Limit(Exceeded::Interrupted) => "interrupted",
        Unknown::Endless(_) => "a loop or recursion is longer than is executed",
        Unknown::TooManyInstances => "there are too many choices of parameters of rules",
        Unknown::Vacuous => "the assumptions leave no start state",
    }
}

/// The verdict, and what it took.
pub fn summary(file: &Path, answer: &Answer, seconds: f64) -> String {
    let file = shown(file);
    let verdict = match &answer.verdict {
        Verdict::Holds => "holds".to_string(),
        Verdict::Violated(violation) => format!("VIOLATED ({})", violation.kind.name()),
        Verdict::Unknown(unknown) => format!("? ({})", reason(unknown)),
    };
    let symmetric = if answer.symmetric { ", up to symmetry" } else { "" };
    format!("{file}: {verdict}\n{}{symmetric}; {seconds:.2} s\n", counted(answer.counts))
}
