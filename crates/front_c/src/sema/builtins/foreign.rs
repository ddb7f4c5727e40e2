//! Functions that a program declares, or just calls, but does not define: those of other tools'
//! benchmarks (SV-COMP's `__VERIFIER_*`, CBMC's `__CPROVER_*`) and the few of the C library that
//! such programs declare by hand.
//!
//! A definition in the program always wins. Where the program declares a result type, a
//! nondeterministic value has that type, so that every spelling of the declarations works.
//!
//! Soundness S-018 (run, check, verify; all; refuses): A function or object without a definition is
//! an error if every execution reaches its use, and a finding of those that do otherwise. Test:
//! corpus/bad/link-undefined-function.c, corpus/c/fencepost/missing_beyond_main.c.

use crate::ast;
use crate::library::PREFIX;
use crate::sema::atomics::{intrinsic, wrong_count};
use crate::sema::tree::{Expr, ExprKind, FunctionId, Intrinsic, ObjectId, PrintTo, Stmt, StmtKind};
use crate::sema::types::{FloatKind, FunctionType, IntKind, QualType, Type};
use crate::sema::{Checked, Sema, builtins, fail};
use execution::diagnostic::Diagnostic;
use execution::span::{SourceMap, Span};
use ir::op::Claim;
use ir::order::{Directions, Fence};
use std::collections::HashSet;
use std::rc::Rc;

/// The names of all functions that a program defines itself, outside the embedded headers.
pub fn own_functions(unit: &ast::Unit, sources: &SourceMap) -> HashSet<Rc<str>> {
    let is_own = |span: Span| !sources.is_library(span);
    let names = unit.items.iter().filter_map(|item| match item {
        ast::Item::Function(function) => function.declarator.name.as_ref(),
        _ => None,
    });
    names.filter(|name| is_own(name.span)).map(|name| name.name.clone()).collect()
}

/// The streams of `<stdio.h>`, by their numbers.
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// CBMC's rule: a statement after a label that starts so runs as a thread of its own.
pub const ASYNC: &str = "__CPROVER_ASYNC_";

/// SV-COMP's rule: a program that names its error (`reach_error`, before 2021
/// `__VERIFIER_error`) is wrong if it calls that. Its `abort()` is then not an error, but the way
/// in which it discards executions.
pub fn names_its_error(unit: &ast::Unit) -> bool {
    const NAMES: [&str; 3] = ["reach_error", "__VERIFIER_error", "assume_abort_if_not"];
    let is_error = |declarator: &ast::Declarator| {
        declarator.name.as_ref().is_some_and(|name| NAMES.contains(&&*name.name))
    };
    unit.items.iter().any(|item| match item {
        ast::Item::Function(function) => is_error(&function.declarator),
        ast::Item::Declaration(declaration) => {
            declaration.declarators.iter().any(|item| is_error(&item.declarator))
        }
        _ => false,
    })
}

/// SV-COMP's rule: whatever a program's own `reach_error` does, to call it is the error.
pub fn error_by_name(name: &str, body: Vec<Stmt>, span: Span) -> Vec<Stmt> {
    if !matches!(name, "reach_error" | "__VERIFIER_error") {
        return body;
    }
    let trap = intrinsic(Intrinsic::Trap(format!("{name}() was called")), Type::Void, span);
    vec![Stmt { kind: StmtKind::Expr(trap), span }]
}

/// SV-COMP's rule: the body of a function whose name starts so is one atomic section.
pub fn atomic_by_name(name: &str, body: Vec<Stmt>, span: Span) -> Vec<Stmt> {
    if !name.starts_with("__VERIFIER_atomic_") {
        return body;
    }
    let block = Stmt { kind: StmtKind::Block(body), span };
    vec![Stmt { kind: StmtKind::Atomic(Box::new(block)), span }]
}

