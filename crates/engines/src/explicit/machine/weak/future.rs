//! What a thread may still access, from where it is.
//!
//! Which cells an instruction accesses is learnt while states are visited: what was not known makes
//! the search begin again, knowing more, as for [`sharing`](crate::explicit::reductions::sharing).
//! An execution that reaches an access that is not known yet is not lost before: up to there, all
//! that is known is true, and what is left out because of it commutes. Which instructions can follow
//! is read off the program: those of the blocks that can be reached, in all calls that have not
//! returned, and of all functions that are called or started there.

use super::nests::Nests;
use super::view::Cell;
use crate::explicit::machine::layout::Map;
use execution::ids::IdVec;
use ir::op::{Callee, Op};
use ir::program::{BlockId, FuncId, LocId, Program};
use ir::step::thread::Thread;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where an access is: in which block, and its place in the source.
type Point = (FuncId, BlockId, Option<LocId>);

/// In a block, the place of an access in the source, its cell, and whether it is written.
type Accessed = (Option<LocId>, Cell, bool);

/// Which cells are accessed where, as far as is known; with whether they are written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learnt {
    cells: BTreeMap<(FuncId, BlockId), BTreeSet<Accessed>>,
}

impl Learnt {
    /// Notes an access; gives whether it is new.
    pub(crate) fn note(
        &mut self,
        (function, block, place): Point,
        cell: Cell,
        write: bool,
    ) -> bool {
        self.cells.entry((function, block)).or_default().insert((place, cell, write))
    }
}

/// Some cells.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Set(Vec<u64>);

impl Set {
    fn add(&mut self, cell: Cell) {
        let (word, bit) = (cell as usize / 64, cell as usize % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << bit;
    }

    fn has(&self, cell: Cell) -> bool {
        self.0.get(cell as usize / 64).is_some_and(|word| word >> (cell % 64) & 1 != 0)
    }

    fn join(&mut self, other: &Set) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }
}

/// What a thread may still do.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Future {
    /// Anything: nothing is known.
    anything: bool,
    accessed: Set,
    written: Set,
}

impl Future {
    pub(crate) fn accesses(&self, cell: Cell) -> bool {
        self.anything || self.accessed.has(cell)
    }

    pub(crate) fn writes(&self, cell: Cell) -> bool {
        self.anything || self.written.has(cell)
    }

    /// Whether it writes at all.
    pub(crate) fn writes_some(&self) -> bool {
        self.anything || self.written.0.iter().any(|word| *word != 0)
    }

    fn join(&mut self, other: &Future) {
        self.anything |= other.anything;
        self.accessed.join(&other.accessed);
        self.written.join(&other.written);
    }
}

/// The number of a future.
pub(crate) type FutureId = u32;

/// What may follow the places of a program.
#[derive(Debug)]
pub(crate) struct Futures {
    learnt: Learnt,
    /// For each block, those that can be reached from it.
    reached: IdVec<FuncId, IdVec<BlockId, BTreeSet<BlockId>>>,
    /// Where each block is in the loops of its function.
    nests: IdVec<FuncId, Nests>,
    known: RefCell<Known>,
}

/// What was computed before.
#[derive(Debug, Default)]
struct Known {
    functions: Map<FuncId, Rc<Future>>,
    points: Map<(FuncId, BlockId, u32), Rc<Future>>,
    all: Vec<Rc<Future>>,
    numbers: Map<Rc<Future>, FutureId>,
}

impl Futures {
    pub(crate) fn new(program: &Program, learnt: Learnt) -> Self {
        let mut reached = IdVec::new();
        for function in program.functions.iter() {
            let next: IdVec<BlockId, BTreeSet<BlockId>> = function
                .blocks
                .iter()
                .map(|block| block.terminator.successors().into_iter().collect())
                .collect();
            let from = |block: BlockId| {
                let mut found = BTreeSet::new();
                let mut open: Vec<BlockId> = next[block].iter().copied().collect();
                while let Some(block) = open.pop() {
                    if found.insert(block) {
                        open.extend(&next[block]);
                    }
                }
                found
            };
            reached.push(next.ids().map(from).collect());
        }
        let nests = program.functions.iter().map(Nests::new).collect();
        let futures = Futures { learnt, reached, nests, known: RefCell::default() };
        // The first one is that of which nothing is known.
        futures.number(Future { anything: true, ..Future::default() });
        futures
    }

