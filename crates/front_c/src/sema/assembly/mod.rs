//! Inline assembly with operands (gcc manual, "Extended Asm"): where operands are, and what the
//! instructions of the template do with them.
//!
//! - [`known`]: instructions without operands, and how a template is cut into instructions.
//! - [`x86`]: instructions of x86 that read and write, in the [`syntax`] of AT&T, and [`flags`],
//!   which they set.
//!
//! Inputs are evaluated into registers, the instructions work on these and on memory, and outputs
//! are assigned at the end. Registers are locals without a name. Each instruction must be known:
//! guessing at assembly would void every verdict.
//!
//! Soundness S-016 (run, check, verify; all; refuses): Inline assembly is accepted only if every
//! instruction is a known barrier or pause, or an x86 instruction on integers and memory in
//! straight-line code. Test: corpus/bad/unsupported-asm.c,
//! crates/front_c/src/sema/assembly/tests.rs::what_is_not_understood_is_named.
//!
//! Soundness S-017 (run, check, verify; all; misses): Operands of inline assembly share a register
//! only where their constraints say so, so a missing `&` is not found; accesses without `lock` are
//! relaxed on all models. Test: corpus/verify/approximations/missing_early_clobber.c.

mod flags;
mod known;
mod operand;
mod syntax;
#[cfg(test)]
mod tests;
mod x86;

use super::tree::{Expr, ExprKind, Intrinsic, LocalId, LocalInit, Stmt, StmtKind};
use super::{Checked, Sema, fail};
use crate::ast::{self, AsmOperand, BinaryOp};
use crate::sema::atomics::intrinsic;
use crate::sema::expressions::literal;
use crate::sema::types::{IntKind, QualType, Type};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use flags::Flags;
use ir::order::Fence;
pub use known::is_fence;
use known::{Step, instructions, steps};
use operand::{Home, Place};
use std::rc::Rc;

/// The assembly whose template is being followed.
struct Assembly {
    /// The registers in use.
    registers: Vec<Register>,
    /// Where the operands are, outputs first, and what the template calls them.
    operands: Vec<(Option<Rc<str>>, Home)>,
    /// Machine registers that the template may use without an operand in them.
    clobbered: Vec<String>,
    /// What the last comparison or computation set.
    flags: Option<Flags>,
    /// The statements so far.
    out: Vec<Stmt>,
    span: Span,
}

/// A register: a local, and the machine register that it has to be, if it has to.
struct Register {
    machine: Option<char>,
    local: LocalId,
    /// A pointer, or an unsigned integer.
    ty: Type,
}

/// An output that is assigned at the end: from a register, or as a condition says.
enum Result {
    Register(Expr, usize),
    Condition(Expr, String),
}

