//! AArch64: registers, data processing, branches and barriers. The rarer arithmetic and memory
//! accesses have files of their own.

use super::{aarch64_arithmetic, aarch64_memory};
use crate::asm::{Thread, bad_operands, unknown_instruction};
use crate::token::{Cursor, Kind, Token};
use execution::diagnostic::Diagnostic;
use ir::op::{BinaryOp, CastOp, Operand, UnaryOp};
use ir::program::Width;

/// A register operand.
#[derive(Clone, Debug)]
pub struct Register {
    /// The canonical name; `None` for the zero register.
    pub name: Option<String>,
    /// 32 bits for `W`, 64 for `X`.
    pub width: Width,
}

/// The canonical name of a register: `X3` for `x3` and `W3`.
pub fn canonical(name: &str) -> Option<String> {
    register(name).map(|register| register.name.unwrap_or_else(|| "XZR".to_string()))
}

fn register(name: &str) -> Option<Register> {
    let upper = name.to_ascii_uppercase();
    match upper.as_str() {
        "SP" => return Some(Register { name: Some("SP".into()), width: Width::I64 }),
        "WSP" => return Some(Register { name: Some("SP".into()), width: Width::I32 }),
        "XZR" => return Some(Register { name: None, width: Width::I64 }),
        "WZR" => return Some(Register { name: None, width: Width::I32 }),
        _ => {}
    }
    let width = match upper.chars().next()? {
        'X' => Width::I64,
        'W' => Width::I32,
        _ => return None,
    };
    let digits = upper.get(1..)?;
    let number: u32 = digits.parse().ok().filter(|n| *n <= 30)?;
    (number.to_string() == digits).then(|| Register { name: Some(format!("X{number}")), width })
}

/// Takes a register operand; a symbolic one (`%x`) is 64 bits wide.
pub fn take_register(cursor: &mut Cursor<'_>) -> Result<Register, Diagnostic> {
    if cursor.eat("%") {
        let word = cursor.word("the name of a symbolic register")?;
        return Ok(Register { name: Some(format!("%{}", word.text)), width: Width::I64 });
    }
    let token = cursor.peek();
    let found = (token.kind == Kind::Word).then(|| register(token.text)).flatten();
    let found = found.ok_or_else(|| cursor.wanted("a register"))?;
    cursor.next();
    Ok(found)
}

/// The contents of a register.
pub fn read(thread: &mut Thread<'_>, register: &Register) -> Operand {
    match &register.name {
        None => Operand::int(register.width, 0),
        Some(name) => {
            let wide = Operand::Reg(thread.wide(name));
            thread.resize(wide, register.width)
        }
    }
}

/// Sets a register; a narrow value fills the upper bits with zeros.
pub fn write(thread: &mut Thread<'_>, register: &Register, value: Operand) {
    let value = thread.resize(value, register.width);
    let value = thread.resize(value, Width::I64);
    if let Some(name) = &register.name {
        let dst = thread.wide(name);
        thread.copy(dst, value);
    }
}

/// Takes `#imm` or a bare number.
pub fn immediate(cursor: &mut Cursor<'_>) -> Result<i128, Diagnostic> {
    cursor.eat("#");
    cursor.signed_number()
}

/// Whether an immediate is next.
pub fn immediate_ahead(cursor: &Cursor<'_>) -> bool {
    let token = cursor.peek();
    token.is("#") || token.is("-") || token.kind == Kind::Number
}

/// Takes the last operand of a data-processing instruction: a register with an optional shift or
/// extension, or an immediate with an optional shift.
pub fn flexible(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    width: Width,
) -> Result<Operand, Diagnostic> {
    if immediate_ahead(cursor) {
        let mut value = immediate(cursor)?;
        if cursor.eat(",") {
            let (kind, amount) = shift(cursor)?;
            if !kind.is_word_prefix("LSL") {
                return Err(Diagnostic::error(kind.span, "an immediate is only shifted by LSL"));
            }
            value = value.checked_shl(amount).unwrap_or(0);
        }
        return Ok(Operand::int(width, value as u128));
    }
    let register = take_register(cursor)?;
    let value = read(thread, &register);
    if !cursor.eat(",") {
        return Ok(thread.resize(value, width));
    }
    shifted(thread, cursor, value, width)
}

