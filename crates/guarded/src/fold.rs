//! Folds what is constant in code: parameters of a rule, quantifiers over few elements, indices.
//!
//! A fold must not lose a fault: a condition that follows a false one is dropped, one that
//! precedes it is kept, and an operation that would fail stays for the machine to report.

use crate::code::{
    Argument, Base, Block, Comparison, Domain, Element, Elements, Expr, Place, Stmt, Subscript,
    Target,
};
use crate::machine::arithmetic;
use crate::model::{Function, Model};
use std::collections::HashMap;

/// More iterations than this are not written out.
const MOST_COPIES: usize = 16;

/// How many nodes a function may grow to by writing out loops.
const FUNCTION_ROOM: usize = 4_000;

/// Whether quantifiers over members that nothing distinguishes may be written out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Yes: members are asked in their order, up to the first that decides.
    Fixed,
    /// No: the machine finds out whether it matters in which order they are asked.
    Any,
}

/// Folds the functions of a model.
pub fn fold_functions(model: &mut Model, order: Order) {
    let folder = || Folder { order, ..Folder::new(model, [], FUNCTION_ROOM) };
    let fold = |function: &Function| folder().block(&function.body);
    let folded: Vec<Block> = model.functions.iter().map(fold).collect();
    for (function, body) in model.functions.iter_mut().zip(folded) {
        function.body = body;
    }
}

/// Folds code in one frame.
pub struct Folder<'m> {
    model: &'m Model,
    /// Slots whose value is known.
    known: HashMap<u32, i64>,
    /// How many more nodes may be made by writing out iterations.
    room: usize,
    /// Whether quantifiers over scalarsets may be written out.
    pub order: Order,
}

impl<'m> Folder<'m> {
    /// A folder that knows these slots and may write out iterations of so many nodes.
    pub fn new(model: &'m Model, known: impl IntoIterator<Item = (u32, i64)>, room: usize) -> Self {
        Self { model, known: known.into_iter().collect(), room, order: Order::Fixed }
    }

    /// An expression.
    pub fn expr(&mut self, expr: &Expr) -> Expr {
        self.room = self.room.saturating_sub(1);
        match expr {
            Expr::Slot(slot) => self.known.get(slot).map_or(expr.clone(), |v| Expr::Constant(*v)),
            Expr::Load(place, bias, site) => {
                let place = self.place(place);
                match place.cell() {
                    Some(cell) => Expr::Cell(cell, *bias, *site),
                    None => Expr::Load(Box::new(place), *bias, *site),
                }
            }
            Expr::Not(inner) => not(self.expr(inner)),
            Expr::All(parts) => self.junction(parts, true),
            Expr::Any(parts) => self.junction(parts, false),
            Expr::Compare(comparison, both) => {
                compare(*comparison, self.expr(&both.0), self.expr(&both.1))
            }
            Expr::SameCells(both, cells) => {
                Expr::SameCells(Box::new((self.place(&both.0), self.place(&both.1))), *cells)
            }
            Expr::Arithmetic(operation, both, site) => {
                let both = (self.expr(&both.0), self.expr(&both.1));
                if let (Expr::Constant(left), Expr::Constant(right)) = both
                    && let Ok(value) = arithmetic(*operation, left, right)
                {
                    return Expr::Constant(value);
                }
                Expr::Arithmetic(*operation, Box::new(both), *site)
            }
            Expr::Negate(inner, site) => match self.expr(inner) {
                Expr::Constant(value) if value != i64::MIN => Expr::Constant(-value),
                inner => Expr::Negate(Box::new(inner), *site),
            },
            Expr::Complement(inner) => match self.expr(inner) {
                Expr::Constant(value) => Expr::Constant(!value),
                inner => Expr::Complement(Box::new(inner)),
            },
            Expr::Choose(parts) => match self.expr(&parts.0) {
                Expr::Constant(0) => self.expr(&parts.2),
                Expr::Constant(_) => self.expr(&parts.1),
                condition => {
                    let (this, that) = (self.expr(&parts.1), self.expr(&parts.2));
                    Expr::Choose(Box::new((condition, this, that)))
                }
            },
            Expr::Quantified { all, slot, domain, body } => {
                self.quantified(*all, *slot, domain, body)
            }
            Expr::IsUndefined(place) => {
                let place = self.place(place);
                place
                    .cell()
                    .map_or_else(|| Expr::IsUndefined(Box::new(place)), Expr::CellIsUndefined)
            }
            Expr::IsMember(inner, ranges) => {
                Expr::IsMember(Box::new(self.expr(inner)), ranges.clone())
            }
            Expr::Checked(inner, target) => match self.expr(inner) {
                Expr::Constant(v) if v >= target.low && v <= target.high => Expr::Constant(v),
                inner => Expr::Checked(Box::new(inner), *target),
            },
            Expr::Count(elements) => Expr::Count(Box::new(self.elements(elements))),
            Expr::Call(function, arguments, site) => {
                Expr::Call(*function, self.arguments(arguments), *site)
            }
            Expr::Constant(_) | Expr::Cell(..) | Expr::CellIs(..) | Expr::CellIsUndefined(_) => {
                expr.clone()
            }
        }
    }

