//! A macro's body with its arguments put in: parameters, `#`, `##`, `__VA_OPT__`.

use super::definition::Item;
use super::intern::known;
use super::lexer::{Kind, Lexer};
use super::{PpToken, Preprocessor};
use execution::diagnostic::Diagnostic;
use execution::span::{ExpansionId, Span};
use std::rc::Rc;

/// What the parts of a body are replaced by in one expansion.
struct Substitution<'m> {
    /// The arguments as written.
    raw: &'m [Vec<PpToken>],
    /// The arguments with their own macros expanded, each made when first needed.
    expanded: Vec<Option<Rc<[PpToken]>>>,
    variadic: bool,
    id: ExpansionId,
}

impl Preprocessor<'_> {
    /// The tokens of a macro's expansion, to be rescanned.
    pub fn substitute(
        &mut self,
        body: &[Item],
        arguments: &[Vec<PpToken>],
        variadic: bool,
        id: ExpansionId,
    ) -> Vec<PpToken> {
        let expanded = vec![None; arguments.len()];
        let mut substitution = Substitution { raw: arguments, expanded, variadic, id };
        let mut tokens = self.substitute_items(body, &mut substitution);
        tokens.retain(|token| token.kind != Kind::Placemarker);
        tokens
    }

    fn substitute_items(&mut self, body: &[Item], with: &mut Substitution<'_>) -> Vec<PpToken> {
        let mut result = Vec::with_capacity(body.len());
        let mut pasting: Option<PpToken> = None;
        let mut carried_space = false;
        for (index, item) in body.iter().enumerate() {
            if self.stopped {
                break;
            }
            let next_pastes = matches!(body.get(index + 1), Some(Item::Paste(_)));
            if let Item::Paste(operator) = item {
                pasting = Some(*operator);
                continue;
            }
            let is_operand = next_pastes || pasting.is_some();
            let start = result.len();
            self.push_item(item, is_operand, with, &mut result);
            self.charge_tokens(&result[start..]);
            match result.get_mut(start) {
                Some(first) => first.space |= std::mem::take(&mut carried_space),
                None => carried_space |= !is_operand && item.token().space,
            }
            if is_operand && result.len() == start {
                result.push(placemarker(item));
            }
            if pasting.take().is_some() && start > 0 {
                self.paste_at(&mut result, start, item, with);
            }
        }
        result
    }

    fn charge_tokens(&mut self, tokens: &[PpToken]) {
        if let Some(first) = tokens.first() {
            self.charge(tokens.len(), first.span);
        }
    }

    /// Appends what one part of a body stands for.
    fn push_item(
        &mut self,
        item: &Item,
        is_operand: bool,
        with: &mut Substitution<'_>,
        result: &mut Vec<PpToken>,
    ) {
        let inside = |span: Span| Span { expansion: Some(with.id), ..span };
        let start = result.len();
        match item {
            Item::Token(token) => result.push(PpToken { span: inside(token.span), ..*token }),
            Item::Stringify { index, token } => {
                let text = self.stringified(&with.raw[*index]);
                let symbol = self.interner.intern(&text);
                let span = inside(token.span);
                result.push(PpToken { kind: Kind::String, symbol, span, ..*token });
            }
            Item::Parameter { index, token } => {
                if is_operand {
                    result.extend(&with.raw[*index]);
                } else {
                    let expanded = self.expanded_argument(*index, with);
                    result.extend(&*expanded);
                }
                if let Some(first) = result.get_mut(start) {
                    first.space = token.space;
                }
            }
            Item::VaOpt { body, token } => {
                let last = with.raw.len().wrapping_sub(1);
                if with.variadic && !self.expanded_argument(last, with).is_empty() {
                    let tokens = self.substitute_items(body, with);
                    result.extend(tokens);
                }
                if let Some(first) = result.get_mut(start) {
                    first.space = token.space;
                }
            }
            Item::Paste(_) => {}
        }
    }

    fn expanded_argument(&mut self, index: usize, with: &mut Substitution<'_>) -> Rc<[PpToken]> {
        if let Some(expanded) = &with.expanded[index] {
            return expanded.clone();
        }
        let raw = &with.raw[index];
        let expanded: Rc<[PpToken]> = match raw.iter().any(|token| token.kind == Kind::Ident) {
            true => self.expand_list(raw.clone()).into(),
            false => raw.as_slice().into(),
        };
        with.expanded[index] = Some(expanded.clone());
        expanded
    }

    /// Joins the token before `start` with the one at it, where `item` is the right operand.
    fn paste_at(
        &mut self,
        result: &mut Vec<PpToken>,
        start: usize,
        item: &Item,
        with: &Substitution<'_>,
    ) {
        let (left, right) = (result[start - 1], result[start]);
        let is_rest = match item {
            Item::Parameter { index, .. } => with.variadic && index + 1 == with.raw.len(),
            _ => false,
        };
        if is_rest && left.is(known(",")) {
            // GNU's `, ## __VA_ARGS__`: the comma goes when there are no arguments.
            if right.kind == Kind::Placemarker {
                result.truncate(start - 1);
            }
            return;
        }
        let pasted = match (left.kind, right.kind) {
            (_, Kind::Placemarker) => left,
            (Kind::Placemarker, _) => PpToken { space: left.space, ..right },
            _ => match self.pasted(left, right) {
                Some(token) => token,
                None => return,
            },
        };
        result[start - 1] = pasted;
        result.remove(start);
    }

    fn pasted(&mut self, left: PpToken, right: PpToken) -> Option<PpToken> {
        let text = [self.spelling(left), self.spelling(right)].concat();
        let span = left.span.to(right.span);
        self.charge(1 + text.len() / 16, span);
        let Some(raw) = Lexer::single(&text) else {
            let (left, right) = (self.spelling(left), self.spelling(right));
            let message = format!("pasting `{left}` and `{right}` does not give one valid token");
            self.report(Diagnostic::error(span, message));
            return None;
        };
        let symbol = match raw.kind {
            Kind::Punct => raw.punctuator,
            _ => self.interner.intern(&text),
        };
        Some(PpToken { kind: raw.kind, symbol, space: left.space, painted: false, span })
    }

    /// `#argument`: a string literal that spells the argument as written.
    fn stringified(&mut self, argument: &[PpToken]) -> String {
        let mut text = String::from("\"");
        for (index, &token) in argument.iter().enumerate() {
            if index > 0 && token.space {
                text.push(' ');
            }
            let spelling = self.interner.spelling(token.symbol);
            if matches!(token.kind, Kind::String | Kind::Char | Kind::Unterminated) {
                for c in spelling.chars() {
                    if matches!(c, '"' | '\\') {
                        text.push('\\');
                    }
                    text.push(c);
                }
            } else {
                text.push_str(spelling);
            }
        }
        text.push('"');
        if let Some(first) = argument.first() {
            self.charge(text.len() / 16, first.span);
        }
        text
    }

    /// Tokens as text, one blank where there were any.
    pub fn spell(&self, tokens: &[PpToken]) -> String {
        let mut text = String::new();
        for (index, &token) in tokens.iter().enumerate() {
            if index > 0 && token.space {
                text.push(' ');
            }
            text.push_str(self.spelling(token));
        }
        text
    }
}

fn placemarker(item: &Item) -> PpToken {
    PpToken { kind: Kind::Placemarker, symbol: known(""), ..*item.token() }
}
