//! Reads the C functions of a litmus test: recursive descent over the shared tokens.

use super::ast::{Binary, Case, Expr, ExprKind, Function, Param, Stmt, Unary};
use crate::token::{Cursor, Kind, Token, number};
use execution::diagnostic::Diagnostic;
use ir::op::BinaryOp;

/// Deeper nesting than any person writes; keeps the reader's own stack small.
const MAX_DEPTH: usize = 200;

/// More operators than any statement has: a chain of them becomes a tree as deep.
const MAX_OPERATORS: usize = 1000;

/// Reads the function of thread `number`.
pub fn function(cursor: &mut Cursor<'_>, number: usize) -> Result<Function, Diagnostic> {
    cursor.eat_word("void");
    let expected = format!("P{number}");
    if !cursor.peek().is_word(&expected) {
        return Err(cursor.wanted(&format!("the function of thread `{expected}`")));
    }
    cursor.next();
    cursor.expect("(")?;
    let mut params = Vec::new();
    while !cursor.eat(")") {
        if let Some(param) = param(cursor)? {
            params.push(param);
        }
        if !cursor.peek().is(")") {
            cursor.expect(",")?;
        }
    }
    let mut parser = Parser { cursor, depth: 0, operators: 0 };
    let body = parser.braces()?;
    Ok(Function { params, body })
}

/// Reads a parameter; `void` alone is none.
fn param(cursor: &mut Cursor<'_>) -> Result<Option<Param>, Diagnostic> {
    let mut words: Vec<Token<'_>> = Vec::new();
    loop {
        let token = cursor.peek();
        if token.kind == Kind::Word {
            words.push(cursor.next());
            // `_Atomic(int)`: the parentheses change nothing.
            if token.text == "_Atomic" && cursor.eat("(") {
                words.push(cursor.word("a type")?);
                while cursor.eat("*") {}
                cursor.expect(")")?;
            }
        } else if !cursor.eat("*") {
            break;
        }
    }
    if cursor.eat("[") {
        while !cursor.eat("]") {
            if cursor.at_end() {
                return Err(cursor.wanted("`]`"));
            }
            cursor.next();
        }
    }
    let Some(name) = words.pop() else { return Err(cursor.wanted("a parameter")) };
    if words.is_empty() {
        if name.text == "void" {
            return Ok(None);
        }
        return Err(Diagnostic::error(name.span, "a parameter has a type and a name"));
    }
    let c11_atomic = words.iter().any(|word| {
        word.text == "_Atomic" || word.text.starts_with("atomic_") && !word.text.ends_with("_t")
    });
    Ok(Some(Param { name: name.text.to_string(), c11_atomic, span: name.span }))
}

/// Words with which a type starts.
fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "int"
            | "long"
            | "short"
            | "char"
            | "unsigned"
            | "signed"
            | "void"
            | "struct"
            | "const"
            | "volatile"
            | "bool"
            | "_Bool"
            | "_Atomic"
            | "atomic_int"
            | "atomic_bool"
            | "atomic_long"
            | "atomic_uint"
            | "size_t"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "s8"
            | "s16"
            | "s32"
            | "s64"
    ) || word.ends_with("_t")
}

struct Parser<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    depth: usize,
    /// How many operators the statement had so far that follow each other in a loop here.
    operators: usize,
}

