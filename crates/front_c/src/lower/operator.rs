//! Arithmetic, comparisons and conditions.
//!
//! Soundness S-023 (run, check, verify; all; misses): Differences of pointers into different
//! objects are not findings, nor is `memcpy` between ranges that overlap. Test:
//! corpus/verify/approximations/differences_and_overlaps.c.

use super::function::Lower;
use crate::ast::BinaryOp as Source;
use crate::sema::constants::float::{operation, sign_bit};
use crate::sema::tree::{Expr, ExprKind, Intrinsic};
use crate::sema::types::Type;
use execution::span::Span;
use ir::op::{BinaryOp, CastOp, FloatBinary, Op, Operand, Terminator, UnaryOp};
use ir::program::{BlockId, Width};

impl Lower<'_, '_> {
    /// Whether a type is a signed integer type.
    pub fn is_signed(&self, ty: &Type) -> bool {
        self.program.unit.types.integer(ty).is_some_and(|(_, signed)| signed)
    }

    /// `-e`, `~e`, `a op b`, pointer arithmetic; comparisons give an `int`.
    pub fn arithmetic(&mut self, expr: &Expr) -> Operand {
        match &expr.kind {
            ExprKind::Negate(value) | ExprKind::BitNot(value) => {
                let a = self.value(value);
                self.at(expr.span);
                if let Type::Float(kind) = expr.ty.ty {
                    let sign = Operand::int(kind.width(), sign_bit(kind));
                    return self.binary(BinaryOp::Xor, a, sign, false);
                }
                let negate = matches!(expr.kind, ExprKind::Negate(_));
                let dst = self.temp(self.operand_width(a));
                let op = if negate { UnaryOp::Neg } else { UnaryOp::Not };
                let checked = negate && self.is_signed(&expr.ty.ty);
                self.emit(Op::Unary { dst, op, a, checked });
                Operand::Reg(dst)
            }
            ExprKind::Binary(op, a, b) => {
                let ty = a.ty.ty.clone();
                let (x, y) = self.operands(a, b);
                self.at(expr.span);
                let result = self.operate(*op, x, y, &ty, &b.ty.ty);
                if is_comparison(*op) {
                    self.cast(CastOp::ZeroExtend, result, Width::I32)
                } else {
                    result
                }
            }
            ExprKind::PointerAdd { pointer, index, minus } => {
                let base = self.value(pointer);
                let size = self.pointee_size(&pointer.ty.ty);
                self.indexed(base, index, size, *minus)
            }
            ExprKind::PointerDiff(a, b) => {
                let size = self.pointee_size(&a.ty.ty);
                let (a, b) = self.operands(a, b);
                self.at(expr.span);
                let bytes = self.binary(BinaryOp::Sub, a, b, false);
                match size {
                    1 => bytes,
                    _ => {
                        let size = Operand::int(Width::PTR, u128::from(size));
                        self.binary(BinaryOp::SDiv, bytes, size, false)
                    }
                }
            }
            _ => self.value(expr),
        }
    }

    /// Both operands, from left to right. A variable on the left is read before the right side
    /// changes it.
    fn operands(&mut self, a: &Expr, b: &Expr) -> (Operand, Operand) {
        let x = self.value(a);
        let x = if has_effects(b) { self.frozen(x) } else { x };
        let y = self.value(b);
        (x, y)
    }

