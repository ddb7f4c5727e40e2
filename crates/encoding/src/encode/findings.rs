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
    /// Whether the thread notices it, and stops.
    pub stops: bool,
}

impl Builder {
    /// Something that is wrong with an access; whether its thread notices that, and stops.
    pub(super) fn find_at(&mut self, id: ActionId, wrong: Lit, kind: FindingKind, stops: bool) {
        let action = &self.bounded.actions[id];
        let (thread, origin) = (action.thread, action.origin.clone());
        self.find(Finding { kind, thread, origin, action: Some(id), wrong, stops });
    }

    pub(super) fn find(&mut self, finding: Finding) {
        if !self.scope.is_every() {
            self.formula.clause(&[!finding.wrong]);
        } else if finding.wrong != Lit::FALSE {
            self.findings.push(finding);
        }
    }
}
