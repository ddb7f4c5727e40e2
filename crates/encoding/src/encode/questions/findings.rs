//! What may be wrong with an execution.
//!
//! Soundness S-105 (check, verify; all; misses): A finding stops its thread, but for the solver a
//! plain load from a freed block or an object that has ended, a store to one and a second `free` do
//! not; what such a thread does next is not reported under `assert`, `overflow` and `race`, and
//! covers nothing. Test:
//! crates/xtask/tests/agree.rs::a_use_after_free_is_confirmed_besides_a_failed_assertion.
//!
//! Soundness S-106 (check, verify; weak; misses): An access that fails only because another thread
//! has already seen a later store of the same thread (load buffering) is missed. Test:
//! corpus/verify/approximations/index_from_an_own_later_store.c.

use crate::bounded::{Action, ActionId, Origin};
use crate::encode::Encoding;
use crate::encode::clauses::Clauses;
use crate::encode::structure::events::Events;
use execution::event::ThreadId;
use execution::finding::FindingKind;
use sat::Lit;
use std::collections::{BTreeSet, HashMap};

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

/// No thread sees what an atomic section has written in which its thread goes wrong: it takes
/// place at one moment, and that is the last one.
pub(crate) fn hide_broken_sections(clauses: &mut Clauses, events: &Events) {
    // What others see of each section.
    let mut seen: HashMap<(ThreadId, u32), Vec<Lit>> = HashMap::new();
    for (&(write, read), &lit) in &events.graph.rf {
        let Some(action) = events.sources.of(write).access() else { continue };
        let Action { thread, section, .. } = clauses.bounded.actions[action];
        if let Some(section) = section.filter(|_| events.graph.nodes[read].thread != Some(thread)) {
            seen.entry((thread, section)).or_default().push(lit);
        }
    }
    for finding in clauses.findings.iter().filter(|finding| finding.stops) {
        let section = finding.section.and_then(|section| seen.get(&(finding.thread, section)));
        for &lit in section.into_iter().flatten() {
            clauses.formula.clause(&[!finding.wrong, !lit]);
        }
    }
}

impl Encoding<'_> {
    /// What may be wrong.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// A literal that is true iff something is wrong with an access and its thread goes on all the
    /// same, because it takes the others to see that. That it does is nothing to report: where it
    /// stops instead, before the access, everything else happens as well.
    pub fn unnoticed(&mut self) -> Lit {
        let unnoticed = self.findings.iter().filter(|finding| !finding.stops);
        let lits: Vec<Lit> = unnoticed.map(|finding| finding.wrong).collect();
        self.formula.or(&lits)
    }

    /// What may be wrong in these threads, from their first accesses to their last.
    pub fn wrong_in(&self, threads: &BTreeSet<ThreadId>) -> Vec<Lit> {
        let own = |&thread: &ThreadId| -> Vec<Lit> {
            let there = self.findings.iter().filter(|finding| finding.thread == thread);
            there.map(|finding| finding.wrong).collect()
        };
        side_by_side(threads.iter().map(own).collect())
    }

    /// Tells the solver that nothing is wrong in any execution, as has been shown.
    pub fn nothing_is_wrong(&mut self) {
        for finding in &self.findings {
            self.formula.clause(&[!finding.wrong]);
        }
    }

    /// After a solution: what is wrong in it.
    pub fn found(&self) -> Vec<&Finding> {
        self.findings.iter().filter(|finding| self.formula.value(finding.wrong)).collect()
    }
}

/// Several lists as one, in which each comes as far as the others at any time.
pub(super) fn side_by_side<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut all = Vec::new();
    for list in lists {
        let length = list.len();
        // Compared as fractions of their lists; one after the other where these are equal.
        all.extend(list.into_iter().enumerate().map(|(index, item)| ((index + 1, length), item)));
    }
    all.sort_by(|((a, of_a), _), ((b, of_b), _)| (a * of_b).cmp(&(b * of_a)));
    all.into_iter().map(|(_, item)| item).collect()
}