impl Sema<'_> {
    /// A statement of inline assembly.
    pub(crate) fn assembly(&mut self, asm: &ast::Asm) -> Checked<Stmt> {
        let span = asm.span;
        if asm.goto {
            return fail(span, "assembly that jumps (`asm goto`) is not supported");
        }
        let clobbered: Vec<String> = asm.clobbers.iter().map(literal::text).collect();
        let memory = clobbered.iter().any(|what| what == "memory");
        let mut at = Assembly {
            registers: Vec::new(),
            operands: Vec::new(),
            clobbered,
            flags: None,
            out: Vec::new(),
            span,
        };
        let results = self.operands(&mut at, asm)?;
        let mut orders = false;
        let template = literal::text(&asm.template);
        for instruction in instructions(&template) {
            match steps(&instruction) {
                Some(steps) => {
                    orders |= !steps.is_empty();
                    steps.into_iter().for_each(|step| at.step(step));
                }
                None => self.instruction(&mut at, &instruction)?,
            }
        }
        if memory && !orders {
            at.step(Step::Fence(Fence::Compiler));
        }
        for result in results {
            self.result(&mut at, result)?;
        }
        Ok(Stmt { kind: StmtKind::Block(at.out), span })
    }

    /// Finds a place for every operand and evaluates the inputs.
    fn operands(&mut self, at: &mut Assembly, asm: &ast::Asm) -> Checked<Vec<Result>> {
        let mut results = Vec::new();
        for output in &asm.outputs {
            let home = self.output(at, output, &mut results)?;
            at.operands.push((output.name.clone(), home));
        }
        for input in &asm.inputs {
            let home = self.input(at, input)?;
            at.operands.push((input.name.clone(), home));
        }
        Ok(results)
    }

    fn output(
        &mut self,
        at: &mut Assembly,
        operand: &AsmOperand,
        results: &mut Vec<Result>,
    ) -> Checked<Home> {
        let constraint = literal::text(&operand.constraint);
        if !constraint.starts_with("=@") && place_of(operand)? == Place::Memory {
            return self.memory_operand(at, operand, true);
        }
        let target = self.modifiable(&operand.expr)?;
        if let Some(condition) = constraint.strip_prefix("=@cc") {
            let target = self.pinned(at, target)?;
            results.push(Result::Condition(target, condition.into()));
            return Ok(Home::Flags);
        }
        let target = self.pinned(at, target)?;
        let Place::Register(machine) = place_of(operand)? else {
            return fail(at.span, "an operand is in memory and in a register");
        };
        let ty = self.register_type(&self.value_type(&target), target.span)?;
        let register = self.register(at, machine, ty)?;
        if constraint.contains('+') {
            let value = self.rvalue(target.clone())?;
            self.set(at, register, value);
        }
        results.push(Result::Register(target, register));
        Ok(Home::Register(register))
    }

    fn input(&mut self, at: &mut Assembly, operand: &AsmOperand) -> Checked<Home> {
        let constraint = literal::text(&operand.constraint);
        let span = operand.expr.span;
        if let Some(home) = at.tied(&constraint, operand.constraint.span)? {
            match home {
                Home::Register(register) => {
                    let value = self.scalar_value(&operand.expr, "an operand in a register")?;
                    self.set(at, register, value);
                }
                // The same object, named a second time.
                _ => drop(self.unevaluated(|sema| sema.expr(&operand.expr))?),
            }
            return Ok(home);
        }
        match place_of(operand)? {
            Place::Memory => self.memory_operand(at, operand, false),
            Place::Register(machine) => {
                let value = self.scalar_value(&operand.expr, "an operand in a register")?;
                let constant = !value.ty.ty.is_float() && self.constant(&value).is_some();
                if constant && operand::may_be_constant(&constraint) {
                    return Ok(Home::Constant(value));
                }
                let ty = self.register_type(&value.ty.ty.clone(), span)?;
                let register = self.register(at, machine, ty)?;
                self.set(at, register, value);
                Ok(Home::Register(register))
            }
        }
    }

    /// An operand in memory: any object that has an address, and may be written if it is.
    fn memory_operand(
        &mut self,
        at: &mut Assembly,
        operand: &AsmOperand,
        written: bool,
    ) -> Checked<Home> {
        let place = self.expr(&operand.expr)?;
        if !place.is_lvalue() || matches!(place.kind, ExprKind::Member { bits: Some(_), .. }) {
            return fail(place.span, "an operand in memory must be an object with an address");
        }
        if written && place.ty.is_const() {
            return fail(place.span, "this object is `const` and cannot be written");
        }
        let place = self.pinned(at, place)?;
        self.mark_address_taken(&place);
        Ok(Home::Memory(place))
    }

    /// An object that can be named again without evaluating anything again.
    fn pinned(&mut self, at: &mut Assembly, place: Expr) -> Checked<Expr> {
        if self.is_steady(&place) || matches!(place.kind, ExprKind::Member { bits: Some(_), .. }) {
            return Ok(place);
        }
        self.mark_address_taken(&place);
        let (object, span) = (place.ty.clone(), place.span);
        let ty = Type::pointer(object.clone());
        let kind = match place.kind {
            ExprKind::Deref(pointer) => pointer.kind,
            _ => ExprKind::AddressOf(Box::new(place)),
        };
        let pointer = self.temporary(at, Expr { kind, ty: ty.into(), span })?;
        Ok(Expr { kind: ExprKind::Deref(Box::new(pointer)), ty: object, span })
    }

    /// Whether evaluating an lvalue again reads nothing but registers.
    fn is_steady(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Local(_) | ExprKind::Object(_) => true,
            ExprKind::Member { base, .. } => self.is_steady(base),
            ExprKind::Deref(pointer) => match &pointer.kind {
                ExprKind::Load(inner) => match inner.kind {
                    ExprKind::Local(id) => self.function.as_ref().is_some_and(|function| {
                        let local = &function.locals[id];
                        !local.address_taken && !local.ty.quals.is_volatile
                    }),
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        }
    }

    /// What a register holds that stands for a value of this type.
    fn register_type(&self, ty: &Type, span: Span) -> Checked<Type> {
        match ty {
            Type::Pointer(_) => Ok(ty.clone()),
            Type::Int(_) | Type::Enum(_) => match self.unit.types.size_of(ty).and_then(unsigned) {
                Some(ty) => Ok(ty),
                None => fail(span, "an operand in a register has at most 8 bytes"),
            },
            _ => fail(span, "an operand in a register must be an integer or a pointer"),
        }
    }

    /// The register that is this machine register, or another one.
    fn register(&mut self, at: &mut Assembly, machine: Option<char>, ty: Type) -> Checked<usize> {
        let same = |register: &Register| machine.is_some() && register.machine == machine;
        if let Some(index) = at.registers.iter().position(same) {
            let size = |ty| self.unit.types.size_of(ty);
            return match size(&ty) <= size(&at.registers[index].ty) {
                true => Ok(index),
                false => fail(at.span, "operands of different sizes share a register"),
            };
        }
        let local = self.new_local(None, ty.clone().into(), None, at.span)?;
        at.push(StmtKind::Local(local, None));
        at.registers.push(Register { machine, local, ty });
        Ok(at.registers.len() - 1)
    }

    fn set(&mut self, at: &mut Assembly, register: usize, value: Expr) {
        let Register { local, ty, .. } = &at.registers[register];
        let (local, value) = (*local, self.convert(value, ty));
        at.assign(local, value);
    }

    /// A value that is computed here and used later.
    fn temporary(&mut self, at: &mut Assembly, value: Expr) -> Checked<Expr> {
        let ty: QualType = value.ty.ty.clone().into();
        let local = self.new_local(None, ty.clone(), None, at.span)?;
        at.push(StmtKind::Local(local, Some(LocalInit::Value(value))));
        Ok(load(local, ty.ty, at.span))
    }

    fn result(&mut self, at: &mut Assembly, result: Result) -> Checked<()> {
        let (target, value) = match result {
            Result::Register(target, register) => (target, at.value_of(register)),
            Result::Condition(target, condition) => {
                let value = self.condition(at, &condition)?;
                (target, value)
            }
        };
        let value = self.convert(value, &self.value_type(&target));
        let assignment = self.assign_values(target, value, at.span)?;
        at.push(StmtKind::Expr(assignment));
        Ok(())
    }
}

