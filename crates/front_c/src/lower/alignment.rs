//! What the address of an lvalue must be a multiple of.
//!
//! An object is placed as its type asks for, and so is everything that is reached from its name by
//! members and subscripts: there is nothing to check, and the alignment is 1. What is reached
//! through a pointer must be aligned as the type that it points to; a member is aligned as its
//! struct and its offset allow, so a member of a packed struct may be anywhere.
//!
//! Only the part that is accessed matters: `p->c` with a `char` is right for any `p`, though
//! C wants `p` itself to be aligned as the struct (may miss a bug).

use super::function::Lower;
use crate::sema::tree::{Expr, ExprKind};

impl Lower<'_, '_> {
    /// What the address of an lvalue must be a multiple of; 1 where it is known to be.
    pub fn alignment(&self, place: &Expr) -> u64 {
        match &place.kind {
            ExprKind::Deref(pointer) => self.pointee_alignment(pointer),
            ExprKind::Index(pointer, _) => {
                let align = self.pointee_alignment(pointer);
                offset_alignment(align, self.pointee_size(&pointer.ty.ty))
            }
            ExprKind::Member { base, offset, .. } => {
                offset_alignment(self.alignment(base), *offset)
            }
            ExprKind::Load(place) => self.alignment(place),
            _ => 1,
        }
    }

    /// What a pointer must be a multiple of to be accessed through.
    pub fn pointee_alignment(&self, pointer: &Expr) -> u64 {
        match &pointer.kind {
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.alignment(place),
            ExprKind::PointerAdd { pointer, .. } if matches!(pointer.kind, ExprKind::Decay(_)) => {
                let align = self.pointee_alignment(pointer);
                offset_alignment(align, self.pointee_size(&pointer.ty.ty))
            }
            _ => pointer.ty.ty.pointee().map_or(1, |to| self.program.unit.types.align_of(to)),
        }
    }
}

/// The alignment of an address that is moved by a multiple of this many bytes.
pub fn offset_alignment(align: u64, by: u64) -> u64 {
    match by {
        0 => align,
        by => align.min(1 << by.trailing_zeros()),
    }
}
