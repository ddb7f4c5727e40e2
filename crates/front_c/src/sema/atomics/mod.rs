//! Atomic built-ins: `__atomic_*`, `__sync_*`, and the type-generic `__fp_atomic_*`.

pub mod kernel;
pub mod order;

use crate::ast::{self, BinaryOp};
use crate::sema::tree::{Atomic, Expected, Expr, ExprKind, Intrinsic, Ordering};
use crate::sema::types::{QualType, Type};
use crate::sema::{Checked, Sema, fail, refuse};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use ir::op::RmwOp;
use ir::order::{Fence, Order};
use std::borrow::Cow;

/// Which orders an access may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Load,
    Store,
    Both,
}

/// The type-generic name of `__sync_fetch_and_add_4` and of `__atomic_load_4`, whose suffix says how
/// many bytes the object has that is accessed; its type says so, too.
fn without_size(name: &str) -> Cow<'_, str> {
    let sized = || {
        let (rest, size) = name.rsplit_once('_')?;
        ["1", "2", "4", "8", "16"].contains(&size).then_some(rest)
    };
    match sized() {
        Some(rest) if rest.starts_with("__sync_") => rest.into(),
        Some(rest @ ("__atomic_load" | "__atomic_store" | "__atomic_exchange")) => {
            format!("{rest}_n").into()
        }
        Some(rest @ "__atomic_compare_exchange") => format!("{rest}_n").into(),
        Some(rest) if rest.starts_with("__atomic_") => rest.into(),
        _ => name.into(),
    }
}

