//! Constants: folding of operators on constants, and values known before the program runs.

pub mod arith;
pub mod float;
pub mod float_literal;

use crate::ast::{self, BinaryOp};
use crate::sema::declarations::is_fixed;
use crate::sema::tree::{Expr, ExprKind, FunctionId, ObjectId, StaticData, StaticInit};
use crate::sema::types::{IntKind, Type};
use crate::sema::{Checked, Sema, fail};

/// A value that is known before the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constant {
    /// A number, of the width of its type.
    Int(u128),
    /// The address of an object plus an offset.
    Object(ObjectId, i64),
    /// The address of a function.
    Function(FunctionId),
}

impl Constant {
    fn plus(self, bytes: i128) -> Option<Constant> {
        match self {
            Constant::Int(bits) => {
                Some(Constant::Int(bits.wrapping_add(bytes as u128) & arith::mask(64)))
            }
            Constant::Object(id, offset) => Some(Constant::Object(
                id,
                i64::try_from(i128::from(offset).checked_add(bytes)?).ok()?,
            )),
            Constant::Function(_) => (bytes == 0).then_some(self),
        }
    }

    fn is_true(self) -> bool {
        self != Constant::Int(0)
    }
}

impl Sema<'_> {
    /// The width in bits and sign of a scalar type.
    pub fn scalar(&self, ty: &Type) -> Option<(u32, bool)> {
        match ty {
            Type::Pointer(_) => Some((64, false)),
            other => self.unit.types.integer(other),
        }
    }

    /// Converts the bits of a constant from one scalar type to another.
    pub fn convert_bits(&self, bits: u128, from: &Type, to: &Type) -> Option<u128> {
        if from.is_float() || to.is_float() {
            return self.convert_float(bits, from, to);
        }
        let (from_width, from_signed) = self.scalar(from)?;
        let (to_width, _) = self.scalar(to)?;
        if matches!(to, Type::Int(IntKind::Bool)) {
            return Some(u128::from(bits != 0));
        }
        let wide = if from_signed { arith::signed(bits, from_width) as u128 } else { bits };
        Some(wide & arith::mask(to_width))
    }

    /// Replaces an operator on constants by its result, unless that overflows: then the
    /// operation stays in the program, where it can be a finding.
    pub fn fold(&self, expr: Expr) -> Expr {
        let folded = match &expr.kind {
            ExprKind::Binary(_, a, b) if a.as_const().is_none() || b.as_const().is_none() => None,
            ExprKind::Binary(op, a, b) => self
                .fold_binary(*op, a, b)
                .filter(|outcome| !outcome.overflow)
                .map(|outcome| outcome.bits),
            ExprKind::Convert { value, .. } => {
                value.as_const().and_then(|bits| self.convert_bits(bits, &value.ty.ty, &expr.ty.ty))
            }
            ExprKind::Negate(value) => value.as_const().and_then(|bits| {
                if let Type::Float(kind) = value.ty.ty {
                    return Some(bits ^ float::sign_bit(kind));
                }
                let (width, is_signed) = self.scalar(&value.ty.ty)?;
                let outcome = arith::binary(BinaryOp::Sub, 0, bits, width, is_signed)?;
                (!outcome.overflow).then_some(outcome.bits)
            }),
            ExprKind::BitNot(value) => value
                .as_const()
                .and_then(|bits| Some(!bits & arith::mask(self.scalar(&value.ty.ty)?.0))),
            ExprKind::Not(value) => value.as_const().map(|bits| u128::from(bits == 0)),
            _ => None,
        };
        match folded {
            Some(bits) => Expr { kind: ExprKind::Const(bits), ..expr },
            None => expr,
        }
    }

    /// The value of a `const` integer that was initialised with a constant. C does not count it
    /// among the constants, but gcc knows it, and programs have arrays of such a length.
    fn fixed_value(&self, place: &Expr) -> Option<u128> {
        match place.kind {
            ExprKind::Local(id) => self.function.as_ref()?.locals[id].known,
            ExprKind::Object(id) => {
                let object = &self.unit.objects[id];
                let init = object.init.as_ref().filter(|_| is_fixed(&object.ty))?;
                match init.as_slice() {
                    [] => Some(0),
                    [StaticInit { offset: 0, data: StaticData::Bytes(bytes) }] => {
                        let size = self.unit.types.size_of(&object.ty.ty)?;
                        let whole = bytes.len() as u64 == size;
                        whole.then(|| {
                            bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte))
                        })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn fold_binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<arith::Computed> {
        if let Type::Float(kind) = a.ty.ty {
            let bits = self.float_binary(op, a.as_const()?, b.as_const()?, kind)?;
            return Some(arith::Computed { bits, overflow: false });
        }
        let (width, is_signed) = self.scalar(&a.ty.ty)?;
        arith::binary(op, a.as_const()?, b.as_const()?, width, is_signed)
    }

    /// The constant that a value is, if it is one.
    pub fn constant(&self, expr: &Expr) -> Option<Constant> {
        use Constant::Int;
        Some(match &expr.kind {
            ExprKind::Const(bits) => Int(*bits),
            ExprKind::Function(id) => Constant::Function(*id),
            ExprKind::Load(place) => Int(self.fixed_value(place)?),
            ExprKind::AddressOf(inner) | ExprKind::Decay(inner) => self.constant_address(inner)?,
            ExprKind::Convert { value, .. } => self.constant_conversion(value, &expr.ty.ty)?,
            ExprKind::Negate(value) if expr.ty.ty.is_float() => {
                let Type::Float(kind) = value.ty.ty else { return None };
                Int(self.constant_bits(value)? ^ float::sign_bit(kind))
            }
            ExprKind::Negate(value) => {
                let (width, _) = self.scalar(&expr.ty.ty)?;
                Int(self.constant_bits(value)?.wrapping_neg() & arith::mask(width))
            }
            ExprKind::BitNot(value) => {
                let (width, _) = self.scalar(&expr.ty.ty)?;
                Int(!self.constant_bits(value)? & arith::mask(width))
            }
            ExprKind::Not(value) => Int(u128::from(!self.constant(value)?.is_true())),
            ExprKind::Binary(op, a, b) => self.constant_binary(*op, a, b)?,
            ExprKind::PointerAdd { pointer, index, minus } => {
                let bytes = self.constant_scaled(pointer, index)?;
                self.constant(pointer)?.plus(if *minus { -bytes } else { bytes })?
            }
            ExprKind::PointerDiff(a, b) => {
                let size = self.pointee_size(&a.ty.ty)?.max(1);
                let bytes = match (self.constant(a)?, self.constant(b)?) {
                    (Constant::Object(x, i), Constant::Object(y, j)) if x == y => {
                        i.checked_sub(j)?
                    }
                    (Int(x), Int(y)) => x.wrapping_sub(y) as i64,
                    _ => return None,
                };
                Int((bytes / i64::try_from(size).ok()?) as u64 as u128)
            }
            ExprKind::And(a, b) => {
                Int(u128::from(self.constant(a)?.is_true() && self.constant(b)?.is_true()))
            }
            ExprKind::Or(a, b) => {
                Int(u128::from(self.constant(a)?.is_true() || self.constant(b)?.is_true()))
            }
            ExprKind::Conditional(cond, then, otherwise) => {
                let taken = if self.constant(cond)?.is_true() { then } else { otherwise };
                self.constant(taken)?
            }
            ExprKind::Elvis(value, otherwise) => {
                if self.constant(value)?.is_true() {
                    self.constant_conversion(value, &expr.ty.ty)?
                } else {
                    self.constant(otherwise)?
                }
            }
            _ => return None,
        })
    }

    fn constant_bits(&self, expr: &Expr) -> Option<u128> {
        match self.constant(expr)? {
            Constant::Int(bits) => Some(bits),
            _ => None,
        }
    }

    fn constant_conversion(&self, value: &Expr, to: &Type) -> Option<Constant> {
        let constant = self.constant(value)?;
        match constant {
            Constant::Int(bits) => self.convert_bits(bits, &value.ty.ty, to).map(Constant::Int),
            _ if matches!(to, Type::Int(IntKind::Bool)) => Some(Constant::Int(1)),
            _ => (self.scalar(to)?.0 == 64).then_some(constant),
        }
    }

    fn constant_binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Constant> {
        if let Type::Float(kind) = a.ty.ty {
            let (x, y) = (self.constant_bits(a)?, self.constant_bits(b)?);
            return self.float_binary(op, x, y, kind).map(Constant::Int);
        }
        let (width, is_signed) = self.scalar(&a.ty.ty)?;
        match (self.constant(a)?, self.constant(b)?) {
            (Constant::Int(x), Constant::Int(y)) => {
                Some(Constant::Int(arith::binary(op, x, y, width, is_signed)?.bits))
            }
            // An integer that holds an address may still be moved by a constant.
            (address, Constant::Int(y)) if op == BinaryOp::Add => {
                address.plus(arith::signed(y, width))
            }
            (Constant::Int(x), address) if op == BinaryOp::Add => {
                address.plus(arith::signed(x, width))
            }
            (address, Constant::Int(y)) if op == BinaryOp::Sub => {
                address.plus(-arith::signed(y, width))
            }
            (Constant::Object(x, i), Constant::Object(y, j)) if x == y => {
                let outcome = arith::binary(op, i as u128, j as u128, 64, true)?;
                Some(Constant::Int(outcome.bits))
            }
            (x, y) => match op {
                BinaryOp::Eq => Some(Constant::Int(u128::from(x == y))),
                BinaryOp::Ne => Some(Constant::Int(u128::from(x != y))),
                _ => None,
            },
        }
    }

    fn constant_scaled(&self, pointer: &Expr, index: &Expr) -> Option<i128> {
        let (width, is_signed) = self.scalar(&index.ty.ty)?;
        let bits = self.constant_bits(index)?;
        let index = if is_signed { arith::signed(bits, width) } else { bits as i128 };
        index.checked_mul(i128::from(self.pointee_size(&pointer.ty.ty)?))
    }

    /// The size of what a pointer steps over; one for `void *` and pointers to functions.
    pub fn pointee_size(&self, pointer: &Type) -> Option<u64> {
        match &pointer.pointee()?.ty {
            Type::Void | Type::Function(_) => Some(1),
            other => self.unit.types.size_of(other),
        }
    }

    /// The address of an lvalue, where it is known before the program runs.
    fn constant_address(&self, place: &Expr) -> Option<Constant> {
        match &place.kind {
            ExprKind::Object(id) if !self.unit.objects[*id].thread_local => {
                Some(Constant::Object(*id, 0))
            }
            ExprKind::Function(id) => Some(Constant::Function(*id)),
            ExprKind::Deref(pointer) => self.constant(pointer),
            ExprKind::Index(pointer, index) => {
                self.constant(pointer)?.plus(self.constant_scaled(pointer, index)?)
            }
            ExprKind::Member { base, offset, .. } => {
                self.constant_address(base)?.plus(i128::from(*offset))
            }
            _ => None,
        }
    }

    /// Checks an integer constant expression: its bits and type.
    pub fn integer_constant(&mut self, expr: &ast::Expr, what: &str) -> Checked<(u128, Type)> {
        let value = self.value(expr)?;
        if !value.ty.ty.is_integer() {
            return fail(expr.span, format!("{what} must be an integer constant"));
        }
        match self.constant(&value) {
            Some(Constant::Int(bits)) => Ok((bits, value.ty.ty)),
            _ => fail(expr.span, format!("{what} must be an integer constant")),
        }
    }

    /// Checks an integer constant expression: its number.
    pub fn integer_number(&mut self, expr: &ast::Expr, what: &str) -> Checked<i128> {
        let (bits, ty) = self.integer_constant(expr, what)?;
        let (width, is_signed) = self.scalar(&ty).unwrap_or((32, true));
        Ok(if is_signed { arith::signed(bits, width) } else { bits as i128 })
    }
}
