//! Arithmetic on numbers whose bits are literals, the lowest first.
//!
//! Textbook circuits: ripple-carry adders, shift-and-add products, restoring division, barrel
//! shifters. Constant bits disappear in the gates. Undefined bits and provenance are none of this
//! module's business.
//!
//! Soundness S-103 (verify; all; refuses): Products of 128 bits are refused by the solver where
//! overflow is asked for. Test:
//! crates/fencepost/tests/effort.rs::narrow_factors_have_products_that_fit.

pub mod divide;
pub mod shift;

use sat::{Formula, Lit};

/// A number.
pub type Number = Vec<Lit>;

/// A constant.
pub fn constant(width: usize, bits: u128) -> Number {
    let bit = |i| bits.checked_shr(i).is_some_and(|bits| bits & 1 == 1);
    (0..width as u32).map(|i| Lit::constant(bit(i))).collect()
}

/// The bits flipped.
pub fn not(a: &[Lit]) -> Number {
    a.iter().map(|&bit| !bit).collect()
}

/// Bit by bit.
pub fn zip(
    f: &mut Formula,
    a: &[Lit],
    b: &[Lit],
    gate: impl Fn(&mut Formula, Lit, Lit) -> Lit,
) -> Number {
    a.iter().zip(b).map(|(&a, &b)| gate(f, a, b)).collect()
}

/// `condition ? a : b`.
pub fn choose(f: &mut Formula, condition: Lit, a: &[Lit], b: &[Lit]) -> Number {
    zip(f, a, b, |f, a, b| f.ite(condition, a, b))
}

/// The sum with a carry, and the carry out.
pub fn add(f: &mut Formula, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Number, Lit) {
    let mut sum = Vec::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let differ = f.xor2(a, b);
        sum.push(f.xor2(differ, carry));
        carry = f.ite(differ, carry, a);
    }
    (sum, carry)
}

/// The difference, and whether it is not negative.
pub fn sub(f: &mut Formula, a: &[Lit], b: &[Lit]) -> (Number, Lit) {
    add(f, a, &not(b), Lit::TRUE)
}

/// The opposite.
pub fn neg(f: &mut Formula, a: &[Lit]) -> Number {
    sub(f, &constant(a.len(), 0), a).0
}

/// The opposite, if the condition holds.
pub fn neg_if(f: &mut Formula, condition: Lit, a: &[Lit]) -> Number {
    let negative = neg(f, a);
    choose(f, condition, &negative, a)
}

/// The product.
pub fn mul(f: &mut Formula, a: &[Lit], b: &[Lit]) -> Number {
    // Adding for the bits of the number that has more constant ones costs less.
    let constants = |n: &[Lit]| n.iter().filter(|bit| bit.is_constant()).count();
    let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
    let mut sum = constant(a.len(), 0);
    for (i, &bit) in b.iter().enumerate().filter(|(_, bit)| **bit != Lit::FALSE) {
        let part: Number = a[..a.len() - i].iter().map(|&a| f.and(&[a, bit])).collect();
        let (upper, _) = add(f, &sum[i..], &part, Lit::FALSE);
        sum.splice(i.., upper);
    }
    sum
}

/// Whether two numbers are equal.
pub fn equal(f: &mut Formula, a: &[Lit], b: &[Lit]) -> Lit {
    let same = zip(f, a, b, |f, a, b| f.iff2(a, b));
    f.and(&same)
}

/// Whether `a < b`, without signs.
pub fn less(f: &mut Formula, a: &[Lit], b: &[Lit]) -> Lit {
    let mut less = Lit::FALSE;
    for (&a, &b) in a.iter().zip(b) {
        let differ = f.xor2(a, b);
        less = f.ite(differ, b, less);
    }
    less
}

/// From the lowest one on, all ones.
pub fn upwards(f: &mut Formula, a: &[Lit]) -> Number {
    let mut seen = Lit::FALSE;
    a.iter()
        .map(|&bit| {
            seen = f.or(&[seen, bit]);
            seen
        })
        .collect()
}

/// From the highest one down, all ones.
pub fn downwards(f: &mut Formula, a: &[Lit]) -> Number {
    let reversed: Number = a.iter().rev().copied().collect();
    upwards(f, &reversed).into_iter().rev().collect()
}

/// How many bits are one, in the same width.
pub fn count(f: &mut Formula, a: &[Lit]) -> Number {
    let mut sum = constant(a.len(), 0);
    for &bit in a {
        let mut carry = bit;
        for place in &mut sum {
            (*place, carry) = (f.xor2(*place, carry), f.and(&[*place, carry]));
        }
    }
    sum
}
