//! Runs a piece of one thread alone, in every way that the program leaves open.

use ir::program::Width;
use ir::step::memory::{Alternatives, Stream};
use ir::step::origin::Origin;
use ir::step::sc::{ScMemory, Violation};
use ir::step::thread::{Code, Step, Thread};
use ir::step::world::{Output, Question, Recorded, Stop, World};
use ir::value::Value;

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
    /// What the program chose on the way here, if somebody wants to know.
    pub chosen: Option<Vec<Value>>,
}

impl State {
    /// The program at its beginning.
    pub fn first(code: &Code<'_>) -> Self {
        let mut world = World::asking(ScMemory::new(code.program), Silent);
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

/// What one way of running came to.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The goal is reached.
    Reached(State),
    /// It waits for others, who do not run.
    Waits(State),
    /// It goes round in circles: everything is as it was before.
    Circles(State),
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
pub(super) struct Limits {
    /// Instructions from start to goal.
    pub steps: u64,
    /// Weak compare-and-swaps that fail for no reason, from start to goal.
    pub failures: u32,
    /// Values of one choice.
    pub choices: u64,
    /// Ways from start to goal.
    pub ways: usize,
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
    /// After so many instructions a later state is marked instead.
    until: u64,
}

/// Before this many instructions nobody looks for circles.
const PATIENCE: u64 = 4096;

/// All ways to run a thread up to a goal, in the order of the choices; if they are too many, the
/// last outcome says so.
pub(super) fn run(code: &Code<'_>, state: State, goal: Goal, limits: Limits) -> Vec<Outcome> {
    let start = state.thread.executed();
    let mut paths = vec![Path { state, start, failures: 0, mark: None }];
    let mut outcomes = Vec::new();
    while let Some(path) = paths.pop() {
        if outcomes.len() + paths.len() >= limits.ways {
            outcomes.push(Outcome::TooManyWays(path.state));
            break;
        }
        match path.proceed(code, goal, limits) {
            Ok(outcome) => outcomes.push(outcome),
            Err(fork) => paths.extend(fork.into_iter().rev()),
        }
    }
    outcomes
}

impl Path {
    /// Runs to the next outcome, or to the next question: then there is a path for each answer.
    fn proceed(
        mut self,
        code: &Code<'_>,
        goal: Goal,
        limits: Limits,
    ) -> Result<Outcome, Vec<Path>> {
        loop {
            let executed = self.state.thread.executed() - self.start;
            if executed >= limits.steps {
                return Ok(Outcome::Endless(self.state));
            }
            if executed >= PATIENCE && self.is_in_circles() {
                return Ok(Outcome::Circles(self.state));
            }
            let State { world, thread, .. } = &mut self.state;
            match thread.run(code, world, 1, limits.steps - executed) {
                Step::Ran | Step::OutOfFuel => {
                    let last = world.records.last().map(|record| &record.what);
                    if goal == Goal::OperationEnd && matches!(last, Some(Recorded::Ended(_))) {
                        return Ok(Outcome::Reached(self.state));
                    }
                }
                Step::Finished(_) => return Ok(Outcome::Ended(self.state)),
                Step::Stopped(Stop::Wait(joins)) => {
                    let arrived = goal == Goal::Join && joins.is_some();
                    return Ok(match arrived {
                        true => Outcome::Reached(self.state),
                        false => Outcome::Waits(self.state),
                    });
                }
                Step::Stopped(Stop::Discard) => return Ok(Outcome::Discarded),
                Step::Stopped(Stop::Wrong(violation)) => {
                    return Ok(Outcome::Wrong(self.state, violation));
                }
                Step::Stopped(Stop::Undecided(question)) => {
                    return match answers(&question, limits.choices) {
                        Some(answers) => Err(self.fork(&question, answers, limits)),
                        None => Ok(Outcome::TooManyChoices(self.state)),
                    };
                }
            }
        }
    }

    /// A path for each answer to a question.
    fn fork(self, question: &Question, answers: Vec<Value>, limits: Limits) -> Vec<Path> {
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
        let State { world, thread, .. } = &self.state;
        let now = thread.executed();
        if let Some(mark) = &self.mark {
            if thread.is_where(&mark.thread) && world.memory.shape([]) == mark.shape {
                return true;
            }
            if now < mark.until {
                return false;
            }
        }
        let until = now + 2 * (now - self.start);
        self.mark = Some(Mark { thread: thread.clone(), shape: world.memory.shape([]), until });
        false
    }
}

/// All answers to a question; none if there are more than `most`.
fn answers(question: &Question, most: u64) -> Option<Vec<Value>> {
    let Question::Choice(width, alternatives) = question else {
        return Some([0, 1].map(|bit| Value::int(Width::BOOL, bit)).to_vec());
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
