//! Power: registers, condition fields and instructions.

use crate::asm::{Thread, access, unknown_instruction};
use crate::token::{Cursor, Kind, Token};
use execution::diagnostic::Diagnostic;
use ir::machine::{Effect, power};
use ir::op::{BinaryOp, CastOp, Op, Operand, UnaryOp};
use ir::order::Order;
use ir::program::Width;
use ir::tag::Tag::Both;
use ir::tag::{Annotation, Tag};

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
        "sync" if cursor.peek().kind == Kind::Number => match immediate(cursor)? {
            0 => thread.fence("SYNC"),
            1 => thread.fence("LWSYNC"),
            _ => {
                let message = "`sync` takes 0 (sync) or 1 (lwsync)";
                return Err(Diagnostic::error(cursor.previous_span(), message));
            }
        },
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
        "dcbt" | "dcbtst" => {
            indexed(thread, cursor)?;
        }
        "mtctr" | "mfctr" => {
            let register = take_register(cursor)?;
            let (dst, src) =
                if name == "mtctr" { ("CTR", &*register) } else { (&*register, "CTR") };
            let value = read(thread, src);
            set(thread, dst, value);
        }
        "li" | "lis" => {
            let dst = take_register(cursor)?;
            cursor.expect(",")?;
            let value = immediate(cursor)? << if name == "lis" { 16 } else { 0 };
            set(thread, &dst, number(value));
        }
        _ => {
            if !branch(thread, cursor, &name)?
                && !select(thread, cursor, &name)?
                && !memory(thread, cursor, &name)?
                && !arithmetic(thread, cursor, &name)?
            {
                return Err(unknown_instruction(mnemonic, "Power"));
            }
        }
    }
    Ok(())
}

