//! Tokens to a syntax tree, by recursive descent.
//!
//! Soundness S-201 (murphi; all; refuses): Expressions and statements nested more than 200 deep are
//! refused. Test: crates/front_murphi/tests/robust.rs::deep_nesting_is_refused.

mod declarations;
mod expressions;
mod rules;
mod statements;

use crate::ast::{File, Item, Name};
use crate::lexer::{Kind, Token};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use std::sync::Arc;

/// What a parse gives.
type Parsed<T> = Result<T, Diagnostic>;

/// How deep expressions and statements may be nested.
const DEEPEST: u32 = 200;

/// Parses a file's tokens.
pub fn parse(tokens: &[Token]) -> Parsed<File> {
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    let start = parser.span();
    let mut items = Vec::new();
    while parser.token().kind != Kind::End {
        parser.item(&mut items)?;
    }
    Ok(File { items, span: start.to(parser.span()) })
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: u32,
}

impl<'t> Parser<'t> {
    fn token(&self) -> &'t Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// The span from a place to the last token that was read.
    fn since(&self, start: Span) -> Span {
        start.to(self.tokens[self.at.saturating_sub(1)].span)
    }

    fn is_keyword(&self, word: &str) -> bool {
        matches!(self.token().kind, Kind::Keyword(found) if found == word)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token().kind, Kind::Sign(found) if found == sign)
    }

    fn accept_keyword(&mut self, word: &str) -> bool {
        let is = self.is_keyword(word);
        self.at += usize::from(is);
        is
    }

    fn accept(&mut self, sign: &str) -> bool {
        let is = self.is_sign(sign);
        self.at += usize::from(is);
        is
    }

    /// An error at the present token: what was expected.
    fn expected<T>(&self, what: &str) -> Parsed<T> {
        let found = match &self.token().kind {
            Kind::Name(name) => format!("the name `{name}`"),
            Kind::Keyword(word) => format!("the keyword `{word}`"),
            Kind::Number(number) => format!("the number {number}"),
            Kind::Text(_) => "a text".to_string(),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::End => "the end of the file".to_string(),
        };
        Err(Diagnostic::error(self.span(), format!("expected {what}, found {found}")))
    }

    fn expect(&mut self, sign: &str, after: &str) -> Parsed<()> {
        match self.accept(sign) {
            true => Ok(()),
            false => self.expected(&format!("`{sign}` {after}")),
        }
    }

    fn expect_keyword(&mut self, word: &str, after: &str) -> Parsed<()> {
        match self.accept_keyword(word) {
            true => Ok(()),
            false => self.expected(&format!("`{word}` {after}")),
        }
    }

    /// `end`, or the keyword that names what ends.
    fn expect_end(&mut self, word: &str, opened: Span, what: &str) -> Parsed<()> {
        if self.accept_keyword("end") || self.accept_keyword(word) {
            return Ok(());
        }
        let expected: Parsed<()> = self.expected(&format!("a statement or `end` of {what}"));
        expected.map_err(|diagnostic| diagnostic.also(opened, format!("{what} begins here")))
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        match &self.token().kind {
            Kind::Name(text) => {
                let name = Name { text: text.clone(), span: self.span() };
                self.at += 1;
                Ok(name)
            }
            Kind::Keyword(word) => {
                let message = format!("expected {what}, found the keyword `{word}`");
                let note = format!("`{word}` has a meaning of its own and cannot be a name");
                Err(Diagnostic::error(self.span(), message).note(note))
            }
            _ => self.expected(what),
        }
    }

    fn text(&mut self) -> Option<Arc<str>> {
        match &self.token().kind {
            Kind::Text(text) => {
                self.at += 1;
                Some(text.clone())
            }
            _ => None,
        }
    }

    /// Parses something that may contain itself.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            let message = format!("this is nested more than {DEEPEST} deep");
            return Err(Diagnostic::error(self.span(), message));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let mut decls = Vec::new();
        if self.declarations(&mut decls)? {
            items.extend(decls.into_iter().map(Item::Decl));
            return Ok(());
        }
        if self.is_keyword("function") || self.is_keyword("procedure") {
            items.push(Item::Function(self.function()?));
            return Ok(());
        }
        match self.rule()? {
            Some(rule) => items.push(Item::Rule(rule)),
            None => return self.expected("a declaration, a rule, a start state or a property"),
        }
        Ok(())
    }
}
