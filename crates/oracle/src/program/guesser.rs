//! Guesses: every value that a cell may hold, every result that a thread may have, every choice.

use execution::event::ThreadId;
use execution::ids::Id;
use ir::program::{FuncId, Width};
use ir::step::memory::Alternatives;
use ir::value::{RegionId, Value};
use replay::memory::objects::{Passed, key, owner};
use replay::memory::world::{CellId, ValueId, World};
use replay::thread::answers::{Answers, Stop, Wanted};
use replay::thread::state::State;
use std::collections::BTreeMap;

/// A thread with the arguments it is started with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The thread.
    pub thread: ThreadId,
    /// Its function.
    pub function: FuncId,
    /// The arguments.
    pub args: Vec<Value>,
}

/// All threads that some execution starts.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    /// Who starts each thread, and with which of its starts; `None` for `main`.
    pub parents: Vec<Option<(ThreadId, u32)>>,
    /// The threads with their arguments.
    pub list: Vec<Task>,
    /// The results that each thread may have, as far as is known.
    pub results: BTreeMap<ThreadId, Vec<Value>>,
    /// The local objects whose address was passed on.
    pub passed: Passed,
}

impl Tasks {
    /// The thread that another one starts.
    fn thread(&mut self, parent: ThreadId, number: u32) -> ThreadId {
        let wanted = Some((parent, number));
        let index = self.parents.iter().position(|known| *known == wanted);
        ThreadId::new(index.unwrap_or_else(|| {
            self.parents.push(wanted);
            self.parents.len() - 1
        }))
    }

    /// The position of a thread with its arguments, which is added if it is new.
    pub fn task(&mut self, task: Task) -> usize {
        let index = self.list.iter().position(|known| *known == task);
        index.unwrap_or_else(|| {
            self.list.push(task);
            self.list.len() - 1
        })
    }
}

/// Guesses.
pub struct Guesser<'t> {
    /// The threads.
    pub tasks: &'t mut Tasks,
    /// Whether signed overflow is wrong.
    pub overflow: bool,
}

/// The answer to a question that has `count` answers.
fn decide(asks: &mut State, count: usize) -> Result<usize, Stop> {
    if let Some(&answer) = asks.decided.get(asks.used) {
        asks.used += 1;
        return Ok(answer);
    }
    match count {
        0 => Err(Stop::Discard),
        1 => {
            asks.decided.push(0);
            asks.used += 1;
            Ok(0)
        }
        count => Err(Stop::Fork(count)),
    }
}

impl Answers for Guesser<'_> {
    const FORKS: bool = true;

    fn access(&mut self) -> Result<(), Stop> {
        Ok(())
    }

    fn read(
        &mut self,
        world: &mut World<'_>,
        asks: &mut State,
        cell: CellId,
        _width: Width,
    ) -> Result<ValueId, Stop> {
        let possible = &world.cells[cell.index()].possible;
        decide(asks, possible.len()).map(|answer| possible[answer])
    }

    fn stores(&mut self, asks: &mut State) -> Result<bool, Stop> {
        decide(asks, 2).map(|answer| answer == 0)
    }

    fn fails(&mut self, asks: &mut State) -> Result<bool, Stop> {
        decide(asks, 2).map(|answer| answer == 1)
    }

    fn choose(
        &mut self,
        _world: &World<'_>,
        asks: &mut State,
        width: Width,
        from: &Alternatives,
    ) -> Result<Value, Stop> {
        match from {
            Alternatives::Set(values) => decide(asks, values.len()).map(|answer| values[answer]),
            Alternatives::Range(low, high) => {
                let count = high.checked_sub(*low).and_then(|last| usize::try_from(last).ok());
                let Some(count) = count.filter(|count| *count < LARGEST_RANGE) else {
                    let what = "a free choice among too many values";
                    return Err(Stop::Unsupported(what.to_string()));
                };
                let answer = decide(asks, count + 1)?;
                Ok(Value::signed(width, low + answer as i128))
            }
            Alternatives::Any if width.bits() <= 8 => {
                let answer = decide(asks, 1 << width.bits())?;
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
        Ok(self.tasks.thread(parent, number))
    }

    fn join(&mut self, asks: &mut State, thread: ThreadId) -> Result<Value, Stop> {
        let known = self.tasks.results.get(&thread).map_or(&[][..], |list| list.as_slice());
        // It may also never end.
        let answer = decide(asks, known.len() + 1)?;
        known.get(answer).copied().ok_or(Stop::WaitsFor(thread))
    }

    fn escapes(&mut self, world: &World<'_>, region: RegionId) -> Result<(), Stop> {
        let object = world.objects().get(region);
        if !object.constant && object.function.is_none() {
            self.tasks.passed.shared.insert(key(&object.kind));
        }
        Ok(())
    }

    fn checks_overflow(&self) -> bool {
        self.overflow
    }

    fn outlives(&mut self, world: &World<'_>, region: RegionId) {
        let kind = &world.objects().get(region).kind;
        self.tasks.passed.outlived.insert(key(kind));
    }

    fn touches(
        &mut self,
        world: &World<'_>,
        region: RegionId,
        thread: ThreadId,
        _writes: bool,
    ) -> Result<(), Stop> {
        // Its address may have been the result of its thread.
        let kind = &world.objects().get(region).kind;
        if owner(kind).is_some_and(|owner| owner != thread.index() as u32) {
            self.tasks.passed.shared.insert(key(kind));
        }
        Ok(())
    }
}

/// Choices among more values are refused.
const LARGEST_RANGE: usize = 256;
