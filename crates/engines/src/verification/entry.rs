//! What is done to a program before it is checked.
//!
//! A `main` with parameters becomes one without: the program runs under its own name, with no
//! arguments. Where outcomes are asked for, whoever ends the program observes them then.
//!
//! Soundness S-125 (verify; all; misses): `main` gets the name of the program as its only argument.
//! Test: crates/engines/src/verification/entry.rs::main_gets_its_own_name_and_nothing_else.

use ir::op::{Callee, Inst, Op, Operand, Terminator};
use ir::program::{Global, GlobalId, Init, InitData, Program, Reg, Storage};

/// What the program finds in `argv[0]`.
const NAME: &[u8] = b"program\0";

/// Gives the first function of a program its arguments.
pub fn without_parameters(mut program: Program) -> Program {
    let &[main] = program.entry.as_slice() else { return program };
    let params = std::mem::take(&mut program.functions[main].params);
    if params.is_empty() {
        return program;
    }
    let vector = argument_vector(&mut program);
    let function = &mut program.functions[main];
    let copies: Vec<Inst> = params
        .iter()
        .enumerate()
        .map(|(index, &dst): (usize, &Reg)| {
            let width = function.regs[dst].width;
            let src = match index {
                0 => Operand::Int { width, bits: 1 },
                1 => Operand::Global(vector, 0),
                _ => Operand::Int { width, bits: 0 },
            };
            Inst { op: Op::Copy { dst, src }, place: function.place }
        })
        .collect();
    let entry = function.entry();
    function.blocks[entry].insts.splice(0..0, copies);
    program
}

/// The name of the program, and a null pointer after it.
fn argument_vector(program: &mut Program) -> GlobalId {
    let fresh = |program: &Program, name: &str| {
        let taken = |name: &str| program.globals.iter().any(|global| global.name == name);
        let mut name = name.to_string();
        while taken(&name) {
            name.push('\'');
        }
        name
    };
    let global = |name: String, size: usize, init: Init| Global {
        name,
        size: size as u64,
        align: 8,
        storage: Storage::Static,
        init: vec![init],
        layout: None,
        place: None,
    };
    let text = InitData::Bytes(NAME.to_vec());
    let name = global(fresh(program, "argv[0]"), NAME.len(), Init { offset: 0, data: text });
    let name = program.globals.push(name);
    let pointer = InitData::Global(name, 0);
    let vector = global(fresh(program, "argv"), 16, Init { offset: 0, data: pointer });
    program.globals.push(vector)
}

/// Lets `main` call a function before it returns, and drops all observations but those that this
/// function makes, unless others are wanted too; if not, whoever calls `exit` calls it, too.
pub fn observing(mut program: Program, function: &str, others: bool) -> Program {
    let observer = program.functions.enumerate().find(|(_, code)| code.name == function);
    let Some(observer) = observer.map(|(id, _)| id) else { return program };
    let entry = program.entry.clone();
    for id in program.functions.ids().filter(|&id| id != observer) {
        for block in program.functions[id].blocks.iter_mut() {
            block.insts.retain(|inst| others || !matches!(inst.op, Op::Observe { .. }));
            let ends = match block.terminator {
                Terminator::Return(_) => entry.contains(&id),
                Terminator::Exit(_) => !others,
                _ => false,
            };
            if ends {
                let callee = Callee::Direct(observer);
                let op = Op::Call { dst: None, callee, args: Vec::new() };
                block.insts.push(Inst { op, place: block.place });
            }
        }
    }
    program
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::compile;

    #[test]
    fn main_gets_its_own_name_and_nothing_else() {
        let program = compile("int main(int argc, char **argv) { return argc; }");
        let program = without_parameters(program);
        let main = &program.functions[program.entry[0]];
        assert!(main.params.is_empty());
        assert!(ir::verify::verify(&program).is_empty());
        let text = ir::text::print(&program);
        assert!(text.contains("copy i32 1"), "{text}");
    }

    #[test]
    fn only_the_outcomes_are_observed() {
        let program = compile(
            "#include <fencepost.h>\nint x; void look(void) { fp_observe(\"x\", x); }\n\
             int main(void) { fp_observe(\"other\", 1); return 0; }",
        );
        let program = observing(program, "look", false);
        assert!(ir::verify::verify(&program).is_empty());
        let text = ir::text::print(&program);
        assert!(!text.contains("other") && text.contains("call"), "{text}");
    }
}
