//! What may be wrong with an execution.

use crate::bounded::{Action, ActionId, Origin};
use crate::encode::Builder;
use crate::graph::Graph;
use execution::event::ThreadId;
use execution::ids::Id;
use ir::step::finding::FindingKind;
use sat::Lit;
use std::collections::HashMap;

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
    /// The atomic section that it is in.
    pub section: Option<u32>,
}

impl Builder {
    /// Something that is wrong with an access; whether its thread notices that, and stops.
    pub(crate) fn find_at(&mut self, id: ActionId, wrong: Lit, kind: FindingKind, stops: bool) {
        let action = &self.bounded.actions[id];
        let (thread, origin, section) = (action.thread, action.origin.clone(), action.section);
        self.find(Finding { kind, thread, origin, action: Some(id), wrong, stops, section });
    }

    pub(crate) fn find(&mut self, finding: Finding) {
        if !self.scope.is_every() {
            self.formula.clause(&[!finding.wrong]);
        } else if finding.wrong != Lit::FALSE {
            self.findings.push(finding);
        }
    }

    /// Nobody sees what an atomic section has written in which its thread goes wrong: it takes
    /// place at one moment, and that is the last one.
    pub(crate) fn hide_broken_sections(&mut self, graph: &Graph) {
        // What others see of each section.
        let mut seen: HashMap<(ThreadId, u32), Vec<Lit>> = HashMap::new();
        for (&(write, read), &lit) in &graph.rf {
            let Some(action) = self.sources[write.index()].access() else { continue };
            let Action { thread, section, .. } = self.bounded.actions[action];
            if let Some(section) = section.filter(|_| graph.nodes[read].thread != Some(thread)) {
                seen.entry((thread, section)).or_default().push(lit);
            }
        }
        for finding in self.findings.iter().filter(|finding| finding.stops) {
            let section = finding.section.and_then(|section| seen.get(&(finding.thread, section)));
            for &lit in section.into_iter().flatten() {
                self.formula.clause(&[!finding.wrong, !lit]);
            }
        }
    }
}
