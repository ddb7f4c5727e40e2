//! Values out of thin air: those that nothing but themselves decides.
//!
//! Some models allow a read to see a write whose value was computed from what the read returned.
//! The solver may then give such values as it likes among those that the analysis of values
//! found, which is no answer; so whoever asks for all outcomes must know.

use super::{Encoding, Source};
use crate::bounded::{ActionId, ActionKind, Taint};
use execution::event::{Event, EventId, EventKind, Execution, ThreadId};
use execution::ids::{Id, IdVec};
use execution::relation::{EventSet, Relation};
use models::Model;

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
        let computed = ["po", "data", "pick-data"];
        allows_circles(model, &["RLX", "A", "Once"], &computed)
            || plain
                && (allows_circles(model, &["NA"], &computed)
                    || allows_circles(model, &[], &computed))
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
        let mut flow = Relation::empty(self.sources.len());
        for &(write, read) in self.graph.rf.keys() {
            flow.insert(write, read);
        }
        for (index, &source) in self.sources.iter().enumerate() {
            let Source::Action(id) = source else { continue };
            let ActionKind::Write { data, rmw, .. } = &self.bounded.actions[id].kind else {
                continue;
            };
            let write = EventId::new(index);
            let mut from = |read: ActionId| {
                if let Some(&read) = self.events.get(&Source::Action(read)) {
                    flow.insert(read, write);
                }
            };
            let data: &Taint = data;
            data.keys().for_each(|&read| from(read));
            rmw.iter().filter(|pairing| pairing.computed).for_each(|pairing| from(pairing.read));
        }
        let flow = flow.transitive_closure();
        let round = |(index, source): (usize, &Source)| match source {
            Source::Action(id) if flow.contains(EventId::new(index), EventId::new(index)) => {
                Some(*id)
            }
            _ => None,
        };
        self.sources.iter().enumerate().filter_map(round).collect()
    }
}

/// Whether two threads that first read and then write may both read what the other wrote, with
/// accesses that are in these sets and related by these relations.
pub(super) fn allows_circles(model: &Model, kinds: &[&str], between: &[&str]) -> bool {
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
        make(None, EventKind::Write, "x", 0),
        make(None, EventKind::Write, "y", 0),
        make(Some(0), EventKind::Read, "x", 1),
        make(Some(0), EventKind::Write, "y", 2),
        make(Some(1), EventKind::Read, "y", 1),
        make(Some(1), EventKind::Write, "x", 2),
    ]
    .into_iter()
    .collect();
    let mut execution = Execution { events, ..Execution::default() };
    let sets: [(&str, &[usize]); 3] = [("R", &[2, 4]), ("W", &[0, 1, 3, 5]), ("IW", &[0, 1])];
    let own: &[usize] = &[2, 3, 4, 5];
    for (name, members) in sets.into_iter().chain(kinds.iter().map(|&kind| (kind, own))) {
        let mut set = EventSet::empty(6);
        members.iter().for_each(|&member| set.insert(EventId::new(member)));
        execution.sets.insert(name.into(), set);
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
    evaluator.set_co(&pairs(&[(1, 3), (0, 5)]));
    evaluator.allowed()
}
