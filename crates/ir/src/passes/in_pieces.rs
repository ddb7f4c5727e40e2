//! Splits plain accesses into narrower ones where the same bytes are accessed in other widths.
//!
//! A plain load of eight bytes becomes two of four, one after the other, whose values are
//! concatenated; a store likewise. In a language whose plain accesses must not race, the difference
//! is unobservable without a race. On a machine other threads can see one part without the other,
//! so the result has all executions of the program, and maybe more.

use crate::locks::Purpose;
use crate::op::{Access, BinaryOp, CastOp, Inst, Op, Operand};
use crate::order::Order;
use crate::prepare::Pieces;
use crate::program::{Function, LocId, Program, Reg, RegInfo, Width};
use crate::tag::Tag;
use execution::ids::Id;
use execution::witness::Split;

/// The same program with these plain accesses split. What is split again may be split further.
pub(crate) fn in_pieces(mut program: Program, Pieces { splits, at_once }: &Pieces) -> Program {
    let at_once = *at_once;
    for function in program.functions.iter_mut() {
        for block in function.blocks.ids().collect::<Vec<_>>() {
            let insts = std::mem::take(&mut function.blocks[block].insts);
            let mut all = Vec::with_capacity(insts.len());
            for inst in insts {
                let Some(piece) = piece(&inst, splits) else {
                    all.push(inst);
                    continue;
                };
                let (place, insts) = (inst.place, &mut all);
                let mut divided =
                    Divided { function: &mut *function, place, insts, piece, at_once };
                divided.access(inst.op);
            }
            function.blocks[block].insts = all;
        }
    }
    program
}

/// Whether an access may be split: it is plain, and no tag gives it another meaning.
fn is_divisible(order: Order, tags: &[Tag]) -> bool {
    order == Order::NonAtomic && tags.iter().all(|tag| matches!(tag, Tag::Side(_)))
}

/// How wide the parts of an instruction's access are, if it is split.
fn piece(inst: &Inst, splits: &[Split]) -> Option<Width> {
    let access = match &inst.op {
        Op::Load { access, exclusive: false, .. } | Op::Store { access, .. } => access,
        _ => return None,
    };
    if !is_divisible(access.order, &access.tags) {
        return None;
    }
    let bytes = piece_of(splits, inst.place?, access.width.bytes());
    (bytes < access.width.bytes()).then(|| Width::from_bytes(bytes)).flatten()
}

/// How many bytes the parts of an access of `whole` bytes have.
fn piece_of(splits: &[Split], place: LocId, whole: u64) -> u64 {
    let mut bytes = whole;
    let smaller = |bytes: u64| {
        let own = |split: &&Split| {
            let into = u64::from(split.into);
            split.place as usize == place.index()
                && u64::from(split.bytes) == bytes
                && (1..bytes).contains(&into)
                && bytes.is_multiple_of(into)
        };
        splits.iter().find(own).map(|split| u64::from(split.into))
    };
    while let Some(into) = smaller(bytes) {
        bytes = into;
    }
    bytes
}

/// An instruction that is being split.
struct Divided<'a> {
    function: &'a mut Function,
    place: Option<LocId>,
    insts: &'a mut Vec<Inst>,
    piece: Width,
    at_once: bool,
}

