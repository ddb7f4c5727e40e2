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
    let (order, tags): (Order, &'static [&'static str]) = match (how, name) {
        (Use::Load | Use::Store, "once") => (Order::Relaxed, &["Once"]),
        (Use::Load, "acquire") => (Order::Acquire, &["Acquire"]),
        // An update that finds out that it has nothing to do.
        (Use::Load, "failed") => (Order::Relaxed, &["Once", "RMW"]),
        (Use::Store, "release") => (Order::Release, &["Release"]),
        (Use::Both, "full") => (Order::Relaxed, &["F.Mb", "Once", "N.RMW"]),
        (Use::Both, "relaxed") => (Order::Relaxed, &["Once", "N.RMW"]),
        (Use::Both, "acquire") => (Order::Acquire, &["S.Acquire", "N.Once", "W.Once", "N.RMW"]),
        (Use::Both, "release") => (Order::Release, &["R.Once", "W.Release", "N.RMW"]),
        (Use::Both, "noreturn") => (Order::Relaxed, &["R.Noreturn", "W.Once"]),
        _ => return None,
    };
    Some(Ordering { order, tags })
}
