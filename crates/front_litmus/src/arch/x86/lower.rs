//! What x86 instructions do.
//!
//! Writing 8 or 16 bits of a register keeps the others, so the result depends on what was there;
//! writing 32 bits clears the upper half. The parity flag is not kept, and shifts and products
//! clear the carry flag, which on the machine they may set.
//!
//! Soundness S-150 (litmus; all; misses): The parity flag of x86 is not kept, and shifts and
//! products clear the carry flag. Test:
//! crates/fencepost/tests/approximations.rs::a_shift_clears_the_carry_flag.

use super::{Argument, Does, Instruction, canonical_of, number};
use crate::asm::{Thread, access, bad_operands};
use crate::token::Cursor;
use execution::diagnostic::Diagnostic;
use ir::machine::x86::{BitChange, Condition, Operation, Register};
use ir::op::{Access, BinaryOp, CastOp, Op, Operand, RmwOp, UnaryOp};
use ir::order::Order;
use ir::program::Width;
use ir::tag::Annotation;
use ir::tag::Tag::Both;

impl Instruction<'_> {
    /// Lowers the instruction.
    pub(super) fn lower(
        self,
        thread: &mut Thread<'_>,
        cursor: &Cursor<'_>,
    ) -> Result<(), Diagnostic> {
        let condition = match self.does {
            Does::If(_, condition) => Some(flag_condition(thread, condition)),
            Does::Always(_) | Does::Jump => None,
        };
        if let Some(target) = self.label {
            match condition {
                None => thread.jump(target),
                Some(cond) => thread.branch(cond, target),
            }
            return Ok(());
        }
        let known = match (self.does, self.arguments.len()) {
            (Does::Always(Operation::Nothing | Operation::Pause), _) => true,
            (Does::Always(Operation::Return), 0) => {
                thread.leave();
                true
            }
            (Does::Always(Operation::Fence(name)), 0) => {
                thread.fence(&name.to_ascii_uppercase());
                true
            }
            (_, 1 | 2) if self.writes_immediate() => false,
            (Does::Always(operation), 1) => self.one_operand(thread, operation),
            (Does::Always(operation), 2) => self.two_operands(thread, operation),
            (Does::If(..), 1 | 2) => self.conditional(thread, condition),
            _ => false,
        };
        if known { Ok(()) } else { Err(bad_operands(cursor, self.mnemonic)) }
    }

    fn two_operands(&self, thread: &mut Thread<'_>, operation: Operation) -> bool {
        match operation {
            Operation::Move | Operation::MoveNonTemporal if !self.lock => {
                let value = self.read(thread, 1);
                self.write(thread, 0, value);
                true
            }
            Operation::Address => self.load_address(thread),
            Operation::Exchange => self.exchange(thread),
            Operation::ExchangeAdd => self.exchange_add(thread),
            Operation::CompareExchange => self.compare_exchange(thread),
            Operation::Compare => self.compare(thread, BinaryOp::Sub),
            Operation::Test => self.compare(thread, BinaryOp::And),
            Operation::Bit(change) => self.test_bit(thread, change),
            Operation::Extend { signed } => self.extend(thread, signed),
            Operation::Compute(by) => {
                let operand = self.read(thread, 1);
                self.modify(thread, by.on_values, Some(by.update), operand)
            }
            Operation::Arithmetic(op) => {
                let mut operand = self.read(thread, 1);
                if op.is_shift() {
                    let last = Operand::int(self.width, u128::from(self.width.bits() - 1));
                    operand = thread.binary(BinaryOp::And, operand, last);
                }
                self.modify(thread, op, None, operand)
            }
            _ => false,
        }
    }

    /// Whether a number stands where the result should go.
    fn writes_immediate(&self) -> bool {
        use Operation::{Bit, Compare, Test};
        let reads_only = matches!(self.does, Does::Always(Compare | Test | Bit(None)));
        !reads_only && matches!(self.arguments.first(), Some(Argument::Immediate(_)))
    }

    fn wide(&self, thread: &mut Thread<'_>, register: &Register) -> Operand {
        Operand::Reg(thread.wide(&canonical_of(self.intel, &register.name)))
    }

    fn access(&self, address: Operand, atomic: bool) -> Access {
        if atomic {
            access(address, self.width, Order::SeqCst, &[Both(Annotation::A), Both(Annotation::X)])
        } else {
            access(address, self.width, Order::Relaxed, &[Both(Annotation::P)])
        }
    }

    /// The value of an operand, in the width of the instruction.
    fn read(&self, thread: &mut Thread<'_>, index: usize) -> Operand {
        match &self.arguments[index] {
            Argument::Immediate(value) => Operand::int(self.width, *value as u128),
            Argument::Memory(address) => thread.load(self.access(*address, false), false),
            Argument::Register(register) => {
                let mut value = self.wide(thread, register);
                if register.high {
                    value = thread.binary(BinaryOp::LShr, value, number(8));
                }
                let value = thread.resize(value, register.width);
                thread.resize(value, self.width)
            }
        }
    }

    fn write(&self, thread: &mut Thread<'_>, index: usize, value: Operand) {
        match &self.arguments[index] {
            Argument::Memory(address) => {
                thread.emit(Op::Store { access: self.access(*address, false), value });
            }
            Argument::Register(register) => self.write_register(thread, register, value),
            Argument::Immediate(_) => {}
        }
    }

    fn write_register(&self, thread: &mut Thread<'_>, register: &Register, value: Operand) {
        let value = thread.resize(value, register.width);
        let mut wide = thread.resize(value, Width::I64);
        if register.width < Width::I32 {
            let shift = if register.high { 8 } else { 0 };
            if shift > 0 {
                wide = thread.binary(BinaryOp::Shl, wide, number(8));
            }
            let old = self.wide(thread, register);
            let keep = Operand::int(Width::I64, !(register.width.mask() << shift));
            let kept = thread.binary(BinaryOp::And, old, keep);
            wide = thread.binary(BinaryOp::Or, kept, wide);
        }
        let dst = thread.wide(&canonical_of(self.intel, &register.name));
        thread.copy(dst, wide);
    }

    /// The memory operand, if there is exactly one, and the other operand's index.
    fn memory(&self) -> Option<(Operand, usize)> {
        match self.arguments.as_slice() {
            [Argument::Memory(address), _] => Some((*address, 1)),
            [_, Argument::Memory(address)] => Some((*address, 0)),
            _ => None,
        }
    }

    fn load_address(&self, thread: &mut Thread<'_>) -> bool {
        match self.arguments.as_slice() {
            [Argument::Register(register), Argument::Memory(address)] => {
                self.write_register(thread, register, *address);
                true
            }
            _ => false,
        }
    }

    /// `movzx` and its kin.
    fn extend(&self, thread: &mut Thread<'_>, signed: bool) -> bool {
        let from = match (&self.arguments[1], self.from) {
            (Argument::Register(register), None) => register.width,
            (_, Some(from)) => from,
            _ => return false,
        };
        let Argument::Register(dst) = &self.arguments[0] else { return false };
        if dst.width <= from {
            return false;
        }
        let value = match &self.arguments[1] {
            Argument::Memory(address) => {
                thread.load(access(*address, from, Order::Relaxed, &[Both(Annotation::P)]), false)
            }
            Argument::Register(_) => {
                let value = self.read(thread, 1);
                thread.resize(value, from)
            }
            Argument::Immediate(_) => return false,
        };
        let op = if signed { CastOp::SignExtend } else { CastOp::ZeroExtend };
        let value = thread.cast(op, value, dst.width);
        self.write_register(thread, dst, value);
        true
    }

    /// `setcc` and `cmovcc`; a move reads its source whatever the condition.
    fn conditional(&self, thread: &mut Thread<'_>, condition: Option<Operand>) -> bool {
        let (Some(cond), false) = (condition, self.lock) else { return false };
        match self.arguments.as_slice() {
            [Argument::Immediate(_)] => false,
            [_] => {
                let value = thread.resize(cond, self.width);
                self.write(thread, 0, value);
                true
            }
            [Argument::Register(_), Argument::Register(_) | Argument::Memory(_)] => {
                let (old, new) = (self.read(thread, 0), self.read(thread, 1));
                let value = thread.select(cond, new, old);
                self.write(thread, 0, value);
                true
            }
            _ => false,
        }
    }

    /// `bt` and its kin: the carry flag gets the bit, which is then set, reset or complemented.
    /// A bit that a register counts from memory on may be in another cell: not known here.
    fn test_bit(&self, thread: &mut Thread<'_>, change: Option<BitChange>) -> bool {
        let in_memory = matches!(self.arguments[0], Argument::Memory(_));
        if in_memory && !matches!(self.arguments[1], Argument::Immediate(_)) {
            return false;
        }
        let last = Operand::int(self.width, u128::from(self.width.bits() - 1));
        let count = self.read(thread, 1);
        let count = thread.binary(BinaryOp::And, count, last);
        let mask = thread.binary(BinaryOp::Shl, Operand::int(self.width, 1), count);
        let others = thread.unary(UnaryOp::Not, mask);
        let change = change.map(|it| (it.by, if it.others { others } else { mask }));
        let old = match (&self.arguments[0], change) {
            (Argument::Memory(address), Some((by, operand))) if self.lock => {
                thread.rmw(by.update, self.access(*address, true), operand, true)
            }
            (Argument::Immediate(_), _) => return false,
            _ if self.lock => return false,
            (_, change) => {
                let old = self.read(thread, 0);
                if let Some((by, operand)) = change {
                    let new = thread.binary(by.on_values, old, operand);
                    self.write(thread, 0, new);
                }
                old
            }
        };
        let bit = thread.binary(BinaryOp::And, old, mask);
        let carry = thread.binary(BinaryOp::Ne, bit, Operand::int(self.width, 0));
        let dst = thread.flag("CF");
        thread.copy(dst, carry);
        true
    }

    fn exchange(&self, thread: &mut Thread<'_>) -> bool {
        if self.arguments.iter().any(|argument| matches!(argument, Argument::Immediate(_))) {
            return false;
        }
        match self.memory() {
            Some((address, other)) if matches!(self.arguments[other], Argument::Register(_)) => {
                let value = self.read(thread, other);
                let old = thread.rmw(RmwOp::Exchange, self.access(address, true), value, true);
                self.write(thread, other, old);
                true
            }
            Some(_) => false,
            None => {
                let (first, second) = (self.read(thread, 0), self.read(thread, 1));
                let kept = thread.temporary(self.width);
                thread.copy(kept, first);
                self.write(thread, 0, second);
                self.write(thread, 1, Operand::Reg(kept));
                true
            }
        }
    }

    fn exchange_add(&self, thread: &mut Thread<'_>) -> bool {
        let (Some((address, 1)), Argument::Register(_)) = (self.memory(), &self.arguments[1])
        else {
            return false;
        };
        let value = self.read(thread, 1);
        let old = if self.lock {
            thread.rmw(RmwOp::Add, self.access(address, true), value, true)
        } else {
            let old = thread.load(self.access(address, false), false);
            let sum = thread.binary(BinaryOp::Add, old, value);
            thread.emit(Op::Store { access: self.access(address, false), value: sum });
            old
        };
        self.write(thread, 1, old);
        true
    }

    fn compare_exchange(&self, thread: &mut Thread<'_>) -> bool {
        if !matches!(self.arguments[1], Argument::Register(_)) {
            return false;
        }
        let address = match &self.arguments[0] {
            Argument::Memory(address) if self.lock => *address,
            Argument::Immediate(_) => return false,
            _ if self.lock => return false,
            _ => return self.compare_exchange_unlocked(thread),
        };
        let accumulator = Register { name: "rax".into(), width: self.width, high: false };
        let whole = self.wide(thread, &accumulator);
        let expected = thread.resize(whole, self.width);
        let desired = self.read(thread, 1);
        let old = thread.temporary(self.width);
        let success = thread.flag("ZF");
        thread.emit(Op::Cas {
            dst: Some(old),
            success: Some(success),
            access: self.access(address, true),
            expected,
            desired,
            failure: Order::SeqCst,
            weak: false,
        });
        self.write_register(thread, &accumulator, Operand::Reg(old));
        true
    }

    /// Without a lock the read and the write are accesses like any others.
    fn compare_exchange_unlocked(&self, thread: &mut Thread<'_>) -> bool {
        let accumulator = Register { name: "rax".into(), width: self.width, high: false };
        let whole = self.wide(thread, &accumulator);
        let expected = thread.resize(whole, self.width);
        let desired = self.read(thread, 1);
        let old = thread.temporary(self.width);
        let seen = self.read(thread, 0);
        thread.copy(old, seen);
        let old = Operand::Reg(old);
        let difference = thread.binary(BinaryOp::Sub, expected, old);
        set_flags(thread, BinaryOp::Sub, expected, old, difference);
        let equal = thread.binary(BinaryOp::Eq, expected, old);
        let (store, keep, join) = (thread.new_block(), thread.new_block(), thread.new_block());
        thread.branch_to(equal, store, keep);
        thread.switch_to(store);
        self.write(thread, 0, desired);
        thread.jump_to(join);
        thread.switch_to(keep);
        self.write_register(thread, &accumulator, old);
        thread.continue_in(join);
        true
    }

    fn compare(&self, thread: &mut Thread<'_>, op: BinaryOp) -> bool {
        let (a, b) = (self.read(thread, 0), self.read(thread, 1));
        let result = thread.binary(op, a, b);
        set_flags(thread, op, a, b, result);
        true
    }

    fn one_operand(&self, thread: &mut Thread<'_>, operation: Operation) -> bool {
        match operation {
            Operation::Count(by) => {
                let one = Operand::int(self.width, 1);
                let carry = Operand::Reg(thread.flag("CF"));
                let kept = thread.temporary(Width::BOOL);
                thread.copy(kept, carry);
                let known = self.modify(thread, by.on_values, Some(by.update), one);
                let carry = thread.flag("CF");
                thread.copy(carry, Operand::Reg(kept));
                known
            }
            Operation::Not if self.lock => self.locked_not(thread),
            Operation::Not => {
                let value = self.read(thread, 0);
                let result = thread.unary(UnaryOp::Not, value);
                self.write(thread, 0, result);
                true
            }
            // Nothing negates in one step, so `lock neg` is refused.
            Operation::Negate if !self.lock => {
                let value = self.read(thread, 0);
                let result = thread.unary(UnaryOp::Neg, value);
                let zero = Operand::int(self.width, 0);
                set_flags(thread, BinaryOp::Sub, zero, value, result);
                self.write(thread, 0, result);
                true
            }
            _ => false,
        }
    }

    fn locked_not(&self, thread: &mut Thread<'_>) -> bool {
        let Argument::Memory(address) = &self.arguments[0] else { return false };
        let ones = Operand::int(self.width, u128::MAX);
        thread.rmw(RmwOp::Xor, self.access(*address, true), ones, true);
        true
    }

    /// `first = first op operand`, in one step where the instruction is locked.
    fn modify(
        &self,
        thread: &mut Thread<'_>,
        op: BinaryOp,
        atomic: Option<RmwOp>,
        operand: Operand,
    ) -> bool {
        if let (true, Some(atomic), Argument::Memory(address)) =
            (self.lock, atomic, &self.arguments[0])
        {
            let old = thread.rmw(atomic, self.access(*address, true), operand, true);
            let result = thread.binary(op, old, operand);
            set_flags(thread, op, old, operand, result);
            return true;
        }
        if matches!(self.arguments[0], Argument::Immediate(_)) || self.lock {
            return false;
        }
        let old = self.read(thread, 0);
        let result = thread.binary(op, old, operand);
        set_flags(thread, op, old, operand, result);
        self.write(thread, 0, result);
        true
    }
}

