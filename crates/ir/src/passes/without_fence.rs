//! The directed fences of a program, and the program without one of them.

use crate::op::{Inst, Op};
use crate::order::{Directions, Fence};
use crate::program::{LocId, Program};

/// A directed fence of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DirectedFence {
    /// What it keeps in order.
    pub directions: Directions,
    /// Where it stands.
    pub place: Option<LocId>,
}

/// The directed fences, in the order of the program's text.
pub fn directed_fences(program: &Program) -> Vec<DirectedFence> {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    blocks.flat_map(|block| &block.insts).filter_map(directed).collect()
}

/// The program without the fence that has this number in [`directed_fences`]; the program itself
/// if there is none.
pub(crate) fn without_fence(mut program: Program, number: usize) -> Program {
    let mut left = number;
    for block in program.functions.iter_mut().flat_map(|function| function.blocks.iter_mut()) {
        let positions = block.insts.iter().enumerate();
        let mut fences = positions.filter(|(_, inst)| directed(inst).is_some());
        let here = fences.clone().count();
        if left < here {
            if let Some((position, _)) = fences.nth(left) {
                block.insts.remove(position);
            }
            return program;
        }
        left -= here;
    }
    program
}

fn directed(inst: &Inst) -> Option<DirectedFence> {
    match inst.op {
        Op::Fence(Fence::Directed(directions)) => {
            Some(DirectedFence { directions, place: inst.place })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;
    use execution::ids::Id;
    use execution::span::FileId;

    const PROGRAM: &str = r#"fpir 1
entry main

global @x: 4 align 4

fn main() -> i32 {
b0:
  store i32 [@x], i32 1
  fence store-store
  store i32 [@x], i32 2
  fence load-load
  jump b1
b1:
  fence store-load
  return i32 0
}
"#;

    fn program() -> Program {
        text::parse(FileId::new(0), PROGRAM).expect("a program").program
    }

    #[test]
    fn each_fence_can_be_dropped_by_its_number() {
        let all = directed_fences(&program());
        assert_eq!(all.len(), 3);
        for dropped in 0..3 {
            let smaller = without_fence(program(), dropped);
            crate::verify::assert_well_formed(&smaller, "without_fence");
            let mut expected = all.clone();
            expected.remove(dropped);
            assert_eq!(directed_fences(&smaller), expected);
        }
    }

    #[test]
    fn a_number_that_no_fence_has_changes_nothing() {
        assert_eq!(without_fence(program(), 3), program());
    }
}
