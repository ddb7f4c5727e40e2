//! x86 and x86-64.
//!
//! Source: Sewell and others, "C/C++11 mappings to processors", the table for x86 that gcc and
//! clang follow; proved by Batty, Owens, Sarkar, Sewell, Weber, "Mathematizing C++ concurrency",
//! POPL 2011, for x86-TSO.
//!
//! | C11 | x86 |
//! | --- | --- |
//! | load, any order | `mov` |
//! | store relaxed, release | `mov` |
//! | store seq_cst | `mov; mfence` |
//! | read-modify-write, any order | `lock` instruction (or `xchg`) |
//! | fence acquire, release, acq_rel | — (the compiler's order) |
//! | fence seq_cst | `mfence` |
//!
//! | Directed fence | x86 |
//! | --- | --- |
//! | with store-load | `mfence` |
//! | any other | — (x86 keeps these pairs in order) |

use super::fences::Family;
use super::{Mapping, Row, Step, Strength, Update};
use crate::order::Directions;
use crate::tag::Annotation;
use crate::tag::Tag::Both;

pub(super) struct X86;

const MFENCE: &[Step] = &[Step::Named("MFENCE")];
const PLAIN: Row = Row { before: &[], tags: &[Both(Annotation::P)], after: &[] };

impl Mapping for X86 {
    fn name(&self) -> &'static str {
        "x86"
    }

    fn knows(&self, family: Family) -> bool {
        family == Family::X86
    }

    fn load(&self, _order: Strength) -> Row {
        PLAIN
    }

    fn store(&self, order: Strength) -> Row {
        match order {
            Strength::SeqCst => Row { after: MFENCE, ..PLAIN },
            _ => PLAIN,
        }
    }

    fn update(&self, _order: Strength, _failure: Option<Strength>) -> Update {
        Update::Single(Row { tags: &[Both(Annotation::A), Both(Annotation::X)], ..Row::default() })
    }

    fn fence(&self, order: Strength) -> &'static [Step] {
        match order {
            Strength::SeqCst => MFENCE,
            _ => &[],
        }
    }

    fn directed(&self, directions: Directions) -> Vec<Step> {
        if directions.store_load { MFENCE.to_vec() } else { Vec::new() }
    }
}
