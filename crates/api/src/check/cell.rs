//! One test on one model: serial executions, the check by one of the methods, and the recheck.

use super::cache::Cache;
use super::established::{Established, OF_TESTS};
use super::plan::{Prepared, Subject, of_spec};
use super::recheck::{Problem, Serial, Unconfirmed, Under, recheck};
use super::story::{self, Title};
use crate::evidence::{Wanted, Written};
use crate::guard::guarded;
use crate::target;
use encoding::encode;
use engines::commit_points;
use engines::inclusion::{self, Progress};
use engines::serial::{self, Explored, Failure, Mined, ObservationSet, Orders};
use engines::test::compose::{Composed, Instance};
use engines::test::suite::Method;
use engines::verdict::{self, Cut, Reason, Statistics, Verdict};
use execution::diagnostic::Diagnostic;
use execution::ids::Id;
use execution::printable::shown;
use execution::span::Location;
use execution::witness::Witness;
use ir::op::{Callee, Inst, Op, Operand};
use ir::passes::mapping::Unsupported;
use ir::program::{FuncId, LocId, Program};
use ir::value::Value;
use models::{Architecture, Model};
use report::counterexample::Counterexample;
use sat::{Exceeded, Interrupter, Journal, Limits, MemoryLimit};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// What came of one test on one model.
pub struct Answer {
    /// The answer.
    pub outcome: Outcome,
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
    /// The answer of a check that was ended before it had one; of what it had published, only the
    /// reason changes.
    pub fn ended(known: Option<Self>, why: Why, seconds: f64) -> Self {
        let outcome = match known.as_ref().map(|known| &known.outcome) {
            Some(Outcome::Inconclusive(_, established)) => {
                Outcome::Inconclusive(why, established.clone())
            }
            Some(answer) => answer.clone(),
            None => Outcome::unknown(why),
        };
        let statistics = known.map(|known| known.statistics).unwrap_or_default();
        Self { outcome, statistics, seconds, cached: false, written: Written::default() }
    }
}

/// An answer.
#[derive(Clone)]
pub enum Outcome {
    /// Proved.
    Holds,
    /// Nothing is wrong within these bounds.
    HoldsWithinBounds(Vec<Bound>),
    /// Nothing is wrong, but no execution comes to its end: what was looked at are only beginnings.
    Vacuous(Vec<Bound>, Unfinished),
    /// Something is wrong, and the replay agrees.
    Violated(Box<Violated>),
    /// There is no answer; what is known nevertheless.
    Inconclusive(Why, Established),
}

impl Outcome {
    /// There is no answer, and nothing is known.
    pub fn unknown(why: Why) -> Self {
        Outcome::Inconclusive(why, Established::default())
    }
}

/// Why no execution comes to its end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Unfinished {
    /// These threads of the test, with their operations, never do.
    Never(Vec<(usize, Vec<String>)>),
    /// Each of them can, but not all of them together.
    NotTogether,
    /// Of a whole program: assumptions fail in every execution.
    Discarded,
}

/// A loop that was followed only so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Where it is.
    pub location: Option<Location>,
    /// The function that it is in.
    pub function: String,
    /// How many iterations were looked at.
    pub iterations: u32,
    /// What it is.
    pub kind: BoundKind,
    /// Whether it is never followed further, whatever `--max-unroll` says.
    pub is_fixed: bool,
}

/// What was looked at only so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoundKind {
    /// A loop: so many iterations.
    Loop,
    /// A function that calls itself: so many calls.
    Recursion,
    /// An allocation: so many sizes.
    Allocation,
}

impl BoundKind {
    /// What is at a place of a program.
    pub fn at(program: &Program, place: usize) -> Self {
        match () {
            () if is_allocation(program, place) => Self::Allocation,
            () if is_recursion(program, place) => Self::Recursion,
            () => Self::Loop,
        }
    }
}

/// No loop that memory decides is followed further than this.
const MOST_UNROLL: u32 = 1000;

impl Bound {
    /// A loop at a place of a program, and how many iterations were looked at.
    pub fn at(program: &Program, (place, iterations): (Option<usize>, u32)) -> Self {
        let (location, function) =
            place.map_or((None, String::new()), |place| user_place(program, place));
        let kind = place.map_or(BoundKind::Loop, |place| BoundKind::at(program, place));
        Self { location, function, iterations, kind, is_fixed: iterations > MOST_UNROLL }
    }
}

