//! Final states by the solver: every execution that a model allows is a solution of one formula, and
//! what places hold in the end is enumerated by solving again without what is known.
//!
//! Executions are not counted. What the encoding does not do is said, never guessed.

use encoding::bounded::RegionKind;
use encoding::encode::{EncodeOptions, Encoding, Enumeration, ExecutionOutcome, Unknown};
use encoding::unroll::Unsupported;
use execution::event::ThreadId;
use execution::finding::FindingKind;
use ir::program::{GlobalId, InitData, Program, Width};
use ir::value::Value;
use models::Model;
use models::ast::Role;
use sat::{Answer, Limits, Lit};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A place whose value belongs to a final state.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// What a thread observes under a label, last.
    Observed {
        /// The thread.
        thread: ThreadId,
        /// The label.
        label: &'a str,
    },
    /// Bytes of a global.
    Bytes(GlobalBytes),
}

/// Some bytes of a global.
#[derive(Clone, Copy, Debug)]
pub struct GlobalBytes {
    /// The global.
    pub global: GlobalId,
    /// Where they begin.
    pub offset: u64,
    /// How many they are.
    pub width: Width,
}

/// What a place holds in the end.
#[derive(Clone, Debug)]
pub enum Held {
    /// A number.
    Number(Value),
    /// So far into a global.
    Address(GlobalId, i64),
}

/// What is asked about a program.
pub struct Question<'q> {
    /// The program.
    pub program: &'q Program,
    /// The places that are observed.
    pub places: &'q [Place<'q>],
    /// Which states count, by what the places hold, in their order.
    pub counts: &'q dyn Fn(&[Held]) -> bool,
    /// How to encode the program.
    pub options: &'q EncodeOptions,
}

/// What executions end with.
#[derive(Debug, Default)]
pub struct FinalStates {
    /// The states that count; one may be in here more than once.
    pub states: Vec<Vec<Held>>,
    /// The flags that the model raises in such a state.
    pub flags: BTreeSet<Arc<str>>,
    /// Whether one of these flags means undefined behaviour.
    pub undefined: bool,
    /// Whether an execution leaves the bounds.
    pub bounded: bool,
    /// Whether an execution ends early because it accesses what is not an address.
    pub strays: bool,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Refusal {
    /// A limit was reached.
    Limit,
    /// The program or the model has something that the encoding does not do.
    Unsupported(String),
}

impl From<Unknown> for Refusal {
    fn from(Unknown: Unknown) -> Self {
        Refusal::Limit
    }
}

/// Finds the final states of all executions that a model allows.
pub fn final_states(question: &Question<'_>, model: &Model) -> Result<FinalStates, Refusal> {
    let limits: &Limits = &question.options.limits;
    let unsupported = |Unsupported { what, .. }| match limits.expired() {
        true => Refusal::Limit,
        false => Refusal::Unsupported(format!("the encoding does not know {what}")),
    };
    let mut encoding =
        Encoding::new(question.program, model, question.options).map_err(unsupported)?;
    if encoding.values_from_nothing(model) {
        let what = "values that nothing but themselves decides, which the model allows";
        return Err(Refusal::Unsupported(what.to_string()));
    }
    if let Some(kind) = other_trouble(&mut encoding)? {
        let what = format!("an execution goes wrong and has no final state ({})", kind.name());
        return Err(Refusal::Unsupported(what));
    }
    Ok(Asked::new(question, &encoding).answer(&mut encoding)?)
}

/// A question and the cells that it observes.
struct Asked<'q> {
    question: &'q Question<'q>,
    /// The globals and offsets of `cells`.
    places: Vec<(GlobalId, u64)>,
    /// The cells that are accessed and have a part of what is observed.
    cells: Vec<(u64, Width)>,
}

