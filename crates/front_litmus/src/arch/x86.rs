//! x86 in Intel syntax (X86) and AT&T syntax (X86_64): registers, operands and mnemonics.

mod lower;

use crate::asm::{Thread, unknown_instruction};
use crate::test::Arch;
use crate::token::{Cursor, Kind, Token};
use execution::diagnostic::Diagnostic;
use ir::machine::x86::{self, Condition, Conditional, Operation, Register, register};
use ir::op::{BinaryOp, Operand};
use ir::program::Width;

/// The name under which a register is kept and printed.
pub fn canonical(arch: Arch, name: &str) -> Option<String> {
    let full = register(&name.to_ascii_lowercase())?.name;
    Some(canonical_of(arch == Arch::X86, &full))
}

fn canonical_of(intel: bool, full: &str) -> String {
    match full.strip_prefix('r') {
        Some(rest) if intel => format!("E{}", rest.to_ascii_uppercase()),
        _ => full.to_string(),
    }
}

/// An operand.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Argument {
    Register(Register),
    Immediate(i128),
    Memory(Operand),
}

/// What both syntaxes boil down to: operands with the destination first.
struct Instruction<'t> {
    mnemonic: Token<'t>,
    does: Does,
    arguments: Vec<Argument>,
    /// The target of a jump.
    label: Option<Token<'t>>,
    width: Width,
    /// The width of what is read, where an instruction extends it and says so.
    from: Option<Width>,
    lock: bool,
    intel: bool,
}

/// Lowers one instruction in Intel syntax.
pub fn intel(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
    parse(thread, cursor, true)?.lower(thread, cursor)
}

/// Lowers one instruction in AT&T syntax.
pub fn att(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<(), Diagnostic> {
    parse(thread, cursor, false)?.lower(thread, cursor)
}

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Does {
    /// The same in any case.
    Always(Operation),
    /// It jumps to its label.
    Jump,
    /// What a condition decides, or its opposite.
    If(Conditional, (Condition, bool)),
}

/// What an instruction without a letter for its size does, if it is understood.
fn does(name: &str) -> Option<Does> {
    let operation = x86::operation(name).filter(|operation| {
        !matches!(operation, Operation::CompareExchangeHalves(_) | Operation::SubtractWithCarry)
    });
    let jump = || (name == "jmp").then_some(Does::Jump);
    operation.map(Does::Always).or_else(jump).or_else(|| conditional(name))
}

/// What a conditional instruction does; `lt` and `gt` are herd's.
fn conditional(name: &str) -> Option<Does> {
    let usual = match name {
        "jlt" | "jgt" | "setlt" | "setgt" | "cmovlt" | "cmovgt" => &name[..name.len() - 1],
        _ => name,
    };
    x86::conditional(usual).map(|(kind, condition)| Does::If(kind, condition))
}

fn parse<'t>(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'t>,
    intel: bool,
) -> Result<Instruction<'t>, Diagnostic> {
    let mut lock = false;
    while cursor.eat_word("lock") {
        lock = true;
        cursor.eat(";");
    }
    let mnemonic = cursor.word("an instruction")?;
    let lower = mnemonic.text.to_ascii_lowercase();
    let extension = x86::extension(&lower).filter(|_| !intel && does(&lower).is_none());
    let (does, suffix) = match extension {
        Some((signed, ..)) => (Some(Does::Always(Operation::Extend { signed })), None),
        None if intel => (does(&lower), None),
        None => match x86::without_size(&lower, |name| {
            does(name).is_some_and(|does| does != Does::Jump)
        }) {
            Some((name, width)) => (does(name), width),
            None => (does(&lower), None),
        },
    };
    let Some(does) = does else {
        return Err(unknown_instruction(mnemonic, if intel { "x86" } else { "x86-64" }));
    };
    let (mut arguments, mut label) = (Vec::new(), None);
    let mut stated = None;
    if matches!(does, Does::Jump | Does::If(Conditional::Jump, _)) {
        label = Some(cursor.word("a label")?);
    } else {
        while !cursor.at_end() {
            if intel {
                stated = size_stated(cursor).or(stated);
            }
            arguments.push(argument(thread, cursor, intel)?);
            if !cursor.at_end() {
                cursor.expect(",")?;
            }
        }
    }
    if !intel {
        arguments.reverse();
    }
    let of_register = arguments.iter().find_map(|argument| match argument {
        Argument::Register(register) => Some(register.width),
        _ => None,
    });
    let mut width = suffix.or(of_register).or(stated).unwrap_or(Width::I32);
    if matches!(does, Does::If(Conditional::Set, _)) {
        width = Width::I8;
    }
    let from = match extension {
        Some((_, from, to)) => {
            width = to.unwrap_or(width);
            Some(from)
        }
        None if lower == "movsxd" => stated.or(Some(Width::I32)),
        None => stated,
    };
    Ok(Instruction { mnemonic, does, arguments, label, width, from, lock, intel })
}