/// A violation.
#[derive(Clone)]
pub struct Violated {
    /// What is wrong; `None` if it is a serial execution.
    pub problem: Option<Problem>,
    /// The execution; `None` if it is a serial one.
    pub witness: Option<Witness>,
    /// What to show.
    pub story: Counterexample,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The time was over.
    OutOfTime,
    /// The memory was full.
    OutOfMemory,
    /// Somebody interrupted.
    Interrupted,
    /// Something is not supported.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        location: Option<Location>,
    },
    /// Executions end where the language gives no meaning to going on: a memory error, or the use of
    /// an undefined value.
    Cut {
        /// What, in words.
        what: String,
        /// Where.
        location: Option<Location>,
        /// Whether no execution terminates in another way.
        every: bool,
    },
    /// The input is wrong, which only execution shows.
    Input(Box<Mistake>),
    /// The engine and the replay disagree: a mistake of ours.
    Mismatch(String),
    /// The check came to an end that it must not come to: a mistake of ours.
    Internal(String),
}

/// A mistake in the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// What is wrong.
    pub error: Diagnostic,
    /// Whether its places are in the text of the specification.
    pub of_spec: bool,
}

impl From<Diagnostic> for Mistake {
    fn from(error: Diagnostic) -> Self {
        Self { error, of_spec: false }
    }
}

impl From<Exceeded> for Why {
    fn from(exceeded: Exceeded) -> Self {
        match exceeded {
            Exceeded::Time => Why::OutOfTime,
            Exceeded::Memory => Why::OutOfMemory,
            Exceeded::Interrupted => Why::Interrupted,
        }
    }
}

impl Why {
    /// Where executions of a program end.
    pub fn cut(program: &Program, Cut { kind, place, every }: Cut) -> Why {
        let location = place.and_then(|place| user_place(program, place.index()).0);
        Why::Cut { what: kind.name().replace('-', " "), location, every }
    }

    /// Which of the limits was reached.
    pub fn of(limits: &Limits) -> Why {
        limits.exceeded().map_or(Why::OutOfTime, Why::from)
    }

    /// Why an execution that was found is not shown; it was run again within these limits.
    pub fn unconfirmed(unconfirmed: Unconfirmed, limits: &Limits) -> Why {
        match unconfirmed {
            Unconfirmed::Mismatch(what) => Why::Mismatch(what),
            Unconfirmed::GaveUp => Why::of(limits),
        }
    }
}

/// How much memory the process may use, in bytes, if the user says so; otherwise what the machine
/// has.
pub fn memory_limit(bytes: Option<u64>) -> Option<MemoryLimit> {
    bytes.map(MemoryLimit::new).or_else(MemoryLimit::of_machine)
}

/// When the time is over, what was found is still replayed for so long.
pub const AFTERWARDS: Duration = Duration::from_millis(500);

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doing {
    /// Running the operations one after the other.
    Mining,
    /// Looking for something wrong.
    Checking(Progress),
    /// Replaying a counterexample.
    Replaying,
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
    /// Told what is being done.
    pub progress: &'a dyn Fn(Doing),
    /// Told what the answer is if no other becomes known in time.
    pub publish: &'a dyn Fn(Answer),
}

/// What the cache keeps.
#[derive(Serialize, Deserialize)]
struct Known {
    verdict: KnownVerdict,
    statistics: Statistics,
    seconds: f64,
}

#[derive(Serialize, Deserialize)]
enum KnownVerdict {
    Holds,
    Bounds(Vec<(Option<usize>, u32)>),
    Vacuous(Vec<(Option<usize>, u32)>, Unfinished),
    Violated(Problem, Witness),
}

/// Checks a test on a model.
pub fn check(subject: &Subject, test: &Prepared, model: &Model, context: Context<'_>) -> Answer {
    in_any_case(|| check_or_panic(subject, test, model, context))
}

