//! The Linux kernel's accesses and fences: for a model of the kernel what they are, for all others
//! what `<lkmm.h>` says that they are.
//!
//! A program in the kernel's words has accesses with the annotations of the kernel's model
//! (`Once`, `Acquire`, `F.Mb` …, see [`Access::tags`]) and with the memory order that is nearest to
//! them, and the kernel's named fences. Its locks are those of `<pthread.h>`.
//!
//! | In the program | For the kernel's model | For all others |
//! | --- | --- | --- |
//! | an annotated access | the annotations | the memory order |
//! | `F.Mb` (a fully ordered update) | a fence before and after it, if it writes | `fence.sc` before and after it; for C11, acquire and release as well |
//! | `smp_mb`, `smp_mb__…` | the fence of this name | `fence.sc` |
//! | `smp_rmb`, `smp_wmb` | `Rmb`, `Wmb` | `load-load`, `store-store` |
//! | a fence for the compiler | `Barrier` | itself |
//! | a volatile access | `Once`, which the kernel makes of it | itself |
//! | a mutex or spinlock | `LKR`, `LKW`, `UL`; `LF` where it is not had | atomics |
//! | RCU, with outermost sections only | its fences | refused |
//! | atomics of C11 | refused | themselves |
//!
//! Fences alone do not let a C11 update that is relaxed happen before what follows in a thread that
//! reads from it: `if (atomic_dec_and_test(&r)) free(…)` would race with the other thread's update.
//!
//! An unlock first looks who holds the lock: a read `RL` of the thread's own `LKW`, just before
//! `UL`. It orders nothing: whatever is ordered before it is so before what follows it, too, or
//! before `UL`.

use super::fences::{self, Family};
use super::{Target, Unsupported, foreign};
use crate::op::{Access, Inst, Op};
use crate::order::{Directions, Fence, Order};
use crate::program::Function;
use crate::tag::Tag::{Around, Both, Failure, Read, Success, Write};
use crate::tag::{self, Annotation, Tag};

/// A function for a model of the kernel.
pub(super) fn annotated(function: &Function) -> Result<Function, Unsupported> {
    let mut function = function.clone();
    for inst in function.blocks.iter_mut().flat_map(|block| block.insts.iter_mut()) {
        let place = inst.place;
        let refused = |what: String| Err(Unsupported { what, place });
        if let Op::Fence(fence) = &mut inst.op {
            match kernel_fence(fence) {
                Ok(own) => *fence = own,
                Err(what) => return refused(what),
            }
            continue;
        }
        let lock = lock_tags(&inst.op);
        for access in inst.op.accesses_mut() {
            if access.purpose.is_mutex_word() && access.order.is_atomic() {
                access.tags = lock.iter().chain(&[Both(Annotation::Library)]).cloned().collect();
            } else if access.order == Order::Volatile {
                access.tags.push(Both(Annotation::Once));
            } else if access.order.is_atomic() && !is_annotated(access) {
                return refused(ATOMIC.to_string());
            }
            if access.order != Order::NonAtomic {
                access.order = Order::Relaxed;
            }
        }
        if let Op::Cas { failure, .. } = &mut inst.op {
            *failure = Order::Relaxed;
        }
    }
    Ok(function)
}

const RCU: &str = "RCU under another model than the Linux kernel's";

const ATOMIC: &str =
    "a C11 atomic under a model of the Linux kernel (for which there is no standard mapping)";

/// A fence as the kernel's model knows it.
fn kernel_fence(fence: &Fence) -> Result<Fence, String> {
    match fence {
        Fence::Named(name) => match fences::known(name) {
            Some((Family::Linux, cat)) => Ok(Fence::Named(match cat {
                "Rcu-begin" => "Rcu-lock+Library".to_string(),
                "Rcu-end" => "Rcu-unlock+Library".to_string(),
                _ => cat.to_string(),
            })),
            _ => Err(foreign(name, "the Linux kernel")),
        },
        Fence::Compiler => Ok(Fence::Named("Barrier".to_string())),
        // It has no effect (C11, 7.17.4.1).
        Fence::C11(Order::Relaxed) => Ok(Fence::Compiler),
        Fence::C11(_) => Err(ATOMIC.to_string()),
        Fence::Directed(_) => Err("a directed fence under a model of the Linux kernel".into()),
    }
}

/// What an access to the word of a lock is.
fn lock_tags(op: &Op) -> &'static [Tag] {
    match op {
        Op::Rmw { .. } => &[Read(Annotation::LockRead), Write(Annotation::LockWrite)],
        Op::Cas { .. } => &[
            Success(Annotation::LockRead),
            Write(Annotation::LockWrite),
            Failure(Annotation::LockFailed),
        ],
        Op::Load { .. } => &[Both(Annotation::ReadLocked)],
        Op::Store { access, .. } if access.order == Order::Release => &[Both(Annotation::Unlock)],
        // Its initialisation.
        _ => &[Both(Annotation::Once)],
    }
}

/// A function for a model that does not know the kernel.
pub(super) fn without_annotations(
    function: &Function,
    target: Target,
) -> Result<Function, Unsupported> {
    let mut function = function.clone();
    for block in function.blocks.iter_mut() {
        let mut insts = Vec::with_capacity(block.insts.len());
        for mut inst in std::mem::take(&mut block.insts) {
            let place = inst.place;
            if let Op::Fence(Fence::Named(name)) = &inst.op
                && let Some((Family::Linux, cat)) = fences::known(name)
            {
                let Some(fence) = usual_fence(cat) else {
                    return Err(Unsupported { what: RCU.to_string(), place });
                };
                inst.op = Op::Fence(fence);
            }
            let marks = |access: &&mut Access| tag::is_mark(&access.tags);
            if inst.op.accesses_mut().iter().any(marks) {
                return Err(Unsupported { what: RCU.to_string(), place });
            }
            let is_full = |access: &&mut Access| access.tags.contains(&Around(Annotation::Mb));
            let full = inst.op.accesses_mut().iter().any(is_full);
            for access in inst.op.accesses_mut() {
                access.tags.retain(|tag| !says_an_order(tag));
                if full && target == Target::C11 {
                    access.order = Order::AcqRel;
                }
            }
            let fence = || Inst { op: Op::Fence(Fence::C11(Order::SeqCst)), place };
            insts.extend(full.then(fence));
            insts.push(inst);
            insts.extend(full.then(fence));
        }
        block.insts = insts;
    }
    Ok(function)
}

/// What stands for one of the kernel's fences elsewhere; `None` for those of RCU.
fn usual_fence(cat: &str) -> Option<Fence> {
    let none = Directions::default();
    Some(match cat {
        "Mb" | "Before-atomic" | "After-atomic" | "After-spinlock" | "After-unlock-lock" => {
            Fence::C11(Order::SeqCst)
        }
        "Rmb" => Fence::Directed(Directions { load_load: true, ..none }),
        "Wmb" => Fence::Directed(Directions { store_store: true, ..none }),
        "Barrier" => Fence::Compiler,
        _ => return None,
    })
}

pub(super) fn is_annotated(access: &Access) -> bool {
    access.tags.iter().any(says_an_order)
}

/// Whether only the kernel's model knows it, and it says what a memory order says.
fn says_an_order(tag: &Tag) -> bool {
    tag.annotation().is_some_and(Annotation::is_order_of_linux)
}
