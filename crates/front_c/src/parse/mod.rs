//! The parser: tokens in, the syntax tree out; recursive descent with bounded depth.
//!
//! The grammar is spread over the files of this folder by what it describes; this file holds the
//! entry point, the token cursor, and the rules about errors: an error is recorded where it is
//! found, [`Failed`] unwinds to the nearest place that knows how to go on (a statement, a member,
//! a declaration at file scope), and what merely follows from an earlier error is not reported.
//!
//! Two bounds keep every later recursive pass off the end of the stack: [`MAX_DEPTH`] on nesting
//! and [`MAX_HEIGHT`] on the height of an expression, which left-associative chains like
//! `a + b + c …` build without nesting.

mod attribute;
mod context;
mod declaration;
mod declarator;
mod expression;
mod initializer;
pub mod keyword;
mod number;
mod pragma;
mod primary;
mod record;
mod recovery;
mod scope;
mod specifier;
mod standard;
mod statement;
#[cfg(test)]
mod tests;

use crate::ast;
use crate::token::{Token, TokenKind};
use crate::{MAX_ERRORS, TOO_MANY};
use execution::diagnostic::{Diagnostic, Severity};
use execution::ids::Id;
use execution::span::{FileId, SourceMap, Span};
use keyword::Keyword;
use std::rc::Rc;

/// Levels of nesting that are accepted (C11 asks for 63 of parentheses, 127 of blocks).
const MAX_DEPTH: usize = 256;
/// Height of an expression's tree that is accepted.
const MAX_HEIGHT: usize = 1000;

/// Parses a translation unit. The tree is only meaningful if no diagnostic is an error.
///
/// `tokens` must end with [`TokenKind::End`], as the preprocessor's output does; `map` knows the
/// macros that they came from.
pub fn parse(tokens: Vec<Token>, map: &SourceMap) -> (ast::Unit, Vec<Diagnostic>) {
    let mut parser = Parser::new(standard::as_gnu(tokens), map);
    let unit = parser.unit();
    (unit, parser.diagnostics)
}

/// An error was recorded; the caller cannot go on with what it was parsing.
#[derive(Clone, Copy, Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

/// The state of a parse.
struct Parser<'m> {
    map: &'m SourceMap,
    /// Every token but the pragmas; the last is `End`.
    tokens: Vec<Token>,
    /// For each token, the keyword that it is.
    keywords: Vec<Option<Keyword>>,
    /// Index of the next token.
    pos: usize,
    /// What the names in scope are.
    scope: scope::Scopes,
    /// The packing in force from each token index on, in order.
    packs: Vec<(usize, Option<u64>)>,
    /// Levels of nesting around the next token.
    depth: usize,
    /// An upper bound on the height of the expressions completed in the innermost measured part.
    height: usize,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    /// Token index of the last error, to keep errors that follow from it quiet.
    last_error: Option<usize>,
    /// Set when no further error is worth reporting.
    stopped: bool,
}

impl<'m> Parser<'m> {
    fn new(mut all: Vec<Token>, map: &'m SourceMap) -> Self {
        if !matches!(all.last(), Some(Token { kind: TokenKind::End, .. })) {
            let span = all.last().map_or(Span::new(FileId::new(0), 0, 0), |token| token.span);
            all.push(Token { kind: TokenKind::End, span });
        }
        let mut diagnostics = Vec::new();
        let (tokens, packs) = pragma::separate(all, &mut diagnostics);
        let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        let mut keywords: Vec<_> = tokens.iter().map(|token| keyword::of(&token.kind)).collect();
        context::add_words(&tokens, &mut keywords);
        Self {
            map,
            tokens,
            keywords,
            pos: 0,
            scope: scope::Scopes::new(),
            packs,
            depth: 0,
            height: 0,
            diagnostics,
            errors,
            last_error: None,
            stopped: false,
        }
    }

    // The cursor.

    fn kind(&self) -> &TokenKind {
        &self.tokens[self.pos].kind
    }

