//! RISC-V: registers and instructions.
//!
//! Soundness S-152 (litmus; all; misses): A store-conditional succeeds only at the location of its
//! load, also on RISC-V, where a machine may reserve more. Test:
//! crates/oracle/tests/stray.rs::a_store_conditional_that_can_only_fail_accesses_nothing.

use crate::asm::{Thread, access, unknown_instruction};
use crate::token::{Cursor, Kind, Token};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use ir::machine::{Effect, MemoryInstruction, riscv};
use ir::op::{BinaryOp, CastOp, Op, Operand, UnaryOp};
use ir::order::Order;
use ir::program::Width;
use ir::tag::Tag::Both;
use ir::tag::{Annotation, Tag};

/// The canonical name of a register: `x10` for `a0`.
pub fn canonical(name: &str) -> Option<String> {
    register(name).map(|number| format!("x{number}"))
}

fn register(name: &str) -> Option<u32> {
    let lower = name.to_ascii_lowercase();
    let special = match lower.as_str() {
        "zero" => Some(0),
        "ra" => Some(1),
        "sp" => Some(2),
        "gp" => Some(3),
        "tp" => Some(4),
        "fp" => Some(8),
        _ => None,
    };
    if special.is_some() {
        return special;
    }
    let digits = lower.get(1..)?;
    let number: u32 = digits.parse().ok()?;
    if number.to_string() != digits {
        return None;
    }
    match (lower.as_bytes()[0], number) {
        (b'x', 0..=31) => Some(number),
        (b'a', 0..=7) => Some(10 + number),
        (b't', 0..=2) => Some(5 + number),
        (b't', 3..=6) => Some(25 + number),
        (b's', 0..=1) => Some(8 + number),
        (b's', 2..=11) => Some(16 + number),
        _ => None,
    }
}

/// A register operand; `x0` is zero whatever is written to it.
#[derive(Clone, Debug)]
struct Register(Option<String>);

fn take_register(cursor: &mut Cursor<'_>) -> Result<Register, Diagnostic> {
    if cursor.eat("%") {
        let word = cursor.word("the name of a symbolic register")?;
        return Ok(Register(Some(format!("%{}", word.text))));
    }
    let token = cursor.peek();
    let number = (token.kind == Kind::Word).then(|| register(token.text)).flatten();
    let number = number.ok_or_else(|| cursor.wanted("a register"))?;
    cursor.next();
    Ok(Register((number != 0).then(|| format!("x{number}"))))
}

fn read(thread: &mut Thread<'_>, register: &Register) -> Operand {
    match &register.0 {
        None => number(0),
        Some(name) => Operand::Reg(thread.wide(name)),
    }
}

fn take_value(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    let register = take_register(cursor)?;
    Ok(read(thread, &register))
}

fn write(thread: &mut Thread<'_>, register: &Register, value: Operand) {
    if let Some(name) = &register.0 {
        let dst = thread.wide(name);
        thread.copy(dst, value);
    }
}

fn number(value: i128) -> Operand {
    Operand::int(Width::I64, value as u128)
}

/// Lowers one instruction.
pub fn instruction(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
    let mnemonic = cursor.word("an instruction")?;
    let name = mnemonic.text.to_ascii_lowercase();
    match name.as_str() {
        "nop" | "pause" => return Ok(()),
        "ret" => {
            thread.leave();
            return Ok(());
        }
        "fence" | "fence.i" | "fence.tso" => return fence(thread, cursor, &name),
        "j" => {
            let target = cursor.word("a label")?;
            thread.jump(target);
            return Ok(());
        }
        "li" | "lui" => {
            let dst = take_register(cursor)?;
            cursor.expect(",")?;
            let value = cursor.signed_number()?;
            let value = if name == "lui" { i128::from((value << 12) as i32) } else { value };
            write(thread, &dst, number(value));
            return Ok(());
        }
        "la" => return load_address(thread, cursor),
        "jal" | "jr" | "jalr" => return jump(thread, cursor, mnemonic, &name),
        "auipc" | "call" | "tail" => return Err(code_address(mnemonic.span)),
        _ => {}
    }
    if branch(thread, cursor, &name)?
        || memory(thread, cursor, &name)?
        || arithmetic(thread, cursor, &name)?
        || unary(thread, cursor, &name)?
    {
        return Ok(());
    }
    Err(unknown_instruction(mnemonic, "RISC-V"))
}

/// `la rd,x`: the address of a location.
fn load_address(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
    let dst = take_register(cursor)?;
    cursor.expect(",")?;
    let symbol = cursor.word("a location")?;
    let context = &mut thread.context;
    let global = context.locations.named(context.program, symbol.text);
    write(thread, &dst, Operand::Global(global, 0));
    Ok(())
}

