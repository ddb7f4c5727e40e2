//! Mnemonics, conditions and registers of x86 (Intel's manual, volume 1, 3.4.1 and appendix B;
//! volume 2), which both syntaxes and all uses of them share.
//!
//! What `lock` adds is left to those who follow an instruction: fences around an update where a
//! model is asked about fences, annotations where it is asked about updates.

use crate::op::{BinaryOp, RmwOp};
use crate::program::Width;

/// What an instruction does, whatever its operands are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Copies.
    Move,
    /// Copies past the caches.
    MoveNonTemporal,
    /// Copies, and extends the sign or not.
    Extend { signed: bool },
    /// Exchanges; with memory in one step, locked or not.
    Exchange,
    /// Adds, and gives what was there.
    ExchangeAdd,
    /// Compares with the register a, and stores if it is equal.
    CompareExchange,
    /// The same of two halves of this width: compares with d:a, and stores c:b.
    CompareExchangeHalves(Width),
    /// Computes from destination and source; in one step where it is locked.
    Compute(Computation),
    /// Computes from destination and source, never in one step.
    Arithmetic(BinaryOp),
    /// Computes from the destination and 1, and keeps the carry.
    Count(Computation),
    /// The destination with all bits inverted.
    Not,
    /// The opposite of the destination.
    Negate,
    /// Sets the flags as a subtraction does.
    Compare,
    /// Sets the flags as a conjunction does.
    Test,
    /// Copies a bit to the carry, and changes it.
    Bit(Option<BitChange>),
    /// Subtracts the source and the carry.
    SubtractWithCarry,
    /// Gives an address.
    Address,
    /// A barrier of this name.
    Fence(&'static str),
    /// Advice to let others run.
    Pause,
    /// Nothing.
    Nothing,
    /// Returns from the code.
    Return,
}

/// How a value is computed, in one step and otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Computation {
    /// As an atomic update.
    pub update: RmwOp,
    /// As an operation on two values.
    pub on_values: BinaryOp,
}

/// What becomes of a bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitChange {
    /// By which operation.
    pub by: Computation,
    /// Whether its operand is all other bits.
    pub others: bool,
}

const fn computation(update: RmwOp, on_values: BinaryOp) -> Computation {
    Computation { update, on_values }
}

/// Sums.
pub const ADD: Computation = computation(RmwOp::Add, BinaryOp::Add);
/// Differences.
pub const SUB: Computation = computation(RmwOp::Sub, BinaryOp::Sub);
/// Conjunctions.
pub const AND: Computation = computation(RmwOp::And, BinaryOp::And);
/// Disjunctions.
pub const OR: Computation = computation(RmwOp::Or, BinaryOp::Or);
/// Exclusive disjunctions.
pub const XOR: Computation = computation(RmwOp::Xor, BinaryOp::Xor);

impl Operation {
    /// Whether `lock` may stand before it, if its destination is memory.
    pub fn can_be_locked(self) -> bool {
        match self {
            Operation::Exchange
            | Operation::ExchangeAdd
            | Operation::CompareExchange
            | Operation::CompareExchangeHalves(_)
            | Operation::Compute(_)
            | Operation::Count(_)
            | Operation::Not
            | Operation::Negate
            | Operation::SubtractWithCarry
            | Operation::Bit(Some(_)) => true,
            Operation::Move
            | Operation::MoveNonTemporal
            | Operation::Extend { .. }
            | Operation::Arithmetic(_)
            | Operation::Compare
            | Operation::Test
            | Operation::Bit(None)
            | Operation::Address
            | Operation::Fence(_)
            | Operation::Pause
            | Operation::Nothing
            | Operation::Return => false,
        }
    }
}

