//! x86 in Intel syntax (X86) and AT&T syntax (X86_64): registers, operands and mnemonics.

mod lower;

use crate::asm::{Thread, unknown_instruction};
use crate::test::Arch;
use crate::token::{Cursor, Kind, Token};
use execution::diagnostic::Diagnostic;
use ir::op::{BinaryOp, Operand};
use ir::program::Width;

/// A part of a register.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Register {
    /// The 64-bit register, in lower case: `rax`.
    name: String,
    width: Width,
    /// Whether it is bits 8 to 15 (`ah`).
    high: bool,
}

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

fn register(name: &str) -> Option<Register> {
    let make = |name: String, width, high| Some(Register { name, width, high });
    if matches!(name, "cs" | "ds" | "es" | "fs" | "gs" | "ss") {
        return make(name.to_string(), Width::I64, false);
    }
    if let Some(rest) = name.strip_prefix('r')
        && rest.starts_with(|c: char| c.is_ascii_digit())
    {
        let digits = rest.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let width = match &rest[digits.len()..] {
            "" => Width::I64,
            "d" => Width::I32,
            "w" => Width::I16,
            "b" => Width::I8,
            _ => return None,
        };
        let number: u32 = digits.parse().ok().filter(|n| (8..16).contains(n))?;
        return make(format!("r{number}"), width, false);
    }
    for letter in ["a", "b", "c", "d"] {
        let full = format!("r{letter}x");
        let rest = name.strip_suffix('x').and_then(|n| n.strip_suffix(letter));
        match rest {
            Some("r") => return make(full, Width::I64, false),
            Some("e") => return make(full, Width::I32, false),
            Some("") => return make(full, Width::I16, false),
            _ => {}
        }
        if name.len() == 2 && name.starts_with(letter) && matches!(&name[1..], "l" | "h") {
            return make(full, Width::I8, name.ends_with('h'));
        }
    }
    for pointer in ["si", "di", "bp", "sp"] {
        let full = format!("r{pointer}");
        let Some(rest) = name.strip_suffix(pointer) else {
            if name.strip_suffix('l') == Some(pointer) {
                return make(full, Width::I8, false);
            }
            continue;
        };
        match rest {
            "r" => return make(full, Width::I64, false),
            "e" => return make(full, Width::I32, false),
            "" => return make(full, Width::I16, false),
            _ => {}
        }
    }
    None
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
    /// Lower case, without a width suffix.
    name: String,
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

/// The instructions, without width suffixes and conditions.
const NAMES: [&str; 37] = [
    "mov", "movnti", "movabs", "movzx", "movsx", "movsxd", "xchg", "add", "sub", "and", "or",
    "xor", "cmp", "test", "inc", "dec", "neg", "not", "shl", "sal", "shr", "sar", "xadd",
    "cmpxchg", "bt", "bts", "btr", "btc", "mfence", "sfence", "lfence", "nop", "pause", "endbr64",
    "ret", "lea", "imul",
];

/// What a condition is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conditional {
    Jump,
    Set,
    Move,
}

/// Splits a conditional instruction into what it does and its condition (`setne`: set, `ne`).
fn conditional(name: &str) -> Option<(Conditional, &str)> {
    let kinds = [("j", Conditional::Jump), ("set", Conditional::Set), ("cmov", Conditional::Move)];
    kinds.iter().find_map(|(prefix, kind)| {
        let code = name.strip_prefix(prefix)?;
        CONDITIONS.contains(&code).then_some((*kind, code))
    })
}

/// Whether AT&T names an extension (`movzbl`): the sign, what is read, and what is written.
fn extension(name: &str) -> Option<(bool, Width, Option<Width>)> {
    let letter = |c: Option<char>| match c {
        Some('b') => Some(Width::I8),
        Some('w') => Some(Width::I16),
        Some('l') => Some(Width::I32),
        Some('q') => Some(Width::I64),
        _ => None,
    };
    let (signed, rest) = match (name.strip_prefix("movz"), name.strip_prefix("movs")) {
        (Some(rest), _) => (false, rest),
        (_, Some(rest)) => (true, rest),
        _ => return None,
    };
    let mut letters = rest.chars();
    let from = letter(letters.next())?;
    let to = match letters.next() {
        None => None,
        some => Some(letter(some)?),
    };
    (letters.next().is_none() && to.is_none_or(|to| to > from)).then_some((signed, from, to))
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
    let (name, suffix) = split_suffix(&lower, intel);
    let (kind, extension) = (conditional(&name).map(|(kind, _)| kind), extension(&name));
    let jump = name == "jmp" || kind == Some(Conditional::Jump);
    let known = NAMES.contains(&name.as_str()) || extension.is_some() && !intel;
    if !jump && kind.is_none() && !known {
        return Err(unknown_instruction(mnemonic, if intel { "x86" } else { "x86-64" }));
    }
    let (mut arguments, mut label) = (Vec::new(), None);
    let mut stated = None;
    if jump {
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
    if kind == Some(Conditional::Set) {
        width = Width::I8;
    }
    let from = match extension {
        Some((_, from, to)) => {
            width = to.unwrap_or(width);
            Some(from)
        }
        None => stated,
    };
    Ok(Instruction { mnemonic, name, arguments, label, width, from, lock, intel })
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

/// Splits `b`, `w`, `l` or `q` off a mnemonic of AT&T syntax.
fn split_suffix(name: &str, intel: bool) -> (String, Option<Width>) {
    let whole = conditional(name).is_some() || extension(name).is_some();
    if intel || whole || NAMES.contains(&name) {
        return (name.to_string(), None);
    }
    for (suffix, width) in
        [('b', Width::I8), ('w', Width::I16), ('l', Width::I32), ('q', Width::I64)]
    {
        if let Some(base) = name.strip_suffix(suffix)
            && (NAMES.contains(&base) || conditional(base).is_some())
        {
            return (base.to_string(), Some(width));
        }
    }
    (name.to_string(), None)
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

/// The names of conditions; `lt` and `gt` are herd's.
const CONDITIONS: [&str; 28] = [
    "e", "z", "ne", "nz", "l", "nge", "ge", "nl", "g", "nle", "le", "ng", "b", "nae", "ae", "nb",
    "a", "nbe", "be", "na", "s", "ns", "c", "nc", "o", "no", "lt", "gt",
];

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
