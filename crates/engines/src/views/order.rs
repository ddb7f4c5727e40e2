//! Absence of deadlock: whether there is an order in which all threads acquire locks.
//!
//! A thread that waits for one lock while it holds another gives an edge. Locks are known by what
//! never changes: the kind of object, the place in it, and the numbers in it that no thread changes.
//! If edges between different kinds make no cycle, and those within a kind lead from smaller to
//! larger numbers in one and the same word, or always from larger to smaller, then no cycle of
//! threads can wait for each other, however many there are.

use super::machine::{Facts, LockName, LockOrder};
use ir::program::LocId;
use std::collections::BTreeSet;

/// Whether threads can wait for each other for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deadlock {
    /// No thread waits for a lock.
    NoLocks,
    /// No thread waits for a lock while it holds another one.
    OneAtATime,
    /// All threads acquire locks in one order.
    Ordered,
    /// Threads wait in loops, always for one that goes on.
    Awaited,
    /// It could not be excluded.
    Unknown(Option<LocId>),
    /// A thread waits in a loop for something that is not known to be a lock: whether for ever, could
    /// not be excluded.
    Spins(Option<LocId>),
}

impl Deadlock {
    /// Whether it could not be excluded.
    pub fn is_open(self) -> bool {
        matches!(self, Deadlock::Unknown(_) | Deadlock::Spins(_))
    }
}

type Kind<'a> = (&'a super::heap::What, u32);

fn kind(name: &LockName) -> Kind<'_> {
    (&name.object, name.offset)
}

/// What the edges that were found say.
pub(super) fn deadlock(facts: &Facts, has_locks: bool) -> Deadlock {
    if let Some(place) = facts.waits {
        return Deadlock::Unknown(place);
    }
    if let Some(place) = facts.spins {
        return Deadlock::Spins(place);
    }
    match (has_locks, facts.awaited) {
        (_, true) => return Deadlock::Awaited,
        (false, false) => return Deadlock::NoLocks,
        (true, false) => {}
    }
    if facts.order.is_empty() {
        return Deadlock::OneAtATime;
    }
    let edges: BTreeSet<(Kind<'_>, Kind<'_>)> =
        facts.order.iter().map(|edge| (kind(&edge.held), kind(&edge.wanted))).collect();
    for edge in &facts.order {
        let (from, to) = (kind(&edge.held), kind(&edge.wanted));
        let ordered = match from == to {
            true => is_ordered(facts, from),
            false => !reaches(&edges, to, from),
        };
        if !ordered {
            return Deadlock::Unknown(edge.place);
        }
    }
    Deadlock::Ordered
}

/// Whether a path of edges between different kinds leads from one kind to another.
fn reaches<'a>(edges: &BTreeSet<(Kind<'a>, Kind<'a>)>, from: Kind<'a>, to: Kind<'a>) -> bool {
    let mut open = vec![from];
    let mut known = BTreeSet::new();
    while let Some(at) = open.pop() {
        if at == to {
            return true;
        }
        if known.insert(at) {
            open.extend(edges.iter().filter(|(a, b)| *a == at && b != a).map(|(_, b)| *b));
        }
    }
    false
}

/// Whether the locks of one kind are acquired by the numbers in some word.
fn is_ordered(facts: &Facts, of: Kind<'_>) -> bool {
    let within = |edge: &&LockOrder| kind(&edge.held) == of && kind(&edge.wanted) == of;
    let edges: Vec<&LockOrder> = facts.order.iter().filter(within).collect();
    let Some(first) = edges.first() else { return true };
    let number = |name: &LockName, at: u32| {
        let found = name.numbers.iter().find(|(offset, _)| *offset == at);
        found.map(|(_, number)| *number)
    };
    let all = |at: u32, right: fn(i128, i128) -> bool| {
        edges.iter().all(|edge| match (number(&edge.held, at), number(&edge.wanted, at)) {
            (Some(held), Some(wanted)) => right(held, wanted),
            _ => false,
        })
    };
    let mut words = first.held.numbers.iter().map(|(offset, _)| *offset);
    words.any(|at| all(at, |held, wanted| held < wanted) || all(at, |held, wanted| held > wanted))
}
