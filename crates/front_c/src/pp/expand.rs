//! Uses of macros: finding their arguments, replacing them, rescanning the result.
//!
//! The result of each expansion is a [`Context`] on a stack. While a macro's context is there,
//! its name is not a macro, and a token that names it meanwhile is painted: it never expands
//! later either. This is the stack-shaped equivalent of Prosser's hide sets (D. Prosser,
//! "Complete macro expansion algorithm", X3J11/86-196, 1986), and what gcc does.
//!
//! Places: a body's tokens keep their place in the definition, an argument's tokens theirs at
//! the use, and both carry the expansion, so that messages can show either end.

use super::definition::{Builtin, Function, Macro, MacroKind};
use super::intern::known;
use super::lexer::Kind;
use super::{ARGUMENT_DEPTH, EXPANSION_COST, EXPANSION_DEPTH, PpToken, Preprocessor, predefined};
use execution::diagnostic::Diagnostic;
use execution::span::{Expansion, ExpansionId, Span};
use std::rc::Rc;

/// Tokens to be read before those of the source.
pub struct Context {
    tokens: Vec<PpToken>,
    position: usize,
    /// The macro whose expansion this is.
    owner: Option<Rc<Macro>>,
    /// Whether reading stops at the end instead of going on outside.
    is_barrier: bool,
}

/// The arguments of one use of a macro, and its closing parenthesis.
struct Arguments {
    lists: Vec<Vec<PpToken>>,
    close: Span,
}

