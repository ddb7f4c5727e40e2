//! Types, names and conversions: from the syntax tree to the checked [`tree`].
//!
//! - [`tree`]: the checked program; [`scope`]: the names that are visible; [`explain`]: words for
//!   messages.
//! - [`types`]: what types there are, how they are spelled and laid out.
//! - [`declarations`]: declarators, functions, objects, records, attributes, initialisers.
//! - [`expressions`], [`statement`]: what a function does, and the conversions in it.
//! - [`constants`]: folding, and the arithmetic of the target.
//! - [`link`]: several files as one program.
//! - [`builtins`], [`atomics`], [`assembly`]: what a program uses without defining it.
//!
//! A mistake ends the check of the smallest enclosing declaration or statement; the next one is
//! then checked as usual, so that one run reports several mistakes.
//!
//! Soundness S-014 (run, check, verify; all; refuses): What the front end does not support is an
//! error at its place, never skipped; docs/c.md lists it. Test: corpus/bad.
//!
//! Soundness S-300 (run, check, verify; all; refuses): Something in a function that is not supported
//! is an error only if every execution reaches it; otherwise it is a finding (`not supported`) of
//! the executions that do, past which nothing is known, and not mentioned if there are none. The
//! whole expression statement counts, though a part of it may come first. Test:
//! corpus/c/fencepost/not_supported_unused.c, corpus/verify/approximations/not_supported_branch.c.

pub mod assembly;
pub mod atomics;
pub mod builtins;
pub mod constants;
pub mod declarations;
pub mod explain;
pub mod expressions;
pub mod link;
pub mod scope;
pub mod statement;
#[cfg(test)]
mod tests;
pub mod tree;
pub mod types;

use crate::ast;
use builtins::foreign::own_functions;
use execution::diagnostic::Diagnostic;
use execution::ids::IdVec;
use execution::span::{SourceMap, Span};
use scope::Scopes;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use tree::{Expr, FunctionId, Intrinsic, Label, LabelId, Local, LocalId, ObjectId, Unit};
use types::{QualType, RecordId, Type};

/// How many expressions may be checked. A file has fewer tokens than this, but what is checked
/// both for its type and for its value could otherwise nest to any number.
pub const WORK_LIMIT: usize = 6_000_000;

/// Why a check ended early.
#[derive(Debug)]
pub enum Fail {
    /// This mistake.
    Mistake(Box<Diagnostic>),
    /// This is not supported, which matters only where an execution needs it.
    Refused(Box<Diagnostic>),
    /// A consequence of a mistake that was already reported.
    Reported,
}

impl From<Diagnostic> for Fail {
    fn from(diagnostic: Diagnostic) -> Self {
        Fail::Mistake(Box::new(diagnostic))
    }
}

/// The result of a check.
pub type Checked<T> = Result<T, Fail>;

/// Something at a place that is not supported.
pub fn refuse<T>(span: Span, message: impl Into<String>) -> Checked<T> {
    Err(refusal(Diagnostic::error(span, message)))
}

/// Something that is not supported.
pub fn refusal(diagnostic: Diagnostic) -> Fail {
    Fail::Refused(Box::new(diagnostic))
}

/// A mistake at a place.
pub fn fail<T>(span: Span, message: impl Into<String>) -> Checked<T> {
    Err(Diagnostic::error(span, message).into())
}

/// The checker's state.
pub struct Sema<'s> {
    /// The source text, for the names of files.
    pub sources: &'s SourceMap,
    /// What was checked so far.
    pub unit: Unit,
    /// The names in scope.
    pub scopes: Scopes,
    /// Mistakes.
    pub errors: Vec<Diagnostic>,
    /// Doubts.
    pub warnings: Vec<Diagnostic>,
    /// The function whose body is being checked.
    pub function: Option<FunctionState>,
    /// Greater than zero inside `sizeof`, `typeof` and the like.
    pub unevaluated: u32,
    /// What finds out the sizes of variable-length arrays, where such may be declared.
    pub variable: Option<Vec<tree::Stmt>>,
    /// Functions by name: they are all one scope, wherever they are declared.
    pub functions: HashMap<Rc<str>, FunctionId>,
    /// The names of the functions that the program defines itself, wherever that is.
    pub own: HashSet<Rc<str>>,
    /// Whether `abort()` only ends the execution, as in SV-COMP's programs.
    pub abort_ends: bool,
    /// What the files of a program have in common.
    pub link: link::Link,
    /// Objects with linkage, by name.
    pub objects: HashMap<Rc<str>, ObjectId>,
    /// The types that stand for floating-point types which are only declared, by name.
    pub floats: HashMap<Rc<str>, RecordId>,
    /// How many expressions were checked, those checked twice twice.
    pub work: usize,
    /// String literals by element size and contents.
    pub strings: HashMap<(u64, Vec<u32>), ObjectId>,
}

