//! How far loops are unrolled, and which executions leave these bounds.
//!
//! Three things extend a round: a bound that some execution leaves is raised, an allocation learns of
//! sizes that some execution asks for, and where a store after a loop may justify another iteration
//! of it, threads go on past their bounds (S-078). What is hard to show is not shown of a round that
//! will be followed by another.
//!
//! Soundness S-068 (check; all; misses): Primed operations are checked only in executions in which
//! no retry loop of theirs iterates twice and no function that retries calls itself. Test:
//! crates/fencepost/tests/nothing_lost.rs::a_prime_is_about_attempts_by_recursion_too,
//! crates/engines/src/bounded/unrolling/tests.rs::an_operation_that_never_ends_in_one_iteration_makes_its_test_vacuous.
//!
//! Soundness S-076 (check, verify; all; refuses): Loops and recursion that some execution leaves
//! are extended up to `--max-unroll`; past it the answer is `holds*`, which names the loop. Test:
//! crates/fencepost/tests/verify.rs::recursion_without_an_end_is_a_bound_and_a_missing_function_an_error,
//! crates/fencepost/tests/verdicts.rs::threads_that_start_threads_come_to_an_end.

use super::Unrolling;
use crate::explore::Exploration;
use crate::verdict::{Bound, Reason};
use encoding::bounded::{BoundHit, InstanceKey, in_all_iterations};
use encoding::encode::Encoding;
use encoding::known::Known;
use encoding::term::TermId;
use execution::event::ThreadId;
use execution::ids::Id;
use execution::question::Question;
use ir::step::sc::LARGEST_HEAP;
use sat::Lit;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// How many conflicts a question may take whose answer may not be needed.
pub(crate) const EASY: u64 = 1_500;

/// How many sizes of an allocation are explored, where they are not known beforehand.
const MAX_SIZES: usize = 8;
/// The largest of these, except one for which there is no memory.
const MAX_SIZE: u64 = 1 << 16;

/// How far a round unrolls.
#[derive(Clone)]
pub(crate) struct Plan {
    /// The bounds that are not the default.
    pub(super) bounds: HashMap<InstanceKey, u32>,
    /// The least bounds of loops in all iterations of those around them, where runs show what is
    /// unrolled.
    pub(super) shared: HashMap<InstanceKey, u32>,
    /// The sizes that allocations are known to ask for.
    pub(super) sizes: HashMap<InstanceKey, BTreeSet<u64>>,
    /// The threads that continue after loops whose bounds they have reached, where that is needed
    /// to know that no bound is reached.
    beyond: Option<BTreeSet<ThreadId>>,
    /// The bounds that were reached, and could not be raised, when threads went on.
    left: BTreeSet<Bound>,
    /// What runs have shown, where only that is unrolled.
    pub(super) known: Option<Arc<Known>>,
    /// The loops in which what is counted while they wait is any number; nothing if that is not to
    /// be tried.
    counts: Option<BTreeSet<InstanceKey>>,
}

/// The bounds that executions exceed.
pub(crate) struct Exceeded {
    hits: Vec<Hit>,
    /// Whether it was hard to say of some others.
    hard: bool,
}

/// A bound that some execution exceeds; of an allocation, the sizes that executions ask for.
struct Hit {
    bound: BoundHit,
    sizes: Vec<u64>,
}

/// What is learned of bounds and sizes.
#[derive(Default)]
struct Learned {
    bounds: HashMap<InstanceKey, u32>,
    shared: HashMap<InstanceKey, u32>,
    sizes: HashMap<InstanceKey, BTreeSet<u64>>,
    counts: Option<BTreeSet<InstanceKey>>,
}

impl Plan {
    /// The default bounds. Whether a write may justify another iteration of a loop before it.
    pub(super) fn new(justify: bool) -> Self {
        let beyond = justify.then(BTreeSet::new);
        let Learned { bounds, shared, sizes, counts } = Learned::default();
        Plan { bounds, shared, sizes, beyond, left: BTreeSet::new(), known: None, counts }
    }

    /// How many iterations a loop has.
    pub(super) fn bound_of(&self, key: &[u32], default: u32) -> u32 {
        let own = self.bounds.get(key).copied().unwrap_or(default);
        let shared = self.shared.get(&in_all_iterations(key)).copied();
        own.max(shared.unwrap_or_default())
    }

    /// The same, where loops may count anything while they wait.
    pub(super) fn abstracting(&self) -> Self {
        Plan { counts: Some(BTreeSet::new()), ..self.clone() }
    }

