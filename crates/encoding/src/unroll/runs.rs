//! Runs of the unroller: what one assumes of the program it finds out while it runs, so that runs
//! are repeated until each assumption is what is found.

use super::counts::{Count, Counts};
use super::dead::Dead;
use super::objects::Block;
use super::{ByText, ObjectKey, Result, UnrollOptions, Unroller, threads};
use crate::bounded::{Action, ActionKind, Bounded, InstanceKey};
use ir::points_to;
use ir::program::Program;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// What a run assumes.
#[derive(Clone)]
pub(super) struct Assumed {
    /// The objects that others may see, by earlier runs.
    pub(super) shared: BTreeSet<ObjectKey>,
    /// The blocks that there are, where something depends on that: those that the run before made.
    pub(super) blocks: Vec<Block>,
    /// The cells that do not matter when loops begin.
    pub(super) dead: Dead,
    /// The numbers that loops change while they wait.
    pub(super) counts: Counts,
    /// How many generations of threads of one function there are at most.
    pub(super) generations: u32,
}

/// What a run finds out about that.
#[derive(Default)]
pub(super) struct Found {
    /// The objects that others may see.
    pub(super) escaped: BTreeSet<ObjectKey>,
    /// The blocks that it made.
    pub(super) made: Vec<Block>,
    /// Whether something depends on which blocks there are.
    pub(super) wants_blocks: bool,
    /// Whether there were too many threads.
    pub(super) crowded: bool,
    /// Numbers that loops change while they wait.
    pub(super) counts: BTreeSet<(InstanceKey, Count)>,
}

impl Assumed {
    /// As little as possible is shared, and nothing is known of blocks.
    fn at_first() -> Self {
        Assumed {
            shared: BTreeSet::new(),
            blocks: Vec::new(),
            dead: Dead::default(),
            counts: Counts::default(),
            generations: threads::MAX_GENERATIONS,
        }
    }

    /// What the next run has to assume if a run found out more than this; `None` if it did not.
    fn refuted_by(&self, found: Found, frees: bool, reuse_blocks: bool) -> Option<Self> {
        let reuse = reuse_blocks && frees || found.wants_blocks;
        let known = self.blocks == found.made || !reuse;
        if !known || !found.escaped.is_subset(&self.shared) {
            let mut next = self.clone();
            next.shared.extend(found.escaped);
            next.blocks = if reuse { found.made } else { Vec::new() };
            return Some(next);
        }
        let fewer = found.crowded && self.generations > 1;
        fewer.then(|| Assumed { generations: self.generations / 2, ..self.clone() })
    }
}

/// Unrolls a program.
pub fn unroll(program: &Program, options: &UnrollOptions) -> Result<Bounded> {
    let by_text = match options.by_text {
        true => points_to::shared(program, options.litmus),
        false => BTreeSet::new(),
    };
    let by_text = ByText { shared: by_text, called: OnceCell::new(), promoted: OnceCell::new() };
    let mut assumed = Assumed::at_first();
    loop {
        let mut unroller = Unroller::new(program, options, &by_text, assumed.clone());
        let run = unroller.run();
        let frees = |action: &Action| matches!(action.kind, ActionKind::Free { .. });
        let frees = unroller.out.actions.iter().any(frees);
        let mut found = std::mem::take(&mut unroller.found);
        let counts = std::mem::take(&mut found.counts);
        if let Some(next) = assumed.refuted_by(found, frees, options.reuse_blocks) {
            assumed = next;
            continue;
        }
        // What a mark led to that was read says nothing.
        if unroller.store.marks_read.is_empty() {
            run?;
        }
        match unroller.assumed.dead.next(&unroller.store.marks_read) {
            Some(dead) => assumed.dead = dead,
            None => match unroller.assumed.counts.next(counts) {
                Some(counts) => assumed.counts = counts,
                None => return Ok(unroller.out),
            },
        }
    }
}
