//! Elements of arrays whose index may be anything, in memory that only one thread sees.
//!
//! An address is followed that is a pointer to one object, moved by a multiple of something: it is
//! one of the elements of the object, or outside of it.
//!
//! Soundness S-092 (check, verify; all; refuses): An address with many values must be computed from
//! a pointer to one object of at most 4,096 cells (1,024 before the first thread is started). Test:
//! corpus/verify/memory/any_index_of_own_array.c,
//! corpus/verify/memory/any_index_before_the_threads.c.

use super::Unroller;
use crate::term::{Term, TermId};
use crate::values::progression::{gcd, stay_apart};
use ir::op::BinaryOp;
use ir::value::{RegionId, Value};

/// More elements than this are not distinguished.
const MOST: u64 = 1024;

/// `start + n * step`, for any `n`; nothing but the start if the step is zero.
struct Moved {
    start: Value,
    step: u64,
}

impl Unroller<'_> {
    /// The elements of the object to which an address points; `None` if it is not known to point to
    /// one only, or if that has too many.
    pub(super) fn elements(&self, address: TermId) -> Option<Vec<Value>> {
        let Moved { start, step } = self.moved(address)?;
        let id: RegionId = start.provenance?;
        let region = &self.out.regions[id];
        let step = step.max(1);
        let offset = start.low().wrapping_sub(region.base) as i64;
        let first = region.base + offset.rem_euclid(step as i64) as u64;
        if region.size / step > MOST {
            return None;
        }
        let end = region.base + region.size;
        let all = (first..end).step_by(step as usize);
        Some(all.map(|at| Value::pointer(id, at)).collect())
    }

    fn moved(&self, id: TermId) -> Option<Moved> {
        if let Some(values) = self.alternatives(id) {
            let [start] = values[..] else { return self.anything(id) };
            return Some(Moved { start, step: 0 });
        }
        match *self.out.terms.term(id) {
            Term::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (a, b) = (self.moved(a)?, self.moved(b)?);
                let start = a.start.binary(op, b.start).ok()?;
                Some(Moved { start, step: gcd(a.step, b.step) })
            }
            Term::Binary(BinaryOp::Mul, a, b) => {
                let known = |id: TermId| self.out.terms.constant(id).map(|value| value.low());
                match (known(a), known(b)) {
                    (_, Some(size)) => self.multiple(a, size),
                    (Some(size), _) => self.multiple(b, size),
                    _ => self.anything(id),
                }
            }
            Term::Binary(BinaryOp::Shl, a, by) => {
                let by = self.out.terms.constant(by)?.low();
                self.multiple(a, 1u64.checked_shl(by.try_into().ok()?)?)
            }
            _ => self.anything(id),
        }
    }

    /// Any number, if it is made of no pointer.
    fn anything(&self, id: TermId) -> Option<Moved> {
        let width = self.out.terms.width(id);
        let number = self.mentioned(id).is_empty();
        number.then(|| Moved { start: Value::int(width, 0), step: 1 })
    }

    /// Multiples of a size, of which there may be enough that they wrap around.
    fn multiple(&self, index: TermId, size: u64) -> Option<Moved> {
        let Moved { start, .. } = self.anything(index)?;
        let step = match stay_apart(&self.out.terms, index, size) {
            true => size,
            false => 1u64.checked_shl(size.trailing_zeros()).unwrap_or(0),
        };
        Some(Moved { start, step })
    }
}
