//! Assignment.

use super::function::{Lower, access_order};
use super::operator::has_effects;
use super::place::{At, Place};
use crate::sema::tree::Expr;
use crate::sema::types::Type;
use execution::span::Span;
use ir::op::{Op, Operand};

impl Lower<'_, '_> {
    /// `target = value` of scalars; gives the value.
    pub fn assign(&mut self, target: &Expr, value: &Expr, span: Span) -> Operand {
        if target.ty.ty.is_record() {
            self.assign_record(target, value, span);
            return Operand::Undef(ir::program::Width::I32);
        }
        // As in gcc, the address comes before the value.
        let place = self.place(target);
        let place = if has_effects(value) { self.frozen_place(place) } else { place };
        let operand = self.value(value);
        self.at(span);
        self.store(&place, operand);
        match place.at {
            At::Register(reg) => Operand::Reg(reg),
            At::Memory(_) => operand,
        }
    }

    /// A place whose address later writes to variables do not change.
    pub fn frozen_place(&mut self, place: Place) -> Place {
        match place.at {
            At::Memory(address) => Place { at: At::Memory(self.frozen(address)), ..place },
            At::Register(_) => place,
        }
    }

    /// `target = value` of structs; gives the target's address.
    pub fn assign_record(&mut self, target: &Expr, value: &Expr, span: Span) -> Operand {
        let place = self.place(target);
        let At::Memory(address) = place.at else { return Operand::NULL };
        let address = if has_effects(value) { self.frozen(address) } else { address };
        if target.ty.quals.is_atomic {
            let value = self.record_bytes(value);
            self.at(span);
            let access =
                place.access(address, self.bytes_width(&target.ty.ty), access_order(&target.ty));
            self.emit(Op::Store { access, value });
            return address;
        }
        let source = self.record_place(value);
        self.at(span);
        self.copy_record(&Place { at: At::Memory(address), ..place }, &source);
        address
    }

    /// Where the value of a struct is.
    pub fn record_place(&mut self, value: &Expr) -> Place {
        let (ty, path, align) = match &value.kind {
            crate::sema::tree::ExprKind::Load(place) => {
                let mut ty = place.ty.clone();
                ty.quals.is_atomic = false;
                (ty, self.path(place), self.alignment(place))
            }
            _ => (value.ty.clone(), None, 1),
        };
        let address = self.address(value);
        Place { align, ..Place::memory(address, ty, path) }
    }

    /// The bytes of a small struct as one value. Padding reads as zero, so that two equal structs
    /// have equal bytes.
    pub fn record_bytes(&mut self, value: &Expr) -> Operand {
        let place = self.record_place(value);
        self.bytes_at(&place)
    }

    /// The bytes of the small struct at a place as one value.
    pub fn bytes_at(&mut self, place: &Place) -> Operand {
        let At::Memory(address) = place.at else { return Operand::NULL };
        let width = self.bytes_width(&place.ty.ty);
        let order = super::function::plain_order(&place.ty);
        let bytes = self.load_width(place, address, width, order);
        let used = self.used_bits(&place.ty.ty, 0) & width.mask();
        if used == width.mask() {
            return bytes;
        }
        self.binary(ir::op::BinaryOp::And, bytes, Operand::int(width, used), false)
    }

    /// The bits of a small object that are not padding.
    fn used_bits(&self, ty: &Type, offset: u64) -> u128 {
        let mask = crate::sema::constants::arith::mask;
        match ty {
            Type::Record(id) => {
                let Some(body) = &self.program.unit.types.records[*id].body else { return 0 };
                body.fields.iter().fold(0, |used, field| {
                    let at = offset + field.offset;
                    used | match field.bits {
                        Some(bits) => shifted(mask(bits.width), at * 8 + u64::from(bits.shift)),
                        None => self.used_bits(&field.ty.ty, at),
                    }
                })
            }
            Type::Array(element, Some(length)) => {
                let size = self.size(&element.ty);
                (0..*length).take(16).fold(0, |used, index| {
                    used | self.used_bits(&element.ty, offset + index * size)
                })
            }
            scalar => shifted(mask(8 * self.size(scalar) as u32), offset * 8),
        }
    }
}

fn shifted(bits: u128, by: u64) -> u128 {
    if by < 128 { bits << by } else { 0 }
}
