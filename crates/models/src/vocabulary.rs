//! The words a cat model may use without defining them: what an [`Execution`] must provide by
//! name, what the evaluator derives from it, and what each word means.
//!
//! This file is the contract between the code that builds executions (the litmus front end, the
//! oracle, the encoder) and the authors and the evaluator of models.
//!
//! # What an execution must look like
//!
//! - One event per memory access. **A read-modify-write is always two events**, a read and a
//!   write of the same instruction, related by `rmw` (also in C11, also a Linux `spin_lock`); a
//!   failed compare-and-swap is its read alone. Both events of a single-instruction RMW (not of
//!   load-/store-exclusive pairs) are also related by `amo`.
//! - Where accesses of several sizes overlap, memory is split at their bounds, and **an access is
//!   one event for every part of memory it covers**, each with that part as its location. These
//!   events have one instruction, sets, dependencies and sections in common, are related by
//!   `same-access`, and not by `po`. `rf` and `co` are between events of one part. `rmw` and `amo`
//!   relate the read and the write of each part, `iico_data` and `iico_ctrl` each read to all
//!   writes. Only models that speak of `same-access` or `same-instr` give this a meaning
//!   ([`knows_mixed_sizes`](crate::Model::knows_mixed_sizes)); others must not be asked.
//! - Initial writes are events with `thread: None`, in `W` and `IW` (in no annotation set), one
//!   per location that the execution touches; `co` starts with them; `po` does not mention them.
//! - `po` is transitive and relates every pair of events of one thread that belong to different
//!   instructions, fences and branches included. Events of the *same* instruction are unrelated
//!   by `po`, with an exception: languages in which one expression makes several accesses
//!   in a fixed sequence (C, the Linux dialect) relate those too, RMW read before RMW write, and
//!   so does RISC-V for its AMOs.
//! - `co` is, per location, a strict total (transitive) order of all writes including initial
//!   ones and lock writes. `rf` gives every read exactly one write.
//! - A name listed here that is missing in an execution stands for the empty set or relation; an
//!   execution need only provide what is not empty.
//! - Dependencies start at reads. `addr` ends at the memory accesses whose address depends on the
//!   read, `data` at the writes whose value does, `ctrl` at *every* event that is po-after a
//!   branch (or fault) that depends on the read. All three are through registers only, never
//!   through memory, and never relate two events of one instruction. On AArch64 the flow that
//!   selects (the flags read by CSEL, the comparison of CAS) belongs to the `pick-` relations
//!   alone, which contain the plain ones. The status register of a store-exclusive carries no
//!   dependency from that store, except on RISC-V where it does (from the store-conditional).
//! - In C11 each access is in the set of its memory order and, if it is atomic, in `A`, else in
//!   `NA`; both events of an RMW are in the set of the RMW's order (a failed compare-exchange: its
//!   read in the failure order). Fences are in the set of their order, not in `A`.
//! - Linux locks are ordinary accesses of the lock's location: `spin_lock` is an RMW (`LKR` reads
//!   0, `LKW` writes 1), `spin_unlock` a write of 0 (`UL`), a failed `spin_trylock` a read of 1
//!   (`LF`), `spin_is_locked` a read (`RL` if it sees 1, `RU` if it sees 0). They are in
//!   `R` or `W` too, with `rf` and `co` like any other access. In C programs what is written is
//!   the holder's number and all of `spin_is_locked` is `RL`; `spin_unlock` first reads the lock
//!   (`RL`), and all of them are in `Library`. The annotation sets (`Once`,
//!   `Acquire`, `Release` …) do not hold them.
//! - A fully ordered Linux RMW (`xchg`, `atomic_add_return`, successful `cmpxchg`) is `Mb` fence,
//!   read `Once`, write `Once`, `Mb` fence; a failed one only its read. One without result
//!   (`atomic_inc`) reads with `Noreturn` and has no fences. `_acquire` marks the read, `_release`
//!   the write, `_relaxed` neither.
//! - SRCU marks are events of kind `Other` that are in neither `R` nor `W`, located at the
//!   `srcu_struct`; `data` relates a `Srcu-lock` to the `Srcu-unlock`s (and stores) its result
//!   flows into.
//!
//! [`Execution`]: execution::event::Execution
//!
//! Soundness S-158 (all; own; misses): Address translation, tags, instruction fetch and exceptions
//! are empty sets. Test:
//! crates/fencepost/tests/approximations.rs::an_update_is_never_one_event_and_the_system_level_is_empty.
//!
//! Soundness S-159 (all; own; cries wolf): A read-modify-write is always a read and a write, so a
//! model that knows it only as one event in both `R` and `W` (the published `c11_simp.cat` and
//! `c11_partialSC.cat`) constrains it too little. Test:
//! crates/fencepost/tests/approximations.rs::an_update_is_never_one_event_and_the_system_level_is_empty.

