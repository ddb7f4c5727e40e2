//! All states that a program can reach, each visited once.
//!
//! Soundness S-130 (verify; sc, tso; refuses): States give up, and the solver answers within
//! bounds, at 3 million states or 128 threads, a choice among more than 256 distinct values,
//! exclusives, an access outside an object that has ended, two joins of one thread, and a shared
//! local declared in a loop; with store buffers also at multi-word compare-and-swaps, sections that
//! only write, and buffers of more than 1,024 stores. Test:
//! crates/fencepost/tests/verify.rs::states_that_grow_without_an_end_are_left_to_the_solver,
//! crates/fencepost/tests/state_space/main.rs::two_threads_that_wait_for_the_same_thread_are_refused,
//! crates/fencepost/tests/state_space/main.rs::what_is_found_before_there_are_too_many_states_stays.

mod first;
pub mod growth;
pub mod ids;
pub mod walks;
mod witnesses;

use crate::explicit::Wanted;
use crate::explicit::counterexamples::rerun::{flush, initial};
use crate::explicit::machine::layout::{Layout, Map};
use crate::explicit::machine::state::{Local, Numbered, Quick, Shared, Threads, first_threads};
use crate::explicit::machine::step::{After, StepOutcome, Unsupported, steps};
use crate::explicit::machine::weak::view::Cell;
use crate::explicit::properties::leaks::{holds_a_lock, loses_a_block};
use crate::explicit::reductions::symmetry::Orders;
use crate::explicit::search::growth::Growth;
use crate::explicit::search::ids::StateId;
use crate::explicit::search::walks::walk;
use crate::verdict::{Counterexample, Violation};
use crate::verification::Property;
use crate::verification::coverage::Coverage;
use crate::verification::outcomes::{Asked, Observed};
use encoding::bounded::Goal;
use execution::event::ThreadId;
use execution::finding::FindingKind;
use execution::ids::{Id, IdVec};
use execution::witness::Witness;
use hashbrown::HashTable;
use ir::program::LocId;
use ir::value::Value;
use sat::Limits;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;
use std::rc::Rc;
use std::sync::Arc;

/// Why a search came to no end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stopped {
    /// Time or memory is used up, or somebody interrupted.
    Limit,
    /// There are more states than were allowed.
    Many,
    /// The program does what is not supported here.
    Unsupported(Unsupported),
    /// More is known about sharing than at the beginning.
    Learnt,
}

impl From<Unsupported> for Stopped {
    fn from(unsupported: Unsupported) -> Self {
        Stopped::Unsupported(unsupported)
    }
}

/// What was found.
#[derive(Default)]
pub(crate) struct Found {
    pub violations: BTreeMap<Property, Counterexample>,
    pub coverage: Coverage,
    pub outcomes: BTreeMap<Observed, Witness>,
    /// Whether some execution comes to its end, or waits there.
    pub ends: bool,
    /// Whether an assumption fails in some execution.
    pub discards: bool,
    /// Whether a thread may go on for ever and only read while others go on writing, or go on
    /// writing while others wait for ever, and it is not known whether that is fair.
    pub busy: bool,
    /// Whether memory may go on changing for ever.
    pub oscillates: bool,
    /// Whether threads may wait for ever while others go on writing, but no execution that ends
    /// shows it.
    pub starved: bool,
    /// The first finding of each property past which no execution goes on, wanted or not.
    pub cuts: Vec<(FindingKind, Option<LocId>)>,
    /// Whether the machine may have done what the model does not allow.
    pub generous: bool,
    /// Whether some access to memory with atomic accesses is not atomic, on a machine with views.
    pub races: bool,
    /// Whether all threads terminate in every execution, as far as a machine with views can tell.
    pub terminates: bool,
    /// Whether the search was given up because choices of single threads make for many states.
    pub chosen: bool,
}

