//! Writes behind a loop that let the loop go round.
//!
//! That no execution reaches a bound is shown of threads that stop there. This is enough if each
//! execution that reaches bounds has a part that is an execution itself and in which a thread
//! reaches the first of them. Where a model lets a write come before the reads that control depends
//! on, there may be none: a thread goes round once more because of what it reads, and it reads that
//! because it writes something behind the loop. So on such models threads go on.

use super::thin_air::allows_circles;
use crate::bounded::{Action, ActionKind, Moment};
use crate::encode::Encoding;
use crate::unroll::Language;
use execution::event::ThreadId;
use models::Model;
use std::collections::BTreeSet;

/// Whether a model lets threads read what is written only because they read it, where nothing but
/// control depends on that.
pub fn writes_justify_reads(model: &Model, language: Language) -> bool {
    let between: &[&str] = match language.ends_control_at_joins() {
        // Control dependencies end with the loop.
        true => &["po"],
        false => &["po", "ctrl", "pick-ctrl"],
    };
    let kinds: [&[&str]; 3] = [&["RLX", "A", "Once"], &["NA"], &[]];
    kinds.iter().any(|kinds| allows_circles(model, kinds, between))
}

impl Encoding<'_> {
    /// The threads that may write something after they have reached a bound that can be raised,
    /// and other threads run.
    pub fn writes_beyond(&self) -> BTreeSet<ThreadId> {
        let bounded = &self.bounded;
        let alone = |at: &Moment| {
            let mut actions =
                bounded.threads[at.thread].actions.iter().map(|&id| &bounded.actions[id]);
            let spawns = |action: &Action| matches!(action.kind, ActionKind::Spawn(_));
            let starts = actions.find(|action| spawns(action));
            bounded.threads[at.thread].parent.is_none()
                && starts.is_some_and(|action| at.sequence <= action.sequence)
        };
        let writes = |thread: ThreadId, since: u32| {
            let mut actions =
                bounded.threads[thread].actions.iter().map(|&id| &bounded.actions[id]);
            actions.any(|action| {
                let writes =
                    matches!(action.kind, ActionKind::Write { .. } | ActionKind::Free { .. });
                writes && action.sequence >= since
            })
        };
        let hits = bounded.bounds.iter().filter(|hit| hit.last.is_none());
        let moments = hits.map(|hit| &hit.moment);
        let counts = |at: &&Moment| !alone(at) && writes(at.thread, at.sequence);
        moments.filter(counts).map(|at| at.thread).collect()
    }
}
