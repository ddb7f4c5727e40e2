//! A tokenizer for tests: no macros, no escapes; `#pragma` lines become tokens.

use crate::token::{Encoding, Token, TokenKind};
use execution::span::{FileId, Span};

const PUNCTUATION: [&str; 46] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=",
    "/=", "%=", "+=", "-=", "&=", "^=", "|=", "[", "]", "(", ")", "{", "}", ".", "&", "*", "+",
    "-", "~", "!", "/", "%", "<", ">", "^", "|", "?", ":", ";", "=", ",",
];

pub(super) fn tokens(file: FileId, text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let first = rest.chars().next().expect("not at the end");
        let (kind, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("#pragma") {
            let line = rest.lines().next().expect("a line");
            (TokenKind::Pragma(line["#pragma".len()..].trim().into()), line.len())
        } else {
            token(rest, first)
        };
        tokens.push(Token { kind, span: Span::new(file, at, at + length) });
        at += length;
    }
    tokens.push(Token { kind: TokenKind::End, span: Span::new(file, text.len(), text.len()) });
    tokens
}

fn token(rest: &str, first: char) -> (TokenKind, usize) {
    let word = |part: fn(char) -> bool| rest.find(|c| !part(c)).unwrap_or(rest.len());
    if first.is_alphabetic() || first == '_' {
        let length = word(|c| c.is_alphanumeric() || c == '_');
        (TokenKind::Ident(rest[..length].into()), length)
    } else if first.is_ascii_digit() {
        let length = word(|c| c.is_alphanumeric() || c == '.');
        (TokenKind::Number(rest[..length].into()), length)
    } else if first == '\'' {
        let value = i64::from(rest.as_bytes()[1]);
        (TokenKind::Char { encoding: Encoding::Plain, value }, 3)
    } else if first == '"' {
        let length = rest[1..].find('"').expect("closed") + 2;
        let units = rest[1..length - 1].bytes().map(u32::from).collect();
        (TokenKind::String { encoding: Encoding::Plain, units }, length)
    } else {
        let punct = PUNCTUATION.into_iter().find(|p| rest.starts_with(p));
        let punct = punct.unwrap_or_else(|| panic!("unknown punctuation at {rest}"));
        (TokenKind::Punct(punct), punct.len())
    }
}
