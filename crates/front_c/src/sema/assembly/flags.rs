//! The flags of x86: how an instruction sets them, and what conditions make of it
//! (Intel's manual, volume 1, appendix B, "EFLAGS condition codes").

use super::{Assembly, Sema, binary, signed};
use crate::ast::BinaryOp;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::Type;
use crate::sema::{Checked, refuse};

/// What is known about the flags. Values are of unsigned types.
#[derive(Clone)]
pub(super) enum Flags {
    /// Those of a subtraction: all conditions but overflow itself can be computed.
    Difference(Expr, Expr),
    /// Those of an addition: its result, and one of its operands.
    Sum(Expr, Expr),
    /// Zero and sign are those of a value.
    Result(Expr),
    /// Zero and sign are those of a value, and carry is clear.
    Bits(Expr),
    /// Carry is whether a value is not zero; nothing else is known.
    Carry(Expr),
}

impl Sema<'_> {
    /// Whether a condition holds, as an `int`.
    pub(super) fn condition(&mut self, at: &Assembly, name: &str) -> Checked<Expr> {
        let (canonical, negated) = match name {
            "ne" | "nz" => ("e", true),
            "ns" => ("s", true),
            "nc" | "ae" | "nb" => ("b", true),
            "a" | "nbe" => ("be", true),
            "ge" | "nl" => ("l", true),
            "g" | "nle" => ("le", true),
            "z" => ("e", false),
            "c" | "nae" => ("b", false),
            "na" => ("be", false),
            "nge" => ("l", false),
            "ng" => ("le", false),
            other => (other, false),
        };
        let Some(holds) = at.flags.clone().and_then(|flags| self.holds(flags, canonical)) else {
            return refuse(at.span, format!("the flags of `{name}` are not known here"));
        };
        if !negated {
            return Ok(holds);
        }
        let span = holds.span;
        Ok(Expr { kind: ExprKind::Not(Box::new(holds)), ty: Type::INT.into(), span })
    }

    fn holds(&self, flags: Flags, name: &str) -> Option<Expr> {
        use BinaryOp::{Eq, Le, Lt, Ne};
        let compare = |op, a: Expr, b: Expr| {
            let mut result = binary(op, a, b);
            result.ty = Type::INT.into();
            result
        };
        let zero = |like: &Expr| Expr::constant(0, like.ty.ty.clone(), like.span);
        let as_signed = |value: Expr| {
            let size = self.unit.types.size_of(&value.ty.ty)?;
            Some(self.convert(value, &signed(size)?))
        };
        let negative = |value: Expr| {
            let value = as_signed(value)?;
            let zero = zero(&value);
            Some(compare(Lt, value, zero))
        };
        Some(match (name, flags) {
            ("e", Flags::Difference(a, b)) => compare(Eq, a, b),
            ("b", Flags::Difference(a, b)) => compare(Lt, a, b),
            ("be", Flags::Difference(a, b)) => compare(Le, a, b),
            ("l", Flags::Difference(a, b)) => compare(Lt, as_signed(a)?, as_signed(b)?),
            ("le", Flags::Difference(a, b)) => compare(Le, as_signed(a)?, as_signed(b)?),
            ("s", Flags::Difference(a, b)) => negative(binary(BinaryOp::Sub, a, b))?,
            ("b", Flags::Sum(sum, one)) => compare(Lt, sum, one),
            ("b", Flags::Bits(value)) => Expr::constant(0, Type::INT, value.span),
            ("b", Flags::Carry(value)) => {
                let zero = zero(&value);
                compare(Ne, value, zero)
            }
            ("e", Flags::Sum(value, _) | Flags::Result(value) | Flags::Bits(value)) => {
                let zero = zero(&value);
                compare(Eq, value, zero)
            }
            ("s", Flags::Sum(value, _) | Flags::Result(value) | Flags::Bits(value)) => {
                negative(value)?
            }
            _ => return None,
        })
    }
}
