//! Automatic memory whose size is known only when the function runs: variable-length arrays
//! (C11 6.7.6.2) and `alloca`.
//!
//! Both are blocks that a function frees when it returns. The name of such an array is a pointer to
//! its block; what distinguishes it from other pointers is that it has a size of its own and no
//! address. An array whose declaration is reached again, in a loop, is another one: the one before
//! it is freed.
//!
//! Soundness S-024 (run, check, verify; all; misses): A pointer to a variable-length array whose
//! scope has ended may still be used, and an index that leaves its row inside the block is not
//! found. Test: corpus/verify/approximations/array_past_its_scope.c.
//!
//! Soundness S-025 (run, check, verify; all; cries wolf): The block of a variable-length array or
//! `alloca` is reported as a leak if its thread ends in a function that is called from there, and
//! so are blocks of `alloca` in a loop. Test:
//! corpus/verify/approximations/array_of_a_thread_that_ends_early.c.

use crate::ast::{self, ArraySize, BinaryOp, Derivation};
use crate::sema::atomics::intrinsic;
use crate::sema::tree::{Expr, ExprKind, Intrinsic, LocalId, LocalInit, Stmt, StmtKind};
use crate::sema::types::{QualType, Type};
use crate::sema::{Checked, Sema, fail};
use execution::span::Span;
use ir::op::Claim;
use std::rc::Rc;

/// Blocks are aligned as those of `malloc`.
const ALIGNMENT: u128 = 16;

