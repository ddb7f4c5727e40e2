//! What depends on which branch.
//!
//! In machine code and in C11 everything after a branch depends on it. In the Linux kernel's C the
//! dependency ends where the arms of the branch join: at its nearest postdominator.

use super::sym::{join, on_paths};
use super::{Frame, Unroller};
use crate::bounded::Taint;
use crate::guard::Guard;
use execution::ids::IdVec;
use ir::program::{BlockId, Function};
use models::{Architecture, Model};
use std::collections::{BTreeMap, BTreeSet};

/// The kind of language that a program is written in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Language {
    /// Machine code: everything after a branch depends on it, and one instruction may make
    /// several accesses, which are not in program order.
    #[default]
    Machine,
    /// The same, where a compare-and-swap that succeeds leaves the register with the old value as
    /// it was, which is no flow of data (AArch64). Elsewhere it loads the register in any case.
    Arm,
    /// The same as machine code, where the accesses of an instruction are in program order and the
    /// result of a store-conditional depends on the store.
    RiscV,
    /// The same as machine code, where the accesses of an instruction are in program order: what a
    /// model sees that is not an architecture's own.
    LoadStore,
    /// C11: memory orders become sets of events. Everything after a branch depends on it, as in the
    /// language's models that know dependencies (IMM: `ctrl; po` is in `ctrl`).
    C11,
    /// Linux-kernel C: control dependencies end with the statement.
    Kernel,
}

impl Language {
    /// The language of programs that have been made ready for a model.
    pub fn of(model: &Model) -> Self {
        match model.architecture() {
            Architecture::C11 => Language::C11,
            Architecture::Linux => Language::Kernel,
            Architecture::RiscV => Language::RiscV,
            Architecture::Arm => Language::Arm,
            Architecture::None => Language::LoadStore,
            _ => Language::Machine,
        }
    }

    /// Whether this is a source language, whose models know data races, rather than machine code.
    pub(crate) fn is_source(self) -> bool {
        matches!(self, Language::C11 | Language::Kernel)
    }

    /// Whether control dependencies end where the arms of a branch join.
    pub(crate) fn ends_control_at_joins(self) -> bool {
        self == Language::Kernel
    }

    /// Whether the accesses of one instruction are in program order.
    pub(crate) fn orders_instructions(self) -> bool {
        !matches!(self, Language::Machine | Language::Arm)
    }
}

/// What governs a call that waits for another.
pub(super) struct Outer {
    branches: BTreeMap<BlockId, Taint>,
    around: Taint,
}

impl Unroller<'_> {
    /// A call begins in this frame: the branches of the caller govern all of it.
    pub(super) fn enter_arm(&mut self, frame: &Frame) -> Outer {
        let around = if self.options.language.ends_control_at_joins() {
            self.control(frame)
        } else {
            Taint::default()
        };
        let running = &mut self.running;
        Outer {
            branches: std::mem::take(&mut running.branches),
            around: std::mem::replace(&mut running.around, around),
        }
    }

    /// The call has returned: its branches govern nothing any more.
    pub(super) fn leave_arm(&mut self, outer: Outer) {
        self.running.branches = outer.branches;
        self.running.around = outer.around;
    }

    /// A value with this taint decides where control goes.
    pub(super) fn decided_by(&mut self, guard: Guard, taint: &Taint) {
        if !self.options.language.ends_control_at_joins() {
            let guards = &mut self.out.terms.guards;
            let here = on_paths(guards, taint, guard);
            self.running.control = join(guards, &self.running.control, &here);
        }
    }

    /// The block of the frame ends in a branch that is decided by a value with this taint.
    pub(super) fn branched(&mut self, frame: &Frame, guard: Guard, taint: &Taint) {
        if !self.options.language.ends_control_at_joins() {
            return;
        }
        let guards = &mut self.out.terms.guards;
        let others = guards.not(guard);
        let here = on_paths(guards, taint, guard);
        let branch = self.running.branches.entry(frame.block).or_default();
        let there = on_paths(guards, branch, others);
        *branch = join(guards, &here, &there);
    }

    /// The reads that decided the branches that govern where the frame is.
    pub(super) fn control(&mut self, frame: &Frame) -> Taint {
        if !self.options.dependencies {
            return Taint::default();
        }
        if !self.options.language.ends_control_at_joins() {
            return self.running.control.clone();
        }
        let flow = self.flow(frame.function);
        let mut control = self.running.around.clone();
        for (&block, taint) in &self.running.branches {
            if flow.governed[block].contains(&frame.block) {
                control = join(&mut self.out.terms.guards, &control, taint);
            }
        }
        control
    }
}

/// For every block, the blocks between the branch at its end and the place where the arms join.
pub(super) fn governed(function: &Function) -> IdVec<BlockId, BTreeSet<BlockId>> {
    let joins = ir::cfg::joins(function);
    let between = |(id, block): (BlockId, &ir::program::Block)| {
        let mut found = BTreeSet::new();
        let mut open = block.terminator.successors();
        if open.len() < 2 {
            return found;
        }
        let join = joins[id];
        while let Some(next) = open.pop() {
            if Some(next) != join && found.insert(next) {
                open.extend(function.blocks[next].terminator.successors());
            }
        }
        found
    };
    function.blocks.enumerate().map(between).collect()
}
