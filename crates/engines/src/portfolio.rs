//! Which engine is asked when, about a whole program.
//!
//! 1. Where overflow is a question, executions end at it first ([`where_overflow_ends`]); what that
//!    hides is asked again of executions that go on.
//! 2. Where a machine does what the model says, all states are visited ([`States`]). If choices make
//!    them many, they are given up early, and the engines take turns ([`turns`]).
//! 3. What is left is asked of the first interleavings, which show most bugs on any model, and then
//!    of the solver ([`REST`]); runs are explored before, if the program is one for them ([`turn`]).
//! 4. What all of these refuse, or have not answered in three quarters of the time, is asked of runs.

use crate::bounded::solver::Solver;
use crate::bounded::unrolling::CheckOptions;
use crate::engine::{Budget, Claim, Confirm, Engine, Reply, Report, Task, in_turn, is_confirmed};
use crate::explicit::interleavings::{FirstInterleavings, Interleavings};
use crate::explicit::states::States;
use crate::explore::{Explore, turn};
use crate::graphs::Graphs;
use crate::verdict::{Statistics, Verdict};
use crate::verification::coverage::Coverage;
use crate::verification::{Property, Questions};
use ir::program::Program;
use models::Model;
use std::sync::Arc;

#[cfg(test)]
mod tests;
mod turns;

/// The engines for what states on a machine of the model do not answer, in order.
const REST: [&dyn Engine; 4] = [&Graphs, &FirstInterleavings, &Explore, &Solver];

/// By which engines a program is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineChoice {
    /// Its states are visited if they are not too many; what is left is for the solver.
    #[default]
    Either,
    /// Its states are visited, however many they are.
    States,
    /// The solver.
    Solver,
    /// The solver, of what concrete runs show.
    Explore,
    /// Its execution graphs are visited, each once.
    Graphs,
}

/// The engines that are asked, and what those share that ask about one program on several models.
#[derive(Clone, Debug, Default)]
pub struct Portfolio {
    /// Which engines.
    pub engine: EngineChoice,
    /// What the first interleavings of the program show.
    pub interleavings: Arc<Interleavings>,
}

impl From<EngineChoice> for Portfolio {
    fn from(engine: EngineChoice) -> Self {
        Self { engine, ..Self::default() }
    }
}

impl Portfolio {
    /// Checks a program: by its states where that is possible, and what is left by the solver.
    /// Candidates are confirmed by the replay.
    pub fn verify(
        &self,
        program: &Program,
        model: &Model,
        questions: &Questions,
        options: &CheckOptions<'_>,
    ) -> Report {
        let limits = &options.encoding.limits;
        let confirm = |claim: Claim<'_>| is_confirmed(program, model, limits, claim);
        let task = Task { program, model, questions, known: &Coverage::default() };
        answered(task, Budget { options, confirm: &confirm, portfolio: self })
    }

    /// The same, where something else confirms candidates: for comparisons of engines.
    pub fn verify_confirmed_by(
        &self,
        program: &Program,
        model: &Model,
        questions: &Questions,
        options: &CheckOptions<'_>,
        confirm: Confirm<'_>,
    ) -> Report {
        let task = Task { program, model, questions, known: &Coverage::default() };
        answered(task, Budget { options, confirm, portfolio: self })
    }
}

/// [`Portfolio::verify`] with all engines, about one model.
pub fn verify(
    program: &Program,
    model: &Model,
    questions: &Questions,
    options: &CheckOptions<'_>,
) -> Report {
    Portfolio::default().verify(program, model, questions, options)
}

/// [`Portfolio::verify_confirmed_by`] with all engines, about one model.
pub fn verify_confirmed_by(
    program: &Program,
    model: &Model,
    questions: &Questions,
    options: &CheckOptions<'_>,
    confirm: Confirm<'_>,
) -> Report {
    Portfolio::default().verify_confirmed_by(program, model, questions, options, confirm)
}