impl Found {
    /// Notes what goes wrong, of what was asked or not.
    pub(crate) fn ends_at(&mut self, kind: &FindingKind, place: Option<LocId>) {
        let known = self.cuts.iter().any(|(other, _)| Property::of(other) == Property::of(kind));
        if Property::cuts(kind) && !known {
            self.cuts.push((kind.clone(), place));
        }
    }
}

/// How a state was come to: from which, by which thread, and which of its steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub from: StateId,
    /// The thread, in as few bytes as it needs: there is a way for each state.
    thread: u16,
    pub step: u16,
    /// Into which order the threads were brought afterwards.
    pub order: u32,
}

impl Way {
    pub(crate) fn new(from: StateId, thread: ThreadId, step: u16) -> Self {
        Self { from, thread: thread.index() as u16, step, order: Orders::SAME }
    }

    /// The thread that makes the step.
    pub(crate) fn thread(&self) -> ThreadId {
        ThreadId::new(self.thread.into())
    }
}

/// Where a state has the number of a thread: after that of memory.
pub(crate) fn at(thread: ThreadId) -> usize {
    1 + thread.index()
}

/// The threads of a state, with the numbers of what they are about to do.
pub(crate) fn threads(list: &[u32]) -> impl Iterator<Item = (ThreadId, u32)> + '_ {
    list[1..].iter().enumerate().map(|(thread, &local)| (ThreadId::new(thread), local))
}

/// The step of a buffer, whose oldest store takes place.
pub(crate) const FLUSH: u16 = u16::MAX;
/// After so many states, the limits are polled again.
pub(crate) const POLL_INTERVAL: u32 = 16;
/// So many states are visited before they are polled first.
const FIRST: u32 = 256;
/// When everything is found, so many states more are visited, to see who touches what.
pub(crate) const MORE: usize = 1000;
/// From so many states on, and whenever there are twice as many, some ways are followed to the end.
const FAR: usize = 20_000;
/// How many, and how far at most.
const DIVES: u64 = 16;
const DEEPEST: usize = 20_000;
/// If so many states were visited and every so many of them is one from which a single thread goes on
/// by a choice, it is choices that make them many.
const CHOSEN: usize = 50_000;
const CHOICES: usize = 4;

/// A step, in numbers.
pub(crate) enum Numbers {
    Next {
        local: u32,
        shared: u32,
        spawned: Vec<u32>,
        goals: Vec<Goal>,
        quiet: bool,
        early: Option<Option<Cell>>,
        /// Whether all that is read is the latest.
        latest: bool,
    },
    Wrong {
        kind: FindingKind,
        place: Option<LocId>,
        goals: Vec<Goal>,
        latest: bool,
    },
}

pub(crate) struct Search<'a> {
    pub layout: &'a Layout<'a>,
    pub wanted: &'a Wanted,
    /// The thread that nobody notices and that still does not run at once.
    free: Option<ThreadId>,
    /// Whether that thread makes no steps here, because it is looked at apart from the others.
    still: bool,
    /// Whether no thread runs at once.
    walks: bool,
    /// Whether fair executions are looked for that never end.
    pub fair: bool,
    /// Which threads may go wrong in which states, if so.
    pub wrong: BTreeSet<(StateId, u16)>,
    /// The goals that there are.
    goals: BTreeSet<Goal>,
    pub locals: Numbered<Local>,
    pub shareds: Numbered<Shared>,
    /// Memory first, then the threads, for one state after the other.
    lists: Vec<u32>,
    starts: Vec<usize>,
    table: HashTable<StateId>,
    ways: IdVec<StateId, Way>,
    growth: Growth,
    /// How many states were visited in which a single thread can go on, in several ways.
    choices: usize,
    /// The orders of like threads.
    pub orders: Orders,
    known: Map<(u32, u32), Rc<[Numbers]>>,
    flushed: Map<(u32, ThreadId), u32>,
    /// What was found in this search, and where.
    pub violations: BTreeMap<Property, (Violation, Way)>,
    /// The threads that are in a deadlock, if others go on; a bit for each.
    pub blocked: Option<Threads>,
    reached: Vec<(BTreeSet<Goal>, Way)>,
    pub covered: BTreeSet<Goal>,
    outcomes: BTreeMap<Observed, StateId>,
    /// What whoever ended the program has observed.
    last_words: BTreeMap<Observed, Way>,
    /// All steps, and which states nobody has to leave, if somebody asks who waits for ever; of
    /// the steps, also which they are, if one thread makes none.
    pub edges: Vec<(StateId, StateId)>,
    pub labels: Vec<Way>,
    /// The steps that read only what is the latest, on a machine with views.
    pub up_to_date: Vec<(StateId, StateId)>,
    pub ends: Vec<bool>,
    /// What was found in this search and in those before it.
    pub found: &'a mut Found,
}

