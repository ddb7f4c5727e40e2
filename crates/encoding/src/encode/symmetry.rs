//! Threads that do the same: of executions that differ only in which of them does what, one is
//! looked at.
//!
//! Two threads are alike if exchanging them changes nothing in the bounded program: their actions,
//! checks and paths correspond one to one, over terms that differ only in whose reads and choices
//! they are computed from; nobody else computes with their results; and their parent does nothing
//! but start threads between their starts, and nothing but await threads between their ends (or
//! do what has no effect), so that what comes before and after the one in program order does so
//! for the other. (The starts and ends are fences: whatever one of them orders, the first of the
//! starts or the last of the ends orders too.) Exchanging them in an execution then gives an execution, in which the same
//! goes wrong and the same is observed by the others. The number of a thread tells it from
//! the others, with one exception: a mutex that is only locked and unlocked says the same about its
//! holder whatever the number is.
//!
//! Of threads that are alike, those that come to a certain write of theirs do so in the order of
//! their numbers in coherence. Every execution becomes such a one by exchanging threads: sort
//! those that come to it. (Symmetry breaking: Crawford, Ginsberg, Luks, Roy, KR 1996.)
//!
//! An error here loses executions.

use super::threads::Lives;
use super::{Builder, Source};
use crate::bounded::{
    Access, Action, ActionId, ActionKind, Alternatives, Assumption, Bounded, Check, Input, Moment,
    Pairing, RegionKind, Taint, Wrong,
};
use crate::graph::{Edges, Graph};
use crate::guard::Guard;
use crate::term::{InputId, Term, TermId};
use execution::event::{EventId, EventKind, ThreadId};
use execution::ids::Id;
use ir::op::BinaryOp;
use ir::order::Fence;
use sat::Lit;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

impl Builder {
    /// The threads that are alike, two or more together.
    pub(super) fn alike(&self, graph: &Graph) -> Vec<Vec<ThreadId>> {
        let told = Told::new(&self.bounded).by_others();
        let mut classes: Vec<Vec<ThreadId>> = Vec::new();
        for thread in self.bounded.threads.ids() {
            if told.contains(&thread) || !is_simple(&self.bounded, thread) {
                continue;
            }
            let same = |class: &&mut Vec<ThreadId>| {
                Exchange::new(&self.bounded, &self.numbers, class[0], thread).is_possible()
            };
            match classes.iter_mut().find(same) {
                Some(class) => class.push(thread),
                None => classes.push(vec![thread]),
            }
        }
        classes.retain(|class| class.len() > 1 && self.are_together(class, graph));
        classes
    }

