//! One program on one model: the check, and the recheck of everything that it finds.

use super::plan::{DEFAULT_UNROLL, Subject};
use crate::check::cell::{Bound, Doing, Outcome, Violated, Why, user_place};
use crate::check::recheck::{Problem, confirm};
use crate::check::story::{self, Title};
use crate::evidence::Wanted;
use crate::target;
use encoding::encode;
use engines::serial::ObservationSet;
use engines::test::compose::Composed;
use engines::unrolling::Options;
use engines::verdict::{Counterexample, Reason, Statistics, Verdict};
use engines::verification::{self, Property, Report};
use execution::ids::{Id, IdVec};
use ir::passes::mapping::Unsupported;
use ir::program::{LocId, Program};
use models::Model;
use oracle::replay::Replayed;
use sat::{Interrupter, Journal, Limits, MemoryLimit};
use std::path::PathBuf;
use std::time::Instant;

/// What came of a program on a model.
pub struct Answer {
    /// An answer for each property that was asked.
    pub outcomes: Vec<(Property, Outcome)>,
    /// What it cost.
    pub statistics: Statistics,
    /// How long it took.
    pub seconds: f64,
    /// The queries and proofs that were written.
    pub files: Vec<PathBuf>,
    /// What is to be said about them.
    pub remark: Option<String>,
}

impl Answer {
    /// What is known of a property.
    pub fn outcome(&self, property: Property) -> Option<&Outcome> {
        self.outcomes.iter().find(|(own, _)| *own == property).map(|(_, outcome)| outcome)
    }
}

/// What a verification needs from outside.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Stops everything.
    pub interrupter: &'a Interrupter,
    /// What to write about the answers.
    pub evidence: &'a Wanted,
    /// Told what is being done.
    pub progress: &'a dyn Fn(Doing),
}

/// Verifies a program on a model.
pub fn verify(subject: &Subject, model: &Model, context: Context<'_>) -> Answer {
    let start = Instant::now();
    let request = &subject.request;
    let limits = Limits {
        deadline: request.time_limit.map(|limit| start + limit),
        memory: request.memory_limit.map(MemoryLimit::new),
        interrupter: context.interrupter.clone(),
        ..Limits::default()
    };
    let name = format!("{}.{}", subject.stem(), model.name);
    let (journal, mut remark) = match context.evidence.journal(&name) {
        Ok(journal) => (journal, None),
        Err(error) => (None, Some(error)),
    };
    let cell = Cell { subject, model, context, limits: limits.clone(), journal };
    let (outcomes, statistics) = match target::compile(&subject.program, model) {
        Ok(program) => cell.ask(&program),
        Err(Unsupported { what, place }) => {
            let why = unsupported(&subject.program, what, place);
            (cell.all(&Outcome::Inconclusive(why)), Statistics::default())
        }
    };
    let mut files = Vec::new();
    if let Some(journal) = &cell.journal {
        let holds = outcomes.iter().all(|(_, outcome)| matches!(outcome, Outcome::Holds));
        (files, remark) = context.evidence.finish(journal, &name, holds, &limits);
    }
    Answer { outcomes, statistics, seconds: start.elapsed().as_secs_f64(), files, remark }
}

/// A replayed execution as the reporter wants it.
pub fn story(
    title: Title,
    program: &Program,
    model: &Model,
    problem: &Problem,
    replayed: &Replayed,
) -> report::counterexample::Counterexample {
    let columns = replayed.threads.len();
    let composed = Composed { program: program.clone(), instances: IdVec::new(), columns };
    story::story(title, &composed, &ObservationSet::default(), model, problem, replayed)
}

fn unsupported(program: &Program, what: String, place: Option<LocId>) -> Why {
    let location = place.and_then(|place| user_place(program, place.index()).0);
    Why::Unsupported { what, location }
}

struct Cell<'a> {
    subject: &'a Subject,
    model: &'a Model,
    context: Context<'a>,
    limits: Limits,
    journal: Option<Journal>,
}

impl Cell<'_> {
    /// The same answer for every property.
    fn all(&self, outcome: &Outcome) -> Vec<(Property, Outcome)> {
        let properties = self.subject.request.properties.iter();
        properties.map(|&property| (property, outcome.clone())).collect()
    }

    fn ask(&self, program: &Program) -> (Vec<(Property, Outcome)>, Statistics) {
        let request = &self.subject.request;
        let encoding = encode::Options {
            limits: self.limits.clone(),
            journal: self.journal.clone(),
            ..encode::Options::default()
        };
        let options = Options {
            max_unroll: request.max_unroll.unwrap_or(DEFAULT_UNROLL),
            encoding,
            progress: &|progress| (self.context.progress)(Doing::Checking(progress)),
        };
        let Report { verdicts, statistics } =
            verification::verify(program, self.model, &request.properties, &options);
        let outcomes = verdicts
            .into_iter()
            .map(|(property, verdict)| (property, self.outcome(program, property, verdict)))
            .collect();
        (outcomes, statistics)
    }

    /// A verdict for people; violations only if the replay agrees.
    fn outcome(&self, program: &Program, property: Property, verdict: Verdict) -> Outcome {
        match verdict {
            Verdict::Holds => Outcome::Holds,
            Verdict::HoldsWithinBounds(bounds) => Outcome::HoldsWithinBounds(
                bounds
                    .iter()
                    .map(|b| Bound::at(program, (b.place.map(Id::index), b.iterations)))
                    .collect(),
            ),
            Verdict::Inconclusive(Reason::Unsupported { what, place }) => {
                Outcome::Inconclusive(unsupported(program, what, place))
            }
            Verdict::Inconclusive(_) => Outcome::Inconclusive(Why::of(&self.limits)),
            Verdict::Violated(counterexample) => {
                (self.context.progress)(Doing::Replaying);
                self.violated(program, property, *counterexample)
                    .unwrap_or_else(|what| Outcome::Inconclusive(Why::Mismatch(what)))
            }
        }
    }

    fn violated(
        &self,
        program: &Program,
        property: Property,
        counterexample: Counterexample,
    ) -> Result<Outcome, String> {
        let problem = Problem::of(&counterexample.violation);
        let (Some(problem), Some(witness)) = (problem, counterexample.witness) else {
            return Err("the engine gives a violation without a witness".to_string());
        };
        let replayed = confirm(program, self.model, &witness, &problem)?;
        let title = title(self.subject, property, self.model);
        let story = story(title, program, self.model, &problem, &replayed);
        let (problem, witness) = (Some(problem), Some(witness));
        Ok(Outcome::Violated(Box::new(Violated { problem, witness, story })))
    }
}

/// What a counterexample is about.
pub fn title(subject: &Subject, property: Property, model: &Model) -> Title {
    let file = subject.path.display().to_string();
    Title { file, test: property.name().to_string(), model: model.name.clone() }
}
