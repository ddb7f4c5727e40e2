//! On which paths a variable has the value again that it had before an iteration.
//!
//! A loop that waits often keeps what it has read in a variable that its condition looks at: `while
//! (seen == 0) seen = flag;`. An iteration that comes back has found in `seen` the value that was
//! there before, but another read of it. So values are compared here, not where they come from.
//! (What depends on the earlier read instead of the later one is ordered less.)
//!
//! Where comparisons with constants have shown what the value was, it is compared with that.
//! Otherwise (`while (seen < 5) seen = flag;`) two reads of one address, or what was computed from
//! them in the same way, are compared with each other. Other values are taken to differ: code that
//! follows a list does not wait, and to ask whether an element is its own successor would cost
//! something.
//!
//! To take different values for the same would drop iterations that matter, which could miss a
//! violation. Numbers of different objects differ, unless freed blocks are used again.
//!
//! Soundness S-081 (check, verify; rmo; misses): An iteration that reads the same value again is
//! dropped, and what depends on it then depends on the earlier read; on `rmo`, which may swap plain
//! reads of one location, an execution could be lost in which the two reads see different stores of
//! one value (none is known). Test:
//! crates/fencepost/tests/effort.rs::a_loop_that_waits_may_keep_what_it_reads,
//! crates/encoding/src/unroll/unchanged.rs::another_term_is_not_known.

use super::UnrollOptions;
use crate::bounded::{Action, ActionId, ActionKind, Bounded, Input};
use crate::guard::Guard;
use crate::term::{InputId, Term, TermId, Terms};
use execution::ids::IdVec;
use ir::op::{BinaryOp, UnaryOp};
use ir::program::Width;
use ir::value::Value;

/// How many terms of one computation are compared with those of another one.
const MOST_COMPARED: u32 = 32;

/// What is known about values.
#[derive(Clone, Copy)]
pub struct Knowledge<'a> {
    /// What comparisons have shown during the iteration.
    comparisons: &'a [Comparison],
    inputs: &'a IdVec<InputId, Input>,
    actions: &'a IdVec<ActionId, Action>,
    /// Whether an address may be that of several objects.
    reuse: bool,
}

impl<'a> Knowledge<'a> {
    /// What is known about the terms of a program, and these.
    pub fn of(
        program: &'a mut Bounded,
        comparisons: &'a [Comparison],
        options: &UnrollOptions,
    ) -> (&'a mut Terms, Self) {
        let Bounded { terms, inputs, actions, .. } = program;
        (terms, Self { comparisons, inputs, actions, reuse: options.reuse_blocks })
    }

    /// The paths of a guard on which two values are surely the same.
    pub fn same(&self, terms: &mut Terms, [new, old]: [TermId; 2], guard: Guard) -> Guard {
        if let Some(value) = known(terms, old, (self.comparisons, guard)) {
            return holds(terms, new, value);
        }
        let mut left = MOST_COMPARED;
        let widest = if self.reuse { Width::I32 } else { Width::I64 };
        if terms.width(old) > widest || !self.alike(terms, new, old, &mut left) {
            return Guard::FALSE;
        }
        let [equal, new, old] = [(new, old), (new, new), (old, old)].map(|(a, b)| {
            let equal = terms.binary(BinaryOp::Eq, a, b);
            terms.truth(equal)
        });
        // An undefined value does not equal itself.
        let defined = terms.guards.and(new, old);
        terms.guards.and(equal, defined)
    }

