//! The kernel's read-modify-writes: `xchg`, `cmpxchg`, and the `atomic_` family.

use super::super::ast::{Expr, ExprKind};
use super::super::lower::{Call, Lowering, int};
use super::{Answer, order_of, store_to};
use execution::diagnostic::Diagnostic;
use ir::op::{BinaryOp, Op, Operand, RmwOp, UnaryOp};
use ir::order::Order;
use ir::program::Width;
use ir::tag::Tag::{Around, Both, Failure, Read, Success, Write};
use ir::tag::{Annotation, Tag};

/// How strong a read-modify-write is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// Fences on both sides.
    Full,
    /// `_relaxed`.
    Relaxed,
    /// `_acquire`.
    Acquire,
    /// `_release`.
    Release,
    /// No result, and no order.
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
    pub fn named(annotation: Option<&str>) -> Option<Strength> {
        Some(match annotation? {
            "mb" | "MB" => Strength::Full,
            "once" | "ONCE" | "relaxed" => Strength::Relaxed,
            "acquire" | "ACQUIRE" => Strength::Acquire,
            "release" | "RELEASE" => Strength::Release,
            "noreturn" | "NORETURN" => Strength::NoReturn,
            _ => return None,
        })
    }

    fn tags(self) -> &'static [Tag] {
        match self {
            Strength::Full => {
                &[Around(Annotation::Mb), Both(Annotation::Once), Failure(Annotation::Rmw)]
            }
            Strength::Relaxed => &[Both(Annotation::Once), Failure(Annotation::Rmw)],
            Strength::Acquire => &[
                Success(Annotation::Acquire),
                Failure(Annotation::Once),
                Write(Annotation::Once),
                Failure(Annotation::Rmw),
            ],
            Strength::Release => {
                &[Read(Annotation::Once), Write(Annotation::Release), Failure(Annotation::Rmw)]
            }
            Strength::NoReturn => &[Read(Annotation::Noreturn), Write(Annotation::Once)],
        }
    }

    fn order(self) -> Order {
        match self {
            // Its fences, which are around it, order it.
            Strength::Full | Strength::Relaxed | Strength::NoReturn => Order::Relaxed,
            Strength::Acquire => Order::Acquire,
            Strength::Release => Order::Release,
        }
    }
}

/// A read-modify-write in the making.
pub struct Atomic<'c, 'e> {
    /// The call.
    pub call: &'c Call<'e>,
    /// Its order.
    pub strength: Strength,
}

impl Atomic<'_, '_> {
    /// Reads, computes and writes; gives the old value.
    pub fn rmw(
        &self,
        lowering: &mut Lowering<'_>,
        op: RmwOp,
        pointer: &Expr,
        value: Operand,
    ) -> Result<Operand, Diagnostic> {
        let target = lowering.pointee(pointer)?;
        lowering.thread.at(self.call.span);
        let access = target.access(self.strength.order(), self.strength.tags());
        let returns = self.strength != Strength::NoReturn;
        let old = lowering.thread.rmw(op, access, value, returns);
        Ok(if returns { old } else { int(0) })
    }

    /// Writes `desired` if `expected` is there; gives what was there.
    pub fn compare_exchange(
        &self,
        lowering: &mut Lowering<'_>,
        pointer: &Expr,
        expected: Operand,
        desired: &Expr,
    ) -> Result<Operand, Diagnostic> {
        let target = lowering.pointee(pointer)?;
        let desired = lowering.value(desired)?;
        lowering.thread.at(self.call.span);
        let old = lowering.thread.temporary(Width::I64);
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
        Ok(Operand::Reg(old))
    }

    /// `try_cmpxchg(pointer, &local, desired)`: the local holds what is expected and gets what was
    /// there; gives whether that was the same.
    fn try_compare_exchange(
        &self,
        lowering: &mut Lowering<'_>,
        pointer: &Expr,
        local: &Expr,
        desired: &Expr,
    ) -> Answer {
        let name = match &local.kind {
            ExprKind::AddressOf(inner) => match &inner.kind {
                ExprKind::Name(name) if !lowering.is_param(name) => Some((name, inner)),
                _ => None,
            },
            _ => None,
        };
        let Some((name, inner)) = name else {
            return Err(Diagnostic::error(local.span, "expected the address of a local"));
        };
        let held = lowering.value(inner)?;
        let expected = lowering.thread.temporary(Width::I64);
        lowering.thread.copy(expected, held);
        let expected = Operand::Reg(expected);
        let old = self.compare_exchange(lowering, pointer, expected, desired)?;
        let register = lowering.local(name);
        lowering.thread.copy(register, old);
        let same = lowering.thread.binary(BinaryOp::Eq, old, expected);
        Ok(Some(Some(lowering.thread.resize(same, Width::I64))))
    }

    /// Adds where `unless` does not hold of the old value and `bound`; where it does, only reads.
    /// Gives what `result` says.
    pub fn add_unless(
        &self,
        lowering: &mut Lowering<'_>,
        pointer: &Expr,
        amount: Operand,
        unless: Unless,
        result: Gives,
    ) -> Answer {
        let target = lowering.pointee(pointer)?;
        lowering.thread.at(self.call.span);
        let (order, tags) = (self.strength.order(), self.strength.tags());
        let gives = |lowering: &mut Lowering<'_>, old: Operand, added: bool| match result {
            Gives::Whether => int(i128::from(added)),
            Gives::Old => old,
            Gives::New => lowering.thread.binary(BinaryOp::Add, old, amount),
        };
        Ok(Some(Some(lowering.either(
            |lowering| {
                let access = target.access(order, tags);
                let old = lowering.thread.rmw(RmwOp::Add, access, amount, true);
                let stays = unless.holds(lowering, old);
                lowering.assume(BinaryOp::Eq, stays, Operand::int(Width::BOOL, 0));
                gives(lowering, old, true)
            },
            |lowering| {
                let old = lowering.load(
                    target,
                    Order::Relaxed,
                    &[Both(Annotation::Once), Both(Annotation::Rmw)],
                );
                let stays = unless.holds(lowering, old);
                lowering.assume(BinaryOp::Ne, stays, Operand::int(Width::BOOL, 0));
                gives(lowering, old, false)
            },
        ))))
    }
}

