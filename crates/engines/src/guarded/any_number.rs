//! Proofs for any number of members of a scalarset, by views of a few of them.
//!
//! The idea: a view is a state restricted to `k` members: their own variables, and those of no
//! member, in which all other members are one value, Other. The views of all reachable states of all
//! sizes are over-approximated by a fixpoint. A configuration of `k + 1` members may be reachable if
//! all its views are in the fixpoint; every rule of each of its members is executed on it, and the
//! views of what it leads to are added. This is the data type reduction of the CMP method (Chou,
//! Mannava, Park: "A simple method for parameterized verification of cache coherence protocols",
//! FMCAD 2004) with view abstraction (Abdulla, Haziza, Holík: "All for the price of few", VMCAI
//! 2013) for its lemmas: what Other may do is strengthened by the strongest lemma over `k` members,
//! found together with the proof, instead of lemmas that a user writes or that templates offer.
//!
//! Restriction is sound for models that [`guarded::modular`] accepts. An error would miss a
//! violation; too few members cry wolf, so an alarm is never reported as a violation.
//!
//! Soundness S-204 (murphi; all; refuses): `--cmp` refuses models in which a rule, guard or
//! invariant depends on members that are not considered (witnesses, counts, members stored in
//! members), and alarms of the abstraction are `?`. Test:
//! crates/engines/tests/murphi_any_number.rs::an_alarm_is_not_a_violation.
//!
//! Soundness S-205 (murphi; all; misses): A proof for any number is about invariants, assertions and
//! failures of code; deadlocks and cover properties are checked for the explicit sizes only. Test:
//! crates/engines/tests/murphi_any_number.rs::deadlocks_are_not_part_of_a_proof.

mod effects;

use effects::Effects;
use guarded::fault::{Fault, FaultKind};
use guarded::fold::{Order, fold_functions};
use guarded::instance::Instances;
use guarded::machine::Machine;
use guarded::model::{Model, PropertyId, PropertyKind, RuleId, ScalarId};
use guarded::modular::{Parts, Refusal, modular};
use limits::{Exceeded, Limits, Poll};
use rustc_hash::{FxHashMap, FxHashSet};

/// More members than this are not tracked.
pub const MOST_TRACKED: usize = 2;

/// How often limits are polled, in configurations.
const POLL_INTERVAL: u32 = 256;

/// What is known for any number of members.
#[derive(Clone, Debug)]
pub enum AnyNumber {
    /// Invariants hold, and no code fails, for any number.
    Proved(Effort),
    /// A configuration that could not be excluded: no proof.
    Alarm(Alarm),
    /// The model cannot be restricted to some members.
    Refused(Refusal),
    /// A limit was reached.
    Limit(Exceeded),
}

/// What a proof took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// How many members each view has.
    pub tracked: usize,
    /// Views in the fixpoint.
    pub views: usize,
    /// Configurations of one member more on which rules had to be executed.
    pub configurations: u64,
}

/// Something that the abstraction cannot exclude.
#[derive(Clone, Debug)]
pub struct Alarm {
    /// The false invariant, or what fails.
    pub what: Result<PropertyId, Fault>,
    /// The rule that fails, with its parameters; `None` for an invariant.
    pub rule: Option<(RuleId, Vec<i64>)>,
    /// The configuration.
    pub state: Vec<u32>,
    /// What was visited.
    pub effort: Effort,
}

/// Tries to prove a model for any number of members of `set`, with views of `tracked` of them. The
/// model must have `tracked + 2` members; the last stands for all others.
pub fn prove(model: &Model, set: ScalarId, tracked: usize, limits: &Limits) -> AnyNumber {
    prove_by(Way::Effects, model, (set, tracked), limits)
}

/// How the fixpoint is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// By executing all rules on the configuration of each pair of views.
    Configurations,
    /// Of one member: the same, but for rules that do not read the other one ([`effects`]).
    Effects,
}

/// The same in one of two ways, which give the same views.
pub fn prove_by(
    way: Way,
    model: &Model,
    (set, tracked): (ScalarId, usize),
    limits: &Limits,
) -> AnyNumber {
    let mut model = model.clone();
    model.types.scalars[set].hidden = 1;
    let (parts, spoken_of) = match modular(&model, set) {
        Ok(found) => found,
        Err(refusal) => return AnyNumber::Refused(refusal),
    };
    if spoken_of > tracked + 1 {
        let what = "an invariant speaks of more members than are tracked";
        return AnyNumber::Refused(Refusal { what, span: None });
    }
    assert_eq!(parts.locals.len(), tracked + 2, "the model has another size");
    fold_functions(&mut model, Order::Fixed);
    let Ok(instances) = Instances::new(&model, Order::Fixed) else {
        let what = "there are too many choices of parameters of rules";
        return AnyNumber::Refused(Refusal { what, span: None });
    };
    let mut machine = Machine::new(&model);
    machine.untracked = Some(model.types.scalars[set].high);
    let mut fixpoint = Fixpoint {
        model: &model,
        instances: &instances,
        parts: &parts,
        tracked,
        machine,
        views: FxHashSet::default(),
        done: FxHashSet::default(),
        index: FxHashMap::default(),
        work: Vec::new(),
        configurations: 0,
    };
    match (tracked, way) {
        (1, Way::Effects) => Effects::new(&mut fixpoint, set, limits).run(limits),
        _ => fixpoint.run(limits),
    }
}

