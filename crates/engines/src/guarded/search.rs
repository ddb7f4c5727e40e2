//! Visits all reachable states of a model, level by level, on several threads.
//!
//! Levels make counterexamples shortest and independent of threads: a level is visited whole before
//! the least of what is wrong with it is reported.

use super::store::{Origin, StateRef, Store};
use super::symmetry::Symmetry;
use super::worker::{Event, Shared, Worker};
use super::{SearchAnswer, SearchCounts, SearchOptions, SearchVerdict, Violation, Wrong, trace};
use guarded::fault::FaultKind;
use guarded::fold::{Order, fold_functions};
use guarded::instance::Instances;
use guarded::model::{Model, PropertyKind, Scalar, ScalarId, ScalarKind};
use guarded::pack::Packing;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// States that a thread takes at a time; limits are polled in between.
const CHUNK: usize = 64;

/// Levels with fewer states are visited by one thread.
const SMALL_LEVEL: usize = 4 * CHUNK;

/// Visits all reachable states; `progress` hears of each level.
pub fn search(
    model: &Model,
    options: &SearchOptions,
    progress: &(dyn Fn(SearchCounts) + Sync),
) -> SearchAnswer {
    let order = if options.symmetry { Order::Any } else { Order::Fixed };
    let mut folded = model.clone();
    fold_functions(&mut folded, order);
    let Ok(instances) = Instances::new(&folded, order) else {
        let (verdict, counts) = (SearchVerdict::TooManyInstances, SearchCounts::default());
        return SearchAnswer { verdict, counts, symmetric: false };
    };
    search_instances(&folded, &instances, options, progress).unwrap_or_else(|| {
        // What a rule does depends on the order of members: they must not be permuted.
        search(model, &SearchOptions { symmetry: false, ..options.clone() }, progress)
    })
}

/// `None` if symmetry cannot be used after all.
fn search_instances(
    model: &Model,
    instances: &Instances,
    options: &SearchOptions,
    progress: &(dyn Fn(SearchCounts) + Sync),
) -> Option<SearchAnswer> {
    let packing = Packing::new(model);
    let symmetry = match options.symmetry {
        true => Symmetry::new(model, &symmetric(model)),
        false => None,
    };
    let threads = options.threads.max(1);
    let store = Store::new(packing.words(), if threads == 1 { 1 } else { 16 * threads });
    let covered: Vec<AtomicBool> =
        instances.claims.iter().map(|_| AtomicBool::new(false)).collect();
    let shared = Shared {
        model,
        instances,
        packing: &packing,
        symmetry: symmetry.as_ref(),
        store: &store,
        deadlock: options.deadlock,
        covered: &covered,
    };
    let search = Search { shared: &shared, options, threads, progress };
    let (verdict, counts) = search.levels()?;
    Some(SearchAnswer { verdict, counts, symmetric: symmetry.is_some() })
}

/// The scalarsets of a model that may be permuted.
fn symmetric(model: &Model) -> Vec<ScalarId> {
    let is_set = |(id, scalar): &(ScalarId, &Scalar)| {
        scalar.kind == ScalarKind::Scalarset && !model.ordered.contains_key(id)
    };
    model.types.scalars.enumerate().filter(is_set).map(|(id, _)| id).collect()
}

/// How a level ended.
enum Level {
    /// It was visited; what is wrong with it.
    Done(Option<Event>),
    Limit(limits::Exceeded),
    DependsOnOrder,
}

struct Search<'s, 'm> {
    shared: &'s Shared<'m>,
    options: &'s SearchOptions,
    threads: usize,
    progress: &'s (dyn Fn(SearchCounts) + Sync),
}

impl Search<'_, '_> {
    /// `None` if symmetry cannot be used after all.
    fn levels(&self) -> Option<(SearchVerdict, SearchCounts)> {
        let mut counts = SearchCounts::default();
        let mut first = Worker::new(self.shared);
        first.start();
        counts.states = first.added;
        if first.depends_on_order {
            return None;
        }
        if let Some(event) = first.event {
            return Some((self.violated(event, &[], 0), counts));
        }
        let (mut level, mut words) = self.shared.store.end_level(&[]);
        if level.is_empty() {
            return Some((SearchVerdict::Vacuous, counts));
        }
        loop {
            let event = match self.level(&level, &words, &mut counts) {
                Level::Done(event) => event,
                Level::Limit(exceeded) => return Some((SearchVerdict::Limit(exceeded), counts)),
                Level::DependsOnOrder => return None,
            };
            if let Some(event) = event {
                self.shared.store.end_level(&level);
                return Some((self.violated(event, &level, counts.depth), counts));
            }
            let (next, next_words) = self.shared.store.end_level(&level);
            if next.is_empty() {
                return Some((self.uncovered(), counts));
            }
            (level, words) = (next, next_words);
            counts.depth += 1;
            (self.progress)(counts);
        }
    }

