//! Where an access may go, and what is there before the threads start.
//!
//! An access is right if its address is a defined pointer into an object, the whole cell lies
//! inside, the object may be accessed so (no write to a constant, no access to a function) and the
//! address is aligned. Anything else is found by a check, which stops the thread: it reads and
//! writes nothing.

use super::progression::Progression;
use super::set::Set;
use super::sets::Sets;
use super::shape::Shape;
use crate::bounded::{Access, Bounded, Contents, Region, RegionKind};
use crate::term::TermId;
use execution::ids::IdVec;
use ir::program::Width;
use ir::value::{RegionId, Value};

/// Where an access may go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// The addresses at which it is right.
    pub right: Addresses,
    /// Whether it may be wrong.
    pub may_be_wrong: bool,
    /// Its width.
    pub width: Width,
}

/// Some addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Addresses {
    /// These, sorted.
    These(Vec<u64>),
    /// Too many to list: anywhere in these objects.
    Within(Vec<RegionId>),
}

/// More addresses than this are not listed.
const MOST: usize = 4096;

impl Places {
    /// Where an access may go, if terms have values in these sets.
    pub fn of(
        bounded: &Bounded,
        sets: &IdVec<TermId, Set>,
        access: &Access,
        writes: bool,
    ) -> Places {
        let width = access.width;
        let alignment = access.alignment.multiple();
        let may = |region: &Region| may_access(region, writes);
        match &sets[access.address] {
            Set::Few(values) => {
                let right = |v: &&Value| {
                    v.low().is_multiple_of(alignment)
                        && cell(bounded, v, width)
                            .is_some_and(|region| may(&bounded.regions[region]))
                };
                let mut addresses: Vec<u64> = values.iter().filter(right).map(Value::low).collect();
                let may_be_wrong = addresses.len() < values.len();
                addresses.dedup();
                Places { right: Addresses::These(addresses), may_be_wrong, width }
            }
            Set::Many(shape) => {
                let regions: Vec<RegionId> = shape.provenance.iter().copied().flatten().collect();
                let regions = regions.into_iter().filter(|&r| may(&bounded.regions[r])).collect();
                let elements = Progression::of(&bounded.terms, sets, access.address);
                let is_element =
                    |address| elements.as_ref().is_none_or(|elements| elements.contains(address));
                let right = enumerate(bounded, (shape, is_element), regions, width, alignment);
                Places { right, may_be_wrong: true, width }
            }
        }
    }

    /// Where a read may go, as the analysis found it.
    pub fn of_term(bounded: &Bounded, sets: &Sets, access: &Access) -> Places {
        Self::of(bounded, sets.terms(), access, false)
    }

    /// Whether two accesses may be to the same cell.
    pub fn may_equal(&self, bounded: &Bounded, other: &Places) -> bool {
        self.width == other.width && self.meet(bounded, other, |apart| apart == 0)
    }

    /// Whether two accesses, if both are right, are to the same cell.
    pub fn must_equal(&self, other: &Places) -> bool {
        let one = |places: &Places| match &places.right {
            Addresses::These(list) => (list.len() == 1).then(|| list[0]),
            Addresses::Within(_) => None,
        };
        self.width == other.width && one(self).is_some() && one(self) == one(other)
    }

    /// Whether two accesses may be to cells that are different but overlap.
    pub fn may_overlap(&self, bounded: &Bounded, other: &Places) -> bool {
        let same_width = self.width == other.width;
        self.meet(bounded, other, |apart| apart != 0 || !same_width)
    }

    /// Whether two cells that overlap may be so far apart as `test` says. Cells that are not
    /// listed are taken to be as bad as can be.
    fn meet(&self, bounded: &Bounded, other: &Places, test: impl Fn(u64) -> bool) -> bool {
        match (&self.right, &other.right) {
            (Addresses::These(a), Addresses::These(b)) => {
                let (x, y) = (self.width.bytes(), other.width.bytes());
                let mut start = 0;
                a.iter().any(|&a| {
                    // Both are sorted: what lies wholly before stays so.
                    start += b[start..].iter().take_while(|&&b| b.saturating_add(y) <= a).count();
                    let near = b[start..].iter().take_while(|&&b| b < a.saturating_add(x));
                    near.into_iter().any(|&b| test(a.abs_diff(b)))
                })
            }
            (Addresses::Within(a), _) => other.touches(bounded, a),
            (_, Addresses::Within(b)) => self.touches(bounded, b),
        }
    }