    fn kind_after(&self, n: usize) -> &TokenKind {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.pos + n).min(last)].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.pos].span
    }

    /// The span of the token before the next one.
    fn previous(&self) -> Span {
        self.tokens[self.pos.saturating_sub(1)].span
    }

    /// From a first span to the last token that was taken.
    fn since(&self, first: Span) -> Span {
        self.join(first, self.previous())
    }

    /// From the start of one span to the end of another, also across macros.
    fn join(&self, first: Span, last: Span) -> Span {
        self.map.join(first, last)
    }

    fn keyword(&self) -> Option<Keyword> {
        self.keywords[self.pos]
    }

    fn keyword_after(&self, n: usize) -> Option<Keyword> {
        self.keywords[(self.pos + n).min(self.tokens.len() - 1)]
    }

    fn at(&self, punct: &str) -> bool {
        matches!(self.kind(), TokenKind::Punct(p) if *p == punct)
    }

    fn at_after(&self, n: usize, punct: &str) -> bool {
        matches!(self.kind_after(n), TokenKind::Punct(p) if *p == punct)
    }

    fn at_keyword(&self, keyword: Keyword) -> bool {
        self.keyword() == Some(keyword)
    }

    fn at_end(&self) -> bool {
        matches!(self.kind(), TokenKind::End)
    }

    /// The name `n` tokens ahead, unless it is a keyword or no name at all.
    fn name_after(&self, n: usize) -> Option<&Rc<str>> {
        match self.kind_after(n) {
            TokenKind::Ident(name) if self.keyword_after(n).is_none() => Some(name),
            _ => None,
        }
    }

    /// The next token, if it is a name.
    fn next_name(&self) -> Option<ast::Ident> {
        let name = self.name_after(0)?.clone();
        Some(ast::Ident { name, span: self.span() })
    }

    fn at_name(&self) -> bool {
        self.name_after(0).is_some()
    }

    fn bump(&mut self) {
        if self.pos + 1 < self.tokens.len() {
            self.pos += 1;
        }
    }

    fn eat(&mut self, punct: &str) -> bool {
        let found = self.at(punct);
        if found {
            self.bump();
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.bump();
        }
        found
    }

    // Expectations.

    /// Takes `punct`, or says that it was expected `context` ("after expression").
    fn expect(&mut self, punct: &str, context: &str) -> Parse<Span> {
        if self.at(punct) {
            let span = self.span();
            self.bump();
            return Ok(span);
        }
        self.expected(&format!("`{punct}`"), context)
    }

    /// Takes the `close` that belongs to the bracket at `open`.
    fn expect_close(&mut self, close: &str, open: Span) -> Parse<Span> {
        if self.at(close) {
            let span = self.span();
            self.bump();
            return Ok(span);
        }
        let opener = match close {
            ")" => "(",
            "]" => "[",
            _ => "{",
        };
        let found = self.describe();
        let diagnostic =
            Diagnostic::error(self.gap(), format!("expected `{close}`, found {found}"))
                .also(open, format!("to match this `{opener}`"));
        self.report(diagnostic)
    }

    fn expect_name(&mut self, what: &str) -> Parse<ast::Ident> {
        match self.next_name() {
            Some(name) => {
                self.bump();
                Ok(name)
            }
            None => self.unexpected(what),
        }
    }

    /// Fails with "expected X, found Y" under the token that should have been X.
    fn unexpected<T>(&mut self, what: &str) -> Parse<T> {
        let found = self.describe();
        let mut diagnostic =
            Diagnostic::error(self.span(), format!("expected {what}, found {found}"));
        if self.keyword().is_some() && what.contains("name") {
            diagnostic = diagnostic.note(format!("{found} is a keyword and cannot be a name"));
        }
        self.report(diagnostic)
    }

    /// Fails with "expected X context" right after the token before.
    fn expected<T>(&mut self, what: &str, context: &str) -> Parse<T> {
        self.report(Diagnostic::error(self.gap(), format!("expected {what} {context}")))
    }

    /// The empty place right after the token before the next one.
    fn gap(&self) -> Span {
        let previous = self.previous();
        if self.pos == 0 { self.span() } else { Span { start: previous.end, ..previous } }
    }

    /// The next token in words.
    fn describe(&self) -> String {
        match self.kind() {
            TokenKind::Ident(name) => format!("`{name}`"),
            TokenKind::Number(text) => format!("`{text}`"),
            TokenKind::Char { .. } => "a character constant".into(),
            TokenKind::String { .. } => "a string literal".into(),
            TokenKind::Punct(punct) => format!("`{punct}`"),
            TokenKind::Pragma(_) => "`#pragma`".into(),
            TokenKind::End => "the end of the file".into(),
        }
    }

    /// Records an error and fails.
    fn report<T>(&mut self, diagnostic: Diagnostic) -> Parse<T> {
        self.record(diagnostic);
        Err(Failed)
    }

    /// Records an error, unless it follows from the one before.
    fn record(&mut self, diagnostic: Diagnostic) {
        let follows = self.last_error.is_some_and(|last| self.pos <= last + 1);
        self.last_error = Some(self.pos);
        if self.stopped || (follows && self.errors > 0) {
            return;
        }
        self.diagnostics.push(diagnostic);
        self.errors += 1;
        if self.errors >= MAX_ERRORS {
            self.diagnostics.push(Diagnostic::general(TOO_MANY));
            self.stop();
        }
    }

    /// Gives up: goes to the end of the input and reports nothing more.
    fn stop(&mut self) {
        self.stopped = true;
        self.pos = self.tokens.len() - 1;
    }

    // Bounds.

    /// Parses something one level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.nested_by(1, parse)
    }

    /// Parses something `levels` deeper.
    fn nested_by<T>(
        &mut self,
        levels: usize,
        parse: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        if self.depth + levels > MAX_DEPTH {
            return self.too_deep("the program is nested too deeply here", MAX_DEPTH, "levels");
        }
        self.depth += levels;
        let result = parse(self);
        self.depth -= levels;
        result
    }

    /// Parses something whose height does not add to that of its neighbours.
    fn measured<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let around = std::mem::take(&mut self.height);
        let result = parse(self);
        self.height = self.height.max(around);
        result
    }

    /// Accounts for `levels` more operators above what was just parsed.
    fn grow(&mut self, levels: usize) -> Parse<()> {
        self.height += levels;
        if self.height > MAX_HEIGHT {
            return self.too_deep("this expression is too long", MAX_HEIGHT, "chained operators");
        }
        Ok(())
    }

    fn too_deep<T>(&mut self, message: &str, limit: usize, unit: &str) -> Parse<T> {
        let note = format!("Fencepost accepts up to {limit} {unit}");
        self.record(Diagnostic::error(self.span(), message).note(note));
        self.stop();
        Err(Failed)
    }
}
