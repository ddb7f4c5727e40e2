//! Instructions of x86 that read and write, in AT&T's order of operands (source first).
//!
//! What has the prefix `lock`, and every `xchg` with memory, is one atomic update between two full
//! fences (Intel's manual, volume 3, 9.1 and 9.2): the fences are `mfence`, so that models of other
//! architectures refuse such an instruction as they refuse that fence; a locked `cmpxchg` that fails
//! is taken not to write. Without the prefix, an instruction that changes memory is a load and a
//! store; both are relaxed, as a `mov` is.

use super::operand::Home;
use super::syntax::{machine, named, number_of, split, widening};
use super::{Assembly, Flags, Register, Sema, Step, binary, signed, unsigned};
use crate::ast::BinaryOp;
use crate::sema::Checked;
use crate::sema::atomics::intrinsic;
use crate::sema::tree::{Atomic, Expected, Expr, ExprKind, Intrinsic, Stmt, StmtKind};
use crate::sema::types::{IntKind, Type};
use ir::machine::x86::{self, BitChange, Computation, Operation};
use ir::op::RmwOp;
use ir::order::{Fence, Order};
use ir::program::Width;

/// An operand as an instruction has it.
#[derive(Clone)]
enum Arg {
    /// A register, with the size that its name says.
    Register(usize, Option<u64>),
    /// Memory at a pointer.
    Memory(Expr),
    /// A constant.
    Constant(Expr),
}

/// An instruction that is being followed.
struct Instruction<'t> {
    text: &'t str,
    locked: bool,
    /// How many bytes it works on.
    size: u64,
}

