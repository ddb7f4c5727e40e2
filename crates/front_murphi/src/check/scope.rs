//! Names and what they stand for.

use super::Ty;
use crate::ast::Name;
use execution::span::Span;
use guarded::code::{Expr, Place};
use guarded::model::{FunctionId, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

/// Whether a place may be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Yes; it outlives the present function.
    Shared,
    /// Yes; it is a local variable.
    Local,
    /// No, and why.
    ReadOnly(&'static str),
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Symbol {
    /// A constant.
    Constant(i64, Ty),
    /// A type.
    Type(TypeId),
    /// A variable, or an alias of a place.
    Place(Place, TypeId, Access),
    /// A value that is not a variable: a parameter, a loop's variable, an alias; and which.
    Value(Expr, Ty, &'static str),
    /// A function or procedure.
    Function(FunctionId),
}

/// Scopes, the innermost last.
pub struct Scopes(Vec<Scope>);

/// Names with where they are declared, if they are not predefined.
type Scope = HashMap<Arc<str>, (Symbol, Option<Span>)>;

impl Scopes {
    pub fn new() -> Self {
        Self(vec![HashMap::new(), HashMap::new()])
    }

    pub fn open(&mut self) {
        self.0.push(HashMap::new());
    }

    pub fn close(&mut self) {
        self.0.pop();
    }

    pub fn depth(&self) -> usize {
        self.0.len()
    }

    /// Closes all scopes but so many.
    pub fn close_to(&mut self, depth: usize) {
        self.0.truncate(depth);
    }

    /// A name that a file may declare anew.
    pub fn predefine(&mut self, name: &str, symbol: Symbol) {
        self.0[0].insert(name.into(), (symbol, None));
    }

    /// Declares a name in the innermost scope; where it is declared there already, if it is.
    pub fn declare(&mut self, name: &Name, symbol: Symbol) -> Option<Span> {
        let scope = self.0.last_mut().expect("there is always a scope");
        if let Some((_, earlier)) = scope.get(&name.text) {
            return *earlier;
        }
        scope.insert(name.text.clone(), (symbol, Some(name.span)));
        None
    }

    pub fn find(&self, name: &str) -> Option<&Symbol> {
        self.0.iter().rev().find_map(|scope| scope.get(name)).map(|(symbol, _)| symbol)
    }

    /// A visible name that is spelled almost like this one.
    pub fn similar(&self, name: &str) -> Option<Arc<str>> {
        let names = self.0.iter().skip(1).flat_map(|scope| scope.keys());
        let mut close: Vec<_> = names
            .filter(|known| known.len() > 2 && distance(known, name) <= 1 + name.len() / 6)
            .collect();
        close.sort();
        close.first().map(|name| Arc::clone(name))
    }
}

/// How many letters must be changed, added or left out, case aside.
fn distance(left: &str, right: &str) -> usize {
    let (left, right) = (left.to_lowercase(), right.to_lowercase());
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let change = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}
