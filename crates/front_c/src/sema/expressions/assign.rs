//! Assignment, compound assignment, increment and decrement.

use crate::ast::{self, BinaryOp};
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{QualType, RecordId, Type};
use crate::sema::{Checked, Sema, fail};
use execution::span::Span;

/// Whether an operator is one on floating-point numbers too.
fn is_float_operator(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div)
}

impl Sema<'_> {
    /// Checks an expression that is to be written.
    pub(crate) fn modifiable(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let target = self.expr(expr)?;
        if !target.is_lvalue() {
            let what = self.quoted(expr.span);
            return fail(expr.span, format!("{what} is a value, not a place to assign to"));
        }
        if target.ty.is_const() {
            let what = self.quoted(expr.span);
            return fail(expr.span, format!("{what} is `const` and cannot be assigned to"));
        }
        match &target.ty.ty {
            Type::Array(..) => return fail(expr.span, "an array cannot be assigned to"),
            Type::Function(_) => return fail(expr.span, "a function cannot be assigned to"),
            Type::Record(id) if self.has_const_member(*id) => {
                return fail(expr.span, "this has a `const` member and cannot be assigned to");
            }
            ty if self.unit.types.size_of(ty).is_none() => {
                let name = self.unit.types.name(&target.ty);
                return fail(expr.span, format!("`{name}` is an incomplete type"));
            }
            _ => {}
        }
        Ok(target)
    }

    fn has_const_member(&self, id: RecordId) -> bool {
        self.unit.types.records[id].body.as_ref().is_some_and(|body| {
            body.fields.iter().any(|field| {
                field.ty.is_const()
                    || matches!(field.ty.ty, Type::Record(inner) if self.has_const_member(inner))
            })
        })
    }

    /// `target = value`
    pub fn assign(&mut self, target: &ast::Expr, value: &ast::Expr, span: Span) -> Checked<Expr> {
        let target = self.modifiable(target)?;
        let value = self.value(value)?;
        self.assign_values(target, value, span)
    }

    /// `target = value` of a checked target and value.
    pub fn assign_values(&mut self, target: Expr, value: Expr, span: Span) -> Checked<Expr> {
        let ty: QualType = self.value_type(&target).into();
        let value = self.assign_to(value, &ty, "the target")?;
        Ok(Expr { kind: ExprKind::Assign(Box::new(target), Box::new(value)), ty, span })
    }

    /// `target op= value`
    pub fn compound_assign(
        &mut self,
        op: BinaryOp,
        target: &ast::Expr,
        value: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let target = self.modifiable(target)?;
        let value = self.value(value)?;
        let ty = self.value_type(&target);
        let (compute, value) = if ty.is_pointer() {
            if !matches!(op, BinaryOp::Add | BinaryOp::Sub) || !value.ty.ty.is_integer() {
                return fail(span, "a pointer can only be moved by an integer, with `+=` or `-=`");
            }
            if self.pointee_size(&ty).is_none() {
                return fail(span, "this pointer points to an incomplete type");
            }
            let value = self.promote(value);
            (ty.clone(), value)
        } else if ty.is_arithmetic()
            && value.ty.ty.is_arithmetic()
            && (ty.is_integer() && value.ty.ty.is_integer() || is_float_operator(op))
        {
            if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
                (self.promoted(&ty), self.promote(value))
            } else {
                let common = self.common_type(&ty, &value.ty.ty);
                let value = self.convert(value, &common);
                (common, value)
            }
        } else {
            let (a, b) = (self.unit.types.name(&target.ty), self.unit.types.name(&value.ty));
            return fail(span, format!("this operator does not take `{a}` and `{b}`"));
        };
        let kind = ExprKind::CompoundAssign {
            op,
            target: Box::new(target),
            value: Box::new(value),
            compute,
        };
        Ok(Expr { kind, ty: ty.into(), span })
    }

    /// `++e`, `e--` and the like.
    pub fn increment(
        &mut self,
        target: &ast::Expr,
        down: bool,
        postfix: bool,
        span: Span,
    ) -> Checked<Expr> {
        let target = self.modifiable(target)?;
        let ty = self.value_type(&target);
        if !ty.is_scalar() || (ty.is_pointer() && self.pointee_size(&ty).is_none()) {
            let name = self.unit.types.name(&target.ty);
            return fail(span, format!("`{name}` cannot be incremented or decremented"));
        }
        let kind = ExprKind::Increment { target: Box::new(target), down, postfix };
        Ok(Expr { kind, ty: ty.into(), span })
    }
}
