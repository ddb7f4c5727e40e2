//! Which scalarsets may be permuted: those over which no loop has an effect that depends on order.
//!
//! Types keep everything else symmetric: members have no names, no order and no arithmetic. A loop
//! over a scalarset visits its members in an order, though. It is harmless if each iteration changes
//! only elements at the loop's own member and accumulates commutatively into the rest: adds a
//! number, assigns the same constant, or keeps a maximum or minimum. Of any other loop, the machine
//! tries every order while it executes it ([`Stmt::ForAnyOrder`]). A mistake in here could merge
//! states that differ (miss a violation), so that everything unknown counts as order-dependent.

use crate::code::{Argument, Arithmetic, Base, Block, Comparison, Domain, Expr, Place, Stmt};
use crate::fault::Site;
use crate::model::{Function, Model, Rule, ScalarId, ScalarKind, SiteId};
use execution::ids::IdVec;
use execution::span::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

/// More members than this are not visited in every order.
const MOST_MEMBERS: u32 = 6;

/// Makes the machine try every order where a loop may depend on it, and finds the scalarsets for
/// which that is not possible, with the name of what holds the loop.
pub fn mark(model: &mut Model) {
    let mut found = BTreeMap::new();
    let mut sites = model.sites.clone();
    let mut marked = |name: &Arc<str>, span: Span, body: &Block| {
        Marker { model, name, span, found: &mut found, sites: &mut sites }.block(body)
    };
    let mut rule =
        |one: &Rule| Rule { body: marked(&one.name, one.span, &one.body), ..one.clone() };
    let rules = model.rules.iter().map(&mut rule).collect();
    let starts = model.starts.iter().map(&mut rule).collect();
    let functions = model.functions.iter().map(|function| Function {
        body: marked(&function.name, function.span, &function.body),
        ..function.clone()
    });
    let functions = functions.collect();
    (model.rules, model.starts, model.functions) = (rules, starts, functions);
    (model.ordered, model.sites) = (found, sites);
}

struct Marker<'m, 'f> {
    model: &'m Model,
    name: &'m Arc<str>,
    span: Span,
    found: &'f mut BTreeMap<ScalarId, Arc<str>>,
    sites: &'f mut IdVec<SiteId, Site>,
}

impl Marker<'_, '_> {
    fn block(&mut self, block: &Block) -> Block {
        block.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        match stmt {
            Stmt::For(slot, Domain::Scalar(scalar), body) => self.for_loop(*slot, *scalar, body),
            Stmt::For(slot, domain, body) => Stmt::For(*slot, domain.clone(), self.block(body)),
            Stmt::While(condition, body, site) => {
                Stmt::While(condition.clone(), self.block(body), *site)
            }
            Stmt::If(branches, otherwise) => {
                let branch =
                    |(condition, block): &(Expr, Block)| (condition.clone(), self.block(block));
                let branches = branches.iter().map(branch).collect();
                Stmt::If(branches, self.block(otherwise))
            }
            Stmt::Switch(value, cases, otherwise) => {
                let case =
                    |(values, block): &(Vec<Expr>, Block)| (values.clone(), self.block(block));
                let cases = cases.iter().map(case).collect();
                Stmt::Switch(value.clone(), cases, self.block(otherwise))
            }
            other => other.clone(),
        }
    }

    fn for_loop(&mut self, slot: u32, scalar: ScalarId, body: &Block) -> Stmt {
        let scalars = &self.model.types.scalars;
        let sets: Vec<ScalarId> = match &scalars[scalar].kind {
            ScalarKind::Scalarset => vec![scalar],
            ScalarKind::Union(parts) => {
                let is_set = |part: &&ScalarId| scalars[**part].kind == ScalarKind::Scalarset;
                parts.iter().filter(is_set).copied().collect()
            }
            _ => Vec::new(),
        };
        let mut writes = Vec::new();
        let is_harmless = sets.is_empty()
            || is_orderless(self.model, slot, body, &mut writes)
                && reads_agree(self.model, body, &writes);
        let marked = self.block(body);
        if is_harmless {
            return Stmt::For(slot, Domain::Scalar(scalar), marked);
        }
        let members: usize = self.model.types.values(scalar).count();
        if members <= MOST_MEMBERS as usize && !ends_early(body) {
            let site = self.sites.push(Site { span: self.span, text: None });
            return Stmt::ForAnyOrder(slot, scalar, marked, site);
        }
        for set in sets {
            self.found.entry(set).or_insert_with(|| self.name.clone());
        }
        Stmt::For(slot, Domain::Scalar(scalar), marked)
    }
}

/// Whether each iteration of a loop changes only what belongs to its own member.
pub fn changes_own_only(model: &Model, slot: u32, body: &Block) -> bool {
    let mut writes = Vec::new();
    !ends_early(body)
        && is_orderless(model, slot, body, &mut writes)
        && writes.iter().all(|write| matches!(write.how, How::Own { slot: own } if own == slot))
}