    fn junction(&mut self, parts: &[Expr], all: bool) -> Expr {
        let mut folded = Vec::new();
        for part in parts {
            let part = self.expr(part);
            if push_part(&mut folded, part, all) {
                break;
            }
        }
        junction(folded, all)
    }

    fn quantified(&mut self, all: bool, slot: u32, domain: &Domain, body: &Expr) -> Expr {
        let domain = self.domain(domain);
        let keeps = self.order == Order::Any
            && matches!(&domain, Domain::Scalar(set) if self.model.types.has_no_order(*set));
        if let Some(values) = self.written_out(&domain).filter(|_| !keeps) {
            let outer = self.known.get(&slot).copied();
            let mut folded = Vec::new();
            for value in values {
                self.known.insert(slot, value);
                let part = self.expr(body);
                if push_part(&mut folded, part, all) {
                    break;
                }
            }
            self.restore(slot, outer);
            return junction(folded, all);
        }
        let outer = self.known.remove(&slot);
        let body = Box::new(self.expr(body));
        self.restore(slot, outer);
        Expr::Quantified { all, slot, domain: Box::new(domain), body }
    }

    fn restore(&mut self, slot: u32, outer: Option<i64>) {
        match outer {
            Some(value) => self.known.insert(slot, value),
            None => self.known.remove(&slot),
        };
    }

    fn domain(&mut self, domain: &Domain) -> Domain {
        match domain {
            Domain::Scalar(_) => domain.clone(),
            Domain::Numbers { from, to, step, site } => {
                let (from, to, step) = (self.expr(from), self.expr(to), self.expr(step));
                Domain::Numbers { from, to, step, site: *site }
            }
        }
    }

    /// The elements of a domain, if they are few and known, and there is room.
    fn written_out(&self, domain: &Domain) -> Option<Vec<i64>> {
        if self.room == 0 {
            return None;
        }
        let values: Vec<i64> = match domain {
            Domain::Scalar(scalar) => {
                self.model.types.values(*scalar).take(MOST_COPIES + 1).collect()
            }
            Domain::Numbers {
                from: Expr::Constant(from),
                to: Expr::Constant(to),
                step: Expr::Constant(step),
                ..
            } => {
                if *step == 0 || [from, to].iter().any(|bound| i32::try_from(**bound).is_err()) {
                    return None;
                }
                let inside = |value: &i64| if *step > 0 { value <= to } else { value >= to };
                let all = std::iter::successors(Some(*from), |value| value.checked_add(*step));
                all.take_while(inside).take(MOST_COPIES + 1).collect()
            }
            Domain::Numbers { .. } => return None,
        };
        (values.len() <= MOST_COPIES).then_some(values)
    }

    fn elements(&mut self, elements: &Elements) -> Elements {
        let place = self.place(&elements.place);
        let outer = self.known.remove(&elements.slot);
        let condition = self.expr(&elements.condition);
        self.restore(elements.slot, outer);
        Elements { place, condition, ..elements.clone() }
    }

    fn arguments(&mut self, arguments: &[Argument]) -> Vec<Argument> {
        let one = |argument: &Argument| match argument {
            Argument::Value(slot, expr) => Argument::Value(*slot, self.expr(expr)),
            Argument::Reference(slot, place) => Argument::Reference(*slot, self.place(place)),
            Argument::Copy(slot, place, cells) => Argument::Copy(*slot, self.place(place), *cells),
        };
        arguments.iter().map(one).collect()
    }