    /// The same, where all loops count what they count.
    pub(crate) fn exact(&self) -> Self {
        Plan { counts: None, ..self.clone() }
    }

    /// Whether some loop counts anything, so that only what does not happen is known.
    pub(crate) fn is_abstract(&self) -> bool {
        self.counts.as_ref().is_some_and(|loops| !loops.is_empty())
    }

    /// The loops that count anything.
    pub(super) fn any_counts(&self) -> BTreeSet<InstanceKey> {
        self.counts.clone().unwrap_or_default()
    }

    /// The same, of what runs have shown by now.
    pub(super) fn exploring(&self, known: Option<Arc<Known>>) -> Self {
        Plan { known, ..self.clone() }
    }

    pub(super) fn going_on(&self) -> BTreeSet<ThreadId> {
        self.beyond.clone().unwrap_or_default()
    }

    /// Whether bounds are all that can be asked about.
    pub(crate) fn goes_on(&self) -> bool {
        self.beyond.as_ref().is_some_and(|threads| !threads.is_empty())
    }
}

impl<'a> Unrolling<'a> {
    /// The next round, if one is needed; if not, the bounds that cannot be raised.
    pub(crate) fn next(
        &self,
        encoding: &Encoding<'_>,
        exceeded: &Exceeded,
    ) -> Result<Plan, BTreeSet<Bound>> {
        let known = self.exploration.map(Exploration::known);
        self.next_bounds(encoding, exceeded).map(|plan| Plan { known, ..plan })
    }

    fn next_bounds(
        &self,
        encoding: &Encoding<'_>,
        exceeded: &Exceeded,
    ) -> Result<Plan, BTreeSet<Bound>> {
        let left = |reached: BTreeSet<Bound>| -> BTreeSet<Bound> {
            reached.union(&self.plan().left).cloned().collect()
        };
        match self.extended(&exceeded.hits).map_err(left) {
            // What is hard to show is shown once, of threads that go on.
            Ok(Learned { bounds, shared, sizes, counts }) => {
                let beyond = match exceeded.hard {
                    true => self.to_go_on(encoding).or(self.plan().beyond.clone()),
                    false => self.plan().beyond.clone(),
                };
                Ok(Plan { bounds, shared, sizes, counts, beyond, ..self.plan().clone() })
            }
            Err(reached) if reached.is_empty() => match self.to_go_on(encoding) {
                Some(threads) => Ok(Plan { beyond: Some(threads), ..self.plan().clone() }),
                None => Err(reached),
            },
            // What is known of these bounds is known; the rest is asked of threads that stop.
            Err(left) if self.plan().goes_on() => {
                Ok(Plan { beyond: None, left, ..self.plan().clone() })
            }
            Err(reached) => Err(reached),
        }
    }

    /// The threads that must continue after loops, if more must than do.
    fn to_go_on(&self, encoding: &Encoding<'_>) -> Option<BTreeSet<ThreadId>> {
        let going = self.plan().beyond.as_ref()?;
        let all: BTreeSet<ThreadId> =
            going.union(&encoding.writes_past_bounds()).copied().collect();
        (all != *going).then_some(all)
    }

    /// The bounds with those raised that are exceeded; if none can be, these.
    fn extended(&self, exceeded: &[Hit]) -> Result<Learned, BTreeSet<Bound>> {
        let mut bounds = self.plan().bounds.clone();
        let mut shared = self.plan().shared.clone();
        let mut sizes = self.plan().sizes.clone();
        let mut counts = self.plan().counts.clone();
        let mut reached = BTreeSet::new();
        let mut raised = false;
        let default = self.options.encoding.unroll.default_bound;
        for Hit { bound: hit, sizes: asked } in exceeded {
            let (place, stores) = (hit.origin.place, hit.stores);
            if hit.unseen.is_some() {
                // A run has shown it meanwhile.
                raised = true;
                continue;
            }
            let all = self.symmetric(hit);
            let loops: BTreeSet<InstanceKey> =
                all.iter().map(|key| in_all_iterations(key)).collect();
            if hit.counting
                && let Some(counts) = &mut counts
                && !loops.is_subset(counts)
            {
                counts.extend(loops);
                raised = true;
                continue;
            }
            if let Some(iterations) = hit.last {
                reached.insert(Bound { place, iterations, fixed: true, stores });
                continue;
            }
            for key in all {
                if hit.size.is_some() {
                    let known = sizes.entry(key).or_default();
                    let before = known.len();
                    let counts = |size: u64| size <= MAX_SIZE || size > LARGEST_HEAP;
                    let modest = asked.iter().filter(|&&size| counts(size));
                    known.extend(modest.take(MAX_SIZES.saturating_sub(before)));
                    if known.len() > before {
                        raised = true;
                    } else {
                        let iterations = known.len() as u32;
                        reached.insert(Bound { place, iterations, fixed: true, stores });
                    }
                    continue;
                }
                let before = self.plan().bound_of(&key, default);
                if before >= self.options.max_unroll {
                    reached.insert(Bound { place, iterations: before, fixed: false, stores });
                    continue;
                }
                raised = true;
                let bound = self.raised(before, hit);
                if self.exploration.is_some() {
                    let all = shared.entry(in_all_iterations(&key)).or_default();
                    *all = bound.max(*all);
                }
                bounds.insert(key, bound);
            }
        }
        if raised { Ok(Learned { bounds, shared, sizes, counts }) } else { Err(reached) }
    }

