//! Pictures of one execution: events in a column per thread, and the relations between them.
//!
//! What is drawn is decided here; [`text`](mod@text) and [`svg`](mod@svg) only place it.
//! Relations that follow from
//! others are left out: program order and coherence are shown between neighbours, from-reads to
//! the next write only. Whatever lies on the cycle that an axiom forbids is always shown.

pub mod svg;
pub mod text;

use execution::event::{EventId, EventKind, Execution, ThreadId};
use execution::relation::Relation;
use std::collections::{BTreeMap, VecDeque};

/// An execution to be drawn.
#[derive(Clone, Debug)]
pub struct Picture<'e> {
    /// What stands above it.
    pub title: String,
    /// The execution, with values, `rf` and `co`.
    pub execution: &'e Execution,
    /// The events along a cycle that the model forbids; empty if it allows the execution.
    pub cycle: Vec<EventId>,
    /// What stands below it: which axiom fails, for instance.
    pub remark: Option<String>,
    /// What is shown of an event when one points at it.
    pub notes: BTreeMap<EventId, String>,
}

/// The kind of a drawn relation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Program order.
    Po,
    /// Address dependency.
    Addr,
    /// Data dependency.
    Data,
    /// Control dependency.
    Ctrl,
    /// Read and write of one read-modify-write.
    Rmw,
    /// Reads-from.
    Rf,
    /// Coherence.
    Co,
    /// From-reads.
    Fr,
    /// A step of a forbidden cycle that is none of these: a fence between the two, for instance.
    Derived,
}

impl Kind {
    /// Its name in cat.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Po => "po",
            Kind::Addr => "addr",
            Kind::Data => "data",
            Kind::Ctrl => "ctrl",
            Kind::Rmw => "rmw",
            Kind::Rf => "rf",
            Kind::Co => "co",
            Kind::Fr => "fr",
            Kind::Derived => "order",
        }
    }
}

/// A drawn edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// From here.
    pub from: EventId,
    /// To here.
    pub to: EventId,
    /// What it is.
    pub kind: Kind,
    /// Whether it is a step of the forbidden cycle.
    pub on_cycle: bool,
}