impl<'a> Search<'a> {
    /// Frees the states in the background: that takes a second for some millions, in which a caller
    /// that is out of time does not wait for what was found.
    pub(crate) fn discard(self) {
        let states = (self.locals, self.shareds);
        std::thread::spawn(move || drop(states));
    }

    pub(crate) fn new(
        layout: &'a Layout<'a>,
        wanted: &'a Wanted,
        (free, still): (Option<ThreadId>, bool),
        found: &'a mut Found,
    ) -> Self {
        let goals = crate::verification::coverage::goals(layout.program());
        layout.sharing.borrow_mut().single = free;
        Self {
            layout,
            wanted,
            free,
            still,
            walks: false,
            fair: false,
            wrong: BTreeSet::new(),
            goals: goals.into_iter().map(|(goal, _)| goal).collect(),
            locals: Numbered::new(),
            shareds: Numbered::new(),
            lists: Vec::new(),
            starts: vec![0],
            table: HashTable::new(),
            ways: IdVec::new(),
            growth: Growth::default(),
            choices: 0,
            orders: Orders::new(),
            known: Map::default(),
            flushed: Map::default(),
            violations: BTreeMap::new(),
            blocked: None,
            reached: Vec::new(),
            covered: found.coverage.reached.keys().copied().collect(),
            outcomes: BTreeMap::new(),
            last_words: BTreeMap::new(),
            edges: Vec::new(),
            labels: Vec::new(),
            up_to_date: Vec::new(),
            ends: Vec::new(),
            found,
        }
    }

    /// A search in which every thread makes its steps one by one.
    pub(crate) fn for_walks(
        layout: &'a Layout<'a>,
        wanted: &'a Wanted,
        found: &'a mut Found,
    ) -> Self {
        Self { walks: true, ..Self::new(layout, wanted, (None, false), found) }
    }

    /// A search for fair executions that never end.
    pub(crate) fn fairly(layout: &'a Layout<'a>, wanted: &'a Wanted, found: &'a mut Found) -> Self {
        Self { fair: true, ..Self::for_walks(layout, wanted, found) }
    }

    /// How many states there are so far.
    pub(crate) fn states(&self) -> usize {
        self.ways.len()
    }