    /// Whether the parent does nothing that matters between the starts, and between the ends, of
    /// threads.
    fn are_together(&self, class: &[ThreadId], graph: &Graph) -> bool {
        let actions = &self.bounded.actions;
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
            let mut between = self.bounded.threads[parent].actions.iter().copied();
            all.len() == class.len()
                && once.len() == class.len()
                && all.iter().all(|(id, _)| actions[*id].guard == guard)
                && all.iter().all(|(id, _)| actions[*id].thread == parent)
                && between.all(|id| {
                    id < first || last < id || only(&actions[id].kind) || self.is_nothing(id, graph)
                })
        };
        together(&starts, |kind| matches!(kind, ActionKind::Spawn(_)))
            && (ends.is_empty() || together(&ends, |kind| matches!(kind, ActionKind::Join(_))))
    }

    /// Whether an action never takes place, or reads what nobody writes, or is a fence that is no
    /// stronger than those at starts and ends: in no order of memory does anything lead to it but
    /// what comes before it in its thread, and that is ordered anyway.
    fn is_nothing(&self, id: ActionId, graph: &Graph) -> bool {
        if let ActionKind::Fence(fence) = &self.bounded.actions[id].kind {
            return !matches!(fence, Fence::Named(_));
        }
        let Some(&event) = self.events.get(&Source::Action(id)) else {
            return !matches!(self.bounded.actions[id].kind, ActionKind::Free { .. });
        };
        let at_event = graph.loc.range((event, EventId::new(0))..);
        let mut met = at_event.take_while(|entry| entry.0.0 == event).map(|entry| entry.0.1);
        graph.nodes[event].kind == EventKind::Read
            && met.all(|other| {
                let node = &graph.nodes[other];
                node.kind == EventKind::Read || node.thread.is_none()
            })
    }

    /// Lets the threads of each class come to a write of theirs in the order of their numbers.
    pub(super) fn in_order_of_numbers(
        &mut self,
        classes: &[Vec<ThreadId>],
        lives: &Lives,
        graph: &Graph,
        co: &Edges,
    ) {
        for class in classes {
            let Some(writes) = self.corresponding_writes(class, graph, co) else { continue };
            for (index, &(first, x)) in writes.iter().enumerate() {
                for &(second, y) in &writes[index + 1..] {
                    let both = [lives.exec[x], lives.exec[y]];
                    self.formula.implies_any(&both, &[co[&(first, second)]]);
                }
            }
        }
    }

    /// A write of each thread, to one place; if there is one, one on all paths.
    fn corresponding_writes(
        &self,
        class: &[ThreadId],
        graph: &Graph,
        co: &Edges,
    ) -> Option<Vec<(EventId, ActionId)>> {
        let threads = &self.bounded.threads;
        let nth = |n: usize| -> Option<Vec<(EventId, ActionId)>> {
            let of = |thread: &ThreadId| {
                let id = threads[*thread].actions[n];
                let written = matches!(self.bounded.actions[id].kind, ActionKind::Write { .. });
                let event = self.events.get(&Source::Action(id)).filter(|_| written)?;
                Some((*event, id))
            };
            let all: Vec<_> = class.iter().map(of).collect::<Option<_>>()?;
            let meet = all.iter().enumerate().all(|(index, &(a, _))| {
                all[index + 1..].iter().all(|&(b, _)| {
                    graph.loc.get(&(a, b)) == Some(&Lit::TRUE)
                        && co.contains_key(&(a, b))
                        && co.contains_key(&(b, a))
                })
            });
            meet.then_some(all)
        };
        let first = &threads[class[0]];
        let candidates: Vec<_> = (0..first.actions.len()).filter_map(nth).collect();
        let always =
            |all: &&Vec<(EventId, ActionId)>| self.bounded.actions[all[0].1].guard == first.guard;
        candidates.iter().find(always).or(candidates.first()).cloned()
    }
}

/// Whether a thread is one that this is about: `main` starts it, and it only computes and
/// accesses memory.
fn is_simple(bounded: &Bounded, thread: ThreadId) -> bool {
    let by_main = bounded.threads[thread].parent.map(|id| bounded.actions[id].thread.index());
    let odd = |id: &ActionId| {
        matches!(
            bounded.actions[*id].kind,
            ActionKind::Spawn(_) | ActionKind::Join(_) | ActionKind::Reuse { .. }
        )
    };
    by_main == Some(0)
        && !bounded.threads[thread].actions.iter().any(odd)
        && !bounded.allocations.iter().any(|a| a.moment.thread == thread)
        && !bounded.observations.iter().any(|o| o.moment.thread == thread)
        && !bounded.commits.iter().any(|c| c.moment.thread == thread)
        && !bounded.operations.iter().any(|o| o.thread == thread)
}

/// The thread that a value from outside comes to.
fn owner(bounded: &Bounded, input: InputId) -> Option<ThreadId> {
    bounded.inputs.get(input).map(|input| match input {
        Input::Read(action) => bounded.actions[*action].thread,
        Input::Choice { moment, .. } | Input::Spurious { moment } | Input::Exclusive { moment } => {
            moment.thread
        }
    })
}

/// Whose inputs others compute with.
struct Told<'a> {
    bounded: &'a Bounded,
    of_terms: HashMap<TermId, BTreeSet<ThreadId>>,
    of_guards: HashMap<Guard, BTreeSet<ThreadId>>,
}

impl<'a> Told<'a> {
    fn new(bounded: &'a Bounded) -> Self {
        Self { bounded, of_terms: HashMap::new(), of_guards: HashMap::new() }
    }

    /// The threads whose inputs something is computed from that is not theirs.
    fn by_others(mut self) -> BTreeSet<ThreadId> {
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
            Term::Unary(_, a) | Term::Cast(_, _, a) => all = self.term(a),
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
        ActionKind::Reuse { block, .. } => terms.push(*block),
        ActionKind::Fence(_) | ActionKind::Spawn(_) | ActionKind::Join(_) => {}
    }
    (terms, guards)
}

fn terms_of(wrong: &Wrong) -> Vec<TermId> {
    match *wrong {
        Wrong::Always => Vec::new(),
        Wrong::Zero(term) | Wrong::Undefined(term) => vec![term],
        Wrong::Division(_, a, b) => vec![a, b],
    }
}

