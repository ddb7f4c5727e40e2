//! Atomic accesses.
//!
//! Soundness S-028 (check, verify; rmo, armv8; misses): A failed compare-and-swap stores what it
//! found to the expected value, and the branch to that store is a control dependency that a
//! compiler which keeps the value in a register does not make. Test:
//! crates/fencepost/tests/verdicts.rs::outcomes_behind_a_compare_and_swap_are_confirmed.

use super::function::Lower;
use super::place::Place;
use crate::sema::tree::{Atomic, Expected, Expr, Ordering};
use crate::sema::types::Type;
use ir::op::{Access, BinaryOp, CastOp, McasWord, Op, Operand, RmwOp, Terminator, UnaryOp};
use ir::order::Order;
use ir::program::Width;

impl Lower<'_, '_> {
    /// An atomic access for its effect alone: hardware has cheaper and weaker instructions for
    /// a read-modify-write that returns nothing.
    pub fn atomic_effect(&mut self, atomic: &Atomic, expr: &Expr) {
        if let Atomic::Rmw { op, pointer, value, order, .. } = atomic {
            self.rmw(*op, pointer, value, *order, false, expr);
        } else {
            self.atomic(atomic, expr);
        }
    }

    /// A read-modify-write; gives the old value if it is `used`, and the operand.
    fn rmw(
        &mut self,
        op: RmwOp,
        pointer: &Expr,
        value: &Expr,
        order: Ordering,
        used: bool,
        expr: &Expr,
    ) -> (Option<Operand>, Operand) {
        let address = self.accessed_through(pointer);
        let address = self.frozen(address);
        let value = self.atomic_operand(value);
        self.at(expr.span);
        let access = self.atomic_access(pointer, address, order);
        let dst = used.then(|| self.temp(access.width));
        self.emit(Op::Rmw { dst, op, access, value });
        (dst.map(Operand::Reg), value)
    }

    /// An atomic access; a small struct's value is its bytes.
    pub fn atomic(&mut self, atomic: &Atomic, expr: &Expr) -> Option<Operand> {
        match atomic {
            Atomic::Load { pointer, order } => {
                let address = self.accessed_through(pointer);
                self.at(expr.span);
                let access = self.atomic_access(pointer, address, *order);
                let dst = self.temp(access.width);
                self.emit(Op::Load { dst, access, exclusive: false });
                Some(Operand::Reg(dst))
            }
            Atomic::LoadExclusive { pointer, order } => {
                let address = self.accessed_through(pointer);
                self.at(expr.span);
                let access = self.atomic_access(pointer, address, *order);
                let dst = self.temp(access.width);
                self.emit(Op::Load { dst, access, exclusive: true });
                Some(Operand::Reg(dst))
            }
            Atomic::StoreExclusive { pointer, value, order } => {
                let address = self.accessed_through(pointer);
                let address = self.frozen(address);
                let value = self.atomic_operand(value);
                self.at(expr.span);
                let access = self.atomic_access(pointer, address, *order);
                let failed = self.temp(Width::I32);
                self.emit(Op::StoreExclusive { failed, access, value });
                Some(Operand::Reg(failed))
            }
            Atomic::Store { pointer, value, order } => {
                let address = self.accessed_through(pointer);
                let address = self.frozen(address);
                let value = self.atomic_operand(value);
                self.at(expr.span);
                let access = self.atomic_access(pointer, address, *order);
                self.emit(Op::Store { access, value });
                None
            }
            Atomic::Rmw { op, pointer, value, order, gives_new } => {
                let (old, value) = self.rmw(*op, pointer, value, *order, true, expr);
                old.map(|old| if *gives_new { self.renewed(*op, old, value) } else { old })
            }
            Atomic::Cas { pointer, expected, desired, weak, success, failure } => {
                Some(self.cas(pointer, expected, desired, (*success, *failure, *weak), expr))
            }
        }
    }

    /// The value that a read-modify-write has stored.
    fn renewed(&mut self, rmw: RmwOp, old: Operand, value: Operand) -> Operand {
        let op = match rmw {
            RmwOp::Add => BinaryOp::Add,
            RmwOp::Sub => BinaryOp::Sub,
            RmwOp::And | RmwOp::Nand => BinaryOp::And,
            RmwOp::Or => BinaryOp::Or,
            RmwOp::Xor => BinaryOp::Xor,
            _ => return value,
        };
        let result = self.binary(op, old, value, false);
        if rmw == RmwOp::Nand { self.flipped(result) } else { result }
    }

