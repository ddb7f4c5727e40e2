//! Calls.

use super::function::Lower;
use super::place::Place;
use crate::sema::tree::{Callee as Source, Expr};
use crate::sema::types::FunctionType;
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use ir::op::{Callee, Op, Operand};

impl Lower<'_, '_> {
    /// A call with a scalar result or none.
    pub fn call(&mut self, callee: &Source, args: &[Expr], expr: &Expr) -> Option<Operand> {
        if expr.ty.ty.is_record() {
            return Some(self.call_for_record(callee, args, expr));
        }
        let dst = expr.ty.ty.is_scalar().then(|| self.temp(self.width(&expr.ty.ty)));
        let (callee, args) = self.prepare(callee, args, expr.span);
        self.at(expr.span);
        self.emit(Op::Call { dst, callee, args });
        dst.map(Operand::Reg)
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
        let (callee, ty) = match callee {
            Source::Direct(id) => {
                let ty = self.program.unit.functions[*id].ty.clone();
                self.check_arguments(&ty, args, span);
                (Callee::Direct(self.program.function(*id, span)), ty)
            }
            Source::Indirect(address, ty) => {
                let address = self.value(address);
                (Callee::Indirect(self.frozen(address)), ty.clone())
            }
        };
        let mut operands = Vec::new();
        for arg in args.iter().rev() {
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
            // Nobody can ask for them: `va_start` is refused.
            operands.truncate(ty.params.len());
        }
        (callee, operands)
    }

    /// A function declared without a prototype is called by what its definition says.
    fn check_arguments(&mut self, ty: &FunctionType, args: &[Expr], span: Span) {
        let same = |(param, arg): (&crate::sema::types::QualType, &Expr)| {
            let scalars = param.ty.is_scalar() && arg.ty.ty.is_scalar();
            (scalars && self.width(&param.ty) == self.width(&arg.ty.ty)) || param.ty == arg.ty.ty
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