impl<'q> Asked<'q> {
    fn new(question: &'q Question<'q>, encoding: &Encoding<'_>) -> Self {
        let (mut places, mut cells) = (Vec::new(), Vec::new());
        for (address, width) in encoding.cells() {
            let region =
                encoding.bounded.region_at(address).map(|id| &encoding.bounded.regions[id]);
            let Some((RegionKind::Global { id, .. }, base)) =
                region.map(|region| (region.kind, region.base))
            else {
                continue;
            };
            let offset = address - base;
            if question.places.iter().any(|place| meets(place, (id, offset), width)) {
                places.push((id, offset));
                cells.push((address, width));
            }
        }
        Self { question, places, cells }
    }

    fn answer(&self, encoding: &mut Encoding<'_>) -> Result<FinalStates, Unknown> {
        let mut states = Vec::new();
        let mut search = Enumeration::new(encoding, &self.cells, &[]);
        while let Some(outcome) = search.next(encoding)? {
            let state = self.state(encoding, &outcome);
            if (self.question.counts)(&state) {
                states.push(state);
            }
            search.exclude(encoding, &outcome);
        }
        let (flags, undefined) = self.flags(encoding)?;
        let threads = encoding.bounded.threads.ids().collect();
        let past: Vec<_> =
            encoding.past_bound_in(&threads).into_iter().map(|(_, lit)| lit).collect();
        let past = encoding.formula.or(&past);
        let bounded = is_possible(encoding, past)?;
        let astray = astray(encoding);
        let strays = is_possible(encoding, astray)?;
        Ok(FinalStates { states, flags, undefined, bounded, strays })
    }

    /// The flags that are raised in states that count, and whether one of them means
    /// undefined behaviour.
    fn flags(&self, encoding: &mut Encoding<'_>) -> Result<(BTreeSet<Arc<str>>, bool), Unknown> {
        let (mut flags, mut undefined) = (BTreeSet::new(), false);
        for flag in encoding.flags.clone() {
            let mut search = Enumeration::new(encoding, &self.cells, &[flag.lit]);
            while let Some(outcome) = search.next(encoding)? {
                if (self.question.counts)(&self.state(encoding, &outcome)) {
                    undefined |= flag.role == Role::UndefinedUnless;
                    flags.insert(flag.name.clone());
                    break;
                }
                search.exclude(encoding, &outcome);
            }
        }
        Ok((flags, undefined))
    }

    /// What all places hold.
    fn state(&self, encoding: &Encoding<'_>, outcome: &ExecutionOutcome) -> Vec<Held> {
        let value = |place: &Place<'_>| match place {
            Place::Observed { thread, label } => {
                let mut seen = outcome.seen.iter().rev();
                let seen = seen.find(|seen| seen.thread == *thread && *seen.label == **label);
                seen.map_or(Value::int(Width::I64, 0), |seen| seen.value)
            }
            Place::Bytes(bytes) => self.last(encoding, outcome, *bytes),
        };
        self.question.places.iter().map(|place| held(encoding, value(place))).collect()
    }

    /// What a place in memory holds in the end: what its cells hold, and what nothing accesses.
    fn last(
        &self,
        encoding: &Encoding<'_>,
        outcome: &ExecutionOutcome,
        bytes: GlobalBytes,
    ) -> Value {
        let GlobalBytes { global, offset, width } = bytes;
        let cells = self.places.iter().zip(&self.cells).zip(&outcome.finals);
        let lasts: Vec<(u64, Value)> = cells
            .filter(|&((&at, &(_, width)), _)| overlaps(bytes, at, width))
            .filter_map(|((&(_, at), _), last)| Some((at, (*last)?)))
            .collect();
        match lasts[..] {
            [(at, last)] if at == offset && last.width >= width => return last,
            [] => return self.initially(encoding, global, offset),
            _ => {}
        }
        let mut bytes = self.initially(encoding, global, offset).low().to_le_bytes();
        for (at, last) in lasts {
            for (index, byte) in (at..at + last.width.bytes()).zip(last.bits.to_le_bytes()) {
                let inside = index.checked_sub(offset).and_then(|at| bytes.get_mut(at as usize));
                if let Some(known) = inside {
                    *known = byte;
                }
            }
        }
        Value::int(Width::I64, u64::from_le_bytes(bytes).into())
    }

    /// What the bytes from an offset on hold that nothing accesses: an address, or a number.
    fn initially(&self, encoding: &Encoding<'_>, global: GlobalId, offset: u64) -> Value {
        let mut bytes = [0; 8];
        for init in &self.question.program.globals[global].init {
            match &init.data {
                InitData::Bytes(data) => {
                    for (index, byte) in bytes.iter_mut().enumerate() {
                        let inside = (offset + index as u64).checked_sub(init.offset);
                        if let Some(&known) = inside.and_then(|inside| data.get(inside as usize)) {
                            *byte = known;
                        }
                    }
                }
                InitData::Global(..) if init.offset == offset => {
                    if let Some(address) = self.address_at(encoding, global, offset) {
                        return address;
                    }
                }
                InitData::Global(..) | InitData::Function(_) => {}
            }
        }
        Value::int(Width::I64, u64::from_le_bytes(bytes).into())
    }

    /// The address that a global holds at first.
    fn address_at(&self, encoding: &Encoding<'_>, global: GlobalId, offset: u64) -> Option<Value> {
        let is = |kind: RegionKind| matches!(kind, RegionKind::Global { id, .. } if id == global);
        let region = encoding.bounded.regions.iter().find(|region| is(region.kind))?;
        let cell = encoding.bounded.initial.get(&(region.base + offset))?;
        encoding.bounded.terms.constant(cell.value)
    }
}

