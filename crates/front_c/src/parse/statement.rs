//! Statements, labels and inline assembly.
//!
//! The functions for single kinds of statement are kept out of line, so that a level of nested
//! blocks costs little stack.

use super::declaration::Declared;
use super::keyword::Keyword;
use super::{Parse, Parser};
use crate::ast::{
    Asm, AsmOperand, Block, BlockItem, Expr, ForInit, Ident, Stmt, StmtKind, StringLiteral,
};
use execution::diagnostic::Diagnostic;
use execution::span::Span;

/// A label before a statement.
enum Label {
    Case(Expr, Option<Expr>),
    Default,
    Name(Ident),
}

impl Parser<'_> {
    /// `{ … }` with its own scope.
    pub(super) fn block(&mut self) -> Parse<Block> {
        self.scope.enter();
        let block = self.block_in_scope();
        self.scope.leave();
        block
    }

    /// `{ … }` in the scope that was entered already.
    pub(super) fn block_in_scope(&mut self) -> Parse<Block> {
        let open = self.expect("{", "to start a block")?;
        let mut items = Vec::new();
        while self.at_keyword(Keyword::LocalLabel) {
            self.local_labels()?;
        }
        loop {
            if self.eat("}") {
                return Ok(Block { items, span: self.since(open) });
            }
            if self.at_end() {
                let function = items.iter().find_map(|item| match item {
                    BlockItem::Function(function) => Some(function.span),
                    _ => None,
                });
                return self.unclosed_brace(open, function);
            }
            let start = self.pos;
            match self.block_item() {
                Ok(item) => items.push(item),
                Err(failed) if self.stopped => return Err(failed),
                Err(_) => {
                    self.skip_item();
                    if self.pos == start && !self.at("}") {
                        self.bump();
                    }
                }
            }
        }
    }

    /// `__label__ a, b;`
    fn local_labels(&mut self) -> Parse<()> {
        self.bump();
        loop {
            let label = self.expect_name("the name of a label")?;
            self.scope.declare_label(label.name);
            if !self.eat(",") {
                break;
            }
        }
        self.expect_semicolon("`__label__`")
    }

    fn block_item(&mut self) -> Parse<BlockItem> {
        if self.at_keyword(Keyword::StaticAssert) {
            return Ok(BlockItem::StaticAssert(self.static_assert()?));
        }
        let label = self.at_name() && self.at_after(1, ":");
        if !label && (self.starts_type(0) || self.looks_like_unknown_type()) {
            return self.declaration_item();
        }
        Ok(BlockItem::Statement(self.statement_in(true)?))
    }

    #[inline(never)]
    fn declaration_item(&mut self) -> Parse<BlockItem> {
        Ok(match self.nested(Self::declaration)? {
            Declared::Declaration(declaration) => BlockItem::Declaration(declaration),
            Declared::Function(function) => BlockItem::Function(Box::new(function)),
        })
    }

    /// A statement that is part of another one.
    fn statement(&mut self) -> Parse<Stmt> {
        self.statement_in(false)
    }

    /// A statement with its labels. Directly in a block, a label may also stand before a
    /// declaration or the closing brace, as gcc allows.
    fn statement_in(&mut self, block: bool) -> Parse<Stmt> {
        let mut labels = Vec::new();
        while let Some(label) = self.label()? {
            labels.push(label);
            self.nested_by(1 + labels.len() / 4, |_| Ok(()))?;
        }
        let labelled = !labels.is_empty();
        let body = if labelled && block && (self.at("}") || self.starts_type(0)) {
            Stmt { kind: StmtKind::Expr(None), span: self.previous() }
        } else {
            self.nested_by(1 + labels.len() / 4, Self::unlabelled)?
        };
        Ok(labels.into_iter().rev().fold(body, |body, (label, span)| {
            let body = Box::new(body);
            let kind = match label {
                Label::Case(low, high) => StmtKind::Case { low, high, body },
                Label::Default => StmtKind::Default(body),
                Label::Name(name) => StmtKind::Label { name, body },
            };
            Stmt { kind, span }
        }))
    }

    /// A label with its `:`, if one is next.
    #[inline(never)]
    fn label(&mut self) -> Parse<Option<(Label, Span)>> {
        let first = self.span();
        let label = match self.keyword() {
            Some(Keyword::Case) => {
                self.bump();
                let low = self.conditional_expression()?;
                let high =
                    if self.eat("...") { Some(self.conditional_expression()?) } else { None };
                self.expect(":", "after the value of `case`")?;
                Label::Case(low, high)
            }
            Some(Keyword::Default) => {
                self.bump();
                self.expect(":", "after `default`")?;
                Label::Default
            }
            None if self.at_name() && self.at_after(1, ":") => {
                let name = self.label_name()?;
                self.bump();
                if self.at_keyword(Keyword::Attribute) && !self.starts_type(0) {
                    self.attributes()?;
                }
                Label::Name(name)
            }
            _ => return Ok(None),
        };
        Ok(Some((label, self.since(first))))
    }

    /// The name of a label, made unique if it is a local one.
    pub(super) fn label_name(&mut self) -> Parse<Ident> {
        let name = self.expect_name("the name of a label")?;
        Ok(Ident { name: self.scope.label(&name.name), span: name.span })
    }

    fn unlabelled(&mut self) -> Parse<Stmt> {
        let first = self.span();
        if self.at("{") {
            let block = self.block()?;
            return Ok(Stmt { span: block.span, kind: StmtKind::Block(block) });
        }
        let kind = match self.keyword() {
            Some(Keyword::If) => return self.if_chain(),
            Some(Keyword::While) => {
                self.bump();
                let cond = self.condition("`while`")?;
                StmtKind::While { cond, body: Box::new(self.statement()?) }
            }
            Some(Keyword::Do) => self.do_while()?,
            Some(Keyword::For) => self.for_loop()?,
            Some(Keyword::Switch) => {
                self.bump();
                let value = self.condition("`switch`")?;
                StmtKind::Switch { value, body: Box::new(self.statement()?) }
            }
            Some(Keyword::FpAtomic) => {
                self.bump();
                StmtKind::Atomic(Box::new(self.statement()?))
            }
            Some(Keyword::Else) => {
                let message = "`else` without an `if` before it";
                return self.report(Diagnostic::error(first, message));
            }
            _ => self.simple_statement()?,
        };
        Ok(Stmt { kind, span: self.since(first) })
    }

    /// A statement that ends with `;`.
    #[inline(never)]
    fn simple_statement(&mut self) -> Parse<StmtKind> {
        let (kind, what) = match self.keyword() {
            Some(Keyword::Goto) => {
                self.bump();
                let target = if self.eat("*") {
                    StmtKind::ComputedGoto(self.expression()?)
                } else {
                    StmtKind::Goto(self.label_name()?)
                };
                (target, "`goto`")
            }
            Some(Keyword::Continue) => {
                self.bump();
                (StmtKind::Continue, "`continue`")
            }
            Some(Keyword::Break) => {
                self.bump();
                (StmtKind::Break, "`break`")
            }
            Some(Keyword::Return) => {
                self.bump();
                let value = if self.at(";") { None } else { Some(self.return_value()?) };
                (StmtKind::Return(value), "`return`")
            }
            Some(Keyword::Asm) => (StmtKind::Asm(self.asm()?), "assembly"),
            Some(Keyword::Attribute) => {
                self.attributes()?;
                (StmtKind::Expr(None), "attribute")
            }
            _ if self.starts_type(0) => return self.misplaced_declaration(),
            _ if self.at(";") => (StmtKind::Expr(None), "nothing"),
            _ => (StmtKind::Expr(Some(self.expression()?)), "expression"),
        };
        self.expect_semicolon(what)?;
        Ok(kind)
    }

    /// The expression after `return`; on a missing one with a `}` next, the `;` is what is missing.
    fn return_value(&mut self) -> Parse<Expr> {
        if self.at("}") {
            return self.expected("`;`", "after `return`");
        }
        self.expression()
    }

    fn misplaced_declaration<T>(&mut self) -> Parse<T> {
        let diagnostic =
            Diagnostic::error(self.span(), "expected a statement, found a declaration")
                .note("put braces around it");
        self.report(diagnostic)
    }

    /// `(expression)` after a keyword.
    fn condition(&mut self, keyword: &str) -> Parse<Expr> {
        self.in_parentheses(
            &format!("after {keyword}"),
            Self::substitute_expression,
            Self::expression,
        )
    }

    /// `if`, with its chain of `else if`s parsed in a loop so that long chains stay shallow.
    #[inline(never)]
    fn if_chain(&mut self) -> Parse<Stmt> {
        let mut chain = Vec::new();
        let mut last = None;
        loop {
            let first = self.span();
            self.bump();
            let cond = self.condition("`if`")?;
            let then = self.nested_by(chain.len() / 4, Self::statement)?;
            chain.push((first, cond, then, self.previous()));
            if !self.eat_keyword(Keyword::Else) {
                break;
            }
            if !self.at_keyword(Keyword::If) {
                last = Some(Box::new(self.nested_by(chain.len() / 4, Self::statement)?));
                break;
            }
        }
        let end = self.previous();
        for (first, cond, then, _) in chain.into_iter().rev() {
            let kind = StmtKind::If { cond, then: Box::new(then), otherwise: last.take() };
            last = Some(Box::new(Stmt { kind, span: self.join(first, end) }));
        }
        match last {
            Some(statement) => Ok(*statement),
            None => self.unexpected("`if`"),
        }
    }

    #[inline(never)]
    fn do_while(&mut self) -> Parse<StmtKind> {
        self.bump();
        let body = Box::new(self.statement()?);
        if !self.eat_keyword(Keyword::While) {
            return self.expected("`while`", "after the body of `do`");
        }
        let cond = self.condition("`while`")?;
        self.expect_semicolon("`do … while`")?;
        Ok(StmtKind::DoWhile { body, cond })
    }

    #[inline(never)]
    fn for_loop(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.scope.enter();
        let head = self.in_parentheses("after `for`", |_| (None, None, None), Self::for_head);
        let body = head.and_then(|head| Ok((head, self.statement()?)));
        self.scope.leave();
        let ((init, cond, step), body) = body?;
        Ok(StmtKind::For { init, cond, step, body: Box::new(body) })
    }

    #[allow(clippy::type_complexity)] // the three parts, as they stand in the statement
    fn for_head(&mut self) -> Parse<(Option<ForInit>, Option<Expr>, Option<Expr>)> {
        let init = if self.eat(";") {
            None
        } else if self.starts_type(0) || self.looks_like_unknown_type() {
            match self.declaration()? {
                Declared::Declaration(declaration) => {
                    Some(ForInit::Declaration(Box::new(declaration)))
                }
                Declared::Function(function) => {
                    let message = "a function cannot be defined here";
                    return self.report(Diagnostic::error(function.span, message));
                }
            }
        } else {
            let init = ForInit::Expr(self.expression()?);
            self.expect(";", "after the first part of `for`")?;
            Some(init)
        };
        let cond = if self.at(";") { None } else { Some(self.expression()?) };
        self.expect(";", "after the condition of `for`")?;
        let step = if self.at(")") { None } else { Some(self.expression()?) };
        Ok((init, cond, step))
    }

    /// `asm qualifiers (template : outputs : inputs : clobbers : labels)`.
    pub(super) fn asm(&mut self) -> Parse<Asm> {
        let first = self.span();
        self.bump();
        let (mut volatile, mut goto) = (false, false);
        loop {
            match self.keyword() {
                Some(Keyword::Volatile) => volatile = true,
                Some(Keyword::Goto) => goto = true,
                Some(Keyword::Inline) => {}
                _ => break,
            }
            self.bump();
        }
        let open = self.expect("(", "after `asm`")?;
        let template = self.string_literal("the assembly, a string")?;
        let (mut outputs, mut inputs, mut clobbers) = (Vec::new(), Vec::new(), Vec::new());
        let mut part = 0;
        while self.at(":") || self.at("::") {
            part += if self.at("::") { 2 } else { 1 };
            self.bump();
            if self.at(":") || self.at("::") || self.at(")") {
                continue;
            }
            match part {
                1 => outputs = self.asm_operands()?,
                2 => inputs = self.asm_operands()?,
                3 => clobbers = self.asm_clobbers()?,
                4 => self.asm_labels()?,
                _ => return self.unexpected("`)`"),
            }
        }
        self.expect_close(")", open)?;
        let span = self.since(first);
        Ok(Asm { template, outputs, inputs, clobbers, volatile, goto, span })
    }

    /// `[name] "constraint" (expression)`, separated by commas.
    fn asm_operands(&mut self) -> Parse<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        loop {
            let mut name = None;
            if self.at("[") {
                let open = self.span();
                self.bump();
                name = Some(self.expect_name("the name of an operand")?.name);
                self.expect_close("]", open)?;
            }
            let constraint = self.string_literal("a constraint, a string")?;
            let open = self.expect("(", "after constraint")?;
            let expr = self.expression()?;
            self.expect_close(")", open)?;
            operands.push(AsmOperand { name, constraint, expr });
            if !self.eat(",") {
                return Ok(operands);
            }
        }
    }

    fn asm_clobbers(&mut self) -> Parse<Vec<StringLiteral>> {
        let mut clobbers = Vec::new();
        loop {
            clobbers.push(self.string_literal("a clobber, a string")?);
            if !self.eat(",") {
                return Ok(clobbers);
            }
        }
    }

    fn asm_labels(&mut self) -> Parse<()> {
        loop {
            self.label_name()?;
            if !self.eat(",") {
                return Ok(());
            }
        }
    }
}