impl Sema<'_> {
    /// A call of an atomic built-in; `None` if there is none of this name.
    pub fn atomic_builtin(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        let name = &*without_size(name);
        if let Some(result) = self.with_order_chosen(name, args, span)? {
            return Ok(Some(result));
        }
        let result = if let Some(rest) = name.strip_prefix("__fp_atomic_") {
            self.generic_atomic(rest, args, span)?
        } else if let Some(rest) = name.strip_prefix("__atomic_") {
            self.gnu_atomic(rest, args, span)?
        } else if let Some(rest) = name.strip_prefix("__sync_") {
            self.sync_builtin(rest, args, span)?
        } else {
            None
        };
        Ok(result)
    }

    fn generic_atomic(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        Ok(Some(match (name, args) {
            ("load", [p, mo]) => {
                let (pointer, object) = self.atomic_pointer(p)?;
                let order = self.order(mo, Use::Load)?;
                make(Atomic::Load { pointer, order }, object, span)
            }
            ("store", [p, v, mo]) => {
                let (pointer, object) = self.atomic_target(p)?;
                let value = self.operand(v, &object)?;
                let order = self.order(mo, Use::Store)?;
                make(Atomic::Store { pointer, value, order }, Type::Void, span)
            }
            ("exchange", [p, v, mo]) => {
                let (pointer, object) = self.atomic_target(p)?;
                let value = self.operand(v, &object)?;
                let order = self.order(mo, Use::Both)?;
                self.rmw(RmwOp::Exchange, pointer, value, order, false, object, span)
            }
            ("cas", [p, e, d, weak, success, failure]) => {
                let (pointer, object) = self.atomic_target(p)?;
                let expected = self.value(e)?;
                let desired = self.operand(d, &object)?;
                self.cas(pointer, expected, desired, [weak, success, failure], span)?
            }
            ("cmpxchg", [p, old, new, mo]) => {
                let (pointer, object) = self.atomic_target(p)?;
                let expected = Expected::Old(self.operand(old, &object)?);
                let desired = self.operand(new, &object)?;
                let (success, failure) = (self.order(mo, Use::Both)?, Order::Relaxed);
                let cas = Atomic::Cas { pointer, expected, desired, weak: false, success, failure };
                make(cas, object, span)
            }
            ("fetch_add" | "fetch_sub" | "fetch_or" | "fetch_xor" | "fetch_and", [p, v, mo]) => {
                let Some(op) = rmw_op(name.trim_start_matches("fetch_")) else { return Ok(None) };
                self.fetch(op, p, v, mo, false, true, span)?
            }
            ("load" | "store" | "exchange" | "cas" | "cmpxchg", _) => {
                return wrong_count(name, span);
            }
            _ => return Ok(None),
        }))
    }

    fn gnu_atomic(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Checked<Option<Expr>> {
        Ok(Some(match (name, args) {
            ("load_n", [p, mo]) => {
                return self.generic_atomic("load", &[p.clone(), mo.clone()], span);
            }
            ("store_n", [..]) if args.len() == 3 => {
                return self.generic_atomic("store", args, span);
            }
            ("exchange_n", [..]) if args.len() == 3 => {
                return self.generic_atomic("exchange", args, span);
            }
            ("compare_exchange_n", [p, e, d, weak, success, failure]) => {
                let (pointer, object) = self.atomic_target(p)?;
                let expected = self.value(e)?;
                let desired = self.operand(d, &object)?;
                self.cas(pointer, expected, desired, [weak, success, failure], span)?
            }
            ("compare_exchange", [p, e, d, weak, success, failure]) => {
                let (pointer, _) = self.atomic_target(p)?;
                let expected = self.value(e)?;
                let desired = self.at(d)?;
                self.cas(pointer, expected, desired, [weak, success, failure], span)?
            }
            ("load", [p, to, mo]) => {
                let (pointer, object) = self.atomic_pointer(p)?;
                let order = self.order(mo, Use::Load)?;
                let value = make(Atomic::Load { pointer, order }, object, span);
                self.write_to(to, value, span)?
            }
            ("store", [p, from, mo]) => {
                let (pointer, _) = self.atomic_target(p)?;
                let value = self.at(from)?;
                let order = self.order(mo, Use::Store)?;
                make(Atomic::Store { pointer, value, order }, Type::Void, span)
            }
            ("exchange", [p, from, to, mo]) => {
                let (pointer, object) = self.atomic_target(p)?;
                let value = self.at(from)?;
                let order = self.order(mo, Use::Both)?;
                let old = self.rmw(RmwOp::Exchange, pointer, value, order, false, object, span);
                self.write_to(to, old, span)?
            }
            ("test_and_set", [p, mo]) => {
                let pointer = self.byte_pointer(p)?;
                let order = self.order(mo, Use::Both)?;
                let one = Expr::constant(1, Type::CHAR, span);
                let old = self.rmw(RmwOp::Exchange, pointer, one, order, false, Type::CHAR, span);
                self.convert(old, &Type::BOOL)
            }
            ("clear", [p, mo]) => {
                let pointer = self.byte_pointer(p)?;
                let order = self.order(mo, Use::Store)?;
                let value = Expr::constant(0, Type::CHAR, span);
                make(Atomic::Store { pointer, value, order }, Type::Void, span)
            }
            ("thread_fence", [mo]) => {
                let order = self.memory_order(mo, Use::Both)?;
                intrinsic(Intrinsic::Fence(Fence::C11(order)), Type::Void, span)
            }
            ("signal_fence", [mo]) => {
                self.memory_order(mo, Use::Both)?;
                intrinsic(Intrinsic::Fence(Fence::Compiler), Type::Void, span)
            }
            ("always_lock_free" | "is_lock_free", [size, _]) => {
                let size = self.integer_number(size, "the size")?;
                Expr::constant(u128::from((1..=16).contains(&size)), Type::BOOL, span)
            }
            (_, [p, v, mo]) => {
                let (op, gives_new) =
                    match (name.strip_prefix("fetch_"), name.strip_suffix("_fetch")) {
                        (Some(op), _) => (op, false),
                        (None, Some(op)) => (op, true),
                        _ => return Ok(None),
                    };
                let Some(op) = rmw_op(op) else { return Ok(None) };
                self.fetch(op, p, v, mo, gives_new, false, span)?
            }
            _ => return Ok(None),
        }))
    }

    fn sync_builtin(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        Ok(Some(match (name, args) {
            ("synchronize", []) => {
                intrinsic(Intrinsic::Fence(Fence::C11(Order::SeqCst)), Type::Void, span)
            }
            ("lock_release", [p, ..]) => {
                let (pointer, object) = self.atomic_target(p)?;
                let value = Expr::constant(0, object, span);
                make(
                    Atomic::Store { pointer, value, order: Order::Release.into() },
                    Type::Void,
                    span,
                )
            }
            ("lock_test_and_set", [p, v, ..]) => {
                let (pointer, object) = self.atomic_target(p)?;
                let value = self.operand(v, &object)?;
                self.rmw(
                    RmwOp::Exchange,
                    pointer,
                    value,
                    Order::Acquire.into(),
                    false,
                    object,
                    span,
                )
            }
            ("bool_compare_and_swap" | "val_compare_and_swap", [p, old, new, ..]) => {
                let (pointer, object) = self.atomic_target(p)?;
                let old = self.operand(old, &object)?;
                let desired = self.operand(new, &object)?;
                let (expected, ty) = if name.starts_with("bool") {
                    (Expected::Success(old), Type::BOOL)
                } else {
                    (Expected::Old(old), object)
                };
                let (success, failure) = (Order::SeqCst.into(), Order::SeqCst);
                make(
                    Atomic::Cas { pointer, expected, desired, weak: false, success, failure },
                    ty,
                    span,
                )
            }
            (_, [p, v, ..]) => {
                let (op, gives_new) =
                    match (name.strip_prefix("fetch_and_"), name.strip_suffix("_and_fetch")) {
                        (Some(op), _) => (op, false),
                        (None, Some(op)) => (op, true),
                        _ => return Ok(None),
                    };
                // clang's, which has no `…_and_fetch` of these.
                let extreme = match op {
                    "max" => Some(RmwOp::Max),
                    "min" => Some(RmwOp::Min),
                    "umax" => Some(RmwOp::UMax),
                    "umin" => Some(RmwOp::UMin),
                    _ => None,
                };
                let Some(op) = rmw_op(op).or(extreme.filter(|_| !gives_new)) else {
                    return Ok(None);
                };
                let (pointer, object) = self.atomic_target(p)?;
                self.must_be_fetchable(&object, span)?;
                let value = self.fetch_operand(v, &object, false)?;
                self.rmw(op, pointer, value, Order::SeqCst.into(), gives_new, object, span)
            }
            _ => return Ok(None),
        }))
    }

    /// `cas(location, old, new)` of CheckFence: no ordering, on a plain object.
    pub fn plain_cas(&mut self, args: &[ast::Expr], span: Span) -> Checked<Expr> {
        let [p, old, new] = args else { return wrong_count("__fp_cas", span) };
        let (pointer, object) = self.atomic_target(p)?;
        let expected = Expected::Success(self.operand(old, &object)?);
        let desired = self.operand(new, &object)?;
        let (success, failure) = (Order::Relaxed.into(), Order::Relaxed);
        let cas = Atomic::Cas { pointer, expected, desired, weak: false, success, failure };
        Ok(self.convert(make(cas, Type::BOOL, span), &Type::INT))
    }

    /// `dcas(l1, l2, o1, o2, n1, n2)`
    pub fn dcas(&mut self, args: &[ast::Expr], span: Span) -> Checked<Expr> {
        let [l1, l2, o1, o2, n1, n2] = args else { return wrong_count("__fp_dcas", span) };
        let mut words = Vec::new();
        for (location, old, new) in [(l1, o1, n1), (l2, o2, n2)] {
            let (pointer, object) = self.atomic_target(location)?;
            let old = self.operand(old, &object)?;
            let new = self.operand(new, &object)?;
            words.push((pointer, old, new));
        }
        Ok(self.convert(intrinsic(Intrinsic::Mcas(words), Type::BOOL, span), &Type::INT))
    }

    #[allow(clippy::too_many_arguments)]
    fn fetch(
        &mut self,
        op: RmwOp,
        p: &ast::Expr,
        v: &ast::Expr,
        mo: &ast::Expr,
        gives_new: bool,
        scaled: bool,
        span: Span,
    ) -> Checked<Expr> {
        let (pointer, object) = self.atomic_target(p)?;
        self.must_be_fetchable(&object, span)?;
        let value = self.fetch_operand(v, &object, scaled)?;
        let order = self.order(mo, Use::Both)?;
        Ok(self.rmw(op, pointer, value, order, gives_new, object, span))
    }

    /// Refuses what has no fetch-and-op: everything but integers and pointers.
    fn must_be_fetchable(&self, object: &Type, span: Span) -> Checked<()> {
        if object.is_record() || object.is_float() || self.is_bool(object) {
            let name = self.unit.types.name_of(object);
            return fail(span, format!("this operation is not possible on `{name}`"));
        }
        Ok(())
    }

    /// The operand of a fetch-and-op. On a pointer it is a number of bytes, or of elements.
    fn fetch_operand(&mut self, v: &ast::Expr, object: &Type, scaled: bool) -> Checked<Expr> {
        let value = self.value(v)?;
        if !object.is_pointer() {
            return self.assign_to(value, &object.clone().into(), "the operand");
        }
        self.must_be_scalar(&value, "the operand")?;
        let value = self.convert(value, &Type::PTRDIFF);
        let size = self.pointee_size(object).unwrap_or(1);
        if !scaled || size == 1 {
            return Ok(value);
        }
        let span = value.span;
        let size = Expr::constant(u128::from(size), Type::PTRDIFF, span);
        let kind = ExprKind::Binary(BinaryOp::Mul, Box::new(value), Box::new(size));
        Ok(self.fold(Expr { kind, ty: Type::PTRDIFF.into(), span }))
    }

    #[allow(clippy::too_many_arguments)]
    fn rmw(
        &self,
        op: RmwOp,
        pointer: Expr,
        value: Expr,
        order: Ordering,
        gives_new: bool,
        object: Type,
        span: Span,
    ) -> Expr {
        make(Atomic::Rmw { op, pointer, value, order, gives_new }, object, span)
    }

    fn cas(
        &mut self,
        pointer: Expr,
        expected: Expr,
        desired: Expr,
        [weak, success, failure]: [&ast::Expr; 3],
        span: Span,
    ) -> Checked<Expr> {
        let object = match pointer.ty.ty.pointee() {
            Some(object) => object.ty.clone(),
            None => return fail(span, "this is not a pointer"),
        };
        match expected.ty.ty.pointee() {
            Some(to)
                if self.compatible(&to.ty, &object)
                    || self.unit.types.size_of(&to.ty) == self.unit.types.size_of(&object) => {}
            _ => {
                let name = self.unit.types.name_of(&object);
                return fail(
                    expected.span,
                    format!("this must point to an expected value of type `{name}`"),
                );
            }
        }
        if desired.ty.ty != object
            && self.unit.types.size_of(&desired.ty.ty) != self.unit.types.size_of(&object)
        {
            return fail(desired.span, "the new value has another type than the object");
        }
        let weak = self.integer_number(weak, "whether a compare-and-swap is weak")? != 0;
        let success = self.order(success, Use::Both)?;
        let failure_order = self.failure_order(failure)?;
        let expected = Expected::At(expected);
        let cas = Atomic::Cas { pointer, expected, desired, weak, success, failure: failure_order };
        Ok(make(cas, Type::BOOL, span))
    }

    /// The order of a compare-and-swap that fails. It does not store, so what it would release is
    /// nothing: gcc and clang warn, and take what is left of the order.
    fn failure_order(&mut self, order: &ast::Expr) -> Checked<Order> {
        let (taken, name) = match self.memory_order(order, Use::Both)? {
            Order::Release => (Order::Relaxed, "relaxed"),
            Order::AcqRel => (Order::Acquire, "acquire"),
            other => return Ok(other),
        };
        let message = "a compare-and-swap that fails does not store, so it cannot release";
        let warning = Diagnostic::warning(order.span, message);
        self.warnings.push(warning.note(format!("its order is taken as {name}")));
        Ok(taken)
    }

    /// A pointer to an object that one access can reach: the pointer, and the object's type.
    fn atomic_pointer(&mut self, expr: &ast::Expr) -> Checked<(Expr, Type)> {
        let pointer = self.value(expr)?;
        let Some(to) = pointer.ty.ty.pointee().cloned() else {
            let name = self.unit.types.name(&pointer.ty);
            return fail(expr.span, format!("an atomic access needs a pointer, not `{name}`"));
        };
        let size = self.unit.types.size_of(&to.ty);
        if !matches!(size, Some(1..=16)) || matches!(to.ty, Type::Array(..)) {
            let name = self.unit.types.name(&to);
            let message = format!("`{name}` is not a type of at most 16 bytes");
            return if size.is_none() {
                fail(expr.span, message)
            } else {
                refuse(expr.span, message)
            };
        }
        Ok((pointer, to.ty))
    }

    /// The same for an object that is written.
    fn atomic_target(&mut self, expr: &ast::Expr) -> Checked<(Expr, Type)> {
        let (pointer, object) = self.atomic_pointer(expr)?;
        if pointer.ty.ty.pointee().is_some_and(|to| to.is_const()) {
            return fail(expr.span, "this points to a `const` object, which cannot be written");
        }
        Ok((pointer, object))
    }

    fn byte_pointer(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let pointer = self.value(expr)?;
        if !pointer.ty.ty.is_pointer() {
            return fail(expr.span, "an atomic access needs a pointer");
        }
        Ok(self.convert(pointer, &Type::pointer(Type::CHAR.into())))
    }

    fn operand(&mut self, expr: &ast::Expr, object: &Type) -> Checked<Expr> {
        let value = self.value(expr)?;
        self.assign_to(value, &object.clone().into(), "the object")
    }

    /// The value at an address.
    fn at(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let place = self.place_at(expr)?;
        self.rvalue(place)
    }

    fn place_at(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let pointer = self.value(expr)?;
        match pointer.ty.ty.pointee().cloned() {
            Some(ty) => Ok(Expr { kind: ExprKind::Deref(Box::new(pointer)), ty, span: expr.span }),
            None => fail(expr.span, "this must be a pointer"),
        }
    }

    fn write_to(&mut self, to: &ast::Expr, value: Expr, span: Span) -> Checked<Expr> {
        let target = self.place_at(to)?;
        let assignment = self.assign_values(target, value, span)?;
        let kind = ExprKind::Convert { value: Box::new(assignment), written: false };
        Ok(Expr { kind, ty: QualType::from(Type::Void), span })
    }

    /// A memory order, or a word of the Linux kernel in quotes.
    fn order(&mut self, expr: &ast::Expr, how: Use) -> Checked<Ordering> {
        match self.kernel_order(expr, how)? {
            Some(ordering) => Ok(ordering),
            None => self.memory_order(expr, how).map(Ordering::from),
        }
    }

    fn memory_order(&mut self, expr: &ast::Expr, how: Use) -> Checked<Order> {
        let number = self.integer_number(expr, "a memory order")?;
        let order = match number {
            0 => Order::Relaxed,
            1 => Order::Consume,
            2 => Order::Acquire,
            3 => Order::Release,
            4 => Order::AcqRel,
            5 => Order::SeqCst,
            _ => return fail(expr.span, "there is no such memory order"),
        };
        match (how, order) {
            (Use::Load, Order::Release | Order::AcqRel) => {
                fail(expr.span, "a load cannot have this memory order: it does not release")
            }
            (Use::Store, Order::Consume | Order::Acquire | Order::AcqRel) => {
                fail(expr.span, "a store cannot have this memory order: it does not acquire")
            }
            _ => Ok(order),
        }
    }
}

fn make(atomic: Atomic, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Atomic(Box::new(atomic)), ty: ty.into(), span }
}

/// An expression that is a built-in.
pub fn intrinsic(intrinsic: Intrinsic, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Intrinsic(Box::new(intrinsic)), ty: ty.into(), span }
}

/// The message about a built-in with the wrong number of arguments.
pub fn wrong_count<T>(name: &str, span: Span) -> Checked<T> {
    fail(span, format!("`{name}` is given the wrong number of arguments"))
}

fn rmw_op(name: &str) -> Option<RmwOp> {
    Some(match name {
        "add" => RmwOp::Add,
        "sub" => RmwOp::Sub,
        "and" => RmwOp::And,
        "or" => RmwOp::Or,
        "xor" => RmwOp::Xor,
        "nand" => RmwOp::Nand,
        _ => return None,
    })
}
