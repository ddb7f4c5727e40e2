//! The weakest change found that makes a model forbid an execution, in the words of its source.
//!
//! A change is a fence after an access, or an access that becomes a release or an acquire. Each is
//! tried on the execution itself: its events get what the change would give them, and the model is
//! asked again. Changes of the dialect are tried from weak to strong, one alone and then two of
//! different threads; the model decides, so nothing here knows what a fence orders. Only this
//! execution is known to be forbidden then; whether the program is right is for another run.

use super::blame::with_fence;
use crate::counterexample::{Advice, Change};
use execution::event::{EventId, EventKind, Execution};
use execution::ids::Id;
use execution::relation::{EventSet, Relation};
use models::{Architecture, Model, check_execution};
use replay::order::{program_order, relation};

/// How often the model is asked at most.
const MOST_QUESTIONS: usize = 500;
/// The same, times the pairs of events of the execution: a question about a long one takes long.
const MOST_PAIRS: usize = 4_000_000;

/// What the source uses for ordering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// Atomics and fences of C11.
    C11,
    /// The words of the Linux kernel.
    Linux,
    /// Fences of a machine, in inline assembly.
    Machine,
    /// The load-store language: `fp_fence("store-store")`.
    #[default]
    Directed,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// A fence after an access.
    Fence,
    /// A store becomes a release: it is in these sets.
    Release,
    /// A load becomes an acquire: it is in these sets.
    Acquire,
    /// A store becomes a release, which is compiled to a fence before it.
    FenceBefore,
    /// A load becomes an acquire, which is compiled to a fence after it.
    FenceAfter,
}

struct Offer {
    how: How,
    sets: &'static [&'static str],
    words: &'static str,
}

const fn offer(how: How, sets: &'static [&'static str], words: &'static str) -> Offer {
    Offer { how, sets, words }
}

const RELEASE: &str = "a release store (`memory_order_release`)";
const ACQUIRE: &str = "an acquire load (`memory_order_acquire`)";
const RELEASE_FENCE: &str = "`atomic_thread_fence(memory_order_release)`";
const ACQUIRE_FENCE: &str = "`atomic_thread_fence(memory_order_acquire)`";
const ACQ_REL_FENCE: &str = "`atomic_thread_fence(memory_order_acq_rel)`";
const SEQ_CST_FENCE: &str = "`atomic_thread_fence(memory_order_seq_cst)`";
const SMP_RELEASE: &str = "`smp_store_release`";
const SMP_ACQUIRE: &str = "`smp_load_acquire`";

