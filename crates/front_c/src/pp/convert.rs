//! Preprocessing tokens to the tokens that the parser reads.

use super::intern::punctuation;
use super::lexer::Kind;
use super::literal::{char_value, decode};
use super::{PpToken, Preprocessor};
use crate::token::{Token, TokenKind};
use execution::diagnostic::Diagnostic;

impl Preprocessor<'_> {
    /// Appends a token to the output, or reports why it is none.
    pub fn emit(&mut self, token: PpToken) {
        match self.converted(token) {
            Ok(kind) => self.output.push(Token { kind, span: token.span }),
            Err(problem) => self.report(Diagnostic::error(token.span, problem)),
        }
    }

    fn converted(&mut self, token: PpToken) -> Result<TokenKind, String> {
        let spelling = self.interner.spelling(token.symbol);
        match token.kind {
            Kind::Ident => Ok(TokenKind::Ident(spelling.clone())),
            Kind::Number if spelling.contains('\'') => {
                Ok(TokenKind::Number(spelling.replace('\'', "").into()))
            }
            Kind::Number => Ok(TokenKind::Number(spelling.clone())),
            Kind::Punct => {
                punctuation(token.symbol).map(TokenKind::Punct).ok_or_else(|| stray(spelling))
            }
            Kind::String | Kind::Char => self.literal(token),
            Kind::Unterminated => {
                let quote = if spelling.contains('"') { '"' } else { '\'' };
                Err(format!("missing closing `{quote}` on this line"))
            }
            Kind::Other => Err(stray(spelling)),
            Kind::End | Kind::EndOfLine | Kind::Placemarker => Ok(TokenKind::End),
        }
    }

    fn literal(&mut self, token: PpToken) -> Result<TokenKind, String> {
        let spelling = self.interner.spelling(token.symbol).clone();
        if spelling.contains('\u{fffd}') && self.lossy_files.contains(&token.span.file) {
            return Err("this literal holds bytes that are not UTF-8".to_string());
        }
        let decoded = decode(&spelling)?;
        for warning in &decoded.warnings {
            self.report(Diagnostic::warning(token.span, warning.clone()));
        }
        if token.kind == Kind::Char {
            let value = char_value(&decoded)?;
            return Ok(TokenKind::Char { encoding: decoded.encoding, value });
        }
        Ok(TokenKind::String { encoding: decoded.encoding, units: decoded.units.into() })
    }

    /// The value of a character constant in `#if`.
    pub fn char_constant(&self, token: PpToken) -> Result<i64, String> {
        char_value(&decode(self.spelling(token))?)
    }
}

fn stray(spelling: &str) -> String {
    match spelling.chars().next() {
        Some(c) if c.is_control() => format!("stray character U+{:04X}", c as u32),
        _ => format!("stray `{spelling}`"),
    }
}