    fn level(&self, level: &[StateRef], words: &[u64], counts: &mut SearchCounts) -> Level {
        let next = AtomicU64::new(0);
        let before = *counts;
        let (states, rules) = (AtomicU64::new(0), AtomicU64::new(0));
        let size = self.shared.packing.words();
        let work = || {
            let mut worker = Worker::new(self.shared);
            loop {
                let start = next.fetch_add(CHUNK as u64, Ordering::Relaxed) as usize;
                if start >= level.len() || self.options.limits.expired() {
                    break;
                }
                for position in start..(start + CHUNK).min(level.len()) {
                    let words = &words[position * size..(position + 1) * size];
                    worker.visit(position as u64, words);
                }
                let added = std::mem::take(&mut worker.added);
                let fired = std::mem::take(&mut worker.rules);
                let states = states.fetch_add(added, Ordering::Relaxed) + added;
                let rules = rules.fetch_add(fired, Ordering::Relaxed) + fired;
                if start > 0 && start.is_multiple_of(CHUNK * 64) {
                    let (states, rules) = (before.states + states, before.rules + rules);
                    (self.progress)(SearchCounts { states, rules, depth: before.depth });
                }
            }
            worker.flush();
            states.fetch_add(worker.added, Ordering::Relaxed);
            (worker.event, worker.depends_on_order)
        };
        let threads = if level.len() < SMALL_LEVEL { 1 } else { self.threads };
        let found: Vec<(Option<Event>, bool)> = if threads == 1 {
            vec![work()]
        } else {
            std::thread::scope(|scope| {
                let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                let join = |worker: std::thread::ScopedJoinHandle<'_, _>| {
                    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                };
                workers.into_iter().map(join).collect()
            })
        };
        counts.states += states.into_inner();
        counts.rules += rules.into_inner();
        if found.iter().any(|(_, depends_on_order)| *depends_on_order) {
            return Level::DependsOnOrder;
        }
        if let Some(exceeded) = self.options.limits.exceeded() {
            return Level::Limit(exceeded);
        }
        Level::Done(found.into_iter().filter_map(|(event, _)| event).min_by_key(Event::key))
    }

    /// What is wrong, with the way to it.
    fn violated(&self, event: Event, level: &[StateRef], depth: u32) -> SearchVerdict {
        let mut path = Vec::new();
        let mut state = level.get(event.origin.from() as usize).copied();
        while let Some(at) = state {
            let (words, origin): (Vec<u64>, Origin) = self.shared.store.get(at);
            // The origin of a start state refers to no state.
            let is_start = path.len() == depth as usize;
            path.push(words);
            state = (!is_start).then(|| Store::origin_state(origin));
        }
        path.reverse();
        let violation = trace::retrace(self.shared, &path, event);
        match event.wrong {
            Wrong::Fault(fault) if fault.kind == FaultKind::Endless => {
                SearchVerdict::Endless(violation)
            }
            _ => SearchVerdict::Violated(violation),
        }
    }

    fn uncovered(&self) -> SearchVerdict {
        let claims = self.shared.instances.claims.iter().zip(self.shared.covered);
        let mut covered: Vec<_> = Vec::new();
        for (claim, is_covered) in claims {
            let kind = self.shared.model.properties[claim.property].kind;
            if kind == PropertyKind::Cover {
                covered.push((claim.property, is_covered.load(Ordering::Relaxed)));
            }
        }
        let is = |property| covered.iter().any(|(other, is)| *other == property && *is);
        match covered.iter().find(|(property, _)| !is(*property)) {
            Some((property, _)) => SearchVerdict::Violated(Violation {
                wrong: Wrong::Cover(*property),
                steps: Vec::new(),
            }),
            None => SearchVerdict::Holds,
        }
    }
}
