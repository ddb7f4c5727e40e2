//! When runs are explored although the caller leaves the choice of the engine to us.
//!
//! Before the solver, of a program that calls native functions, and of one that multiplies or divides
//! what threads read so that the results cannot be listed: bits of products are what a solver is worst
//! at, while runs show the few products that there are. After the other engines, of what they refuse,
//! and of what they have no answer to in their share of the time.

use super::{Explore, calls_native, is_costly, may_have_tables};
use crate::bounded::unrolling::CheckOptions;
use crate::engine::{Budget, Engine, Reply, Report, Task};
use crate::portfolio::Portfolio;
use crate::verdict::{Reason, Verdict};
use crate::verification::{EngineChoice, Property, Questions};
use encoding::encode::{EncodeOptions, Unrolled};
use encoding::known::Known;
use ir::op::Op;
use ir::program::Program;
use models::Model;
use sat::Exceeded;
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[cfg(test)]
mod tests;

/// The part of the time that is kept for runs until the other engines have had their turn.
const LAST_PART: u32 = 4;

/// How long runs are explored before the solver has its turn, if there is no limit.
const BEFORE_SOLVER: Duration = Duration::from_secs(60);

/// Why runs are explored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Because {
    /// The program calls native functions.
    Native,
    /// It multiplies or divides what threads read.
    Arithmetic,
    /// The other engines refuse.
    Refused,
    /// The other engines ran out of time.
    Late,
}

impl Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Because::Native => "the program calls native functions",
            Because::Arithmetic => "the program multiplies or divides what threads read",
            Because::Refused => "the other engines refused",
            Because::Late => "the other engines ran out of time",
        })
    }
}

/// What exploring runs has answered although that was not asked for, and why: properties, and what is
/// known of behaviours (`None`).
pub type Answered = BTreeMap<Option<Property>, Because>;

/// What runs answer before the solver is asked, if this is a program for them; the solver is asked for
/// what that leaves open.
pub(super) fn before_the_solver(task: Task<'_>, budget: Budget<'_>) -> Option<Reply> {
    let Task { program, model, questions, .. } = task;
    let portfolio = &Portfolio { engine: EngineChoice::Explore, ..budget.portfolio.clone() };
    if calls_native(program) {
        let mut reply = Explore.ask(task, Budget { portfolio, ..budget })?;
        reply.report.explored = answered(&reply.report, questions, Because::Native);
        return Some(reply);
    }
    if !is_heavy(program, model, &budget.options.encoding) {
        return None;
    }
    let mut encoding = budget.options.encoding.clone();
    let time = encoding.limits.deadline.map_or(BEFORE_SOLVER, |deadline| time_left(deadline) / 2);
    encoding.limits.deadline = Some(Instant::now() + time);
    let options = &CheckOptions { encoding, ..*budget.options };
    let mut reply = Explore.ask(task, Budget { portfolio, options, ..budget })?;
    reply.report.explored = answered(&reply.report, questions, Because::Arithmetic);
    let mut properties = Vec::new();
    reply.report.verdicts.retain(|&property, verdict| {
        properties.extend(is_open(verdict).then_some(property));
        !is_open(verdict)
    });
    reply.left = match asks_for_behaviours(questions) && is_open(&reply.report.rest) {
        true => Questions { properties, ..questions.clone() },
        false => Questions { properties, undefined: questions.undefined, ..Questions::default() },
    };
    Some(reply)
}

/// Until when the other engines are asked: what they do not answer by then is asked of runs.
pub(crate) fn end_of_the_others(task: Task<'_>, budget: Budget<'_>) -> Option<Instant> {
    let deadline = budget.options.encoding.limits.deadline?;
    match is_for_all_engines(task, budget) {
        true => Some(deadline - time_left(deadline) / LAST_PART),
        false => Some(deadline),
    }
}

