//! `#if` and its family: which groups of lines are read.

use super::Preprocessor;
use super::intern::known;
use super::lexer::Kind;
use super::source::Guard;
use execution::diagnostic::Diagnostic;
use execution::span::Span;

/// An open `#if`, `#ifdef` or `#ifndef`.
pub struct Condition {
    /// The directive.
    pub span: Span,
    /// Its name.
    pub word: &'static str,
    /// Whether the lines around it are read.
    enclosing_active: bool,
    /// Whether one of its groups was already read.
    taken: bool,
    /// Whether the current group is read.
    pub active: bool,
    /// Its `#else`, once seen.
    else_seen: Option<Span>,
}

impl Preprocessor<'_> {
    /// Carries out `#if` (`word` "if"), `#ifdef` or `#ifndef`.
    pub fn open_condition(&mut self, word: &'static str, span: Span) {
        let enclosing_active = !self.source().is_skipping();
        let at_file_start = self.source().guard == Guard::Start;
        self.source().spoil_guard();
        let holds = match word {
            _ if !enclosing_active => {
                self.skip_line();
                false
            }
            "if" => self.evaluate_line(span),
            _ => self.is_name_defined(word, span, at_file_start) == (word == "ifdef"),
        };
        self.source().conditions.push(Condition {
            span,
            word,
            enclosing_active,
            taken: holds || !enclosing_active,
            active: holds,
            else_seen: None,
        });
    }

    /// Reads the name after `#ifdef`, `#ifndef`, `#elifdef` or `#elifndef`.
    fn is_name_defined(&mut self, word: &'static str, span: Span, at_file_start: bool) -> bool {
        let Some(name) = self.next_in_line() else {
            self.report(Diagnostic::error(span, format!("`#{word}` needs a macro name")));
            return false;
        };
        if name.kind != Kind::Ident {
            let message = format!("`#{word}` needs a macro name, not `{}`", self.spelling(name));
            self.report(Diagnostic::error(name.span, message));
            self.skip_line();
            return false;
        }
        self.expect_line_end(word);
        if word == "ifndef" && at_file_start && self.source().conditions.is_empty() {
            self.source().guard = Guard::Inside(name.symbol);
        }
        self.is_defined(name.symbol)
    }

    /// Carries out `#elif` (`word` "elif"), `#elifdef` or `#elifndef`.
    pub fn elif(&mut self, word: &'static str, span: Span) {
        let Some(condition) = self.source().conditions.last_mut() else {
            self.skip_line();
            return self.report(Diagnostic::error(span, format!("`#{word}` without `#if`")));
        };
        condition.active = false;
        let (opened, evaluate) = (condition.span, !condition.taken);
        if let Some(previous) = condition.else_seen {
            self.skip_line();
            let error = Diagnostic::error(span, format!("`#{word}` after `#else`"));
            return self.report(error.also(previous, "the `#else`").also(opened, "the `#if`"));
        }
        self.break_guard_at_branch();
        if !evaluate {
            return self.skip_line();
        }
        let holds = match word {
            "elif" => self.evaluate_line(span),
            _ => self.is_name_defined(word, span, false) == (word == "elifdef"),
        };
        if let Some(condition) = self.source().conditions.last_mut() {
            condition.active = holds;
            condition.taken = holds;
        }
    }

    /// Carries out `#else`.
    pub fn else_group(&mut self, span: Span) {
        self.skip_line();
        let Some(condition) = self.source().conditions.last_mut() else {
            return self.report(Diagnostic::error(span, "`#else` without `#if`"));
        };
        if let Some(previous) = condition.else_seen {
            let opened = condition.span;
            let error = Diagnostic::error(span, "second `#else` of the same `#if`");
            return self.report(error.also(previous, "the first").also(opened, "the `#if`"));
        }
        condition.else_seen = Some(span);
        condition.active = condition.enclosing_active && !condition.taken;
        condition.taken = true;
        self.break_guard_at_branch();
    }

    /// Carries out `#endif`.
    pub fn endif(&mut self, span: Span) {
        self.skip_line();
        let source = self.source();
        if source.conditions.pop().is_none() {
            return self.report(Diagnostic::error(span, "`#endif` without `#if`"));
        }
        if let Guard::Inside(name) = source.guard
            && source.conditions.is_empty()
        {
            source.guard = Guard::After(name);
        }
    }

    /// A guard with an `#else` or `#elif` of its own is none.
    fn break_guard_at_branch(&mut self) {
        let source = self.source();
        if source.conditions.len() == 1 && matches!(source.guard, Guard::Inside(_)) {
            source.guard = Guard::No;
        }
    }

    /// Evaluates the rest of the line after `#if` or `#elif`.
    fn evaluate_line(&mut self, span: Span) -> bool {
        let line = self.line_tokens();
        let tokens = self.expand_condition(line);
        match self.evaluate(&tokens, span) {
            Ok(holds) => holds,
            Err(diagnostic) => {
                self.report(diagnostic);
                false
            }
        }
    }

    /// Whether a name is a macro, or one of the operators that `#ifdef` admits to exist.
    pub fn is_defined(&self, name: super::Symbol) -> bool {
        self.macro_named(name).is_some()
            || [
                known("__has_include"),
                known("__has_include_next"),
                known("__has_attribute"),
                known("__has_c_attribute"),
                known("__has_builtin"),
            ]
            .contains(&name)
    }
}
