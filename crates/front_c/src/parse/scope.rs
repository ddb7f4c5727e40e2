//! Scopes: just enough to distinguish typedef names from objects, and to give local labels unique
//! names.

use std::collections::HashMap;
use std::rc::Rc;

/// What an ordinary identifier names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// A type.
    Typedef,
    /// An object, a function, a parameter or an enumerator.
    Value,
}

/// One block's names.
#[derive(Default)]
struct Scope {
    names: HashMap<Rc<str>, Meaning>,
    /// `__label__` names, each with its name in the tree.
    labels: HashMap<Rc<str>, Rc<str>>,
}

/// The scopes around the next token, the file's first.
pub(super) struct Scopes {
    stack: Vec<Scope>,
    /// Tags seen anywhere, with their keyword, for hints about a missing `struct`.
    tags: HashMap<Rc<str>, &'static str>,
    local_labels: usize,
}

impl Scopes {
    pub(super) fn new() -> Self {
        let mut scopes =
            Self { stack: vec![Scope::default()], tags: HashMap::new(), local_labels: 0 };
        for name in ["__builtin_va_list", "bool", "nullptr_t"] {
            scopes.declare(name.into(), Meaning::Typedef);
        }
        scopes
    }

    /// Whether no function or block is open.
    pub(super) fn is_file_scope(&self) -> bool {
        self.stack.len() == 1
    }

    pub(super) fn enter(&mut self) {
        self.stack.push(Scope::default());
    }

    pub(super) fn leave(&mut self) {
        self.stack.pop();
    }

    /// Declares a name in the innermost scope.
    pub(super) fn declare(&mut self, name: Rc<str>, meaning: Meaning) {
        if let Some(scope) = self.stack.last_mut() {
            scope.names.insert(name, meaning);
        }
    }

    /// Declares a name at file scope; used to go on after an unknown type name.
    pub(super) fn declare_at_file_scope(&mut self, name: Rc<str>, meaning: Meaning) {
        self.stack[0].names.insert(name, meaning);
    }

    pub(super) fn meaning(&self, name: &str) -> Option<Meaning> {
        self.stack.iter().rev().find_map(|scope| scope.names.get(name)).copied()
    }

    pub(super) fn is_typedef(&self, name: &str) -> bool {
        self.meaning(name) == Some(Meaning::Typedef)
    }

    pub(super) fn typedef_names(&self) -> impl Iterator<Item = &str> {
        let names = self.stack.iter().flat_map(|scope| &scope.names);
        names.filter(|(_, meaning)| **meaning == Meaning::Typedef).map(|(name, _)| &**name)
    }

    pub(super) fn add_tag(&mut self, name: Rc<str>, keyword: &'static str) {
        self.tags.insert(name, keyword);
    }

    /// `struct`, `union` or `enum`, if there is such a tag.
    pub(super) fn tag_keyword(&self, name: &str) -> Option<&'static str> {
        self.tags.get(name).copied()
    }

    /// Declares a label that is known in the innermost block only (GNU `__label__`).
    pub(super) fn declare_label(&mut self, name: Rc<str>) {
        self.local_labels += 1;
        let unique = format!("{name}.{}", self.local_labels).into();
        if let Some(scope) = self.stack.last_mut() {
            scope.labels.insert(name, unique);
        }
    }

    /// The name that a label has in the tree.
    pub(super) fn label(&self, name: &Rc<str>) -> Rc<str> {
        self.stack.iter().rev().find_map(|scope| scope.labels.get(name)).unwrap_or(name).clone()
    }
}
