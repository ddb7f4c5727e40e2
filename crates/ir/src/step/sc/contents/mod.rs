//! The bytes of one object: values, undefined bits and provenance, byte by byte.
//!
//! A large object has pages, which it gets when they are first written: an array of a gigabyte
//! costs what is written of it. Everything else about it is as at first, zero or undefined. A page
//! in which everything is as at first again is given up, so that equal contents are equal values.

mod dense;

use crate::program::Width;
use crate::value::provenance::leads_into;
use crate::value::{RegionId, Value};
use dense::Dense;
use std::collections::BTreeMap;

/// Objects larger than this have pages.
const LARGE: usize = 1 << 16;
/// The size of a page.
const PAGE: usize = 1 << 12;

/// What is in an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Contents(Kind);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Small(Dense),
    Large(Paged),
}

/// A large object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Paged {
    size: usize,
    undefined: bool,
    /// The pages in which something is not as at first, by their numbers.
    pages: BTreeMap<usize, Dense>,
}

impl Default for Contents {
    fn default() -> Self {
        Self(Kind::Small(Dense::default()))
    }
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
        Self(match size > LARGE {
            true => Kind::Large(Paged { size, undefined, pages: BTreeMap::new() }),
            false => Kind::Small(Dense::new(size, undefined)),
        })
    }

    /// Makes these `size` undefined bytes, in the room they already have if they are few.
    pub fn reset(&mut self, size: usize) {
        match &mut self.0 {
            Kind::Small(dense) if size <= LARGE => dense.reset(size),
            _ => *self = Self::undefined(size),
        }
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        match &self.0 {
            Kind::Small(dense) => dense.len(),
            Kind::Large(paged) => paged.size,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads a value that lies inside.
    #[inline]
    pub fn read(&self, offset: usize, width: Width) -> Value {
        match &self.0 {
            Kind::Small(dense) => dense.read(offset, width),
            Kind::Large(paged) => paged.read(offset, width),
        }
    }

    /// Writes a value that lies inside.
    #[inline]
    pub fn write(&mut self, offset: usize, value: Value) {
        match &mut self.0 {
            Kind::Small(dense) => dense.write(offset, value),
            Kind::Large(paged) => paged.write(offset, value),
        }
    }

    /// The regions that pointers in here may access.
    pub fn pointers(&self) -> impl Iterator<Item = RegionId> + '_ {
        let (small, pages) = match &self.0 {
            Kind::Small(dense) => (Some(dense), None),
            Kind::Large(paged) => (None, Some(paged.pages.values())),
        };
        small.into_iter().chain(pages.into_iter().flatten()).flat_map(Dense::pointers)
    }

    /// The objects to which pointers in here lead, given where each object is and how large. What
    /// is left of a pointer that was overwritten in part, or changed, leads nowhere.
    pub fn leads_to(&self, object: impl Fn(RegionId) -> (u64, u64)) -> Vec<RegionId> {
        let bytes = Width::PTR.bytes() as usize;
        let mut found = Vec::new();
        let mut next = 0;
        for byte in self.pointing() {
            let last = (byte + bytes).min(self.len()).checked_sub(bytes);
            let Some(last) = last else { continue };
            for offset in next.max((byte + 1).saturating_sub(bytes))..=last {
                let value = self.read(offset, Width::PTR);
                let region = value.provenance.filter(|_| value.is_defined());
                let leads = |region: &RegionId| {
                    let (base, size) = object(*region);
                    leads_into(value.low(), base, size)
                };
                found.extend(region.filter(leads));
            }
            next = last + 1;
        }
        found
    }

    /// Where the bytes are that come from pointers.
    pub fn pointing(&self) -> Vec<usize> {
        match &self.0 {
            Kind::Small(dense) => dense.pointing().collect(),
            Kind::Large(paged) => {
                let pages = paged.pages.iter();
                let here = |(&number, page): (&usize, &Dense)| {
                    let own = page.pointing().map(move |offset| number * PAGE + offset);
                    own.collect::<Vec<_>>()
                };
                pages.flat_map(here).collect()
            }
        }
    }

    /// Sets bytes.
    pub fn write_bytes(&mut self, offset: usize, bytes: &[u8]) {
        match &mut self.0 {
            Kind::Small(dense) => dense.write_bytes(offset, bytes),
            Kind::Large(paged) => {
                let mut part = Dense::new(bytes.len(), paged.undefined);
                part.write_bytes(0, bytes);
                paged.restore(offset, &part);
            }
        }
    }

    /// A copy of some of the bytes.
    pub fn part(&self, offset: usize, size: usize) -> Contents {
        match &self.0 {
            Kind::Small(dense) => Self(Kind::Small(dense.part(offset, size))),
            Kind::Large(paged) if size <= LARGE => Self(Kind::Small(paged.part(offset, size))),
            Kind::Large(paged) => {
                let mut part = Paged { size, undefined: paged.undefined, pages: BTreeMap::new() };
                for run in paged.written(offset, size) {
                    part.restore(run.start - offset, &paged.part(run.start, run.len()));
                }
                Self(Kind::Large(part))
            }
        }
    }

    /// Puts a copied part back.
    pub fn restore(&mut self, offset: usize, part: &Contents) {
        match (&mut self.0, &part.0) {
            (Kind::Small(dense), Kind::Small(part)) => dense.restore(offset, part),
            (Kind::Large(paged), Kind::Small(part)) => paged.restore(offset, part),
            (Kind::Large(paged), Kind::Large(part)) => {
                let fresh = Dense::new(PAGE, paged.undefined);
                for run in paged.written(offset, part.size) {
                    paged.restore(run.start, &fresh.part(0, run.len()));
                }
                for (&number, page) in &part.pages {
                    paged.restore(offset + number * PAGE, page);
                }
            }
            (Kind::Small(_), Kind::Large(_)) => unreachable!("a part is smaller than the whole"),
        }
    }

    /// Appends what is in here, without the addresses of objects: `name` gives a number and the
    /// address for an object that is pointed to.
    pub(super) fn shape(&self, out: &mut Vec<u64>, mut name: impl FnMut(RegionId) -> (u64, u64)) {
        match &self.0 {
            Kind::Small(dense) => dense.shape(out, name),
            Kind::Large(paged) => {
                out.push(paged.pages.len() as u64);
                for (&number, page) in &paged.pages {
                    out.push(number as u64);
                    page.shape(out, &mut name);
                }
            }
        }
    }
}

