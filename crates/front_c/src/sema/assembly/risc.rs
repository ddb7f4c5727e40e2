//! Instructions of AArch64, Power and RISC-V that read, write, compute and branch: what the parsers
//! of the three have in common.
//!
//! An access is one with the memory order of C11 that is compiled to its instruction on its own
//! architecture, with the annotations that the architecture's model asks for; `ldxr` and `stxr`
//! (`lwarx` and `stwcx.`, `lr` and `sc`) are a load-exclusive and a store-exclusive, which may fail.
//!
//! Soundness S-302 (run, check, verify; all; misses, cries wolf): Assembly of AArch64, Power and
//! RISC-V has accesses of its own orders on every model: on a model of another architecture, what is
//! checked is a program that has such accesses there. Test: corpus/real/aarch64_lock.c.

use super::flags::Flags;
use super::operand::Home;
use super::syntax::{number_of, split};
use super::x86::{address, atomic};
use super::{Assembly, Sema, binary, signed, unsigned};
use crate::ast::BinaryOp;
use crate::sema::Checked;
use crate::sema::tree::{Atomic, Expected, Expr, ExprKind, Ordering, Stmt, StmtKind};
use crate::sema::types::Type;
use ir::op::RmwOp;
use ir::order::Order;

/// A value as an instruction has it.
#[derive(Clone)]
pub(super) enum Value {
    /// A register.
    Register(usize),
    /// A number.
    Constant(Expr),
}

/// What an instruction does.
pub(super) enum Risc {
    /// Nothing: a prefetch, a hint.
    Nothing,
    /// Reads memory.
    Load { to: Value, at: Expr, kind: Access, extends: bool },
    /// Writes memory.
    Store { value: Value, at: Expr, kind: Access },
    /// Writes if the load-exclusive before it is still good; 0 is success.
    StoreExclusive { failed: Option<Value>, value: Value, at: Expr, kind: Access },
    /// Reads, computes and writes in one step.
    Update { op: RmwOp, old: Option<Value>, value: Value, inverted: bool, at: Expr, kind: Access },
    /// Compares with a register and swaps; the register gets what was found.
    CompareAndSwap { expected: Value, desired: Value, at: Expr, kind: Access },
    /// Computes.
    Compute { op: BinaryOp, to: Value, a: Value, b: Value, size: u64 },
    /// Copies.
    Move { to: Value, from: Value, size: u64 },
    /// Compares, for a later branch.
    Compare { a: Value, b: Value, size: u64 },
    /// Makes a register what a condition is.
    Set { to: Value, condition: String },
    /// Goes to a label, always or if this holds.
    Branch { when: Option<Test>, label: String },
}

/// What a branch depends on.
#[allow(clippy::large_enum_variant)] // as in the tree: a box would obscure it
pub(super) enum Test {
    /// The last comparison, by x86's name of the condition.
    Flags(String),
    /// A comparison of two values.
    Values(BinaryOp, Value, Value, u64),
}

/// How memory is accessed.
#[derive(Clone, Copy)]
pub(super) struct Access {
    pub size: u64,
    pub order: Ordering,
    pub exclusive: bool,
}

