//! Which blocks a branch governs: those between it and the place where its arms join.
//!
//! In a structured language a control dependency ends with the statement, so the oracle must know
//! the joins: the immediate postdominators. Functions of litmus tests are small; the sets of
//! postdominators are found by iterating their defining equations.

use execution::ids::{Id, IdVec};
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
    let after = postdominators(function);
    function
        .blocks
        .enumerate()
        .map(|(id, block)| {
            let successors = block.terminator.successors();
            if successors.len() < 2 {
                return BTreeSet::new();
            }
            // The nearest of the strict postdominators is the one that all others postdominate.
            let strict = after[id.index()].iter().filter(|&&other| other != id);
            let join = strict.max_by_key(|other| after[other.index()].len()).copied();
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

/// For each block, the blocks that every path from it to the end passes.
fn postdominators(function: &Function) -> Vec<BTreeSet<BlockId>> {
    let all: BTreeSet<BlockId> = function.blocks.ids().collect();
    let mut sets: Vec<BTreeSet<BlockId>> = vec![all; function.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (id, block) in function.blocks.enumerate().rev() {
            let mut meet: Option<BTreeSet<BlockId>> = None;
            for next in block.terminator.successors() {
                let set = &sets[next.index()];
                meet = Some(match meet {
                    Some(meet) => meet.intersection(set).copied().collect(),
                    None => set.clone(),
                });
            }
            let mut set = meet.unwrap_or_default();
            set.insert(id);
            if set != sets[id.index()] {
                sets[id.index()] = set;
                changed = true;
            }
        }
    }
    sets
}
