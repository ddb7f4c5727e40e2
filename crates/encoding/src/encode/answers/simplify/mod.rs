//! Looks for an execution that is easier to follow than the one that was found: with the fewest
//! accesses that take effect out of order, and with threads that stop as soon as they can.
//!
//! An execution is told as a sequence: each read after the write that it sees, the writes to each
//! location in coherence order, each read before the writes that overwrite what it saw, and the
//! accesses of a thread in program order, except those that are *displaced*; the parts of a
//! read-modify-write or of an atomic section come together. None is displaced in a
//! sequentially consistent execution. Displaced accesses are literals, the sequence is a graph that
//! must have no cycle, and a counter says how many there are; the solver is asked for one, for two,
//! and so on. Where that would be too large, cycles are cut as they come up ([`lazily`]). All of
//! this happens within a limit of conflicts, so the result is small, not always the smallest; and
//! whatever comes out is an execution of the same formula.

mod lazily;

use crate::encode::Encoding;
use crate::encode::structure::sources::Source;
use crate::graph::Edges;
use execution::event::{EventId, EventKind, ThreadId};
use execution::ids::Id;
use sat::order::{Strategy, acyclic};
use sat::{Answer, Lit};
use std::collections::{BTreeMap, BTreeSet};

/// More displaced accesses are not counted: a reader could not follow them.
const MOST_DISPLACED: usize = 4;
/// Executions with more accesses, or with more edges between them, do not have their order in the
/// formula: the clauses would cost more than a shorter story is worth.
const MOST_ACCESSES: usize = 160;
const MOST_EDGES: usize = 20_000;

