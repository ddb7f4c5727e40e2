//! Power: registers, condition fields and instructions.

use crate::asm::{Thread, access, unknown_instruction};
use crate::token::{Cursor, Kind, Token};
use execution::diagnostic::Diagnostic;
use ir::op::{BinaryOp, CastOp, Op, Operand, UnaryOp};
use ir::order::Order;
use ir::program::Width;

/// The canonical name of a register.
pub fn canonical(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let digits = lower.strip_prefix('r')?;
    let number: u32 = digits.parse().ok().filter(|n| *n < 32)?;
    (number.to_string() == digits).then_some(lower)
}

fn take_register(cursor: &mut Cursor<'_>) -> Result<String, Diagnostic> {
    if cursor.eat("%") {
        let word = cursor.word("the name of a symbolic register")?;
        return Ok(format!("%{}", word.text));
    }
    let token = cursor.peek();
    let name = (token.kind == Kind::Word).then(|| canonical(token.text)).flatten();
    let name = name.ok_or_else(|| cursor.wanted("a register"))?;
    cursor.next();
    Ok(name)
}

fn read(thread: &mut Thread<'_>, name: &str) -> Operand {
    Operand::Reg(thread.wide(name))
}

fn take_value(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    let name = take_register(cursor)?;
    Ok(read(thread, &name))
}

/// A register in a place where `r0` means the number zero.
fn take_base(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    let token = cursor.peek();
    if token.kind == Kind::Number && token.text == "0" {
        cursor.next();
        return Ok(number(0));
    }
    let name = take_register(cursor)?;
    Ok(if name == "r0" { number(0) } else { read(thread, &name) })
}

fn number(value: i128) -> Operand {
    Operand::int(Width::I64, value as u128)
}

fn immediate(cursor: &mut Cursor<'_>) -> Result<i128, Diagnostic> {
    cursor.signed_number()
}

fn set(thread: &mut Thread<'_>, name: &str, value: Operand) {
    let dst = thread.wide(name);
    thread.copy(dst, value);
}

/// Lowers one instruction.
pub fn instruction(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
    let mnemonic = cursor.word("an instruction")?;
    let name = mnemonic.text.to_ascii_lowercase();
    match name.as_str() {
        "nop" => {}
        "sync" | "hwsync" => thread.fence("SYNC"),
        "lwsync" => thread.fence("LWSYNC"),
        "eieio" => thread.fence("EIEIO"),
        "isync" => thread.fence("ISYNC"),
        "b" => {
            let target = cursor.word("a label")?;
            thread.jump(target);
        }
        "blr" => thread.leave(),
        "cmpw" | "cmpwi" | "cmpd" | "cmpdi" | "cmplw" | "cmplwi" | "cmpld" | "cmpldi" => {
            compare_instruction(thread, cursor, &name)?;
        }
        "li" | "lis" => {
            let dst = take_register(cursor)?;
            cursor.expect(",")?;
            let value = immediate(cursor)? << if name == "lis" { 16 } else { 0 };
            set(thread, &dst, number(value));
        }
        _ => {
            if !branch(thread, cursor, &name)?
                && !memory(thread, cursor, &name)?
                && !arithmetic(thread, cursor, &name)?
            {
                return Err(unknown_instruction(mnemonic, "Power"));
            }
        }
    }
    Ok(())
}

/// Takes `crN,` if it is there; gives the field.
fn take_field(cursor: &mut Cursor<'_>) -> String {
    let token = cursor.peek();
    let is_field = token.kind == Kind::Word
        && token.text.len() == 3
        && token.text.to_ascii_lowercase().starts_with("cr")
        && cursor.peek_at(1).is(",");
    if is_field {
        cursor.next();
        cursor.next();
        return token.text.to_ascii_uppercase();
    }
    "CR0".to_string()
}

