//! Symbolic values with what they were computed from.

use super::guarded::Guarded;
use crate::bounded::{ActionId, Flow, Taint};
use crate::guard::{Guard, Guards};
use crate::term::{TermId, Terms};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value and what it was computed from.
#[derive(Clone, PartialEq, Debug)]
pub struct Sym {
    /// The value.
    pub term: TermId,
    /// The reads that it was computed from.
    pub taint: Taint,
}

impl From<TermId> for Sym {
    fn from(term: TermId) -> Self {
        Self { term, taint: Taint::default() }
    }
}

impl Sym {
    /// `term`, computed from this and another value.
    pub fn joined(&self, other: &Sym, term: TermId, terms: &mut Terms) -> Sym {
        Sym { term, taint: join(&mut terms.guards, &self.taint, &other.taint) }
    }
}

impl Guarded<Sym> {
    /// What a reader on the paths of `guard` sees.
    pub fn read(&self, terms: &mut Terms, guard: Guard) -> Sym {
        let Sym { term, taint } = self.merged(terms, guard);
        Sym { term: terms.on_paths(guard, term), taint }
    }

    fn merged(&self, terms: &mut Terms, guard: Guard) -> Sym {
        let mut seen = self.get(&mut terms.guards, guard);
        let Some(oldest) = seen.pop() else { unreachable!("a variable has a value on all paths") };
        if seen.is_empty() {
            return oldest.value;
        }
        let guards = &mut terms.guards;
        let taint = on_paths(guards, &oldest.value.taint, oldest.here);
        let mut merged = Sym { term: oldest.value.term, taint };
        while let Some(newer) = seen.pop() {
            let taint = on_paths(&mut terms.guards, &newer.value.taint, newer.here);
            merged = Sym {
                term: terms.ite(newer.assigned, newer.value.term, merged.term),
                taint: join(&mut terms.guards, &merged.taint, &taint),
            };
        }
        merged
    }
}

/// From one read.
pub fn read_of(action: ActionId) -> Taint {
    let always = Flow { plain: Guard::TRUE, pick: Guard::TRUE };
    Arc::new(BTreeMap::from([(action, always)]))
}

/// From a read that says nothing new except on the paths of `news`.
pub fn confirmed(action: ActionId, news: Guard) -> Taint {
    Arc::new(BTreeMap::from([(action, Flow { plain: news, pick: Guard::TRUE })]))
}

/// From both.
pub fn join(guards: &mut Guards, a: &Taint, b: &Taint) -> Taint {
    if b.is_empty() || a == b {
        return a.clone();
    }
    if a.is_empty() {
        return b.clone();
    }
    let mut all = (**a).clone();
    for (&read, &flow) in b.iter() {
        let entry = all.entry(read).or_insert(Flow { plain: Guard::FALSE, pick: Guard::FALSE });
        entry.plain = guards.or(entry.plain, flow.plain);
        entry.pick = guards.or(entry.pick, flow.pick);
    }
    Arc::new(all)
}

/// The same, on the paths of `guard` only.
pub fn on_paths(guards: &mut Guards, taint: &Taint, guard: Guard) -> Taint {
    if taint.is_empty() || guard == Guard::TRUE {
        return taint.clone();
    }
    let restrict = |(&read, &flow): (&ActionId, &Flow)| {
        let flow =
            Flow { plain: guards.and(flow.plain, guard), pick: guards.and(flow.pick, guard) };
        (read, flow)
    };
    Arc::new(taint.iter().map(restrict).filter(|(_, flow)| flow.pick != Guard::FALSE).collect())
}

/// The flow that selects: not a flow of data any more.
pub fn picked(taint: &Taint) -> Taint {
    if taint.is_empty() {
        return taint.clone();
    }
    let pick = |(&read, &flow): (&ActionId, &Flow)| (read, Flow { plain: Guard::FALSE, ..flow });
    Arc::new(taint.iter().map(pick).collect())
}
