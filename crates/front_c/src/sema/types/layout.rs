//! Sizes, alignments and the layout of structs, unions and bit-fields, as gcc has them on x86-64.
//!
//! The rules are those of the System V ABI with gcc's extensions: a bit-field may not span more
//! units of its type's alignment than its type does, unless it is packed or under
//! `#pragma pack`; a zero-width bit-field closes the unit; an unnamed bit-field does not affect
//! the alignment of the struct.

use crate::ast::RecordKind;
use crate::sema::types::{BitField, Field, QualType, RecordBody, Type, Types};

/// A member before layout.
#[derive(Clone, Debug)]
pub struct PlainField {
    /// The member; offset and bits are still to be found.
    pub field: Field,
    /// A named member, or an anonymous struct (an unnamed bit-field otherwise).
    pub named: bool,
    /// The width of a bit-field.
    pub width: Option<u32>,
    /// `packed` on the member itself.
    pub packed: bool,
    /// `aligned` or `_Alignas` on the member.
    pub align: Option<u64>,
}

/// What attributes and pragmas say about the whole struct.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordOptions {
    /// `packed`
    pub packed: bool,
    /// `aligned`
    pub align: Option<u64>,
    /// `#pragma pack(n)`
    pub pack: Option<u64>,
}

/// The largest object we lay out; gcc's limit is the same order of magnitude.
const MAX_SIZE: u64 = 1 << 40;

impl Types {
    /// Size in bytes; `None` for an incomplete type, a function or a size out of bounds.
    pub fn size_of(&self, ty: &Type) -> Option<u64> {
        Some(match ty {
            Type::Void | Type::Function(_) | Type::Variable(..) => return None,
            Type::Int(kind) => u64::from(kind.bits()) / 8,
            Type::Float(kind) => kind.width().bytes(),
            Type::Bits { width, .. } => u64::from(width.next_power_of_two()) / 8,
            Type::Enum(id) => u64::from(self.enums[*id].underlying?.bits()) / 8,
            Type::Pointer(_) => 8,
            Type::Array(element, length) => {
                let size = self.size_of(&element.ty)?.checked_mul((*length)?)?;
                return (size <= MAX_SIZE).then_some(size);
            }
            Type::Record(id) => self.records[*id].body.as_ref()?.size,
        })
    }

    /// Alignment in bytes of an object of this type.
    pub fn align_of(&self, ty: &QualType) -> u64 {
        if let Some(align) = ty.align {
            return align;
        }
        let natural = match &ty.ty {
            Type::Void | Type::Function(_) => 1,
            Type::Array(element, _) | Type::Variable(element, _) => self.align_of(element),
            Type::Record(id) => self.records[*id].body.as_ref().map_or(1, |body| body.align),
            other => self.size_of(other).unwrap_or(1),
        };
        match self.size_of(&ty.ty) {
            // An atomic object is aligned so that one access can reach all of it.
            Some(size @ (1 | 2 | 4 | 8 | 16)) if ty.quals.is_atomic => natural.max(size),
            _ => natural,
        }
    }

    /// Lays out the members of a struct or union; `None` where the size is out of bounds.
    pub fn lay_out(
        &self,
        kind: RecordKind,
        plain: Vec<PlainField>,
        options: RecordOptions,
    ) -> Option<RecordBody> {
        let mut layout = RecordLayout { types: self, options, kind, bit: 0, end: 0, align: 1 };
        let mut placed = Vec::new();
        for field in &plain {
            placed.push(layout.place(field)?);
        }
        let align = layout.align.max(options.align.unwrap_or(1));
        let size = layout.end.max(layout.bit).div_ceil(8).checked_next_multiple_of(align)?;
        if size > MAX_SIZE {
            return None;
        }
        let runs = bit_runs(&plain, &placed, size);
        let mut fields = Vec::new();
        for (index, (plain, bit)) in plain.into_iter().zip(&placed).enumerate() {
            let mut field = plain.field;
            match plain.width {
                None => field.offset = bit / 8,
                Some(width) if plain.named => {
                    let declared = self.size_of(&field.ty.ty)?;
                    let (offset, bits) = storage_unit(*bit, width, declared, runs[index]);
                    field.offset = offset;
                    field.bits = Some(bits);
                }
                Some(_) => continue,
            }
            fields.push(field);
        }
        Some(RecordBody { fields, size, align })
    }
}

