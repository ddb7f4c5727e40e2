//! What is where in an object: enough to print `q->head.next` for (region, byte offset).
//!
//! Layouts carry names for people. They have no influence on what a program does, but for the width in
//! which copies through pointers to `void` access members (the pass `members`).

use crate::locks::Purpose;
use execution::id;

id! {
    /// A layout of a program.
    pub struct LayoutId("layout");
}

/// The size, alignment and inner structure of an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// What is inside.
    pub kind: LayoutKind,
}

/// The inner structure of an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LayoutKind {
    /// An integer.
    Int {
        /// Whether it prints as a signed number.
        signed: bool,
    },
    /// A floating-point number, in binary32 or binary64.
    Float,
    /// A pointer, to an object of a known layout or to anything.
    Pointer(Option<LayoutId>),
    /// An array; a flexible array member has count zero.
    Array {
        /// The layout of one element.
        element: LayoutId,
        /// The number of elements.
        count: u64,
    },
    /// A struct or union: members at their offsets.
    Record {
        /// The tag or typedef name: `struct node`, `queue_t`.
        name: String,
        /// The members, in source order.
        fields: Vec<Field>,
    },
    /// Nothing is known of the inside.
    Opaque,
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// The member's name; empty for an anonymous struct or union.
    pub name: String,
    /// Offset in bytes (for a bit-field, of its storage unit).
    pub offset: u64,
    /// Its layout (for a bit-field, of its storage unit).
    pub layout: LayoutId,
    /// For a bit-field: first bit within the storage unit, and number of bits.
    pub bits: Option<(u8, u8)>,
    /// What it is for. The word of a lock is not shown: the record around it is the lock.
    pub purpose: Purpose,
}
