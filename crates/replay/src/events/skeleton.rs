//! One shape per thread put together: an execution in which only values, `rf` and `co` are open.

use crate::events::shape::Shape;
use crate::events::trace::{Flow, Pairing, joint_sections};
use crate::memory::world::{CellId, World};
use execution::event::{Event, EventId, EventKind, Execution, ThreadId};
use execution::ids::{Id, IdVec};
use execution::relation::{EventSet, Relation};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A combination of shapes.
#[derive(Debug)]
pub struct Skeleton<'s> {
    /// The shape of each thread.
    pub shapes: Vec<&'s Shape>,
    /// The execution without `rf`, `co` and values.
    pub execution: Execution,
    /// The cells that are read or written, with their events.
    pub cells: Vec<CellEvents>,
    /// The first event of each thread.
    pub first: Vec<usize>,
}

/// How threads start and await each other; nothing for litmus tests.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// The number of each thread; its position, if there is none.
    pub threads: Vec<ThreadId>,
    /// Starts of threads.
    pub spawns: Vec<Link>,
    /// Threads whose end was awaited.
    pub joins: Vec<Link>,
}

/// One thread starts or awaits another. Threads are given by their position among the shapes.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The thread that starts or awaits.
    pub parent: usize,
    /// Its last instruction before that.
    pub after: u32,
    /// The thread that is started or awaited.
    pub child: usize,
}

/// The reads and writes of one cell.
#[derive(Clone, Debug)]
pub struct CellEvents {
    /// The cell.
    pub cell: CellId,
    /// The initial write.
    pub initial: EventId,
    /// The other writes.
    pub writes: Vec<EventId>,
    /// The reads.
    pub reads: Vec<EventId>,
}

impl<'s> Skeleton<'s> {
    /// Puts shapes together, one per thread. In a structured language the events of one
    /// expression are in program order too.
    pub fn new(world: &World<'_>, shapes: Vec<&'s Shape>, structured: bool, links: &Links) -> Self {
        let mut cells: BTreeMap<CellId, CellEvents> = BTreeMap::new();
        for event in shapes.iter().flat_map(|shape| &shape.events) {
            if let (EventKind::Read | EventKind::Write, Some(cell)) = (event.kind, event.cell) {
                let initial = EventId::new(cells.len());
                let fresh = || CellEvents { cell, initial, writes: Vec::new(), reads: Vec::new() };
                cells.entry(cell).or_insert_with(fresh);
            }
        }
        let mut events = IdVec::new();
        for (position, entry) in cells.values_mut().enumerate() {
            entry.initial = EventId::new(position);
            events.push(initial_write(world, entry.cell));
        }
        let mut first = Vec::new();
        for (thread, shape) in shapes.iter().enumerate() {
            first.push(events.len());
            for event in &shape.events {
                let number = links.threads.get(thread).copied().unwrap_or(ThreadId::new(thread));
                let id = events.push(thread_event(world, number, event));
                let entry = event.cell.and_then(|cell| cells.get_mut(&cell));
                match (event.kind, entry) {
                    (EventKind::Read, Some(entry)) => entry.reads.push(id),
                    (EventKind::Write, Some(entry)) => entry.writes.push(id),
                    _ => {}
                }
            }
        }
        let cells: Vec<CellEvents> = cells.into_values().collect();
        let (sets, relations) = (BTreeMap::new(), BTreeMap::new());
        let mut skeleton =
            Self { shapes, execution: Execution { events, sets, relations }, cells, first };
        skeleton.fill_sets(world);
        skeleton.fill_relations(structured);
        skeleton.link(links);
        skeleton
    }

    fn add_to(&mut self, set: &str, event: EventId) {
        let size = self.execution.events.len();
        match self.execution.sets.get_mut(set) {
            Some(set) => set.insert(event),
            None => {
                let mut fresh = EventSet::empty(size);
                fresh.insert(event);
                self.execution.sets.insert(set.into(), fresh);
            }
        }
    }

    fn relate(&mut self, relation: &str, from: EventId, to: EventId) {
        let size = self.execution.events.len();
        match self.execution.relations.get_mut(relation) {
            Some(relation) => relation.insert(from, to),
            None => {
                let mut fresh = Relation::empty(size);
                fresh.insert(from, to);
                self.execution.relations.insert(relation.into(), fresh);
            }
        }
    }

