//! Enumerates the executions of each thread of a C program on its own, for all values that its
//! reads, choices and joins may return.
//!
//! Which values a cell may hold is a least fixpoint, as for litmus tests (see
//! [`crate::threads`]), here together with which threads are started and which results they have.
//! Two things about values differ from litmus tests. Values that are computed from themselves are
//! whatever values are known to be possible (there is no symbolic one). And writes that no execution
//! reaches, because what governs them may be justified by themselves, are looked for with the
//! constants that such writes would write; a write of a computed value that only it itself
//! justifies is not found.

use super::ends::{self, Left};
use super::guesser::{Guesser, Task, Tasks};
use super::overlaps;
use super::rounds::Trail;
use super::run::{Run, RunEnd};
use crate::{EnumerationOptions, Problem};
use execution::event::{EventKind, ThreadId};
use execution::finding::FindingKind;
use execution::ids::Id;
use ir::op::{CastOp, Op, Operand};
use ir::program::{FuncId, Width};
use ir::step::describe::stack;
use ir::step::thread::{Code, Ending, Step, Thread};
use ir::value::Value;
use replay::events::control::Regions;
use replay::events::record::Scribe;
use replay::events::trace::Flow;
use replay::memory::expand::value as filled;
use replay::memory::world::{CellId, ValueId, World};
use replay::thread::answers::{Stop, Wrong, result};
use replay::thread::loops::Loops;
use replay::thread::shared::Shared;
use replay::thread::state::State;
use std::collections::BTreeSet;

/// Instructions that a thread may execute between two requests.
const FUEL: u64 = 100_000;

/// How `main` stands when it runs alone no longer.
pub struct Start<'p> {
    /// The world with the memory that it leaves.
    pub world: World<'p>,
    /// The thread.
    pub thread: Thread<Flow>,
    /// What it has done.
    pub state: State,
}

/// What is needed to run threads.
pub struct Enumerator<'e, 'p> {
    /// The program, ready for stepping.
    pub code: &'e Code<'p>,
    /// Where the arms of branches are.
    pub regions: &'e Regions,
    /// How to enumerate.
    pub options: &'e EnumerationOptions,
    /// What is known of loops.
    pub loops: Loops,
    /// The strongest fence of the model.
    pub full_fence: &'e [&'static str],
    /// Whether something was cut off by the loop bound.
    pub bounded: bool,
    /// Whether something was stopped by overflow.
    pub overflows: bool,
}

/// What came of the part of `main` that runs alone.
pub struct Prefixes<'p> {
    /// Where it starts its first thread.
    pub starts: Vec<Start<'p>>,
    /// Where it ends or goes wrong before that.
    pub runs: Vec<Run>,
}

/// Who is told where executions of a thread stop; there is no end where `main` is about to start
/// its first thread.
type Stopped<'s, 'p> =
    &'s mut dyn FnMut(&mut World<'p>, Thread<Flow>, State, Option<RunEnd>) -> Result<(), Problem>;

