//! Orders of an execution's events that keep what the model keeps, and otherwise program order as
//! far as possible, with few switches between threads.

use super::kept::Kept;
use execution::event::{EventId, Execution, ThreadId};
use execution::ids::Id;
use execution::relation::Relation;
use replay::order::relation;
use std::collections::{HashMap, VecDeque};

/// States that the search for an order with few context switches visits at most.
const MOST_PLACES: usize = 50_000;

/// Puts the events of an execution into an order.
pub struct Arranger<'a> {
    execution: &'a Execution,
    kept: &'a Kept,
    po: Relation,
}

impl<'a> Arranger<'a> {
    /// Of an execution of which this is kept.
    pub fn new(execution: &'a Execution, kept: &'a Kept) -> Self {
        Self { execution, kept, po: relation(execution, "po") }
    }

    /// Any order that keeps what is kept.
    pub fn plain_order(&self) -> Vec<EventId> {
        let points = self.points(&|_, _| false);
        let order = points.topological_order().unwrap_or_default();
        order.into_iter().flat_map(|point| self.kept.units[point.index()].clone()).collect()
    }

    /// The pairs of points that are kept, and those of program order that are `hard`.
    fn points(&self, hard: &dyn Fn(EventId, EventId) -> bool) -> Relation {
        let point = |id: EventId| EventId::new(self.kept.unit_of[id.index()]);
        let mut points = Relation::empty(self.kept.units.len());
        let po = self.po.iter().filter(|&(a, b)| hard(a, b));
        for (from, to) in self.kept.pairs.iter().chain(po) {
            if point(from) != point(to) {
                points.insert(point(from), point(to));
            }
        }
        points
    }

    /// An order that keeps what is kept, and program order but inside the threads that may leave
    /// it; those leave it only where they must, or else as late as they can. A thread goes on as
    /// long as it can.
    pub fn order(&self, may_leave: &dyn Fn(ThreadId) -> bool) -> Option<Vec<EventId>> {
        let events = &self.execution.events;
        let leaves = |a: EventId, b: EventId| {
            events[a].thread == events[b].thread && events[b].thread.is_some_and(may_leave)
        };
        let hard = self.points(&|a, b| !leaves(a, b));
        hard.topological_order()?;
        let soft = self.points(&|_, _| true);
        let units = &self.kept.units;
        let mut awaited = vec![[0usize; 2]; units.len()];
        for (which, pairs) in [&soft, &hard].into_iter().enumerate() {
            pairs.iter().for_each(|(_, to)| awaited[to.index()][which] += 1);
        }
        let soft_inverse = soft.inverse();
        let mut closure: Option<Relation> = None;
        let mut left: Vec<EventId> = (0..units.len()).map(EventId::new).collect();
        let mut done = vec![false; units.len()];
        let mut order: Vec<EventId> = Vec::new();
        while !left.is_empty() {
            let last = order.last().map(|&id| events[id].thread);
            let free: Vec<EventId> =
                left.iter().copied().filter(|unit| awaited[unit.index()][1] == 0).collect();
            if free.iter().all(|unit| awaited[unit.index()][0] > 0) {
                closure.get_or_insert_with(|| hard.transitive_closure());
            }
            // How many it would overtake that need not come after it.
            let needless = |unit: EventId| match &closure {
                Some(closure) if awaited[unit.index()][0] > 0 => {
                    let overtaken = soft_inverse.successors(unit).filter(|u| !done[u.index()]);
                    1 + overtaken.filter(|&other| !closure.contains(unit, other)).count()
                }
                _ => awaited[unit.index()][0],
            };
            let rank = |&unit: &EventId| {
                let thread = events[units[unit.index()][0]].thread;
                let switches = last.is_some_and(|last| last != thread);
                (thread.is_some(), needless(unit), switches, unit)
            };
            let next = free.iter().copied().min_by_key(rank)?;
            order.extend(&units[next.index()]);
            done[next.index()] = true;
            left.retain(|&unit| unit != next);
            for (which, pairs) in [&soft, &hard].into_iter().enumerate() {
                pairs.successors(next).for_each(|after| {
                    awaited[after.index()][which] = awaited[after.index()][which].saturating_sub(1);
                });
            }
        }
        Some(order)
    }

