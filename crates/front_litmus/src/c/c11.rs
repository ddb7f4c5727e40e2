//! C11's atomic operations.

use super::ast::{Expr, ExprKind};
use super::lower::{Call, Lowering, Target, int};
use execution::diagnostic::Diagnostic;
use ir::op::{BinaryOp, Op, Operand, RmwOp};
use ir::order::{Fence, Order};
use ir::program::Width;

/// Whether only C11 has a function of this name.
pub fn is_own(name: &str) -> bool {
    name.ends_with("_explicit")
        || matches!(
            name,
            "atomic_load" | "atomic_store" | "atomic_exchange" | "atomic_thread_fence"
        )
        || name.starts_with("atomic_compare_exchange_")
        || name.starts_with("atomic_flag_")
}

/// Lowers a call of a C11 function: the value where it has one; `None` if C11 has no such
/// function.
pub fn call(
    lowering: &mut Lowering<'_>,
    call: &Call<'_>,
) -> Result<Option<Option<Operand>>, Diagnostic> {
    let (base, explicit) = match call.name.strip_suffix("_explicit") {
        Some(base) => (base, true),
        None => (call.name, false),
    };
    let (orders, arguments) = split_orders(call, base, explicit)?;
    let order = orders.first().copied().unwrap_or(Order::SeqCst);
    let counted = |wanted: usize| {
        if arguments.len() == wanted {
            return Ok(());
        }
        let message = format!("`{}` takes {} arguments", call.name, wanted + orders.len());
        Err(Diagnostic::error(call.span, message))
    };
    match base {
        "atomic_thread_fence" => {
            counted(0)?;
            lowering.thread.at(call.span);
            lowering.thread.emit(Op::Fence(Fence::C11(order)));
            return Ok(Some(None));
        }
        "atomic_signal_fence" => {
            // Orders a thread only with its own signal handlers.
            counted(0)?;
            return Ok(Some(None));
        }
        "atomic_flag_test_and_set" => {
            counted(1)?;
            let target = lowering.pointee(&arguments[0])?;
            lowering.thread.at(call.span);
            let access = target.access(order, &[]);
            let old = lowering.thread.rmw(RmwOp::Exchange, access, int(1), true);
            let set = lowering.thread.binary(BinaryOp::Ne, old, int(0));
            return Ok(Some(Some(lowering.thread.resize(set, Width::I64))));
        }
        "atomic_flag_clear" => {
            counted(1)?;
            let target = lowering.pointee(&arguments[0])?;
            lowering.thread.at(call.span);
            lowering.store(target, int(0), order, &[]);
            return Ok(Some(None));
        }
        "atomic_load" => {
            counted(1)?;
            let target = lowering.pointee(&arguments[0])?;
            lowering.thread.at(call.span);
            return Ok(Some(Some(lowering.load(target, order, &[]))));
        }
        "atomic_store" | "atomic_init" => {
            counted(2)?;
            let target = lowering.pointee(&arguments[0])?;
            let value = lowering.value(&arguments[1])?;
            lowering.thread.at(call.span);
            let order = if base == "atomic_init" { Order::NonAtomic } else { order };
            lowering.store(target, value, order, &[]);
            return Ok(Some(None));
        }
        "atomic_compare_exchange_strong" | "atomic_compare_exchange_weak" => {
            counted(3)?;
            let failure = orders.get(1).copied().unwrap_or(Order::SeqCst);
            let weak = base.ends_with("weak");
            let result = compare_exchange(lowering, call, arguments, order, failure, weak)?;
            return Ok(Some(Some(result)));
        }
        _ => {}
    }
    let op = match base {
        "atomic_exchange" => RmwOp::Exchange,
        "atomic_fetch_add" => RmwOp::Add,
        "atomic_fetch_sub" => RmwOp::Sub,
        "atomic_fetch_and" => RmwOp::And,
        "atomic_fetch_or" => RmwOp::Or,
        "atomic_fetch_xor" => RmwOp::Xor,
        _ => return Ok(None),
    };
    counted(2)?;
    let target = lowering.pointee(&arguments[0])?;
    let value = lowering.value(&arguments[1])?;
    lowering.thread.at(call.span);
    Ok(Some(Some(lowering.thread.rmw(op, target.access(order, &[]), value, true))))
}

