//! Threads that do the same: of executions that differ only in which of them does what, one is
//! looked at.
//!
//! Two threads are symmetric if exchanging them changes nothing in the bounded program: their
//! actions, checks and paths correspond one to one, over terms that differ only in whose reads and
//! choices they are computed from; no other thread computes with their results; and their parent
//! does nothing but start threads between their starts, and nothing but await threads between their
//! ends (or do what has no effect), so that what comes before and after the one in program order
//! does so for the other. (The starts and ends are fences: whatever one of them orders, the first
//! of the starts or the last of the ends orders too.) Exchanging them in an execution then gives an
//! execution, in which the same goes wrong and the same is observed by the others. The number of a
//! thread tells it from the others, with one exception: a mutex that is only locked and unlocked
//! says the same about its holder whatever the number is.
//!
//! Of threads that are symmetric, those that reach a certain write of theirs do so in the order of
//! their numbers in coherence. Every execution becomes such a one by exchanging threads: sort
//! those that reach it. (Symmetry breaking: Crawford, Ginsberg, Luks, Roy, KR 1996.)
//!
//! An error here loses executions.
//!
//! Soundness S-086 (verify; all; misses): Of executions that differ by exchanging symmetric threads
//! one is checked (not with `--no-symmetry`); an error in what is symmetric would lose executions.
//! Test: crates/xtask/tests/ways.rs::both_ways_agree,
//! crates/fencepost/tests/symmetry.rs::what_is_found_is_the_same_with_and_without_symmetry.

mod exchange;
mod influence;

use crate::bounded::{ActionId, ActionKind, Bounded, Input};
use crate::encode::clauses::Clauses;
use crate::encode::structure::events::{Coherent, Events};
use crate::encode::structure::sources::Source;
use crate::encode::structure::threads::Lives;
use crate::term::InputId;
use exchange::Exchange;
use execution::event::{EventId, EventKind, ThreadId};
use execution::ids::Id;
use influence::Influence;
use ir::order::Fence;
use sat::Lit;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// The threads that are symmetric, two or more together.
pub(crate) fn classes(clauses: &Clauses, events: &Events) -> Vec<Vec<ThreadId>> {
    let told = Influence::new(&clauses.bounded).by_others();
    let mut classes: Vec<Vec<ThreadId>> = Vec::new();
    for thread in clauses.bounded.threads.ids() {
        let is_odd = told.contains(&thread) || may_be_detached(clauses, thread);
        if is_odd || !is_simple(&clauses.bounded, thread) {
            continue;
        }
        let same = |class: &&mut Vec<ThreadId>| {
            Exchange::new(&clauses.bounded, &events.thread_numbers, class[0], thread).is_possible()
        };
        match classes.iter_mut().find(same) {
            Some(class) => class.push(thread),
            None => classes.push(vec![thread]),
        }
    }
    classes.retain(|class| class.len() > 1 && are_together(clauses, class, events));
    classes
}

/// Whether a thread may be detached, or detaches one: it need not end like the others.
fn may_be_detached(clauses: &Clauses, thread: ThreadId) -> bool {
    let number = thread.index() as u64 + 1;
    clauses.bounded.detached.iter().any(|&(moment, handle)| {
        let values = clauses.values.elements(handle);
        moment.thread == thread
            || values.is_none_or(|values| values.iter().any(|value| value.low() == number))
    })
}

/// Whether the parent does nothing that matters between the starts, and between the ends, of
/// threads.
fn are_together(clauses: &Clauses, class: &[ThreadId], events: &Events) -> bool {
    let actions = &clauses.bounded.actions;
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for (id, action) in actions.enumerate() {
        match action.kind {
            ActionKind::Spawn(child) if class.contains(&child) => starts.push((id, child)),
            ActionKind::Join(child) if class.contains(&child) => ends.push((id, child)),
            _ => {}
        }
    }
    let together = |all: &[(ActionId, ThreadId)], only: fn(&ActionKind) -> bool| {
        let (Some(&(first, _)), Some(&(last, _))) = (all.first(), all.last()) else {
            return false;
        };
        let (parent, guard) = (actions[first].thread, actions[first].guard);
        let once: BTreeSet<ThreadId> = all.iter().map(|one| one.1).collect();
        let mut between = clauses.bounded.threads[parent].actions.iter().copied();
        all.len() == class.len()
            && once.len() == class.len()
            && all.iter().all(|(id, _)| actions[*id].guard == guard)
            && all.iter().all(|(id, _)| actions[*id].thread == parent)
            && !does_more(clauses, parent, actions[first].sequence..=actions[last].sequence)
            && between.all(|id| {
                id < first
                    || last < id
                    || only(&actions[id].kind)
                    || is_nothing(clauses, id, events)
            })
    };
    together(&starts, |kind| matches!(kind, ActionKind::Spawn(_)))
        && (ends.is_empty() || together(&ends, |kind| matches!(kind, ActionKind::Join(_))))
}

/// Whether a thread makes a check there, or reaches something else that is asked about,
/// concurrently with its actions: that it comes so far may depend on which of the others has ended.
fn does_more(clauses: &Clauses, thread: ThreadId, when: RangeInclusive<u32>) -> bool {
    let bounded = &clauses.bounded;
    let checks = bounded.checks.iter().map(|check| &check.moment);
    let assumptions = bounded.assumptions.iter().map(|assumption| &assumption.moment);
    let blocked = bounded.blocked.iter().map(|(moment, _)| moment);
    let goals = bounded.goals.iter().map(|(_, moment)| moment);
    let bounds = bounded.bounds.iter().map(|hit| &hit.moment);
    let rest = blocked.chain(&bounded.exits).chain(goals).chain(bounds);
    let mut all = checks.chain(assumptions).chain(rest);
    all.any(|moment| moment.thread == thread && when.contains(&moment.sequence))
}