    fn cas(
        &mut self,
        pointer: &Expr,
        expected: &Expected,
        desired: &Expr,
        (success, failure, weak): (Ordering, Order, bool),
        expr: &Expr,
    ) -> Operand {
        let address = self.accessed_through(pointer);
        let address = self.frozen(address);
        let (old_at, compared) = match expected {
            Expected::At(at) => {
                let to = self.value(at);
                let to = self.frozen(to);
                let place = self.expected_place(at, to);
                (Some(place), None)
            }
            Expected::Success(value) | Expected::Old(value) => {
                let value = self.atomic_operand(value);
                (None, Some(self.frozen(value)))
            }
        };
        let desired = self.atomic_operand(desired);
        self.at(expr.span);
        let compared = match (&old_at, compared) {
            (_, Some(value)) => value,
            (Some(place), None) if place.ty.ty.is_record() => self.bytes_at(place),
            (Some(place), None) => self.load(place),
            (None, None) => Operand::NULL,
        };
        let access = self.atomic_access(pointer, address, success);
        let found = self.temp(access.width);
        let done = self.temp(Width::BOOL);
        self.emit(Op::Cas {
            dst: Some(found),
            success: Some(done),
            access,
            expected: compared,
            desired,
            failure,
            weak,
        });
        if let Expected::Old(_) = expected {
            return Operand::Reg(found);
        }
        if let Some(place) = old_at {
            let (failed, end) = (self.out.new_block(), self.out.new_block());
            self.terminate(Terminator::Branch {
                cond: Operand::Reg(done),
                then: end,
                otherwise: failed,
            });
            self.out.switch_to(failed);
            self.store(&place, Operand::Reg(found));
            self.jump(end);
            self.out.switch_to(end);
        }
        self.cast(CastOp::ZeroExtend, Operand::Reg(done), Width::I8)
    }

    fn expected_place(&mut self, pointer: &Expr, address: Operand) -> Place {
        let ty = pointer.ty.ty.pointee().cloned().unwrap_or_else(|| Type::INT.into());
        let align = self.pointee_alignment(pointer);
        Place { align, ..Place::memory(address, ty, self.pointee_path(pointer)) }
    }

    /// The access through a pointer to all of what it points to.
    fn atomic_access(&mut self, pointer: &Expr, address: Operand, order: Ordering) -> Access {
        let width = match pointer.ty.ty.pointee().map(|to| &to.ty) {
            Some(ty) if ty.is_scalar() => self.width(ty),
            Some(ty) => self.bytes_width(ty),
            None => Width::PTR,
        };
        let Ordering { order, tags } = order;
        let tags = tags.to_vec();
        let path = self.pointee_path(pointer);
        let purpose = self.pointee_purpose(pointer);
        Access { address, width, align: 1, order, path, purpose, tags }
    }

    /// A scalar, or the bytes of a small struct.
    fn atomic_operand(&mut self, value: &Expr) -> Operand {
        if value.ty.ty.is_record() { self.record_bytes(value) } else { self.value(value) }
    }

    /// Several words compared and swapped in one step; gives a `_Bool`.
    pub fn mcas(&mut self, words: &[(Expr, Expr, Expr)], expr: &Expr) -> Operand {
        let mut lowered = Vec::new();
        for (pointer, expected, desired) in words {
            let address = self.accessed_through(pointer);
            let address = self.frozen(address);
            let expected = self.atomic_operand(expected);
            let expected = self.frozen(expected);
            let desired = self.atomic_operand(desired);
            let desired = self.frozen(desired);
            let access = self.atomic_access(pointer, address, Order::Relaxed.into());
            lowered.push(McasWord { access, expected, desired });
        }
        self.at(expr.span);
        let success = self.temp(Width::BOOL);
        self.emit(Op::Mcas { success: Some(success), words: lowered });
        self.cast(CastOp::ZeroExtend, Operand::Reg(success), Width::I8)
    }

    /// All bits flipped.
    fn flipped(&mut self, a: Operand) -> Operand {
        let dst = self.temp(self.operand_width(a));
        self.emit(Op::Unary { dst, op: UnaryOp::Not, a, checked: false });
        Operand::Reg(dst)
    }
}
