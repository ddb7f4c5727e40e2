//! Parts of answers that every JSON document words alike.

use super::wording;
use crate::check::cell::{Bound, Outcome, Why};
use execution::span::Location;
use serde::Serialize;

/// A loop that was followed only so far.
#[derive(Serialize)]
pub struct Loop<'a> {
    function: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    iterations: u32,
}

/// Why there is no answer.
#[derive(Serialize)]
pub struct Reason {
    kind: &'static str,
    text: String,
}

impl<'a> Loop<'a> {
    /// The loops that an answer depends on.
    pub fn of(outcome: &'a Outcome) -> Vec<Self> {
        let Outcome::HoldsWithinBounds(bounds) = outcome else { return Vec::new() };
        let one = |bound: &'a Bound| {
            let location = bound.location.as_ref().map(Location::to_string);
            Loop { function: &bound.function, location, iterations: bound.iterations }
        };
        bounds.iter().map(one).collect()
    }
}

impl Reason {
    /// Why an answer is none, if it is none.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        let Outcome::Inconclusive(why) = outcome else { return None };
        let kind = match why {
            Why::OutOfTime => "time",
            Why::OutOfMemory => "memory",
            Why::Interrupted => "interrupted",
            Why::Unsupported { .. } => "unsupported",
            Why::Mismatch(_) => "mistake-in-fencepost",
            Why::Internal(_) => "internal-error",
        };
        let text = wording::reason(why).trim_start_matches("? ").to_string();
        Some(Reason { kind, text })
    }
}
