//! Values out of thin air: those that nothing but themselves decides.
//!
//! Some models allow a read to see a write whose value was computed from what the read returned.
//! The solver may then give such values as it likes among those that the analysis of values
//! found, which is no answer; so a caller that asks for all outcomes must know.
//!
//! No number may be such a value (`r = r + 2`), but what is undefined is undefined after any
//! computation. So an undefined value must come from something that left it undefined.
//!
//! Soundness S-101 (check, verify; weak; misses): An undefined value must come from something that
//! left it undefined, not from a cycle; cycles are left out, too, in which every value is undefined
//! because of something outside the cycle. Test:
//! corpus/verify/memory/nothing_undefined_from_nothing.c.

use crate::bounded::{ActionId, ActionKind, Taint};
use crate::encode::Encoding;
use crate::encode::clauses::Clauses;
use crate::encode::structure::events::Events;
use crate::encode::structure::sources::Source;
use crate::term::{Term, TermId};
use crate::values::operands;
use execution::event::{Event, EventId, EventKind, Execution, ThreadId};
use execution::ids::{Id, IdVec};
use execution::relation::{EventSet, Relation};
use models::Model;
use sat::order::{Strategy, acyclic};
use std::collections::{BTreeMap, BTreeSet};

/// How a write is related to a read of its thread that its value is computed from.
const COMPUTED: [&str; 3] = ["po", "data", "pick-data"];

impl Encoding<'_> {
    /// Whether there may be values that nothing but themselves decides: a value may flow round in
    /// a circle, and the model allows that in the smallest program in which one does. Needs the
    /// dependencies of the program.
    pub fn values_from_nothing(&self, model: &Model) -> bool {
        let circle = self.circle();
        if circle.is_empty() {
            return false;
        }
        let plain = circle.iter().any(|&id| self.is_plain(id));
        let atomic = allows_circles(model, &["RLX", "A", "Once"], &COMPUTED);
        atomic
            || plain
                && [&["NA"][..], &[]].iter().any(|kinds| allows_circles(model, kinds, &COMPUTED))
    }

    /// Whether an access has neither a memory order nor tags.
    fn is_plain(&self, id: ActionId) -> bool {
        match &self.bounded.actions[id].kind {
            ActionKind::Read { access, .. } | ActionKind::Write { access, .. } => {
                access.tags.is_empty() && !access.orders.iter().any(|(order, _)| order.is_atomic())
            }
            _ => false,
        }
    }

    /// The accesses through which a value may flow back to itself: reads that may see a write whose
    /// value is computed from what they return.
    fn circle(&self) -> Vec<ActionId> {
        let mut flow = Relation::empty(self.events.sources.len());
        for &(write, read) in self.events.graph.rf.keys() {
            flow.insert(write, read);
        }
        for (write, source) in self.events.sources.iter() {
            let Some(id) = source.access() else { continue };
            let ActionKind::Write { data, rmw, .. } = &self.bounded.actions[id].kind else {
                continue;
            };
            let mut from = |read: ActionId| {
                for (event, source) in self.events.sources.iter() {
                    if source.access() == Some(read) {
                        flow.insert(event, write);
                    }
                }
            };
            let data: &Taint = data;
            data.keys().for_each(|&read| from(read));
            rmw.iter().filter(|pairing| pairing.computed).for_each(|pairing| from(pairing.read));
        }
        let flow = flow.transitive_closure();
        let round = |(event, source): (EventId, Source)| {
            source.access().filter(|_| flow.contains(event, event))
        };
        self.events.sources.iter().filter_map(round).collect()
    }
}

/// Lets no undefined value come from itself, where the model allows values to flow in circles.
pub(crate) fn undefined_from_something(clauses: &mut Clauses, events: &Events, model: &Model) {
    let flow = undefined_flow(clauses, events);
    let mut closed = Relation::empty(events.sources.len());
    flow.iter().for_each(|&((from, to), _)| closed.insert(from, to));
    let closed = closed.transitive_closure();
    let circles: Vec<_> =
        flow.into_iter().filter(|&((from, to), _)| closed.contains(to, from)).collect();
    if circles.is_empty() || !allows_any_circles(model) {
        return;
    }
    let mut edges = Vec::new();
    for ((from, to), values) in circles {
        let mut all: Vec<_> = events.graph.rf.get(&(from, to)).copied().into_iter().collect();
        let undefined = values.map(|value| clauses.values.undefined(&mut clauses.formula, value));
        all.extend(undefined);
        let lit = clauses.formula.and(&all);
        edges.push((from.index() as u32, to.index() as u32, lit));
    }
    acyclic(&mut clauses.formula, events.sources.len(), &edges, Strategy::BySize);
}

