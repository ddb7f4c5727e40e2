//! Messages with carets under source text: the building block of everything shown on a terminal.
//!
//! A [`Message`] has a title, places with labels, notes, and further sections such as "allocated
//! here". Places are [`Location`]s (what run-time findings know) or [`Span`]s.
//!
//! ```
//! # use execution::span::{SourceMap, Span};
//! # use report::{Style, message::Message};
//! let mut map = SourceMap::new();
//! let file = map.add_file("a.c", "int x = *p;\n");
//! let place = map.location(Span::new(file, 8, 10));
//! let message = Message::error("null pointer is read").at(&place, "`p` is null").note("in main");
//! assert!(message.render(&map, Style::Plain).contains("a.c:1:9"));
//! ```

use crate::Style;
use crate::printable::one_line;
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
};
use execution::diagnostic::Severity;
use execution::span::{Location, SourceFile, SourceMap, Span};
use std::ops::Range;

/// A message.
#[derive(Clone, Debug)]
pub struct Message {
    sections: Vec<Section>,
}

/// What a section's title starts with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Heading {
    Error,
    Warning,
    Note,
}

/// A title with what belongs to it, in order.
#[derive(Clone, Debug)]
struct Section {
    heading: Heading,
    title: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Place { place: Place, label: String, is_primary: bool },
    Note(String),
}

#[derive(Clone, Debug)]
enum Place {
    Location(Location),
    Span(Span),
}

impl Message {
    /// An error with a title: one sentence, lower case, no full stop.
    pub fn error(title: impl Into<String>) -> Self {
        Self::new(Heading::Error, title.into())
    }

    /// A warning.
    pub fn warning(title: impl Into<String>) -> Self {
        Self::new(Heading::Warning, title.into())
    }

    /// An error or a warning.
    pub fn of(severity: Severity, title: impl Into<String>) -> Self {
        match severity {
            Severity::Error => Self::error(title),
            Severity::Warning => Self::warning(title),
        }
    }

    fn new(heading: Heading, title: String) -> Self {
        Self { sections: vec![Section { heading, title, parts: Vec::new() }] }
    }

    /// Adds the place that the current section is about; the label may be empty.
    pub fn at(self, location: &Location, label: impl Into<String>) -> Self {
        let place = Place::Location(location.clone());
        self.part(Part::Place { place, label: label.into(), is_primary: true })
    }

    /// Adds another place involved.
    pub fn also(self, location: &Location, label: impl Into<String>) -> Self {
        let place = Place::Location(location.clone());
        self.part(Part::Place { place, label: label.into(), is_primary: false })
    }

    /// [`Message::at`] for a span; it is shown where it is spelled.
    pub fn at_span(self, span: Span, label: impl Into<String>) -> Self {
        let place = Place::Span(span);
        self.part(Part::Place { place, label: label.into(), is_primary: true })
    }

    /// [`Message::also`] for a span; it is shown where it is spelled.
    pub fn also_span(self, span: Span, label: impl Into<String>) -> Self {
        let place = Place::Span(span);
        self.part(Part::Place { place, label: label.into(), is_primary: false })
    }

    /// Adds a sentence to the current section.
    pub fn note(self, text: impl Into<String>) -> Self {
        self.part(Part::Note(text.into()))
    }

    /// Starts a further section: "note: allocated here" and the like.
    pub fn section(mut self, title: impl Into<String>) -> Self {
        let title = title.into();
        self.sections.push(Section { heading: Heading::Note, title, parts: Vec::new() });
        self
    }

    fn part(mut self, part: Part) -> Self {
        if let Some(section) = self.sections.last_mut() {
            section.parts.push(part);
        }
        self
    }

    /// The message as text, without a final line end.
    pub fn render(&self, map: &SourceMap, style: Style) -> String {
        let renderer = match style {
            Style::Plain => Renderer::plain(),
            Style::Coloured => Renderer::styled(),
        };
        let groups: Vec<Group<'_>> = self.sections.iter().map(|part| part.group(map)).collect();
        renderer.render(&groups)
    }
}

impl Section {
    fn group<'a>(&'a self, map: &'a SourceMap) -> Group<'a> {
        let title = match self.heading {
            Heading::Error => Level::ERROR.primary_title(&self.title),
            Heading::Warning => Level::WARNING.primary_title(&self.title),
            Heading::Note => Level::NOTE.secondary_title(&self.title),
        };
        let mut group = Group::with_title(title);
        for element in self.places(map) {
            group = group.element(element);
        }
        for part in &self.parts {
            if let Part::Note(text) = part {
                group = group.element(Level::NOTE.message(text));
            }
        }
        group
    }

