//! Bytes that lie side by side: values, undefined bits and provenance, byte by byte.

use crate::program::Width;
use crate::value::{RegionId, Value};

/// What is in a small object, or in a page of a large one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Dense {
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

impl Dense {
    /// `size` bytes, all zero or all undefined.
    pub fn new(size: usize, undefined: bool) -> Self {
        let provenance = Vec::new();
        Self { bytes: vec![0; size], changed: vec![0; size], undefined, provenance }
    }

    /// Makes these `size` undefined bytes, in the room they already have.
    pub fn reset(&mut self, size: usize) {
        self.undefined = true;
        for part in [&mut self.bytes, &mut self.changed] {
            part.clear();
            part.resize(size, 0);
        }
        self.provenance.clear();
    }

    /// Whether everything is as at first.
    pub fn is_fresh(&self) -> bool {
        self.is_fresh_at(0, self.len())
    }

    /// Whether these bytes are as at first.
    pub fn is_fresh_at(&self, offset: usize, size: usize) -> bool {
        let range = offset..offset + size;
        let zero = |bytes: &[u8]| bytes[range.clone()].iter().all(|&byte| byte == 0);
        let owners = self.provenance.get(range.clone()).unwrap_or(&[]);
        zero(&self.bytes) && zero(&self.changed) && owners.iter().all(|&owner| owner == 0)
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.bytes.len()
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

    /// Where the bytes are that come from pointers.
    pub fn pointing(&self) -> impl Iterator<Item = usize> + '_ {
        let pointing = self.provenance.iter().enumerate().filter(|(_, number)| **number != 0);
        pointing.map(|(offset, _)| offset)
    }

    /// Sets bytes.
    pub fn write_bytes(&mut self, offset: usize, bytes: &[u8]) {
        self.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        let defined = self.at_first() as u8;
        self.changed[offset..offset + bytes.len()].fill(defined);
    }

    /// A copy of some of the bytes.
    pub fn part(&self, offset: usize, size: usize) -> Dense {
        let range = offset..offset + size;
        Dense {
            bytes: self.bytes[range.clone()].to_vec(),
            changed: self.changed[range.clone()].to_vec(),
            undefined: self.undefined,
            provenance: self.provenance.get(range).map(<[_]>::to_vec).unwrap_or_default(),
        }
    }

    /// Puts bytes from elsewhere here, with their provenance.
    pub fn restore_whole(&mut self, offset: usize, part: &Dense) {
        if self.provenance.is_empty() && !part.provenance.is_empty() {
            self.provenance = vec![0; self.bytes.len()];
        }
        self.restore(offset, part);
    }

    /// Puts a copied part back.
    pub fn restore(&mut self, offset: usize, part: &Dense) {
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

/// What a run of up to eight bytes is in a [shape](super::super::shape): data, or a pointer.
const DATA: u64 = 0;
const POINTER: u64 = 1;
const MIXED: u64 = 2;

impl Dense {
    /// Appends what is in here, without the addresses of objects: `name` gives a number and the
    /// address for an object that is pointed to.
    pub fn shape(&self, out: &mut Vec<u64>, mut name: impl FnMut(RegionId) -> (u64, u64)) {
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
