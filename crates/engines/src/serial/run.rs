//! Runs a part of one thread alone, in every way that the program leaves open.
//!
//! Soundness S-063 (check; all; cries wolf): Serial executions use a freed address again only with
//! `--reuse-memory`, and `malloc` does not fail in them. Test:
//! crates/engines/src/serial/mine/tests.rs::freed_blocks_may_be_given_again.
//!
//! Soundness S-064 (check; all; misses): A loop that restores memory by compare-and-swaps that
//! succeed may be taken for one that does not wait. Test:
//! crates/engines/src/serial/mine/tests.rs::a_loop_that_waits_for_ever_is_a_deadlock.
//!
//! Soundness S-065 (check; all; cries wolf): An operation that spins until another operation has
//! done something is deadlocked in every test without that other operation. Test:
//! crates/fencepost/tests/check.rs::locks_that_are_made_of_loops_are_in_a_deadlock_like_others,
//! crates/engines/src/serial/mine/tests.rs::an_operation_that_waits_runs_when_it_can.

use super::mine::{Failure, SerialOptions};
use ir::program::Width;
use ir::step::memory::{Alternatives, Stream};
use ir::step::origin::Origin;
use ir::step::sc::{ScMemory, Violation};
use ir::step::thread::{Code, Step, Thread};
use ir::step::world::{Output, Question, Record, Recorded, Stop, Watched, World};
use ir::value::Value;
use sat::Poll;
use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Throws away what a program prints.
#[derive(Clone, Debug)]
pub(super) struct Silent;

impl Output for Silent {
    fn write(&mut self, _: Stream, _: &[u8]) {}
}

/// Memory, and the thread that runs.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub world: World<Silent>,
    pub thread: Thread<Origin>,
    /// What the program chose on the way here, if that is recorded.
    pub chosen: Option<Vec<Value>>,
}

impl State {
    /// The program at its start, where freed blocks may be given again if `reuse`.
    pub fn first(code: &Code<'_>, reuse: bool) -> Self {
        let mut world = World::asking(ScMemory::new(code.program), Silent).reusing(reuse);
        let id = world.add_thread();
        let thread = Thread::new(code, id, code.program.entry[0], &[]);
        State { world, thread, chosen: None }
    }
}

/// Up to where a thread runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// To the end of an operation.
    OperationEnd,
    /// To where it awaits another thread.
    Join,
}

/// The outcome of one way of running.
#[derive(Debug)]
pub(super) enum RunOutcome {
    /// The goal is reached.
    Reached(State),
    /// It waits for others, who do not run.
    Waits(State),
    /// It loops: everything is as it was before.
    Circles(State),
    /// The same, but it reads what others may change: what it reads is
    /// [watched](World::watched).
    Spins(State),
    /// It took more steps than allowed.
    Endless(State),
    /// It ended itself, or the whole program.
    Ended(State),
    /// It chooses among too many values.
    TooManyChoices(State),
    /// There are too many ways to run it.
    TooManyWays(State),
    /// Something is wrong.
    Wrong(State, Box<Violation>),
    /// An assumption does not hold.
    Discarded,
}

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits<'a> {
    /// Instructions from start to goal.
    pub steps: u64,
    /// Weak compare-and-swaps that fail for no reason, from start to goal.
    pub failures: u32,
    /// Values of one choice.
    pub choices: u64,
    /// Ways from start to goal.
    pub ways: usize,
    /// Time and memory.
    pub give_up: &'a sat::Limits,
}

impl<'a> Limits<'a> {
    /// Those that mining is asked to keep.
    pub fn of(options: &'a SerialOptions) -> Self {
        let &SerialOptions { steps, failures, choices, ways, .. } = options;
        Self { steps, failures, choices, ways, give_up: &options.limits }
    }
}

/// A state in which it was open whether a compare-and-swap fails for no reason.
struct Asked {
    thread: Thread<Origin>,
    shape: Vec<u64>,
    records: Vec<Record>,
    /// How many had failed before; the fewest, if the state came up several times.
    failures: u32,
}

/// Such states, by a hash of them. What follows is the same from equal ones.
#[derive(Default)]
struct Known(HashMap<u64, Vec<Asked>>);