    /// The next bound of a loop. Where it ends by itself, more iterations than it has cost nothing.
    fn raised(&self, before: u32, hit: &BoundHit) -> u32 {
        let factor = match self.exploration {
            _ if !hit.counted => return before + 1,
            Some(_) => 4,
            None => 2,
        };
        before.saturating_mul(factor).min(self.options.max_unroll)
    }

    /// The same loop in all symmetric threads.
    fn symmetric(&self, hit: &BoundHit) -> Vec<InstanceKey> {
        let thread = hit.moment.thread;
        let with = |other: ThreadId| {
            let mut key = hit.key.to_vec();
            key[0] = other.index() as u32;
            key.into()
        };
        std::iter::once(thread).chain(self.other_symmetric(thread)).map(with).collect()
    }

    /// Bounds that some execution exceeds, in one of each class of threads; if none of them can
    /// be raised, all. If threads must go on that do not yet, some may be missing.
    pub(crate) fn exceeded(&self, encoding: &mut Encoding<'a>) -> Result<Exceeded, Reason> {
        self.doing(Question::Bounds);
        if let Some(exploration) = self.exploration {
            exploration.table(&encoding.bounded.tabled);
            return self.exceeded_together(exploration, encoding);
        }
        let mut found: Vec<Hit> = Vec::new();
        let mut keys = HashSet::new();
        let asked = self.asked(encoding);
        let mut open = encoding.past_bound_in(&asked);
        let mut hard = false;
        // What is hard to show would have to be shown again of larger bounds, or of threads that go
        // on beyond them.
        let efforts: &[Option<u64>] = match self.to_go_on(encoding).is_some() {
            true => &[Some(EASY)],
            false => &[Some(EASY), None],
        };
        for &effort in efforts {
            for (key, beyond) in std::mem::take(&mut open) {
                if keys.contains(&key) {
                    continue;
                }
                let effort = effort.or(self.extended(&found).ok().map(|_| EASY));
                match self.is_possible_within(encoding, beyond, effort)? {
                    None => {
                        hard = true;
                        open.push((key, beyond));
                    }
                    Some(false) => self.exceeded_in_no_symmetric(encoding, &key),
                    Some(true) => {
                        let hits: Vec<BoundHit> =
                            encoding.exceeded().into_iter().cloned().collect();
                        let mut sized = None;
                        for bound in hits {
                            let counts = asked.contains(&bound.moment.thread);
                            if counts && keys.insert(bound.key.clone()) {
                                let sizes: Vec<u64> =
                                    encoding.size_asked(&bound).into_iter().collect();
                                if bound.key == key {
                                    sized = bound.size.map(|term| (found.len(), term));
                                }
                                found.push(Hit { bound, sizes });
                            }
                        }
                        if let Some((index, term)) = sized {
                            let sizes = &mut found[index].sizes;
                            self.other_sizes(encoding, (beyond, term), sizes)?;
                        }
                    }
                }
            }
            if self.extended(&found).is_ok() {
                break;
            }
        }
        let symmetric = |hit: &Hit| {
            let with = |bound| Hit { bound, sizes: hit.sizes.clone() };
            encoding.in_symmetric_threads(&hit.bound).into_iter().map(with).collect::<Vec<_>>()
        };
        let others: Vec<Hit> = found.iter().flat_map(symmetric).collect();
        found.extend(others.into_iter().filter(|hit| keys.insert(hit.bound.key.clone())));
        if found.is_empty() && open.is_empty() {
            encoding.no_bound_is_passed();
            self.settled(Question::Bounds, encoding);
        }
        Ok(Exceeded { hits: found, hard })
    }

