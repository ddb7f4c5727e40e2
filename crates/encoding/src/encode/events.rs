//! The events of the graph, the sets they are in, and who may read from whom.

use super::threads::Lives;
use super::{Builder, Cell, Source, pieces};
use crate::bounded::{Access, Action, ActionId, ActionKind, Bounded, Pairing};
use crate::graph::{Edges, Graph, Node};
use crate::guard::Guard;
use crate::parts::Part;
use crate::term::TermId;
use crate::unroll::{Language, Unsupported, in_time};
use crate::values::Sets;
use crate::values::places::Addresses;
use execution::event::{EventId, EventKind};
use execution::ids::IdVec;
use execution::relation::Relation;
use ir::order::{Fence, Order};
use ir::program::{Program, Width};
use ir::step::finding::FindingKind;
use ir::value::Value;
use models::Model;
use models::vocabulary::{self, Sort, Word};
use sat::Lit;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The locations that may be accessed, with what they hold at first.
pub(super) fn cells(
    bounded: &mut Bounded,
    program: &Program,
    sets: &Sets,
) -> Result<BTreeMap<Cell, TermId>, Unsupported> {
    let mut touched: BTreeMap<Cell, ActionId> = BTreeMap::new();
    for id in bounded.actions.ids() {
        let Some(places) = sets.places(id) else { continue };
        let Addresses::These(addresses) = &places.right else {
            let place = bounded.actions[id].origin.users_place(program);
            return Err(Unsupported::new("an address with too many possible values", place));
        };
        let width = bounded.parts.width(id, places.width);
        for &address in addresses {
            for byte in (0..places.width.bytes()).step_by(width.bytes() as usize) {
                touched.entry(Cell { address: address + byte, width }).or_insert(id);
            }
        }
    }
    let mut last: Option<(Cell, ActionId)> = None;
    for (&cell, &action) in &touched {
        if let Some((other, first)) = last
            && other.address + other.width.bytes() > cell.address
        {
            let splits = pieces::splits(bounded, sets).unwrap_or_default();
            return Err(Unsupported { splits, ..overlap(bounded, program, first, action) });
        }
        last = Some((cell, action));
    }
    if let Some(action) = pieces::divides_pointers(bounded, sets) {
        let splits = pieces::splits(bounded, sets).unwrap_or_default();
        let place = bounded.actions[action].origin.users_place(program);
        let what = "an access of what may be a pointer, to bytes that others write singly";
        return Err(Unsupported { splits, ..Unsupported::new(what, place) });
    }
    let mut cells = BTreeMap::new();
    for (cell, action) in touched {
        let Some(value) = bounded.initial_value(cell.address, cell.width) else {
            let what = "an access that may be where there is no object";
            let place = bounded.actions[action].origin.users_place(program);
            return Err(Unsupported::new(what, place));
        };
        cells.insert(cell, value);
    }
    Ok(cells)
}

/// That two actions access overlapping memory that is not the same.
fn overlap(bounded: &Bounded, program: &Program, one: ActionId, other: ActionId) -> Unsupported {
    let users = |action: ActionId| bounded.actions[action].origin.users_place(program);
    let library = |action: ActionId| bounded.actions[action].origin.library_function(program);
    let by = library(other).map_or(String::new(), |name| format!(" by `{name}`"));
    let mut what = format!("an access{by} to a part of what another one accesses as a whole");
    let lines = [one, other].map(|action| {
        users(action).map(|place| {
            let location = &program.places[place].location;
            format!("{}:{}", location.file, location.line)
        })
    });
    if let [Some(first), Some(second)] = lines
        && first != second
    {
        let by = library(one).map_or(String::new(), |name| format!("by `{name}`, "));
        what = format!("{what} ({by}{first})");
    }
    Unsupported::new(what, users(other))
}

/// A value for each width in which memory is accessed.
pub(super) fn constants(
    bounded: &mut Bounded,
    cells: &BTreeMap<Cell, TermId>,
    value: impl Fn(Width) -> Value,
) -> HashMap<Width, TermId> {
    let widths: BTreeSet<Width> = cells.keys().map(|cell| cell.width).collect();
    widths.into_iter().map(|width| (width, bounded.terms.value(value(width)))).collect()
}

/// The reads of instructions that also write.
pub(super) fn updates(bounded: &Bounded) -> HashSet<ActionId> {
    let read = |action: &Action| match action.kind {
        ActionKind::Write { rmw: Some(pairing), .. } if pairing.single => Some(pairing.read),
        _ => None,
    };
    bounded.actions.iter().filter_map(read).collect()
}

/// An access of the graph.
pub(super) struct Place {
    pub(super) event: EventId,
    pub(super) action: Option<ActionId>,
    pub(super) cells: Vec<(Cell, Lit)>,
}

/// A read of the graph.
pub(super) struct Reading {
    pub(super) place: Place,
    value: TermId,
}

/// A write of the graph; a `free` writes no value.
pub(super) struct Writing {
    pub(super) place: Place,
    value: Option<TermId>,
}