/// Whether a body can end the function that it is in.
fn ends_early(body: &Block) -> bool {
    body.iter().any(|stmt| {
        matches!(stmt, Stmt::Return(_)) || inner_blocks(stmt).into_iter().any(ends_early)
    })
}

fn inner_blocks(stmt: &Stmt) -> Vec<&Block> {
    match stmt {
        Stmt::If(branches, otherwise) => {
            branches.iter().map(|(_, block)| block).chain([otherwise]).collect()
        }
        Stmt::Switch(_, cases, otherwise) => {
            cases.iter().map(|(_, block)| block).chain([otherwise]).collect()
        }
        Stmt::For(_, _, block) | Stmt::While(_, block, _) | Stmt::ForAnyOrder(_, _, block, _) => {
            vec![block]
        }
        _ => Vec::new(),
    }
}

/// How a loop's body writes a place.
struct Write<'c> {
    place: &'c Place,
    how: How<'c>,
}

enum How<'c> {
    /// Only at the loop's member.
    Own { slot: u32 },
    /// Adds a number to it: the rest must not read it.
    Accumulate { reads: &'c Expr },
    /// Assigns a constant: the rest must not read it, and other constants are not assigned.
    Constant(i64),
    /// Keeps the greatest or least value.
    Extreme { condition: &'c Expr, value: &'c Expr },
}

/// Whether a body writes in ways that do not depend on the order; collects what it writes.
fn is_orderless<'c>(
    model: &Model,
    slot: u32,
    body: &'c Block,
    writes: &mut Vec<Write<'c>>,
) -> bool {
    body.iter().all(|stmt| match stmt {
        Stmt::Assign(place, value, _) => {
            let how = if is_own(place, slot) {
                How::Own { slot }
            } else if let Some(reads) = addend(place, value) {
                How::Accumulate { reads }
            } else if let Expr::Constant(constant) = value {
                How::Constant(*constant)
            } else {
                return false;
            };
            writes.push(Write { place, how });
            true
        }
        Stmt::Fill(place, _) => {
            let own = is_own(place, slot);
            writes.push(Write { place, how: How::Own { slot } });
            own
        }
        Stmt::Copy { to, .. } => {
            let own = is_own(to, slot);
            writes.push(Write { place: to, how: How::Own { slot } });
            own
        }
        Stmt::If(branches, otherwise) => {
            if let ([(condition, block)], true) = (branches.as_slice(), otherwise.is_empty())
                && let [Stmt::Assign(place, value, _)] = block.as_slice()
                && is_extreme(condition, place, value)
            {
                writes.push(Write { place, how: How::Extreme { condition, value } });
                return true;
            }
            let blocks = inner_blocks(stmt);
            blocks.into_iter().all(|block| is_orderless(model, slot, block, writes))
        }
        Stmt::Switch(..) | Stmt::For(..) => {
            let blocks = inner_blocks(stmt);
            blocks.into_iter().all(|block| is_orderless(model, slot, block, writes))
        }
        Stmt::Call(function, arguments, _) => {
            let own = |argument: &Argument| match argument {
                Argument::Reference(_, place) => is_own(place, slot),
                Argument::Value(..) | Argument::Copy(..) => true,
            };
            for argument in arguments {
                if let Argument::Reference(_, place) = argument {
                    writes.push(Write { place, how: How::Own { slot } });
                }
            }
            arguments.iter().all(own) && is_closed(&model.functions[*function].body)
        }
        Stmt::Assert(..) | Stmt::Assume(..) | Stmt::Error(_) => true,
        // An alias could be of anything; a return ends the loop early.
        Stmt::Return(Some(Expr::Constant(_))) => true,
        Stmt::Return(Some(Expr::Checked(value, _))) => matches!(**value, Expr::Constant(_)),
        _ => false,
    })
}

/// Whether a place is an element at the loop's member.
fn is_own(place: &Place, slot: u32) -> bool {
    own_stride(place, slot).is_some()
}

/// The distance between elements at members of the loop, of the outermost array that it indexes.
fn own_stride(place: &Place, slot: u32) -> Option<u32> {
    let mut subscripts = place.subscripts.iter();
    let own = subscripts.find(|subscript| subscript.value == Expr::Slot(slot))?;
    (!matches!(place.base, Base::Reference(_))).then_some(own.stride)
}

/// What is added to a place by an assignment of `place + e` or `place - e`.
fn addend<'c>(place: &Place, value: &'c Expr) -> Option<&'c Expr> {
    let Expr::Arithmetic(operation, both, _) = value else { return None };
    match operation {
        Arithmetic::Add if is_load(&both.0, place) => Some(&both.1),
        Arithmetic::Add if is_load(&both.1, place) => Some(&both.0),
        Arithmetic::Subtract if is_load(&both.0, place) => Some(&both.1),
        _ => None,
    }
}