impl Sema<'_> {
    /// Follows an instruction of x86.
    pub(super) fn instruction(&mut self, at: &mut Assembly, text: &str) -> Checked<()> {
        let (locked, bare) = match text.get(..5) {
            Some(prefix) if prefix.eq_ignore_ascii_case("lock ") => (true, &text[5..]),
            _ => (false, text),
        };
        let (mnemonic, rest) = bare.split_once(' ').unwrap_or((bare, ""));
        let mnemonic = mnemonic.to_lowercase();
        match &*mnemonic {
            // Only a hint.
            _ if mnemonic.starts_with("prefetch") => return Ok(()),
            "rdtsc" | "rdtscp" if rest.is_empty() => return self.time_stamp(at, &mnemonic),
            _ => {}
        }
        if let Some(Operation::CompareExchangeHalves(half)) = x86::operation(&mnemonic) {
            return self.double_compare_exchange(at, text, rest, (half, locked));
        }
        if let Some(condition) = mnemonic.strip_prefix('j') {
            return self.jump(at, text, condition, rest);
        }
        let condition = mnemonic.strip_prefix("set");
        if condition.is_none() && widening(&mnemonic).is_none() && named(&mnemonic).is_none() {
            return at.unknown(text, "");
        }
        let mut args = Vec::new();
        for part in split(rest) {
            match self.arg(at, part)? {
                Some(arg) => args.push(arg),
                None => return at.unknown(text, ": its operands are not understood"),
            }
        }
        if let Some(condition) = condition
            && let [to] = &args[..]
            && !locked
        {
            let value = self.condition(at, condition)?;
            let value = self.convert(value, &byte());
            return self.write(at, &Instruction { text, locked, size: 1 }, to, value);
        }
        if let Some((widened, from)) = widening(&mnemonic) {
            return self.widen(at, text, &args, widened, from);
        }
        let Some((operation, size)) = named(&mnemonic) else { return at.unknown(text, "") };
        let sizes = args.iter().filter_map(|arg| self.own_size(at, arg));
        let Some(size) = size.or_else(|| sizes.max()) else {
            return at.unknown(text, ": it does not say how many bytes it is about");
        };
        let instruction = Instruction { text, locked, size };
        let in_memory = args.iter().filter(|arg| matches!(arg, Arg::Memory(_))).count();
        if in_memory > 1 {
            return at.unknown(text, ": only one of its operands can be in memory");
        }
        if locked && (in_memory == 0 || !operation.can_be_locked()) {
            return at.unknown(text, ": it cannot be locked");
        }
        self.follow(at, &instruction, operation, &args)
    }

    fn follow(
        &mut self,
        at: &mut Assembly,
        instruction: &Instruction,
        operation: Operation,
        args: &[Arg],
    ) -> Checked<()> {
        match (operation, args) {
            (Operation::Move, [from, to]) => {
                let value = self.read(at, instruction, from)?;
                self.write(at, instruction, to, value)
            }
            (Operation::Exchange, [a, b]) => self.exchange(at, instruction, a, b),
            (Operation::ExchangeAdd, [Arg::Register(from, size), to]) => {
                let by = self.read(at, instruction, &Arg::Register(*from, *size))?;
                let by = self.temporary(at, by)?;
                let old = self.update(at, instruction, to, x86::ADD, by.clone())?;
                let sum = self.temporary(at, binary(BinaryOp::Add, old.clone(), by.clone()))?;
                at.flags = Some(Flags::Sum(sum.clone(), by));
                self.write(at, instruction, &Arg::Register(*from, *size), old)?;
                // The sum is written last, also where both are one register.
                match to {
                    Arg::Register(to, _) if to == from => {
                        self.write(at, instruction, &Arg::Register(*from, *size), sum)
                    }
                    _ => Ok(()),
                }
            }
            (Operation::CompareExchange, [from @ Arg::Register(..), to]) => {
                self.compare_exchange(at, instruction, from, to)
            }
            (Operation::Count(by), [to]) => {
                let one = self.constant_of(at, instruction, 1)?;
                let old = self.update(at, instruction, to, by, one.clone())?;
                let new = self.temporary(at, binary(on_values(by), old, one))?;
                at.flags = Some(Flags::Result(new));
                Ok(())
            }
            (Operation::Not, [to]) => {
                let all = self.constant_of(at, instruction, -1)?;
                let flags = at.flags.take();
                self.update(at, instruction, to, x86::XOR, all)?;
                at.flags = flags;
                Ok(())
            }
            (Operation::Negate, [Arg::Memory(pointer)]) if instruction.locked => {
                let (pointer, object) = self.access(at, instruction, pointer)?;
                at.full_fence();
                at.effect(intrinsic(Intrinsic::AtomicBegin, Type::Void, at.span));
                let order = Order::Relaxed.into();
                let load = Atomic::Load { pointer: pointer.clone(), order };
                let old = self.temporary(at, atomic(load, object.clone(), at.span))?;
                let zero = Expr::constant(0, object, at.span);
                let value = binary(BinaryOp::Sub, zero, old);
                let store = Atomic::Store { pointer, value, order };
                at.effect(atomic(store, Type::Void, at.span));
                at.effect(intrinsic(Intrinsic::AtomicEnd, Type::Void, at.span));
                at.full_fence();
                at.flags = None;
                Ok(())
            }
            (Operation::Negate, [to @ Arg::Register(..)]) => {
                let old = self.read(at, instruction, to)?;
                let old = self.temporary(at, old)?;
                let zero = self.constant_of(at, instruction, 0)?;
                at.flags = Some(Flags::Difference(zero.clone(), old.clone()));
                self.write(at, instruction, to, binary(BinaryOp::Sub, zero, old))
            }
            (Operation::Compare, [b, a]) => {
                let (a, b) = (self.held(at, instruction, a)?, self.held(at, instruction, b)?);
                at.flags = Some(Flags::Difference(a, b));
                Ok(())
            }
            (Operation::Test, [a, b]) => {
                let (a, b) = (self.held(at, instruction, a)?, self.held(at, instruction, b)?);
                let both = self.temporary(at, binary(BinaryOp::BitAnd, a, b))?;
                at.flags = Some(Flags::Bits(both));
                Ok(())
            }
            (Operation::Bit(change), [bit, to]) => self.bit_test(at, instruction, change, bit, to),
            // What carry is, in every bit.
            (Operation::SubtractWithCarry, [Arg::Register(a, _), to @ Arg::Register(b, _)])
                if a == b =>
            {
                let carry = self.condition(at, "c")?;
                let ty = self.sized(at, instruction)?;
                let carry = self.convert(carry, &ty);
                let zero = self.constant_of(at, instruction, 0)?;
                at.flags = None;
                self.write(at, instruction, to, binary(BinaryOp::Sub, zero, carry))
            }
            (Operation::Compute(by), [_, _]) => self.arithmetic(at, instruction, by, args),
            _ => at.unknown(instruction.text, ""),
        }
    }

    fn arithmetic(
        &mut self,
        at: &mut Assembly,
        instruction: &Instruction,
        computation: Computation,
        args: &[Arg],
    ) -> Checked<()> {
        // `xor %0, %0` is a zero, whatever was there.
        if let ([Arg::Register(a, _), to @ Arg::Register(b, _)], x86::XOR) = (args, computation)
            && a == b
        {
            let zero = self.constant_of(at, instruction, 0)?;
            at.flags = Some(Flags::Bits(zero.clone()));
            return self.write(at, instruction, to, zero);
        }
        let by = self.held(at, instruction, &args[0])?;
        let old = self.update(at, instruction, &args[1], computation, by.clone())?;
        let on = on_values(computation);
        at.flags = Some(match on {
            BinaryOp::Sub => Flags::Difference(old, by),
            BinaryOp::Add => Flags::Sum(self.temporary(at, binary(on, old, by.clone()))?, by),
            _ => Flags::Bits(self.temporary(at, binary(on, old, by))?),
        });
        Ok(())
    }

    fn exchange(
        &mut self,
        at: &mut Assembly,
        instruction: &Instruction,
        a: &Arg,
        b: &Arg,
    ) -> Checked<()> {
        let (memory, register) = match (a, b) {
            (Arg::Memory(pointer), register @ Arg::Register(..))
            | (register @ Arg::Register(..), Arg::Memory(pointer)) => (pointer, register),
            (Arg::Register(..), Arg::Register(..)) => {
                let old = self.held_as_is(at, instruction, a)?;
                let other = self.read_as_is(at, instruction, b)?;
                self.write(at, instruction, a, other)?;
                return self.write(at, instruction, b, old);
            }
            _ => return at.unknown(instruction.text, ""),
        };
        let value = self.read_as_is(at, instruction, register)?;
        let old = self.locked(at, instruction, memory, RmwOp::Exchange, value)?;
        self.write(at, instruction, register, old)
    }

    fn compare_exchange(
        &mut self,
        at: &mut Assembly,
        instruction: &Instruction,
        from: &Arg,
        to: &Arg,
    ) -> Checked<()> {
        let Some(a) = at.registers.iter().position(|register| register.machine == Some('a')) else {
            return at.unknown(instruction.text, ": no operand is in the register a");
        };
        let accumulator = Arg::Register(a, None);
        let Arg::Memory(pointer) = to else { return at.unknown(instruction.text, "") };
        let (pointer, object) = self.access(at, instruction, pointer)?;
        let expected = self.held_as_is(at, instruction, &accumulator)?;
        let expected = self.convert(expected, &object);
        let desired = self.read_as_is(at, instruction, from)?;
        let desired = self.convert(desired, &object);
        let span = at.span;
        let found = if instruction.locked {
            let (success, failure) = (Order::Relaxed.into(), Order::Relaxed);
            let old = Expected::Old(expected.clone());
            let cas =
                Atomic::Cas { pointer, expected: old, desired, weak: false, success, failure };
            at.full_fence();
            let found = self.temporary(at, atomic(cas, object.clone(), span))?;
            at.full_fence();
            found
        } else {
            let load = Atomic::Load { pointer: pointer.clone(), order: Order::Relaxed.into() };
            let found = self.temporary(at, atomic(load, object.clone(), span))?;
            let mut same = binary(BinaryOp::Eq, found.clone(), expected.clone());
            same.ty = Type::INT.into();
            let kind =
                ExprKind::Conditional(Box::new(same), Box::new(desired), Box::new(found.clone()));
            let value = Expr { kind, ty: object.clone().into(), span };
            let store = Atomic::Store { pointer, value, order: Order::Relaxed.into() };
            at.effect(atomic(store, Type::Void, span));
            found
        };
        let whole = at.value_of(a);
        let ty = self.sized(at, instruction)?;
        let (before, now) = (self.convert(expected, &ty), self.convert(found.clone(), &ty));
        at.flags = Some(Flags::Difference(before.clone(), now.clone()));
        let size = self.unit.types.size_of(&whole.ty.ty);
        if size == Some(instruction.size) {
            return self.write(at, instruction, &accumulator, found);
        }
        // One that succeeds does not write the register, whose other bytes stay.
        let whole = self.temporary(at, whole)?;
        self.write(at, instruction, &accumulator, found)?;
        let (local, ty) = (at.registers[a].local, whole.ty.clone());
        let mut same = binary(BinaryOp::Eq, before, now);
        same.ty = Type::INT.into();
        let kind = ExprKind::Conditional(Box::new(same), Box::new(whole), Box::new(at.value_of(a)));
        at.assign(local, Expr { kind, ty, span });
        Ok(())
    }

    /// A jump to a label of the template.
    fn jump(&mut self, at: &mut Assembly, text: &str, condition: &str, to: &str) -> Checked<()> {
        let Some(label) = at.label(to.trim()) else {
            return at.unknown(text, ": there is no such label");
        };
        let goto = Stmt { kind: StmtKind::Goto(label), span: at.span };
        if condition == "mp" {
            at.push(goto.kind);
            return Ok(());
        }
        let cond = self.condition(at, condition)?;
        at.push(StmtKind::If { cond, then: Box::new(goto), otherwise: None });
        Ok(())
    }

    /// `rdtsc`: any number in the registers a and d.
    fn time_stamp(&mut self, at: &mut Assembly, name: &str) -> Checked<()> {
        let letters: &[char] = if name == "rdtsc" { &['a', 'd'] } else { &['a', 'd', 'c'] };
        for &letter in letters {
            let known = |register: &Register| register.machine == Some(letter);
            let Some(index) = at.registers.iter().position(known) else { continue };
            let any = intrinsic(Intrinsic::Any, Type::UINT, at.span);
            let (local, ty) = (at.registers[index].local, at.registers[index].ty.clone());
            let value = self.convert(any, &ty);
            at.assign(local, value);
        }
        Ok(())
    }

    /// `cmpxchg16b` and `cmpxchg8b`: memory is compared with d:a, and becomes c:b; or d:a become
    /// what is there.
    fn double_compare_exchange(
        &mut self,
        at: &mut Assembly,
        text: &str,
        operand: &str,
        (half, locked): (Width, bool),
    ) -> Checked<()> {
        let of = |letter: char| at.registers.iter().position(|r| r.machine == Some(letter));
        let (Some(a), Some(d), Some(b), Some(c)) = (of('a'), of('d'), of('b'), of('c')) else {
            return at.unknown(text, ": it needs operands in the registers a, b, c and d");
        };
        let Some(Arg::Memory(pointer)) = self.arg(at, operand.trim())? else {
            return at.unknown(text, ": its operands are not understood");
        };
        let (half, whole, bits) = match half == Width::I64 {
            true => (Type::SIZE, Type::Int(IntKind::UInt128), 64),
            false => (Type::UINT, Type::SIZE, 32),
        };
        let span = at.span;
        let joined = |sema: &Self, high: usize, low: usize| {
            let [high, low] = [high, low].map(|index| {
                let value = sema.convert(at.value_of(index), &half);
                sema.convert(value, &whole)
            });
            let by = Expr::constant(bits, Type::INT, span);
            binary(BinaryOp::BitOr, binary(BinaryOp::Shl, high, by), low)
        };
        let (expected, desired) = (joined(self, d, a), joined(self, c, b));
        let (expected, desired) = (self.temporary(at, expected)?, self.temporary(at, desired)?);
        let pointer = self.convert(pointer, &Type::pointer(whole.clone().into()));
        let (success, failure) = (Order::Relaxed.into(), Order::Relaxed);
        let old = Expected::Old(expected.clone());
        let cas = Atomic::Cas { pointer, expected: old, desired, weak: false, success, failure };
        if locked {
            at.full_fence();
        }
        let found = self.temporary(at, atomic(cas, whole.clone(), span))?;
        if locked {
            at.full_fence();
        }
        at.flags = Some(Flags::Difference(expected, found.clone()));
        let by = Expr::constant(bits, Type::INT, span);
        let high = binary(BinaryOp::Shr, found.clone(), by);
        for (index, value) in [(a, found), (d, high)] {
            let (local, ty) = (at.registers[index].local, at.registers[index].ty.clone());
            let value = self.convert(value, &half);
            let value = self.convert(value, &ty);
            at.assign(local, value);
        }
        Ok(())
    }

    /// `bts`, `btr`, `btc`, `bt`: a bit of memory, which may be outside the word that is named.
    fn bit_test(
        &mut self,
        at: &mut Assembly,
        instruction: &Instruction,
        change: Option<BitChange>,
        bit: &Arg,
        to: &Arg,
    ) -> Checked<()> {
        let Arg::Memory(pointer) = to else { return at.unknown(instruction.text, "") };
        let width = u128::from(8 * instruction.size);
        let ty = self.sized(at, instruction)?;
        let index = self.held(at, instruction, bit)?;
        let low = Expr::constant(width - 1, ty.clone(), at.span);
        let within = binary(BinaryOp::BitAnd, index.clone(), low);
        let one = Expr::constant(1, ty.clone(), at.span);
        let mask = self.fold(binary(BinaryOp::Shl, one, within));
        let mask = self.temporary(at, mask)?;
        let pointer = self.convert(pointer.clone(), &Type::pointer(ty.clone().into()));
        let pointer = match bit {
            Arg::Constant(_) => pointer,
            _ => {
                let Some(number) = signed(instruction.size) else {
                    return at.unknown(instruction.text, "");
                };
                let index = self.convert(index, &number);
                let log = Expr::constant(u128::from(width.ilog2()), number, at.span);
                let words = binary(BinaryOp::Shr, index, log);
                let index = Box::new(self.convert(words, &Type::PTRDIFF));
                let (ty, span) = (pointer.ty.clone(), at.span);
                let pointer = Box::new(pointer);
                let kind = ExprKind::PointerAdd { pointer, index, minus: false };
                Expr { kind, ty, span }
            }
        };
        let to = Arg::Memory(pointer);
        let span = at.span;
        let old = match change {
            Some(BitChange { by, others: false }) => {
                self.update(at, instruction, &to, by, mask.clone())?
            }
            Some(BitChange { by, others: true }) => {
                let kind = ExprKind::BitNot(Box::new(mask.clone()));
                let others = Expr { kind, ty: ty.into(), span };
                self.update(at, instruction, &to, by, others)?
            }
            None => self.held(at, instruction, &to)?,
        };
        let was = self.temporary(at, binary(BinaryOp::BitAnd, old, mask))?;
        at.flags = Some(Flags::Carry(was));
        Ok(())
    }

    /// `movzbl`, `movslq` and their kin.
    fn widen(
        &mut self,
        at: &mut Assembly,
        text: &str,
        args: &[Arg],
        (is_signed, to_size): (bool, u64),
        from_size: u64,
    ) -> Checked<()> {
        let [from, to] = args else { return at.unknown(text, "") };
        let narrow = Instruction { text, locked: false, size: from_size };
        let wide = Instruction { text, locked: false, size: to_size };
        let mut value = self.read(at, &narrow, from)?;
        if let (true, Some(ty)) = (is_signed, signed(from_size)) {
            value = self.convert(value, &ty);
        }
        self.write(at, &wide, to, value)
    }

    /// Changes a register or memory by an operation; gives the old value.
    fn update(
        &mut self,
        at: &mut Assembly,
        instruction: &Instruction,
        to: &Arg,
        computation: Computation,
        by: Expr,
    ) -> Checked<Expr> {
        let ty = self.sized(at, instruction)?;
        match to {
            Arg::Memory(pointer) if instruction.locked => {
                let old = self.locked(at, instruction, pointer, computation.update, by)?;
                Ok(self.convert(old, &ty))
            }
            _ => {
                let old = self.held(at, instruction, to)?;
                let value = binary(on_values(computation), old.clone(), by);
                self.write(at, instruction, to, value)?;
                Ok(old)
            }
        }
    }

    /// One atomic update between full fences; gives the old value, as what is there.
    fn locked(
        &mut self,
        at: &mut Assembly,
        instruction: &Instruction,
        pointer: &Expr,
        op: RmwOp,
        value: Expr,
    ) -> Checked<Expr> {
        let (pointer, object) = self.access(at, instruction, pointer)?;
        let value = match op {
            RmwOp::Exchange => self.convert(value, &object),
            _ if object.is_pointer() => self.convert(value, &Type::PTRDIFF),
            _ => self.convert(value, &object),
        };
        at.full_fence();
        let rmw =
            Atomic::Rmw { op, pointer, value, order: Order::Relaxed.into(), gives_new: false };
        let old = self.temporary(at, atomic(rmw, object, at.span))?;
        at.full_fence();
        Ok(old)
    }

    /// The unsigned type that an instruction works on.
    fn sized(&self, at: &Assembly, instruction: &Instruction) -> Checked<Type> {
        match unsigned(instruction.size) {
            Some(ty) => Ok(ty),
            None => at.unknown(instruction.text, ""),
        }
    }

    fn constant_of(&self, at: &Assembly, of: &Instruction, value: i128) -> Checked<Expr> {
        let ty = self.sized(at, of)?;
        let bits = value as u128 & crate::sema::constants::arith::mask(8 * of.size as u32);
        Ok(Expr::constant(bits, ty, at.span))
    }

    /// The value of an operand, as an unsigned number of the instruction's size.
    fn read(&mut self, at: &mut Assembly, of: &Instruction, arg: &Arg) -> Checked<Expr> {
        // A pointer stays one, so that it still points somewhere when it is put somewhere else.
        let value = self.read_as_is(at, of, arg)?;
        if value.ty.ty.is_pointer() {
            return Ok(value);
        }
        let ty = self.sized(at, of)?;
        Ok(self.convert(value, &ty))
    }

    /// The same, kept for later, as a number.
    fn held(&mut self, at: &mut Assembly, of: &Instruction, arg: &Arg) -> Checked<Expr> {
        let value = self.read(at, of, arg)?;
        let ty = self.sized(at, of)?;
        let value = self.convert(value, &ty);
        if value.as_const().is_some() { Ok(value) } else { self.temporary(at, value) }
    }

    fn held_as_is(&mut self, at: &mut Assembly, of: &Instruction, arg: &Arg) -> Checked<Expr> {
        let value = self.read_as_is(at, of, arg)?;
        self.temporary(at, value)
    }

    fn read_as_is(&mut self, at: &mut Assembly, of: &Instruction, arg: &Arg) -> Checked<Expr> {
        match arg {
            Arg::Constant(value) => Ok(value.clone()),
            Arg::Register(index, named) => {
                self.fits(at, of, *index, *named)?;
                let value = at.value_of(*index);
                let whole = self.unit.types.size_of(&value.ty.ty) == Some(of.size);
                let ty = self.sized(at, of)?;
                Ok(if whole { value } else { self.convert(value, &ty) })
            }
            Arg::Memory(pointer) => {
                let (pointer, object) = self.access(at, of, pointer)?;
                let load = Atomic::Load { pointer, order: Order::Relaxed.into() };
                self.temporary(at, atomic(load, object, at.span))
            }
        }
    }

    /// Writes an operand. Writing four bytes of a register clears the others, one or two do not.
    fn write(&mut self, at: &mut Assembly, of: &Instruction, to: &Arg, value: Expr) -> Checked<()> {
        match to {
            Arg::Constant(_) => at.unknown(of.text, ": it writes a constant"),
            Arg::Memory(pointer) => {
                let (pointer, object) = self.access(at, of, pointer)?;
                let value = self.convert(value, &object);
                let store = Atomic::Store { pointer, value, order: Order::Relaxed.into() };
                at.effect(atomic(store, Type::Void, at.span));
                Ok(())
            }
            Arg::Register(index, named) => {
                self.fits(at, of, *index, *named)?;
                let Register { local, ty, .. } = &at.registers[*index];
                let (local, ty) = (*local, ty.clone());
                let whole = self.unit.types.size_of(&ty).unwrap_or(8);
                let part = self.sized(at, of)?;
                let value = if of.size == whole {
                    self.convert(value, &ty)
                } else if of.size == 4 {
                    let value = self.convert(value, &part);
                    self.convert(value, &ty)
                } else {
                    let value = self.convert(value, &part);
                    let number = unsigned(whole).unwrap_or(Type::SIZE);
                    let bits = |size: u64| crate::sema::constants::arith::mask(8 * size as u32);
                    let others = bits(whole) & !bits(of.size);
                    let others = Expr::constant(others, number.clone(), at.span);
                    let old = self.convert(at.value_of(*index), &number);
                    let kept = binary(BinaryOp::BitAnd, old, others);
                    let value = self.convert(value, &number);
                    self.convert(binary(BinaryOp::BitOr, kept, value), &ty)
                };
                at.assign(local, value);
                Ok(())
            }
        }
    }

    /// Refuses a register that is named with another size, or that is smaller.
    fn fits(
        &self,
        at: &Assembly,
        of: &Instruction,
        register: usize,
        named: Option<u64>,
    ) -> Checked<()> {
        let own = self.unit.types.size_of(&at.registers[register].ty).unwrap_or(8);
        let machine = at.registers[register].machine.is_some() && named.is_none();
        let fits = match named {
            Some(named) => named == of.size && named <= own,
            None => own == of.size || machine && of.size <= own,
        };
        match fits {
            true => Ok(()),
            false => at.unknown(of.text, ": its operands have other sizes"),
        }
    }

    /// How an instruction gets at memory: the pointer, and the type of what is there.
    fn access(&self, at: &Assembly, of: &Instruction, pointer: &Expr) -> Checked<(Expr, Type)> {
        let natural = pointer.ty.ty.pointee().map(|to| to.ty.clone());
        if let Some(ty) = natural
            && (ty.is_integer() && ty != Type::BOOL || ty.is_pointer())
            && self.unit.types.size_of(&ty) == Some(of.size)
        {
            return Ok((pointer.clone(), ty));
        }
        let ty = self.sized(at, of)?;
        Ok((self.convert(pointer.clone(), &Type::pointer(ty.clone().into())), ty))
    }

    fn own_size(&self, at: &Assembly, arg: &Arg) -> Option<u64> {
        let types = &self.unit.types;
        match arg {
            Arg::Register(_, Some(size)) => Some(*size),
            Arg::Register(index, None) => types.size_of(&at.registers[*index].ty),
            Arg::Memory(pointer) => types.size_of(&pointer.ty.ty.pointee()?.ty),
            Arg::Constant(_) => None,
        }
    }

    /// An operand of an instruction; `None` if it is not understood.
    fn arg(&mut self, at: &mut Assembly, text: &str) -> Checked<Option<Arg>> {
        if let Some(number) = text.strip_prefix('$') {
            return Ok(number_of(number).map(|value| {
                let bits = value as u128 & crate::sema::constants::arith::mask(64);
                Arg::Constant(Expr::constant(bits, Type::PTRDIFF, at.span))
            }));
        }
        if let Some(inner) = text.strip_suffix(')') {
            let Some((offset, base)) = inner.split_once('(') else { return Ok(None) };
            let offset = if offset.is_empty() { Some(0) } else { number_of(offset) };
            let base = self.arg(at, base.trim())?;
            return Ok(match (offset, base) {
                (Some(offset), Some(Arg::Register(index, Some(8) | None))) => {
                    self.at_register(at, index, offset).map(Arg::Memory)
                }
                _ => None,
            });
        }
        if let Some(name) = text.strip_prefix("%%") {
            return self.machine_register(at, &name.to_lowercase());
        }
        let Some(rest) = text.strip_prefix('%') else { return Ok(None) };
        let (modifier, rest) = match rest.chars().next() {
            Some(letter) if letter.is_ascii_alphabetic() => (Some(letter), &rest[1..]),
            _ => (None, rest),
        };
        let index = match rest.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            Some(name) => at.named(name),
            None => rest.parse().ok(),
        };
        let Some((number, (_, home))) =
            index.and_then(|index| Some((index, at.operands.get(index)?)))
        else {
            return Ok(None);
        };
        Ok(match (home.clone(), modifier) {
            (Home::Register(index), None) => {
                let whole = self.unit.types.size_of(&at.registers[index].ty);
                Some(Arg::Register(index, at.sizes[number].or(whole)))
            }
            (Home::Register(index), Some(modifier)) => match modifier {
                'b' => Some(Arg::Register(index, Some(1))),
                'w' => Some(Arg::Register(index, Some(2))),
                'k' => Some(Arg::Register(index, Some(4))),
                'q' => Some(Arg::Register(index, Some(8))),
                _ => None,
            },
            (Home::Memory(place), None) => Some(Arg::Memory(address(place))),
            (Home::Constant(value), None) => Some(Arg::Constant(value)),
            _ => None,
        })
    }

    /// Memory at an address in a register.
    pub(super) fn at_register(&self, at: &Assembly, index: usize, offset: i128) -> Option<Expr> {
        let value = at.value_of(index);
        if self.unit.types.size_of(&value.ty.ty) != Some(8) {
            return None;
        }
        let bytes = Type::pointer(Type::CHAR.into());
        if offset == 0 {
            let pointer = value.ty.ty.is_pointer();
            return Some(if pointer { value } else { self.convert(value, &bytes) });
        }
        let span = at.span;
        let by = Expr::constant(offset.unsigned_abs(), Type::PTRDIFF, span);
        let pointer = Box::new(self.convert(value, &bytes));
        let kind = ExprKind::PointerAdd { pointer, index: Box::new(by), minus: offset < 0 };
        Some(Expr { kind, ty: bytes.into(), span })
    }

    /// `%%eax` and the like: of an operand, or one that the template may overwrite.
    fn machine_register(&mut self, at: &mut Assembly, name: &str) -> Checked<Option<Arg>> {
        let Some((letter, size)) = machine(name) else { return Ok(None) };
        let known = |register: &Register| register.machine == Some(letter);
        if let Some(index) = at.registers.iter().position(known) {
            return Ok(Some(Arg::Register(index, Some(size))));
        }
        let clobbers = |text: &String| {
            machine(text.trim_start_matches('%')).is_some_and(|(clobbered, _)| clobbered == letter)
        };
        if !at.clobbered.iter().any(clobbers) {
            return Ok(None);
        }
        let index = self.register(at, Some(letter), Type::SIZE)?;
        Ok(Some(Arg::Register(index, Some(size))))
    }
}

impl Assembly {
    fn full_fence(&mut self) {
        self.step(Step::Fence(Fence::Named("mfence".into())));
    }
}

/// The operator of C that computes what an instruction does on two values.
fn on_values(computation: Computation) -> BinaryOp {
    match computation {
        x86::ADD => BinaryOp::Add,
        x86::SUB => BinaryOp::Sub,
        x86::AND => BinaryOp::BitAnd,
        x86::OR => BinaryOp::BitOr,
        _ => BinaryOp::BitXor,
    }
}

fn byte() -> Type {
    Type::Int(crate::sema::types::IntKind::UChar)
}

pub(super) fn atomic(atomic: Atomic, ty: Type, span: execution::span::Span) -> Expr {
    Expr { kind: ExprKind::Atomic(Box::new(atomic)), ty: ty.into(), span }
}

/// The address of an object.
pub(super) fn address(place: Expr) -> Expr {
    let (ty, span) = (Type::pointer(place.ty.clone()), place.span);
    match place.kind {
        ExprKind::Deref(pointer) => *pointer,
        _ => Expr { kind: ExprKind::AddressOf(Box::new(place)), ty: ty.into(), span },
    }
}
