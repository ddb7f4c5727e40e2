//! The notation of tests: `( e | d )`, `e ( e d | d e )`, `a a r ( a' | c )`, `( e^3 | d^3 )`.
//!
//! ```text
//! test     = sequence? "(" sequence { "|" sequence } ")"
//! sequence = operation { operation }
//! operation = name [ "'" ] [ "^" number ]
//! ```
//!
//! A name is a letter followed by letters, digits and underscores, so `ed` is one operation, not
//! two. A prime restricts the loops of an operation to one iteration.

use super::{Invocation, Test};
use execution::diagnostic::Diagnostic;
use execution::span::{FileId, Span};

/// More threads than this are refused.
pub const MOST_THREADS: usize = 64;
/// More operations than this are refused.
pub const MOST_OPERATIONS: usize = 1024;

/// A text in which a test stands: a file of a source map, and where in it the test begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file (or what was given on the command line, as one).
    pub file: FileId,
    /// The first byte of the test.
    pub start: usize,
}

/// Reads a test.
///
/// ```
/// use engines::test::parse::{Place, parse};
/// use execution::span::SourceMap;
///
/// let mut sources = SourceMap::new();
/// let text = "e ( e^2 d | d' )";
/// let file = sources.add_file("--test", text);
/// let test = parse(text, Place { file, start: 0 }).unwrap();
/// assert_eq!((test.initial.len(), test.threads.len()), (1, 2));
/// assert_eq!(test.to_string(), "e ( e e d | d' )");
/// ```
pub fn parse(text: &str, place: Place) -> Result<Test, Diagnostic> {
    let tokens = lex(text, place)?;
    let end = span(place, text.trim_end().len(), text.len());
    let mut parser = Parser { tokens: &tokens, next: 0, end, operations: 0 };
    parser.test()
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind<'t> {
    Name(&'t str),
    Number(&'t str),
    Open,
    Close,
    Bar,
    Prime,
    Caret,
}

#[derive(Clone, Debug)]
struct Token<'t> {
    kind: Kind<'t>,
    span: Span,
}

fn span(place: Place, start: usize, end: usize) -> Span {
    Span::new(place.file, place.start + start, place.start + end.max(start + 1))
}

fn lex(text: &str, place: Place) -> Result<Vec<Token<'_>>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let length = |part: fn(char) -> bool| rest.find(|c| !part(c)).unwrap_or(rest.len());
        let (kind, size) = match first {
            c if c.is_whitespace() => {
                rest = &rest[c.len_utf8()..];
                continue;
            }
            '(' => (Kind::Open, 1),
            ')' => (Kind::Close, 1),
            '|' => (Kind::Bar, 1),
            '\'' => (Kind::Prime, 1),
            '^' => (Kind::Caret, 1),
            c if c.is_ascii_digit() => {
                let size = length(|c| c.is_ascii_digit());
                (Kind::Number(&rest[..size]), size)
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                let size = length(|c| c.is_ascii_alphanumeric() || c == '_');
                (Kind::Name(&rest[..size]), size)
            }
            c => {
                let here = span(place, start, start + c.len_utf8());
                let message = format!("`{c}` has no meaning in a test");
                return Err(match c {
                    '’' | '‘' | '′' | '`' => {
                        Diagnostic::error(here, message).note("a prime is written `'`")
                    }
                    '*' => Diagnostic::error(here, message).note("a repetition is written `e^3`"),
                    ',' | ';' => {
                        Diagnostic::error(here, message).note("operations are separated by blanks")
                    }
                    _ => Diagnostic::error(here, message).note(FORM),
                });
            }
        };
        tokens.push(Token { kind, span: span(place, start, start + size) });
        rest = &rest[size..];
    }
    Ok(tokens)
}

const FORM: &str = "a test is an optional sequence of operations and then threads in \
                    parentheses, as in `e ( e d | d )`";

struct Parser<'s, 't> {
    tokens: &'s [Token<'t>],
    next: usize,
    /// Where the text ends.
    end: Span,
    operations: usize,
}

impl<'s, 't> Parser<'s, 't> {
    fn peek(&self) -> Option<&'s Kind<'t>> {
        self.tokens.get(self.next).map(|token| &token.kind)
    }

    /// Where the next token stands, or the end of the text.
    fn here(&self) -> Span {
        self.tokens.get(self.next).map_or(self.end, |token| token.span)
    }

    fn take(&mut self, kind: Kind<'_>) -> Option<Span> {
        let token = self.tokens.get(self.next).filter(|token| token.kind == kind)?;
        self.next += 1;
        Some(token.span)
    }

