//! Functions that a program declares, or just calls, but does not define: those of other tools'
//! benchmarks (SV-COMP's `__VERIFIER_*`, CBMC's `__CPROVER_*`) and the few of the C library that
//! such programs declare by hand.
//!
//! A definition in the program always wins. Where the program declares a result type, a
//! nondeterministic value has that type, so that every spelling of the declarations works.

use super::atomic::{intrinsic, wrong_count};
use super::tree::{Expr, ExprKind, Intrinsic, PrintTo, Stmt, StmtKind};
use super::types::{IntKind, QualType, Type};
use super::{Checked, Sema, fail};
use crate::ast;
use execution::span::{SourceMap, Span};
use ir::order::{Directions, Fence};
use std::collections::HashSet;
use std::rc::Rc;

/// The names of all functions that a program defines itself, outside the embedded headers.
pub fn own_functions(unit: &ast::Unit, sources: &SourceMap) -> HashSet<Rc<str>> {
    let is_own = |span: Span| !sources.file(span.file).name.starts_with('<');
    let names = unit.items.iter().filter_map(|item| match item {
        ast::Item::Function(function) => function.declarator.name.as_ref(),
        _ => None,
    });
    names.filter(|name| is_own(name.span)).map(|name| name.name.clone()).collect()
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
    /// A call of a function that is not defined; `declared` is the result type that the program
    /// declares for it. `None` if nothing is known about the name.
    pub fn foreign_call(
        &mut self,
        name: &str,
        declared: Option<&QualType>,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        if let Some(kind) = name.strip_prefix("__VERIFIER_nondet_") {
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
                I::Assume(self.scalar_value(cond, "the condition")?)
            }
            ("__VERIFIER_assert", [cond]) => {
                let text = self.sources.text(cond.span).to_string();
                I::Assert(self.scalar_value(cond, "the condition")?, text)
            }
            ("__CPROVER_assert", [cond, text]) => {
                let text = self.literal_text(text)?;
                I::Assert(self.scalar_value(cond, "the condition")?, text)
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
                None => return Ok(None),
            },
        };
        if !ty.is_integer() {
            return fail(span, format!("`{name}` can only give an integer"));
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
            ("abort", []) => (I::Trap("abort() was called".into()), Type::Void),
            ("__assert_fail", [text, ..]) => (I::Trap(self.failed_assertion(text)?), Type::Void),
            ("exit" | "_Exit", [status]) => (I::Exit(self.int_argument(status)?), Type::Void),
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
