//! Inline assembly with operands (gcc manual, "Extended Asm"): where operands are, and what the
//! instructions of the template do with them.
//!
//! - [`known`]: instructions without operands, and how a template is cut into instructions.
//! - [`x86`]: instructions of x86 that read and write, in the [`syntax`] of AT&T, and [`flags`],
//!   which they set.
//! - [`arm64`], [`power`], [`riscv`]: what instructions of these are (what they do to memory stands in
//!   [`ir::machine`], which litmus tests share); [`risc`]: how that is lowered.
//!
//! Inputs are evaluated into registers, the instructions work on these and on memory, and outputs
//! are assigned at the end. Registers are locals without a name. Each instruction must be known:
//! guessing at assembly would void every verdict.
//!
//! Soundness S-016 (run, check, verify; all; refuses): Inline assembly is accepted only if every
//! instruction is a known barrier or pause, or a known instruction of x86, AArch64, Power or RISC-V
//! on integers and memory, with jumps inside of the template alone. Test: corpus/bad/unsupported-asm.c,
//! crates/front_c/src/sema/assembly/tests.rs::what_is_not_understood_is_named.
//!
//! Soundness S-017 (run, check, verify; all; misses): Operands of inline assembly share a register
//! only where their constraints say so, so a missing `&` is not found; accesses without `lock` are
//! relaxed on all models. Test: corpus/verify/approximations/missing_early_clobber.c.

mod arm64;
mod flags;
mod known;
mod operand;
mod power;
mod risc;
mod riscv;
mod syntax;
#[cfg(test)]
mod tests;
mod x86;

use super::tree::{Expr, ExprKind, Intrinsic, LabelId, LocalId, LocalInit, Stmt, StmtKind};
use super::{Checked, Sema, refusal, refuse};
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
    /// How many bytes each operand has.
    sizes: Vec<Option<u64>>,
    /// Machine registers that the template may use without an operand in them.
    clobbered: Vec<String>,
    /// What the last comparison or computation set.
    flags: Option<Flags>,
    /// Whose instructions these are.
    machine: Machine,
    /// The labels of the template, each with the number of the instruction after it.
    labels: Vec<(usize, String, LabelId)>,
    /// The number of the instruction that is being followed.
    number: usize,
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
    /// Whether an operand has given it a value.
    set: bool,
}

/// Whose instructions a template has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Machine {
    X86,
    Arm64,
    Power,
    Riscv,
}

impl Machine {
    /// The first that only one of them has decides.
    fn of(instructions: &[String]) -> Machine {
        let known = |text: &String| {
            let (mnemonic, _) = risc::parts(text);
            match &*mnemonic {
                name if power::knows(name) => Some(Machine::Power),
                name if riscv::knows(name) => Some(Machine::Riscv),
                name if arm64::knows(name) => Some(Machine::Arm64),
                _ => None,
            }
        };
        instructions.iter().find_map(known).unwrap_or(Machine::X86)
    }
}