/// What an instruction without a condition does, by its name in lower case and without a letter
/// for its size.
pub fn operation(name: &str) -> Option<Operation> {
    let bit = |by, others| Operation::Bit(Some(BitChange { by, others }));
    Some(match name {
        "mov" | "movabs" => Operation::Move,
        "movnti" => Operation::MoveNonTemporal,
        "movzx" => Operation::Extend { signed: false },
        "movsx" | "movsxd" => Operation::Extend { signed: true },
        "xchg" => Operation::Exchange,
        "xadd" => Operation::ExchangeAdd,
        "cmpxchg" => Operation::CompareExchange,
        "cmpxchg8b" => Operation::CompareExchangeHalves(Width::I32),
        "cmpxchg16b" => Operation::CompareExchangeHalves(Width::I64),
        "add" => Operation::Compute(ADD),
        "sub" => Operation::Compute(SUB),
        "and" => Operation::Compute(AND),
        "or" => Operation::Compute(OR),
        "xor" => Operation::Compute(XOR),
        "shl" | "sal" => Operation::Arithmetic(BinaryOp::Shl),
        "shr" => Operation::Arithmetic(BinaryOp::LShr),
        "sar" => Operation::Arithmetic(BinaryOp::AShr),
        "imul" => Operation::Arithmetic(BinaryOp::Mul),
        "inc" => Operation::Count(ADD),
        "dec" => Operation::Count(SUB),
        "not" => Operation::Not,
        "neg" => Operation::Negate,
        "cmp" => Operation::Compare,
        "test" => Operation::Test,
        "bt" => Operation::Bit(None),
        "bts" => bit(OR, false),
        "btr" => bit(AND, true),
        "btc" => bit(XOR, false),
        "sbb" => Operation::SubtractWithCarry,
        "lea" => Operation::Address,
        "mfence" => Operation::Fence("mfence"),
        "sfence" => Operation::Fence("sfence"),
        "lfence" => Operation::Fence("lfence"),
        "pause" => Operation::Pause,
        "nop" | "endbr64" => Operation::Nothing,
        "ret" => Operation::Return,
        _ => return None,
    })
}

/// Splits the letter for its size off a name of AT&T's syntax, if what is left is known.
pub fn without_size(name: &str, is_known: impl Fn(&str) -> bool) -> Option<(&str, Option<Width>)> {
    if is_known(name) {
        return Some((name, None));
    }
    let (base, letter) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let width = size(letter.chars().next()?)?;
    is_known(base).then_some((base, Some(width)))
}

/// Whether AT&T names an extension (`movzbl`): the sign, what is read, and what is written, if it
/// says so.
pub fn extension(name: &str) -> Option<(bool, Width, Option<Width>)> {
    let (signed, sizes) = match name.split_at_checked(4)? {
        ("movz", sizes) => (false, sizes),
        ("movs", sizes) => (true, sizes),
        _ => return None,
    };
    let mut letters = sizes.chars();
    let from = size(letters.next()?)?;
    let to = match letters.next() {
        None => None,
        Some(letter) => Some(size(letter)?),
    };
    (letters.next().is_none() && to.is_none_or(|to| to > from)).then_some((signed, from, to))
}

fn size(letter: char) -> Option<Width> {
    match letter {
        'b' => Some(Width::I8),
        'w' => Some(Width::I16),
        'l' => Some(Width::I32),
        'q' => Some(Width::I64),
        _ => None,
    }
}

/// What a condition is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conditional {
    /// A jump.
    Jump,
    /// A byte.
    Set,
    /// A copy.
    Move,
}

/// What a conditional instruction does, its condition, and whether the opposite is asked for
/// (`setne`: set, equal, true).
pub fn conditional(name: &str) -> Option<(Conditional, (Condition, bool))> {
    let kinds = [("j", Conditional::Jump), ("set", Conditional::Set), ("cmov", Conditional::Move)];
    let mut known = kinds.iter().filter_map(|(prefix, kind)| {
        let code = name.strip_prefix(prefix)?;
        Some((*kind, condition(code)?))
    });
    known.next()
}

/// What a condition asks of the flags; of the last comparison, if one has set them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// Zero is set: it was equal.
    Equal,
    /// Carry is set: it was less, as unsigned numbers.
    Below,
    /// Carry or zero is set.
    BelowOrEqual,
    /// Sign and overflow differ: it was less, as signed numbers.
    Less,
    /// The same, or zero is set.
    LessOrEqual,
    /// Sign is set.
    Negative,
    /// Overflow is set.
    Overflow,
}