    /// Visits all states. Those that come first are visited first, so that what is wrong is shown
    /// by a short execution; if only branches are to be covered, those that came last, because the
    /// ends of loops are far away.
    pub(crate) fn run(&mut self, limits: &Limits, most: usize) -> Result<(), Stopped> {
        self.begin();
        let deep =
            self.wanted.properties.is_empty() && !self.wanted.outcomes.is_some() && !self.still;
        let mut open = vec![StateId::FIRST];
        let mut next = StateId::FIRST;
        let mut looked = 0;
        let mut more = MORE;
        let mut far = FAR;
        while self.still || !self.is_done() || more > 0 {
            more -= usize::from(self.is_done());
            let state = match deep {
                true => open.pop(),
                false => (next < self.ways.next_id()).then_some(next),
            };
            let Some(state) = state else { break };
            next = Id::new(next.index() + 1);
            let before = self.ways.len();
            self.ends.resize(self.ways.len(), false);
            self.visit(state)?;
            if deep {
                open.extend((before..self.ways.len()).map(StateId::new));
            }
            if !deep && !self.still && !self.fair && self.ways.len() > far {
                far = 2 * self.ways.len();
                self.dive(next, limits, most)?;
                if !self.wanted.outcomes.is_some() && self.walk_again(limits)? {
                    return Ok(());
                }
            }
            if self.layout.sharing.borrow().learnt {
                return Err(Stopped::Learnt);
            }
            looked += 1;
            if looked % POLL_INTERVAL == 0 && looked >= FIRST && limits.expired() {
                return Err(Stopped::Limit);
            }
            if self.ways.len() > most || self.wanted.briefly && self.growth.is_endless() {
                return Err(Stopped::Many);
            }
            let chosen = next.index() >= CHOSEN && self.choices >= next.index() / CHOICES;
            if self.wanted.few_choices && chosen {
                self.found.chosen = true;
                return Err(Stopped::Many);
            }
        }
        if self.fair {
            self.find_livelock()?;
        } else if self.layout.machine.has_views() {
            self.found.terminates = self.asks_who_waits() && self.always_terminates();
        } else if !self.still {
            self.wait()?;
        }
        self.tell()
    }

    /// Walks through the program once more; gives whether everything is found now.
    fn walk_again(&mut self, limits: &Limits) -> Result<bool, Stopped> {
        self.tell()?;
        let done = self.is_done();
        let all = !done && walk(self.layout, self.wanted, self.found, limits, self.ways.len())?;
        self.layout.sharing.borrow_mut().single = self.free;
        Ok(all)
    }

    /// Adds the first state.
    pub(crate) fn begin(&mut self) {
        let (local, shared) = initial(self.layout);
        let list = [self.shareds.number(shared), self.locals.number(local)];
        self.number(&list, Way::new(StateId::FIRST, ThreadId::MAIN, 0));
    }

    /// Follows some ways from states that were not visited yet, of which `next` is the first, as far
    /// as they are new: what is wrong at the end of a program with many states is found before they
    /// all are.
    fn dive(&mut self, next: StateId, limits: &Limits, most: usize) -> Result<(), Stopped> {
        // The generator of D. Knuth's MMIX; its upper bits are the better ones.
        let mut random = next.index() as u64;
        let mut any_from = |first: StateId, end: usize| -> StateId {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let left = end.saturating_sub(first.index()).max(1);
            Id::new(first.index() + (random >> 33) as usize % left)
        };
        for _ in 0..DIVES {
            let mut state = any_from(next, self.ways.len());
            for depth in 0..DEEPEST {
                if depth % POLL_INTERVAL as usize == 0 && limits.expired() {
                    return Err(Stopped::Limit);
                }
                let before = self.ways.len();
                self.ends.resize(before, false);
                self.visit(state)?;
                if self.ways.len() > most {
                    return Ok(());
                }
                if self.ways.len() == before || self.layout.sharing.borrow().learnt {
                    break;
                }
                state = any_from(Id::new(before), self.ways.len());
            }
        }
        Ok(())
    }

    /// Whether to look for threads that wait for ever while others run.
    pub(crate) fn asks_who_waits(&self) -> bool {
        let asked = |property| self.wanted.properties.contains(&property);
        asked(Property::Liveness) || asked(Property::Deadlock)
    }

    /// Whether a property is asked and not yet known to be violated.
    pub(crate) fn is_open(&self, property: Property) -> bool {
        self.wanted.properties.contains(&property) && !self.is_violated(&property)
    }

    /// Whether there is nothing more to be found.
    pub(crate) fn is_done(&self) -> bool {
        self.wanted.properties.iter().all(|property| self.is_violated(property))
            && !self.wanted.outcomes.is_some()
            && (!self.wanted.coverage || self.covered.len() == self.goals.len())
    }

