//! From the syntax tree to guarded commands: names, types and constants, in one walk.

mod calls;
mod designators;
mod expressions;
mod functions;
mod multisets;
mod rules;
mod scope;
mod statements;
mod types;

use crate::ast::{File, Item, Name};
use execution::diagnostic::Diagnostic;
use execution::ids::IdVec;
use execution::span::Span;
use guarded::code::Expr;
use guarded::fault::Site;
use guarded::fold::Folder;
use guarded::model::{FunctionId, Model, ScalarId, SiteId, TypeId};
use scope::{Scopes, Symbol};
use std::sync::Arc;

/// The value of the first member of an enumeration or scalarset. Few numbers are as large, so that
/// members are seldom taken for numbers where the types of values are not at hand.
const FIRST_MEMBER: i64 = 1 << 29;

/// What checking gives.
type Checked<T> = Result<T, Diagnostic>;

/// What an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ty {
    /// A number, of whichever range.
    Number,
    /// A scalar other than a number.
    Scalar(ScalarId),
    /// A record, an array or a multiset.
    Compound(TypeId),
}

/// What is known of a function besides its code.
struct Signature {
    params: Vec<Param>,
    result: Option<TypeId>,
    /// Whether it changes the state or its caller's variables.
    has_effects: bool,
}

struct Param {
    ty: TypeId,
    by_reference: bool,
    slot: u32,
}

/// What code is being checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// A guard or a property: it must not change anything.
    Condition,
    /// The body of a rule or start state.
    Rule,
    /// The body of a procedure, or of a function with this result.
    Function(Option<TypeId>),
}

struct Checker {
    model: Model,
    /// A scalarset that has another size than is written.
    resized: Option<(String, i64)>,
    scopes: Scopes,
    boolean: ScalarId,
    signatures: IdVec<FunctionId, Signature>,
    /// The value of the next member of an enumeration or scalarset.
    next_member: i64,
    /// How many cells the present frame has so far.
    frame: u32,
    within: Within,
    /// Whether the present function has effects so far.
    has_effects: bool,
}

/// Checks and lowers a file; there is at most one error for each item.
pub fn check(file: &File, resized: Option<(String, i64)>) -> Result<Model, Vec<Diagnostic>> {
    let mut checker = Checker { resized, ..Checker::new() };
    let mut errors: Vec<Diagnostic> = Vec::new();
    for item in &file.items {
        let checked = match item {
            Item::Decl(decl) => checker.declaration(decl, true),
            Item::Function(function) => checker.function(function),
            Item::Rule(rule) => match checker.rules(rule) {
                Ok(()) => continue,
                Err(error) => {
                    errors.push(error);
                    continue;
                }
            },
        };
        if let Err(error) = checked {
            // What follows may be wrong only because this is.
            errors.push(error);
            return Err(errors);
        }
    }
    if errors.is_empty() && checker.model.starts.is_empty() {
        let error = Diagnostic::error(file.span, "there is no start state")
            .note("add `startstate begin … end;`, which gives each variable its first value");
        let span = Span { end: file.span.start + 1, ..file.span };
        errors.push(Diagnostic { primary: Some(label(span)), ..error });
    }
    if errors.is_empty() { Ok(checker.into_model()) } else { Err(errors) }
}

fn label(span: Span) -> execution::diagnostic::Label {
    execution::diagnostic::Label { span, text: String::new() }
}

impl Checker {
    fn new() -> Self {
        let mut model = Model::default();
        let (boolean, boolean_type) = types::boolean(&mut model);
        let mut checker = Self {
            model,
            resized: None,
            scopes: Scopes::new(),
            boolean,
            signatures: IdVec::new(),
            next_member: FIRST_MEMBER,
            frame: 0,
            within: Within::Rule,
            has_effects: false,
        };
        let constants =
            [("false", 0), ("true", 1), ("False", 0), ("True", 1), ("FALSE", 0), ("TRUE", 1)];
        for (name, value) in constants {
            checker.scopes.predefine(name, Symbol::Constant(value, Ty::Scalar(boolean)));
        }
        checker.scopes.predefine("boolean", Symbol::Type(boolean_type));
        checker
    }

    fn into_model(mut self) -> Model {
        guarded::order::mark(&mut self.model);
        self.model
    }

    fn site(&mut self, span: Span) -> SiteId {
        self.model.sites.push(Site { span, text: None })
    }

    fn site_with(&mut self, span: Span, text: &Option<Arc<str>>) -> SiteId {
        self.model.sites.push(Site { span, text: text.clone() })
    }

    /// New cells in the present frame.
    fn allocate(&mut self, cells: u32) -> u32 {
        let first = self.frame;
        self.frame += cells;
        first
    }

    /// Declares a name in the innermost scope.
    fn declare(&mut self, name: &Name, symbol: Symbol) -> Checked<()> {
        match self.scopes.declare(name, symbol) {
            None => Ok(()),
            Some(earlier) => {
                let message = format!("`{}` is declared twice", name.text);
                Err(Diagnostic::error(name.span, message).also(earlier, "it is declared here, too"))
            }
        }
    }

    /// The value of an expression, if it does not depend on the state.
    fn constant(&self, expr: &Expr) -> Option<i64> {
        match Folder::new(&self.model, [], 0).expr(expr) {
            Expr::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// A type in words.
    fn describe(&self, ty: Ty) -> String {
        match ty {
            Ty::Number => "a number".to_string(),
            Ty::Scalar(scalar) => types::describe_scalar(&self.model, scalar),
            Ty::Compound(ty) => types::describe(&self.model, ty),
        }
    }
}
