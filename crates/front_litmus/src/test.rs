//! A litmus test after parsing: a program, what to observe in the end, and a question about it.

use execution::span::Span;
use ir::program::{GlobalId, Program, Width};

/// The language that a test's threads are written in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arch {
    /// 32-bit x86, Intel syntax.
    X86,
    /// 64-bit x86, AT&T syntax.
    X86_64,
    /// Power.
    Ppc,
    /// ARMv8.
    AArch64,
    /// RISC-V.
    RiscV,
    /// C11 or Linux-kernel C.
    C,
}

impl Arch {
    /// All of them.
    pub const ALL: [Arch; 6] =
        [Arch::X86, Arch::X86_64, Arch::Ppc, Arch::AArch64, Arch::RiscV, Arch::C];

    /// The word with which a test starts.
    pub fn name(self) -> &'static str {
        match self {
            Arch::X86 => "X86",
            Arch::X86_64 => "X86_64",
            Arch::Ppc => "PPC",
            Arch::AArch64 => "AArch64",
            Arch::RiscV => "RISCV",
            Arch::C => "C",
        }
    }
}

/// The dialect of a C test, which decides the model it is meant for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// C11 atomics.
    C11,
    /// The Linux kernel's primitives.
    Kernel,
}

/// A litmus test.
#[derive(Clone, Debug)]
pub struct Test {
    /// The language.
    pub arch: Arch,
    /// For C, the dialect.
    pub dialect: Option<Dialect>,
    /// The test's name.
    pub name: String,
    /// The quoted text under the name.
    pub doc: Option<String>,
    /// The `Key=Value` lines of the header.
    pub info: Vec<(String, String)>,
    /// One entry function per thread. Registers that the condition mentions are observed
    /// under the label of their [`Place`]'s display form.
    pub program: Program,
    /// What a final state consists of, in the order in which it is printed.
    pub observed: Vec<Observed>,
    /// Final states that do not satisfy this are discarded.
    pub filter: Option<Prop>,
    /// The question; `None` where the test only lists locations.
    pub question: Option<Question>,
}

/// A register or memory cell whose final value is observed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Place {
    /// A thread's register, by the name in which it is printed.
    Register {
        /// The thread, from zero.
        thread: usize,
        /// The register.
        name: String,
        /// How it is printed and compared.
        ty: ValueType,
        /// Whether the test says so; it is the format's default otherwise.
        declared: bool,
    },
    /// A memory cell: an offset in bytes into a global.
    Cell {
        /// The global.
        global: GlobalId,
        /// Its name.
        name: String,
        /// The offset in bytes.
        offset: u64,
        /// For an element of an array, which one.
        index: Option<u64>,
        /// How it is printed and compared.
        ty: ValueType,
    },
}

impl Place {
    /// How its value is printed and compared.
    pub fn ty(&self) -> ValueType {
        match self {
            Place::Register { ty, .. } | Place::Cell { ty, .. } => *ty,
        }
    }

    /// The same place, with its value printed and compared as of another type.
    pub fn with_type(mut self, new: ValueType) -> Place {
        match &mut self {
            Place::Register { ty, declared, .. } => (*ty, *declared) = (new, true),
            Place::Cell { ty, .. } => *ty = new,
        }
        self
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Register { thread, name, .. } => write!(f, "{thread}:{name}"),
            Place::Cell { name, index: Some(index), .. } => write!(f, "{name}[{index}]"),
            Place::Cell { name, offset: 0, .. } => write!(f, "[{name}]"),
            Place::Cell { name, offset, .. } => write!(f, "[{name}+{offset}]"),
        }
    }
}

/// How a final value is printed and compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ValueType {
    /// The width of the value.
    pub width: Width,
    /// Whether it has a sign.
    pub signed: bool,
}

impl ValueType {
    /// `int`.
    pub const INT: ValueType = ValueType { width: Width::I32, signed: true };

    /// Any pointer.
    pub const POINTER: ValueType = ValueType { width: Width::I64, signed: true };
}

/// A part of the final state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observed {
    /// One register or cell.
    Single(Place),
    /// A whole array, printed as `x={1,2}`.
    Array {
        /// Its name.
        name: String,
        /// Its elements.
        elements: Vec<Place>,
    },
}

/// The quantifier of a test's question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// Some final state satisfies the proposition.
    Exists,
    /// None does.
    NotExists,
    /// All do.
    ForAll,
}

impl Quantifier {
    /// The keyword.
    pub fn name(self) -> &'static str {
        match self {
            Quantifier::Exists => "exists",
            Quantifier::NotExists => "~exists",
            Quantifier::ForAll => "forall",
        }
    }
}

/// A quantified proposition about final states.
#[derive(Clone, Debug)]
pub struct Question {
    /// The quantifier.
    pub quantifier: Quantifier,
    /// The proposition.
    pub prop: Prop,
    /// Where it stands.
    pub span: Span,
}

/// A proposition about a final state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prop {
    /// `true` or `false`.
    Constant(bool),
    /// A place holds a value.
    Equal(Place, Constant),
    /// Two places hold the same value.
    Same(Place, Place),
    /// An array holds these values.
    ArrayEqual {
        /// Its name.
        name: String,
        /// Its elements.
        elements: Vec<(Place, Constant)>,
    },
    /// Negation.
    Not(Box<Prop>),
    /// All of them.
    And(Vec<Prop>),
    /// One of them.
    Or(Vec<Prop>),
    /// The second, if the first.
    Implies(Box<Prop>, Box<Prop>),
}

/// A value in a proposition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// A number.
    Int(i128),
    /// The address of a location, plus an offset in bytes.
    Address {
        /// The global.
        global: GlobalId,
        /// Its name.
        name: String,
        /// The offset in bytes.
        offset: u64,
    },
}

impl std::fmt::Display for Constant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Constant::Int(value) => write!(f, "{value}"),
            Constant::Address { name, offset: 0, .. } => write!(f, "{name}"),
            Constant::Address { name, offset, .. } => write!(f, "{name}+{offset}"),
        }
    }
}

/// Binding strength, for parentheses.
fn level(prop: &Prop) -> u8 {
    match prop {
        Prop::Or(_) => 0,
        Prop::And(_) => 1,
        Prop::Implies(..) => 2,
        _ => 3,
    }
}

impl std::fmt::Display for Prop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let inner = |f: &mut std::fmt::Formatter<'_>, prop: &Prop| {
            if level(prop) <= level(self) && level(self) < 3 {
                write!(f, "({prop})")
            } else {
                write!(f, "{prop}")
            }
        };
        match self {
            Prop::Constant(value) => write!(f, "{value}"),
            Prop::Equal(place, value) => write!(f, "{place}={value}"),
            Prop::Same(a, b) => write!(f, "{a}={b}"),
            Prop::ArrayEqual { name, elements } => {
                let values: Vec<String> = elements.iter().map(|(_, v)| v.to_string()).collect();
                write!(f, "{name}={{{}}}", values.join(","))
            }
            Prop::Not(prop) => write!(f, "not ({prop})"),
            Prop::And(props) | Prop::Or(props) => {
                let sign = if matches!(self, Prop::And(_)) { " /\\ " } else { " \\/ " };
                for (i, prop) in props.iter().enumerate() {
                    if i > 0 {
                        f.write_str(sign)?;
                    }
                    inner(f, prop)?;
                }
                Ok(())
            }
            Prop::Implies(a, b) => {
                inner(f, a)?;
                f.write_str(" => ")?;
                inner(f, b)
            }
        }
    }
}
