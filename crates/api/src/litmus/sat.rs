//! Answers litmus tests with the solver: every execution that the model allows is a solution of one
//! formula, and final states are enumerated by solving again without those that are known.
//!
//! Executions are not counted. What the encoding does not do is said, never guessed.
//!
//! Soundness S-146 (litmus; all; refuses): The solver refuses RCU and SRCU, pairs of exclusives,
//! divisions by zero, values that only justify themselves and models that mention registers, and
//! does not raise `lock-final`; the oracle answers these. Test:
//! crates/fencepost/tests/litmus_engines.rs::the_solver_finds_the_states_that_the_oracle_finds,
//! crates/fencepost/tests/litmus_engines.rs::looking_at_a_lock_in_the_end_is_flagged.

use super::compiled::Compiled;
use encoding::bounded::RegionKind;
use encoding::encode::{EncodeOptions, Encoding, Enumeration, ExecutionOutcome, Unknown};
use encoding::unroll::{Language, Unsupported};
use execution::finding::FindingKind;
use front_litmus::state::{Looks, Typed};
use front_litmus::test::{Place, Test};
use ir::op::CastOp;
use ir::program::{GlobalId, InitData, Width};
use ir::value::Value;
use limits::Limits;
use models::Model;
use models::ast::Role;
use oracle::Problem;
use oracle::litmus::{Answer, State};
use std::collections::{BTreeMap, BTreeSet};

/// Asks a test's question of every execution that a model allows.
pub fn ask(
    compiled: &Compiled<'_>,
    model: &Model,
    unroll: u32,
    limits: Limits,
) -> Result<Answer, Problem> {
    let test: &Test = &compiled.test;
    let mut options = EncodeOptions { limits: limits.clone(), ..EncodeOptions::default() };
    options.unroll.default_bound = unroll;
    // A loop that waits is cut off where the enumeration of executions does it.
    options.unroll.reduce_spin_loops = false;
    options.unroll.litmus = true;
    options.unroll.merges = compiled.options().merges;
    options.language = Some(match compiled.language {
        replay::language::Language::Machine => Language::Machine,
        replay::language::Language::Arm => Language::Arm,
        replay::language::Language::RiscV => Language::RiscV,
        replay::language::Language::LoadStore => Language::LoadStore,
        replay::language::Language::C11 => Language::C11,
        replay::language::Language::Kernel => Language::Kernel,
    });
    let gave_up = || limits.exceeded().map_or(Problem::OutOfTime, Problem::from);
    let mut encoding =
        Encoding::new(&test.program, model, &options).map_err(|problem| {
            match limits.expired() {
                true => gave_up(),
                false => unsupported(problem),
            }
        })?;
    if encoding.values_from_nothing(model) {
        let what = "values that nothing but themselves decides, which the model allows";
        return Err(Problem::Unsupported(what.to_string()));
    }
    if let Some(kind) = other_trouble(&mut encoding).map_err(|Unknown| gave_up())? {
        let what = format!("an execution goes wrong and has no final state ({})", kind.name());
        return Err(Problem::Unsupported(what));
    }
    let looks = Looks::new(test);
    Asked::new(test, looks, &encoding).answer(&mut encoding).map_err(|Unknown| gave_up())
}

fn unsupported(problem: Unsupported) -> Problem {
    Problem::Unsupported(format!("the encoding does not know {}", problem.what))
}

/// A test and the cells that it looks at.
struct Asked<'t> {
    test: &'t Test,
    looks: Looks<'t>,
    /// The globals and offsets of `cells`.
    places: Vec<(GlobalId, u64)>,
    /// The cells that are accessed and have a part of what is looked at.
    cells: Vec<(u64, Width)>,
}

