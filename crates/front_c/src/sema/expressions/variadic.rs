//! Variable arguments (C11 7.16): how a function walks over them.
//!
//! A caller puts the arguments after the parameters into words of eight bytes, one after the
//! other, and passes their address to the function, in a parameter that has no name (`lower::call`).
//! A `va_list` is a pointer to the next word. To read more than was passed is an access out of
//! bounds, to read it as a wider type the use of undefined bits.
//!
//! Soundness S-026 (run, check, verify; all; misses): A variable argument that is read as another
//! type of the same size is not a finding. Test:
//! corpus/verify/approximations/argument_of_another_type.c.

use crate::ast;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{FloatKind, QualType, Type};
use crate::sema::{Checked, Sema, fail, refuse};
use execution::span::Span;

/// The size of a word.
pub const WORD: u64 = 8;

impl Sema<'_> {
    /// `va_start(list, last)`
    pub(crate) fn va_start(&mut self, list: &ast::Expr, span: Span) -> Checked<Expr> {
        let target = self.va_list(list)?;
        let state = self.in_function(span)?;
        let Some(rest) = state.rest else {
            return fail(span, "this function has no variable arguments");
        };
        state.walks = true;
        let ty: QualType = Type::void_pointer().into();
        let place = Expr { kind: ExprKind::Local(rest), ty: ty.clone(), span };
        let first = Expr { kind: ExprKind::Load(Box::new(place)), ty, span };
        Ok(self.set_list(target, first, span))
    }

    /// `va_arg(list, type)`
    pub(crate) fn va_arg(
        &mut self,
        list: &ast::Expr,
        name: &ast::TypeName,
        span: Span,
    ) -> Checked<Expr> {
        let ty = self.type_name(name)?;
        self.refuse_float(&ty, name.span)?;
        if ty.ty == Type::Float(FloatKind::Float) {
            return fail(name.span, "a `float` is passed as a `double`");
        }
        if !ty.ty.is_scalar() || self.unit.types.size_of(&ty.ty).is_none_or(|size| size > WORD) {
            return refuse(name.span, "only numbers and pointers can be variable arguments");
        }
        let target = self.va_list(list)?;
        let here = Expr {
            kind: ExprKind::Load(Box::new(target.clone())),
            ty: Type::void_pointer().into(),
            span,
        };
        let next = self.words_on(here, 1, span);
        let moved = self.set_list(target, next, span);
        let word = self.words_on(moved, -1, span);
        let word = self.convert(word, &Type::pointer(ty.clone()));
        let place = Expr { kind: ExprKind::Deref(Box::new(word)), ty: ty.clone(), span };
        Ok(Expr { kind: ExprKind::Load(Box::new(place)), ty: ty.ty.into(), span })
    }

    /// `va_copy(to, from)`
    pub(crate) fn va_copy(
        &mut self,
        to: &ast::Expr,
        from: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let (to, from) = (self.va_list(to)?, self.va_list(from)?);
        let ty = from.ty.ty.clone();
        let from = Expr { kind: ExprKind::Load(Box::new(from)), ty: ty.into(), span };
        let copied = self.set_list(to, from, span);
        Ok(self.convert(copied, &Type::Void))
    }

    fn va_list(&mut self, list: &ast::Expr) -> Checked<Expr> {
        let target = self.expr(list)?;
        if !target.is_lvalue() || target.ty.ty != Type::void_pointer() {
            return fail(list.span, "this is not a `va_list`");
        }
        Ok(target)
    }

    fn set_list(&self, list: Expr, to: Expr, span: Span) -> Expr {
        let ty = list.ty.ty.clone().into();
        Expr { kind: ExprKind::Assign(Box::new(list), Box::new(to)), ty, span }
    }

    fn words_on(&mut self, pointer: Expr, count: i64, span: Span) -> Expr {
        let bytes = Type::pointer(Type::CHAR.into());
        let index = Expr::constant(u128::from(WORD * count.unsigned_abs()), Type::SIZE, span);
        let pointer = Box::new(self.convert(pointer, &bytes));
        let kind = ExprKind::PointerAdd { pointer, index: Box::new(index), minus: count < 0 };
        let moved = Expr { kind, ty: bytes.into(), span };
        self.convert(moved, &Type::void_pointer())
    }
}
