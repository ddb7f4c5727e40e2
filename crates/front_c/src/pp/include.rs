//! `#include`: finding, reading and opening files.
//!
//! `"x.h"` is searched for next to the including file, then in the `-I` directories, then among the
//! embedded headers; `<x.h>` in the directories and the embedded headers. `#include_next` goes on
//! after the place where the current file was found.

use super::intern::Symbol;
use super::lexer::{Kind, Lexer};
use super::source::{Guard, Source};
use super::{INCLUDE_DEPTH, PpToken, Preprocessor, predefined};
use crate::headers;
use execution::diagnostic::Diagnostic;
use execution::span::{FileId, Span};
use std::cell::Cell;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A file that was read.
pub struct FileInfo {
    file: FileId,
    /// `#pragma once`.
    pub once: Cell<bool>,
    /// The macro of its include guard.
    pub guard: Cell<Option<Symbol>>,
}

/// Where a file was found.
#[derive(Clone, Debug)]
pub enum Place {
    /// On the disk: the directory it is in, and the `-I` it was found through.
    Disk { directory: PathBuf, through: Option<usize> },
    /// Among the embedded headers.
    Embedded,
    /// Text of no file.
    Internal,
}

/// All files that were read, by identity.
#[derive(Default)]
pub struct Cache {
    files: HashMap<PathBuf, Rc<FileInfo>>,
}

/// A header's name as an `#include` spells it.
#[derive(Clone, Debug)]
pub struct HeaderName {
    pub name: String,
    pub quoted: bool,
}

