//! Answers in words: in tables, and below them.

use super::exit;
use crate::check::cell::{Bound, Outcome, Violated, Why};

/// An answer in a table.
pub fn cell(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Holds => "holds",
        Outcome::HoldsWithinBounds(_) => "holds*",
        Outcome::Violated(_) => "VIOLATED",
        Outcome::Inconclusive(Why::OutOfTime) => "? time",
        Outcome::Inconclusive(Why::OutOfMemory) => "? memory",
        Outcome::Inconclusive(Why::Interrupted) => "? stopped",
        Outcome::Inconclusive(Why::Unsupported { .. }) => "? cannot",
        Outcome::Inconclusive(Why::Mismatch(_) | Why::Internal(_)) => "? our bug",
    }
}

/// An answer in data files.
pub fn verdict(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Holds => "holds",
        Outcome::HoldsWithinBounds(_) => "holds-within-bounds",
        Outcome::Violated(_) => "violated",
        Outcome::Inconclusive(_) => "inconclusive",
    }
}

/// What there is to say below the table.
pub fn remark(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Holds | Outcome::Violated(_) => None,
        Outcome::HoldsWithinBounds(bounds) => {
            let loops: Vec<String> = bounds.iter().map(bound).collect();
            Some(format!(
                "* holds as far as loops were followed; executions can go on in {} (--max-unroll)",
                loops.join(", ")
            ))
        }
        Outcome::Inconclusive(why) => Some(reason(why)),
    }
}

fn bound(bound: &Bound) -> String {
    let Bound { location, function, iterations } = bound;
    let place = match location {
        Some(location) => format!("at {}:{}", location.file, location.line),
        None => "without a place in the source".to_string(),
    };
    let times = if *iterations == 1 { "iteration" } else { "iterations" };
    match function.is_empty() {
        true => format!("the loop {place} ({iterations} {times})"),
        false => format!("the loop {place} in `{function}` ({iterations} {times})"),
    }
}

/// Why there is no answer, in words.
pub fn reason(why: &Why) -> String {
    match why {
        Why::OutOfTime => "? no answer within --time-limit".to_string(),
        Why::OutOfMemory => "? no answer within --memory-limit".to_string(),
        Why::Interrupted => "? interrupted".to_string(),
        Why::Unsupported { what, location: Some(location) } => {
            format!("? not supported: {what}, at {}:{}", location.file, location.line)
        }
        Why::Unsupported { what, location: None } => format!("? not supported: {what}"),
        Why::Mismatch(what) => format!(
            "? MISTAKE IN FENCEPOST: a violation was found that its replay does not confirm \
             ({what}). Please report this, with the program and the test; the answer is unknown"
        ),
        Why::Internal(what) => format!(
            "? MISTAKE IN FENCEPOST: internal error ({what}). Please report this, with the program; \
             the answer is unknown"
        ),
    }
}

/// A violation in a line.
pub fn brief(violated: &Violated) -> String {
    use report::counterexample::{Problem, Shown};
    match &violated.story.problem {
        Problem::Observation { seen, .. } | Problem::CommitPoints { seen, .. } => {
            let one = |shown: &Shown| format!("{}: {}", shown.operation, shown.seen);
            seen.iter().map(one).collect::<Vec<_>>().join("; ")
        }
        Problem::Finding(finding) => report::finding::title(finding),
        Problem::Serial { finding, .. } => {
            format!("{}, already in a serial execution", report::finding::title(finding))
        }
        Problem::Flag { name, .. } | Problem::Reached(name) => name.clone(),
    }
}

/// The exit code of these answers together.
pub fn exit_code<'r>(outcomes: impl Iterator<Item = &'r Outcome>) -> u8 {
    let code = |outcome: &Outcome| match outcome {
        Outcome::Violated(_) => exit::VIOLATED,
        Outcome::HoldsWithinBounds(_) | Outcome::Inconclusive(_) => exit::INCONCLUSIVE,
        Outcome::Holds => exit::HOLDS,
    };
    let codes: Vec<u8> = outcomes.map(code).collect();
    match (codes.contains(&exit::VIOLATED), codes.contains(&exit::INCONCLUSIVE)) {
        (true, _) => exit::VIOLATED,
        (false, true) => exit::INCONCLUSIVE,
        (false, false) => exit::HOLDS,
    }
}

/// Remarks about answers that are none, or not the last word; the same remark is made once, for
/// all the places that it is about.
pub fn footnotes<'r>(answers: impl Iterator<Item = (String, &'r Outcome)>) -> String {
    let mut remarks: Vec<(String, Vec<String>)> = Vec::new();
    for (place, outcome) in answers {
        let Some(remark) = remark(outcome) else { continue };
        match remarks.iter_mut().find(|(known, _)| *known == remark) {
            Some((_, places)) => places.push(place),
            None => remarks.push((remark, vec![place])),
        }
    }
    remarks.iter().map(|(remark, places)| format!("\n{}: {remark}\n", places.join(", "))).collect()
}
