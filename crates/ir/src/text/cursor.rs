//! The small steps of the parser: one token, one number, one name.

use super::lexer::{Kind, NOT_UTF8};
use super::parser::{Parser, Result};
use crate::program::Width;
use execution::diagnostic::Diagnostic;
use execution::span::Span;

impl Parser {
    /// A plus or minus and a number, if there is one.
    pub fn offset(&mut self) -> Result<i64> {
        let negative = match self.peek() {
            Kind::Punct('+') => false,
            Kind::Punct('-') => true,
            _ => return Ok(0),
        };
        self.at += 1;
        let span = self.span();
        let number = self.int()?;
        let signed = i128::try_from(number).ok().map(|n| if negative { -n } else { n });
        let offset = signed.and_then(|n| i64::try_from(n).ok());
        offset.ok_or_else(|| Diagnostic::error(span, "this offset does not fit 64 bits"))
    }

    /// A number of a width, possibly negative.
    pub fn number(&mut self, width: Width) -> Result<u128> {
        let span = self.span();
        let negative = self.eat_punct('-');
        let magnitude = self.int()?;
        let limit = if negative { (width.mask() >> 1) + 1 } else { width.mask() };
        if magnitude > limit {
            let span = span.to(self.tokens[self.at - 1].span);
            return Err(Diagnostic::error(span, format!("this number does not fit {width}")));
        }
        Ok(if negative { magnitude.wrapping_neg() & width.mask() } else { magnitude })
    }

    /// A width, such as `i32`.
    pub fn width(&mut self) -> Result<Width> {
        let span = self.span();
        match self.next() {
            Kind::Word(word) => width(&word),
            _ => None,
        }
        .ok_or_else(|| Diagnostic::error(span, "expected a width, `i1` to `i128`"))
    }

    /// A size, count or offset in bytes.
    pub fn size(&mut self) -> Result<u64> {
        self.small_int("this number does not fit 64 bits")
    }

    /// A number of bits.
    pub fn small(&mut self) -> Result<u8> {
        self.small_int("this number does not fit 8 bits")
    }

    /// A line or column.
    pub fn position(&mut self) -> Result<u32> {
        self.small_int("this number does not fit 32 bits")
    }

    /// The number of something that has one.
    pub fn index(&mut self, what: &str) -> Result<usize> {
        let number: u32 = self.small_int(&format!("this is not the number of {what}"))?;
        // An id past the last can be written, so that the checker of the IR can say so.
        Ok(number as usize)
    }

    fn small_int<T: TryFrom<u128>>(&mut self, message: &str) -> Result<T> {
        let span = self.span();
        T::try_from(self.int()?).map_err(|_| Diagnostic::error(span, message))
    }

    /// A number.
    pub fn int(&mut self) -> Result<u128> {
        match *self.peek() {
            Kind::Int(number) => {
                self.at += 1;
                Ok(number)
            }
            _ => Err(self.expected("a number")),
        }
    }

    /// A string that is text.
    pub fn string(&mut self) -> Result<String> {
        let span = self.span();
        match self.peek().clone() {
            Kind::Str(bytes) => {
                self.at += 1;
                String::from_utf8(bytes).map_err(|_| Diagnostic::error(span, NOT_UTF8))
            }
            _ => Err(self.expected("a string")),
        }
    }

    /// A name, quoted or not.
    pub fn name(&mut self, what: &str) -> Result<String> {
        match self.peek().clone() {
            Kind::Str(_) => self.string(),
            Kind::Word(word) => {
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// A word.
    pub fn word(&mut self, what: &str) -> Result<String> {
        match self.peek().clone() {
            Kind::Word(word) => {
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// The next token.
    pub fn peek(&self) -> &Kind {
        &self.tokens[self.at].kind
    }

    /// Takes the next token; the last one stays.
    pub fn next(&mut self) -> Kind {
        let kind = self.peek().clone();
        if kind != Kind::End {
            self.at += 1;
        }
        kind
    }

    /// The place of the next token.
    pub fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// Whether the next token stands on the line of the last.
    pub fn on_this_line(&self) -> bool {
        !self.tokens[self.at].starts_line && *self.peek() != Kind::End
    }

    /// Takes the next token if it is this one.
    pub fn eat(&mut self, kind: &Kind) -> bool {
        let found = self.peek() == kind && *kind != Kind::End;
        self.at += usize::from(found);
        found
    }

    /// Takes the next character if it is this one.
    pub fn eat_punct(&mut self, c: char) -> bool {
        self.eat(&Kind::Punct(c))
    }

    /// Takes the next word if it is this one.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Kind::Word(next) if next == word);
        self.at += usize::from(found);
        found
    }

    /// Takes a character that has to be there.
    pub fn punct(&mut self, c: char) -> Result<()> {
        if self.eat_punct(c) { Ok(()) } else { Err(self.expected(&format!("`{c}`"))) }
    }

    /// Takes a word that has to be there.
    pub fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// Checks that nothing more stands on this line.
    pub fn line_end(&self) -> Result<()> {
        if self.on_this_line() { Err(self.expected("the end of the line")) } else { Ok(()) }
    }

    /// An error at the next token.
    pub fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.span(), message)
    }

    /// An error at the next token, which is not what it should be.
    pub fn expected(&self, what: &str) -> Diagnostic {
        self.error(format!("expected {what}, found {}", self.peek().describe()))
    }
}

/// A width, such as `i32`.
pub(super) fn width(word: &str) -> Option<Width> {
    word.strip_prefix('i')?.parse().ok().and_then(Width::from_bits)
}
