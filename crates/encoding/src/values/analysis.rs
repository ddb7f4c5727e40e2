//! Value-set analysis: the values that each term may take in any execution.
//!
//! The idea (Burckhardt, Alur, Martin, "CheckFence", PLDI 2007, section on range analysis): forget
//! when things happen; a read may return what any write to a common address may write, or what is
//! there at first. Operations are computed element by element, so undefined bits and provenance are
//! exact. Sets larger than a limit become [shapes](super::shape).
//!
//! *Why it ends.* A counter in memory would grow for ever in a plain fixpoint. But in one execution
//! every read happens at most once, and its value is computed from those of other reads: through
//! the value and the address of the write that it sees and through its own address. So the value of
//! a read comes about through a chain of distinct reads, and as many rounds as there are reads
//! find all values; the round in which a value is first found is the length of its chain. We go
//! further than the paper and count per strongly connected component of that dependency:
//! reads that no chain returns to need one round. For the components, a first pass with all reads
//! in one finds out which accesses may have common addresses.
//!
//! *Which way it errs.* It may list values that no execution has: it does not look at the order of
//! accesses or at branches, except that a write whose paths cannot be taken with the values of the
//! first pass is no candidate. It leaves out values that exist only because they justify
//! themselves, by a cycle of reads-from and data or address dependencies (`r1 = x; y = r1`
//! concurrently with `r2 = y; x = r2` with 42 in all of them), as the paper does; a model that
//! orders no dependencies loses such executions here. Cycles through *control* dependencies are
//! kept: a written constant counts whatever the branch before it. So are cycles through data
//! dependencies that have no effect (`y = r1 & 0 | 42`): the constant is there before the read has
//! a value.
//!
//! Soundness S-100 (check, verify, litmus; weak; misses): The solver leaves out values that only
//! justify themselves, by a cycle of reads-from and data or address dependencies (thin air). Test:
//! crates/oracle/tests/programs/ordering.rs::a_value_may_justify_itself_only_where_dependencies_are_not_kept,
//! crates/encoding/src/values/tests/analysis.rs::a_dependency_without_effect_lets_a_value_come_round.

use super::components::components;
use super::evaluate::{self, Limits};
use super::flow::Flow;
use super::places::{self, Addresses, Initial, Places};
use super::set::Set;
use super::shape::Shape;
use super::{Sets, ValueOptions};
use crate::bounded::{Access, ActionKind, Alternatives, Bounded, Input};
use crate::guard::Guard;
use crate::term::{Term, TermId};
use execution::ids::IdVec;
use ir::program::Width;
use ir::value::{RegionId, Value};
use std::collections::{BTreeSet, HashMap};

/// The values that each term may take.
pub fn analyse(bounded: &Bounded, options: &ValueOptions) -> Sets {
    analyse_within(bounded, options, &sat::Limits::default())
}

/// The same; of no use if a limit is reached meanwhile.
pub fn analyse_within(bounded: &Bounded, options: &ValueOptions, give_up: &sat::Limits) -> Sets {
    let mut flow = Flow::new(bounded, options, give_up);
    let all: Vec<usize> = (0..flow.reads.len()).collect();
    let rounds = flow.together(bounded, &all, give_up);
    let roomy = Limits { values: options.limit * 8, pairs: options.limit * 64 };
    let first = Pass::new(bounded, &flow, roomy, give_up).run(&[(all, rounds)]);

    keep_possible(bounded, &first, &mut flow, give_up);
    let groups = components(bounded, &flow)
        .into_iter()
        .map(|group| {
            let rounds = flow.together(bounded, &group, give_up);
            (group, rounds)
        })
        .collect::<Vec<_>>();
    let limits = Limits { values: options.limit, pairs: options.limit * 16 };
    let sets = Pass::new(bounded, &flow, limits, give_up).run(&groups);
    Sets::new(bounded, sets, options.value_sets)
}

