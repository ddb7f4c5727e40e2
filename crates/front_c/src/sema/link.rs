//! Several files as one program: what one declares and another defines is one thing, and `static`
//! names belong to their file (C11 6.2.2).
//!
//! The files are checked one after the other. The embedded headers are checked once, however many
//! files include them, so that their state is there once; what a file includes of them is visible to
//! those after it. A type of one file and a type of another are the same if they have the same tag
//! or name, size and members.
//!
//! Soundness S-303 (run, check, verify; all; misses): Of several files of a program, a later one
//! sees the declarations of embedded headers that only an earlier one includes, and types of two
//! files are compared by their names, sizes and the names and places of their members. Test:
//! corpus/real/two_files.c.

use super::Sema;
use super::types::{RecordId, Type};
use crate::ast::{self, Declarator};
use crate::sema::scope::Entity;
use execution::ids::Id;
use execution::span::Span;
use std::collections::HashSet;
use std::rc::Rc;

/// What the files of a program have in common.
#[derive(Default)]
pub struct Link {
    /// The parts of embedded headers that were checked: file, place and name.
    seen: HashSet<(String, u32, Rc<str>)>,
    /// Structs and unions from this one on are of the current file.
    first_record: usize,
    /// The same of enums.
    first_enum: usize,
    /// The number of the current file.
    pub number: usize,
}

impl Sema<'_> {
    /// Begins the next file: what only the file before it could name is gone.
    pub(super) fn begin_file(&mut self, number: usize) {
        self.link.number = number;
        if number == 0 {
            return;
        }
        self.link.first_record = self.unit.types.records.len();
        self.link.first_enum = self.unit.types.enums.len();
        self.scopes.keep_library();
        let Sema { functions, objects, unit, sources, .. } = self;
        functions.retain(|_, id| {
            let function = &unit.functions[*id];
            !function.internal || sources.is_library(function.span)
        });
        objects.retain(|_, id| {
            let object = &unit.objects[*id];
            object.external || sources.is_library(object.span) || object.name.contains(' ')
        });
    }

    /// Checks what stands in a file.
    pub(super) fn items(&mut self, unit: &ast::Unit) {
        for item in &unit.items {
            let (span, name) = place_of(item);
            let library = self.sources.is_library(self.sources.call_site(span));
            if library {
                let file = self.sources.file(self.sources.call_site(span).file).name.to_string();
                if !self.link.seen.insert((file, span.start, name)) {
                    continue;
                }
            }
            self.scopes.of_library = library;
            self.item(item);
        }
    }

    /// Whether two structs or unions of different files are the same.
    pub(crate) fn is_same_elsewhere(&self, a: RecordId, b: RecordId) -> bool {
        let first = self.link.first_record;
        if (a.index() < first) == (b.index() < first) {
            return false;
        }
        self.unit.types.are_alike(a, b)
    }

    /// Whether two enums of different files are the same.
    pub(crate) fn is_same_enum_elsewhere(&self, a: &Type, b: &Type) -> bool {
        let (Type::Enum(x), Type::Enum(y)) = (a, b) else { return false };
        let first = self.link.first_enum;
        (x.index() < first) != (y.index() < first)
            && self.unit.types.without_enum(a) == self.unit.types.without_enum(b)
    }

    /// Whether something known comes from another file than the current one.
    pub(crate) fn is_elsewhere(&self, known: Span, here: Span) -> bool {
        let file = |span| self.sources.call_site(span).file;
        self.link.number > 0 && file(known) != file(here)
    }

    /// Whether a name is visible in the current file already.
    pub(crate) fn is_visible(&self, name: &str) -> bool {
        !matches!(self.scopes.find_here(name), None | Some(Entity::Poisoned))
    }
}

fn place_of(item: &ast::Item) -> (Span, Rc<str>) {
    let name = |declarator: Option<&Declarator>| {
        declarator
            .and_then(|declarator| declarator.name.as_ref())
            .map_or_else(|| "".into(), |name| name.name.clone())
    };
    match item {
        ast::Item::Declaration(declaration) => {
            let first = declaration.declarators.first().map(|item| &item.declarator);
            (declaration.span, name(first))
        }
        ast::Item::Function(function) => (function.span, name(Some(&function.declarator))),
        ast::Item::StaticAssert(assert) => (assert.span, "".into()),
        ast::Item::Asm(asm) => (asm.span, "".into()),
    }
}
