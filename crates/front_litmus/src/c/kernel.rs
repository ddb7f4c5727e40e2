//! The Linux kernel's primitives, and herd's own (`__xchg{mb}`), from which it builds them.
//!
//! The tags follow the annotations of the kernel's memory model: `R.`, `W.`, `S.`, `N.` and `F.`
//! in front of a tag say to which event of a read-modify-write it belongs (see
//! [`ir::op::Access::tags`]). The read of a failed `cmpxchg` still counts as an RMW: fences such as
//! `smp_mb__after_atomic` order it.

use super::ast::{Expr, ExprKind};
use super::lower::{Call, Lowering, Target, int};
use execution::diagnostic::Diagnostic;
use ir::op::{BinaryOp, Op, Operand, RmwOp};
use ir::order::Order;
use ir::program::Width;

/// What a call gives: whether the function is known, and its value where it has one.
type Answer = Result<Option<Option<Operand>>, Diagnostic>;

/// Whether only the kernel has a function of this name.
pub fn is_own(name: &str) -> bool {
    ["smp_", "rcu_", "srcu_", "spin_", "synchronize_", "xchg", "cmpxchg"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
        || matches!(name, "READ_ONCE" | "WRITE_ONCE" | "barrier" | "atomic_read" | "atomic_set")
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
        "READ_ONCE" | "rcu_dereference" | "lockless_dereference" | "rcu_dereference_protected" => {
            let [place] = call.arguments()?;
            load(lowering, call, place, &["Once"])
        }
        "WRITE_ONCE" => {
            let [place, value] = call.arguments()?;
            store(lowering, call, place, value, &["Once"])
        }
        "rcu_assign_pointer" => {
            let [place, value] = call.arguments()?;
            store(lowering, call, place, value, &["Release"])
        }
        "smp_load_acquire" => {
            let [pointer] = call.arguments()?;
            let target = lowering.pointee(pointer)?;
            lowering.thread.at(call.span);
            Ok(Some(Some(lowering.load(target, Order::Acquire, &["Acquire"]))))
        }
        "smp_store_release" => {
            let [pointer, value] = call.arguments()?;
            store_to(lowering, call, pointer, value, Order::Release, &["Release"])
        }
        "smp_store_mb" => {
            let [place, value] = call.arguments()?;
            store(lowering, call, place, value, &["Once"])?;
            lowering.thread.fence("Mb");
            Ok(Some(None))
        }
        name if name.starts_with("spin_") => spin(lowering, call),
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

fn load(lowering: &mut Lowering<'_>, call: &Call<'_>, place: &Expr, tags: &[&str]) -> Answer {
    let target = lowering.target(place)?;
    lowering.thread.at(call.span);
    Ok(Some(Some(lowering.load(target, Order::Relaxed, tags))))
}

fn store(
    lowering: &mut Lowering<'_>,
    call: &Call<'_>,
    place: &Expr,
    value: &Expr,
    tags: &[&str],
) -> Answer {
    let target = lowering.target(place)?;
    let value = lowering.value(value)?;
    lowering.thread.at(call.span);
    lowering.store(target, value, Order::Relaxed, tags);
    Ok(Some(None))
}

fn store_to(
    lowering: &mut Lowering<'_>,
    call: &Call<'_>,
    pointer: &Expr,
    value: &Expr,
    order: Order,
    tags: &[&str],
) -> Answer {
    let target = lowering.pointee(pointer)?;
    let value = lowering.value(value)?;
    lowering.thread.at(call.span);
    lowering.store(target, value, order, tags);
    Ok(Some(None))
}

/// Locks: accesses of the lock's own location, which is 1 while it is held.
fn spin(lowering: &mut Lowering<'_>, call: &Call<'_>) -> Answer {
    let known = ["spin_lock", "spin_unlock", "spin_trylock", "spin_is_locked"];
    if !known.contains(&call.name) {
        return Ok(None);
    }
    let [lock] = call.arguments()?;
    let target = lowering.pointee(lock)?;
    lowering.thread.at(call.span);
    match call.name {
        "spin_lock" => {
            take_lock(lowering, target);
            Ok(Some(None))
        }
        "spin_unlock" => {
            lowering.store(target, int(0), Order::Release, &["UL"]);
            Ok(Some(None))
        }
        "spin_trylock" => Ok(Some(Some(lowering.either(
            |lowering| {
                take_lock(lowering, target);
                int(1)
            },
            |lowering| {
                let seen = lowering.load(target, Order::Relaxed, &["LF"]);
                lowering.assume(BinaryOp::Eq, seen, int(1));
                int(0)
            },
        )))),
        _ => Ok(Some(Some(lowering.either(
            |lowering| {
                let seen = lowering.load(target, Order::Relaxed, &["RL"]);
                lowering.assume(BinaryOp::Eq, seen, int(1));
                seen
            },
            |lowering| {
                let seen = lowering.load(target, Order::Relaxed, &["RU"]);
                lowering.assume(BinaryOp::Eq, seen, int(0));
                seen
            },
        )))),
    }
}

fn take_lock(lowering: &mut Lowering<'_>, target: Target) {
    let success = lowering.thread.temporary(Width::BOOL);
    let access = target.access(Order::Acquire, &["R.LKR", "W.LKW"]);
    lowering.thread.emit(Op::Cas {
        dst: None,
        success: Some(success),
        expected: Operand::int(target.width, 0),
        desired: Operand::int(target.width, 1),
        access,
        failure: Order::Relaxed,
        weak: false,
    });
    lowering.thread.emit(Op::Assume { cond: Operand::Reg(success) });
}

/// SRCU: marks at the `srcu_struct`, neither reads nor writes, through which a value flows.
fn srcu(lowering: &mut Lowering<'_>, call: &Call<'_>) -> Answer {
    match call.name {
        "srcu_read_lock" | "srcu_down_read" => {
            let [domain] = call.arguments()?;
            let target = lowering.pointee(domain)?;
            lowering.thread.at(call.span);
            Ok(Some(Some(lowering.load(target, Order::Relaxed, &["mark", "Srcu-lock"]))))
        }
        "srcu_read_unlock" | "srcu_up_read" => {
            let [domain, index] = call.arguments()?;
            store_to(lowering, call, domain, index, Order::Relaxed, &["mark", "Srcu-unlock"])
        }
        "synchronize_srcu" | "synchronize_srcu_expedited" => {
            let [domain] = call.arguments()?;
            let target = lowering.pointee(domain)?;
            lowering.thread.at(call.span);
            lowering.store(target, int(0), Order::Relaxed, &["mark", "Sync-srcu"]);
            Ok(Some(None))
        }
        _ => Ok(None),
    }
}

/// How strong a read-modify-write is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Strength {
    Full,
    Relaxed,
    Acquire,
    Release,
    NoReturn,
}

impl Strength {
    /// Splits the suffix off a name.
    fn split(name: &str) -> (&str, Strength) {
        for (suffix, strength) in [
            ("_relaxed", Strength::Relaxed),
            ("_acquire", Strength::Acquire),
            ("_release", Strength::Release),
        ] {
            if let Some(base) = name.strip_suffix(suffix) {
                return (base, strength);
            }
        }
        (name, Strength::Full)
    }

    /// From herd's annotation.
    fn named(annotation: Option<&str>) -> Option<Strength> {
        Some(match annotation? {
            "mb" | "MB" => Strength::Full,
            "once" | "ONCE" | "relaxed" => Strength::Relaxed,
            "acquire" | "ACQUIRE" => Strength::Acquire,
            "release" | "RELEASE" => Strength::Release,
            "noreturn" | "NORETURN" => Strength::NoReturn,
            _ => return None,
        })
    }

    fn tags(self) -> &'static [&'static str] {
        match self {
            Strength::Full => &["F.Mb", "Once", "N.RMW"],
            Strength::Relaxed => &["Once", "N.RMW"],
            Strength::Acquire => &["S.Acquire", "N.Once", "W.Once", "N.RMW"],
            Strength::Release => &["R.Once", "W.Release", "N.RMW"],
            Strength::NoReturn => &["R.Noreturn", "W.Once"],
        }
    }

    fn order(self) -> Order {
        match self {
            Strength::Full => Order::SeqCst,
            Strength::Relaxed | Strength::NoReturn => Order::Relaxed,
            Strength::Acquire => Order::Acquire,
            Strength::Release => Order::Release,
        }
    }
}

