//! Calls.

use super::function::Lower;
use super::place::Place;
use crate::sema::expressions::variadic::WORD;
use crate::sema::tree::{Callee as Source, Expr, ExprKind, FunctionId, Intrinsic, Role};
use crate::sema::types::{FunctionType, IntKind, Type};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use ir::locks::Purpose;
use ir::op::{Access, Callee, Op, Operand};
use ir::order::Order;
use ir::program::Width;
use std::rc::Rc;

impl Lower<'_, '_> {
    /// A call with a scalar result or none.
    pub fn call(&mut self, callee: &Source, args: &[Expr], expr: &Expr) -> Option<Operand> {
        if expr.ty.ty.is_record() {
            return Some(self.call_for_record(callee, args, expr));
        }
        let dst = expr.ty.ty.is_scalar().then(|| self.temp(self.width(&expr.ty.ty)));
        let last = matches!(callee, Source::Direct(id) if self.ends_thread(*id));
        let (callee, args) = self.prepare(callee, args, expr.span);
        self.at(expr.span);
        if last {
            self.free_blocks();
        }
        self.emit(Op::Call { dst, callee, args });
        dst.map(Operand::Reg)
    }

    /// Whether a function ends the thread, so that its caller's blocks are gone, too.
    fn ends_thread(&self, id: FunctionId) -> bool {
        self.program.unit.functions[id].role == Role::EndsThread
    }

    /// A call whose result is a struct: the caller says where it goes.
    pub fn call_for_record(&mut self, callee: &Source, args: &[Expr], expr: &Expr) -> Operand {
        let (callee, mut args) = self.prepare(callee, args, expr.span);
        self.at(expr.span);
        let result = self.temporary(&expr.ty.ty, expr.span);
        args.insert(0, result);
        self.emit(Op::Call { dst: None, callee, args });
        result
    }

    /// The callee, and the arguments from right to left, as gcc evaluates them.
    fn prepare(&mut self, callee: &Source, args: &[Expr], span: Span) -> (Callee, Vec<Operand>) {
        let lengths = self.byte_arguments(callee, args);
        let mut walks = true;
        let (callee, ty) = match callee {
            Source::Direct(id) if lengths.iter().any(Option::is_some) => {
                let ty = self.program.unit.functions[*id].ty.clone();
                self.check_arguments(&ty, args, span);
                let reads = lengths.clone();
                (Callee::Direct(self.program.native_reading(*id, reads, span)), ty)
            }
            Source::Direct(id) => {
                let body = self.program.unit.functions[*id].body.as_ref();
                walks = body.is_some_and(|body| body.walks);
                let ty = self.program.unit.functions[*id].ty.clone();
                self.check_arguments(&ty, args, span);
                self.program.called.entry(*id).or_insert(span);
                if let Some(why) = self.program.missing_function(*id, span) {
                    self.at(span);
                    self.refuse(&why);
                }
                (Callee::Direct(self.program.function(*id)), ty)
            }
            Source::Indirect(address, ty) => {
                let address = self.value(address);
                (Callee::Indirect(self.frozen(address)), ty.clone())
            }
        };
        let mut operands = Vec::new();
        for (number, arg) in args.iter().enumerate().rev() {
            if let Some(length) = lengths.get(number).copied().flatten() {
                let mut bytes = self.bytes_of(arg, length);
                bytes.reverse();
                operands.append(&mut bytes);
                continue;
            }
            let operand = if arg.ty.ty.is_record() {
                let source = self.record_place(arg);
                let to = self.temporary(&arg.ty.ty, arg.span);
                self.at(arg.span);
                self.copy_record(&Place::memory(to, arg.ty.ty.clone().into(), None), &source);
                to
            } else {
                self.value(arg)
            };
            operands.push(operand);
        }
        operands.reverse();
        if ty.variadic {
            let rest = operands.split_off(ty.params.len());
            operands.push(self.variable_arguments(walks, &args[ty.params.len()..], rest));
        }
        (callee, operands)
    }

