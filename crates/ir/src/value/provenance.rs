//! Which provenance the result of an operation has.
//!
//! A value computed from exactly one pointer keeps that pointer's provenance through additions,
//! subtractions (on the left), bitwise operations and shifts, so that tag bits, alignment masks
//! and pointers held in integers work. An `and` with a mask that leaves only low bits gives a
//! plain number, a tag or an index into a table of hashes, because a pointer to the table plus
//! that number has to be a pointer to the table. Combined with itself it is kept by `and` and `or`
//! and dropped by everything else (a difference of two pointers is a number). Different provenances
//! cancel. Products, quotients and comparisons are plain numbers. Narrowing keeps provenance, so
//! that a pointer survives being copied byte by byte.
//!
//! The two halves of a 128-bit value follow these rules separately; shifts by 64 or more move
//! provenance from one half to the other.
//!
//! Soundness S-008 (run, check, verify; all; cries wolf): A value has at most one provenance (a
//! 128-bit value one per half), so using a pointer that is recovered from arithmetic over two
//! pointers, as in an XOR list or `(a - b) + b`, or rebuilt by `p / 8 * 8 + p % 8`, is a finding.
//! Test:
//! crates/ir/src/value/provenance.rs::a_pointer_that_was_changed_leads_nowhere_unless_the_change_is_a_tag.

use super::{RegionId, Value};
use crate::op::BinaryOp;
use crate::program::Width;

/// Whether a number that was computed from a pointer into an object still leads there: it is an
/// address in the object or one past its end, perhaps with tags in the lowest bits or in those
/// that addresses leave free, or with the address shifted to make room for some. Any other number
/// is not a pointer to the object, whatever it was computed from.
pub fn leads_into(number: u64, base: u64, size: u64) -> bool {
    let size = size.max(LOW_TAGS);
    let inside = |number: u64, lost: u64| {
        let address = number & ADDRESSES;
        address <= base + size && address + lost >= base
    };
    let shifted_up = (0..=FREE).any(|by| inside(number >> by, 0));
    shifted_up || (1..=MOST_SHIFTED).any(|by| inside(number << by, (1 << by) - 1))
}

/// Objects start at multiples of 16, so that the lowest bits may be tags.
const LOW_TAGS: u64 = 15;
/// The highest bits, which addresses leave free.
const FREE: u32 = 16;
const ADDRESSES: u64 = u64::MAX >> FREE;
/// Addresses of pages are shifted by this much.
const MOST_SHIFTED: u32 = 12;

/// The provenance of both halves.
pub type Pair = (Option<RegionId>, Option<RegionId>);

/// The provenance of `a op b`.
pub fn binary(op: BinaryOp, a: &Value, b: &Value) -> Pair {
    use BinaryOp::*;
    let halves = |rule: fn(Option<RegionId>, Option<RegionId>) -> Option<RegionId>| {
        (rule(a.provenance, b.provenance), rule(a.high, b.high))
    };
    match op {
        Add | Xor => halves(only_one),
        Sub => halves(left_only),
        And => (
            masked(a.width, (a.provenance, a.bits | a.undef), (b.provenance, b.bits | b.undef)),
            masked(a.width, (a.high, (a.bits | a.undef) >> 64), (b.high, (b.bits | b.undef) >> 64)),
        ),
        Or => halves(one_or_same),
        Shl if moves_half(a, b) => (None, a.provenance),
        LShr | AShr if moves_half(a, b) => (a.high, None),
        Shl | LShr | AShr => (a.provenance, a.high),
        Mul | UDiv | SDiv | URem | SRem | Eq | Ne | Ult | Ule | Slt | Sle | Float(_) => {
            (None, None)
        }
    }
}

/// Whether `a op b` depends on the address of an object, and not only on an offset in it.
pub fn reveals(op: BinaryOp, a: &Value, b: &Value) -> bool {
    use BinaryOp::*;
    let points = |value: &Value| value.provenance.is_some() || value.high.is_some();
    let same = (a.provenance, a.high) == (b.provenance, b.high);
    // Every object is at a multiple of 16, and none is in the first page.
    let other = match (points(a), points(b)) {
        (false, false) => return false,
        (true, false) => Some(b.bits),
        (false, true) => Some(a.bits),
        (true, true) => None,
    };
    match op {
        Eq | Ne => false,
        Sub | Ult | Ule | Slt | Sle if same => false,
        Ult | Ule | Slt | Sle => other.is_none_or(|bits| bits >= 4096),
        And if other.is_some_and(|bits| bits < 16) => false,
        URem if !points(b) && b.bits.is_power_of_two() && b.bits <= 16 => false,
        _ => binary(op, a, b) == (None, None),
    }
}

