//! Memory that only one thread sees: the initial part's, and stack objects that do not escape.
//!
//! Cells are guarded variables by address. An access that does not fit the cells there splits them
//! into halves until it does: bytes would be right, too, but the bytes of one address must not be
//! taken for those of another where only the sets of their values are known. What was never written
//! comes from the objects themselves.
//!
//! Loops ask what an iteration has changed. While one runs, a cell is written down before it
//! changes for the first time, so that such a question costs as much as the iteration touched,
//! however much there is in memory.

use super::guarded::Guarded;
use super::sym::Sym;
use super::unchanged::Knowledge;
use crate::guard::Guard;
use crate::term::{TermId, Terms};
use execution::ids::Id;
use ir::op::{BinaryOp, CastOp};
use ir::program::Width;
use ir::value::{RegionId, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The cells.
#[derive(Debug, Default)]
pub struct Store {
    cells: BTreeMap<u64, PrivateCell>,
    /// What was there before it changed, since the outermost moment that is remembered.
    journal: Vec<(u64, Option<Guarded<Sym>>)>,
    /// How many entries were in the journal before those.
    dropped: usize,
    /// The innermost moment that is remembered.
    latest: Option<Past>,
    /// The addresses at which marks were read.
    pub marks_read: BTreeSet<u64>,
}

#[derive(Debug)]
struct PrivateCell {
    width: Width,
    held: Guarded<Sym>,
    /// How long the journal was when it was last written down.
    written_down: usize,
}

/// A moment that is remembered: how long the journal was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Past(usize);

impl Store {
    /// Remembers this moment; gives it, and the one that was the latest until now.
    pub fn remember(&mut self) -> (Past, Option<Past>) {
        let now = Past(self.dropped + self.journal.len());
        (now, self.latest.replace(now))
    }

    /// Forgets the latest moment: the one before is the latest again.
    pub fn forget(&mut self, before: Option<Past>) {
        self.latest = before;
        if before.is_none() {
            self.dropped += self.journal.len();
            self.journal.clear();
        }
    }

    /// Writes down what is at an address, before it changes.
    fn write_down(&mut self, address: u64) {
        let Some(Past(since)) = self.latest else { return };
        let cell = self.cells.get_mut(&address);
        if cell.as_ref().is_some_and(|cell| cell.written_down > since) {
            return;
        }
        self.journal.push((address, cell.as_ref().map(|cell| cell.held.clone())));
        if let Some(cell) = cell {
            cell.written_down = self.dropped + self.journal.len();
        }
    }

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
        for (at, part) in self.parts(address, width) {
            let value = match self.notice(terms, guard, at) {
                true => Sym::from(terms.value(Value::undef(part))),
                false => self.cell(terms, at, part, untouched).read(terms, guard),
            };
            let wide = terms.cast(CastOp::ZeroExtend, width, value.term);
            let amount = terms.value(Value::int(width, u128::from(at - address) * 8));
            let shifted = terms.binary(BinaryOp::Shl, wide, amount);
            let term = terms.binary(BinaryOp::Or, whole.term, shifted);
            whole = whole.joined(&value, term, terms);
        }
        whole
    }

    /// What a cell holds, if it is there.
    pub fn held(
        &self,
        terms: &mut Terms,
        guard: Guard,
        (address, width): (u64, Width),
    ) -> Option<Sym> {
        let cell = self.cells.get(&address).filter(|cell| cell.width == width)?;
        Some(cell.held.read(terms, guard))
    }

    /// Whether something was written to an object, from its address on this many bytes.
    pub fn holds_any(&self, (base, size): (u64, u64)) -> bool {
        self.cells.range(base..base + size).next().is_some()
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
            let cell = self.cell_to_change(terms, address, width, untouched);
            cell.set(&mut terms.guards, guard, value);
            return;
        }
        for (at, part) in self.parts(address, width) {
            let term = part_of(terms, value.term, at - address, part);
            let own = Sym { term, taint: value.taint.clone() };
            let cell = self.cell_to_change(terms, at, part, untouched);
            cell.set(&mut terms.guards, guard, own);
        }
    }

    /// All cells, with what they hold at the end of all paths.
    pub fn cells(&self, terms: &mut Terms) -> Vec<(u64, Width, TermId)> {
        let mut cells = Vec::new();
        for (&address, cell) in &self.cells {
            cells.push((address, cell.width, cell.held.read(terms, Guard::TRUE).term));
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
        let there: Vec<u64> = self.cells.range(base..base + size).map(|(&at, _)| at).collect();
        for at in there {
            self.write_down(at);
            if let Some(cell) = self.cells.get_mut(&at) {
                let value = Sym::from(terms.value(value(cell.width)));
                cell.held.set(&mut terms.guards, guard, value);
            }
        }
    }

    /// The cells that may hold something else than they did at a moment that is remembered, on some
    /// paths of a guard, with these paths.
    pub fn changed(
        &self,
        since: Past,
        terms: &mut Terms,
        paths: (Knowledge<'_>, Guard),
    ) -> Vec<((u64, Width), Guard)> {
        let mut before: BTreeMap<u64, &Option<Guarded<Sym>>> = BTreeMap::new();
        for (address, old) in &self.journal[since.0 - self.dropped..] {
            before.entry(*address).or_insert(old);
        }
        let mut changed = Vec::new();
        for (address, old) in before {
            let Some(PrivateCell { width, held, .. }) = self.cells.get(&address) else { continue };
            let here = match old {
                Some(old) => changed_within(held, old, terms, paths),
                None if held.is_fresh() => Guard::FALSE,
                None => paths.1,
            };
            if here != Guard::FALSE {
                changed.push(((address, *width), here));
            }
        }
        changed
    }

    /// Puts a mark into a cell: it will be noticed if a thread reads it.
    pub fn mark(&mut self, terms: &mut Terms, guard: Guard, (address, width): (u64, Width)) {
        if !self.fit(terms, address, width) {
            self.marks_read.insert(address);
            return;
        }
        let mark = Sym::from(terms.value(mark(width)));
        let undefined = |_, width| Value::undef(width);
        let cell = self.cell_to_change(terms, address, width, &undefined);
        cell.set(&mut terms.guards, guard, mark);
    }

    /// Notices if a reader sees a mark.
    fn notice(&mut self, terms: &mut Terms, guard: Guard, address: u64) -> bool {
        let Some(cell) = self.cells.get(&address) else { return false };
        let mark = terms.value(mark(cell.width));
        let seen = cell.held.get(&mut terms.guards, guard);
        let noticed = seen.iter().any(|seen| seen.value.term == mark);
        if noticed {
            self.marks_read.insert(address);
        }
        noticed
    }

    /// Whether a cell can be accessed as a whole; if not, what is there is split until each part is
    /// inside or outside of it.
    fn fit(&mut self, terms: &mut Terms, address: u64, width: Width) -> bool {
        if self.cells.get(&address).is_some_and(|there| there.width == width) {
            return true;
        }
        let end = address + width.bytes();
        let first = self.cells.range(..address).next_back();
        let before = first.filter(|(at, there)| *at + there.width.bytes() > address);
        let start = before.map_or(address, |(&at, _)| at);
        let mut overlapping: Vec<u64> = self.cells.range(start..end).map(|(&at, _)| at).collect();
        let is_free = overlapping.is_empty();
        while let Some(at) = overlapping.pop() {
            let inside = |part: u64, there: Width| part >= address && part + there.bytes() <= end;
            let outside = |part: u64, there: Width| part >= end || part + there.bytes() <= address;
            let there = self.cells[&at].width;
            if !inside(at, there) && !outside(at, there) {
                overlapping.extend(self.split(terms, at));
            }
        }
        is_free || self.cells.get(&address).is_some_and(|there| there.width == width)
    }

    /// The cells that make up one that they fit, also those that are not there yet.
    fn parts(&self, address: u64, width: Width) -> Vec<(u64, Width)> {
        let end = address + width.bytes();
        let mut parts = Vec::new();
        let mut at = address;
        while at < end {
            let next = self.cells.range(at..end).next();
            let width = match next {
                Some((&there, cell)) if there == at => cell.width,
                _ => widest(at, next.map_or(end, |(&there, _)| there)),
            };
            parts.push((at, width));
            at += width.bytes();
        }
        parts
    }

    /// Splits a cell into halves; gives where they are.
    fn split(&mut self, terms: &mut Terms, at: u64) -> Vec<u64> {
        let marked = self.notice(terms, Guard::TRUE, at);
        self.write_down(at);
        let Some(PrivateCell { width, held: cell, .. }) = self.cells.remove(&at) else {
            return Vec::new();
        };
        let whole = match marked {
            true => Sym::from(terms.value(Value::undef(width))),
            false => cell.read(terms, Guard::TRUE),
        };
        let half = widest(at, at + width.bytes() / 2);
        let parts: Vec<u64> = (at..at + width.bytes()).step_by(half.bytes() as usize).collect();
        for &part in &parts {
            let term = part_of(terms, whole.term, part - at, half);
            let value = Sym { term, taint: whole.taint.clone() };
            let mut own = Guarded::new(value.clone());
            if !cell.is_fresh() {
                own.set(&mut terms.guards, Guard::TRUE, value);
            }
            if part != at {
                self.write_down(part);
            }
            let written_down = self.dropped + self.journal.len();
            self.cells.insert(part, PrivateCell { width: half, held: own, written_down });
        }
        parts
    }

    fn cell(
        &mut self,
        terms: &mut Terms,
        address: u64,
        width: Width,
        untouched: &dyn Fn(u64, Width) -> Value,
    ) -> &mut Guarded<Sym> {
        if !self.cells.contains_key(&address) {
            self.write_down(address);
            let held = Guarded::new(Sym::from(terms.value(untouched(address, width))));
            let written_down = self.dropped + self.journal.len();
            self.cells.insert(address, PrivateCell { width, held, written_down });
        }
        &mut self.cells.get_mut(&address).expect("a cell that was just made").held
    }

    /// The same, for changing it.
    fn cell_to_change(
        &mut self,
        terms: &mut Terms,
        address: u64,
        width: Width,
        untouched: &dyn Fn(u64, Width) -> Value,
    ) -> &mut Guarded<Sym> {
        if self.cells.contains_key(&address) {
            self.write_down(address);
        }
        self.cell(terms, address, width, untouched)
    }
}

/// What stands for "this is not read": no value of a program points into this region.
fn mark(width: Width) -> Value {
    Value { provenance: Some(RegionId::new(u32::MAX as usize - 2)), ..Value::undef(width) }
}

/// The widest cell that begins here, is aligned, and ends there at the latest.
fn widest(at: u64, end: u64) -> Width {
    let widths = [Width::I128, Width::I64, Width::I32, Width::I16];
    let fits = |width: &Width| at.is_multiple_of(width.bytes()) && at + width.bytes() <= end;
    widths.into_iter().find(fits).unwrap_or(Width::I8)
}

/// The part of a value that stands this many bytes after its beginning.
fn part_of(terms: &mut Terms, term: TermId, bytes: u64, part: Width) -> TermId {
    let width = terms.width(term);
    let amount = terms.value(Value::int(width, u128::from(bytes) * 8));
    let shifted = terms.binary(BinaryOp::LShr, term, amount);
    terms.cast(CastOp::Truncate, part, shifted)
}

/// The paths of `guard` on which a variable may have another value than it had, given what is
/// known.
pub fn changed_within(
    now: &Guarded<Sym>,
    before: &Guarded<Sym>,
    terms: &mut Terms,
    (knowledge, guard): (Knowledge<'_>, Guard),
) -> Guard {
    let [new, old] = [now, before].map(|variable| variable.read(terms, guard).term);
    if new == old {
        return Guard::FALSE;
    }
    let changed = now.changed(before, &mut terms.guards);
    let same = knowledge.same(terms, [new, old], guard);
    let other = terms.guards.not(same);
    terms.guards.and(changed, other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounded::Bounded;
    use crate::unroll::UnrollOptions;

    const CELL: (u64, Width) = (0x1000, Width::I64);

    /// The cells that have changed since a moment, for a caller that knows nothing else.
    fn changed(store: &Store, terms: &mut Terms, since: Past) -> Vec<u64> {
        let mut nothing = Bounded::default();
        let (_, knowledge) = Knowledge::of(&mut nothing, &[], &UnrollOptions::default());
        let changed = store.changed(since, terms, (knowledge, Guard::TRUE));
        changed.iter().map(|((at, _), _)| *at).collect()
    }

    fn untouched(_: u64, width: Width) -> Value {
        Value::undef(width)
    }

    #[test]
    fn a_mark_is_noticed_by_a_wider_read_and_is_no_part_of_what_it_gives() {
        let mut terms = Terms::default();
        let mut store = Store::default();
        store.mark(&mut terms, Guard::TRUE, CELL);
        let whole = (CELL.0, Width::I128);
        let read = store.read(&mut terms, Guard::TRUE, whole, &untouched);
        assert_eq!(store.marks_read, BTreeSet::from([CELL.0]));
        assert_eq!(terms.constant(read.term).and_then(|value| value.provenance), None);
        let part = (CELL.0 + 1, Width::I8);
        let read = store.read(&mut terms, Guard::TRUE, part, &untouched);
        assert_eq!(terms.constant(read.term).and_then(|value| value.provenance), None);
    }

    #[test]
    fn a_mark_that_is_written_over_is_not_noticed() {
        let mut terms = Terms::default();
        let mut store = Store::default();
        store.mark(&mut terms, Guard::TRUE, CELL);
        let whole = (CELL.0, Width::I128);
        let value = Sym::from(terms.value(Value::int(Width::I128, 7 << 64)));
        store.write(&mut terms, Guard::TRUE, whole, value, &untouched);
        let read = store.read(&mut terms, Guard::TRUE, whole, &untouched);
        assert_eq!(terms.constant(read.term), Some(Value::int(Width::I128, 7 << 64)));
        assert_eq!(store.marks_read, BTreeSet::new());
    }

    #[test]
    fn a_half_is_split_off_as_a_whole() {
        let mut terms = Terms::default();
        let mut store = Store::default();
        let (_, whole) = terms.input(Width::I128);
        let cell = (CELL.0, Width::I128);
        store.write(&mut terms, Guard::TRUE, cell, whole.into(), &untouched);
        store.read(&mut terms, Guard::TRUE, (CELL.0 + 8, Width::I32), &untouched);
        let widths: Vec<Width> = store.cells(&mut terms).iter().map(|cell| cell.1).collect();
        assert_eq!(widths, [Width::I64, Width::I32, Width::I32]);
    }

    #[test]
    fn what_was_written_as_a_whole_counts_as_changed_when_it_was_split() {
        let mut terms = Terms::default();
        let mut store = Store::default();
        let (before, _) = store.remember();
        let value = Sym::from(terms.value(Value::int(Width::I64, 7)));
        store.write(&mut terms, Guard::TRUE, CELL, value, &untouched);
        store.read(&mut terms, Guard::TRUE, (CELL.0 + 1, Width::I8), &untouched);
        let changed = changed(&store, &mut terms, before);
        let parts: Vec<u64> = changed.iter().map(|at| at - CELL.0).collect();
        assert_eq!(parts, [0, 1, 2, 4]);
    }

    #[test]
    fn what_an_inner_iteration_changed_the_outer_one_has_changed_too() {
        let mut terms = Terms::default();
        let mut store = Store::default();
        let write = |store: &mut Store, terms: &mut Terms, at: u64, number: u128| {
            let value = Sym::from(terms.value(Value::int(Width::I64, number)));
            store.write(terms, Guard::TRUE, (at, Width::I64), value, &untouched);
        };
        write(&mut store, &mut terms, 0x1000, 1);
        write(&mut store, &mut terms, 0x1008, 1);
        let (outer, none) = store.remember();
        write(&mut store, &mut terms, 0x1000, 2);
        for first in [true, false] {
            let (inner, before) = store.remember();
            assert_eq!(before, Some(outer));
            write(&mut store, &mut terms, 0x1000, 1);
            write(&mut store, &mut terms, 0x1008, 3);
            let both = [0x1000, 0x1008];
            assert_eq!(changed(&store, &mut terms, inner), if first { &both[..] } else { &[] });
            store.forget(before);
        }
        write(&mut store, &mut terms, 0x1010, 4);
        assert_eq!(changed(&store, &mut terms, outer), [0x1008, 0x1010]);
        store.forget(none);
        let (later, _) = store.remember();
        assert_eq!(changed(&store, &mut terms, later), []);
    }
}
