//! What the address of an access must be a multiple of, for every engine.
//!
//! Soundness S-012 (run, check, verify; all; misses): Only the scalar that is accessed must be
//! aligned: `p->c` with a `char` is accepted for any `p` inside the object, and so is a misaligned
//! pointer that is not used. Test:
//! crates/front_c/src/lower/tests.rs::an_access_through_a_pointer_asks_for_the_alignment_of_its_type.

use crate::program::Width;
use execution::finding::FindingKind;

/// What the address of an access must be a multiple of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alignment {
    /// A power of two.
    multiple: u64,
    /// Whether that is because the access is atomic.
    atomic: bool,
}

impl Alignment {
    /// Any address will do.
    pub const NONE: Alignment = Alignment { multiple: 1, atomic: false };

    /// Of an access that the source language wants at a multiple of `align`; an atomic one must be
    /// at a multiple of its size in any case.
    #[inline]
    pub fn of(width: Width, atomic: bool, align: u64) -> Alignment {
        let size = width.bytes();
        match atomic && size.is_power_of_two() && size >= align {
            true => Alignment { multiple: size, atomic },
            false => Alignment { multiple: align, atomic: false },
        }
    }

    /// The power of two.
    pub fn multiple(self) -> u64 {
        self.multiple
    }

    /// Whether an access at this address is misaligned.
    #[inline]
    pub fn is_missed_at(self, address: u64) -> bool {
        address & (self.multiple - 1) != 0
    }

    /// What is wrong with an access at this address.
    pub fn wrong(self, address: u64) -> Option<FindingKind> {
        let Alignment { multiple, atomic } = self;
        self.is_missed_at(address).then_some(match atomic {
            true => FindingKind::MisalignedAtomic { address },
            false => FindingKind::Misaligned { address, multiple },
        })
    }
}