/// A read-modify-write in the making.
struct Atomic<'c, 'e> {
    call: &'c Call<'e>,
    strength: Strength,
}

impl Atomic<'_, '_> {
    fn rmw(
        &self,
        lowering: &mut Lowering<'_>,
        op: RmwOp,
        pointer: &Expr,
        value: Operand,
    ) -> Result<Operand, Diagnostic> {
        let target = lowering.pointee(pointer)?;
        lowering.thread.at(self.call.span);
        let value = lowering.thread.resize(value, target.width);
        let access = target.access(self.strength.order(), self.strength.tags());
        let returns = self.strength != Strength::NoReturn;
        let old = lowering.thread.rmw(op, access, value, returns);
        Ok(if returns { lowering.widen(old) } else { int(0) })
    }

    fn compare_exchange(
        &self,
        lowering: &mut Lowering<'_>,
        pointer: &Expr,
        expected: &Expr,
        desired: &Expr,
    ) -> Answer {
        let target = lowering.pointee(pointer)?;
        let expected = lowering.value(expected)?;
        let desired = lowering.value(desired)?;
        lowering.thread.at(self.call.span);
        let expected = lowering.thread.resize(expected, target.width);
        let desired = lowering.thread.resize(desired, target.width);
        let old = lowering.thread.temporary(target.width);
        let access = target.access(self.strength.order(), self.strength.tags());
        lowering.thread.emit(Op::Cas {
            dst: Some(old),
            success: None,
            access,
            expected,
            desired,
            failure: Order::Relaxed,
            weak: false,
        });
        Ok(Some(Some(lowering.widen(Operand::Reg(old)))))
    }