fn compare_instruction(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<(), Diagnostic> {
    let field = take_field(cursor);
    let a = take_value(thread, cursor)?;
    cursor.expect(",")?;
    let b =
        if name.ends_with('i') { number(immediate(cursor)?) } else { take_value(thread, cursor)? };
    let width = if name.contains('w') { Width::I32 } else { Width::I64 };
    let (a, b) = (thread.resize(a, width), thread.resize(b, width));
    compare(thread, &field, a, b, !name.contains('l'));
    Ok(())
}

fn compare(thread: &mut Thread<'_>, field: &str, a: Operand, b: Operand, signed: bool) {
    let less = if signed { BinaryOp::Slt } else { BinaryOp::Ult };
    let values = [
        ("LT", thread.binary(less, a, b)),
        ("GT", thread.binary(less, b, a)),
        ("EQ", thread.binary(BinaryOp::Eq, a, b)),
    ];
    for (bit, value) in values {
        let dst = thread.flag(&format!("{field}.{bit}"));
        thread.copy(dst, value);
    }
}

fn branch(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<bool, Diagnostic> {
    let (bit, inverted) = match name {
        "beq" => ("EQ", false),
        "bne" => ("EQ", true),
        "blt" => ("LT", false),
        "bge" | "bnl" => ("LT", true),
        "bgt" => ("GT", false),
        "ble" | "bng" => ("GT", true),
        _ => return Ok(false),
    };
    let field = take_field(cursor);
    let target = cursor.word("a label")?;
    let flag = Operand::Reg(thread.flag(&format!("{field}.{bit}")));
    let cond = if inverted { thread.unary(UnaryOp::Not, flag) } else { flag };
    thread.branch(cond, target);
    Ok(true)
}

/// Takes `d(rA)`; gives the address.
fn displaced(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    let offset = if cursor.peek().is("(") { 0 } else { immediate(cursor)? };
    cursor.expect("(")?;
    let base = take_base(thread, cursor)?;
    cursor.expect(")")?;
    Ok(if offset == 0 { base } else { thread.binary(BinaryOp::Add, base, number(offset)) })
}

/// Takes `rA,rB`; gives their sum.
fn indexed(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    let a = take_base(thread, cursor)?;
    cursor.expect(",")?;
    let b = take_value(thread, cursor)?;
    Ok(if a == number(0) { b } else { thread.binary(BinaryOp::Add, a, b) })
}

fn memory(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<bool, Diagnostic> {
    let exclusive = matches!(name, "lwarx" | "ldarx" | "stwcx." | "stdcx.");
    let width = match name {
        "lwz" | "lwzx" | "lwa" | "lwax" | "lwarx" | "stw" | "stwx" | "stwcx." => Width::I32,
        "ld" | "ldx" | "ldarx" | "std" | "stdx" | "stdcx." => Width::I64,
        "lbz" | "lbzx" | "stb" | "stbx" => Width::I8,
        "lhz" | "lhzx" | "lha" | "lhax" | "sth" | "sthx" => Width::I16,
        _ => return Ok(false),
    };
    let register = take_register(cursor)?;
    cursor.expect(",")?;
    let address = if exclusive || name.ends_with('x') {
        indexed(thread, cursor)?
    } else {
        displaced(thread, cursor)?
    };
    let tags: &[&str] = if exclusive { &["X"] } else { &[] };
    let access = access(address, width, Order::Relaxed, tags);
    if name.starts_with('l') {
        let value = thread.load(access, exclusive);
        let signed = matches!(name, "lwa" | "lwax" | "lha" | "lhax");
        let op = if signed { CastOp::SignExtend } else { CastOp::ZeroExtend };
        let value = thread.cast(op, value, Width::I64);
        set(thread, &register, value);
        return Ok(true);
    }
    let value = read(thread, &register);
    let value = thread.resize(value, width);
    if exclusive {
        let failed = thread.temporary(Width::I32);
        thread.emit(Op::StoreExclusive { failed, access, value });
        compare(thread, "CR0", Operand::Reg(failed), Operand::int(Width::I32, 0), true);
    } else {
        thread.emit(Op::Store { access, value });
    }
    Ok(true)
}

/// How the last operand of an arithmetic instruction is given.
enum Form {
    Registers,
    Immediate,
    ShiftedImmediate,
}

fn arithmetic(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    full_name: &str,
) -> Result<bool, Diagnostic> {
    let name = full_name.trim_end_matches('.');
    let (op, form) = match name {
        "add" => (BinaryOp::Add, Form::Registers),
        "sub" | "subf" => (BinaryOp::Sub, Form::Registers),
        "mullw" | "mulld" => (BinaryOp::Mul, Form::Registers),
        "and" => (BinaryOp::And, Form::Registers),
        "or" => (BinaryOp::Or, Form::Registers),
        "xor" => (BinaryOp::Xor, Form::Registers),
        "sld" => (BinaryOp::Shl, Form::Registers),
        "srd" => (BinaryOp::LShr, Form::Registers),
        "addi" => (BinaryOp::Add, Form::Immediate),
        "addis" => (BinaryOp::Add, Form::ShiftedImmediate),
        "mulli" => (BinaryOp::Mul, Form::Immediate),
        "andi" => (BinaryOp::And, Form::Immediate),
        "ori" => (BinaryOp::Or, Form::Immediate),
        "xori" => (BinaryOp::Xor, Form::Immediate),
        "sldi" => (BinaryOp::Shl, Form::Immediate),
        "srdi" => (BinaryOp::LShr, Form::Immediate),
        _ => return bits(thread, cursor, full_name),
    };
    let dst = take_register(cursor)?;
    cursor.expect(",")?;
    let a = match name {
        "addi" | "addis" => take_base(thread, cursor)?,
        _ => take_value(thread, cursor)?,
    };
    cursor.expect(",")?;
    let b = match form {
        Form::Registers => take_value(thread, cursor)?,
        Form::Immediate => number(immediate(cursor)?),
        Form::ShiftedImmediate => number(immediate(cursor)? << 16),
    };
    let (a, b) = if name == "subf" { (b, a) } else { (a, b) };
    let value = thread.binary(op, a, b);
    finish(thread, &dst, value, full_name);
    Ok(true)
}

/// Sets the result; an instruction with a final dot compares it with zero.
fn finish(thread: &mut Thread<'_>, dst: &str, value: Operand, full_name: &str) {
    set(thread, dst, value);
    if full_name.ends_with('.') {
        compare(thread, "CR0", value, number(0), true);
    }
}

/// Moves, extensions and rotations.
fn bits(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    full_name: &str,
) -> Result<bool, Diagnostic> {
    let name = full_name.trim_end_matches('.');
    if !matches!(
        name,
        "mr" | "not"
            | "neg"
            | "extsw"
            | "extsh"
            | "extsb"
            | "clrldi"
            | "rlwinm"
            | "rlwimi"
            | "slwi"
            | "srwi"
    ) {
        return Ok(false);
    }
    let dst = take_register(cursor)?;
    cursor.expect(",")?;
    let value = take_value(thread, cursor)?;
    let extend = |thread: &mut Thread<'_>, width| {
        let low = thread.resize(value, width);
        thread.cast(CastOp::SignExtend, low, Width::I64)
    };
    let result = match name {
        "not" => thread.unary(UnaryOp::Not, value),
        "neg" => thread.unary(UnaryOp::Neg, value),
        "extsw" => extend(thread, Width::I32),
        "extsh" => extend(thread, Width::I16),
        "extsb" => extend(thread, Width::I8),
        "clrldi" => {
            let count = small(cursor, 64)?;
            thread.binary(BinaryOp::And, value, Operand::int(Width::I64, u128::MAX >> (64 + count)))
        }
        "slwi" | "srwi" => {
            let count = small(cursor, 32)?;
            let low = thread.resize(value, Width::I32);
            let op = if name == "slwi" { BinaryOp::Shl } else { BinaryOp::LShr };
            let shifted = thread.binary(op, low, Operand::int(Width::I32, u128::from(count)));
            thread.resize(shifted, Width::I64)
        }
        "rlwinm" | "rlwimi" => {
            let (rotated, mask) = rotate_and_mask(thread, cursor, value)?;
            let inserted = thread.binary(BinaryOp::And, rotated, number(i128::from(mask)));
            if name == "rlwimi" {
                let old = read(thread, &dst);
                let keep = Operand::int(Width::I64, !u128::from(mask));
                let kept = thread.binary(BinaryOp::And, old, keep);
                thread.binary(BinaryOp::Or, kept, inserted)
            } else {
                inserted
            }
        }
        _ => value,
    };
    finish(thread, &dst, result, full_name);
    Ok(true)
}

/// Takes `, n` with `n` below a limit.
fn small(cursor: &mut Cursor<'_>, limit: u32) -> Result<u32, Diagnostic> {
    cursor.expect(",")?;
    let token: Token<'_> = cursor.peek();
    let value = u32::try_from(immediate(cursor)?).ok().filter(|n| *n < limit);
    let message = format!("expected a number below {limit}");
    value.ok_or_else(|| Diagnostic::error(token.span, message))
}

/// Takes `, shift, first, last`; gives the rotated word (32 bits, filled with zeros) and the
/// mask from bit `first` to bit `last`, counted from the left.
fn rotate_and_mask(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    value: Operand,
) -> Result<(Operand, u32), Diagnostic> {
    let (shift, first, last) = (small(cursor, 32)?, small(cursor, 32)?, small(cursor, 32)?);
    let low = thread.resize(value, Width::I32);
    let rotated = if shift == 0 {
        low
    } else {
        let count = |n: u32| Operand::int(Width::I32, u128::from(n));
        let high = thread.binary(BinaryOp::Shl, low, count(shift));
        let wrapped = thread.binary(BinaryOp::LShr, low, count(32 - shift));
        thread.binary(BinaryOp::Or, high, wrapped)
    };
    let from_first = u32::MAX >> first;
    let to_last = u32::MAX << (31 - last);
    let mask = if first <= last { from_first & to_last } else { from_first | to_last };
    Ok((thread.resize(rotated, Width::I64), mask))
}
