//! Lets the thread that terminates the program observe its final values, for `--outcomes`.

use crate::op::{Callee, Inst, Op, Terminator};
use crate::prepare::Observer;
use crate::program::Program;

/// Lets `main` call a function before it returns, and drops all observations but those that this
/// function makes, unless others are wanted too; if not, every call of `exit` is preceded by a call
/// of it, too.
pub(crate) fn observing(mut program: Program, Observer { function, others }: &Observer) -> Program {
    let observer = program.functions.enumerate().find(|(_, code)| code.name == *function);
    let Some(observer) = observer.map(|(id, _)| id) else { return program };
    let others = *others;
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
    use crate::text::{parse, print};
    use execution::ids::Id;
    use execution::span::FileId;

    #[test]
    fn only_the_outcomes_are_observed() {
        let text = "fpir 1\nentry main\n\nfn look() {\nb0:\n  observe \"x\", i32 0\n  return\n}\n\n\
                    fn main() -> i32 {\nb0:\n  observe \"other\", i32 1\n  return i32 0\n}\n";
        let program = parse(FileId::new(0), text).expect("a program").program;
        let program = observing(program, &Observer { function: "look".into(), others: false });
        assert!(crate::verify::verify(&program).is_empty());
        let text = print(&program);
        assert!(!text.contains("other") && text.contains("call"), "{text}");
    }
}
