//! Instructions, terminators and operands of the load-store language.

use crate::layout::LayoutId;
use crate::locks::Purpose;
use crate::native::NativeFunction;
use crate::order::{Fence, Order};
use crate::program::{BlockId, FuncId, GlobalId, LocId, Reg, SlotId, Width};
use crate::tag::Tag;
use execution::finding::FindingKind;

/// An instruction with its source place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// Where it comes from.
    pub place: Option<LocId>,
}

/// A value that needs no computing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// The contents of a register.
    Reg(Reg),
    /// A number. A null pointer is the number zero of width [`Width::PTR`].
    Int {
        /// Its width.
        width: Width,
        /// Its bits; those above the width are zero.
        bits: u128,
    },
    /// The address of a global (for a thread-local one, of the running thread's) plus an offset.
    Global(GlobalId, i64),
    /// The address of a stack object of the running call plus an offset.
    Slot(SlotId, i64),
    /// The address of a function.
    Function(FuncId),
    /// An undefined value.
    Undef(Width),
}

impl Operand {
    /// A number of a width; bits above the width are dropped.
    pub fn int(width: Width, bits: u128) -> Operand {
        Operand::Int { width, bits: bits & width.mask() }
    }

    /// The null pointer.
    pub const NULL: Operand = Operand::Int { width: Width::PTR, bits: 0 };
}

/// A memory access: where, how wide, in what order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The address.
    pub address: Operand,
    /// The width; a whole number of bytes.
    pub width: Width,
    /// What the address must be a multiple of in the source language, a power of two; 1 where any
    /// address will do, or where it cannot be another. (An atomic access must be at a multiple of
    /// its width in any case.)
    pub align: u64,
    /// The memory order.
    pub order: Order,
    /// What the source calls this place: `q->tail->next`.
    pub path: Option<String>,
    /// What the access is for. Only the code of the library says more than [`Purpose::Data`].
    pub purpose: Purpose,
    /// What models know about it besides: annotations of its events, fences around it, that it is
    /// neither read nor write, and on which side of an operator of C it is.
    pub tags: Vec<Tag>,
}

