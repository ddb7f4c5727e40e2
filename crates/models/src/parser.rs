//! Reads the instructions of a cat file.
//!
//! Operators from loosest to tightest: `|`, `++`, `;`, `\`, `&`, `*` (product), prefix `~`,
//! postfix `^-1 ? + *`, application. A `*` is a product where an operand follows and the
//! closure otherwise, which is how published models use it.
//!
//! Soundness S-160 (all; own; refuses): `let rec … when …`, `debug`, `scopes`, `tag2scope` and
//! `tag2level` are refused, and a set of sets that depends on `rf` or `co` cannot be enumerated,
//! which makes the test inconclusive. Test:
//! crates/models/tests/suite/language.rs::members_must_follow_from_the_program,
//! crates/models/tests/suite/language.rs::mistakes_are_shown_where_they_are.

use crate::ast::{
    Binding, Bindings, Check, Clause, ClausePattern, Condition, Expr, ExprKind, InfixOp,
    Instruction, InstructionKind, Name, Pattern, Role, Test, UnaryOp,
};
use crate::lexer::{Token, TokenKind, tokens};
use execution::diagnostic::Diagnostic;
use execution::span::{FileId, Span};
use std::sync::Arc;

/// A parsed file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CatFile {
    /// The title, if there is one.
    pub title: Option<String>,
    /// Its instructions; the contents of includes are still empty.
    pub instructions: Vec<Instruction>,
}

/// Parses `text`, which is the content of `file`.
pub fn parse(file: FileId, text: &str) -> Result<CatFile, Diagnostic> {
    let mut parser = Parser { tokens: tokens(file, text)?, position: 0, depth: 0 };
    let title = parser.title();
    parser.skip_options();
    let instructions = parser.instructions(&[])?;
    Ok(CatFile { title, instructions })
}

/// How deeply expressions and instructions may nest: more than people write, and few enough that
/// recursion over the tree is safe.
const MAX_DEPTH: usize = 100;

const KEYWORDS: &[&str] = &[
    "let",
    "rec",
    "and",
    "in",
    "fun",
    "match",
    "with",
    "end",
    "if",
    "then",
    "else",
    "try",
    "acyclic",
    "irreflexive",
    "empty",
    "flag",
    "undefined_unless",
    "assert",
    "show",
    "unshow",
    "as",
    "include",
    "procedure",
    "call",
    "enum",
    "instructions",
    "events",
    "default",
    "forall",
    "do",
    "from",
    "not",
    "begin",
    "subset",
];

/// Words before the first instruction that control how herd builds executions.
const OPTIONS: &[&str] =
    &["withco", "withoutco", "withinit", "withoutinit", "withsc", "withoutsc", "catdep"];

type Parsed<T> = Result<T, Diagnostic>;

struct Parser {
    tokens: Vec<Token>,
    position: usize,
    depth: usize,
}

