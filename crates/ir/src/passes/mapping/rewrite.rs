//! Rewrites a function by the table of a mapping.

use super::fences;
use super::{Mapping, Row, Step, Strength, Unsupported, Update, foreign};
use crate::op::{Access, BinaryOp, Inst, McasWord, Op, Operand, Terminator};
use crate::order::{Fence, Order};
use crate::program::{Block, BlockId, Function, LocId, Reg, RegInfo, Width};
use crate::tag::Tag;
use execution::ids::IdVec;

/// A function in the making. Blocks keep their ids; new ones come after them.
pub(super) struct Rewriter<'m> {
    pub(super) mapping: &'m dyn Mapping,
    pub(super) regs: IdVec<Reg, RegInfo>,
    blocks: IdVec<BlockId, Block>,
    current: BlockId,
    /// Of the instruction that is being rewritten.
    pub(super) place: Option<LocId>,
}

/// The function as it is compiled.
pub(super) fn function(
    function: &Function,
    mapping: &dyn Mapping,
) -> Result<Function, Unsupported> {
    let emptied = |block: &Block| Block { insts: Vec::new(), ..block.clone() };
    let mut rewriter = Rewriter {
        mapping,
        regs: function.regs.clone(),
        blocks: function.blocks.iter().map(emptied).collect(),
        current: function.entry(),
        place: None,
    };
    for (id, block) in function.blocks.enumerate() {
        rewriter.current = id;
        for inst in &block.insts {
            rewriter.place = inst.place;
            rewriter.instruction(&inst.op)?;
        }
        let last = &mut rewriter.blocks[rewriter.current];
        (last.terminator, last.place) = (block.terminator.clone(), block.place);
    }
    let Rewriter { regs, blocks, .. } = rewriter;
    Ok(Function { regs, blocks, ..function.clone() })
}