impl Encoding<'_> {
    /// After a solution in which these literals are true: looks for a simpler one in which they
    /// are, with at most this many conflicts, and has it as its solution. If there is `wrong`, what
    /// goes wrong in it is the only thing that does, where possible, and threads other than this
    /// one need not terminate.
    pub fn simplify(&mut self, assumptions: &[Lit], wrong: Option<ThreadId>, conflicts: u64) {
        let limits = self.formula.limits().clone();
        let start = self.formula.stats().conflicts;
        let mut search = Search { kept: assumptions.to_vec(), until: start + conflicts };
        if wrong.is_some() {
            let others: Vec<Lit> = self.findings.iter().map(|finding| !finding.wrong).collect();
            let others = others.into_iter().filter(|lit| !assumptions.contains(&!*lit));
            search.try_all(self, others.collect());
        }
        let told = self.told();
        let done = self.fewest_displaced(&told, &mut search);
        if wrong.is_some() {
            self.stop_early(&mut search, wrong);
        }
        if !done {
            self.fewest_lazily(&told, &mut search);
        }
        self.formula.set_limits(limits);
    }

    /// The same after a solution in which threads wait for ever: each is to come there as early as
    /// it can.
    pub fn simplify_waiting(&mut self, assumptions: &[Lit], conflicts: u64) {
        let limits = self.formula.limits().clone();
        let start = self.formula.stats().conflicts;
        let mut search = Search { kept: assumptions.to_vec(), until: start + conflicts };
        self.stop_early(&mut search, None);
        let told = self.told();
        if !self.fewest_displaced(&told, &mut search) {
            self.fewest_lazily(&told, &mut search);
        }
        self.formula.set_limits(limits);
    }

    /// The accesses that may take place, with their threads.
    fn told(&self) -> Vec<(EventId, ThreadId)> {
        let nodes = self.events.graph.nodes.enumerate();
        let accesses = nodes.filter(|(_, node)| {
            matches!(node.kind, EventKind::Read | EventKind::Write) && node.exec != Lit::FALSE
        });
        accesses.filter_map(|(id, node)| Some((id, node.thread?))).collect()
    }

    /// Looks for the fewest displaced accesses; whether the execution is small enough for that.
    fn fewest_displaced(&mut self, told: &[(EventId, ThreadId)], search: &mut Search) -> bool {
        if self.is_told_in_order(told) {
            return true;
        }
        if told.len() > MOST_ACCESSES {
            return false;
        }
        let units = self.units(told);
        let mut lits: BTreeMap<EventId, Lit> = BTreeMap::new();
        for &unit in units.values() {
            lits.entry(unit).or_insert_with(|| self.formula.fresh());
        }
        let displaced: BTreeMap<EventId, Lit> =
            units.iter().map(|(&id, unit)| (id, lits[unit])).collect();
        let Some(mut edges) = self.communication(told) else { return false };
        for (&(a, b), _) in self.events.graph.relations.get("po").into_iter().flatten() {
            if let (Some(&first), Some(&second)) = (displaced.get(&a), displaced.get(&b)) {
                let both = [self.events.graph.nodes[a].exec, self.events.graph.nodes[b].exec];
                let kept = self.formula.and(&[both[0], both[1], !first, !second]);
                edges.push((a, b, kept));
            }
        }
        if edges.len() > MOST_EDGES {
            return false;
        }
        let node = |id: EventId| units[&id].index() as u32;
        let edges = edges.iter().map(|&(a, b, lit)| (node(a), node(b), lit));
        let edges: Vec<(u32, u32, Lit)> = edges.filter(|(a, b, _)| a != b).collect();
        acyclic(&mut self.formula, self.events.graph.nodes.len(), &edges, Strategy::Chordal);
        let lits: Vec<Lit> = lits.into_values().collect();
        let at_least = self.at_least(&lits);
        let _ = at_least[1..].iter().any(|&more| search.attempt(self, &[!more]));
        true
    }

    /// For each access the first of those that take effect together with it: the parts of a
    /// read-modify-write and of an atomic section.
    fn units(&self, told: &[(EventId, ThreadId)]) -> BTreeMap<EventId, EventId> {
        let mut units: BTreeMap<EventId, EventId> = told.iter().map(|t| (t.0, t.0)).collect();
        for name in ["rmw", "same-atomic"] {
            for &(a, b) in
                self.events.graph.relations.get(name).into_iter().flatten().map(|(p, _)| p)
            {
                let (Some(&first), Some(&second)) = (units.get(&a), units.get(&b)) else {
                    continue;
                };
                let (kept, gone) = (first.min(second), first.max(second));
                units.values_mut().filter(|unit| **unit == gone).for_each(|unit| *unit = kept);
            }
        }
        units
    }

    /// Whether program order is kept by the latest solution together with what is read and written.
    fn is_told_in_order(&self, told: &[(EventId, ThreadId)]) -> bool {
        let happens = |id: EventId| self.formula.value(self.events.graph.nodes[id].exec);
        let all: BTreeSet<EventId> = told.iter().map(|t| t.0).filter(|&id| happens(id)).collect();
        let is = |edges: &Edges, pair: (EventId, EventId)| {
            edges.get(&pair).is_some_and(|&lit| self.formula.value(lit))
        };
        let mut edges: BTreeSet<(EventId, EventId)> = BTreeSet::new();
        let related = [&self.events.graph.rf, &self.co];
        for pair in related.iter().flat_map(|edges| edges.keys()) {
            if all.contains(&pair.0)
                && all.contains(&pair.1)
                && related.iter().any(|r| is(r, *pair))
            {
                edges.insert(*pair);
            }
        }
        let seen = self.events.graph.rf.keys().filter(|pair| is(&self.events.graph.rf, **pair));
        let seen: BTreeMap<EventId, EventId> = seen.map(|&(w, r)| (r, w)).collect();
        for (&read, &write) in seen.iter().filter(|(read, _)| all.contains(read)) {
            let later = all.iter().filter(|&&other| is(&self.co, (write, other)));
            edges.extend(later.map(|&other| (read, other)));
        }
        let po = self.events.graph.relations.get("po").into_iter().flatten().map(|(pair, _)| *pair);
        edges.extend(po.filter(|(a, b)| all.contains(a) && all.contains(b)));
        // What has nothing left before it is taken away, until nothing is left or all have.
        let mut left = all;
        loop {
            let free: Vec<EventId> = left
                .iter()
                .copied()
                .filter(|&b| !edges.iter().any(|&(a, to)| to == b && a != b && left.contains(&a)))
                .collect();
            if free.is_empty() {
                return left.is_empty();
            }
            free.iter().for_each(|id| {
                left.remove(id);
            });
        }
    }

    /// Reads-from, coherence and from-reads between these accesses; nothing, if they are too many.
    fn communication(
        &mut self,
        told: &[(EventId, ThreadId)],
    ) -> Option<Vec<(EventId, EventId, Lit)>> {
        let known: BTreeSet<EventId> = told.iter().map(|t| t.0).collect();
        let mut edges: Vec<(EventId, EventId, Lit)> = Vec::new();
        let mut from_reads: Edges = Edges::new();
        let rf: Vec<_> = self.events.graph.rf.iter().map(|(&pair, &lit)| (pair, lit)).collect();
        let co: Vec<_> = self.co.iter().map(|(&pair, &lit)| (pair, lit)).collect();
        let mut after: BTreeMap<EventId, Vec<(EventId, Lit)>> = BTreeMap::new();
        for ((a, b), lit) in
            co.into_iter().filter(|&((_, b), lit)| known.contains(&b) && lit != Lit::FALSE)
        {
            let both = [self.events.graph.nodes[a].exec, self.events.graph.nodes[b].exec];
            let lit = self.formula.and(&[lit, both[0], both[1]]);
            after.entry(a).or_default().push((b, lit));
            if known.contains(&a) {
                edges.push((a, b, lit));
            }
        }
        let mut clauses = 0;
        for ((write, read), lit) in rf.into_iter().filter(|(pair, _)| known.contains(&pair.1)) {
            if known.contains(&write) {
                edges.push((write, read, lit));
            }
            for &(later, overwrites) in after.get(&write).into_iter().flatten() {
                let fresh = || self.formula.fresh();
                let before = *from_reads.entry((read, later)).or_insert_with(fresh);
                self.formula.clause(&[!lit, !overwrites, before]);
                clauses += 1;
            }
            if clauses + edges.len() > MOST_EDGES {
                return None;
            }
        }
        edges.extend(from_reads.into_iter().map(|((a, b), lit)| (a, b, lit)));
        Some(edges)
    }

    /// Literals that are true if at least one, two, and so on of these are (the sequential counter
    /// of C. Sinz, CP 2005).
    fn at_least(&mut self, lits: &[Lit]) -> [Lit; MOST_DISPLACED + 1] {
        let mut counted = [Lit::FALSE; MOST_DISPLACED + 1];
        for &lit in lits {
            let before = counted;
            for (number, count) in counted.iter_mut().enumerate() {
                let one_less = if number == 0 { Lit::TRUE } else { before[number - 1] };
                let now = self.formula.fresh();
                self.formula.clause(&[!lit, !one_less, now]);
                self.formula.clause(&[!before[number], now]);
                *count = now;
            }
        }
        counted
    }

    /// Lets threads other than this one stop before accesses that are not needed for what is wrong:
    /// first those that are not needed at all.
    fn stop_early(&mut self, search: &mut Search, wrong: Option<ThreadId>) {
        let threads = self.bounded.threads.ids().filter(|&thread| Some(thread) != wrong);
        let threads: Vec<Vec<EventId>> = threads.map(|thread| self.accesses_of(thread)).collect();
        for accesses in &threads {
            let none = accesses.iter().map(|&id| !self.events.graph.nodes[id].exec);
            let none: Vec<Lit> = none.collect();
            search.attempt(self, &none);
        }
        for accesses in &threads {
            let happens = |encoding: &Self| -> Vec<EventId> {
                let exec =
                    |id: &&EventId| encoding.formula.value(encoding.events.graph.nodes[**id].exec);
                accesses.iter().filter(exec).copied().collect()
            };
            // A thread that stops before an access makes none of those after it.
            let (mut least, mut made) = (0, happens(self));
            while least < made.len() {
                let half = (least + made.len()) / 2;
                let none = !self.events.graph.nodes[made[half]].exec;
                match search.attempt(self, &[none]) {
                    true => made = happens(self),
                    false => least = half + 1,
                }
            }
        }
    }

    /// The accesses that a thread may make, in program order.
    fn accesses_of(&self, thread: ThreadId) -> Vec<EventId> {
        let actions = self.bounded.threads[thread].actions.iter();
        let events = actions.filter_map(|&id| self.events.sources.event(Source::Action(id)));
        let is_access = |id: &EventId| {
            matches!(self.events.graph.nodes[*id].kind, EventKind::Read | EventKind::Write)
        };
        events.filter(is_access).collect()
    }
}

