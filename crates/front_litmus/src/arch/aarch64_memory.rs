//! AArch64's memory accesses: plain, ordered, exclusive, and the atomic instructions. Pairs have
//! their own file.

use super::aarch64::{Register, immediate, immediate_ahead, read, shifted, take_register, write};
use super::aarch64_pairs;
use crate::asm::{Thread, access, unknown_instruction};
use crate::token::{Cursor, Token};
use execution::diagnostic::Diagnostic;
use ir::machine::{Acquires, Effect, arm64};
use ir::op::{BinaryOp, CastOp, Op, Operand, RmwOp, UnaryOp};
use ir::order::Order;
use ir::program::Width;
use ir::tag::Tag::{Both, Read, Write};
use ir::tag::{Annotation, Tag};

/// Lowers a memory instruction.
pub fn instruction(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    mnemonic: Token<'_>,
    name: &str,
) -> Result<(), Diagnostic> {
    if let Some(kind) = Load::named(name) {
        return kind.lower(thread, cursor);
    }
    if let Some(kind) = Store::named(name) {
        return kind.lower(thread, cursor);
    }
    match name {
        "PRFM" | "PRFUM" => {
            cursor.word("a kind of prefetch")?;
            cursor.expect(",")?;
            address(thread, cursor).map(|_| ())
        }
        _ if aarch64_pairs::instruction(thread, cursor, name)? => Ok(()),
        _ => match Atomic::named(name) {
            Some(atomic) => atomic.lower(thread, cursor),
            None => Err(unknown_instruction(mnemonic, "AArch64")),
        },
    }
}

/// An address operand, and the base register's new value.
pub struct Address {
    /// Where the access goes.
    pub address: Operand,
    writeback: Option<(Register, Operand)>,
}

