//! Memory orders that are not constants: `atomic_load_explicit(p, order)` in a wrapper whose
//! parameter is the order.
//!
//! The access becomes a choice between accesses with a constant order each:
//! `order == 0 ? load(p, 0) : order == 2 ? load(p, 2) : … : load(p, 5)`. gcc makes all of them
//! sequentially consistent; that would hide what the caller asks for. An order that the access
//! cannot have is undefined in C and taken as sequentially consistent.

use crate::ast::{self, BinaryOp, ExprKind as A};
use crate::sema::tree::{Expr, ExprKind, LocalInit, Stmt, StmtKind};
use crate::sema::types::Type;
use crate::sema::{Checked, Sema};
use execution::span::Span;
use std::rc::Rc;

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
            if self.is_constant_order(order) {
                continue;
            }
            if !is_repeatable(order) {
                return self.with_order_kept(name, args, index, span).map(Some);
            }
            let at = |kind| at(kind, span);
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

    /// The same with an order that is computed once, before the other arguments: `map(order)`.
    fn with_order_kept(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        index: usize,
        span: Span,
    ) -> Checked<Expr> {
        let value = self.int_argument(&args[index])?;
        self.scopes.open();
        // No program can spell this name.
        let kept = ast::Ident { name: format!("order {index}").into(), span };
        let local = self.new_local(Some(&kept), Type::INT.into(), None, span);
        let mut args = args.to_vec();
        args[index] = ast::Expr { kind: A::Ident(kept.name), span };
        let access = local.and_then(|local| {
            let call =
                at(A::Call { callee: Box::new(at(A::Ident(name.into()), span)), args }, span);
            Ok((local, self.value(&call)?))
        });
        self.scopes.close();
        let (local, access) = access?;
        let kind = StmtKind::Local(local, Some(LocalInit::Value(value)));
        let statements = Rc::new(vec![Stmt { kind, span }]);
        let ty = access.ty.clone();
        let kind = ExprKind::Statement(statements, Some(Box::new(access)));
        Ok(Expr { kind, ty, span })
    }

    fn is_constant_order(&mut self, order: &ast::Expr) -> bool {
        match self.unevaluated(|sema| sema.value(order)) {
            Ok(value) => self.constant(&value).is_some(),
            // The mistake is reported where the order is checked as usual.
            Err(_) => true,
        }
    }
}

fn at(kind: A, span: Span) -> ast::Expr {
    ast::Expr { kind, span }
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
