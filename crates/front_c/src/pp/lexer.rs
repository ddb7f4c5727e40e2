//! Source text to preprocessing tokens: comments, line splices, and the longest match.
//!
//! The lexer allocates nothing: a [`Raw`] token is a range of the text. Line splices (a backslash
//! before a line end, blanks between them allowed as in gcc) vanish between any two characters;
//! a token that holds one, or a universal character name, is `unclean` and its spelling is
//! rebuilt by [`Lexer::spelling`]. Trigraphs are not replaced, as in gcc's default mode.

use super::intern::{Symbol, known};
use std::borrow::Cow;
use std::sync::Arc;

/// The kinds of preprocessing token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An identifier or keyword.
    Ident,
    /// A preprocessing number.
    Number,
    /// A character constant with its prefix.
    Char,
    /// A string literal with its prefix.
    String,
    /// A punctuator.
    Punct,
    /// A character that is not a token of C.
    Other,
    /// A quote that is not closed on its line.
    Unterminated,
    /// Nothing, where `##` needs an operand; never leaves macro substitution.
    Placemarker,
    /// The end of a directive's line.
    EndOfLine,
    /// The end of the text.
    End,
}

/// A token as a range of the text.
#[derive(Clone, Copy, Debug)]
pub struct Raw {
    /// What it is.
    pub kind: Kind,
    /// Which punctuator, for [`Kind::Punct`].
    pub punctuator: Symbol,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Blanks or comments stand before it.
    pub space: bool,
    /// It is the first of its line.
    pub line_start: bool,
    /// Its spelling is not simply the text of the range.
    pub unclean: bool,
}

/// Reads tokens from one text.
pub struct Lexer {
    text: Arc<str>,
    pos: usize,
    /// One past the last consumed character, before any splice that follows it.
    end: usize,
    unclean: bool,
    line_start: bool,
    /// The start of a comment that never ends, once met.
    unterminated_comment: Option<usize>,
}

const NO_SYMBOL: Symbol = known("");

impl Lexer {
    /// A lexer at the start of `text`.
    pub fn new(text: Arc<str>) -> Self {
        let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let mut lexer = Self {
            text,
            pos: start,
            end: start,
            unclean: false,
            line_start: true,
            unterminated_comment: None,
        };
        lexer.skip_splices();
        lexer
    }

    /// The single token that `text` spells, or `None` if it spells none, or several.
    pub fn single(text: &str) -> Option<Raw> {
        let mut lexer = Lexer::new(Arc::from(text));
        if text.starts_with("//") || text.starts_with("/*") {
            return None;
        }
        let raw = lexer.next(false);
        let whole = raw.start == 0 && raw.end == text.len();
        let valid = !matches!(raw.kind, Kind::Other | Kind::Unterminated | Kind::End);
        (whole && valid).then_some(raw)
    }

    /// Where the lexer stands.
    pub fn position(&self) -> usize {
        self.pos
    }

    /// The start of an unterminated comment, reported once.
    pub fn take_unterminated_comment(&mut self) -> Option<usize> {
        self.unterminated_comment.take()
    }

