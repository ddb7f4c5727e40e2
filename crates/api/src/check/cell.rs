//! One test on one model: serial executions, the check by one of the methods, and the recheck.

use super::cache::Cache;
use super::plan::{Prepared, Subject, of_spec};
use super::recheck::{Serial, recheck};
use crate::answer::{AFTERWARDS, Confirmed, Doing, located, memory_limit, unconfirmed};
use crate::evidence::{Wanted, Written};
use crate::guard::guarded;
use crate::target::{self, dialect};
use encoding::encode;
use engines::bounded::commit_points;
use engines::bounded::inclusion;
use engines::serial::{Failure, Mined, ObservationSet, Orders};
use engines::test::compose::Composed;
use engines::test::suite::Method;
use execution::diagnostic::Diagnostic;
use execution::printable::shown;
use execution::statistics::Statistics;
use execution::verdict::{Counterexample, Established, Mistake, Reason, Verdict, Violation};
use ir::passes::mapping::Unsupported;
use ir::program::Program;
use models::Model;
use replay::Under;
use report::explain::Threads;
use report::explain::story::{self, Title};
use sat::{Interrupter, Journal, Limits};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// What came of one test on one model.
pub struct Answer {
    /// The answer.
    pub outcome: Confirmed,
    /// What it cost.
    pub statistics: Statistics,
    /// How long it took, or had taken when it was found.
    pub seconds: f64,
    /// Whether it was known already.
    pub cached: bool,
    /// Queries and proofs that were written.
    pub written: Written,
}

impl Answer {
    /// An answer that cost nothing of which there are statistics.
    fn quick(outcome: Confirmed, start: Instant) -> Self {
        Self {
            outcome,
            statistics: Statistics::default(),
            seconds: start.elapsed().as_secs_f64(),
            cached: false,
            written: Written::default(),
        }
    }

    /// The answer of a check that was ended before it had one; of what it had published, only the
    /// reason changes.
    pub fn ended(known: Option<Self>, reason: Reason, seconds: f64) -> Self {
        let outcome = match known.as_ref().map(|known| &known.outcome) {
            Some(Confirmed { verdict: Verdict::Inconclusive(_, established), .. }) => {
                Confirmed::verdict(Verdict::Inconclusive(reason, established.clone()))
            }
            Some(answer) => answer.clone(),
            None => Confirmed::unknown(reason),
        };
        let statistics = known.map(|known| known.statistics).unwrap_or_default();
        Self { outcome, statistics, seconds, cached: false, written: Written::default() }
    }
}

/// What a check needs from outside.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Where known answers are.
    pub cache: Option<&'a Cache>,
    /// Stops everything.
    pub interrupter: &'a Interrupter,
    /// What is to be written about the answer.
    pub evidence: &'a Wanted,
    /// What the files are called.
    pub name: &'a str,
    /// Is called with what is being done.
    pub progress: &'a dyn Fn(Doing),
    /// Is called with the answer that counts if no other is found in time.
    pub publish: &'a dyn Fn(Answer),
}

/// What the cache keeps: verdicts that are not inconclusive.
#[derive(Serialize, Deserialize)]
struct Known {
    verdict: Verdict,
    statistics: Statistics,
    seconds: f64,
}

/// Checks a test on a model. A panic is a mistake of ours about one test on one model; the others go
/// on.
pub fn check(subject: &Subject, test: &Prepared, model: &Model, context: Context<'_>) -> Answer {
    in_any_case(|| check_or_panic(subject, test, model, context))
}

fn in_any_case(check: impl FnOnce() -> Answer) -> Answer {
    let start = Instant::now();
    // What a check shares with others is the cache and the serial executions, which are written
    // when they are whole.
    guarded(check)
        .unwrap_or_else(|what| Answer::quick(Confirmed::unknown(Reason::Internal(what)), start))
}

