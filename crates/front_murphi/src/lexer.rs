//! Text to tokens: words, numbers, strings and signs; comments are left out.

use execution::diagnostic::Diagnostic;
use execution::span::{FileId, Span};
use std::sync::Arc;

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name.
    Name(Arc<str>),
    /// A keyword, in lower case.
    Keyword(&'static str),
    Number(i64),
    Text(Arc<str>),
    /// A sign.
    Sign(&'static str),
    End,
}

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// Words that are no names, in any mixture of cases.
const KEYWORDS: [&str; 58] = [
    "alias",
    "array",
    "assert",
    "assume",
    "begin",
    "boolean",
    "by",
    "case",
    "choose",
    "clear",
    "const",
    "cover",
    "do",
    "else",
    "elsif",
    "end",
    "endalias",
    "endchoose",
    "endexists",
    "endfor",
    "endforall",
    "endfunction",
    "endif",
    "endprocedure",
    "endrecord",
    "endrule",
    "endruleset",
    "endstartstate",
    "endswitch",
    "endwhile",
    "enum",
    "error",
    "exists",
    "for",
    "forall",
    "function",
    "if",
    "invariant",
    "ismember",
    "isundefined",
    "liveness",
    "multiset",
    "multisetadd",
    "multisetcount",
    "multisetremove",
    "multisetremovepred",
    "of",
    "procedure",
    "put",
    "record",
    "return",
    "rule",
    "ruleset",
    "scalarset",
    "startstate",
    "switch",
    "then",
    "to",
];

const MORE_KEYWORDS: [&str; 5] = ["type", "undefine", "union", "var", "while"];

/// Signs, longer ones first.
const SIGNS: [&str; 31] = [
    "==>", ":=", "..", "!=", "==", "<=", ">=", "<<", ">>", "->", "(", ")", "[", "]", "{", "}", ";",
    ",", ".", ":", "=", "<", ">", "+", "-", "*", "/", "%", "!", "&", "|",
];

const MORE_SIGNS: [&str; 3] = ["?", "^", "~"];

/// Signs that mean what another one means: those of C, and those of mathematics that Rumur reads.
const SYNONYMS: [(&str, &str); 14] = [
    ("&&", "&"),
    ("||", "|"),
    ("≔", ":="),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("→", "->"),
    ("⇒", "==>"),
    ("¬", "!"),
    ("∧", "&"),
    ("∨", "|"),
    ("×", "*"),
    ("÷", "/"),
    ("−", "-"),
];

/// Words that Rumur does not know; spelled otherwise than in lower case they are names.
const NOT_IN_RUMUR: [&str; 3] = ["choose", "ismember", "union"];

fn keyword(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    let found = KEYWORDS.iter().chain(&MORE_KEYWORDS).find(|keyword| **keyword == lower)?;
    (lower == word || !NOT_IN_RUMUR.contains(found)).then_some(*found)
}

/// The tokens of a file; the last is [`Kind::End`].
pub fn tokens(text: &str, file: FileId) -> Result<Vec<Token>, Diagnostic> {
    let mut lexer = Lexer { text, file, at: 0 };
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next()?;
        let ends = token.kind == Kind::End;
        tokens.push(token);
        if ends {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    file: FileId,
    at: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at)
    }

    fn skip_space(&mut self) -> Result<(), Diagnostic> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("--") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if let Some(comment) = trimmed.strip_prefix("/*") {
                let start = self.at;
                let Some(length) = comment.find("*/") else {
                    let span = Span::new(self.file, start, start + 2);
                    let note = "a comment ends at the first `*/`; a line is one after `--`";
                    return Err(Diagnostic::error(span, "this comment has no end").note(note));
                };
                self.at += length + 4;
            } else {
                return Ok(());
            }
        }
    }

    fn take_while(&mut self, is: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !is(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn next(&mut self) -> Result<Token, Diagnostic> {
        self.skip_space()?;
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok(Token { kind: Kind::End, span: self.span(start) });
        };
        let kind = if first.is_ascii_alphabetic() || first == '_' {
            let word = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
            keyword(word).map_or_else(|| Kind::Name(word.into()), Kind::Keyword)
        } else if first.is_ascii_digit() {
            self.number(start)?
        } else if matches!(first, '"' | '“') {
            self.text_literal(start)?
        } else {
            let same = SIGNS.iter().chain(&MORE_SIGNS).map(|sign| (*sign, *sign));
            let mut signs = SYNONYMS.into_iter().chain(same);
            let Some((sign, means)) = signs.find(|(sign, _)| self.rest().starts_with(sign)) else {
                self.at += first.len_utf8();
                let message = format!("the character `{first}` is not part of the language");
                return Err(Diagnostic::error(self.span(start), message));
            };
            self.at += sign.len();
            Kind::Sign(means)
        };
        Ok(Token { kind, span: self.span(start) })
    }

    fn number(&mut self, start: usize) -> Result<Kind, Diagnostic> {
        let digits = self.take_while(|c| c.is_ascii_digit());
        match digits.parse::<i64>() {
            Ok(number) if i32::try_from(number).is_ok() => Ok(Kind::Number(number)),
            _ => {
                let message = format!("this number is too large; the largest is {}", i32::MAX);
                Err(Diagnostic::error(self.span(start), message))
            }
        }
    }

    fn text_literal(&mut self, start: usize) -> Result<Kind, Diagnostic> {
        let closing = if self.rest().starts_with('"') { '"' } else { '”' };
        let opening = self.rest().chars().next().map_or(1, char::len_utf8);
        self.at += opening;
        let text = self.take_while(|c| c != closing && c != '\n');
        if !self.rest().starts_with(closing) {
            let span = Span::new(self.file, start, start + opening);
            return Err(Diagnostic::error(span, "this text has no closing quote on its line"));
        }
        self.at += closing.len_utf8();
        Ok(Kind::Text(text.into()))
    }
}
