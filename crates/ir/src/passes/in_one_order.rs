//! Gives the operands of a litmus test in C one order of evaluation.

use crate::program::Program;
use crate::tag::Tag;

/// Operands are evaluated from left to right, as in compiled programs; C leaves their order open.
pub(crate) fn in_one_order(mut program: Program) -> Program {
    for function in program.functions.iter_mut() {
        for inst in function.blocks.iter_mut().flat_map(|block| block.insts.iter_mut()) {
            for access in inst.op.accesses_mut() {
                access.tags.retain(|tag| !matches!(tag, Tag::Side(_)));
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
    fn what_leaves_the_order_open_is_dropped_and_nothing_else() {
        let text = "fpir 1\nglobal @x: 4 align 4\n\nfn f() {\nb0:\n  \
                    store.rlx i32 [@x] tags(seq.1.a, P), 1\n  return\n}\n";
        let program = parse(FileId::new(0), text).expect("a program").program;
        let text = print(&in_one_order(program));
        assert!(text.contains("tags(P)"), "{text}");
    }
}
