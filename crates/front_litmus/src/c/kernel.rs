//! The Linux kernel's primitives, and herd's own (`__xchg{mb}`), from which it builds them.
//!
//! The tags follow the annotations of the kernel's memory model: `R.`, `W.`, `S.`, `N.` and `F.`
//! before a tag say to which event of a read-modify-write it belongs (see
//! [`ir::op::Access::tags`]). The read of a failed `cmpxchg` still counts as an RMW: fences such as
//! `smp_mb__after_atomic` order it.

mod atomic;

use super::ast::{Expr, ExprKind};
use super::lower::{Call, Lowering, Target, int};
use atomic::{Atomic, Gives, Strength, Unless, atomic, binary_of};
use execution::diagnostic::Diagnostic;
use ir::op::{BinaryOp, Op, Operand, RmwOp};
use ir::order::Order;
use ir::program::Width;
use ir::tag::Tag::{Both, Mark, Read, Write};
use ir::tag::{Annotation, Tag};

/// What a call gives: whether the function is known, and its value where it has one.
type Answer = Result<Option<Option<Operand>>, Diagnostic>;

/// Whether only the kernel has a function of this name.
pub fn is_own(name: &str) -> bool {
    [
        "smp_",
        "rcu_",
        "srcu_",
        "spin_",
        "raw_spin_",
        "synchronize_",
        "xchg",
        "cmpxchg",
        "try_cmpxchg",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
        || matches!(name, "READ_ONCE" | "WRITE_ONCE" | "barrier" | "atomic_read" | "atomic_set")
        || ["atomic64_", "atomic_long_"].iter().any(|prefix| name.starts_with(prefix))
        || name.starts_with("atomic_")
            && ["_relaxed", "_acquire", "_release", "_return"].iter().any(|end| name.ends_with(end))
            && !name.starts_with("memory_")
}

/// Lowers a call of a kernel function; `None` if there is no such function.
pub fn call(lowering: &mut Lowering<'_>, call: &Call<'_>) -> Answer {
    if let Some(fence) = fence_named(call.name) {
        call.arguments::<0>()?;
        lowering.thread.at(call.span);
        lowering.thread.fence(fence);
        return Ok(Some(None));
    }
    match call.name {
        "READ_ONCE"
        | "ACCESS_ONCE"
        | "rcu_dereference"
        | "rcu_dereference_raw"
        | "rcu_access_pointer"
        | "lockless_dereference"
        | "rcu_dereference_protected" => {
            let [place] = call.arguments()?;
            load(lowering, call, place, &[Both(Annotation::Once)])
        }
        // A mark for race checkers: the access itself is plain.
        "data_race" => {
            let [value] = call.arguments()?;
            lowering.value(value).map(|value| Some(Some(value)))
        }
        "cpu_relax" | "smp_read_barrier_depends" => {
            call.arguments::<0>()?;
            Ok(Some(None))
        }
        "smp_memb" => {
            let message = "no published version of the kernel's memory model has `smp_memb`";
            Err(Diagnostic::error(call.span, message))
        }
        "WRITE_ONCE" => {
            let [place, value] = call.arguments()?;
            store(lowering, call, place, value, &[Both(Annotation::Once)])
        }
        "rcu_assign_pointer" => {
            let [place, value] = call.arguments()?;
            store(lowering, call, place, value, &[Both(Annotation::Release)])
        }
        "smp_load_acquire" => {
            let [pointer] = call.arguments()?;
            let target = lowering.pointee(pointer)?;
            lowering.thread.at(call.span);
            Ok(Some(Some(lowering.load(
                target,
                order_of(&[Both(Annotation::Acquire)]),
                &[Both(Annotation::Acquire)],
            ))))
        }
        "smp_cond_load_acquire" | "atomic_cond_read_acquire" => {
            wait(lowering, call, Annotation::Acquire)
        }
        "smp_cond_load_relaxed" | "atomic_cond_read_relaxed" => {
            wait(lowering, call, Annotation::Once)
        }
        "smp_store_release" => {
            let [pointer, value] = call.arguments()?;
            store_to(lowering, call, pointer, value, &[Both(Annotation::Release)])
        }
        "smp_store_mb" => {
            let [place, value] = call.arguments()?;
            store(lowering, call, place, value, &[Both(Annotation::Once)])?;
            lowering.thread.fence("Mb");
            Ok(Some(None))
        }
        name if name.starts_with("spin_") || name.starts_with("raw_spin_") => spin(lowering, call),
        name if name.starts_with("srcu_") || name == "synchronize_srcu" => srcu(lowering, call),
        "synchronize_srcu_expedited" => srcu(lowering, call),
        name if name.starts_with("__") => primitive(lowering, call),
        _ => atomic(lowering, call),
    }
}

fn fence_named(name: &str) -> Option<&'static str> {
    Some(match name {
        "smp_mb" => "Mb",
        "smp_rmb" => "Rmb",
        "smp_wmb" => "Wmb",
        "barrier" => "Barrier",
        "smp_mb__before_atomic" => "Before-atomic",
        "smp_mb__after_atomic" => "After-atomic",
        "smp_mb__after_spinlock" => "After-spinlock",
        "smp_mb__after_unlock_lock" => "After-unlock-lock",
        "smp_mb__after_srcu_read_unlock" => "After-srcu-read-unlock",
        "rcu_read_lock" => "Rcu-lock",
        "rcu_read_unlock" => "Rcu-unlock",
        "synchronize_rcu" | "synchronize_rcu_expedited" => "Sync-rcu",
        _ => return None,
    })
}

