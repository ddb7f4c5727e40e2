//! Asks a litmus test's question of every execution that a model allows.
//!
//! Soundness S-143 (litmus; all; refuses): An execution that accesses a value that is not an
//! address, or a misaligned one, has no final state; if the model allows such executions and the
//! others do not settle the condition, the test is inconclusive. Test:
//! crates/oracle/tests/stray.rs::an_allowed_access_of_a_non_address_is_reported,
//! crates/fencepost/tests/litmus_engines.rs::both_engines_tell_of_accesses_of_what_is_no_address.

use crate::search::Found;
use crate::{EnumerationOptions, Oracle, Problem};
use execution::event::Execution;
use execution::ids::Id;
use front_litmus::state::{Looks, Typed};
use front_litmus::test::{Arch, Dialect, Place, Quantifier, Test};
use ir::program::{GlobalId, Width};
use ir::value::{RegionId, Value};
use limits::Limits;
use models::Model;
use models::ast::Role;
use replay::language::Language;
use replay::memory::parts::Assembly;
use replay::memory::world::{CellId, MemoryCell, ValueId, World};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The language of a test, which decides what depends on what.
pub fn language(test: &Test) -> Language {
    match (test.arch, test.dialect) {
        (Arch::RiscV, _) => Language::RiscV,
        (Arch::AArch64, _) => Language::Arm,
        (Arch::C, Some(Dialect::Kernel)) => Language::Kernel,
        (Arch::C, _) => Language::C11,
        _ => Language::Machine,
    }
}

/// A final state as it is printed, and how many executions end in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// `0:EAX=0; [x]=1;`
    pub text: String,
    /// How many executions end in it.
    pub count: u64,
    /// Whether it satisfies the proposition.
    pub satisfies: bool,
}

/// How often the proposition holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Observation {
    /// In every final state.
    Always,
    /// In some.
    Sometimes,
    /// In none.
    Never,
}

impl std::fmt::Display for Observation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Observation::Always => "Always",
            Observation::Sometimes => "Sometimes",
            Observation::Never => "Never",
        })
    }
}

/// What came of a test under a model.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The final states, sorted by their text.
    pub states: Vec<State>,
    /// Executions that satisfy the proposition.
    pub positive: u64,
    /// Executions that do not.
    pub negative: u64,
    /// Flags that the model raised in some execution.
    pub flags: BTreeSet<Arc<str>>,
    /// Whether the model calls some execution undefined behaviour.
    pub undefined: bool,
    /// Whether executions were cut off by the loop bound.
    pub bounded: bool,
    /// How many executions end early because they access something that is not an address; one, if
    /// executions were not counted. They have no final state and are counted nowhere else.
    pub strays: u64,
    /// Registers of which the states, or the condition, show the lower half only, because the test
    /// does not say how wide they are, although some value has more.
    pub hidden: BTreeSet<String>,
    /// An execution that satisfies the proposition, where one was asked for.
    pub witness: Option<Execution>,
    /// Whether executions were counted. If not, each state counts once.
    pub counted: bool,
}

impl Answer {
    /// How often the proposition holds.
    pub fn observation(&self) -> Observation {
        match (self.positive, self.negative) {
            (0, _) => Observation::Never,
            (_, 0) => Observation::Always,
            _ => Observation::Sometimes,
        }
    }

    /// Whether executions that access what is not an address could make the observation another one
    /// if such accesses had a meaning.
    pub fn is_open(&self) -> bool {
        self.strays > 0 && self.observation() != Observation::Sometimes
    }

    /// Whether the test's question is answered with yes.
    pub fn holds(&self, quantifier: Quantifier) -> bool {
        match quantifier {
            Quantifier::Exists => self.positive > 0,
            Quantifier::NotExists => self.positive == 0,
            Quantifier::ForAll => self.negative == 0,
        }
    }
}

/// A test whose threads have been enumerated.
pub struct Prepared<'t> {
    oracle: Oracle<'t>,
    looks: Looks<'t>,
}

impl<'t> Prepared<'t> {
    /// Enumerates the threads of a test.
    pub fn new(test: &'t Test, options: EnumerationOptions) -> Result<Self, Problem> {
        let mut oracle = Oracle::new(&test.program, options)?;
        let looks = Looks::new(test);
        let cells = oracle.world.cells.iter().enumerate();
        let looked_at =
            cells.filter(|(_, cell)| looks.places.iter().any(|place| holds(cell, place)));
        oracle.world.looked_at = looked_at.map(|(index, _)| CellId::new(index)).collect();
        Ok(Self { oracle, looks })
    }

    /// When to give up: at limits, or after this number of further steps.
    pub fn set_limits(&mut self, limits: Limits, max_steps: Option<u64>) {
        self.oracle.options.limits = limits;
        self.oracle.options.max_steps = max_steps;
        self.oracle.options.steps.set(0);
    }