/// Asks runs, by `ask`, for what the other engines refuse or have not answered in their time: runs meet
/// only what is executed, with the values that it is executed with.
pub(crate) fn after_the_others(
    task: Task<'_>,
    budget: Budget<'_>,
    report: &mut Report,
    ask: fn(Task<'_>, Budget<'_>) -> Report,
) {
    let questions = task.questions;
    if !is_for_all_engines(task, budget) || budget.options.encoding.limits.expired() {
        return;
    }
    let properties = report.verdicts.iter().map(|(&property, verdict)| (Some(property), verdict));
    let rest = asks_for_behaviours(questions).then_some((None, &report.rest));
    let why = |(what, verdict)| Some((what, why_open(verdict)?));
    let open: Answered = properties.chain(rest).filter_map(why).collect();
    if open.is_empty() {
        return;
    }
    let properties = open.keys().flatten().copied().collect();
    let asked = &match open.contains_key(&None) {
        true => Questions { properties, ..questions.clone() },
        false => Questions { properties, ..Questions::default() },
    };
    let portfolio = &Portfolio { engine: EngineChoice::Explore, ..budget.portfolio.clone() };
    let found = ask(Task { questions: asked, ..task }, Budget { portfolio, ..budget });
    let mut is_known = |what: Option<Property>, verdict: &Verdict| {
        let because = open.get(&what).filter(|_| !is_open(verdict));
        report.explored.extend(because.map(|&because| (what, because)));
        because.is_some()
    };
    if is_known(None, &found.rest) {
        (report.behaviours, report.rest) = (found.behaviours, found.rest);
    } else {
        report.behaviours.extend(found.behaviours);
    }
    let known = found.verdicts.into_iter();
    for (property, verdict) in
        known.filter(|(property, verdict)| is_known(Some(*property), verdict))
    {
        report.answered_by.insert(property, Explore.name());
        report.verdicts.insert(property, verdict);
    }
    if !report.explored.is_empty() {
        report.statistics = report.statistics.and(found.statistics);
    }
}

/// Whether runs may have a turn of their own after the other engines.
fn is_for_all_engines(task: Task<'_>, budget: Budget<'_>) -> bool {
    let Task { program, questions, .. } = task;
    let asks = asks_for_behaviours(questions) || !questions.properties.is_empty();
    let is_proof = budget.options.encoding.journal.is_some();
    let is_free = budget.portfolio.engine == EngineChoice::Either;
    asks && is_free && !is_proof && !calls_native(program)
}

fn asks_for_behaviours(questions: &Questions) -> bool {
    questions.outcomes.is_some() || questions.coverage
}

fn is_open(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Inconclusive(..))
}

/// Why runs are asked for what the others have not answered.
fn why_open(verdict: &Verdict) -> Option<Because> {
    match verdict {
        Verdict::Inconclusive(Reason::Unsupported { .. }, _) => Some(Because::Refused),
        Verdict::Inconclusive(Reason::Limit(Exceeded::Time), _) => Some(Because::Late),
        _ => None,
    }
}

/// What a report of runs answers.
fn answered(report: &Report, questions: &Questions, because: Because) -> Answered {
    let properties = report.verdicts.iter().map(|(&property, verdict)| (Some(property), verdict));
    let rest = asks_for_behaviours(questions).then_some((None, &report.rest));
    let known = properties.chain(rest).filter(|(_, verdict)| !is_open(verdict));
    known.map(|(what, _)| (what, because)).collect()
}

fn time_left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Whether products or quotients in a program have operands that threads read, and more results than
/// can be listed; not if numbers are chosen, of which there are too many for runs.
fn is_heavy(program: &Program, model: &Model, encoding: &EncodeOptions) -> bool {
    if !is_costly(program) || chooses(program) || !may_have_tables(model, encoding) {
        return false;
    }
    let mut encoding = encoding.clone();
    encoding.unroll.known = Some(Arc::new(Known::new(true, true)));
    Unrolled::new(program, model, &encoding).is_ok_and(|unrolled| unrolled.has_tables())
}

/// Whether a program chooses numbers.
fn chooses(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    blocks.flat_map(|block| &block.insts).any(|inst| matches!(inst.op, Op::Choose { .. }))
}
