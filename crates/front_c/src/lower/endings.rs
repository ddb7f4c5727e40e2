//! What runs before `main` and after it: constructors, destructors, and what `atexit` was given.

use super::function::Lower;
use crate::library::PREFIX;
use crate::sema::tree::FunctionId;
use ir::op::{Callee, Op};

/// The function of `<stdlib.h>` that runs what `atexit` was given, the latest first.
const AT_EXIT: &str = "__fp_run_at_exit";

impl Lower<'_, '_> {
    /// Runs constructors, those with a low priority first.
    pub(super) fn run_before_main(&mut self) {
        let mut list = self.program.unit.before.clone();
        list.sort_by_key(|(priority, _)| *priority);
        self.run_all(list.into_iter().map(|(_, id)| id));
    }

    /// Runs what is to be run at the end of the program; destructors run in the opposite order.
    pub(super) fn run_after_main(&mut self) {
        let unit = self.program.unit;
        if unit.at_exit {
            let ours = |id: &FunctionId| {
                let name = &*unit.functions[*id].name;
                name.strip_prefix(PREFIX).unwrap_or(name) == AT_EXIT
            };
            self.run_all(unit.functions.ids().find(ours));
        }
        let mut list = unit.after.clone();
        list.sort_by_key(|(priority, _)| *priority);
        self.run_all(list.into_iter().rev().map(|(_, id)| id));
    }

    fn run_all(&mut self, functions: impl IntoIterator<Item = FunctionId>) {
        for id in functions {
            let callee = Callee::Direct(self.program.function(id, self.span));
            let result = self.program.unit.functions[id].ty.result.ty.clone();
            let dst = result.is_scalar().then(|| self.temp(self.width(&result)));
            self.emit(Op::Call { dst, callee, args: Vec::new() });
        }
    }
}
