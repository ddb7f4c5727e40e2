//! Tokens of litmus files: one lexer for init sections, assembly columns, C and conditions.

use execution::diagnostic::Diagnostic;
use execution::span::{FileId, Span};

/// What kind of token it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name, keyword, mnemonic or register. In assembly it may contain dots (`B.EQ`).
    Word,
    /// A number.
    Number,
    /// A quoted text.
    Text,
    /// One of the operators and punctuation marks.
    Mark,
    /// The end of the file.
    End,
}

/// A token with its text and place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'t> {
    /// What kind of token it is.
    pub kind: Kind,
    /// Its text.
    pub text: &'t str,
    /// Its place.
    pub span: Span,
}

impl Token<'_> {
    /// Whether it is this mark.
    pub fn is(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text == mark
    }

    /// Whether it is this word, in any case.
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }

    /// How a message names it.
    pub fn describe(&self) -> String {
        match self.kind {
            Kind::End => "the end of the file".to_string(),
            _ => format!("`{}`", self.text),
        }
    }
}

/// Marks of several characters, longest first.
const LONG_MARKS: [&str; 19] = [
    "<<=", ">>=", "/\\", "\\/", "=>", "<>", "!=", "==", "<=", ">=", "&&", "||", "<<", ">>", "+=",
    "-=", "++", "--", "->",
];

/// More of them that only C has.
const C_MARKS: [&str; 6] = ["*=", "/=", "%=", "&=", "|=", "^="];

/// Splits text from byte `start` on (the brace that opens the init section) into tokens. In C,
/// dots do not belong to words, and `(*` in a function's body is not a comment.
pub fn tokens(
    text: &str,
    file: FileId,
    start: usize,
    c: bool,
) -> Result<Vec<Token<'_>>, Diagnostic> {
    let mut lexer = Lexer { text, file, at: start, c, depth: 0, closed: false };
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next()?;
        tokens.push(token);
        if token.kind == Kind::End {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    file: FileId,
    at: usize,
    c: bool,
    /// How many braces are open.
    depth: usize,
    /// Whether the init section is over.
    closed: bool,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at)
    }

    fn token(&self, kind: Kind, start: usize) -> Token<'t> {
        Token { kind, text: &self.text[start..self.at], span: self.span(start) }
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !accept(c)).unwrap_or(rest.len());
    }

    /// Skips blanks and comments: `(* … *)` (which nest), `/* … */` and `// …`.
    fn skip_blanks(&mut self) -> Result<(), Diagnostic> {
        loop {
            self.take_while(char::is_whitespace);
            let rest = self.rest();
            let in_body = self.c && self.closed && self.depth > 0;
            if rest.starts_with("(*") && !in_body {
                self.skip_nested_comment()?;
            } else if rest.starts_with("/*") {
                let end = rest.find("*/").ok_or_else(|| self.unclosed("comment", 2))?;
                self.at += end + 2;
            } else if rest.starts_with("//") {
                self.take_while(|c| c != '\n');
            } else {
                return Ok(());
            }
        }
    }

    fn skip_nested_comment(&mut self) -> Result<(), Diagnostic> {
        let mut depth = 0;
        let mut at = self.at;
        while let Some(rest) = self.text.get(at..) {
            if rest.starts_with("(*") {
                depth += 1;
                at += 2;
            } else if rest.starts_with("*)") {
                depth -= 1;
                at += 2;
            } else if let Some(c) = rest.chars().next() {
                at += c.len_utf8();
            } else {
                break;
            }
            if depth == 0 {
                self.at = at;
                return Ok(());
            }
        }
        Err(self.unclosed("comment", 2))
    }

    fn unclosed(&self, what: &str, width: usize) -> Diagnostic {
        let span = Span::new(self.file, self.at, self.at + width);
        Diagnostic::error(span, format!("this {what} is not closed"))
    }

    fn next(&mut self) -> Result<Token<'t>, Diagnostic> {
        self.skip_blanks()?;
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok(self.token(Kind::End, start));
        };
        let dots = !self.c;
        if first.is_ascii_alphabetic() || first == '_' {
            self.take_while(|c| c.is_ascii_alphanumeric() || c == '_' || (dots && c == '.'));
            return Ok(self.token(Kind::Word, start));
        }
        if first.is_ascii_digit() {
            self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
            return Ok(self.token(Kind::Number, start));
        }
        if first == '"' {
            let end = self.rest()[1..].find('"').ok_or_else(|| self.unclosed("text", 1))?;
            self.at += end + 2;
            return Ok(self.token(Kind::Text, start));
        }
        let rest = self.rest();
        let own: &[&str] = if self.c && self.closed && self.depth > 0 { &C_MARKS } else { &[] };
        let long = LONG_MARKS.iter().chain(own).find(|mark| rest.starts_with(**mark));
        self.at += long.map_or(first.len_utf8(), |mark| mark.len());
        match first {
            '{' => self.depth += 1,
            '}' => {
                self.depth = self.depth.saturating_sub(1);
                self.closed |= self.depth == 0;
            }
            _ => {}
        }
        if long.is_some() || "(){}[]|;:,=<>~!#$%&*+-/\\.?^@".contains(first) {
            return Ok(self.token(Kind::Mark, start));
        }
        Err(Diagnostic::error(self.span(start), format!("unexpected character `{first}`")))
    }
}

