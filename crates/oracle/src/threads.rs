//! Enumerates the executions of each thread on its own, for all values its reads may return.
//!
//! Which values a cell may hold is a least fixpoint: the initial one, and whatever some thread
//! writes when its reads return such values. A value that needs `n` rounds needs a chain of `n`
//! writes, each computed from the one before; in an execution with `n` writes in all there is no
//! longer chain except through a cycle, so the rounds are bounded by the number of writes.
//! Executions that do not terminate (a loop waits for a value that is not known yet) count here
//! like others: what they write may be what lets another thread write the value they wait for.
//!
//! An execution that accesses something that is not an address ends there. It has no final state,
//! but whether a model allows it must be known: see [`crate::litmus::Answer::strays`].
//!
//! An execution in which a value is computed from itself has no value that follows from anything.
//! As in herd, it is kept only if the value is a mere copy of itself, and then with one symbolic
//! value. So cells that lie on a cycle of computations may also hold the symbolic value: reads
//! that nothing decides must have it (see [`crate::domain`]), and what is not the same for this
//! value as for the others is not decided.
//!
//! Soundness S-142 (litmus; all; misses): A branch that reads decide is taken at most `--unroll`
//! times (2 by default); a test in which this cut something off carries a warning. Test:
//! crates/fencepost/tests/litmus.rs::a_row_whose_loops_were_cut_off_is_inconclusive.

use crate::guess::{Guess, Stop, symbolic};
use crate::program::overlaps;
use crate::{EnumerationOptions, Problem};
use execution::event::{EventKind, ThreadId};
use execution::ids::Id;
use ir::op::{Op, Operand};
use ir::program::{FuncId, Function, Width};
use ir::step::thread::{Code, Step, Thread};
use ir::value::Value;
use replay::events::control::Regions;
use replay::events::record::{Recorder, Scribe};
use replay::events::trace::{Flow, Pairing, Trace};
use replay::memory::world::{CellId, ValueId, World};
use std::collections::{BTreeMap, BTreeSet};

/// All executions of each thread.
#[derive(Debug)]
pub struct Threads {
    /// The executions, by thread.
    pub traces: Vec<Vec<Trace>>,
    /// Whether some execution was cut because a loop ran more often than the bound.
    pub bounded: bool,
}

/// Instructions that a thread may execute between two requests.
const FUEL: u64 = 100_000;

struct Enumerator<'e, 'p> {
    code: Code<'p>,
    regions: Regions,
    options: &'e EnumerationOptions,
    bounded: bool,
    /// By thread.
    abandoned: Vec<Abandoned>,
}

/// What was seen of a thread's executions that did not terminate for the values known then.
#[derive(Clone, Debug, Default)]
struct Abandoned {
    any: bool,
    written: BTreeSet<(CellId, ValueId)>,
    /// The most writes of one execution.
    writes: usize,
}

impl Abandoned {
    fn add(&mut self, trace: &Trace) {
        self.any = true;
        self.written.extend(written(trace));
        self.writes = self.writes.max(writes(trace));
    }
}

/// Enumerates the executions of every thread of the world's program.
pub fn enumerate(world: &mut World<'_>, options: &EnumerationOptions) -> Result<Threads, Problem> {
    let program = world.program;
    let regions = Regions::new(program);
    let abandoned = vec![Abandoned::default(); program.entry.len()];
    let code = Code::new(program);
    let mut enumerator = Enumerator { code, regions, options, bounded: false, abandoned };
    let mut traces: Vec<Vec<Trace>> = Vec::new();
    for &entry in &program.entry {
        traces.push(enumerator.thread(world, traces.len(), entry)?);
    }
    enumerator.saturate(world, &mut traces)?;
    while enumerator.explore(world, &mut traces)? {
        enumerator.saturate(world, &mut traces)?;
    }
    enumerator.add_symbolic(world, &mut traces)?;
    Ok(Threads { traces, bounded: enumerator.bounded })
}

