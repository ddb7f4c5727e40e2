//! Instructions of AArch64 (Arm Architecture Reference Manual, DDI 0487, C6.2): loads and stores of
//! all orders, exclusives, the atomic instructions of LSE, and what loops around them need.

use super::risc::{Access, Risc, Test, Value, parts};
use super::{Assembly, Sema};
use crate::ast::BinaryOp;
use crate::sema::Checked;
use crate::sema::tree::{Expr, Ordering};
use ir::machine::{Effect, MemoryInstruction, arm64 as machine};
use ir::tag::{Annotation, Tag};

const ZEROS: [&str; 2] = ["wzr", "xzr"];
const EXCLUSIVE: &[Tag] = &[Tag::Both(Annotation::X)];
/// An update whose result is discarded: barriers for loads do not order it.
const NO_RESULT: &[Tag] = &[Tag::Read(Annotation::NoRet)];

/// Whether a mnemonic is only AArch64's.
pub(super) fn knows(mnemonic: &str) -> bool {
    const NAMES: [&str; 16] = [
        "cbz", "cbnz", "subs", "orr", "eor", "bic", "cset", "csetm", "prfm", "b.eq", "b.ne",
        "adds", "mvn", "lsl", "lsr", "tbnz",
    ];
    NAMES.contains(&mnemonic)
        || machine::memory(mnemonic).is_some()
        || mnemonic.strip_prefix("b.").is_some()
}

/// How an instruction accesses memory whose register has these bytes.
fn access(known: &MemoryInstruction, returns: bool, size: Option<u64>) -> Access {
    let tags = match known.effect {
        _ if known.exclusive => EXCLUSIVE,
        Effect::Update { .. } | Effect::CompareAndSwap if !returns => NO_RESULT,
        _ => &[],
    };
    let order = Ordering { order: known.order(returns), tags };
    let size = known.width.map(|width| width.bytes()).or(size).unwrap_or(8);
    Access { size, order, exclusive: known.exclusive }
}

impl Sema<'_> {
    /// What an instruction does; `None` if it is not understood.
    pub(super) fn arm64(&mut self, at: &mut Assembly, text: &str) -> Checked<Option<Risc>> {
        let (mnemonic, args) = parts(text);
        // The operands after the first `[` are an address.
        let memory = args.iter().position(|arg| arg.starts_with('['));
        let value = |index: usize| args.get(index).and_then(|arg| at.risc_value(arg, &ZEROS));
        let whole = |size: Option<u64>| size.unwrap_or(8);
        if let Some(known) = machine::memory(&mnemonic) {
            let last = memory.unwrap_or(args.len().saturating_sub(1));
            let Some(pointer) = self.arm64_address(at, &args[last.min(args.len())..]) else {
                return Ok(None);
            };
            return Ok(arm64_memory(&known, pointer, [value(0), value(1)]));
        }
        let sized = |index: usize| value(index).map(|(value, size)| (value, whole(size)));
        let label = |index: usize| args.get(index).map(|label| label.to_string());
        Ok(match (&*mnemonic, args.len()) {
            ("prfm", _) => Some(Risc::Nothing),
            ("mov", 2) => {
                let (Some((to, size)), Some((from, _))) = (sized(0), sized(1)) else {
                    return Ok(None);
                };
                Some(Risc::Move { to, from, size })
            }
            ("cmp", 2) => {
                let (Some((a, size)), Some((b, _))) = (sized(0), sized(1)) else {
                    return Ok(None);
                };
                Some(Risc::Compare { a, b, size })
            }
            ("add" | "sub" | "and" | "orr" | "eor" | "lsl" | "lsr", 3) => {
                let op = match &*mnemonic {
                    "add" => BinaryOp::Add,
                    "sub" => BinaryOp::Sub,
                    "and" => BinaryOp::BitAnd,
                    "orr" => BinaryOp::BitOr,
                    "eor" => BinaryOp::BitXor,
                    "lsl" => BinaryOp::Shl,
                    _ => BinaryOp::Shr,
                };
                let (Some((to, size)), Some((a, _)), Some((b, _))) = (sized(0), sized(1), sized(2))
                else {
                    return Ok(None);
                };
                Some(Risc::Compute { op, to, a, b, size })
            }
            ("cset", 2) => match (sized(0), args.get(1).and_then(|name| condition(name))) {
                (Some((to, _)), Some(condition)) => Some(Risc::Set { to, condition }),
                _ => None,
            },
            ("cbz" | "cbnz", 2) => {
                let op = if mnemonic == "cbz" { BinaryOp::Eq } else { BinaryOp::Ne };
                let (Some((a, size)), Some(label)) = (sized(0), label(1)) else { return Ok(None) };
                let zero = at.risc_value("0", &[]).map(|(zero, _)| zero);
                let Some(zero) = zero else { return Ok(None) };
                Some(Risc::Branch { when: Some(Test::Values(op, a, zero, size)), label })
            }
            ("b", 1) => label(0).map(|label| Risc::Branch { when: None, label }),
            (name, 1) => {
                let name = name.strip_prefix("b.").or(name.strip_prefix('b'));
                match (name.and_then(condition), label(0)) {
                    (Some(condition), Some(label)) => {
                        Some(Risc::Branch { when: Some(Test::Flags(condition)), label })
                    }
                    _ => None,
                }
            }
            _ => None,
        })
    }

    /// `[%1]`, `[%1, #8]`, `%1` of an operand in memory.
    fn arm64_address(&self, at: &Assembly, args: &[&str]) -> Option<Expr> {
        let [arg] = args else { return None };
        let Some(inner) = arg.strip_prefix('[').and_then(|arg| arg.strip_suffix(']')) else {
            return at.risc_memory(arg);
        };
        let (base, offset) = inner.split_once(',').unwrap_or((inner, "0"));
        let (base, _) = at.risc_value(base.trim(), &[])?;
        let offset = super::syntax::number_of(offset.trim().trim_start_matches('#'))?;
        self.risc_at(at, &base, offset)
    }
}

/// What an instruction does to memory at an address, with its first operands and their sizes.
fn arm64_memory(
    known: &MemoryInstruction,
    at: Expr,
    [first, second]: [Option<(Value, Option<u64>)>; 2],
) -> Option<Risc> {
    let (first, size) = first?;
    let is_register = |value: &Value| matches!(value, Value::Register(_));
    Some(match known.effect {
        Effect::Load { signed } => {
            Risc::Load { to: first, at, kind: access(known, true, size), extends: signed }
        }
        Effect::Store if known.exclusive => {
            let (value, size) = second?;
            let kind = access(known, true, size);
            Risc::StoreExclusive { failed: Some(first), value, at, kind }
        }
        Effect::Store => Risc::Store { value: first, at, kind: access(known, true, size) },
        Effect::CompareAndSwap => {
            let kind = access(known, is_register(&first), size);
            Risc::CompareAndSwap { expected: first, desired: second?.0, at, kind }
        }
        Effect::Update { op, inverted } => {
            let old = if known.silent { None } else { Some(second?.0).filter(is_register) };
            let kind = access(known, old.is_some(), size);
            Risc::Update { op, old, value: first, inverted, at, kind }
        }
    })
}

/// A condition by the name that x86 has for it.
fn condition(name: &str) -> Option<String> {
    let name = match name {
        "eq" => "e",
        "ne" => "ne",
        "lt" => "l",
        "le" => "le",
        "gt" => "g",
        "ge" => "ge",
        "hi" => "a",
        "hs" | "cs" => "ae",
        "lo" | "cc" => "b",
        "ls" => "be",
        _ => return None,
    };
    Some(name.to_string())
}
