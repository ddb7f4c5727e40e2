//! Loops in which a thread stays, and what it counts there.
//!
//! A thread loops for ever if nothing differs between iterations but registers that decide nothing
//! in the loop, as long as it has stayed there: a counter of attempts.

use super::spot::Spot;
use super::state::State;
use crate::events::trace::Flow;
use crate::memory::objects::Objects;
use execution::ids::IdVec;
use ir::cfg::{Liveness, LoopForest, bystanders};
use ir::program::{BlockId, FuncId, Function, Program, Reg};
use ir::step::thread::{Code, Thread};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What is known of the functions of a program.
pub struct Loops {
    /// Which registers are still to be read.
    pub alive: IdVec<FuncId, Liveness>,
    forests: IdVec<FuncId, Option<LoopForest>>,
    /// By the head of each loop, the registers that decide nothing there, if there are some.
    counters: IdVec<FuncId, BTreeMap<BlockId, BTreeSet<Reg>>>,
}

impl Loops {
    pub fn new(program: &Program) -> Self {
        Self {
            alive: program.functions.iter().map(Liveness::new).collect(),
            forests: program.functions.iter().map(|f| LoopForest::new(f).ok()).collect(),
            counters: program.functions.iter().map(counters).collect(),
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

/// Where a thread was, at the heads of loops that it has not left since, whatever it has counted.
#[derive(Clone, Default)]
pub struct Counting(Vec<Rc<Counted>>);

/// A round of a loop.
pub struct Counted {
    spot: Spot,
    /// What the thread had done before it.
    pub before: State,
    /// Which call the loop is in, counted from the outermost, and the loop.
    depth: usize,
    function: FuncId,
    head: BlockId,
}

impl Counting {
    /// A thread has reached another instruction.
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

    /// A thread has reached the head of a loop; gives the iterations that began in the same state.
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
        let same = |counted: &&Rc<Counted>| {
            (counted.depth, counted.function, counted.head) == (depth, function, head)
                && counted.spot.is_like(&spot)
        };
        let found: Vec<Rc<Counted>> = self.0.iter().filter(same).cloned().collect();
        let before = state.clone();
        self.0.push(Rc::new(Counted { spot, before, depth, function, head }));
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