/// Applies the shift or extension that comes next to a value.
pub fn shifted(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    value: Operand,
    width: Width,
) -> Result<Operand, Diagnostic> {
    let (kind, amount) = shift(cursor)?;
    let name = kind.text.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_uppercase();
    let extended = |thread: &mut Thread<'_>, op, from| {
        let low = thread.resize(value, from);
        thread.cast(op, low, width)
    };
    let (op, base) = match name.as_str() {
        "LSL" => (BinaryOp::Shl, value),
        "LSR" => (BinaryOp::LShr, value),
        "ASR" => (BinaryOp::AShr, value),
        "ROR" => return Ok(rotate(thread, value, amount)),
        "SXTB" => (BinaryOp::Shl, extended(thread, CastOp::SignExtend, Width::I8)),
        "SXTH" => (BinaryOp::Shl, extended(thread, CastOp::SignExtend, Width::I16)),
        "SXTW" => (BinaryOp::Shl, extended(thread, CastOp::SignExtend, Width::I32)),
        "UXTB" => (BinaryOp::Shl, extended(thread, CastOp::ZeroExtend, Width::I8)),
        "UXTH" => (BinaryOp::Shl, extended(thread, CastOp::ZeroExtend, Width::I16)),
        "UXTW" => (BinaryOp::Shl, extended(thread, CastOp::ZeroExtend, Width::I32)),
        "SXTX" | "UXTX" => (BinaryOp::Shl, thread.resize(value, width)),
        _ => {
            let message = format!("`{}` is not a shift or extension", kind.text);
            return Err(Diagnostic::error(kind.span, message));
        }
    };
    let base = thread.resize(base, width);
    if amount == 0 {
        return Ok(base);
    }
    Ok(thread.binary(op, base, Operand::int(width, u128::from(amount))))
}

pub fn rotate(thread: &mut Thread<'_>, value: Operand, amount: u32) -> Operand {
    let width = thread.width(value);
    let amount = amount % width.bits();
    if amount == 0 {
        return value;
    }
    let count = |n: u32| Operand::int(width, u128::from(n));
    let low = thread.binary(BinaryOp::LShr, value, count(amount));
    let high = thread.binary(BinaryOp::Shl, value, count(width.bits() - amount));
    thread.binary(BinaryOp::Or, low, high)
}

/// Takes `LSL #2`, `LSL 2`, `LSL2` or a bare `SXTW`.
fn shift<'t>(cursor: &mut Cursor<'t>) -> Result<(Token<'t>, u32), Diagnostic> {
    let kind = cursor.word("a shift or extension")?;
    let digits = kind.text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let amount = if !digits.is_empty() {
        digits.parse().ok()
    } else if immediate_ahead(cursor) {
        u32::try_from(immediate(cursor)?).ok()
    } else {
        Some(0)
    };
    let amount = amount.filter(|amount| *amount < 64);
    let amount = amount.ok_or_else(|| Diagnostic::error(kind.span, "shifts go from 0 to 63"))?;
    Ok((kind, amount))
}

impl Token<'_> {
    fn is_word_prefix(&self, prefix: &str) -> bool {
        self.text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    }
}

/// Lowers one instruction.
pub fn instruction(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
    let mnemonic = cursor.word("an instruction")?;
    let name = mnemonic.text.to_ascii_uppercase();
    if let Some(condition) = name.strip_prefix("B.") {
        let condition = condition_named(thread, condition)
            .ok_or_else(|| unknown_instruction(mnemonic, "AArch64"))?;
        let target = label(cursor)?;
        thread.branch(condition, target);
        return Ok(());
    }
    match name.as_str() {
        "NOP" | "YIELD" | "WFE" | "SEV" | "SEVL" | "CSDB" | "DGH" => {}
        "HINT" => {
            immediate(cursor)?;
        }
        "BTI" => {
            if !cursor.at_end() {
                cursor.word("a kind of branch")?;
            }
        }
        "RET" => {
            if !cursor.at_end() {
                take_register(cursor)?;
            }
            thread.leave();
        }
        "B" => {
            let target = label(cursor)?;
            thread.jump(target);
        }
        "CBZ" | "CBNZ" => {
            let tested = take_register(cursor)?;
            let value = read(thread, &tested);
            cursor.expect(",")?;
            let target = label(cursor)?;
            let op = if name == "CBZ" { BinaryOp::Eq } else { BinaryOp::Ne };
            let cond = thread.binary(op, value, Operand::int(tested.width, 0));
            thread.branch(cond, target);
        }
        "TBZ" | "TBNZ" => test_bit(thread, cursor, name == "TBZ")?,
        "DMB" | "DSB" => barrier(thread, cursor, &name)?,
        "ISB" => {
            cursor.eat_word("SY");
            thread.fence("ISB");
        }
        _ => return data_processing(thread, cursor, mnemonic, &name),
    }
    Ok(())
}

