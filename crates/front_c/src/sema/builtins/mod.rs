//! Built-in functions: gcc's here, those on memory and strings in `bulk` and `print`, on
//! floating-point numbers in `math`, Fencepost's own in `intrinsic`; `foreign` has functions that a
//! program declares, or just calls, but does not define.

pub mod bulk;
pub mod foreign;
pub mod intrinsic;
pub mod math;
pub mod print;

use crate::ast::{self, BinaryOp};
use crate::sema::atomics::{intrinsic, wrong_count};
use crate::sema::tree::{Expr, ExprKind, FunctionId, Intrinsic, Object, Role};
use crate::sema::types::{IntKind, Type};
use crate::sema::{Checked, Sema, fail, refuse};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use ir::op::UnaryOp as BitOp;
use ir::order::Fence;
use ir::program::public_name;

impl Sema<'_> {
    /// A call of a built-in; `None` if there is none of this name.
    pub fn builtin(
        &mut self,
        name: &str,
        name_span: Span,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        if let Some(result) = self.atomic_builtin(name, args, span)? {
            return Ok(Some(result));
        }
        if let Some(rest) = name.strip_prefix("__fp_") {
            return self.fencepost_builtin(rest, args, span);
        }
        if let "setjmp" | "_setjmp" | "longjmp" | "sigsetjmp" | "siglongjmp" = name {
            return refuse(name_span, format!("`{name}` is not supported"));
        }
        if let ("unreachable", []) = (name, args) {
            return Ok(Some(intrinsic(Intrinsic::Unreachable("unreachable"), Type::Void, span)));
        }
        if let ("alloca", [size]) = (name, args) {
            return self.alloca(size, span).map(Some);
        }
        let Some(rest) = name.strip_prefix("__builtin_") else {
            return self.foreign_call(name, None, args, span);
        };
        if let Some(result) = self.bit_builtin(rest, args, span)? {
            return Ok(Some(result));
        }
        if let Some(result) = self.overflow_builtin(rest, args, span)? {
            return Ok(Some(result));
        }
        if let Some(result) = self.math_builtin(rest, args, span)? {
            return Ok(Some(result));
        }
        self.gnu_builtin(rest, name_span, args, span)
    }

    fn gnu_builtin(
        &mut self,
        name: &str,
        name_span: Span,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        Ok(Some(match (name, args) {
            ("expect", [value, wanted]) | ("expect_with_probability", [value, wanted, _]) => {
                let value = self.value(value)?;
                let value = self.assign_to(value, &Type::PTRDIFF.into(), "the value")?;
                let wanted = self.value(wanted)?;
                if wanted.as_const().is_some() { value } else { comma(wanted, value, span) }
            }
            ("unreachable", []) => {
                intrinsic(Intrinsic::Unreachable("__builtin_unreachable"), Type::Void, span)
            }
            ("trap", []) => {
                intrinsic(Intrinsic::Trap("__builtin_trap() was called".into()), Type::Void, span)
            }
            ("constant_p", [value]) => {
                let value = self.unevaluated(|sema| sema.value(value))?;
                let known = self.constant(&value).is_some();
                Expr::constant(u128::from(known), Type::INT, span)
            }
            ("ia32_pause", []) => intrinsic(Intrinsic::Yield, Type::Void, span),
            ("ia32_mfence" | "ia32_lfence" | "ia32_sfence", []) => {
                let fence = Fence::Named(name.trim_start_matches("ia32_").into());
                intrinsic(Intrinsic::Fence(fence), Type::Void, span)
            }
            ("prefetch", [address, ..]) => {
                let address = self.value(address)?;
                let kind = ExprKind::Convert { value: Box::new(address), written: false };
                Expr { kind, ty: Type::Void.into(), span }
            }
            ("thread_pointer", []) => self.thread_pointer(span)?,
            ("assume_aligned", [pointer, ..]) => self.pointer_argument(pointer)?,
            ("object_size", [_, kind]) => {
                let kind = self.integer_number(kind, "the kind of size")?;
                let bits = if kind < 2 { u128::from(u64::MAX) } else { 0 };
                Expr::constant(bits, Type::SIZE, span)
            }
            ("alloca", [size]) | ("alloca_with_align", [size, _]) => self.alloca(size, span)?,
            ("va_start", [list, ..]) => {
                let started = self.va_start(list, span)?;
                self.convert(started, &Type::Void)
            }
            ("va_copy", [to, from]) => self.va_copy(to, from, span)?,
            ("va_end", [list]) => {
                let list = self.value(list)?;
                self.convert(list, &Type::Void)
            }
            ("setjmp" | "longjmp", _) => {
                return refuse(name_span, format!("`{name}` is not supported"));
            }
            ("free", [pointer]) => {
                intrinsic(Intrinsic::Free(self.pointer_argument(pointer)?), Type::Void, span)
            }
            ("malloc", [size]) => self.malloc(size, span)?,
            ("exit", [status]) => {
                intrinsic(Intrinsic::Exit(self.int_argument(status)?), Type::Void, span)
            }
            ("_Exit", [status]) => {
                intrinsic(Intrinsic::QuickExit(self.int_argument(status)?), Type::Void, span)
            }
            ("abort", []) => intrinsic(self.abort(span), Type::Void, span),
            (
                "memcpy" | "memset" | "memmove" | "memcmp" | "strlen" | "strcmp" | "strncmp"
                | "strcpy" | "strchr" | "calloc" | "realloc" | "abs" | "labs",
                _,
            ) => self.library_call(name, name_span, args, span)?,
            ("expect" | "unreachable" | "trap" | "constant_p", _) => {
                return wrong_count(&format!("__builtin_{name}"), span);
            }
            _ => return Ok(None),
        }))
    }

    /// The address of something that each thread has for itself.
    fn thread_pointer(&mut self, span: Span) -> Checked<Expr> {
        const NAME: &str = "thread pointer";
        let id = match self.objects.get(NAME) {
            Some(&id) => id,
            None => {
                let word = std::rc::Rc::new(Type::void_pointer().into());
                let id = self.unit.objects.push(Object {
                    name: NAME.into(),
                    ty: Type::Array(word, Some(2)).into(),
                    align: None,
                    thread_local: true,
                    is_string: false,
                    weak: false,
                    external: false,
                    defined: true,
                    init: None,
                    span,
                });
                self.objects.insert(NAME.into(), id);
                id
            }
        };
        let ty = self.unit.objects[id].ty.clone();
        let of = Type::pointer(ty.clone());
        let object = Expr { kind: ExprKind::Object(id), ty, span };
        let address = Expr { kind: ExprKind::AddressOf(Box::new(object)), ty: of.into(), span };
        Ok(self.convert(address, &Type::void_pointer()))
    }

    /// `__builtin_memcpy` and the like are the functions of the embedded headers.
    fn library_call(
        &mut self,
        name: &str,
        name_span: Span,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        if self.find_function(name).is_none() {
            let mut message =
                Diagnostic::error(name_span, format!("`__builtin_{name}` needs `{name}`"));
            if let Some(header) = crate::hints::header_of(name) {
                message = message.note(format!("add `#include <{header}>`"));
            }
            return Err(message.into());
        }
        let callee = ast::Expr { kind: ast::ExprKind::Ident(name.into()), span: name_span };
        self.call(&callee, args, span)
    }

    fn bit_builtin(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Checked<Option<Expr>> {
        let (base, kind) = match name {
            "bswap16" => ("bswap", IntKind::UShort),
            "bswap32" => ("bswap", IntKind::UInt),
            "bswap64" => ("bswap", IntKind::ULong),
            "bswap128" => ("bswap", IntKind::UInt128),
            _ => {
                let (base, kind) = if let Some(base) = name.strip_suffix("ll") {
                    (base, IntKind::ULongLong)
                } else if let Some(base) = name.strip_suffix('l') {
                    (base, IntKind::ULong)
                } else {
                    (name, IntKind::UInt)
                };
                match base {
                    "clz" | "ctz" | "popcount" | "ffs" | "parity" | "clrsb" => (base, kind),
                    _ => return Ok(None),
                }
            }
        };
        let [arg] = args else { return wrong_count(&format!("__builtin_{name}"), span) };
        let value = self.value(arg)?;
        let value = self.assign_to(value, &Type::Int(kind).into(), "the argument")?;
        Ok(Some(match base {
            "bswap" => intrinsic(Intrinsic::Bits(BitOp::ByteSwap, value), Type::Int(kind), span),
            "clz" => intrinsic(Intrinsic::Bits(BitOp::CountLeadingZeros, value), Type::INT, span),
            "ctz" => intrinsic(Intrinsic::Bits(BitOp::CountTrailingZeros, value), Type::INT, span),
            "popcount" => intrinsic(Intrinsic::Bits(BitOp::PopCount, value), Type::INT, span),
            "ffs" => intrinsic(Intrinsic::FindFirst(value), Type::INT, span),
            "parity" => intrinsic(Intrinsic::Parity(value), Type::INT, span),
            _ => return refuse(span, format!("`__builtin_{name}` is not supported")),
        }))
    }

    fn overflow_builtin(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        let Some(stem) = name.strip_suffix("_overflow") else { return Ok(None) };
        let (op, typed) = match stem {
            "add" => (BinaryOp::Add, None),
            "sub" => (BinaryOp::Sub, None),
            "mul" => (BinaryOp::Mul, None),
            _ => {
                let (unsigned, stem) = match stem.chars().next() {
                    Some('s') => (false, &stem[1..]),
                    Some('u') => (true, &stem[1..]),
                    _ => return Ok(None),
                };
                let (op, suffix) = match stem.get(..3) {
                    Some("add") => (BinaryOp::Add, &stem[3..]),
                    Some("sub") => (BinaryOp::Sub, &stem[3..]),
                    Some("mul") => (BinaryOp::Mul, &stem[3..]),
                    _ => return Ok(None),
                };
                let kind = match suffix {
                    "" => IntKind::Int,
                    "l" => IntKind::Long,
                    "ll" => IntKind::LongLong,
                    _ => return Ok(None),
                };
                (op, Some(Type::Int(if unsigned { kind.to_unsigned() } else { kind })))
            }
        };
        let [a, b, result] = args else { return wrong_count(&format!("__builtin_{name}"), span) };
        let mut values = Vec::new();
        for arg in [a, b] {
            let value = self.value(arg)?;
            if !value.ty.ty.is_integer() {
                return fail(arg.span, "this must be an integer");
            }
            values.push(match &typed {
                Some(ty) => self.convert(value, ty),
                None => value,
            });
        }
        let result = self.value(result)?;
        let fits = result.ty.ty.pointee().is_some_and(|to| to.ty.is_integer() && !to.is_const());
        if !fits {
            return fail(result.span, "this must point to an integer that can be written");
        }
        let (Some(b), Some(a)) = (values.pop(), values.pop()) else { return Ok(None) };
        let wide = |ty: &Type| self.scalar(ty).is_some_and(|(bits, _)| bits > 64);
        let object = result.ty.ty.pointee().map(|to| to.ty.clone()).unwrap_or(Type::INT);
        if wide(&a.ty.ty) || wide(&b.ty.ty) || wide(&object) {
            return refuse(span, "overflow checks on 128-bit integers are not supported");
        }
        Ok(Some(intrinsic(Intrinsic::Overflow { op, a, b, result }, Type::BOOL, span)))
    }

    /// Calls of header functions that mean more where they are written than inside the header:
    /// an allocation names its site and type, a format is read with its arguments.
    pub fn known_call(
        &mut self,
        id: FunctionId,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Option<Expr>> {
        let function = &self.unit.functions[id];
        if self.own.contains(&function.name) {
            return Ok(None);
        }
        if !self.is_embedded(function.span) || function.name.starts_with("__VERIFIER_") {
            let (name, result) = (function.name.clone(), function.ty.result.clone());
            let known = self.foreign_call(&name, Some(&result), args, span)?;
            if known.is_some() || self.library_function(&name).is_none() {
                return Ok(known);
            }
        }
        let name = self.unit.functions[id].name.clone();
        let called = self.library_function(&name).unwrap_or(id);
        if self.unit.functions[called].role == Role::MakesKey {
            let none = args.get(1).is_some_and(is_zero) || self.is_embedded(span);
            self.unit.destructors |= !none;
        }
        match (public_name(&name), args) {
            ("abort", []) => Ok(Some(intrinsic(self.abort(span), Type::Void, span))),
            ("malloc", [size]) => self.malloc(size, span).map(Some),
            ("calloc", [count, size]) => self.constant_calloc(count, size, span),
            ("aligned_alloc", [_, _]) => {
                let [align, size] = args else { return Ok(None) };
                let args = [size.clone(), align.clone(), integer(0, span)];
                self.fencepost_builtin("alloc", &args, span)
            }
            ("printf", [_, ..]) => self.print_to(1, args, span).map(Some),
            ("fprintf", [stream, rest @ ..]) => self.print_to_stream(stream, rest, span).map(Some),
            ("snprintf", [_, _, _, ..]) => self.print_to_memory(id, args, true, span),
            ("sprintf", [buffer, rest @ ..]) => {
                let unlimited = integer(0x7fff_ffff, buffer.span);
                let args: Vec<ast::Expr> =
                    [buffer.clone(), unlimited].into_iter().chain(rest.iter().cloned()).collect();
                self.print_to_memory(id, &args, false, span)
            }
            (plain, _) => {
                let id = self.library_function(&name).unwrap_or(id);
                match plain {
                    "realloc" => self.realloc_call(id, args, span),
                    _ => self.bulk_call(id, plain, args, span),
                }
            }
        }
    }

    /// `calloc` of a constant size, which cannot overflow.
    fn constant_calloc(
        &mut self,
        count: &ast::Expr,
        size: &ast::Expr,
        span: Span,
    ) -> Checked<Option<Expr>> {
        let is_constant = |expr: &ast::Expr| {
            use ast::ExprKind as A;
            matches!(expr.kind, A::Int { .. } | A::SizeofExpr(_) | A::SizeofType(_) | A::Ident(_))
        };
        if !is_constant(count) || !is_constant(size) {
            return Ok(None);
        }
        let (number, each) = (self.size_argument(count)?, self.size_argument(size)?);
        let (Some(number), Some(each)) = (number.as_const(), each.as_const()) else {
            return Ok(None);
        };
        let Some(bytes) = number.checked_mul(each).filter(|bytes| *bytes < 1 << 40) else {
            return Ok(None);
        };
        let holds = self.allocated_type(size);
        let size = Expr::constant(bytes, Type::SIZE, span);
        let align = Expr::constant(16, Type::SIZE, span);
        let alloc = Intrinsic::Alloc { size, align, zeroed: true, holds };
        Ok(Some(intrinsic(alloc, Type::void_pointer(), span)))
    }

    fn print_to(&mut self, stream: u128, args: &[ast::Expr], span: Span) -> Checked<Expr> {
        let args: Vec<ast::Expr> =
            std::iter::once(integer(stream, span)).chain(args.iter().cloned()).collect();
        match self.fencepost_builtin("print", &args, span)? {
            Some(result) => Ok(result),
            None => fail(span, "this cannot be printed"),
        }
    }

    /// `fprintf`: to standard error if that is the stream, else to standard output.
    fn print_to_stream(
        &mut self,
        stream: &ast::Expr,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        use ast::ExprKind as A;
        let at = |kind| ast::Expr { kind, span: stream.span };
        let streams = at(A::Ident("__fp_streams".into()));
        let element = at(A::Index(Box::new(streams), Box::new(integer(2, stream.span))));
        let stderr = at(A::AddressOf(Box::new(element)));
        // The program's own `FILE`, where it has one, is another type than ours.
        let (stream, stderr) = (self.pointer_argument(stream)?, self.pointer_argument(&stderr)?);
        let place = stream.span;
        let kind = ExprKind::Binary(BinaryOp::Eq, Box::new(stream), Box::new(stderr));
        let is_error = Expr { kind, ty: Type::INT.into(), span: place };
        match self.constant(&is_error) {
            Some(crate::sema::constants::Constant::Int(bits)) => {
                self.print_to(if bits != 0 { 2 } else { 1 }, args, span)
            }
            _ => {
                let (error, output) =
                    (self.print_to(2, args, span)?, self.print_to(1, args, span)?);
                let kind =
                    ExprKind::Conditional(Box::new(is_error), Box::new(error), Box::new(output));
                Ok(Expr { kind, ty: Type::INT.into(), span })
            }
        }
    }

    /// Whether a place is in an embedded header.
    pub fn is_embedded(&self, span: Span) -> bool {
        self.sources.is_library(span)
    }
}

/// `0`, `NULL`, `(void (*)(void *))0`
fn is_zero(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ast::ExprKind::Int { value, .. } => *value == 0,
        ast::ExprKind::Cast(_, inner) | ast::ExprKind::Extension(inner) => is_zero(inner),
        _ => false,
    }
}

pub(crate) fn integer(value: u128, span: Span) -> ast::Expr {
    let kind = ast::ExprKind::Int { value, decimal: true, unsigned: false, longs: 0 };
    ast::Expr { kind, span }
}

fn comma(first: Expr, second: Expr, span: Span) -> Expr {
    let ty = second.ty.clone();
    Expr { kind: ExprKind::Comma(Box::new(first), Box::new(second)), ty, span }
}
