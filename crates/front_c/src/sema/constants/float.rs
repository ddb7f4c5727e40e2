//! Floating-point types and constants.
//!
//! `float` and `double` are binary32 and binary64, and a constant of such a type holds its bits;
//! whatever is computed with them before the program runs is computed by [`ir::value`]. Other
//! floating-point types may be named, so that headers which declare `long double strtold(…)` can be
//! read, but nothing can be computed with them: each is a struct of its size with one member that
//! has no name to reach it by, and whatever wants a number from it is refused, as for any struct.
//!
//! Soundness S-015 (run, check, verify; all; refuses): Nothing is computed in formats other than
//! `float` and `double`, and functions of `<math.h>` whose results IEEE 754 does not fix are
//! refused. Test: corpus/bad/float-types.c, corpus/bad/float-functions.c.

use crate::ast::{BinaryOp, RecordKind};
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{Field, FloatKind, IntKind, QualType, Record, RecordBody, Type};
use crate::sema::{Checked, Fail, Sema, fail, refusal};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use ir::locks::Purpose;
use ir::op::{BinaryOp as Op, CastOp, FloatBinary, FloatCast};
use ir::program::Width;
use ir::value::Value;
use std::rc::Rc;

impl Sema<'_> {
    /// The type that `name` (`double`, `_Float128`) stands for; refuses what has no such size.
    pub fn float_type(&mut self, name: &Rc<str>, span: Span) -> Checked<Type> {
        if let Some(&known) = self.floats.get(name) {
            return Ok(Type::Record(known));
        }
        let bits = match &**name {
            "float" | "_Float32" => return Ok(Type::Float(FloatKind::Float)),
            "double" | "_Float64" | "_Float32x" => return Ok(Type::DOUBLE),
            "_Float16" | "__fp16" | "__bf16" => IntKind::UShort,
            "_Decimal32" => IntKind::UInt,
            "_Decimal64" => IntKind::ULong,
            "long double" | "_Float64x" | "_Float128" | "__float128" | "__float80"
            | "_Decimal128" => IntKind::UInt128,
            _ => return Err(unsupported(name, span)),
        };
        let size = u64::from(bits.bits()) / 8;
        let field = Field {
            name: Some("".into()),
            ty: Type::Int(bits).into(),
            offset: 0,
            bits: None,
            purpose: Purpose::Data,
            span,
        };
        let id = self.unit.types.records.push(Record {
            kind: RecordKind::Struct,
            tag: None,
            alias: Some(name.clone()),
            transparent: false,
            body: Some(RecordBody { fields: vec![field], size, align: size }),
            span,
        });
        self.floats.insert(name.clone(), id);
        Ok(Type::Record(id))
    }

    /// Refuses a type that stands for floating-point numbers which cannot be computed with, or an
    /// array of it, where there would be a value.
    pub fn refuse_float(&self, ty: &QualType, span: Span) -> Checked<()> {
        match &ty.ty {
            Type::Array(element, _) => self.refuse_float(element, span),
            Type::Record(id) if self.floats.values().any(|float| float == id) => {
                Err(unsupported(&self.unit.types.name_of(&ty.ty), span))
            }
            _ => Ok(()),
        }
    }

    /// A floating constant.
    pub fn float_constant(&self, text: &str, span: Span) -> Checked<Expr> {
        match crate::sema::constants::float_literal::read(text) {
            Ok((bits, kind)) => Ok(Expr::constant(bits, Type::Float(kind), span)),
            Err(suffix) if suffix.eq_ignore_ascii_case("l") => {
                Err(unsupported("long double", span))
            }
            Err("") => fail(span, "this is not a floating constant"),
            Err(suffix) => fail(span, format!("invalid suffix `{suffix}` on floating constant")),
        }
    }

    /// What a condition asks of a value: of a floating-point number, whether it is not zero.
    pub fn truth(&self, value: Expr) -> Expr {
        if !value.ty.ty.is_float() {
            return value;
        }
        let span = value.span;
        let zero = Expr::constant(0, value.ty.ty.clone(), span);
        let kind = ExprKind::Binary(BinaryOp::Ne, Box::new(value), Box::new(zero));
        self.fold(Expr { kind, ty: Type::INT.into(), span })
    }

    /// The bits of `a op b` of two constants of one floating-point type; 0 or 1 for a comparison.
    pub fn float_binary(&self, op: BinaryOp, a: u128, b: u128, kind: FloatKind) -> Option<u128> {
        let (op, swap, negate) = operation(op)?;
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let value = |bits| Value::int(kind.width(), bits);
        let result = value(a).binary(Op::Float(op), value(b)).ok()?;
        Some(result.bits ^ u128::from(negate))
    }

    /// Converts the bits of a constant to or from a floating-point type; `None` where there is no
    /// such number, or where no floating-point type is concerned.
    pub fn convert_float(&self, bits: u128, from: &Type, to: &Type) -> Option<u128> {
        let (op, to) = self.unit.types.float_conversion(from, to)?;
        let from = match from {
            Type::Float(kind) => kind.width(),
            other => Width::from_bits(self.unit.types.integer(other)?.0)?,
        };
        let result = Value::int(from, bits).cast(CastOp::Float(op), to);
        result.is_defined().then_some(result.bits)
    }
}

impl crate::sema::types::Types {
    /// How a number is converted to or from a floating-point type, and the width of the result.
    pub fn float_conversion(&self, from: &Type, to: &Type) -> Option<(FloatCast, Width)> {
        Some(match (from, to) {
            (Type::Float(_), Type::Float(kind)) => (FloatCast::Resize, kind.width()),
            (from, Type::Float(kind)) => match self.integer(from)?.1 {
                true => (FloatCast::FromSigned, kind.width()),
                false => (FloatCast::FromUnsigned, kind.width()),
            },
            (Type::Float(_), to) => {
                let (bits, signed) = self.integer(to)?;
                let op = if signed { FloatCast::ToSigned } else { FloatCast::ToUnsigned };
                (op, Width::from_bits(bits)?)
            }
            _ => return None,
        })
    }
}

/// The operation that an operator is on floating-point numbers, whether its operands change places,
/// and whether the opposite of the result is meant.
pub fn operation(op: BinaryOp) -> Option<(FloatBinary, bool, bool)> {
    Some(match op {
        BinaryOp::Add => (FloatBinary::Add, false, false),
        BinaryOp::Sub => (FloatBinary::Sub, false, false),
        BinaryOp::Mul => (FloatBinary::Mul, false, false),
        BinaryOp::Div => (FloatBinary::Div, false, false),
        BinaryOp::Rem => (FloatBinary::Rem, false, false),
        BinaryOp::Eq => (FloatBinary::Eq, false, false),
        BinaryOp::Ne => (FloatBinary::Eq, false, true),
        BinaryOp::Lt => (FloatBinary::Lt, false, false),
        BinaryOp::Le => (FloatBinary::Le, false, false),
        BinaryOp::Gt => (FloatBinary::Lt, true, false),
        BinaryOp::Ge => (FloatBinary::Le, true, false),
        BinaryOp::Shl | BinaryOp::Shr | BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr => {
            return None;
        }
    })
}

/// The bit that is the sign of a number.
pub fn sign_bit(kind: FloatKind) -> u128 {
    1 << (kind.width().bits() - 1)
}

fn unsupported(name: &str, span: Span) -> Fail {
    let message = Diagnostic::error(span, format!("`{name}` is not supported"));
    refusal(message.note(
        "Fencepost computes with `float` and `double`; other such types can only be declared",
    ))
}
