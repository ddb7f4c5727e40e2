//! What depends on what in a program, which the language that it is written in decides.
//!
//! Soundness S-154 (check, verify, litmus; alpha; misses): Dependencies pass through stack and
//! thread-local objects whose address is not passed on as through registers; compiled code that
//! keeps them in memory may have fewer. Test:
//! crates/oracle/tests/programs/memory.rs::local_objects_are_shared_only_where_their_address_is.

use models::{Architecture, Model};

/// The kind of language a program is written in, which decides what depends on what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// Machine code: everything after a branch depends on it, and one instruction may make
    /// several accesses, which are not in program order.
    Machine,
    /// The same, where a compare-and-swap that succeeds leaves the register with the old value as
    /// it was, which is not a flow of data (AArch64). Elsewhere it loads the register in any case.
    Arm,
    /// The same as machine code, where the result of a store-conditional depends on the store.
    RiscV,
    /// The same as machine code, where the accesses of an instruction are in program order: what a
    /// model sees that is not an architecture's own.
    LoadStore,
    /// C11: memory orders become sets of events. Everything after a branch depends on it, as in the
    /// language's models that know dependencies (IMM: `ctrl; po` is in `ctrl`).
    C11,
    /// Linux-kernel C: control dependencies end with the statement.
    Kernel,
}

impl Language {
    /// Whether each access of the program is an instruction of its own, in program order.
    pub fn is_structured(self) -> bool {
        matches!(self, Language::C11 | Language::Kernel)
    }

    /// Whether control dependencies end where the arms of a branch join.
    pub fn ends_control_at_joins(self) -> bool {
        self == Language::Kernel
    }

    /// Whether the events of one instruction are in program order.
    pub fn orders_instructions(self) -> bool {
        // A RISC-V AMO reads before it writes, as one step of its thread.
        self.is_structured() || matches!(self, Language::RiscV | Language::LoadStore)
    }
}

/// What depends on what in a program that is made ready for a model.
pub fn language_of(model: &Model) -> Language {
    match model.architecture() {
        Architecture::C11 => Language::C11,
        Architecture::Linux => Language::Kernel,
        Architecture::RiscV => Language::RiscV,
        Architecture::Arm => Language::Arm,
        Architecture::None => Language::LoadStore,
        _ => Language::Machine,
    }
}
