//! The load-store language itself: models that know directed fences (`tso`, `pso`, `rmo`, `alpha`,
//! `relaxed`), and those that need no fence (`sc`, `serial`).
//!
//! No compiler has published a mapping to these; this one follows from what each directed fence
//! orders (Burckhardt, Alur, Martin, "CheckFence", PLDI 2007, section 2.3) and from what C11 asks
//! of each order, for models in which stores become visible to all other threads at once.
//!
//! | C11 | Directed fences |
//! | --- | --- |
//! | load relaxed | load (then load-load, see below) |
//! | load consume, acquire, seq_cst | load; load-load, load-store |
//! | store relaxed | store |
//! | store release | load-store, store-store; store |
//! | store seq_cst | load-store, store-store; store; store-load |
//! | read-modify-write relaxed | read-modify-write |
//! | … acquire | read-modify-write; load-load, load-store |
//! | … release | load-store, store-store; read-modify-write |
//! | … acq_rel | load-store, store-store; read-modify-write; load-load, load-store |
//! | … seq_cst | load-store, store-store; read-modify-write; load-load, load-store, store-load |
//! | fence acquire | load-load, load-store |
//! | fence release | load-store, store-store |
//! | fence acq_rel | load-load, load-store, store-store |
//! | fence seq_cst | all four |
//!
//! Two seq_cst accesses of a thread stay in order because the store-load fence follows each
//! seq_cst store (it does not precede each load), and everything else stays after loads and
//! before stores.
//!
//! C11 promises that two atomic loads of one location do not see its writes in the wrong order,
//! relaxed ones included; `relaxed` and `rmo` do not keep such loads in order. For such a model
//! a relaxed load is followed by a load-load fence, as compilers for Itanium make every atomic load
//! a `ld.acq` for this reason. A compare-and-swap that is relaxed and fails is not, so that the
//! plain one of CheckFence keeps its meaning: a load of the same location after it may see an
//! older value than C11 allows (may cry wolf).
//!
//! The fence after a compare-and-swap is there whether or not it fails. Its accesses are in the set
//! `X`, so that a model can give a meaning to the read of one that fails: on `tso` it is a locked
//! instruction like one that succeeds.
//!
//! Fences of architectures have their meaning in the models' text (`directed-fences.cat`).
//!
//! Soundness S-056 (check, verify; relaxed, rmo; misses): A relaxed atomic load is followed by a
//! load-load fence, because C11 orders loads of one location, so a missing acquire may not show
//! here. Test: corpus/verify/mutual-exclusion/peterson_release_acquire.c,
//! crates/ir/src/passes/mapping/tests.rs::loads.
//!
//! Soundness S-057 (check, verify; relaxed, rmo; cries wolf): A relaxed compare-and-swap that fails
//! has no such fence. Test:
//! crates/ir/src/passes/mapping/tests.rs::a_compare_and_swap_that_fails_relaxed_skips_the_fence_after_it.

use super::fences::Family;
use super::{Mapping, Row, Step, Strength, Update};
use crate::order::Directions;
use crate::tag::Annotation;
use crate::tag::Tag::Both;

pub(super) struct Directed {
    /// Whether two loads of one location stay in order by themselves.
    pub(super) coherent_loads: bool,
}

const NONE: Directions =
    Directions { load_load: false, load_store: false, store_load: false, store_store: false };
const LOAD_LOAD: &[Step] = &[Step::Directed(Directions { load_load: true, ..NONE })];
const STORE_LOAD: &[Step] = &[Step::Directed(Directions { store_load: true, ..NONE })];
const ACQUIRE: &[Step] =
    &[Step::Directed(Directions { load_load: true, load_store: true, ..NONE })];
const RELEASE: &[Step] =
    &[Step::Directed(Directions { load_store: true, store_store: true, ..NONE })];
const ALL_BUT_STORE_LOAD: &[Step] = &[Step::Directed(Directions {
    load_load: true,
    load_store: true,
    store_load: false,
    store_store: true,
})];
const ALL_BUT_STORE_STORE: &[Step] = &[Step::Directed(Directions {
    load_load: true,
    load_store: true,
    store_load: true,
    store_store: false,
})];
const ALL: &[Step] = &[Step::Directed(Directions {
    load_load: true,
    load_store: true,
    store_load: true,
    store_store: true,
})];

impl Mapping for Directed {
    fn name(&self) -> &'static str {
        "the load-store language"
    }

    fn knows(&self, _family: Family) -> bool {
        true
    }

    fn load(&self, order: Strength) -> Row {
        let after = match order {
            Strength::Relaxed | Strength::Release => &[],
            _ => ACQUIRE,
        };
        Row { after, ..Row::default() }
    }

    fn relaxed_load(&self) -> Row {
        let after = if self.coherent_loads { &[] } else { LOAD_LOAD };
        Row { after, ..Row::default() }
    }

    fn store(&self, order: Strength) -> Row {
        let after = if order == Strength::SeqCst { STORE_LOAD } else { &[] };
        Row { before: release(order), tags: &[], after }
    }

    fn update(&self, order: Strength, _failure: Option<Strength>) -> Update {
        let after = match order {
            Strength::Relaxed | Strength::Release => &[],
            Strength::Acquire | Strength::AcquirePc | Strength::AcqRel => ACQUIRE,
            Strength::SeqCst => ALL_BUT_STORE_STORE,
        };
        Update::Single(Row { before: release(order), tags: &[Both(Annotation::X)], after })
    }

    fn fence(&self, order: Strength) -> &'static [Step] {
        match order {
            Strength::Relaxed => &[],
            Strength::Acquire | Strength::AcquirePc => ACQUIRE,
            Strength::Release => RELEASE,
            Strength::AcqRel => ALL_BUT_STORE_LOAD,
            Strength::SeqCst => ALL,
        }
    }

    fn directed(&self, directions: Directions) -> Vec<Step> {
        vec![Step::Directed(directions)]
    }
}

fn release(order: Strength) -> &'static [Step] {
    match order {
        Strength::Relaxed | Strength::Acquire | Strength::AcquirePc => &[],
        Strength::Release | Strength::AcqRel | Strength::SeqCst => RELEASE,
    }
}