/// The value of a number token: decimal, `0x` hexadecimal, `0b` binary or, as in C, `0` octal is
/// *not* read (herd reads `010` as ten); suffixes `u` and `l` are dropped.
pub fn number(token: &Token<'_>) -> Result<i128, Diagnostic> {
    let text = token.text.to_ascii_lowercase();
    let digits = text.trim_end_matches(['u', 'l']);
    let parsed = if let Some(hex) = digits.strip_prefix("0x") {
        u64::from_str_radix(hex, 16).map(i128::from)
    } else if let Some(binary) = digits.strip_prefix("0b") {
        u64::from_str_radix(binary, 2).map(i128::from)
    } else {
        digits.parse::<u64>().map(i128::from)
    };
    parsed.map_err(|_| {
        Diagnostic::error(token.span, format!("`{}` is not a number of 64 bits", token.text))
    })
}

/// A position in a list of tokens, with what every parser here needs.
#[derive(Clone, Debug)]
pub struct Cursor<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
}

impl<'t> Cursor<'t> {
    /// At the first of these tokens, the last of which is [`Kind::End`].
    pub fn new(tokens: Vec<Token<'t>>) -> Self {
        debug_assert!(tokens.last().is_some_and(|last| last.kind == Kind::End));
        Self { tokens, at: 0 }
    }

    /// The token `ahead` places from here.
    pub fn peek_at(&self, ahead: usize) -> Token<'t> {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    /// The next token.
    pub fn peek(&self) -> Token<'t> {
        self.peek_at(0)
    }

    /// Takes the next token; the end is never passed.
    pub fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// The place of the token before this one.
    pub fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// Takes the next token if it is this mark.
    pub fn eat(&mut self, mark: &str) -> bool {
        let found = self.peek().is(mark);
        if found {
            self.next();
        }
        found
    }

    /// Takes the next token if it is this word, in any case.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek().is_word(word);
        if found {
            self.next();
        }
        found
    }

    /// Takes this mark, or says that it is missing.
    pub fn expect(&mut self, mark: &str) -> Result<Token<'t>, Diagnostic> {
        if self.peek().is(mark) { Ok(self.next()) } else { Err(self.wanted(&format!("`{mark}`"))) }
    }

    /// Takes a word, or says that `what` is missing.
    pub fn word(&mut self, what: &str) -> Result<Token<'t>, Diagnostic> {
        if self.peek().kind == Kind::Word { Ok(self.next()) } else { Err(self.wanted(what)) }
    }

    /// Whether nothing is left.
    pub fn at_end(&self) -> bool {
        self.peek().kind == Kind::End
    }

    /// The message that something else was expected here.
    pub fn wanted(&self, what: &str) -> Diagnostic {
        let token = self.peek();
        Diagnostic::error(token.span, format!("expected {what}, found {}", token.describe()))
    }

    /// Takes a number with an optional sign.
    pub fn signed_number(&mut self) -> Result<i128, Diagnostic> {
        let negative = self.eat("-");
        let token = self.peek();
        if token.kind != Kind::Number {
            return Err(self.wanted("a number"));
        }
        self.next();
        let value = number(&token)?;
        Ok(if negative { -value } else { value })
    }
}
