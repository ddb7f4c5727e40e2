//! Memory orders that are not constants: `atomic_load_explicit(p, order)` in a wrapper whose
//! parameter is the order.
//!
//! The access becomes a choice between accesses with a constant order each:
//! `order == 0 ? load(p, 0) : order == 2 ? load(p, 2) : … : load(p, 5)`. gcc makes all of them
//! sequentially consistent; that would hide what the caller asks for. An order that the access
//! cannot have is undefined in C and taken as sequentially consistent.

use crate::ast::{self, BinaryOp, ExprKind as A};
use crate::sema::tree::Expr;
use crate::sema::{Checked, Sema};
use execution::span::Span;

const SEQ_CST: u128 = 5;

/// The orders, by number, that each argument of a built-in may have: its position and the orders
/// besides the strongest.
fn orders_of(name: &str, count: usize) -> Vec<(usize, &'static [u128])> {
    const LOAD: &[u128] = &[0, 1, 2];
    const STORE: &[u128] = &[0, 3];
    const BOTH: &[u128] = &[0, 1, 2, 3, 4];
    let bare = name.trim_start_matches("__fp_atomic_").trim_start_matches("__atomic_");
    let Some(last) = count.checked_sub(1) else { return Vec::new() };
    match bare {
        "load" | "load_n" => vec![(last, LOAD)],
        "store" | "store_n" | "clear" => vec![(last, STORE)],
        "cas" | "compare_exchange" | "compare_exchange_n" if count == 6 => {
            vec![(last - 1, BOTH), (last, LOAD)]
        }
        "exchange" | "exchange_n" | "test_and_set" | "thread_fence" | "signal_fence" => {
            vec![(last, BOTH)]
        }
        _ if bare.starts_with("fetch_") || bare.ends_with("_fetch") => vec![(last, BOTH)],
        _ => Vec::new(),
    }
}

impl Sema<'_> {
    /// An atomic built-in with an order that is not a constant; `None` if all of them are.
    pub fn with_order_chosen(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        for (index, orders) in orders_of(name, args.len()) {
            let order = &args[index];
            if !is_repeatable(order) || self.is_constant_order(order) {
                continue;
            }
            let at = |kind| ast::Expr { kind, span };
            let number = |value| at(A::Int { value, decimal: true, unsigned: false, longs: 0 });
            let with = |value| {
                let mut args = args.to_vec();
                args[index] = number(value);
                at(A::Call { callee: Box::new(at(A::Ident(name.into()))), args })
            };
            let choice = orders.iter().rev().fold(with(SEQ_CST), |otherwise, &value| {
                let is = A::Binary(BinaryOp::Eq, Box::new(order.clone()), Box::new(number(value)));
                at(A::Conditional {
                    cond: Box::new(at(is)),
                    then: Some(Box::new(with(value))),
                    otherwise: Box::new(otherwise),
                })
            });
            return self.expr(&choice).map(Some);
        }
        Ok(None)
    }

    fn is_constant_order(&mut self, order: &ast::Expr) -> bool {
        match self.unevaluated(|sema| sema.value(order)) {
            Ok(value) => self.constant(&value).is_some(),
            // The mistake is reported where the order is checked as usual.
            Err(_) => true,
        }
    }
}

/// Whether an expression can be written twice without doing anything twice.
fn is_repeatable(expr: &ast::Expr) -> bool {
    match &expr.kind {
        A::Ident(_) | A::Int { .. } => true,
        A::Member(inner, _) | A::Arrow(inner, _) | A::Deref(inner) | A::Extension(inner) => {
            is_repeatable(inner)
        }
        A::Cast(_, inner) => is_repeatable(inner),
        _ => false,
    }
}
