//! On how many members that are not tracked one step, or one property, can depend.
//!
//! A step of a large configuration is also a step of every part of it that contains the members on
//! which the step depends: those that are parameters of the rule, those to which variables that are
//! read refer, and one for each quantifier that is decided by one member. This file counts the last
//! kind ([`demand`](Use::demand)) and refuses what depends on all members: loops that change more
//! than what belongs to each, quantifiers that need a witness for each member, comparisons of whole
//! arrays. A mistake in here would make proofs for any number wrong (miss a violation).

use crate::code::{Argument, Block, Comparison, Domain, Expr, Place, Stmt};
use crate::model::{FunctionId, Model, Parameter, ParameterDomain, ScalarId, ScalarKind};
use crate::modular::{argument_parts, parts};
use crate::order;

/// How code depends on members other than its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Use {
    /// How many members can decide quantifiers of it.
    pub demand: usize,
    /// How deep quantifiers and loops over members are nested.
    pub depth: usize,
}

impl Use {
    fn and(self, other: Self) -> Self {
        Self { demand: self.demand + other.demand, depth: self.depth.max(other.depth) }
    }
}

/// What is in the way of an abstraction.
pub type Reason = &'static str;

const ALL: Reason = "a value depends on all members";

/// Finds what code depends on.
pub struct Depend<'m> {
    model: &'m Model,
    set: ScalarId,
    /// Functions that are being examined, against recursion.
    inside: Vec<FunctionId>,
}

impl<'m> Depend<'m> {
    /// On members of this scalarset.
    pub fn new(model: &'m Model, set: ScalarId) -> Self {
        Self { model, set, inside: Vec::new() }
    }

    /// Whether a scalar type contains the members.
    pub fn contains_set(&self, scalar: ScalarId) -> bool {
        contains(self.model, scalar, self.set)
    }

    /// Whether members are chosen for a parameter.
    pub fn is_member(&self, parameter: &Parameter) -> bool {
        matches!(parameter.domain, ParameterDomain::Scalar(scalar) if self.contains_set(scalar))
    }

    fn is_over(&self, domain: &Domain) -> bool {
        matches!(domain, Domain::Scalar(scalar) if self.contains_set(*scalar))
    }

    /// An expression; `truth` says whether it matters only that it is true (or false), or (`None`)
    /// its value.
    pub fn expr(&mut self, expr: &Expr, truth: Option<bool>) -> Result<Use, Reason> {
        match expr {
            Expr::Not(inner) => self.expr(inner, truth.map(|truth| !truth)),
            Expr::All(all) | Expr::Any(all) => self.sum(all, truth),
            Expr::Quantified { all, domain, body, .. } if self.is_over(domain) => {
                let inner = self.expr(body, truth)?;
                let depth = 1 + inner.depth;
                if truth == Some(*all) {
                    return match inner.demand {
                        0 => Ok(Use { demand: 0, depth }),
                        _ => Err("a quantifier needs a witness for each of all members"),
                    };
                }
                if truth.is_none() && inner.depth > 0 {
                    return Err("quantifiers over members are nested where their value is used");
                }
                Ok(Use { demand: 1 + inner.demand, depth })
            }
            Expr::Quantified { domain, body, .. } => {
                let inner = self.expr(body, truth)?;
                let bounds = self.domain(domain)?;
                Ok(bounds.and(self.times(domain, inner)?))
            }
            Expr::SameCells(both, _) => {
                let member = |place: &Place| place.subscripts.len();
                match member(&both.0) + member(&both.1) {
                    0 => Err("records or arrays are compared as a whole"),
                    _ => Err("records or arrays of members are compared as a whole"),
                }
            }
            Expr::Call(function, arguments, _) => {
                let values: Vec<&Expr> = arguments.iter().flat_map(argument_parts).collect();
                let mut found = self.function(*function)?;
                for value in values {
                    found = found.and(self.expr(value, None)?);
                }
                Ok(found)
            }
            _ => {
                let mut found = Use::default();
                for part in parts(expr) {
                    found = found.and(self.expr(part, None)?);
                }
                Ok(found)
            }
        }
    }

