//! Symbolic values: a shared graph of pure operations over inputs.
//!
//! Equal terms are stored once and an operation on constants is a constant, computed by
//! [`ir::value`], so the meaning of every operation is the load-store language's own. A term's
//! operands have smaller ids. Simplification never changes a value, its undefined bits or its
//! provenance; dependencies are tracked next to terms, from the program as written.

use crate::guard::{Guard, Guards};
use execution::id;
use execution::ids::IdVec;
use ir::op::{BinaryOp, CastOp, RmwOp, UnaryOp};
use ir::program::Width;
use ir::value::Value;
use rustc_hash::FxHashMap;

id! {
    /// A term.
    pub struct TermId("t");
}

id! {
    /// A value that comes from outside a thread.
    pub struct InputId("in");
}

/// Two values that are constant on all paths are compared constant by constant up to this many
/// pairs.
const MOST_COMPARED: usize = 64;

/// A symbolic value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// This value.
    Const(Value),
    /// What a read returned or a choice gave.
    Input(InputId),
    /// `op a`
    Unary(UnaryOp, TermId),
    /// `a op b`. A division without a quotient is undefined here; that it is wrong is a
    /// [check](crate::bounded::Check).
    Binary(BinaryOp, TermId, TermId),
    /// `a` in another width.
    Cast(CastOp, Width, TermId),
    /// `cond ? a : b` of the program; the condition may be undefined (see [`Value::select`]).
    Select(TermId, TermId, TermId),
    /// `a` on the paths of the guard, `b` on the others.
    Ite(Guard, TermId, TermId),
    /// `a`, which is less than this number: otherwise its thread has stopped.
    Below(TermId, u64),
}

impl Term {
    /// Whether it is an operation on floating-point numbers.
    pub fn is_float(&self) -> bool {
        matches!(
            self,
            Term::Unary(UnaryOp::Float(_), _)
                | Term::Binary(BinaryOp::Float(_), ..)
                | Term::Cast(CastOp::Float(_), ..)
        )
    }
}

/// All terms of a program, and the guards over them.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: IdVec<TermId, (Term, Width)>,
    unique: FxHashMap<Term, TermId>,
    inputs: IdVec<InputId, TermId>,
    /// The guards.
    pub guards: Guards,
}

impl Terms {
    /// A term's operation.
    pub fn term(&self, id: TermId) -> &Term {
        &self.nodes[id].0
    }

    /// A term's width.
    pub fn width(&self, id: TermId) -> Width {
        self.nodes[id].1
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All terms, operands first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = TermId> + ExactSizeIterator + use<> {
        self.nodes.ids()
    }

    /// The constant that a term is, if it is one.
    pub fn constant(&self, id: TermId) -> Option<Value> {
        match self.nodes[id].0 {
            Term::Const(value) => Some(value),
            _ => None,
        }
    }

    /// A constant.
    pub fn value(&mut self, value: Value) -> TermId {
        self.add(Term::Const(value), value.width)
    }

    /// A new input.
    pub fn input(&mut self, width: Width) -> (InputId, TermId) {
        let input = self.inputs.next_id();
        let term = self.add(Term::Input(input), width);
        self.inputs.push(term);
        (input, term)
    }

    /// The term that is an input.
    pub fn input_term(&self, input: InputId) -> TermId {
        self.inputs[input]
    }

    /// How many inputs there are.
    pub fn input_count(&self) -> usize {
        self.inputs.len()
    }

    /// `op a`.
    pub fn unary(&mut self, op: UnaryOp, a: TermId) -> TermId {
        match (op, self.term(a)) {
            (_, Term::Const(value)) => {
                let value = value.unary(op);
                self.value(value)
            }
            (UnaryOp::Not, Term::Unary(UnaryOp::Not, inner)) => *inner,
            _ => self.add(Term::Unary(op, a), self.width(a)),
        }
    }

    /// `a op b`.
    pub fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        if let (Some(x), Some(y)) = (self.constant(a), self.constant(b)) {
            let width = if op.is_comparison() { Width::BOOL } else { x.width };
            return self.value(x.binary(op, y).unwrap_or(Value::undef(width)));
        }
        if let Some(simpler) = self.narrow_test(op, a, b) {
            return simpler;
        }
        if let Some(merged) = self.comparison_of_merge(op, a, b) {
            return merged;
        }
        let width = if op.is_comparison() { Width::BOOL } else { self.width(a) };
        self.add(Term::Binary(op, a, b), width)
    }

