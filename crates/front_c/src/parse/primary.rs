//! Primary and postfix expressions, literals, and the built-in forms that take types.

use super::keyword::Keyword;
use super::number::number;
use super::{Parse, Parser};
use crate::ast::{Designator, Expr, ExprKind, StorageClass, StringLiteral, TypeName};
use crate::token::{Encoding, TokenKind};
use execution::diagnostic::Diagnostic;
use execution::span::Span;

impl Parser<'_> {
    /// A primary expression and all that follows it.
    pub(super) fn primary_and_postfix(&mut self) -> Parse<Expr> {
        let first = self.span();
        let primary = self.primary()?;
        self.postfix(primary, first)
    }

    fn primary(&mut self) -> Parse<Expr> {
        let span = self.span();
        if let Some(keyword) = self.keyword() {
            return self.keyword_expression(keyword);
        }
        let kind = match self.kind() {
            TokenKind::Ident(name) => ExprKind::Ident(name.clone()),
            TokenKind::Number(text) => {
                let text = text.clone();
                self.number(&text)?
            }
            TokenKind::Char { encoding, value } => {
                ExprKind::Char { encoding: *encoding, value: *value }
            }
            TokenKind::String { .. } => {
                let literal = self.string_literal("a string")?;
                let span = literal.span;
                return Ok(Expr { kind: ExprKind::String(literal), span });
            }
            TokenKind::Punct("(") => return self.parenthesised(),
            _ => return self.unexpected("an expression"),
        };
        self.bump();
        Ok(Expr { kind, span })
    }

    fn number(&mut self, text: &str) -> Parse<ExprKind> {
        number(text).or_else(|wrong| {
            let mut span = self.span();
            if (span.end - span.start) as usize == text.len() {
                span.end = span.start + wrong.bytes.end as u32;
                span.start += wrong.bytes.start as u32;
            }
            self.report(Diagnostic::error(span, wrong.message))
        })
    }

    /// `(e)` or `({ … })`.
    fn parenthesised(&mut self) -> Parse<Expr> {
        let open = self.span();
        self.bump();
        if self.at("{") {
            let block = self.nested(Self::block)?;
            self.expect_close(")", open)?;
            return Ok(Expr { kind: ExprKind::Statement(block), span: self.since(open) });
        }
        let inner = self.expression()?;
        let close = self.expect_close(")", open)?;
        let place = inner.span;
        let written_inside =
            place.file == open.file && place.start >= open.end && place.end <= close.start;
        // In `#define LOAD(p) load((p))`, what matters is the argument, not its parentheses.
        let span = if written_inside { self.since(open) } else { place };
        Ok(Expr { kind: inner.kind, span })
    }

    fn keyword_expression(&mut self, keyword: Keyword) -> Parse<Expr> {
        let first = self.span();
        let make = match keyword {
            Keyword::Generic => Self::generic,
            Keyword::Offsetof => Self::offsetof,
            Keyword::TypesCompatible => Self::types_compatible,
            Keyword::ChooseExpr => Self::choose,
            Keyword::VaArg => Self::va_arg,
            _ => return self.unexpected("an expression"),
        };
        let name = self.describe();
        self.bump();
        let open = self.expect("(", &format!("after {name}"))?;
        let kind = make(self)?;
        self.expect_close(")", open)?;
        Ok(Expr { kind, span: self.since(first) })
    }

    fn comma(&mut self) -> Parse<()> {
        self.expect(",", "between arguments")?;
        Ok(())
    }

    fn generic(&mut self) -> Parse<ExprKind> {
        let value = Box::new(self.assignment()?);
        let mut arms = Vec::new();
        while self.eat(",") {
            let ty = match self.eat_keyword(Keyword::Default) {
                true => None,
                false => Some(self.type_name_or_unknown()?),
            };
            self.expect(":", "after the type of an association")?;
            arms.push((ty, self.assignment()?));
        }
        if arms.is_empty() {
            return self.expected("`,` and an association", "in `_Generic`");
        }
        self.grow(1)?;
        Ok(ExprKind::Generic { value, arms })
    }

    fn offsetof(&mut self) -> Parse<ExprKind> {
        let ty = Box::new(self.type_name_or_unknown()?);
        self.comma()?;
        let mut path = vec![Designator::Field(self.expect_name("the name of a member")?)];
        while let Some(designator) = self.designator()? {
            if matches!(designator, Designator::Range(..)) {
                return self.unexpected("an index instead of a range before this");
            }
            path.push(designator);
        }
        Ok(ExprKind::Offsetof { ty, path })
    }

    fn types_compatible(&mut self) -> Parse<ExprKind> {
        let left = Box::new(self.type_name_or_unknown()?);
        self.comma()?;
        let right = Box::new(self.type_name_or_unknown()?);
        Ok(ExprKind::TypesCompatible(left, right))
    }

    fn choose(&mut self) -> Parse<ExprKind> {
        let cond = Box::new(self.assignment()?);
        self.comma()?;
        let then = Box::new(self.assignment()?);
        self.comma()?;
        let otherwise = Box::new(self.assignment()?);
        self.grow(1)?;
        Ok(ExprKind::ChooseExpr(cond, then, otherwise))
    }

    fn va_arg(&mut self) -> Parse<ExprKind> {
        let list = Box::new(self.assignment()?);
        self.comma()?;
        let ty = Box::new(self.type_name_or_unknown()?);
        Ok(ExprKind::VaArg(list, ty))
    }

    /// The braces after `(type)`.
    pub(super) fn compound_literal(&mut self, ty: TypeName, open: Span) -> Parse<Expr> {
        if let Some((StorageClass::Typedef | StorageClass::Extern | StorageClass::Auto, _)) =
            ty.specifiers.storage
        {
            self.refuse_storage(&ty);
        }
        let list = self.nested(Self::init_list)?;
        let kind = ExprKind::CompoundLiteral(Box::new(ty), list);
        Ok(Expr { kind, span: self.since(open) })
    }

    /// Indices, calls, members, `++` and `--` after `left`.
    pub(super) fn postfix(&mut self, mut left: Expr, first: Span) -> Parse<Expr> {
        loop {
            let TokenKind::Punct(punct) = *self.kind() else { return Ok(left) };
            let open = self.span();
            let inner = Box::new(left);
            let kind = match punct {
                "[" => {
                    self.bump();
                    let index = Box::new(self.expression()?);
                    self.expect_close("]", open)?;
                    ExprKind::Index(inner, index)
                }
                "(" => {
                    self.bump();
                    let args = self.arguments(open)?;
                    ExprKind::Call { callee: inner, args }
                }
                "." => {
                    self.bump();
                    ExprKind::Member(inner, self.expect_name("the name of a member")?)
                }
                "->" => {
                    self.bump();
                    ExprKind::Arrow(inner, self.expect_name("the name of a member")?)
                }
                "++" => {
                    self.bump();
                    ExprKind::PostIncrement(inner)
                }
                "--" => {
                    self.bump();
                    ExprKind::PostDecrement(inner)
                }
                _ => return Ok(*inner),
            };
            self.grow(1)?;
            left = Expr { kind, span: self.since(first) };
        }
    }

    /// The arguments of a call, to after the `)`.
    fn arguments(&mut self, open: Span) -> Parse<Vec<Expr>> {
        let mut args = Vec::new();
        if self.eat(")") {
            return Ok(args);
        }
        loop {
            if self.starts_type(0) {
                let message = format!("expected an expression, found the type {}", self.describe());
                return self.report(Diagnostic::error(self.span(), message));
            }
            args.push(self.assignment()?);
            if !self.eat(",") {
                break;
            }
        }
        if !self.at(")") && !self.at_end() && !self.at(";") && !self.at("}") {
            let found = self.describe();
            let message = format!("expected `,` or `)` in the arguments of a call, found {found}");
            let diagnostic =
                Diagnostic::error(self.gap(), message).also(open, "the call starts here");
            return self.report(diagnostic);
        }
        self.expect_close(")", open)?;
        Ok(args)
    }

    /// String literals side by side, joined.
    pub(super) fn string_literal(&mut self, what: &str) -> Parse<StringLiteral> {
        if !self.at_string() {
            return self.unexpected(what);
        }
        let first = self.span();
        let mut encoding = Encoding::Plain;
        let mut joined = Vec::new();
        while let TokenKind::String { encoding: next, units } = self.kind() {
            let next = *next;
            joined.extend_from_slice(units);
            if encoding != Encoding::Plain && next != Encoding::Plain && encoding != next {
                let message = "string literals of different kinds side by side";
                return self.report(Diagnostic::error(self.span(), message));
            }
            if next != Encoding::Plain {
                encoding = next;
            }
            self.bump();
        }
        Ok(StringLiteral { encoding, units: joined, span: self.since(first) })
    }
}