/// What a dialect offers where it is compiled for an architecture, weak first.
fn offers(architecture: Architecture, dialect: Dialect) -> Vec<Offer> {
    use How::{Acquire, Fence, FenceAfter, FenceBefore, Release};
    type Sets = &'static [&'static str];
    const ALL: Sets = &["LoadLoad", "LoadStore", "StoreLoad", "StoreStore"];
    const NOT_SL: Sets = &["LoadLoad", "LoadStore", "StoreStore"];
    const REL: Sets = &["LoadStore", "StoreStore"];
    const ACQ: Sets = &["LoadLoad", "LoadStore"];
    // The sets of: release and acquire accesses, their fences, both fences, the full one; and those
    // of the fences of stores and of loads alone.
    let (release, acquire, fences, single): (_, _, [Sets; 4], [Sets; 2]) = match architecture {
        Architecture::CheckFence => (
            offer(FenceBefore, REL, ""),
            offer(FenceAfter, ACQ, ""),
            [REL, ACQ, NOT_SL, ALL],
            [&["StoreStore"], &["LoadLoad"]],
        ),
        Architecture::X86 => {
            return vec![offer(
                Fence,
                &["MFENCE"],
                match dialect {
                    Dialect::C11 => SEQ_CST_FENCE,
                    Dialect::Linux => "`smp_mb()`",
                    Dialect::Machine => "`mfence`",
                    Dialect::Directed => "`fp_fence(\"store-load\")`",
                },
            )];
        }
        Architecture::Power => (
            offer(FenceBefore, &["LWSYNC"], ""),
            offer(FenceAfter, &["LWSYNC"], ""),
            [&["LWSYNC"], &["LWSYNC"], &["LWSYNC"], &["SYNC"]],
            [&["LWSYNC"], &["LWSYNC"]],
        ),
        Architecture::Armv7 => (
            offer(FenceBefore, &["DMB"], ""),
            offer(FenceAfter, &["DMB"], ""),
            [&["DMB"], &["DMB"], &["DMB"], &["DMB"]],
            [&["DMB.ISHST"], &["DMB"]],
        ),
        Architecture::Arm => (
            offer(Release, &["L"], ""),
            offer(Acquire, &["A"], ""),
            [&["DMB.ISH"], &["DMB.ISHLD"], &["DMB.ISH"], &["DMB.ISH"]],
            [&["DMB.ISHST"], &["DMB.ISHLD"]],
        ),
        Architecture::RiscV => (
            offer(FenceBefore, &["Fence.rw.w"], ""),
            offer(FenceAfter, &["Fence.r.rw"], ""),
            [&["Fence.rw.w"], &["Fence.r.rw"], &["Fence.tso"], &["Fence.rw.rw"]],
            [&["Fence.w.w"], &["Fence.r.r"]],
        ),
        Architecture::C11 => (
            offer(Release, &["REL"], ""),
            offer(Acquire, &["ACQ"], ""),
            [&["REL"], &["ACQ"], &["ACQ_REL"], &["SC"]],
            [&["REL"], &["ACQ"]],
        ),
        Architecture::Linux => (
            offer(Release, &["Release"], ""),
            offer(Acquire, &["Acquire"], ""),
            [&["Mb"], &["Mb"], &["Mb"], &["Mb"]],
            [&["Wmb"], &["Rmb"]],
        ),
        Architecture::None => return Vec::new(),
    };
    let named = |offer: Offer, words: &'static str| Offer { words, ..offer };
    let dialect = match architecture {
        Architecture::C11 => Dialect::C11,
        Architecture::Linux => Dialect::Linux,
        _ => dialect,
    };
    match dialect {
        Dialect::C11 => vec![
            named(release, RELEASE),
            // An acquire on Power is a branch and an isync, which is no fence after the load.
            named(acquire, if architecture == Architecture::Power { "" } else { ACQUIRE }),
            offer(Fence, fences[0], RELEASE_FENCE),
            offer(Fence, fences[1], ACQUIRE_FENCE),
            offer(Fence, fences[2], ACQ_REL_FENCE),
            offer(Fence, fences[3], SEQ_CST_FENCE),
        ],
        Dialect::Linux => vec![
            offer(Fence, single[0], "`smp_wmb()`"),
            offer(Fence, single[1], "`smp_rmb()`"),
            named(release, SMP_RELEASE),
            named(acquire, SMP_ACQUIRE),
            offer(Fence, fences[3], "`smp_mb()`"),
        ],
        Dialect::Machine | Dialect::Directed if architecture == Architecture::CheckFence => vec![
            offer(Fence, &["StoreStore"], "`fp_fence(\"store-store\")`"),
            offer(Fence, &["LoadLoad"], "`fp_fence(\"load-load\")`"),
            offer(Fence, &["LoadStore"], "`fp_fence(\"load-store\")`"),
            offer(Fence, &["StoreLoad"], "`fp_fence(\"store-load\")`"),
            offer(Fence, ALL, "`fp_fence(\"full\")`"),
        ],
        Dialect::Directed => vec![
            offer(Fence, single[0], "`fp_fence(\"store-store\")`"),
            offer(Fence, single[1], "`fp_fence(\"load-load\")`"),
            offer(Fence, fences[3], "`fp_fence(\"full\")`"),
        ],
        Dialect::Machine => {
            let words = match architecture {
                Architecture::Arm => ["`dmb ishst`", "`dmb ishld`", "`dmb ish`"],
                Architecture::Armv7 => ["`dmb ishst`", "`dmb`", "`dmb`"],
                Architecture::RiscV => ["`fence w,w`", "`fence r,r`", "`fence rw,rw`"],
                _ => ["`lwsync`", "`lwsync`", "`sync`"],
            };
            let mut all = vec![
                offer(Fence, single[0], words[0]),
                offer(Fence, single[1], words[1]),
                offer(Fence, fences[3], words[2]),
            ];
            if architecture == Architecture::Arm {
                all.insert(2, named(release, "a store-release (`stlr`, `stlxr`)"));
                all.insert(3, named(acquire, "a load-acquire (`ldar`, `ldaxr`)"));
            }
            all
        }
    }
}