    /// Whether two values are computed in the same way from reads of the same addresses, as far as
    /// that can be seen in this many comparisons.
    fn alike(&self, terms: &Terms, a: TermId, b: TermId, left: &mut u32) -> bool {
        let Some(fewer) = left.checked_sub(1) else { return false };
        *left = fewer;
        let mut both =
            |pairs: &[(TermId, TermId)]| pairs.iter().all(|&(a, b)| self.alike(terms, a, b, left));
        match (terms.term(a), terms.term(b)) {
            _ if a == b => true,
            (Term::Input(a), Term::Input(b)) => {
                let [a, b] = [*a, *b].map(|input| self.address(input));
                a.is_some() && a == b
            }
            (Term::Unary(op, a), Term::Unary(other, b)) => op == other && both(&[(*a, *b)]),
            (Term::Cast(op, _, a), Term::Cast(other, _, b)) => op == other && both(&[(*a, *b)]),
            (Term::Binary(op, a, c), Term::Binary(other, b, d)) => {
                op == other && both(&[(*a, *b), (*c, *d)])
            }
            (Term::Below(a, _), _) => both(&[(*a, b)]),
            (_, Term::Below(b, _)) => both(&[(a, *b)]),
            (Term::Ite(_, first, second), _) => both(&[(*first, b), (*second, b)]),
            (_, Term::Ite(_, first, second)) => both(&[(a, *first), (a, *second)]),
            _ => false,
        }
    }

    /// Where an input was read.
    fn address(&self, input: InputId) -> Option<TermId> {
        let Input::Read(action) = self.inputs[input] else { return None };
        match &self.actions[action].kind {
            ActionKind::Read { access, .. } => Some(access.address),
            _ => None,
        }
    }
}

/// On these paths a term has this value.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    paths: Guard,
    term: TermId,
    value: Value,
}

impl Comparison {
    /// What a condition tells, on the paths on which it decides so.
    pub fn by(terms: &mut Terms, condition: TermId) -> Option<Self> {
        let compared = match *terms.term(condition) {
            Term::Unary(UnaryOp::Not, inner) => inner,
            _ => condition,
        };
        let Term::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) = *terms.term(compared) else {
            return None;
        };
        let (term, value) = match (terms.constant(a), terms.constant(b)) {
            (None, Some(value)) => solved(terms, a, value)?,
            (Some(value), None) => solved(terms, b, value)?,
            _ => return None,
        };
        let holds = terms.truth(compared);
        let paths = if op == BinaryOp::Eq { holds } else { terms.guards.not(holds) };
        is_number(value).then_some(Self { paths, term, value })
    }
}

/// What the term is that `term` is computed from by adding or subtracting a constant, if `term` is
/// `value`.
fn solved(terms: &Terms, mut term: TermId, mut value: Value) -> Option<(TermId, Value)> {
    while let Term::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) = *terms.term(term) {
        (term, value) = match (op, terms.constant(a), terms.constant(b)) {
            (BinaryOp::Add, None, Some(other)) => (a, value.binary(BinaryOp::Sub, other).ok()?),
            (BinaryOp::Add, Some(other), None) => (b, value.binary(BinaryOp::Sub, other).ok()?),
            (BinaryOp::Sub, None, Some(other)) => (a, value.binary(BinaryOp::Add, other).ok()?),
            (BinaryOp::Sub, Some(other), None) => (b, other.binary(BinaryOp::Sub, value).ok()?),
            _ => break,
        };
    }
    Some((term, value))
}

/// The number that a term is on all paths of a guard.
fn known(
    terms: &mut Terms,
    term: TermId,
    (comparisons, guard): (&[Comparison], Guard),
) -> Option<Value> {
    if let Some(value) = terms.constant(term) {
        return is_number(value).then_some(value);
    }
    let about = comparisons.iter().rev().filter(|one| one.term == term);
    about.copied().find(|one| terms.guards.implies(guard, one.paths)).map(|one| one.value)
}

/// The paths on which a term is surely this number.
fn holds(terms: &mut Terms, term: TermId, value: Value) -> Guard {
    let constant = terms.value(value);
    let equal = terms.binary(BinaryOp::Eq, term, constant);
    let holds = terms.truth(equal);
    if matches!(terms.term(equal), Term::Binary(..)) {
        return holds;
    }
    // The opposite of an undefined bit is true as a guard; a comparison with itself is not.
    let itself = terms.binary(BinaryOp::Eq, term, term);
    let is_defined = terms.truth(itself);
    terms.guards.and(holds, is_defined)
}

