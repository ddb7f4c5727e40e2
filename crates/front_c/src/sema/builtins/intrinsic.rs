//! Fencepost's own built-ins: `__fp_assert`, `__fp_choose`, `__fp_print` and the others.

use crate::ast;
use crate::lower::format::{self, Argument, Count};
use crate::sema::assembly;
use crate::sema::atomics::{intrinsic, wrong_count};
use crate::sema::expressions::literal;
use crate::sema::tree::{Expr, Intrinsic, Piece, PrintTo};
use crate::sema::types::{IntKind, Type};
use crate::sema::{Checked, Fail, Sema, fail, refuse};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use ir::op::{Claim, PrintFormat};
use ir::order::{Directions, Fence};

/// A native function may read this many bytes through a pointer.
const MOST_BYTES: u32 = 256;

impl Sema<'_> {
    /// A value that says by itself which number it is: what is observed is read as signed, so what
    /// has no sign is widened.
    fn with_its_sign(&self, value: Expr) -> Expr {
        let wide = match value.ty.ty {
            Type::Int(IntKind::Bool) => return value,
            Type::Int(kind) if kind.is_signed() || kind.bits() > 64 => return value,
            Type::Int(kind) if kind.bits() == 64 => IntKind::Int128,
            Type::Int(_) => IntKind::Long,
            _ => return value,
        };
        self.convert(value, &Type::Int(wide))
    }

    /// An observed value; of an array, the address would say nothing.
    fn observed(&mut self, value: &ast::Expr) -> Checked<Expr> {
        let name = match &value.kind {
            ast::ExprKind::Ident(name) => &**name,
            _ => "…",
        };
        let value = self.expr(value)?;
        let part = match &value.ty.ty {
            Type::Array(element, _) if matches!(element.ty, Type::Array(..)) => {
                format!("its elements can be observed, as `{name}[0][0]`")
            }
            Type::Array(..) | Type::Variable(..) => {
                format!("its elements can be observed, as `{name}[0]`")
            }
            Type::Record(id) => {
                let body = self.unit.types.records[*id].body.as_ref();
                let mut fields = body.iter().flat_map(|body| &body.fields);
                let first = fields.find_map(|field| field.name.as_deref()).unwrap_or("…");
                format!("its members can be observed, as `{name}.{first}`")
            }
            _ => {
                let value = self.rvalue(value)?;
                self.must_be_scalar(&value, "an observed value")?;
                return Ok(self.with_its_sign(value));
            }
        };
        let ty = self.unit.types.name(&value.ty);
        let message = format!("an observed value must be a number or a pointer, not `{ty}`");
        Err(Diagnostic::error(value.span, message).note(part).into())
    }

    /// A call of `__fp_…`; `None` if there is none of this name.
    pub fn fencepost_builtin(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        use Intrinsic as I;
        let (what, ty) = match (name, args) {
            ("assert" | "require" | "supported", [cond, text]) => {
                let named = |claim: &Claim| claim.name() == name;
                let claim = Claim::ALL.into_iter().find(named).expect("one of these");
                let cond = self.truth_of(cond, "the condition")?;
                (I::Assert(cond, claim, self.literal_text(text)?), Type::Void)
            }
            ("assume", [cond]) => {
                let cond = Box::new(self.truth_of(cond, "the condition")?);
                (I::Assume { cond, waits: true }, Type::Void)
            }
            ("choose", [low, high]) => {
                (I::Choose(self.int_argument(low)?, self.int_argument(high)?), Type::INT)
            }
            ("any_u8", []) => (I::Any, Type::Int(IntKind::UChar)),
            ("any_u16", []) => (I::Any, Type::Int(IntKind::UShort)),
            ("any_u32", []) => (I::Any, Type::UINT),
            ("any_u64", []) => (I::Any, Type::SIZE),
            ("observe", [label, value]) => {
                let label = self.literal_text(label)?;
                (I::Observe(label, self.observed(value)?), Type::Void)
            }
            ("commit", [label]) => (I::Commit(self.literal_text(label)?), Type::Void),
            ("atomic_begin", []) => (I::AtomicBegin, Type::Void),
            ("atomic_end", []) => (I::AtomicEnd, Type::Void),
            ("fence", [kind]) => (I::Fence(self.named_fence(kind)?), Type::Void),
            ("cas", _) => return self.plain_cas(args, span).map(Some),
            ("dcas", _) => return self.dcas(args, span).map(Some),
            ("alloc", [size, align, zeroed]) => {
                let holds = self.allocated_type(size);
                let size = self.size_argument(size)?;
                let align = self.size_argument(align)?;
                let zeroed = self.integer_number(zeroed, "whether a block is zeroed")? != 0;
                (I::Alloc { size, align, zeroed, holds }, Type::void_pointer())
            }
            ("free", [p]) => (I::Free(self.pointer_argument(p)?), Type::Void),
            ("defined_or_zero", [value]) => {
                (I::DefinedOrZero(self.size_argument(value)?), Type::SIZE)
            }
            ("members", [p]) => (I::Members(self.pointer_argument(p)?), Type::SIZE),
            ("bytes", [pointer, length]) => {
                let what = "the number of bytes";
                let number = self.integer_number(length, what)?;
                let Some(number) =
                    u32::try_from(number).ok().filter(|n| (1..=MOST_BYTES).contains(n))
                else {
                    let text = format!("{what} must be between 1 and {MOST_BYTES}");
                    return fail(length.span, text);
                };
                (I::Bytes(self.pointer_argument(pointer)?, number), Type::void_pointer())
            }
            ("block_size", [p]) => (I::BlockSize(self.pointer_argument(p)?), Type::SIZE),
            ("spawn", [function, args @ ..]) if !args.is_empty() => {
                let function = self.value(function)?;
                let args: Checked<Vec<Expr>> =
                    args.iter().map(|arg| self.pointer_argument(arg)).collect();
                let args = args?;
                self.check_thread_function(&function, args.len())?;
                (I::Spawn(function, args), Type::SIZE)
            }
            ("has_destructors", []) => (I::HasDestructors, Type::BOOL),
            ("join", [handle]) => (I::Join(self.size_argument(handle)?), Type::void_pointer()),
            ("detach", [handle]) => (I::Detach(self.size_argument(handle)?), Type::Void),
            ("self", []) => (I::SelfHandle, Type::SIZE),
            ("thread_exit", [value]) => (I::ThreadExit(self.pointer_argument(value)?), Type::Void),
            ("yield", []) => (I::Yield, Type::Void),
            ("exit", [status]) => (I::Exit(self.int_argument(status)?), Type::Void),
            ("quick_exit", [status]) => (I::QuickExit(self.int_argument(status)?), Type::Void),
            ("trap", [text]) => (I::Trap(self.literal_text(text)?), Type::Void),
            ("op_begin", [label, values @ ..]) => {
                let label = self.literal_text(label)?;
                let values: Checked<Vec<Expr>> =
                    values.iter().map(|value| self.scalar_value(value, "an argument")).collect();
                (I::OperationBegin(label, values?), Type::Void)
            }
            ("op_end", []) => (I::OperationEnd(None), Type::Void),
            ("op_end", [value]) => {
                (I::OperationEnd(Some(self.scalar_value(value, "a result")?)), Type::Void)
            }
            ("print", [fd, format, values @ ..]) => {
                let to = match self.integer_number(fd, "the stream")? {
                    1 => PrintTo::Stdout,
                    2 => PrintTo::Stderr,
                    _ => return refuse(fd.span, "only the streams 1 and 2 can be printed to"),
                };
                (I::Print(to, self.pieces(format, values, span)?), Type::INT)
            }
            ("snprint", [buffer, size, format, values @ ..]) => {
                let to = PrintTo::Buffer(self.pointer_argument(buffer)?, self.size_argument(size)?);
                (I::Print(to, self.pieces(format, values, span)?), Type::INT)
            }
            (
                "assert" | "require" | "supported" | "assume" | "choose" | "observe" | "commit"
                | "fence" | "alloc" | "free" | "spawn" | "join" | "exit" | "trap" | "print"
                | "snprint",
                _,
            ) => return wrong_count(&format!("__fp_{name}"), span),
            _ => return Ok(None),
        };
        Ok(Some(intrinsic(what, ty, span)))
    }

    /// A string literal that is read when the program is compiled.
    pub fn literal_text(&mut self, expr: &ast::Expr) -> Checked<String> {
        match &expr.kind {
            ast::ExprKind::String(string) => Ok(literal::text(string)),
            ast::ExprKind::Extension(inner) => self.literal_text(inner),
            _ => fail(expr.span, "this must be a string literal"),
        }
    }

    pub(crate) fn int_argument(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let value = self.value(expr)?;
        self.assign_to(value, &Type::INT.into(), "the argument")
    }

    pub(crate) fn size_argument(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let value = self.value(expr)?;
        self.assign_to(value, &Type::SIZE.into(), "the argument")
    }

    pub(crate) fn pointer_argument(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let value = self.value(expr)?;
        self.must_be_scalar(&value, "the argument")?;
        Ok(self.convert(value, &Type::void_pointer()))
    }

    fn check_thread_function(&self, function: &Expr, args: usize) -> Checked<()> {
        if let Some(Type::Function(ty)) = function.ty.ty.pointee().map(|to| &to.ty)
            && (ty.params.len() == args || ty.unprototyped)
            && ty.params.iter().all(|param| param.ty.is_pointer())
            && (ty.result.ty.is_pointer() || ty.result.ty == Type::Void)
        {
            return Ok(());
        }
        fail(function.span, "a thread runs a function of type `void *(void *)`")
    }

    /// The type in `sizeof(type)` or `n * sizeof(type)`.
    pub(crate) fn allocated_type(&mut self, size: &ast::Expr) -> Option<Type> {
        use ast::ExprKind as A;
        match &size.kind {
            A::SizeofExpr(inner) if is_plain(inner) => {
                let checked = self.unevaluated(|sema| sema.expr(inner)).ok()?;
                Some(checked.ty.ty)
            }
            A::SizeofType(name) if !defines_type(name) => Some(self.type_name(name).ok()?.ty),
            A::Binary(_, a, b) => self.allocated_type(a).or_else(|| self.allocated_type(b)),
            A::Extension(inner) | A::Cast(_, inner) => self.allocated_type(inner),
            _ => None,
        }
    }

    /// An allocation by `malloc` of the embedded header is an allocation where it is called.
    pub fn malloc(&mut self, size: &ast::Expr, span: Span) -> Checked<Expr> {
        let holds = self.allocated_type(size);
        let size = self.size_argument(size)?;
        let align = Expr::constant(16, Type::SIZE, span);
        Ok(intrinsic(
            Intrinsic::Alloc { size, align, zeroed: false, holds },
            Type::void_pointer(),
            span,
        ))
    }

    /// `fence("load-load | load-store")`, `fence("full")`, `fence("lwsync")`
    fn named_fence(&mut self, expr: &ast::Expr) -> Checked<Fence> {
        let text = self.literal_text(expr)?;
        let mut directions = Directions::default();
        for part in text.split(['|', ',', '+']).map(str::trim) {
            match part {
                "load-load" | "ll" => directions.load_load = true,
                "load-store" | "ls" => directions.load_store = true,
                "store-load" | "sl" => directions.store_load = true,
                "store-store" | "ss" => directions.store_store = true,
                "full" => {
                    directions = Directions {
                        load_load: true,
                        load_store: true,
                        store_load: true,
                        store_store: true,
                    };
                }
                "" => return fail(expr.span, "the kind of fence is missing"),
                _ if text.split(['|', '+']).count() > 1 => {
                    return fail(
                        expr.span,
                        format!("there is no fence `{part}` that can be joined with others"),
                    );
                }
                _ if !assembly::is_fence(text.trim()) => {
                    return Err(unknown_fence(expr.span, part));
                }
                _ => return Ok(Fence::Named(text.trim().to_string())),
            }
        }
        Ok(Fence::Directed(directions))
    }

    pub(crate) fn pieces(
        &mut self,
        format: &ast::Expr,
        values: &[ast::Expr],
        span: Span,
    ) -> Checked<Vec<Piece>> {
        let ast::ExprKind::String(literal) = &format.kind else {
            return refuse(format.span, "a format must be a string literal");
        };
        let bytes: Vec<u8> = literal.units.iter().map(|unit| *unit as u8).collect();
        let parsed = match format::parse(&bytes) {
            Ok(parsed) => parsed,
            Err(wrong) => {
                return refuse(self.inside_literal(format.span, wrong.bytes), wrong.message);
            }
        };
        let mut rest = values.iter();
        let mut pieces = Vec::new();
        for piece in parsed {
            let directive = match piece {
                format::Piece::Text(text) => {
                    pieces.push(Piece::Text(text));
                    continue;
                }
                format::Piece::Value(directive) => directive,
            };
            let width = self.count(directive.width, &mut rest, span)?;
            let precision = self.count(directive.precision, &mut rest, span)?;
            let Some(value) = rest.next() else {
                let place = self.inside_literal(format.span, directive.bytes);
                return refuse(place, "there is no argument for this conversion");
            };
            let value = self.printed(value, directive.argument)?;
            let format = PrintFormat {
                conversion: directive.conversion,
                left: directive.left,
                plus: directive.plus,
                space: directive.space,
                alternate: directive.alternate,
                zero: directive.zero,
                width: None,
                precision: None,
            };
            pieces.push(Piece::Value { format, width, precision, value });
        }
        if let Some(extra) = rest.next() {
            return refuse(extra.span, "the format has no conversion for this argument");
        }
        Ok(pieces)
    }

    fn count<'a>(
        &mut self,
        count: Option<Count>,
        rest: &mut impl Iterator<Item = &'a ast::Expr>,
        span: Span,
    ) -> Checked<Option<Expr>> {
        Ok(match count {
            None => None,
            Some(Count::Fixed(number)) => Some(Expr::constant(u128::from(number), Type::INT, span)),
            Some(Count::Argument) => match rest.next() {
                Some(arg) => Some(self.int_argument(arg)?),
                None => return refuse(span, "there are fewer arguments than the format needs"),
            },
        })
    }

    /// An argument of the printf family, converted to what its conversion prints.
    fn printed(&mut self, arg: &ast::Expr, wanted: Argument) -> Checked<Expr> {
        let value = self.value(arg)?;
        let name = self.unit.types.name(&value.ty);
        let mismatch =
            |what: &str| refuse(arg.span, format!("the format wants {what}, but this is `{name}`"));
        match wanted {
            Argument::Integer { bits, signed } => {
                if !value.ty.ty.is_integer() {
                    return mismatch("an integer");
                }
                let value = self.promote(value);
                let (width, _) = self.scalar(&value.ty.ty).unwrap_or((32, true));
                if width < bits {
                    // What gcc would print here depends on what is in the upper half.
                    self.warn(
                        arg.span,
                        format!("the format wants {bits} bits, but `{name}` has {width}"),
                    );
                }
                let kind = match bits {
                    8 => IntKind::SChar,
                    16 => IntKind::Short,
                    32 => IntKind::Int,
                    _ => IntKind::Long,
                };
                let kind = if signed { kind } else { kind.to_unsigned() };
                Ok(self.convert(value, &Type::Int(kind)))
            }
            Argument::Float => {
                if !value.ty.ty.is_float() {
                    return mismatch("a floating-point number");
                }
                Ok(self.convert(value, &Type::DOUBLE))
            }
            Argument::String | Argument::Pointer => {
                if !value.ty.ty.is_pointer() && !self.is_null(&value) {
                    return mismatch("a pointer");
                }
                Ok(self.convert(value, &Type::void_pointer()))
            }
        }
    }
}