impl Known {
    /// Whether the state of a path came up before, with at least as many failures left.
    fn has(&mut self, path: &Path) -> bool {
        let State { world, thread, .. } = &path.state;
        let shape = shape(&path.state);
        let mut hasher = DefaultHasher::new();
        thread.hash_where(&mut hasher);
        shape.hash(&mut hasher);
        let same_hash = self.0.entry(hasher.finish()).or_default();
        let is = |known: &&mut Asked| {
            known.thread.is_where(thread) && known.shape == shape && known.records == world.records
        };
        match same_hash.iter_mut().find(is) {
            Some(known) if known.failures <= path.failures => return true,
            Some(known) => known.failures = path.failures,
            None => {
                let (thread, records) = (thread.clone(), world.records.clone());
                same_hash.push(Asked { thread, shape, records, failures: path.failures });
            }
        }
        false
    }
}

/// A way of running that has come so far.
struct Path {
    state: State,
    /// How many instructions the thread had executed at the start.
    start: u64,
    failures: u32,
    /// A state that is compared with later ones, to see whether it comes again.
    mark: Option<Mark>,
}

struct Mark {
    thread: Thread<Origin>,
    shape: Vec<u64>,
    /// After this many instructions a later state is marked instead.
    until: u64,
}

/// Before this many instructions there is no search for repeated states.
const PATIENCE: u64 = 4096;

/// How many accesses are made between two polls of time and memory.
const ACCESSES_PER_POLL: u32 = 64;

/// All ways to run a thread up to a goal, in the order of the choices; if they are too many, the
/// last outcome says so.
pub(super) fn run(
    code: &Code<'_>,
    state: State,
    goal: Goal,
    limits: Limits<'_>,
) -> Result<Vec<RunOutcome>, Failure> {
    let start = state.thread.executed();
    let mut paths = vec![Path { state, start, failures: 0, mark: None }];
    let mut outcomes = Vec::new();
    let mut known = Known::default();
    let poll = Poll::new(limits.give_up, ACCESSES_PER_POLL);
    while let Some(path) = paths.pop() {
        if outcomes.len() + paths.len() >= limits.ways {
            outcomes.push(RunOutcome::TooManyWays(path.state));
            break;
        }
        match path.proceed(code, goal, limits, &mut known, &poll)? {
            Ok(outcome) => outcomes.push(outcome),
            Err(fork) => paths.extend(fork.into_iter().rev()),
        }
    }
    Ok(outcomes)
}

/// What comes next on a path: an outcome, or a path for each answer to a question.
type Next = Result<RunOutcome, Vec<Path>>;

impl Path {
    /// Runs to the next outcome, or to the next question: then there is a path for each answer,
    /// or none if all that follows is known.
    fn proceed(
        mut self,
        code: &Code<'_>,
        goal: Goal,
        limits: Limits<'_>,
        known: &mut Known,
        poll: &Poll<'_>,
    ) -> Result<Next, Failure> {
        loop {
            if poll.expired() {
                return Err(Failure::at(poll.limits()));
            }
            let executed = self.state.thread.executed() - self.start;
            if executed >= limits.steps {
                return Ok(Ok(RunOutcome::Endless(self.state)));
            }
            if executed >= PATIENCE && self.is_in_circles() {
                return Ok(Ok(self.round(code)));
            }
            let State { world, thread, .. } = &mut self.state;
            match thread.run(code, world, 1, limits.steps - executed) {
                Step::Ran | Step::OutOfFuel => {
                    let last = world.records.last().map(|record| &record.what);
                    if goal == Goal::OperationEnd && matches!(last, Some(Recorded::Ended(_))) {
                        return Ok(Ok(RunOutcome::Reached(self.state)));
                    }
                }
                Step::Finished(_) => return Ok(Ok(RunOutcome::Ended(self.state))),
                Step::Stopped(Stop::Wait(joins)) => {
                    let arrived = goal == Goal::Join && joins.is_some();
                    return Ok(Ok(match arrived {
                        true => RunOutcome::Reached(self.state),
                        false => RunOutcome::Waits(self.state),
                    }));
                }
                Step::Stopped(Stop::Discard) => return Ok(Ok(RunOutcome::Discarded)),
                Step::Stopped(Stop::Wrong(violation)) => {
                    return Ok(Ok(RunOutcome::Wrong(self.state, violation)));
                }
                Step::Stopped(Stop::Undecided(question)) => {
                    if matches!(question, Question::Failure) && known.has(&self) {
                        return Ok(Err(Vec::new()));
                    }
                    return Ok(match answers(&question, limits.choices) {
                        Some(answers) => Err(self.fork(&question, answers, limits)),
                        None => Ok(RunOutcome::TooManyChoices(self.state)),
                    });
                }
            }
        }
    }

