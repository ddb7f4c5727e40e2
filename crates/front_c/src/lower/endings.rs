//! What runs before `main` and after it: constructors, destructors, and what `atexit` was given.
//!
//! Soundness S-027 (run, check, verify; all; misses): What `atexit` and destructors register runs
//! when `main` returns or `exit` is called, not when the last thread ends after `main` has called
//! `pthread_exit`. Test: corpus/c/stdlib/endings.c, corpus/verify/styles/at_exit.c.

use super::function::Lower;
use super::unit::Lowering;
use crate::sema::tree::{FunctionId, Role, Unit};
use ir::build::FunctionBuilder;
use ir::op::{Callee, Op, Terminator};
use ir::program::BEFORE_MAIN;

/// The constructors, those with a low priority first.
fn constructors(unit: &Unit) -> impl Iterator<Item = FunctionId> + use<> {
    let mut list = unit.before.clone();
    list.sort_by_key(|(priority, _)| *priority);
    list.into_iter().map(|(_, id)| id)
}

impl Lowering<'_> {
    /// Makes a function that runs constructors, for those who do not begin with `main`.
    pub(super) fn define_before_main(&mut self) {
        let unit = self.unit;
        if unit.before.is_empty() {
            return;
        }
        let known = self.builder.declare(BEFORE_MAIN);
        let mut out = FunctionBuilder::new(BEFORE_MAIN, None, None);
        for id in constructors(unit) {
            let function = &unit.functions[id];
            let callee = Callee::Direct(self.function(id));
            let result = &function.ty.result.ty;
            let dst = result.is_scalar().then(|| out.reg(self.width(result), None));
            let place = self.place(function.span, BEFORE_MAIN);
            out.emit(Op::Call { dst, callee, args: Vec::new() }, Some(place));
        }
        out.terminate(Terminator::Return(None), None);
        self.builder.define(known, out.finish());
    }
}

impl Lower<'_, '_> {
    /// Runs constructors.
    pub(super) fn run_before_main(&mut self) {
        self.run_all(constructors(self.program.unit));
    }

    /// Runs what is to be run at the end of the program; destructors run in the opposite order.
    pub(super) fn run_after_main(&mut self) {
        let unit = self.program.unit;
        if unit.at_exit {
            let ours = |id: &FunctionId| unit.functions[*id].role == Role::RunsAtExit;
            self.run_all(unit.functions.ids().find(ours));
        }
        let mut list = unit.after.clone();
        list.sort_by_key(|(priority, _)| *priority);
        self.run_all(list.into_iter().rev().map(|(_, id)| id));
    }

    fn run_all(&mut self, functions: impl IntoIterator<Item = FunctionId>) {
        for id in functions {
            let callee = Callee::Direct(self.program.function(id));
            let result = self.program.unit.functions[id].ty.result.ty.clone();
            let dst = result.is_scalar().then(|| self.temp(self.width(&result)));
            self.emit(Op::Call { dst, callee, args: Vec::new() });
        }
    }
}