impl Enumerator<'_, '_> {
    /// All executions of one thread, for the values that are possible now.
    fn thread(
        &mut self,
        world: &mut World<'_>,
        number: usize,
        entry: FuncId,
    ) -> Result<Vec<Trace>, Problem> {
        let first = Thread::<Flow>::new(&self.code, ThreadId::new(number), entry, &[]);
        let mut open = vec![(first, Recorder::default())];
        let mut finished = Vec::new();
        while let Some((mut thread, recorder)) = open.pop() {
            self.options.step(recorder.events.len())?;
            let (regions, options) = (&self.regions, self.options);
            let options = options.recording();
            let scribe = Scribe { world: &mut *world, recorder, regions, options };
            let mut memory = Guess { scribe };
            let step = thread.run(&self.code, &mut memory, u64::MAX, FUEL);
            let recorder = memory.scribe.recorder;
            match step {
                Step::Finished(_) => finished.push(recorder.finish()),
                Step::Ran => open.push((thread, recorder)),
                Step::Stopped(Stop::Fork(count)) => {
                    for answer in (1..count).rev() {
                        open.push((thread.clone(), recorder.clone().answered(answer)));
                    }
                    open.push((thread, recorder.answered(0)));
                }
                Step::Stopped(Stop::Discard) => self.abandoned[number].add(&recorder.finish()),
                Step::Stopped(Stop::NoAddress) => {
                    let trace = recorder.finish_astray();
                    self.abandoned[number].add(&trace);
                    finished.push(trace);
                }
                Step::Stopped(Stop::Bounded) | Step::OutOfFuel => {
                    self.bounded = true;
                    self.abandoned[number].add(&recorder.finish());
                }
                Step::Stopped(Stop::Unsupported(what)) => return Err(Problem::Unsupported(what)),
            }
            if finished.len() > self.options.max_traces {
                let message = format!("thread {number} has too many executions");
                return Err(Problem::TooLarge(message));
            }
        }
        Ok(finished)
    }

    /// Adds what is written to what may be read until nothing changes.
    fn saturate(
        &mut self,
        world: &mut World<'_>,
        traces: &mut [Vec<Trace>],
    ) -> Result<(), Problem> {
        let mut round = 0;
        loop {
            let most = |(list, abandoned): (&Vec<Trace>, &Abandoned)| {
                list.iter().map(writes).max().unwrap_or(0).max(abandoned.writes)
            };
            let writes: usize = traces.iter().zip(&self.abandoned).map(most).sum();
            let mut changed = BTreeSet::new();
            let abandoned = self.abandoned.iter().flat_map(|abandoned| &abandoned.written);
            for (cell, value) in traces.iter().flatten().flat_map(written).chain(abandoned.copied())
            {
                let possible = &mut world.cells[cell.index()].possible;
                if !possible.contains(&value) {
                    possible.push(value);
                    changed.insert(cell);
                }
            }
            changed.extend(put_together(world)?);
            if changed.is_empty() || round >= writes {
                return Ok(());
            }
            round += 1;
            self.repeat(world, traces, &changed)?;
        }
    }

    /// Enumerates again the threads that read one of these cells, or may if they get further.
    fn repeat(
        &mut self,
        world: &mut World<'_>,
        traces: &mut [Vec<Trace>],
        changed: &BTreeSet<CellId>,
    ) -> Result<(), Problem> {
        for (number, list) in traces.iter_mut().enumerate() {
            let affected = list.iter().any(|trace| {
                let reads = trace.events.iter().filter(|event| event.kind == EventKind::Read);
                reads.filter_map(|event| event.cell).any(|cell| changed.contains(&cell))
            });
            if affected || self.abandoned[number].any {
                let entry = self.code.program.entry[number];
                *list = self.thread(world, number, entry)?;
            }
        }
        Ok(())
    }

    /// Looks for writes of constants that no execution has reached so far: what governs them may
    /// be justified by themselves. Reads may then return any constant of the thread's own code;
    /// gives whether that led to a value that a cell was not known to hold.
    fn explore(
        &mut self,
        world: &mut World<'_>,
        traces: &mut [Vec<Trace>],
    ) -> Result<bool, Problem> {
        let mut found: Vec<(CellId, ValueId)> = Vec::new();
        for (number, list) in traces.iter().enumerate() {
            let entry = self.code.program.entry[number];
            let function = &self.code.program.functions[entry];
            if !has_unreached_write(world, entry, function) {
                continue;
            }
            let constants: Vec<ValueId> = constants(function)
                .into_iter()
                .map(|number| world.value(Value::signed(Width::I64, number)))
                .collect();
            let before: Vec<Vec<ValueId>> =
                world.cells.iter().map(|cell| cell.possible.clone()).collect();
            for cell in reads_of(list) {
                let possible = &mut world.cells[cell.index()].possible;
                possible.extend(constants.iter().filter(|c| !before[cell.index()].contains(c)));
            }
            put_together(world)?;
            let known = self.abandoned.clone();
            let explored = self.thread(world, number, entry)?;
            self.abandoned = known;
            for (cell, possible) in world.cells.iter_mut().zip(before) {
                cell.possible = possible;
            }
            found.extend(explored.iter().flat_map(constants_written));
        }
        let mut changed = BTreeSet::new();
        for (cell, value) in found {
            let possible = &mut world.cells[cell.index()].possible;
            if !possible.contains(&value) {
                possible.push(value);
                changed.insert(cell);
            }
        }
        self.repeat(world, traces, &changed)?;
        Ok(!changed.is_empty())
    }