fn label<'t>(cursor: &mut Cursor<'t>) -> Result<Token<'t>, Diagnostic> {
    cursor.word("a label")
}

fn test_bit(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    zero: bool,
) -> Result<(), Diagnostic> {
    let tested = take_register(cursor)?;
    let value = read(thread, &tested);
    cursor.expect(",")?;
    let span = cursor.peek().span;
    let bit = u32::try_from(immediate(cursor)?).ok().filter(|bit| *bit < tested.width.bits());
    let bit = bit.ok_or_else(|| Diagnostic::error(span, "the register has no such bit"))?;
    cursor.expect(",")?;
    let target = label(cursor)?;
    let masked = thread.binary(BinaryOp::And, value, Operand::int(tested.width, 1 << bit));
    let op = if zero { BinaryOp::Eq } else { BinaryOp::Ne };
    let cond = thread.binary(op, masked, Operand::int(tested.width, 0));
    thread.branch(cond, target);
    Ok(())
}

const DOMAINS: [&str; 12] =
    ["SY", "LD", "ST", "ISH", "ISHLD", "ISHST", "OSH", "OSHLD", "OSHST", "NSH", "NSHLD", "NSHST"];

fn barrier(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>, name: &str) -> Result<(), Diagnostic> {
    let domain = cursor.word("a barrier's domain")?;
    let upper = domain.text.to_ascii_uppercase();
    if !DOMAINS.contains(&upper.as_str()) {
        let message = format!("`{}` is not a domain of a barrier", domain.text);
        return Err(Diagnostic::error(domain.span, message)
            .note(format!("the domains are {}", DOMAINS.join(", "))));
    }
    thread.fence(&format!("{name}.{upper}"));
    Ok(())
}

/// Takes `dst, a,` and the flexible operand.
fn three(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
) -> Result<(Register, Operand, Operand), Diagnostic> {
    let dst = take_register(cursor)?;
    cursor.expect(",")?;
    let a = take_register(cursor)?;
    let a = read(thread, &a);
    cursor.expect(",")?;
    let b = flexible(thread, cursor, dst.width)?;
    let a = thread.resize(a, dst.width);
    Ok((dst, a, b))
}

