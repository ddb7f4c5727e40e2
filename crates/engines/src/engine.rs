//! What an engine is: it is asked about a prepared program under a model, within a budget, and
//! answers what it can; the rest is left for the next one.
//!
//! [`portfolio`](crate::portfolio) says which engine is asked when. An engine reads `ir` and
//! `models`, polls the limits in every long loop, reports progress through
//! [`CheckOptions::progress`], and never prints. It may be wrong: a violation is shown only after
//! the caller has replayed it.

use crate::bounded::unrolling::CheckOptions;
use crate::explore;
use crate::portfolio::Portfolio;
use crate::verdict::{
    Counterexample, Cut, Established, Reason, Statistics, Unfinished, Verdict, Violation,
};
use crate::verification::coverage::Coverage;
use crate::verification::outcomes::Observed;
use crate::verification::{Property, Questions};
use execution::finding::FindingKind;
use execution::witness::Witness;
use ir::program::Program;
use models::Model;
use replay::{Under, confirm};
use sat::Limits;
use std::collections::BTreeMap;

/// A method that answers questions about whole programs.
pub trait Engine {
    /// A short name that does not change, for people and data files.
    fn name(&self) -> &'static str;

    /// Answers what it can within the budget; `None` if this task is not one for this engine. What
    /// the limits leave open is a verdict, too: [`Verdict::Inconclusive`], with what is
    /// established.
    fn ask(&self, task: Task<'_>, budget: Budget<'_>) -> Option<Reply>;
}

/// The questions.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The program, prepared for the model ([`ir::prepare`]).
    pub program: &'a Program,
    /// The model.
    pub model: &'a Model,
    /// The questions.
    pub questions: &'a Questions,
    /// The branches that are known to be reached already.
    pub known: &'a Coverage,
}

/// What an engine may use, and whom it may ask.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// Limits, bounds, and where progress is reported.
    pub options: &'a CheckOptions<'a>,
    /// Whether a replay confirms an execution: for engines that find candidates.
    pub confirm: Confirm<'a>,
    /// Which engines the caller wants, and what they share.
    pub portfolio: &'a Portfolio,
}

