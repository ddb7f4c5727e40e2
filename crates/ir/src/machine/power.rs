//! Loads, stores and reservations of Power (Power ISA, book I 3.3.2 to 3.3.5, book II 4.6).

use super::{Effect, MemoryInstruction};
use crate::program::Width;

/// An instruction that accesses memory, and how it names the place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PowerInstruction {
    /// What it does.
    pub does: MemoryInstruction,
    /// Whether the address is the sum of two registers.
    pub indexed: bool,
    /// Whether the base register gets the address.
    pub updates: bool,
}

/// What an instruction does to memory; `None` if it is another one.
pub fn memory(name: &str) -> Option<PowerInstruction> {
    let load = name.starts_with('l');
    let rest = name.strip_prefix(if load { "l" } else { "st" })?;
    let width = match rest.chars().next()? {
        'b' => Width::I8,
        'h' => Width::I16,
        'w' => Width::I32,
        'd' => Width::I64,
        _ => return None,
    };
    let double = width == Width::I64;
    let signed = load && matches!(rest, "ha" | "hax" | "hau" | "haux" | "wa" | "wax" | "waux");
    let exclusive = if load { &rest[1..] == "arx" } else { &rest[1..] == "cx." };
    let form = match (load, double, signed) {
        (true, false, true) => rest[1..].strip_prefix('a')?,
        (true, false, false) if !exclusive => rest[1..].strip_prefix('z')?,
        _ => &rest[1..],
    };
    let (indexed, updates) = match form {
        _ if exclusive => (true, false),
        "" => (false, false),
        "x" => (true, false),
        "u" => (false, true),
        "ux" => (true, true),
        _ => return None,
    };
    let effect = if load { Effect::Load { signed } } else { Effect::Store };
    let does = MemoryInstruction { exclusive, ..MemoryInstruction::plain(effect, Some(width)) };
    Some(PowerInstruction { does, indexed, updates })
}