/// The label before an instruction, and the instruction.
fn labelled(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once(':')?;
    let is_name =
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "._%=$".contains(c));
    is_name.then(|| (name, rest.trim_start()))
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
            return refuse(span, "assembly that jumps (`asm goto`) is not supported");
        }
        let clobbered: Vec<String> = asm.clobbers.iter().map(literal::text).collect();
        let memory = clobbered.iter().any(|what| what == "memory");
        let mut at = Assembly {
            registers: Vec::new(),
            operands: Vec::new(),
            sizes: Vec::new(),
            clobbered,
            flags: None,
            machine: Machine::X86,
            labels: Vec::new(),
            number: 0,
            out: Vec::new(),
            span,
        };
        let template = literal::text(&asm.template);
        let mut list = Vec::new();
        for instruction in instructions(&template) {
            let mut text = &*instruction;
            while let Some((name, rest)) = labelled(text) {
                let label = self.new_label(None, span)?;
                at.labels.push((list.len(), name.to_string(), label));
                text = rest;
            }
            list.push(text.to_string());
        }
        at.machine = Machine::of(&list);
        let results = self.operands(&mut at, asm)?;
        let mut orders = false;
        for (number, instruction) in list.iter().enumerate() {
            at.number = number;
            at.place_labels();
            match steps(instruction) {
                Some(steps) => {
                    orders |= !steps.is_empty();
                    steps.into_iter().for_each(|step| at.step(step));
                }
                None if instruction.is_empty() => {}
                None => self.any_instruction(&mut at, instruction)?,
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

    fn any_instruction(&mut self, at: &mut Assembly, text: &str) -> Checked<()> {
        let what = match at.machine {
            Machine::X86 => return self.instruction(at, text),
            Machine::Arm64 => self.arm64(at, text)?,
            Machine::Power => self.power(at, text)?,
            Machine::Riscv => self.riscv(at, text)?,
        };
        match what {
            Some(what) => self.risc(at, text, what),
            None => at.unknown(text, ""),
        }
    }

    /// Finds a place for every operand and evaluates the inputs.
    fn operands(&mut self, at: &mut Assembly, asm: &ast::Asm) -> Checked<Vec<Result>> {
        let mut results = Vec::new();
        for output in &asm.outputs {
            let home = self.output(at, output, &mut results)?;
            let size = self.operand_size(output);
            at.sizes.push(size);
            at.operands.push((output.name.clone(), home));
        }
        for input in &asm.inputs {
            let home = self.input(at, input)?;
            let size = self.operand_size(input);
            at.sizes.push(size);
            at.operands.push((input.name.clone(), home));
        }
        Ok(results)
    }

    fn operand_size(&mut self, operand: &AsmOperand) -> Option<u64> {
        let value = self.unevaluated(|sema| sema.value(&operand.expr)).ok()?;
        self.unit.types.size_of(&value.ty.ty)
    }

    fn output(
        &mut self,
        at: &mut Assembly,
        operand: &AsmOperand,
        results: &mut Vec<Result>,
    ) -> Checked<Home> {
        let constraint = literal::text(&operand.constraint);
        if !constraint.starts_with("=@") && at.place_of(operand)? == Place::Memory {
            return self.memory_operand(at, operand, true);
        }
        let target = self.modifiable(&operand.expr)?;
        if let Some(condition) = constraint.strip_prefix("=@cc") {
            let target = self.pinned(at, target)?;
            results.push(Result::Condition(target, condition.into()));
            return Ok(Home::Flags);
        }
        let target = self.pinned(at, target)?;
        let Place::Register(machine) = at.place_of(operand)? else {
            return refuse(at.span, "an operand is in memory and in a register");
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
        match at.place_of(operand)? {
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
            return refuse(place.span, "an operand in memory must be an object with an address");
        }
        if written && place.ty.is_const() {
            return refuse(place.span, "this object is `const` and cannot be written");
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
                None => refuse(span, "an operand in a register has at most 8 bytes"),
            },
            _ => refuse(span, "an operand in a register must be an integer or a pointer"),
        }
    }

    /// The register that is this machine register, or another one.
    fn register(&mut self, at: &mut Assembly, machine: Option<char>, ty: Type) -> Checked<usize> {
        let same = |register: &Register| machine.is_some() && register.machine == machine;
        if let Some(index) = at.registers.iter().position(same) {
            let size = |ty| self.unit.types.size_of(ty);
            if size(&ty) > size(&at.registers[index].ty) {
                // It holds as much as its largest operand.
                let local = self.new_local(None, ty.clone().into(), None, at.span)?;
                let before = self.convert(at.value_of(index), &ty);
                at.push(StmtKind::Local(local, None));
                (at.registers[index].local, at.registers[index].ty) = (local, ty);
                if at.registers[index].set {
                    at.assign(local, before);
                }
            }
            return Ok(index);
        }
        let local = self.new_local(None, ty.clone().into(), None, at.span)?;
        at.push(StmtKind::Local(local, None));
        at.registers.push(Register { machine, local, ty, set: false });
        Ok(at.registers.len() - 1)
    }

    fn set(&mut self, at: &mut Assembly, register: usize, value: Expr) {
        at.registers[register].set = true;
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
            _ if tied => refuse(span, "there is no such output"),
            _ => Ok(None),
        }
    }

    fn named(&self, name: &str) -> Option<usize> {
        self.operands.iter().position(|(known, _)| known.as_deref() == Some(name))
    }

    /// Where a template goes by `1b`, `1f` or a name.
    fn label(&self, name: &str) -> Option<LabelId> {
        let number = |suffix| {
            name.strip_suffix(suffix).filter(|rest| rest.chars().all(|c| c.is_ascii_digit()))
        };
        let found = match (number('b'), number('f')) {
            (Some(known), _) => {
                self.labels.iter().rev().find(|(at, name, _)| *at <= self.number && name == known)
            }
            (_, Some(known)) => {
                self.labels.iter().find(|(at, name, _)| *at > self.number && name == known)
            }
            _ => self.labels.iter().find(|(_, known, _)| known == name),
        };
        found.map(|(_, _, label)| *label)
    }

    /// Puts the labels before the instruction where they are; what led there is not known.
    fn place_labels(&mut self) {
        let here = self.labels.iter().filter(|(at, ..)| *at == self.number);
        let here: Vec<LabelId> = here.map(|(_, _, label)| *label).collect();
        for label in here {
            let nothing = Stmt { kind: StmtKind::Block(Vec::new()), span: self.span };
            self.push(StmtKind::Label(label, Box::new(nothing)));
            self.flags = None;
        }
    }

    fn place_of(&self, operand: &AsmOperand) -> Checked<Place> {
        let constraint = literal::text(&operand.constraint);
        // The letters that machines give meanings of their own.
        let (memory, register) = match self.machine {
            Machine::X86 => ("", ""),
            Machine::Arm64 => ("Q", "Z"),
            Machine::Power => ("ZY", "b"),
            Machine::Riscv => ("A", ""),
        };
        let usual = |letter: char| match letter {
            _ if memory.contains(letter) => 'm',
            _ if register.contains(letter) => 'r',
            other => other,
        };
        match operand::place(&constraint.chars().map(usual).collect::<String>()) {
            Some(place) => Ok(place),
            None => {
                let message = format!("the constraint `{constraint}` is not known");
                refuse(operand.constraint.span, message)
            }
        }
    }

    /// The message about an instruction that is not known.
    fn unknown<T>(&self, instruction: &str, why: &str) -> Checked<T> {
        let message = format!("the instruction `{instruction}` is not known{why}");
        Err(refusal(Diagnostic::error(self.span, message).note(
            "barriers and pauses of x86, ARM, Power and RISC-V are, and much of what these do with \
             integers and memory; anything else is refused",
        )))
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
