//! Power.
//!
//! Source: Sewell and others, "C/C++11 mappings to processors", the table for Power with leading
//! `hwsync`, as gcc and clang follow it; Batty, Memarian, Owens, Sarkar, Sewell, "Clarifying and
//! compiling C/C++ concurrency: from C++11 to POWER", POPL 2012, and for the repaired seq_cst of
//! RC11 Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017.
//!
//! | C11 | Power |
//! | --- | --- |
//! | load relaxed | `ld` |
//! | load consume, acquire | `ld; cmp; bc; isync` |
//! | load seq_cst | `hwsync; ld; cmp; bc; isync` |
//! | store relaxed | `st` |
//! | store release | `lwsync; st` |
//! | store seq_cst | `hwsync; st` |
//! | read-modify-write relaxed | `lwarx … stwcx.; bc` |
//! | … acquire | `lwarx … stwcx.; bc; isync` |
//! | … release | `lwsync; lwarx … stwcx.; bc` |
//! | … acq_rel | `lwsync; lwarx … stwcx.; bc; isync` |
//! | … seq_cst | `hwsync; lwarx … stwcx.; bc; isync` |
//! | fence acquire, release, acq_rel | `lwsync` |
//! | fence seq_cst | `hwsync` |
//!
//! The branch before `isync` is on what was read, and makes the control dependency that
//! the model asks for. That of a read-modify-write is really on the success of the `stwcx.`, which
//! cannot be known before the `lwarx` has its value (Sarkar, Memarian, Owens, Batty, Sewell,
//! Maranget, Alglave, Williams, "Synchronising C/C++ and POWER", PLDI 2012, section 3).
//!
//! | Directed fence | Power |
//! | --- | --- |
//! | with store-load | `sync` |
//! | with load-load or load-store | `lwsync` |
//! | store-store | `eieio` |

use super::fences::Family;
use super::{Mapping, Pair, Row, Step, Strength, Update};
use crate::order::Directions;
use crate::tag::Annotation;
use crate::tag::Tag::Both;

pub(super) struct Power;

const SYNC: &[Step] = &[Step::Named("SYNC")];
const LWSYNC: &[Step] = &[Step::Named("LWSYNC")];
const EIEIO: &[Step] = &[Step::Named("EIEIO")];
const ACQUIRE: &[Step] = &[Step::Branch, Step::Named("ISYNC")];

impl Mapping for Power {
    fn name(&self) -> &'static str {
        "Power"
    }

    fn knows(&self, family: Family) -> bool {
        family == Family::Power
    }

    fn load(&self, order: Strength) -> Row {
        Row { before: leading_sync(order), tags: &[], after: trailing(order) }
    }

    fn store(&self, order: Strength) -> Row {
        Row { before: leading(order), ..Row::default() }
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
        match order {
            Strength::Relaxed => &[],
            Strength::SeqCst => SYNC,
            _ => LWSYNC,
        }
    }

    fn directed(&self, directions: Directions) -> Vec<Step> {
        let Directions { load_load, load_store, store_load, .. } = directions;
        match (store_load, load_load || load_store) {
            (true, _) => SYNC.to_vec(),
            (false, true) => LWSYNC.to_vec(),
            (false, false) => EIEIO.to_vec(),
        }
    }
}

fn leading_sync(order: Strength) -> &'static [Step] {
    if order == Strength::SeqCst { SYNC } else { &[] }
}

/// Before what releases.
fn leading(order: Strength) -> &'static [Step] {
    match order {
        Strength::Relaxed | Strength::Acquire | Strength::AcquirePc => &[],
        Strength::Release | Strength::AcqRel => LWSYNC,
        Strength::SeqCst => SYNC,
    }
}

/// After an acquire.
fn trailing(order: Strength) -> &'static [Step] {
    match order {
        Strength::Relaxed | Strength::Release => &[],
        _ => ACQUIRE,
    }
}
