//! The fewest accesses out of order in executions that are too large to have their whole order in
//! the formula: what is wrong with the order of a solution is added when it is seen.
//!
//! The edges of the sequence (see the parent module) need no variables: each follows from literals
//! that are true in the solution. A cycle of them is cut by a clause that says so: one of these
//! literals is false, or one of the accesses that the cycle leaves in program order is displaced.
//! Then a solution is asked for in which none is displaced, then one, and so on. Whenever the limit
//! is reached, the best solution so far is as good as can be had for the price.

use super::{MOST_DISPLACED, Search};
use crate::encode::Encoding;
use execution::event::{EventId, ThreadId};
use sat::{Answer, Lit};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// So often a solution is asked for.
const SOLUTIONS: usize = 64;
/// This many cycles of one solution are cut.
const CUTS: usize = 24;

/// Accesses that take effect together, named by the first of them.
type Units = BTreeMap<EventId, EventId>;

/// An edge of the sequence, with literals that are true in the solution and from which it follows.
#[derive(Clone)]
struct Edge {
    from: EventId,
    to: EventId,
    why: Vec<Lit>,
    /// Whether it is there only if neither end is displaced.
    po: bool,
}

impl Encoding<'_> {
    /// After a solution: looks for one with fewer accesses out of order.
    pub(super) fn fewest_lazily(&mut self, told: &[(EventId, ThreadId)], search: &mut Search) {
        let units = self.units(told);
        let mut displaced: BTreeMap<EventId, Lit> = BTreeMap::new();
        let Some(mut fewest) = greedy(&self.sequence(&units)).map(|all| all.len()) else { return };
        if fewest == 0 {
            return;
        }
        let mut best = self.decisions(&units);
        let mut most = 0;
        for _ in 0..SOLUTIONS {
            if most >= fewest || most > MOST_DISPLACED {
                break;
            }
            let lits: Vec<Lit> = displaced.values().copied().collect();
            let few = match most {
                0 => lits.iter().map(|&lit| !lit).collect(),
                _ => vec![!self.at_least(&lits)[most]],
            };
            match search.ask(self, &few) {
                Answer::Unsat => most += 1,
                Answer::Unknown => break,
                Answer::Sat => {
                    let is_displaced = |unit: &EventId| {
                        displaced.get(unit).is_some_and(|&lit| self.formula.value(lit))
                    };
                    let edges = self.sequence(&units);
                    let cycles = cycles(&edges, &is_displaced);
                    let count = match cycles.is_empty() {
                        true => most,
                        false => greedy(&edges).map_or(usize::MAX, |all| all.len()),
                    };
                    if count < fewest {
                        (fewest, best) = (count, self.decisions(&units));
                    }
                    for cycle in cycles {
                        self.cut(&cycle, &mut displaced);
                    }
                }
            }
        }
        search.until = u64::MAX;
        search.attempt(self, &best);
    }

    /// The edges of the sequence in the latest solution.
    fn sequence(&self, units: &Units) -> Vec<Edge> {
        let value = |lit: Lit| self.formula.value(lit);
        let exec = |id: EventId| self.events.graph.nodes[id].exec;
        let mut edges = Vec::new();
        let mut add = |a: EventId, b: EventId, why: Vec<Lit>, po: bool| {
            if let (Some(&from), Some(&to)) = (units.get(&a), units.get(&b))
                && from != to
            {
                edges.push(Edge { from, to, why, po });
            }
        };
        let mut after: BTreeMap<EventId, Vec<(EventId, Lit)>> = BTreeMap::new();
        for (&(a, b), &lit) in &self.co {
            if value(lit) && value(exec(a)) && value(exec(b)) {
                after.entry(a).or_default().push((b, lit));
                add(a, b, vec![lit, exec(a), exec(b)], false);
            }
        }
        for (&(write, read), &lit) in self.events.graph.rf.iter().filter(|(_, lit)| value(**lit)) {
            add(write, read, vec![lit], false);
            for &(later, overwrites) in after.get(&write).into_iter().flatten() {
                add(read, later, vec![lit, overwrites, exec(write), exec(later)], false);
            }
        }
        for (&(a, b), &lit) in self.events.graph.relations.get("po").into_iter().flatten() {
            if value(lit) && value(exec(a)) && value(exec(b)) {
                add(a, b, vec![lit, exec(a), exec(b)], true);
            }
        }
        edges
    }

    /// What the latest solution decides about accesses: which take place, and what they see.
    fn decisions(&self, units: &Units) -> Vec<Lit> {
        let value = |lit: Lit| if self.formula.value(lit) { lit } else { !lit };
        let exec = units.keys().map(|&id| value(self.events.graph.nodes[id].exec));
        let related = self.events.graph.rf.values().chain(self.co.values());
        let all = exec.chain(related.map(|&lit| value(lit)));
        all.filter(|&lit| lit != Lit::TRUE).collect()
    }

    /// Says that a cycle is none: it does not arise, or an access on it is displaced.
    fn cut(&mut self, cycle: &[Edge], displaced: &mut BTreeMap<EventId, Lit>) {
        let mut clause: BTreeSet<Lit> = BTreeSet::new();
        for edge in cycle {
            clause.extend(edge.why.iter().filter(|&&lit| lit != Lit::TRUE).map(|&lit| !lit));
            for unit in [edge.from, edge.to].into_iter().filter(|_| edge.po) {
                clause.insert(*displaced.entry(unit).or_insert_with(|| self.formula.fresh()));
            }
        }
        let clause: Vec<Lit> = clause.into_iter().collect();
        self.formula.clause(&clause);
    }
}