    pub(crate) fn is_violated(&self, property: &Property) -> bool {
        self.violations.contains_key(property) || self.found.violations.contains_key(property)
    }

    pub(crate) fn list(&self, state: StateId) -> &[u32] {
        let state = state.index();
        &self.lists[self.starts[state]..self.starts[state + 1]]
    }

    /// How a state was come to first.
    pub(crate) fn way(&self, state: StateId) -> Way {
        self.ways[state]
    }

    /// Adds a state, if it is new; gives its number.
    fn add(&mut self, list: &[u32], way: Way) -> StateId {
        let after = self.orders.representative(list, &mut self.locals, &mut self.shareds);
        let (list, order) = match &after {
            Some((list, order)) => (list.as_slice(), *order),
            None => (list, Orders::SAME),
        };
        let way = Way { order, ..way };
        let to = self.number(list, way);
        if self.asks_who_waits() || self.still {
            self.edges.push((way.from, to));
        }
        if self.still || self.fair {
            self.labels.push(way);
        }
        to
    }

    /// The number of a state, which may be new.
    pub(crate) fn number(&mut self, list: &[u32], way: Way) -> StateId {
        let hash = |list: &[u32]| Quick::default().hash_one(list);
        let same = |&other: &StateId| self.list(other) == list;
        if let Some(&known) = self.table.find(hash(list), same) {
            return known;
        }
        let state = self.ways.push(way);
        self.lists.extend_from_slice(list);
        self.starts.push(self.lists.len());
        self.growth.state(list.len() - 1);
        let (lists, starts) = (&self.lists, &self.starts);
        self.table.insert_unique(hash(list), state, |&other| {
            let other = other.index();
            hash(&lists[starts[other]..starts[other + 1]])
        });
        state
    }

    /// Follows all steps from a state.
    fn visit(&mut self, state: StateId) -> Result<(), Stopped> {
        let list = self.list(state).to_vec();
        let (shared, locals) = (list[0], &list[1..]);
        let mut stuck = true;
        // How many threads can go on, and in how many ways.
        let (mut going, mut ways) = (0, 0);
        let mut first = None;
        // Of symmetric threads, the one that has come farthest tends to be the last: it goes on, or
        // they would take turns, in all orders.
        let mut all: Vec<(ThreadId, u32)> = threads(&list).collect();
        if self.layout.machine.has_views() {
            all.reverse();
        }
        for (thread, local) in all {
            if first.is_none() && self.comes_first(thread, local, shared)? {
                first = Some(thread);
            }
        }
        for (thread, local) in threads(&list) {
            if first.is_some_and(|first| first != thread) || self.is_still(thread) {
                continue;
            }
            let steps = self.steps(thread, local, shared)?;
            going += usize::from(!steps.is_empty());
            ways += steps.len();
            for (step, numbers) in steps.iter().enumerate() {
                stuck = false;
                self.ends[state.index()] |= matches!(numbers, Numbers::Wrong { latest: true, .. });
                let way = Way::new(state, thread, step as u16);
                self.follow(&list, way, numbers);
            }
        }
        self.choices += usize::from(going == 1 && ways > 1);
        for thread in first_threads(locals.len()) {
            let flushed = if first.is_none() { self.flush(shared, thread) } else { None };
            let Some(flushed) = flushed else { continue };
            stuck = false;
            let way = Way::new(state, thread, FLUSH);
            match flushed {
                Ok(after) => {
                    let mut list = list.clone();
                    list[0] = after;
                    self.add(&list, way);
                }
                Err(kind) => {
                    self.ends[state.index()] = true;
                    self.find(kind, None, way);
                }
            }
        }
        // No thread has to go on after `exit`, or after a failed assumption. Where `main` has
        // returned, the execution may be over, too.
        let discarded = locals.iter().any(|&local| self.locals.get(local).discarded);
        let memory = self.shareds.get(shared);
        let views = self.layout.machine.has_views();
        let over = !views || locals.iter().all(|&local| self.locals.get(local).thread.is_none());
        self.ends[state.index()] |= stuck && over || memory.is_over_by_design() || discarded;
        self.found.ends |= memory.is_over() && !discarded;
        if stuck && first.is_none() && !self.still {
            self.end(state, &list);
        }
        Ok(())
    }

