//! Finds what must be rewritten in a checked program: accesses at given places, fences, and the
//! functions of the library that the runtime replaces.
//!
//! What stands in a macro of the program's own is not rewritten here: its use is reported, to be
//! replaced by what it stands for, and the program is searched again. What the program calls of the
//! library by a macro of the library (`atomic_store`) is rewritten by its name.
//!
//! Soundness S-470 (instrument; all; refuses): Accesses that must be delayed are refused where they
//! are of a whole structure, a bit-field, a floating-point number, more than eight bytes, a local of
//! a function that may return while others use it, the initial value of a local, made by a function
//! of the library other than mutexes and `free`, or made in the program's own atomic sections. Test:
//! crates/fencepost/tests/instrument.rs::what_cannot_be_rewritten_is_refused_at_its_line.

use crate::edit::Edits;
use crate::names::{Operation, in_runtime, operation};
use crate::needs::Needs;
use crate::rewrite::{Operator, operator_of};
use execution::diagnostic::Diagnostic;
use execution::ids::Id;
use execution::span::{FileId, Location, SourceMap, Span};
use front_c::sema::tree::{
    Atomic, Callee, Expected, Expr, ExprKind, Function, Intrinsic, LocalInit, Piece, Stmt,
    StmtKind, Unit,
};
use front_c::sema::types::Type;
use ir::order::{Directions, Fence};
use std::collections::{BTreeMap, BTreeSet};

/// What must be rewritten at a place.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Whether something is read there.
    pub reads: bool,
    /// Whether something is written there.
    pub writes: bool,
    /// What the source calls it.
    pub path: Option<String>,
    /// Whether it may be a local of a call that may return while other threads run.
    pub is_local: bool,
    /// Its number, for machines that must know where an access is.
    pub number: Option<usize>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// Uses of macros that must be replaced first.
    pub expand: BTreeSet<(usize, u32, u32)>,
    /// The changes.
    pub edits: Edits,
    /// What the runtime must have.
    pub needs: Needs,
    /// What cannot be rewritten.
    pub refused: Vec<Diagnostic>,
    /// See [`integers`].
    pub integers: Vec<String>,
}

/// Searches a program for what is at given places.
pub fn find(unit: &Unit, sources: &SourceMap, wanted: &BTreeMap<Location, Wanted>) -> Found {
    let waits = wanted.values().any(|wanted| wanted.number.is_some());
    let (done, found) = (BTreeMap::new(), Found::default());
    let mut finder = Finder { unit, sources, wanted, waits, done, found };
    for function in unit.functions.iter() {
        if !sources.is_library(function.span) {
            finder.function(function);
        }
    }
    finder.rest();
    finder.texts();
    finder.found.integers = integers(unit, sources);
    finder.found
}

/// The integer variables at file scope, or static ones: what a test can compare in the end.
pub fn integers(unit: &Unit, sources: &SourceMap) -> Vec<String> {
    let own = unit.objects.iter().filter(|object| {
        let is_integer = matches!(&object.ty.ty, Type::Int(kind) if kind.bits() <= 64);
        is_integer && !object.thread_local && !sources.is_library(object.span)
    });
    own.map(|object| object.name.to_string()).collect()
}

pub(crate) struct Finder<'a> {
    unit: &'a Unit,
    pub(crate) sources: &'a SourceMap,
    wanted: &'a BTreeMap<Location, Wanted>,
    /// Whether what fails must wait first.
    waits: bool,
    /// What was rewritten at each place: whether it reads, and whether it writes.
    done: BTreeMap<Location, (bool, bool)>,
    pub(crate) found: Found,
}

/// What an expression does.
const READS: (bool, bool) = (true, false);
const WRITES: (bool, bool) = (false, true);
const UPDATES: (bool, bool) = (true, true);

