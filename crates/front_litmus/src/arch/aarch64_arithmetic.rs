//! AArch64's rarer data processing: products, quotients, bit fields, conditional comparison.

use super::aarch64::{
    Register, flags, flexible, immediate, immediate_ahead, read, rotate, set_flags, take_condition,
    take_register, write,
};
use crate::asm::Thread;
use crate::token::Cursor;
use execution::diagnostic::Diagnostic;
use ir::op::{BinaryOp, CastOp, Operand, UnaryOp};
use ir::program::Width;

/// Lowers an instruction of this file; `false` if it is none.
pub fn instruction(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<bool, Diagnostic> {
    match name {
        "MADD" | "MSUB" | "MNEG" => multiply(thread, cursor, name)?,
        "SMULL" | "UMULL" | "SMADDL" | "UMADDL" => multiply_long(thread, cursor, name)?,
        "SDIV" | "UDIV" => divide(thread, cursor, name == "SDIV")?,
        "ADC" | "SBC" => with_carry(thread, cursor, name == "SBC")?,
        "ROR" | "RORV" => rotate_right(thread, cursor)?,
        "UBFX" | "SBFX" | "UBFIZ" | "SBFIZ" | "BFI" | "BFXIL" => bit_field(thread, cursor, name)?,
        "CLZ" | "REV" => {
            let dst = destination(cursor)?;
            let value = operand(thread, cursor)?;
            let op = if name == "CLZ" { UnaryOp::CountLeadingZeros } else { UnaryOp::ByteSwap };
            let value = thread.unary(op, value);
            write(thread, &dst, value);
        }
        "NEGS" => {
            let dst = destination(cursor)?;
            let value = flexible(thread, cursor, dst.width)?;
            let zero = Operand::int(dst.width, 0);
            let result = thread.binary(BinaryOp::Sub, zero, value);
            set_flags(thread, BinaryOp::Sub, zero, value, result);
            write(thread, &dst, result);
        }
        "CCMP" | "CCMN" => compare_if(thread, cursor, name)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Takes `dst,`.
fn destination(cursor: &mut Cursor<'_>) -> Result<Register, Diagnostic> {
    let dst = take_register(cursor)?;
    cursor.expect(",")?;
    Ok(dst)
}

fn operand(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    let register = take_register(cursor)?;
    Ok(read(thread, &register))
}

/// Takes `a, b`, both brought to a width.
fn two_operands(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    width: Width,
) -> Result<(Operand, Operand), Diagnostic> {
    let a = operand(thread, cursor)?;
    cursor.expect(",")?;
    let b = operand(thread, cursor)?;
    Ok((thread.resize(a, width), thread.resize(b, width)))
}

fn multiply(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<(), Diagnostic> {
    let dst = destination(cursor)?;
    let (a, b) = two_operands(thread, cursor, dst.width)?;
    let product = thread.binary(BinaryOp::Mul, a, b);
    let result = if name == "MNEG" {
        thread.unary(UnaryOp::Neg, product)
    } else {
        cursor.expect(",")?;
        let addend = operand(thread, cursor)?;
        let addend = thread.resize(addend, dst.width);
        let op = if name == "MADD" { BinaryOp::Add } else { BinaryOp::Sub };
        thread.binary(op, addend, product)
    };
    write(thread, &dst, result);
    Ok(())
}

fn multiply_long(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<(), Diagnostic> {
    let dst = destination(cursor)?;
    let (a, b) = two_operands(thread, cursor, Width::I32)?;
    let op = if name.starts_with('S') { CastOp::SignExtend } else { CastOp::ZeroExtend };
    let (a, b) = (thread.cast(op, a, Width::I64), thread.cast(op, b, Width::I64));
    let mut result = thread.binary(BinaryOp::Mul, a, b);
    if name.ends_with("ADDL") {
        cursor.expect(",")?;
        let addend = operand(thread, cursor)?;
        result = thread.binary(BinaryOp::Add, addend, result);
    }
    write(thread, &dst, result);
    Ok(())
}

/// Division by zero gives zero, and the least number divided by -1 gives itself.
fn divide(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    signed: bool,
) -> Result<(), Diagnostic> {
    let dst = destination(cursor)?;
    let (a, b) = two_operands(thread, cursor, dst.width)?;
    let (zero, one) = (Operand::int(dst.width, 0), Operand::int(dst.width, 1));
    let by_zero = thread.binary(BinaryOp::Eq, b, zero);
    let mut divisor = thread.select(by_zero, one, b);
    let op = if signed { BinaryOp::SDiv } else { BinaryOp::UDiv };
    let mut opposite = None;
    if signed {
        let minus_one = thread.binary(BinaryOp::Eq, b, Operand::int(dst.width, u128::MAX));
        divisor = thread.select(minus_one, one, divisor);
        opposite = Some(minus_one);
    }
    let mut quotient = thread.binary(op, a, divisor);
    if let Some(opposite) = opposite {
        let negated = thread.unary(UnaryOp::Neg, a);
        quotient = thread.select(opposite, negated, quotient);
    }
    let result = thread.select(by_zero, zero, quotient);
    write(thread, &dst, result);
    Ok(())
}

/// `a + b + C`, or `a - b - 1 + C`.
fn with_carry(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    subtract: bool,
) -> Result<(), Diagnostic> {
    let dst = destination(cursor)?;
    let (a, mut b) = two_operands(thread, cursor, dst.width)?;
    if subtract {
        b = thread.unary(UnaryOp::Not, b);
    }
    let carry = Operand::Reg(thread.flag("C"));
    let carry = thread.resize(carry, dst.width);
    let sum = thread.binary(BinaryOp::Add, a, b);
    let sum = thread.binary(BinaryOp::Add, sum, carry);
    write(thread, &dst, sum);
    Ok(())
}

fn rotate_right(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
    let dst = destination(cursor)?;
    let value = operand(thread, cursor)?;
    let value = thread.resize(value, dst.width);
    cursor.expect(",")?;
    if immediate_ahead(cursor) {
        let amount = bounded(cursor, dst.width.bits())?;
        let result = rotate(thread, value, amount);
        write(thread, &dst, result);
        return Ok(());
    }
    let amount = operand(thread, cursor)?;
    let amount = thread.resize(amount, dst.width);
    let last = Operand::int(dst.width, u128::from(dst.width.bits() - 1));
    let right = thread.binary(BinaryOp::And, amount, last);
    let opposite = thread.unary(UnaryOp::Neg, amount);
    let left = thread.binary(BinaryOp::And, opposite, last);
    let low = thread.binary(BinaryOp::LShr, value, right);
    let high = thread.binary(BinaryOp::Shl, value, left);
    let result = thread.binary(BinaryOp::Or, low, high);
    write(thread, &dst, result);
    Ok(())
}

/// Takes a number below a limit.
fn bounded(cursor: &mut Cursor<'_>, limit: u32) -> Result<u32, Diagnostic> {
    let span = cursor.peek().span;
    let value = u32::try_from(immediate(cursor)?).ok().filter(|value| *value < limit);
    let message = format!("expected a number below {limit}");
    value.ok_or_else(|| Diagnostic::error(span, message))
}

/// Copies the bits from `lsb` on down to bit 0 (`X`), or those from bit 0 up to `lsb` (`I`); the
/// others become zero, copies of the sign, or (`BF…`) stay as they are.
fn bit_field(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<(), Diagnostic> {
    let dst = destination(cursor)?;
    let (width, bits) = (dst.width, dst.width.bits());
    let value = operand(thread, cursor)?;
    let value = thread.resize(value, width);
    cursor.expect(",")?;
    let lsb = bounded(cursor, bits)?;
    cursor.expect(",")?;
    let span = cursor.peek().span;
    let size = bounded(cursor, bits + 1)?;
    if size == 0 || lsb + size > bits {
        return Err(Diagnostic::error(span, "the register has no such bit field"));
    }
    let count = |n: u32| Operand::int(width, u128::from(n));
    let up = matches!(name, "UBFIZ" | "SBFIZ" | "BFI");
    // The field at the top, then shifted down, brings zeros or copies of the sign along.
    let (first, to) = if up { (0, lsb) } else { (lsb, 0) };
    let top = thread.binary(BinaryOp::Shl, value, count(bits - first - size));
    let down = if name.starts_with('S') { BinaryOp::AShr } else { BinaryOp::LShr };
    let mut result = thread.binary(down, top, count(bits - size - to));
    if name.starts_with("BF") {
        let field = (u128::MAX >> (128 - size)) << to;
        let old = read(thread, &dst);
        let kept = thread.binary(BinaryOp::And, old, Operand::int(width, !field));
        result = thread.binary(BinaryOp::And, result, Operand::int(width, field));
        result = thread.binary(BinaryOp::Or, kept, result);
    }
    write(thread, &dst, result);
    Ok(())
}

/// Sets the flags from a comparison if a condition holds, and to a constant otherwise.
fn compare_if(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<(), Diagnostic> {
    let first = destination(cursor)?;
    let a = read(thread, &first);
    let b = if immediate_ahead(cursor) {
        Operand::int(first.width, immediate(cursor)? as u128)
    } else {
        let b = operand(thread, cursor)?;
        thread.resize(b, first.width)
    };
    cursor.expect(",")?;
    let otherwise = bounded(cursor, 16)?;
    cursor.expect(",")?;
    let cond = take_condition(thread, cursor)?;
    let op = if name == "CCMP" { BinaryOp::Sub } else { BinaryOp::Add };
    let result = thread.binary(op, a, b);
    let values = flags(thread, op, a, b, result);
    let chosen = values.map(|(flag, value)| {
        let bit = match flag {
            "N" => otherwise >> 3,
            "Z" => otherwise >> 2,
            "C" => otherwise >> 1,
            _ => otherwise,
        };
        let constant = Operand::int(Width::BOOL, u128::from(bit & 1));
        (flag, thread.select(cond, value, constant))
    });
    for (flag, value) in chosen {
        let dst = thread.flag(flag);
        thread.copy(dst, value);
    }
    Ok(())
}