fn load(lowering: &mut Lowering<'_>, call: &Call<'_>, place: &Expr, tags: &[Tag]) -> Answer {
    let target = lowering.target(place)?;
    lowering.thread.at(call.span);
    Ok(Some(Some(lowering.load(target, order_of(tags), tags))))
}

/// The memory order that is nearest to the annotations of a load or a store.
fn order_of(tags: &[Tag]) -> Order {
    match tags {
        [Both(Annotation::Acquire)] => Order::Acquire,
        [Both(Annotation::Release)] => Order::Release,
        _ => Order::Relaxed,
    }
}

fn store(
    lowering: &mut Lowering<'_>,
    call: &Call<'_>,
    place: &Expr,
    value: &Expr,
    tags: &[Tag],
) -> Answer {
    let target = lowering.target(place)?;
    let value = lowering.value(value)?;
    lowering.thread.at(call.span);
    lowering.store(target, value, order_of(tags), tags);
    Ok(Some(None))
}

/// Reads until the condition holds, in which `VAL` is what was read. Only the last read is an
/// event: what it reads does not depend on how often it was tried before.
fn wait(lowering: &mut Lowering<'_>, call: &Call<'_>, annotation: Annotation) -> Answer {
    let [pointer, cond] = call.arguments()?;
    let target = lowering.pointee(pointer)?;
    lowering.thread.at(call.span);
    let tags = [Both(annotation)];
    let value = lowering.load(target, order_of(&tags), &tags);
    let register = lowering.local("VAL");
    lowering.thread.copy(register, value);
    let cond = lowering.value(cond)?;
    lowering.assume(BinaryOp::Ne, cond, int(0));
    Ok(Some(Some(value)))
}

fn store_to(
    lowering: &mut Lowering<'_>,
    call: &Call<'_>,
    pointer: &Expr,
    value: &Expr,
    tags: &[Tag],
) -> Answer {
    let target = lowering.pointee(pointer)?;
    let value = lowering.value(value)?;
    lowering.thread.at(call.span);
    lowering.store(target, value, order_of(tags), tags);
    Ok(Some(None))
}

/// Locks: accesses of the lock's own location, which is 1 while it is held.
fn spin(lowering: &mut Lowering<'_>, call: &Call<'_>) -> Answer {
    let known = ["spin_lock", "spin_unlock", "spin_trylock", "spin_is_locked", "spin_unlock_wait"];
    let name = call.name.trim_start_matches("raw_");
    if !known.contains(&name) {
        return Ok(None);
    }
    let [lock] = call.arguments()?;
    let target = lowering.pointee(lock)?;
    lowering.thread.at(call.span);
    match name {
        // What the kernel's authors put in its place when they removed it (Linux 4.14).
        "spin_unlock_wait" => {
            take_lock(lowering, target);
            lowering.store(target, int(0), Order::Release, &[Both(Annotation::Unlock)]);
            Ok(Some(None))
        }
        "spin_lock" => {
            take_lock(lowering, target);
            Ok(Some(None))
        }
        "spin_unlock" => {
            lowering.store(target, int(0), Order::Release, &[Both(Annotation::Unlock)]);
            Ok(Some(None))
        }
        "spin_trylock" => Ok(Some(Some(lowering.either(
            |lowering| {
                take_lock(lowering, target);
                int(1)
            },
            |lowering| {
                let seen = lowering.load(target, Order::Relaxed, &[Both(Annotation::LockFailed)]);
                lowering.assume(BinaryOp::Eq, seen, int(1));
                int(0)
            },
        )))),
        _ => Ok(Some(Some(lowering.either(
            |lowering| {
                let seen = lowering.load(target, Order::Relaxed, &[Both(Annotation::ReadLocked)]);
                lowering.assume(BinaryOp::Eq, seen, int(1));
                seen
            },
            |lowering| {
                let seen = lowering.load(target, Order::Relaxed, &[Both(Annotation::ReadUnlocked)]);
                lowering.assume(BinaryOp::Eq, seen, int(0));
                seen
            },
        )))),
    }
}