/// A panic is a mistake of ours about one test on one model, and an error is a mistake in the input
/// that only execution shows; the others go on.
fn in_any_case(check: impl FnOnce() -> Result<Answer, Mistake>) -> Answer {
    let start = Instant::now();
    // What a check shares with others is the cache and the serial executions, which are written
    // when they are whole.
    let why = match guarded(check) {
        Ok(Ok(answer)) => return answer,
        Ok(Err(mistake)) => Why::Input(Box::new(mistake)),
        Err(what) => Why::Internal(what),
    };
    Answer {
        outcome: Outcome::unknown(why),
        statistics: Statistics::default(),
        seconds: start.elapsed().as_secs_f64(),
        cached: false,
        written: Written::default(),
    }
}

fn check_or_panic(
    subject: &Subject,
    test: &Prepared,
    model: &Model,
    context: Context<'_>,
) -> Result<Answer, Mistake> {
    let start = Instant::now();
    let limits = Limits {
        deadline: test.time_limit.map(|limit| start + limit),
        memory: memory_limit(test.memory_limit),
        interrupter: context.interrupter.clone(),
        ..Limits::default()
    };
    let cell = Cell { subject, test, model, context, start, limits, compiled: &test.composed };
    let quick = |outcome| Answer {
        outcome,
        statistics: Statistics::default(),
        seconds: start.elapsed().as_secs_f64(),
        cached: false,
        written: Written::default(),
    };
    let publish = |known| (context.publish)(quick(Outcome::Inconclusive(Why::OutOfTime, known)));
    publish(Established { is_mining: true, ..Established::default() });
    let mined = test.mined.get_or_init(|| cell.mine());
    if let Ok(Mined::Observations(set)) = mined {
        publish(Established { observations: Some(set.len()), ..Established::nothing() });
    }
    match mined {
        Err(Failure::Input(error)) => Err(cell.of_reference(error.clone())),
        Err(Failure::Interrupted) => {
            let mining = Established { is_mining: true, ..Established::default() };
            Ok(quick(Outcome::Inconclusive(cell.stopped(), mining)))
        }
        Ok(Mined::Violated(violation)) => {
            let story = story::serial(cell.title(), test.reference(), violation);
            let violated = Violated { problem: None, witness: None, story };
            Ok(quick(Outcome::Violated(Box::new(violated))))
        }
        Ok(Mined::Observations(set)) => match compile(test, model) {
            Ok(program) => {
                let compiled = Composed { program, ..test.composed.clone() };
                Cell { compiled: &compiled, ..cell }.answer(set)
            }
            Err(Unsupported { what, place }) => {
                let location = place.and_then(|place| cell.location(place.index()).0);
                Ok(quick(Outcome::unknown(Why::Unsupported { what, location })))
            }
        },
    }
}

/// The program as it is compiled for a model.
fn compile(test: &Prepared, model: &Model) -> Result<Program, Unsupported> {
    let language = matches!(model.architecture(), Architecture::C11 | Architecture::Linux);
    if test.reuse_memory && language {
        // There, only a read of what was freed would order what an allocator orders.
        let what = "the reuse of freed memory under a model of a language".to_string();
        return Err(Unsupported { what, place: None });
    }
    target::compile(&test.composed.program, model)
}