/// What an instruction does.
///
/// Every register read must have been written on every path, or it reads as undefined. Operands
/// of one operation have the same width unless said otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// `dst = src`.
    Copy { dst: Reg, src: Operand },
    /// `dst = op a`.
    Unary { dst: Reg, op: UnaryOp, a: Operand, checked: bool },
    /// `dst = a op b`. A comparison gives one bit. For shifts, `b` has the width of `a`.
    /// `checked` marks arithmetic in which signed overflow is undefined in the source language; the
    /// result still wraps. A shift by the width or more is undefined whether it is marked or not,
    /// and the amount is taken modulo the width. A left shift that is marked overflows if its
    /// operand is negative or if a bit is shifted into the sign or out.
    Binary { dst: Reg, op: BinaryOp, a: Operand, b: Operand, checked: bool },
    /// `dst = cast a`, to the width of `dst`.
    Cast { dst: Reg, op: CastOp, a: Operand },
    /// `dst = cond ? a : b`, without a branch; `cond` has one bit.
    Select { dst: Reg, cond: Operand, a: Operand, b: Operand },

    /// Reads memory. An exclusive load is paired with the next exclusive store of its thread.
    Load { dst: Reg, access: Access, exclusive: bool },
    /// Writes memory.
    Store { access: Access, value: Operand },
    /// Writes memory if the exclusive load before it is still good; `failed` is set to 0 where
    /// the store took place and to 1 where it did not.
    StoreExclusive { failed: Reg, access: Access, value: Operand },
    /// Reads, computes and writes in one step; `dst` is the old value.
    Rmw { dst: Option<Reg>, op: RmwOp, access: Access, value: Operand },
    /// Compares and swaps in one step; `dst` is the old value and `success` (one bit) says
    /// whether the new value was written. A weak one may fail although the values are equal.
    Cas {
        dst: Option<Reg>,
        success: Option<Reg>,
        access: Access,
        expected: Operand,
        desired: Operand,
        failure: Order,
        weak: bool,
    },
    /// Compares and swaps several words in one step (DCAS and wider).
    Mcas { success: Option<Reg>, words: Vec<McasWord> },
    /// Orders other accesses.
    Fence(Fence),
    /// Starts an atomic section: until its end no other thread takes a step. Sections nest. An
    /// assumption that waits and fails makes the thread wait, as of the section's begin.
    AtomicBegin,
    /// Ends an atomic section.
    AtomicEnd,

    /// Starts the lifetime of a stack object again: its contents become undefined.
    Enter { slot: SlotId },
    /// Allocates a heap block.
    Alloc { dst: Reg, size: Operand, align: Operand, zeroed: bool, layout: Option<LayoutId> },
    /// Frees a heap block; nothing happens for null.
    Free { address: Operand },
    /// `dst` = the size of the heap block that `address` is the start of.
    BlockSize { dst: Reg, address: Operand },

    /// `dst` = what a function of a shared library gives for these arguments.
    Native { dst: Reg, function: NativeFunction, args: Vec<Operand> },

    /// Starts a thread that calls `callee` with `args`; `dst` is its handle.
    Spawn { dst: Reg, callee: Callee, args: Vec<Operand> },
    /// Waits until a thread has ended; `dst` is its result (zero where it has none).
    Join { dst: Option<Reg>, thread: Operand },
    /// From now on no thread awaits this one, and the program may end while it still runs; nothing,
    /// if it is not a thread.
    Detach { thread: Operand },
    /// `dst` = the handle of the running thread.
    Self_ { dst: Reg },
    /// Says that the thread is waiting for others; it is only a hint to a scheduler.
    Yield,

    /// It is a finding if `cond` (one bit) is 0; whose claim it is says which.
    Assert { cond: Operand, claim: Claim, message: String },
    /// It is a finding if `index` (64 bits, unsigned) is not less than `length`: an array that is a
    /// part of an object ends there.
    Bound { index: Operand, length: u64 },
    /// Executions in which `cond` (one bit) is 0 are discarded; or, inside an atomic section,
    /// the thread waits until it is not, if this `waits`.
    Assume { cond: Operand, waits: bool },
    /// `dst` = any of these.
    Choose { dst: Reg, from: Choice },
    /// The client sees this value.
    Observe { label: String, value: Operand },
    /// The operation takes effect here (commit-point method).
    Commit { label: String },
    /// An operation of the data type starts, with its arguments.
    OperationBegin { name: String, args: Vec<Operand> },
    /// The operation that started last ends, with its result.
    OperationEnd { result: Option<Operand> },

    /// Calls a function.
    Call { dst: Option<Reg>, callee: Callee, args: Vec<Operand> },
    /// Prints; `dst` is the number of characters.
    Print { dst: Option<Reg>, target: PrintTarget, pieces: Vec<PrintPiece> },
}

/// One word of a multi-word compare-and-swap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct McasWord {
    /// The word.
    pub access: Access,
    /// What it must hold.
    pub expected: Operand,
    /// What is written if all words hold what they must.
    pub desired: Operand,
}

/// A function to call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// This one.
    Direct(FuncId),
    /// The one at this address, which must take these arguments and give this result.
    Indirect(Operand),
}

/// Pure operations of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// Two's-complement negation.
    Neg,
    /// All bits flipped.
    Not,
    /// Number of leading zero bits (the width for zero).
    CountLeadingZeros,
    /// Number of trailing zero bits (the width for zero).
    CountTrailingZeros,
    /// Number of one bits.
    PopCount,
    /// The bytes in the opposite order.
    ByteSwap,
    /// The number itself if all of its bits are defined, and zero otherwise.
    DefinedOrZero,
    /// Of the address of an object: where its members begin, as bits of a number, the highest of which
    /// stands where they begin again. It is decided once for the whole program (the pass `members`);
    /// words of 8 bytes before that.
    Members,
    /// Of a floating-point number.
    Float(FloatUnary),
}

