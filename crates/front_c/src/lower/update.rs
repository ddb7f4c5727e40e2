//! Compound assignment, increment and decrement, on plain and on atomic objects.

use super::function::Lower;
use super::operator::has_effects;
use super::place::{At, Place};
use crate::ast::BinaryOp as Source;
use crate::sema::tree::Expr;
use crate::sema::types::{FloatKind, Type};
use execution::span::Span;
use ir::op::{BinaryOp, CastOp, Op, Operand, RmwOp, Terminator};
use ir::order::Order;
use ir::program::Width;

/// Which value an update results in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// The value before.
    Old,
    /// The value after.
    New,
    /// Not used.
    Nothing,
}

/// How a new value is made from the old one.
struct Step<'t> {
    op: Source,
    /// The right operand, evaluated and converted.
    operand: Operand,
    operand_type: &'t Type,
    /// The type in which it is computed.
    compute: &'t Type,
    /// The type of the object.
    object: Type,
}

impl Lower<'_, '_> {
    /// `target op= value`; gives the new value.
    pub fn compound_assign(
        &mut self,
        op: Source,
        target: &Expr,
        (value, compute): (&Expr, &Type),
        gives: Gives,
        span: Span,
    ) -> Operand {
        // As in gcc, the right side comes first: `*p += f()` moves what `p` points to after the call.
        let operand = self.value(value);
        let operand = if has_effects(target) { self.frozen(operand) } else { operand };
        let place = self.place(target);
        self.at(span);
        let object = self.program.unit.types.member_value(&target.ty.ty, place.bits);
        let step = Step { op, operand, operand_type: &value.ty.ty, compute, object };
        if target.ty.quals.is_atomic {
            return self.atomic_update(&place, &step, gives);
        }
        let old = self.load(&place);
        let new = self.stepped(old, &step);
        self.store(&place, new);
        match place.at {
            At::Register(reg) => Operand::Reg(reg),
            At::Memory(_) => new,
        }
    }

    /// `++target` and the like; gives the old or the new value.
    pub fn increment(&mut self, target: &Expr, down: bool, gives: Gives, span: Span) -> Operand {
        let postfix = gives == Gives::Old;
        let place = self.place(target);
        self.at(span);
        let object = self.program.unit.types.member_value(&target.ty.ty, place.bits);
        let op = if down { Source::Sub } else { Source::Add };
        let compute = self.increment_type(&object);
        let one = match compute {
            Type::Float(FloatKind::Float) => 1f32.to_bits().into(),
            Type::Float(FloatKind::Double) => 1f64.to_bits().into(),
            _ => 1,
        };
        let step = Step {
            op,
            operand: Operand::int(self.width(&compute), one),
            operand_type: &Type::PTRDIFF,
            compute: &compute,
            object,
        };
        if target.ty.quals.is_atomic {
            return self.atomic_update(&place, &step, gives);
        }
        let old = self.load(&place);
        let old =
            if postfix && matches!(place.at, At::Register(_)) { self.frozen(old) } else { old };
        let new = self.stepped(old, &step);
        self.store(&place, new);
        match (postfix, place.at) {
            (true, _) => old,
            (false, At::Register(reg)) => Operand::Reg(reg),
            (false, At::Memory(_)) => new,
        }
    }

    /// The type in which one is added: narrow integers are promoted, as in `x = x + 1`.
    fn increment_type(&self, object: &Type) -> Type {
        match self.program.unit.types.integer(object) {
            Some((bits, _)) if bits < 32 || *object == Type::BOOL => Type::INT,
            Some(_) => match object {
                Type::Bits { width: 32, signed: true } => Type::INT,
                Type::Bits { width: 32, signed: false } => Type::UINT,
                other => self.program.unit.types.without_enum(other),
            },
            None => object.clone(),
        }
    }

