//! Engines that take turns, where it is not known which of them answers sooner.
//!
//! On a machine with views a first turn visits few states; if these are not all, the others have as
//! much time again and again as much, and the next turn may visit several times as many. So the time
//! until an answer is a constant times what the engine takes that answers first, whichever it is.
//! Where choices make for many states, it is the other way round: the solver has half of the time.

use super::{REST, after_states};
use crate::bounded::unrolling::CheckOptions;
use crate::engine::{Budget, Engine, Reply, Report, Task, in_turn};
use crate::explicit::states::{MANY, States};
use crate::verdict::{Statistics, Verdict};
use crate::verification::Questions;
use std::time::{Duration, Instant};

/// How long the solver may take where choices make for many states, without a limit, before
/// these are visited after all.
const FIRST_TURN: Duration = Duration::from_secs(60);

/// So many states are visited with views in the first turn, which takes about a second.
pub(super) const FEW_WITH_VIEWS: usize = 60_000;

/// How many times as many states there are in the next turn.
const MORE: usize = 4;

/// How much longer than the states' a turn of the others may be.
const OTHERS: u32 = 2;

/// Turns of the others are at least so long, or encoding would take all of them.
const SHORTEST: Duration = Duration::from_millis(500);

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

/// Checks a program that has more states with views than were visited in a first turn, which began
/// some time ago.
pub(super) fn with_views(
    task: Task<'_>,
    reply: Reply,
    mut began: Instant,
    budget: Budget<'_>,
) -> Report {
    let mut known = Known::new(reply);
    let limits = &budget.options.encoding.limits;
    let mut most = FEW_WITH_VIEWS;
    loop {
        let now = Instant::now();
        let turn = now + (OTHERS * now.duration_since(began)).max(SHORTEST);
        known.ask_others(Some(limits.deadline.map_or(turn, |limit| limit.min(turn))), task, budget);
        if known.left.is_empty() || limits.expired() {
            return known.report;
        }
        (began, most) = (Instant::now(), most.saturating_mul(MORE));
        let own = Task { questions: &known.left, ..task };
        let reply = States { early: false, most: most.min(MANY) }.ask(own, budget);
        match reply {
            Some(reply) if reply.gave_up_early && most < MANY => {
                let left = reply.left.clone();
                known.add(reply.report);
                known.left = left;
            }
            reply => {
                let more = after_states(own, reply, budget);
                known.add(more);
                return known.report;
            }
        }
    }
}