fn check_or_panic(
    subject: &Subject,
    test: &Prepared,
    model: &Model,
    context: Context<'_>,
) -> Answer {
    let start = Instant::now();
    let limits = Limits {
        deadline: test.time_limit.map(|limit| start + limit),
        memory: memory_limit(test.memory_limit),
        interrupter: context.interrupter.clone(),
        ..Limits::default()
    };
    let cell = Cell { subject, test, model, context, start, limits, compiled: &test.composed };
    let quick = |verdict| Answer::quick(Confirmed::verdict(verdict), start);
    let open = |known| Verdict::Inconclusive(Reason::limit(&cell.limits), known);
    (context.publish)(quick(open(Established::while_mining())));
    (context.progress)(Doing::Mining);
    let mined = test.serial.mined(test, context.cache, &cell.limits);
    let mined = mined.as_deref();
    if let Ok(Mined::Observations(set)) = mined {
        let observations = Some(set.len());
        (context.publish)(quick(open(Established { observations, ..Established::of_test() })));
    }
    match mined {
        Err(Failure::Input(error)) => quick(Verdict::unknown(cell.of_reference(error.clone()))),
        Err(Failure::Interrupted(limit)) => {
            let reason = Reason::Limit(*limit);
            quick(Verdict::Inconclusive(reason, Established::while_mining()))
        }
        Ok(Mined::Violated(violation)) => {
            let story = story::serial(cell.title(), &test.reference().instances, violation);
            let serial = Counterexample { violation: Violation::Serial, witness: None };
            Answer::quick(Confirmed::violated(serial, story), start)
        }
        Ok(Mined::Observations(set)) => match compile(test, model) {
            Ok(program) => {
                let compiled = Composed { program, ..test.composed.clone() };
                Cell { compiled: &compiled, ..cell }.answer(set)
            }
            Err(Unsupported { what, place }) => {
                let reason = Reason::Unsupported { what, place };
                quick(located(Verdict::unknown(reason), &test.composed.program))
            }
        },
    }
}

/// The program as it is compiled for a model.
fn compile(test: &Prepared, model: &Model) -> Result<Program, Unsupported> {
    if test.reuse_memory && model.is_of_language() {
        // There, only a read of what was freed would order what an allocator orders.
        let what = "the reuse of freed memory under a model of a language".to_string();
        return Err(Unsupported { what, place: None });
    }
    target::compile(&test.composed.program, model)
}

/// The threads of a test, for the reporter.
pub(crate) fn threads(composed: &Composed) -> Threads<'_> {
    Threads { columns: composed.columns, instances: &composed.instances }
}

/// Everything about a composed program that an answer depends on.
pub fn program_text(composed: &Composed) -> String {
    let mut text = ir::text::print(&composed.program);
    for instance in composed.instances.iter() {
        text += &format!("{} {}\n", instance.name, instance.restricted);
    }
    text
}

/// Everything about a model that an answer depends on.
pub fn model_text(model: &Model) -> String {
    let texts = model.sources().files().map(|file| &*file.text);
    std::iter::once(model.name.as_str()).chain(texts).collect::<Vec<_>>().join("\n")
}

struct Cell<'a> {
    subject: &'a Subject,
    test: &'a Prepared,
    model: &'a Model,
    context: Context<'a>,
    start: Instant,
    limits: Limits,
    /// The test as it is compiled for the model. Serial executions are those of the test as it is
    /// written, which no model changes.
    compiled: &'a Composed,
}

