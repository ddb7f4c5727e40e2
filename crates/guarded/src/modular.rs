//! Whether a few members of a scalarset can be considered without the others.
//!
//! A configuration of any size is restricted to some members: their own cells, and the variables
//! that belong to no member, in which all other members are one value. Whatever a rule can do in the
//! whole it must be able to do in the restriction: guards must not need witnesses among the others
//! (`forall` only), bodies must not read or count the others, and loops over members may change only
//! what belongs to the loop's member. Everything else is refused. A mistake in here would make
//! proofs for any number wrong (miss a violation).

use crate::code::{Argument, Block, Domain, Expr, Place, Stmt};
use crate::model::{
    Model, Parameter, ParameterDomain, PropertyKind, ScalarId, ScalarKind, Type, TypeId,
};
use crate::order;
use execution::span::Span;

/// Why members cannot be considered without the others, and where.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// What is in the way.
    pub what: &'static str,
    /// The rule, function or property with it, if one has it.
    pub span: Option<Span>,
}

/// Where the parts of a state are.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Cells that belong to no member and hold none.
    pub globals: Vec<usize>,
    /// Cells that belong to no member and hold one.
    pub pointers: Vec<usize>,
    /// The cells of each member, in the same order.
    pub locals: Vec<Vec<usize>>,
}

/// The parts of a state, if restriction is sound; and how many members an invariant speaks of, at
/// most.
pub fn modular(model: &Model, set: ScalarId) -> Result<(Parts, usize), Refusal> {
    let mut parts = Parts::default();
    parts.locals.resize(model.types.scalars[set].span() as usize, Vec::new());
    let mut walk = Walk { model, set, parts, next: 0 };
    for variable in &model.variables {
        walk.cells(variable.ty, None)?;
    }
    let parts = walk.parts;
    let check = Check { model, set };
    for rule in &model.rules {
        let at = |what| Refusal { what, span: Some(rule.span) };
        let members = rule.parameters.iter().filter(|parameter| check.is_member(parameter));
        if members.count() > 1 {
            return Err(at("a rule has several parameters of this type"));
        }
        if !check.is_universal(&rule.guard, true) {
            return Err(at("a guard needs a witness among the other members"));
        }
        check.parameters(&rule.parameters).map_err(at)?;
        check.block(&rule.body).map_err(at)?;
    }
    for start in &model.starts {
        let at = |what| Refusal { what, span: Some(start.span) };
        if start.parameters.iter().any(|parameter| check.is_member(parameter)) {
            return Err(at("a start state has a parameter of this type"));
        }
        check.parameters(&start.parameters).map_err(at)?;
        check.block(&start.body).map_err(at)?;
    }
    for function in &model.functions {
        let at = |what| Refusal { what, span: Some(function.span) };
        check.block(&function.body).map_err(at)?;
    }
    let mut most = 0;
    for property in &model.properties {
        let at = |what| Refusal { what, span: Some(property.span) };
        match property.kind {
            PropertyKind::Cover => continue,
            PropertyKind::Assume => return Err(at("assumptions are not supported")),
            PropertyKind::Invariant => {}
        }
        if !check.is_universal(&property.condition, true) {
            return Err(at("an invariant needs a witness among the other members"));
        }
        let members = property.parameters.iter().filter(|one| check.is_member(one)).count();
        most = most.max(members + check.quantifiers(&property.condition));
    }
    Ok((parts, most))
}

struct Walk<'m> {
    model: &'m Model,
    set: ScalarId,
    parts: Parts,
    next: usize,
}