/// Takes Intel's `DWORD PTR` and the like before an operand.
fn size_stated(cursor: &mut Cursor<'_>) -> Option<Width> {
    let word = cursor.peek().text.to_ascii_lowercase();
    let width = match word.as_str() {
        "byte" => Width::I8,
        "word" => Width::I16,
        "dword" => Width::I32,
        "qword" => Width::I64,
        _ => return None,
    };
    if !cursor.peek_at(1).is_word("ptr") {
        return None;
    }
    cursor.next();
    cursor.next();
    Some(width)
}

fn argument(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    intel: bool,
) -> Result<Argument, Diagnostic> {
    if cursor.eat("$") {
        return Ok(Argument::Immediate(cursor.signed_number()?));
    }
    if cursor.peek().is("%") && cursor.peek_at(2).is(":") {
        for _ in 0..3 {
            cursor.next();
        }
    }
    let token = cursor.peek();
    if intel && cursor.eat("[") {
        let address = intel_address(thread, cursor)?;
        cursor.expect("]")?;
        return Ok(Argument::Memory(address));
    }
    let marked = !intel && cursor.eat("%");
    let word = cursor.peek();
    if (intel || marked) && word.kind == Kind::Word {
        let lower = word.text.to_ascii_lowercase();
        let found = register(&lower).ok_or_else(|| cursor.wanted("a register"))?;
        cursor.next();
        return Ok(Argument::Register(found));
    }
    let opens = |token: Token<'_>| token.is("(") || token.is("[");
    if !intel && (opens(token) || opens(cursor.peek_at(1)) || token.kind == Kind::Word) {
        return Ok(Argument::Memory(att_address(thread, cursor)?));
    }
    if !intel && token.is("-") && opens(cursor.peek_at(2)) {
        return Ok(Argument::Memory(att_address(thread, cursor)?));
    }
    if token.kind == Kind::Number || token.is("-") {
        return Ok(Argument::Immediate(cursor.signed_number()?));
    }
    Err(cursor.wanted("an operand"))
}

fn number(value: i128) -> Operand {
    Operand::int(Width::I64, value as u128)
}

fn symbol(thread: &mut Thread<'_>, name: &str) -> Operand {
    let context = &mut thread.context;
    Operand::Global(context.locations.named(context.program, name), 0)
}

/// Inside brackets: a location or register, and what is added to it.
fn intel_address(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    let word = cursor.word("a location or register")?;
    let mut address = match intel_register(thread, word) {
        Some(register) => register,
        None => symbol(thread, word.text),
    };
    while cursor.peek().is("+") || cursor.peek().is("-") {
        let negative = cursor.next().is("-");
        let term = intel_term(thread, cursor)?;
        let op = if negative { BinaryOp::Sub } else { BinaryOp::Add };
        address = thread.binary(op, address, term);
    }
    Ok(address)
}

