//! Random blocks and instructions.

use super::{Random, World, any_id, purpose};
use execution::ids::{Id, IdVec};
use ir::cfg::Dominators;
use ir::op::{
    Access, BinaryOp, Callee, CastOp, Choice, Claim, Conversion, FloatBinary, FloatCast,
    FloatUnary, Inst, McasWord, Op, Operand, PrintFormat, PrintPiece, PrintTarget, RmwOp,
    SwitchCase, Terminator, UnaryOp,
};
use ir::order::{Directions, Fence, Order};
use ir::prepare;
use ir::program::{Block, BlockId, FuncId, Function, Reg, Width};
use ir::tag::Tag;

/// Gives a function random blocks.
pub fn fill(random: &mut Random, world: &World, function: &mut Function) {
    let count = 1 + random.below(6);
    let mut blocks: IdVec<BlockId, Block> = IdVec::new();
    for i in 0..count {
        let later: Vec<BlockId> = (i + 1..count).map(BlockId::new).collect();
        let code = &mut Code { random, world, function };
        let insts = (0..code.random.below(8)).map(|_| code.inst()).collect();
        let terminator = code.terminator(&later);
        blocks.push(Block { insts, terminator, place: world.place(code.random) });
    }
    function.blocks = blocks;
    // Flow so far goes forwards only. A jump back to a dominator keeps it reducible.
    let dominators = Dominators::new(function);
    for from in function.blocks.ids() {
        let targets: Vec<BlockId> =
            function.blocks.ids().filter(|&to| dominators.dominates(to, from)).collect();
        let back = |to: BlockId| if random.coin() { random.pick(&targets) } else { to };
        if !targets.is_empty() && from.index() % 2 == 1 {
            let mut terminator = function.blocks[from].terminator.clone();
            terminator.map_targets(back);
            function.blocks[from].terminator = terminator;
        }
    }
    *function = prepare::built(function.clone());
}

struct Code<'c> {
    random: &'c mut Random,
    world: &'c World,
    function: &'c Function,
}

const COMPARISONS: [BinaryOp; 6] =
    [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Ult, BinaryOp::Ule, BinaryOp::Slt, BinaryOp::Sle];
const ARITHMETIC: [BinaryOp; 13] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::UDiv,
    BinaryOp::SDiv,
    BinaryOp::URem,
    BinaryOp::SRem,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Shl,
    BinaryOp::LShr,
    BinaryOp::AShr,
];
const LOAD_ORDERS: [Order; 8] = [
    Order::AcqRel,
    Order::NonAtomic,
    Order::Volatile,
    Order::Relaxed,
    Order::Consume,
    Order::Acquire,
    Order::AcquirePc,
    Order::SeqCst,
];
const STORE_ORDERS: [Order; 6] = [
    Order::NonAtomic,
    Order::Volatile,
    Order::Relaxed,
    Order::Release,
    Order::AcqRel,
    Order::SeqCst,
];

