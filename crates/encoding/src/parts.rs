//! Accesses in parts: where accesses of several extents overlap, each is an event for every part of
//! memory that the others have all of or nothing of.
//!
//! All parts of one access have the same width, half of the access or half of that, and so on; each
//! part of a read returns the bytes of what the write that it sees has written there. What belongs
//! together is said to the model by `same-access`.
//!
//! Soundness S-110 (check, verify, litmus; all; misses): Every access is single-copy atomic,
//! whatever its width and alignment; architectures promise that of aligned accesses, and of 16
//! bytes only with some extensions. Test:
//! crates/oracle/tests/programs/widths.rs::an_access_is_not_torn,
//! corpus/verify/widths/word_is_not_torn.c.
//!
//! Soundness S-111 (check, verify; all; refuses): A value that may be a pointer and some bytes of
//! which narrower accesses write is refused by the solver. Test: untested.

use crate::bounded::{ActionId, ActionKind, Bounded};
use crate::term::{TermId, Terms};
use crate::values::Sets;
use crate::values::places::Addresses;
use ir::op::{BinaryOp, CastOp};
use ir::program::Width;
use ir::value::Value;
use std::collections::BTreeMap;

/// How accesses are divided.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parts {
    /// The parts of accesses that have several, in the order of their addresses.
    of: BTreeMap<ActionId, Vec<Part>>,
    /// What parts of memory hold at first.
    initial: BTreeMap<(u64, Width), TermId>,
}

/// A part of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Where it begins, in bytes from the address of the access.
    pub byte: u64,
    /// Its width.
    pub width: Width,
    /// This part of what is read or written.
    pub value: TermId,
}

impl Parts {
    /// Whether all accesses are made as a whole.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The parts of an access; `None` if it is made as a whole.
    pub fn of(&self, action: ActionId) -> Option<&[Part]> {
        self.of.get(&action).map(Vec::as_slice)
    }

    /// The part of an access of some width that begins with this byte; all of it, if it is made as a
    /// whole.
    pub fn part(&self, action: ActionId, byte: u64, whole: Width, value: TermId) -> Part {
        let parts = self.of(action).into_iter().flatten();
        let found = parts.copied().find(|part| part.byte == byte);
        found.unwrap_or(Part { byte: 0, width: whole, value })
    }

    /// How wide the parts of an access are.
    pub fn width(&self, action: ActionId, whole: Width) -> Width {
        self.of(action).map_or(whole, |parts| parts[0].width)
    }

    /// What a part of memory holds at first, where that was asked for when accesses were divided.
    pub fn initial(&self, address: u64, width: Width) -> Option<TermId> {
        self.initial.get(&(address, width)).copied()
    }

    /// The widths into which accesses are divided.
    pub fn widths(&self) -> BTreeMap<ActionId, Width> {
        self.of.iter().map(|(&action, parts)| (action, parts[0].width)).collect()
    }
}

impl Bounded {
    /// Divides these accesses into parts of these widths. The terms are made that are asked for
    /// then, so this comes before the analysis of values.
    pub(crate) fn divide(&mut self, widths: &BTreeMap<ActionId, Width>, sets: &Sets) {
        let mut parts = Parts::default();
        for (&id, &width) in widths {
            let (whole, value) = match &self.actions[id].kind {
                ActionKind::Read { access, into, .. } => {
                    (access.width, self.terms.input_term(*into))
                }
                ActionKind::Write { access, value, .. } => (access.width, *value),
                _ => continue,
            };
            let bytes = (0..whole.bytes()).step_by(width.bytes() as usize);
            let part =
                |byte| Part { byte, width, value: part_of(&mut self.terms, value, byte, width) };
            parts.of.insert(id, bytes.map(part).collect());
        }
        for id in self.actions.ids().collect::<Vec<_>>() {
            let Some(places) = sets.places(id) else { continue };
            let Addresses::These(addresses) = &places.right else { continue };
            let width = widths.get(&id).copied().unwrap_or(places.width);
            for &address in addresses {
                for byte in (0..places.width.bytes()).step_by(width.bytes() as usize) {
                    if let Some(value) = self.initial_value(address + byte, width) {
                        parts.initial.insert((address + byte, width), value);
                    }
                }
            }
        }
        self.parts = parts;
    }
}

/// The bytes of a value from one on.
fn part_of(terms: &mut Terms, value: TermId, byte: u64, width: Width) -> TermId {
    let whole = terms.width(value);
    let amount = terms.value(Value::int(whole, u128::from(byte) * 8));
    let shifted = terms.binary(BinaryOp::LShr, value, amount);
    terms.cast(CastOp::Truncate, width, shifted)
}
