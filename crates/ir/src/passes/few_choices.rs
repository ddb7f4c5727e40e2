//! Choices among very many values of which only a few are distinguishable.
//!
//! A number that may be anything, and that a function only compares with constants, falls into few
//! classes: those between two constants. One number of each class stands for the others, so that a
//! loop such as `while (nondet_int()) switch (nondet_int()) …` has few states. A number of which only
//! the remainder by a constant, or some bits, are used needs one value for each of these.
//!
//! Numbers that go anywhere else (to memory, into a call, into other arithmetic) stay as they are.
//!
//! Soundness S-135 (verify; sc, tso; misses): Of a choice among all numbers of which only
//! comparisons with constants, a remainder or some bits are used, one number of each class is
//! tried; an error in the classes would lose executions. Test:
//! crates/ir/src/passes/few_choices.rs::what_is_compared_with_constants_falls_into_few_classes,
//! crates/fencepost/tests/verify.rs::choices_that_are_only_compared_need_no_bounds.

use crate::op::{BinaryOp, Choice, Op, Operand, Terminator};
use crate::program::{Function, Program, Reg, Width};
use execution::ids::IdVec;
use std::collections::BTreeSet;

/// No more values than this stand for all.
const MOST: usize = 256;

/// The program, with fewer values to choose from where that makes no difference.
pub(crate) fn few_choices(mut program: Program) -> Program {
    for function in program.functions.iter_mut() {
        let uses = Uses::of(function);
        for block in function.blocks.iter_mut() {
            for inst in &mut block.insts {
                if let Op::Choose { dst, from: from @ Choice::Any } = &mut inst.op
                    && let Some(values) = uses.representatives(*dst, function.regs[*dst].width)
                {
                    let width = function.regs[*dst].width;
                    let value = |bits| Operand::int(width, bits);
                    *from = Choice::Set(values.into_iter().map(value).collect());
                }
            }
        }
    }
    program
}

/// What becomes of a register's value.
#[derive(Clone, Debug)]
enum Use {
    /// It is compared with this.
    Compared(u128),
    /// It falls into this case of a switch.
    Case(u128, u128),
    /// It is copied.
    Copied(Reg),
    /// Its remainder by this is computed, as that of a signed number or not.
    Remainder(u128, bool),
    /// These bits are taken.
    Masked(u128),
    /// Something else.
    Other,
}

/// What becomes of the values of all registers of a function.
struct Uses {
    of: IdVec<Reg, Vec<Use>>,
    /// How many instructions write each register.
    writes: IdVec<Reg, u32>,
}

impl Uses {
    fn of(function: &Function) -> Self {
        let count = function.regs.len();
        let mut uses = Self {
            of: (0..count).map(|_| Vec::new()).collect(),
            writes: (0..count).map(|_| 0).collect(),
        };
        for &param in &function.params {
            uses.writes[param] += 1;
        }
        for block in function.blocks.iter() {
            for inst in &block.insts {
                uses.instruction(&inst.op);
            }
            uses.terminator(&block.terminator);
        }
        uses
    }

    fn note(&mut self, operand: &Operand, how: Use) {
        if let Operand::Reg(reg) = operand {
            self.of[*reg].push(how);
        }
    }

    fn instruction(&mut self, op: &Op) {
        for reg in op.results() {
            self.writes[reg] += 1;
        }
        match op {
            Op::Copy { dst, src } => self.note(src, Use::Copied(*dst)),
            Op::Binary { op, a, b, .. } => {
                let constant = |operand: &Operand| match operand {
                    Operand::Int { bits, .. } => Some(*bits),
                    _ => None,
                };
                self.note(a, constant(b).map_or(Use::Other, |bits| used(*op, bits, true)));
                self.note(b, constant(a).map_or(Use::Other, |bits| used(*op, bits, false)));
            }
            _ => {
                for operand in op.operands() {
                    self.note(operand, Use::Other);
                }
            }
        }
    }