use execution::diagnostic::Diagnostic;
use execution::span::Span;

/// Whether a word names a set of events or a relation between them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// A set of events.
    Set,
    /// A binary relation.
    Relation,
}

/// Who provides a word, and for which source of executions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Provider {
    /// Every execution.
    Every,
    /// The evaluator, from the rest.
    Derived,
    /// Executions of x86 and x86-64 programs.
    X86,
    /// Executions of Power programs.
    Power,
    /// Executions of AArch64 programs (and ARMv7 barriers).
    Arm,
    /// Executions of RISC-V programs.
    RiscV,
    /// Executions of C11 programs.
    C11,
    /// Executions of Linux-kernel C programs.
    Linux,
    /// Executions of the load-store language with CheckFence's fences and operations.
    CheckFence,
    /// The evaluator, for models that use registers: the least flow through registers that has
    /// the execution's dependencies.
    Registers,
    /// None: features of the system level, which no program here has. The word is empty.
    System,
}

/// One word of the vocabulary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// As it is spelled in cat.
    pub name: &'static str,
    /// Set or relation.
    pub sort: Sort,
    /// Who provides it.
    pub provider: Provider,
    /// What it means.
    pub meaning: &'static str,
}

const fn set(provider: Provider, name: &'static str, meaning: &'static str) -> Word {
    Word { name, sort: Sort::Set, provider, meaning }
}

const fn relation(provider: Provider, name: &'static str, meaning: &'static str) -> Word {
    Word { name, sort: Sort::Relation, provider, meaning }
}

use Provider::{Arm, C11, CheckFence, Derived, Every, Linux, Power, Registers, RiscV, System, X86};

