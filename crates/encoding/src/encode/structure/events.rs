//! The events of the graph, the sets they are in, and who may read from whom.

use super::lifetimes::{ended_cells, freed_cells, used_after};
use super::order::{is_before, order};
use super::reuse::filled_cells;
use super::sources::{Source, Sources};
use super::threads::Lives;
use crate::bounded::{Access, ActionId, ActionKind, Bounded, Pairing};
use crate::encode::MemoryCell;
use crate::encode::clauses::Clauses;
use crate::encode::reductions::mutexes::{Mutexes, mutexes};
use crate::encode::reductions::probes;
use crate::graph::{Edges, Graph, Node};
use crate::guard::Guard;
use crate::parts::Part;
use crate::term::TermId;
use crate::unroll::{Language, Unsupported, in_time};
use execution::event::{EventId, EventKind};
use execution::finding::FindingKind;
use execution::ids::IdVec;
use execution::relation::Relation;
use ir::order::{Fence, Order};
use ir::program::Width;
use models::Model;
use models::vocabulary::{self, Sort, Word};
use sat::Lit;
use std::collections::{BTreeMap, HashMap, HashSet};

/// An access of the graph.
pub(crate) struct Place {
    pub(crate) event: EventId,
    pub(crate) action: Option<ActionId>,
    pub(crate) cells: Vec<(MemoryCell, Lit)>,
}

/// A read of the graph.
pub(crate) struct Reading {
    pub(crate) place: Place,
    value: TermId,
}

/// A write of the graph; a `free` writes no value.
pub(crate) struct Writing {
    pub(crate) place: Place,
    value: Option<TermId>,
}

/// The events of all executions that are encoded.
pub(crate) struct Events {
    /// Their graph, as the memory model sees it.
    pub(crate) graph: Graph,
    /// What they come from.
    pub(crate) sources: Sources,
    /// The accesses of mutexes whose words are known to hold nothing but numbers of threads.
    pub(crate) thread_numbers: HashSet<ActionId>,
}

/// The events, after the stage that orders writes.
#[derive(Clone, Copy)]
pub(crate) struct Coherent<'a> {
    pub(crate) events: &'a Events,
    /// Coherence.
    pub(crate) co: &'a Edges,
}

/// Builds the graph of events.
pub(crate) fn events(
    clauses: &mut Clauses,
    lives: &Lives,
    model: &Model,
) -> Result<Events, Unsupported> {
    EventGraph { clauses, sources: Sources::default() }.events(lives, model)
}

/// The stage.
struct EventGraph<'a> {
    clauses: &'a mut Clauses,
    sources: Sources,
}