/// That an instruction computes with addresses of code.
fn code_address(span: Span) -> Diagnostic {
    Diagnostic::error(span, "a litmus test's code has no addresses to compute with or jump to")
        .note("of the computed jumps only the return, `jalr x0,ra,0`, is supported")
}

/// `jal x0,label` is a jump, and `jalr x0,ra,0` in its several spellings the return at the end of
/// compiled code; no other call or computed jump has a meaning here.
fn jump(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    mnemonic: Token<'_>,
    name: &str,
) -> Result<(), Diagnostic> {
    let whole = |cursor: &Cursor<'_>| mnemonic.span.to(cursor.previous_span());
    if name == "jal" {
        let link = if cursor.peek_at(1).is(",") { Some(take_register(cursor)?) } else { None };
        if link.is_none_or(|link| link.0.is_some()) {
            return Err(code_address(whole(cursor)));
        }
        cursor.expect(",")?;
        let target = cursor.word("a label")?;
        thread.jump(target);
        return Ok(());
    }
    let linked = name == "jalr" && cursor.peek_at(1).is(",");
    let link = if linked { take_register(cursor)?.0 } else { None };
    if linked {
        cursor.expect(",")?;
    }
    let (target, offset) = if cursor.peek().kind == Kind::Word || cursor.peek().is("%") {
        let target = take_register(cursor)?;
        (target, if cursor.eat(",") { cursor.signed_number()? } else { 0 })
    } else {
        let offset = if cursor.peek().is("(") { 0 } else { cursor.signed_number()? };
        cursor.expect("(")?;
        let target = take_register(cursor)?;
        cursor.expect(")")?;
        (target, offset)
    };
    let calls = link.is_some() || name == "jalr" && !linked;
    if calls || target.0.as_deref() != Some("x1") || offset != 0 {
        return Err(code_address(whole(cursor)));
    }
    thread.leave();
    Ok(())
}

fn fence(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>, name: &str) -> Result<(), Diagnostic> {
    match name {
        "fence.i" => thread.fence("Fence.i"),
        "fence.tso" => thread.fence("Fence.tso"),
        _ if cursor.at_end() => thread.fence("Fence.rw.rw"),
        _ => {
            let before = fence_side(cursor)?;
            cursor.expect(",")?;
            let after = fence_side(cursor)?;
            thread.fence(&format!("Fence.{before}.{after}"));
        }
    }
    Ok(())
}