    /// Adds unless the value is `unless`; gives whether it did.
    fn add_unless(
        &self,
        lowering: &mut Lowering<'_>,
        pointer: &Expr,
        amount: &Expr,
        unless: &Expr,
    ) -> Answer {
        let target = lowering.pointee(pointer)?;
        let amount = lowering.value(amount)?;
        let unless = lowering.value(unless)?;
        lowering.thread.at(self.call.span);
        let (order, tags) = (self.strength.order(), self.strength.tags());
        let amount = lowering.thread.resize(amount, target.width);
        Ok(Some(Some(lowering.either(
            |lowering| {
                let access = target.access(order, tags);
                let old = lowering.thread.rmw(RmwOp::Add, access, amount, true);
                let old = lowering.widen(old);
                lowering.assume(BinaryOp::Ne, old, unless);
                int(1)
            },
            |lowering| {
                let old = lowering.load(target, Order::Relaxed, &["Once", "RMW"]);
                lowering.assume(BinaryOp::Eq, old, unless);
                int(0)
            },
        ))))
    }
}

fn binary_of(op: RmwOp) -> BinaryOp {
    match op {
        RmwOp::Sub => BinaryOp::Sub,
        RmwOp::And => BinaryOp::And,
        RmwOp::Or => BinaryOp::Or,
        RmwOp::Xor => BinaryOp::Xor,
        _ => BinaryOp::Add,
    }
}

