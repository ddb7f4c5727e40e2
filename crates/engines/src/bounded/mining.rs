//! Observation sets by the solver, as in the paper: all that clients can see under the model
//! `serial`, one solution after the other (Burckhardt, Alur, Martin, *CheckFence*, PLDI 2007,
//! section 3.2). Fencepost executes serial executions instead ([`serial`](crate::serial)); this is
//! the cross-check.

use crate::bounded::unrolling::{self, CheckOptions, Method, Unrolling};
use crate::serial::{Observation, ObservationSet};
use crate::test::compose::Composed;
use crate::verdict::{Reason, Verdict, Violation};
use encoding::encode::{Encoding, Enumeration};
use models::Model;
use std::cell::RefCell;

/// The observation set of a test. The error is any verdict but that all executions within their
/// bounds were explored and none has a finding.
pub fn mine(
    composed: &Composed,
    options: &CheckOptions<'_>,
) -> Result<ObservationSet, Box<Verdict>> {
    let model = Model::named("serial").expect("a model of the library");
    let mining = Mining::default();
    match unrolling::check(composed, &model, options, &mining).0 {
        Verdict::Holds => {
            let names = composed.instances.iter().map(|instance| instance.name.clone()).collect();
            Ok(ObservationSet::new(names, mining.found.into_inner()))
        }
        verdict => Err(Box::new(verdict)),
    }
}

/// What was observed in the formula that was solved last.
#[derive(Default)]
struct Mining {
    found: RefCell<Vec<Observation>>,
}

impl Method for Mining {
    fn needs_commits(&self) -> bool {
        false
    }

    fn ask(
        &self,
        unrolling: &Unrolling<'_>,
        encoding: &mut Encoding<'_>,
    ) -> Result<Option<Violation>, Reason> {
        let mut found = Vec::new();
        let mut search = Enumeration::new(encoding, &[], &[]);
        let stopped = Reason::limit(encoding.formula.limits());
        while let Some(outcome) = search.next(encoding).map_err(|_| stopped.clone())? {
            found.push(unrolling.observation(encoding));
            search.exclude(encoding, &outcome);
        }
        self.found.replace(found);
        Ok(None)
    }
}
