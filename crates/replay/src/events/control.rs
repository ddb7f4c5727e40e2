//! Which blocks a branch governs: those between it and the place where its arms join.
//!
//! In a structured language a control dependency ends with the statement, so the recorder must know
//! the joins ([`ir::cfg::joins`]).

use execution::ids::{Id, IdVec};
use ir::cfg::joins;
use ir::program::{BlockId, FuncId, Function, Program};
use std::collections::BTreeSet;

/// For every branch, the blocks it governs.
#[derive(Clone, Debug)]
pub struct Regions {
    governed: IdVec<FuncId, Vec<BTreeSet<BlockId>>>,
}

impl Regions {
    /// The regions of all branches of a program.
    pub fn new(program: &Program) -> Self {
        Self { governed: program.functions.iter().map(regions).collect() }
    }

    /// Whether the branch at the end of `branch` governs `block`.
    pub fn governs(&self, function: FuncId, branch: BlockId, block: BlockId) -> bool {
        self.governed[function][branch.index()].contains(&block)
    }
}

fn regions(function: &Function) -> Vec<BTreeSet<BlockId>> {
    let joins = joins(function);
    function
        .blocks
        .enumerate()
        .map(|(id, block)| {
            let successors = block.terminator.successors();
            if successors.len() < 2 {
                return BTreeSet::new();
            }
            let join = joins[id];
            let mut found = BTreeSet::new();
            let mut stack = successors;
            while let Some(next) = stack.pop() {
                if Some(next) != join && found.insert(next) {
                    stack.extend(function.blocks[next].terminator.successors());
                }
            }
            found
        })
        .collect()
}
