//! The checked program: every expression has its type, every conversion is written out, every
//! name is resolved. This is what `lower` reads.

#![allow(clippy::large_enum_variant)] // as in the syntax tree: boxes would obscure it

use crate::ast::BinaryOp;
use crate::sema::types::{BitField, FunctionType, QualType, Type, Types};
use execution::diagnostic::Diagnostic;
use execution::id;
use execution::ids::{Id, IdVec};
use execution::span::Span;
use ir::locks::{LockView, Purpose};
use ir::op::{Claim, FloatUnary, PrintFormat, RmwOp, UnaryOp as BitOp};
use ir::order::{Fence, Order};
use ir::tag::Tag;
use std::rc::Rc;

id! {
    /// An object with static or thread storage duration.
    pub struct ObjectId("object");
}

id! {
    /// A function.
    pub struct FunctionId("function");
}

id! {
    /// A local object or parameter of a function.
    pub struct LocalId("local");
}

id! {
    /// A label of a function; cases are labels too.
    pub struct LabelId("label");
}

/// A checked translation unit.
#[derive(Debug, Default)]
pub struct Unit {
    /// Structs, unions and enums.
    pub types: Types,
    /// Global objects, static locals, string literals.
    pub objects: IdVec<ObjectId, Object>,
    /// Functions, declared or defined.
    pub functions: IdVec<FunctionId, Function>,
    /// Functions that run before `main`, with their priorities.
    pub before: Vec<(u32, FunctionId)>,
    /// Functions that run when `main` has returned, or at `exit`, with their priorities.
    pub after: Vec<(u32, FunctionId)>,
    /// Whether a function is registered to be called when the program ends.
    pub at_exit: bool,
    /// Whether a key of thread-specific data is made with a destructor.
    pub destructors: bool,
}

/// An object with static or thread storage duration.
#[derive(Debug)]
pub struct Object {
    /// Its name in the source; empty for an unnamed one.
    pub name: Rc<str>,
    /// Its type.
    pub ty: QualType,
    /// Alignment in bytes, where the declaration asks for more than the type.
    pub align: Option<u64>,
    /// `_Thread_local`
    pub thread_local: bool,
    /// A string literal, which may not be written although its type is not `const`.
    pub is_string: bool,
    /// Visible to other translation units.
    pub external: bool,
    /// A definition was seen, tentative or not.
    pub defined: bool,
    /// Another file may define it, too.
    pub weak: bool,
    /// What it starts as; zero where there is nothing.
    pub init: Option<Vec<StaticInit>>,
    /// Where it is declared.
    pub span: Span,
}

/// A part of a static object's initial contents; later parts overwrite earlier ones.
#[derive(Clone, Debug)]
pub struct StaticInit {
    /// Offset in bytes.
    pub offset: u64,
    /// What is there.
    pub data: StaticData,
}

/// Contents known before the program runs.
#[derive(Clone, Debug)]
pub enum StaticData {
    /// Bytes.
    Bytes(Vec<u8>),
    /// Some bits of a storage unit: the unit's size, a mask, and the bits.
    Bits { unit: u64, mask: u128, bits: u128 },
    /// The address of an object plus an offset.
    Object(ObjectId, i64),
    /// The address of a function.
    Function(FunctionId),
}

/// A function, declared or defined.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: Rc<str>,
    /// Its type.
    pub ty: Rc<FunctionType>,
    /// `static`
    pub internal: bool,
    /// `_Noreturn`
    pub noreturn: bool,
    /// Its body, where it is defined and correct.
    pub body: Option<Body>,
    /// A definition was seen.
    pub defined: bool,
    /// The definition is only for inlining (`extern inline` of GNU C); another one may follow.
    pub inlines: bool,
    /// Another file may define it, too: `weak`, or `inline`.
    pub weak: bool,
    /// What it makes of the words of locks that it reads.
    pub lock_view: LockView,
    /// What a call of it means to the caller.
    pub role: Role,
    /// Where it is declared or, better, defined.
    pub span: Span,
}

/// What a call of a function of the embedded headers means to the caller, past what its body says:
/// the header says so (`__fp_role`), whatever the function is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Role {
    /// Nothing.
    #[default]
    Plain,
    /// It ends the thread: blocks of its callers end, too (`pthread_exit`).
    EndsThread,
    /// It makes a key of thread-specific data with the destructor in its second argument.
    MakesKey,
    /// It registers a function to be called when the program ends (`atexit`).
    RegistersAtExit,
    /// It calls the functions that were registered, the latest first.
    RunsAtExit,
}

