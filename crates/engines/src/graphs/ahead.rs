//! Runs a thread ahead of its graph: from one answer to the next question that only the graph can
//! answer. What it does in between depends on nothing but itself.
//!
//! Soundness S-530 (verify; all; refuses): `--engine graphs` refuses compare-and-swaps of several
//! words, store-conditionals, atomic sections that access or choose after their first access, and
//! free choices of more than 8 bits or among more than 256 values. Test:
//! crates/engines/src/graphs/tests.rs::what_is_not_supported_is_refused_at_its_line.

use super::judge::accesses;
use execution::event::ThreadId;
use execution::ids::Id;
use ir::program::{FuncId, LocId, Width};
use ir::step::memory::Alternatives;
use ir::step::thread::{Code, Ending, Step, Thread};
use ir::value::{RegionId, Value};
use replay::events::control::Regions;
use replay::events::record::{Recording, Scribe};
use replay::events::trace::{Flow, joint_sections};
use replay::memory::objects::{Passed, key, owner};
use replay::memory::world::{CellId, ValueId, World};
use replay::thread::answers::{Answers, Stop, Wanted, Wrong, result};
use replay::thread::loops::Loops;
use replay::thread::shared::Shared;
use replay::thread::spot::Spot;
use replay::thread::state::State;
use std::sync::Arc;

/// Instructions that a thread may execute without an access.
const FUEL: u64 = 1_000_000;

/// How many visits of loop heads are remembered while a thread does nothing that others see.
const REMEMBERED: usize = 16;

/// Choices among more values are refused.
const LARGEST_RANGE: usize = 256;

/// What all graphs of one search share; it only grows.
#[derive(Clone)]
pub struct Names<'p> {
    /// Cells and values.
    pub world: World<'p>,
    /// Who starts each thread, and with which of its starts; `None` for `main`.
    pub parents: Vec<Option<(ThreadId, u32)>>,
    /// The local objects whose address was passed on.
    pub passed: Passed,
    /// The results of threads that were awaited.
    pub results: Vec<Value>,
}

impl Names<'_> {
    /// The number of a result.
    pub fn result(&mut self, value: Value) -> usize {
        let known = self.results.iter().position(|known| *known == value);
        known.unwrap_or_else(|| {
            self.results.push(value);
            self.results.len() - 1
        })
    }
}

/// What a thread asks, or how it has ended.
#[derive(Clone, Debug)]
pub enum Pause {
    /// What a read of a cell returns.
    Read(CellId),
    /// Whether a weak compare-and-swap that could succeed fails.
    Fails,
    /// Which of several alternatives is chosen.
    Choice(usize),
    /// The result of a thread.
    Join(ThreadId),
    /// `main` is about to start its first thread.
    FirstSpawn,
    /// It has ended, with this result.
    Ended(Value),
    /// Something is wrong with what it did last.
    Wrong(Box<Wrong>, Option<LocId>),
    /// It goes no further.
    Blocked(Blocked),
    /// A loop ran more often than the bound, or for ever without an access.
    Bounded(Option<LocId>),
}

/// Why a thread goes no further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocked {
    /// An assumption failed in an atomic section, which it has not entered then.
    Waits,
    /// An assumption failed.
    Discarded,
    /// It is where it was in its loop, and has done nothing since.
    Spins,
}

/// A place in the program that is not supported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What.
    pub what: String,
    /// Where.
    pub place: Option<LocId>,
}

/// A thread that has run as far as it can by itself.
#[derive(Clone)]
pub struct Ahead {
    thread: Thread<Flow>,
    /// What it has done.
    pub state: State,
    /// Where it stands.
    pub pause: Pause,
    marks: Vec<Arc<Mark>>,
}

/// A thread at the head of a loop.
struct Mark {
    spot: Spot,
    done: Done,
}

/// What a thread has done that others may see.
#[derive(PartialEq, Eq)]
struct Done([usize; 6]);

impl Done {
    fn of(state: &State) -> Self {
        Self([
            state.writes as usize,
            state.allocations as usize,
            state.spawned.len(),
            state.joined.len(),
            state.seen.len(),
            state.operations.len(),
        ])
    }
}

