//! Writes after a loop that let the loop iterate again.
//!
//! That no execution reaches a bound is shown of threads that stop there. This is enough if each
//! execution that reaches bounds has a part that is an execution itself and in which a thread
//! reaches the first of them. Where a model lets a write come before the reads that control depends
//! on, there may be none: a thread iterates once more because of what it reads, and it reads that
//! because it writes something after the loop. So on such models threads go on.
//!
//! Soundness S-078 (check, verify; relaxed, c11, c11-simp, own; misses, refuses): That no bound is
//! reached although a store after the loop may justify another iteration is shown with threads that
//! go on past their bounds (otherwise `holds*`); this leaves out iterations justified by stores of
//! iterations past the bound, through pointers or 64-bit numbers that only those compute, or past
//! the bound of a recursion; and a model of the user's that allows it only for accesses whose kinds
//! differ between the threads is taken for one that does not. Test:
//! crates/engines/src/bounded/unrolling/tests.rs::a_store_after_a_loop_can_justify_another_iteration,
//! crates/engines/src/bounded/unrolling/tests.rs::a_store_after_a_loop_that_may_justify_iterations_past_the_bound_is_left_open.

use super::findings::side_by_side;
use super::thin_air::allows_circles_of_any_kind;
use crate::bounded::{Action, ActionKind, BoundHit, InstanceKey, Moment};
use crate::encode::Encoding;
use crate::term::TermId;
use crate::unroll::Language;
use execution::event::ThreadId;
use execution::ids::Id;
use ir::value::Value;
use models::Model;
use sat::Lit;
use std::collections::BTreeSet;

/// Whether a model lets threads read what is written only because they read it, where nothing but
/// control depends on that.
pub fn writes_justify_reads(model: &Model, language: Language) -> bool {
    let between: &[&str] = match language.ends_control_at_joins() {
        // Control dependencies end with the loop.
        true => &["po"],
        false => &["po", "ctrl", "pick-ctrl"],
    };
    allows_circles_of_any_kind(model, between)
}

/// Whether a model lets threads read what is written only because they read it, where nothing but
/// program order relates the one to the other: there, a thread that stops for want of a value would
/// leave out stores that decide what it reads.
pub fn stores_justify_earlier_reads(model: &Model) -> bool {
    allows_circles_of_any_kind(model, &["po"])
}

impl Encoding<'_> {
    /// The threads that may write something after they have reached a bound that can be raised,
    /// and other threads run.
    pub fn writes_past_bounds(&self) -> BTreeSet<ThreadId> {
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

    /// The loops of these threads, each with the literal that says that it goes on beyond its
    /// bound, from the first accesses of the threads to their last.
    pub fn past_bound_in(&self, threads: &BTreeSet<ThreadId>) -> Vec<(InstanceKey, Lit)> {
        let own = |&thread: &ThreadId| -> Vec<(InstanceKey, Lit)> {
            let bounds = self.bounded.bounds.iter().zip(&self.bounds);
            let there = bounds.filter(|(hit, _)| hit.moment.thread == thread);
            there.map(|(hit, &lit)| (hit.key.clone(), lit)).collect()
        };
        side_by_side(threads.iter().map(own).collect())
    }

    /// Tells the solver that no execution goes beyond a bound, as has been shown.
    pub fn no_bound_is_passed(&mut self) {
        for &bound in &self.bounds {
            self.formula.clause(&[!bound]);
        }
    }

    /// A literal that is true iff another thread than this one stops at a bound inside an atomic
    /// section. It could as well stop before the section, which takes place as a whole or not at
    /// all.
    pub fn others_stop_in_sections(&mut self, own: Option<ThreadId>) -> Lit {
        let bounds = self.bounded.bounds.iter().zip(&self.bounds);
        let others =
            bounds.filter(|(hit, _)| hit.section.is_some() && Some(hit.moment.thread) != own);
        let lits: Vec<Lit> = others.map(|(_, &lit)| lit).collect();
        self.formula.or(&lits)
    }

    /// After a solution: the bounds that it goes beyond.
    pub fn exceeded(&self) -> Vec<&BoundHit> {
        let hit = |&(_, &lit): &(&BoundHit, &Lit)| self.formula.value(lit);
        self.bounded.bounds.iter().zip(&self.bounds).filter(hit).map(|(bound, _)| bound).collect()
    }

    /// After a solution: the size of the block that an allocation asks for in it.
    pub fn size_asked(&self, hit: &BoundHit) -> Option<u64> {
        hit.size.map(|term| self.value_of(term))
    }

    /// After a solution: the values of these terms.
    pub fn values_of(&self, terms: &[TermId]) -> Vec<Value> {
        terms.iter().map(|&term| self.values.decode(&self.formula, term)).collect()
    }

    /// A literal that is true iff these terms have these values.
    pub fn have_values(&mut self, terms: &[TermId], values: &[Value]) -> Lit {
        let each = terms.iter().zip(values);
        let all: Vec<Lit> =
            each.map(|(&term, value)| self.values.is(&mut self.formula, term, value)).collect();
        self.formula.and(&all)
    }

    /// A literal that is true iff an allocation asks for this size.
    pub fn asks_for(&mut self, term: TermId, size: u64) -> Lit {
        let value = Value::int(self.bounded.terms.width(term), size.into());
        self.values.is(&mut self.formula, term, &value)
    }

    /// That no number has grown where these are any numbers.
    pub fn counts_nothing(&mut self) -> Vec<Lit> {
        let all: Vec<TermId> = self.bounded.any_counts.iter().copied().collect();
        all.into_iter().map(|term| self.asks_for(term, 0)).collect()
    }

    /// The same loop in the threads that are symmetric to the one that goes beyond a bound.
    pub fn in_symmetric_threads(&self, hit: &BoundHit) -> Vec<BoundHit> {
        let others = self.symmetric.get(&hit.moment.thread).into_iter().flatten();
        let with = |&other: &ThreadId| {
            let key = std::iter::once(other.index() as u32).chain(hit.key.iter().skip(1).copied());
            let moment = Moment { thread: other, ..hit.moment };
            let (origin, unseen) = (hit.origin.clone(), hit.unseen.clone());
            BoundHit { moment, key: key.collect(), origin, unseen, ..*hit }
        };
        others.map(with).collect()
    }
}
