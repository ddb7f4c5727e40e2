//! Decides as what accesses copies through pointers to `void` are made: those of the members of the
//! objects there.
//!
//! What a pointer may point to is found as in `points_to`. If the members of all these objects, or of
//! the elements if they are arrays, begin at the same places, it is these; arrays of bytes are
//! buffers, which do not count. Otherwise copies go by words of 8 bytes as alignment allows.

use crate::layout::{LayoutId, LayoutKind};
use crate::op::{Inst, Op, Operand, UnaryOp};
use crate::points_to::{Object, Objects, PointsTo};
use crate::program::{FuncId, Program, Width};
use crate::value::WORDS;
use execution::ids::Id;
use std::collections::BTreeSet;

/// The same program, with a constant for the members of each such object.
pub(crate) fn members(mut program: Program) -> Program {
    let is_asked = |inst: &Inst| matches!(inst.op, Op::Unary { op: UnaryOp::Members, .. });
    let mut blocks = program.functions.iter().flat_map(|function| function.blocks.iter());
    if !blocks.any(|block| block.insts.iter().any(is_asked)) {
        return program;
    }
    let mut decided = decide(&program).into_iter();
    for function in program.functions.iter_mut() {
        for inst in function.blocks.iter_mut().flat_map(|block| &mut block.insts) {
            if let Op::Unary { dst, op: UnaryOp::Members, .. } = inst.op {
                let bits = decided.next().unwrap_or(WORDS);
                inst.op = Op::Copy { dst, src: Operand::int(Width::I64, bits) };
            }
        }
    }
    program
}

/// What is asked for, in the order of the instructions.
fn decide(program: &Program) -> Vec<u128> {
    let pointers = PointsTo::of(program);
    let mut decided = Vec::new();
    for (id, function) in program.functions.enumerate() {
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            if let Op::Unary { op: UnaryOp::Members, a, .. } = &inst.op {
                decided.push(members_of(program, id, pointers.objects(id, a)));
            }
        }
    }
    decided
}

fn members_of(program: &Program, function: FuncId, objects: Objects) -> u128 {
    let mut all = BTreeSet::new();
    for object in objects {
        let layouts: Vec<Option<LayoutId>> = match object {
            Object::Global(id) => vec![program.globals[id].layout],
            Object::Slot(owner, slot) => vec![slot_of(program, owner, slot)],
            Object::Here(_, slot) => vec![slot_of(program, function, slot)],
            Object::Heap => allocated(program).collect(),
            Object::Function(_) => Vec::new(),
        };
        for layout in layouts {
            match layout.map(|layout| Starts::of(program, layout)) {
                Some(Starts::Buffer) => {}
                Some(Starts::At(bits)) => {
                    all.insert(bits);
                }
                Some(Starts::Unknown) | None => return WORDS,
            }
        }
    }
    match all.first() {
        Some(&bits) if all.len() == 1 => bits,
        _ => WORDS,
    }
}

fn slot_of(program: &Program, owner: FuncId, slot: u32) -> Option<LayoutId> {
    let slots = &program.functions[owner].slots;
    let slot = slots.enumerate().find(|(id, _)| id.index() as u32 == slot);
    slot.and_then(|(_, slot)| slot.layout)
}

/// What the heap blocks of a program hold.
fn allocated(program: &Program) -> impl Iterator<Item = Option<LayoutId>> {
    let blocks = program.functions.iter().flat_map(|function| function.blocks.iter());
    blocks.flat_map(|block| &block.insts).filter_map(|inst| match &inst.op {
        Op::Alloc { layout, .. } => Some(*layout),
        _ => None,
    })
}

/// Where the members of objects begin.
enum Starts {
    /// They are bytes.
    Buffer,
    /// Here, as bits; the highest stands where they begin again.
    At(u128),
    /// That is not known, or too far.
    Unknown,
}