impl Paged {
    fn page_size(&self, number: usize) -> usize {
        PAGE.min(self.size - number * PAGE)
    }

    fn read(&self, offset: usize, width: Width) -> Value {
        let size = width.bytes() as usize;
        match self.pages.get(&(offset / PAGE)) {
            Some(page) if offset % PAGE + size <= PAGE => page.read(offset % PAGE, width),
            _ => self.part(offset, size).read(0, width),
        }
    }

    fn write(&mut self, offset: usize, value: Value) {
        let (number, at, size) = (offset / PAGE, offset % PAGE, value.width.bytes() as usize);
        match self.pages.get_mut(&number) {
            Some(page) if at + size <= PAGE => {
                page.write(at, value);
                if page.is_fresh_at(at, size) && page.is_fresh() {
                    self.pages.remove(&number);
                }
            }
            _ => {
                let mut part = Dense::new(size, self.undefined);
                part.write(0, value);
                self.restore(offset, &part);
            }
        }
    }

    /// The runs inside pages that lie between these bytes.
    fn runs(offset: usize, size: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
        let end = offset + size;
        let mut next = offset;
        std::iter::from_fn(move || {
            let start = next;
            next = end.min((start / PAGE + 1) * PAGE);
            (start < end).then_some(start..next)
        })
    }

    /// The runs between these bytes that lie in pages which exist.
    fn written(&self, offset: usize, size: usize) -> Vec<std::ops::Range<usize>> {
        let (first, last) = (offset / PAGE, (offset + size).div_ceil(PAGE));
        let run = |(&number, _): (&usize, &Dense)| {
            let start = (number * PAGE).max(offset);
            start..((number + 1) * PAGE).min(offset + size)
        };
        self.pages.range(first..last).map(run).collect()
    }

    /// A copy of some of the bytes, which are few.
    fn part(&self, offset: usize, size: usize) -> Dense {
        let mut part = Dense::new(size, self.undefined);
        for run in self.written(offset, size) {
            let page = &self.pages[&(run.start / PAGE)];
            part.restore_whole(run.start - offset, &page.part(run.start % PAGE, run.len()));
        }
        part
    }