/// Every word, grouped by provider.
pub const WORDS: &[Word] = &[
    set(Every, "R", "reads of memory, the read halves of RMWs among them"),
    set(Every, "W", "writes of memory, initial writes and the write halves of RMWs among them"),
    set(Every, "F", "fences of every kind"),
    set(Every, "B", "conditional branches (may be left out)"),
    set(Every, "BCC", "conditional branches, the name newer AArch64 models use (may be left out)"),
    set(Every, "IW", "initial writes"),
    set(
        Every,
        "RMW",
        "events of atomic read-modify-writes; in Linux also the read of a failed one",
    ),
    set(Every, "AMO", "both events of single-instruction read-modify-writes"),
    set(Every, "X", "atomic accesses: x86 LOCK, load- and store-exclusives, RISC-V AMOs"),
    set(Every, "EX", "events of load- and store-exclusives (lwarx, LR and the like)"),
    set(
        Every,
        "PLAIN",
        "accesses of C code that are neither atomic nor volatile, nor in an atomic section",
    ),
    set(Every, "FAULT", "faults"),
    set(Every, "Observed", "accesses of locations whose final values a litmus test looks at"),
    relation(Every, "po", "program order, transitive"),
    relation(Every, "rf", "reads-from: a write to each read that returns its value"),
    relation(Every, "co", "coherence: a total order of the writes to each location"),
    relation(Every, "addr", "address dependency through registers"),
    relation(Every, "data", "data dependency through registers"),
    relation(Every, "ctrl", "control dependency: to everything after a branch on the value read"),
    relation(Every, "rmw", "read to write of one successful read-modify-write"),
    relation(Every, "amo", "the part of rmw that is one instruction"),
    relation(Every, "iico_data", "value flow between memory events of one instruction"),
    relation(Every, "iico_ctrl", "selection between memory events of one instruction (CAS)"),
    relation(Every, "iico_order", "other order between memory events of one instruction"),
    relation(
        Every,
        "same-access",
        "parts of one single-copy atomic access: AArch64 LDXP and STXP; accesses that overlap \
         others of another size",
    ),
    // Derived by the evaluator.
    set(Derived, "_", "all events"),
    set(Derived, "M", "reads and writes"),
    set(Derived, "I", "initial writes, another name of IW"),
    set(Derived, "FW", "final writes: last in coherence at their location"),
    set(Derived, "Exp", "events that instructions ask for explicitly: here, all"),
    relation(Derived, "id", "every event to itself"),
    relation(Derived, "loc", "accesses of the same location"),
    relation(Derived, "same-loc", "accesses of the same location, another name of loc"),
    relation(Derived, "int", "events of the same thread (initial writes count as one thread)"),
    relation(Derived, "ext", "events of different threads"),
    relation(Derived, "same-instr", "events of the same instruction, each to itself included"),
    relation(Derived, "same-instance", "another name of same-instr"),
    relation(Derived, "si", "another name of same-instr"),
    relation(Derived, "sm", "parts of one single-copy atomic access, each to itself included"),
    relation(Derived, "lxsx", "load-exclusive to its successful store-exclusive: rmw \\ amo"),
    relation(Derived, "fr", "from-reads: a read to the writes that come later in coherence"),
    relation(Derived, "rfi", "rf within a thread"),
    relation(Derived, "rfe", "rf between threads"),
    relation(Derived, "coi", "co within a thread"),
    relation(Derived, "coe", "co between threads"),
    relation(Derived, "fri", "fr within a thread"),
    relation(Derived, "fre", "fr between threads"),
    relation(Derived, "po-loc", "po between accesses of the same location"),
    relation(Derived, "co0", "the part of co that is known beforehand: initial writes first"),
    // x86.
    set(X86, "MFENCE", "MFENCE"),
    set(X86, "SFENCE", "SFENCE"),
    set(X86, "LFENCE", "LFENCE"),
    set(X86, "A", "x86: events of LOCKed instructions and XCHG; AArch64: acquire; C11: atomic"),
    set(X86, "P", "x86: accesses that are not atomic"),
    // Power.
    set(Power, "SYNC", "sync"),
    set(Power, "LWSYNC", "lwsync"),
    set(Power, "EIEIO", "eieio"),
    set(Power, "ISYNC", "isync"),
    // ARM. `A` is listed above.
    set(Arm, "L", "release writes (STLR, STLXR, the write of CASL, SWPAL …)"),
    set(Arm, "Q", "acquire-PC reads (LDAPR)"),
    set(Arm, "NoRet", "reads of RMWs whose result is discarded (STADD, LDADD to WZR …)"),
    set(Arm, "DMB.SY", "full barrier"),
    set(Arm, "DMB.LD", "barrier for earlier reads"),
    set(Arm, "DMB.ST", "barrier between writes"),
    set(Arm, "DMB.ISH", "full barrier, inner shareable"),
    set(Arm, "DMB.ISHLD", "read barrier, inner shareable"),
    set(Arm, "DMB.ISHST", "write barrier, inner shareable"),
    set(Arm, "DMB.OSH", "full barrier, outer shareable"),
    set(Arm, "DMB.OSHLD", "read barrier, outer shareable"),
    set(Arm, "DMB.OSHST", "write barrier, outer shareable"),
    set(Arm, "DMB.NSH", "full barrier, non-shareable"),
    set(Arm, "DMB.NSHLD", "read barrier, non-shareable"),
    set(Arm, "DMB.NSHST", "write barrier, non-shareable"),
    set(Arm, "DSB.SY", "full barrier that waits for completion"),
    set(Arm, "DSB.LD", "the same for reads"),
    set(Arm, "DSB.ST", "the same for writes"),
    set(Arm, "DSB.ISH", "full, inner shareable"),
    set(Arm, "DSB.ISHLD", "reads, inner shareable"),
    set(Arm, "DSB.ISHST", "writes, inner shareable"),
    set(Arm, "DSB.OSH", "full, outer shareable"),
    set(Arm, "DSB.OSHLD", "reads, outer shareable"),
    set(Arm, "DSB.OSHST", "writes, outer shareable"),
    set(Arm, "DSB.NSH", "full, non-shareable"),
    set(Arm, "DSB.NSHLD", "reads, non-shareable"),
    set(Arm, "DSB.NSHST", "writes, non-shareable"),
    set(Arm, "ISB", "instruction barrier"),
    set(Arm, "DMB", "ARMv7: full barrier"),
    set(Arm, "DSB", "ARMv7: full barrier that waits for completion"),
    relation(
        Arm,
        "pick-addr",
        "read to access: as addr, by a flow that may also select (CSEL, CAS)",
    ),
    relation(Arm, "pick-data", "read to write: as data, by a flow that may also select"),
    relation(Arm, "pick-ctrl", "read to later event: as ctrl, by a flow that may also select"),
    // RISC-V. LR/SC events are in X and EX, AMO events in X and AMO.
    set(RiscV, "Fence.r.r", "fence r,r"),
    set(RiscV, "Fence.r.w", "fence r,w"),
    set(RiscV, "Fence.r.rw", "fence r,rw"),
    set(RiscV, "Fence.w.r", "fence w,r"),
    set(RiscV, "Fence.w.w", "fence w,w"),
    set(RiscV, "Fence.w.rw", "fence w,rw"),
    set(RiscV, "Fence.rw.r", "fence rw,r"),
    set(RiscV, "Fence.rw.w", "fence rw,w"),
    set(RiscV, "Fence.rw.rw", "fence rw,rw"),
    set(RiscV, "Fence.tso", "fence.tso"),
    set(RiscV, "Fence.i", "fence.i"),
    set(RiscV, "Acq", "accesses with .aq alone"),
    set(RiscV, "Rel", "accesses with .rl alone"),
    set(RiscV, "AcqRel", "accesses with .aqrl"),
    set(RiscV, "Sc", "older name of AcqRel in LR/SC"),
    // C11. `A` (listed above) holds every atomic access.
    set(C11, "NA", "non-atomic accesses"),
    set(C11, "RLX", "memory_order_relaxed"),
    set(C11, "CON", "memory_order_consume"),
    set(C11, "ACQ", "memory_order_acquire"),
    set(C11, "REL", "memory_order_release"),
    set(C11, "ACQ_REL", "memory_order_acq_rel"),
    set(C11, "SC", "memory_order_seq_cst"),
    set(C11, "LK", "successful lock of a mutex"),
    set(C11, "LS", "successful lock of a mutex, another name"),
    set(C11, "UL", "C11: unlock of a mutex; Linux: spin_unlock"),
    relation(C11, "lo", "the order of the operations on each mutex"),
    // Linux.
    set(Linux, "Once", "READ_ONCE, WRITE_ONCE, the accesses of relaxed atomics"),
    set(Linux, "Acquire", "smp_load_acquire and the like"),
    set(Linux, "Release", "smp_store_release and the like"),
    set(Linux, "Noreturn", "reads of RMWs without result"),
    set(Linux, "Mb", "smp_mb"),
    set(Linux, "Rmb", "smp_rmb"),
    set(Linux, "Wmb", "smp_wmb"),
    set(Linux, "Barrier", "barrier()"),
    set(Linux, "Before-atomic", "smp_mb__before_atomic"),
    set(Linux, "After-atomic", "smp_mb__after_atomic"),
    set(Linux, "After-spinlock", "smp_mb__after_spinlock"),
    set(Linux, "After-unlock-lock", "smp_mb__after_unlock_lock"),
    set(Linux, "After-srcu-read-unlock", "smp_mb__after_srcu_read_unlock"),
    set(Linux, "Rcu-lock", "rcu_read_lock"),
    set(Linux, "Rcu-unlock", "rcu_read_unlock"),
    set(Linux, "Sync-rcu", "synchronize_rcu and synchronize_rcu_expedited"),
    set(Linux, "Srcu-lock", "srcu_read_lock"),
    set(Linux, "Srcu-unlock", "srcu_read_unlock"),
    set(Linux, "Sync-srcu", "synchronize_srcu"),
    set(
        Linux,
        "Library",
        "of C programs: accesses of locks and beginnings of RCU sections whose use the program's \
         library checks, and ends of objects",
    ),
    set(Linux, "LKR", "read half of spin_lock or a successful spin_trylock"),
    set(Linux, "LKW", "write half of spin_lock or a successful spin_trylock"),
    set(Linux, "LF", "failed spin_trylock"),
    set(Linux, "RL", "spin_is_locked that returns true"),
    set(Linux, "RU", "spin_is_locked that returns false"),
    // Registers.
    set(Registers, "Rreg", "reads of registers"),
    set(Registers, "Wreg", "writes of registers"),
    set(Registers, "DATA", "reads of registers for what is written"),
    set(Registers, "NDATA", "reads of registers for anything else"),
    set(Registers, "ADDR", "another name of NDATA"),
    set(Registers, "PoD", "reads of registers that decide a selection"),
    relation(Registers, "rf-reg", "a write of a register to a read of what it wrote"),
    // The system level: address translation, tags, fetching of instructions, exceptions.
    set(System, "NExp", "accesses that no instruction asks for explicitly"),
    set(System, "SPURIOUS", "spontaneous updates of translation tables"),
    set(System, "T", "memory tags"),
    set(System, "TagCheck", "memory tags"),
    set(System, "Instr", "fetching and caching of instructions"),
    set(System, "Restricted-CMODX", "fetching and caching of instructions"),
    set(System, "PTE", "address translation"),
    set(System, "PTEV", "address translation"),
    set(System, "PTEINV", "address translation"),
    set(System, "PTEAF0", "address translation"),
    set(System, "PTEDB0", "address translation"),
    set(System, "PTEDevice", "address translation"),
    set(System, "PTENormal", "address translation"),
    set(System, "PA", "address translation"),
    set(System, "AF", "address translation"),
    set(System, "DB", "address translation"),
    set(System, "MMU", "address translation"),
    set(System, "D-MMU", "address translation"),
    set(System, "Translation", "address translation"),
    set(System, "AccessFlag", "address translation"),
    set(System, "Permission", "address translation"),
    set(System, "TLBI", "address translation"),
    set(System, "TLBIIS", "address translation"),
    set(System, "TLBInXS", "address translation"),
    set(System, "IC.IALLU", "fetching and caching of instructions"),
    set(System, "IC.IALLUIS", "fetching and caching of instructions"),
    set(System, "IC.IVAU", "fetching and caching of instructions"),
    set(System, "DC.CVAU", "fetching and caching of instructions"),
    set(System, "EXC-ENTRY", "exceptions"),
    set(System, "EXC-RET", "exceptions"),
    set(System, "SVC", "exceptions"),
    set(System, "UndefinedInstruction", "exceptions"),
    relation(System, "inv-domain", "address translation"),
    relation(System, "same-low-order-bits", "address translation"),
    relation(System, "same-translation-context", "address translation"),
    relation(System, "same-tag-loc", "memory tags"),
    // CheckFence.
    set(CheckFence, "LoadLoad", "load-load fence (a combined fence is in several of these)"),
    set(CheckFence, "LoadStore", "load-store fence"),
    set(CheckFence, "StoreLoad", "store-load fence"),
    set(CheckFence, "StoreStore", "store-store fence"),
    relation(
        CheckFence,
        "same-atomic",
        "accesses of one atomic section of several (an equivalence there)",
    ),
    relation(CheckFence, "same-op", "accesses of one operation of the data type (an equivalence)"),
];