/// Everything else that happens in threads, with the terms that it is about.
fn moments(bounded: &Bounded) -> Vec<(Moment, Vec<TermId>)> {
    let checks = bounded.checks.iter().map(|check| (check.moment, terms_of(&check.wrong)));
    let assumptions =
        bounded.assumptions.iter().map(|a| (a.moment, a.condition.into_iter().collect()));
    let observations = bounded.observations.iter().map(|o| (o.moment, vec![o.value]));
    let blocked = bounded.blocked.iter().map(|(moment, _)| *moment);
    let goals = bounded.goals.iter().map(|(_, moment)| *moment);
    let bounds = bounded.bounds.iter().map(|hit| hit.moment);
    let commits = bounded.commits.iter().map(|commit| commit.moment);
    let others = blocked.chain(bounded.exits.iter().copied()).chain(goals).chain(bounds);
    let others = others.chain(commits).map(|moment| (moment, Vec::new()));
    checks.chain(assumptions).chain(observations).chain(others).collect()
}

/// Two threads that may be alike.
struct Exchange<'a> {
    bounded: &'a Bounded,
    /// The accesses of words that hold numbers of threads, of which only the own one matters.
    numbers: &'a HashSet<ActionId>,
    threads: [ThreadId; 2],
    /// When each was started.
    starts: [u32; 2],
    actions: HashMap<ActionId, ActionId>,
    inputs: HashMap<InputId, InputId>,
    terms: HashMap<(TermId, TermId), bool>,
    guards: HashMap<(Guard, Guard), bool>,
}

impl<'a> Exchange<'a> {
    fn new(bounded: &'a Bounded, numbers: &'a HashSet<ActionId>, a: ThreadId, b: ThreadId) -> Self {
        let [x, y] = [a, b].map(|thread| bounded.threads[thread].actions.iter().copied());
        let own = |thread: ThreadId| {
            bounded.inputs.ids().filter(move |&input| owner(bounded, input) == Some(thread))
        };
        Self {
            bounded,
            numbers,
            threads: [a, b],
            starts: [a, b].map(|thread| {
                bounded.threads[thread].parent.map_or(0, |id| bounded.actions[id].sequence)
            }),
            actions: x.zip(y).collect(),
            inputs: own(a).zip(own(b)).collect(),
            terms: HashMap::new(),
            guards: HashMap::new(),
        }
    }

    /// Whether exchanging the threads changes nothing.
    fn is_possible(mut self) -> bool {
        let bounded = self.bounded;
        let [x, y] = self.threads.map(|thread| &bounded.threads[thread]);
        if x.function != y.function
            || x.guard != y.guard
            || x.actions.len() != y.actions.len()
            || !self.guard(x.ended, y.ended)
        {
            return false;
        }
        let inputs = |thread| {
            bounded.inputs.ids().filter(|&input| owner(bounded, input) == Some(thread)).count()
        };
        inputs(self.threads[0]) == inputs(self.threads[1])
            && self.inputs.clone().into_iter().all(|(a, b)| self.input(a, b))
            && x.actions.iter().zip(&y.actions).all(|(&a, &b)| self.action(a, b))
            && self.checks()
            && self.assumptions()
            && self.others()
    }