/// Whether an action reads what no thread writes, or is a fence that is no
/// stronger than those at starts and ends: in no order of memory does anything lead to it but
/// what comes before it in its thread, and that is ordered anyway.
fn is_nothing(clauses: &Clauses, id: ActionId, events: &Events) -> bool {
    let kind = &clauses.bounded.actions[id].kind;
    if let ActionKind::Fence(fence) = kind {
        return !matches!(fence, Fence::Named(_));
    }
    // An access that may be wrong is a check; one that has no event is always wrong.
    let right = clauses.values.sets().places(id).is_some_and(|places| !places.may_be_wrong);
    let own = events.sources.of_access(&clauses.bounded, id);
    let is_nothing = |&event: &EventId| {
        let at_event = events.graph.loc.range((event, EventId::new(0))..);
        let mut met = at_event.take_while(|entry| entry.0.0 == event).map(|entry| entry.0.1);
        events.graph.nodes[event].kind == EventKind::Read
            && met.all(|other| {
                let node = &events.graph.nodes[other];
                node.kind == EventKind::Read || node.thread.is_none()
            })
    };
    right && !own.is_empty() && own.iter().all(is_nothing)
}

/// Lets the threads of each class reach a write of theirs in the order of their numbers.
pub(crate) fn in_order_of_numbers(
    clauses: &mut Clauses,
    classes: &[Vec<ThreadId>],
    lives: &Lives,
    coherent: Coherent<'_>,
) {
    for class in classes {
        let Some(writes) = corresponding_writes(clauses, class, coherent) else { continue };
        for (index, &(first, x)) in writes.iter().enumerate() {
            for &(second, y) in &writes[index + 1..] {
                let both = [lives.exec[x], lives.exec[y]];
                clauses.formula.implies_any(&both, &[coherent.co[&(first, second)]]);
            }
        }
    }
}

/// A write of each thread, to one place; if there is one, one on all paths.
fn corresponding_writes(
    clauses: &Clauses,
    class: &[ThreadId],
    Coherent { events, co }: Coherent<'_>,
) -> Option<Vec<(EventId, ActionId)>> {
    let threads = &clauses.bounded.threads;
    let nth = |n: usize| -> Option<Vec<(EventId, ActionId)>> {
        let of = |thread: &ThreadId| {
            let id = threads[*thread].actions[n];
            let written = matches!(clauses.bounded.actions[id].kind, ActionKind::Write { .. });
            let event = events.sources.event(Source::Action(id)).filter(|_| written)?;
            Some((event, id))
        };
        let all: Vec<_> = class.iter().map(of).collect::<Option<_>>()?;
        let meet = all.iter().enumerate().all(|(index, &(a, _))| {
            all[index + 1..].iter().all(|&(b, _)| {
                events.graph.loc.get(&(a, b)) == Some(&Lit::TRUE)
                    && co.contains_key(&(a, b))
                    && co.contains_key(&(b, a))
            })
        });
        meet.then_some(all)
    };
    let first = &threads[class[0]];
    let candidates: Vec<_> = (0..first.actions.len()).filter_map(nth).collect();
    let always =
        |all: &&Vec<(EventId, ActionId)>| clauses.bounded.actions[all[0].1].guard == first.guard;
    candidates.iter().find(always).or(candidates.first()).cloned()
}

/// Whether a thread is one that this is about: `main` starts it, and it only computes and
/// accesses memory.
fn is_simple(bounded: &Bounded, thread: ThreadId) -> bool {
    let by_main = bounded.threads[thread].parent.map(|id| bounded.actions[id].thread.index());
    let odd = |id: &ActionId| {
        matches!(
            bounded.actions[*id].kind,
            ActionKind::Spawn(_)
                | ActionKind::Join(_)
                | ActionKind::Allocate { .. }
                | ActionKind::End(_)
        )
    };
    by_main == Some(0)
        && !bounded.threads[thread].actions.iter().any(odd)
        && !bounded.allocations.iter().any(|a| a.moment.thread == thread)
        && !bounded.observations.iter().any(|o| o.moment.thread == thread)
        && !bounded.commits.iter().any(|c| c.moment.thread == thread)
        && !bounded.operations.iter().any(|o| o.thread == thread)
}

/// The thread that a value from outside reaches.
fn owner(bounded: &Bounded, input: InputId) -> Option<ThreadId> {
    bounded.inputs.get(input).map(|input| match input {
        Input::Read(action) => bounded.actions[*action].thread,
        Input::Choice { moment, .. }
        | Input::Spurious { moment, .. }
        | Input::Exclusive { moment }
        | Input::Stays { moment } => moment.thread,
    })
}

/// By thread, those that are like it.
pub(crate) fn others(classes: &[Vec<ThreadId>]) -> BTreeMap<ThreadId, Vec<ThreadId>> {
    let mut others: BTreeMap<ThreadId, Vec<ThreadId>> = BTreeMap::new();
    for class in classes {
        for &thread in class {
            let rest = class.iter().copied().filter(|&other| other != thread);
            others.entry(thread).or_default().extend(rest);
        }
    }
    others
}
