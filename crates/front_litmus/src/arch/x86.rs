//! x86 in Intel syntax (X86) and AT&T syntax (X86_64): registers, operands and instructions.
//!
//! Writing 8 or 16 bits of a register keeps the others, so the result depends on what was there;
//! writing 32 bits clears the upper half.

use crate::asm::{Thread, access, bad_operands, unknown_instruction};
use crate::test::Arch;
use crate::token::{Cursor, Kind, Token};
use execution::diagnostic::Diagnostic;
use ir::op::{Access, BinaryOp, Op, Operand, RmwOp, UnaryOp};
use ir::order::Order;
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

/// The instructions, without width suffixes.
const NAMES: [&str; 32] = [
    "mov", "movnti", "movzb", "xchg", "add", "sub", "and", "or", "xor", "cmp", "test", "inc",
    "dec", "neg", "not", "shl", "sal", "shr", "sar", "xadd", "cmpxchg", "mfence", "sfence",
    "lfence", "nop", "endbr64", "ret", "jmp", "lea", "imul", "push", "pop",
];

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
    let jump = name == "jmp" || condition(&name).is_some();
    if !jump && !NAMES.contains(&name.as_str()) {
        return Err(unknown_instruction(mnemonic, if intel { "x86" } else { "x86-64" }));
    }
    let (mut arguments, mut label) = (Vec::new(), None);
    if jump {
        label = Some(cursor.word("a label")?);
    } else {
        while !cursor.at_end() {
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
    let width = suffix.or(of_register).unwrap_or(Width::I32);
    Ok(Instruction { mnemonic, name, arguments, label, width, lock, intel })
}

/// Splits `b`, `w`, `l` or `q` off a mnemonic of AT&T syntax.
fn split_suffix(name: &str, intel: bool) -> (String, Option<Width>) {
    if intel || NAMES.contains(&name) || condition(name).is_some() {
        return (name.to_string(), None);
    }
    for (suffix, width) in
        [('b', Width::I8), ('w', Width::I16), ('l', Width::I32), ('q', Width::I64)]
    {
        if let Some(base) = name.strip_suffix(suffix)
            && NAMES.contains(&base)
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
    if !intel && (token.is("(") || cursor.peek_at(1).is("(") || token.kind == Kind::Word) {
        return Ok(Argument::Memory(att_address(thread, cursor)?));
    }
    if !intel && token.is("-") && cursor.peek_at(2).is("(") {
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

/// Inside brackets: a location or register, and numbers added to it.
fn intel_address(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    let word = cursor.word("a location or register")?;
    let mut address = match register(&word.text.to_ascii_lowercase()) {
        Some(register) if word.text.len() > 1 => {
            Operand::Reg(thread.wide(&canonical_of(true, &register.name)))
        }
        _ => symbol(thread, word.text),
    };
    while cursor.eat("+") {
        let offset = number(cursor.signed_number()?);
        address = thread.binary(BinaryOp::Add, address, offset);
    }
    Ok(address)
}

/// `(x)`, `x`, `d(%base)`, `d(%base,%index,scale)`, `x(%rip)`.
fn att_address(thread: &mut Thread<'_>, cursor: &mut Cursor<'_>) -> Result<Operand, Diagnostic> {
    let mut address = None;
    let mut offset = 0;
    if cursor.peek().kind == Kind::Word {
        let name = cursor.next();
        address = Some(symbol(thread, name.text));
    } else if !cursor.peek().is("(") {
        offset = cursor.signed_number()?;
    }
    if cursor.eat("(") {
        if cursor.peek().kind == Kind::Word {
            let name = cursor.next();
            address = Some(symbol(thread, name.text));
        } else {
            address = base_and_index(thread, cursor, address)?;
        }
        cursor.expect(")")?;
    }
    let Some(address) = address else { return Ok(number(offset)) };
    Ok(if offset == 0 { address } else { thread.binary(BinaryOp::Add, address, number(offset)) })
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

/// Whether a jump's name is known: its condition.
fn condition(name: &str) -> Option<&str> {
    let code = name.strip_prefix('j')?;
    let known =
        ["e", "z", "ne", "nz", "l", "ge", "g", "le", "b", "ae", "a", "be", "s", "ns", "c", "nc"];
    known.contains(&code).then_some(code)
}

impl Instruction<'_> {
    fn lower(self, thread: &mut Thread<'_>, cursor: &Cursor<'_>) -> Result<(), Diagnostic> {
        if let Some(target) = self.label {
            match condition(&self.name) {
                None => thread.jump(target),
                Some(code) => {
                    let cond = flag_condition(thread, code);
                    thread.branch(cond, target);
                }
            }
            return Ok(());
        }
        let known = match (self.name.as_str(), self.arguments.len()) {
            ("nop" | "endbr64", _) => true,
            ("ret", 0) => {
                thread.leave();
                true
            }
            ("mfence", 0) => self.fence(thread, "MFENCE"),
            ("sfence", 0) => self.fence(thread, "SFENCE"),
            ("lfence", 0) => self.fence(thread, "LFENCE"),
            ("mov" | "movnti", 2) => {
                let value = self.read(thread, 1);
                self.write(thread, 0, value);
                true
            }
            ("lea", 2) => self.load_address(thread),
            ("xchg", 2) => self.exchange(thread),
            ("xadd", 2) => self.exchange_add(thread),
            ("cmpxchg", 2) => self.compare_exchange(thread),
            ("cmp" | "test", 2) => self.compare(thread),
            ("inc" | "dec" | "neg" | "not", 1) => self.one_operand(thread),
            (_, 2) => self.two_operands(thread),
            _ => false,
        };
        if known { Ok(()) } else { Err(bad_operands(cursor, self.mnemonic)) }
    }

    fn fence(&self, thread: &mut Thread<'_>, name: &str) -> bool {
        thread.fence(name);
        true
    }

    fn wide(&self, thread: &mut Thread<'_>, register: &Register) -> Operand {
        Operand::Reg(thread.wide(&canonical_of(self.intel, &register.name)))
    }

    fn access(&self, address: Operand, atomic: bool) -> Access {
        if atomic {
            access(address, self.width, Order::SeqCst, &["A", "X"])
        } else {
            access(address, self.width, Order::Relaxed, &["P"])
        }
    }

    /// The value of an operand, in the width of the instruction.
    fn read(&self, thread: &mut Thread<'_>, index: usize) -> Operand {
        match &self.arguments[index] {
            Argument::Immediate(value) => Operand::int(self.width, *value as u128),
            Argument::Memory(address) => thread.load(self.access(*address, false), false),
            Argument::Register(register) => {
                let mut value = self.wide(thread, register);
                if register.high {
                    value = thread.binary(BinaryOp::LShr, value, number(8));
                }
                let value = thread.resize(value, register.width);
                thread.resize(value, self.width)
            }
        }
    }

    fn write(&self, thread: &mut Thread<'_>, index: usize, value: Operand) {
        match &self.arguments[index] {
            Argument::Memory(address) => {
                thread.emit(Op::Store { access: self.access(*address, false), value });
            }
            Argument::Register(register) => self.write_register(thread, register, value),
            Argument::Immediate(_) => {}
        }
    }

    fn write_register(&self, thread: &mut Thread<'_>, register: &Register, value: Operand) {
        let value = thread.resize(value, register.width);
        let mut wide = thread.resize(value, Width::I64);
        if register.width < Width::I32 {
            let shift = if register.high { 8 } else { 0 };
            if shift > 0 {
                wide = thread.binary(BinaryOp::Shl, wide, number(8));
            }
            let old = self.wide(thread, register);
            let keep = Operand::int(Width::I64, !(register.width.mask() << shift));
            let kept = thread.binary(BinaryOp::And, old, keep);
            wide = thread.binary(BinaryOp::Or, kept, wide);
        }
        let dst = thread.wide(&canonical_of(self.intel, &register.name));
        thread.copy(dst, wide);
    }

    /// The memory operand, if there is exactly one, and the other operand's index.
    fn memory(&self) -> Option<(Operand, usize)> {
        match self.arguments.as_slice() {
            [Argument::Memory(address), _] => Some((*address, 1)),
            [_, Argument::Memory(address)] => Some((*address, 0)),
            _ => None,
        }
    }

    fn load_address(&self, thread: &mut Thread<'_>) -> bool {
        match self.arguments.as_slice() {
            [Argument::Register(register), Argument::Memory(address)] => {
                self.write_register(thread, register, *address);
                true
            }
            _ => false,
        }
    }

    fn exchange(&self, thread: &mut Thread<'_>) -> bool {
        if self.arguments.iter().any(|argument| matches!(argument, Argument::Immediate(_))) {
            return false;
        }
        match self.memory() {
            Some((address, other)) if matches!(self.arguments[other], Argument::Register(_)) => {
                let value = self.read(thread, other);
                let old = thread.rmw(RmwOp::Exchange, self.access(address, true), value, true);
                self.write(thread, other, old);
                true
            }
            Some(_) => false,
            None => {
                let (first, second) = (self.read(thread, 0), self.read(thread, 1));
                let kept = thread.temporary(self.width);
                thread.copy(kept, first);
                self.write(thread, 0, second);
                self.write(thread, 1, Operand::Reg(kept));
                true
            }
        }
    }

    fn exchange_add(&self, thread: &mut Thread<'_>) -> bool {
        let (Some((address, 1)), Argument::Register(_)) = (self.memory(), &self.arguments[1])
        else {
            return false;
        };
        let value = self.read(thread, 1);
        let old = if self.lock {
            thread.rmw(RmwOp::Add, self.access(address, true), value, true)
        } else {
            let old = thread.load(self.access(address, false), false);
            let sum = thread.binary(BinaryOp::Add, old, value);
            thread.emit(Op::Store { access: self.access(address, false), value: sum });
            old
        };
        self.write(thread, 1, old);
        true
    }

    fn compare_exchange(&self, thread: &mut Thread<'_>) -> bool {
        let (Some((address, 1)), Argument::Register(_), true) =
            (self.memory(), &self.arguments[1], self.lock)
        else {
            return false;
        };
        let accumulator = Register { name: "rax".into(), width: self.width, high: false };
        let whole = self.wide(thread, &accumulator);
        let expected = thread.resize(whole, self.width);
        let desired = self.read(thread, 1);
        let old = thread.temporary(self.width);
        let success = thread.flag("ZF");
        thread.emit(Op::Cas {
            dst: Some(old),
            success: Some(success),
            access: self.access(address, true),
            expected,
            desired,
            failure: Order::SeqCst,
            weak: false,
        });
        self.write_register(thread, &accumulator, Operand::Reg(old));
        true
    }

    fn compare(&self, thread: &mut Thread<'_>) -> bool {
        let (a, b) = (self.read(thread, 0), self.read(thread, 1));
        let op = if self.name == "cmp" { BinaryOp::Sub } else { BinaryOp::And };
        let result = thread.binary(op, a, b);
        set_flags(thread, op, a, b, result);
        true
    }

    fn one_operand(&self, thread: &mut Thread<'_>) -> bool {
        let one = Operand::int(self.width, 1);
        let (op, atomic) = match self.name.as_str() {
            "inc" => (BinaryOp::Add, RmwOp::Add),
            "dec" => (BinaryOp::Sub, RmwOp::Sub),
            _ => {
                let op = if self.name == "neg" { UnaryOp::Neg } else { UnaryOp::Not };
                let value = self.read(thread, 0);
                let result = thread.unary(op, value);
                self.write(thread, 0, result);
                return !self.lock;
            }
        };
        self.modify(thread, op, Some(atomic), one)
    }

    fn two_operands(&self, thread: &mut Thread<'_>) -> bool {
        let (op, atomic) = match self.name.as_str() {
            "add" => (BinaryOp::Add, Some(RmwOp::Add)),
            "sub" => (BinaryOp::Sub, Some(RmwOp::Sub)),
            "and" => (BinaryOp::And, Some(RmwOp::And)),
            "or" => (BinaryOp::Or, Some(RmwOp::Or)),
            "xor" => (BinaryOp::Xor, Some(RmwOp::Xor)),
            "shl" | "sal" => (BinaryOp::Shl, None),
            "shr" => (BinaryOp::LShr, None),
            "sar" => (BinaryOp::AShr, None),
            "imul" => (BinaryOp::Mul, None),
            _ => return false,
        };
        let operand = self.read(thread, 1);
        self.modify(thread, op, atomic, operand)
    }

    /// `first = first op operand`, in one step where the instruction is locked.
    fn modify(
        &self,
        thread: &mut Thread<'_>,
        op: BinaryOp,
        atomic: Option<RmwOp>,
        operand: Operand,
    ) -> bool {
        if let (true, Some(atomic), Argument::Memory(address)) =
            (self.lock, atomic, &self.arguments[0])
        {
            let old = thread.rmw(atomic, self.access(*address, true), operand, true);
            let result = thread.binary(op, old, operand);
            set_flags(thread, op, old, operand, result);
            return true;
        }
        if matches!(self.arguments[0], Argument::Immediate(_)) || self.lock {
            return false;
        }
        let old = self.read(thread, 0);
        let result = thread.binary(op, old, operand);
        set_flags(thread, op, old, operand, result);
        self.write(thread, 0, result);
        true
    }
}

fn set_flags(thread: &mut Thread<'_>, op: BinaryOp, a: Operand, b: Operand, result: Operand) {
    let zero = Operand::int(thread.width(result), 0);
    let off = Operand::int(Width::BOOL, 0);
    let is_zero = thread.binary(BinaryOp::Eq, result, zero);
    let negative = thread.binary(BinaryOp::Slt, result, zero);
    let (carry, overflow) = match op {
        BinaryOp::Sub => {
            let less = thread.binary(BinaryOp::Slt, a, b);
            let overflow = thread.binary(BinaryOp::Xor, less, negative);
            (thread.binary(BinaryOp::Ult, a, b), overflow)
        }
        BinaryOp::Add => {
            let changed = thread.binary(BinaryOp::Xor, a, result);
            let other = thread.binary(BinaryOp::Xor, b, result);
            let both = thread.binary(BinaryOp::And, changed, other);
            let overflow = thread.binary(BinaryOp::Slt, both, zero);
            (thread.binary(BinaryOp::Ult, result, a), overflow)
        }
        _ => (off, off),
    };
    for (flag, value) in [("ZF", is_zero), ("SF", negative), ("CF", carry), ("OF", overflow)] {
        let dst = thread.flag(flag);
        thread.copy(dst, value);
    }
}

fn flag_condition(thread: &mut Thread<'_>, code: &str) -> Operand {
    let flag = |thread: &mut Thread<'_>, name: &str| Operand::Reg(thread.flag(name));
    let (base, inverted) = match code {
        "e" | "z" => (flag(thread, "ZF"), false),
        "ne" | "nz" => (flag(thread, "ZF"), true),
        "s" | "ns" => (flag(thread, "SF"), code == "ns"),
        "b" | "c" | "ae" | "nc" => (flag(thread, "CF"), matches!(code, "ae" | "nc")),
        "a" | "be" => {
            let (carry, zero) = (flag(thread, "CF"), flag(thread, "ZF"));
            (thread.binary(BinaryOp::Or, carry, zero), code == "a")
        }
        "l" | "ge" => {
            let (sign, overflow) = (flag(thread, "SF"), flag(thread, "OF"));
            (thread.binary(BinaryOp::Xor, sign, overflow), code == "ge")
        }
        _ => {
            let (sign, overflow) = (flag(thread, "SF"), flag(thread, "OF"));
            let less = thread.binary(BinaryOp::Xor, sign, overflow);
            let zero = flag(thread, "ZF");
            (thread.binary(BinaryOp::Or, less, zero), code == "g")
        }
    };
    if inverted { thread.unary(UnaryOp::Not, base) } else { base }
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
