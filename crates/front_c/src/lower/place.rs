//! Lvalues: where they are, how they are read and written, bit-fields included.
//!
//! Soundness S-021 (run, check, verify; languages; cries wolf): A bit-field is read and written
//! through the unit of its declared type where that lies inside the run of adjacent bit-fields, and
//! through a smaller one otherwise; gcc may choose narrower accesses, which race with fewer others.
//! Test: corpus/verify/races/bit_fields.c.

use super::function::{Home, Lower, access_order};
use crate::sema::tree::{Expr, ExprKind, ObjectId};
use crate::sema::types::{BitField, QualType, Type};
use execution::span::Span;
use ir::locks::Purpose;
use ir::op::{Access, BinaryOp, CastOp, Op, Operand};
use ir::order::Order;
use ir::program::{Reg, Width};

/// An lvalue.
#[derive(Clone)]
pub struct Place {
    /// Where it is.
    pub at: At,
    /// Its declared type, with qualifiers.
    pub ty: QualType,
    /// For a bit-field.
    pub bits: Option<BitField>,
    /// What the address must be a multiple of, of which the access may ask for less; 1 where it
    /// is known to be, as it is inside of objects that the program names.
    pub align: u64,
    /// How the source spells it.
    pub path: Option<String>,
    /// What its accesses are for.
    pub purpose: Purpose,
}

/// Where an lvalue is.
#[derive(Clone, Copy)]
pub enum At {
    /// In a register.
    Register(Reg),
    /// In memory.
    Memory(Operand),
}

impl Place {
    /// A place in an object that is where it must be.
    pub fn memory(address: Operand, ty: QualType, path: Option<String>) -> Place {
        let purpose = Purpose::Data;
        Place { at: At::Memory(address), ty, bits: None, align: 1, path, purpose }
    }

    /// The access to all of it.
    pub fn access(&self, address: Operand, width: Width, order: Order) -> Access {
        let align = self.align.min(1 << width.bytes().trailing_zeros());
        let (path, purpose) = (self.path.clone(), self.purpose);
        Access { address, width, align, order, path, purpose, tags: Vec::new() }
    }
}

impl Lower<'_, '_> {
    /// Where an lvalue is; computes its address.
    pub fn place(&mut self, expr: &Expr) -> Place {
        let bits = match &expr.kind {
            ExprKind::Member { bits, .. } => *bits,
            _ => None,
        };
        let path = self.path(expr);
        let at = match &expr.kind {
            ExprKind::Local(id) => match self.home(*id) {
                Home::Register(reg) => At::Register(reg),
                Home::Slot(slot) => At::Memory(Operand::Slot(slot, 0)),
                Home::Pointed(reg) => At::Memory(Operand::Reg(reg)),
            },
            _ => At::Memory(self.accessed_address(expr)),
        };
        self.at(expr.span);
        let (align, purpose) = (self.alignment(expr), self.purpose(expr));
        Place { at, ty: expr.ty.clone(), bits, align, path, purpose }
    }

    /// The address of an lvalue, or of a struct that is a value.
    pub fn address(&mut self, expr: &Expr) -> Operand {
        self.address_for(expr, false)
    }

    /// The address of an lvalue that is accessed: arrays inside of objects end where their types
    /// say.
    pub fn accessed_address(&mut self, expr: &Expr) -> Operand {
        self.address_for(expr, true)
    }

    /// The address that a pointer is, through which something is accessed.
    pub fn accessed_through(&mut self, pointer: &Expr) -> Operand {
        match &pointer.kind {
            ExprKind::AddressOf(place) => self.accessed_address(place),
            _ => self.value(pointer),
        }
    }