/// Drops candidates that the sets of the first pass rule out.
fn keep_possible(
    bounded: &Bounded,
    sets: &IdVec<TermId, Set>,
    flow: &mut Flow<'_>,
    give_up: &sat::Limits,
) {
    let mut possible = HashMap::new();
    let writes: Vec<Option<Places>> = flow
        .writes
        .iter()
        .map(|write| {
            let guard = bounded.actions[write.action].guard;
            may_hold(bounded, sets, &mut possible, guard)
                .then(|| Places::of(bounded, sets, write.access, true))
        })
        .collect();
    for read in &mut flow.reads {
        if give_up.expired() {
            read.candidates.clear();
        }
        let places = Places::of(bounded, sets, read.access, false);
        let in_parts = !bounded.parts.is_empty();
        read.candidates.retain(|&w| {
            writes[w].as_ref().is_some_and(|w| {
                places.may_equal(bounded, w) || in_parts && places.may_overlap(bounded, w)
            })
        });
    }
}

/// Whether a guard holds for some values of its conditions, taken one by one.
fn may_hold(
    bounded: &Bounded,
    sets: &IdVec<TermId, Set>,
    known: &mut HashMap<Guard, bool>,
    guard: Guard,
) -> bool {
    if let Some(&answer) = known.get(&guard) {
        return answer;
    }
    let Some(decision) = bounded.terms.guards.decision(guard) else { return guard == Guard::TRUE };
    let condition = &sets[decision.condition];
    let may = |wanted: bool| match condition.few() {
        Some(values) => values.iter().any(|v| (v.bits != 0) == wanted),
        None => true,
    };
    let (high, low) = (may(true), may(false));
    let answer = (high && may_hold(bounded, sets, known, decision.high))
        || (low && may_hold(bounded, sets, known, decision.low));
    known.insert(guard, answer);
    answer
}

/// One run from nothing.
pub(super) struct Pass<'a> {
    pub(super) bounded: &'a Bounded,
    pub(super) flow: &'a Flow<'a>,
    pub(super) limits: Limits,
    pub(super) sets: IdVec<TermId, Set>,
    /// The terms that each term is an operand of.
    users: IdVec<TermId, Vec<TermId>>,
    /// Terms to compute again.
    stale: BTreeSet<TermId>,
    /// The terms that are constant for all defined numbers that reads return.
    constants: IdVec<TermId, Option<Value>>,
    /// Counts rounds.
    clock: u32,
    /// The round in which each set last changed.
    changed: IdVec<TermId, u32>,
    /// The round before which each read last looked at the writes.
    seen: Vec<u32>,
    /// Where each write may go, as far as that was asked for.
    written: Vec<Written>,
    /// What cells hold at first, as far as that was asked for.
    initial: HashMap<(u64, Width), Initial>,
    /// Whether some action frees a block.
    frees: bool,
    /// The objects whose ends are actions.
    ending: BTreeSet<RegionId>,
    /// The blocks to which allocations write zeros.
    zeroed: BTreeSet<RegionId>,
    give_up: &'a sat::Limits,
}

/// Where a write may go.
#[derive(Clone)]
pub(super) struct Written {
    pub(super) places: Places,
    /// The round in which that was found; `None` if it was not asked for.
    found: Option<u32>,
}

impl Written {
    fn nowhere(access: &Access) -> Written {
        let right = Addresses::These(Vec::new());
        let places = Places { right, may_be_wrong: false, width: access.width };
        Written { places, found: None }
    }
}

/// This many terms are computed between two polls of the limits.
const LOOK: usize = 64;

impl<'a> Pass<'a> {
    fn new(
        bounded: &'a Bounded,
        flow: &'a Flow<'a>,
        limits: Limits,
        give_up: &'a sat::Limits,
    ) -> Self {
        let terms = || bounded.terms.ids();
        let mut users: IdVec<TermId, Vec<TermId>> = terms().map(|_| Vec::new()).collect();
        for id in terms() {
            for operand in super::operands(bounded, id) {
                users[operand].push(id);
            }
        }
        let sets = terms().map(|_| Set::empty()).collect();
        Pass {
            bounded,
            flow,
            limits,
            sets,
            users,
            stale: terms().collect(),
            constants: IdVec::new(),
            clock: 0,
            changed: terms().map(|_| 0).collect(),
            seen: vec![0; flow.reads.len()],
            written: flow.writes.iter().map(|write| Written::nowhere(write.access)).collect(),
            initial: HashMap::new(),
            ending: bounded.ending(),
            zeroed: bounded.zeroed(),
            frees: bounded.actions.iter().any(|a| matches!(a.kind, ActionKind::Free { .. })),
            give_up,
        }
    }

