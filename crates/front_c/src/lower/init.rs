//! Initialisation of locals.
//!
//! Soundness S-022 (run, check, verify; all; misses): A jump past the initialiser of a local in a
//! later iteration of its loop finds what the iteration before left there, where C makes it
//! undefined. Test: corpus/verify/approximations/jump_past_initialiser.c.

use super::copy::{Region, Task};
use super::function::{Home, Lower, plain_order};
use super::place::{At, Place};
use crate::ast::RecordKind;
use crate::sema::tree::{ExprKind, InitPart, LocalId, LocalInit, StaticData};
use crate::sema::types::{QualType, Type};
use ir::op::{Op, Operand};
use ir::program::Width;

impl Lower<'_, '_> {
    /// The declaration of a local is reached: its lifetime starts, and it gets its initial value.
    pub fn declare_local(&mut self, id: LocalId, init: Option<&LocalInit>) {
        let body = self.body;
        let local = &body.locals[id];
        let home = self.home(id);
        match (home, init) {
            (Home::Register(dst), None) => {
                let src = Operand::Undef(self.width(&local.ty.ty));
                self.emit(Op::Copy { dst, src });
            }
            (Home::Register(dst), Some(LocalInit::Value(value))) => {
                let span = self.span;
                let src = self.value(value);
                self.at(span);
                self.emit(Op::Copy { dst, src });
            }
            (Home::Slot(slot), init) => {
                self.emit(Op::Enter { slot });
                let address = Operand::Slot(slot, 0);
                let name = (!local.name.is_empty()).then(|| local.name.to_string());
                match init {
                    None => {}
                    Some(LocalInit::Parts(parts)) => {
                        self.initialise_parts(address, &local.ty, parts, name.as_deref());
                    }
                    Some(LocalInit::Value(value)) => {
                        let place = Place::memory(address, local.ty.clone(), name);
                        self.initialise(&place, value);
                    }
                }
            }
            (Home::Register(_) | Home::Pointed(_), _) => {}
        }
    }

    /// Gives an object its first value. Even for an atomic object this is not an atomic access.
    fn initialise(&mut self, place: &Place, value: &crate::sema::tree::Expr) {
        let span = self.span;
        if place.ty.ty.is_record() && place.ty.quals.is_atomic {
            let bytes = self.record_bytes(value);
            self.at(span);
            self.store_ordered(place, bytes, plain_order(&place.ty));
            return;
        }
        if place.ty.ty.is_record() {
            let source = self.record_place(value);
            self.at(span);
            self.copy_record(place, &source);
            return;
        }
        let operand = self.value(value);
        self.at(span);
        self.store_ordered(place, operand, plain_order(&place.ty));
    }

    /// Initialises members and elements; all others become zero.
    pub fn initialise_parts(
        &mut self,
        address: Operand,
        ty: &QualType,
        parts: &[InitPart],
        name: Option<&str>,
    ) {
        let mut covered: Vec<(u64, u64)> = parts
            .iter()
            .filter(|part| part.bits.is_none())
            .map(|part| (part.offset, part.offset + self.size(&part.ty.ty)))
            .collect();
        covered.sort_unstable();
        covered.dedup_by(|later, earlier| {
            let joined = later.0 <= earlier.1;
            if joined {
                earlier.1 = earlier.1.max(later.1);
            }
            joined
        });
        let region =
            Region { path: name.map(str::to_string), ..Region::new(address, plain_order(ty)) };
        if ty.quals.is_atomic && ty.ty.is_record() {
            // All bytes of an atomic struct are compared, padding included.
            let place = Place::memory(address, ty.clone(), region.path.clone());
            let zero = Operand::int(self.bytes_width(&ty.ty), 0);
            self.store_ordered(&place, zero, region.order);
        }
        self.clear_gaps(&ty.ty, (0, ""), &region, &covered);
        for part in parts {
            let path = name.map(|name| format!("{name}{}", part.path));
            let target = self.offset(address, part.offset as i64);
            let quals = crate::sema::types::union(ty.quals, part.ty.quals);
            let ty = QualType { quals, ..part.ty.clone() };
            let place = Place { bits: part.bits, ..Place::memory(target, ty, path) };
            match (&part.ty.ty, &part.value.kind) {
                (Type::Array(..), ExprKind::Object(id)) => self.initialise_string(&place, *id),
                _ => self.initialise(&place, &part.value),
            }
        }
    }