struct RecordLayout<'t> {
    types: &'t Types,
    options: RecordOptions,
    kind: RecordKind,
    /// The next free bit.
    bit: u64,
    /// One past the last bit of any member (unions).
    end: u64,
    /// The alignment so far.
    align: u64,
}

impl RecordLayout<'_> {
    /// Gives a member its first bit.
    fn place(&mut self, plain: &PlainField) -> Option<u64> {
        if self.kind == RecordKind::Union {
            self.bit = 0;
        }
        let start = match plain.width {
            None => self.place_member(plain)?,
            Some(width) => self.place_bits(plain, width)?,
        };
        self.end = self.end.max(self.bit);
        (self.end <= MAX_SIZE * 8).then_some(start)
    }

    fn packed(&self, plain: &PlainField) -> bool {
        self.options.packed || plain.packed
    }

    fn place_member(&mut self, plain: &PlainField) -> Option<u64> {
        let ty = &plain.field.ty;
        let natural = if self.packed(plain) { 1 } else { self.types.align_of(ty) };
        // As in gcc, `#pragma pack` bounds even an alignment that the member asks for.
        let align =
            natural.max(plain.align.unwrap_or(1)).min(self.options.pack.unwrap_or(u64::MAX));
        // A flexible array member takes no room.
        let size = match &ty.ty {
            Type::Array(_, None) => 0,
            other => self.types.size_of(other)?,
        };
        self.align = self.align.max(align);
        let start = self.bit.checked_next_multiple_of(align * 8)?;
        self.bit = start.checked_add(size.checked_mul(8)?)?;
        Some(start)
    }

    fn place_bits(&mut self, plain: &PlainField, width: u32) -> Option<u64> {
        let natural = self.types.align_of(&plain.field.ty);
        if width == 0 {
            let align = natural.max(plain.align.unwrap_or(1));
            self.bit = self.bit.checked_next_multiple_of(align * 8)?;
            return Some(self.bit);
        }
        if let Some(align) = plain.align {
            let align = align.min(self.options.pack.unwrap_or(u64::MAX));
            self.bit = self.bit.checked_next_multiple_of(align * 8)?;
            self.align = self.align.max(align);
        }
        if plain.named {
            let implied = match self.options.pack {
                Some(pack) => natural.min(pack),
                None if self.packed(plain) => 1,
                None => natural,
            };
            self.align = self.align.max(implied);
        }
        if !self.packed(plain) && self.options.pack.is_none() {
            let unit = natural * 8;
            let size = self.types.size_of(&plain.field.ty.ty)? * 8;
            let spanned = (self.bit % unit + u64::from(width)).div_ceil(unit);
            if spanned > size / unit {
                self.bit = self.bit.checked_next_multiple_of(unit)?;
            }
        }
        let start = self.bit;
        self.bit = start.checked_add(u64::from(width))?;
        Some(start)
    }
}

/// For every member, the bytes that belong to its run of adjacent bit-fields: one memory
/// location in the sense of C11. A store to a bit-field must not touch bytes outside of it.
fn bit_runs(plain: &[PlainField], placed: &[u64], size: u64) -> Vec<(u64, u64)> {
    let mut runs = vec![(0, size); plain.len()];
    let mut start = 0;
    for index in 0..plain.len() {
        match plain[index].width {
            None => {}
            Some(0) => start = placed[index] / 8,
            Some(_) => {
                let opens = index == 0 || plain[index - 1].width.is_none();
                if opens || placed[index] == 0 {
                    start = placed[index] / 8;
                }
                let last = (index + 1..plain.len())
                    .find(|&later| plain[later].width.is_none_or(|width| width == 0))
                    .map_or(size, |later| placed[later] / 8);
                runs[index] = (start, if last > start { last } else { size });
            }
        }
    }
    runs
}

/// Which bytes are loaded and stored for a bit-field: its declared type's unit where that lies in
/// the run, else the smallest aligned unit that does, else just the bytes that hold its bits.
fn storage_unit(bit: u64, width: u32, declared: u64, run: (u64, u64)) -> (u64, BitField) {
    let end = bit + u64::from(width);
    for unit in [declared, 1, 2, 4, 8, 16] {
        let offset = bit / (unit * 8) * unit;
        let fits = end <= (offset + unit) * 8 && offset >= run.0 && offset + unit <= run.1;
        if fits {
            return (offset, BitField { unit, shift: (bit - offset * 8) as u32, width });
        }
    }
    let offset = bit / 8;
    let unit = end.div_ceil(8) - offset;
    (offset, BitField { unit, shift: (bit - offset * 8) as u32, width })
}
