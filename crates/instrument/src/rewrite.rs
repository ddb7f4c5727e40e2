//! How accesses are written after the rewriting: each becomes a macro of the runtime around the
//! user's own words.

use crate::sites::Finder;
use execution::span::{FileId, Span};
use front_c::ast::BinaryOp;
use front_c::sema::tree::{Expr, ExprKind};
use ir::order::{Directions, Fence};

/// A range of a file in which an operator is.
pub(crate) type Operator = (FileId, usize, usize);

impl Finder<'_> {
    /// `x` becomes `weak_load(x)`.
    pub(crate) fn load(&mut self, place: &Expr) {
        if !self.is_place(place) {
            return;
        }
        let span = self.sources.call_site(place.span);
        let name = if place.ty.quals.is_atomic { "weak_load_seq_cst" } else { "weak_load" };
        self.found.needs.forms.insert(name.into());
        let (open, close) = self.numbered(place.span);
        self.found.edits.open(span.file, span.start as usize, &format!("{open}{name}("));
        self.expr(place);
        self.found.edits.close(span.file, span.end as usize, &format!("){close}"));
    }

    /// `x = v` becomes `weak_store(x, v)`.
    pub(crate) fn assignment(&mut self, expr: &Expr, target: &Expr, value: &Expr) {
        let name = if target.ty.quals.is_atomic { "weak_store_seq_cst" } else { "weak_store" };
        self.infix(expr, (target, value), "=", (name, ","));
    }

    /// `x += v` becomes `weak_update(x, +, v)`.
    pub(crate) fn compound(&mut self, expr: &Expr, op: &str, target: &Expr, value: &Expr) {
        let name = if target.ty.quals.is_atomic { "weak_update_seq_cst" } else { "weak_update" };
        self.infix(expr, (target, value), &format!("{op}="), (name, &format!(", {op},")));
    }

    fn infix(
        &mut self,
        expr: &Expr,
        (target, value): (&Expr, &Expr),
        operator: &str,
        (name, separator): (&str, &str),
    ) {
        if !self.is_place(target) {
            return;
        }
        let (left, right) =
            (self.sources.call_site(target.span), self.sources.call_site(value.span));
        let between = (left.file, left.end as usize, right.start as usize);
        let Some(at) = self.find_operator(between, operator).filter(|_| left.file == right.file)
        else {
            return self.in_a_macro(expr, &[target, value], "an assignment in this form");
        };
        self.found.needs.forms.insert(name.into());
        let (open, close) = self.numbered(expr.span);
        self.target(left, &format!("{open}{name}"), |finder| finder.expr(target));
        let text = &self.sources.file(left.file).text;
        let blank = text[left.end as usize..at].trim().is_empty()
            && !text[left.end as usize..at].contains('\n');
        let start = if blank { left.end as usize } else { at };
        self.found.edits.replace(left.file, (start, at + operator.len()), separator);
        self.expr(value);
        self.found.edits.close(right.file, right.end as usize, &format!("){close}"));
    }

    /// What makes the number of a place known to an access there, before and after it.
    pub(crate) fn numbered(&self, span: Span) -> (String, &'static str) {
        match self.number(span) {
            Some(number) => (format!("weak_place({number}, "), ")"),
            None => (String::new(), ""),
        }
    }

    /// `x++` becomes `weak_post_update(x, +, 1)`, and `++x` `weak_update(x, +, 1)`.
    pub(crate) fn increment(&mut self, expr: &Expr, target: &Expr, down: bool, postfix: bool) {
        if !self.is_place(target) {
            return;
        }
        let spelled = if down { "--" } else { "++" };
        let (whole, inner) =
            (self.sources.call_site(expr.span), self.sources.call_site(target.span));
        let name = match (target.ty.quals.is_atomic, postfix) {
            (true, true) => "weak_post_update_seq_cst",
            (true, false) => "weak_update_seq_cst",
            (false, true) => "weak_post_update",
            (false, false) => "weak_update",
        };
        let range = match postfix {
            true => (inner.file, inner.end as usize, whole.end as usize),
            false => (inner.file, whole.start as usize, inner.start as usize),
        };
        let Some(at) = self.find_operator(range, spelled).filter(|_| inner.file == whole.file)
        else {
            return self.in_a_macro(expr, &[target], "an increment in this form");
        };
        self.found.needs.forms.insert(name.into());
        if !postfix {
            self.found.edits.replace(inner.file, (at, at + 2), "");
        }
        let (open, close) = self.numbered(expr.span);
        self.target(inner, &format!("{open}{name}"), |finder| finder.expr(target));
        let last = format!(", {}, 1){close}", &spelled[..1]);
        match postfix {
            true => self.found.edits.replace(inner.file, (at, at + 2), &last),
            false => self.found.edits.close(inner.file, inner.end as usize, &last),
        }
    }

    /// What is written across the edge of a macro of the program's own is written anew when that is
    /// replaced; anything else is refused.
    pub(crate) fn in_a_macro(&mut self, expr: &Expr, parts: &[&Expr], what: &str) {
        if parts.iter().filter(|part| self.in_own_macro(part.span)).count() == 0 {
            self.refuse(expr.span, what);
        }
    }

    /// The first argument of a macro: commas in it are put in parentheses.
    fn target(&mut self, span: Span, name: &str, inner: impl FnOnce(&mut Self)) {
        let (open, close) = match self.sources.text(span).contains(',') {
            true => ("((", ")"),
            false => ("(", ""),
        };
        self.found.edits.open(span.file, span.start as usize, &format!("{name}{open}"));
        inner(self);
        if !close.is_empty() {
            self.found.edits.close(span.file, span.end as usize, close);
        }
    }

    /// Whether the runtime can access a place.
    fn is_place(&mut self, place: &Expr) -> bool {
        if let ExprKind::Member { bits: Some(_), .. } = &place.kind {
            self.refuse(place.span, "a bit-field that threads share");
            return false;
        }
        self.is_scalar(&place.ty.ty.clone(), place.span)
    }
}

