//! Copying and clearing of structs and arrays, member by member.

use super::alignment::offset_alignment;
use super::function::{Lower, plain_order};
use super::place::{At, Place};
use crate::ast::RecordKind;
use crate::sema::types::{Field, QualType, RecordBody, Type};
use ir::op::{BinaryOp, Op, Operand, Terminator};
use ir::order::Order;
use ir::program::Width;

/// Arrays with more elements than this are copied by a loop.
const UNROLLED: u64 = 16;

/// What is done with every part of an object.
#[derive(Clone)]
pub enum Task {
    /// Copied from here.
    Copy(Region),
    /// Made zero.
    Clear,
}

/// An object that is read or written part by part.
#[derive(Clone)]
pub struct Region {
    /// Its address.
    pub at: Operand,
    /// What that must be a multiple of, as in [`Place`].
    pub align: u64,
    /// The order of the accesses.
    pub order: Order,
    /// How the source spells it.
    pub path: Option<String>,
}

impl Region {
    /// Of an object that is where it must be, and has no name.
    pub fn new(at: Operand, order: Order) -> Region {
        Region { at, align: 1, order, path: None }
    }

    fn of(place: &Place, at: Operand) -> Region {
        let (align, order) = (place.align, plain_order(&place.ty));
        Region { at, align, order, path: place.path.clone() }
    }

    fn named(&self, suffix: &str) -> Option<String> {
        self.path.as_ref().map(|path| format!("{path}{suffix}"))
    }
}

impl Task {
    fn map(&self, change: impl FnOnce(&Region) -> Region) -> Task {
        match self {
            Task::Clear => Task::Clear,
            Task::Copy(from) => Task::Copy(change(from)),
        }
    }
}

impl Lower<'_, '_> {
    /// Copies a struct.
    pub fn copy_record(&mut self, to: &Place, from: &Place) {
        let (At::Memory(target), At::Memory(source)) = (to.at, from.at) else { return };
        let task = Task::Copy(Region::of(from, source));
        self.each_part(&to.ty.ty, &Region::of(to, target), &task);
    }

    /// Copies or clears every part of an object, padding included, as compiled code does.
    pub fn each_part(&mut self, ty: &Type, region: &Region, task: &Task) {
        match ty {
            Type::Array(element, Some(length)) => self.each_element(element, *length, region, task),
            Type::Array(_, None) => {}
            Type::Record(id) => {
                let record = &self.program.unit.types.records[*id];
                let Some(body) = &record.body else { return };
                if record.kind == RecordKind::Union {
                    let (size, align) = (body.size, body.align);
                    self.chunks(0, size, align, region, task);
                } else {
                    self.each_member(&body.fields, region, task);
                    for (start, end) in self.padding(body) {
                        self.chunks(start, end - start, body.align, region, task);
                    }
                }
            }
            scalar => {
                let width = self.width(scalar);
                self.part(width, region, task);
            }
        }
    }

    fn each_member(&mut self, fields: &[Field], region: &Region, task: &Task) {
        // Bit-fields share storage units; each byte is handled once.
        let mut done = 0;
        for field in fields {
            if let Some(bits) = field.bits {
                let (start, end) = (field.offset.max(done), field.offset + bits.unit);
                if start < end {
                    let align = if start == field.offset && bits.unit.is_power_of_two() {
                        bits.unit
                    } else {
                        1
                    };
                    self.chunks(start, end - start, align, region, task);
                    done = end;
                }
                continue;
            }
            let suffix = field.name.as_ref().map_or(String::new(), |name| format!(".{name}"));
            let (region, task) = self.moved(field.offset, &suffix, region, task);
            self.each_part(&field.ty.ty, &region, &task);
        }
    }

    /// The bytes of a struct that belong to no member, from the first to behind the last.
    pub fn padding(&self, body: &RecordBody) -> Vec<(u64, u64)> {
        let mut gaps = Vec::new();
        let mut done = 0;
        for field in &body.fields {
            let size = field.bits.map_or_else(|| self.size(&field.ty.ty), |bits| bits.unit);
            if field.offset > done {
                gaps.push((done, field.offset));
            }
            done = done.max(field.offset + size);
        }
        if body.size > done {
            gaps.push((done, body.size));
        }
        gaps
    }