    /// The section's places, those of one file together.
    fn places<'a>(&'a self, map: &'a SourceMap) -> Vec<Element<'a>> {
        let mut files: Vec<(&SourceFile, Vec<Annotation<'a>>)> = Vec::new();
        let mut unread = Vec::new();
        for part in &self.parts {
            let Part::Place { place, label, is_primary } = part else { continue };
            let Some((file, range)) = place.resolve(map) else {
                unread.extend(place.origin());
                if !label.is_empty() {
                    unread.push(Level::NOTE.message(label).into());
                }
                continue;
            };
            let kind = if *is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let mut annotation = kind.span(range);
            if !label.is_empty() {
                annotation = annotation.label(label);
            }
            match files.iter_mut().find(|(other, _)| std::ptr::eq(*other, file)) {
                Some((_, annotations)) => annotations.push(annotation),
                None => files.push((file, vec![annotation])),
            }
        }
        let snippets = files.into_iter().map(|(file, annotations)| {
            let snippet = Snippet::source(&*file.text).path(one_line(&file.name)).line_start(1);
            Element::from(snippet.annotations(annotations))
        });
        snippets.chain(unread).collect()
    }
}

impl Place {
    /// The file and the bytes of a place; `None` if the file's text is not at hand.
    fn resolve<'a>(&self, map: &'a SourceMap) -> Option<(&'a SourceFile, Range<usize>)> {
        match self {
            Place::Span(span) => {
                let file = map.file(span.file);
                let text = &file.text;
                let start = floor(text, span.start as usize);
                let end = floor(text, (span.end as usize).max(start));
                Some((file, start..end))
            }
            Place::Location(location) => {
                let file = map.file(map.file_named(&location.file)?);
                let line = file.line(location.line)?;
                let line_start = line.as_ptr() as usize - file.text.as_ptr() as usize;
                let byte_of = |column: u32| {
                    let index = (column as usize).saturating_sub(1);
                    line.char_indices().nth(index).map_or(line.len(), |(byte, _)| byte)
                };
                let start = line_start + byte_of(location.column);
                let end = line_start + byte_of(location.end_column);
                Some((file, start..end.max(start)))
            }
        }
    }

    /// The place by name only.
    fn origin<'a>(&'a self) -> Option<Element<'a>> {
        let Place::Location(location) = self else { return None };
        let origin = Origin::path(one_line(&location.file)).line(location.line as usize);
        Some(origin.char_column(location.column as usize).into())
    }
}

/// The largest character boundary of `text` that is not past `index`.
fn floor(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::span::Origin;

    fn queue() -> SourceMap {
        let mut map = SourceMap::new();
        let text = "void push(struct q *q)\n{\n\tnode *n = malloc(8);\n\tfree(n);\n\tq->tail->next = n;\n}\n";
        map.add_file("queue.c", text);
        map
    }

    fn location(line: u32, column: u32, end_column: u32) -> Location {
        Location { file: "queue.c".into(), origin: Origin::User, line, column, end_column }
    }

    #[test]
    fn a_run_time_finding_shows_its_places_and_its_history() {
        let message = Message::error("`q->tail->next` is written after it was freed")
            .at(&location(5, 2, 15), "8 bytes, in thread 1")
            .note("thread 1: push, called from main at queue.c:9:2")
            .section("the block was allocated here")
            .at(&location(3, 12, 21), "")
            .section("and freed here, by thread 2")
            .at(&location(4, 2, 9), "");
        insta::assert_snapshot!(message.render(&queue(), Style::Plain));
    }

    #[test]
    fn a_file_that_was_not_read_is_only_named() {
        let place = Location { file: "gone.fpir".into(), ..location(7, 3, 5) };
        let message = Message::warning("odd").at(&place, "here").note("see there");
        insta::assert_snapshot!(message.render(&queue(), Style::Plain));
    }

    #[test]
    fn places_past_the_end_of_the_text_do_no_harm() {
        let mut map = queue();
        let file = map.add_file("é.c", "é");
        let message = Message::error("strange")
            .at(&location(5, 90, 95), "")
            .also(&location(900, 1, 2), "")
            .also_span(Span::new(file, 1, 900), "")
            .also_span(Span::new(file, 5, 2), "");
        assert!(message.render(&map, Style::Plain).contains("queue.c:5"));
    }

    #[test]
    fn colours_are_there_only_on_request() {
        let message = Message::error("strange").at(&location(5, 2, 4), "");
        assert!(!message.render(&queue(), Style::Plain).contains('\u{1b}'));
        assert!(message.render(&queue(), Style::Coloured).contains('\u{1b}'));
    }
}