impl Picture<'_> {
    fn relation(&self, name: &str) -> Relation {
        let empty = || Relation::empty(self.execution.events.len());
        self.execution.relations.get(name).cloned().unwrap_or_else(empty)
    }

    /// The threads, each with its events in program order.
    pub fn threads(&self) -> Vec<(ThreadId, Vec<EventId>)> {
        let mut threads: Vec<(ThreadId, Vec<EventId>)> = Vec::new();
        for (id, event) in self.execution.events.enumerate() {
            let Some(thread) = event.thread else { continue };
            match threads.iter_mut().find(|(known, _)| *known == thread) {
                Some((_, events)) => events.push(id),
                None => threads.push((thread, vec![id])),
            }
        }
        threads.sort_by_key(|(thread, _)| *thread);
        threads
    }

    /// The initial writes that an edge touches.
    pub fn initial(&self) -> Vec<EventId> {
        let edges = self.edges();
        let touched = |id: EventId| edges.iter().any(|edge| edge.from == id || edge.to == id);
        let initial = |id: &EventId| self.execution.events[*id].thread.is_none() && touched(*id);
        self.execution.events.ids().filter(initial).collect()
    }

    /// What is written in an event's box: a letter to refer to it, and what it does.
    pub fn label(&self, id: EventId) -> String {
        let event = &self.execution.events[id];
        if event.thread.is_none() {
            let place = event.location.as_deref().unwrap_or("?");
            return format!("{place}={}", event.value.as_deref().unwrap_or("?"));
        }
        event.label.clone()
    }

    /// Everything that is drawn between events.
    pub fn edges(&self) -> Vec<Edge> {
        let (rf, co) = (self.relation("rf"), self.relation("co"));
        let fr = rf.inverse().compose(&co);
        let next_co = neighbours(&co);
        let next_fr = rf.inverse().compose(&next_co);
        let mut edges = Vec::new();
        let mut add = |kind: Kind, relation: &Relation| {
            for (from, to) in relation.iter() {
                edges.push(Edge { from, to, kind, on_cycle: false });
            }
        };
        add(Kind::Po, &neighbours(&self.relation("po")));
        add(Kind::Addr, &self.relation("addr"));
        add(Kind::Data, &self.relation("data"));
        add(Kind::Ctrl, &self.control());
        add(Kind::Rmw, &self.relation("rmw"));
        add(Kind::Rf, &rf);
        add(Kind::Co, &without_initial(self.execution, &next_co));
        add(Kind::Fr, &next_fr);
        self.mark_cycle(&mut edges, &[(Kind::Rf, &rf), (Kind::Fr, &fr), (Kind::Co, &co)]);
        edges
    }

    /// Control dependencies, to the accesses that are nearest to their source.
    fn control(&self) -> Relation {
        let ctrl = self.relation("ctrl");
        let mut nearest = Relation::empty(self.execution.events.len());
        for from in self.execution.events.ids() {
            let is_access = |id: &EventId| {
                matches!(self.execution.events[*id].kind, EventKind::Read | EventKind::Write)
            };
            if let Some(to) = ctrl.successors(from).find(is_access) {
                nearest.insert(from, to);
            }
        }
        nearest
    }

    /// Makes every step of the cycle an edge, and marks it.
    fn mark_cycle(&self, edges: &mut Vec<Edge>, communications: &[(Kind, &Relation)]) {
        for (index, &from) in self.cycle.iter().enumerate() {
            let to = self.cycle[(index + 1) % self.cycle.len()];
            let known = edges.iter_mut().filter(|edge| edge.from == from && edge.to == to);
            if let Some(edge) = known.max_by_key(|edge| edge.kind) {
                edge.on_cycle = true;
                continue;
            }
            let communication = communications.iter().find(|(_, r)| r.contains(from, to));
            let dependency = [Kind::Addr, Kind::Data, Kind::Ctrl]
                .into_iter()
                .find(|kind| self.relation(kind.name()).contains(from, to));
            let in_order = self.relation("po").contains(from, to).then_some(Kind::Po);
            let kind = communication.map(|(kind, _)| *kind).or(dependency).or(in_order);
            edges.push(Edge { from, to, kind: kind.unwrap_or(Kind::Derived), on_cycle: true });
        }
    }
}

/// A cycle of steps that a model derives, as a cycle of the steps they are made of: program order,
/// reads-from, coherence and from-reads, by shortest paths. A single event is a cycle through it.
pub fn expand_cycle(execution: &Execution, cycle: &[EventId]) -> Vec<EventId> {
    let size = execution.events.len();
    let relation = |name: &str| {
        execution.relations.get(name).cloned().unwrap_or_else(|| Relation::empty(size))
    };
    let (rf, co) = (relation("rf"), relation("co"));
    let fr = rf.inverse().compose(&co);
    let steps = relation("po").union(&rf).union(&co).union(&fr);
    let mut expanded = Vec::new();
    for (index, &from) in cycle.iter().enumerate() {
        let to = cycle[(index + 1) % cycle.len()];
        expanded.extend(path(&steps, from, to));
    }
    expanded
}

/// A shortest path, without its last event; just the first event if there is no path.
fn path(steps: &Relation, from: EventId, to: EventId) -> Vec<EventId> {
    let mut came_from: BTreeMap<EventId, EventId> = BTreeMap::new();
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        for next in steps.successors(at) {
            if next == to {
                let mut back = vec![at];
                while let Some(&before) = came_from.get(&back[back.len() - 1]) {
                    back.push(before);
                }
                back.reverse();
                return back;
            }
            if next != from && !came_from.contains_key(&next) {
                came_from.insert(next, at);
                queue.push_back(next);
            }
        }
    }
    vec![from]
}

/// The pairs of an order with nothing between them.
fn neighbours(order: &Relation) -> Relation {
    order.difference(&order.compose(order))
}

fn without_initial(execution: &Execution, relation: &Relation) -> Relation {
    let mut rest = Relation::empty(execution.events.len());
    for (from, to) in relation.iter() {
        if execution.events[from].thread.is_some() {
            rest.insert(from, to);
        }
    }
    rest
}

/// A short name for the event at this position of all those drawn: `a` to `z`, then `a1` and on.
pub fn letter(position: usize) -> String {
    let letter = char::from(b'a' + (position % 26) as u8);
    match position / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