/// A number, a register, or one of them times a factor.
fn intel_term(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    let register = match cursor.peek().kind {
        Kind::Word => intel_register(thread, cursor.peek()),
        _ => None,
    };
    let term = match register {
        Some(register) => {
            cursor.next();
            register
        }
        None => number(cursor.signed_number()?),
    };
    if !cursor.eat("*") {
        return Ok(term);
    }
    let factor = number(cursor.signed_number()?);
    Ok(thread.binary(BinaryOp::Mul, term, factor))
}

fn intel_register(thread: &mut Thread<'_>, word: Token<'_>) -> Option<Operand> {
    let found = register(&word.text.to_ascii_lowercase()).filter(|_| word.text.len() > 1)?;
    Some(Operand::Reg(thread.wide(&canonical_of(true, &found.name))))
}

/// `(x)`, `x`, `x+4`, `d(%base)`, `d(%base,%index,scale)`, `x(%rip)`; herd takes brackets, too.
fn att_address(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    let mut address = None;
    let mut offset = 0;
    if cursor.peek().kind == Kind::Word {
        address = Some(symbol_and_offset(thread, cursor)?);
    } else if !cursor.peek().is("(") && !cursor.peek().is("[") {
        offset = cursor.signed_number()?;
    }
    let bracket = cursor.eat("[");
    if bracket || cursor.eat("(") {
        if cursor.peek().kind == Kind::Word {
            address = Some(symbol_and_offset(thread, cursor)?);
        } else {
            address = base_and_index(thread, cursor, address)?;
        }
        cursor.expect(if bracket { "]" } else { ")" })?;
    }
    let Some(address) = address else { return Ok(number(offset)) };
    Ok(if offset == 0 { address } else { thread.binary(BinaryOp::Add, address, number(offset)) })
}

/// `x` or `x+4`.
fn symbol_and_offset(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
) -> Result<Operand, Diagnostic> {
    let name = cursor.next();
    let address = symbol(thread, name.text);
    if !cursor.eat("+") {
        return Ok(address);
    }
    let offset = number(cursor.signed_number()?);
    Ok(thread.binary(BinaryOp::Add, address, offset))
}

fn base_and_index(
    thread: &mut Thread<'_>,
    cursor: &mut Cursor<'_>,
    symbol: Option<Operand>,
) -> Result<Option<Operand>, Diagnostic> {
    let mut address = symbol;
    if cursor.peek().is("%") && !(symbol.is_some() && cursor.peek_at(1).is_word("rip")) {
        let base = wide_register(thread, cursor)?;
        address = Some(match address {
            Some(symbol) => thread.binary(BinaryOp::Add, symbol, base),
            None => base,
        });
    } else if cursor.eat("%") {
        cursor.next();
    }
    if cursor.eat(",") {
        let index = wide_register(thread, cursor)?;
        let scale = if cursor.eat(",") { cursor.signed_number()? } else { 1 };
        let scaled = thread.binary(BinaryOp::Mul, index, number(scale));
        address = Some(match address {
            Some(base) => thread.binary(BinaryOp::Add, base, scaled),
            None => scaled,
        });
    }
    Ok(address)
}

fn wide_register(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    cursor.expect("%")?;
    let word = cursor.peek();
    let found = register(&word.text.to_ascii_lowercase());
    let found = found.ok_or_else(|| cursor.wanted("a register"))?;
    cursor.next();
    Ok(Operand::Reg(thread.wide(&found.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_register_share_its_name() {
        for name in ["rax", "EAX", "ax", "al", "ah"] {
            assert_eq!(canonical(Arch::X86_64, name).as_deref(), Some("rax"), "{name}");
            assert_eq!(canonical(Arch::X86, name).as_deref(), Some("EAX"), "{name}");
        }
        assert_eq!(canonical(Arch::X86_64, "sil").as_deref(), Some("rsi"));
        assert_eq!(canonical(Arch::X86_64, "r10d").as_deref(), Some("r10"));
        assert_eq!(canonical(Arch::X86_64, "r7"), None);
        assert_eq!(canonical(Arch::X86, "x"), None);
    }
}
