//! The last thread that still makes steps, in a loop that no other thread can let it leave.
//!
//! It may write in each iteration: it polls with a timed wait, takes a lock for writing, raises and
//! lowers a flag. The others have ended or wait, so memory only ever comes back to what it was, and
//! the loop is not left. That is waiting if the loop has an end at all; a thread that goes on in
//! `for (;;)` does what it was written for.

use crate::explicit::search::ids::StateId;
use crate::explicit::search::{Numbers, Search, Stopped, at, threads};
use execution::event::ThreadId;
use ir::cfg::{LoopForest, LoopId};
use ir::program::BlockId;
use ir::step::frame::Frame;
use std::collections::BTreeSet;

impl Search<'_> {
    /// Whether in these states, which are never left, only one thread makes steps, and goes round a
    /// loop that could be left.
    pub(crate) fn is_alone(&mut self, states: &[StateId]) -> Result<bool, Stopped> {
        if self.layout.sharing.borrow().has_like_threads() {
            return Ok(false);
        }
        let mut runs = BTreeSet::new();
        for &state in states {
            let list = self.list(state).to_vec();
            let pending = &self.shareds.get(list[0]).buffers;
            runs.extend(pending.ids().filter(|&thread| !pending[thread].is_empty()));
            for (thread, local) in threads(&list) {
                let steps = self.steps(thread, local, list[0])?;
                if steps.iter().any(|step| matches!(step, Numbers::Next { .. })) {
                    runs.insert(thread);
                }
            }
        }
        let mut runs = runs.into_iter();
        match (runs.next(), runs.next()) {
            (Some(thread), None) => Ok(self.may_leave(states, thread)),
            _ => Ok(false),
        }
    }

    /// Whether the loop that a thread goes round in these states has an end.
    pub(crate) fn may_leave(&self, states: &[StateId], thread: ThreadId) -> bool {
        let local =
            |&state: &StateId| self.locals.get(self.list(state)[at(thread)]).thread.as_ref();
        let stacks: Vec<_> = states.iter().filter_map(local).map(|it| it.frames()).collect();
        let Some((first, others)) = stacks.split_first() else { return false };
        // The outermost call that is not always at the same place, or the innermost that all have.
        let shortest = stacks.iter().map(|stack| stack.len()).min().unwrap_or(0);
        let place = |stack: &[Frame], depth: usize| {
            (stack[depth].function, stack[depth].block, stack[depth].next)
        };
        let moves =
            |depth: &usize| others.iter().any(|other| place(other, *depth) != place(first, *depth));
        let Some(last) = shortest.checked_sub(1) else { return false };
        let deepest = (0..last).find(moves).unwrap_or(last);
        // It may call again what it has just left, so the loop may be one of a caller.
        let around = (0..=deepest).rev().find_map(|depth| self.loop_of(&stacks, depth));
        around.unwrap_or(false)
    }

    /// Whether the innermost loop around where these stacks are, at this depth, has an end.
    fn loop_of(&self, stacks: &[&[Frame]], depth: usize) -> Option<bool> {
        let blocks: BTreeSet<BlockId> = stacks.iter().map(|stack| stack[depth].block).collect();
        let function = &self.layout.code.program.functions[stacks[0][depth].function];
        let forest = LoopForest::new(function).ok()?;
        let around = |id: &LoopId| blocks.iter().all(|b| forest.loops[*id].blocks.contains(b));
        let mut inner = forest.innermost(stacks[0][depth].block);
        while let Some(id) = inner.filter(|id| !around(id)) {
            inner = forest.loops[id].parent;
        }
        inner.map(|id| !forest.loops[id].exits.is_empty())
    }
}
