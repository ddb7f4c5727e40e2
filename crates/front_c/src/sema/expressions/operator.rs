//! Operators on values: arithmetic, comparisons, logic, casts, the conditional operator.

use crate::ast::{self, BinaryOp, UnaryOp};
use crate::sema::expressions::convert;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{IntKind, QualType, Type, union};
use crate::sema::{Checked, Fail, Sema, fail};
use execution::span::Span;

impl Sema<'_> {
    fn boxed(&self, kind: ExprKind, ty: Type, span: Span) -> Expr {
        self.fold(Expr { kind, ty: ty.into(), span })
    }

    /// `+e`, `-e`, `~e`, `!e`
    pub fn unary(&mut self, op: UnaryOp, inner: &ast::Expr, span: Span) -> Checked<Expr> {
        let value = self.value(inner)?;
        if op == UnaryOp::Not {
            self.must_be_scalar(&value, "the operand of `!`")?;
            let value = self.truth(value);
            return Ok(self.boxed(ExprKind::Not(Box::new(value)), Type::INT, span));
        }
        let fits = value.ty.ty.is_integer() || value.ty.ty.is_float() && op != UnaryOp::BitNot;
        if !fits {
            let name = self.unit.types.name(&value.ty);
            let op = match op {
                UnaryOp::Plus => "+",
                UnaryOp::Minus => "-",
                UnaryOp::BitNot => "~",
                UnaryOp::Not => "!",
            };
            let what = if op == "~" { "an integer" } else { "a number" };
            return fail(span, format!("`{op}` takes {what}, not `{name}`"));
        }
        let value = self.promote(value);
        let ty = value.ty.ty.clone();
        Ok(match op {
            UnaryOp::Plus => Expr { span, ..value },
            UnaryOp::Minus => self.boxed(ExprKind::Negate(Box::new(value)), ty, span),
            _ => self.boxed(ExprKind::BitNot(Box::new(value)), ty, span),
        })
    }

    /// `a op b`
    pub fn binary(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let a = self.value(a)?;
        let b = self.value(b)?;
        self.binary_values(op, a, b, span)
    }

    /// `a op b` of values.
    pub fn binary_values(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Checked<Expr> {
        use BinaryOp::*;
        let integers = a.ty.ty.is_integer() && b.ty.ty.is_integer();
        let numbers = a.ty.ty.is_arithmetic() && b.ty.ty.is_arithmetic();
        match op {
            Shl | Shr if integers => {
                let (a, b) = (self.promote(a), self.promote(b));
                let ty = a.ty.ty.clone();
                Ok(self.boxed(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span))
            }
            Lt | Gt | Le | Ge | Eq | Ne => self.compare(op, a, b, span),
            _ if integers || (numbers && matches!(op, Add | Sub | Mul | Div)) => {
                let ty = self.common_type(&a.ty.ty, &b.ty.ty);
                let (a, b) = (self.convert(a, &ty), self.convert(b, &ty));
                Ok(self.boxed(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span))
            }
            Add if a.ty.ty.is_pointer() && b.ty.ty.is_integer() => {
                self.pointer_add(a, b, false, span)
            }
            Add if a.ty.ty.is_integer() && b.ty.ty.is_pointer() => {
                self.pointer_add(b, a, false, span)
            }
            Sub if a.ty.ty.is_pointer() && b.ty.ty.is_integer() => {
                self.pointer_add(a, b, true, span)
            }
            Sub if a.ty.ty.is_pointer() && b.ty.ty.is_pointer() => {
                self.pointer_difference(a, b, span)
            }
            _ => self.bad_operands(op, &a, &b, span),
        }
    }

    fn bad_operands<T>(&self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Checked<T> {
        let (a, b) = (self.unit.types.name(&a.ty), self.unit.types.name(&b.ty));
        fail(span, format!("`{}` does not take `{a}` and `{b}`", op.symbol()))
    }

    /// Pointer plus or minus an integer.
    pub fn pointer_add(
        &mut self,
        pointer: Expr,
        index: Expr,
        minus: bool,
        span: Span,
    ) -> Checked<Expr> {
        if let Some(Type::Variable(_, size)) = pointer.ty.ty.pointee().map(|to| &to.ty) {
            let (size, ty) = (self.local_value(*size, span), pointer.ty.ty.clone());
            let index = self.promote(index);
            let index = self.convert(index, &Type::SIZE);
            let bytes = ExprKind::Binary(BinaryOp::Mul, Box::new(index), Box::new(size));
            let bytes = Box::new(Expr { kind: bytes, ty: Type::SIZE.into(), span });
            let to_bytes = Type::pointer(Type::CHAR.into());
            let pointer = Box::new(self.convert(pointer, &to_bytes));
            let kind = ExprKind::PointerAdd { pointer, index: bytes, minus };
            return Ok(self.convert(Expr { kind, ty: to_bytes.into(), span }, &ty));
        }
        if self.pointee_size(&pointer.ty.ty).is_none() {
            let name = self.unit.types.name(&pointer.ty);
            return fail(span, format!("cannot step over the incomplete type behind `{name}`"));
        }
        let index = self.promote(index);
        let ty = pointer.ty.clone();
        let kind =
            ExprKind::PointerAdd { pointer: Box::new(pointer), index: Box::new(index), minus };
        Ok(Expr { kind, ty, span })
    }

    fn pointer_difference(&mut self, a: Expr, b: Expr, span: Span) -> Checked<Expr> {
        match (self.pointee_size(&a.ty.ty), self.pointee_size(&b.ty.ty)) {
            (Some(x), Some(y)) if x == y && x > 0 => Ok(Expr {
                kind: ExprKind::PointerDiff(Box::new(a), Box::new(b)),
                ty: Type::PTRDIFF.into(),
                span,
            }),
            _ => self.bad_operands(BinaryOp::Sub, &a, &b, span),
        }
    }

    fn compare(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Checked<Expr> {
        let (x, y) = (a.ty.ty.clone(), b.ty.ty.clone());
        let common = match (&x, &y) {
            (x, y) if x.is_arithmetic() && y.is_arithmetic() => self.common_type(x, y),
            (Type::Pointer(p), Type::Pointer(q)) => {
                let fits = p.ty == Type::Void
                    || q.ty == Type::Void
                    || self.is_null(&a)
                    || self.is_null(&b)
                    || self.compatible(&p.ty, &q.ty);
                if !fits {
                    let (p, q) = (self.unit.types.name_of(&x), self.unit.types.name_of(&y));
                    self.warn(
                        span,
                        format!("this compares different pointer types, `{p}` and `{q}`"),
                    );
                }
                if self.is_null(&a) { y.clone() } else { x.clone() }
            }
            (Type::Pointer(_), y) if y.is_integer() => {
                if !self.is_null(&b) {
                    self.warn(span, "this compares a pointer with an integer");
                }
                x.clone()
            }
            (x, Type::Pointer(_)) if x.is_integer() => {
                if !self.is_null(&a) {
                    self.warn(span, "this compares an integer with a pointer");
                }
                y.clone()
            }
            _ => return self.bad_operands(op, &a, &b, span),
        };
        let (a, b) = (self.convert(a, &common), self.convert(b, &common));
        Ok(self.boxed(ExprKind::Binary(op, Box::new(a), Box::new(b)), Type::INT, span))
    }

    /// `a && b`, `a || b`
    pub fn logical(
        &mut self,
        a: &ast::Expr,
        b: &ast::Expr,
        and: bool,
        span: Span,
    ) -> Checked<Expr> {
        let what = if and { "an operand of `&&`" } else { "an operand of `||`" };
        let a = self.truth_of(a, what)?;
        let b = self.truth_of(b, what);
        let b = self.or_refused(b, Type::INT, span)?;
        let decided = a.as_const().filter(|bits| (*bits != 0) != and);
        if decided.is_some() {
            return Ok(Expr::constant(u128::from(!and), Type::INT, span));
        }
        if let (Some(_), Some(bits)) = (a.as_const(), b.as_const()) {
            return Ok(Expr::constant(u128::from(bits != 0), Type::INT, span));
        }
        let (a, b) = (Box::new(a), Box::new(b));
        let kind = if and { ExprKind::And(a, b) } else { ExprKind::Or(a, b) };
        Ok(Expr { kind, ty: Type::INT.into(), span })
    }

    /// `a ? b : c`, `a ?: c`
    pub fn conditional(
        &mut self,
        cond: &ast::Expr,
        then: Option<&ast::Expr>,
        otherwise: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let cond = self.scalar_value(cond, "the condition")?;
        let (cond, then) = match then {
            Some(then) => {
                let then = self.value(then);
                // What is not supported has the type of the other side.
                let ty = match then {
                    Err(Fail::Refused(_)) => self.unevaluated(|sema| sema.value(otherwise)).ok(),
                    _ => None,
                };
                let ty = ty.map_or(Type::Void, |other| other.ty.ty);
                let then = if ty.is_record() { then } else { self.or_refused(then, ty, span) };
                (self.truth(cond), Some(then?))
            }
            None if cond.ty.ty.is_float() => {
                return fail(span, "`?:` without a middle takes no floating-point number");
            }
            None => (cond, None),
        };
        let otherwise = self.value(otherwise);
        let otherwise = match then.as_ref().unwrap_or(&cond).ty.ty.clone() {
            ty if ty.is_record() => otherwise?,
            ty => self.or_refused(otherwise, ty, span)?,
        };
        let ty = self.conditional_type(then.as_ref().unwrap_or(&cond), &otherwise, span)?;
        let adapt = |value: Expr| {
            if ty.is_scalar() { self.convert(value, &ty) } else { value }
        };
        let otherwise = adapt(otherwise);
        let Some(then) = then else {
            let kind = ExprKind::Elvis(Box::new(cond), Box::new(otherwise));
            return Ok(Expr { kind, ty: ty.into(), span });
        };
        let then = adapt(then);
        match cond.as_const() {
            Some(bits) if then.as_const().is_some() && otherwise.as_const().is_some() => {
                let chosen = if bits != 0 { then } else { otherwise };
                Ok(Expr { span, ..chosen })
            }
            _ => {
                let kind =
                    ExprKind::Conditional(Box::new(cond), Box::new(then), Box::new(otherwise));
                Ok(Expr { kind, ty: ty.into(), span })
            }
        }
    }

    fn conditional_type(&mut self, a: &Expr, b: &Expr, span: Span) -> Checked<Type> {
        let (x, y) = (&a.ty.ty, &b.ty.ty);
        Ok(match (x, y) {
            (x, y) if x.is_arithmetic() && y.is_arithmetic() => self.common_type(x, y),
            (Type::Void, _) | (_, Type::Void) => Type::Void,
            (Type::Pointer(_), _) if self.is_null(b) => x.clone(),
            (_, Type::Pointer(_)) if self.is_null(a) => y.clone(),
            (Type::Pointer(p), Type::Pointer(q)) => {
                let quals = union(p.quals, q.quals);
                let to: QualType = if p.ty == Type::Void || q.ty == Type::Void {
                    Type::Void.into()
                } else if self.compatible(&p.ty, &q.ty) {
                    self.composite(p, q)
                } else {
                    self.warn(span, "the two sides have different pointer types");
                    Type::Void.into()
                };
                let atomic = to.quals.is_atomic;
                let mut to = to.with(quals);
                to.quals.is_atomic = atomic;
                Type::pointer(to)
            }
            (Type::Pointer(_), y) if y.is_integer() => {
                self.warn(span, "one side is a pointer and the other an integer");
                x.clone()
            }
            (x, Type::Pointer(_)) if x.is_integer() => {
                self.warn(span, "one side is a pointer and the other an integer");
                y.clone()
            }
            (x, y) if x == y => x.clone(),
            _ => {
                let (x, y) = (self.unit.types.name_of(x), self.unit.types.name_of(y));
                return fail(span, format!("the two sides have the types `{x}` and `{y}`"));
            }
        })
    }

    /// `(type)e`
    pub fn cast(&mut self, name: &ast::TypeName, inner: &ast::Expr, span: Span) -> Checked<Expr> {
        let target = self.type_name(name)?;
        self.refuse_float(&target, name.span)?;
        let value = self.value(inner)?;
        let to = target.ty;
        match (&value.ty.ty, &to) {
            (_, Type::Void) => {}
            (from, to)
                if from.is_scalar()
                    && to.is_scalar()
                    && !(from.is_float() && to.is_pointer())
                    && !(from.is_pointer() && to.is_float()) =>
            {
                if let Type::Enum(id) = to
                    && self.unit.types.enums[*id].underlying.is_none()
                {
                    return fail(span, "this enum is incomplete");
                }
            }
            (from, to) if from == to && from.is_record() => return Ok(Expr { span, ..value }),
            (from, to) => {
                let (from, to) = (self.unit.types.name_of(from), self.unit.types.name_of(to));
                return fail(span, format!("`{from}` cannot be cast to `{to}`"));
            }
        }
        if value.ty.ty == to && value.as_const().is_some() {
            return Ok(Expr { span, ..value });
        }
        let value = if to == Type::BOOL { self.truth(value) } else { value };
        let value = convert::hint_allocation(value, &to);
        Ok(self.boxed(ExprKind::Convert { value: Box::new(value), written: true }, to, span))
    }

    /// Whether a type is `_Bool`.
    pub fn is_bool(&self, ty: &Type) -> bool {
        matches!(ty, Type::Int(IntKind::Bool))
    }
}