/// Whether a value is defined and no address.
fn is_number(value: Value) -> bool {
    value.is_defined() && value.provenance.is_none() && value.high.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounded::{Alternatives, Moment};
    use execution::event::ThreadId;
    use execution::ids::Id;

    fn number(terms: &mut Terms, number: u128) -> TermId {
        terms.value(Value::int(Width::I32, number))
    }

    /// What `left op right` tells about an input, where it is true and where it is false; the input
    /// takes part in `left`.
    fn known_after(
        op: BinaryOp,
        left: impl Fn(&mut Terms, TermId) -> TermId,
        right: u128,
    ) -> [Option<u64>; 2] {
        let mut terms = Terms::default();
        let (_, input) = terms.input(Width::I32);
        let left = left(&mut terms, input);
        let right = number(&mut terms, right);
        let condition = terms.binary(op, left, right);
        let comparisons: Vec<Comparison> =
            Comparison::by(&mut terms, condition).into_iter().collect();
        let holds = terms.truth(condition);
        let fails = terms.guards.not(holds);
        [holds, fails].map(|guard| known(&mut terms, input, (&comparisons, guard)).map(|v| v.low()))
    }

    #[test]
    fn a_comparison_tells_a_value_on_one_of_its_ways() {
        let itself = |_: &mut Terms, input| input;
        assert_eq!(known_after(BinaryOp::Eq, itself, 7), [Some(7), None]);
        assert_eq!(known_after(BinaryOp::Ne, itself, 7), [None, Some(7)]);
        assert_eq!(known_after(BinaryOp::Slt, itself, 7), [None, None]);
    }

    #[test]
    fn what_is_added_or_subtracted_is_taken_back() {
        let more = |terms: &mut Terms, input| {
            let one = number(terms, 1);
            terms.binary(BinaryOp::Add, input, one)
        };
        assert_eq!(known_after(BinaryOp::Eq, more, 0), [Some(u64::from(u32::MAX)), None]);
        let from_ten = |terms: &mut Terms, input| {
            let ten = number(terms, 10);
            terms.binary(BinaryOp::Sub, ten, input)
        };
        assert_eq!(known_after(BinaryOp::Eq, from_ten, 3), [Some(7), None]);
        let twice = |terms: &mut Terms, input| terms.binary(BinaryOp::Add, input, input);
        assert_eq!(known_after(BinaryOp::Eq, twice, 6), [None, None]);
    }

    /// Only what is read can be waited for.
    #[test]
    fn choices_are_not_compared() {
        let mut program = Bounded::default();
        let inputs = [(); 2].map(|()| {
            let moment = Moment { thread: ThreadId::new(0), guard: Guard::TRUE, sequence: 0 };
            program.inputs.push(Input::Choice { from: Alternatives::Any, moment });
            program.terms.input(Width::I32).1
        });
        let (terms, knowledge) = Knowledge::of(&mut program, &[], &UnrollOptions::default());
        assert_eq!(knowledge.same(terms, inputs, Guard::TRUE), Guard::FALSE);
    }

    #[test]
    fn another_term_is_not_known() {
        let mut terms = Terms::default();
        let [(_, a), (_, b)] = [terms.input(Width::I32), terms.input(Width::I32)];
        let three = number(&mut terms, 3);
        let condition = terms.binary(BinaryOp::Eq, a, three);
        let comparisons = [Comparison::by(&mut terms, condition).expect("a value")];
        let holds = terms.truth(condition);
        assert!(known(&mut terms, b, (&comparisons, holds)).is_none());
        assert!(known(&mut terms, a, (&comparisons, Guard::TRUE)).is_none());
        assert_eq!(known(&mut terms, three, (&[], Guard::TRUE)), Some(Value::int(Width::I32, 3)));
    }
}