    /// For each argument of a native function, how many bytes it reads through it (`fp_bytes`).
    fn byte_arguments(&self, callee: &Source, args: &[Expr]) -> Vec<Option<u32>> {
        match callee {
            Source::Direct(id) if self.program.is_native(*id) => {
                args.iter().map(|arg| bytes(arg).map(|(_, length)| length)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Reads the bytes that an argument points to.
    fn bytes_of(&mut self, arg: &Expr, length: u32) -> Vec<Operand> {
        let Some((pointer, _)) = bytes(arg) else { return Vec::new() };
        let address = self.value(pointer);
        let address = self.frozen(address);
        self.at(arg.span);
        let byte = |own: &mut Self, number: u32| {
            let at = own.offset(address, number.into());
            let ty = Type::Int(IntKind::UChar).into();
            own.load(&Place::memory(at, ty, None))
        };
        (0..length).map(|number| byte(self, number)).collect()
    }

    /// Where the variable arguments of a call are: a word for each, if the function uses them.
    fn variable_arguments(&mut self, walks: bool, args: &[Expr], rest: Vec<Operand>) -> Operand {
        let (Some(first), true) = (args.first(), walks) else {
            return Operand::int(Width::PTR, 0);
        };
        let words = Type::Array(Rc::new(Type::SIZE.into()), Some(args.len() as u64));
        let Operand::Slot(slot, _) = self.temporary(&words, first.span) else {
            return Operand::int(Width::PTR, 0);
        };
        for (number, (arg, value)) in args.iter().zip(rest).enumerate() {
            self.at(arg.span);
            if arg.ty.ty.is_record() {
                let text = "a struct cannot be a variable argument here";
                self.refuse(&Diagnostic::error(arg.span, text));
                continue;
            }
            let access = Access {
                address: Operand::Slot(slot, (number as u64 * WORD) as i64),
                width: self.width(&arg.ty.ty),
                align: 1,
                order: Order::NonAtomic,
                path: None,
                purpose: Purpose::Data,
                tags: Vec::new(),
            };
            self.emit(Op::Store { access, value });
        }
        Operand::Slot(slot, 0)
    }

    /// A function declared without a prototype is called by what its definition says.
    fn check_arguments(&mut self, ty: &FunctionType, args: &[Expr], span: Span) {
        let same = |(param, arg): (&crate::sema::types::QualType, &Expr)| {
            let scalars = param.ty.is_scalar()
                && arg.ty.ty.is_scalar()
                && param.ty.is_float() == arg.ty.ty.is_float();
            let alike = match (&param.ty, &arg.ty.ty) {
                (Type::Record(a), Type::Record(b)) => self.program.unit.types.are_alike(*a, *b),
                (a, b) => a == b,
            };
            (scalars && self.width(&param.ty) == self.width(&arg.ty.ty)) || alike
        };
        let fits =
            ty.variadic || (ty.params.len() == args.len() && ty.params.iter().zip(args).all(same));
        if !fits && !ty.unprototyped || (ty.unprototyped && !args.is_empty()) {
            let text = "the arguments are not those that the definition of this function takes";
            self.program.errors.push(Diagnostic::error(span, text));
        }
    }

    /// What runs as a thread.
    pub fn callee_of(&mut self, function: &Expr) -> Callee {
        match self.value(function) {
            Operand::Function(id) => Callee::Direct(id),
            address => Callee::Indirect(address),
        }
    }
}

/// The pointer and the number of bytes that `fp_bytes` gives a native function as an argument.
fn bytes(arg: &Expr) -> Option<(&Expr, u32)> {
    match &arg.kind {
        ExprKind::Convert { value, .. } => bytes(value),
        ExprKind::Intrinsic(intrinsic) => match &**intrinsic {
            Intrinsic::Bytes(pointer, length) => Some((pointer, *length)),
            _ => None,
        },
        _ => None,
    }
}
