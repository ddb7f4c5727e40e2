//! Statements.

use super::function::{Enclosing, Lower};
use super::place::Place;
use crate::sema::tree::{Case, Expr, LabelId, Stmt, StmtKind};
use execution::span::Span;
use ir::op::{Op, Operand, SwitchCase, Terminator};
use ir::program::BlockId;
use std::collections::HashMap;

impl Lower<'_, '_> {
    /// Lowers statements in order.
    pub fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        let span = statement.span;
        self.at(span);
        match &statement.kind {
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::Local(id, init) => self.declare_local(*id, init.as_ref()),
            StmtKind::Block(inner) => self.statements(inner),
            StmtKind::If { cond, then, otherwise } => {
                self.if_else(cond, then, otherwise.as_deref())
            }
            StmtKind::While { cond, body } => self.for_loop(Some(cond), None, body),
            StmtKind::DoWhile { body, cond } => self.do_while(body, cond),
            StmtKind::For { init, cond, step, body } => {
                if let Some(init) = init {
                    self.effect(init);
                }
                self.for_loop(cond.as_ref(), step.as_ref(), body);
            }
            StmtKind::Switch { value, cases, default, body } => {
                self.switch(value, cases, *default, body, span)
            }
            StmtKind::Label(id, body) => {
                let block = self.target(*id);
                match self.is_dispatched(*id) {
                    true if !self.out.is_terminated() => self.dispatch_to(*id),
                    true => {}
                    false => self.jump(block),
                }
                self.out.switch_to(block);
                self.targets[*id].sections = Some(self.sections.clone());
                self.statement(body);
            }
            StmtKind::Goto(id) => {
                let block = self.target(*id);
                let depth = self.sections_kept(*id);
                self.targets[*id].jumps.push((self.sections[..depth].to_vec(), span));
                self.leave_sections(depth);
                match self.is_dispatched(*id) {
                    true => self.dispatch_to(*id),
                    false => self.terminate(Terminator::Jump(block)),
                }
            }
            StmtKind::ComputedGoto(to) => self.computed_goto(to, span),
            StmtKind::Continue => self.leave(true),
            StmtKind::Break => self.leave(false),
            StmtKind::Return(value) => self.return_value(value.as_ref(), span),
            StmtKind::Atomic(body) => self.section(body),
            StmtKind::Cleanup { body, call } => self.cleanup(body, call),
        }
    }

    pub(super) fn target(&mut self, id: LabelId) -> BlockId {
        if let Some(block) = self.targets[id].block {
            return block;
        }
        let block = self.out.new_block();
        self.targets[id].block = Some(block);
        block
    }

    fn if_else(&mut self, cond: &Expr, then: &Stmt, otherwise: Option<&Stmt>) {
        let (yes, end) = (self.out.new_block(), self.out.new_block());
        let no = if otherwise.is_some() { self.out.new_block() } else { end };
        self.branch(cond, yes, no);
        self.out.switch_to(yes);
        self.statement(then);
        self.jump(end);
        if let Some(otherwise) = otherwise {
            self.out.switch_to(no);
            self.statement(otherwise);
            self.jump(end);
        }
        self.out.switch_to(end);
    }

    fn enclosed(&mut self, after: BlockId, again: Option<BlockId>, body: &Stmt) {
        self.enclosing.push(Enclosing { after, again, sections: self.sections.len() });
        self.statement(body);
        self.enclosing.pop();
    }

    fn for_loop(&mut self, cond: Option<&Expr>, step: Option<&Expr>, body: &Stmt) {
        let (head, inner, end) = (self.out.new_block(), self.out.new_block(), self.out.new_block());
        let next = if step.is_some() { self.out.new_block() } else { head };
        self.jump(head);
        self.out.switch_to(head);
        match cond {
            Some(cond) => self.branch(cond, inner, end),
            None => self.jump(inner),
        }
        self.out.switch_to(inner);
        self.enclosed(end, Some(next), body);
        self.jump(next);
        if let Some(step) = step {
            self.out.switch_to(next);
            self.at(step.span);
            self.effect(step);
            self.jump(head);
        }
        self.out.switch_to(end);
    }

    fn do_while(&mut self, body: &Stmt, cond: &Expr) {
        let (head, test, end) = (self.out.new_block(), self.out.new_block(), self.out.new_block());
        self.jump(head);
        self.out.switch_to(head);
        self.enclosed(end, Some(test), body);
        self.jump(test);
        self.out.switch_to(test);
        self.branch(cond, head, end);
        self.out.switch_to(end);
    }

    fn switch(
        &mut self,
        value: &Expr,
        cases: &[Case],
        default: Option<LabelId>,
        body: &Stmt,
        span: Span,
    ) {
        let value = self.value(value);
        let end = self.out.new_block();
        let default = match default {
            Some(label) => self.target(label),
            None => end,
        };
        let cases = cases
            .iter()
            .map(|case| SwitchCase {
                low: case.low,
                high: case.high,
                target: self.target(case.label),
            })
            .collect();
        self.at(span);
        self.terminate(Terminator::Switch { value, cases, default });
        // What stands before the first case is reached by nothing but labels.
        let before = self.out.new_block();
        self.out.switch_to(before);
        self.enclosed(end, None, body);
        self.jump(end);
        self.out.switch_to(end);
    }

    /// `break` or `continue`.
    fn leave(&mut self, again: bool) {
        let found =
            self.enclosing.iter().rev().find(|enclosing| !again || enclosing.again.is_some());
        let Some(found) = found else { return };
        let block = if again { found.again } else { Some(found.after) };
        let sections = found.sections;
        self.leave_sections(sections);
        if let Some(block) = block {
            self.terminate(Terminator::Jump(block));
        }
    }

    /// How many of the open sections stay open when jumping to a label.
    fn sections_kept(&self, id: LabelId) -> usize {
        match self.label_sections.get(&id) {
            Some(around) => around.iter().zip(&self.sections).take_while(|(a, b)| a == b).count(),
            // A label inside an expression can only be jumped to from there.
            None => self.sections.len(),
        }
    }

    /// Ends the atomic sections inside the first `depth`, on the way out, and cleans up.
    fn leave_sections(&mut self, depth: usize) {
        let around = self.sections.split_off(depth);
        for id in around.iter().rev() {
            match self.cleanups.get(id).cloned() {
                Some(call) => self.effect(&call),
                None => self.emit(Op::AtomicEnd),
            }
        }
        self.sections.extend(around);
    }

    /// Statements, and a call wherever they are left.
    fn cleanup(&mut self, body: &Stmt, call: &Expr) {
        let id = section_id(body);
        self.cleanups.insert(id, call.clone());
        self.sections.push(id);
        self.statement(body);
        self.sections.pop();
        if !self.out.is_terminated() {
            self.at(call.span);
            self.effect(call);
        }
    }

    fn section(&mut self, body: &Stmt) {
        self.emit(Op::AtomicBegin);
        self.sections.push(section_id(body));
        self.statement(body);
        self.sections.pop();
        if !self.out.is_terminated() {
            self.emit(Op::AtomicEnd);
        }
    }

    fn return_value(&mut self, value: Option<&Expr>, span: Span) {
        let mut result = None;
        match (value, self.result_at) {
            (Some(value), Some(to)) => {
                let source = self.record_place(value);
                self.at(span);
                let ty = self.result.clone().into();
                self.copy_record(&Place::memory(Operand::Reg(to), ty, None), &source);
            }
            (Some(value), None) => {
                let operand = self.value(value);
                self.at(span);
                result = Some(operand);
            }
            (None, _) if self.result.is_scalar() => {
                result = Some(Operand::Undef(self.width(&self.result)));
            }
            (None, _) => {}
        }
        if !self.sections.is_empty() || !self.body.blocks.is_empty() {
            result = result.map(|value| self.frozen(value));
            self.leave_sections(0);
            self.free_blocks();
        }
        if self.name == "main" {
            result = result.map(|value| self.frozen(value));
            self.run_after_main();
        }
        self.terminate(Terminator::Return(result));
    }
}