    /// A comparison of a constant with a value that is constant on some of its paths is decided on
    /// those paths; one of two values that are constant on all paths, and few, on all. One of a value
    /// with what it is on some of its paths (what a compare-and-swap gives with what it compares) is
    /// made on each.
    fn comparison_of_merge(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
        if !op.is_comparison() {
            return None;
        }
        let known = |id| self.constant(id).is_some();
        let decided = |id| match *self.term(id) {
            Term::Ite(_, x, y) => known(x) || known(y) || self.constants(id).is_some(),
            _ => false,
        };
        let has_part = |id, part| match *self.term(id) {
            Term::Ite(_, x, y) => x == part || y == part,
            _ => false,
        };
        let first = match (known(a), known(b)) {
            (false, false) if has_part(a, b) => true,
            (false, false) if has_part(b, a) && matches!(op, BinaryOp::Eq | BinaryOp::Ne) => {
                return Some(self.binary(op, b, a));
            }
            (false, true) if decided(a) => true,
            (true, false) if decided(b) => false,
            (false, false) if self.constants(a)? * self.constants(b)? <= MOST_COMPARED => true,
            _ => return None,
        };
        let Term::Ite(guard, x, y) = *self.term(if first { a } else { b }) else { return None };
        let [x, y] = [x, y].map(|part| match first {
            true => self.binary(op, part, b),
            false => self.binary(op, a, part),
        });
        Some(self.ite(guard, x, y))
    }

    /// How many constants a value is one of, if it is that on all paths, and they are few.
    fn constants(&self, id: TermId) -> Option<usize> {
        let (mut count, mut open) = (0, vec![id]);
        while let Some(id) = open.pop() {
            match *self.term(id) {
                Term::Const(_) => count += 1,
                Term::Ite(_, x, y) => open.extend([x, y]),
                _ => return None,
            }
            if count + open.len() > MOST_COMPARED {
                return None;
            }
        }
        Some(count)
    }

