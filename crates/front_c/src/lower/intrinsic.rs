//! Built-in functions.

use super::function::Lower;
use super::place::Place;
use crate::ast::BinaryOp as Source;
use crate::sema::tree::{Expr, Intrinsic, Piece, PrintTo};
use crate::sema::types::Type;
use execution::diagnostic::Diagnostic;
use ir::op::{
    BinaryOp, CastOp, Choice, Claim, Op, Operand, PrintPiece, PrintTarget, Terminator, UnaryOp,
};
use ir::program::Width;

impl Lower<'_, '_> {
    /// A built-in; gives its result if it has one.
    pub fn intrinsic(&mut self, intrinsic: &Intrinsic, expr: &Expr) -> Option<Operand> {
        use Intrinsic as I;
        let result = expr.ty.ty.is_scalar().then(|| self.width(&expr.ty.ty));
        let dst = result.map(|width| self.temp(width));
        match intrinsic {
            I::Assert(cond, claim, message) => {
                let cond = self.condition(cond);
                self.at(expr.span);
                self.emit(Op::Assert { cond, claim: *claim, message: message.clone() });
            }
            I::Assume { cond, waits } => {
                let cond = self.condition(cond);
                self.at(expr.span);
                self.emit(Op::Assume { cond, waits: *waits });
            }
            I::Choose(low, high) => {
                let (low, high) = (self.value(low), self.value(high));
                self.at(expr.span);
                self.emit(Op::Choose { dst: dst?, from: Choice::Range(low, high) });
            }
            I::Any => {
                self.at(expr.span);
                self.emit(Op::Choose { dst: dst?, from: Choice::Any });
            }
            I::Observe(label, value) => {
                let value = self.value(value);
                self.at(expr.span);
                self.emit(Op::Observe { label: label.clone(), value });
            }
            I::Commit(label) => self.simple(Op::Commit { label: label.clone() }, expr),
            I::AtomicBegin => self.simple(Op::AtomicBegin, expr),
            I::AtomicEnd => self.simple(Op::AtomicEnd, expr),
            I::Fence(fence) => self.simple(Op::Fence(fence.clone()), expr),
            I::Yield => self.simple(Op::Yield, expr),
            I::Mcas(words) => return Some(self.mcas(words, expr)),
            I::Alloc { size, align, zeroed, holds } => {
                let (size, align) = (self.value(size), self.value(align));
                let layout = holds
                    .as_ref()
                    .filter(|ty| self.program.unit.types.size_of(ty).is_some())
                    .map(|ty| self.program.layout(ty));
                self.at(expr.span);
                self.emit(Op::Alloc { dst: dst?, size, align, zeroed: *zeroed, layout });
            }
            I::Free(pointer) => {
                let address = self.value(pointer);
                self.simple(Op::Free { address }, expr);
            }
            I::Bytes(pointer, _) => {
                let text = "`fp_bytes` stands for an argument of a native function (`--native`)";
                self.program.errors.push(Diagnostic::error(expr.span, text));
                return Some(self.value(pointer));
            }
            I::BlockSize(pointer) => {
                let address = self.value(pointer);
                self.simple(Op::BlockSize { dst: dst?, address }, expr);
            }
            I::Spawn(function, args) => {
                let callee = self.callee_of(function);
                let args = args.iter().map(|arg| self.value(arg)).collect();
                let dst = dst.unwrap_or_else(|| self.temp(Width::I64));
                self.simple(Op::Spawn { dst, callee, args }, expr);
            }
            I::Join(handle) => {
                let thread = self.value(handle);
                self.simple(Op::Join { dst, thread }, expr);
            }
            I::Detach(handle) => {
                let thread = self.value(handle);
                self.simple(Op::Detach { thread }, expr);
            }
            I::SelfHandle => self.simple(Op::Self_ { dst: dst? }, expr),
            I::HasDestructors => {
                let has = u128::from(self.program.unit.destructors);
                self.simple(Op::Copy { dst: dst?, src: Operand::int(Width::BOOL, has) }, expr);
            }
            I::ThreadExit(value) => {
                let value = self.value(value);
                self.ends(Terminator::ThreadExit(Some(value)), expr);
            }
            I::Exit(status) => {
                let status = self.value(status);
                let status = self.frozen(status);
                self.at(expr.span);
                self.run_after_main();
                self.ends(Terminator::Exit(status), expr);
            }
            I::QuickExit(status) => {
                let status = self.value(status);
                self.ends(Terminator::Exit(status), expr);
            }
            I::Unreachable(name) => {
                let message = format!("{name}() is not reached");
                let cond = Operand::int(Width::BOOL, 0);
                self.at(expr.span);
                self.emit(Op::Assert { cond, claim: Claim::Rule, message: message.clone() });
                self.ends(Terminator::Trap(message), expr);
            }
            I::Refused(why) => {
                self.at(expr.span);
                self.refuse(why);
                return result.map(Operand::Undef);
            }
            I::Trap(message) => self.ends(Terminator::Trap(message.clone()), expr),
            I::OperationBegin(name, args) => {
                let args = args.iter().map(|arg| self.value(arg)).collect();
                self.simple(Op::OperationBegin { name: name.clone(), args }, expr);
            }
            I::OperationEnd(value) => {
                let result = value.as_ref().map(|value| self.value(value));
                self.simple(Op::OperationEnd { result }, expr);
            }
            I::Print(to, pieces) => self.print(to, pieces, dst, expr),
            I::Bits(op, value) => {
                let bits = self.unary(*op, value, expr);
                return Some(self.convert(bits, &Type::UINT, &expr.ty.ty));
            }
            I::Float(op, value) => {
                return Some(self.unary(UnaryOp::Float(*op), value, expr));
            }
            I::DefinedOrZero(value) => {
                return Some(self.unary(UnaryOp::DefinedOrZero, value, expr));
            }
            I::Members(pointer) => {
                return Some(self.unary(UnaryOp::Members, pointer, expr));
            }
            I::Magnitude(value) => {
                let a = self.value(value);
                self.at(expr.span);
                let width = self.operand_width(a);
                let rest = Operand::int(width, width.mask() >> 1);
                return Some(self.binary(BinaryOp::And, a, rest, false));
            }
            I::FindFirst(value) => return Some(self.find_first(value, expr)),
            I::Parity(value) => {
                let count = self.unary(UnaryOp::PopCount, value, expr);
                let count = self.convert(count, &Type::UINT, &Type::INT);
                return Some(self.binary(BinaryOp::And, count, Operand::int(Width::I32, 1), false));
            }
            I::Overflow { op, a, b, result } => {
                return Some(self.overflow(*op, a, b, result, expr));
            }
            I::Bulk { what, to, object, bytes } => {
                let value = self.bulk(what, to, object, *bytes, expr);
                return result.map(|_| value);
            }
        }
        dst.map(Operand::Reg)
    }

