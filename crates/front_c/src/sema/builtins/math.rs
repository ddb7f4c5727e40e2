//! The built-in functions on floating-point numbers whose results IEEE 754 fixes.

use crate::ast::{self, BinaryOp};
use crate::sema::atomics::{intrinsic, wrong_count};
use crate::sema::tree::{Expr, ExprKind, Intrinsic};
use crate::sema::types::{FloatKind, Type};
use crate::sema::{Checked, Sema};
use execution::span::Span;
use ir::op::FloatUnary;

impl Sema<'_> {
    /// `__builtin_sqrt` and its kin, by the name after the prefix; `None` for other names.
    pub fn math_builtin(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        let class = matches!(name, "isnan" | "isinf" | "isfinite");
        let (base, kind) = match name.strip_suffix('f').filter(|base| is_known(base)) {
            Some(base) => (base, FloatKind::Float),
            None if is_known(name) || class => (name, FloatKind::Double),
            None => return Ok(None),
        };
        let ty = Type::Float(kind);
        Ok(Some(match (base, args) {
            ("inf" | "huge_val", []) => infinity(kind, span),
            // The one that operations give, whatever the text asks for.
            ("nan", [_]) => {
                let bits = self.float_binary(BinaryOp::Div, 0, 0, kind);
                Expr::constant(bits.unwrap_or_default(), ty, span)
            }
            ("fmod", [a, b]) => {
                let (a, b) = (self.float_argument(a, &ty)?, self.float_argument(b, &ty)?);
                let kind = ExprKind::Binary(BinaryOp::Rem, Box::new(a), Box::new(b));
                self.fold(Expr { kind, ty: ty.into(), span })
            }
            ("fabs", [a]) => {
                let a = self.float_argument(a, &ty)?;
                magnitude(a, span)
            }
            (class @ ("isnan" | "isinf" | "isfinite"), [a]) => {
                let value = self.value(a)?;
                let ty = if value.ty.ty.is_float() { value.ty.ty.clone() } else { Type::DOUBLE };
                let value = self.assign_to(value, &ty.into(), "the argument")?;
                self.classify(class, value, span)
            }
            (base, args) => match (operation(base), args) {
                (Some(op), [a]) => {
                    let a = self.float_argument(a, &ty)?;
                    intrinsic(Intrinsic::Float(op, a), ty, span)
                }
                _ => return wrong_count(&format!("__builtin_{name}"), span),
            },
        }))
    }

    fn float_argument(&mut self, arg: &ast::Expr, ty: &Type) -> Checked<Expr> {
        let value = self.value(arg)?;
        self.assign_to(value, &ty.clone().into(), "the argument")
    }

    /// Where a number is on the scale from zero to infinity; a NaN is nowhere.
    fn classify(&self, class: &str, value: Expr, span: Span) -> Expr {
        let Type::Float(kind) = value.ty.ty else { return value };
        let op = match class {
            "isinf" => BinaryOp::Eq,
            "isfinite" => BinaryOp::Lt,
            _ => BinaryOp::Le,
        };
        let (value, limit) = (magnitude(value, span), infinity(kind, span));
        let kind = ExprKind::Binary(op, Box::new(value), Box::new(limit));
        let holds = Expr { kind, ty: Type::INT.into(), span };
        match class {
            "isnan" => Expr { kind: ExprKind::Not(Box::new(holds)), ty: Type::INT.into(), span },
            _ => holds,
        }
    }
}

/// Whether there is such a function, for `double` and with an `f` for `float`.
fn is_known(name: &str) -> bool {
    matches!(name, "inf" | "huge_val" | "nan" | "fmod" | "fabs") || operation(name).is_some()
}

fn operation(name: &str) -> Option<FloatUnary> {
    Some(match name {
        "sqrt" => FloatUnary::Sqrt,
        "floor" => FloatUnary::Floor,
        "ceil" => FloatUnary::Ceil,
        "round" => FloatUnary::Round,
        "rint" | "nearbyint" | "roundeven" => FloatUnary::RoundEven,
        "trunc" => FloatUnary::Trunc,
        _ => return None,
    })
}

fn magnitude(value: Expr, span: Span) -> Expr {
    let ty = value.ty.ty.clone();
    intrinsic(Intrinsic::Magnitude(value), ty, span)
}

fn infinity(kind: FloatKind, span: Span) -> Expr {
    let bits: u128 = match kind {
        FloatKind::Float => f32::INFINITY.to_bits().into(),
        FloatKind::Double => f64::INFINITY.to_bits().into(),
    };
    Expr::constant(bits, Type::Float(kind), span)
}
