//! Drops the functions and globals that no initial thread can reach.

use crate::op::{Callee, Inst, Op, Operand};
use crate::program::{FuncId, Function, GlobalId, InitData, Program};
use execution::ids::{Id, IdVec};

/// The program without what its initial threads cannot reach, by calls or by addresses. What is
/// left keeps its order.
pub(crate) fn prune(mut program: Program) -> Program {
    let reached = Reached::of(&program);
    let functions = new_ids(&reached.functions);
    let globals = new_ids(&reached.globals);
    let rename = |operand: &mut Operand| match operand {
        Operand::Function(id) => *id = functions[*id],
        Operand::Global(id, _) => *id = globals[*id],
        Operand::Reg(_) | Operand::Int { .. } | Operand::Slot(..) | Operand::Undef(_) => {}
    };
    program.functions = kept(program.functions, &reached.functions);
    program.globals = kept(program.globals, &reached.globals);
    for block in program.functions.iter_mut().flat_map(|function| function.blocks.iter_mut()) {
        for Inst { op, .. } in &mut block.insts {
            op.operands_mut().into_iter().for_each(rename);
            if let Op::Call { callee: Callee::Direct(id), .. }
            | Op::Spawn { callee: Callee::Direct(id), .. } = op
            {
                *id = functions[*id];
            }
        }
        block.terminator.operands_mut().into_iter().for_each(rename);
    }
    for init in program.globals.iter_mut().flat_map(|global| global.init.iter_mut()) {
        match &mut init.data {
            InitData::Bytes(_) => {}
            InitData::Global(id, _) => *id = globals[*id],
            InitData::Function(id) => *id = functions[*id],
        }
    }
    for id in &mut program.entry {
        *id = functions[*id];
    }
    program
}

/// The new id of everything that stays (of what does not, that of what follows it).
fn new_ids<I: Id>(stays: &IdVec<I, bool>) -> IdVec<I, I> {
    let mut next = 0;
    let number = |&stays: &bool| {
        next += usize::from(stays);
        I::new(next - usize::from(stays))
    };
    stays.iter().map(number).collect()
}

fn kept<I: Id, T>(all: IdVec<I, T>, stays: &IdVec<I, bool>) -> IdVec<I, T> {
    all.into_iter().zip(stays).filter(|(_, stays)| **stays).map(|(item, _)| item).collect()
}

/// What the initial threads can reach.
struct Reached {
    functions: IdVec<FuncId, bool>,
    globals: IdVec<GlobalId, bool>,
    pending: Vec<FuncId>,
}

impl Reached {
    fn of(program: &Program) -> Reached {
        let mut reached = Reached {
            functions: program.functions.iter().map(|_| false).collect(),
            globals: program.globals.iter().map(|_| false).collect(),
            pending: Vec::new(),
        };
        program.entry.iter().for_each(|&id| reached.function(id));
        while let Some(id) = reached.pending.pop() {
            reached.body(program, &program.functions[id]);
        }
        reached
    }

    fn function(&mut self, id: FuncId) {
        if !std::mem::replace(&mut self.functions[id], true) {
            self.pending.push(id);
        }
    }

    fn body(&mut self, program: &Program, function: &Function) {
        for block in &function.blocks {
            for Inst { op, .. } in &block.insts {
                op.operands().into_iter().for_each(|operand| self.operand(program, operand));
                if let Op::Call { callee: Callee::Direct(id), .. }
                | Op::Spawn { callee: Callee::Direct(id), .. } = op
                {
                    self.function(*id);
                }
            }
            let last = block.terminator.operands();
            last.into_iter().for_each(|operand| self.operand(program, operand));
        }
    }

    fn operand(&mut self, program: &Program, operand: &Operand) {
        match operand {
            Operand::Function(id) => self.function(*id),
            Operand::Global(id, _) => self.global(program, *id),
            Operand::Reg(_) | Operand::Int { .. } | Operand::Slot(..) | Operand::Undef(_) => {}
        }
    }

    fn global(&mut self, program: &Program, id: GlobalId) {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            if std::mem::replace(&mut self.globals[id], true) {
                continue;
            }
            for init in &program.globals[id].init {
                match init.data {
                    InitData::Bytes(_) => {}
                    InitData::Global(other, _) => pending.push(other),
                    InitData::Function(function) => self.function(function),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;
    use execution::span::FileId;

    #[test]
    fn what_is_reached_by_calls_addresses_and_initial_contents_stays() {
        let before = r#"fpir 1
entry main

global @unused: 8 align 8 = {0: &left}
global @table: 16 align 8 = {0: &listed, 8: @after}
global @after: 4 align 4

fn left() {
b0:
  return
}

fn called() {
b0:
  store i32 [@table], i32 1
  return
}

fn listed() {
b0:
  return
}

fn main() -> i32 {
  reg %t: i64
b0:
  call called()
  %t = spawn taken()
  return i32 0
}

fn taken() {
b0:
  return
}
"#;
        let program = text::parse(FileId::new(0), before).expect("a program").program;
        let pruned = prune(program);
        crate::verify::assert_well_formed(&pruned, "prune");
        let names: Vec<&str> = pruned.functions.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["called", "listed", "main", "taken"]);
        let names: Vec<&str> = pruned.globals.iter().map(|g| g.name.as_str()).collect();
        assert_eq!(names, ["table", "after"]);
        let printed = text::print(&pruned);
        assert!(printed.contains("{0: &listed, 8: @after}"), "{printed}");
        assert!(printed.contains("spawn taken()") && printed.contains("[@table]"), "{printed}");
    }
}