    fn fill_sets(&mut self, world: &World<'_>) {
        for index in 0..self.cells.len() {
            let initial = self.cells[index].initial;
            self.add_to("W", initial);
            self.add_to("IW", initial);
            if world.looked_at.contains(&self.cells[index].cell) {
                let CellEvents { writes, reads, .. } = &self.cells[index];
                let events: Vec<EventId> = writes.iter().chain(reads).copied().collect();
                events.into_iter().chain([initial]).for_each(|id| self.add_to("Observed", id));
            }
        }
        for thread in 0..self.shapes.len() {
            let shape = self.shapes[thread];
            for (position, event) in shape.events.iter().enumerate() {
                let id = self.event(thread, position);
                match event.kind {
                    EventKind::Read => self.add_to("R", id),
                    EventKind::Write => self.add_to("W", id),
                    EventKind::Fence => self.add_to("F", id),
                    EventKind::Branch => self.add_to("B", id),
                    EventKind::Other => {}
                }
                for &set in &event.sets {
                    let name = world.set_name(set).clone();
                    self.add_to(&name, id);
                }
                if let Some((read, pairing)) = event.read {
                    let parts = parts(&shape.events, read as usize);
                    let parts = parts.into_iter().map(|part| self.event(thread, part)).collect();
                    let read = self.event(thread, read as usize);
                    self.pair(read, parts, id, pairing);
                }
            }
        }
    }

    /// The read and the write of a read-modify-write at one location; what is written comes from
    /// all parts of the read.
    fn pair(&mut self, read: EventId, parts: Vec<EventId>, write: EventId, pairing: Pairing) {
        self.relate("rmw", read, write);
        self.add_to("RMW", read);
        self.add_to("RMW", write);
        if let Pairing::Single { computed, compared } = pairing {
            self.relate("amo", read, write);
            self.add_to("AMO", read);
            self.add_to("AMO", write);
            for part in parts {
                if computed {
                    self.relate("iico_data", part, write);
                }
                if compared {
                    self.relate("iico_ctrl", part, write);
                }
            }
        }
    }

    /// The event at a position of a thread.
    pub fn event(&self, thread: usize, position: usize) -> EventId {
        EventId::new(self.first[thread] + position)
    }

    /// The thread and position of an event; `None` for an initial write.
    pub fn position(&self, event: EventId) -> Option<(usize, usize)> {
        let index = event.index();
        let thread = self.first.iter().rposition(|&first| first <= index)?;
        Some((thread, index - self.first[thread]))
    }

    fn fill_relations(&mut self, structured: bool) {
        // Most pairs are of program order.
        let mut po = Relation::empty(self.execution.events.len());
        for thread in 0..self.shapes.len() {
            let shape = self.shapes[thread];
            let joint = joint_sections(&shape.events);
            for (position, event) in shape.events.iter().enumerate() {
                let id = self.event(thread, position);
                for (before, earlier) in shape.events[..position].iter().enumerate() {
                    let from = self.event(thread, before);
                    let same = earlier.instruction == event.instruction;
                    let one_access = event.access.is_some() && earlier.access == event.access;
                    // What starts or ends an object writes all of its cells at once.
                    let at_once = same && event.whole.is_some() && earlier.whole == event.whole;
                    let unordered =
                        one_access || at_once || structured && event.is_unordered_with(earlier);
                    // Writes to the further cells of an object, and the further parts of accesses,
                    // stand at the end.
                    let starts = |event: &crate::events::trace::Event, at: usize| {
                        (event.instruction, event.access.map_or(at, |first| first as usize))
                    };
                    let late = starts(earlier, before) > starts(event, position);
                    if (structured || !same) && !unordered {
                        let (first, second) = if late { (id, from) } else { (from, id) };
                        po.insert(first, second);
                    }
                    if one_access || same && event.exclusive && earlier.exclusive {
                        self.relate_both("same-access", from, id);
                    }
                    let section = event.section.filter(|section| joint.contains(section));
                    let accesses = event.is_access() && earlier.is_access();
                    if accesses && section.is_some() && earlier.section == section {
                        self.relate_both("same-atomic", from, id);
                    }
                    if event.operation.is_some() && earlier.operation == event.operation {
                        self.relate_both("same-op", from, id);
                    }
                }
                self.depend(thread, id, "addr", "pick-addr", &event.address);
                self.depend(thread, id, "data", "pick-data", &event.data);
                self.depend(thread, id, "ctrl", "pick-ctrl", &event.control);
            }
        }
        if !po.is_empty() {
            self.execution.relations.insert("po".into(), po);
        }
    }

