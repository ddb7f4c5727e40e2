//! The syntax tree of C: what was written, before any type is known.
//!
//! The parser knows just enough about scopes to distinguish typedef names from other identifiers.
//! Types are kept as written (specifiers and declarators); `sema` gives them meaning.

#![allow(clippy::large_enum_variant)] // a tree is short-lived, and boxes would obscure it

use crate::token::Encoding;
use execution::span::Span;
use std::rc::Rc;

/// An identifier with its place.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The name.
    pub name: Rc<str>,
    /// Where.
    pub span: Span,
}

/// A translation unit.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Everything at file scope, in order.
    pub items: Vec<Item>,
}

/// Something at file scope.
#[derive(Clone, Debug)]
pub enum Item {
    /// A declaration of objects, functions or types.
    Declaration(Declaration),
    /// A function with its body.
    Function(FunctionDefinition),
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
    /// Assembly at file scope.
    Asm(Asm),
}

/// A function with its body.
#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    /// Specifiers of the result and storage.
    pub specifiers: Specifiers,
    /// Name and parameters; its outermost derivation is a function.
    pub declarator: Declarator,
    /// The body: a compound statement.
    pub body: Block,
    /// The head of the definition.
    pub span: Span,
}

/// A declaration: specifiers and any number of declarators.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Shared by all declarators.
    pub specifiers: Specifiers,
    /// What is declared.
    pub declarators: Vec<InitDeclarator>,
    /// The whole declaration.
    pub span: Span,
}

/// A declarator with its initialiser.
#[derive(Clone, Debug)]
pub struct InitDeclarator {
    /// What is declared.
    pub declarator: Declarator,
    /// Its initial value.
    pub init: Option<Initializer>,
}

/// `_Static_assert(condition, message)`.
#[derive(Clone, Debug)]
pub struct StaticAssert {
    /// Must be a constant that is not zero.
    pub condition: Expr,
    /// The message.
    pub message: Option<StringLiteral>,
    /// The whole assertion.
    pub span: Span,
}

/// Declaration specifiers, in any order in the source.
#[derive(Clone, Debug)]
pub struct Specifiers {
    /// `typedef`, `static` …, at most one besides thread-local.
    pub storage: Option<(StorageClass, Span)>,
    /// `_Thread_local` or `__thread`.
    pub thread_local: bool,
    /// `inline`, `_Noreturn`.
    pub inline: bool,
    /// `_Noreturn` or the attribute.
    pub noreturn: bool,
    /// `const`, `volatile`, `_Atomic`, `restrict`.
    pub qualifiers: Qualifiers,
    /// The type.
    pub ty: TypeSpecifier,
    /// `_Alignas`.
    pub alignas: Vec<AlignAs>,
    /// `__attribute__((…))`.
    pub attributes: Vec<Attribute>,
    /// All of it.
    pub span: Span,
}

impl Specifiers {
    /// Those of a parameter that an old-style definition only names, at `span`.
    pub fn missing(span: Span) -> Self {
        Self {
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            qualifiers: Qualifiers::default(),
            ty: TypeSpecifier::Missing,
            alignas: Vec::new(),
            attributes: Vec::new(),
            span,
        }
    }
}

/// Storage classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StorageClass {
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

/// Type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Qualifiers {
    /// `const`
    pub is_const: bool,
    /// `volatile`
    pub is_volatile: bool,
    /// `_Atomic` without parentheses
    pub is_atomic: bool,
    /// `restrict`
    pub is_restrict: bool,
}

/// `_Alignas(type)` or `_Alignas(constant)`.
#[derive(Clone, Debug)]
pub enum AlignAs {
    /// As strictly as this type.
    Type(TypeName),
    /// To this many bytes.
    Expr(Expr),
}

/// One attribute: `aligned(16)`.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its name, without surrounding underscores.
    pub name: Ident,
    /// Its arguments.
    pub args: Vec<Expr>,
}