    /// `x op y` on values of a type; a comparison gives one bit.
    pub fn operate(
        &mut self,
        op: Source,
        x: Operand,
        y: Operand,
        ty: &Type,
        right: &Type,
    ) -> Operand {
        if ty.is_float()
            && let Some(operation) = operation(op)
        {
            return self.operate_float(operation, x, y);
        }
        let signed = self.is_signed(ty);
        let (op, swap) = match op {
            Source::Mul => (BinaryOp::Mul, false),
            Source::Div => (if signed { BinaryOp::SDiv } else { BinaryOp::UDiv }, false),
            Source::Rem => (if signed { BinaryOp::SRem } else { BinaryOp::URem }, false),
            Source::Add => (BinaryOp::Add, false),
            Source::Sub => (BinaryOp::Sub, false),
            Source::Shl => (BinaryOp::Shl, false),
            Source::Shr => (if signed { BinaryOp::AShr } else { BinaryOp::LShr }, false),
            Source::Lt => (if signed { BinaryOp::Slt } else { BinaryOp::Ult }, false),
            Source::Gt => (if signed { BinaryOp::Slt } else { BinaryOp::Ult }, true),
            Source::Le => (if signed { BinaryOp::Sle } else { BinaryOp::Ule }, false),
            Source::Ge => (if signed { BinaryOp::Sle } else { BinaryOp::Ule }, true),
            Source::Eq => (BinaryOp::Eq, false),
            Source::Ne => (BinaryOp::Ne, false),
            Source::BitAnd => (BinaryOp::And, false),
            Source::BitXor => (BinaryOp::Xor, false),
            Source::BitOr => (BinaryOp::Or, false),
        };
        let y = match op {
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                let width = self.operand_width(x);
                let from = self.operand_width(y);
                let cast = match (width < from, self.is_signed(right)) {
                    (true, _) => CastOp::Truncate,
                    (false, true) => CastOp::SignExtend,
                    (false, false) => CastOp::ZeroExtend,
                };
                self.cast(cast, y, width)
            }
            _ => y,
        };
        let checked = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => signed,
            _ => false,
        };
        let (x, y) = if swap { (y, x) } else { (x, y) };
        self.binary(op, x, y, checked)
    }

    fn operate_float(
        &mut self,
        (op, swap, negate): (FloatBinary, bool, bool),
        x: Operand,
        y: Operand,
    ) -> Operand {
        let (x, y) = if swap { (y, x) } else { (x, y) };
        let result = self.binary(BinaryOp::Float(op), x, y, false);
        match negate {
            true => self.binary(BinaryOp::Xor, result, Operand::int(Width::BOOL, 1), false),
            false => result,
        }
    }

    /// One bit: whether a value is not zero.
    pub fn is_true(&mut self, value: Operand) -> Operand {
        let width = self.operand_width(value);
        match value {
            Operand::Int { bits, .. } => Operand::int(Width::BOOL, u128::from(bits != 0)),
            _ if width == Width::BOOL => value,
            _ => self.binary(BinaryOp::Ne, value, Operand::int(width, 0), false),
        }
    }

    /// One bit: whether a scalar expression is not zero.
    pub fn condition(&mut self, expr: &Expr) -> Operand {
        match &expr.kind {
            ExprKind::Binary(op, a, b) if is_comparison(*op) => {
                let ty = a.ty.ty.clone();
                let (x, y) = self.operands(a, b);
                self.at(expr.span);
                self.operate(*op, x, y, &ty, &b.ty.ty)
            }
            ExprKind::Not(inner) => {
                if let Some(inner) = is_truth(inner) {
                    let truth = self.condition(inner);
                    self.at(expr.span);
                    return self.binary(BinaryOp::Xor, truth, Operand::int(Width::BOOL, 1), false);
                }
                let value = self.value(inner);
                self.at(expr.span);
                let width = self.operand_width(value);
                self.binary(BinaryOp::Eq, value, Operand::int(width, 0), false)
            }
            ExprKind::And(..) | ExprKind::Or(..) => self.logical(expr),
            ExprKind::Convert { value, .. } if self.keeps_truth(value, &expr.ty.ty) => {
                self.condition(value)
            }
            _ => {
                let value = self.value(expr);
                self.at(expr.span);
                self.is_true(value)
            }
        }
    }

    /// Whether a conversion cannot turn something else into zero.
    fn keeps_truth(&self, value: &Expr, to: &Type) -> bool {
        value.ty.ty.is_scalar()
            && to.is_scalar()
            && !value.ty.ty.is_float()
            && (*to == Type::BOOL || self.width(to) >= self.width(&value.ty.ty))
    }

    /// `a && b`, `a || b` as a value: one bit.
    fn logical(&mut self, expr: &Expr) -> Operand {
        let dst = self.temp(Width::BOOL);
        let (yes, no, end) = (self.out.new_block(), self.out.new_block(), self.out.new_block());
        self.branch(expr, yes, no);
        for (block, bit) in [(yes, 1), (no, 0)] {
            self.out.switch_to(block);
            self.at(expr.span);
            self.emit(Op::Copy { dst, src: Operand::int(Width::BOOL, bit) });
            self.jump(end);
        }
        self.out.switch_to(end);
        Operand::Reg(dst)
    }

    /// Goes to one of two blocks.
    pub fn branch(&mut self, cond: &Expr, then: BlockId, otherwise: BlockId) {
        match &cond.kind {
            ExprKind::Const(bits) => {
                self.at(cond.span);
                self.terminate(Terminator::Jump(if *bits != 0 { then } else { otherwise }));
            }
            ExprKind::Intrinsic(known) if matches!(**known, Intrinsic::HasDestructors) => {
                self.at(cond.span);
                let has = self.program.unit.destructors;
                self.terminate(Terminator::Jump(if has { then } else { otherwise }));
            }
            ExprKind::Not(inner) => self.branch(inner, otherwise, then),
            ExprKind::And(a, b) => {
                let next = self.out.new_block();
                self.branch(a, next, otherwise);
                self.out.switch_to(next);
                self.branch(b, then, otherwise);
            }
            ExprKind::Or(a, b) => {
                let next = self.out.new_block();
                self.branch(a, then, next);
                self.out.switch_to(next);
                self.branch(b, then, otherwise);
            }
            ExprKind::Convert { value, .. } if self.keeps_truth(value, &cond.ty.ty) => {
                self.branch(value, then, otherwise);
            }
            _ => {
                let span: Span = cond.span;
                let cond = self.condition(cond);
                self.at(span);
                self.terminate(match cond {
                    Operand::Int { bits, .. } => {
                        Terminator::Jump(if bits != 0 { then } else { otherwise })
                    }
                    cond => Terminator::Branch { cond, then, otherwise },
                });
            }
        }
    }
}

