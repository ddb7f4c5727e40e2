//! Turns cat text into tokens.
//!
//! Names may hold dots and hyphens (`fence.rw.rw`, `po-loc`). Comments are `(* nested *)`, and
//! `//` or `#` to the end of the line, all of which occur in published models.

use execution::diagnostic::Diagnostic;
use execution::span::{FileId, Span};
use std::sync::Arc;

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name or a keyword.
    Name(Arc<str>),
    /// `'tag`.
    Tag(Arc<str>),
    /// `"text"`.
    Text(Arc<str>),
    /// Punctuation, as it is written.
    Symbol(&'static str),
    /// The end of the file.
    End,
}

/// One token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// Longest first, so that the first match is the right one.
const SYMBOLS: &[&str] = &[
    "^-1", "++", "||", "&&", "->", "|", "&", "\\", ";", "*", "?", "+", "~", "[", "]", "(", ")",
    "{", "}", ",", "=", "_", "0",
];

/// The tokens of `text`, the last of which is [`TokenKind::End`].
pub fn tokens(file: FileId, text: &str) -> Result<Vec<Token>, Diagnostic> {
    let mut lexer = Lexer { file, text, position: 0, tokens: Vec::new() };
    while lexer.next()? {}
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    position: usize,
    tokens: Vec<Token>,
}

fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn continues_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.position..]
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(self.file, start, self.position)
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let span = self.span_from(start);
        self.tokens.push(Token { kind, span });
    }

    /// Reads one token or comment; `false` at the end of the file.
    fn next(&mut self) -> Result<bool, Diagnostic> {
        let start = self.position;
        let Some(c) = self.rest().chars().next() else {
            self.push(TokenKind::End, start);
            return Ok(false);
        };
        if c.is_whitespace() {
            self.position += c.len_utf8();
        } else if self.rest().starts_with("(*") {
            self.skip_comment()?;
        } else if self.rest().starts_with("/*") {
            let Some(length) = self.rest().find("*/") else {
                let span = Span::new(self.file, start, start + 2);
                return Err(Diagnostic::error(span, "this comment does not end"));
            };
            self.position += length + 2;
        } else if c == '#' || self.rest().starts_with("//") {
            self.position += self.rest().find('\n').unwrap_or(self.rest().len());
        } else if let Some(length) = self.name_length() {
            self.position += length;
            let name = self.text[start..self.position].into();
            self.push(TokenKind::Name(name), start);
        } else if c == '\'' {
            self.position += 1;
            let Some(length) = self.name_length() else {
                return Err(Diagnostic::error(self.span_from(start), "expected a tag after `'`"));
            };
            self.position += length;
            let name = self.text[start + 1..self.position].into();
            self.push(TokenKind::Tag(name), start);
        } else if c == '"' {
            let Some(length) = self.rest()[1..]
                .find(['"', '\n'])
                .filter(|&end| self.rest().as_bytes()[end + 1] == b'"')
            else {
                self.position += 1;
                return Err(Diagnostic::error(self.span_from(start), "this string does not end"));
            };
            self.position += length + 2;
            let text = self.text[start + 1..self.position - 1].into();
            self.push(TokenKind::Text(text), start);
        } else if let Some(symbol) = SYMBOLS.iter().find(|s| self.rest().starts_with(**s)) {
            self.position += symbol.len();
            self.push(TokenKind::Symbol(symbol), start);
        } else {
            self.position += c.len_utf8();
            let message = format!("`{}` has no meaning in a cat file", c.escape_debug());
            return Err(Diagnostic::error(self.span_from(start), message));
        }
        Ok(true)
    }

    /// The length of the name that starts here. A dot or hyphen belongs to a name only between
    /// two of its characters, so `x->y` and `po-loc` both come out right; `_` alone is not a name.
    fn name_length(&self) -> Option<usize> {
        let mut chars = self.rest().char_indices().peekable();
        chars.next_if(|&(_, c)| starts_name(c))?;
        let mut end = 1;
        while let Some((at, c)) = chars.next() {
            let joins = matches!(c, '.' | '-')
                && chars.peek().is_some_and(|&(_, after)| continues_name(after));
            if !continues_name(c) && !joins {
                break;
            }
            end = at + c.len_utf8();
        }
        (&self.rest()[..end] != "_").then_some(end)
    }

    fn skip_comment(&mut self) -> Result<(), Diagnostic> {
        let start = self.position;
        let mut depth = 0usize;
        loop {
            if self.rest().starts_with("(*") {
                depth += 1;
                self.position += 2;
            } else if self.rest().starts_with("*)") {
                depth -= 1;
                self.position += 2;
                if depth == 0 {
                    return Ok(());
                }
            } else if let Some(c) = self.rest().chars().next() {
                self.position += c.len_utf8();
            } else {
                let span = Span::new(self.file, start, start + 2);
                return Err(Diagnostic::error(span, "this comment does not end"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::ids::Id;

    fn spellings(text: &str) -> Vec<String> {
        let show = |token: Token| match token.kind {
            TokenKind::Name(name) => name.to_string(),
            TokenKind::Tag(tag) => format!("'{tag}"),
            TokenKind::Text(text) => format!("{text:?}"),
            TokenKind::Symbol(symbol) => symbol.to_string(),
            TokenKind::End => "END".to_string(),
        };
        tokens(FileId::new(0), text).unwrap().into_iter().map(show).collect()
    }

    #[test]
    fn names_hold_dots_and_hyphens() {
        assert_eq!(
            spellings("fence.rw.rw|po-loc^-1;x->_*_x"),
            ["fence.rw.rw", "|", "po-loc", "^-1", ";", "x", "->", "_", "*", "_x", "END"]
        );
    }

    #[test]
    fn comments_nest_and_run_to_the_end_of_the_line() {
        assert_eq!(
            spellings("(* a (* b *) \" *) R // c\n# d\n'rcu-lock"),
            ["R", "'rcu-lock", "END"]
        );
    }

    #[test]
    fn what_does_not_end_is_an_error() {
        for text in ["(* a", "\"a\n\"", "'", "é", "\""] {
            assert!(tokens(FileId::new(0), text).is_err(), "{text}");
        }
    }
}
