//! Gives a `main` with parameters its arguments: the program runs under its own name, with no others.
//!
//! Soundness S-125 (verify; all; misses): `main` gets the name of the program as its only argument.
//! Test: crates/ir/src/passes/without_parameters.rs::main_gets_its_own_name_and_nothing_else.

use crate::op::{Inst, Op, Operand};
use crate::program::{Global, GlobalId, Init, InitData, Program, Reg, Storage};

/// What the program finds in `argv[0]`.
const NAME: &[u8] = b"program\0";

/// Gives the first function of a program its arguments.
pub(crate) fn without_parameters(mut program: Program) -> Program {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};
    use execution::ids::Id;
    use execution::span::FileId;

    #[test]
    fn main_gets_its_own_name_and_nothing_else() {
        let text = "fpir 1\nentry main\n\nfn main(%argc: i32, %argv: i64) -> i32 {\nb0:\n  \
                    return %argc\n}\n";
        let program = parse(FileId::new(0), text).expect("a program").program;
        let program = without_parameters(program);
        assert!(program.functions[program.entry[0]].params.is_empty());
        assert!(crate::verify::verify(&program).is_empty());
        let text = print(&program);
        assert!(text.contains("%argc = copy i32 1"), "{text}");
        assert!(text.contains("%argv = copy @argv"), "{text}");
    }
}