// Tokens.
impl Parser {
    fn peek(&self) -> &TokenKind {
        &self.tokens[self.position].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.position].span
    }

    /// The span from `start` to the token before this one.
    fn since(&self, start: Span) -> Span {
        start.to(self.tokens[self.position.saturating_sub(1)].span)
    }

    fn advance(&mut self) {
        if self.position + 1 < self.tokens.len() {
            self.position += 1;
        }
    }

    fn at(&self, symbol: &str) -> bool {
        matches!(self.peek(), TokenKind::Symbol(s) if *s == symbol)
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let found = self.at(symbol);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    fn at_word(&self, word: &str) -> bool {
        matches!(self.peek(), TokenKind::Name(name) if &**name == word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.peek() {
            TokenKind::Name(name) => format!("`{name}`"),
            TokenKind::Tag(tag) => format!("`'{tag}`"),
            TokenKind::Text(_) => "a string".to_string(),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
            TokenKind::End => "the end of the file".to_string(),
        };
        Diagnostic::error(self.span(), format!("expected {what}, found {found}"))
    }

    fn at_name(&self) -> bool {
        matches!(self.peek(), TokenKind::Name(name) if !KEYWORDS.contains(&&**name))
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let span = self.span();
        match self.peek() {
            TokenKind::Name(name) if !KEYWORDS.contains(&&**name) => {
                let text = name.clone();
                self.advance();
                Ok(Name { text, span })
            }
            _ => Err(self.expected(what)),
        }
    }

    fn text(&mut self) -> Parsed<Name> {
        let span = self.span();
        let TokenKind::Text(text) = self.peek() else { return Err(self.expected("a string")) };
        let text = text.clone();
        self.advance();
        Ok(Name { text, span })
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            return Err(Diagnostic::error(self.span(), "this is nested too deeply"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }
}

// Instructions.
impl Parser {
    /// The words or the string before the first instruction.
    fn title(&mut self) -> Option<String> {
        let mut words = Vec::new();
        loop {
            match self.peek() {
                TokenKind::Text(text) => words.push(text.to_string()),
                TokenKind::Name(name)
                    if self.at_name() && !OPTIONS.contains(&&**name) && words.len() < 4 =>
                {
                    words.push(name.to_string());
                }
                _ => return (!words.is_empty()).then(|| words.join(" ")),
            }
            self.advance();
        }
    }

    fn skip_options(&mut self) {
        while matches!(self.peek(), TokenKind::Name(name) if OPTIONS.contains(&&**name)) {
            self.advance();
        }
    }

    /// Instructions up to the end of the file or one of `stops`, which is left unread.
    fn instructions(&mut self, stops: &[&str]) -> Parsed<Vec<Instruction>> {
        let mut list = Vec::new();
        loop {
            let stop = match self.peek() {
                TokenKind::End if stops.is_empty() => true,
                TokenKind::Name(name) => stops.contains(&&**name),
                TokenKind::Symbol(symbol) => stops.contains(symbol),
                _ => false,
            };
            if stop {
                return Ok(list);
            }
            list.push(self.nested(Self::instruction)?);
            self.skip_options();
        }
    }

    fn instruction(&mut self) -> Parsed<Instruction> {
        let start = self.span();
        let word: Arc<str> = match self.peek() {
            TokenKind::Name(word) => word.clone(),
            TokenKind::Symbol("~") => "~".into(),
            _ => return Err(self.expected("an instruction")),
        };
        let kind = match &*word {
            "~" | "acyclic" | "irreflexive" | "empty" | "flag" | "undefined_unless" | "assert" => {
                InstructionKind::Check(self.check()?)
            }
            "let" => {
                self.advance();
                let bindings = self.bindings()?;
                // An instruction's names last anyway.
                self.eat_word("in");
                InstructionKind::Let(bindings)
            }
            "show" => {
                self.advance();
                self.show()?
            }
            "unshow" => {
                self.advance();
                InstructionKind::Unshow(self.comma_list(|p| p.name("a name"))?)
            }
            "include" => {
                self.advance();
                InstructionKind::Include(self.text()?, Vec::new())
            }
            "procedure" => {
                self.advance();
                self.eat_word("rec");
                let name = self.name("the procedure's name")?;
                let parameter = self.pattern()?;
                self.expect("=")?;
                let body = self.instructions(&["end"])?;
                self.expect_word("end")?;
                InstructionKind::Procedure(name, parameter, body.into())
            }
            "call" => {
                self.advance();
                let name = self.name("a procedure's name")?;
                let argument = self.operand()?.ok_or_else(|| self.expected("an argument"))?;
                InstructionKind::Call(name, argument, self.as_name()?)
            }
            "enum" => {
                self.advance();
                let name = self.name("the enumeration's name")?;
                self.expect("=")?;
                self.eat("||");
                let mut tags = vec![self.tag()?];
                while self.eat("||") {
                    tags.push(self.tag()?);
                }
                InstructionKind::Enum(name, tags)
            }
            "instructions" | "events" | "default" => {
                self.advance();
                let name = self.name("a kind of instruction")?;
                self.expect("[")?;
                let allowed = self.comma_list(Self::expr)?;
                self.expect("]")?;
                InstructionKind::Annotations(name, allowed)
            }
            "forall" => {
                self.advance();
                let name = self.name("a name")?;
                self.expect_word("in")?;
                let set = self.expr()?;
                self.expect_word("do")?;
                let body = self.instructions(&["end"])?;
                self.expect_word("end")?;
                InstructionKind::ForAll(name, set, body)
            }
            "with" => {
                self.advance();
                let name = self.name("a name")?;
                self.expect_word("from")?;
                InstructionKind::With(name, self.expr()?)
            }
            "match" => {
                self.advance();
                let scrutinee = self.expr()?;
                let clauses = self.clauses(|p| p.instructions(&["end", "||"]))?;
                InstructionKind::Match(scrutinee, clauses)
            }
            "if" => {
                self.advance();
                let condition = self.condition()?;
                // Published files leave out the `then` of an instruction.
                self.eat_word("then");
                let yes = self.instructions(&["else", "end"])?;
                let no =
                    if self.eat_word("else") { self.instructions(&["end"])? } else { Vec::new() };
                self.expect_word("end")?;
                InstructionKind::If(condition, yes, no)
            }
            _ => return Err(self.expected("an instruction")),
        };
        Ok(Instruction { kind, span: self.since(start) })
    }

    fn check(&mut self) -> Parsed<Check> {
        let role = if self.eat_word("flag") {
            Role::Flag
        } else if self.eat_word("undefined_unless") {
            Role::UndefinedUnless
        } else if self.eat_word("assert") {
            Role::Assert
        } else {
            Role::Axiom
        };
        let negated = self.eat("~");
        let test = if self.eat_word("acyclic") {
            Test::Acyclic
        } else if self.eat_word("irreflexive") {
            Test::Irreflexive
        } else if self.eat_word("empty") {
            Test::Empty
        } else {
            return Err(self.expected("`acyclic`, `irreflexive` or `empty`"));
        };
        let expr = self.expr()?;
        Ok(Check { role, negated, test, expr, name: self.as_name()? })
    }

    fn as_name(&mut self) -> Parsed<Option<Name>> {
        if self.eat_word("as") { self.name("a name").map(Some) } else { Ok(None) }
    }

    fn show(&mut self) -> Parsed<InstructionKind> {
        let mut shown = Vec::new();
        for expr in self.comma_list(Self::expr)? {
            let name = match (self.at_word("as"), &expr.kind) {
                (true, _) => {
                    self.advance();
                    self.name("a name")?
                }
                (false, ExprKind::Name(text)) => Name { text: text.clone(), span: expr.span },
                (false, _) => return Err(self.expected("`as` and a name to show this under")),
            };
            shown.push((expr, name));
        }
        Ok(InstructionKind::Show(shown))
    }

    fn comma_list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut list = vec![item(self)?];
        while self.eat(",") {
            list.push(item(self)?);
        }
        Ok(list)
    }

    fn tag(&mut self) -> Parsed<Name> {
        let span = self.span();
        let TokenKind::Tag(tag) = self.peek() else { return Err(self.expected("a tag")) };
        let text = tag.clone();
        self.advance();
        Ok(Name { text, span })
    }

    /// What follows `let`, up to `in` or the next instruction.
    fn bindings(&mut self) -> Parsed<Bindings> {
        let recursive = self.eat_word("rec");
        let mut list = vec![self.binding()?];
        while self.eat_word("and") {
            list.push(self.binding()?);
        }
        Ok(Bindings { recursive, list })
    }

    fn binding(&mut self) -> Parsed<Binding> {
        let start = self.span();
        let mut pattern = self.pattern()?;
        if self.eat(",") {
            let mut parts = vec![pattern];
            parts.extend(self.comma_list(Self::pattern)?);
            pattern = Pattern::Tuple(parts);
        }
        let mut parameters = Vec::new();
        while !self.at("=") {
            parameters.push(self.pattern()?);
        }
        self.expect("=")?;
        let from = self.span();
        let mut parts = self.comma_list(Self::expr)?;
        let body = if parts.len() == 1 {
            parts.remove(0)
        } else {
            Expr { kind: ExprKind::Tuple(parts), span: self.since(from) }
        };
        let body = body.into();
        Ok(Binding { pattern, parameters, body, span: self.since(start) })
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        if self.eat("_") {
            return Ok(Pattern::Ignore);
        }
        if !self.eat("(") {
            return self.name("a name").map(Pattern::Name);
        }
        if self.eat(")") {
            return Ok(Pattern::Ignore);
        }
        let mut parts = self.nested(|p| p.comma_list(Self::pattern))?;
        self.expect(")")?;
        Ok(if parts.len() == 1 { parts.remove(0) } else { Pattern::Tuple(parts) })
    }

    /// `with`, the arms of a match, and `end`.
    fn clauses<T>(
        &mut self,
        mut body: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<Clause<T>>> {
        self.expect_word("with")?;
        self.eat("||");
        let mut clauses = Vec::new();
        loop {
            let pattern = self.clause_pattern()?;
            self.expect("->")?;
            clauses.push(Clause { pattern, body: body(self)? });
            if !self.eat("||") {
                self.expect_word("end")?;
                return Ok(clauses);
            }
        }
    }

    fn clause_pattern(&mut self) -> Parsed<ClausePattern> {
        if matches!(self.peek(), TokenKind::Tag(_)) {
            return self.tag().map(ClausePattern::Tag);
        }
        if self.eat("{") {
            self.expect("}")?;
            return Ok(ClausePattern::Empty);
        }
        let underscore = self.at("_");
        let first = self.pattern()?;
        if self.eat("++") {
            return Ok(ClausePattern::Element(first, self.pattern()?));
        }
        if underscore { Ok(ClausePattern::Any) } else { Err(self.expected("`++`")) }
    }
}

// Expressions.
impl Parser {
    fn expr(&mut self) -> Parsed<Expr> {
        self.nested(Self::expr_inner)
    }

    fn expr_inner(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = if self.eat_word("let") {
            let bindings = self.bindings()?;
            self.expect_word("in")?;
            ExprKind::Let(bindings, self.expr()?.into())
        } else if self.eat_word("fun") {
            let parameter = self.pattern()?;
            self.expect("->")?;
            ExprKind::Function(parameter, self.expr()?.into())
        } else if self.eat_word("match") {
            let scrutinee = self.expr()?;
            ExprKind::Match(scrutinee.into(), self.clauses(Self::expr)?)
        } else if self.eat_word("if") {
            let condition = self.condition()?;
            self.expect_word("then")?;
            let yes = self.expr()?;
            self.expect_word("else")?;
            ExprKind::If(condition.into(), yes.into(), self.expr()?.into())
        } else if self.eat_word("try") {
            let wanted = self.expr()?;
            self.expect_word("with")?;
            ExprKind::Try(wanted.into(), self.expr()?.into())
        } else {
            return self.infix(InfixOp::Union);
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn infix(&mut self, op: InfixOp) -> Parsed<Expr> {
        let (symbol, tighter) = match op {
            InfixOp::Union => ("|", Some(InfixOp::Add)),
            InfixOp::Add => ("++", Some(InfixOp::Sequence)),
            InfixOp::Sequence => (";", Some(InfixOp::Difference)),
            InfixOp::Difference => ("\\", Some(InfixOp::Intersection)),
            InfixOp::Intersection => ("&", Some(InfixOp::Product)),
            InfixOp::Product => ("*", None),
        };
        let next = |p: &mut Self| match tighter {
            Some(tighter) => p.infix(tighter),
            None => p.prefix(),
        };
        let start = self.span();
        let mut operands = vec![next(self)?];
        while self.eat(symbol) {
            // A keyword expression (`let … in`, `fun`, `if`) may end an infix expression.
            let last = ["let", "fun", "match", "if", "try"].iter().any(|word| self.at_word(word));
            operands.push(if last { self.expr()? } else { next(self)? });
        }
        if operands.len() == 1 {
            return Ok(operands.remove(0));
        }
        Ok(Expr { kind: ExprKind::Infix(op, operands), span: self.since(start) })
    }

    fn prefix(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if !self.eat("~") {
            return self.postfix();
        }
        let operand = self.nested(Self::prefix)?;
        let kind = ExprKind::Unary(UnaryOp::Complement, operand.into());
        Ok(Expr { kind, span: self.since(start) })
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut expr = self.application()?;
        let mut count = 0;
        loop {
            let op = if self.at("^-1") {
                UnaryOp::Inverse
            } else if self.at("?") {
                UnaryOp::Optional
            } else if self.at("+") {
                UnaryOp::Plus
            } else if self.at("*") && !self.operand_follows() {
                UnaryOp::Star
            } else {
                return Ok(expr);
            };
            count += 1;
            if self.depth + count > MAX_DEPTH {
                return Err(Diagnostic::error(self.span(), "this is nested too deeply"));
            }
            self.advance();
            expr = Expr { kind: ExprKind::Unary(op, expr.into()), span: self.since(start) };
        }
    }

    /// Whether the token after this one can start an operand.
    fn operand_follows(&self) -> bool {
        match self.tokens.get(self.position + 1).map(|token| &token.kind) {
            // A `let`, `match` or `if` after `r*` starts the next instruction.
            Some(TokenKind::Name(name)) => {
                !KEYWORDS.contains(&&**name) || matches!(&**name, "fun" | "try")
            }
            Some(TokenKind::Tag(_)) => true,
            Some(TokenKind::Symbol(symbol)) => ["(", "[", "{", "_", "0", "~"].contains(symbol),
            _ => false,
        }
    }

    fn application(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let Some(function) = self.operand()? else {
            return Err(self.expected("an expression"));
        };
        let mut arguments = Vec::new();
        while let Some(argument) = self.operand()? {
            arguments.push(argument);
        }
        if arguments.is_empty() {
            return Ok(function);
        }
        let kind = ExprKind::Apply(function.into(), arguments);
        Ok(Expr { kind, span: self.since(start) })
    }

    /// A name, a constant or something bracketed; `None` if none of these is here.
    fn operand(&mut self) -> Parsed<Option<Expr>> {
        let start = self.span();
        let kind = match self.peek().clone() {
            TokenKind::Name(name) if !KEYWORDS.contains(&&*name) => {
                self.advance();
                ExprKind::Name(name)
            }
            TokenKind::Tag(tag) => {
                self.advance();
                ExprKind::Tag(tag)
            }
            TokenKind::Symbol("0") => {
                self.advance();
                ExprKind::Zero
            }
            TokenKind::Symbol("_") => {
                self.advance();
                ExprKind::Universe
            }
            TokenKind::Symbol("[") => {
                self.advance();
                let set = self.expr()?;
                self.expect("]")?;
                ExprKind::Identity(set.into())
            }
            TokenKind::Symbol("{") => {
                self.advance();
                let elements = if self.at("}") { Vec::new() } else { self.comma_list(Self::expr)? };
                self.expect("}")?;
                ExprKind::SetLiteral(elements)
            }
            TokenKind::Symbol("(") => {
                self.advance();
                let mut parts =
                    if self.at(")") { Vec::new() } else { self.comma_list(Self::expr)? };
                self.expect(")")?;
                if parts.len() == 1 {
                    return Ok(Some(parts.remove(0)));
                }
                ExprKind::Tuple(parts)
            }
            TokenKind::Name(name) if &*name == "begin" => {
                self.advance();
                let inner = self.expr()?;
                self.expect_word("end")?;
                return Ok(Some(inner));
            }
            _ => return Ok(None),
        };
        Ok(Some(Expr { kind, span: self.since(start) }))
    }

    fn condition(&mut self) -> Parsed<Condition> {
        let mut parts = vec![self.condition_and()?];
        while self.eat("||") {
            parts.push(self.condition_and()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::Or(parts) })
    }

    fn condition_and(&mut self) -> Parsed<Condition> {
        let mut parts = vec![self.condition_atom()?];
        while self.eat("&&") {
            parts.push(self.condition_atom()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::And(parts) })
    }

    fn condition_atom(&mut self) -> Parsed<Condition> {
        if self.eat_word("not") {
            return Ok(Condition::Not(self.nested(Self::condition_atom)?.into()));
        }
        if matches!(self.peek(), TokenKind::Text(_)) {
            return self.text().map(Condition::Variant);
        }
        let next = self.tokens.get(self.position + 1).map(|token| &token.kind);
        let is_condition = match next {
            Some(TokenKind::Text(_)) => true,
            Some(TokenKind::Name(name)) => &**name == "not",
            _ => false,
        };
        if self.at("(") && is_condition {
            self.advance();
            let condition = self.nested(Self::condition)?;
            self.expect(")")?;
            return Ok(condition);
        }
        let left = self.expr()?;
        if self.eat_word("subset") {
            // `a` is a part of `b` if it adds nothing to it.
            let right = self.expr()?;
            let span = left.span.to(right.span);
            let kind = ExprKind::Infix(InfixOp::Union, vec![left, right.clone()]);
            return Ok(Condition::Equal(Expr { kind, span }, right));
        }
        self.expect("=")?;
        Ok(Condition::Equal(left, self.expr()?))
    }
}
