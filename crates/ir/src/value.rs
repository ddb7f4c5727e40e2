//! Values: bit-vectors with undefined bits and pointer provenance.
//!
//! The numeric value of a pointer is its address, so that integer arithmetic on pointers, tag
//! bits and hashing behave as they do in compiled code. *Which* object it may be used to access
//! is its provenance: a pointer (region, offset) is the address `base(region) + offset` with that
//! region as provenance. Null is the number zero, without provenance.

use crate::program::Width;
use execution::id;

id! {
    /// An object in memory, alive or dead: a global, a thread's copy of a thread-local, a stack
    /// object of one call, a heap block, or a function.
    pub struct RegionId("r");
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    /// The bits; those above the width are zero, and so are the undefined ones.
    pub bits: u128,
    /// A one for every bit that is undefined.
    pub undef: u128,
    /// The width.
    pub width: Width,
    /// The object that this value may be used to access, if it was made from a pointer.
    pub provenance: Option<RegionId>,
}
