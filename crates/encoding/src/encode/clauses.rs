//! What every stage of an encoding writes to: the formula, the literals of terms and paths, and
//! what may be wrong with executions.

use super::questions::findings::Finding;
use super::{EncodeOptions, MemoryCell, Scope, Unrolled};
use crate::bounded::{Access, ActionId, Bounded, RegionKind};
use crate::guard::Guard;
use crate::parts::Part;
use crate::term::TermId;
use crate::unroll::Unsupported;
use crate::values::Values;
use crate::values::places::{Addresses, Places};
use execution::finding::FindingKind;
use ir::program::LocId;
use ir::step::alignment::Alignment;
use ir::value::{RegionId, Value};
use models::Model;
use sat::{Formula, Lit};
use std::sync::Arc;

/// The clauses of an encoding that is being made, and what they are about.
pub(crate) struct Clauses {
    /// Which executions are encoded.
    pub(crate) scope: Scope,
    pub(crate) consequences: bool,
    /// The sets that the fences at the starts and ends of threads are in.
    pub(crate) full_fence: &'static [&'static str],
    /// Whether operations are units, so that no thread stops inside of one.
    pub(crate) whole_operations: bool,
    /// The program.
    pub(crate) unrolled: Arc<Unrolled>,
    pub(crate) bounded: Arc<Bounded>,
    pub(crate) formula: Formula,
    pub(crate) values: Values,
    /// What may be wrong, as far as stages have found.
    pub(crate) findings: Vec<Finding>,
}

impl Clauses {
    /// None yet.
    pub(crate) fn new(unrolled: Arc<Unrolled>, model: &Model, options: &EncodeOptions) -> Self {
        Self {
            scope: options.scope,
            consequences: options.consequences,
            full_fence: model.full_fence(),
            whole_operations: model.knows_operations(),
            formula: formula(options),
            values: Values::new(unrolled.bounded.clone(), unrolled.sets.clone()),
            bounded: unrolled.bounded.clone(),
            unrolled,
            findings: Vec::new(),
        }
    }

    pub(crate) fn guard(&mut self, guard: Guard) -> Lit {
        self.values.guard(&mut self.formula, guard)
    }

    pub(crate) fn truth(&mut self, term: TermId) -> Lit {
        self.values.truth(&mut self.formula, term)
    }

    pub(crate) fn is(&mut self, term: TermId, value: &Value) -> Lit {
        self.values.is(&mut self.formula, term, value)
    }

    /// The values that the address of an access may have, and whether these are all. If they are
    /// too many to list, these are the ones inside of objects; the others are outside of an object
    /// that they point to.
    pub(crate) fn elements(
        &self,
        access: &Access,
        place: Option<LocId>,
    ) -> Result<(Vec<Value>, bool), Unsupported> {
        let sets = self.values.sets();
        let set = sets.of(&self.bounded, access.address);
        let Some(shape) = set.shape().filter(|_| set.few().is_none()) else {
            return Ok((self.addresses(access.address, place)?, true));
        };
        let points = |region: &Option<RegionId>| match region {
            Some(region) => !matches!(self.bounded.regions[*region].kind, RegionKind::Function(_)),
            None => false,
        };
        // Those that are not aligned are wrong in their own way.
        let any = Access { alignment: Alignment::NONE, ..access.clone() };
        match Places::of_term(&self.bounded, sets, &any).right {
            Addresses::These(list) if shape.provenance.iter().all(points) => {
                let pointer = |at: u64| {
                    let region = self.bounded.region_at(at)?;
                    Some(Value::pointer(region, at)).filter(|value| shape.contains(value))
                };
                Ok((list.into_iter().filter_map(pointer).collect(), false))
            }
            _ => Err(Unsupported::new("an address with too many possible values", place)),
        }
    }

    /// The values that an address may have.
    pub(crate) fn addresses(
        &self,
        address: TermId,
        place: Option<LocId>,
    ) -> Result<Vec<Value>, Unsupported> {
        // An undefined address is found by a check of its own.
        match self.values.elements(address) {
            Some(values) => Ok(values.into_iter().filter(Value::is_defined).collect()),
            None => Err(Unsupported::new("an address with too many possible values", place)),
        }
    }

    /// The cells that a part of an access may be at, each with the literal that says so.
    pub(crate) fn cells_of(
        &mut self,
        access: &Access,
        part: Part,
        place: Option<LocId>,
    ) -> Result<Vec<(MemoryCell, Lit)>, Unsupported> {
        let mut cells: Vec<(MemoryCell, Lit)> = Vec::new();
        for value in self.elements(access, place)?.0 {
            let address = value.low().wrapping_add(part.byte);
            let cell = MemoryCell { address, width: part.width };
            if self.unrolled.cells.contains_key(&cell) {
                let is = self.is(access.address, &value);
                match cells.iter_mut().find(|(other, _)| *other == cell) {
                    Some((_, lit)) => *lit = self.formula.or(&[*lit, is]),
                    None => cells.push((cell, is)),
                }
            }
        }
        Ok(cells)
    }

    /// The cells of an object.
    pub(crate) fn cells_inside(&self, region: RegionId) -> Vec<MemoryCell> {
        let region = &self.bounded.regions[region];
        let inside = |cell: &&MemoryCell| cell.address.wrapping_sub(region.base) < region.size;
        self.unrolled.cells.keys().filter(inside).copied().collect()
    }

    /// Something that is wrong with an access; whether its thread notices that, and stops.
    pub(crate) fn find_at(&mut self, id: ActionId, wrong: Lit, kind: FindingKind, stops: bool) {
        let action = &self.bounded.actions[id];
        let (thread, origin, section) = (action.thread, action.origin.clone(), action.section);
        self.find(Finding { kind, thread, origin, action: Some(id), wrong, stops, section });
    }

    pub(crate) fn find(&mut self, finding: Finding) {
        if !self.scope.is_every() {
            self.formula.clause(&[!finding.wrong]);
        } else if finding.wrong != Lit::FALSE {
            self.findings.push(finding);
        }
    }
}

fn formula(options: &EncodeOptions) -> Formula {
    let mut formula = Formula::new(options.backend);
    formula.set_limits(options.limits.clone());
    if let Some(journal) = &options.journal {
        formula.set_journal(journal.clone());
    }
    formula
}
