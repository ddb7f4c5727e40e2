//! Loops that a thread goes round without doing anything.
//!
//! A thread that comes back to where it was, with the same values in registers and in objects of
//! its own, goes on as it did before. If it has written nothing on the way, what it read there is of
//! no use: leaving these events out of an execution takes constraints away and nothing else, and of
//! each thread at most one event takes part in a race. So one such round is looked at, and not a
//! second one.
//!
//! If memory ends up with what the round has read (and with what it has written, so that writing it
//! changes nothing), the thread goes round for ever. It need not if the round would be another one
//! with another choice, nor if the model does not let a round see what is last.
//!
//! It goes round for ever, too, if nothing differs but registers that decide nothing in the loop, as
//! long as it has stayed there: a counter of attempts. Such rounds are all followed, because what was
//! counted may matter later.

use super::run::RunEnd;
use super::state::State;
use crate::objects::Objects;
use crate::replay::Spot;
use crate::trace::Flow;
use crate::world::{CellId, ValueId};
use execution::ids::IdVec;
use ir::cfg::{Liveness, LoopForest, bystanders};
use ir::program::{BlockId, FuncId, Function, Program, Reg};
use ir::step::memory::Memory;
use ir::step::thread::{Code, Step, Thread};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What is known of the functions of a program.
pub struct Loops {
    alive: IdVec<FuncId, Liveness>,
    forests: IdVec<FuncId, Option<LoopForest>>,
    /// By the head of each loop, the registers that decide nothing there, if there are some.
    counters: IdVec<FuncId, BTreeMap<BlockId, BTreeSet<Reg>>>,
}

impl Loops {
    /// Looks at all functions.
    pub fn new(program: &Program) -> Self {
        Self {
            alive: program.functions.iter().map(Liveness::new).collect(),
            forests: program.functions.iter().map(|f| LoopForest::new(f).ok()).collect(),
            counters: program.functions.iter().map(counters).collect(),
        }
    }

    /// Runs a thread until it comes to the head of a loop, and is not in an atomic section, of which
    /// nobody sees a part.
    pub fn run<M: Memory<Flow>>(
        &self,
        code: &Code<'_>,
        thread: &mut Thread<Flow>,
        memory: &mut M,
        (fuel, trail): (u64, &mut Trail),
    ) -> Step<M::Stop> {
        let end = thread.executed() + fuel;
        loop {
            let step = thread.run(code, memory, 1, 1);
            trail.counting.stay(self, thread);
            match step {
                Step::Ran | Step::OutOfFuel if self.is_at_head(thread) => return Step::Ran,
                Step::Ran | Step::OutOfFuel if thread.executed() < end => {}
                step => return step,
            }
        }
    }

    /// Whether a thread is at the head of a loop, and not in an atomic section.
    pub fn is_at_head(&self, thread: &Thread<Flow>) -> bool {
        let Some(frame) = thread.frames().last() else { return false };
        let forest = self.forests[frame.function].as_ref();
        let head = forest.is_some_and(|forest| forest.headed_by(frame.block).is_some());
        head && frame.next == 0 && !thread.in_section()
    }
}

/// Where a thread was, and what it had done.
struct Mark {
    spot: Spot,
    state: State,
}

/// Where a thread was, at the heads of loops.
#[derive(Clone, Default)]
pub struct Trail {
    all: Vec<Rc<Mark>>,
    counting: Counting,
}

/// Where a thread was, at the heads of loops that it has not left since, whatever it has counted.
#[derive(Clone, Default)]
pub struct Counting(Vec<Rc<Counted>>);

/// A round of a loop.
pub struct Counted {
    mark: Mark,
    /// Which call the loop is in, counted from the outermost, and the loop.
    depth: usize,
    function: FuncId,
    head: BlockId,
}

impl Counting {
    /// A thread has come to another instruction.
    pub fn stay(&mut self, loops: &Loops, thread: &Thread<Flow>) {
        let stays = |counted: &Rc<Counted>| {
            let frame = thread.frames().get(counted.depth);
            let forest = loops.forests[counted.function].as_ref();
            let (Some(frame), Some(forest)) = (frame, forest) else { return false };
            let own = forest.headed_by(counted.head).map(|id| &forest.loops[id].blocks);
            frame.function == counted.function
                && own.is_some_and(|blocks| blocks.contains(&frame.block))
        };
        self.0.retain(stays);
    }