impl Finder<'_> {
    fn function(&mut self, function: &Function) {
        let Some(body) = &function.body else { return };
        if &*function.name == "main" {
            let ends = matches!(body.block.last(), Some(Stmt { kind: StmtKind::Return(_), .. }));
            self.main(function, body.end, ends);
        }
        self.statements(&body.block);
    }

    /// `main` becomes a function that the runtime calls.
    fn main(&mut self, function: &Function, end: Span, ends: bool) {
        let named = self.sources.call_site(function.span);
        let text = self.sources.text(named);
        let Some(at) = text.find("main").filter(|_| function.span.expansion.is_none()) else {
            return self.refuse(named, "a `main` that a macro defines");
        };
        let start = named.start as usize + at;
        self.found.edits.replace(named.file, (start, start + "main".len()), "weak_main");
        self.found.needs.arguments = !function.ty.params.is_empty();
        if !ends {
            let at = end.end as usize - 1;
            self.found.edits.open(end.file, at, "return 0; ");
        }
    }

    fn statements(&mut self, statements: &[Stmt]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expr(expr) | StmtKind::ComputedGoto(expr) => self.expr(expr),
            StmtKind::Local(_, Some(LocalInit::Value(value))) => self.expr(value),
            StmtKind::Local(_, Some(LocalInit::Parts(parts))) => {
                parts.iter().for_each(|part| self.expr(&part.value));
            }
            StmtKind::Block(statements) => self.statements(statements),
            StmtKind::If { cond, then, otherwise } => {
                self.expr(cond);
                self.statement(then);
                otherwise.iter().for_each(|statement| self.statement(statement));
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.expr(cond);
                self.statement(body);
            }
            StmtKind::For { init, cond, step, body } => {
                [init, cond, step].into_iter().flatten().for_each(|expr| self.expr(expr));
                self.statement(body);
            }
            StmtKind::Switch { value, body, .. } => {
                self.expr(value);
                self.statement(body);
            }
            StmtKind::Label(_, body) => self.statement(body),
            StmtKind::Return(Some(value)) => self.expr(value),
            StmtKind::Atomic(_) => self.refuse(statement.span, "an atomic section"),
            StmtKind::Cleanup { body, call } => {
                self.statement(body);
                self.expr(call);
            }
            _ => {}
        }
    }

    pub(crate) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place) => match self.takes(place.span, READS) {
                true => self.load(place),
                false => self.expr(place),
            },
            ExprKind::Assign(target, value) => match self.takes(expr.span, WRITES) {
                true => self.assignment(expr, target, value),
                false => self.both(target, value),
            },
            ExprKind::CompoundAssign { op, target, value, .. } => {
                match self.takes(expr.span, UPDATES) {
                    true => self.compound(expr, operator_of(*op), target, value),
                    false => self.both(target, value),
                }
            }
            ExprKind::Increment { target, down, postfix } => match self.takes(expr.span, UPDATES) {
                true => self.increment(expr, target, *down, *postfix),
                false => self.expr(target),
            },
            ExprKind::Atomic(atomic) => self.atomic(expr, atomic),
            ExprKind::Intrinsic(intrinsic) => self.intrinsic(expr, intrinsic),
            ExprKind::Call { callee, args } => self.call(expr, callee, args),
            ExprKind::Function(id) => self.mentions(&self.unit.functions[*id].name.clone()),
            ExprKind::Statement(statements, value) => {
                self.statements(statements);
                value.iter().for_each(|value| self.expr(value));
            }
            ExprKind::Literal(_, parts) => parts.iter().for_each(|part| self.expr(&part.value)),
            ExprKind::Deref(inner)
            | ExprKind::Decay(inner)
            | ExprKind::AddressOf(inner)
            | ExprKind::Negate(inner)
            | ExprKind::BitNot(inner)
            | ExprKind::Not(inner)
            | ExprKind::Member { base: inner, .. }
            | ExprKind::Convert { value: inner, .. } => self.expr(inner),
            ExprKind::Index(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::PointerAdd { pointer: a, index: b, .. }
            | ExprKind::PointerDiff(a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Elvis(a, b)
            | ExprKind::Comma(a, b) => self.both(a, b),
            ExprKind::Conditional(a, b, c) => {
                self.both(a, b);
                self.expr(c);
            }
            ExprKind::Const(_) | ExprKind::Local(_) | ExprKind::Object(_) => {}
        }
    }

    fn both(&mut self, a: &Expr, b: &Expr) {
        self.expr(a);
        self.expr(b);
    }

    fn atomic(&mut self, expr: &Expr, atomic: &Atomic) {
        let (what, operands): (_, Vec<&Expr>) = match atomic {
            Atomic::Load { pointer, .. } => (READS, vec![pointer]),
            Atomic::Store { pointer, value, .. } => (WRITES, vec![pointer, value]),
            Atomic::Rmw { pointer, value, .. } => (UPDATES, vec![pointer, value]),
            Atomic::LoadExclusive { pointer, .. } => (READS, vec![pointer]),
            Atomic::StoreExclusive { pointer, value, .. } => (WRITES, vec![pointer, value]),
            Atomic::Cas { pointer, expected, desired, .. } => {
                let (Expected::At(at) | Expected::Success(at) | Expected::Old(at)) = expected;
                (UPDATES, vec![pointer, at, desired])
            }
        };
        if self.takes(expr.span, what) {
            self.operation(expr, atomic);
        }
        operands.into_iter().for_each(|operand| self.expr(operand));
    }

    /// An operation is called by the name that the runtime gives it.
    fn operation(&mut self, expr: &Expr, atomic: &Atomic) {
        let span = expr.span;
        let Some((file, (start, end))) = self.name_at(span) else {
            return self.refuse(span, "an atomic operation in this form");
        };
        let name = self.sources.file(file).text[start..end].to_string();
        let known = operation(&name);
        let pointer = match atomic {
            Atomic::Load { pointer, .. }
            | Atomic::Store { pointer, .. }
            | Atomic::Rmw { pointer, .. }
            | Atomic::Cas { pointer, .. }
                if known.is_some() =>
            {
                pointer
            }
            _ => return self.in_a_macro(expr, &[], &format!("`{name}`")),
        };
        let Type::Pointer(target) = &pointer.ty.ty else { return };
        let target = target.clone();
        if !self.is_scalar(&target.ty, span) {
            return;
        }
        let scales = matches!(known, Some((Operation::Modify { .. }, _))) && target.ty.is_pointer();
        if scales && !name.starts_with("atomic_") {
            return self.refuse(span, "arithmetic on an atomic pointer");
        }
        if let Atomic::Cas { expected: Expected::At(at), .. } = atomic
            && !matches!(&at.kind, ExprKind::AddressOf(place) if matches!(place.kind, ExprKind::Local(_)))
        {
            return self.refuse(span, "a compare-and-swap whose expected value is not in a local");
        }
        let (open, close) = self.numbered(span);
        self.found.edits.replace(file, (start, end), &in_runtime(&name));
        if !open.is_empty() {
            let whole = self.sources.call_site(span);
            self.found.edits.open(file, whole.start as usize, &open);
            self.found.edits.close(file, whole.end as usize, close);
        }
        self.found.needs.operations.insert(name);
    }

    /// The name that an operation or a call is written with.
    fn name_at(&self, span: Span) -> Option<(FileId, (usize, usize))> {
        let site = self.sources.call_site(span);
        let text = self.sources.text(site);
        let skipped = text.len() - text.trim_start_matches(['(', ' ', '\n', '\t']).len();
        let rest = &text[skipped..];
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let start = site.start as usize + skipped;
        (length > 0).then_some((site.file, (start, start + length)))
    }

    fn intrinsic(&mut self, expr: &Expr, intrinsic: &Intrinsic) {
        match intrinsic {
            Intrinsic::Fence(Fence::Compiler) => {}
            Intrinsic::Fence(fence) => self.fence(expr.span, fence),
            Intrinsic::AtomicBegin | Intrinsic::AtomicEnd => {
                self.refuse(expr.span, "an atomic section");
            }
            Intrinsic::Spawn(..) | Intrinsic::Join(_) | Intrinsic::ThreadExit(_) => {
                self.refuse(expr.span, "threads in this form");
            }
            Intrinsic::Mcas(_) => self.refuse(expr.span, "a compare-and-swap of several words"),
            Intrinsic::Assert(inner, ..) => {
                self.claim(expr);
                self.expr(inner);
            }
            Intrinsic::Observe(_, inner)
            | Intrinsic::Free(inner)
            | Intrinsic::BlockSize(inner)
            | Intrinsic::Bytes(inner, _)
            | Intrinsic::DefinedOrZero(inner)
            | Intrinsic::Detach(inner)
            | Intrinsic::Exit(inner)
            | Intrinsic::QuickExit(inner)
            | Intrinsic::Bits(_, inner)
            | Intrinsic::Float(_, inner)
            | Intrinsic::Magnitude(inner)
            | Intrinsic::FindFirst(inner)
            | Intrinsic::Parity(inner)
            | Intrinsic::OperationEnd(Some(inner)) => self.expr(inner),
            Intrinsic::Assume { cond, .. } => self.expr(cond),
            Intrinsic::Choose(a, b) => self.both(a, b),
            Intrinsic::Alloc { size, align, .. } => self.both(size, align),
            Intrinsic::Overflow { a, b, result, .. } => {
                self.both(a, b);
                self.expr(result);
            }
            Intrinsic::Bulk { to, .. } => self.expr(to),
            Intrinsic::OperationBegin(_, values) => values.iter().for_each(|v| self.expr(v)),
            Intrinsic::Print(_, pieces) => {
                for piece in pieces {
                    if let Piece::Value { width, precision, value, .. } = piece {
                        width.iter().chain(precision).for_each(|expr| self.expr(expr));
                        self.expr(value);
                    }
                }
            }
            _ => {}
        }
    }

    fn fence(&mut self, span: Span, fence: &Fence) {
        if self.in_own_macro(span) {
            return;
        }
        let site = self.sources.call_site(span);
        let text = self.sources.text(site);
        self.found.needs.fences = true;
        if let Some(at) = text.find("atomic_thread_fence") {
            let at = if text[..at].ends_with("__") { at - 2 } else { at };
            let end = at + text[at..].find('(').unwrap_or(0);
            let range = (site.start as usize + at, site.start as usize + end);
            self.found.edits.replace(site.file, range, "weak_thread_fence");
            self.found.needs.thread_fences = true;
            return;
        }
        let Some(directions) = crate::rewrite::directions(fence) else {
            return self.refuse(span, "this fence");
        };
        let range = (site.start as usize, site.end as usize);
        self.found.edits.replace(site.file, range, &fence_call(directions));
    }

    fn call(&mut self, expr: &Expr, callee: &Callee, args: &[Expr]) {
        match callee {
            Callee::Direct(id) => {
                let function = &self.unit.functions[*id];
                let name = function.name.clone();
                if self.sources.is_library(function.span) {
                    self.mentions(&name);
                    self.library(expr, &name);
                    let attributes = args.get(1).filter(|_| &*name == "pthread_mutex_init");
                    if self.found.needs.mutexes && attributes.is_some_and(|a| !is_null(a)) {
                        self.refuse(expr.span, "a mutex with attributes");
                    }
                }
            }
            Callee::Indirect(pointer, _) => self.expr(pointer),
        }
        args.iter().for_each(|arg| self.expr(arg));
    }

    /// A call of the library that accesses what must be delayed.
    fn library(&mut self, expr: &Expr, name: &str) {
        let location = self.sources.location(expr.span);
        let Some(wanted) = self.wanted.get(&location) else { return };
        match name {
            _ if self.waits => {
                let what =
                    format!("what `{name}` does with memory that threads share, for this model");
                self.refuse(expr.span, &what);
            }
            "free" => self.found.needs.frees = true,
            _ if crate::needs::MUTEXES.contains(&name) => self.found.needs.mutexes = true,
            _ => {
                let what = wanted.path.as_ref().map_or(String::new(), |path| format!(" ({path})"));
                let what = format!("what `{name}` does with memory that threads share{what}");
                self.refuse(expr.span, &what);
            }
        }
        self.done.insert(location, UPDATES);
    }

    /// The runtime replaces some functions of the library.
    fn mentions(&mut self, name: &str) {
        self.found.needs.functions.insert(name.to_string());
    }

    /// The number of a place.
    pub(crate) fn number(&self, span: Span) -> Option<usize> {
        self.wanted.get(&self.sources.location(span)).and_then(|wanted| wanted.number)
    }

    /// A claim that fails waits until what led to it is an execution.
    fn claim(&mut self, expr: &Expr) {
        if !self.waits || self.in_own_macro(expr.span) {
            return;
        }
        match self.name_at(expr.span) {
            Some((file, (start, end))) if &self.sources.file(file).text[start..end] == "assert" => {
                self.found.edits.replace(file, (start, end), "weak_assert");
            }
            _ => self.refuse(expr.span, "a claim in this form"),
        }
    }

    /// Whether an expression must be rewritten here and now.
    fn takes(&mut self, span: Span, (reads, writes): (bool, bool)) -> bool {
        let location = self.sources.location(span);
        let Some(wanted) = self.wanted.get(&location) else { return false };
        if self.in_own_macro(span) {
            return false;
        }
        if wanted.is_local {
            self.refuse(span, "a local of a function that may return while other threads use it");
        }
        let done = self.done.entry(location).or_default();
        // What the text of a macro of the library has twice is written once.
        if (reads && done.0) || (writes && done.1) {
            return false;
        }
        *done = (done.0 || reads, done.1 || writes);
        true
    }

    /// Whether what is here stands in a macro of the program's own, which is noted.
    pub(crate) fn in_own_macro(&mut self, span: Span) -> bool {
        let Some(&outermost) = self.sources.expansions_of(span).last() else { return false };
        let expansion = self.sources.expansion(outermost);
        let own = expansion.definition.is_none_or(|at| !self.sources.is_library(at));
        if own {
            let site = expansion.call_site;
            self.found.expand.insert((site.file.index(), site.start, site.end));
        }
        own
    }

    /// Whether the runtime can keep values of a type.
    pub(crate) fn is_scalar(&mut self, ty: &Type, span: Span) -> bool {
        let what = match ty {
            Type::Pointer(_) | Type::Enum(_) => return true,
            Type::Int(kind) if kind.bits() <= 64 => return true,
            Type::Int(_) => "an access of sixteen bytes",
            Type::Float(_) => "a floating-point number that threads share",
            Type::Bits { .. } => "a bit-field that threads share",
            Type::Record(_) => "an access of a whole structure that threads share",
            _ => "an access of this type",
        };
        self.refuse(span, what);
        false
    }

    pub(crate) fn refuse(&mut self, span: Span, what: &str) {
        let message = format!("`fencepost instrument` cannot rewrite {what}");
        let diagnostic = Diagnostic::error(self.sources.call_site(span), message)
            .note("it is on a critical cycle, or shares an object with one");
        if !self.found.refused.contains(&diagnostic) {
            self.found.refused.push(diagnostic);
        }
    }

    /// What the text of the user's files takes for granted.
    fn texts(&mut self) {
        let files = self.sources.files().filter(|file| !file.is_library());
        let text: Vec<&str> = files.map(|file| &*file.text).collect();
        let has = |word: &str| text.iter().any(|text| text.contains(word));
        self.found.needs.names_gnu_source = has("_GNU_SOURCE");
        self.found.needs.writes_asm = has("asm volatile") || has("asm(") || has("asm (");
        if self.found.needs.mutexes && has("MUTEX_INITIALIZER_NP") {
            let message = "`fencepost instrument` cannot rewrite mutexes with a type of their own";
            self.found.refused.push(Diagnostic::general(message));
        }
    }

    /// What must be rewritten and was not found.
    fn rest(&mut self) {
        if !self.found.expand.is_empty() {
            return;
        }
        for (location, wanted) in self.wanted {
            let done = self.done.get(location).copied().unwrap_or_default();
            if (wanted.reads && !done.0) || (wanted.writes && !done.1) {
                let what = match &wanted.path {
                    Some(path) => format!("what is done with {path} here"),
                    None => "an access here".to_string(),
                };
                match self.sources.span_of(location) {
                    Some(span) => self.refuse(span, &what),
                    None => self.found.refused.push(Diagnostic::general(format!(
                        "`fencepost instrument` cannot rewrite {what}: {location}"
                    ))),
                }
            }
        }
    }

    /// An operator in the text between two positions, comments not counted.
    pub(crate) fn find_operator(&self, (file, from, to): Operator, spelled: &str) -> Option<usize> {
        let text = self.sources.file(file).text.get(from..to)?;
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            if rest.starts_with("/*") {
                at += rest.find("*/")? + 2;
            } else if rest.starts_with("//") {
                at += rest.find('\n')?;
            } else if rest.starts_with(spelled) {
                return Some(from + at);
            } else {
                at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
        None
    }
}

fn is_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Convert { value, .. } => is_null(value),
        _ => expr.as_const() == Some(0),
    }
}

fn fence_call(directions: Directions) -> String {
    let kinds = [
        (directions.load_load, "WEAK_LOAD_LOAD"),
        (directions.load_store, "WEAK_LOAD_STORE"),
        (directions.store_load, "WEAK_STORE_LOAD"),
        (directions.store_store, "WEAK_STORE_STORE"),
    ];
    let kinds: Vec<&str> = kinds.iter().filter(|(on, _)| *on).map(|&(_, name)| name).collect();
    match kinds.is_empty() {
        true => "weak_fence(0)".to_string(),
        false => format!("weak_fence({})", kinds.join(" | ")),
    }
}
