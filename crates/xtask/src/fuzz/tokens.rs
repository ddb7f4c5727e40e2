//! Splits a text into tokens, roughly: enough to change one without breaking the others.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Blanks and comments.
    Blank,
    /// A name or keyword.
    Word,
    /// A number.
    Number,
    /// A literal in quotes, or a line of the preprocessor.
    Fixed,
    /// Anything else.
    Sign,
}

/// A token of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: String,
}

/// Signs of several characters, longest first.
const LONG: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "/\\", "\\/", "=>",
];

/// The tokens of a text; in C, lines of the preprocessor stay whole.
pub fn tokens(text: &str, is_c: bool) -> Vec<Token> {
    let mut all = Vec::new();
    let mut rest = text;
    let mut line_start = true;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = match first {
            '#' if is_c && line_start => (Kind::Fixed, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("//") => (Kind::Blank, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => {
                (Kind::Blank, rest.find("*/").map_or(rest.len(), |end| end + 2))
            }
            c if c.is_whitespace() => (Kind::Blank, c.len_utf8()),
            '"' => (Kind::Fixed, quoted(rest)),
            c if c.is_ascii_digit() => (Kind::Number, run(rest, |c| c.is_ascii_alphanumeric())),
            c if c.is_alphabetic() || c == '_' => {
                (Kind::Word, run(rest, |c| c.is_alphanumeric() || c == '_'))
            }
            c => {
                let long = LONG.iter().find(|sign| rest.starts_with(**sign));
                (Kind::Sign, long.map_or(c.len_utf8(), |sign| sign.len()))
            }
        };
        let (text, after) = rest.split_at(length);
        line_start = text.ends_with('\n') || (line_start && kind == Kind::Blank);
        all.push(Token { kind, text: text.to_string() });
        rest = after;
    }
    all
}

fn run(text: &str, part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !part(c)).unwrap_or(text.len())
}

/// The length of a literal in quotes, which ends at the end of the line at the latest.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tokens_of_a_text_are_the_text() {
        let text = "#define X 1\nint f(void) { return x->y <<= 0x1f; } // é\n/* open";
        for is_c in [true, false] {
            let all: String = tokens(text, is_c).into_iter().map(|token| token.text).collect();
            assert_eq!(all, text);
        }
        let kinds: Vec<Kind> = tokens("#if 1\na <<= 2;", true).iter().map(|t| t.kind).collect();
        use Kind::*;
        assert_eq!(kinds, [Fixed, Blank, Word, Blank, Sign, Blank, Number, Sign]);
    }
}
