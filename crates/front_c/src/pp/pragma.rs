//! `#pragma` and `_Pragma`.
//!
//! `once`, `push_macro` and `pop_macro` are carried out here; `pack` goes to the parser; those
//! that only steer a compiler's warnings and optimisations are dropped; any other is dropped
//! with a warning.

use super::intern::known;
use super::lexer::{Kind, Lexer};
use super::{PpToken, Preprocessor};
use crate::token::{Token, TokenKind};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use std::sync::Arc;

/// First words of pragmas that change nothing about what a program means.
const HARMLESS: &[&str] =
    &["GCC", "clang", "STDC", "message", "region", "endregion", "mark", "warning", "diag_suppress"];

impl Preprocessor<'_> {
    /// Carries out `#pragma`.
    pub fn pragma_directive(&mut self, span: Span) {
        let words = self.rest_of_line();
        self.pragma(&words, span);
    }

    /// Carries out `_Pragma("…")`, whose name was just read.
    pub fn pragma_operator(&mut self, name: PpToken) {
        let open = self.next_expanded();
        let text = self.next_expanded();
        let close = self.next_expanded();
        let complete = open.is(known("(")) && text.kind == Kind::String && close.is(known(")"));
        if !complete {
            let message = "`_Pragma` needs one string in parentheses";
            return self.report(Diagnostic::error(name.span, message));
        }
        let spelling = self.spelling(text);
        let inner = spelling.trim_start_matches(['L', 'u', 'U', '8']);
        let inner = inner.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'));
        let words = inner.unwrap_or("").replace("\\\"", "\"").replace("\\\\", "\\");
        self.pragma(words.trim(), name.span);
    }

    fn pragma(&mut self, words: &str, span: Span) {
        let first = words.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        match first {
            "once" => {
                if let Some(info) = &self.source().info {
                    info.once.set(true);
                }
            }
            "push_macro" | "pop_macro" => self.save_macro(words, first == "push_macro", span),
            "pack" => {
                let kind = TokenKind::Pragma(words.into());
                self.output.push(Token { kind, span });
            }
            "" => {}
            _ if HARMLESS.contains(&first) => {}
            "omp" => self.report(
                Diagnostic::warning(span, "`#pragma omp` is ignored")
                    .note("the program is checked as if compiled without OpenMP"),
            ),
            "scalar_storage_order" if !words.ends_with("default") => {
                let message = "`#pragma scalar_storage_order` is not supported";
                self.report(Diagnostic::error(span, message));
            }
            _ => {
                let message = format!("unknown pragma `{first}` is ignored");
                self.report(Diagnostic::warning(span, message));
            }
        }
    }

    /// `push_macro("NAME")` and `pop_macro("NAME")`.
    fn save_macro(&mut self, words: &str, push: bool, span: Span) {
        let Some(name) = words.split('"').nth(1) else {
            let message = "this pragma needs a macro's name in quotes: `push_macro(\"NAME\")`";
            return self.report(Diagnostic::error(span, message));
        };
        let mut lexer = Lexer::new(Arc::from(name));
        if lexer.next(false).kind != Kind::Ident {
            return self.report(Diagnostic::error(span, format!("`{name}` is not a macro name")));
        }
        let symbol = self.interner.intern(name);
        if push {
            let current = self.macro_named(symbol).cloned();
            self.saved_macros.entry(symbol).or_default().push(current);
        } else if let Some(saved) = self.saved_macros.get_mut(&symbol).and_then(Vec::pop) {
            self.set_macro(symbol, saved, false);
        }
    }
}