/// Pure operations of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Unsigned quotient; dividing by zero is a finding.
    UDiv,
    /// Signed quotient, truncated; dividing by zero and `MIN / -1` are findings.
    SDiv,
    /// Unsigned remainder.
    URem,
    /// Signed remainder, with the sign of the dividend.
    SRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift left.
    Shl,
    /// Shift right, filling with zeros.
    LShr,
    /// Shift right, filling with the sign.
    AShr,
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Unsigned less.
    Ult,
    /// Unsigned less or equal.
    Ule,
    /// Signed less.
    Slt,
    /// Signed less or equal.
    Sle,
    /// Of floating-point numbers.
    Float(FloatBinary),
}

impl Op {
    /// Whether it computes with signed numbers, as far as that is known: the bits of a product do not say it.
    pub fn is_signed(&self) -> bool {
        match self {
            Op::Binary { op: BinaryOp::Mul, checked, .. } => *checked,
            Op::Binary { op, .. } => matches!(op, BinaryOp::SDiv | BinaryOp::SRem),
            _ => false,
        }
    }
}

impl BinaryOp {
    /// Whether it is a product, a quotient, a remainder, or floating-point arithmetic.
    pub fn is_multiplicative(self) -> bool {
        use BinaryOp::{Float, Mul, SDiv, SRem, UDiv, URem};
        match self {
            Mul | UDiv | SDiv | URem | SRem => true,
            Float(_) => !self.is_comparison(),
            _ => false,
        }
    }

    /// Whether it is a shift.
    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr)
    }

    /// Whether the result is one bit.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        match self {
            Float(op) => matches!(op, FloatBinary::Eq | FloatBinary::Lt | FloatBinary::Le),
            op => matches!(op, Eq | Ne | Ult | Ule | Slt | Sle),
        }
    }
}

/// Operations on one floating-point number: binary32 or binary64, by the width. Negation and the
/// absolute value are operations on bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatUnary {
    /// Square root.
    Sqrt,
    /// The greatest whole number that is not greater.
    Floor,
    /// The least whole number that is not less.
    Ceil,
    /// The nearest whole number; halves away from zero.
    Round,
    /// The nearest whole number; halves to the even one.
    RoundEven,
    /// The whole part.
    Trunc,
}

/// Operations on two floating-point numbers, rounded to nearest. A comparison with a NaN does not
/// hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatBinary {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient; infinite, or a NaN, for a divisor of zero.
    Div,
    /// Remainder, with the sign of the dividend: `fmod`.
    Rem,
    /// Equal; zero equals minus zero.
    Eq,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
}

/// Changes of width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastOp {
    /// To a larger or equal width, filling with zeros.
    ZeroExtend,
    /// To a larger or equal width, filling with the sign.
    SignExtend,
    /// To a smaller or equal width.
    Truncate,
    /// From or to a floating-point number; the width may stay.
    Float(FloatCast),
}

/// Conversions of floating-point numbers (binary32 or binary64, by the width), rounded to nearest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatCast {
    /// From a signed number.
    FromSigned,
    /// From an unsigned number.
    FromUnsigned,
    /// The whole part, as a signed number. One that does not fit is undefined in the source
    /// language: an overflow, and an undefined value.
    ToSigned,
    /// The same, as an unsigned number.
    ToUnsigned,
    /// To the other format.
    Resize,
}

/// What a read-modify-write computes from the old value and its operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RmwOp {
    /// The operand.
    Exchange,
    /// Old + operand.
    Add,
    /// Old - operand.
    Sub,
    /// Old & operand.
    And,
    /// Old | operand.
    Or,
    /// Old ^ operand.
    Xor,
    /// ~(old & operand).
    Nand,
    /// Signed maximum.
    Max,
    /// Signed minimum.
    Min,
    /// Unsigned maximum.
    UMax,
    /// Unsigned minimum.
    UMin,
}