impl Sema<'_> {
    /// The length of a declared array, if it is one that only the running function knows.
    pub(crate) fn variable_length(
        &mut self,
        item: &ast::InitDeclarator,
    ) -> Checked<Option<(Expr, ast::InitDeclarator)>> {
        let lengths = item.declarator.derivations.iter().map_while(|step| match step {
            Derivation::Array { size: ArraySize::Expr(length), .. } => Some(length),
            _ => None,
        });
        let (mut first, mut is_variable) = (None, false);
        for length in lengths {
            let value = self.value(length)?;
            if !value.ty.ty.is_integer() {
                return Ok(None);
            }
            is_variable |= self.constant(&value).is_none();
            first.get_or_insert(value);
        }
        let Some(value) = first.filter(|_| is_variable) else { return Ok(None) };
        let mut pointer = item.clone();
        pointer.declarator.derivations[0] = Derivation::Pointer(Default::default(), Vec::new());
        Ok(Some((value, pointer)))
    }

    /// Makes the block of a variable-length array, whose name was declared as a pointer.
    pub(crate) fn variable_array(
        &mut self,
        (id, ty): (LocalId, &QualType),
        length: Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let Some(element) = ty.ty.pointee().map(|element| element.ty.clone()) else {
            return Ok(());
        };
        let whole = self.size_in_bytes(&element, length, span, out)?;
        let state = self.in_function(span)?;
        state.sizes.insert(id, whole);
        state.blocks.push(id);
        let again = state.loops > 0;
        if again {
            let before = self.convert(self.local_value(id, span), &Type::void_pointer());
            let free = intrinsic(Intrinsic::Free(before), Type::Void, span);
            out.push(Stmt { kind: StmtKind::Expr(free), span });
        }
        let mut scalar = element;
        while let Type::Variable(inner, _) = scalar {
            scalar = inner.ty.clone();
        }
        let block = self.automatic_block(self.local_value(whole, span), Some(scalar), span);
        let block = self.convert(block, &ty.ty);
        out.push(Stmt { kind: StmtKind::Local(id, Some(LocalInit::Value(block))), span });
        Ok(())
    }

    /// A local with the size in bytes of this many elements. That there is at least one is checked.
    fn size_in_bytes(
        &mut self,
        element: &Type,
        length: Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<LocalId> {
        let size = match (self.unit.types.size_of(element), element) {
            (Some(size), _) => Expr::constant(u128::from(size), Type::SIZE, span),
            (None, Type::Variable(_, size)) => self.local_value(*size, span),
            _ => return fail(span, "the elements have an incomplete type"),
        };
        let length = match self.constant(&length) {
            Some(_) => length,
            None => {
                let length = self.promote(length);
                let ty = length.ty.ty.clone();
                let number = self.new_local(None, ty.clone().into(), None, span)?;
                let init = Some(LocalInit::Value(length));
                out.push(Stmt { kind: StmtKind::Local(number, init), span });
                let none = Expr::constant(0, ty, span);
                let number = self.local_value(number, span);
                let some = self.binary_values(BinaryOp::Gt, number.clone(), none, span)?;
                let some = self.truth(some);
                let text = "the length of a variable-length array is greater than zero";
                let check = Intrinsic::Assert(some, Claim::Rule, text.to_string());
                let check = intrinsic(check, Type::Void, span);
                out.push(Stmt { kind: StmtKind::Expr(check), span });
                number
            }
        };
        let length = self.convert(length, &Type::SIZE);
        let bytes = ExprKind::Binary(BinaryOp::Mul, Box::new(length), Box::new(size));
        let bytes = Expr { kind: bytes, ty: Type::SIZE.into(), span };
        let whole = self.new_local(None, Type::SIZE.into(), None, span)?;
        out.push(Stmt { kind: StmtKind::Local(whole, Some(LocalInit::Value(bytes))), span });
        Ok(whole)
    }

    /// Does something in which arrays may have lengths that only the running function knows; gives
    /// what finds out their sizes.
    pub(crate) fn with_variable_arrays<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Checked<T>,
    ) -> Checked<(T, Vec<Stmt>)> {
        let outer = self.variable.replace(Vec::new());
        let result = inner(self);
        let made = std::mem::replace(&mut self.variable, outer).unwrap_or_default();
        Ok((result?, made))
    }

    /// An array of elements of a type, if it is one that only the running function knows the size
    /// of and such are allowed here.
    pub(crate) fn variable_row(
        &mut self,
        element: &QualType,
        size: &ArraySize,
        span: Span,
    ) -> Checked<Option<QualType>> {
        let ArraySize::Expr(length) = size else { return Ok(None) };
        if self.variable.is_none() {
            return Ok(None);
        }
        let value = self.value(length)?;
        let is_known = self.constant(&value).is_some() && !matches!(element.ty, Type::Variable(..));
        if is_known || !value.ty.ty.is_integer() {
            return Ok(None);
        }
        let mut made = self.variable.take().unwrap_or_default();
        let size = self.size_in_bytes(&element.ty, value, span, &mut made);
        self.variable = Some(made);
        Ok(Some(Type::Variable(Rc::new(element.clone()), size?).into()))
    }

    /// The type of a parameter whose rows have lengths that earlier parameters hold.
    pub(crate) fn variable_parameter(
        &mut self,
        param: &ast::Parameter,
    ) -> Checked<(QualType, Vec<Stmt>)> {
        let base = self.specifier_type(&param.specifiers)?;
        let mut declarator = param.declarator.clone();
        if let Some(step @ Derivation::Array { .. }) = declarator.derivations.first_mut() {
            *step = Derivation::Pointer(Default::default(), Vec::new());
        }
        self.with_variable_arrays(|sema| sema.derived_type(base, &declarator))
    }

    /// `alloca(size)`
    pub(crate) fn alloca(&mut self, size: &ast::Expr, span: Span) -> Checked<Expr> {
        let holds = self.allocated_type(size);
        let size = self.size_argument(size)?;
        let pointer = Type::void_pointer();
        let id = self.new_local(None, pointer.clone().into(), None, span)?;
        self.in_function(span)?.blocks.push(id);
        let block = self.automatic_block(size, holds, span);
        let place = Expr { kind: ExprKind::Local(id), ty: pointer.clone().into(), span };
        let kind = ExprKind::Assign(Box::new(place), Box::new(block));
        Ok(Expr { kind, ty: pointer.into(), span })
    }

    fn automatic_block(&self, size: Expr, holds: Option<Type>, span: Span) -> Expr {
        let align = Expr::constant(ALIGNMENT, Type::SIZE, span);
        let alloc = Intrinsic::Alloc { size, align, zeroed: false, holds };
        intrinsic(alloc, Type::void_pointer(), span)
    }

    pub(crate) fn local_value(&self, id: LocalId, span: Span) -> Expr {
        let ty = self.function.as_ref().map_or(Type::SIZE.into(), |f| f.locals[id].ty.clone());
        let place = Expr { kind: ExprKind::Local(id), ty: ty.clone(), span };
        Expr { kind: ExprKind::Load(Box::new(place)), ty: ty.ty.into(), span }
    }

    /// The size in bytes of an array type that is only named, if it has a length that only the
    /// running function knows: `sizeof(int[n])`.
    pub(crate) fn variable_type_size(
        &mut self,
        name: &ast::TypeName,
        span: Span,
    ) -> Checked<Option<Expr>> {
        let mut element = name.clone();
        let (mut lengths, mut is_variable) = (Vec::new(), false);
        while let Some(Derivation::Array { size: ArraySize::Expr(length), .. }) =
            element.declarator.derivations.first()
        {
            let value = self.value(length)?;
            if !value.ty.ty.is_integer() {
                return Ok(None);
            }
            is_variable |= self.constant(&value).is_none();
            lengths.push(value);
            element.declarator.derivations.remove(0);
        }
        if !is_variable || self.function.is_none() {
            return Ok(None);
        }
        let ty = self.type_name(&element)?;
        let Some(size) = self.unit.types.size_of(&ty.ty) else { return Ok(None) };
        let mut bytes = Expr::constant(u128::from(size), Type::SIZE, span);
        for length in lengths.into_iter().rev() {
            let length = self.convert(length, &Type::SIZE);
            let kind = ExprKind::Binary(BinaryOp::Mul, Box::new(length), Box::new(bytes));
            bytes = Expr { kind, ty: Type::SIZE.into(), span };
        }
        Ok(Some(bytes))
    }

    /// The size of a variable-length array in bytes, if an expression is the name of one.
    pub(crate) fn variable_size(&self, of: &Expr, span: Span) -> Option<Expr> {
        let ExprKind::Local(id) = of.kind else { return None };
        let whole = *self.function.as_ref()?.sizes.get(&id)?;
        Some(self.local_value(whole, span))
    }
}