    /// `ext(a) == 5` is `a == 5` if `a` can be that, and a bit is its own test: how C compares what
    /// is narrow.
    fn narrow_test(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return None;
        }
        let (wide, value) = match (self.constant(a), self.constant(b)) {
            (None, Some(value)) => (a, value),
            (Some(value), None) => (b, value),
            _ => return None,
        };
        let Term::Cast(cast @ (CastOp::ZeroExtend | CastOp::SignExtend), _, inner) =
            *self.term(wide)
        else {
            return None;
        };
        let width = self.width(inner);
        let narrow = value.cast(CastOp::Truncate, width);
        let is_number = value.is_defined() && value.provenance.is_none() && value.high.is_none();
        if !is_number || narrow.cast(cast, value.width) != value {
            return None;
        }
        if width != Width::BOOL {
            let narrow = self.value(narrow);
            return Some(self.binary(op, inner, narrow));
        }
        match (op == BinaryOp::Eq) == narrow.is_zero() {
            true => Some(self.unary(UnaryOp::Not, inner)),
            false => Some(inner),
        }
    }

    /// `a` in another width, or as another kind of number.
    pub fn cast(&mut self, op: CastOp, width: Width, a: TermId) -> TermId {
        if self.width(a) == width && !matches!(op, CastOp::Float(_)) {
            return a;
        }
        match self.constant(a) {
            Some(value) => self.value(value.cast(op, width)),
            None => self.add(Term::Cast(op, width, a), width),
        }
    }

    /// `cond ? a : b` of the program.
    pub fn select(&mut self, cond: TermId, a: TermId, b: TermId) -> TermId {
        match self.constant(cond) {
            Some(c) if c.is_defined() => {
                if c.bits != 0 {
                    a
                } else {
                    b
                }
            }
            _ if a == b => a,
            _ => self.add(Term::Select(cond, a, b), self.width(a)),
        }
    }

    /// `a` where the guard holds, else `b`.
    pub fn ite(&mut self, guard: Guard, a: TermId, b: TermId) -> TermId {
        match guard {
            Guard::TRUE => a,
            Guard::FALSE => b,
            _ if a == b => a,
            _ => self.add(Term::Ite(guard, a, b), self.width(a)),
        }
    }

    /// `a`, where it is less than a number.
    pub fn below(&mut self, a: TermId, end: u64) -> TermId {
        match self.constant(a) {
            Some(_) => a,
            None => self.add(Term::Below(a, end), self.width(a)),
        }
    }

    /// What a read-modify-write stores over `old`.
    pub fn rmw(&mut self, op: RmwOp, old: TermId, operand: TermId) -> TermId {
        use BinaryOp::*;
        let binary = match op {
            RmwOp::Exchange => return operand,
            RmwOp::Add => Add,
            RmwOp::Sub => Sub,
            RmwOp::And | RmwOp::Nand => And,
            RmwOp::Or => Or,
            RmwOp::Xor => Xor,
            RmwOp::Max | RmwOp::Min => Slt,
            RmwOp::UMax | RmwOp::UMin => Ult,
        };
        let result = self.binary(binary, old, operand);
        match op {
            RmwOp::Nand => self.unary(UnaryOp::Not, result),
            RmwOp::Max | RmwOp::UMax => self.select(result, operand, old),
            RmwOp::Min | RmwOp::UMin => self.select(result, old, operand),
            _ => result,
        }
    }

    /// The guard that is true iff a term of one bit is 1.
    pub fn truth(&mut self, bit: TermId) -> Guard {
        match *self.term(bit) {
            Term::Const(value) => {
                if value.bits != 0 {
                    Guard::TRUE
                } else {
                    Guard::FALSE
                }
            }
            // The opposite of an undefined bit is undefined too, but a branch on one is wrong
            // whichever way it goes.
            Term::Unary(UnaryOp::Not, inner) => {
                let inner = self.truth(inner);
                self.guards.not(inner)
            }
            Term::Ite(guard, a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                self.guards.ite(guard, a, b)
            }
            // So is the comparison of an undefined value with itself.
            Term::Binary(BinaryOp::Eq, a, b) if a == b => Guard::TRUE,
            Term::Binary(BinaryOp::Ne, a, b) if a == b => Guard::FALSE,
            _ => self.guards.condition(bit),
        }
    }

    /// What a value is on the paths of a guard, where that decides which of two it is.
    pub fn on_paths(&mut self, guard: Guard, mut id: TermId) -> TermId {
        while let Term::Ite(condition, a, b) = *self.term(id) {
            id = match guard {
                _ if self.guards.implies(guard, condition) => a,
                _ if self.guards.exclude(guard, condition) => b,
                _ => break,
            };
        }
        id
    }

    /// The guard that is true iff the bits of a term are those of `value`, which is defined.
    pub fn equals(&mut self, id: TermId, value: Value) -> Guard {
        match *self.term(id) {
            Term::Const(constant) if constant.bits == value.bits => Guard::TRUE,
            Term::Const(_) => Guard::FALSE,
            Term::Ite(guard, a, b) => {
                let (a, b) = (self.equals(a, value), self.equals(b, value));
                self.guards.ite(guard, a, b)
            }
            _ => {
                let value = self.value(value.without_provenance());
                let equal = self.binary(BinaryOp::Eq, id, value);
                self.truth(equal)
            }
        }
    }

    fn add(&mut self, term: Term, width: Width) -> TermId {
        let next = self.nodes.next_id();
        let id = *self.unique.entry(term.clone()).or_insert(next);
        if id == next {
            self.nodes.push((term, width));
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a comparison of an extended byte with a number is one of the byte.
    fn is_narrow(op: BinaryOp, cast: CastOp, number: i128) -> bool {
        let mut terms = Terms::default();
        let (_, byte) = terms.input(Width::I8);
        let wide = terms.cast(cast, Width::I32, byte);
        let number = terms.value(Value::signed(Width::I32, number));
        let [test, mirrored] = [terms.binary(op, wide, number), terms.binary(op, number, wide)];
        let narrow = |test: TermId| matches!(*terms.term(test), Term::Binary(_, a, _) if a == byte);
        assert!(narrow(test) == narrow(mirrored) || !matches!(op, BinaryOp::Eq | BinaryOp::Ne));
        narrow(test)
    }

    #[test]
    fn what_is_narrow_is_compared_as_such() {
        let (signed, unsigned) = (CastOp::SignExtend, CastOp::ZeroExtend);
        for op in [BinaryOp::Eq, BinaryOp::Ne] {
            assert!(is_narrow(op, signed, 7) && is_narrow(op, signed, -7));
            assert!(is_narrow(op, unsigned, 7) && is_narrow(op, unsigned, 200));
            assert!(!is_narrow(op, signed, 200) && !is_narrow(op, unsigned, -7));
            assert!(!is_narrow(op, unsigned, 256) && !is_narrow(op, signed, 256));
        }
        assert!(!is_narrow(BinaryOp::Slt, signed, 7));
    }

    #[test]
    fn what_a_swap_gives_is_what_it_compares_where_it_succeeds() {
        let mut terms = Terms::default();
        let [old, compared] = [0, 1].map(|_| terms.input(Width::I64).1);
        let equal = terms.binary(BinaryOp::Eq, old, compared);
        let done = terms.truth(equal);
        let seen = terms.ite(done, compared, old);
        for (a, b) in [(seen, compared), (compared, seen)] {
            let same = terms.binary(BinaryOp::Eq, a, b);
            assert_eq!(terms.truth(same), done);
        }
        assert_eq!(terms.guards.conditions(), [equal], "no other condition is needed");
        let failed = terms.guards.not(done);
        assert_eq!((terms.on_paths(done, seen), terms.on_paths(failed, seen)), (compared, old));
        assert_eq!(terms.on_paths(Guard::TRUE, seen), seen);
    }

    #[test]
    fn a_bit_is_its_own_test() {
        let mut terms = Terms::default();
        let (_, bit) = terms.input(Width::BOOL);
        let wide = terms.cast(CastOp::ZeroExtend, Width::I32, bit);
        let [zero, one] = [0, 1].map(|number| terms.value(Value::int(Width::I32, number)));
        let opposite = terms.unary(UnaryOp::Not, bit);
        assert_eq!(terms.binary(BinaryOp::Ne, wide, zero), bit);
        assert_eq!(terms.binary(BinaryOp::Eq, one, wide), bit);
        assert_eq!(terms.binary(BinaryOp::Eq, wide, zero), opposite);
        assert_eq!(terms.binary(BinaryOp::Ne, wide, one), opposite);
    }
}