    fn sum(&mut self, all: &[Expr], truth: Option<bool>) -> Result<Use, Reason> {
        all.iter().try_fold(Use::default(), |sum, part| Ok(sum.and(self.expr(part, truth)?)))
    }

    /// What iterations over a domain depend on, if one of them depends on this.
    fn times(&self, domain: &Domain, inner: Use) -> Result<Use, Reason> {
        if inner.demand == 0 {
            return Ok(inner);
        }
        match domain {
            Domain::Scalar(scalar) => {
                let count = self.model.types.values(*scalar).take(8).count();
                Ok(Use { demand: inner.demand * count, ..inner })
            }
            Domain::Numbers { .. } => Err("a loop over numbers depends on members"),
        }
    }

    fn domain(&mut self, domain: &Domain) -> Result<Use, Reason> {
        match domain {
            Domain::Scalar(_) => Ok(Use::default()),
            Domain::Numbers { from, to, step, .. } => [from, to, step]
                .into_iter()
                .try_fold(Use::default(), |sum, part| Ok(sum.and(self.expr(part, None)?))),
        }
    }

    fn function(&mut self, function: FunctionId) -> Result<Use, Reason> {
        if self.inside.contains(&function) {
            let of_members = |one: &crate::model::Function| self.mentions_members(&one.body);
            return match self.model.functions.iter().any(of_members) {
                true => Err("a recursive function depends on members"),
                false => Ok(Use::default()),
            };
        }
        self.inside.push(function);
        let found = self.block(&self.model.functions[function].body);
        self.inside.pop();
        found
    }

    /// Whether there is a loop or quantifier over members in a block itself.
    fn mentions_members(&self, block: &Block) -> bool {
        let mut mentions = false;
        visit(block, &mut |domain| mentions |= self.is_over(domain));
        mentions
    }

    /// Statements.
    pub fn block(&mut self, block: &Block) -> Result<Use, Reason> {
        block.iter().try_fold(Use::default(), |sum, stmt| Ok(sum.and(self.stmt(stmt)?)))
    }

