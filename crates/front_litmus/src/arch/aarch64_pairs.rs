//! AArch64's accesses of pairs: two registers to or from two neighbouring cells.
//!
//! As in herd without mixed-size accesses, the halves are two accesses of one instruction.
//!
//! Soundness S-151 (litmus; all; cries wolf): An access of a pair of registers (`LDP`, `STXP`,
//! `CASP`) is two accesses, one per half, as in herd without mixed-size accesses. Test:
//! crates/fencepost/tests/litmus_instructions.rs::aarch64_compare_and_swap_of_pairs.

use super::aarch64::{Register, read, take_register, write};
use super::aarch64_memory::{address, finish_address};
use crate::asm::{Thread, access};
use crate::token::Cursor;
use execution::diagnostic::Diagnostic;
use ir::op::{BinaryOp, CastOp, Op, Operand};
use ir::order::Order;
use ir::program::Width;
use ir::tag::Tag::{Both, Read, Write};
use ir::tag::{Annotation, Tag};

/// Lowers an instruction on pairs; `false` if it is none.
pub fn instruction(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<bool, Diagnostic> {
    match name {
        "LDP" | "LDNP" | "LDXP" | "LDAXP" | "LDPSW" => load_pair(thread, cursor, name)?,
        "STP" | "STNP" => store_pair(thread, cursor)?,
        "STXP" | "STLXP" => store_exclusive_pair(thread, cursor, name)?,
        "CASP" | "CASPA" | "CASPL" | "CASPAL" => compare_and_swap(thread, cursor, name)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// The addresses of the two halves of a pair.
fn halves(thread: &mut Thread<'_>, address: Operand, width: Width) -> [Operand; 2] {
    let step = Operand::int(Width::I64, u128::from(width.bytes()));
    [address, thread.binary(BinaryOp::Add, address, step)]
}

fn two_registers(cursor: &mut Cursor<'_>) -> Result<[Register; 2], Diagnostic> {
    let first = take_register(cursor)?;
    cursor.expect(",")?;
    let second = take_register(cursor)?;
    cursor.expect(",")?;
    Ok([first, second])
}

fn load_pair(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<(), Diagnostic> {
    let (order, tags): (_, &[Tag]) = match name {
        "LDAXP" => (Order::Acquire, &[Both(Annotation::A), Both(Annotation::X)]),
        "LDXP" => (Order::Relaxed, &[Both(Annotation::X)]),
        _ => (Order::Relaxed, &[]),
    };
    let dsts = two_registers(cursor)?;
    let place = address(thread, cursor)?;
    let width = if name == "LDPSW" { Width::I32 } else { dsts[0].width };
    let exclusive = name.contains('X');
    let values = halves(thread, place.address, width)
        .map(|half| thread.load(access(half, width, order, tags), exclusive));
    finish_address(thread, place);
    for (dst, value) in dsts.iter().zip(values) {
        let value = thread.cast(CastOp::SignExtend, value, dst.width);
        write(thread, dst, value);
    }
    Ok(())
}

fn store_pair(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
    let srcs = two_registers(cursor)?;
    let values = [read(thread, &srcs[0]), read(thread, &srcs[1])];
    let place = address(thread, cursor)?;
    let width = srcs[0].width;
    for (half, value) in halves(thread, place.address, width).into_iter().zip(values) {
        thread.emit(Op::Store { access: access(half, width, Order::Relaxed, &[]), value });
    }
    finish_address(thread, place);
    Ok(())
}

/// Both halves are stored or none is.
fn store_exclusive_pair(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<(), Diagnostic> {
    let (order, tags): (_, &[Tag]) = match name {
        "STLXP" => (Order::Release, &[Both(Annotation::L), Both(Annotation::X)]),
        _ => (Order::Relaxed, &[Both(Annotation::X)]),
    };
    let status = take_register(cursor)?;
    cursor.expect(",")?;
    let srcs = two_registers(cursor)?;
    let values = [read(thread, &srcs[0]), read(thread, &srcs[1])];
    let place = address(thread, cursor)?;
    let width = srcs[0].width;
    let [first, second] = halves(thread, place.address, width);
    let [first, second] = [(first, values[0]), (second, values[1])].map(|(half, value)| {
        let failed = thread.temporary(Width::I32);
        let access = access(half, width, order, tags);
        thread.emit(Op::StoreExclusive { failed, access, value });
        Operand::Reg(failed)
    });
    let cond = thread.binary(BinaryOp::Eq, first, second);
    thread.emit(Op::Assume { cond, waits: true });
    write(thread, &status, first);
    Ok(())
}

/// `CASP Xs,Xs+1,Xt,Xt+1,[Xn]`: both halves are exchanged if both are as expected; otherwise
/// both are only read. The registers `Xs` get what was there.
fn compare_and_swap(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<(), Diagnostic> {
    let start = cursor.peek().span;
    let (expected, desired) = (two_registers(cursor)?, two_registers(cursor)?);
    for pair in [&expected, &desired] {
        if !follow_each_other(pair) {
            let span = start.to(cursor.previous_span());
            let message = format!("`{name}` takes pairs of an even register and the next one");
            return Err(Diagnostic::error(span, message));
        }
    }
    let place = address(thread, cursor)?;
    let width = expected[0].width;
    let wanted = [read(thread, &expected[0]), read(thread, &expected[1])];
    let values = [read(thread, &desired[0]), read(thread, &desired[1])];
    let halves = halves(thread, place.address, width);
    let (acquire, release) = (name[4..].contains('A'), name[4..].contains('L'));
    let order = match (acquire, release) {
        (true, true) => Order::AcqRel,
        (true, false) => Order::Acquire,
        (false, true) => Order::Release,
        (false, false) => Order::Relaxed,
    };
    let mut tags = Vec::new();
    tags.extend(acquire.then_some(Read(Annotation::A)));
    tags.extend(release.then_some(Write(Annotation::L)));
    let old = [thread.temporary(width), thread.temporary(width)];
    let (swap, keep, join) = thread.either();
    thread.switch_to(swap);
    for half in 0..2 {
        let success = thread.temporary(Width::BOOL);
        thread.emit(Op::Cas {
            dst: Some(old[half]),
            success: Some(success),
            access: access(halves[half], width, order, &tags),
            expected: wanted[half],
            desired: values[half],
            failure: Order::Relaxed,
            weak: false,
        });
        thread.emit(Op::Assume { cond: Operand::Reg(success), waits: true });
    }
    thread.jump_to(join);
    thread.switch_to(keep);
    let (order, tags): (_, &[Tag]) =
        if acquire { (Order::Acquire, &[Both(Annotation::A)]) } else { (Order::Relaxed, &[]) };
    let differ = [0, 1].map(|half| {
        let seen = thread.load(access(halves[half], width, order, tags), false);
        thread.copy(old[half], seen);
        thread.binary(BinaryOp::Ne, seen, wanted[half])
    });
    let cond = thread.binary(BinaryOp::Or, differ[0], differ[1]);
    thread.emit(Op::Assume { cond, waits: true });
    thread.continue_in(join);
    for (register, value) in expected.iter().zip(old) {
        write(thread, register, Operand::Reg(value));
    }
    Ok(())
}

/// Whether the second register is the one after the first, whose number is even.
fn follow_each_other(pair: &[Register; 2]) -> bool {
    let number = |register: &Register| -> Option<u32> {
        register.name.as_deref()?.strip_prefix('X')?.parse().ok()
    };
    match (number(&pair[0]), number(&pair[1])) {
        (Some(first), Some(second)) => {
            first % 2 == 0 && second == first + 1 && pair[0].width == pair[1].width
        }
        // X30 is followed by the zero register; symbolic registers are anything.
        (first, None) => first.is_none_or(|first| first == 30),
        (None, Some(_)) => true,
    }
}
