//! Statements.

use super::{Parsed, Parser};
use crate::ast::{Alias, Name, Stmt, StmtKind};
use crate::lexer::Kind;
use execution::diagnostic::Diagnostic;
use execution::span::Span;

/// Words after which no statement of the same block follows.
const ENDS: [&str; 14] = [
    "end",
    "endalias",
    "endchoose",
    "endfor",
    "endfunction",
    "endif",
    "endprocedure",
    "endrule",
    "endstartstate",
    "endswitch",
    "endwhile",
    "else",
    "elsif",
    "case",
];

impl Parser<'_> {
    /// Statements up to a word that ends their block.
    pub fn statements(&mut self) -> Parsed<Vec<Stmt>> {
        let mut statements = Vec::new();
        loop {
            if self.accept(";") {
                continue;
            }
            let ends = match self.token().kind {
                Kind::Keyword(word) => ENDS.contains(&word) || starts_rule(word),
                Kind::End => true,
                _ => false,
            };
            if ends {
                return Ok(statements);
            }
            statements.push(self.nested(Self::statement)?);
            let at_end = matches!(self.token().kind, Kind::Keyword(word) if ENDS.contains(&word));
            if !at_end && !self.accept(";") {
                return self.expected("`;` after a statement");
            }
        }
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let kind = match self.token().kind {
            Kind::Keyword(word) => {
                self.at += 1;
                self.after_keyword(word, start)?
            }
            Kind::Name(_) => self.assignment_or_call()?,
            _ => return self.expected("a statement"),
        };
        Ok(Stmt { kind, span: self.since(start) })
    }

    fn after_keyword(&mut self, word: &str, start: Span) -> Parsed<StmtKind> {
        Ok(match word {
            "if" => self.branches(start)?,
            "switch" => self.cases(start)?,
            "for" => {
                let variable = self.quantifier()?;
                self.expect_keyword("do", "before the body of a loop")?;
                let body = self.statements()?;
                self.expect_end("endfor", start, "the loop")?;
                StmtKind::For(Box::new(variable), body)
            }
            "while" => {
                let condition = self.expr()?;
                self.expect_keyword("do", "before the body of a loop")?;
                let body = self.statements()?;
                self.expect_end("endwhile", start, "the loop")?;
                StmtKind::While(condition, body)
            }
            "alias" => {
                let aliases = self.aliases()?;
                let body = self.statements()?;
                self.expect_end("endalias", start, "the alias")?;
                StmtKind::Alias(aliases, body)
            }
            "clear" => StmtKind::Clear(self.expr()?),
            "undefine" => StmtKind::Undefine(self.expr()?),
            "assert" => {
                let before = self.text();
                let condition = self.expr()?;
                StmtKind::Assert(condition, before.or_else(|| self.text()))
            }
            "assume" => {
                self.text();
                let condition = self.expr()?;
                self.text();
                StmtKind::Assume(condition)
            }
            "error" => StmtKind::Error(self.text()),
            "put" => match self.text() {
                Some(_) => StmtKind::Put(None),
                None => StmtKind::Put(Some(self.expr()?)),
            },
            "return" => match self.is_sign(";") || self.is_keyword("end") {
                true => StmtKind::Return(None),
                false => StmtKind::Return(Some(self.expr()?)),
            },
            "multisetadd" => {
                self.expect("(", "after `multisetadd`")?;
                let element = self.expr()?;
                self.expect(",", "after the element")?;
                let multiset = self.expr()?;
                self.expect(")", "after the multiset")?;
                StmtKind::MultisetAdd(element, multiset)
            }
            "multisetremove" => {
                self.expect("(", "after `multisetremove`")?;
                let position = self.expr()?;
                self.expect(",", "after the position")?;
                let multiset = self.expr()?;
                self.expect(")", "after the multiset")?;
                StmtKind::MultisetRemove(position, multiset)
            }
            "multisetremovepred" => {
                let (name, place, condition) = self.elements()?;
                StmtKind::MultisetRemovePred(name, place, condition)
            }
            _ => {
                self.at -= 1;
                return self.expected("a statement");
            }
        })
    }

    fn branches(&mut self, start: Span) -> Parsed<StmtKind> {
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        loop {
            let condition = self.expr()?;
            self.expect_keyword("then", "after the condition")?;
            branches.push((condition, self.statements()?));
            if self.accept_keyword("elsif") {
                continue;
            }
            if self.accept_keyword("else") {
                otherwise = self.statements()?;
            }
            self.expect_end("endif", start, "the `if`")?;
            return Ok(StmtKind::If(branches, otherwise));
        }
    }

    fn cases(&mut self, start: Span) -> Parsed<StmtKind> {
        let value = self.expr()?;
        let mut cases = Vec::new();
        while self.accept_keyword("case") {
            let mut values = vec![self.expr()?];
            while self.accept(",") {
                values.push(self.expr()?);
            }
            self.expect(":", "after the values of a case")?;
            cases.push((values, self.statements()?));
        }
        let mut otherwise = Vec::new();
        if self.accept_keyword("else") {
            otherwise = self.statements()?;
            if self.is_keyword("case") {
                let message = "a case cannot follow `else`, which is taken where no case is";
                return Err(Diagnostic::error(self.span(), message));
            }
        }
        self.expect_end("endswitch", start, "the `switch`")?;
        Ok(StmtKind::Switch(value, cases, otherwise))
    }

    /// `x: e; y: f do`
    pub fn aliases(&mut self) -> Parsed<Vec<Alias>> {
        let mut aliases = Vec::new();
        loop {
            let name = self.name("the name of an alias")?;
            self.expect(":", "after the name of an alias")?;
            aliases.push(Alias { name, expr: self.expr()? });
            self.accept(";");
            if self.accept_keyword("do") {
                return Ok(aliases);
            }
        }
    }

    fn assignment_or_call(&mut self) -> Parsed<StmtKind> {
        let start = self.at;
        let name = self.name("a statement")?;
        if self.is_sign("(") {
            return Ok(StmtKind::Call(name, Some(self.arguments()?)));
        }
        if self.is_sign(";") || self.is_keyword("end") {
            return Ok(StmtKind::Call(Name { ..name }, None));
        }
        self.at = start;
        let place = self.designator()?;
        if self.is_sign("=") {
            let message = "expected `:=` in an assignment, found `=`";
            return Err(Diagnostic::error(self.span(), message)
                .note("`:=` assigns a value, and `=` compares two"));
        }
        self.expect(":=", "in an assignment")?;
        Ok(StmtKind::Assign(place, self.expr()?))
    }
}

/// Whether a word begins a rule or a declaration, so that an `end` is missing before it.
fn starts_rule(word: &str) -> bool {
    let words =
        ["rule", "ruleset", "startstate", "invariant", "cover", "function", "procedure", "choose"];
    words.contains(&word)
}