    /// Runs the cycle that this state is in once more, and records what happens there.
    fn round(mut self, code: &Code<'_>) -> RunOutcome {
        let (start, before) = (self.state.thread.clone(), shape(&self.state));
        self.state.world.watched = Some(Watched::default());
        loop {
            let State { world, thread, .. } = &mut self.state;
            // Nothing is left open on the way, or the circle would not have been one.
            if !matches!(thread.run(code, world, 1, PATIENCE), Step::Ran | Step::OutOfFuel) {
                return RunOutcome::Circles(self.state);
            }
            if thread.is_where(&start) && shape(&self.state) == before {
                break;
            }
        }
        let spins = |watched: &Watched| !watched.reads.is_empty() && !watched.changes;
        match self.state.world.watched.as_ref().is_some_and(spins) {
            true => RunOutcome::Spins(self.state),
            false => RunOutcome::Circles(self.state),
        }
    }

    /// A path for each answer to a question.
    fn fork(self, question: &Question, answers: Vec<Value>, limits: Limits<'_>) -> Vec<Path> {
        let is_failure =
            |answer: &Value| matches!(question, Question::Failure) && !answer.is_zero();
        let allowed = |answer: &Value| self.failures < limits.failures || !is_failure(answer);
        let path = |answer: Value| {
            let mut state = self.state.clone();
            state.world.answer(answer);
            if matches!(question, Question::Choice(..)) {
                state.chosen.iter_mut().for_each(|chosen| chosen.push(answer));
            }
            let failures = self.failures + u32::from(is_failure(&answer));
            Path { state, start: self.start, failures, mark: None }
        };
        answers.into_iter().filter(allowed).map(path).collect()
    }

    /// Whether everything is as it was once before on this path (Brent's way to find a cycle: a
    /// mark is kept for twice as long as the one before).
    fn is_in_circles(&mut self) -> bool {
        let thread = &self.state.thread;
        let now = thread.executed();
        if let Some(mark) = &self.mark {
            if thread.is_where(&mark.thread) && shape(&self.state) == mark.shape {
                return true;
            }
            if now < mark.until {
                return false;
            }
        }
        let until = now + 2 * (now - self.start);
        self.mark = Some(Mark { thread: thread.clone(), shape: shape(&self.state), until });
        false
    }
}

/// What memory is like, seen also from the registers of the thread and from locks that are held.
fn shape(state: &State) -> Vec<u64> {
    let State { world, thread, .. } = state;
    let mut known = BTreeSet::new();
    let objects =
        thread.objects().chain(world.locks.held_in(&world.memory).collect::<BTreeSet<_>>());
    let roots: Vec<_> = objects.filter(|&object| known.insert(object)).collect();
    world.memory.shape(roots)
}

/// All answers to a question; none if there are more than `most`.
fn answers(question: &Question, most: u64) -> Option<Vec<Value>> {
    let (width, alternatives) = match question {
        Question::Choice(width, alternatives) => (width, alternatives),
        Question::Failure => {
            return Some([0, 1].map(|bit| Value::int(Width::BOOL, bit)).to_vec());
        }
        Question::Block(freed) => {
            return Some(std::iter::once(Value::NULL).chain(freed.iter().copied()).collect());
        }
    };
    match alternatives {
        Alternatives::Set(values) => Some(values.clone()),
        Alternatives::Range(low, high) => {
            let count = u64::try_from(high.checked_sub(*low)?).ok()?.checked_add(1)?;
            (count <= most)
                .then(|| (*low..=*high).map(|number| Value::signed(*width, number)).collect())
        }
        Alternatives::Any => {
            let count = 1u64.checked_shl(width.bits())?;
            (count <= most)
                .then(|| (0..count).map(|bits| Value::int(*width, bits.into())).collect())
        }
    }
}
