//! Loops that wait, but for numbers that they change: a counter of attempts that is read later, a
//! pause that grows.
//!
//! Such a loop has no last iteration that differs from those before, so no bound is enough. Where it
//! is asked for ([`any_counts`](super::UnrollOptions::any_counts)), these numbers are *any* numbers
//! whenever an iteration begins, and an iteration that changes nothing else is dropped like one that
//! waits: what it leads to is one of the cases that the beginning of the next one stands for. That
//! is the abstraction of a variable by all its values (P. Cousot, R. Cousot, "Abstract
//! interpretation", POPL 1977), of the variables that the iterations themselves name.
//!
//! What is unrolled so does more than the program: it shows only what does not happen. Which numbers
//! these are is found out by trying, as in [`dead`](super::dead): those that an otherwise idle
//! iteration has changed, as long as everything there is computed from constants; so they are
//! defined, and no addresses.
//!
//! To take an iteration for one that waits that does something else would drop executions.
//!
//! Soundness S-332 (check, verify; all; misses): In a loop that waits but for numbers that it
//! changes, computed from constants alone, these are any numbers whenever an iteration begins, as
//! far as that shows that nothing is wrong; an error in which numbers these are would lose
//! executions. Test:
//! crates/fencepost/tests/effort.rs::what_is_counted_while_waiting_is_any_number,
//! crates/fencepost/tests/effort.rs::a_count_that_goes_wrong_is_found.

use super::flow::Snapshot;
use super::store::changed_within;
use super::unchanged::Knowledge;
use super::{Frame, Sym, Unroller};
use crate::bounded::{Alternatives, InstanceKey, in_all_iterations};
use crate::guard::Guard;
use crate::term::{Term, TermId};
use execution::ids::Id;
use ir::op::{BinaryOp, CastOp, UnaryOp};
use ir::program::{Reg, Width};
use std::collections::{BTreeMap, BTreeSet};

/// How many terms of one computation are looked at.
const MOST_TERMS: u32 = 64;

/// How often a program is unrolled to find further numbers.
const MOST_TRIALS: u32 = 8;

/// Something that holds a number that an iteration changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Count {
    /// A register of the loop's function.
    Reg(Reg),
    /// A cell of memory that is the thread's own.
    Cell((u64, Width)),
}

/// The numbers that loops change.
#[derive(Clone, Default, Debug)]
pub(super) struct Counts {
    known: BTreeMap<InstanceKey, BTreeSet<Count>>,
    trials: u32,
}

impl Counts {
    /// Learns of those that a run has found; `None` if there are no others.
    pub(super) fn next(mut self, found: BTreeSet<(InstanceKey, Count)>) -> Option<Self> {
        let before = self.known.values().map(BTreeSet::len).sum::<usize>();
        for (key, count) in found {
            self.known.entry(key).or_default().insert(count);
        }
        self.trials += 1;
        let more = self.known.values().map(BTreeSet::len).sum::<usize>() > before;
        (more && self.trials <= MOST_TRIALS).then_some(self)
    }
}