impl Assembly {
    fn push(&mut self, kind: StmtKind) {
        self.out.push(Stmt { kind, span: self.span });
    }

    fn effect(&mut self, expr: Expr) {
        self.push(StmtKind::Expr(expr));
    }

    fn step(&mut self, step: Step) {
        let what = match step {
            Step::Fence(fence) => Intrinsic::Fence(fence),
            Step::Yield => Intrinsic::Yield,
        };
        self.effect(intrinsic(what, Type::Void, self.span));
    }

    fn assign(&mut self, local: LocalId, value: Expr) {
        let ty = value.ty.clone();
        let place = Expr { kind: ExprKind::Local(local), ty: ty.clone(), span: self.span };
        let kind = ExprKind::Assign(Box::new(place), Box::new(value));
        self.effect(Expr { kind, ty, span: self.span });
    }

    fn value_of(&self, register: usize) -> Expr {
        let Register { local, ty, .. } = &self.registers[register];
        load(*local, ty.clone(), self.span)
    }

    /// The place of the operand that an input is tied to by a number or a name, `"0"`.
    fn tied(&self, constraint: &str, span: Span) -> Checked<Option<Home>> {
        let constraint = constraint.trim_start_matches('%');
        let index = match constraint.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            Some(name) => self.named(name),
            None => constraint.parse::<usize>().ok(),
        };
        let tied = constraint.starts_with(|c: char| c.is_ascii_digit() || c == '[');
        match index.and_then(|index| self.operands.get(index)) {
            Some((_, home)) if tied => Ok(Some(home.clone())),
            _ if tied => fail(span, "there is no such output"),
            _ => Ok(None),
        }
    }

    fn named(&self, name: &str) -> Option<usize> {
        self.operands.iter().position(|(known, _)| known.as_deref() == Some(name))
    }

    /// The message about an instruction that is not known.
    fn unknown<T>(&self, instruction: &str, why: &str) -> Checked<T> {
        let message = format!("the instruction `{instruction}` is not known{why}");
        Err(Diagnostic::error(self.span, message)
            .note(
                "barriers and pauses of x86, ARM, Power and RISC-V are, and what x86 does with \
                 integers and memory in straight lines; anything else is refused",
            )
            .into())
    }
}

fn place_of(operand: &AsmOperand) -> Checked<Place> {
    let constraint = literal::text(&operand.constraint);
    match operand::place(&constraint) {
        Some(place) => Ok(place),
        None => {
            let message = format!("the constraint `{constraint}` is not known");
            fail(operand.constraint.span, message)
        }
    }
}

fn load(local: LocalId, ty: Type, span: Span) -> Expr {
    let ty: QualType = ty.into();
    let place = Expr { kind: ExprKind::Local(local), ty: ty.clone(), span };
    Expr { kind: ExprKind::Load(Box::new(place)), ty, span }
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (a.ty.clone(), a.span);
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span }
}

/// The unsigned type of this many bytes.
fn unsigned(size: u64) -> Option<Type> {
    let kinds = [IntKind::UChar, IntKind::UShort, IntKind::UInt, IntKind::ULong];
    kinds.into_iter().find(|kind| u64::from(kind.bits()) == 8 * size).map(Type::Int)
}

/// The signed type of this many bytes.
fn signed(size: u64) -> Option<Type> {
    let kinds = [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long];
    kinds.into_iter().find(|kind| u64::from(kind.bits()) == 8 * size).map(Type::Int)
}