    /// The same events, each thread's in the same order, with the fewest changes from one thread to
    /// another.
    ///
    /// To let a thread go on for as long as it can never hurts, since what has happened hinders
    /// nothing. So all that is to be chosen is which thread comes next, and places in the threads
    /// that can be reached with few switches are visited first.
    pub fn fewest_switches(&self, order: Vec<EventId>) -> Vec<EventId> {
        let events = &self.execution.events;
        let (initial, rest): (Vec<EventId>, Vec<EventId>) =
            order.iter().copied().partition(|&id| events[id].thread.is_none());
        let mut lanes: Vec<Vec<EventId>> = Vec::new();
        for &id in &rest {
            let same = |lane: &&mut Vec<EventId>| events[lane[0]].thread == events[id].thread;
            match lanes.iter_mut().find(same) {
                Some(lane) => lane.push(id),
                None => lanes.push(vec![id]),
            }
        }
        match self.interleave(&lanes) {
            Some(order) => initial.into_iter().chain(order).collect(),
            None => order,
        }
    }

    /// An interleaving of threads with the fewest changes from one to another, in which nothing
    /// comes between the events of one point.
    fn interleave(&self, lanes: &[Vec<EventId>]) -> Option<Vec<EventId>> {
        let mut place: HashMap<EventId, (usize, usize)> = HashMap::new();
        for (number, lane) in lanes.iter().enumerate() {
            place.extend(lane.iter().enumerate().map(|(index, &id)| (id, (number, index))));
        }
        // What other threads must have done before an event.
        let mut needs: Vec<Vec<Vec<(usize, usize)>>> =
            lanes.iter().map(|lane| vec![Vec::new(); lane.len()]).collect();
        for (from, to) in self.kept.pairs.iter().chain(self.po.iter()) {
            if let (Some(&from), Some(&to)) = (place.get(&from), place.get(&to))
                && from.0 != to.0
            {
                needs[to.0][to.1].push(from);
            }
        }
        // How far a thread can go without a switch; nowhere, if it must wait.
        let stretch = |done: &[usize], lane: usize| {
            let start = done[lane];
            let goes_on =
                |index: usize| self.kept.together(lanes[lane][index - 1], lanes[lane][index]);
            let end = (start + 1..=lanes[lane].len())
                .find(|&end| end == lanes[lane].len() || !goes_on(end))?;
            let before = |&(other, index): &(usize, usize)| done[other] > index;
            needs[lane][start..end].iter().flatten().all(before).then_some(end)
        };
        let start = vec![0; lanes.len()];
        let goal: Vec<usize> = lanes.iter().map(Vec::len).collect();
        let mut before: HashMap<Vec<usize>, (Vec<usize>, usize)> = HashMap::new();
        let mut open = VecDeque::from([start.clone()]);
        while let Some(done) = open.pop_front() {
            if done == goal {
                break;
            }
            if before.len() > MOST_PLACES {
                return None;
            }
            for lane in 0..lanes.len() {
                let mut next = done.clone();
                while let Some(end) = stretch(&next, lane) {
                    next[lane] = end;
                }
                if next != done && next != start && !before.contains_key(&next) {
                    before.insert(next.clone(), (done.clone(), lane));
                    open.push_back(next);
                }
            }
        }
        let mut parts: Vec<&[EventId]> = Vec::new();
        let mut at = goal;
        while at != start {
            let (earlier, lane) = before.get(&at)?;
            parts.push(&lanes[*lane][earlier[*lane]..at[*lane]]);
            at = earlier.clone();
        }
        Some(parts.into_iter().rev().flatten().copied().collect())
    }
}
