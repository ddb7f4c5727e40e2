//! `#define`: what a macro is, reading one, and telling whether two are the same.

use super::intern::{Symbol, known};
use super::lexer::Kind;
use super::{PpToken, Preprocessor, predefined};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// A macro.
pub struct Macro {
    /// Its name.
    pub name: Arc<str>,
    /// Where its name stands in its definition.
    pub span: Option<Span>,
    /// What it is replaced by.
    pub kind: MacroKind,
    /// How many of its expansions are being rescanned: then its name means itself.
    pub active: Cell<u32>,
}

/// The kinds of macro.
pub enum MacroKind {
    /// `#define N 1`
    Object(Vec<Item>),
    /// `#define F(a, b) a+b`
    Function(Function),
    /// Computed at each use.
    Builtin(Builtin),
}

/// A macro with parameters.
pub struct Function {
    /// The parameters' names; with a variadic one last.
    pub parameters: Vec<Symbol>,
    /// Whether the last parameter takes all remaining arguments.
    pub variadic: bool,
    /// The body.
    pub body: Vec<Item>,
}

/// The macros whose value depends on where they are used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Builtin {
    Line,
    File,
    BaseFile,
    IncludeLevel,
    Counter,
}

/// A part of a macro's body.
pub enum Item {
    /// A token that stands for itself.
    Token(PpToken),
    /// A parameter.
    Parameter { index: usize, token: PpToken },
    /// `#parameter`; the token is the `#` with the span of both.
    Stringify { index: usize, token: PpToken },
    /// `##`
    Paste(PpToken),
    /// `__VA_OPT__(…)`
    VaOpt { body: Vec<Item>, token: PpToken },
}

impl Macro {
    /// Whether it is computed at each use.
    pub fn is_builtin(&self) -> bool {
        matches!(self.kind, MacroKind::Builtin(_))
    }

    /// Whether two definitions differ only in the amount of blanks.
    fn is_same_as(&self, other: &Macro) -> bool {
        match (&self.kind, &other.kind) {
            (MacroKind::Object(a), MacroKind::Object(b)) => same_bodies(a, b),
            (MacroKind::Function(a), MacroKind::Function(b)) => {
                a.parameters == b.parameters
                    && a.variadic == b.variadic
                    && same_bodies(&a.body, &b.body)
            }
            _ => false,
        }
    }
}

fn same_bodies(a: &[Item], b: &[Item]) -> bool {
    let same_items = |(i, (a, b)): (usize, (&Item, &Item))| {
        let same_kind = std::mem::discriminant(a) == std::mem::discriminant(b);
        let (first, second) = (a.token(), b.token());
        let nested = match (a, b) {
            (Item::VaOpt { body: a, .. }, Item::VaOpt { body: b, .. }) => same_bodies(a, b),
            (Item::Stringify { index: a, .. }, Item::Stringify { index: b, .. }) => a == b,
            _ => first.symbol == second.symbol,
        };
        same_kind && nested && (i == 0 || first.space == second.space)
    };
    a.len() == b.len() && a.iter().zip(b).enumerate().all(same_items)
}

impl Item {
    /// The token that stands for it in the body.
    pub fn token(&self) -> &PpToken {
        match self {
            Item::Token(token) | Item::Paste(token) => token,
            Item::Parameter { token, .. }
            | Item::Stringify { token, .. }
            | Item::VaOpt { token, .. } => token,
        }
    }
}

/// The parameter list of a macro being defined; empty for an object macro.
struct Parameters {
    names: Vec<Symbol>,
    variadic: bool,
    is_function: bool,
}

impl Parameters {
    fn index_of(&self, token: &PpToken) -> Option<usize> {
        let is_name = token.kind == Kind::Ident;
        self.names.iter().position(|&name| is_name && name == token.symbol)
    }
}