impl Walk<'_> {
    fn cells(&mut self, ty: TypeId, member: Option<usize>) -> Result<(), Refusal> {
        let refuse = |what| Err(Refusal { what, span: None });
        let types = &self.model.types;
        let is_part = |scalar: ScalarId| match &types.scalars[scalar].kind {
            ScalarKind::Union(parts) => parts.contains(&self.set),
            _ => false,
        };
        match types.get(ty) {
            Type::Scalar(scalar) if is_part(*scalar) => refuse("the type is a part of a union"),
            Type::Scalar(scalar) => {
                match member {
                    Some(_) if *scalar == self.set => {
                        return refuse("a variable of a member holds a member");
                    }
                    Some(member) => self.parts.locals[member].push(self.next),
                    None if *scalar == self.set => self.parts.pointers.push(self.next),
                    None => self.parts.globals.push(self.next),
                }
                self.next += 1;
                Ok(())
            }
            Type::Array { index, .. } if is_part(*index) => refuse("the type is a part of a union"),
            Type::Array { index, element } => {
                let (index, element) = (*index, *element);
                if index == self.set && member.is_some() {
                    return refuse("an array has two indices of this type");
                }
                for at in 0..types.scalars[index].span() as usize {
                    self.cells(element, if index == self.set { Some(at) } else { member })?;
                }
                Ok(())
            }
            Type::Record(fields) => {
                let fields = fields.clone();
                fields.iter().try_for_each(|field| self.cells(field.ty, member))
            }
            Type::Multiset { .. } => refuse("there is a multiset"),
        }
    }
}

struct Check<'m> {
    model: &'m Model,
    set: ScalarId,
}

type Checked = Result<(), &'static str>;

impl Check<'_> {
    fn is_member(&self, parameter: &Parameter) -> bool {
        matches!(parameter.domain, ParameterDomain::Scalar(scalar) if scalar == self.set)
    }

    fn parameters(&self, parameters: &[Parameter]) -> Checked {
        let multiset = |one: &Parameter| matches!(one.domain, ParameterDomain::Multiset { .. });
        if parameters.iter().any(multiset) { Err("there is a multiset") } else { Ok(()) }
    }

    /// How many quantifiers over members there are.
    fn quantifiers(&self, expr: &Expr) -> usize {
        let this = matches!(expr, Expr::Quantified { domain, .. } if self.is_set(domain));
        usize::from(this)
            + parts(expr).into_iter().map(|part| self.quantifiers(part)).sum::<usize>()
    }

    fn is_set(&self, domain: &Domain) -> bool {
        *domain == Domain::Scalar(self.set)
    }

    /// Whether an expression that is true (or false, if not `positive`) in the whole is so in every
    /// restriction.
    fn is_universal(&self, expr: &Expr, positive: bool) -> bool {
        if self.expr(expr).is_err() && !has_quantifier_only(expr) {
            return false;
        }
        if self.quantifiers(expr) == 0 {
            return true;
        }
        match expr {
            Expr::Not(inner) => self.is_universal(inner, !positive),
            Expr::All(all) | Expr::Any(all) => {
                all.iter().all(|part| self.is_universal(part, positive))
            }
            Expr::Quantified { all, domain, body, .. } if matches!(**domain, Domain::Scalar(_)) => {
                *all == positive && self.is_universal(body, positive)
            }
            _ => false,
        }
    }

    /// That an expression does not depend on which members there are.
    fn expr(&self, expr: &Expr) -> Checked {
        match expr {
            Expr::Quantified { domain, .. } if self.is_set(domain) => {
                Err("a value depends on all members")
            }
            Expr::SameCells(..) => Err("records or arrays are compared as a whole"),
            Expr::Count(_) => Err("there is a multiset"),
            _ => parts(expr).into_iter().try_for_each(|part| self.expr(part)),
        }
    }

    fn place(&self, place: &Place) -> Checked {
        place.subscripts.iter().try_for_each(|subscript| self.expr(&subscript.value))
    }

    fn block(&self, block: &Block) -> Checked {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&self, stmt: &Stmt) -> Checked {
        match stmt {
            Stmt::Assign(place, value, _) => self.place(place).and(self.expr(value)),
            Stmt::Copy { to, from, .. } => self.place(to).and(self.place(from)),
            Stmt::Fill(place, _) | Stmt::Bind(_, place) => self.place(place),
            Stmt::Let(_, value) | Stmt::Assert(value, _) => self.expr(value),
            Stmt::If(branches, otherwise) => {
                for (condition, block) in branches {
                    self.expr(condition).and(self.block(block))?;
                }
                self.block(otherwise)
            }
            Stmt::Switch(value, cases, otherwise) => {
                self.expr(value)?;
                for (values, block) in cases {
                    values.iter().try_for_each(|value| self.expr(value))?;
                    self.block(block)?;
                }
                self.block(otherwise)
            }
            Stmt::For(slot, domain, body) if self.is_set(domain) => {
                if !order::changes_own_only(self.model, *slot, body) {
                    return Err("a loop over members changes more than what belongs to each");
                }
                self.block(body)
            }
            Stmt::For(_, domain, body) => {
                if let Domain::Numbers { from, to, step, .. } = domain {
                    [from, to, step].into_iter().try_for_each(|expr| self.expr(expr))?;
                }
                self.block(body)
            }
            Stmt::ForAnyOrder(_, scalar, body, _) if *scalar != self.set => self.block(body),
            Stmt::ForAnyOrder(..) => {
                Err("a loop over members changes more than what belongs to each")
            }
            Stmt::While(condition, body, _) => self.expr(condition).and(self.block(body)),
            Stmt::Call(_, arguments, _) => {
                arguments.iter().try_for_each(|argument| self.argument(argument))
            }
            Stmt::Return(value) => value.as_ref().map_or(Ok(()), |value| self.expr(value)),
            Stmt::Error(_) | Stmt::SetCell(..) => Ok(()),
            Stmt::AssignCell(_, value, _) => self.expr(value),
            Stmt::Assume(..) => Err("assumptions are not supported"),
            Stmt::Add { .. } | Stmt::Remove(..) | Stmt::RemoveAll(_) => Err("there is a multiset"),
        }
    }

    fn argument(&self, argument: &Argument) -> Checked {
        match argument {
            Argument::Value(_, expr) => self.expr(expr),
            Argument::Reference(_, place) | Argument::Copy(_, place, _) => self.place(place),
        }
    }
}

