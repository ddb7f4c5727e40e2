//! Automatic memory whose size is known only when the function runs: variable-length arrays
//! (C11 6.7.6.2) and `alloca`.
//!
//! Both are blocks that a function frees when it returns. The name of such an array is a pointer to
//! its block; what tells it from other pointers is that it has a size of its own and no address. An
//! array whose declaration is come to again, in a loop, is another one: the one before it is freed.

use super::atomic::intrinsic;
use super::tree::{Expr, ExprKind, Intrinsic, LocalId, LocalInit, Stmt, StmtKind};
use super::types::{QualType, Type};
use super::{Checked, Sema, fail};
use crate::ast::{self, ArraySize, BinaryOp, Derivation};
use execution::span::Span;

/// Blocks are aligned as those of `malloc`.
const ALIGNMENT: u128 = 16;

impl Sema<'_> {
    /// The length of a declared array, if it is one that only the running function knows.
    pub(super) fn variable_length(
        &mut self,
        item: &ast::InitDeclarator,
    ) -> Checked<Option<(Expr, ast::InitDeclarator)>> {
        let Some(Derivation::Array { size: ArraySize::Expr(length), .. }) =
            item.declarator.derivations.first()
        else {
            return Ok(None);
        };
        let value = self.value(length)?;
        if !value.ty.ty.is_integer() || self.constant(&value).is_some() {
            return Ok(None);
        }
        let mut pointer = item.clone();
        pointer.declarator.derivations[0] = Derivation::Pointer(Default::default(), Vec::new());
        Ok(Some((value, pointer)))
    }

    /// Makes the block of a variable-length array, whose name was declared as a pointer.
    pub(super) fn variable_array(
        &mut self,
        (id, ty): (LocalId, &QualType),
        length: Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let Some(element) = ty.ty.pointee().map(|element| element.ty.clone()) else {
            return Ok(());
        };
        let Some(size) = self.unit.types.size_of(&element) else {
            return fail(span, "the elements have an incomplete type");
        };
        let length = self.convert(length, &Type::SIZE);
        let size = Expr::constant(u128::from(size), Type::SIZE, span);
        let bytes = ExprKind::Binary(BinaryOp::Mul, Box::new(length), Box::new(size));
        let bytes = Expr { kind: bytes, ty: Type::SIZE.into(), span };
        let whole = self.new_local(None, Type::SIZE.into(), None, span)?;
        let state = self.in_function(span)?;
        state.sizes.insert(id, whole);
        state.blocks.push(id);
        let again = state.loops > 0;
        out.push(Stmt { kind: StmtKind::Local(whole, Some(LocalInit::Value(bytes))), span });
        if again {
            let before = self.convert(self.local_value(id, span), &Type::void_pointer());
            let free = intrinsic(Intrinsic::Free(before), Type::Void, span);
            out.push(Stmt { kind: StmtKind::Expr(free), span });
        }
        let block = self.automatic_block(self.local_value(whole, span), Some(element), span);
        let block = self.convert(block, &ty.ty);
        out.push(Stmt { kind: StmtKind::Local(id, Some(LocalInit::Value(block))), span });
        Ok(())
    }

    /// `alloca(size)`
    pub(super) fn alloca(&mut self, size: &ast::Expr, span: Span) -> Checked<Expr> {
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

    fn local_value(&self, id: LocalId, span: Span) -> Expr {
        let ty = self.function.as_ref().map_or(Type::SIZE.into(), |f| f.locals[id].ty.clone());
        let place = Expr { kind: ExprKind::Local(id), ty: ty.clone(), span };
        Expr { kind: ExprKind::Load(Box::new(place)), ty: ty.ty.into(), span }
    }

    /// The size of a variable-length array in bytes, if an expression is the name of one.
    pub(super) fn variable_size(&self, of: &Expr, span: Span) -> Option<Expr> {
        let ExprKind::Local(id) = of.kind else { return None };
        let whole = *self.function.as_ref()?.sizes.get(&id)?;
        Some(self.local_value(whole, span))
    }
}
