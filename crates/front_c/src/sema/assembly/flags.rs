//! The flags of x86: how an instruction sets them, and what conditions make of it
//! (Intel's manual, volume 1, appendix B, "EFLAGS condition codes").

use super::{Assembly, Sema, binary, signed};
use crate::ast::BinaryOp;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::Type;
use crate::sema::{Checked, refuse};
use ir::machine::x86::{self, Condition};

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
        let known = x86::condition(name).zip(at.flags.clone());
        let known = known.and_then(|((condition, negated), flags)| {
            self.holds(flags, condition).map(|holds| (holds, negated))
        });
        let Some((holds, negated)) = known else {
            return refuse(at.span, format!("the flags of `{name}` are not known here"));
        };
        if !negated {
            return Ok(holds);
        }
        let span = holds.span;
        Ok(Expr { kind: ExprKind::Not(Box::new(holds)), ty: Type::INT.into(), span })
    }

    fn holds(&self, flags: Flags, condition: Condition) -> Option<Expr> {
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
        Some(match (condition, flags) {
            (Condition::Equal, Flags::Difference(a, b)) => compare(Eq, a, b),
            (Condition::Below, Flags::Difference(a, b)) => compare(Lt, a, b),
            (Condition::BelowOrEqual, Flags::Difference(a, b)) => compare(Le, a, b),
            (Condition::Less, Flags::Difference(a, b)) => compare(Lt, as_signed(a)?, as_signed(b)?),
            (Condition::LessOrEqual, Flags::Difference(a, b)) => {
                compare(Le, as_signed(a)?, as_signed(b)?)
            }
            (Condition::Negative, Flags::Difference(a, b)) => {
                negative(binary(BinaryOp::Sub, a, b))?
            }
            (Condition::Below, Flags::Sum(sum, one)) => compare(Lt, sum, one),
            (Condition::Below, Flags::Bits(value)) => Expr::constant(0, Type::INT, value.span),
            (Condition::Below, Flags::Carry(value)) => {
                let zero = zero(&value);
                compare(Ne, value, zero)
            }
            (
                Condition::Equal,
                Flags::Sum(value, _) | Flags::Result(value) | Flags::Bits(value),
            ) => {
                let zero = zero(&value);
                compare(Eq, value, zero)
            }
            (
                Condition::Negative,
                Flags::Sum(value, _) | Flags::Result(value) | Flags::Bits(value),
            ) => negative(value)?,
            _ => return None,
        })
    }
}
