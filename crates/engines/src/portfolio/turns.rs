//! Engines that take turns, where it is not known which of them answers sooner.
//!
//! Where choices make for many states, the solver has half of the time, and then the states have
//! their turn again.

use super::{REST, after_states};
use crate::bounded::unrolling::CheckOptions;
use crate::engine::{Budget, Engine, Reply, Report, Task, in_turn};
use crate::explicit::states::States;
use crate::verdict::{Statistics, Verdict};
use crate::verification::Questions;
use std::time::{Duration, Instant};

/// How long the solver may take where choices make for many states, without a limit, before
/// these are visited after all.
const FIRST_TURN: Duration = Duration::from_secs(60);

/// What is known after some turns, and what is not.
struct Known {
    report: Report,
    left: Questions,
}

impl Known {
    fn new(Reply { report, left, .. }: Reply) -> Self {
        Known { report, left }
    }

    /// What another engine answers.
    fn add(&mut self, more: Report) {
        let known = |verdict: &Verdict| !matches!(verdict, Verdict::Inconclusive(..));
        let report = &mut self.report;
        for (property, verdict) in more.verdicts {
            let before = report.verdicts.get(&property);
            // A bound is more than nothing.
            if before.is_none_or(|before| known(&verdict) || !known(before)) {
                report.verdicts.insert(property, verdict);
                let by = more.answered_by.get(&property);
                report.answered_by.extend(by.map(|&by| (property, by)));
            }
        }
        report.cut = report.cut.take().or(more.cut);
        report.explored.extend(more.explored);
        let states = report.statistics.states.max(more.statistics.states);
        report.statistics = Statistics { states, ..more.statistics };
        self.left.properties.retain(|property| {
            let verdict = report.verdicts.get(property);
            matches!(
                verdict,
                None | Some(Verdict::HoldsWithinBounds(_) | Verdict::Inconclusive(..))
            )
        });
    }

    /// Asks the others for what is left, until then.
    fn ask_others(&mut self, deadline: Option<Instant>, task: Task<'_>, budget: Budget<'_>) {
        let mut encoding = budget.options.encoding.clone();
        encoding.limits.deadline = deadline;
        let options = &CheckOptions { encoding, ..*budget.options };
        let task = Task { questions: &self.left, ..task };
        let more = in_turn(&REST, task, Budget { options, ..budget });
        self.add(more);
    }
}

/// Checks a program whose states are many because of choices: by the solver, if it is not slow, by
/// the states after all, and then by the others again.
pub(super) fn where_choices_are_many(task: Task<'_>, reply: Reply, budget: Budget<'_>) -> Report {
    let mut known = Known::new(reply);
    let limit = budget.options.encoding.limits.deadline;
    let now = Instant::now();
    let left = limit.map_or(2 * FIRST_TURN, |limit| limit.saturating_duration_since(now));
    known.ask_others(Some(now + left / 2), task, budget);
    if known.left.is_empty() || budget.options.encoding.limits.expired() {
        return known.report;
    }
    let task = Task { questions: &known.left, ..task };
    let reply = States::all().ask(task, budget);
    let more = after_states(task, reply, budget);
    known.add(more);
    known.report
}
