//! All outcomes of a program: solves again and again, each time without the outcomes known so far.
//!
//! An outcome is what was observed in a complete execution, and what some cells hold in the end.
//! Executions that differ in nothing else are one outcome, so the number of solutions that are
//! looked at is the number of outcomes (times the ways to observe the same at different places).

use crate::bounded::ActionKind;
use crate::encode::structure::sources::Source;
use crate::encode::{Encoding, MemoryCell, Unrolled};
use crate::guard::Guard;
use crate::term::TermId;
use execution::event::{EventId, ThreadId};
use ir::program::Width;
use ir::step::sc::contents::Contents;
use ir::value::Value;
use sat::{Answer, Lit};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Something that was observed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Seen {
    /// The thread.
    pub thread: ThreadId,
    /// The operation in which it was observed, by its number in
    /// [`Bounded::operations`](crate::bounded::Bounded::operations).
    pub operation: Option<u32>,
    /// The label.
    pub label: Arc<str>,
    /// The value.
    pub value: Value,
}

/// What can come of a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ExecutionOutcome {
    /// What was observed, in program order within each thread.
    pub seen: Vec<Seen>,
    /// What each of the cells that were asked for holds in the end; `None` if it was freed, or if
    /// no execution accesses it.
    pub finals: Vec<Option<Value>>,
}

/// The time was over, or the search was interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unknown;

/// A write that may be the last one to a cell.
#[derive(Clone, Copy)]
pub(crate) struct Last {
    /// The write.
    pub(crate) event: EventId,
    /// What it writes; `None` if it frees.
    pub(crate) value: Option<TermId>,
    /// Whether it is the last.
    pub(crate) last: Lit,
}

/// A search for outcomes, with some cells whose final values belong to them. Several searches may
/// use one encoding.
pub struct Enumeration {
    /// The cells, each in the parts in which it is accessed.
    cells: Vec<(MemoryCell, Vec<MemoryCell>)>,
    writes: HashMap<MemoryCell, Vec<Last>>,
    /// Under this assumption the outcomes that were found are left out.
    active: Lit,
    assumptions: Vec<Lit>,
}

impl Enumeration {
    /// Looks for complete executions in which all of `assumptions` hold; the final values of cells
    /// at these addresses belong to their outcomes.
    pub fn new(encoding: &mut Encoding<'_>, cells: &[(u64, Width)], assumptions: &[Lit]) -> Self {
        let cells =
            cells.iter().map(|&(address, width)| encoding.parts(MemoryCell { address, width }));
        let cells = cells.collect();
        let active = encoding.formula.fresh();
        let mut all = vec![active, encoding.complete()];
        all.extend(assumptions);
        Self { cells, writes: HashMap::new(), active, assumptions: all }
    }

    /// An outcome that was not found before; `None` if there are no more. Until the next call, the
    /// encoding has a solution of it.
    pub fn next(
        &mut self,
        encoding: &mut Encoding<'_>,
    ) -> Result<Option<ExecutionOutcome>, Unknown> {
        let parts = self.cells.iter().flat_map(|(_, parts)| parts.clone());
        for part in parts.collect::<Vec<_>>() {
            self.lasts(encoding, part);
        }
        match encoding.solve(&self.assumptions) {
            Answer::Sat => {}
            Answer::Unsat => return Ok(None),
            Answer::Unknown => return Err(Unknown),
        }
        Ok(Some(ExecutionOutcome { seen: encoding.seen(), finals: self.finals(encoding) }))
    }

