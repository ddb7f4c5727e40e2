//! Loads, stores, exclusives and atomic instructions of AArch64 (Arm Architecture Reference Manual,
//! DDI 0487, C6.2), but for pairs of registers.

use super::{Acquires, Effect, MemoryInstruction};
use crate::op::RmwOp;
use crate::program::Width;

/// What an instruction does to memory; `None` if it is another one.
pub fn memory(mnemonic: &str) -> Option<MemoryInstruction> {
    access(mnemonic).or_else(|| update(mnemonic))
}

fn access(name: &str) -> Option<MemoryInstruction> {
    let signed = |acquires, rest: &str| {
        let width = Some(signed_width(rest)?);
        let effect = Effect::Load { signed: true };
        Some(MemoryInstruction { acquires, ..MemoryInstruction::plain(effect, width) })
    };
    if let Some(rest) = name.strip_prefix("ldapurs") {
        return signed(Acquires::Pc, rest);
    }
    if let Some(rest) = ["ldrs", "ldurs", "ldtrs"].iter().find_map(|head| name.strip_prefix(head)) {
        return signed(Acquires::No, rest);
    }
    let (base, width) = narrow(name);
    let (load, store) = (Effect::Load { signed: false }, Effect::Store);
    let (effect, acquires, releases, exclusive) = match base {
        "ldr" | "ldur" | "ldtr" => (load, Acquires::No, false, false),
        "ldar" => (load, Acquires::Yes, false, false),
        "ldapr" | "ldapur" => (load, Acquires::Pc, false, false),
        "ldxr" => (load, Acquires::No, false, true),
        "ldaxr" => (load, Acquires::Yes, false, true),
        "str" | "stur" | "sttr" => (store, Acquires::No, false, false),
        "stlr" | "stlur" => (store, Acquires::No, true, false),
        "stxr" => (store, Acquires::No, false, true),
        "stlxr" => (store, Acquires::No, true, true),
        _ => return None,
    };
    let plain = MemoryInstruction::plain(effect, width);
    Some(MemoryInstruction { acquires, releases, exclusive, ..plain })
}

fn update(name: &str) -> Option<MemoryInstruction> {
    let (base, width) = narrow(name);
    let (effect, silent, rest) = if let Some(rest) = base.strip_prefix("cas") {
        (Effect::CompareAndSwap, false, rest)
    } else if let Some(rest) = base.strip_prefix("swp") {
        (Effect::Update { op: RmwOp::Exchange, inverted: false }, false, rest)
    } else {
        const NAMES: [(&str, RmwOp, bool); 8] = [
            ("add", RmwOp::Add, false),
            ("set", RmwOp::Or, false),
            ("clr", RmwOp::And, true),
            ("eor", RmwOp::Xor, false),
            ("smax", RmwOp::Max, false),
            ("smin", RmwOp::Min, false),
            ("umax", RmwOp::UMax, false),
            ("umin", RmwOp::UMin, false),
        ];
        let rest = base.strip_prefix("ld").or_else(|| base.strip_prefix("st"))?;
        let (name, op, inverted) = NAMES.into_iter().find(|(name, ..)| rest.starts_with(name))?;
        (Effect::Update { op, inverted }, base.starts_with("st"), &rest[name.len()..])
    };
    let (acquires, releases) = match rest {
        "" => (Acquires::No, false),
        "a" if !silent => (Acquires::Yes, false),
        "l" => (Acquires::No, true),
        "al" if !silent => (Acquires::Yes, true),
        _ => return None,
    };
    let plain = MemoryInstruction::plain(effect, width);
    Some(MemoryInstruction { acquires, releases, silent, ..plain })
}

/// A name without the `b` or `h` that says how much of a register is accessed.
fn narrow(name: &str) -> (&str, Option<Width>) {
    match name.as_bytes().last() {
        Some(b'b') => (&name[..name.len() - 1], Some(Width::I8)),
        Some(b'h') => (&name[..name.len() - 1], Some(Width::I16)),
        _ => (name, None),
    }
}

/// The width of a load that extends the sign, from the end of its name.
fn signed_width(suffix: &str) -> Option<Width> {
    Some(match suffix {
        "b" => Width::I8,
        "h" => Width::I16,
        "w" => Width::I32,
        _ => return None,
    })
}
