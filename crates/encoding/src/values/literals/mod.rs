//! Terms and guards as literals, made when they are first asked for.
//!
//! A term with few values has a literal per value ([`table`]), every other one has its bits
//! ([`bits`], [`operate`]); each form is made from the other where both are needed. All of it is
//! definitions: whatever values the inputs have, the clauses can be satisfied, and the inputs
//! decide every other term. Only a term that is never computed (from a read that has nowhere to
//! read from) may have any value, or none, and then none of its literals is true.

mod bits;
mod build;
mod decode;
mod operate;
mod table;

use super::Sets;
use super::set::Set;
use crate::bounded::Bounded;
use crate::guard::Guard;
use crate::term::{Term, TermId};
use bits::Bits;
use ir::op::BinaryOp;
use ir::value::{RegionId, Value};
use sat::{Formula, Lit};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use table::Hot;

/// The literals of a program's terms and guards.
pub struct Values {
    bounded: Arc<Bounded>,
    sets: Arc<Sets>,
    hot: HashMap<TermId, Rc<Hot>>,
    bits: HashMap<TermId, Rc<Bits>>,
    guards: HashMap<Guard, Lit>,
    same_address: HashMap<(TermId, TermId), Lit>,
}

/// Tables of more pairs than this are not written down; bits take less then.
const LARGEST_TABLE: usize = 1024;

impl Values {
    /// Without any literals yet.
    pub fn new(bounded: Arc<Bounded>, sets: impl Into<Arc<Sets>>) -> Self {
        let sets = sets.into();
        let guards = HashMap::from([(Guard::TRUE, Lit::TRUE), (Guard::FALSE, Lit::FALSE)]);
        let (hot, bits, same_address) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { bounded, sets, hot, bits, guards, same_address }
    }

    /// Those of the same program, without any literals yet: for another formula.
    pub fn afresh(&self) -> Self {
        Self::new(self.bounded.clone(), self.sets.clone())
    }

    /// What the analysis found.
    pub fn sets(&self) -> &Sets {
        &self.sets
    }

    /// The values that a term may take; `None` if they are too many to list.
    pub fn elements(&self, t: TermId) -> Option<Vec<Value>> {
        self.sets.of(&self.bounded, t).few().map(<[_]>::to_vec)
    }

    /// The literal that a term of one bit is 1. An undefined bit is not.
    pub fn truth(&mut self, f: &mut Formula, t: TermId) -> Lit {
        self.bits(f, t).ones[0]
    }

    /// The literal that a guard holds.
    pub fn guard(&mut self, f: &mut Formula, g: Guard) -> Lit {
        self.build(f, build::Job::Guard(g));
        self.guards[&g]
    }

    /// The literal that a term has exactly this value: bits, undefined bits and provenance.
    pub fn is(&mut self, f: &mut Formula, t: TermId, v: &Value) -> Lit {
        self.build(f, build::Job::Term(t));
        if let Some(hot) = self.hot.get(&t) {
            return hot.iter().find(|(value, _)| value == v).map_or(Lit::FALSE, |(_, lit)| *lit);
        }
        let set = self.set(t);
        match set.shape() {
            Some(shape) if set.contains(v) => self.bits(f, t).is(f, v, &shape),
            _ => Lit::FALSE,
        }
    }

    /// The literal that a term has an undefined bit.
    pub fn undefined(&mut self, f: &mut Formula, t: TermId) -> Lit {
        self.build(f, build::Job::Term(t));
        match self.hot.get(&t) {
            Some(hot) if hot.iter().all(|(value, _)| !value.is_defined()) => Lit::TRUE,
            Some(hot) => {
                let undefined = hot.iter().filter(|(value, _)| !value.is_defined());
                f.or(&undefined.map(|(_, lit)| *lit).collect::<Vec<_>>())
            }
            None => self.bits(f, t).any_undefined(f),
        }
    }

    /// The literal that one half of a term points into an object.
    pub fn points_into(&mut self, f: &mut Formula, t: TermId, region: RegionId) -> Lit {
        let own = Some(region);
        let lits: Vec<Lit> = match self.elements(t) {
            Some(values) => {
                let into = |value: &&Value| value.provenance == own || value.high == own;
                values.iter().filter(into).map(|value| self.is(f, t, value)).collect()
            }
            None => {
                let bits = self.bits(f, t);
                vec![bits::find(&bits.provenance, own), bits::find(&bits.high, own)]
            }
        };
        f.or(&lits)
    }

