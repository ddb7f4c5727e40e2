//! Whose reads and choices others compute with.

use super::owner;
use crate::bounded::{
    Action, ActionKind, Alternatives, Bounded, Input, Moment, RegionKind, Taint, Wrong,
};
use crate::guard::Guard;
use crate::term::{Term, TermId};
use execution::event::ThreadId;
use std::collections::{BTreeSet, HashMap};

/// Whose inputs others compute with.
pub(super) struct Influence<'a> {
    bounded: &'a Bounded,
    of_terms: HashMap<TermId, BTreeSet<ThreadId>>,
    of_guards: HashMap<Guard, BTreeSet<ThreadId>>,
}

impl<'a> Influence<'a> {
    pub(super) fn new(bounded: &'a Bounded) -> Self {
        Self { bounded, of_terms: HashMap::new(), of_guards: HashMap::new() }
    }

    /// The threads whose inputs something is computed from that is not theirs.
    pub(super) fn by_others(mut self) -> BTreeSet<ThreadId> {
        let bounded = self.bounded;
        let mut told = BTreeSet::new();
        let mut add = |own: Option<ThreadId>, all: BTreeSet<ThreadId>| {
            told.extend(all.into_iter().filter(|&thread| Some(thread) != own));
        };
        for action in bounded.actions.iter() {
            let (terms, guards) = parts(action);
            let own = Some(action.thread);
            terms.into_iter().for_each(|term| add(own, self.term(term)));
            guards.into_iter().for_each(|guard| add(own, self.guard(guard)));
        }
        for (moment, terms) in moments(bounded) {
            let own = Some(moment.thread);
            add(own, self.guard(moment.guard));
            terms.into_iter().for_each(|term| add(own, self.term(term)));
        }
        for (id, thread) in bounded.threads.enumerate() {
            add(Some(id), self.guard(thread.ended));
            add(None, self.guard(thread.guard));
        }
        for &(address, value) in &bounded.own_cells {
            let region = bounded.region_at(address).map(|region| bounded.regions[region].kind);
            let own = match region {
                Some(RegionKind::Slot { call, .. }) => Some(bounded.calls[call].moment.thread),
                Some(RegionKind::ThreadLocal { thread, .. }) => Some(thread),
                _ => None,
            };
            add(own, self.term(value));
        }
        bounded.initial.values().for_each(|cell| add(None, self.term(cell.value)));
        bounded.regions.iter().for_each(|region| add(None, self.guard(region.freed)));
        told
    }

    fn term(&mut self, id: TermId) -> BTreeSet<ThreadId> {
        if let Some(known) = self.of_terms.get(&id) {
            return known.clone();
        }
        let mut all = BTreeSet::new();
        match *self.bounded.terms.term(id) {
            Term::Const(_) => {}
            Term::Input(input) => {
                all.extend(owner(self.bounded, input));
                if let Some(Input::Choice { from: Alternatives::Terms(terms), .. }) =
                    self.bounded.inputs.get(input)
                {
                    terms.iter().for_each(|&term| all.extend(self.term(term)));
                }
            }
            Term::Unary(_, a) | Term::Cast(_, _, a) | Term::Below(a, _) => all = self.term(a),
            Term::Binary(_, a, b) => {
                all = self.term(a);
                all.extend(self.term(b));
            }
            Term::Select(c, a, b) => {
                all = self.term(c);
                all.extend(self.term(a));
                all.extend(self.term(b));
            }
            Term::Ite(guard, a, b) => {
                all = self.guard(guard);
                all.extend(self.term(a));
                all.extend(self.term(b));
            }
        }
        self.of_terms.insert(id, all.clone());
        all
    }

    fn guard(&mut self, guard: Guard) -> BTreeSet<ThreadId> {
        let Some(decision) = self.bounded.terms.guards.decision(guard) else {
            return BTreeSet::new();
        };
        if let Some(known) = self.of_guards.get(&guard) {
            return known.clone();
        }
        let mut all = self.term(decision.condition);
        all.extend(self.guard(decision.high));
        all.extend(self.guard(decision.low));
        self.of_guards.insert(guard, all.clone());
        all
    }
}

/// The terms and guards of an action.
fn parts(action: &Action) -> (Vec<TermId>, Vec<Guard>) {
    let (mut terms, mut guards) = (Vec::new(), vec![action.guard]);
    let taint = |taint: &Taint, guards: &mut Vec<Guard>| {
        guards.extend(taint.values().flat_map(|flow| [flow.plain, flow.pick]));
    };
    taint(&action.control, &mut guards);
    match &action.kind {
        ActionKind::Read { access, .. } | ActionKind::Write { access, .. } => {
            terms.push(access.address);
            guards.extend(access.orders.iter().map(|(_, guard)| *guard));
            guards.extend(access.tags.iter().map(|(_, guard)| *guard));
            taint(&access.taint, &mut guards);
            if let ActionKind::Write { value, data, .. } = &action.kind {
                terms.push(*value);
                taint(data, &mut guards);
            }
        }
        ActionKind::Free { address, taint: own } => {
            terms.push(*address);
            taint(own, &mut guards);
        }
        ActionKind::Allocate { block, .. } => terms.push(*block),
        ActionKind::End(_) | ActionKind::Fence(_) | ActionKind::Spawn(_) | ActionKind::Join(_) => {}
    }
    (terms, guards)
}

fn terms_of(wrong: &Wrong) -> Vec<TermId> {
    match *wrong {
        Wrong::Always => Vec::new(),
        Wrong::Zero(term) | Wrong::Undefined(term) => vec![term],
        Wrong::Division(_, a, b) => vec![a, b],
        Wrong::Overflow(right, [a, b]) => vec![right, a, b],
    }
}

/// Everything else that happens in threads, with the terms that it is about.
fn moments(bounded: &Bounded) -> Vec<(Moment, Vec<TermId>)> {
    let checks = bounded.checks.iter().map(|check| (check.moment, terms_of(&check.wrong)));
    let assumptions =
        bounded.assumptions.iter().map(|a| (a.moment, a.condition.into_iter().collect()));
    let observations = bounded.observations.iter().map(|o| (o.moment, vec![o.value]));
    let detached = bounded.detached.iter().map(|&(moment, handle)| (moment, vec![handle]));
    let blocked = bounded.blocked.iter().map(|(moment, _)| *moment);
    let goals = bounded.goals.iter().map(|(_, moment)| *moment);
    let bounds = bounded.bounds.iter().map(|hit| hit.moment);
    let commits = bounded.commits.iter().map(|commit| commit.moment);
    let others = blocked.chain(bounded.exits.iter().copied()).chain(goals).chain(bounds);
    let others = others.chain(commits).map(|moment| (moment, Vec::new()));
    checks.chain(assumptions).chain(observations).chain(detached).chain(others).collect()
}