    fn test(&mut self) -> Result<Test, Diagnostic> {
        let initial = self.sequence()?;
        let Some(open) = self.take(Kind::Open) else {
            let message = match self.peek() {
                None if initial.is_empty() => "the test is empty",
                None => "the test has no threads",
                Some(_) => "expected an operation or `(`",
            };
            return Err(Diagnostic::error(self.here(), message).note(FORM));
        };
        let mut threads = Vec::new();
        loop {
            let thread = self.sequence()?;
            if thread.is_empty() {
                let message = "expected an operation: a thread has at least one";
                return Err(Diagnostic::error(self.here(), message));
            }
            threads.push(thread);
            if threads.len() > MOST_THREADS {
                let message = format!("more than {MOST_THREADS} threads");
                return Err(Diagnostic::error(self.here(), message));
            }
            if self.take(Kind::Bar).is_none() {
                break;
            }
        }
        if self.take(Kind::Close).is_none() {
            let expected = "expected an operation, `|` or `)`";
            return Err(Diagnostic::error(self.here(), expected).also(open, "opened here"));
        }
        match self.peek() {
            None => Ok(Test { initial, threads }),
            Some(_) => {
                let message = "nothing can follow the threads of a test";
                Err(Diagnostic::error(self.here(), message).note(FORM))
            }
        }
    }

    fn sequence(&mut self) -> Result<Vec<Invocation>, Diagnostic> {
        let mut calls = Vec::new();
        while let Some(&Kind::Name(name)) = self.peek() {
            let mut span = self.here();
            self.next += 1;
            let prime = self.take(Kind::Prime);
            span = prime.map_or(span, |prime| span.to(prime));
            let count = match self.take(Kind::Caret) {
                Some(_) => self.count()?,
                None => 1,
            };
            self.operations += count;
            if self.operations > MOST_OPERATIONS {
                let message = format!("more than {MOST_OPERATIONS} operations");
                return Err(Diagnostic::error(span, message));
            }
            let restricted = prime.is_some();
            let call = Invocation { operation: name.to_string(), restricted, span };
            calls.extend(std::iter::repeat_n(call, count));
        }
        match self.peek() {
            Some(Kind::Number(_) | Kind::Prime | Kind::Caret) => {
                let message = "expected the name of an operation";
                Err(Diagnostic::error(self.here(), message))
            }
            _ => Ok(calls),
        }
    }

    /// How often an operation is repeated.
    fn count(&mut self) -> Result<usize, Diagnostic> {
        let here = self.here();
        let Some(&Kind::Number(digits)) = self.peek() else {
            return Err(Diagnostic::error(here, "expected how often the operation is repeated"));
        };
        self.next += 1;
        match digits.parse() {
            Ok(0) => Err(Diagnostic::error(here, "an operation cannot be repeated zero times")),
            Ok(count) if count <= MOST_OPERATIONS => Ok(count),
            _ => {
                let message = format!("more than {MOST_OPERATIONS} operations");
                Err(Diagnostic::error(here, message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::span::SourceMap;

    fn parsed(text: &str) -> Result<Test, (String, String)> {
        let mut sources = SourceMap::new();
        let file = sources.add_file("--test", format!("12{text}"));
        parse(text, Place { file, start: 2 }).map_err(|error| {
            let span = error.primary.expect("a place").span;
            (error.message, sources.text(span).to_string())
        })
    }

    #[test]
    fn the_tests_of_the_papers_are_read_back_as_they_are_written() {
        for text in [
            "( e | d )",
            "( e | e | d | d )",
            "( e^6 | d^6 )",
            "e ( e d | d e )",
            "a a r ( a | c | r )",
            "a^3 ( r | r c )",
            "( al'^3 | rr'^3 | rl' | ar' )",
        ] {
            assert_eq!(parsed(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn blanks_matter_between_names_only() {
        assert_eq!(parsed("(e|d e'^2)").unwrap().to_string(), "( e | d e' e' )");
        assert_eq!(parsed(" ( ed )\n").unwrap().threads[0][0].operation, "ed");
    }

    #[test]
    fn repetitions_share_their_place() {
        let test = parsed("( e'^2 | d )").unwrap();
        assert_eq!(test.threads[0][0], test.threads[0][1]);
        assert!(test.threads[0][0].restricted && !test.threads[1][0].restricted);
        assert_eq!(test.len(), 3);
    }

    #[test]
    fn errors_in_a_test_are_reported_at_their_place() {
        let cases = [
            ("", "the test is empty", ""),
            ("e d", "the test has no threads", ""),
            ("( e | d", "expected an operation, `|` or `)`", ""),
            ("( e | )", "expected an operation: a thread has at least one", ")"),
            ("( )", "expected an operation: a thread has at least one", ")"),
            ("( | e )", "expected an operation: a thread has at least one", "|"),
            ("( e ) d", "nothing can follow the threads of a test", "d"),
            ("( e ( d ) )", "expected an operation, `|` or `)`", "("),
            ("e | d", "expected an operation or `(`", "|"),
            ("( e, d )", "`,` has no meaning in a test", ","),
            ("( e’ )", "`’` has no meaning in a test", "’"),
            ("( e^ )", "expected how often the operation is repeated", ")"),
            ("( e^0 )", "an operation cannot be repeated zero times", "0"),
            ("( e^99999999999999999999 )", "more than 1024 operations", "99999999999999999999"),
            ("( e^1000 e^1000 )", "more than 1024 operations", "e"),
            ("( 'e )", "expected the name of an operation", "'"),
            ("( e'' )", "expected the name of an operation", "'"),
            ("( 3 )", "expected the name of an operation", "3"),
        ];
        for (text, message, place) in cases {
            let expected = Err((message.to_string(), place.to_string()));
            assert_eq!(parsed(text), expected, "{text}");
        }
    }
}
