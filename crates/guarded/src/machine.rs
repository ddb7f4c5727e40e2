//! Executes expressions and statements on a state.
//!
//! Soundness S-200 (murphi; all; refuses): A loop of more than 2^20 iterations and calls nested
//! more than 200 deep are reported as `?` with the path to them. Test:
//! crates/engines/tests/murphi_corpus.rs::loops_and_recursion_without_end_are_inconclusive.

use crate::code::{
    Argument, Arithmetic, Base, Block, Comparison, Domain, Element, Elements, Expr, Place, Stmt,
    Subscript, Target,
};
use crate::fault::{Fault, FaultKind};
use crate::model::{FunctionId, Model, ScalarId, SiteId};

/// Iterations of one loop, and no more.
const MOST_ITERATIONS: u32 = 1 << 20;

/// Calls within calls, and no more.
const DEEPEST_CALL: u32 = 200;

/// Whether code goes on after a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Return,
}

/// What is known of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Knowledge {
    /// Its value.
    Value,
    /// That it is not undefined.
    Defined,
    /// Nothing.
    Nothing,
}

/// A state and the frames of what is being executed.
pub struct Machine<'m> {
    model: &'m Model,
    /// The cells of the state, then those of the frames.
    memory: Vec<u32>,
    /// The first cell of the present frame, and one past its last.
    frame: usize,
    top: usize,
    calls: u32,
    result: i64,
    /// Whether loops that may depend on the order of a scalarset are executed in every order.
    pub tries_orders: bool,
    /// The value that stands for all members that are not considered.
    pub untracked: Option<i64>,
    /// What is known of cells of the state; everything if it is empty. Cells whose value is not known
    /// are undefined until something is written into them, and reading them is a fault.
    pub known: Vec<Knowledge>,
    /// The cell that was read before its value was chosen.
    pub wanted: Option<usize>,
}

impl<'m> Machine<'m> {
    /// A machine with an undefined state.
    pub fn new(model: &'m Model) -> Self {
        let cells = model.cells as usize;
        let memory = vec![0; cells + 64];
        Self {
            model,
            memory,
            frame: cells,
            top: cells,
            calls: 0,
            result: 0,
            tries_orders: false,
            untracked: None,
            known: Vec::new(),
            wanted: None,
        }
    }

    /// The state.
    pub fn state(&self) -> &[u32] {
        &self.memory[..self.model.cells as usize]
    }

    /// The state, to be changed.
    pub fn state_mut(&mut self) -> &mut [u32] {
        &mut self.memory[..self.model.cells as usize]
    }

    /// Begins code with a frame of so many cells, whose first ones are given; the others are
    /// undefined.
    pub fn enter(&mut self, frame: u32, slots: &[(u32, i64)]) {
        self.frame = self.model.cells as usize;
        self.top = self.frame + frame as usize;
        self.calls = 0;
        if self.memory.len() < self.top {
            self.memory.resize(self.top, 0);
        }
        self.memory[self.frame..self.top].fill(0);
        for (slot, value) in slots {
            self.set_slot(*slot, *value);
        }
    }

    /// What reading a cell without a value leads to.
    #[cold]
    fn undefined<T>(&mut self, cell: usize, site: SiteId) -> Result<T, Fault> {
        self.chosen(cell..cell + 1)?;
        undefined(site)
    }

    fn is_undefined(&mut self, cell: usize) -> Result<bool, Fault> {
        if self.memory[cell] != 0 || self.known.get(cell) == Some(&Knowledge::Defined) {
            return Ok(false);
        }
        self.chosen(cell..cell + 1)?;
        Ok(true)
    }

    /// That the values of these cells were chosen.
    fn chosen(&mut self, cells: std::ops::Range<usize>) -> Result<(), Fault> {
        let known = self.known.len();
        let mut open = (cells.start.min(known)..cells.end.min(known))
            .filter(|cell| self.known[*cell] != Knowledge::Value && self.memory[*cell] == 0);
        match open.next() {
            None => Ok(()),
            cell => {
                self.wanted = cell;
                Err(Fault { kind: FaultKind::Unchosen, site: execution::ids::Id::new(0) })
            }
        }
    }

