//! The bytes of one object: values, undefined bits and provenance, byte by byte.

use crate::program::Width;
use crate::value::{RegionId, Value};

/// What is in an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The bytes; undefined bits are zero.
    bytes: Vec<u8>,
    /// The undefined bits of each byte.
    undef: Vec<u8>,
    /// The provenance of each byte; empty as long as no pointer was ever stored.
    provenance: Vec<Option<RegionId>>,
}

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
        Self { bytes: vec![0; size], undef: vec![0; size], provenance: Vec::new() }
    }

    /// `size` undefined bytes.
    pub fn undefined(size: usize) -> Self {
        Self { bytes: vec![0; size], undef: vec![0xff; size], provenance: Vec::new() }
    }

    /// Makes these `size` undefined bytes, in the room they already have.
    pub fn reset(&mut self, size: usize) {
        self.bytes.clear();
        self.bytes.resize(size, 0);
        self.undef.clear();
        self.undef.resize(size, 0xff);
        self.provenance.clear();
    }

    /// Reads a value that lies inside.
    #[inline]
    pub fn read(&self, offset: usize, width: Width) -> Value {
        let size = width.bytes() as usize;
        let mut value = Value::int(width, get(&self.bytes, offset, size));
        value.undef = get(&self.undef, offset, size) & width.mask();
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
        put(&mut self.undef, offset, size, value.undef);
        let pointer = value.provenance.is_some() || value.high.is_some();
        if pointer || !self.provenance.is_empty() {
            self.provenance.resize(self.bytes.len(), None);
            let (low, high) = self.provenance[offset..offset + size].split_at_mut(size.min(8));
            low.fill(value.provenance);
            high.fill(value.high);
        }
    }

    /// Sets bytes.
    pub fn write_bytes(&mut self, offset: usize, bytes: &[u8]) {
        self.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        self.undef[offset..offset + bytes.len()].fill(0);
    }

    /// A copy of some of the bytes.
    pub fn part(&self, offset: usize, size: usize) -> Contents {
        let range = offset..offset + size;
        Contents {
            bytes: self.bytes[range.clone()].to_vec(),
            undef: self.undef[range.clone()].to_vec(),
            provenance: self.provenance.get(range).map(<[_]>::to_vec).unwrap_or_default(),
        }
    }

    /// Puts a copied part back.
    pub fn restore(&mut self, offset: usize, part: &Contents) {
        let range = offset..offset + part.bytes.len();
        self.bytes[range.clone()].copy_from_slice(&part.bytes);
        self.undef[range.clone()].copy_from_slice(&part.undef);
        if !self.provenance.is_empty() {
            match part.provenance.is_empty() {
                true => self.provenance[range].fill(None),
                false => self.provenance[range].copy_from_slice(&part.provenance),
            }
        }
    }
}

/// The one provenance that these bytes have; none if there are several.
fn common(bytes: &[Option<RegionId>]) -> Option<RegionId> {
    let mut all = bytes.iter().flatten();
    let first = *all.next()?;
    all.all(|&region| region == first).then_some(first)
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