impl Preprocessor<'_> {
    /// Opens the main file, with the predefined macros and the command line's to be read first.
    pub fn open_main(&mut self, path: &Path) {
        let name = path.display().to_string();
        match self.read(path) {
            Ok(info) => self.push(Some(info), directory_of(path, None)),
            Err(error) => {
                self.stop(Diagnostic::general(format!("cannot read `{name}`: {error}")));
                let file = self.map.add_file(name, "");
                return self.push_text(file);
            }
        }
        let text = predefined::command_line(self.options);
        let file = self.map.add_file(predefined::COMMAND_LINE, text);
        self.push_text(file);
        let file = self.map.add_library(predefined::BUILT_IN, predefined::TEXT);
        self.push_text(file);
    }

    /// Carries out `#include` or `#include_next`.
    pub fn include_directive(&mut self, span: Span, next: bool) {
        let Some((header, place)) = self.header_operand(span) else { return };
        if self.sources.len() > INCLUDE_DEPTH {
            let message = format!("includes nest more than {INCLUDE_DEPTH} deep");
            return self.stop(Diagnostic::error(place, message));
        }
        match self.find(&header, next) {
            Ok(Some((info, found_at))) => self.enter(info, found_at, place),
            Ok(None) => {
                let diagnostic = self.not_found(&header, place);
                self.report(diagnostic);
            }
            Err(problem) => {
                let message = format!("cannot read `{}`: {problem}", header.name);
                self.report(Diagnostic::error(place, message));
            }
        }
    }

    /// Whether `#include` would find a header.
    pub fn has_include(&mut self, header: &HeaderName, next: bool) -> bool {
        matches!(self.find(header, next), Ok(Some(_)))
    }

    /// Reads what stands after `#include`: a header name, or macros that expand to one.
    fn header_operand(&mut self, span: Span) -> Option<(HeaderName, Span)> {
        let source = self.source();
        let file = source.file;
        if let Some((start, end)) = source.lexer.header_name() {
            let span = Span::new(file, start, end);
            let text = self.map.text(span);
            let header = HeaderName {
                name: text[1..text.len() - 1].to_string(),
                quoted: text.starts_with('"'),
            };
            self.expect_line_end("include");
            return self.not_empty(header, span);
        }
        let line = self.line_tokens();
        let place = match (line.first(), line.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => {
                let message = "`#include` needs a header: `<name.h>` or `\"name.h\"`";
                self.report(Diagnostic::error(span, message));
                return None;
            }
        };
        let expanded = self.expand_list(line);
        match self.header_from_tokens(&expanded) {
            Some(header) => self.not_empty(header, place),
            None => {
                let text = self.spell(&expanded);
                let error = Diagnostic::error(place, "`#include` needs a header name");
                self.report(error.label(format!("this is `{text}`")));
                None
            }
        }
    }

    fn not_empty(&mut self, header: HeaderName, place: Span) -> Option<(HeaderName, Span)> {
        if header.name.is_empty() {
            self.report(Diagnostic::error(place, "the header's name is empty"));
            return None;
        }
        Some((header, place))
    }

    /// The header name that tokens spell: one string, or `<`, anything, `>`.
    pub fn header_from_tokens(&self, tokens: &[PpToken]) -> Option<HeaderName> {
        let (first, last) = (*tokens.first()?, *tokens.last()?);
        if first.kind == Kind::String && tokens.len() == 1 {
            let name = self.spelling(first).strip_prefix('"')?.strip_suffix('"')?;
            return Some(HeaderName { name: name.to_string(), quoted: true });
        }
        let text = self.spell(tokens);
        let bracketed = first.kind == Kind::Punct && last.kind == Kind::Punct;
        let name = text.strip_prefix('<')?.strip_suffix('>')?;
        bracketed.then(|| HeaderName { name: name.to_string(), quoted: false })
    }

    fn find(
        &mut self,
        header: &HeaderName,
        next: bool,
    ) -> std::io::Result<Option<(Rc<FileInfo>, Place)>> {
        for (path, place) in self.candidates(header, next) {
            match self.read(&path) {
                Ok(info) => return Ok(Some((info, place))),
                Err(error) if is_absent(error.kind()) => {}
                Err(error) => return Err(error),
            }
        }
        let is_last_place = next && matches!(self.source().place, Place::Embedded);
        Ok(match headers::embedded(&header.name) {
            Some(text) if !is_last_place => {
                Some((self.read_embedded(&header.name, text), Place::Embedded))
            }
            _ => None,
        })
    }

    /// The paths at which a header may be, in order.
    fn candidates(&mut self, header: &HeaderName, next: bool) -> Vec<(PathBuf, Place)> {
        let dirs = &self.options.include_dirs;
        let place = self.source().place.clone();
        let first_dir = match &place {
            Place::Disk { through, .. } if next => through.map_or(0, |index| index + 1),
            Place::Embedded if next => dirs.len(),
            _ => 0,
        };
        let mut paths = Vec::new();
        if header.quoted && matches!(place, Place::Internal) {
            // What the command line names is where it says.
            let path = PathBuf::from(&header.name);
            let place = directory_of(&path, None);
            paths.push((path, place));
        }
        if header.quoted
            && !next
            && let Place::Disk { directory, through } = &place
        {
            let path = directory.join(&header.name);
            let place = directory_of(&path, *through);
            paths.push((path, place));
        }
        for (index, dir) in dirs.iter().enumerate().skip(first_dir) {
            let path = dir.join(&header.name);
            let place = directory_of(&path, Some(index));
            paths.push((path, place));
        }
        paths
    }

    fn not_found(&mut self, header: &HeaderName, place: Span) -> Diagnostic {
        let spelled = match header.quoted {
            true => format!("\"{}\"", header.name),
            false => format!("<{}>", header.name),
        };
        let mut searched = Vec::new();
        if let Place::Disk { directory, .. } = &self.source().place
            && header.quoted
        {
            let shown = directory.display().to_string();
            searched.push(if shown.is_empty() { ".".to_string() } else { shown });
        }
        searched.extend(self.options.include_dirs.iter().map(|dir| dir.display().to_string()));
        searched.push("the embedded headers".to_string());
        let diagnostic = Diagnostic::error(place, format!("cannot find the header `{spelled}`"));
        let embedded = crate::headers::HEADERS.iter().map(|(name, _)| *name);
        if let Some(reason) = crate::hints::missing_header(&header.name) {
            diagnostic.note(reason)
        } else if let Some(similar) = crate::hints::similar(&header.name, embedded) {
            diagnostic.note(format!("did you mean `<{similar}>`?"))
        } else {
            diagnostic.note(format!("searched: {}", searched.join(", ")))
        }
    }

    /// Opens a file unless `#pragma once` or its include guard says that nothing is left of it.
    fn enter(&mut self, info: Rc<FileInfo>, found_at: Place, place: Span) {
        let guarded = info.guard.get().is_some_and(|name| self.macro_named(name).is_some());
        let size = self.map.file(info.file).text.len();
        if !info.once.get() && !guarded {
            self.charge(16 + size / 16, place);
            self.push(Some(info), found_at);
        }
    }

    fn push(&mut self, info: Option<Rc<FileInfo>>, place: Place) {
        let Some(file) = info.as_ref().map(|info| info.file) else { return };
        let source = self.new_source(file, info, place);
        self.sources.push(source);
    }

    fn push_text(&mut self, file: FileId) {
        let source = self.new_source(file, None, Place::Internal);
        self.sources.push(source);
    }

    fn new_source(&self, file: FileId, info: Option<Rc<FileInfo>>, place: Place) -> Source {
        Source {
            lexer: Lexer::new(self.map.file(file).text.clone()),
            file,
            info,
            place,
            conditions: Vec::new(),
            guard: Guard::Start,
            line_delta: 0,
            presumed_name: None,
        }
    }

    /// The file at `path`, read once.
    fn read(&mut self, path: &Path) -> std::io::Result<Rc<FileInfo>> {
        let identity = self.loader.identity(path);
        if let Some(info) = self.cache.files.get(&identity) {
            return Ok(info.clone());
        }
        let bytes = self.loader.load(path)?;
        let text = String::from_utf8_lossy(&bytes);
        let lossy = matches!(text, std::borrow::Cow::Owned(_));
        let file = self.map.add_file(path.display().to_string(), &*text);
        if lossy {
            self.lossy_files.insert(file);
        }
        let info = Rc::new(FileInfo { file, once: Cell::new(false), guard: Cell::new(None) });
        self.cache.files.insert(identity, info.clone());
        Ok(info)
    }

    fn read_embedded(&mut self, name: &str, text: &'static str) -> Rc<FileInfo> {
        let shown = format!("<{name}>");
        if let Some(info) = self.cache.files.get(Path::new(&shown)) {
            return info.clone();
        }
        let file = self.map.add_library(&*shown, text);
        let info = Rc::new(FileInfo { file, once: Cell::new(false), guard: Cell::new(None) });
        self.cache.files.insert(PathBuf::from(shown), info.clone());
        info
    }
}

fn directory_of(path: &Path, through: Option<usize>) -> Place {
    Place::Disk { directory: path.parent().unwrap_or(Path::new("")).to_path_buf(), through }
}

fn is_absent(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidInput)
}
