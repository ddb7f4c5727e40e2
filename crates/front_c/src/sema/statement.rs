//! Statements.

use super::scope::Entity;
use super::tree::{Case, Expr, ExprKind, Intrinsic, Label, LabelId, Stmt, StmtKind, label_address};
use super::{Checked, Fail, NamedLabel, Sema, fail, refusal, refuse};
use crate::ast::{self, BlockItem, ForInit, Ident};
use crate::sema::atomics::intrinsic;
use crate::sema::builtins::foreign;
use crate::sema::types::Type;
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A switch whose body is being checked.
pub struct SwitchState {
    /// The promoted type of the value.
    pub ty: Type,
    /// The cases so far, by their least values.
    pub cases: BTreeMap<u128, (Case, Span)>,
    /// The default, if there was one.
    pub default: Option<LabelId>,
}

impl Sema<'_> {
    /// The lines of a block, in the current scope.
    pub fn block_items(&mut self, block: &ast::Block) -> Vec<Stmt> {
        let mut out = Vec::new();
        let outer = self.function.as_mut().map(|state| std::mem::take(&mut state.cleanups));
        for item in &block.items {
            let result = match item {
                BlockItem::Declaration(declaration) => {
                    self.block_declaration(declaration, &mut out)
                }
                BlockItem::Statement(statement) => {
                    self.statement(statement).map(|statement| out.push(statement))
                }
                BlockItem::StaticAssert(assert) => self.static_assert(assert),
                BlockItem::Function(function) => {
                    let message = "functions inside functions are not supported";
                    let why = Diagnostic::error(function.span, message);
                    self.poison(&function.declarator, Some(&why));
                    Err(refusal(why))
                }
            };
            match result {
                Err(Fail::Refused(why)) if self.unevaluated == 0 => {
                    out.push(refused(*why, item_span(item)));
                }
                result => drop(self.report(result)),
            }
        }
        self.clean_up(outer, &mut out, block.span);
        out
    }

    /// Lets what follows the declarations with `cleanup` of a block be left through their calls;
    /// `outer` are those of the block around it.
    fn clean_up(&mut self, outer: Option<Vec<(usize, Expr)>>, out: &mut Vec<Stmt>, span: Span) {
        let (Some(state), Some(outer)) = (&mut self.function, outer) else { return };
        for (from, call) in std::mem::replace(&mut state.cleanups, outer).into_iter().rev() {
            let rest = out.split_off(from);
            let body = Box::new(Stmt { kind: StmtKind::Block(rest), span });
            let span = call.span;
            out.push(Stmt { kind: StmtKind::Cleanup { body, call }, span });
        }
    }

    fn block(&mut self, block: &ast::Block) -> Vec<Stmt> {
        self.scopes.open();
        let items = self.block_items(block);
        self.scopes.close();
        items
    }

    /// A statement that is a scope of its own.
    fn scoped(&mut self, statement: &ast::Stmt) -> Checked<Box<Stmt>> {
        self.scopes.open();
        let result = self.statement(statement);
        self.scopes.close();
        result.map(Box::new)
    }

    fn loop_body(&mut self, body: &ast::Stmt) -> Checked<Box<Stmt>> {
        if let Some(state) = &mut self.function {
            state.loops += 1;
            state.breakable += 1;
        }
        let result = self.scoped(body);
        if let Some(state) = &mut self.function {
            state.loops -= 1;
            state.breakable -= 1;
        }
        result
    }

    /// A statement; one that is not supported is a finding where it is reached. Those inside of it
    /// are checked as usual: jumps may lead to them.
    fn statement(&mut self, statement: &ast::Stmt) -> Checked<Stmt> {
        match self.whole_statement(statement) {
            Err(Fail::Refused(why)) if self.unevaluated == 0 => Ok(refused(*why, statement.span)),
            other => other,
        }
    }

    /// A condition; one that is not supported is a finding where it is reached.
    fn condition_of(&mut self, cond: &ast::Expr) -> Checked<Expr> {
        let truth = self.truth_of(cond, "the condition");
        self.or_refused(truth, Type::INT, cond.span)
    }

    fn whole_statement(&mut self, statement: &ast::Stmt) -> Checked<Stmt> {
        use ast::StmtKind as A;
        let span = statement.span;
        let kind = match &statement.kind {
            A::Expr(None) => StmtKind::Block(Vec::new()),
            A::Expr(Some(expr)) => {
                let value = self.effect(expr)?;
                StmtKind::Expr(value)
            }
            A::Block(block) => StmtKind::Block(self.block(block)),
            A::If { cond, then, otherwise } => {
                let cond = self.condition_of(cond)?;
                let then = self.scoped(then)?;
                let otherwise = match otherwise {
                    Some(otherwise) => Some(self.scoped(otherwise)?),
                    None => None,
                };
                StmtKind::If { cond, then, otherwise }
            }
            A::While { cond, body } => {
                let cond = self.condition_of(cond)?;
                StmtKind::While { cond, body: self.loop_body(body)? }
            }
            A::DoWhile { body, cond } => {
                let body = self.loop_body(body)?;
                let cond = self.condition_of(cond)?;
                StmtKind::DoWhile { body, cond }
            }
            A::For { .. } => {
                self.scopes.open();
                let result = self.for_loop(&statement.kind, span);
                self.scopes.close();
                result?
            }
            A::Switch { value, body } => self.switch(value, body)?,
            A::Case { low, high, body } => self.case(low, high.as_ref(), body, span)?,
            A::Default(body) => self.default(body, span)?,
            A::Label { name, body } if name.name.starts_with(foreign::ASYNC) => {
                StmtKind::Expr(self.asynchronous(name, body)?)
            }
            A::Label { name, body } => {
                let id = self.define_label(name)?;
                StmtKind::Label(id, Box::new(self.statement(body)?))
            }
            A::Goto(name) => StmtKind::Goto(self.label(name, false)?.0),
            A::ComputedGoto(to) => {
                let to = self.value(to)?;
                if !to.ty.ty.is_pointer() {
                    return fail(to.span, "the target of a computed `goto` must be a pointer");
                }
                self.in_function(span)?.dispatches = true;
                StmtKind::ComputedGoto(to)
            }
            A::Continue if self.in_function(span)?.loops == 0 => {
                return fail(span, "`continue` outside a loop");
            }
            A::Continue => StmtKind::Continue,
            A::Break if self.in_function(span)?.breakable == 0 => {
                return fail(span, "`break` outside a loop or `switch`");
            }
            A::Break => StmtKind::Break,
            A::Return(value) => self.return_statement(value.as_ref(), span)?,
            A::Asm(asm) => return self.assembly(asm),
            A::Atomic(body) => StmtKind::Atomic(self.scoped(body)?),
        };
        Ok(Stmt { kind, span })
    }

    /// An expression whose value is not used; one that is not supported is a finding where it is
    /// reached.
    fn effect(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let effect = self.whole_effect(expr);
        self.or_refused(effect, Type::Void, expr.span)
    }

    fn whole_effect(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let value = self.expr(expr)?;
        // A volatile or atomic object is read even if the value is not used; a struct or an
        // incomplete object need not be.
        let is_void = matches!(value.ty.ty, Type::Void);
        if is_void || !value.ty.ty.is_scalar() { Ok(value) } else { self.rvalue(value) }
    }

    fn for_loop(&mut self, statement: &ast::StmtKind, span: Span) -> Checked<StmtKind> {
        let ast::StmtKind::For { init, cond, step, body } = statement else {
            return fail(span, "not a loop");
        };
        let mut outer = Vec::new();
        let mut first = None;
        let around = self.function.as_mut().map(|state| std::mem::take(&mut state.cleanups));
        match init {
            Some(ForInit::Declaration(declaration)) => {
                self.block_declaration(declaration, &mut outer)?
            }
            Some(ForInit::Expr(expr)) => first = Some(self.effect(expr)?),
            None => {}
        }
        let cond = match cond {
            Some(cond) => Some(self.condition_of(cond)?),
            None => None,
        };
        let step = match step {
            Some(step) => Some(self.effect(step)?),
            None => None,
        };
        let body = self.loop_body(body)?;
        let inner = StmtKind::For { init: first, cond, step, body };
        if outer.is_empty() {
            self.clean_up(around, &mut outer, span);
            return Ok(inner);
        }
        outer.push(Stmt { kind: inner, span });
        self.clean_up(around, &mut outer, span);
        Ok(StmtKind::Block(outer))
    }

    fn switch(&mut self, value: &ast::Expr, body: &ast::Stmt) -> Checked<StmtKind> {
        let span = value.span;
        let value = self.value(value);
        let value = self.or_refused(value, Type::INT, span)?;
        if !value.ty.ty.is_integer() {
            return fail(value.span, "the value of a `switch` must be an integer");
        }
        let value = self.promote(value);
        let state = self.in_function(value.span)?;
        state.breakable += 1;
        let ty = value.ty.ty.clone();
        state.switches.push(SwitchState { ty, cases: BTreeMap::new(), default: None });
        let body = self.scoped(body);
        let state = self.in_function(value.span)?;
        state.breakable -= 1;
        let Some(done) = state.switches.pop() else { return fail(value.span, "not in a switch") };
        let cases = done.cases.into_values().map(|(case, _)| case).collect();
        Ok(StmtKind::Switch { value, cases, default: done.default, body: body? })
    }

    pub(crate) fn new_label(&mut self, name: Option<Rc<str>>, span: Span) -> Checked<LabelId> {
        Ok(self.in_function(span)?.labels.push(Label { name, taken: false, span }))
    }

    fn case(
        &mut self,
        low: &ast::Expr,
        high: Option<&ast::Expr>,
        body: &ast::Stmt,
        span: Span,
    ) -> Checked<StmtKind> {
        let (low_bits, low_type) = self.integer_constant(low, "a case")?;
        let (high_bits, high_type) = match high {
            Some(high) => self.integer_constant(high, "a case")?,
            None => (low_bits, low_type.clone()),
        };
        let Some(ty) = self.in_function(span)?.switches.last().map(|switch| switch.ty.clone())
        else {
            return fail(span, "`case` outside a `switch`");
        };
        let low_bits = self.convert_bits(low_bits, &low_type, &ty).unwrap_or(low_bits);
        let high_bits = self.convert_bits(high_bits, &high_type, &ty).unwrap_or(high_bits);
        let label = self.new_label(None, span)?;
        let pieces = self.case_pieces(low_bits, high_bits, &ty);
        if pieces.is_empty() {
            self.warn(span, "this range of cases is empty");
        }
        let Some(switch) = self.in_function(span)?.switches.last_mut() else {
            return fail(span, "`case` outside a `switch`");
        };
        for (low, high) in pieces {
            // Cases do not overlap, so only the last one that starts before the end can clash.
            let nearest = switch.cases.range(..=high).next_back();
            if let Some((_, (_, other))) = nearest.filter(|(_, (case, _))| low <= case.high) {
                return Err(Diagnostic::error(span, "this case is already there")
                    .also(*other, "here")
                    .into());
            }
            switch.cases.insert(low, (Case { low, high, label }, span));
        }
        Ok(StmtKind::Label(label, Box::new(self.statement(body)?)))
    }

    /// A range of cases as ranges of unsigned numbers: one that crosses zero is two.
    fn case_pieces(&self, low: u128, high: u128, ty: &Type) -> Vec<(u128, u128)> {
        let (width, is_signed) = self.scalar(ty).unwrap_or((32, true));
        let number = |bits| crate::sema::constants::arith::signed(bits, width);
        if !is_signed {
            return if low <= high { vec![(low, high)] } else { Vec::new() };
        }
        if number(low) > number(high) {
            return Vec::new();
        }
        if number(low) < 0 && number(high) >= 0 {
            return vec![(low, crate::sema::constants::arith::mask(width)), (0, high)];
        }
        vec![(low, high)]
    }

    fn default(&mut self, body: &ast::Stmt, span: Span) -> Checked<StmtKind> {
        let label = self.new_label(None, span)?;
        let Some(switch) = self.in_function(span)?.switches.last_mut() else {
            return fail(span, "`default` outside a `switch`");
        };
        if let Some(first) = switch.default.replace(label) {
            let first = self.in_function(span)?.labels[first].span;
            return Err(Diagnostic::error(span, "this `switch` has two defaults")
                .also(first, "the first is here")
                .into());
        }
        Ok(StmtKind::Label(label, Box::new(self.statement(body)?)))
    }

    fn label(&mut self, name: &Ident, defines: bool) -> Checked<(LabelId, Option<Span>)> {
        let state = self.in_function(name.span)?;
        if let Some(known) = state.named.get_mut(&name.name) {
            let before = known.defined;
            if defines {
                known.defined.get_or_insert(name.span);
                state.labels[known.id].span = name.span;
            } else {
                known.used.get_or_insert(name.span);
            }
            return Ok((known.id, before));
        }
        let text = Some(name.name.clone());
        let id = state.labels.push(Label { name: text, taken: false, span: name.span });
        let (defined, used) =
            if defines { (Some(name.span), None) } else { (None, Some(name.span)) };
        state.named.insert(name.name.clone(), NamedLabel { id, defined, used });
        Ok((id, None))
    }

    /// `&&name`
    pub(crate) fn label_address(&mut self, name: &Ident, span: Span) -> Checked<Expr> {
        let (id, _) = self.label(name, false)?;
        self.in_function(span)?.labels[id].taken = true;
        Ok(Expr::constant(label_address(id), Type::void_pointer(), span))
    }

    fn define_label(&mut self, name: &Ident) -> Checked<LabelId> {
        match self.label(name, true)? {
            (id, None) => Ok(id),
            (_, Some(first)) => {
                Err(Diagnostic::error(name.span, format!("there are two labels `{}`", name.name))
                    .also(first, "the first one is here")
                    .into())
            }
        }
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span) -> Checked<StmtKind> {
        let result = self.in_function(span)?.result.clone();
        let Some(value) = value else {
            if result.ty != Type::Void {
                self.warn(span, "`return` without a value in a function that has a result");
            }
            return Ok(StmtKind::Return(None));
        };
        let value = self.value(value)?;
        if result.ty == Type::Void {
            if value.ty.ty != Type::Void {
                self.warn(span, "`return` with a value in a function without a result");
            }
            let inner = Stmt { kind: StmtKind::Expr(value), span };
            let back = Stmt { kind: StmtKind::Return(None), span };
            return Ok(StmtKind::Block(vec![inner, back]));
        }
        let value = self.assign_to(value, &result, "the result")?;
        Ok(StmtKind::Return(Some(value)))
    }

    /// `({ … })`
    pub fn statement_expression(&mut self, block: &ast::Block, span: Span) -> Checked<Expr> {
        self.in_function(span)?;
        self.scopes.open();
        let before = self.errors.len();
        let mut statements = self.block_items(block);
        self.scopes.close();
        if self.errors.len() > before {
            return Err(super::Fail::Reported);
        }
        if let Some(StmtKind::Cleanup { call, .. }) = statements.last().map(|last| &last.kind) {
            let text = "the attribute `cleanup` in a statement expression is not supported";
            return refuse(call.span, text);
        }
        let value = match statements.pop() {
            Some(Stmt { kind: StmtKind::Expr(value), .. }) => Some(self.rvalue(value)?),
            Some(Stmt { kind: StmtKind::Label(label, inner), span: at })
                if matches!(inner.kind, StmtKind::Expr(_)) =>
            {
                // The label stands before the value.
                let StmtKind::Expr(value) = inner.kind else { return fail(at, "not a value") };
                let empty = Box::new(Stmt { kind: StmtKind::Block(Vec::new()), span: at });
                statements.push(Stmt { kind: StmtKind::Label(label, empty), span: at });
                Some(self.rvalue(value)?)
            }
            Some(other) => {
                statements.push(other);
                None
            }
            None => None,
        };
        let ty = value.as_ref().map_or(Type::Void.into(), |value| value.ty.clone());
        let kind = ExprKind::Statement(Rc::new(statements), value.map(Box::new));
        Ok(Expr { kind, ty, span })
    }

    /// Whether a name is declared in this unit as a function, for built-ins that call headers.
    pub fn find_function(&self, name: &str) -> Option<super::tree::FunctionId> {
        match self.scopes.find(name) {
            Some(Entity::Function(id)) => Some(*id),
            _ => self.functions.get(name).copied(),
        }
    }
}

/// What stands for a statement that is not supported.
pub(crate) fn refused(why: Diagnostic, span: Span) -> Stmt {
    let what = Intrinsic::Refused(Rc::new(why));
    Stmt { kind: StmtKind::Expr(intrinsic(what, Type::Void, span)), span }
}

fn item_span(item: &BlockItem) -> Span {
    match item {
        BlockItem::Declaration(declaration) => declaration.span,
        BlockItem::Statement(statement) => statement.span,
        BlockItem::StaticAssert(assert) => assert.span,
        BlockItem::Function(function) => function.span,
    }
}