/// Accesses that can be displaced so that nothing is left on a cycle, chosen one after the other;
/// none if there is a cycle without program order.
fn greedy(edges: &[Edge]) -> Option<BTreeSet<EventId>> {
    let mut chosen: BTreeSet<EventId> = BTreeSet::new();
    loop {
        let left = cycles(edges, &|unit| chosen.contains(unit));
        if left.is_empty() {
            return Some(chosen);
        }
        // Who is on most cycles goes.
        let mut count: BTreeMap<EventId, usize> = BTreeMap::new();
        for cycle in &left {
            let ends = cycle.iter().filter(|edge| edge.po).flat_map(|edge| [edge.from, edge.to]);
            ends.collect::<BTreeSet<_>>()
                .into_iter()
                .for_each(|u| *count.entry(u).or_default() += 1);
        }
        let most = count.into_iter().max_by_key(|&(unit, count)| (count, std::cmp::Reverse(unit)));
        chosen.insert(most?.0);
    }
}

/// For some edges that are not of program order, a shortest cycle through each.
fn cycles(edges: &[Edge], displaced: &dyn Fn(&EventId) -> bool) -> Vec<Vec<Edge>> {
    let mut next: BTreeMap<EventId, Vec<&Edge>> = BTreeMap::new();
    for edge in edges {
        if !edge.po || !displaced(&edge.from) && !displaced(&edge.to) {
            next.entry(edge.from).or_default().push(edge);
        }
    }
    let mut found: Vec<Vec<Edge>> = Vec::new();
    let mut known: BTreeSet<Vec<EventId>> = BTreeSet::new();
    for edge in edges.iter().filter(|edge| !edge.po) {
        if found.len() >= CUTS {
            break;
        }
        if let Some(way) = way(&next, edge.to, edge.from) {
            let cycle: Vec<Edge> = std::iter::once(edge).chain(way).cloned().collect();
            let mut units: Vec<EventId> = cycle.iter().map(|edge| edge.from).collect();
            units.sort_unstable();
            if known.insert(units) {
                found.push(cycle);
            }
        }
    }
    found
}

/// A shortest way from one access to another.
fn way<'e>(
    next: &BTreeMap<EventId, Vec<&'e Edge>>,
    from: EventId,
    to: EventId,
) -> Option<Vec<&'e Edge>> {
    let mut through: BTreeMap<EventId, &'e Edge> = BTreeMap::new();
    let mut open = VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        if at == to {
            let mut way = Vec::new();
            let mut at = to;
            while at != from {
                let edge = through[&at];
                way.push(edge);
                at = edge.from;
            }
            way.reverse();
            return Some(way);
        }
        for edge in next.get(&at).into_iter().flatten() {
            if edge.to != from && !through.contains_key(&edge.to) {
                through.insert(edge.to, edge);
                open.push_back(edge.to);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::ids::Id;

    fn edge(from: usize, to: usize, po: bool) -> Edge {
        Edge { from: EventId::new(from), to: EventId::new(to), why: Vec::new(), po }
    }

    #[test]
    fn one_access_out_of_order_is_enough_for_a_message_that_comes_too_early() {
        // Two stores, two loads; the second store is seen, the first is not.
        let edges = [edge(0, 1, true), edge(2, 3, true), edge(1, 2, false), edge(3, 0, false)];
        assert_eq!(greedy(&edges).map(|all| all.len()), Some(1));
        assert_eq!(cycles(&edges, &|_| false).len(), 1);
        assert!(cycles(&edges, &|unit| *unit == EventId::new(2)).is_empty());
    }

    #[test]
    fn what_is_in_order_needs_nobody_to_leave_it() {
        let edges = [edge(0, 1, true), edge(1, 2, false), edge(2, 3, true)];
        assert_eq!(greedy(&edges), Some(BTreeSet::new()));
    }

    #[test]
    fn a_cycle_without_program_order_is_left_alone() {
        assert_eq!(greedy(&[edge(0, 1, false), edge(1, 0, false)]), None);
    }
}
