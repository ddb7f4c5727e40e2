//! Directives: reads the word after `#` and carries it out.

use super::definition::Macro;
use super::intern::{Symbol, known};
use super::lexer::{Kind, Raw};
use super::{PpToken, Preprocessor};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use std::rc::Rc;

/// The directives that people misspell.
const DIRECTIVES: [&str; 13] = [
    "define", "elif", "elifdef", "elifndef", "else", "endif", "error", "ifdef", "ifndef",
    "include", "pragma", "undef", "warning",
];

impl Preprocessor<'_> {
    /// Carries out the directive whose `#` is `hash`, up to the end of its line.
    pub fn directive(&mut self, hash: &Raw) {
        let skipping = self.source().is_skipping();
        let raw = self.source().lexer.next(true);
        if matches!(raw.kind, Kind::EndOfLine | Kind::End) {
            return;
        }
        let word = self.token(&raw);
        let span = Span { start: hash.start as u32, ..word.span };
        // Only whether groups open and close matters in lines that are left out.
        if skipping && !is_conditional(word.symbol) {
            return self.skip_line();
        }
        let is_word = word.kind == Kind::Ident;
        match word.symbol {
            s if is_word && s == known("if") => self.open_condition("if", span),
            s if is_word && s == known("ifdef") => self.open_condition("ifdef", span),
            s if is_word && s == known("ifndef") => self.open_condition("ifndef", span),
            s if is_word && s == known("elif") => self.elif("elif", span),
            s if is_word && s == known("elifdef") => self.elif("elifdef", span),
            s if is_word && s == known("elifndef") => self.elif("elifndef", span),
            s if is_word && s == known("else") => self.else_group(span),
            s if is_word && s == known("endif") => self.endif(span),
            s => {
                self.source().spoil_guard();
                self.plain_directive(s, word, span);
            }
        }
    }

    fn plain_directive(&mut self, symbol: Symbol, word: super::PpToken, span: Span) {
        if word.kind == Kind::Number {
            // A line marker of another preprocessor: `# 12 "file.c"`.
            return self.line_directive(vec![word], span);
        }
        match symbol {
            s if s == known("define") => self.define_directive(span),
            s if s == known("undef") => self.undef_directive(span),
            s if s == known("include") => self.include_directive(span, false),
            s if s == known("include_next") => self.include_directive(span, true),
            s if s == known("error") => self.error_directive(span, true),
            s if s == known("warning") => self.error_directive(span, false),
            s if s == known("line") => self.line_directive(Vec::new(), span),
            s if s == known("pragma") => self.pragma_directive(span),
            s if s == known("ident") => self.skip_line(),
            _ if self.spelling(word) == "embed" => {
                self.report(Diagnostic::error(span, "`#embed` is not supported"));
                self.skip_line();
            }
            _ => {
                let word = self.spelling(word);
                let mut diagnostic =
                    Diagnostic::error(span, format!("unknown directive `#{word}`"));
                if let Some(similar) = crate::hints::similar(word, DIRECTIVES.into_iter()) {
                    diagnostic = diagnostic.note(format!("did you mean `#{similar}`?"));
                }
                self.report(diagnostic);
                self.skip_line();
            }
        }
    }

    fn error_directive(&mut self, span: Span, is_error: bool) {
        let words = self.rest_of_line();
        let word = if is_error { "error" } else { "warning" };
        let message = match &*words {
            "" => format!("`#{word}` directive"),
            words => words.to_string(),
        };
        let diagnostic = Diagnostic::error(span, message);
        self.report(match is_error {
            true => diagnostic,
            false => {
                Diagnostic { severity: execution::diagnostic::Severity::Warning, ..diagnostic }
            }
        });
    }

    /// The text of the rest of the line, comments as blanks.
    pub fn rest_of_line(&mut self) -> String {
        let tokens = self.line_tokens();
        self.spell(&tokens)
    }

    /// `#line N "file"`: changes what `__LINE__` and `__FILE__` say, never the places in messages.
    fn line_directive(&mut self, marker: Vec<super::PpToken>, span: Span) {
        let tokens = match marker.is_empty() {
            true => {
                let line = self.line_tokens();
                self.expand_list(line)
            }
            false => [marker, self.line_tokens()].concat(),
        };
        let number = tokens.first().and_then(|&token| self.spelling(token).parse::<u32>().ok());
        let Some(number) = number.filter(|&n| n <= i32::MAX as u32) else {
            return self.report(Diagnostic::error(span, "`#line` needs a line number"));
        };
        let here = self.map.location(span).line;
        let name = match tokens.get(1) {
            Some(token) if token.kind == Kind::String => {
                Some(self.spelling(*token).trim_matches('"').to_string())
            }
            Some(token) => {
                let error = Diagnostic::error(token.span, "`#line` needs a file name in quotes");
                return self.report(error);
            }
            None => None,
        };
        let name = name.map(|name| self.interner.intern(&name));
        let source = self.source();
        source.line_delta = i64::from(number) - i64::from(here) - 1;
        source.presumed_name = name.or(source.presumed_name);
    }

    fn undef_directive(&mut self, span: Span) {
        let Some(name) = self.macro_name("undef", span) else { return };
        self.expect_line_end("undef");
        self.set_macro(name.symbol, None, self.map.is_library(name.span));
    }

    /// Reads the name after `#define` or `#undef`.
    pub fn macro_name(&mut self, word: &str, span: Span) -> Option<super::PpToken> {
        let Some(name) = self.next_in_line() else {
            self.report(Diagnostic::error(span, format!("`#{word}` needs a macro name")));
            return None;
        };
        let problem = if name.kind != Kind::Ident {
            format!("macro names are identifiers; `{}` is not", self.spelling(name))
        } else if name.symbol == known("defined") {
            "`defined` cannot be a macro name".to_string()
        } else if self.macro_named(name.symbol).is_some_and(|known| known.is_builtin()) {
            format!("`{}` is built in and cannot be changed", self.spelling(name))
        } else {
            return Some(name);
        };
        self.report(Diagnostic::error(name.span, problem));
        self.skip_line();
        None
    }

    /// Warns of tokens after a complete directive.
    pub fn expect_line_end(&mut self, word: &str) {
        if let Some(extra) = self.next_in_line() {
            let message = format!("extra tokens after `#{word}` are ignored");
            self.report(Diagnostic::warning(extra.span, message));
            self.skip_line();
        }
    }

    /// The macro with this name, for those who ask what is defined.
    pub fn macro_named(&self, name: Symbol) -> Option<&Rc<Macro>> {
        self.macros.get(name.0 as usize)?.as_ref()
    }

    /// The macro that a token of the text uses. What is spelled in an embedded header uses the
    /// macros of embedded headers alone: the program cannot rewrite their parameters, members and
    /// functions by a macro of the same name, and has not to avoid their names.
    pub fn macro_used(&self, token: PpToken) -> Option<&Rc<Macro>> {
        let table = match self.map.is_library(token.span) {
            true => &self.header_macros,
            false => &self.macros,
        };
        table.get(token.symbol.0 as usize)?.as_ref()
    }

    /// Defines or undefines a macro, in an embedded header or outside.
    pub fn set_macro(&mut self, name: Symbol, definition: Option<Rc<Macro>>, in_header: bool) {
        if in_header {
            set(&mut self.header_macros, name, definition.clone());
        }
        set(&mut self.macros, name, definition);
    }
}

fn set(table: &mut Vec<Option<Rc<Macro>>>, name: Symbol, definition: Option<Rc<Macro>>) {
    let index = name.0 as usize;
    if index >= table.len() {
        table.resize(index + 1, None);
    }
    table[index] = definition;
}

fn is_conditional(symbol: Symbol) -> bool {
    [
        known("if"),
        known("ifdef"),
        known("ifndef"),
        known("elif"),
        known("elifdef"),
        known("elifndef"),
        known("else"),
        known("endif"),
    ]
    .contains(&symbol)
}
