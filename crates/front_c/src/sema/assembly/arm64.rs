//! Instructions of AArch64 (Arm Architecture Reference Manual, DDI 0487, C6.2): loads and stores of
//! all orders, exclusives, the atomic instructions of LSE, and what loops around them need.

use super::risc::{Access, Risc, Test, Value, parts};
use super::{Assembly, Sema};
use crate::ast::BinaryOp;
use crate::sema::Checked;
use crate::sema::tree::{Expr, Ordering};
use ir::op::RmwOp;
use ir::order::Order;
use ir::tag::{Annotation, Tag};

const ZEROS: [&str; 2] = ["wzr", "xzr"];
const EXCLUSIVE: &[Tag] = &[Tag::Both(Annotation::X)];

/// Whether a mnemonic is only AArch64's.
pub(super) fn knows(mnemonic: &str) -> bool {
    const NAMES: [&str; 24] = [
        "ldr", "ldrb", "ldrh", "ldur", "str", "strb", "strh", "stur", "cbz", "cbnz", "subs", "orr",
        "eor", "bic", "cset", "csetm", "prfm", "b.eq", "b.ne", "adds", "mvn", "lsl", "lsr", "tbnz",
    ];
    NAMES.contains(&mnemonic)
        || access(mnemonic).is_some()
        || update(mnemonic).is_some()
        || mnemonic.strip_prefix("b.").is_some()
}

/// What a load or store instruction is: whether it writes, and its order.
fn access(mnemonic: &str) -> Option<(bool, Order, bool, Option<u64>)> {
    let (base, size) = sized(mnemonic);
    let (writes, order, exclusive) = match base {
        "ldr" | "ldur" => (false, Order::Relaxed, false),
        "ldar" => (false, Order::Acquire, false),
        "ldapr" | "ldapur" => (false, Order::AcquirePc, false),
        "ldxr" => (false, Order::Relaxed, true),
        "ldaxr" => (false, Order::Acquire, true),
        "str" | "stur" => (true, Order::Relaxed, false),
        "stlr" | "stlur" => (true, Order::Release, false),
        "stxr" => (true, Order::Relaxed, true),
        "stlxr" => (true, Order::Release, true),
        _ => return None,
    };
    Some((writes, order, exclusive, size))
}

/// An atomic instruction.
struct Update {
    /// Its operation; none for `cas`.
    op: Option<RmwOp>,
    /// Whether its operand is inverted first.
    inverted: bool,
    /// Whether it gives no result.
    silent: bool,
    order: Order,
    size: Option<u64>,
}

fn update(mnemonic: &str) -> Option<Update> {
    let (base, size) = sized(mnemonic);
    const NAMES: [(&str, Option<RmwOp>, bool); 10] = [
        ("cas", None, false),
        ("swp", Some(RmwOp::Exchange), false),
        ("ldadd", Some(RmwOp::Add), false),
        ("ldset", Some(RmwOp::Or), false),
        ("ldclr", Some(RmwOp::And), true),
        ("ldeor", Some(RmwOp::Xor), false),
        ("stadd", Some(RmwOp::Add), false),
        ("stset", Some(RmwOp::Or), false),
        ("stclr", Some(RmwOp::And), true),
        ("steor", Some(RmwOp::Xor), false),
    ];
    let (name, op, inverted) = NAMES.into_iter().find(|(name, ..)| base.starts_with(name))?;
    let silent = name.starts_with("st");
    let order = match &base[name.len()..] {
        "" => Order::Relaxed,
        "a" if !silent => Order::Acquire,
        "l" => Order::Release,
        "al" if !silent => Order::AcqRel,
        _ => return None,
    };
    Some(Update { op, inverted, silent, order, size })
}

/// A name without the `b` or `h` that says how much of a register is accessed.
fn sized(mnemonic: &str) -> (&str, Option<u64>) {
    match mnemonic.chars().last() {
        Some('b') => (&mnemonic[..mnemonic.len() - 1], Some(1)),
        Some('h') => (&mnemonic[..mnemonic.len() - 1], Some(2)),
        _ => (mnemonic, None),
    }
}

impl Sema<'_> {
    /// What an instruction does; `None` if it is not understood.
    pub(super) fn arm64(&mut self, at: &mut Assembly, text: &str) -> Checked<Option<Risc>> {
        let (mnemonic, args) = parts(text);
        // The operands after the first `[` are an address.
        let memory = args.iter().position(|arg| arg.starts_with('['));
        let value = |index: usize| args.get(index).and_then(|arg| at.risc_value(arg, &ZEROS));
        let whole = |size: Option<u64>| size.unwrap_or(8);
        if let Some((writes, order, exclusive, narrow)) = access(&mnemonic) {
            let last = memory.unwrap_or(args.len().saturating_sub(1));
            let Some(pointer) = self.arm64_address(at, &args[last.min(args.len())..]) else {
                return Ok(None);
            };
            let first = usize::from(writes && exclusive);
            let Some((register, size)) = value(first) else { return Ok(None) };
            let tags = if exclusive { EXCLUSIVE } else { &[] };
            let order = Ordering { order, tags };
            let kind = Access { size: narrow.unwrap_or(whole(size)), order, exclusive };
            return Ok(Some(match (writes, exclusive) {
                (false, _) => Risc::Load { to: register, at: pointer, kind, extends: false },
                (true, false) => Risc::Store { value: register, at: pointer, kind },
                (true, true) => {
                    let Some((failed, _)) = value(0) else { return Ok(None) };
                    Risc::StoreExclusive {
                        failed: Some(failed),
                        value: register,
                        at: pointer,
                        kind,
                    }
                }
            }));
        }
        if let Some(update) = update(&mnemonic) {
            let Update { op, inverted, silent, order, size: narrow } = update;
            let last = memory.unwrap_or(args.len().saturating_sub(1));
            let Some(pointer) = self.arm64_address(at, &args[last.min(args.len())..]) else {
                return Ok(None);
            };
            let Some((first, size)) = value(0) else { return Ok(None) };
            let size = narrow.unwrap_or(whole(size));
            let kind = Access { size, order: order.into(), exclusive: false };
            if silent {
                let Some(op) = op else { return Ok(None) };
                let (value, old) = (first, None);
                return Ok(Some(Risc::Update { op, old, value, inverted, at: pointer, kind }));
            }
            let Some((second, _)) = value(1) else { return Ok(None) };
            return Ok(Some(match op {
                None => {
                    Risc::CompareAndSwap { expected: first, desired: second, at: pointer, kind }
                }
                Some(op) => {
                    let discards = matches!(second, Value::Constant(_));
                    let old = (!discards).then_some(second);
                    Risc::Update { op, old, value: first, inverted, at: pointer, kind }
                }
            }));
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