    /// The same where runs show what is unrolled: one question for all bounds, which is asked again as
    /// long as there are others. Most are none in any execution, and that is one answer.
    fn exceeded_together(
        &self,
        exploration: &Exploration,
        encoding: &mut Encoding<'a>,
    ) -> Result<Exceeded, Reason> {
        let asked = self.asked(encoding);
        let bounded = encoding.bounded.clone();
        let mut open = encoding.past_bound_in(&asked);
        let (mut found, mut keys): (Vec<Hit>, HashSet<InstanceKey>) = Default::default();
        let mut hard = false;
        loop {
            // What a run of this round has shown need not be asked.
            for bound in bounded.bounds.iter().filter(|bound| exploration.has_shown(bound)) {
                if keys.insert(bound.key.clone()) {
                    found.push(Hit { bound: bound.clone(), sizes: Vec::new() });
                }
            }
            open.retain(|(key, _)| !keys.contains(key));
            let lits: Vec<Lit> = open.iter().map(|(_, lit)| *lit).collect();
            let any = encoding.formula.or(&lits);
            // What is hard to show would have to be shown again in the next round.
            let will_continue = self.extended(&found).is_ok() || self.to_go_on(encoding).is_some();
            match self.is_possible_within(encoding, any, Some(EASY))? {
                Some(false) => break,
                None if will_continue => {
                    hard = true;
                    break;
                }
                None => {
                    self.narrow_reads(encoding)?;
                    if !self.is_possible(encoding, any)? {
                        break;
                    }
                }
                Some(true) => {}
            }
            let hits: Vec<BoundHit> = encoding.exceeded().into_iter().cloned().collect();
            let mut entries = Vec::new();
            for bound in hits.into_iter().filter(|bound| keys.insert(bound.key.clone())) {
                let sizes = encoding.size_asked(&bound).into_iter().collect();
                entries.extend(bound.unseen.clone());
                found.push(Hit { bound, sizes });
            }
            self.run_solution(exploration, encoding);
            if let Some(unseen) = entries.first() {
                self.other_entries(exploration, encoding, (unseen, any))?;
            }
        }
        if found.is_empty() && !hard {
            encoding.no_bound_is_passed();
            self.settled(Question::Bounds, encoding);
        }
        Ok(Exceeded { hits: found, hard })
    }

    /// Adds further sizes that executions ask for, as far as these are easy to find.
    fn other_sizes(
        &self,
        encoding: &mut Encoding<'a>,
        (beyond, term): (Lit, TermId),
        sizes: &mut Vec<u64>,
    ) -> Result<(), Reason> {
        let mut assumptions = vec![beyond];
        while sizes.len() < MAX_SIZES {
            assumptions.extend(sizes.last().map(|&size| !encoding.asks_for(term, size)));
            let another = encoding.formula.and(&assumptions);
            if self.is_possible_within(encoding, another, Some(EASY))? != Some(true) {
                break;
            }
            sizes.push(encoding.value_of(term));
        }
        Ok(())
    }

    /// What was shown of a loop is known of the same loop in symmetric threads.
    fn exceeded_in_no_symmetric(&self, encoding: &mut Encoding<'a>, key: &InstanceKey) {
        let others = self.other_symmetric(ThreadId::new(key[0] as usize));
        for (other, beyond) in encoding.past_bound_in(&others) {
            if other[1..] == key[1..] {
                encoding.formula.clause(&[!beyond]);
            }
        }
    }

    /// The same, if that can be decided within a number of conflicts.
    pub(super) fn is_possible_within(
        &self,
        encoding: &mut Encoding<'a>,
        lit: Lit,
        conflicts: Option<u64>,
    ) -> Result<Option<bool>, Reason> {
        let Some(conflicts) = conflicts else { return self.is_possible(encoding, lit).map(Some) };
        let limit = encoding.formula.limits().conflicts;
        encoding.formula.set_conflict_limit(Some(limit.map_or(conflicts, |l| l.min(conflicts))));
        let possible = self.is_possible(encoding, lit);
        encoding.formula.set_conflict_limit(limit);
        match possible {
            Err(Reason::Limit(_)) if !self.options.encoding.limits.expired() => Ok(None),
            possible => possible.map(Some),
        }
    }
}
