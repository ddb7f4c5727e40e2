//! The syntax tree: a model as it is written, with the place of everything.

use execution::span::Span;
use std::sync::Arc;

/// A name where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    pub text: Arc<str>,
    pub span: Span,
}

/// An operator between two operands, other than `&` and `|`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Implies,
    Xor,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// An operator before its operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    Not,
    Minus,
    Plus,
    Complement,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    Number(i64),
    Name(Arc<str>),
    Field(Box<Expr>, Name),
    Index(Box<Expr>, Box<Expr>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Operands of `&`, at least two.
    And(Vec<Expr>),
    /// Operands of `|`, at least two.
    Or(Vec<Expr>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    Quantified {
        all: bool,
        variable: Box<Quantifier>,
        body: Box<Expr>,
    },
    Call(Name, Vec<Expr>),
    IsUndefined(Box<Expr>),
    IsMember(Box<Expr>, Name),
    MultisetCount(Name, Box<Expr>, Box<Expr>),
}

/// A variable that ranges over something.
#[derive(Clone, Debug)]
pub struct Quantifier {
    pub name: Name,
    pub domain: QuantifierDomain,
}

/// What a variable ranges over.
#[derive(Clone, Debug)]
pub enum QuantifierDomain {
    Type(TypeExpr),
    Numbers(Box<Numbers>),
}

/// Numbers from one to another.
#[derive(Clone, Debug)]
pub struct Numbers {
    pub from: Expr,
    pub to: Expr,
    pub by: Option<Expr>,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    pub kind: TypeKind,
    pub span: Span,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    Name(Arc<str>),
    Range(Box<Expr>, Box<Expr>),
    Enum(Vec<Name>),
    Scalarset(Box<Expr>),
    Union(Vec<TypeExpr>),
    Array(Box<TypeExpr>, Box<TypeExpr>),
    Record(Vec<(Vec<Name>, TypeExpr)>),
    Multiset(Box<Expr>, Box<TypeExpr>),
}

/// A declaration before rules, or in a function or rule.
#[derive(Clone, Debug)]
pub enum Decl {
    Const(Name, Expr),
    Type(Name, TypeExpr),
    Var(Vec<Name>, TypeExpr),
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: Name,
    pub ty: TypeExpr,
    /// `var`: the caller's variable, which may be changed.
    pub by_reference: bool,
}

/// A function or procedure.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    pub params: Vec<Param>,
    pub result: Option<TypeExpr>,
    pub decls: Vec<Decl>,
    pub body: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    Assign(Expr, Expr),
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    Switch(Expr, Vec<(Vec<Expr>, Vec<Stmt>)>, Vec<Stmt>),
    For(Box<Quantifier>, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    Alias(Vec<Alias>, Vec<Stmt>),
    Call(Name, Option<Vec<Expr>>),
    Clear(Expr),
    Undefine(Expr),
    Assert(Expr, Option<Arc<str>>),
    Assume(Expr),
    Error(Option<Arc<str>>),
    Put(Option<Expr>),
    Return(Option<Expr>),
    MultisetAdd(Expr, Expr),
    MultisetRemove(Expr, Expr),
    MultisetRemovePred(Name, Expr, Expr),
}

/// Another name for a place or a value.
#[derive(Clone, Debug)]
pub struct Alias {
    pub name: Name,
    pub expr: Expr,
}

/// A rule, start state or property, or several of them under parameters or aliases.
#[derive(Clone, Debug)]
pub enum Rule {
    Simple { name: Option<Arc<str>>, span: Span, guard: Option<Expr>, code: Code },
    Start { name: Option<Arc<str>>, span: Span, code: Code },
    Property { kind: Property, name: Option<Arc<str>>, span: Span, condition: Expr },
    Set(Vec<Quantifier>, Vec<Rule>),
    Alias(Vec<Alias>, Vec<Rule>),
    Choose(Name, Expr, Vec<Rule>),
}

/// What a property says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    Invariant,
    Assume,
    Cover,
}

/// The body of a rule.
#[derive(Clone, Debug)]
pub struct Code {
    pub decls: Vec<Decl>,
    pub body: Vec<Stmt>,
}

/// Something at the top of a file.
#[derive(Clone, Debug)]
pub enum Item {
    Decl(Decl),
    Function(Function),
    Rule(Rule),
}

/// A file.
#[derive(Clone, Debug)]
pub struct File {
    pub items: Vec<Item>,
    /// The whole text.
    pub span: Span,
}