    /// The number of the future of which nothing is known.
    pub(crate) const ANYTHING: FutureId = 0;

    fn number(&self, future: Future) -> FutureId {
        let mut known = self.known.borrow_mut();
        if let Some(&number) = known.numbers.get(&future) {
            return number;
        }
        let (number, future) = (known.all.len() as FutureId, Rc::new(future));
        known.all.push(future.clone());
        known.numbers.insert(future, number);
        number
    }

    pub(crate) fn get(&self, number: FutureId) -> Rc<Future> {
        self.known.borrow().all[number as usize].clone()
    }

    /// What a thread may still do.
    pub(crate) fn of(&self, program: &Program, thread: &Thread<()>) -> FutureId {
        let mut future = Future::default();
        for frame in thread.frames() {
            future.join(&self.from(program, frame.function, frame.block, frame.next));
        }
        self.number(future)
    }

    fn from(&self, program: &Program, function: FuncId, block: BlockId, next: u32) -> Rc<Future> {
        let key = (function, block, next);
        if let Some(known) = self.known.borrow().points.get(&key) {
            return known.clone();
        }
        let mut future = Future::default();
        let again = self.reached[function][block].contains(&block);
        self.block(program, (function, block, if again { 0 } else { next }), &mut future);
        for &other in &self.reached[function][block] {
            self.block(program, (function, other, 0), &mut future);
        }
        let future = Rc::new(future);
        self.known.borrow_mut().points.insert(key, future.clone());
        future
    }

    /// Adds what a block may do from an instruction on.
    fn block(
        &self,
        program: &Program,
        (function, block, next): (FuncId, BlockId, u32),
        future: &mut Future,
    ) {
        let mut open: Vec<FuncId> = Vec::new();
        self.own((function, block, next), program, future, &mut open);
        for callee in open {
            future.join(&self.function(program, callee));
        }
    }

    /// Adds the accesses of a block itself, and the functions that it calls.
    fn own(
        &self,
        (function, block, next): (FuncId, BlockId, u32),
        program: &Program,
        future: &mut Future,
        calls: &mut Vec<FuncId>,
    ) {
        let insts = &program.functions[function].blocks[block].insts;
        let rest = &insts[insts.len().min(next as usize)..];
        let known = self.learnt.cells.get(&(function, block));
        for &(place, cell, write) in known.into_iter().flatten() {
            if next == 0 || rest.iter().any(|inst| inst.place == place) {
                future.accessed.add(cell);
                if write {
                    future.written.add(cell);
                }
            }
        }
        for inst in rest {
            match &inst.op {
                Op::Call { callee: Callee::Direct(callee), .. }
                | Op::Spawn { callee: Callee::Direct(callee), .. } => calls.push(*callee),
                Op::Call { .. } | Op::Spawn { .. } => calls.extend(program.functions.ids()),
                _ => {}
            }
        }
    }

    /// All that a function may do, with those that it calls.
    fn function(&self, program: &Program, function: FuncId) -> Rc<Future> {
        if let Some(known) = self.known.borrow().functions.get(&function) {
            return known.clone();
        }
        let mut future = Future::default();
        let mut open = vec![function];
        let mut found = BTreeSet::from([function]);
        while let Some(function) = open.pop() {
            let mut calls = Vec::new();
            for block in program.functions[function].blocks.ids() {
                self.own((function, block, 0), program, &mut future, &mut calls);
            }
            open.extend(calls.into_iter().filter(|&callee| found.insert(callee)));
        }
        let future = Rc::new(future);
        self.known.borrow_mut().functions.insert(function, future.clone());
        future
    }

    /// Whether a thread has gone forwards from one state to another: no round of states consists of
    /// such steps alone.
    pub(crate) fn is_forward(&self, before: &Thread<()>, after: &Thread<()>) -> bool {
        let rank = |thread: &Thread<()>, call: usize| {
            let frame = thread.frames().get(call)?;
            Some(self.nests[frame.function].rank(thread, call))
        };
        for call in 0..before.frames().len() {
            match (rank(before, call), rank(after, call)) {
                (before, after) if before == after => {}
                (before, Some(after)) => return before.is_some_and(|before| after > before),
                // It has returned.
                (_, None) => return true,
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_added() {
        let mut set = Set::default();
        set.add(3);
        set.add(200);
        assert!(set.has(3) && set.has(200) && !set.has(2) && !set.has(1000));
        let mut other = Set::default();
        other.join(&set);
        assert_eq!(other, set);
    }
}
