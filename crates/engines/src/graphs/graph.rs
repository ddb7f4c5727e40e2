//! Execution graphs as they grow: what threads have done, in the order in which it was added, what
//! reads read from, and the coherence order of each cell.
//!
//! What a thread has done is a list of *items*: its events, and what is not an event of a model but
//! can be undone like one (starts of threads, waits for their ends, choices). A set of items that
//! is closed under program order and reads-from has a first part of each thread's list, so it is
//! given by the lengths of these parts: an item's [`Item::clock`] is the set of what is before it.

use super::ahead::{Ahead, Names, Pause};
use execution::event::EventKind;
use execution::ids::Id;
use replay::events::trace::{Event, Filling};
use replay::memory::expand::value as filled;
use replay::memory::world::{CellId, ValueId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An item by its thread and its position there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct At {
    /// The thread.
    pub thread: u32,
    /// The position.
    pub item: u32,
}

/// What an item is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A read of a cell, with the write that it reads from (`None`: the initial one), and whether
    /// it is of a weak compare-and-swap that fails although it could succeed.
    Read { cell: CellId, from: Option<At>, fails: bool },
    /// A write to a cell; whether it is that of a read-modify-write.
    Write { cell: CellId, update: bool },
    /// A write to all cells of an object.
    Fill { region: ir::value::RegionId, filling: Filling },
    /// An event that is not an access.
    Plain,
    /// A choice, by the number of the alternative.
    Choice(usize),
    /// The start of a thread.
    Spawn(u32),
    /// The wait for the end of a thread.
    Join(u32),
}

/// Something that a thread has done.
#[derive(Clone, Debug)]
pub struct Item {
    /// What.
    pub kind: Kind,
    /// When it was added.
    pub stamp: u32,
    /// The first of the thread's events after it: its own event, if it has one, is the last before.
    pub events: u32,
    /// Whether it has an event: a read that a failing assumption of an atomic section follows has
    /// none.
    pub has_event: bool,
    /// How much of each thread is before it or is it, by program order and reads-from.
    pub clock: Vec<u32>,
}

impl Item {
    /// The position of its event in the thread.
    pub fn event(&self) -> Option<usize> {
        self.has_event.then(|| self.events as usize - 1)
    }
}

/// A thread of a graph.
#[derive(Clone)]
pub struct Part {
    /// What it has done.
    pub items: Vec<Item>,
    /// The thread after some of its items, the first ones of this number; at first, and after each
    /// item that was an answer.
    pub runs: Vec<(u32, Arc<Ahead>)>,
    /// What is before it: what led to its start.
    pub start: Vec<u32>,
    /// How many threads it has started.
    spawns: u32,
}

/// What a thread does next.
#[derive(Clone, Copy)]
pub enum Next<'p> {
    /// It starts a thread, which is one of those it started.
    Spawn(usize),
    /// It has this event.
    Event(usize, &'p Event),
    /// It has done all that it does by itself.
    Pause(&'p Pause),
}

impl Part {
    /// A thread that has done nothing.
    pub fn new(run: Arc<Ahead>, start: Vec<u32>) -> Self {
        Self { items: Vec::new(), runs: vec![(0, run)], start, spawns: 0 }
    }

    /// How it stands.
    pub fn run(&self) -> &Arc<Ahead> {
        &self.runs.last().expect("every thread has a start").1
    }

    /// How many of its events are in the graph.
    pub fn events(&self) -> usize {
        self.items.last().map_or(0, |item| item.events as usize)
    }

    /// What it does next.
    pub fn next(&self) -> Next<'_> {
        let state = &self.run().state;
        let (event, spawn) = (self.events(), self.spawns as usize);
        let events = &state.recorder.events;
        if let Some(spawned) = state.spawned.get(spawn)
            && events.get(event).is_none_or(|event| spawned.after < event.instruction)
        {
            return Next::Spawn(spawn);
        }
        match events.get(event) {
            Some(known) => Next::Event(event, known),
            None => Next::Pause(&self.run().pause),
        }
    }

    fn truncate(&mut self, items: u32) {
        self.items.truncate(items as usize);
        self.runs.retain(|(at, _)| *at <= items);
        let spawns = self.items.iter().filter(|item| matches!(item.kind, Kind::Spawn(_)));
        self.spawns = spawns.count() as u32;
    }
}

/// An execution graph.
#[derive(Clone, Default)]
pub struct Graph {
    /// The threads by their numbers, as far as they have been started.
    pub parts: Vec<Option<Part>>,
    /// The writes of each cell that is accessed, in coherence order, without the initial one.
    pub co: BTreeMap<CellId, Vec<At>>,
    /// The next stamp.
    stamp: u32,
}

impl Graph {
    /// The graph of a program of which `main` has done nothing.
    pub fn new(main: Arc<Ahead>) -> Self {
        Self { parts: vec![Some(Part::new(main, Vec::new()))], co: BTreeMap::new(), stamp: 0 }
    }