    fn address_for(&mut self, expr: &Expr, accessed: bool) -> Operand {
        match &expr.kind {
            ExprKind::Local(id) => match self.home(*id) {
                Home::Slot(slot) => Operand::Slot(slot, 0),
                Home::Pointed(reg) => Operand::Reg(reg),
                // Only reached for an operand that is not evaluated.
                Home::Register(_) => Operand::NULL,
            },
            ExprKind::Object(id) => self.object(*id, expr.span),
            ExprKind::Function(id) => Operand::Function(self.program.function(*id)),
            ExprKind::Deref(pointer) => match &pointer.kind {
                ExprKind::AddressOf(place) => self.address_for(place, accessed),
                ExprKind::PointerAdd { pointer, index, minus: false } => {
                    self.element(pointer, index, accessed.then_some(expr.span))
                }
                _ => self.value(pointer),
            },
            ExprKind::Index(pointer, index) => {
                self.element(pointer, index, accessed.then_some(expr.span))
            }
            ExprKind::Member { base, offset, .. } => {
                let base = self.address_for(base, accessed);
                self.at(expr.span);
                self.offset(base, *offset as i64)
            }
            ExprKind::Literal(id, parts) => {
                let Home::Slot(slot) = self.home(*id) else { return Operand::NULL };
                self.at(expr.span);
                self.emit(Op::Enter { slot });
                let ty = self.body.locals[*id].ty.clone();
                self.initialise_parts(Operand::Slot(slot, 0), &ty, parts, None);
                Operand::Slot(slot, 0)
            }
            _ => self.record(expr),
        }
    }

    fn object(&mut self, id: ObjectId, span: Span) -> Operand {
        match self.program.missing_object(id, span) {
            Some(why) => {
                self.at(span);
                self.refuse(&why);
                Operand::NULL
            }
            None => Operand::Global(self.program.global(id, span), 0),
        }
    }

    /// The address of an element, or of what a pointer points to that was moved.
    fn element(&mut self, pointer: &Expr, index: &Expr, accessed: Option<Span>) -> Operand {
        let (base, length) = match &pointer.kind {
            ExprKind::Decay(array) if accessed.is_some() => {
                (self.address_for(array, true), self.inner_length(array))
            }
            _ => (self.value(pointer), None),
        };
        let size = self.pointee_size(&pointer.ty.ty);
        let index_value = self.index(index);
        let inside = |length: &u64| match index_value {
            Operand::Int { bits, .. } => bits < u128::from(*length),
            _ => false,
        };
        if let (Some(length), Some(span)) = (length.filter(|length| !inside(length)), accessed) {
            self.at(span);
            self.emit(Op::Bound { index: index_value, length });
        }
        self.moved_by(base, index_value, size, false)
    }

    /// The length of an array that is a part of an object and not its flexible end.
    fn inner_length(&self, array: &Expr) -> Option<u64> {
        let Type::Array(_, Some(length)) = array.ty.ty else { return None };
        match &array.kind {
            ExprKind::Index(..) => Some(length),
            ExprKind::Member { base, offset, .. } => {
                let Type::Record(id) = base.ty.ty else { return None };
                let body = self.program.unit.types.records[id].body.as_ref()?;
                let is_last = body.fields.iter().all(|field| field.offset <= *offset);
                (length > 1 || length == 1 && !is_last).then_some(length)
            }
            _ => None,
        }
    }

    /// What a pointer steps over.
    pub fn pointee_size(&self, pointer: &Type) -> u64 {
        match pointer.pointee().map(|to| &to.ty) {
            None | Some(Type::Void | Type::Function(_)) => 1,
            Some(other) => self.size(other),
        }
    }

    /// `base ± index * size`
    pub fn indexed(&mut self, base: Operand, index: &Expr, size: u64, minus: bool) -> Operand {
        let value = self.index(index);
        self.moved_by(base, value, size, minus)
    }

    /// An index, in the width of an address.
    fn index(&mut self, index: &Expr) -> Operand {
        let (_, signed) = self.program.unit.types.integer(&index.ty.ty).unwrap_or((64, true));
        let value = self.value(index);
        let extend = if signed { CastOp::SignExtend } else { CastOp::ZeroExtend };
        let wide = if self.operand_width(value).bits() > 64 { CastOp::Truncate } else { extend };
        self.cast(wide, value, Width::PTR)
    }

