//! Register events, for models that compute dependencies themselves.
//!
//! Arm's published model defines address, data and control dependencies from the reads and writes
//! of registers (`Rreg`, `Wreg`, `rf-reg`, `iico_data`, `DATA` …). Executions bring the
//! dependencies, not the registers, so this file draws the least flow through registers that has
//! these dependencies: a read of memory writes one register; an access reads one register for its
//! address and one for its data, if anything flows there; a branch reads one. A flow that only
//! selects (`pick-addr` and its kin without `addr`) passes a conditional selection: a
//! register read that decides (`iico_ctrl`) what another register gets. The register events
//! of an access belong to its instruction and stand where it stands in program order.
//!
//! The events of the execution keep their numbers; register events follow them.
//!
//! Soundness S-157 (all; own; misses): For a model that mentions registers, the least flow through
//! registers with the execution's dependencies is assumed; a model that counts register events or
//! distinguishes registers is not served by that. Test:
//! crates/models/src/registers.rs::dependencies_computed_from_registers_are_those_of_the_execution.

use execution::event::{Event, EventId, EventKind, Execution};
use execution::ids::{Id, IdVec};
use execution::relation::{EventSet, Relation};
use std::collections::BTreeMap;

/// The words that make a model one that uses registers.
pub(crate) const WORDS: &[&str] = &["Rreg", "Wreg", "rf-reg", "DATA", "NDATA", "ADDR", "PoD"];

/// The same execution with register events.
pub(crate) fn with_registers(execution: &Execution) -> Execution {
    let mut drawing = Drawing {
        old: execution,
        events: execution.events.clone(),
        places: execution.events.ids().map(Place::At).collect(),
        written: BTreeMap::new(),
        selected: BTreeMap::new(),
        sets: BTreeMap::new(),
        edges: BTreeMap::new(),
        instructions: execution.events.iter().map(|event| event.instruction).max().unwrap_or(0),
    };
    drawing.accesses("addr", "pick-addr", "ADDR");
    drawing.accesses("data", "pick-data", "DATA");
    drawing.branches();
    drawing.finish()
}

/// Where an event stands in program order.
#[derive(Clone)]
enum Place {
    /// Where this event of the execution stands.
    At(EventId),
    /// Right before these, which are all that follows in its thread.
    Before(EventSet),
}

struct Drawing<'e> {
    old: &'e Execution,
    events: IdVec<EventId, Event>,
    places: Vec<Place>,
    /// The register that a read of memory writes.
    written: BTreeMap<EventId, EventId>,
    /// The register that a selection by a read of memory writes.
    selected: BTreeMap<EventId, EventId>,
    sets: BTreeMap<&'static str, Vec<EventId>>,
    edges: BTreeMap<&'static str, Vec<(EventId, EventId)>>,
    instructions: u32,
}