/// Whether the length of an array that a parameter points to depends on earlier parameters, or is
/// left open.
pub(crate) fn has_variable_rows(param: &ast::Parameter, earlier: &[ast::Parameter]) -> bool {
    let steps = param.declarator.derivations.iter().enumerate();
    let mut inner = steps.filter(|(index, _)| *index > 0).map(|(_, step)| step);
    inner.any(|step| is_variable(step, earlier))
}

/// Whether a derivation is an array whose length depends on these parameters, or is left open.
pub(crate) fn is_variable(step: &Derivation, earlier: &[ast::Parameter]) -> bool {
    match step {
        Derivation::Array { size: ArraySize::Star, .. } => true,
        Derivation::Array { size: ArraySize::Expr(length), .. } => mentions(length, earlier),
        _ => false,
    }
}

/// Whether an expression names one of these parameters.
fn mentions(expr: &ast::Expr, params: &[ast::Parameter]) -> bool {
    use ast::ExprKind as A;
    match &expr.kind {
        A::Ident(name) => {
            let mut names = params.iter().filter_map(|param| param.declarator.name.as_ref());
            names.any(|param| param.name == *name)
        }
        A::Binary(_, a, b) => mentions(a, params) || mentions(b, params),
        A::Unary(_, inner) | A::Cast(_, inner) | A::Extension(inner) | A::Deref(inner) => {
            mentions(inner, params)
        }
        _ => false,
    }
}
