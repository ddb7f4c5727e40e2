//! The bytes of one object: values, undefined bits and provenance, byte by byte.
//!
//! A fresh object is all zeros here, whether its contents are zero or undefined, because the
//! system gives zeros for nothing: a large block costs what is touched of it.

use crate::program::Width;
use crate::value::{RegionId, Value};

/// What is in an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Contents {
    /// The bytes; undefined bits are zero.
    bytes: Vec<u8>,
    /// The bits of each byte that are not as defined as at first.
    changed: Vec<u8>,
    /// Whether all bits were undefined at first.
    undefined: bool,
    /// The provenance of each byte ([`RegionId::to_number`]); empty as long as no pointer was
    /// ever stored.
    provenance: Vec<u32>,
}

/// Objects larger than this are made afresh rather than emptied.
const LARGE: usize = 1 << 12;

/// Copies between a byte slice and a number, fast for the usual widths.
macro_rules! by_size {
    ($size:expr, $sized:ident, $other:expr) => {
        match $size {
            1 => $sized!(u8, 1),
            2 => $sized!(u16, 2),
            4 => $sized!(u32, 4),
            8 => $sized!(u64, 8),
            16 => $sized!(u128, 16),
            _ => $other,
        }
    };
}

fn get(bytes: &[u8], offset: usize, size: usize) -> u128 {
    let part = &bytes[offset..offset + size];
    macro_rules! sized {
        ($int:ty, $n:literal) => {
            <$int>::from_le_bytes(part.try_into().expect("of that size")) as u128
        };
    }
    by_size!(size, sized, {
        let mut all = [0; 16];
        all[..size].copy_from_slice(part);
        u128::from_le_bytes(all)
    })
}

fn put(bytes: &mut [u8], offset: usize, size: usize, number: u128) {
    let part = &mut bytes[offset..offset + size];
    macro_rules! sized {
        ($int:ty, $n:literal) => {
            part.copy_from_slice(&(number as $int).to_le_bytes())
        };
    }
    by_size!(size, sized, part.copy_from_slice(&number.to_le_bytes()[..size]));
}

impl Contents {
    /// `size` zeros.
    pub fn zeroed(size: usize) -> Self {
        Self::new(size, false)
    }

    /// `size` undefined bytes.
    pub fn undefined(size: usize) -> Self {
        Self::new(size, true)
    }

    fn new(size: usize, undefined: bool) -> Self {
        let provenance = Vec::new();
        Self { bytes: vec![0; size], changed: vec![0; size], undefined, provenance }
    }

    /// Makes these `size` undefined bytes, in the room they already have if they are few.
    pub fn reset(&mut self, size: usize) {
        if size > LARGE {
            *self = Self::undefined(size);
            return;
        }
        self.undefined = true;
        for part in [&mut self.bytes, &mut self.changed] {
            part.clear();
            part.resize(size, 0);
        }
        self.provenance.clear();
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// All ones where the bits were undefined at first.
    fn at_first(&self) -> u128 {
        if self.undefined { u128::MAX } else { 0 }
    }

    /// Reads a value that lies inside.
    #[inline]
    pub fn read(&self, offset: usize, width: Width) -> Value {
        let size = width.bytes() as usize;
        let mut value = Value::int(width, get(&self.bytes, offset, size));
        value.undef = (get(&self.changed, offset, size) ^ self.at_first()) & width.mask();
        if !self.provenance.is_empty() {
            let (low, high) = self.provenance[offset..offset + size].split_at(size.min(8));
            value.provenance = common(low);
            value.high = common(high);
        }
        value
    }

    /// Writes a value that lies inside.
    #[inline]
    pub fn write(&mut self, offset: usize, value: Value) {
        let size = value.width.bytes() as usize;
        put(&mut self.bytes, offset, size, value.bits);
        let changed = value.undef ^ self.at_first();
        put(&mut self.changed, offset, size, changed);
        let pointer = value.provenance.is_some() || value.high.is_some();
        if pointer && self.provenance.is_empty() {
            self.provenance = vec![0; self.bytes.len()];
        }
        if !self.provenance.is_empty() {
            let (low, high) = self.provenance[offset..offset + size].split_at_mut(size.min(8));
            low.fill(RegionId::to_number(value.provenance));
            high.fill(RegionId::to_number(value.high));
        }
    }

    /// The regions that pointers in here may access.
    pub fn pointers(&self) -> impl Iterator<Item = RegionId> + '_ {
        self.provenance.iter().filter_map(|&number| RegionId::from_number(number))
    }

    /// Sets bytes.
    pub fn write_bytes(&mut self, offset: usize, bytes: &[u8]) {
        self.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        let defined = self.at_first() as u8;
        self.changed[offset..offset + bytes.len()].fill(defined);
    }