/// What is known about the function whose body is being checked.
pub struct FunctionState {
    /// Its name.
    pub name: Rc<str>,
    /// Its result.
    pub result: QualType,
    /// Its locals so far.
    pub locals: IdVec<LocalId, Local>,
    /// Its labels so far.
    pub labels: IdVec<LabelId, Label>,
    /// Labels by name: the label, and the first use or the definition.
    pub named: HashMap<Rc<str>, NamedLabel>,
    /// The switches around the current statement.
    pub switches: Vec<statement::SwitchState>,
    /// How many loops are around the current statement.
    pub loops: u32,
    /// How many loops and switches are around it.
    pub breakable: u32,
    /// The object of `__func__`, once it was used.
    pub own_name: Option<ObjectId>,
    /// Where its variable arguments are, if it has any.
    pub rest: Option<LocalId>,
    /// Whether it uses them.
    pub walks: bool,
    /// Whether it has computed `goto`s.
    pub dispatches: bool,
    /// Pointers to blocks that are freed when the function returns.
    pub blocks: Vec<LocalId>,
    /// What the block that is being checked calls when it is left, each with the number of
    /// statements before it.
    pub cleanups: Vec<(usize, tree::Expr)>,
    /// Where the sizes of variable-length arrays are, in bytes.
    pub sizes: HashMap<LocalId, LocalId>,
}

/// A label that was used or defined.
pub struct NamedLabel {
    /// The label.
    pub id: LabelId,
    /// Where it is defined.
    pub defined: Option<Span>,
    /// Where it was first used.
    pub used: Option<Span>,
}

/// Checks the translation units of a program as one. Gives the checked unit if there was no mistake,
/// and all doubts.
pub fn check(
    units: &[ast::Unit],
    sources: &SourceMap,
) -> (Result<Unit, Vec<Diagnostic>>, Vec<Diagnostic>) {
    let mut sema = Sema {
        sources,
        unit: Unit::default(),
        scopes: Scopes::new(),
        errors: Vec::new(),
        warnings: Vec::new(),
        function: None,
        unevaluated: 0,
        variable: None,
        work: 0,
        functions: HashMap::new(),
        own: units.iter().flat_map(|unit| own_functions(unit, sources)).collect(),
        abort_ends: units.iter().any(builtins::foreign::names_its_error),
        link: link::Link::default(),
        objects: HashMap::new(),
        strings: HashMap::new(),
        floats: HashMap::new(),
    };
    for (number, unit) in units.iter().enumerate() {
        sema.begin_file(number);
        sema.items(unit);
    }
    sema.complete_tentative();
    let Sema { unit, errors, warnings, .. } = sema;
    (if errors.is_empty() { Ok(unit) } else { Err(errors) }, warnings)
}

impl Sema<'_> {
    fn item(&mut self, item: &ast::Item) {
        let result = match item {
            ast::Item::Declaration(declaration) => self.file_declaration(declaration),
            ast::Item::Function(function) => self.function_or_poison(function),
            ast::Item::StaticAssert(assert) => self.static_assert(assert),
            ast::Item::Asm(asm) => fail(asm.span, "assembly outside a function is not supported"),
        };
        self.report(result);
    }

    /// Records a mistake; `None` where there was one.
    pub fn report<T>(&mut self, result: Checked<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(Fail::Mistake(diagnostic) | Fail::Refused(diagnostic)) => {
                self.errors.push(*diagnostic);
                None
            }
            Err(Fail::Reported) => None,
        }
    }

    /// In a function, what stands for something that is not supported: to reach it is a finding,
    /// so that it matters only to executions that do.
    pub fn or_refused(&self, result: Checked<Expr>, ty: Type, span: Span) -> Checked<Expr> {
        match result {
            Err(Fail::Refused(why)) if self.function.is_some() && self.unevaluated == 0 => {
                Ok(atomics::intrinsic(Intrinsic::Refused(Rc::new(*why)), ty, span))
            }
            other => other,
        }
    }

    /// Records a doubt, unless it is about the inside of an embedded header.
    pub fn warn(&mut self, span: Span, message: impl Into<String>) {
        let site = self.sources.call_site(span);
        if !self.sources.is_library(site) {
            self.warnings.push(Diagnostic::warning(span, message));
        }
    }

    /// The state of the current function; a mistake at `span` where there is none.
    pub fn in_function(&mut self, span: Span) -> Checked<&mut FunctionState> {
        match &mut self.function {
            Some(state) => Ok(state),
            None => fail(span, "this is only allowed inside a function"),
        }
    }

    /// Checks a `_Static_assert`.
    pub fn static_assert(&mut self, assert: &ast::StaticAssert) -> Checked<()> {
        let value = self.integer_constant(&assert.condition, "a static assertion")?;
        if value.0 != 0 {
            return Ok(());
        }
        let text = assert.message.as_ref().map(expressions::literal::text).unwrap_or_default();
        let message = match text.as_str() {
            "" => "static assertion failed".to_string(),
            text => format!("static assertion failed: {text}"),
        };
        fail(assert.span, message)
    }
}
