//! Going on after an error, and the hints that help people fix the common ones.

use super::keyword::Keyword;
use super::scope::Meaning;
use super::{Failed, Parse, Parser};
use crate::ast::{Expr, ExprKind, Ident};
use crate::hints;
use crate::token::TokenKind;
use execution::diagnostic::Diagnostic;
use execution::span::Span;

impl Parser<'_> {
    /// Skips the rest of a declaration or statement: to after the next `;`, or after the next
    /// whole `{…}`, or to the `}` that closes the surrounding braces.
    pub(super) fn skip_item(&mut self) {
        let mut braces = 0usize;
        while !self.at_end() {
            if self.at("{") {
                braces += 1;
            } else if self.at("}") {
                if braces == 0 {
                    return;
                }
                braces -= 1;
                if braces == 0 {
                    self.bump();
                    self.eat(";");
                    return;
                }
            } else if self.at(";") && braces == 0 {
                self.bump();
                return;
            }
            self.bump();
        }
    }

    /// Goes to after the `)` that matches the `(` at token `open`, if it comes before any brace.
    fn skip_parentheses(&mut self, open: usize) -> Parse<()> {
        let mut depth = 0usize;
        for at in open..self.tokens.len() {
            match self.tokens[at].kind {
                TokenKind::Punct("(") => depth += 1,
                TokenKind::Punct(")") => {
                    depth -= 1;
                    if depth == 0 {
                        self.pos = at + 1;
                        return Ok(());
                    }
                }
                TokenKind::Punct("{" | "}") => break,
                _ => {}
            }
        }
        Err(Failed)
    }

    /// Parses `( … )`. After an error inside it goes on after the closing parenthesis with
    /// `substitute`, so that errors in a loop's body are found too.
    pub(super) fn in_parentheses<T>(
        &mut self,
        after: &str,
        substitute: impl FnOnce(&Self) -> T,
        parse: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        let start = self.pos;
        let open = self.expect("(", after)?;
        let result = parse(self).and_then(|value| {
            self.expect_close(")", open)?;
            Ok(value)
        });
        result.or_else(|failed| {
            if self.stopped {
                return Err(failed);
            }
            self.skip_parentheses(start)?;
            Ok(substitute(self))
        })
    }

    /// Stands for an expression that could not be parsed.
    pub(super) fn substitute_expression(&self) -> Expr {
        let kind = ExprKind::Int { value: 0, decimal: true, unsigned: false, longs: 0 };
        Expr { kind, span: self.previous() }
    }

    /// The end of the file came before the `}` that closes `open`. A function found inside is a
    /// sign that the brace was forgotten before it.
    pub(super) fn unclosed_brace<T>(&mut self, open: Span, function: Option<Span>) -> Parse<T> {
        let message = "expected `}` before the end of the file";
        let mut diagnostic =
            Diagnostic::error(self.span(), message).also(open, "this `{` is never closed");
        if let Some(function) = function {
            diagnostic = diagnostic.also(function, "a `}` may be missing before this function");
        }
        self.report(diagnostic)
    }

    /// Takes the `;` after `what`. Where it was clearly just forgotten, says so and goes on.
    pub(super) fn expect_semicolon(&mut self, what: &str) -> Parse<()> {
        if self.eat(";") {
            return Ok(());
        }
        let forgotten = self.at("}") || self.keyword().is_some() || self.starts_simple_statement();
        let failed = self.expected::<()>("`;`", &format!("after {what}"));
        if forgotten && !self.stopped { Ok(()) } else { failed }
    }

    /// A name, and after it what only follows a name inside an expression.
    pub(super) fn starts_simple_statement(&self) -> bool {
        let follows = matches!(
            self.kind_after(1),
            TokenKind::Punct("(" | "=" | "->" | "." | "[" | "++" | "--" | "+=" | "-=" | ":")
        );
        self.at_name() && follows
    }

    /// Whether the next token is a name that stands for an object or function.
    pub(super) fn is_declared(&self) -> bool {
        self.name_after(0).is_some_and(|name| self.scope.meaning(name) == Some(Meaning::Value))
    }

    /// Reports a name that stands where a type must stand, and treats it as a type from now on.
    pub(super) fn unknown_type(&mut self, name: &Ident) {
        let mut diagnostic =
            Diagnostic::error(name.span, format!("unknown type name `{}`", name.name));
        if self.scope.meaning(&name.name) == Some(Meaning::Value) {
            diagnostic = diagnostic.note(format!("`{}` is a variable or function here", name.name));
        } else if let Some(keyword) = self.scope.tag_keyword(&name.name) {
            diagnostic = diagnostic.note(format!("write `{keyword} {}`", name.name));
        } else if let Some(header) = hints::header_of(&name.name) {
            diagnostic =
                diagnostic.note(format!("`{}` is defined in <{header}>; include it", name.name));
        } else if let Some(similar) = hints::similar(&name.name, self.scope.typedef_names()) {
            diagnostic = diagnostic.note(format!("did you mean `{similar}`?"));
        }
        self.record(diagnostic);
        self.scope.declare_at_file_scope(name.name.clone(), Meaning::Typedef);
    }

    /// Where only a type can stand: reports a name that is none.
    pub(super) fn refuse_unknown_type(&mut self) {
        if let (Some(name), false) = (self.next_name(), self.starts_type(0)) {
            self.unknown_type(&name);
        }
    }

    /// Whether the next name, which is not a type, was surely meant to be one: it starts a
    /// declaration like `foo_t x`, `foo_t *x;`.
    pub(super) fn looks_like_unknown_type(&self) -> bool {
        let Some(name) = self.name_after(0) else { return false };
        if self.name_after(1).is_some() {
            return true;
        }
        if self.scope.meaning(name).is_some() {
            return false;
        }
        if self.keyword_after(1).is_some_and(|k| matches!(k, Keyword::Const | Keyword::Volatile)) {
            return true;
        }
        let mut stars = 1;
        while self.at_after(stars, "*") {
            stars += 1;
        }
        let ends = |n| matches!(self.kind_after(n), TokenKind::Punct(";" | "=" | "," | "["));
        stars > 1 && self.name_after(stars).is_some() && ends(stars + 1)
    }
}
