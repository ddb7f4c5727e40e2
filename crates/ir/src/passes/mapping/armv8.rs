//! AArch64, with the atomic instructions of ARMv8.1 (LSE).
//!
//! Source: Sewell and others, "C/C++11 mappings to processors", the table for AArch64; Arm
//! Architecture Reference Manual (DDI 0487), B2.3, which names load-acquire and store-release for
//! seq_cst atomics. gcc and clang follow it with `-march=armv8.1-a`.
//!
//! | C11 | AArch64 |
//! | --- | --- |
//! | load relaxed | `LDR` |
//! | load consume, acquire, seq_cst | `LDAR` |
//! | store relaxed | `STR` |
//! | store release, seq_cst | `STLR` |
//! | read-modify-write relaxed | `LDADD`, `SWP`, `CAS` … |
//! | … acquire | `LDADDA`, `SWPA`, `CASA` … |
//! | … release | `LDADDL`, `SWPL`, `CASL` … |
//! | … acq_rel, seq_cst | `LDADDAL`, `SWPAL`, `CASAL` … |
//! | fence acquire | `DMB ISHLD` |
//! | fence release, acq_rel, seq_cst | `DMB ISH` |
//!
//! An acquire load that the IR calls `acqpc` is `LDAPR`, which newer compilers also emit for
//! acquire if asked to (`+rcpc`); it is weaker, and a program that needs `LDAR` there shows
//! under the C11 models. Read-modify-writes whose result is not used have one nevertheless, since
//! the forms without (`STADD`) are not ordered by `DMB ISHLD`. Where ARMv8.0 has a
//! load-/store-exclusive loop, what follows can overtake the store of the loop: also weaker.
//!
//! | Directed fence | AArch64 |
//! | --- | --- |
//! | with store-load | `DMB ISH` |
//! | load-load, load-store, or both | `DMB ISHLD` |
//! | store-store | `DMB ISHST` |
//! | store-store and load-load or load-store | `DMB ISHLD; DMB ISHST` |
//!
//! Soundness S-058 (check, verify; armv8, riscv; misses): Read-modify-writes are the single
//! instructions of LSE and of RISC-V's A extension; binaries without LSE, and RISC-V for bytes,
//! half words and nand, use loops of exclusives, and AArch64 with `+rcpc` uses `LDAPR`. Test:
//! untested.

use super::fences::Family;
use super::{Mapping, Row, Step, Strength, Update};
use crate::order::Directions;
use crate::tag::Tag::{Both, Read, Write};
use crate::tag::{Annotation, Tag};

pub(super) struct Armv8;

const ISH: &[Step] = &[Step::Named("DMB.ISH")];
const ISHLD: &[Step] = &[Step::Named("DMB.ISHLD")];

impl Mapping for Armv8 {
    fn name(&self) -> &'static str {
        "ARMv8"
    }

    fn knows(&self, family: Family) -> bool {
        matches!(family, Family::Arm | Family::Armv8)
    }

    fn load(&self, order: Strength) -> Row {
        tagged(match order {
            Strength::Relaxed | Strength::Release => &[],
            Strength::AcquirePc => &[Both(Annotation::Q)],
            Strength::Acquire | Strength::AcqRel | Strength::SeqCst => &[Both(Annotation::A)],
        })
    }

    fn store(&self, order: Strength) -> Row {
        tagged(match order {
            Strength::Relaxed | Strength::Acquire | Strength::AcquirePc => &[],
            Strength::Release | Strength::AcqRel | Strength::SeqCst => &[Both(Annotation::L)],
        })
    }

    fn update(&self, order: Strength, _failure: Option<Strength>) -> Update {
        Update::Single(tagged(match order {
            Strength::Relaxed => &[],
            Strength::Acquire | Strength::AcquirePc => &[Read(Annotation::A)],
            Strength::Release => &[Write(Annotation::L)],
            Strength::AcqRel | Strength::SeqCst => &[Read(Annotation::A), Write(Annotation::L)],
        }))
    }

    fn fence(&self, order: Strength) -> &'static [Step] {
        match order {
            Strength::Relaxed => &[],
            Strength::Acquire | Strength::AcquirePc => ISHLD,
            Strength::Release | Strength::AcqRel | Strength::SeqCst => ISH,
        }
    }

    fn directed(&self, directions: Directions) -> Vec<Step> {
        if directions.store_load {
            return ISH.to_vec();
        }
        let mut steps = Vec::new();
        if directions.load_load || directions.load_store {
            steps.extend(ISHLD);
        }
        if directions.store_store {
            steps.push(Step::Named("DMB.ISHST"));
        }
        steps
    }
}

fn tagged(tags: &'static [Tag]) -> Row {
    Row { tags, ..Row::default() }
}