    fn subscript(&mut self, subscript: &Subscript) -> Subscript {
        Subscript { value: self.expr(&subscript.value), ..subscript.clone() }
    }

    /// A place; constant subscripts become a part of the offset.
    pub fn place(&mut self, place: &Place) -> Place {
        let mut offset = place.offset;
        let mut subscripts = Vec::new();
        for subscript in &place.subscripts {
            let subscript = self.subscript(subscript);
            let index = match subscript.value {
                Expr::Constant(value) => value.checked_sub(subscript.low),
                _ => None,
            };
            match index.and_then(|index| u32::try_from(index).ok()) {
                Some(index) if index < subscript.count => offset += index * subscript.stride,
                _ => subscripts.push(subscript),
            }
        }
        Place { base: place.base, offset, subscripts }
    }

    /// Statements.
    pub fn block(&mut self, block: &Block) -> Block {
        let mut folded = Vec::new();
        for stmt in block {
            self.stmt(stmt, &mut folded);
        }
        folded
    }

    fn assign(&mut self, place: &Place, value: &Expr, target: &Target) -> Stmt {
        let (place, value) = (self.place(place), self.expr(value));
        let Some(cell) = place.cell() else { return Stmt::Assign(place, value, *target) };
        match value {
            Expr::Constant(value) if value >= target.low && value <= target.high => {
                Stmt::SetCell(cell, (value - target.low + 1) as u32)
            }
            value => Stmt::AssignCell(cell, value, *target),
        }
    }

    fn stmt(&mut self, stmt: &Stmt, folded: &mut Block) {
        self.room = self.room.saturating_sub(1);
        let stmt = match stmt {
            Stmt::Assign(place, value, target) => self.assign(place, value, target),
            Stmt::Copy { to, from, cells } => {
                Stmt::Copy { to: self.place(to), from: self.place(from), cells: *cells }
            }
            Stmt::Fill(place, codes) => {
                let place = self.place(place);
                match (place.cell(), codes.as_slice()) {
                    (Some(cell), [code]) => Stmt::SetCell(cell, *code),
                    _ => Stmt::Fill(place, codes.clone()),
                }
            }
            Stmt::If(branches, otherwise) => return self.branches(branches, otherwise, folded),
            Stmt::Switch(expr, cases, otherwise) => self.switch(expr, cases, otherwise),
            Stmt::For(slot, domain, body) => return self.iterate(*slot, domain, body, folded),
            Stmt::ForAnyOrder(slot, scalar, body, site) => {
                let outer = self.known.remove(slot);
                let body = self.block(body);
                self.restore(*slot, outer);
                Stmt::ForAnyOrder(*slot, *scalar, body, *site)
            }
            Stmt::While(condition, body, site) => {
                Stmt::While(self.expr(condition), self.block(body), *site)
            }
            Stmt::Bind(slot, place) => Stmt::Bind(*slot, self.place(place)),
            Stmt::Let(slot, expr) => Stmt::Let(*slot, self.expr(expr)),
            Stmt::Call(function, arguments, site) => {
                Stmt::Call(*function, self.arguments(arguments), *site)
            }
            Stmt::Return(value) => Stmt::Return(value.as_ref().map(|value| self.expr(value))),
            Stmt::Assert(condition, site) => match self.expr(condition) {
                Expr::Constant(1) => return,
                condition => Stmt::Assert(condition, *site),
            },
            Stmt::Assume(condition, site) => Stmt::Assume(self.expr(condition), *site),
            Stmt::Add { to, capacity, stride, element, site } => {
                let element = match element {
                    Element::Value(value, target) => Element::Value(self.expr(value), *target),
                    Element::Cells(place) => Element::Cells(self.place(place)),
                };
                let to = self.place(to);
                Stmt::Add { to, capacity: *capacity, stride: *stride, element, site: *site }
            }
            Stmt::Remove(place, position) => {
                Stmt::Remove(self.place(place), self.subscript(position))
            }
            Stmt::RemoveAll(elements) => Stmt::RemoveAll(Box::new(self.elements(elements))),
            Stmt::Error(_) | Stmt::SetCell(..) | Stmt::AssignCell(..) => stmt.clone(),
        };
        folded.push(stmt);
    }