impl Role {
    /// The role with this name in the attribute.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "ends-thread" => Role::EndsThread,
            "makes-key" => Role::MakesKey,
            "registers-at-exit" => Role::RegistersAtExit,
            "runs-at-exit" => Role::RunsAtExit,
            _ => return None,
        })
    }
}

/// The body of a function.
#[derive(Debug)]
pub struct Body {
    /// The parameters, in order.
    pub params: Vec<LocalId>,
    /// All locals and parameters.
    pub locals: IdVec<LocalId, Local>,
    /// All labels.
    pub labels: IdVec<LabelId, Label>,
    /// Whether it has computed `goto`s.
    pub dispatches: bool,
    /// Whether it uses its variable arguments; where they are is its last parameter.
    pub walks: bool,
    /// Pointers to blocks that are freed when the function returns.
    pub blocks: Vec<LocalId>,
    /// The statements.
    pub block: Vec<Stmt>,
    /// The closing brace.
    pub end: Span,
}

/// A local object or parameter.
#[derive(Debug)]
pub struct Local {
    /// Its name; empty for a compound literal.
    pub name: Rc<str>,
    /// Its type.
    pub ty: QualType,
    /// Alignment in bytes, where the declaration asks for more than the type.
    pub align: Option<u64>,
    /// Its address is taken somewhere, so it must live in memory.
    pub address_taken: bool,
    /// The value of a `const` integer that is initialised with a constant.
    pub known: Option<u128>,
    /// Where it is declared.
    pub span: Span,
}

/// A label.
#[derive(Debug)]
pub struct Label {
    /// Its name; none for a case.
    pub name: Option<Rc<str>>,
    /// Its address is taken (`&&name`), so a computed `goto` may go there.
    pub taken: bool,
    /// Where it is.
    pub span: Span,
}

/// The number that is the address of a label: unlike that of any other label of its function, of
/// any object, and of nothing.
pub fn label_address(id: LabelId) -> u128 {
    16 * (id.index() as u128 + 1)
}

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Debug)]
pub enum StmtKind {
    /// An expression for its effect.
    Expr(Expr),
    /// The declaration of a local: its lifetime starts, and it gets its initial value.
    Local(LocalId, Option<LocalInit>),
    /// Statements.
    Block(Vec<Stmt>),
    /// `if`; the condition is scalar.
    If { cond: Expr, then: Box<Stmt>, otherwise: Option<Box<Stmt>> },
    /// `while`
    While { cond: Expr, body: Box<Stmt> },
    /// `do … while`
    DoWhile { body: Box<Stmt>, cond: Expr },
    /// `for`; a declaration in its head is an enclosing block.
    For { init: Option<Expr>, cond: Option<Expr>, step: Option<Expr>, body: Box<Stmt> },
    /// `switch`; cases are bits of the value's type, bounds unsigned and inclusive.
    Switch { value: Expr, cases: Vec<Case>, default: Option<LabelId>, body: Box<Stmt> },
    /// A label, case or default.
    Label(LabelId, Box<Stmt>),
    /// `goto`
    Goto(LabelId),
    /// `goto *value`: to the label of this function whose address the value is.
    ComputedGoto(Expr),
    /// `continue`
    Continue,
    /// `break`
    Break,
    /// `return`, with the value converted to the result's type.
    Return(Option<Expr>),
    /// An atomic section.
    Atomic(Box<Stmt>),
    /// Statements, and what is called whenever they are left.
    Cleanup {
        /// The statements.
        body: Box<Stmt>,
        /// The call.
        call: Expr,
    },
}

/// A case of a switch.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The least value.
    pub low: u128,
    /// The greatest value.
    pub high: u128,
    /// Where to go.
    pub label: LabelId,
}

/// The initial value of a local.
#[derive(Debug)]
pub enum LocalInit {
    /// One value of the local's type.
    Value(Expr),
    /// Members and elements; all else is zero.
    Parts(Vec<InitPart>),
}

/// A member or element with its initial value.
#[derive(Clone, Debug)]
pub struct InitPart {
    /// Offset in bytes from the start of the object.
    pub offset: u64,
    /// For a bit-field.
    pub bits: Option<BitField>,
    /// Its type.
    pub ty: QualType,
    /// Its value, converted; a string literal for an array of characters.
    pub value: Expr,
    /// What comes after the object's name: `.next`, `[3]`.
    pub path: Rc<str>,
}

