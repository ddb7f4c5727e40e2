//! Compiles C11 atomics for an architecture by its standard mapping: ordering becomes the
//! architecture's own fences, annotations and load-/store-exclusive pairs.
//!
//! A model of an architecture knows nothing of `memory_order_acquire`, and a C11 model nothing of
//! `lwsync`. What a compiler puts between the two is a small table for each architecture: one file
//! each here, with its source. After this pass all that sees the program (oracle, encoding,
//! replay) sees the same compiled program.
//!
//! What holds for all of them:
//! - Accesses and fences keep their source places and paths. An access that was atomic has the
//!   order `rlx` afterwards: it is still one access, aligned and no data race, and means nothing
//!   more to a hardware model.
//! - `memory_order_consume` is compiled as acquire, as gcc and clang do.
//! - A compare-and-swap is compiled for the stronger of its two orders, as gcc and clang do; on
//!   architectures without a single instruction for it, the failing path leaves out the fence
//!   after it where the failure order is relaxed, as gcc does.
//! - Where there are only load- and store-exclusives, a read-modify-write is one such pair whose
//!   store succeeds (a weak compare-and-swap may also fail there). The retries before it are left
//!   out: what they read is discarded and they write nothing, so other threads cannot observe them,
//!   and the fences of the loop are outside of it. The branch that ends the loop is there as
//!   an assumption about what was read, on which everything after it depends.
//! - Directed fences (CheckFence) become the weakest fences of the architecture that keep the
//!   pairs in question in order.
//! - Fences of another architecture are refused, by name; those of the Linux kernel, and its
//!   accesses, become C11's and directed ones first (`kernel`).
//!
//! Soundness S-053 (check, verify; machines; cries wolf): Load buffering with relaxed accesses,
//! which RC11 forbids, is allowed by every standard mapping to Power, ARM, RISC-V, `rmo`, `alpha`
//! and `relaxed`, so a violation found there may be one that RC11 rules out. Test:
//! crates/oracle/tests/mappings.rs::relaxed_accesses_stay_relaxed,
//! crates/oracle/tests/mappings.rs::what_rc11_forbids_machines_do_not_do_in_any_combination.
//!
//! Soundness S-054 (check, verify; machines; misses): The compiler's own reordering of relaxed and
//! non-atomic accesses and its elimination of dependencies are not checked: order and dependencies
//! are those of the source. Test: crates/front_c/src/lower/tests.rs::dependencies_stay_as_written.
//!
//! Soundness S-055 (check, verify; tso, pso, rmo, alpha, relaxed; misses): The directed fence after
//! a compare-and-swap also takes effect when it fails with a weaker order, unless that is relaxed.
//! Test:
//! crates/ir/src/passes/mapping/tests.rs::a_compare_and_swap_that_fails_relaxed_skips_the_fence_after_it.

mod armv7;
mod armv8;
mod checkfence;
mod exclusive;
mod fences;
mod kernel;
mod power;
mod rewrite;
mod riscv;
mod users_place;
mod x86;

use crate::op::Op;
use crate::order::{Directions, Fence, Order};
use crate::program::{Function, LocId, Program};
use crate::tag::Tag;
use fences::Family;
use users_place::users_place;

/// What to compile for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A C11 model: memory orders mean themselves, and no machine's fence means anything.
    C11,
    /// A model of the Linux kernel: its fences and annotated accesses, and no atomics of C11.
    Linux,
    /// The load-store language itself, with directed fences.
    Directed {
        /// Whether two loads of one location stay in order by themselves.
        coherent_loads: bool,
    },
    /// x86 and x86-64.
    X86,
    /// Power.
    Power,
    /// ARMv7.
    Armv7,
    /// AArch64 with the atomic instructions of ARMv8.1.
    Armv8,
    /// RISC-V.
    RiscV,
}

/// What a program cannot have for a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What it is, as a noun phrase.
    pub what: String,
    /// Where it is.
    pub place: Option<LocId>,
}

/// The program as it is compiled for a target. What it cannot have there is at a place of the
/// user's, if there is one.
pub(crate) fn compile_for(program: &Program, target: Target) -> Result<Program, Unsupported> {
    compiled(program, target).map_err(|Unsupported { what, place }| {
        let place = place.map(|place| users_place(program, place));
        Unsupported { what, place }
    })
}

fn compiled(program: &Program, target: Target) -> Result<Program, Unsupported> {
    let mut compiled = program.clone();
    for function in compiled.functions.iter_mut() {
        if target == Target::Linux {
            *function = kernel::annotated(function)?;
            continue;
        }
        let usual = kernel::without_annotations(function, target)?;
        *function = match mapping_of(target) {
            Some(mapping) => rewrite::function(&usual, &*mapping)?,
            None => uncompiled(usual)?,
        };
    }
    Ok(compiled)
}