impl<'p> Enumerator<'_, 'p> {
    /// Runs `main` as long as it runs alone.
    pub fn prefixes(
        &mut self,
        world: &mut World<'p>,
        tasks: &mut Tasks,
        main: FuncId,
    ) -> Result<Prefixes<'p>, Problem> {
        let thread = Thread::new(self.code, ThreadId::new(0), main, &[]);
        let state = State { prefix: true, ..State::default() };
        let (mut starts, mut runs) = (Vec::new(), Vec::new());
        let endings = self.options.endings;
        self.run(world, tasks, (thread, state), &mut |world, thread, state, end| {
            match end {
                None => {
                    let (mut world, mut state) = (world.clone(), state);
                    state.end_prefix(world.objects_mut());
                    starts.push(Start { world, thread, state });
                }
                Some(end) => {
                    let left = match end {
                        RunEnd::Complete(_) if endings => ends::of_main(world, &state),
                        _ => Left::new(),
                    };
                    let mut run = Run::new(state, end);
                    run.extra.left = left;
                    runs.push(run);
                }
            }
            Ok(())
        })?;
        Ok(Prefixes { starts, runs })
    }

    /// All executions of a thread from some state on, for the values that are possible now.
    fn run(
        &mut self,
        world: &mut World<'p>,
        tasks: &mut Tasks,
        start: (Thread<Flow>, State),
        found: Stopped<'_, 'p>,
    ) -> Result<(), Problem> {
        let mut open = vec![(start.0, start.1, Trail::default())];
        while let Some((mut thread, mut state, mut trail)) = open.pop() {
            self.options.step(0)?;
            let before = state.clone();
            let recorder = std::mem::take(&mut state.recorder);
            let (regions, options) = (self.regions, self.options);
            let scribe =
                Scribe { world: &mut *world, recorder, regions, options: options.recording() };
            let answers = Guesser { tasks: &mut *tasks, overflow: options.overflow };
            let full_fence = self.full_fence;
            let mut memory = Shared { scribe, state, before, answers, full_fence };
            let step = match self.options.endings {
                true => trail.run(self.code, &self.loops, &mut thread, (&mut memory, FUEL)),
                false => thread.run(self.code, &mut memory, u64::MAX, FUEL),
            };
            memory.log_accesses();
            let (mut state, before) = (memory.state, memory.before);
            state.recorder = memory.scribe.recorder;
            match step {
                Step::Ran if self.options.endings => {
                    let (now, objects) = ((&thread, &state), world.objects());
                    let round = trail.step(self.code, &self.loops, objects, now);
                    if let Some((state, end)) = round.spins {
                        found(world, thread.clone(), state, Some(end))?;
                    }
                    match round.useless {
                        Some(state) => found(world, thread, state, Some(RunEnd::Partial))?,
                        None => open.push((thread, state, trail)),
                    }
                }
                Step::Ran => open.push((thread, state, trail)),
                Step::Stopped(Stop::Fork(count)) => {
                    for answer in (0..count).rev() {
                        let mut decided = state.decided.clone();
                        decided.push(answer);
                        let state = State { decided, used: 0, ..before.clone() };
                        open.push((thread.clone(), state, trail.clone()));
                    }
                }
                Step::Stopped(Stop::FirstSpawn) => found(world, thread, state, None)?,
                Step::Stopped(Stop::Unsupported(what) | Stop::Mismatch(what)) => {
                    let place = stack(self.code.program, &thread.trace(self.code, 1));
                    let place = place.into_iter().find_map(|entry| entry.location);
                    let place = place.map_or(String::new(), |place| format!("{place}: "));
                    return Err(Problem::Unsupported(format!("{place}{what} is not supported")));
                }
                step => {
                    let end = self.end(&mut state, &thread, step);
                    found(world, thread, state, Some(end))?;
                }
            }
        }
        Ok(())
    }

    /// How a thread that has stopped has ended.
    fn end(&mut self, state: &mut State, thread: &Thread<Flow>, step: Step<Stop>) -> RunEnd {
        match step {
            Step::Finished(Ending::Returned(value) | Ending::ThreadExit(value)) => {
                let undefined = value.is_some_and(|value| !value.is_defined());
                if undefined && thread.id().index() == 0 {
                    return RunEnd::Wrong(Box::new(Wrong::undefined_result()), None);
                }
                state.returned = matches!(step, Step::Finished(Ending::Returned(_)));
                RunEnd::Complete(result(value))
            }
            Step::Finished(Ending::Exit(_)) => {
                state.over = true;
                RunEnd::Complete(Value::int(Width::I64, 0))
            }
            Step::Stopped(Stop::Wrong(wrong)) => {
                self.overflows |= matches!(wrong.kind, FindingKind::Overflow(_));
                let entries = stack(self.code.program, &thread.trace(self.code, 1));
                RunEnd::Wrong(wrong, entries.into_iter().find_map(|entry| entry.location))
            }
            Step::Stopped(Stop::WaitsFor(thread)) => RunEnd::WaitsFor(thread),
            Step::Stopped(Stop::Waits) => wait(state),
            Step::Stopped(Stop::Discard) => {
                leave_section(state);
                RunEnd::Partial
            }
            Step::Stopped(Stop::Bounded) | Step::OutOfFuel => {
                self.bounded = true;
                leave_section(state);
                RunEnd::Partial
            }
            _ => RunEnd::Partial,
        }
    }

    /// All executions of all threads.
    pub fn threads(
        &mut self,
        start: &mut Start<'p>,
        tasks: &mut Tasks,
    ) -> Result<Vec<Vec<Run>>, Problem> {
        let mut runs = self.saturate(start, tasks)?;
        while self.explore(start, tasks, &runs)? {
            runs = self.saturate(start, tasks)?;
        }
        Ok(runs)
    }

    /// Adds what is written to what may be read, threads and results, until nothing changes or
    /// no chain of writes can be longer.
    fn saturate(
        &mut self,
        start: &mut Start<'p>,
        tasks: &mut Tasks,
    ) -> Result<Vec<Vec<Run>>, Problem> {
        let mut round = 0;
        loop {
            let runs = self.round(start, tasks)?;
            let (threads, values) = learn(&mut start.world, tasks, &runs);
            let values = overlaps::learn(&mut start.world)? || values;
            let writes: usize = runs.iter().map(|list| most_writes(list)).sum();
            if !threads && (!values || round > writes) {
                return Ok(runs);
            }
            round = if threads { 0 } else { round + 1 };
        }
    }

    fn round(
        &mut self,
        start: &mut Start<'p>,
        tasks: &mut Tasks,
    ) -> Result<Vec<Vec<Run>>, Problem> {
        let mut runs: Vec<Vec<Run>> = Vec::new();
        while runs.len() < tasks.list.len() {
            let task = tasks.list[runs.len()].clone();
            let first = match runs.len() {
                0 => (start.thread.clone(), start.state.clone()),
                _ => {
                    let Task { thread, function, args } = &task;
                    (Thread::new(self.code, *thread, *function, args), State::default())
                }
            };
            let mut list: Vec<Run> = Vec::new();
            let most = self.options.max_traces;
            self.run(&mut start.world, tasks, first, &mut |_, _, state, end| {
                list.push(Run::new(state, end.unwrap_or(RunEnd::Partial)));
                match list.len() > most {
                    true => {
                        let number = task.thread.index();
                        let message = format!("thread {number} has too many executions");
                        Err(Problem::TooLarge(message))
                    }
                    false => Ok(()),
                }
            })?;
            for spawned in list.iter().flat_map(|run| &run.spawned) {
                let (function, args) = (spawned.function, spawned.args.clone());
                tasks.task(Task { thread: spawned.thread, function, args });
            }
            runs.push(list);
        }
        Ok(runs)
    }

    /// Looks for writes of constants that no execution has reached so far; gives whether that led
    /// to a value that a cell was not known to hold.
    fn explore(
        &mut self,
        start: &mut Start<'p>,
        tasks: &mut Tasks,
        runs: &[Vec<Run>],
    ) -> Result<bool, Problem> {
        let constants = self.unreached(&start.world, runs);
        if constants.is_empty() {
            return Ok(false);
        }
        let known: Vec<Vec<ValueId>> =
            start.world.cells.iter().map(|cell| cell.possible.clone()).collect();
        for index in 0..start.world.cells.len() {
            let bits = start.world.cells[index].bytes as u32 * 8;
            for value in constants.iter().filter(|value| value.width.bits() == bits) {
                let id = start.world.value(*value);
                let possible = &mut start.world.cells[index].possible;
                if !possible.contains(&id) {
                    possible.push(id);
                }
            }
        }
        let (before, count) = (tasks.clone(), known.len());
        let explored = self.round(start, tasks)?;
        *tasks = Tasks { passed: std::mem::take(&mut tasks.passed), ..before };
        for (cell, possible) in start.world.cells.iter_mut().zip(known) {
            cell.possible = possible;
        }
        for cell in &mut start.world.cells[count..] {
            cell.possible = vec![cell.initial];
        }
        let mut changed = false;
        for (cell, value) in explored.iter().flatten().flat_map(constants_written) {
            let possible = &mut start.world.cells[cell.index()].possible;
            if !possible.contains(&value) {
                possible.push(value);
                changed = true;
            }
        }
        Ok(changed)
    }

    /// The constants that are written by instructions that were not executed, in functions that
    /// were.
    fn unreached(&self, world: &World<'_>, runs: &[Vec<Run>]) -> Vec<Value> {
        let mut functions: BTreeSet<FuncId> =
            world.writers.iter().map(|(function, _, _)| *function).collect();
        let spawned = runs.iter().flatten().flat_map(|run| &run.spawned);
        functions.extend(spawned.map(|spawned| spawned.function));
        let mut found: Vec<Value> = Vec::new();
        for id in functions {
            for (block, body) in self.code.program.functions[id].blocks.enumerate() {
                for (index, inst) in body.insts.iter().enumerate() {
                    if world.writers.contains(&(id, block, index as u32)) {
                        continue;
                    }
                    let operand = match &inst.op {
                        Op::Store { value, .. } | Op::Rmw { value, .. } => value,
                        Op::StoreExclusive { value, .. } => value,
                        Op::Cas { desired, .. } => desired,
                        _ => continue,
                    };
                    if let Operand::Int { width, bits } = operand {
                        let value = Value::int(*width, *bits);
                        if !found.contains(&value) {
                            found.push(value);
                        }
                    }
                }
            }
        }
        found
    }
}