impl EventGraph<'_> {
    fn events(mut self, lives: &Lives, model: &Model) -> Result<Events, Unsupported> {
        let mut graph = Graph {
            nodes: IdVec::new(),
            implies: Relation::empty(0),
            excludes: Relation::empty(0),
            sets: BTreeMap::new(),
            relations: BTreeMap::new(),
            loc: Edges::new(),
            rf: Edges::new(),
            next: Vec::new(),
            differ: Edges::new(),
        };
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for (cell, value) in self.clauses.unrolled.cells.clone() {
            let node =
                Node { thread: None, kind: EventKind::Write, instruction: 0, exec: Lit::TRUE };
            let event = self.event(&mut graph, Source::Initial(cell), node);
            add(&mut graph, "W", event, Lit::TRUE);
            add(&mut graph, "IW", event, Lit::TRUE);
            let place = Place { event, action: None, cells: vec![(cell, Lit::TRUE)] };
            writes.push(Writing { place, value: Some(value) });
        }
        for id in self.clauses.bounded.actions.ids() {
            in_time(self.clauses.formula.limits())?;
            if lives.exec[id] != Lit::FALSE {
                self.action(&mut graph, lives, id, &mut reads, &mut writes)?;
            }
        }
        self.locations(&mut graph, &reads, &writes)?;
        self.accesses_in_parts(&mut graph);
        order(self.clauses, &self.sources, &mut graph, lives, model)?;
        let mutexes = mutexes(self.clauses, &self.sources, &mut graph, &reads, &writes);
        self.read_from(&mut graph, lives, &mutexes, (&reads, &writes), model)?;
        if model.uses_values() {
            self.differences(&mut graph, &reads, &writes)?;
        }
        let Mutexes { thread_numbers, .. } = mutexes;
        Ok(Events { graph, sources: self.sources, thread_numbers })
    }

    fn event(&mut self, graph: &mut Graph, source: Source, node: Node) -> EventId {
        let event = graph.nodes.push(node);
        self.sources.push(event, source);
        event
    }

    /// The events of an action.
    fn action(
        &mut self,
        graph: &mut Graph,
        lives: &Lives,
        id: ActionId,
        reads: &mut Vec<Reading>,
        writes: &mut Vec<Writing>,
    ) -> Result<(), Unsupported> {
        let action = self.clauses.bounded.actions[id].clone();
        let place = action.origin.place;
        let exec = lives.exec[id];
        let node = |kind| Node {
            thread: Some(action.thread),
            kind,
            instruction: action.instruction,
            exec,
        };
        match &action.kind {
            ActionKind::Read { access, into, .. } => {
                let value = self.clauses.bounded.terms.input_term(*into);
                for (source, part) in self.parts_of(id, access.width, value) {
                    let event = self.event(graph, source, node(EventKind::Read));
                    add(graph, "R", event, Lit::TRUE);
                    self.annotate(graph, event, access, action.section);
                    let cells = self.clauses.cells_of(access, part, place)?;
                    let place = Place { event, action: Some(id), cells };
                    reads.push(Reading { place, value: part.value });
                }
            }
            ActionKind::Write { access, value, rmw, .. } => {
                for (source, part) in self.parts_of(id, access.width, *value) {
                    let event = self.event(graph, source, node(EventKind::Write));
                    add(graph, "W", event, Lit::TRUE);
                    self.annotate(graph, event, access, action.section);
                    if let Some(pairing) = rmw {
                        self.pair(graph, (event, part.byte), *pairing);
                    }
                    let cells = self.clauses.cells_of(access, part, place)?;
                    let place = Place { event, action: Some(id), cells };
                    writes.push(Writing { place, value: Some(part.value) });
                }
            }
            ActionKind::Fence(fence) => {
                let sets = fence_sets(fence);
                if !sets.is_empty() {
                    self.fence(graph, id, node(EventKind::Fence), &sets);
                }
            }
            ActionKind::Spawn(_) | ActionKind::Join(_) => {
                let sets = self.clauses.full_fence;
                if !sets.is_empty() {
                    self.fence(graph, id, node(EventKind::Fence), sets);
                }
            }
            ActionKind::Free { .. } | ActionKind::End(_) => {
                let cells = match action.kind {
                    ActionKind::Free { address, .. } => freed_cells(self.clauses, address, place)?,
                    ActionKind::End(region) => ended_cells(self.clauses, region),
                    _ => Vec::new(),
                };
                for (cell, lit) in cells {
                    let exec = self.clauses.formula.and(&[exec, lit]);
                    if exec == Lit::FALSE {
                        continue;
                    }
                    let node = Node { exec, ..node(EventKind::Write) };
                    let event = self.event(graph, Source::Freed(id, cell), node);
                    add(graph, "W", event, Lit::TRUE);
                    if self.clauses.unrolled.language == Language::C11 {
                        add(graph, "NA", event, Lit::TRUE);
                    }
                    add(graph, "PLAIN", event, Lit::TRUE);
                    add(graph, "Library", event, Lit::TRUE);
                    let place = Place { event, action: Some(id), cells: vec![(cell, Lit::TRUE)] };
                    writes.push(Writing { place, value: None });
                }
            }
            &ActionKind::Allocate { zeroed, .. } => {
                for (cell, lit) in filled_cells(self.clauses, &action)? {
                    let exec = self.clauses.formula.and(&[exec, lit]);
                    let node = Node { exec, ..node(EventKind::Write) };
                    let event = self.event(graph, Source::Filled(id, cell), node);
                    add(graph, "W", event, Lit::TRUE);
                    if self.clauses.unrolled.language == Language::C11 {
                        add(graph, "NA", event, Lit::TRUE);
                    }
                    add(graph, "PLAIN", event, Lit::TRUE);
                    add(graph, "Library", event, Lit::TRUE);
                    let values = if zeroed {
                        &self.clauses.unrolled.zero
                    } else {
                        &self.clauses.unrolled.undefined
                    };
                    let value = values.get(&cell.width).copied();
                    let place = Place { event, action: Some(id), cells: vec![(cell, Lit::TRUE)] };
                    writes.push(Writing { place, value });
                }
            }
        }
        Ok(())
    }

    fn fence(&mut self, graph: &mut Graph, id: ActionId, node: Node, sets: &[&str]) {
        let event = self.event(graph, Source::Action(id), node);
        add(graph, "F", event, Lit::TRUE);
        for set in sets {
            add(graph, set, event, Lit::TRUE);
        }
    }

    /// The sets that an access is in by its tags and, in C11, by its memory order; elsewhere,
    /// whether it is plain, which nothing in an atomic section is.
    fn annotate(
        &mut self,
        graph: &mut Graph,
        event: EventId,
        access: &Access,
        section: Option<u32>,
    ) {
        for (tag, guard) in &access.tags {
            let lit = self.clauses.guard(*guard);
            self.add_where(graph, tag.name(), event, lit);
        }
        if self.clauses.unrolled.language == Language::C11 {
            for &(order, guard) in &access.orders {
                let lit = self.clauses.guard(guard);
                self.add_where(graph, order_set(order), event, lit);
                if order.is_atomic() {
                    self.add_where(graph, "A", event, lit);
                }
            }
        }
        let plain = access.orders.iter().filter(|(order, _)| *order == Order::NonAtomic);
        for &(_, guard) in plain.filter(|_| section.is_none()) {
            let lit = self.clauses.guard(guard);
            self.add_where(graph, "PLAIN", event, lit);
        }
    }

    /// Adds an event to a set where `lit` holds; it may be in the set elsewhere, too.
    fn add_where(&mut self, graph: &mut Graph, set: &str, event: EventId, lit: Lit) {
        let before = graph.sets.get(set).and_then(|set| set.get(&event)).copied();
        let lit = self.clauses.formula.or(&[before.unwrap_or(Lit::FALSE), lit]);
        add(graph, set, event, lit);
    }

    /// The parts of an access with their sources; itself, if it is not divided.
    fn parts_of(&self, id: ActionId, width: Width, value: TermId) -> Vec<(Source, Part)> {
        let whole = [Part { byte: 0, width, value }];
        let parts = self.clauses.bounded.parts.of(id).unwrap_or(&whole).iter();
        parts.map(|&part| (Source::part(id, part.byte), part)).collect()
    }

    /// Relates the parts of one access.
    fn accesses_in_parts(&mut self, graph: &mut Graph) {
        for id in self.clauses.bounded.parts.widths().into_keys() {
            let events = self.sources.of_access(&self.clauses.bounded, id);
            for &a in &events {
                for &b in &events {
                    relate(graph, "same-access", a, b, Lit::TRUE);
                }
            }
        }
    }

    /// Relates the two halves of a read-modify-write; of one in parts, those at the same byte. What
    /// is written comes from all parts of the read.
    fn pair(&mut self, graph: &mut Graph, (write, byte): (EventId, u64), pairing: Pairing) {
        let read = Source::part(pairing.read, byte);
        let Some(read) = self.sources.event(read) else { return };
        // The read is part of a read-modify-write where the write takes place.
        let done = graph.nodes[write].exec;
        relate(graph, "rmw", read, write, Lit::TRUE);
        self.add_where(graph, "RMW", read, done);
        add(graph, "RMW", write, Lit::TRUE);
        if pairing.single {
            relate(graph, "amo", read, write, Lit::TRUE);
            self.add_where(graph, "AMO", read, done);
            add(graph, "AMO", write, Lit::TRUE);
            for part in self.sources.of_access(&self.clauses.bounded, pairing.read) {
                if pairing.computed {
                    relate(graph, "iico_data", part, write, Lit::TRUE);
                }
                if pairing.compared {
                    relate(graph, "iico_ctrl", part, write, Lit::TRUE);
                }
            }
        }
    }

    /// Which accesses are at the same location.
    fn locations(
        &mut self,
        graph: &mut Graph,
        reads: &[Reading],
        writes: &[Writing],
    ) -> Result<(), Unsupported> {
        let mut at: HashMap<MemoryCell, Vec<(EventId, Lit)>> = HashMap::new();
        let places = reads.iter().map(|r| &r.place).chain(writes.iter().map(|w| &w.place));
        for place in places {
            for &(cell, lit) in &place.cells {
                at.entry(cell).or_default().push((place.event, lit));
            }
        }
        let mut same: BTreeMap<(EventId, EventId), Vec<Lit>> = BTreeMap::new();
        let mut cells: Vec<_> = at.into_iter().collect();
        cells.sort_by_key(|(cell, _)| *cell);
        for (_, there) in cells {
            for (index, &(a, is_a)) in there.iter().enumerate() {
                in_time(self.clauses.formula.limits())?;
                for &(b, is_b) in &there[index + 1..] {
                    let both = self.clauses.formula.and(&[is_a, is_b]);
                    same.entry((a.min(b), a.max(b))).or_default().push(both);
                }
            }
        }
        for ((a, b), lits) in same {
            let lit = self.clauses.formula.or(&lits);
            if lit != Lit::FALSE {
                graph.loc.insert((a, b), lit);
                graph.loc.insert((b, a), lit);
            }
        }
        Ok(())
    }

    /// From which writes each read may read.
    fn read_from(
        &mut self,
        graph: &mut Graph,
        lives: &Lives,
        mutexes: &Mutexes,
        (reads, writes): (&[Reading], &[Writing]),
        model: &Model,
    ) -> Result<(), Unsupported> {
        let keeps_own_order = probes::forbids_reading_from_later(model);
        let mut gone: BTreeMap<ActionId, Vec<(FindingKind, Lit)>> = BTreeMap::new();
        for read in reads {
            in_time(self.clauses.formula.limits())?;
            let reader = read.place.event;
            let action = read.place.action;
            let exec = graph.nodes[reader].exec;
            let mut from = Vec::new();
            let mut from_freed = Vec::new();
            for write in writes {
                let writer = write.place.event;
                let Some(&same) = graph.loc.get(&(writer, reader)) else { continue };
                let own_later = keeps_own_order && is_before(graph, reader, writer);
                let itself = action.is_some() && self.read_of_update(write) == action;
                let known = mutexes.may_see(writer, reader);
                if own_later || itself || !known || graph.excludes.contains(writer, reader) {
                    continue;
                }
                let lit = self.clauses.formula.fresh();
                self.clauses.formula.implies(lit, exec);
                self.clauses.formula.implies(lit, same);
                self.clauses.formula.implies(lit, graph.nodes[writer].exec);
                match write.value {
                    Some(value) => {
                        self.clauses.values.equal_if(
                            &mut self.clauses.formula,
                            lit,
                            value,
                            read.value,
                        );
                    }
                    None => {
                        from_freed
                            .push((used_after(&self.clauses.bounded, &self.sources, writer), lit));
                        let width = self.clauses.bounded.terms.width(read.value);
                        if let Some(&undefined) = self.clauses.unrolled.undefined.get(&width) {
                            self.clauses.values.equal_if(
                                &mut self.clauses.formula,
                                lit,
                                undefined,
                                read.value,
                            );
                        }
                    }
                }
                graph.rf.insert((writer, reader), lit);
                from.push(lit);
            }
            self.clauses.formula.exactly_one_if(exec, &from);
            // If a part of what is read is gone, all of it is.
            if let Some(id) = action {
                gone.entry(id).or_default().extend(from_freed);
            }
        }
        for (id, from_freed) in gone {
            for (kind, freed) in lives.freed.get(&id).into_iter().flatten() {
                let of_kind = from_freed.iter().filter(|(other, _)| other == kind);
                let seen: Vec<Lit> = of_kind.map(|&(_, lit)| lit).collect();
                let seen = self.clauses.formula.or(&seen);
                self.clauses.formula.equal(*freed, seen);
            }
        }
        Ok(())
    }

    /// The read of the read-modify-write that a write belongs to: it does not see this write,
    /// which comes from it.
    fn read_of_update(&self, write: &Writing) -> Option<ActionId> {
        match self.clauses.bounded.actions[write.place.action?].kind {
            ActionKind::Write { rmw: Some(pairing), .. } => Some(pairing.read),
            _ => None,
        }
    }

    /// Which accesses have different values.
    fn differences(
        &mut self,
        graph: &mut Graph,
        reads: &[Reading],
        writes: &[Writing],
    ) -> Result<(), Unsupported> {
        let valued = |w: &Writing| w.value.map(|value| (w.place.event, value));
        let all: Vec<(EventId, TermId)> = reads
            .iter()
            .map(|r| (r.place.event, r.value))
            .chain(writes.iter().filter_map(valued))
            .collect();
        for (index, &(a, x)) in all.iter().enumerate() {
            in_time(self.clauses.formula.limits())?;
            for &(b, y) in &all[index + 1..] {
                if self.clauses.bounded.terms.width(x) != self.clauses.bounded.terms.width(y) {
                    continue;
                }
                let same = self.clauses.values.same_address(&mut self.clauses.formula, x, y);
                graph.differ.insert((a, b), !same);
                graph.differ.insert((b, a), !same);
            }
        }
        Ok(())
    }
}