impl Parser<'_, '_> {
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        if self.depth >= MAX_DEPTH {
            let message = "this is nested too deeply";
            return Err(Diagnostic::error(self.cursor.peek().span, message));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Takes an operator if it is there, as long as the statement does not have too many.
    fn eat_operator(&mut self, mark: &str) -> Result<bool, Diagnostic> {
        if !self.cursor.eat(mark) {
            return Ok(false);
        }
        self.operators += 1;
        if self.operators > MAX_OPERATORS {
            let message = "this statement has too many operators";
            return Err(Diagnostic::error(self.cursor.previous_span(), message));
        }
        Ok(true)
    }

    fn braces(&mut self) -> Result<Vec<Stmt>, Diagnostic> {
        let open = self.cursor.expect("{")?.span;
        let mut statements = Vec::new();
        while !self.cursor.eat("}") {
            let token = self.cursor.peek();
            let condition = (token.is_word("exists") || token.is_word("forall"))
                && self.cursor.peek_at(1).is("(");
            if self.cursor.at_end() || condition {
                return Err(Diagnostic::error(open, "this brace is never closed"));
            }
            self.statement(&mut statements)?;
        }
        Ok(statements)
    }

    /// Reads a statement; a declaration of several locals is several statements.
    fn statement(&mut self, statements: &mut Vec<Stmt>) -> Result<(), Diagnostic> {
        let start = self.cursor.peek();
        self.operators = 0;
        if self.cursor.eat(";") {
            return Ok(());
        }
        if self.declaration_ahead() {
            return self.declaration(statements);
        }
        let statement = if start.is("{") {
            Stmt::Block(self.nested(Self::braces)?)
        } else if self.cursor.eat_word("if") {
            let cond = self.parenthesised()?;
            let then = self.nested(Self::arm)?;
            let otherwise =
                if self.cursor.eat_word("else") { self.nested(Self::arm)? } else { Vec::new() };
            Stmt::If(cond, then, otherwise)
        } else if self.cursor.eat_word("while") {
            let cond = self.parenthesised()?;
            let body = self.nested(Self::arm)?;
            Stmt::Loop { cond: Some(cond), body, step: Vec::new() }
        } else if self.cursor.eat_word("for") {
            return self.for_loop(statements);
        } else if self.cursor.eat_word("switch") {
            let value = self.parenthesised()?;
            Stmt::Switch(value, self.nested(Self::cases)?)
        } else if self.cursor.peek_at(1).is(";") && self.cursor.eat_word("break") {
            self.cursor.expect(";")?;
            Stmt::Break(start.span)
        } else if self.cursor.peek_at(1).is(";") && self.cursor.eat_word("continue") {
            self.cursor.expect(";")?;
            Stmt::Continue(start.span)
        } else if self.cursor.eat_word("do") {
            let body = self.nested(Self::arm)?;
            if !self.cursor.eat_word("while") {
                return Err(self.cursor.wanted("`while`"));
            }
            let cond = self.parenthesised()?;
            self.cursor.expect(";")?;
            Stmt::DoWhile(body, cond)
        } else if self.cursor.peek_at(1).is(";") && self.cursor.eat_word("return") {
            self.cursor.expect(";")?;
            Stmt::Return
        } else {
            if start.is_word("goto") || self.cursor.peek_at(1).is(":") {
                let message = "`goto` and its labels are not supported in a litmus test";
                return Err(Diagnostic::error(start.span, message));
            }
            let list = self.expressions(";")?;
            statements.extend(list.into_iter().map(Stmt::Expr));
            return Ok(());
        };
        statements.push(statement);
        Ok(())
    }

    /// Reads a `for` after its keyword; its first part becomes statements of its own.
    fn for_loop(&mut self, statements: &mut Vec<Stmt>) -> Result<(), Diagnostic> {
        self.cursor.expect("(")?;
        if self.declaration_ahead() {
            self.declaration(statements)?;
        } else {
            let first = self.expressions(";")?;
            statements.extend(first.into_iter().map(Stmt::Expr));
        }
        let cond = if self.cursor.peek().is(";") { None } else { Some(self.expr()?) };
        self.cursor.expect(";")?;
        let step = self.expressions(")")?;
        let body = self.nested(Self::arm)?;
        statements.push(Stmt::Loop { cond, body, step });
        Ok(())
    }

    /// Reads expressions with commas between them up to a mark, which is taken.
    fn expressions(&mut self, end: &str) -> Result<Vec<Expr>, Diagnostic> {
        let mut list = Vec::new();
        if self.cursor.eat(end) {
            return Ok(list);
        }
        loop {
            list.push(self.expr()?);
            if !self.cursor.eat(",") {
                self.cursor.expect(end)?;
                return Ok(list);
            }
        }
    }

    /// Reads the braces of a `switch`.
    fn cases(&mut self) -> Result<Vec<Case>, Diagnostic> {
        let open = self.cursor.expect("{")?.span;
        let mut cases: Vec<Case> = Vec::new();
        while !self.cursor.eat("}") {
            if self.cursor.at_end() {
                return Err(Diagnostic::error(open, "this brace is never closed"));
            }
            let start = self.cursor.peek();
            let label = if self.cursor.eat_word("case") {
                Some(Some(self.cursor.signed_number()?))
            } else if self.cursor.eat_word("default") {
                Some(None)
            } else {
                None
            };
            match (label, cases.last_mut()) {
                (Some(value), _) => {
                    self.cursor.expect(":")?;
                    let span = start.span;
                    if cases.iter().any(|case| case.value == value) {
                        return Err(Diagnostic::error(span, "this label is there twice"));
                    }
                    cases.push(Case { value, span, body: Vec::new() });
                }
                (None, Some(case)) => self.statement(&mut case.body)?,
                (None, None) => return Err(self.cursor.wanted("`case` or `default`")),
            }
        }
        Ok(cases)
    }

    fn arm(&mut self) -> Result<Vec<Stmt>, Diagnostic> {
        if self.cursor.peek().is("{") {
            return self.braces();
        }
        let mut statements = Vec::new();
        self.statement(&mut statements)?;
        Ok(statements)
    }

    fn parenthesised(&mut self) -> Result<Expr, Diagnostic> {
        self.cursor.expect("(")?;
        let expr = self.expr()?;
        self.cursor.expect(")")?;
        Ok(expr)
    }

    /// A declaration starts with two words, or with a word, stars and a word.
    fn declaration_ahead(&self) -> bool {
        let first = self.cursor.peek();
        if first.kind != Kind::Word || first.is_word("return") || first.is_word("else") {
            return false;
        }
        let mut ahead = 1;
        while self.cursor.peek_at(ahead).is("*") {
            ahead += 1;
        }
        self.cursor.peek_at(ahead).kind == Kind::Word
            && !matches!(first.text, "do" | "goto" | "case")
    }

    fn declaration(&mut self, statements: &mut Vec<Stmt>) -> Result<(), Diagnostic> {
        while self.cursor.peek_at(1).kind == Kind::Word || self.cursor.peek_at(1).is("*") {
            self.cursor.next();
            while self.cursor.eat("*") {}
            if self.cursor.peek_at(1).kind != Kind::Word && !self.cursor.peek_at(1).is("*") {
                break;
            }
        }
        loop {
            while self.cursor.eat("*") {}
            let name = self.cursor.word("the name of a local")?;
            let value = if self.cursor.eat("=") { Some(self.assignment()?) } else { None };
            statements.push(Stmt::Declare(name.text.to_string(), value));
            if self.cursor.eat(";") {
                return Ok(());
            }
            if !self.cursor.eat(",") {
                return Err(self.cursor.wanted("`;`"));
            }
        }
    }

    fn expr(&mut self) -> Result<Expr, Diagnostic> {
        self.nested(Self::assignment)
    }

    fn assignment(&mut self) -> Result<Expr, Diagnostic> {
        let left = self.conditional()?;
        for (mark, op) in COMPOUND {
            if self.cursor.eat(mark) {
                let right = self.nested(Self::assignment)?;
                return update(left, op, right);
            }
        }
        if self.cursor.eat("=") {
            let right = self.nested(Self::assignment)?;
            return Ok(assign(left, right));
        }
        Ok(left)
    }

    fn conditional(&mut self) -> Result<Expr, Diagnostic> {
        let cond = self.short_circuit(false)?;
        if !self.cursor.eat("?") {
            return Ok(cond);
        }
        let then = self.nested(Self::assignment)?;
        self.cursor.expect(":")?;
        let otherwise = self.nested(Self::conditional)?;
        let span = cond.span.to(otherwise.span);
        let kind = ExprKind::Conditional(Box::new(cond), Box::new(then), Box::new(otherwise));
        Ok(Expr { kind, span })
    }

    fn short_circuit(&mut self, and: bool) -> Result<Expr, Diagnostic> {
        let operand = |parser: &mut Self| {
            if and { parser.binary(0) } else { parser.short_circuit(true) }
        };
        let mut left = operand(self)?;
        while self.eat_operator(if and { "&&" } else { "||" })? {
            let right = operand(self)?;
            let span = left.span.to(right.span);
            let (l, r) = (Box::new(left), Box::new(right));
            left = Expr { kind: ExprKind::ShortCircuit { and, left: l, right: r }, span };
        }
        Ok(left)
    }

    /// Binary operators from `level` on, loosest first.
    fn binary(&mut self, level: usize) -> Result<Expr, Diagnostic> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        'next: loop {
            for (mark, op) in *operators {
                if self.eat_operator(mark)? {
                    let right = self.binary(level + 1)?;
                    left = combine(*op, left, right);
                    continue 'next;
                }
            }
            return Ok(left);
        }
    }

    fn unary(&mut self) -> Result<Expr, Diagnostic> {
        let start = self.cursor.peek();
        let make = |parser: &mut Self, kind: fn(Box<Expr>) -> ExprKind| {
            parser.cursor.next();
            let operand = parser.nested(Self::unary)?;
            let span = start.span.to(operand.span);
            Ok(Expr { kind: kind(Box::new(operand)), span })
        };
        match start.text {
            "*" => make(self, ExprKind::Deref),
            "&" => make(self, ExprKind::AddressOf),
            "-" => make(self, |e| ExprKind::Unary(Unary::Minus, e)),
            "~" => make(self, |e| ExprKind::Unary(Unary::Complement, e)),
            "!" => make(self, |e| ExprKind::Unary(Unary::Not, e)),
            "++" | "--" => {
                let (op, _, one) = self.step();
                update(self.nested(Self::unary)?, op, one)
            }
            "(" if self.cast_ahead() => {
                while !self.cursor.eat(")") {
                    if self.cursor.at_end() {
                        return Err(self.cursor.wanted("`)`"));
                    }
                    self.cursor.next();
                }
                self.nested(Self::unary)
            }
            _ => self.postfix(),
        }
    }

    /// `(` and a type; types do not matter here, so casts are dropped.
    fn cast_ahead(&self) -> bool {
        let word = self.cursor.peek_at(1);
        word.kind == Kind::Word
            && (is_type_word(word.text)
                || self.cursor.peek_at(2).is("*") && self.cursor.peek_at(3).is(")"))
    }

    fn postfix(&mut self) -> Result<Expr, Diagnostic> {
        let mut expr = self.primary()?;
        loop {
            if self.eat_operator("[")? {
                let index = self.expr()?;
                let close = self.cursor.expect("]")?.span;
                let span = expr.span.to(close);
                expr = Expr { kind: ExprKind::Index(Box::new(expr), Box::new(index)), span };
            } else if self.cursor.peek().is("++") || self.cursor.peek().is("--") {
                // The value is the old one: the new one, changed back.
                let (op, back, one) = self.step();
                expr = combine(Binary::Op(back), update(expr, op, one.clone())?, one);
            } else {
                return Ok(expr);
            }
        }
    }

    /// Takes `++` or `--`: what it does, what undoes it, and the number one.
    fn step(&mut self) -> (BinaryOp, BinaryOp, Expr) {
        let mark = self.cursor.next();
        let one = Expr { kind: ExprKind::Number(1), span: mark.span };
        let (op, back) = (BinaryOp::Add, BinaryOp::Sub);
        if mark.text == "++" { (op, back, one) } else { (back, op, one) }
    }

    fn primary(&mut self) -> Result<Expr, Diagnostic> {
        let token = self.cursor.peek();
        if token.kind == Kind::Number {
            self.cursor.next();
            return Ok(Expr { kind: ExprKind::Number(number(&token)?), span: token.span });
        }
        if token.is("(") {
            return self.parenthesised();
        }
        let name = self.cursor.word("an expression")?;
        let annotated = self.cursor.peek().is("{");
        let annotation = if annotated { Some(self.annotation()?) } else { None };
        if !annotated && !self.cursor.peek().is("(") {
            let kind = ExprKind::Name(name.text.to_string());
            return Ok(Expr { kind, span: name.span });
        }
        let mut arguments = Vec::new();
        if self.cursor.eat("(") {
            while !self.cursor.eat(")") {
                arguments.push(self.argument()?);
                if !self.cursor.peek().is(")") {
                    self.cursor.expect(",")?;
                }
            }
        }
        let span = name.span.to(self.cursor.previous_span());
        let name = name.text.to_string();
        Ok(Expr { kind: ExprKind::Call { name, annotation, arguments }, span })
    }

    /// An argument; herd's `__atomic_fetch_op{…}(x,+,1)` takes an operator as one.
    fn argument(&mut self) -> Result<Expr, Diagnostic> {
        let token = self.cursor.peek();
        let after = self.cursor.peek_at(1);
        if token.kind == Kind::Mark && after.is(",") && "+-&|^".contains(token.text) {
            self.cursor.next();
            return Ok(Expr { kind: ExprKind::Name(token.text.to_string()), span: token.span });
        }
        self.nested(Self::assignment)
    }

    fn annotation(&mut self) -> Result<String, Diagnostic> {
        self.cursor.expect("{")?;
        let mut text = String::new();
        while !self.cursor.eat("}") {
            if self.cursor.at_end() {
                return Err(self.cursor.wanted("`}`"));
            }
            text.push_str(self.cursor.next().text);
        }
        Ok(text)
    }
}