/// What an execution is to show.
#[derive(Clone, Copy, Debug)]
pub enum Claim<'a> {
    /// Something is wrong in it.
    Violation(&'a Counterexample),
    /// It reaches a branch or an assertion.
    Branch(&'a Witness),
    /// Something is wrong in it, and the search goes on: the caller may show it already.
    Found(Property, &'a Counterexample),
}

/// Whether a replay finds an execution to be one of the model, and to show what it should.
pub type Confirm<'a> = &'a dyn Fn(Claim<'_>) -> bool;

/// Longer executions that need not be replayed are not: the model's relations would take longer
/// than the search.
const LONGEST_CONFIRMED: usize = 1000;

/// The same for executions that reach a branch, of which there are many.
pub const LONGEST_COVERING: usize = 400;

/// Whether the replay finds an execution of the model, and that it shows what it should; not if
/// that takes long to find out. This is the usual [`Confirm`].
pub fn is_confirmed(program: &Program, model: &Model, limits: &Limits, claim: Claim<'_>) -> bool {
    let branch = Violation::Reached("a branch".to_string());
    let (violation, witness, longest) = match claim {
        Claim::Violation(found) | Claim::Found(_, found) => {
            (&found.violation, found.witness.as_ref(), LONGEST_CONFIRMED)
        }
        Claim::Branch(witness) => (&branch, Some(witness), LONGEST_COVERING),
    };
    witness.is_some_and(|witness| {
        let under = Under { model, limits };
        witness.accesses() <= longest && confirm(program, under, witness, violation).is_ok()
    })
}

/// What an engine answers.
#[derive(Debug)]
pub struct Reply {
    /// The answers: a verdict for each property that was answered, perhaps not for all.
    pub report: Report,
    /// What is left to be asked of the next engine, whose answers replace those given here: also
    /// what a limit has left open, if another engine may know more.
    pub left: Questions,
    /// Whether assumptions fail wherever an execution terminates.
    pub discarded: bool,
    /// Whether the engine gave up early because choices make many states, so that it may be worth
    /// asking again after others.
    pub gave_up_early: bool,
}

/// What is known about a program on a model.
#[derive(Debug)]
pub struct Report {
    /// A verdict for each property that was answered; in the portfolio's report, for each that was
    /// asked and that the model gives a meaning.
    pub verdicts: BTreeMap<Property, Verdict>,
    /// By which engine each property was answered, if it was.
    pub answered_by: BTreeMap<Property, &'static str>,
    /// What was to be found out about behaviours.
    pub behaviours: Behaviours,
    /// What is known of behaviours (outcomes, coverage) that were not found, as a verdict: if it
    /// holds there are none. It counts only if these were asked and are not left.
    pub rest: Verdict,
    /// Where executions end so that what holds of them says little: all of them, or some at a
    /// finding past which others may go on.
    pub cut: Option<Cut>,
    /// What runs answered that were explored although the caller did not ask for that, and why.
    pub explored: explore::turn::Answered,
    /// What it cost.
    pub statistics: Statistics,
}

/// What a program can do.
#[derive(Debug, Default)]
pub struct Behaviours {
    /// All that can be observed, if that was asked.
    pub outcomes: Option<BTreeMap<Observed, Witness>>,
    /// What executions reach, if that was asked.
    pub coverage: Option<Coverage>,
}

impl Report {
    /// A report with these violations, or with no verdict yet: where an engine starts.
    pub fn of_violations(found: BTreeMap<Property, Counterexample>) -> Self {
        let violated = |(property, found)| (property, Verdict::Violated(Box::new(found)));
        Report {
            verdicts: found.into_iter().map(violated).collect(),
            answered_by: BTreeMap::new(),
            behaviours: Behaviours::default(),
            rest: Verdict::Holds,
            cut: None,
            explored: BTreeMap::new(),
            statistics: Statistics { rounds: 1, ..Statistics::default() },
        }
    }

    /// Says that an engine has answered what is answered here.
    pub(crate) fn answered_all_by(mut self, engine: &'static str) -> Self {
        let known = |verdict: &Verdict| !matches!(verdict, Verdict::Inconclusive(..));
        let answered = self.verdicts.iter().filter(|it| known(it.1));
        self.answered_by = answered.map(|(&property, _)| (property, engine)).collect();
        self
    }

    /// Whether something is wrong.
    pub fn is_violated(&self) -> bool {
        self.verdicts.values().any(|verdict| matches!(verdict, Verdict::Violated(_)))
    }

    /// The finding at which some executions end although others may go on, if one was found.
    pub(crate) fn shown_cut(&self) -> Option<Cut> {
        let cut = |verdict: &Verdict| match verdict {
            Verdict::Violated(shown) => match &shown.violation {
                Violation::Finding { kind, place } if Property::cuts(kind) => {
                    Some(Cut { kind: kind.clone(), place: *place, every: false })
                }
                _ => None,
            },
            _ => None,
        };
        // A memory error is the usual reason.
        let memory = self.verdicts.get(&Property::Memory);
        memory.into_iter().chain(self.verdicts.values()).find_map(cut)
    }

    /// What holds does so only up to where executions are cut. If it is the language that ends them,
    /// there is nothing more to observe or to reach; if it is a limit of ours, there may be.
    pub(crate) fn is_cut(&mut self, cut: &Cut) {
        let is_ours = matches!(cut.kind, FindingKind::NotSupported(_));
        let rest = is_ours.then_some(&mut self.rest);
        for verdict in self.verdicts.values_mut().chain(rest) {
            if let Verdict::Holds | Verdict::HoldsWithinBounds(_) = verdict {
                let reason = Reason::Cut(cut.clone());
                *verdict = Verdict::Inconclusive(reason, Established::default());
            }
        }
    }

    /// What holds does so only because assumptions fail in every execution.
    pub(crate) fn says_nothing(&mut self) {
        for verdict in self.verdicts.values_mut().chain([&mut self.rest]) {
            if matches!(verdict, Verdict::Holds) {
                *verdict = Verdict::Vacuous(Vec::new(), Unfinished::Discarded);
            }
        }
    }
}

impl Behaviours {
    /// Adds what is known from elsewhere.
    pub(crate) fn extend(&mut self, other: Behaviours) {
        if let (Some(own), Some(other)) = (&mut self.outcomes, other.outcomes) {
            own.extend(other);
        }
        if let (Some(own), Some(other)) = (&mut self.coverage, other.coverage) {
            own.extend(other);
        }
    }

    /// What a later engine knows, which was given what is known here.
    fn or_later(&mut self, later: Behaviours) {
        self.outcomes = later.outcomes.or(self.outcomes.take());
        self.coverage = later.coverage.or(self.coverage.take());
    }
}

/// Asks engines one after the other, each for what those before it have left. [`Report::rest`] and
/// the cost are those of the last engine that replied. What [`Reply::discarded`],
/// [`Reply::gave_up_early`] and [`Report::cut`] say about the verdicts is for the caller, as in
/// [`portfolio`](crate::portfolio).
pub fn in_turn(engines: &[&dyn Engine], task: Task<'_>, budget: Budget<'_>) -> Report {
    let mut report = Report::of_violations(BTreeMap::new());
    let mut left = task.questions.clone();
    let mut known = task.known.clone();
    for engine in engines {
        let task = Task { questions: &left, known: &known, ..task };
        let Some(mut reply) = engine.ask(task, budget) else { continue };
        reply.report = reply.report.answered_all_by(engine.name());
        // A violation is found once; what is left open is answered later.
        report.verdicts.extend(reply.report.verdicts);
        report.answered_by.extend(reply.report.answered_by);
        report.behaviours.or_later(reply.report.behaviours);
        report.rest = reply.report.rest;
        report.cut = report.cut.or(reply.report.cut);
        report.explored.extend(reply.report.explored);
        report.statistics = reply.report.statistics;
        left = reply.left;
        if let Some(coverage) = &report.behaviours.coverage {
            known = coverage.clone();
        }
        if left.is_empty() {
            break;
        }
    }
    report
}
