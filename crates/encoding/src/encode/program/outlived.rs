//! Objects that accesses may reach after their lifetimes.
//!
//! The end of such an object is an action; that of every other one cannot be noticed.

use crate::bounded::{ActionId, ActionKind, Bounded, ObjectEnd};
use crate::term::TermId;
use crate::unroll::{self, ObjectKey};
use crate::values::Sets;
use ir::value::RegionId;
use std::collections::BTreeSet;

/// The objects that some access may reach after their lifetimes, without notice.
pub(crate) fn outlived(bounded: &mut Bounded, sets: &Sets) -> BTreeSet<ObjectKey> {
    let mut found = BTreeSet::new();
    if bounded.ends.is_empty() {
        return found;
    }
    let address = |(id, action): (ActionId, &crate::bounded::Action)| match &action.kind {
        ActionKind::Read { access, .. } | ActionKind::Write { access, .. } => {
            Some((id, pointed_to(sets, bounded, access.address)))
        }
        _ => None,
    };
    let accesses: Vec<_> = bounded.actions.enumerate().filter_map(address).collect();
    for end in bounded.ends.clone() {
        let reach = accesses.iter().filter(|(_, regions)| regions.contains(&end.region));
        let late = reach.into_iter().any(|&(id, _)| may_be_later(bounded, &end, id));
        found.extend(unroll::key(bounded.regions[end.region].kind).filter(|_| late));
    }
    found
}

/// Whether an access may come after the end of an object.
pub(crate) fn may_be_later(bounded: &mut Bounded, end: &ObjectEnd, access: ActionId) -> bool {
    let (thread, guard) = (bounded.actions[access].thread, bounded.actions[access].guard);
    if thread == end.thread {
        return access >= end.before && !bounded.terms.guards.exclude(guard, end.guard);
    }
    // Before the start of one of the threads that the end is in.
    let mut child = end.thread;
    while let Some(spawn) = bounded.threads[child].parent {
        child = bounded.actions[spawn].thread;
        if child == thread && access < spawn {
            return false;
        }
    }
    !bounded.is_over(thread, (end.thread, end.guard), end.before)
}

/// The objects that an address may point to.
pub(crate) fn pointed_to(sets: &Sets, bounded: &Bounded, address: TermId) -> BTreeSet<RegionId> {
    let set = sets.of(bounded, address);
    match (set.few(), set.shape()) {
        (Some(values), _) => values.iter().filter_map(|value| value.provenance).collect(),
        (None, Some(shape)) => shape.provenance.iter().copied().flatten().collect(),
        (None, None) => BTreeSet::new(),
    }
}