/// An expression. An lvalue's type carries its qualifiers; a value's has none.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Its type.
    pub ty: QualType,
    /// Where.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, or an address that is a number; bits above the type's width are zero.
    Const(u128),
    /// A local. (lvalue)
    Local(LocalId),
    /// A global object. (lvalue)
    Object(ObjectId),
    /// A function.
    Function(FunctionId),
    /// What a pointer points to. (lvalue)
    Deref(Box<Expr>),
    /// `pointer[index]`. (lvalue)
    Index(Box<Expr>, Box<Expr>),
    /// A member of a struct or union. (lvalue, where the struct is one)
    Member { base: Box<Expr>, name: Rc<str>, offset: u64, bits: Option<BitField>, purpose: Purpose },
    /// A compound literal in a function: initialises the local, and is it. (lvalue)
    Literal(LocalId, Rc<Vec<InitPart>>),
    /// The value of an lvalue; for a struct, the struct.
    Load(Box<Expr>),
    /// The address of an array's first element.
    Decay(Box<Expr>),
    /// The address of an lvalue or function.
    AddressOf(Box<Expr>),
    /// A conversion to this expression's type; `written` if it is a cast in the source.
    Convert { value: Box<Expr>, written: bool },
    /// `-e`
    Negate(Box<Expr>),
    /// `~e`
    BitNot(Box<Expr>),
    /// `!e`
    Not(Box<Expr>),
    /// Arithmetic or a comparison of integers or pointers; both sides have one type (but the
    /// right side of a shift has its own).
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Pointer plus or minus an integer.
    PointerAdd { pointer: Box<Expr>, index: Box<Expr>, minus: bool },
    /// Difference of pointers, in elements.
    PointerDiff(Box<Expr>, Box<Expr>),
    /// `a && b`
    And(Box<Expr>, Box<Expr>),
    /// `a || b`
    Or(Box<Expr>, Box<Expr>),
    /// `a ? b : c`; both sides have this expression's type.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a ?: c`
    Elvis(Box<Expr>, Box<Expr>),
    /// `lvalue = value`; the value has the lvalue's type.
    Assign(Box<Expr>, Box<Expr>),
    /// `lvalue op= value`, computed in a type of its own.
    CompoundAssign { op: BinaryOp, target: Box<Expr>, value: Box<Expr>, compute: Type },
    /// `++`, `--`: by how much (±1), and whether the old value is the result.
    Increment { target: Box<Expr>, down: bool, postfix: bool },
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// A call; arguments are converted.
    Call { callee: Callee, args: Vec<Expr> },
    /// `({ … })`: statements, and the value of the last one.
    Statement(Rc<Vec<Stmt>>, Option<Box<Expr>>),
    /// An atomic access.
    Atomic(Box<Atomic>),
    /// A built-in function.
    Intrinsic(Box<Intrinsic>),
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// This function.
    Direct(FunctionId),
    /// The function at this address.
    Indirect(Box<Expr>, Rc<FunctionType>),
}

/// An atomic access through a pointer.
#[derive(Clone, Debug)]
pub enum Atomic {
    /// Reads.
    Load { pointer: Expr, order: Ordering },
    /// Writes.
    Store { pointer: Expr, value: Expr, order: Ordering },
    /// Reads and writes; the result is the old value, or the new one.
    Rmw { op: RmwOp, pointer: Expr, value: Expr, order: Ordering, gives_new: bool },
    /// Reads, and makes the next store-exclusive of the thread possible.
    LoadExclusive { pointer: Expr, order: Ordering },
    /// Writes if nothing was written since the load-exclusive: 0 if it did, and 1 otherwise.
    StoreExclusive { pointer: Expr, value: Expr, order: Ordering },
    /// Compares and swaps.
    Cas {
        pointer: Expr,
        expected: Expected,
        desired: Expr,
        weak: bool,
        success: Ordering,
        failure: Order,
    },
}

/// How an atomic access is ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ordering {
    /// The memory order of C11.
    pub order: Order,
    /// What the access is to a model of the Linux kernel; see [`ir::op::Access::tags`].
    pub tags: &'static [Tag],
}

impl From<Order> for Ordering {
    fn from(order: Order) -> Ordering {
        Ordering { order, tags: &[] }
    }
}

/// What a compare-and-swap compares with, and what it results in.
#[derive(Clone, Debug)]
pub enum Expected {
    /// What is at this address; on failure the value found is written there. Results in success.
    At(Expr),
    /// This value. Results in success.
    Success(Expr),
    /// This value. Results in the value found.
    Old(Expr),
}