impl Rewriter<'_> {
    fn instruction(&mut self, op: &Op) -> Result<(), Unsupported> {
        match op {
            Op::Fence(fence) => return self.fence(fence),
            Op::Load { dst, access, exclusive } => {
                let row = match access.order {
                    Order::Relaxed => self.mapping.relaxed_load(),
                    order => self.mapping.load(Strength::of(order)),
                };
                let access = compiled(access, row.tags);
                let load = Op::Load { dst: *dst, access, exclusive: *exclusive };
                self.around(row, load, Some(*dst));
            }
            Op::Store { access, value } => {
                let row = self.mapping.store(Strength::of(access.order));
                let access = compiled(access, row.tags);
                self.around(row, Op::Store { access, value: *value }, None);
            }
            Op::StoreExclusive { failed, access, value } => {
                let row = self.mapping.store(Strength::of(access.order));
                let access = compiled(access, row.tags);
                let (failed, value) = (*failed, *value);
                self.around(row, Op::StoreExclusive { failed, access, value }, None);
            }
            Op::Rmw { dst, op, access, value } => {
                match self.mapping.update(Strength::of(access.order), None) {
                    Update::Single(row) => {
                        let access = compiled(access, row.tags);
                        let rmw = Op::Rmw { dst: *dst, op: *op, access, value: *value };
                        self.around(row, rmw, *dst);
                    }
                    Update::Exclusive(pair) => self.update_pair(pair, *dst, *op, access, *value),
                }
            }
            Op::Cas { dst, success, access, expected, desired, failure, weak } => {
                let failing = Strength::of(*failure);
                let order = Strength::of(access.order).join(failing);
                match self.mapping.update(order, Some(failing)) {
                    Update::Single(row) => {
                        let cas = Op::Cas {
                            dst: *dst,
                            success: *success,
                            access: compiled(access, row.tags),
                            expected: *expected,
                            desired: *desired,
                            failure: plain(*failure),
                            weak: *weak,
                        };
                        self.around(row, cas, *dst);
                    }
                    Update::Exclusive(pair) => {
                        let values = (*expected, *desired);
                        self.compare_and_swap_pair(pair, (*dst, *success), access, values, *weak);
                    }
                }
            }
            Op::Mcas { success, words } => return self.multi_word(*success, words),
            other => self.emit(other.clone()),
        }
        Ok(())
    }

    /// No architecture has such an instruction, so no table has a row for one with an order.
    fn multi_word(&mut self, success: Option<Reg>, words: &[McasWord]) -> Result<(), Unsupported> {
        let relaxed = |word: &McasWord| Strength::of(word.access.order) == Strength::Relaxed;
        if !words.iter().all(relaxed) {
            let what = "a multi-word compare-and-swap with a memory order".to_string();
            return Err(Unsupported { what, place: self.place });
        }
        self.emit(Op::Mcas { success, words: words.to_vec() });
        Ok(())
    }

    fn around(&mut self, row: Row, op: Op, read: Option<Reg>) {
        self.steps(row.before, None);
        self.emit(op);
        self.steps(row.after, read);
    }

    pub(super) fn steps(&mut self, steps: &[Step], read: Option<Reg>) {
        for step in steps {
            match (step, read) {
                (Step::Named(name), _) => self.emit(Op::Fence(Fence::Named(name.to_string()))),
                (Step::Directed(directions), _) => {
                    self.emit(Op::Fence(Fence::Directed(*directions)));
                }
                (Step::Branch, Some(read)) => self.depend_on(read),
                (Step::Branch, None) => unreachable!("a branch on what was not read"),
            }
        }
    }

    /// A branch on what was read that is always taken the same way: what follows depends on it.
    /// It is written so that it does not use the undefined bits of what was read.
    pub(super) fn depend_on(&mut self, read: Reg) {
        let width = self.regs[read].width;
        let zero = Operand::int(width, 0);
        let nothing = self.binary(BinaryOp::And, Operand::Reg(read), zero);
        let cond = self.binary(BinaryOp::Eq, nothing, zero);
        self.emit(Op::Assume { cond, waits: true });
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        let width = match (op.is_comparison(), a, b) {
            (true, ..) => Width::BOOL,
            (_, Operand::Reg(reg), _) | (_, _, Operand::Reg(reg)) => self.regs[reg].width,
            (_, Operand::Int { width, .. } | Operand::Undef(width), _) => width,
            (_, Operand::Global(..) | Operand::Slot(..) | Operand::Function(_), _) => Width::PTR,
        };
        let dst = self.reg(width);
        self.emit(Op::Binary { dst, op, a, b, checked: false });
        Operand::Reg(dst)
    }

    pub(super) fn reg(&mut self, width: Width) -> Reg {
        self.regs.push(RegInfo { width, name: None })
    }

    pub(super) fn emit(&mut self, op: Op) {
        self.blocks[self.current].insts.push(Inst { op, place: self.place });
    }

    /// A new block, not current.
    pub(super) fn new_block(&mut self) -> BlockId {
        let terminator = Terminator::Trap("unfinished block".to_string());
        self.blocks.push(Block { insts: Vec::new(), terminator, place: self.place })
    }

    /// Ends the current block and goes on in another.
    pub(super) fn end_block(&mut self, terminator: Terminator, next: BlockId) {
        let block = &mut self.blocks[self.current];
        (block.terminator, block.place) = (terminator, self.place);
        self.current = next;
    }

    fn fence(&mut self, fence: &Fence) -> Result<(), Unsupported> {
        match fence {
            Fence::Compiler => self.emit(Op::Fence(Fence::Compiler)),
            Fence::C11(order) => self.steps(self.mapping.fence(Strength::of(*order)), None),
            Fence::Directed(directions) => {
                let steps = self.mapping.directed(*directions);
                self.steps(&steps, None);
            }
            Fence::Named(name) => match fences::known(name) {
                Some((family, cat)) if self.mapping.knows(family) => {
                    self.emit(Op::Fence(Fence::Named(cat.to_string())));
                }
                _ => {
                    let what = foreign(name, self.mapping.name());
                    return Err(Unsupported { what, place: self.place });
                }
            },
        }
        Ok(())
    }
}

/// An access with annotations in the place of its memory order.
pub(super) fn compiled(access: &Access, tags: &[Tag]) -> Access {
    let mut access = access.clone();
    access.order = plain(access.order);
    access.tags.extend(tags.iter().cloned());
    access
}

/// What is left of a memory order: whether the access is atomic.
fn plain(order: Order) -> Order {
    if order.is_atomic() { Order::Relaxed } else { order }
}