    fn add_symbolic(
        &mut self,
        world: &mut World<'_>,
        traces: &mut [Vec<Trace>],
    ) -> Result<(), Problem> {
        let cyclic = value_cycles(traces);
        // A value that is put together from parts is not a mere copy: see [`crate::search`].
        if cyclic.is_empty() || world.overlap().is_some() {
            return Ok(());
        }
        let value = symbolic(world);
        for &cell in &cyclic {
            world.cells[cell.index()].possible.push(value);
        }
        self.repeat(world, traces, &cyclic)
    }
}

/// Adds to what cells may hold what cells that overlap with them may hold; gives the cells for which
/// that is new.
fn put_together(world: &mut World<'_>) -> Result<Vec<CellId>, Problem> {
    let before: Vec<usize> = world.cells.iter().map(|cell| cell.possible.len()).collect();
    if !overlaps::learn(world)? {
        return Ok(Vec::new());
    }
    let grown = |cell: &CellId| world.cells[cell.index()].possible.len() > before[cell.index()];
    Ok((0..before.len()).map(CellId::new).filter(grown).collect())
}

/// Whether the function has an instruction that writes and has not been executed.
fn has_unreached_write(world: &World<'_>, id: FuncId, function: &Function) -> bool {
    function.blocks.enumerate().any(|(block, body)| {
        body.insts.iter().enumerate().any(|(index, inst)| {
            let writes = matches!(
                inst.op,
                Op::Store { .. } | Op::StoreExclusive { .. } | Op::Rmw { .. } | Op::Cas { .. }
            );
            writes && !world.writers.contains(&(id, block, index as u32))
        })
    })
}

/// The numbers that a function mentions, and their neighbours, which decide comparisons.
fn constants(function: &Function) -> BTreeSet<i128> {
    let mut found = BTreeSet::new();
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        let operands: &[&Operand] = match &inst.op {
            Op::Copy { src, .. } => &[src],
            Op::Binary { a, b, .. } => &[a, b],
            Op::Store { value, .. } | Op::Rmw { value, .. } => &[value],
            Op::Cas { expected, desired, .. } => &[expected, desired],
            _ => &[],
        };
        for operand in operands {
            if let Operand::Int { width, bits } = operand {
                let bits = Value::int(*width, *bits).as_signed();
                found.extend([bits - 1, bits, bits + 1]);
            }
        }
    }
    found
}

/// The cells that some execution reads.
fn reads_of(traces: &[Trace]) -> BTreeSet<CellId> {
    let events = traces.iter().flat_map(|trace| &trace.events);
    events.filter(|event| event.kind == EventKind::Read).filter_map(|event| event.cell).collect()
}

/// What an execution writes whatever it reads: values that no data flows into.
fn constants_written(trace: &Trace) -> impl Iterator<Item = (CellId, ValueId)> + '_ {
    trace.events.iter().zip(&trace.values).filter_map(|(event, value)| {
        let computed = matches!(event.read, Some((_, Pairing::Single { computed: true, .. })));
        let constant = event.kind == EventKind::Write && event.data.pick.is_empty() && !computed;
        constant.then_some((event.cell?, (*value)?))
    })
}

fn written(trace: &Trace) -> impl Iterator<Item = (CellId, ValueId)> + '_ {
    trace.events.iter().zip(&trace.values).filter_map(|(event, value)| {
        (event.kind == EventKind::Write).then_some((event.cell?, (*value)?))
    })
}

fn writes(trace: &Trace) -> usize {
    trace.events.iter().filter(|event| event.kind == EventKind::Write).count()
}

/// The cells on a cycle of "what is written there is computed from what is read here".
fn value_cycles(traces: &[Vec<Trace>]) -> BTreeSet<CellId> {
    let mut edges: BTreeMap<CellId, BTreeSet<CellId>> = BTreeMap::new();
    for trace in traces.iter().flatten() {
        for event in &trace.events {
            let (EventKind::Write, Some(to)) = (event.kind, event.cell) else { continue };
            for (position, source) in trace.events.iter().enumerate() {
                let from = source.cell.filter(|_| event.data.pick.contains(position));
                if let Some(from) = from {
                    edges.entry(from).or_default().insert(to);
                }
            }
        }
    }
    let reaches_itself = |start: CellId| {
        let mut seen = BTreeSet::new();
        let mut stack = vec![start];
        while let Some(cell) = stack.pop() {
            for &next in edges.get(&cell).into_iter().flatten() {
                if next == start {
                    return true;
                }
                if seen.insert(next) {
                    stack.push(next);
                }
            }
        }
        false
    };
    edges.keys().copied().filter(|&cell| reaches_itself(cell)).collect()
}
