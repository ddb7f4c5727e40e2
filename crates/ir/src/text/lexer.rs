//! Splits text into tokens.

use super::names::{Handle, is_name_char};
use execution::diagnostic::Diagnostic;
use execution::span::{FileId, Span};

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// `load.acq`, `i32`, `main`
    Word(String),
    /// A string, as bytes.
    Str(Vec<u8>),
    /// A number.
    Int(u128),
    /// `%tail.2`
    Reg(Handle),
    /// `$node`
    Slot(Handle),
    /// `@q`
    Global(String),
    /// `&main`
    Function(String),
    /// `..`
    DotDot,
    /// `->`
    Arrow,
    /// Any other single character of the language.
    Punct(char),
    /// The end of the text.
    End,
}

/// A token with its place.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Span,
    /// Whether it is the first on its line.
    pub starts_line: bool,
}

impl Kind {
    /// What to call it in a message.
    pub fn describe(&self) -> String {
        match self {
            Kind::Word(word) => format!("`{word}`"),
            Kind::Str(_) => "a string".to_string(),
            Kind::Int(_) => "a number".to_string(),
            Kind::Reg(_) => "a register".to_string(),
            Kind::Slot(_) => "a stack object".to_string(),
            Kind::Global(name) => format!("`@{name}`"),
            Kind::Function(name) => format!("`&{name}`"),
            Kind::DotDot => "`..`".to_string(),
            Kind::Arrow => "`->`".to_string(),
            Kind::Punct(c) => format!("`{c}`"),
            Kind::End => "the end of the text".to_string(),
        }
    }
}