    /// Leaves out the outcome of the latest solution from now on.
    pub fn exclude(&mut self, encoding: &mut Encoding<'_>, outcome: &ExecutionOutcome) {
        let mut same = Vec::new();
        let bounded = encoding.bounded.clone();
        let made: Vec<bool> =
            bounded.observations.iter().map(|o| encoding.holds(o.moment.guard)).collect();
        let values: Vec<Value> = bounded
            .observations
            .iter()
            .map(|o| encoding.values.decode(&encoding.formula, o.value))
            .collect();
        for ((observation, made), value) in bounded.observations.iter().zip(made).zip(values) {
            let here = encoding.lit_of(observation.moment.guard);
            same.push(if made { here } else { !here });
            if made {
                same.push(encoding.values.is(&mut encoding.formula, observation.value, &value));
            }
        }
        for (index, value) in outcome.finals.iter().enumerate() {
            let (whole, parts) = self.cells[index].clone();
            for part in parts {
                let value =
                    value.map(|value| part_of(&value, part.address - whole.address, part.width));
                same.push(self.ends_with(encoding, part, value.as_ref()));
            }
        }
        let mut clause: Vec<Lit> = same.into_iter().map(|lit| !lit).collect();
        clause.push(!self.active);
        encoding.formula.clause(&clause);
    }

    /// All outcomes.
    pub fn all(mut self, encoding: &mut Encoding<'_>) -> Result<Vec<ExecutionOutcome>, Unknown> {
        let mut found = Vec::new();
        while let Some(outcome) = self.next(encoding)? {
            self.exclude(encoding, &outcome);
            if !found.contains(&outcome) {
                found.push(outcome);
            }
        }
        Ok(found)
    }

    fn finals(&self, encoding: &Encoding<'_>) -> Vec<Option<Value>> {
        let value = |cell: &MemoryCell| {
            let mut writes = self.writes[cell].iter();
            let last = writes.find(|write| encoding.formula.value(write.last))?;
            last.value.map(|term| encoding.values.decode(&encoding.formula, term))
        };
        let whole = |(whole, parts): &(MemoryCell, Vec<MemoryCell>)| match parts.as_slice() {
            [cell] if cell == whole => value(cell),
            parts => {
                let mut contents = Contents::undefined(whole.width.bytes() as usize);
                // What no thread accesses is as it was.
                let region = encoding.bounded.region_at(whole.address)?;
                let region = &encoding.bounded.regions[region];
                contents.write(0, region.initially(whole.address, whole.width));
                for part in parts {
                    contents.write((part.address - whole.address) as usize, value(part)?);
                }
                Some(contents.read(0, whole.width))
            }
        };
        self.cells.iter().map(whole).collect()
    }

    /// The literal that a cell has this value in the end.
    fn ends_with(
        &mut self,
        encoding: &mut Encoding<'_>,
        cell: MemoryCell,
        value: Option<&Value>,
    ) -> Lit {
        let mut any = Vec::new();
        let writes = self.lasts(encoding, cell);
        if writes.is_empty() {
            return Lit::TRUE;
        }
        for write in writes {
            let right = match (write.value, value) {
                (Some(term), Some(value)) => encoding.values.is(&mut encoding.formula, term, value),
                (None, None) => Lit::TRUE,
                _ => Lit::FALSE,
            };
            any.push(encoding.formula.and(&[write.last, right]));
        }
        encoding.formula.or(&any)
    }

    /// The writes that may be the last to a cell.
    fn lasts(&mut self, encoding: &mut Encoding<'_>, cell: MemoryCell) -> Vec<Last> {
        let known = self.writes.entry(cell);
        known.or_insert_with(|| encoding.last_writes(cell)).clone()
    }
}

/// The bytes of a value from one on, as memory that holds it gives them.
fn part_of(value: &Value, byte: u64, width: Width) -> Value {
    let mut contents = Contents::undefined(value.width.bytes() as usize);
    contents.write(0, *value);
    contents.read(byte as usize, width)
}

