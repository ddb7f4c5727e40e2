//! Where things stand in source text: byte spans, macro expansions, and resolved locations.

use crate::id;
use crate::ids::IdVec;
use crate::printable::one_line;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

id! {
    /// A file in a [`SourceMap`].
    pub struct FileId("file");
}

id! {
    /// A macro expansion in a [`SourceMap`].
    pub struct ExpansionId("expansion");
}

/// A range of bytes in one file, and the macro expansion (if any) that put the text into the program.
///
/// `start..end` is where the text is *spelled*. A token from a macro's body is spelled in the
/// macro's definition; following `expansion` outwards leads to the place where the user wrote
/// the macro's name ([`SourceMap::call_site`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The innermost macro expansion that produced this text.
    pub expansion: Option<ExpansionId>,
}

impl Span {
    /// A span in `file` outside any macro.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { file, start: clamp(start), end: clamp(end), expansion: None }
    }

    /// Whether both cover the same text, however it came into the program.
    pub fn is_same_text_as(self, other: Span) -> bool {
        (self.file, self.start, self.end) == (other.file, other.start, other.end)
    }

    /// The smallest span from the start of `self` to the end of `last`; `self` where the two
    /// come from different files or expansions.
    pub fn to(self, last: Span) -> Span {
        if self.file == last.file && self.expansion == last.expansion && last.end >= self.start {
            Span { end: last.end, ..self }
        } else {
            self
        }
    }
}

/// One use of a macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The macro's name.
    pub name: Arc<str>,
    /// Where it was used (itself possibly inside another expansion).
    pub call_site: Span,
    /// Where it was defined; `None` for a built-in or command-line macro.
    pub definition: Option<Span>,
}

/// Whose text it is. What is reported is reported in the user's; only the library's may say what an
/// access is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The program under test.
    User,
    /// The headers that Fencepost brings along. Their names are in angle brackets: `<pthread.h>`.
    Library,
}

impl Origin {
    /// The origin of a file in a text form, which has no more than the file's name. The
    /// code that adds files to a [`SourceMap`] knows better than their names do.
    pub fn of_name(name: &str) -> Origin {
        match name.starts_with('<') && name.ends_with('>') {
            true => Origin::Library,
            false => Origin::User,
        }
    }
}

/// A source file's name and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The name as the user wrote it (or `<fencepost.h>` and the like for embedded files).
    pub name: Arc<str>,
    /// Whose it is.
    pub origin: Origin,
    /// The whole text.
    pub text: Arc<str>,
    line_starts: Vec<u32>,
    /// Every character is one byte, so that columns need no counting: some programs are one line.
    ascii: bool,
}

impl SourceFile {
    /// Whether it is one of the embedded headers.
    pub fn is_library(&self) -> bool {
        self.origin == Origin::Library
    }

    /// The zero-based line that holds byte `offset`.
    fn line_of(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset) - 1
    }

    /// The text of a one-based line, without its line end; `None` past the last line.
    pub fn line(&self, line: u32) -> Option<&str> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.line_starts.get(index)? as usize;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        Some(self.text[start..end].trim_end_matches(['\n', '\r']))
    }
}

/// A place in a source file as people and the IR's text form name it.
///
/// Lines and columns count from one; columns are characters, and `end_column` is one past the
/// last character of the place on its first line.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Location {
    /// The file's name.
    pub file: Arc<str>,
    /// Whose file it is.
    pub origin: Origin,
    /// Line, from one.
    pub line: u32,
    /// First column, from one.
    pub column: u32,
    /// One past the last column.
    pub end_column: u32,
}

impl Location {
    /// Whether it is in one of the embedded headers.
    pub fn is_library(&self) -> bool {
        self.origin == Origin::Library
    }
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", one_line(&self.file), self.line, self.column)
    }
}

/// How many levels of macros [`SourceMap`] looks through for where an argument was written.
const MAX_LEVELS: usize = 64;