impl Sema<'_> {
    /// Does what an instruction does.
    pub(super) fn risc(&mut self, at: &mut Assembly, text: &str, what: Risc) -> Checked<()> {
        match what {
            Risc::Nothing => {}
            Risc::Load { to, at: pointer, kind, extends } => {
                let (pointer, object) = self.risc_access(at, text, pointer, kind.size)?;
                let order = kind.order;
                let load = match kind.exclusive {
                    true => Atomic::LoadExclusive { pointer, order },
                    false => Atomic::Load { pointer, order },
                };
                let mut value = self.temporary(at, atomic(load, object, at.span))?;
                if let (true, Some(ty)) = (extends, signed(kind.size)) {
                    value = self.convert(value, &ty);
                }
                self.risc_write(at, text, &to, value)?;
            }
            Risc::Store { value, at: pointer, kind } => {
                let (pointer, object) = self.risc_access(at, text, pointer, kind.size)?;
                let value = self.risc_read(at, &value, kind.size, Some(&object));
                let store = Atomic::Store { pointer, value, order: kind.order };
                at.effect(atomic(store, Type::Void, at.span));
            }
            Risc::StoreExclusive { failed, value, at: pointer, kind } => {
                let (pointer, object) = self.risc_access(at, text, pointer, kind.size)?;
                let value = self.risc_read(at, &value, kind.size, Some(&object));
                let store = Atomic::StoreExclusive { pointer, value, order: kind.order };
                let outcome = self.temporary(at, atomic(store, Type::UINT, at.span))?;
                match failed {
                    Some(failed) => self.risc_write(at, text, &failed, outcome)?,
                    None => at.flags = Some(Flags::Result(outcome)),
                }
            }
            Risc::Update { op, old, value, inverted, at: pointer, kind } => {
                let (pointer, object) = self.risc_access(at, text, pointer, kind.size)?;
                let object =
                    if op == RmwOp::Exchange || !object.is_pointer() { object } else { Type::SIZE };
                let mut value = self.risc_read(at, &value, kind.size, Some(&object));
                if inverted {
                    let (ty, span) = (value.ty.clone(), at.span);
                    value = Expr { kind: ExprKind::BitNot(Box::new(value)), ty, span };
                }
                let pointer = self.convert(pointer, &Type::pointer(object.clone().into()));
                let order = kind.order;
                let update = Atomic::Rmw { op, pointer, value, order, gives_new: false };
                let update = atomic(update, object, at.span);
                match old {
                    Some(to) => {
                        let found = self.temporary(at, update)?;
                        self.risc_write(at, text, &to, found)?;
                    }
                    None => at.effect(update),
                }
            }
            Risc::CompareAndSwap { expected, desired, at: pointer, kind } => {
                let (pointer, object) = self.risc_access(at, text, pointer, kind.size)?;
                let compared = self.risc_read(at, &expected, kind.size, Some(&object));
                let desired = self.risc_read(at, &desired, kind.size, Some(&object));
                let failure = match kind.order.order {
                    Order::Acquire | Order::AcqRel => Order::Acquire,
                    _ => Order::Relaxed,
                };
                let (success, old) = (kind.order, Expected::Old(compared));
                let weak = false;
                let cas = Atomic::Cas { pointer, expected: old, desired, weak, success, failure };
                let found = self.temporary(at, atomic(cas, object, at.span))?;
                self.risc_write(at, text, &expected, found)?;
            }
            Risc::Compute { op, to, a, b, size } => {
                let a = self.risc_read(at, &a, size, None);
                let b = self.risc_read(at, &b, size, None);
                let value = self.temporary(at, self.risc_compute(op, a, b))?;
                self.risc_write(at, text, &to, value)?;
            }
            Risc::Move { to, from, size } => {
                let value = self.risc_read(at, &from, size, None);
                self.risc_write(at, text, &to, value)?;
            }
            Risc::Compare { a, b, size } => {
                let (a, b) = self.risc_pair(at, &a, &b, size)?;
                at.flags = Some(Flags::Difference(a, b));
            }
            Risc::Set { to, condition } => {
                let value = self.condition(at, &condition)?;
                self.risc_write(at, text, &to, value)?;
            }
            Risc::Branch { when, label } => {
                let Some(label) = at.label(&label) else {
                    return at.unknown(text, ": there is no such label");
                };
                let goto = Stmt { kind: StmtKind::Goto(label), span: at.span };
                let cond = match when {
                    None => {
                        at.push(goto.kind);
                        return Ok(());
                    }
                    Some(Test::Flags(condition)) => self.condition(at, &condition)?,
                    Some(Test::Values(op, a, b, size)) => {
                        let (a, b) = self.risc_pair(at, &a, &b, size)?;
                        let mut test = binary(op, a, b);
                        test.ty = Type::INT.into();
                        test
                    }
                };
                at.push(StmtKind::If { cond, then: Box::new(goto), otherwise: None });
            }
        }
        Ok(())
    }

    /// A pointer moves by bytes and stays one; everything else is unsigned.
    fn risc_compute(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let moves = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        if !a.ty.ty.is_pointer() || !moves {
            let ty = if a.ty.ty.is_pointer() { Type::SIZE } else { a.ty.ty.clone() };
            let (a, b) = (self.convert(a, &ty), self.convert(b, &ty));
            return binary(op, a, b);
        }
        let bytes = Type::pointer(Type::CHAR.into());
        let span = a.span;
        let pointer = Box::new(self.convert(a, &bytes));
        let index = Box::new(self.convert(b, &Type::PTRDIFF));
        let kind = ExprKind::PointerAdd { pointer, index, minus: op == BinaryOp::Sub };
        Expr { kind, ty: bytes.into(), span }
    }

    fn risc_pair(
        &mut self,
        at: &mut Assembly,
        a: &Value,
        b: &Value,
        size: u64,
    ) -> Checked<(Expr, Expr)> {
        let ty = unsigned(size).unwrap_or(Type::SIZE);
        let mut held = |value: &Value| {
            let value = self.risc_read(at, value, size, None);
            let value = self.convert(value, &ty);
            if value.as_const().is_some() { Ok(value) } else { self.temporary(at, value) }
        };
        Ok((held(a)?, held(b)?))
    }

    /// The low bytes of a value; a whole pointer stays one, also as what it is stored as.
    fn risc_read(&self, at: &Assembly, value: &Value, size: u64, object: Option<&Type>) -> Expr {
        let value = match value {
            Value::Constant(value) => value.clone(),
            Value::Register(index) => at.value_of(*index),
        };
        let ty = unsigned(size).unwrap_or(Type::SIZE);
        let whole = self.unit.types.size_of(&value.ty.ty) == Some(size);
        match object {
            Some(object) => {
                let value = if whole { value } else { self.convert(value, &ty) };
                self.convert(value, object)
            }
            None if whole && value.ty.ty.is_pointer() => value,
            None => self.convert(value, &ty),
        }
    }

    fn risc_write(
        &mut self,
        at: &mut Assembly,
        text: &str,
        to: &Value,
        value: Expr,
    ) -> Checked<()> {
        let Value::Register(index) = to else {
            return match to {
                // The register that is always zero.
                Value::Constant(zero) if zero.as_const() == Some(0) => Ok(()),
                _ => at.unknown(text, ": it writes a constant"),
            };
        };
        let (local, ty) = (at.registers[*index].local, at.registers[*index].ty.clone());
        let value = self.convert(value, &ty);
        at.assign(local, value);
        Ok(())
    }

    fn risc_access(
        &self,
        at: &Assembly,
        text: &str,
        pointer: Expr,
        size: u64,
    ) -> Checked<(Expr, Type)> {
        let natural = pointer.ty.ty.pointee().map(|to| to.ty.clone());
        if let Some(ty) = natural
            && (ty.is_integer() && ty != Type::BOOL || ty.is_pointer())
            && self.unit.types.size_of(&ty) == Some(size)
        {
            return Ok((pointer, ty));
        }
        let Some(ty) = unsigned(size) else { return at.unknown(text, ": of its size") };
        Ok((self.convert(pointer, &Type::pointer(ty.clone().into())), ty))
    }

    /// Memory at an address in a register, and some bytes further.
    pub(super) fn risc_at(&self, at: &Assembly, base: &Value, offset: i128) -> Option<Expr> {
        match base {
            Value::Register(index) => self.at_register(at, *index, offset),
            Value::Constant(_) => None,
        }
    }
}