    /// The new value made from an old one, of the object's type.
    fn stepped(&mut self, old: Operand, step: &Step<'_>) -> Operand {
        if step.object.is_pointer() {
            let bytes = self.scaled_operand(step);
            let op = if step.op == Source::Sub { BinaryOp::Sub } else { BinaryOp::Add };
            return match (bytes, op) {
                (Operand::Int { bits, .. }, BinaryOp::Add) => self.offset(old, bits as i64),
                (Operand::Int { bits, .. }, _) => self.offset(old, (bits as i64).wrapping_neg()),
                _ => self.binary(op, old, bytes, false),
            };
        }
        let wide = self.convert(old, &step.object, step.compute);
        let result = self.operate(step.op, wide, step.operand, step.compute, step.operand_type);
        self.convert(result, step.compute, &step.object)
    }

    /// The operand of a pointer's `+=`, in bytes.
    fn scaled_operand(&mut self, step: &Step<'_>) -> Operand {
        let extend =
            if self.is_signed(step.operand_type) { CastOp::SignExtend } else { CastOp::ZeroExtend };
        let index = self.cast(extend, step.operand, Width::PTR);
        let size = self.pointee_size(&step.object);
        match index {
            Operand::Int { bits, .. } => {
                Operand::int(Width::PTR, bits.wrapping_mul(u128::from(size)))
            }
            _ if size == 1 => index,
            _ => {
                self.binary(BinaryOp::Mul, index, Operand::int(Width::PTR, u128::from(size)), false)
            }
        }
    }

    /// An update of an atomic object: one read-modify-write where there is one, else a loop
    /// around a compare-and-swap, as C11 6.5.16.2 has it.
    fn atomic_update(&mut self, place: &Place, step: &Step<'_>, gives: Gives) -> Operand {
        let At::Memory(address) = place.at else { return Operand::NULL };
        let width = self.width(&step.object);
        let fetch = match step.op {
            Source::Add => Some(RmwOp::Add),
            Source::Sub => Some(RmwOp::Sub),
            Source::BitAnd => Some(RmwOp::And),
            Source::BitOr => Some(RmwOp::Or),
            Source::BitXor => Some(RmwOp::Xor),
            _ => None,
        };
        if let Some(op) = fetch
            && step.object != Type::BOOL
            && !step.object.is_pointer()
            && !step.compute.is_float()
        {
            // Truncation commutes with these operations, so the narrow operand will do.
            let value = self.convert(step.operand, step.compute, &step.object);
            let access = place.access(address, width, Order::SeqCst);
            if gives == Gives::Nothing {
                self.emit(Op::Rmw { dst: None, op, access, value });
                return Operand::Undef(width);
            }
            let dst = self.temp(width);
            self.emit(Op::Rmw { dst: Some(dst), op, access, value });
            let old = Operand::Reg(dst);
            if gives == Gives::Old {
                return old;
            }
            let wide = self.convert(old, &step.object, step.compute);
            let op = match op {
                RmwOp::Add => BinaryOp::Add,
                RmwOp::Sub => BinaryOp::Sub,
                RmwOp::And => BinaryOp::And,
                RmwOp::Or => BinaryOp::Or,
                _ => BinaryOp::Xor,
            };
            let new = self.binary(op, wide, step.operand, false);
            return self.convert(new, step.compute, &step.object);
        }
        self.cas_loop(place, address, step, gives)
    }

    fn cas_loop(
        &mut self,
        place: &Place,
        address: Operand,
        step: &Step<'_>,
        gives: Gives,
    ) -> Operand {
        let width = self.width(&step.object);
        let expected = self.temp(width);
        let access = place.access(address, width, Order::SeqCst);
        self.emit(Op::Load { dst: expected, access: access.clone(), exclusive: false });
        let (head, end) = (self.out.new_block(), self.out.new_block());
        self.jump(head);
        self.out.switch_to(head);
        let kept = self.copied(Operand::Reg(expected));
        let new = self.stepped(kept, step);
        let result = match gives {
            Gives::Old => kept,
            Gives::New => new,
            Gives::Nothing => Operand::Undef(width),
        };
        let success = self.temp(Width::BOOL);
        self.emit(Op::Cas {
            dst: Some(expected),
            success: Some(success),
            access,
            expected: kept,
            desired: new,
            failure: Order::SeqCst,
            weak: false,
        });
        self.terminate(Terminator::Branch {
            cond: Operand::Reg(success),
            then: end,
            otherwise: head,
        });
        self.out.switch_to(end);
        result
    }
}