    /// Puts bytes, which are few, in their place.
    fn restore(&mut self, offset: usize, part: &Dense) {
        for run in Self::runs(offset, part.len()) {
            let number = run.start / PAGE;
            let piece = part.part(run.start - offset, run.len());
            let fresh = piece.is_fresh();
            if fresh && !self.pages.contains_key(&number) {
                continue;
            }
            let size = self.page_size(number);
            let page = self.pages.entry(number).or_insert_with(|| Dense::new(size, self.undefined));
            page.restore_whole(run.start % PAGE, &piece);
            if fresh && page.is_fresh() {
                self.pages.remove(&number);
            }
        }
    }
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
    fn a_pointer_leads_to_its_object_until_it_is_damaged() {
        for size in [24, LARGE + 24] {
            let mut contents = Contents::undefined(size);
            let block = RegionId::new(2);
            let leads = |contents: &Contents| contents.leads_to(|_| (0x1000, 16)).contains(&block);
            contents.write(13, Value::pointer(block, 0x1008));
            assert!(leads(&contents));
            contents.write(13, Value::int(Width::I8, 0xff));
            assert!(!leads(&contents));
            contents.write(13, Value::int(Width::I8, 3));
            assert!(leads(&contents));
            contents.write(20, Value::undef(Width::I8));
            assert!(!leads(&contents));
        }
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

    #[test]
    fn a_large_object_costs_what_is_written_of_it() {
        let size = 1 << 40;
        let mut contents = Contents::undefined(size);
        assert_eq!(contents.len(), size);
        let pointer = Value::pointer(RegionId::new(3), 0x1234);
        // Across the border of two pages, and at both ends.
        for offset in [0, 5 * PAGE - 3, size - 8] {
            contents.write(offset, pointer);
            assert_eq!(contents.read(offset, Width::PTR), pointer);
            assert_eq!(contents.read(offset + 4, Width::I32).provenance, pointer.provenance);
        }
        assert!(!contents.read(5 * PAGE + 5, Width::I8).is_defined());
        assert!(!contents.read(PAGE, Width::I128).is_defined());
        assert_eq!(contents.pointers().count(), 24);
        let Kind::Large(paged) = &contents.0 else { panic!("it is large") };
        assert_eq!(paged.pages.len(), 4);
    }

    #[test]
    fn large_contents_that_are_equal_again_are_equal_values() {
        let mut contents = Contents::zeroed(LARGE + 100);
        let before = contents.clone();
        let part = contents.part(PAGE - 4, 8);
        let whole = contents.part(0, LARGE + 50);
        contents.write(PAGE - 4, Value::pointer(RegionId::new(1), 7));
        contents.write_bytes(3 * PAGE, &[1, 2, 3]);
        assert_ne!(contents, before);
        let changed = contents.clone();
        contents.restore(PAGE - 4, &part);
        contents.write_bytes(3 * PAGE, &[0, 0, 0]);
        assert_eq!(contents, before);
        let other = changed.part(0, LARGE + 50);
        contents.restore(0, &other);
        assert_eq!(contents, changed);
        contents.restore(0, &whole);
        assert_eq!(contents, before);
    }

    #[test]
    fn small_and_large_contents_behave_the_same() {
        let mut random = 12345u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) as usize % below
        };
        for undefined in [false, true] {
            let size = LARGE;
            let mut small = Contents::new(size, undefined);
            let pages = BTreeMap::new();
            let mut large = Contents(Kind::Large(Paged { size, undefined, pages }));
            for _ in 0..2000 {
                let offset = next(3) * PAGE + next(40);
                let value = match next(3) {
                    0 => Value::undef(Width::I64),
                    1 => Value::int(Width::I64, next(2) as u128),
                    _ => Value::pointer(RegionId::new(next(3)), 0x1000),
                };
                let offset = (offset + PAGE).saturating_sub(20);
                small.write(offset, value);
                large.write(offset, value);
                let at = offset + next(12);
                for width in [Width::I8, Width::I32, Width::I128] {
                    assert_eq!(small.read(at, width), large.read(at, width));
                }
            }
            assert!(small.pointers().eq(large.pointers()));
            let (a, b) = (small.part(PAGE - 100, 9000), large.part(PAGE - 100, 9000));
            assert!((0..9000).all(|i| a.read(i, Width::I8) == b.read(i, Width::I8)));
        }
    }
}