/// `xchg`, `cmpxchg` and the `atomic_` family.
fn atomic(lowering: &mut Lowering<'_>, call: &Call<'_>) -> Answer {
    let family = ["atomic_long_", "atomic64_", "atomic_"];
    let short = family.iter().find_map(|prefix| call.name.strip_prefix(prefix));
    let (base, strength) = Strength::split(short.unwrap_or(call.name));
    let atomic = Atomic { call, strength };
    match base {
        "xchg" => {
            let [pointer, value] = call.arguments()?;
            let value = lowering.value(value)?;
            return Ok(Some(Some(atomic.rmw(lowering, RmwOp::Exchange, pointer, value)?)));
        }
        "cmpxchg" => {
            let [pointer, expected, desired] = call.arguments()?;
            return atomic.compare_exchange(lowering, pointer, expected, desired);
        }
        _ if short.is_none() => return Ok(None),
        "read" => {
            let [pointer] = call.arguments()?;
            let target = lowering.pointee(pointer)?;
            lowering.thread.at(call.span);
            let tag = if strength == Strength::Acquire { "Acquire" } else { "Once" };
            return Ok(Some(Some(lowering.load(target, Order::Relaxed, &[tag]))));
        }
        "set" => {
            let [pointer, value] = call.arguments()?;
            let tag = if strength == Strength::Release { "Release" } else { "Once" };
            return store_to(lowering, call, pointer, value, Order::Relaxed, &[tag]);
        }
        "add_unless" => {
            let [pointer, amount, unless] = call.arguments()?;
            return atomic.add_unless(lowering, pointer, amount, unless);
        }
        _ => {}
    }
    arithmetic(lowering, call, base, strength)
}

/// `atomic_add`, `atomic_inc_return`, `atomic_fetch_or`, `atomic_dec_and_test` …
fn arithmetic(
    lowering: &mut Lowering<'_>,
    call: &Call<'_>,
    base: &str,
    strength: Strength,
) -> Answer {
    let (base, fetch) = match base.strip_prefix("fetch_") {
        Some(base) => (base, true),
        None => (base, false),
    };
    let (base, returns) = match base.strip_suffix("_return") {
        Some(base) => (base, true),
        None => (base, false),
    };
    let (base, test) = match base.strip_suffix("_and_test") {
        Some(base) => (base, true),
        None => (base, false),
    };
    let (op, unit) = match base {
        "add" => (RmwOp::Add, false),
        "sub" => (RmwOp::Sub, false),
        "and" => (RmwOp::And, false),
        "or" => (RmwOp::Or, false),
        "xor" => (RmwOp::Xor, false),
        "inc" => (RmwOp::Add, true),
        "dec" => (RmwOp::Sub, true),
        _ => return Ok(None),
    };
    let silent = !(fetch || returns || test);
    if silent && strength != Strength::Full {
        return Ok(None);
    }
    let (pointer, amount) = if unit {
        let [pointer] = call.arguments()?;
        (pointer, int(1))
    } else {
        let [amount, pointer] = call.arguments()?;
        (pointer, lowering.value(amount)?)
    };
    let strength = if silent { Strength::NoReturn } else { strength };
    let old = Atomic { call, strength }.rmw(lowering, op, pointer, amount)?;
    if silent {
        return Ok(Some(None));
    }
    if fetch {
        return Ok(Some(Some(old)));
    }
    let new = lowering.thread.binary(binary_of(op), old, amount);
    if !test {
        return Ok(Some(Some(new)));
    }
    let zero = lowering.thread.binary(BinaryOp::Eq, new, int(0));
    Ok(Some(Some(lowering.thread.resize(zero, Width::I64))))
}

/// herd's own primitives, with their annotation in braces.
fn primitive(lowering: &mut Lowering<'_>, call: &Call<'_>) -> Answer {
    let tag = call.annotation.map(capitalised).unwrap_or_default();
    let strength = Strength::named(call.annotation);
    match call.name {
        "__load" => {
            let [place] = call.arguments()?;
            return load(lowering, call, place, &[&tag]);
        }
        "__store" => {
            let [place, value] = call.arguments()?;
            return store(lowering, call, place, value, &[&tag]);
        }
        "__fence" => {
            call.arguments::<0>()?;
            lowering.thread.at(call.span);
            lowering.thread.fence(&tag);
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
            atomic.compare_exchange(lowering, pointer, expected, desired)
        }
        "__atomic_add_unless" => {
            let [pointer, amount, unless] = call.arguments()?;
            atomic.add_unless(lowering, pointer, amount, unless)
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