/// Whether an expression is refused for its quantifiers alone: nothing else in it is in the way.
fn has_quantifier_only(expr: &Expr) -> bool {
    !matches!(expr, Expr::SameCells(..) | Expr::Count(_))
        && parts(expr).into_iter().all(has_quantifier_only)
}

/// The expressions directly in an expression, subscripts included.
pub(crate) fn parts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Constant(_)
        | Expr::Slot(_)
        | Expr::Cell(..)
        | Expr::CellIs(..)
        | Expr::CellIsUndefined(_) => Vec::new(),
        Expr::Load(place, _, _) | Expr::IsUndefined(place) => subscripts(place),
        Expr::Not(inner)
        | Expr::Negate(inner, _)
        | Expr::Complement(inner)
        | Expr::IsMember(inner, _)
        | Expr::Checked(inner, _) => vec![inner],
        Expr::All(all) | Expr::Any(all) => all.iter().collect(),
        Expr::Compare(_, both) | Expr::Arithmetic(_, both, _) => vec![&both.0, &both.1],
        Expr::SameCells(both, _) => [subscripts(&both.0), subscripts(&both.1)].concat(),
        Expr::Choose(three) => vec![&three.0, &three.1, &three.2],
        Expr::Quantified { domain, body, .. } => match &**domain {
            Domain::Scalar(_) => vec![body],
            Domain::Numbers { from, to, step, .. } => vec![from, to, step, body],
        },
        Expr::Count(elements) => vec![&elements.condition],
        Expr::Call(_, arguments, _) => arguments.iter().flat_map(argument_parts).collect(),
    }
}

pub(crate) fn argument_parts(argument: &Argument) -> Vec<&Expr> {
    match argument {
        Argument::Value(_, expr) => vec![expr],
        Argument::Reference(_, place) | Argument::Copy(_, place, _) => subscripts(place),
    }
}

fn subscripts(place: &Place) -> Vec<&Expr> {
    place.subscripts.iter().map(|subscript| &subscript.value).collect()
}