/// Takes the two operands of a comparison.
fn two(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<(Operand, Operand), Diagnostic> {
    let a = take_register(cursor)?;
    let value = read(thread, &a);
    cursor.expect(",")?;
    let b = flexible(thread, cursor, a.width)?;
    Ok((value, b))
}

fn binary_of(name: &str) -> Option<(BinaryOp, bool)> {
    Some(match name {
        "ADD" | "ADDS" => (BinaryOp::Add, false),
        "SUB" | "SUBS" => (BinaryOp::Sub, false),
        "AND" | "ANDS" => (BinaryOp::And, false),
        "ORR" => (BinaryOp::Or, false),
        "EOR" => (BinaryOp::Xor, false),
        "BIC" | "BICS" => (BinaryOp::And, true),
        "ORN" => (BinaryOp::Or, true),
        "EON" => (BinaryOp::Xor, true),
        "MUL" => (BinaryOp::Mul, false),
        "LSL" | "LSLV" => (BinaryOp::Shl, false),
        "LSR" | "LSRV" => (BinaryOp::LShr, false),
        "ASR" | "ASRV" => (BinaryOp::AShr, false),
        _ => return None,
    })
}

fn data_processing(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    mnemonic: Token<'_>,
    name: &str,
) -> Result<(), Diagnostic> {
    if let Some((op, inverted)) = binary_of(name) {
        let (dst, a, mut b) = three(thread, cursor)?;
        if inverted {
            b = thread.unary(UnaryOp::Not, b);
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) {
            let last = Operand::int(dst.width, u128::from(dst.width.bits() - 1));
            b = thread.binary(BinaryOp::And, b, last);
        }
        let result = thread.binary(op, a, b);
        if name.ends_with('S') {
            set_flags(thread, op, a, b, result);
        }
        write(thread, &dst, result);
        return Ok(());
    }
    match name {
        "MOV" | "MOVZ" | "MVN" | "NEG" | "MOVN" => {
            let dst = take_register(cursor)?;
            cursor.expect(",")?;
            let value = flexible(thread, cursor, dst.width)?;
            let value = match name {
                "MVN" | "MOVN" => thread.unary(UnaryOp::Not, value),
                "NEG" => thread.unary(UnaryOp::Neg, value),
                _ => value,
            };
            write(thread, &dst, value);
        }
        "MOVK" => move_keep(thread, cursor)?,
        "CMP" | "CMN" | "TST" => {
            let (a, b) = two(thread, cursor)?;
            let op = match name {
                "CMP" => BinaryOp::Sub,
                "CMN" => BinaryOp::Add,
                _ => BinaryOp::And,
            };
            let result = thread.binary(op, a, b);
            set_flags(thread, op, a, b, result);
        }
        "SXTB" | "SXTH" | "SXTW" | "UXTB" | "UXTH" | "UXTW" => extend(thread, cursor, name)?,
        "CSEL" | "CSINC" | "CSINV" | "CSNEG" | "CSET" | "CSETM" | "CINC" | "CINV" | "CNEG" => {
            conditional(thread, cursor, mnemonic, name)?;
        }
        _ if aarch64_arithmetic::instruction(thread, cursor, name)? => {}
        _ => return aarch64_memory::instruction(thread, cursor, mnemonic, name),
    }
    Ok(())
}

fn move_keep(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
    let dst = take_register(cursor)?;
    cursor.expect(",")?;
    let value = immediate(cursor)? as u128 & 0xffff;
    let amount = if cursor.eat(",") { shift(cursor)?.1 } else { 0 };
    let old = read(thread, &dst);
    let keep = Operand::int(dst.width, !(0xffff << amount));
    let kept = thread.binary(BinaryOp::And, old, keep);
    let result = thread.binary(BinaryOp::Or, kept, Operand::int(dst.width, value << amount));
    write(thread, &dst, result);
    Ok(())
}

fn extend(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>, name: &str) -> Result<(), Diagnostic> {
    let dst = take_register(cursor)?;
    cursor.expect(",")?;
    let src = take_register(cursor)?;
    let value = read(thread, &src);
    let from = match &name[3..] {
        "B" => Width::I8,
        "H" => Width::I16,
        _ => Width::I32,
    };
    let op = if name.starts_with('S') { CastOp::SignExtend } else { CastOp::ZeroExtend };
    let low = thread.resize(value, from);
    let value = thread.cast(op, low, dst.width);
    write(thread, &dst, value);
    Ok(())
}

fn conditional(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    mnemonic: Token<'_>,
    name: &str,
) -> Result<(), Diagnostic> {
    let dst = take_register(cursor)?;
    cursor.expect(",")?;
    let (mut a, mut b) = (Operand::int(dst.width, 1), Operand::int(dst.width, 0));
    if name == "CSETM" {
        a = Operand::int(dst.width, u128::MAX);
    }
    if !name.starts_with("CSET") {
        let first = take_register(cursor)?;
        a = read(thread, &first);
        cursor.expect(",")?;
        b = if matches!(name, "CINC" | "CINV" | "CNEG") {
            a
        } else {
            let second = take_register(cursor)?;
            cursor.expect(",")?;
            read(thread, &second)
        };
    }
    let one = Operand::int(dst.width, 1);
    match name {
        "CSINC" => b = thread.binary(BinaryOp::Add, b, one),
        "CSINV" => b = thread.unary(UnaryOp::Not, b),
        "CSNEG" => b = thread.unary(UnaryOp::Neg, b),
        "CINC" => a = thread.binary(BinaryOp::Add, b, one),
        "CINV" => a = thread.unary(UnaryOp::Not, b),
        "CNEG" => a = thread.unary(UnaryOp::Neg, b),
        _ => {}
    }
    let cond = take_condition(thread, cursor)?;
    if thread.width(a) != dst.width || thread.width(b) != dst.width {
        return Err(bad_operands(cursor, mnemonic));
    }
    let value = thread.select(cond, a, b);
    write(thread, &dst, value);
    Ok(())
}

/// Takes the name of a condition; gives its value.
pub fn take_condition(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
) -> Result<Operand, Diagnostic> {
    let word = cursor.word("a condition")?;
    condition_named(thread, &word.text.to_ascii_uppercase())
        .ok_or_else(|| Diagnostic::error(word.span, format!("`{}` is not a condition", word.text)))
}

/// Sets N, Z, C and V from `a op b = result`.
pub fn set_flags(thread: &mut Thread<'_>, op: BinaryOp, a: Operand, b: Operand, result: Operand) {
    for (flag, value) in flags(thread, op, a, b, result) {
        let dst = thread.flag(flag);
        thread.copy(dst, value);
    }
}

/// N, Z, C and V of `a op b = result`.
pub fn flags(
    thread: &mut Thread<'_>,
    op: BinaryOp,
    a: Operand,
    b: Operand,
    result: Operand,
) -> [(&'static str, Operand); 4] {
    let width = thread.width(result);
    let zero = Operand::int(width, 0);
    let negative = thread.binary(BinaryOp::Slt, result, zero);
    let is_zero = thread.binary(BinaryOp::Eq, result, zero);
    let off = Operand::int(Width::BOOL, 0);
    let (carry, overflow) = match op {
        BinaryOp::Add => {
            let carry = thread.binary(BinaryOp::Ult, result, a);
            (carry, signs_differ(thread, (a, result), (b, result)))
        }
        BinaryOp::Sub => {
            let carry = thread.binary(BinaryOp::Ule, b, a);
            (carry, signs_differ(thread, (a, b), (a, result)))
        }
        _ => (off, off),
    };
    [("N", negative), ("Z", is_zero), ("C", carry), ("V", overflow)]
}

/// Whether the signs differ in both pairs.
fn signs_differ(
    thread: &mut Thread<'_>,
    first: (Operand, Operand),
    second: (Operand, Operand),
) -> Operand {
    let zero = Operand::int(thread.width(first.0), 0);
    let one = thread.binary(BinaryOp::Xor, first.0, first.1);
    let other = thread.binary(BinaryOp::Xor, second.0, second.1);
    let both = thread.binary(BinaryOp::And, one, other);
    thread.binary(BinaryOp::Slt, both, zero)
}

/// The value of a condition over the flags.
fn condition_named(thread: &mut Thread<'_>, name: &str) -> Option<Operand> {
    let flag = |thread: &mut Thread<'_>, name: &str| Operand::Reg(thread.flag(name));
    let (base, inverted) = match name {
        "EQ" | "NE" => (flag(thread, "Z"), name == "NE"),
        "CS" | "HS" | "CC" | "LO" => (flag(thread, "C"), matches!(name, "CC" | "LO")),
        "MI" | "PL" => (flag(thread, "N"), name == "PL"),
        "VS" | "VC" => (flag(thread, "V"), name == "VC"),
        "HI" | "LS" => {
            let (carry, zero) = (flag(thread, "C"), flag(thread, "Z"));
            let nonzero = thread.unary(UnaryOp::Not, zero);
            (thread.binary(BinaryOp::And, carry, nonzero), name == "LS")
        }
        "GE" | "LT" => {
            let (negative, overflow) = (flag(thread, "N"), flag(thread, "V"));
            (thread.binary(BinaryOp::Eq, negative, overflow), name == "LT")
        }
        "GT" | "LE" => {
            let (negative, overflow) = (flag(thread, "N"), flag(thread, "V"));
            let same = thread.binary(BinaryOp::Eq, negative, overflow);
            let zero = flag(thread, "Z");
            let nonzero = thread.unary(UnaryOp::Not, zero);
            (thread.binary(BinaryOp::And, same, nonzero), name == "LE")
        }
        "AL" | "NV" => (Operand::int(Width::BOOL, 1), false),
        _ => return None,
    };
    Some(if inverted { thread.unary(UnaryOp::Not, base) } else { base })
}