    /// A token's spelling: splices removed, universal character names in identifiers resolved.
    pub fn spelling(&self, raw: &Raw) -> Cow<'_, str> {
        let text = &self.text[raw.start..raw.end];
        if !raw.unclean {
            return Cow::Borrowed(text);
        }
        let mut lexer =
            Lexer { text: self.text.clone(), pos: raw.start, ..Lexer::new(Arc::from("")) };
        let mut clean = String::with_capacity(text.len());
        while lexer.pos < raw.end {
            if raw.kind == Kind::Ident
                && let Some((c, after)) = lexer.universal_name()
            {
                clean.push(c);
                lexer.move_to(after);
                continue;
            }
            let c = lexer.current_char().unwrap_or_default();
            clean.push(c);
            lexer.advance();
        }
        Cow::Owned(clean)
    }

    /// The next token; with `in_line` the end of the line is one too, and is not passed.
    pub fn next(&mut self, in_line: bool) -> Raw {
        let space = self.skip_blanks(in_line);
        let (start, line_start) = (self.pos, self.line_start);
        self.line_start = false;
        self.unclean = false;
        self.end = start;
        let mut punctuator = NO_SYMBOL;
        let kind = match self.byte() {
            None => Kind::End,
            Some(b'\n') => {
                self.line_start = line_start;
                Kind::EndOfLine
            }
            Some(c) => match c {
                b'0'..=b'9' => self.number(),
                b'.' if self.byte_after().is_some_and(|c| c.is_ascii_digit()) => self.number(),
                b'"' | b'\'' => self.quoted(c),
                _ if self.at_identifier_start() => self.identifier(),
                _ => match self.punctuator(c) {
                    Some(symbol) => {
                        punctuator = symbol;
                        Kind::Punct
                    }
                    None => {
                        self.advance();
                        Kind::Other
                    }
                },
            },
        };
        let end = self.end;
        Raw { kind, punctuator, start, end, space, line_start, unclean: self.unclean }
    }

    /// A header name (`<…>` or `"…"`) if one starts here: its range with its quotes.
    pub fn header_name(&mut self) -> Option<(usize, usize)> {
        self.skip_blanks(true);
        let close = match self.byte()? {
            b'<' => b'>',
            b'"' => b'"',
            _ => return None,
        };
        let rest = &self.text.as_bytes()[self.pos + 1..];
        let line_end = rest.iter().position(|&c| c == b'\n').unwrap_or(rest.len());
        let length = rest[..line_end].iter().position(|&c| c == close)?;
        let (start, end) = (self.pos, self.pos + length + 2);
        self.move_to(end);
        self.line_start = false;
        Some((start, end))
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    fn current_char(&self) -> Option<char> {
        self.text[self.pos..].chars().next()
    }

    /// The byte after the current character.
    fn byte_after(&self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        let mut pos = self.pos + 1;
        while bytes.get(pos) == Some(&b'\\') {
            match splice_length(&bytes[pos..]) {
                Some(length) => pos += length,
                None => break,
            }
        }
        bytes.get(pos).copied()
    }

    fn advance(&mut self) {
        let bytes = self.text.as_bytes();
        self.pos += match bytes.get(self.pos) {
            Some(c) if c.is_ascii() => 1,
            Some(_) => self.current_char().map_or(1, char::len_utf8),
            None => return,
        };
        self.end = self.pos;
        if self.text.as_bytes().get(self.pos) == Some(&b'\\') {
            self.skip_splices();
        }
    }

    fn move_to(&mut self, pos: usize) {
        self.pos = pos;
        self.end = pos;
        self.skip_splices();
    }

    fn skip_splices(&mut self) {
        while let Some(length) = splice_length(&self.text.as_bytes()[self.pos..]) {
            self.pos += length;
            self.unclean = true;
        }
    }

    fn skip_blanks(&mut self, in_line: bool) -> bool {
        let mut space = false;
        while let Some(c) = self.byte() {
            match c {
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.advance(),
                b'\n' if in_line => break,
                b'\n' => {
                    self.advance();
                    self.line_start = true;
                }
                b'/' if self.byte_after() == Some(b'/') => {
                    while self.byte().is_some_and(|c| c != b'\n') {
                        self.advance();
                    }
                }
                b'/' if self.byte_after() == Some(b'*') => self.skip_block_comment(),
                _ => break,
            }
            space = true;
        }
        space
    }

    fn skip_block_comment(&mut self) {
        let start = self.pos;
        self.advance();
        self.advance();
        while let Some(c) = self.byte() {
            self.advance();
            if c == b'*' && self.byte() == Some(b'/') {
                self.advance();
                return;
            }
        }
        self.unterminated_comment = Some(start);
    }

    fn number(&mut self) -> Kind {
        while let Some(c) = self.byte() {
            match c {
                b'e' | b'E' | b'p' | b'P' => {
                    self.advance();
                    if matches!(self.byte(), Some(b'+' | b'-')) {
                        self.advance();
                    }
                }
                b'.' => self.advance(),
                b'\'' if self.is_separator() => self.advance(),
                _ if self.step_identifier() => {}
                _ => break,
            }
        }
        Kind::Number
    }

    /// Whether the quote here stands between two digits of a number (C23).
    fn is_separator(&self) -> bool {
        let digit = |at: Option<&u8>| at.is_some_and(u8::is_ascii_hexdigit);
        let bytes = self.text.as_bytes();
        digit(bytes.get(self.pos.wrapping_sub(1))) && digit(bytes.get(self.pos + 1))
    }

    fn identifier(&mut self) -> Kind {
        let start = self.pos;
        while self.step_identifier() {}
        let prefix = &self.text.as_bytes()[start..self.end];
        match self.byte() {
            Some(quote @ (b'"' | b'\'')) if matches!(prefix, b"L" | b"u" | b"U") => {
                self.quoted(quote)
            }
            Some(b'"') if prefix == b"u8" => self.quoted(b'"'),
            _ => Kind::Ident,
        }
    }

    fn at_identifier_start(&self) -> bool {
        match self.byte() {
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$') => true,
            Some(b'\\') => self.universal_name().is_some(),
            Some(c) if !c.is_ascii() => self.current_char().is_some_and(char::is_alphabetic),
            _ => false,
        }
    }

    /// Passes one character of an identifier, if one is here.
    fn step_identifier(&mut self) -> bool {
        match self.byte() {
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$') => self.advance(),
            Some(b'\\') => match self.universal_name() {
                Some((_, after)) => {
                    self.move_to(after);
                    self.unclean = true;
                }
                None => return false,
            },
            Some(c) if !c.is_ascii() => match self.current_char() {
                Some(c) if c.is_alphanumeric() => self.advance(),
                _ => return false,
            },
            _ => return false,
        }
        true
    }

    /// A universal character name (`\u00e9`) that may stand in an identifier, and where it ends.
    fn universal_name(&self) -> Option<(char, usize)> {
        let rest = &self.text.as_bytes()[self.pos..];
        let digits = match rest {
            [b'\\', b'u', ..] => 4,
            [b'\\', b'U', ..] => 8,
            _ => return None,
        };
        let hex = std::str::from_utf8(rest.get(2..2 + digits)?).ok()?;
        let value = hex.bytes().all(|c| c.is_ascii_hexdigit()).then_some(hex)?;
        let c = char::from_u32(u32::from_str_radix(value, 16).ok()?)?;
        c.is_alphanumeric().then_some((c, self.pos + 2 + digits))
    }

    fn quoted(&mut self, quote: u8) -> Kind {
        self.advance();
        while let Some(c) = self.byte() {
            match c {
                b'\n' => break,
                b'\\' => {
                    self.advance();
                    if self.byte().is_some_and(|c| c != b'\n') {
                        self.advance();
                    }
                }
                _ => self.advance(),
            }
            if c == quote {
                return if quote == b'"' { Kind::String } else { Kind::Char };
            }
        }
        Kind::Unterminated
    }

    /// Passes the longest punctuator that starts with `first` here.
    fn punctuator(&mut self, first: u8) -> Option<Symbol> {
        let before = (self.pos, self.end, self.unclean);
        for &(symbol, spelling) in punctuators(first) {
            if self.pass(spelling) {
                return Some(symbol);
            }
            (self.pos, self.end, self.unclean) = before;
        }
        None
    }

    fn pass(&mut self, spelling: &str) -> bool {
        spelling.bytes().all(|c| {
            let matches = self.byte() == Some(c);
            self.advance();
            matches
        })
    }
}

