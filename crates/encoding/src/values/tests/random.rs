//! Random bounded programs, from a seed.

use crate::bounded::*;
use crate::bytes::Bytes;
use crate::guard::Guard;
use crate::term::TermId;
use execution::event::ThreadId;
use execution::ids::Id;
use ir::locks::Purpose;
use ir::op::{BinaryOp, CastOp, UnaryOp};
use ir::order::Order;
use ir::program::{FuncId, GlobalId, Width};
use ir::step::alignment::Alignment;
use ir::value::{RegionId, Value};

/// Numbers that look random (xorshift, Marsaglia 2003).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

pub const BASE: u64 = 0x1000_0000_0000;

/// A program with `regions` objects of two 64-bit cells, every other one undefined at first.
pub fn objects(regions: usize) -> Bounded {
    let mut bounded = Bounded::default();
    for i in 0..regions {
        let contents =
            if i % 2 == 0 { Contents::Bytes(Bytes::zeroed(16)) } else { Contents::Undefined };
        bounded.regions.push(Region {
            kind: RegionKind::Global { id: GlobalId::new(i), constant: false },
            base: BASE + 0x100 * i as u64,
            size: 16,
            contents,
            freed: Guard::FALSE,
            private: false,
            name: "g".into(),
            layout: None,
            place: None,
        });
    }
    bounded
}

/// Builds a program action by action.
pub struct Builder {
    pub bounded: Bounded,
    pub thread: ThreadId,
}

impl Builder {
    pub fn new(regions: usize) -> Self {
        Self { bounded: objects(regions), thread: ThreadId::new(0) }
    }

    pub fn thread(&mut self) {
        self.thread = self.bounded.threads.push(Thread {
            function: FuncId::new(0),
            parent: None,
            guard: Guard::TRUE,
            actions: Vec::new(),
            ended: Guard::TRUE,
        });
    }

    pub fn pointer(&mut self, region: usize, offset: u64) -> TermId {
        let region = RegionId::new(region);
        let base = self.bounded.regions[region].base;
        self.bounded.terms.value(Value::pointer(region, base + offset))
    }

    pub fn number(&mut self, width: Width, bits: u128) -> TermId {
        self.bounded.terms.value(Value::int(width, bits))
    }

    pub fn choice(&mut self, width: Width, from: Alternatives) -> TermId {
        let (_, term) = self.bounded.terms.input(width);
        let moment = Moment { thread: self.thread, guard: Guard::TRUE, sequence: 0 };
        self.bounded.inputs.push(Input::Choice { from, moment });
        term
    }

    pub fn read(&mut self, address: TermId, guard: Guard) -> TermId {
        self.read_wide(Width::I64, address, guard)
    }

    pub fn read_wide(&mut self, width: Width, address: TermId, guard: Guard) -> TermId {
        let (into, term) = self.bounded.terms.input(width);
        let access = access(address, width);
        let action = self.action(guard, ActionKind::Read { access, into, exclusive: false });
        self.bounded.inputs.push(Input::Read(action));
        term
    }

    pub fn write(&mut self, address: TermId, value: TermId, guard: Guard) -> ActionId {
        let access = access(address, self.bounded.terms.width(value));
        let data = Taint::default();
        self.action(guard, ActionKind::Write { access, value, data, rmw: None })
    }

    fn action(&mut self, guard: Guard, kind: ActionKind) -> ActionId {
        let id = self.bounded.actions.push(Action {
            thread: self.thread,
            guard,
            kind,
            sequence: self.bounded.actions.len() as u32,
            instruction: 0,
            section: None,
            operation: None,
            control: Taint::default(),
            origin: Origin::default(),
        });
        self.bounded.threads[self.thread].actions.push(id);
        id
    }
}

fn access(address: TermId, width: Width) -> Access {
    Access {
        address,
        width,
        orders: vec![(Order::Relaxed, Guard::TRUE)],
        tags: Vec::new(),
        sides: Vec::new(),
        path: None,
        purpose: Purpose::Data,
        taint: Taint::default(),
        alignment: Alignment::NONE,
    }
}