/// Takes `crN,` or `N,` if it is there; gives the field.
fn take_field(cursor: &mut Cursor<'_>) -> String {
    let token = cursor.peek();
    let lower = token.text.to_ascii_lowercase();
    let digit = match token.kind {
        Kind::Word => lower.strip_prefix("cr"),
        Kind::Number => Some(lower.as_str()),
        _ => None,
    };
    let number = digit.filter(|digit| digit.len() == 1 && ("0"..="7").contains(digit));
    if let (Some(number), true) = (number, cursor.peek_at(1).is(",")) {
        cursor.next();
        cursor.next();
        return format!("CR{number}");
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
    if name == "bdnz" || name == "bdz" {
        return count_down(thread, cursor, name == "bdnz").map(|()| true);
    }
    let returns = name.strip_suffix("lr");
    let (bit, inverted) = match returns.unwrap_or(name) {
        "beq" => ("EQ", false),
        "bne" => ("EQ", true),
        "blt" => ("LT", false),
        "bge" | "bnl" => ("LT", true),
        "bgt" => ("GT", false),
        "ble" | "bng" => ("GT", true),
        _ => return Ok(false),
    };
    skip_hint(cursor);
    let field = take_field(cursor);
    let flag = Operand::Reg(thread.flag(&format!("{field}.{bit}")));
    let cond = if inverted { thread.unary(UnaryOp::Not, flag) } else { flag };
    if returns.is_some() {
        let (leave, stay) = (thread.new_block(), thread.new_block());
        thread.branch_to(cond, leave, stay);
        thread.switch_to(leave);
        thread.leave();
        thread.switch_to(stay);
        return Ok(true);
    }
    let target = cursor.word("a label")?;
    thread.branch(cond, target);
    Ok(true)
}

/// Takes the `+` or `-` with which a branch says which way it usually goes.
fn skip_hint(cursor: &mut Cursor<'_>) {
    if !cursor.eat("+") {
        cursor.eat("-");
    }
}

/// Counts CTR down and jumps while it is not zero, or once it is.
fn count_down(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    nonzero: bool,
) -> Result<(), Diagnostic> {
    skip_hint(cursor);
    let target = cursor.word("a label")?;
    let old = read(thread, "CTR");
    let new = thread.binary(BinaryOp::Sub, old, number(1));
    set(thread, "CTR", new);
    let op = if nonzero { BinaryOp::Ne } else { BinaryOp::Eq };
    let cond = thread.binary(op, new, number(0));
    thread.branch(cond, target);
    Ok(())
}

/// `isel rD,rA,rB,bit` and `iseleq rD,rA,rB`: one of two registers, without a branch.
fn select(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<bool, Diagnostic> {
    let Some(bit) = name.strip_prefix("isel") else { return Ok(false) };
    if !matches!(bit, "" | "lt" | "gt" | "eq") {
        return Ok(false);
    }
    let dst = take_register(cursor)?;
    cursor.expect(",")?;
    let a = take_base(thread, cursor)?;
    cursor.expect(",")?;
    let b = take_value(thread, cursor)?;
    let flag = if bit.is_empty() {
        let number = small(cursor, 32)?;
        let bit = match number % 4 {
            0 => "LT",
            1 => "GT",
            2 => "EQ",
            _ => {
                let message = "the summary overflow bit is not kept";
                return Err(Diagnostic::error(cursor.previous_span(), message));
            }
        };
        format!("CR{}.{bit}", number / 4)
    } else {
        format!("CR0.{}", bit.to_ascii_uppercase())
    };
    let cond = Operand::Reg(thread.flag(&flag));
    let value = thread.select(cond, a, b);
    set(thread, &dst, value);
    Ok(true)
}

/// Takes `d(rA)`, or `d,rA` as herd has it; gives the address.
fn displaced(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    let offset = if cursor.peek().is("(") { 0 } else { immediate(cursor)? };
    let comma = cursor.eat(",");
    if !comma {
        cursor.expect("(")?;
    }
    let base = take_base(thread, cursor)?;
    if !comma {
        cursor.expect(")")?;
    }
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
    let Some(kind) = power::memory(name) else { return Ok(false) };
    let (does, width) = (kind.does, kind.does.width.unwrap_or(Width::I64));
    let register = take_register(cursor)?;
    cursor.expect(",")?;
    let form = cursor.clone();
    let address = if kind.indexed { indexed(thread, cursor)? } else { displaced(thread, cursor)? };
    if does.exclusive && does.effect != Effect::Store && cursor.eat(",") {
        // The hint whether the lock is going to be released.
        immediate(cursor)?;
    }
    let tags: &[Tag] =
        if does.exclusive { &[Both(Annotation::X), Both(Annotation::Ex)] } else { &[] };
    let access = access(address, width, Order::Relaxed, tags);
    if let Effect::Load { signed } = does.effect {
        let value = thread.load(access, does.exclusive);
        let op = if signed { CastOp::SignExtend } else { CastOp::ZeroExtend };
        let value = thread.cast(op, value, Width::I64);
        if kind.updates {
            update_base(thread, form, kind.indexed, address)?;
        }
        set(thread, &register, value);
        return Ok(true);
    }
    let value = read(thread, &register);
    let value = thread.resize(value, width);
    if does.exclusive {
        let failed = thread.temporary(Width::I32);
        thread.emit(Op::StoreExclusive { failed, access, value });
        compare(thread, "CR0", Operand::Reg(failed), Operand::int(Width::I32, 0), true);
    } else {
        thread.emit(Op::Store { access, value });
    }
    if kind.updates {
        update_base(thread, form, kind.indexed, address)?;
    }
    Ok(true)
}

/// Puts the address into the base register of the operand that starts at `form`.
fn update_base(
    thread: &mut Thread<'_>,
    mut form: Cursor<'_>,
    indexed: bool,
    address: Operand,
) -> Result<(), Diagnostic> {
    if !indexed {
        if !form.peek().is("(") {
            immediate(&mut form)?;
        }
        if !form.eat(",") {
            form.expect("(")?;
        }
    }
    let base = take_register(&mut form)?;
    set(thread, &base, address);
    Ok(())
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
        "andc" => (BinaryOp::And, Form::Registers),
        "orc" => (BinaryOp::Or, Form::Registers),
        "nand" => (BinaryOp::And, Form::Registers),
        "nor" => (BinaryOp::Or, Form::Registers),
        "eqv" => (BinaryOp::Xor, Form::Registers),
        "slw" => (BinaryOp::Shl, Form::Registers),
        "srw" => (BinaryOp::LShr, Form::Registers),
        "subi" => (BinaryOp::Sub, Form::Immediate),
        "andis" => (BinaryOp::And, Form::ShiftedImmediate),
        "oris" => (BinaryOp::Or, Form::ShiftedImmediate),
        "xoris" => (BinaryOp::Xor, Form::ShiftedImmediate),
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
    let (a, mut b) = if name == "subf" { (b, a) } else { (a, b) };
    if matches!(name, "andc" | "orc") {
        b = thread.unary(UnaryOp::Not, b);
    }
    let value = match op {
        BinaryOp::Shl | BinaryOp::LShr if matches!(form, Form::Registers) => {
            let width = if name.ends_with('w') { Width::I32 } else { Width::I64 };
            shift(thread, op, a, b, width)
        }
        _ => thread.binary(op, a, b),
    };
    let inverted = matches!(name, "nand" | "nor" | "eqv");
    let value = if inverted { thread.unary(UnaryOp::Not, value) } else { value };
    finish(thread, &dst, value, full_name);
    Ok(true)
}

/// Shifts by a register use one bit more of it than the width needs: from the width on, nothing is
/// left.
fn shift(
    thread: &mut Thread<'_>,
    op: BinaryOp,
    value: Operand,
    count: Operand,
    width: Width,
) -> Operand {
    let (value, count) = (thread.resize(value, width), thread.resize(count, width));
    let bits = u128::from(width.bits());
    let low = thread.binary(BinaryOp::And, count, Operand::int(width, bits - 1));
    let beyond = thread.binary(BinaryOp::And, count, Operand::int(width, bits));
    let zero = Operand::int(width, 0);
    let within = thread.binary(BinaryOp::Eq, beyond, zero);
    let shifted = thread.binary(op, value, low);
    let result = thread.select(within, shifted, zero);
    thread.resize(result, Width::I64)
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
            | "clrlwi"
            | "cntlzw"
            | "cntlzd"
            | "sradi"
            | "srawi"
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
        "cntlzd" => thread.unary(UnaryOp::CountLeadingZeros, value),
        "cntlzw" => {
            let low = thread.resize(value, Width::I32);
            let count = thread.unary(UnaryOp::CountLeadingZeros, low);
            thread.resize(count, Width::I64)
        }
        "clrlwi" => {
            let count = small(cursor, 32)?;
            thread.binary(BinaryOp::And, value, number(i128::from(u32::MAX >> count)))
        }
        "sradi" => {
            let count = small(cursor, 64)?;
            thread.binary(BinaryOp::AShr, value, number(i128::from(count)))
        }
        "srawi" => {
            let count = small(cursor, 32)?;
            let low = thread.resize(value, Width::I32);
            let count = Operand::int(Width::I32, u128::from(count));
            let shifted = thread.binary(BinaryOp::AShr, low, count);
            thread.cast(CastOp::SignExtend, shifted, Width::I64)
        }
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