    /// Asks a model; `witness` says whether an execution is wanted that satisfies the
    /// proposition.
    pub fn ask(&self, model: &Model, witness: bool) -> Result<Answer, Problem> {
        let mut ends: HashMap<Key, End> = HashMap::new();
        let mut shown = None;
        let mut strays = 0;
        self.oracle.run(model, &mut |found| {
            if found.is_stray() {
                strays += 1;
                return;
            }
            let key: Key =
                self.looks.places.iter().map(|place| final_value(found, place)).collect();
            let wanted = witness && shown.is_none() && !ends.contains_key(&key);
            if wanted && self.is_wanted(&key) {
                shown = Some(found.execution());
            }
            let end = ends.entry(key).or_default();
            end.count += 1;
            for flag in found.flags() {
                end.undefined |= flag.role == Role::UndefinedUnless;
                end.flags.insert(flag.name);
            }
        })?;
        Ok(Answer { strays, ..self.answer(ends, shown) })
    }

    fn answer(&self, ends: HashMap<Key, End>, witness: Option<Execution>) -> Answer {
        let mut states: BTreeMap<String, (u64, bool)> = BTreeMap::new();
        let (mut positive, mut negative) = (0, 0);
        let (mut flags, mut undefined) = (BTreeSet::new(), false);
        let mut hidden = self.looks.compared_with_more();
        for (key, end) in &ends {
            let state = self.state(key);
            if !self.looks.passes(&state) {
                continue;
            }
            let last = self.looks.places.iter().zip(key);
            let hides = last.filter(|&(place, last)| {
                self.value(*last).is_some_and(|value| self.looks.hides(place, value))
            });
            hidden.extend(hides.map(|(place, _)| place.to_string()));
            let count = end.count;
            flags.extend(end.flags.iter().cloned());
            undefined |= end.undefined;
            let satisfies = self.looks.satisfies(&state);
            if satisfies {
                positive += count
            } else {
                negative += count
            }
            let entry = states.entry(self.looks.print(&state)).or_insert((0, satisfies));
            entry.0 += count;
        }
        let states = states
            .into_iter()
            .map(|(text, (count, satisfies))| State { text, count, satisfies })
            .collect();
        let bounded = self.oracle.bounded;
        let (strays, counted) = (0, true);
        Answer {
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
        }
    }

    fn is_wanted(&self, key: &[Final]) -> bool {
        let state = self.state(key);
        self.looks.passes(&state) && self.looks.satisfies(&state)
    }

    fn state(&self, key: &[Final]) -> Vec<Typed> {
        self.looks.places.iter().zip(key).map(|(place, last)| self.typed(place, *last)).collect()
    }

    /// A final value; `None` if nothing but itself decides it.
    fn value(&self, last: Final) -> Option<Value> {
        let world = &self.oracle.world;
        Some(match last {
            Final::Whole(id) if world.is_symbolic(id) => return None,
            Final::Whole(id) => world.value_of(id),
            Final::PutTogether(value) => value,
            Final::Nothing => Value::int(Width::I64, 0),
        })
    }

    fn typed(&self, place: &Place, last: Final) -> Typed {
        let Some(value) = self.value(last) else { return Typed::Symbolic };
        if let Some(region) = value.provenance.filter(|_| value.low() != 0) {
            let global = GlobalId::new(region.index());
            let offset = value.low().wrapping_sub(World::address(global).low()) as i64;
            return Typed::Address(global, offset);
        }
        Typed::number(value, place.ty())
    }
}

/// The final values of all observed places.
type Key = Vec<Final>;

/// A final value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Final {
    /// What one event wrote.
    Whole(ValueId),
    /// What several events wrote, and what there was at first.
    PutTogether(Value),
    /// Of a register that has none.
    Nothing,
}

/// The executions that end in one state.
#[derive(Default)]
struct End {
    count: u64,
    flags: BTreeSet<Arc<str>>,
    undefined: bool,
}

/// Whether a cell has a part of a place.
fn holds(cell: &MemoryCell, place: &Place) -> bool {
    match place {
        Place::Cell { global, offset, ty, .. } => {
            cell.meets(RegionId::new(global.index()), *offset, ty.width.bytes())
        }
        Place::Register { .. } => false,
    }
}

fn final_value(found: &Found<'_, '_>, place: &Place) -> Final {
    let Place::Cell { global, offset, ty, .. } = place else {
        let Place::Register { thread, .. } = place else { return Final::Nothing };
        let seen = found.observed(*thread, &place.to_string());
        return seen.map_or(Final::Nothing, Final::Whole);
    };
    let world = found.world;
    let cells = found.skeleton.cells.iter().map(|events| events.cell);
    let cells = cells.filter(|cell| holds(&world.cells[cell.index()], place));
    let lasts: Vec<(&MemoryCell, ValueId)> = cells
        .filter_map(|cell| Some((&world.cells[cell.index()], found.final_value(cell)?)))
        .collect();
    if let [(cell, last)] = lasts[..]
        && cell.offset == *offset
        && cell.bytes >= ty.width.bytes()
    {
        return Final::Whole(last);
    }
    let initial = world.initial(*global, *offset, ty.width.bytes());
    if lasts.is_empty() {
        return Final::PutTogether(initial);
    }
    if let Some((_, symbolic)) = lasts.iter().find(|(_, last)| world.is_symbolic(*last)) {
        return Final::Whole(*symbolic);
    }
    let mut whole = Assembly::new(initial, ty.width);
    for (cell, last) in lasts {
        let at = cell.offset as i64 - *offset as i64;
        let width = Width::from_bytes(cell.bytes).unwrap_or(Width::I64);
        whole.put(at, world.value_of(last), width);
    }
    Final::PutTogether(whole.finish())
}
