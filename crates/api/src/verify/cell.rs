//! One program on one model: the check, and the recheck of everything that it finds.

use super::plan::{DEFAULT_UNROLL, Request, Subject};
use super::schedule::{self, Shows};
use crate::answer::{AFTERWARDS, Confirmed, Doing, located, memory_limit, unconfirmed};
use crate::evidence::{Wanted, Written};
use crate::guard::guarded;
use crate::target::{self, dialect};
use encoding::bounded::Goal;
use encoding::encode;
use engines::bounded::unrolling::CheckOptions;
use engines::engine::{Claim, LONGEST_COVERING, is_confirmed};
use engines::explore::Because;
use engines::verdict::{Counterexample as EngineFound, Verdict as EngineVerdict};
use engines::verification::coverage::{self, Coverage};
use engines::verification::outcomes::Observed;
use engines::verification::{EngineChoice, Portfolio, Property, Questions, Report};
use execution::ids::IdVec;
use execution::observation::ObservationSet;
use execution::printable::shown;
use execution::question::{Question, Step};
use execution::span::Location;
use execution::statistics::{Explored, Statistics};
use execution::verdict::{Counterexample, Established, Reason, Verdict, Violation};
use execution::witness::Witness;
use ir::passes::mapping::Unsupported;
use ir::program::Program;
use models::Model;
use replay::{Replayed, Under, confirm};
use report::explain::Threads;
use report::explain::story::{self, Title};
use report::words::brief;
use sat::{Exceeded, Interrupter, Journal, Limits};
use std::cell::{self, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::time::Instant;

/// What came of a program on a model.
pub struct Answer {
    /// An answer for each property that was asked.
    pub outcomes: Vec<(Property, Confirmed)>,
    /// What can be observed, if that was asked.
    pub observed: Option<Vec<Observed>>,
    /// For each of them, an execution that shows it.
    pub shown_by: Vec<Witness>,
    /// What executions come to, if that was asked.
    pub covered: Option<Vec<Covered>>,
    /// The results of operations that are known from runs alone, each with an execution that has it.
    pub results: Vec<Covered>,
    /// Whether there can be more of both.
    pub rest: Confirmed,
    /// Whether one of these was asked.
    pub about_behaviours: bool,
    /// Whether some execution ends where something goes wrong, if that was found out.
    pub goes_wrong: bool,
    /// What it cost.
    pub statistics: Statistics,
    /// How long it took.
    pub seconds: f64,
    /// The queries and proofs that were written.
    pub written: Written,
    /// What runs answered that were explored although that was not asked for, and why: properties, and
    /// whether there are other behaviours (`None`).
    pub explored: BTreeMap<Option<Property>, Because>,
    /// By which engine each property was answered, if it was.
    pub answered_by: BTreeMap<Property, &'static str>,
}

/// A branch or an assertion of the program.
pub struct Covered {
    /// Which.
    pub goal: Goal,
    /// What it is called in names of files.
    pub name: String,
    /// What it is called at its place.
    pub direction: String,
    /// Where it is.
    pub location: Location,
    /// An execution that reaches it, if there is one.
    pub witness: Option<Witness>,
    /// What such an execution shows.
    pub shows: Shows,
}

impl Answer {
    /// The same answer to every question.
    pub fn nothing(request: &Request, outcome: Confirmed) -> Self {
        let properties = request.properties.iter();
        Self {
            outcomes: properties.map(|&property| (property, outcome.clone())).collect(),
            observed: None,
            shown_by: Vec::new(),
            covered: None,
            results: Vec::new(),
            rest: outcome,
            about_behaviours: request.asks_for_outcomes() || request.coverage || request.count,
            goes_wrong: false,
            statistics: Statistics::default(),
            answered_by: BTreeMap::new(),
            seconds: 0.0,
            written: Written::default(),
            explored: BTreeMap::new(),
        }
    }

    /// What is known where the search was ended: for this reason there is nothing more.
    pub fn ended(mut self, reason: &Reason) -> Self {
        let all = self.outcomes.iter_mut().map(|(_, outcome)| outcome);
        for outcome in all.chain([&mut self.rest]) {
            if let Verdict::Inconclusive(Reason::Limit(Exceeded::Time), known) =
                &mut outcome.verdict
            {
                outcome.verdict = Verdict::Inconclusive(reason.clone(), std::mem::take(known));
            }
        }
        self
    }

    /// The same, where coverage was found out only to name schedules by it.
    pub fn without_coverage(&mut self, request: &Request) {
        (self.covered, self.results) = (None, Vec::new());
        self.about_behaviours = request.asks_for_outcomes();
    }

    fn with(self, outcomes: Vec<(Property, Confirmed)>) -> Self {
        Self { outcomes, ..self }
    }

    /// What is known of a property.
    pub fn outcome(&self, property: Property) -> Option<&Confirmed> {
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
    /// What the files are called.
    pub name: &'a str,
    /// Is called with what is being done.
    pub progress: &'a dyn Fn(Doing),
    /// Is called with the answer that counts if no other is found in time.
    pub publish: &'a dyn Fn(Answer),
}

/// Verifies a program on a model. A panic is a mistake of ours about this model; the others go on.
pub fn verify(subject: &Subject, model: &Model, context: Context<'_>) -> Answer {
    let start = Instant::now();
    guarded(|| verify_or_panic(subject, model, context)).unwrap_or_else(|what| Answer {
        seconds: start.elapsed().as_secs_f64(),
        ..Answer::nothing(&subject.request, Confirmed::unknown(Reason::Internal(what)))
    })
}

/// The same without files, reports of progress or interruption.
pub fn verify_quietly(subject: &Subject, model: &Model) -> Answer {
    let context = Context {
        interrupter: &Interrupter::default(),
        evidence: &Wanted::default(),
        name: "",
        progress: &|_| {},
        publish: &|_| {},
    };
    verify(subject, model, context)
}

fn verify_or_panic(subject: &Subject, model: &Model, context: Context<'_>) -> Answer {
    let start = Instant::now();
    let request = &subject.request;
    let limits = Limits {
        deadline: request.time_limit.map(|limit| start + limit),
        memory: memory_limit(request.memory_limit),
        interrupter: context.interrupter.clone(),
        ..Limits::default()
    };
    let (journal, mut written) = match context.evidence.journal(context.name) {
        Ok(journal) => (journal, Written::default()),
        Err(error) => (None, Written::failure(error)),
    };
    let afterwards = OnceCell::new();
    let (explored, found) = Default::default();
    let limited = limits.clone();
    let cell =
        Cell { subject, model, context, limits: limited, afterwards, journal, explored, found };
    let mut answer = match target::compile(&subject.program, model) {
        Ok(program) => cell.ask(&program),
        Err(Unsupported { what, place }) => {
            let reason = Reason::Unsupported { what, place };
            let refused = located(Verdict::unknown(reason), &subject.program);
            Answer::nothing(request, Confirmed::verdict(refused))
        }
    };
    if let Some(journal) = &cell.journal {
        let holds =
            answer.outcomes.iter().all(|(_, outcome)| matches!(outcome.verdict, Verdict::Holds));
        written = context.evidence.finish(journal, context.name, holds, &limits);
    }
    answer.seconds = start.elapsed().as_secs_f64();
    answer.written = written;
    answer
}

/// A replayed execution as the reporter wants it.
pub fn story(
    title: Title,
    model: &Model,
    violation: &Violation,
    replayed: &Replayed,
) -> report::counterexample::Counterexample {
    let threads = Threads { columns: replayed.threads.len(), instances: &IdVec::new() };
    story::story(title, threads, &ObservationSet::default(), model, violation, replayed)
}

struct Cell<'a> {
    subject: &'a Subject,
    model: &'a Model,
    context: Context<'a>,
    limits: Limits,
    /// The limits for replays of what was found, once there is something to replay.
    afterwards: OnceCell<Limits>,
    journal: Option<Journal>,
    /// What runs have shown so far, and the violations that were found meanwhile, replayed.
    explored: cell::Cell<Explored>,
    found: RefCell<BTreeMap<Property, Confirmed>>,
}

/// What is replayed for coverage.
fn a_branch() -> Violation {
    Violation::Reached("a branch".to_string())
}

impl Cell<'_> {
    fn ask(&self, program: &Program) -> Answer {
        let request = &self.subject.request;
        let encoding = encode::EncodeOptions {
            limits: self.limits.clone(),
            journal: self.journal.clone(),
            mutexes: request.mutexes,
            symmetry: !request.no_symmetry,
            ..encode::EncodeOptions::default()
        };
        let options = CheckOptions {
            max_unroll: request.max_unroll.unwrap_or(DEFAULT_UNROLL),
            encoding,
            progress: &|step| {
                if let Step::Exploring(explored, _) = step
                    && (request.engine == EngineChoice::Explore || !request.c.natives.is_empty())
                {
                    self.explored.set(explored);
                    (self.context.publish)(self.explored_so_far());
                }
                (self.context.progress)(step.into());
            },
        };
        let questions = Questions {
            properties: request.properties.clone(),
            outcomes: request.observations(),
            coverage: request.coverage,
            results: request.results,
            count: request.count,
            ..Questions::default()
        };
        let interleavings = self.subject.interleavings.clone();
        let portfolio = Portfolio { engine: request.engine, interleavings };
        let Report { verdicts, answered_by, behaviours, rest, statistics, cut, explored } =
            portfolio.verify_confirmed_by(program, self.model, &questions, &options, &|claim| {
                match claim {
                    Claim::Found(property, found) => self.is_found(program, property, found),
                    _ => is_confirmed(program, self.model, &self.limits, claim),
                }
            });
        let outcomes = self.outcomes(program, verdicts, &statistics);
        let mut rest = self.outcome(program, None, rest);
        let mut shown_by = Vec::new();
        let observed = behaviours.outcomes.and_then(|all| {
            let (observed, problem) = self.observed(program, all);
            let observed = observed.into_iter().map(|(observed, witness)| {
                shown_by.push(witness);
                observed
            });
            let observed: Vec<Observed> = observed.collect();
            let mismatch = matches!(problem, Some(Reason::Mismatch(_)));
            rest = problem.map_or(rest.clone(), Confirmed::unknown);
            (!mismatch).then_some(observed)
        });
        let mut results = Vec::new();
        let covered = behaviours.coverage.map(|mut coverage| {
            if let Err(problem) = self.confirm_coverage(program, &mut coverage) {
                rest = Confirmed::unknown(problem);
            }
            results = results_of(program, &coverage);
            covered(program, &coverage)
        });
        Answer {
            observed,
            shown_by,
            covered,
            results,
            rest,
            goes_wrong: cut.is_some(),
            statistics,
            explored,
            answered_by,
            ..Answer::nothing(request, Confirmed::verdict(Verdict::Holds))
        }
        .with(outcomes)
    }

    /// What is known while runs are explored, should a formula take so long that the search has to be
    /// abandoned.
    fn explored_so_far(&self) -> Answer {
        let (request, explored) = (&self.subject.request, self.explored.get());
        let found = self.found.borrow();
        let known = |question: Question| {
            let wanted = vec![question];
            let established = Established { explored, wanted, ..Established::default() };
            let reason = Reason::Limit(Exceeded::Time);
            Confirmed::verdict(Verdict::Inconclusive(reason, established))
        };
        let outcomes = request.properties.iter();
        let outcomes = outcomes
            .map(|property| {
                let found = found.get(property).cloned();
                (*property, found.unwrap_or_else(|| known(property.question())))
            })
            .collect();
        let statistics = Statistics { explored, ..Statistics::default() };
        let rest = Answer::nothing(request, known(Question::Bounds));
        Answer { statistics, ..rest }.with(outcomes)
    }

    /// Replays what was found while the search goes on, and says so.
    fn is_found(&self, program: &Program, property: Property, found: &EngineFound) -> bool {
        let verdict = EngineVerdict::Violated(Box::new(found.clone()));
        let outcome = self.outcome(program, Some(property), verdict);
        let Some((_, story)) = outcome.violation() else { return false };
        (self.context.progress)(Doing::Found(format!("{}: {}", property.name(), brief(story))));
        self.found.borrow_mut().insert(property, outcome);
        (self.context.publish)(self.explored_so_far());
        true
    }

    /// The verdicts for people. Violations are replayed last, and what is known is published before
    /// each: a long execution may take longer to replay than to find.
    fn outcomes(
        &self,
        program: &Program,
        verdicts: BTreeMap<Property, EngineVerdict>,
        statistics: &Statistics,
    ) -> Vec<(Property, Confirmed)> {
        let mut outcomes = Vec::new();
        let mut violations = Vec::new();
        for (property, verdict) in verdicts {
            let open = Confirmed::unknown(Reason::limit(&self.limits));
            let outcome = match verdict {
                // What was found while the search went on is replayed already.
                EngineVerdict::Violated(_) => {
                    let found = self.found.borrow_mut().remove(&property);
                    if found.is_none() {
                        violations.push((outcomes.len(), verdict));
                    }
                    found.unwrap_or(open)
                }
                verdict => self.outcome(program, Some(property), verdict),
            };
            outcomes.push((property, outcome));
        }
        for (position, verdict) in violations {
            let open = Confirmed::unknown(Reason::limit(&self.limits));
            let known = Answer::nothing(&self.subject.request, open).with(outcomes.clone());
            (self.context.publish)(Answer { statistics: *statistics, ..known });
            let property = outcomes[position].0;
            outcomes[position].1 = self.outcome(program, Some(property), verdict);
        }
        outcomes
    }

    /// Runs an execution that was found again, also a little after a limit was reached.
    fn confirm(
        &self,
        program: &Program,
        witness: &Witness,
        violation: &Violation,
    ) -> Result<Replayed, Reason> {
        let limits = self.afterwards.get_or_init(|| self.limits.afterwards(AFTERWARDS));
        let under = Under { model: self.model, limits };
        confirm(program, under, witness, violation).map_err(|why| unconfirmed(why, limits))
    }

    /// What was observed and replayed, and why that is not all.
    fn observed(
        &self,
        program: &Program,
        all: BTreeMap<Observed, Witness>,
    ) -> (Vec<(Observed, Witness)>, Option<Reason>) {
        (self.context.progress)(Doing::Replaying);
        let mut seen = Vec::new();
        for (observed, witness) in all {
            if let Err(why) = self.is_observed(program, &observed, &witness) {
                return (seen, Some(why));
            }
            seen.push((observed, witness));
        }
        (seen, None)
    }

    /// An error unless the replay of an execution observes this.
    fn is_observed(
        &self,
        program: &Program,
        observed: &Observed,
        witness: &Witness,
    ) -> Result<(), Reason> {
        let problem = Violation::Reached("an outcome".to_string());
        let replayed = self.confirm(program, witness, &problem)?;
        let at_the_end = self.subject.request.observations().is_at_the_end();
        let execution = (witness, &replayed);
        match schedule::is_observed(observed, execution, at_the_end) {
            true => Ok(()),
            false => {
                let seen = schedule::seen(execution);
                Err(Reason::Mismatch(format!("the replay observes {seen:?}, not {observed:?}")))
            }
        }
    }

    /// Leaves only goals that are reached by executions which the replay follows; the error says
    /// what it does not follow, or that there is no time for it.
    fn confirm_coverage(&self, program: &Program, coverage: &mut Coverage) -> Result<(), Reason> {
        (self.context.progress)(Doing::Replaying);
        let mut result = Ok(());
        for number in 0..coverage.witnesses.len() {
            let witness = &coverage.witnesses[number];
            let problem = a_branch();
            if witness.accesses() > LONGEST_COVERING {
                continue;
            }
            if let Err(problem) = self.confirm(program, witness, &problem) {
                coverage.reached.retain(|_, reached| *reached != number);
                result = Err(problem);
            }
        }
        result
    }

    /// A verdict on a property, or on everything else, for people; violations only if the replay
    /// agrees.
    fn outcome(
        &self,
        program: &Program,
        question: Option<Property>,
        verdict: EngineVerdict,
    ) -> Confirmed {
        match located(verdict, program) {
            Verdict::Violated(counterexample) => {
                (self.context.progress)(Doing::Replaying);
                self.violated(program, question, *counterexample).unwrap_or_else(Confirmed::unknown)
            }
            Verdict::Inconclusive(reason @ Reason::Limit(_), mut known) => {
                known.wanted = wanted(&known, question);
                Confirmed::verdict(Verdict::Inconclusive(reason, known))
            }
            Verdict::Inconclusive(reason, _) => Confirmed::unknown(reason),
            verdict => Confirmed::verdict(verdict),
        }
    }

    fn violated(
        &self,
        program: &Program,
        property: Option<Property>,
        counterexample: Counterexample,
    ) -> Result<Confirmed, Reason> {
        let Some(witness) = &counterexample.witness else {
            let what = "the engine gives a violation without a witness";
            return Err(Reason::Mismatch(what.to_string()));
        };
        let replayed = self.confirm(program, witness, &counterexample.violation)?;
        let what = property.map_or("", Property::name);
        let title = title(self.subject, what, self.model);
        let story = story(title, self.model, &counterexample.violation, &replayed);
        Ok(Confirmed::violated(counterexample, story))
    }
}

