//! Enumerates the executions of each thread on its own, for all values its reads may return.
//!
//! Which values a cell may hold is a least fixpoint: the initial one, and whatever some thread
//! writes when its reads return such values. A value that needs `n` rounds needs a chain of `n`
//! writes, each computed from the one before; in an execution with `n` writes in all there is no
//! longer chain except through a cycle, so the rounds are bounded by the number of writes.
//!
//! Values that hold themselves up (a read returns what a copy of itself wrote) are not in that
//! fixpoint. As herd does, such an execution is kept with one symbolic value: cells that lie on
//! a cycle of copies may also hold that, as long as some thread writes it.

use crate::control::Regions;
use crate::guess::{Guess, Recorder, Stop, symbolic};
use crate::trace::{Flow, Trace};
use crate::world::{CellId, ValueId, World};
use crate::{Options, Problem};
use execution::event::{EventKind, ThreadId};
use execution::ids::Id;
use ir::program::FuncId;
use ir::step::thread::{Code, Step, Thread};
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
    options: &'e Options,
    bounded: bool,
}

/// Enumerates the executions of every thread of the world's program.
pub fn enumerate(world: &mut World<'_>, options: &Options) -> Result<Threads, Problem> {
    let program = world.program;
    let regions = Regions::new(program);
    let mut enumerator = Enumerator { code: Code::new(program), regions, options, bounded: false };
    let mut traces: Vec<Vec<Trace>> = Vec::new();
    for &entry in &program.entry {
        traces.push(enumerator.thread(world, traces.len(), entry)?);
    }
    enumerator.saturate(world, &mut traces)?;
    enumerator.add_symbolic(world, &mut traces)?;
    if let Some((a, b)) = world.overlap() {
        let message = format!("accesses of `{}` and `{}` overlap", a.name, b.name);
        return Err(Problem::Unsupported(message));
    }
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
            self.options.check_time()?;
            let (regions, options) = (&self.regions, self.options);
            let mut memory = Guess { world: &mut *world, recorder, regions, options };
            let step = thread.run(&self.code, &mut memory, u64::MAX, FUEL);
            let recorder = memory.recorder;
            match step {
                Step::Finished(_) => finished.push(recorder.finish()),
                Step::Ran => open.push((thread, recorder)),
                Step::Stopped(Stop::Fork(count)) => {
                    for answer in (1..count).rev() {
                        open.push((thread.clone(), recorder.clone().answered(answer)));
                    }
                    open.push((thread, recorder.answered(0)));
                }
                Step::Stopped(Stop::Discard) => {}
                Step::Stopped(Stop::Bounded) | Step::OutOfFuel => self.bounded = true,
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
            let writes: usize = traces.iter().map(|list| max_writes(list)).sum();
            let mut changed = BTreeSet::new();
            for (cell, value) in traces.iter().flatten().flat_map(written) {
                let possible = &mut world.cells[cell.index()].possible;
                if !possible.contains(&value) {
                    possible.push(value);
                    changed.insert(cell);
                }
            }
            if changed.is_empty() || round >= writes {
                return Ok(());
            }
            round += 1;
            self.repeat(world, traces, &changed)?;
        }
    }

    /// Enumerates again the threads that read one of these cells.
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
            if affected || list.is_empty() {
                let entry = self.code.program.entry[number];
                *list = self.thread(world, number, entry)?;
            }
        }
        Ok(())
    }

    fn add_symbolic(
        &mut self,
        world: &mut World<'_>,
        traces: &mut [Vec<Trace>],
    ) -> Result<(), Problem> {
        let cyclic = copy_cycles(traces);
        if cyclic.is_empty() {
            return Ok(());
        }
        let value = symbolic(world);
        for &cell in &cyclic {
            world.cells[cell.index()].possible.push(value);
        }
        self.repeat(world, traces, &cyclic)?;
        keep_supported(traces, value);
        Ok(())
    }
}

fn written(trace: &Trace) -> impl Iterator<Item = (CellId, ValueId)> + '_ {
    trace.events.iter().zip(&trace.values).filter_map(|(event, value)| {
        (event.kind == EventKind::Write).then_some((event.cell?, (*value)?))
    })
}

fn max_writes(traces: &[Trace]) -> usize {
    let writes =
        |trace: &Trace| trace.events.iter().filter(|event| event.kind == EventKind::Write).count();
    traces.iter().map(writes).max().unwrap_or(0)
}

/// The cells on a cycle of "a value read here may be copied there".
fn copy_cycles(traces: &[Vec<Trace>]) -> BTreeSet<CellId> {
    let mut edges: BTreeMap<CellId, BTreeSet<CellId>> = BTreeMap::new();
    for trace in traces.iter().flatten() {
        for (event, value) in trace.events.iter().zip(&trace.values) {
            let (EventKind::Write, Some(to)) = (event.kind, event.cell) else { continue };
            for (position, source) in trace.events.iter().enumerate() {
                let from = source.cell.filter(|_| event.data.pick >> position & 1 == 1);
                // A copy has the same value in every execution, so in this one too.
                if let Some(from) = from.filter(|_| trace.values[position] == *value) {
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

/// Drops executions that read the symbolic value from a cell to which nobody writes it.
fn keep_supported(traces: &mut [Vec<Trace>], symbolic: ValueId) {
    loop {
        let supported: BTreeSet<CellId> = traces
            .iter()
            .flatten()
            .flat_map(written)
            .filter(|(_, value)| *value == symbolic)
            .map(|(cell, _)| cell)
            .collect();
        let mut dropped = false;
        for list in traces.iter_mut() {
            let before = list.len();
            list.retain(|trace| {
                trace.events.iter().zip(&trace.values).all(|(event, value)| {
                    event.kind != EventKind::Read
                        || *value != Some(symbolic)
                        || event.cell.is_some_and(|cell| supported.contains(&cell))
                })
            });
            dropped |= list.len() < before;
        }
        if !dropped {
            return;
        }
    }
}
