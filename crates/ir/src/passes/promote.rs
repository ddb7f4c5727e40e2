//! Stack objects that only their own function's loads and stores access become registers.
//!
//! The stepper does less for a register than for an object, and a register that is not read any
//! more is easier to recognise than an object that is not. Every instruction is replaced by one, so
//! that places, branches and numbers of instructions stay what they are. Dependencies through the
//! object are kept by the register; the object itself stays in the list, without any use.

use crate::op::{Op, Operand};
use crate::program::{Function, Program, Reg, RegInfo, SlotId, Width};
use execution::ids::IdVec;

/// How a stack object is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Not at all.
    Never,
    /// As a whole, by loads and stores of this width at this offset.
    Whole(i64, Width),
    /// In other ways.
    Otherwise,
}

/// The program with registers instead of such objects.
pub(crate) fn promote(mut program: Program) -> Program {
    for function in program.functions.iter_mut() {
        let uses = uses(function);
        let mut registers: IdVec<SlotId, Option<(Reg, Width)>> = IdVec::new();
        for (slot, used) in uses.enumerate() {
            registers.push(match *used {
                Use::Whole(_, width) => {
                    let name = Some(function.slots[slot].name.clone());
                    let name = name.filter(|name| !name.is_empty());
                    Some((function.regs.push(RegInfo { width, name }), width))
                }
                Use::Never | Use::Otherwise => None,
            });
        }
        for block in function.blocks.iter_mut() {
            for inst in &mut block.insts {
                replace(&mut inst.op, &registers);
            }
        }
    }
    program
}

fn uses(function: &Function) -> IdVec<SlotId, Use> {
    let mut uses: IdVec<SlotId, Use> = function.slots.iter().map(|_| Use::Never).collect();
    for block in function.blocks.iter() {
        for inst in &block.insts {
            let own = match &inst.op {
                Op::Load { access, exclusive: false, .. } => Some((access, None)),
                Op::Store { access, value } => Some((access, Some(value))),
                _ => None,
            };
            let Some((access, value)) = own else {
                inst.op.operands().into_iter().for_each(|operand| otherwise(&mut uses, operand));
                continue;
            };
            if let Operand::Slot(slot, offset) = access.address {
                let whole = Use::Whole(offset, access.width);
                let inside = offset >= 0
                    && offset as u64 + access.width.bytes() <= function.slots[slot].size;
                let same = uses[slot] == Use::Never || uses[slot] == whole;
                uses[slot] = if inside && same { whole } else { Use::Otherwise };
            }
            value.into_iter().for_each(|operand| otherwise(&mut uses, operand));
        }
        let operands = block.terminator.operands();
        operands.into_iter().for_each(|operand| otherwise(&mut uses, operand));
    }
    uses
}

fn otherwise(uses: &mut IdVec<SlotId, Use>, operand: &Operand) {
    if let Operand::Slot(slot, _) = operand {
        uses[*slot] = Use::Otherwise;
    }
}

fn replace(op: &mut Op, registers: &IdVec<SlotId, Option<(Reg, Width)>>) {
    let register = |address: &Operand| match address {
        Operand::Slot(slot, _) => registers[*slot],
        _ => None,
    };
    let copy = match op {
        Op::Load { dst, access, .. } => {
            register(&access.address).map(|(reg, _)| (*dst, Operand::Reg(reg)))
        }
        Op::Store { access, value } => register(&access.address).map(|(reg, _)| (reg, *value)),
        Op::Enter { slot } => registers[*slot].map(|(reg, width)| (reg, Operand::Undef(width))),
        _ => None,
    };
    if let Some((dst, src)) = copy {
        *op = Op::Copy { dst, src };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::FuncId;
    use crate::text::{parse, print};
    use crate::verify::assert_well_formed;
    use execution::ids::Id;
    use std::collections::HashSet;

    #[test]
    fn only_what_is_loaded_and_stored_as_a_whole_becomes_a_register() {
        let text = "fpir 1\nentry f\nfn f() -> i32 {\n  reg %0: i32, %p: i64\n  slot $x: 4 align 4\n  slot $y: 4 align 4\nb0:\n  enter $x\n  store i32 [$x], 1\n  %0 = load i32 [$x]\n  %p = copy i64 $y\n  store i32 [$y], %0\n  return %0\n}\n";
        let program = parse(Id::new(0), text).expect("a program").program;
        let program = promote(program);
        assert_well_formed(&program, "promote");
        let unused = program.functions[FuncId::new(0)].unused_slots();
        assert_eq!(unused, HashSet::from([SlotId::new(0)]));
        let text = print(&program);
        assert!(text.contains("%0 = copy") && text.contains("[$y]") && !text.contains("[$x]"));
    }
}