fn set_flags(thread: &mut Thread<'_>, op: BinaryOp, a: Operand, b: Operand, result: Operand) {
    let zero = Operand::int(thread.width(result), 0);
    let off = Operand::int(Width::BOOL, 0);
    let is_zero = thread.binary(BinaryOp::Eq, result, zero);
    let negative = thread.binary(BinaryOp::Slt, result, zero);
    let (carry, overflow) = match op {
        BinaryOp::Sub => {
            let less = thread.binary(BinaryOp::Slt, a, b);
            let overflow = thread.binary(BinaryOp::Xor, less, negative);
            (thread.binary(BinaryOp::Ult, a, b), overflow)
        }
        BinaryOp::Add => {
            let changed = thread.binary(BinaryOp::Xor, a, result);
            let other = thread.binary(BinaryOp::Xor, b, result);
            let both = thread.binary(BinaryOp::And, changed, other);
            let overflow = thread.binary(BinaryOp::Slt, both, zero);
            (thread.binary(BinaryOp::Ult, result, a), overflow)
        }
        _ => (off, off),
    };
    for (flag, value) in [("ZF", is_zero), ("SF", negative), ("CF", carry), ("OF", overflow)] {
        let dst = thread.flag(flag);
        thread.copy(dst, value);
    }
}

fn flag_condition(thread: &mut Thread<'_>, (condition, opposite): (Condition, bool)) -> Operand {
    let flag = |thread: &mut Thread<'_>, name: &str| Operand::Reg(thread.flag(name));
    let less = |thread: &mut Thread<'_>| {
        let (sign, overflow) = (flag(thread, "SF"), flag(thread, "OF"));
        thread.binary(BinaryOp::Xor, sign, overflow)
    };
    let or_zero = |thread: &mut Thread<'_>, holds: Operand| {
        let zero = flag(thread, "ZF");
        thread.binary(BinaryOp::Or, holds, zero)
    };
    let holds = match condition {
        Condition::Equal => flag(thread, "ZF"),
        Condition::Negative => flag(thread, "SF"),
        Condition::Overflow => flag(thread, "OF"),
        Condition::Below => flag(thread, "CF"),
        Condition::BelowOrEqual => {
            let below = flag(thread, "CF");
            or_zero(thread, below)
        }
        Condition::Less => less(thread),
        Condition::LessOrEqual => {
            let less = less(thread);
            or_zero(thread, less)
        }
    };
    if opposite { thread.unary(UnaryOp::Not, holds) } else { holds }
}