/// The memory part of a fence's predecessor or successor set; devices are left out.
fn fence_side(cursor: &mut Cursor<'_>) -> Result<&'static str, Diagnostic> {
    let token = cursor.word("a set such as `rw`")?;
    let letters = token.text.to_ascii_lowercase();
    let known = letters.chars().all(|c| "iorw".contains(c));
    match (known, letters.contains('r'), letters.contains('w')) {
        (true, true, true) => Ok("rw"),
        (true, true, false) => Ok("r"),
        (true, false, true) => Ok("w"),
        _ => {
            let message = format!("`{}` does not name reads or writes of memory", token.text);
            Err(Diagnostic::error(token.span, message))
        }
    }
}

fn branch(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<bool, Diagnostic> {
    let zero = matches!(name, "beqz" | "bnez" | "bltz" | "bgez" | "bgtz" | "blez");
    let base = if zero { &name[..name.len() - 1] } else { name };
    let (op, swapped, inverted) = match base {
        "beq" => (BinaryOp::Eq, false, false),
        "bne" => (BinaryOp::Ne, false, false),
        "blt" => (BinaryOp::Slt, false, false),
        "bge" => (BinaryOp::Slt, false, true),
        "bgt" => (BinaryOp::Slt, true, false),
        "ble" => (BinaryOp::Slt, true, true),
        "bltu" => (BinaryOp::Ult, false, false),
        "bgeu" => (BinaryOp::Ult, false, true),
        "bgtu" => (BinaryOp::Ult, true, false),
        "bleu" => (BinaryOp::Ult, true, true),
        _ => return Ok(false),
    };
    let a = take_value(thread, cursor)?;
    cursor.expect(",")?;
    let b = if zero {
        number(0)
    } else {
        let b = take_value(thread, cursor)?;
        cursor.expect(",")?;
        b
    };
    let target = cursor.word("a label")?;
    let (a, b) = if swapped { (b, a) } else { (a, b) };
    let mut cond = thread.binary(op, a, b);
    if inverted {
        cond = thread.unary(UnaryOp::Not, cond);
    }
    thread.branch(cond, target);
    Ok(true)
}

/// The acquire and release bits at the end of a mnemonic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bits {
    acquire: bool,
    release: bool,
}

impl Bits {
    /// Splits `.aq`, `.rl`, `.aqrl` or `.aq.rl` off a mnemonic.
    fn split(name: &str) -> (&str, Bits) {
        for (suffix, acquire, release) in [
            (".aq.rl", true, true),
            (".aqrl", true, true),
            (".aq", true, false),
            (".rl", false, true),
        ] {
            if let Some(base) = name.strip_suffix(suffix) {
                return (base, Bits { acquire, release });
            }
        }
        (name, Bits { acquire: false, release: false })
    }

    fn order(self) -> Order {
        match (self.acquire, self.release) {
            (true, true) => Order::AcqRel,
            (true, false) => Order::Acquire,
            (false, true) => Order::Release,
            (false, false) => Order::Relaxed,
        }
    }

    fn tag(self) -> Option<Tag> {
        match (self.acquire, self.release) {
            (true, true) => Some(Both(Annotation::AcqRel)),
            (true, false) => Some(Both(Annotation::Acq)),
            (false, true) => Some(Both(Annotation::Rel)),
            (false, false) => None,
        }
    }
}

/// Takes `i(reg)` or `(reg)`; gives the address.
fn address(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    let offset = if cursor.peek().is("(") { 0 } else { cursor.signed_number()? };
    cursor.expect("(")?;
    let base = take_value(thread, cursor)?;
    cursor.expect(")")?;
    Ok(if offset == 0 { base } else { thread.binary(BinaryOp::Add, base, number(offset)) })
}

fn memory(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    full_name: &str,
) -> Result<bool, Diagnostic> {
    let (name, bits) = Bits::split(full_name);
    let tags: Vec<Tag> = bits.tag().into_iter().collect();
    let Some(known) = riscv::memory(full_name) else { return Ok(false) };
    let width = known.width.unwrap_or(Width::I64);
    let signed = known.effect == Effect::Load { signed: true };
    if name.contains('.') {
        return atomic(thread, cursor, known, bits);
    }
    let register = take_register(cursor)?;
    cursor.expect(",")?;
    let address = address(thread, cursor)?;
    let access = access(address, width, bits.order(), &tags);
    if known.effect != Effect::Store {
        let value = thread.load(access, false);
        let op = if signed { CastOp::SignExtend } else { CastOp::ZeroExtend };
        let value = thread.cast(op, value, Width::I64);
        write(thread, &register, value);
    } else {
        let value = read(thread, &register);
        let value = thread.resize(value, width);
        thread.emit(Op::Store { access, value });
    }
    Ok(true)
}

/// LR, SC and the AMOs.
fn atomic(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    known: MemoryInstruction,
    bits: Bits,
) -> Result<bool, Diagnostic> {
    let width = known.width.unwrap_or(Width::I64);
    let loads = matches!(known.effect, Effect::Load { .. });
    let op = match known.effect {
        Effect::CompareAndSwap => return compare_and_swap(thread, cursor, width, bits),
        Effect::Update { op, .. } => Some(op),
        Effect::Load { .. } | Effect::Store => None,
    };
    let mut tags = vec![Both(Annotation::X)];
    tags.extend(bits.tag());
    if op.is_none() {
        tags.push(Both(Annotation::Ex));
    }
    let dst = take_register(cursor)?;
    cursor.expect(",")?;
    let mut value = Operand::int(width, 0);
    if !loads {
        let operand = take_value(thread, cursor)?;
        value = thread.resize(operand, width);
        cursor.expect(",")?;
    }
    let address = address(thread, cursor)?;
    let access = access(address, width, bits.order(), &tags);
    let result = match op {
        Some(op) => thread.rmw(op, access, value, true),
        None if loads => thread.load(access, true),
        None => {
            let failed = thread.temporary(Width::I32);
            thread.emit(Op::StoreExclusive { failed, access, value });
            Operand::Reg(failed)
        }
    };
    let result = thread.cast(CastOp::SignExtend, result, Width::I64);
    write(thread, &dst, result);
    Ok(true)
}

/// `amocas rd,rs2,(rs1)`: `rd` holds what is expected, and gets what was there.
fn compare_and_swap(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    width: Width,
    bits: Bits,
) -> Result<bool, Diagnostic> {
    let mut tags = vec![Both(Annotation::X)];
    tags.extend(bits.tag());
    let dst = take_register(cursor)?;
    cursor.expect(",")?;
    let desired = take_value(thread, cursor)?;
    cursor.expect(",")?;
    let address = address(thread, cursor)?;
    let expected = read(thread, &dst);
    let (expected, desired) = (thread.resize(expected, width), thread.resize(desired, width));
    let old = thread.temporary(width);
    thread.emit(Op::Cas {
        dst: Some(old),
        success: None,
        access: access(address, width, bits.order(), &tags),
        expected,
        desired,
        failure: if bits.acquire { Order::Acquire } else { Order::Relaxed },
        weak: false,
    });
    let result = thread.cast(CastOp::SignExtend, Operand::Reg(old), Width::I64);
    write(thread, &dst, result);
    Ok(true)
}

fn arithmetic(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<bool, Diagnostic> {
    let word = name.len() > 3 && name.ends_with('w') && name != "xorw";
    let base = if word { &name[..name.len() - 1] } else { name };
    let immediate = matches!(
        base,
        "addi" | "andi" | "ori" | "xori" | "slli" | "srli" | "srai" | "slti" | "sltiu"
    );
    let op = match base {
        "add" | "addi" => BinaryOp::Add,
        "sub" => BinaryOp::Sub,
        "mul" => BinaryOp::Mul,
        "and" | "andi" => BinaryOp::And,
        "or" | "ori" => BinaryOp::Or,
        "xor" | "xori" => BinaryOp::Xor,
        "sll" | "slli" => BinaryOp::Shl,
        "srl" | "srli" => BinaryOp::LShr,
        "sra" | "srai" => BinaryOp::AShr,
        "slt" | "slti" | "sgt" => BinaryOp::Slt,
        "sltu" | "sltiu" | "sgtu" => BinaryOp::Ult,
        "andn" => BinaryOp::And,
        "orn" => BinaryOp::Or,
        "xnor" => BinaryOp::Xor,
        _ => return Ok(false),
    };
    let dst = take_register(cursor)?;
    cursor.expect(",")?;
    let a = take_value(thread, cursor)?;
    cursor.expect(",")?;
    let b = if immediate || cursor.peek().kind == Kind::Number || cursor.peek().is("-") {
        number(cursor.signed_number()?)
    } else {
        take_value(thread, cursor)?
    };
    let width = if word { Width::I32 } else { Width::I64 };
    let (mut a, mut b) = (thread.resize(a, width), thread.resize(b, width));
    match base {
        "sgt" | "sgtu" => std::mem::swap(&mut a, &mut b),
        "andn" | "orn" | "xnor" => b = thread.unary(UnaryOp::Not, b),
        _ if matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) => {
            let last = Operand::int(width, u128::from(width.bits() - 1));
            b = thread.binary(BinaryOp::And, b, last);
        }
        _ => {}
    }
    let value = thread.binary(op, a, b);
    let op = if op.is_comparison() { CastOp::ZeroExtend } else { CastOp::SignExtend };
    let value = thread.cast(op, value, Width::I64);
    write(thread, &dst, value);
    Ok(true)
}

fn unary(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>, name: &str) -> Result<bool, Diagnostic> {
    let known = [
        "mv", "neg", "negw", "not", "sext.b", "sext.h", "sext.w", "zext.b", "zext.h", "zext.w",
        "seqz", "snez", "sltz", "sgtz",
    ];
    if !known.contains(&name) {
        return Ok(false);
    }
    let dst = take_register(cursor)?;
    cursor.expect(",")?;
    let value = take_value(thread, cursor)?;
    let result = match name {
        "neg" => thread.unary(UnaryOp::Neg, value),
        "negw" => {
            let low = thread.resize(value, Width::I32);
            let negated = thread.unary(UnaryOp::Neg, low);
            thread.cast(CastOp::SignExtend, negated, Width::I64)
        }
        "not" => thread.unary(UnaryOp::Not, value),
        _ if name.contains("ext.") => {
            let width = match &name[5..] {
                "b" => Width::I8,
                "h" => Width::I16,
                _ => Width::I32,
            };
            let op = if name.starts_with('s') { CastOp::SignExtend } else { CastOp::ZeroExtend };
            let low = thread.resize(value, width);
            thread.cast(op, low, Width::I64)
        }
        "seqz" | "snez" | "sltz" | "sgtz" => {
            let (op, a, b) = match name {
                "seqz" => (BinaryOp::Eq, value, number(0)),
                "snez" => (BinaryOp::Ne, value, number(0)),
                "sltz" => (BinaryOp::Slt, value, number(0)),
                _ => (BinaryOp::Slt, number(0), value),
            };
            let bit = thread.binary(op, a, b);
            thread.resize(bit, Width::I64)
        }
        _ => value,
    };
    write(thread, &dst, result);
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abi_names_are_the_numbered_registers() {
        for (name, number) in
            [("zero", 0), ("t0", 5), ("t3", 28), ("s0", 8), ("s2", 18), ("a7", 17), ("x31", 31)]
        {
            assert_eq!(canonical(name), Some(format!("x{number}")), "{name}");
        }
        for name in ["x32", "x01", "a8", "s12", "b1", "x"] {
            assert_eq!(canonical(name), None, "{name}");
        }
    }
}