    /// Whether an access may be to one of these objects.
    fn touches(&self, bounded: &Bounded, regions: &[RegionId]) -> bool {
        match &self.right {
            Addresses::Within(own) => own.iter().any(|r| regions.contains(r)),
            Addresses::These(list) => regions.iter().any(|&r| {
                let region = &bounded.regions[r];
                list.iter().any(|&a| a.wrapping_sub(region.base) < region.size)
            }),
        }
    }
}

/// Whether an address lies in a heap block.
pub fn is_heap(bounded: &Bounded, address: u64) -> bool {
    let region = bounded.region_at(address).map(|region| bounded.regions[region].kind);
    matches!(region, Some(RegionKind::Heap(_)))
}

fn may_access(region: &Region, writes: bool) -> bool {
    match region.kind {
        RegionKind::Function(_) => false,
        RegionKind::Global { constant, .. } => !(constant && writes),
        _ => true,
    }
}

/// The object in which the cell at an address lies.
fn cell(bounded: &Bounded, address: &Value, width: Width) -> Option<RegionId> {
    let id = address.provenance.filter(|_| address.is_defined())?;
    let region = bounded.regions.get(id)?;
    let offset = address.low().wrapping_sub(region.base);
    let size = width.bytes();
    (size <= region.size && offset <= region.size - size).then_some(id)
}

fn enumerate(
    bounded: &Bounded,
    (shape, is_element): (&Shape, impl Fn(u64) -> bool),
    regions: Vec<RegionId>,
    width: Width,
    alignment: u64,
) -> Addresses {
    let size = |r: &RegionId| bounded.regions[*r].size;
    let total: u64 = regions.iter().map(size).fold(0, u64::saturating_add);
    // The lowest bit that may be one tells how distant addresses are.
    let step = 1u64.checked_shl((shape.ones | shape.undef).trailing_zeros()).unwrap_or(1);
    if total / step.max(alignment) > MOST as u64 {
        return Addresses::Within(regions);
    }
    let mut list: Vec<u64> = Vec::new();
    for id in regions {
        let region = &bounded.regions[id];
        let cells = region.base..(region.base + region.size).saturating_sub(width.bytes() - 1);
        list.extend(cells.filter(|&address| {
            let pointer = Value::pointer(id, address);
            address.is_multiple_of(alignment)
                && is_element(address)
                && pointer.bits & !shape.ones == 0
                && shape.fixed & !pointer.bits == 0
        }));
    }
    list.sort_unstable();
    list.dedup();
    match list.len() {
        n if n > MOST => Addresses::Within(shape.provenance.iter().copied().flatten().collect()),
        _ => Addresses::These(list),
    }
}

/// What a cell holds before the threads start.
pub enum Initial {
    /// What the initial part of the program wrote.
    Term(TermId),
    /// What the object holds from its beginning.
    Value(Value),
    /// A mixture, of this shape at most.
    Mixed(Shape),
}

/// What a cell holds before the threads start; the cell lies inside the object.
pub fn initial(bounded: &Bounded, address: u64, width: Width) -> Initial {
    if let Some(cell) = bounded.initial.get(&address).filter(|cell| cell.width == width) {
        return Initial::Term(cell.value);
    }
    let end = address.saturating_add(width.bytes());
    let before = bounded.initial.range(..address).next_back();
    let overlaps = before.is_some_and(|(&at, cell)| at + cell.width.bytes() > address)
        || bounded.initial.range(address..end).next().is_some();
    let region = bounded.region_at(address).map(|id| &bounded.regions[id]);
    match region.map(|region| (region, &region.contents)) {
        Some((_, Contents::Undefined)) if !overlaps => Initial::Value(Value::undef(width)),
        Some((region, Contents::Bytes(bytes))) if !overlaps => {
            match bytes.number(address - region.base, width) {
                Some(value) => Initial::Value(value),
                None => Initial::Mixed(anything(bounded, width)),
            }
        }
        _ => Initial::Mixed(anything(bounded, width)),
    }
}

/// Any value at all.
pub fn anything(bounded: &Bounded, width: Width) -> Shape {
    let regions: Vec<_> = std::iter::once(None).chain(bounded.regions.ids().map(Some)).collect();
    let high = if width > Width::I64 { regions.clone() } else { vec![None] };
    Shape { undef: width.mask(), provenance: regions, high, ..Shape::any(width) }
}