    fn place(&mut self, place: &Place) -> Result<Use, Reason> {
        place
            .subscripts
            .iter()
            .try_fold(Use::default(), |sum, one| Ok(sum.and(self.expr(&one.value, None)?)))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<Use, Reason> {
        match stmt {
            Stmt::Assign(place, value, _) => Ok(self.place(place)?.and(self.expr(value, None)?)),
            Stmt::Copy { to, from, .. } => Ok(self.place(to)?.and(self.place(from)?)),
            Stmt::Fill(place, _) | Stmt::Bind(_, place) => self.place(place),
            Stmt::Let(_, value)
            | Stmt::Assert(value, _)
            | Stmt::Assume(value, _)
            | Stmt::AssignCell(_, value, _)
            | Stmt::Return(Some(value)) => self.expr(value, None),
            Stmt::If(branches, otherwise) => {
                let mut found = self.block(otherwise)?;
                for (condition, block) in branches {
                    found = found.and(self.expr(condition, None)?).and(self.block(block)?);
                }
                Ok(found)
            }
            Stmt::Switch(value, cases, otherwise) => {
                let mut found = self.expr(value, None)?.and(self.block(otherwise)?);
                for (values, block) in cases {
                    found = found.and(self.sum(values, None)?).and(self.block(block)?);
                }
                Ok(found)
            }
            Stmt::For(slot, domain, body) if self.is_over(domain) => {
                if !order::changes_own_only(self.model, *slot, body) {
                    return Err("a loop over members changes more than what belongs to each");
                }
                let inner = self.block(body)?;
                match inner.demand {
                    0 => Ok(Use { demand: 0, depth: 1 + inner.depth }),
                    _ => Err("a loop over members depends on all members in each iteration"),
                }
            }
            Stmt::For(_, domain, body) => {
                let inner = self.block(body)?;
                let bounds = self.domain(domain)?;
                Ok(bounds.and(self.times(domain, inner)?))
            }
            Stmt::ForAnyOrder(_, scalar, _, _) if self.contains_set(*scalar) => {
                Err("a loop over members changes more than what belongs to each")
            }
            Stmt::ForAnyOrder(_, scalar, body, _) => {
                let inner = self.block(body)?;
                self.times(&Domain::Scalar(*scalar), inner)
            }
            Stmt::While(condition, body, _) => {
                let found = self.expr(condition, None)?.and(self.block(body)?);
                match found.demand {
                    0 => Ok(found),
                    _ => Err("a loop depends on all members in each iteration"),
                }
            }
            Stmt::Call(function, arguments, _) => {
                let mut found = self.function(*function)?;
                for argument in arguments {
                    found = found.and(self.argument(argument)?);
                }
                Ok(found)
            }
            Stmt::Return(None) | Stmt::Error(_) | Stmt::SetCell(..) => Ok(Use::default()),
            Stmt::Add { .. } | Stmt::Remove(..) | Stmt::RemoveAll(_) => Err("there is a multiset"),
        }
    }

    fn argument(&mut self, argument: &Argument) -> Result<Use, Reason> {
        argument_parts(argument)
            .into_iter()
            .try_fold(Use::default(), |sum, part| Ok(sum.and(self.expr(part, None)?)))
    }

    /// How many members the violation of a property can involve, at most, if it is asked only
    /// whether the property is `truth`.
    pub fn involved(&mut self, expr: &Expr, truth: bool) -> Result<usize, Reason> {
        match self.expr(expr, None) {
            Ok(Use { depth: 0, .. }) => Ok(0),
            _ => self.involved_in(expr, truth, false),
        }
    }

    fn involved_in(&mut self, expr: &Expr, truth: bool, chosen: bool) -> Result<usize, Reason> {
        let each = |this: &mut Self, parts: &[Expr], conjunction: bool| {
            let mut found = 0;
            for part in parts {
                let one = this.involved_in(part, truth, chosen)?;
                found = if conjunction { found.max(one) } else { found + one };
            }
            Ok(found)
        };
        match expr {
            Expr::Not(inner) => self.involved_in(inner, !truth, chosen),
            Expr::All(all) => each(self, all, truth),
            Expr::Any(all) => each(self, all, !truth),
            Expr::Quantified { all, domain, body, .. } if self.is_over(domain) => {
                match (*all == truth, chosen) {
                    (true, true) => Err("an invariant says something of all members for one"),
                    (true, false) => Ok(1 + self.involved_in(body, truth, chosen)?),
                    (false, _) => self.involved_in(body, truth, true),
                }
            }
            Expr::Quantified { all, domain, body, .. } => {
                let inner = self.involved_in(body, truth, chosen)?;
                match (inner, *all == truth, &**domain) {
                    (0, ..) | (_, true, _) => Ok(inner),
                    (_, _, Domain::Scalar(scalar)) => {
                        Ok(inner * self.model.types.values(*scalar).take(8).count())
                    }
                    _ => Err(ALL),
                }
            }
            other => match self.expr(other, None).map_or(1, |found| found.depth) {
                0 => Ok(0),
                _ => Err(ALL),
            },
        }
    }
}

/// Whether a scalar type is the set, or a union with it.
pub fn contains(model: &Model, scalar: ScalarId, set: ScalarId) -> bool {
    match &model.types.scalars[scalar].kind {
        ScalarKind::Union(parts) => parts.contains(&set),
        _ => scalar == set,
    }
}

/// Writes comparisons of Booleans that depend on members so that it is known which part must be
/// true and which false, and drops (by `true`) what must be true for each member and needs a
/// witness, if `drop`.
pub fn polarised(depend: &mut Depend<'_>, expr: &Expr, truth: bool, drop: bool) -> Expr {
    let mut go = |expr: &Expr, truth: bool| polarised(depend, expr, truth, drop);
    match expr {
        Expr::Not(inner) => Expr::Not(Box::new(go(inner, !truth))),
        Expr::All(all) => Expr::All(all.iter().map(|part| go(part, truth)).collect()),
        Expr::Any(all) => Expr::Any(all.iter().map(|part| go(part, truth)).collect()),
        Expr::Quantified { all, slot, domain, body } => {
            let mut body = go(body, truth);
            let each = depend.is_over(domain) && *all == truth && drop;
            if each {
                body = without_witnesses(depend, &body, truth);
            }
            let (slot, domain) = (*slot, domain.clone());
            Expr::Quantified { all: *all, slot, domain, body: Box::new(body) }
        }
        Expr::Compare(comparison @ (Comparison::Equal | Comparison::NotEqual), both) => {
            let depth = |depend: &mut Depend<'_>, part| {
                depend.expr(part, None).map_or(1, |found| found.depth)
            };
            if depth(depend, &both.0) + depth(depend, &both.1) == 0 {
                return expr.clone();
            }
            let not = |part: &Expr| Expr::Not(Box::new(part.clone()));
            let (a, b) = (&both.0, &both.1);
            let parts = match comparison {
                Comparison::Equal => [vec![not(a), b.clone()], vec![not(b), a.clone()]],
                _ => [vec![a.clone(), b.clone()], vec![not(a), not(b)]],
            };
            let parts = Expr::All(parts.into_iter().map(Expr::Any).collect());
            polarised(depend, &parts, truth, drop)
        }
        other => other.clone(),
    }
}

