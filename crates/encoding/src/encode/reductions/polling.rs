//! Loops that poll memory under a mutex until another thread has changed it.
//!
//! An iteration that takes mutexes, reads, gives them back and has changed nothing else is one that
//! does nothing, like one that only reads ([`unroll`](crate::unroll)): the execution without it is
//! an execution, too. Let the model keep each location coherent and read-modify-writes in one
//! piece. By what [`mutexes`](super::mutexes) proves of such words, the iteration's taking t
//! directly follows in coherence the write p that it sees, and its giving g directly follows t; p
//! has the same value as g. So without t and g a thread that saw g can see p. What was ordered
//! because it saw p instead of g was so before: p is before t's read because that sees it, that is
//! before g because taking acquires and giving releases, and g is before every read of it.
//! Everything else is taken away. One such iteration of each loop is kept, whichever matters, and
//! the thread continues after it: what it did there may be part of a race, or show too late, when
//! others have seen what follows the loop.
//!
//! A thread that sees t itself must do so without a difference: one that compares the word with the
//! own number can see p instead, one that goes wrong because of it does so because of the iteration
//! that is kept, and who waits until the word is 0 does not see it. A `trylock` of another thread
//! that fails does make one.
//!
//! An error here loses executions.
//!
//! Soundness S-082 (check, verify; languages; misses): Of the iterations that poll under mutexes
//! and change nothing, one per loop is kept: a race between an atomic read in a dropped iteration
//! and a plain write that needs what its thread does after the loop is missed. Test:
//! crates/fencepost/tests/mutexes.rs::a_round_that_polls_counts_where_somebody_can_tell,
//! corpus/verify/races/polls_and_looks_aside.c.
//!
//! Soundness S-083 (check, verify; all; refuses): Iterations that poll where another thread tries
//! the lock (`trylock`, `spin_is_locked`), that acquire rwlocks or semaphores, or that wait with
//! `pthread_cond_timedwait` are followed within bounds only. Test:
//! corpus/verify/liveness/polls_and_is_tried.c,
//! crates/fencepost/tests/mutexes.rs::a_loop_that_polls_needs_no_bound.

use super::mutexes;
use super::probes;
use crate::bounded::{Action, ActionId, ActionKind, Bounded};
use crate::values::Sets;
use crate::values::places::Addresses;
use execution::event::ThreadId;
use ir::locks::LockView;
use ir::program::Program;
use ir::value::Value;
use models::Model;
use std::collections::{BTreeMap, BTreeSet};

/// Whether iterations may be dropped in which mutexes are taken and given back
/// ([`Bounded::polled`]).
pub(crate) fn is_unseen(
    bounded: &mut Bounded,
    program: &Program,
    sets: &Sets,
    model: &Model,
) -> bool {
    let mut pollers: BTreeMap<u64, BTreeSet<ThreadId>> = BTreeMap::new();
    for &id in &bounded.polled {
        let Some(words) = addresses(sets, id) else { return false };
        for &word in words {
            pollers.entry(word).or_default().insert(bounded.actions[id].thread);
        }
    }
    if pollers.is_empty() {
        return true;
    }
    // Other accesses may be to parts of the words.
    if !bounded.parts.is_empty() {
        return false;
    }
    probes::is_coherent(model) && are_mutexes(bounded, program, sets, &pollers)
}

fn addresses(sets: &Sets, id: ActionId) -> Option<&[u64]> {
    match &sets.places(id)?.right {
        Addresses::These(list) => Some(list),
        Addresses::Within(_) => None,
    }
}

/// Whether these words are accessed as those of mutexes only, and no thread sees who else holds
/// them.
fn are_mutexes(
    bounded: &mut Bounded,
    program: &Program,
    sets: &Sets,
    pollers: &BTreeMap<u64, BTreeSet<ThreadId>>,
) -> bool {
    let mut holders: BTreeMap<ThreadId, Value> = BTreeMap::new();
    for id in bounded.actions.ids().collect::<Vec<_>>() {
        // What a block holds at first that an allocation writes to is undefined; but one that was
        // freed may have held a mutex.
        if let ActionKind::Allocate { block, .. } = bounded.actions[id].kind
            && bounded.terms.constant(block).is_none()
        {
            return false;
        }
        let Some(places) = sets.places(id) else { continue };
        let Some(list) = addresses(sets, id) else { return false };
        let words: Vec<u64> = list.iter().copied().filter(|at| pollers.contains_key(at)).collect();
        if words.is_empty() {
            continue;
        }
        let free = |&word: &u64| {
            let initial = bounded.initial_value(word, places.width);
            let initial = initial.and_then(|term| bounded.terms.constant(term));
            initial.is_some_and(|value| value == Value::int(places.width, 0))
        };
        if !words.iter().all(free) || !mutexes::is_access(&bounded.actions[id]) {
            return false;
        }
        let action = &bounded.actions[id];
        let thread = action.thread;
        let right = match &action.kind {
            ActionKind::Read { .. } => {
                let others = |word: &u64| pollers[word].iter().any(|&poller| poller != thread);
                is_blind(action, program) || !words.iter().any(others)
            }
            ActionKind::Write { value, rmw: Some(_), .. } => {
                let value = bounded.terms.constant(*value);
                let value = value.filter(|value| value.is_defined() && !value.is_zero());
                value.is_some_and(|value| *holders.entry(thread).or_insert(value) == value)
            }
            ActionKind::Write { value, .. } => {
                bounded
                    .terms
                    .constant(*value)
                    .is_some_and(|value| value == Value::int(places.width, 0))
                    && looks_who_holds_it(bounded, id)
            }
            _ => false,
        };
        if !right {
            return false;
        }
    }
    let distinct: BTreeSet<u64> = holders.values().map(Value::low).collect();
    distinct.len() == holders.len()
}

/// Whether it makes no difference to a read that another thread holds the mutex: the function that
/// reads says so.
fn is_blind(action: &Action, program: &Program) -> bool {
    let function = action.origin.calls.last().map(|&(function, _)| &program.functions[function]);
    function.is_some_and(|function| function.lock_view == LockView::OwnHolderOnly)
}

/// Whether the word was read, in the same call, before it is given back here.
fn looks_who_holds_it(bounded: &mut Bounded, giving: ActionId) -> bool {
    let Bounded { actions, terms, .. } = bounded;
    let action = &actions[giving];
    let ActionKind::Write { access: given, .. } = &action.kind else { return false };
    let own = &bounded.threads[action.thread].actions;
    own.iter().rev().skip_while(|&&id| id >= giving).any(|&id| {
        let earlier = &actions[id];
        matches!(&earlier.kind, ActionKind::Read { access, .. } if access.address == given.address)
            && earlier.origin.calls == action.origin.calls
            && terms.guards.implies(action.guard, earlier.guard)
    })
}