/// Where changes may be made, and what the reader sees of it.
pub struct Where<'a> {
    /// The events that are shown, in order.
    pub shown: &'a [EventId],
    /// The pairs that are to blame.
    pub pairs: &'a [(EventId, EventId)],
    /// What the source uses for ordering.
    pub dialect: Dialect,
}

/// The weakest change found, as the steps (positions in what is shown) and what becomes of them.
pub fn advice(model: &Model, execution: &Execution, at: &Where<'_>) -> Option<Advice> {
    let mut search = Search {
        model,
        execution,
        at,
        left: MOST_QUESTIONS.min(MOST_PAIRS / execution.events.len().pow(2).max(1)),
        offers: offers(model.architecture(), at.dialect),
        rf: relation(execution, "rf"),
        po: relation(execution, "po"),
        seen: replay::order::communication(execution),
    };
    search.offers.retain(|offer| !offer.words.is_empty());
    let single = search.single();
    single.or_else(|| search.double())
}

struct Search<'a> {
    model: &'a Model,
    execution: &'a Execution,
    at: &'a Where<'a>,
    left: usize,
    offers: Vec<Offer>,
    rf: Relation,
    po: Relation,
    seen: Relation,
}

impl Search<'_> {
    fn single(&mut self) -> Option<Advice> {
        for number in 0..self.offers.len() {
            for event in self.places(number, false) {
                let changed = self.with(self.execution, number, event);
                if self.forbids(&changed)? {
                    return Some(Advice { changes: vec![self.change(number, event)] });
                }
            }
        }
        None
    }

    /// Two changes, of different threads, where the threads communicate.
    fn double(&mut self) -> Option<Advice> {
        let count = self.offers.len();
        let mut kinds: Vec<(usize, usize)> =
            (0..count).flat_map(|a| (a..count).map(move |b| (a, b))).collect();
        kinds.sort_by_key(|&(a, b)| (a + b, a));
        let thread = |id: EventId| self.execution.events[id].thread;
        // One of the two is at a blamed pair, if there is one; after its first access, a fence is
        // between the two.
        let blamed = |number: usize, id: EventId| {
            let is_fence = self.offers[number].how == How::Fence;
            let own =
                |&(first, second): &(EventId, EventId)| id == first || !is_fence && id == second;
            self.at.pairs.is_empty() || self.at.pairs.iter().any(own)
        };
        let mut tried = Vec::new();
        for (a, b) in kinds {
            let (first, second) = (self.places(a, true), self.places(b, true));
            let pairs: Vec<(EventId, EventId)> = first
                .iter()
                .flat_map(|&x| second.iter().map(move |&y| (x, y)))
                .filter(|&(x, y)| thread(x) != thread(y) && (blamed(a, x) || blamed(b, y)))
                .collect();
            tried.extend(pairs.into_iter().map(|(x, y)| (a, x, b, y)));
        }
        for (a, x, b, y) in tried {
            let changed = self.with(&self.with(self.execution, a, x), b, y);
            if self.forbids(&changed)? {
                return Some(Advice { changes: vec![self.change(a, x), self.change(b, y)] });
            }
        }
        None
    }

    fn change(&self, number: usize, event: EventId) -> Change {
        let step = self.at.shown.iter().position(|&id| id == event).unwrap_or(0);
        let Offer { how, words, .. } = self.offers[number];
        Change { step, after: how == How::Fence, words: words.to_string() }
    }

    /// Whether the model forbids an execution; nothing, if it was asked too often.
    fn forbids(&mut self, changed: &Execution) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        Some(check_execution(self.model, changed).is_ok_and(|judged| !judged.allowed()))
    }

    /// The shown events that a change may be made to, those of the blamed pairs first; of two
    /// changes, only those where a thread communicates.
    fn places(&self, number: usize, communicates: bool) -> Vec<EventId> {
        let events = &self.execution.events;
        let kind = match self.offers[number].how {
            How::Release | How::FenceBefore => Some(EventKind::Write),
            How::Acquire | How::FenceAfter => Some(EventKind::Read),
            How::Fence => None,
        };
        let plain = self.execution.sets.get("PLAIN");
        let thread = |id: EventId| events[id].thread;
        let outside = |id: EventId| {
            let others = events.ids().filter(|&other| thread(other) != thread(id));
            let mut others = others.filter(|&other| thread(other).is_some());
            match kind {
                Some(EventKind::Write) => others.any(|other| self.rf.contains(id, other)),
                Some(_) => others.any(|other| self.rf.contains(other, id)),
                None => others.any(|o| self.seen.contains(id, o) || self.seen.contains(o, id)),
            }
        };
        let is_place = |id: &EventId| {
            let event = &events[*id];
            let access = matches!(event.kind, EventKind::Read | EventKind::Write);
            let is_plain = plain.is_some_and(|plain| plain.contains(*id));
            let fits = kind.map_or(access, |kind| event.kind == kind && !is_plain);
            fits && (!communicates || outside(*id)) && (kind.is_some() || self.can_end(*id))
        };
        let mut places: Vec<EventId> =
            self.at.shown.iter().copied().filter(|id| is_place(id)).collect();
        places.sort_by_key(|&id| {
            let pairs = self.at.pairs;
            // After the first of a pair, a fence is between the two.
            let blamed = pairs.iter().position(|&(first, second)| match kind {
                Some(_) => id == first || id == second,
                None => id == first,
            });
            (blamed.unwrap_or(pairs.len()), id)
        });
        places
    }

    /// Whether a fence can stand after an event: not inside an update or a section.
    fn can_end(&self, id: EventId) -> bool {
        ["rmw", "same-atomic"].iter().all(|name| {
            let inside = self.execution.relations.get(*name);
            inside.is_none_or(|inside| {
                inside.successors(id).all(|other| !self.po.contains(id, other))
            })
        })
    }

    /// An execution with a change.
    fn with(&self, execution: &Execution, number: usize, event: EventId) -> Execution {
        let Offer { how, sets, .. } = &self.offers[number];
        let po = relation(execution, "po");
        let rank = program_order(execution);
        match how {
            How::Fence | How::FenceAfter => with_fence(execution, &po, event, sets),
            How::FenceBefore => {
                let thread = execution.events[event].thread;
                let own = |id: &EventId| {
                    let event_of = &execution.events[*id];
                    event_of.thread == thread && po.contains(*id, event)
                };
                let own = execution.events.ids().filter(own);
                match own.max_by_key(|id| (rank[id.index()], *id)) {
                    Some(before) => with_fence(execution, &po, before, sets),
                    None => execution.clone(),
                }
            }
            How::Release | How::Acquire => {
                let mut changed = execution.clone();
                let size = execution.events.len();
                for weak in ["RLX", "Once"] {
                    if let Some(set) = changed.sets.get_mut(weak) {
                        let mut own = EventSet::empty(size);
                        own.insert(event);
                        *set = set.difference(&own);
                    }
                }
                for name in *sets {
                    let empty = || EventSet::empty(size);
                    changed.sets.entry((*name).into()).or_insert_with(empty).insert(event);
                }
                changed
            }
        }
    }
}
