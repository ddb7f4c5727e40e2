//! One file per architecture: registers and instructions.

pub mod aarch64;
mod aarch64_arithmetic;
mod aarch64_memory;
mod aarch64_pairs;
pub mod ppc;
pub mod riscv;
pub mod x86;

use crate::asm::{Cell, Thread};
use crate::test::Arch;
use execution::diagnostic::Diagnostic;

/// Lowers the cells of one thread.
pub fn lower(arch: Arch, thread: &mut Thread<'_>, cells: Vec<Cell<'_>>) -> Result<(), Diagnostic> {
    for cell in cells {
        let Some(mut cursor) = crate::asm::after_labels(thread, cell)? else { continue };
        match arch {
            Arch::X86 => x86::intel(thread, &mut cursor)?,
            Arch::X86_64 => x86::att(thread, &mut cursor)?,
            Arch::Ppc => ppc::instruction(thread, &mut cursor)?,
            Arch::AArch64 => aarch64::instruction(thread, &mut cursor)?,
            Arch::RiscV => riscv::instruction(thread, &mut cursor)?,
            Arch::C => unreachable!("C has no columns"),
        }
        crate::asm::finished(&cursor)?;
    }
    Ok(())
}

/// The name under which a register is kept and printed; `None` if there is no such register.
pub fn canonical(arch: Arch, name: &str) -> Option<String> {
    if name.starts_with('%') && arch != Arch::X86_64 {
        return Some(name.to_string());
    }
    match arch {
        Arch::X86 | Arch::X86_64 => x86::canonical(arch, name.trim_start_matches('%')),
        Arch::Ppc => ppc::canonical(name),
        Arch::AArch64 => aarch64::canonical(name),
        Arch::RiscV => riscv::canonical(name),
        Arch::C => Some(name.to_string()),
    }
}
