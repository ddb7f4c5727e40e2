//! Quotients and remainders. What they are for the divisor zero is of no interest.

use super::{Number, choose, constant, neg_if, sub};
use sat::{Formula, Lit};

/// Quotient and remainder without signs: restoring division.
pub fn unsigned(f: &mut Formula, a: &[Lit], b: &[Lit]) -> (Number, Number) {
    let width = a.len();
    let mut quotient = constant(width, 0);
    // One bit wider, so that doubling the remainder does not overflow.
    let mut rest = constant(width + 1, 0);
    let divisor: Number = b.iter().copied().chain([Lit::FALSE]).collect();
    for i in (0..width).rev() {
        rest.pop();
        rest.insert(0, a[i]);
        let (less, fits) = sub(f, &rest, &divisor);
        quotient[i] = fits;
        rest = choose(f, fits, &less, &rest);
    }
    rest.pop();
    (quotient, rest)
}

/// Quotient and remainder with signs: the quotient is truncated and the remainder has the sign of
/// the dividend.
pub fn signed(f: &mut Formula, a: &[Lit], b: &[Lit]) -> (Number, Number) {
    let sign = |n: &[Lit]| n.last().copied().unwrap_or(Lit::FALSE);
    let (x, y) = (neg_if(f, sign(a), a), neg_if(f, sign(b), b));
    let (quotient, rest) = unsigned(f, &x, &y);
    let differ = f.xor2(sign(a), sign(b));
    (neg_if(f, differ, &quotient), neg_if(f, sign(a), &rest))
}