/// The provenance of `a & b`, for one half.
fn masked(
    width: Width,
    (a, a_bits): (Option<RegionId>, u128),
    (b, b_bits): (Option<RegionId>, u128),
) -> Option<RegionId> {
    match (a, b) {
        (Some(a), Some(b)) => (a == b).then_some(a),
        (Some(region), None) => keeps_address(width, b_bits).then_some(region),
        (None, Some(region)) => keeps_address(width, a_bits).then_some(region),
        (None, None) => None,
    }
}

/// Whether a mask leaves more of an address than its low bits: for a whole address, bits 32 to 47
/// (those above may hold a counter); for a part of one, its uppermost bit.
fn keeps_address(width: Width, mask: u128) -> bool {
    let upper = match width {
        width if width >= Width::I64 => 0xffff << 32,
        width => 1 << (width.bits() - 1),
    };
    mask & upper == upper
}

/// The provenance of something copied from one of two places, it is not known which; also of a
/// byte-wise mixture.
pub fn one_or_same(a: Option<RegionId>, b: Option<RegionId>) -> Option<RegionId> {
    if a == b { a } else { only_one(a, b) }
}

fn only_one(a: Option<RegionId>, b: Option<RegionId>) -> Option<RegionId> {
    match (a, b) {
        (Some(region), None) | (None, Some(region)) => Some(region),
        _ => None,
    }
}

fn left_only(a: Option<RegionId>, b: Option<RegionId>) -> Option<RegionId> {
    if b.is_none() { a } else { None }
}

fn moves_half(a: &Value, amount: &Value) -> bool {
    a.width > Width::I64 && amount.bits % u128::from(a.width.bits()) >= 64
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::ids::Id;

    fn pointer(region: usize, address: u64) -> Value {
        Value::pointer(RegionId::new(region), address)
    }

    fn number(bits: u128) -> Value {
        Value::int(Width::I64, bits)
    }

    #[test]
    fn numbers_that_reveal_an_address_are_distinguished_from_those_that_do_not() {
        use BinaryOp::*;
        let (p, q) = (pointer(1, 4096), pointer(2, 8192));
        for (op, a, b) in
            [(UDiv, p, number(4)), (Mul, p, number(3)), (Sub, p, q), (Ult, p, q), (Xor, p, q)]
        {
            assert!(reveals(op, &a, &b), "{op:?}");
        }
        assert!(reveals(And, &p, &number(0xff0)));
        assert!(reveals(URem, &p, &number(64)));
    }

    #[test]
    fn what_depends_only_on_the_place_in_an_object_tells_nothing() {
        use BinaryOp::*;
        let (p, end) = (pointer(1, 4096), pointer(1, 4100));
        for (op, a, b) in [
            (Add, p, number(4)),
            (Sub, end, p),
            (Ult, p, end),
            (Eq, p, pointer(2, 8192)),
            (Ne, p, number(0)),
            (Ult, number(0), p),
            (And, p, number(7)),
            (URem, p, number(8)),
            (Mul, number(6), number(7)),
        ] {
            assert!(!reveals(op, &a, &b), "{op:?}");
        }
    }

    #[test]
    fn a_pointer_that_was_changed_leads_nowhere_unless_the_change_is_a_tag() {
        let leads = |number| leads_into(number, 0x10_0000, 24);
        for number in [0x10_0000, 0x10_0018, 0x10_0003, 0x10_0000 << 16 | 7, 7 << 48 | 0x10_0008] {
            assert!(leads(number), "{number:#x}");
        }
        assert!(leads(0x10_0000 >> 4));
        for number in [0, 0x0f_fff0, 0x10_0020, 0x10_ff00, !0x10_0000, 0x5510_0000] {
            assert!(!leads(number), "{number:#x}");
        }
    }
}