    /// The threads that were started.
    pub fn threads(&self) -> impl Iterator<Item = (u32, &Part)> {
        let parts = self.parts.iter().enumerate();
        parts.filter_map(|(number, part)| Some((number as u32, part.as_ref()?)))
    }

    /// A thread that was started.
    pub fn part(&self, thread: u32) -> &Part {
        self.parts[thread as usize].as_ref().expect("it was started")
    }

    fn part_mut(&mut self, thread: u32) -> &mut Part {
        self.parts[thread as usize].as_mut().expect("it was started")
    }

    /// An item.
    pub fn item(&self, at: At) -> &Item {
        &self.part(at.thread).items[at.item as usize]
    }

    /// All items.
    pub fn items(&self) -> impl Iterator<Item = (At, &Item)> {
        self.threads().flat_map(|(thread, part)| {
            let items = part.items.iter().enumerate();
            items.map(move |(item, known)| (At { thread, item: item as u32 }, known))
        })
    }

    /// The value that a write gives to a cell.
    pub fn value(&self, names: &mut Names<'_>, from: Option<At>, cell: CellId) -> ValueId {
        let Some(at) = from else { return names.world.cells[cell.index()].initial };
        let item = self.item(at);
        match item.kind {
            Kind::Fill { filling, .. } => filled(&mut names.world, cell, filling),
            _ => {
                let event = item.event().expect("a write is an event");
                let values = &self.part(at.thread).run().state.recorder.values;
                values[event].expect("a write has a value")
            }
        }
    }

    /// The writes of a cell in coherence order, which may be one that nothing has accessed so far:
    /// then these are what was written to the whole of its object, in the order of causes.
    pub fn order(&self, names: &Names<'_>, cell: CellId) -> Vec<At> {
        if let Some(known) = self.co.get(&cell) {
            return known.clone();
        }
        let own = names.world.cells[cell.index()].region;
        let is_own = |item: &Item| matches!(item.kind, Kind::Fill { region, .. } if region == own);
        let mut fills: Vec<(u32, At)> = self
            .items()
            .filter(|(_, item)| is_own(item))
            .map(|(at, item)| (item.clock.iter().sum(), at))
            .collect();
        fills.sort_unstable();
        fills.into_iter().map(|(_, at)| at).collect()
    }

    /// Adds an item to a thread, after what it reads from or awaits.
    pub fn add(&mut self, thread: u32, kind: Kind, (events, has_event): (u32, bool)) -> At {
        let stamp = self.stamp;
        self.stamp += 1;
        self.add_at(thread, kind, (events, has_event), stamp)
    }

    /// The same, with the stamp that it had before.
    pub fn add_at(
        &mut self,
        thread: u32,
        kind: Kind,
        (events, has_event): (u32, bool),
        stamp: u32,
    ) -> At {
        let part = self.part(thread);
        let mut clock = part.items.last().map_or(&part.start, |last| &last.clock).clone();
        match kind {
            Kind::Read { from: Some(from), .. } => join(&mut clock, &self.item(from).clock),
            Kind::Join(child) => {
                let child = self.part(child);
                join(&mut clock, child.items.last().map_or(&child.start, |last| &last.clock));
            }
            _ => {}
        }
        let item = part.items.len() as u32;
        if clock.len() <= thread as usize {
            clock.resize(thread as usize + 1, 0);
        }
        clock[thread as usize] = item + 1;
        let part = self.part_mut(thread);
        part.spawns += u32::from(matches!(kind, Kind::Spawn(_)));
        part.items.push(Item { kind, stamp, events, has_event, clock });
        At { thread, item }
    }

    /// A thread has gone on with an answer, which was its last item.
    pub fn goes_on(&mut self, thread: u32, run: Arc<Ahead>) {
        let part = self.part_mut(thread);
        let items = part.items.len() as u32;
        part.runs.push((items, run));
    }

    /// A thread is started by the last item of another.
    pub fn starts(&mut self, parent: u32, child: u32, run: Arc<Ahead>) {
        let start = self.part(parent).items.last().map(|item| item.clock.clone());
        if self.parts.len() <= child as usize {
            self.parts.resize_with(child as usize + 1, || None);
        }
        self.parts[child as usize] = Some(Part::new(run, start.unwrap_or_default()));
    }

    /// Puts a write at a position of a cell's coherence order.
    pub fn place(&mut self, names: &Names<'_>, cell: CellId, write: At, position: usize) {
        let mut order = self.order(names, cell);
        order.retain(|&known| known != write);
        order.insert(position.min(order.len()), write);
        self.co.insert(cell, order);
    }

    /// A cell is accessed.
    pub fn touch(&mut self, names: &Names<'_>, cell: CellId) {
        if !self.co.contains_key(&cell) {
            let order = self.order(names, cell);
            self.co.insert(cell, order);
        }
    }