impl Encoding<'_> {
    /// A cell with the parts in which it is accessed; itself, if it is not divided.
    fn parts(&self, whole: MemoryCell) -> (MemoryCell, Vec<MemoryCell>) {
        if self.bounded.parts.is_empty() || self.unrolled.cells.contains_key(&whole) {
            return (whole, vec![whole]);
        }
        let end = whole.address + whole.width.bytes();
        let inside = |cell: &&MemoryCell| {
            whole.address <= cell.address && cell.address + cell.width.bytes() <= end
        };
        let parts: Vec<MemoryCell> = self.unrolled.cells.keys().filter(inside).copied().collect();
        if parts.is_empty() { (whole, vec![whole]) } else { (whole, parts) }
    }

    /// After a solution: what was observed, in program order within each thread.
    pub fn seen(&self) -> Vec<Seen> {
        let mut seen = Vec::new();
        for observation in &self.bounded.observations {
            let alive = self.formula.value(self.lives.at(&observation.moment));
            if alive && self.holds(observation.moment.guard) {
                seen.push(Seen {
                    thread: observation.moment.thread,
                    operation: observation.operation,
                    label: observation.label.clone(),
                    value: self.values.decode(&self.formula, observation.value),
                });
            }
        }
        seen
    }

    /// The cells that some execution may access: addresses and widths.
    pub fn cells(&self) -> Vec<(u64, Width)> {
        let cell = |(_, source)| match source {
            Source::Initial(cell) => Some((cell.address, cell.width)),
            _ => None,
        };
        self.events.sources.iter().filter_map(cell).collect()
    }

    fn lit_of(&mut self, guard: Guard) -> Lit {
        self.values.guard(&mut self.formula, guard)
    }

    pub(crate) fn last_writes(&mut self, cell: MemoryCell) -> Vec<Last> {
        let mut there: BTreeMap<EventId, (Lit, Option<TermId>)> = BTreeMap::new();
        for (event, source) in self.events.sources.iter().collect::<Vec<_>>() {
            let exec = self.events.graph.nodes[event].exec;
            match source {
                Source::Initial(own) if own == cell => {
                    there.insert(event, (Lit::TRUE, self.unrolled.cells.get(&cell).copied()));
                }
                // Nothing can come after the end of a local object, or it is wrong.
                Source::Freed(id, own)
                    if own == cell
                        && !matches!(self.bounded.actions[id].kind, ActionKind::End(_)) =>
                {
                    there.insert(event, (exec, None));
                }
                Source::Filled(id, own) if own == cell => {
                    let zeroed = matches!(
                        self.bounded.actions[id].kind,
                        ActionKind::Allocate { zeroed: true, .. }
                    );
                    let Unrolled { zero, undefined, .. } = &*self.unrolled;
                    let value = if zeroed { zero } else { undefined }.get(&cell.width).copied();
                    there.insert(event, (exec, value));
                }
                Source::Action(id) | Source::Part(id, _) => {
                    let bounded = self.bounded.clone();
                    let ActionKind::Write { access, value, .. } = &bounded.actions[id].kind else {
                        continue;
                    };
                    let part = bounded.parts.part(id, source.byte(), access.width, *value);
                    let Some(address) = cell.address.checked_sub(part.byte) else { continue };
                    let whole = MemoryCell { address, ..cell };
                    let at = self.is_at(access.address, part.width, whole);
                    let lit = self.formula.and(&[exec, at]);
                    if lit != Lit::FALSE {
                        there.insert(event, (lit, Some(part.value)));
                    }
                }
                _ => {}
            }
        }
        let mut lasts = Vec::new();
        for (&event, &(lit, value)) in &there {
            let mut all = vec![lit];
            for (&other, &(executed, _)) in there.iter().filter(|(other, _)| **other != event) {
                let before = self.co.get(&(other, event)).copied().unwrap_or(Lit::FALSE);
                all.push(self.formula.or(&[!executed, before]));
            }
            lasts.push(Last { event, value, last: self.formula.and(&all) });
        }
        lasts
    }

    /// The literal that an address is that of a cell.
    fn is_at(&mut self, address: TermId, width: Width, cell: MemoryCell) -> Lit {
        if width != cell.width {
            return Lit::FALSE;
        }
        let Some(values) = self.values.elements(address) else {
            let region = self.bounded.region_at(cell.address);
            let pointer = region.map(|region| Value::pointer(region, cell.address));
            return pointer.map_or(Lit::FALSE, |pointer| {
                self.values.is(&mut self.formula, address, &pointer)
            });
        };
        let here = values.iter().filter(|value| value.is_defined() && value.low() == cell.address);
        let lits: Vec<Lit> =
            here.map(|value| self.values.is(&mut self.formula, address, value)).collect();
        self.formula.or(&lits)
    }
}
