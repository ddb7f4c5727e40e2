//! Takes away what a program prints: nothing that it does depends on it.
//!
//! The number of characters that `printf` returns becomes any number, where somebody looks at it.
//! Arguments are not looked at any more: a string that must not be read, or an undefined number,
//! is no finding then.

use crate::op::{Choice, Inst, Op, Operand, PrintTarget};
use crate::program::{Function, Program, Reg, Width};
use std::collections::HashSet;

/// More characters than this are never printed at once.
const MOST: u128 = 1 << 20;

/// The same program without output; printing to memory stays.
pub fn silent(mut program: Program) -> Program {
    for function in program.functions.iter_mut() {
        let used = used(function);
        for block in function.blocks.iter_mut() {
            block.insts.retain_mut(|inst| match &inst.op {
                Op::Print { target: PrintTarget::Buffer { .. }, .. } => true,
                Op::Print { dst, .. } => match dst.filter(|dst| used.contains(dst)) {
                    Some(dst) => {
                        *inst = number(dst, function.regs[dst].width, inst);
                        true
                    }
                    None => false,
                },
                _ => true,
            });
        }
    }
    program
}

fn number(dst: Reg, width: Width, print: &Inst) -> Inst {
    let int = |bits| Operand::Int { width, bits };
    let from = Choice::Range(int(0), int(MOST & (width.mask() >> 1)));
    Inst { op: Op::Choose { dst, from }, place: print.place }
}

/// The registers that are read somewhere.
fn used(function: &Function) -> HashSet<Reg> {
    let mut used = HashSet::new();
    for block in function.blocks.iter() {
        let operands = block.insts.iter().flat_map(|inst| inst.op.operands());
        for operand in operands.chain(block.terminator.operands()) {
            if let Operand::Reg(reg) = operand {
                used.insert(*reg);
            }
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use super::silent;
    use crate::text::{parse, print};
    use execution::ids::Id;
    use execution::span::FileId;

    #[test]
    fn only_a_number_that_is_used_is_left() {
        let text = "fpir 1\nentry main\nfn main() -> i32 {\n  reg %a: i32, %c: i32\nb0:\n  \
                    %a = print stdout, \"a\"\n  print stdout, \"b\"\n  %c = print stderr, \"c\"\n  return %c\n}\n";
        let program = silent(parse(FileId::new(0), text).expect("a program").program);
        assert!(crate::verify::verify(&program).is_empty());
        let text = print(&program);
        assert!(!text.contains("print"), "{text}");
        assert_eq!(text.matches("choose").count(), 1, "{text}");
    }
}
