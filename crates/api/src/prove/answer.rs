//! The answer for one model: a proof, an execution of a few threads that shows what is wrong, or
//! what could not be excluded.
//!
//! What the views cannot exclude is never said to be a bug. Executions of two and three threads in
//! which something goes wrong give tests of the data type; `check` answers these, confirms the
//! counterexample by a replay, and explains it.

use super::plan::Subject;
use crate::answer::memory_limit;
use crate::check::cell::{self, Context};
use crate::check::plan::{self as tests, Subject as Test};
use crate::evidence::Wanted;
use crate::target;
use engines::test::compose::Composed;
use engines::views::{self, Cost, Doubt, Open, Options, Proof, Proved, Rung, TestShape, Verdict};
use execution::verdict::Verdict as Checked;
use ir::program::Program;
use limits::Exceeded;
use sat::{Interrupter, Limits};
use std::time::{Duration, Instant};

/// What came of a data type on one model.
pub struct Answer {
    pub outcome: Outcome,
    /// The rungs of the ladder that were tried.
    pub rungs: Vec<Rung>,
    pub cost: Cost,
    pub seconds: f64,
    /// The program as it is compiled for the model, whose places the answer names.
    pub program: Program,
}

/// The answer for one model, or which limit was not kept.
pub type Reply = Result<Answer, Exceeded>;

/// The answer.
pub enum Outcome {
    /// Right for any number of threads.
    Proved(Proved),
    /// A test of the data type is violated, as a replay has confirmed.
    Violated(Box<Violated>),
    /// Something could not be excluded.
    Open(Box<Open>),
    /// The program has something that has no meaning here.
    Refused { what: String, place: Option<ir::program::LocId> },
    /// This limit was reached.
    Limit(Exceeded),
}

/// A test that shows what is wrong.
pub struct Violated {
    /// The test, in the notation of tests.
    pub notation: String,
    /// The data type with the test.
    pub test: Test,
    /// Its answer, with the counterexample.
    pub answer: cell::Answer,
}

/// What an answer needs from outside.
#[derive(Clone, Copy)]
pub struct Asking<'a> {
    /// Stops everything.
    pub interrupter: &'a Interrupter,
    /// Is called with what is being done.
    pub progress: &'a dyn Fn(String),
}

/// Asks about a data type on the model of this number.
pub fn prove(subject: &Subject, model: usize, asking: Asking<'_>) -> Answer {
    let start = Instant::now();
    let request = &subject.request;
    let limits = Limits {
        deadline: request.time_limit.map(|limit| start + limit),
        memory: memory_limit(request.memory_limit),
        interrupter: asking.interrupter.clone(),
        ..Limits::default()
    };
    let test = &subject.test.tests[0];
    let model_ref = &*subject.test.models[model];
    let finish = |outcome, rungs, cost, program| {
        let seconds = start.elapsed().as_secs_f64();
        Answer { outcome, rungs, cost, seconds, program }
    };
    let compiled = |composed: &Composed| {
        let program = target::compile(&composed.program, model_ref)?;
        Ok::<_, ir::passes::mapping::Unsupported>(Composed { program, ..composed.clone() })
    };
    let reference = test.spec.as_ref().map(compiled).transpose();
    let (composed, reference) = match (compiled(&test.composed), reference) {
        (Ok(composed), Ok(reference)) => (composed, reference),
        (Err(refused), _) | (_, Err(refused)) => {
            let outcome = Outcome::Refused { what: refused.what, place: refused.place };
            return finish(outcome, Vec::new(), Cost::default(), test.composed.program.clone());
        }
    };
    // Small tests answer quickly what a search for a proof may not answer in time.
    let for_proof = request.time_limit.map(|limit| start + limit - limit / RESERVED);
    let proof_limits = Limits { deadline: for_proof, ..limits.clone() };
    let options = Options {
        buffers: model_ref.name == "tso",
        values: request.values,
        size: request.size,
        shape: subject.shape,
        abstraction: subject.abstraction.clone(),
        limits: proof_limits,
    };
    let progress = |views: usize| (asking.progress)(format!("{views} views"));
    let Proof { verdict, rungs, cost } =
        views::prove(&composed, reference.as_ref(), &options, &progress);
    let try_tests = |tests: &[TestShape], patience: &[Duration]| {
        violated(subject, model, (tests, patience), &limits, asking)
    };
    let small = || small_tests(&subject.operations);
    let (found, otherwise) = match verdict {
        Verdict::Proved(proved) => {
            let asked = proved.deadlock.is_open();
            let found = asked.then(|| try_tests(&small(), &PATIENCE_UNASKED)).flatten();
            (found, Outcome::Proved(proved))
        }
        Verdict::Refused { what, place } => (None, Outcome::Refused { what, place }),
        Verdict::Limit => {
            let why = options.limits.exceeded().unwrap_or(Exceeded::Time);
            // Executions of two threads have not been explored, if the proof took all its time.
            let now = Instant::now();
            let half = limits.deadline.map(|end| now + end.saturating_duration_since(now) / 2);
            let limits = Limits { deadline: half, ..limits.clone() };
            let options = Options { limits, ..options.clone() };
            let seen = half
                .and_then(|_| views::explore(&composed, reference.as_ref(), &options, 2))
                .map_or_else(Vec::new, |seen| seen.tests);
            let found = try_tests(&seen, &PATIENCE);
            (found.or_else(|| try_tests(&small(), &PATIENCE_UNASKED)), Outcome::Limit(why))
        }
        Verdict::Open(open) => {
            let found = try_tests(&open.tests, &PATIENCE).or_else(|| {
                // What the search has stopped at hides what is wrong elsewhere.
                let is_finding = matches!(open.doubt, Doubt::Finding(_));
                let hidden = open.explored == 0 && (open.tests.is_empty() || !is_finding);
                // Exploring does not look for deadlocks.
                let most = if hidden { MOST_UNASKED } else { MOST_FOR_DEADLOCKS };
                let all = small().into_iter().filter(|it| !open.tests.contains(it));
                try_tests(&all.take(most).collect::<Vec<_>>(), &PATIENCE_UNASKED[1..])
            });
            (found, Outcome::Open(open))
        }
    };
    let outcome = found.map_or(otherwise, |violated| Outcome::Violated(Box::new(violated)));
    finish(outcome, rungs, cost, composed.program)
}