/// The condition of a code, and whether its opposite is asked for. The parity is not known.
pub fn condition(code: &str) -> Option<(Condition, bool)> {
    Some(match code {
        "e" | "z" => (Condition::Equal, false),
        "ne" | "nz" => (Condition::Equal, true),
        "b" | "c" | "nae" => (Condition::Below, false),
        "ae" | "nc" | "nb" => (Condition::Below, true),
        "be" | "na" => (Condition::BelowOrEqual, false),
        "a" | "nbe" => (Condition::BelowOrEqual, true),
        "l" | "nge" => (Condition::Less, false),
        "ge" | "nl" => (Condition::Less, true),
        "le" | "ng" => (Condition::LessOrEqual, false),
        "g" | "nle" => (Condition::LessOrEqual, true),
        "s" => (Condition::Negative, false),
        "ns" => (Condition::Negative, true),
        "o" => (Condition::Overflow, false),
        "no" => (Condition::Overflow, true),
        _ => return None,
    })
}

/// A part of a register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// The 64-bit register: `rax`.
    pub name: String,
    /// How much of it.
    pub width: Width,
    /// Whether it is bits 8 to 15 (`ah`).
    pub high: bool,
}

/// The part of a register that a name in lower case stands for.
pub fn register(name: &str) -> Option<Register> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_with_the_size_where_they_are_not_names_already() {
        let split = |name| without_size(name, |name| operation(name).is_some());
        for (mnemonic, expected) in [
            ("sub", Some(("sub", None))),
            ("subb", Some(("sub", Some(Width::I8)))),
            ("xaddw", Some(("xadd", Some(Width::I16)))),
            ("btsl", Some(("bts", Some(Width::I32)))),
            ("movq", Some(("mov", Some(Width::I64)))),
            ("cmpxchg16b", Some(("cmpxchg16b", None))),
            ("movd", None),
            ("jmp", None),
            ("", None),
        ] {
            assert_eq!(split(mnemonic), expected, "{mnemonic}");
        }
        assert_eq!(extension("movzbl"), Some((false, Width::I8, Some(Width::I32))));
        assert_eq!(extension("movslq"), Some((true, Width::I32, Some(Width::I64))));
        assert_eq!(extension("movsb"), Some((true, Width::I8, None)));
        assert_eq!(extension("movzlb"), None);
        assert_eq!(extension("movzx"), None);
    }

    #[test]
    fn what_changes_memory_can_be_locked() {
        for name in ["xchg", "xadd", "cmpxchg", "cmpxchg8b", "add", "inc", "neg", "btr", "sbb"] {
            assert!(operation(name).is_some_and(Operation::can_be_locked), "{name}");
        }
        for name in ["mov", "cmp", "test", "bt", "shl", "imul", "lea", "mfence", "movzx", "nop"] {
            assert!(operation(name).is_some_and(|it| !it.can_be_locked()), "{name}");
        }
        assert_eq!(operation("addl"), None);
    }

    #[test]
    fn each_condition_has_an_opposite() {
        for (code, opposite) in
            [("e", "ne"), ("c", "ae"), ("na", "a"), ("l", "nl"), ("ng", "g"), ("s", "ns")]
        {
            let known = condition(code).expect("a condition");
            assert_eq!(condition(opposite), Some((known.0, !known.1)), "{code}");
        }
        assert_eq!(condition("p"), None);
        assert_eq!(conditional("setne"), Some((Conditional::Set, (Condition::Equal, true))));
        assert_eq!(conditional("cmovge"), Some((Conditional::Move, (Condition::Less, true))));
        assert_eq!(conditional("jmp"), None);
    }

    #[test]
    fn registers_have_the_size_of_their_names() {
        for (name, whole, width, high) in [
            ("rax", "rax", Width::I64, false),
            ("ah", "rax", Width::I8, true),
            ("cl", "rcx", Width::I8, false),
            ("dx", "rdx", Width::I16, false),
            ("sil", "rsi", Width::I8, false),
            ("edi", "rdi", Width::I32, false),
            ("r10d", "r10", Width::I32, false),
        ] {
            assert_eq!(register(name), Some(Register { name: whole.into(), width, high }));
        }
        assert_eq!(register("r7"), None);
        assert_eq!(register("x"), None);
    }
}
