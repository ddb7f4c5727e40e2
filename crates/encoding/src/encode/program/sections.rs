//! Which atomic sections need a model that knows them.
//!
//! Soundness S-099 (check, verify; power, armv7, languages; refuses): Atomic sections of several
//! accesses are refused on models that do not define them; a section of one access or
//! read-modify-write is that access. Test:
//! crates/fencepost/tests/check.rs::a_model_without_atomic_sections_has_no_answer,
//! crates/oracle/tests/programs/memory.rs::models_that_do_not_know_sections_refuse_them.

use crate::bounded::{Action, ActionId, ActionKind, Bounded};
use std::collections::BTreeMap;

/// An access in an atomic section that is more than one access or one read-modify-write; those are
/// atomic in every model.
pub(crate) fn larger_than_an_update(bounded: &mut Bounded) -> Option<Action> {
    let mut sections: BTreeMap<_, Vec<ActionId>> = BTreeMap::new();
    for (id, action) in bounded.actions.enumerate() {
        let accesses = !matches!(
            action.kind,
            ActionKind::Fence(_)
                | ActionKind::Spawn(_)
                | ActionKind::Join(_)
                | ActionKind::Allocate { writes: false, .. }
        );
        if let Some(section) = action.section.filter(|_| accesses) {
            sections.entry((action.thread, section)).or_default().push(id);
        }
    }
    for accesses in sections.into_values() {
        for (index, &a) in accesses.iter().enumerate() {
            for &b in &accesses[index + 1..] {
                let (guard, other) = (bounded.actions[a].guard, bounded.actions[b].guard);
                let paired = match bounded.actions[b].kind {
                    ActionKind::Write { rmw: Some(pairing), .. } => pairing.read == a,
                    _ => false,
                };
                if !paired && !bounded.terms.guards.exclude(guard, other) {
                    return Some(bounded.actions[b].clone());
                }
            }
        }
    }
    None
}
