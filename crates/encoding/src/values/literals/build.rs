//! Makes the literals of terms and guards, operands first.

use super::bits::Bits;
use super::table::Hot;
use super::{LARGEST_TABLE, Values, operate, table};
use crate::bounded::{Alternatives, Input};
use crate::guard::Guard;
use crate::term::{Term, TermId};
use crate::values::set::Set;
use crate::values::shape::Shape;
use crate::values::{circuit, evaluate, operands};
use ir::program::Width;
use ir::value::Value;
use sat::{Formula, Lit};
use std::rc::Rc;

/// Something to be made.
#[derive(Clone, Copy)]
pub enum Job {
    Term(TermId),
    Guard(Guard),
}

/// One of the two forms of a term.
enum Form {
    Hot(Hot),
    Bits(Bits),
}

impl Values {
    /// Makes something and everything that it needs; terms are nested too deeply for recursion.
    pub(super) fn build(&mut self, f: &mut Formula, job: Job) {
        let mut stack = vec![job];
        while let Some(&job) = stack.last() {
            let missing: Vec<Job> = match self.is_made(job) {
                true => Vec::new(),
                false => self.needs(job).into_iter().filter(|&need| !self.is_made(need)).collect(),
            };
            if missing.is_empty() {
                stack.pop();
                if !self.is_made(job) {
                    self.make(f, job);
                }
            }
            stack.extend(missing);
        }
    }

    fn is_made(&self, job: Job) -> bool {
        match job {
            Job::Term(t) => self.hot.contains_key(&t) || self.bits.contains_key(&t),
            Job::Guard(g) => self.guards.contains_key(&g),
        }
    }

    fn needs(&self, job: Job) -> Vec<Job> {
        match job {
            Job::Term(t) if self.set(t).few().is_some_and(|values| values.len() <= 1) => Vec::new(),
            Job::Term(t) => {
                let guard = match self.bounded.terms.term(t) {
                    Term::Ite(guard, ..) => Some(Job::Guard(*guard)),
                    _ => None,
                };
                operands(&self.bounded, t).map(Job::Term).chain(guard).collect()
            }
            Job::Guard(g) => match self.bounded.terms.guards.decision(g) {
                Some(d) => vec![Job::Term(d.condition), Job::Guard(d.high), Job::Guard(d.low)],
                None => Vec::new(),
            },
        }
    }

    fn make(&mut self, f: &mut Formula, job: Job) {
        match job {
            Job::Guard(g) => {
                if let Some(decision) = self.bounded.terms.guards.decision(g) {
                    let condition = self.truth(f, decision.condition);
                    let (high, low) = (self.guards[&decision.high], self.guards[&decision.low]);
                    let lit = f.ite(condition, high, low);
                    self.guards.insert(g, lit);
                }
            }
            Job::Term(t) => match self.form(f, t) {
                Form::Hot(mut hot) => {
                    hot.sort_unstable_by_key(|(value, _)| crate::values::set::key(value));
                    self.hot.insert(t, Rc::new(hot));
                }
                Form::Bits(bits) => {
                    self.bits.insert(t, Rc::new(bits));
                }
            },
        }
    }

    fn form(&mut self, f: &mut Formula, t: TermId) -> Form {
        let set = self.set(t);
        if let Some(values) = set.few()
            && values.len() <= 1
        {
            return Form::Hot(values.iter().map(|v| (*v, Lit::TRUE)).collect());
        }
        let term = self.bounded.terms.term(t).clone();
        match term {
            Term::Const(value) => Form::Hot(vec![(value, Lit::TRUE)]),
            Term::Input(input) => {
                let form = match &set {
                    Set::Few(values) => Form::Hot(table::fresh(f, values)),
                    Set::Many(shape) => Form::Bits(Bits::fresh(f, shape)),
                };
                let bounded = self.bounded.clone();
                if let Some(Input::Choice { from, .. }) = bounded.inputs.get(input) {
                    self.restrict(f, &form, self.bounded.terms.width(t), from);
                }
                if let (Form::Bits(bits), Some(values)) = (&form, self.elements(t)) {
                    self.keep_to(f, bits, &set, &values);
                }
                form
            }
            _ if self.prefers_table(&term, &set) => Form::Hot(self.tabulate(f, &term)),
            _ => Form::Bits(self.compute(f, &term)),
        }
    }

    /// Whether an operation on elements is cheaper than one on bits, or the only one there is.
    fn prefers_table(&self, term: &Term, result: &Set) -> bool {
        if term.is_float() {
            return true;
        }
        let sizes = |terms: &[TermId]| -> Option<Vec<usize>> {
            terms.iter().map(|&t| self.set(t).few().map(<[_]>::len)).collect()
        };
        let product = |terms: &[TermId]| {
            sizes(terms).is_some_and(|sizes| sizes.iter().product::<usize>() <= LARGEST_TABLE)
        };
        // A plain bit is its own bit-vector, and then there are gates for it.
        let plain = |t: TermId| {
            let width = self.bounded.terms.width(t);
            width == Width::BOOL && self.set(t).shape() == Some(Shape::any(width))
        };
        result.few().is_some()
            && match *term {
                Term::Const(_) | Term::Input(_) => true,
                Term::Unary(_, a) | Term::Cast(_, _, a) | Term::Below(a, _) => {
                    sizes(&[a]).is_some()
                }
                Term::Binary(_, a, b) => product(&[a, b]) && !(plain(a) && plain(b)),
                Term::Select(c, a, b) if plain(c) => sizes(&[a, b]).is_some(),
                Term::Select(_, a, b) => product(&[a, b]),
                Term::Ite(_, a, b) => sizes(&[a, b]).is_some(),
            }
    }

