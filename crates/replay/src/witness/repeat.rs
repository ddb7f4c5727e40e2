//! Threads that repeat the same steps for ever, and change memory while they do it.
//!
//! The witness gives a prefix and a repeated part. That part can be repeated any number of
//! times: each thread returns to where it was, memory holds again what it held, and nothing in
//! the prefix depends on what is repeated: no location's order has a write of the prefix after
//! one that is repeated, no read in the prefix sees one of those, and no repeated read sees a
//! write that was overwritten in the prefix. So every dependency between two repetitions leads
//! forwards, and no cycle that a model forbids can go through both.
//!
//! That execution is fair: every thread that has not ended takes part, or waits for what is not
//! changed in what is repeated; and no store stays invisible, because each read sees a repeated
//! write or the last one before.

use super::check::{Whole, value_of};
use super::run::{Attempt, Status};
use crate::Mismatch;
use crate::memory::world::CellId;
use crate::thread::spot::Spot;
use execution::event::{EventId, EventKind};
use execution::ids::Id;
use execution::witness::End;
use std::collections::BTreeSet;

/// Where a thread was before what it repeats.
pub struct Mark {
    spot: Spot,
    /// How many of its events come before.
    events: usize,
}

impl Attempt<'_, '_> {
    /// A thread is before what it repeats, or has come back.
    pub fn repeat(&mut self, index: usize) -> Result<(), Mismatch> {
        let accesses = self.runs[index].cursor.accesses;
        if self.runs[index].state.section.is_some() {
            // It has not entered it yet.
            self.runs[index].leave_section();
        }
        if self.runs[index].cursor.accesses != accesses {
            return Err(self.mismatch(index, "it is to repeat a part of an atomic section"));
        }
        let spot = self.spot(index);
        let run = &mut self.runs[index];
        let events = run.state.recorder.events.len();
        let Some(mark) = &run.mark else {
            run.mark = Some(Box::new(Mark { spot, events }));
            run.cursor.marked = true;
            run.status = Status::Running;
            return Ok(());
        };
        if mark.events == events || !mark.spot.is_like(&spot) {
            return Err(self.mismatch(index, "it does not come back to where it was"));
        }
        run.status = Status::Spins(Vec::new());
        Ok(())
    }

    /// What is repeated can be repeated for ever, and that is fair.
    pub fn check_repeating(&mut self, whole: &Whole<'_>) -> Result<(), Mismatch> {
        let repeats = |index: usize| {
            let end = self.witness.threads[self.runs[index].id.index()].end;
            matches!(end, End::Repeats { .. })
        };
        let repeating: Vec<usize> = (0..self.runs.len()).filter(|&index| repeats(index)).collect();
        if repeating.is_empty() {
            return Ok(());
        }
        let again = |event: EventId| {
            let Some((index, position)) = whole.skeleton.position(event) else { return false };
            let mark = self.runs[index].mark.as_ref();
            mark.is_some_and(|mark| position >= mark.events)
        };
        let mut changed = BTreeSet::new();
        for (cell, order) in whole.skeleton.cells.iter().zip(&whole.orders) {
            let value = |event: EventId| value_of(&self.world, whole.skeleton, event);
            let first = order.iter().position(|&write| again(write)).unwrap_or(order.len());
            if order[first..].iter().any(|&write| !again(write)) {
                return Err(
                    self.mismatch(repeating[0], "it repeats what comes before other writes")
                );
            }
            let (before, last) = (order[first - 1], order[order.len() - 1]);
            if value(before) != value(last) {
                return Err(self.mismatch(repeating[0], "memory does not come back to what it was"));
            }
            if first < order.len() {
                changed.insert(cell.cell);
            }
            for &overwritten in &order[..first - 1] {
                if whole.rf.iter().any(|(from, read)| from == overwritten && again(read)) {
                    let what = "what it repeats reads what was overwritten before";
                    return Err(self.mismatch(repeating[0], what));
                }
            }
        }
        if whole.rf.iter().any(|(from, read)| again(from) && !again(read)) {
            let what = "what it repeats is read before it is repeated";
            return Err(self.mismatch(repeating[0], what));
        }
        if let Some(&cell) = self.waited_for().intersection(&changed).next() {
            let what = format!("a thread waits for {}", self.world.cells[cell.index()].name);
            return Err(self.mismatch(repeating[0], &format!("{what}, which it changes")));
        }
        for index in repeating {
            let reads = self.read_again(index);
            self.runs[index].status = Status::Spins(reads);
        }
        Ok(())
    }

    /// What a thread reads in what it repeats, as `flag = 0`.
    fn read_again(&self, index: usize) -> Vec<String> {
        let run = &self.runs[index];
        let Some(mark) = &run.mark else { return Vec::new() };
        let recorder = &run.state.recorder;
        let events = recorder.events.iter().zip(&recorder.values).skip(mark.events);
        let mut reads: Vec<String> = Vec::new();
        for (event, value) in events.filter(|(event, _)| event.kind == EventKind::Read) {
            let (Some(cell), Some(value)) = (event.cell, *value) else { continue };
            let cell: CellId = cell;
            let name = &self.world.cells[cell.index()].name;
            let text = format!("{name} = {}", self.world.describe(value));
            if !reads.contains(&text) {
                reads.push(text);
            }
        }
        reads
    }
}
