//! The orders of the Linux kernel's accesses: `__fp_atomic_load(&x, "once")` is `READ_ONCE(x)`.
//!
//! Each has the memory order that is nearest to it, for models that do not know the kernel, and the
//! annotations by which the kernel's own model knows it: the same that the litmus front end gives
//! to the same words.

use crate::ast;
use crate::sema::atomics::Use;
use crate::sema::tree::Ordering;
use crate::sema::{Checked, Sema, fail};
use ir::order::Order;
use ir::tag::Tag::{Around, Both, Failure, Read, Success, Write};
use ir::tag::{Annotation, Tag};

impl Sema<'_> {
    /// The order that a string literal names; `None` if this is none.
    pub(crate) fn kernel_order(&mut self, expr: &ast::Expr, how: Use) -> Checked<Option<Ordering>> {
        if !matches!(expr.kind, ast::ExprKind::String(_)) {
            return Ok(None);
        }
        let name = self.literal_text(expr)?;
        match ordering(&name, how) {
            Some(ordering) => Ok(Some(ordering)),
            None => fail(expr.span, format!("the kernel has no such access with order `{name}`")),
        }
    }
}

fn ordering(name: &str, how: Use) -> Option<Ordering> {
    let (order, tags): (Order, &'static [Tag]) = match (how, name) {
        (Use::Load | Use::Store, "once") => (Order::Relaxed, &[Both(Annotation::Once)]),
        (Use::Load, "acquire") => (Order::Acquire, &[Both(Annotation::Acquire)]),
        // An update that finds out that it has nothing to do.
        (Use::Load, "failed") => (Order::Relaxed, &[Both(Annotation::Once), Both(Annotation::Rmw)]),
        (Use::Store, "release") => (Order::Release, &[Both(Annotation::Release)]),
        (Use::Both, "full") => (
            Order::Relaxed,
            &[Around(Annotation::Mb), Both(Annotation::Once), Failure(Annotation::Rmw)],
        ),
        (Use::Both, "relaxed") => {
            (Order::Relaxed, &[Both(Annotation::Once), Failure(Annotation::Rmw)])
        }
        (Use::Both, "acquire") => (
            Order::Acquire,
            &[
                Success(Annotation::Acquire),
                Failure(Annotation::Once),
                Write(Annotation::Once),
                Failure(Annotation::Rmw),
            ],
        ),
        (Use::Both, "release") => (
            Order::Release,
            &[Read(Annotation::Once), Write(Annotation::Release), Failure(Annotation::Rmw)],
        ),
        (Use::Both, "noreturn") => {
            (Order::Relaxed, &[Read(Annotation::Noreturn), Write(Annotation::Once)])
        }
        _ => return None,
    };
    Some(Ordering { order, tags })
}