/// What is needed to run threads.
pub struct Runner<'e, 'p> {
    /// The program, ready for stepping.
    pub code: &'e Code<'p>,
    /// Where the arms of branches are.
    pub regions: &'e Regions,
    /// What is known of loops.
    pub loops: &'e Loops,
    /// How events are recorded.
    pub recording: Recording,
    /// The strongest fence of the model.
    pub full_fence: &'e [&'static str],
    /// Whether signed overflow is wrong.
    pub overflow: bool,
}

impl<'p> Runner<'_, 'p> {
    /// `main`, as long as it runs alone.
    pub fn prefix(&self, names: &mut Names<'p>, main: FuncId) -> Result<Ahead, Refusal> {
        let thread = Thread::new(self.code, ThreadId::new(0), main, &[]);
        self.run(names, thread, State { prefix: true, ..State::default() }, Vec::new())
    }

    /// `main` goes on: what it has left is what memory starts with.
    pub fn past_prefix(&self, names: &mut Names<'p>, start: &Ahead) -> Result<Ahead, Refusal> {
        let mut state = start.state.clone();
        state.end_prefix(names.world.objects_mut());
        self.run(names, start.thread.clone(), state, Vec::new())
    }

    /// A thread that is started.
    pub fn start(
        &self,
        names: &mut Names<'p>,
        (thread, function): (ThreadId, FuncId),
        args: &[Value],
    ) -> Result<Ahead, Refusal> {
        let thread = Thread::new(self.code, thread, function, args);
        self.run(names, thread, State::default(), Vec::new())
    }

    /// A thread goes on with the answer to what it asks: a value, or the number of an alternative.
    pub fn answer(
        &self,
        names: &mut Names<'p>,
        from: &Ahead,
        answer: usize,
    ) -> Result<Ahead, Refusal> {
        let mut state = from.state.clone();
        state.decided.push(answer);
        state.used = 0;
        self.run(names, from.thread.clone(), state, from.marks.clone())
    }

    fn run(
        &self,
        names: &mut Names<'p>,
        mut thread: Thread<Flow>,
        mut state: State,
        mut marks: Vec<Arc<Mark>>,
    ) -> Result<Ahead, Refusal> {
        let Names { world, parents, passed, results } = names;
        let (before, recorder) = (state.clone(), std::mem::take(&mut state.recorder));
        let scribe = Scribe { world, recorder, regions: self.regions, options: self.recording };
        let answers = Given { asked: None, parents, passed, results, overflow: self.overflow };
        let mut memory = Shared { scribe, state, before, answers, full_fence: self.full_fence };
        let end = thread.executed() + FUEL;
        let step = loop {
            let step = thread.run(self.code, &mut memory, 1, 1);
            match step {
                Step::Ran | Step::OutOfFuel if self.loops.is_at_head(&thread) => {
                    if self.repeats(&memory, &thread, &mut marks) {
                        break Step::Stopped(Stop::Spins);
                    }
                }
                Step::Ran | Step::OutOfFuel if thread.executed() < end => {}
                step => break step,
            }
            if thread.executed() >= end {
                break Step::OutOfFuel;
            }
        };
        memory.log_accesses();
        let (mut state, before, asked) = (memory.state, memory.before, memory.answers.asked);
        state.recorder = memory.scribe.recorder;
        let place = || place(self.code, &thread);
        let refused = |what: String| Err(Refusal { what, place: place() });
        if let (Step::Stopped(Stop::Fork(_)), Some(pause)) = (&step, asked) {
            let state = State { decided: state.decided, used: 0, ..before };
            if is_inside_after_an_access(&state) {
                return refused("an atomic section that goes on after its access".to_string());
            }
            return Ok(Ahead { thread, state, pause, marks });
        }
        let pause = match step {
            Step::Finished(Ending::Returned(value) | Ending::ThreadExit(value)) => {
                state.returned = matches!(step, Step::Finished(Ending::Returned(_)));
                let undefined = value.is_some_and(|value| !value.is_defined());
                match undefined && thread.id().index() == 0 {
                    true => Pause::Wrong(Box::new(Wrong::undefined_result()), place()),
                    false => Pause::Ended(result(value)),
                }
            }
            Step::Finished(Ending::Exit(_)) => {
                state.over = true;
                Pause::Ended(Value::int(Width::I64, 0))
            }
            Step::Stopped(Stop::FirstSpawn) => Pause::FirstSpawn,
            Step::Stopped(Stop::Wrong(wrong)) => Pause::Wrong(wrong, place()),
            Step::Stopped(Stop::Waits) => {
                leave_section(&mut state);
                Pause::Blocked(Blocked::Waits)
            }
            Step::Stopped(Stop::Spins) => Pause::Blocked(Blocked::Spins),
            Step::Stopped(Stop::Discard) => {
                leave_section(&mut state);
                Pause::Blocked(Blocked::Discarded)
            }
            Step::Stopped(Stop::Bounded) | Step::OutOfFuel | Step::Ran => {
                leave_section(&mut state);
                Pause::Bounded(place())
            }
            Step::Stopped(Stop::Unsupported(what) | Stop::Mismatch(what)) => return refused(what),
            Step::Stopped(stop) => return refused(format!("{stop:?}")),
        };
        if !joint_sections(&state.recorder.events).is_empty() {
            return refused("an atomic section that makes several accesses".to_string());
        }
        Ok(Ahead { thread, state, pause, marks })
    }

    /// Whether a thread that is at the head of a loop was there before and has done nothing since.
    fn repeats(
        &self,
        memory: &Shared<'_, 'p, Given<'_>>,
        thread: &Thread<Flow>,
        marks: &mut Vec<Arc<Mark>>,
    ) -> bool {
        let (state, objects) = (&memory.state, memory.scribe.world.objects());
        if state.prefix || state.freed_read.is_some() {
            return false;
        }
        let done = Done::of(state);
        marks.retain(|mark| mark.done == done);
        let spot = Spot::new(self.code, &self.loops.alive, objects, thread, state);
        if marks.iter().any(|mark| mark.spot.is_like(&spot)) {
            return true;
        }
        if marks.len() == REMEMBERED {
            marks.remove(0);
        }
        marks.push(Arc::new(Mark { spot, done }));
        false
    }
}