/// When a conditional addition does not add.
#[derive(Clone, Copy, Debug)]
pub enum Unless {
    /// The old value is this.
    Is(Operand),
    /// The old value is less than this.
    Below(i128),
    /// The old value is greater than this.
    Above(i128),
}

impl Unless {
    fn holds(self, lowering: &mut Lowering<'_>, old: Operand) -> Operand {
        match self {
            Unless::Is(value) => lowering.thread.binary(BinaryOp::Eq, old, value),
            Unless::Below(bound) => lowering.thread.binary(BinaryOp::Slt, old, int(bound)),
            Unless::Above(bound) => lowering.thread.binary(BinaryOp::Slt, int(bound), old),
        }
    }
}

/// What a conditional addition gives.
#[derive(Clone, Copy, Debug)]
pub enum Gives {
    /// Whether it added.
    Whether,
    /// The old value.
    Old,
    /// The old value plus the amount, also where it did not add.
    New,
}

/// What a read-modify-write computes.
pub fn binary_of(op: RmwOp) -> BinaryOp {
    match op {
        RmwOp::Sub => BinaryOp::Sub,
        RmwOp::And => BinaryOp::And,
        RmwOp::Or => BinaryOp::Or,
        RmwOp::Xor => BinaryOp::Xor,
        _ => BinaryOp::Add,
    }
}

/// `xchg`, `cmpxchg` and the `atomic_` family.
pub fn atomic(lowering: &mut Lowering<'_>, call: &Call<'_>) -> Answer {
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
            let expected = lowering.value(expected)?;
            let old = atomic.compare_exchange(lowering, pointer, expected, desired)?;
            return Ok(Some(Some(old)));
        }
        "try_cmpxchg" => {
            let [pointer, expected, desired] = call.arguments()?;
            return atomic.try_compare_exchange(lowering, pointer, expected, desired);
        }
        _ if short.is_none() => return Ok(None),
        "read" => {
            let [pointer] = call.arguments()?;
            let target = lowering.pointee(pointer)?;
            lowering.thread.at(call.span);
            let tags = match strength {
                Strength::Acquire => [Both(Annotation::Acquire)],
                _ => [Both(Annotation::Once)],
            };
            return Ok(Some(Some(lowering.load(target, order_of(&tags), &tags))));
        }
        "set" => {
            let [pointer, value] = call.arguments()?;
            let tags = match strength {
                Strength::Release => [Both(Annotation::Release)],
                _ => [Both(Annotation::Once)],
            };
            return store_to(lowering, call, pointer, value, &tags);
        }
        "add_unless" | "fetch_add_unless" => {
            let [pointer, amount, unless] = call.arguments()?;
            let amount = lowering.value(amount)?;
            let unless = Unless::Is(lowering.value(unless)?);
            let gives = if base == "add_unless" { Gives::Whether } else { Gives::Old };
            return atomic.add_unless(lowering, pointer, amount, unless, gives);
        }
        "inc_not_zero" | "inc_unless_negative" | "dec_unless_positive" | "dec_if_positive" => {
            let [pointer] = call.arguments()?;
            let (amount, unless, gives) = match base {
                "inc_not_zero" => (1, Unless::Is(int(0)), Gives::Whether),
                "inc_unless_negative" => (1, Unless::Below(0), Gives::Whether),
                "dec_unless_positive" => (-1, Unless::Above(0), Gives::Whether),
                _ => (-1, Unless::Below(1), Gives::New),
            };
            return atomic.add_unless(lowering, pointer, int(amount), unless, gives);
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
    let tested = ["_and_test", "_negative"].iter().find(|suffix| base.ends_with(**suffix));
    let base = tested.map_or(base, |suffix| &base[..base.len() - suffix.len()]);
    let (op, unit) = match base {
        "add" => (RmwOp::Add, false),
        "sub" => (RmwOp::Sub, false),
        "and" | "andnot" => (RmwOp::And, false),
        "or" => (RmwOp::Or, false),
        "xor" => (RmwOp::Xor, false),
        "inc" => (RmwOp::Add, true),
        "dec" => (RmwOp::Sub, true),
        _ => return Ok(None),
    };
    let silent = !fetch && !returns && tested.is_none();
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
    let amount =
        if base == "andnot" { lowering.thread.unary(UnaryOp::Not, amount) } else { amount };
    let strength = if silent { Strength::NoReturn } else { strength };
    let old = Atomic { call, strength }.rmw(lowering, op, pointer, amount)?;
    if silent {
        return Ok(Some(None));
    }
    if fetch {
        return Ok(Some(Some(old)));
    }
    let new = lowering.thread.binary(binary_of(op), old, amount);
    let Some(test) = tested else { return Ok(Some(Some(new))) };
    let op = if *test == "_negative" { BinaryOp::Slt } else { BinaryOp::Eq };
    let bit = lowering.thread.binary(op, new, int(0));
    Ok(Some(Some(lowering.thread.resize(bit, Width::I64))))
}
