//! One execution of one thread of a C program, whole or in part, and executions of one shape.

use super::ends::Left;
use execution::event::ThreadId;
use execution::finding::FindingKind;
use execution::span::Location;
use ir::value::Value;
use replay::events::shape::Shape;
use replay::events::trace::Event;
use replay::memory::world::{CellId, ValueId};
use replay::thread::answers::Wrong;
use replay::thread::state::{Joined, Log, Seen, Spawned, State, Word};
use std::collections::{BTreeSet, HashMap};

/// How far a thread came.
#[derive(Clone, PartialEq, Debug)]
pub enum RunEnd {
    /// To its end, with this result.
    Complete(Value),
    /// Something is wrong with what it did last.
    Wrong(Box<Wrong>, Option<Location>),
    /// Not to its end; this is not a place where it could stay.
    Partial,
    /// One of its events may be wrong in this way, depending on the others.
    Suspect(FindingKind, Option<Location>),
    /// It waits before an atomic section that it cannot enter while cells hold these values.
    Waits(Vec<(CellId, ValueId)>),
    /// It waits for the end of a thread.
    WaitsFor(ThreadId),
    /// It loops for ever while cells hold these values. The events from a certain one on are such
    /// an iteration, which sees what is last in coherence order, if it writes nothing.
    Spins(Vec<(CellId, ValueId)>, Option<usize>),
}

/// One execution of one thread.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its events.
    pub events: Vec<Event>,
    /// Their values.
    pub values: Vec<Option<ValueId>>,
    /// The threads it started.
    pub spawned: Vec<Spawned>,
    /// The threads whose end it awaited.
    pub joined: Vec<Joined>,
    /// How far it came.
    pub end: RunEnd,
    /// The first event that read from a freed block.
    pub freed_read: Option<(usize, Box<Wrong>)>,
    /// What does not matter to a model.
    pub extra: Extra,
}

/// What one execution of a thread has that does not matter to a model.
#[derive(Clone, Debug, Default)]
pub struct Extra {
    /// What it observed.
    pub seen: Vec<Seen>,
    /// Whether it was cut.
    pub cut: bool,
    /// The operation that it was in when it stopped.
    pub open: Option<u32>,
    /// What was decided for it.
    pub log: Log,
    /// For each event that writes, which of the writes it is.
    pub write_numbers: HashMap<usize, u32>,
    /// The words of locks that it wrote.
    pub words: BTreeSet<Word>,
    /// Whether it ended the whole program by design: it called `exit`.
    pub over: bool,
    /// Whether it returned, and did not only end its own thread.
    pub returned: bool,
    /// The threads that it has detached.
    pub detached: BTreeSet<ThreadId>,
    /// What is wrong with what it leaves, if there are no other threads.
    pub left: Left,
}

impl Run {
    /// What a thread has done.
    pub fn new(state: State, end: RunEnd) -> Self {
        let mut log = state.log;
        log.accesses.resize(state.recorder.events.len(), state.accesses);
        let (seen, write_numbers, words) = (state.seen, state.write_numbers, state.words);
        let open = state.recorder.operation();
        Self {
            events: state.recorder.events,
            values: state.recorder.values,
            spawned: state.spawned,
            joined: state.joined,
            end,
            freed_read: state.freed_read,
            extra: Extra {
                seen,
                open,
                log,
                write_numbers,
                words,
                over: state.over,
                returned: state.returned,
                detached: state.detached,
                ..Extra::default()
            },
        }
    }

    /// The places where it may be stopped: not between the events of one instruction or of one
    /// atomic section.
    pub fn cuts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..=self.events.len()).filter(|&at| {
            let (Some(before), Some(after)) =
                (at.checked_sub(1).and_then(|at| self.events.get(at)), self.events.get(at))
            else {
                return true;
            };
            let section = before.section.is_some() && before.section == after.section;
            before.instruction != after.instruction && !section
        })
    }

    /// The places where it may be stopped if operations are units: between them only.
    pub fn cuts_between_operations(&self) -> impl Iterator<Item = usize> + '_ {
        let operation = |at: usize| self.events.get(at).and_then(|event| event.operation);
        self.cuts().filter(move |&at| {
            let before = at.checked_sub(1).and_then(operation);
            let after = if at < self.events.len() { operation(at) } else { self.extra.open };
            before.is_none() || before != after
        })
    }

    /// Its first events only.
    pub fn cut(&self, at: usize, end: RunEnd) -> Run {
        let next = self.events.get(at).map_or(u32::MAX, |event| event.instruction);
        // A join after which there is no event need not have happened.
        let last = self.events[..at].last().map_or(0, |event| event.instruction);
        let mut extra = self.extra.clone();
        extra.log.accesses.truncate(at);
        extra.seen.clear();
        extra.cut = true;
        Run {
            events: self.events[..at].to_vec(),
            values: self.values[..at].to_vec(),
            spawned: self.spawned.iter().filter(|s| s.after < next).cloned().collect(),
            joined: self.joined.iter().filter(|j| j.after < last).cloned().collect(),
            end,
            freed_read: self.freed_read.clone().filter(|(event, _)| *event < at),
            extra,
        }
    }
}

/// Executions of one thread that differ in values only.
#[derive(Debug)]
pub struct Group {
    /// Events and values.
    pub shape: Shape,
    /// The threads they started.
    pub spawned: Vec<Spawned>,
    /// The threads whose end they awaited.
    pub joined: Vec<Joined>,
    /// How far they came.
    pub end: RunEnd,
    /// What does not matter to a model, for each execution.
    pub extras: Vec<Extra>,
}

/// Groups executions.
pub fn group(runs: impl Iterator<Item = Run>) -> Vec<Group> {
    type Key = (Vec<Event>, Vec<Spawned>, Vec<Joined>);
    let mut found: Vec<Group> = Vec::new();
    let mut index: HashMap<Key, Vec<usize>> = HashMap::new();
    for run in runs {
        let key = (run.events, run.spawned, run.joined);
        let known = index.entry(key.clone()).or_default();
        let same = known.iter().copied().find(|&number| found[number].end == run.end);
        let number = same.unwrap_or_else(|| {
            let (events, spawned, joined) = key;
            let values = vec![Vec::new(); events.len()];
            let shape = Shape { stray: false, events, values, observations: Vec::new() };
            let (end, extras) = (run.end, Vec::new());
            found.push(Group { shape, spawned, joined, end, extras });
            known.push(found.len() - 1);
            found.len() - 1
        });
        let group = &mut found[number];
        for (column, value) in group.shape.values.iter_mut().zip(run.values) {
            column.push(value);
        }
        group.shape.observations.push(Vec::new());
        group.extras.push(run.extra);
    }
    found.iter_mut().for_each(Group::drop_doubles);
    found
}

impl Group {
    /// Drops executions that are the same as another one in everything that matters.
    fn drop_doubles(&mut self) {
        let mut seen = std::collections::HashSet::new();
        let keep: Vec<bool> = (0..self.extras.len())
            .map(|i| {
                let values: Vec<_> = self.shape.values.iter().map(|column| column[i]).collect();
                let extra = &self.extras[i];
                seen.insert((values, extra.seen.clone(), extra.log.allocations.clone()))
            })
            .collect();
        let mut at = keep.iter();
        self.extras.retain(|_| *at.next().unwrap_or(&true));
        for column in &mut self.shape.values {
            let mut at = keep.iter();
            column.retain(|_| *at.next().unwrap_or(&true));
        }
        self.shape.observations.truncate(self.extras.len());
    }
}