impl Unroller<'_> {
    /// Whether the numbers that this loop changes while it waits are any numbers.
    pub(super) fn counts_anything(&self, key: &InstanceKey) -> bool {
        self.concurrent && self.options.any_counts.contains(&in_all_iterations(key))
    }

    /// Whether a loop around this one counts anything while it waits.
    pub(super) fn is_in_a_pause(&self, key: &InstanceKey) -> bool {
        let general = in_all_iterations(key);
        let around = general[1..].chunks_exact(3).enumerate().filter(|(_, part)| part[0] == 1);
        // A thread, then threes; the key of a loop ends with its head.
        let mut keys = around.map(|(at, _)| &general[..3 * at + 3]);
        keys.any(|key| self.options.any_counts.contains(key))
    }

    /// An iteration begins: what the loop counts may have become any number. Gives what has.
    pub(super) fn forget_counts(
        &mut self,
        frame: &mut Frame,
        key: &InstanceKey,
        guard: Guard,
    ) -> BTreeSet<Count> {
        let mut forgotten = BTreeSet::new();
        for count in self.assumed.counts.known.get(key).cloned().unwrap_or_default() {
            let Some(old) = self.held(frame, count, guard) else { continue };
            if !self.is_number(old.term) {
                continue;
            }
            forgotten.insert(count);
            let width = self.out.terms.width(old.term);
            let more = self.choice(guard, width, Alternatives::Any).term;
            self.out.any_counts.insert(more);
            let term = self.out.terms.binary(BinaryOp::Add, old.term, more);
            let value = Sym { term, ..old };
            match count {
                Count::Reg(reg) => self.set(frame, guard, reg, value),
                Count::Cell(cell) => {
                    let undefined = |_, width| ir::value::Value::undef(width);
                    self.store.write(&mut self.out.terms, guard, cell, value, &undefined);
                }
            }
        }
        forgotten
    }

    /// What a register or a cell holds, if something was written there.
    fn held(&mut self, frame: &Frame, count: Count, guard: Guard) -> Option<Sym> {
        match count {
            Count::Reg(reg) => {
                Some(frame.regs[reg.index()].clone().read(&mut self.out.terms, guard))
            }
            Count::Cell(cell) => self.store.held(&mut self.out.terms, guard, cell),
        }
    }

    /// The paths of an iteration that goes back having changed nothing but numbers; where these are
    /// any numbers, only those that were when it began.
    pub(super) fn idle_but_for_counts(
        &mut self,
        frame: &Frame,
        key: &InstanceKey,
        (before, back): (&Snapshot, Guard),
        (idle, forgotten): (Guard, &BTreeSet<Count>),
    ) -> Guard {
        let any = self.counts_anything(key);
        let comparisons = &self.running.comparisons[before.comparisons..];
        let (terms, knowledge) = Knowledge::of(&mut self.out, comparisons, self.options);
        let mut changed: Vec<(Count, Guard)> = Vec::new();
        for (reg, old) in &before.regs {
            let paths = (knowledge, back);
            let here = changed_within(&frame.regs[reg.index()], old, terms, paths);
            changed.push((Count::Reg(*reg), here));
        }
        let cells = self.changed_cells((before.store, before.comparisons), back);
        changed.extend(cells.into_iter().map(|(cell, here)| (Count::Cell(cell), here)));
        let (mut idle, mut found) = (idle, Vec::new());
        for (count, here) in changed {
            if self.out.terms.guards.exclude(here, idle) {
                continue;
            }
            let new = self.held(frame, count, back);
            let is_number = new.is_some_and(|new| self.is_number(new.term));
            if is_number {
                found.push(count);
            }
            if !is_number || any && !forgotten.contains(&count) {
                let unchanged = self.out.terms.guards.not(here);
                idle = self.out.terms.guards.and(idle, unchanged);
            }
        }
        if any {
            self.found.counts.extend(found.into_iter().map(|count| (key.clone(), count)));
        }
        idle
    }

    /// Whether a value is computed from constants, and from such numbers, alone: it is defined and
    /// no address.
    fn is_number(&self, term: TermId) -> bool {
        let mut open = vec![term];
        for _ in 0..MOST_TERMS {
            let Some(term) = open.pop() else { return true };
            match *self.out.terms.term(term) {
                Term::Const(value) => {
                    if !value.is_defined() || value.provenance.is_some() || value.high.is_some() {
                        return false;
                    }
                }
                Term::Input(_) if self.out.any_counts.contains(&term) => {}
                Term::Unary(op, a) if !matches!(op, UnaryOp::Float(_)) => open.push(a),
                Term::Cast(op, _, a) if !matches!(op, CastOp::Float(_)) => open.push(a),
                Term::Binary(op, a, b) if is_total(op) => open.extend([a, b]),
                Term::Select(cond, a, b) => open.extend([cond, a, b]),
                Term::Ite(_, a, b) => open.extend([a, b]),
                Term::Below(a, _) => open.push(a),
                _ => return false,
            }
        }
        false
    }
}

/// Whether an operation has a result for all numbers.
fn is_total(op: BinaryOp) -> bool {
    use BinaryOp::{SDiv, SRem, UDiv, URem};
    !matches!(op, SDiv | SRem | UDiv | URem | BinaryOp::Float(_))
}