    fn branches(&mut self, branches: &[(Expr, Block)], otherwise: &Block, folded: &mut Block) {
        let mut left = Vec::new();
        for (condition, block) in branches {
            match self.expr(condition) {
                Expr::Constant(0) => {}
                Expr::Constant(_) if left.is_empty() => return folded.extend(self.block(block)),
                condition => left.push((condition, self.block(block))),
            }
        }
        let otherwise = self.block(otherwise);
        match left.is_empty() {
            true => folded.extend(otherwise),
            false => folded.push(Stmt::If(left, otherwise)),
        }
    }

    fn switch(&mut self, expr: &Expr, cases: &[(Vec<Expr>, Block)], otherwise: &Block) -> Stmt {
        let expr = self.expr(expr);
        let mut folded = Vec::new();
        for (values, block) in cases {
            let values = values.iter().map(|value| self.expr(value)).collect();
            folded.push((values, self.block(block)));
        }
        Stmt::Switch(expr, folded, self.block(otherwise))
    }

    fn iterate(&mut self, slot: u32, domain: &Domain, body: &Block, folded: &mut Block) {
        let domain = self.domain(domain);
        let outer = self.known.get(&slot).copied();
        match self.written_out(&domain) {
            Some(values) => {
                for value in values {
                    self.known.insert(slot, value);
                    let block = self.block(body);
                    folded.extend(block);
                }
            }
            None => {
                self.known.remove(&slot);
                let body = self.block(body);
                folded.push(Stmt::For(slot, domain, body));
            }
        }
        self.restore(slot, outer);
    }
}

impl Place {
    /// The cell of the state that it is, if no step depends on the state.
    fn cell(&self) -> Option<u32> {
        (self.base == Base::State && self.subscripts.is_empty()).then_some(self.offset)
    }
}

/// Adds a part of a conjunction or disjunction; whether no part after it matters.
fn push_part(parts: &mut Vec<Expr>, part: Expr, all: bool) -> bool {
    match part {
        Expr::Constant(value) if (value != 0) == all => false,
        Expr::Constant(_) => {
            parts.push(part);
            true
        }
        Expr::All(inner) if all => {
            let ends = matches!(inner.last(), Some(Expr::Constant(_)));
            parts.extend(inner);
            ends
        }
        Expr::Any(inner) if !all => {
            let ends = matches!(inner.last(), Some(Expr::Constant(_)));
            parts.extend(inner);
            ends
        }
        part => {
            parts.push(part);
            false
        }
    }
}

fn junction(mut parts: Vec<Expr>, all: bool) -> Expr {
    match parts.len() {
        0 => Expr::Constant(all.into()),
        1 => parts.remove(0),
        _ if all => Expr::All(parts),
        _ => Expr::Any(parts),
    }
}

fn not(inner: Expr) -> Expr {
    match inner {
        Expr::Constant(value) => Expr::Constant((value == 0).into()),
        Expr::CellIs(cell, code, is, site) => Expr::CellIs(cell, code, !is, site),
        // A Boolean's code is its value plus one.
        Expr::Cell(cell, _, site) => Expr::CellIs(cell, 1, true, site),
        Expr::Not(inner) => *inner,
        inner => Expr::Not(Box::new(inner)),
    }
}

fn compare(comparison: Comparison, left: Expr, right: Expr) -> Expr {
    let is = match comparison {
        Comparison::Equal => true,
        Comparison::NotEqual => false,
        Comparison::Less | Comparison::LessOrEqual => {
            return match (&left, &right) {
                (Expr::Constant(a), Expr::Constant(b)) => {
                    let less = if comparison == Comparison::Less { a < b } else { a <= b };
                    Expr::Constant(less.into())
                }
                _ => Expr::Compare(comparison, Box::new((left, right))),
            };
        }
    };
    match (&left, &right) {
        (Expr::Constant(a), Expr::Constant(b)) => Expr::Constant(((a == b) == is).into()),
        (Expr::Cell(cell, bias, site), Expr::Constant(value))
        | (Expr::Constant(value), Expr::Cell(cell, bias, site)) => {
            // No cell has a code outside of its type; `u32::MAX` stands for one.
            let code = u32::try_from(value - bias).ok().filter(|code| *code > 0);
            Expr::CellIs(*cell, code.unwrap_or(u32::MAX), is, *site)
        }
        _ => Expr::Compare(comparison, Box::new((left, right))),
    }
}