impl<'t> Asked<'t> {
    fn new(test: &'t Test, looks: Looks<'t>, encoding: &Encoding<'_>) -> Self {
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
            if looks.places.iter().any(|place| meets(place, (id, offset), width)) {
                places.push((id, offset));
                cells.push((address, width));
            }
        }
        Self { test, looks, places, cells }
    }

    fn answer(&self, encoding: &mut Encoding<'_>) -> Result<Answer, Unknown> {
        let mut states: BTreeMap<String, bool> = BTreeMap::new();
        let mut hidden = self.looks.compared_with_more();
        let mut search = Enumeration::new(encoding, &self.cells, &[]);
        while let Some(outcome) = search.next(encoding)? {
            let state = self.state(encoding, &outcome);
            if self.looks.passes(&state) {
                let places = self.looks.places.iter();
                let hides = places
                    .filter(|place| self.looks.hides(place, self.value(encoding, &outcome, place)));
                hidden.extend(hides.map(|place| place.to_string()));
                states.insert(self.looks.print(&state), self.looks.satisfies(&state));
            }
            search.exclude(encoding, &outcome);
        }
        let (flags, undefined) = self.flags(encoding)?;
        let threads = encoding.bounded.threads.ids().collect();
        let beyond: Vec<_> =
            encoding.past_bound_in(&threads).into_iter().map(|(_, lit)| lit).collect();
        let beyond = encoding.formula.or(&beyond);
        let bounded = is_possible(encoding, beyond)?;
        let astray = astray(encoding);
        let strays = is_possible(encoding, astray)?.into();
        let positive = states.values().filter(|satisfies| **satisfies).count() as u64;
        let negative = states.len() as u64 - positive;
        let state = |(text, satisfies)| State { text, count: 1, satisfies };
        let states = states.into_iter().map(state).collect();
        let (witness, counted) = (None, false);
        Ok(Answer {
            states,
            positive,
            negative,
            flags,
            undefined,
            bounded,
            strays,
            hidden,
            witness,
            counted,
        })
    }

    /// The flags that are raised in states that the test looks at, and whether one of them means
    /// undefined behaviour.
    fn flags(
        &self,
        encoding: &mut Encoding<'_>,
    ) -> Result<(BTreeSet<std::sync::Arc<str>>, bool), Unknown> {
        let (mut flags, mut undefined) = (BTreeSet::new(), false);
        for flag in encoding.flags.clone() {
            let mut search = Enumeration::new(encoding, &self.cells, &[flag.lit]);
            while let Some(outcome) = search.next(encoding)? {
                if self.looks.passes(&self.state(encoding, &outcome)) {
                    undefined |= flag.role == Role::UndefinedUnless;
                    flags.insert(flag.name.clone());
                    break;
                }
                search.exclude(encoding, &outcome);
            }
        }
        Ok((flags, undefined))
    }

    /// The values of all places that are looked at.
    fn state(&self, encoding: &Encoding<'_>, outcome: &ExecutionOutcome) -> Vec<Typed> {
        let places = self.looks.places.iter();
        let typed = |place| typed(encoding, self.value(encoding, outcome, place), place);
        places.map(typed).collect()
    }

    /// The value of a place.
    fn value(&self, encoding: &Encoding<'_>, outcome: &ExecutionOutcome, place: &Place) -> Value {
        match place {
            Place::Register { thread, .. } => {
                let label = place.to_string();
                let seen = outcome.seen.iter().rev().find(|seen| {
                    execution::ids::Id::index(seen.thread) == *thread && *seen.label == *label
                });
                seen.map_or(Value::int(Width::I64, 0), |seen| seen.value)
            }
            Place::Cell { .. } => self.last(encoding, outcome, place),
        }
    }

    /// What a place in memory holds in the end: what its cells hold, and what nothing accesses.
    fn last(&self, encoding: &Encoding<'_>, outcome: &ExecutionOutcome, place: &Place) -> Value {
        let Place::Cell { global, offset, ty, .. } = place else {
            return Value::int(Width::I64, 0);
        };
        let cells = self.places.iter().zip(&self.cells).zip(&outcome.finals);
        let lasts: Vec<(u64, Value)> = cells
            .filter(|&((&at, &(_, width)), _)| meets(place, at, width))
            .filter_map(|((&(_, at), _), last)| Some((at, (*last)?)))
            .collect();
        match lasts[..] {
            [(at, last)] if at == *offset && last.width >= ty.width => return last,
            [] => return self.initially(encoding, *global, *offset),
            _ => {}
        }
        let mut bytes = self.initially(encoding, *global, *offset).low().to_le_bytes();
        for (at, last) in lasts {
            for (index, byte) in (at..at + last.width.bytes()).zip(last.bits.to_le_bytes()) {
                let inside = index.checked_sub(*offset).and_then(|at| bytes.get_mut(at as usize));
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
        for init in &self.test.program.globals[global].init {
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

/// Whether a cell has a byte of a place.
fn meets(place: &Place, (id, at): (GlobalId, u64), width: Width) -> bool {
    match place {
        Place::Cell { global, offset, ty, .. } => {
            let overlaps = at < offset + ty.width.bytes() && *offset < at + width.bytes();
            *global == id && overlaps
        }
        Place::Register { .. } => false,
    }
}

/// Whether some execution has this property.
fn is_possible(encoding: &mut Encoding<'_>, property: sat::Lit) -> Result<bool, Unknown> {
    if property == sat::Lit::FALSE {
        return Ok(false);
    }
    match encoding.solve(&[property]) {
        sat::Answer::Sat => Ok(true),
        sat::Answer::Unsat => Ok(false),
        sat::Answer::Unknown => Err(Unknown),
    }
}

/// What goes wrong in some execution besides accesses of what is no address: a quotient by zero,
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

/// True in executions that access something that is no address, or one that is misaligned.
fn astray(encoding: &mut Encoding<'_>) -> sat::Lit {
    let findings = encoding.findings().iter().filter(|finding| is_about_addresses(&finding.kind));
    let all: Vec<sat::Lit> = findings.map(|finding| finding.wrong).collect();
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

fn typed(encoding: &Encoding<'_>, value: Value, place: &Place) -> Typed {
    if let Some(region) = value.provenance.filter(|_| value.low() != 0) {
        let region = &encoding.bounded.regions[region];
        if let RegionKind::Global { id, .. } = region.kind {
            return Typed::Address(id, value.low().wrapping_sub(region.base) as i64);
        }
    }
    let wide =
        if value.width < Width::I64 { value.cast(CastOp::ZeroExtend, Width::I64) } else { value };
    Typed::number(wide, place.ty())
}
