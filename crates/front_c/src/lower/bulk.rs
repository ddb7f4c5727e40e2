//! `memset` and its kin on objects whose type is known: part by part, in the parts' own widths.
//!
//! What is between the members is accessed too, so that copies are as compiled ones. Nothing is
//! asked of an address: these functions take any.

use super::copy::{ComparisonEnd, Region, Task};
use super::function::Lower;
use crate::sema::tree::{Bulk, Expr};
use crate::sema::types::QualType;
use ir::op::{BinaryOp, CastOp, Op, Operand, Terminator, UnaryOp};
use ir::order::Order;
use ir::program::Width;
use std::rc::Rc;

impl Lower<'_, '_> {
    /// Does something with a number of bytes of an object, or of an array of such objects.
    pub fn bulk(
        &mut self,
        what: &Bulk,
        to: &Expr,
        object: &QualType,
        bytes: u64,
        call: &Expr,
    ) -> Operand {
        let (Bulk::Fill(other) | Bulk::Copy(other) | Bulk::Move(other) | Bulk::Compare(other)) =
            what;
        // Arguments are evaluated from right to left, as in other calls.
        let value = self.value(other);
        let value = self.frozen(value);
        let address = self.value(to);
        let address = self.frozen(address);
        self.at(call.span);
        let several = bytes != self.size(&object.ty);
        let region = |lower: &Self, at: Operand, pointer: &Expr| {
            let path = lower.pointee_path(pointer);
            // `*p` is the first of several, which are `p[0]`, `p[1]` …
            let path = path.map(|path| match path.strip_prefix('*') {
                Some(array) if several => array.to_string(),
                _ => path,
            });
            Region { path, ..Region::new(at, Order::NonAtomic) }
        };
        let target = region(self, address, to);
        match what {
            Bulk::Fill(_) => {
                let byte = self.cast(CastOp::Truncate, value, Width::I8);
                let task = match byte {
                    Operand::Int { bits: 0, .. } => Task::Clear,
                    _ => Task::Fill(self.eightfold(byte)),
                };
                self.all_parts(object, bytes, &target, &task);
            }
            Bulk::Copy(from) => {
                let task = Task::Copy(region(self, value, from));
                self.all_parts(object, bytes, &target, &task);
            }
            Bulk::Move(from) => {
                let (source, kept) = (region(self, value, from), Rc::default());
                self.all_parts(object, bytes, &source, &Task::Read(Rc::clone(&kept)));
                self.all_parts(object, bytes, &target, &Task::Write(kept));
            }
            Bulk::Compare(with) => {
                let (result, end) = (self.temp(Width::I32), self.out.new_block());
                let outcome = ComparisonEnd { result, end };
                let task = Task::Compare(region(self, value, with), outcome);
                self.all_parts(object, bytes, &target, &task);
                self.emit(Op::Copy { dst: result, src: Operand::int(Width::I32, 0) });
                self.jump(end);
                self.out.switch_to(end);
                return Operand::Reg(result);
            }
        }
        address
    }

    fn all_parts(&mut self, object: &QualType, bytes: u64, region: &Region, task: &Task) {
        let size = self.size(&object.ty).max(1);
        if bytes == size {
            self.each_object(object, region, task);
        } else if bytes.is_multiple_of(size) {
            self.each_element(object, bytes / size, region, task);
        } else {
            self.first_parts(&object.ty, bytes, region, task);
        }
    }

    /// A byte, eight times.
    fn eightfold(&mut self, byte: Operand) -> Operand {
        const ONES: u128 = 0x0101_0101_0101_0101;
        match byte {
            Operand::Int { bits, .. } => Operand::int(Width::I64, bits * ONES),
            _ => {
                let wide = self.cast(CastOp::ZeroExtend, byte, Width::I64);
                self.binary(BinaryOp::Mul, wide, Operand::int(Width::I64, ONES), false)
            }
        }
    }

    /// As many bytes as a part has, of eight equal ones.
    pub fn repeated(&mut self, eight: Operand, width: Width) -> Operand {
        if width.bits() <= 64 {
            return self.cast(CastOp::Truncate, eight, width);
        }
        let low = self.cast(CastOp::ZeroExtend, eight, width);
        let both = Operand::int(width, 1 << 64 | 1);
        self.binary(BinaryOp::Mul, low, both, false)
    }

    /// Goes to the end of a comparison if two parts differ: which is greater, their first bytes
    /// decide that do.
    pub fn compare_part(&mut self, left: Operand, right: Operand, outcome: ComparisonEnd) {
        let (differ, go_on) = (self.out.new_block(), self.out.new_block());
        let cond = self.binary(BinaryOp::Ne, left, right, false);
        self.terminate(Terminator::Branch { cond, then: differ, otherwise: go_on });
        self.out.switch_to(differ);
        let [left, right] = [left, right].map(|value| {
            let width = self.operand_width(value);
            if width == Width::I8 {
                return value;
            }
            let dst = self.temp(width);
            self.emit(Op::Unary { dst, op: UnaryOp::ByteSwap, a: value, checked: false });
            Operand::Reg(dst)
        });
        let less = self.binary(BinaryOp::Ult, left, right, false);
        let number = |bits| Operand::int(Width::I32, bits);
        let (a, b) = (number(u128::from(u32::MAX)), number(1));
        self.emit(Op::Select { dst: outcome.result, cond: less, a, b });
        self.jump(outcome.end);
        self.out.switch_to(go_on);
    }
}