/// What must be answered with no for a property to hold, or for nothing to be left.
fn wanted(known: &Established, property: Option<Property>) -> Vec<Question> {
    match (known.states, property) {
        (Some(_), _) => vec![Question::States],
        (None, Some(property)) => vec![property.question(), Question::Bounds],
        (None, None) => vec![Question::Bounds],
    }
}

/// The goals of a program that are in the user's own files, with what is known of them.
fn covered(program: &Program, coverage: &Coverage) -> Vec<Covered> {
    let mut all = Vec::new();
    for (goal, place) in coverage::goals(program) {
        let Some(place) = place.filter(|_| coverage::is_shown(program, place)) else { continue };
        let location = &program.places[place].location;
        let witness = coverage.reached.get(&goal).map(|&number| coverage.witnesses[number].clone());
        let name = coverage::name(program, goal);
        let direction = coverage::direction(program, goal);
        let (location, shows) = (location.clone(), Shows::of(program, goal, ""));
        all.push(Covered { goal, name, direction, location, witness, shows });
    }
    all.sort_by(|a, b| (&a.location, a.goal).cmp(&(&b.location, b.goal)));
    all
}

/// The results of operations that executions have, where they are the user's own operations.
fn results_of(program: &Program, coverage: &Coverage) -> Vec<Covered> {
    let mut all = Vec::new();
    for (&goal, (what, place)) in &coverage.results {
        let Some(&number) = coverage.reached.get(&goal) else { continue };
        let Some(place) = place.filter(|_| coverage::is_shown(program, *place)) else { continue };
        let location = program.places[place].location.clone();
        let (name, direction) = (coverage::name(program, goal), what.clone());
        let witness = Some(coverage.witnesses[number].clone());
        let shows = Shows::of(program, goal, what);
        all.push(Covered { goal, name, direction, location, witness, shows });
    }
    all.sort_by(|a, b| (&a.location, a.goal).cmp(&(&b.location, b.goal)));
    all
}

/// What a counterexample is about.
pub fn title(subject: &Subject, what: &str, model: &Model) -> Title {
    let file = shown(&subject.path);
    let dialect = dialect(&subject.program);
    Title { file, test: what.to_string(), model: model.name.clone(), dialect }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::plan::plan;

    #[test]
    fn a_panic_is_an_internal_error_about_every_property_of_this_model() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("program.c");
        std::fs::write(&path, "int main(void) { return 0; }").expect("written");
        let properties = vec![Property::Assert, Property::Leak];
        let request = Request { properties, ..Request::default() };
        let Ok(subject) = plan(&path, &request) else { panic!("it compiles") };
        let context = Context {
            interrupter: &Interrupter::default(),
            evidence: &Wanted::default(),
            name: "",
            progress: &|_| panic!("in the middle"),
            publish: &|_| {},
        };
        let answer = verify(&subject, &subject.models[0], context);
        assert_eq!(answer.outcomes.len(), 2);
        for (_, outcome) in answer.outcomes {
            let Some(Reason::Internal(what)) = outcome.reason() else { panic!("no error") };
            assert_eq!(what, "in the middle");
        }
    }
}