impl Divided<'_> {
    fn access(&mut self, op: Op) {
        match op {
            Op::Load { dst, access, .. } => self.load(dst, &access),
            Op::Store { access, value } => self.store(&access, value),
            _ => {}
        }
    }

    fn load(&mut self, dst: Reg, access: &Access) {
        let width = access.width;
        // The register of the address may be the one that is loaded.
        let mut loaded = Vec::new();
        self.section(Op::AtomicBegin);
        for offset in self.offsets(width) {
            let access = self.part(access, offset);
            let dst = self.reg(self.piece);
            self.push(Op::Load { dst, access, exclusive: false });
            loaded.push((offset, dst));
        }
        self.section(Op::AtomicEnd);
        let mut whole = Operand::int(width, 0);
        for (offset, part) in loaded {
            let wide = self.reg(width);
            self.push(Op::Cast { dst: wide, op: CastOp::ZeroExtend, a: Operand::Reg(part) });
            let shifted = self.shift(BinaryOp::Shl, Operand::Reg(wide), width, offset);
            whole = match offset {
                0 => shifted,
                _ => self.binary(BinaryOp::Or, width, whole, shifted),
            };
        }
        self.push(Op::Copy { dst, src: whole });
    }

    fn store(&mut self, access: &Access, value: Operand) {
        let width = access.width;
        self.section(Op::AtomicBegin);
        for offset in self.offsets(width) {
            let shifted = self.shift(BinaryOp::LShr, value, width, offset);
            let part = self.reg(self.piece);
            self.push(Op::Cast { dst: part, op: CastOp::Truncate, a: shifted });
            let access = self.part(access, offset);
            self.push(Op::Store { access, value: Operand::Reg(part) });
        }
        self.section(Op::AtomicEnd);
    }

    fn section(&mut self, op: Op) {
        if self.at_once {
            self.push(op);
        }
    }

    /// The offsets of the parts.
    fn offsets(&self, whole: Width) -> Vec<u64> {
        (0..whole.bytes()).step_by(self.piece.bytes() as usize).collect()
    }

    /// The access of the part at an offset.
    fn part(&mut self, access: &Access, offset: u64) -> Access {
        let by = offset as i64;
        let address = match access.address {
            address if offset == 0 => address,
            Operand::Global(id, at) => Operand::Global(id, at + by),
            Operand::Slot(id, at) => Operand::Slot(id, at + by),
            address => {
                let by = Operand::int(Width::PTR, u128::from(offset));
                self.binary(BinaryOp::Add, Width::PTR, address, by)
            }
        };
        let last = offset + self.piece.bytes() - 1;
        let path = access.path.as_ref().map(|path| match offset == last {
            true => format!("{path} (byte {offset})"),
            false => format!("{path} (bytes {offset} to {last})"),
        });
        // The first part checks the alignment of the whole.
        let align = if offset == 0 { access.align } else { 1 };
        let (order, tags) = (access.order, access.tags.clone());
        // A part of a lock word says nothing about who holds it.
        let purpose = Purpose::Data;
        Access { address, width: self.piece, align, order, path, purpose, tags }
    }

    fn shift(&mut self, op: BinaryOp, value: Operand, width: Width, bytes: u64) -> Operand {
        match bytes {
            0 => value,
            _ => self.binary(op, width, value, Operand::int(width, u128::from(bytes) * 8)),
        }
    }

    fn binary(&mut self, op: BinaryOp, width: Width, a: Operand, b: Operand) -> Operand {
        let dst = self.reg(width);
        self.push(Op::Binary { dst, op, a, b, checked: false });
        Operand::Reg(dst)
    }

    fn reg(&mut self, width: Width) -> Reg {
        self.function.regs.push(RegInfo { width, name: None })
    }

    fn push(&mut self, op: Op) {
        self.insts.push(Inst { op, place: self.place });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};
    use crate::verify::verify;
    use execution::span::FileId;

    fn split(body: &str, splits: &[Split]) -> String {
        let text = format!(
            "fpir 1\nfile \"f.c\"\nglobal @g: 16 align 8\n\
             fn f() {{\n  reg %p: i64\nb0:\n{body}  return\n}}\n"
        );
        let program = parse(FileId::new(0), &text).expect("a program").program;
        let program = in_pieces(program, &Pieces { splits: splits.to_vec(), at_once: false });
        assert!(verify(&program).is_empty(), "{:?}", verify(&program));
        print(&program)
    }

    fn at_first_place(bytes: u8, into: u8) -> Split {
        Split { place: 0, bytes, into }
    }

    #[test]
    fn a_load_over_its_own_address_reads_all_pieces_before() {
        let text = split("  %p = load i64 [%p]  !1:1\n", &[at_first_place(8, 4)]);
        let loads: Vec<&str> = text.lines().filter(|line| line.contains("load i32")).collect();
        assert_eq!(loads.len(), 2, "{text}");
        let lines: Vec<&str> = text.lines().collect();
        let last = lines.iter().position(|line| line.contains("%p = copy")).expect("a copy");
        let read = lines.iter().rposition(|line| line.contains("load")).expect("a load");
        assert!(read < last, "{text}");
    }

    #[test]
    fn what_is_split_may_be_split_further() {
        let splits = [at_first_place(8, 4), at_first_place(4, 2)];
        let text = split("  store i64 [@g + 8], %p  !1:1\n", &splits);
        for at in ["@g + 8]", "@g + 10]", "@g + 12]", "@g + 14]"] {
            assert!(text.contains(at), "{text}");
        }
        assert_eq!(text.matches("store i16").count(), 4, "{text}");
    }

    #[test]
    fn pieces_at_once_are_in_one_section() {
        let text = "fpir 1\nfile \"f.c\"\nglobal @g: 16 align 8\n\
                    fn f() {\nb0:\n  store i64 [@g], 1  !1:1\n  return\n}\n";
        let program = parse(FileId::new(0), text).expect("a program").program;
        let program =
            in_pieces(program, &Pieces { splits: vec![at_first_place(8, 4)], at_once: true });
        let [function] = program.functions.as_slice() else { panic!("one function") };
        let insts = &function.blocks[function.entry()].insts;
        assert!(matches!(insts.first().map(|inst| &inst.op), Some(Op::AtomicBegin)));
        assert!(matches!(insts.last().map(|inst| &inst.op), Some(Op::AtomicEnd)));
        let stores = insts.iter().filter(|inst| matches!(inst.op, Op::Store { .. }));
        assert_eq!(stores.count(), 2);
    }

    #[test]
    fn atomic_accesses_and_strange_pieces_stay_whole() {
        let text = split("  store.rlx i64 [@g], %p  !1:1\n", &[at_first_place(8, 4)]);
        assert_eq!(text.matches("store").count(), 1, "{text}");
        for into in [0, 3, 8, 16] {
            let text = split("  store i64 [@g], %p  !1:1\n", &[at_first_place(8, into)]);
            assert_eq!(text.matches("store").count(), 1, "{text}");
        }
    }
}
