//! Expressions.

use super::designators::Designator;
use super::scope::Symbol;
use super::{Checked, Checker, Ty};
use crate::ast::{
    Binary, Expr as Tree, ExprKind, Numbers, Quantifier, QuantifierDomain, TypeKind, Unary,
};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use guarded::code::{Arithmetic, Comparison, Domain, Expr};
use guarded::model::{ScalarId, ScalarKind, Type};

/// A value with its type.
pub struct Typed {
    /// Of a record or an array: 0, and the place says which.
    pub expr: Expr,
    pub ty: Ty,
    pub place: Option<Designator>,
    pub span: Span,
}

impl Checker {
    /// A value.
    pub fn value(&mut self, tree: &Tree) -> Checked<Typed> {
        let span = tree.span;
        let typed = |expr, ty| Ok(Typed { expr, ty, place: None, span });
        let boolean = Ty::Scalar(self.boolean);
        match &tree.kind {
            ExprKind::Number(number) => typed(Expr::Constant(*number), Ty::Number),
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..) => {
                match self.designator(tree)? {
                    Some(designator) => Ok(self.load(designator, span)),
                    None => self.named_value(tree),
                }
            }
            ExprKind::Unary(operator, operand) => self.unary(*operator, operand, span),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, span),
            ExprKind::And(parts) => self.junction(parts, true, span),
            ExprKind::Or(parts) => self.junction(parts, false, span),
            ExprKind::Choose(condition, this, that) => {
                let condition = self.condition(condition, "the condition")?;
                let (this, that) = (self.value(this)?, self.value(that)?);
                if self.common(this.ty, that.ty).is_none() || this.place_is_compound() {
                    let message = format!(
                        "the two values differ in type: {} and {}",
                        self.describe(this.ty),
                        self.describe(that.ty)
                    );
                    return Err(
                        Diagnostic::error(that.span, message).also(this.span, "the first value")
                    );
                }
                let ty = self.common(this.ty, that.ty).unwrap_or(this.ty);
                typed(Expr::Choose(Box::new((condition, this.expr, that.expr))), ty)
            }
            ExprKind::Quantified { all, variable, body } => {
                self.scopes.open();
                let checked = self.quantified(*all, variable, body);
                self.scopes.close();
                typed(checked?, boolean)
            }
            ExprKind::Call(name, arguments) => {
                let (call, ty) = self.call_for_value(name, arguments, span)?;
                typed(call, ty)
            }
            ExprKind::IsUndefined(place) => {
                let Some(designator) = self.designator(place)? else {
                    let message = "`isundefined` asks about a variable or a part of one";
                    return Err(Diagnostic::error(place.span, message));
                };
                if !matches!(self.model.types.get(designator.ty), Type::Scalar(_)) {
                    let message = "`isundefined` asks about a simple value; name one of the parts";
                    return Err(Diagnostic::error(place.span, message));
                }
                typed(Expr::IsUndefined(Box::new(designator.place)), boolean)
            }
            ExprKind::IsMember(value, ty) => {
                let value = self.value(value)?;
                let ranges = self.member_ranges(&value, ty)?;
                typed(Expr::IsMember(Box::new(value.expr), ranges), boolean)
            }
            ExprKind::MultisetCount(name, multiset, condition) => {
                let elements = self.elements(name, multiset, condition)?;
                typed(Expr::Count(Box::new(elements)), Ty::Number)
            }
        }
    }

    /// The value in a place.
    fn load(&mut self, designator: Designator, span: Span) -> Typed {
        let ty = self.type_of(designator.ty);
        let expr = match self.model.types.get(designator.ty) {
            Type::Scalar(scalar) => {
                let bias = self.model.types.scalars[*scalar].low - 1;
                let site = self.site(span);
                Expr::Load(Box::new(designator.place.clone()), bias, site)
            }
            _ => Expr::Constant(0),
        };
        Typed { expr, ty, place: Some(designator), span }
    }

    fn named_value(&mut self, tree: &Tree) -> Checked<Typed> {
        let span = tree.span;
        let ExprKind::Name(name) = &tree.kind else {
            unreachable!("fields and elements are places");
        };
        let error = match self.scopes.find(name) {
            Some(Symbol::Constant(value, ty)) => {
                return Ok(Typed { expr: Expr::Constant(*value), ty: *ty, place: None, span });
            }
            Some(Symbol::Value(expr, ty, _)) => {
                return Ok(Typed { expr: expr.clone(), ty: *ty, place: None, span });
            }
            Some(Symbol::Type(_)) => format!("`{name}` is a type, not a value"),
            Some(Symbol::Function(_)) => {
                let note = format!("write `{name}(…)` to call it");
                let message = format!("`{name}` is a function, not a value");
                return Err(Diagnostic::error(span, message).note(note));
            }
            Some(Symbol::Place(..)) | None => return Err(self.unknown("variable", name, span)),
        };
        Err(Diagnostic::error(span, error))
    }

    /// A Boolean.
    pub fn condition(&mut self, tree: &Tree, what: &str) -> Checked<Expr> {
        let value = self.value(tree)?;
        if value.ty != Ty::Scalar(self.boolean) {
            let message = format!("{what} must be a Boolean, not {}", self.describe(value.ty));
            return Err(Diagnostic::error(tree.span, message));
        }
        Ok(value.expr)
    }

    /// A number.
    pub fn number(&mut self, tree: &Tree, what: &str) -> Checked<Expr> {
        let value = self.value(tree)?;
        if value.ty != Ty::Number {
            let message = format!("{what} must be a number, not {}", self.describe(value.ty));
            return Err(Diagnostic::error(tree.span, message));
        }
        Ok(value.expr)
    }

    fn unary(&mut self, operator: Unary, operand: &Tree, span: Span) -> Checked<Typed> {
        let boolean = Ty::Scalar(self.boolean);
        let (expr, ty) = match operator {
            Unary::Not => {
                let operand = self.condition(operand, "the operand of `!`")?;
                (Expr::Not(Box::new(operand)), boolean)
            }
            Unary::Minus => {
                let site = self.site(span);
                (
                    Expr::Negate(Box::new(self.number(operand, "the operand of `-`")?), site),
                    Ty::Number,
                )
            }
            Unary::Plus => (self.number(operand, "the operand of `+`")?, Ty::Number),
            Unary::Complement => {
                let operand = self.number(operand, "the operand of `~`")?;
                (Expr::Complement(Box::new(operand)), Ty::Number)
            }
        };
        Ok(Typed { expr, ty, place: None, span })
    }

    /// `&` and `|`: of Booleans, or of the bits of numbers.
    fn junction(&mut self, parts: &[Tree], all: bool, span: Span) -> Checked<Typed> {
        let sign = if all { "&" } else { "|" };
        let mut values = Vec::new();
        for part in parts {
            values.push(self.value(part)?);
        }
        let ty = values[0].ty;
        let boolean = Ty::Scalar(self.boolean);
        if let Some(other) = values.iter().find(|value| ![boolean, Ty::Number].contains(&value.ty))
        {
            let found = self.describe(other.ty);
            let message = format!("an operand of `{sign}` must be a Boolean, not {found}");
            return Err(Diagnostic::error(other.span, message));
        }
        if let Some(other) = values.iter().find(|value| value.ty != ty) {
            let message = format!("the operands of `{sign}` are Booleans and numbers");
            return Err(Diagnostic::error(other.span, message)
                .label(self.describe(other.ty))
                .also(values[0].span, self.describe(ty)));
        }
        let parts = values.into_iter().map(|value| value.expr);
        let expr = if ty == boolean {
            let parts = parts.collect();
            if all { Expr::All(parts) } else { Expr::Any(parts) }
        } else {
            let operation = if all { Arithmetic::And } else { Arithmetic::Or };
            let site = self.site(span);
            let join = |left, right| Expr::Arithmetic(operation, Box::new((left, right)), site);
            parts.reduce(join).expect("there are two operands at least")
        };
        Ok(Typed { expr, ty, place: None, span })
    }

    fn binary(
        &mut self,
        operator: Binary,
        left: &Tree,
        right: &Tree,
        span: Span,
    ) -> Checked<Typed> {
        let boolean = Ty::Scalar(self.boolean);
        let operation = match operator {
            Binary::Implies => {
                let left = self.condition(left, "the left side of `->`")?;
                let right = self.condition(right, "the right side of `->`")?;
                let expr = Expr::Any(vec![Expr::Not(Box::new(left)), right]);
                return Ok(Typed { expr, ty: boolean, place: None, span });
            }
            Binary::Equal | Binary::NotEqual => {
                let expr = self.equality(operator == Binary::Equal, left, right, span)?;
                return Ok(Typed { expr, ty: boolean, place: None, span });
            }
            Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual => {
                let expr = self.order(operator, left, right)?;
                return Ok(Typed { expr, ty: boolean, place: None, span });
            }
            Binary::Xor => Arithmetic::Xor,
            Binary::ShiftLeft => Arithmetic::ShiftLeft,
            Binary::ShiftRight => Arithmetic::ShiftRight,
            Binary::Add => Arithmetic::Add,
            Binary::Subtract => Arithmetic::Subtract,
            Binary::Multiply => Arithmetic::Multiply,
            Binary::Divide => Arithmetic::Divide,
            Binary::Remainder => Arithmetic::Remainder,
        };
        let site = self.site(span);
        let left = self.number(left, "an operand")?;
        let divisor = right.span;
        let right = self.number(right, "an operand")?;
        if matches!(operation, Arithmetic::Divide | Arithmetic::Remainder)
            && self.constant(&right) == Some(0)
        {
            return Err(Diagnostic::error(divisor, "this divides by zero"));
        }
        let expr = Expr::Arithmetic(operation, Box::new((left, right)), site);
        Ok(Typed { expr, ty: Ty::Number, place: None, span })
    }

    fn equality(&mut self, equal: bool, left: &Tree, right: &Tree, span: Span) -> Checked<Expr> {
        let (left, right) = (self.value(left)?, self.value(right)?);
        if self.common(left.ty, right.ty).is_none() {
            let message = "values of different types cannot be compared";
            return Err(Diagnostic::error(span, message)
                .also(left.span, self.describe(left.ty))
                .also(right.span, self.describe(right.ty)));
        }
        let comparison = if equal { Comparison::Equal } else { Comparison::NotEqual };
        let Ty::Compound(ty) = left.ty else {
            return Ok(Expr::Compare(comparison, Box::new((left.expr, right.expr))));
        };
        if self.holds_multiset(ty) {
            return Err(Diagnostic::error(span, "multisets cannot be compared"));
        }
        let (Some(left), Some(right)) = (left.place, right.place) else {
            unreachable!("records and arrays are places");
        };
        let cells = self.model.types.size(ty);
        let same = Expr::SameCells(Box::new((left.place, right.place)), cells);
        Ok(if equal { same } else { Expr::Not(Box::new(same)) })
    }

    fn order(&mut self, operator: Binary, left: &Tree, right: &Tree) -> Checked<Expr> {
        let left = self.number(left, "what is compared by order")?;
        let right = self.number(right, "what is compared by order")?;
        let (comparison, both) = match operator {
            Binary::Less => (Comparison::Less, (left, right)),
            Binary::LessOrEqual => (Comparison::LessOrEqual, (left, right)),
            Binary::Greater => (Comparison::Less, (right, left)),
            _ => (Comparison::LessOrEqual, (right, left)),
        };
        Ok(Expr::Compare(comparison, Box::new(both)))
    }

    fn quantified(&mut self, all: bool, variable: &Quantifier, body: &Tree) -> Checked<Expr> {
        let (slot, domain) = self.quantifier(variable)?;
        let word = if all { "`forall`" } else { "`exists`" };
        let body = Box::new(self.condition(body, &format!("the condition of {word}"))?);
        Ok(Expr::Quantified { all, slot, domain: Box::new(domain), body })
    }

    /// Declares a variable that ranges over something, in the innermost scope.
    pub fn quantifier(&mut self, variable: &Quantifier) -> Checked<(u32, Domain)> {
        let (domain, ty) = match &variable.domain {
            QuantifierDomain::Type(ty) => {
                let scalar = self.quantified_type(ty)?;
                (Domain::Scalar(scalar), self.scalar_type(scalar))
            }
            QuantifierDomain::Numbers(numbers) => {
                let Numbers { from, to, by } = &**numbers;
                let what = "a bound";
                let site = self.site(variable.name.span);
                let (from, to) = (self.number(from, what)?, self.number(to, what)?);
                let step = match by {
                    Some(by) => {
                        let step = self.number(by, "a step")?;
                        if self.constant(&step) == Some(0) {
                            return Err(Diagnostic::error(by.span, "a step of zero has no end"));
                        }
                        step
                    }
                    None => Expr::Constant(1),
                };
                (Domain::Numbers { from, to, step, site }, Ty::Number)
            }
        };
        let slot = self.allocate(1);
        let which = "the variable of a loop or quantifier";
        self.declare(&variable.name, Symbol::Value(Expr::Slot(slot), ty, which))?;
        Ok((slot, domain))
    }

    /// A type that is named or a range.
    pub fn quantified_type(&mut self, ty: &crate::ast::TypeExpr) -> Checked<ScalarId> {
        if !matches!(ty.kind, TypeKind::Name(_) | TypeKind::Range(..)) {
            let message = "expected the name of a type, or a range";
            return Err(Diagnostic::error(ty.span, message).note("declare the type first"));
        }
        let found = self.ty(ty)?;
        match self.model.types.get(found) {
            Type::Scalar(scalar) => Ok(*scalar),
            _ => {
                let found = self.describe(Ty::Compound(found));
                let message = format!("a variable ranges over a simple type, not over {found}");
                Err(Diagnostic::error(ty.span, message))
            }
        }
    }

    pub fn scalar_type(&self, scalar: ScalarId) -> Ty {
        match self.model.types.scalars[scalar].kind {
            ScalarKind::Range => Ty::Number,
            _ => Ty::Scalar(scalar),
        }
    }

    /// The type of both, where values of the two can be compared.
    pub fn common(&self, left: Ty, right: Ty) -> Option<Ty> {
        if left == right {
            return Some(left);
        }
        let (Ty::Scalar(a), Ty::Scalar(b)) = (left, right) else { return None };
        let has = |union, part| {
            let kind = &self.model.types.scalars[union].kind;
            matches!(kind, ScalarKind::Union(parts) if parts.contains(&part))
        };
        if has(a, b) {
            Some(left)
        } else if has(b, a) {
            Some(right)
        } else {
            None
        }
    }

    /// That a value may stand where a scalar type is expected.
    pub fn expect_scalar(&self, value: &Typed, scalar: ScalarId, what: &str) -> Checked<()> {
        let expected = self.scalar_type(scalar);
        if self.common(expected, value.ty).is_some() {
            return Ok(());
        }
        let message =
            format!("{what} must be {}, not {}", self.describe(expected), self.describe(value.ty));
        let error = Diagnostic::error(value.span, message);
        let is_set = self.model.types.scalars[scalar].kind == ScalarKind::Scalarset;
        Err(match is_set && value.ty == Ty::Number {
            true => error.note("members of a scalarset are not numbers: none differs from another"),
            false => error,
        })
    }
}

impl Typed {
    /// Whether it is a record or an array.
    fn place_is_compound(&self) -> bool {
        matches!(self.ty, Ty::Compound(_))
    }
}
