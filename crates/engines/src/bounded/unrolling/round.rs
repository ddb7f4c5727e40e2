//! One round: how far it unrolls, and the program as it was unrolled, which all questions of the
//! round share whichever executions they are about.

use super::Plan;
use encoding::encode::{self, Unrolled};
use encoding::unroll::Unsupported;
use execution::event::ThreadId;
use ir::program::Program;
use models::Model;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A round.
pub(crate) struct Round {
    plan: Plan,
    /// By the threads that go on past their bounds: of the plan, all that questions do not share.
    unrolled: RefCell<BTreeMap<BTreeSet<ThreadId>, Arc<Unrolled>>>,
}

impl Round {
    /// A round of which nothing is unrolled yet.
    pub(super) fn new(plan: Plan) -> Self {
        Round { plan, unrolled: RefCell::default() }
    }

    /// How far it unrolls.
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The program under these options, but for their scope, which are the same in every question
    /// of the round but for the threads that go on.
    pub(super) fn unrolled(
        &self,
        program: &Program,
        model: &Model,
        options: &encode::EncodeOptions,
    ) -> Result<Arc<Unrolled>, Unsupported> {
        if let Some(known) = self.unrolled.borrow().get(&options.unroll.go_on) {
            return Ok(known.clone());
        }
        let unrolled = Arc::new(Unrolled::new(program, model, options)?);
        self.unrolled.borrow_mut().insert(options.unroll.go_on.clone(), unrolled.clone());
        Ok(unrolled)
    }
}