    /// Clears what no part covers. Bit-fields are cleared too: their parts are merged in later.
    fn clear_gaps(
        &mut self,
        ty: &Type,
        (offset, suffix): (u64, &str),
        region: &Region,
        covered: &[(u64, u64)],
    ) {
        let size = self.size(ty);
        let first = covered.partition_point(|(_, end)| *end <= offset);
        let touching = &covered[first..];
        let untouched = touching.first().is_none_or(|(start, _)| *start >= offset + size);
        if untouched {
            let to = self.offset(region.at, offset as i64);
            let path = region.path.as_ref().map(|path| format!("{path}{suffix}"));
            let region = Region { path, ..Region::new(to, region.order) };
            return self.each_part(ty, &region, &Task::Clear);
        }
        let (start, end) = touching[0];
        if start <= offset && end >= offset + size {
            return;
        }
        match ty {
            Type::Array(element, Some(length)) => {
                let step = self.size(&element.ty).max(1);
                let mut index = 0;
                while index < *length {
                    let at = offset + index * step;
                    let next = covered.partition_point(|(_, end)| *end <= at);
                    let run = match covered.get(next) {
                        Some((start, _)) if *start > at => {
                            ((start - at) / step).min(length - index)
                        }
                        Some(_) => 0,
                        None => length - index,
                    };
                    let ty = match run {
                        0 | 1 => element.ty.clone(),
                        _ => Type::Array(element.clone(), Some(run)),
                    };
                    let suffix = match run {
                        0 | 1 => format!("{suffix}[{index}]"),
                        _ => format!("{suffix}[…]"),
                    };
                    self.clear_gaps(&ty, (at, &suffix), region, covered);
                    index += run.max(1);
                }
            }
            Type::Record(id) => {
                let record = &self.program.unit.types.records[*id];
                let Some(body) = &record.body else { return };
                if record.kind == RecordKind::Union {
                    return self.clear_union(offset, size, region, covered);
                }
                for (start, end) in self.padding(body) {
                    let at = offset + start;
                    self.chunks(at, end - start, body.align, region, &Task::Clear);
                }
                let mut done = 0;
                for field in &body.fields {
                    match field.bits {
                        None => {
                            let name = field.name.as_ref();
                            let name = name.map_or(String::new(), |name| format!(".{name}"));
                            let inner = (offset + field.offset, &*format!("{suffix}{name}"));
                            self.clear_gaps(&field.ty.ty, inner, region, covered);
                        }
                        Some(bits) => {
                            let (start, end) = (field.offset.max(done), field.offset + bits.unit);
                            if start < end {
                                self.chunks(
                                    offset + start,
                                    end - start,
                                    bits.unit,
                                    region,
                                    &Task::Clear,
                                );
                                done = end;
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Clears the bytes of a union after and between the parts that are initialised.
    fn clear_union(&mut self, offset: u64, size: u64, region: &Region, covered: &[(u64, u64)]) {
        let mut at = offset;
        let end = offset + size;
        for (start, stop) in covered.iter().filter(|(start, stop)| *stop > offset && *start < end) {
            if *start > at {
                self.chunks(at, start - at, 8, region, &Task::Clear);
            }
            at = at.max(*stop);
        }
        if at < end {
            self.chunks(at, end - at, 8, region, &Task::Clear);
        }
    }

    /// Initialises an array of characters by a string: the bytes are stored one by one.
    fn initialise_string(&mut self, place: &Place, id: crate::sema::tree::ObjectId) {
        let (Type::Array(element, Some(length)), At::Memory(address)) = (&place.ty.ty, place.at)
        else {
            return;
        };
        let size = self.size(&element.ty);
        let unit = self.program.unit;
        let bytes: &[u8] = match unit.objects[id].init.as_deref() {
            Some([init]) => match &init.data {
                StaticData::Bytes(bytes) => bytes,
                _ => &[],
            },
            _ => &[],
        };
        let width = Width::from_bytes(size).unwrap_or(Width::I8);
        let own = (bytes.len() as u64 / size.max(1)).min(*length);
        for index in 0..own {
            let at = (index * size) as usize;
            let mut value = [0; 16];
            value[..size as usize].copy_from_slice(&bytes[at..at + size as usize]);
            let to = self.offset(address, at as i64);
            let path = place.path.as_ref().map(|path| format!("{path}[{index}]"));
            let target = Place::memory(to, place.ty.clone(), path);
            self.store_ordered(
                &target,
                Operand::int(width, u128::from_le_bytes(value)),
                plain_order(&place.ty),
            );
        }
        if own < *length {
            let rest = Type::Array(element.clone(), Some(length - own));
            let to = self.offset(address, (own * size) as i64);
            let path = place.path.clone();
            let region = Region { path, ..Region::new(to, plain_order(&place.ty)) };
            self.each_part(&rest, &region, &Task::Clear);
        }
    }
}