/// What type the specifiers name.
#[derive(Clone, Debug)]
pub enum TypeSpecifier {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// `char`, with `signed`/`unsigned` if written.
    Char(Option<Sign>),
    /// `short`
    Short(Sign),
    /// `int`
    Int(Sign),
    /// `long`
    Long(Sign),
    /// `long long`
    LongLong(Sign),
    /// `__int128`
    Int128(Sign),
    /// `float`, `double`, `long double`, `_Complex` …: can only be declared.
    Float(Rc<str>),
    /// A typedef name.
    Typedef(Ident),
    /// `struct` or `union`.
    Record(RecordSpecifier),
    /// `enum`.
    Enum(EnumSpecifier),
    /// `_Atomic(type)`.
    Atomic(Box<TypeName>),
    /// `typeof(expression)`.
    TypeofExpr(Box<Expr>),
    /// `typeof(type)`.
    TypeofType(Box<TypeName>),
    /// `typeof_unqual` of what the other one is `typeof` of.
    Unqualified(Box<TypeSpecifier>),
    /// `__auto_type`, or `auto` without a type (C23).
    Auto,
    /// No type was written for a parameter of an old-style definition: it is `int`.
    Missing,
}

/// `signed` or `unsigned`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// `signed`, or nothing
    Signed,
    /// `unsigned`
    Unsigned,
}

/// `struct` or `union`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
}

/// A struct or union specifier.
#[derive(Clone, Debug)]
pub struct RecordSpecifier {
    /// Which.
    pub kind: RecordKind,
    /// Its tag.
    pub tag: Option<Ident>,
    /// Its members, where they are written.
    pub members: Option<Vec<Member>>,
    /// Attributes before the tag or after the brace (`packed`, `aligned`).
    pub attributes: Vec<Attribute>,
    /// `#pragma pack(n)` in force at the definition.
    pub pack: Option<u64>,
    /// The keyword and the tag.
    pub span: Span,
}

/// A line in a struct or union.
#[derive(Clone, Debug)]
pub enum Member {
    /// Members of one specifier list.
    Fields {
        /// Their specifiers.
        specifiers: Specifiers,
        /// Their declarators; empty for an anonymous struct or union.
        declarators: Vec<FieldDeclarator>,
    },
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
}

/// One member.
#[derive(Clone, Debug)]
pub struct FieldDeclarator {
    /// Its declarator; absent for an unnamed bit-field.
    pub declarator: Option<Declarator>,
    /// Bit-field width.
    pub bits: Option<Expr>,
    /// The member.
    pub span: Span,
}

/// An enum specifier.
#[derive(Clone, Debug)]
pub struct EnumSpecifier {
    /// Its tag.
    pub tag: Option<Ident>,
    /// The integer type that is written after a colon (C23).
    pub fixed: Option<Box<Specifiers>>,
    /// Its constants, where they are written.
    pub enumerators: Option<Vec<(Ident, Option<Expr>)>>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The keyword and the tag.
    pub span: Span,
}

/// A declarator: a name and how its type is derived from the specifiers' type.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name; absent in type names and some parameters.
    pub name: Option<Ident>,
    /// Derivations in the order in which they apply to the *name*: `int *a[3]` is
    /// `[Array(3), Pointer]` ("a is an array of 3 pointers to int").
    pub derivations: Vec<Derivation>,
    /// Attributes after it.
    pub attributes: Vec<Attribute>,
    /// `asm("name")` after it.
    pub asm_label: Option<StringLiteral>,
    /// The declarator.
    pub span: Span,
}

impl Declarator {
    /// A name alone.
    pub fn named(name: Ident) -> Self {
        let span = name.span;
        let (derivations, attributes) = (Vec::new(), Vec::new());
        Self { name: Some(name), derivations, attributes, asm_label: None, span }
    }
}

