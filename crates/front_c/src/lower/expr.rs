//! Values of expressions.
//!
//! Soundness S-019 (run, check, verify; all; misses): Operands are evaluated from left to right,
//! arguments from right to left and the right side of `op=` first: a program whose result depends
//! on the order is checked for this one and not diagnosed. Test:
//! corpus/c/corners/evaluation_order.c.
//!
//! Soundness S-020 (run, check, verify; all; misses): A value that nothing uses is read only if it
//! is volatile or atomic. Test: corpus/c/corners/volatile_and_const.c.

use super::function::{Lower, access_order};
use super::place::Place;
use super::update::Gives;
use crate::ast::BinaryOp;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::Type;
use ir::op::{CastOp, Op, Operand, Terminator};
use ir::program::Width;

impl Lower<'_, '_> {
    /// Evaluates an expression for its effect alone. What has none is left out, as gcc does: only
    /// volatile and atomic objects are read for nothing.
    pub fn effect(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Function(_) => {}
            ExprKind::Convert { value, .. }
            | ExprKind::Negate(value)
            | ExprKind::BitNot(value)
            | ExprKind::Not(value) => self.effect(value),
            ExprKind::Comma(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::PointerAdd { pointer: a, index: b, .. }
            | ExprKind::PointerDiff(a, b)
            | ExprKind::Index(a, b) => {
                self.effect(a);
                self.effect(b);
            }
            // The old value of `i++;` is not used.
            ExprKind::Increment { target, down, .. } => {
                self.increment(target, *down, Gives::Nothing, expr.span);
            }
            ExprKind::CompoundAssign { op, target, value, compute } => {
                self.compound_assign(*op, target, (value, compute), Gives::Nothing, expr.span);
            }
            ExprKind::Atomic(atomic) => self.atomic_effect(atomic, expr),
            ExprKind::Load(place) => {
                let observed = place.ty.quals.is_volatile || place.ty.quals.is_atomic;
                if observed && place.ty.ty.is_scalar() {
                    self.value(expr);
                } else {
                    self.effect(place);
                }
            }
            ExprKind::Local(_) | ExprKind::Object(_) => {}
            ExprKind::Deref(inner)
            | ExprKind::Decay(inner)
            | ExprKind::AddressOf(inner)
            | ExprKind::Member { base: inner, .. } => self.effect(inner),
            ExprKind::Conditional(cond, then, otherwise) if !expr.ty.ty.is_scalar() => {
                let (yes, no, end) =
                    (self.out.new_block(), self.out.new_block(), self.out.new_block());
                self.branch(cond, yes, no);
                for (block, side) in [(yes, then), (no, otherwise)] {
                    self.out.switch_to(block);
                    self.effect(side);
                    self.jump(end);
                }
                self.out.switch_to(end);
            }
            ExprKind::Statement(statements, value) => {
                self.statements(statements);
                if let Some(value) = value {
                    self.effect(value);
                }
            }
            _ if expr.ty.ty.is_record() => {
                self.address(expr);
            }
            _ => {
                self.value_or_nothing(expr);
            }
        }
    }

    /// The value of a scalar expression.
    pub fn value(&mut self, expr: &Expr) -> Operand {
        let width = if expr.ty.ty.is_scalar() { self.width(&expr.ty.ty) } else { Width::I32 };
        self.value_or_nothing(expr).unwrap_or(Operand::Undef(width))
    }

