//! Programs, functions, blocks and globals of the load-store language.

use crate::layout::{Layout, LayoutId};
use crate::locks::LockView;
use crate::native::Natives;
use crate::op::{Inst, Terminator};
use execution::id;
use execution::ids::IdVec;
use execution::span::Location;

/// What is put before the name of a library's function in a program that declares it itself, with
/// types of its own.
pub const LIBRARY: &str = "__fp_library_";

/// What the user calls a function.
pub fn public_name(name: &str) -> &str {
    name.strip_prefix(LIBRARY).unwrap_or(name)
}

id! {
    /// A function of a program.
    pub struct FuncId("f");
}

id! {
    /// A global, thread-local or constant object of a program.
    pub struct GlobalId("g");
}

id! {
    /// A virtual register of a function. Registers are mutable: this is not SSA.
    pub struct Reg("%");
}

id! {
    /// A stack object of a function.
    pub struct SlotId("$");
}

id! {
    /// A basic block of a function.
    pub struct BlockId("b");
}

id! {
    /// A source place of a program, with its inline stack.
    pub struct LocId("loc");
}

/// The width of a value in bits, 1 to 128.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Width(u8);

impl Width {
    /// One bit: the result of a comparison.
    pub const BOOL: Width = Width(1);
    /// A byte.
    pub const I8: Width = Width(8);
    /// 16 bits.
    pub const I16: Width = Width(16);
    /// 32 bits.
    pub const I32: Width = Width(32);
    /// 64 bits.
    pub const I64: Width = Width(64);
    /// 128 bits.
    pub const I128: Width = Width(128);
    /// A pointer (LP64).
    pub const PTR: Width = Width::I64;

    /// A width of `bits` bits, if there is one.
    pub fn from_bits(bits: u32) -> Option<Width> {
        (1..=128).contains(&bits).then_some(Width(bits as u8))
    }

    /// A width of `bytes` bytes, if there is one.
    pub fn from_bytes(bytes: u64) -> Option<Width> {
        u32::try_from(bytes.checked_mul(8)?).ok().and_then(Width::from_bits)
    }

    /// The number of bits.
    pub const fn bits(self) -> u32 {
        self.0 as u32
    }

    /// The number of bytes that hold this many bits.
    pub fn bytes(self) -> u64 {
        u64::from(self.0).div_ceil(8)
    }

    /// All bits of this width set.
    pub const fn mask(self) -> u128 {
        u128::MAX >> (128 - self.bits())
    }
}

impl std::fmt::Debug for Width {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "i{}", self.0)
    }
}

impl std::fmt::Display for Width {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "i{}", self.0)
    }
}

/// A source place and, where the code was inlined, the place of the call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SourcePlace {
    /// The place itself.
    pub location: Location,
    /// The function whose source this is.
    pub function: String,
    /// The call through which it was inlined.
    pub inlined_at: Option<LocId>,
}

/// The name of a function that is to run first where another function than `main` begins, if there
/// is one: it runs what the source language wants run before `main`.
pub const BEFORE_MAIN: &str = "before main";

/// A whole program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The source places that instructions refer to.
    pub places: IdVec<LocId, SourcePlace>,
    /// The layouts that objects refer to.
    pub layouts: IdVec<LayoutId, Layout>,
    /// Objects with static or thread storage duration, string literals included.
    pub globals: IdVec<GlobalId, Global>,
    /// The functions.
    pub functions: IdVec<FuncId, Function>,
    /// The functions that run as the initial threads, in order: `main` alone for a C program,
    /// one per column for a litmus test. None of them takes parameters, except that a C `main`
    /// may take `argc` and `argv`.
    pub entry: Vec<FuncId>,
    /// The means to call functions of shared libraries.
    pub natives: Natives,
}

/// An object with static or thread storage duration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    /// Its name, unique in the program (`name.1` for a static local that is not the first).
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// One object, one per thread, or one that may not be written.
    pub storage: Storage,
    /// The parts that do not start as zero, by ascending offset, without overlaps.
    pub init: Vec<Init>,
    /// What is inside.
    pub layout: Option<LayoutId>,
    /// Where it is defined.
    pub place: Option<LocId>,
}

/// The storage of a global.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// One object for all threads.
    Static,
    /// One object per thread.
    ThreadLocal,
    /// One object that may not be written: string literals, `const` objects.
    Constant,
}

/// A part of a global's initial contents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Init {
    /// Offset in bytes.
    pub offset: u64,
    /// What is there.
    pub data: InitData,
}

/// What a part of a global starts as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InitData {
    /// Bytes.
    Bytes(Vec<u8>),
    /// An address, of eight bytes: an object plus an offset.
    Global(GlobalId, i64),
    /// The address of a function.
    Function(FuncId),
}

/// A function: a control-flow graph over virtual registers and stack objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name, unique in the program.
    pub name: String,
    /// The registers that receive the arguments.
    pub params: Vec<Reg>,
    /// The width of the result, if there is one.
    pub result: Option<Width>,
    /// The registers.
    pub regs: IdVec<Reg, RegInfo>,
    /// The stack objects; each call has its own.
    pub slots: IdVec<SlotId, Slot>,
    /// The blocks; execution starts at the first.
    pub blocks: IdVec<BlockId, Block>,
    /// What it makes of the words of locks that it reads itself, as its declaration says.
    pub lock_view: LockView,
    /// Where it is defined.
    pub place: Option<LocId>,
}

impl Function {
    /// The block at which execution starts.
    pub fn entry(&self) -> BlockId {
        execution::ids::Id::new(0)
    }
}

/// A virtual register.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RegInfo {
    /// Its width.
    pub width: Width,
    /// The source variable it holds, if it holds one.
    pub name: Option<String>,
}

/// A stack object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The source variable's name; empty for a temporary.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// What is inside.
    pub layout: Option<LayoutId>,
    /// Where it is declared.
    pub place: Option<LocId>,
}

/// A basic block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The instructions.
    pub insts: Vec<Inst>,
    /// What comes next.
    pub terminator: Terminator,
    /// Where the terminator comes from.
    pub place: Option<LocId>,
}