impl Drawing<'_> {
    fn event(
        &mut self,
        of: EventId,
        kind: EventKind,
        place: Place,
        sets: &[&'static str],
    ) -> EventId {
        let owner = &self.events[of];
        let (thread, instruction) = (owner.thread, owner.instruction);
        let event = Event {
            thread,
            kind,
            location: None,
            value: None,
            label: String::new(),
            instruction,
            source: None,
        };
        let id = self.events.push(event);
        self.places.push(place);
        sets.iter().for_each(|&set| self.sets.entry(set).or_default().push(id));
        id
    }

    fn edge(&mut self, relation: &'static str, from: EventId, to: EventId) {
        self.edges.entry(relation).or_default().push((from, to));
    }

    fn is_in(&self, relation: &str, from: EventId, to: EventId) -> bool {
        self.old.relations.get(relation).is_some_and(|r| r.contains(from, to))
    }

    /// The register that holds what `read` returned.
    fn register(&mut self, read: EventId) -> EventId {
        if let Some(&register) = self.written.get(&read) {
            return register;
        }
        let register = self.event(read, EventKind::Other, Place::At(read), &["Wreg"]);
        self.edge("iico_data", read, register);
        self.written.insert(read, register);
        register
    }

    /// The register that got something that `read` selected.
    fn selection(&mut self, read: EventId) -> EventId {
        if let Some(&register) = self.selected.get(&read) {
            return register;
        }
        let source = self.register(read);
        let place = Place::At(read);
        let decides =
            self.event(read, EventKind::Other, place.clone(), &["Rreg", "NDATA", "ADDR", "PoD"]);
        let register = self.event(read, EventKind::Other, place, &["Wreg"]);
        self.instructions += 1;
        for id in [decides, register] {
            self.events[id].instruction = self.instructions;
        }
        self.edge("rf-reg", source, decides);
        self.edge("iico_ctrl", decides, register);
        self.selected.insert(read, register);
        register
    }

    /// The flows into accesses: `plain` ones and those that may also select.
    fn accesses(&mut self, plain: &str, pick: &str, kind: &'static str) {
        let sets: &[&str] =
            if kind == "DATA" { &["Rreg", "DATA"] } else { &["Rreg", "NDATA", "ADDR"] };
        let mut readers: BTreeMap<EventId, EventId> = BTreeMap::new();
        for (from, to) in self.flows(plain, pick) {
            let source = if self.is_in(plain, from, to) {
                self.register(from)
            } else {
                self.selection(from)
            };
            let reader = match readers.get(&to) {
                Some(&reader) => reader,
                None => {
                    let reader = self.event(to, EventKind::Other, Place::At(to), sets);
                    self.edge("iico_data", reader, to);
                    readers.insert(to, reader);
                    reader
                }
            };
            self.edge("rf-reg", source, reader);
        }
    }

    fn flows(&self, plain: &str, pick: &str) -> Vec<(EventId, EventId)> {
        let pairs = |name: &str| self.old.relations.get(name).into_iter().flat_map(Relation::iter);
        let more = pairs(pick).filter(|&(a, b)| !self.is_in(plain, a, b));
        pairs(plain).chain(more).collect()
    }

    /// One branch for each set of events that control dependencies of some read end at.
    fn branches(&mut self) {
        let size = self.old.events.len();
        let after = |pairs: &dyn Fn(EventId, EventId) -> bool, read: EventId| {
            let mut set = EventSet::empty(size);
            self.old.events.ids().filter(|&to| pairs(read, to)).for_each(|to| set.insert(to));
            set
        };
        let mut branches: Vec<(EventSet, Vec<(EventId, bool)>)> = Vec::new();
        for read in self.old.events.ids() {
            let plain = after(&|a, b| self.is_in("ctrl", a, b), read);
            let pick = after(&|a, b| self.is_in("pick-ctrl", a, b), read);
            for (set, selects) in [(plain.clone(), false), (pick, true)] {
                if set.is_empty() || (selects && set == plain) {
                    continue;
                }
                match branches.iter_mut().find(|(known, _)| *known == set) {
                    Some((_, readers)) => readers.push((read, selects)),
                    None => branches.push((set, vec![(read, selects)])),
                }
            }
        }
        for (set, readers) in branches {
            let place = Place::Before(set);
            let of = readers[0].0;
            let register =
                self.event(of, EventKind::Other, place.clone(), &["Rreg", "NDATA", "ADDR"]);
            let branch = self.event(of, EventKind::Branch, place, &["BCC", "B"]);
            self.instructions += 1;
            for id in [register, branch] {
                self.events[id].instruction = self.instructions;
            }
            self.edge("iico_data", register, branch);
            for (read, selects) in readers {
                let source = if selects { self.selection(read) } else { self.register(read) };
                self.edge("rf-reg", source, register);
            }
        }
    }

    /// Whether `a` stands before `b` in program order.
    fn precedes(&self, a: EventId, b: EventId) -> bool {
        if self.events[a].thread.is_none() || self.events[a].thread != self.events[b].thread {
            return false;
        }
        match (&self.places[a.index()], &self.places[b.index()]) {
            (Place::At(a), Place::At(b)) => self.is_in("po", *a, *b),
            (Place::At(a), Place::Before(rest)) => !rest.contains(*a),
            (Place::Before(rest), Place::At(b)) => rest.contains(*b),
            (Place::Before(rest), Place::Before(later)) => later.count() < rest.count(),
        }
    }

    fn finish(self) -> Execution {
        let size = self.events.len();
        let mut sets = BTreeMap::new();
        for (name, old) in &self.old.sets {
            let mut set = EventSet::empty(size);
            old.iter().for_each(|id| set.insert(id));
            sets.insert(name.clone(), set);
        }
        for (&name, members) in &self.sets {
            let set = sets.entry(name.into()).or_insert_with(|| EventSet::empty(size));
            members.iter().for_each(|&id| set.insert(id));
        }
        let mut relations = BTreeMap::new();
        for (name, old) in &self.old.relations {
            let mut relation = Relation::empty(size);
            old.iter().for_each(|(a, b)| relation.insert(a, b));
            relations.insert(name.clone(), relation);
        }
        for (&name, pairs) in &self.edges {
            let relation = relations.entry(name.into()).or_insert_with(|| Relation::empty(size));
            pairs.iter().for_each(|&(a, b)| relation.insert(a, b));
        }
        let po = relations.entry("po".into()).or_insert_with(|| Relation::empty(size));
        let old = self.old.events.len();
        for a in self.events.ids() {
            for b in self.events.ids().filter(|b| a.index().max(b.index()) >= old) {
                if self.precedes(a, b) {
                    po.insert(a, b);
                }
            }
        }
        Execution { events: self.events, sets, relations }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, check_execution};
    use execution::event::ThreadId;

    /// A thread of `kinds` (`R`, `W`), all in program order, with these dependencies.
    fn thread(kinds: &str, relations: &[(&str, &[(usize, usize)])]) -> Execution {
        let mut execution = Execution::default();
        let size = kinds.len();
        for (index, letter) in kinds.chars().enumerate() {
            let kind = if letter == 'R' { EventKind::Read } else { EventKind::Write };
            let location = Some(format!("x{index}").into());
            let id = execution.events.push(Event {
                thread: Some(ThreadId::new(0)),
                kind,
                location,
                value: None,
                label: String::new(),
                instruction: index as u32,
                source: None,
            });
            let name = letter.to_string().into();
            execution.sets.entry(name).or_insert_with(|| EventSet::empty(size)).insert(id);
        }
        let mut relate = |name: &str, a: usize, b: usize| {
            let relation = execution.relations.entry(name.into());
            let relation = relation.or_insert_with(|| Relation::empty(size));
            relation.insert(EventId::new(a), EventId::new(b));
        };
        (0..size).for_each(|b| (0..b).for_each(|a| relate("po", a, b)));
        for (name, pairs) in relations {
            pairs.iter().for_each(|&(a, b)| relate(name, a, b));
        }
        execution
    }

    /// Whether a model that computes dependencies from registers finds those of the execution.
    fn finds_the_same(execution: &Execution) {
        let text = "let flow = (rf-reg | iico_data)+\n\
            let picked = (flow | iico_ctrl)+\n\
            let into(f, S) = [R]; f; [S]; iico_data; [M]\n\
            let differ(a, b) = (a \\ b) | (b \\ a)\n\
            empty differ(into(flow, Rreg \\ DATA), addr) as addr\n\
            empty differ(into(flow, DATA), data) as data\n\
            empty differ([R]; flow; [BCC]; po; [M], ctrl) as ctrl\n\
            empty differ(into(picked, Rreg \\ DATA), addr | pick-addr) as pick-addr\n\
            empty differ(into(picked, DATA), data | pick-data) as pick-data\n\
            empty differ([R]; picked; [BCC]; po; [M], ctrl | pick-ctrl) as pick-ctrl\n\
            empty [Rreg | Wreg]; po & po^-1 as order\n\
            empty [M] & [Rreg | Wreg | BCC] as apart\n\
            show rf-reg";
        let model = Model::from_text("registers", text).expect("it is right");
        assert!(model.looks_at_registers());
        let outcome = check_execution(&model, execution).expect("it can be asked");
        assert_eq!(outcome.failed, None);
        let size = execution.events.len();
        let shown = outcome.shows.iter().map(|(_, shown)| match shown {
            crate::Shown::Relation(relation) => relation.size(),
            crate::Shown::Set(set) => set.size(),
        });
        assert!(shown.into_iter().all(|shown| shown == size), "register events stay inside");
    }

    #[test]
    fn dependencies_computed_from_registers_are_those_of_the_execution() {
        finds_the_same(&thread("RRW", &[]));
        finds_the_same(&thread("RRWW", &[("addr", &[(0, 2)]), ("data", &[(1, 2), (1, 3)])]));
        finds_the_same(&thread("RRWW", &[("ctrl", &[(0, 1), (0, 2), (0, 3), (1, 3)])]));
    }

    #[test]
    fn a_selecting_register_gives_no_plain_dependency() {
        finds_the_same(&thread("RWW", &[("pick-data", &[(0, 1)]), ("pick-addr", &[(0, 2)])]));
        let both = [("data", &[(0, 2)][..]), ("pick-data", &[(0, 2), (1, 2)])];
        finds_the_same(&thread("RRW", &both));
        let branches = [("ctrl", &[(0, 2)][..]), ("pick-ctrl", &[(0, 1), (0, 2)])];
        finds_the_same(&thread("RWW", &branches));
    }

    #[test]
    fn many_events_do_not_confuse_the_rows() {
        let kinds = "RW".repeat(30);
        let data: Vec<_> = (0..30).map(|i| (2 * i, 2 * i + 1)).collect();
        finds_the_same(&thread(&kinds, &[("data", &data)]));
    }
}