    /// Something was written into these cells.
    fn choose(&mut self, cells: std::ops::Range<usize>) {
        let known = self.known.len();
        self.known[cells.start.min(known)..cells.end.min(known)].fill(Knowledge::Value);
    }

    /// Executes a rule's body.
    pub fn execute(&mut self, body: &Block) -> Result<(), Fault> {
        self.block(body).map(|_| ())
    }

    #[inline]
    fn slot(&self, slot: u32) -> i64 {
        i64::from(self.memory[self.frame + slot as usize] as i32)
    }

    #[inline]
    fn set_slot(&mut self, slot: u32, value: i64) {
        self.memory[self.frame + slot as usize] = value as i32 as u32;
    }

    /// The number of a place's first cell.
    fn place(&mut self, place: &Place) -> Result<usize, Fault> {
        let mut at = place.offset as usize
            + match place.base {
                Base::State => 0,
                Base::Frame => self.frame,
                Base::Reference(slot) => self.memory[self.frame + slot as usize] as usize,
            };
        for subscript in &place.subscripts {
            at += self.subscript(subscript)?;
        }
        Ok(at)
    }

    #[inline]
    fn subscript(&mut self, subscript: &Subscript) -> Result<usize, Fault> {
        let value = self.number(&subscript.value)?;
        if self.untracked == Some(value) {
            return Err(Fault { kind: FaultKind::Untracked, site: subscript.site });
        }
        let index = value.wrapping_sub(subscript.low) as u64;
        if index >= u64::from(subscript.count) {
            return Err(Fault { kind: FaultKind::Range, site: subscript.site });
        }
        Ok(index as usize * subscript.stride as usize)
    }