/// Of a time limit, this part is for small tests, if there is no proof until then.
const RESERVED: u32 = 4;
/// A single test may take this part of the time that is left.
const SHARE: u32 = 3;
/// At most this many tests are tried that no execution suggests.
const MOST_UNASKED: usize = 24;
/// The same where executions of two threads were explored.
const MOST_FOR_DEADLOCKS: usize = 3;
/// What a single test may take: all are tried for a short time before one gets a long one.
const PATIENCE: [Duration; 4] = [
    Duration::from_secs(2),
    Duration::from_secs(10),
    Duration::from_secs(60),
    Duration::from_secs(600),
];
/// The same for tests that no execution suggests.
const PATIENCE_UNASKED: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(5)];
/// Of this many operations, all sets of three are tried.
const FEW_OPERATIONS: usize = 4;

/// Small tests, in which threads may disturb each other or wait for each other: each operation with
/// each, after none; with two others, if there are few operations; and with each, after one.
fn small_tests(operations: &[String]) -> Vec<TestShape> {
    let count = operations.len();
    let test = |initial: &[usize], threads: &[usize]| {
        let names = |of: &[usize]| of.iter().map(|&at| operations[at].clone()).collect();
        let threads = threads.iter().map(|&at| names(&[at])).collect();
        TestShape { initial: names(initial), threads }
    };
    let pairs: Vec<[usize; 2]> = (0..count).flat_map(|a| (a..count).map(move |b| [a, b])).collect();
    let mut all: Vec<TestShape> = pairs.iter().map(|pair| test(&[], pair)).collect();
    if count <= FEW_OPERATIONS {
        let triples = pairs.iter().flat_map(|&[a, b]| (b..count).map(move |c| [a, b, c]));
        all.extend(triples.map(|triple| test(&[], &triple)));
    }
    all.extend(
        (0..count)
            .flat_map(|first| pairs.iter().map(move |pair| (first, pair)))
            .map(|(first, pair)| test(&[first], pair)),
    );
    all
}

/// The first of the tests that is violated, if one is.
fn violated(
    subject: &Subject,
    model: usize,
    (shapes, patience): (&[TestShape], &[Duration]),
    limits: &Limits,
    asking: Asking<'_>,
) -> Option<Violated> {
    let models = vec![subject.test.model_names[model].clone()];
    let mut open: Vec<&TestShape> = shapes.iter().collect();
    for &most in patience {
        for shape in std::mem::take(&mut open) {
            let now = Instant::now();
            let left = limits.deadline.map(|end| end.saturating_duration_since(now) / SHARE);
            if limits.expired() {
                return None;
            }
            let notation = shape.to_string();
            (asking.progress)(format!("checking {notation}"));
            let request = tests::Request {
                tests: vec![notation.clone()],
                models: models.clone(),
                time_limit: Some(left.map_or(most, |left| left.min(most))),
                ..subject.test.request.clone()
            };
            let test = tests::plan(&request).ok()?.pop()?;
            let context = Context {
                cache: None,
                interrupter: asking.interrupter,
                evidence: &Wanted::default(),
                name: "",
                progress: &|_| {},
                publish: &|_| {},
            };
            let answer = cell::check(&test, &test.tests[0], &test.models[0], context);
            match answer.outcome.verdict {
                Checked::Violated(_) => return Some(Violated { notation, test, answer }),
                Checked::Inconclusive(..) => open.push(shape),
                _ => {}
            }
        }
    }
    None
}