impl Cell<'_> {
    fn title(&self) -> Title {
        let test = match &self.test.name {
            Some(name) => format!("{name} {}", self.test.notation),
            None => self.test.notation.clone(),
        };
        let file = shown(&self.subject.path);
        let dialect = dialect(&self.test.composed.program);
        Title { file, test, model: self.model.name.clone(), dialect }
    }

    /// A mistake that the serial executions show.
    fn of_reference(&self, error: Diagnostic) -> Reason {
        Reason::Input(Box::new(match &self.subject.spec {
            Some((path, _)) => Mistake { error: error.note(of_spec(path)), of_spec: true },
            None => error.into(),
        }))
    }

    fn answer(&self, set: &ObservationSet) -> Answer {
        let evidence = self.context.evidence;
        let (journal, mut written) = match evidence.journal(self.context.name) {
            Ok(journal) => (journal, Written::default()),
            Err(error) => (None, Written::failure(error)),
        };
        let key = self.context.cache.map(|cache| (cache, self.key(cache, set)));
        // Evidence is made anew: the cache has only answers.
        let known = key.as_ref().filter(|_| journal.is_none());
        let known = known.and_then(|(cache, key)| cache.get::<Known>(key));
        let cached = known.is_some();
        let Known { verdict, statistics, seconds } =
            known.unwrap_or_else(|| self.find(set, journal.as_ref()));
        let known = Known { verdict, statistics, seconds };
        let decided = !matches!(known.verdict, Verdict::Inconclusive(..));
        if let (Some((cache, key)), true, false) = (&key, decided, cached) {
            cache.put(key, &known);
        }
        let outcome = self.confirmed(set, known.verdict);
        let holds = matches!(outcome.verdict, Verdict::Holds);
        if let Some(journal) = &journal {
            written = evidence.finish(journal, self.context.name, holds, &self.limits);
        }
        Answer { outcome, statistics, seconds, cached, written }
    }

    fn key(&self, cache: &Cache, set: &ObservationSet) -> String {
        let Prepared { max_unroll, value_sets, reuse_memory, method, wanted, .. } = self.test;
        let wanted = wanted.text();
        let options = format!("{max_unroll} {value_sets} {reuse_memory} {wanted}");
        let (method, right) = match method {
            Method::Observations => ("inclusion", set.to_string()),
            Method::CommitPoints => ("commit points", program_text(self.test.reference())),
        };
        let texts = [method, &program_text(self.compiled), &right, &model_text(self.model)];
        cache.key(texts.into_iter().chain([options.as_str()]))
    }

    /// Asks about the serial executions, which are known to be right.
    fn in_orders<T>(&self, ask: impl FnOnce(&Orders) -> T) -> Result<T, Reason> {
        (self.context.progress)(Doing::Mining);
        match self.test.serial.orders(self.test, &self.limits, |orders| orders.map(ask)) {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => {
                let what = "the serial executions are not the same when they are run again";
                Err(Reason::Mismatch(what.into()))
            }
            Err(Failure::Interrupted(limit)) => Err(Reason::Limit(limit)),
            Err(Failure::Input(error)) => Err(self.of_reference(error)),
        }
    }

    /// Asks the engine.
    fn find(&self, set: &ObservationSet, journal: Option<&Journal>) -> Known {
        let mut encoding = encode::EncodeOptions::default();
        encoding.values.value_sets = self.test.value_sets;
        encoding.unroll.reuse_blocks = self.test.reuse_memory;
        encoding.limits = self.limits.clone();
        encoding.journal = journal.cloned();
        encoding.initial_states = self.test.serial.initial_states(self.test, &self.limits);
        let options = inclusion::CheckOptions {
            max_unroll: self.test.max_unroll,
            encoding,
            progress: &|step| (self.context.progress)(step.into()),
        };
        let composed = self.compiled;
        let answer = match self.test.method {
            Method::Observations => {
                Ok(inclusion::check_only(composed, set, self.model, &options, &self.test.wanted))
            }
            Method::CommitPoints => self.in_orders(|orders| {
                let wanted = &self.test.wanted;
                commit_points::check_only(composed, orders, self.model, &options, wanted)
            }),
        };
        let (verdict, statistics) = match answer {
            Ok((verdict, statistics)) => (located(verdict, &composed.program), statistics),
            Err(reason) => {
                (Verdict::Inconclusive(reason, Established::of_test()), Statistics::default())
            }
        };
        self.known(set, verdict, statistics)
    }

    /// An answer, with what is known of the test in any case.
    fn known(&self, set: &ObservationSet, mut verdict: Verdict, statistics: Statistics) -> Known {
        match &mut verdict {
            // Nothing is known of a test that is wrong.
            Verdict::Inconclusive(Reason::Input(_), known) => *known = Established::default(),
            Verdict::Inconclusive(_, known) => {
                known.observations = Some(set.len());
                known.wanted = Established::<()>::OF_TESTS.to_vec();
            }
            _ => {}
        }
        Known { verdict, statistics, seconds: self.start.elapsed().as_secs_f64() }
    }

    /// A verdict for people; violations only if the replay agrees.
    fn confirmed(&self, set: &ObservationSet, verdict: Verdict) -> Confirmed {
        let counterexample = match verdict {
            Verdict::Violated(counterexample) => *counterexample,
            verdict => return Confirmed::verdict(verdict),
        };
        (self.context.progress)(Doing::Replaying);
        let Some(witness) = &counterexample.witness else {
            let what = "the engine gives a violation without a witness".to_string();
            return Confirmed::unknown(Reason::Mismatch(what));
        };
        let composed = self.compiled;
        let (reference, reuse) = (self.test.reference(), self.test.reuse_memory);
        let serial = Serial { reference, reuse, set };
        let limits = &self.limits.afterwards(AFTERWARDS);
        let under = Under { model: self.model, limits };
        let violation = &counterexample.violation;
        match recheck(composed, serial, under, witness, violation) {
            Err(why) => Confirmed::unknown(unconfirmed(why, limits)),
            Ok(replayed) => {
                let story = story::story(
                    self.title(),
                    threads(composed),
                    set,
                    self.model,
                    violation,
                    &replayed,
                );
                Confirmed::violated(counterexample, story)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error_of_one_check() {
        for (payload, text) in [("an index", "an index"), ("", "")] {
            let answer = in_any_case(|| panic!("{payload}"));
            let Some(Reason::Internal(what)) = answer.outcome.reason() else {
                panic!("an answer was given")
            };
            assert_eq!(what, text);
        }
    }
}
