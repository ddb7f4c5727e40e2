//! Computed `goto` (GNU C): jumps to labels whose addresses are values.
//!
//! All of a function's computed jumps go through one block, which looks for the label. Every other
//! way to such a label goes through it as well, so that labels that jump to each other are a loop
//! with one head.

use super::function::Lower;
use crate::sema::tree::{Expr, LabelId, label_address};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use ir::op::{Claim, Op, Operand, SwitchCase, Terminator};
use ir::program::{BlockId, Reg, Width};

impl Lower<'_, '_> {
    /// Whether a label is reached by way of the dispatching block.
    pub(super) fn is_dispatched(&self, id: LabelId) -> bool {
        self.body.dispatches && self.body.labels[id].taken
    }

    fn dispatch(&mut self) -> (BlockId, Reg) {
        if let Some(known) = self.dispatch {
            return known;
        }
        let new = (self.out.new_block(), self.temp(Width::PTR));
        self.dispatch = Some(new);
        new
    }

    /// Jumps to a label that computed jumps may go to.
    pub(super) fn dispatch_to(&mut self, id: LabelId) {
        self.dispatch_address(Operand::int(Width::PTR, label_address(id)));
    }

    fn dispatch_address(&mut self, address: Operand) {
        let (block, dst) = self.dispatch();
        self.emit(Op::Copy { dst, src: address });
        self.terminate(Terminator::Jump(block));
    }

    /// `goto *to`
    pub(super) fn computed_goto(&mut self, to: &Expr, span: Span) {
        let address = self.value(to);
        self.at(span);
        if !self.sections.is_empty() {
            let text = "a computed `goto` in an atomic section is not supported";
            self.refuse(&Diagnostic::error(span, text));
        }
        for id in self.body.labels.ids() {
            if self.body.labels[id].taken {
                self.targets[id].jumps.push((Vec::new(), span));
            }
        }
        self.dispatch_address(address);
    }

    /// Makes the block that looks for labels.
    pub(super) fn finish_dispatch(&mut self) {
        let Some((block, address)) = self.dispatch else { return };
        let taken = |id: &LabelId| self.body.labels[*id].taken;
        let labels: Vec<LabelId> = self.body.labels.ids().filter(taken).collect();
        let mut cases = Vec::new();
        for id in labels {
            let (low, high) = (label_address(id), label_address(id));
            cases.push(SwitchCase { low, high, target: self.target(id) });
        }
        let nowhere = self.out.new_block();
        self.out.switch_to(block);
        let value = Operand::Reg(address);
        self.terminate(Terminator::Switch { value, cases, default: nowhere });
        self.out.switch_to(nowhere);
        let text = "a computed `goto` leads to a label of its function";
        let (cond, message) = (Operand::int(Width::BOOL, 0), text.to_string());
        self.emit(Op::Assert { cond, claim: Claim::Rule, message });
        self.terminate(Terminator::Trap(text.into()));
    }
}