/// The answers to all questions.
fn answered(task: Task<'_>, budget: Budget<'_>) -> Report {
    let (questions, options) = (task.questions, budget.options);
    let undefined =
        !questions.properties.is_empty() && !questions.properties.contains(&Property::Memory);
    let questions = &Questions { undefined, ..questions.clone() };
    let task = Task { questions, ..task };
    let whole = budget;
    let mut encoding = options.encoding.clone();
    encoding.limits.deadline = turn::end_of_the_others(task, budget);
    let options = &CheckOptions { encoding, ..*options };
    let budget = Budget { options, ..budget };
    let mut report = where_overflow_ends(true, task, budget);
    if let Some(left) = past_overflow(&report, questions, options) {
        if let Some(journal) = &options.encoding.journal {
            journal.forget();
        }
        let again = where_overflow_ends(false, Task { questions: &left, ..task }, budget);
        let is_kept = |property: &Property| !left.properties.contains(property);
        report.explored.retain(|what, _| what.as_ref().is_some_and(is_kept));
        report.explored.extend(again.explored);
        report.verdicts.extend(again.verdicts);
        report.answered_by.extend(again.answered_by);
        report.behaviours = again.behaviours;
        report.rest = again.rest;
        report.cut = again.cut;
        report.statistics = report.statistics.and(again.statistics);
    }
    turn::after_the_others(task, whole, &mut report, answered);
    if let Some(cut) = report.cut.clone().or_else(|| report.shown_cut()) {
        report.is_cut(&cut);
    }
    report
}

/// What is to be asked again because an overflow has ended executions that go on: all that is not
/// violated, where overflow is not known to be impossible.
fn past_overflow(
    report: &Report,
    questions: &Questions,
    options: &CheckOptions<'_>,
) -> Option<Questions> {
    let overflow = report.verdicts.get(&Property::Overflow)?;
    let is_cut = match overflow {
        Verdict::Violated(_) | Verdict::Inconclusive(..) => true,
        Verdict::Holds | Verdict::HoldsWithinBounds(_) | Verdict::Vacuous(..) => false,
    };
    let is_left = |property: &Property| match report.verdicts.get(property) {
        _ if *property == Property::Overflow => false,
        None | Some(Verdict::Violated(_)) => false,
        Some(Verdict::Inconclusive(..)) => !options.encoding.limits.expired(),
        Some(_) => true,
    };
    let properties = questions.properties.iter().copied().filter(is_left).collect();
    let left = Questions { properties, ..questions.clone() };
    (is_cut && !left.is_empty()).then_some(left)
}

/// Answers everything where overflow ends its thread, or nothing.
fn where_overflow_ends(ends: bool, task: Task<'_>, budget: Budget<'_>) -> Report {
    // The engine that is asked for the rest knows it, too.
    let mut encoding = budget.options.encoding.clone();
    encoding.unroll.overflow = ends && task.questions.properties.contains(&Property::Overflow);
    let options = &CheckOptions { encoding, ..*budget.options };
    let budget = Budget { options, ..budget };
    match States::early().ask(task, budget) {
        Some(reply) if reply.gave_up_early => turns::where_choices_are_many(task, reply, budget),
        reply => after_states(task, reply, budget),
    }
}

/// What the states say, if anything, and about what they leave, the other engines.
fn after_states(task: Task<'_>, reply: Option<Reply>, budget: Budget<'_>) -> Report {
    let Some(Reply { mut report, left, discarded, .. }) = reply else {
        return in_turn(&REST, task, budget);
    };
    if left.is_empty() {
        // Next to executions that are discarded, there may be some that never end.
        if discarded && !report.is_violated() {
            let nothing = &Questions::default();
            let asked = Solver.ask(Task { questions: nothing, ..task }, budget);
            if let Some(Reply { report: Report { rest: Verdict::Vacuous(..), .. }, .. }) = asked {
                report.says_nothing();
            }
        }
        return report;
    }
    let rest = in_turn(&REST, Task { questions: &left, ..task }, budget);
    let is_vacuous = |verdict: &Verdict| matches!(verdict, Verdict::Vacuous(..));
    if discarded && rest.verdicts.values().any(is_vacuous) {
        report.says_nothing();
    }
    report.verdicts.extend(rest.verdicts);
    report.answered_by.extend(rest.answered_by);
    report.cut = report.cut.or(rest.cut);
    report.explored.extend(rest.explored);
    if left.outcomes.is_some() || left.coverage {
        report.behaviours.extend(rest.behaviours);
        report.rest = rest.rest;
    }
    let states = report.statistics.states;
    report.statistics = Statistics { states, ..rest.statistics };
    report
}
