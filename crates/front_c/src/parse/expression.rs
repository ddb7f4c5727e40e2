//! Expressions: operators and their precedence, on top of the primary expressions.

use super::keyword::Keyword;
use super::{Parse, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::token::TokenKind;
use execution::diagnostic::Diagnostic;

/// An infix operator on the operator stack.
#[derive(Clone, Copy)]
enum Infix {
    Binary(BinaryOp),
    And,
    Or,
}

/// How tightly an infix operator binds.
fn infix(punct: &str) -> Option<(Infix, u8)> {
    use BinaryOp::*;
    Some(match punct {
        "||" => (Infix::Or, 1),
        "&&" => (Infix::And, 2),
        "|" => (Infix::Binary(BitOr), 3),
        "^" => (Infix::Binary(BitXor), 4),
        "&" => (Infix::Binary(BitAnd), 5),
        "==" => (Infix::Binary(Eq), 6),
        "!=" => (Infix::Binary(Ne), 6),
        "<" => (Infix::Binary(Lt), 7),
        ">" => (Infix::Binary(Gt), 7),
        "<=" => (Infix::Binary(Le), 7),
        ">=" => (Infix::Binary(Ge), 7),
        "<<" => (Infix::Binary(Shl), 8),
        ">>" => (Infix::Binary(Shr), 8),
        "+" => (Infix::Binary(Add), 9),
        "-" => (Infix::Binary(Sub), 9),
        "*" => (Infix::Binary(Mul), 10),
        "/" => (Infix::Binary(Div), 10),
        "%" => (Infix::Binary(Rem), 10),
        _ => return None,
    })
}

/// The operator of a compound assignment.
fn compound(punct: &str) -> Option<BinaryOp> {
    use BinaryOp::*;
    Some(match punct {
        "*=" => Mul,
        "/=" => Div,
        "%=" => Rem,
        "+=" => Add,
        "-=" => Sub,
        "<<=" => Shl,
        ">>=" => Shr,
        "&=" => BitAnd,
        "^=" => BitXor,
        "|=" => BitOr,
        _ => return None,
    })
}

impl Parser<'_> {
    /// Builds the node for `left op right`.
    fn combine(&self, op: Infix, left: Expr, right: Expr) -> Expr {
        let span = self.join(left.span, right.span);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match op {
            Infix::Binary(op) => ExprKind::Binary(op, left, right),
            Infix::And => ExprKind::LogicalAnd(left, right),
            Infix::Or => ExprKind::LogicalOr(left, right),
        };
        Expr { kind, span }
    }

    /// An expression, commas included.
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        let mut left = self.assignment()?;
        while self.eat(",") {
            let right = self.assignment()?;
            self.grow(1)?;
            let span = self.join(left.span, right.span);
            left = Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    /// An expression without commas at its top.
    pub(super) fn assignment(&mut self) -> Parse<Expr> {
        self.measured(Self::assignment_here)
    }

    fn assignment_here(&mut self) -> Parse<Expr> {
        let left = self.conditional_here()?;
        let TokenKind::Punct(punct) = *self.kind() else { return Ok(left) };
        let op = compound(punct);
        if punct != "=" && op.is_none() {
            return Ok(left);
        }
        self.bump();
        let right = self.nested(Self::assignment_here)?;
        self.grow(1)?;
        let span = self.join(left.span, right.span);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match op {
            Some(op) => ExprKind::CompoundAssign(op, left, right),
            None => ExprKind::Assign(left, right),
        };
        Ok(Expr { kind, span })
    }

    /// A constant expression: no assignment, no comma.
    pub(super) fn conditional_expression(&mut self) -> Parse<Expr> {
        self.measured(Self::conditional_here)
    }

    fn conditional_here(&mut self) -> Parse<Expr> {
        let cond = self.binary()?;
        if !self.eat("?") {
            return Ok(cond);
        }
        let then = if self.at(":") { None } else { Some(Box::new(self.nested(Self::expression)?)) };
        self.expect(":", "to go on with the conditional expression")?;
        let otherwise = Box::new(self.nested(Self::conditional_here)?);
        self.grow(1)?;
        let span = self.join(cond.span, otherwise.span);
        let kind = ExprKind::Conditional { cond: Box::new(cond), then, otherwise };
        Ok(Expr { kind, span })
    }

    /// A chain of infix operators, by a stack of operators and one of operands.
    fn binary(&mut self) -> Parse<Expr> {
        let mut left = self.measured(Self::cast)?;
        let mut waiting: Vec<(Expr, Infix, u8)> = Vec::new();
        while let TokenKind::Punct(punct) = *self.kind() {
            let Some((op, precedence)) = infix(punct) else { break };
            self.bump();
            while let Some((_, _, above)) = waiting.last()
                && *above >= precedence
                && let Some((operand, op, _)) = waiting.pop()
            {
                left = self.combine(op, operand, left);
            }
            waiting.push((left, op, precedence));
            self.grow(1)?;
            left = self.measured(Self::cast)?;
        }
        while let Some((operand, op, _)) = waiting.pop() {
            left = self.combine(op, operand, left);
        }
        Ok(left)
    }

    /// A cast, or a unary expression.
    pub(super) fn cast(&mut self) -> Parse<Expr> {
        self.nested(|parser| {
            parser.refuse_unknown_cast();
            if parser.at("(") && parser.starts_type(1) {
                return parser.cast_or_literal();
            }
            parser.unary()
        })
    }

    /// `(type) e` or `(type){ … }`.
    fn cast_or_literal(&mut self) -> Parse<Expr> {
        let open = self.span();
        self.bump();
        let ty = self.stored_type_name()?;
        self.expect_close(")", open)?;
        if self.at("{") {
            let literal = self.compound_literal(ty, open)?;
            return self.postfix(literal, open);
        }
        self.refuse_storage(&ty);
        let operand = Box::new(self.cast()?);
        self.grow(1)?;
        let span = self.since(open);
        Ok(Expr { kind: ExprKind::Cast(Box::new(ty), operand), span })
    }

    /// Finds `(foo_t *)` and `(foo_t) x` with an unknown type.
    fn refuse_unknown_cast(&mut self) {
        if !self.at("(") {
            return;
        }
        let Some(name) = self.name_after(1) else { return };
        if self.scope.meaning(name).is_some() {
            return;
        }
        let mut ahead = 2;
        while self.at_after(ahead, "*") {
            ahead += 1;
        }
        if !self.at_after(ahead, ")") {
            return;
        }
        let operand = matches!(
            self.kind_after(ahead + 1),
            TokenKind::Ident(_) | TokenKind::Number(_) | TokenKind::Char { .. }
        ) && self.keyword_after(ahead + 1).is_none();
        if ahead > 2 || operand {
            let span = self.tokens[self.pos + 1].span;
            self.unknown_type(&crate::ast::Ident { name: name.clone(), span });
        }
    }

    /// Prefix operators.
    fn unary(&mut self) -> Parse<Expr> {
        let first = self.span();
        if let Some(keyword) = self.keyword() {
            match keyword {
                Keyword::Sizeof => return self.sizeof(true),
                Keyword::Alignof => return self.sizeof(false),
                Keyword::Extension => {
                    self.bump();
                    return self.prefix(first, ExprKind::Extension);
                }
                Keyword::PartOfComplex => {
                    let message = "complex numbers are not supported";
                    return self.report(Diagnostic::error(first, message));
                }
                _ => {}
            }
        }
        let TokenKind::Punct(punct) = *self.kind() else { return self.primary_and_postfix() };
        let make: fn(Box<Expr>) -> ExprKind = match punct {
            "++" => ExprKind::PreIncrement,
            "--" => ExprKind::PreDecrement,
            "&" => ExprKind::AddressOf,
            "*" => ExprKind::Deref,
            "+" => |e| ExprKind::Unary(UnaryOp::Plus, e),
            "-" => |e| ExprKind::Unary(UnaryOp::Minus, e),
            "~" => |e| ExprKind::Unary(UnaryOp::BitNot, e),
            "!" => |e| ExprKind::Unary(UnaryOp::Not, e),
            "&&" => {
                self.bump();
                let label = self.label_name()?;
                return Ok(Expr { kind: ExprKind::LabelAddress(label), span: self.since(first) });
            }
            _ => return self.primary_and_postfix(),
        };
        self.bump();
        self.prefix(first, make)
    }

    fn prefix(
        &mut self,
        first: execution::span::Span,
        make: fn(Box<Expr>) -> ExprKind,
    ) -> Parse<Expr> {
        let operand = Box::new(self.cast()?);
        self.grow(1)?;
        Ok(Expr { kind: make(operand), span: self.since(first) })
    }

    /// `sizeof` or `_Alignof`, of a type or of an expression.
    fn sizeof(&mut self, size: bool) -> Parse<Expr> {
        let first = self.span();
        self.bump();
        if self.at("(") && self.starts_type(1) {
            let open = self.span();
            self.bump();
            let ty = self.stored_type_name()?;
            self.expect_close(")", open)?;
            if !self.at("{") {
                self.refuse_storage(&ty);
            }
            let kind = if self.at("{") {
                let literal = self.compound_literal(ty, open)?;
                let operand = Box::new(self.postfix(literal, open)?);
                if size { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) }
            } else if size {
                ExprKind::SizeofType(Box::new(ty))
            } else {
                ExprKind::AlignofType(Box::new(ty))
            };
            return Ok(Expr { kind, span: self.since(first) });
        }
        let operand = Box::new(self.nested(Self::unary)?);
        self.grow(1)?;
        let kind =
            if size { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) };
        Ok(Expr { kind, span: self.since(first) })
    }
}
