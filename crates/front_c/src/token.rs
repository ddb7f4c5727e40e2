//! Tokens: what the preprocessor gives to the parser.

use execution::span::Span;
use std::rc::Rc;

/// A token after preprocessing.
#[derive(Clone, PartialEq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is spelled, and through which macros it came.
    pub span: Span,
}

/// The kinds of token. Keywords are identifiers here; the parser knows which are reserved.
#[derive(Clone, PartialEq, Debug)]
pub enum TokenKind {
    /// An identifier or keyword.
    Ident(Rc<str>),
    /// A number as written, with its suffix: `0x1fULL`, `1.5e3`. The parser decides what it is.
    Number(Rc<str>),
    /// A character constant: its value as an `int` (or as the wide type of its prefix).
    Char {
        /// The prefix.
        encoding: Encoding,
        /// The value.
        value: i64,
    },
    /// A string literal, escapes resolved, without the final zero. Adjacent literals are joined
    /// by the parser. Code units of wide strings are widened.
    String {
        /// The prefix.
        encoding: Encoding,
        /// The code units: bytes for a plain or `u8` string.
        units: Rc<[u32]>,
    },
    /// Punctuation: always the standard spelling, longest match (`->`, `<<=`, `...`).
    Punct(&'static str),
    /// A `#pragma` line that the front end may act upon; the words after `#pragma`.
    Pragma(Rc<str>),
    /// The end of the input; always the last token.
    End,
}

/// The prefix of a character or string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// No prefix.
    Plain,
    /// `u8`
    Utf8,
    /// `u`
    Utf16,
    /// `U`
    Utf32,
    /// `L`
    Wide,
}
