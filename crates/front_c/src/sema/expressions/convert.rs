//! Conversions: promotions, the usual arithmetic conversions, assignment, compatibility.

use crate::sema::tree::{Expr, ExprKind, Intrinsic};
use crate::sema::types::{FloatKind, FunctionType, IntKind, QualType, Type};
use crate::sema::{Checked, Sema, fail};
use execution::span::Span;

impl Sema<'_> {
    /// The type of the value of an lvalue: without qualifiers, and for a bit-field with its width.
    pub fn value_type(&self, place: &Expr) -> Type {
        let bits = match &place.kind {
            ExprKind::Member { bits, .. } => *bits,
            _ => None,
        };
        self.unit.types.member_value(&place.ty.ty, bits)
    }

    /// The value of an expression: arrays and functions become pointers, objects are read.
    pub fn rvalue(&mut self, expr: Expr) -> Checked<Expr> {
        let span = expr.span;
        match &expr.ty.ty {
            Type::Array(element, _) => {
                let ty = Type::Pointer(element.clone()).into();
                if !expr.is_lvalue() && !matches!(expr.kind, ExprKind::Member { .. }) {
                    return fail(span, "this array has no address");
                }
                self.mark_address_taken(&expr);
                Ok(Expr { kind: ExprKind::Decay(Box::new(expr)), ty, span })
            }
            Type::Variable(element, _) => {
                let ty = Type::Pointer(element.clone());
                match expr.kind {
                    ExprKind::Deref(pointer) => Ok(self.convert(*pointer, &ty)),
                    _ => fail(span, "this array has no address"),
                }
            }
            Type::Function(_) => {
                let ty = Type::pointer(expr.ty.clone()).into();
                match expr.kind {
                    // `*f` of a function pointer is the pointer again.
                    ExprKind::Deref(pointer) => Ok(*pointer),
                    _ => Ok(Expr { kind: ExprKind::AddressOf(Box::new(expr)), ty, span }),
                }
            }
            ty => {
                let is_place = expr.is_lvalue() || matches!(expr.kind, ExprKind::Member { .. });
                if !is_place {
                    return Ok(expr);
                }
                if matches!(ty, Type::Void) {
                    return Ok(Expr {
                        ty: Type::Void.into(),
                        kind: ExprKind::Load(Box::new(expr)),
                        span,
                    });
                }
                if self.unit.types.size_of(ty).is_none() {
                    let name = self.unit.types.name(&expr.ty);
                    return fail(span, format!("`{name}` is an incomplete type"));
                }
                let ty = self.value_type(&expr).into();
                Ok(Expr { kind: ExprKind::Load(Box::new(expr)), ty, span })
            }
        }
    }

    /// The promoted type of an integer type.
    pub fn promoted(&self, ty: &Type) -> Type {
        match self.unit.types.without_enum(ty) {
            Type::Int(kind) if kind < IntKind::Int => Type::INT,
            Type::Bits { width, .. } if width < 32 => Type::INT,
            Type::Bits { width: 32, signed } => {
                if signed {
                    Type::INT
                } else {
                    Type::UINT
                }
            }
            other => other,
        }
    }

    /// The integer promotions.
    pub fn promote(&self, expr: Expr) -> Expr {
        let ty = self.promoted(&expr.ty.ty);
        self.convert(expr, &ty)
    }

    /// The common type of the usual arithmetic conversions.
    pub fn common_type(&self, a: &Type, b: &Type) -> Type {
        if let Some(kind) = [a, b].into_iter().filter_map(float_kind).max() {
            return Type::Float(kind);
        }
        let (a, b) = (self.promoted(a), self.promoted(b));
        let types = &self.unit.types;
        let (Some((a_bits, a_signed)), Some((b_bits, b_signed))) =
            (types.integer(&a), types.integer(&b))
        else {
            return a;
        };
        if a_bits != b_bits {
            return if a_bits > b_bits { a } else { b };
        }
        match (&a, &b) {
            (Type::Int(x), Type::Int(y)) => {
                let rank = *x.max(y);
                let unsigned = !a_signed || !b_signed;
                Type::Int(if unsigned { rank.to_unsigned() } else { rank })
            }
            _ => {
                if a_signed {
                    b
                } else {
                    a
                }
            }
        }
    }

    /// An implicit conversion between scalar types that needs no check.
    pub fn convert(&self, expr: Expr, to: &Type) -> Expr {
        if expr.ty.ty == *to {
            return expr;
        }
        let expr = if *to == Type::BOOL { self.truth(expr) } else { expr };
        let span = expr.span;
        let kind = ExprKind::Convert { value: Box::new(hint_allocation(expr, to)), written: false };
        self.fold(Expr { kind, ty: to.clone().into(), span })
    }

    /// Whether a value is a null pointer constant.
    pub fn is_null(&self, expr: &Expr) -> bool {
        let kind_fits = expr.ty.ty.is_integer()
            || matches!(expr.ty.ty.pointee(), Some(to) if to.ty == Type::Void);
        kind_fits && expr.as_const() == Some(0)
    }

    /// Converts a value as if by assignment; `what` says to what ("the argument `x`").
    pub fn assign_to(&mut self, value: Expr, to: &QualType, what: &str) -> Checked<Expr> {
        let (from, target) = (value.ty.ty.clone(), to.ty.clone());
        let span = value.span;
        match (&from, &target) {
            _ if from == target && !from.is_pointer() => Ok(value),
            (f, t) if f.is_arithmetic() && t.is_arithmetic() => Ok(self.convert(value, &target)),
            (Type::Pointer(_), Type::Int(IntKind::Bool)) => Ok(self.convert(value, &target)),
            (Type::Pointer(f), Type::Pointer(t)) => {
                self.check_pointer_assignment(&value, f, t, what);
                Ok(self.convert(value, &target))
            }
            (f, Type::Pointer(_)) if f.is_integer() => {
                if !self.is_null(&value) {
                    self.warn_conversion(
                        span,
                        what,
                        "makes a pointer from an integer",
                        &from,
                        &target,
                    );
                }
                Ok(self.convert(value, &target))
            }
            (Type::Pointer(_), t) if t.is_integer() => {
                self.warn_conversion(span, what, "makes an integer from a pointer", &from, &target);
                Ok(self.convert(value, &target))
            }
            _ => {
                let (from, to) = (self.unit.types.name_of(&from), self.unit.types.name(to));
                fail(span, format!("{what} has type `{to}` but the value has type `{from}`"))
            }
        }
    }

    fn warn_conversion(&mut self, span: Span, what: &str, how: &str, from: &Type, to: &Type) {
        let (from, to) = (self.unit.types.name_of(from), self.unit.types.name_of(to));
        self.warn(span, format!("{what}: this {how} without a cast (`{from}` to `{to}`)"));
    }

    fn check_pointer_assignment(
        &mut self,
        value: &Expr,
        from: &QualType,
        to: &QualType,
        what: &str,
    ) {
        if self.is_null(value) {
            return;
        }
        let either_void = from.ty == Type::Void || to.ty == Type::Void;
        if !either_void && !self.similar_pointees(&from.ty, &to.ty) {
            let (from, to) = (self.unit.types.name(from), self.unit.types.name(to));
            self.warn(
                value.span,
                format!("{what}: incompatible pointer types, to `{to}` from `{from}`"),
            );
            return;
        }
        let loses = (from.is_const() && !to.is_const())
            || (from.quals.is_volatile && !to.quals.is_volatile);
        if loses && !matches!(from.ty, Type::Function(_)) {
            let name = self.unit.types.name(from);
            self.warn(value.span, format!("{what}: drops a qualifier of `{name}`"));
        }
    }

    fn similar_pointees(&self, a: &Type, b: &Type) -> bool {
        if self.compatible(a, b) {
            return true;
        }
        // As gcc does without -Wpointer-sign: signedness alone is not a reason to complain.
        match (self.unit.types.without_enum(a), self.unit.types.without_enum(b)) {
            (Type::Int(x), Type::Int(y)) => x.to_unsigned() == y.to_unsigned(),
            _ => false,
        }
    }

    /// Whether two unqualified types are compatible.
    pub fn compatible(&self, a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Pointer(x), Type::Pointer(y)) => self.compatible_qualified(x, y),
            (Type::Array(x, n), Type::Array(y, m)) => {
                self.compatible_qualified(x, y) && (n.is_none() || m.is_none() || n == m)
            }
            (Type::Variable(x, _), Type::Variable(y, _) | Type::Array(y, _))
            | (Type::Array(x, _), Type::Variable(y, _)) => self.compatible_qualified(x, y),
            (Type::Function(x), Type::Function(y)) => self.compatible_functions(x, y),
            (Type::Enum(x), Type::Enum(y)) => x == y || self.is_same_enum_elsewhere(a, b),
            (Type::Record(x), Type::Record(y)) => x == y || self.is_same_elsewhere(*x, *y),
            (Type::Enum(_), Type::Int(_)) | (Type::Int(_), Type::Enum(_)) => {
                self.unit.types.without_enum(a) == self.unit.types.without_enum(b)
            }
            _ => a == b,
        }
    }

    fn compatible_qualified(&self, a: &QualType, b: &QualType) -> bool {
        let same = |f: fn(&QualType) -> bool| f(a) == f(b);
        same(|t| t.quals.is_const)
            && same(|t| t.quals.is_volatile)
            && same(|t| t.quals.is_atomic)
            && self.compatible(&a.ty, &b.ty)
    }

    fn compatible_functions(&self, a: &FunctionType, b: &FunctionType) -> bool {
        if !self.compatible(&a.result.ty, &b.result.ty) {
            return false;
        }
        if a.unprototyped || b.unprototyped {
            return true;
        }
        a.variadic == b.variadic
            && a.params.len() == b.params.len()
            && a.params.iter().zip(&b.params).all(|(x, y)| self.compatible(&x.ty, &y.ty))
    }

    /// The composite of two compatible types: what is known from either.
    pub fn composite(&self, a: &QualType, b: &QualType) -> QualType {
        match (&a.ty, &b.ty) {
            (Type::Array(_, None), Type::Array(_, Some(_))) => b.clone(),
            (Type::Function(x), Type::Function(_)) if x.unprototyped => b.clone(),
            _ => a.clone(),
        }
    }

    /// Notes that the address of a local is used.
    pub fn mark_address_taken(&mut self, place: &Expr) {
        if self.unevaluated > 0 {
            return;
        }
        match &place.kind {
            ExprKind::Local(id) | ExprKind::Literal(id, _) => {
                if let Some(state) = &mut self.function {
                    state.locals[*id].address_taken = true;
                }
            }
            ExprKind::Member { base, .. } => self.mark_address_taken(base),
            _ => {}
        }
    }
}

fn float_kind(ty: &Type) -> Option<FloatKind> {
    match ty {
        Type::Float(kind) => Some(*kind),
        _ => None,
    }
}

/// What an allocation will hold is the pointee of the pointer it is converted to.
pub fn hint_allocation(mut expr: Expr, to: &Type) -> Expr {
    if let ExprKind::Intrinsic(intrinsic) = &mut expr.kind
        && let Intrinsic::Alloc { holds, .. } = &mut **intrinsic
        && let Some(pointee) = to.pointee()
        && pointee.ty != Type::Void
    {
        *holds = Some(pointee.ty.clone());
    }
    expr
}