/// Whether an expression is the value in a place.
fn is_load(expr: &Expr, place: &Place) -> bool {
    matches!(expr, Expr::Load(loaded, _, _) if same_place(loaded, place))
}

/// Whether two places are written alike; where each is in the source does not matter.
fn same_place(left: &Place, right: &Place) -> bool {
    left.base == right.base
        && left.offset == right.offset
        && left.subscripts.len() == right.subscripts.len()
        && left.subscripts.iter().zip(&right.subscripts).all(|(a, b)| same(&a.value, &b.value))
}

/// Whether two simple expressions are written alike.
fn same(left: &Expr, right: &Expr) -> bool {
    match (left, right) {
        (Expr::Load(a, _, _), Expr::Load(b, _, _)) => same_place(a, b),
        (a, b) => a == b,
    }
}

/// Whether a condition has the part `place < value` or the reverse.
fn is_extreme(condition: &Expr, place: &Place, value: &Expr) -> bool {
    let compares = |part: &Expr| match part {
        Expr::Compare(Comparison::Less | Comparison::LessOrEqual, both) => {
            is_load(&both.0, place) && same(&both.1, value)
                || is_load(&both.1, place) && same(&both.0, value)
        }
        _ => false,
    };
    match condition {
        Expr::All(parts) => parts.iter().filter(|part| compares(part)).count() == 1,
        part => compares(part),
    }
}

/// Whether nothing that the body reads is changed by another iteration.
fn reads_agree(model: &Model, body: &Block, writes: &[Write<'_>]) -> bool {
    let mut reads = Reads::of(model);
    for stmt in body {
        reads.stmt(stmt);
    }
    // Which iterations are executed depends on the order where one ends the loop.
    let returned = returns(body);
    if !returned.is_empty() && !writes.is_empty()
        || returned.iter().any(|value| *value != returned[0])
    {
        return false;
    }
    // A function may read anything.
    if reads.unknown && !writes.is_empty() {
        return false;
    }
    writes.iter().all(|write| {
        let overlapping = reads.places.iter().filter(|place| may_overlap(place, write.place));
        let others = writes.iter().filter(|other| may_overlap(other.place, write.place));
        match &write.how {
            How::Own { slot } => {
                // In the same dimension of the array, so that iterations touch different elements.
                let stride = own_stride(write.place, *slot);
                overlapping.copied().all(|place| own_stride(place, *slot) == stride)
                    && others.map(|other| other.place).all(|p| own_stride(p, *slot) == stride)
            }
            How::Accumulate { reads: added } => {
                let mut inner = Reads::of(model);
                inner.expr(added);
                let writers = others.count();
                // It is read once for each time it is added to.
                !inner.places.iter().any(|place| may_overlap(place, write.place))
                    && overlapping.count() == writers
                    && all_accumulate(writes, write.place)
            }
            How::Constant(constant) => {
                overlapping.count() == 0
                    && others
                        .map(|other| &other.how)
                        .all(|how| matches!(how, How::Constant(value) if value == constant))
            }
            How::Extreme { condition, value } => {
                let mut inner = Reads::of(model);
                inner.expr(value);
                let mut guard = Reads::of(model);
                guard.expr(condition);
                let in_guard =
                    guard.places.iter().filter(|place| may_overlap(place, write.place)).count();
                others.count() == 1
                    && in_guard == 1
                    && overlapping.count() == 1
                    && !inner.places.iter().any(|place| may_overlap(place, write.place))
            }
        }
    })
}

/// Whether a procedure touches only its parameters and local variables, and calls none.
fn is_closed(body: &Block) -> bool {
    let simple = |place: &Place| {
        place.base != Base::State && place.subscripts.iter().all(|one| closed_expr(&one.value))
    };
    body.iter().all(|stmt| match stmt {
        Stmt::Assign(place, value, _) => simple(place) && closed_expr(value),
        Stmt::Fill(place, _) => simple(place),
        Stmt::If(branches, _) => {
            branches.iter().all(|(condition, _)| closed_expr(condition))
                && inner_blocks(stmt).into_iter().all(is_closed)
        }
        Stmt::Assert(condition, _) => closed_expr(condition),
        _ => false,
    })
}

fn closed_expr(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Slot(_) => true,
        Expr::Load(place, _, _) | Expr::IsUndefined(place) => {
            place.base != Base::State && place.subscripts.iter().all(|one| closed_expr(&one.value))
        }
        Expr::Not(inner) | Expr::Negate(inner, _) | Expr::Checked(inner, _) => closed_expr(inner),
        Expr::All(parts) | Expr::Any(parts) => parts.iter().all(closed_expr),
        Expr::Compare(_, both) | Expr::Arithmetic(_, both, _) => {
            closed_expr(&both.0) && closed_expr(&both.1)
        }
        _ => false,
    }
}

