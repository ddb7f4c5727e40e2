//! Copying, clearing and comparing of structs and arrays, member by member.

use super::alignment::offset_alignment;
use super::function::{Lower, plain_order};
use super::place::{At, Place};
use crate::ast::RecordKind;
use crate::sema::types::{Field, QualType, RecordBody, Type};
use ir::op::{BinaryOp, Op, Operand, Terminator};
use ir::order::Order;
use ir::program::{BlockId, Reg, Width};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Arrays with more elements than this are copied by a loop.
const UNROLLED: u64 = 16;

/// What is done with every part of an object.
#[derive(Clone)]
pub enum Task {
    /// Copied from here.
    Copy(Region),
    /// Made zero.
    Clear,
    /// Made of this byte, which is repeated in 64 bits.
    Fill(Operand),
    /// Read and kept.
    Read(Kept),
    /// Made what was kept.
    Write(Kept),
    /// Compared with what is here, byte by byte in the order of addresses.
    Compare(Region, ComparisonEnd),
}

/// Values of parts, in the order in which they are visited.
pub type Kept = Rc<RefCell<VecDeque<Operand>>>;

/// Where a comparison ends.
#[derive(Clone, Copy)]
pub struct ComparisonEnd {
    /// Gets what it results in if there is a difference.
    pub result: Reg,
    /// Where to go on then.
    pub end: BlockId,
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
        let path = self.path.as_ref()?;
        Some(match (path.strip_prefix('*'), suffix.strip_prefix('.')) {
            (Some(pointer), Some(member)) => format!("{pointer}->{member}"),
            _ => format!("{path}{suffix}"),
        })
    }
}

impl Task {
    fn map(&self, change: impl FnOnce(&Region) -> Region) -> Task {
        match self {
            Task::Copy(from) => Task::Copy(change(from)),
            Task::Compare(with, outcome) => Task::Compare(change(with), *outcome),
            other => other.clone(),
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

    /// Does something with every part of an object, padding included, as compiled code does.
    pub fn each_part(&mut self, ty: &Type, region: &Region, task: &Task) {
        self.first_parts(ty, self.size(ty), region, task);
    }

    /// The parts of an object that are in its first bytes. No scalar may be there in part only.
    pub fn first_parts(&mut self, ty: &Type, bytes: u64, region: &Region, task: &Task) {
        match ty {
            Type::Array(element, Some(_)) => {
                let size = self.size(&element.ty).max(1);
                self.each_element(element, bytes / size, region, task);
                if !bytes.is_multiple_of(size) {
                    let (region, task) = self.moved(bytes - bytes % size, "[…]", region, task);
                    self.first_parts(&element.ty, bytes % size, &region, &task);
                }
            }
            Type::Array(_, None) => {}
            Type::Record(id) => {
                let record = &self.program.unit.types.records[*id];
                let Some(body) = &record.body else { return };
                if record.kind == RecordKind::Union {
                    let align = body.align;
                    self.chunks(0, bytes, align, region, task);
                } else {
                    self.each_member(&body.fields, bytes, region, task);
                    for (start, end) in self.padding(body) {
                        let size = end.min(bytes).saturating_sub(start);
                        self.chunks(start, size, body.align, region, task);
                    }
                }
            }
            scalar => {
                let width = self.width(scalar);
                self.part(width, region, task);
            }
        }
    }

    fn each_member(&mut self, fields: &[Field], bytes: u64, region: &Region, task: &Task) {
        // Bit-fields share storage units; each byte is handled once.
        let mut done = 0;
        for field in fields {
            if let Some(bits) = field.bits {
                let (start, end) = (field.offset.max(done), (field.offset + bits.unit).min(bytes));
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
            let left = bytes.saturating_sub(field.offset);
            if left == 0 {
                continue;
            }
            let suffix = field.name.as_ref().map_or(String::new(), |name| format!(".{name}"));
            let (region, task) = self.moved(field.offset, &suffix, region, task);
            if left < self.size(&field.ty.ty) {
                self.first_parts(&field.ty.ty, left, &region, &task);
            } else {
                self.each_object(&field.ty, &region, &task);
            }
        }
    }

    /// Every part of an object, which is one part if it is atomic.
    pub fn each_object(&mut self, ty: &QualType, region: &Region, task: &Task) {
        let size = self.size(&ty.ty);
        match Width::from_bytes(size) {
            Some(width) if ty.is_one_access(size) => self.part(width, region, task),
            _ => self.each_part(&ty.ty, region, task),
        }
    }

    /// The bytes of a struct that belong to no member, from the first to after the last.
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

    pub fn moved(&mut self, by: u64, suffix: &str, region: &Region, task: &Task) -> (Region, Task) {
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

    pub fn each_element(&mut self, element: &QualType, length: u64, region: &Region, task: &Task) {
        let size = self.size(&element.ty);
        if length <= UNROLLED {
            for index in 0..length {
                let (region, task) = self.moved(index * size, &format!("[{index}]"), region, task);
                self.each_object(element, &region, &task);
            }
            return;
        }
        self.repeat(length, size, |lower, by| {
            let to = lower.shifted(by, size, "[…]", region);
            let task = task.map(|from| lower.shifted(by, size, "[…]", from));
            lower.each_object(element, &to, &task);
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
            Task::Fill(bytes) => self.repeated(*bytes, width),
            Task::Copy(from) => self.load_width(&place(from), from.at, width, from.order),
            Task::Write(kept) => {
                let kept = kept.borrow_mut().pop_front();
                kept.unwrap_or(Operand::Undef(width))
            }
            Task::Read(kept) => {
                let value = self.load_width(&place(region), region.at, width, region.order);
                kept.borrow_mut().push_back(value);
                return;
            }
            Task::Compare(with, outcome) => {
                let left = self.load_width(&place(region), region.at, width, region.order);
                let right = self.load_width(&place(with), with.at, width, with.order);
                return self.compare_part(left, right, *outcome);
            }
        };
        self.store_ordered(&place(region), value, region.order);
    }
}
