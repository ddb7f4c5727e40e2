//! Removes the start of a local object's lifetime where all of the object is written at once.
//!
//! What such an object held in an earlier iteration may not be read any more. A thread that still
//! has a pointer to the object of that iteration reads its old contents, not undefined values,
//! until it is written again.
//!
//! Soundness S-051 (check, verify; all; misses): A shared local that is declared in a loop and
//! written as a whole at once keeps its old contents until then, so undefined values read by a
//! thread that still points to that of the previous iteration are not found. Test:
//! crates/fencepost/tests/locals_in_loops.rs::one_that_is_filled_at_once_may_be_handed_to_threads_that_run_at_the_same_time.

use crate::layout::{LayoutId, LayoutKind};
use crate::op::{Inst, Op, Operand};
use crate::program::{Program, Slot, SlotId};

/// Larger objects are left as they are.
const LARGEST: u64 = 4096;

/// The same program without unobservable starts of lifetimes.
pub(crate) fn filled_at_once(mut program: Program) -> Program {
    for id in program.functions.ids().collect::<Vec<_>>() {
        for block in program.functions[id].blocks.ids().collect::<Vec<_>>() {
            let function = &program.functions[id];
            let insts = &function.blocks[block].insts;
            let is_needed = |(index, inst): (usize, &Inst)| match inst.op {
                Op::Enter { slot } => {
                    !is_filled(&program, &function.slots[slot], slot, &insts[index + 1..])
                }
                _ => true,
            };
            let needed: Vec<bool> = insts.iter().enumerate().map(is_needed).collect();
            let mut needed = needed.into_iter();
            let insts = &mut program.functions[id].blocks[block].insts;
            insts.retain(|_| needed.next().unwrap_or(true));
        }
    }
    program
}

/// Whether instructions write all of an object, but for its padding, before they do anything else
/// with it.
fn is_filled(program: &Program, slot: &Slot, id: SlotId, insts: &[Inst]) -> bool {
    if slot.size > LARGEST {
        return false;
    }
    let mut missing = vec![slot.layout.is_none(); slot.size as usize];
    if let Some(layout) = slot.layout {
        inside(program, layout, 0, &mut missing);
    }
    for inst in insts {
        let is_here = |operand: &&Operand| matches!(operand, Operand::Slot(slot, _) if *slot == id);
        match &inst.op {
            Op::Store { access, value, .. } if is_here(&&access.address) && !is_here(&value) => {
                let Operand::Slot(_, offset) = access.address else { break };
                let bytes = (0..access.width.bytes() as i64).map(|byte| offset + byte);
                for byte in bytes.filter_map(|byte| usize::try_from(byte).ok()) {
                    if let Some(missing) = missing.get_mut(byte) {
                        *missing = false;
                    }
                }
            }
            Op::Enter { slot } if *slot == id => break,
            op if op.operands().iter().any(is_here) => break,
            // A pointer may lead to the object, too.
            Op::Load { access, .. } | Op::Store { access, .. }
                if matches!(access.address, Operand::Slot(..) | Operand::Global(..)) => {}
            Op::Copy { .. }
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Cast { .. }
            | Op::Enter { .. } => {}
            _ => break,
        }
    }
    !missing.contains(&true)
}

/// Marks the bytes of an object that are not padding.
fn inside(program: &Program, layout: LayoutId, offset: u64, bytes: &mut [bool]) {
    let layout = &program.layouts[layout];
    match &layout.kind {
        LayoutKind::Record { fields, .. } if !fields.is_empty() => {
            for field in fields {
                inside(program, field.layout, offset + field.offset, bytes);
            }
        }
        LayoutKind::Array { element, count } => {
            let size = program.layouts[*element].size;
            (0..*count).for_each(|index| inside(program, *element, offset + index * size, bytes));
        }
        _ => {
            let end = (offset + layout.size).min(bytes.len() as u64);
            bytes[offset.min(end) as usize..end as usize].fill(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};
    use execution::ids::Id;
    use execution::span::FileId;

    fn starts(body: &str) -> usize {
        let text = format!(
            "fpir 1\nlayout int = i32\nlayout char = i8\n\
             layout pair = record \"struct pair\" size 8 align 4 {{\n  0: c char\n  4: n int\n}}\n\
             fn f() {{\n  reg %r: i32\n  slot $s: 8 align 4 as pair\nb0:\n{body}  return\n}}\n"
        );
        let program = parse(FileId::new(0), &text).expect("a program").program;
        print(&filled_at_once(program)).matches("enter").count()
    }

    #[test]
    fn a_start_is_dropped_only_where_all_of_the_object_is_written_first() {
        let (start, c, n) = ("  enter $s\n", "  store i8 [$s], 1\n", "  store i32 [$s + 4], 2\n");
        assert_eq!(starts(&format!("{start}{c}{n}")), 0);
        assert_eq!(starts(&format!("{start}{n}{c}")), 0);
        assert_eq!(starts(&format!("{start}{n}")), 1);
        assert_eq!(starts(&format!("{start}{n}  %r = load i32 [$s + 4]\n{c}")), 1);
        assert_eq!(starts(&format!("{start}{c}{start}{n}{c}")), 1);
    }
}