    fn moved(&mut self, by: u64, suffix: &str, region: &Region, task: &Task) -> (Region, Task) {
        let mut moved = |region: &Region| Region {
            at: self.offset(region.at, by as i64),
            align: offset_alignment(region.align, by),
            order: region.order,
            path: region.named(suffix),
        };
        (moved(region), task.map(moved))
    }

    /// A part of an object at a computed offset, a multiple of `size`.
    fn shifted(&mut self, by: Operand, size: u64, suffix: &str, region: &Region) -> Region {
        Region {
            at: self.binary(BinaryOp::Add, region.at, by, false),
            align: offset_alignment(region.align, size),
            order: region.order,
            path: region.named(suffix),
        }
    }

    fn each_element(&mut self, element: &QualType, length: u64, region: &Region, task: &Task) {
        let size = self.size(&element.ty);
        if length <= UNROLLED {
            for index in 0..length {
                let (region, task) = self.moved(index * size, &format!("[{index}]"), region, task);
                self.each_part(&element.ty, &region, &task);
            }
            return;
        }
        self.repeat(length, size, |lower, by| {
            let to = lower.shifted(by, size, "[…]", region);
            let task = task.map(|from| lower.shifted(by, size, "[…]", from));
            let region = to;
            lower.each_part(&element.ty, &region, &task);
        });
    }

    /// A loop over `count` offsets: 0, `size`, 2·`size` …
    fn repeat(&mut self, count: u64, size: u64, mut body: impl FnMut(&mut Self, Operand)) {
        let number = |n: u64| Operand::int(Width::PTR, u128::from(n));
        let by = self.temp(Width::PTR);
        self.emit(Op::Copy { dst: by, src: number(0) });
        let (head, end) = (self.out.new_block(), self.out.new_block());
        self.jump(head);
        self.out.switch_to(head);
        body(self, Operand::Reg(by));
        self.emit(Op::Binary {
            dst: by,
            op: BinaryOp::Add,
            a: Operand::Reg(by),
            b: number(size),
            checked: false,
        });
        let cond = self.binary(BinaryOp::Ult, Operand::Reg(by), number(count * size), false);
        self.terminate(Terminator::Branch { cond, then: head, otherwise: end });
        self.out.switch_to(end);
    }

    /// Copies or clears bytes of which no members are known.
    pub fn chunks(&mut self, start: u64, size: u64, align: u64, region: &Region, task: &Task) {
        let widest = align.clamp(1, 8);
        if size / widest > UNROLLED {
            let (whole, rest) = (size / widest, size % widest);
            let (inner, copied) = self.moved(start, "", region, task);
            let width = Width::from_bytes(widest).unwrap_or(Width::I8);
            self.repeat(whole, widest, |lower, by| {
                let to = lower.shifted(by, widest, "", &inner);
                let task = copied.map(|from| lower.shifted(by, widest, "", from));
                lower.part(width, &to, &task);
            });
            return self.chunks(start + whole * widest, rest, 1, region, task);
        }
        let mut at = start;
        while at < start + size {
            let left = start + size - at;
            let step = [8, 4, 2, 1]
                .into_iter()
                .find(|step| *step <= widest && *step <= left && at.is_multiple_of(*step))
                .unwrap_or(1);
            let (region, task) = self.moved(at, "", region, task);
            let width = Width::from_bytes(step).unwrap_or(Width::I8);
            self.part(width, &region, &task);
            at += step;
        }
    }

    fn part(&mut self, width: Width, region: &Region, task: &Task) {
        let place = |region: &Region| Place {
            align: region.align,
            ..Place::memory(region.at, Type::Void.into(), region.path.clone())
        };
        let value = match task {
            Task::Clear => Operand::int(width, 0),
            Task::Copy(from) => self.load_width(&place(from), from.at, width, from.order),
        };
        self.store_ordered(&place(region), value, region.order);
    }
}