/// The word of this name.
pub fn lookup(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name == name)
}

/// The set that an annotation of a bell file stands for. Newer texts of the kernel's model write
/// some in capitals (`'ONCE`, `'MB`); executions know one set for both spellings.
pub(crate) fn annotated(set: &str) -> &str {
    let linux = WORDS.iter().filter(|word| word.provider == Linux);
    let mut known = linux.filter(|word| word.name.eq_ignore_ascii_case(set));
    known.next().map_or(set, |word| word.name)
}

/// Words of published models that our executions cannot provide, with the reason.
const MISSING: &[(&[&str], &str)] = &[(
    &["tag2scope", "tag2level", "wi", "thread", "warp", "block", "device"],
    "executions here have no scopes",
)];

/// What to say about a name that is neither defined nor in the vocabulary.
pub(crate) fn unknown_name(name: &str, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(span, format!("`{name}` is not defined"));
    if let Some((_, why)) = MISSING.iter().find(|(names, _)| names.contains(&name)) {
        return diagnostic.note(*why);
    }
    let similar = |word: &&Word| word.name.eq_ignore_ascii_case(name);
    match WORDS.iter().find(similar) {
        Some(word) => diagnostic.note(format!("there is `{}`: {}", word.name, word.meaning)),
        None => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_listed_twice() {
        for (index, word) in WORDS.iter().enumerate() {
            assert!(!WORDS[..index].iter().any(|w| w.name == word.name), "{}", word.name);
        }
    }
}