/// The ways from access to access that an undefined value may go, each with what is undefined
/// there then.
fn undefined_flow(clauses: &Clauses, events: &Events) -> Vec<((EventId, EventId), [TermId; 2])> {
    // By what a read returns: its events, each with what is seen there.
    let mut reads: BTreeMap<TermId, Vec<(EventId, TermId)>> = BTreeMap::new();
    let mut writes: BTreeMap<EventId, TermId> = BTreeMap::new();
    for (event, source) in events.sources.iter() {
        let Some(id) = source.access() else { continue };
        match &clauses.bounded.actions[id].kind {
            ActionKind::Read { into, access, .. } => {
                let whole = clauses.bounded.terms.input_term(*into);
                let parts = &clauses.bounded.parts;
                let value = parts.part(id, source.byte(), access.width, whole).value;
                if may_be_undefined(clauses, value) {
                    reads.entry(whole).or_default().push((event, value));
                }
            }
            ActionKind::Write { value, access, .. } => {
                let parts = &clauses.bounded.parts;
                let value = parts.part(id, source.byte(), access.width, *value).value;
                if may_be_undefined(clauses, value) {
                    writes.insert(event, value);
                }
            }
            _ => {}
        }
    }
    let values: BTreeMap<EventId, TermId> = reads.values().flatten().copied().collect();
    let seen = events.graph.rf.keys().filter_map(|&(write, read)| {
        Some(((write, read), [*writes.get(&write)?, *values.get(&read)?]))
    });
    let mut flow: Vec<_> = seen.collect();
    for (&write, &value) in &writes {
        let inputs = inputs_of(clauses, value);
        let from = inputs.iter().filter_map(|input| reads.get(input)).flatten();
        flow.extend(from.map(|&(event, read)| ((event, write), [read, value])));
    }
    flow
}

fn may_be_undefined(clauses: &Clauses, term: TermId) -> bool {
    let shape = clauses.values.sets().of(&clauses.bounded, term).shape();
    shape.is_some_and(|shape| shape.undef != 0)
}

/// The inputs that a value is computed from.
fn inputs_of(clauses: &Clauses, value: TermId) -> BTreeSet<TermId> {
    let (mut open, mut known) = (vec![value], BTreeSet::new());
    while let Some(term) = open.pop() {
        if known.insert(term) {
            open.extend(operands(&clauses.bounded, term));
        }
    }
    known.retain(|&term| matches!(clauses.bounded.terms.term(term), Term::Input(_)));
    known
}

/// Whether two threads may each read what the other wrote, in some way to compute the one from the
/// other.
fn allows_any_circles(model: &Model) -> bool {
    let kinds: [&[&str]; 3] = [&["RLX", "A", "Once"], &["NA"], &[]];
    kinds.iter().any(|kinds| {
        allows_circles(model, kinds, &COMPUTED)
            || allows(model, [kinds, kinds], &["rmw"], ["x", "x"])
    })
}

/// Whether two threads that first read and then write may both read what the other wrote, with
/// accesses that are in these sets and related by these relations.
pub(crate) fn allows_circles(model: &Model, kinds: &[&str], between: &[&str]) -> bool {
    allows(model, [kinds, kinds], between, ["x", "y"])
}

/// The same for reads and writes of any kinds, which are the same in both threads.
pub(crate) fn allows_circles_of_any_kind(model: &Model, between: &[&str]) -> bool {
    let reads: [&[&str]; 5] =
        [&["RLX", "A", "Once"], &["NA"], &[], &["ACQ", "A", "Acquire"], &["SC", "A"]];
    let writes: [&[&str]; 5] =
        [&["RLX", "A", "Once"], &["NA"], &[], &["REL", "A", "L", "Release"], &["SC", "A"]];
    let mut pairs =
        reads.iter().flat_map(|reads| writes.iter().map(move |writes| [*reads, *writes]));
    pairs.any(|kinds| allows(model, kinds, between, ["x", "y"]))
}

/// The same if what the first thread reads and the second writes, and the other way round, are at
/// these locations.
fn allows(model: &Model, kinds: [&[&str]; 2], between: &[&str], [x, y]: [&str; 2]) -> bool {
    let make = |thread: Option<usize>, kind, location: &str, instruction| Event {
        thread: thread.map(ThreadId::new),
        kind,
        location: Some(location.into()),
        value: None,
        label: String::new(),
        instruction,
        source: None,
    };
    let events: IdVec<EventId, Event> = [
        make(None, EventKind::Write, x, 0),
        make(None, EventKind::Write, y, 0),
        make(Some(0), EventKind::Read, x, 1),
        make(Some(0), EventKind::Write, y, 2),
        make(Some(1), EventKind::Read, y, 1),
        make(Some(1), EventKind::Write, x, 2),
    ]
    .into_iter()
    .collect();
    let mut execution = Execution { events, ..Execution::default() };
    let sets: [(&str, &[usize]); 3] = [("R", &[2, 4]), ("W", &[0, 1, 3, 5]), ("IW", &[0, 1])];
    let own: [&[usize]; 2] = [&[2, 4], &[3, 5]];
    let kinds =
        kinds.iter().zip(own).flat_map(|(kinds, own)| kinds.iter().map(move |&it| (it, own)));
    for (name, members) in sets.into_iter().chain(kinds) {
        let set = execution.sets.entry(name.into()).or_insert_with(|| EventSet::empty(6));
        members.iter().for_each(|&member| set.insert(EventId::new(member)));
    }
    let pairs = |pairs: &[(usize, usize)]| {
        let mut relation = Relation::empty(6);
        for &(a, b) in pairs {
            relation.insert(EventId::new(a), EventId::new(b));
        }
        relation
    };
    for &name in between {
        execution.relations.insert(name.into(), pairs(&[(2, 3), (4, 5)]));
    }
    let Ok(mut evaluator) = model.prepare(&execution) else { return true };
    evaluator.set_rf(&pairs(&[(3, 4), (5, 2)]));
    match x == y {
        true => evaluator.set_co(&pairs(&[(0, 1), (0, 3), (0, 5), (1, 3), (1, 5), (3, 5)])),
        false => evaluator.set_co(&pairs(&[(1, 3), (0, 5)])),
    }
    evaluator.allowed()
}