    fn input(&mut self, a: InputId, b: InputId) -> bool {
        let bounded = self.bounded;
        match (&bounded.inputs[a], &bounded.inputs[b]) {
            (Input::Read(x), Input::Read(y)) => self.actions.get(x) == Some(y),
            (Input::Choice { from: x, moment: m }, Input::Choice { from: y, moment: n }) => {
                let same = match (x, y) {
                    (Alternatives::Terms(x), Alternatives::Terms(y)) => {
                        x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| self.term(x, y))
                    }
                    (x, y) => x == y,
                };
                same && self.moment(m, n)
            }
            (Input::Spurious { moment: m }, Input::Spurious { moment: n })
            | (Input::Exclusive { moment: m }, Input::Exclusive { moment: n }) => self.moment(m, n),
            _ => false,
        }
    }

    /// Whether two points are as long after the starts of their threads.
    fn is_same_time(&self, a: u32, b: u32) -> bool {
        a.wrapping_sub(self.starts[0]) == b.wrapping_sub(self.starts[1])
    }

    fn moment(&mut self, a: &Moment, b: &Moment) -> bool {
        [a.thread, b.thread] == self.threads
            && self.is_same_time(a.sequence, b.sequence)
            && self.guard(a.guard, b.guard)
    }

    fn action(&mut self, a: ActionId, b: ActionId) -> bool {
        let bounded = self.bounded;
        let (x, y) = (&bounded.actions[a], &bounded.actions[b]);
        let same = self.is_same_time(x.sequence, y.sequence)
            && x.instruction == y.instruction
            && x.section == y.section
            && self.guard(x.guard, y.guard)
            && self.taint(&x.control, &y.control);
        same && match (&x.kind, &y.kind) {
            (
                ActionKind::Read { access: x, exclusive: e, .. },
                ActionKind::Read { access: y, exclusive: f, .. },
            ) => e == f && self.access(x, y),
            (
                ActionKind::Write { access: x, value: v, data: d, rmw: p },
                ActionKind::Write { access: y, value: w, data: e, rmw: q },
            ) => {
                let value = self.term(*v, *w)
                    || self.numbers.contains(&a)
                        && self.numbers.contains(&b)
                        && self.are_own_numbers(*v, *w);
                value && self.access(x, y) && self.taint(d, e) && self.pairing(p, q)
            }
            (ActionKind::Fence(x), ActionKind::Fence(y)) => x == y,
            (
                ActionKind::Free { address: x, taint: t },
                ActionKind::Free { address: y, taint: u },
            ) => self.term(*x, *y) && self.taint(t, u),
            _ => false,
        }
    }

    fn pairing(&self, a: &Option<Pairing>, b: &Option<Pairing>) -> bool {
        match (a, b) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                self.actions.get(&a.read).is_some_and(|&read| Pairing { read, ..*a } == *b)
            }
            _ => false,
        }
    }

    fn access(&mut self, a: &Access, b: &Access) -> bool {
        a.width == b.width
            && a.aligned == b.aligned
            && a.sides == b.sides
            && a.orders.len() == b.orders.len()
            && a.tags.len() == b.tags.len()
            && self.term(a.address, b.address)
            && self.taint(&a.taint, &b.taint)
            && a.orders.iter().zip(&b.orders).all(|(x, y)| x.0 == y.0 && self.guard(x.1, y.1))
            && a.tags.iter().zip(&b.tags).all(|(x, y)| x.0 == y.0 && self.guard(x.1, y.1))
    }

    fn taint(&mut self, a: &Taint, b: &Taint) -> bool {
        a.len() == b.len()
            && a.iter().all(|(from, flow)| {
                let from = self.actions.get(from).unwrap_or(from);
                let Some(other) = b.get(from) else { return false };
                self.guard(flow.plain, other.plain) && self.guard(flow.pick, other.pick)
            })
    }

    fn checks(&mut self) -> bool {
        let bounded = self.bounded;
        let of = |thread| -> Vec<&Check> {
            bounded.checks.iter().filter(|check| check.moment.thread == thread).collect()
        };
        let [x, y] = self.threads.map(of);
        x.len() == y.len()
            && x.iter().zip(y).all(|(a, b)| {
                let wrong = match (&a.wrong, &b.wrong) {
                    (Wrong::Always, Wrong::Always) => true,
                    (Wrong::Zero(x), Wrong::Zero(y))
                    | (Wrong::Undefined(x), Wrong::Undefined(y)) => self.term(*x, *y),
                    (Wrong::Division(o, x, y), Wrong::Division(p, v, w)) => {
                        o == p && self.term(*x, *v) && self.term(*y, *w)
                    }
                    _ => false,
                };
                wrong && a.kind == b.kind && self.moment(&a.moment, &b.moment)
            })
    }

    fn assumptions(&mut self) -> bool {
        let bounded = self.bounded;
        let of = |thread| -> Vec<&Assumption> {
            bounded.assumptions.iter().filter(|own| own.moment.thread == thread).collect()
        };
        let [x, y] = self.threads.map(of);
        x.len() == y.len()
            && x.iter().zip(y).all(|(a, b)| {
                let condition = match (a.condition, b.condition) {
                    (None, None) => true,
                    (Some(x), Some(y)) => self.term(x, y),
                    _ => false,
                };
                let waits = match (a.waits, b.waits) {
                    (None, None) => true,
                    (Some(x), Some(y)) => x.spins == y.spins && self.is_same_time(x.since, y.since),
                    _ => false,
                };
                condition && waits && a.section == b.section && self.moment(&a.moment, &b.moment)
            })
    }

    /// Where threads wait, end the program, come to something, or to the end of a bound.
    fn others(&mut self) -> bool {
        let bounded = self.bounded;
        let of = |thread: ThreadId| -> Vec<(Moment, String)> {
            let blocked = bounded.blocked.iter().map(|(moment, _)| (*moment, String::new()));
            let exits = bounded.exits.iter().map(|moment| (*moment, String::new()));
            let goals = bounded.goals.iter().map(|(goal, m)| (*m, format!("{goal:?}")));
            let bounds =
                bounded.bounds.iter().map(|hit| (hit.moment, format!("{:?}", &hit.key[1..])));
            let all = blocked.chain(exits).chain(goals).chain(bounds);
            all.filter(|(moment, _)| moment.thread == thread).collect()
        };
        let [x, y] = self.threads.map(of);
        x.len() == y.len() && x.iter().zip(&y).all(|(a, b)| a.1 == b.1 && self.moment(&a.0, &b.0))
    }

    fn term(&mut self, a: TermId, b: TermId) -> bool {
        if let Some(&known) = self.terms.get(&(a, b)) {
            return known;
        }
        let terms = &self.bounded.terms;
        let same = match (terms.term(a).clone(), terms.term(b).clone()) {
            (Term::Const(x), Term::Const(y)) => x == y,
            (Term::Input(x), Term::Input(y)) => match self.inputs.get(&x) {
                Some(&other) => other == y,
                None => x == y && owner(self.bounded, y) != Some(self.threads[1]),
            },
            (Term::Unary(o, x), Term::Unary(p, y)) => o == p && self.term(x, y),
            (Term::Cast(o, v, x), Term::Cast(p, w, y)) => o == p && v == w && self.term(x, y),
            (Term::Binary(o, x, y), Term::Binary(p, v, w)) => {
                o == p
                    && (self.term(x, v) && self.term(y, w)
                        || matches!(o, BinaryOp::Eq | BinaryOp::Ne)
                            && (self.compares_numbers((x, v), (y, w))
                                || self.compares_numbers((y, w), (x, v))))
            }
            (Term::Select(c, x, y), Term::Select(d, v, w)) => {
                self.term(c, d) && self.term(x, v) && self.term(y, w)
            }
            (Term::Ite(g, x, y), Term::Ite(h, v, w)) => {
                self.guard(g, h) && self.term(x, v) && self.term(y, w)
            }
            _ => false,
        };
        self.terms.insert((a, b), same);
        same
    }

    /// Whether both compare what a mutex holds with their own numbers.
    fn compares_numbers(&mut self, read: (TermId, TermId), own: (TermId, TermId)) -> bool {
        let of_number = |id: TermId| match self.bounded.terms.term(id) {
            Term::Input(input) => match self.bounded.inputs.get(*input) {
                Some(Input::Read(action)) => self.numbers.contains(action),
                _ => false,
            },
            _ => false,
        };
        of_number(read.0)
            && of_number(read.1)
            && self.are_own_numbers(own.0, own.1)
            && self.term(read.0, read.1)
    }

    /// Whether each is the number of its thread, as mutexes hold it.
    fn are_own_numbers(&self, a: TermId, b: TermId) -> bool {
        let number = |term, thread: ThreadId| {
            let value = self.bounded.terms.constant(term);
            value.is_some_and(|value| {
                value.is_defined()
                    && value.provenance.is_none()
                    && value.low() == thread.index() as u64 + 1
            })
        };
        number(a, self.threads[0]) && number(b, self.threads[1])
    }

    fn guard(&mut self, a: Guard, b: Guard) -> bool {
        let guards = &self.bounded.terms.guards;
        let (Some(x), Some(y)) = (guards.decision(a), guards.decision(b)) else { return a == b };
        if let Some(&known) = self.guards.get(&(a, b)) {
            return known;
        }
        let same = self.term(x.condition, y.condition)
            && self.guard(x.high, y.high)
            && self.guard(x.low, y.low);
        self.guards.insert((a, b), same);
        same
    }
}

/// By thread, those that are like it.
pub(super) fn others(classes: &[Vec<ThreadId>]) -> BTreeMap<ThreadId, Vec<ThreadId>> {
    let mut others: BTreeMap<ThreadId, Vec<ThreadId>> = BTreeMap::new();
    for class in classes {
        for &thread in class {
            let rest = class.iter().copied().filter(|&other| other != thread);
            others.entry(thread).or_default().extend(rest);
        }
    }
    others
}