/// All source text that was read, and every macro expansion in it.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: IdVec<FileId, SourceFile>,
    expansions: IdVec<ExpansionId, Expansion>,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the text of a file of the user's.
    pub fn add_file(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> FileId {
        self.add(name.into(), text.into(), Origin::User)
    }

    /// Adds the text of an embedded header, whose name is in angle brackets.
    pub fn add_library(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> FileId {
        self.add(name.into(), text.into(), Origin::Library)
    }

    fn add(&mut self, name: Arc<str>, text: Arc<str>, origin: Origin) -> FileId {
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(i, _)| i as u32 + 1)).collect();
        let ascii = text.is_ascii();
        self.files.push(SourceFile { name, origin, text, line_starts, ascii })
    }

    /// Adds a macro expansion.
    pub fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        self.expansions.push(expansion)
    }

    /// Whether a span is spelled in an embedded header.
    pub fn is_library(&self, span: Span) -> bool {
        self.file(span.file).is_library()
    }

    /// A file.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id]
    }

    /// All files, in the order in which they were read.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// The file with this name, if one was read.
    pub fn file_named(&self, name: &str) -> Option<FileId> {
        self.files.enumerate().find(|(_, file)| &*file.name == name).map(|(id, _)| id)
    }

    /// An expansion.
    pub fn expansion(&self, id: ExpansionId) -> &Expansion {
        &self.expansions[id]
    }

    /// The text that a span covers.
    pub fn text(&self, span: Span) -> &str {
        let text = &self.file(span.file).text;
        text.get(span.start as usize..(span.end as usize).min(text.len())).unwrap_or("")
    }

    /// Where the user wrote what led to `span`: the span itself, or the outermost macro use. Text
    /// that came through the arguments of that use stands where the user wrote the argument.
    pub fn call_site(&self, mut span: Span) -> Span {
        while let Some(outer) = self.outwards(span) {
            span = outer;
        }
        span
    }

    /// One step outwards: what stands for `span` in the text around its innermost macro use. That
    /// is the use; or, for the text of an argument, the argument itself where it was written,
    /// which may be several levels outwards when macros hand their arguments on.
    pub fn outwards(&self, span: Span) -> Option<Span> {
        let innermost = self.expansions[span.expansion?].call_site;
        let mut site = innermost;
        for _ in 0..MAX_LEVELS {
            if span.file == site.file && span.start >= site.start && span.end <= site.end {
                return Some(Span { expansion: site.expansion, ..span });
            }
            match site.expansion {
                Some(outer) => site = self.expansions[outer].call_site,
                None => break,
            }
        }
        Some(innermost)
    }

    /// The smallest span from the start of `first` to the end of `last`, in the innermost text
    /// that holds both: where they come from different macros, the macros' uses are joined.
    pub fn join(&self, first: Span, last: Span) -> Span {
        if first.expansion == last.expansion && first.expansion.is_none() {
            return first.to(last);
        }
        let outwards = self.levels(last);
        for from in self.levels(first) {
            let same = |to: &&Span| to.expansion == from.expansion && to.file == from.file;
            if let Some(to) = outwards.iter().find(same) {
                let (start, end) = (from.start.min(to.start), from.end.max(to.end));
                return Span { start, end, ..from };
            }
        }
        first
    }

    /// `span` as it stands at each level of macros, innermost first. Text of an argument belongs
    /// to the level where the argument was written.
    fn levels(&self, span: Span) -> Vec<Span> {
        let mut levels = vec![span];
        let mut inner = span;
        while levels.len() < MAX_LEVELS
            && let Some(outer) = self.outwards(inner)
        {
            if outer.is_same_text_as(inner) {
                levels.pop(); // an argument is not part of the macro's text
            }
            inner = outer;
            levels.push(inner);
        }
        levels
    }

    /// The chain of expansions around `span`, innermost first.
    pub fn expansions_of(&self, span: Span) -> Vec<ExpansionId> {
        let mut chain = Vec::new();
        let mut next = span.expansion;
        while let Some(id) = next {
            chain.push(id);
            next = self.expansions[id].call_site.expansion;
        }
        chain
    }

    /// The span of a location, if its file was read.
    pub fn span_of(&self, location: &Location) -> Option<Span> {
        let id = self.file_named(&location.file)?;
        let file = self.file(id);
        let line = file.line(location.line)?;
        let line_start = file.line_starts[location.line as usize - 1] as usize;
        let offset_of = |column: u32| {
            let before = line.char_indices().nth((column as usize).saturating_sub(1));
            line_start + before.map_or(line.len(), |(offset, _)| offset)
        };
        Some(Span::new(id, offset_of(location.column), offset_of(location.end_column)))
    }

    /// The location of `span`'s outermost use: what to show as "line so-and-so".
    pub fn location(&self, span: Span) -> Location {
        let span = self.call_site(span);
        let file = self.file(span.file);
        let line = file.line_of(span.start);
        let line_start = file.line_starts[line] as usize;
        let line_text = file.line(line as u32 + 1).unwrap_or("");
        let column_of = |offset: u32| {
            let bytes = (offset as usize - line_start).min(line_text.len());
            let starts_character = |byte: &&u8| **byte & 0xc0 != 0x80;
            match file.ascii {
                true => 1 + bytes as u32,
                false => {
                    1 + line_text.as_bytes()[..bytes].iter().filter(starts_character).count() as u32
                }
            }
        };
        let column = column_of(span.start);
        let end_column = column_of(span.end.max(span.start)).max(column + 1);
        let (file, origin) = (file.name.clone(), file.origin);
        Location { file, origin, line: line as u32 + 1, column, end_column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_count_lines_and_characters_from_one() {
        let mut map = SourceMap::new();
        let file = map.add_file("a.c", "int é = x;\nreturn y;\n");
        let location = map.location(Span::new(file, 9, 10));
        assert_eq!((location.line, location.column, location.end_column), (1, 9, 10));
        let location = map.location(Span::new(file, 12, 18));
        assert_eq!((location.line, location.column, location.end_column), (2, 1, 7));
    }

    #[test]
    fn spans_are_joined_in_the_text_that_holds_both() {
        let mut map = SourceMap::new();
        let file = map.add_file("a.c", "#define ADD(x) 1 + x\nint a = ADD(b) * c;\n");
        let place = |text: &str| {
            let start = map.file(file).text.rfind(text).expect("in the text");
            Span::new(file, start, start + text.len())
        };
        let (one, body, b, c) = (place("1"), place("1 + x"), place("b"), place("c"));
        let call_site = place("ADD(b)");
        let whole = place("ADD(b) * c");
        let id = map.add_expansion(Expansion { name: "ADD".into(), call_site, definition: None });
        let inside = |span: Span| Span { expansion: Some(id), ..span };
        let x = Span { start: body.end - 1, ..body };
        assert_eq!(map.join(inside(one), inside(x)), inside(body), "both in the body");
        assert_eq!(map.join(inside(one), inside(b)), call_site, "the body and an argument");
        assert_eq!(map.join(inside(one), c), whole, "the macro's use and what follows it");
        assert_eq!(map.join(inside(b), inside(b)), b, "an argument stands where it was written");
    }

    #[test]
    fn a_span_inside_a_macro_is_located_at_the_outermost_use() {
        let mut map = SourceMap::new();
        let file = map.add_file("a.c", "#define X 1/0\nint a = X;\n");
        let call_site = Span::new(file, 22, 23);
        let definition = Some(Span::new(file, 8, 9));
        let expansion = map.add_expansion(Expansion { name: "X".into(), call_site, definition });
        let inner = Span { expansion: Some(expansion), ..Span::new(file, 10, 13) };
        assert_eq!(map.location(inner).line, 2);
        assert_eq!(map.text(inner), "1/0");
    }

    #[test]
    fn an_argument_of_a_macro_is_located_where_it_is_written() {
        let mut map = SourceMap::new();
        let file = map.add_file("a.c", "int a = X(b);\n");
        let call_site = Span::new(file, 8, 12);
        let expansion = Expansion { name: "X".into(), call_site, definition: None };
        let expansion = map.add_expansion(expansion);
        let argument = Span { expansion: Some(expansion), ..Span::new(file, 10, 11) };
        assert_eq!(map.location(argument).column, 11);
    }

    #[test]
    fn a_macro_in_an_argument_is_located_where_it_is_used() {
        let mut map = SourceMap::new();
        let file = map.add_file("a.c", "#define Y 1/0\nint a = X(1, Y);\n");
        let call_site = Span::new(file, 22, 29);
        let outer = Expansion { name: "X".into(), call_site, definition: None };
        let outer = map.add_expansion(outer);
        let call_site = Span { expansion: Some(outer), ..Span::new(file, 27, 28) };
        let inner = Expansion { name: "Y".into(), call_site, definition: None };
        let inner = map.add_expansion(inner);
        let body = Span { expansion: Some(inner), ..Span::new(file, 10, 13) };
        assert_eq!(map.text(map.call_site(body)), "Y");
    }
}
