//! The inclusion check: does every execution show its clients what some serial execution shows?
//!
//! Burckhardt, Alur, Martin, *CheckFence*, PLDI 2007, section 3. The observation set is known
//! beforehand ([`serial`](crate::serial)). The question that is put to complete executions is
//! whether there is one whose observation is not in the set; [`unrolling`](crate::bounded::unrolling) does
//! the rest.
//!
//! Soundness S-059 (check; all; misses): An answer is about one test: nothing is known about other
//! clients. Test:
//! crates/fencepost/tests/check.rs::smaller_tests_come_first_and_models_stand_side_by_side.
//!
//! Soundness S-060 (check; all; misses, cries wolf): The serial executions of the implementation
//! are the specification unless `--spec` is given. Test:
//! crates/engines/tests/examples.rs::the_published_lazy_list_is_wrong_even_serially,
//! crates/fencepost/tests/nothing_lost.rs::a_mistake_of_the_specification_is_told_to_be_one.

mod outside;

use crate::bounded::unrolling::{self, Method, Unrolling, solve_simply};
use crate::bounded::wanted::Wanted;
use crate::serial::{Automaton, ObservationSet};
use crate::test::compose::Composed;
use crate::verdict::{Reason, Statistics, Verdict, Violation};
use encoding::encode::Encoding;
use models::Model;

pub use crate::bounded::unrolling::CheckOptions;

/// Checks a test.
pub fn check(
    composed: &Composed,
    set: &ObservationSet,
    model: &Model,
    options: &CheckOptions<'_>,
) -> (Verdict, Statistics) {
    check_only(composed, set, model, options, &Wanted::default())
}

/// Checks what is wanted of a test.
pub fn check_only(
    composed: &Composed,
    set: &ObservationSet,
    model: &Model,
    options: &CheckOptions<'_>,
    wanted: &Wanted,
) -> (Verdict, Statistics) {
    let method = Inclusion { set, wanted };
    let (mut verdict, statistics) = unrolling::check(composed, model, options, &method);
    if let Verdict::Inconclusive(_, established) = &mut verdict {
        established.observations = Some(set.len());
    }
    (verdict, Statistics { observations: set.len(), ..statistics })
}

struct Inclusion<'a> {
    set: &'a ObservationSet,
    wanted: &'a Wanted,
}

impl Method for Inclusion<'_> {
    fn needs_commits(&self) -> bool {
        false
    }

    fn wanted(&self) -> Wanted {
        self.wanted.clone()
    }

    fn ask(
        &self,
        unrolling: &Unrolling<'_>,
        encoding: &mut Encoding<'_>,
    ) -> Result<Option<Violation>, Reason> {
        let automaton = Automaton::new(self.set);
        let numbers = unrolling.numbers(encoding);
        let symmetric = unrolling.symmetric_operations();
        let outside = outside::outside(encoding, &automaton, numbers.as_slice(), &symmetric);
        let found = solve_simply(encoding, &[encoding.complete(), outside])?;
        Ok(found.then(|| {
            let seen = unrolling.observation(encoding);
            let nearest = self.set.nearest(&seen, 3);
            Violation::Observation { seen, nearest }
        }))
    }
}