    /// The steps that a thread can make.
    pub(crate) fn steps(
        &mut self,
        thread: ThreadId,
        local: u32,
        shared: u32,
    ) -> Result<Rc<[Numbers]>, Stopped> {
        if let Some(known) = self.known.get(&(local, shared)) {
            return Ok(known.clone());
        }
        let (own, memory) = (self.locals.get(local).clone(), self.shareds.get(shared).clone());
        let outcomes = steps(self.layout, &own, &memory, self.is_at_once(thread), None)?;
        let (coverage, before) = (self.wanted.coverage, shared);
        let numbers = outcomes.into_iter().map(
            |StepOutcome { after, mut goals, quiet, early, latest, .. }| {
                if !coverage {
                    goals = Vec::new();
                }
                match after {
                    After::Next { local, shared, spawned } => Numbers::Next {
                        local: self.keep(*local),
                        shared: match Arc::ptr_eq(&shared, &memory) {
                            true => before,
                            false => self.keep_memory(shared),
                        },
                        spawned: spawned.into_iter().map(|local| self.keep(local)).collect(),
                        goals,
                        quiet,
                        early,
                        latest,
                    },
                    After::Wrong { kind, place } => Numbers::Wrong { kind, place, goals, latest },
                }
            },
        );
        let numbers: Rc<[Numbers]> = numbers.collect();
        self.known.insert((local, shared), numbers.clone());
        Ok(numbers)
    }

    /// The number of a state of a thread, which may be new.
    fn keep(&mut self, local: Local) -> u32 {
        let (bytes, before) = (local.bytes(), self.locals.len());
        let number = self.locals.number(local);
        if self.locals.len() > before {
            self.growth.thread(bytes);
        }
        number
    }

    /// The same for memory.
    fn keep_memory(&mut self, shared: Arc<Shared>) -> u32 {
        let (objects, pending) = (shared.objects(), shared.pending());
        let before = self.shareds.len();
        let number = self.shareds.number_of(shared);
        if self.shareds.len() > before {
            self.growth.memory(objects, pending);
        }
        number
    }

    /// Whether a thread makes no steps here.
    fn is_still(&self, thread: ThreadId) -> bool {
        self.still && Some(thread) == self.free
    }

    pub(crate) fn is_at_once(&self, thread: ThreadId) -> bool {
        thread != ThreadId::MAIN
            && !self.walks
            && !self.wanted.outcomes.is_some()
            && Some(thread) != self.free
            && !self.layout.sharing.borrow().is_noticed(thread)
    }

    /// Notes what a step comes to.
    pub(crate) fn cover(&mut self, way: Way, numbers: &Numbers) {
        let (Numbers::Next { goals, .. } | Numbers::Wrong { goals, .. }) = numbers;
        let new = |goal: &&Goal| !self.covered.contains(goal);
        let new: BTreeSet<Goal> = goals.iter().filter(new).copied().collect();
        if !new.is_empty() {
            self.covered.extend(&new);
            self.reached.push((new, way));
        }
    }

    fn follow(&mut self, list: &[u32], way: Way, numbers: &Numbers) {
        // What a thread that runs at once comes to is found when it is looked at by itself, and
        // shown by a shorter execution.
        let later = self.is_at_once(way.thread());
        if !later {
            self.cover(way, numbers);
        }
        match numbers {
            Numbers::Next { local, shared, spawned, latest, .. } => {
                if self.wanted.outcomes.is_at_the_end() {
                    self.listen(*local, way);
                }
                let mut list = list.to_vec();
                list[0] = *shared;
                list[at(way.thread())] = *local;
                list.extend(spawned);
                let to = self.add(&list, way);
                if *latest && self.layout.machine.has_views() && self.asks_who_waits() {
                    self.up_to_date.push((way.from, to));
                }
            }
            Numbers::Wrong { .. } if later => {}
            Numbers::Wrong { kind, place, .. } => self.find(kind.clone(), *place, way),
        }
    }

