//! The syntax tree of a C litmus thread.

use execution::span::Span;

/// One thread.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its parameters: the shared locations it may name.
    pub params: Vec<Param>,
    /// Its body.
    pub body: Vec<Stmt>,
}

/// A parameter: the address of the location of the same name.
#[derive(Clone, Debug)]
pub struct Param {
    /// The location.
    pub name: String,
    /// Whether its type is one of C11's atomic ones.
    pub c11_atomic: bool,
    /// Where its name is.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// A declaration of a local, with or without a value.
    Declare(String, Option<Expr>),
    /// An expression for its effect.
    Expr(Expr),
    /// `if (…) … else …`.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `while (…) …` and `for (…; …; …) …`, whose first part stands before it.
    Loop {
        /// Evaluated before each iteration; none is always true.
        cond: Option<Expr>,
        /// The body.
        body: Vec<Stmt>,
        /// Evaluated after each round, also where it ends with `continue`.
        step: Vec<Expr>,
    },
    /// `do … while (…);`.
    DoWhile(Vec<Stmt>, Expr),
    /// `switch (…) { … }`.
    Switch(Expr, Vec<Case>),
    /// `{ … }`.
    Block(Vec<Stmt>),
    /// `break;`.
    Break(Span),
    /// `continue;`.
    Continue(Span),
    /// `return;`.
    Return,
}

/// A part of a `switch`: one label, and what stands up to the next label.
#[derive(Clone, Debug)]
pub struct Case {
    /// The value; `None` for `default`.
    pub value: Option<i128>,
    /// Where the label is.
    pub span: Span,
    /// The statements; without `break` the next part follows.
    pub body: Vec<Stmt>,
}

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Number(i128),
    /// A local or a location's address.
    Name(String),
    /// `*e`.
    Deref(Box<Expr>),
    /// `e[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `&e`.
    AddressOf(Box<Expr>),
    /// `-e`, `~e`, `!e`.
    Unary(Unary, Box<Expr>),
    /// `a op b`.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a && b` or `a || b`.
    ShortCircuit {
        /// Whether it is `&&`.
        and: bool,
        /// The left side.
        left: Box<Expr>,
        /// The right side, evaluated only where the left does not decide.
        right: Box<Expr>,
    },
    /// `c ? a : b`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a = b`.
    Assign(Box<Expr>, Box<Expr>),
    /// A call of a primitive; herd's own have an annotation in braces (`__xchg{mb}(x,1)`).
    Call {
        /// The primitive.
        name: String,
        /// The annotation.
        annotation: Option<String>,
        /// The arguments.
        arguments: Vec<Expr>,
    },
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    /// `-`
    Minus,
    /// `~`
    Complement,
    /// `!`
    Not,
}

/// Binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    /// An operation of the load-store language.
    Op(ir::op::BinaryOp),
    /// `a > b`: less, with the sides exchanged.
    Greater,
    /// `a >= b`.
    GreaterEqual,
}

impl Expr {
    /// Whether it matters that it is evaluated once only: it accesses memory or assigns.
    pub fn has_effects(&self) -> bool {
        self.accesses() || self.assigns()
    }

    fn assigns(&self) -> bool {
        match &self.kind {
            ExprKind::Assign(..) => true,
            ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Call { .. } => false,
            ExprKind::Deref(e) | ExprKind::AddressOf(e) | ExprKind::Unary(_, e) => e.assigns(),
            ExprKind::Index(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::ShortCircuit { left: a, right: b, .. } => a.assigns() || b.assigns(),
            ExprKind::Conditional(a, b, c) => a.assigns() || b.assigns() || c.assigns(),
        }
    }

    /// Whether evaluating it may access memory.
    pub fn accesses(&self) -> bool {
        match &self.kind {
            ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::AddressOf(_) => false,
            ExprKind::Deref(_) | ExprKind::Index(..) | ExprKind::Call { .. } => true,
            ExprKind::Unary(_, e) => e.accesses(),
            ExprKind::Binary(_, a, b)
            | ExprKind::ShortCircuit { left: a, right: b, .. }
            | ExprKind::Assign(a, b) => a.accesses() || b.accesses(),
            ExprKind::Conditional(a, b, c) => a.accesses() || b.accesses() || c.accesses(),
        }
    }
}

impl Function {
    /// Calls `found` with every name that is called or mentioned.
    pub fn visit_names(&self, found: &mut dyn FnMut(&str)) {
        visit_statements(&self.body, found);
    }
}

fn visit_statements(statements: &[Stmt], found: &mut dyn FnMut(&str)) {
    for statement in statements {
        match statement {
            Stmt::Declare(_, value) => {
                if let Some(value) = value {
                    visit(value, found);
                }
            }
            Stmt::Expr(expr) => visit(expr, found),
            Stmt::If(cond, then, otherwise) => {
                visit(cond, found);
                visit_statements(then, found);
                visit_statements(otherwise, found);
            }
            Stmt::Loop { cond, body, step } => {
                cond.iter().chain(step).for_each(|expr| visit(expr, found));
                visit_statements(body, found);
            }
            Stmt::DoWhile(body, cond) => {
                visit(cond, found);
                visit_statements(body, found);
            }
            Stmt::Switch(value, cases) => {
                visit(value, found);
                cases.iter().for_each(|case| visit_statements(&case.body, found));
            }
            Stmt::Block(body) => visit_statements(body, found),
            Stmt::Return | Stmt::Break(_) | Stmt::Continue(_) => {}
        }
    }
}

fn visit(expr: &Expr, found: &mut dyn FnMut(&str)) {
    match &expr.kind {
        ExprKind::Number(_) => {}
        ExprKind::Name(name) => found(name),
        ExprKind::Deref(e) | ExprKind::AddressOf(e) | ExprKind::Unary(_, e) => visit(e, found),
        ExprKind::Index(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::ShortCircuit { left: a, right: b, .. }
        | ExprKind::Assign(a, b) => {
            visit(a, found);
            visit(b, found);
        }
        ExprKind::Conditional(a, b, c) => {
            visit(a, found);
            visit(b, found);
            visit(c, found);
        }
        ExprKind::Call { name, arguments, .. } => {
            found(name);
            arguments.iter().for_each(|argument| visit(argument, found));
        }
    }
}
