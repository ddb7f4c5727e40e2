//! Where operations take effect, and in which order.
//!
//! An operation takes effect at its commit access: the last access that it makes before the last
//! commit point that it passes (Burckhardt, Alur, Martin, CAV 2006). Of two operations of
//! different threads one comes before the other; which, the solver chooses, but in line with the
//! memory order of their commit accesses ([`memory::encode_ordered`](crate::memory)). Operations
//! of one thread come in program order, whatever the order of their commit accesses. So the order
//! of the operations need not be transitive: where it is not, no serial order follows the commit
//! points.
//!
//! All this is about complete executions, and is demanded only if the literal [`Commits::asked`]
//! is true.

use crate::bounded::{ActionKind, Commit};
use crate::encode::clauses::Clauses;
use crate::encode::structure::events::Events;
use crate::encode::structure::sources::Source;
use crate::encode::structure::threads::Lives;
use crate::encode::{Encoding, Scope};
use crate::graph::Edges;
use execution::event::EventId;
use sat::{Formula, Lit};
use std::collections::BTreeMap;

/// The commit accesses of the operations.
#[derive(Debug)]
pub(crate) struct Commits {
    /// Whether anybody asks for the order of the operations.
    asked: Lit,
    /// By operation: which access is its commit access.
    accesses: Vec<BTreeMap<EventId, Lit>>,
    /// Operations of different threads, the one with the smaller number first: whether they come
    /// in this order.
    before: BTreeMap<(u32, u32), Lit>,
    /// Commit accesses in the order of their operations.
    pub(crate) edges: Edges,
    /// The orders of memory that the model has, and whether each counts.
    pub(crate) orders: Vec<Lit>,
    /// Whether what is read and written between commit accesses counts.
    related: Lit,
}

/// Decides where operations take effect and in which order.
pub(crate) fn commits(clauses: &mut Clauses, lives: &Lives, events: &Events) -> Commits {
    let operations = clauses.bounded.operations.len() as u32;
    let mut commits = Commits {
        asked: Lit::FALSE,
        accesses: (0..operations).map(|_| BTreeMap::new()).collect(),
        before: BTreeMap::new(),
        edges: Edges::new(),
        orders: Vec::new(),
        related: Lit::TRUE,
    };
    if clauses.bounded.commits.is_empty() || clauses.scope == Scope::Every {
        return commits;
    }
    commits.asked = clauses.formula.fresh();
    commits.related = clauses.formula.fresh();
    for operation in 0..operations {
        commits.accesses[operation as usize] = commit_accesses(clauses, lives, events, operation);
    }
    for first in 0..operations {
        for second in first + 1..operations {
            let thread = |index: u32| clauses.bounded.operations[index as usize].thread;
            if thread(first) != thread(second) {
                let lit = clauses.formula.fresh();
                commits.before.insert((first, second), lit);
                ordered(clauses, &mut commits, (first, second), lit);
            }
        }
    }
    commits
}

/// The accesses at which an operation may take effect, each with the literal that says that
/// it does.
fn commit_accesses(
    clauses: &mut Clauses,
    lives: &Lives,
    events: &Events,
    operation: u32,
) -> BTreeMap<EventId, Lit> {
    let bounded = clauses.bounded.clone();
    let accesses: Vec<_> = bounded
        .actions
        .enumerate()
        .filter(|(_, action)| action.operation == Some(operation))
        .filter(|(_, a)| matches!(a.kind, ActionKind::Read { .. } | ActionKind::Write { .. }))
        .collect();
    let mut found: BTreeMap<EventId, Vec<Lit>> = BTreeMap::new();
    // No later commit point is passed.
    let mut last = Lit::TRUE;
    let own = bounded.commits.iter().filter(|commit| commit.operation == operation);
    for Commit { moment, .. } in own.rev() {
        let guard = clauses.guard(moment.guard);
        let passed = clauses.formula.and(&[guard, lives.at(moment)]);
        let mut none_since = clauses.formula.and(&[last, passed]);
        last = clauses.formula.and(&[last, !passed]);
        for (id, action) in accesses.iter().rev() {
            let Some(event) = events.sources.event(Source::Action(*id)) else { continue };
            if action.sequence > moment.sequence {
                continue;
            }
            let exec = lives.exec[*id];
            let here = clauses.formula.and(&[none_since, exec]);
            found.entry(event).or_default().push(here);
            none_since = clauses.formula.and(&[none_since, !exec]);
            if clauses.unrolled.paths.implies(moment.guard, action.guard) {
                break;
            }
        }
    }
    let either = |(event, lits): (EventId, Vec<Lit>)| (event, clauses.formula.or(&lits));
    found.into_iter().map(either).filter(|&(_, lit)| lit != Lit::FALSE).collect()
}

/// The commit accesses of two operations come in the order of the operations.
fn ordered(clauses: &mut Clauses, commits: &mut Commits, (first, second): (u32, u32), before: Lit) {
    for (&a, &at_a) in &commits.accesses[first as usize] {
        for (&b, &at_b) in &commits.accesses[second as usize] {
            let both = clauses.formula.and(&[commits.asked, at_a, at_b]);
            for (pair, lit) in [((a, b), before), ((b, a), !before)] {
                let lit = clauses.formula.and(&[both, lit]);
                if lit != Lit::FALSE {
                    commits.edges.insert(pair, lit);
                }
            }
        }
    }
}

impl Commits {
    /// Commit accesses that are related themselves come in this order, in models without an order
    /// of memory too.
    pub(crate) fn follow(&self, formula: &mut Formula, related: &Edges) {
        for (&(a, b), &lit) in &self.edges {
            if let Some(&back) = related.get(&(b, a)) {
                formula.clause(&[!lit, !back, !self.related]);
            }
        }
    }
}

impl Encoding<'_> {
    /// To be assumed by the caller of [`before`](Self::before): the order is in line with all
    /// orders of memory. If these disagree about it there is none.
    pub fn ordered(&self) -> Vec<Lit> {
        let Commits { asked, related, orders, .. } = &self.commits;
        [*asked, *related].into_iter().chain(orders.iter().copied()).collect()
    }

    /// The same for each order of memory by itself, if the model has several: each of them gives
    /// every execution an order.
    pub fn ordered_by_one(&self) -> Vec<[Lit; 2]> {
        let orders = &self.commits.orders;
        let several = orders.iter().filter(|_| orders.len() > 1);
        several.map(|&order| [self.commits.asked, order]).collect()
    }

    /// True in complete executions in which an operation takes effect somewhere.
    pub fn commits(&mut self, operation: u32) -> Lit {
        let accesses = &self.commits.accesses[operation as usize];
        let lits: Vec<Lit> = accesses.values().copied().collect();
        self.formula.or(&lits)
    }

    /// Whether the first of two operations comes before the second.
    pub fn before(&self, first: u32, second: u32) -> Lit {
        let before = &self.commits.before;
        match (before.get(&(first, second)), before.get(&(second, first))) {
            (Some(&lit), _) => lit,
            (_, Some(&lit)) => !lit,
            // In one thread, an operation that is met first comes first.
            _ => Lit::constant(first < second),
        }
    }
}
