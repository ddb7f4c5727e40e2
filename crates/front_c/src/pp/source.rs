//! The stack of open files, and the stream of tokens they give once directives are carried out.

use super::conditional::Condition;
use super::include::{FileInfo, Place};
use super::intern::{Symbol, known};
use super::lexer::{Kind, Lexer, Raw};
use super::{PpToken, Preprocessor};
use execution::diagnostic::Diagnostic;
use execution::span::{FileId, Span};
use std::rc::Rc;

/// An open file.
pub struct Source {
    pub lexer: Lexer,
    pub file: FileId,
    /// What is known about the file besides its text; `None` for text that no file holds.
    pub info: Option<Rc<FileInfo>>,
    /// Where the file was found.
    pub place: Place,
    /// The open `#if`s.
    pub conditions: Vec<Condition>,
    pub guard: Guard,
    /// What `#line` adds to line numbers.
    pub line_delta: i64,
    /// What `#line` says the file is called.
    pub presumed_name: Option<Symbol>,
}

/// How far a file has shown itself to be wrapped in one `#ifndef X … #endif`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// Nothing was read yet.
    Start,
    /// Inside the `#ifndef`.
    Inside(Symbol),
    /// After its `#endif`.
    After(Symbol),
    /// Something stands outside.
    No,
}

impl Source {
    /// Whether the group being read was left out by a condition.
    pub fn is_skipping(&self) -> bool {
        self.conditions.last().is_some_and(|condition| !condition.active)
    }

    /// Notes that a token or a directive stands where the include guard pattern has none.
    pub fn spoil_guard(&mut self) {
        if matches!(self.guard, Guard::Start | Guard::After(_)) {
            self.guard = Guard::No;
        }
    }
}

impl Preprocessor<'_> {
    /// The innermost open file. There always is one: the main file stays open to the end.
    pub fn source(&mut self) -> &mut Source {
        self.sources.last_mut().expect("the main file is open")
    }

    /// The next token of the open files, outside any macro expansion.
    pub fn next_from_sources(&mut self) -> PpToken {
        loop {
            if self.stopped {
                return self.end_token();
            }
            let source = self.source();
            let raw = source.lexer.next(false);
            let skipping = source.is_skipping();
            self.check_lexer(&raw);
            if raw.kind == Kind::End {
                if self.collecting == Some(self.sources.len()) || !self.close_source() {
                    return self.end_token();
                }
            } else if raw.line_start && is_hash(&raw) {
                self.directive(&raw);
            } else if !skipping {
                self.source().spoil_guard();
                return self.token(&raw);
            }
        }
    }

    /// The rest of the current directive's line.
    pub fn line_tokens(&mut self) -> Vec<PpToken> {
        let mut tokens = Vec::new();
        while let Some(token) = self.next_in_line() {
            tokens.push(token);
        }
        tokens
    }

    /// The next token of the current directive's line.
    pub fn next_in_line(&mut self) -> Option<PpToken> {
        let raw = self.source().lexer.next(true);
        self.check_lexer(&raw);
        let ended = matches!(raw.kind, Kind::EndOfLine | Kind::End) || self.stopped;
        (!ended).then(|| self.token(&raw))
    }

    /// Passes the rest of the line without a look.
    pub fn skip_line(&mut self) {
        loop {
            let raw = self.source().lexer.next(true);
            self.check_lexer(&raw);
            if matches!(raw.kind, Kind::EndOfLine | Kind::End) || self.stopped {
                return;
            }
        }
    }

    /// A raw token of the innermost file, interned.
    pub fn token(&mut self, raw: &Raw) -> PpToken {
        let source = self.sources.last().expect("the main file is open");
        let symbol = match raw.kind {
            Kind::Punct => raw.punctuator,
            _ => self.interner.intern(&source.lexer.spelling(raw)),
        };
        let span = Span::new(source.file, raw.start, raw.end);
        let space = raw.space || raw.line_start;
        PpToken { kind: raw.kind, symbol, space, painted: false, span }
    }

    /// A token that marks the end of the input.
    pub fn end_token(&mut self) -> PpToken {
        let source = self.source();
        let end = source.lexer.position();
        let span = Span::new(source.file, end, end);
        PpToken { kind: Kind::End, symbol: known(""), space: true, painted: false, span }
    }

    fn check_lexer(&mut self, raw: &Raw) {
        let source = self.source();
        let file = source.file;
        let open_comment = source.lexer.take_unterminated_comment();
        self.charge(1, Span::new(file, raw.start, raw.end));
        if let Some(start) = open_comment {
            let span = Span::new(file, start, start + 2);
            self.report(Diagnostic::error(span, "unterminated comment"));
        }
    }

    /// Ends the innermost file; `false` if it is the main file, which stays.
    fn close_source(&mut self) -> bool {
        let conditions = std::mem::take(&mut self.source().conditions);
        for condition in conditions {
            let message = format!("`#{}` without `#endif`", condition.word);
            self.report(Diagnostic::error(condition.span, message));
        }
        if self.sources.len() == 1 {
            return false;
        }
        if let Some(Source { info: Some(info), guard: Guard::After(name), .. }) = self.sources.pop()
        {
            info.guard.set(Some(name));
        }
        true
    }
}

/// Whether a raw token is `#` (or its digraph).
fn is_hash(raw: &Raw) -> bool {
    raw.kind == Kind::Punct && (raw.punctuator == known("#") || raw.punctuator == known("%:"))
}
