//! What is wrong with a user's input, as a value; only the reporter turns it into text.

use crate::span::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The input cannot be accepted.
    Error,
    /// The input is accepted, but the user will want to know.
    Warning,
}

/// What a reader of JSON or TOML says, without its names for the types of our program.
///
/// ```
/// use execution::diagnostic::in_words;
///
/// let said = "invalid type: string \"x\", expected u64 at line 3 column 5";
/// assert_eq!(in_words(said), "found string \"x\", expected a number at line 3 column 5");
/// let said = "invalid length 0, expected struct Saved with 15 elements";
/// assert_eq!(in_words(said), "found a list of 0, expected a table");
/// let said = "invalid value: integer `-1`, expected u32";
/// assert_eq!(in_words(said), "found integer `-1`, expected a number from 0 to 4294967295");
/// ```
pub fn in_words(said: &str) -> String {
    const NUMBERS: [(&str, &str); 5] = [
        ("u8", "a number from 0 to 255"),
        ("u32", "a number from 0 to 4294967295"),
        ("u64", "a number from 0 to 18446744073709551615"),
        ("u128", "a number from 0 to 340282366920938463463374607431768211455"),
        ("usize", "a number from 0 to 18446744073709551615"),
    ];
    let Some((found, expected)) = said.split_once(", expected ") else { return said.to_string() };
    let is_value = found.contains("invalid value");
    let found = found
        .replace("invalid type: ", "found ")
        .replace("invalid value: ", "found ")
        .replace("invalid length ", "found a list of ")
        .replace("found map", "found a table")
        .replace("found sequence", "found a list");
    let (first, rest) = expected.split_once(' ').unwrap_or((expected, ""));
    let (what, rest) = match first {
        "struct" | "map" => {
            // The name, and how many fields there are, mean nothing to the user.
            let position = rest.find(" at line ").map_or("", |at| &rest[at + 1..]);
            ("a table", if first == "map" { rest } else { position })
        }
        "sequence" => ("a list", rest),
        other => match NUMBERS.iter().find(|(name, _)| *name == other) {
            Some((_, range)) if is_value => (*range, rest),
            Some(_) => ("a number", rest),
            None => (other, rest),
        },
    };
    let rest = rest.replace("sequence", "list").replace("map", "table");
    format!("{found}, expected {what} {rest}").trim_end().to_string()
}

/// A place with a few words about its part in the problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there; may be empty.
    pub text: String,
}

/// One problem with the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// One sentence, lower case, no full stop: "expected `;` after expression".
    pub message: String,
    /// Where; `None` only where there is no place to point at (a file that cannot be opened).
    pub primary: Option<Label>,
    /// Other places involved ("previous declaration is here").
    pub secondary: Vec<Label>,
    /// Further sentences: why, or what to write instead.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            primary: Some(Label { span, text: String::new() }),
            secondary: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// A warning at `span`.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// An error with no place in a source file.
    pub fn general(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            primary: None,
            secondary: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds words under the caret.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// Adds another place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a sentence.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }
}
