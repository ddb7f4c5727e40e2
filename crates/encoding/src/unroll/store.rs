//! Memory that only one thread sees: the initial part's, and stack objects that do not escape.
//!
//! Cells are guarded variables by address. An access that does not fit the cells there splits them
//! into bytes, as memory would; what was never written comes from the objects themselves.

use super::guarded::Guarded;
use super::sym::Sym;
use crate::guard::Guard;
use crate::term::{TermId, Terms};
use execution::ids::Id;
use ir::op::{BinaryOp, CastOp};
use ir::program::Width;
use ir::value::{RegionId, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The cells.
#[derive(Clone, Debug, Default)]
pub struct Store {
    cells: BTreeMap<u64, (Width, Guarded<Sym>)>,
    /// The addresses at which marks were read.
    pub marks_read: BTreeSet<u64>,
}

impl Store {
    /// Reads a cell; `untouched` says what memory holds where nothing was written.
    pub fn read(
        &mut self,
        terms: &mut Terms,
        guard: Guard,
        (address, width): (u64, Width),
        untouched: &dyn Fn(u64, Width) -> Value,
    ) -> Sym {
        if self.fit(terms, address, width) {
            if self.notice(terms, guard, address) {
                return Sym::from(terms.value(Value::undef(width)));
            }
            return self.cell(terms, address, width, untouched).read(terms, guard);
        }
        let mut whole = Sym::from(terms.value(Value::int(width, 0)));
        for index in 0..width.bytes() {
            let byte = self.cell(terms, address + index, Width::I8, untouched).read(terms, guard);
            let wide = terms.cast(CastOp::ZeroExtend, width, byte.term);
            let amount = terms.value(Value::int(width, u128::from(index) * 8));
            let shifted = terms.binary(BinaryOp::Shl, wide, amount);
            let term = terms.binary(BinaryOp::Or, whole.term, shifted);
            whole = whole.joined(&byte, term, terms);
        }
        whole
    }

    /// Writes a cell on the paths of `guard`.
    pub fn write(
        &mut self,
        terms: &mut Terms,
        guard: Guard,
        (address, width): (u64, Width),
        value: Sym,
        untouched: &dyn Fn(u64, Width) -> Value,
    ) {
        if self.fit(terms, address, width) {
            let cell = self.cell(terms, address, width, untouched);
            cell.set(&mut terms.guards, guard, value);
            return;
        }
        for index in 0..width.bytes() {
            let byte = byte_of(terms, value.term, index);
            let byte = Sym { term: byte, taint: value.taint.clone() };
            let cell = self.cell(terms, address + index, Width::I8, untouched);
            cell.set(&mut terms.guards, guard, byte);
        }
    }

    /// All cells, with what they hold at the end of all paths.
    pub fn cells(&self, terms: &mut Terms) -> Vec<(u64, Width, TermId)> {
        let mut cells = Vec::new();
        for (&address, (width, cell)) in &self.cells {
            cells.push((address, *width, cell.read(terms, Guard::TRUE).term));
        }
        cells
    }

    /// Forgets the cells of an object on the paths of `guard`: they hold `value` again.
    pub fn reset(
        &mut self,
        terms: &mut Terms,
        guard: Guard,
        (base, size): (u64, u64),
        value: impl Fn(Width) -> Value,
    ) {
        for (_, (width, cell)) in self.cells.range_mut(base..base + size) {
            let value = Sym::from(terms.value(value(*width)));
            cell.set(&mut terms.guards, guard, value);
        }
    }

    /// The cells that may hold something else than they did `before` on some paths of `guard`,
    /// with these paths.
    pub fn changed(
        &self,
        before: &Store,
        terms: &mut Terms,
        guard: Guard,
    ) -> Vec<((u64, Width), Guard)> {
        let mut changed = Vec::new();
        for (&address, (width, cell)) in &self.cells {
            let here = match before.cells.get(&address) {
                Some((_, old)) => changed_within(cell, old, terms, guard),
                None if cell.is_fresh() => Guard::FALSE,
                None => guard,
            };
            if here != Guard::FALSE {
                changed.push(((address, *width), here));
            }
        }
        changed
    }

    /// Puts a mark into a cell: it will be noticed if somebody reads it.
    pub fn mark(&mut self, terms: &mut Terms, guard: Guard, (address, width): (u64, Width)) {
        if !self.fit(terms, address, width) {
            self.marks_read.insert(address);
            return;
        }
        let mark = Sym::from(terms.value(mark(width)));
        let cell = self.cell(terms, address, width, &|_, width| Value::undef(width));
        cell.set(&mut terms.guards, guard, mark);
    }

    /// Notices if a reader sees a mark.
    fn notice(&mut self, terms: &mut Terms, guard: Guard, address: u64) -> bool {
        let Some((width, cell)) = self.cells.get(&address) else { return false };
        let mark = terms.value(mark(*width));
        let seen = cell.get(&mut terms.guards, guard);
        let noticed = seen.iter().any(|seen| seen.value.term == mark);
        if noticed {
            self.marks_read.insert(address);
        }
        noticed
    }

    /// Whether a cell can be accessed as a whole; if not, what is there is split into bytes.
    fn fit(&mut self, terms: &mut Terms, address: u64, width: Width) -> bool {
        if self.cells.get(&address).is_some_and(|(there, _)| *there == width) {
            return true;
        }
        let end = address + width.bytes();
        let first = self.cells.range(..address).next_back();
        let before = first.filter(|(at, (there, _))| *at + there.bytes() > address);
        let start = before.map_or(address, |(&at, _)| at);
        let overlapping: Vec<u64> = self.cells.range(start..end).map(|(&at, _)| at).collect();
        for &at in &overlapping {
            self.split(terms, at);
        }
        overlapping.is_empty()
    }

    fn split(&mut self, terms: &mut Terms, at: u64) {
        self.notice(terms, Guard::TRUE, at);
        let Some((width, cell)) = self.cells.remove(&at) else { return };
        let whole = cell.read(terms, Guard::TRUE);
        for index in 0..width.bytes() {
            let byte = byte_of(terms, whole.term, index);
            let byte = Sym { term: byte, taint: whole.taint.clone() };
            self.cells.insert(at + index, (Width::I8, Guarded::new(byte)));
        }
    }

    fn cell(
        &mut self,
        terms: &mut Terms,
        address: u64,
        width: Width,
        untouched: &dyn Fn(u64, Width) -> Value,
    ) -> &mut Guarded<Sym> {
        let fresh = || {
            let value = terms.value(untouched(address, width));
            (width, Guarded::new(Sym::from(value)))
        };
        &mut self.cells.entry(address).or_insert_with(fresh).1
    }
}

/// What stands for "nobody looks at this": no value of a program points into this region.
fn mark(width: Width) -> Value {
    Value { provenance: Some(RegionId::new(u32::MAX as usize - 2)), ..Value::undef(width) }
}

fn byte_of(terms: &mut Terms, term: TermId, index: u64) -> TermId {
    let width = terms.width(term);
    let amount = terms.value(Value::int(width, u128::from(index) * 8));
    let shifted = terms.binary(BinaryOp::LShr, term, amount);
    terms.cast(CastOp::Truncate, Width::I8, shifted)
}

/// The paths of `guard` on which a variable may have another value than it had.
pub fn changed_within(
    now: &Guarded<Sym>,
    before: &Guarded<Sym>,
    terms: &mut Terms,
    guard: Guard,
) -> Guard {
    if now.read(terms, guard).term == before.read(terms, guard).term {
        return Guard::FALSE;
    }
    now.changed(before, &mut terms.guards)
}