/// The innermost place of a thread that is the user's.
fn place(code: &Code<'_>, thread: &Thread<Flow>) -> Option<LocId> {
    let trace = thread.trace(code, usize::MAX);
    let is_users = |place: &LocId| !code.program.places[*place].location.is_library();
    let all = || trace.iter().filter_map(|entry| entry.place);
    all().find(is_users).or_else(|| all().next())
}

/// Whether a thread has accessed memory in the section in which it is. Its events are in the graph
/// by the time of the next answer, and could not be taken back if an assumption failed then.
fn is_inside_after_an_access(state: &State) -> bool {
    let Some((start, _)) = state.section else { return false };
    state.recorder.events[start..].iter().any(|event| accesses(event) || event.whole.is_some())
}

/// Other threads do not see a part of a section.
fn leave_section(state: &mut State) {
    let Some((start, _)) = state.section else { return };
    state.recorder.events.truncate(start);
    state.recorder.values.truncate(start);
    state.log.accesses.truncate(start);
    state.write_numbers.retain(|&event, _| event < start);
}

/// Answers that were given, and the first question without one.
struct Given<'a> {
    asked: Option<Pause>,
    parents: &'a mut Vec<Option<(ThreadId, u32)>>,
    passed: &'a mut Passed,
    results: &'a [Value],
    overflow: bool,
}

impl Given<'_> {
    fn next(&mut self, asks: &mut State, pause: Pause) -> Result<usize, Stop> {
        if let Some(&answer) = asks.decided.get(asks.used) {
            asks.used += 1;
            return Ok(answer);
        }
        self.asked = Some(pause);
        Err(Stop::Fork(0))
    }

    fn choice(&mut self, asks: &mut State, count: usize) -> Result<usize, Stop> {
        match count {
            0 => Err(Stop::Discard),
            count => self.next(asks, Pause::Choice(count)),
        }
    }
}