/// A thread that waits in a section has not entered it.
fn wait(state: &mut State) -> RunEnd {
    let Some((start, chose)) = state.section else { return RunEnd::Partial };
    let events = &state.recorder.events[start..];
    // What it read of others: it sees its own writes whatever the others do.
    let mut own = Vec::new();
    let mut reads = Vec::new();
    for (event, value) in events.iter().zip(&state.recorder.values[start..]) {
        let (Some(cell), Some(value)) = (event.cell, *value) else { continue };
        match event.kind {
            EventKind::Write => own.push(cell),
            _ if own.contains(&cell) => {}
            _ => reads.push((cell, value)),
        }
    }
    leave_section(state);
    // With another choice it might go on.
    if chose { RunEnd::Partial } else { RunEnd::Waits(reads) }
}

/// Other threads do not see a part of a section.
fn leave_section(state: &mut State) {
    let Some((start, _)) = state.section else { return };
    state.recorder.events.truncate(start);
    state.recorder.values.truncate(start);
    state.log.accesses.truncate(start);
}

/// What an execution writes, and where.
fn written(run: &Run) -> impl Iterator<Item = (CellId, ValueId)> + '_ {
    run.events.iter().zip(&run.values).filter_map(|(event, value)| {
        (event.kind == EventKind::Write).then_some((event.cell?, (*value)?))
    })
}