impl Sema<'_> {
    /// What `abort()` does.
    pub fn abort(&self, span: Span) -> Intrinsic {
        if self.abort_ends {
            let cond = Box::new(Expr::constant(0, Type::INT, span));
            Intrinsic::Assume { cond, waits: false }
        } else {
            Intrinsic::Trap("abort() was called".into())
        }
    }

    /// `__CPROVER_ASYNC_1: f(x);` starts a thread that makes this call. Its arguments are
    /// evaluated by the thread that starts it.
    pub fn asynchronous(&mut self, label: &ast::Ident, body: &ast::Stmt) -> Checked<Expr> {
        let ast::StmtKind::Expr(Some(ast::Expr {
            kind: ast::ExprKind::Call { callee, args }, ..
        })) = &body.kind
        else {
            return Err(Diagnostic::error(body.span, "only a call can run as a thread here")
                .also(label.span, "this label starts a thread")
                .note("put the statements into a function and call it")
                .into());
        };
        let function = self.value(callee)?;
        let Some(Type::Function(ty)) = function.ty.ty.pointee().map(|to| to.ty.clone()) else {
            return fail(callee.span, "this is not a function");
        };
        let args = self.arguments(&function, &ty, args, body.span)?;
        let simple = |ty: &Type| ty.is_scalar() || *ty == Type::Void;
        if !simple(&ty.result.ty) || !args.iter().all(|arg| simple(&arg.ty.ty)) {
            return fail(body.span, "a thread cannot be given a struct, nor return one");
        }
        Ok(nothing(intrinsic(Intrinsic::Spawn(function, args), Type::SIZE, body.span), body.span))
    }

    /// A call of a function that is not defined; `declared` is the result type that the program
    /// declares for it. `None` if nothing is known about the name.
    pub fn foreign_call(
        &mut self,
        name: &str,
        declared: Option<&QualType>,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        let nondet = match name {
            "__VERIFIER_nondet" | "nondet" => Some("int"),
            _ => name.strip_prefix("__VERIFIER_nondet_").or(name.strip_prefix("nondet_")),
        };
        if let Some(kind) = nondet {
            return self.nondet(name, kind, declared, args, span);
        }
        if declared.is_some()
            && let Some(result) = self.library_by_hand(name, args, span)?
        {
            return Ok(Some(result));
        }
        use Intrinsic as I;
        let what = match (name, args) {
            ("__VERIFIER_assume" | "__CPROVER_assume", [cond]) => {
                let cond = Box::new(self.truth_of(cond, "the condition")?);
                I::Assume { cond, waits: false }
            }
            ("__VERIFIER_assert", [cond]) => {
                let text = self.sources.text(cond.span).to_string();
                I::Assert(self.truth_of(cond, "the condition")?, Claim::Program, text)
            }
            ("assert", [cond]) if declared.is_none() => {
                let text = self.sources.text(cond.span).to_string();
                I::Assert(self.truth_of(cond, "the condition")?, Claim::Program, text)
            }
            ("__CPROVER_assert" | "__CPROVER_precondition", [cond, text]) => {
                let text = self.literal_text(text)?;
                I::Assert(self.truth_of(cond, "the condition")?, Claim::Program, text)
            }
            ("__VERIFIER_error" | "reach_error", []) => I::Trap(format!("{name}() was called")),
            ("__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin", []) => I::AtomicBegin,
            ("__VERIFIER_atomic_end" | "__CPROVER_atomic_end", []) => I::AtomicEnd,
            ("__CPROVER_fence", kinds @ [_, ..]) => I::Fence(self.cprover_fence(kinds)?),
            ("__VERIFIER_spin_start" | "__VERIFIER_loop_begin", []) => {
                return Ok(Some(nothing(Expr::constant(0, Type::INT, span), span)));
            }
            ("__VERIFIER_spin_end" | "__VERIFIER_loop_bound", [value]) => {
                let value = self.scalar_value(value, "the argument")?;
                return Ok(Some(nothing(value, span)));
            }
            ("__CPROVER_cover", [value]) | ("__CPROVER_input" | "__CPROVER_output", [_, value]) => {
                let value = self.scalar_value(value, "the argument")?;
                return Ok(Some(nothing(value, span)));
            }
            (
                "__VERIFIER_assume" | "__CPROVER_assume" | "__VERIFIER_assert" | "__CPROVER_assert"
                | "__CPROVER_fence",
                _,
            ) => return wrong_count(name, span),
            _ => return Ok(None),
        };
        Ok(Some(intrinsic(what, Type::Void, span)))
    }

    /// Any value of the type that the program declares, or that the name says.
    fn nondet(
        &mut self,
        name: &str,
        kind: &str,
        declared: Option<&QualType>,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        if !args.is_empty() {
            return wrong_count(name, span);
        }
        let ty = match declared {
            Some(ty) => ty.ty.clone(),
            None => match named_kind(kind) {
                Some(kind) => Type::Int(kind),
                None if kind == "float" => Type::Float(FloatKind::Float),
                None if kind == "double" => Type::DOUBLE,
                None => return Ok(None),
            },
        };
        if !ty.is_arithmetic() {
            return fail(span, format!("`{name}` can only give a number"));
        }
        if ty == Type::BOOL || kind == "bool" {
            let (low, high) =
                (Expr::constant(0, Type::INT, span), Expr::constant(1, Type::INT, span));
            let choice = intrinsic(Intrinsic::Choose(low, high), Type::INT, span);
            return Ok(Some(self.convert(choice, &ty)));
        }
        Ok(Some(intrinsic(Intrinsic::Any, ty, span)))
    }

    /// Functions of the C library that a program may declare by hand in place of a header.
    fn library_by_hand(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        use Intrinsic as I;
        let (what, ty) = match (name, args) {
            ("abort", []) => (self.abort(span), Type::Void),
            ("__assert_fail", [text, ..]) => (I::Trap(self.failed_assertion(text)?), Type::Void),
            ("exit", [status]) => (I::Exit(self.int_argument(status)?), Type::Void),
            ("_Exit" | "_exit", [status]) => (I::QuickExit(self.int_argument(status)?), Type::Void),
            ("malloc", [size]) => return self.malloc(size, span).map(Some),
            ("calloc", [count, size]) => {
                let (count, size) = (self.size_argument(count)?, self.size_argument(size)?);
                let kind = ExprKind::Binary(ast::BinaryOp::Mul, Box::new(count), Box::new(size));
                let size = Expr { kind, ty: Type::SIZE.into(), span };
                let align = Expr::constant(16, Type::SIZE, span);
                (I::Alloc { size, align, zeroed: true, holds: None }, Type::void_pointer())
            }
            ("free", [block]) => (I::Free(self.pointer_argument(block)?), Type::Void),
            ("printf", [format, values @ ..]) => {
                (I::Print(PrintTo::Stdout, self.pieces(format, values, span)?), Type::INT)
            }
            _ => return Ok(None),
        };
        Ok(Some(intrinsic(what, ty, span)))
    }

    /// The function of the embedded library that a program means by a name which it does not
    /// define.
    pub fn library_function(&self, name: &str) -> Option<FunctionId> {
        self.functions.get(&*format!("{PREFIX}{name}")).copied()
    }

    /// The function itself, or the library's if the program only declares it; and the type to call
    /// it by. That is the declared one, unless it says nothing about parameters or has integers of
    /// other widths, as a file that was preprocessed for a 32-bit machine has for `size_t`.
    pub fn from_library(
        &self,
        id: FunctionId,
        span: Span,
    ) -> Checked<(FunctionId, Rc<FunctionType>)> {
        let declared = &self.unit.functions[id];
        let theirs = &declared.ty;
        if declared.defined || self.own.contains(&declared.name) {
            return Ok((id, theirs.clone()));
        }
        let Some(found) = self.library_function(&declared.name) else {
            return Ok((id, theirs.clone()));
        };
        let ours = &self.unit.functions[found].ty;
        let mut pairs = theirs.params.iter().zip(&ours.params);
        let same_number = theirs.params.len() == ours.params.len();
        if theirs.unprototyped {
            return Ok((found, ours.clone()));
        }
        if same_number && pairs.clone().all(|(theirs, ours)| self.can_stand_for(theirs, ours)) {
            let bits = |ty: &QualType| match &ty.ty {
                Type::Float(kind) => Some(kind.width().bits()),
                other => self.scalar(other).map(|(bits, _)| bits),
            };
            let same_result =
                theirs.result.ty == Type::Void || bits(&theirs.result) == bits(&ours.result);
            let same = same_result && pairs.all(|(theirs, ours)| bits(theirs) == bits(ours));
            return Ok((found, if same { theirs.clone() } else { ours.clone() }));
        }
        let message = format!("`{}` is declared in a way that does not fit", declared.name);
        let name = self.unit.types.name_of(&Type::Function(ours.clone()));
        Err(Diagnostic::error(span, message)
            .also(declared.span, "it is declared here")
            .note(format!("the embedded library has `{}`", name.replace(PREFIX, "")))
            .into())
    }

    /// Whether an argument that is declared as `theirs` can be given to a parameter of ours: both
    /// integers, or both pointers, and what theirs points to is not smaller than we think.
    fn can_stand_for(&self, theirs: &QualType, ours: &QualType) -> bool {
        let size = |ty: &QualType| ty.ty.pointee().and_then(|to| self.unit.types.size_of(&to.ty));
        let large_enough = match (size(theirs), size(ours)) {
            (Some(theirs), Some(ours)) => theirs >= ours,
            _ => true,
        };
        let pointers = theirs.ty.is_pointer() && ours.ty.is_pointer();
        let integers = theirs.ty.is_integer() && ours.ty.is_integer();
        let same = theirs.ty.is_float() && theirs.ty == ours.ty;
        integers || same || (pointers && large_enough)
    }

    /// Whether an object is a stream that a program declares but does not define.
    pub fn is_stream(&self, id: ObjectId) -> bool {
        let object = &self.unit.objects[id];
        !object.defined
            && STREAMS.contains(&&*object.name)
            && object.ty.ty.is_pointer()
            && self.objects.contains_key("__fp_streams")
    }

    /// The embedded library's stream in its place.
    pub fn stream(&mut self, id: ObjectId, span: Span) -> Checked<Expr> {
        use ast::ExprKind as A;
        let object = &self.unit.objects[id];
        let (name, ty) = (object.name.clone(), object.ty.ty.clone());
        let at = |kind| ast::Expr { kind, span };
        let number = STREAMS.iter().position(|stream| **stream == *name).unwrap_or_default();
        let streams = at(A::Ident("__fp_streams".into()));
        let element =
            at(A::Index(Box::new(streams), Box::new(builtins::integer(number as u128, span))));
        let stream = self.value(&at(A::AddressOf(Box::new(element))))?;
        Ok(self.convert(stream, &ty))
    }

    /// What glibc's `assert` calls, as it stands in preprocessed programs.
    fn failed_assertion(&mut self, text: &ast::Expr) -> Checked<String> {
        Ok(format!("assertion failed: {}", self.literal_text(text)?))
    }

    /// `__CPROVER_fence("WWfence", "RRfence", …)`: the directions that are kept in order. The
    /// kinds that end in `cumul` say what else they order for, which a directed fence implies.
    fn cprover_fence(&mut self, kinds: &[ast::Expr]) -> Checked<Fence> {
        let mut directions = Directions::default();
        for kind in kinds {
            match self.literal_text(kind)?.as_str() {
                "RRfence" => directions.load_load = true,
                "RWfence" => directions.load_store = true,
                "WRfence" => directions.store_load = true,
                "WWfence" => directions.store_store = true,
                "RRcumul" | "RWcumul" | "WRcumul" | "WWcumul" => {}
                other => return fail(kind.span, format!("there is no fence `{other}`")),
            }
        }
        Ok(Fence::Directed(directions))
    }
}

/// The value for its effects only.
fn nothing(value: Expr, span: Span) -> Expr {
    let kind = ExprKind::Convert { value: Box::new(value), written: false };
    Expr { kind, ty: Type::Void.into(), span }
}

fn named_kind(name: &str) -> Option<IntKind> {
    Some(match name {
        "bool" => IntKind::Bool,
        "char" => IntKind::Char,
        "schar" => IntKind::SChar,
        "uchar" | "u8" => IntKind::UChar,
        "short" => IntKind::Short,
        "ushort" | "u16" => IntKind::UShort,
        "int" => IntKind::Int,
        "uint" | "unsigned" | "unsigned_int" | "u32" => IntKind::UInt,
        "long" | "loff_t" => IntKind::Long,
        "ulong" | "size_t" | "sizet" | "u64" => IntKind::ULong,
        "longlong" => IntKind::LongLong,
        "ulonglong" => IntKind::ULongLong,
        "int128" => IntKind::Int128,
        "uint128" => IntKind::UInt128,
        _ => return None,
    })
}