    fn terminator(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Switch { value, cases, .. } => {
                for case in cases {
                    self.note(value, Use::Case(case.low, case.high));
                }
            }
            other => {
                for operand in other.operands() {
                    self.note(operand, Use::Other);
                }
            }
        }
    }

    /// Values of which each stands for those that the function cannot distinguish from it; none if
    /// they are too many, or if it is not known which.
    fn representatives(&self, chosen: Reg, width: Width) -> Option<BTreeSet<u128>> {
        let all = self.uses_of(chosen)?;
        let mask = u128::MAX >> (128 - width.bits());
        // The numbers at which a class begins, in the order of unsigned numbers; signed ones are in
        // order on either side of the least one.
        let mut starts = BTreeSet::from([0, (mask >> 1) + 1]);
        match all[..] {
            [Use::Remainder(by, signed)] => {
                if by == 0 || by > MOST as u128 {
                    return None;
                }
                starts.extend(0..by);
                if signed {
                    starts.extend((1..by).map(|number| number.wrapping_neg() & mask));
                }
            }
            [Use::Masked(bits)] => {
                if bits.count_ones() > MOST.ilog2() {
                    return None;
                }
                // All parts of a set of bits, by counting through them.
                let mut part = bits & mask;
                while part != 0 {
                    starts.insert(part);
                    part = (part - 1) & bits & mask;
                }
            }
            _ => {
                for how in all {
                    let (low, high) = match how {
                        Use::Compared(number) => (number, number),
                        Use::Case(low, high) => (low, high),
                        _ => return None,
                    };
                    starts.extend([low & mask, high.wrapping_add(1) & mask]);
                }
            }
        }
        (starts.len() <= MOST).then_some(starts)
    }

    /// What becomes of a value and of its copies; none if other values may be in their registers.
    fn uses_of(&self, reg: Reg) -> Option<Vec<Use>> {
        let (mut all, mut open) = (Vec::new(), vec![reg]);
        while let Some(reg) = open.pop() {
            if self.writes[reg] != 1 {
                return None;
            }
            for how in &self.of[reg] {
                match how {
                    Use::Copied(copy) => open.push(*copy),
                    other => all.push(other.clone()),
                }
            }
        }
        Some(all)
    }
}

/// What an operation with a constant says about its other operand, which is the first or not.
fn used(op: BinaryOp, constant: u128, first: bool) -> Use {
    match op {
        BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Ult
        | BinaryOp::Ule
        | BinaryOp::Slt
        | BinaryOp::Sle => Use::Compared(constant),
        BinaryOp::And => Use::Masked(constant),
        BinaryOp::URem if first => Use::Remainder(constant, false),
        BinaryOp::SRem if first => Use::Remainder(constant, true),
        _ => Use::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::ids::Id;

    fn uses(list: Vec<Use>) -> Option<Vec<u128>> {
        let of = [list].into_iter().collect();
        let uses = Uses { of, writes: [1].into_iter().collect() };
        uses.representatives(Reg::new(0), Width::I32).map(|values| values.into_iter().collect())
    }

    #[test]
    fn what_is_compared_with_constants_falls_into_few_classes() {
        let least = 0x8000_0000;
        assert_eq!(uses(vec![]), Some(vec![0, least]));
        assert_eq!(uses(vec![Use::Compared(0)]), Some(vec![0, 1, least]));
        let both = vec![Use::Compared(0), Use::Compared(5)];
        assert_eq!(uses(both), Some(vec![0, 1, 5, 6, least]));
        assert_eq!(uses(vec![Use::Case(3, 4)]), Some(vec![0, 3, 5, least]));
        let negative = vec![Use::Compared(0xffff_ffff)];
        assert_eq!(uses(negative), Some(vec![0, least, 0xffff_ffff]));
    }

    #[test]
    fn remainders_and_bits_have_one_value_each() {
        let least = 0x8000_0000;
        assert_eq!(uses(vec![Use::Remainder(3, false)]), Some(vec![0, 1, 2, least]));
        let signed = vec![0, 1, least, 0xffff_ffff];
        assert_eq!(uses(vec![Use::Remainder(2, true)]), Some(signed));
        assert_eq!(uses(vec![Use::Masked(5)]), Some(vec![0, 1, 4, 5, least]));
        assert_eq!(uses(vec![Use::Masked(0xffff)]), None);
    }

    #[test]
    fn what_goes_elsewhere_stays_as_it_is() {
        assert_eq!(uses(vec![Use::Other]), None);
        assert_eq!(uses(vec![Use::Masked(1), Use::Compared(0)]), None);
    }
}