    /// A copy of some of the bytes.
    pub fn part(&self, offset: usize, size: usize) -> Contents {
        let range = offset..offset + size;
        Contents {
            bytes: self.bytes[range.clone()].to_vec(),
            changed: self.changed[range.clone()].to_vec(),
            undefined: self.undefined,
            provenance: self.provenance.get(range).map(<[_]>::to_vec).unwrap_or_default(),
        }
    }

    /// Puts a copied part back.
    pub fn restore(&mut self, offset: usize, part: &Contents) {
        let range = offset..offset + part.bytes.len();
        self.bytes[range.clone()].copy_from_slice(&part.bytes);
        self.changed[range.clone()].copy_from_slice(&part.changed);
        if !self.provenance.is_empty() {
            match part.provenance.is_empty() {
                true => self.provenance[range].fill(0),
                false => self.provenance[range].copy_from_slice(&part.provenance),
            }
        }
    }
}

/// What a run of up to eight bytes is in a [shape](super::shape): data, or a pointer.
const DATA: u64 = 0;
const POINTER: u64 = 1;
const MIXED: u64 = 2;

impl Contents {
    /// Appends what is in here, without the addresses of objects: `name` gives a number and the
    /// address for an object that is pointed to.
    pub(super) fn shape(&self, out: &mut Vec<u64>, mut name: impl FnMut(RegionId) -> (u64, u64)) {
        for offset in (0..self.bytes.len()).step_by(8) {
            let size = (self.bytes.len() - offset).min(8);
            let bits = get(&self.bytes, offset, size) as u64;
            let undefined = get(&self.changed, offset, size) ^ self.at_first();
            let undefined = undefined as u64 & (u64::MAX >> (64 - 8 * size));
            let owners = self.provenance.get(offset..offset + size).unwrap_or(&[]);
            let first = owners.first().copied().unwrap_or(0);
            if owners.iter().all(|&owner| owner == 0) {
                out.extend([DATA, bits, undefined]);
            } else if size == 8 && undefined == 0 && owners.iter().all(|&owner| owner == first) {
                let (number, base) = name(RegionId::from_number(first).expect("not zero"));
                out.extend([POINTER, number, bits.wrapping_sub(base)]);
            } else {
                out.extend([MIXED, bits, undefined]);
                let number = |&owner: &u32| RegionId::from_number(owner).map_or(0, |id| name(id).0);
                out.extend(owners.iter().map(number));
            }
        }
    }
}

/// The one provenance that these bytes have; none if there are several.
fn common(bytes: &[u32]) -> Option<RegionId> {
    let mut all = bytes.iter().filter(|&&number| number != 0);
    let first = *all.next()?;
    if all.all(|&number| number == first) { RegionId::from_number(first) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::ids::Id;

    #[test]
    fn a_pointer_survives_being_copied_byte_by_byte() {
        let pointer = Value::pointer(RegionId::new(3), 0x1234_5678_9abc);
        let (mut from, mut to) = (Contents::zeroed(8), Contents::undefined(16));
        from.write(0, pointer);
        for i in 0..8 {
            to.write(8 + i, from.read(i, Width::I8));
        }
        assert_eq!(to.read(8, Width::PTR), pointer);
        assert!(!to.read(7, Width::I16).is_defined());
    }

    #[test]
    fn bytes_of_different_pointers_make_a_number() {
        let mut contents = Contents::zeroed(8);
        contents.write(0, Value::pointer(RegionId::new(0), 0x1000));
        contents
            .write(4, Value { provenance: Some(RegionId::new(1)), ..Value::int(Width::I32, 0) });
        assert_eq!(contents.read(0, Width::PTR), Value::int(Width::PTR, 0x1000));
    }

    #[test]
    fn every_width_of_whole_bytes_reads_back() {
        for bytes in 1..=16 {
            let width = Width::from_bytes(bytes).unwrap();
            let value = Value::int(width, 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978);
            let mut contents = Contents::undefined(20);
            contents.write(3, value);
            assert_eq!(contents.read(3, width), value);
            assert!(!contents.read(2, Width::I8).is_defined());
            assert!(!contents.read(3 + bytes as usize, Width::I8).is_defined());
        }
    }

    #[test]
    fn a_part_can_be_put_back() {
        let mut contents = Contents::undefined(16);
        contents.write(0, Value::int(Width::I64, 7));
        let before = contents.clone();
        let part = contents.part(4, 8);
        contents.write(4, Value::pointer(RegionId::new(0), 0x40));
        contents.restore(4, &part);
        assert_eq!(contents.read(0, Width::I128), before.read(0, Width::I128));
    }
}
