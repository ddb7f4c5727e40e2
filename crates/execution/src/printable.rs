//! Text that is safe to show: control characters and those that turn the direction of writing are
//! escaped.
//!
//! Names, labels, titles and source lines are written by others. An escape sequence in one of them
//! could repaint a terminal or hide a verdict, a line feed could forge a line of a report, and a
//! change of direction shows a text in another order than a compiler reads it. [`printable`] is for
//! whole texts, [`one_line`] for a name within one, and [`shown`] for the name of a file.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// Whether a character is shown as it is. Line feeds and tabs lay out texts of several lines.
pub fn is_printable(c: char) -> bool {
    matches!(c, '\n' | '\t') || !(c.is_control() || turns_direction(c))
}

/// The marks, embeddings, overrides and isolates of the Unicode bidirectional algorithm, and the
/// separators of lines and paragraphs.
fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text of several lines: line feeds and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    escape(text, is_printable)
}

/// A name, label or title that stands in a line: line feeds and tabs are escaped, too.
pub fn one_line(text: &str) -> Cow<'_, str> {
    escape(text, |c| is_printable(c) && !matches!(c, '\n' | '\t'))
}

/// The name of a file, in a line.
pub fn shown(path: &Path) -> String {
    one_line(&path.to_string_lossy()).into_owned()
}

/// `\n`, `\r` and `\t` as C writes them, other ASCII as `\x1b`, the rest as `\u{202e}`.
fn escape(text: &str, keeps: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(&keeps) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        let _ = match c {
            c if keeps(c) => {
                out.push(c);
                Ok(())
            }
            '\n' | '\r' | '\t' => write!(out, "{}", c.escape_default()),
            c if c.is_ascii() => write!(out, "\\x{:02x}", u32::from(c)),
            c => write!(out, "{}", c.escape_unicode()),
        };
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_change_the_terminal_is_escaped() {
        assert_eq!(printable("a\x1b[31mb\u{7}\r\nc\td"), "a\\x1b[31mb\\x07\\r\nc\td");
        assert_eq!(
            printable("\u{202e}x\u{2066}\u{200f}\u{61c}\u{9b}\u{7f}").escape_default().to_string(),
            "\\\\u{202e}x\\\\u{2066}\\\\u{200f}\\\\u{61c}\\\\u{9b}\\\\x7f"
        );
        assert_eq!(one_line("a\nb\tc"), "a\\nb\\tc");
        assert!(matches!(printable("größer → ∀x"), Cow::Borrowed(_)));
    }
}
