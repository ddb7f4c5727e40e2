//! Which events of an execution its model keeps in order: what an order that is shown must respect.
//!
//! The idea: a model asks of relations that they are acyclic. Those that order memory, and do not
//! merely speak of accesses of one location, are respected by an order of the events if and only if
//! the model allows each event where it stands. What was read and written is respected too, as far
//! as that is possible: a store can wait in a buffer from which its own thread already reads it, and
//! on machines where stores reach other threads at different times (Alglave, Maranget, Tautschnig,
//! *Herding cats*, TOPLAS 2014) a load can miss a store that comes earlier in every order.
//! Atomic sections, the parts of one access, and the two halves of a read-modify-write are single
//! points of the order wherever the model lets them be. An error here shows a right verdict with a
//! wrong story; `replay::order` checks the result.

use execution::event::{EventId, EventKind, Execution};
use execution::ids::Id;
use execution::relation::Relation;
use models::Model;
use replay::order::{MemoryOrders, communication, memory_orders, program_order, relation};

/// In longer executions, fences stand where program order puts them.
const MOST_EVENTS: usize = 600;

/// Events that are points of one order, and which of them come first.
pub struct Kept {
    /// The points, each with its events in program order.
    pub units: Vec<Vec<EventId>>,
    /// For each event, its point.
    pub unit_of: Vec<usize>,
    /// The pairs of events that are kept in order.
    pub pairs: Relation,
    /// The points that come before others.
    closure: Relation,
    /// Whether all that was read and written is respected.
    pub all_seen: bool,
}

impl Kept {
    /// What a model keeps in order in an execution that it allows; and that these events come in
    /// this order, if that is possible.
    pub fn new(model: &Model, execution: &Execution, in_order: &[EventId]) -> Self {
        let MemoryOrders { global, local } = memory_orders(model, execution);
        let mut growing = Growing::new(execution, &global);
        for order in &global {
            growing.add(order);
        }
        growing.add(&fences(execution, &growing.points_closure(), &growing.unit_of));
        let size = execution.events.len();
        let mut wanted = Relation::empty(size);
        in_order.windows(2).for_each(|pair| wanted.insert(pair[0], pair[1]));
        growing.add_whole(&wanted);
        let rf = relation(execution, "rf");
        let co = relation(execution, "co");
        let fr = rf.inverse().compose(&co);
        let thread = |id: EventId| execution.events[id].thread;
        let (mut outside, mut inside) = (Relation::empty(size), Relation::empty(size));
        for (from, to) in rf.iter() {
            match thread(from) == thread(to) {
                true => inside.insert(from, to),
                false => outside.insert(from, to),
            }
        }
        for seen in [&outside, &co, &fr, &inside].into_iter().chain(&local) {
            growing.add(seen);
        }
        growing.finish(execution)
    }

    /// Whether one event comes before the other in every order that respects what is kept.
    pub fn before(&self, first: EventId, second: EventId) -> bool {
        let [first, second] = [first, second].map(|id| EventId::new(self.unit_of[id.index()]));
        self.closure.contains(first, second)
    }

    /// Whether two events belong to the same point.
    pub fn together(&self, first: EventId, second: EventId) -> bool {
        self.unit_of[first.index()] == self.unit_of[second.index()]
    }
}

/// Fences stand between the accesses around them that are in order, although no model says where a
/// fence takes effect. A fence stands only where that puts no accesses in order that are not so
/// already: of those around it, the ones that stand in the way of most others are left out.
fn fences(execution: &Execution, closure: &Relation, unit_of: &[usize]) -> Relation {
    let po = relation(execution, "po");
    let inverse = po.inverse();
    let point = |id: EventId| EventId::new(unit_of[id.index()]);
    let mut found = Relation::empty(execution.events.len());
    if execution.events.len() > MOST_EVENTS {
        return found;
    }
    let in_order = |a: EventId, b: EventId| closure.contains(point(a), point(b));
    let is_fence = |id: &EventId| execution.events[*id].kind == EventKind::Fence;
    for fence in execution.events.ids().filter(is_fence) {
        let around = [inverse.successors(fence).collect(), po.successors(fence).collect()];
        let [before, after] = all_in_order(around, &in_order);
        before.into_iter().for_each(|first| found.insert(first, fence));
        after.into_iter().for_each(|second| found.insert(fence, second));
    }
    found
}

