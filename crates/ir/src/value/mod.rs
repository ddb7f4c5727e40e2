//! Values: bit-vectors with undefined bits and pointer provenance.
//!
//! The numeric value of a pointer is its address, so that integer arithmetic on pointers, tag
//! bits and hashing behave as they do in compiled code. *Which* object it may be used to access
//! is its provenance: a pointer (region, offset) is the address `base(region) + offset` with that
//! region as provenance. Null is the number zero, without provenance.
//!
//! Pure operations on values are in [`ops`] (on floating-point numbers, in [`float`]), the rules
//! for provenance in [`provenance`], and the rules for undefined bits in `undef`.

use crate::program::Width;
use execution::ids::Id;
use std::num::NonZeroU32;

pub mod float;
pub mod ops;
pub mod provenance;
pub(crate) mod quick;
mod undef;

/// Where members begin if nothing is known of them ([`Members`](crate::op::UnaryOp::Members)): words
/// of eight bytes.
pub const WORDS: u128 = 1 << 8 | 1;

/// An object in memory, alive or dead: a global, a thread's copy of a thread-local, a stack
/// object of one call, a heap block, or a function.
///
/// Stored from one upwards, so that an optional region takes no more room than a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(NonZeroU32);

impl RegionId {
    /// A number for a region, or zero for none.
    pub(crate) fn to_number(region: Option<RegionId>) -> u32 {
        region.map_or(0, |region| region.0.get())
    }

    /// The region of a number of [`RegionId::to_number`].
    pub(crate) fn from_number(number: u32) -> Option<RegionId> {
        NonZeroU32::new(number).map(RegionId)
    }
}

impl Id for RegionId {
    fn new(index: usize) -> Self {
        let number = u32::try_from(index).ok().and_then(|n| n.checked_add(1));
        Self(number.and_then(NonZeroU32::new).expect("fewer than 2^32 - 1 regions"))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl std::fmt::Debug for RegionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "r{}", self.index())
    }
}

impl std::fmt::Display for RegionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "r{}", self.index())
    }
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    /// The bits; those above the width are zero, and so are the undefined ones.
    pub bits: u128,
    /// A one for every bit that is undefined.
    pub undef: u128,
    /// The object that this value may be used to access, if it was made from a pointer.
    pub provenance: Option<RegionId>,
    /// The same for the upper 64 bits of a 128-bit value: two pointers fit into one.
    pub high: Option<RegionId>,
    /// The width.
    pub width: Width,
}

impl Value {
    /// The null pointer.
    pub const NULL: Value = Value::int(Width::PTR, 0);

    /// A number; bits above the width are dropped.
    pub const fn int(width: Width, bits: u128) -> Value {
        Value { bits: bits & width.mask(), undef: 0, provenance: None, high: None, width }
    }

    /// A signed number; what does not fit into the width is dropped.
    pub const fn signed(width: Width, number: i128) -> Value {
        Value::int(width, number as u128)
    }

    /// One bit.
    pub const fn bool(bit: bool) -> Value {
        Value::int(Width::BOOL, bit as u128)
    }

    /// A value of which nothing is known.
    pub const fn undef(width: Width) -> Value {
        Value { bits: 0, undef: width.mask(), provenance: None, high: None, width }
    }

    /// A pointer into `region`.
    pub const fn pointer(region: RegionId, address: u64) -> Value {
        let width = Width::PTR;
        Value { bits: address as u128, undef: 0, provenance: Some(region), high: None, width }
    }

    /// Whether every bit is defined.
    pub fn is_defined(&self) -> bool {
        self.undef == 0
    }

    /// Whether it is the number zero, fully defined.
    pub fn is_zero(&self) -> bool {
        self.bits == 0 && self.undef == 0
    }

    /// The bits read as a signed number.
    pub fn as_signed(&self) -> i128 {
        let unused = 128 - self.width.bits();
        ((self.bits << unused) as i128) >> unused
    }

    /// The low 64 bits.
    pub fn low(&self) -> u64 {
        self.bits as u64
    }

    /// This pointer moved by some bytes.
    pub fn offset(self, bytes: i64) -> Value {
        Value { bits: u128::from(self.low().wrapping_add_signed(bytes)), ..self }
    }

    /// The same value without provenance.
    pub fn without_provenance(self) -> Value {
        Value { provenance: None, high: None, ..self }
    }
}
