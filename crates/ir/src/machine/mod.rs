//! What instructions of machines do to memory: the tables that litmus tests and inline assembly share.
//!
//! They know mnemonics in lower case, and nothing of operands or of how a source spells them.

pub mod arm64;
pub mod power;
pub mod riscv;
pub mod x86;

use crate::op::RmwOp;
use crate::order::Order;
use crate::program::Width;

/// An instruction that accesses memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryInstruction {
    /// What it does.
    pub effect: Effect,
    /// How much it accesses; `None` if its register says so.
    pub width: Option<Width>,
    /// Whether its read is an acquire.
    pub acquires: Acquires,
    /// Whether its write is a release.
    pub releases: bool,
    /// Whether it is a load- or store-exclusive.
    pub exclusive: bool,
    /// Whether it never gives what it read.
    pub silent: bool,
}

/// What an instruction does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It reads, and extends the sign or not.
    Load { signed: bool },
    /// It writes.
    Store,
    /// It reads, computes and writes, with its operand inverted first or not.
    Update { op: RmwOp, inverted: bool },
    /// It compares and swaps.
    CompareAndSwap,
}

/// Whether a read is an acquire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acquires {
    /// It is not.
    No,
    /// It is one that does not order after an earlier release.
    Pc,
    /// It is.
    Yes,
}

impl MemoryInstruction {
    /// An access without any order.
    const fn plain(effect: Effect, width: Option<Width>) -> Self {
        let (acquires, releases) = (Acquires::No, false);
        Self { effect, width, acquires, releases, exclusive: false, silent: false }
    }

    /// Its memory order. On AArch64, what reads without giving the result does not acquire.
    pub fn order(&self, returns: bool) -> Order {
        match (self.acquires, self.releases) {
            (Acquires::Yes, true) if returns => Order::AcqRel,
            (Acquires::Yes, false) if returns => Order::Acquire,
            (Acquires::Pc, _) if returns => Order::AcquirePc,
            (_, true) => Order::Release,
            (_, false) => Order::Relaxed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mnemonics_say_what_is_accessed_and_how() {
        let load = arm64::memory("ldaxrb").expect("it is known");
        assert_eq!((load.width, load.exclusive), (Some(Width::I8), true));
        assert_eq!(load.order(true), Order::Acquire);
        let update = arm64::memory("ldclral").expect("it is known");
        assert_eq!(update.effect, Effect::Update { op: RmwOp::And, inverted: true });
        assert_eq!((update.order(true), update.order(false)), (Order::AcqRel, Order::Release));
        assert_eq!(
            arm64::memory("ldsmax").map(|it| it.effect),
            Some(Effect::Update { op: RmwOp::Max, inverted: false })
        );
        assert!(arm64::memory("stadd").is_some_and(|it| it.silent));
        for name in ["stadda", "ldp", "add", "ldxrx", "casp", "ld", "cas8"] {
            assert_eq!(arm64::memory(name), None, "{name}");
        }
        let store = riscv::memory("sc.d.rl").expect("it is known");
        assert_eq!((store.effect, store.exclusive), (Effect::Store, true));
        assert_eq!(store.order(true), Order::Release);
        assert!(riscv::memory("amomaxu.w.aqrl").is_some_and(|it| it.order(true) == Order::AcqRel));
        assert_eq!(riscv::memory("lwu").map(|it| it.effect), Some(Effect::Load { signed: false }));
        for name in ["amofoo.w", "lr.q", "addi", "sc"] {
            assert_eq!(riscv::memory(name), None, "{name}");
        }
        let known = power::memory("stdcx.").expect("it is known");
        assert!(known.does.exclusive && known.indexed && known.does.width == Some(Width::I64));
        assert!(power::memory("lwzux").is_some_and(|it| it.indexed && it.updates));
        for name in ["lwx", "stwarx", "li", "sync"] {
            assert_eq!(power::memory(name), None, "{name}");
        }
    }
}