    /// The value of an expression; nothing for one of type `void`.
    fn value_or_nothing(&mut self, expr: &Expr) -> Option<Operand> {
        Some(match &expr.kind {
            ExprKind::Const(bits) => Operand::int(self.width(&expr.ty.ty), *bits),
            ExprKind::Load(place) => {
                if expr.ty.ty == Type::Void {
                    self.effect(place);
                    return None;
                }
                let place = self.place(place);
                self.load(&place)
            }
            ExprKind::Decay(place) | ExprKind::AddressOf(place) => self.address(place),
            ExprKind::Function(_) => self.address(expr),
            ExprKind::Convert { value, .. } => {
                if expr.ty.ty == Type::Void {
                    self.effect(value);
                    return None;
                }
                self.conversion(value, &expr.ty.ty)
            }
            ExprKind::Negate(_)
            | ExprKind::BitNot(_)
            | ExprKind::Binary(..)
            | ExprKind::PointerAdd { .. }
            | ExprKind::PointerDiff(..) => self.arithmetic(expr),
            ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => {
                let truth = self.condition(expr);
                self.at(expr.span);
                self.cast(CastOp::ZeroExtend, truth, Width::I32)
            }
            ExprKind::Conditional(cond, then, otherwise) => {
                return self.conditional(expr, cond, then, otherwise);
            }
            ExprKind::Elvis(value, otherwise) => self.elvis(expr, value, otherwise),
            ExprKind::Assign(target, value) => self.assign(target, value, expr.span),
            ExprKind::CompoundAssign { op, target, value, compute } => {
                self.compound_assign(*op, target, (value, compute), Gives::New, expr.span)
            }
            ExprKind::Increment { target, down, postfix } => self.increment(
                target,
                *down,
                if *postfix { Gives::Old } else { Gives::New },
                expr.span,
            ),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                return self.value_or_nothing(b);
            }
            ExprKind::Call { callee, args } => return self.call(callee, args, expr),
            ExprKind::Statement(statements, value) => {
                self.statements(statements);
                return match value {
                    Some(value) => self.value_or_nothing(value),
                    None => None,
                };
            }
            ExprKind::Atomic(atomic) => return self.atomic(atomic, expr),
            ExprKind::Intrinsic(intrinsic) => return self.intrinsic(intrinsic, expr),
            ExprKind::Local(_)
            | ExprKind::Object(_)
            | ExprKind::Deref(_)
            | ExprKind::Index(..)
            | ExprKind::Member { .. }
            | ExprKind::Literal(..) => {
                if !expr.ty.ty.is_scalar() {
                    self.address(expr);
                    return None;
                }
                let place = self.place(expr);
                self.load(&place)
            }
        })
    }

    fn conversion(&mut self, value: &Expr, to: &Type) -> Operand {
        if *to == Type::BOOL {
            let truth = self.condition(value);
            self.at(value.span);
            return self.cast(CastOp::ZeroExtend, truth, Width::I8);
        }
        let operand = self.value(value);
        self.convert(operand, &value.ty.ty, to)
    }

    /// Converts a scalar from one type to another.
    pub fn convert(&mut self, value: Operand, from: &Type, to: &Type) -> Operand {
        if *to == Type::BOOL {
            let truth = match from {
                Type::Float(kind) => {
                    let zero = Operand::int(kind.width(), 0);
                    self.operate(BinaryOp::Ne, value, zero, from, from)
                }
                _ => self.is_true(value),
            };
            return self.cast(CastOp::ZeroExtend, truth, Width::I8);
        }
        if let Some((op, width)) = self.program.unit.types.float_conversion(from, to) {
            return match from == to {
                true => value,
                false => self.cast(CastOp::Float(op), value, width),
            };
        }
        let (old, new) = (self.operand_width(value), self.width(to));
        let signed = self.program.unit.types.integer(from).is_some_and(|(_, signed)| signed);
        let op = match (new < old, signed) {
            (true, _) => CastOp::Truncate,
            (false, true) => CastOp::SignExtend,
            (false, false) => CastOp::ZeroExtend,
        };
        self.cast(op, value, new)
    }

    fn conditional(
        &mut self,
        expr: &Expr,
        cond: &Expr,
        then: &Expr,
        otherwise: &Expr,
    ) -> Option<Operand> {
        if !expr.ty.ty.is_scalar() {
            self.effect(expr);
            return None;
        }
        let dst = self.temp(self.width(&expr.ty.ty));
        let (yes, no, end) = (self.out.new_block(), self.out.new_block(), self.out.new_block());
        self.branch(cond, yes, no);
        for (block, side) in [(yes, then), (no, otherwise)] {
            self.out.switch_to(block);
            let src = self.value(side);
            self.at(side.span);
            self.emit(Op::Copy { dst, src });
            self.jump(end);
        }
        self.out.switch_to(end);
        Some(Operand::Reg(dst))
    }

    fn elvis(&mut self, expr: &Expr, value: &Expr, otherwise: &Expr) -> Operand {
        let dst = self.temp(self.width(&expr.ty.ty));
        let (yes, no, end) = (self.out.new_block(), self.out.new_block(), self.out.new_block());
        let first = self.value(value);
        let first = self.frozen(first);
        self.at(value.span);
        let cond = self.is_true(first);
        self.terminate(Terminator::Branch { cond, then: yes, otherwise: no });
        self.out.switch_to(yes);
        let src = self.convert(first, &value.ty.ty, &expr.ty.ty);
        self.emit(Op::Copy { dst, src });
        self.jump(end);
        self.out.switch_to(no);
        let src = self.value(otherwise);
        self.emit(Op::Copy { dst, src });
        self.jump(end);
        self.out.switch_to(end);
        Operand::Reg(dst)
    }

    /// The address of a struct that is a value: where it is stored, or a temporary.
    pub fn record(&mut self, expr: &Expr) -> Operand {
        match &expr.kind {
            ExprKind::Load(place) if place.ty.quals.is_atomic => {
                let place = self.place(place);
                let super::place::At::Memory(address) = place.at else { return Operand::NULL };
                let width = self.bytes_width(&place.ty.ty);
                let value = self.load_width(&place, address, width, access_order(&place.ty));
                self.spill(value, &expr.ty.ty, expr)
            }
            ExprKind::Load(place) => self.accessed_address(place),
            ExprKind::Assign(target, value) => self.assign_record(target, value, expr.span),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.address(b)
            }
            ExprKind::Statement(statements, value) => {
                self.statements(statements);
                match value {
                    Some(value) => self.address(value),
                    None => Operand::NULL,
                }
            }
            ExprKind::Conditional(cond, then, otherwise) => {
                let dst = self.temp(Width::PTR);
                let (yes, no, end) =
                    (self.out.new_block(), self.out.new_block(), self.out.new_block());
                self.branch(cond, yes, no);
                for (block, side) in [(yes, then), (no, otherwise)] {
                    self.out.switch_to(block);
                    let src = self.address(side);
                    self.emit(Op::Copy { dst, src });
                    self.jump(end);
                }
                self.out.switch_to(end);
                Operand::Reg(dst)
            }
            ExprKind::Call { callee, args } => self.call_for_record(callee, args, expr),
            ExprKind::Atomic(atomic) => match self.atomic(atomic, expr) {
                Some(value) => self.spill(value, &expr.ty.ty, expr),
                None => Operand::NULL,
            },
            _ => self.value(expr),
        }
    }

    /// Puts the bytes of a small struct into a temporary.
    fn spill(&mut self, value: Operand, ty: &Type, expr: &Expr) -> Operand {
        let address = self.temporary(ty, expr.span);
        let place = Place::memory(address, ty.clone().into(), None);
        self.at(expr.span);
        self.store(&place, value);
        address
    }

    /// The width of an access to all bytes of a small struct.
    pub fn bytes_width(&self, ty: &Type) -> Width {
        Width::from_bytes(self.size(ty)).unwrap_or(Width::I128)
    }
}
