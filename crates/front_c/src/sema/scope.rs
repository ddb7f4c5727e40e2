//! Names in scope: ordinary identifiers and tags.

use super::tree::{FunctionId, LocalId, ObjectId};
use crate::sema::types::{EnumId, QualType, RecordId, Type};
use execution::diagnostic::Diagnostic;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What an ordinary identifier stands for.
#[derive(Clone, Debug)]
pub enum Entity {
    /// A type.
    Typedef(QualType),
    /// A local object or parameter.
    Local(LocalId),
    /// An object with static storage.
    Object(ObjectId),
    /// A function.
    Function(FunctionId),
    /// An enumeration constant: its bits and type.
    Constant(u128, Type),
    /// Its declaration was wrong; that was already reported.
    Poisoned,
    /// What its declaration asks for is not supported, for this reason.
    Refused(Rc<Diagnostic>),
}

/// What a tag stands for.
#[derive(Clone, Copy, Debug)]
pub enum Tag {
    /// A struct or union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
}

/// The scopes around the current place, innermost last.
pub struct Scopes {
    levels: Vec<Level>,
    /// Whether what is declared now is of an embedded header.
    pub of_library: bool,
}

#[derive(Default)]
struct Level {
    names: HashMap<Rc<str>, Entity>,
    tags: HashMap<Rc<str>, Tag>,
    /// The names and tags that embedded headers declare.
    library: HashSet<Rc<str>>,
}

impl Level {
    fn note(&mut self, name: &Rc<str>, of_library: bool) {
        match of_library {
            true => drop(self.library.insert(name.clone())),
            false => drop(self.library.remove(name)),
        }
    }
}

impl Scopes {
    /// The file scope alone.
    pub fn new() -> Self {
        Self { levels: vec![Level::default()], of_library: false }
    }

    /// Opens a block.
    pub fn open(&mut self) {
        self.levels.push(Level::default());
    }

    /// Closes the innermost block.
    pub fn close(&mut self) {
        if self.levels.len() > 1 {
            self.levels.pop();
        }
    }

    /// Whether this is the file scope.
    pub fn at_file_scope(&self) -> bool {
        self.levels.len() == 1
    }

    /// What a name stands for.
    pub fn find(&self, name: &str) -> Option<&Entity> {
        self.levels.iter().rev().find_map(|level| level.names.get(name))
    }

    /// What a name stands for in the innermost scope alone.
    pub fn find_here(&self, name: &str) -> Option<&Entity> {
        self.levels.last().and_then(|level| level.names.get(name))
    }

    /// Declares a name in the innermost scope.
    pub fn declare(&mut self, name: Rc<str>, entity: Entity) {
        let of_library = self.of_library;
        if let Some(level) = self.levels.last_mut() {
            level.note(&name, of_library);
            level.names.insert(name, entity);
        }
    }

    /// What a tag stands for.
    pub fn find_tag(&self, name: &str) -> Option<Tag> {
        self.levels.iter().rev().find_map(|level| level.tags.get(name)).copied()
    }

    /// What a tag stands for in the innermost scope alone.
    pub fn find_tag_here(&self, name: &str) -> Option<Tag> {
        self.levels.last().and_then(|level| level.tags.get(name)).copied()
    }

    /// What a tag stands for: in the innermost scope alone where it is defined.
    pub fn known_tag(&self, name: &str, defines: bool) -> Option<Tag> {
        if defines { self.find_tag_here(name) } else { self.find_tag(name) }
    }

    /// Declares a tag in the innermost scope.
    pub fn declare_tag(&mut self, name: Rc<str>, tag: Tag) {
        let of_library = self.of_library;
        if let Some(level) = self.levels.last_mut() {
            level.note(&name, of_library);
            level.tags.insert(name, tag);
        }
    }

    /// Forgets what a file declares, but not what it has from embedded headers.
    pub fn keep_library(&mut self) {
        for Level { names, tags, library } in &mut self.levels {
            names.retain(|name, _| library.contains(name));
            tags.retain(|name, _| library.contains(name));
        }
    }

    /// All visible names, for suggestions.
    pub fn names(&self) -> impl Iterator<Item = &Rc<str>> {
        self.levels.iter().flat_map(|level| level.names.keys())
    }
}

impl Default for Scopes {
    fn default() -> Self {
        Self::new()
    }
}
