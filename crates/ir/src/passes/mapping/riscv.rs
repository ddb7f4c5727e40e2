//! RISC-V.
//!
//! Source: The RISC-V Instruction Set Manual, volume I, "RVWMO explanatory material", the table
//! "Mappings from C/C++ primitives to RISC-V primitives" (A.6 in the ratified version).
//!
//! | C11 | RISC-V |
//! | --- | --- |
//! | load relaxed | `l{b,h,w,d}` |
//! | load consume, acquire | `l; fence r,rw` |
//! | load seq_cst | `fence rw,rw; l; fence r,rw` |
//! | store relaxed | `s{b,h,w,d}` |
//! | store release, seq_cst | `fence rw,w; s` |
//! | read-modify-write relaxed | `amo<op>` |
//! | … acquire | `amo<op>.aq` |
//! | … release | `amo<op>.rl` |
//! | … acq_rel, seq_cst | `amo<op>.aqrl` |
//! | compare-and-swap relaxed | `lr; bne; sc; bnez` |
//! | … acquire | `lr.aq; bne; sc; bnez` |
//! | … release | `lr; bne; sc.rl; bnez` |
//! | … acq_rel | `lr.aq; bne; sc.rl; bnez` |
//! | … seq_cst | `lr.aqrl; bne; sc.rl; bnez` |
//! | fence acquire | `fence r,rw` |
//! | fence release | `fence rw,w` |
//! | fence acq_rel | `fence.tso` |
//! | fence seq_cst | `fence rw,rw` |
//!
//! There is no AMO for bytes, half words, or nand without extensions; compilers then write a loop
//! of `lr` and `sc`, which orders less than the AMO that stands here.
//!
//! | Directed fence | RISC-V |
//! | --- | --- |
//! | one pair of sets: any `p,s` with `p` and `s` of `r`, `w`, `rw` | `fence p,s` |
//! | load-load, load-store and store-store | `fence.tso` |
//! | any other | one `fence` for each direction |

use super::fences::Family;
use super::{Mapping, Pair, Row, Step, Strength, Update};
use crate::order::Directions;
use crate::tag::Tag::Both;
use crate::tag::{Annotation, Tag};

pub(super) struct RiscV;

const R_RW: &[Step] = &[Step::Named("Fence.r.rw")];
const RW_W: &[Step] = &[Step::Named("Fence.rw.w")];
const RW_RW: &[Step] = &[Step::Named("Fence.rw.rw")];
const TSO: &[Step] = &[Step::Named("Fence.tso")];

impl Mapping for RiscV {
    fn name(&self) -> &'static str {
        "RISC-V"
    }

    fn knows(&self, family: Family) -> bool {
        family == Family::RiscV
    }

    fn load(&self, order: Strength) -> Row {
        match order {
            Strength::Relaxed | Strength::Release => Row::default(),
            Strength::Acquire | Strength::AcquirePc | Strength::AcqRel => {
                Row { after: R_RW, ..Row::default() }
            }
            Strength::SeqCst => Row { before: RW_RW, tags: &[], after: R_RW },
        }
    }

    fn store(&self, order: Strength) -> Row {
        match order {
            Strength::Relaxed | Strength::Acquire | Strength::AcquirePc => Row::default(),
            Strength::Release | Strength::AcqRel | Strength::SeqCst => {
                Row { before: RW_W, ..Row::default() }
            }
        }
    }

    fn update(&self, order: Strength, failure: Option<Strength>) -> Update {
        if failure.is_none() {
            let tags: &[Tag] = match order {
                Strength::Relaxed => &[Both(Annotation::X)],
                Strength::Acquire | Strength::AcquirePc => {
                    &[Both(Annotation::X), Both(Annotation::Acq)]
                }
                Strength::Release => &[Both(Annotation::X), Both(Annotation::Rel)],
                Strength::AcqRel | Strength::SeqCst => {
                    &[Both(Annotation::X), Both(Annotation::AcqRel)]
                }
            };
            return Update::Single(Row { tags, ..Row::default() });
        }
        let load: &[Tag] = match order {
            Strength::Relaxed | Strength::Release => &[Both(Annotation::X), Both(Annotation::Ex)],
            Strength::Acquire | Strength::AcquirePc | Strength::AcqRel => {
                &[Both(Annotation::X), Both(Annotation::Acq), Both(Annotation::Ex)]
            }
            Strength::SeqCst => {
                &[Both(Annotation::X), Both(Annotation::AcqRel), Both(Annotation::Ex)]
            }
        };
        let store: &[Tag] = match order {
            Strength::Relaxed | Strength::Acquire | Strength::AcquirePc => {
                &[Both(Annotation::X), Both(Annotation::Ex)]
            }
            Strength::Release | Strength::AcqRel | Strength::SeqCst => {
                &[Both(Annotation::X), Both(Annotation::Rel), Both(Annotation::Ex)]
            }
        };
        Update::Exclusive(Pair { before: &[], load, store, after: &[], after_failure: &[] })
    }

    fn fence(&self, order: Strength) -> &'static [Step] {
        match order {
            Strength::Relaxed => &[],
            Strength::Acquire | Strength::AcquirePc => R_RW,
            Strength::Release => RW_W,
            Strength::AcqRel => TSO,
            Strength::SeqCst => RW_RW,
        }
    }

    fn directed(&self, directions: Directions) -> Vec<Step> {
        let Directions { load_load, load_store, store_load, store_store } = directions;
        let one = match (load_load, load_store, store_load, store_store) {
            (true, true, false, false) => "Fence.r.rw",
            (false, false, true, true) => "Fence.w.rw",
            (true, false, true, false) => "Fence.rw.r",
            (false, true, false, true) => "Fence.rw.w",
            (true, true, false, true) => "Fence.tso",
            (true, true, true, true) => "Fence.rw.rw",
            _ => {
                let each = [
                    (load_load, "Fence.r.r"),
                    (load_store, "Fence.r.w"),
                    (store_load, "Fence.w.r"),
                    (store_store, "Fence.w.w"),
                ];
                let asked = each.into_iter().filter(|(asked, _)| *asked);
                return asked.map(|(_, name)| Step::Named(name)).collect();
            }
        };
        vec![Step::Named(one)]
    }
}