/// Whether an instruction is in the words of the Linux kernel: one of its fences, or an access with
/// annotations of its model.
pub fn is_of_kernel(op: &Op) -> bool {
    match op {
        Op::Fence(Fence::Named(name)) => {
            fences::known(name).is_some_and(|(family, _)| family == Family::Linux)
        }
        op => op.accesses().iter().any(|access| kernel::is_annotated(access)),
    }
}

/// Where a program first waits for readers, or is one, in the sense of RCU: only a model of the
/// Linux kernel knows what that means.
pub fn first_of_rcu(program: &Program) -> Option<Unsupported> {
    let usual = |function| kernel::without_annotations(function, Target::C11);
    program.functions.iter().find_map(|function| usual(function).err())
}

fn mapping_of(target: Target) -> Option<Box<dyn Mapping>> {
    Some(match target {
        Target::C11 | Target::Linux => return None,
        Target::Directed { coherent_loads } => Box::new(checkfence::Directed { coherent_loads }),
        Target::X86 => Box::new(x86::X86),
        Target::Power => Box::new(power::Power),
        Target::Armv7 => Box::new(armv7::Armv7),
        Target::Armv8 => Box::new(armv8::Armv8),
        Target::RiscV => Box::new(riscv::RiscV),
    })
}

/// What a mapping puts before or after an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// A fence by its cat name.
    Named(&'static str),
    /// A directed fence.
    Directed(Directions),
    /// A branch on what was just read: what follows depends on it.
    Branch,
}

/// A row of a mapping's table: an access, what is before it and after it, and its annotations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Row {
    before: &'static [Step],
    tags: &'static [Tag],
    after: &'static [Step],
}

/// How a read-modify-write is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Update {
    /// To one instruction.
    Single(Row),
    /// To a load-exclusive and a store-exclusive.
    Exclusive(Pair),
}

/// A row for a load-/store-exclusive pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pair {
    before: &'static [Step],
    load: &'static [Tag],
    store: &'static [Tag],
    after: &'static [Step],
    /// After a compare-and-swap that fails.
    after_failure: &'static [Step],
}

/// A mapping: the table of an architecture.
trait Mapping {
    /// What messages call the target, as in "a model for Power".
    fn name(&self) -> &'static str;

    /// Whether fences of this family mean something to it.
    fn knows(&self, family: Family) -> bool;

    /// A load.
    fn load(&self, order: Strength) -> Row;

    /// A relaxed atomic load, where it is not an ordinary one.
    fn relaxed_load(&self) -> Row {
        self.load(Strength::Relaxed)
    }

    /// A store.
    fn store(&self, order: Strength) -> Row;

    /// A read-modify-write; `failure` is the order of a compare-and-swap that fails.
    fn update(&self, order: Strength, failure: Option<Strength>) -> Update;

    /// `atomic_thread_fence(order)`.
    fn fence(&self, order: Strength) -> &'static [Step];

    /// A directed fence.
    fn directed(&self, directions: Directions) -> Vec<Step>;
}

/// A memory order as the tables distinguish it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Strength {
    /// Not atomic, or relaxed.
    Relaxed,
    /// Acquire (consume, too) as a load that need not stay after an earlier release store.
    AcquirePc,
    /// Acquire; consume is compiled like this.
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Strength {
    fn of(order: Order) -> Strength {
        match order {
            Order::NonAtomic | Order::Volatile | Order::Relaxed => Strength::Relaxed,
            Order::AcquirePc => Strength::AcquirePc,
            Order::Consume | Order::Acquire => Strength::Acquire,
            Order::Release => Strength::Release,
            Order::AcqRel => Strength::AcqRel,
            Order::SeqCst => Strength::SeqCst,
        }
    }

    /// The weakest that is as strong as both.
    fn join(self, other: Strength) -> Strength {
        use Strength::{AcqRel, Acquire, AcquirePc, Release};
        match (self.min(other), self.max(other)) {
            (Acquire | AcquirePc, Release) => AcqRel,
            (_, stronger) => stronger,
        }
    }
}

/// A C11 model takes the program as it is, or not at all.
fn uncompiled(mut function: Function) -> Result<Function, Unsupported> {
    for inst in function.blocks.iter_mut().flat_map(|block| block.insts.iter_mut()) {
        let what = match &mut inst.op {
            Op::Fence(Fence::Named(name)) => foreign(name, "C11"),
            Op::Fence(Fence::Directed(_)) => {
                "a directed fence under a model for C11 (which knows memory orders and \
                 `atomic_thread_fence` only)"
                    .into()
            }
            Op::Fence(fence @ Fence::C11(Order::Relaxed)) => {
                // It has no effect (C11, 7.17.4.1).
                *fence = Fence::Compiler;
                continue;
            }
            _ => continue,
        };
        return Err(Unsupported { what, place: inst.place });
    }
    Ok(function)
}

/// What to say of a fence that a target does not know.
fn foreign(name: &str, target: &str) -> String {
    match fences::known(name) {
        Some((family, _)) => {
            format!("the fence `{name}` of {} under a model for {target}", family.name())
        }
        None => format!("the fence `{name}` (which no known architecture has)"),
    }
}

#[cfg(test)]
mod tests;
