//! Expressions. From the loosest: `? :`, `->`, `|`, `&`, `^`, `!`, comparisons, shifts, sums,
//! products, `-` and `~`.

use super::{DEEPEST, Parsed, Parser};
use crate::ast::{Binary, Expr, ExprKind, Name, Numbers, Quantifier, QuantifierDomain, Unary};
use crate::lexer::Kind;
use execution::diagnostic::Diagnostic;
use execution::span::Span;

const COMPARISONS: [(&str, Binary); 7] = [
    ("=", Binary::Equal),
    ("==", Binary::Equal),
    ("!=", Binary::NotEqual),
    ("<", Binary::Less),
    ("<=", Binary::LessOrEqual),
    (">", Binary::Greater),
    (">=", Binary::GreaterOrEqual),
];

const SHIFTS: [(&str, Binary); 2] = [("<<", Binary::ShiftLeft), (">>", Binary::ShiftRight)];

const SUMS: [(&str, Binary); 2] = [("+", Binary::Add), ("-", Binary::Subtract)];

const PRODUCTS: [(&str, Binary); 3] =
    [("*", Binary::Multiply), ("/", Binary::Divide), ("%", Binary::Remainder)];

fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), span }
}

impl Parser<'_> {
    pub fn expr(&mut self) -> Parsed<Expr> {
        self.nested(Self::choice)
    }

    fn choice(&mut self) -> Parsed<Expr> {
        let condition = self.implication()?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let this = self.expr()?;
        self.expect(":", "between the two values of a choice")?;
        let that = self.expr()?;
        let span = condition.span.to(that.span);
        let kind = ExprKind::Choose(Box::new(condition), Box::new(this), Box::new(that));
        Ok(Expr { kind, span })
    }

    fn implication(&mut self) -> Parsed<Expr> {
        let left = self.disjunction()?;
        if !self.accept("->") {
            return Ok(left);
        }
        let right = self.nested(Self::implication)?;
        Ok(binary(Binary::Implies, left, right))
    }

    fn disjunction(&mut self) -> Parsed<Expr> {
        self.chain("|", Self::conjunction, ExprKind::Or)
    }

    fn conjunction(&mut self) -> Parsed<Expr> {
        self.chain("&", Self::exclusive, ExprKind::And)
    }

    fn chain(
        &mut self,
        sign: &str,
        part: fn(&mut Self) -> Parsed<Expr>,
        kind: fn(Vec<Expr>) -> ExprKind,
    ) -> Parsed<Expr> {
        let first = part(self)?;
        if !self.is_sign(sign) {
            return Ok(first);
        }
        let start = first.span;
        let mut parts = vec![first];
        while self.accept(sign) {
            parts.push(part(self)?);
        }
        Ok(Expr { kind: kind(parts), span: self.since(start) })
    }

    fn exclusive(&mut self) -> Parsed<Expr> {
        self.operators(&[("^", Binary::Xor)], Self::negation)
    }

    fn negation(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if !self.accept("!") {
            return self.comparison();
        }
        let operand = self.nested(Self::negation)?;
        let span = start.to(operand.span);
        Ok(Expr { kind: ExprKind::Unary(Unary::Not, Box::new(operand)), span })
    }

    fn comparison(&mut self) -> Parsed<Expr> {
        let left = self.shift()?;
        let Some(operator) = self.operator(&COMPARISONS) else { return Ok(left) };
        let right = self.shift()?;
        let compared = binary(operator, left, right);
        if COMPARISONS.iter().any(|(sign, _)| self.is_sign(sign)) {
            let message = "a comparison cannot be compared again without parentheses";
            return Err(Diagnostic::error(self.span(), message)
                .note("write `a < b & b < c` for a value between two others"));
        }
        Ok(compared)
    }

    fn shift(&mut self) -> Parsed<Expr> {
        self.operators(&SHIFTS, Self::sum)
    }

    fn sum(&mut self) -> Parsed<Expr> {
        self.operators(&SUMS, Self::product)
    }

    fn product(&mut self) -> Parsed<Expr> {
        self.operators(&PRODUCTS, Self::unary)
    }

    fn operator(&mut self, table: &[(&str, Binary)]) -> Option<Binary> {
        let (_, operator) = table.iter().find(|(sign, _)| self.is_sign(sign))?;
        self.at += 1;
        Some(*operator)
    }

    /// Operands with operators between them, from the left.
    fn operators(
        &mut self,
        table: &[(&str, Binary)],
        operand: fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        let mut left = operand(self)?;
        let mut length = 0;
        while let Some(operator) = self.operator(table) {
            length += 1;
            if length > DEEPEST {
                let message = format!("more than {DEEPEST} operators in a row");
                return Err(Diagnostic::error(self.span(), message));
            }
            left = binary(operator, left, operand(self)?);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let operator = match self.token().kind {
            Kind::Sign("-") => Unary::Minus,
            Kind::Sign("+") => Unary::Plus,
            Kind::Sign("~") => Unary::Complement,
            // Looser than its place says, but clear: `a = !b`.
            Kind::Sign("!") => Unary::Not,
            _ => return self.postfix(),
        };
        self.at += 1;
        let operand = self.nested(Self::unary)?;
        let span = start.to(operand.span);
        Ok(Expr { kind: ExprKind::Unary(operator, Box::new(operand)), span })
    }

    /// A variable or a part of one.
    pub fn designator(&mut self) -> Parsed<Expr> {
        self.postfix()
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut expr = self.primary()?;
        let start = expr.span;
        let mut length = 0;
        loop {
            let kind = if self.accept(".") {
                ExprKind::Field(Box::new(expr), self.name("the name of a field")?)
            } else if self.accept("[") {
                let index = self.expr()?;
                self.expect("]", "after an index")?;
                ExprKind::Index(Box::new(expr), Box::new(index))
            } else {
                return Ok(expr);
            };
            length += 1;
            if length > DEEPEST {
                let message = format!("more than {DEEPEST} steps in a row");
                return Err(Diagnostic::error(self.span(), message));
            }
            expr = Expr { kind, span: self.since(start) };
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.token();
        let start = token.span;
        let kind = match &token.kind {
            Kind::Number(number) => {
                self.at += 1;
                ExprKind::Number(*number)
            }
            Kind::Name(text) => {
                self.at += 1;
                match self.is_sign("(") {
                    true => {
                        let name = Name { text: text.clone(), span: start };
                        ExprKind::Call(name, self.arguments()?)
                    }
                    false => ExprKind::Name(text.clone()),
                }
            }
            Kind::Sign("(") => {
                self.at += 1;
                let inner = self.expr()?;
                self.expect(")", "after an expression in parentheses")?;
                return Ok(Expr { span: self.since(start), ..inner });
            }
            Kind::Keyword("forall" | "exists") => self.quantified()?,
            Kind::Keyword("isundefined") => {
                self.at += 1;
                self.expect("(", "after `isundefined`")?;
                let place = self.expr()?;
                self.expect(")", "after the variable")?;
                ExprKind::IsUndefined(Box::new(place))
            }
            Kind::Keyword("ismember") => {
                self.at += 1;
                self.expect("(", "after `ismember`")?;
                let value = self.expr()?;
                self.expect(",", "after the value")?;
                let ty = self.name("the name of a type")?;
                self.expect(")", "after the type")?;
                ExprKind::IsMember(Box::new(value), ty)
            }
            Kind::Keyword("multisetcount") => {
                self.at += 1;
                let (name, place, condition) = self.elements()?;
                ExprKind::MultisetCount(name, Box::new(place), Box::new(condition))
            }
            _ => return self.expected("an expression"),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// `(i: net, condition)`
    pub fn elements(&mut self) -> Parsed<(Name, Expr, Expr)> {
        self.expect("(", "after the keyword")?;
        let name = self.name("a name for positions")?;
        self.expect(":", "after the name for positions")?;
        let place = self.expr()?;
        self.expect(",", "after the multiset")?;
        let condition = self.expr()?;
        self.expect(")", "after the condition")?;
        Ok((name, place, condition))
    }

    pub fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("(", "before arguments")?;
        let mut arguments = Vec::new();
        while !self.accept(")") {
            if !arguments.is_empty() {
                self.expect(",", "or `)` after an argument")?;
            }
            arguments.push(self.expr()?);
        }
        Ok(arguments)
    }

    fn quantified(&mut self) -> Parsed<ExprKind> {
        let all = self.is_keyword("forall");
        self.at += 1;
        let variable = self.quantifier()?;
        self.expect_keyword("do", "before the condition")?;
        let body = self.expr()?;
        let word = if all { "endforall" } else { "endexists" };
        if !self.accept_keyword("end") && !self.accept_keyword(word) {
            return self.expected(&format!("`end` after the condition of `{}`", &word[3..]));
        }
        Ok(ExprKind::Quantified { all, variable: Box::new(variable), body: Box::new(body) })
    }

    pub fn quantifier(&mut self) -> Parsed<Quantifier> {
        let name = self.name("the name of a variable")?;
        if self.accept(":=") {
            let from = self.expr()?;
            self.expect_keyword("to", "after the first value")?;
            let to = self.expr()?;
            let by = match self.accept_keyword("by") {
                true => Some(self.expr()?),
                false => None,
            };
            return Ok(Quantifier {
                name,
                domain: QuantifierDomain::Numbers(Box::new(Numbers { from, to, by })),
            });
        }
        self.expect(":", "or `:=` after the variable")?;
        let ty = self.type_expr()?;
        Ok(Quantifier { name, domain: QuantifierDomain::Type(ty) })
    }

    /// The span of a keyword that was just read.
    pub fn last(&self) -> Span {
        self.tokens[self.at - 1].span
    }
}
