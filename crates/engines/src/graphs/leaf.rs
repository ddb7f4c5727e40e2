//! What a search has found: executions that are complete or blocked, what is wrong in them, and what
//! can be observed.

use super::ahead::{Blocked, Names, Pause};
use super::graph::{At, Graph, Next};
use super::judge::{Judge, NoAnswer};
use super::witness::{cut, stays, witness};
use crate::verdict::{Counterexample, Violation};
use crate::verification::outcomes::{Asked, Observed};
use crate::verification::{Property, Questions};
use execution::event::ThreadId;
use execution::finding::FindingKind;
use execution::ids::Id;
use execution::statistics::Graphs;
use execution::witness::{End, Witness};
use ir::program::LocId;
use ir::value::Value;
use replay::memory::world::freed;
use replay::thread::state::Word;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The properties.
    pub properties: Vec<Property>,
    /// What can be observed.
    pub outcomes: Asked,
    /// Whether all executions are to be counted, even if everything asked is known.
    pub all: bool,
    /// Whether to check that no graph is visited twice.
    pub once: bool,
}

impl Wanted {
    /// What questions ask of this engine.
    pub fn of(properties: &[Property], questions: &Questions, all: bool) -> Self {
        let (properties, outcomes) = (properties.to_vec(), questions.outcomes.clone());
        Self { properties, outcomes, all, once: false }
    }
}

/// What was found.
#[derive(Default)]
pub struct Found {
    /// What is looked for.
    pub wanted: Wanted,
    /// How many executions there are.
    pub counts: Graphs,
    /// How often the model was asked.
    pub asked: u64,
    /// What is wrong, by property.
    pub violations: BTreeMap<Property, Counterexample>,
    /// Findings past which executions may go on, at which these end: the first of each kind.
    pub cuts: Vec<(FindingKind, Option<LocId>)>,
    /// Loops that some execution leaves unfinished.
    pub bounds: BTreeSet<Option<LocId>>,
    /// Whether some assumption fails.
    pub discards: bool,
    /// Whether all threads of some execution end, or wait for each other.
    pub ends: bool,
    /// Whether some thread may wait for ever in a loop.
    pub spins: bool,
    /// What can be observed.
    pub outcomes: BTreeMap<Observed, Witness>,
    visited: HashSet<Vec<u8>>,
}

impl Found {
    /// Nothing yet.
    pub fn new(wanted: Wanted) -> Self {
        Self { wanted, ..Self::default() }
    }

    /// Whether nothing more is to be found.
    pub fn is_enough(&self) -> bool {
        let known = |property: &Property| self.violations.contains_key(property);
        !self.wanted.all
            && !self.wanted.outcomes.is_some()
            && !self.wanted.properties.is_empty()
            && self.wanted.properties.iter().all(known)
    }

    /// Adds what another part of the search has found.
    pub fn append(&mut self, other: Found) {
        self.counts.complete += other.counts.complete;
        self.counts.blocked += other.counts.blocked;
        self.asked += other.asked;
        for (property, found) in other.violations {
            self.violations.entry(property).or_insert(found);
        }
        for cut in other.cuts {
            if !self.cuts.contains(&cut) {
                self.cuts.push(cut);
            }
        }
        self.bounds.extend(other.bounds);
        self.discards |= other.discards;
        self.ends |= other.ends;
        self.spins |= other.spins;
        for (observed, witness) in other.outcomes {
            self.outcomes.entry(observed).or_insert(witness);
        }
    }

    /// A graph that the model allows and in which no thread can go on.
    pub fn leaf(
        &mut self,
        judge: &Judge<'_>,
        names: &mut Names<'_>,
        graph: &Graph,
    ) -> Result<(), NoAnswer> {
        if self.wanted.once {
            let key = graph.key();
            assert!(self.visited.insert(key), "a graph was visited twice");
        }
        self.flags(judge, names, graph)?;
        let pauses = || graph.threads().map(|(_, part)| &part.run().pause);
        if pauses().any(|pause| matches!(pause, Pause::Wrong(..))) {
            return Ok(());
        }
        for pause in pauses() {
            if let Pause::Bounded(place) = pause {
                self.bounds.insert(*place);
            }
        }
        self.discards |= pauses().any(|pause| matches!(pause, Pause::Blocked(Blocked::Discarded)));
        if pauses().all(|pause| matches!(pause, Pause::Ended(_))) {
            self.counts.complete += 1;
            self.ends = true;
            self.observe(judge, names, graph);
            self.holds_locks(judge, names, graph);
            return Ok(());
        }
        // A thread that waits for what has changed since does not wait for ever.
        if graph.threads().all(|(_, part)| stays(graph, part)) {
            self.counts.blocked += 1;
            self.stuck(judge, names, graph);
        }
        Ok(())
    }

    /// A graph that need not be visited further, because a thread waits in it that nothing can wake.
    pub fn dropped(
        &mut self,
        judge: &Judge<'_>,
        names: &mut Names<'_>,
        graph: &Graph,
    ) -> Result<(), NoAnswer> {
        let race = Property::Race;
        let is_open =
            self.wanted.properties.contains(&race) && !self.violations.contains_key(&race);
        if is_open && judge.allows(names, graph)? {
            self.flags(judge, names, graph)?;
        }
        Ok(())
    }