impl Assembly {
    /// An operand `%0`, `%w1`, `%[name]`: its home, and the letter before its number.
    pub(super) fn operand(&self, text: &str) -> Option<(Home, Option<char>)> {
        let rest = text.strip_prefix('%')?;
        let (letter, rest) = match rest.chars().next()? {
            letter if letter.is_ascii_alphabetic() => (Some(letter), &rest[1..]),
            _ => (None, rest),
        };
        let index = match rest.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            Some(name) => self.named(name)?,
            None => rest.parse().ok()?,
        };
        Some((self.operands.get(index)?.1.clone(), letter))
    }

    /// A register or number, and how many bytes its name says.
    pub(super) fn risc_value(&self, text: &str, zeros: &[&str]) -> Option<(Value, Option<u64>)> {
        let number = |bits: i128| {
            Value::Constant(Expr::constant(bits as u64 as u128, Type::SIZE, self.span))
        };
        if zeros.contains(&text) {
            let size = if text.starts_with('w') { Some(4) } else { None };
            return Some((number(0), size));
        }
        if let Some((home, letter)) = self.operand(text) {
            let size = match letter {
                Some('w') => Some(4),
                Some('x') => Some(8),
                _ => None,
            };
            return match home {
                Home::Register(index) => Some((Value::Register(index), size)),
                Home::Constant(value) => Some((Value::Constant(value), size)),
                _ => None,
            };
        }
        let digits = text.trim_start_matches('#');
        number_of(digits).map(|value| (number(value), None))
    }

    /// The object of an operand in memory.
    pub(super) fn risc_memory(&self, text: &str) -> Option<Expr> {
        match self.operand(text)?.0 {
            Home::Memory(place) => Some(address(place)),
            _ => None,
        }
    }
}

/// The mnemonic of an instruction, in lower case, and its operands.
pub(super) fn parts(text: &str) -> (String, Vec<&str>) {
    let (mnemonic, rest) = text.split_once(' ').unwrap_or((text, ""));
    (mnemonic.to_lowercase(), split(rest))
}