    fn moved_by(&mut self, base: Operand, value: Operand, size: u64, minus: bool) -> Operand {
        if let Operand::Int { bits, .. } = value {
            let bytes = (bits as i64).wrapping_mul(size as i64);
            return self.offset(base, if minus { bytes.wrapping_neg() } else { bytes });
        }
        let scaled = match size {
            1 => value,
            _ => {
                self.binary(BinaryOp::Mul, value, Operand::int(Width::PTR, u128::from(size)), false)
            }
        };
        let op = if minus { BinaryOp::Sub } else { BinaryOp::Add };
        self.binary(op, base, scaled, false)
    }

    /// Reads a scalar.
    pub fn load(&mut self, place: &Place) -> Operand {
        let address = match place.at {
            At::Register(reg) => return Operand::Reg(reg),
            At::Memory(address) => address,
        };
        let order = access_order(&place.ty);
        match place.bits {
            None => self.load_width(place, address, self.width(&place.ty.ty), order),
            Some(bits) => {
                let unit = self.load_width(place, address, unit_width(bits), order);
                self.extract(unit, bits, place.ty.ty == Type::BOOL)
            }
        }
    }

    /// Reads memory.
    pub fn load_width(
        &mut self,
        place: &Place,
        address: Operand,
        width: Width,
        order: Order,
    ) -> Operand {
        let dst = self.temp(width);
        self.emit(Op::Load { dst, access: place.access(address, width, order), exclusive: false });
        Operand::Reg(dst)
    }

    /// The bits of a bit-field in its storage unit.
    fn extract(&mut self, unit: Operand, bits: BitField, is_bool: bool) -> Operand {
        let width = unit_width(bits);
        let shifted = match bits.shift {
            0 => unit,
            by => self.binary(BinaryOp::LShr, unit, Operand::int(width, u128::from(by)), false),
        };
        let narrow = Width::from_bits(bits.width).unwrap_or(width);
        let value = self.cast(CastOp::Truncate, shifted, narrow);
        if is_bool { self.cast(CastOp::ZeroExtend, value, Width::I8) } else { value }
    }

    /// Writes a scalar, in the order that the place's type asks for.
    pub fn store(&mut self, place: &Place, value: Operand) {
        self.store_ordered(place, value, access_order(&place.ty));
    }

    /// Writes a scalar.
    pub fn store_ordered(&mut self, place: &Place, value: Operand, order: Order) {
        match (place.at, place.bits) {
            (At::Register(dst), _) => self.emit(Op::Copy { dst, src: value }),
            (At::Memory(address), None) => {
                let access = place.access(address, self.operand_width(value), order);
                self.emit(Op::Store { access, value });
            }
            (At::Memory(address), Some(bits)) => self.insert(place, address, bits, value, order),
        }
    }

    /// Writes a bit-field: its unit is read, changed and written, as compiled code does.
    fn insert(
        &mut self,
        place: &Place,
        address: Operand,
        bits: BitField,
        value: Operand,
        order: Order,
    ) {
        let width = unit_width(bits);
        let narrow = Width::from_bits(bits.width).unwrap_or(width);
        // A `_Bool` value is a byte; its field may be one bit.
        let value = self.cast(CastOp::Truncate, value, narrow);
        if bits.width == width.bits() {
            let access = place.access(address, width, order);
            self.emit(Op::Store { access, value });
            return;
        }
        let old = self.load_width(place, address, width, order);
        let field = narrow.mask() << bits.shift;
        let kept = self.binary(BinaryOp::And, old, Operand::int(width, !field), false);
        let wide = self.cast(CastOp::ZeroExtend, value, width);
        let moved = match (bits.shift, wide) {
            (0, _) => wide,
            (by, Operand::Int { bits, .. }) => Operand::int(width, bits << by),
            (by, _) => self.binary(BinaryOp::Shl, wide, Operand::int(width, u128::from(by)), false),
        };
        let new = self.binary(BinaryOp::Or, kept, moved, false);
        let access = place.access(address, width, order);
        self.emit(Op::Store { access, value: new });
    }
}

fn unit_width(bits: BitField) -> Width {
    Width::from_bytes(bits.unit).unwrap_or(Width::I128)
}
