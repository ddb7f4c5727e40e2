//! What may be wrong with an execution.

use super::Builder;
use crate::bounded::{ActionId, Origin};
use execution::event::ThreadId;
use ir::step::finding::FindingKind;
use sat::Lit;

/// Something that may be wrong.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What.
    pub kind: FindingKind,
    /// In which thread.
    pub thread: ThreadId,
    /// Where.
    pub origin: Origin,
    /// The access, if it is one.
    pub action: Option<ActionId>,
    /// True only in solutions in which it happens.
    pub wrong: Lit,
}

impl Builder {
    pub(super) fn find(
        &mut self,
        thread: ThreadId,
        wrong: Lit,
        kind: FindingKind,
        action: Option<ActionId>,
        origin: &Origin,
    ) {
        if !self.scope.is_every() {
            self.formula.clause(&[!wrong]);
        } else if wrong != Lit::FALSE {
            self.findings.push(Finding { kind, thread, origin: origin.clone(), action, wrong });
        }
    }
}