/// A random term made from these, of the same width.
pub fn operation(bounded: &mut Bounded, numbers: &mut Numbers, from: &[TermId]) -> TermId {
    use BinaryOp::*;
    use UnaryOp::*;
    let [a, b] = [numbers.pick(from), numbers.pick(from)];
    let width = bounded.terms.width(a);
    let terms = &mut bounded.terms;
    match numbers.below(10) {
        0 => {
            let ops = [Neg, Not, CountLeadingZeros, CountTrailingZeros, PopCount, DefinedOrZero];
            let op = numbers.pick(&ops);
            terms.unary(op, a)
        }
        1 | 2 => {
            let op = numbers.pick(&[Eq, Ne, Ult, Ule, Slt, Sle]);
            let bit = terms.binary(op, a, b);
            terms.cast(numbers.pick(&[CastOp::ZeroExtend, CastOp::SignExtend]), width, bit)
        }
        3 => {
            let [c, d] = [numbers.pick(from), numbers.pick(from)];
            let bit = terms.binary(numbers.pick(&[Eq, Ult, Sle]), c, d);
            terms.select(bit, a, b)
        }
        4 => {
            let guard = condition(bounded, numbers, from);
            bounded.terms.ite(guard, a, b)
        }
        5 if width > Width::BOOL => {
            let narrow = numbers.pick(&[Width::BOOL, Width::from_bits(width.bits() / 2).unwrap()]);
            let cut = terms.cast(CastOp::Truncate, narrow, a);
            terms.cast(numbers.pick(&[CastOp::ZeroExtend, CastOp::SignExtend]), width, cut)
        }
        6 if width.bits().is_multiple_of(8) => terms.unary(ByteSwap, a),
        _ => {
            let all = [Add, Sub, And, Or, Xor, Shl, LShr, AShr, Mul, UDiv, SDiv, URem, SRem];
            terms.binary(numbers.pick(&all), a, b)
        }
    }
}

/// A random guard over comparisons of these terms.
pub fn condition(bounded: &mut Bounded, numbers: &mut Numbers, from: &[TermId]) -> Guard {
    let mut guard = Guard::TRUE;
    for _ in 0..1 + numbers.below(2) {
        let [a, b] = [numbers.pick(from), numbers.pick(from)];
        let op = numbers.pick(&[BinaryOp::Eq, BinaryOp::Ult, BinaryOp::Slt]);
        let bit = bounded.terms.binary(op, a, b);
        let mut truth = bounded.terms.truth(bit);
        if numbers.chance(50) {
            truth = bounded.terms.guards.not(truth);
        }
        guard = match numbers.chance(60) {
            true => bounded.terms.guards.and(guard, truth),
            false => bounded.terms.guards.ite(guard, truth, Guard::TRUE),
        };
    }
    guard
}

/// A program of two or three threads that read, compute, branch and write.
pub fn program(numbers: &mut Numbers) -> Bounded {
    let mut builder = Builder::new(4);
    for i in 0..2 {
        let value = builder.pointer(numbers.below(4), 8 * numbers.below(2) as u64);
        let cell = InitialCell { width: Width::I64, value };
        builder.bounded.initial.insert(BASE + 0x100 * i + 8, cell);
    }
    for _ in 0..2 + numbers.below(2) {
        builder.thread();
        let mut values = vec![builder.number(Width::I64, 1), builder.number(Width::I64, 8)];
        values.push(builder.choice(Width::I64, Alternatives::Range(-1, 1)));
        if numbers.chance(20) {
            values.push(builder.choice(Width::I64, Alternatives::Any));
        }
        for i in 0..2 + numbers.below(2) {
            values.push(builder.pointer(i, 8 * numbers.below(2) as u64));
        }
        let mut guard = Guard::TRUE;
        for _ in 0..3 + numbers.below(4) {
            match numbers.below(8) {
                0..=2 => {
                    let address = numbers.pick(&values);
                    values.push(builder.read(address, guard));
                }
                3..=4 => {
                    let (address, value) = (numbers.pick(&values), numbers.pick(&values));
                    builder.write(address, value, guard);
                }
                5..=6 => values.push(operation(&mut builder.bounded, numbers, &values)),
                _ => guard = condition(&mut builder.bounded, numbers, &values),
            }
        }
    }
    builder.bounded
}