impl Code<'_> {
    fn inst(&mut self) -> Inst {
        let op = match self.random.below(4) {
            0 => self.pure(),
            1 => self.memory(),
            2 => self.other(),
            _ => self.rare(),
        };
        Inst { op, place: self.world.place(self.random) }
    }

    /// Any register, and its width.
    fn reg(&mut self) -> (Reg, Width) {
        let reg = any_id(self.random, self.function.regs.len());
        (reg, self.function.regs[reg].width)
    }

    /// A register of a width, if there is one.
    fn reg_of(&mut self, width: Width) -> Option<Reg> {
        let fitting: Vec<Reg> = self
            .function
            .regs
            .enumerate()
            .filter(|(_, r)| r.width == width)
            .map(|(r, _)| r)
            .collect();
        if fitting.is_empty() { None } else { Some(self.random.pick(&fitting)) }
    }

    fn ptr_reg(&mut self) -> Reg {
        self.reg_of(Width::I64).expect("every function has one")
    }

    /// An operand of a width.
    fn operand(&mut self, width: Width) -> Operand {
        match self.random.below(5) {
            0 | 1 => match self.reg_of(width) {
                Some(reg) => Operand::Reg(reg),
                None => Operand::Undef(width),
            },
            2 if width == Width::PTR => self.address(),
            3 => Operand::Undef(width),
            _ => Operand::int(width, self.random.bits()),
        }
    }

    fn address(&mut self) -> Operand {
        let offset = self.random.offset();
        match self.random.below(3) {
            0 if self.world.globals > 0 => {
                Operand::Global(any_id(self.random, self.world.globals), offset)
            }
            1 if !self.function.slots.is_empty() => {
                Operand::Slot(any_id(self.random, self.function.slots.len()), offset)
            }
            _ => Operand::Function(any_id(self.random, self.world.signatures.len())),
        }
    }

    fn any_operand(&mut self) -> Operand {
        let width = self.random.width();
        self.operand(width)
    }

    fn pure(&mut self) -> Op {
        let (dst, width) = self.reg();
        let checked = self.random.coin();
        let cast = |op, from: u32| (op, Width::from_bits(from).expect("1 to 128"));
        match self.random.below(7) {
            0 => Op::Copy { dst, src: self.operand(width) },
            6 => self.float(),
            1 => {
                let mut ops = vec![
                    UnaryOp::Neg,
                    UnaryOp::Not,
                    UnaryOp::CountLeadingZeros,
                    UnaryOp::CountTrailingZeros,
                    UnaryOp::PopCount,
                ];
                if width.bits().is_multiple_of(8) {
                    ops.push(UnaryOp::ByteSwap);
                }
                Op::Unary { dst, op: self.random.pick(&ops), a: self.operand(width), checked }
            }
            2 => {
                let op = self.random.pick(&ARITHMETIC);
                Op::Binary { dst, op, a: self.operand(width), b: self.operand(width), checked }
            }
            3 => {
                let dst = self.reg_of(Width::BOOL).expect("every function has one");
                let (op, width) = (self.random.pick(&COMPARISONS), self.random.width());
                Op::Binary { dst, op, a: self.operand(width), b: self.operand(width), checked }
            }
            4 => {
                let smaller = 1 + self.random.below(width.bits() as usize) as u32;
                let larger = width.bits() + self.random.below(129 - width.bits() as usize) as u32;
                let (op, from) = self.random.pick(&[
                    cast(CastOp::ZeroExtend, smaller),
                    cast(CastOp::SignExtend, smaller),
                    cast(CastOp::Truncate, larger),
                ]);
                Op::Cast { dst, op, a: self.operand(from) }
            }
            _ => {
                let cond = self.operand(Width::BOOL);
                Op::Select { dst, cond, a: self.operand(width), b: self.operand(width) }
            }
        }
    }

    fn float(&mut self) -> Op {
        let width = self.random.pick(&[Width::I32, Width::I64]);
        let dst = self.reg_of(width).expect("every function has one");
        match self.random.below(4) {
            0 => {
                let op = self.random.pick(&[
                    FloatUnary::Sqrt,
                    FloatUnary::Floor,
                    FloatUnary::Ceil,
                    FloatUnary::Round,
                    FloatUnary::RoundEven,
                    FloatUnary::Trunc,
                ]);
                Op::Unary { dst, op: UnaryOp::Float(op), a: self.operand(width), checked: false }
            }
            1 => {
                let op = self.random.pick(&[
                    FloatBinary::Add,
                    FloatBinary::Sub,
                    FloatBinary::Mul,
                    FloatBinary::Div,
                    FloatBinary::Rem,
                ]);
                let (op, a, b) = (BinaryOp::Float(op), self.operand(width), self.operand(width));
                Op::Binary { dst, op, a, b, checked: false }
            }
            2 => {
                let dst = self.reg_of(Width::BOOL).expect("every function has one");
                let op = self.random.pick(&[FloatBinary::Eq, FloatBinary::Lt, FloatBinary::Le]);
                let (op, a, b) = (BinaryOp::Float(op), self.operand(width), self.operand(width));
                Op::Binary { dst, op, a, b, checked: false }
            }
            _ => {
                let (op, from) = self.random.pick(&[
                    (FloatCast::FromSigned, Width::I8),
                    (FloatCast::FromUnsigned, Width::I64),
                    (FloatCast::ToSigned, Width::I64),
                    (FloatCast::ToUnsigned, Width::I32),
                    (FloatCast::Resize, Width::I32),
                ]);
                Op::Cast { dst, op: CastOp::Float(op), a: self.operand(from) }
            }
        }
    }

    fn access(&mut self, width: Width, orders: &[Order]) -> Access {
        Access {
            address: self.operand(Width::PTR),
            width,
            align: self.random.maybe(Random::align).unwrap_or(1),
            order: self.random.pick(orders),
            path: self.random.maybe(Random::name),
            purpose: purpose(self.random),
            tags: self.random.some(2, |random| Tag::parse(&random.name())),
        }
    }

    fn memory(&mut self) -> Op {
        let width = self.random.byte_width();
        match self.random.below(6) {
            0 => {
                let width = self.random.pick(&[Width::I8, Width::I32, Width::I64]);
                let dst = self.reg_of(width).expect("every function has one");
                let exclusive = self.random.coin();
                Op::Load { dst, access: self.access(width, &LOAD_ORDERS), exclusive }
            }
            1 => {
                Op::Store { access: self.access(width, &STORE_ORDERS), value: self.operand(width) }
            }
            2 => Op::StoreExclusive {
                failed: self.reg().0,
                access: self.access(width, &Order::ALL),
                value: self.operand(width),
            },
            3 => {
                let ops = [
                    RmwOp::Exchange,
                    RmwOp::Add,
                    RmwOp::Sub,
                    RmwOp::And,
                    RmwOp::Or,
                    RmwOp::Xor,
                    RmwOp::Nand,
                    RmwOp::Max,
                    RmwOp::Min,
                    RmwOp::UMax,
                    RmwOp::UMin,
                ];
                Op::Rmw {
                    dst: self.reg_of(width).filter(|_| self.random.coin()),
                    op: self.random.pick(&ops),
                    access: self.access(width, &Order::ALL),
                    value: self.operand(width),
                }
            }
            4 => Op::Cas {
                dst: self.reg_of(width).filter(|_| self.random.coin()),
                success: self.reg_of(Width::BOOL).filter(|_| self.random.coin()),
                access: self.access(width, &Order::ALL),
                expected: self.operand(width),
                desired: self.operand(width),
                failure: self.random.pick(&LOAD_ORDERS[1..]),
                weak: self.random.coin(),
            },
            _ => {
                let words = 1 + self.random.below(3);
                let words = (0..words).map(|_| McasWord {
                    access: self.access(width, &Order::ALL),
                    expected: self.operand(width),
                    desired: self.operand(width),
                });
                let words = words.collect();
                Op::Mcas { success: self.reg_of(Width::BOOL).filter(|_| self.random.coin()), words }
            }
        }
    }

    fn args(&mut self, callee: FuncId) -> Vec<Operand> {
        let widths = self.world.signatures[callee.index()].0.clone();
        widths.into_iter().map(|width| self.operand(width)).collect()
    }

    fn any_args(&mut self) -> Vec<Operand> {
        (0..self.random.below(3)).map(|_| self.any_operand()).collect()
    }

    fn other(&mut self) -> Op {
        match self.random.below(8) {
            0 => {
                let callee: FuncId = any_id(self.random, self.world.signatures.len());
                let result = self.world.signatures[callee.index()].1;
                let dst = result.and_then(|width| self.reg_of(width));
                Op::Call { dst, callee: Callee::Direct(callee), args: self.args(callee) }
            }
            1 => {
                let dst = self.random.maybe(|_| ()).map(|()| self.reg().0);
                let address = self.operand(Width::PTR);
                Op::Call { dst, callee: Callee::Indirect(address), args: self.any_args() }
            }
            2 => {
                let callee: FuncId = any_id(self.random, self.world.signatures.len());
                let dst = self.ptr_reg();
                Op::Spawn { dst, callee: Callee::Direct(callee), args: self.args(callee) }
            }
            3 => Op::Alloc {
                dst: self.ptr_reg(),
                size: self.operand(Width::I64),
                align: Operand::int(Width::I64, self.random.align().into()),
                zeroed: self.random.coin(),
                layout: self.world.layout(self.random),
            },
            4 => Op::Fence(self.fence()),
            5 => {
                let (dst, width) = self.reg();
                let from = match self.random.below(3) {
                    0 => Choice::Range(self.operand(width), self.operand(width)),
                    1 => Choice::Set((0..2).map(|_| self.operand(width)).collect()),
                    _ => Choice::Any,
                };
                Op::Choose { dst, from }
            }
            _ => {
                let target = match self.random.below(3) {
                    0 => PrintTarget::Stdout,
                    1 => PrintTarget::Stderr,
                    _ => PrintTarget::Buffer {
                        address: self.operand(Width::PTR),
                        size: self.operand(Width::I64),
                    },
                };
                let pieces = (0..self.random.below(4)).map(|_| self.piece()).collect();
                let dst = if self.random.coin() { Some(self.reg().0) } else { None };
                Op::Print { dst, target, pieces }
            }
        }
    }

    fn fence(&mut self) -> Fence {
        let orders = [
            Order::Relaxed,
            Order::Consume,
            Order::Acquire,
            Order::Release,
            Order::AcqRel,
            Order::SeqCst,
        ];
        match self.random.below(4) {
            0 => Fence::Directed(Directions {
                load_load: true,
                load_store: self.random.coin(),
                store_load: self.random.coin(),
                store_store: self.random.coin(),
            }),
            1 => Fence::C11(self.random.pick(&orders)),
            2 => Fence::Compiler,
            _ => Fence::Named(format!("{}.", self.random.name())),
        }
    }

    fn piece(&mut self) -> PrintPiece {
        if self.random.coin() {
            return PrintPiece::Text(self.random.name());
        }
        let (conversion, address) = self.random.pick(&[
            (Conversion::Signed, false),
            (Conversion::Unsigned, false),
            (Conversion::Octal, false),
            (Conversion::Hex, false),
            (Conversion::HexUpper, false),
            (Conversion::Char, false),
            (Conversion::String, true),
            (Conversion::Pointer, true),
            (Conversion::Fixed { upper: true }, true),
            (Conversion::Exponent { upper: false }, true),
            (Conversion::General { upper: false }, true),
        ]);
        let width = if address { Width::PTR } else { self.random.width() };
        let value = self.operand(width);
        let format = PrintFormat {
            conversion,
            left: self.random.coin(),
            plus: self.random.coin(),
            space: self.random.coin(),
            alternate: self.random.coin(),
            zero: self.random.coin(),
            width: if self.random.coin() { Some(self.operand(Width::I32)) } else { None },
            precision: if self.random.coin() { Some(self.operand(Width::I32)) } else { None },
        };
        PrintPiece::Value { format, value }
    }

    fn rare(&mut self) -> Op {
        match self.random.below(16) {
            0 => Op::AtomicBegin,
            1 => Op::AtomicEnd,
            2 if !self.function.slots.is_empty() => {
                Op::Enter { slot: any_id(self.random, self.function.slots.len()) }
            }
            3 => Op::Free { address: self.operand(Width::PTR) },
            4 => Op::BlockSize { dst: self.ptr_reg(), address: self.operand(Width::PTR) },
            5 if self.random.coin() => Op::Detach { thread: self.operand(Width::I64) },
            5 => Op::Join { dst: None, thread: self.operand(Width::I64) },
            6 => Op::Join { dst: Some(self.reg().0), thread: self.operand(Width::I64) },
            7 => Op::Self_ { dst: self.ptr_reg() },
            8 => Op::Assert {
                cond: self.operand(Width::BOOL),
                claim: self.random.pick(&Claim::ALL),
                message: self.random.name(),
            },
            9 if self.random.coin() => {
                Op::Bound { index: self.operand(Width::PTR), length: self.random.below(9) as u64 }
            }
            9 => Op::Assume { cond: self.operand(Width::BOOL), waits: self.random.coin() },
            10 => Op::Observe { label: self.random.name(), value: self.any_operand() },
            11 => Op::Commit { label: self.random.name() },
            12 => Op::OperationBegin { name: self.random.name(), args: self.any_args() },
            13 => Op::OperationEnd { result: None },
            14 => Op::OperationEnd { result: Some(self.any_operand()) },
            _ => Op::Yield,
        }
    }

    /// A terminator that goes to later blocks only.
    fn terminator(&mut self, later: &[BlockId]) -> Terminator {
        let result = self.function.result;
        let choice = if later.is_empty() { self.random.below(4) } else { 4 + self.random.below(3) };
        match choice {
            0 | 1 => Terminator::Return(result.map(|width| self.operand(width))),
            2 => {
                let value = if self.random.coin() { Some(self.any_operand()) } else { None };
                Terminator::ThreadExit(value)
            }
            3 if self.random.coin() => Terminator::Exit(self.operand(Width::I32)),
            3 => Terminator::Trap(self.random.name()),
            4 => Terminator::Jump(self.random.pick(later)),
            5 => Terminator::Branch {
                cond: self.operand(Width::BOOL),
                then: self.random.pick(later),
                otherwise: self.random.pick(later),
            },
            _ => {
                let width = Width::from_bits(8 + self.random.below(121) as u32).expect("a width");
                let mut cases = Vec::new();
                let mut next = 0;
                for _ in 0..self.random.below(4) {
                    let low = next + self.random.below(3) as u128;
                    let high = low + self.random.below(3) as u128;
                    cases.push(SwitchCase { low, high, target: self.random.pick(later) });
                    next = high + 1;
                }
                if self.random.coin() && width.mask() > next {
                    let (low, high) = (width.mask() - 1, width.mask());
                    cases.insert(0, SwitchCase { low, high, target: self.random.pick(later) });
                }
                let value = self.operand(width);
                Terminator::Switch { value, cases, default: self.random.pick(later) }
            }
        }
    }
}