    fn run(mut self, groups: &[(Vec<usize>, usize)]) -> IdVec<TermId, Set> {
        self.find_constants();
        self.settle();
        for (group, rounds) in groups {
            for _ in 0..*rounds {
                if self.give_up.expired() {
                    return self.sets;
                }
                let stale: Vec<usize> =
                    group.iter().copied().filter(|&read| self.is_stale(read)).collect();
                let writes = self.write_places(&stale);
                let mut found = Vec::with_capacity(stale.len());
                for &read in &stale {
                    if self.give_up.expired() {
                        return self.sets;
                    }
                    found.push(self.read(read, &writes));
                }
                self.written = writes;
                self.clock += 1;
                let mut changed = false;
                for (&read, set) in stale.iter().zip(found) {
                    self.seen[read] = self.clock;
                    changed |= self.update(self.flow.reads[read].term, set);
                }
                if !changed {
                    break;
                }
                self.settle();
            }
        }
        self.sets
    }

    /// Where the candidates of these reads may write, by the sets so far. What was found before is
    /// kept where the address is one of the same few values.
    fn write_places(&mut self, reads: &[usize]) -> Vec<Written> {
        let mut all = std::mem::take(&mut self.written);
        let candidates = reads.iter().flat_map(|&read| &self.flow.reads[read].candidates);
        for &write in candidates {
            let access = self.flow.writes[write].access;
            let known = &mut all[write];
            let few = self.sets[access.address].few().is_some();
            let fresh = match known.found {
                None => false,
                Some(clock) if few => self.changed[access.address] <= clock,
                Some(clock) => clock == self.clock,
            };
            if !fresh {
                let places = Places::of(self.bounded, &self.sets, access, true);
                *known = Written { places, found: Some(self.clock) };
            }
        }
        all
    }

    /// Whether something that a read depends on has changed since it last looked.
    fn is_stale(&self, read: usize) -> bool {
        let since = self.seen[read];
        let read = &self.flow.reads[read];
        let news = |term: TermId| self.changed[term] >= since;
        news(read.access.address)
            || read.candidates.iter().any(|&write| {
                let write = &self.flow.writes[write];
                news(write.access.address) || news(write.value)
            })
    }

    /// Finds what terms are whatever the reads return.
    fn find_constants(&mut self) {
        for read in &self.flow.reads {
            self.sets[read.term] = Set::Many(Shape::any(read.access.width));
        }
        let todo = self.stale.clone();
        self.settle();
        let known = |set: &Set| set.few().filter(|values| values.len() == 1).map(|v| v[0]);
        self.constants = self.sets.iter().map(known).collect();
        self.sets.iter_mut().for_each(|set| *set = Set::empty());
        self.stale = todo;
    }

    /// Computes what depends on changed sets, operands first.
    fn settle(&mut self) {
        let mut computed = 0;
        while let Some(id) = self.stale.pop_first() {
            computed += 1;
            if computed % LOOK == 0 && self.give_up.expired() {
                return;
            }
            let set = match self.bounded.terms.term(id) {
                Term::Input(input) => match self.bounded.inputs.get(*input) {
                    Some(Input::Choice { from, .. }) => self.choice(id, from),
                    Some(
                        Input::Spurious { .. } | Input::Exclusive { .. } | Input::Stays { .. },
                    ) => Set::Many(Shape::any(Width::BOOL)).settled(),
                    Some(Input::Read(_)) | None => continue,
                },
                term => evaluate::term(term, |operand| &self.sets[operand], self.limits),
            };
            let set = match self.constants.get(id).copied().flatten() {
                Some(constant) if set.is_empty() => Set::one(constant),
                _ => set,
            };
            self.update(id, set);
        }
    }

