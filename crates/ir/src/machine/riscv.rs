//! Loads, stores, `lr`, `sc` and `amo…` of RISC-V (the unprivileged ISA, chapters 2, 14 "A", "Zacas").

use super::{Acquires, Effect, MemoryInstruction};
use crate::op::RmwOp;
use crate::program::Width;

/// What an instruction does to memory; `None` if it is another one.
pub fn memory(mnemonic: &str) -> Option<MemoryInstruction> {
    let (name, acquires, releases) = ordered(mnemonic);
    let plain = access(name).or_else(|| atomic(name))?;
    Some(MemoryInstruction { acquires, releases, ..plain })
}

/// Splits `.aq`, `.rl`, `.aqrl` or `.aq.rl` off a mnemonic.
fn ordered(name: &str) -> (&str, Acquires, bool) {
    const SUFFIXES: [(&str, Acquires, bool); 4] = [
        (".aq.rl", Acquires::Yes, true),
        (".aqrl", Acquires::Yes, true),
        (".aq", Acquires::Yes, false),
        (".rl", Acquires::No, true),
    ];
    let split = |&(suffix, acquires, releases): &(&str, Acquires, bool)| {
        name.strip_suffix(suffix).map(|base| (base, acquires, releases))
    };
    SUFFIXES.iter().find_map(split).unwrap_or((name, Acquires::No, false))
}

fn access(name: &str) -> Option<MemoryInstruction> {
    let load = |signed| Effect::Load { signed };
    let (effect, width) = match name {
        "lb" => (load(true), Width::I8),
        "lh" => (load(true), Width::I16),
        "lw" => (load(true), Width::I32),
        "ld" => (load(true), Width::I64),
        "lbu" => (load(false), Width::I8),
        "lhu" => (load(false), Width::I16),
        "lwu" => (load(false), Width::I32),
        "sb" => (Effect::Store, Width::I8),
        "sh" => (Effect::Store, Width::I16),
        "sw" => (Effect::Store, Width::I32),
        "sd" => (Effect::Store, Width::I64),
        _ => return None,
    };
    Some(MemoryInstruction::plain(effect, Some(width)))
}

fn atomic(name: &str) -> Option<MemoryInstruction> {
    let (base, suffix) = name.rsplit_once('.')?;
    let width = match suffix {
        "w" => Width::I32,
        "d" => Width::I64,
        _ => return None,
    };
    let update = |op| Effect::Update { op, inverted: false };
    let effect = match base {
        "lr" => Effect::Load { signed: true },
        "sc" => Effect::Store,
        "amocas" => Effect::CompareAndSwap,
        "amoswap" => update(RmwOp::Exchange),
        "amoadd" => update(RmwOp::Add),
        "amoor" => update(RmwOp::Or),
        "amoand" => update(RmwOp::And),
        "amoxor" => update(RmwOp::Xor),
        "amomax" => update(RmwOp::Max),
        "amomin" => update(RmwOp::Min),
        "amomaxu" => update(RmwOp::UMax),
        "amominu" => update(RmwOp::UMin),
        _ => return None,
    };
    let exclusive = matches!(base, "lr" | "sc");
    Some(MemoryInstruction { exclusive, ..MemoryInstruction::plain(effect, Some(width)) })
}