    /// A Boolean.
    #[inline]
    pub fn truth(&mut self, expr: &Expr) -> Result<bool, Fault> {
        match expr {
            Expr::CellIs(cell, code, is, site) => {
                let found = self.memory[*cell as usize];
                if found == 0 {
                    return self.undefined(*cell as usize, *site);
                }
                Ok((found == *code) == *is)
            }
            Expr::All(all) => {
                for expr in all {
                    if !self.truth(expr)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Expr::Any(any) => {
                for expr in any {
                    if self.truth(expr)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Expr::Not(expr) => Ok(!self.truth(expr)?),
            Expr::CellIsUndefined(cell) => self.is_undefined(*cell as usize),
            Expr::Compare(comparison, both) => {
                let (left, right) = (self.number(&both.0)?, self.number(&both.1)?);
                if left == right && self.untracked == Some(left) {
                    return untracked();
                }
                Ok(match comparison {
                    Comparison::Equal => left == right,
                    Comparison::NotEqual => left != right,
                    Comparison::Less => left < right,
                    Comparison::LessOrEqual => left <= right,
                })
            }
            _ => Ok(self.number(expr)? != 0),
        }
    }

    /// A number, or the number of a Boolean.
    pub fn number(&mut self, expr: &Expr) -> Result<i64, Fault> {
        match expr {
            Expr::Constant(value) => Ok(*value),
            Expr::Slot(slot) => Ok(self.slot(*slot)),
            Expr::Cell(cell, bias, site) => {
                let code = self.memory[*cell as usize];
                if code == 0 {
                    return self.undefined(*cell as usize, *site);
                }
                Ok(i64::from(code) + bias)
            }
            Expr::Load(place, bias, site) => {
                let at = self.place(place)?;
                let code = self.memory[at];
                if code == 0 {
                    return self.undefined(at, *site);
                }
                Ok(i64::from(code) + bias)
            }
            Expr::Arithmetic(operation, both, site) => {
                let (left, right) = (self.number(&both.0)?, self.number(&both.1)?);
                arithmetic(*operation, left, right).map_err(|kind| Fault { kind, site: *site })
            }
            Expr::Negate(expr, site) => {
                let range = Fault { kind: FaultKind::Range, site: *site };
                self.number(expr)?.checked_neg().ok_or(range)
            }
            Expr::Complement(expr) => Ok(!self.number(expr)?),
            Expr::Choose(parts) => match self.truth(&parts.0)? {
                true => self.number(&parts.1),
                false => self.number(&parts.2),
            },
            Expr::SameCells(both, cells) => {
                let (left, right) = (self.place(&both.0)?, self.place(&both.1)?);
                let cells = *cells as usize;
                self.chosen(left..left + cells)?;
                self.chosen(right..right + cells)?;
                Ok((self.memory[left..left + cells] == self.memory[right..right + cells]).into())
            }
            Expr::Quantified { all, slot, domain, body } => {
                let ask = |machine: &mut Self| Ok(machine.truth(body)? != *all);
                let differs = match &**domain {
                    Domain::Scalar(scalar) if self.is_permuted(*scalar) => {
                        self.some_in_any_order(*slot, *scalar, ask)?
                    }
                    domain => self.some(*slot, domain, ask)?,
                };
                Ok((differs != *all).into())
            }
            Expr::IsUndefined(place) => {
                let at = self.place(place)?;
                self.is_undefined(at).map(i64::from)
            }
            Expr::IsMember(expr, ranges) => {
                let value = self.number(expr)?;
                Ok(ranges.iter().any(|(low, high)| (*low..=*high).contains(&value)).into())
            }
            Expr::Count(elements) => {
                let mut count = 0;
                self.for_elements(elements, |_, _| count += 1)?;
                Ok(count)
            }
            Expr::Checked(expr, target) => Ok(i64::from(self.code(expr, target)?) + target.low - 1),
            Expr::Call(function, arguments, site) => {
                self.call(*function, arguments, *site)?;
                Ok(self.result)
            }
            _ => self.truth(expr).map(i64::from),
        }
    }

    /// Whether a question is answered with yes for some element of a domain.
    fn some(
        &mut self,
        slot: u32,
        domain: &Domain,
        mut ask: impl FnMut(&mut Self) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        match domain {
            Domain::Scalar(scalar) => {
                for value in self.values(*scalar) {
                    self.set_slot(slot, value);
                    if ask(self)? {
                        return Ok(true);
                    }
                }
            }
            Domain::Numbers { from, to, step, site } => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                let step = self.number(step)?;
                let fault = |kind| Err(Fault { kind, site: *site });
                if step == 0 || [from, to].iter().any(|bound| i32::try_from(*bound).is_err()) {
                    return fault(FaultKind::Range);
                }
                let mut value = from;
                let mut left = MOST_ITERATIONS;
                while if step > 0 { value <= to } else { value >= to } {
                    self.set_slot(slot, value);
                    if ask(self)? {
                        return Ok(true);
                    }
                    value = value.saturating_add(step);
                    left -= 1;
                    if left == 0 {
                        return fault(FaultKind::Endless);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Whether some values of a type may be exchanged in the states that are stored.
    fn is_permuted(&self, scalar: ScalarId) -> bool {
        self.tries_orders && self.model.types.has_no_order(scalar)
    }

    /// The same for a scalarset that may be permuted: if one member decides it and another one is a
    /// fault, the order in which they are asked decides which it is.
    fn some_in_any_order(
        &mut self,
        slot: u32,
        scalar: ScalarId,
        mut ask: impl FnMut(&mut Self) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        let mut decided = false;
        let mut failed = None;
        // What is asked after the member that decides it must leave no trace.
        let mut after = None;
        for value in self.values(scalar) {
            self.set_slot(slot, value);
            match ask(self) {
                Ok(true) if !decided => {
                    decided = true;
                    after = (!self.model.functions.is_empty()).then(|| self.memory.clone());
                }
                Ok(_) => {}
                Err(fault) if fault.kind == FaultKind::Order => return Err(fault),
                Err(fault) => failed = failed.or(Some(fault)),
            }
            if let (true, Some(Fault { site, .. })) = (decided, failed) {
                return Err(Fault { kind: FaultKind::Order, site });
            }
        }
        if let Some(after) = after {
            self.memory[..after.len()].copy_from_slice(&after);
        }
        failed.map_or(Ok(decided), Err)
    }

    fn values(&self, scalar: ScalarId) -> impl Iterator<Item = i64> + use<> {
        self.model.types.values(scalar)
    }

    /// Calls a function for the first cell of each slot of a multiset whose element satisfies a
    /// condition.
    fn for_elements(
        &mut self,
        elements: &Elements,
        mut found: impl FnMut(&mut Self, usize),
    ) -> Result<(), Fault> {
        let at = self.place(&elements.place)?;
        for position in 0..elements.capacity {
            let slot = at + (position * elements.stride) as usize;
            if self.memory[slot] == 0 {
                continue;
            }
            self.set_slot(elements.slot, position.into());
            if self.truth(&elements.condition)? {
                found(self, slot);
            }
        }
        Ok(())
    }

    fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        site: SiteId,
    ) -> Result<(), Fault> {
        let model = self.model;
        let function = &model.functions[function];
        if self.calls == DEEPEST_CALL {
            return Err(Fault { kind: FaultKind::Endless, site });
        }
        let (frame, top) = (self.frame, self.top);
        let end = top + function.frame as usize;
        if self.memory.len() < end {
            self.memory.resize(end, 0);
        }
        self.memory[top..end].fill(0);
        // What an argument calls has its frame after this one.
        self.top = end;
        for argument in arguments {
            match argument {
                Argument::Value(slot, expr) => {
                    let value = self.number(expr)?;
                    self.memory[top + *slot as usize] = value as i32 as u32;
                }
                Argument::Reference(slot, place) => {
                    self.memory[top + *slot as usize] = self.place(place)? as u32;
                }
                Argument::Copy(slot, place, cells) => {
                    let from = self.place(place)?;
                    self.chosen(from..from + *cells as usize)?;
                    let to = top + *slot as usize;
                    self.memory.copy_within(from..from + *cells as usize, to);
                }
            }
        }
        self.frame = top;
        self.calls += 1;
        let flow = self.block(&function.body)?;
        self.calls -= 1;
        (self.frame, self.top) = (frame, top);
        if function.has_result && flow == Flow::Next {
            return undefined(site);
        }
        Ok(())
    }

    fn block(&mut self, block: &Block) -> Result<Flow, Fault> {
        for stmt in block {
            if self.stmt(stmt)? == Flow::Return {
                return Ok(Flow::Return);
            }
        }
        Ok(Flow::Next)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<Flow, Fault> {
        match stmt {
            Stmt::SetCell(cell, code) => {
                self.memory[*cell as usize] = *code;
                if *code == 0 {
                    self.choose(*cell as usize..*cell as usize + 1);
                }
            }
            Stmt::AssignCell(cell, value, target) => {
                let code = self.code(value, target)?;
                self.memory[*cell as usize] = code;
            }
            Stmt::Assign(place, value, target) => {
                let code = self.code(value, target)?;
                let at = self.place(place)?;
                self.memory[at] = code;
            }
            Stmt::Copy { to, from, cells } => {
                let (from, to) = (self.place(from)?, self.place(to)?);
                let cells = *cells as usize;
                self.chosen(from..from + cells)?;
                self.memory.copy_within(from..from + cells, to);
                self.choose(to..to + cells);
            }
            Stmt::Fill(place, codes) => {
                let at = self.place(place)?;
                self.memory[at..at + codes.len()].copy_from_slice(codes);
                self.choose(at..at + codes.len());
            }
            Stmt::If(branches, otherwise) => {
                for (condition, block) in branches {
                    if self.truth(condition)? {
                        return self.block(block);
                    }
                }
                return self.block(otherwise);
            }
            Stmt::Switch(expr, cases, otherwise) => return self.switch(expr, cases, otherwise),
            Stmt::For(slot, domain, body) => {
                let ends = |machine: &mut Self| Ok(machine.block(body)? == Flow::Return);
                if self.some(*slot, domain, ends)? {
                    return Ok(Flow::Return);
                }
            }
            Stmt::ForAnyOrder(slot, scalar, body, site) => {
                return self.any_order(*slot, *scalar, body, *site);
            }
            Stmt::While(condition, body, site) => {
                for _ in 0..MOST_ITERATIONS {
                    if !self.truth(condition)? {
                        return Ok(Flow::Next);
                    }
                    if self.block(body)? == Flow::Return {
                        return Ok(Flow::Return);
                    }
                }
                return Err(Fault { kind: FaultKind::Endless, site: *site });
            }
            Stmt::Bind(slot, place) => {
                let at = self.place(place)?;
                self.memory[self.frame + *slot as usize] = at as u32;
            }
            Stmt::Let(slot, expr) => {
                let value = self.number(expr)?;
                self.set_slot(*slot, value);
            }
            Stmt::Call(function, arguments, site) => self.call(*function, arguments, *site)?,
            Stmt::Return(value) => {
                if let Some(value) = value {
                    self.result = self.number(value)?;
                }
                return Ok(Flow::Return);
            }
            Stmt::Assert(condition, site) => {
                if !self.truth(condition)? {
                    return Err(Fault { kind: FaultKind::Assertion, site: *site });
                }
            }
            Stmt::Assume(condition, site) => {
                if !self.truth(condition)? {
                    return Err(Fault { kind: FaultKind::Assumption, site: *site });
                }
            }
            Stmt::Error(site) => return Err(Fault { kind: FaultKind::Error, site: *site }),
            Stmt::Add { to, capacity, stride, element, site } => {
                self.add(to, (*capacity, *stride), element, *site)?;
            }
            Stmt::Remove(place, position) => {
                let at = self.place(place)? + self.subscript(position)?;
                if self.memory[at] == 0 {
                    return undefined(position.site);
                }
                self.memory[at..at + position.stride as usize].fill(0);
                self.choose(at..at + position.stride as usize);
            }
            Stmt::RemoveAll(elements) => {
                let stride = elements.stride as usize;
                self.for_elements(elements, |machine, slot| {
                    machine.memory[slot..slot + stride].fill(0);
                    machine.choose(slot..slot + stride);
                })?;
            }
        }
        Ok(Flow::Next)
    }

    /// Executes a loop whose body does not end early. If asked to, in every order: what is reached
    /// after any set of members must not depend on the order in which they were visited.
    fn any_order(
        &mut self,
        slot: u32,
        scalar: ScalarId,
        body: &Block,
        site: SiteId,
    ) -> Result<Flow, Fault> {
        let values: Vec<i64> = self.values(scalar).collect();
        if !self.tries_orders {
            for value in values {
                self.set_slot(slot, value);
                self.block(body)?;
            }
            return Ok(Flow::Next);
        }
        let depends = Fault { kind: FaultKind::Order, site };
        let mut after: Vec<Option<Vec<u32>>> = vec![None; 1 << values.len()];
        after[0] = Some(self.memory[..self.top].to_vec());
        for visited in 0..after.len() {
            let Some(before) = after[visited].take() else { continue };
            for (number, value) in values.iter().enumerate() {
                let next = visited | 1 << number;
                if next == visited {
                    continue;
                }
                self.memory[..before.len()].copy_from_slice(&before);
                self.set_slot(slot, *value);
                // In the order of the members, a fault is a fault.
                let is_first = next & (next + 1) == 0 && visited + 1 == 1 << number;
                match self.block(body) {
                    Err(fault) if is_first || fault.kind == FaultKind::Order => return Err(fault),
                    Err(_) => return Err(depends),
                    Ok(_) => {}
                }
                self.set_slot(slot, 0);
                let reached = &self.memory[..self.top];
                match &after[next] {
                    Some(known) if known != reached => return Err(depends),
                    Some(_) => {}
                    None => after[next] = Some(reached.to_vec()),
                }
            }
            after[visited] = Some(before);
        }
        let all = after.pop().flatten().ok_or(depends)?;
        self.memory[..all.len()].copy_from_slice(&all);
        Ok(Flow::Next)
    }

    fn switch(
        &mut self,
        expr: &Expr,
        cases: &[(Vec<Expr>, Block)],
        otherwise: &Block,
    ) -> Result<Flow, Fault> {
        let value = self.number(expr)?;
        for (values, block) in cases {
            for case in values {
                if self.number(case)? == value {
                    if self.untracked == Some(value) {
                        return untracked();
                    }
                    return self.block(block);
                }
            }
        }
        self.block(otherwise)
    }

    /// The code of what is assigned.
    #[inline]
    fn code(&mut self, value: &Expr, target: &Target) -> Result<u32, Fault> {
        let value = self.number(value)?;
        if value < target.low || value > target.high {
            return Err(Fault { kind: FaultKind::Range, site: target.site });
        }
        Ok((value - target.low + 1) as u32)
    }

    fn add(
        &mut self,
        to: &Place,
        (capacity, stride): (u32, u32),
        element: &Element,
        site: SiteId,
    ) -> Result<(), Fault> {
        let at = self.place(to)?;
        let mut slots = (0..capacity).map(|slot| at + (slot * stride) as usize);
        let Some(slot) = slots.find(|slot| self.memory[*slot] == 0) else {
            return Err(Fault { kind: FaultKind::Full, site });
        };
        match element {
            Element::Value(value, target) => self.memory[slot + 1] = self.code(value, target)?,
            Element::Cells(place) => {
                let from = self.place(place)?;
                let cells = stride as usize - 1;
                self.chosen(from..from + cells)?;
                self.memory.copy_within(from..from + cells, slot + 1);
                self.choose(slot + 1..slot + stride as usize);
            }
        }
        self.memory[slot] = 1;
        Ok(())
    }
}

/// Two values stand for members that are not considered: they may be the same or not.
fn untracked<T>() -> Result<T, Fault> {
    Err(Fault { kind: FaultKind::Untracked, site: execution::ids::Id::new(0) })
}

fn undefined<T>(site: SiteId) -> Result<T, Fault> {
    Err(Fault { kind: FaultKind::Undefined, site })
}

/// The result of an operation, or what is wrong with it.
pub fn arithmetic(operation: Arithmetic, left: i64, right: i64) -> Result<i64, FaultKind> {
    let shift = || u32::try_from(right).ok().filter(|by| *by < 63);
    let result = match operation {
        Arithmetic::Add => left.checked_add(right),
        Arithmetic::Subtract => left.checked_sub(right),
        Arithmetic::Multiply => left.checked_mul(right),
        Arithmetic::Divide | Arithmetic::Remainder if right == 0 => {
            return Err(FaultKind::Division);
        }
        Arithmetic::Divide => left.checked_div(right),
        Arithmetic::Remainder => left.checked_rem(right),
        Arithmetic::And => Some(left & right),
        Arithmetic::Or => Some(left | right),
        Arithmetic::Xor => Some(left ^ right),
        Arithmetic::ShiftLeft => shift().and_then(|by| left.checked_mul(1 << by)),
        Arithmetic::ShiftRight => shift().map(|by| left >> by),
    };
    result.ok_or(FaultKind::Range)
}