const LEVELS: [&[(&str, Binary)]; 8] = [
    &[("|", Binary::Op(BinaryOp::Or))],
    &[("^", Binary::Op(BinaryOp::Xor))],
    &[("&", Binary::Op(BinaryOp::And))],
    &[("==", Binary::Op(BinaryOp::Eq)), ("!=", Binary::Op(BinaryOp::Ne))],
    &[
        ("<=", Binary::Op(BinaryOp::Sle)),
        (">=", Binary::GreaterEqual),
        ("<", Binary::Op(BinaryOp::Slt)),
        (">", Binary::Greater),
    ],
    &[("<<", Binary::Op(BinaryOp::Shl)), (">>", Binary::Op(BinaryOp::AShr))],
    &[("+", Binary::Op(BinaryOp::Add)), ("-", Binary::Op(BinaryOp::Sub))],
    &[
        ("*", Binary::Op(BinaryOp::Mul)),
        ("/", Binary::Op(BinaryOp::SDiv)),
        ("%", Binary::Op(BinaryOp::SRem)),
    ],
];

/// `a op= b` is `a = a op b`; so `a` must not be read from memory through what is read, too.
const COMPOUND: [(&str, BinaryOp); 10] = [
    ("+=", BinaryOp::Add),
    ("-=", BinaryOp::Sub),
    ("*=", BinaryOp::Mul),
    ("/=", BinaryOp::SDiv),
    ("%=", BinaryOp::SRem),
    ("&=", BinaryOp::And),
    ("|=", BinaryOp::Or),
    ("^=", BinaryOp::Xor),
    ("<<=", BinaryOp::Shl),
    (">>=", BinaryOp::AShr),
];

fn update(place: Expr, op: BinaryOp, amount: Expr) -> Result<Expr, Diagnostic> {
    let twice = match &place.kind {
        ExprKind::Name(_) => false,
        ExprKind::Deref(inner) => inner.has_effects(),
        ExprKind::Index(base, index) => base.has_effects() || index.has_effects(),
        _ => return Err(Diagnostic::error(place.span, "this cannot be assigned to")),
    };
    if twice {
        let message = "what is updated here is found by reading or assigning: do that first";
        return Err(Diagnostic::error(place.span, message));
    }
    let sum = combine(Binary::Op(op), place.clone(), amount);
    Ok(assign(place, sum))
}

fn combine(op: Binary, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}

fn assign(left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Assign(Box::new(left), Box::new(right)), span }
}