impl Preprocessor<'_> {
    /// The macros that are computed.
    pub fn define_builtins(&mut self) {
        for (name, builtin) in [
            ("__LINE__", Builtin::Line),
            ("__FILE__", Builtin::File),
            ("__BASE_FILE__", Builtin::BaseFile),
            ("__INCLUDE_LEVEL__", Builtin::IncludeLevel),
            ("__COUNTER__", Builtin::Counter),
        ] {
            let symbol = self.interner.intern(name);
            let kind = MacroKind::Builtin(builtin);
            let definition = Macro { name: name.into(), span: None, kind, active: Cell::new(0) };
            self.set_macro(symbol, Some(Rc::new(definition)), true);
        }
    }

    /// Carries out `#define`.
    pub fn define_directive(&mut self, span: Span) {
        let Some(name) = self.macro_name("define", span) else { return };
        let line = self.line_tokens();
        match self.definition(name, &line) {
            Ok(definition) => self.define(name, definition),
            Err(diagnostic) => self.report(diagnostic),
        }
    }

    fn define(&mut self, name: PpToken, definition: Macro) {
        let previous = self.macro_named(name.symbol);
        if let Some(previous) = previous.filter(|previous| !previous.is_same_as(&definition)) {
            let message = format!("macro `{}` is redefined differently", previous.name);
            let warning = Diagnostic::warning(name.span, message);
            let note = "the new definition is used from here on";
            let warning = match previous.span {
                Some(place) if self.is_predefined(place) => {
                    warning.note(format!("it is predefined; {note}"))
                }
                Some(place) => warning.also(place, "first defined here").note(note),
                None => warning.note(note),
            };
            // As in gcc, a header of the library may replace what the program has defined.
            if !self.map.is_library(name.span) {
                self.report(warning);
            }
        }
        let in_header = self.map.is_library(name.span);
        self.set_macro(name.symbol, Some(Rc::new(definition)), in_header);
    }

    fn is_predefined(&self, place: Span) -> bool {
        &*self.map.file(place.file).name == predefined::BUILT_IN
    }

    /// The macro `name` with the rest of its line.
    fn definition(&mut self, name: PpToken, line: &[PpToken]) -> Result<Macro, Diagnostic> {
        let (parameters, body) = self.parameters(name, line)?;
        if parameters.is_function
            || body.first().is_none_or(|first| first.space || first.kind == Kind::Punct)
        {
            // The usual case.
        } else {
            let message = format!("a blank must follow the name `{}`", self.spelling(name));
            return Err(Diagnostic::error(body[0].span, message));
        }
        let items = self.body(&parameters, body, false)?;
        check_paste_ends(&items)?;
        let kind = match parameters {
            Parameters { names, variadic, is_function: true } => {
                MacroKind::Function(Function { parameters: names, variadic, body: items })
            }
            _ => MacroKind::Object(items),
        };
        let spelling = Arc::from(self.spelling(name));
        Ok(Macro { name: spelling, span: Some(name.span), kind, active: Cell::new(0) })
    }

    /// Splits a definition's line into its parameters and its body.
    fn parameters<'t>(
        &self,
        name: PpToken,
        line: &'t [PpToken],
    ) -> Result<(Parameters, &'t [PpToken]), Diagnostic> {
        let mut parameters = Parameters { names: Vec::new(), variadic: false, is_function: false };
        let [open, rest @ ..] = line else { return Ok((parameters, line)) };
        if !open.is(known("(")) || open.space {
            return Ok((parameters, line));
        }
        parameters.is_function = true;
        if let [close, body @ ..] = rest
            && close.is(known(")"))
        {
            return Ok((parameters, body));
        }
        let mut tokens = rest.iter();
        let last = line.last().unwrap_or(&name).span;
        let unfinished = || Diagnostic::error(last, "the parameter list does not end with `)`");
        loop {
            let token = tokens.next().ok_or_else(unfinished)?;
            self.parameter(token, &mut parameters)?;
            let mut separator = tokens.next().ok_or_else(unfinished)?;
            if separator.is(known("...")) && !parameters.variadic {
                parameters.variadic = true;
                separator = tokens.next().ok_or_else(unfinished)?;
            }
            if separator.is(known(")")) {
                return Ok((parameters, tokens.as_slice()));
            }
            if !separator.is(known(",")) || parameters.variadic {
                let wanted = if parameters.variadic { "`)`" } else { "`,` or `)`" };
                let found = self.spelling(*separator);
                let message = format!("expected {wanted} in the parameter list, found `{found}`");
                return Err(Diagnostic::error(separator.span, message));
            }
        }
    }

    fn parameter(&self, token: &PpToken, list: &mut Parameters) -> Result<(), Diagnostic> {
        if token.is(known("...")) {
            list.variadic = true;
            list.names.push(known("__VA_ARGS__"));
            return Ok(());
        }
        let spelling = self.spelling(*token);
        let problem = if token.kind != Kind::Ident {
            format!("expected a parameter name, found `{spelling}`")
        } else if token.symbol == known("__VA_ARGS__") || token.symbol == known("__VA_OPT__") {
            format!("`{spelling}` cannot be a parameter name")
        } else if list.names.contains(&token.symbol) {
            format!("duplicate macro parameter `{spelling}`")
        } else {
            list.names.push(token.symbol);
            return Ok(());
        };
        Err(Diagnostic::error(token.span, problem))
    }

    /// Reads a body; `in_va_opt` inside `__VA_OPT__(…)`.
    fn body(
        &self,
        parameters: &Parameters,
        tokens: &[PpToken],
        in_va_opt: bool,
    ) -> Result<Vec<Item>, Diagnostic> {
        let mut items = Vec::with_capacity(tokens.len());
        let mut index = 0;
        while let Some(&token) = tokens.get(index) {
            index += 1;
            if token.is(known("##")) || token.is(known("%:%:")) {
                items.push(Item::Paste(token));
            } else if parameters.is_function && (token.is(known("#")) || token.is(known("%:"))) {
                let next = tokens.get(index);
                let Some((next, position)) =
                    next.and_then(|next| Some((next, parameters.index_of(next)?)))
                else {
                    let message = "`#` in a macro's body must stand before a parameter";
                    return Err(Diagnostic::error(token.span, message));
                };
                let token = PpToken { span: token.span.to(next.span), ..token };
                items.push(Item::Stringify { index: position, token });
                index += 1;
            } else if token.is(known("__VA_OPT__")) && parameters.variadic {
                let (body, after) = self.va_opt(parameters, tokens, index, token, in_va_opt)?;
                items.push(Item::VaOpt { body, token });
                index = after;
            } else if let Some(position) = parameters.index_of(&token) {
                items.push(Item::Parameter { index: position, token });
            } else if token.is(known("__VA_ARGS__")) {
                let message = "`__VA_ARGS__` can only stand in the body of a variadic macro";
                return Err(Diagnostic::error(token.span, message));
            } else {
                items.push(Item::Token(token));
            }
        }
        Ok(items)
    }

    /// The body of a `__VA_OPT__` whose `(` is at `index`, and the index after its `)`.
    fn va_opt(
        &self,
        parameters: &Parameters,
        tokens: &[PpToken],
        index: usize,
        token: PpToken,
        nested: bool,
    ) -> Result<(Vec<Item>, usize), Diagnostic> {
        if nested {
            return Err(Diagnostic::error(token.span, "`__VA_OPT__` cannot nest"));
        }
        if !tokens.get(index).is_some_and(|open| open.is(known("("))) {
            return Err(Diagnostic::error(token.span, "`__VA_OPT__` needs `(`"));
        }
        let mut depth = 0;
        for (offset, inner) in tokens[index..].iter().enumerate() {
            depth += i64::from(inner.is(known("("))) - i64::from(inner.is(known(")")));
            if depth == 0 {
                let body = self.body(parameters, &tokens[index + 1..index + offset], true)?;
                check_paste_ends(&body)?;
                return Ok((body, index + offset + 1));
            }
        }
        Err(Diagnostic::error(token.span, "unterminated `__VA_OPT__`"))
    }
}

fn check_paste_ends(items: &[Item]) -> Result<(), Diagnostic> {
    for end in [items.first(), items.last()] {
        if let Some(Item::Paste(token)) = end {
            let message = "`##` cannot stand at either end of a macro's body";
            return Err(Diagnostic::error(token.span, message));
        }
    }
    Ok(())
}