/// One step of a declarator.
#[derive(Clone, Debug)]
pub enum Derivation {
    /// `*` with its qualifiers.
    Pointer(Qualifiers, Vec<Attribute>),
    /// `[size]`; the qualifiers and `static` matter in parameters only.
    Array {
        /// The number of elements.
        size: ArraySize,
        /// Qualifiers inside the brackets.
        qualifiers: Qualifiers,
    },
    /// `(parameters)`.
    Function {
        /// The parameters. `(void)` is an empty list; `()` too, with `unprototyped` set.
        params: Vec<Parameter>,
        /// `...`
        variadic: bool,
        /// `()`
        unprototyped: bool,
    },
}

/// The size in an array declarator.
#[derive(Clone, Debug)]
pub enum ArraySize {
    /// `[]`
    Unknown,
    /// `[*]`
    Star,
    /// `[n]`
    Expr(Box<Expr>),
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Specifiers.
    pub specifiers: Specifiers,
    /// Declarator, with or without a name.
    pub declarator: Declarator,
}

/// A type name, as in a cast.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// Specifiers.
    pub specifiers: Specifiers,
    /// A declarator without a name.
    pub declarator: Declarator,
    /// All of it.
    pub span: Span,
}

/// An initialiser.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// One expression.
    Expr(Expr),
    /// `{ … }`.
    List(InitList),
}

/// A braced list.
#[derive(Clone, Debug)]
pub struct InitList {
    /// Designators and values.
    pub items: Vec<(Vec<Designator>, Initializer)>,
    /// From brace to brace.
    pub span: Span,
}

/// `.name`, `[index]` or `[low ... high]`.
#[derive(Clone, Debug)]
pub enum Designator {
    /// `.name`
    Field(Ident),
    /// `[index]`
    Index(Expr),
    /// `[low ... high]`
    Range(Expr, Expr),
}

/// A compound statement.
#[derive(Clone, Debug)]
pub struct Block {
    /// Declarations and statements, in order.
    pub items: Vec<BlockItem>,
    /// From brace to brace.
    pub span: Span,
}