    fn flags(
        &mut self,
        judge: &Judge<'_>,
        names: &mut Names<'_>,
        graph: &Graph,
    ) -> Result<(), NoAnswer> {
        let race = Property::Race;
        if !self.wanted.properties.contains(&race) || self.violations.contains_key(&race) {
            return Ok(());
        }
        if let Some(flag) = judge.flags(names, graph)?.into_iter().next() {
            let witness = cut_witness(judge, names, graph);
            let found = Counterexample { violation: Violation::Flag(flag), witness: Some(witness) };
            self.violations.insert(race, found);
        }
        Ok(())
    }

    fn observe(&mut self, judge: &Judge<'_>, names: &mut Names<'_>, graph: &Graph) {
        if !self.wanted.outcomes.is_some() {
            return;
        }
        let at_the_end = self.wanted.outcomes.is_at_the_end();
        let said = |thread: u32| -> Vec<(String, i128)> {
            let seen = &graph.part(thread).run().state.seen;
            seen.iter().map(|seen| (seen.label.clone(), seen.value.as_signed())).collect()
        };
        let witness = witness(judge, names, graph);
        let ranks = witness.ranks();
        let mut observed = Observed::new();
        for (thread, _) in graph.threads() {
            let values = said(thread);
            if values.is_empty() {
                continue;
            }
            let rank = ranks.get(thread as usize).copied().flatten().unwrap_or(thread as usize);
            observed.insert(if at_the_end { 0 } else { rank }, values);
        }
        self.outcomes.entry(observed).or_insert(witness);
    }

    /// No thread can go on, and some have not ended: a deadlock, unless a thread waits in a loop.
    fn stuck(&mut self, judge: &Judge<'_>, names: &mut Names<'_>, graph: &Graph) {
        let pauses = || graph.threads().map(|(_, part)| &part.run().pause);
        let is = |blocked: Blocked| {
            pauses().any(|pause| matches!(pause, Pause::Blocked(known) if *known == blocked))
        };
        let bounded = pauses().any(|pause| matches!(pause, Pause::Bounded(_)));
        if is(Blocked::Discarded) || bounded {
            return;
        }
        self.ends = true;
        if is(Blocked::Spins) {
            self.spins = true;
            return;
        }
        self.deadlock(FindingKind::Deadlock, judge, names, graph);
    }

    fn deadlock(
        &mut self,
        kind: FindingKind,
        judge: &Judge<'_>,
        names: &mut Names<'_>,
        graph: &Graph,
    ) {
        let property = Property::Deadlock;
        if self.wanted.properties.contains(&property) && !self.violations.contains_key(&property) {
            let witness = Some(witness(judge, names, graph));
            let violation = Violation::Finding { kind, place: None };
            self.violations.insert(property, Counterexample { violation, witness });
        }
    }

    /// All threads have ended: locks that are held are never released.
    fn holds_locks(&mut self, judge: &Judge<'_>, names: &mut Names<'_>, graph: &Graph) {
        let property = Property::Deadlock;
        if !self.wanted.properties.contains(&property) || self.violations.contains_key(&property) {
            return;
        }
        let words = graph.threads().flat_map(|(_, part)| part.run().state.words.clone());
        let words: BTreeSet<Word> = words.collect();
        if words.is_empty() {
            return;
        }
        let ends = |owner: ThreadId| {
            let part = graph.parts.get(owner.index()).and_then(Option::as_ref);
            part.is_some_and(|part| {
                let state = &part.run().state;
                state.over || state.returned && owner.index() == 0
            })
        };
        let held = judge.seen(names, graph, |names, seen| {
            words.iter().any(|&(region, offset, width, says)| {
                let cell = seen.skeleton.cells.iter().map(|known| known.cell).find(|cell| {
                    let cell = &names.world.cells[cell.index()];
                    (cell.region, cell.offset, cell.bytes) == (region, offset, width.bytes())
                });
                let value = cell.and_then(|cell| seen.last(names, cell));
                let is_kept = |value: Value| !says.owner(value).is_some_and(ends);
                value.is_some_and(|value| value != freed() && !value.is_zero() && is_kept(value))
            })
        });
        if held {
            self.deadlock(FindingKind::LockHeld, judge, names, graph);
        }
    }

    /// Something is wrong with what an item, or its thread after it, does.
    pub fn goes_wrong(
        &mut self,
        judge: &Judge<'_>,
        names: &mut Names<'_>,
        graph: &Graph,
        at: At,
        (kind, place): (FindingKind, Option<LocId>),
    ) {
        if Property::cuts(&kind) && !self.cuts.iter().any(|(known, _)| *known == kind) {
            self.cuts.push((kind.clone(), place));
        }
        let Some(property) = Property::of(&kind) else { return };
        if self.violations.contains_key(&property) || !self.wanted.properties.contains(&property) {
            return;
        }
        let mut witness = cut_witness(judge, names, graph);
        let own = graph.part(at.thread);
        let stops = matches!((own.next(), &own.run().pause), (Next::Pause(_), Pause::Wrong(..)));
        if stops && own.run().state.freed_read.is_none() {
            witness.threads[at.thread as usize].end = End::Finding;
        }
        let violation = Violation::Finding { kind, place };
        self.violations.insert(property, Counterexample { violation, witness: Some(witness) });
    }
}

/// The witness of a graph in which threads that have not ended stand where they are.
fn cut_witness(judge: &Judge<'_>, names: &mut Names<'_>, graph: &Graph) -> Witness {
    let mut witness = witness(judge, names, graph);
    for (thread, part) in graph.threads() {
        let end = &mut witness.threads[thread as usize].end;
        if *end != End::Completed {
            *end = cut(part);
        }
    }
    witness
}