/// Drops the parts that need a witness.
fn without_witnesses(depend: &mut Depend<'_>, expr: &Expr, truth: bool) -> Expr {
    match expr {
        Expr::Not(inner) => Expr::Not(Box::new(without_witnesses(depend, inner, !truth))),
        Expr::All(all) => {
            Expr::All(all.iter().map(|part| without_witnesses(depend, part, truth)).collect())
        }
        Expr::Any(all) => {
            Expr::Any(all.iter().map(|part| without_witnesses(depend, part, truth)).collect())
        }
        other => match depend.expr(other, Some(truth)) {
            Ok(Use { demand: 0, .. }) => other.clone(),
            _ => Expr::Constant(truth.into()),
        },
    }
}

/// Calls a function for the domain of each loop and quantifier in a block.
fn visit(block: &Block, found: &mut dyn FnMut(&Domain)) {
    for stmt in block {
        match stmt {
            Stmt::For(_, domain, body) => {
                found(domain);
                visit(body, found);
            }
            Stmt::ForAnyOrder(_, scalar, body, _) => {
                found(&Domain::Scalar(*scalar));
                visit(body, found);
            }
            Stmt::If(branches, otherwise) => {
                for (condition, body) in branches {
                    visit_expr(condition, found);
                    visit(body, found);
                }
                visit(otherwise, found);
            }
            Stmt::Switch(value, cases, otherwise) => {
                visit_expr(value, found);
                cases.iter().for_each(|(_, body)| visit(body, found));
                visit(otherwise, found);
            }
            Stmt::While(condition, body, _) => {
                visit_expr(condition, found);
                visit(body, found);
            }
            Stmt::Assign(_, value, _)
            | Stmt::Let(_, value)
            | Stmt::Assert(value, _)
            | Stmt::Assume(value, _)
            | Stmt::AssignCell(_, value, _)
            | Stmt::Return(Some(value)) => visit_expr(value, found),
            Stmt::Call(_, arguments, _) => {
                let parts = arguments.iter().flat_map(argument_parts);
                parts.for_each(|part| visit_expr(part, found));
            }
            _ => {}
        }
    }
}

fn visit_expr(expr: &Expr, found: &mut dyn FnMut(&Domain)) {
    if let Expr::Quantified { domain, .. } = expr {
        found(domain);
    }
    parts(expr).into_iter().for_each(|part| visit_expr(part, found));
}