impl Preprocessor<'_> {
    /// The next token that is not the use of a macro.
    pub fn next_expanded(&mut self) -> PpToken {
        loop {
            let token = self.next_token();
            if !self.try_expand(token) {
                return token;
            }
        }
    }

    /// Expands all macros in a list of tokens.
    pub fn expand_list(&mut self, tokens: Vec<PpToken>) -> Vec<PpToken> {
        let outer = self.open_barrier(tokens);
        let mut result = Vec::new();
        loop {
            let token = self.next_expanded();
            if token.is_end() {
                break;
            }
            result.push(token);
        }
        self.close_barrier(outer);
        result
    }

    /// Expands the tokens of an `#if` line, but not the operands of `defined` and `__has_…`.
    pub fn expand_condition(&mut self, tokens: Vec<PpToken>) -> Vec<PpToken> {
        let outer = self.open_barrier(tokens);
        let mut result = Vec::new();
        loop {
            let token = self.next_token();
            if token.is_end() {
                break;
            }
            if token.is(known("defined")) {
                result.push(token);
                let operand = self.next_token();
                let parenthesised = operand.is(known("("));
                result.push(operand);
                if parenthesised {
                    let operand = self.next_token();
                    result.push(operand);
                }
            } else if self.is_operator(token) {
                result.push(token);
                self.copy_parenthesised(&mut result);
            } else if !self.try_expand_in_condition(token) {
                result.push(token);
            }
        }
        self.close_barrier(outer);
        result.retain(|token| !token.is_end());
        result
    }

    /// Whether a token is `__has_include` or one of its relatives, not a macro of the program.
    pub(super) fn is_operator(&self, token: PpToken) -> bool {
        self.spelling(token).starts_with("__has_")
            && self.is_defined(token.symbol)
            && self.macro_named(token.symbol).is_none()
    }

    /// Copies `( … )` unexpanded, except for macros where a header name should stand.
    fn copy_parenthesised(&mut self, result: &mut Vec<PpToken>) {
        let is_include = result.last().is_some_and(|operator| {
            operator.is(known("__has_include")) || operator.is(known("__has_include_next"))
        });
        let mut depth = 0;
        loop {
            let token = self.next_token();
            let by_macro = is_include && depth == 1 && token.kind == Kind::Ident;
            if by_macro
                && result.last().is_some_and(|open| open.is(known("(")))
                && self.try_expand(token)
            {
                continue;
            }
            result.push(token);
            depth += i32::from(token.is(known("("))) - i32::from(token.is(known(")")));
            if depth <= 0 || token.is_end() {
                return;
            }
        }
    }

    fn open_barrier(&mut self, tokens: Vec<PpToken>) -> usize {
        let outer = self.contexts.len();
        self.contexts.push(Context { tokens, position: 0, owner: None, is_barrier: true });
        outer
    }

    fn close_barrier(&mut self, outer: usize) {
        while self.contexts.len() > outer {
            self.pop_context();
        }
    }

    fn pop_context(&mut self) {
        if let Some(Context { owner: Some(owner), .. }) = self.contexts.pop() {
            owner.active.set(owner.active.get() - 1);
        }
    }

    /// The next token, macros not expanded.
    pub fn next_token(&mut self) -> PpToken {
        let mut token = self.next_unpainted();
        token.space |= std::mem::take(&mut self.carried_space);
        if token.kind == Kind::Ident
            && self.macro_used(token).is_some_and(|named| named.active.get() > 0)
        {
            token.painted = true;
        }
        token
    }

    fn next_unpainted(&mut self) -> PpToken {
        while let Some(context) = self.contexts.last_mut() {
            if self.stopped {
                break;
            }
            if let Some(&token) = context.tokens.get(context.position) {
                context.position += 1;
                return token;
            }
            if context.is_barrier {
                return self.end_token();
            }
            self.pop_context();
        }
        self.next_from_sources()
    }

    /// Puts a token back to be read again.
    fn unread(&mut self, token: PpToken) {
        let tokens = vec![token];
        self.contexts.push(Context { tokens, position: 0, owner: None, is_barrier: false });
    }

    /// Replaces a token that uses a macro; `false` if it does not.
    fn try_expand(&mut self, token: PpToken) -> bool {
        let named = self.macro_used(token).cloned().filter(|named| !self.is_kept(token, named));
        named.is_some_and(|named| self.expand(token, named))
    }

    /// Whether the use of a macro stays as it is written: in [`super::uses`], if the macro is of an
    /// embedded header or predefined.
    fn is_kept(&self, token: PpToken, named: &Macro) -> bool {
        let is_library = |span| self.map.is_library(span);
        self.keeps_library && !is_library(token.span) && named.span.is_none_or(is_library)
    }

    /// The same in a condition, in which headers ask about the program's macros, too.
    fn try_expand_in_condition(&mut self, token: PpToken) -> bool {
        let named = self.macro_named(token.symbol).cloned();
        named.is_some_and(|named| self.expand(token, named))
    }

    fn expand(&mut self, token: PpToken, named: Rc<Macro>) -> bool {
        if token.kind != Kind::Ident || token.painted {
            return false;
        }
        match &named.kind {
            MacroKind::Builtin(builtin) => {
                let value = self.builtin_value(*builtin, token);
                self.unread(value);
            }
            MacroKind::Object(body) => {
                let id = self.begin_expansion(&named, token.span);
                let tokens = self.substitute(body, &[], false, id);
                self.push_expansion(named.clone(), tokens, token);
            }
            MacroKind::Function(function) => {
                if !self.next_is_open_parenthesis() {
                    return false;
                }
                self.expand_function(&named, function, token);
            }
        }
        true
    }

    fn expand_function(&mut self, named: &Rc<Macro>, function: &Function, token: PpToken) {
        let Some(mut arguments) = self.collect_arguments(named, function, token) else { return };
        let id = self.begin_expansion(named, token.span.to(arguments.close));
        for argument in arguments.lists.iter_mut().flatten() {
            if argument.span.expansion == token.span.expansion {
                argument.span.expansion = Some(id);
            }
        }
        if self.argument_depth >= ARGUMENT_DEPTH {
            let message =
                format!("uses of macros nest more than {ARGUMENT_DEPTH} deep in arguments");
            return self.stop(Diagnostic::error(token.span, message));
        }
        self.argument_depth += 1;
        let tokens = self.substitute(&function.body, &arguments.lists, function.variadic, id);
        self.argument_depth -= 1;
        self.push_expansion(named.clone(), tokens, token);
    }

    fn begin_expansion(&mut self, named: &Macro, call_site: Span) -> ExpansionId {
        self.charge(EXPANSION_COST, call_site);
        let definition = named.span.filter(|span| {
            let name = &*self.map.file(span.file).name;
            name != predefined::BUILT_IN && name != predefined::COMMAND_LINE
        });
        self.map.add_expansion(Expansion { name: named.name.clone(), call_site, definition })
    }

    fn push_expansion(&mut self, owner: Rc<Macro>, mut tokens: Vec<PpToken>, name: PpToken) {
        self.charge(tokens.len(), name.span);
        if self.contexts.len() >= EXPANSION_DEPTH {
            let message = format!("macros nest more than {EXPANSION_DEPTH} deep");
            return self.stop(Diagnostic::error(name.span, message));
        }
        match tokens.first_mut() {
            Some(first) => first.space = name.space,
            None => self.carried_space |= name.space,
        }
        owner.active.set(owner.active.get() + 1);
        self.contexts.push(Context { tokens, position: 0, owner: Some(owner), is_barrier: false });
    }

    /// Passes `(` if it is the next token, perhaps after the end of the current expansions.
    fn next_is_open_parenthesis(&mut self) -> bool {
        let collecting = self.collecting.replace(self.sources.len());
        let token = self.next_token();
        self.collecting = collecting;
        let is_open = token.is(known("("));
        if !is_open && !token.is_end() {
            self.unread(token);
        }
        is_open
    }

    /// Reads the arguments after the `(` of a macro's use.
    fn collect_arguments(
        &mut self,
        named: &Macro,
        function: &Function,
        name: PpToken,
    ) -> Option<Arguments> {
        let collecting = self.collecting.replace(self.sources.len());
        let result = self.split_arguments(function);
        self.collecting = collecting;
        let Some(mut arguments) = result else {
            let message = format!("unterminated arguments of macro `{}`", named.name);
            self.report(defined_at(Diagnostic::error(name.span, message), named));
            return None;
        };
        let wanted = function.parameters.len();
        let given = &mut arguments.lists;
        if wanted == 0 && given.len() == 1 && given[0].is_empty() {
            given.clear();
        }
        if function.variadic && given.len() + 1 == wanted {
            given.push(Vec::new());
        }
        if given.len() != wanted {
            let diagnostic = wrong_count(named, function, name.span, given.len());
            self.report(diagnostic);
            return None;
        }
        Some(arguments)
    }

    /// Splits tokens at the commas outside parentheses, up to the closing one.
    fn split_arguments(&mut self, function: &Function) -> Option<Arguments> {
        let mut lists = vec![Vec::new()];
        let mut depth = 0;
        loop {
            let token = self.next_token();
            self.charge(1, token.span);
            if token.is_end() {
                return None;
            }
            if token.is(known("(")) {
                depth += 1;
            } else if token.is(known(")")) {
                if depth == 0 {
                    return Some(Arguments { lists, close: token.span });
                }
                depth -= 1;
            } else if token.is(known(",")) && depth == 0 {
                let in_rest = function.variadic && lists.len() == function.parameters.len();
                if !in_rest {
                    lists.push(Vec::new());
                    continue;
                }
            }
            lists.last_mut()?.push(token);
        }
    }

    fn builtin_value(&mut self, builtin: Builtin, token: PpToken) -> PpToken {
        self.charge(EXPANSION_COST, token.span);
        let (kind, text) = match builtin {
            Builtin::Line => {
                let line = i64::from(self.map.location(token.span).line);
                let delta = self.source().line_delta;
                (Kind::Number, (line + delta).max(0).to_string())
            }
            Builtin::File => {
                let source = self.source();
                let (file, presumed) = (source.file, source.presumed_name);
                let name = match presumed {
                    Some(symbol) => self.interner.spelling(symbol).to_string(),
                    None => self.map.file(file).name.to_string(),
                };
                (Kind::String, quoted(&name))
            }
            Builtin::BaseFile => {
                let base = self.sources.first().map(|source| source.file);
                let name = base.map_or("", |file| &*self.map.file(file).name);
                (Kind::String, quoted(name))
            }
            Builtin::IncludeLevel => (Kind::Number, (self.sources.len() - 1).to_string()),
            Builtin::Counter => {
                let value = self.counter;
                self.counter += 1;
                (Kind::Number, value.to_string())
            }
        };
        PpToken { kind, symbol: self.interner.intern(&text), ..token }
    }
}

/// A string literal that spells `text`.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn wrong_count(named: &Macro, function: &Function, place: Span, given: usize) -> Diagnostic {
    let wanted = function.parameters.len();
    let (at_least, wanted) =
        if function.variadic { ("at least ", wanted - 1) } else { ("", wanted) };
    let plural = if wanted == 1 { "" } else { "s" };
    let verb = if given == 1 { "is" } else { "are" };
    let message = format!(
        "macro `{}` takes {at_least}{wanted} argument{plural}, but {given} {verb} given",
        named.name
    );
    defined_at(Diagnostic::error(place, message), named)
}

fn defined_at(diagnostic: Diagnostic, named: &Macro) -> Diagnostic {
    match named.span {
        Some(span) => diagnostic.also(span, "defined here"),
        None => diagnostic,
    }
}