/// What a body returns.
fn returns(body: &Block) -> Vec<i64> {
    let of = |stmt: &Stmt| match stmt {
        Stmt::Return(Some(Expr::Constant(value))) => vec![*value],
        Stmt::Return(Some(Expr::Checked(value, _))) => match **value {
            Expr::Constant(value) => vec![value],
            _ => Vec::new(),
        },
        other => inner_blocks(other).into_iter().flat_map(returns).collect(),
    };
    body.iter().flat_map(of).collect()
}

fn all_accumulate(writes: &[Write<'_>], place: &Place) -> bool {
    let mut others = writes.iter().filter(|other| may_overlap(other.place, place));
    others.all(|other| matches!(other.how, How::Accumulate { .. }))
}

/// Whether two places can have a cell in common.
fn may_overlap(left: &Place, right: &Place) -> bool {
    match (left.base, right.base) {
        (Base::Reference(_), _) | (_, Base::Reference(_)) => true,
        (a, b) if a != b => false,
        _ => {
            let ((a, b), (c, d)) = (extent(left), extent(right));
            a < d && c < b
        }
    }
}

/// The cells in which a place can lie: up to the end of its outermost array.
fn extent(place: &Place) -> (u32, u32) {
    let reach: u32 = place.subscripts.iter().map(|one| one.count * one.stride).sum();
    (place.offset, place.offset + reach.max(1))
}

/// What code reads.
struct Reads<'c> {
    model: &'c Model,
    places: Vec<&'c Place>,
    unknown: bool,
}

impl<'c> Reads<'c> {
    fn of(model: &'c Model) -> Self {
        Self { model, places: Vec::new(), unknown: false }
    }

    fn place(&mut self, place: &'c Place) {
        place.subscripts.iter().for_each(|subscript| self.expr(&subscript.value));
    }

    fn expr(&mut self, expr: &'c Expr) {
        match expr {
            Expr::Constant(_) | Expr::Slot(_) => {}
            Expr::Load(place, _, _) | Expr::IsUndefined(place) => {
                self.places.push(place);
                self.place(place);
            }
            Expr::Not(inner)
            | Expr::Negate(inner, _)
            | Expr::Complement(inner)
            | Expr::IsMember(inner, _)
            | Expr::Checked(inner, _) => self.expr(inner),
            Expr::All(parts) | Expr::Any(parts) => parts.iter().for_each(|part| self.expr(part)),
            Expr::Compare(_, both) | Expr::Arithmetic(_, both, _) => {
                self.expr(&both.0);
                self.expr(&both.1);
            }
            Expr::Choose(parts) => {
                self.expr(&parts.0);
                self.expr(&parts.1);
                self.expr(&parts.2);
            }
            Expr::Quantified { domain, body, .. } => {
                self.domain(domain);
                self.expr(body);
            }
            Expr::SameCells(..)
            | Expr::Count(_)
            | Expr::Call(..)
            | Expr::Cell(..)
            | Expr::CellIs(..)
            | Expr::CellIsUndefined(_) => self.unknown = true,
        }
    }

    fn domain(&mut self, domain: &'c Domain) {
        if let Domain::Numbers { from, to, step, .. } = domain {
            [from, to, step].into_iter().for_each(|expr| self.expr(expr));
        }
    }

    fn stmt(&mut self, stmt: &'c Stmt) {
        match stmt {
            Stmt::Assign(place, value, _) => {
                self.place(place);
                self.expr(value);
            }
            Stmt::Fill(place, _) => self.place(place),
            Stmt::If(branches, _) => {
                branches.iter().for_each(|(condition, _)| self.expr(condition));
            }
            Stmt::Switch(value, cases, _) => {
                self.expr(value);
                cases.iter().flat_map(|(values, _)| values).for_each(|value| self.expr(value));
            }
            Stmt::For(_, domain, _) => self.domain(domain),
            Stmt::Assert(condition, _) | Stmt::Assume(condition, _) => self.expr(condition),
            Stmt::Return(_) | Stmt::Error(_) => {}
            Stmt::Call(function, arguments, _) => {
                self.unknown |= !is_closed(&self.model.functions[*function].body);
                for argument in arguments {
                    match argument {
                        Argument::Value(_, expr) => self.expr(expr),
                        // What it reads of a `var` argument is what it may write.
                        Argument::Reference(_, place) => {
                            self.places.push(place);
                            self.place(place);
                        }
                        Argument::Copy(..) => self.unknown = true,
                    }
                }
            }
            _ => self.unknown = true,
        }
        inner_blocks(stmt).into_iter().for_each(|block| block.iter().for_each(|s| self.stmt(s)));
    }
}
