//! The header of a litmus file: architecture, name, quoted text and `Key=Value` lines.

use crate::test::Arch;
use execution::diagnostic::Diagnostic;
use execution::span::{FileId, Span};

/// What stands before the init section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The architecture.
    pub arch: Arch,
    /// The test's name.
    pub name: String,
    /// The quoted text.
    pub doc: Option<String>,
    /// The `Key=Value` lines.
    pub info: Vec<(String, String)>,
    /// The byte at which the init section's brace is.
    pub init: usize,
}

/// Reads the header of a file.
pub fn header(text: &str, file: FileId) -> Result<Header, Diagnostic> {
    let (arch, name, mut at) = first_line(text, file)?;
    let (mut doc, mut info) = (None, Vec::new());
    loop {
        let rest = &text[at..];
        let Some(next) = rest.chars().next() else {
            let end = Span::new(file, text.len().saturating_sub(1), text.len());
            return Err(Diagnostic::error(end, "expected `{` and the initial state"));
        };
        if next.is_whitespace() {
            at += next.len_utf8();
        } else if next == '{' {
            return Ok(Header { arch, name, doc, info, init: at });
        } else if rest.starts_with("(*") {
            at += comment(rest).ok_or_else(|| unclosed(file, at, 2, "comment"))?;
        } else if next == '"' {
            // A text that is not closed before the initial state ends with its line.
            let limit = rest.find("\n{").unwrap_or(rest.len());
            let line = rest.lines().next().map_or(0, str::len);
            let end = rest[1..limit.max(1)].find('"').map_or(line, |end| end + 1);
            doc.get_or_insert_with(|| rest[1..end].to_string());
            at += (end + 1).min(rest.len());
        } else {
            let line = rest.lines().next().unwrap_or("");
            let (line, skip) = match line.find('{') {
                Some(brace) if !line[..brace].contains('=') => (&line[..brace], brace),
                _ => (line, line.len()),
            };
            if let Some((key, value)) = line.split_once('=') {
                info.push((key.trim().to_string(), value.trim().to_string()));
            }
            at += skip;
        }
    }
}

fn first_line(text: &str, file: FileId) -> Result<(Arch, String, usize), Diagnostic> {
    let mut start = text.len() - text.trim_start().len();
    while text[start..].starts_with("(*") {
        start += comment(&text[start..]).ok_or_else(|| unclosed(file, start, 2, "comment"))?;
        start = text.len() - text[start..].trim_start().len();
    }
    let word = text[start..].split(|c: char| c.is_whitespace() || c == '{').next().unwrap_or("");
    let word_span = Span::new(file, start, start + word.len().max(1));
    if word.is_empty() {
        return Err(Diagnostic::error(word_span, "there is no litmus test in this file"));
    }
    let arch = Arch::ALL.into_iter().find(|arch| arch.name().eq_ignore_ascii_case(word));
    let arch = arch.ok_or_else(|| {
        let known = Arch::ALL.map(Arch::name).join(", ");
        Diagnostic::error(word_span, format!("`{word}` is not an architecture that I know"))
            .note(format!("a litmus test starts with one of {known}, followed by its name"))
    })?;
    let after = start + word.len();
    let line = text[after..].lines().next().unwrap_or("");
    let Some(name) = line.split_whitespace().next() else {
        return Err(
            Diagnostic::error(word_span, "the test has no name").label("expected after this")
        );
    };
    let name = name.split('{').next().unwrap_or(name);
    let name_end = after + line.find(name).unwrap_or(0) + name.len();
    Ok((arch, name.to_string(), name_end))
}

/// The length of the comment at the start of `text`; comments nest.
fn comment(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0usize, 0);
    loop {
        let rest = &text[at..];
        if rest.starts_with("(*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*)") {
            depth -= 1;
            at += 2;
        } else {
            at += rest.chars().next()?.len_utf8();
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

fn unclosed(file: FileId, at: usize, width: usize, what: &str) -> Diagnostic {
    Diagnostic::error(Span::new(file, at, at + width), format!("this {what} is not closed"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::ids::Id;

    fn read(text: &str) -> Result<Header, String> {
        header(text, FileId::new(0)).map_err(|problem| problem.message)
    }

    #[test]
    fn a_header_has_a_name_a_text_and_keys() {
        let text = "X86 SB+po (storeBuffering)\n\"Fre PodWR\"\n(* a { comment *)\nCom=Fr Fr\n{ }";
        let header = read(text).unwrap();
        assert_eq!((header.arch, header.name.as_str()), (Arch::X86, "SB+po"));
        assert_eq!(header.doc.as_deref(), Some("Fre PodWR"));
        assert_eq!(header.info, [("Com".to_string(), "Fr Fr".to_string())]);
        assert_eq!(&text[header.init..], "{ }");
    }

    #[test]
    fn comments_may_stand_in_front() {
        let header = read("(* (* X86 *) *)\n (**) X86_64 SB\n{}").unwrap();
        assert_eq!((header.arch, header.name.as_str()), (Arch::X86_64, "SB"));
        assert_eq!(read("(* X86 SB {}"), Err("this comment is not closed".into()));
    }

    #[test]
    fn what_is_missing_is_said() {
        assert_eq!(read("MIPS a\n{}"), Err("`MIPS` is not an architecture that I know".into()));
        assert_eq!(read("X86\n{}"), Err("the test has no name".into()));
        assert_eq!(read(" \n"), Err("there is no litmus test in this file".into()));
        assert_eq!(read("X86 a\n"), Err("expected `{` and the initial state".into()));
        assert_eq!(read("X86 a\n(* {"), Err("this comment is not closed".into()));
    }
}
