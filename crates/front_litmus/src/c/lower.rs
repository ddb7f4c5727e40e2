//! Lowers the functions of a C litmus test.
//!
//! Types are ignored: every local is a register of 64 bits, as in herd, and tests do keep
//! addresses in an `int`. A parameter stands for the address of the location of its name.
//!
//! Soundness S-149 (litmus; all; misses): In C tests every value has 64 bits and is cut to its type
//! only where it is printed or compared at the end, and pointer arithmetic is not scaled. Test:
//! crates/fencepost/tests/litmus_instructions.rs::c_pointers_to_elements_of_arrays.

use super::ast::{Binary, Case, Expr, ExprKind, Function, Stmt, Unary};
use super::{c11, kernel};
use crate::asm::{Context, Thread, access};
use crate::init::RegisterInit;
use crate::test::Dialect;
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use ir::op::{Access, BinaryOp, Op, Operand, UnaryOp};
use ir::order::Order;
use ir::program::{BlockId, GlobalId, Width};
use ir::tag::{Side, Tag};
use std::collections::{BTreeMap, BTreeSet};

/// Lowers the function of one thread.
pub fn function(
    context: Context<'_>,
    number: usize,
    function: &Function,
    dialect: Dialect,
    inits: &[RegisterInit],
    finals: &[String],
) -> Result<(), Diagnostic> {
    let mut thread = Thread::new(context, number);
    let mut params = BTreeMap::new();
    for param in &function.params {
        let context = &mut thread.context;
        let global = context.locations.named(context.program, &param.name);
        if params.insert(param.name.clone(), global).is_some() {
            let message = format!("parameter `{}` is declared twice", param.name);
            return Err(Diagnostic::error(param.span, message));
        }
    }
    let own = inits.iter().filter(|init| init.thread == Some(number));
    let locals = own.map(|init| init.name.clone()).collect();
    let leave = Vec::new();
    let mut lowering = Lowering { thread, params, dialect, unordered: 0, locals, leave };
    lowering.statements(&function.body)?;
    let canonical = |name: &str| Some(name.to_string());
    lowering.thread.finish(number, inits, &canonical, finals)?;
    Ok(())
}

/// A C thread in the making.
pub struct Lowering<'c> {
    /// The thread.
    pub thread: Thread<'c>,
    params: BTreeMap<String, GlobalId>,
    dialect: Dialect,
    /// How many operators with accesses on both sides there have been.
    unordered: u32,
    /// The locals that have been declared or assigned to so far.
    locals: BTreeSet<String>,
    /// Where `break` goes, and `continue`, in the loops and switches around.
    leave: Vec<(BlockId, Option<BlockId>)>,
}

/// Where an access goes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The address.
    pub address: Operand,
}

impl Target {
    /// An access to it.
    pub fn access(self, order: Order, tags: &[Tag]) -> Access {
        access(self.address, Width::I64, order, tags)
    }
}

/// A number as a value.
pub fn int(value: i128) -> Operand {
    Operand::int(Width::I64, value as u128)
}