/// Built-in functions.
#[derive(Clone, Debug)]
pub enum Intrinsic {
    /// Checks a scalar.
    Assert(Expr, Claim, String),
    /// Assumes a scalar.
    Assume {
        /// The scalar.
        cond: Box<Expr>,
        /// Inside an atomic section, the thread waits for it.
        waits: bool,
    },
    /// Any number from the first to the second.
    Choose(Expr, Expr),
    /// Any value of the type.
    Any,
    /// Shows a value to the client.
    Observe(String, Expr),
    /// A commit point.
    Commit(String),
    /// Starts an atomic section.
    AtomicBegin,
    /// Ends an atomic section.
    AtomicEnd,
    /// A fence.
    Fence(Fence),
    /// Multi-word compare-and-swap: pointer, expected, desired.
    Mcas(Vec<(Expr, Expr, Expr)>),
    /// Allocates; the type is what the block will hold, where that can be seen.
    Alloc { size: Expr, align: Expr, zeroed: bool, holds: Option<Type> },
    /// Frees.
    Free(Expr),
    /// The size of a heap block.
    BlockSize(Expr),
    /// A pointer to a number of bytes that a native function reads.
    Bytes(Expr, u32),
    /// The number itself if all of it is defined, and zero otherwise.
    DefinedOrZero(Expr),
    /// Where the members of the object at an address begin, as bits of a number.
    Members(Expr),
    /// Starts a thread: function and argument.
    Spawn(Expr, Vec<Expr>),
    /// Waits for a thread.
    Join(Expr),
    /// No thread awaits this one any more, and the program may end while it still runs.
    Detach(Expr),
    /// The running thread's handle.
    SelfHandle,
    /// Whether the program makes keys of thread-specific data with destructors.
    HasDestructors,
    /// Ends the running thread.
    ThreadExit(Expr),
    /// Advice to the scheduler.
    Yield,
    /// Ends the program, after what was to be run at its end.
    Exit(Expr),
    /// Ends the program at once.
    QuickExit(Expr),
    /// Nothing says what happens where control comes here; by which function the program says so.
    Unreachable(&'static str),
    /// It is a finding to come here, and the program ends.
    Trap(String),
    /// What stands here is not supported, for this reason.
    Refused(Rc<Diagnostic>),
    /// An operation starts.
    OperationBegin(String, Vec<Expr>),
    /// An operation ends.
    OperationEnd(Option<Expr>),
    /// Prints.
    Print(PrintTo, Vec<Piece>),
    /// `clz`, `ctz`, `popcount`, `bswap` of a value, at its own width.
    Bits(BitOp, Expr),
    /// A square root or a whole number near a floating-point number.
    Float(FloatUnary, Expr),
    /// The absolute value of a floating-point number.
    Magnitude(Expr),
    /// `ffs`: one plus the index of the lowest one bit, or zero.
    FindFirst(Expr),
    /// `parity`
    Parity(Expr),
    /// `__builtin_add_overflow` and its kin: stores the wrapped result, says whether it wrapped.
    Overflow { op: BinaryOp, a: Expr, b: Expr, result: Expr },
    /// `memset` and its kin on a number of bytes of an object, or of an array of such objects.
    Bulk { what: Bulk, to: Expr, object: QualType, bytes: u64 },
}

/// What is done with all parts of an object.
#[derive(Clone, Debug)]
pub enum Bulk {
    /// Each byte becomes this number. Results in the object's address.
    Fill(Expr),
    /// It is copied from here. Results in the object's address.
    Copy(Expr),
    /// The same, where the two may overlap.
    Move(Expr),
    /// It is compared with what is here. Results in a number below, at or above zero.
    Compare(Expr),
}

/// Where printed text goes.
#[derive(Clone, Debug)]
pub enum PrintTo {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// A buffer and its size.
    Buffer(Expr, Expr),
}

/// A part of what is printed; widths and precisions given by `*` are expressions.
#[derive(Clone, Debug)]
pub enum Piece {
    /// This text.
    Text(String),
    /// A value.
    Value { format: PrintFormat, width: Option<Expr>, precision: Option<Expr>, value: Expr },
}

impl Expr {
    /// A constant.
    pub fn constant(bits: u128, ty: Type, span: Span) -> Expr {
        Expr { kind: ExprKind::Const(bits), ty: ty.into(), span }
    }

    /// Whether it designates an object.
    pub fn is_lvalue(&self) -> bool {
        match &self.kind {
            ExprKind::Local(_)
            | ExprKind::Object(_)
            | ExprKind::Deref(_)
            | ExprKind::Index(..)
            | ExprKind::Literal(..) => true,
            ExprKind::Member { base, .. } => base.is_lvalue(),
            _ => false,
        }
    }

    /// The constant it is, if it is one.
    pub fn as_const(&self) -> Option<u128> {
        match self.kind {
            ExprKind::Const(bits) => Some(bits),
            _ => None,
        }
    }
}