/// Names of fences that people misspell.
const FENCES: [&str; 14] = [
    "load-load",
    "load-store",
    "store-load",
    "store-store",
    "full",
    "mfence",
    "lfence",
    "sfence",
    "sync",
    "lwsync",
    "isync",
    "dmb.ish",
    "dmb.ishld",
    "dmb.ishst",
];

fn unknown_fence(span: Span, name: &str) -> Fail {
    let diagnostic = Diagnostic::error(span, format!("there is no fence `{name}`"));
    match crate::hints::similar(name, FENCES.into_iter()) {
        Some(similar) => diagnostic.note(format!("did you mean `{similar}`?")).into(),
        None => diagnostic
            .note("use `load-load` and the like, `full`, or an architecture's name for it")
            .into(),
    }
}

/// Whether an expression only names an object: checking it twice costs little.
fn is_plain(expr: &ast::Expr) -> bool {
    use ast::ExprKind as A;
    match &expr.kind {
        A::Ident(_) => true,
        A::Deref(inner) | A::Member(inner, _) | A::Arrow(inner, _) => is_plain(inner),
        A::Index(array, index) => {
            is_plain(array) && matches!(index.kind, A::Int { .. } | A::Ident(_))
        }
        _ => false,
    }
}

fn defines_type(name: &ast::TypeName) -> bool {
    match &name.specifiers.ty {
        ast::TypeSpecifier::Record(record) => record.members.is_some(),
        ast::TypeSpecifier::Enum(specifier) => specifier.enumerators.is_some(),
        _ => false,
    }
}