impl Builder {
    /// Builds the graph of events.
    pub(super) fn graph(&mut self, lives: &Lives, model: &Model) -> Result<Graph, Unsupported> {
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
        for (cell, value) in self.cells.clone() {
            let node =
                Node { thread: None, kind: EventKind::Write, instruction: 0, exec: Lit::TRUE };
            let event = self.event(&mut graph, Source::Initial(cell), node);
            add(&mut graph, "W", event, Lit::TRUE);
            add(&mut graph, "IW", event, Lit::TRUE);
            let place = Place { event, action: None, cells: vec![(cell, Lit::TRUE)] };
            writes.push(Writing { place, value: Some(value) });
        }
        for id in self.bounded.actions.ids() {
            in_time(self.formula.limits())?;
            if lives.exec[id] != Lit::FALSE {
                self.action(&mut graph, lives, id, &mut reads, &mut writes)?;
            }
        }
        self.locations(&mut graph, &reads, &writes)?;
        self.accesses_in_parts(&mut graph);
        self.order(&mut graph, lives, model)?;
        self.read_from(&mut graph, lives, &reads, &writes, model)?;
        if model.uses_values() {
            self.differences(&mut graph, &reads, &writes)?;
        }
        Ok(graph)
    }

    fn event(&mut self, graph: &mut Graph, source: Source, node: Node) -> EventId {
        let event = graph.nodes.push(node);
        self.sources.push(source);
        self.events.insert(source, event);
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
        let action = self.bounded.actions[id].clone();
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
                let value = self.bounded.terms.input_term(*into);
                for (source, part) in self.parts_of(id, access.width, value) {
                    let event = self.event(graph, source, node(EventKind::Read));
                    add(graph, "R", event, Lit::TRUE);
                    self.annotate(graph, event, access, action.section);
                    let cells = self.cells_of(access, part, place)?;
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
                    let cells = self.cells_of(access, part, place)?;
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
                let sets = self.full_fence;
                if !sets.is_empty() {
                    self.fence(graph, id, node(EventKind::Fence), sets);
                }
            }
            ActionKind::Free { .. } | ActionKind::End(_) => {
                let cells = match action.kind {
                    ActionKind::Free { address, .. } => self.freed_cells(address, place)?,
                    ActionKind::End(region) => self.ended_cells(region),
                    _ => Vec::new(),
                };
                for (cell, lit) in cells {
                    let exec = self.formula.and(&[exec, lit]);
                    if exec == Lit::FALSE {
                        continue;
                    }
                    let node = Node { exec, ..node(EventKind::Write) };
                    let event = self.event(graph, Source::Freed(id, cell), node);
                    add(graph, "W", event, Lit::TRUE);
                    if self.language == Language::C11 {
                        add(graph, "NA", event, Lit::TRUE);
                    }
                    add(graph, "PLAIN", event, Lit::TRUE);
                    add(graph, "Library", event, Lit::TRUE);
                    let place = Place { event, action: Some(id), cells: vec![(cell, Lit::TRUE)] };
                    writes.push(Writing { place, value: None });
                }
            }
            &ActionKind::Allocate { zeroed, .. } => {
                for (cell, lit) in self.filled_cells(&action)? {
                    let exec = self.formula.and(&[exec, lit]);
                    let node = Node { exec, ..node(EventKind::Write) };
                    let event = self.event(graph, Source::Filled(id, cell), node);
                    add(graph, "W", event, Lit::TRUE);
                    if self.language == Language::C11 {
                        add(graph, "NA", event, Lit::TRUE);
                    }
                    add(graph, "PLAIN", event, Lit::TRUE);
                    add(graph, "Library", event, Lit::TRUE);
                    let values = if zeroed { &self.zero } else { &self.undefined };
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

    /// The sets that an access is in by its tags and, in C11, by its memory order; elsewhere, whether
    /// it is plain, which nothing in an atomic section is.
    fn annotate(
        &mut self,
        graph: &mut Graph,
        event: EventId,
        access: &Access,
        section: Option<u32>,
    ) {
        for (tag, guard) in &access.tags {
            let lit = self.guard(*guard);
            self.add_where(graph, tag.name(), event, lit);
        }
        if self.language == Language::C11 {
            for &(order, guard) in &access.orders {
                let lit = self.guard(guard);
                self.add_where(graph, order_set(order), event, lit);
                if order.is_atomic() {
                    self.add_where(graph, "A", event, lit);
                }
            }
        }
        let plain = access.orders.iter().filter(|(order, _)| *order == Order::NonAtomic);
        for &(_, guard) in plain.filter(|_| section.is_none()) {
            let lit = self.guard(guard);
            self.add_where(graph, "PLAIN", event, lit);
        }
    }

    /// Adds an event to a set where `lit` holds; it may be in the set elsewhere, too.
    fn add_where(&mut self, graph: &mut Graph, set: &str, event: EventId, lit: Lit) {
        let before = graph.sets.get(set).and_then(|set| set.get(&event)).copied();
        let lit = self.formula.or(&[before.unwrap_or(Lit::FALSE), lit]);
        add(graph, set, event, lit);
    }

    /// The parts of an access with their sources; itself, if it is not divided.
    fn parts_of(&self, id: ActionId, width: Width, value: TermId) -> Vec<(Source, Part)> {
        let whole = [Part { byte: 0, width, value }];
        let parts = self.bounded.parts.of(id).unwrap_or(&whole).iter();
        parts.map(|&part| (Source::part(id, part.byte), part)).collect()
    }

    /// The events of an access.
    pub(super) fn events_of(&self, id: ActionId) -> Vec<EventId> {
        let bytes = self.bounded.parts.of(id).unwrap_or(&[]).iter().map(|part| part.byte);
        let sources = std::iter::once(0).chain(bytes.skip(1)).map(|byte| Source::part(id, byte));
        sources.filter_map(|source| self.events.get(&source).copied()).collect()
    }

    /// Relates the parts of one access.
    fn accesses_in_parts(&mut self, graph: &mut Graph) {
        for id in self.bounded.parts.widths().into_keys() {
            let events = self.events_of(id);
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
        let Some(&read) = self.events.get(&read) else { return };
        // The read is part of a read-modify-write where the write takes place.
        let done = graph.nodes[write].exec;
        relate(graph, "rmw", read, write, Lit::TRUE);
        self.add_where(graph, "RMW", read, done);
        add(graph, "RMW", write, Lit::TRUE);
        if pairing.single {
            relate(graph, "amo", read, write, Lit::TRUE);
            self.add_where(graph, "AMO", read, done);
            add(graph, "AMO", write, Lit::TRUE);
            for part in self.events_of(pairing.read) {
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
        let mut at: HashMap<Cell, Vec<(EventId, Lit)>> = HashMap::new();
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
                in_time(self.formula.limits())?;
                for &(b, is_b) in &there[index + 1..] {
                    let both = self.formula.and(&[is_a, is_b]);
                    same.entry((a.min(b), a.max(b))).or_default().push(both);
                }
            }
        }
        for ((a, b), lits) in same {
            let lit = self.formula.or(&lits);
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
        reads: &[Reading],
        writes: &[Writing],
        model: &Model,
    ) -> Result<(), Unsupported> {
        let mutexes = self.mutexes(graph, reads, writes);
        let keeps_own_order = super::small::forbids_reading_from_later(model);
        let mut gone: BTreeMap<ActionId, Vec<(FindingKind, Lit)>> = BTreeMap::new();
        for read in reads {
            in_time(self.formula.limits())?;
            let reader = read.place.event;
            let action = read.place.action;
            let exec = graph.nodes[reader].exec;
            let mut from = Vec::new();
            let mut from_freed = Vec::new();
            for write in writes {
                let writer = write.place.event;
                let Some(&same) = graph.loc.get(&(writer, reader)) else { continue };
                let own_later = keeps_own_order && super::order::is_before(graph, reader, writer);
                let itself = action.is_some() && self.read_of_update(write) == action;
                let known = mutexes.may_see(writer, reader);
                if own_later || itself || !known || graph.excludes.contains(writer, reader) {
                    continue;
                }
                let lit = self.formula.fresh();
                self.formula.implies(lit, exec);
                self.formula.implies(lit, same);
                self.formula.implies(lit, graph.nodes[writer].exec);
                match write.value {
                    Some(value) => {
                        self.values.equal_if(&mut self.formula, lit, value, read.value);
                    }
                    None => {
                        from_freed.push((self.used_after(writer), lit));
                        let width = self.bounded.terms.width(read.value);
                        if let Some(&undefined) = self.undefined.get(&width) {
                            self.values.equal_if(&mut self.formula, lit, undefined, read.value);
                        }
                    }
                }
                graph.rf.insert((writer, reader), lit);
                from.push(lit);
            }
            self.formula.exactly_one_if(exec, &from);
            // If a part of what is read is gone, all of it is.
            if let Some(id) = action {
                gone.entry(id).or_default().extend(from_freed);
            }
        }
        for (id, from_freed) in gone {
            for (kind, freed) in lives.freed.get(&id).into_iter().flatten() {
                let of_kind = from_freed.iter().filter(|(other, _)| other == kind);
                let seen: Vec<Lit> = of_kind.map(|&(_, lit)| lit).collect();
                let seen = self.formula.or(&seen);
                self.formula.equal(*freed, seen);
            }
        }
        Ok(())
    }

    /// The read of the read-modify-write that a write belongs to: it does not see this write,
    /// which comes from it.
    fn read_of_update(&self, write: &Writing) -> Option<ActionId> {
        match self.bounded.actions[write.place.action?].kind {
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
            in_time(self.formula.limits())?;
            for &(b, y) in &all[index + 1..] {
                if self.bounded.terms.width(x) != self.bounded.terms.width(y) {
                    continue;
                }
                let same = self.values.same_address(&mut self.formula, x, y);
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
pub(super) fn relate(graph: &mut Graph, relation: &str, from: EventId, to: EventId, lit: Lit) {
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

/// The guard of an action, for whoever compares paths.
pub(super) fn guard_of(bounded: &Bounded, source: Source) -> Guard {
    source.action().map_or(Guard::TRUE, |id| bounded.actions[id].guard)
}
