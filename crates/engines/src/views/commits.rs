//! Commit points that an operation can still pass, by paths of its code alone.
//!
//! What is answered with yes by mistake leaves a guess open that later shows to be wrong; it is never
//! an error to say yes.

use execution::ids::{Id, IdVec};
use ir::op::{Callee, Op, Terminator};
use ir::program::{BlockId, FuncId, Function, Program};
use ir::step::thread::Thread;

/// For each function and each place in it, which ways lead to its end.
#[derive(Clone, Debug)]
pub(super) struct Commits {
    any: bool,
    functions: IdVec<FuncId, Ways>,
}

/// What can follow each instruction of a function, until it returns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Ways {
    /// Whether a commit point can follow.
    may_commit: Vec<Vec<bool>>,
    /// Whether the function can return without one.
    may_avoid: Vec<Vec<bool>>,
}

impl Commits {
    /// Of a program.
    pub fn new(program: &Program) -> Self {
        let insts = program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
        let any = insts.into_iter().any(|inst| matches!(inst.op, Op::Commit { .. }));
        let functions = program.functions.iter().map(|_| Ways::default()).collect();
        let mut commits = Self { any, functions };
        loop {
            let ways = |function: &Function| commits.ways(function);
            let next: IdVec<FuncId, Ways> = program.functions.iter().map(ways).collect();
            if next == commits.functions {
                return commits;
            }
            commits.functions = next;
        }
    }

    pub fn any(&self) -> bool {
        self.any
    }

    /// Whether a thread can pass a commit point before it ends.
    pub fn may_follow(&self, thread: &Thread<()>) -> bool {
        let at = |ways: &Ways, block: usize, next: usize| ways.may_commit[block][next];
        thread.frames().iter().any(|frame| {
            at(&self.functions[frame.function], frame.block.index(), frame.next as usize)
        })
    }

    /// Whether a thread can end without passing a commit point.
    pub fn may_be_avoided(&self, thread: &Thread<()>) -> bool {
        let at = |ways: &Ways, block: usize, next: usize| ways.may_avoid[block][next];
        thread.frames().iter().all(|frame| {
            at(&self.functions[frame.function], frame.block.index(), frame.next as usize)
        })
    }

    /// Whether what an instruction does passes a commit point, and whether it can avoid it.
    fn of(&self, op: &Op) -> (bool, bool) {
        let entry = |ways: &Vec<Vec<bool>>| ways.first().is_some_and(|block| block[0]);
        match op {
            Op::Commit { .. } => (true, false),
            Op::Call { callee: Callee::Direct(function), .. } => {
                let ways = &self.functions[*function];
                (entry(&ways.may_commit), entry(&ways.may_avoid))
            }
            Op::Call { .. } => (true, true),
            _ => (false, true),
        }
    }

    fn ways(&self, function: &Function) -> Ways {
        let size = |block: &ir::program::Block| block.insts.len() + 1;
        let nothing: Vec<Vec<bool>> =
            function.blocks.iter().map(|block| vec![false; size(block)]).collect();
        let mut ways = Ways { may_commit: nothing.clone(), may_avoid: nothing };
        loop {
            let before = ways.clone();
            for (id, block) in function.blocks.enumerate() {
                let id: BlockId = id;
                let at = id.index();
                let last = block.insts.len();
                let next = block.terminator.successors();
                let first = |ways: &Vec<Vec<bool>>| next.iter().any(|to| ways[to.index()][0]);
                ways.may_commit[at][last] = first(&ways.may_commit);
                ways.may_avoid[at][last] =
                    matches!(block.terminator, Terminator::Return(_)) || first(&ways.may_avoid);
                for (number, inst) in block.insts.iter().enumerate().rev() {
                    let (commits, avoids) = self.of(&inst.op);
                    let follows = ways.may_avoid[at][number + 1];
                    ways.may_commit[at][number] = commits || ways.may_commit[at][number + 1];
                    ways.may_avoid[at][number] = avoids && follows;
                }
            }
            if ways == before {
                return ways;
            }
        }
    }
}