/// A line of a compound statement.
#[derive(Clone, Debug)]
pub enum BlockItem {
    /// A declaration.
    Declaration(Declaration),
    /// A statement.
    Statement(Stmt),
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
    /// A nested function (GNU): parsed so that it can be refused well.
    Function(Box<FunctionDefinition>),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;` or `expression;`
    Expr(Option<Expr>),
    /// `{ … }`
    Block(Block),
    /// `if`
    If { cond: Expr, then: Box<Stmt>, otherwise: Option<Box<Stmt>> },
    /// `while`
    While { cond: Expr, body: Box<Stmt> },
    /// `do … while`
    DoWhile { body: Box<Stmt>, cond: Expr },
    /// `for`
    For { init: Option<ForInit>, cond: Option<Expr>, step: Option<Expr>, body: Box<Stmt> },
    /// `switch`
    Switch { value: Expr, body: Box<Stmt> },
    /// `case low:` or `case low ... high:`
    Case { low: Expr, high: Option<Expr>, body: Box<Stmt> },
    /// `default:`
    Default(Box<Stmt>),
    /// `name:`
    Label { name: Ident, body: Box<Stmt> },
    /// `goto name;`
    Goto(Ident),
    /// `goto *expression;` (GNU): parsed so that it can be refused well.
    ComputedGoto(Expr),
    /// `continue;`
    Continue,
    /// `break;`
    Break,
    /// `return;` or `return expression;`
    Return(Option<Expr>),
    /// `asm(…)`
    Asm(Asm),
    /// `__fp_atomic statement`: an atomic section around a statement.
    Atomic(Box<Stmt>),
}

/// The first part of a `for`.
#[derive(Clone, Debug)]
pub enum ForInit {
    /// A declaration.
    Declaration(Box<Declaration>),
    /// An expression.
    Expr(Expr),
}

/// Inline assembly.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The template, literals joined.
    pub template: StringLiteral,
    /// Outputs.
    pub outputs: Vec<AsmOperand>,
    /// Inputs.
    pub inputs: Vec<AsmOperand>,
    /// Clobbers.
    pub clobbers: Vec<StringLiteral>,
    /// `volatile` was written.
    pub volatile: bool,
    /// `goto` was written.
    pub goto: bool,
    /// All of it.
    pub span: Span,
}

/// An operand of inline assembly: `[name] "constraint" (expression)`.
#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// What the template may call it.
    pub name: Option<Rc<str>>,
    /// Where it has to be, and whether it is written.
    pub constraint: StringLiteral,
    /// The expression.
    pub expr: Expr,
}

/// A string literal, adjacent ones joined.
#[derive(Clone, Debug)]
pub struct StringLiteral {
    /// The prefix.
    pub encoding: Encoding,
    /// The code units, without the final zero.
    pub units: Vec<u32>,
    /// Where.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name.
    Ident(Rc<str>),
    /// An integer constant.
    Int {
        /// Its value.
        value: u128,
        /// Written in decimal: then it does not silently become unsigned.
        decimal: bool,
        /// `u` suffix.
        unsigned: bool,
        /// `l` (1) or `ll` (2) suffix.
        longs: u8,
    },
    /// A floating constant: parsed so that it can be refused well.
    Float(Rc<str>),
    /// A character constant.
    Char { encoding: Encoding, value: i64 },
    /// A string literal.
    String(StringLiteral),
    /// `_Generic(value, type: e, default: e)`.
    Generic { value: Box<Expr>, arms: Vec<(Option<TypeName>, Expr)> },
    /// `array[index]`
    Index(Box<Expr>, Box<Expr>),
    /// `function(arguments)`
    Call { callee: Box<Expr>, args: Vec<Expr> },
    /// `object.member`
    Member(Box<Expr>, Ident),
    /// `pointer->member`
    Arrow(Box<Expr>, Ident),
    /// `e++`, `e--`
    PostIncrement(Box<Expr>),
    /// `e--`
    PostDecrement(Box<Expr>),
    /// `++e`
    PreIncrement(Box<Expr>),
    /// `--e`
    PreDecrement(Box<Expr>),
    /// `&e`
    AddressOf(Box<Expr>),
    /// `*e`
    Deref(Box<Expr>),
    /// `+e`, `-e`, `~e`, `!e`
    Unary(UnaryOp, Box<Expr>),
    /// `__extension__ e`, `__real__`… only the first is kept
    Extension(Box<Expr>),
    /// `sizeof e`
    SizeofExpr(Box<Expr>),
    /// `sizeof(type)`
    SizeofType(Box<TypeName>),
    /// `_Alignof(type)`
    AlignofType(Box<TypeName>),
    /// `__alignof__ e`
    AlignofExpr(Box<Expr>),
    /// `offsetof(type, member.path[1])`, spelled `__builtin_offsetof`
    Offsetof { ty: Box<TypeName>, path: Vec<Designator> },
    /// `(type)e`
    Cast(Box<TypeName>, Box<Expr>),
    /// `(type){ … }`
    CompoundLiteral(Box<TypeName>, InitList),
    /// `a op b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a && b`
    LogicalAnd(Box<Expr>, Box<Expr>),
    /// `a || b`
    LogicalOr(Box<Expr>, Box<Expr>),
    /// `a ? b : c`, or `a ?: c`
    Conditional { cond: Box<Expr>, then: Option<Box<Expr>>, otherwise: Box<Expr> },
    /// `a = b`
    Assign(Box<Expr>, Box<Expr>),
    /// `a op= b`
    CompoundAssign(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// `({ … })`
    Statement(Block),
    /// `__builtin_types_compatible_p(t, u)`
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_choose_expr(c, a, b)`
    ChooseExpr(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `__builtin_va_arg(list, type)`
    VaArg(Box<Expr>, Box<TypeName>),
    /// `&&label` (GNU): parsed so that it can be refused well.
    LabelAddress(Ident),
}

/// Operators of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`
    BitNot,
    /// `!`
    Not,
}

/// Operators of two operands, without the logical ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
}

impl BinaryOp {
    /// The operator as it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
        }
    }
}