/// Which member a variable of no member holds: 0 for none, then those tracked, then Other.
type Pointer = u8;

/// A state restricted to some members.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct View {
    globals: Box<[u32]>,
    pointers: Box<[Pointer]>,
    locals: Box<[Box<[u32]>]>,
}

const OTHER: Pointer = Pointer::MAX;

/// What two views must agree on to be of one configuration: variables of no member, and all members
/// but one of each.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    globals: Box<[u32]>,
    /// Whether each holds none (0), the shared member (1), or another one (2).
    pointers: Box<[Pointer]>,
    shared: Box<[Box<[u32]>]>,
}

/// The member that extends another view: its variables, and which pointers hold it.
#[derive(Clone)]
struct Extension {
    local: Box<[u32]>,
    held: Box<[bool]>,
}

struct Fixpoint<'m> {
    model: &'m Model,
    instances: &'m Instances,
    parts: &'m Parts,
    tracked: usize,
    machine: Machine<'m>,
    views: FxHashSet<View>,
    /// Those of which the configurations with others of these were visited; the index has them.
    done: FxHashSet<View>,
    index: FxHashMap<Key, Vec<Extension>>,
    work: Vec<View>,
    configurations: u64,
}

/// Stops the fixpoint.
type Stop = Box<Alarm>;