/// Of two lists, those elements of which each of the first is in order with each of the second.
fn all_in_order(
    lists: [Vec<EventId>; 2],
    in_order: &dyn Fn(EventId, EventId) -> bool,
) -> [Vec<EventId>; 2] {
    let [mut before, mut after] = lists;
    before.retain(|&a| after.iter().any(|&b| in_order(a, b)));
    after.retain(|&b| before.iter().any(|&a| in_order(a, b)));
    loop {
        // How many of the other list each is not in order with.
        let first = before.iter().map(|&a| after.iter().filter(|&&b| !in_order(a, b)).count());
        let second = after.iter().map(|&b| before.iter().filter(|&&a| !in_order(a, b)).count());
        let first = first.enumerate().max_by_key(|&(_, out)| out);
        let second = second.enumerate().max_by_key(|&(_, out)| out);
        match (first, second) {
            (Some((_, 0)) | None, _) | (_, Some((_, 0)) | None) => return [before, after],
            (Some(a), Some(b)) if a.1 >= b.1 => drop(before.remove(a.0)),
            (_, Some(b)) => drop(after.remove(b.0)),
        }
    }
}

/// Pairs of events that have an order in common.
struct Growing {
    units: Vec<Vec<EventId>>,
    unit_of: Vec<usize>,
    pairs: Relation,
    /// The same pairs, of points.
    points: Relation,
}

impl Growing {
    /// Starts with points as large as these orders let them be.
    fn new(execution: &Execution, orders: &[Relation]) -> Self {
        let [atomic, access, rmw] =
            ["same-atomic", "same-access", "rmw"].map(|name| relation(execution, name));
        let parts = atomic.union(&access);
        let none = Relation::empty(execution.events.len());
        let sizes = [parts.union(&rmw), parts, atomic];
        for together in &sizes {
            let mut growing = Self::with(execution, together);
            // Between the two halves of an update there may be other accesses.
            let whole = growing.add_whole(&relation(execution, "po"));
            growing = Self::with(execution, together);
            if whole && orders.iter().all(|order| growing.add_whole(order)) {
                return Self::with(execution, together);
            }
        }
        Self::with(execution, &none)
    }

    fn with(execution: &Execution, together: &Relation) -> Self {
        let mut units: Vec<Vec<EventId>> = Vec::new();
        let mut unit_of = Vec::new();
        let related = together.union(&together.inverse());
        for id in execution.events.ids() {
            let earlier = related.successors(id).find(|other| other.index() < id.index());
            let unit = earlier.map_or(units.len(), |other| unit_of[other.index()]);
            if unit == units.len() {
                units.push(Vec::new());
            }
            units[unit].push(id);
            unit_of.push(unit);
        }
        let pairs = Relation::empty(execution.events.len());
        let points = Relation::empty(units.len());
        Self { units, unit_of, pairs, points }
    }

    fn points_closure(&self) -> Relation {
        self.points.transitive_closure()
    }

    fn point(&self, id: EventId) -> EventId {
        EventId::new(self.unit_of[id.index()])
    }

    /// Adds a relation, if the result is an order; whether it was added.
    fn add_whole(&mut self, more: &Relation) -> bool {
        let mut points = self.points.clone();
        for (from, to) in more.iter() {
            let (first, second) = (self.point(from), self.point(to));
            if first != second {
                points.insert(first, second);
            }
        }
        let is_order = points.topological_order().is_some();
        if is_order {
            self.points = points;
            self.pairs = self.pairs.union(more);
        }
        is_order
    }

    /// Adds as much of a relation as fits.
    fn add(&mut self, more: &Relation) {
        if self.add_whole(more) {
            return;
        }
        let mut closure = self.points.transitive_closure();
        for (from, to) in more.iter() {
            let (first, second) = (self.point(from), self.point(to));
            if first == second || closure.contains(second, first) {
                continue;
            }
            self.points.insert(first, second);
            self.pairs.insert(from, to);
            let earlier = (0..self.units.len()).map(EventId::new);
            let earlier: Vec<EventId> =
                earlier.filter(|&at| at == first || closure.contains(at, first)).collect();
            for at in earlier {
                closure.insert(at, second);
                closure.include_successors(at, second);
            }
        }
    }

    fn finish(self, execution: &Execution) -> Kept {
        let closure = self.points.transitive_closure();
        let Self { mut units, unit_of, pairs, .. } = self;
        let rank = program_order(execution);
        // The two halves of a read-modify-write are in no program order where they are one
        // instruction, and their parts stand anywhere.
        let place = |id: &EventId| {
            let writes = execution.events[*id].kind == EventKind::Write;
            (rank[id.index()], writes, *id)
        };
        units.iter_mut().for_each(|unit| unit.sort_by_key(place));
        let mut kept = Kept { units, unit_of, pairs, closure, all_seen: true };
        let seen = communication(execution);
        kept.all_seen = seen.iter().all(|(from, to)| from == to || !kept.before(to, from));
        kept
    }
}
