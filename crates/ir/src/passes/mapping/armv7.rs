//! ARMv7.
//!
//! Source: Sewell and others, "C/C++11 mappings to processors", the table for ARMv7; where it
//! offers `isb` after a branch or `dmb`, this is `dmb`, which gcc and clang emit.
//!
//! | C11 | ARMv7 |
//! | --- | --- |
//! | load relaxed | `ldr` |
//! | load consume, acquire, seq_cst | `ldr; dmb` |
//! | store relaxed | `str` |
//! | store release | `dmb; str` |
//! | store seq_cst | `dmb; str; dmb` |
//! | read-modify-write relaxed | `ldrex … strex; bne` |
//! | … acquire | `ldrex … strex; bne; dmb` |
//! | … release | `dmb; ldrex … strex; bne` |
//! | … acq_rel, seq_cst | `dmb; ldrex … strex; bne; dmb` |
//! | fence, any order but relaxed | `dmb` |
//!
//! | Directed fence | ARMv7 |
//! | --- | --- |
//! | store-store | `dmb st` |
//! | any other | `dmb` |

use super::fences::Family;
use super::{Mapping, Pair, Row, Step, Strength, Update};
use crate::order::Directions;
use crate::tag::Annotation;
use crate::tag::Tag::Both;

pub(super) struct Armv7;

const DMB: &[Step] = &[Step::Named("DMB")];
const DMB_ST: &[Step] = &[Step::Named("DMB.ST")];

impl Mapping for Armv7 {
    fn name(&self) -> &'static str {
        "ARMv7"
    }

    fn knows(&self, family: Family) -> bool {
        matches!(family, Family::Arm | Family::Armv7)
    }

    fn load(&self, order: Strength) -> Row {
        Row { after: trailing(order), ..Row::default() }
    }

    fn store(&self, order: Strength) -> Row {
        let after = if order == Strength::SeqCst { DMB } else { &[] };
        Row { before: leading(order), tags: &[], after }
    }

    fn update(&self, order: Strength, failure: Option<Strength>) -> Update {
        Update::Exclusive(Pair {
            before: leading(order),
            load: &[Both(Annotation::X), Both(Annotation::Ex)],
            store: &[Both(Annotation::X), Both(Annotation::Ex)],
            after: trailing(order),
            after_failure: trailing(failure.unwrap_or(order)),
        })
    }

    fn fence(&self, order: Strength) -> &'static [Step] {
        if order == Strength::Relaxed { &[] } else { DMB }
    }

    fn directed(&self, directions: Directions) -> Vec<Step> {
        let Directions { load_load, load_store, store_load, .. } = directions;
        if load_load || load_store || store_load { DMB.to_vec() } else { DMB_ST.to_vec() }
    }
}

/// Before what releases.
fn leading(order: Strength) -> &'static [Step] {
    match order {
        Strength::Relaxed | Strength::Acquire | Strength::AcquirePc => &[],
        Strength::Release | Strength::AcqRel | Strength::SeqCst => DMB,
    }
}

/// After an acquire.
fn trailing(order: Strength) -> &'static [Step] {
    match order {
        Strength::Relaxed | Strength::Release => &[],
        _ => DMB,
    }
}