/// How an operator is written.
pub(crate) fn operator_of(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        _ => "|",
    }
}

/// What a fence orders, as `lib/directed-fences.cat` says; nothing for one that it does not know.
pub(crate) fn directions(fence: &Fence) -> Option<Directions> {
    let all = |load_load, load_store, store_load, store_store| {
        Some(Directions { load_load, load_store, store_load, store_store })
    };
    let name = match fence {
        Fence::Directed(directions) => return Some(*directions),
        Fence::C11(_) => return all(true, true, true, true),
        Fence::Compiler => return all(false, false, false, false),
        Fence::Named(name) => name.to_ascii_lowercase(),
    };
    match name.as_str() {
        "mfence" | "sync" | "dmb" | "dsb" | "dmb.sy" | "dmb.ish" | "dmb.osh" | "dmb.nsh"
        | "dsb.sy" | "dsb.ish" | "dsb.osh" | "dsb.nsh" | "fence.rw.rw" => {
            all(true, true, true, true)
        }
        "lwsync" | "fence.tso" => all(true, true, false, true),
        "dmb.ld" | "dmb.ishld" | "dmb.oshld" | "dsb.ld" | "dsb.ishld" | "dsb.oshld"
        | "fence.r.rw" => all(true, true, false, false),
        "dmb.st" | "dmb.ishst" | "dmb.oshst" | "dsb.st" | "dsb.ishst" | "dsb.oshst" | "eieio"
        | "fence.w.w" => all(false, false, false, true),
        "fence.r.r" => all(true, false, false, false),
        "fence.r.w" => all(false, true, false, false),
        "fence.w.r" => all(false, false, true, false),
        "fence.w.rw" => all(false, false, true, true),
        "fence.rw.r" => all(true, false, true, false),
        "fence.rw.w" => all(false, true, false, true),
        "sfence" | "lfence" => all(false, false, false, false),
        _ => None,
    }
}