/// The length of a line splice at the start of `bytes`.
fn splice_length(bytes: &[u8]) -> Option<usize> {
    let rest = bytes.strip_prefix(b"\\")?;
    let blanks = rest.iter().take_while(|&&c| matches!(c, b' ' | b'\t' | b'\r')).count();
    (rest.get(blanks) == Some(&b'\n')).then_some(blanks + 2)
}

macro_rules! spelled {
    ($($spelling:literal)*) => {
        const { &[$((known($spelling), $spelling)),*] }
    };
}

/// The punctuators that start with a character, longest first.
fn punctuators(first: u8) -> &'static [(Symbol, &'static str)] {
    match first {
        b'[' => spelled!("["),
        b']' => spelled!("]"),
        b'(' => spelled!("("),
        b')' => spelled!(")"),
        b'{' => spelled!("{"),
        b'}' => spelled!("}"),
        b'.' => spelled!("..." "."),
        b'-' => spelled!("->" "--" "-=" "-"),
        b'+' => spelled!("++" "+=" "+"),
        b'&' => spelled!("&&" "&=" "&"),
        b'*' => spelled!("*=" "*"),
        b'~' => spelled!("~"),
        b'!' => spelled!("!=" "!"),
        b'/' => spelled!("/=" "/"),
        b'%' => spelled!("%:%:" "%=" "%>" "%:" "%"),
        b'<' => spelled!("<<=" "<<" "<=" "<:" "<%" "<"),
        b'>' => spelled!(">>=" ">>" ">=" ">"),
        b'=' => spelled!("==" "="),
        b'^' => spelled!("^=" "^"),
        b'|' => spelled!("||" "|=" "|"),
        b'?' => spelled!("?"),
        b':' => spelled!(":>" ":"),
        b';' => spelled!(";"),
        b',' => spelled!(","),
        b'#' => spelled!("##" "#"),
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lex(text: &str) -> Vec<(Kind, String)> {
        let mut lexer = Lexer::new(Arc::from(text));
        let mut tokens = Vec::new();
        loop {
            let raw = lexer.next(false);
            if raw.kind == Kind::End {
                return tokens;
            }
            tokens.push((raw.kind, lexer.spelling(&raw).into_owned()));
        }
    }

    fn spellings(text: &str) -> Vec<String> {
        lex(text).into_iter().map(|(_, spelling)| spelling).collect()
    }

    #[test]
    fn the_longest_punctuator_wins() {
        assert_eq!(spellings("a+++++b<<=...->"), ["a", "++", "++", "+", "b", "<<=", "...", "->"]);
        assert_eq!(spellings("<::>%:%:%>.."), ["<:", ":>", "%:%:", "%>", ".", "."]);
    }

    #[test]
    fn preprocessing_numbers_swallow_signs_after_exponents() {
        assert_eq!(spellings("0x1e+1 .5e-3f 1..2"), ["0x1e+1", ".5e-3f", "1..2"]);
    }

    #[test]
    fn splices_vanish_anywhere() {
        assert_eq!(spellings("a\\\nb -\\\n> \"x\\\ny\" 1\\ \n2"), ["ab", "->", "\"xy\"", "12"]);
        assert_eq!(spellings("/\\\n* c *\\\n/ d // e \\\n f\ng"), ["d", "g"]);
    }

    #[test]
    fn strings_and_characters_keep_their_prefixes_and_escapes() {
        let tokens = lex(r#"L"a\"b" u8"c" '\'' u'x' u8x 'open"#);
        let kinds: Vec<Kind> = tokens.iter().map(|token| token.0).collect();
        use Kind::*;
        assert_eq!(kinds, [String, String, Char, Char, Ident, Unterminated]);
    }

    #[test]
    fn universal_character_names_are_identifier_characters() {
        assert_eq!(spellings("\\u00e9t\\u00E9 é"), ["été", "é"]);
    }

    #[test]
    fn an_open_comment_is_remembered_where_it_starts() {
        let mut lexer = Lexer::new(Arc::from("a /* b"));
        lexer.next(false);
        assert_eq!(lexer.next(false).kind, Kind::End);
        assert_eq!(lexer.take_unterminated_comment(), Some(2));
    }

    #[test]
    fn pasted_text_must_be_one_token() {
        assert!(Lexer::single("ab1").is_some());
        assert!(Lexer::single("+=").is_some());
        assert!(Lexer::single("+x").is_none());
        assert!(Lexer::single("//").is_none());
        assert!(Lexer::single("").is_none());
    }
}