    /// What is left if of each thread only this many items are kept.
    pub fn restricted(&self, keep: &[u32]) -> Self {
        let mut left = self.clone();
        let mut started = BTreeSet::from([0]);
        for (thread, part) in left.parts.iter_mut().enumerate() {
            let Some(part) = part else { continue };
            part.truncate(keep.get(thread).copied().unwrap_or(0));
            let spawns = part.items.iter().filter_map(|item| match item.kind {
                Kind::Spawn(child) => Some(child as usize),
                _ => None,
            });
            started.extend(spawns);
        }
        for (thread, part) in left.parts.iter_mut().enumerate() {
            if !started.contains(&thread) {
                *part = None;
            }
        }
        let is_kept = |at: &At| at.item < keep.get(at.thread as usize).copied().unwrap_or(0);
        let mut accessed = BTreeSet::new();
        for (_, item) in left.items() {
            if let Kind::Read { cell, .. } | Kind::Write { cell, .. } = item.kind {
                accessed.insert(cell);
            }
        }
        left.co.retain(|cell, _| accessed.contains(cell));
        left.co.values_mut().for_each(|order| order.retain(is_kept));
        left
    }

    /// What is kept where a write makes a read see it: all that was added before the read, and what
    /// is before the write by program order and reads-from. `None` if something else that would be
    /// dropped was not added in the one way in which it is added again (the paper's *maximally*),
    /// so that the same graph is reached from another one.
    pub fn revisited(&self, read: At, write: At) -> Option<Vec<u32>> {
        let (when, cause) = (self.item(read).stamp, &self.item(write).clock);
        let caused = |at: At| at.item < cause.get(at.thread as usize).copied().unwrap_or(0);
        let mut keep = vec![0; self.parts.len()];
        for (thread, part) in self.threads() {
            let before = part.items.partition_point(|item| item.stamp <= when) as u32;
            keep[thread as usize] = before.max(cause.get(thread as usize).copied().unwrap_or(0));
        }
        let dropped = self.items().filter(|(at, _)| at.item >= keep[at.thread as usize]);
        let mut dropped = dropped.chain([(read, self.item(read))]);
        let is_maximal = dropped.all(|(at, item)| {
            let previous = |other: At| self.item(other).stamp <= item.stamp || caused(other);
            self.is_maximal((at, item), write, &previous)
        });
        is_maximal.then_some(keep)
    }

    /// Whether an item was added as it is again if nothing but the previous items is there: a read
    /// sees what is last, a write comes last and none of them sees it, a choice takes the first.
    fn is_maximal(&self, (at, item): (At, &Item), new: At, previous: &dyn Fn(At) -> bool) -> bool {
        let last = |cell: CellId, write: Option<At>| {
            let Some(order) = self.co.get(&cell) else { return true };
            let position = write.map(|write| order.iter().position(|&known| known == write));
            let after = match position {
                None => order.as_slice(),
                Some(None) => return false,
                Some(Some(position)) => &order[position + 1..],
            };
            !after.iter().any(|&other| other != new && previous(other))
        };
        let is_seen = || {
            self.items().any(|(reader, item)| {
                matches!(item.kind, Kind::Read { from: Some(from), .. } if from == at)
                    && previous(reader)
            })
        };
        match item.kind {
            Kind::Read { cell, from, fails } => {
                !fails && from.is_none_or(previous) && last(cell, from)
            }
            Kind::Write { cell, .. } => last(cell, Some(at)) && !is_seen(),
            Kind::Fill { region: _, .. } => {
                let mut cells = self.co.iter().filter(|(_, order)| order.contains(&at));
                cells.all(|(cell, _)| last(*cell, Some(at))) && !is_seen()
            }
            Kind::Choice(answer) => answer == 0,
            Kind::Plain | Kind::Spawn(_) | Kind::Join(_) => true,
        }
    }

    /// What tells graphs from each other: the items of each thread and the coherence orders.
    pub fn key(&self) -> Vec<u8> {
        let threads: Vec<(u32, Vec<&Kind>)> = self
            .threads()
            .map(|(thread, part)| (thread, part.items.iter().map(|item| &item.kind).collect()))
            .collect();
        format!("{threads:?} {:?}", self.co).into_bytes()
    }

    /// The reads of a cell that an item may make see it: those that are not before it.
    pub fn readers(&self, cell: CellId, write: At) -> Vec<At> {
        let clock = &self.item(write).clock;
        let is_before = |at: At| at.item < clock.get(at.thread as usize).copied().unwrap_or(0);
        let reads = self
            .items()
            .filter(|(_, item)| matches!(item.kind, Kind::Read { cell: read, .. } if read == cell));
        reads.map(|(at, _)| at).filter(|&at| !is_before(at)).collect()
    }
}

/// Whether an event is the write of a read-modify-write.
pub fn is_update(event: &Event) -> bool {
    event.kind == EventKind::Write && event.read.is_some()
}

fn join(clock: &mut Vec<u32>, other: &[u32]) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    for (own, other) in clock.iter_mut().zip(other) {
        *own = (*own).max(*other);
    }
}
