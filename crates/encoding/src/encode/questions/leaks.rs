//! Blocks that are left in the end although nothing points to them.
//!
//! A block is lost if it is not freed and cannot be reached in the end: no global holds a pointer
//! into it, and neither does a block that is left and can be reached. What was a pointer and has
//! been changed or overwritten in part counts only if it still leads there
//! ([`ir::value::provenance::leads_into`]); where it has too many values to try all, it counts (may
//! miss a lost block). The blocks that can be reached are the least set of this kind, but any such
//! set that leaves a block out shows that it is lost; so the solver may choose one.
//!
//! Soundness S-107 (verify; all; misses): For the solver, a pointer that may be more than 256
//! different numbers keeps its block, whatever its number. Test:
//! corpus/verify/approximations/pointer_with_many_values.c.

use crate::bounded::{ActionKind, AllocationId, RegionKind};
use crate::encode::{Encoding, MemoryCell};
use crate::term::TermId;
use ir::program::Width;
use ir::step::sc::contents::Contents;
use ir::value::{RegionId, Value};
use sat::Lit;
use std::collections::BTreeMap;

/// What is known of a block in the end.
struct Block {
    /// Whether it is freed.
    freed: Lit,
    /// Whether it is in the set of those that can be reached.
    found: Lit,
}

/// What something may hold in the end as a pointer.
struct Held {
    /// Where it is.
    holder: RegionId,
    /// Its parts, those of the lowest bytes first.
    parts: Vec<Part>,
}

/// What a cell holds in the end.
#[derive(Clone)]
enum Part {
    /// Each of these, and when it is that.
    Written(Vec<(Lit, TermId)>),
    /// What is there at first.
    Untouched(Value),
}

/// Pointers in parts with more combinations of values are not looked at in detail.
const MOST: usize = 256;

