//! Changes of a source text: what is inserted and replaced where, and the text that results.

use execution::ids::Id;
use execution::span::{FileId, SourceMap};
use std::collections::BTreeMap;

/// How changes at one position are ordered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rank {
    Close,
    Open,
    Replace,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Change {
    rank: Rank,
    end: usize,
    text: String,
}

/// Changes of files. Two changes never overlap, but for insertions at the ends of another.
#[derive(Clone, Debug, Default)]
pub struct Edits(BTreeMap<FileId, BTreeMap<usize, Vec<Change>>>);

impl Edits {
    fn add(&mut self, file: FileId, start: usize, change: Change) {
        self.0.entry(file).or_default().entry(start).or_default().push(change);
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Inserts what opens something around the text after a position: outer ones come first.
    pub fn open(&mut self, file: FileId, at: usize, text: &str) {
        self.add(file, at, Change { rank: Rank::Open, end: at, text: text.to_string() });
    }

    /// Inserts what closes something around the text before a position: inner ones come first.
    pub fn close(&mut self, file: FileId, at: usize, text: &str) {
        self.add(file, at, Change { rank: Rank::Close, end: at, text: text.to_string() });
    }

    /// Replaces a range.
    pub fn replace(&mut self, file: FileId, (start, end): (usize, usize), text: &str) {
        self.add(file, start, Change { rank: Rank::Replace, end, text: text.to_string() });
    }

    /// The text of a file with its changes. Lines keep their numbers if no change removes a line end.
    pub fn apply(&self, file: FileId, sources: &SourceMap) -> String {
        let text = &sources.file(file).text;
        let (mut result, mut done) = (String::with_capacity(text.len() * 2), 0);
        for (&start, changes) in self.0.get(&file).into_iter().flatten() {
            result.push_str(text.get(done..start).unwrap_or_default());
            done = done.max(start);
            let mut changes = changes.clone();
            changes.sort_by_key(|change| change.rank);
            for change in changes {
                result.push_str(&change.text);
                done = done.max(change.end);
            }
        }
        result.push_str(text.get(done..).unwrap_or_default());
        result
    }

    /// The files that change.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        self.0.keys().copied()
    }
}

/// The number of a file by its name.
pub fn file_number(sources: &SourceMap, name: &str) -> Option<FileId> {
    sources.files().position(|file| &*file.name == name).map(FileId::new)
}
