//! The syntax tree of a cat file.

use execution::span::Span;
use std::collections::HashSet;
use std::sync::Arc;

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// What a definition or a function parameter binds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// One name.
    Name(Name),
    /// Nothing: `_` or `()`.
    Ignore,
    /// The components of a tuple.
    Tuple(Vec<Pattern>),
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// A name.
    Name(Arc<str>),
    /// `'tag`.
    Tag(Arc<str>),
    /// `0`, the empty relation.
    Zero,
    /// `_`, all events.
    Universe,
    /// `{a, b}`.
    SetLiteral(Vec<Expr>),
    /// `(a, b)`; `()` is the tuple of nothing.
    Tuple(Vec<Expr>),
    /// `[S]`: the identity on a set.
    Identity(Box<Expr>),
    /// A prefix or postfix operator.
    Unary(UnaryOp, Box<Expr>),
    /// Two or more operands of one infix operator, applied from the left.
    Infix(InfixOp, Vec<Expr>),
    /// A function applied to one or more arguments in turn.
    Apply(Box<Expr>, Vec<Expr>),
    /// `fun x -> body`.
    Function(Pattern, Arc<Expr>),
    /// `let … in body`.
    Let(Bindings, Box<Expr>),
    /// `match e with … end`.
    Match(Box<Expr>, Vec<Clause<Expr>>),
    /// `if c then a else b`.
    If(Box<Condition>, Box<Expr>, Box<Expr>),
    /// `try a with b`: `b` if a name that `a` needs does not exist.
    Try(Box<Expr>, Box<Expr>),
}

/// Operators of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `~e`
    Complement,
    /// `e^-1`
    Inverse,
    /// `e?`
    Optional,
    /// `e+`
    Plus,
    /// `e*`
    Star,
}

/// Operators between operands, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InfixOp {
    /// `a | b`
    Union,
    /// `e ++ S`
    Add,
    /// `a ; b`
    Sequence,
    /// `a \ b`
    Difference,
    /// `a & b`
    Intersection,
    /// `a * b`
    Product,
}

/// One arm of a `match`, whose body is an expression or a list of instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause<T> {
    /// What it matches.
    pub pattern: ClausePattern,
    /// What it yields.
    pub body: T,
}

/// What an arm of a `match` matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClausePattern {
    /// `'tag`.
    Tag(Name),
    /// `{}`.
    Empty,
    /// `e ++ S`: some element and the rest.
    Element(Pattern, Pattern),
    /// `_`.
    Any,
}

/// What an `if` asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// `"name"`: is this variant asked for?
    Variant(Name),
    /// `not c`
    Not(Box<Condition>),
    /// `a && b`
    And(Vec<Condition>),
    /// `a || b`
    Or(Vec<Condition>),
    /// `a = b`
    Equal(Expr, Expr),
}

impl Condition {
    /// The answer, if the condition asks only about variants.
    pub fn decided(&self, variants: &HashSet<String>) -> Option<bool> {
        match self {
            Self::Variant(name) => Some(variants.contains(&*name.text)),
            Self::Not(inner) => inner.decided(variants).map(|answer| !answer),
            Self::And(parts) => {
                let mut answers = parts.iter().map(|part| part.decided(variants));
                answers.try_fold(true, |all, answer| Some(all && answer?))
            }
            Self::Or(parts) => {
                let mut answers = parts.iter().map(|part| part.decided(variants));
                answers.try_fold(false, |any, answer| Some(any || answer?))
            }
            Self::Equal(..) => None,
        }
    }
}

/// The definitions of one `let`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bindings {
    /// Whether the definitions may use each other: `let rec`.
    pub recursive: bool,
    /// The definitions.
    pub list: Vec<Binding>,
}

/// One definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binding {
    /// What is bound.
    pub pattern: Pattern,
    /// The parameters; a definition with parameters is a function.
    pub parameters: Vec<Pattern>,
    /// The right-hand side.
    pub body: Arc<Expr>,
    /// The whole definition.
    pub span: Span,
}

/// One instruction of a cat file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// What it is.
    pub kind: InstructionKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InstructionKind {
    /// `let …`
    Let(Bindings),
    /// `acyclic r as name` and its kin.
    Check(Check),
    /// `show …`
    Show(Vec<(Expr, Name)>),
    /// `unshow …`
    Unshow(Vec<Name>),
    /// `include "file"`, with the file's instructions once they have been read.
    Include(Name, Vec<Instruction>),
    /// `procedure p(x) = … end`
    Procedure(Name, Pattern, Arc<[Instruction]>),
    /// `call p(e)`
    Call(Name, Expr, Option<Name>),
    /// `enum E = 'a || 'b`
    Enum(Name, Vec<Name>),
    /// `instructions R[…]`: which annotations an instruction may carry.
    Annotations(Name, Vec<Expr>),
    /// `forall x in S do … end`
    ForAll(Name, Expr, Vec<Instruction>),
    /// `with x from S`
    With(Name, Expr),
    /// `match e with … end`
    Match(Expr, Vec<Clause<Vec<Instruction>>>),
    /// `if c then … else … end`
    If(Condition, Vec<Instruction>, Vec<Instruction>),
}

/// A constraint, or a remark about executions that satisfy the constraints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// What a failure means.
    pub role: Role,
    /// Whether the test is negated: `~empty r`.
    pub negated: bool,
    /// What is tested.
    pub test: Test,
    /// Of which set or relation.
    pub expr: Expr,
    /// The name after `as`.
    pub name: Option<Name>,
}

/// What it means when a check holds or fails.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// An execution that fails it is forbidden.
    Axiom,
    /// `flag`: an execution that passes it is reported.
    Flag,
    /// `undefined_unless`: an execution that fails it is reported as undefined behaviour.
    UndefinedUnless,
    /// `assert`: an execution that fails it shows that the model is not meant for it.
    Assert,
}

/// What is tested.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Test {
    /// No cycle.
    Acyclic,
    /// No event related to itself.
    Irreflexive,
    /// No element.
    Empty,
}