    /// Whether that was news.
    fn update(&mut self, id: TermId, set: Set) -> bool {
        let changed = self.sets[id] != set;
        if changed {
            self.sets[id] = set;
            self.changed[id] = self.clock;
            self.stale.extend(&self.users[id]);
        }
        changed
    }

    fn choice(&self, id: TermId, from: &Alternatives) -> Set {
        let width = self.bounded.terms.width(id);
        match from {
            Alternatives::Terms(terms) => terms
                .iter()
                .fold(Set::empty(), |set, &t| set.union(&self.sets[t], self.limits.values)),
            Alternatives::Any => Set::Many(Shape::any(width)).settled(),
            Alternatives::Range(low, high) => {
                let count = high.checked_sub(*low).map_or(u128::MAX, |n| n.max(-1) as u128);
                match high < low {
                    true => Set::empty(),
                    false if count < self.limits.values as u128 => {
                        let all = (*low..=*high).map(|n| Value::signed(width, n)).collect();
                        Set::of(all, self.limits.values)
                    }
                    false => Set::Many(Shape::any(width)).settled(),
                }
            }
        }
    }

    /// What a read may return, given what is known of the writes so far.
    fn read(&mut self, read: usize, writes: &[Written]) -> Set {
        if !self.bounded.parts.is_empty() {
            return self.read_in_parts(read, writes);
        }
        let read = &self.flow.reads[read];
        let places = self.places(read.access, false);
        let mut values: Vec<Value> = Vec::new();
        let mut result = Set::empty();
        let mut add = |set: &Set| match set {
            Set::Few(few) => values.extend(few.iter()),
            Set::Many(_) => result = result.union(set, self.limits.values),
        };
        let mut added = BTreeSet::new();
        for &write in &read.candidates {
            let value = self.flow.writes[write].value;
            if !added.contains(&value) && places.may_equal(self.bounded, &writes[write].places) {
                added.insert(value);
                add(&self.sets[value]);
            }
        }
        match &places.right {
            Addresses::These(list) => {
                for &address in list {
                    let cell = (address, read.access.width);
                    let initial = self.initial.entry(cell);
                    match initial.or_insert_with(|| places::initial(self.bounded, cell.0, cell.1)) {
                        Initial::Term(term) => add(&self.sets[*term]),
                        Initial::Value(value) => add(&Set::one(*value)),
                        Initial::Mixed(shape) => add(&Set::Many(shape.clone())),
                    }
                    // What is read from an object that is gone is nothing defined.
                    if self.may_be_gone(address) {
                        add(&Set::one(Value::undef(read.access.width)));
                    }
                    if self.may_be_zeroed(address) {
                        add(&Set::one(Value::int(read.access.width, 0)));
                    }
                }
            }
            Addresses::Within(regions) if !regions.is_empty() => {
                add(&Set::Many(places::anything(self.bounded, read.access.width)));
            }
            Addresses::Within(_) => {}
        }
        let few = Set::of(values, self.limits.values);
        let set = few.union(&result, self.limits.values);
        // Sets only grow, whatever the limits turned into shapes.
        set.union(&self.sets[read.term], self.limits.values)
    }

    /// Whether an object may have ended while threads run.
    pub(super) fn may_be_gone(&self, address: u64) -> bool {
        let ends = || {
            let region = self.bounded.region_at(address);
            region.is_some_and(|region| self.ending.contains(&region))
        };
        self.frees && places::is_heap(self.bounded, address) || !self.ending.is_empty() && ends()
    }

    /// Whether an allocation may write zeros there while threads run.
    pub(super) fn may_be_zeroed(&self, address: u64) -> bool {
        let zeroed = |region| self.zeroed.contains(&region);
        !self.zeroed.is_empty() && self.bounded.region_at(address).is_some_and(zeroed)
    }

    pub(super) fn places(&self, access: &Access, writes: bool) -> Places {
        Places::of(self.bounded, &self.sets, access, writes)
    }
}