/// Takes `[Xn]`, `[Xn,#i]`, `[Xn,#i]!`, `[Xn],#i`, `[Xn,Xm]` and `[Xn,Wm,SXTW #s]`.
pub fn address(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Address, Diagnostic> {
    cursor.expect("[")?;
    let base = take_register(cursor)?;
    let start = read(thread, &base);
    let mut offset = None;
    if cursor.eat(",") {
        offset = Some(if immediate_ahead(cursor) {
            Operand::int(Width::I64, immediate(cursor)? as u128)
        } else {
            let index = take_register(cursor)?;
            let value = read(thread, &index);
            if cursor.eat(",") {
                shifted(thread, cursor, value, Width::I64)?
            } else {
                thread.resize(value, Width::I64)
            }
        });
    }
    cursor.expect("]")?;
    let indexed = match offset {
        Some(offset) => thread.binary(BinaryOp::Add, start, offset),
        None => start,
    };
    if cursor.eat("!") {
        return Ok(Address { address: indexed, writeback: Some((base, indexed)) });
    }
    if offset.is_none() && cursor.eat(",") {
        let step = if immediate_ahead(cursor) {
            Operand::int(Width::I64, immediate(cursor)? as u128)
        } else {
            let register = take_register(cursor)?;
            read(thread, &register)
        };
        let next = thread.binary(BinaryOp::Add, start, step);
        return Ok(Address { address: start, writeback: Some((base, next)) });
    }
    Ok(Address { address: indexed, writeback: None })
}

/// Sets the base register where the form says so.
pub fn finish_address(thread: &mut Thread<'_>, address: Address) {
    if let Some((base, value)) = address.writeback {
        write(thread, &base, value);
    }
}

struct Load {
    order: Order,
    tags: &'static [Tag],
    exclusive: bool,
    /// What is read, where it is narrower than the register.
    narrow: Option<Width>,
    signed: bool,
}

impl Load {
    fn named(name: &str) -> Option<Load> {
        let known = arm64::memory(&name.to_ascii_lowercase())?;
        let Effect::Load { signed } = known.effect else { return None };
        let tags: &[Tag] = match (known.acquires, known.exclusive) {
            (Acquires::No, false) => &[],
            (Acquires::No, true) => &[Both(Annotation::X)],
            (Acquires::Pc, _) => &[Both(Annotation::Q)],
            (Acquires::Yes, false) => &[Both(Annotation::A)],
            (Acquires::Yes, true) => &[Both(Annotation::A), Both(Annotation::X)],
        };
        let (order, narrow) = (known.order(true), known.width);
        Some(Load { order, tags, exclusive: known.exclusive, narrow, signed })
    }

    fn lower(self, thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let dst = take_register(cursor)?;
        cursor.expect(",")?;
        let address = address(thread, cursor)?;
        let width = self.narrow.unwrap_or(dst.width);
        let place = access(address.address, width, self.order, self.tags);
        let value = thread.load(place, self.exclusive);
        let op = if self.signed { CastOp::SignExtend } else { CastOp::ZeroExtend };
        let value = thread.cast(op, value, dst.width);
        finish_address(thread, address);
        write(thread, &dst, value);
        Ok(())
    }
}

struct Store {
    order: Order,
    tags: &'static [Tag],
    exclusive: bool,
    narrow: Option<Width>,
}

impl Store {
    fn named(name: &str) -> Option<Store> {
        let known = arm64::memory(&name.to_ascii_lowercase())?;
        let tags: &[Tag] = match (known.releases, known.exclusive) {
            (false, false) => &[],
            (false, true) => &[Both(Annotation::X)],
            (true, false) => &[Both(Annotation::L)],
            (true, true) => &[Both(Annotation::L), Both(Annotation::X)],
        };
        let (order, narrow, exclusive) = (known.order(true), known.width, known.exclusive);
        (known.effect == Effect::Store).then_some(Store { order, tags, exclusive, narrow })
    }

    fn lower(self, thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let status = if self.exclusive {
            let status = take_register(cursor)?;
            cursor.expect(",")?;
            Some(status)
        } else {
            None
        };
        let src = take_register(cursor)?;
        let value = read(thread, &src);
        cursor.expect(",")?;
        let address = address(thread, cursor)?;
        let width = self.narrow.unwrap_or(src.width);
        let value = thread.resize(value, width);
        let place = access(address.address, width, self.order, self.tags);
        match status {
            None => thread.emit(Op::Store { access: place, value }),
            Some(status) => {
                let failed = thread.temporary(Width::I32);
                thread.emit(Op::StoreExclusive { failed, access: place, value });
                write(thread, &status, Operand::Reg(failed));
            }
        }
        finish_address(thread, address);
        Ok(())
    }
}

/// A single-instruction read-modify-write.
struct Atomic {
    /// The operation; `None` for compare-and-swap.
    op: Option<RmwOp>,
    /// Whether the operand is inverted first (CLR: and with the complement).
    inverted: bool,
    acquire: bool,
    release: bool,
    /// `ST<op>`: has no result.
    silent: bool,
    narrow: Option<Width>,
}

impl Atomic {
    fn named(name: &str) -> Option<Atomic> {
        let known = arm64::memory(&name.to_ascii_lowercase())?;
        let (op, inverted) = match known.effect {
            Effect::Update { op, inverted } => (Some(op), inverted),
            Effect::CompareAndSwap => (None, false),
            Effect::Load { .. } | Effect::Store => return None,
        };
        let (acquire, release) = (known.acquires == Acquires::Yes, known.releases);
        let (silent, narrow) = (known.silent, known.width);
        Some(Atomic { op, inverted, acquire, release, silent, narrow })
    }

    fn lower(self, thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let first = take_register(cursor)?;
        cursor.expect(",")?;
        let second = if self.silent {
            None
        } else {
            let second = take_register(cursor)?;
            cursor.expect(",")?;
            Some(second)
        };
        let place = address(thread, cursor)?;
        let width = self.narrow.unwrap_or(first.width);
        let operand = read(thread, &first);
        let operand = thread.resize(operand, width);
        match (self.op, second) {
            (None, Some(desired)) => self.swap_if_equal(thread, &first, &desired, operand, place),
            (op, dst) => {
                let dst = dst.unwrap_or(Register { name: None, width: first.width });
                let op = op.unwrap_or(RmwOp::Exchange);
                let returns = dst.name.is_some();
                let operand =
                    if self.inverted { thread.unary(UnaryOp::Not, operand) } else { operand };
                let (order, tags) = self.annotations(returns, returns);
                let place = access(place.address, width, order, &tags);
                let old = thread.rmw(op, place, operand, returns);
                if returns {
                    write(thread, &dst, old);
                }
            }
        }
        Ok(())
    }

    fn swap_if_equal(
        &self,
        thread: &mut Thread<'_>,
        expected: &Register,
        desired: &Register,
        expected_value: Operand,
        place: Address,
    ) {
        let width = thread.width(expected_value);
        let value = read(thread, desired);
        let value = thread.resize(value, width);
        let returns = expected.name.is_some();
        let (order, tags) = self.annotations(returns, returns);
        let access = access(place.address, width, order, &tags);
        let old = thread.temporary(width);
        thread.emit(Op::Cas {
            dst: Some(old),
            success: None,
            access,
            expected: expected_value,
            desired: value,
            failure: if self.acquire && returns { Order::Acquire } else { Order::Relaxed },
            weak: false,
        });
        write(thread, expected, Operand::Reg(old));
    }

    /// The acquire form of an instruction whose result is discarded does not acquire.
    fn annotations(&self, acquires: bool, returns: bool) -> (Order, Vec<Tag>) {
        let acquire = self.acquire && acquires;
        let order = match (acquire, self.release) {
            (true, true) => Order::AcqRel,
            (true, false) => Order::Acquire,
            (false, true) => Order::Release,
            (false, false) => Order::Relaxed,
        };
        let mut tags = Vec::new();
        if acquire {
            tags.push(Read(Annotation::A));
        }
        if self.release {
            tags.push(Write(Annotation::L));
        }
        if !returns {
            tags.push(Read(Annotation::NoRet));
        }
        (order, tags)
    }
}