    fn simple(&mut self, op: Op, expr: &Expr) {
        self.at(expr.span);
        self.emit(op);
    }

    fn ends(&mut self, terminator: Terminator, expr: &Expr) {
        self.at(expr.span);
        self.terminate(terminator);
    }

    fn unary(&mut self, op: UnaryOp, value: &Expr, expr: &Expr) -> Operand {
        let a = self.value(value);
        self.at(expr.span);
        let dst = self.temp(self.operand_width(a));
        self.emit(Op::Unary { dst, op, a, checked: false });
        Operand::Reg(dst)
    }

    fn find_first(&mut self, value: &Expr, expr: &Expr) -> Operand {
        let a = self.value(value);
        let a = self.frozen(a);
        self.at(expr.span);
        let width = self.operand_width(a);
        let zeros = self.temp(width);
        self.emit(Op::Unary { dst: zeros, op: UnaryOp::CountTrailingZeros, a, checked: false });
        let index = self.binary(BinaryOp::Add, Operand::Reg(zeros), Operand::int(width, 1), false);
        let none = self.binary(BinaryOp::Eq, a, Operand::int(width, 0), false);
        let dst = self.temp(width);
        self.emit(Op::Select { dst, cond: none, a: Operand::int(width, 0), b: index });
        self.convert(Operand::Reg(dst), &Type::UINT, &Type::INT)
    }

    /// Computes in 128 bits, where nothing can overflow, and looks whether the result fits.
    fn overflow(&mut self, op: Source, a: &Expr, b: &Expr, result: &Expr, expr: &Expr) -> Operand {
        let x = self.widened(a);
        let y = self.widened(b);
        let to = self.value(result);
        self.at(expr.span);
        let op = match op {
            Source::Add => BinaryOp::Add,
            Source::Sub => BinaryOp::Sub,
            _ => BinaryOp::Mul,
        };
        let exact = self.binary(op, x, y, false);
        let object = result.ty.ty.pointee().cloned().unwrap_or_else(|| Type::INT.into());
        let narrow = self.convert(exact, &Type::INT, &object.ty);
        let extend =
            if self.is_signed(&object.ty) { CastOp::SignExtend } else { CastOp::ZeroExtend };
        let back = self.cast(extend, narrow, Width::I128);
        let wrapped = self.binary(BinaryOp::Ne, back, exact, false);
        let align = self.pointee_alignment(result);
        let place = Place { align, ..Place::memory(to, object, self.pointee_path(result)) };
        self.store(&place, narrow);
        self.cast(CastOp::ZeroExtend, wrapped, Width::I8)
    }

    fn widened(&mut self, value: &Expr) -> Operand {
        let extend =
            if self.is_signed(&value.ty.ty) { CastOp::SignExtend } else { CastOp::ZeroExtend };
        let operand = self.value(value);
        let operand = self.frozen(operand);
        self.cast(extend, operand, Width::I128)
    }

    fn print(
        &mut self,
        to: &PrintTo,
        pieces: &[Piece],
        dst: Option<ir::program::Reg>,
        expr: &Expr,
    ) {
        let target = match to {
            PrintTo::Stdout => PrintTarget::Stdout,
            PrintTo::Stderr => PrintTarget::Stderr,
            PrintTo::Buffer(buffer, size) => {
                let (address, size) = (self.value(buffer), self.value(size));
                PrintTarget::Buffer { address, size }
            }
        };
        // Arguments are evaluated from right to left, as in other calls.
        let mut lowered = Vec::new();
        for piece in pieces.iter().rev() {
            lowered.push(match piece {
                Piece::Text(text) => PrintPiece::Text(text.clone()),
                Piece::Value { format, width, precision, value } => {
                    let value = self.value(value);
                    let precision = precision.as_ref().map(|count| self.value(count));
                    let width = width.as_ref().map(|count| self.value(count));
                    let mut format = format.clone();
                    (format.width, format.precision) = (width, precision);
                    PrintPiece::Value { format, value }
                }
            });
        }
        lowered.reverse();
        self.at(expr.span);
        self.emit(Op::Print { dst, target, pieces: lowered });
    }
}