    /// What is before the start of a thread in the thread that starts it is before all of it; all
    /// of it is before what follows the wait for its end.
    fn link(&mut self, links: &Links) {
        if links.spawns.is_empty() && links.joins.is_empty() {
            return;
        }
        let events = |skeleton: &Self, link: &Link, before: bool| {
            let shape = skeleton.shapes[link.parent];
            let mine = shape.events.iter().enumerate();
            let mine = mine.filter(|(_, event)| (event.instruction <= link.after) == before);
            let mine: Vec<EventId> =
                mine.map(|(position, _)| skeleton.event(link.parent, position)).collect();
            let theirs = 0..skeleton.shapes[link.child].events.len();
            let theirs: Vec<EventId> =
                theirs.map(|position| skeleton.event(link.child, position)).collect();
            (mine, theirs)
        };
        let mut pairs = Vec::new();
        for link in &links.spawns {
            let (mine, theirs) = events(self, link, true);
            pairs.extend(mine.iter().flat_map(|&a| theirs.iter().map(move |&b| (a, b))));
        }
        for link in &links.joins {
            let (mine, theirs) = events(self, link, false);
            pairs.extend(theirs.iter().flat_map(|&a| mine.iter().map(move |&b| (a, b))));
        }
        for (a, b) in pairs {
            self.relate("po", a, b);
        }
        if let Some(po) = self.execution.relations.get_mut("po") {
            *po = po.transitive_closure();
        }
    }

    fn relate_both(&mut self, relation: &str, a: EventId, b: EventId) {
        for (from, to) in [(a, b), (b, a), (a, a), (b, b)] {
            self.relate(relation, from, to);
        }
    }

    fn depend(&mut self, thread: usize, to: EventId, plain: &str, pick: &str, flow: &Flow) {
        for position in flow.pick.iter() {
            let from = self.event(thread, position);
            if flow.plain.contains(position) {
                self.relate(plain, from, to);
            }
            self.relate(pick, from, to);
        }
    }
}

/// The positions of all parts of the access that an event is a part of.
pub fn parts(events: &[crate::events::trace::Event], position: usize) -> Vec<usize> {
    match events[position].access {
        None => vec![position],
        access => (0..events.len()).filter(|&other| events[other].access == access).collect(),
    }
}

fn initial_write(world: &World<'_>, cell: CellId) -> Event {
    Event {
        thread: None,
        kind: EventKind::Write,
        location: Some(world.cells[cell.index()].name.clone()),
        value: None,
        label: String::new(),
        instruction: 0,
        source: None,
    }
}

fn thread_event(world: &World<'_>, thread: ThreadId, event: &crate::events::trace::Event) -> Event {
    let location: Option<Arc<str>> = event.cell.map(|cell| world.cells[cell.index()].name.clone());
    Event {
        thread: Some(thread),
        kind: event.kind,
        location,
        value: None,
        label: String::new(),
        instruction: event.instruction,
        source: event.place.map(|place| world.program.places[place].location.clone()),
    }
}

/// How an event is shown.
pub fn label(event: &Event, tags: Vec<&str>, value: Option<&str>) -> String {
    let letter = match event.kind {
        EventKind::Read => "R",
        EventKind::Write => "W",
        EventKind::Fence | EventKind::Branch | EventKind::Other => return tags.join(" "),
    };
    let tags = if tags.is_empty() { String::new() } else { format!("[{}]", tags.join(",")) };
    let place = event.location.as_deref().unwrap_or("?");
    format!("{letter}{tags} {place}={}", value.unwrap_or("?"))
}
