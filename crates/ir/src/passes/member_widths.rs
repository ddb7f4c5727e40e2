//! Decides in which width copies through pointers to `void` access objects: that of their members.
//!
//! What a pointer may point to is found as in `points_to`. If all members of all these objects are of
//! one width, it is that; the bytes that some of them are buffers of do not count. Otherwise it is 8,
//! and copies go by words as alignment allows.

use crate::layout::{LayoutId, LayoutKind};
use crate::op::{Inst, Op, Operand, UnaryOp};
use crate::points_to::{Object, Objects, PointsTo};
use crate::program::{FuncId, Program, Width};
use execution::ids::Id;
use std::collections::BTreeSet;

/// The width where nothing else is known.
const WORD: u64 = 8;

/// The same program, with a constant for each such width.
pub(crate) fn member_widths(mut program: Program) -> Program {
    let is_asked = |inst: &Inst| matches!(inst.op, Op::Unary { op: UnaryOp::MemberWidth, .. });
    let mut blocks = program.functions.iter().flat_map(|function| function.blocks.iter());
    if !blocks.any(|block| block.insts.iter().any(is_asked)) {
        return program;
    }
    let mut decided = decide(&program).into_iter();
    for function in program.functions.iter_mut() {
        for inst in function.blocks.iter_mut().flat_map(|block| &mut block.insts) {
            if let Op::Unary { dst, op: UnaryOp::MemberWidth, .. } = inst.op {
                let width = decided.next().unwrap_or(WORD);
                inst.op = Op::Copy { dst, src: Operand::int(Width::I64, width.into()) };
            }
        }
    }
    program
}

/// The widths that are asked for, in the order of the instructions.
fn decide(program: &Program) -> Vec<u64> {
    let pointers = PointsTo::of(program);
    let mut decided = Vec::new();
    for (id, function) in program.functions.enumerate() {
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            if let Op::Unary { op: UnaryOp::MemberWidth, a, .. } = &inst.op {
                decided.push(width(program, id, pointers.objects(id, a)));
            }
        }
    }
    decided
}

fn width(program: &Program, function: FuncId, objects: Objects) -> u64 {
    let mut widths = BTreeSet::new();
    for object in objects {
        let known = match object {
            Object::Global(id) => add(program, program.globals[id].layout, &mut widths),
            Object::Slot(owner, slot) => slot_of(program, owner, slot, &mut widths),
            Object::Here(_, slot) => slot_of(program, function, slot, &mut widths),
            Object::Heap => allocated(program).all(|holds| add(program, holds, &mut widths)),
            Object::Function(_) => true,
        };
        if !known {
            return WORD;
        }
    }
    widths.remove(&1);
    match widths.first() {
        Some(&width) if widths.len() == 1 && width < WORD => width,
        _ => WORD,
    }
}

fn slot_of(program: &Program, owner: FuncId, slot: u32, widths: &mut BTreeSet<u64>) -> bool {
    let slots = &program.functions[owner].slots;
    let slot = slots.enumerate().find(|(id, _)| id.index() as u32 == slot);
    add(program, slot.and_then(|(_, slot)| slot.layout), widths)
}

/// What the heap blocks of a program hold.
fn allocated(program: &Program) -> impl Iterator<Item = Option<LayoutId>> {
    let blocks = program.functions.iter().flat_map(|function| function.blocks.iter());
    blocks.flat_map(|block| &block.insts).filter_map(|inst| match &inst.op {
        Op::Alloc { layout, .. } => Some(*layout),
        _ => None,
    })
}

/// Adds the widths of the members of an object; whether they are known.
fn add(program: &Program, layout: Option<LayoutId>, widths: &mut BTreeSet<u64>) -> bool {
    let Some(layout) = layout.map(|id| &program.layouts[id]) else { return false };
    match &layout.kind {
        LayoutKind::Int { .. } | LayoutKind::Float | LayoutKind::Pointer(_) => {
            widths.insert(layout.size);
            true
        }
        LayoutKind::Array { element, .. } => add(program, Some(*element), widths),
        LayoutKind::Record { fields, .. } => {
            fields.iter().all(|field| add(program, Some(field.layout), widths))
        }
        LayoutKind::Opaque => false,
    }
}

#[cfg(test)]
mod tests {
    use super::member_widths;
    use crate::text::{parse, print};
    use execution::ids::Id;
    use execution::span::FileId;

    /// What the pass makes of `member_width` of each of these objects.
    fn widths(text: &str) -> Vec<String> {
        let program = parse(FileId::new(0), text).expect("a program").program;
        let text = print(&member_widths(program));
        let copies = text.lines().filter_map(|line| line.trim().split_once(" = copy i64 "));
        copies.map(|(_, width)| width.split(' ').next().unwrap_or("").to_string()).collect()
    }

    #[test]
    fn members_of_one_width_are_accessed_in_it() {
        let text = "fpir 1\nentry main\n\
            layout int = i32\nlayout ptr = ptr\nlayout char = i8\n\
            layout pair = record \"struct pair\" size 8 align 4 {\n  0: key int\n  4: value int\n}\n\
            layout node = record \"struct node\" size 16 align 8 {\n  0: next ptr\n  8: value int\n}\n\
            layout text = array 8 of char size 8 align 1\n\
            global @pair: 8 align 4 as pair\nglobal @node: 16 align 8 as node\n\
            global @text: 8 align 1 as text\nglobal @raw: 8 align 8\n\
            fn main() -> i32 {\n  reg %0: i64, %1: i64, %2: i64, %3: i64, %4: i64, %5: i64\nb0:\n\
              %0 = member_width i64 @pair\n  %1 = member_width i64 @node\n\
              %2 = member_width i64 @text\n  %3 = member_width i64 @raw\n\
              %4 = select i64 1, @pair, @text\n  %5 = member_width i64 %4\n  return i32 0\n}\n";
        assert_eq!(widths(text), ["4", "8", "8", "8", "4"]);
    }
}