/// What identifies an atomic section: where its body is in memory.
fn section_id(body: &Stmt) -> usize {
    std::ptr::from_ref(body) as usize
}

/// The atomic sections around every label, outermost first.
pub fn label_sections(statements: &[Stmt]) -> HashMap<LabelId, Vec<usize>> {
    let mut found = HashMap::new();
    for statement in statements {
        collect_sections(statement, &mut Vec::new(), &mut found);
    }
    found
}

fn collect_sections(
    statement: &Stmt,
    around: &mut Vec<usize>,
    found: &mut HashMap<LabelId, Vec<usize>>,
) {
    match &statement.kind {
        StmtKind::Block(inner) => {
            inner.iter().for_each(|inner| collect_sections(inner, around, found))
        }
        StmtKind::If { then, otherwise, .. } => {
            collect_sections(then, around, found);
            if let Some(otherwise) = otherwise {
                collect_sections(otherwise, around, found);
            }
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. }
        | StmtKind::Switch { body, .. } => collect_sections(body, around, found),
        StmtKind::Label(id, body) => {
            found.insert(*id, around.clone());
            collect_sections(body, around, found);
        }
        StmtKind::Atomic(body) | StmtKind::Cleanup { body, .. } => {
            around.push(section_id(body));
            collect_sections(body, around, found);
            around.pop();
        }
        StmtKind::Expr(_)
        | StmtKind::Local(..)
        | StmtKind::Goto(_)
        | StmtKind::ComputedGoto(_)
        | StmtKind::Continue
        | StmtKind::Break
        | StmtKind::Return(_) => {}
    }
}