/// What is kept of the solutions that were found, and when to stop.
struct Search {
    kept: Vec<Lit>,
    until: u64,
}

impl Search {
    /// Asks for a solution in which these are true too.
    fn ask(&mut self, encoding: &mut Encoding<'_>, more: &[Lit]) -> Answer {
        let spent = encoding.formula.stats().conflicts;
        if spent >= self.until {
            return Answer::Unknown;
        }
        encoding.formula.set_conflict_limit(Some(self.until - spent));
        let all: Vec<Lit> = self.kept.iter().chain(more).copied().collect();
        encoding.solve(&all)
    }

    /// The same; keeps them if there is one.
    fn attempt(&mut self, encoding: &mut Encoding<'_>, more: &[Lit]) -> bool {
        let found = self.ask(encoding, more) == Answer::Sat;
        if found {
            self.kept.extend(more);
        }
        found
    }

    /// The same, for as many of these as can be true together, roughly.
    fn try_all(&mut self, encoding: &mut Encoding<'_>, more: Vec<Lit>) {
        let (already, rest): (Vec<Lit>, Vec<Lit>) =
            more.into_iter().partition(|&lit| encoding.formula.value(lit));
        if !rest.is_empty() {
            let all: Vec<Lit> = already.iter().chain(&rest).copied().collect();
            if self.attempt(encoding, &all) {
                return;
            }
        }
        self.kept.extend(already);
    }
}