impl Answers for Given<'_> {
    const FORKS: bool = true;

    fn access(&mut self) -> Result<(), Stop> {
        Ok(())
    }

    fn read(
        &mut self,
        _world: &mut World<'_>,
        asks: &mut State,
        cell: CellId,
        _width: Width,
    ) -> Result<ValueId, Stop> {
        if asks.used > 0 {
            let what = "a compare-and-swap of several words";
            return Err(Stop::Unsupported(what.to_string()));
        }
        self.next(asks, Pause::Read(cell)).map(ValueId::new)
    }

    fn stores(&mut self, _asks: &mut State) -> Result<bool, Stop> {
        Err(Stop::Unsupported("a store-conditional".to_string()))
    }

    fn fails(&mut self, asks: &mut State) -> Result<bool, Stop> {
        self.next(asks, Pause::Fails).map(|answer| answer == 1)
    }

    fn choose(
        &mut self,
        _world: &World<'_>,
        asks: &mut State,
        width: Width,
        from: &Alternatives,
    ) -> Result<Value, Stop> {
        match from {
            Alternatives::Set(values) => {
                self.choice(asks, values.len()).map(|answer| values[answer])
            }
            Alternatives::Range(low, high) => {
                let count = high.checked_sub(*low).and_then(|last| usize::try_from(last).ok());
                let Some(count) = count.filter(|count| *count < LARGEST_RANGE) else {
                    let what = "a free choice among too many values";
                    return Err(Stop::Unsupported(what.to_string()));
                };
                let answer = self.choice(asks, count + 1)?;
                Ok(Value::signed(width, low + answer as i128))
            }
            Alternatives::Any if width.bits() <= 8 => {
                let answer = self.choice(asks, 1 << width.bits())?;
                Ok(Value::int(width, answer as u128))
            }
            Alternatives::Any => {
                Err(Stop::Unsupported("a free choice of a wide value".to_string()))
            }
        }
    }

    fn allocate(
        &mut self,
        world: &mut World<'_>,
        _asks: &mut State,
        wanted: &Wanted,
    ) -> Result<Option<(RegionId, bool)>, Stop> {
        let program = world.program;
        let Wanted { who, room, zeroed, layout } = *wanted;
        let made = world.objects_mut().heap(program, who, room, zeroed, layout);
        made.map(|region| Some((region, false))).map_err(Stop::Unsupported)
    }

    fn spawn(&mut self, parent: ThreadId, number: u32) -> Result<ThreadId, Stop> {
        let wanted = Some((parent, number));
        let index = self.parents.iter().position(|known| *known == wanted);
        Ok(ThreadId::new(index.unwrap_or_else(|| {
            self.parents.push(wanted);
            self.parents.len() - 1
        })))
    }

    fn join(&mut self, asks: &mut State, thread: ThreadId) -> Result<Value, Stop> {
        self.next(asks, Pause::Join(thread)).map(|answer| self.results[answer])
    }

    fn escapes(&mut self, world: &World<'_>, region: RegionId) -> Result<(), Stop> {
        let object = world.objects().get(region);
        if !object.constant && object.function.is_none() {
            self.passed.shared.insert(key(&object.kind));
        }
        Ok(())
    }

    fn checks_overflow(&self) -> bool {
        self.overflow
    }

    fn outlives(&mut self, world: &World<'_>, region: RegionId) {
        self.passed.outlived.insert(key(&world.objects().get(region).kind));
    }

    fn touches(
        &mut self,
        world: &World<'_>,
        region: RegionId,
        thread: ThreadId,
        _writes: bool,
    ) -> Result<(), Stop> {
        let kind = &world.objects().get(region).kind;
        if owner(kind).is_some_and(|owner| owner != thread.index() as u32) {
            self.passed.shared.insert(key(kind));
        }
        Ok(())
    }
}