    /// Demands that two terms have exactly the same value where the condition holds: the value
    /// of a read and that of the write that it sees.
    pub fn equal_if(&mut self, f: &mut Formula, cond: Lit, a: TermId, b: TermId) {
        if a == b || cond == Lit::FALSE {
            return;
        }
        let many = [a, b].iter().any(|&t| self.set(t).few().is_none());
        if many {
            let (a, b) = (self.bits(f, a), self.bits(f, b));
            return Bits::equal_if(f, cond, &a, &b);
        }
        let (a, b) = (self.hot(f, a), self.hot(f, b));
        let find = |hot: &Hot, value: &Value| {
            hot.iter().find(|(v, _)| v == value).map_or(Lit::FALSE, |(_, lit)| *lit)
        };
        for (value, x) in a.iter() {
            f.clause(&[!cond, !*x, find(&b, value)]);
        }
        for (value, y) in b.iter() {
            f.clause(&[!cond, !*y, find(&a, value)]);
        }
    }

    /// The literal that two terms are defined and have the same bits, whatever their provenance.
    pub fn same_address(&mut self, f: &mut Formula, a: TermId, b: TermId) -> Lit {
        let key = (a.min(b), a.max(b));
        if let Some(&lit) = self.same_address.get(&key) {
            return lit;
        }
        let few = [a, b].iter().all(|&t| self.set(t).few().is_some());
        let lit = if a == b {
            !self.undefined(f, a)
        } else if few {
            let (a, b) = (self.hot(f, a), self.hot(f, b));
            table::agree(f, &a, &b, |v| v.is_defined().then_some(v.bits))
        } else {
            let (a, b) = (self.bits(f, a), self.bits(f, b));
            let mut parts = vec![super::circuit::equal(f, &a.ones, &b.ones)];
            parts.extend([!a.any_undefined(f), !b.any_undefined(f)]);
            f.and(&parts)
        };
        self.same_address.insert(key, lit);
        lit
    }

    /// The literal that the quotient (or remainder) of two terms does not exist.
    pub fn division_fails(&mut self, f: &mut Formula, op: BinaryOp, a: TermId, b: TermId) -> Lit {
        let pairs = match (self.set(a).few(), self.set(b).few()) {
            (Some(a), Some(b)) => a.len() * b.len(),
            _ => usize::MAX,
        };
        if pairs > LARGEST_TABLE {
            let (a, b) = (self.bits(f, a), self.bits(f, b));
            return operate::division_fails(f, op, &a, &b);
        }
        let (a, b) = (self.hot(f, a), self.hot(f, b));
        let fails = table::pairs(f, &a, &b, |a, b| a.binary(op, *b).is_err());
        fails.into_iter().find(|(fails, _)| *fails).map_or(Lit::FALSE, |(_, lit)| lit)
    }

    /// The literal of each value of a term that has few.
    fn hot(&mut self, f: &mut Formula, t: TermId) -> Rc<Hot> {
        self.build(f, build::Job::Term(t));
        if let Some(hot) = self.hot.get(&t) {
            return hot.clone();
        }
        let set = self.set(t);
        let (values, shape) = (set.few().expect("a term of few values"), set.shape());
        let bits = self.bits[&t].clone();
        let hot: Hot = match shape {
            Some(shape) => values.iter().map(|v| (*v, bits.is(f, v, &shape))).collect(),
            None => Hot::new(),
        };
        self.hot.entry(t).insert_entry(Rc::new(hot)).get().clone()
    }

    /// The bits of a term.
    /// Under a condition, two terms of the same width have the same value.
    pub fn same_if(&mut self, f: &mut Formula, condition: Lit, [a, b]: [TermId; 2]) {
        if let Some(values) = self.elements(a).filter(|_| self.elements(b).is_some()) {
            for value in values {
                let (here, there) = (self.is(f, a, &value), self.is(f, b, &value));
                f.clause(&[!condition, !here, there]);
            }
            return;
        }
        let [a, b] = [a, b].map(|term| self.bits(f, term));
        let pairs = a.ones.iter().zip(b.ones.iter()).chain(a.undef.iter().zip(b.undef.iter()));
        for (&x, &y) in pairs {
            f.clause(&[!condition, !x, y]);
            f.clause(&[!condition, x, !y]);
        }
    }

    fn bits(&mut self, f: &mut Formula, t: TermId) -> Rc<Bits> {
        self.build(f, build::Job::Term(t));
        if let Some(bits) = self.bits.get(&t) {
            return bits.clone();
        }
        let bits = Bits::one_of(f, self.bounded.terms.width(t), &self.hot[&t]);
        self.bits.entry(t).insert_entry(Rc::new(bits)).get().clone()
    }

    /// The values of a term as far as they have an effect on its form.
    fn set(&self, t: TermId) -> Set {
        let set = self.sets.of(&self.bounded, t).into_owned();
        let outside = || matches!(self.bounded.terms.term(t), Term::Input(_));
        if self.sets.tell_apart { set } else { set.blurred(outside()) }
    }
}