/// All tokens of a text; the last is [`Kind::End`].
pub(super) fn tokens(file: FileId, text: &str) -> Result<Vec<Token>, Diagnostic> {
    let mut lexer = Lexer { file, text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        let starts_line = lexer.skip_blanks() || tokens.is_empty();
        let start = lexer.at;
        let kind = lexer.token()?;
        let done = kind == Kind::End;
        tokens.push(Token { kind, span: Span::new(file, start, lexer.at), starts_line });
        if done {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
}

impl Lexer<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn peek_second(&self) -> Option<char> {
        self.text[self.at..].chars().nth(1)
    }

    fn error(&self, start: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Span::new(self.file, start, self.at.max(start + 1)), message)
    }

    /// Skips blanks and comments; says whether there was a line end.
    fn skip_blanks(&mut self) -> bool {
        let mut line_end = false;
        while let Some(c) = self.peek() {
            if c == ';' {
                let rest = &self.text[self.at..];
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if c.is_whitespace() {
                line_end |= c == '\n';
                self.at += c.len_utf8();
            } else {
                break;
            }
        }
        line_end
    }

    fn token(&mut self) -> Result<Kind, Diagnostic> {
        let start = self.at;
        let Some(c) = self.peek() else { return Ok(Kind::End) };
        match c {
            '"' => Ok(Kind::Str(self.string()?)),
            '%' => Ok(Kind::Reg(self.handle()?)),
            '$' => Ok(Kind::Slot(self.handle()?)),
            '@' => Ok(Kind::Global(self.name_after_sigil()?.0)),
            '&' => Ok(Kind::Function(self.name_after_sigil()?.0)),
            '0'..='9' => self.number(),
            'a'..='z' | 'A'..='Z' | '_' => Ok(Kind::Word(self.plain_name().to_string())),
            '.' if self.peek_second() == Some('.') => {
                self.at += 2;
                Ok(Kind::DotDot)
            }
            '-' if self.peek_second() == Some('>') => {
                self.at += 2;
                Ok(Kind::Arrow)
            }
            ',' | ':' | '=' | '(' | ')' | '[' | ']' | '{' | '}' | '!' | '#' | '*' | '+' | '-' => {
                self.at += 1;
                Ok(Kind::Punct(c))
            }
            _ => {
                self.at += c.len_utf8();
                Err(self.error(start, format!("unexpected character {c:?}")))
            }
        }
    }

    /// Letters, digits, `_`, and dots that are followed by one of these.
    fn plain_name(&mut self) -> &str {
        let start = self.at;
        while let Some(c) = self.peek() {
            let inner_dot = c == '.' && self.peek_second().is_some_and(is_name_char);
            if !is_name_char(c) && !inner_dot {
                break;
            }
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// The name after a sigil, and whether it was quoted.
    fn name_after_sigil(&mut self) -> Result<(String, bool), Diagnostic> {
        let start = self.at;
        self.at += 1;
        if self.peek() == Some('"') {
            let bytes = self.string()?;
            let name = String::from_utf8(bytes);
            return name.map(|name| (name, true)).map_err(|_| self.error(start, NOT_UTF8));
        }
        let name = self.plain_name().to_string();
        if name.is_empty() {
            return Err(self.error(start, "expected a name after this character"));
        }
        Ok((name, false))
    }

    fn handle(&mut self) -> Result<Handle, Diagnostic> {
        let (name, quoted) = self.name_after_sigil()?;
        if !quoted {
            return Ok(Handle::from_word(&name));
        }
        let mut ordinal = 1;
        if self.peek() == Some('.') && self.peek_second().is_some_and(|c| c.is_ascii_digit()) {
            let start = self.at;
            self.at += 1;
            let number = self.plain_name().to_string();
            let wrong = |_| self.error(start, "expected a number after a quoted name and a dot");
            ordinal = number.parse().map_err(wrong)?;
        }
        Ok(Handle { name: Some(name), ordinal })
    }

    fn number(&mut self) -> Result<Kind, Diagnostic> {
        let start = self.at;
        while self.peek().is_some_and(is_name_char) {
            self.at += 1;
        }
        let text = &self.text[start..self.at];
        let parsed = match text.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16),
            None => text.parse(),
        };
        parsed.map(Kind::Int).map_err(|error| {
            use std::num::IntErrorKind::PosOverflow;
            let what =
                if *error.kind() == PosOverflow { "is too large" } else { "is not a number" };
            self.error(start, format!("`{text}` {what}"))
        })
    }

    fn string(&mut self) -> Result<Vec<u8>, Diagnostic> {
        let start = self.at;
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            let escape = self.at;
            match self.peek() {
                Some('"') => break self.at += 1,
                Some('\\') => {
                    self.at += 1;
                    let byte = self.escape();
                    bytes.push(byte.ok_or_else(|| self.error(escape, "unknown escape"))?);
                }
                Some('\n') | None => return Err(self.error(start, "this string has no end")),
                Some(c) => {
                    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    self.at += c.len_utf8();
                }
            }
        }
        Ok(bytes)
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Option<u8> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        match c {
            'n' => Some(b'\n'),
            'r' => Some(b'\r'),
            't' => Some(b'\t'),
            '0' => Some(0),
            '\\' | '"' => Some(c as u8),
            'x' => {
                let digits = self.text.get(self.at..self.at + 2)?;
                let byte = digits.bytes().all(|b| b.is_ascii_hexdigit());
                self.at += 2;
                u8::from_str_radix(digits, 16).ok().filter(|_| byte)
            }
            _ => None,
        }
    }
}

/// For strings that have to be text.
pub(super) const NOT_UTF8: &str = "this string is not UTF-8";

#[cfg(test)]
mod tests {
    use super::*;
    use execution::ids::Id;

    fn kinds(text: &str) -> Vec<Kind> {
        let tokens = tokens(FileId::new(0), text).expect("tokens");
        tokens.into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn handles_carry_name_and_ordinal() {
        let handle = |name: Option<&str>, ordinal| {
            Kind::Reg(Handle { name: name.map(str::to_string), ordinal })
        };
        assert_eq!(
            kinds("%x %x.2 %17 %\"x.2\".3 %a..%b"),
            [
                handle(Some("x"), 1),
                handle(Some("x"), 2),
                handle(None, 17),
                handle(Some("x.2"), 3),
                handle(Some("a"), 1),
                Kind::DotDot,
                handle(Some("b"), 1),
                Kind::End
            ]
        );
    }

    #[test]
    fn comments_end_with_their_line() {
        let tokens = tokens(FileId::new(0), "a ; b\n c").expect("tokens");
        assert_eq!(tokens.len(), 3);
        assert!(tokens[1].starts_line);
    }

    #[test]
    fn strings_hold_bytes() {
        assert_eq!(kinds(r#""a\n\xff\"é""#)[0], Kind::Str(b"a\n\xff\"\xc3\xa9".to_vec()));
        assert!(tokens(FileId::new(0), r#""\x4é""#).is_err());
        assert!(tokens(FileId::new(0), "\"open").is_err());
    }
}
