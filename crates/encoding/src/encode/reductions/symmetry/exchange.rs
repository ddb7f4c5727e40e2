//! Whether exchanging two threads changes nothing in the bounded program.

use super::owner;
use crate::bounded::{
    Access, ActionId, ActionKind, Alternatives, Assumption, Bounded, Check, Input, Moment, Pairing,
    Taint, Wrong,
};
use crate::guard::Guard;
use crate::term::{InputId, Term, TermId};
use execution::event::ThreadId;
use execution::ids::Id;
use ir::op::BinaryOp;
use std::collections::{HashMap, HashSet};

/// Two threads that may be alike.
pub(super) struct Exchange<'a> {
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
    pub(super) fn new(
        bounded: &'a Bounded,
        numbers: &'a HashSet<ActionId>,
        a: ThreadId,
        b: ThreadId,
    ) -> Self {
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
    pub(super) fn is_possible(&mut self) -> bool {
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
            (Input::Spurious { moment: m, .. }, Input::Spurious { moment: n, .. })
            | (Input::Exclusive { moment: m }, Input::Exclusive { moment: n })
            | (Input::Stays { moment: m }, Input::Stays { moment: n }) => self.moment(m, n),
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
            && a.alignment == b.alignment
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
                    (Wrong::Overflow(x, [u, v]), Wrong::Overflow(y, [s, t])) => {
                        self.term(*x, *y) && self.term(*u, *s) && self.term(*v, *t)
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

    /// Where threads wait, end the program, reach something, or the end of a bound.
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
            (Term::Below(x, m), Term::Below(y, n)) => m == n && self.term(x, y),
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