/// Adds an event to a set of the graph.
fn add(graph: &mut Graph, set: &str, event: EventId, lit: Lit) {
    if lit != Lit::FALSE {
        graph.sets.entry(set.into()).or_default().insert(event, lit);
    }
}

/// Adds a pair to a relation of the graph.
pub(crate) fn relate(graph: &mut Graph, relation: &str, from: EventId, to: EventId, lit: Lit) {
    if lit != Lit::FALSE {
        graph.relations.entry(relation.into()).or_default().insert((from, to), lit);
    }
}

fn order_set(order: Order) -> &'static str {
    match order {
        Order::NonAtomic | Order::Volatile => "NA",
        Order::Relaxed => "RLX",
        Order::Consume => "CON",
        Order::Acquire | Order::AcquirePc => "ACQ",
        Order::Release => "REL",
        Order::AcqRel => "ACQ_REL",
        Order::SeqCst => "SC",
    }
}

/// The sets that a fence is in; none for one that orders only the compiler.
fn fence_sets(fence: &Fence) -> Vec<&str> {
    match fence {
        Fence::Compiler => Vec::new(),
        Fence::Named(name) => name.split('+').map(cat_name).collect(),
        Fence::C11(order) => vec![order_set(*order)],
        Fence::Directed(d) => [
            (d.load_load, "LoadLoad"),
            (d.load_store, "LoadStore"),
            (d.store_load, "StoreLoad"),
            (d.store_store, "StoreStore"),
        ]
        .into_iter()
        .filter_map(|(on, set)| on.then_some(set))
        .collect(),
    }
}

/// A fence's name in the cat language, which writes `MFENCE` for `mfence`.
fn cat_name(name: &str) -> &str {
    let same = |word: &&Word| word.sort == Sort::Set && word.name.eq_ignore_ascii_case(name);
    match vocabulary::lookup(name) {
        Some(word) => word.name,
        None => vocabulary::WORDS.iter().find(same).map_or(name, |word| word.name),
    }
}

/// The guard of an action, for comparing paths.
pub(crate) fn guard_of(bounded: &Bounded, source: Source) -> Guard {
    source.action().map_or(Guard::TRUE, |id| bounded.actions[id].guard)
}