fn take_lock(lowering: &mut Lowering<'_>, target: Target) {
    let success = lowering.thread.temporary(Width::BOOL);
    let access =
        target.access(Order::Acquire, &[Read(Annotation::LockRead), Write(Annotation::LockWrite)]);
    lowering.thread.emit(Op::Cas {
        dst: None,
        success: Some(success),
        expected: int(0),
        desired: int(1),
        access,
        failure: Order::Relaxed,
        weak: false,
    });
    lowering.thread.emit(Op::Assume { cond: Operand::Reg(success), waits: true });
}

/// SRCU: marks at the `srcu_struct`, neither reads nor writes, through which a value flows.
fn srcu(lowering: &mut Lowering<'_>, call: &Call<'_>) -> Answer {
    match call.name {
        "srcu_read_lock" | "srcu_down_read" => {
            let [domain] = call.arguments()?;
            let target = lowering.pointee(domain)?;
            lowering.thread.at(call.span);
            Ok(Some(Some(lowering.load(
                target,
                Order::Relaxed,
                &[Mark, Both(Annotation::SrcuLock)],
            ))))
        }
        "srcu_read_unlock" | "srcu_up_read" => {
            let [domain, index] = call.arguments()?;
            store_to(lowering, call, domain, index, &[Mark, Both(Annotation::SrcuUnlock)])
        }
        "synchronize_srcu" | "synchronize_srcu_expedited" => {
            let [domain] = call.arguments()?;
            let target = lowering.pointee(domain)?;
            lowering.thread.at(call.span);
            lowering.store(target, int(0), Order::Relaxed, &[Mark, Both(Annotation::SyncSrcu)]);
            Ok(Some(None))
        }
        _ => Ok(None),
    }
}

/// herd's own primitives, with their annotation in braces.
fn primitive(lowering: &mut Lowering<'_>, call: &Call<'_>) -> Answer {
    let name = call.annotation.map(capitalised).unwrap_or_default();
    let tag = Both(Annotation::named(&name));
    let strength = Strength::named(call.annotation);
    match call.name {
        "__load" => {
            let [place] = call.arguments()?;
            return load(lowering, call, place, &[tag]);
        }
        "__store" => {
            let [place, value] = call.arguments()?;
            return store(lowering, call, place, value, &[tag]);
        }
        "__fence" => {
            call.arguments::<0>()?;
            lowering.thread.at(call.span);
            lowering.thread.fence(&name);
            return Ok(Some(None));
        }
        _ => {}
    }
    let Some(strength) = strength else { return Ok(None) };
    let atomic = Atomic { call, strength };
    match call.name {
        "__xchg" => {
            let [pointer, value] = call.arguments()?;
            let value = lowering.value(value)?;
            Ok(Some(Some(atomic.rmw(lowering, RmwOp::Exchange, pointer, value)?)))
        }
        "__cmpxchg" => {
            let [pointer, expected, desired] = call.arguments()?;
            let expected = lowering.value(expected)?;
            Ok(Some(Some(atomic.compare_exchange(lowering, pointer, expected, desired)?)))
        }
        "__atomic_add_unless" => {
            let [pointer, amount, unless] = call.arguments()?;
            let amount = lowering.value(amount)?;
            let unless = Unless::Is(lowering.value(unless)?);
            atomic.add_unless(lowering, pointer, amount, unless, Gives::Whether)
        }
        "__atomic_op" | "__atomic_fetch_op" | "__atomic_op_return" => {
            let [pointer, op, amount] = call.arguments()?;
            let op = operator(op)?;
            let amount = lowering.value(amount)?;
            let old = atomic.rmw(lowering, op, pointer, amount)?;
            match call.name {
                "__atomic_op" => Ok(Some(None)),
                "__atomic_fetch_op" => Ok(Some(Some(old))),
                _ => Ok(Some(Some(lowering.thread.binary(binary_of(op), old, amount)))),
            }
        }
        _ => Ok(None),
    }
}

fn operator(expr: &Expr) -> Result<RmwOp, Diagnostic> {
    let name = match &expr.kind {
        ExprKind::Name(name) => name.as_str(),
        _ => "",
    };
    Ok(match name {
        "+" => RmwOp::Add,
        "-" => RmwOp::Sub,
        "&" => RmwOp::And,
        "|" => RmwOp::Or,
        "^" => RmwOp::Xor,
        _ => return Err(Diagnostic::error(expr.span, "expected an operator")),
    })
}

/// `once` as it is spelled in a model: `Once`.
fn capitalised(annotation: &str) -> String {
    let mut letters = annotation.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().collect::<String>() + letters.as_str(),
        None => String::new(),
    }
}
