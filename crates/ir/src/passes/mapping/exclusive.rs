//! Read-modify-writes as a load-exclusive and a store-exclusive.

use super::Pair;
use super::rewrite::{Rewriter, compiled};
use crate::op::{Access, BinaryOp, Op, Operand, RmwOp, Terminator, UnaryOp};
use crate::program::{Reg, Width};

impl Rewriter<'_> {
    /// A read-modify-write whose store succeeds.
    pub(super) fn update_pair(
        &mut self,
        pair: Pair,
        dst: Option<Reg>,
        op: RmwOp,
        access: &Access,
        value: Operand,
    ) {
        self.steps(pair.before, None);
        let old = self.load_exclusive(pair, access);
        self.depend_on(old);
        let value = self.computed(op, Operand::Reg(old), value, access.width);
        let failed = self.store_exclusive(pair, access, value);
        let done = self.binary(BinaryOp::Eq, failed, Operand::int(Width::I32, 0));
        self.emit(Op::Assume { cond: done, waits: true });
        self.steps(pair.after, Some(old));
        if let Some(dst) = dst {
            self.emit(Op::Copy { dst, src: Operand::Reg(old) });
        }
    }

    /// A compare-and-swap; if it is strong, its store succeeds where the values are equal.
    pub(super) fn compare_and_swap_pair(
        &mut self,
        pair: Pair,
        (dst, success): (Option<Reg>, Option<Reg>),
        access: &Access,
        (expected, desired): (Operand, Operand),
        weak: bool,
    ) {
        self.steps(pair.before, None);
        let old = self.load_exclusive(pair, access);
        let equal = self.binary(BinaryOp::Eq, Operand::Reg(old), expected);
        let succeeded = self.reg(Width::BOOL);
        let (store, fail, join) = (self.new_block(), self.new_block(), self.new_block());
        let branch = Terminator::Branch { cond: equal, then: store, otherwise: fail };
        self.end_block(branch, store);
        let failed = self.store_exclusive(pair, access, desired);
        let done = self.binary(BinaryOp::Eq, failed, Operand::int(Width::I32, 0));
        if weak {
            let swapped = self.new_block();
            let branch = Terminator::Branch { cond: done, then: swapped, otherwise: fail };
            self.end_block(branch, swapped);
        } else {
            self.emit(Op::Assume { cond: done, waits: true });
        }
        self.steps(pair.after, Some(old));
        self.emit(Op::Copy { dst: succeeded, src: Operand::int(Width::BOOL, 1) });
        self.end_block(Terminator::Jump(join), fail);
        self.steps(pair.after_failure, Some(old));
        self.emit(Op::Copy { dst: succeeded, src: Operand::int(Width::BOOL, 0) });
        self.end_block(Terminator::Jump(join), join);
        for (to, from) in [(dst, old), (success, succeeded)] {
            if let Some(dst) = to {
                self.emit(Op::Copy { dst, src: Operand::Reg(from) });
            }
        }
    }

    fn load_exclusive(&mut self, pair: Pair, access: &Access) -> Reg {
        let old = self.reg(access.width);
        let access = compiled(access, pair.load);
        self.emit(Op::Load { dst: old, access, exclusive: true });
        old
    }

    fn store_exclusive(&mut self, pair: Pair, access: &Access, value: Operand) -> Operand {
        let failed = self.reg(Width::I32);
        let access = compiled(access, pair.store);
        self.emit(Op::StoreExclusive { failed, access, value });
        Operand::Reg(failed)
    }

    /// What a read-modify-write writes.
    fn computed(&mut self, op: RmwOp, old: Operand, value: Operand, width: Width) -> Operand {
        let simple = match op {
            RmwOp::Exchange => return value,
            RmwOp::Add => BinaryOp::Add,
            RmwOp::Sub => BinaryOp::Sub,
            RmwOp::And | RmwOp::Nand => BinaryOp::And,
            RmwOp::Or => BinaryOp::Or,
            RmwOp::Xor => BinaryOp::Xor,
            RmwOp::Max => return self.select(BinaryOp::Slt, (value, old), (old, value), width),
            RmwOp::Min => return self.select(BinaryOp::Slt, (old, value), (old, value), width),
            RmwOp::UMax => return self.select(BinaryOp::Ult, (value, old), (old, value), width),
            RmwOp::UMin => return self.select(BinaryOp::Ult, (old, value), (old, value), width),
        };
        let result = self.binary(simple, old, value);
        if op != RmwOp::Nand {
            return result;
        }
        let dst = self.reg(width);
        self.emit(Op::Unary { dst, op: UnaryOp::Not, a: result, checked: false });
        Operand::Reg(dst)
    }

    /// The first of two values if a comparison holds, and else the second.
    fn select(
        &mut self,
        less: BinaryOp,
        (x, y): (Operand, Operand),
        (a, b): (Operand, Operand),
        width: Width,
    ) -> Operand {
        let cond = self.binary(less, x, y);
        let dst = self.reg(width);
        self.emit(Op::Select { dst, cond, a, b });
        Operand::Reg(dst)
    }
}