/// What an execution writes whatever it reads: values that no data flows into.
fn constants_written(run: &Run) -> impl Iterator<Item = (CellId, ValueId)> + '_ {
    run.events.iter().zip(&run.values).filter_map(|(event, value)| {
        let constant = event.kind == EventKind::Write && event.data.pick.is_empty();
        constant.then_some((event.cell?, (*value)?))
    })
}

fn most_writes(runs: &[Run]) -> usize {
    let writes = |run: &Run| run.events.iter().filter(|e| e.kind == EventKind::Write).count();
    runs.iter().map(writes).max().unwrap_or(0)
}

/// Adds what executions write and give as results to what is known; says whether there are new
/// results, and whether there are new values.
fn learn(world: &mut World<'_>, tasks: &mut Tasks, runs: &[Vec<Run>]) -> (bool, bool) {
    let (mut threads, mut values) = (false, false);
    let mut add = |world: &mut World<'_>, cell: CellId, value: ValueId| {
        let possible = &mut world.cells[cell.index()].possible;
        if !possible.contains(&value) {
            possible.push(value);
            values = true;
        }
    };
    for run in runs.iter().flatten() {
        for (cell, value) in written(run) {
            add(world, cell, value);
        }
        for (region, filling) in run.events.iter().filter_map(|event| event.whole) {
            for index in 0..world.cells.len() {
                if world.cells[index].region == region {
                    let value = filled(world, CellId::new(index), filling);
                    add(world, CellId::new(index), value);
                }
            }
        }
    }
    for (task, list) in tasks.list.iter().zip(runs) {
        for run in list {
            let RunEnd::Complete(result) = run.end else { continue };
            let result = result.cast(CastOp::ZeroExtend, result.width.max(Width::I64));
            let known = tasks.results.entry(task.thread).or_default();
            if !known.contains(&result) {
                known.push(result);
                threads = true;
            }
        }
    }
    (threads, values)
}