impl Starts {
    fn of(program: &Program, mut layout: LayoutId) -> Self {
        while let LayoutKind::Array { element, .. } = program.layouts[layout].kind {
            layout = element;
        }
        let mut members = Vec::new();
        if !add(program, layout, 0, &mut members) {
            return Starts::Unknown;
        }
        if members.iter().all(|member| member.is_bytes) {
            return Starts::Buffer;
        }
        let size = program.layouts[layout].size;
        let mut starts = BTreeSet::new();
        // Of members that share their place, the largest; what follows it may be a gap.
        members.sort_by_key(|member| (member.start, std::cmp::Reverse(member.end)));
        let mut end = 0;
        for member in members {
            if member.start >= end {
                starts.extend([member.start, member.end]);
                end = member.end;
            }
        }
        let again = |by: u64| {
            let shifted = |start: &u64| starts.contains(&((start + by) % size));
            size.is_multiple_of(by) && starts.iter().filter(|&&it| it < size).all(shifted)
        };
        match (1..=size).find(|&by| again(by)) {
            Some(period) if period < 64 => {
                let bits = starts.into_iter().filter(|&start| start < period);
                Starts::At(bits.fold(1 << period, |all, start| all | 1 << start))
            }
            _ => Starts::Unknown,
        }
    }
}

/// A number, a pointer, or an array of bytes.
struct Member {
    start: u64,
    end: u64,
    is_bytes: bool,
}

/// Adds the members of an object at an offset; whether they are known.
fn add(program: &Program, layout: LayoutId, start: u64, members: &mut Vec<Member>) -> bool {
    let layout = &program.layouts[layout];
    let end = start + layout.size;
    match &layout.kind {
        LayoutKind::Int { .. } | LayoutKind::Float | LayoutKind::Pointer(_) => {
            members.push(Member { start, end, is_bytes: layout.size == 1 });
            true
        }
        LayoutKind::Array { element, .. } => match program.layouts[*element].size {
            0 => true,
            1 => {
                members.push(Member { start, end, is_bytes: true });
                true
            }
            size => {
                (0..layout.size / size).all(|it| add(program, *element, start + it * size, members))
            }
        },
        LayoutKind::Record { fields, .. } => {
            fields.iter().all(|field| add(program, field.layout, start + field.offset, members))
        }
        LayoutKind::Opaque => false,
    }
}

#[cfg(test)]
mod tests {
    use super::members;
    use crate::text::{parse, print};
    use execution::ids::Id;
    use execution::span::FileId;

    /// What the pass makes of the members of each of these objects, in binary.
    fn starts(text: &str) -> Vec<String> {
        let program = parse(FileId::new(0), text).expect("a program").program;
        let text = print(&members(program));
        let copies = text.lines().filter_map(|line| line.trim().split_once(" = copy i64 "));
        let bits = |text: &str| text.split(' ').next().and_then(|bits| bits.parse::<u64>().ok());
        copies.filter_map(|(_, text)| bits(text)).map(|bits| format!("{bits:b}")).collect()
    }

    #[test]
    fn members_are_accessed_one_by_one() {
        let text = "fpir 1\nentry main\n\
            layout int = i32\nlayout short = i16\nlayout ptr = ptr\nlayout char = i8\n\
            layout pair = record \"struct pair\" size 8 align 4 {\n  0: key int\n  4: value int\n}\n\
            layout node = record \"struct node\" size 16 align 8 {\n  0: next ptr\n  8: value int\n}\n\
            layout both = record \"union both\" size 8 align 8 {\n  0: all ptr\n  0: low int\n}\n\
            layout mixed = record \"struct mixed\" size 16 align 4 {\n  0: a short\n  4: b int\n  8: c both\n}\n\
            layout text = array 8 of char size 8 align 1\n\
            layout pairs = array 2 of pair size 16 align 4\n\
            global @pairs: 16 align 4 as pairs\nglobal @node: 16 align 8 as node\n\
            global @text: 8 align 1 as text\nglobal @raw: 8 align 8\nglobal @mixed: 16 align 8 as mixed\n\
            fn main() -> i32 {\n  reg %0: i64, %1: i64, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %7: i64, %8: i64\nb0:\n\
              %0 = members i64 @pairs\n  %1 = members i64 @node\n\
              %2 = members i64 @text\n  %3 = members i64 @raw\n\
              %4 = select i64 1, @pairs, @text\n  %5 = members i64 %4\n\
              %6 = members i64 @mixed\n  %8 = select i64 1, @pairs, @node\n  %7 = members i64 %8\n\
              return i32 0\n}\n";
        let words = "100000001";
        let mixed = "10000000100010101";
        assert_eq!(
            starts(text),
            ["10001", "10001000100000001", words, words, "10001", mixed, words]
        );
    }
}