/// The values a nondeterministic choice may take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// All numbers from the first to the second, as signed numbers of the register's width.
    Range(Operand, Operand),
    /// One of these.
    Set(Vec<Operand>),
    /// Any value of the register's width.
    Any,
}

/// Where printed text goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrintTarget {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// Memory, cut to `size` bytes with a final zero, as `snprintf` does.
    Buffer { address: Operand, size: Operand },
}

/// A part of what is printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrintPiece {
    /// This text.
    Text(String),
    /// A number, pointer, character or string, in a format.
    Value { format: PrintFormat, value: Operand },
}

/// A conversion of `printf`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintFormat {
    /// What is printed.
    pub conversion: Conversion,
    /// `-`: to the left of its field.
    pub left: bool,
    /// `+`: always with a sign.
    pub plus: bool,
    /// A blank in the place of a plus sign.
    pub space: bool,
    /// `#`: with `0x` or `0`.
    pub alternate: bool,
    /// `0`: filled with zeros.
    pub zero: bool,
    /// The least number of characters.
    pub width: Option<Operand>,
    /// The least number of digits, or the greatest number of characters of a string; for a
    /// floating-point number, the digits after the point, or all significant ones.
    pub precision: Option<Operand>,
}

/// What a conversion prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conversion {
    /// `%d`
    Signed,
    /// `%u`
    Unsigned,
    /// `%o`
    Octal,
    /// `%x`
    Hex,
    /// `%X`
    HexUpper,
    /// `%c`
    Char,
    /// `%s`: the bytes at the address, up to a zero.
    String,
    /// `%p`
    Pointer,
    /// `%f`, and `%F` if upper: of 64 bits, as the following.
    Fixed { upper: bool },
    /// `%e`, `%E`
    Exponent { upper: bool },
    /// `%g`, `%G`
    General { upper: bool },
}

impl Conversion {
    /// Whether it prints a floating-point number.
    pub fn is_float(self) -> bool {
        use Conversion::*;
        matches!(self, Fixed { .. } | Exponent { .. } | General { .. })
    }
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    /// To this block.
    Jump(BlockId),
    /// To the first if `cond` (one bit) is 1, to the second if it is 0.
    Branch { cond: Operand, then: BlockId, otherwise: BlockId },
    /// To the block of the case that holds `value`. Cases do not overlap; bounds are inclusive
    /// and unsigned.
    Switch { value: Operand, cases: Vec<SwitchCase>, default: BlockId },
    /// Back to the caller.
    Return(Option<Operand>),
    /// Ends the thread with a result.
    ThreadExit(Option<Operand>),
    /// Ends the whole program with a status.
    Exit(Operand),
    /// It is a finding to come here, and the program ends: `abort()`, `reach_error()`.
    Trap(String),
}

/// Whose claim an assertion is, and so what it means that it fails.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// The program's: to fail ends the execution.
    Program,
    /// A rule of the language or of a library, that a mutex is unlocked by the thread that holds
    /// it: nothing says what a program does that has broken it.
    Rule,
    /// A limit of the embedded headers: nothing is known about executions past it.
    Supported,
}

impl Claim {
    /// All of them.
    pub const ALL: [Claim; 3] = [Claim::Program, Claim::Rule, Claim::Supported];

    /// The instruction in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Claim::Program => "assert",
            Claim::Rule => "require",
            Claim::Supported => "supported",
        }
    }

    /// The finding that it is if the claim does not hold.
    pub fn fails(self, message: &str) -> FindingKind {
        let message = message.to_string();
        match self {
            Claim::Program => FindingKind::AssertionFailed(message),
            Claim::Rule => FindingKind::Misuse(message),
            Claim::Supported => FindingKind::NotSupported(message),
        }
    }
}

/// A case of a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SwitchCase {
    /// The least value.
    pub low: u128,
    /// The greatest value.
    pub high: u128,
    /// Where to go.
    pub target: BlockId,
}
