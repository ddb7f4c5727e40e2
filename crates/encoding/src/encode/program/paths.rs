//! What is known about pairs of paths before there are any literals.

use crate::bounded::{ActionKind, Bounded, Taint};
use crate::guard::{Guard, Guards};
use crate::unroll::{Unsupported, in_time};
use sat::Limits;
use std::collections::{BTreeSet, HashSet};

/// Which paths imply and which exclude each other.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    implied: HashSet<(Guard, Guard)>,
    excluded: HashSet<(Guard, Guard)>,
}

impl Paths {
    /// Compares the guards of all actions and commit points with each other, and with those of
    /// the actions' dependencies.
    pub(crate) fn new(bounded: &mut Bounded, limits: &Limits) -> Result<Self, Unsupported> {
        let mut paths = Self::default();
        let actions = bounded.actions.iter().map(|action| action.guard);
        let commits = bounded.commits.iter().map(|commit| commit.moment.guard);
        let own: BTreeSet<Guard> = actions.chain(commits).collect();
        let mut flows: BTreeSet<(Guard, Guard)> = BTreeSet::new();
        for action in bounded.actions.iter() {
            let mut add = |taint: &Taint| {
                for flow in taint.values() {
                    flows.extend([(action.guard, flow.plain), (action.guard, flow.pick)]);
                }
            };
            add(&action.control);
            match &action.kind {
                ActionKind::Read { access, .. } => add(&access.taint),
                ActionKind::Write { access, data, .. } => {
                    add(&access.taint);
                    add(data);
                }
                ActionKind::Free { taint, .. } => add(taint),
                _ => {}
            }
        }
        let guards = &mut bounded.terms.guards;
        for &a in &own {
            in_time(limits)?;
            for &b in &own {
                paths.compare(guards, a, b);
            }
        }
        for (a, b) in flows {
            paths.compare(guards, a, b);
        }
        Ok(paths)
    }

    fn compare(&mut self, guards: &mut Guards, a: Guard, b: Guard) {
        if guards.implies(a, b) {
            self.implied.insert((a, b));
        }
        if guards.exclude(a, b) {
            self.excluded.insert((a, b));
        }
    }

    /// Whether `a` is taken only where `b` is.
    pub(crate) fn implies(&self, a: Guard, b: Guard) -> bool {
        a == b || b == Guard::TRUE || self.implied.contains(&(a, b))
    }

    /// Whether `a` and `b` are never both taken.
    pub(crate) fn exclude(&self, a: Guard, b: Guard) -> bool {
        self.excluded.contains(&(a, b))
    }
}
