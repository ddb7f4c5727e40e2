//! Text that is safe to show, in colours: only those of ours reach a terminal.

use crate::Style;
pub use execution::printable::{one_line, printable, shown};
use std::borrow::Cow;
use std::fmt::Write;

/// A text in a style. What has characters to escape in it is shown without colours: they could not
/// be distinguished from those of the text.
pub fn painted(style: Style, render: impl Fn(Style) -> String) -> String {
    let plain = render(Style::Plain);
    match (style, printable(&plain)) {
        (Style::Coloured, Cow::Borrowed(_)) => render(Style::Coloured),
        (_, Cow::Owned(escaped)) => escaped,
        (Style::Plain, Cow::Borrowed(_)) => plain,
    }
}

/// JSON in which characters that are not printable are escaped as JSON does it.
pub fn printable_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match printable(c.encode_utf8(&mut [0; 4])) {
            Cow::Borrowed(_) => out.push(c),
            Cow::Owned(_) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_of_ours_reach_the_terminal() {
        let with = |text: &str| {
            let text = text.to_string();
            move |style| match style {
                Style::Plain => text.clone(),
                Style::Coloured => format!("\x1b[1m{text}\x1b[0m"),
            }
        };
        assert_eq!(painted(Style::Coloured, with("a")), "\x1b[1ma\x1b[0m");
        assert_eq!(painted(Style::Coloured, with("a\x1b[0m")), "a\\x1b[0m");
        assert_eq!(painted(Style::Plain, with("a\x1b[0m")), "a\\x1b[0m");
    }
}