impl Fixpoint<'_> {
    fn run(&mut self, limits: &Limits) -> AnyNumber {
        match self.fixpoint(limits) {
            Ok(None) => AnyNumber::Proved(self.effort()),
            Ok(Some(exceeded)) => AnyNumber::Limit(exceeded),
            Err(alarm) => AnyNumber::Alarm(*alarm),
        }
    }

    fn effort(&self) -> Effort {
        let (views, configurations) = (self.views.len(), self.configurations);
        Effort { tracked: self.tracked, views, configurations }
    }

    /// The views of all start states.
    fn starts(&mut self) -> Result<(), Stop> {
        for start in &self.instances.starts {
            self.machine.state_mut().fill(0);
            let state = self.machine.state().to_vec();
            if let Err(fault) = start.execute(&mut self.machine) {
                return Err(self.alarm(Err(fault), None, &state));
            }
            let state = self.machine.state().to_vec();
            self.add_views(&state);
        }
        Ok(())
    }

    fn fixpoint(&mut self, limits: &Limits) -> Result<Option<Exceeded>, Stop> {
        self.starts()?;
        let poll = Poll::new(limits, POLL_INTERVAL);
        let mut configurations = Vec::new();
        while let Some(view) = self.work.pop() {
            configurations.clear();
            // Each configuration is visited once: with the last of its views.
            for (key, extension) in keys(&view) {
                self.index.entry(key).or_default().push(extension);
            }
            self.done.insert(view.clone());
            self.extend(&view, &mut configurations);
            for state in &configurations {
                if poll.expired() {
                    return Ok(limits.exceeded());
                }
                self.visit(state)?;
            }
        }
        Ok(None)
    }

    fn alarm(
        &self,
        what: Result<PropertyId, Fault>,
        rule: Option<(RuleId, Vec<i64>)>,
        state: &[u32],
    ) -> Stop {
        Box::new(Alarm { what, rule, state: state.to_vec(), effort: self.effort() })
    }

    /// A state restricted to these members, in this order.
    fn view(&self, state: &[u32], members: &[usize]) -> View {
        let pointer = |cell: &usize| match state[*cell] {
            0 => 0,
            code => {
                let position = members.iter().position(|member| *member as u32 + 1 == code);
                position.map_or(OTHER, |position| position as Pointer + 1)
            }
        };
        let local = |member: &usize| -> Box<[u32]> {
            self.parts.locals[*member].iter().map(|cell| state[*cell]).collect()
        };
        View {
            globals: self.parts.globals.iter().map(|cell| state[*cell]).collect(),
            pointers: self.parts.pointers.iter().map(pointer).collect(),
            locals: members.iter().map(local).collect(),
        }
    }

    /// The view of a pair that does not depend on its order.
    fn canonical(&self, state: &[u32], members: &[usize]) -> View {
        let view = self.view(state, members);
        match members {
            [a, b] => view.min(self.view(state, &[*b, *a])),
            _ => view,
        }
    }

    /// Adds all views of a configuration.
    fn add_views(&mut self, state: &[u32]) {
        for members in subsets(self.tracked) {
            self.add_view(self.canonical(state, &members));
        }
    }

    fn add_view(&mut self, view: View) {
        if !self.views.contains(&view) {
            self.views.insert(view.clone());
            self.work.push(view);
        }
    }

    /// The configurations of one member more, all of whose views are known, that have this view.
    fn extend(&self, view: &View, configurations: &mut Vec<Vec<u32>>) {
        let Some((key, own)) = keys(view).into_iter().next() else { return };
        let mut state = vec![0; self.model.cells as usize];
        for extension in self.index.get(&key).map(Vec::as_slice).unwrap_or_default() {
            let both = own.held.iter().zip(&extension.held).any(|(a, b)| *a && *b);
            if both {
                continue;
            }
            state.fill(0);
            self.fill(&mut state, view, extension);
            let is_known =
                |members: &Vec<usize>| self.views.contains(&self.canonical(&state, members));
            if subsets(self.tracked).iter().all(is_known) {
                configurations.push(state.clone());
            }
        }
    }

    /// Writes the configuration of a view and another member.
    fn fill(&self, state: &mut [u32], view: &View, extension: &Extension) {
        let put = |state: &mut [u32], cells: &[usize], codes: &[u32]| {
            cells.iter().zip(codes).for_each(|(cell, code)| state[*cell] = *code);
        };
        put(state, &self.parts.globals, &view.globals);
        for (member, local) in view.locals.iter().enumerate() {
            put(state, &self.parts.locals[member], local);
        }
        put(state, &self.parts.locals[self.tracked], &extension.local);
        let other = self.tracked as u32 + 2;
        let held = view.pointers.iter().zip(&extension.held);
        for (cell, (pointer, is_new)) in self.parts.pointers.iter().zip(held) {
            state[*cell] = match *pointer {
                OTHER if *is_new => self.tracked as u32 + 1,
                OTHER => other,
                pointer => pointer.into(),
            };
        }
    }

    /// Checks a configuration and executes all rules of its members.
    fn visit(&mut self, state: &[u32]) -> Result<(), Stop> {
        self.configurations += 1;
        self.machine.state_mut().copy_from_slice(state);
        for (number, claim) in self.instances.claims.iter().enumerate() {
            if self.model.properties[claim.property].kind == PropertyKind::Invariant {
                self.claim(number, state)?;
            }
        }
        (0..self.instances.rules.len()).try_for_each(|rule| self.rule(rule, state))
    }

    /// Checks an invariant in the machine's state, which is this configuration.
    fn claim(&mut self, claim: usize, state: &[u32]) -> Result<(), Stop> {
        let claim = &self.instances.claims[claim];
        match claim.is_true(&mut self.machine) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.alarm(Ok(claim.property), None, state)),
            Err(fault) => Err(self.alarm(Err(fault), None, state)),
        }
    }

    /// Executes a rule on a configuration.
    fn rule(&mut self, number: usize, state: &[u32]) -> Result<(), Stop> {
        let rule = &self.instances.rules[number];
        self.machine.state_mut().copy_from_slice(state);
        let executed = match rule.is_enabled(&mut self.machine) {
            Ok(false) => return Ok(()),
            Ok(true) => rule.execute(&mut self.machine),
            Err(fault) => Err(fault),
        };
        match executed {
            Ok(()) => {
                let reached = self.machine.state().to_vec();
                self.add_views(&reached);
                Ok(())
            }
            Err(Fault { kind: FaultKind::Assumption, .. }) => Ok(()),
            Err(fault) => Err(self.fails(number, fault, state)),
        }
    }

    /// A rule fails in a configuration.
    fn fails(&self, rule: usize, fault: Fault, state: &[u32]) -> Stop {
        let rule = &self.instances.rules[rule];
        let values = rule.slots.iter().map(|(_, value)| *value).collect();
        self.alarm(Err(fault), Some((rule.rule, values)), state)
    }
}

/// The choices of so many of one member more.
fn subsets(tracked: usize) -> Vec<Vec<usize>> {
    let all = |left_out: usize| (0..=tracked).filter(|member| *member != left_out).collect();
    (0..=tracked).rev().map(all).collect()
}

/// The keys of a view, for each of its members as the one that extends others.
fn keys(view: &View) -> Vec<(Key, Extension)> {
    let of = |extending: usize| {
        let at = extending as Pointer + 1;
        let kind = |pointer: &Pointer| match *pointer {
            0 => 0,
            OTHER => 2,
            pointer if pointer == at => 2,
            _ => 1,
        };
        let shared = view.locals.iter().enumerate().filter(|(member, _)| *member != extending);
        let key = Key {
            globals: view.globals.clone(),
            pointers: view.pointers.iter().map(kind).collect(),
            shared: shared.map(|(_, local)| local.clone()).collect(),
        };
        let held = view.pointers.iter().map(|pointer| *pointer == at).collect();
        (key, Extension { local: view.locals[extending].clone(), held })
    };
    (0..view.locals.len()).map(of).collect()
}