    /// A thread has come to the head of a loop; gives the rounds that began like this one.
    pub fn come(
        &mut self,
        code: &Code<'_>,
        loops: &Loops,
        objects: &Objects,
        (thread, state): (&Thread<Flow>, &State),
    ) -> Vec<Rc<Counted>> {
        let Some(frame) = thread.frames().last() else { return Vec::new() };
        let (depth, function, head) = (thread.frames().len() - 1, frame.function, frame.block);
        let Some(counters) = loops.counters[function].get(&head) else { return Vec::new() };
        let spot = Spot::new(code, &loops.alive, objects, thread, state).whatever(code, counters);
        let alike = |counted: &&Rc<Counted>| {
            (counted.depth, counted.function, counted.head) == (depth, function, head)
                && counted.mark.spot.is_like(&spot)
        };
        let found: Vec<Rc<Counted>> = self.0.iter().filter(alike).cloned().collect();
        let mark = Mark { spot, state: state.clone() };
        self.0.push(Rc::new(Counted { mark, depth, function, head }));
        found
    }
}

/// The registers that decide nothing in the loops of a function.
fn counters(function: &Function) -> BTreeMap<BlockId, BTreeSet<Reg>> {
    let forest = LoopForest::new(function).ok();
    let loops = forest.iter().flat_map(|forest| forest.loops.iter());
    let own = loops.map(|it| (it.header, bystanders(function, it)));
    own.filter(|(_, regs)| !regs.is_empty()).collect()
}

/// What comes of having come to the head of a loop.
#[derive(Default)]
pub struct Round {
    /// A thread that is where it was goes round for ever if memory allows it: what it had done, and
    /// its end.
    pub spins: Option<(State, RunEnd)>,
    /// There is no need to follow it: what it had done before it went round again.
    pub useless: Option<State>,
}

impl Trail {
    /// A thread has come to the head of a loop.
    pub fn step(
        &mut self,
        code: &Code<'_>,
        loops: &Loops,
        objects: &Objects,
        (thread, state): (&Thread<Flow>, &State),
    ) -> Round {
        let mut round = Round::default();
        if state.freed_read.is_some() {
            return round;
        }
        let spot = Spot::new(code, &loops.alive, objects, thread, state);
        let alike: Vec<&Rc<Mark>> =
            self.all.iter().filter(|mark| mark.spot.is_like(&spot)).collect();
        let counted = self.counting.come(code, loops, objects, (thread, state));
        round.spins = match (&alike[..], &counted[..]) {
            ([only], _) => spins(&only.state, state),
            ([], [only]) => spins(&only.mark.state, state),
            _ => None,
        };
        if let [first, .., last] = &alike[..]
            && does_nothing(&first.state, state)
        {
            round.useless = Some(last.state.clone());
        }
        self.all.push(Rc::new(Mark { spot, state: state.clone() }));
        round
    }
}

/// What a round comes to that goes on for ever, if it may.
fn spins(before: &State, after: &State) -> Option<(State, RunEnd)> {
    let accesses = accesses(before, after)?;
    // The model must let one round see what is last. One that writes is left out.
    let start = before.recorder.events.len();
    let (done, start) = match before.writes == after.writes {
        true => (after, Some(start)),
        false => (before, None),
    };
    Some((done.clone(), RunEnd::Spins(accesses, start)))
}

/// Whether nobody can tell whether a thread went from one state to the other.
fn does_nothing(before: &State, after: &State) -> bool {
    let done = |state: &State| {
        (state.writes, state.allocations, state.spawned.len(), state.joined.len(), state.seen.len())
    };
    done(before) == done(after) && before.operations.len() == after.operations.len()
}

/// What a round reads and writes, if it is the same every time that it finds these values.
fn accesses(before: &State, after: &State) -> Option<Vec<(CellId, ValueId)>> {
    let only_writes = State { writes: before.writes, ..after.clone() };
    let (log, start) = (&after.log, before.recorder.events.len());
    let fails = log.spurious[before.log.spurious.len()..].contains(&true)
        || log.exclusives[before.log.exclusives.len()..].contains(&false);
    let chose = log.choices.len() != before.log.choices.len();
    if fails || chose || !does_nothing(before, &only_writes) {
        return None;
    }
    let mut found = Vec::new();
    let events = &after.recorder.events[start..];
    for (event, value) in events.iter().zip(&after.recorder.values[start..]) {
        if event.whole.is_some() {
            return None;
        }
        found.extend(event.cell.zip(*value));
    }
    found.sort();
    found.dedup();
    Some(found)
}