impl Encoding<'_> {
    /// For each allocation, a literal that is true in a complete execution only if its block is
    /// lost; where it is, there is a solution in which it is true.
    pub fn leaks(&mut self) -> Vec<(AllocationId, Lit)> {
        let held = self.held();
        let bounded = self.bounded.clone();
        let mut blocks: BTreeMap<RegionId, Block> = BTreeMap::new();
        for allocation in bounded.allocations.iter() {
            let (freed, found) = (self.is_freed(allocation.region), self.formula.fresh());
            blocks.insert(allocation.region, Block { freed, found });
        }
        for (&region, block) in &blocks {
            for pointer in held.iter().filter(|pointer| pointer.holder != region) {
                let points = self.leads_into(pointer, region);
                if points == Lit::FALSE {
                    continue;
                }
                // What no thread finds, and what is not there any more, leads nowhere.
                let lost = match blocks.get(&pointer.holder) {
                    Some(holder) => vec![!holder.found, holder.freed],
                    None => Vec::new(),
                };
                let clause: Vec<Lit> = lost.into_iter().chain([!points, block.found]).collect();
                self.formula.clause(&clause);
            }
        }
        let mut leaks = Vec::new();
        for (id, allocation) in bounded.allocations.enumerate() {
            let made = self.reaches(&allocation.moment);
            let Block { freed, found } = blocks[&allocation.region];
            let lost = self.formula.and(&[made, !freed, !found]);
            if lost != Lit::FALSE {
                leaks.push((id, lost));
            }
        }
        leaks
    }

    /// All pointers that may be left in globals and blocks.
    fn held(&mut self) -> Vec<Held> {
        let bounded = self.bounded.clone();
        let holder = |address: u64| {
            let region = bounded.region_at(address)?;
            let kind = bounded.regions[region].kind;
            let lasts = matches!(kind, RegionKind::Global { .. } | RegionKind::Heap(_));
            lasts.then_some(region)
        };
        let mut left: BTreeMap<u64, Vec<(Lit, TermId)>> = BTreeMap::new();
        let cells: Vec<MemoryCell> = self.unrolled.cells.keys().copied().collect();
        for &cell in cells.iter().filter(|cell| holder(cell.address).is_some()) {
            let lasts = self.last_writes(cell).into_iter();
            let values = lasts.filter_map(|write| Some((write.last, write.value?)));
            left.insert(cell.address, values.collect());
        }
        let before = bounded.initial.iter().map(|(&address, cell)| (address, cell.value));
        for (address, value) in before.chain(bounded.own_cells.iter().copied()) {
            if holder(address).is_some() {
                left.entry(address).or_insert_with(|| vec![(Lit::TRUE, value)]);
            }
        }
        let mut held = Vec::new();
        for &address in left.keys() {
            let Some(holder) = holder(address) else { continue };
            held.extend(self.word(&left, address).map(|parts| Held { holder, parts }));
        }
        held
    }

    /// The parts of the pointer that may be at an address, if one may be.
    fn word(&self, left: &BTreeMap<u64, Vec<(Lit, TermId)>>, address: u64) -> Option<Vec<Part>> {
        let (mut parts, mut at, mut points) = (Vec::new(), address, false);
        let end = address + Width::PTR.bytes();
        while at < end {
            match left.get(&at) {
                Some(values) => {
                    at += self.bounded.terms.width(values.first()?.1).bytes();
                    points |= values.iter().any(|&(_, value)| self.may_point(value));
                    parts.push(Part::Written(values.clone()));
                }
                None => {
                    let region = &self.bounded.regions[self.bounded.region_at(at)?];
                    parts.push(Part::Untouched(region.initially(at, Width::I8)));
                    at += 1;
                }
            }
        }
        (points && (at == end || parts.len() == 1)).then_some(parts)
    }

    fn may_point(&self, value: TermId) -> bool {
        let points = |value: &Value| value.provenance.is_some() || value.high.is_some();
        self.values.elements(value).is_none_or(|values| values.iter().any(points))
    }

    /// Whether something leads into a block.
    fn leads_into(&mut self, held: &Held, region: RegionId) -> Lit {
        let mut all: Vec<(Vec<Lit>, Vec<Value>)> = vec![(Vec::new(), Vec::new())];
        for part in &held.parts {
            let Some(values) = self.alternatives(part).filter(|v| v.len() * all.len() <= MOST)
            else {
                return self.points_into_some(held, region);
            };
            let longer = |(lits, before): &(Vec<Lit>, Vec<Value>)| {
                let (lits, before) = (lits.clone(), before.clone());
                let add = move |(lit, value): &(Lit, Value)| {
                    let lits = lits.iter().copied().chain([*lit]).collect();
                    (lits, before.iter().copied().chain([*value]).collect())
                };
                values.iter().map(add).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        let block = &self.bounded.regions[region];
        let (base, size) = (block.base, block.size);
        let own = Some(region);
        let leads = |values: &Vec<Value>| {
            if !values.iter().any(|value| value.provenance == own || value.high == own) {
                return false;
            }
            let bytes = values.iter().map(|value| value.width.bytes() as usize).sum();
            let mut contents = Contents::zeroed(bytes);
            let mut offset = 0;
            for value in values {
                contents.write(offset, *value);
                offset += value.width.bytes() as usize;
            }
            // Where other objects are is of no concern here.
            let place = |other| if other == region { (base, size) } else { (0, 0) };
            contents.leads_to(place).contains(&region)
        };
        let leading = all.into_iter().filter(|(_, values)| leads(values));
        let lits: Vec<Lit> = leading.map(|(lits, _)| self.formula.and(&lits)).collect();
        self.formula.or(&lits)
    }

    /// All that a cell may hold in the end, if that can be listed.
    fn alternatives(&mut self, part: &Part) -> Option<Vec<(Lit, Value)>> {
        let written = match part {
            Part::Untouched(value) => return Some(vec![(Lit::TRUE, *value)]),
            Part::Written(written) => written,
        };
        let mut all = Vec::new();
        for &(there, term) in written {
            for value in self.values.elements(term)?.to_vec() {
                let is = self.values.is(&mut self.formula, term, &value);
                let lit = self.formula.and(&[there, is]);
                if lit != Lit::FALSE {
                    all.push((lit, value));
                }
            }
        }
        Some(all)
    }

    /// Whether a part of something points into a block, whatever its number.
    fn points_into_some(&mut self, held: &Held, region: RegionId) -> Lit {
        let mut lits = Vec::new();
        for part in &held.parts {
            let Part::Written(written) = part else { continue };
            for &(there, value) in written {
                let points = self.points_into(value, region);
                lits.push(self.formula.and(&[there, points]));
            }
        }
        self.formula.or(&lits)
    }

    /// Whether a value points into a block.
    fn points_into(&mut self, value: TermId, region: RegionId) -> Lit {
        self.values.points_into(&mut self.formula, value, region)
    }

    /// Whether a block is freed.
    pub(crate) fn is_freed(&mut self, region: RegionId) -> Lit {
        let bounded = self.bounded.clone();
        let own = self.values.guard(&mut self.formula, bounded.regions[region].freed);
        let mut lits = vec![own];
        for (id, action) in bounded.actions.enumerate() {
            if let ActionKind::Free { address, .. } = action.kind {
                let points = self.points_into(address, region);
                lits.push(self.formula.and(&[self.lives.exec[id], points]));
            }
        }
        self.formula.or(&lits)
    }
}