impl Lowering<'_> {
    fn statements(&mut self, statements: &[Stmt]) -> Result<(), Diagnostic> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Stmt) -> Result<(), Diagnostic> {
        match statement {
            Stmt::Declare(name, value) => {
                // In C a name is known already in its own initialiser.
                let dst = self.local(name);
                if let Some(value) = value {
                    let value = self.value(value)?;
                    self.thread.copy(dst, value);
                }
            }
            Stmt::Expr(expr) => self.effect(expr)?,
            Stmt::If(cond, then, otherwise) => {
                let cond = self.truth(cond)?;
                let (yes, no, join) = self.fork(cond);
                self.thread.switch_to(yes);
                self.statements(then)?;
                self.thread.jump_to(join);
                self.thread.switch_to(no);
                self.statements(otherwise)?;
                self.thread.continue_in(join);
            }
            Stmt::Loop { cond, body, step } => self.round(cond.as_ref(), body, step)?,
            Stmt::DoWhile(body, cond) => {
                let thread = &mut self.thread;
                let (head, test, after) =
                    (thread.new_block(), thread.new_block(), thread.new_block());
                thread.continue_in(head);
                self.inside(after, Some(test), body)?;
                self.thread.continue_in(test);
                let cond = self.truth(cond)?;
                self.thread.branch_to(cond, head, after);
                self.thread.switch_to(after);
            }
            Stmt::Switch(value, cases) => self.switch(value, cases)?,
            Stmt::Break(span) => {
                let target = self.leave.last().map(|(after, _)| *after);
                self.leave_to(target, *span, "`break` is in no loop or `switch`")?;
            }
            Stmt::Continue(span) => {
                let target = self.leave.iter().rev().find_map(|(_, next)| *next);
                self.leave_to(target, *span, "`continue` is in no loop")?;
            }
            Stmt::Block(body) => self.statements(body)?,
            Stmt::Return => self.thread.leave(),
        }
        Ok(())
    }

    /// A loop that is tested before each round.
    fn round(
        &mut self,
        cond: Option<&Expr>,
        body: &[Stmt],
        step: &[Expr],
    ) -> Result<(), Diagnostic> {
        let thread = &mut self.thread;
        let (head, inside) = (thread.new_block(), thread.new_block());
        let (next, after) = (thread.new_block(), thread.new_block());
        thread.continue_in(head);
        match cond {
            Some(cond) => {
                let cond = self.truth(cond)?;
                self.thread.branch_to(cond, inside, after);
                self.thread.switch_to(inside);
            }
            None => self.thread.continue_in(inside),
        }
        self.inside(after, Some(next), body)?;
        self.thread.continue_in(next);
        step.iter().try_for_each(|expr| self.effect(expr))?;
        self.thread.jump_to(head);
        self.thread.switch_to(after);
        Ok(())
    }

    /// Lowers a body in which `break` goes to one block and `continue` to another.
    fn inside(
        &mut self,
        after: BlockId,
        next: Option<BlockId>,
        body: &[Stmt],
    ) -> Result<(), Diagnostic> {
        self.leave.push((after, next));
        let result = self.statements(body);
        self.leave.pop();
        result
    }

    fn leave_to(
        &mut self,
        target: Option<BlockId>,
        span: Span,
        nowhere: &str,
    ) -> Result<(), Diagnostic> {
        let target = target.ok_or_else(|| Diagnostic::error(span, nowhere))?;
        self.thread.jump_to(target);
        let unreached = self.thread.new_block();
        self.thread.switch_to(unreached);
        Ok(())
    }

    /// Compares the value with one label after the other; the parts fall through.
    fn switch(&mut self, value: &Expr, cases: &[Case]) -> Result<(), Diagnostic> {
        let computed = self.value(value)?;
        let value = self.thread.temporary(Width::I64);
        self.thread.copy(value, computed);
        let after = self.thread.new_block();
        let blocks: Vec<BlockId> = cases.iter().map(|_| self.thread.new_block()).collect();
        let mut otherwise = after;
        for (case, block) in cases.iter().zip(&blocks) {
            let Some(number) = case.value else {
                otherwise = *block;
                continue;
            };
            self.thread.at(case.span);
            let here = self.thread.binary(BinaryOp::Eq, Operand::Reg(value), int(number));
            let next = self.thread.new_block();
            self.thread.branch_to(here, *block, next);
            self.thread.switch_to(next);
        }
        self.thread.jump_to(otherwise);
        let unreached = self.thread.new_block();
        self.thread.switch_to(unreached);
        for (case, block) in cases.iter().zip(&blocks) {
            self.thread.continue_in(*block);
            self.inside(after, None, &case.body)?;
        }
        self.thread.continue_in(after);
        Ok(())
    }

    /// Branches; gives the two arms and the block where they join.
    pub fn fork(&mut self, cond: Operand) -> (BlockId, BlockId, BlockId) {
        let thread = &mut self.thread;
        let (yes, no, join) = (thread.new_block(), thread.new_block(), thread.new_block());
        thread.branch_to(cond, yes, no);
        (yes, no, join)
    }

    /// An expression whose value is not used.
    fn effect(&mut self, expr: &Expr) -> Result<(), Diagnostic> {
        if let ExprKind::Call { .. } = expr.kind {
            return self.call(expr).map(|_| ());
        }
        self.value(expr).map(|_| ())
    }

    /// The value of an expression, 64 bits wide.
    pub fn value(&mut self, expr: &Expr) -> Result<Operand, Diagnostic> {
        match &expr.kind {
            ExprKind::Number(value) => Ok(int(*value)),
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Deref(_) | ExprKind::Index(..) => {
                let target = self.target(expr)?;
                self.thread.at(expr.span);
                Ok(self.load(target, Order::NonAtomic, &[]))
            }
            ExprKind::AddressOf(inner) => Ok(self.target(inner)?.address),
            ExprKind::Unary(Unary::Not, inner) => {
                let truth = self.truth(inner)?;
                let inverted = self.thread.unary(UnaryOp::Not, truth);
                Ok(self.thread.resize(inverted, Width::I64))
            }
            ExprKind::Unary(op, inner) => {
                let value = self.value(inner)?;
                let op = if *op == Unary::Minus { UnaryOp::Neg } else { UnaryOp::Not };
                Ok(self.thread.unary(op, value))
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = self.operands(a, b)?;
                let result = match op {
                    Binary::Op(op) => self.thread.binary(*op, a, b),
                    Binary::Greater => self.thread.binary(BinaryOp::Slt, b, a),
                    Binary::GreaterEqual => self.thread.binary(BinaryOp::Sle, b, a),
                };
                Ok(self.thread.resize(result, Width::I64))
            }
            ExprKind::ShortCircuit { and, left, right } => self.short_circuit(*and, left, right),
            ExprKind::Conditional(cond, a, b) => {
                let cond = self.truth(cond)?;
                let dst = self.thread.temporary(Width::I64);
                let (yes, no, join) = self.fork(cond);
                for (block, arm) in [(yes, a), (no, b)] {
                    self.thread.switch_to(block);
                    let value = self.value(arm)?;
                    self.thread.copy(dst, value);
                    self.thread.jump_to(join);
                }
                self.thread.switch_to(join);
                Ok(Operand::Reg(dst))
            }
            ExprKind::Assign(to, from) => self.assign(to, from),
            ExprKind::Call { name, .. } => self
                .call(expr)?
                .ok_or_else(|| Diagnostic::error(expr.span, format!("`{name}` has no value"))),
        }
    }

    /// The operands of a binary operator. C does not say in which order they are evaluated, so
    /// accesses on different sides are tagged as unordered.
    fn operands(&mut self, a: &Expr, b: &Expr) -> Result<(Operand, Operand), Diagnostic> {
        if !a.accesses() || !b.accesses() {
            return Ok((self.value(a)?, self.value(b)?));
        }
        self.unordered += 1;
        let number = self.unordered;
        let mut side = |expr, left| {
            self.thread.extra_tags.push(Tag::Side(Side { operator: number, left }));
            let value = self.value(expr);
            self.thread.extra_tags.pop();
            value
        };
        Ok((side(a, true)?, side(b, false)?))
    }

    fn name(&mut self, name: &str, span: Span) -> Result<Operand, Diagnostic> {
        if let Some(global) = self.params.get(name) {
            return Ok(Operand::Global(*global, 0));
        }
        match name {
            "NULL" | "false" => return Ok(int(0)),
            "true" => return Ok(int(1)),
            _ => {}
        }
        if !self.locals.contains(name) {
            let message = format!("`{name}` is neither a parameter nor a local with a value");
            return Err(Diagnostic::error(span, message));
        }
        Ok(Operand::Reg(self.thread.wide(name)))
    }

    /// Whether a name is a parameter's.
    pub fn is_param(&self, name: &str) -> bool {
        self.params.contains_key(name)
    }

    /// The register of a local that is about to be written.
    pub fn local(&mut self, name: &str) -> ir::program::Reg {
        self.locals.insert(name.to_string());
        self.thread.wide(name)
    }

    /// Whether an expression is not zero, as one bit.
    fn truth(&mut self, expr: &Expr) -> Result<Operand, Diagnostic> {
        let value = self.value(expr)?;
        self.thread.at(expr.span);
        Ok(self.thread.binary(BinaryOp::Ne, value, int(0)))
    }

    fn short_circuit(
        &mut self,
        and: bool,
        left: &Expr,
        right: &Expr,
    ) -> Result<Operand, Diagnostic> {
        let dst = self.thread.temporary(Width::I64);
        let left = self.truth(left)?;
        let wide = self.thread.resize(left, Width::I64);
        self.thread.copy(dst, wide);
        let (more, join) = (self.thread.new_block(), self.thread.new_block());
        let (then, otherwise) = if and { (more, join) } else { (join, more) };
        self.thread.branch_to(left, then, otherwise);
        self.thread.switch_to(more);
        let right = self.truth(right)?;
        let wide = self.thread.resize(right, Width::I64);
        self.thread.copy(dst, wide);
        self.thread.continue_in(join);
        Ok(Operand::Reg(dst))
    }

    fn assign(&mut self, to: &Expr, from: &Expr) -> Result<Operand, Diagnostic> {
        match &to.kind {
            ExprKind::Name(name) if !self.params.contains_key(name) => {
                let value = self.value(from)?;
                let dst = self.local(name);
                self.thread.copy(dst, value);
                Ok(value)
            }
            ExprKind::Deref(_) | ExprKind::Index(..) => {
                let value = self.value(from)?;
                let target = self.target(to)?;
                self.thread.at(to.span.to(from.span));
                self.store(target, value, Order::NonAtomic, &[]);
                Ok(value)
            }
            _ => Err(Diagnostic::error(to.span, "nothing can be assigned to this")),
        }
    }

    /// Where an lvalue is; a location's name stands for itself.
    pub fn target(&mut self, expr: &Expr) -> Result<Target, Diagnostic> {
        match &expr.kind {
            ExprKind::Deref(inner) => self.pointee(inner),
            ExprKind::Index(base, index) => {
                let base = self.value(base)?;
                let index = self.value(index)?;
                let offset = self.thread.binary(BinaryOp::Mul, index, int(8));
                let address = self.thread.binary(BinaryOp::Add, base, offset);
                Ok(Target { address })
            }
            ExprKind::Name(name) if self.params.contains_key(name) => {
                Ok(Target { address: self.name(name, expr.span)? })
            }
            _ => Err(Diagnostic::error(expr.span, "this is not a place in memory")),
        }
    }

    /// Where a pointer points.
    pub fn pointee(&mut self, pointer: &Expr) -> Result<Target, Diagnostic> {
        Ok(Target { address: self.value(pointer)? })
    }

    /// Reads memory.
    pub fn load(&mut self, target: Target, order: Order, tags: &[Tag]) -> Operand {
        self.thread.load(target.access(order, tags), false)
    }

    /// Writes memory.
    pub fn store(&mut self, target: Target, value: Operand, order: Order, tags: &[Tag]) {
        self.thread.emit(Op::Store { access: target.access(order, tags), value });
    }

    /// Goes on in two ways, of which the oracle tries both: runs `yes` or `no`, each of which
    /// gives a value, and gives that value. No dependency comes from the choice.
    pub fn either(
        &mut self,
        yes: impl FnOnce(&mut Self) -> Operand,
        no: impl FnOnce(&mut Self) -> Operand,
    ) -> Operand {
        let dst = self.thread.temporary(Width::I64);
        let (first, second, join) = self.thread.either();
        self.thread.switch_to(first);
        let value = yes(self);
        self.thread.copy(dst, value);
        self.thread.jump_to(join);
        self.thread.switch_to(second);
        let value = no(self);
        self.thread.copy(dst, value);
        self.thread.continue_in(join);
        Operand::Reg(dst)
    }

    /// Only executions in which `a op b` holds are explored.
    pub fn assume(&mut self, op: BinaryOp, a: Operand, b: Operand) {
        let cond = self.thread.binary(op, a, b);
        self.thread.emit(Op::Assume { cond, waits: true });
    }

    fn call(&mut self, expr: &Expr) -> Result<Option<Operand>, Diagnostic> {
        let ExprKind::Call { name, annotation, arguments } = &expr.kind else {
            return self.value(expr).map(Some);
        };
        let call = Call { name, annotation: annotation.as_deref(), arguments, span: expr.span };
        let known = match self.dialect {
            Dialect::C11 => c11::call(self, &call)?,
            Dialect::Kernel => None,
        };
        let known = match known {
            Some(result) => Some(result),
            None => kernel::call(self, &call)?,
        };
        known.ok_or_else(|| {
            let end = expr.span.start as usize + name.len();
            let span = Span::new(expr.span.file, expr.span.start as usize, end);
            Diagnostic::error(span, format!("unknown function `{name}`"))
        })
    }
}

/// A call of a primitive.
pub struct Call<'e> {
    /// Its name.
    pub name: &'e str,
    /// The annotation in braces.
    pub annotation: Option<&'e str>,
    /// Its arguments.
    pub arguments: &'e [Expr],
    /// Where it is.
    pub span: Span,
}

impl<'e> Call<'e> {
    /// The arguments, of which there must be `N`.
    pub fn arguments<const N: usize>(&self) -> Result<&'e [Expr; N], Diagnostic> {
        self.arguments.try_into().map_err(|_| {
            let plural = if N == 1 { "" } else { "s" };
            let message = format!("`{}` takes {N} argument{plural}", self.name);
            Diagnostic::error(self.span, message)
        })
    }
}