    fn tabulate(&mut self, f: &mut Formula, term: &Term) -> Hot {
        match *term {
            Term::Const(_) | Term::Input(_) => unreachable!("made elsewhere"),
            Term::Unary(op, a) => {
                let a = self.hot(f, a);
                table::map(f, &a, |a| a.unary(op))
            }
            Term::Cast(op, width, a) => {
                let a = self.hot(f, a);
                table::map(f, &a, |a| a.cast(op, width))
            }
            Term::Binary(op, a, b) if a == b => {
                let a = self.hot(f, a);
                table::map(f, &a, |a| evaluate::binary(op, *a, *a))
            }
            Term::Binary(op, a, b) => {
                let (a, b) = (self.hot(f, a), self.hot(f, b));
                table::binary(f, op, &a, &b)
            }
            Term::Select(c, a, b) => {
                let (c, a, b) = (self.hot(f, c), self.hot(f, a), self.hot(f, b));
                table::select(f, &c, &a, &b)
            }
            Term::Ite(guard, a, b) => {
                let (guard, a, b) = (self.guards[&guard], self.hot(f, a), self.hot(f, b));
                table::choose(f, guard, &a, &b)
            }
            Term::Below(a, end) => {
                let mut hot = self.hot(f, a).to_vec();
                hot.retain(|(value, _)| evaluate::is_below(value, end));
                hot
            }
        }
    }

    fn compute(&mut self, f: &mut Formula, term: &Term) -> Bits {
        match *term {
            Term::Const(_) | Term::Input(_) => unreachable!("made elsewhere"),
            Term::Unary(op, a) => {
                let a = self.bits(f, a);
                operate::unary(f, op, &a)
            }
            Term::Cast(op, width, a) => operate::cast(op, width, &self.bits(f, a)),
            Term::Binary(op, a, b) => {
                let (a, b) = (self.bits(f, a), self.bits(f, b));
                operate::binary(f, op, &a, &b)
            }
            Term::Select(c, a, b) => {
                let (c, a, b) = (self.bits(f, c), self.bits(f, a), self.bits(f, b));
                operate::select(f, &c, &a, &b)
            }
            Term::Ite(guard, a, b) => {
                let (guard, a, b) = (self.guards[&guard], self.bits(f, a), self.bits(f, b));
                Bits::choose(f, guard, &a, &b)
            }
            Term::Below(a, _) => (*self.bits(f, a)).clone(),
        }
    }

    /// Demands that an input whose values are not distinguished has one of them: otherwise values
    /// that justify themselves would come in.
    fn keep_to(&mut self, f: &mut Formula, bits: &Bits, set: &Set, values: &[Value]) {
        if let Some(shape) = set.shape() {
            let any: Vec<Lit> = values.iter().map(|value| bits.is(f, value, &shape)).collect();
            f.implies_any(&[], &any);
        }
    }

    /// Demands that a choice is made from its alternatives.
    fn restrict(&mut self, f: &mut Formula, form: &Form, width: Width, from: &Alternatives) {
        match (from, form) {
            (Alternatives::Any, _) | (Alternatives::Range(..), Form::Hot(_)) => {}
            (&Alternatives::Range(low, high), Form::Bits(bits)) => {
                let distance = high.wrapping_sub(low) as u128;
                if distance < width.mask() {
                    let size = width.bits() as usize;
                    let low = circuit::constant(size, Value::signed(width, low).bits);
                    let (offset, _) = circuit::sub(f, &bits.ones, &low);
                    let beyond = circuit::less(f, &circuit::constant(size, distance), &offset);
                    f.clause(&[!beyond]);
                }
            }
            (Alternatives::Terms(terms), form) => {
                let constants = terms.iter().all(|&t| self.bounded.terms.constant(t).is_some());
                if constants && matches!(form, Form::Hot(_)) {
                    return;
                }
                let which: Vec<Lit> = terms.iter().map(|_| f.fresh()).collect();
                f.implies_any(&[], &which);
                for (&t, &chosen) in terms.iter().zip(&which) {
                    self.equal_to(f, chosen, form, t);
                }
            }
        }
    }

    /// Demands that a new input equals a term where it was chosen.
    fn equal_to(&mut self, f: &mut Formula, chosen: Lit, form: &Form, t: TermId) {
        match form {
            Form::Bits(bits) => {
                let other = self.bits(f, t);
                Bits::equal_if(f, chosen, bits, &other);
            }
            Form::Hot(hot) => {
                let other = self.hot(f, t);
                for (value, lit) in hot {
                    let same = other.iter().find(|(v, _)| v == value);
                    f.clause(&[!chosen, !*lit, same.map_or(Lit::FALSE, |(_, lit)| *lit)]);
                }
            }
        }
    }
}