/// Splits the memory orders off the end of the arguments.
fn split_orders<'e>(
    call: &Call<'e>,
    base: &str,
    explicit: bool,
) -> Result<(Vec<Order>, &'e [Expr]), Diagnostic> {
    let count = match (base, explicit) {
        ("atomic_thread_fence" | "atomic_signal_fence", _) => 1,
        (_, false) => 0,
        (name, true) if name.starts_with("atomic_compare_exchange") => 2,
        _ => 1,
    };
    let Some(first) = call.arguments.len().checked_sub(count) else {
        let message = format!("`{}` takes a memory order", call.name);
        return Err(Diagnostic::error(call.span, message));
    };
    let (arguments, orders) = call.arguments.split_at(first);
    let mut known = Vec::new();
    for (index, expr) in orders.iter().enumerate() {
        let order = order(expr)?;
        if let Some(access) = cannot_have(base, index, order) {
            let message = format!("{access} cannot have this memory order");
            return Err(Diagnostic::error(expr.span, message));
        }
        known.push(order);
    }
    Ok((known, arguments))
}

/// The access that cannot have its memory order (C11, 7.17.7): of a compare-and-swap, where it fails.
fn cannot_have(base: &str, index: usize, order: Order) -> Option<&'static str> {
    let releases = matches!(order, Order::Release | Order::AcqRel);
    let acquires = matches!(order, Order::Consume | Order::Acquire | Order::AcqRel);
    match base {
        "atomic_load" if releases => Some("a load"),
        "atomic_store" | "atomic_flag_clear" if acquires => Some("a store"),
        _ if index == 1 && releases => Some("a compare-and-swap that fails"),
        _ => None,
    }
}

fn order(expr: &Expr) -> Result<Order, Diagnostic> {
    let name = match &expr.kind {
        ExprKind::Name(name) => name.as_str(),
        _ => "",
    };
    Ok(match name {
        "memory_order_relaxed" => Order::Relaxed,
        "memory_order_consume" => Order::Consume,
        "memory_order_acquire" => Order::Acquire,
        "memory_order_release" => Order::Release,
        "memory_order_acq_rel" => Order::AcqRel,
        "memory_order_seq_cst" => Order::SeqCst,
        _ => return Err(Diagnostic::error(expr.span, "expected a memory order")),
    })
}

/// Where the expected value is: in memory, or in a local.
enum Expected<'e> {
    Memory(Target),
    Local(&'e str, &'e Expr),
}

/// The expected value is read, and written where the exchange fails.
fn compare_exchange(
    lowering: &mut Lowering<'_>,
    call: &Call<'_>,
    arguments: &[Expr],
    success: Order,
    failure: Order,
    weak: bool,
) -> Result<Operand, Diagnostic> {
    let target = lowering.pointee(&arguments[0])?;
    let place = match addressed_local(lowering, &arguments[1]) {
        Some((name, local)) => Expected::Local(name, local),
        None => Expected::Memory(lowering.pointee(&arguments[1])?),
    };
    let desired = lowering.value(&arguments[2])?;
    lowering.thread.at(call.span);
    let expected = match place {
        Expected::Memory(at) => lowering.load(at, Order::NonAtomic, &[]),
        Expected::Local(_, local) => lowering.value(local)?,
    };
    let old = lowering.thread.temporary(Width::I64);
    let swapped = lowering.thread.temporary(Width::BOOL);
    lowering.thread.emit(Op::Cas {
        dst: Some(old),
        success: Some(swapped),
        access: target.access(success, &[]),
        expected,
        desired,
        failure,
        weak,
    });
    let old = Operand::Reg(old);
    let (done, failed, join) = lowering.fork(Operand::Reg(swapped));
    lowering.thread.switch_to(done);
    lowering.thread.jump_to(join);
    lowering.thread.switch_to(failed);
    match place {
        Expected::Memory(at) => lowering.store(at, old, Order::NonAtomic, &[]),
        Expected::Local(name, _) => {
            let local = lowering.local(name);
            lowering.thread.copy(local, old);
        }
    }
    lowering.thread.continue_in(join);
    Ok(lowering.thread.resize(Operand::Reg(swapped), Width::I64))
}

/// The local of `&local`.
fn addressed_local<'e>(lowering: &Lowering<'_>, expr: &'e Expr) -> Option<(&'e str, &'e Expr)> {
    let ExprKind::AddressOf(inner) = &expr.kind else { return None };
    let ExprKind::Name(name) = &inner.kind else { return None };
    (!lowering.is_param(name)).then_some((name.as_str(), inner))
}
