//! Iterations of loops that change nothing.
//!
//! A thread that returns to where it was, with the same values in registers and in objects of
//! its own, continues as it did before. If it has written nothing on the way, what it read there is
//! irrelevant: leaving these events out of an execution takes constraints away and nothing else,
//! and of each thread at most one event takes part in a race. So one such iteration is explored,
//! and not a second one.
//!
//! If memory ends up with what the iteration has read (and with what it has written, so that
//! writing it changes nothing), the thread loops for ever. It need not if the iteration would be
//! another one with another choice, nor if the model does not let an iteration see what is last.
//!
//! It loops for ever, too, if nothing differs but registers that decide nothing in the loop, as
//! long as it has stayed there: a counter of attempts. Such iterations are all explored, because
//! the count may matter later.

use super::run::RunEnd;
use ir::step::memory::Memory;
use ir::step::thread::{Code, Step, Thread};
use replay::events::trace::Flow;
use replay::memory::objects::Objects;
use replay::memory::world::{CellId, ValueId};
use replay::thread::loops::{Counting, Loops};
use replay::thread::spot::Spot;
use replay::thread::state::State;
use std::rc::Rc;

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

/// What is known when a thread has reached the head of a loop.
#[derive(Default)]
pub struct Round {
    /// A thread that is where it was loops for ever if memory allows it: what it had done, and
    /// its end.
    pub spins: Option<(State, RunEnd)>,
    /// It need not be explored: what it had done before this iteration.
    pub useless: Option<State>,
}

impl Trail {
    /// Runs a thread until it reaches the head of a loop outside an atomic section: other threads
    /// do not see a part of one.
    pub fn run<M: Memory<Flow>>(
        &mut self,
        code: &Code<'_>,
        loops: &Loops,
        thread: &mut Thread<Flow>,
        (memory, fuel): (&mut M, u64),
    ) -> Step<M::Stop> {
        let end = thread.executed() + fuel;
        loop {
            let step = thread.run(code, memory, 1, 1);
            self.counting.stay(loops, thread);
            match step {
                Step::Ran | Step::OutOfFuel if loops.is_at_head(thread) => return Step::Ran,
                Step::Ran | Step::OutOfFuel if thread.executed() < end => {}
                step => return step,
            }
        }
    }

    /// A thread has reached the head of a loop.
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
        let same: Vec<&Rc<Mark>> =
            self.all.iter().filter(|mark| mark.spot.is_like(&spot)).collect();
        let counted = self.counting.come(code, loops, objects, (thread, state));
        round.spins = match (&same[..], &counted[..]) {
            ([only], _) => spins(&only.state, state),
            ([], [only]) => spins(&only.before, state),
            _ => None,
        };
        if let [first, .., last] = &same[..]
            && does_nothing(&first.state, state)
        {
            round.useless = Some(last.state.clone());
        }
        self.all.push(Rc::new(Mark { spot, state: state.clone() }));
        round
    }
}

/// The end of a thread that repeats an iteration for ever, if it may.
fn spins(before: &State, after: &State) -> Option<(State, RunEnd)> {
    let accesses = accesses(before, after)?;
    // The model must let one iteration see what is last. One that writes is left out.
    let start = before.recorder.events.len();
    let (done, start) = match before.writes == after.writes {
        true => (after, Some(start)),
        false => (before, None),
    };
    Some((done.clone(), RunEnd::Spins(accesses, start)))
}

/// Whether going from one state to the other is unobservable.
fn does_nothing(before: &State, after: &State) -> bool {
    let done = |state: &State| {
        (state.writes, state.allocations, state.spawned.len(), state.joined.len(), state.seen.len())
    };
    done(before) == done(after) && before.operations.len() == after.operations.len()
}

/// What an iteration reads and writes, if it is the same whenever it finds these values.
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