/// Whether what is accessed has a byte of a place.
fn meets(place: &Place<'_>, at: (GlobalId, u64), width: Width) -> bool {
    match place {
        Place::Bytes(bytes) => overlaps(*bytes, at, width),
        Place::Observed { .. } => false,
    }
}

fn overlaps(bytes: GlobalBytes, (id, at): (GlobalId, u64), width: Width) -> bool {
    let common = at < bytes.offset + bytes.width.bytes() && bytes.offset < at + width.bytes();
    bytes.global == id && common
}

/// Whether some execution has this property.
fn is_possible(encoding: &mut Encoding<'_>, property: Lit) -> Result<bool, Unknown> {
    if property == Lit::FALSE {
        return Ok(false);
    }
    match encoding.solve(&[property]) {
        Answer::Sat => Ok(true),
        Answer::Unsat => Ok(false),
        Answer::Unknown => Err(Unknown),
    }
}

/// What goes wrong in some execution besides accesses of what is not an address: a quotient by zero,
/// for instance. Such an execution is no solution, so its final state would be missing.
fn other_trouble(encoding: &mut Encoding<'_>) -> Result<Option<FindingKind>, Unknown> {
    let mut others = encoding.findings().to_vec();
    others.retain(|finding| finding.stops && !is_about_addresses(&finding.kind));
    for finding in others {
        if is_possible(encoding, finding.wrong)? {
            return Ok(Some(finding.kind));
        }
    }
    Ok(None)
}

/// True in executions that access something that is not an address, or one that is misaligned.
fn astray(encoding: &mut Encoding<'_>) -> Lit {
    let findings = encoding.findings().iter().filter(|finding| is_about_addresses(&finding.kind));
    let all: Vec<Lit> = findings.map(|finding| finding.wrong).collect();
    encoding.formula.or(&all)
}

fn is_about_addresses(kind: &FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::Null
            | FindingKind::Wild { .. }
            | FindingKind::OutOfBounds
            | FindingKind::Misaligned { .. }
            | FindingKind::MisalignedAtomic { .. }
    )
}

fn held(encoding: &Encoding<'_>, value: Value) -> Held {
    if let Some(region) = value.provenance.filter(|_| value.low() != 0) {
        let region = &encoding.bounded.regions[region];
        if let RegionKind::Global { id, .. } = region.kind {
            return Held::Address(id, value.low().wrapping_sub(region.base) as i64);
        }
    }
    Held::Number(value)
}