/// Whether an operator compares.
pub fn is_comparison(op: Source) -> bool {
    matches!(op, Source::Lt | Source::Gt | Source::Le | Source::Ge | Source::Eq | Source::Ne)
}

/// The expression itself, if it is zero or one by its form.
fn is_truth(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => Some(expr),
        ExprKind::Binary(op, ..) if is_comparison(*op) => Some(expr),
        ExprKind::Convert { value, .. } if value.ty.ty.is_scalar() => is_truth(value),
        _ => None,
    }
}

/// Whether evaluating an expression may change a variable.
pub fn has_effects(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(_) | ExprKind::Local(_) | ExprKind::Object(_) | ExprKind::Function(_) => {
            false
        }
        ExprKind::Load(inner)
        | ExprKind::Decay(inner)
        | ExprKind::AddressOf(inner)
        | ExprKind::Deref(inner)
        | ExprKind::Negate(inner)
        | ExprKind::BitNot(inner)
        | ExprKind::Not(inner)
        | ExprKind::Convert { value: inner, .. }
        | ExprKind::Member { base: inner, .. } => has_effects(inner),
        ExprKind::Index(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::PointerAdd { pointer: a, index: b, .. }
        | ExprKind::PointerDiff(a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Elvis(a, b)
        | ExprKind::Comma(a, b) => has_effects(a) || has_effects(b),
        ExprKind::Conditional(a, b, c) => has_effects(a) || has_effects(b) || has_effects(c),
        // A call cannot change a variable that lives in a register.
        ExprKind::Call { args, .. } => args.iter().any(has_effects),
        ExprKind::Literal(..)
        | ExprKind::Assign(..)
        | ExprKind::CompoundAssign { .. }
        | ExprKind::Increment { .. }
        | ExprKind::Statement(..)
        | ExprKind::Atomic(_)
        | ExprKind::Intrinsic(_) => true,
    }
}