    /// A thread has come to a state; if it has ended the program there, it has observed something.
    fn listen(&mut self, local: u32, way: Way) {
        let local = self.locals.get(local);
        if local.thread.is_none() && !local.discarded && !local.observed.is_empty() {
            let observed = Observed::from([(0, signed(&local.observed))]);
            self.last_words.entry(observed).or_insert(way);
        }
    }

    /// Something is wrong with a step.
    pub(crate) fn find(&mut self, kind: FindingKind, place: Option<LocId>, way: Way) {
        if self.fair {
            self.wrong.insert((way.from, agent(&way)));
        }
        self.found.ends_at(&kind, place);
        let Some(property) = Property::of(&kind) else { return };
        if self.wanted.properties.contains(&property) && !self.is_violated(&property) {
            self.violations.insert(property, (Violation::Finding { kind, place }, way));
        }
    }

    /// The memory after the oldest store of a buffer has taken place, or what is wrong with that;
    /// nothing if there is no such store.
    pub(crate) fn flush(
        &mut self,
        shared: u32,
        thread: ThreadId,
    ) -> Option<Result<u32, FindingKind>> {
        let memory = self.shareds.get(shared);
        if memory.buffers[thread].is_empty() {
            return None;
        }
        if let Some(&after) = self.flushed.get(&(shared, thread)) {
            return Some(Ok(after));
        }
        let mut after = (**memory).clone();
        if let Err(kind) = flush(self.layout, &mut after, thread) {
            return Some(Err(kind));
        }
        let after = self.shareds.number(after);
        self.flushed.insert((shared, thread), after);
        Some(Ok(after))
    }

    /// A state from which there are no steps.
    pub(crate) fn end(&mut self, state: StateId, list: &[u32]) {
        let locals: Vec<_> = list[1..].iter().map(|&local| self.locals.get(local)).collect();
        if locals.iter().any(|local| local.discarded) {
            self.found.discards = true;
            return;
        }
        self.found.ends = true;
        let shared = self.shareds.get(list[0]);
        let complete = locals.iter().all(|local| local.thread.is_none());
        if self.wanted.outcomes == Asked::All && complete {
            let mut observed = Observed::new();
            for local in locals.iter().filter(|local| !local.observed.is_empty()) {
                let rank = locals.iter().filter(|other| other.path < local.path).count();
                observed.insert(rank, signed(&local.observed));
            }
            self.outcomes.entry(observed).or_insert(state);
        }
        let way = Way::new(state, ThreadId::MAIN, 0);
        let leak = Property::Leak;
        if complete
            && self.wanted.properties.contains(&leak)
            && !self.is_violated(&leak)
            && loses_a_block(self.layout, shared)
        {
            let violation = Violation::Finding { kind: FindingKind::Leak, place: None };
            self.violations.insert(leak, (violation, way));
        }
        let deadlock = Property::Deadlock;
        if self.wanted.properties.contains(&deadlock) && !self.is_violated(&deadlock) {
            let kind = match complete {
                false if !shared.is_over_by_design() => FindingKind::Deadlock,
                true if holds_a_lock(self.layout, shared) => FindingKind::LockHeld,
                _ => return,
            };
            let violation = Violation::Finding { kind, place: None };
            self.violations.insert(deadlock, (violation, way));
        }
    }
}

/// The agent that makes a step: a thread, or its buffer.
pub(crate) fn agent(way: &Way) -> u16 {
    2 * way.thread + u16::from(way.step == FLUSH)
}

fn signed(observed: &[(String, Value)]) -> Vec<(String, i128)> {
    observed.iter().map(|(label, value)| (label.clone(), value.as_signed())).collect()
}