/// The observations of the serial executions of a test, in which allocations may give freed blocks
/// again if `reuse`.
pub fn mine(
    composed: &Composed,
    reuse: bool,
    cache: Option<&Cache>,
    limits: &Limits,
) -> Result<Mined, Failure> {
    let how = if reuse { "serial, with reuse" } else { "serial" };
    let key = cache.map(|cache| cache.key([how, &program_text(composed)]));
    if let (Some(cache), Some(key)) = (cache, &key)
        && let Some(set) = cache.get(key)
    {
        return Ok(Mined::Observations(set));
    }
    let options = serial::Options { reuse, limits: limits.clone(), ..Default::default() };
    let mined = serial::mine(composed, &options);
    if let (Some(cache), Some(key), Ok(Mined::Observations(set))) = (cache, &key, &mined) {
        cache.put(key, set);
    }
    mined
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

/// A place that the user wrote, and its function: the innermost that is not in an embedded header.
pub fn user_place(program: &Program, place: usize) -> (Option<Location>, String) {
    let places = &program.places;
    let mut next = (place < places.len()).then(|| &places[LocId::new(place)]);
    let innermost = next;
    while let Some(place) = next {
        if !place.location.is_library() {
            return (Some(place.location.clone()), place.function.clone());
        }
        next = place.inlined_at.map(|id| &places[id]);
    }
    match innermost {
        Some(place) => (Some(place.location.clone()), place.function.clone()),
        None => (None, String::new()),
    }
}

/// Whether at a place a block is allocated whose size is no constant, by itself or by a function of
/// the embedded library.
fn is_allocation(program: &Program, place: usize) -> bool {
    let is_constant = |size: &Operand| matches!(size, Operand::Int { .. });
    let allocates = |inst: &Inst| matches!(&inst.op, Op::Alloc { size, .. } if !is_constant(size));
    let insts =
        |function: FuncId| program.functions[function].blocks.iter().flat_map(|block| &block.insts);
    let is_library = |function: FuncId| {
        let at = program.functions[function].place;
        at.is_some_and(|at| program.places[at].location.is_library())
    };
    let here = |inst: &Inst| match &inst.op {
        _ if inst.place.map(Id::index) != Some(place) => false,
        Op::Call { callee: Callee::Direct(function), .. } => {
            is_library(*function) && insts(*function).any(allocates)
        }
        _ => allocates(inst),
    };
    program.functions.ids().flat_map(insts).any(here)
}

/// Whether what goes round at a place is a function that calls itself there, or is handed on to be
/// called (as to start a thread), and no loop.
fn is_recursion(program: &Program, place: usize) -> bool {
    let called = |function: FuncId, at: Option<usize>| {
        let insts = program.functions[function].blocks.iter().flat_map(|block| &block.insts);
        let here = move |inst: &&Inst| at.is_none() || inst.place.map(Id::index) == at;
        let functions = |inst: &Inst| match &inst.op {
            Op::Call { callee, args, .. } | Op::Spawn { callee, args, .. } => {
                let direct = match callee {
                    Callee::Direct(function) => Some(*function),
                    Callee::Indirect(_) => None,
                };
                let handed = args.iter().filter_map(|arg| match arg {
                    Operand::Function(function) => Some(*function),
                    _ => None,
                });
                direct.into_iter().chain(handed).collect()
            }
            _ => Vec::new(),
        };
        insts.filter(here).flat_map(functions).collect::<Vec<_>>()
    };
    program.functions.ids().any(|function| {
        let mut open = called(function, Some(place));
        let mut known = HashSet::new();
        while let Some(callee) = open.pop() {
            if known.insert(callee) {
                open.extend(called(callee, None));
            }
        }
        known.contains(&function)
    })
}

/// Why nothing is known.
enum Trouble {
    /// There is no answer.
    Stopped(Why, Established, Statistics),
    /// The input is wrong.
    Input(Mistake),
}

impl Trouble {
    /// There is no answer, and nothing was found out.
    fn nothing(why: Why) -> Self {
        Trouble::Stopped(why, Established::nothing(), Statistics::default())
    }
}

/// That a model may have no order in which operations take effect.
fn no_order(model: &str) -> String {
    format!(
        "an order in which operations take effect, since the orders of memory that {model} has may \
         disagree about it. (Nothing is wrong with the executions in which they agree; \
         `--method observations` needs no order.)"
    )
}

fn no_commit_point(Instance { operation, span, .. }: &Instance) -> Diagnostic {
    let message = format!("operation `{operation}` can end without taking effect anywhere");
    Diagnostic::error(*span, message)
        .note("on every way through it there must be an access to shared memory, and `fp_commit` after it")
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
    fn stopped(&self) -> Why {
        Why::of(&self.limits)
    }

    fn title(&self) -> Title {
        let test = match &self.test.name {
            Some(name) => format!("{name} {}", self.test.notation),
            None => self.test.notation.clone(),
        };
        let file = shown(&self.subject.path);
        Title { file, test, model: self.model.name.clone() }
    }

    /// A mistake that the serial executions show.
    fn of_reference(&self, error: Diagnostic) -> Mistake {
        match &self.subject.spec {
            Some((path, _)) => Mistake { error: error.note(of_spec(path)), of_spec: true },
            None => error.into(),
        }
    }

    fn mine(&self) -> Result<Mined, Failure> {
        (self.context.progress)(Doing::Mining);
        let reuse = self.test.reuse_memory;
        mine(self.test.reference(), reuse, self.context.cache, &self.limits)
    }

    fn answer(&self, set: &ObservationSet) -> Result<Answer, Mistake> {
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
        let known = known.map_or_else(|| self.find(set, journal.as_ref()), Ok);
        let (verdict, statistics, seconds) = match known {
            Ok(known) => {
                if let (Some((cache, key)), false) = (&key, cached) {
                    cache.put(key, &known);
                }
                (Ok(known.verdict), known.statistics, known.seconds)
            }
            Err(Trouble::Stopped(why, mut established, statistics)) => {
                established.observations = Some(set.len());
                (Err((why, established)), statistics, self.start.elapsed().as_secs_f64())
            }
            Err(Trouble::Input(error)) => return Err(error),
        };
        let outcome = match verdict {
            Ok(verdict) => self.outcome(set, verdict),
            Err((why, established)) => Outcome::Inconclusive(why, established),
        };
        let holds = matches!(outcome, Outcome::Holds);
        if let Some(journal) = &journal {
            written = evidence.finish(journal, self.context.name, holds, &self.limits);
        }
        Ok(Answer { outcome, statistics, seconds, cached, written })
    }

    fn key(&self, cache: &Cache, set: &ObservationSet) -> String {
        let Prepared { max_unroll, value_sets, reuse_memory, method, .. } = self.test;
        let options = format!("{max_unroll} {value_sets} {reuse_memory}");
        let (method, right) = match method {
            Method::Observations => ("inclusion", set.to_string()),
            Method::CommitPoints => ("commit points", program_text(self.test.reference())),
        };
        let texts = [method, &program_text(self.compiled), &right, &model_text(self.model)];
        cache.key(texts.into_iter().chain([options.as_str()]))
    }

    /// The serial executions, which are known to be right.
    fn orders(&self) -> Result<Orders, Trouble> {
        (self.context.progress)(Doing::Mining);
        let (reuse, limits) = (self.test.reuse_memory, self.limits.clone());
        let options = serial::Options { reuse, limits, ..Default::default() };
        match serial::explore(self.test.reference(), &options) {
            Ok(Explored::Orders(orders)) => Ok(orders),
            Ok(Explored::Violated(_)) => {
                let what = "the serial executions are not the same when they are run again";
                Err(Trouble::nothing(Why::Mismatch(what.into())))
            }
            Err(Failure::Interrupted) => Err(Trouble::nothing(self.stopped())),
            Err(Failure::Input(error)) => Err(Trouble::Input(self.of_reference(error))),
        }
    }

    /// The beginnings to look at; none if all of them.
    fn beginnings(&self) -> Vec<Vec<Value>> {
        // A reference may tell beginnings apart that are the same to the program, and which blocks
        // are used again may depend on how they came about.
        if self.test.spec.is_some() || self.test.reuse_memory {
            return Vec::new();
        }
        let options = serial::Options { limits: self.limits.clone(), ..Default::default() };
        serial::beginnings(&self.test.composed, &options).unwrap_or_default()
    }

    /// Asks the engine.
    fn find(&self, set: &ObservationSet, journal: Option<&Journal>) -> Result<Known, Trouble> {
        let mut encoding = encode::EncodeOptions::default();
        encoding.values.value_sets = self.test.value_sets;
        encoding.unroll.reuse_blocks = self.test.reuse_memory;
        encoding.limits = self.limits.clone();
        encoding.journal = journal.cloned();
        encoding.initial_states = self.beginnings();
        let options = inclusion::Options {
            max_unroll: self.test.max_unroll,
            encoding,
            progress: &|progress| (self.context.progress)(Doing::Checking(progress)),
        };
        let composed = self.compiled;
        let (verdict, statistics) = match self.test.method {
            Method::Observations => inclusion::check(composed, set, self.model, &options),
            Method::CommitPoints => {
                let orders = self.orders()?;
                commit_points::check(composed, &orders, self.model, &options)
            }
        };
        let numbers = |bounds: &[verdict::Bound]| {
            bounds.iter().map(|b| (b.place.map(Id::index), b.iterations)).collect()
        };
        let none = Established::default();
        let verdict = match verdict {
            Verdict::Holds => KnownVerdict::Holds,
            Verdict::HoldsWithinBounds(bounds) => KnownVerdict::Bounds(numbers(&bounds)),
            Verdict::Vacuous(bounds, unfinished) => {
                KnownVerdict::Vacuous(numbers(&bounds), self.unfinished(unfinished))
            }
            Verdict::Violated(counterexample) => {
                match (Problem::of(&counterexample.violation), counterexample.witness) {
                    (Some(problem), Some(witness)) => KnownVerdict::Violated(problem, witness),
                    _ => {
                        let what = "the engine gives a violation without a witness".to_string();
                        return Err(Trouble::Stopped(Why::Mismatch(what), none, statistics));
                    }
                }
            }
            Verdict::Inconclusive(reason, established) => {
                let established = Established::of(&composed.program, &established, &OF_TESTS);
                let why = match reason {
                    Reason::OutOfTime => self.stopped(),
                    Reason::Unsupported { what, place } => {
                        let location = place.and_then(|place| self.location(place.index()).0);
                        Why::Unsupported { what, location }
                    }
                    Reason::Cut(cut) => Why::cut(&composed.program, cut),
                    Reason::NoOrder => {
                        Why::Unsupported { what: no_order(&self.model.name), location: None }
                    }
                    Reason::NoCommitPoint(id) => {
                        let instance = &self.test.composed.instances[id];
                        return Err(Trouble::Input(no_commit_point(instance).into()));
                    }
                };
                return Err(Trouble::Stopped(why, established, statistics));
            }
        };
        Ok(Known { verdict, statistics, seconds: self.start.elapsed().as_secs_f64() })
    }

    /// The threads that never end, with their operations.
    fn unfinished(&self, unfinished: verdict::Unfinished) -> Unfinished {
        let verdict::Unfinished::Never(columns) = unfinished else {
            return Unfinished::NotTogether;
        };
        let operations = |column: usize| {
            let own = self.compiled.instances.iter().filter(|own| own.column == column);
            own.map(|instance| instance.name.clone()).collect()
        };
        Unfinished::Never(columns.into_iter().map(|c| (c, operations(c))).collect())
    }

    fn location(&self, place: usize) -> (Option<Location>, String) {
        user_place(&self.compiled.program, place)
    }

    /// A verdict for people; violations only if the replay agrees.
    fn outcome(&self, set: &ObservationSet, verdict: KnownVerdict) -> Outcome {
        let places = |bounds: Vec<(Option<usize>, u32)>| {
            bounds.into_iter().map(|b| Bound::at(&self.compiled.program, b)).collect()
        };
        match verdict {
            KnownVerdict::Holds => Outcome::Holds,
            KnownVerdict::Bounds(bounds) => Outcome::HoldsWithinBounds(places(bounds)),
            KnownVerdict::Vacuous(bounds, unfinished) => {
                Outcome::Vacuous(places(bounds), unfinished)
            }
            KnownVerdict::Violated(problem, witness) => {
                (self.context.progress)(Doing::Replaying);
                let composed = self.compiled;
                let (reference, reuse) = (self.test.reference(), self.test.reuse_memory);
                let serial = Serial { reference, reuse, set };
                let limits = &self.limits.afterwards(AFTERWARDS);
                let under = Under { model: self.model, limits };
                match recheck(composed, serial, under, &witness, &problem) {
                    Err(unconfirmed) => Outcome::unknown(Why::unconfirmed(unconfirmed, limits)),
                    Ok(replayed) => {
                        let story = story::story(
                            self.title(),
                            composed,
                            set,
                            self.model,
                            &problem,
                            &replayed,
                        );
                        let (problem, witness) = (Some(problem), Some(witness));
                        Outcome::Violated(Box::new(Violated { problem, witness, story }))
                    }
                }
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
            let Outcome::Inconclusive(Why::Internal(what), _) = answer.outcome else {
                panic!("an answer was given")
            };
            assert_eq!(what, text);
        }
    }
}
